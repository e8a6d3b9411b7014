"""Where tt-sim keeps what the border names: banks as rows of words, and the small state as parts of its words.

Of tt-sim this knows constructors, attributes and the methods that set state, and nothing of how an instruction computes.
"""

import functools
import re

CHIPS = {"tensix-wh": "WORMHOLE_PROFILE", "tensix-bh": "BLACKHOLE_PROFILE"}
TICKS = 8
ZEROACC = 0x10  # its opcode


class Refused(Exception):
    """Why a case is not run, in a few words."""


def bits(word, low, width):
    return word >> low & (1 << width) - 1


def mask(flags):
    return sum(1 << lane for lane, flag in enumerate(flags) if flag)


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
        self.thread, self.latched = 0, [[0] * 4 for _ in range(3)]
        self.places = {field["name"]: (field["byte"], field["shift"], field["width"]) for field in fields}
        self.clears = {name: (byte, shift, ~((1 << width) - 1 << shift)) for name, (byte, shift, width) in self.places.items()}
        self.fields_of = {}
        for field in fields:
            self.fields_of.setdefault(field["byte"], []).append((field["name"], field["shift"], field["width"]))
        self.parts = self.small_parts(fields)
        placed = {byte for at, _, _ in self.parts for byte in at}
        missing = sorted({name for name, (byte, _, _) in self.places.items() if byte not in placed})
        if missing:
            raise SystemExit(f"tt-sim: this adapter does not know the fields {', '.join(missing)}")
        self.base = dict.fromkeys(placed, 0)
        self.base = self.words({field["name"]: field["base"] for field in fields})
        self.parts = [(at, put, get, [self.base[byte] for byte in at]) for at, put, get in self.parts]
        stored = self.bank_parts()
        self.banks = {bank["name"]: stored[bank["name"]] for bank in banks}
        for bank in banks:
            self.banks[bank["name"]].bits = bank["word_bits"]
        self.high_half = sim.np.arange(len(self.backend.dst.dstRowValid)) & 8 == 0
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
        """The words of the base state, with these fields in them."""
        words, clears = self.base.copy(), self.clears
        for name, value in small.items():
            byte, shift, clear = clears[name]
            words[byte] = words[byte] & clear | value << shift
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
        gate.latchedWaitInstruction, self.latched[thread] = None, words
        if opcode:
            name = ("", "STALLWAIT", "SEMWAIT")[opcode]
            gate.setLatchedWaitInstruction(name, conditions, blocks, semaphores if opcode == 2 else None)

    def get_latched(self, thread):
        latched = self.core.getThread(thread).wait_gate.latchedWaitInstruction
        if latched is None:  # masks without an instruction have no storage, nor any effect: they stay
            return [0, 0, 0, 0] if self.latched[thread][0] else self.latched[thread]
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
            of, at = ("sequence" if row >= 4 else "instructionTemplate"), row % 4
            if words is not None:
                for lane, one in enumerate(macros):
                    getattr(one, of)[at] = words[lane % 8]
            return [getattr(one, of)[at] for one in macros[:8]]

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
        # ZEROACC makes a row undefined; tt-sim makes it zero besides, where the pages leave its bits to no reader. A row that is
        # eight behind its high half is read without regard to its own flag.
        bits, valid = self.backend.dst.dstBits, self.backend.dst.dstRowValid
        before, cleared = bits.copy(), ~valid & self.high_half
        bits[cleared] = 0
        through = self.pass_through(word)
        undefined = ~valid & (word >> 24 == ZEROACC or cleared) & ~bits.any(1)
        bits[undefined] = before[undefined]
        return through

    def pass_through(self, word):
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
