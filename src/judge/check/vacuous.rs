//! A proof from assumptions that no contents of arrays meet says nothing. Those over arguments and the launch are asked of
//! the solver together; of those over memory some run has to meet them.

use super::judged::Judged;
use super::meeting;
use super::table::Table;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::run::trial::Decision;
use crate::subject;
use gridlock_checker::verdict::Reason;
use gridlock_semantics::algebra::expr::ExprKind;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, OpKind};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::analysis::reached::reached;

/// Launches of the ladder at which contents are looked for.
const LAUNCHES: usize = 4;

/// Takes back what was proved of a kernel that assumes something of what it reads, where no run meets that.
pub(super) fn attempt(
    table: &mut Table,
    entry: &Judged<'_>,
    deadline: Deadline,
) -> Result<(), InputError> {
    let Judged {
        prepared,
        point,
        request,
        device,
        ..
    } = *entry;
    let program = &prepared.surface;
    if !table.has_proof() || !assumes_of_memory(program, point.proc) {
        return Ok(());
    }
    let launches = match point.launch {
        Some(launch) => vec![launch],
        None => subject::launch_ladder(program, point, device),
    };
    let mut cut: Option<String> = None;
    for launch in launches.into_iter().take(LAUNCHES) {
        for sample in 0..request.sampling.count {
            let launch = Some(launch);
            let setup = subject::sampled_setup(program, point, launch, request.sampling, sample);
            let Ok(setup) = setup else {
                continue;
            };
            let trial = meeting::run(prepared, point, &setup, request, deadline);
            match trial.decision {
                _ if trial.vacuous => {}
                // It may have ended before it came to what is assumed.
                Decision::Undecided {
                    reason: Reason::Limit,
                    why,
                } => {
                    cut.get_or_insert(why);
                }
                _ => return Ok(()),
            }
        }
    }
    if let Some(why) = cut {
        let why = format!(
            "whether some run meets what the kernel assumes of the contents of its arrays is open: {why}"
        );
        table.doubt_proofs(Reason::Limit, &why);
        return Ok(());
    }
    let why = "no run meets what the kernel assumes of the contents of its arrays, so that a proof from it says nothing";
    table.doubt_proofs(Reason::Vacuous, why);
    Ok(())
}

/// Whether some assumption hangs on what was read from memory: it reads itself, or a variable that is no argument.
fn assumes_of_memory(program: &Program, kernel: ProcId) -> bool {
    let mut found = false;
    for proc in reached(program, kernel) {
        let procedure = program.proc(proc);
        procedure.body.walk(&mut |op| {
            let OpKind::Basic(Basic::Assume { cond }) = &op.kind else {
                return;
            };
            cond.walk(&mut |e| {
                found |= match &e.kind {
                    ExprKind::Load(_) => true,
                    ExprKind::Var(var) => proc != kernel || !procedure.params.contains(var),
                    _ => false,
                }
            });
        });
    }
    found
}
