"""tt-sim behind tandem's border: one instruction word a case, through tt-sim's own Wait Gate, decoder and units.

    tandem fuzz tensix-bh --target 'cmd:python3 adapter.py --source DIR'

DIR is a clone of github.com/mesham/tt-sim, of which only the Tensix coprocessor is imported. This file knows where tt-sim
keeps its state, and nothing of how an instruction computes: it fills the state of a case, pushes the word to the thread's
Wait Gate, lets the clock tick until the thread has nothing in flight, and reads everything back.

    refused     tt-sim raises what `REFUSALS` names, or the case needs state that `NO_STORAGE` says it has not
    blocked     the word is still in the Wait Gate or in a unit after `TICKS` ticks
    failed      any other exception. With --crashes refuse it is answered as unsupported, "crash: …", to see what is behind it
"""

import argparse
import json
import os
import re
import sys
import tempfile
import types
import zlib

from state import CHIPS, Machine, Refused, bits

# These switches are tt-sim's own: a program that breaks a contract is told so, though the machine would go on.
SWITCHES = ("TT_SIM_DISABLE_SEMAPHORE_CHECKS", "TT_SIM_DISABLE_DVALID_CHECKS")
# How tt-sim says that it does not do something. An assertion without text is none of them.
REFUSALS = {
    "NotImplementedError": lambda text: True,
    "AssertionError": lambda text: bool(text),
    "SemaphoreContractError": lambda text: True,
    "SrcDvalidError": lambda text: True,
}


# ---- state that tt-sim has no storage for: field, why, and in which cases it matters. The first that holds refuses.


def prng_advances(chip, name, word, _):
    if name == "sfpstochrnd":
        return True
    if name == "sfpcast":  # from Blackhole on, bit 1 says that it is another conversion
        return bits(word, 0, 1) and not (chip == "tensix-bh" and bits(word, 1, 1))
    return name == "sfpmov" and bits(word, 0, 4) & 8 and bits(word, 8, 4) == 9


def stack_pointer_used(chip, name, word, small):
    sp = small.get(f"RWCs[{small.get('CurrentThread', 0)}].Sp", 0)
    return chip == "tensix-bh" and name in ("sfpload", "sfpstore") and (sp or bits(word, 16, 4) == 10)


def stacks_differ(_chip, name, _word, small):
    heights = (small.get(f"FlagStack[{i}].Occupied", 0) for i in range(8))
    return name in ("sfppushc", "sfppopc", "sfpcompc") and any(height not in (0, 0xFFFFFFFF) for height in heights)


NO_STORAGE = (
    ("PRNG", "tt-sim keeps no random numbers", prng_advances),
    ("RWCs.Sp", "tt-sim has no stack pointer", stack_pointer_used),
    ("FlagStack", "tt-sim has one stack, as deep in all lanes", stacks_differ),
    ("HardwareBug", "tt-sim does not keep it", lambda chip, name, word, small: name == "shiftxa"),
)


# ---- tt-sim


def load(source):
    """Imports the Tensix coprocessor from a clone; raises SystemExit with one line where that does not work."""
    if not os.path.isfile(os.path.join(source, "tt_sim", "pe", "tensix", "tensix.py")):
        raise SystemExit(f"tt-sim: {source} is no clone of github.com/mesham/tt-sim: tt_sim/pe/tensix/tensix.py is not there")
    sys.dont_write_bytecode, sys.pycache_prefix = False, os.path.join(tempfile.gettempdir(), "tandem-tt-sim")
    for switch in SWITCHES:
        os.environ.setdefault(switch, "1")
    sys.path.insert(0, source)
    try:
        import numpy
        import yaml  # noqa: F401
    except ImportError as why:
        raise SystemExit(f"tt-sim: {why.name} is missing: pip install numpy pyyaml") from None
    try:
        import pyarrow.parquet  # noqa: F401
    except ImportError:
        # Only tt-sim's writers of traces use it, and none is asked for.
        for name in ("pyarrow", "pyarrow.parquet"):
            sys.modules[name] = types.ModuleType(name)
    try:
        import tt_sim.arch
        from tt_sim.pe.tensix import registers, tensix, util
        from tt_sim.pe.tensix.backends import backend_base
        from tt_sim.pe.tensix.frontend import WaitGate
    except ImportError as why:
        raise SystemExit(f"tt-sim: {source} cannot be imported: {why}") from None
    return types.SimpleNamespace(
        np=numpy, arch=tt_sim.arch, tensix=tensix, util=util, registers=registers, base=backend_base, WaitGate=WaitGate
    )


# ---- the border, as JSON lines


class Session:
    def __init__(self, source, crashes):
        self.sim, self.crashes, self.reasons = load(source), crashes, {}

    def describe(self, isa):
        if isa["isa"] not in CHIPS:
            return {"opened": None}
        self.layout = isa["banks"]
        self.machine = Machine(self.sim, isa["isa"], isa["fields"], isa["banks"])
        self.background = {}
        return {"opened": [one["name"] for one in isa["instructions"] if self.machine.handles(one["base_code"][0])]}

    def load(self, banks):
        np = self.sim.np
        for bank in self.layout:
            words = np.frombuffer(bytes.fromhex(banks[bank["name"]]), f"<u{bank['word_bytes']}")
            self.machine.banks[bank["name"]].load(words.reshape(bank["rows"], bank["columns"]))
        for _, put, _, base in self.machine.parts:
            put(base)
        self.machine.settle()
        return {"loaded": True}

    def case(self, name, case):
        machine, word, overlay = self.machine, case["code"][0], {}
        words = machine.words(case["small"])
        try:
            for field, why, needs in NO_STORAGE:
                if needs(machine.chip, name, word, case["small"]):
                    raise Refused(f"{field} has no storage: {why}")
            for at, put, _, base in machine.parts:
                given = [words[byte] for byte in at]
                if given != base:
                    put(given)
            for bank, row, held in case["rows"]:
                overlay[bank, row] = held
                machine.banks[bank].put(row, held)
            answer = {"outcome": "done" if machine.run(word) else "blocked"}
        except Refused as why:
            answer = {"outcome": "unsupported", "reason": said(why)}
        except Exception as why:  # whatever tt-sim raises
            answer = self.raised(why)
        small, rows = self.changed_fields(words), self.changed_rows(overlay)
        machine.settle()
        if answer.get("outcome") == "blocked":
            # Held means that the step has not been: what the gate has forgotten meanwhile it will forget again.
            small = {name: value for name, value in small.items() if not name.startswith("WaitGate[")}
        for bank, row, held in rows if "reason" not in answer else ():
            if max(held) >> machine.banks[bank].bits:
                answer = self.crash(f"{bank}[{row}] holds {max(held):#x}, more than {machine.banks[bank].bits} bits")
        if "reason" in answer:
            self.reasons[answer["reason"]] = self.reasons.get(answer["reason"], 0) + 1
        return {**answer, "small": small, "rows": rows} if answer.get("outcome") in ("done", "blocked") else answer

    def changed_fields(self, words):
        """The fields that are otherwise than before the case; all become those of the base state again."""
        small = {}
        for at, put, get, base in self.machine.parts:
            now, given = get(), [words[byte] for byte in at]
            for byte, word, then in zip(at, now, given) if now != given else ():
                if word != then:
                    fields = self.machine.fields_of[byte]
                    small.update((name, bits(word, low, width)) for name, low, width in fields if bits(word ^ then, low, width))
            if now != base or given != base:
                put(base)
        return small

    def changed_rows(self, overlay):
        """The rows that are otherwise than before the case; all become those of the background again."""
        written = []
        for name, bank in self.machine.banks.items():
            for row in sorted({*bank.changed(), *(row for of, row in overlay if of == name)}):
                now, then = bank.get(row), bank.background(row)
                if now != overlay.get((name, row), then):
                    written.append([name, row, now])
                bank.put(row, then)
        return written

    def raised(self, why):
        kind, text = type(why).__name__, str(why)
        if REFUSALS.get(kind, lambda _: False)(text):
            return {"outcome": "unsupported", "reason": said(text or kind)}
        return self.crash(f"{kind}: {text}")

    def crash(self, text):
        if self.crashes == "refuse":
            return {"outcome": "unsupported", "reason": said(f"crash: {text}")}
        return {"failed": text}

    def execute(self, batch):
        answers = []
        for case in batch["cases"]:
            answer = self.case(batch["instruction"], case)
            if "failed" in answer:
                # What was answered before it stands; then tandem asks again from this case on.
                return {"answers": answers} if answers else answer
            answers.append(answer)
        return {"answers": answers}

    def count_reasons(self):
        """Adds how often what was refused to the file that the environment names; a process may end without a word."""
        if self.reasons and "TT_SIM_REASONS" in os.environ:
            with open(os.environ["TT_SIM_REASONS"], "a") as file:
                file.writelines(f"{number}\t{reason}\n" for reason, number in self.reasons.items())
            self.reasons.clear()

    def hash(self, _):
        self.count_reasons()
        value = 0
        for bank in self.layout:
            words = self.machine.banks[bank["name"]].words(self.sim.np)
            value = zlib.crc32(words.astype(f"<u{bank['word_bytes']}").tobytes(), value)
        return {"hash": value}

    def reset(self, _):
        return {"reset": True}  # whatever is kept between cases is in the state that each case fills


def said(why):
    """A reason as the border takes it: one line, at most 80 bytes, without numbers that tell cases apart."""
    text = re.sub(r"\b(0x[0-9a-fA-F]+|\d{3,})\b", "n", " ".join(str(why).split()))
    return text.encode()[:80].decode(errors="ignore")


def main():
    options = argparse.ArgumentParser(description="tt-sim behind tandem's border")
    options.add_argument("--source", required=True, help="a clone of github.com/mesham/tt-sim")
    options.add_argument("--crashes", choices=("fail", "refuse"), default="fail")
    options.add_argument("--chip", choices=CHIPS, help="the only one to answer for; tt-sim is not imported for others")
    options = options.parse_args()
    try:
        session = None if options.chip else Session(options.source, options.crashes)
    except SystemExit as why:
        print(why, file=sys.stderr)
        sys.exit(3)
    # What tt-sim prints must not come between the lines.
    lines, sys.stdout = sys.stdout, sys.stderr
    print(json.dumps({"hello": {"tandem": 2, "name": "tt-sim"}}), file=lines, flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        sequence = request.pop("seq")
        ((kind, payload),) = request.items()
        if kind == "describe" and options.chip not in (None, payload["isa"]):
            answer = {"opened": None}
        else:
            session = session or Session(options.source, options.crashes)
            answer = getattr(session, kind)(payload)
        print(json.dumps({"seq": sequence, **answer}), file=lines, flush=True)


if __name__ == "__main__":
    main()
