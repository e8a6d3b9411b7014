"""Where two independent simulators answer a case alike, and otherwise than the pages say: a conflict, for somebody to read."""
import fnmatch
import hashlib
import json
import pathlib
import re
import subprocess
import tempfile

import report
from stop import Stop

KEYS = ['chip', 'instruction', 'place', 'kind', 'simulators', 'case', 'text', 'page', 'differs', 'verdict']


def retargeted(text, name, target):
    """A stored finding as one of another target: the same tests, and the digest that belongs to that."""
    head = json.dumps({'target': name})[1:-1]
    text = re.sub(r'"finding": \{"target": "[^"]*"', lambda _: f'"finding": {{{head}', text, count=1)
    options = json.dumps(['--target', target], separators=(',', ':'))
    text = re.sub(r'"options": \[[^]]*\]', lambda _: f'"options": {options}', text, count=1)
    text = re.sub(r'"digest": "[0-9a-f]*"', '"digest": ""', text, count=1)
    return text.replace('"digest": ""', f'"digest": "{hashlib.sha256(text.encode()).hexdigest()}"', 1)


def ask(tandem, out, case, run, chip):
    """Where a simulator differs from the reference on a stored case, and what it gave there; nothing if it agrees, or refuses."""
    target, name = run['targets'][chip], run['target']
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / 'case.json'
        path.write_text(retargeted((out / case).read_text(), name, target))
        command = [tandem, 'vectors', 'check', str(path), '--target', target, '--timeout', '60', '--json', '--quiet']
        try:
            done = subprocess.run(command, cwd=out, capture_output=True, text=True, check=False)
        except OSError as error:
            raise Stop(f'{tandem} cannot be run: {error.strerror}', 6) from error
    try:
        stored = json.loads(done.stdout)['stored'][0]
    except (ValueError, LookupError) as error:
        raise Stop(f'{case} cannot be tried on {name}: {(done.stderr.strip().splitlines() or ["no output"])[-1]}', 6) from error
    if stored['verdict'] in ('not loaded', 'stale'):
        raise Stop(f'{case} cannot be tried on {name}: {stored["why"]}', 6)
    return sorted(line for line in stored['differences'] if not line.startswith(' '))


def connected(run, chip):
    return bool(run.get('target')) and chip in run.get('targets', {})


def can_say(run, row):
    """Whether a run has the instruction of a row of another one."""
    return connected(run, row['chip']) and any((one['chip'], one['instruction']) == (row['chip'], row['instruction'])
                                               for one in run['rows'])


def witness(name, instruction, ports):
    """Whose word it is what a simulator says of an instruction: its own, or that of the simulator it is ported from there."""
    port = ports.get(name)
    ported = port and any(fnmatch.fnmatch(instruction, pattern) for pattern in port['instructions'])
    return witness(port['of'], instruction, ports) if ported else name


def find(runs, ask_one, ports):
    """The conflicts among runs: for each finding of one, who gives the same bits. `ask_one(case, name, chip)` says what."""
    found = {}
    for name, run in runs.items():
        for row in run['rows']:
            others = [one for one in runs if one != name and can_say(runs[one], row)]
            for one in row.get('findings', []):
                key = (row['chip'], row['instruction'], one['place'], one['kind'])
                if not one.get('case') or not others or key in found:
                    continue
                got = ask_one(one['case'], name, row['chip'])
                alike = [name] + [of for of in others if got and ask_one(one['case'], of, row['chip']) == got]
                if len({witness(of, row['instruction'], ports) for of in alike}) > 1:
                    found[key] = (one, alike, got)
    return found


def read(path):
    try:
        import tomllib
        conflicts = tomllib.loads(path.read_text()).get('conflict', []) if path.is_file() else []
    except (ImportError, ValueError) as error:
        raise Stop(f'{path} cannot be read: {error}', 2) from error
    if any(set(one) != set(KEYS) for one in conflicts):
        raise Stop(f'{path}: a conflict has not the keys {", ".join(KEYS)}', 2)
    return conflicts


def verdict(conflict, causes):
    """Whose it is, and why, by the causes of any of the simulators that agree; empty if the finding has none."""
    names = [one.split(' ')[0] for one in conflict['simulators']]
    read = [cause for name in names for cause in causes.get(name, []) if report.explains(cause, conflict, conflict)]
    exact = [cause for cause in read if cause['stored'] and cause['stored']['groups'][0]['tests'][0]['id'] == conflict['case']]
    return '; or '.join(f'{cause["verdict"]}: {cause["title"]}' for cause in exact or read)


def update(tandem, out, folder, runs, everything, ports):
    """Looks for conflicts in the instructions that more than one run has, and writes those and the others that still hold."""
    path = folder / 'conflicts.toml'
    versions = {name: f'{name} {report.version_of(of[-1])}' for name, of, _ in everything}
    causes = {name: of for name, _, of in everything}
    here = {one['case'] for _, of, _ in everything for row in of[-1]['rows'] for one in row.get('findings', [])}
    ran = [{(row['chip'], row['instruction']) for row in run['rows']
            if connected(run, row['chip']) and 'cases' in row} for run in runs.values()]
    tried = {key for key in set().union(*ran) if sum(key in one for one in ran) > 1}
    some = {name: {**run, 'rows': [row for row in run['rows'] if (row['chip'], row['instruction']) in tried & of]}
            for (name, run), of in zip(runs.items(), ran)}
    conflicts = [one for one in read(path) if one['case'] in here and (one['chip'], one['instruction']) not in tried]
    found = find(some, lambda case, name, chip: ask(tandem, out, case, runs[name], chip), ports)
    for (chip, instruction, place, kind), (finding, alike, got) in found.items():
        stored = json.loads((out / finding['case']).read_text())
        of = stored['pages'][-1]
        conflicts.append({
            'chip': chip, 'instruction': instruction, 'place': place, 'kind': kind,
            'simulators': [versions[name] for name in alike], 'case': stored['groups'][0]['tests'][0]['id'],
            'text': finding.get('text') or '',
            'page': f'{of["title"].split(" ")[0]} at {of["commit"][:8]}', 'differs': got[0]})
        kept = folder / 'cases' / f'{conflicts[-1]["case"]}.json'
        report.write(kept, retargeted((out / finding['case']).read_text(), alike[0], 'SPEC'))
    conflicts.sort(key=lambda one: [one[key] for key in KEYS[:4]])
    lines = ['# Made by `satellites/simulators/simulators.py report`: where simulators that are no ports of each other give the',
             '# same bits, against the page. `case` lies in `cases`; `verdict` is that of the cause in',
             '# `satellites/simulators/causes`, and empty while nobody has read the conflict: then `tandem errata` raises it.']
    for one in conflicts:
        one['verdict'] = verdict(one, causes)
        lines += ['', '[[conflict]]', *(f'{key} = {json.dumps(one[key])}' for key in KEYS)]
    report.write(path, '\n'.join(lines) + '\n')
    for kept in (folder / 'cases').glob('*.json'):
        if kept.stem not in [one['case'] for one in conflicts]:
            kept.unlink()
    return conflicts
