"""Campaigns of targets in Python: sound ones, wrong ones, and such that answer what is no answer."""

import threading
import time

import numpy as np
import pytest
from mova2d import KeepsSign, Mova2d
from sfpand import AllRows, Sfpand

import tandem

WH = ["tensix-wh/sfpand"]


def test_a_sound_target_agrees():
    report = tandem.check(Sfpand, cases=4_000)
    assert not report.findings and "agrees" in str(report)
    assert [unit.instruction for unit in report.units] == ["tensix-wh/sfpand", "tensix-bh/sfpand"]
    assert all(unit.answered > 1_000 and not unit.refused for unit in report.units)


def test_a_sound_target_that_does_a_part_agrees_and_its_refusals_are_told():
    report = tandem.check(Mova2d, cases=20_000)
    assert not report.findings
    (unit,) = report.units
    assert unit.answered > 10_000 and unit.refused > 1_000


def test_a_class_of_a_partial_target_is_asked_until_its_refusals_are_known():
    report = tandem.check(Mova2d, cases=10_000, cell_class="8-bit exponent, 16-bit write, 8 rows")
    assert not report.findings
    (unit,) = report.units
    assert unit.answered > 4 * unit.refused, report.units
    assert {"format of SrcA", "32-bit Dst"} <= {rule.rpartition(", ")[2].strip('"') for rule in unit.rules}


def test_a_mistake_is_found_with_page_and_smallest_case_which_can_be_replayed():
    report = tandem.check(AllRows, WH, cases=4_000, seed=7)
    finding = next(one for one in report.findings if one.kind == "value")
    assert (finding.instruction, finding.target, finding.place) == ("tensix-wh/sfpand", "sfpand-all-rows", "LReg")
    text = str(report)
    for part in ("seed 7", "page of tensix-wh/sfpand: SFPAND", "SFPAND.md", "smallest case: tensix-wh/sfpand newest 0x"):
        assert part in text, text
    assert "LaneConfig[" in finding.case and len(finding.case) < 300
    again = tandem.replay(AllRows, finding.case)
    assert again is not None and "LReg" in again
    assert tandem.replay(Sfpand, finding.case) is None


def test_a_mistake_in_a_partial_target_is_found():
    report = tandem.check(KeepsSign, cases=20_000)
    assert {(one.place, one.kind) for one in report.findings} == {("DstBits", "value")}
    assert "Zero_Flag" in str(report) or "SrcA" in str(report)


def test_a_result_depends_on_no_number_of_threads():
    first, second = (tandem.check(AllRows, WH, cases=4_000, threads=threads) for threads in (1, 2))
    assert first.raw["result"] == second.raw["result"]


def test_a_campaign_is_narrowed_to_a_class():
    classes = tandem.classes("tensix-wh/mova2d")
    offered = "8-bit exponent, 16-bit write, 8 rows"
    assert offered in classes
    report = tandem.check(Mova2d, cases=2_000, cell_class=offered)
    assert report.units[0].answered > 40
    (finding,) = tandem.check(KeepsSign, cases=8_000, cell_class=offered).findings
    assert finding.classes == (offered,)
    with pytest.raises(tandem.NothingShown, match="refused all"):
        tandem.check(Mova2d, cases=2_000, cell_class="8-bit exponent, TF32 write, 8 rows")
    with pytest.raises(ValueError, match="tandem.classes"):
        tandem.check(Mova2d, cell_class="no such class")


class Answers(tandem.Target):
    """Does with a batch what a test says."""

    name = "answers"
    instructions = WH

    def __init__(self, answer):
        self.answer = answer

    def execute(self, batch):
        return self.answer(batch)


def registers(batch, dtype=np.uint32, columns=32):
    return np.zeros((len(batch), columns), dtype)


def fails(batch):
    raise RuntimeError("out of order")


def fails_in_some(batch):
    if (batch.operand("VD") == 3).any():
        raise RuntimeError("three is too many")
    Sfpand().execute(batch)


def field_out_of_range(batch):
    batch.set("CurrentThread", value=3)


def background(batch):
    batch.background["LReg"][0, 0] = 1


def outcome(batch):
    batch.outcome[:] = 7


def reads_negative_row(batch):
    batch.read("LReg", np.full(len(batch), -1))


def writes_twice(batch):
    for _ in range(2):
        batch.write("LReg", 0, registers(batch))


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (fails, "crash", ["RuntimeError: out of order", "test_check.py, line", "in fails"]),
        (fails_in_some, "crash", ["RuntimeError: three is too many"]),
        (lambda batch: 3, "malformed answer", ["execute returned int"]),
        (lambda batch: batch.write("LReg", 0, registers(batch, np.float64)), "malformed answer", ["float64", "uint32"]),
        (lambda batch: batch.write("LReg", 0, registers(batch, columns=16)), "malformed answer", ["16]", "32]"]),
        (lambda batch: batch.write("LReg", 0, [0] * 32), "malformed answer", ["is list"]),
        (lambda batch: batch.write("LReg", 17, registers(batch)), "malformed answer", ["no row 17 of LReg"]),
        (lambda batch: batch.write("Dst", 0, registers(batch)), "malformed answer", ["has no bank 'Dst'"]),
        (lambda batch: batch.write("SrcA", 0, registers(batch, columns=16) + 0x80000), "malformed answer", ["19 bits"]),
        (lambda batch: batch.set("LaneFlag", value=0), "malformed answer", ["did you mean 'LaneFlags'"]),
        (lambda batch: batch.get("RWCs[{}].Dst"), "malformed answer", ["takes 1 indices"]),
        (lambda batch: batch.get("RWCs[{}].Dst", np.full(len(batch), -1)), "malformed answer", ["out of range: there are 3"]),
        (lambda batch: batch.get("RWCs[{}].Dst", np.zeros((len(batch) + 2, 1), int)), "malformed answer", ["and takes ["]),
        (lambda batch: batch.set("CurrentThread", value=np.full(len(batch), -1)), "malformed answer", ["it is 0 to 2"]),
        (lambda batch: batch.get("RWCs[{}].Dst", 3), "malformed answer", ["out of range: there are 3"]),
        (lambda batch: batch.operand("VX"), "malformed answer", ["it has"]),
        (lambda batch: batch.refuse(np.zeros(3, bool)), "malformed answer", ["a mask is bool [3]"]),
        (field_out_of_range, "malformed answer", ["CurrentThread is out of range"]),
        (background, "crash", ["read-only"]),
        (outcome, "malformed answer", ["outcome 7"]),
        (reads_negative_row, "malformed answer", ["no row -1"]),
        (writes_twice, "malformed answer", ["comes twice"]),
    ],
)
def test_what_is_no_answer_is_a_finding_that_names_a_case(answer, kind, says):
    report = tandem.check(lambda: Answers(answer), cases=300)
    (finding,) = report.findings
    assert finding.kind == kind
    assert finding.case is not None and finding.case.startswith("tensix-wh/sfpand newest 0x")
    for part in says:
        assert part in str(report), str(report)


def loops(batch):
    while True:
        pass


def catches_everything(batch):
    while True:
        try:
            loops(batch)
        except BaseException:
            pass


def waits(batch):
    threading.Event().wait()


def loops_in_some(batch):
    if ((batch.operand("VD") == 3) & (batch.operand("VC") == 5)).any():
        loops(batch)
    Sfpand().execute(batch)


def waits_in_some(batch):
    if ((batch.operand("VD") == 3) & (batch.operand("VC") == 5)).any():
        waits(batch)
    Sfpand().execute(batch)


@pytest.mark.parametrize(("answer", "line"), [(loops_in_some, "in loops"), (waits_in_some, "in waits")])
def test_a_case_that_never_returns_is_a_finding_with_the_line_where_it_was(answer, line):
    (finding,) = tandem.check(lambda: Answers(answer), cases=1_000, timeout=0.3, threads=1).findings
    assert finding.kind == "hang"
    assert int(finding.case.split()[2], 16) >> 4 & 0xFF == 0x53  # VC is 5, and VD 3
    assert "has not returned within 0.3 s" in str(finding) and line in str(finding) and "test_check.py" in str(finding)
    assert "has not returned within 0.3 s" in tandem.replay(lambda: Answers(answer), finding.case, timeout=0.3)


@pytest.mark.parametrize("answer", [loops, waits])
def test_a_target_that_never_returns_ends_with_the_instruction_the_cases_and_a_next_step(answer):
    begin = time.monotonic()
    with pytest.raises(tandem.Stuck) as raised:
        tandem.check(lambda: Answers(answer), cases=1_000, timeout=0.2)
    assert time.monotonic() - begin < 60
    for part in ("answers did not return 8 times", "1 case of tensix-wh/sfpand, code 0x", "within 0.2 s", "a longer timeout than 0.2 s", "in "):
        assert part in str(raised.value), str(raised.value)


def test_an_exception_that_is_caught_is_raised_again():
    said = tandem.replay(lambda: Answers(catches_everything), "tensix-wh/sfpand newest 0x7e000030", timeout=0.3)
    assert "catches_everything" in said or "loops" in said


def test_a_slow_target_needs_a_longer_limit_or_none():
    def slow(batch):
        time.sleep(0.4)
        Sfpand().execute(batch)

    line = "tensix-wh/sfpand newest 0x7e000030"
    assert "within" in tandem.replay(lambda: Answers(slow), line, timeout=0.1)
    for timeout in (5, None):
        assert tandem.replay(lambda: Answers(slow), line, timeout=timeout) is None
    for timeout in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="above 0"):
            tandem.replay(Sfpand, line, timeout=timeout)


def test_a_case_that_raises_is_told_from_those_that_do_not():
    (finding,) = tandem.check(lambda: Answers(fails_in_some), cases=600).findings
    code = int(finding.case.split()[2], 16)
    assert code >> 4 & 15 == 3
    assert tandem.replay(lambda: Answers(fails_in_some), finding.case) is not None


def test_doing_nothing_is_wrong_and_refusing_everything_shows_nothing():
    (finding,) = tandem.check(lambda: Answers(lambda batch: None), cases=1_000).findings
    assert (finding.place, finding.kind) == ("LReg", "value")

    def refuse(batch):
        batch.refuse(np.ones(len(batch), bool), "not today")

    with pytest.raises(tandem.NothingShown, match="refused all"):
        tandem.check(lambda: Answers(refuse), cases=1_000)
    with pytest.raises(tandem.NothingShown, match="not today"):
        tandem.replay(lambda: Answers(refuse), "tensix-wh/sfpand newest 0x7e000030")


def test_programs_agree_or_differ_with_the_smallest_as_a_line():
    assert tandem.programs(Sfpand, "tensix-wh", cases=500) is None
    said = tandem.programs(AllRows, "tensix-wh", cases=500, seed=3)
    assert said is not None and said == tandem.programs(AllRows, "tensix-wh", cases=500, seed=3)
    assert said.startswith("sfpand-all-rows differs from what the pages promise in programs of tensix-wh: ")
    line = next(line.split(": ", 1)[1] for line in said.splitlines() if "smallest program: " in line)
    assert "differs" in (tandem.replay(AllRows, line) or "")
    # The same by hand, in two steps: both of them are run.
    two = "tensix-wh/sfpand newest 0x7e000020 then sfpand 0x7e000030 LReg[3][31]=0x00000001"
    assert tandem.replay(Sfpand, two) is None
    with pytest.raises(ValueError, match="no instruction set 'tensix'; there are tensix-wh, tensix-bh, visa"):
        tandem.programs(Sfpand, "tensix")
    with pytest.raises(tandem.NothingShown, match="has no instruction of visa"):
        tandem.programs(Sfpand, "visa")


def test_a_case_that_is_refused_changes_nothing():
    def refuse(batch):
        Sfpand().execute(batch)
        batch.refuse(batch.operand("VD") == 2)

    (finding,) = tandem.check(lambda: Answers(refuse), cases=1_000).findings
    assert finding.kind == "refused-but-changed"


def test_what_is_kept_between_batches_is_found():
    class Keeps(Sfpand):
        name = "keeps"
        batches = 0

        def reset(self):
            self.batches = 0

        def enabled(self, cases):
            self.batches += 1
            return super().enabled(cases) if self.batches < 3 else ~super().enabled(cases)

    assert {one.kind for one in tandem.check(Keeps, WH, cases=3_000).findings} & {"order-dependent", "nondeterministic"}


def test_a_memory_of_its_own_shows_stray_writes():
    class Strays(Sfpand):
        name = "strays"
        stray = False

        def load(self, background):
            self.memory = {name: data.copy() for name, data in background.items()}

        def execute(self, batch):
            super().execute(batch)
            if self.stray:
                self.memory["SrcB"][5, 0] ^= 1

        def arena_hash(self):
            import zlib

            value = 0
            for data in self.memory.values():
                value = zlib.crc32(data.tobytes(), value)
            return value

    assert not tandem.check(Strays, WH, cases=500).findings

    class Really(Strays):
        stray = True

    assert {one.kind for one in tandem.check(Really, WH, cases=500).findings} == {"stray"}


def test_what_cannot_be_used_is_named():
    with pytest.raises(TypeError, match="a class, or a function"):
        tandem.check(Sfpand())
    with pytest.raises(TypeError, match="no subclass of tandem.Target"):
        tandem.check(dict)
    with pytest.raises(ValueError, match="implements nothing"):
        tandem.check(tandem.Target)
    with pytest.raises(ValueError, match="does not implement 'tensix-wh/sfpor'"):
        tandem.check(Sfpand, ["tensix-wh/sfpor"])
    with pytest.raises(ValueError, match="at least 1"):
        tandem.check(Sfpand, cases=0)
    with pytest.raises(ValueError, match="2\\^48"):
        tandem.check(Sfpand, seed=1 << 48)
    with pytest.raises(ValueError, match="cannot be read"):
        tandem.replay(Sfpand, "tensix-wh/sfpand newest nonsense")

    class Unknown(Sfpand):
        instructions = ("tensix-wh/sfpan",)

    with pytest.raises(ValueError, match="did you mean 'tensix-wh/sfpand'"):
        tandem.check(Unknown)

    class Odd(Sfpand):
        name = "a:b"

    with pytest.raises(ValueError, match="no comma or colon"):
        tandem.check(Odd)


def test_an_instance_that_cannot_be_made_again_is_a_finding():
    made = []

    def make():
        made.append(1)
        if len(made) > 1:
            raise OSError("no board")
        return Sfpand()

    (finding,) = tandem.check(make, WH, cases=300, threads=1).findings
    assert finding.kind == "crash" and "no board" in str(finding)
