//! The CPU and its device: launches, copies, allocation, and what goes wrong there.

use crate::building::*;
use crate::exploring::{Outcome, explore};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use gridlock_semantics::transition::fault::FaultKind;
use gridlock_semantics::transition::{Actor, Rule, TransitionSystem};

fn unsigned(n: u32) -> Expr {
    Expr::int(ScalarType::U32, n as i64)
}

fn alloc(var: VarId, bytes: u32, space: AllocSpace) -> Y {
    basic(Basic::Alloc {
        var,
        elem: ScalarType::I32,
        bytes: unsigned(bytes),
        space,
    })
}

fn free(pointer: &Expr, space: AllocSpace) -> Y {
    basic(Basic::Free {
        pointer: pointer.clone(),
        space,
        stream: None,
    })
}

fn copy(kind: CopyKind, dst: &Expr, src: &Expr, bytes: u32) -> Y {
    basic(Basic::Copy {
        kind,
        dst: dst.clone(),
        src: src.clone(),
        bytes: unsigned(bytes),
        stream: None,
    })
}

fn launch(kernel: ProcId, grid: u32, block: u32, args: Vec<Expr>) -> Y {
    basic(Basic::CallGpu {
        kernel,
        grid: [unsigned(grid), unsigned(1), unsigned(1)],
        block: [unsigned(block), unsigned(1), unsigned(1)],
        shared_bytes: unsigned(0),
        args,
        stream: None,
        cooperative: false,
    })
}

/// Host code with `int a[2]` of the caller and a device pointer `d`, around what `body` makes; the
/// kernel increments `p[threadIdx.x]`.
fn program(body: impl FnOnce(&Expr, &Expr, VarId, ProcId) -> Vec<Y>) -> Build {
    let mut h = Build::host();
    let a = h.array("a", &[5, 7]);
    let d = h.var("d", Type::pointer_to(ScalarType::I32));
    let kernel = h.procedure("kernel", ProcKind::Kernel);
    let p = h.param_of(kernel, "p", Type::pointer_to(ScalarType::I32));
    let p = Expr::var(p, Type::pointer_to(ScalarType::I32));
    let cell = at(&p, tid());
    h.body_of(kernel, store(&p, tid(), add(cell, int(1))));
    let device = Expr::var(d, Type::pointer_to(ScalarType::I32));
    let ops = body(&a, &device, d, kernel);
    h.body(seq(ops));
    h
}

fn whole(grid: u32, block: u32) -> Build {
    use AllocSpace::Global;
    program(|a, device, d, kernel| {
        vec![
            alloc(d, 8, Global),
            copy(CopyKind::HostToDevice, device, a, 8),
            launch(kernel, grid, block, vec![device.clone()]),
            basic(Basic::DeviceSync),
            copy(CopyKind::DeviceToHost, a, device, 8),
            free(device, Global),
        ]
    })
}

/// The only outcome: the contents of `a`, or the fault.
fn outcome(build: &Build) -> Result<Vec<Value>, FaultKind> {
    let system = build.system("cuda");
    let found = explore(&system, 10_000);
    assert!(found.complete);
    assert_eq!(found.outcomes.len(), 1, "{:?}", found.outcomes);
    match found.outcomes.first() {
        Some(Outcome::Final(seen)) => Ok(seen.arrays[0].cells.clone()),
        _ => Err(fault(build)),
    }
}

fn fault(build: &Build) -> FaultKind {
    let system = build.system("cuda");
    let mut state = system.initial().remove(0);
    loop {
        let mut found = Vec::new();
        system.successors(&state, &mut found);
        match found.pop() {
            Some((_, next)) => state = next,
            None => return state.fault().expect("a fault").kind.clone(),
        }
    }
}

#[test]
fn copy_launch_copy_back() {
    assert_eq!(
        outcome(&whole(1, 2)),
        Ok(vec![Value::i32(6), Value::i32(8)])
    );
    let system = whole(1, 2).system("cuda");
    let mut state = system.initial().remove(0);
    let mut rules = Vec::new();
    loop {
        let mut found = Vec::new();
        system.successors(&state, &mut found);
        let Some((label, next)) = found.pop() else {
            break;
        };
        let boundary = [Rule::R8, Rule::R9].contains(&label.rule);
        assert_eq!(boundary, label.actors == [Actor::Device]);
        // While the device computes, the CPU stands at its launch.
        if state.device.is_some() {
            assert!(system.fire(&state, &[Actor::Host]).is_empty());
            assert_eq!(next.memory.host, state.memory.host);
        }
        rules.push(label.rule);
        state = next;
    }
    use Rule::{R1, R8, R9};
    // Allocation, copy, launch, three operators of each of two threads, end, and three more.
    assert_eq!(rules, [R1, R1, R8, R1, R1, R1, R1, R9, R1, R1, R1]);
    assert!(system.is_final(&state));
    assert!(system.leaks(&state).is_empty());
}

#[test]
fn r8_needs_an_idle_device_and_r9_a_final_one() {
    let system = whole(1, 2).system("cuda");
    let (_, launched) = replay(&system, &[Actor::Host, Actor::Host, Actor::Device]);
    assert!(launched.device.is_some());
    assert!(system.fire(&launched, &[Actor::Device]).is_empty());
    // Before the launch there is nothing for the device to do.
    let (_, before) = replay(&system, &[Actor::Host]);
    assert!(system.fire(&before, &[Actor::Device]).is_empty());
}

#[test]
fn device_memory_is_kept_between_launches() {
    use AllocSpace::Global;
    let twice = program(|a, device, d, kernel| {
        vec![
            alloc(d, 8, Global),
            copy(CopyKind::HostToDevice, device, a, 8),
            launch(kernel, 1, 1, vec![device.clone()]),
            launch(kernel, 1, 2, vec![device.clone()]),
            copy(CopyKind::DeviceToHost, a, device, 8),
        ]
    });
    assert_eq!(outcome(&twice), Ok(vec![Value::i32(7), Value::i32(8)]));
    // The allocation is never freed.
    let system = twice.system("cuda");
    let found = explore(&system, 1000);
    assert!(found.complete);
    let mut state = system.initial().remove(0);
    loop {
        let mut found = Vec::new();
        system.successors(&state, &mut found);
        let Some((_, next)) = found.pop() else { break };
        state = next;
    }
    let leaks = system.leaks(&state);
    let leaked: Vec<_> = leaks.iter().map(|leak| (&*leak.name, leak.space)).collect();
    assert_eq!(leaked, [("d", Some(Space::Global))]);
}

#[test]
fn a_launch_the_device_refuses() {
    for (grid, block, expected) in [
        (0, 2, "the grid has no extent in x (0)"),
        (1, 0, "the block has no extent in x (0)"),
        (1, 2000, "the block is 2000 in x, the limit is 1024"),
    ] {
        let reason = expected.to_owned();
        assert_eq!(
            outcome(&whole(grid, block)),
            Err(FaultKind::InvalidLaunch { reason })
        );
    }
    let mut unlimited = whole(1, 2000);
    unlimited.setup.device = DeviceLimits::NONE;
    let system = unlimited.system("cuda");
    let (labels, state) = replay(&system, &[Actor::Host, Actor::Host, Actor::Device]);
    assert_eq!(labels[2].fault, None);
    assert!(state.device.is_some());
}

#[test]
fn memory_of_the_other_side_is_out_of_reach() {
    use AllocSpace::{Global, Host};
    let host_reads_device =
        program(|a, device, d, _| vec![alloc(d, 8, Global), store(a, int(0), at(device, int(0)))]);
    let expected = |array: &str, space| FaultKind::WrongMemory {
        array: array.into(),
        space,
    };
    assert_eq!(
        outcome(&host_reads_device),
        Err(expected("d", Space::Global))
    );
    let device_reads_host = program(|a, _, _, kernel| vec![launch(kernel, 1, 1, vec![a.clone()])]);
    assert_eq!(outcome(&device_reads_host), Err(expected("a", Space::Host)));
    let copied_the_wrong_way = program(|a, device, d, _| {
        vec![
            alloc(d, 8, Global),
            copy(CopyKind::DeviceToHost, device, a, 8),
        ]
    });
    assert!(matches!(
        outcome(&copied_the_wrong_way),
        Err(FaultKind::WrongMemory { .. })
    ));
    let host_pointer_freed_on_device =
        program(|_, device, d, _| vec![alloc(d, 8, Host), free(device, Global)]);
    assert_eq!(
        outcome(&host_pointer_freed_on_device),
        Err(expected("d", Space::Host))
    );
}

#[test]
fn freed_memory_is_gone() {
    use AllocSpace::Global;
    let array = || "d".into();
    let space = Space::Global;
    let used = program(|_, device, d, kernel| {
        vec![
            alloc(d, 8, Global),
            free(device, Global),
            launch(kernel, 1, 1, vec![device.clone()]),
        ]
    });
    let expected = FaultKind::UseAfterFree {
        array: array(),
        space,
    };
    assert_eq!(outcome(&used), Err(expected.clone()));
    let copied = program(|a, device, d, _| {
        vec![
            alloc(d, 8, Global),
            free(device, Global),
            copy(CopyKind::DeviceToHost, a, device, 8),
        ]
    });
    assert_eq!(outcome(&copied), Err(expected));
    let twice = program(|_, device, d, _| {
        vec![
            alloc(d, 8, Global),
            free(device, Global),
            free(device, Global),
        ]
    });
    let expected = FaultKind::DoubleFree {
        array: array(),
        space,
    };
    assert_eq!(outcome(&twice), Err(expected));
    let null = program(|_, device, d, _| {
        let null = Expr::i32(0).cast(Type::pointer_to(ScalarType::I32));
        vec![assign(d, null), free(device, Global)]
    });
    assert!(
        outcome(&null).is_ok(),
        "freeing the null pointer does nothing"
    );
}

#[test]
fn byte_counts_are_whole_numbers_of_elements_inside_the_arrays() {
    use AllocSpace::Global;
    let misaligned = |array: &str| FaultKind::Misaligned {
        array: array.into(),
    };
    let odd = program(|_, _, d, _| vec![alloc(d, 7, Global)]);
    assert_eq!(outcome(&odd), Err(misaligned("d")));
    for (bytes, expected) in [(8, None), (0, None), (6, Some("odd")), (12, Some("far"))] {
        let copied = program(|a, device, d, _| {
            vec![
                alloc(d, 12, Global),
                copy(CopyKind::HostToDevice, device, a, bytes),
                copy(CopyKind::DeviceToHost, a, device, bytes.min(8)),
            ]
        });
        match (outcome(&copied), expected) {
            (Ok(_), None) => {}
            (Err(FaultKind::Misaligned { .. }), Some("odd")) => {}
            (
                Err(FaultKind::OutOfBounds {
                    index: 2,
                    extent: 2,
                    ..
                }),
                Some("far"),
            ) => {}
            other => panic!("{bytes}: {other:?}"),
        }
    }
}

#[test]
fn device_memory_starts_uninitialised() {
    use AllocSpace::Global;
    let unwritten = program(|_, device, d, kernel| {
        vec![
            alloc(d, 8, Global),
            launch(kernel, 1, 1, vec![device.clone()]),
        ]
    });
    assert!(matches!(
        outcome(&unwritten),
        Err(FaultKind::UninitialisedRead { .. })
    ));
    // Copying such cells is no read.
    let copied = program(|a, device, d, _| {
        vec![
            alloc(d, 8, Global),
            copy(CopyKind::DeviceToHost, a, device, 8),
        ]
    });
    assert_eq!(outcome(&copied), Ok(vec![Value::Undef, Value::Undef]));
}

#[test]
fn host_procedures_call_each_other_and_give_results() {
    let mut h = Build::host();
    let r = h.int("r");
    h.program.procs[0].result = Some(r);
    let f = h.procedure("f", ProcKind::Host);
    let n = h.param_of(f, "n", Type::I32);
    let s = h.var_of(f, "s", Type::I32);
    h.program.procs[1].result = Some(s);
    h.body_of(f, assign(s, add(v(n), int(1))));
    h.body(call(f, vec![int(1)], Some(r)));
    let system = h.system("cuda");
    let (labels, last) = replay(&system, &[Actor::Host; 3]);
    let rules: Vec<Rule> = labels.iter().map(|label| label.rule).collect();
    assert_eq!(rules, [Rule::R4, Rule::R1, Rule::R5]);
    assert_eq!(system.observe(&last).result, Some(Value::i32(2)));
}

/// Whether it is the last operator that assigns the result, or one before.
#[test]
fn the_result_is_what_was_assigned_last() {
    for (ops, expected) in [
        (vec![("r", 7)], Some(Value::i32(7))),
        (vec![("r", 7), ("r", 8)], Some(Value::i32(8))),
        (vec![("r", 7), ("x", 8)], Some(Value::i32(7))),
        (vec![("x", 8)], Some(Value::Undef)),
    ] {
        let mut h = Build::host();
        let (r, x) = (h.int("r"), h.int("x"));
        h.program.procs[0].result = Some(r);
        let to = |name| if name == "r" { r } else { x };
        let assigned = ops.iter().map(|&(name, n)| assign(to(name), int(n)));
        h.body(seq(assigned.collect::<Vec<_>>()));
        let system = h.system("cuda");
        let (_, last) = replay(&system, &vec![Actor::Host; ops.len()]);
        assert_eq!(system.observe(&last).result, expected, "{ops:?}");
    }
}

#[test]
fn setups_that_do_not_fit_are_refused() {
    use gridlock_semantics::profile::Profile;
    use gridlock_semantics::setup::{Arg, Contents};
    use gridlock_semantics::system::{ProgramSystem, SetupError};
    use std::sync::Arc;
    let mut k = Build::kernel(1, 1);
    k.array("a", &[0]);
    let n = k.param_of(ProcId(0), "n", Type::I32);
    k.setup.args.push(Arg::Scalar(Value::i32(0)));
    let _ = n;
    type Change = fn(&mut Build);
    type Expected = fn(&SetupError) -> bool;
    let cases: [(Change, Expected); 9] = [
        (
            |k| k.setup.launch = None,
            |e| matches!(e, SetupError::NoLaunch { .. }),
        ),
        (
            |k| k.setup.entry = ProcId(7),
            |e| matches!(e, SetupError::NoSuchEntry),
        ),
        (
            |k| k.setup.launch.as_mut().expect("a launch").block = [0, 1, 1],
            |e| matches!(e, SetupError::Launch(_)),
        ),
        (
            |k| k.setup.args.truncate(1),
            |e| {
                matches!(
                    e,
                    SetupError::ArgumentCount {
                        expected: 2,
                        given: 1,
                        ..
                    }
                )
            },
        ),
        (
            |k| k.setup.args[1] = Arg::Scalar(Value::f32(0.0)),
            |e| matches!(e, SetupError::ArgumentType { .. }),
        ),
        (
            |k| k.setup.args[0] = Arg::Array(3),
            |e| matches!(e, SetupError::NoSuchArray { array: 3, .. }),
        ),
        (
            |k| k.setup.arrays[0].contents = Contents::Values(vec![Value::i32(0); 2]),
            |e| matches!(e, SetupError::Contents { .. }),
        ),
        (
            |k| k.program.procs[0].kind = ProcKind::Device,
            |e| matches!(e, SetupError::DeviceEntry { .. }),
        ),
        (
            |k| k.program.procs[0].kind = ProcKind::Host,
            |e| matches!(e, SetupError::UnneededLaunch { .. }),
        ),
    ];
    for (index, (change, expected)) in cases.into_iter().enumerate() {
        let mut changed = Build {
            program: k.program.clone(),
            setup: k.setup.clone(),
        };
        change(&mut changed);
        let program = Arc::new(changed.finished());
        let error = ProgramSystem::new(program, changed.setup, Profile::default())
            .expect_err("a setup that does not fit");
        assert!(expected(&error), "case {index}: {error:?}");
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn profiles_without_a_meaning_are_refused() {
    use gridlock_semantics::profile::{BarrierRule, Firing, Profile, Warps};
    use gridlock_semantics::system::{ProgramSystem, SetupError};
    use std::sync::Arc;
    let k = Build::kernel(1, 1);
    let start = |change: fn(&mut Profile)| {
        let mut profile = Profile::named("lockstep-warp").expect("a named profile");
        change(&mut profile);
        ProgramSystem::new(Arc::new(k.finished()), k.setup.clone(), profile)
    };
    assert!(start(|_| {}).is_ok());
    assert!(start(|profile| profile.axes.warps = Warps::Independent(1)).is_ok());
    let refused: [fn(&mut Profile); 4] = [
        |profile| profile.axes.firing = Firing::Set,
        |profile| profile.axes.barrier = BarrierRule::Literal,
        |profile| profile.axes.warps = Warps::Lockstep(64),
        |profile| profile.axes.warps = Warps::Independent(0),
    ];
    for change in refused {
        assert!(matches!(start(change), Err(SetupError::Profile { .. })));
    }
}

#[test]
fn only_whole_arrays_are_freed() {
    use AllocSpace::Global;
    let inside = program(|_, device, d, _| {
        let second = Expr::offset(device.clone(), int(1));
        vec![alloc(d, 8, Global), free(&second, Global)]
    });
    let expected = FaultKind::Misaligned { array: "d".into() };
    assert_eq!(outcome(&inside), Err(expected));
}

#[test]
fn private_arrays_of_the_host_are_out_of_the_device_s_reach() {
    let mut h = Build::host();
    h.array("a", &[0]);
    let local = h.declared("local", Space::Private, 1, Some(0));
    let kernel = h.procedure("kernel", ProcKind::Kernel);
    let ty = Type::pointer_to(ScalarType::I32);
    let p = Expr::var(h.param_of(kernel, "p", ty), ty);
    h.body_of(kernel, store(&p, int(0), int(1)));
    h.body(seq([
        store(&local, int(0), int(0)),
        launch(kernel, 1, 1, vec![local.clone()]),
    ]));
    let expected = FaultKind::WrongMemory {
        array: "local".into(),
        space: Space::Host,
    };
    assert_eq!(outcome(&h), Err(expected));
}
