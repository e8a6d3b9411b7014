//! What a target does wrong, as a rule of the pages that it behaves as if it had wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tandem_faults::catalogue;
use tandem_faults::twist::{self, Guard, Twisted};
use tandem_harness::{
    CaseId, CaseSource, Cause, DiagnoseLimits, Diagnosis, Dictionary, Earlier, Finding, IsaSuite, Keeping, Kept,
    Matter, Minimized, Parting, Pools, Preceded, Tier, Told, diagnose,
};
use tandem_isa::{Edition, Instruction, Page, State, Step, Target};
use tandem_reference::statements::pages_of;
use tandem_reference::twisted::site::{Call, Otherwise, Site, SiteKind, Twist, Wrong, member_of_pair};
use tandem_reference::twisted::{self, site_of};

use crate::twists::{Mistake, Reach};

/// Everything that a target can do wrong in the cases of an instruction: what the reference can, and, in cases that run after
/// others, what can be kept from those.
pub struct Mistakes {
    rules: Vec<Broken>,
    /// How many of them are tried before the others, …
    plain: usize,
    /// … and how many come before those of one call, which are tried where the same in all calls explains anything.
    everywhere: usize,
    /// Turns of loops after which none of them does anything more.
    turns: u32,
    kept: Vec<Keeps>,
}

/// A rule that is broken, at one place of the reference or at two.
#[derive(Clone, Copy)]
struct Broken {
    twist: Twist,
    /// Of two that are taken for each other: what is done at the other one.
    back: Option<Twist>,
}

impl Broken {
    fn once(twist: Twist) -> Self {
        Broken { twist, back: None }
    }

    fn twists(self) -> impl Iterator<Item = Twist> {
        std::iter::once(self.twist).chain(self.back)
    }

    fn says(self) -> String {
        let said = says(self.twist);
        match (self.back, said.split_once(" stood in the place of ")) {
            (Some(_), Some((one, other))) => format!("{one} and {other} were taken for each other"),
            _ => said,
        }
    }

    fn name(self) -> String {
        format!("{}{}", twist::name(self.twist), if self.back.is_some() { " and back" } else { "" })
    }

    fn lines(self, instruction: &Instruction) -> Vec<(&'static str, u32, u32)> {
        let mut lines: Vec<_> = self.twists().flat_map(|twist| lines(twist, instruction)).collect();
        let mut seen = BTreeSet::new();
        lines.retain(|line| seen.insert(*line));
        lines
    }
}

/// What can be kept from earlier cases.
struct Keeps {
    what: Source,
    name: String,
    says: String,
}

/// Where it comes from.
#[derive(Clone, Copy)]
enum Source {
    /// A part of an earlier case, wherever it is used.
    Part(Kept),
    /// What one place of the reference came to in the case before. The twist is one of that place.
    Site(Twist),
}

/// How much is asked of a target each of whose cases runs after others.
const IN_ORDER: DiagnoseLimits = DiagnoseLimits {
    cases: 20_000,
    diverging: 64,
    agreeing: 500,
    refuting: 500,
    beyond: 0,
    causes: 1,
    steps: 600_000_000,
};

impl Mistakes {
    /// Finds out what the cases of an instruction reach.
    #[must_use]
    pub fn of(suite: &IsaSuite, unit: (&'static Instruction, Edition), pools: &Arc<Pools>) -> Self {
        let reach = Reach::soon(suite, unit, pools, 2);
        let mut twists: Vec<Twist> = reach.bare().map(|Mistake { twist, .. }| twist).collect();
        // What is a reading of an erratum is said as such.
        twists.sort_by_key(|&twist| twist::reading(twist).is_none());
        let further: Vec<Twist> = reach.further().collect();
        let in_calls: Vec<Broken> = twists.iter().flat_map(|&twist| reach.in_calls(twist)).map(Broken::once).collect();
        let mut rules: Vec<Broken> = twists.into_iter().map(Broken::once).collect();
        let plain = rules.len();
        rules.extend(further.iter().copied().map(Broken::once));
        rules.extend(exchanged(&further));
        let everywhere = rules.len();
        rules.extend(in_calls);
        Mistakes { rules, plain, everywhere, turns: reach.most_turns(), kept: Vec::new() }
    }

    /// Those of the twists that `is_kept` says.
    #[must_use]
    pub fn without(&self, is_kept: impl Fn(Twist) -> bool) -> Self {
        let of = |rules: &[Broken]| -> Vec<Broken> {
            rules.iter().copied().filter(|rule| rule.twists().all(&is_kept)).collect()
        };
        let (everywhere, in_calls) = self.rules.split_at(self.everywhere);
        let (plain, further) = everywhere.split_at(self.plain);
        let mut rules = of(plain);
        let plain = rules.len();
        rules.extend(of(further));
        let everywhere = rules.len();
        rules.extend(of(in_calls));
        Mistakes { rules, plain, everywhere, turns: self.turns, kept: Vec::new() }
    }

    /// The twist with a number.
    #[must_use]
    pub fn twist(&self, number: usize) -> Twist {
        self.rules[number - self.kept.len()].twist
    }

    /// The rule that is broken, or what is kept instead.
    fn rule(&self, number: usize) -> Result<Broken, &Keeps> {
        // What is kept is the simpler explanation where several do.
        number.checked_sub(self.kept.len()).map(|number| self.rules[number]).ok_or_else(|| &self.kept[number])
    }

    /// What a target does that makes the mistake, as a sentence that goes on after "behaves as if".
    #[must_use]
    pub fn says(&self, number: usize) -> String {
        self.rule(number).map_or_else(|keeps| keeps.says.clone(), Broken::says)
    }

    /// Where the rule stands, in words.
    #[must_use]
    pub fn place(&self, number: usize, instruction: &Instruction) -> String {
        match self.rule(number) {
            Ok(rule) => place(rule, instruction),
            Err(&Keeps { what: Source::Site(twist), .. }) => place(Broken::once(twist), instruction),
            Err(Keeps { what: Source::Part(_), .. }) => "kept between cases".to_string(),
        }
    }

    /// The lines of the pages on which the rule stands.
    #[must_use]
    pub fn page_lines(&self, number: usize, instruction: &Instruction) -> Vec<(&'static str, u32, u32)> {
        match self.rule(number) {
            Ok(rule) => rule.lines(instruction),
            Err(&Keeps { what: Source::Site(twist), .. }) => lines(twist, instruction),
            Err(Keeps { what: Source::Part(_), .. }) => Vec::new(),
        }
    }

    /// A target that makes several mistakes at once.
    fn make(&self, numbers: &[usize]) -> Box<dyn Target> {
        let twists = numbers.iter().flat_map(|&number| self.rules[number].twists()).collect();
        Box::new(Twisted::new(twists, Guard::default()).limited(self.turns))
    }

    fn dictionary<'a>(
        &self,
        make: &'a dyn Fn(&[usize]) -> Box<dyn Target>,
        matters: &'a dyn Fn(&Step<'_>, &mut State) -> Matter,
    ) -> Dictionary<'a> {
        let kept = self.kept.len();
        let of = |number: usize| kept + number;
        Dictionary {
            len: of(self.rules.len()),
            plain: of(self.plain),
            everywhere: of(self.everywhere),
            base: self.bases(),
            make,
            matters,
        }
    }

    /// Of each rule that is broken in one call alone the number of the same in all calls, and of each other its own.
    fn bases(&self) -> Vec<usize> {
        let plain: BTreeMap<Twist, usize> = self.rules[..self.plain].iter().map(|rule| rule.twist).zip(0..).collect();
        let kept = self.kept.len();
        let base = |(number, rule): (usize, &Broken)| match rule.twist.call() {
            Some(_) => plain.get(&rule.twist.anywhere()).copied().unwrap_or(number),
            None => number,
        };
        (0..kept).chain(self.rules.iter().enumerate().map(base).map(|number| kept + number)).collect()
    }

    /// Executes a case and says of each mistake whether it may matter in it: one that gives nothing else at any place does not.
    fn matters(&self, step: &Step<'_>, state: &mut State) -> Matter {
        let mut reached = Vec::new();
        twisted::note(&mut reached, step, state);
        let matters = |rule: &Broken| rule.twists().any(|twist| twisted::matters(&reached, twist));
        let each = std::iter::repeat_n(true, self.kept.len()).chain(self.rules.iter().map(matters)).collect();
        Matter { each, steps: reached.iter().map(|site| site.times).sum() }
    }

    /// What the first target of the suite does wrong.
    #[must_use]
    pub fn explain(
        &self,
        suite: &IsaSuite,
        unit: (&'static Instruction, Edition),
        source: &CaseSource,
        limits: &DiagnoseLimits,
        is_over: &dyn Fn() -> bool,
    ) -> Diagnosis {
        let make = |numbers: &[usize]| self.make(numbers);
        let matters = |step: &Step<'_>, state: &mut State| self.matters(step, state);
        let dictionary = self.dictionary(&make, &matters);
        diagnose(suite, unit, source, &[], &dictionary, limits, is_over)
    }

    /// The findings of the first target of the suite in an instruction and edition, one for each cause.
    #[must_use]
    pub fn part(
        &self,
        suite: &IsaSuite,
        unit: (&'static Instruction, Edition),
        source: &CaseSource,
        findings: Vec<Finding>,
        limits: DiagnoseLimits,
        is_over: &dyn Fn() -> bool,
    ) -> Vec<Finding> {
        let make = |numbers: &[usize]| self.make(numbers);
        let matters = |step: &Step<'_>, state: &mut State| self.matters(step, state);
        let tell = |cause: &Cause, diagnosis: &Diagnosis| Told {
            rules: cause.class.iter().map(|&number| self.name(number)).collect(),
            lines: self.lines_on(cause, diagnosis, unit),
        };
        let erratum = |(number, rule): (usize, &Broken)| Some((number, erratum_of(rule.twist)?.1?.to_string()));
        let parting = Parting {
            suite,
            source,
            dictionary: self.dictionary(&make, &matters),
            readings: self.rules.iter().enumerate().filter_map(erratum).collect(),
            tell: &tell,
            limits,
            is_over,
        };
        let mut findings = parting.part(unit, findings);
        let info = suite.targets.first().map(|factory| &factory.info);
        for finding in findings.iter_mut().filter(|finding| info.is_some_and(|info| finding.is_in_order(info, unit))) {
            if let Some(smallest) = finding.minimized.as_ref().filter(|_| !is_over()) {
                finding.told = self.explain_in_order(suite, unit, source, smallest, is_over);
            }
        }
        findings
    }

    /// Places of the reference that give a number, and may give that of the case before.
    fn sites_that_keep(&self) -> impl Iterator<Item = Keeps> {
        let gives_a_number = |kind| {
            use SiteKind::{Condition, Field, Index, New, Variable};
            matches!(kind, Field | New | Index | Condition | Variable)
        };
        let of_sites = self.rules.iter().map(|rule| rule.twist.anywhere());
        let mut twists: Vec<Twist> = of_sites.filter(|&twist| gives_a_number(site_of(twist).kind)).collect();
        twists.sort_by_key(|twist| twist.site);
        twists.dedup_by_key(|twist| twist.site);
        twists.into_iter().map(|twist| {
            let text = site_of(twist).text;
            let says = format!("`{}` were what it was in the case before", text.split('#').next().unwrap_or_default());
            Keeps { what: Source::Site(twist), name: format!("{}: kept", twist::site_name(twist)), says }
        })
    }

    /// Why the first target of the suite goes wrong in a case only after others.
    #[must_use]
    pub fn explain_in_order(
        &self,
        suite: &IsaSuite,
        unit: (&'static Instruction, Edition),
        source: &CaseSource,
        smallest: &Minimized,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Told> {
        let factory = suite.targets.first()?;
        let earlier = Arc::new(Earlier::of(suite, factory, smallest, source)?);
        let part = |what: Kept| Keeps {
            what: Source::Part(what),
            name: what.name(&smallest.value),
            says: what.says(&smallest.value),
        };
        let kept = earlier.kept().into_iter().map(part).chain(self.sites_that_keep()).collect();
        let all = Mistakes { rules: self.rules.clone(), kept, ..*self };
        let make = |numbers: &[usize]| -> Box<dyn Target> {
            let (mut twists, mut parts, mut sites) = (Vec::new(), Vec::new(), Vec::new());
            for &number in numbers {
                match all.rule(number) {
                    Ok(rule) => twists.extend(rule.twists()),
                    Err(Keeps { what: Source::Part(part), .. }) => parts.push(*part),
                    Err(Keeps { what: Source::Site(twist), .. }) => sites.push(twist.site),
                }
            }
            let keeps = !sites.is_empty();
            let mut target: Box<dyn Target> =
                Box::new(Twisted::new(twists, Guard::default()).limited(self.turns).keeping(sites.into_iter()));
            if !parts.is_empty() {
                target = Box::new(Keeping::new(target, Arc::clone(&earlier), parts));
            }
            if keeps { Box::new(Preceded::new(target, Arc::clone(&earlier))) } else { target }
        };
        let matters = |step: &Step<'_>, state: &mut State| all.matters(step, state);
        let dictionary = all.dictionary(&make, &matters);
        let after = suite.with_targets(vec![Preceded::factory(factory, &earlier)]);
        let diagnosis = diagnose(&after, unit, source, &[], &dictionary, &IN_ORDER, is_over);
        let cause = diagnosis.causes.first()?;
        Some(Told {
            rules: cause.class.iter().map(|&number| all.name(number)).collect(),
            lines: all.lines_on(cause, &diagnosis, unit),
        })
    }

    /// What is said of a cause, a line each.
    #[must_use]
    pub fn lines_on(
        &self,
        cause: &Cause,
        diagnosis: &Diagnosis,
        (instruction, edition): (&Instruction, Edition),
    ) -> Vec<String> {
        let Diagnosis { diverging, agreeing, by_rules, .. } = diagnosis;
        let rule = |number: usize| format!("{} ({})", self.says(number), self.place(number, instruction));
        let atoms: Vec<String> = cause.guard.iter().map(|atom| atom.text(instruction, edition)).collect();
        let when = if atoms.is_empty() { String::new() } else { format!(", only with {}", atoms.join(", ")) };
        let tier = match cause.tier {
            Tier::Established => "established",
            Tier::Consistent => "consistent with that",
        };
        let mut lines = vec![
            format!("behaves as if {}{when}", rule(cause.class[0])),
            format!(
                "  {tier}: explains {} of {diverging} failing and {agreeing} of {agreeing} agreeing cases; survived {} cases chosen to refute it",
                cause.explained, cause.survived
            ),
        ];
        lines.extend(cause.class[1..].iter().map(|&other| format!("  cannot be told from: {}", rule(other))));
        let rivals = cause.rivals.iter().take(3);
        let by = |case: &CaseId| if *by_rules { "another case".to_string() } else { format!("case {case}") };
        lines.extend(rivals.map(|(rival, case)| format!("  ruled out by {}: {}", by(case), self.says(*rival))));
        lines
    }

    /// What a mistake is called.
    #[must_use]
    pub fn name(&self, number: usize) -> String {
        self.rule(number).map_or_else(|keeps| keeps.name.clone(), Broken::name)
    }
}

/// Where on the pages of an instruction the rule stands that a twist breaks, such as `page MOVA2D, line 55`; where the reference
/// only names the source of a whole function, that.
#[must_use]
fn place(rule: Broken, instruction: &Instruction) -> String {
    let places = rule.lines(instruction);
    if places.is_empty() {
        return site_of(rule.twist).source.to_string();
    }
    let texts = places.iter().map(|(page, first, last)| {
        if first == last {
            format!("page {page}, line {first}")
        } else {
            format!("page {page}, lines {first} to {last}")
        }
    });
    texts.collect::<Vec<_>>().join("; ")
}

/// The lines of pages that the reference says a twist's site does: title of the page, first and last line. Of pages that
/// several instructions or chips have, those that are of this instruction set.
#[must_use]
pub fn lines(twist: Twist, instruction: &Instruction) -> Vec<(&'static str, u32, u32)> {
    let Site { file, item, statements, pages, besides, is_told, .. } = site_of(twist);
    let mut all = lines_at(file, item, statements, pages, instruction);
    // What is wrong in one call alone stands there too.
    if let Some(call) = twist.call().map(|call| &twisted::CALLS[call]) {
        let at_call = lines_at(call.file, call.item, call.statements, call.pages, instruction);
        all.splice(0..0, at_call);
    }
    // What those who call a function say, and what no line says of the function itself, is said where it is called.
    if *is_told || all.is_empty() {
        all.extend(lines_of_calls(item, instruction, MOST_CALLS));
    }
    all.extend(besides.iter().map(|(page, first, last)| (page.id, *first, *last)));
    if let Some((page, lines)) = erratum_lines(twist) {
        all.extend(lines.into_iter().map(|(first, last)| (page, first, last)));
    }
    let mut seen = BTreeSet::new();
    all.retain(|line| seen.insert(*line));
    all
}

/// Functions from one to the next that calls it.
const MOST_CALLS: usize = 3;

/// The lines on pages of an instruction at which a function is called that an item is; where no such line says so, those at which
/// the functions are called that call it.
fn lines_of_calls(item: &str, instruction: &Instruction, most: usize) -> Vec<(&'static str, u32, u32)> {
    let name = item.rsplit("::").next().unwrap_or_default();
    let calls: Vec<&Call> = twisted::CALLS.iter().filter(|call| call.is_only_one && call.of == name).collect();
    let is_own = |(id, ..): &(&str, u32, u32)| instruction.pages.iter().any(|page| page.id == *id);
    let lines = |call: &&Call| lines_at(call.file, call.item, call.statements, call.pages, instruction);
    let own: Vec<_> = calls.iter().flat_map(lines).filter(is_own).collect();
    if !own.is_empty() || most == 0 {
        return own;
    }
    calls.iter().flat_map(|call| lines_of_calls(call.item, instruction, most - 1)).collect()
}

/// The lines of the page that an erratum is of, if a twist is a reading of one: those that it is about, and those that are
/// evidence.
fn erratum_lines(twist: Twist) -> Option<(&'static str, Vec<(u32, u32)>)> {
    let id = erratum_of(twist)?.1?;
    let erratum = tandem_cases::ISAS.iter().flat_map(|isa| isa.errata).find(|erratum| erratum.id == id)?;
    let range = |word: &str| {
        let (first, last) = word.split_once('-').unwrap_or((word, word));
        Some((first.parse().ok()?, last.parse().ok()?))
    };
    let elsewhere =
        erratum.evidence.iter().filter_map(|one| one.text.split_once("line")).filter(|(of, _)| of.is_empty());
    let evidence = elsewhere.map(|(_, lines)| lines.trim_start_matches('s').trim_start());
    let all = std::iter::once(erratum.lines).chain(evidence);
    Some((erratum.page.id, all.flat_map(|lines| lines.split(", ")).filter_map(range).collect()))
}

/// The lines of pages that stand at a place of the reference.
fn lines_at(
    file: &str,
    item: &str,
    statements: &[&str],
    pages: &'static [(&'static Page, u32, u32)],
    instruction: &Instruction,
) -> Vec<(&'static str, u32, u32)> {
    if !pages.is_empty() {
        return pages.iter().map(|(page, first, last)| (page.id, *first, *last)).collect();
    }
    let all: Vec<_> = statements.iter().flat_map(|bracket| pages_of(file, item, bracket)).collect();
    // A chip without a text of its own has the other's.
    let chip = instruction.isa.split_once('-').map_or("", |(_, chip)| chip);
    let is_own = |id: &str| id.split_once('-').is_some_and(|(of, _)| of == chip);
    let has_own = all.iter().any(|(page, _)| is_own(page.id));
    let own = all.into_iter().filter(|(page, _)| !has_own || is_own(page.id));
    own.flat_map(|(page, lines)| lines.into_iter().map(|(first, last)| (page.id, first, last))).collect()
}

/// What a twist that is a reading says, and the erratum that it is of, if it is of one.
fn erratum_of(twist: Twist) -> Option<(&'static str, Option<&'static str>)> {
    let id = twist::reading(twist)?;
    let fault = catalogue().iter().find(|fault| fault.id == id)?;
    Some((fault.what.trim_end_matches('.'), fault.erratum))
}

/// Two fields that a function reads, each taken for the other.
fn exchanged(further: &[Twist]) -> impl Iterator<Item = Broken> {
    // The field that is read in the place of which, and in which function.
    let field = |&twist: &Twist| {
        let Site { file, item, text, kind, members, .. } = site_of(twist);
        let Some(Otherwise::Member(member)) = twist.otherwise().filter(|_| *kind == SiteKind::Field) else {
            return None;
        };
        let own = text.split(".get(").next()?.rsplit("::").next()?;
        let is_first = !text.contains('#');
        is_first.then_some(((*file, *item, own, members[usize::from(member)]), twist))
    };
    let all: BTreeMap<_, _> = further.iter().filter_map(field).collect();
    let pairs = all.iter().filter(|((_, _, own, other), _)| own < other);
    let back = |(file, item, own, other)| all.get(&(file, item, other, own)).copied();
    pairs.filter_map(|(&of, &twist)| Some(Broken { twist, back: Some(back(of)?) })).collect::<Vec<_>>().into_iter()
}

/// What a target does that makes this mistake, as a sentence that goes on after "behaves as if".
#[must_use]
fn says(twist: Twist) -> String {
    if let Some(call) = twist.call().map(|call| &twisted::CALLS[call]) {
        return format!("{}, in `{}` where `{}` calls it", says(twist.anywhere()), call.of, call.item);
    }
    let Site { text, kind, members, .. } = site_of(twist);
    let text = text.split('#').next().unwrap_or_default();
    let of = |what: &str| format!("`{text}` {what}");
    if let Some((what, erratum)) = erratum_of(twist) {
        return erratum
            .map_or_else(|| format!("this held: {what}"), |id| format!("it read {id} the other way: {what}"));
    }
    if let Some(otherwise) = twist.otherwise() {
        return match otherwise {
            Otherwise::Bit(bit) => of(&format!("had bit {bit} the other way")),
            Otherwise::Exchanged => of("changed places"),
            Otherwise::Fixed(number) => of(&format!("were always {number}")),
            Otherwise::Member(member) => format!("`{}` stood in the place of `{text}`", members[usize::from(member)]),
            Otherwise::Zero => of("were 0"),
            Otherwise::Ones => of("had all bits set"),
            Otherwise::Double => of("were twice as much"),
            Otherwise::Half => of("were half as much"),
            Otherwise::Place => of("were the place itself, and not what stands there"),
            Otherwise::Cut(bits) => of(&format!("were cut to {bits} bits")),
            Otherwise::Rest(size) => of(&format!("were what a division by {size} leaves")),
            Otherwise::Quotient(size) => of(&format!("were a division by {size}")),
            Otherwise::NothingLeft => of("gave 0 where what it is applied to is 0"),
            Otherwise::NothingRight => of("gave 0 where it is applied with 0"),
            Otherwise::Before => of("were what it was before its last change"),
            Otherwise::Top(bit) => of(&format!("ended below bit {bit}")),
            Otherwise::Bottom(bit) => of(&format!("began at bit {bit}")),
            Otherwise::Again => of("did again what is done before, in place of copying it"),
            Otherwise::Both(pair) => {
                let (one, other) =
                    members[member_of_pair(pair, members.len())].split_once(" taken for ").unwrap_or_default();
                format!("`{one}` and `{other}` were taken for each other")
            }
        };
    }
    match twist.wrong() {
        Err(pair) if *kind == SiteKind::Arm => {
            let (one, other) = pair.split_once(" taken for ").unwrap_or_default();
            format!("`{one}` were taken for `{other}`")
        }
        Err(other) if *kind == SiteKind::Variable => format!("`{other}` stood in the place of `{text}`"),
        Err(member) => format!("`{member}` were not one of `{text}`"),
        Ok(wrong) => match wrong {
            Wrong::Left => of("were missing"),
            Wrong::Right => of("replaced what it is applied to"),
            Wrong::Opposite => of("did the opposite"),
            Wrong::Swapped => of("had its operands swapped"),
            Wrong::Or => of("were an or"),
            Wrong::Xor => of("were an exclusive or"),
            Wrong::Complement => of("inverted the bits only"),
            Wrong::Negated => of("were a negation"),
            Wrong::Backwards => of("went backwards"),
            Wrong::KeepsTop => of("left the highest bit as it was"),
            Wrong::And => of("were an and"),
            Wrong::Narrower => of("were a bit narrower"),
            Wrong::More => of("were one more"),
            Wrong::Less => of("were one less"),
            Wrong::WithoutTop => of("lacked its highest bit"),
            Wrong::WithoutBottom => of("lacked its lowest bit"),
            Wrong::WithAbove => of("had one more bit above"),
            Wrong::Never => of("never held"),
            Wrong::Always => of("always held"),
            Wrong::Inverted => of("were inverted"),
            Wrong::Equality => of("treated equality the other way"),
            Wrong::Zero => of("were always 0"),
            Wrong::Ones => of("were always all ones"),
            Wrong::Above => of("were read from the bits above"),
            Wrong::Below => of("were read from the bits below"),
            Wrong::First => of("always took the first"),
            Wrong::Other => of("took the other one"),
            Wrong::Next => of("took the next one"),
            Wrong::LeftOut => of("were not done"),
            Wrong::Short => of("ended a turn early"),
            Wrong::Late => of("began a turn late"),
            Wrong::Sign => of("shifted zeros in instead of the sign"),
            Wrong::LowerBound => of("had no upper bound"),
            Wrong::UpperBound => of("had no lower bound"),
        },
    }
}
