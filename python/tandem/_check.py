"""Campaigns and single cases, and what comes of them."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Optional

from . import _tandem
from ._layout import known_paths
from ._target import Described, Maker

CASES = 20_000
SEED = 1
MOST_FINDINGS = 3
MOST_RULES = 3
LONGEST_CASE = 4_000
TIMEOUT = 10.0
MOST_SECONDS = 1e9


class NothingShown(Exception):
    """The target answered no case of an instruction for which the pages promise something: nothing was tested."""


class Stuck(TimeoutError):
    """Calls of the target did not return in time, and no finding says so."""


@dataclass(frozen=True)
class Finding:
    """Something that a target does otherwise than the pages promise.

    `instruction`, `place` (a bank or a field, `-` if it is about none) and `kind` (`value`, `row`, `crash`, …) make it one
    finding. `cases` counts those that showed it. `explanation` has the smallest case and the difference in words, line by
    line, and `pages` what the pages say there. `case` is the smallest case as a line for `replay`; none if no single case
    shows it. `classes` are the classes of modes in which it was seen. `raw` is all of it as the report has it.
    """

    instruction: str
    target: str
    place: str
    kind: str
    cases: int
    explanation: tuple[str, ...]
    pages: tuple[str, ...]
    errata: tuple[str, ...]
    classes: tuple[str, ...]
    case: Optional[str]
    raw: dict[str, Any]

    def __str__(self) -> str:
        what = self.kind if self.place == "-" else f"{self.place} {self.kind}"
        lines = [f"{what}, in {_counted(self.cases, 'case')}", *(f"   {line}" for line in self.explanation)]
        lines += [f"   page {page}" for page in self.pages]
        if self.errata:
            lines.append(f"   so does the other reading of: {', '.join(self.errata)}")
        if self.case is None or len(self.case) > LONGEST_CASE:
            lines.append("   no small case shows it alone: run it again")
        else:
            lines.append(f"   smallest case: {self.case}")
        return "\n".join(lines)


@dataclass(frozen=True)
class Unit:
    """What happened to one instruction: cases that the pages promise and that were `answered` or `refused`.

    `rules` says what the target refuses, in words. `page` is the page that it was held against.
    """

    instruction: str
    answered: int
    refused: int
    rules: tuple[str, ...]
    page: str


@dataclass(frozen=True)
class Report:
    """What a campaign showed. `findings` is empty if whatever was answered agrees. `raw` is the whole report.

    `stuck` says of a call that did not return in time what is known of it: of the one with the fewest cases.
    """

    target: str
    findings: tuple[Finding, ...]
    units: tuple[Unit, ...]
    cases: int
    seed: int
    seconds: float
    raw: dict[str, Any]
    stuck: Optional[str] = None

    @property
    def cases_per_second(self) -> float:
        """Cases of the campaign, questions beforehand not counted, by the time that all of it took."""
        return self.cases / self.seconds if self.seconds else 0.0

    def __str__(self) -> str:
        what = ", ".join(unit.instruction for unit in self.units)
        asked = f"{_counted(self.cases, 'case')}, seed {self.seed}, edition newest"
        if not self.findings:
            return f"{self.target} agrees with what the pages promise of {what}: {asked}"
        head = f"{self.target} differs from what the pages promise of {what}: "
        lines = [head + f"{_counted(len(self.findings), 'finding')}, {asked}"]
        lines += [f"page of {unit.instruction}: {unit.page}" for unit in self.units]
        for number, finding in enumerate(self.findings[:MOST_FINDINGS], 1):
            of = f"{finding.instruction}: " if len(self.units) > 1 else ""
            lines += ["", f"{number}. {of}{finding}"]
        if len(self.findings) > MOST_FINDINGS:
            lines += ["", f"and {_counted(len(self.findings) - MOST_FINDINGS, 'more finding')}"]
        if self.stuck is not None:
            lines += ["", self.stuck]
        return "\n".join(lines)


def check(
    target: Maker,
    instructions: Optional[Sequence[str]] = None,
    *,
    cases: int = CASES,
    seed: int = SEED,
    cell_class: Optional[str] = None,
    threads: Optional[int] = None,
    timeout: Optional[float] = TIMEOUT,
) -> Report:
    """Runs a campaign of a target against the reference, in the edition `newest`.

    `target` is a subclass of `Target`, or a function that makes instances: each worker has its own. `instructions` are
    paths, all that the target has if nothing is said. `cases` is for each of them. `cell_class` narrows it to one class of
    modes (`classes`). The result does not depend on `threads`. `timeout` is how long a call of the target may take, in seconds;
    one that takes longer is interrupted, and is a finding of the kind `hang`. With None there is no limit.

    Raises `NothingShown` if all that was asked of an instruction was refused and nothing else was found, `ValueError` for
    what does not exist, `Stuck` if calls did not return and no case could be named for it.
    """
    described = Described(target)
    report = run(described, known_paths(instructions, described.instructions, described.name), cases, seed, cell_class, threads, timeout)
    silent = [unit for unit in report.units if not unit.answered]
    if silent and not report.findings:
        raise NothingShown("\n".join(refused(report.target, unit) for unit in silent))
    return report


def refused(target: str, unit: Unit) -> str:
    """That a target answered nothing of an instruction, in words."""
    lines = [
        f"{target} implements {unit.instruction} and refused all of {_counted(unit.refused, 'case')} that the pages "
        "promise, so nothing was shown"
        if unit.refused
        else f"no case of {unit.instruction} was asked for which the pages promise something, so nothing was shown; "
        "ask for more cases"
    ]
    return "\n".join([*lines, *(f"   refused if {rule}" for rule in unit.rules[:MOST_RULES])])


def run(
    described: Described,
    paths: Sequence[str],
    cases: int,
    seed: int,
    cell_class: Optional[str] = None,
    threads: Optional[int] = None,
    timeout: Optional[float] = TIMEOUT,
) -> Report:
    """A campaign, whatever comes of it."""
    if cases < 1:
        raise ValueError(f"cases is {cases}, and is at least 1")
    workers = min(2, os.cpu_count() or 1) if threads is None else threads
    text, hangs = _tandem.check(described.crossing(), list(paths), cell_class, cases, seed, workers, limit(timeout))
    stuck = _stuck(described, hangs, timeout)
    report = _report(described.name, json.loads(text), stuck)
    if stuck is not None and all(finding.kind != "hang" for finding in report.findings):
        raise Stuck("\n\n".join([stuck, *([str(report)] if report.findings else [])]))
    return report


def _stuck(described: Described, hangs: Optional[tuple[int, str]], timeout: Optional[float]) -> Optional[str]:
    """That calls did not return, in words."""
    if hangs is None:
        return None
    often, smallest = hangs
    return (
        f"{described.name} did not return {'once' if often == 1 else f'{often} times'}, and the run has ended early or left "
        f"out cases: {smallest}. A target that is only slow needs a longer timeout than {timeout:g} s"
    )


def programs(
    target: Maker, isa: str, *, cases: int = CASES, seed: int = SEED, timeout: Optional[float] = TIMEOUT
) -> Optional[str]:
    """Runs programs of 2 to 16 steps of what a target has of an instruction set, for example `tensix-wh`.

    Each ordered pair of its instructions comes, by what makes the second depend on the first: this is what `check` cannot see,
    since it runs one instruction at a time. `cases` is the number of programs; there is one of each pair and dependence at least.
    The target is given a step at a time. Returns nothing if whatever it answers agrees; else what differs, in words, with the
    smallest program as a line for `replay`. Raises `NothingShown` if it answers no program or has nothing of the set,
    `ValueError` for what does not exist, `Stuck` if calls did not return and no difference shows it. For `timeout` see `check`.
    """
    outcome, text = run_programs(Described(target), isa, cases, seed, timeout)
    if outcome in ("refused", "absent"):
        raise NothingShown(text)
    return text if outcome == "differs" else None


def run_programs(
    described: Described, isa: str, cases: int, seed: int, timeout: Optional[float]
) -> tuple[str, str]:
    """Programs, and how they ended: `agrees`, `differs`, `refused` or `absent`, with what is to be said."""
    if cases < 1:
        raise ValueError(f"cases is {cases}, and is at least 1")
    outcome, text, hangs = _tandem.programs(described.crossing(), isa, cases, seed, limit(timeout))
    stuck = _stuck(described, hangs, timeout)
    if stuck is not None and outcome != "differs":
        raise Stuck(stuck)
    return outcome, "\n\n".join([text, *([stuck] if stuck else [])])


def limit(timeout: Optional[float]) -> Optional[float]:
    """The same limit of time, if it is one."""
    if timeout is not None and not 0 < timeout < MOST_SECONDS:
        raise ValueError(f"timeout is {timeout}, and is a number of seconds above 0, or None")
    return timeout


def replay(target: Maker, case: str, *, timeout: Optional[float] = TIMEOUT) -> Optional[str]:
    """Runs one case: the line that a finding shows, or the id of a case.

    Returns nothing if the target agrees, or if the pages promise nothing and it survives; else what differs, in words.
    Raises `NothingShown` if it refuses the case, `ValueError` if the case cannot be read. For `timeout` see `check`.
    """
    outcome, text = _tandem.replay(Described(target).crossing(), case, limit(timeout))
    if outcome == "refused":
        raise NothingShown(text)
    return text if outcome == "differs" else None


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _report(target: str, report: dict[str, Any], stuck: Optional[str]) -> Report:
    result, ran = report["result"], report["run"]
    return Report(
        target=target,
        findings=tuple(_finding(one) for one in result["findings"]),
        units=tuple(_unit(one) for one in result["units"]),
        cases=result["cases"],
        seed=result["seed"],
        seconds=ran["elapsed_seconds"],
        raw=report,
        stuck=stuck,
    )


def _page(page: dict[str, Any]) -> str:
    address = f"https://github.com/{page['repository']}/blob/{page['commit']}/{page['path']}"
    return f"{page['title']} at {page['commit'][:8]}, {address}"


def _unit(unit: dict[str, Any]) -> Unit:
    def rule(one: dict[str, Any]) -> str:
        reason = one.get("reason")
        return f'{one["when"]}, "{reason}"' if reason else str(one["when"])

    rules = (unit.get("observed") or {}).get("rules", [])
    return Unit(
        instruction=unit["instruction"],
        answered=unit["answered"],
        refused=unit["refusals"],
        rules=tuple(rule(one) for one in rules),
        page=_page(unit["page"]),
    )


def _finding(finding: dict[str, Any]) -> Finding:
    signature = finding["signature"]
    pages = [f"{_page(one['page'])}, {one['place']}: {one['reason']}" for one in finding["citations"]]
    return Finding(
        instruction=signature["instruction"],
        target=signature["target"],
        place=signature["place"],
        kind=signature["kind"],
        cases=finding["cases"],
        explanation=tuple(finding["explanation"]),
        pages=tuple(pages),
        errata=tuple(finding["errata"]),
        classes=tuple(dict.fromkeys(name for seen in finding["seen"] for name in seen["classes"])),
        case=finding["line"],
        raw=finding,
    )
