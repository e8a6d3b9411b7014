//! One page of tables that were made from the reference: what users keep asking.

use std::fmt::Write;

use super::{begin, code, slug, text};

const MORE_STYLE: &str = "\
    td, tbody th { padding: .25rem .8rem .25rem 0; vertical-align: top; border-bottom: 1px solid var(--line); } \
    tbody th { font-weight: 400; } thead th { padding-right: .8rem; } td { min-width: 7rem; max-width: 34rem; \
    overflow-wrap: anywhere; } td summary { cursor: pointer; } td details code { display: block; user-select: all; }\n";

/// A table: its name, what it says, the names of its columns behind the first two, and its rows.
#[derive(Clone, Debug, Default)]
pub struct Table {
    /// A word for it.
    pub name: String,
    /// What it says.
    pub title: String,
    /// The names of the columns behind the first two, which are the instruction and what of it.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A row of a table.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// The instruction, and what of it.
    pub of: [String; 2],
    /// What stands in each column: texts, each with on whose word it is, and the commands that show it.
    pub cells: Vec<Vec<(String, String, Vec<String>)>>,
}

/// The page of some tables.
#[must_use]
pub fn page(tables: &[Table]) -> String {
    let links = tables.iter().map(|one| format!("<a href=\"#{}\">{}</a>", slug(&one.name), text(&one.name)));
    let mut html = format!(
        "{}<header class=\"top\"><h1>Answers</h1>\n<p>Each was made by running the reference, which is transcribed from the \
         vendor's pages. Open one for the command that shows it.</p></header>\n<nav>{}</nav>\n<main>\n",
        begin("Answers", MORE_STYLE),
        links.collect::<String>()
    );
    for Table { name, title, columns, rows } in tables {
        let columns: String = columns.iter().map(|name| format!("<th scope=\"col\">{}</th>", text(name))).collect();
        let _ = write!(
            html,
            "<section id=\"{}\"><h2>{1}</h2>\n<p>{2}.</p>\n<div class=\"scroll\" tabindex=\"0\" role=\"group\" \
             aria-label=\"{1}\"><table><thead><tr><th scope=\"col\">instruction</th><th scope=\"col\">of</th>{columns}\
             </tr></thead>\n<tbody>\n",
            slug(name),
            text(name),
            text(title)
        );
        for Row { of: [instruction, of], cells } in rows {
            let cells: String =
                cells.iter().map(|cell| format!("<td>{}</td>", cell.iter().map(answer).collect::<String>())).collect();
            let _ = writeln!(html, "<tr><th scope=\"row\">{}</th><td>{}</td>{cells}</tr>", text(instruction), text(of));
        }
        html.push_str("</tbody></table></div></section>\n");
    }
    html + "</main>\n</body>\n</html>\n"
}

fn answer((says, word, shown): &(String, String, Vec<String>)) -> String {
    let shown: String = shown.iter().map(|command| code(command)).collect();
    format!("<details><summary>{}</summary>{shown}<small>{}</small></details>", text(says), text(word))
}
