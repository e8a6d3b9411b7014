"""tandem: differential conformance of accelerator instruction sets, from Python.

`vectors` gives recorded tests as arrays, `describe` what there is to know of an instruction set. An implementation is a
subclass of `Target` that executes cases in batches; `check` runs a campaign of it against the reference, `replay` runs one
case. The plugin for pytest makes tests of it (`docs/python.md` in the repository).
"""

from ._check import Finding, NothingShown, Report, Stuck, Unit, check, programs, replay
from ._layout import Bank, Layout, classes, describe, instructions
from ._tandem import __version__
from ._target import AnswerError, Batch, Cases, Rows, Target
from ._vectors import Sparse, Step, Vector, vector_files, vectors

__all__ = [
    "AnswerError",
    "Bank",
    "Batch",
    "Cases",
    "Finding",
    "Layout",
    "NothingShown",
    "Report",
    "Rows",
    "Sparse",
    "Step",
    "Stuck",
    "Target",
    "Unit",
    "Vector",
    "__version__",
    "check",
    "classes",
    "describe",
    "instructions",
    "programs",
    "replay",
    "vector_files",
    "vectors",
]
