//! Families: all are moved away from home at once, and those that have the case refused are found by halving.

use std::collections::BTreeSet;

use tandem_isa::{Field, Noise, mix64};

use super::{Learner, is_refusal};
use crate::bench::Reply;
use crate::case::Question;
use crate::terms::{Atom, Family, FamilyKind, Lens, Member, Rule, Test};

/// Times that all families are moved away from home: often enough that each field of at most six bits has each value.
const VARIANTS: u32 = 64;
/// Times that the instances of all families are made different.
const DIFFERENCES: u32 = 4;
/// The most instances that are asked whether one of them alone is refused.
const MOST_INSTANCES: usize = 32;
/// The fewest rules that one about a group takes the place of.
const OF_GROUP: usize = 3;

impl Learner<'_> {
    /// Rules over families, from home. What comes back are the fields that have to be asked one by one.
    pub(super) fn learn_families(&mut self, home: &Question) -> BTreeSet<usize> {
        let (families, fields) = (self.view.families, (self.view.isa.layout.fields)());
        let is_part = |family: &Family| matches!(family.kind, FamilyKind::Word | FamilyKind::Unnamed);
        let mut quiet: Vec<usize> = (0..families.len()).filter(|&place| is_part(&families[place])).collect();
        let in_families: BTreeSet<usize> = quiet.iter().flat_map(|&place| families[place].fields()).collect();
        let mut alone: BTreeSet<usize> = (0..fields.len()).filter(|place| !in_families.contains(place)).collect();
        for variant in 0..VARIANTS {
            let away = |place: usize, small: &mut [u8]| moved(&families[place], fields, small, variant);
            let [refused, unpromised] = self.culprits(home, &quiet, &away);
            quiet.retain(|place| !refused.contains(place) && !unpromised.contains(place));
            // Where the pages promise nothing of a whole family they may do so of its fields.
            alone.extend(unpromised.into_iter().flat_map(|place| families[place].fields()));
            for place in refused {
                alone.extend(self.learn_family(place, home));
            }
        }
        self.learn_differing(home);
        alone
    }

    /// A case with whole families at their base values, about half of them: more of a case than its cell may have to be there,
    /// and less than is drawn.
    pub(super) fn with_families_at_base(&self, question: &Question) -> Question {
        let (families, fields) = (self.view.families, (self.view.isa.layout.fields)());
        let cell = |question: &Question| self.look(question, |parts| self.view.cells.classify(parts));
        let (wanted, mut quieter, mut noise) = (cell(question), question.clone(), Noise::new(question.key));
        for family in families.iter().filter(|family| family.kind == FamilyKind::Word) {
            let before = quieter.case.small.clone();
            let is_chosen = noise.half() & 1 == 0;
            if is_chosen && !(family.put_any(fields, &mut quieter.case.small, 0) && cell(&quieter) == wanted) {
                quieter.case.small = before;
            }
        }
        self.pinned(quieter)
    }

    /// Which of some families have the case at home refused when they alone are moved away, and of which the pages then
    /// promise nothing.
    fn culprits(&mut self, home: &Question, families: &[usize], away: &dyn Fn(usize, &mut [u8])) -> [Vec<usize>; 2] {
        let mut found = [Vec::new(), Vec::new()];
        let mut open: Vec<Vec<usize>> = vec![families.to_vec()];
        while !open.is_empty() && !self.over() {
            let mut cases: Vec<(Vec<usize>, Question)> = Vec::new();
            let mut next = Vec::new();
            for some in std::mem::take(&mut open) {
                let mut question = Question { key: self.key(), ..home.clone() };
                some.iter().for_each(|&place| away(place, &mut question.case.small));
                let question = self.pinned(question);
                // What a rule explains already hides what else there is.
                if !self.is_explained(&question) {
                    cases.push((some, question));
                } else if some.len() > 1 {
                    next.extend(some.chunks(some.len().div_ceil(2)).map(<[usize]>::to_vec));
                }
            }
            let replies = self.ask(cases.iter().map(|(_, question)| question.clone()).collect());
            for ((some, _), reply) in cases.into_iter().zip(replies) {
                match (&some[..], reply) {
                    ([], _) | (_, Reply::Answered) => {}
                    (&[one], Reply::Refused(_)) => found[0].push(one),
                    (&[one], Reply::Unpromised | Reply::Misbehaved) => found[1].push(one),
                    (some, _) => next.extend(some.chunks(some.len().div_ceil(2)).map(<[usize]>::to_vec)),
                }
            }
            open = next;
        }
        found
    }

    /// A rule about a family that has the case at home refused, or else the fields that have to be asked one by one.
    fn learn_family(&mut self, place: usize, home: &Question) -> Vec<usize> {
        let family = &self.view.families[place];
        if family.is_one_field() || self.over() {
            return family.fields().collect();
        }
        let bits = self.bits_refused(Lens::Any(place), home);
        let asked = bits.unwrap_or_else(|| family.bits());
        let refused = self.refused_alone(family, home, asked);
        if let Some(bits) = bits.filter(|_| refused.iter().all(|&refused| refused)) {
            let (lens, test) = self.smallest(place, bits);
            let reason = self.said.take();
            self.add(Rule { all: vec![Atom { lens, test }], data: None, reason });
            return Vec::new();
        }
        if family.is_of_flags() || !refused.contains(&true) {
            return family.fields().collect();
        }
        // What is in force may be known by a number of the instruction; the other instances are answered.
        let of = |(instance, &is_refused): (usize, &bool)| {
            family.members.iter().filter(move |_| is_refused).map(move |member| member.fields[instance])
        };
        let places = refused.iter().enumerate().flat_map(of).collect();
        // Each name may have a rule of its own, where they have no common one.
        self.learn_names(family, home, places)
    }

    /// Rules about what the members of a word have; the fields of which none says enough.
    fn learn_names(&mut self, family: &Family, home: &Question, places: Vec<usize>) -> Vec<usize> {
        let families = self.view.families;
        let mut known: Vec<usize> = Vec::new();
        for member in family.members.iter().filter(|member| member.fields.len() > 1) {
            let named = families.iter().position(|one| {
                one.kind == FamilyKind::Name && one.members[0].fields == member.fields && family.members.len() > 1
            });
            let Some(named) = named else { continue };
            let Some(bits) = self.bits_refused(Lens::Any(named), home) else { continue };
            let reason = self.said.take();
            if self.refused_alone(&families[named], home, bits).iter().all(|&refused| refused) {
                let (lens, test) = self.smallest(named, bits);
                self.add(Rule { all: vec![Atom { lens, test }], data: None, reason });
                known.extend(&member.fields);
            }
        }
        places.into_iter().filter(|place| !known.contains(place)).collect()
    }

    /// The bits of a family any one of which has the case refused, if that is all that there is to say.
    fn bits_refused(&mut self, lens: Lens, home: &Question) -> Option<u32> {
        let all = self.view.largest(lens);
        match &self.profile(lens, home, true)[..] {
            [Test::Bits(bits)] => Some(*bits),
            [Test::Not(0)] => Some(all),
            [Test::In(values)] if *values == [1] && all == 1 => Some(1),
            _ => None,
        }
    }

    /// For each instance, whether it alone has the case refused with these bits.
    fn refused_alone(&mut self, family: &Family, home: &Question, bits: u32) -> Vec<bool> {
        let fields = (self.view.isa.layout.fields)();
        let count = family.instances();
        let step = if family.is_of_flags() { count.div_ceil(MOST_INSTANCES) } else { 1 };
        let mut questions = Vec::new();
        for instance in (0..count).step_by(step) {
            let mut question = Question { key: self.key(), ..home.clone() };
            family.put_alone(fields, &mut question.case.small, instance, bits);
            questions.push(self.pinned(question));
        }
        self.ask(questions).iter().map(is_refusal).collect()
    }

    /// The smallest family that has some bits of a family, or the field, and the test that one of the bits is set.
    fn smallest(&self, place: usize, bits: u32) -> (Lens, Test) {
        let (families, fields) = (self.view.families, (self.view.isa.layout.fields)());
        let family = &families[place];
        let test = |bits: u32, all: u32| match all {
            1 => Test::In(vec![1]),
            _ if bits == all => Test::Not(0),
            _ => Test::Bits(bits),
        };
        let whole = (Lens::Any(place), test(bits, family.bits()));
        let one = family.members.iter().find(|member| bits & !member.bits() == 0).filter(|_| !family.is_of_flags());
        let Some(member) = one else { return whole };
        let (bits, all) = (bits >> member.bits().trailing_zeros(), member.bits() >> member.bits().trailing_zeros());
        if let [only] = member.fields[..] {
            return if fields[only].base == 0 { (Lens::Field(only), test(bits, all)) } else { whole };
        }
        let named = families.iter().position(|one| {
            one.kind == FamilyKind::Name && one.members.len() == 1 && one.members[0].fields == member.fields
        });
        named.map_or(whole, |place| (Lens::Any(place), test(bits, all)))
    }

    /// The bits of a family that no rule refuses wherever they are set.
    fn free_bits(&self, family: &Family) -> u32 {
        let refused = self.rules.iter().fold(0, |refused, rule| {
            let [Atom { lens: Lens::Any(place), test }] = &rule.all[..] else { return refused };
            let (bits, other) = (bits_of(test, &self.view.families[*place]), &self.view.families[*place]);
            other.members.iter().fold(refused, |refused, member| {
                let here = family.members.iter().find(|own| own.fields == member.fields);
                let bits = (bits & member.bits()) >> member.bits().trailing_zeros();
                refused | here.map_or(0, |own| bits << own.bits().trailing_zeros())
            })
        });
        family.bits() & !refused
    }

    /// Rules that instances of a family are not to differ, where each of them may have any value.
    fn learn_differing(&mut self, home: &Question) {
        let (families, fields) = (self.view.families, (self.view.isa.layout.fields)());
        let words = families.iter().enumerate();
        let words = words.filter(|(_, family)| family.kind == FamilyKind::Word && family.has_instances());
        let quiet = words.map(|(place, family)| (place, self.free_bits(family)));
        let mut quiet: Vec<(usize, u32)> = quiet.filter(|&(_, bits)| bits != 0).collect();
        for variant in 0..DIFFERENCES {
            let places: Vec<usize> = quiet.iter().map(|&(place, _)| place).collect();
            let away = |place: usize, small: &mut [u8]| {
                let bits = quiet.iter().find(|(known, _)| *known == place).map_or(0, |&(_, bits)| bits);
                let some = if variant == 0 { u32::MAX } else { mix64(u64::from(variant)) as u32 };
                families[place].put_differing(fields, small, bits & some);
            };
            let [refused, unpromised] = self.culprits(home, &places, &away);
            quiet.retain(|(place, _)| !refused.contains(place) && !unpromised.contains(place));
            for place in refused {
                self.learn_difference(place, home);
            }
        }
    }

    /// The rule that instances of a family are not to differ, if each instance alone has the case refused and all together
    /// do not.
    fn learn_difference(&mut self, place: usize, home: &Question) {
        let (family, fields) = (&self.view.families[place], (self.view.isa.layout.fields)());
        let lens = Lens::Differ(place);
        let Some(bits) = self.bits_refused(lens, home) else { return };
        let reason = self.said.take();
        let free = self.free_bits(family);
        let mut alike = Question { key: self.key(), ..home.clone() };
        family.put_all(fields, &mut alike.case.small, bits & free);
        let alike = self.pinned(alike);
        let is_so = self.ask_one(alike) == Reply::Answered
            && self.refused_alone(family, home, bits & free).iter().all(|&refused| refused);
        if is_so {
            // What is refused wherever it is set says nothing about differences.
            let test = if free & !bits == 0 { Test::Not(0) } else { Test::Bits(bits) };
            self.add(Rule { all: vec![Atom { lens, test }], data: None, reason });
        }
    }

    /// One rule in the place of several that say of all that some fields have that it is refused, for the same reason.
    pub(super) fn join_groups(&mut self) {
        let families = self.view.families;
        loop {
            let groups = families.iter().enumerate().filter(|(_, family)| family.kind == FamilyKind::Group);
            let joined = groups.filter_map(|(place, group)| self.in_group(place, group));
            let Some((rule, replaced)) = joined.max_by_key(|(_, replaced)| replaced.len()) else { return };
            let mut number = 0..;
            self.rules.retain(|_| number.next().is_none_or(|number| !replaced.contains(&number)));
            self.rules.push(rule);
        }
    }

    /// The rule about a group that some rules are together, and which rules these are.
    fn in_group(&self, place: usize, group: &Family) -> Option<(Rule, Vec<usize>)> {
        let mut best: Option<(Rule, Vec<usize>)> = None;
        if group.members.len() > 32 {
            return None;
        }
        for first in &self.rules {
            let (mut bits, mut replaced) = (0, Vec::new());
            for (number, rule) in self.rules.iter().enumerate().filter(|(_, rule)| rule.reason == first.reason) {
                if let Some(own) = self.flags_of(rule, group) {
                    bits |= own;
                    replaced.push(number);
                }
            }
            if replaced.len() >= OF_GROUP && best.as_ref().is_none_or(|(_, most)| replaced.len() > most.len()) {
                let test = if bits == group.bits() { Test::Not(0) } else { Test::Bits(bits) };
                let all = vec![Atom { lens: Lens::Any(place), test }];
                best = Some((Rule { all, data: None, reason: first.reason.clone() }, replaced));
            }
        }
        best
    }

    /// The members of a group of which a rule refuses all that is not at its base value, and nothing else.
    fn flags_of(&self, rule: &Rule, group: &Family) -> Option<u32> {
        let [Atom { lens: Lens::Any(place), test }] = &rule.all[..] else { return None };
        let family = &self.view.families[*place];
        let is_whole = rule.data.is_none() && !family.is_of_flags() && bits_of(test, family) == family.bits();
        let members = family
            .members
            .iter()
            .map(|member| group.members.iter().find(|own| own.fields == member.fields).map(Member::bits));
        let members = members.collect::<Option<Vec<u32>>>().filter(|_| is_whole)?;
        Some(members.into_iter().fold(0, |all, bits| all | bits))
    }
}

/// The bits one of which a test asks for.
fn bits_of(test: &Test, family: &Family) -> u32 {
    match test {
        Test::Bits(bits) => *bits,
        Test::Not(0) => family.bits(),
        Test::In(values) if values == &[1] && family.bits() == 1 => 1,
        Test::In(_) | Test::AtLeast(_) | Test::Not(_) => 0,
    }
}

/// Gives all instances of a family a value that they do not have at home: all ones first, then each value of its narrow
/// fields.
fn moved(family: &Family, fields: &[Field], small: &mut [u8], variant: u32) {
    let value = family.members.iter().enumerate().fold(0, |value, (number, member)| {
        let (bits, shift) = (member.bits(), member.bits().trailing_zeros());
        let odd = 2 * u32::try_from(number).expect("a word has few fields") + 1;
        let step = if bits >> shift < 64 { variant.wrapping_mul(odd) } else { mix64(u64::from(variant)) as u32 };
        let step = if variant == 0 { 0 } else { step };
        value | ((bits >> shift).wrapping_sub(step) << shift) & bits
    });
    family.put_all(fields, small, if family.is_of_flags() { family.bits() } else { value });
}
