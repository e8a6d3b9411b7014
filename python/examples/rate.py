"""How many cases a second the targets in this directory are asked.

    python python/examples/rate.py [CASES]
"""

from __future__ import annotations

import sys

from mova2d import Mova2d
from sfpand import Sfpand

import tandem


def main(cases: int) -> None:
    """Prints a line for each target and number of threads."""
    for target, path in ((Sfpand, "tensix-wh/sfpand"), (Mova2d, "tensix-wh/mova2d")):
        for threads in (1, 2):
            report = tandem.check(target, [path], cases=cases, threads=threads)
            unit = report.units[0]
            print(
                f"{path}: {report.cases_per_second:,.0f} cases a second with {threads} threads; "
                f"{unit.answered:,} answered, {unit.refused:,} refused, {len(report.findings)} findings"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
