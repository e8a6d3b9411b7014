"""The plugin for pytest, run in a directory of its own."""

import shlex
import signal
import textwrap

import pytest
from conftest import EXAMPLES

TESTS = """
def test_conforms(tandem_case):
    tandem_case.check()
"""


@pytest.fixture
def project(pytester, monkeypatch):
    """A project whose target is `Sfpand`, with few cases."""
    pytester.makepyfile(test_mine=TESTS)
    monkeypatch.setenv("PYTHONPATH", str(EXAMPLES))
    return pytester


def ini(project, target):
    project.makeini(f"[pytest]\ntandem_target = {target}\n")


def run(project, *arguments):
    return project.runpytest_subprocess("-p", "no:cacheprovider", "--tandem-cases=1500", *arguments)


def test_a_sound_target_passes_in_each_class(project):
    ini(project, "sfpand:Sfpand")
    result = run(project, "-v", "--tandem-seed=9")
    # On each chip the instruction as a whole, and programs; three classes on Wormhole, and two on Blackhole.
    result.assert_outcomes(passed=9)
    result.stdout.fnmatch_lines(["tandem: seed 9, 1,500 cases a test", "*test_conforms[[]tensix-wh/sfpand: 0-7[]] PASSED*"])


def test_a_faulty_target_fails_with_its_finding(project):
    ini(project, "sfpand:AllRows")
    result = run(project, "--tandem-seed=0x10", "-k", "wh and not 8-11 and not 12-15")
    result.assert_outcomes(failed=3)
    result.stdout.fnmatch_lines(
        [
            "*sfpand-all-rows differs from what the pages promise of tensix-wh/sfpand: 2 findings, 1,500 cases, seed 16,*",
            "*page of tensix-wh/sfpand: SFPAND*https://github.com/*SFPAND.md",
            "*2. LReg value, in *",
            "*smallest case: tensix-wh/sfpand newest 0x*",
            "*again: pytest 'test_mine.py::test_conforms[[]tensix-wh/sfpand[]]' --tandem-seed=16 --tandem-cases=1500*",
            "*sfpand-all-rows differs from what the pages promise in programs of tensix-wh: * seed 16,*",
            "*smallest program: tensix-wh/sfpand newest 0x*",
            "*again: pytest 'test_mine.py::test_conforms[[]tensix-wh: programs[]]' --tandem-seed=16 --tandem-cases=1500*",
        ]
    )


def test_classes_that_are_refused_are_skipped_and_say_so(project):
    ini(project, "mova2d:Mova2d")
    result = run(project, "-rs")
    outcomes = result.parseoutcomes()
    assert outcomes["passed"] + outcomes["skipped"] == 12 and outcomes["passed"] >= 5 and "failed" not in outcomes
    result.stdout.fnmatch_lines(["*SKIPPED*not answered: mova2d-numpy refuses this class*"])


def test_who_refuses_everything_fails(project):
    project.makepyfile(
        refuses=textwrap.dedent(
            """
            import numpy as np
            import tandem

            class Refuses(tandem.Target):
                instructions = ["tensix-wh/sfpand"]

                def execute(self, batch):
                    batch.refuse(np.ones(len(batch), bool), "not today")
            """
        )
    )
    ini(project, "refuses:Refuses")
    result = run(project)
    result.assert_outcomes(failed=1, skipped=4)
    result.stdout.fnmatch_lines(["*Refuses implements tensix-wh/sfpand and refused all of*"])


def test_a_target_is_named_by_the_command_line_by_the_module_or_by_the_ini_file(project):
    run(project).stdout.fnmatch_lines(["*no target is named: write `tandem_target = module:Class`*"])
    ini(project, "sfpand:Nobody")
    run(project).stdout.fnmatch_lines(["*the target sfpand:Nobody cannot be used: AttributeError*"])
    result = run(project, "--tandem-target=sfpand:Sfpand", "-k", "wh and 0-7")
    result.assert_outcomes(passed=1, deselected=8)
    project.makepyfile(test_mine="from sfpand import AllRows as tandem_target\n" + TESTS)
    run(project, "-k", "wh and 0-7").assert_outcomes(failed=1, deselected=8)


def test_no_test_file_is_needed(project, monkeypatch):
    monkeypatch.delenv("PYTHONPATH")
    project.makepyfile(sfpand=(EXAMPLES / "sfpand.py").read_text())
    result = run(project, "--pyargs", "tandem.test_conformance", "--tandem-target=sfpand:Sfpand", "-k", "wh and 0-7")
    result.assert_outcomes(passed=1, deselected=8)
    result = run(project, "--pyargs", "tandem.test_conformance", "--tandem-target=sfpand:AllRows", "-k", "wh and 0-7")
    result.assert_outcomes(failed=1, deselected=8)
    (again,) = (line for line in result.outlines if line.startswith("again: pytest "))
    project.runpytest_subprocess(*shlex.split(again)[2:]).assert_outcomes(failed=1)


@pytest.mark.parametrize("option", ["--tandem-seed=x", "--tandem-seed=-1", f"--tandem-seed={1 << 48}", "--tandem-cases=0"])
def test_a_bad_option_is_named_with_what_would_be_right(project, option):
    ini(project, "sfpand:Sfpand")
    result = project.runpytest_subprocess(option)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*a seed is 'random' or a number below 2^48*"])


HANGS = """
import re
import threading

import tandem

class Waits(tandem.Target):
    instructions = ["tensix-wh/sfpand"]

    def execute(self, batch):
        threading.Event().wait()

class KeepsTheLock(Waits):
    def execute(self, batch):
        re.match("(a+)+$", "a" * 64 + "b")
"""


def test_a_target_that_never_returns_fails_and_the_tests_go_on(project):
    project.makepyfile(hangs=HANGS)
    result = run(project, "--tandem-target=hangs:Waits", "--tandem-timeout=0.2", "-k", "not 8-11 and not 12-15")
    result.assert_outcomes(failed=3)
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "*Waits did not return 8 times*1 case of tensix-wh/sfpand, code 0x*has not returned within 0.2 s*in execute*",
            "*again: pytest *--tandem-timeout=0.2*",
        ]
    )


def test_a_target_that_keeps_the_lock_of_the_interpreter_ends_the_process_with_a_word(project):
    project.makepyfile(hangs=HANGS)
    result = run(project, "--tandem-target=hangs:KeepsTheLock", "--tandem-timeout=0.2", "-k", "0-7")
    assert result.ret == -signal.SIGABRT
    result.stderr.fnmatch_lines(["*tandem: `execute` of * of tensix-wh/sfpand, code 0x*another border*", "*hangs.py*in execute*"])


def test_workers_of_xdist_have_the_seed_of_their_controller(project):
    pytest.importorskip("xdist")
    ini(project, "sfpand:AllRows")
    result = run(project, "-n", "2", "--tandem-seed=random", "-k", "wh and not 8-11 and not 12-15")
    result.assert_outcomes(failed=3)
    seeds = {line.split("--tandem-seed=")[1].split()[0] for line in result.outlines if "again: pytest" in line}
    assert len(seeds) == 1 and seeds != {"1"}
    again = run(project, f"--tandem-seed={seeds.pop()}", "-k", "wh and 0-7")
    again.assert_outcomes(failed=1, deselected=8)


def test_with_xdist_each_worker_collects_the_same(project):
    pytest.importorskip("xdist")
    ini(project, "sfpand:Sfpand")
    run(project, "-n", "2").assert_outcomes(passed=9)
