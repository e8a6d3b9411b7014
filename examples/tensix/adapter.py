#!/usr/bin/env python3
"""Run programs of `tandem vectors export --format tensix-program` on a board, and write results for `tandem vectors judge`.

    adapter.py PROGRAMS.jsonl RESULTS.jsonl [--served 'COMMAND'] [--core X,Y]

The board is reached by tt-exalens, or with --served it is a process such as `tandem vectors board tensix-bh`. A class below
with the same methods serves any other way to a board.
"""

import argparse
import json
import shlex
import subprocess
import sys

CONFIG_WORDS = {"tensix-wh": 188, "tensix-bh": 224}  # words of a bank of Config
WINDOW = 0xFFBD8000


def number(text):
    return int(text, 16)


class Refused(Exception):
    """The board does not have what a test needs, as a simulator may."""


class Served:
    """A board behind a process that answers lines of JSON."""

    def __init__(self, command):
        self.process = subprocess.Popen(shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline() or '{"error": "the process has ended"}')
        if "error" in answer:
            sys.exit(f"adapter.py: the board says: {answer['error']}")
        if "refused" in answer:
            raise Refused(answer["refused"])
        return answer

    def reset(self, chip):
        """Whether all is zero behind it, so that no prologue is needed."""
        return self.ask(do="reset", chip=chip).get("zero", False)

    def inject(self, words, thread):
        """Pushes instructions and waits until all have ended: whether one is held instead."""
        return self.ask(do="push", thread=thread, words=words)["held"]

    def store(self, address, size, data, thread):
        self.ask(do="store", thread=thread, address=address, bytes=size, data=data)

    def load(self, address, size, sign_extend, thread):
        return self.ask(do="load", thread=thread, address=address, bytes=size, sign_extend=sign_extend)["data"]

    def read(self, space, index, word):
        return self.ask(do="read", space=space, index=index, word=word)["value"]


class Exalens:
    """A board by tt-exalens. No board was there to try it on: only the names are from its documentation.

    A core of RISC-V has to be there for each thread, in a loop that pushes nothing. `DstWindow` and `GPRs` are read by it.
    """

    REGFILE, CONFIG, PC_BUF, SEMAPHORES = 0xFFE00000, 0xFFEF0000, 0xFFE80000, 8

    def __init__(self, core):
        from ttexalens.debug_tensix import TensixDebug
        from ttexalens.tt_exalens_init import init_ttexalens

        self.tensix = TensixDebug(core, 0, init_ttexalens(safe_mode=False))
        self.chip = None

    def core(self, thread):
        return self.tensix.noc_block.get_risc_debug(risc_name=f"trisc{thread}")

    def reset(self, chip):
        """Resets the coprocessor and sets self.chip: how depends on the board, so whoever runs this has to say it."""
        raise NotImplementedError("write RISCV_DEBUG_REG_SOFT_RESET_0 as your board wants it, with write_register")

    def inject(self, words, thread):
        # Instructions that do nothing fill what lies between the FIFO and the Wait Gate, so that the FIFO keeps some of them
        # if the thread is held.
        for word in words + [0x02000000] * 40:
            self.tensix.inject_instruction(word, thread)
        return not self.is_empty(thread)

    def is_empty(self, thread, tries=100):
        from ttexalens.tt_exalens_lib import read_register

        register, bit = "RISCV_DEBUG_REG_INSTRN_BUF_STATUS", 1 << (thread + 4)
        return any(read_register(self.tensix.core_loc, register) & bit for _ in range(tries))

    def store(self, address, size, data, thread):
        core = self.core(thread)
        with core.ensure_private_memory_access():
            core.write_memory_bytes(address, b"".join(word.to_bytes(4, "little") for word in data)[:size])

    def load(self, address, size, sign_extend, thread):
        core = self.core(thread)
        with core.ensure_private_memory_access():
            value = core.read_memory_bytes(address, size)
        if size < 4:
            value = int.from_bytes(value, "little", signed=sign_extend).to_bytes(4, "little", signed=sign_extend)
        return [int.from_bytes(value[at : at + 4].ljust(4, b"\0"), "little") for at in range(0, 16, 4)]

    def read(self, space, index, word):
        one = lambda address, thread: self.load(address, 4, False, thread)[:1]
        if space == "DstWindow":
            rows = [self.load(WINDOW + 2 * (16 * index + column), 2, False, word) for column in range(16)]
            return [row[0] for row in rows]
        if space == "GPRs":
            return one(self.REGFILE + 4 * word, index)
        if space == "Config":
            return one(self.CONFIG + 4 * (CONFIG_WORDS[self.chip] * index + word), 0)
        if space == "ThreadConfig":
            sizes = {"tensix-wh": 57, "tensix-bh": 68}
            at = 8 * CONFIG_WORDS[self.chip] + 16 * (sizes[self.chip] * index + word)
            return one(self.CONFIG + at, 0)
        if space == "Semaphores":
            return one(self.PC_BUF + 4 * (self.SEMAPHORES + index), 0)
        # The debug array gives the words of a row as they lie in Dst.
        from ttexalens.debug_tensix import REGFILE

        rows = self.tensix.read_regfile(REGFILE.DSTACC)
        return [int.from_bytes(rows[32 * index + at : 32 * index + at + 2], "little") for at in range(0, 32, 2)]


def run(board, segments):
    """Runs segments: whether the last was held, and what the last load gave."""
    held, loaded = False, [0, 0, 0, 0]
    for segment in segments:
        thread = segment["thread"]
        if "words" in segment:
            held = board.inject([number(word) for word in segment["words"]], thread)
        elif "store" in segment:
            board.store(number(segment["address"]), segment["bytes"], [number(one) for one in segment["store"]], thread)
        else:
            loaded = board.load(number(segment["address"]), segment["bytes"], segment["sign_extend"], thread)
    return held, loaded


def shift(value, left):
    return value << left if left >= 0 else value >> -left


class Result:
    """What a test changed, as `tandem vectors judge` reads it."""

    def __init__(self, test):
        self.test, self.small, self.rows, self.seen = test, {}, {}, []
        for cell in test["unread"]:
            if "field" in cell:
                self.small[cell["field"]] = cell["value"]
            else:
                self.rows[tuple(cell["row"])] = cell["words"]

    def add(self, read, value):
        shows, masks = read["shows"], [number(mask) for mask in read["mask"]]
        value = [word & mask for word, mask in zip(value, masks)]
        right = value == [number(word) & mask for word, mask in zip(read["expected"], masks)]
        self.seen.append(right)
        if "row" in shows:
            row = self.rows.setdefault(tuple(shows["row"]), {})
            for column, word in zip(shows["columns"], value):
                if column is not None:
                    parts = sum(shift(word & number(bits), left) for bits, left in shows["parts"])
                    row[column] = row.get(column, 0) | parts
        elif "fields" in shows:
            word = value[read["word"]] if read["space"] == "Loaded" else value[0]
            for name, bits in shows["fields"].items():
                bits = number(bits)
                self.small[name] = (word & bits) // (bits & -bits)
        elif "flags" in shows:
            flags = sum(1 << flag for flag, word in zip(shows["of"], value) if flag is not None and word)
            self.small[shows["flags"]] = self.small.get(shows["flags"], 0) | flags
        elif "agree" in shows:
            self.small.update({name: self.test["agreed"][name] for name in shows["agree"] if right})
        else:
            self.rows[("DstRowValid", shows["valid"])] = [int(any(value))]

    def line(self, outcome):
        words = lambda row: row if isinstance(row, list) else [row[column] for column in sorted(row)]
        rows = [[bank, row, words(held)] for (bank, row), held in self.rows.items()]
        # A test that was held changes nothing, and nothing of it is taken on trust.
        done = outcome == "done"
        result = {"id": self.test["id"], "outcome": outcome, "small": self.small if done else {}, "rows": rows}
        return {**result, "reads": len(self.seen), "wrong_reads": self.seen.count(False)}


def run_test(board, header, test):
    """Runs one test from a reset on: its result."""
    if not board.reset(test["chip"]):
        run(board, header["chips"][test["chip"]]["prologue"])
    for address, data in test["writes"]:
        board.store(number(address), 4, [number(data), 0, 0, 0], 0)
    run(board, [segment for segment in test["push"] if "test" not in segment])
    held, loaded = run(board, [segment for segment in test["push"] if "test" in segment])
    result = Result(test)
    for read in test["reads"]:
        run(board, read["push"])
        value = loaded if read["space"] == "Loaded" else board.read(read["space"], read["index"], read["word"])
        result.add(read, value)
    return result.line("blocked" if held else "done")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs")
    parser.add_argument("results")
    parser.add_argument("--served", metavar="COMMAND", help="a process that answers for the board")
    parser.add_argument("--core", default="0,0", help="the core of the board, for tt-exalens")
    asked = parser.parse_args()
    board = Served(asked.served) if asked.served else Exalens(asked.core)
    header, tests, wrong, refused = None, 0, 0, 0
    with open(asked.programs) as programs, open(asked.results, "w") as results:
        for line in map(json.loads, programs):
            if line["kind"] == "header":
                header = line
            elif line["kind"] == "test":
                try:
                    result = run_test(board, header, line)
                    wrong += result["wrong_reads"] > 0 or result["outcome"] != line["outcome"]
                except Refused as why:
                    print(f"{line['id']}: {why}", file=sys.stderr)
                    result, refused = {"id": line["id"], "outcome": "unsupported"}, refused + 1
                results.write(json.dumps(result) + "\n")
                tests += 1
    ran = f"{tests} tests ran, {wrong} of them not as expected, {refused} refused"
    print(f"{ran}; judge {asked.results} with `tandem vectors judge`")
    return 0 if tests else 1


if __name__ == "__main__":
    sys.exit(main())
