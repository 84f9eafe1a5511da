//! The script that stores what a user can observe, and compares: it finds what is planted, and forgets no command.

use crate::tool::run;
use std::process::Command;

fn script(arguments: &[&str]) -> String {
    let root = env!("CARGO_MANIFEST_DIR");
    let output = Command::new(format!("{root}/scripts/observables.sh"))
        .args(arguments)
        .args(["--program", env!("CARGO_BIN_EXE_gridlock")])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_changed_verdict_message_or_count_is_found_and_nothing_else() {
    let told = script(&["self-test"]);
    assert!(told.ends_with("what was planted was found\n"), "{told}");
}

#[test]
fn every_command_is_observed() {
    let plan = script(&["plan"]);
    let help = run(&["--help"]).stdout;
    let listed = help.split("Commands:\n").nth(1).unwrap();
    let listed = listed.lines().take_while(|line| !line.is_empty());
    // What a command does goes on in lines further to the right.
    let names = listed.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: Vec<&str> = names.filter(|name| !["", "help"].contains(name)).collect();
    assert!(names.len() >= 14, "{names:?}");
    for name in names {
        // More than its help.
        let observed = plan.contains(&format!("gridlock {name} "));
        assert!(observed, "{name} is not in the plan");
        assert!(
            plan.contains(&format!("gridlock {name} --help")),
            "{name} --help is not in the plan"
        );
    }
}
