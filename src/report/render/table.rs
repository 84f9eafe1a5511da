//! Tables whose last column is wrapped.

use crate::words::style::{Ink, Style};
use std::fmt::Write;

/// A cell and its colour.
pub type Cell = (String, Option<Ink>);

/// Lays out `rows` under `head`, indented by two; the last column is wrapped at the width.
/// Every row has as many cells as the head.
pub fn table(head: &[&str], rows: &[Vec<Cell>], style: &Style) -> String {
    let n_fixed = head.len() - 1;
    let widths: Vec<usize> = (0..n_fixed)
        .map(|column| {
            let cells = rows.iter().map(|row| width(&row[column].0));
            cells.chain([width(head[column])]).max().unwrap_or(0)
        })
        .collect();
    let before_last = 2 + widths.iter().map(|w| w + 2).sum::<usize>();
    let room = style.width.saturating_sub(before_last).max(24);
    let mut out = String::new();
    let head: Vec<Cell> = head
        .iter()
        .map(|&cell| (cell.to_owned(), Some(Ink::Faint)))
        .collect();
    for row in std::iter::once(&head).chain(rows) {
        let mut line = String::from("  ");
        for ((text, ink), &column) in row[..n_fixed].iter().zip(&widths) {
            let painted = ink.map_or(text.clone(), |ink| style.paint(ink, text));
            let padding = column - width(text) + 2;
            let _ = write!(line, "{painted}{:padding$}", "");
        }
        let (last, ink) = &row[n_fixed];
        for (i, part) in wrap(last, room).iter().enumerate() {
            if i > 0 {
                line.push('\n');
                line.extend(std::iter::repeat_n(' ', before_last));
            }
            line.push_str(&ink.map_or(part.clone(), |ink| style.paint(ink, part)));
        }
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

/// A list item with a hanging indent.
pub fn item(text: &str, style: &Style) -> String {
    let mut out = String::new();
    for (i, part) in wrap(text, style.width.saturating_sub(4).max(24))
        .iter()
        .enumerate()
    {
        let _ = writeln!(out, "{}{part}", if i == 0 { "  - " } else { "    " });
    }
    out
}

fn width(text: &str) -> usize {
    text.chars().count()
}

/// Breaks `text` at blanks into lines of at most `room` columns where words allow.
pub fn wrap(text: &str, room: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && width(&line) + 1 + width(word) > room {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_column_wraps_under_itself() {
        let style = Style {
            colour: false,
            width: 41,
        };
        let rows = [vec![
            ("races".to_owned(), None),
            ("no two threads touch one cell unordered".to_owned(), None),
        ]];
        let drawn = table(&["property", "what"], &rows, &style);
        let expected =
            "  property  what\n  races     no two threads touch one cell\n            unordered\n";
        assert_eq!(drawn, expected);
    }

    #[test]
    fn colours_do_not_count_as_width() {
        let style = Style {
            colour: true,
            width: 60,
        };
        let rows = [vec![
            ("refuted".to_owned(), Some(Ink::Bad)),
            ("x".to_owned(), None),
        ]];
        let drawn = table(&["verdict", "w"], &rows, &style);
        assert!(drawn.contains("\x1b[1;31mrefuted\x1b[0m  x"), "{drawn}");
    }
}
