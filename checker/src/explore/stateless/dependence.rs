//! Which steps of different agents depend on each other, said in one place.
//!
//! Three ways, and no other:
//! - *by a place*: both touch it and their accesses interfere ([`AccessClass::interferes`]), or
//!   would race though they commute (an atomic that changes nothing, beside a plain read);
//! - *by taking part*: a step that several agents make together comes after every earlier step of
//!   each, and before every later one ([`taking_part`]);
//! - *by order in one thread*.
//!
//! An agent that can move stays able to until it moves, whatever the others do: a thread waits for
//! no thread but at a barrier of its warp, its block or the grid, and those, once complete, stay so. (A read of
//! a cell that holds nothing is a step too, one that ends the thread.) So the last two are never to
//! be reversed, and only the first makes races.
//!
//! [`AccessClass::interferes`]: crate::system::footprint::AccessClass::interferes

use crate::automaton::{Agent, Automaton, FIXED, Touch};
use crate::compiled::Code;
use crate::compiled::instruction::Instr;
use crate::system::footprint::AccessClass;
use gridlock_semantics::transition::Actor;

/// Dependence by places. Anything but [`ByAccess`] is for showing that tests notice.
pub trait Dependence {
    /// Whether exchanging two accesses to *one place*, next to each other, may show.
    fn interferes(&self, one: &Touch, other: &Touch) -> bool;

    /// Whether an access interferes with every other access to its place, whatever that is.
    fn interferes_with_all(&self, one: &Touch) -> bool;
}

/// Accesses depend on each other where they interfere, and where they race: races are found where
/// two steps depend on each other and nothing else orders them.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByAccess;

impl Dependence for ByAccess {
    fn interferes(&self, one: &Touch, other: &Touch) -> bool {
        let atomic = |touch: &Touch| touch.mode.is_atomic();
        let races = match (atomic(one), atomic(other)) {
            (true, true) => one.narrow || other.narrow,
            (false, false) => false,
            (true, false) | (false, true) => true,
        };
        races || one.class.interferes(other.class)
    }

    fn interferes_with_all(&self, one: &Touch) -> bool {
        match one.class {
            AccessClass::Write | AccessClass::Atomic => true,
            AccessClass::Read | AccessClass::Look | AccessClass::Commuting(_) => false,
        }
    }
}

/// Whether two steps of different agents that can both move depend on each other.
pub fn dependent<D: Dependence>(by: &D, one: &Option<Touch>, other: &Option<Touch>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => {
            one.place == other.place && one.place != FIXED && by.interferes(one, other)
        }
        _ => false,
    }
}

/// Adds those, besides the agent itself, who take part in what `agent` does next: it waited until
/// they were where they are.
pub fn taking_part(automaton: &Automaton, words: &[u32], agent: Agent, found: &mut Vec<Agent>) {
    match automaton.actor(agent) {
        Actor::Thread { .. } => {
            if let Some((first, mask)) = automaton.waited_for(words, agent) {
                let lanes = (0..32).filter(|lane| mask >> lane & 1 == 1);
                found.extend(lanes.map(|lane| first + lane).filter(|lane| *lane != agent));
            }
        }
        Actor::Block(block) => {
            let n_threads = automaton.n_threads();
            found.extend(block * n_threads..(block + 1) * n_threads);
        }
        // Who else there may be is taken to concern every thread.
        Actor::Device
        | Actor::Host
        | Actor::HostThread(_)
        | Actor::Stream(_)
        | Actor::DefaultStream(_)
        | Actor::PerThreadStream(_) => found.extend(0..automaton.n_threads_in_all()),
    }
}

/// What this search has no dependence for, if the code has it.
pub fn unknown_to(code: &Code) -> Option<&'static str> {
    code.instrs.iter().find_map(|instr| match instr {
        Instr::Move { .. }
        | Instr::MovePointer { .. }
        | Instr::Op1 { .. }
        | Instr::Op2 { .. }
        | Instr::Partial { .. }
        | Instr::Slow { .. }
        | Instr::Offset { .. }
        | Instr::PointerOp { .. }
        | Instr::PointerToBool { .. }
        | Instr::CheckDefined { .. }
        | Instr::Jump { .. }
        | Instr::Repeat { .. }
        | Instr::JumpIfFalse { .. }
        | Instr::Branch { .. }
        | Instr::Join { .. }
        | Instr::Return
        | Instr::Increment { .. }
        | Instr::Load { .. }
        | Instr::Store { .. }
        | Instr::WriteBack { .. }
        | Instr::StoreNothing { .. }
        | Instr::Atomic { .. }
        | Instr::Barrier { .. }
        | Instr::Fence { .. }
        | Instr::Exit { .. }
        | Instr::End
        | Instr::Assert { .. }
        | Instr::Beyond
        | Instr::Assume { .. }
        | Instr::SyncWarp { .. }
        | Instr::Warp { .. }
        | Instr::GridBarrier { .. } => None,
        Instr::ActiveMask { .. } => Some("which lanes are active"),
        Instr::NamedBarrier { .. } => Some("named barriers"),
        Instr::Host { .. } => Some("host code"),
    })
}

/// Whether a barrier may become complete by what an agent did.
pub fn concerns(automaton: &Automaton, barrier: Agent, agent: Agent) -> bool {
    match (automaton.actor(barrier), automaton.actor(agent)) {
        (Actor::Block(own), Actor::Thread { block, .. } | Actor::Block(block)) => own == block,
        _ => true,
    }
}

/// Whether lanes of a warp wait for each other in the code.
pub fn has_warp_operations(code: &Code) -> bool {
    let mut instrs = code.instrs.iter();
    instrs.any(|instr| matches!(instr, Instr::SyncWarp { .. } | Instr::Warp { .. }))
}
