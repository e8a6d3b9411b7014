//! Instructions that move data to other lanes or other registers.

use tandem_isa::Answer;
use tandem_isa::tensix::Tensix;

use super::instruction::{Decoded, Instruction, unsupported};
use crate::vector::Vector;

unsupported!(Sfptransp, Sfpswap, Sfpshft2);
