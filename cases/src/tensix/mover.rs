//! Cases of the instruction of the mover, on both chips.

use tandem_isa::tensix::config::ConfigField;
use tandem_isa::tensix::{Chip, L1_PAGE_ROWS, L1_WINDOWS, bank, config, format};
use tandem_isa::{Axis, Parts, Recording};

use crate::salt::ROW_SHAPE;

use super::configuration::nameless;
use super::control::unnamed;
use super::lens::{Lens, NONE_OR_SOME, Partition, split};
use super::parts::{STATE_ID, THREAD, get_config, small};
use super::wait::{LATCHED_WAIT, latched};
use super::{CASES, Cases, Class, Data, On, axes};

/// Rows of 16 bytes that a state shows from the beginning: those from the beginning of L1 on.
const SHOWN: u32 = (L1_WINDOWS * L1_PAGE_ROWS) as u32;
/// Rows of the space of `Config`, and from where on there is the instruction memory of a core.
const SPACE: u32 = 0x1000;
const MEMORY: u32 = 0x4000;

/// The last row of L1.
const fn last(chip: Chip) -> u32 {
    (chip.l1_bytes() / 16 - 1) as u32
}

/// The rows of `Config` of both banks.
const fn words(chip: Chip) -> u32 {
    chip.config_size() as u32 / 4
}

/// The last windows show where is read and written, in L1 alone.
fn finish(chip: Chip, parts: &mut Parts<'_>) {
    let pick = |wormhole: ConfigField, blackhole: ConfigField| get_config(parts, chip.pick(wormhole, blackhole));
    let rows = [
        pick(config::THCON_SEC0_REG6_Source_address, config::blackhole::THCON_SEC0_REG6_Source_address),
        pick(config::THCON_SEC0_REG6_Destination_address, config::blackhole::THCON_SEC0_REG6_Destination_address),
    ];
    let pages = &mut small(parts).l1_pages;
    for (first, row) in [(L1_WINDOWS - 4, rows[0]), (L1_WINDOWS - 2, rows[1])] {
        let page = row as usize / L1_PAGE_ROWS;
        for (window, page) in (first..first + 2).zip(page..) {
            if (L1_WINDOWS..chip.l1_bytes() / (16 * L1_PAGE_ROWS)).contains(&page) {
                pages[window] = u16::try_from(page).expect("it is in L1");
            }
        }
    }
}

/// Where is written: as an address of `Config` or of L1, in rows of 16 bytes.
macro_rules! destination {
    () => {
        split!(
            "destination",
            &[
                "0",
                "1",
                "Config[0]",
                "Config[1]",
                "more that is shown",
                "rest of 64 KiB",
                "to 256 KiB",
                "memory of NC",
                "rest of L1",
                "last of L1",
                "beyond L1",
                "more than 32 bits",
            ],
            &[],
            Lens::Config(C::CHIP.pick(
                config::THCON_SEC0_REG6_Destination_address,
                config::blackhole::THCON_SEC0_REG6_Destination_address
            )),
            Partition::Ranges(
                &const {
                    let (bank, last) = (words(C::CHIP), last(C::CHIP));
                    [
                        (0, 0),
                        (1, 1),
                        (2, bank - 1),
                        (bank, 2 * bank - 1),
                        (2 * bank, SHOWN - 1),
                        (SHOWN, SPACE - 1),
                        (SPACE, MEMORY - 1),
                        (MEMORY, MEMORY + SPACE - 1),
                        (MEMORY + SPACE, last - 1),
                        (last, last),
                        (last + 1, 0x0fff_ffff),
                        (0x1000_0000, 0xffff_ffff),
                    ]
                }
            )
        )
    };
}

pub(super) const fn xmov<C: On>() -> Cases {
    Cases {
        path: [&[
            split!(
                "direction",
                &["XMOV_L0_TO_L1", "XMOV_L1_TO_L0", "XMOV_L0_TO_L0", "XMOV_L1_TO_L1"],
                &[],
                Lens::Config(C::CHIP.pick(
                    config::THCON_SEC0_REG6_Transfer_direction,
                    config::blackhole::THCON_SEC0_REG6_Transfer_direction
                )),
                Partition::Each
            ),
            destination!(),
        ]; 2],
        class: Class::Axis(0),
        finish: |parts, _, _| finish(C::CHIP, parts),
        data: Data::Of(|_, _, which, _| (which == bank::L1).then_some(&format::BITS32)),
        quantities: &[&[LATCHED_WAIT]],
        orthogonal: axes!(
            &[THREAD, STATE_ID, latched!(C, Xmov)],
            &[
                split!(
                    "source",
                    &["first rows", "0", "more that is shown", "rest of L1", "last of L1", "beyond L1"],
                    &[6, 1, 6, 1, 1, 1],
                    Lens::Config(C::CHIP.pick(
                        config::THCON_SEC0_REG6_Source_address,
                        config::blackhole::THCON_SEC0_REG6_Source_address
                    )),
                    Partition::Ranges(
                        &const {
                            let last = last(C::CHIP);
                            [(1, 63), (0, 0), (64, SHOWN - 1), (SHOWN, last - 1), (last, last), (last + 1, 0xffff_ffff)]
                        }
                    )
                ),
                split!(
                    "count",
                    &["1", "2", "0", "3 to 8", "9 to 64", "more", "more than 16 bits"],
                    &[6, 4, 1, 4, 2, 1, 1],
                    Lens::Config(
                        C::CHIP
                            .pick(config::THCON_SEC0_REG6_Buffer_size, config::blackhole::THCON_SEC0_REG6_Buffer_size)
                    ),
                    Partition::Ranges(&[
                        (1, 1),
                        (2, 2),
                        (0, 0),
                        (3, 8),
                        (9, 64),
                        (65, 0xffff),
                        (0x1_0000, 0x3fff_ffff),
                    ])
                ),
                nameless!("Config"),
                ROW_SHAPE,
                unnamed!(0x7f_ffff),
            ]
        ),
        plain: &["count=3 to 8", "bits without a name=any"],
        sweep: &["latched_wait", "unnamed_bits", "source", "count"],
        recording: Recording { unpromised: &["unnamed_bits"], source_rows: 4, ..CASES.recording },
        ..CASES
    }
}
