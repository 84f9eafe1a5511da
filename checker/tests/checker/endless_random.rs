//! Random loops in which things grow, in variables and memory of eight bits, so that all wrap around soon: what is
//! said to cycle for ever is never seen to end, and what is found is shown by the replay.
//!

use crate::algebra::*;
use gridlock_checker::progress::quick_look;
use gridlock_checker::replay::confirm;
use gridlock_checker::system::ExploredProgram;
use gridlock_generation::effort;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::AtomicFn;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::print::{self, PrintOptions};
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::transition::TransitionSystem;

/// SplitMix64.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> i32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n) as i32
    }
}

/// What statements are made of: bytes in variables and cells.
struct Scene {
    bytes: Vec<E>,
    cells: E,
    own: E,
}

impl Scene {
    fn value(&self, rng: &mut Rng, depth: u32) -> E {
        let byte = |rng: &mut Rng| {
            self.bytes[rng.below(3) as usize]
                .clone()
                .to(ScalarType::I32)
        };
        match rng.below(if depth == 0 { 3 } else { 10 }) {
            0 => c(rng.below(6)),
            1 | 2 => byte(rng),
            3 => self.cells.at(rng.below(3)),
            4 => self.own.at(rng.below(2)),
            5 => self.value(rng, depth - 1) - self.value(rng, depth - 1),
            6 => self.value(rng, depth - 1) & 7,
            7 => self.value(rng, depth - 1) / (self.value(rng, depth - 1) % 3 + rng.below(3)),
            8 => select(
                self.cond(rng, depth - 1),
                self.value(rng, depth - 1),
                self.value(rng, depth - 1),
            ),
            _ => self.value(rng, depth - 1) + self.value(rng, depth - 1),
        }
    }

    fn cond(&self, rng: &mut Rng, depth: u32) -> E {
        let (a, b) = (self.value(rng, depth), self.value(rng, depth.min(1)));
        match rng.below(6) {
            0 => a.lt(b),
            1 => a.ge(c(rng.below(3))),
            2 => a.equals(b),
            3 => a.differs(b),
            4 => a.lt(c(200 + 30 * rng.below(3))),
            _ => a.differs(c(rng.below(300))),
        }
    }

    /// A byte's new value.
    fn narrow(&self, rng: &mut Rng) -> E {
        self.value(rng, 2).to(ScalarType::U8)
    }

    fn statement(&self, rng: &mut Rng, depth: u32) -> Stmt {
        let byte = self.bytes[rng.below(3) as usize].clone();
        match rng.below(if depth == 0 { 7 } else { 10 }) {
            0 | 1 => set(
                &byte,
                (byte.clone().to(ScalarType::I32) + 1 + rng.below(3)).to(ScalarType::U8),
            ),
            2 => set(&byte, self.narrow(rng)),
            3 => put(&self.cells, rng.below(3), self.value(rng, 2) & 255),
            4 => put(&self.own, rng.below(2), self.value(rng, 2) & 255),
            5 => put(
                &self.cells,
                self.value(rng, 1) & 1,
                self.value(rng, 1) & 255,
            ),
            6 => {
                let function =
                    [AtomicFn::Max, AtomicFn::Exch, AtomicFn::Xor][rng.below(3) as usize];
                let cell = self.cells.plus(rng.below(3));
                atomic(function, cell, self.value(rng, 1) & 255, None)
            }
            7 => when(self.cond(rng, 1), self.statements(rng, depth - 1)),
            8 => branch(
                self.cond(rng, 1),
                self.statements(rng, depth - 1),
                self.statements(rng, depth - 1),
            ),
            _ => {
                let mut body = self.statements(rng, depth - 1);
                let next = (byte.clone().to(ScalarType::I32) + 1).to(ScalarType::U8);
                body.push(set(&byte, next));
                repeat(self.cond(rng, 1), body)
            }
        }
    }

    fn statements(&self, rng: &mut Rng, depth: u32) -> Vec<Stmt> {
        let n = 1 + rng.below(3);
        (0..n).map(|_| self.statement(rng, depth)).collect()
    }
}

fn program(rng: &mut Rng) -> (Program, Setup) {
    let mut draft = Draft::new();
    let cells = draft.array("cells", Space::Global, 3, Some(vec![0; 3]));
    let own = draft.array("own", Space::Private, 2, None);
    let bytes: Vec<E> = ["x", "y", "z"]
        .into_iter()
        .map(|name| draft.local_of(name, Type::Scalar(ScalarType::U8)))
        .collect();
    let scene = Scene { bytes, cells, own };
    let mut body: Vec<Stmt> = (scene.bytes.iter())
        .map(|byte| set(byte, c(rng.below(3)).to(ScalarType::U8)))
        .collect();
    body.extend([put(&scene.own, 0, 0), put(&scene.own, 1, 1)]);
    body.push(repeat(scene.cond(rng, 1), scene.statements(rng, 2)));
    let program = draft.kernel(body);
    let setup = kernel_setup(&program, 1, 1, vec![]);
    (program, setup)
}

/// Transitions after which a run of bytes that has not ended is not followed further.
const MOST: usize = 30_000;

/// Whether the only run ends.
fn ends(system: &ExploredProgram) -> Option<bool> {
    let mut state = system.initial().pop()?;
    for _ in 0..MOST {
        let mut found = Vec::new();
        system.successors(&state, &mut found);
        match found.pop() {
            None => return Some(true),
            Some((label, _)) if label.fault.is_some() => return Some(true),
            Some((_, next)) => state = next,
        }
    }
    None
}

#[test]
fn what_is_in_a_cycle_never_ends() {
    let (first, n) = (effort::first(1), effort::cases(15, 5_000));
    let profile = Profile::default();
    let (mut n_round, mut n_ended) = (0, 0);
    for seed in (first..).take(n as usize) {
        let mut rng = Rng(seed.wrapping_mul(0x0123_4567_89ab_cdef));
        let (program, setup) = program(&mut rng);
        let system = ExploredProgram::for_termination(&program, &setup, &profile).unwrap();
        let found = quick_look(&system, 20.0);
        let Some(finding) = found else {
            n_ended += u64::from(ends(&system) == Some(true));
            continue;
        };
        let text = print::program(&program, PrintOptions::default());
        assert!(
            confirm(&program, &setup, &profile, &finding).is_some(),
            "seed {seed}: not shown by the replay\n{text}"
        );
        assert_ne!(ends(&system), Some(true), "seed {seed}: it ends\n{text}");
        n_round += 1;
    }
    println!("{n_round} cycle, {n_ended} end, of {n}");
    assert!(n_round * 10 > n && n_ended * 10 > n, "{n_round}, {n_ended}");
}
