//! The HTML report in a browser: the matrix, the findings, the maps that its script draws, clicks and hostile strings.
//!
//! The browser is Chromium where it is installed; without it the static parts are tested alone, and that is printed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use tandem::{trial, wiring};
use tandem_harness::report::model::{FaultPart, FaultsPart};
use tandem_harness::report::{Inputs, Report, html};
use tandem_harness::{Budget, Campaign, Plan, Progress, Suite, TargetFactory};
use tandem_isa::{Edition, Instruction};
use tandem_policy::{Policy, Refusing};

use crate::parts::one_in;

const CHROMIUM: &str = "/usr/bin/chromium";
const PATIENCE: Duration = Duration::from_secs(300);

/// A report with findings of two wrong targets.
fn report() -> Report {
    let wired = wiring::suite();
    let (isa, instruction) = wired.instructions().next().expect("there is an instruction");
    let targets = vec![trial::factory("seven-rows"), trial::factory("flush-never")];
    let suite = Suite { isas: vec![isa.with_targets(targets)] };
    let units = Edition::ALL.iter().map(|&edition| (instruction, edition)).collect();
    let plan = Plan { threads: 2, ..Plan::new(11, Budget::Cases(20_000), units) };
    let result = Campaign::new(&suite, &plan, &Progress::default()).run();
    let mut inputs = Inputs::new(&suite, &result);
    let (id, of) = ("fault:seven-rows".to_string(), instruction.path());
    let fault = FaultPart { id, instruction: of, wrong: true, found: true, ..FaultPart::default() };
    inputs.faults = Some(FaultsPart::of(1, vec![fault]));
    let report = Report::build(&inputs);
    assert!(report.result.findings.len() >= 2, "{:?}", report.result.findings);
    report
}

/// A report of every instruction, whose cells have all statuses that there are, and one letter that nobody knows.
fn every_instruction() -> Report {
    let suite = wiring::suite();
    let units: Vec<_> = suite
        .instructions()
        .flat_map(|(_, instruction)| instruction.editions().iter().map(move |&edition| (instruction, edition)))
        .collect();
    let plan = Plan { threads: 2, ..Plan::new(11, Budget::Cases(1_000), units) };
    let result = Campaign::new(&suite, &plan, &Progress::default()).run();
    let mut report = Report::build(&Inputs::new(&suite, &result));
    for unit in &mut report.result.units {
        let letters = (0..unit.map.statuses.len()).map(|cell| if cell == 7 { 'z' } else { LETTERS[cell % 97 % 6] });
        unit.map.statuses = letters.collect();
        unit.map.contested =
            Some((0..unit.map.statuses.len()).map(|cell| if cell % 5 == 0 { 'x' } else { '.' }).collect());
        unit.hole_list.clear();
    }
    report
}

const LETTERS: [char; 6] = ['G', 'H', 'B', 'C', 'D', 'U'];

/// The id of a unit's map.
fn anchor(report: &Report, unit: usize) -> String {
    let unit = &report.result.units[unit];
    format!("map-{}-{}", unit.instruction.replace(['/', '_'], "-"), unit.edition)
}

/// Chromium's view of pages, if it is there.
struct Browser {
    folder: tempfile::TempDir,
}

impl Browser {
    fn find() -> Option<Self> {
        if !Path::new(CHROMIUM).exists() {
            println!("not run: chromium is not installed");
            return None;
        }
        Some(Browser { folder: tempfile::tempdir().expect("a folder for the browser") })
    }

    /// The document after its script has run, in a window of some width.
    fn dom(&self, page: &str, place: &str, width: u32) -> String {
        let file = self.folder.path().join("index.html");
        std::fs::write(&file, page).expect("the page can be written");
        let dump = self.folder.path().join("dom.html");
        let mut browser = Command::new(CHROMIUM)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--virtual-time-budget=5000", "--dump-dom"])
            .arg(format!("--window-size={width},900"))
            .arg(format!("--user-data-dir={}", self.folder.path().join("profile").display()))
            .arg(format!("file://{}{place}", file.display()))
            .stdout(std::fs::File::create(&dump).expect("the dump can be written"))
            .stderr(Stdio::null())
            .spawn()
            .expect("chromium starts");
        let began = Instant::now();
        while browser.try_wait().expect("chromium can be waited for").is_none() {
            if began.elapsed() > PATIENCE {
                let _ = browser.kill();
                panic!("chromium took longer than {PATIENCE:?}");
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let dom = std::fs::read_to_string(&dump).expect("the dump is text");
        assert!(dom.contains("</html>"), "chromium gave no document: {dom}");
        dom
    }
}

/// The page with a script at its end, and without the policy that would forbid it.
fn with_script(page: &str, script: &str) -> String {
    let from = page.find("<meta http-equiv=\"Content-Security-Policy\"").expect("the page has a policy");
    let to = from + page[from..].find('>').expect("the element ends") + 1;
    let page = format!("{}{}", &page[..from], &page[to..]);
    page.replacen("</body>", &format!("<script>{script}</script></body>"), 1)
}

/// What a script noted on the body, by name.
fn noted(dom: &str, name: &str) -> String {
    let body = &dom[dom.find("<body").expect("there is a body")..];
    let body = &body[..=body.find('>').expect("a tag ends")];
    let from = body.find(&format!(" data-{name}=\"")).unwrap_or_else(|| panic!("{name} was not noted: {body}"));
    body[from..].split('"').nth(1).expect("values are quoted").to_string()
}

/// The opening tag of the element with this id.
fn tag<'a>(dom: &'a str, id: &str) -> &'a str {
    let at = dom.find(&format!("id=\"{id}\"")).unwrap_or_else(|| panic!("there is no element {id}"));
    let from = dom[..at].rfind('<').expect("an id stands in a tag");
    &dom[from..=at + dom[at..].find('>').expect("a tag ends")]
}

#[test]
fn the_page_stands_without_its_script() {
    let report = report();
    let page = html::page(&report);
    assert_eq!(page, html::page(&report));
    assert!(page.len() < html::LIMIT);
    for unit in &report.result.units {
        for class in &unit.classes {
            assert!(page.contains(&format!("<th scope=\"row\">{}</th>", class.name)), "{}", class.name);
        }
    }
    for (number, finding) in report.result.findings.iter().enumerate() {
        assert!(tag(&page, &format!("finding-{}", number + 1)).starts_with("<details"));
        assert!(page.contains(&format!("<code>{}</code>", finding.replay)), "{}", finding.replay);
        let smallest = finding.minimized.as_ref().expect("these faults have smallest cases");
        assert!(page.contains(&smallest.differences[0].place));
    }
    assert!(page.contains("1 of 1 deliberately wrong implementations were found"));
    assert!(page.contains("<noscript>") && page.contains("<pre class=\"letters\">"));
}

#[test]
fn the_script_draws_the_maps_and_opens_what_an_address_names() {
    let report = report();
    let page = html::page(&report);
    let Some(browser) = Browser::find() else { return };

    let dom = browser.dom(&page, "", 1280);
    assert!(dom.contains("theme: auto"), "the script ran, although a policy stands in the page");
    assert_eq!(dom.matches("data-cell=").count(), 0, "maps are drawn when they are opened");
    assert_eq!(dom.matches("aria-label=\"copy the command\"").count(), page.matches("<pre class=\"command\">").count());

    // A cell by its address: the cells of its square, the cell chosen, and its axes in words.
    for (place, unit) in report.result.units.iter().enumerate() {
        let dom = browser.dom(&page, &format!("#{}/5", anchor(&report, place)), 1280);
        assert!(tag(&dom, &anchor(&report, place)).contains("open"));
        let cells = dom.matches("data-cell=").count() as u64;
        assert!((2..unit.counts.cells).contains(&cells), "{}: {cells}", unit.edition);
        assert_eq!(dom.matches(" aria-selected=\"true\"").count(), 1);
        assert!(dom.contains("Cell 5: "));
        for axis in &unit.map.axes {
            assert!(dom.contains(&format!("<dt>{}</dt>", axis.name)), "{}", axis.name);
        }
    }

    // The cells of a finding: these are drawn, and no other.
    let seen = &report.result.findings[0].seen[0];
    let place = report.result.units.iter().position(|unit| unit.edition == seen.edition).expect("it was seen there");
    let dom = browser.dom(&page, &format!("?theme=dark#{}/finding-1", anchor(&report, place)), 1280);
    assert!(dom.contains("data-theme=\"dark\"") && dom.contains("theme: dark"));
    let cells = report.result.units[place].counts.cells;
    let shown = format!("{} of {cells} cells: ", seen.cells.len());
    assert!(dom.replace(',', "").contains(&shown), "{shown}");
}

/// Opens every map and notes, for each: cells, cells in its squares, rows and columns without a square, and how many
/// cells are drawn one by one, after the squares and after a click on each of three of them.
const OPENING: &str = "
    setTimeout(() => {
      const notes = [];
      for (const map of document.querySelectorAll('.unit')) {
        map.open = true;
        map.dispatchEvent(new Event('toggle'));
        const squares = [...map.querySelectorAll('td[data-at]')];
        const cells = squares.map((one) => /: (.*)/.exec(one.getAttribute('aria-label'))[1].split(', ')
          .filter((words) => !/ (contested|unwitnessed)$/.test(words)).reduce((sum, words) => sum + Number(words.split(' ')[0].replace(',', '')), 0));
        const rows = [...map.querySelectorAll('.squares tbody tr')];
        const empty = rows.filter((row) => !row.querySelector('[data-at]')).length
          + [...map.querySelectorAll('.squares thead th')].filter((_, column) => !rows.some((row) => row.cells[column + 1].dataset.at)).length;
        const drawn = [0, Math.floor(squares.length / 2), squares.length - 1].every((place) => {
          map.querySelector('.views button').click();
          const square = map.querySelectorAll('td[data-at]')[place];
          square.click();
          return map.querySelectorAll('[data-cell]').length === cells[place];
        });
        map.querySelectorAll('.views button')[1].click();
        const shown = map.querySelectorAll('[data-cell]').length;
        const barren = [...map.querySelectorAll('.cells tbody tr')].filter((row) => !row.querySelector('[data-cell]')).length;
        notes.push([map.id, cells.reduce((sum, one) => sum + one, 0), empty + barren, shown, drawn].join(' '));
      }
      document.body.setAttribute('data-maps', notes.join(';'));
    }, 100);";

#[test]
fn every_instruction_has_its_map_and_each_row_and_column_a_cell() {
    let mut report = every_instruction();
    assert!(html::page(&report).len() < html::LIMIT / 4 * 3);
    // Every one is drawn by the same script, which a browser runs some tenths of a second for each.
    report.result.units = report.result.units.into_iter().step_by(one_in(4)).collect();
    let page = html::page(&report);
    let Some(browser) = Browser::find() else { return };
    for width in [1280, 500] {
        let dom = browser.dom(&with_script(&page, OPENING), "", width);
        let units = report.result.units.iter().enumerate();
        let expected: Vec<String> = units
            .map(|(place, unit)| format!("{} {1} 0 {1} true", anchor(&report, place), unit.counts.cells))
            .collect();
        assert_eq!(noted(&dom, "maps").split(';').collect::<Vec<_>>(), expected);
    }
}

#[test]
fn a_cell_that_is_not_offered_says_which_rule_refuses_it() {
    let policy = Arc::new(Policy::embedded("simulator-wormhole").expect("the policy comes with the suite"));
    let wired = wiring::suite();
    let cells = |instruction: &&Instruction| (instruction.cells)(Edition::Newest).len();
    let instruction = policy.instructions().map(tandem_cases::of).min_by_key(cells).expect("it has an instruction");
    let isa = wired.isa(instruction.isa).expect("its instruction set is there");
    let best = isa.targets.last().expect("there is a target").clone();
    let make = Arc::clone(&policy);
    let target = TargetFactory::new(move || Box::new(Refusing::new(best.make(), Arc::clone(&make)))).partial();
    let suite = Suite { isas: vec![isa.with_targets(vec![target])] };
    let plan = Plan { threads: 2, ..Plan::new(3, Budget::Cases(30_000), vec![(instruction, Edition::Newest)]) };
    let result = Campaign::new(&suite, &plan, &Progress::default()).run();
    let report = Report::build(&Inputs::new(&suite, &result));
    let unit = &report.result.units[0];
    assert_eq!(unit.target.as_deref(), Some(policy.name()));
    let refused = unit.map.statuses.find('U').expect("most of it is refused");
    let page = html::page(&report);
    assert!(page.contains("exploration: no claims") && page.contains("</b> specified</span>"));
    let Some(browser) = Browser::find() else { return };
    let anchor = format!("{}-{}", anchor(&report, 0), policy.name());
    let dom = browser.dom(&page, &format!("#{anchor}/{refused}"), 1280);
    assert!(tag(&dom, &anchor).contains("open"));
    assert!(dom.contains(&format!("Cell {refused}: unsupported")) && dom.contains("<p>Refused"));
}

#[test]
fn filters_act_before_anything_is_drawn_and_unknown_letters_are_shown() {
    let report = every_instruction();
    let Some(browser) = Browser::find() else { return };
    // The instruction with the largest product of axes, of which the fewest places have a cell.
    let product = |place: &usize| -> usize {
        report.result.units[*place].map.axes.iter().map(|axis| axis.levels.len()).product()
    };
    let place = (0..report.result.units.len()).max_by_key(product).expect("there are units");
    let (unit, anchor) = (&report.result.units[place], anchor(&report, place));
    let script = format!(
        "setTimeout(() => {{
           const map = document.getElementById('{anchor}');
           const note = (name, value) => document.body.setAttribute('data-' + name, value);
           const shown = () => map.querySelector('.shown').textContent;
           const set = (label, value) => {{
             const node = [...map.querySelectorAll('label')].find((one) => one.textContent.startsWith(label)).querySelector('select');
             node.value = [...node.options].find((one) => one.text === value).value;
             node.dispatchEvent(new Event('change'));
           }};
           set('status', 'unsupported');
           set('contested', 'contested');
           note('both', shown());
           note('squares', map.querySelectorAll('.squares td[data-at]').length);
           map.querySelectorAll('.views button')[1].click();
           note('cells', map.querySelectorAll('[data-cell]').length);
           [...map.querySelectorAll('button')].find((one) => one.textContent === 'show all').click();
           note('all', shown());
           set('status', 'status z');
           note('unknown', shown());
           note('label', map.querySelector('td[data-at]').getAttribute('aria-label'));
           set('contested', 'contested');
           note('none', shown());
         }}, 100);"
    );
    let dom = browser.dom(&with_script(&html::page(&report), &script), &format!("#{anchor}"), 1280);
    let both =
        (0..unit.counts.cells as usize).filter(|cell| cell % 5 == 0 && unit.map.statuses[*cell..].starts_with('U'));
    let both = both.count();
    let all = noted(&dom, "all").replace(',', "");
    assert!(noted(&dom, "both").replace(',', "").starts_with(&format!("{both} of {} cells: ", unit.counts.cells)));
    assert!(
        noted(&dom, "both").ends_with(&format!(": {both} unsupported, {both} contested")),
        "{}",
        noted(&dom, "both")
    );
    assert!((1..=both).contains(&noted(&dom, "squares").parse().expect("a number")));
    assert_eq!(noted(&dom, "cells"), both.to_string());
    assert!(all.starts_with(&format!("{} cells: ", unit.counts.cells)), "{all}");
    assert!(noted(&dom, "unknown").ends_with(": 1 row and 1 column: 1 status z"), "{}", noted(&dom, "unknown"));
    assert!(noted(&dom, "label").ends_with(": 1 status z"), "{}", noted(&dom, "label"));
    assert!(noted(&dom, "none").ends_with("no cell passes the filters"), "{}", noted(&dom, "none"));
}

#[test]
fn clicks_and_keys_do_what_they_say() {
    let report = report();
    let Some(browser) = Browser::find() else { return };
    let anchor = anchor(&report, 0);
    let script = format!(
        "const map = document.getElementById('{anchor}');
         map.querySelector('summary').click();
         setTimeout(() => {{
           const note = (name, value) => document.body.setAttribute('data-' + name, value);
           const press = (key) => document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {{ key, bubbles: true }}));
           const chosen = () => map.querySelector('[aria-selected=true]').dataset.cell;
           const squares = [...map.querySelectorAll('td[data-at]')];
           note('squares', squares.length);
           squares[0].focus();
           press('ArrowRight');
           note('walked', document.activeElement === squares[1]);
           press('Enter');
           note('entered', document.activeElement.dataset.cell !== undefined);
           note('one', map.querySelectorAll('[data-cell]').length);
           const second = [...map.querySelectorAll('[data-cell]')][1];
           second.click();
           note('clicked', chosen() === second.dataset.cell);
           press('ArrowLeft');
           note('moved', chosen() === map.querySelector('[data-cell]').dataset.cell);
           note('tabs', map.querySelectorAll('td[tabindex=\"0\"]').length);
           press('Escape');
           note('back', document.activeElement.dataset.at === squares[1].dataset.at);
           const down = map.querySelector('select');
           down.value = '5';
           down.dispatchEvent(new Event('change'));
           note('rows', map.querySelectorAll('.squares tbody tr').length);
           document.querySelector('#tools button').click();
           note('closed', document.querySelectorAll('main details:not([open]):not(.more)').length);
         }}, 100);"
    );
    let dom = browser.dom(&with_script(&html::page(&report), &script), "", 1280);
    let map = &report.result.units[0].map;
    let mut sizes: Vec<usize> = map.axes.iter().map(|axis| axis.levels.len()).collect();
    let rows = sizes[5];
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    let squares = sizes[0] * sizes[1];
    let one = map.statuses.len() / squares;
    for (name, value) in [("squares", squares), ("one", one), ("tabs", 1), ("rows", rows), ("closed", 0)] {
        assert_eq!(noted(&dom, name), value.to_string(), "{name}");
    }
    for name in ["walked", "entered", "clicked", "moved", "back"] {
        assert_eq!(noted(&dom, name), "true", "{name}");
    }
}

#[test]
fn a_narrow_window_needs_no_scrolling_to_the_side() {
    let report = report();
    let Some(browser) = Browser::find() else { return };
    let script = "document.querySelector('#tools button').click();
        setTimeout(() => {
          const all = [...document.querySelectorAll('body *')].filter((one) => !one.closest('.scroll, nav, pre, svg'));
          const wide = all.filter((one) => one.getBoundingClientRect().right > innerWidth + 1);
          const inner = document.documentElement.scrollWidth;
          const squares = document.querySelectorAll('.squares td[data-at]').length ? 'drawn' : 'missing';
          parent.document.body.setAttribute('data-widths', `${innerWidth} ${inner} ${squares} ${wide.map((one) => one.className)}`);
        }, 100);";
    let page = with_script(&html::page(&report), script).replace('&', "&amp;").replace('"', "&quot;");
    // The browser has no window below 500; a frame in it has.
    for width in [320, 380, 768, 1900] {
        let frame = format!(
            "<!doctype html><html><body><iframe width=\"{width}\" height=\"800\" frameborder=\"0\" scrolling=\"no\" \
             srcdoc=\"{page}\"></iframe></body></html>"
        );
        let dom = browser.dom(&frame, "", 2_000);
        let from = dom.find("data-widths=").expect("the script ran");
        let found: String = dom[from..].chars().take(200).collect();
        assert!(found.starts_with(&format!("data-widths=\"{width} {width} drawn \"")), "{found}");
    }
}

/// Runs axe on a page whose maps are open, and notes the rules that are broken, each with its first place.
const AXE: &str = "
    document.querySelector('#tools button').click();
    setTimeout(async () => {
      const found = await axe.run(document, { resultTypes: ['violations'] });
      const text = found.violations.map((one) => `${one.id} at ${one.nodes.length}: ${one.nodes[0].html.slice(0, 160)} ${one.nodes[0].failureSummary}`);
      document.body.setAttribute('data-axe', text.join('; ').replace(/[^ -~]/g, ' ') || `clean, ${found.passes.length} rules`);
    }, 100);";

/// axe-core is not ours to ship: `npm pack axe-core` brings it, and `TANDEM_AXE` names its `axe.min.js`.
#[test]
fn axe_finds_nothing_at_three_widths_in_both_themes() {
    let Some(path) = std::env::var_os("TANDEM_AXE") else {
        println!("not run: TANDEM_AXE does not name an axe.min.js");
        return;
    };
    let axe = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", Path::new(&path).display()));
    let Some(browser) = Browser::find() else { return };
    let page = html::page(&report());
    let page = with_script(&page, &format!("{}\n{AXE}", axe.replace("</script", "<\\/script")));
    for theme in ["light", "dark"] {
        for width in [500, 768, 1280] {
            let dom = browser.dom(&page, &format!("?theme={theme}"), width);
            let said = noted(&dom, "axe");
            assert!(said.starts_with("clean, "), "{theme}, {width}: {said}");
        }
    }
}

#[test]
fn hostile_strings_are_harmless_in_a_browser() {
    let mut report = report();
    let hostile = "<img src=x onerror=\"document.title='owned'\"></script><script>document.title='owned'</script>";
    for unit in &mut report.result.units {
        unit.classes[0].name = hostile.to_string();
        unit.map.axes[0].name = hostile.to_string();
        unit.map.axes[0].levels[0] = hostile.to_string();
    }
    let finding = &mut report.result.findings[0];
    finding.signature.place = hostile.to_string();
    finding.replay = hostile.to_string();
    finding.explanation = vec![hostile.to_string()];
    finding.citations[0].page.path = format!("\"onclick={hostile}");
    report.run.notes = vec![hostile.to_string()];
    let page = html::page(&report);
    assert!(!page.contains("<img"));
    let Some(browser) = Browser::find() else { return };
    // Once more without the policy, which would hide a mistake in the escaping.
    for page in [page.clone(), with_script(&page, "")] {
        let dom = browser.dom(&page, &format!("#{}/0", anchor(&report, 0)), 1280);
        assert!(!dom.contains("<title>owned") && !dom.contains("<img"), "{}", &dom[..dom.len().min(2_000)]);
        assert!(dom.contains("&lt;img src=x onerror="), "it is shown as text");
        assert!(dom.contains(" aria-selected=\"true\""), "the map is drawn nevertheless");
    }
}
