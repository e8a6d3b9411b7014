//! The machine: what is configured for each instruction, and where its data are.

use tandem_harness::IsaSuite;
use tandem_isa::tensix::config::pack::{self, PackerField};
use tandem_isa::tensix::config::unpack::{self, UnpackField};
use tandem_isa::tensix::config::{self, ConfigField, ThreadConfigField, blackhole};
use tandem_isa::tensix::format::{CODE_NAMES, FP32, INT8, TF32};
use tandem_isa::tensix::inst::control::{FLIP_SRCA, FLIP_SRCB};
use tandem_isa::tensix::inst::mova2d::MOVE8_ROWS;
use tandem_isa::tensix::inst::pack::{self as pacr, LAST, PACKER_MASK, READ_INTF_SEL};
use tandem_isa::tensix::inst::unpack::{CH0_Z_INC, CH1_Z_INC, FLIP_SRC, MULTI_CONTEXT_MODE, WHICH_UNPACKER};
use tandem_isa::tensix::inst::{matrix, moves};
use tandem_isa::tensix::{Chip, Tensix, UNPACKERS, bank};
use tandem_isa::{Answer, Code, CodeField, Format, Instruction, Reference, State};

use super::numbers::{BLOCK, FACE, FACES};
use super::{Datum, Early, L1Format, Setting, Stage, step};
use crate::answers::not_promised;

/// Where a tile lies in L1, in bytes, behind its header: for each Unpacker, and where a packer puts it.
pub(super) const INPUTS: [usize; 2] = [16, 0x1010];
const OUTPUT: usize = 0x2000;
/// The same in rows of 16 bytes.
const OUTPUT_ROW: u32 = 0x200;
/// X of the last datum of a face.
const LAST_X: u32 = 255;
/// Rows that an instruction of the Matrix Unit takes.
const ROWS: u32 = 8;

/// An instruction that is to run.
pub type Issue = (&'static Instruction, Code);

/// Where data are: in a layout, and of `Dst` whether in two rows.
#[derive(Clone, Copy)]
pub(super) enum Place {
    SrcA(&'static Format),
    Dst(&'static Format, bool),
    L1(&'static L1Format),
}

/// A chip that has a tile in L1, the faces of which it brings to `Dst` one after the other.
pub(super) struct Machine<'a> {
    suite: &'a IsaSuite,
    chip: Chip,
    reference: Box<dyn Reference>,
    pub(super) state: State,
    /// The data that are looked at, by where they lie in memory: face by face.
    spots: Vec<usize>,
    said: Vec<Setting>,
}

impl<'a> Machine<'a> {
    pub(super) fn new(suite: &'a IsaSuite, spots: Vec<usize>) -> Self {
        let chip = Chip::named(suite.isa.name).expect("the instruction set is one of Tensix");
        let (reference, state) = ((suite.reference)(), suite.isa.base_state());
        Machine { suite, chip, reference, state, spots, said: Vec::new() }
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

    /// Writes the data of a format that are looked at to where an Unpacker finds a tile, whose rest is zero.
    pub(super) fn put(&mut self, format: &L1Format, data: &[Datum], unpacker: usize) {
        let ((exponents, first), width) = (places(format, INPUTS[unpacker]), format.datum.width() as usize);
        for (index, datum) in data.iter().enumerate() {
            let spot = self.spots[index];
            if format.block.is_some() {
                // Those of a block have the same.
                self.put_bits(8 * (exponents + spot / BLOCK), datum.exponent);
            }
            self.put_bits(8 * first + width * spot, datum.word);
        }
    }

    /// Adds bits at a place that is a multiple of their number.
    fn put_bits(&mut self, bit: usize, bits: u32) {
        let mut tensix = self.tensix();
        let row = tensix.l1_row_mut(bit / 128).expect("windows show the first 16 KiB of L1");
        row[bit / 32 % 4] |= bits << (bit % 32);
    }

    /// The data at a place. `SrcA` has one face in each of its banks.
    pub(super) fn data(&self, place: Place) -> Vec<Datum> {
        let word = |bank, row, column| self.state.word(bank, row, column);
        // Window n shows page n of L1.
        let bits = |bit: usize, width| word(bank::L1, bit / 128, bit / 32 % 4) >> (bit % 32) & u32::MAX >> (32 - width);
        let datum = |index: usize| {
            let (row, column) = (index / 16, index % 16);
            match place {
                Place::SrcA(format) => {
                    let (face, row) = (row / 16, row % 16);
                    Datum::new(format, word(bank::SRCA, 64 * (face % 2) + row, column))
                }
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
        self.spots.iter().map(|&spot| datum(spot)).collect()
    }

    // ---------------------------------------------------------------------------------------------- instructions

    fn issue<const N: usize>(&self, name: &str, fields: [(CodeField, u32); N]) -> Issue {
        let instruction = self.suite.isa.instruction(name).expect("both chips have it");
        let mut code = Code::new(instruction.base_code);
        fields.iter().for_each(|(field, value)| field.set(&mut code, *value));
        (instruction, code)
    }

    /// A stage that is configured, at a place, and nothing of it has run.
    fn stage(&mut self, by: &str, place: Place) -> Stage {
        let (at, format) = match place {
            Place::SrcA(format) => ("SrcA", format.name),
            Place::Dst(format, _) => ("Dst", format.name),
            Place::L1(format) => ("L1", format.name()),
        };
        // What a layout is called begins with where it is.
        let format = format.split(' ').next_back().unwrap_or_default();
        let by = self.issue(by, []).0.name.to_string();
        Stage { by, at, format, configuration: std::mem::take(&mut self.said), ..Stage::default() }
    }

    /// Runs the instructions of a stage for a face: what is then at a place.
    pub(super) fn run(&mut self, issues: &[Issue], stage: &mut Stage, (place, face): (Place, usize)) {
        for issue @ (instruction, code) in issues {
            if face == 0 {
                stage.text.push(instruction.print(code));
            }
            let expectation = self.reference.execute_behind(&step(issue), &mut self.state);
            // What is done but not contractual goes on.
            if expectation.required_answer() != Some(Answer::Done) {
                stage.refused = not_promised(expectation);
                stage.data.clear();
                return;
            }
        }
        let data = self.data(place);
        if face == 0 {
            stage.data = data;
        } else {
            let of_face = |spot: usize| spot / FACE == face;
            let pairs = stage.data.iter_mut().zip(data).zip(&self.spots);
            pairs.filter(|(_, spot)| of_face(**spot)).for_each(|((old, new), _)| *old = new);
        }
    }

    /// The banks of `SrcA` are the Unpackers' again.
    pub(super) fn take_back(&mut self) {
        self.tensix().small.srca_allowed_client = [UNPACKERS; 2];
    }

    /// Configures an Unpacker for a tile from L1 to `Dst`, or to its source, whose banks are then the Unpackers'.
    pub(super) fn unpack(&mut self, unpacker: usize, (from, to): (u32, u32), place: Place) -> Stage {
        let (chip, to_dst) = (self.chip, u32::from(matches!(place, Place::Dst(..))));
        let own = |field: UnpackField| field.of(chip, unpacker);
        self.decide(&[
            (own(unpack::REG0_TileDescriptor_InDataFormat), from),
            (own(unpack::REG2_Out_data_format), to),
            (own(unpack::REG2_Unpack_if_sel_cntx0), to_dst),
        ]);
        self.set(&[
            (own(unpack::REG0_TileDescriptor_XDim), LAST_X + 1),
            (own(unpack::REG5_Tile_x_dim_cntx0), LAST_X + 1),
            (own(unpack::REG0_TileDescriptor_YDim), 1),
            (own(unpack::REG0_TileDescriptor_ZDim), FACES as u32),
            (own(unpack::REG2_Disable_zero_compress_cntx0), 1),
            (own(unpack::REG2_Throttle_mode), 2),
            (own(unpack::REG2_Unpack_limit_address), 0x1_ffff),
            // A header of 16 bytes is in front of the tile.
            (own(unpack::REG3_Base_address), INPUTS[unpacker] as u32 / 16 - 1),
            // The first four rows do not count.
            (own(unpack::REG5_Dest_cntx0_address), 64),
            (own(unpack::ADDR_CTRL_ZW_REG_1_Zstride), face_bytes(to)),
        ]);
        let small = self.tensix().small;
        small.adcs[0].unpacker[unpacker][1].x = LAST_X;
        if unpacker == 0 {
            let ovrd = chip.pick(config::SRCA_SET_SetOvrdWithAddr, blackhole::SRCA_SET_SetOvrdWithAddr);
            self.of_thread(&[(ovrd, 1 - to_dst)]);
            self.take_back();
        } else {
            small.srcb_allowed_client = [UNPACKERS; 2];
        }
        self.stage("unpacr_regular", place)
    }

    /// `UNPACR_REGULAR`: a face, that which the counter Z says, which goes on to the next one.
    pub(super) fn unpacr(&self, unpacker: u32, to_dst: bool) -> Vec<Issue> {
        let to_dst = u32::from(to_dst);
        let fields = [(WHICH_UNPACKER, unpacker), (MULTI_CONTEXT_MODE, 1), (FLIP_SRC, 1 - to_dst)];
        let [which, multi, flip] = fields;
        vec![self.issue("unpacr_regular", [which, (CH1_Z_INC, to_dst), (CH0_Z_INC, 1), multi, flip])]
    }

    /// The formats of the sources are those that are configured, on Blackhole too.
    fn configured_formats(&mut self) {
        if self.chip == Chip::Blackhole {
            let fields = [blackhole::DISABLE_IMPLIED_SRCA_FMT_Base, blackhole::DISABLE_IMPLIED_SRCB_FMT_Base];
            self.of_thread(&fields.map(|field| (field, 1)));
        }
    }

    /// Eight rows a time to `Dst`, which go on, and behind a face those of the sources begin anew.
    fn rows_go_on(&mut self) {
        let sections = self.chip.addr_mod_sections();
        for field in [config::SrcAIncr, config::SrcBIncr] {
            self.of_thread(&[(field.of_section(sections.ab, 0), ROWS)]);
        }
        for field in [config::SrcAClear, config::SrcBClear] {
            self.of_thread(&[(field.of_section(sections.ab, 1), 1)]);
        }
        self.of_thread(&[0, 1].map(|section| (config::DestIncr.of_section(sections.dst, section), ROWS)));
    }

    /// Configures `MOVA2D`. Of integers what looks like a denormal is kept.
    pub(super) fn move_to(&mut self, place: Place, to: &L1Format) -> Stage {
        self.configured_formats();
        self.decide(&[
            (config::ALU_FORMAT_SPEC_REG0_SrcA, if to.code == FP32 { TF32 } else { to.code }),
            (config::ALU_ACC_CTRL_Fp32_enabled, u32::from(to.code == FP32)),
            (config::ALU_ACC_CTRL_Zero_Flag_disabled_src, u32::from(to.is_integer())),
        ]);
        self.rows_go_on();
        self.stage("mova2d", place)
    }

    /// `MOVA2D` of a face, from `SrcA` to `Dst`. `SETRWC` gives the bank back.
    pub(super) fn mova2d(&self) -> Vec<Issue> {
        let mova2d = |section| self.issue("mova2d", [(MOVE8_ROWS, 1), (moves::addr_mod(self.chip), section)]);
        vec![mova2d(0), mova2d(1), self.issue("setrwc", [(FLIP_SRCA, 1)])]
    }

    /// Configures `ELWADD` of integers.
    pub(super) fn add_to(&mut self, place: Place) -> Stage {
        self.configured_formats();
        self.decide(&[
            (config::ALU_FORMAT_SPEC_REG0_SrcA, INT8),
            (config::ALU_FORMAT_SPEC_REG1_SrcB, INT8),
            (config::ALU_ACC_CTRL_INT8_math_enabled, 1),
        ]);
        self.rows_go_on();
        self.stage("elwadd", place)
    }

    /// `ELWADD` of a face of both sources to `Dst`. It gives the banks back: that of `SrcB` if it was unpacked.
    pub(super) fn elwadd(&self, flips_b: bool) -> Vec<Issue> {
        let section = matrix::addr_mod(self.chip);
        let last = [(section, 1), (FLIP_SRCA, 1), (FLIP_SRCB, u32::from(flips_b))];
        vec![self.issue("elwadd", [(section, 0)]), self.issue("elwadd", last)]
    }

    /// Configures a packer for a tile from `Dst` to L1.
    pub(super) fn pack(&mut self, early: Early, to: &'static L1Format, relu: bool) -> Stage {
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
        // In rows of 16 bytes.
        let (_, first) = places(to, OUTPUT);
        self.set(&[
            (own(pack::Exp_section_size), (first - OUTPUT) as u32 / 16),
            (own(pack::L1_Dest_addr), OUTPUT_ROW),
            (own(pack::Sub_l1_tile_header_size), 1),
            (own(pack::Disable_zero_compress), 1),
            (pack::pack_limit_address(chip, 0), 0x1_ffff),
            (pack::PACK_COUNTERS_SEC_pack_reads_per_xy_plane[0].of(chip), 16),
            (pack::PCK0_ADDR_CTRL_XY_REG_0_Ystride.of(chip), face_bytes(code) / 16),
            (pack::PCK0_ADDR_CTRL_ZW_REG_0_Zstride.of(chip), face_bytes(code)),
        ]);
        self.set(&pack::PCK_EDGE_OFFSET_SEC_mask.map(|mask| (mask.of(chip), 0xffff)));
        // Four rows on, or a face.
        let sections = chip.addr_mod_sections().pack;
        for (name, section, value) in [("YsrcIncr", 0, 4), ("YsrcClear", 1, 1), ("ZsrcIncr", 1, 1)] {
            let field = pack::ADDR_MOD_PACK_FIELDS.iter().find(|field| field.name == name);
            self.of_thread(&[(field.expect("sections have it").of_section(sections, section), value)]);
        }
        let small = self.tensix().small;
        small.adcs[0].packers = Default::default();
        small.adcs[0].packers[1].x = chip.pick(LAST_X, 15);
        small.packers[0].streams.iter_mut().for_each(|stream| stream.needs_new_address = 1);
        self.stage("pacr", Place::L1(to))
    }

    /// `PACR` of so many faces: Wormhole's packer takes one, and four interfaces of Blackhole's four rows at a time.
    pub(super) fn pacr(&self, faces: usize) -> Vec<Issue> {
        let (a_face, mask) = self.chip.pick((1, (PACKER_MASK, 1)), (4, (READ_INTF_SEL, 15)));
        let count = a_face * faces;
        let one = |number: usize| {
            let section = u32::from(number.is_multiple_of(a_face));
            self.issue("pacr", [mask, (pacr::ADDR_MOD, section), (LAST, u32::from(number == count))])
        };
        (1..=count).map(one).collect()
    }

    /// Packs from the machine as it is, which is left so.
    pub(super) fn packed(&mut self, early: Early, to: &'static L1Format, (relu, faces): (bool, usize)) -> Stage {
        let mut before = State::zeroed(self.state.layout);
        before.copy_from(&self.state);
        let mut stage = self.pack(early, to, relu);
        self.run(&self.pacr(faces), &mut stage, (Place::L1(to), 0));
        self.state.copy_from(&before);
        self.state.tracker.clear();
        stage
    }
}

/// Bytes of a face whose data have a format.
const fn face_bytes(code: u32) -> u32 {
    FACE as u32 * [4, 2, 1, 1][code as usize % 4]
}

/// Where a tile that begins at an address has its exponents, and where its data.
const fn places(format: &L1Format, first: usize) -> (usize, usize) {
    (first, if format.block.is_some() { first + FACES * FACE / BLOCK } else { first })
}
