//! Lanes of the Vector Unit: `LaneConfig[Lane]`, and `LaneEnabled[Lane]`, which decides whether a lane takes part.
//!
//! *Source*: page VectorUnit (commit f7fda211), section Lane Predication Masks; page SFPCONFIG (commits 376743cf and
//! f916ebc3), section `LaneConfig`, which has the same bits on both chips. Blackhole's page of the Vector Unit, at the
//! same commit, defines `IsLaneEnabled` in the same words.

use tandem_isa::tensix::inst::sfpload as fields;
use tandem_isa::tensix::{Chip, SFPCONFIG_BH, SFPCONFIG_NEWEST, Small, Tensix};
use tandem_isa::{Citation, Expectation};

use crate::bits::U;

/// Lanes of the Vector Unit.
// [VECTOR_UNIT 103] A vector has 32 lanes.
pub const LANES: u32 = 32;

/// Bits of `LaneConfig[Lane]`.
pub mod lane_config_bit {
    #![expect(missing_docs, reason = "the names are the page's")]
    pub const ENABLE_FP16A_INF: u32 = 0;
    pub const DISABLE_BACKDOOR_LOAD: u32 = 1;
    pub const ENABLE_DEST_INDEX: u32 = 2;
    pub const CAPTURE_DEFAULT_DEST_INDEX: u32 = 3;
    pub const BLOCK_DEST_WR_FROM_SFPU: u32 = 4;
    pub const BLOCK_SFPU_RD_FROM_DEST: u32 = 5;
    pub const DEST_RD_COL_EXCHANGE: u32 = 6;
    pub const DEST_WR_COL_EXCHANGE: u32 = 7;
    pub const EXCHANGE_SRCB_SRCC: u32 = 8;
    /// The lowest of four bits.
    pub const ROW_MASK: u32 = 12;
}

const BACKDOOR_REASON: &str = "TX-17: a lane whose DISABLE_BACKDOOR_LOAD is clear treats an instruction with VD of 12 \
                               or more as a write of its bits to an InstructionTemplate, which may be all that is done; \
                               the instruction's own page does something else besides";

/// Why nothing is promised of a code with such bits.
pub const UNNAMED_REASON: &str = "TX-34: these bits of the code belong to no field";

/// `LaneConfig[lane]`, for `lane` in `0..32`: the configuration of eight lanes serves all four rows of lanes.
// [SFPSTORE_NEWEST 84-85, 90, TX-21] [SFPSTORE_BH 99-100, 105, TX-21] [SFPLOAD_NEWEST 83, 88, 92, 110, TX-21] [SFPLOAD_BH
// 102, 107, 111, 129, TX-21] The configuration is indexed by the lane, or by the lane modulo 8.
// (`every_instruction_agrees_in_every_mode`)
#[must_use]
pub fn lane_config(small: &Small, lane: u32) -> U<18> {
    U::new(small.lane_config[U::<3>::new(lane & 7).index()])
}

/// `IsLaneEnabled`, for which the pages of the instructions write `LaneEnabled[lane]`; `lane` is in `0..32`.
// [SFPSTORE_NEWEST 86] [SFPSTORE_BH 101] [SFPLOAD_NEWEST 84] [SFPLOAD_BH 103] LaneEnabled of a lane.
// (`a_lane_is_enabled_unless_its_row_is_masked_or_its_flag_is_used_and_clear`)
#[must_use]
pub fn is_lane_enabled(small: &Small, lane: u32) -> bool {
    // [VECTOR_UNIT 134-135] A lane is off if its row of eight is masked in the LaneConfig of its column.
    if lane_config(small, lane & 7).bit(lane_config_bit::ROW_MASK + lane / 8) {
        false
    } else if U::<32>::new(small.use_lane_flags_for_lane_enable).bit(lane) {
        // [VECTOR_UNIT 136-137] If flags are in use, a lane is on if its flag is set.
        U::<32>::new(small.lane_flags).bit(lane)
    } else {
        // [VECTOR_UNIT 138-139] Otherwise it is on.
        true
    }
}

/// Whether the back door of a lane is open to an instruction with this `VD`: by page SFPCONFIG the lane writes a template,
/// and by one reading does nothing else.
// [SFPSTORE_NEWEST 85, TX-17] [SFPSTORE_BH 100, TX-17] [SFPLOAD_NEWEST 81, TX-17] [SFPLOAD_BH 100, TX-17] Of the registers
// from 12 on nothing else is said. (`a_back_door_is_open_from_vd_12_on_where_the_lane_does_not_disable_it`)
#[must_use]
pub fn is_backdoor_open(small: &Small, vd: U<4>, lane: u32) -> bool {
    vd.get() >= 12 && !lane_config(small, lane).bit(lane_config_bit::DISABLE_BACKDOOR_LOAD)
}

/// Whether the back doors of all lanes are open, so that by one reading no lane executes the instruction.
#[must_use]
pub fn is_every_backdoor_open(small: &Small, vd: U<4>) -> bool {
    (0..LANES).all(|lane| is_backdoor_open(small, vd, lane))
}

/// What is promised where the two readings of an open back door leave different states: nothing.
pub fn two_readings_of_the_backdoor(chip: Chip) -> Expectation {
    Expectation::Unspecified(backdoor(chip))
}

fn backdoor(chip: Chip) -> &'static Citation {
    // TX-17: page SFPCONFIG against the pages of the instructions.
    match chip {
        Chip::Wormhole => cite!(SFPCONFIG_NEWEST, "section LaneConfig, bit 1", BACKDOOR_REASON),
        Chip::Blackhole => cite!(SFPCONFIG_BH, "section LaneConfig, bit 1", BACKDOOR_REASON),
    }
}

/// Leaves open what the lanes whose back door is open have as templates afterwards: the bits of this instruction, by page
/// SFPCONFIG, or what they had, by the instruction's own.
pub fn leave_templates_open(chip: Chip, tensix: &mut Tensix<'_>, vd: U<4>) {
    let citation = backdoor(chip);
    for lane in 0..8_u8 {
        // TX-17: neither page says which lanes take the write, those that are off among them.
        if is_backdoor_open(tensix.small, vd, lane.into()) {
            tensix.leave_template_open(vd.index() - 12, lane.into(), citation);
        }
    }
}

/// What is promised of an `SFPLOAD` or an `SFPSTORE` with this `VD` as far as the back door goes: nothing, if no lane shuts
/// it. By one reading no lane then executes the instruction, whose AddrMod belongs to no lane.
///
/// In a single lane whose back door is open neither page moves a datum: `SFPLOAD` writes registers below 8 alone, and
/// `SFPSTORE` asks for the bit itself. So the readings are one if another lane shuts it.
#[must_use]
pub fn backdoor_of_move(chip: Chip, small: &Small, vd: U<4>) -> Option<Expectation> {
    is_every_backdoor_open(small, vd).then(|| two_readings_of_the_backdoor(chip))
}

/// What is promised of an instruction with any of `unnamed`, the bits that belong to no field, set: nothing. `citation`
/// is the place that names the fields.
#[must_use]
pub fn unnamed_bits(code: &[u32], unnamed: u32, citation: &'static Citation) -> Option<Expectation> {
    // TX-34: no page gives these bits a meaning.
    (code[0] & unnamed != 0).then_some(Expectation::Unspecified(citation))
}

/// [`unnamed_bits`] of an `SFPLOAD` or an `SFPSTORE`, whose words have the same fields.
#[must_use]
pub fn unnamed_bits_of_move(chip: Chip, code: &[u32], citation: &'static Citation) -> Option<Expectation> {
    unnamed_bits(code, chip.pick(fields::UNNAMED_BITS, fields::UNNAMED_BITS_BH), citation)
}

#[cfg(test)]
mod tests {
    use tandem_isa::tensix::WORMHOLE;

    use super::*;

    fn base_small() -> Small {
        let mut state = WORMHOLE.base_state();
        *Tensix::new(&mut state).small
    }

    #[test]
    fn a_lane_is_enabled_unless_its_row_is_masked_or_its_flag_is_used_and_clear() {
        for lane in 0..LANES {
            for (masked, used, flag) in (0..8).map(|n| (n & 1 != 0, n & 2 != 0, n & 4 != 0)) {
                // Every other lane says the opposite.
                let word = |set: bool| if set { 1_u32 << lane } else { !(1 << lane) };
                let mut small = base_small();
                for (config, others) in small.lane_config.iter_mut().zip(0_u32..) {
                    let mine = others == lane % 8;
                    let row_bit = 1_u32 << (lane / 8);
                    *config = match (mine, masked) {
                        (true, true) | (false, false) => row_bit,
                        (true, false) | (false, true) => 0xf & !row_bit,
                    } << lane_config_bit::ROW_MASK;
                }
                (small.use_lane_flags_for_lane_enable, small.lane_flags) = (word(used), word(flag));
                assert_eq!(is_lane_enabled(&small, lane), !masked && (!used || flag), "{lane} {masked} {used} {flag}");
            }
        }
    }

    #[test]
    fn a_back_door_is_open_from_vd_12_on_where_the_lane_does_not_disable_it() {
        for vd in 0..16 {
            for pattern in 0..256_u32 {
                let mut small = base_small();
                for (config, lane) in small.lane_config.iter_mut().zip(0..) {
                    *config = (pattern >> lane & 1) << lane_config_bit::DISABLE_BACKDOOR_LOAD;
                }
                for lane in 0..LANES {
                    let open = vd >= 12 && pattern >> (lane % 8) & 1 == 0;
                    assert_eq!(is_backdoor_open(&small, U::new(vd), lane), open, "VD {vd}, {pattern:#x}, lane {lane}");
                }
                for chip in [Chip::Wormhole, Chip::Blackhole] {
                    let refused = backdoor_of_move(chip, &small, U::new(vd)).is_some();
                    assert_eq!(refused, vd >= 12 && pattern == 0, "VD {vd}, {pattern:#x}");
                }
            }
        }
    }
}
