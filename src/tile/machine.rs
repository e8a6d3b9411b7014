//! The machine: what is configured for each instruction, and where its data are.

use tandem_harness::IsaSuite;
use tandem_isa::tensix::config::pack::{self, PackerField};
use tandem_isa::tensix::config::unpack::{self, UnpackField};
use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField, blackhole};
use tandem_isa::tensix::format::{CODE_NAMES, FP32, INT8, TF32};
use tandem_isa::tensix::inst::mova2d::{DST_ROW, MOVE8_ROWS, SRC_ROW};
use tandem_isa::tensix::inst::pack::{LAST, PACKER_MASK, READ_INTF_SEL};
use tandem_isa::tensix::inst::unpack::{FLIP_SRC, MULTI_CONTEXT_MODE};
use tandem_isa::tensix::{Chip, Tensix, UNPACKERS, bank};
use tandem_isa::{Answer, Code, CodeField, Edition, Format, Reference, State, Step};

use super::numbers::{BLOCK, FACE};
use super::{Datum, Early, L1Format, Setting, Stage};
use crate::answers::not_promised;

/// Where a face lies in L1, in bytes: behind the header of its tile, and where a packer puts it.
const INPUT: usize = 16;
const OUTPUT: usize = 0x2000;
/// The same in rows of 16 bytes.
const OUTPUT_ROW: u32 = 0x200;
/// X of the last datum of a face.
const LAST_X: u32 = 255;
/// Rows that an instruction of the Matrix Unit takes.
const ROWS: u32 = 8;

/// Where data are: in a layout, and of `Dst` whether in two rows.
#[derive(Clone, Copy)]
pub(super) enum Place {
    SrcA(&'static Format),
    Dst(&'static Format, bool),
    L1(&'static L1Format),
}

/// A chip that has a face in L1.
pub(super) struct Machine<'a> {
    suite: &'a IsaSuite,
    chip: Chip,
    reference: Box<dyn Reference>,
    state: State,
    /// How many data are looked at.
    count: usize,
    said: Vec<Setting>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(suite: &'a IsaSuite, count: usize) -> Self {
        let chip = Chip::named(suite.isa.name).expect("the instruction set is one of Tensix");
        let (reference, state) = ((suite.reference)(), suite.isa.base_state());
        Machine { suite, chip, reference, state, count, said: Vec::new() }
    }

    fn tensix(&mut self) -> Tensix<'_> {
        Tensix::new(&mut self.state)
    }

    fn set(&mut self, fields: &[(ConfigField, u32)]) {
        let bank = &mut self.tensix().small.config[0];
        fields.iter().for_each(|(field, value)| field.set(bank, *value));
    }

    /// Sets fields that decide what comes of data.
    fn decide(&mut self, fields: &[(ConfigField, u32)]) {
        self.set(fields);
        let is_format = |name: &str| ["ormat", "_SrcA", "_SrcB", "_Dstacc"].iter().any(|end| name.ends_with(end));
        self.said.extend(fields.iter().map(|&(field, value)| Setting {
            name: field.name,
            value,
            called: is_format(field.name).then(|| CODE_NAMES[value as usize]),
        }));
    }

    fn of_thread(&mut self, fields: &[(ThreadConfigField, u32)]) {
        let words = &mut self.tensix().small.thread_config[0];
        fields.iter().for_each(|(field, value)| field.set(words, *value));
    }

    // ---------------------------------------------------------------------------------------------- data

    /// Writes data of a format, and zeros behind them, to where the first Unpacker finds a face.
    pub(super) fn put(&mut self, format: &L1Format, data: &[Datum]) {
        let ((exponents, first), width) = (places(format, INPUT), format.datum.width() as usize);
        for (place, datum) in data.iter().enumerate() {
            if format.block.is_some() && place % BLOCK == 0 {
                self.put_bits(8 * (exponents + place / BLOCK), datum.exponent);
            }
            self.put_bits(8 * first + width * place, datum.word);
        }
    }

    /// Adds bits at a place that is a multiple of their number.
    fn put_bits(&mut self, bit: usize, bits: u32) {
        let mut tensix = self.tensix();
        let row = tensix.l1_row_mut(bit / 128).expect("windows show the first 16 KiB of L1");
        row[bit / 32 % 4] |= bits << (bit % 32);
    }

    /// The data at a place.
    fn data(&self, place: Place) -> Vec<Datum> {
        let word = |bank, row, column| self.state.word(bank, row, column);
        // Window n shows page n of L1.
        let bits = |bit: usize, width| word(bank::L1, bit / 128, bit / 32 % 4) >> (bit % 32) & u32::MAX >> (32 - width);
        let datum = |index: usize| {
            let (row, column) = (index / 16, index % 16);
            match place {
                Place::SrcA(format) => Datum::new(format, word(bank::SRCA, row, column)),
                Place::Dst(format, false) => Datum::new(format, word(bank::DST, row, column)),
                Place::Dst(format, true) => {
                    let high = 2 * (row & !7) + row % 8;
                    Datum::new(format, word(bank::DST, high, column) << 16 | word(bank::DST, high + 8, column))
                }
                Place::L1(format) => {
                    let ((exponents, first), width) = (places(format, OUTPUT), format.datum.width());
                    let exponent = format.block.map_or(0, |_| bits(8 * (exponents + index / BLOCK), 8));
                    Datum::in_l1(format, bits(8 * first + width as usize * index, width), exponent)
                }
            }
        };
        (0..self.count).map(datum).collect()
    }

    // ---------------------------------------------------------------------------------------------- instructions

    /// Runs an instruction several times, each with fields of the code: what is then at a place.
    fn run<const N: usize>(&mut self, name: &str, codes: &[[(CodeField, u32); N]], place: Place) -> Stage {
        let instruction = self.suite.isa.instruction(name).expect("both chips have it");
        let (at, format) = match place {
            Place::SrcA(format) => ("SrcA", format.name),
            Place::Dst(format, _) => ("Dst", format.name),
            Place::L1(format) => ("L1", format.name()),
        };
        // What a layout is called begins with where it is.
        let format = format.split(' ').next_back().unwrap_or_default();
        let configuration = std::mem::take(&mut self.said);
        let mut stage = Stage { by: instruction.name.to_string(), at, format, configuration, ..Stage::default() };
        for fields in codes {
            let mut code = Code::new(instruction.base_code);
            fields.iter().for_each(|(field, value)| field.set(&mut code, *value));
            stage.text.push(instruction.print(&code));
            let step = Step { instruction: instruction.facts, edition: Edition::Newest, code: &code };
            let expectation = self.reference.execute_behind(&step, &mut self.state);
            // What is done but not contractual goes on.
            if expectation.required_answer() != Some(Answer::Done) {
                stage.refused = not_promised(expectation);
                return stage;
            }
        }
        stage.data = self.data(place);
        stage
    }

    /// `UNPACR_REGULAR`: a face from L1 to `Dst`, or to `SrcA`, which is then the Matrix Unit's.
    pub(super) fn unpack(&mut self, from: u32, to: u32, place: Place) -> Stage {
        let (chip, to_dst) = (self.chip, u32::from(matches!(place, Place::Dst(..))));
        let own = |field: UnpackField| field.of(chip, 0);
        self.decide(&[
            (own(unpack::REG0_TileDescriptor_InDataFormat), from),
            (own(unpack::REG2_Out_data_format), to),
            (own(unpack::REG2_Unpack_if_sel_cntx0), to_dst),
        ]);
        self.set(&[
            (own(unpack::REG5_Tile_x_dim_cntx0), LAST_X + 1),
            (own(unpack::REG0_TileDescriptor_YDim), 1),
            (own(unpack::REG2_Disable_zero_compress_cntx0), 1),
            (own(unpack::REG2_Throttle_mode), 2),
            (own(unpack::REG2_Unpack_limit_address), 0x1_ffff),
            // The first four rows do not count.
            (own(unpack::REG5_Dest_cntx0_address), 64),
        ]);
        let ovrd = chip.pick(config::SRCA_SET_SetOvrdWithAddr, blackhole::SRCA_SET_SetOvrdWithAddr);
        self.of_thread(&[(ovrd, 1 - to_dst)]);
        let small = self.tensix().small;
        small.adcs[0].unpacker[0][1].x = LAST_X;
        small.srca_allowed_client = [UNPACKERS; 2];
        self.run("unpacr_regular", &[[(MULTI_CONTEXT_MODE, 1), (FLIP_SRC, 1 - to_dst)]], place)
    }

    /// The formats of the sources are those that are configured, on Blackhole too.
    fn configured_formats(&mut self) {
        if self.chip == Chip::Blackhole {
            let fields = [blackhole::DISABLE_IMPLIED_SRCA_FMT_Base, blackhole::DISABLE_IMPLIED_SRCB_FMT_Base];
            self.of_thread(&fields.map(|field| (field, 1)));
        }
    }

    /// `MOVA2D`: sixteen rows from `SrcA` to `Dst`. Of integers what looks like a denormal is kept.
    pub(super) fn move_to(&mut self, place: Place, to: &L1Format) -> Stage {
        self.configured_formats();
        self.decide(&[
            (config::ALU_FORMAT_SPEC_REG0_SrcA, if to.code == FP32 { TF32 } else { to.code }),
            (config::ALU_ACC_CTRL_Fp32_enabled, u32::from(to.code == FP32)),
            (config::ALU_ACC_CTRL_Zero_Flag_disabled_src, u32::from(to.is_integer())),
        ]);
        self.run("mova2d", &[0, ROWS].map(|row| [(MOVE8_ROWS, 1), (SRC_ROW, row), (DST_ROW, row)]), place)
    }

    /// `ELWADD`: sixteen rows of `SrcA` and of `SrcB`, which are zero, to `Dst`.
    pub(super) fn add_to(&mut self, place: Place) -> Stage {
        self.configured_formats();
        self.decide(&[
            (config::ALU_FORMAT_SPEC_REG0_SrcA, INT8),
            (config::ALU_FORMAT_SPEC_REG1_SrcB, INT8),
            (config::ALU_ACC_CTRL_INT8_math_enabled, 1),
        ]);
        // The rows go on behind the first.
        let sections = self.chip.addr_mod_sections();
        let sources = [config::SrcAIncr, config::SrcBIncr].map(|field| (field.of_section(sections.ab, 0), ROWS));
        self.of_thread(&sources);
        self.of_thread(&[(config::DestIncr.of_section(sections.dst, 0), ROWS)]);
        self.run("elwadd", &[[]; 2], place)
    }

    /// `PACR`: sixteen rows of `Dst` to L1, from the machine as it is, which is left so.
    pub(super) fn pack(&mut self, early: Early, to: &'static L1Format, relu: bool) -> Stage {
        let mut before = State::zeroed(self.state.layout);
        before.copy_from(&self.state);
        let (chip, code) = (self.chip, early.format);
        let own = |field: PackerField| field.of(chip, 0).expect("both chips have it");
        let (_, _, is_wide) = early.between.layouts();
        self.decide(&[
            (pack::PCK_DEST_RD_CTRL_Read_32b_data.of(chip), u32::from(is_wide)),
            (pack::PCK_DEST_RD_CTRL_Read_int8.of(chip), u32::from(early.is_raw)),
            (pack::PCK_DEST_RD_CTRL_Read_unsigned.of(chip), 0),
            (pack::PCK_DEST_RD_CTRL_Round_10b_mant.of(chip), 0),
            (config::ALU_FORMAT_SPEC_REG2_Dstacc, code),
            (own(pack::In_data_format), code),
            (own(pack::Out_data_format), to.code),
            (pack::STACC_RELU_ApplyRelu.of(chip), u32::from(relu)),
        ]);
        // Of a section of exponents there is one row of 16 bytes.
        let (_, first) = places(to, OUTPUT);
        self.set(&[
            (own(pack::Exp_section_size), u32::from(first != OUTPUT)),
            (own(pack::L1_Dest_addr), OUTPUT_ROW),
            (own(pack::Sub_l1_tile_header_size), 1),
            (own(pack::Disable_zero_compress), 1),
            (pack::pack_limit_address(chip, 0), 0x1_ffff),
            (pack::PACK_COUNTERS_SEC_pack_reads_per_xy_plane[0].of(chip), 16),
            (pack::PCK0_ADDR_CTRL_XY_REG_0_Ystride.of(chip), 16 * [4, 2, 1, 1][code as usize % 4]),
        ]);
        self.set(&pack::PCK_EDGE_OFFSET_SEC_mask.map(|mask| (mask.of(chip), 0xffff)));
        // Wormhole's packer takes all rows, and four interfaces of Blackhole's four of them at a time.
        let (count, last, mask) = chip.pick((1, LAST_X, (PACKER_MASK, 1)), (4, 15, (READ_INTF_SEL, 15)));
        self.of_thread(&[(pack::ADDR_MOD_PACK_FIELDS[0].of_section(chip.addr_mod_sections().pack, 0), 4)]);
        let small = self.tensix().small;
        small.adcs[0].packers = Default::default();
        small.adcs[0].packers[1].x = last;
        small.packers[0].streams.iter_mut().for_each(|stream| stream.needs_new_address = 1);
        let codes: Vec<_> = (1..=count).map(|one| [mask, (LAST, u32::from(one == count))]).collect();
        let stage = self.run("pacr", &codes, Place::L1(to));
        self.state.copy_from(&before);
        self.state.tracker.clear();
        stage
    }
}

/// Where a face that begins at an address has its exponents, and where its data.
const fn places(format: &L1Format, first: usize) -> (usize, usize) {
    (first, if format.block.is_some() { first + FACE / BLOCK } else { first })
}
