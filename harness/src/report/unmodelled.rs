//! What is in no state although it stands beside what is: bits without a field, and what a text names.
//!
//! A field may have a hardware address: a space, and a word of it. The words of a space from the first to the last that has
//! a field are its modelled stretch. Every bit there that no field has is in no state, and so no case holds it.

use std::collections::BTreeMap;
use std::fmt::Write;

use tandem_isa::{Layout, Machine, Unmodelled};

use super::text::{code, own, runs};

/// Bits of words that follow one another, which no field has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The space.
    pub space: &'static str,
    /// The first word.
    pub first: u32,
    /// The last word.
    pub last: u32,
    /// Which bits of each word.
    pub bits: u32,
    /// Whether these are all bits of a word.
    pub whole: bool,
}

/// The bits of the modelled stretches that no field has, by space and word.
#[must_use]
pub fn bits_without_field(layout: &Layout) -> Vec<Stretch> {
    // Of each word the bits that it has and those that are named.
    let mut words: BTreeMap<&'static str, (u32, BTreeMap<u32, u32>)> = BTreeMap::new();
    for field in (layout.fields)() {
        let Some((space, word)) = field.address else { continue };
        let (width, named) = words.entry(space).or_default();
        *width = u32::try_from(field.word.bytes() * 8).expect("a word has few bits").max(*width);
        *named.entry(word).or_default() |= ones(field.width) << field.shift;
    }
    let mut stretches: Vec<Stretch> = Vec::new();
    for (space, (width, named)) in words {
        let last = *named.keys().next_back().expect("a field put the space there");
        for word in 0..=last {
            let bits = ones(width) & !named.get(&word).copied().unwrap_or(0);
            match stretches.last_mut() {
                _ if bits == 0 => {}
                Some(stretch) if (stretch.space, stretch.last + 1, stretch.bits) == (space, word, bits) => {
                    stretch.last = word;
                }
                _ => stretches.push(Stretch { space, first: word, last: word, bits, whole: bits == ones(width) }),
            }
        }
    }
    stretches
}

/// The section of a report; nothing if all is modelled.
#[must_use]
pub(super) fn section(machine: &Machine) -> String {
    let stretches = bits_without_field(machine.layout);
    if stretches.is_empty() && machine.unmodelled.is_empty() {
        return String::new();
    }
    let mut text =
        "\n## Not modelled\n\nWhat stands beside the state. No case holds it, so agreement says nothing about it, \
                    and whoever runs cases on a machine has to choose what it holds there.\n\n"
            .to_string();
    for Unmodelled { name, place, text: said } in machine.unmodelled {
        let place = place.map_or(String::new(), |place| {
            format!(" ({} of {})", bits(place.bits), words(place.space, place.first, place.last))
        });
        let _ = writeln!(text, "- {}{place}: {}", code(name), own(said));
    }
    let mut space = "";
    for stretch in &stretches {
        if stretch.space != space {
            space = stretch.space;
            let _ = writeln!(text, "- bits of {} that no field has, those with a name above among them:", code(space));
        }
        let which = if stretch.whole { "all bits".to_string() } else { bits(stretch.bits) };
        let _ = writeln!(text, "  - {}: {which}", words("", stretch.first, stretch.last));
    }
    text
}

fn words(space: &str, first: u32, last: u32) -> String {
    let space = if space.is_empty() { String::new() } else { format!("{} ", code(space)) };
    if first == last { format!("{space}word {first}") } else { format!("{space}words {first} to {last}") }
}

/// In words: `bit 3`, `bits 0, 2 and 12 to 15`.
fn bits(mask: u32) -> String {
    let said = runs((0..32).filter(|bit| mask >> bit & 1 != 0), " to ");
    let plural = if mask.is_power_of_two() { "bit" } else { "bits" };
    match &said[..] {
        [rest @ .., last] if !rest.is_empty() => format!("{plural} {} and {last}", rest.join(", ")),
        said => format!("{plural} {}", said.concat()),
    }
}

const fn ones(width: u32) -> u32 {
    if width >= 32 { u32::MAX } else { (1 << width) - 1 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_said_in_runs() {
        for (mask, said) in
            [(1 << 3, "bit 3"), (0b11, "bits 0 to 1"), (0xf005, "bits 0, 2 and 12 to 15"), (0x21, "bits 0 and 5")]
        {
            assert_eq!(bits(mask), said);
        }
    }
}
