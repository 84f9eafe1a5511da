//! Who wrote last what two compared programs leave differently. A run may be long, so no states of
//! it are kept: it is run once to find the transition, and once more to tell of it.

use crate::finding::ScheduleStep;
use crate::replay::complete::complete;
use crate::replay::explain::moment::{Point, moment};
use crate::replay::explain::names::{Names, thread_of, view_of};
use crate::replay::explain::trail::Tracks;
use crate::replay::words::launch_of;
use crate::report::explanation::{CellLeft, Moment};
use crate::report::witness::ObservedCell;
use crate::system::ExploredProgram;
use crate::system::follow::Run;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, OpId, OpKind};
use gridlock_semantics::algebra::value::{ArrayRef, Pointer, Value};
use gridlock_semantics::evaluation::eval::eval;
use gridlock_semantics::host::State;
use gridlock_semantics::host::streams::{StreamId, Work};
use gridlock_semantics::thread::view::Reading;
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Access, Actor, Label, TransitionSystem};

/// Copies of copies that are followed back.
const MOST_COPIES: usize = 4;

/// Tells what wrote a cell last in a run that follows `schedule` and then goes on in canonical
/// order to its end; also the number of that transition.
pub fn left(
    system: &ExploredProgram,
    names: &Names<'_>,
    schedule: &[ScheduleStep],
    cell: &ObservedCell,
) -> (CellLeft, Option<usize>) {
    let teller = Teller {
        system,
        names,
        schedule,
    };
    let (wrote, last) = teller.history(cell);
    let told = CellLeft {
        cell: match (&cell.array, cell.index) {
            (Some(array), Some(index)) => names.words.element(&**array, index),
            _ => cell.name(),
        },
        value: cell.value.map(|value| match value {
            Value::Undef => "never written".to_owned(),
            value => value.to_string(),
        }),
        wrote,
    };
    (told, last)
}

/// What a transition gives a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    Cell(ArrayRef, i64),
    /// The entry's variable that holds its result.
    Result(VarId),
}

/// The transition that wrote a target last.
struct Written {
    index: usize,
    actor: Actor,
    op: OpId,
    access: Option<Access>,
    /// Where it was copied from.
    from: Option<Pointer>,
}

struct Teller<'a> {
    system: &'a ExploredProgram,
    names: &'a Names<'a>,
    schedule: &'a [ScheduleStep],
}

impl Teller<'_> {
    fn history(&self, cell: &ObservedCell) -> (Vec<Moment>, Option<usize>) {
        let mut told = Vec::new();
        let mut last = None;
        let mut target = self.target(cell);
        let mut before = usize::MAX;
        while let Some(sought) = target
            && told.len() <= MOST_COPIES
            && let Some(written) = self.last_write(sought, before)
        {
            last = last.or(Some(written.index));
            told.extend(self.moment(sought, &written));
            before = written.index;
            target = written
                .from
                .map(|from| Target::Cell(from.array, from.offset));
        }
        (told, last)
    }

    fn target(&self, cell: &ObservedCell) -> Option<Target> {
        let system = self.system.system();
        let Some(name) = &cell.array else {
            let entry = system.context().setup.entry;
            let result = self.system.program().proc(entry).result;
            return result.map(Target::Result);
        };
        let initial = self.system.initial().into_iter().next()?;
        let named = |array: &ArrayRef| {
            let found = initial.memory.array(*array);
            found.is_some_and(|found| *found.info.name == **name)
        };
        let array = system.observed_arrays().into_iter().find(named)?;
        Some(Target::Cell(array, cell.index?))
    }

    /// Goes through the run; `visit` sees each transition's number, label and the states around it.
    fn run(&self, mut visit: impl FnMut(usize, &Label, &State, &State)) {
        let Some(initial) = self.system.initial().into_iter().next() else {
            return;
        };
        let mut run = Run::visiting(self.system, initial, &mut visit);
        if run.follow(self.schedule).is_ok() {
            complete(&mut run);
        }
    }

    /// The last transition numbered below `before` that wrote the target.
    fn last_write(&self, target: Target, before: usize) -> Option<Written> {
        let mut found = None;
        self.run(|index, label, was, is| {
            if index < before
                && let Some((actor, op, access, from)) = self.writes(target, label, was, is)
            {
                found = Some(Written {
                    index,
                    actor,
                    op,
                    access,
                    from,
                });
            }
        });
        found
    }

    fn writes(
        &self,
        target: Target,
        label: &Label,
        before: &State,
        after: &State,
    ) -> Option<(Actor, OpId, Option<Access>, Option<Pointer>)> {
        let first = *label.actors.first()?;
        let (array, index) = match target {
            Target::Result(var) => {
                let op = label.op?;
                let OpKind::Basic(basic) = &self.names.op(op)?.kind else {
                    return None;
                };
                let outermost = thread_of(before, first)?.frames.len() == 1;
                let writes = first == Actor::Host && outermost && basic.assigned() == Some(var);
                return writes.then_some((first, op, None, None));
            }
            Target::Cell(array, index) => (array, index),
        };
        let value = |state: &State| state.memory.array(array).map(|array| array.get(index));
        let changed = value(before) != value(after);
        let wrote = |access: &&Access| {
            (access.array, access.index) == (array, index)
                && match access.mode {
                    AccessMode::Read | AccessMode::AtomicRead => false,
                    AccessMode::Write => true,
                    AccessMode::Atomic => changed || !self.system.may_fail_to_write(access.op),
                }
        };
        if let Some(access) = label.accesses.iter().rev().find(wrote) {
            // The host's freeing of memory stands for a write to all of it.
            let writes = !self.names.frees(access.op);
            return writes.then_some((access.actor, access.op, Some(*access), None));
        }
        let op = label.op?;
        if let Some((dst, src, bytes)) = self.copied(label, op, before) {
            let elem = before.memory.array(array)?.info.elem.size();
            let at = index.checked_sub(dst.offset)?;
            let reaches = dst.array == array && at >= 0 && (at as u64) < bytes / elem.max(1);
            return reaches.then(|| {
                let from = Pointer {
                    array: src.array,
                    offset: src.offset + at,
                };
                (first, op, None, Some(from))
            });
        }
        changed.then_some((first, op, None, None))
    }

    /// Destination, source and number of bytes of a copy, if the transition is one.
    fn copied(&self, label: &Label, op: OpId, state: &State) -> Option<(Pointer, Pointer, u64)> {
        let OpKind::Basic(Basic::Copy {
            dst, src, bytes, ..
        }) = &self.names.op(op)?.kind
        else {
            return None;
        };
        let actor = *label.actors.first()?;
        if let Some(stream) = StreamId::of_actor(actor) {
            let (_, operation) = state.queues.ready(stream)?;
            return match operation.work {
                Work::Copy {
                    dst, src, bytes, ..
                } => Some((dst, src, bytes)),
                Work::Launch { .. } | Work::Free { .. } => None,
            };
        }
        let mut reading = Reading::new(view_of(self.system, state, actor)?);
        let Ok(Value::Pointer(dst)) = eval(dst, &mut reading) else {
            return None;
        };
        let Ok(Value::Pointer(src)) = eval(src, &mut reading) else {
            return None;
        };
        let bytes = eval(bytes, &mut reading).ok()?.as_integer()?;
        Some((dst, src, u64::try_from(bytes).ok()?))
    }

    fn moment(&self, target: Target, written: &Written) -> Option<Moment> {
        let mut tracks = Tracks::new(self.system, self.names, [written.actor]);
        let mut told = None;
        self.run(|index, label, before, after| {
            if index > written.index {
                return;
            }
            if index == written.index
                && let Some(track) = tracks.of.get(&written.actor)
            {
                let launch = launch_of(self.system, before);
                let mut site =
                    self.names
                        .words
                        .site(Some(written.op), written.actor, launch.as_ref());
                site.mode = written.access.map(|access| access.mode);
                let point = Point {
                    index,
                    actor: written.actor,
                    op: written.op,
                    access: written.access,
                    site,
                };
                let states = (before, after);
                let launch = launch.as_ref();
                let mut moment = moment(self.system, self.names, &point, states, track, launch);
                if moment.does.is_empty() {
                    moment.does = self.does(target, written, after);
                }
                told = Some(moment);
            }
            tracks.follow(index, label, before, after);
        });
        told
    }

    /// What a transition does that accesses nothing by itself.
    fn does(&self, target: Target, written: &Written, after: &State) -> String {
        let Target::Cell(array, index) = target else {
            return "gives the result its value".to_owned();
        };
        let words = &self.names.words;
        let cell = words.element((&*words.array(after, array), array), index);
        let value = after.memory.array(array).map(|array| array.get(index));
        let value = value.map_or(String::new(), |value| format!(" := {value}"));
        match written.from {
            Some(from) => format!(
                "copies `{}` to `{cell}`{value}",
                words.element((&*words.array(after, from.array), from.array), from.offset)
            ),
            None => format!("writes `{cell}`{value}"),
        }
    }
}
