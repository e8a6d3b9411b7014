"""A target in numpy that does a part: MOVA2D of Tensix Wormhole into 16-bit Dst, written from its page and from page RWCs.

What it does not do it refuses, with a reason, before it writes anything.

    cd python/examples
    pytest --pyargs tandem.test_conformance --tandem-target=mova2d:Mova2d
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import tandem

BF16, BFP8, FP16, BFP8A, INT8 = 5, 6, 1, 2, 14
MATRIX_UNIT = 0
COLUMNS = np.arange(16, dtype=np.uint32)
Numbers = npt.NDArray[np.uint32]
Bools = npt.NDArray[np.bool_]


def of_thread(cases: tandem.Cases, name: str) -> Numbers:
    """Configuration of the current thread."""
    return cases.get("ThreadConfig[{}]." + name, cases.get("CurrentThread"))


def of_config(cases: tandem.Cases, name: str) -> Numbers:
    """Configuration in the state that the thread has chosen."""
    return cases.get("Config[{}]." + name, of_thread(cases, "CFG_STATE_ID_StateID"))


def format_of(cases: tandem.Cases) -> Numbers:
    """The format of the data in `SrcA`."""
    overridden = of_config(cases, "ALU_FORMAT_SPEC_REG_SrcA_override")
    value, usual = of_config(cases, "ALU_FORMAT_SPEC_REG_SrcA_val"), of_config(cases, "ALU_FORMAT_SPEC_REG0_SrcA")
    return np.where(overridden, value, usual)


def columns_of(cases: tandem.Cases) -> Bools:
    """The columns that may be written, bool `[k, 16]`."""
    blocked = cases.get("LaneConfig[{}].BLOCK_DEST_MOV", np.arange(8)[None])
    free: Bools = (blocked[:, COLUMNS // 2] >> COLUMNS % 2 & 1) == 0
    return free


class Mova2d(tandem.Target):
    """`MOVA2D` of one row or eight, of formats of which `Dst` keeps 16 bits."""

    name = "mova2d-numpy"
    instructions = ("tensix-wh/mova2d",)

    def flushed(self, data: Numbers) -> Numbers:
        """What becomes of denormals."""
        return np.zeros_like(data)

    def execute(self, batch: tandem.Batch) -> None:
        cases = batch.refuse(~np.isin(format_of(batch), (BF16, BFP8, FP16, BFP8A, INT8)), "format of SrcA")
        cases = cases.refuse(cases.code[:, 0] & 0x805C00 != 0, "UseDst32bLo, or a bit without a name")
        cases = cases.refuse(of_thread(cases, "FP16A_FORCE_Enable") != 0, "FP16A_FORCE_Enable")
        wide = of_config(cases, "ALU_ACC_CTRL_Fp32_enabled") | of_config(cases, "ALU_ACC_CTRL_INT8_math_enabled")
        cases = cases.refuse(wide != 0, "32-bit Dst")
        # What a mode decides is refused first: a case that is held would say that the mode is there.
        owner = cases.get("SrcA[{}].AllowedClient", cases.get("MatrixUnit.SrcABank"))
        cases = cases.block(owner != MATRIX_UNIT)
        eight = cases.operand("Move8Rows") != 0
        self.move(cases.where(eight), 8)
        self.move(cases.where(~eight), 1)

    def move(self, cases: tandem.Cases, num_rows: int) -> None:
        """Moves `num_rows` rows in each case."""
        if not len(cases):
            return
        word, thread, steps = cases.code[:, 0], cases.get("CurrentThread"), np.arange(num_rows)
        dst = (word & 1023) + of_thread(cases, "DEST_TARGET_REG_CFG_MATH_Offset")
        dst = dst + cases.get("RWCs[{}].Dst", thread) + of_config(cases, "DEST_REGW_BASE_Base")
        rows = (dst & 1024 - num_rows)[:, None] + steps
        columns = columns_of(cases)
        some: Bools = np.any(columns, axis=1)
        unknown: Bools = some & ~columns.all(axis=1) & (cases.read("DstRowValid", rows)[..., 0] == 0).any(axis=1)
        # No page tells what the other columns of an invalid row become.
        cases = cases.refuse(unknown, "BLOCK_DEST_MOV on an invalid row")
        left = np.flatnonzero(~unknown)
        word, thread, rows, columns, some = word[left], thread[left], rows[left], columns[left], some[left]

        src = (word >> 17 & 63) + cases.get("RWCs[{}].SrcA", thread) & 64 - num_rows
        data = cases.read("SrcA", (64 * cases.get("MatrixUnit.SrcABank") + src)[:, None] + steps)  # Sign,Man(10b),Exp(8b)
        flush = of_config(cases, "ALU_ACC_CTRL_Zero_Flag_disabled_src")[:, None, None] == 0
        data = np.where(flush & (data & 0xFF == 0), self.flushed(data), data)
        eight_bits = np.isin(format_of(cases), (BF16, BFP8))[:, None, None]
        moved = data >> 3 & np.where(eight_bits, 0xFF00, 0xFFE0) | data & np.where(eight_bits, 0xFF, 0x1F)
        moved = np.where(columns[:, None, :], moved.astype(np.uint16), cases.read("DstBits", rows))
        where = np.broadcast_to(some[:, None], rows.shape)
        cases.write("DstBits", rows, moved, where=where)
        cases.write("DstRowValid", rows, np.ones((*rows.shape, 1), np.uint8), where=where)
        apply_addr_mod(cases, thread, cases.operand("AddrMod"))


class KeepsSign(Mova2d):
    """The same with a mistake: the flush keeps the sign."""

    name = "mova2d-keeps-sign"

    def flushed(self, data: Numbers) -> Numbers:
        return data & np.uint32(0x40000)


def advance(cases: tandem.Cases, thread: Numbers, counter: str, how: tuple[Numbers, Numbers, Numbers, Numbers]) -> None:
    """Advances a counter and what it carries: clear, to carry, by carry, by how much, each `[k]`."""
    clear, to_cr, by_cr, by = how
    name = "RWCs[{}]." + counter
    value, carry = cases.get(name, thread), cases.get(name + "_Cr", thread)
    mask = 1023 if counter == "Dst" else 63
    moved = np.where(by_cr & ~(to_cr != 0), carry, value) + by & mask
    moved = np.where(clear, 0, moved)
    cases.set(name, thread, value=moved)
    cases.set(name + "_Cr", thread, value=np.where(clear | to_cr | by_cr, moved, carry))


def apply_addr_mod(cases: tandem.Cases, thread: Numbers, index: Numbers) -> None:
    """`ApplyAddrMod`: what the chosen one of eight rules makes of the counters."""
    phase, extra = cases.get("RWCs[{}].FidelityPhase", thread), cases.get("RWCs[{}].ExtraAddrModBit", thread)
    index = index + 4 * (extra | of_thread(cases, "ADDR_MOD_SET_Base"))

    def rule(name: str) -> Numbers:
        section, field = name.split(".")
        return cases.get("ThreadConfig[{}].ADDR_MOD_" + section + "_SEC[{}]." + field, thread, index)

    none = np.zeros_like(thread)
    for src in ("SrcA", "SrcB"):
        advance(cases, thread, src, (rule(f"AB.{src}Clear"), none, rule(f"AB.{src}CR"), rule(f"AB.{src}Incr")))
    dst = (rule("DST.DestClear"), rule("DST.DestCToCR"), rule("DST.DestCR"), rule("DST.DestIncr"))
    advance(cases, thread, "Dst", dst)
    phase = np.where(rule("DST.FidelityClear"), 0, phase + rule("DST.FidelityIncr") & 3)
    extra = np.where(rule("BIAS.BiasClear"), 0, extra + (rule("BIAS.BiasIncr") & 3 != 0) & 1)
    cases.set("RWCs[{}].FidelityPhase", thread, value=phase)
    cases.set("RWCs[{}].ExtraAddrModBit", thread, value=extra)
