#!/usr/bin/env python3
"""Runs tandem against public simulators, and writes what came of it.

    simulators.py ttsim [--source DIR] [--chip tensix-bh|tensix-wh] [--instruction NAME…] [--out DIR] [--tandem PATH]
    simulators.py report            makes reports/simulators.md of matrices and causes
    simulators.py --self-check      tries this program on a small target with a known mistake

The first clones the pinned commit of the simulator, or takes --source, builds the adapter that lies in a folder of its
own beside this file, runs `tandem fuzz` for each instruction, and writes DIR/SIMULATOR.json. Exit codes: 0 the matrix is
written, whatever it says; 2 the command line is wrong, or the source; 3 there is no source and no network; 4 no compiler;
5 the adapter cannot be built; 6 tandem cannot be run, or a self-check failed.
"""
import argparse
import importlib.util
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from stop import Stop

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# What a simulator refuses to hold in any case: held at 0, so that cases are about what it answers. * stands for any index.
TTSIM_HOLD = [
    'Config[*].DEST_REGW_BASE_Base', 'Config[*].DEST_SP_BASE_Base', 'Config[*].ALU_FORMAT_SPEC_REG_SrcB_override',
    'Config[*].ALU_FORMAT_SPEC_REG_Dstacc_override', 'Config.DEST_ACCESS_CFG_remap_addrs', 'Config.DEST_ACCESS_CFG_swizzle_32b',
    'ThreadConfig[*].FP16A_FORCE_Enable', 'ThreadConfig[*].FIDELITY_BASE_Phase', 'ThreadConfig[*].SFPU_STACK_Incr',
    'ThreadConfig[*].SFPU_DEST_FMT_Enable', 'ThreadConfig[*].SFPU_DEST_FMT_Base', 'ThreadConfig[*].SRCA_SET_Base',
    'ThreadConfig[*].SRCA_SET_SetOvrdWithAddr', 'ThreadConfig[*].SRCB_SET_Base', 'RWCs[*].Sp', 'Unpackers[*].SrcRow[*]',
    'WaitGate[*].LatchedWaitInstruction.Opcode', 'WaitGate[*].LatchedWaitInstruction.ConditionMask',
    'WaitGate[*].LatchedWaitInstruction.BlockMask', 'WaitGate[*].LatchedWaitInstruction.SemaphoreMask',
    'LaneConfig[*].ENABLE_FP16A_INF', 'LaneConfig[*].DISABLE_BACKDOOR_LOAD', 'LaneConfig[*].CAPTURE_DEFAULT_DEST_INDEX',
    'LaneConfig[*].BLOCK_DEST_WR_FROM_SFPU', 'LaneConfig[*].BLOCK_SFPU_RD_FROM_DEST', 'LaneConfig[*].DEST_RD_COL_EXCHANGE',
    'LaneConfig[*].DEST_WR_COL_EXCHANGE', 'LaneConfig[*].BLOCK_DEST_MOV', 'LaneConfig[*].ROW_MASK',
    'LaneConfig[*].Reserved11', 'LaneConfig[*].Reserved16',
]

# What ttsim has once for all lanes: off in all, or on in all.
TTSIM_OFF = {'UseLaneFlagsForLaneEnable': 0, 'LaneConfig[*].ENABLE_DEST_INDEX': 0, 'LaneConfig[*].EXCHANGE_SRCB_SRCC': 0}
TTSIM_ON = {**TTSIM_OFF, 'UseLaneFlagsForLaneEnable': 0xffffffff}
TTSIM_OTHERWISE = {'LaneConfig[*].ENABLE_DEST_INDEX': 1, 'LaneConfig[*].EXCHANGE_SRCB_SRCC': 1}
# It takes rows in blocks, whatever the sums, and refuses some ways to move the counter of Dst: now the code says which row, and
# now the counter.
TTSIM_ROWS = [
    {'RWCs[*].SrcA': 0, 'RWCs[*].SrcB': 0, 'DstRow': 0, 'Move8Rows': 1, 'ThreadConfig[*].ADDR_MOD_DST_SEC[*].DestCToCR': 0},
    {'SrcRow': 0, 'SrcARow': 0, 'SrcBRow': 0, 'RWCs[*].Dst': 0, 'ThreadConfig[*].DEST_TARGET_REG_CFG_MATH_Offset': 0, 'Move8Rows': 1,
     'ThreadConfig[*].ADDR_MOD_DST_SEC[*].DestClear': 0, 'ThreadConfig[*].ADDR_MOD_DST_SEC[*].DestCR': 0},
]
TTSIM_NAMED = {'Config[*].Word*Bits*to*': 0, 'Config.Word*Bits*to*': 0, 'ThreadConfig[*].Word*Bits*to*': 0}

# tt-sim has no stack pointer.
TT_SIM_HOLD = ['RWCs[*].Sp']

# A simulator has a folder with a build.py, whose build(source, chip, out) returns what `tandem --target` takes, or raises Stop. `reasons` names the variable of the environment that says where its adapter counts
# refusals, as lines of a number, a tab and a message. `options` are given to tandem. An instruction whose name begins as one of `variants` does is run with
# each of these sets of held fields: what the simulator has once for all lanes is 0 in all, or 1 in all.
SIMULATORS = {
    'ttsim': {
        'folder': 'ttsim',
        'repository': 'https://github.com/tenstorrent/ttsim',
        'commit': '56694c8a',
        'version': '1.10.0',
        'chips': ['tensix-bh', 'tensix-wh'],
        'hold': TTSIM_HOLD,
        'variants': [('SETC16', [TTSIM_NAMED]), ('WRCFG', [TTSIM_NAMED]), ('RMWCIB', [TTSIM_NAMED]), ('RDCFG', [TTSIM_NAMED]),
                     ('MOV', TTSIM_ROWS), ('MVMUL', TTSIM_ROWS), ('GAPOOL', TTSIM_ROWS),
                     ('ELW', TTSIM_ROWS), ('GMPOOL', TTSIM_ROWS), ('SFPSWAP', [TTSIM_OFF, TTSIM_ON, {**TTSIM_ON, **TTSIM_OTHERWISE}]), ('SFP', [TTSIM_OFF, TTSIM_ON])],
        'reasons': 'TTSIM_REASONS',
    },
    'tt-sim': {
        'folder': 'tt_sim',
        'repository': 'https://github.com/mesham/tt-sim',
        'commit': '8b031a64614dbbe63e19f09cc4e59d37eb8f4664',
        'version': None,
        'chips': ['tensix-bh', 'tensix-wh'],
        'hold': TT_SIM_HOLD,
        'reasons': 'TT_SIM_REASONS',
        'cases': 4000,  # half a millisecond each: a matrix takes eleven minutes of one core; with more, more modes are decided
        'most_cases': 4000,
        'options': ['--timeout', '60', '--no-vectors'],  # it takes a second to start; recorded programs have findings of every step
    },
}


def run(command, **options):
    try:
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **options)
    except OSError as error:
        raise Stop(f'{command[0]} cannot be run: {error.strerror}', 6) from error


def fetch(simulator, folder):
    """The pinned commit of a simulator, from the network."""
    if shutil.which('git') is None:
        raise Stop('there is no git to clone with: give a folder with --source', 3)
    if not (folder / '.git').is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        environment = dict(os.environ, GIT_TERMINAL_PROMPT='0')
        done = run(['git', 'clone', '--quiet', simulator['repository'], str(folder)], env=environment)
        if done.returncode != 0:
            shutil.rmtree(folder, ignore_errors=True)
            reason = (done.stderr.strip().splitlines() or ['no reason given'])[-1]
            raise Stop(f'{simulator["repository"]} cannot be cloned ({reason}): give a folder with --source', 3)
    done = run(['git', '-C', str(folder), 'checkout', '--quiet', simulator['commit']])
    if done.returncode != 0:
        raise Stop(f'{simulator["repository"]} has no commit {simulator["commit"]}', 3)
    return folder


def build_module(simulator):
    path = HERE / simulator['folder'] / 'build.py'
    loader = importlib.util.spec_from_file_location(f'build_{simulator["folder"]}', path)
    module = importlib.util.module_from_spec(loader)
    loader.loader.exec_module(module)
    return module


def tandem_json(tandem, arguments, environment=None, folder=None):
    done = run([tandem, *arguments], env=environment, cwd=folder)
    try:
        return json.loads(done.stdout), done
    except json.JSONDecodeError:
        return None, done


def describe(tandem, chip):
    known, done = tandem_json(tandem, ['describe', chip, '--json'])
    if known is None:
        raise Stop(f'{tandem} describe {chip} failed: {done.stderr.strip()}', 6)
    return known


def held(patterns, known, instruction=None):
    """FIELD=VALUE for each field that a pattern names, of the state or of the instruction's code."""
    names = [name for field in known['fields'] for name in expand(field['name'])]
    names += [field['name'] for one in known['instructions'] if one['name'] == instruction for field in one['fields']]
    matches = [(re.compile(re.escape(pattern).replace(r'\*', '[0-9]+') + '$'), value) for pattern, value in patterns.items()]
    return [f'{name}={value}' for name in names for match, value in matches if match.match(name)]


def expand(name):
    """The fields that a name such as `RWCs[0..3].Dst` stands for."""
    found = re.search(r'\[0\.\.([0-9]+)\]', name)
    if not found:
        return [name]
    return [one for i in range(int(found.group(1))) for one in expand(name.replace(found.group(0), f'[{i}]', 1))]


def count_reasons(path):
    counts = {}
    for line in path.read_text().splitlines() if path.is_file() else []:
        number, _, text = line.partition('\t')
        counts[text] = counts.get(text, 0) + int(number)
    return [{'message': text, 'cases': number} for text, number in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def smallest(finding, number, out, kept):
    """Finding `number` of a run as the matrix has it, with its smallest case in a file that `tandem vectors check` runs again."""
    minimized = finding.get('minimized') or {}
    stored = [out / 'run' / 'findings' / f'{number:03}-{kind}.json' for kind in ('smallest', 'first')]
    case = next((path for path in stored if path.is_file()), None)
    if case:
        kept.parent.mkdir(exist_ok=True)
        shutil.copy(case, kept)
    return {
        'place': finding['signature']['place'],
        'kind': finding['signature']['kind'],
        'cases': finding['cases'],
        'first': finding['first'],
        'text': minimized.get('text'),
        'size': minimized.get('size'),
        'differences': [{key: one.get(key) for key in ('place', 'kind', 'before', 'expected', 'got')}
                        for one in minimized.get('differences', [])][:4],
        'page': [f'{one["page"]["title"].split(" ")[0]} at {one["page"]["commit"][:8]}, {one["place"]}'
                 for one in finding.get('citations', [])],
        'explanation': finding.get('explanation', []),
        'case': str(kept.relative_to(out)) if case else None,
    }


def run_fuzz(given, simulator, name, target, hold, out, cases):
    """One run of one instruction: its report, or None and the message, and its folder."""
    environment = dict(os.environ)
    if 'reasons' in simulator:
        environment[simulator['reasons']] = str(out / 'reasons.txt')
    shutil.rmtree(out / 'run', ignore_errors=True)
    arguments = ['fuzz', name, '--target', target, '--seed', str(given.seed), '--cases', str(cases), '--threads',
                 str(given.threads), '--out', 'run', '--json', '--quiet']
    arguments += ['--hold', ','.join(hold)] if hold else []
    arguments += [*simulator.get('options', []), *([] if given.causes else ['--no-causes'])]
    report, done = tandem_json(given.tandem, arguments, environment, out)
    return report, (done.stderr.strip().splitlines() or ['no output'])[-1].replace(str(out), 'OUT'), done.returncode


# What of two runs counts for a mode that both looked at: the one that stands first.
STATUSES = 'DPGBHUC'


def merge_statuses(one, other):
    return other if not one else ''.join(min(pair, key=STATUSES.find) for pair in zip(one, other))


def matrix_row(given, simulator, known, instruction, target, hold, out, cases):
    """One instruction of one chip: what was asked, answered, agreed and found, in all variants together."""
    (out / 'reasons.txt').unlink(missing_ok=True)
    name, row = f'{known["isa"]}/{instruction.lower()}', {'chip': known['isa'], 'instruction': instruction}
    variants = next((found for begins, found in simulator.get('variants', []) if instruction.startswith(begins)), [{}])
    total = {'run': 0, 'asked': 0, 'answered': 0}
    foretold, vectors, statuses, findings, rules, disputes, specified, offered = {}, {}, '', {}, [], [], 0, 0
    for variant in variants:
        report, message, code = run_fuzz(given, simulator, name, target, hold + held(variant, known, instruction), out, cases)
        if report is None and ('implement' in message or 'no instruction' in message):
            return {**row, 'state': 'not connected'}
        if report is None:
            return {**row, 'state': 'failed', 'exit': code, 'message': message}
        if not report['result']['units']:
            return {**row, 'state': 'not connected'}
        unit = report['result']['units'][0]
        total['run'] += cases
        total['asked'] += unit['answered'] + unit['refusals']
        total['answered'] += unit['answered']
        observed = unit.get('observed') or {}
        for key, number in (observed.get('foretold') or {}).items():
            foretold[key] = foretold.get(key, 0) + number
        rules += [rule for rule in observed.get('rules', []) if rule['when'] not in [one['when'] for one in rules]]
        statuses, specified = merge_statuses(statuses, unit['map']['statuses']), max(specified, unit['promised'])
        offered, disputes = max(offered, unit['offered']), unit.get('disputes') or disputes
        vectors = vectors or {key: (report['result'].get('vectors') or {}).get(key)
                              for key in ('tests', 'agreed', 'unsupported', 'divergent')}
        for number, finding in enumerate(report['result']['findings'], 1):
            of = (finding['signature']['place'], finding['signature']['kind'])
            if of in findings:
                findings[of]['cases'] += finding['cases']
            else:
                kept = out / 'cases' / f'{name.replace("/", "-")}-{len(findings) + 1}.json'
                findings[of] = smallest(finding, number, out, kept)
    count = {letter: statuses.count(letter) for letter in STATUSES}
    return {
        **row,
        'state': 'answered' if total['answered'] else 'refused',
        'cases': {**total, 'foretold': foretold},
        'modes': {'specified': specified, 'answered': max(offered, sum(count[letter] for letter in 'DPGB')), 'passed': count['G'] + count['B'],
                  'diverged': count['D'], 'disputed': count['P'], 'unsupported': count['U'], 'open': count['H'], 'undefined': count['C']},
        'disputes': disputes,
        'vectors': vectors,
        'findings': list(findings.values()),
        'refusals': count_reasons(out / 'reasons.txt')[:12],
        'rules': [{'when': rule['when'], 'reason': rule['reason']} for rule in rules],
    }


def share(row):
    """Percent answered of the cases that were drawn once it was found out what is answered."""
    foretold = row['cases'].get('foretold')
    if not foretold or not any(foretold.values()):  # there was nothing to find out
        return 100 * row['cases']['answered'] / max(1, row['cases']['asked'])
    return 100 * foretold['answered'] / max(1, foretold['answered'] + foretold['unexplained'] + foretold['contradicted'])


def enough(row):
    """Whether more cases would not find out more of what is answered."""
    return 'cases' not in row or share(row) >= 90


def one_line(row):
    name = f'{row["chip"]}/{row["instruction"].lower()}'
    if 'cases' not in row:
        return f'{name:36} {row["state"]} {row.get("message", "")}'
    modes = row['modes']
    return (f'{name:36} {share(row):3.0f} % of {row["cases"]["asked"]:6} answered; modes {modes["passed"]}/{modes["answered"]}/'
            f'{modes["specified"]}; {len(row["findings"])} findings')


def make_matrix(given, name, simulator):
    out = pathlib.Path(given.out or ROOT / 'target' / 'simulators').resolve()
    out.mkdir(parents=True, exist_ok=True)
    source = pathlib.Path(given.source).resolve() if given.source else fetch(simulator, out / f'{name}-source')
    chips = [given.chip] if given.chip else simulator['chips']
    if given.chip and given.chip not in simulator['chips']:
        raise Stop(f'{name} has no chip {given.chip}; it has {", ".join(simulator["chips"])}', 2)
    given.tandem = str(pathlib.Path(given.tandem).resolve()) if pathlib.Path(given.tandem).is_file() else given.tandem
    if not pathlib.Path(given.tandem).is_file() and shutil.which(given.tandem) is None:
        raise Stop(f'there is no program {given.tandem}: build it with `cargo build --release`, or name it with --tandem', 6)
    module, rows, kept = build_module(simulator), [], known_rows(out / f'{name}.json', simulator)
    for chip in chips:
        known = describe(given.tandem, chip)
        names = [instruction['name'] for instruction in known['instructions']]
        unknown = [one for one in given.instruction if one.upper() not in names]
        if unknown and len(chips) == 1:
            raise Stop(f'{chip} has no instruction {unknown[0]}', 2)
        # Stored cases name the target: as a path in the folder where tandem runs it is the same on every machine.
        target = module.build(source, chip, out / 'built').replace(f'{out}/', './')
        hold = held({pattern: 0 for pattern in simulator.get('hold', [])}, known)
        for instruction in names:
            if not given.instruction or instruction in [one.upper() for one in given.instruction]:
                least, most = given.cases or simulator.get('cases', 8000), given.most_cases or simulator.get('most_cases', 32000)
                for cases in (least, 4 * least, 16 * least):
                    row = matrix_row(given, simulator, known, instruction, target, hold, out, cases)
                    if enough(row) or cases >= most:
                        break
                rows.append(row)
                print(one_line(rows[-1]), flush=True)
                kept[chip, instruction] = rows[-1]
                write_matrix(out / f'{name}.json', name, simulator, given, kept)
    if not rows:
        raise Stop('no instruction was run', 2)
    shutil.rmtree(out / 'run', ignore_errors=True)
    return rows


def known_rows(path, simulator):
    """What is in the matrix already: of the same commit it stays, so some instructions can be run again."""
    try:
        matrix = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    same = matrix.get('commit') == simulator['commit']
    return {(row['chip'], row['instruction']): row for row in matrix['rows']} if same else {}


def write_matrix(path, name, simulator, given, kept):
    matrix = {'simulator': name, 'version': simulator.get('version'), 'repository': simulator['repository'],
              'commit': simulator['commit'], 'seed': given.seed, 'rows': list(kept.values())}
    beside = path.with_suffix('.part')
    beside.write_text(json.dumps(matrix, indent=1) + '\n')
    beside.replace(path)


# ---- the report: matrices and causes -----------------------------------------------------------------------------------

VERDICTS = ['theirs', 'the page\'s', 'ours', 'open']


def causes_of(name):
    """The causes that were found, from causes/NAME.toml."""
    path = HERE / 'causes' / f'{name}.toml'
    try:
        import tomllib  # since Python 3.11; only the report needs it
        causes = tomllib.loads(path.read_text())['cause'] if path.is_file() else []
    except (ImportError, ValueError, KeyError) as error:
        raise Stop(f'{path} cannot be read: {error}', 2) from error
    for cause in causes:
        if cause.get('verdict') not in VERDICTS or not cause.get('instructions') or not cause.get('page'):
            raise Stop(f'{path}: a cause has no verdict of {", ".join(VERDICTS)}, no instructions, or no page', 2)
    return causes


def explains(cause, row, finding):
    """Whether a cause is that of a finding: by chip, instruction and, if it says so, place and kind."""
    return (row['chip'] in cause['chips'] and row['instruction'] in cause['instructions']
            and finding['place'] in cause.get('places', [finding['place']])
            and finding['kind'] in cause.get('kinds', [finding['kind']]))


def report_of(name, matrix):
    causes = causes_of(name)
    lines = [f'## {name} {matrix.get("version") or ""}'.rstrip(), '',
             f'Commit `{matrix["commit"]}` of {matrix["repository"]}, seed {matrix["seed"]}. A case is *answered* if the',
             'simulator executes it, or stalls; *narrowed* is the share of the cases that were drawn once it was known what is',
             'answered. A finding is a difference between the page and the answer, and its number that of its cause below.', '']
    unexplained = []
    for chip in sorted({row['chip'] for row in matrix['rows']}):
        rows = [row for row in matrix['rows'] if row['chip'] == chip]
        run = [row for row in rows if 'cases' in row]
        answering = [row for row in run if row['cases']['answered']]
        clean = [row for row in answering if not row['findings']]
        lines += [f'### {chip}', '',
                  f'{len(rows)} instructions, {len(answering)} answered in part or whole, {len(clean)} of these without a finding;',
                  f'{sum(row["cases"]["answered"] for row in run):,} of {sum(row["cases"]["asked"] for row in run):,} cases answered, '
                  f'{sum(row["modes"]["passed"] for row in run):,} of {sum(row["modes"]["specified"] for row in run):,} specified modes passed.', '',
                  '| instruction | asked | answered | narrowed | modes passed / answered / specified | disputes | findings | refused most often |',
                  '|---|---|---|---|---|---|---|---|']
        for row in rows:
            if 'cases' not in row:
                lines.append(f'| {row["instruction"]} | | | | | | | {row["state"]} |')
                continue
            numbers = []
            for finding in row['findings']:
                found = [str(number) for number, cause in enumerate(causes, 1) if explains(cause, row, finding)]
                numbers += found or ['?']
                if not found:
                    unexplained.append(f'{chip}/{row["instruction"]} {finding["place"]} {finding["kind"]}')
            modes, refused = row['modes'], (row['refusals'] or [{'message': ''}])[0]['message']
            narrowed = f'{share(row):.0f} %' if row['cases']['answered'] else ''
            lines.append(f'| {row["instruction"]} | {row["cases"]["asked"]:,} | {row["cases"]["answered"]:,} | {narrowed} | '
                         f'{modes["passed"]} / {modes["answered"]} / {modes["specified"]} | {", ".join(row["disputes"])} | '
                         f'{", ".join(sorted(set(numbers)))} | {refused.replace("|", "/")} |')
        lines.append('')
    lines += ['### Causes', '']
    for number, cause in enumerate(causes, 1):
        lines += [f'{number}. **{cause["title"]}** ({cause["verdict"]}). {", ".join(cause["chips"])}: '
                  f'{", ".join(cause["instructions"])}. {cause["text"]}',
                  f'   Page: {cause["page"]}. Smallest case: `{cause["case"]}`.'
                  + (f' {cause["known"]}' if cause.get('known') else '')]
    if unexplained:
        lines += ['', 'Findings without a cause: ' + ', '.join(sorted(set(unexplained))) + '.']
    return lines


def make_report(given):
    folder = pathlib.Path(given.out or ROOT / 'target' / 'simulators')
    matrices = [(name, folder / f'{name}.json') for name in SIMULATORS]
    found = [(name, json.loads(path.read_text())) for name, path in matrices if path.is_file()]
    if not found:
        raise Stop(f'there is no matrix in {folder}: run `simulators.py {next(iter(SIMULATORS))}` first', 2)
    lines = ['# Public simulators against the pages', '',
             'Made by `satellites/simulators/simulators.py report` from the matrices of its runs and from',
             '`satellites/simulators/causes`. A difference is no verdict: each cause says whose it is, and on what evidence.', '']
    for name, matrix in found:
        lines += report_of(name, matrix)
    path = ROOT / 'reports' / 'simulators.md'
    path.write_text('\n'.join(lines).rstrip() + '\n')
    print(path)


# ---- a try of this program itself --------------------------------------------------------------------------------------

FAKE = {
    'folder': 'fake', 'repository': 'file:///nowhere/fake', 'commit': '0', 'chips': ['tensix-wh'],
    'variants': [('MOVA2D', [{'CurrentThread': 0}, {'CurrentThread': 1}])],
}


def self_check(given):
    """Runs the example target, whose one mistake is known, and commands that have to fail with a code of their own."""
    failed = []

    def expect(what, holds):
        print(f'{"ok  " if holds else "FAIL"} {what}', flush=True)
        failed.extend([] if holds else [what])

    with tempfile.TemporaryDirectory() as folder:
        for what, arguments, code, environment in [
                ('an unknown simulator', ['nosuch'], 2, {}),
                ('a folder that is no source', ['ttsim', '--source', folder], 2, {}),
                ('an unknown chip', ['ttsim', '--source', folder, '--chip', 'tensix-zz'], 2, {}),
                ('no source and no network', ['ttsim'], 3, {'GIT_ALLOW_PROTOCOL': 'none'}),
                ('no matrix to report', ['report'], 2, {})]:
            done = run([sys.executable, str(HERE / 'simulators.py'), *arguments, '--out', folder, '--tandem', given.tandem],
                       env=dict(os.environ, **environment))
            one = done.stderr.count('\n') == 1 and 'Traceback' not in done.stderr
            expect(f'{what}: one line and exit code {code}', done.returncode == code and one)
        build = build_module(SIMULATORS['ttsim'])
        for needed in build.NEEDED:
            (pathlib.Path(folder) / 'source' / needed).parent.mkdir(parents=True, exist_ok=True)
            (pathlib.Path(folder) / 'source' / needed).touch()
        done = run([sys.executable, str(HERE / 'simulators.py'), 'ttsim', '--source', f'{folder}/source', '--out', folder, '--tandem',
                    given.tandem], env=dict(os.environ, CXX=f'{folder}/no-compiler'))
        expect('no compiler: exit code 4', done.returncode == 4 and 'Traceback' not in done.stderr)
        given.out, given.source, given.chip, given.instruction = folder, folder, 'tensix-wh', ['MOVA2D', 'SETRWC']
        given.cases, given.most_cases = 12000, 12000
        rows = make_matrix(given, 'fake', FAKE)
        mova2d, setrwc = rows[0], rows[1]
        expect('the mistake of the example is the one finding',
               [(one['place'], one['kind']) for one in mova2d.get('findings', [])] == [('DstBits', 'value')])
        expect('its smallest case is kept', all((pathlib.Path(folder) / (one['case'] or 'none')).is_file() for one in mova2d['findings']))
        expect('both variants are counted', mova2d['cases']['run'] == 24000 and 0 < mova2d['cases']['answered'] < mova2d['cases']['asked'])
        expect('what the target has not is not connected', setrwc['state'] == 'not connected')
        expect('the cause of a finding is looked up by chip, instruction and place',
               explains({'chips': ['tensix-wh'], 'instructions': ['MOVA2D']}, mova2d, mova2d['findings'][0])
               and not explains({'chips': ['tensix-bh'], 'instructions': ['MOVA2D']}, mova2d, mova2d['findings'][0]))
    for name in SIMULATORS:
        expect(f'the causes of {name} can be read', isinstance(causes_of(name), list))
    if failed:
        raise Stop(f'{len(failed)} checks failed', 6)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split('\n\n', maxsplit=1)[0],
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('simulator', nargs='?', help=f'{", ".join(SIMULATORS)}, or report')
    parser.add_argument('--source', help='a folder with the sources of the simulator; without it they are cloned')
    parser.add_argument('--chip', help='only this chip: tensix-bh or tensix-wh')
    parser.add_argument('--instruction', nargs='+', default=[], help='only these instructions')
    parser.add_argument('--out', help='where results go (target/simulators)')
    parser.add_argument('--tandem', default=str(ROOT / 'target' / 'release' / 'tandem'), help='the program (target/release/tandem)')
    parser.add_argument('--cases', type=int, help='cases of an instruction (8000, or what the table says of the simulator)')
    parser.add_argument('--most-cases', type=int,
                        help='where less than 90 %% is answered, an instruction is run again with more, up to this many (32000, or as above)')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--threads', type=int, default=1)
    parser.add_argument('--causes', action='store_true', help='let tandem look for the causes of findings, which takes longer')
    parser.add_argument('--self-check', action='store_true', help='try this program on a target with a known mistake')
    return parser.parse_args(arguments)


def main(arguments):
    given = parse(arguments)
    try:
        if given.self_check:
            self_check(given)
            return 0
        if given.simulator == 'report':
            make_report(given)
            return 0
        if given.simulator not in SIMULATORS:
            raise Stop(f'no simulator {given.simulator}; there are {", ".join(SIMULATORS)}', 2)
        make_matrix(given, given.simulator, SIMULATORS[given.simulator])
    except Stop as stop:
        print(f'simulators.py: {stop}', file=sys.stderr)
        return stop.code
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
