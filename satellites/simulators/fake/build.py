"""The example target in C, with its one known mistake, as if it were a simulator: for `simulators.py --self-check`."""
import os
import pathlib
import shutil
import subprocess

from stop import Stop

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent.parent


def build(source, chip, out):
    del source, chip  # it has none, and is for both chips
    compiler, out = os.environ.get('CC', 'cc'), pathlib.Path(out)
    if shutil.which(compiler) is None:
        raise Stop(f'no C compiler: {compiler} is not found', 4)
    out.mkdir(parents=True, exist_ok=True)
    command = [compiler, '-std=gnu11', '-O1', '-shared', '-fPIC', '-I', str(ROOT / 'harness' / 'include'),
               str(ROOT / 'examples' / 'targets' / 'c' / 'target.c'), '-o', str(out / 'fake.so'), '-lm']
    if subprocess.run(command, check=False).returncode != 0:
        raise Stop('the example target does not compile', 5)
    return f'lib:{out / "fake.so"}'
