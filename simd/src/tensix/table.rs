//! Instructions whose results go by a table.

use tandem_isa::Answer;
use tandem_isa::tensix::Tensix;

use super::instruction::{Decoded, Instruction, unsupported};
use crate::vector::Vector;

unsupported!(Sfplut, Sfplutfp32, Sfparecip);
