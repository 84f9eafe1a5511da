//! The options of each subcommand, as its help lists them, so that a new one is tried too.

use std::path::Path;
use std::process::Command;

/// One option of a subcommand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// With its dashes: `--grid`, `-D`.
    pub name: String,
    /// What its value is called, `X[,Y[,Z]]`; empty when it has none.
    pub value: String,
    /// All values there are, where help says so.
    pub possible: Vec<String>,
}

/// The subcommands help names, and those it hides.
pub fn subcommands(program: &Path) -> Vec<String> {
    let help = help(program, &[]);
    let listed = help.split("Commands:\n").nth(1).unwrap_or_default();
    let names = listed.lines().take_while(|line| !line.trim().is_empty());
    let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let mut names: Vec<String> = names
        .filter_map(|line| line.split_whitespace().next().map(str::to_owned))
        .collect();
    names.push("gpu-run".to_owned());
    names
}

/// The options of a subcommand.
pub fn of(program: &Path, subcommand: &str) -> Vec<Choice> {
    listed(&help(program, &[subcommand]))
}

fn help(program: &Path, before: &[&str]) -> String {
    let output = Command::new(program)
        .args(before)
        .arg("--help")
        .env("COLUMNS", "100")
        .output()
        .expect("the tool starts");
    String::from_utf8(output.stdout).expect("help is text")
}

fn listed(help: &str) -> Vec<Choice> {
    let mut found: Vec<Choice> = Vec::new();
    for line in help.lines() {
        let text = line.trim();
        let is_option = line.len() - line.trim_start().len() <= 6 && text.starts_with('-');
        if is_option {
            let (names, value) = match text.split_once(" <") {
                Some((names, value)) => (names, value.split("> ").next().unwrap_or(value)),
                None => (text, ""),
            };
            let name = names.split(", ").last().unwrap_or(names);
            let name = name.split([' ', '.']).next().unwrap_or(name);
            if !["--help", "--version"].contains(&name) && name != "-" {
                found.push(Choice {
                    name: name.to_owned(),
                    value: value.trim_end_matches('>').to_owned(),
                    possible: Vec::new(),
                });
            }
            continue;
        }
        let Some(last) = found.last_mut() else {
            continue;
        };
        if let Some(values) = text.strip_prefix("[possible values: ") {
            let values = values.trim_end_matches(']').split(", ");
            last.possible = values.map(str::to_owned).collect();
        } else if let Some(value) = text.strip_prefix("- ")
            && let Some((value, _)) = value.split_once(": ")
            && !value.contains(' ')
        {
            last.possible.push(value.to_owned());
        }
    }
    found
}

#[test]
fn options_are_read_off_help() {
    let help = "Usage: x\n\nOptions:\n  -k, --kernel <NAME>\n          Kernel\n\n  -D <NAME[=VALUE]>\n\
                \x20         Define\n\n      --brief\n          Less\n\n      --format <FORMAT>\n\
                \x20         How\n\n          Possible values:\n          - text: For people\n\
                \x20         - json: One object\n\n      --color <WHEN>\n          [possible values: auto, never]\n\
                \n  -v, --verbose...\n          Log\n\n  -h, --help\n          Print\n";
    let found = listed(help);
    let shown: Vec<(&str, &str, usize)> = found
        .iter()
        .map(|c| (&*c.name, &*c.value, c.possible.len()))
        .collect();
    let expected = [
        ("--kernel", "NAME", 0),
        ("-D", "NAME[=VALUE]", 0),
        ("--brief", "", 0),
        ("--format", "FORMAT", 2),
        ("--color", "WHEN", 2),
        ("--verbose", "", 0),
    ];
    assert_eq!(shown, expected);
}
