//! States as values: equal contents are equal states, copies share, residuals compare by position.

use crate::building::*;
use crate::exploring::explore;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::{Op, OpKind};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::memory::{Array, ArrayInfo, MOST_SHOWN, Memory};
use gridlock_semantics::setup::Contents;
use gridlock_semantics::thread::residual::Residual;
use gridlock_semantics::transition::TransitionSystem;
use std::sync::Arc;

fn array(extent: Option<u64>, contents: Contents) -> Array {
    Array::new(Arc::new(ArrayInfo {
        name: "a".into(),
        elem: ScalarType::I32,
        space: Space::Global,
        extent,
        contents,
        allocated: None,
        pinned: false,
        of_new: false,
        managed: false,
        device: None,
    }))
}

#[test]
fn an_array_is_what_its_cells_are() {
    for contents in [
        Contents::Undef,
        Contents::Zero,
        Contents::Random { seed: 3 },
    ] {
        let start = array(Some(4), contents);
        let mut changed = start.clone();
        changed.set(2, Value::i32(1234));
        assert_ne!(changed, start);
        assert_eq!(changed.get(2), Value::i32(1234));
        assert_eq!(changed.get(1), start.get(1));
        changed.set(2, start.get(2));
        assert_eq!(changed, start);
        assert!(changed.is_untouched());
        assert_eq!(start.contents().len(), 4);
    }
    let given = array(Some(3), Contents::Values(vec![Value::i32(7)]));
    assert_eq!(given.contents(), [7, 0, 0].map(Value::i32));
}

/// A copy of many cells is one of each; within one array, of what was there before.
#[test]
fn cells_are_copied_one_by_one() {
    let mut source = array(Some(300), Contents::Random { seed: 3 });
    for cell in (0..300).step_by(7) {
        source.set(cell, Value::i32(cell as i32));
    }
    for contents in [Contents::Undef, Contents::Random { seed: 3 }] {
        for (to, from, n) in [
            (0, 0, 300),
            (5, 70, 130),
            (70, 5, 64),
            (31, 32, 1),
            (9, 9, 0),
        ] {
            let start = match contents {
                Contents::Undef => array(Some(300), Contents::Undef),
                _ => source.clone(),
            };
            let (mut whole, mut each) = (start.clone(), start);
            whole.copy_from(to, &source, from, n);
            for k in 0..n as i64 {
                each.set(to + k, source.get(from + k));
            }
            assert_eq!(whole, each, "{to} {from} {n}");
        }
    }
}

#[test]
fn without_an_extent_all_up_to_the_last_cell_changed_is_shown() {
    let mut open = array(None, Contents::Zero);
    assert!(open.is_empty());
    open.set(2, Value::i32(0));
    assert!(open.is_empty());
    open.set(1, Value::i32(5));
    assert_eq!(open.contents(), [0, 5].map(Value::i32));
    open.set(1, Value::i32(0));
    assert!(open.is_untouched());
}

#[test]
fn what_is_shown_of_an_array_without_an_extent_is_bounded() {
    let mut open = array(None, Contents::Zero);
    open.set(MOST_SHOWN as i64 - 1, Value::i32(1));
    assert!(!open.is_beyond_showing());
    open.set(u32::MAX as i64, Value::i32(2));
    assert!(open.is_beyond_showing());
    assert_eq!(open.contents().len() as u64, MOST_SHOWN);
    let mut memory = Memory::default();
    assert!(memory.beyond_showing().is_none());
    memory.global.push_back(open.clone());
    assert_eq!(memory.beyond_showing(), Some(&open));
}

/// Two threads that write different cells reach one state in either order.
#[test]
fn diamonds_close() {
    let mut k = Build::kernel(1, 2);
    let a = k.array("a", &[0, 0]);
    k.body(store(&a, tid(), int(1)));
    let found = explore(&k.system("cuda"), 100);
    assert_eq!((found.n_states, found.n_transitions), (4, 4));
}

/// Counts for programs small enough to count by hand: `n` threads of `m` independent steps have
/// (m+1)^n states, and n·m·(m+1)^(n−1) transitions.
#[test]
fn states_are_counted() {
    for (n, m) in [(1, 3u32), (2, 2), (3, 2), (2, 5)] {
        let mut k = Build::kernel(1, n);
        let x = k.int("x");
        k.body(seq((0..m).map(|_| assign(x, int(0)))));
        let found = explore(&k.system("cuda"), 10_000);
        assert_eq!(
            found.n_states as u32,
            (m + 1).pow(n),
            "{n} threads of {m} steps"
        );
        let expected = n * m * (m + 1).pow(n - 1);
        assert_eq!(
            found.n_transitions as u32, expected,
            "{n} threads of {m} steps"
        );
        // With a barrier behind them there is one transition more.
        let steps: Vec<Y> = (0..m).map(|_| assign(x, int(0))).collect();
        k.body(seq(steps.into_iter().chain([barrier()])));
        let found = explore(&k.system("cuda"), 10_000);
        assert_eq!(found.n_states as u32, (m + 1).pow(n) + 1);
        assert_eq!(found.n_transitions as u32, expected + 1);
    }
}

/// Sets of two threads at one operator: alone, or together.
#[test]
fn sets_are_counted() {
    let mut k = Build::kernel(1, 2);
    let x = k.int("x");
    k.body(seq([assign(x, int(0)), assign(x, int(1))]));
    let found = explore(&k.system("paper"), 100);
    // A grid of 3 × 3 positions; the diagonal steps are from (0,0) and (1,1).
    assert_eq!((found.n_states, found.n_transitions), (9, 12 + 2));
}

#[test]
fn residuals_are_positions() {
    let number = |op: &Y| {
        let mut k = Build::kernel(1, 1);
        k.body(op.clone());
        k.finished().procs[0].body.clone()
    };
    let (a, b) = (barrier(), exit());
    let skip = Op::skip;
    let body = number(&seq([
        skip(),
        seq([skip(), a]),
        seq([]),
        when(lt(tid(), int(1)), seq([])),
        seq([seq([b, skip()]), skip()]),
    ]));
    let mut rest = Residual::EMPTY.prepend(&body);
    let mut heads = Vec::new();
    while let Some(head) = rest.head() {
        assert!(!matches!(head.kind, OpKind::Seq(_) | OpKind::Skip));
        heads.push(head.id);
        // Reached in two ways, a position is one.
        assert_eq!(rest.tail(), rest.clone().tail());
        rest = rest.tail();
    }
    assert_eq!(heads.len(), 3);
    assert!(rest.is_empty() && rest == Residual::EMPTY);
    assert_eq!(rest.tail(), Residual::EMPTY);
    let nothing = number(&seq([skip(), seq([skip()])]));
    assert!(Residual::EMPTY.prepend(&nothing).is_empty());
}

#[test]
fn a_kernel_without_work_is_final_from_the_start() {
    let mut k = Build::kernel(3, 2);
    k.body(seq([Op::skip(), seq([])]));
    for profile in ["cuda", "lockstep-warp", "paper-literal"] {
        let system = k.system(profile);
        let start = system.initial().remove(0);
        assert!(system.is_final(&start));
        let mut found = Vec::new();
        system.successors(&start, &mut found);
        assert!(found.is_empty());
    }
}

#[test]
fn accesses_are_checked_in_order() {
    use gridlock_semantics::transition::AccessMode;
    use gridlock_semantics::transition::fault::FaultKind;
    let mode = AccessMode::Read;
    let mut a = array(Some(2), Contents::Zero);
    assert_eq!(a.check(1, ScalarType::I32, mode), Ok(()));
    assert!(matches!(
        a.check(2, ScalarType::I32, mode),
        Err(FaultKind::OutOfBounds { .. })
    ));
    // Another element type than the array's, even of the same size.
    let other = a.check(1, ScalarType::F32, mode);
    assert_eq!(other, Err(FaultKind::Misaligned { array: "a".into() }));
    a.freed = true;
    let gone = a.check(9, ScalarType::F32, mode);
    assert!(matches!(gone, Err(FaultKind::UseAfterFree { .. })));
}

/// A private array whose cells have their first contents again is as it was.
#[test]
fn private_arrays_are_what_their_cells_are() {
    let mut k = Build::kernel(1, 1);
    let p = k.declared("p", Space::Private, 1, Some(0));
    k.program.arrays[0].init = Some(vec![Value::i32(3)]);
    let x = k.int("x");
    k.body(seq([
        store(&p, int(0), int(4)),
        store(&p, int(0), int(3)),
        assign(x, at(&p, int(0))),
    ]));
    let system = k.system("cuda");
    let (_, changed) = replay(&system, &[t(0)]);
    let (_, again) = fire(&system, &changed, &[t(0)]);
    let arrays = |state: &gridlock_semantics::host::State| {
        state
            .device
            .as_ref()
            .map(|grid| grid.blocks[0].threads[0].arrays.len())
    };
    assert_eq!((arrays(&changed), arrays(&again)), (Some(1), Some(0)));
}
