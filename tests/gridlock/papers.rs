//! `docs/papers.md`: its rows say what is there and show it by commands that are run here.

use crate::tool::run;
use gridlock_generation::effort;
use std::path::Path;

const PAGE: &str = include_str!("../../docs/papers.md");
/// A short run runs one command of so many.
const SHARE: usize = 8;

/// Section, what, where, shown by, state, what differs.
fn rows() -> Vec<Vec<&'static str>> {
    let lines = PAGE.lines().filter(|line| line.starts_with("| "));
    let cells = lines.map(|line| {
        let inside = line.trim().trim_start_matches('|').strip_suffix('|');
        let cells = inside.unwrap_or_default().split('|');
        cells.map(str::trim).collect()
    });
    let rows = cells.filter(|cells: &Vec<&str>| cells[0] != "section");
    rows.collect()
}

/// What stands between backticks.
fn quoted(cell: &str) -> impl Iterator<Item = &str> {
    cell.split('`').skip(1).step_by(2)
}

#[test]
fn each_row_says_whether_it_is_there_and_where() {
    let rows = rows();
    assert!(rows.len() > 40, "{}", rows.len());
    for row in rows {
        let [_, _, place, shown, state, otherwise] = row[..] else {
            panic!("{row:?}");
        };
        assert!(["there", "in part", "missing"].contains(&state), "{row:?}");
        assert!(state == "there" || !otherwise.is_empty(), "{row:?}");
        assert!(
            state == "missing" || !(place.is_empty() && otherwise.is_empty()),
            "{row:?}"
        );
        for path in quoted(place) {
            let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
            assert!(path.exists(), "{}", path.display());
        }
        assert!(
            quoted(shown).all(|command| command.starts_with("gridlock ")),
            "{row:?}"
        );
    }
}

#[test]
fn what_is_there_is_shown_by_commands() {
    for row in rows().iter().filter(|row| row.len() == 6) {
        for shown in row[3].split(';').filter(|_| effort::is_next_done(SHARE)) {
            let Some(command) = quoted(shown).next() else {
                continue;
            };
            let arguments: Vec<&str> = command.split(' ').skip(1).collect();
            let expected = if shown.trim().ends_with("(1)") { 1 } else { 0 };
            let ran = run(&arguments);
            assert_eq!(
                ran.status, expected,
                "{command}\n{}{}",
                ran.stdout, ran.stderr
            );
        }
    }
}
