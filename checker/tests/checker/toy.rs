//! A toy machine of blocks and threads with a shared memory of a few cells, small enough to be
//! read at a glance: what the explorer is tested on without the language.

use gridlock_checker::system::footprint::{AccessClass, MayTouch};
use gridlock_checker::system::{DeviceShape, Explorable, Threadwise, WarpWait};
use gridlock_semantics::algebra::operator::{AtomicFn, OpId};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::system::observation::{Observation, ObservedArray};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::{Fault, FaultKind, ThreadPosition};
use gridlock_semantics::transition::{Access, Actor, Label, Rule, TransitionSystem};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// `r := cell`
    Read(usize),
    /// `cell := r + k`
    Write(usize, u8),
    /// `cell += k` at once, the result unused.
    Add(usize, u8),
    /// `r := cell; cell += 1` at once.
    Fetch(usize),
    /// `r += k`
    Private(u8),
    /// Skips the next steps if `r` is even.
    SkipIfEven(usize),
    /// Goes back so many steps if `r` is even.
    BackIfEven(usize),
    Barrier,
    /// Faults if `r = k`.
    AssertNot(u8),
}

#[derive(Clone, Debug)]
pub struct Toy {
    /// One program for each thread of each block.
    pub blocks: Vec<Vec<Vec<Step>>>,
    pub n_cells: usize,
    /// Threads that have ended still count at barriers.
    pub ended_count: bool,
    pub code: MayTouch,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ToyState {
    cells: Vec<u8>,
    /// For each block and thread: next step and register.
    threads: Vec<Vec<(usize, u8)>>,
    faulted: bool,
}

impl Toy {
    pub fn new(blocks: Vec<Vec<Vec<Step>>>, n_cells: usize) -> Toy {
        let mut code = MayTouch::default();
        for step in blocks.iter().flatten().flatten() {
            if let Some((cell, class)) = class_of(*step) {
                code.add(array(cell), class);
            }
        }
        Toy {
            blocks,
            n_cells,
            ended_count: false,
            code,
        }
    }

    fn step(&self, block: usize, thread: usize, pc: usize) -> Option<Step> {
        self.blocks[block][thread].get(pc).copied()
    }

    fn fire_thread(
        &self,
        state: &ToyState,
        block: usize,
        thread: usize,
        found: &mut Vec<(Label, ToyState)>,
    ) {
        let (pc, r) = state.threads[block][thread];
        let Some(step) = self.step(block, thread, pc) else {
            return;
        };
        let mut next = state.clone();
        let (mut to, mut register) = (pc + 1, r);
        let mut faulted = false;
        let actor = Actor::Thread {
            block: block as u32,
            thread: thread as u32,
        };
        let op = OpId((block * 10_000 + thread * 100 + pc) as u32);
        match step {
            Step::Read(cell) => register = state.cells[cell],
            Step::Write(cell, k) => next.cells[cell] = r.wrapping_add(k),
            Step::Add(cell, k) => next.cells[cell] = state.cells[cell].wrapping_add(k),
            Step::Fetch(cell) => {
                register = state.cells[cell];
                next.cells[cell] = register.wrapping_add(1);
            }
            Step::Private(k) => register = r.wrapping_add(k),
            Step::SkipIfEven(n) if r.is_multiple_of(2) => to = pc + 1 + n,
            Step::BackIfEven(n) if r.is_multiple_of(2) => to = pc.saturating_sub(n),
            Step::SkipIfEven(_) | Step::BackIfEven(_) => {}
            Step::Barrier => return,
            Step::AssertNot(k) => faulted = r == k,
        }
        next.threads[block][thread] = (to, register);
        next.faulted = faulted;
        let accesses = class_of(step).map(|(cell, class)| Access {
            actor,
            array: array(cell),
            index: 0,
            mode: match class {
                AccessClass::Read => AccessMode::Read,
                AccessClass::Write => AccessMode::Write,
                _ => AccessMode::Atomic,
            },
            op,
        });
        found.push((
            Label {
                rule: Rule::R1,
                actors: vec![actor],
                op: Some(op),
                accesses: accesses.into_iter().collect(),
                fault: faulted.then_some(Fault {
                    kind: FaultKind::AssertionFailed,
                    actor,
                    op,
                }),
            },
            next,
        ));
    }

    fn fire_barrier(&self, state: &ToyState, block: usize, found: &mut Vec<(Label, ToyState)>) {
        let mut next = state.clone();
        let mut actors = Vec::new();
        for (thread, (pc, _)) in next.threads[block].iter_mut().enumerate() {
            match self.step(block, thread, *pc) {
                Some(Step::Barrier) => {
                    *pc += 1;
                    actors.push(Actor::Thread {
                        block: block as u32,
                        thread: thread as u32,
                    });
                }
                Some(_) => return,
                None if self.ended_count => return,
                None => {}
            }
        }
        if !actors.is_empty() {
            found.push((
                Label {
                    rule: Rule::CollectiveBarrier,
                    actors,
                    op: None,
                    accesses: vec![],
                    fault: None,
                },
                next,
            ));
        }
    }
}

fn array(cell: usize) -> ArrayRef {
    ArrayRef::Global(cell as u32)
}

fn class_of(step: Step) -> Option<(usize, AccessClass)> {
    match step {
        Step::Read(cell) => Some((cell, AccessClass::Read)),
        Step::Write(cell, _) => Some((cell, AccessClass::Write)),
        Step::Add(cell, _) => Some((cell, AccessClass::Commuting(AtomicFn::Add))),
        Step::Fetch(cell) => Some((cell, AccessClass::Atomic)),
        _ => None,
    }
}

impl TransitionSystem for Toy {
    type State = ToyState;

    fn initial(&self) -> Vec<ToyState> {
        vec![ToyState {
            cells: vec![0; self.n_cells],
            threads: self.blocks.iter().map(|b| vec![(0, 0); b.len()]).collect(),
            faulted: false,
        }]
    }

    fn successors(&self, state: &ToyState, found: &mut Vec<(Label, ToyState)>) {
        if state.faulted {
            return;
        }
        for block in 0..self.blocks.len() {
            for thread in 0..self.blocks[block].len() {
                self.fire_thread(state, block, thread, found);
            }
            self.fire_barrier(state, block, found);
        }
    }

    fn is_final(&self, state: &ToyState) -> bool {
        state.threads.iter().zip(&self.blocks).all(|(at, code)| {
            at.iter()
                .zip(code)
                .all(|((pc, _), steps)| *pc >= steps.len())
        })
    }
}

impl Explorable for Toy {
    fn observe(&self, state: &ToyState) -> Observation {
        let cells = state.cells.iter().map(|&c| Value::i32(c as i32)).collect();
        Observation {
            arrays: vec![ObservedArray {
                name: "cells".into(),
                elem: ScalarType::I32,
                cells,
            }],
            result: None,
        }
    }

    fn positions(&self, _state: &ToyState) -> Vec<ThreadPosition> {
        Vec::new()
    }

    fn access_class(&self, access: &Access) -> AccessClass {
        let op = access.op.0 as usize;
        let step = self.blocks[op / 10_000][op / 100 % 100][op % 100];
        class_of(step).map_or(AccessClass::Atomic, |(_, class)| class)
    }
}

impl Threadwise for Toy {
    fn device(&self, _state: &ToyState) -> Option<DeviceShape> {
        let n_threads = self.blocks[0].len() as u32;
        Some(DeviceShape {
            n_blocks: self.blocks.len() as u32,
            n_threads,
            n_lanes: n_threads,
        })
    }

    fn fire_actor(&self, state: &ToyState, actor: Actor, found: &mut Vec<(Label, ToyState)>) {
        match actor {
            _ if state.faulted => {}
            Actor::Thread { block, thread } => {
                self.fire_thread(state, block as usize, thread as usize, found);
            }
            Actor::Block(block) => self.fire_barrier(state, block as usize, found),
            _ => {}
        }
    }

    fn may_touch(&self, _state: &ToyState) -> Option<&MayTouch> {
        Some(&self.code)
    }

    fn warp_wait(&self, _state: &ToyState, _actor: Actor) -> Option<WarpWait> {
        None
    }
}
