// Prints the tests of an export for $readmemh, which lies in the folder that this runs in.
module reader;
`include "sizes.vh"
`define TABLE(memory, rows, columns) reg [31:0] memory [0:((rows) > 0 ? (rows) * (columns) : 1) - 1];
`define LOAD(memory, rows, file) if ((rows) > 0) $readmemh(file, memory);
`define STATE(number, fields, rows, first_field, first_row) \
    for (at = test(first_field); at < test(first_field) + test(first_field + 1); at = at + 1) \
        $write("field %0h %0h %0h\n", number, fields[at * 2], fields[at * 2 + 1]); \
    for (at = test(first_row); at < test(first_row) + test(first_row + 1); at = at + 1) begin \
        $write("row %0h %0h %0h", number, rows[at * 3], rows[at * 3 + 1]); \
        print_words(rows[at * 3], rows[at * 3 + 2]); \
    end

`TABLE(tests, NUM_TESTS, STRIDE_TESTS)
`TABLE(steps, NUM_STEPS, STRIDE_STEPS)
`TABLE(code, NUM_CODE, 1)
`TABLE(flags, NUM_FLAGS, 1)
`TABLE(before_fields, NUM_BEFORE_FIELDS, 2)
`TABLE(expected_fields, NUM_EXPECTED_FIELDS, 2)
`TABLE(care_fields, NUM_CARE_FIELDS, 2)
`TABLE(before_rows, NUM_BEFORE_ROWS, 3)
`TABLE(expected_rows, NUM_EXPECTED_ROWS, 3)
`TABLE(care_rows, NUM_CARE_ROWS, 3)
`TABLE(words, NUM_WORDS, 1)
`TABLE(banks, NUM_BANKS, STRIDE_BANKS)
`TABLE(fields, NUM_FIELDS, STRIDE_FIELDS)
`TABLE(base_rows, NUM_BASE_ROWS, 3)

integer number, at, word;

function [31:0] test(input integer column);
    test = tests[number * STRIDE_TESTS + column];
endfunction

function [31:0] step(input integer column);
    step = steps[at * STRIDE_STEPS + column];
endfunction

task print_words(input [31:0] bank, input [31:0] first);
    begin
        for (word = 0; word < banks[bank * STRIDE_BANKS + BANKS_COLUMNS]; word = word + 1)
            $write(" %0h", words[first + word]);
        $write("\n");
    end
endtask

initial begin
    `LOAD(tests, NUM_TESTS, "tests.hex")
    `LOAD(steps, NUM_STEPS, "steps.hex")
    `LOAD(code, NUM_CODE, "code.hex")
    `LOAD(flags, NUM_FLAGS, "flags.hex")
    `LOAD(before_fields, NUM_BEFORE_FIELDS, "before_fields.hex")
    `LOAD(expected_fields, NUM_EXPECTED_FIELDS, "expected_fields.hex")
    `LOAD(care_fields, NUM_CARE_FIELDS, "care_fields.hex")
    `LOAD(before_rows, NUM_BEFORE_ROWS, "before_rows.hex")
    `LOAD(expected_rows, NUM_EXPECTED_ROWS, "expected_rows.hex")
    `LOAD(care_rows, NUM_CARE_ROWS, "care_rows.hex")
    `LOAD(words, NUM_WORDS, "words.hex")
    `LOAD(banks, NUM_BANKS, "banks.hex")
    `LOAD(fields, NUM_FIELDS, "fields.hex")
    `LOAD(base_rows, NUM_BASE_ROWS, "base_rows.hex")
    for (at = 0; at < NUM_BANKS; at = at + 1)
        $write("bank %0h %0h %0h %0h\n", banks[at * 4], banks[at * 4 + 1], banks[at * 4 + 2], banks[at * 4 + 3]);
    for (at = 0; at < NUM_FIELDS; at = at + 1)
        $write("kind %0h %0h %0h\n", fields[at * 3], fields[at * 3 + 1], fields[at * 3 + 2]);
    for (at = 0; at < NUM_BASE_ROWS; at = at + 1) begin
        $write("base %0h %0h", base_rows[at * 3], base_rows[at * 3 + 1]);
        print_words(base_rows[at * 3], base_rows[at * 3 + 2]);
    end
    for (number = 0; number < NUM_TESTS; number = number + 1) begin
        $write("test %h%h %0h %0h %0h", test(TESTS_ID_HIGH), test(TESTS_ID_LOW), test(TESTS_EDITIONS),
               test(TESTS_EDITION), test(TESTS_CELL));
        $write(" %0h %0d %0d\n", test(TESTS_OUTCOME), test(TESTS_CONTESTED) != 0, test(TESTS_BREAKS) != 0);
        for (at = test(TESTS_STEPS_FIRST); at < test(TESTS_STEPS_FIRST) + test(TESTS_STEPS_COUNT); at = at + 1) begin
            $write("step %0h", step(STEPS_WAITS));
            for (word = 0; word < step(STEPS_CODE_COUNT); word = word + 1)
                $write(" %0h", code[step(STEPS_CODE_FIRST) + word]);
            $write("\n");
        end
        for (at = test(TESTS_FLAGS_FIRST); at < test(TESTS_FLAGS_FIRST) + test(TESTS_FLAGS_COUNT); at = at + 1)
            $write("flag %0h\n", flags[at]);
        `STATE(0, before_fields, before_rows, TESTS_BEFORE_FIELDS_FIRST, TESTS_BEFORE_ROWS_FIRST)
        `STATE(1, expected_fields, expected_rows, TESTS_EXPECTED_FIELDS_FIRST, TESTS_EXPECTED_ROWS_FIRST)
        `STATE(2, care_fields, care_rows, TESTS_CARE_FIELDS_FIRST, TESTS_CARE_ROWS_FIRST)
    end
end
endmodule
