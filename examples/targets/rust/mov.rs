//! `MOV` from `F` to `HF`: pages MOV, Operands, Execution Model and Data Types; errata VX-09 to VX-12, VX-15, VX-19,
//! VX-25 and VX-28.

use tandem_isa::Answer;
use tandem_isa::visa::operand::{self, OperandFields, REGION_CODES, RegionCode};
use tandem_isa::visa::{DISPATCH_SIZES, DataType, FIRST_GENERAL, GRF_BYTES, GRF_SIZES, Small, Visa, cr0};

fn f_to_hf(f: u32, keeps_denormals: bool) -> u16 {
    let (sign, exponent, mantissa) = (f >> 16 & 0x8000, f >> 23 & 0xff, f & 0x7f_ffff);
    let magnitude = match exponent {
        255 if mantissa != 0 => 0x7e00 | mantissa >> 13,
        143.. => 0x7c00,
        // Less than half of the smallest denormal, as all denormals of F are.
        0..102 => 0,
        _ => {
            let (significand, shift) = (mantissa | 0x80_0000, if exponent > 112 { 13 } else { 126 - exponent });
            let (kept, rest, half) = (significand >> shift, significand & ((1 << shift) - 1), 1 << (shift - 1));
            // To nearest even; what carries goes into the exponent.
            let is_up = rest > half || (rest == half && kept & 1 != 0);
            kept + u32::from(is_up) + (exponent.saturating_sub(113) << 10)
        }
    };
    (sign | if magnitude < 0x400 && !keeps_denormals { 0 } else { magnitude }) as u16
}

/// Rows of `width` elements, `vert` apart, the elements `horz` apart.
struct Region {
    vert: usize,
    width: usize,
    horz: usize,
}

fn elements(code: u32) -> Option<usize> {
    if let RegionCode::Elements(elements) = REGION_CODES[code as usize] { Some(elements as usize) } else { None }
}

/// Where the channels of a general operand begin in the GRF file; nothing for an operand that we do not do.
fn place(
    code: &[u32],
    fields: &OperandFields,
    small: &Small,
    (data_type, channels): (DataType, usize),
    Region { vert, width, horz }: Region,
) -> Option<Vec<usize>> {
    let plain = [fields.class, fields.modifiers, fields.tag_rest, fields.region_rest];
    let (grf, bytes) = (GRF_SIZES[small.grf_size as usize], data_type.bytes());
    let (row, column) = (fields.row_offset.get(code) as usize, fields.col_offset.get(code) as usize);
    let variable = small.variables.get(fields.id.get(code).checked_sub(FIRST_GENERAL)? as usize)?;
    let begin = usize::from(variable.offset);
    let is_legal = [1, 2, 4, 8, 16].contains(&width) && width <= channels && horz <= 4 && column * bytes < grf;
    if plain.iter().any(|field| field.get(code) != 0)
        || u32::from(variable.data_type) != data_type.code()
        || begin % bytes != 0
        || !is_legal
    {
        return None;
    }
    let first = row * (grf / bytes) + column;
    let elements = (0..channels).map(|channel| first + channel / width * vert + channel % width * horz);
    let places: Vec<usize> = elements.clone().map(|element| begin + element * bytes).collect();
    let in_variable = elements.clone().all(|element| element < usize::from(variable.num_elements));
    let in_registers = places.iter().all(|at| at + bytes <= GRF_BYTES && at / grf <= places[0] / grf + 1);
    (in_variable && in_registers).then_some(places)
}

/// Executes it in the common case; for what is not that: why.
pub fn mov(code: &[u32], visa: &mut Visa<'_>) -> Result<Answer, &'static str> {
    let small = *visa.small;
    let channels = operand::EXEC_SIZES[operand::EXEC_SIZE.get(code) as usize].ok_or("execution size")?;
    let mask = operand::EXEC_MASK.get(code);
    let start = operand::MASK_OFFSETS[(mask & 7) as usize];
    if operand::EXEC_SIZE_BIT3.get(code) != 0
        || !start.is_multiple_of(channels)
        || start + channels > DISPATCH_SIZES[small.dispatch_size as usize]
    {
        return Err("execution size");
    }
    if code[1] & 0xffff != 0 {
        return Err("predication");
    }
    if small.cr0 >> cr0::ROUNDING_SHIFT & 3 != cr0::RTNE {
        return Err("rounding mode");
    }
    let step = elements(operand::DST.horz_stride.get(code)).filter(|step| [1, 2, 4].contains(step));
    let step = step.ok_or("stride of the destination")?;
    let [vert, width, horz] = [operand::SRC0.vert_stride, operand::SRC0.width, operand::SRC0.horz_stride]
        .map(|field| elements(field.get(code)));
    let (Some(vert), Some(width), Some(horz)) = (vert, width, horz) else { return Err("region of the source") };
    let (count, region) = (channels as usize, Region { vert, width, horz });
    let from = place(code, &operand::SRC0, &small, (DataType::F, count), region).ok_or("the source")?;
    let region = Region { vert: step, width: 1, horz: 0 };
    let to = place(code, &operand::DST, &small, (DataType::Hf, count), region).ok_or("the destination")?;
    // All are read before any is written.
    let keeps_denormals = small.cr0 & cr0::HF_DENORM != 0;
    let convert = |&at: &usize| f_to_hf(u32::from_le_bytes(visa.read(at)), keeps_denormals);
    let data: Vec<u16> = from.iter().map(convert).collect();
    for ((channel, at), hf) in (start..).zip(to).zip(data) {
        if mask & operand::NO_MASK != 0 || small.em >> channel & 1 != 0 {
            visa.write_bytes(at, &hf.to_le_bytes());
        }
    }
    Ok(Answer::Done)
}
