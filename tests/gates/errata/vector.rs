//! The figures of the errata of what moves data between lanes and registers of the Vector Unit, of both chips.
//!
//! Pages: SFPTRANSP and SFPSWAP at 39304719, SFPSWAP at c07a6715.

#[test]
fn tx_120_lanes_differ_in_254_of_256_patterns_of_the_bit() {
    let differ = (0..256_u32).filter(|pattern| ![0, 8].contains(&pattern.count_ones())).count();
    assert_eq!(differ, 254);
    assert_eq!((0..16).filter(|vd| *vd >= 12).count(), 4);
}

/// `SignMagIsSmaller`.
fn is_smaller(c: u32, d: u32) -> bool {
    let remapped = |x: u32| (x ^ (x.cast_signed() >> 30).cast_unsigned() >> 1).cast_signed();
    remapped(c) < remapped(d)
}

/// `ShouldSwap` by page SFPSWAP at 39304719 and at c07a6715.
fn should_swap(c: u32, d: u32, vd_gets_min: bool) -> [bool; 2] {
    let smaller = is_smaller(c, d);
    let negative_if_equal = smaller || (c == d && c & 0x8000_0000 != 0);
    [smaller == vd_gets_min, negative_if_equal == vd_gets_min]
}

#[test]
fn tx_121_equal_and_negative_data_are_swapped_in_one_edition_for_2147483648_of_4294967296_values() {
    let corners = [0, 1, 0x3fff_ffff, 0x4000_0000, 0x7f80_0000, 0x7fff_ffff];
    let all: Vec<u32> = corners.into_iter().flat_map(|x: u32| [x, x | 0x8000_0000]).collect();
    for (&c, &d) in all.iter().flat_map(|c| all.iter().map(move |d| (c, d))) {
        for vd_gets_min in [false, true] {
            let [spec, newest] = should_swap(c, d, vd_gets_min);
            assert_eq!(spec != newest, c == d && c >> 31 == 1, "{c:#x} {d:#x}");
        }
    }
    assert_eq!((1_u64 << 31, 1_u64 << 32), (2_147_483_648, 4_294_967_296));
}

#[test]
fn tx_122_seven_of_sixteen_codes_have_no_value() {
    let named = 0..=8;
    assert_eq!((0..16).filter(|code| !named.contains(code)).count(), 7);
    assert_eq!((0..16).filter(|code| !named.contains(code) && *code != 9).count(), 6);
}

#[test]
fn tx_130_twelve_of_sixteen_codes_are_reserved_by_one_page_of_three() {
    assert_eq!((0..16).filter(|mod1| *mod1 > 3).count(), 12);
    // Two and three are the forms of the other two pages.
    assert_eq!((0..16).filter(|mod1| *mod1 > 3 && mod1 & 3 > 1).count(), 6);
}

#[test]
fn tx_131_six_of_eight_forms_leave_ten_bits_without_a_name() {
    let [vb, imm5, use_imm5] = [4, 5, 1];
    assert_eq!((vb + imm5 + use_imm5, imm5 + use_imm5), (10, 6));
    assert_eq!((0..8).filter(|mod1| ![4, 5].contains(mod1)).count(), 6);
}

#[test]
fn tx_132_one_of_four_rounding_modes_has_no_name() {
    assert_eq!((0..4).filter(|mode| ![0, 1, 2].contains(mode)).count(), 1);
}
