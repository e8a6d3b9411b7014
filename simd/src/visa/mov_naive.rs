//! `MOV` once more, for the tests: one element at a time, from the agreed rules, with `half`, host floats and 128-bit
//! integers. Host floats are set as a program finds them.

use half::{bf16, f16};
use tandem_isa::visa::operand::{
    DST, EXEC_MASK, EXEC_SIZE, OperandFields, PRED, REGION_CODES, RegionCode, SRC0, SRC0_CONST, class, indirect_offset,
};
use tandem_isa::visa::{DataType, GRF_BYTES, Small};

use super::mov::{Number, Recipe, Rounding};

/// A value on its way: a float by its sign and a `DF` of its magnitude, NaNs with their payload beside it.
#[derive(Clone, Copy, Debug)]
enum Value {
    Integer(i128),
    Float(f64),
    /// Sign, and the bits below the exponent, aligned to the top of 52.
    Nan(bool, u64),
}

/// Bits, mantissa bits of a float type.
fn float_layout(number: Number) -> (u32, u32) {
    match number {
        Number::Hf => (16, 10),
        Number::Bf => (16, 7),
        Number::F => (32, 23),
        Number::Df => (64, 52),
        _ => panic!("no float: {number:?}"),
    }
}

fn float_value(number: Number, bits: u64) -> Value {
    let (size, mantissa) = float_layout(number);
    let value = match number {
        Number::Hf => f16::from_bits(bits as u16).to_f64(),
        Number::Bf => bf16::from_bits(bits as u16).to_f64(),
        Number::F => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    };
    if value.is_nan() {
        Value::Nan(bits >> (size - 1) & 1 == 1, (bits << (52 - mantissa)) & ((1 << 52) - 1))
    } else {
        Value::Float(value)
    }
}

fn smallest_normal(number: Number) -> f64 {
    match number {
        Number::Hf => f64::from(f16::MIN_POSITIVE),
        Number::Bf | Number::F => f64::from(f32::MIN_POSITIVE),
        _ => f64::MIN_POSITIVE,
    }
}

fn flush(number: Number, value: f64) -> f64 {
    if value.abs() < smallest_normal(number) { 0f64.copysign(value) } else { value }
}

/// `value` rounded to the adjacent `F` with an odd last bit unless it is one: so a second rounding, to a type that is two
/// bits shorter or more, is as if it were the only one.
fn to_odd(value: f64) -> f32 {
    let nearest = value as f32;
    if f64::from(nearest) == value {
        return nearest;
    }
    let is_too_large = f64::from(nearest).abs() > value.abs();
    f32::from_bits((nearest.to_bits() - u32::from(is_too_large)) | 1)
}

/// The bits of `value` rounded to a float type, by rounding to nearest and stepping where that went the wrong way.
fn rounded(number: Number, value: f64, rounding: Rounding) -> u64 {
    let (size, _) = float_layout(number);
    let sign = 1u64 << (size - 1);
    let nearest = match number {
        Number::Hf => u64::from(f16::from_f32(to_odd(value)).to_bits()),
        Number::Bf => u64::from(bf16::from_f32(value as f32).to_bits()),
        Number::F => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    };
    let Value::Float(back) = float_value(number, nearest) else { panic!("a number became none") };
    let (is_too_large, is_too_small) = (back.abs() > value.abs(), back.abs() < value.abs());
    let away = match rounding {
        Rounding::Nearest => return nearest,
        Rounding::Up => nearest & sign == 0,
        Rounding::Down => nearest & sign != 0,
        Rounding::TowardZero => false,
    };
    match (away, is_too_large, is_too_small) {
        (true, _, true) => nearest + 1,
        (false, true, _) => nearest - 1,
        _ => nearest,
    }
}

fn integer_range(number: Number) -> (i128, i128) {
    let bits = 8 << number.log2_size();
    if is_signed(number) { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
}

fn is_signed(number: Number) -> bool {
    matches!(number, Number::B | Number::W | Number::D | Number::Q)
}

/// Rounds an integer to the nearest value of a float type, which is to have the given bits.
fn of_integer(number: Number, value: i128) -> u64 {
    match number {
        // A float of 16 bits is far shorter than half of a DF, so rounding to odd first is harmless.
        Number::Hf => {
            let direct = value as f64;
            assert!(direct as i128 == value || value.abs() > 1 << 40, "only what overflows is rounded twice");
            u64::from(f16::from_f32(to_odd(direct)).to_bits())
        }
        Number::F => u64::from((value as f32).to_bits()),
        Number::Df => (value as f64).to_bits(),
        _ => panic!("no conversion of integers to {number:?}"),
    }
}

/// The bits that an element of `bits` becomes.
pub(crate) fn convert(recipe: &Recipe, bits: u64) -> u64 {
    let Recipe { source, destination, .. } = *recipe;
    let size = 8 << source.log2_size();
    let mask = |number: Number| u64::MAX >> (64 - (8 << number.log2_size()));
    let bits = bits & mask(source);
    let is_plain = !recipe.is_absolute.is_set() && !recipe.is_negated.is_set() && !recipe.is_saturated.is_set();
    if source == destination && is_plain {
        return bits;
    }
    let mut value = if source.is_float() {
        float_value(source, bits)
    } else if is_signed(source) && bits >> (size - 1) & 1 == 1 {
        Value::Integer(i128::from(bits) - (1 << size))
    } else {
        Value::Integer(i128::from(bits))
    };
    value = match value {
        Value::Integer(value) => {
            let value = if recipe.is_absolute.is_set() { value.abs() } else { value };
            Value::Integer(if recipe.is_negated.is_set() { -value } else { value })
        }
        Value::Float(value) => {
            let value = if recipe.is_absolute.is_set() { value.abs() } else { value };
            let value = if recipe.is_negated.is_set() { -value } else { value };
            Value::Float(if recipe.flushes_source.is_set() { flush(source, value) } else { value })
        }
        Value::Nan(sign, payload) => {
            Value::Nan((sign && !recipe.is_absolute.is_set()) != recipe.is_negated.is_set(), payload)
        }
    };
    let result = if destination.is_float() { to_float(recipe, value) } else { to_integer(recipe, value) };
    result & mask(destination)
}

fn to_integer(recipe: &Recipe, value: Value) -> u64 {
    let (least, most) = integer_range(recipe.destination);
    match value {
        Value::Integer(value) if recipe.is_saturated.is_set() => value.clamp(least, most) as u64,
        Value::Integer(value) => value as u64,
        // Casts of host floats truncate and clamp.
        Value::Float(value) => (value as i128).clamp(least, most) as u64,
        Value::Nan(..) => 0,
    }
}

fn to_float(recipe: &Recipe, value: Value) -> u64 {
    let number = recipe.destination;
    let (size, mantissa) = float_layout(number);
    let bits = match value {
        Value::Integer(value) => of_integer(number, value),
        Value::Float(value) => rounded(number, value, recipe.rounding),
        Value::Nan(sign, payload) => {
            let exponent = (u64::MAX >> (64 - (size - 1 - mantissa))) << mantissa;
            u64::from(sign) << (size - 1) | exponent | 1 << (mantissa - 1) | payload >> (52 - mantissa)
        }
    };
    match float_value(number, bits) {
        Value::Nan(..) => {
            if recipe.is_saturated.is_set() {
                0
            } else {
                bits
            }
        }
        Value::Float(value) => {
            let value = match recipe.is_saturated.is_set() {
                true if value <= 0.0 => 0.0,
                true if value > 1.0 => 1.0,
                _ => value,
            };
            rounded(
                number,
                if recipe.flushes_result.is_set() { flush(number, value) } else { value },
                Rounding::Nearest,
            )
        }
        Value::Integer(_) => panic!("a float is no integer"),
    }
}

// ------------------------------------------------------------------------------------------------ instructions

/// The type of an operand.
pub(crate) fn type_of(fields: &OperandFields, code: &[u32], small: &Small) -> DataType {
    match fields.class.get(code) {
        class::GENERAL => DataType::of_code(u32::from(small.variables[fields.id.get(code) as usize - 32].data_type)),
        class::INDIRECT => DataType::of_code(fields.data_type.get(code)),
        class::IMMEDIATE => DataType::of_code(SRC0_CONST.data_type.get(code)),
        class => panic!("class {class} has no type"),
    }
}

/// Byte addresses of the elements of a general or indirect operand, as the page's pseudo-code counts them.
pub(crate) fn addresses(fields: &OperandFields, code: &[u32], small: &Small, is_source: bool) -> Vec<i64> {
    let exec_size = 1 << EXEC_SIZE.get(code);
    let size = type_of(fields, code, small).bytes() as i64;
    let number = |code: u32| match REGION_CODES[code as usize] {
        RegionCode::Elements(elements) => Some(i64::from(elements)),
        RegionCode::Null => None,
        RegionCode::Unlisted => panic!("unlisted code"),
    };
    let horz = number(fields.horz_stride.get(code)).expect("a stride");
    let (vert, width) = if is_source {
        (number(fields.vert_stride.get(code)), number(fields.width.get(code)).expect("a width"))
    } else {
        (Some(0), exec_size)
    };
    let id = fields.id.get(code) as usize;
    let grf = 32 << small.grf_size;
    let row_start = |row: i64| -> i64 {
        if fields.class.get(code) == class::GENERAL {
            let first = i64::from(fields.row_offset.get(code)) * (grf / size) + i64::from(fields.col_offset.get(code));
            i64::from(small.variables[id - 32].offset) + (first + row * vert.expect("a stride")) * size
        } else {
            let element = fields.addr_offset.get(code) as usize + if vert.is_none() { row as usize } else { 0 };
            let address = i64::from(small.addresses[id][element]) + i64::from(indirect_offset(fields, code));
            address + row * vert.unwrap_or(0) * size
        }
    };
    let mut list = Vec::new();
    for i in 0..(exec_size / width).max(1) {
        for j in 0..width.min(exec_size) {
            list.push(row_start(i) + j * horz * size);
        }
    }
    list
}

/// Which channels are enabled, as `EvaluateChEn` says it.
fn enabled(code: &[u32], small: &Small) -> Vec<bool> {
    let exec_size = 1usize << EXEC_SIZE.get(code);
    let mask = EXEC_MASK.get(code);
    let offset = 4 * (mask as usize % 8);
    let mut ch_en: Vec<bool> = (0..exec_size).map(|n| mask >= 8 || small.em >> (n + offset) & 1 == 1).collect();
    let id = PRED.id.get(code) as usize;
    if id != 0 {
        let mut pmask: Vec<bool> =
            (0..exec_size).map(|n| small.predicates[id - 1].value >> (n + offset) & 1 == 1).collect();
        match PRED.combine.get(code) {
            1 => pmask = vec![pmask.contains(&true); exec_size],
            2 => pmask = vec![!pmask.contains(&false); exec_size],
            _ => {}
        }
        for (channel, bit) in ch_en.iter_mut().zip(pmask) {
            *channel &= bit != (PRED.inverse.get(code) == 1);
        }
    }
    ch_en
}

/// The file after the instruction, and which bytes were written; nothing if an element is not in the file or straddles.
pub(crate) fn execute(
    code: &[u32],
    small: &Small,
    grf: &[u8],
    recipe: &Recipe,
) -> Option<([u8; GRF_BYTES], Vec<usize>)> {
    let ch_en = enabled(code, small);
    let src_size = 1 << recipe.source.log2_size();
    let dst_size = 1 << recipe.destination.log2_size();
    let fits = |address: i64, size: i64| address >= 0 && address + size <= GRF_BYTES as i64 && address % size == 0;
    let sources: Vec<u64> = if SRC0.class.get(code) == class::IMMEDIATE {
        let value = u64::from(SRC0_CONST.high.get(code)) << 32 | u64::from(SRC0_CONST.low.get(code));
        vec![value; ch_en.len()]
    } else {
        let list = addresses(&SRC0, code, small, true);
        if !list.iter().all(|&address| fits(address, src_size)) {
            return None;
        }
        let byte = |address: i64| u64::from(grf[address as usize]);
        list.iter().map(|&address| (0..src_size).map(|index| byte(address + index) << (8 * index)).sum()).collect()
    };
    let places = addresses(&DST, code, small, false);
    if !places.iter().all(|&address| fits(address, dst_size)) {
        return None;
    }
    let mut file: [u8; GRF_BYTES] = grf.try_into().expect("the whole file");
    let mut written = Vec::new();
    for ((place, source), enabled) in places.into_iter().zip(sources).zip(ch_en) {
        if enabled {
            let bits = convert(recipe, source);
            for index in 0..dst_size {
                file[(place + index) as usize] = (bits >> (8 * index)) as u8;
                written.push((place + index) as usize);
            }
        }
    }
    Some((file, written))
}
