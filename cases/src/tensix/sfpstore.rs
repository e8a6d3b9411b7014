//! Cases of `SFPSTORE`: see `sfpload.rs`.

use tandem_isa::tensix::Chip;

use super::Cases;
use super::sfpload::Move;

pub(super) const fn sfpstore(chip: Chip) -> Cases {
    match chip {
        Chip::Wormhole => Move::<false, false>::cases(),
        Chip::Blackhole => Move::<false, true>::cases(),
    }
}
