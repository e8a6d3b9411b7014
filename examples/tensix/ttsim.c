/*
 * A board made of ttsim, for adapter.py: lines of JSON on standard input and output, as `tandem vectors board` has them.
 *
 *   cc -std=c11 -Wall -Wextra -Werror -o ttsim-board ttsim.c -ldl
 *   TANDEM_LIBTTSIM=libttsim.so python3 adapter.py PROGRAMS RESULTS --served './ttsim-board tensix-bh'
 *
 * It calls public functions of libttsim.so alone. A core of one Tensix tile runs a loop that stores and loads what a list in L1
 * says: T0 to T2 push instructions and read their GPRs, and B reads what else is memory-mapped. There is no window on Dst in
 * ttsim, so programs are to be exported with --route 1. The library ends the process over what it does not have: each test is
 * run by a copy of this one, from the state that the library begins with, and a copy that ends tells what was refused.
 */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    LIST_HEAD = 0x10000, /* count, done */
    LIST = 0x10100,      /* address, data, whether it is a load */
    MOST = 4096,
    RESET = 0xffb121b0 - 0xffb00000,
    ALL_IN_RESET = 0x47800,
    IN_RESET = 0x800, /* core B; those behind it are the three T */
    MARKER_GPR = 63,
    PATIENCE = 20000,
    RESET_AGAIN = 3, /* a copy ends with it at the next reset */
};
static const uint32_t REGFILE = 0xffe00000, PUSH = 0xffe40000, CONFIG = 0xffef0000;
static const uint32_t ARRAY_ENABLE = 0xffb12060, ARRAY_COMMAND = 0xffb12064, ARRAY_DATA = 0xffb1206c;

static struct {
    void (*init)(void);
    void (*clock)(uint32_t);
    void (*read)(uint64_t, void *, uint32_t);
    void (*write)(uint64_t, const void *, uint32_t);
} sim;
static bool blackhole;
static struct { uint32_t address, data, is_load; } list[MOST];
static uint32_t count;
/* Where answers go, and where a copy says why it ends, as the library does. */
static FILE *answers, *last_words;
static bool is_copy;

static void fail(const char *why) {
    if (is_copy)
        printf("%s\n", why);
    else
        fprintf(answers != NULL ? answers : stdout, "{\"error\": \"%s\"}\n", why);
    exit(1);
}

/* ------------------------------------------------------------------------------------------------ memory of the tile */

static uint64_t window(int tlb) { return 0x100000000u + (uint64_t)tlb * (blackhole ? 2u << 20 : 1u << 20); }

/* Window 0 is L1, and window 1 the registers from 0xffb00000 on. */
static void open_windows(void) {
    static const uint32_t bases[2] = {0, 0xffb00000};
    for (int tlb = 0; tlb < 2; tlb++) {
        if (blackhole) {
            const uint32_t words[3] = {bases[tlb] >> 21, (1u | 2u << 6) << 11, 0};
            for (int word = 0; word < 3; word++)
                sim.write(0x11fc00000u + 12u * (uint32_t)tlb + 4u * (uint32_t)word, &words[word], 4);
        } else {
            const uint64_t entry = bases[tlb] >> 20 | (uint64_t)(1u | 1u << 6) << 16;
            sim.write(0x11fc00000u + 8u * (uint32_t)tlb, &entry, 8);
        }
    }
}

static uint64_t register_address(uint32_t offset) {
    /* Windows of Blackhole are larger, and begin at a multiple of their size: 0xffa00000. */
    return window(1) + (blackhole ? (1u << 20) : 0) + offset;
}

static void put(uint32_t address, uint32_t value) { sim.write(window(0) + address, &value, 4); }

static uint32_t get(uint32_t address) {
    uint32_t value;
    sim.read(window(0) + address, &value, 4);
    return value;
}

/* ------------------------------------------------------------------------------------------------ the core's program */

static uint32_t load_word(int rd, int base, int offset) {
    return (uint32_t)offset << 20 | (uint32_t)base << 15 | 2u << 12 | (uint32_t)rd << 7 | 0x03;
}
static uint32_t store_word(int from, int base, int offset) {
    return (uint32_t)offset >> 5 << 25 | (uint32_t)from << 20 | (uint32_t)base << 15 | 2u << 12 |
           ((uint32_t)offset & 31) << 7 | 0x23;
}
static uint32_t add_immediate(int rd, int from, int value) {
    return ((uint32_t)value & 0xfff) << 20 | (uint32_t)from << 15 | (uint32_t)rd << 7 | 0x13;
}
/* Forward by less than 32 bytes. */
static uint32_t branch(int kind, int a, int bytes) {
    return (uint32_t)a << 15 | (uint32_t)kind << 12 | (uint32_t)(bytes & 0x1e) << 7 | 0x63;
}
static uint32_t jump(int bytes) {
    const uint32_t to = (uint32_t)bytes;
    return (to >> 20 & 1) << 31 | (to >> 1 & 0x3ff) << 21 | (to >> 11 & 1) << 20 | (to >> 12 & 0xff) << 12 | 0x6f;
}

/* Core B begins at 0, and the cores of the threads at 0x6000, 0xa000 and 0xe000. */
static void write_program(int core) {
    enum { HEAD = 10, LEFT = 11, AT = 12, ADDRESS = 13, DATA = 14, KIND = 15 };
    const uint32_t program[] = {
        (uint32_t)LIST_HEAD >> 12 << 12 | HEAD << 7 | 0x37, /* lui */
        load_word(LEFT, HEAD, 0),
        add_immediate(AT, HEAD, LIST - LIST_HEAD),
        branch(0, LEFT, 8), /* none left: to the jump to the end */
        jump(8),
        jump(13 * 4),
        load_word(ADDRESS, AT, 0),
        load_word(DATA, AT, 4),
        load_word(KIND, AT, 8),
        branch(1, KIND, 12),
        store_word(DATA, ADDRESS, 0),
        jump(12),
        load_word(DATA, ADDRESS, 0),
        store_word(DATA, AT, 4),
        add_immediate(AT, AT, 12),
        add_immediate(LEFT, LEFT, -1),
        jump(-13 * 4),
        jump(4),
        add_immediate(LEFT, 0, 1),
        store_word(LEFT, HEAD, 4),
        jump(0),
    };
    sim.write(window(0) + (core == 0 ? 0 : 0x2000 + 0x4000 * (uint32_t)core), program, sizeof program);
}

/* Has a core do what the list says, B or one of the T, from 1 on: whether it came to the end. */
static bool run_list(int core) {
    const uint32_t reset = ALL_IN_RESET, run = ALL_IN_RESET & ~((uint32_t)IN_RESET << core);
    sim.write(register_address(RESET), &reset, 4);
    write_program(core);
    sim.write(window(0) + LIST, list, 12 * count);
    put(LIST_HEAD, count);
    put(LIST_HEAD + 4, 0);
    sim.write(register_address(RESET), &run, 4);
    bool done = false;
    for (uint32_t waited = 0; !done && waited < PATIENCE; waited += 64) {
        sim.clock(64);
        done = get(LIST_HEAD + 4) != 0;
    }
    sim.read(window(0) + LIST, list, 12 * count);
    sim.write(register_address(RESET), &reset, 4);
    count = 0;
    return done;
}

static void add(uint32_t address, uint32_t data, uint32_t is_load) {
    if (count == MOST)
        fail("a request has too many words");
    list[count].address = address;
    list[count].data = data;
    list[count++].is_load = is_load;
}

static uint32_t load(int core, uint32_t address) {
    add(address, 0, 1);
    if (!run_list(core))
        fail("the core does not come to an end");
    return list[0].data;
}

static void store(int core, uint32_t address, uint32_t value) {
    add(address, value, 0);
    if (!run_list(core))
        fail("the core does not come to an end");
}

/* ------------------------------------------------------------------------------------------------ requests */

/* The text behind a key of a request. */
static const char *behind(const char *line, const char *key) {
    char quoted[32];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(line, quoted);
    if (found == NULL)
        fail("a member is missing");
    found += strlen(quoted);
    return found + strspn(found, " ");
}

static uint32_t number(const char *line, const char *key) { return (uint32_t)strtoul(behind(line, key), NULL, 10); }

static bool is(const char *line, const char *key, const char *value) {
    const char *text = behind(line, key);
    const size_t length = strlen(value);
    return text[0] == '"' && strncmp(text + 1, value, length) == 0 && text[1 + length] == '"';
}

/* Pushes words. When they have had their time the thread writes a GPR, which shows whether it got there, and writes it back. */
static void push(const char *line) {
    const int core = 1 + (int)number(line, "thread");
    const uint32_t gpr = REGFILE + 4 * MARKER_GPR;
    for (const char *text = behind(line, "words") + 1; *text != ']' && *text != 0; text += strspn(text, ", ")) {
        char *end;
        add(PUSH, (uint32_t)strtoul(text, &end, 10), 0);
        if (end == text)
            fail("words are numbers");
        text = end;
    }
    bool held = !run_list(core);
    sim.clock(PATIENCE);
    const uint32_t was = load(core, gpr), marker = (was ^ 1) & 0xffff;
    add(PUSH, 0x45000000u | marker << 8 | 2 * MARKER_GPR, 0);
    held = !run_list(core) || held;
    sim.clock(PATIENCE);
    held = held || (load(core, gpr) & 0xffff) != marker;
    if (!held)
        store(core, gpr, was);
    fprintf(answers, "{\"held\": %s}\n", held ? "true" : "false");
}

static void read_dst(uint32_t row) {
    add(ARRAY_ENABLE, 1, 0);
    for (uint32_t pair = 0; pair < 8; pair++) {
        add(ARRAY_COMMAND, 2u << 16 | pair << 12 | row, 0);
        add(ARRAY_DATA, 0, 1);
    }
    if (!run_list(0))
        fail("the core does not come to an end");
    fprintf(answers, "{\"value\": [");
    for (uint32_t pair = 0; pair < 8; pair++) {
        const uint32_t data = list[2 + 2 * pair].data;
        fprintf(answers, "%s%u, %u", pair == 0 ? "" : ", ", data & 0xffff, data >> 16);
    }
    fprintf(answers, "]}\n");
}

static void read_cell(const char *line) {
    const uint32_t words = blackhole ? 224 : 188, per_thread = blackhole ? 68 : 57;
    const uint32_t index = number(line, "index"), word = number(line, "word");
    if (is(line, "space", "Dst"))
        read_dst(index);
    else if (is(line, "space", "GPRs"))
        fprintf(answers, "{\"value\": [%u]}\n", load(1 + (int)index, REGFILE + 4 * word));
    else if (is(line, "space", "Config"))
        fprintf(answers, "{\"value\": [%u]}\n", load(0, CONFIG + 4 * (words * index + word)));
    else if (is(line, "space", "ThreadConfig"))
        fprintf(answers, "{\"value\": [%u]}\n", load(0, CONFIG + 8 * words + 16 * (per_thread * index + word)));
    else
        fail("ttsim shows no such space to core B");
}

static void *function(void *library, const char *name) {
    void *found = dlsym(library, name);
    if (found == NULL)
        fail("TANDEM_LIBTTSIM names no libttsim.so: a public function is missing");
    return found;
}

/* Serves one test, to the next reset or the end of the requests. */
static int serve(void) {
    char *line = NULL;
    size_t size = 0;
    is_copy = true;
    sim.init();
    open_windows();
    fprintf(answers, "{\"zero\": true}\n");
    while (fflush(answers) == 0 && getline(&line, &size, stdin) > 0) {
        if (is(line, "do", "reset"))
            return RESET_AGAIN;
        if (is(line, "do", "push"))
            push(line);
        else if (is(line, "do", "read"))
            read_cell(line);
        else
            fail("ttsim has no window on Dst; export with --route 1");
    }
    return 0;
}

/* Answers the request over which a copy ended. */
static void tell_refusal(void) {
    char text[512] = "it ended without a word";
    rewind(last_words);
    while (fgets(text, sizeof text, last_words) != NULL) {
    }
    for (char *at = text; *at != 0; at++)
        if (*at == '"' || *at == '\\' || *at < ' ')
            *at = ' ';
    fprintf(answers, "{\"refused\": \"%s\"}\n", text);
    fflush(answers);
}

int main(int argc, char **argv) {
    const char *path = getenv("TANDEM_LIBTTSIM");
    void *library = path == NULL ? NULL : dlopen(path, RTLD_NOW);
    if (argc != 2 || library == NULL)
        fail("say tensix-wh or tensix-bh, and where the library is in TANDEM_LIBTTSIM");
    blackhole = strcmp(argv[1], "tensix-bh") == 0;
    /* ISO C has no conversion from an object to a function; POSIX has. */
    *(void **)&sim.init = function(library, "libttsim_init");
    *(void **)&sim.clock = function(library, "libttsim_clock");
    *(void **)&sim.read = function(library, "libttsim_pci_mem_rd_bytes");
    *(void **)&sim.write = function(library, "libttsim_pci_mem_wr_bytes");
    /* The library writes to standard output. */
    answers = fdopen(dup(STDOUT_FILENO), "w");
    last_words = tmpfile();
    if (answers == NULL || last_words == NULL || dup2(fileno(last_words), STDOUT_FILENO) < 0)
        fail("standard output cannot be kept for answers");
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, stdin) > 0) {
        if (!is(line, "do", "reset"))
            fail("a test begins with a reset");
        int ended = RESET_AGAIN << 8;
        while (WIFEXITED(ended) && WEXITSTATUS(ended) == RESET_AGAIN) {
            fflush(answers);
            const pid_t copy = fork();
            if (copy == 0)
                exit(serve());
            if (copy < 0 || waitpid(copy, &ended, 0) != copy)
                fail("no copy of the process can be made");
        }
        if (WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
            return 0;
        tell_refusal();
    }
    free(line);
    return 0;
}
