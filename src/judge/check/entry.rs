//! One entry: what is established of it, and what that hangs on.

use super::ahead::Ahead;
use super::established::established;
use super::judged::Judged;
use super::{conditional, contents, grades, harmless, host_code, unasked};
use crate::input::contents::ContentsSpec;
use crate::input::deadline::Deadline;
use crate::input::error::InputError;
use crate::input::request::Request;
use crate::judge::pointer_premises::Entry;
use crate::judge::preconditions::Portable;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint, premises};
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::{Judgement, Subject};
use gridlock_checker::verdict::Property;
use gridlock_semantics::algebra::ids::{ArrayId, ProcId};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use std::cell::RefCell;

/// Until when an entry is judged, and what comes after it.
pub(crate) struct When<'a> {
    pub deadline: Deadline,
    /// The entries judged later.
    pub later: &'a [ProcId],
    /// Conditions found for those judged before.
    pub before: &'a RefCell<Vec<Portable>>,
    /// The instance of a template that it is, where numbers in it were chosen.
    pub chosen: Option<&'a str>,
    /// The proofs made ahead, and which of them is its own.
    pub ahead: Option<(&'a Ahead, usize)>,
}

/// Judges one entry and adds what was found to the judgement. A host function that is closed (no
/// parameters) has one input, so that all schedules of it are all inputs.
pub(crate) fn judge_entry(
    judgement: &mut Judgement,
    file: &str,
    prepared: &Prepared,
    point: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    when: &When<'_>,
) -> Result<(), InputError> {
    let deadline = when.deadline;
    let program = &prepared.surface;
    let procedure = program.proc(point.proc);
    let index = judgement.subjects.len();
    let entry = Judged {
        file,
        subject: index,
        prepared,
        point,
        request,
        device,
    };
    let (mut table, inputs) = {
        let made = || when.ahead.and_then(|(ahead, place)| ahead.take(place));
        established(judgement, &entry, deadline, when.later, made)?
    };
    if procedure.kind == ProcKind::Kernel {
        host_code::grade(&mut table, program, point);
    }
    if procedure.kind == ProcKind::Kernel
        && !contents::attempt(&mut table, judgement, &entry, deadline)?
        && !conditional::as_before(
            &mut table,
            judgement,
            &entry,
            &when.before.borrow(),
            deadline,
        )?
    {
        let hanging = grades::hang_on(&mut table, prepared, point, request, device, deadline);
        judgement.assumptions.extend(hanging.assumptions.clone());
        harmless::grade(&mut table, prepared, point, request, device, deadline);
        let attempted = conditional::attempt(&mut table, judgement, &entry, hanging, deadline)?;
        when.before.borrow_mut().extend(attempted.found);
        if let Some(instance) = when.chosen {
            unasked::leave_instance_open(&mut table, judgement, &entry, instance);
        }
        unasked::leave_choices_open(&mut table, judgement, &entry, deadline);
        if let Some(others) = attempted.others {
            unasked::leave_others_open(&mut table, judgement, &entry, others);
        }
    }

    judgement.subjects.push(Subject {
        file: file.to_owned(),
        kernel: procedure.name.to_string(),
        launch: subject::describe(program, point),
        inputs,
        host_launches: subject::described(point),
        host_tried: table.host_tried().cloned(),
    });
    let bounds_asked = request
        .properties
        .as_ref()
        .is_none_or(|p| p.contains(&Property::Bounds));
    let entry = Entry {
        subject: index,
        program,
        point,
    };
    if bounds_asked {
        let is_known = |v| point.extents.contains_key(&v) || point.nulls.contains(&v);
        entry.note_open_bounds(&mut judgement.not_judged, is_known);
    }
    entry.note_aliasing(judgement, false);
    entry.note_not_null(&mut judgement.assumptions);
    let filled: Vec<&str> = point
        .filled
        .iter()
        .map(|id| &*program.array(*id).name)
        .collect();
    if !filled.is_empty() {
        judgement.remarks.note(Remark::FilledByHost {
            kernel: procedure.name.to_string(),
            arrays: owned(&filled),
        });
    }
    let is_open = |id: &ArrayId| {
        point.filled.contains(id)
            || point
                .declared
                .get(id)
                .is_some_and(|spec| *spec != ContentsSpec::Initial)
    };
    let declared: Vec<&str> = premises::declared_arrays(program, point.proc)
        .into_iter()
        .filter(|id| !is_open(id))
        .map(|id| &*program.array(id).name)
        .collect();
    if procedure.kind == ProcKind::Kernel && !declared.is_empty() {
        judgement.assumptions.note(Assumption::ContentsAsDeclared {
            kernel: procedure.name.to_string(),
            arrays: owned(&declared),
        });
    }
    table.into_results(index, judgement);
    Ok(())
}

fn owned(names: &[&str]) -> Vec<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}
