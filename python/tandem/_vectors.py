"""Recorded tests as arrays."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _tandem
from ._layout import Bank, Layout, nearest

_PLACE = re.compile(r"^(\w+)((?:\[\d+\])*)(?:\[(\d+)\.\.(\d+)\])?$")


@dataclass(frozen=True)
class Sparse:
    """A state by what is named of it.

    `fields` by name. `rows` has for each bank the numbers of rows, int64 `[k]` ascending, and `data` their words, of the
    bank's dtype `[k, columns]`.
    """

    fields: Mapping[str, int]
    rows: Mapping[str, npt.NDArray[np.int64]]
    data: Mapping[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Step:
    """An instruction of a test: its path, its code words uint32 `[words]`, and its text as the page writes it."""

    instruction: str
    code: npt.NDArray[np.uint32]
    text: str


@dataclass(frozen=True)
class Vector:
    """A recorded test.

    It begins in the base state but for what `before` names. After its `steps` (one, if it is no program) the `outcome` is
    `done` or `blocked`, what `after` names has these values, and whatever it does not name is as it was before.
    `mask` names what `after` names and has a 1 for each bit that is compared.
    """

    id: str
    steps: tuple[Step, ...]
    editions: tuple[str, ...]
    cell_class: str
    mode: str
    flags: tuple[str, ...]
    before: Sparse
    outcome: str
    after: Sparse
    mask: Sparse

    @property
    def instruction(self) -> str:
        """The path of its first instruction."""
        return self.steps[0].instruction

    @property
    def code(self) -> npt.NDArray[np.uint32]:
        """The code words of its first instruction, uint32 `[words]`."""
        return self.steps[0].code


def vector_files() -> list[str]:
    """The files of recorded tests, for example `tensix-wh/mova2d`, `tensix-wh/mova2d.programs`."""
    return [name[: -len(".json")] for name in _tandem.vector_files() if "/" in name]


def vectors(name: str, *, edition: str = "newest", flags: Iterable[str] = ()) -> list[Vector]:
    """The recorded tests of a file that hold in an edition, and that have all of `flags`, such as `plain`.

    `name` is an instruction's path, such as `tensix-wh/mova2d`, or one of `vector_files()`.
    Raises `ValueError` if there is no such file.
    """
    known = vector_files()
    if name not in known:
        raise ValueError(f"there are no recorded tests '{name}'{nearest(name, known)} (tandem.vector_files() lists them)")
    if edition not in ("spec", "newest"):
        raise ValueError(f"there is no edition '{edition}'; there are: spec, newest")
    file = json.loads(_tandem.vector_text(f"{name}.json"))
    layout, wanted = Layout.of(file["isa"]), set(flags)
    return [
        _vector(layout, file["instruction"], group, test)
        for group in file["groups"]
        for test in group["tests"]
        if edition in test["editions"] and wanted <= set(test.get("flags", []))
    ]


# Fields by name, and rows by bank and number.
_Named = tuple[dict[str, int], dict[tuple[str, int], npt.NDArray[Any]]]


def _vector(layout: Layout, instruction: str, group: dict[str, Any], test: dict[str, Any]) -> Vector:
    steps = test.get("steps") or [{"instruction": instruction, "code": test["code"], "text": test["text"]}]
    before, after, care = (_named(layout, test.get(key, {})) for key in ("before", "after", "care"))
    # What is compared in part and does not change is named all the same.
    for field in care[0].keys() - after[0].keys():
        after[0][field] = before[0].get(field, int(layout.family(field).base))
    for bank, row in care[1].keys() - after[1].keys():
        after[1][bank, row] = before[1].get((bank, row), layout.base(bank)[row])
    mask = (
        {field: care[0].get(field, int(layout.family(field).mask)) for field in after[0]},
        {place: care[1].get(place, _ones(layout.bank(place[0]))) for place in after[1]},
    )
    return Vector(
        id=test["id"],
        steps=tuple(_step(layout, step) for step in steps),
        editions=tuple(test["editions"]),
        cell_class=group["class"],
        mode=group["describe"],
        flags=tuple(test.get("flags", [])),
        before=_sparse(layout, before),
        outcome=test["outcome"],
        after=_sparse(layout, after),
        mask=_sparse(layout, mask),
    )


def _ones(bank: Bank) -> npt.NDArray[Any]:
    return np.full(bank.columns, (1 << bank.bits) - 1, bank.dtype)


def _step(layout: Layout, step: dict[str, Any]) -> Step:
    path = f"{layout.isa}/{step['instruction'].lower()}"
    return Step(path, np.array([int(word, 16) for word in step["code"]], np.uint32), step["text"])


def _named(layout: Layout, sparse: dict[str, Any]) -> _Named:
    rows = {}
    for place, digits in sparse.get("rows", {}).items():
        bank, numbers = _rows_of(layout, place)
        width = (bank.bits + 3) // 4
        words = [int(digits[at : at + width], 16) for at in range(0, len(digits), width)]
        data = np.array(words, bank.dtype).reshape(len(numbers), bank.columns)
        rows.update({(bank.name, number): row for number, row in zip(numbers, data)})
    return dict(sparse.get("fields", {})), rows


def _rows_of(layout: Layout, place: str) -> tuple[Bank, range]:
    """The rows that a name means: of `SrcA[1][5]` one, of `DstBits[8..16]` eight."""
    match = _PLACE.match(place)
    if match is None:
        raise ValueError(f"'{place}' names no rows")
    bank = layout.bank(match[1])
    indices = [int(index) for index in re.findall(r"\d+", match[2])]
    if match[3] is None:
        first = bank.row(indices)
        return bank, range(first, first + 1)
    first = bank.row([*indices, int(match[3])])
    return bank, range(first, first + int(match[4]) - int(match[3]))


def _sparse(layout: Layout, named: _Named) -> Sparse:
    fields, rows = named
    numbers: dict[str, list[int]] = {}
    for bank, row in sorted(rows, key=lambda place: (layout.bank(place[0]).number, place[1])):
        numbers.setdefault(bank, []).append(row)
    return Sparse(
        fields,
        {bank: np.array(of_bank, np.int64) for bank, of_bank in numbers.items()},
        {bank: np.stack([rows[bank, row] for row in of_bank]) for bank, of_bank in numbers.items()},
    )
