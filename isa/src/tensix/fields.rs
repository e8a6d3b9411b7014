//! The named fields of the small state, for each chip.

use std::sync::LazyLock;

use super::Chip;
use super::config::{self, THREAD_CONFIG_WORDS, blackhole, pack, unpack};
use super::state::{
    AdcChannel, Adcs, FlagStack, L1_WINDOWS, Latched, MMIO_BASES, MmioWord, PACKERS, Packer, PackerStream, Rwc,
    Semaphore, Small,
};
use crate::{Field, FieldRole, WordSize};

/// The fields of Wormhole.
pub(super) static WORMHOLE: LazyLock<Vec<Field>> = LazyLock::new(|| fields(Chip::Wormhole));
/// The fields of Blackhole.
pub(super) static BLACKHOLE: LazyLock<Vec<Field>> = LazyLock::new(|| fields(Chip::Blackhole));

struct FieldList(Vec<Field>);

impl FieldList {
    fn word(&mut self, name: impl Into<String>, role: FieldRole, byte: usize, width: u32) {
        self.bits(name, role, byte, 0, width);
    }

    fn bits(&mut self, name: impl Into<String>, role: FieldRole, byte: usize, shift: u32, width: u32) {
        let max = if width >= 32 { u32::MAX } else { (1 << width) - 1 };
        let word = WordSize::U32;
        let name = name.into();
        let key = Field::key_of(&name);
        self.0.push(Field { name, role, byte, word, shift, width, max, base: 0, address: None, key });
    }

    /// A field of one bank of `Config`, or of both, which then share its word.
    fn config(&mut self, chip: Chip, state_id: Option<usize>, field: &config::ConfigField, role: FieldRole) {
        let bank = state_id.map_or_else(|| "Config".to_string(), |state_id| format!("Config[{state_id}]"));
        let byte = Small::config_offset(chip, state_id.unwrap_or(0), field.addr32).expect("the word is in the state");
        self.bits(format!("{bank}.{}", field.name), role, byte, field.shift, field.width);
        let address = u32::try_from(field.addr32).expect("an address fits");
        self.0.last_mut().expect("just pushed").address = Some(("Config", address));
    }

    fn thread_config(&mut self, thread: usize, name: String, field: config::ThreadConfigField) {
        let byte = std::mem::offset_of!(Small, thread_config) + 2 * (thread * THREAD_CONFIG_WORDS + field.addr);
        self.bits(name, FieldRole::Config, byte, field.shift, field.width);
        let last = self.0.last_mut().expect("just pushed");
        last.word = WordSize::U16;
        last.address = Some(("ThreadConfig", u32::try_from(field.addr).expect("an address fits")));
    }

    /// The configuration of the Packers, and what they keep.
    fn packers(&mut self, chip: Chip) {
        use FieldRole::{AddressCounter, UnitConfig};
        for state_id in 0..2 {
            for packer in 0..PACKERS {
                let fields = pack::OF_PACKER.iter().filter_map(|field| field.of(chip, packer));
                let limits = [pack::pack_limit_address(chip, packer), pack::pack_fifo_size(chip, packer)];
                for field in fields.chain(limits) {
                    self.config(chip, Some(state_id), &field, UnitConfig);
                }
            }
            for field in pack::SHARED {
                self.config(chip, Some(state_id), &field.of(chip), UnitConfig);
            }
            let own: &[_] = &[pack::THCON_SEC0_REG1_All_pack_disable_zero_compress];
            for field in chip.pick(own, pack::OF_BLACKHOLE) {
                self.config(chip, Some(state_id), field, UnitConfig);
            }
        }
        for field in chip.pick(pack::GLOBAL_WORMHOLE, pack::GLOBAL_BLACKHOLE) {
            self.config(chip, None, field, UnitConfig);
        }
        for thread in 0..3 {
            for section in 0..pack::ADDR_MOD_PACK_SECTIONS {
                for field in pack::ADDR_MOD_PACK_FIELDS {
                    let name = format!("ThreadConfig[{thread}].ADDR_MOD_PACK_SEC[{section}].{}", field.name);
                    self.thread_config(thread, name, field.of_section(chip.addr_mod_sections().pack, section));
                    self.0.last_mut().expect("just pushed").role = UnitConfig;
                }
            }
            let field = pack::enable_acc_stats(chip);
            self.thread_config(thread, format!("ThreadConfig[{thread}].{}", field.name), field);
            self.0.last_mut().expect("just pushed").role = UnitConfig;
        }
        for packer in 0..chip.pick(PACKERS, 1) {
            let first = std::mem::offset_of!(Small, packers) + packer * size_of::<Packer>();
            for (number, name) in ["ExponentStream", "DataStream"].into_iter().enumerate() {
                let name = format!("Packers[{packer}].{name}");
                let at = first + number * size_of::<PackerStream>();
                self.bits(format!("{name}.ByteAddress"), AddressCounter, at, 4, 17);
                let needs = at + std::mem::offset_of!(PackerStream, needs_new_address);
                self.word(format!("{name}.NeedsNewAddress"), AddressCounter, needs, 1);
                self.0.last_mut().expect("just pushed").base = 1;
                self.word(format!("{name}.Filled"), AddressCounter, at + std::mem::offset_of!(PackerStream, filled), 4);
                for word in 0..4 {
                    let byte = at + std::mem::offset_of!(PackerStream, buffer) + 4 * word;
                    self.word(format!("{name}.Buffer[{word}]"), FieldRole::Guard, byte, 32);
                }
            }
            let position = chip.pick("TilePositionGenerator.Y", "TilePosition");
            for (name, byte, width) in [
                ("TilePositionGenerator.X", std::mem::offset_of!(Packer, x), chip.pick(4, 0)),
                (position, std::mem::offset_of!(Packer, y), 8),
                ("TilePositionGenerator.Z", std::mem::offset_of!(Packer, z), 8),
                ("l1_dest_addr_offset", std::mem::offset_of!(Packer, l1_dest_addr_offset), 16),
            ] {
                if width > 0 {
                    self.word(format!("Packers[{packer}].{name}"), AddressCounter, first + byte, width);
                }
            }
        }
    }

    /// The bits of words of configuration that have no field yet, as runs of bits: for example `Word3Bits0to13`.
    fn unnamed(&mut self, chip: Chip) {
        let mut words = Vec::new();
        // The words that both banks share have no number of a bank.
        let (shared, all) = (chip.global_cfgreg_base(), chip.config_size());
        let banks = [("Config[0]", 0, 0..shared), ("Config[1]", 1, 0..shared), ("Config", 0, shared..all)];
        for (bank, state_id, indices) in banks {
            for index in indices {
                if let Some(byte) = Small::config_offset(chip, state_id, index) {
                    words.push((bank.to_string(), "Config", index, byte, WordSize::U32));
                }
            }
        }
        for thread in 0..3 {
            for index in 0..chip.thread_config_size() {
                let byte = std::mem::offset_of!(Small, thread_config) + 2 * (thread * THREAD_CONFIG_WORDS + index);
                words.push((format!("ThreadConfig[{thread}]"), "ThreadConfig", index, byte, WordSize::U16));
            }
        }
        for (bank, space, index, byte, size) in words {
            let named = self.0.iter().filter(|field| field.byte == byte);
            let named: u64 =
                named.map(|field| ((1 << field.width) - 1) << field.shift).fold(0, |all, bits: u64| all | bits);
            let end = 8 * u32::try_from(size.bytes()).expect("a word is short");
            let mut first = 0;
            while first < end {
                let is_named = |bit: &u32| named >> bit & 1 != 0;
                if is_named(&first) {
                    first += 1;
                    continue;
                }
                let behind = (first..end).find(is_named).unwrap_or(end);
                let bits =
                    if behind - first == 1 { format!("Bit{first}") } else { format!("Bits{first}to{}", behind - 1) };
                let name = format!("{bank}.Word{index}{bits}");
                self.bits(name, FieldRole::Unnamed, byte, first, behind - first);
                let last = self.0.last_mut().expect("just pushed");
                last.word = size;
                last.address = Some((space, u32::try_from(index).expect("an address fits")));
                first = behind;
            }
        }
    }
}

fn fields(chip: Chip) -> Vec<Field> {
    use FieldRole::{Config, Context, Counter, Flag, Guard, Latch, Stack};
    let mut list = FieldList(Vec::new());
    list.word("CurrentThread", Context, std::mem::offset_of!(Small, current_thread), 2);
    list.0[0].max = 2;
    list.word("MatrixUnit.SrcABank", Flag, std::mem::offset_of!(Small, matrix_unit_srca_bank), 1);
    list.word("MatrixUnit.SrcBBank", Flag, std::mem::offset_of!(Small, matrix_unit_srcb_bank), 1);
    for bank in 0..2 {
        let at = |offset: usize| offset + 4 * bank;
        list.word(format!("Unpackers[{bank}].SrcBank"), Flag, at(std::mem::offset_of!(Small, unpackers_src_bank)), 1);
        list.word(format!("SrcA[{bank}].AllowedClient"), Flag, at(std::mem::offset_of!(Small, srca_allowed_client)), 1);
        list.word(format!("SrcB[{bank}].AllowedClient"), Flag, at(std::mem::offset_of!(Small, srcb_allowed_client)), 1);
    }
    list.word("LaneFlags", Flag, std::mem::offset_of!(Small, lane_flags), 32);
    list.word("UseLaneFlagsForLaneEnable", Flag, std::mem::offset_of!(Small, use_lane_flags_for_lane_enable), 32);
    const RWC_FIELDS: [(&str, u32); 8] = [
        ("Dst", 10),
        ("Dst_Cr", 10),
        ("SrcA", 6),
        ("SrcA_Cr", 6),
        ("SrcB", 6),
        ("SrcB_Cr", 6),
        ("FidelityPhase", 2),
        ("ExtraAddrModBit", 1),
    ];
    for thread in 0..3 {
        for (index, (name, width)) in RWC_FIELDS.into_iter().enumerate() {
            let byte = std::mem::offset_of!(Small, rwcs) + thread * size_of::<Rwc>() + 4 * index;
            list.word(format!("RWCs[{thread}].{name}"), Counter, byte, width);
        }
        if chip == Chip::Blackhole {
            list.word(format!("RWCs[{thread}].Sp"), Counter, std::mem::offset_of!(Small, sp) + 4 * thread, 10);
        }
    }
    const LANE_CONFIG_FIELDS: [(&str, u32, u32); 11] = [
        ("ENABLE_FP16A_INF", 0, 1),
        ("DISABLE_BACKDOOR_LOAD", 1, 1),
        ("ENABLE_DEST_INDEX", 2, 1),
        ("CAPTURE_DEFAULT_DEST_INDEX", 3, 1),
        ("BLOCK_DEST_WR_FROM_SFPU", 4, 1),
        ("BLOCK_SFPU_RD_FROM_DEST", 5, 1),
        ("DEST_RD_COL_EXCHANGE", 6, 1),
        ("DEST_WR_COL_EXCHANGE", 7, 1),
        ("EXCHANGE_SRCB_SRCC", 8, 1),
        ("BLOCK_DEST_MOV", 9, 2),
        ("ROW_MASK", 12, 4),
    ];
    for lane in 0..8 {
        for (name, shift, width) in LANE_CONFIG_FIELDS {
            let byte = std::mem::offset_of!(Small, lane_config) + 4 * lane;
            list.bits(format!("LaneConfig[{lane}].{name}"), Config, byte, shift, width);
        }
    }
    for semaphore in 0..8 {
        let byte = std::mem::offset_of!(Small, semaphores) + semaphore * size_of::<Semaphore>();
        list.word(format!("Semaphores[{semaphore}].Value"), Counter, byte, 4);
        list.word(format!("Semaphores[{semaphore}].Max"), Config, byte + 4, 4);
    }
    for state_id in 0..2 {
        for field in chip.config_fields() {
            list.config(chip, Some(state_id), field, Config);
        }
    }
    let sections = chip.addr_mod_sections();
    for thread in 0..3 {
        for &field in chip.thread_config_fields() {
            list.thread_config(thread, format!("ThreadConfig[{thread}].{}", field.name), field);
        }
        for section in 0..config::ADDR_MOD_SECTIONS {
            for (name, fields, array) in [
                ("ADDR_MOD_AB_SEC", config::ADDR_MOD_AB_FIELDS, sections.ab),
                ("ADDR_MOD_DST_SEC", config::ADDR_MOD_DST_FIELDS, sections.dst),
                ("ADDR_MOD_BIAS_SEC", config::ADDR_MOD_BIAS_FIELDS, sections.bias),
            ] {
                for field in fields {
                    let name = format!("ThreadConfig[{thread}].{name}[{section}].{}", field.name);
                    list.thread_config(thread, name, field.of_section(array, section));
                }
            }
        }
    }
    if chip == Chip::Blackhole {
        for bank in 0..2 {
            let at = |offset: usize| offset + 4 * bank;
            let [srca, srcb] =
                [std::mem::offset_of!(Small, implied_srca_fmt), std::mem::offset_of!(Small, implied_srcb_fmt)];
            list.word(format!("ImpliedSrcAFmt[{bank}]"), Config, at(srca), 4);
            list.word(format!("ImpliedSrcBFmt[{bank}]"), Config, at(srcb), 4);
        }
        for word in 0..4 {
            let byte = std::mem::offset_of!(Small, risc_data) + 4 * word;
            list.word(format!("RISCV.Data[{word}]"), FieldRole::Register, byte, 32);
        }
        for field in blackhole::GLOBAL_FIELDS {
            list.config(chip, None, field, Config);
        }
    }
    for unpacker in 0..2 {
        for thread in 0..3 {
            let byte = std::mem::offset_of!(Small, unpackers_src_row) + 4 * (3 * unpacker + thread);
            list.word(format!("Unpackers[{unpacker}].SrcRow[{thread}]"), Counter, byte, 6);
        }
    }
    list.word("HardwareBug", Counter, std::mem::offset_of!(Small, hardware_bug), 6);
    for thread in 0..3 {
        let first = std::mem::offset_of!(Small, latched) + thread * size_of::<Latched>();
        let members = [("Opcode", 2), ("ConditionMask", chip.pick(15, 13)), ("BlockMask", 9), ("SemaphoreMask", 8)];
        for (index, (name, width)) in members.into_iter().enumerate() {
            list.word(format!("WaitGate[{thread}].LatchedWaitInstruction.{name}"), Latch, first + 4 * index, width);
        }
        let opcode = list.0.len() - members.len();
        list.0[opcode].max = Latched::SEMWAIT;
    }
    for lane in 0..8 {
        for (name, shift, width) in [("Reserved11", 11, 1), ("Reserved16", 16, 2)] {
            let byte = std::mem::offset_of!(Small, lane_config) + 4 * lane;
            list.bits(format!("LaneConfig[{lane}].{name}"), Config, byte, shift, width);
        }
    }
    if chip == Chip::Blackhole {
        for state_id in 0..2 {
            for field in blackhole::OUT_DATA_FORMAT_FIELDS {
                list.config(chip, Some(state_id), field, Config);
            }
        }
    }
    const STACK_FIELDS: [(&str, usize); 3] = [
        ("Occupied", std::mem::offset_of!(FlagStack, occupied)),
        ("LaneFlags", std::mem::offset_of!(FlagStack, lane_flags)),
        ("UseLaneFlagsForLaneEnable", std::mem::offset_of!(FlagStack, use_lane_flags_for_lane_enable)),
    ];
    for entry in 0..8 {
        for (name, array) in STACK_FIELDS {
            let byte = std::mem::offset_of!(Small, flag_stack) + array + 4 * entry;
            list.word(format!("FlagStack[{entry}].{name}"), Stack, byte, 32);
        }
    }
    for lane in 0..8 {
        let byte = std::mem::offset_of!(Small, load_macro_misc) + 4 * lane;
        list.word(format!("LoadMacroConfig[{lane}].Misc"), Config, byte, 12);
    }
    for &mutex in chip.mutexes() {
        list.word(format!("Mutex[{mutex}].HeldBy"), Guard, std::mem::offset_of!(Small, mutex_held_by) + mutex, 2);
        list.0.last_mut().expect("just pushed").word = WordSize::U8;
    }
    if chip == Chip::Blackhole {
        for thread in 0..3 {
            let latched = std::mem::offset_of!(Small, latched) + thread * size_of::<Latched>();
            let at = |member: usize| latched + member;
            for (name, byte, shift, width) in [
                (
                    "Opcode.STREAMWAIT",
                    at(std::mem::offset_of!(Latched, opcode)),
                    Latched::STREAMWAIT.trailing_zeros(),
                    1,
                ),
                ("TargetValue", at(std::mem::offset_of!(Latched, target_value)), 0, 20),
                ("StreamSelect", at(std::mem::offset_of!(Latched, stream_select)), 0, 2),
            ] {
                let name = format!("WaitGate[{thread}].LatchedWaitInstruction.{name}");
                list.bits(name, Guard, byte, shift, width);
            }
        }
    }
    // Of Blackhole the output formats stand above.
    let own = |field: &&unpack::UnpackField| chip == Chip::Wormhole || **field != unpack::REG2_Out_data_format;
    for state_id in 0..2 {
        for unpacker in 0..2 {
            for field in unpack::ALL.iter().filter(own) {
                list.config(chip, Some(state_id), &field.of(chip, unpacker), FieldRole::UnitConfig);
            }
        }
        for field in chip.pick(&[][..], blackhole::UNPACK_FIELDS) {
            list.config(chip, Some(state_id), field, FieldRole::UnitConfig);
        }
        for field in unpack::blobs_y_start_cntx(chip) {
            list.config(chip, Some(state_id), &field, FieldRole::UnitConfig);
        }
        for field in chip.pick(config::MOVER_FIELDS, blackhole::MOVER_FIELDS) {
            list.config(chip, Some(state_id), field, FieldRole::UnitConfig);
        }
    }
    if chip == Chip::Blackhole {
        for field in blackhole::SCRATCH_FIELDS {
            list.config(chip, None, field, FieldRole::UnitConfig);
        }
    }
    for thread in 0..3 {
        for &field in chip.pick(config::UNPACK_THREAD_FIELDS, blackhole::UNPACK_THREAD_FIELDS) {
            list.thread_config(thread, format!("ThreadConfig[{thread}].{}", field.name), field);
            list.0.last_mut().expect("just pushed").role = FieldRole::UnitConfig;
        }
    }
    // Z and W of Wormhole have eight bits.
    let adc_fields = [("X", 18), ("X_Cr", 18), ("Y", 13), ("Y_Cr", 13)];
    let adc_fields = adc_fields.into_iter().chain(["Z", "Z_Cr", "W", "W_Cr"].map(|name| (name, chip.pick(8, 13))));
    for thread in 0..3 {
        for (unit, channels) in ["Unpacker[0]", "Unpacker[1]", "Packers"].into_iter().enumerate() {
            for channel in 0..2 {
                let first = std::mem::offset_of!(Small, adcs) + thread * size_of::<Adcs>();
                let first = first + (2 * unit + channel) * size_of::<AdcChannel>();
                for (index, (name, width)) in adc_fields.clone().enumerate() {
                    let name = format!("ADCs[{thread}].{channels}.Channel[{channel}].{name}");
                    list.word(name, FieldRole::AddressCounter, first + 4 * index, width);
                }
            }
        }
    }
    for unpacker in 0..2 {
        for thread in 0..3 {
            let byte = std::mem::offset_of!(Small, unpackers_context_counter) + 4 * (3 * unpacker + thread);
            list.word(format!("Unpackers[{unpacker}].ContextCounter[{thread}]"), FieldRole::AddressCounter, byte, 3);
        }
    }
    for window in 0..L1_WINDOWS {
        list.word(format!("L1Windows[{window}].Page"), Guard, std::mem::offset_of!(Small, l1_pages) + 2 * window, 13);
        let field = list.0.last_mut().expect("just pushed");
        field.word = WordSize::U16;
        field.max = u32::try_from(chip.l1_bytes() / 256 - 1).expect("a page number is short");
        field.base = u32::try_from(window).expect("a window's number is short");
    }
    for (number, base) in MMIO_BASES.into_iter().enumerate() {
        let first = std::mem::offset_of!(Small, mmio) + number * size_of::<MmioWord>();
        list.word(format!("Mmio[{number}].AddrLo"), Guard, first, 18);
        list.0.last_mut().expect("just pushed").base = base;
        list.word(format!("Mmio[{number}].Word"), Guard, first + std::mem::offset_of!(MmioWord, word), 32);
    }
    list.packers(chip);
    list.unnamed(chip);
    list.0
}
