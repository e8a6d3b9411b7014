"""Builds tandem's adapter to tensix-isa-simulator: their sources of the core, as they are, together with adapter.cpp."""
import os
import pathlib
import shutil
import subprocess

from stop import Stop

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
FOLDER = 'tensix/whb0/src'
SOURCES = [f'{FOLDER}/core/{name}.cpp' for name in ('addrmod', 'cfg', 'cfg_api', 'cfg_reg', 'math', 'memory', 'pack', 'sfpu', 'sync', 'tdma',
                                                    'tensix', 'thread', 'unpack')]
NEEDED = [f'{FOLDER}/core/tensix.hpp', f'{FOLDER}/core/thread.hpp', *SOURCES]
# As their own scripts have it, with their assertions on. An index beyond an array of theirs ends the process: tandem reports a crash.
OPTIONS = ['-std=gnu++17', '-O2', '-fPIC', '-w', '-fsanitize=bounds', '-fsanitize-undefined-trap-on-error']


def build(source, chip, out):
    """Builds the library, and returns what tandem takes for its --target. What is built already from the same files is kept. It
    stops with 2 if the source is not one of tensix-isa-simulator, 4 without a compiler, and 5 if that fails."""
    source, out = pathlib.Path(source).resolve(), pathlib.Path(out).resolve()
    compiler = os.environ.get('CXX', 'c++')
    for name in NEEDED:
        if not (source / name).is_file():
            raise Stop(f'{source} is no source of tensix-isa-simulator: it has no {name}', 2)
    if shutil.which(compiler) is None:
        raise Stop(f'no C++ compiler: {compiler} is not found; install g++, or name one with CXX', 4)
    made, library = out / 'made-isa-sim', out / f'tensix-isa-simulator-{chip}.so'
    made.mkdir(parents=True, exist_ok=True)
    options, objects = OPTIONS + [f'-I{source / FOLDER}'], []
    border = [f'-I{ROOT / path}' for path in ('harness/include', 'examples/targets/c')]
    commands = []
    for path in [source / name for name in SOURCES] + [HERE / 'adapter.cpp']:
        target = made / (path.stem + '.o')
        ours = border if path.parent == HERE else ['-fvisibility=hidden']
        if path.parent == HERE or not target.is_file() or target.stat().st_mtime < path.stat().st_mtime:
            commands.append([*options, *ours, '-o', str(target), '-c', str(path)])
        objects.append(str(target))
    commands.append(['-shared', '-Wl,-Bsymbolic', '-Wl,--no-undefined', *objects, '-o', str(library)])
    for command in commands:
        done = subprocess.run([compiler, *command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            lines = done.stdout.splitlines()
            error = [line for line in lines if 'error' in line] or lines[-1:] or ['no output']
            raise Stop(f'{compiler} of {command[-1]} failed: {error[0]}', 5)
    return f'lib:{library}'
