"""An instruction set as arrays see it: its banks, its fields, and where they lie."""

from __future__ import annotations

import difflib
import functools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from . import _tandem

_INDEX = re.compile(r"\[(\d+)\]")


def describe(isa: str, *instructions: str) -> dict[str, Any]:
    """What `tandem describe ISA INSTRUCTION… --json` prints, as dicts.

    Its keys are those of `docs/schemas/describe.schema.json`. Without instructions all of the set are described.
    Raises `ValueError` if there is no such instruction set or instruction, with the names that there are.
    """
    described: dict[str, Any] = json.loads(_tandem.describe(isa, list(instructions)))
    return described


def instructions() -> list[str]:
    """All instructions, as paths such as `tensix-wh/mova2d`, in the order of reports."""
    return _tandem.instructions()


def classes(instruction: str) -> list[str]:
    """The classes of an instruction's modes, for example `8-bit exponent, 16-bit write, 8 rows`, in its own order."""
    return _tandem.classes(instruction)


def nearest(name: str, known: Iterable[str]) -> str:
    """`; did you mean …?` if something is like `name`, else nothing."""
    close = difflib.get_close_matches(name, list(known), n=1)
    return f"; did you mean '{close[0]}'?" if close else ""


@dataclass(frozen=True)
class Bank:
    """A bank: rows of words.

    `extents` has the number of each of its leading dimensions, for `SrcA` bank and row; `rows` is their product. A word
    uses the lowest `bits` bits of its `dtype`; the bits above them are zero.
    """

    number: int
    name: str
    extents: tuple[int, ...]
    rows: int
    columns: int
    bits: int
    dtype: np.dtype[Any]
    offset: int

    def row(self, indices: Sequence[int]) -> int:
        """The number of a row in the bank: of `SrcA[1][5]` it is 69. Raises `ValueError` if there is no such row."""
        if len(indices) != len(self.extents) or any(not 0 <= i < n for i, n in zip(indices, self.extents)):
            raise ValueError(f"{self.name}{list(indices)} is no row; its extents are {list(self.extents)}")
        number = 0
        for index, extent in zip(indices, self.extents):
            number = number * extent + index
        return number


class Family:
    """Fields whose names differ by their indices alone.

    `extents` has the number of each index; it is empty if this is one field. By the place of a field, which is the number
    that its indices make (`[i, j]` is `i * extents[1] + j`), `word` has the number of its word of `word_bytes` bytes in the
    small state, `shift` its lowest bit, `mask` its width, `maximum` its highest value and `base` the value in the base state. Of
    the last four, whatever is the same for all fields is one number.
    """

    def __init__(self, pattern: str, members: Sequence[tuple[tuple[int, ...], dict[str, Any]]]) -> None:
        first = members[0][0]
        self.extents: tuple[int, ...] = tuple(1 + max(indices[axis] for indices, _ in members) for axis in range(len(first)))
        fields = [field for _, field in sorted(members, key=lambda member: member[0])]
        self.word_bytes: int = fields[0]["word_bytes"]
        if any(one["word_bytes"] != self.word_bytes or one["byte"] % self.word_bytes for one in fields):
            raise KeyError(f"the fields {pattern} lie differently; name each of them")
        if len(fields) != int(np.prod(self.extents, dtype=np.int64)):
            raise KeyError(f"there are not all fields {pattern}; name each of them")
        self.word: npt.NDArray[np.int64] = np.array([one["byte"] // self.word_bytes for one in fields], np.int64)
        self.shift = _same([one["shift"] for one in fields])
        self.mask = _same([(1 << one["width"]) - 1 for one in fields])
        self.maximum = _same([one["maximum"] for one in fields])
        self.base = _same([one["base"] for one in fields])


Same = Union[np.uint32, npt.NDArray[np.uint32]]


def _same(numbers: Sequence[int]) -> Same:
    """The number that all of them are, or all of them."""
    return np.uint32(numbers[0]) if len(set(numbers)) == 1 else np.array(numbers, np.uint32)


class Layout:
    """The banks and fields of an instruction set.

    Attributes: `isa`, `arena_bytes`, `small_bytes`, `banks` by name, `paths` of the instructions by number, `codes` with
    the fields of their code words by path and name (word, shift, mask).
    """

    def __init__(self, isa: str) -> None:
        described = describe(isa)
        self.isa: str = described["isa"]
        self.arena_bytes: int = described["arena_bytes"]
        self.small_bytes: int = described["small_bytes"]
        self._banks: dict[str, dict[str, Any]] = {bank["name"]: bank for bank in described["banks"]}
        self.banks: dict[str, Bank] = {bank["name"]: _bank(bank) for bank in described["banks"]}
        self.paths: list[str] = [one["path"] for one in described["instructions"]]
        self.codes: dict[str, dict[str, tuple[int, int, int]]] = {
            one["path"]: {f["name"]: (f["word"], f["shift"], (1 << f["width"]) - 1) for f in one["fields"]}
            for one in described["instructions"]
        }
        self.code_words: dict[str, int] = {one["path"]: len(one["base_code"]) for one in described["instructions"]}
        self._fields: dict[str, dict[str, Any]] = {field["name"]: field for field in described["fields"]}
        self._stems: dict[str, list[tuple[tuple[int, ...], dict[str, Any]]]] = {}
        for name, field in self._fields.items():
            indices = tuple(int(index) for index in _INDEX.findall(name))
            self._stems.setdefault(_INDEX.sub("[{}]", name), []).append((indices, field))
        self._families: dict[str, Family] = {}

    @classmethod
    def of(cls, isa: str) -> Layout:
        """The layout of an instruction set, which is made once."""
        return _layout(isa)

    @property
    def field_names(self) -> list[str]:
        """The names of all fields, in the order of the small state."""
        return list(self._fields)

    def bank(self, name: str) -> Bank:
        """A bank by its name. Raises `KeyError` with the names that there are."""
        found = self.banks.get(name)
        if found is None:
            raise KeyError(f"{self.isa} has no bank '{name}'; it has {', '.join(self.banks)}")
        return found

    def base(self, bank: str) -> npt.NDArray[Any]:
        """What a bank holds in the base state, `[rows, columns]` of its dtype, to be written."""
        known = self.bank(bank)
        described = self._banks[bank]
        data = np.full((known.rows, known.columns), described["base"], known.dtype)
        for held in described["held"]:
            if "first" in held:
                data[held["row"]] = held["first"] + held["step"] * np.arange(known.columns)
        return data

    def family(self, pattern: str) -> Family:
        """The field of this name, or with `[{}]` for each index, as in `RWCs[{}].Dst`, all fields of such names.

        Raises `KeyError` with the nearest name if there is none.
        """
        known = self._families.get(pattern)
        if known is None:
            known = self._families[pattern] = self._family(pattern)
        return known

    def _family(self, pattern: str) -> Family:
        field = self._fields.get(pattern)
        members = [((), field)] if field is not None else self._stems.get(pattern)
        if members is None:
            raise KeyError(
                f"{self.isa} has no field '{pattern}'{nearest(pattern, [*self._stems, *self._fields])} "
                f"(tandem.describe('{self.isa}')['fields'] lists them)"
            )
        return Family(pattern, members)


@functools.lru_cache(maxsize=None)
def _layout(isa: str) -> Layout:
    return Layout(isa)


def _bank(bank: dict[str, Any]) -> Bank:
    leading = tuple(one["extent"] for one in bank["extents"])[:-1]
    return Bank(
        number=bank["number"],
        name=bank["name"],
        extents=leading,
        rows=bank["rows"],
        columns=bank["columns"],
        bits=bank["word_bits"],
        dtype=np.dtype(f"<u{bank['word_bytes']}"),
        offset=bank["offset"],
    )


def banks_of(layout: Layout, arena: bytes) -> dict[str, npt.NDArray[Any]]:
    """The banks of an arena by name, each `[rows, columns]`. They cannot be written, as `arena` cannot."""
    return {
        bank.name: np.frombuffer(arena, bank.dtype, bank.rows * bank.columns, bank.offset).reshape(
            bank.rows, bank.columns
        )
        for bank in layout.banks.values()
    }


def known_paths(paths: Optional[Sequence[str]], offered: Sequence[str], name: str) -> list[str]:
    """The instructions that are asked for, of those that are offered; all of these if nothing is asked for.

    Raises `ValueError` if one is not offered, or nothing is.
    """
    if not offered:
        raise ValueError(f"{name} implements nothing: its attribute `instructions` lists paths such as tensix-wh/mova2d")
    for path in paths or ():
        if path not in offered:
            raise ValueError(f"{name} does not implement '{path}'{nearest(path, offered)}; it has {', '.join(offered)}")
    return list(offered if paths is None else paths)
