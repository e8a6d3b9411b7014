//! Intel vISA. What its files call by name stands here.

mod case;
mod channels;
mod dpas;
mod form;
mod mov;
mod operand;
mod points;
mod raw;
mod values;
mod vector;
mod vector_axes;
mod vector_break;
mod vector_fill;
mod vector_place;
mod vector_quantities;
mod vector_reduce;
mod vector_shape;

use std::mem::offset_of;
use std::ops::Range;
use std::sync::LazyLock;

use tandem_isa::visa::operand::{
    self as operands, ConstFields, EXEC_MASK, EXEC_SIZE, EXEC_SIZE_BIT3, EXEC_SIZES, INDIRECT_OFFSETS,
    LEGAL_VERT_STRIDES, MASK_OFFSETS, NO_MASK, NULL, OperandFields, PRED, PredicateFields, REGION_CODES, RegionCode,
    SRC0_CONST, SRC0_PREDICATE, class, combine, indirect_offset, region_code,
};
use tandem_isa::visa::{
    self, ADDRESS_ELEMENTS, BASE_ELEMENTS, BASE_SPACING, DISPATCH_SIZES, DataType, FIRST_GENERAL, GRF_BYTES, GRF_SIZES,
    GeneralVariable, NUM_ADDRESSES, NUM_GENERAL, NUM_PREDICATES, PRE_XEHP, PredicateVariable, ROW_BYTES, Small,
    TYPE_NAMES, TypeKind, XEHP, bank, cr0, inst,
};
use tandem_isa::{
    Axis, BenchClass, CellSpace, CodeField, ContestedData, ContestedDatum, Edition, Exhaust, Facts, Feed, Format,
    Instruction, Isa, Levels, MAX_AXES, Noise, Parts, Placement, Quantity, Recording, Reductions, SaltPlan, State,
    ValueClass,
};

use self::case::Lens::Code;
use self::case::Partition::{Each, Known, Sets};
use self::case::{
    Lens, PLATFORM, WORD_BYTES, axes, declared, entry, narrow, peek, places, put, quantities, small, table,
    variable_type, with_arena,
};
use self::channels::{
    break_channels, mask_offset, no_predication, predicate_entry, put_channels, put_touched, slice, widen_dispatch,
};
use self::form::{At, Form, MOST_OPERANDS, Matters, RoundingLevels, has_cell, instruction, is_plain, keeps_denormals};
use self::operand::{
    Names, Operand, Slots, another, extent, free_place, names, of_bytes, overlap_quantity, place_quantities, register,
    type_quantities,
};
use self::vector::{Lying, Vector, code_of, elements, exec_size};
use self::vector_axes::{any_type, level_type, overlap_of};
use self::vector_break::undeclared_number;
use self::vector_fill::{denorm_bit, refresh};
use self::vector_place::{MOST_BYTES, Placed, Placing};
use self::vector_shape::{Kind, Region};
use crate::list::List;
use crate::quantity::{NONE, with_ones};
use crate::salt::ROW_SHAPE;

pub use dpas::DPAS;
pub use mov::MOV;
pub use values::value_class;

/// Intel vISA (`visa`).
pub static VISA: Isa = Isa {
    machine: &visa::VISA,
    instructions: &[&MOV, &DPAS],
    value_classes: values::VALUE_CLASSES,
    background: values::BACKGROUND,
};
