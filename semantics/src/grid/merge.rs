//! `merge`: the memory after several threads have fired one step together (paper 2, section 2.4). Each thread `i` has
//! stepped from the same memory `b` to `bᵢ`; for every location `v`:
//!
//! ```text
//! merge(b; b₁ … bₖ)(v)  =  b(v)                                 if no thread touched v
//! merge(b; b₁ … bₖ)(v)  =  any one of {bᵢ(v) | i touched v}     otherwise
//! ```
//!
//! Premises: [`Premise::HeadsAreEqual`] of the threads that fire together (decided by
//! [`block::moves`](crate::block::moves)); [`Premise::LocationIsShared`] is whether several of them touched a
//! location, and [`Premise::ValueIsChanged`], under merge by value, whether a store changed it.
//!
//! Effect: one state for each choice. *Touched* means changed (axis *merge*: by value) or written (by write). Atomic
//! operations are applied one after another, in every order: with `merge` two increments would count once. The paper
//! merges per block and then per grid; merging the writes of all that fire at once gives the same sets of values
//! (docs/semantics.md, deviation 5).

use super::state::Device;
use crate::algebra::ids::{ArrayId, VarId};
use crate::algebra::operator::AtomicFn;
use crate::algebra::value::{ArrayRef, Value};
use crate::block::literal_barrier;
use crate::block::part::Fired;
use crate::evaluation::atomic;
use crate::memory::{Array, Instances, declared_info};
use crate::profile::Merge;
use crate::setup::Launch;
use crate::setup::context::Context;
use crate::thread::Effect;
use crate::transition::End;
use crate::transition::decision::decided;
use crate::transition::premise::Premise;
use std::collections::BTreeMap;

/// A cell; a shared array is identified together with its block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Location {
    block: Option<u32>,
    array: ArrayRef,
    index: i64,
}

/// One way to combine what was done to a location: its new value (`None`: unchanged), and the
/// results of atomic operations, by index into the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Outcome {
    value: Option<Value>,
    results: Vec<(usize, VarId, Value)>,
}

/// The states in which the steps end that `fired` took together from `base`; none is listed
/// twice.
pub fn combine(context: &Context, base: &Device, fired: Vec<Fired>) -> Vec<Device> {
    let mut after = base.clone();
    let grid = &mut after.grid;
    let mut touched: BTreeMap<Location, Vec<usize>> = BTreeMap::new();
    let mut discarded = false;
    for (index, one) in fired.iter().enumerate() {
        let mut block = (*grid.blocks[one.block as usize]).clone();
        let before = base.grid.blocks[one.block as usize].arrived;
        match &one.step.effect {
            Effect::Nothing | Effect::Replace(_) => {}
            Effect::Discard => discarded = true,
            Effect::Write { to: at, .. } | Effect::Atomic { at, .. } => {
                let location = Location {
                    block: matches!(at.array, ArrayRef::Shared(_)).then_some(one.block),
                    array: at.array,
                    index: at.offset,
                };
                touched.entry(location).or_default().push(index);
            }
            // `bc` is merged like any location: all of them wrote the same value.
            Effect::CountArrival => block.arrived = literal_barrier::inc(before),
            Effect::ClearArrivals => block.arrived = literal_barrier::ZERO,
        }
        block.set_thread(one.thread, one.step.thread.clone());
        grid.set_block(one.block, block);
    }
    if discarded {
        after.end = Some(End::Discarded);
    }
    let mut states = vec![after];
    for (location, members) in touched {
        decided(Premise::LocationIsShared, members.len() > 1);
        let old = cell(context, base, location);
        let outcomes = outcomes(context, old, &members, &fired);
        let mut next = Vec::with_capacity(states.len() * outcomes.len());
        for state in &states {
            for outcome in &outcomes {
                let mut combined = state.clone();
                apply(context, &mut combined, location, outcome, &fired);
                if outcomes.len() == 1 || !next.contains(&combined) {
                    next.push(combined);
                }
            }
        }
        states = next;
    }
    states
}

fn outcomes(context: &Context, old: Value, members: &[usize], fired: &[Fired]) -> Vec<Outcome> {
    let effect = |member: usize| &fired[member].step.effect;
    let all_writes = members
        .iter()
        .all(|&m| matches!(effect(m), Effect::Write { .. }));
    let mut found = Vec::new();
    if all_writes {
        for &member in members {
            if let Effect::Write { value, .. } = effect(member)
                && (context.axes.merge == Merge::ByWrite
                    || decided(Premise::ValueIsChanged, *value != old))
            {
                remember(&mut found, Some(*value), vec![]);
            }
        }
        if found.is_empty() {
            remember(&mut found, None, vec![]);
        }
        return found;
    }
    if order_is_unseen(members, fired) {
        let value = members
            .iter()
            .fold(old, |value, &m| step_value(effect(m), value));
        remember(&mut found, Some(value), vec![]);
        return found;
    }
    let mut order = members.to_vec();
    each_order(&mut order, 0, &mut |order| {
        let (mut value, mut results) = (old, Vec::new());
        for &member in order {
            if let Effect::Atomic {
                result: Some(var), ..
            } = effect(member)
            {
                results.push((member, *var, value));
            }
            value = step_value(effect(member), value);
        }
        results.sort_unstable_by_key(|(member, ..)| *member);
        remember(&mut found, Some(value), results);
    });
    found
}

fn remember(found: &mut Vec<Outcome>, value: Option<Value>, results: Vec<(usize, VarId, Value)>) {
    let outcome = Outcome { value, results };
    if !found.contains(&outcome) {
        found.push(outcome);
    }
}

fn step_value(effect: &Effect, old: Value) -> Value {
    match effect {
        Effect::Write { value, .. } => *value,
        Effect::Atomic {
            function, operands, ..
        } => atomic::apply(*function, old, operands),
        _ => old,
    }
}

/// Whether these atomic operations give the same in every order.
fn order_is_unseen(members: &[usize], fired: &[Fired]) -> bool {
    let mut functions: Vec<AtomicFn> = Vec::new();
    let unseen = members
        .iter()
        .all(|&member| match &fired[member].step.effect {
            Effect::Atomic {
                function,
                operands,
                result,
                ..
            } => {
                functions.push(*function);
                let elem = operands.first().and_then(|v| v.scalar_type());
                elem.is_some_and(|elem| atomic::order_is_unseen(*function, elem, result.is_some()))
            }
            _ => false,
        });
    functions.dedup();
    unseen && functions.len() == 1
}

/// Calls `visit` with every order of `items[from..]` behind the fixed `items[..from]`.
fn each_order(items: &mut [usize], from: usize, visit: &mut impl FnMut(&[usize])) {
    if from == items.len() {
        return visit(items);
    }
    for next in from..items.len() {
        items.swap(from, next);
        each_order(items, from + 1, visit);
        items.swap(from, next);
    }
}

fn cell(context: &Context, device: &Device, location: Location) -> Value {
    let grid = &device.grid;
    let array = match (location.array, location.block) {
        (ArrayRef::Shared(id), Some(block)) => {
            let shared = &grid.blocks[block as usize].shared;
            shared.get(&id).cloned().unwrap_or_else(|| {
                Array::new(declared_info(context.program.array(id), Some(&grid.launch)))
            })
        }
        _ => match device.memory.array(location.array) {
            Some(array) => array.clone(),
            None => return Value::Undef,
        },
    };
    array.get(location.index)
}

fn apply(
    context: &Context,
    device: &mut Device,
    location: Location,
    outcome: &Outcome,
    fired: &[Fired],
) {
    let grid = &mut device.grid;
    if let Some(value) = outcome.value {
        match (location.array, location.block) {
            (ArrayRef::Shared(id), Some(block)) => {
                let mut changed = (*grid.blocks[block as usize]).clone();
                let launch = grid.launch;
                set_shared(
                    context,
                    &launch,
                    &mut changed.shared,
                    id,
                    location.index,
                    value,
                );
                grid.set_block(block, changed);
            }
            _ => {
                if let Some(array) = device.memory.array_mut(location.array) {
                    array.set(location.index, value);
                }
            }
        }
    }
    for (member, var, value) in &outcome.results {
        let Fired { block, thread, .. } = fired[*member];
        let mut changed = (*grid.blocks[block as usize]).clone();
        let mut assigned = (*changed.threads[thread as usize]).clone();
        assigned.assign(*var, *value);
        changed.set_thread(thread, assigned);
        grid.set_block(block, changed);
    }
}

fn set_shared(
    context: &Context,
    launch: &Launch,
    shared: &mut Instances,
    id: ArrayId,
    index: i64,
    value: Value,
) {
    let mut array = shared
        .get(&id)
        .cloned()
        .unwrap_or_else(|| Array::new(declared_info(context.program.array(id), Some(launch))));
    array.set(index, value);
    if array.is_untouched() {
        shared.remove(&id);
    } else {
        shared.insert(id, array);
    }
}
