"""The recorded tests of SFPAND on Wormhole without tandem: json and numpy alone.

    python python/examples/plain_vectors.py vectors/tensix-wh/sfpand.json

It reads the file, executes SFPAND in numpy on the state before each test, and compares the whole state after it.
`docs/vectors.md` describes the format.
"""

import json
import pathlib
import re
import sys

import numpy as np
import numpy.typing as npt

LANES = np.arange(32, dtype=np.uint32)
Registers = npt.NDArray[np.uint32]
State = tuple[Registers, dict[str, int]]
DEFAULT = pathlib.Path(__file__).parents[2] / "vectors" / "tensix-wh" / "sfpand.json"


def base_registers() -> Registers:
    """The registers `LReg` in the base state, uint32 `[17, 32]`, as the member `base` of the file says it."""
    registers = np.zeros((17, 32), np.uint32)
    registers[8], registers[10], registers[15] = 0x3F56594B, 0x3F800000, 2 * LANES
    return registers


def laid_over(state: State, sparse: dict[str, dict[str, str]]) -> tuple[State, dict[str, str]]:
    """A state with what `sparse` names, and the rows of other banks, which stay as they are read."""
    registers, fields = state[0].copy(), {**state[1], **{n: int(v) for n, v in sparse.get("fields", {}).items()}}
    others = {}
    for place, words in sparse.get("rows", {}).items():
        match = re.fullmatch(r"LReg\[(\d+)(?:\.\.(\d+))?\]", place)
        if match is None:
            others[place] = words
            continue
        first = int(match[1])
        rows = np.array([int(words[at : at + 8], 16) for at in range(0, len(words), 8)], np.uint32).reshape(-1, 32)
        registers[first : first + len(rows)] = rows
    return (registers, fields), others


def sfpand(code: int, state: State) -> State:
    """What becomes of a state."""
    registers, fields = state[0].copy(), state[1]
    vd, vc = code >> 4 & 15, code >> 8 & 15
    row_mask = np.array([fields.get(f"LaneConfig[{column}].ROW_MASK", 0) for column in range(8)], np.uint32)
    masked = row_mask[LANES % 8] >> LANES // 8 & 1
    counts = np.uint32(fields.get("UseLaneFlagsForLaneEnable", 0)) >> LANES & 1
    flags = np.uint32(fields.get("LaneFlags", 0)) >> LANES & 1
    enabled = (masked == 0) & ((counts == 0) | (flags == 1))
    if vd < 8:
        registers[vd] = np.where(enabled, registers[vd] & registers[vc], registers[vd])
    return registers, fields


def main(path: pathlib.Path) -> int:
    """Prints how many tests agree, and which do not; 1 if one does not, or if there is none."""
    base: State = (base_registers(), {})
    agreed, wrong = 0, []
    for group in json.loads(path.read_text())["groups"]:
        for test in group["tests"]:
            before, _ = laid_over(base, test["before"])
            expected, others = laid_over(before, test["after"])
            got = sfpand(int(test["code"][0], 16), before)
            same = np.array_equal(got[0], expected[0]) and got[1] == expected[1]
            if same and not others and test["outcome"] == "done":
                agreed += 1
            else:
                wrong.append(test["id"])
    print(f"{agreed} tests agree, {len(wrong)} do not{': ' if wrong else ''}{', '.join(wrong)}")
    return int(bool(wrong) or agreed == 0)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else DEFAULT))
