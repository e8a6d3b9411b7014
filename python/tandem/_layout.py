"""An instruction set as arrays see it: its banks, its fields, and where they lie."""

from __future__ import annotations

import difflib
import functools
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Optional

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


@dataclass(frozen=True)
class Family:
    """Fields whose names differ by their indices alone, as arrays over these indices."""

    pattern: str
    word_bytes: int
    word: npt.NDArray[np.int64]
    shift: npt.NDArray[np.uint32]
    mask: npt.NDArray[np.uint32]
    maximum: npt.NDArray[np.uint32]
    base: npt.NDArray[np.uint32]

    @property
    def is_plain(self) -> bool:
        """Whether it is one field."""
        return self.word.ndim == 0


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
        shape = tuple(1 + max(indices[axis] for indices, _ in members) for axis in range(len(members[0][0])))
        word_bytes: int = members[0][1]["word_bytes"]
        word = np.full(shape, -1, np.int64)
        shift, mask, maximum, base = (np.zeros(shape, np.uint32) for _ in range(4))
        for indices, one in members:
            if one["word_bytes"] != word_bytes or one["byte"] % word_bytes:
                raise KeyError(f"the fields {pattern} lie differently; name each of them")
            word[indices] = one["byte"] // word_bytes
            shift[indices], mask[indices] = one["shift"], (1 << one["width"]) - 1
            maximum[indices], base[indices] = one["maximum"], one["base"]
        return Family(pattern, word_bytes, word, shift, mask, maximum, base)


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
