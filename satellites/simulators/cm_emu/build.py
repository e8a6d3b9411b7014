"""Builds tandem's adapter to cm-cpu-emulation: adapter.cpp with their headers, once for each machine, and the border."""
import pathlib

from compiling import compiler_for, run

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
SOURCES = ['libcm/cm_internal.cpp', 'common/emu_log.cpp', 'common/emu_cfg.cpp', 'common/emu_utils.cpp']
NEEDED = ['libcm/cm.h', 'libcm/cm_intrin.h', 'libcm/cm_vm.h', *SOURCES]
FOLDERS = ['libcm', 'libcm/private', 'common', 'common/linux']
OPTIONS = ['-std=gnu++17', '-O1', '-w', '-fPIC', '-ffunction-sections', '-DCMRT_EMU']
# Channels of a machine, and the platform that their headers know by it. Each is a library of its own: their templates have the
# same names for all platforms.
MACHINES = {8: ['-DCM_GENX=1270'], 16: ['-DCM_GENX=1280', '-DCM_XEHPC']}
LINK = ['-shared', '-Wl,-Bsymbolic', '-Wl,--gc-sections', '-Wl,--no-undefined']



def build(source, chip, out):
    """Builds the library, and returns what tandem takes for its --target; a machine that is newer than its sources is kept. It
    stops with 2 if the source is not one of cm-cpu-emulation, 4 without a compiler, and 5 if that fails."""
    source, out = pathlib.Path(source).resolve(), pathlib.Path(out).resolve()
    compiler, ours = compiler_for('cm-cpu-emulation', source, NEEDED), HERE / 'adapter.cpp'
    out.mkdir(parents=True, exist_ok=True)
    theirs = [f'-I{source / folder}' for folder in FOLDERS]
    machines = []
    for channels, platform in MACHINES.items():
        machine, files = out / f'libcm-emu-{channels}.so', [source / name for name in SOURCES] + [ours]
        if not machine.is_file() or machine.stat().st_mtime < max(path.stat().st_mtime for path in files):
            run([compiler, *OPTIONS, '-fvisibility=hidden', f'-DCHANNELS={channels}', *platform, *theirs, *LINK,
                 '-o', str(machine), *map(str, files)])
        machines.append(str(machine))
    library = out / f'cm-emu-{chip}.so'
    border = [f'-I{ROOT / path}' for path in ('harness/include', 'examples/targets/c')]
    run([compiler, *OPTIONS, *border, *LINK, '-Wl,-rpath,$ORIGIN', '-o', str(library), str(ours), *machines])
    return f'lib:{library}'
