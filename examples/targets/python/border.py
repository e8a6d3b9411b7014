"""The part of a process for tandem that is the same for every implementation: copy it as it is.

It keeps the background, gives rows and fields by name, and speaks JSON lines on standard input and output.
"""

import json
import struct
import sys
import zlib


class Unsupported(Exception):
    """Raised by an instruction for what it does not do."""


class State:
    """The state of one case: fields by name, and rows of words. It keeps apart what the case changed."""

    def __init__(self, base, background, case):
        self.fields = {**base, **case["small"]}
        self.small = {}
        self.overlay = {(bank, row): words for bank, row, words in case["rows"]}
        self.background = background
        self.written = {}

    def __getitem__(self, field):
        return self.small.get(field, self.fields[field])

    def __setitem__(self, field, value):
        self.small[field] = value

    def row(self, bank, row):
        for rows in (self.written, self.overlay):
            if (bank, row) in rows:
                return rows[bank, row]
        return self.background[bank][row]

    def row_to_write(self, bank, row):
        return self.written.setdefault((bank, row), list(self.row(bank, row)))


def row_format(bank):
    return f"<{bank['columns']}" + {1: "B", 2: "H", 4: "I"}[bank["word_bytes"]]


class Session:
    def __init__(self, instructions):
        self.instructions = instructions

    def describe(self, isa):
        self.banks, self.base = isa["banks"], {field["name"]: field["base"] for field in isa["fields"]}
        self.known = self.instructions.get(isa["isa"])
        return {"opened": self.known and list(self.known)}

    def load(self, banks):
        self.background = {}
        for bank in self.banks:
            data = bytes.fromhex(banks[bank["name"]])
            self.background[bank["name"]] = list(struct.iter_unpack(row_format(bank), data))
        return {"loaded": True}

    def case(self, instruction, case):
        state = State(self.base, self.background, case)
        try:
            outcome = self.known[instruction](state, case["code"])
        except Unsupported:
            return {"outcome": "unsupported"}
        rows = [[bank, row, words] for (bank, row), words in state.written.items()]
        return {"outcome": outcome, "small": state.small, "rows": rows}

    def execute(self, batch):
        return {"answers": [self.case(batch["instruction"], case) for case in batch["cases"]]}

    def hash(self, _):
        value = 0
        for bank in self.banks:
            for row in self.background[bank["name"]]:
                value = zlib.crc32(struct.pack(row_format(bank), *row), value)
        return {"hash": value}

    def reset(self, _):
        return {"reset": True}  # nothing is kept between cases


def serve(name, instructions):
    """Answers requests until the input ends. `instructions` has functions by instruction set and file name."""
    session = Session(instructions)
    print(json.dumps({"hello": {"tandem": 1, "name": name}}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        sequence = request.pop("seq")
        ((kind, payload),) = request.items()
        print(json.dumps({"seq": sequence, **getattr(session, kind)(payload)}), flush=True)
