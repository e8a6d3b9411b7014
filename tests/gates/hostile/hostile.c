/* A target that misbehaves as it is told: a shared library, a process that speaks frames, and one that speaks JSON lines.
 *
 * It implements SEMPOST of Tensix Wormhole with an empty mask, which changes nothing. HOSTILE="ACT CALL WHEN" says what goes
 * wrong (see `act` and `spoil`), in which call (describe, load, execute, hash, reset) and from which one on: `1` is the first
 * call of the process, and `3!` is the third alone. Without it the target is honest.
 */
#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tandem.h"

enum { GONE = 15 }; /* seconds after which what is left behind ends by itself */

static char what[32], where[32], how_often[8];
static uint32_t counts[256];

/* Whether this call is one that goes wrong. */
static int is_due(const char *call) {
    if (!what[0] && getenv("HOSTILE")) sscanf(getenv("HOSTILE"), "%31s %31s %7s", what, where, how_often);
    if (!what[0] || strcmp(where, call)) return 0;
    const uint32_t number = ++counts[(unsigned char)call[0]], from = (uint32_t)atoi(how_often);
    return strchr(how_often, '!') ? number == from : number >= from;
}

static int is(const char *act) { return !strcmp(what, act); }

/* A child that keeps every file open which this process has open. */
static void leave_child(void) {
    if (fork() == 0) {
        sleep(GONE);
        _exit(0);
    }
}

static __attribute__((noinline)) uint32_t exhaust_stack(uint32_t depth) {
    volatile uint32_t kept[1024];
    for (int i = 0; i < 1024; i++) kept[i] = depth;
    return exhaust_stack(depth + 1) + kept[depth % 1024];
}

/* What can go wrong in any call, however it is made. */
static void act(void) {
    alarm(GONE);
    if (is("exit-0")) exit(0);
    if (is("_exit-0")) _exit(0);
    if (is("exit-3")) exit(3);
    if (is("abort")) abort();
    if (is("segfault")) *(volatile int *)0 = 1;
    if (is("kill")) kill(getpid(), SIGKILL);
    if (is("terminate")) kill(getpid(), SIGTERM);
    if (is("loop")) for (volatile int i = 0;; i++) {}
    if (is("sleep")) for (;;) sleep(GONE);
    // The stop may come after the call went on.
    if (is("stop")) for (;;) kill(getpid(), SIGSTOP), pause();
    if (is("deaf-loop")) {
        signal(SIGTERM, SIG_IGN);
        signal(SIGINT, SIG_IGN);
        for (;;) sleep(GONE);
    }
    if (is("orphan")) leave_child(), _exit(0);
    if (is("daemon")) {
        if (fork() == 0) {
            setsid();
            sleep(4);
            _exit(0);
        }
        _exit(4);
    }
    if (is("stack")) exhaust_stack(1);
    if (is("twins")) fork();
    if (is("close")) {
        for (int i = 0; i < 3; i++) close(i);
        for (;;) sleep(GONE);
    }
}

/* ---- the library ------------------------------------------------------------------------------------------------ */

static const tandem_isa *isa;
static uint32_t sempost, loads;
static uint8_t *arena;

static uint32_t crc(uint32_t hash, const uint8_t *bytes, size_t len) {
    static uint32_t table[256];
    for (uint32_t i = table[255] ? 256 : 0; i < 256; i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ (value & 1 ? 0xedb88320u : 0);
        table[i] = value;
    }
    hash = ~hash;
    for (size_t i = 0; i < len; i++) hash = hash >> 8 ^ table[(hash ^ bytes[i]) & 0xff];
    return ~hash;
}

uint32_t tandem_version(void) { return getenv("HOSTILE") && !strncmp(getenv("HOSTILE"), "version", 7) ? 1 : TANDEM_VERSION; }

int32_t tandem_open(const tandem_isa *opened, char name[64], uint8_t *implemented) {
    if (strcmp(opened->name, "tensix-wh")) return 1;
    isa = opened;
    strcpy(name, "hostile");
    for (uint32_t i = 0; i < isa->num_instructions; i++)
        if (!strcmp(isa->instructions[i].name, "SEMPOST")) implemented[sempost = i] = 1;
        else if (!strcmp(isa->instructions[i].name, "MOVA2D")) implemented[i] = 1;  // what it does there, it does in no right way
    arena = realloc(arena, isa->arena_bytes);
    if (!is_due("describe")) return 0;
    act();
    if (is("no-name")) name[0] = 0;
    if (is("endless-name")) memset(name, 'x', 64);
    if (is("raw-name")) strcpy(name, "a\x1b]0;b");
    if (is("flag")) implemented[0] = 7;
    if (is("behind")) memset(implemented, 1, isa->num_instructions + 8);
    if (is("another")) snprintf(name, 64, "hostile-%d", (int)getpid());
    return is("status") ? 1 : 0;
}

int32_t tandem_load(const uint8_t *background) {
    loads++;
    memcpy(arena, background, isa->arena_bytes);
    if (!is_due("load")) return 0;
    act();
    return is("status") ? -1 : 0;
}

/* What can be wrong with answers. */
static int32_t spoil(const tandem_batch *batch, tandem_answers *answers) {
    uint32_t many = answers->dirty_rows_capacity;
    if (is("status")) return -1;
    if (is("status-large")) return 0x7fffffff;
    if (is("none")) answers->cases = 0;
    if (is("too-many")) answers->cases = batch->cases + 1;
    if (is("huge-count")) answers->cases = ~0u;
    if (is("outcome")) answers->outcome[0] = 3;
    if (is("unwritten")) answers->outcome[batch->cases - 1] = ~0u;
    if (is("descending")) answers->dirty_end[0] = 2, answers->dirty_row[0] = 0, answers->dirty_row[1] = 1;
    if (is("no-such-row")) answers->dirty_row[0] = 0x00ffffff;
    if (is("row-twice")) answers->dirty_row[0] = answers->dirty_row[1] = 5;
    if (is("rows-too-many")) many = ~0u - 8;
    if (is("no-such-row")) many = 1;
    if (is("row-twice")) many = 2;
    if (is("no-such-row") || is("row-twice") || is("rows-too-many") || is("all-rows"))
        for (uint32_t i = 0; i < batch->cases; i++) answers->dirty_end[i] = many;
    if (is("reasons")) answers->reasons = batch->cases + 1;
    if (is("reason-of-done")) answers->reasons = 1, answers->reason_case[0] = 0, answers->reason_end[0] = 1, answers->reason_text[0] = 'x';
    if (is("behind")) answers->outcome[batch->cases] = 1;
    if (is("wrong-field")) answers->small_after[0] ^= 1;
    if (is("refused")) answers->outcome[0] = TANDEM_UNSUPPORTED, answers->small_after[0] ^= 1;
    if (is("blocked")) for (uint32_t i = 0; i < batch->cases; i++) answers->outcome[i] = TANDEM_BLOCKED;
    if (is("stray") || is("forged")) arena[64 * (batch->cases % 8)] ^= 1;
    return 0;
}

int32_t tandem_execute(const tandem_batch *batch, tandem_answers *answers) {
    const int due = is_due("execute");
    if (due) act();
    for (uint32_t i = 0; i < batch->cases; i++) answers->outcome[i] = TANDEM_DONE, answers->dirty_end[i] = 0;
    memcpy(answers->small_after, batch->small_before, (size_t)batch->cases * isa->small_bytes);
    answers->cases = batch->cases;
    return due ? spoil(batch, answers) : 0;
}

uint32_t tandem_arena_hash(void) {
    const uint32_t hash = crc(0, arena, isa->arena_bytes);
    if (!is_due("hash")) return hash;
    act();
    return is("zero") ? 0 : is("wrong") ? hash ^ 1 : is("random") ? hash ^ (uint32_t)rand() : hash;
}

void tandem_reset(void) {
    if (is_due("reset")) act();
}

/* ---- what both protocols have in common ------------------------------------------------------------------------- */

static FILE *out;
static int is_json;

/* Writes a reply, and what goes wrong with it. */
static void reply(const char *call, const char *bytes, size_t len) {
    const char *noise = "debug: here I am\n", *garbage = "\x7f\x45\x4c\x46 no protocol at all\n";
    static int spoilt;
    /* The count of the call went up when it was made. */
    spoilt = !strcmp(where, call) && what[0];
    const uint32_t number = counts[(unsigned char)call[0]], from = (uint32_t)atoi(how_often);
    spoilt = spoilt && (strchr(how_often, '!') ? number == from : number >= from);
    if (!spoilt) {
        fwrite(bytes, 1, len, out), fflush(out);
        return;
    }
    if (is("noise")) fwrite(noise, 1, strlen(noise), out);
    if (is("garbage")) {
        fwrite(garbage, 1, strlen(garbage), out), fflush(out);
        return;
    }
    if (is("half-exit") || is("half-hang")) {
        fwrite(bytes, 1, len / 2, out), fflush(out);
        if (is("half-exit")) _exit(0);
        for (;;) sleep(GONE);
    }
    if (is("trickle")) /* a byte each tenth of a second */
        for (size_t i = 0; i < len; i++) fwrite(bytes + i, 1, 1, out), fflush(out), usleep(100000);
    if (is("flood")) {
        signal(SIGPIPE, SIG_DFL);
        for (;;) fwrite(bytes, 1, len, out);
    }
    if (is("flood-errors"))
        for (;;) fwrite(noise, 1, strlen(noise), stderr);
    if (is("huge") && !is_json) { /* a frame that announces what never comes */
        char frame[16];
        memcpy(frame, bytes, 16), memset(frame + 12, 0x7f, 4);
        fwrite(frame, 1, 16, out), fflush(out);
        for (;;) sleep(GONE);
    }
    if (is("huge") && is_json)
        for (;;) fwrite("{\"seq\":", 1, 7, out), fwrite(bytes, 1, len - 1, out);
    if (is("silent")) return;
    fwrite(bytes, 1, len, out);
    if (is("twice")) fwrite(bytes, 1, len, out);
    if (is("more")) fwrite(noise, 1, strlen(noise), out);
    fflush(out);
    if (is("shut")) {
        fclose(out), close(0);
        for (;;) sleep(GONE);
    }
}

static uint8_t *input; /* the request at hand */
static size_t input_len, at;

static void need(size_t len) {
    static size_t room;
    if (len > room) input = realloc(input, room = 2 * len);
}

/* ---- frames ------------------------------------------------------------------------------------------------------ */

static uint32_t number(void) {
    uint32_t value;
    memcpy(&value, input + at, 4), at += 4;
    return value;
}

static char *string(void) {
    uint16_t len;
    memcpy(&len, input + at, 2);
    char *text = calloc(1, len + 1u);
    memcpy(text, input + at + 2, len), at += 2u + len;
    return text;
}

static uint64_t number8(void) {
    const uint64_t low = number();
    return low | (uint64_t)number() << 32;
}

/* The description, as far as it is of use here. */
static tandem_isa *described(void) {
    tandem_isa *isa = calloc(1, sizeof *isa);
    isa->name = string(), isa->arena_bytes = number8(), isa->small_bytes = number();
    isa->num_banks = number(), isa->num_fields = number(), isa->num_instructions = number();
    for (uint32_t i = 0; i < isa->num_banks; i++) string(), at += 8 + 6 * 4;
    for (uint32_t i = 0; i < isa->num_fields; i++) string(), string(), at += 7 * 4;
    tandem_instruction *list = calloc(isa->num_instructions, sizeof *list);
    for (uint32_t i = 0; i < isa->num_instructions; i++) {
        list[i].name = string();
        const uint32_t words = number(), fields = number();
        at += 4 * words;
        for (uint32_t j = 0; j < fields; j++) string(), at += 3 * 4;
    }
    isa->instructions = list;
    return isa;
}

static char frame[1 << 24];
static size_t frame_len;

static void put(uint32_t value) { memcpy(frame + frame_len, &value, 4), frame_len += 4; }

static void send(const char *call, uint32_t kind, uint32_t sequence) {
    const uint32_t len = (uint32_t)frame_len - 16;
    memcpy(frame, "TDM1", 4), memcpy(frame + 4, &kind, 4), memcpy(frame + 8, &sequence, 4), memcpy(frame + 12, &len, 4);
    reply(call, frame, frame_len);
}

static void execute_frames(uint32_t sequence) {
    tandem_batch batch = {0};
    tandem_answers answers = {0};
    batch.instruction = number(), batch.edition = number(), batch.cases = number(), batch.steps = number();
    const uint32_t rows = number(), bytes = number(), cases = batch.cases;
    at += 4 * (batch.steps - 1) + 4 * cases; /* a code word */
    batch.small_before = input + at, at += (size_t)cases * isa->small_bytes + 4 * cases + 4 * rows + bytes;
    answers.outcome = malloc(4 * cases + 64), answers.small_after = malloc((size_t)cases * isa->small_bytes);
    answers.dirty_end = malloc(4 * cases), answers.dirty_row = calloc(64, 4);
    answers.reason_case = calloc(cases + 1, 4), answers.reason_end = calloc(cases + 1, 4);
    answers.reason_text = calloc(cases + 1, 80), answers.dirty_rows_capacity = 16;
    const int32_t status = tandem_execute(&batch, &answers);
    frame_len = 16;
    if (status) {
        frame[frame_len++] = 2, frame[frame_len++] = 0, frame[frame_len++] = 'n', frame[frame_len++] = 'o';
        send("execute", 12, sequence);
    } else {
        const uint32_t ends = answers.dirty_end[0], listed = ends < 64 ? ends : 0;
        put(answers.cases), put(ends), put(0), put(answers.reasons), put(answers.reasons ? answers.reason_end[0] : 0);
        for (uint32_t i = 0; i < cases; i++) put(answers.outcome[i]);
        memcpy(frame + frame_len, answers.small_after, (size_t)cases * isa->small_bytes);
        frame_len += (size_t)cases * isa->small_bytes;
        for (uint32_t i = 0; i < cases; i++) put(answers.dirty_end[i]);
        for (uint32_t i = 0; i < listed; i++) put(answers.dirty_row[i]);
        for (uint32_t i = 0; i < answers.reasons; i++) put(answers.reason_case[i]);
        for (uint32_t i = 0; i < answers.reasons; i++) put(answers.reason_end[i]);
        if (answers.reasons) frame[frame_len++] = answers.reason_text[0];
        send("execute", is("kind") && is_due("kind") ? 9 : 7, sequence);
    }
    free(answers.outcome), free(answers.small_after), free(answers.dirty_end), free(answers.dirty_row);
    free(answers.reason_case), free(answers.reason_end), free(answers.reason_text);
}

static int frames(void) {
    fwrite("TDM1\1\0\0\0\0\0\0\0\15\0\0\0\2\0\0\0\7\0hostile", 1, 29, out), fflush(out);
    for (uint32_t header[4]; fread(header, sizeof header, 1, stdin) == 1;) {
        need(input_len = header[3]), at = 0;
        if (input_len && fread(input, 1, input_len, stdin) != input_len) return 1;
        const uint32_t sequence = header[2] + (is("sequence") && is_due("execute") && header[1] == 6);
        char name[64] = "";
        uint8_t implemented[512] = {0};
        frame_len = 16;
        switch (header[1]) {
        case 2: {
            const tandem_isa *shown = described();
            const int32_t status = tandem_open(shown, name, implemented);
            put((uint32_t)status);
            if (!status) {
                memcpy(frame + frame_len, implemented, isa->num_instructions), frame_len += isa->num_instructions;
                put(0);
            }
            send("describe", 3, sequence);
            break;
        }
        case 4:
            if (tandem_load(input)) frame_len += 4, memcpy(frame + 16, "\2\0no", 4), send("load", 12, sequence);
            else send("load", 5, sequence);
            break;
        case 6: execute_frames(sequence); break;
        case 8: put(tandem_arena_hash()), send("hash", 9, sequence); break;
        case 10: tandem_reset(), send("reset", 11, sequence); break;
        default: return 2;
        }
    }
    return 0;
}

/* ---- JSON lines -------------------------------------------------------------------------------------------------- */

static int line(void) {
    int letter;
    for (input_len = 0; (letter = getchar()) != EOF && letter != '\n';) need(input_len + 2), input[input_len++] = (uint8_t)letter;
    if (letter == EOF) return 0;
    input[input_len] = 0;
    return 1;
}

static unsigned digit(char letter) { return letter <= '9' ? letter - '0' : (letter | 32) - 'a' + 10; }

static uint32_t load_line(const char *text) { /* the hash of all banks, which come in their order */
    uint32_t hash = 0;
    for (const char *bank = text; (bank = strstr(bank, "\":\"")) != NULL;) {
        for (bank += 3; isxdigit((unsigned char)bank[0]); bank += 2) {
            const uint8_t byte = (uint8_t)(digit(bank[0]) << 4 | digit(bank[1]));
            hash = crc(hash, &byte, 1);
        }
    }
    return hash;
}

/* Writes the answers to `cases` cases, and what can be wrong with them. */
static void execute_line(char *to, uint32_t cases, unsigned sequence) {
    const int due = is_due("execute");
    if (due) act();
    if (due && is("status")) {
        sprintf(to, "{\"seq\":%u,\"failed\":\"no\"}\n", sequence);
        return;
    }
    if (due && is("none")) cases = 0;
    if (due && is("too-many")) cases++;
    if (due && is("sequence")) sequence++;
    to += sprintf(to, "{\"seq\":%u,%s\"answers\":[", sequence, due && is("key-twice") ? "\"answers\":[]," : "");
    for (uint32_t i = 0; i < cases; i++) {
        const char *answer = "{\"outcome\":\"done\"}";
        if (due && is("outcome")) answer = "{\"outcome\":\"perhaps\"}";
        if (due && is("blocked")) answer = "{\"outcome\":\"blocked\"}";
        if (due && is("no-such-row")) answer = "{\"outcome\":\"done\",\"rows\":[[\"SrcA\",99999,[0]]]}";
        if (due && is("no-such-bank")) answer = "{\"outcome\":\"done\",\"rows\":[[\"SrcZ\",0,[0]]]}";
        if (due && is("no-such-field")) answer = "{\"outcome\":\"done\",\"small\":{\"Nothing\":1}}";
        if (due && is("field-twice")) answer = "{\"outcome\":\"done\",\"small\":{\"CurrentThread\":1,\"CurrentThread\":2}}";
        if (due && is("wide")) answer = "{\"outcome\":\"done\",\"small\":{\"CurrentThread\":4294967295}}";
        if (due && is("negative")) answer = "{\"outcome\":\"done\",\"small\":{\"CurrentThread\":-1}}";
        if (due && is("huge-number")) answer = "{\"outcome\":\"done\",\"small\":{\"CurrentThread\":1e999}}";
        if (due && is("unknown-key")) answer = "{\"outcome\":\"done\",\"mood\":\"bad\"}";
        if (due && is("reason-of-done")) answer = "{\"outcome\":\"done\",\"reason\":\"x\"}";
        if (due && is("wrong-field")) answer = "{\"outcome\":\"done\",\"small\":{\"Semaphores[0].Value\":13}}";
        if (due && is("refused")) answer = "{\"outcome\":\"unsupported\",\"small\":{\"Semaphores[0].Value\":13}}";
        if (due && is("null")) answer = "null";
        to += sprintf(to, "%s%s", i ? "," : "", answer);
        if (due && is("deep")) memset(to, '[', 100000), to += 100000;
    }
    sprintf(to, "]}\n");
}

static int lines(void) {
    uint32_t hash = 0, resets = 0;
    fprintf(out, "{\"hello\":{\"tandem\":2,\"name\":\"hostile\"}}\n"), fflush(out);
    static char text[1 << 24];
    while (line()) {
        const char *asked = (const char *)input;
        unsigned sequence = 0;
        sscanf(asked, "{\"seq\":%u", &sequence);
        const char *call = strchr(asked, ',');
        if (!call) return 1;
        if (!strncmp(call, ",\"describe\"", 11)) {
            const int due = is_due("describe");
            if (due) act();
            if (strstr(asked, "\"tensix-wh\"") == NULL || (due && is("status")))
                sprintf(text, "{\"seq\":%u,\"opened\":null}\n", sequence);
            else sprintf(text, "{\"seq\":%u,\"opened\":[\"%s\"]}\n", sequence, due && is("flag") ? "no-such" : "sempost");
            reply("describe", text, strlen(text));
        } else if (!strncmp(call, ",\"load\"", 7)) {
            hash = load_line(call + 7);
            const int due = is_due("load");
            if (due) act();
            sprintf(text, due && is("status") ? "{\"seq\":%u,\"failed\":\"no\"}\n" : "{\"seq\":%u,\"loaded\":true}\n", sequence);
            reply("load", text, strlen(text));
        } else if (!strncmp(call, ",\"execute\"", 10)) {
            uint32_t cases = 0;
            for (const char *one = call; (one = strstr(one, "\"code\":")) != NULL; one++) cases++;
            execute_line(text, cases, sequence);
            reply("execute", text, strlen(text));
        } else if (!strncmp(call, ",\"hash\"", 7)) {
            const int due = is_due("hash");
            if (due) act();
            const uint32_t said = due && is("wrong") ? hash ^ 1 : due && is("zero") ? 0 : due && is("random") ? hash ^ (uint32_t)rand() : hash;
            sprintf(text, "{\"seq\":%u,\"hash\":%u}\n", sequence, said);
            reply("hash", text, strlen(text));
        } else {
            resets++;
            if (is_due("reset")) act();
            sprintf(text, "{\"seq\":%u,\"reset\":true}\n", sequence);
            reply("reset", text, strlen(text));
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    out = stdout;
    is_json = argc > 1 && !strcmp(argv[1], "--json");
    return is_json ? lines() : frames();
}
