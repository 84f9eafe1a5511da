//! Whether the iterations of a sequential loop are independent: no iteration writes what another
//! reads or writes, and no scalar is carried from one to the next or used after the loop.
//!
//! Two readings of one generic iteration, for different values of the counter; everything from
//! before the loop is shared between them. Over-approximates as the rest of the crate does.

mod liveness;

use crate::counters::settle;
use crate::independence::liveness::live_before;
use crate::machine::courses::assigned_in;
use crate::machine::launch::SymbolicLaunch;
use crate::machine::state::{Followed, Machine, Seen, Watched};
use crate::machine::value::{State, SymValue};
use crate::solver::budget::Budget;
use crate::solver::context::in_fresh_context;
use crate::solver::solve::{Answer, Prover, Reader};
use crate::terms::term::Terms;
use gridlock_checker::report::assumption::Assumption;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Op, OpId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::analysis::loops::{CountedLoop, counted_loop};
use gridlock_semantics::setup::Launch;
use gridlock_semantics::transition::AccessMode;
use std::sync::Arc;
use std::time::Duration;

/// What is known of the iterations of one loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Independence {
    /// Whatever the arguments, where the assumptions hold.
    Yes {
        /// What that rests on.
        assumptions: Vec<Assumption>,
    },
    /// Two iterations touch one cell, or a scalar is carried, at least in the over-approximation.
    No {
        /// One phrase: which access or which scalar.
        why: String,
    },
    /// The loop is not of a form that can be judged, or the solver gave no answer within its
    /// budget.
    Unknown {
        /// One phrase: what stood in the way.
        why: String,
    },
}

impl<'p> Machine<'p> {
    pub(crate) fn is_watched(&self, op: &Op) -> bool {
        let waiting = |w: &Watched| w.op == op.id && w.seen.is_none();
        self.trials == 0 && self.watched.as_ref().is_some_and(waiting)
    }

    /// Notes the iteration that begins in `inside`; its accesses follow.
    pub(crate) fn watch(
        &mut self,
        inside: &State,
        mark: u32,
        steps: &dyn Fn(VarId) -> bool,
    ) -> Followed<()> {
        let path = self.path(inside);
        if let Some(watched) = &mut self.watched
            && let Some(SymValue::Scalar(counter)) = inside.get(watched.counter)
        {
            watched.seen = Some(Seen {
                accesses: vec![],
                counter: *counter,
                path,
                mark,
                steps: steps(watched.counter),
            });
        }
        Ok(())
    }
}

/// Judges the counted loop `loop_op` (its `Seq[init, While]` or the `While`) of `proc`. The solver may
/// take what it does in about so many `seconds` for each question.
pub fn independent_iterations(
    program: &Program,
    proc: ProcId,
    loop_op: OpId,
    seconds: f64,
) -> Independence {
    // A context of its own, as for proofs of kernels.
    in_fresh_context(|| judge(program, proc, loop_op, seconds))
}

fn judge(program: &Program, proc: ProcId, loop_op: OpId, seconds: f64) -> Independence {
    let unknown = |why: String| Independence::Unknown { why };
    let body = &program.proc(proc).body;
    let Some(counted) = find_loop(body, loop_op) else {
        return unknown("the operator is not a counted loop".to_owned());
    };
    if let Some(why) = carried(program, proc, &counted) {
        return Independence::No { why };
    }
    let mut terms = Terms::default();
    // A sequential loop does not ask about threads; any launch will do.
    let launch = Launch {
        grid: [1; 3],
        block: [1; 3],
        shared_bytes: 0,
    };
    let launch = SymbolicLaunch::new(&mut terms, program, proc, Some(&launch), None);
    let mut machine = Machine::new(program, launch, terms);
    let counters = 16;
    let time = Duration::from_secs_f64((seconds * f64::from(counters)).clamp(0.0, 1e6));
    let mut prover = Prover::new(Budget::each(seconds, counters), time * 2);
    let entered = match machine.entry_state(proc, &|_| None) {
        Ok(state) => state,
        Err(stopped) => return unknown(stopped.to_string()),
    };
    let ran = settle(&mut machine, &mut prover, &mut |machine| {
        machine.watched = Some(Watched {
            op: counted.while_op.id,
            counter: counted.var,
            seen: None,
        });
        machine.execute(body, &mut entered.clone(), &None)?;
        Ok(std::mem::take(&mut machine.log))
    });
    let Some(seen) = machine.watched.take().and_then(|w| w.seen) else {
        return unknown(match ran {
            Err(stopped) => stopped.to_string(),
            Ok(_) => "the loop is never reached".to_owned(),
        });
    };
    // What comes after the loop does not matter; that the loop itself was followed does.
    let counters = match ran {
        Ok(settled) => settled.assumptions,
        Err(stopped) => return unknown(stopped.to_string()),
    };
    if !seen.steps {
        return unknown("the step of the counter is not a constant".to_owned());
    }
    if machine
        .wrapping
        .contains(&(counted.while_op.id, counted.var))
    {
        // Two iterations might then have one value of the counter.
        return unknown("the counter may wrap around".to_owned());
    }
    let independence = compare(&machine, &seen, program, proc, seconds);
    if let Independence::Yes { mut assumptions } = independence {
        assumptions.extend(counters);
        return Independence::Yes { assumptions };
    }
    independence
}

fn find_loop(body: &Arc<Op>, loop_op: OpId) -> Option<CountedLoop<'_>> {
    let mut found = None;
    body.walk(&mut |op| {
        if let Some(counted) = counted_loop(op)
            && (op.id == loop_op || counted.while_op.id == loop_op)
        {
            found = Some(counted);
        }
    });
    found
}

/// A variable through which an iteration speaks to another, or to what follows the loop.
fn carried(program: &Program, proc: ProcId, counted: &CountedLoop) -> Option<String> {
    let procedure = program.proc(proc);
    let assigned = assigned_in(counted.while_op);
    if let Some(read) = assigned.iter().find(|&&var| {
        var != counted.var && gridlock_semantics::analysis::loops::reads(counted.cond, var)
    }) {
        let name = &procedure.vars[read.0 as usize].name;
        return Some(format!(
            "the loop's condition reads {name}, which it assigns"
        ));
    }
    for var in assigned {
        let name = &procedure.vars[var.0 as usize].name;
        if var != counted.var && live_before(counted.body, var, false, &mut None) {
            return Some(format!(
                "{name} may carry a value from one iteration to the next"
            ));
        }
        let mut watched = Some((counted.while_op.id, false));
        let at_end = procedure.result == Some(var);
        live_before(&procedure.body, var, at_end, &mut watched);
        if watched.is_some_and(|(_, live)| live) {
            return Some(format!("the value of {name} may be used after the loop"));
        }
    }
    None
}

fn compare(
    machine: &Machine,
    seen: &Seen,
    program: &Program,
    proc: ProcId,
    seconds: f64,
) -> Independence {
    let pairs = seen.accesses.len().max(1) as u32;
    let time = Duration::from_secs_f64((seconds * f64::from(pairs)).clamp(0.0, 1e6));
    let mut prover = Prover::new(Budget::each(seconds, pairs), time * 2);
    prover.shared_below = seen.mark;
    let (terms, launch) = (&machine.terms, &machine.launch);
    match prover.ask(terms, launch, &[(seen.path, Reader::FIRST)], &[]) {
        Answer::Satisfiable(_) => {}
        Answer::Unsatisfiable => {
            let why = "the loop has no iterations".to_owned();
            return Independence::Unknown { why };
        }
        Answer::Open(cut) => {
            return Independence::Unknown {
                why: cut.to_string(),
            };
        }
    }
    for (i, a) in seen.accesses.iter().enumerate() {
        for b in &seen.accesses[i..] {
            let reads = a.mode == AccessMode::Read && b.mode == AccessMode::Read;
            if reads || a.array != b.array {
                continue;
            }
            let word = |p: &mut Prover, t, r| p.word(terms, t, r);
            let mine = word(&mut prover, seen.counter, Reader::FIRST);
            let other = word(&mut prover, seen.counter, Reader::BESIDE);
            let x = word(&mut prover, a.index, Reader::FIRST);
            let y = word(&mut prover, b.index, Reader::BESIDE);
            let extra = [mine.eq(&other).not(), x.eq(&y)];
            let readings = [(a.path, Reader::FIRST), (b.path, Reader::BESIDE)];
            match prover.ask(terms, launch, &readings, &extra) {
                Answer::Unsatisfiable => {}
                Answer::Satisfiable(_) => {
                    return Independence::No {
                        why: format!(
                            "two iterations may touch the same element, at lines {} and {}",
                            a.span.line, b.span.line
                        ),
                    };
                }
                Answer::Open(cut) => {
                    return Independence::Unknown {
                        why: cut.to_string(),
                    };
                }
            }
        }
    }
    Independence::Yes {
        assumptions: assumptions(program, proc),
    }
}

fn assumptions(program: &Program, proc: ProcId) -> Vec<Assumption> {
    let procedure = program.proc(proc);
    let is_pointer = |v: &&VarId| matches!(procedure.vars[v.0 as usize].ty, Type::Pointer(_));
    let pointers = procedure.params.iter().filter(is_pointer).count();
    let declared = program
        .arrays
        .iter()
        .any(|a| matches!(a.space, Space::Host | Space::Global));
    let mut assumptions = Vec::new();
    if pointers > 1 || pointers == 1 && declared {
        let kernel = procedure.name.to_string();
        assumptions.push(Assumption::NoAliasing { kernel });
    }
    assumptions
}
