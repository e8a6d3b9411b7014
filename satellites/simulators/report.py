"""The report on public simulators: what a run leaves as a small matrix that is committed, causes, and the history of versions."""
import json
import os
import pathlib

from stop import Stop

HERE = pathlib.Path(__file__).resolve().parent
VERDICTS = ['theirs', 'the page\'s', 'ours', 'open']
HEAD = ['simulator', 'version', 'commit', 'date', 'repository', 'seed', 'tandem']
# What every row of a committed matrix has; where no case was run the first three are all.
ROW = {'chip': str, 'instruction': str, 'state': str, 'cases': list, 'narrowed': int, 'modes': list, 'disputes': list,
       'findings': list}
FINDING = {'place': str, 'kind': str, 'cases': int, 'case': str, 'differs': list}


def share(row):
    """Percent answered of the cases that were drawn once it was found out what is answered."""
    foretold = row['cases'].get('foretold')
    if not foretold or not any(foretold.values()):  # there was nothing to find out
        return 100 * row['cases']['answered'] / max(1, row['cases']['asked'])
    return 100 * foretold['answered'] / max(1, foretold['answered'] + foretold['unexplained'] + foretold['contradicted'])


# ---- matrices that are committed: a line a row -----------------------------------------------------------------------------

def stored_test(out, finding):
    """The id of the test in the file of a finding's smallest case; that of the first case if there is no such file."""
    path = out / (finding.get('case') or '')
    return json.loads(path.read_text())['groups'][0]['tests'][0]['id'] if path.is_file() else finding['first']


def compact_row(row, out):
    """What the report needs of one instruction: `cases` are asked and answered, `modes` passed, answered and specified."""
    made = {key: row[key] for key in ('chip', 'instruction', 'state')}
    if 'cases' not in row:
        return {**made, **({'refused': row['message']} if 'message' in row else {})}
    findings = [{
        'place': one['place'], 'kind': one['kind'], 'cases': one['cases'], 'case': stored_test(out, one),
        'text': one.get('text') or '',
        'differs': [f'{of["place"]}: expected {of["expected"]}, got {of["got"]}'[:160] for of in one['differences'][:2]],
    } for one in row['findings']]
    return {**made, 'cases': [row['cases'][key] for key in ('asked', 'answered')], 'narrowed': round(share(row)),
            'modes': [row['modes'][key] for key in ('passed', 'answered', 'specified')], 'disputes': row['disputes'],
            'findings': findings, **({'refused': row['refusals'][0]['message']} if row['refusals'] else {})}


def compact(matrix, out, before):
    """A matrix of a run as it is committed. Rows that the run has not are those of `before`, the last of that version."""
    rows = {(row['chip'], row['instruction']): row for row in (before or {'rows': []})['rows']}
    rows.update({(row['chip'], row['instruction']): compact_row(row, out) for row in matrix['rows']})
    return {**{key: matrix.get(key) for key in HEAD}, 'rows': list(rows.values())}


def text_of(matrix):
    """The file of a matrix: a line a row, without its empty lists."""
    head = json.dumps({key: matrix[key] for key in HEAD}, indent=1)[:-2]
    rows = [json.dumps({key: of for key, of in row.items() if of != []}, separators=(',', ':')) for row in matrix['rows']]
    return f'{head},\n "rows": [\n' + ',\n'.join(rows) + '\n]}\n'


def read(path):
    """A committed matrix. It stops with 2 if that is none."""
    try:
        matrix = json.loads(path.read_text())
        missing = [key for key in HEAD if key not in matrix]
        if missing or not isinstance(matrix['simulator'], str) or not isinstance(matrix['commit'], str):
            raise ValueError(f'it has no {missing[0] if missing else "simulator and commit as texts"}')
        for row in matrix['rows']:
            if 'cases' in row:
                row.update({key: row.get(key, []) for key in ('disputes', 'findings')})
            shapes = [(row, ROW if 'cases' in row else {key: str for key in list(ROW)[:3]})]
            for of, shape in shapes + [(one, FINDING) for one in row.get('findings', [])]:
                wrong = [key for key, kind in shape.items() if not isinstance(of.get(key), kind)]
                if wrong or len(row.get('cases', [0, 0])) != 2 or len(row.get('modes', [0, 0, 0])) != 3:
                    raise ValueError(f'a row is wrong at {(wrong or ["cases or modes"])[0]}')
        return matrix
    except (OSError, ValueError, TypeError, AttributeError, KeyError) as error:
        raise Stop(f'{path} is no matrix of a simulator: {str(error) or type(error).__name__}', 2) from error


def version_of(matrix):
    return matrix['version'] or matrix['commit'][:8]


# ---- causes --------------------------------------------------------------------------------------------------------------

def causes_of(name, folder=HERE / 'causes'):
    """The causes that were found, from causes/NAME.toml."""
    path = folder / f'{name}.toml'
    try:
        import tomllib  # since Python 3.11; only the report needs it
        causes = tomllib.loads(path.read_text())['cause'] if path.is_file() else []
    except (ImportError, ValueError, KeyError) as error:
        raise Stop(f'{path} cannot be read: {error}', 2) from error
    for cause in causes:
        if cause.get('verdict') not in VERDICTS or not all(cause.get(key) for key in ('instructions', 'page', 'case')):
            raise Stop(f'{path}: a cause has no verdict of {", ".join(VERDICTS)}, no instructions, no page, or no case', 2)
        is_file = cause['case'].endswith('.json') and (folder / cause['case']).is_file()
        cause['stored'] = json.loads((folder / cause['case']).read_text()) if is_file else None
    return causes


def explains(cause, row, finding):
    """Whether a cause is that of a finding: by chip, instruction and, if it says so, place and kind."""
    return (row['chip'] in cause['chips'] and row['instruction'] in cause['instructions']
            and finding['place'] in cause.get('places', [finding['place']])
            and finding['kind'] in cause.get('kinds', [finding['kind']]))


def numbers_of(causes, row, finding):
    """The numbers, from 1, of the causes of a finding."""
    return [number for number, cause in enumerate(causes, 1) if explains(cause, row, finding)]


def unread(causes, matrix):
    """The findings without a cause, with their rows."""
    return [(row, one) for row in matrix['rows'] for one in row.get('findings', []) if not numbers_of(causes, row, one)]


# ---- history ---------------------------------------------------------------------------------------------------------------

def shown(causes, rows):
    """What findings of rows go back to: titles of causes, and each finding that has none."""
    found = set()
    for row in rows:
        for one in row.get('findings', []):
            titles = [causes[number - 1]['title'] for number in numbers_of(causes, row, one)]
            found.update(titles or [f'{row["chip"]}/{row["instruction"]} {one["place"]} {one["kind"]}, without a cause'])
    return found


def summary(matrix, causes):
    """A row of the history: counts of one version."""
    run = [row for row in matrix['rows'] if 'cases' in row]
    answering = [row for row in run if row['cases'][1]]
    titles = shown(causes, run)
    of = [cause['verdict'] for cause in causes if cause['title'] in titles]
    verdicts = [*((verdict, of.count(verdict)) for verdict in VERDICTS), ('without a cause', len(unread(causes, matrix)))]
    return {
        'version': version_of(matrix), 'commit': matrix['commit'][:8], 'date': matrix['date'] or '',
        'tandem': matrix['tandem'] or '', 'instructions': len(matrix['rows']), 'answering': len(answering),
        'clean': sum(not row['findings'] for row in answering),
        'asked': sum(row['cases'][0] for row in run), 'answered': sum(row['cases'][1] for row in run),
        'passed': sum(row['modes'][0] for row in run), 'specified': sum(row['modes'][2] for row in run),
        'findings': sum(len(row['findings']) for row in run),
        'causes': ', '.join(f'{number} {verdict}' for verdict, number in verdicts if number) or 'none',
    }


def change(before, after, causes):
    """What came and went between two versions of a simulator, in the instructions that both answered."""
    answered = [{(row['chip'], row['instruction']): row for row in matrix['rows'] if row.get('cases', [0, 0])[1]}
                for matrix in (before, after)]
    both = [key for key in answered[0] if key in answered[1]]
    old, new = (shown(causes, [rows[key] for key in both]) for rows in answered)
    told = [f'{what}: {"; ".join(sorted(of))}' for what, of in (('gone', old - new), ('new', new - old)) if of]
    return f'{version_of(before)} to {version_of(after)}, {len(both)} rows of both: {". ".join(told) or "the same causes"}.'


# ---- the report in Markdown --------------------------------------------------------------------------------------------------

def chips(matrix):
    return sorted({row['chip'] for row in matrix['rows']})


def of_chip(of):
    """Two lines on a chip, of its `summary`."""
    counts = f'{of["instructions"]} instructions, {of["answering"]} answered in part or whole, {of["clean"]} of these'
    return [f'{counts} without a finding;', f'{of["answered"]:,} of {of["asked"]:,} cases answered, '
            f'{of["passed"]:,} of {of["specified"]:,} specified modes passed.']


def plain(text):
    return text.replace('|', '/')


def conflict_line(one):
    return (f'- {one["chip"]}/{one["instruction"]}, {one["place"]} {one["kind"]}: {" and ".join(one["simulators"])} agree on '
            f'case `{one["case"]}` ({one["text"]}; {one["differs"]}) against page {one["page"]}. Verdict: '
            f'{one["verdict"] or "read by nobody yet"}.')


def markdown(everything, conflicts):
    lines = ['# Public simulators against the pages', '',
             'Made by `satellites/simulators/simulators.py report` from the matrices in `reports/simulators` and from',
             '`satellites/simulators/causes`. A difference is no verdict: each cause says whose it is, and on what evidence.', '']
    for one in everything:
        lines += section(*one)
    lines += ['## Where simulators agree against the pages', '', *map(conflict_line, conflicts)] if conflicts else []
    return '\n'.join(lines).rstrip() + '\n'


def section(name, versions, causes):
    matrix, history = versions[-1], [summary(one, causes) for one in versions]
    lines = [f'## {name} {matrix["version"] or ""}'.rstrip(), '',
             f'Commit `{matrix["commit"]}` of {matrix["repository"]}, seed {matrix["seed"]}. A case is *answered* if the',
             'simulator executes it, or stalls; *narrowed* is the share of the cases that were drawn once it was known what is',
             'answered. A finding is a difference between the page and the answer, and its number that of its cause below.', '',
             '### Versions', '',
             '| version | commit | date | rows | cases answered | rows without a finding | findings | causes |',
             '|---|---|---|---|---|---|---|---|']
    lines += [f'| {one["version"]} | `{one["commit"]}` | {one["date"]} | {one["instructions"]} | '
              f'{one["answered"]:,} of {one["asked"]:,} | {one["clean"]} of {one["answering"]} | {one["findings"]} | '
              f'{one["causes"]} |' for one in history] + ['']
    lines += [line for pair in zip(versions, versions[1:]) for line in (change(*pair, causes), '')]
    for chip in chips(matrix):
        rows = [row for row in matrix['rows'] if row['chip'] == chip]
        of = summary({**matrix, 'rows': rows}, causes)
        lines += [f'### {chip}', '',
                  *of_chip(of), '',
                  '| instruction | asked | answered | narrowed | modes passed / answered / specified | disputes | findings | '
                  'refused most often |', '|---|---|---|---|---|---|---|---|']
        for row in rows:
            if 'cases' not in row:
                told = f'{row["state"]} {plain(row.get("refused", ""))}'.rstrip()
                lines.append(f'| {row["instruction"]} | | | | | | | {told} |')
                continue
            numbers = {str(number) for one in row['findings'] for number in numbers_of(causes, row, one) or ['?']}
            narrowed = f'{row["narrowed"]} %' if row['cases'][1] else ''
            lines.append(f'| {row["instruction"]} | {row["cases"][0]:,} | {row["cases"][1]:,} | {narrowed} | '
                         f'{" / ".join(map(str, row["modes"]))} | {", ".join(row["disputes"])} | {", ".join(sorted(numbers))} | '
                         f'{plain(row.get("refused", ""))} |')
        lines.append('')
    lines += ['### Causes', '']
    for number, cause in enumerate(causes, 1):
        lines += [f'{number}. **{cause["title"]}** ({cause["verdict"]}). {", ".join(cause["chips"])}: '
                  f'{", ".join(cause["instructions"])}. {cause["text"]}',
                  f'   Page: {cause["page"]}. Smallest case: `{cause["case"]}`.'
                  + (f' {cause["known"]}' if cause.get('known') else '')]
    left = sorted({f'{row["chip"]}/{row["instruction"]} {one["place"]} {one["kind"]}' for row, one in unread(causes, matrix)})
    return lines + ([''] if causes else []) + ([f'Findings without a cause: {", ".join(left)}.', ''] if left else [])


# ---- files -----------------------------------------------------------------------------------------------------------------

def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f'{path.name}.part')
    beside.write_text(text)
    os.replace(beside, path)
    print(path)


def update(runs, out, folder):
    """Takes what runs say, by the name of the simulator, into the committed matrices of `folder`."""
    for name, run in runs.items():
        path = folder / f'{name}-{version_of(run)}.json'
        write(path, text_of(compact(run, out, read(path) if path.is_file() else None)))


def known(folder, names):
    """For each simulator that has one its name, its committed matrices from the oldest to the newest version, and its causes."""
    matrices = [read(path) for path in sorted(folder.glob('*.json'))]
    of = {name: [one for one in matrices if one['simulator'] == name] for name in names}
    return [(name, sorted(versions, key=lambda one: (one['date'] or '', version_of(one))), causes_of(name))
            for name, versions in of.items() if versions]
