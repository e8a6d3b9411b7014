/* Runs kernels of `tandem vectors export --format opencl-visa` on a GPU, and writes results for `tandem vectors judge`.
 *
 *     runner TESTS.jsonl RESULTS.jsonl DEVICE
 *
 * DEVICE is the word of ocloc for the GPU at hand (skl, tgllp, adl-s, dg2, pvc): it chooses the tests that it has the types
 * and registers for. Beside RESULTS.jsonl lies the final code of each source, as RESULTS.jsonl.<source>.bin: where a result
 * is wrong, either this code or the machine is. Build with: cc -std=c11 runner.c -lOpenCL
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BLOCKS = 64, ROW = 32, MOST_BYTES = 1 << 14, NAME = 256 };

/* A source that was built; `program` is null if the device refused it. */
struct source {
    char name[NAME];
    cl_program program;
};

struct machine {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    char name[NAME];
    const char *folder, *results;
    size_t folder_length;
    struct source *sources;
    size_t num_sources;
};

static void fail(const char *format, ...) {
    va_list list;
    va_start(list, format);
    fputs("runner: ", stderr);
    vfprintf(stderr, format, list);
    fputc('\n', stderr);
    va_end(list);
    exit(1);
}

static void check(cl_int status, const char *what) {
    if (status != CL_SUCCESS) fail("%s: OpenCL says %d", what, (int)status);
}

static void *memory(size_t bytes) {
    void *got = calloc(bytes ? bytes : 1, 1);
    if (!got) fail("no memory for %zu bytes", bytes);
    return got;
}

static FILE *opened(const char *path, const char *how) {
    FILE *file = fopen(path, how);
    if (!file) fail("%s: it cannot be opened", path);
    return file;
}

/* A whole file, with a zero behind it. */
static char *whole(const char *path, size_t *length) {
    FILE *file = opened(path, "rb");
    size_t room = 1 << 16, got = 0, count;
    char *text = memory(room + 1);
    while ((count = fread(text + got, 1, room - got, file)) > 0) {
        got += count;
        if (got == room && !(text = realloc(text, (room *= 2) + 1))) fail("%s: no memory", path);
    }
    fclose(file);
    text[got] = 0;
    *length = got;
    return text;
}

/* What stands behind `"key":` in a line; the export has no such text within another. */
static const char *member(const char *line, const char *key) {
    char wanted[NAME];
    snprintf(wanted, sizeof wanted, "\"%s\":", key);
    const char *found = strstr(line, wanted);
    if (!found) fail("a line has no \"%s\": %.80s", key, line);
    return found + strlen(wanted);
}

static void text_of(const char *line, const char *key, char *text, size_t room) {
    const char *begin = member(line, key);
    size_t length = *begin == '"' ? strcspn(begin + 1, "\"") : room;
    if (length >= room) fail("\"%s\" is no short text: %.80s", key, line);
    memcpy(text, begin + 1, length);
    text[length] = 0;
}

/* The bytes of a text of hexadecimal digits. */
static size_t bytes_of(const char *line, const char *key, unsigned char *bytes, size_t room) {
    const char *begin = member(line, key) + 1;
    size_t count = strcspn(begin, "\"") / 2;
    if (count > room) fail("\"%s\" has more than %zu bytes", key, room);
    for (size_t at = 0; at < count; at++) {
        char digits[3] = {begin[2 * at], begin[2 * at + 1], 0};
        bytes[at] = (unsigned char)strtoul(digits, NULL, 16);
    }
    return count;
}

/* Blocks as `[[first row, rows, first word], ...]`. */
static size_t blocks_of(const char *line, size_t blocks[][3], size_t bytes) {
    const char *at = member(line, "blocks") + 1;
    size_t count = 0;
    while (*at == '[') {
        if (count == MOST_BLOCKS) fail("too many blocks: %.80s", line);
        for (int place = 0; place < 3; place++) {
            char *end;
            blocks[count][place] = strtoul(at + 1, &end, 10);
            at = end;
        }
        if (4 * blocks[count][2] + ROW * blocks[count][1] > bytes) fail("a block lies outside: %.80s", line);
        count++;
        at += strspn(at, "],");
    }
    return count;
}

/* The first GPU. */
static void begin(struct machine *machine) {
    cl_platform_id platforms[16];
    cl_uint num_platforms = 0;
    cl_int status = clGetPlatformIDs(16, platforms, &num_platforms);
    if (status != CL_SUCCESS || num_platforms == 0) fail("there is no platform of OpenCL (%d)", (int)status);
    for (cl_uint at = 0; at < num_platforms && at < 16 && !machine->device; at++)
        if (clGetDeviceIDs(platforms[at], CL_DEVICE_TYPE_GPU, 1, &machine->device, NULL) != CL_SUCCESS)
            machine->device = NULL;
    if (!machine->device) fail("no platform of OpenCL has a GPU");
    check(clGetDeviceInfo(machine->device, CL_DEVICE_NAME, sizeof machine->name, machine->name, NULL), "its name");
    for (char *at = machine->name; *at; at++)
        if (*at == '"' || *at == '\\' || (unsigned char)*at < ' ') *at = ' ';
    machine->context = clCreateContext(NULL, 1, &machine->device, NULL, NULL, &status);
    check(status, "a context");
    machine->queue = clCreateCommandQueue(machine->context, machine->device, 0, &status);
    check(status, "a queue");
}

/* Keeps the final code of a source beside the results. */
static void keep_code(const struct machine *machine, const struct source *source) {
    size_t size = 0;
    check(clGetProgramInfo(source->program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL), "the size of code");
    unsigned char *code = memory(size);
    check(clGetProgramInfo(source->program, CL_PROGRAM_BINARIES, sizeof code, &code, NULL), "the final code");
    char path[2 * NAME + 8];
    snprintf(path, sizeof path, "%s.%s.bin", machine->results, source->name);
    FILE *file = opened(path, "wb");
    if (fwrite(code, 1, size, file) != size || fclose(file) != 0) fail("%s: it cannot be written", path);
    free(code);
}

/* The program of a source, which is built once. */
static cl_program program_of(struct machine *machine, const char *name) {
    for (size_t at = 0; at < machine->num_sources; at++)
        if (strcmp(machine->sources[at].name, name) == 0) return machine->sources[at].program;
    size_t bytes = (machine->num_sources + 1) * sizeof *machine->sources, length;
    if (!(machine->sources = realloc(machine->sources, bytes))) fail("no memory for sources");
    struct source *source = &machine->sources[machine->num_sources++];
    snprintf(source->name, sizeof source->name, "%s", name);
    char path[4 * NAME];
    snprintf(path, sizeof path, "%.*s%s", (int)machine->folder_length, machine->folder, name);
    char *text = whole(path, &length);
    cl_int status;
    source->program = clCreateProgramWithSource(machine->context, 1, (const char **)&text, &length, &status);
    check(status, path);
    free(text);
    status = clBuildProgram(source->program, 1, &machine->device, "", NULL, NULL);
    if (status == CL_SUCCESS) {
        keep_code(machine, source);
        return source->program;
    }
    char log[1 << 14] = "";
    clGetProgramBuildInfo(source->program, machine->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fprintf(stderr, "runner: %s is not built (%d), so its tests are unsupported: %s\n", path, (int)status, log);
    clReleaseProgram(source->program);
    return source->program = NULL;
}

/* Runs a kernel on what is before; what is after. */
static void run(struct machine *machine, cl_program program, const char *line, const unsigned char *before,
                unsigned char *after, size_t bytes) {
    char name[NAME];
    text_of(line, "kernel", name, sizeof name);
    size_t lanes = strtoul(member(line, "lanes"), NULL, 10);
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    check(status, name);
    cl_mem buffers[2];
    for (cl_uint at = 0; at < 2; at++) {
        /* What the kernel does not store stays as it was before. */
        buffers[at] = clCreateBuffer(machine->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes, (void *)before, &status);
        check(status, "a buffer");
        check(clSetKernelArg(kernel, at, sizeof buffers[at], &buffers[at]), "an argument");
    }
    check(clEnqueueNDRangeKernel(machine->queue, kernel, 1, NULL, &lanes, &lanes, 0, NULL, NULL), name);
    check(clEnqueueReadBuffer(machine->queue, buffers[1], CL_TRUE, 0, bytes, after, 0, NULL, NULL), name);
    for (int at = 0; at < 2; at++) clReleaseMemObject(buffers[at]);
    clReleaseKernel(kernel);
}

/* The rows that changed, as `["GRF", row, [words]]`. */
static void write_rows(FILE *out, const char *line, const unsigned char *before, const unsigned char *after, size_t bytes) {
    size_t blocks[MOST_BLOCKS][3], count = blocks_of(line, blocks, bytes);
    const char *comma = "";
    for (size_t block = 0; block < count; block++)
        for (size_t row = 0; row < blocks[block][1]; row++) {
            size_t at = 4 * blocks[block][2] + ROW * row;
            if (memcmp(before + at, after + at, ROW) == 0) continue;
            fprintf(out, "%s[\"GRF\",%zu,[", comma, blocks[block][0] + row);
            for (size_t byte = 0; byte < ROW; byte += 4) {
                const unsigned char *word = after + at + byte;
                unsigned long value = word[0] | word[1] << 8 | word[2] << 16 | (unsigned long)word[3] << 24;
                fprintf(out, "%s%lu", byte ? "," : "", value);
            }
            fputs("]]", out);
            comma = ",";
        }
}

static void test(struct machine *machine, FILE *out, const char *line) {
    static unsigned char before[MOST_BYTES], after[MOST_BYTES];
    char id[NAME], source[NAME];
    text_of(line, "id", id, sizeof id);
    text_of(line, "source", source, sizeof source);
    if (strchr(source, '/')) fail("a source lies beside its tests: %s", source);
    size_t bytes = bytes_of(line, "before", before, sizeof before);
    cl_program program = program_of(machine, source);
    const char *outcome = program ? "done" : "unsupported";
    fprintf(out, "{\"id\":\"%s\",\"outcome\":\"%s\",\"small\":{},\"rows\":[", id, outcome);
    if (program) {
        run(machine, program, line, before, after, bytes);
        write_rows(out, line, before, after, bytes);
    }
    fprintf(out, "],\"code\":\"%s.bin\",\"device\":\"%s\"}\n", source, machine->name);
}

int main(int count, char **arguments) {
    if (count != 4) fail("what to run, where to write, and what the GPU is: runner TESTS.jsonl RESULTS.jsonl DEVICE");
    struct machine machine = {.folder = arguments[1], .results = arguments[2]};
    const char *slash = strrchr(arguments[1], '/');
    machine.folder_length = slash ? (size_t)(slash + 1 - arguments[1]) : 0;
    size_t length, tests = 0;
    char *text = whole(arguments[1], &length), wanted[NAME];
    snprintf(wanted, sizeof wanted, "\"%s\"", arguments[3]);
    begin(&machine);
    FILE *out = opened(arguments[2], "w");
    for (char *line = text, *next; line && *line; line = next) {
        if ((next = strchr(line, '\n'))) *next++ = 0;
        if (!strstr(line, "\"kind\":\"test\"")) continue;
        const char *devices = member(line, "devices"), *found = strstr(devices, wanted);
        if (!found || found > strchr(devices, ']')) continue;
        test(&machine, out, line);
        tests++;
    }
    if (fclose(out) != 0) fail("%s: it cannot be written", arguments[2]);
    if (tests == 0) fail("no test is for the device %s", arguments[3]);
    fprintf(stderr, "runner: %zu tests ran on %s\n", tests, machine.name);
    return 0;
}
