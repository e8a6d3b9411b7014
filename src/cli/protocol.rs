//! `tandem check-protocol`: all orders in which the threads of a kernel can come.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde_json::{Map, Value, json};
use tandem_harness::{
    Explored, Found, FoundKind, Hold, Kernel, Scheduled, SearchLimits, Turn, explore, mutants, scheduled,
};
use tandem_isa::{Act, Citation, Threads};

use super::args::{CheckProtocol, Limits};
use super::{CliError, Common, Exit, signals, stored};
use crate::wiring;

pub(super) fn run(common: &Common, asked: &CheckProtocol) -> Result<Exit, CliError> {
    let (mut exit, mut rows, mut page) = (Exit::Agree, Vec::new(), Page::default());
    let (mut states, begin) = (0, Instant::now());
    for path in files(&asked.kernels)? {
        let (kernel, mut machine) = read(&path)?;
        let limits = limits(&asked.limits);
        let acts: usize = kernel.threads.iter().map(Vec::len).sum();
        if !common.json {
            outln!("{} ({}), {}: {}", kernel.name, kernel.isa.name, path.display(), some(acts, "act"));
        }
        let mut row = json!({ "file": path, "kernel": kernel.name, "isa": kernel.isa.name, "acts": acts });
        let (of_file, more) = if let Some(count) = asked.mutants {
            hunt(common, (&kernel, &mut *machine), (asked.seed, count), limits)
        } else {
            let explored = explore(&kernel, &mut *machine, limits);
            states += explored.states;
            if !common.json {
                text(&kernel, &mut *machine, &explored);
            }
            page.add(&kernel, &mut *machine, &explored);
            (exit_of(&kernel, &explored), searched(&kernel, &mut *machine, &explored))
        };
        exit = stored::worse(exit, of_file);
        row.as_object_mut().expect("it is one").extend(more);
        rows.push(row);
    }
    if asked.mutants.is_none() {
        let seconds = begin.elapsed().as_secs_f64();
        noteln!("tandem: {states} states in {seconds:.2} s, {:.0} a second", states as f64 / seconds.max(1e-9));
    }
    if let Some(path) = &asked.html {
        fs::write(path, page.end()).map_err(CliError::io(path))?;
        noteln!("tandem: written to {}", path.display());
    }
    if common.json {
        outln!("{}", json!({ "kernels": rows }));
    }
    Ok(exit)
}

/// A number of things.
pub(super) fn some(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// The files that are named, and those of folders that are.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, CliError> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let before = files.len();
        for entry in path.read_dir().map_err(CliError::io(path))? {
            let path = entry.map_err(CliError::io(path))?.path();
            files.extend(Some(path).filter(|path| path.extension().is_some_and(|extension| extension == "jsonl")));
        }
        files[before..].sort();
        if files.len() == before {
            return Err(CliError::Usage(format!("{}: there is no file NAME.jsonl in it", path.display())));
        }
    }
    Ok(files)
}

/// Reads a kernel.
pub(super) fn read(path: &Path) -> Result<(Kernel, Box<dyn Threads>), CliError> {
    let text = fs::read_to_string(path).map_err(CliError::io(path))?;
    Kernel::read(&text, &wiring::threads).map_err(|error| CliError::Usage(format!("{}, {error}", path.display())))
}

pub(super) fn limits(asked: &Limits) -> SearchLimits<'static> {
    let Limits { depth, states, no_reduction } = *asked;
    SearchLimits { depth, states, reduce: !no_reduction, stop: Some(signals::stop()) }
}

/// The kinds of what was found.
fn kinds(explored: &Explored) -> BTreeSet<&'static str> {
    explored.found.iter().map(|found| found.kind.name()).collect()
}

fn exit_of(kernel: &Kernel, explored: &Explored) -> Exit {
    let found = kinds(explored);
    let is_as_said = match &kernel.finds {
        Some(finds) => finds.iter().map(String::as_str).collect::<BTreeSet<_>>() == found,
        None => found.is_empty(),
    };
    match (is_as_said, explored.cut) {
        (false, _) => Exit::NewFinding,
        (true, true) => Exit::Holes,
        (true, false) => Exit::Agree,
    }
}

/// An act, as `T1 act 3, line 12: SEMPOST(…)`.
pub(super) fn act_text(kernel: &Kernel, machine: &dyn Threads, turn: Turn) -> String {
    let line = &kernel.threads[turn.thread][turn.act];
    let label = line.label.as_ref().map(|label| format!(" [{label}]")).unwrap_or_default();
    let (name, text) = (machine.names()[turn.thread], kernel.text(machine, &line.act));
    format!("{name} act {}, line {}: {text}{label}", turn.act + 1, line.line)
}

/// The same as an object.
pub(super) fn act_row(kernel: &Kernel, machine: &dyn Threads, turn: Turn) -> Value {
    let line = &kernel.threads[turn.thread][turn.act];
    let text = kernel.text(machine, &line.act);
    json!({ "thread": turn.thread, "act": turn.act + 1, "line": line.line, "text": text, "label": line.label })
}

pub(super) fn cited(citation: &Citation) -> String {
    let Citation { page, place, reason } = citation;
    let name = page.title.split_once(" (").map_or(page.title, |(name, _)| name);
    format!("{reason} (page {name}, {place})")
}

/// What holds a thread of a deadlock, in lines: its act, what it waits for, why, and behind which wait.
fn hold_text(kernel: &Kernel, machine: &dyn Threads, (found, hold): (&Found, &Hold)) -> Vec<String> {
    let waits = hold.waits_for.iter().map(|(field, value)| format!("{field}, which is {value}"));
    let waits = waits.collect::<Vec<_>>().join(", or of ");
    let held = &kernel.threads[hold.turn.thread][hold.turn.act].act;
    let mut lines = vec![format!("{} is held", act_text(kernel, machine, hold.turn))];
    lines.push(match &waits[..] {
        "" => "  no other value of one field lets it go on".to_string(),
        _ => format!("  it waits for another value of {waits}"),
    });
    // What its gate has latched, if it is the gate that holds it.
    let latched = found.order.iter().rev().filter(|turn| turn.thread == hold.turn.thread).find(|turn| {
        let act = &kernel.threads[turn.thread][turn.act].act;
        let is_cited = matches!(act, Act::Instruction(word) if hold.citation.page.title.starts_with(word.facts.name));
        is_cited && machine.drains(act).is_some_and(|drain| machine.holds(drain.blocks, held))
    });
    lines.extend(latched.map(|&turn| format!("  behind {}", act_text(kernel, machine, turn))));
    lines.push(format!("  {}", cited(hold.citation)));
    lines
}

/// What two acts meet in the other order: the acts of a race that was found both ways, and what is said of the second way.
fn other_way<'a>(found: &'a [Found], one: &Found) -> Option<&'a Found> {
    let [first, second] = one.turns[..] else { return None };
    found.iter().find(|other| other.kind == FoundKind::Race && first != second && other.turns == [second, first])
}

/// What there is to be told, each race once, with what is said of it the other way round.
fn told(found: &[Found]) -> impl Iterator<Item = (&Found, Option<&Found>)> {
    found.iter().enumerate().filter_map(|(place, one)| {
        let other = if one.kind == FoundKind::Race { other_way(found, one) } else { None };
        let is_told = other.is_some_and(|other| found[..place].iter().any(|earlier| std::ptr::eq(earlier, other)));
        (!is_told).then_some((one, other))
    })
}

/// What is said of a finding, without the orders that show it.
fn about(kernel: &Kernel, machine: &dyn Threads, (found, other): (&Found, Option<&Found>)) -> Vec<String> {
    let unit = |turn: Turn| machine.executes(&kernel.threads[turn.thread][turn.act].act).name;
    let mut lines = match (found.kind, &found.turns[..]) {
        (FoundKind::Deadlock, _) => {
            found.holds.iter().flat_map(|hold| hold_text(kernel, machine, (found, hold))).collect()
        }
        (FoundKind::Race, &[first, second]) => vec![
            format!("{}: {} may be at work on it still", act_text(kernel, machine, first), unit(first)),
            format!("{}: {}, and nothing makes it wait for that", act_text(kernel, machine, second), unit(second)),
        ],
        (_, turns) => turns.iter().map(|&turn| act_text(kernel, machine, turn)).collect(),
    };
    if found.kind == FoundKind::Deadlock {
        let left = |thread: &usize| found.turns.iter().any(|turn| turn.thread == *thread);
        let at_end = (0..kernel.threads.len()).filter(|thread| !left(thread) && !kernel.threads[*thread].is_empty());
        let names: Vec<&str> = at_end.map(|thread| machine.names()[thread]).collect();
        lines.extend((!names.is_empty()).then(|| format!("at the end of its acts: {}", names.join(", "))));
    }
    lines.extend(other.map(|other| format!("and the other way round: {}", other.text)));
    lines.extend(found.citation.map(cited));
    lines
}

/// The orders that show a finding, each with what it is called, and how many acts it begins with as the one before it does.
fn orders(found: &Found) -> Vec<(String, &[Turn], usize)> {
    let (order, other) = (&found.order[..], &found.other[..]);
    let acts = some(order.len(), "act");
    if found.kind != FoundKind::Outcomes {
        return vec![(format!("the shortest order that shows it, {acts}"), order, 0)];
    }
    let same = order.iter().zip(other).take_while(|(one, other)| one == other).count();
    let begins = format!("an order that ends otherwise, {}", some(other.len(), "act"));
    vec![(format!("an order that ends one way, {acts}"), order, 0), (begins, other, same)]
}

/// A finding in lines, its order last.
fn found_text(kernel: &Kernel, machine: &mut dyn Threads, one: (&Found, Option<&Found>)) -> Vec<String> {
    let mut lines = about(kernel, machine, one);
    for (name, order, same) in orders(one.0) {
        let same_text = if same > 0 { format!(", the first {same} as above") } else { String::new() };
        lines.push(format!("{name}{same_text}:"));
        for row in &scheduled(kernel, machine, order)[same..] {
            let wakes =
                row.wakes.iter().map(|(thread, by)| format!("  <- wakes {}{}", machine.names()[*thread], by_text(by)));
            lines.push(format!("  {}{}", act_text(kernel, machine, row.turn), wakes.collect::<String>()));
        }
    }
    lines
}

/// By what a thread is woken.
fn by_text(fields: &[String]) -> String {
    if fields.is_empty() { String::new() } else { format!(", by {}", fields.join(", ")) }
}

fn title(found: &Found) -> String {
    match (found.kind, &found.text[..]) {
        (FoundKind::Deadlock, _) => "deadlock: no thread goes on".to_string(),
        (kind, text) => format!("{}: {text}", kind.name()),
    }
}

/// All that was found, in lines.
pub(super) fn all_found(kernel: &Kernel, machine: &mut dyn Threads, found: &[Found]) -> Vec<String> {
    let numbered = told(found).enumerate();
    let lines = numbered.flat_map(|(number, one)| {
        let about = found_text(kernel, machine, one).into_iter().map(|line| format!("   {line}"));
        [format!("{}. {}", number + 1, title(one.0))].into_iter().chain(about).collect::<Vec<_>>()
    });
    lines.collect()
}

/// How far a search came.
pub(super) fn extent(explored: &Explored) -> String {
    let Explored { ends, states, alone, longest, .. } = explored;
    let (states, ends) = (some(*states as usize, "state"), some(ends.len(), "way"));
    let alone = if *alone > 0 { format!(", in {alone} of them one act alone") } else { String::new() };
    format!("{states}{alone}; orders of up to {}; {ends} to end", some(*longest, "act"))
}

fn text(kernel: &Kernel, machine: &mut dyn Threads, explored: &Explored) {
    all_found(kernel, machine, &explored.found).iter().for_each(|line| outln!("  {line}"));
    if explored.cut {
        outln!("  not all orders were seen: a limit ended the search; see --depth and --states");
    } else if explored.found.is_empty() {
        outln!("  in all orders: no deadlock, no race, no lost token, no bank with two owners, one way to end");
    }
    if let Some(finds) = &kernel.finds {
        let found = kinds(explored);
        if finds.iter().map(String::as_str).collect::<BTreeSet<_>>() != found {
            let found: Vec<&str> = found.into_iter().collect();
            outln!("  `finds` of the file is [{}], and found was [{}]", finds.join(", "), found.join(", "));
        } else if !found.is_empty() {
            outln!("  all of it is what `finds` of the file says");
        }
    }
    outln!("  {}", extent(explored));
}

/// What was found, as objects.
pub(super) fn found_rows(kernel: &Kernel, machine: &mut dyn Threads, found: &[Found]) -> Vec<Value> {
    let mut order_rows = |order: &[Turn]| -> Vec<Value> {
        let rows = scheduled(kernel, machine, order);
        let rows = rows.iter().map(|row| {
            let wakes = row.wakes.iter().map(|(thread, by)| json!({ "thread": thread, "by": by }));
            let mut one = act_row(kernel, machine, row.turn);
            one["wakes"] = wakes.collect();
            one
        });
        rows.collect()
    };
    let orders: Vec<_> = found.iter().map(|found| (order_rows(&found.order), order_rows(&found.other))).collect();
    let rows = found.iter().zip(orders).map(|(found, (order, other))| {
        let holds = found.holds.iter().map(|hold| {
            let waits_for = hold.waits_for.iter().map(|(field, value)| json!({ "field": field, "value": value }));
            let act = act_row(kernel, machine, hold.turn);
            json!({ "act": act, "waits_for": Value::from_iter(waits_for), "cites": cited(hold.citation) })
        });
        let acts = found.turns.iter().map(|&turn| act_row(kernel, machine, turn));
        json!({
            "kind": found.kind.name(), "text": found.text, "cites": found.citation.map(cited),
            "acts": Value::from_iter(acts), "holds": Value::from_iter(holds), "order": order, "other": other,
        })
    });
    rows.collect()
}

/// What a search came to, as an object.
pub(super) fn searched(kernel: &Kernel, machine: &mut dyn Threads, explored: &Explored) -> Map<String, Value> {
    let row = json!({
        "finds": kernel.finds, "found": found_rows(kernel, machine, &explored.found), "ends": explored.ends.len(),
        "states": explored.states, "alone": explored.alone, "longest": explored.longest, "cut": explored.cut,
    });
    let Value::Object(row) = row else { unreachable!("it is one") };
    row
}

/// Searches mutants of a kernel; each breaks something, or ends in all orders as the kernel does.
fn hunt(
    common: &Common,
    (kernel, machine): (&Kernel, &mut dyn Threads),
    (seed, count): (u64, usize),
    limits: SearchLimits<'_>,
) -> (Exit, Map<String, Value>) {
    let states = |explored: &Explored| explored.ends.iter().map(|end| end.state).collect::<BTreeSet<_>>();
    let own = states(&explore(kernel, machine, limits));
    let (mut exit, mut rows, mut counts) = (Exit::Agree, Vec::new(), BTreeMap::new());
    for mutant in mutants(kernel, seed, count) {
        let explored = explore(&mutant.kernel, machine, limits);
        let found: Vec<&str> = kinds(&explored).into_iter().collect();
        let (verdict, why) = match (&found[..], explored.cut) {
            ([], true) => ("not decided", "a limit ended the search".to_string()),
            ([], false) if states(&explored) == own => ("harmless", "every order ends as without it".to_string()),
            ([], false) => ("another end", "every order ends alike, and otherwise than without it".to_string()),
            (kinds, _) => ("caught", kinds.join(", ")),
        };
        if verdict == "not decided" {
            exit = Exit::Holes;
        }
        *counts.entry(verdict).or_insert(0_usize) += 1;
        if !common.json {
            outln!("  {}, {}: {verdict}: {why}", act_text(kernel, machine, mutant.turn), mutant.what);
        }
        let act = act_row(kernel, machine, mutant.turn);
        rows.push(json!({ "act": act, "what": mutant.what, "verdict": verdict, "kinds": found }));
    }
    if !common.json {
        let counts = counts.iter().map(|(verdict, count)| format!("{count} {verdict}")).collect::<Vec<_>>();
        outln!("  seed {seed}, {}: {}", some(rows.len(), "mutant"), counts.join(", "));
    }
    (exit, Map::from_iter([("seed".to_string(), json!(seed)), ("mutants".to_string(), Value::from(rows))]))
}

/// A page with orders as columns.
#[derive(Default)]
pub(super) struct Page {
    /// A line for each kernel.
    contents: String,
    body: String,
}

const STYLE: &str = ":root{color-scheme:light dark;--wake:light-dark(#05603a,#6ce9a6);--held:light-dark(#b42318,#fda29b);\
    --quiet:light-dark(#57606a,#a0a8b0)}body{font:15px/1.45 system-ui,sans-serif;margin:1.5rem auto;max-width:76rem;\
    padding:0 1rem;overflow-wrap:anywhere}h2{border-top:1px solid #8886;padding-top:1.5rem;margin-top:2.5rem}h3{margin:2rem 0 .5rem}\
    pre{white-space:pre-wrap;font:inherit;margin:.5rem 0;padding:.1rem 0 .1rem .75rem;border-left:3px solid var(--held)}\
    .scroll{overflow-x:auto;margin:1rem 0}.scroll:focus-visible{outline:2px solid}table{border-collapse:collapse;width:100%}\
    .order{table-layout:fixed}caption{text-align:left;padding:.3rem 0;font-weight:600}\
    td,th{border:1px solid #8886;padding:.3rem .5rem;text-align:left;vertical-align:top}.order th:first-child{width:2rem;\
    font-weight:400;color:var(--quiet)}code{font-size:.92em}small{display:block;color:var(--quiet)}\
    .wake{color:var(--wake);font-weight:600}.held{color:var(--held)}td.woken{box-shadow:inset 4px 0 var(--wake)}\
    td.stays{box-shadow:inset 4px 0 var(--held)}td.about{background:light-dark(#fff4ce,#4a3b00)}";

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

impl Page {
    /// Adds the findings of a kernel.
    pub(super) fn add(&mut self, kernel: &Kernel, machine: &mut dyn Threads, explored: &Explored) {
        let Kernel { name, says, isa, .. } = kernel;
        let (name, page) = (escaped(name), &mut self.body);
        let kinds = kinds(explored).into_iter().collect::<Vec<_>>().join(", ");
        let found = match &kinds[..] {
            "" if explored.cut => "not all orders were seen",
            "" => "nothing, in all orders",
            kinds => kinds,
        };
        self.contents += &format!("<tr><th scope=\"row\"><a href=\"#{name}\">{name}</a></th><td>{found}</td></tr>");
        *page += &format!("<h2 id=\"{name}\">{name}</h2><p>{}</p>", escaped(says));
        *page += &format!("<p>{}: {}. Found: {found}.</p>", isa.name, extent(explored));
        for one in told(&explored.found) {
            *page += &format!("<h3>{}</h3>", escaped(&title(one.0)));
            let about = about(kernel, machine, one).join("\n");
            if !about.is_empty() {
                *page += &format!("<pre>{}</pre>", escaped(&about));
            }
            for (name, order, _) in orders(one.0) {
                *page += &columns(kernel, machine, (&name, order), one.0);
            }
        }
    }

    /// The whole page.
    pub(super) fn end(self) -> String {
        let Page { contents, body } = self;
        let head = "<meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">";
        let title = "Orders of three threads";
        let intro = "Each row is an act, in the order in which they come. A coloured bar marks a thread that is held, or \
            that the act of the row wakes. What a finding is about has a background.";
        let contents = format!(
            "<table><caption>Kernels, and what was found</caption><thead><tr><th scope=\"col\">kernel</th>\
            <th scope=\"col\">found</th></tr></thead><tbody>{contents}</tbody></table>"
        );
        format!(
            "<!doctype html><html lang=\"en\"><head>{head}<title>{title}</title><style>{STYLE}</style></head>\
            <body><main><h1>{title}</h1><p>{intro}</p>{contents}{body}</main></body></html>\n"
        )
    }
}

/// An order, a row for each act, a column for each thread: what wakes each, and in the end what each cannot do.
fn columns(kernel: &Kernel, machine: &mut dyn Threads, (caption, order): (&str, &[Turn]), found: &Found) -> String {
    let threads: Vec<usize> = (0..kernel.threads.len()).filter(|&thread| !kernel.threads[thread].is_empty()).collect();
    let heads: String =
        threads.iter().map(|&thread| format!("<th scope=\"col\">{}</th>", machine.names()[thread])).collect();
    let mut table = format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{caption}\"><table class=\"order\" \
        style=\"min-width:{}rem\">\
        <caption>{caption}</caption><thead><tr><th scope=\"col\">#</th>{heads}</tr></thead><tbody>",
        2 + 10 * threads.len()
    );
    for (number, row) in scheduled(kernel, machine, order).iter().enumerate() {
        let cells = threads.iter().map(|&thread| cell(kernel, machine, (row, thread), &found.turns));
        table += &format!("<tr><th scope=\"row\">{}</th>{}</tr>", number + 1, cells.collect::<String>());
    }
    if found.kind == FoundKind::Deadlock {
        let held = threads.iter().map(|&thread| {
            let turn = found.turns.iter().find(|turn| turn.thread == thread);
            turn.map_or_else(
                || "<td></td>".to_string(),
                |&turn| {
                    format!(
                        "<td class=\"stays\"><span class=\"held\">held for good:</span> {}</td>",
                        act_cell(kernel, machine, turn)
                    )
                },
            )
        });
        table += &format!("<tr><th scope=\"row\">end</th>{}</tr>", held.collect::<String>());
    }
    table + "</tbody></table></div>"
}

/// An act, with its line and its label.
fn act_cell(kernel: &Kernel, machine: &dyn Threads, turn: Turn) -> String {
    let line = &kernel.threads[turn.thread][turn.act];
    let label = line.label.as_ref().map_or_else(String::new, |label| format!(": {}", escaped(label)));
    let text = escaped(&kernel.text(machine, &line.act));
    format!("<code>{text}</code><small>line {}{label}</small>", line.line)
}

/// What an act is to a thread: its own, one that wakes it, or one after which it is held.
fn cell(kernel: &Kernel, machine: &dyn Threads, (row, thread): (&Scheduled, usize), about: &[Turn]) -> String {
    if thread == row.turn.thread {
        let class = if about.contains(&row.turn) { " class=\"about\"" } else { "" };
        let held = if row.held.contains(&thread) { "<span class=\"held\">then held</span>" } else { "" };
        return format!("<td{class}>{}{held}</td>", act_cell(kernel, machine, row.turn));
    }
    if let Some((_, by)) = row.wakes.iter().find(|(woken, _)| *woken == thread) {
        return format!("<td class=\"woken\"><span class=\"wake\">wakes{}</span></td>", escaped(&by_text(by)));
    }
    if row.held.contains(&thread) {
        return "<td class=\"stays\"><span class=\"held\">held</span></td>".to_string();
    }
    "<td></td>".to_string()
}
