// The part of a process for tandem that is the same for every implementation: copy it as it is.
//
// It keeps the arena and the background, gives rows and fields by name, and speaks the binary protocol over standard
// input and output, where nothing else may be printed. It supposes a little-endian host.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

using u8 = uint8_t; using u16 = uint16_t; using u32 = uint32_t; using u64 = uint64_t;

enum Outcome : u32 { DONE, BLOCKED, UNSUPPORTED };
using Execute = Outcome (*)(const u32 *code);

// ---- the state ------------------------------------------------------------------------------------------------------

struct Bank { u64 offset; u32 first_row, row_bytes; };
struct Field { u32 byte, word_bytes, shift, mask; };

static std::vector<u8> state, background; // the arena as it is, and as it was loaded
static u8 *small;                         // the small state of the case at hand
static std::unordered_map<std::string, u32> first_rows;
static std::unordered_map<std::string, Field> fields;
static std::map<u32, Bank> banks;         // by their first rows
static std::map<u32, u32> dirty;          // the rows that the case wrote, and their sizes
static std::string reason;                // why the case is not done, if it is not
static std::vector<Execute> instructions;
static std::vector<u32> code_words;
static u32 small_bytes;

// What an instruction returns for a case that it does not do, before it has changed anything: why, in a few words.
[[maybe_unused]] static Outcome unsupported(const char *why) { reason = why; return UNSUPPORTED; }

static u64 offset_of(u32 row, u32 &bytes) {
    const Bank &bank = std::prev(banks.upper_bound(row))->second;
    bytes = bank.row_bytes;
    return bank.offset + u64(row - bank.first_row) * bytes;
}

// The number of the first row of a bank, among the rows of all banks.
[[maybe_unused]] static u32 first_row(const char *bank) { return first_rows.at(bank); }

template <class Word> static const Word *read_row(u32 row) {
    u32 bytes;
    return reinterpret_cast<const Word *>(&state[offset_of(row, bytes)]);
}

// A row to write: from here on it is reported, and put back after the case.
template <class Word> static Word *write_row(u32 row) {
    return reinterpret_cast<Word *>(&state[offset_of(row, dirty[row])]);
}

static u32 word_of(const Field &field) { u32 word = 0; memcpy(&word, small + field.byte, field.word_bytes); return word; }

static u32 get(const std::string &name) { const Field &f = fields.at(name); return word_of(f) >> f.shift & f.mask; }

// The value is cut to the width of the field, so counters wrap.
[[maybe_unused]] static void set(const std::string &name, u32 value) {
    const Field &field = fields.at(name);
    const u32 word = (word_of(field) & ~(field.mask << field.shift)) | (value & field.mask) << field.shift;
    memcpy(small + field.byte, &word, field.word_bytes);
}

// The name of one of several fields: at("RWCs", 2) is "RWCs[2]".
static std::string at(const char *array, u32 index) { return std::string(array) + "[" + std::to_string(index) + "]"; }

// ---- the protocol: frames of "TDM1", kind, sequence number, length of the payload, payload -------------------------

struct Reader {
    const u8 *next;
    template <class T> T number() { T value; memcpy(&value, bytes(sizeof value), sizeof value); return value; }
    const u8 *bytes(u64 len) { const u8 *taken = next; next += len; return taken; }
    std::string string() { const u16 len = number<u16>(); return {reinterpret_cast<const char *>(bytes(len)), len}; }
};

struct Writer {
    std::vector<u8> out;
    void bytes(const void *from, u64 len) { out.insert(out.end(), (const u8 *)from, (const u8 *)from + len); }
    void number(u32 value) { bytes(&value, 4); }
    template <class T> void array(const std::vector<T> &list) { bytes(list.data(), sizeof(T) * list.size()); }
    void string(const char *text) { const u16 len = u16(strlen(text)); bytes(&len, 2), bytes(text, len); }
};

static void send(u32 kind, u32 sequence, const Writer &payload) {
    const u32 header[4] = {0x314d4454, kind, sequence, u32(payload.out.size())}; // "TDM1"
    fwrite(header, 1, sizeof header, stdout);
    fwrite(payload.out.data(), 1, payload.out.size(), stdout), fflush(stdout);
}

template <class Implementation> static Writer describe(Reader in, Implementation implementation, const char *claims) {
    Writer flags, reply;
    u32 unknown = 1;
    const std::string isa = in.string();
    state.resize(in.number<u64>()), small_bytes = in.number<u32>();
    const u32 num_banks = in.number<u32>(), num_fields = in.number<u32>(), num_instructions = in.number<u32>();
    banks.clear(), first_rows.clear(), fields.clear(), instructions.clear(), code_words.clear();
    for (u32 i = 0; i < num_banks; i++) {
        const std::string name = in.string();
        const u64 offset = in.number<u64>();
        const auto n = in.number<std::array<u32, 6>>(); // rows, columns, word_bytes, word_bits, first_row, row_bytes
        banks[n[4]] = {offset, n[4], n[5]}, first_rows[name] = n[4];
    }
    for (u32 i = 0; i < num_fields; i++) {
        const std::string name = in.string(), address_bank = in.string();
        const auto n = in.number<std::array<u32, 7>>(); // address, byte, word_bytes, shift, width, maximum, base
        fields[name] = {n[1], n[2], n[3], ~0u >> (32 - n[4])};
    }
    for (u32 i = 0; i < num_instructions; i++) {
        instructions.push_back(implementation(isa, in.string()));
        code_words.push_back(in.number<u32>());
        const u32 num_code_fields = in.number<u32>();
        in.bytes(4 * code_words.back()); // the base code
        for (u32 field = 0; field < num_code_fields; field++) in.string(), in.bytes(12);
        flags.out.push_back(instructions.back() != nullptr);
        unknown &= instructions.back() == nullptr;
    }
    reply.number(unknown), reply.array(flags.out), reply.number(u32(strlen(claims))), reply.bytes(claims, strlen(claims));
    return reply.number(16), reply; // the most steps of a case
}

static Writer execute(Reader in) {
    const auto n = in.number<std::array<u32, 6>>(); // instruction, edition, cases, steps, overlay rows, their bytes
    std::vector<u32> steps{n[0]}; // the instruction of each
    u32 cases = n[2], overlay_rows = n[4], case_words = code_words[n[0]];
    while (steps.size() < n[3]) steps.push_back(in.number<u32>()), case_words += code_words[steps.back()];
    Reader code{in.bytes(u64(4) * cases * case_words)}, before{in.bytes(u64(cases) * small_bytes)};
    Reader overlay_end{in.bytes(u64(4) * cases)}, overlay_row{in.bytes(u64(4) * overlay_rows)}, overlay_data = in;
    std::vector<u32> outcome, steps_done, dirty_end, dirty_row, reason_case, reason_end, words(case_words);
    std::vector<u8> after(u64(cases) * small_bytes);
    Writer dirty_data, reasons, reply;
    u32 bytes, done = 0;
    const auto put_back = [&](u32 row) { const u64 at = offset_of(row, bytes); memcpy(&state[at], &background[at], bytes); };
    for (u32 i = 0; i < cases; i++) {
        std::vector<u32> overlay;
        for (const u32 end = overlay_end.number<u32>(); done < end; done++) {
            overlay.push_back(overlay_row.number<u32>());
            const u64 offset = offset_of(overlay.back(), bytes);
            memcpy(&state[offset], overlay_data.bytes(bytes), bytes);
        }
        small = &after[u64(i) * small_bytes];
        memcpy(small, before.bytes(small_bytes), small_bytes);
        memcpy(words.data(), code.bytes(4 * words.size()), 4 * words.size());
        dirty.clear(), reason.clear();
        u32 step = 0, came = DONE;
        for (const u32 *next = words.data(); step < steps.size(); next += code_words[steps[step++]])
            if ((came = instructions[steps[step]](next)) != DONE) break;
        outcome.push_back(came);
        if (steps.size() > 1) steps_done.push_back(step);
        for (const auto &row : dirty) {
            dirty_row.push_back(row.first);
            dirty_data.bytes(&state[offset_of(row.first, bytes)], row.second);
            put_back(row.first);
        }
        dirty_end.push_back(u32(dirty_row.size()));
        reasons.bytes(reason.data(), reason.size() < 80 ? reason.size() : 80); // no reason is longer
        if (!reason.empty()) reason_case.push_back(i), reason_end.push_back(u32(reasons.out.size()));
        for (const u32 row : overlay) put_back(row);
    }
    reply.number(cases), reply.number(u32(dirty_row.size())), reply.number(u32(dirty_data.out.size()));
    reply.number(u32(reason_case.size())), reply.number(u32(reasons.out.size()));
    reply.array(outcome), reply.array(steps_done), reply.array(after), reply.array(dirty_end), reply.array(dirty_row);
    reply.array(dirty_data.out), reply.array(reason_case), reply.array(reason_end);
    return reply.array(reasons.out), reply;
}

static Writer arena_hash() { // the CRC-32 of zlib
    u32 hash = ~0u, table[256];
    for (u32 i = 0; i < 256; i++)
        for (int bit = 0; bit <= 8; bit++) table[i] = bit ? table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0) : i;
    for (const u8 byte : state) hash = hash >> 8 ^ table[(hash ^ byte) & 0xff];
    Writer reply;
    return reply.number(~hash), reply;
}

// Answers requests until the input ends. `implementation` gives what executes an instruction of a set, or nullptr;
// `claims` is a TOML document that says what is not done.
template <class Execution> static int serve(const char *name, Execution implementation, const char *claims = "") {
    Writer hello;
    hello.number(2), hello.string(name), send(1, 0, hello);
    std::vector<u8> payload;
    for (u32 header[4]; fread(header, sizeof header, 1, stdin) == 1;) {
        payload.resize(header[3]);
        if (fread(payload.data(), 1, payload.size(), stdin) != payload.size()) return 1;
        const Reader in{payload.data()};
        switch (header[1]) {
        case 2: send(3, header[2], describe(in, implementation, claims)); break;
        case 4: state = background = payload, send(5, header[2], {}); break;
        case 6: send(7, header[2], execute(in)); break;
        case 8: send(9, header[2], arena_hash()); break;
        case 10: send(11, header[2], {}); break; // nothing is kept between cases
        default: return 1;
        }
    }
    return 0;
}
