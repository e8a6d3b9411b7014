"""The plugin for pytest: a test for each instruction of a target, for each class of its modes, and for programs of all of them.

A test function that takes the fixture `tandem_case` becomes these tests. The target is named by `--tandem-target`, by the
variable `tandem_target` of the test's module (the class itself), or by `tandem_target = module:Class` in the ini file.
`pytest --pyargs tandem.test_conformance` needs no test file at all.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import random
import shlex
import sys
from dataclasses import dataclass
from typing import Any, Optional, Union

import pytest

from . import _tandem
from ._check import SEED, TIMEOUT, Report, Stuck, limit, refused, run, run_programs
from ._layout import classes
from ._target import Described

CASES = 20_000
SEED_BITS = 48
OWN_TESTS = "tandem.test_conformance"


@dataclass(frozen=True)
class Settings:
    """What the command line says. Workers of xdist have them from their controller."""

    seed: int
    cases: int
    timeout: Optional[float] = TIMEOUT


SETTINGS = pytest.StashKey[Settings]()
STATUS = pytest.StashKey[int]()
TARGETS = pytest.StashKey[dict[Any, Described]]()


def _seed(text: str) -> int:
    if text == "random":
        return random.SystemRandom().getrandbits(SEED_BITS)
    seed = int(text, 0)
    if not 0 <= seed < 1 << SEED_BITS:
        raise ValueError(text)
    return seed


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tandem", "conformance of accelerator instruction sets")
    group.addoption("--tandem-target", metavar="MODULE:CLASS", help="the implementation under test")
    group.addoption("--tandem-seed", metavar="SEED", default=str(SEED), help=f"a number, or 'random' (default: {SEED})")
    group.addoption("--tandem-cases", metavar="CASES", default=str(CASES), help=f"cases of a test (default: {CASES})")
    group.addoption(
        "--tandem-timeout",
        metavar="SECONDS",
        type=float,
        default=TIMEOUT,
        help=f"how long a call of the target may take, 0 for ever (default: {TIMEOUT:g})",
    )
    parser.addini("tandem_target", "the implementation under test, as MODULE:CLASS")


def pytest_configure(config: pytest.Config) -> None:
    config.stash[TARGETS] = {}
    # At this time standard error is not captured.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        _tandem.tell_on(sys.stderr.fileno())
    handed: Optional[dict[str, Any]] = getattr(config, "workerinput", None)
    if handed is not None and "tandem" in handed:
        config.stash[SETTINGS] = Settings(*handed["tandem"])
        return
    seed, cases = config.getoption("--tandem-seed"), config.getoption("--tandem-cases")
    timeout = config.getoption("--tandem-timeout")
    try:
        most = limit(timeout or None)
    except ValueError:
        raise pytest.UsageError(f"--tandem-timeout={timeout:g}: it is a number of seconds, or 0 for no limit") from None
    try:
        settings = Settings(_seed(seed), int(cases), most)
        if settings.cases < 1:
            raise ValueError(cases)
    except ValueError:
        raise pytest.UsageError(
            f"--tandem-seed={seed} --tandem-cases={cases}: a seed is 'random' or a number below 2^{SEED_BITS}, and the "
            "number of cases is at least 1"
        ) from None
    config.stash[SETTINGS] = settings


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Hands the settings to a worker of xdist: a random seed is drawn once."""
    settings = node.config.stash[SETTINGS]
    node.workerinput["tandem"] = (settings.seed, settings.cases, settings.timeout)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    session.config.stash[STATUS] = int(exitstatus)


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Ends a process with threads that were left behind: where they wake while Python takes itself down, they abort it."""
    if _tandem.left_behind() and STATUS in config.stash and not hasattr(config, "workerinput"):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(config.stash[STATUS])


def pytest_report_header(config: pytest.Config) -> str:
    settings = config.stash[SETTINGS]
    return f"tandem: seed {settings.seed}, {settings.cases:,} cases a test"


@dataclass(frozen=True)
class ConformanceCase:
    """One instruction of a target, in all its modes or in one class of them; the fixture `tandem_case`.

    Without a `/` in it `instruction` is an instruction set, of which programs are run.
    """

    target: Described
    instruction: str
    cell_class: Optional[str]
    settings: Settings = Settings(SEED, CASES)
    again: str = ""

    def check(self) -> None:
        """Runs the campaign. It fails with the findings; a class that the target refuses is skipped."""
        __tracebackhide__ = True
        if "/" not in self.instruction:
            self._programs()
            return
        name = self.target.name
        report = self._report()
        if isinstance(report, Stuck):
            pytest.fail(f"{report}\n\nagain: {self.again}", pytrace=False)
        if report.findings:
            pytest.fail(f"{report}\n\nagain: {self.again}", pytrace=False)
        unit = report.units[0]
        if not unit.answered and self.cell_class is None:
            pytest.fail(f"{refused(name, unit)}\nagain: {self.again}", pytrace=False)
        if not unit.answered:
            why = f"{name} refuses this class" if unit.refused else "the pages promise nothing for it"
            pytest.skip("; ".join([f"not answered: {why}", *unit.rules[:1]]))

    def _programs(self) -> None:
        __tracebackhide__ = True
        cases, seed, timeout = self.settings.cases, self.settings.seed, self.settings.timeout
        try:
            outcome, text = run_programs(self.target, self.instruction, cases, seed, timeout)
        except Stuck as why:
            outcome, text = "differs", str(why)
        if outcome == "differs":
            pytest.fail(f"{text}\n\nagain: {self.again}", pytrace=False)
        if outcome != "agrees":
            pytest.skip(f"not answered: {text}")

    def _report(self) -> Union[Report, Stuck]:
        cases, seed, timeout = self.settings.cases, self.settings.seed, self.settings.timeout
        try:
            return run(self.target, [self.instruction], cases, seed, self.cell_class, threads=1, timeout=timeout)
        except Stuck as why:
            return why


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "tandem_case" not in metafunc.fixturenames:
        return
    target = _target(metafunc.config, metafunc.module)
    asked: list[tuple[str, Optional[str]]] = [
        (path, cell_class) for path in target.instructions for cell_class in (None, *classes(path))
    ]
    sets = dict.fromkeys(path.split("/")[0] for path in target.instructions)
    ids = [path if cell_class is None else f"{path}: {cell_class}" for path, cell_class in asked]
    ids += [f"{isa}: programs" for isa in sets]
    asked += [(isa, None) for isa in sets]
    if not asked:
        raise pytest.Collector.CollectError(f"{target.name} implements nothing: its attribute `instructions` is empty")
    metafunc.parametrize(
        "tandem_case",
        [ConformanceCase(target, path, cell_class) for path, cell_class in asked],
        indirect=True,
        ids=ids,
    )


@pytest.fixture
def tandem_case(request: pytest.FixtureRequest) -> ConformanceCase:
    """One instruction of the target, in all its modes or in one class of them: `tandem_case.check()` is the test."""
    asked: ConformanceCase = request.param
    config, settings = request.config, request.config.stash[SETTINGS]
    if request.node.module.__name__ == OWN_TESTS:  # they lie elsewhere, and their ids name no file that is found from here
        test = ["--pyargs", f"{OWN_TESTS}::{request.node.name}"]
    else:
        test = [request.node.nodeid]
    words = ["pytest", *test, f"--tandem-seed={settings.seed}", f"--tandem-cases={settings.cases}"]
    if settings.timeout != TIMEOUT:
        words.append(f"--tandem-timeout={settings.timeout or 0:g}")
    if config.getoption("--tandem-target"):
        words.append(f"--tandem-target={config.getoption('--tandem-target')}")
    return ConformanceCase(asked.target, asked.instruction, asked.cell_class, settings, shlex.join(words))


def _target(config: pytest.Config, module: Any) -> Described:
    """The target that is named for a module. Each is asked once who it is."""
    name = config.getoption("--tandem-target") or getattr(module, "tandem_target", None) or config.getini("tandem_target")
    if not name:
        raise pytest.Collector.CollectError(
            "no target is named: write `tandem_target = module:Class` into the ini file, set `tandem_target` in the test's "
            "module, or give --tandem-target=module:Class"
        )
    known = config.stash[TARGETS]
    if name not in known:
        try:
            known[name] = Described(_named(config, name) if isinstance(name, str) else name)
        except Exception as why:
            raise pytest.Collector.CollectError(f"the target {name} cannot be used: {type(why).__name__}: {why}") from why
    return known[name]


def _named(config: pytest.Config, name: str) -> Any:
    """What `module:Class` names. Modules are looked for in the root directory of the tests and in the current one, too."""
    module, colon, attribute = name.partition(":")
    if not colon:
        raise ValueError("it is written as module:Class")
    for place in (str(config.rootpath), str(config.invocation_params.dir)):
        if place not in sys.path:
            sys.path.append(place)
    return getattr(importlib.import_module(module), attribute)
