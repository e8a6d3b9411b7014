"""What the builds of adapters in C++ have in common."""
import os
import shutil
import subprocess

from stop import Stop


def compiler_for(name, source, needed):
    """The C++ compiler, for the sources of a simulator in a folder. It stops with 2 if one is missing, and 4 without a compiler."""
    for path in needed:
        if not (source / path).is_file():
            raise Stop(f'{source} is no source of {name}: it has no {path}', 2)
    compiler = os.environ.get('CXX', 'c++')
    if shutil.which(compiler) is None:
        raise Stop(f'no C++ compiler: {compiler} is not found; install g++, or name one with CXX', 4)
    return compiler


def run(command, folder=None):
    """Runs a step of a build, and stops with 5 and the first error if it fails."""
    done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode != 0:
        lines = done.stdout.splitlines()
        error = [line for line in lines if 'error' in line or 'undefined' in line] or lines[-1:] or ['no output']
        raise Stop(f'{command[0]} of {command[-1]} failed: {error[0]}', 5)
