//! Instructions of the stacks of flags, and comparisons that change their tops.

use tandem_isa::Answer;
use tandem_isa::tensix::Tensix;

use super::instruction::{Decoded, Instruction, unsupported};
use crate::vector::Vector;

unsupported!(Sfppushc, Sfppopc, Sfpcompc, Sfple, Sfpgt);
