"""A target in numpy: SFPAND of Tensix, written from its pages and from page VectorUnit. A template to copy.

    cd python/examples
    pytest --pyargs tandem.test_conformance --tandem-target=sfpand:Sfpand
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

import tandem

LANES = np.arange(32, dtype=np.uint32)
Bools = npt.NDArray[np.bool_]


def flag(words: npt.NDArray[np.uint32]) -> Bools:
    """The bit of each lane, bool `[k, 32]`, of words `[k]`."""
    return (words[:, None] >> LANES & 1).astype(bool)


def masked(cases: tandem.Cases) -> Bools:
    """Lanes whose row is masked, bool `[k, 32]`: bit `lane / 8` of the configuration of lane `lane % 8`."""
    rows = cases.get("LaneConfig[{}].ROW_MASK", np.arange(8)[None])
    return (rows[:, LANES % 8] >> LANES // 8 & 1).astype(bool)


class Sfpand(tandem.Target):
    """`SFPAND` on both chips: `VD` becomes `VB` and `VC`, bit by bit, in the lanes that are enabled."""

    name = "sfpand-numpy"
    instructions = ("tensix-wh/sfpand", "tensix-bh/sfpand")

    def enabled(self, cases: tandem.Cases) -> Bools:
        """`LaneEnabled`, bool `[k, 32]`."""
        counts, flags = flag(cases.get("UseLaneFlagsForLaneEnable")), flag(cases.get("LaneFlags"))
        return ~masked(cases) & (~counts | flags)

    def execute(self, batch: tandem.Batch) -> None:
        vd, vc = batch.operand("VD"), batch.operand("VC")
        vb = vd
        if batch.isa == "tensix-bh":  # where the modifier gives the first operand a field of its own
            vb = np.where(batch.operand("Mod1") & 1, batch.operand("VB"), vd)
        result = batch.read("LReg", vb) & batch.read("LReg", vc)
        result = np.where(self.enabled(batch), result, batch.read("LReg", vd))
        batch.write("LReg", vd, result, where=vd < 8)  # registers from 8 on are not written


class AllRows(Sfpand):
    """The same with a mistake: masked rows of lanes take part."""

    name = "sfpand-all-rows"

    def enabled(self, cases: tandem.Cases) -> Bools:
        return ~flag(cases.get("UseLaneFlagsForLaneEnable")) | flag(cases.get("LaneFlags"))
