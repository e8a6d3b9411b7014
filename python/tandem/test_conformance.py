"""The tests of a target that needs no test file of its own: `pytest --pyargs tandem.test_conformance`."""

from ._plugin import ConformanceCase


def test_conforms(tandem_case: ConformanceCase) -> None:
    """Whatever the target answers is what the pages promise."""
    tandem_case.check()
