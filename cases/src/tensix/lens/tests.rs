//! Laws of lenses and of partitions.

use std::mem::offset_of;

use proptest::prelude::*;
use tandem_isa::tensix::inst::{mova2d, sfpload, vector};
use tandem_isa::{AlignedBytes, SaltPlan};

use super::*;

const fn section(chip: Chip, fields: &'static [ThreadConfigField]) -> Lens {
    Lens::Section(AddrMod { field: chip.pick(sfpload::ADDR_MOD, sfpload::ADDR_MOD_BH), chip }, fields)
}

/// A lens of each kind, and more where a kind has more to get wrong.
const LENSES: [Lens; 14] = [
    Lens::Code(vector::VD),
    Lens::Code(vector::IMM12),
    Lens::Code(mova2d::SRC_ROW),
    Lens::CodeBits(0x00f0_0c01),
    Lens::Config(config::ALU_ACC_CTRL_Fp32_enabled),
    Lens::Config(config::ALU_FORMAT_SPEC_REG0_SrcA),
    Lens::Thread(config::CFG_STATE_ID_StateID),
    Lens::Thread(config::DEST_TARGET_REG_CFG_MATH_Offset),
    section(Chip::Wormhole, &[config::DestCR, config::DestCToCR, config::DestClear]),
    section(Chip::Blackhole, &[config::SrcAIncr, config::SrcACR]),
    Lens::rwc(offset_of!(Rwc, extra_addr_mod_bit), 1),
    Lens::SP,
    Lens::LaneConfig(12, 4),
    Lens::LanePairs(2),
];

/// Random code words and a random small state, but for the current thread, of which there are three.
fn with_case<T>(seed: u64, look: impl FnOnce(&mut Parts<'_>) -> T) -> T {
    let mut noise = Noise::new(seed);
    let mut small = AlignedBytes::zeroed(size_of::<Small>());
    small.chunks_exact_mut(4).for_each(|word| word.copy_from_slice(&noise.bits(32).to_le_bytes()));
    let (mut code, mut salt) = ([noise.bits(32)], SaltPlan::default());
    let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut salt };
    super::small(&mut parts).current_thread = noise.below(3) as u32;
    look(&mut parts)
}

fn whole(parts: &Parts<'_>) -> (Vec<u32>, Vec<u8>) {
    (parts.code.to_vec(), parts.small.to_vec())
}

proptest! {
    #[test]
    fn what_is_put_is_what_is_got_and_nothing_else_changes(
        place in 0..LENSES.len(), backwards in any::<bool>(), seed in any::<u64>(), put in any::<[u32; 2]>(),
    ) {
        let lens = LENSES[place];
        let [first, last] = put.map(|value| value & ones(lens.width()));
        let get = |parts: &Parts<'_>| if backwards { Backwards(lens).get(parts) } else { lens.get(parts) };
        let set = |parts: &mut Parts<'_>, value| {
            if backwards { Backwards(lens).set(parts, value) } else { lens.set(parts, value) }
        };
        with_case(seed, |parts| {
            let (before, value) = (whole(parts), get(parts));
            prop_assert!(value <= ones(lens.width()));
            set(parts, value);
            prop_assert_eq!(whole(parts), before.clone(), "putting back what was got");
            set(parts, last);
            let once = whole(parts);
            prop_assert_eq!(get(parts), last);
            set(parts, value);
            prop_assert_eq!(whole(parts), before, "nothing beside it was changed");
            set(parts, first);
            set(parts, last);
            prop_assert_eq!(whole(parts), once, "the last that was put counts");
            Ok(())
        })?;
    }

    #[test]
    fn a_value_drawn_of_a_level_is_of_that_level_unless_the_level_is_any(seed in any::<u64>(), width in 4_u32..17) {
        let mut noise = Noise::new(seed);
        let last = ones(width);
        let (ranges, mask): (&'static [_], &'static [&'static [u32]]) = match width {
            16 => (&[(0, 0), (1, 1), (2, 0xffff)], &[&[0xff, 0xff00]]),
            8 => (&[(0, 127), (128, 255)], &[&[0x0f, 0xf0]]),
            _ => (&[], &[]),
        };
        // Each with its levels, and the level that is anything, if there is one.
        let partitions = [
            (Partition::Ranges(ranges), ranges.len(), None),
            (Partition::Sets(&[&[0, 2], &[1, 3]]), 2, None),
            (Partition::Points(&[0, 1, 2]), 4, Some(3)),
            (Partition::Rows(&[9]), ROWS.len() + 1, Some(ROWS.len() - 1)),
            (Partition::Mask(mask), MASKS.len() + mask.len(), Some(MASKS.len() + mask.len() - 1)),
            (Partition::Extent, 3, None),
            (Partition::Some, 2, None),
        ];
        for (number, (partition, levels, any)) in partitions.into_iter().enumerate() {
            for level in 0..levels {
                let value = partition.draw(level, width, &mut noise);
                prop_assert!(value <= last, "{number}: {value:#x}");
                let got = partition.level(value, width);
                prop_assert!(got < levels, "{number}: {value:#x} is of level {got}");
                // A row that ends on a multiple of eight may be 0 or another point, and so on: those are levels before it.
                prop_assert!(got == level || any == Some(level) || is_special(partition, level), "{number}: {value:#x} of level {level} is of {got}");
            }
        }
    }
}

/// Whether values of a level of row numbers may be one of the special ones: 0, the last one, or a point.
fn is_special(partition: Partition, level: usize) -> bool {
    matches!(partition, Partition::Rows(_)) && (2..ROWS.len()).contains(&level)
}
