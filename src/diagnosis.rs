//! What a target does wrong, as a rule of the pages that it behaves as if it had wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock};

use tandem_faults::catalogue;
use tandem_faults::twist::{self, Guard, Twisted};
use tandem_harness::{
    CaseSource, DiagnoseLimits, Diagnosis, Dictionary, Finding, IsaSuite, Matter, Parting, Pools, diagnose,
};
use tandem_isa::{Edition, Instruction, Page, Place, State, Statement, Step, Target};
use tandem_reference::statements::{of_page, pages_of};
use tandem_twin::site::{Call, Otherwise, Site, SiteKind, Twist, Wrong, member_of_pair};
use tandem_twin::{Asked, SITES, site_of};

use crate::twists::{Mistake, Reach, TIMES};

/// Everything that a target can do wrong in the cases of an instruction: what the reference can, and, in cases that run after
/// others, what its places can keep from those.
pub struct Mistakes {
    rules: Vec<Broken>,
    /// How many of them are tried before the others, …
    plain: usize,
    /// … and how many come before those of one call, which are tried where the same in all calls explains anything.
    everywhere: usize,
    /// Turns of loops after which none of them does anything more.
    turns: u32,
    /// Places that give what they came to in the execution before, each by a twist of it. They come before the rules.
    keeping: Vec<Twist>,
    /// Of what the execution before was.
    of: &'static str,
    /// What each rule has done wrong, by its number.
    asked: Vec<(usize, Asked)>,
    /// Of each rule that is broken in one call alone the number of the same in all calls, and of each other its own.
    bases: Vec<usize>,
    /// Is told in words what explains something first, while that is looked for.
    pub hears: fn(&str),
}

/// A rule that is broken, at one place of the reference or at several.
#[derive(Clone)]
struct Broken {
    twist: Twist,
    /// What is done at others.
    company: Company,
}

/// What belongs to what is done wrong at a place.
#[derive(Clone)]
enum Company {
    /// Nothing.
    Alone,
    /// Two are taken for each other: what is done at the other one.
    Back(Twist),
    /// Something else at another place.
    And(Twist),
    /// The same at every place of the function that has this text.
    Wherever(Vec<Twist>),
    /// The like with all names of the function that differ by the same letter.
    Throughout(Vec<Twist>),
}

impl Broken {
    fn once(twist: Twist) -> Self {
        Broken { twist, company: Company::Alone }
    }

    fn twists(&self) -> impl Iterator<Item = Twist> {
        let others = match &self.company {
            Company::Alone => &[],
            Company::Back(other) | Company::And(other) => std::slice::from_ref(other),
            Company::Wherever(others) | Company::Throughout(others) => &others[..],
        };
        std::iter::once(self.twist).chain(others.iter().copied())
    }

    fn says(&self) -> String {
        let said = says(self.twist);
        match &self.company {
            Company::Alone => said,
            Company::And(other) => format!("{said} and {}", says(*other)),
            Company::Back(other) => match said.split_once(" stood in the place of ") {
                Some((one, other)) => format!("{one} and {other} were taken for each other"),
                None => format!("`{}` and `{}` were taken for each other", text_of(self.twist), text_of(*other)),
            },
            Company::Wherever(_) => format!("{said}, wherever `{}` has it", function_of(self.twist)),
            Company::Throughout(_) => format!("{said}, and so on throughout `{}`", function_of(self.twist)),
        }
    }

    fn name(&self) -> String {
        let name = twist::name(self.twist);
        match &self.company {
            Company::Alone => name,
            Company::Back(_) => format!("{name} and back"),
            Company::And(other) => format!("{name} and {}", twist::name(*other)),
            Company::Wherever(_) => format!("{name} wherever it stands"),
            Company::Throughout(_) => format!("{name} and so on"),
        }
    }

    fn lines(&self, instruction: &Instruction) -> Vec<(&'static str, u32, u32)> {
        let mut lines: Vec<_> = self.twists().flat_map(|twist| lines(twist, instruction)).collect();
        let mut seen = BTreeSet::new();
        lines.retain(|line| seen.insert(*line));
        lines
    }
}

impl Mistakes {
    /// Finds out what the cases of an instruction reach.
    #[must_use]
    pub fn of(suite: &IsaSuite, unit: (&'static Instruction, Edition), pools: &Arc<Pools>) -> Self {
        Self::until(suite, unit, pools, &|| false)
    }

    /// The same, as far as that is found out before it is over.
    #[must_use]
    pub fn until(
        suite: &IsaSuite,
        unit: (&'static Instruction, Edition),
        pools: &Arc<Pools>,
        is_over: &dyn Fn() -> bool,
    ) -> Self {
        let reach = Reach::until(suite, unit, pools, (2, TIMES), is_over);
        let mut twists: Vec<Twist> = reach.bare().map(|Mistake { twist, .. }| twist).collect();
        // What is a reading of an erratum is said as such.
        twists.sort_by_key(|&twist| twist::reading(twist).is_none());
        let mut further: Vec<Twist> = reach.further().collect();
        // Where a case takes long there is no time for what are many.
        if reach.steps() * further.len() as u64 > MOST_STEPS {
            further.retain(|&twist| !is_one_of_many(twist));
        }
        // Where bits are lost, or something else is taken, that may be so in one place alone; of the rest there is too much.
        let may_be_in_one = |twist: &&Twist| {
            matches!(
                twist.otherwise(),
                Some(
                    Otherwise::Cut(_)
                        | Otherwise::Kept(_)
                        | Otherwise::Signed(_)
                        | Otherwise::Member(_)
                        | Otherwise::Whole
                )
            )
        };
        let all = twists.iter().chain(further.iter().filter(may_be_in_one));
        let in_calls: Vec<Broken> = all.flat_map(|&twist| reach.in_calls(twist)).map(Broken::once).collect();
        // Beside another mistake both branches of a condition do what a single one does that is told better.
        let are_both = |twist: &mut Twist| twist.otherwise() == Some(Otherwise::Besides);
        let both: Vec<Broken> = further.extract_if(.., are_both).map(Broken::once).collect();
        // What is so only where something else holds, or does not, comes after what is always so.
        let are_in_part = |twist: &mut Twist| {
            use Otherwise::{Only, Where, WhereNot, Zeroed};
            matches!(twist.otherwise(), Some(Only(_) | Zeroed(_) | Where(_) | WhereNot(_)))
        };
        let in_part: Vec<Broken> = further.extract_if(.., are_in_part).map(Broken::once).collect();
        let mut rules: Vec<Broken> = twists.into_iter().map(Broken::once).collect();
        let plain = rules.len();
        rules.extend(further.iter().copied().map(Broken::once));
        rules.extend(exchanged(&further));
        let all: Vec<Twist> = rules[..plain].iter().map(|rule| rule.twist).chain(further).collect();
        rules.extend(exchanged_numbers(&all));
        rules.extend(rows_and_columns(&all));
        rules.extend(wherever(&all));
        rules.extend(throughout(&all));
        rules.extend(in_part);
        let everywhere = rules.len();
        rules.extend(both);
        rules.extend(in_calls);
        Self::new(rules, (plain, everywhere), reach.most_turns(), Vec::new())
    }

    /// Those of the twists that `is_kept` says.
    #[must_use]
    pub fn without(&self, is_kept: impl Fn(Twist) -> bool) -> Self {
        let of = |rules: &[Broken]| -> Vec<Broken> {
            rules.iter().filter(|rule| rule.twists().all(&is_kept)).cloned().collect()
        };
        let (everywhere, in_calls) = self.rules.split_at(self.everywhere);
        let (plain, further) = everywhere.split_at(self.plain);
        let mut rules = of(plain);
        let plain = rules.len();
        rules.extend(of(further));
        let everywhere = rules.len();
        rules.extend(of(in_calls));
        Self::new(rules, (plain, everywhere), self.turns, Vec::new())
    }

    fn new(rules: Vec<Broken>, (plain, everywhere): (usize, usize), turns: u32, keeping: Vec<Twist>) -> Self {
        let first = keeping.len();
        let alone = rules[..everywhere].iter().zip(first..).filter(|(rule, _)| matches!(rule.company, Company::Alone));
        let of_twists: BTreeMap<Twist, usize> = alone.map(|(rule, number)| (rule.twist, number)).collect();
        let base = |(number, rule): (usize, &Broken)| match rule.twist.call() {
            Some(_) => of_twists.get(&rule.twist.anywhere()).copied().unwrap_or(number),
            None => number,
        };
        let numbered = || (first..).zip(&rules);
        let asked = |(number, rule): (usize, &Broken)| {
            rule.twists().map(|twist| (number, Asked::of(twist))).collect::<Vec<_>>()
        };
        let (bases, asked) = ((0..first).chain(numbered().map(base)).collect(), numbered().flat_map(asked).collect());
        Mistakes { rules, plain, everywhere, turns, keeping, asked, bases, of: "case", hears: |_| () }
    }

    /// The twist with a number.
    #[must_use]
    pub fn twist(&self, number: usize) -> Twist {
        self.rules[number - self.keeping.len()].twist
    }

    /// How many choices a rule has: few, more, or many.
    fn price(&self, number: usize) -> u64 {
        match self.rule(number) {
            _ if number < self.keeping.len() + self.plain => 0,
            Ok(rule) if rule.twist.call().is_none() && !is_one_of_many(rule.twist) => 1,
            _ => 2,
        }
    }

    /// The rule that is broken, or the place that keeps what it came to.
    fn rule(&self, number: usize) -> Result<&Broken, Twist> {
        number.checked_sub(self.keeping.len()).map(|number| &self.rules[number]).ok_or_else(|| self.keeping[number])
    }

    /// The lines of the pages on which the rule stands.
    #[must_use]
    pub fn page_lines(&self, number: usize, instruction: &Instruction) -> Vec<(&'static str, u32, u32)> {
        self.rule(number).map_or_else(|twist| lines(twist, instruction), |rule| rule.lines(instruction))
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
        diagnose(suite, unit, source, &[], self, limits, is_over)
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
        Parting { suite, source, dictionary: self, limits, is_over }.part(unit, findings)
    }
}

impl Dictionary for Mistakes {
    fn count(&self) -> usize {
        self.keeping.len() + self.rules.len()
    }

    fn plain(&self) -> usize {
        self.keeping.len() + self.plain
    }

    fn everywhere(&self) -> usize {
        self.keeping.len() + self.everywhere
    }

    fn base(&self, number: usize) -> usize {
        self.bases[number]
    }

    /// The rules that are broken at a site where this one is, among those that are not tried first.
    fn at_place_of(&self, number: usize) -> Vec<usize> {
        let Ok(rule) = self.rule(number) else { return Vec::new() };
        let sites: BTreeSet<u16> = rule.twists().map(|twist| twist.site).collect();
        let is_there = |rule: &&(usize, &Broken)| rule.1.twists().any(|twist| sites.contains(&twist.site));
        let further = (self.plain()..).zip(&self.rules[self.plain..self.everywhere]);
        further.filter(|rule| is_there(&rule)).map(|(number, _)| number).collect()
    }

    fn make(&self, numbers: &[usize]) -> Box<dyn Target> {
        let (mut twists, mut sites) = (Vec::new(), Vec::new());
        for &number in numbers {
            match self.rule(number) {
                Ok(rule) => twists.extend(rule.twists()),
                Err(twist) => sites.push(twist.site),
            }
        }
        let target = Twisted::new(twists, Guard::default()).limited(self.turns).insisting();
        Box::new(target.keeping(sites.into_iter()))
    }

    /// A mistake that gives nothing else at any place does not matter.
    fn matters(&self, step: &Step<'_>, state: &mut State) -> Matter {
        let mut reached = Vec::new();
        tandem_twin::note(&mut reached, step, state);
        let mut each = vec![true; self.keeping.len()];
        each.resize(self.count(), false);
        for (number, asked) in &self.asked {
            each[*number] |= asked.matters(&reached);
        }
        Matter { each, steps: reached.iter().map(|site| site.times).sum() }
    }

    fn name(&self, number: usize) -> String {
        self.rule(number).map_or_else(|twist| format!("{}: kept", twist::site_name(twist)), Broken::name)
    }

    fn says(&self, number: usize) -> String {
        let kept = |twist| format!("`{}` were what it was in the {} before", text_of(twist), self.of);
        self.rule(number).map_or_else(kept, Broken::says)
    }

    fn place(&self, number: usize, instruction: &Instruction) -> String {
        self.rule(number).map_or_else(|twist| place(&Broken::once(twist), instruction), |rule| place(rule, instruction))
    }

    /// What decodes operands, and what is of syntax and encoding alone, last; the page of its own first, then what has fewer choices,
    /// what says less of it, and what is simpler.
    fn order(&self, number: usize, instruction: &Instruction) -> u64 {
        let lines = self.page_lines(number, instruction);
        let site = site_of(self.rule(number).map_or_else(|twist| twist, |rule| rule.twist));
        let is_decoding = site.file.ends_with("visa/operands.rs") || site.text.contains("code)");
        let is_syntax = !lines.iter().any(is_of_the_model);
        let rank = |(id, ..): &(&str, u32, u32)| page_rank(id, instruction);
        let page = lines.iter().map(rank).min().unwrap_or(FOREIGN + 1);
        let of_page = lines.iter().filter(|line| rank(line) == page);
        let says = of_page.map(|(_, first, last)| u64::from(last - first) + 1).sum::<u64>().min(0xfff);
        let bits = [is_syntax, is_decoding, page >= FOREIGN - 1, page >= FOREIGN, page > FOREIGN];
        let before = bits.into_iter().fold(0, |before, bit| before << 1 | u64::from(bit));
        before << 58 | self.price(number) << 56 | says << 40 | number as u64
    }

    /// Rules with more choices do not speak against plainer ones, and what has few choices is named with its rivals. What is wrong with a number that is given on may be so where it comes
    /// from, or where it goes to.
    fn share_a_line(&self, numbers: &[usize], instruction: &Instruction) -> bool {
        let least = numbers.iter().map(|&number| self.price(number)).min().unwrap_or_default();
        let cheapest = numbers.iter().filter(|&&number| self.price(number) == least);
        let lines: Vec<_> = cheapest.map(|&number| self.page_lines(number, instruction)).collect();
        let meets =
            |one: &(&str, u32, u32), other: &(&str, u32, u32)| one.0 == other.0 && one.1 <= other.2 && other.1 <= one.2;
        let is_shared = |line| lines.iter().all(|others| others.iter().any(|other| meets(line, other)));
        least == 0 || least == 1 && lines.first().is_none_or(|first| first.is_empty() || first.iter().any(is_shared))
    }

    fn is_candidate(&self, number: usize) {
        (self.hears)(&self.says(number));
    }

    fn erratum(&self, number: usize) -> Option<String> {
        Some(erratum_of(self.rule(number).ok()?.twist)?.1?.to_string())
    }

    fn is_left_out(&self, number: usize) -> bool {
        self.rule(number).is_ok_and(|rule| rule.twist.wrong() == Ok(Wrong::LeftOut) && rule.twists().count() == 1)
    }

    fn keeps(&self, number: usize) -> bool {
        number < self.keeping.len()
    }

    /// Places of the reference that give a number, and may give that of the case or step before.
    fn keeping(&self, of: &'static str) -> Option<Box<dyn Dictionary + '_>> {
        use SiteKind::{Condition, Field, Index, New, Variable};
        let gives_a_number = |twist: &Twist| matches!(site_of(*twist).kind, Field | New | Index | Condition | Variable);
        let of_sites = self.rules.iter().map(|rule| rule.twist.anywhere());
        let mut twists: Vec<Twist> = of_sites.filter(gives_a_number).collect();
        twists.sort_by_key(|twist| twist.site);
        twists.dedup_by_key(|twist| twist.site);
        let keeping = Self::new(self.rules.clone(), (self.plain, self.everywhere), self.turns, twists);
        Some(Box::new(Mistakes { of, ..keeping }))
    }
}

/// Where on the pages of an instruction the rule stands that a twist breaks, such as `page MOVA2D, line 55`; where the reference
/// only names the source of a whole function, that.
#[must_use]
fn place(rule: &Broken, instruction: &Instruction) -> String {
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
    if let Some(call) = twist.call().map(|call| &tandem_twin::CALLS[call]) {
        let at_call = lines_at(call.file, call.item, call.statements, call.pages, instruction);
        all.splice(0..0, at_call);
    }
    // What those who call a function say, and what no line says of the function itself, is said where it is called.
    let rank = |(id, ..): &(&'static str, u32, u32)| page_rank(id, instruction);
    if *is_told || all.iter().all(|line| rank(line) == FOREIGN) {
        all.extend(lines_of_calls((file, item), instruction, MOST_CALLS));
    }
    all.extend(besides.iter().map(|(page, first, last)| (page.id, *first, *last)));
    if let Some((page, lines)) = erratum_lines(twist) {
        all.extend(lines.into_iter().map(|(first, last)| (page, first, last)));
    }
    // Another instruction's page is no place of this one, unless there is no other.
    let best = all.iter().map(rank).min();
    let mut seen = BTreeSet::new();
    all.retain(|line| (rank(line) < FOREIGN || best == Some(FOREIGN)) && seen.insert(*line));
    all.sort_by_key(|line| (rank(line), !is_of_the_model(line)));
    all
}

/// Whether a line is of the functional model, and not of syntax and encoding, whose statements stand elsewhere.
fn is_of_the_model((id, first, last): &(&'static str, u32, u32)) -> bool {
    let page = tandem_cases::ISAS.iter().flat_map(|isa| isa.pages).find(|page| page.id == *id);
    let statements = page.map_or(&[][..], |page| of_page(page));
    let mut there = statements.iter().filter(|one| one.lines.0 <= *last && *first <= one.lines.1).peekable();
    let is_model =
        |one: &Statement| matches!(&one.place, Place::Transcribed { at, .. } if at.starts_with("reference/"));
    there.peek().is_none() || there.any(is_model)
}

/// The rank of a page that is another instruction's.
const FOREIGN: usize = 3;

/// The pages that some instruction has as its own.
static OWNED: LazyLock<BTreeSet<&str>> = LazyLock::new(|| {
    let all = tandem_cases::ISAS.iter().flat_map(|isa| isa.instructions.iter());
    all.flat_map(|instruction| instruction.pages.map(|page| page.id)).collect()
});

/// How near a page is to an instruction: its own, newest first, one that several share or that its own sends its readers to, or
/// another's.
fn page_rank(id: &str, instruction: &Instruction) -> usize {
    let own = instruction.pages.iter().rev().position(|page| page.id == id);
    own.unwrap_or(if OWNED.contains(id) && !is_named_by(id, instruction) { FOREIGN } else { FOREIGN - 1 })
}

/// Whether a page of an instruction's set is the functional model of it, as its own page names it there.
fn is_named_by(id: &str, instruction: &Instruction) -> bool {
    static NAMED: LazyLock<BTreeSet<(&str, &str)>> = LazyLock::new(|| {
        let pages = || tandem_cases::ISAS.iter().flat_map(|isa| isa.pages);
        let titles: BTreeMap<&str, Vec<&str>> = pages().fold(BTreeMap::new(), |mut all, page| {
            all.entry(page.title.split(' ').next().unwrap_or_default()).or_insert_with(Vec::new).push(page.id);
            all
        });
        let words = |says: &'static str| says.split(|letter: char| !letter.is_ascii_alphanumeric());
        let is_model = |one: &&Statement| matches!(one.place, Place::Transcribed { .. });
        pages()
            .flat_map(|page| of_page(page).iter().filter(is_model).map(move |one| (page.id, &one.says)))
            .flat_map(|(own, says)| words(says).filter_map(|word| titles.get(word)).flatten().map(move |id| (own, *id)))
            .collect()
    });
    let is_of_chip = |of: &str| id.split_once('-').is_none_or(|(chip, _)| of.ends_with(chip));
    is_of_chip(instruction.isa) && instruction.pages.iter().any(|page| NAMED.contains(&(page.id, id)))
}

/// Steps of a case, times what is looked for where nothing simpler explains, beyond which it is not what are many.
const MOST_STEPS: u64 = 600_000_000;

/// Whether a twist is one of those that are many: what a number could be that is given on, and what could count in part alone.
fn is_one_of_many(twist: Twist) -> bool {
    use SiteKind::{Condition, Statement, Value, Variable};
    matches!(site_of(twist).kind, Condition | Statement | Value | Variable)
}

/// Functions from one to the next that calls it.
const MOST_CALLS: usize = 3;

/// The lines on pages of an instruction at which a function is called that an item is; where no such line says so, those at which
/// the functions are called that call it.
fn lines_of_calls((file, item): (&str, &str), instruction: &Instruction, most: usize) -> Vec<(&'static str, u32, u32)> {
    let name = item.rsplit("::").next().unwrap_or_default();
    // Of several functions of one name it is the one of the file, or of one below it, that calls it; what has a name of several words
    // is the same wherever it is.
    let folder = file.trim_end_matches(".rs").trim_end_matches("/mod");
    let is_one = |call: &Call| call.is_only_one || name.contains('_') || call.file.starts_with(folder);
    let is_it = |call: &&Call| call.of == name && is_one(call);
    let calls: Vec<&Call> = tandem_twin::CALLS.iter().filter(is_it).collect();
    let is_own = |(id, ..): &(&str, u32, u32)| instruction.pages.iter().any(|page| page.id == *id);
    let lines = |call: &&Call| lines_at(call.file, call.item, call.statements, call.pages, instruction);
    let own: Vec<_> = calls.iter().flat_map(lines).filter(is_own).collect();
    if !own.is_empty() || most == 0 {
        return own;
    }
    calls.iter().flat_map(|call| lines_of_calls((call.file, call.item), instruction, most - 1)).collect()
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
    let own = all.into_iter().filter(|(page, _)| !has_own || is_own(page.id) || !OWNED.contains(page.id));
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
    let broken = pairs.filter_map(|(&of, &twist)| Some(Broken { twist, company: Company::Back(back(of)?) }));
    broken.collect::<Vec<_>>().into_iter()
}

/// The function that a site is in, without its type.
fn function_of(twist: Twist) -> &'static str {
    site_of(twist).item.rsplit("::").next().unwrap_or_default()
}

/// The text of a site without the number that tells it from others.
fn text_of(twist: Twist) -> &'static str {
    text_of_site(twist.site)
}

fn text_of_site(site: u16) -> &'static str {
    SITES[usize::from(site)].text.split('#').next().unwrap_or_default()
}

/// Lines within which two numbers that are written down may be taken for each other, …
const NEARBY: u32 = 10;
/// … and two operators for those of row and column.
const NEXT: u32 = 2;

/// Two numbers that are written down near each other, each taken for the other.
fn exchanged_numbers(all: &[Twist]) -> impl Iterator<Item = Broken> {
    let number = |&twist: &Twist| {
        let site = site_of(twist);
        let value = site.text.split('#').next().filter(|_| site.kind == SiteKind::Literal).and_then(number_of)?;
        Some((site, value, twist))
    };
    let numbers: Vec<_> = all.iter().filter_map(number).collect();
    let mut by_file: BTreeMap<&str, Vec<&(&Site, i128, Twist)>> = BTreeMap::new();
    numbers.iter().for_each(|number| by_file.entry(number.0.file).or_default().push(number));
    let mut pairs = BTreeMap::new();
    for numbers in by_file.values() {
        for (one, value, twist) in numbers {
            for (other, back, and_back) in numbers {
                let is_pair = twist.site < and_back.site && one.line.abs_diff(other.line) <= NEARBY && value != back;
                if is_pair && twist.number(*value) == *back && and_back.number(*back) == *value {
                    let broken = Broken { twist: *twist, company: Company::Back(*and_back) };
                    pairs.entry((twist.site, and_back.site)).or_insert(broken);
                }
            }
        }
    }
    pairs.into_values()
}

/// The number that is written down as a text.
fn number_of(text: &str) -> Option<i128> {
    let digits = text.replace('_', "");
    match digits.strip_prefix("0x") {
        Some(digits) => i128::from_str_radix(digits, 16).ok(),
        None => digits.split(['u', 'i']).next()?.parse().ok(),
    }
}

/// A rest and a quotient next to each other that are each what the other should be: row and column, exchanged.
fn rows_and_columns(all: &[Twist]) -> impl Iterator<Item = Broken> {
    let part = |&twist: &Twist| match twist.otherwise()? {
        Otherwise::Quotient(size) => Some((site_of(twist), size, true, twist)),
        Otherwise::Rest(size) => Some((site_of(twist), size, false, twist)),
        _ => None,
    };
    let parts: Vec<_> = all.iter().filter_map(part).collect();
    let mut found = Vec::new();
    for (one, size, _, twist) in parts.iter().filter(|(_, _, is_quotient, _)| *is_quotient) {
        for (other, of, _, rest) in parts.iter().filter(|(_, _, is_quotient, _)| !is_quotient) {
            let is_near = one.file == other.file && one.item == other.item && one.line.abs_diff(other.line) <= NEXT;
            if size == of && is_near {
                found.push(Broken { twist: *twist, company: Company::And(*rest) });
            }
        }
    }
    found.into_iter()
}

/// Of a function all fields that are read in the place of others which one letter tells from them, such as those of SrcB for SrcA.
fn throughout(all: &[Twist]) -> impl Iterator<Item = Broken> {
    let mut groups: BTreeMap<_, BTreeMap<u16, Twist>> = BTreeMap::new();
    for &twist in all {
        let Site { file, item, text, kind, members, .. } = site_of(twist);
        if let (SiteKind::Field, Some(Otherwise::Member(member))) = (*kind, twist.otherwise())
            && let Some(own) = text.split(".get(").next().and_then(|path| path.rsplit("::").next())
            && let Some(letters) = letters_apart(own, members[usize::from(member)])
        {
            groups.entry((*file, *item, letters)).or_default().entry(twist.site).or_insert(twist);
        }
    }
    let several = groups.into_values().filter(|group| group.len() > 1);
    several.map(|group| {
        let mut twists = group.into_values();
        let twist = twists.next().expect("there are several");
        Broken { twist, company: Company::Throughout(twists.collect()) }
    })
}

/// The letter that one name has where another one has another letter, and that: the same two wherever they differ, but for digits.
fn letters_apart(one: &str, other: &str) -> Option<(char, char)> {
    let differ = one.chars().zip(other.chars()).filter(|(one, other)| one != other);
    let letters: BTreeSet<(char, char)> =
        differ.filter(|(one, other)| !(one.is_ascii_digit() && other.is_ascii_digit())).collect();
    if one.len() == other.len() && letters.len() == 1 { letters.into_iter().next() } else { None }
}

/// The same done wrong at every place of a function that has one text: a number or a name that is mistaken is so wherever it stands.
fn wherever(all: &[Twist]) -> impl Iterator<Item = Broken> {
    const MOST: usize = 4;
    let mut groups: BTreeMap<_, Vec<Twist>> = BTreeMap::new();
    for &twist in all {
        let Site { file, item, kind, .. } = site_of(twist);
        use SiteKind::{Condition, Constant, Equal, Field, Literal, Named, OneOf, Variable};
        let text = text_of(twist);
        let is_telling = match kind {
            Literal => text.len() > 3,
            Constant | Named | Variable | OneOf | Field | Condition | Equal => true,
            _ => false,
        };
        if is_telling {
            let name = twist::name(twist);
            let wrong = name[twist::site_name(twist).len()..].to_string();
            groups.entry((*file, *item, *kind, text, wrong)).or_default().push(twist);
        }
    }
    let several = groups.into_values().filter(|group| (2..=MOST).contains(&group.len()));
    several.map(|group| Broken { twist: group[0], company: Company::Wherever(group[1..].to_vec()) })
}

/// What a target does that makes this mistake, as a sentence that goes on after "behaves as if".
#[must_use]
fn says(twist: Twist) -> String {
    if let Some(call) = twist.call().map(|call| &tandem_twin::CALLS[call]) {
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
        let beside = |place: u8| text_of_site(site_of(twist).beside[usize::from(place)]);
        let is_turn = |place: u8| SITES[usize::from(site_of(twist).beside[usize::from(place)])].kind == SiteKind::Turn;
        return match otherwise {
            Otherwise::Exchanged if *kind == SiteKind::Sooner => {
                let (first, second) = text.split_once(" before ").unwrap_or((text, ""));
                format!("`{second}` were asked before `{first}`")
            }
            Otherwise::Member(member) if matches!(kind, SiteKind::Moved | SiteKind::Falls) => {
                format!("this held: `{}`", members[usize::from(member)])
            }
            Otherwise::Member(member) => format!("`{}` stood in the place of `{text}`", members[usize::from(member)]),
            Otherwise::Before if *kind == SiteKind::Part => of("stayed as it was"),
            Otherwise::Besides => format!("`{}` came too where `{text}` holds", members[0]),
            Otherwise::Only(place) => format!("`{}` were done although not `{text}`", beside(place)),
            Otherwise::Zeroed(place) => format!("`{}` wrote 0 where not `{text}`", beside(place)),
            Otherwise::Where(place) | Otherwise::WhereNot(place) if is_turn(place) => {
                let half = if matches!(otherwise, Otherwise::Where(_)) { "first" } else { "second" };
                of(&format!("counted only in the {half} half of the turns of `{}`", beside(place)))
            }
            Otherwise::Where(place) => of(&format!("counted only where `{}` holds", beside(place))),
            Otherwise::WhereNot(place) => of(&format!("counted only where `{}` does not hold", beside(place))),
            Otherwise::Both(pair) => {
                let (one, other) =
                    members[member_of_pair(pair, members.len())].split_once(" taken for ").unwrap_or_default();
                format!("`{one}` and `{other}` were taken for each other")
            }
            _ => of(&otherwise.says()),
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
