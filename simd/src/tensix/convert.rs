//! Instructions that convert integers and FP32, and the PRNG that rounds.

use tandem_isa::Answer;
use tandem_isa::tensix::Tensix;

use super::instruction::{Decoded, Instruction, unsupported};
use crate::vector::Vector;

unsupported!(Sfpcast, Sfpstochrnd);
