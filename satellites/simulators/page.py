"""The report on public simulators as one page of HTML that needs no other file."""
import html as escaping
import pathlib
import re

import report

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The colours are those of `tandem fuzz`.
COLOURS = ROOT / 'harness' / 'src' / 'report' / 'html' / 'style.css'
STYLE = """
*, *::before, *::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 3rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 var(--sans); font-variant-numeric: tabular-nums; }
header, nav, main { max-width: 1600px; margin: 0 auto; padding-inline: clamp(12px, 3vw, 40px); }
nav { position: sticky; top: 0; z-index: 1; background: var(--paper); display: flex; gap: 0 1.2rem;
  overflow-x: auto; white-space: nowrap; padding-block: .45rem; font-size: .9rem; }
nav a { text-decoration: none; }
h1 { font-size: clamp(1.35rem, 1rem + 1.7vw, 1.95rem); font-weight: 650; line-height: 1.2; margin: 1.2rem 0 .3rem; }
h2 { font-size: 1.15rem; font-weight: 600; margin: 1.6rem 0 .4rem; padding-top: 1.1rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.05rem; font-weight: 600; margin: 1.4rem 0 .2rem; }
h4 { font-size: .95rem; font-weight: 600; margin: 0 0 .3rem; }
p { margin: .35rem 0; max-width: 90ch; overflow-wrap: anywhere; text-wrap: pretty; }
code, pre { font-family: var(--mono); font-size: .875em; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; background: var(--sunk); border-radius: 3px; padding: .45rem .7rem; margin: .3rem 0;
  line-height: 1.45; }
a { color: var(--link); text-underline-offset: .15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
summary { cursor: pointer; color: var(--link); font-size: .87rem; }
ul { margin: .3rem 0; padding-left: 1.15rem; font-size: .87rem; } li { overflow-wrap: anywhere; }
.quiet { color: var(--soft); font-size: .87rem; }
table { border-collapse: collapse; font-size: .87rem; width: 100%; margin: .5rem 0 .7rem; }
th { text-align: left; font-weight: 600; }
thead th { vertical-align: bottom; border-bottom: 1px solid var(--strong); }
tbody th { font-weight: 400; white-space: nowrap; }
th, td { padding: .26rem 1.1rem .26rem 0; vertical-align: top; }
tbody th, td { border-bottom: 1px solid var(--line); }
tbody tr:hover { background: var(--sunk); }
td:has(.bar) { min-width: 16rem; } td.refused { color: var(--soft); overflow-wrap: anywhere; } td.number { white-space: nowrap; }
.bar { display: block; height: 6px; width: 7rem; max-width: 100%; background: var(--sunk); border-radius: 2px;
  margin: .5em 0 .2em; overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--green); }
.finding { color: var(--finding); font-weight: 600; }
.cause { background: var(--sheet); border: 1px solid var(--line); border-left: 4px solid var(--soft); border-radius: 3px;
  margin: 0 0 .8rem; padding: .5rem .9rem; }
.cause.theirs { border-left-color: var(--finding); } .cause.page { border-left-color: var(--contested); }
.cause.ours { border-left-color: var(--link); } .cause:target { outline: 2px solid var(--focus); }
.verdict { font-weight: 600; margin-left: .5em; color: var(--soft); } .theirs .verdict { color: var(--finding); }
.page .verdict { color: var(--contested); } .ours .verdict { color: var(--link); }
@media (max-width: 700px) {
  body { font-size: 14px; }
  thead { display: none; }
  table, tbody { display: block; }
  tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0 .8rem; padding: .3rem 0;
    border-bottom: 1px solid var(--line); }
  tbody th { font-weight: 600; } td.number { white-space: normal; }
  tbody th, td, td:has(.bar) { border: 0; padding: 0; min-width: 0; }
  tbody th, td.refused, td.wide { grid-column: 1 / -1; } td:empty { display: none; }
  td[data-label]::before { content: attr(data-label) " "; color: var(--soft); }
}
"""
WIDTHS = {'SrcA': 5, 'SrcB': 5, 'DstBits': 4}  # hexadecimal digits of a datum of a bank; of all others 8
LINES = 16


def h(text):
    return escaping.escape(str(text))


def anchor(name, number):
    return h(f'{name}-cause-{number or "none"}'.replace(' ', '-'))


def table(columns, rows):
    """A table; a cell is its text in HTML, and its class. The first one names the row."""
    head = ''.join(f'<th scope="col">{h(one)}</th>' for one in columns)
    lines = []
    for first, *others in rows:
        cells = ''.join(f'<td class="{kind}" data-label="{h(label)}">{text}</td>' if text else '<td></td>'
                        for label, (text, kind) in zip(columns[1:], others))
        lines.append(f'<tr><th scope="row">{first[0]}</th>{cells}</tr>')
    return f'<table><thead><tr>{head}</tr></thead><tbody>\n' + '\n'.join(lines) + '\n</tbody></table>'


def data(label, part):
    """Lines for a part of a state: fields, one line for those of all lanes, and of rows the data that are not 0."""
    alike = {}
    for name, value in part.get('fields', {}).items():
        alike.setdefault((re.sub(r'\[[0-9]+\]', '[*]', name, count=1), value), []).append(name)
    lines = [f'{one} = {value}' for (same, value), names in alike.items() for one in (names if len(names) < 3 else [same])]
    for name, text in part.get('rows', {}).items():
        width, rows = WIDTHS.get(name.split('[')[0], 8), re.search(r'\[([0-9]+)\.\.([0-9]+)\]$', name)
        first, end = map(int, rows.groups()) if rows else (0, 1)
        names = [f'{name[:rows.start()]}[{number}]' for number in range(first, end)] if rows else [name]
        size = len(text) // len(names)
        cut = [(at // size, at % size // width, text[at:at + width]) for at in range(0, len(text), width)]
        lines += [f'{names[row]}[{column}] = 0x{datum}' for row, column, datum in cut if datum.strip('0')] or [f'{name} = 0']
    more = [f'and {len(lines) - LINES} more'] if len(lines) > LINES else []
    return [f'{label if not number else "":10}{one}' for number, one in enumerate(lines[:LINES] + more)]


def case_text(stored, got):
    """A stored case: the instruction, what the state before it has beyond the base, what the page expects, and what was got."""
    test = stored['groups'][0]['tests'][0]
    lines = [f'{test["text"]}   code {" ".join(test["code"])}', *data('before', test['before'])]
    lines += data('expected', test.get('after', {})) + [f'{"" if at else "differs":10}{one}' for at, one in enumerate(got)]
    return '\n'.join(lines)


def cause_article(name, number, cause, matrix):
    found = [(row, one) for row in matrix['rows'] for one in row.get('findings', []) if report.explains(cause, row, one)]
    kind = 'page' if cause['verdict'].endswith('page\'s') else cause['verdict']
    parts = [f'<article class="cause {kind}" id="{anchor(name, number)}">',
             f'<h4>{number}. {h(cause["title"])}<span class="verdict">{h(cause["verdict"])}</span></h4>',
             f'<p>{h(cause["text"])}</p><p class="quiet">Page: {h(cause["page"])}.'
             f'{" Known: " + h(cause["known"]) if cause.get("known") else ""}</p>']
    if cause['stored']:
        case = cause['stored']['groups'][0]['tests'][0]['id']
        got = next((one['differs'] for _, one in found if one['case'] == case), [])
        parts.append(f'<details><summary>Smallest case, on {h(cause["stored"]["isa"])}: {h(cause["case"])}</summary>'
                     f'<pre>{h(case_text(cause["stored"], got))}</pre></details>')
    else:
        parts.append(f'<p class="quiet">Smallest case: {h(cause["case"])}</p>')
    parts.append(findings_list(found) if found else '<p class="quiet">No finding of this version.</p>')
    return ''.join(parts) + '</article>'


def findings_list(found):
    items = [f'<li>{h(row["chip"])}/{h(row["instruction"])} {h(one["place"])}, {h(one["kind"])}: {one["cases"]:,} cases, '
             f'the smallest <code>{h(one.get("text", ""))}</code>. {h("; ".join(one["differs"]))}</li>' for row, one in found]
    return f'<details><summary>{len(found)} finding{"s" * (len(found) != 1)}</summary><ul>{"".join(items)}</ul></details>'


def instruction(name, row, causes):
    """The cells of a row of the table of instructions."""
    if 'cases' not in row:
        return [(h(row['instruction']), ''), *[('', '')] * 4, (h(f'{row["state"]} {row.get("refused", "")}'), 'refused')]
    asked, answered = row['cases']
    links = {}
    for one in row['findings']:
        for number in report.numbers_of(causes, row, one) or [0]:
            links[number] = links.get(number, 0) + one['cases']
    found = ', '.join(f'<a class="finding" href="#{anchor(name, number)}">{"cause " + str(number) if number else "no cause"}</a> '
                      f'({cases:,} cases)' for number, cases in sorted(links.items()))
    narrowed = f', narrowed {row["narrowed"]}&nbsp;%' if answered else ''
    width = 100 * answered / max(1, asked)
    bar = f'<span class="bar"><i style="width:{width:.0f}%"></i></span>{answered:,} of {asked:,}{narrowed}'
    modes = ' / '.join(map(str, row['modes']))
    return [(h(row['instruction']), ''), (bar, ''), (modes, 'number'), (h(', '.join(row['disputes'])), ''),
            (found, 'wide'), (h(row.get('refused', '')), 'refused')]


def simulator(name, versions, causes):
    matrix, history = versions[-1], [report.summary(one, causes) for one in versions]
    parts = [f'<section id="{h(name)}"><h2>{h(name)} {h(matrix["version"] or "")}</h2>',
             f'<p>Commit <code>{h(matrix["commit"])}</code> of '
             f'<a href="{h(matrix["repository"])}">{h(matrix["repository"])}</a>, seed {h(matrix["seed"])}.</p><h3>Versions</h3>',
             table(['version', 'commit', 'date', 'instructions', 'cases answered', 'without a finding', 'findings', 'causes',
                    'tandem'],
                   [[(h(text), '') for text in (
                       one['version'], one['commit'], one['date'], one['instructions'],
                       f'{one["answered"]:,} of {one["asked"]:,}', f'{one["clean"]} of {one["answering"]}', one['findings'],
                       one['causes'], one['tandem'])] for one in history])]
    parts += [f'<p>{h(report.change(*pair, causes))}</p>' for pair in zip(versions, versions[1:])]
    parts.append('<h3>Causes</h3>')
    parts += [cause_article(name, number, cause, matrix) for number, cause in enumerate(causes, 1)]
    left = report.unread(causes, matrix)
    if left:
        parts.append(f'<article class="cause" id="{anchor(name, 0)}"><h4>Findings without a cause</h4>{findings_list(left)}'
                     '</article>')
    for chip in report.chips(matrix):
        rows = [row for row in matrix['rows'] if row['chip'] == chip]
        of = report.summary({**matrix, 'rows': rows}, causes)
        parts += [f'<h3 id="{h(name)}-{h(chip)}">{h(chip)}</h3>',
                  f'<p>{h(" ".join(report.of_chip(of)))}</p>',
                  table(['instruction', 'answered', 'modes passed / answered / specified', 'disputes', 'findings',
                         'refused most often'],
                        [instruction(name, row, causes) for row in rows])]
    return '\n'.join(parts) + '</section>'


def html(everything, conflicts):
    links = [(f'#{name}', f'{name} {versions[-1]["version"] or ""}') for name, versions, _ in everything]
    links += [(f'#{name}-{chip}', f'{name} on {chip}') for name, versions, _ in everything for chip in report.chips(versions[-1])]
    title = 'Public simulators against the pages'
    against = [f'<section id="conflicts"><h2>Where simulators agree against the pages</h2>{conflict_table(conflicts)}</section>']
    return '\n'.join([
        '<!doctype html>', '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<title>{title}</title><style>', COLOURS.read_text().split('\n\n', maxsplit=1)[0], STYLE + '</style></head><body>',
        f'<header><h1>{title}</h1><p>A case is <em>answered</em> if the simulator executes it, or stalls; <em>narrowed</em> is',
        'the share of the cases that were drawn once it was known what is answered. A finding is a difference between the page',
        'and the answer. It is no verdict: each cause says whose it is, and on what evidence.</p></header>',
        '<nav>', *(f'<a href="{h(to)}">{h(text)}</a>' for to, text in links + [('#conflicts', 'conflicts')]), '</nav><main>',
        *(simulator(*one) for one in everything), *against, '</main></body></html>']) + '\n'


def conflict_table(conflicts):
    if not conflicts:
        return '<p class="quiet">None was found.</p>'
    return table(['instruction', 'place', 'simulators that agree', 'case', 'page', 'difference', 'verdict'],
                 [[(h(text), 'wide') for text in (
                     f'{one["chip"]}/{one["instruction"]}', f'{one["place"]}, {one["kind"]}', ', '.join(one['simulators']),
                     f'{one["text"]}, {one["case"]}', one['page'], one['differs'], one['verdict'] or 'read by nobody yet')]
                  for one in conflicts])
