//! Instructions that take mantissas and exponents of FP32 apart and put them together.

use tandem_isa::Answer;
use tandem_isa::tensix::Tensix;

use super::instruction::{Decoded, Instruction, unsupported};
use crate::vector::Vector;

unsupported!(Sfpexman, Sfpsetexp, Sfpsetman, Sfpdivp2, Sfpnop);
