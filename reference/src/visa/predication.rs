//! Which channels an instruction executes: execution mask, mask control and predication.
//!
//! *Source*: page Operands (commit 98fff716), lines 166-230; page Execution Model, lines 107-151; page Header, lines
//! 555-562 (predicate variables); page vISA Assembly Syntax, line 599 (`P0`). *Errata*: VX-19 to VX-22.

use tandem_isa::Citation;
use tandem_isa::visa::operand::{EXEC_MASK, MASK_OFFSETS, NO_MASK, PredicateFields, combine};
use tandem_isa::visa::{EXECUTION_MODEL, HEADER, NUM_PREDICATES, OPERANDS, PredicateVariable, SYNTAX, Small};

use super::operands::{MAX_CHANNELS, index};
use super::refusals::Refusals;

static MASK_NOT_ALIGNED: &Citation = cite!(
    EXECUTION_MODEL,
    "lines 144-145",
    "the offset that the mask control selects must be aligned to the execution size"
);
static MASK_BEYOND_THE_DISPATCH: &Citation = cite!(
    EXECUTION_MODEL,
    "lines 145-146",
    "VX-19: the offset that the mask control selects, plus the execution size, must not go beyond the \
     channels of the dispatch"
);

/// The execution mask control of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskControl {
    /// The first channel of the execution mask, and the first element of the predicate (page Operands, lines 186-188).
    pub offset: usize,
    /// `NM`: the execution mask is ignored.
    pub is_no_mask: bool,
}

impl MaskControl {
    /// *Source*: page Execution Model, lines 122-139.
    ///
    /// VX-20: the table there gives the `NM` controls no offset, but lines 149-151 have them select predicate elements,
    /// as `M1` to `M8` do.
    // [MOV 33-49] Bits 4 to 7 of Exec_size are the execution mask: M1 to M8 by the codes 0 to 7, M1_NM to M8_NM by 8 to
    // 15. (`orthogonal_axes_are_covered_three_ways`)
    // [DPAS 257-274, VX-56] Bits 4 to 7 of Exec_size are the execution mask: M1 to M8 by the codes 0 to 7, M1_NM to
    // M8_NM by 8 to 15. (`vx_56_15_of_16_masks_could_disable_a_channel`)
    #[must_use]
    pub fn of(code: &[u32]) -> Self {
        // [EXECUTION_MODEL 122-139] A table has the codes of M1 to M8, which begin at each fourth channel, and of the
        // same with NoMask.
        let control = EXEC_MASK.get(code);
        MaskControl { offset: index(MASK_OFFSETS[index(control % NO_MASK)]), is_no_mask: control & NO_MASK != 0 }
    }

    /// The rules for the offset (page Execution Model, lines 144-146).
    ///
    /// VX-19: the page prints "greater than or equal" for the second, by which no instruction could have all channels.
    /// Both hold for the `NM` controls too, whose offset selects predicate elements.
    pub fn check(self, exec_size: usize, dispatch_size: usize, refusals: &mut Refusals) {
        refusals.illegal_if(!self.offset.is_multiple_of(exec_size), MASK_NOT_ALIGNED);
        refusals.illegal_if(self.offset + exec_size > dispatch_size, MASK_BEYOND_THE_DISPATCH);
    }
}

/// How the elements of a controlling predicate are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combine {
    /// Each channel has its element.
    Sequential,
    /// All channels have whether any element is 1.
    Any,
    /// All channels have whether all elements are 1.
    All,
}

/// A predicate variable and its control.
#[derive(Clone, Copy, Debug)]
pub struct PredControl {
    /// The variable.
    pub variable: PredicateVariable,
    /// How its elements are combined.
    pub combine: Combine,
    /// Whether the outcome of that is inverted.
    pub is_inverted: bool,
}

impl PredControl {
    /// The predication control of an instruction; nothing if there is no predication, or none that can be performed.
    /// *Source*: page Operands, lines 170-182.
    // [MOV 50] Pred is a word, the predication control. (`orthogonal_axes_are_covered_three_ways`)
    pub fn of(fields: &PredicateFields, code: &[u32], small: &Small, refusals: &mut Refusals) -> Option<Self> {
        // [OPERANDS 182] A predicate control names a variable, …
        let id = fields.id.get(code);
        // [OPERANDS 175-176] … and has a bit that inverts each bit of it.
        let is_inverted = fields.inverse.get(code) != 0;
        let reserved = fields.reserved.get(code);
        refusals.unspecified_if(reserved != 0, cite!(OPERANDS, "line 181", "VX-21: bit 12 of a predication control is reserved and must be 0; nothing says what it does if it is set"));
        // [OPERANDS 177-180] The bits are taken one by one, or all become one if any is, or if all are.
        let combine = match fields.combine.get(code) {
            combine::SEQUENTIAL => Combine::Sequential,
            combine::ANY => Combine::Any,
            combine::ALL => Combine::All,
            _ => {
                refusals.unspecified_if(
                    true,
                    cite!(
                        OPERANDS,
                        "line 180",
                        "VX-21: 11b of the predicate combine is reserved; nothing says what it does"
                    ),
                );
                return None;
            }
        };
        // [SYNTAX 599] P0 says that there is no predicate.
        if id == 0 {
            // VX-21: P0 with a control that is not 0.
            refusals.unspecified_if(is_inverted || combine != Combine::Sequential, cite!(SYNTAX, "line 599, and page Operands, line 209", "VX-21: P0 stands for no predication, but the control is then only said to be without effect if all of it is 0; nothing says what combining or inverting no predicate means"));
            return None;
        }
        let variable = predicate_variable(id, small, refusals)?;
        Some(PredControl { variable, combine, is_inverted })
    }

    /// Whether the elements that the instruction selects are there.
    pub fn check(&self, mask_control: MaskControl, exec_size: usize, refusals: &mut Refusals) {
        refusals.undefined_if(mask_control.offset + exec_size > num_elements(&self.variable), cite!(OPERANDS, "lines 69 and 186-188", "VX-22: the mask control and the execution size select elements that the predicate variable does not have, and an access to an out-of-bound element is undefined"));
    }
}

/// The predicate variable `P<id>`, which is not `P0`. Choice: one that is not declared is unspecified (no erratum).
pub fn predicate_variable(id: u32, small: &Small, refusals: &mut Refusals) -> Option<PredicateVariable> {
    // [OPERANDS 182] A predicate variable has a number of up to twelve bits.
    let place = index(id).checked_sub(1).filter(|&place| place < NUM_PREDICATES);
    refusals.unspecified_if(
        place.is_none(),
        cite!(HEADER, "lines 534-560", "the predicate variable is not declared; nothing says what it holds"),
    );
    place.map(|place| small.predicates[place])
}

/// How many elements a predicate variable has. *Source*: page Header, lines 555-556.
#[must_use]
pub fn num_elements(variable: &PredicateVariable) -> usize {
    // [HEADER 555-556] It has 1, 2, 4, 8, 16 or 32 elements.
    1 << variable.log2_num_elements
}

/// A truth value for each channel, that of channel `n` in bit `n`.
pub type Channels = u32;

/// The channels that are enabled. *Source*: `EvaluateChEn`, page Operands, lines 194-230.
// [MOV 16] A channel takes part only where ChEn has it enabled. (`mov_under_a_mask_is_lane_by_lane`)
#[must_use]
pub fn evaluate_ch_en(
    mask_control: MaskControl,
    exec_size: usize,
    em: u32,
    pred_control: Option<&PredControl>,
) -> Channels {
    // The channels from the execution size on stay disabled.
    // [OPERANDS 227-229] Channels from the execution size on are disabled.
    let all_channels = Channels::MAX >> (MAX_CHANNELS - exec_size);
    // [OPERANDS 199] With NoMask …
    let ch_en = if mask_control.is_no_mask {
        // [OPERANDS 200-202] … all the others are enabled.
        all_channels
    } else {
        // [OPERANDS 205-207] Without it they are as the execution mask says, from the mask control's offset on.
        em >> mask_control.offset & all_channels
    };
    // [OPERANDS 209] Then a predicate counts, if there is one.
    let Some(pred_control) = pred_control else {
        return ch_en;
    };
    // [OPERANDS 211-213] Its bits are taken from the mask control's offset on.
    let first = mask_control.offset;
    let first = reads!(first, "nm-predicate-offset-ignored", if mask_control.is_no_mask { 0 } else { first });
    let p_mask = pred_control.variable.value >> first & all_channels;
    // [OPERANDS 214, 217] Each channel has its bit.
    let p_mask = match pred_control.combine {
        Combine::Sequential => p_mask,
        Combine::Any => {
            // [OPERANDS 215] With any, all channels are enabled if one of these bits is set.
            if p_mask != 0 { all_channels } else { 0 }
        }
        Combine::All => {
            // [OPERANDS 218] With all, they are if each of these bits is set.
            if p_mask == all_channels { all_channels } else { 0 }
        }
    };
    // [OPERANDS 220-222] An inverse comes after that.
    let p_mask = if pred_control.is_inverted { !p_mask } else { p_mask };
    // [OPERANDS 223-225] A channel is enabled if both say so.
    ch_en & p_mask
}

#[cfg(test)]
mod tests {
    use super::*;

    fn channels(ch_en: Channels) -> Vec<usize> {
        (0..MAX_CHANNELS).filter(|channel| ch_en >> channel & 1 != 0).collect()
    }

    const M1: MaskControl = MaskControl { offset: 0, is_no_mask: false };
    const M3: MaskControl = MaskControl { offset: 8, is_no_mask: false };
    const M3_NM: MaskControl = MaskControl { offset: 8, is_no_mask: true };

    fn pred(value: u32, combine: Combine, is_inverted: bool) -> PredControl {
        PredControl { variable: PredicateVariable { value, log2_num_elements: 5 }, combine, is_inverted }
    }

    #[test]
    fn the_execution_mask_is_looked_at_from_the_offset_on() {
        assert_eq!(channels(evaluate_ch_en(M1, 4, 0xffff_ff0a, None)), [1, 3]);
        assert_eq!(channels(evaluate_ch_en(M3, 8, 0x0000_81ff, None)), [0, 7]);
        assert_eq!(channels(evaluate_ch_en(M3_NM, 8, 0, None)), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(channels(evaluate_ch_en(M1, 32, u32::MAX, None)).len(), 32);
    }

    #[test]
    fn predicates_of_four_channels_and_every_value() {
        for (mask_control, em, offset) in [(M1, 0b0110, 0), (M3, 0b1011 << 8, 8), (M3_NM, 0, 8)] {
            for value in 0..16_u32 {
                // The elements outside of the selected ones are all 1, or all 0; they do not count.
                for around in [0, !(15 << offset)] {
                    let em_bits = if mask_control.is_no_mask { 15 } else { em >> offset & 15 };
                    for (combine, p_mask) in [
                        (Combine::Sequential, value),
                        (Combine::Any, if value == 0 { 0 } else { 15 }),
                        (Combine::All, if value == 15 { 15 } else { 0 }),
                    ] {
                        for (is_inverted, p_mask) in [(false, p_mask), (true, p_mask ^ 15)] {
                            let control = pred(value << offset | around, combine, is_inverted);
                            let ch_en = evaluate_ch_en(mask_control, 4, em, Some(&control));
                            assert_eq!(ch_en, em_bits & p_mask, "{mask_control:?} {control:?}");
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_offset_is_aligned_and_ends_with_the_dispatch() {
        let check = |offset, exec_size, dispatch_size| {
            let mut refusals = Refusals::default();
            MaskControl { offset, is_no_mask: false }.check(exec_size, dispatch_size, &mut refusals);
            refusals.expectation().and_then(tandem_isa::Expectation::citation)
        };
        assert_eq!(check(0, 32, 32), None);
        assert_eq!(check(28, 4, 32), None);
        assert_eq!(check(4, 8, 32), Some(MASK_NOT_ALIGNED));
        assert_eq!(check(8, 8, 8), Some(MASK_BEYOND_THE_DISPATCH));
        assert_eq!(check(0, 16, 8), Some(MASK_BEYOND_THE_DISPATCH));
        assert_eq!(check(28, 1, 32), None);
    }
}
