"""What `tandem --target` takes for tt-sim. There is nothing to build; it is tried whether it starts."""

import pathlib
import shlex
import subprocess
import sys

from stop import Stop

HERE = pathlib.Path(__file__).resolve().parent


def build(source, chip, out):
    command = [sys.executable, str(HERE / "adapter.py"), "--source", str(source), "--crashes", "refuse"]
    tried = subprocess.run(command, input="", capture_output=True, text=True, check=False)
    if tried.returncode:
        lines = tried.stderr.strip().splitlines() or ["no output"]
        raise Stop(lines[-1], 2 if "is no clone" in lines[-1] else 5)
    # A file, so that stored cases name the target alike on every machine.
    out.mkdir(parents=True, exist_ok=True)
    start = out / f"tt-sim-{chip}"
    start.write_text(f"#!/bin/sh\nexec {shlex.join([*command, '--chip', chip])}\n")
    start.chmod(0o755)
    return f"cmd:{start}"
