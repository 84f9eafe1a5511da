//! Every rule fires, and every premise both holds and fails, in one fixed set of small programs.
//! A rule or a premise that is added and not put to the test here makes the test fail.

use crate::building::*;
use crate::exploring::explore_with;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::profile::{NextBlock, Profile, Warps};
use gridlock_semantics::transition::Rule;
use gridlock_semantics::transition::coverage;
use gridlock_semantics::transition::coverage::{Coverage, Gap};
use gridlock_semantics::transition::premise::{Governs, Premise};
use std::collections::BTreeSet;
use std::fmt::Write;

/// A program with the profile it runs under.
struct Case {
    name: &'static str,
    build: Build,
    profile: Profile,
}

fn case(name: &'static str, profile: &str, build: Build) -> Case {
    let profile = Profile::named(profile).expect("a named profile");
    Case {
        name,
        build,
        profile,
    }
}

fn kernel(name: &'static str, profile: &str, threads: u32, body: fn(&mut Build) -> Y) -> Case {
    let mut build = Build::kernel(1, threads);
    let body = body(&mut build);
    build.body(body);
    case(name, profile, build)
}

/// A launch of a kernel of two steps, over `blocks` blocks.
fn launched(blocks: i64) -> Build {
    let mut h = Build::host();
    let g = h.procedure("g", ProcKind::Kernel);
    let x = h.var_of(g, "x", Type::I32);
    h.body_of(g, seq([assign(x, int(1)), assign(x, int(2))]));
    let n = |n| Expr::int(ScalarType::U32, n);
    h.body(basic(Basic::CallGpu {
        kernel: g,
        grid: [n(blocks), n(1), n(1)],
        block: [n(1), n(1), n(1)],
        shared_bytes: n(0),
        args: vec![],
        stream: None,
        cooperative: false,
    }));
    h
}

/// A launch into a stream, for which the host waits, and one into the default stream.
fn streamed() -> Build {
    let mut h = launched(1);
    let s = h.var("s", Type::Scalar(ScalarType::U64));
    let stream = Expr::var(s, Type::Scalar(ScalarType::U64));
    let launch = h.program.procs[0].body.clone();
    let launch_in_stream = match &h.program.procs[0].body.kind {
        OpKind::Basic(Basic::CallGpu {
            kernel,
            grid,
            block,
            shared_bytes,
            args,
            ..
        }) => basic(Basic::CallGpu {
            kernel: *kernel,
            grid: grid.clone(),
            block: block.clone(),
            shared_bytes: shared_bytes.clone(),
            args: args.clone(),
            stream: Some(stream.clone()),
            cooperative: false,
        }),
        _ => Op::skip(),
    };
    h.body(seq([
        basic(Basic::StreamCreate {
            var: s,
            non_blocking: false,
        }),
        launch_in_stream,
        launch,
        basic(Basic::StreamSync { stream }),
    ]));
    h
}

/// A stream that was never made.
fn no_stream() -> Build {
    let mut h = Build::host();
    let stream = Expr::int(ScalarType::U64, 7);
    h.body(basic(Basic::StreamSync { stream }));
    h
}

/// Two host threads.
fn parallel() -> Build {
    let mut h = Build::host();
    let (x, y) = (h.int("x"), h.int("y"));
    let branches = OpKind::Par(assign(x, int(1)), assign(y, int(2)));
    h.body(Op::new(branches, Span::NONE));
    h
}

/// Two blocks that each store to their own cell, one after the other in order of their numbers.
fn blocks_in_order() -> Case {
    let mut k = Build::kernel(2, 1);
    let a = k.array("a", &[0, 0]);
    k.body(store(&a, bid(), int(1)));
    let mut case = case("blocks one after the other", "cuda", k);
    case.profile.axes.safety.next = NextBlock::InOrder;
    case
}

/// A kernel over two blocks of one thread.
fn meeting_of_blocks(name: &'static str, body: fn(&mut Build) -> Y) -> Case {
    let mut build = Build::kernel(2, 1);
    let body = body(&mut build);
    build.body(body);
    case(name, "cuda", build)
}

/// A launch by host code of a kernel that has a grid barrier, not as a cooperative one.
fn ordinary_launch() -> Build {
    let mut h = launched(1);
    h.body_of(ProcId(1), grid_barrier());
    h
}

/// A variable nobody has assigned.
fn unassigned(k: &mut Build) -> Expr {
    let x = k.int("unassigned");
    v(x)
}

/// An exchange of all lanes of a warp.
fn exchange(k: &mut Build, function: WarpFn, more: Vec<Expr>) -> Y {
    let x = k.int("x");
    let first = match function {
        WarpFn::Shuffle(_) => tid(),
        _ => Expr::bool(true),
    };
    basic(Basic::Warp {
        function,
        mask: Expr::int(ScalarType::U32, u32::MAX as i64),
        operands: [vec![first], more].concat(),
        result: Some(x),
    })
}

fn shuffle(k: &mut Build, distance: i32, width: i32) -> Y {
    let function = WarpFn::Shuffle(ShuffleMode::Down);
    exchange(k, function, vec![int(distance), int(width)])
}

fn cases() -> Vec<Case> {
    let mut cases = vec![
        case("launches into a stream", "cuda", streamed()),
        case("a stream never made", "cuda", no_stream()),
        case("host threads", "cuda", parallel()),
        kernel("a loop", "cuda", 1, |k| {
            let i = k.int("i");
            let step = assign(i, add(v(i), int(1)));
            seq([assign(i, int(0)), while_do(lt(v(i), int(2)), step)])
        }),
        kernel("an undefined operand", "cuda", 1, |k| {
            let x = k.int("x");
            let value = unassigned(k);
            assign(x, add(value, int(1)))
        }),
        kernel("an undefined branch", "cuda", 1, |k| {
            when(eq(unassigned(k), int(0)), seq([]))
        }),
        kernel("an undefined loop", "cuda", 1, |k| {
            while_do(eq(unassigned(k), int(0)), seq([]))
        }),
        kernel("assertions", "cuda", 2, |_| {
            basic(Basic::Assert {
                cond: eq(tid(), int(0)),
            })
        }),
        kernel("assumptions", "cuda", 2, |_| {
            basic(Basic::Assume {
                cond: eq(tid(), int(0)),
            })
        }),
        kernel("calls", "cuda", 1, |k| {
            let f = k.procedure("f", ProcKind::Device);
            let n = k.param_of(f, "n", Type::I32);
            k.program.procs[f.0 as usize].result = Some(n);
            let x = k.int("x");
            let undefined = unassigned(k);
            seq([
                call(f, vec![int(1)], Some(x)),
                call(f, vec![undefined], Some(x)),
            ])
        }),
        kernel("a call without result", "cuda", 1, |k| {
            let f = k.procedure("f", ProcKind::Device);
            let result = k.var_of(f, "result", Type::I32);
            k.program.procs[f.0 as usize].result = Some(result);
            let x = k.int("x");
            call(f, vec![], Some(x))
        }),
        kernel("returns", "cuda", 2, |_| {
            seq([when(eq(tid(), int(0)), exit()), barrier(), exit()])
        }),
        kernel("a literal barrier", "paper-literal", 2, |_| barrier()),
        kernel("stores merged by value", "paper-literal", 2, |k| {
            let a = k.array("a", &[0]);
            store(&a, int(0), tid())
        }),
        kernel("threads apart", "paper", 2, |k| {
            let a = k.array("a", &[0]);
            when(eq(tid(), int(0)), store(&a, int(0), int(1)))
        }),
        kernel("a barrier in a branch", "cuda", 2, |_| {
            when(eq(tid(), int(0)), barrier())
        }),
        kernel("different barriers", "cuda", 2, |_| {
            if_else(eq(tid(), int(0)), barrier(), barrier())
        }),
        kernel("a warp barrier", "cuda", 2, |k| {
            let x = k.int("x");
            seq([when(eq(tid(), int(0)), assign(x, int(1))), sync_warp(3)])
        }),
        kernel("a mask without its caller", "cuda", 2, |_| sync_warp(1)),
        kernel("masks that differ", "cuda", 3, |_| {
            let mask = |n| Expr::int(ScalarType::U32, n);
            let mask = Expr::select(op(BinaryOp::Eq, tid(), int(1)), mask(3), mask(7));
            basic(Basic::SyncWarp { mask })
        }),
        kernel("a warp barrier on a path", "lockstep-warp", 2, |k| {
            let x = k.int("x");
            let one = when(eq(tid(), int(0)), sync_warp(3));
            seq([sync_warp(3), one, assign(x, int(1))])
        }),
        kernel("paths that meet", "lockstep-warp", 2, |k| {
            let x = k.int("x");
            let one = when(eq(tid(), int(0)), assign(x, int(1)));
            seq([one, assign(x, int(2))])
        }),
        kernel("a vote", "cuda", 2, |k| exchange(k, WarpFn::All, vec![])),
        kernel("a vote without warps", "portable", 1, |k| {
            exchange(k, WarpFn::All, vec![])
        }),
        kernel("a shuffle past the end", "cuda", 2, |k| shuffle(k, 1, 32)),
        kernel("a shuffle of no width", "cuda", 1, |k| shuffle(k, 0, 0)),
        kernel("active lanes", "cuda", 2, |k| {
            let m = k.var("m", Type::U32);
            basic(Basic::ActiveMask { result: m })
        }),
        blocks_in_order(),
        case("a launch", "cuda", launched(1)),
        case("a launch of no block", "cuda", launched(0)),
        case("blocks under the start rule", "paper", launched(2)),
        kernel("named barriers", "cuda", 4, |_| {
            let late = when(eq(tid(), int(3)), named_barrier(1, Some(2), false));
            let three = named_barrier(1, Some(2), true);
            seq([when(eq(tid(), int(2)), three), late])
        }),
        kernel("a seventeenth barrier", "cuda", 2, |_| {
            named_barrier(16, None, false)
        }),
        kernel("half a warp at a barrier", "cuda", 2, |_| {
            named_barrier(1, Some(1), false)
        }),
        kernel("a named barrier of too many", "cuda", 2, |_| {
            named_barrier(1, Some(4), false)
        }),
        kernel("two numbers of threads", "cuda", 4, |_| {
            if_else(
                lt(tid(), int(2)),
                named_barrier(1, Some(2), true),
                named_barrier(1, Some(4), true),
            )
        }),
        meeting_of_blocks("a grid barrier", |_| grid_barrier()),
        kernel(
            "a thread that the grid's barrier does not miss",
            "cuda-hw",
            2,
            |_| seq([when(eq(tid(), int(1)), exit()), grid_barrier()]),
        ),
        meeting_of_blocks("a block that ends before the grid barrier", |_| {
            when(eq(bid(), int(0)), grid_barrier())
        }),
        case(
            "a grid barrier in an ordinary launch",
            "cuda",
            ordinary_launch(),
        ),
    ];
    for case in &mut cases {
        if case.profile.axes.warps == Warps::Lockstep(32) {
            // The smallest warp that shows it.
            case.profile.axes.warps = Warps::Lockstep(2);
        }
        if case.name.contains("named") || case.name.contains("numbers") {
            case.profile.axes.warps = Warps::Independent(2);
        }
    }
    cases
}

/// What a case shows of the rules.
fn observe(case: &Case) -> Coverage {
    let _ = coverage::take();
    let mut fired = BTreeSet::new();
    let system = case.build.system_with(case.profile.clone());
    let found = explore_with(&system, 10_000, &mut |_, label, _| {
        fired.insert(label.rule);
    });
    assert!(found.complete, "{}", case.name);
    Coverage {
        fired,
        ..coverage::take()
    }
}

fn observed() -> Vec<(&'static str, Coverage)> {
    cases()
        .iter()
        .map(|case| (case.name, observe(case)))
        .collect()
}

fn all_but(dropped: &str) -> Coverage {
    let mut all = Coverage::default();
    for (_, seen) in observed().iter().filter(|(name, _)| *name != dropped) {
        all.add(seen);
    }
    all
}

#[test]
fn every_rule_fires_and_every_premise_holds_and_fails() {
    assert_eq!(all_but("").gaps(), []);
}

/// Which program shows what: the first that does.
#[test]
fn the_table_of_rules_and_premises() {
    let observed = observed();
    let first = |shows: &dyn Fn(&Coverage) -> bool| {
        let found = observed.iter().find(|(_, seen)| shows(seen));
        found.map_or("nothing", |(name, _)| *name)
    };
    let mut text = "\
# Each rule with a program in which it fires, and each premise with one in which it holds and one in
# which it fails. Written by:
# INSTA_UPDATE=always cargo test -p gridlock-semantics --test reference rule_coverage
"
    .to_owned();
    let mut sections: Vec<Governs> = Rule::ALL.iter().map(|r| Governs::Rule(*r)).collect();
    sections.extend([Governs::StartOfBlock, Governs::LockstepPath]);
    for of in sections {
        let _ = match of {
            Governs::Rule(rule) => {
                let fires = first(&|seen| seen.fired.contains(&rule));
                writeln!(text, "\n{rule:?}: {fires}")
            }
            other => writeln!(text, "\n{other:?}"),
        };
        for premise in Premise::ALL.iter().filter(|p| p.of() == of) {
            let holds = first(&|seen| seen.held.contains(premise));
            let fails = first(&|seen| seen.failed.contains(premise));
            let name = format!("{premise:?}");
            let _ = writeln!(text, "    {name:20} holds: {holds:28} fails: {fails}");
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/rule_coverage.txt");
    if std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always") {
        std::fs::write(path, &text).expect("the table can be written");
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert_eq!(written, text, "{path} is to be written anew: see its head");
}

/// What only one program shows is missed when that program is dropped: the test above can fail.
#[test]
fn a_rule_or_premise_without_a_program_is_a_gap() {
    assert_eq!(
        all_but("a literal barrier").gaps(),
        [
            Gap::NeverFired(Rule::R6),
            Gap::NeverFired(Rule::R7),
            Gap::NeverHeld(Premise::HasNotArrived),
            Gap::NeverHeld(Premise::CountIsFull),
            Gap::NeverFailed(Premise::HasNotArrived),
            Gap::NeverFailed(Premise::CountIsFull),
        ]
    );
    assert_eq!(
        all_but("masks that differ").gaps(),
        [Gap::NeverFailed(Premise::LanesMayArrive)]
    );
    let everything = Coverage::default().gaps().len();
    assert_eq!(everything, Rule::ALL.len() + 2 * Premise::ALL.len());
}

/// Rules that are possible whenever their operator is next need no premise; the others have one.
#[test]
fn every_rule_has_premises() {
    let unconditional: [Rule; 0] = [];
    for rule in Rule::ALL {
        let has = Premise::ALL.iter().any(|p| p.of() == Governs::Rule(*rule));
        assert_ne!(has, unconditional.contains(rule), "{rule:?}");
    }
}
