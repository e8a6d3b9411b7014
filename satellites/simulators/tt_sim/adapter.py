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
import functools
import json
import os
import re
import sys
import tempfile
import types
import zlib

TICKS = 8
CHIPS = {"tensix-wh": "WORMHOLE_PROFILE", "tensix-bh": "BLACKHOLE_PROFILE"}
# These switches are tt-sim's own: a program that breaks a contract is told so, though the machine would go on.
SWITCHES = ("TT_SIM_DISABLE_SEMAPHORE_CHECKS", "TT_SIM_DISABLE_DVALID_CHECKS")
# How tt-sim says that it does not do something. An assertion without text is none of them.
REFUSALS = {
    "NotImplementedError": lambda text: True,
    "AssertionError": lambda text: bool(text),
    "SemaphoreContractError": lambda text: True,
    "SrcDvalidError": lambda text: True,
}


def bits(word, low, width):
    return word >> low & (1 << width) - 1


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


class Refused(Exception):
    """Why a case is not run, in a few words."""


# ---- tt-sim, and where it keeps what the border names


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


class Bank:
    """A bank of the border: `get(row)` is a list of words of tt-sim, `put(row, words)` writes them."""

    def __init__(self, rows, get, put):
        self.rows, self.get, self.put = rows, get, put

    def load(self, words):
        self.before = words.tolist()
        for row, held in enumerate(self.before):
            self.put(row, held)

    def background(self, row):
        return self.before[row]

    def changed(self):
        return (row for row in range(self.rows) if self.get(row) != self.before[row])

    def words(self, np):
        return np.array([self.get(row) for row in range(self.rows)])


class Arrays(Bank):
    """A bank that tt-sim keeps as numpy arrays, of which changes are found all at once."""

    def __init__(self, *arrays):
        self.arrays, self.size, self.rows = arrays, len(arrays[0]), len(arrays) * len(arrays[0])

    def get(self, row):
        held = self.arrays[row // self.size][row % self.size]
        return held.tolist() if held.ndim else [int(held)]

    def put(self, row, words):
        self.arrays[row // self.size][row % self.size] = words if self.arrays[0].ndim > 1 else words[0]

    def load(self, words):
        self.before = [words[at : at + self.size].reshape(self.arrays[0].shape) for at in range(0, self.rows, self.size)]
        for array, held in zip(self.arrays, self.before):
            array[...] = held

    def background(self, row):
        held = self.before[row // self.size][row % self.size]
        return held.tolist() if held.ndim else [int(held)]

    def changed(self):
        for at, (now, then) in enumerate(zip(self.arrays, self.before)):
            differs = now != then
            if differs.any():
                yield from ((differs.any(1) if differs.ndim > 1 else differs).nonzero()[0] + at * self.size).tolist()

    def words(self, np):
        return np.concatenate(self.arrays)


class Machine:
    """tt-sim's coprocessor of one chip, and its state by the names of the border."""

    def __init__(self, sim, chip, fields, banks):
        self.sim, self.chip = sim, chip
        profile = getattr(sim.arch, CHIPS[chip])
        self.core = sim.tensix.TensixCoProcessor(
            None, profile.tensix_cfg_state_size, profile.tensix_thd_state_size, blackhole=profile.tensix_blackhole
        )
        self.backend = self.core.getBackend()
        self.decoder = sim.util.TensixInstructionDecoder
        self.thread = 0
        self.places = {field["name"]: (field["byte"], field["shift"], field["width"]) for field in fields}
        self.fields_of = {}
        for field in fields:
            self.fields_of.setdefault(field["byte"], []).append((field["name"], field["shift"], field["width"]))
        self.parts = self.small_parts(fields)
        self.part_of = {byte: part for part in self.parts for byte in part[0]}
        missing = sorted({name for name, (byte, _, _) in self.places.items() if byte not in self.part_of})
        if missing:
            raise SystemExit(f"tt-sim: this adapter does not know the fields {', '.join(missing)}")
        self.base = {byte: 0 for byte in self.part_of}
        self.base = self.words({field["name"]: field["base"] for field in fields})
        stored = self.bank_parts()
        self.banks = {bank["name"]: stored[bank["name"]] for bank in banks}
        for bank in banks:
            self.banks[bank["name"]].bits = bank["word_bits"]
        self.idle = [(unit, self.transient(unit)) for unit in self.units()]

    # What the instruction set looks like there

    def handles(self, word):
        """Whether the decoder knows the word, and a unit has something to do for it."""
        if not self.decoder.isInstructionRecognised(word):
            return False
        info = self.decoder.getInstructionInfo(word)
        unit = info["ex_resource"]
        units = {**self.backend.backend_units, "UNPACK": self.backend.unpacker_units[0]}
        return unit in units and info["name"] in units[unit].opcode_to_method_map

    # The small state: parts of (bytes, put, get), where put takes and get gives a word for each byte

    def words(self, small):
        """The words of the base state that hold these fields, with these values."""
        words = {}
        for name, value in small.items():
            byte, shift, width = self.places[name]
            words[byte] = words.get(byte, self.base[byte]) & ~((1 << width) - 1 << shift) | value << shift
        return words

    def small_parts(self, fields):
        backend, parts, seen, lists = self.backend, [], set(), {}
        byte = lambda name: self.places[name][0]

        def part(names, put, get):
            at = tuple(byte(name) for name in names)
            if not seen & set(at):
                seen.update(at)
                parts.append((at, put, get))

        def attribute(name, thing, key, into=int):
            part([name], lambda words: setattr(thing, key, into(words[0])), lambda: [int(getattr(thing, key))])

        def item(name, things, key):
            lists.setdefault(id(things), (things, {}))[1][byte(name)] = key

        unit, vector, client = backend.matrix_unit, backend.vector_unit, self.sim.registers.SrcRegister.SrcClient
        config = backend.getConfigUnit()
        for field in fields:
            name = field["name"]
            numbers = [int(number) for number in re.findall(r"\[(\d+)\]", name)]
            stem, word = re.sub(r"\[\d+\]", "[]", name), (field.get("address") or [None, None])[1]
            at = numbers[0] if numbers else None
            if stem.startswith("ThreadConfig[]."):
                item(name, config.threadConfig[at], word)
            elif stem.startswith("Config[]."):
                item(name, config.config[at], word)
            elif stem.startswith("Config."):  # one word for both banks of Config
                part([name], functools.partial(self.put_shared, word), functools.partial(self.get_shared, word))
            elif stem.startswith("RWCs[].") and stem != "RWCs[].Sp":
                attribute(name, backend.rwc[at], stem[7:])
            elif stem.startswith("LaneConfig[]."):
                self.lanes_part(part, name, vector.laneConfig, at)
            elif stem == "Semaphores[].Value":
                attribute(name, backend.sync_unit.semaphores[at], "value")
            elif stem == "Semaphores[].Max":
                attribute(name, backend.sync_unit.semaphores[at], "max")
            elif stem in ("MatrixUnit.SrcABank", "MatrixUnit.SrcBBank"):
                attribute(name, unit, stem[11:].replace("Src", "src"))
            elif stem == "Unpackers[].SrcBank":
                attribute(name, backend.unpacker_units[at], "srcBank")
            elif stem == "Unpackers[].SrcRow[]":
                item(name, backend.unpacker_units[at].srcRow, numbers[1])
            elif stem in ("SrcA[].AllowedClient", "SrcB[].AllowedClient"):
                attribute(name, getattr(backend, "srcA" if stem[3] == "A" else "srcB")[at], "allowedClient", client)
            elif stem in ("ImpliedSrcAFmt[]", "ImpliedSrcBFmt[]"):
                source = getattr(backend, "srcA" if stem[10] == "A" else "srcB")[at]
                attribute(name, source, "dataFormat", self.format)
            elif stem in ("LaneFlags", "UseLaneFlagsForLaneEnable"):
                key = stem[0].lower() + stem[1:]
                put = lambda words, key=key: setattr(vector, key, [bool(words[0] >> i & 1) for i in range(32)])
                part([name], put, lambda key=key: [mask(getattr(vector, key))])
            elif stem == "LoadMacroConfig[].Misc":
                part([name], functools.partial(self.put_misc, at), functools.partial(self.get_misc, at))
            elif stem == "CurrentThread":
                part([name], lambda words: setattr(self, "thread", words[0]), lambda: [self.thread])
            elif stem.startswith("FlagStack[]."):
                keys = ("Occupied", "LaneFlags", "UseLaneFlagsForLaneEnable")
                part([f"FlagStack[{i}].{key}" for i in range(8) for key in keys], self.put_stack, self.get_stack)
            elif stem.startswith("WaitGate[]."):
                keys = ("Opcode", "ConditionMask", "BlockMask", "SemaphoreMask")
                names = [f"WaitGate[{at}].LatchedWaitInstruction.{key}" for key in keys]
                part(names, functools.partial(self.put_latched, at), functools.partial(self.get_latched, at))
            elif stem in ("RWCs[].Sp", "HardwareBug", "RISCV.Data[]"):
                # No storage: cases in which they matter are refused above, and in the others they stay.
                kept = {}
                part([name], lambda words, kept=kept: kept.update(word=words[0]), lambda kept=kept: [kept.get("word", 0)])
        for things, keys in lists.values():
            at = tuple(keys.values())
            put = lambda words, things=things, at=at: [things.__setitem__(key, word) for key, word in zip(at, words)]
            parts.append((tuple(keys), put, lambda things=things, at=at: [things[key] for key in at]))
        return parts

    def format(self, number):
        """A format as tt-sim names it; of those without a name the number."""
        named = self.sim.base.DataFormat
        return named(number) if number in named._value2member_map_ else number

    def lanes_part(self, part, name, lanes, at):
        """A word that serves the four lanes with this number modulo 8: what one of them has otherwise is what counts."""
        kept = [0]

        def put(words):
            kept[0] = words[0]
            for lane in range(at, 32, 8):
                lanes[lane] = words[0]

        part([name], put, lambda: [next((lanes[lane] for lane in range(at, 32, 8) if lanes[lane] != kept[0]), kept[0])])

    def put_shared(self, word, words):
        for bank in (0, 1):
            self.backend.getConfigUnit().setConfig(bank, word, words[0])
        self.shared = words[0]

    def get_shared(self, word):
        found = [bank[word] for bank in self.backend.getConfigUnit().config]
        return [next((one for one in found if one != self.shared), self.shared)]

    def put_misc(self, at, words):
        for lane in range(at, 32, 8):
            macro = self.backend.vector_unit.loadMacroConfig[lane]
            macro.storeMod0, macro.usesLoadMod0ForStore = bits(words[0], 0, 4), bits(words[0], 4, 4)
            macro.unitDelayKind = bits(words[0], 8, 4)

    def get_misc(self, at):
        macro = self.backend.vector_unit.loadMacroConfig[at]
        return [macro.storeMod0 | int(macro.usesLoadMod0ForStore) << 4 | macro.unitDelayKind << 8]

    def put_stack(self, words):
        entries = [words[3 * i : 3 * i + 3] for i in range(8)]
        lanes = lambda word: [bool(word >> i & 1) for i in range(32)]
        stack = [(lanes(flags), lanes(use)) for occupied, flags, use in entries if occupied]
        self.backend.vector_unit.flagStack[:] = stack
        self.stack = list(stack), words

    def get_stack(self):
        if self.backend.vector_unit.flagStack == self.stack[0]:
            return self.stack[1]
        words = [word for flags, use in self.backend.vector_unit.flagStack for word in (0xFFFFFFFF, mask(flags), mask(use))]
        return words + [0] * (24 - len(words))

    def put_latched(self, thread, words):
        opcode, conditions, blocks, semaphores = words
        gate = self.core.getThread(thread).wait_gate
        gate.latchedWaitInstruction = None
        if opcode:
            name = ("", "STALLWAIT", "SEMWAIT")[opcode]
            gate.setLatchedWaitInstruction(name, conditions, blocks, semaphores if opcode == 2 else None)

    def get_latched(self, thread):
        latched = self.core.getThread(thread).wait_gate.latchedWaitInstruction
        if latched is None:
            return [0, 0, 0, 0]
        opcode = {"STALLWAIT": 1, "SEMWAIT": 2}[latched.opcode]
        return [opcode, latched.condition_mask, latched.block_mask, latched.semaphore_mask or 0]

    # The banks

    def bank_parts(self):
        backend, vector = self.backend, self.backend.vector_unit
        macros, prng = vector.loadMacroConfig, [[0] * 32]

        def registers(row, words=None):
            held = backend.gpr.registers[row // 16]
            if words is not None:
                held[4 * (row % 16) : 4 * (row % 16) + 4] = words
            return held[4 * (row % 16) : 4 * (row % 16) + 4]

        def lreg(row, words=None):
            register = vector.lregs[row]
            if register.hard_wired_value is not None:
                if words is not None and any(word != register.hard_wired_value for word in words):
                    raise Refused(f"LReg[{row}] is a constant in tt-sim, 0x{register.hard_wired_value:x}")
                return [register.hard_wired_value] * 32
            if words is not None:
                register.data[:] = words
            return list(register.data)

        def macro(row, words=None):
            held = [getattr(one, "sequence" if row >= 4 else "instructionTemplate") for one in macros]
            if words is not None:
                for lane in range(32):
                    held[lane][row % 4] = words[lane % 8]
            return [held[lane][row % 4] for lane in range(8)]

        def random(row, words=None):
            if words is not None:
                prng[row] = list(words)
            return prng[row]

        return {
            "DstBits": Arrays(backend.dst.dstBits),
            "DstRowValid": Arrays(backend.dst.dstRowValid),
            "SrcA": Arrays(*(source.data for source in backend.srcA)),
            "SrcB": Arrays(*(source.data for source in backend.srcB)),
            "LReg": Bank(17, lreg, lreg),
            "GPRs": Bank(48, registers, registers),
            "LoadMacroConfig": Bank(8, macro, macro),
            "PRNG": Bank(1, random, random),
        }

    # What is in flight

    def units(self):
        threads = [self.core.getThread(thread) for thread in range(3)]
        return [*self.backend.getClocks(), *threads, *(thread.wait_gate for thread in threads), self.backend]

    def transient(self, unit):
        """The plain attributes of a unit that are no part of the small state: whether it waits, and for what."""
        known = {"srcABank", "srcBBank", "srcBank", "thread_id", "unpacker_id", "laneFlags", "useLaneFlagsForLaneEnable"}
        plain = {key: held for key, held in vars(unit).items() if held is None or isinstance(held, (int, bool, str))}
        return {key: held for key, held in plain.items() if key not in known and key != "latchedWaitInstruction"}

    def settle(self):
        """Forgets whatever is in flight, once the fields are those of the base state."""
        for unit, plain in self.idle:
            vars(unit).update(plain)
            for queue in ("next_instruction", "wait_gate_instruction_fifo", "blocked_mutex"):
                if getattr(unit, queue, None):
                    getattr(unit, queue).clear()
        for unit in self.backend.unpacker_units:
            unit.context_counter[:] = [0] * 3
        for words in (*self.backend.getConfigUnit().config, *self.backend.getConfigUnit().threadConfig):
            if any(words):  # no field has these words, and yet something has been written there
                words[:] = [0] * len(words)
        for semaphore in self.backend.sync_unit.semaphores:
            semaphore.initialised = True

    def run(self, word):
        """Executes a word; False if it is held."""
        thread = self.core.getThread(self.thread)
        thread.push_wait_gate_instruction(word)
        thread.wait_gate.clock_tick(0)
        for tick in range(1, TICKS):
            for unit in self.backend.getClocks():
                unit.clock_tick(tick)
            if not self.core.CoprocessorDoneCheck(self.thread):
                return True
            thread.wait_gate.clock_tick(tick)
        return False


def mask(flags):
    return sum(1 << lane for lane, flag in enumerate(flags) if flag)


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
        for at, put, _ in self.machine.parts:
            put([self.machine.base[byte] for byte in at])
        self.machine.settle()
        return {"loaded": True}

    def case(self, name, case):
        machine, word, overlay = self.machine, case["code"][0], {}
        words = machine.words(case["small"])
        try:
            for field, why, needs in NO_STORAGE:
                if needs(machine.chip, name, word, case["small"]):
                    raise Refused(f"{field} has no storage: {why}")
            for at, put, _ in {id(part): part for part in map(machine.part_of.get, words)}.values():
                put([words.get(byte, machine.base[byte]) for byte in at])
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
        small, base = {}, self.machine.base
        for at, put, get in self.machine.parts:
            now, then = get(), [base[byte] for byte in at]
            for byte, word in zip(at, now):
                differs = word ^ words.get(byte, base[byte])
                if differs:
                    fields = self.machine.fields_of[byte]
                    small.update((name, bits(word, low, width)) for name, low, width in fields if bits(differs, low, width))
            if now != then:
                put(then)
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
    options = options.parse_args()
    try:
        session = Session(options.source, options.crashes)
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
        print(json.dumps({"seq": sequence, **getattr(session, kind)(payload)}), file=lines, flush=True)


if __name__ == "__main__":
    main()
