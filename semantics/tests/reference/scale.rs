//! Replays of a hundred thousand steps, and blocks of a thousand threads, stay affordable.

use crate::building::*;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::Contents;
use gridlock_semantics::transition::{Actor, TransitionSystem};

/// Each of 1024 threads of two blocks runs a dozen iterations.
#[test]
fn firing_does_not_cost_as_much_as_all_successors() {
    let (n, iterations) = (1024, 12);
    let mut k = Build::kernel(2, n);
    let a = k.array_with("a", Some(2 * n as u64), Contents::Zero);
    let i = k.int("i");
    let index = add(
        op(
            gridlock_semantics::algebra::expr::BinaryOp::Mul,
            bid(),
            int(n as i32),
        ),
        tid(),
    );
    let bump = store(&a, index.clone(), add(at(&a, index), int(1)));
    k.body(seq([
        assign(i, int(0)),
        while_do(
            lt(v(i), int(iterations)),
            seq([bump, assign(i, add(v(i), int(1)))]),
        ),
        barrier(),
    ]));
    let system = k.system("cuda");
    let mut state = system.initial().remove(0);
    let mut n_steps = 0u64;
    for block in 0..2 {
        for _ in 0..2 + 4 * iterations {
            for thread in 0..n {
                (_, state) = fire(&system, &state, &[Actor::Thread { block, thread }]);
                n_steps += 1;
            }
        }
        (_, state) = fire(&system, &state, &[Actor::Block(block)]);
    }
    assert!(n_steps > 100_000);
    assert!(system.is_final(&state));
    let cells = &system.observe(&state).arrays[0].cells;
    assert!(cells.iter().all(|cell| *cell == Value::i32(iterations)));
}
