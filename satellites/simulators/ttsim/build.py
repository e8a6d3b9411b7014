"""Builds tandem's adapter to ttsim for one chip: their sources, unchanged, together with adapter.cpp.

Their generators of headers write beside their sources, so a copy is made of what is needed; the folder that is given is left
as it is.
"""
import pathlib
import shutil
import sys

from compiling import compiler_for, run

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
CHIPS = {'tensix-wh': ('wh', 0), 'tensix-bh': ('bh', 1)}
# All that ttsim links but common.cpp: how an error ends is ours (adapter.cpp).
SOURCES = ['libttsim.cpp', 'rv32.cpp', 'sim.cpp', 'tensix.cpp', 'tile.cpp', 'fma.cpp']
NEEDED = ['src/sim.h', 'src/tensix_gen_decode.py', 'data/bh/tensix_isa.json'] + [f'src/{name}' for name in SOURCES]
# DEBUG turns their own assertions on. An index beyond an array of theirs ends the process: tandem reports a crash.
OPTIONS = ['-std=gnu++20', '-O2', '-DDEBUG', '-fPIC', '-fvisibility=hidden', '-fno-exceptions', '-fno-rtti', '-w',
           '-fsanitize=bounds', '-fsanitize-undefined-trap-on-error', '-DNUM_CHIPS=1', '-DNUM_MMIO_CHIPS=1']
# Of our file: where the border's headers are, whose functions tandem has to find.
BORDER = [f'-I{ROOT / path}' for path in ('harness/include', 'examples/targets/c')] + ['-fvisibility=default']



def build(source, chip, out):
    """Builds the library for a chip, and returns what tandem takes for its --target. What is built already from the same files is
    kept. It stops with 2 if the source is not one of ttsim, 4 without a compiler, and 5 if that fails."""
    source, out = pathlib.Path(source).resolve(), pathlib.Path(out).resolve()
    compiler = compiler_for('ttsim', source, NEEDED)
    short, version = CHIPS[chip]
    copy, made = out / f'copy-{short}', out / f'made-{short}'
    for name in ('src', 'data'):
        shutil.copytree(source / name, copy / name, dirs_exist_ok=True)
    (copy / 'src' / '_out').mkdir(exist_ok=True)
    made.mkdir(parents=True, exist_ok=True)
    folder = copy / 'src'
    run([sys.executable, 'riscv_gen_decode.py'], folder)
    shutil.copy(folder / '_out' / 'riscv_decode.h', made)
    (folder / '_out' / short).mkdir(exist_ok=True)
    for kind in ('tensix_decode', 'tensix_regs', 'tile_regs'):
        script = kind.replace('_', '_gen_', 1) + '.py'
        run([sys.executable, script, '--chip', short, '--out', f'_out/{short}/{kind}.h'], folder)
    blob = copy / 'data' / short / 'eth_fw.bin'
    if blob.is_file():
        run([sys.executable, 'gen_fw_blob.py', '--bin', str(blob), '--out', f'_out/{short}/eth_fw_blob.h'], folder)
    options = OPTIONS + [f'-DTT_ARCH_VERSION={version}', f'-I{folder}', f'-I{folder / "_out" / short}']
    objects = []
    for path in [folder / name for name in SOURCES] + [HERE / 'adapter.cpp']:
        target = made / (path.stem + '.o')
        ours = BORDER if path.parent == HERE else []
        if ours or not target.is_file() or target.stat().st_mtime < path.stat().st_mtime:
            run([compiler, *options, *ours, '-o', str(target), '-c', str(path)], folder)
        objects.append(str(target))
    library = out / f'ttsim-{chip}.so'
    run([compiler, '-shared', '-Wl,-Bsymbolic', '-Wl,--no-undefined', *objects, '-o', str(library)], folder)
    return f'lib:{library}'
