"""Builds tandem's adapter to tensix-isa-simulator: their sources of the core, as they are, together with adapter.cpp."""
import pathlib

from compiling import compiler_for, run

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
FOLDER = 'tensix/whb0/src'
NAMES = ['addrmod', 'cfg', 'cfg_api', 'cfg_reg', 'math', 'memory', 'pack', 'sfpu', 'sync', 'tdma', 'tensix', 'thread', 'unpack']
SOURCES = [f'{FOLDER}/core/{name}.cpp' for name in NAMES]
NEEDED = [f'{FOLDER}/core/tensix.hpp', f'{FOLDER}/core/thread.hpp', *SOURCES]
# Their assertions are on. An index beyond an array of theirs ends the process: tandem reports a crash.
OPTIONS = ['-std=gnu++17', '-O2', '-fPIC', '-w', '-fsanitize=bounds', '-fsanitize-undefined-trap-on-error']


def build(source, chip, out):
    """Builds the library, and returns what tandem takes for its --target. What is built already from the same files is kept. It
    stops with 2 if the source is not one of tensix-isa-simulator, 4 without a compiler, and 5 if that fails."""
    source, out = pathlib.Path(source).resolve(), pathlib.Path(out).resolve()
    compiler = compiler_for('tensix-isa-simulator', source, NEEDED)
    made, library = out / 'made-isa-sim', out / f'tensix-isa-simulator-{chip}.so'
    made.mkdir(parents=True, exist_ok=True)
    commands, objects = [], []
    for path in [source / name for name in SOURCES] + [HERE / 'adapter.cpp']:
        target = made / (path.stem + '.o')
        ours = [f'-I{ROOT / folder}' for folder in ('harness/include', 'examples/targets/c')] if path.parent == HERE else []
        if ours or not target.is_file() or target.stat().st_mtime < path.stat().st_mtime:
            commands.append([*OPTIONS, f'-I{source / FOLDER}', *(ours or ['-fvisibility=hidden']), '-o', str(target), '-c',
                             str(path)])
        objects.append(str(target))
    for command in [*commands, ['-shared', '-Wl,-Bsymbolic', '-Wl,--no-undefined', *objects, '-o', str(library)]]:
        run([compiler, *command])
    return f'lib:{library}'
