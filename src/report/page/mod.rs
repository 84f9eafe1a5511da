//! A page that shows how a defect came about: the schedule as lanes, the source beside it, values
//! at each step, and the graph of the states where one was asked for. One file without anything
//! from elsewhere, bounded in size whatever the run was. The page's own text is put in as data and
//! shown as text, so that neither names nor source can become markup.

mod graph;
pub mod pages;
mod run;
mod source;

pub use graph::Drawing;
pub use run::{Run, StepSeen};

use crate::report::render::sources::Sources;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fmt::Write;

/// What a page shows.
#[derive(Debug, Serialize)]
pub struct Page {
    /// `data-race of k in kernel.cu`.
    pub title: String,
    /// What was judged, under which profile.
    pub about: Vec<String>,
    /// What was established, in tables.
    pub tables: Vec<Table>,
    /// Lists of sentences, and texts.
    pub lists: Vec<List>,
    /// The schedules, of which one is in front.
    pub runs: Vec<Run>,
    /// The states visited.
    pub graph: Option<Drawing>,
    files: Vec<source::File>,
}

impl Page {
    /// A page on these runs, with the text of every source line they speak of.
    pub fn new(
        title: String,
        about: Vec<String>,
        runs: Vec<Run>,
        graph: Option<Drawing>,
        sources: &mut Sources,
    ) -> Page {
        let places: BTreeSet<(String, u32)> = runs.iter().flat_map(Run::places).collect();
        Page {
            title,
            about,
            tables: Vec::new(),
            lists: Vec::new(),
            runs,
            graph,
            files: source::files(&places, sources),
        }
    }

    /// What the page shows, as data.
    pub fn data(&self) -> Value {
        // Plain data with string keys: this cannot fail.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The whole page.
    pub fn html(&self) -> String {
        html(&self.data())
    }
}

/// A table with a head.
#[derive(Clone, Debug, Serialize)]
pub struct Table {
    /// Above it.
    pub title: String,
    /// One text a column.
    pub head: Vec<String>,
    /// Cells, as many as the head has.
    pub rows: Vec<Vec<String>>,
    /// Which column has verdicts, in colour.
    pub verdicts: usize,
}

/// A list of sentences, or of texts that are shown as they are.
#[derive(Clone, Debug, Serialize)]
pub struct List {
    /// Above it.
    pub title: String,
    /// Each is an item.
    pub items: Vec<String>,
    /// Lines and spaces count.
    pub is_text: bool,
}

/// A page of what [`Page::data`] gives.
pub fn html(data: &Value) -> String {
    let title = data["title"].as_str().unwrap_or_default();
    let data = data.to_string();
    let mut out = String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n");
    out.push_str("<meta charset=\"utf-8\">\n");
    out.push_str(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n",
    );
    out.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
    let _ = writeln!(out, "<title>{}</title>", escaped(title));
    let _ = writeln!(out, "<style>\n{}</style>", include_str!("page.css"));
    out.push_str("</head>\n<body>\n");
    out.push_str(include_str!("body.html"));
    let _ = writeln!(
        out,
        "<script type=\"application/json\" id=\"data\">{}</script>",
        inert(&data)
    );
    let _ = writeln!(out, "<script>\n{}</script>", include_str!("page.js"));
    out.push_str("</body>\n</html>\n");
    out
}

/// Text that stands as text in HTML.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// JSON that cannot end the element it stands in: these characters occur inside strings only.
fn inert(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_of_the_data_is_markup() {
        let page = Page {
            title: "</title><script>alert(1)</script>".to_owned(),
            about: vec!["<!-- </script> & \" ' \u{2028}".to_owned()],
            tables: vec![],
            lists: vec![],
            runs: vec![],
            graph: None,
            files: vec![],
        };
        let html = page.html();
        assert_eq!(
            html.matches("<script").count(),
            2,
            "the data and the page's own"
        );
        assert_eq!(html.matches("</script>").count(), 2);
        assert!(!html.contains("alert(1)</script>"));
        assert!(!html.contains("<!--"));
        let data = html.split("id=\"data\">").nth(1).unwrap();
        let data = data.split("</script>").next().unwrap();
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["about"][0], page.about[0]);
    }

    /// Nothing is fetched from anywhere.
    #[test]
    fn the_page_is_closed() {
        let page = Page {
            title: String::new(),
            about: vec![],
            tables: vec![],
            lists: vec![],
            runs: vec![],
            graph: None,
            files: vec![],
        };
        let html = page.html();
        for word in [
            "http:",
            "https:",
            "src=",
            "@import",
            "url(",
            "href",
            "innerHTML",
            "eval(",
        ] {
            let found = html.replace("http://www.w3.org/2000/svg", "");
            assert!(!found.contains(word), "{word}");
        }
    }
}
