"""Targets: implementations under test, which execute cases in batches of arrays."""

from __future__ import annotations

import ctypes
import sys
import sysconfig
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any, Callable, Optional, Union

import numpy as np
import numpy.typing as npt

from ._layout import Bank, Family, Layout, Same, banks_of, nearest
from ._tandem import instructions as all_instructions

Array = npt.NDArray[Any]
Numbers = Union[int, npt.NDArray[Any]]

DONE, BLOCKED, UNSUPPORTED = 0, 1, 2
EDITIONS = ("spec", "newest")
LONGEST_NAME = 63


_LIBRARY = sysconfig.get_paths()["stdlib"]


def _any(mask: Any) -> bool:
    """`numpy.any`, in a third of its time: for arrays as small as these the way to the loop is what counts."""
    return bool(np.logical_or.reduce(mask, axis=None))


def _of(known: Same, place: Numbers) -> Any:
    """What belongs to each place: all of it, if it is the same for all."""
    return known.take(place) if isinstance(known, np.ndarray) else known


class AnswerError(ValueError):
    """What a target gives is no answer: a wrong shape or dtype, no such row, field or value."""


@dataclass(frozen=True)
class Rows:
    """Rows of one bank, of many cases: `case` int64 `[k]`, `row` int64 `[k]`, `data` of the bank's dtype `[k, columns]`.

    They are ascending by case, and in a case by row.
    """

    case: npt.NDArray[np.int64]
    row: npt.NDArray[np.int64]
    data: Array


class Cases:
    """Some cases of a batch. `k` is their number, `index` int64 `[k]` their places in it.

    What is read is the state *before* the instruction; what is written is the state after it.
    """

    def __init__(self, batch: Batch, index: npt.NDArray[np.int64]) -> None:
        self.batch = batch
        self.index = index
        # By the size of words, the number of the first word of each case's small state.
        self._begins: dict[int, npt.NDArray[np.int64]] = {}

    def __len__(self) -> int:
        return len(self.index)

    @property
    def code(self) -> npt.NDArray[np.uint32]:
        """The code words, uint32 `[k, words]`."""
        return self.batch.codes[self.index]

    def operand(self, name: str) -> npt.NDArray[np.uint32]:
        """A field of the code words by its name, uint32 `[k]`."""
        known = self.batch.layout.codes[self.batch.instruction]
        place = known.get(name)
        if place is None:
            raise AnswerError(f"{self.batch.instruction} has no operand '{name}'; it has {', '.join(known)}")
        word, shift, mask = place
        words: npt.NDArray[np.uint32] = self.batch.codes[self.index, word]
        return words >> np.uint32(shift) & np.uint32(mask)

    def get(self, field: str, *indices: Numbers) -> npt.NDArray[np.uint32]:
        """A field of the small state, uint32 `[k]`.

        With indices the name has `[{}]` in their places, as in `get("RWCs[{}].Dst", thread)`; an index is a number, or an
        array `[k]` that says for each case which field it means. With `[k, m]`, or `[1, m]` for all cases alike, `m` fields
        of each case are meant, and what comes is `[k, m]`.
        """
        family, place = self._place(field, indices)
        word, at = self._words_at(self.batch.before_words(family.word_bytes), family, place)
        shift, mask = _of(family.shift, place), _of(family.mask, place)
        value: npt.NDArray[np.uint32] = word.take(at).astype(np.uint32, copy=False) >> shift & mask
        return value

    def set(self, field: str, *indices: Numbers, value: Numbers) -> None:
        """Sets a field of the small state to `value`, a number or an array of integers `[k]`. For indices see `get`."""
        family, place = self._place(field, indices)
        values = np.asarray(value)
        word, at = self._words_at(self.batch.after_words(family.word_bytes), family, place)
        if values.dtype.kind not in "iub" or values.shape not in ((), at.shape):
            raise AnswerError(
                f"the value of {field} is {values.dtype} {list(values.shape)}, and takes integers [] or {list(at.shape)}"
            )
        shift, mask, maximum = (_of(one, place) for one in (family.shift, family.mask, family.maximum))
        if at.size and (_any(values > maximum) or (values.dtype.kind == "i" and _any(values < 0))):
            raise AnswerError(f"a value of {field} is out of range: it is 0 to {int(np.max(maximum))}")
        kept = word.take(at).astype(np.uint32, copy=False) & ~(mask << shift)
        word[at] = kept | values.astype(np.uint32) << shift

    def read(self, bank: str, row: Numbers) -> Array:
        """Rows of a bank as they are before the instruction.

        `row` is a number, or integers `[k, …]`; what comes is `[k, …, columns]` of the bank's dtype, a copy.
        """
        known = self._bank(bank)
        rows = self._rows(known, row)
        data: Array = self.batch.background[bank][rows]
        overlay = self.batch.overlay.get(bank)
        if overlay is not None:
            keys = self.batch.keys(known)
            wanted = rows + self._cases(rows) * known.rows
            at = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            hit = keys[at] == wanted
            data[hit] = overlay.data[at[hit]]
        return data

    def write(self, bank: str, row: Numbers, data: Array, where: Optional[npt.NDArray[np.bool_]] = None) -> None:
        """Writes whole rows of a bank.

        `row` is a number, or integers `[k, …]`; `data` has the shape of the rows, `[k, …, columns]`, and the bank's dtype.
        `where`, bools of the shape of the rows, leaves rows out. A case writes a row once.
        """
        known = self._bank(bank)
        rows = self._rows(known, row)
        shape = (*rows.shape, known.columns)
        if not isinstance(data, np.ndarray) or data.dtype != known.dtype or data.shape != shape:
            got = f"{data.dtype} {list(data.shape)}" if isinstance(data, np.ndarray) else type(data).__name__
            raise AnswerError(f"what is written to {bank} is {got}, and takes {known.dtype} {list(shape)}")
        if known.bits < 8 * known.dtype.itemsize and data.size and int(data.max()) >> known.bits:
            raise AnswerError(f"a word written to {bank} is {int(data.max()):#x}, and has {known.bits} bits")
        cases = np.broadcast_to(self._cases(rows), rows.shape)
        if where is not None:
            mask = np.asarray(where)
            if mask.dtype != np.bool_ or mask.shape != rows.shape:
                raise AnswerError(f"`where` is {mask.dtype} {list(mask.shape)}, and takes bool {list(rows.shape)}")
            cases, rows, data = cases[mask], rows[mask], data[mask]
        self.batch.writes.append(
            (known.number, cases.astype("<u4").tobytes(), rows.astype("<u4").tobytes(), data.tobytes())
        )

    def where(self, mask: npt.NDArray[np.bool_]) -> Cases:
        """Those cases for which `mask`, bools `[k]`, is true."""
        return Cases(self.batch, self.index[self._mask(mask)])

    def refuse(self, mask: npt.NDArray[np.bool_], reason: str = "") -> Cases:
        """Answers `unsupported` to the cases for which `mask`, bools `[k]`, is true, with a reason of at most 80 bytes.

        Returns the others. Refuse before anything of a case is written or set.
        """
        return self._answer(mask, UNSUPPORTED, reason)

    def block(self, mask: npt.NDArray[np.bool_]) -> Cases:
        """Answers that the cases for which `mask`, bools `[k]`, is true are held: nothing changes. Returns the others."""
        return self._answer(mask, BLOCKED, "")

    def _answer(self, mask: npt.NDArray[np.bool_], outcome: int, reason: str) -> Cases:
        mask = self._mask(mask)
        index = self.index[mask]
        self.batch.outcome[index] = outcome
        if reason and len(index):
            self.batch.reasons.update(dict.fromkeys(index.tolist(), reason))
        return Cases(self.batch, self.index[~mask])

    def _mask(self, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        mask = np.asarray(mask)
        if mask.dtype != np.bool_ or mask.shape != self.index.shape:
            raise AnswerError(f"a mask is {mask.dtype} {list(mask.shape)}, and takes bool {list(self.index.shape)}")
        return mask

    def _bank(self, name: str) -> Bank:
        try:
            return self.batch.layout.bank(name)
        except KeyError as why:
            raise AnswerError(why.args[0]) from None

    def _place(self, field: str, indices: tuple[Numbers, ...]) -> tuple[Family, Numbers]:
        """Which fields are meant: the family, and the place in it, for all cases or for each."""
        try:
            family = self.batch.layout.family(field)
        except KeyError as why:
            raise AnswerError(why.args[0]) from None
        if len(indices) != len(family.extents):
            raise AnswerError(f"{field} takes {len(family.extents)} indices, and {len(indices)} are given")
        place: Numbers = 0
        for index, extent in zip(indices, family.extents):
            numbers = np.asarray(index)
            if numbers.dtype.kind not in "iu" or (numbers.ndim > 0 and numbers.shape[0] not in (1, len(self))):
                raise AnswerError(f"an index of {field} is {numbers.dtype} {list(numbers.shape)}, and takes [{len(self)}]")
            if numbers.size and (_any(numbers >= extent) or (numbers.dtype.kind == "i" and _any(numbers < 0))):
                raise AnswerError(f"an index of {field} is out of range: there are {extent}")
            place = place * extent + numbers.astype(np.int64)
        return family, place

    def _words_at(self, words: Array, family: Family, place: Numbers) -> tuple[Array, npt.NDArray[np.int64]]:
        """The words of all small states one after the other, and where among them the meant ones are, `[k, …]`."""
        begin = self._begins.get(family.word_bytes)
        if begin is None:
            begin = self._begins[family.word_bytes] = self.index * words.shape[1]
        word = family.word.take(place)
        return words.reshape(-1), (begin if word.ndim < 2 else begin.reshape(-1, *(1,) * (word.ndim - 1))) + word

    def _rows(self, bank: Bank, row: Numbers) -> npt.NDArray[np.int64]:
        """Numbers of rows as int64 `[k, …]`."""
        rows = np.asarray(row)
        if rows.dtype.kind not in "iu" or (rows.ndim > 0 and rows.shape[0] != len(self)):
            raise AnswerError(f"rows of {bank.name} are {rows.dtype} {list(rows.shape)}, and take integers [{len(self)}, …]")
        if rows.size and (int(rows.min()) < 0 or int(rows.max()) >= bank.rows):
            wrong = int(rows.max()) if int(rows.min()) >= 0 else int(rows.min())
            raise AnswerError(f"there is no row {wrong} of {bank.name}, which has {bank.rows}")
        rows = rows.astype(np.int64)
        return np.full(len(self), rows, np.int64) if rows.ndim == 0 else rows

    def _cases(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The place of its case for each row, in a shape that goes with `rows`."""
        return self.index.reshape(-1, *(1,) * (rows.ndim - 1))


class Batch(Cases):
    """Cases of one instruction that begin on the same background.

    Attributes, where `n` is the number of cases:

    - `isa`, `instruction` (a path such as `tensix-wh/mova2d`), `edition` (of the pages: `spec` or `newest`), `layout`
    - `codes`: the code words, uint32 `[n, words]`. A case is one instruction
    - `small`: the small states before, uint8 `[n, small_bytes]`; `get` reads fields out of them
    - `background`: for each bank what it holds in all cases, `[rows, columns]`
    - `overlay`: for each bank in which a case holds something else, these rows; `read` looks at both
    - `outcome`: uint8 `[n]`, 0 for done, 1 for blocked, 2 for unsupported; `block` and `refuse` set it

    Nothing but `outcome` can be written in place.
    """

    def __init__(
        self,
        layout: Layout,
        background: Mapping[str, Array],
        head: tuple[str, str, int],
        arrays: tuple[bytes, bytes, Sequence[tuple[int, bytes, bytes, bytes]]],
    ) -> None:
        self.instruction, self.edition, cases = head
        code, small, overlay = arrays
        super().__init__(self, np.arange(cases))
        self.isa = layout.isa
        self.layout = layout
        self.background = background
        self.codes: npt.NDArray[np.uint32] = np.frombuffer(code, "<u4").reshape(cases, -1)
        self.small: npt.NDArray[np.uint8] = np.frombuffer(small, np.uint8).reshape(cases, -1)
        banks = list(layout.banks.values())
        self.overlay: dict[str, Rows] = {
            banks[number].name: Rows(
                np.frombuffer(case, "<u4").astype(np.int64),
                np.frombuffer(row, "<u4").astype(np.int64),
                np.frombuffer(data, banks[number].dtype).reshape(-1, banks[number].columns),
            )
            for number, case, row, data in overlay
        }
        self.outcome: npt.NDArray[np.uint8] = np.zeros(cases, np.uint8)
        self.reasons: dict[int, str] = {}
        self.writes: list[tuple[int, bytes, bytes, bytes]] = []
        self._after = self.small.copy()
        self._keys: dict[str, npt.NDArray[np.int64]] = {}
        self._views: dict[tuple[int, int], Array] = {}

    def before_words(self, size: int) -> Array:
        """The small states before as words of `size` bytes, `[n, words]`."""
        return self._words(self.small, 0, size)

    def after_words(self, size: int) -> Array:
        """The small states after as words of `size` bytes, `[n, words]`, to be written."""
        return self._words(self._after, 1, size)

    def _words(self, states: npt.NDArray[np.uint8], which: int, size: int) -> Array:
        known = self._views.get((which, size))
        if known is None:
            known = self._views[which, size] = states.view(f"<u{size}")
        return known

    def keys(self, bank: Bank) -> npt.NDArray[np.int64]:
        """The overlay rows of a bank, ascending: case times the number of rows, plus row."""
        known = self._keys.get(bank.name)
        if known is None:
            rows = self.overlay[bank.name]
            known = self._keys[bank.name] = rows.case * bank.rows + rows.row
        return known

    def answers(self) -> tuple[bytes, bytes, list[tuple[int, bytes, bytes, bytes]], list[tuple[int, str]]]:
        """What was answered, as it crosses to Rust."""
        return self.outcome.tobytes(), self._after.tobytes(), self.writes, sorted(self.reasons.items())


class Target:
    """An implementation under test: subclass it, name what it implements, and override `execute`.

    `name` stands in every report (without comma or colon). `instructions` are paths such as `tensix-wh/mova2d`. `models`
    are the named models that it follows where the pages leave a choice, each as `NAME=VALUE`, or `all`.
    """

    name: str = ""
    instructions: Sequence[str] = ()
    models: Sequence[str] = ()

    def execute(self, batch: Batch) -> None:
        """Executes the cases of a batch: reads their states and writes what becomes of them. It returns nothing.

        Each case begins on the background with its overlay, whatever the others do. An exception is a finding.
        """
        raise NotImplementedError(f"{type(self).__name__} does not override execute")

    def reset(self) -> None:
        """Forgets whatever is kept between batches, but not the background. Override it if something is kept."""

    def load(self, background: Mapping[str, Array]) -> None:
        """Takes a new background: for each bank `[rows, columns]`. Override it if the target has a memory of its own."""

    def arena_hash(self) -> Optional[int]:
        """CRC-32 (`zlib.crc32`) of all banks in their order, as they are in the target's own memory after a batch.

        It must be that of the background, so that a stray write shows. Nothing, if the target has no memory of its own.
        """
        return None


Maker = Callable[[], Target]


class Described:
    """What makes instances of a target, and what one of them says of itself."""

    def __init__(self, make: Maker) -> None:
        if isinstance(make, Target) or not callable(make):
            raise TypeError(f"a target is a class, or a function that makes instances, and not {make!r}")
        first = make()
        if not isinstance(first, Target):
            raise TypeError(f"{make!r} makes {type(first).__name__}, which is no subclass of tandem.Target")
        self.make = make
        self.name = first.name or type(first).__name__
        self.instructions = list(first.instructions)
        self.models = list(first.models)
        odd = [letter for letter in self.name if letter in ",:" or not letter.isprintable()]
        if odd or not self.name.strip() or len(self.name.encode()) > LONGEST_NAME:
            raise ValueError(f"the name {self.name!r} must have 1 to {LONGEST_NAME} bytes, and no comma or colon")
        known = all_instructions()
        for path in self.instructions:
            if path not in known:
                raise ValueError(f"{self.name}: there is no instruction '{path}'{nearest(path, known)}")

    def crossing(self) -> tuple[Any, str, list[str], list[str]]:
        """The same, as it crosses to Rust."""

        def seat(isa: str) -> Seat:
            return Seat(self.make, isa)

        return seat, self.name, self.instructions, self.models


class OutOfTime(BaseException):
    """Raised in the thread of a call that takes too long."""


def interrupt(thread: int) -> str:
    """Raises `OutOfTime` in a thread, and says which line of the target it is in."""
    frame: Optional[FrameType] = sys._current_frames().get(thread)
    while frame is not None and (_is_own(frame) or _is_of_python(frame)):
        frame = frame.f_back
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(OutOfTime))
    return "" if frame is None else _line(frame.f_code, frame.f_lineno)


_Failed = Optional[tuple[str, str]]


class Seat:
    """An instance of a target, as Rust calls it. Every method returns what went wrong, or nothing, and a value."""

    def __init__(self, make: Maker, isa: str) -> None:
        self.target = make()
        self.layout = Layout.of(isa)
        self.background: dict[str, Array] = {}

    def load(self, arena: bytes) -> tuple[_Failed, None]:
        self.background = banks_of(self.layout, arena)
        return guarded(lambda: self.target.load(self.background))

    def reset(self) -> tuple[_Failed, None]:
        return guarded(self.target.reset)

    def arena_hash(self) -> tuple[_Failed, Optional[int]]:
        return guarded(self.target.arena_hash)

    def execute(
        self, instruction: int, edition: int, cases: int, code: bytes, small: bytes, overlay: list[Any]
    ) -> tuple[_Failed, Any]:
        def answered() -> Any:
            head = (self.layout.paths[instruction], EDITIONS[edition], cases)
            batch = Batch(self.layout, self.background, head, (code, small, overlay))
            returned: object = self.target.execute(batch)  # type: ignore[func-returns-value]
            if returned is not None:
                raise AnswerError(f"execute returned {type(returned).__name__}; it writes into the batch, and returns nothing")
            return batch.answers()

        return guarded(answered)


def guarded(call: Callable[[], Any]) -> tuple[_Failed, Any]:
    """Calls a target: what it raises becomes a word, `crash` or `malformed`, and a line."""
    try:
        return None, call()
    except AnswerError as why:
        return ("malformed", _told(why)), None
    except BaseException as why:  # noqa: BLE001, an implementation may raise whatever it likes
        return ("crash", _told(why)), None


def _told(why: BaseException) -> str:
    """An exception on one line, with the line of code of the target that it comes from."""
    place = ""
    frame = why.__traceback__
    while frame is not None:
        if not _is_own(frame.tb_frame):
            place = _line(frame.tb_frame.f_code, frame.tb_lineno)
        frame = frame.tb_next
    return " ".join(f"{type(why).__name__}: {why}".split())[:400] + place


def _is_own(frame: FrameType) -> bool:
    return frame.f_globals.get("__package__") == __package__


def _is_of_python(frame: FrameType) -> bool:
    """Whether it is of the standard library: a wait there says less than who waits."""
    name = frame.f_code.co_filename
    return name.startswith(_LIBRARY) and "site-packages" not in name


def _line(code: CodeType, line: int) -> str:
    return f" ({code.co_filename}, line {line}, in {code.co_name})"
