"""The examples are modules of the tests, and pytest is run inside of pytest."""

import pathlib
import sys

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES))

pytest_plugins = ["pytester"]
