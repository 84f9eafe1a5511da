//! Each rule is one file, whose head has its name, its formula, its premises and its effect.

use gridlock_semantics::transition::Rule;
use gridlock_semantics::transition::premise::{Governs, Premise};

/// A rule, or what else premises govern, what its head calls it, and its file.
struct Written {
    of: Governs,
    name: &'static str,
    file: &'static str,
}

macro_rules! written {
    ($of:expr, $name:literal, $file:literal) => {
        Written {
            of: $of,
            name: $name,
            file: include_str!(concat!("../../src/", $file)),
        }
    };
}

fn files() -> Vec<Written> {
    let rule = Governs::Rule;
    vec![
        written!(rule(Rule::R1), "R1, basic operator", "thread/basic.rs"),
        written!(rule(Rule::R2), "R2, branch", "thread/branch.rs"),
        written!(rule(Rule::R3), "R3, loop", "thread/iteration.rs"),
        written!(rule(Rule::R4), "R4, call", "thread/call.rs"),
        written!(rule(Rule::R5), "R5, return", "thread/call_end.rs"),
        written!(rule(Rule::R6), "R6", "block/literal_barrier.rs"),
        written!(rule(Rule::R7), "R7", "block/literal_barrier.rs"),
        written!(rule(Rule::R8), "R8, launch", "host/launch.rs"),
        written!(rule(Rule::R9), "R9, return", "host/launch_end.rs"),
        written!(rule(Rule::R10), "R10", "thread/exit.rs"),
        written!(rule(Rule::Merge), "`merge`", "grid/merge.rs"),
        written!(
            rule(Rule::CollectiveBarrier),
            "The collective barrier",
            "block/collective_barrier.rs"
        ),
        written!(
            rule(Rule::WarpBarrier),
            "WarpBarrier",
            "block/warp/together.rs"
        ),
        written!(
            rule(Rule::WarpExchange),
            "WarpExchange",
            "block/warp/together.rs"
        ),
        written!(
            rule(Rule::NamedBarrier),
            "Named barriers",
            "block/named_barrier.rs"
        ),
        written!(
            rule(Rule::GridBarrier),
            "The barrier of a grid",
            "grid/barrier.rs"
        ),
        written!(
            rule(Rule::StreamOperation),
            "`StreamOperation`, of the host",
            "host/asynchronous/calls.rs"
        ),
        written!(
            rule(Rule::StreamOperation),
            "`StreamOperation`, of a stream",
            "host/asynchronous/operations.rs"
        ),
        written!(rule(Rule::Fork), "Fork", "host/par.rs"),
        written!(rule(Rule::Join), "Join", "host/par.rs"),
        written!(
            Governs::StartOfBlock,
            "The start of a block",
            "grid/start.rs"
        ),
        written!(
            Governs::LockstepPath,
            "Lockstep warps",
            "block/warp/lockstep.rs"
        ),
    ]
}

/// The comment that a file begins with.
fn head(file: &str) -> String {
    let lines = file.lines().take_while(|line| line.starts_with("//!"));
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn each_rule_has_a_file_that_begins_with_it() {
    let files = files();
    for rule in Rule::ALL {
        assert!(
            files.iter().any(|f| f.of == Governs::Rule(*rule)),
            "{rule:?} has no file"
        );
    }
    for Written { of, name, file } in &files {
        let head = head(file);
        assert!(head.contains(name), "the file of {of:?} does not name it");
        assert!(head.contains("//! Premise"), "{name}: no premises");
        if let Governs::Rule(_) = of {
            assert!(head.contains("//! ```text"), "{name}: no formula");
            assert!(head.contains("//! Effect"), "{name}: no effect");
        }
    }
}

#[test]
fn each_premise_stands_in_the_head_of_what_it_governs() {
    let files = files();
    for premise in Premise::ALL {
        let named = format!("{premise:?}`]");
        let mut heads = files.iter().filter(|f| f.of == premise.of());
        assert!(
            heads.any(|f| head(f.file).contains(&named)),
            "{premise:?} stands in no head of {:?}",
            premise.of()
        );
    }
}
