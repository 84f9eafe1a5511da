//! What the engines establish of an entry: proofs first, then runs of what they leave open.

use super::candidates::Replays;
use super::judged::Judged;
use super::so_far::SoFar;
use super::table::Table;
use super::{at_launch, out_of_the_ordinary, runs, symbolic, vacuous};
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::subject;
use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::Reason;
use gridlock_proofs::ProofOutcome;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::ProcKind;

/// What the engines establish of an entry, property by property, and the inputs that they tried in words. The entries of
/// `later` are judged after it; its proof may be `made` already.
pub(super) fn established(
    judgement: &mut Judgement,
    entry: &Judged<'_>,
    deadline: Deadline,
    later: &[ProcId],
    made: impl FnOnce() -> Option<ProofOutcome>,
) -> Result<(Table, String), InputError> {
    let Judged {
        file,
        subject: index,
        prepared,
        point,
        request,
        device,
    } = *entry;
    let program = &prepared.surface;
    let procedure = program.proc(point.proc);
    let mut table = Table::of(prepared, point, request);
    let so_far = SoFar {
        file,
        prepared,
        point,
        request,
        later,
    };
    so_far.tell(judgement, &table);

    let contradiction = point
        .launch
        .and_then(|launch| subject::contradiction(program, point.proc, &launch));
    if let Some(why) = &contradiction {
        for property in table.open() {
            table.leave_open(property, Reason::Vacuous, why.clone());
        }
    }
    let is_proved_first = procedure.kind == ProcKind::Kernel && request.symbolic;
    let cut = match contradiction.is_none() && is_proved_first {
        true => symbolic::attempt(
            &mut table,
            judgement,
            index,
            prepared,
            point,
            request,
            deadline,
            &so_far,
            made(),
        )?,
        false => Vec::new(),
    };
    vacuous::attempt(&mut table, entry, deadline)?;
    let mut inputs = if contradiction.is_some() {
        "none".to_owned()
    } else if table.is_proved() {
        "all".to_owned()
    } else {
        runs::attempt(
            &mut table, judgement, index, prepared, point, request, device, deadline, &so_far,
        )?
    };
    let mut replays = Replays {
        table: &mut table,
        judgement,
        subject_index: index,
        prepared,
        point,
        request,
        deadline,
        so_far: &so_far,
    };
    replays.again(cut);
    if contradiction.is_none() {
        at_launch::attempt(&mut table, judgement, entry, deadline)?;
        if table.is_proved() && !point.has_one_input(program) {
            inputs = "all".to_owned();
        }
    }
    out_of_the_ordinary::attempt(
        &mut table, judgement, index, prepared, point, request, deadline,
    );
    Ok((table, inputs))
}
