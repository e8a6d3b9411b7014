//! The cases that `MOV`'s facts draw: they keep the rules of the pages, have the cell that was asked for, and the
//! levels that they say. The check here shares nothing with the code that places operands.

use std::collections::BTreeMap;

use tandem_cases::visa::{MOV, VISA as VISA_CASES};
use tandem_isa::visa::operand::{self, DST, OperandFields, PRED, RegionCode, SRC0, SRC0_CONST, SRC0_PREDICATE, class};
use tandem_isa::visa::{DataType, Small, TypeKind, VISA};
use tandem_isa::{AlignedBytes, Code, Edition, Levels, MAX_AXES, Noise, Parts, SaltPlan, mix64};

/// A case as the generator of the harness draws it.
struct Case {
    cell: usize,
    code: Code,
    small: Small,
    levels: Levels,
}

fn draw(number: u64) -> Case {
    let mut noise = Noise::new(mix64(number ^ 0xca5e));
    let mut bytes = AlignedBytes::zeroed(size_of::<Small>());
    for field in (VISA.layout.fields)() {
        let value = match number % 8 {
            0 => 0,
            1 => field.max,
            _ => noise.bits(field.width).min(field.max),
        };
        field.set(&mut bytes, value);
    }
    let space = (MOV.cells)(Edition::Spec);
    let cell = (number % space.len() as u64) as usize;
    let (mut code, mut salt) = (Code::new(MOV.base_code), SaltPlan::default());
    let mut parts = Parts { code: &mut code, small: &mut bytes, salt: &mut salt };
    let mut levels = [0; MAX_AXES];
    (MOV.prepare)(&mut parts, &mut noise);
    for (level, axis) in levels.iter_mut().zip((MOV.orthogonal)(Edition::Spec)) {
        let drawn = axis.draw(&mut noise);
        *level = u8::try_from(drawn).expect("few levels");
        (axis.set)(&mut parts, drawn, &mut noise);
    }
    space.impose(cell, &mut parts, &mut noise);
    (MOV.finish)(&mut parts, &mut levels, &mut noise);
    assert_eq!(space.classify(&parts), Some(cell), "case {number}: {}", space.describe(cell));
    Case { cell, code, small: *bytemuck::from_bytes(&bytes), levels }
}

fn axis(name: &str) -> usize {
    (MOV.orthogonal)(Edition::Spec).iter().position(|axis| axis.name == name).expect("an axis")
}

/// A span of bytes, in order: first byte of each element.
type Elements = Vec<i64>;

fn elements(code: u32) -> Result<i64, &'static str> {
    match operand::REGION_CODES[code as usize] {
        RegionCode::Elements(count) => Ok(i64::from(count)),
        RegionCode::Null => Err("null stride or width"),
        RegionCode::Unlisted => Err("unlisted stride or width"),
    }
}

fn offset_of(fields: &OperandFields, code: &[u32]) -> i64 {
    i64::from(operand::indirect_offset(fields, code))
}

/// Bytes of a declared variable.
fn variable(small: &Small, index: usize) -> Result<(i64, i64), &'static str> {
    let declared = small.variables[index];
    let size = DataType::of_code(declared.data_type.into()).bytes() as i64;
    let bytes = i64::from(declared.num_elements) * size;
    let start = i64::from(declared.offset);
    if declared.num_elements == 0 || bytes >= 4096 || start + bytes > 8192 {
        return Err("a variable that cannot be declared");
    }
    if start % size != 0 {
        return Err("a misplaced variable");
    }
    Ok((start, start + bytes))
}

fn declared(id: u32) -> Result<usize, &'static str> {
    id.checked_sub(32).filter(|&index| index < 4).map(|index| index as usize).ok_or("undeclared variable")
}

/// The elements of an operand, row by row, and the rule that they break.
fn region(
    case: &Case,
    fields: &OperandFields,
    size: i64,
    (rows, width, vert, horz): (i64, i64, Option<i64>, i64),
) -> Result<Elements, &'static str> {
    let (code, small) = (&case.code, &case.small);
    let register = [32, 64][small.grf_size as usize];
    let mut all = Vec::new();
    let check_row = |elements: &[i64]| {
        let first = elements.iter().min().expect("an element") / register;
        let last = (elements.iter().max().expect("an element") + size - 1) / register;
        if last - first > 1 { Err("more than two registers") } else { Ok(()) }
    };
    match fields.class.get(code) {
        class::GENERAL => {
            let (start, end) = variable(small, declared(fields.id.get(code))?)?;
            let column = i64::from(fields.col_offset.get(code));
            if column >= register / size {
                return Err("column beyond a register");
            }
            let first = start + i64::from(fields.row_offset.get(code)) * register + column * size;
            for row in 0..rows {
                for column in 0..width {
                    all.push(first + (row * vert.ok_or("null vertical stride")? + column * horz) * size);
                }
            }
            if all.iter().any(|&at| at < start || at + size > end) {
                return Err("out of bounds");
            }
            check_row(&all)?;
        }
        class::INDIRECT => {
            let id = fields.id.get(code) as usize;
            let first = fields.addr_offset.get(code) as usize;
            let displacement = offset_of(fields, code);
            if id >= 2 {
                return Err("undeclared address variable");
            }
            if !(-512..=511).contains(&displacement) {
                return Err("indirect offset out of range");
            }
            for row in 0..rows {
                let which = if vert.is_none() { first + row as usize } else { first };
                let address = i64::from(*small.addresses[id].get(which).ok_or("address element out of bounds")?);
                if (address + displacement) % size != 0 {
                    return Err("misaligned address");
                }
                let mut elements = Vec::new();
                for column in 0..width {
                    elements.push(address + displacement + (row * vert.unwrap_or(0) + column * horz) * size);
                }
                if vert.is_none() {
                    check_row(&elements)?;
                }
                let inside = (0..4).filter_map(|index| variable(small, index).ok()).any(|(start, end)| {
                    let has = |at: i64, size: i64| start <= at && at + size <= end;
                    elements.iter().all(|&at| has(at, size))
                });
                if !inside {
                    return Err("address out of bounds");
                }
                all.extend(elements);
            }
            if vert.is_some() {
                check_row(&all)?;
            }
        }
        _ => return Err("operand class"),
    }
    Ok(all)
}

fn type_of(case: &Case, fields: &OperandFields) -> Result<DataType, &'static str> {
    Ok(match fields.class.get(&case.code) {
        class::INDIRECT => DataType::of_code(fields.data_type.get(&case.code)),
        class::GENERAL => {
            let index = declared(fields.id.get(&case.code))?;
            DataType::of_code(case.small.variables[index].data_type.into())
        }
        class::PREDICATE => DataType::Bool,
        class::IMMEDIATE => DataType::of_code(SRC0_CONST.data_type.get(&case.code)),
        _ => return Err("operand class"),
    })
}

/// What the pages say of a case's encoding and places; the type maps are left aside.
fn verdict(case: &Case) -> Result<(), &'static str> {
    let code = &case.code;
    let exec_size = exec_size(case)?;
    let unnamed = [
        operand::EXEC_SIZE_BIT3,
        DST.tag_rest,
        DST.region_rest,
        DST.properties_rest,
        SRC0.tag_rest,
        SRC0.region_rest,
        SRC0.properties_rest,
        SRC0_CONST.type_rest,
    ];
    if unnamed.iter().any(|field| field.get(code) != 0) {
        return Err("unnamed bits");
    }
    let (mask, dispatch) = (operand::EXEC_MASK.get(code), [8, 16, 32][case.small.dispatch_size as usize]);
    let offset = i64::from(mask & 7) * 4;
    if offset % exec_size != 0 || offset + exec_size > dispatch {
        return Err("mask");
    }
    let (id, control) = (PRED.id.get(code), PRED.combine.get(code) != 0 || PRED.inverse.get(code) != 0);
    if id > 4 || PRED.combine.get(code) == 3 || PRED.reserved.get(code) != 0 || (id == 0 && control) {
        return Err("predication control");
    }
    if id > 0 && (1 << case.small.predicates[id as usize - 1].log2_num_elements) < offset + exec_size {
        return Err("predicate too short");
    }
    if !matches!(DST.modifiers.get(code), 0 | 4) || SRC0.modifiers.get(code) > 3 {
        return Err("modifier");
    }
    let (dst, src) = (type_of(case, &DST)?, type_of(case, &SRC0)?);
    dst_elements(case, dst)?;
    match SRC0.class.get(code) {
        class::IMMEDIATE | class::PREDICATE if SRC0.modifiers.get(code) != 0 => Err("modifier of an immediate"),
        class::IMMEDIATE if matches!(src.kind(), TypeKind::Packed | TypeKind::Bool) => Err("type of an immediate"),
        class::IMMEDIATE => Ok(()),
        class::PREDICATE => {
            let id = SRC0_PREDICATE.id.get(code);
            let control = SRC0_PREDICATE.inverse.get(code) != 0 || SRC0_PREDICATE.combine.get(code) != 0;
            let is_plain = PRED.id.get(code) == 0 && DST.modifiers.get(code) == 0 && mask & 7 == 0 && !control;
            let fits =
                (1..=4).contains(&id) && 1 << case.small.predicates[id as usize - 1].log2_num_elements <= dst.bits();
            if exec_size == 1 && is_plain && fits { Ok(()) } else { Err("predicate source") }
        }
        _ => src_elements(case, src).map(drop),
    }
}

fn exec_size(case: &Case) -> Result<i64, &'static str> {
    operand::EXEC_SIZES[operand::EXEC_SIZE.get(&case.code) as usize].map(i64::from).ok_or("execution size")
}

fn dst_elements(case: &Case, dst: DataType) -> Result<Elements, &'static str> {
    let stride = elements(DST.horz_stride.get(&case.code))?;
    if ![1, 2, 4].contains(&stride) {
        return Err("destination stride");
    }
    region(case, &DST, dst.bytes() as i64, (1, exec_size(case)?, Some(0), stride))
}

fn src_elements(case: &Case, src: DataType) -> Result<Elements, &'static str> {
    let (code, exec_size) = (&case.code, exec_size(case)?);
    let width = elements(SRC0.width.get(code))?;
    let horz = elements(SRC0.horz_stride.get(code))?;
    let vert = match SRC0.vert_stride.get(code) {
        operand::NULL if SRC0.class.get(code) == class::INDIRECT => None,
        code => Some(elements(code)?),
    };
    if ![1, 2, 4, 8, 16].contains(&width) || ![0, 1, 2, 4].contains(&horz) || width > exec_size {
        return Err("source region");
    }
    region(case, &SRC0, src.bytes() as i64, (exec_size / width, width, vert, horz))
}

const CASES: u64 = 200_000;

#[test]
fn most_cases_keep_every_rule_and_each_rule_is_broken() {
    let (region_rule, encoding_rule) = (axis("region_rule"), axis("encoding_rule"));
    let few = axis("predicate_elements");
    let mut broken: BTreeMap<(String, &str), u64> = BTreeMap::new();
    let (mut kept, mut meant) = (0, 0);
    for number in 0..CASES {
        let case = draw(number);
        let verdict = verdict(&case);
        kept += u64::from(verdict.is_ok());
        let asked = [(region_rule, "region"), (encoding_rule, "encoding")].map(|(at, kind)| {
            let name = (MOV.orthogonal)(Edition::Spec)[at].levels[usize::from(case.levels[at])];
            (case.levels[at] != 0).then(|| format!("{kind}: {name}"))
        });
        meant += u64::from(asked.iter().all(Option::is_none) && case.levels[few] != 2);
        let asked = asked.into_iter().flatten().collect::<Vec<_>>().join(", ");
        if let Err(why) = verdict {
            *broken.entry((asked, why)).or_default() += 1;
        } else if !asked.is_empty() {
            *broken.entry((asked, "nothing")).or_default() += 1;
        }
    }
    for ((asked, why), count) in &broken {
        println!("{count:7} {asked:60} {why}");
    }
    println!("{kept} of {CASES} keep every rule, {meant} were meant to");
    assert!(kept * 100 > CASES * 80, "{kept} of {CASES}");
    for level in 1..(MOV.orthogonal)(Edition::Spec)[region_rule].levels.len() {
        let name = format!("region: {}", (MOV.orthogonal)(Edition::Spec)[region_rule].levels[level]);
        let (mut hit, mut missed) = (0, 0);
        for ((asked, why), count) in &broken {
            if *asked == name {
                *(if *why == "nothing" { &mut missed } else { &mut hit }) += count;
            }
        }
        assert!(hit > 5 * missed, "{name}: broken {hit} times, kept {missed} times");
    }
}

#[test]
fn cases_are_canonical_and_have_a_text() {
    for number in 0..40_000 {
        let case = draw(number);
        let text = MOV.print(&case.code);
        assert_eq!(MOV.parse(&text).as_deref(), Ok(&case.code[..]), "{text}");
        if case.levels[axis("encoding_rule")] == 0
            && case.levels[axis("region_rule")] != 10
            && DST.class.get(&case.code) != class::PREDICATE
        {
            assert!(!text.contains('|'), "case {number}, cell {}: {text}", case.cell);
            let bytes = operand::bytes::to_bytes(&case.code).expect("a byte form");
            assert_eq!(operand::bytes::from_bytes(&bytes).as_deref(), Ok(&case.code[..]), "{text}");
        }
    }
}

#[test]
fn speed_classes_are_plain_and_of_the_types_that_they_name() {
    for class in MOV.bench_classes {
        let words: Vec<&str> = class.name.split('-').collect();
        for number in 0..2_000 {
            let drawn = draw(number);
            let mut bytes = AlignedBytes::zeroed(size_of::<Small>());
            bytes.copy_from_slice(bytemuck::bytes_of(&drawn.small));
            let (mut code, mut salt) = (drawn.code, SaltPlan::default());
            let mut parts = Parts { code: &mut code, small: &mut bytes, salt: &mut salt };
            (class.set)(&mut parts, &mut Noise::new(number));
            let case = Case { code, small: *bytemuck::from_bytes(&bytes), ..drawn };
            assert_eq!(verdict(&case), Ok(()));
            let [dst, src] = [&DST, &SRC0].map(|fields| type_of(&case, fields).expect("a type"));
            let exec_size = operand::EXEC_SIZES[operand::EXEC_SIZE.get(&code) as usize].expect("a size");
            assert_eq!((format!("x{exec_size}"), src.text(), dst.text()), (words[0].to_string(), words[1], words[2]));
            assert_eq!(DST.modifiers.get(&code) == operand::modifier::SAT, words.get(3) == Some(&"sat"));
            assert_eq!((case.small.grf_size, SRC0.modifiers.get(&code)), (1, 0));
        }
    }
}

#[test]
fn a_word_is_read_as_the_destination_has_it_or_else_as_the_source_does() {
    let (mut of_dst, mut of_src, mut of_both, mut of_none) = (0, 0, 0, 0);
    for number in 0..6_000 {
        let mut case = draw(number);
        if verdict(&case).is_err() {
            continue;
        }
        let [dst, src] = [&DST, &SRC0].map(|fields| type_of(&case, fields).expect("a type"));
        let to = dst_elements(&case, dst).expect("a region");
        let is_region = matches!(SRC0.class.get(&case.code), class::GENERAL | class::INDIRECT);
        let from = if is_region { src_elements(&case, src).expect("a region") } else { Vec::new() };
        let mut bytes = AlignedBytes::zeroed(size_of::<Small>());
        bytes.copy_from_slice(bytemuck::bytes_of(&case.small));
        let parts = Parts { code: &mut case.code, small: &mut bytes, salt: &mut SaltPlan::default() };
        for (word, (row, column)) in (0..256).flat_map(|row| (0..8).map(move |column| (row, column))).enumerate() {
            let word = word as i64 * 4;
            let holds = |all: &Elements, size: usize| all.iter().any(|&at| at < word + 4 && word < at + size as i64);
            let (in_dst, in_src) = (holds(&to, dst.bytes()), holds(&from, src.bytes()));
            let (expected, count) = match (in_dst, in_src) {
                (true, false) => (dst.format(), &mut of_dst),
                (true, true) => (dst.format(), &mut of_both),
                (false, true) => (src.format(), &mut of_src),
                (false, false) => (None, &mut of_none),
            };
            *count += 1;
            let got = (MOV.format)(Edition::Newest, &parts, 0, Some((row, column)));
            assert_eq!(got, expected, "case {number}, word {word}");
        }
        assert_eq!((MOV.format)(Edition::Newest, &parts, 0, None), dst.format());
    }
    println!("words: {of_dst} of destinations, {of_src} of sources, {of_both} of both, {of_none} of neither");
    assert!([of_dst, of_src, of_both, of_none].into_iter().all(|count| count > 1_000));
}

#[test]
fn imposing_and_classifying_are_inverse_and_every_case_can_be_finished_from_any_state() {
    for instruction in VISA_CASES.instructions {
        let (space, mut noise) = ((instruction.cells)(Edition::Newest), Noise::new(3));
        for (round, cell) in (0..6).flat_map(|round| (0..space.len()).map(move |cell| (round, cell))) {
            let mut small = AlignedBytes::zeroed(size_of::<Small>());
            let words = instruction.base_code.iter().map(|_| if round == 0 { 0 } else { noise.bits(32) });
            let words: Vec<u32> = words.collect();
            let mut code = if round == 1 { Code::new(instruction.base_code) } else { Code::new(&words) };
            for byte in small.iter_mut().take(if round < 2 { 0 } else { 192 }) {
                *byte = noise.bits(8) as u8;
            }
            let mut parts = Parts { code: &mut code, small: &mut small, salt: &mut SaltPlan::default() };
            space.impose(cell, &mut parts, &mut noise);
            assert_eq!(space.classify(&parts), Some(cell), "{} {}", instruction.name, space.describe(cell));
            let mut levels: Levels = [0; MAX_AXES];
            for (level, axis) in levels.iter_mut().zip((instruction.orthogonal)(Edition::Newest)) {
                *level = u8::try_from((axis.get)(&parts)).expect("few levels");
            }
            (instruction.finish)(&mut parts, &mut levels, &mut noise);
        }
    }
}
