//! The README's output is real: every `console` block is run and compared. Seconds vary; they are
//! compared as `N s`. To write the blocks anew: `UPDATE_README=1 cargo test --test readme`.

use std::path::Path;
use std::process::Command;

const FENCE: &str = "```";

/// What a command prints, with times made equal.
fn normalised(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let words = line.split(' ').map(|word| {
            let number = word.trim_start_matches('(');
            let is_time = number.contains('.') && number.parse::<f64>().is_ok();
            if is_time { "N" } else { word }
        });
        lines.push(words.collect::<Vec<_>>().join(" ").trim_end().to_owned());
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.join("\n")
}

fn run(command: &str) -> String {
    let arguments = command
        .strip_prefix("gridlock ")
        .expect("a gridlock command");
    let output = Command::new(env!("CARGO_BIN_EXE_gridlock"))
        .args(arguments.split_whitespace())
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .env("COLUMNS", "100")
        .env("RUST_LOG", "off")
        .output()
        .expect("the tool runs");
    assert_ne!(
        output.status.code(),
        Some(2),
        "{command}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let stdout = String::from_utf8(output.stdout).expect("text");
    // The names of the machine's devices are not ours to promise.
    let mut shown = Vec::new();
    let mut in_device_runs = false;
    for line in stdout.lines() {
        in_device_runs = line == "Run" || (in_device_runs && !line.is_empty());
        if !in_device_runs {
            shown.push(line);
        }
    }
    shown.join("\n")
}

#[test]
fn the_output_shown_is_output_produced() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).expect("the README");
    let update = std::env::var_os("UPDATE_README").is_some();
    let mut written = String::new();
    let mut rest = readme.as_str();
    let mut n_blocks = 0;
    let opening = format!("{FENCE}console\n");
    while let Some(start) = rest.find(&opening) {
        let body = start + opening.len();
        let end = body
            + rest[body..]
                .find(&format!("{FENCE}\n"))
                .expect("a closed block");
        let (command, shown) = rest[body..end].split_once('\n').expect("a command");
        let command = command.strip_prefix("$ ").expect("a command after `$ `");
        let produced = run(command);
        n_blocks += 1;
        written.push_str(&rest[..body]);
        if update {
            let text = produced
                .lines()
                .map(str::trim_end)
                .collect::<Vec<_>>()
                .join("\n");
            written.push_str(&format!("$ {command}\n{}\n", text.trim_end()));
        } else {
            assert_eq!(
                normalised(shown),
                normalised(&produced),
                "README: {command}"
            );
        }
        rest = &rest[end..];
    }
    written.push_str(rest);
    assert!(n_blocks >= 4, "the README shows {n_blocks} commands");
    if update {
        std::fs::write(&path, written).expect("the README is written");
    }
}
