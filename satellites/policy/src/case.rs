//! A case as conditions see it: numbers, read from code word and small state.

use tandem_isa::State;

/// A case before it is executed.
pub(super) struct Case<'a> {
    pub code: &'a [u32],
    pub small: &'a [u8],
    pub state: &'a State,
    /// Which instance of each index a place has to add; see [`Index`].
    instances: [usize; Index::ALL],
}

/// What chooses an instance of a field. A place without one has stride 0 and any index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Index {
    /// `[thread]`: the current thread.
    Thread,
    /// `[state]`: the bank of configuration of the current thread.
    State,
    /// The section of AddrMod that is in force.
    Section,
}

impl Index {
    const ALL: usize = 3;
}

/// Where a field of the small state lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// The byte of its word, in the first instance.
    pub byte: usize,
    /// Whether the word has 16 bits; else it has 32.
    pub is_short: bool,
    pub shift: u32,
    /// Its bits, after the shift.
    pub mask: u32,
    /// Bytes from one instance to the next, by [`Index`].
    pub strides: [usize; Index::ALL],
}

impl Place {
    /// The word and the bits in it, for places of one instance only.
    pub fn fixed(&self) -> Option<(usize, u32)> {
        let low = 8 * u32::try_from(self.byte % 4).expect("below 4");
        (self.strides == [0; Index::ALL]).then(|| (self.byte & !3, self.mask << (self.shift + low)))
    }

    /// Bytes from one instance to the next.
    pub fn stride_mut(&mut self, index: Index) -> &mut usize {
        &mut self.strides[index as usize]
    }

    #[inline]
    fn get(&self, small: &[u8], instances: &[usize; Index::ALL]) -> u32 {
        let [thread, state, section] = self.strides;
        let at = self.byte + thread * instances[0] + state * instances[1] + section * instances[2];
        let word =
            if self.is_short { u32::from(u16::from_le_bytes([small[at], small[at + 1]])) } else { word_at(small, at) };
        (word >> self.shift) & self.mask
    }
}

/// The 32-bit word at a byte of the small state.
#[inline]
pub(super) fn word_at(small: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(*small[at..].first_chunk().expect("words lie in the small state"))
}

/// Where the section of AddrMod comes from.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub thread: Place,
    pub state: Place,
    /// The field of the code word: its shift and its bits after the shift. Without it there are no sections.
    pub addr_mod: Option<(u32, u32)>,
    /// The fields that choose the upper half of the sections, on chips that have halves.
    pub upper: Vec<Place>,
}

impl<'a> Case<'a> {
    #[inline]
    pub fn new(section: Option<&Section>, code: &'a [u32], state: &'a State) -> Self {
        let small: &[u8] = &state.small;
        let mut instances = [0; Index::ALL];
        if let Some(section) = section {
            let mut set = |index: Index, value: u32| instances[index as usize] = value as usize;
            set(Index::Thread, section.thread.get(small, &[0; Index::ALL]).min(2));
            let thread = instances;
            instances[Index::State as usize] = section.state.get(small, &thread) as usize;
            if let Some((shift, mask)) = section.addr_mod {
                let upper = section.upper.iter().any(|place| place.get(small, &thread) != 0);
                instances[Index::Section as usize] = (code[0] >> shift & mask) as usize + 4 * usize::from(upper);
            }
        }
        Case { code, small, state, instances }
    }
}

/// A number that a case has.
#[derive(Clone, Debug)]
pub(super) enum Number {
    /// A field of the code word.
    Code { word: usize, shift: u32, mask: u32 },
    /// A field of the small state.
    Small(Place),
    /// A sum, of which the bits in `mask` count.
    Sum { terms: Vec<Number>, mask: u32 },
    /// The first of these whose first number is not 0 decides: its second is the value. The last one is not asked.
    Choice { ways: Vec<(Number, Number)>, last: Box<Number> },
    /// One of these, by the value of a number; [`NONE`] beyond.
    Among { by: Box<Number>, first: u32, numbers: Vec<Number> },
    /// Always the same.
    Always(u32),
}

/// The value of a number that a case does not have.
pub(super) const NONE: u32 = u32::MAX;

impl Number {
    #[inline]
    pub fn get(&self, case: &Case<'_>) -> u32 {
        match self {
            Number::Code { word, shift, mask } => (case.code[*word] >> shift) & mask,
            Number::Small(place) => place.get(case.small, &case.instances),
            other => other.get_compound(case),
        }
    }

    fn get_compound(&self, case: &Case<'_>) -> u32 {
        match self {
            Number::Code { .. } | Number::Small(_) => self.get(case),
            Number::Sum { terms, mask } => terms.iter().fold(0u32, |sum, term| sum.wrapping_add(term.get(case))) & mask,
            Number::Choice { ways, last } => {
                let way = ways.iter().find(|(asked, _)| asked.get(case) != 0);
                way.map_or(&**last, |(_, value)| value).get(case)
            }
            Number::Among { by, first, numbers } => {
                let chosen = by.get(case).wrapping_sub(*first) as usize;
                numbers.get(chosen).map_or(NONE, |number| number.get(case))
            }
            Number::Always(value) => *value,
        }
    }
}
