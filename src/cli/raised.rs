//! What public simulators raise against the pages: where those that are no ports of each other give the same bits, and nobody
//! has read yet who is right. The list is committed; `satellites/simulators/simulators.py report` writes it.

use serde::{Deserialize, Serialize};

const CONFLICTS: &str = include_str!("../../reports/simulators/conflicts.toml");

/// Simulators that agree against a page in one case. `differs` is the first place, with what was expected and what they gave;
/// `verdict` is empty while nobody has read it.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Conflict {
    chip: String,
    instruction: String,
    place: String,
    kind: String,
    simulators: Vec<String>,
    pub(super) case: String,
    text: String,
    page: String,
    differs: String,
    verdict: String,
}

#[derive(Deserialize)]
struct Conflicts {
    #[serde(default)]
    conflict: Vec<Conflict>,
}

/// The committed conflicts that nobody has read.
pub(super) fn raised() -> Vec<Conflict> {
    unread(CONFLICTS).expect("simulators.py wrote it")
}

fn unread(text: &str) -> Result<Vec<Conflict>, toml::de::Error> {
    let Conflicts { conflict } = toml::from_str(text)?;
    Ok(conflict.into_iter().filter(|one| one.verdict.is_empty()).collect())
}

impl Conflict {
    /// Its lines of the list of errata: whose it is, and then a name and a text each.
    pub(super) fn lines(&self) -> (String, [(&'static str, String); 3]) {
        let Self { chip, instruction, place, kind, simulators, case, text, page, differs, .. } = self;
        let count = simulators.len();
        let head = format!(
            "{case} (raised by {count} simulators that agree, read by nobody yet), {chip}/{instruction}, {place} {kind}, {page}"
        );
        let stored = format!("{text}, reports/simulators/cases/{case}.json");
        (head, [("simulators", simulators.join(", ")), ("case", stored), ("differs", differs.clone())])
    }

    /// Its section of `reports/errata.md`.
    pub(super) fn markdown(&self) -> String {
        let (head, lines) = self.lines();
        let lines: String = lines.iter().map(|(name, text)| format!("- {name}: `{text}`\n")).collect();
        format!("\n## {}\n\n- {head}\n{lines}", self.case)
    }
}

#[cfg(test)]
mod tests {
    use super::{raised, unread};

    #[test]
    fn what_somebody_read_is_not_raised() {
        let of = |case: &str, verdict: &str| {
            format!(
                "[[conflict]]\nchip = \"tensix-wh\"\ninstruction = \"MOVB2A\"\nplace = \"SrcA\"\nkind = \"value\"\n\
                 simulators = [\"a 1\", \"b 2\"]\ncase = \"{case}\"\ntext = \"TT_MOVB2A\"\npage = \"MOVB2A at 1ae1f852\"\n\
                 differs = \"SrcA[0][3][14]: expected 1, got 2\"\nverdict = \"{verdict}\"\n"
            )
        };
        let conflicts = unread(&(of("one", "theirs: a cause") + &of("two", ""))).expect("it is a list");
        let [conflict] = &conflicts[..] else { panic!("{} are raised", conflicts.len()) };
        let (head, lines) = conflict.lines();
        assert!(head.starts_with("two (raised by 2 simulators that agree, read by nobody yet), tensix-wh/"), "{head}");
        assert_eq!(lines[0], ("simulators", "a 1, b 2".to_string()));
        assert!(conflict.markdown().contains("- differs: `SrcA[0][3][14]: expected 1, got 2`"));
        assert!(unread(&of("three", "").replace("page", "pages")).is_err());
        assert!(raised().iter().all(|one| !one.case.is_empty()));
    }
}
