//! What the pages do not promise: the strongest refusal of an instruction, whatever the order in which they are found.

use tandem_isa::{Citation, Expectation};

/// The refusals found so far: of each strength the first one.
#[derive(Clone, Copy, Debug, Default)]
pub struct Refusals {
    illegal: Option<&'static Citation>,
    undefined: Option<&'static Citation>,
    unspecified: Option<&'static Citation>,
}

impl Refusals {
    /// The page forbids `condition`.
    pub fn illegal_if(&mut self, condition: bool, citation: &'static Citation) {
        note(&mut self.illegal, condition, citation);
    }

    /// The page calls `condition` undefined behaviour.
    pub fn undefined_if(&mut self, condition: bool, citation: &'static Citation) {
        note(&mut self.undefined, condition, citation);
    }

    /// No page says what happens under `condition`.
    pub fn unspecified_if(&mut self, condition: bool, citation: &'static Citation) {
        note(&mut self.unspecified, condition, citation);
    }

    /// The strongest refusal: illegal before undefined before unspecified.
    #[must_use]
    pub fn expectation(&self) -> Option<Expectation> {
        let undefined = || self.undefined.map(Expectation::Undefined);
        let unspecified = || self.unspecified.map(Expectation::Unspecified);
        self.illegal.map(Expectation::Illegal).or_else(undefined).or_else(unspecified)
    }
}

fn note(first: &mut Option<&'static Citation>, condition: bool, citation: &'static Citation) {
    if condition && first.is_none() {
        *first = Some(citation);
    }
}

#[cfg(test)]
mod tests {
    use tandem_isa::visa::MOV;

    use super::*;

    static FIRST: &Citation = cite!(MOV, "line 1", "first");
    static SECOND: &Citation = cite!(MOV, "line 2", "second");

    #[test]
    fn the_strongest_counts_and_of_two_as_strong_the_first() {
        let mut refusals = Refusals::default();
        assert_eq!(refusals.expectation(), None);
        refusals.illegal_if(false, FIRST);
        assert_eq!(refusals.expectation(), None);
        refusals.unspecified_if(true, FIRST);
        refusals.unspecified_if(true, SECOND);
        assert_eq!(refusals.expectation(), Some(Expectation::Unspecified(FIRST)));
        refusals.undefined_if(true, SECOND);
        assert_eq!(refusals.expectation(), Some(Expectation::Undefined(SECOND)));
        refusals.illegal_if(true, FIRST);
        refusals.undefined_if(true, FIRST);
        assert_eq!(refusals.expectation(), Some(Expectation::Illegal(FIRST)));
    }
}
