//! Who writes a place: what wrote it last in a run, and which operators of the program may.

use crate::replay::explain::moment::place_text;
use crate::replay::explain::names::{Names, thread_of};
use crate::replay::words::who;
use crate::report::explanation::SourcePlace;
use crate::system::ExploredProgram;
use crate::system::follow::Followed;
use crate::system::footprint::place_of;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{Basic, OpId, OpKind};
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::host::State;
use gridlock_semantics::setup::{Arg, Launch};
use gridlock_semantics::thread::Status;
use gridlock_semantics::transition::{Access, Actor};

/// Places named in a sentence.
const MOST_PLACES: usize = 4;

/// The last access of a run that changed the place of `access`, with what it left there.
pub fn last_change(
    system: &ExploredProgram,
    run: &[Followed],
    access: &Access,
) -> Option<(Access, Option<Value>)> {
    let place = place_of(access);
    run.iter().rev().find_map(|followed| {
        let here = |a: &&Access| place_of(a) == place && !a.mode.reads_only();
        let found = followed.label.accesses.iter().rev().find(here)?;
        let (old, new) = followed.cells(system, found);
        (old != new).then_some((*found, new))
    })
}

/// Where the program writes the array, by its own names; by other operators than `but`.
pub fn written_at(
    system: &ExploredProgram,
    names: &Names<'_>,
    array: ArrayRef,
    but: Option<OpId>,
) -> Vec<SourcePlace> {
    let mut places: Vec<SourcePlace> = Vec::new();
    for (proc, op) in system.program().operators() {
        if but == Some(op.id) {
            continue;
        }
        let pointer = match &op.kind {
            OpKind::Basic(Basic::Store { pointer, .. } | Basic::Atomic { pointer, .. }) => pointer,
            _ => continue,
        };
        let place = names.place(op.id);
        if points_into(system, proc, pointer, array) && place.line > 0 && !places.contains(&place) {
            places.push(place);
        }
    }
    places
}

/// Whether a pointer expression is made of a declared array or of a parameter of the entry.
/// (Another pointer may point there too; that is not followed.)
fn points_into(system: &ExploredProgram, proc: ProcId, pointer: &Expr, array: ArrayRef) -> bool {
    let context = system.system().context();
    match &pointer.kind {
        ExprKind::Offset(base, _) | ExprKind::Cast(base) => points_into(system, proc, base, array),
        ExprKind::ArrayBase(id) => context.arrays.get(id.0 as usize) == Some(&array),
        ExprKind::Var(var) if proc == context.setup.entry => {
            let params = &system.program().proc(proc).params;
            let at = params.iter().position(|param| param == var);
            let bound = at.and_then(|at| context.setup.args.get(at));
            let is_global = |array: &&ArrayRef| matches!(array, ArrayRef::Global(_));
            let n_declared = context.arrays.iter().filter(is_global).count() as u32;
            match (bound, array) {
                (Some(Arg::Array(index)), ArrayRef::Global(number)) => {
                    number == n_declared + *index as u32
                }
                _ => false,
            }
        }
        _ => false,
    }
}

/// `a`, `a and b`, `a, b and c`, at most a handful.
pub fn listed(places: &[SourcePlace]) -> String {
    let mut texts: Vec<String> = places.iter().take(MOST_PLACES).map(place_text).collect();
    if places.len() > MOST_PLACES {
        texts.push(format!("{} more places", places.len() - MOST_PLACES));
    }
    match texts.pop() {
        None => String::new(),
        Some(last) if texts.is_empty() => last,
        Some(last) => format!("{} and {last}", texts.join(", ")),
    }
}

/// Who left the value that is there, and where that thread is now.
pub fn left_by(
    names: &Names<'_>,
    state: &State,
    cell: &str,
    (change, value): &(Access, Option<Value>),
    launch: Option<&Launch>,
) -> String {
    let value = value.map_or(String::new(), |value| format!(" = {value}"));
    let writer = who(change.actor, launch);
    let place = names.words.place(change.op);
    let now = thread_of(state, change.actor).map(|thread| match thread.status {
        Status::Ended => ", which has reached the end".to_owned(),
        Status::Returned => ", which has returned".to_owned(),
        Status::Running => match thread.position() {
            Some(op) => format!(", which is at {} now", names.words.place(op)),
            None => String::new(),
        },
    });
    let now = match change.actor {
        Actor::Thread { .. } => now.unwrap_or_default(),
        _ => String::new(),
    };
    format!("`{cell}`{value} was left there by {writer} at {place}{now}")
}
