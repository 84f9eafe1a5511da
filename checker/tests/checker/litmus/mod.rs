//! Litmus programs: a few threads, a few places, phases separated by block barriers. One text for
//! the explorer and for the axiomatic enumeration.
pub mod axioms;
pub mod trace;

use crate::kernels::*;
use gridlock_checker::explore::{Exploration, ExploreOptions, Outcome, explore_program};
use gridlock_checker::limits::Limits;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, Scope};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Contents;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Registers of a thread; all start 0 and are observed.
pub const REGISTERS: usize = 3;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// `place = value`, plain.
    Write(usize, i32),
    /// `register = place`, plain.
    Read(usize, usize),
    /// `register = function(place, operands)`.
    Rmw {
        function: AtomicFn,
        place: usize,
        operands: Vec<i32>,
        register: Option<usize>,
        scope: Scope,
    },
    Fence(Scope),
    /// `while ((register = atomicAdd(place, 0)) == 0);`
    Spin {
        register: usize,
        place: usize,
        scope: Scope,
    },
    /// `if (register == value) …`
    When(usize, i32, Vec<Stmt>),
}

pub fn rmw(function: AtomicFn, place: usize, operand: i32, register: Option<usize>) -> Stmt {
    Stmt::Rmw {
        function,
        place,
        operands: vec![operand],
        register,
        scope: Scope::Device,
    }
}

pub fn exch(place: usize, value: i32) -> Stmt {
    rmw(AtomicFn::Exch, place, value, None)
}

/// An atomic read: nothing is added.
pub fn read(register: usize, place: usize) -> Stmt {
    rmw(AtomicFn::Add, place, 0, Some(register))
}

pub const FENCE: Stmt = Stmt::Fence(Scope::Device);

/// Threads by number, each a list of phases; all have as many.
#[derive(Clone, Debug)]
pub struct Litmus {
    pub threads: Vec<Vec<Vec<Stmt>>>,
    pub n_places: usize,
    pub n_blocks: usize,
    /// Places in shared memory (one block only).
    pub shared: bool,
    /// Phases are separated by barriers of the grid, not of the block.
    pub grid_barriers: bool,
}

/// Registers of all threads, then the places.
pub type Seen = Vec<i32>;

impl Litmus {
    /// One phase, one block.
    pub fn new(n_places: usize, threads: Vec<Vec<Stmt>>) -> Litmus {
        Litmus {
            threads: threads.into_iter().map(|thread| vec![thread]).collect(),
            n_places,
            n_blocks: 1,
            shared: false,
            grid_barriers: false,
        }
    }

    /// Each thread a block of its own.
    pub fn apart(mut self) -> Litmus {
        self.n_blocks = self.threads.len();
        self
    }

    pub fn in_shared_memory(mut self) -> Litmus {
        self.shared = true;
        self
    }

    pub fn threads_per_block(&self) -> usize {
        self.threads.len() / self.n_blocks
    }

    pub fn block_of(&self, thread: usize) -> usize {
        thread / self.threads_per_block()
    }

    /// The kernel; every statement has a line of its own, in the order of the text.
    pub fn kernel(&self) -> Program {
        let mut at = 10;
        let per_block = n(self.threads_per_block() as i32);
        let number = add(
            bin(
                gridlock_semantics::algebra::expr::BinaryOp::Mul,
                bid(),
                per_block,
            ),
            tid(),
        );
        let mut body: Vec<Arc<Op>> = (0..REGISTERS as u32).map(|r| set(2, 2 + r, n(0))).collect();
        if self.shared {
            let clear = (0..self.n_places).map(|p| store(3, base(0), n(p as i32), n(0)));
            body.push(when(3, eq(tid(), n(0)), clear.collect()));
            body.push(barrier(4));
        }
        for phase in 0..self.threads[0].len() {
            if phase > 0 {
                at += 1;
                body.push(match self.grid_barriers {
                    true => op(at, Basic::GridBarrier),
                    false => barrier(at),
                });
            }
            for (t, thread) in self.threads.iter().enumerate() {
                let inside = self.statements(&thread[phase], &mut at);
                if !inside.is_empty() {
                    body.push(when(9, eq(number.clone(), n(t as i32)), inside));
                }
            }
        }
        let slot = |r: usize| {
            let first = bin(
                gridlock_semantics::algebra::expr::BinaryOp::Mul,
                number.clone(),
                n(REGISTERS as i32),
            );
            add(first, n(r as i32))
        };
        for r in 0..REGISTERS {
            body.push(store(900, ptr(1), slot(r), int(2 + r as u32)));
        }
        if self.shared {
            body.push(barrier(901));
            let copy = (0..self.n_places)
                .map(|p| store(902, ptr(0), n(p as i32), load(base(0), n(p as i32))));
            body.push(when(902, eq(tid(), n(0)), copy.collect()));
        }
        let shared = [self.n_places as u64];
        let shared: &[u64] = if self.shared { &shared } else { &[] };
        kernel(2, REGISTERS as u32, shared, body)
    }

    fn place(&self, place: usize) -> gridlock_semantics::algebra::expr::Expr {
        let array = if self.shared { base(0) } else { ptr(0) };
        cell(array, n(place as i32))
    }

    fn statements(&self, stmts: &[Stmt], at: &mut u32) -> Vec<Arc<Op>> {
        let one = |stmt: &Stmt| {
            *at += 1;
            let line = *at;
            match stmt {
                Stmt::Write(place, value) => op(
                    line,
                    Basic::Store {
                        pointer: self.place(*place),
                        value: n(*value),
                    },
                ),
                Stmt::Read(register, place) => {
                    let value = gridlock_semantics::algebra::expr::Expr::load(self.place(*place));
                    set(line, 2 + *register as u32, value.expect("a pointer"))
                }
                Stmt::Rmw {
                    function,
                    place,
                    operands,
                    register,
                    scope,
                } => op(
                    line,
                    Basic::Atomic {
                        function: *function,
                        scope: *scope,
                        pointer: self.place(*place),
                        operands: operands.iter().map(|v| n(*v)).collect(),
                        result: register.map(|r| VarId(2 + r as u32)),
                    },
                ),
                Stmt::Spin {
                    register,
                    place,
                    scope,
                } => {
                    let once = || {
                        op(
                            line,
                            Basic::Atomic {
                                function: AtomicFn::Add,
                                scope: *scope,
                                pointer: self.place(*place),
                                operands: vec![n(0)],
                                result: Some(VarId(2 + *register as u32)),
                            },
                        )
                    };
                    let empty = eq(int(2 + *register as u32), n(0));
                    seq(vec![once(), repeat(line, empty, vec![once()])])
                }
                Stmt::Fence(scope) => op(line, Basic::Fence { scope: *scope }),
                Stmt::When(register, value, inside) => {
                    let inside = self.statements(inside, at);
                    when(line, eq(int(2 + *register as u32), n(*value)), inside)
                }
            }
        };
        stmts.iter().map(one).collect()
    }

    /// The launch of the kernel.
    pub fn setup(&self) -> gridlock_semantics::setup::Setup {
        let n_observed = (self.threads.len() * REGISTERS) as u64;
        launch(
            self.n_blocks as u32,
            self.threads_per_block() as u32,
            &[
                (self.n_places as u64, Contents::Zero),
                (n_observed, Contents::Zero),
            ],
        )
    }

    pub fn explore(&self, profile: &Profile) -> Exploration {
        let setup = self.setup();
        let limits = Limits {
            states: 200_000,
            seconds: 60.0,
            ..Limits::default()
        };
        let options = ExploreOptions::default();
        explore_program(&self.kernel(), &setup, profile, &limits, &options).expect("it fits")
    }
}

/// What the finished runs show, as the axiomatic enumeration writes it.
pub fn observed(exploration: &Exploration) -> BTreeSet<Seen> {
    let numbers = |cells: &[Value]| -> Vec<i32> {
        let number = |v: &Value| v.as_integer().unwrap_or(-1) as i32;
        cells.iter().map(number).collect()
    };
    let mut seen = BTreeSet::new();
    for outcome in exploration.outcomes.keys() {
        if let Outcome::Observation(observation) = outcome {
            let mut all = numbers(&observation.arrays[1].cells);
            all.extend(numbers(&observation.arrays[0].cells));
            seen.insert(all);
        }
    }
    seen
}

/// The answer of the explorer in a word.
pub fn verdict(exploration: &Exploration) -> &'static str {
    use gridlock_checker::finding::DefectKind;
    let kinds = || exploration.findings.iter().map(|f| f.kind);
    if kinds().any(|kind| kind == DefectKind::DataRace) {
        "race"
    } else if kinds().next().is_some() {
        "defect"
    } else if !exploration.complete {
        "limit"
    } else if !exploration.weak_memory.is_empty() {
        "weak-memory"
    } else {
        "passed"
    }
}
