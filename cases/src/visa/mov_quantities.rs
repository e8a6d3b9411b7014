//! The quantities of `MOV`: numbers by which an implementation may refuse a case.
//!
//! Labels, like the axes.

use tandem_isa::Quantity;
use tandem_isa::lists::{join, total};

use super::channels::{self, put_channels};
use super::mov_axes::{DST, OPERANDS, SRC0, matters_to};
use super::operand::{Operand, settable, type_quantities};
use super::vector::exec_size;
use super::vector_path::{denorm_quantity, rounding_quantity};
use super::vector_quantities::{
    addressing_quantity, pair_quantities, place_quantities, region_quantity, stride_quantity,
};
use crate::quantity::NONE;

const LISTS: &[&[Quantity]] = &[
    &type_quantities!("Dst", DST),
    &type_quantities!("Src0", SRC0),
    &[addressing_quantity!("Dst", DST, &[SRC0]), addressing_quantity!("Src0", SRC0, &[DST])],
    &pair_quantities!("Dst", DST, "Src0", SRC0),
    &[
        region_quantity!("Src0", SRC0),
        stride_quantity!("horizontal stride of Dst", DST, horz_stride),
        stride_quantity!("vertical stride of Src0", SRC0, vert_stride),
        stride_quantity!("width of a row of Src0", SRC0, width),
        stride_quantity!("horizontal stride of Src0", SRC0, horz_stride),
    ],
    &[settable!("channels", 6, exec_size, |parts, value| put_channels(parts, OPERANDS, value))],
    channels::QUANTITIES,
    &place_quantities!("Dst", DST, OPERANDS),
    &place_quantities!("Src0", SRC0, OPERANDS),
    &[
        rounding_quantity!(|parts| matters_to(parts).rounding),
        denorm_quantity!("Src0", SRC0, |parts| matters_to(parts).denorm_src),
        denorm_quantity!("Dst", DST, |parts| matters_to(parts).denorm_dst),
    ],
];

/// All of them.
pub(super) static QUANTITIES: &[Quantity] = &join::<_, { total(LISTS) }>(NONE, LISTS);

#[cfg(test)]
mod tests {
    use super::super::mov::MOV;
    use super::super::operand::Operand;
    use super::super::vector_quantities::region;
    use super::*;
    use crate::quantity::example::{assert_values, quantity, with_case};
    use tandem_isa::Parts;
    use tandem_isa::visa::VISA;
    use tandem_isa::visa::operand::combine;

    /// Eight channels, `V32(1,2)<2>:F` of `V33(0,4)<8;4,2>:W`.
    const CASE: &[(&str, u32)] = &[
        ("Exec_size", 3),
        ("Dst.row_offset", 1),
        ("Dst.col_offset", 2),
        ("Dst.horizontal_stride", 3),
        ("Src0.col_offset", 4),
        ("Src0.vertical_stride", 5),
        ("Src0.width", 4),
        ("Src0.horizontal_stride", 3),
        ("V32.type", 7),
        ("V33.type", 3),
        ("V33.offset", 1036),
    ];

    #[test]
    fn types_regions_and_places_are_those_of_the_elements() {
        assert_values(
            &VISA,
            &MOV,
            CASE,
            &[
                ("type of Dst", 7),
                ("bytes of an element of Src0", 2),
                ("kind of numbers of Dst", 2),
                ("kind of numbers of Src0", 1),
                ("elements of Dst next to those of Src0", 2),
                ("types of Dst and Src0", 0),
                ("horizontal stride of Dst", 2),
                ("vertical stride of Src0", 8),
                ("width of a row of Src0", 4),
                ("horizontal stride of Src0", 2),
                ("region of Src0", 2),
                ("byte of a register at which Dst begins", 8),
                // 8 and fourteen elements further.
                ("registers that Dst touches", 3),
                ("register at which Dst begins", 1),
                ("register at which Src0 begins", 32),
                ("byte of a register at which Src0 begins", 20),
                ("byte of a register at which the variable of Src0 begins", 12),
                ("Dst overlaps Src0", 0),
                ("addressing of Src0", 0),
            ],
        );
        for (strides, shape) in [([1, 2, 1], 0), ([5, 5, 2], 1), ([1, 4, 2], 3), ([2, 2, 1], 1), ([0, 4, 2], 3)] {
            let [vert, width, horz] = strides;
            let region = [("Src0.vertical_stride", vert), ("Src0.width", width), ("Src0.horizontal_stride", horz)];
            assert_values(&VISA, &MOV, &[CASE, &region].concat(), &[("region of Src0", shape)]);
        }
    }

    #[test]
    fn channels_are_disabled_by_what_is_in_use() {
        let masks = [("EM", 0xffff_0f1f), ("Exec_mask", 2), ("P2", 0x0700), ("Pred.id", 2)];
        let values = |mask, predicate, predication| {
            [
                ("channels that the execution mask disables", mask),
                ("channels that the predicate disables", predicate),
                ("predication in use", predication),
            ]
        };
        assert_values(&VISA, &MOV, &[CASE, &masks].concat(), &values(4, 5, 1));
        let no_mask = [&masks[..], &[("Exec_mask", 10), ("Pred.inverse", 1)]].concat();
        assert_values(&VISA, &MOV, &[CASE, &no_mask].concat(), &values(0, 3, 1));
        let any = [&masks[..], &[("Pred.combine", combine::ANY)]].concat();
        assert_values(&VISA, &MOV, &[CASE, &any].concat(), &values(4, 0, 2));
        assert_values(&VISA, &MOV, &[CASE, &[("EM", 0)]].concat(), &values(8, 0, 0));
    }

    #[test]
    fn an_operand_keeps_its_elements_when_it_is_addressed_in_another_way() {
        with_case(&VISA, &MOV, CASE, |parts| {
            let places =
                |parts: &Parts<'_>| (SRC0.start(parts), SRC0.span(parts), SRC0.data_type(parts), region(&SRC0, parts));
            let before = places(parts);
            for addressing in [1, 2, 0] {
                assert!((quantity(&MOV, "addressing of Src0").set)(parts, addressing));
                let after = places(parts);
                assert_eq!((after.0, after.2), (before.0, before.2), "{addressing}");
            }
            assert!(SRC0.is_inside(parts));
        });
    }
}
