//! Places that hold values of a launch, and in which of them two states differ.

use gridlock_semantics::algebra::ids::{ArrayId, VarId};
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::block::BlockState;
use gridlock_semantics::grid::GridState;
use gridlock_semantics::host::State;
use gridlock_semantics::memory::{Array, Instances};
use gridlock_semantics::thread::{Frame, ThreadState};
use std::sync::Arc;

/// A place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValuePlace {
    /// A variable of a thread's frame; frames are counted from the entry inwards.
    Var { at: At, var: VarId },
    /// How often a thread has gone through the loops around it that contain a barrier.
    Iterations(At),
    /// All cells of a private array.
    Private {
        block: u32,
        thread: u32,
        array: ArrayId,
    },
    Shared {
        block: u32,
        array: ArrayId,
        index: i64,
    },
    /// A cell of memory that outlives the launch.
    Memory { array: ArrayRef, index: i64 },
}

/// A frame of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct At {
    pub block: u32,
    pub thread: u32,
    pub frame: u32,
}

impl ValuePlace {
    /// Whether what is held is a number wherever it is read, or is never read as a value.
    pub fn holds_number(&self, state: &State) -> bool {
        match self {
            ValuePlace::Iterations(_) => true,
            // Which cells have a value is compared where states are.
            ValuePlace::Private { .. } => self.private(state).is_some(),
            _ => self.value(state).and_then(Value::scalar_type).is_some(),
        }
    }

    /// Whether two states hold the same here.
    pub fn is_same(&self, a: &State, b: &State) -> bool {
        match self {
            ValuePlace::Iterations(at) => {
                let of = |state| frame(state, at).map(|frame| &frame.iterations);
                of(a) == of(b)
            }
            ValuePlace::Private { .. } => self.private(a) == self.private(b),
            _ => self.value(a) == self.value(b),
        }
    }

    fn private<'a>(&self, state: &'a State) -> Option<&'a Array> {
        let ValuePlace::Private {
            block,
            thread,
            array,
        } = self
        else {
            return None;
        };
        let block = state.device.as_ref()?.blocks.get(*block as usize)?;
        block.threads.get(*thread as usize)?.arrays.get(array)
    }

    fn value(&self, state: &State) -> Option<Value> {
        match self {
            ValuePlace::Var { at, var } => frame(state, at)?.vars.get(var.0 as usize).copied(),
            ValuePlace::Shared {
                block,
                array,
                index,
            } => {
                let block = state.device.as_ref()?.blocks.get(*block as usize)?;
                Some(block.shared.get(array)?.get(*index))
            }
            ValuePlace::Memory { array, index } => Some(state.memory.array(*array)?.get(*index)),
            ValuePlace::Iterations(_) | ValuePlace::Private { .. } => None,
        }
    }

    /// Gives a state what another holds here.
    pub fn copy(&self, from: &State, to: &mut State) {
        match self {
            ValuePlace::Var { at, var } => {
                if let (Some(value), Some(frame)) = (self.value(from), frame_mut(to, at)) {
                    frame.vars[var.0 as usize] = value;
                }
            }
            ValuePlace::Iterations(at) => {
                if let (Some(other), Some(own)) = (frame(from, at), frame_mut(to, at)) {
                    own.iterations.clone_from(&other.iterations);
                }
            }
            ValuePlace::Private {
                block,
                thread,
                array,
            } => {
                if let (Some(held), Some(own)) =
                    (self.private(from), thread_mut(to, *block, *thread))
                {
                    own.arrays.insert(*array, held.clone());
                }
            }
            ValuePlace::Shared {
                block,
                array,
                index,
            } => {
                if let (Some(value), Some(block)) = (self.value(from), block_mut(to, *block))
                    && let Some(own) = block.shared.get_mut(array)
                {
                    own.set(*index, value);
                }
            }
            ValuePlace::Memory { array, index } => {
                if let (Some(value), Some(own)) = (self.value(from), to.memory.array_mut(*array)) {
                    own.set(*index, value);
                }
            }
        }
    }
}

fn frame<'a>(state: &'a State, at: &At) -> Option<&'a Frame> {
    let block = state.device.as_ref()?.blocks.get(at.block as usize)?;
    let thread = block.threads.get(at.thread as usize)?;
    thread.frames.get(at.frame as usize)
}

fn block_mut(state: &mut State, block: u32) -> Option<&mut BlockState> {
    let blocks = &mut state.device.as_mut()?.blocks;
    blocks.get_mut(block as usize).map(Arc::make_mut)
}

fn thread_mut(state: &mut State, block: u32, thread: u32) -> Option<&mut ThreadState> {
    let threads = &mut block_mut(state, block)?.threads;
    threads.get_mut(thread as usize).map(Arc::make_mut)
}

fn frame_mut<'a>(state: &'a mut State, at: &At) -> Option<&'a mut Frame> {
    thread_mut(state, at.block, at.thread)?
        .frames
        .get_mut(at.frame as usize)
}

/// The places in which two states differ; `None` where threads stand elsewhere, or something else
/// differs that is seen at once. (The caller that relies on it compares the states but for these.)
pub fn differing(a: &State, b: &State) -> Option<Vec<ValuePlace>> {
    let (before, after): (&GridState, &GridState) = (a.device.as_ref()?, b.device.as_ref()?);
    if (before.unfinished, before.started) != (after.unfinished, after.started)
        || a.memory.global.len() != b.memory.global.len()
        || a.memory.host.len() != b.memory.host.len()
    {
        return None;
    }
    let mut found = Vec::new();
    let pairs = before.blocks.iter().zip(after.blocks.iter());
    for ((before, after), block) in pairs.zip(0..) {
        if Arc::ptr_eq(before, after) {
            continue;
        }
        let threads = before.threads.iter().zip(after.threads.iter());
        for ((before, after), thread) in threads.zip(0..) {
            if !Arc::ptr_eq(before, after) {
                in_thread(before, after, (block, thread), &mut found)?;
            }
        }
        in_instances(&before.shared, &after.shared, |array, cells| {
            found.extend(cells.iter().map(|&index| ValuePlace::Shared {
                block,
                array,
                index,
            }));
        })?;
    }
    let global = a.memory.global.iter().zip(b.memory.global.iter());
    for ((before, after), number) in global.zip(0..) {
        let array = ArrayRef::Global(number);
        let cells = before.differing(after);
        found.extend(
            cells
                .into_iter()
                .map(|index| ValuePlace::Memory { array, index }),
        );
    }
    Some(found)
}

fn in_thread(
    before: &ThreadState,
    after: &ThreadState,
    (block, thread): (u32, u32),
    found: &mut Vec<ValuePlace>,
) -> Option<()> {
    let stands_alike = before.status == after.status
        && before.waiting == after.waiting
        && before.frames.len() == after.frames.len();
    if !stands_alike {
        return None;
    }
    for ((own, other), frame) in before.frames.iter().zip(&after.frames).zip(0..) {
        if own.proc != other.proc || own.call_site != other.call_site || own.rest != other.rest {
            return None;
        }
        let at = At {
            block,
            thread,
            frame,
        };
        for ((own, other), var) in own.vars.iter().zip(&other.vars).zip(0..) {
            if own != other {
                // Only numbers of one type may be forgotten.
                own.scalar_type()
                    .filter(|ty| other.scalar_type() == Some(*ty))?;
                found.push(ValuePlace::Var {
                    at,
                    var: VarId(var),
                });
            }
        }
        if own.iterations != other.iterations {
            found.push(ValuePlace::Iterations(at));
        }
    }
    in_instances(&before.arrays, &after.arrays, |array, cells| {
        if !cells.is_empty() {
            found.push(ValuePlace::Private {
                block,
                thread,
                array,
            });
        }
    })
}

/// Calls `each` with the cells that differ; `None` where some have a value in one state only.
fn in_instances(
    before: &Instances,
    after: &Instances,
    mut each: impl FnMut(ArrayId, &[i64]),
) -> Option<()> {
    if before.ptr_eq(after) {
        return Some(());
    }
    if before.len() != after.len() {
        return None;
    }
    for ((id, own), (other_id, other)) in before.iter().zip(after.iter()) {
        if id != other_id {
            return None;
        }
        let cells = own.differing(other);
        let is_number = |array: &Array, index| array.get(index).scalar_type().is_some();
        let both = |index: &i64| is_number(own, *index) && is_number(other, *index);
        if !cells.iter().all(both) {
            return None;
        }
        each(*id, &cells);
    }
    Some(())
}
