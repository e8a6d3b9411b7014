"""The part of a process for tandem that is the same for every implementation: copy it as it is.

It keeps the background, gives rows and fields by name, and speaks JSON lines on standard input and output.
"""

import json
import struct
import sys
import zlib


class Unsupported(Exception):
    """Raised by an instruction for what it does not do: why, in a few words."""


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


def words_format(bank, words):
    return f"<{words}" + {1: "B", 2: "H", 4: "I"}[bank["word_bytes"]]


class Session:
    def __init__(self, instructions, claims):
        self.instructions, self.claims = instructions, claims

    def describe(self, isa):
        self.banks, self.base = isa["banks"], {field["name"]: field["base"] for field in isa["fields"]}
        self.known = self.instructions.get(isa["isa"])
        if self.known is None:
            return {"opened": None}
        self.words = {one["name"]: len(one["base_code"]) for one in isa["instructions"]}
        return {"opened": list(self.known), "claims": self.claims, "steps": 16}

    def load(self, banks):
        self.background = {}
        for bank in self.banks:
            data = bytes.fromhex(banks[bank["name"]])
            self.background[bank["name"]] = list(struct.iter_unpack(words_format(bank, bank["columns"]), data))
        return {"loaded": True}

    def case(self, instructions, case):
        state, code, done, answer = State(self.base, self.background, case), case["code"], 0, {"outcome": "done"}
        while answer["outcome"] == "done" and done < len(instructions):
            words = self.words[instructions[done]]
            kept = dict(state.small), {at: list(row) for at, row in state.written.items()}
            try:
                answer = {"outcome": self.known[instructions[done]](state, code[:words])}
            except Unsupported as why:
                reason = str(why).encode()[:80].decode(errors="ignore")
                answer = {"outcome": "unsupported", "reason": reason} if reason else {"outcome": "unsupported"}
                state.small, state.written = kept
            done, code = done + (answer["outcome"] == "done"), code[words:]
        if len(instructions) > 1:
            answer["done"] = done
        rows = [[bank, row, words] for (bank, row), words in state.written.items()]
        return {**answer, "small": state.small, "rows": rows}

    def execute(self, batch):
        instructions = [batch["instruction"], *batch.get("then", [])]
        return {"answers": [self.case(instructions, case) for case in batch["cases"]]}

    def hash(self, _):
        value = 0
        for bank in self.banks:
            words = [word for row in self.background[bank["name"]] for word in row]
            value = zlib.crc32(struct.pack(words_format(bank, len(words)), *words), value)
        return {"hash": value}

    def reset(self, _):
        return {"reset": True}  # nothing is kept between cases


def serve(name, instructions, claims=""):
    """Answers requests until the input ends. `instructions` has functions by instruction set and file name; `claims` is
    a TOML document that says what is not done."""
    session = Session(instructions, claims)
    print(json.dumps({"hello": {"tandem": 2, "name": name}}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        sequence = request.pop("seq")
        ((kind, payload),) = request.items()
        print(json.dumps({"seq": sequence, **getattr(session, kind)(payload)}), flush=True)
