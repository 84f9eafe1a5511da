//! Whether a kernel is of use at a launch. Of hardly any kernel there is a defect where one thread runs, or where all return
//! at once: a condition that leaves only such launches excuses the defect, it does not say what the kernel is written for.

use crate::input::request::Request;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint, Floats, Wide};
use gridlock_checker::canonical;
use gridlock_checker::limits::Limits;
use gridlock_checker::system::ExploredProgram;
use gridlock_checker::system::follow::Run;
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::value::ArrayRef;
use gridlock_semantics::setup::Setup;
use gridlock_semantics::transition::{Actor, Label, TransitionSystem};
use std::collections::HashMap;

/// Threads of a block that a kernel is written for, at least.
pub(super) const LEAST_THREADS: i64 = 16;
/// Transitions of one thread of the canonical run.
const DEPTH: u64 = 20_000;
/// Transitions of the run that is looked at access by access.
const STEPS: usize = 40_000;
/// Numbers of the whole range of integers.
const WIDE: Wide = Wide {
    number: 0,
    floats: Floats::Ordinary,
};

/// Whether many threads work together at a launch: its run changes memory, several threads of a block touch memory, and each
/// array of a block that is touched at all is touched by several of them, unless it has no more than one element. What ends
/// before that shows is of no use.
pub(super) fn is_of_use(prepared: &Prepared, at: &EntryPoint, request: &Request) -> bool {
    let (program, sampling) = (&prepared.surface, request.sampling);
    let usual = || subject::sampled_setup(program, at, at.launch, sampling, 0);
    // Small numbers in the bits of a float of 16 bits are so little that products of them vanish.
    let wide = || subject::wide_setup(program, at, at.launch, sampling, WIDE);
    let is_so = |setup: Setup| {
        let touched = touched_if_changing(prepared, &setup, request);
        let of_block = prepared.compiled.entry(setup.entry);
        let of_block = of_block.map_or(0, |code| code.shared.len());
        touched.is_some_and(|touched| touched.is_by_several(program, of_block))
    };
    usual().is_ok_and(is_so) || wide().is_ok_and(is_so)
}

/// Who touches what, if the canonical run changes memory.
fn touched_if_changing(prepared: &Prepared, setup: &Setup, request: &Request) -> Option<Touched> {
    let system = ExploredProgram::new(&prepared.surface, setup, &request.profile).ok()?;
    let initial = system.initial().into_iter().next()?;
    let limits = Limits {
        depth: DEPTH,
        ..request.limits
    };
    let before = system.system().observe(&initial).arrays;
    let run = canonical::run(&prepared.compiled, setup, &request.profile, &limits);
    let changes = run.observation.is_some_and(|after| after.arrays != before);
    changes.then(|| Touched::by_a_run(&system, initial))
}

/// Who touched what.
#[derive(Default)]
struct Touched {
    /// Threads of the first block that touched memory.
    threads: Who,
    /// Those that touched an array of the block, by array.
    of_block: HashMap<ArrayRef, Who>,
    /// Whether the run was cut.
    is_cut: bool,
}

/// None, one or several threads.
#[derive(Default)]
enum Who {
    #[default]
    Nobody,
    One(u32),
    Several,
}

impl Who {
    fn add(&mut self, thread: u32) {
        *self = match *self {
            Who::Nobody => Who::One(thread),
            Who::One(known) if known == thread => return,
            _ => Who::Several,
        };
    }

    fn are_several(&self) -> bool {
        matches!(self, Who::Several)
    }
}

impl Touched {
    /// By a run of each thread as far as it gets, in turn.
    fn by_a_run(
        system: &ExploredProgram,
        initial: <ExploredProgram as TransitionSystem>::State,
    ) -> Touched {
        let mut touched = Touched::default();
        let mut visit = |_: usize, label: &Label, _: &_, _: &_| touched.note(label);
        let mut run = Run::visiting(system, initial, &mut visit);
        let mut left = STEPS;
        while left > 0 && !run.has_faulted() {
            let before = run.n_followed;
            let mut actors = run.threads_of(0);
            actors.push(Actor::Block(0));
            if actors.len() == 1 {
                actors = run.actors();
            }
            run.go_on(&actors, left);
            left = left.saturating_sub(run.n_followed - before);
            if run.n_followed == before {
                break;
            }
        }
        drop(run);
        touched.is_cut = left == 0;
        touched
    }

    fn note(&mut self, label: &Label) {
        for access in &label.accesses {
            let Actor::Thread { block: 0, thread } = access.actor else {
                continue;
            };
            self.threads.add(thread);
            if let ArrayRef::Shared(_) = access.array {
                self.of_block.entry(access.array).or_default().add(thread);
            }
        }
    }

    /// Of a run that was cut all arrays of the block, so many, have to be among what was touched.
    fn is_by_several(&self, program: &Program, of_block: usize) -> bool {
        let is_seen = !self.is_cut || self.of_block.len() == of_block;
        let is_shared = |(array, who): (&ArrayRef, &Who)| {
            let is_single = matches!(array, ArrayRef::Shared(id) if program.array(*id).extent == Extent::Fixed(1));
            is_single || who.are_several()
        };
        is_seen && self.threads.are_several() && self.of_block.iter().all(is_shared)
    }
}
