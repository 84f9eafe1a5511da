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
use crate::memory::{Array, Instances, Memory, declared_info};
use crate::profile::Merge;
use crate::setup::Launch;
use crate::setup::context::Context;
use crate::thread::{Effect, Step};
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

/// What a thread that fired does to memory.
struct Done {
    block: u32,
    thread: u32,
    effect: Effect,
}

/// The states in which the steps end that `fired` took together from `base`; none is listed
/// twice.
pub fn combine(context: &Context, base: Device, fired: Vec<Fired>) -> Vec<Device> {
    let mut after = base;
    // Each counts from what was there before any of them.
    let arrived = |one: &Fired| after.grid.blocks[one.block as usize].arrived;
    let arrived: Vec<u32> = fired.iter().map(arrived).collect();
    let mut touched: BTreeMap<Location, Vec<usize>> = BTreeMap::new();
    let mut discarded = false;
    let mut done = Vec::with_capacity(fired.len());
    for (index, (one, before)) in fired.into_iter().zip(arrived).enumerate() {
        let Step { thread, effect, .. } = one.step;
        match &effect {
            Effect::Discard => discarded = true,
            Effect::Write { to: at, .. } | Effect::Atomic { at, .. } => {
                let location = Location {
                    block: matches!(at.array, ArrayRef::Shared(_)).then_some(one.block),
                    array: at.array,
                    index: at.offset,
                };
                touched.entry(location).or_default().push(index);
            }
            Effect::Nothing | Effect::Replace(_) | Effect::CountArrival | Effect::ClearArrivals => {
            }
        }
        after.grid.change_block(one.block, |block| {
            match effect {
                // `bc` is merged like any location: all of them wrote the same value.
                Effect::CountArrival => block.arrived = literal_barrier::inc(before),
                Effect::ClearArrivals => block.arrived = literal_barrier::ZERO,
                _ => {}
            }
            block.change_thread(one.thread, thread);
        });
        done.push(Done {
            block: one.block,
            thread: one.thread,
            effect,
        });
    }
    if discarded {
        after.end = Some(End::Discarded);
    }
    let mut states = vec![after];
    for (location, members) in touched {
        decided(Premise::LocationIsShared, members.len() > 1);
        // The same in all of them, as no location is touched twice.
        let old = cell(context, &states[0], location);
        let outcomes = outcomes(context, old, &members, &done);
        if let [outcome] = outcomes.as_slice() {
            for state in &mut states {
                apply(context, state, location, outcome, &done);
            }
            continue;
        }
        let mut next = Vec::with_capacity(states.len() * outcomes.len());
        for state in &states {
            for outcome in &outcomes {
                let mut combined = state.clone();
                apply(context, &mut combined, location, outcome, &done);
                if !next.contains(&combined) {
                    next.push(combined);
                }
            }
        }
        states = next;
    }
    states
}

/// Makes the effect of a thread that fires alone, which is a write, an atomic operation or nothing. `cells`: the memory of
/// all, and the instances of shared arrays of its block. What the thread gets from there, and in which variable.
pub fn alone(
    context: &Context,
    launch: &Launch,
    (memory, shared): (&mut Memory, &mut Instances),
    effect: Effect,
) -> Option<(VarId, Value)> {
    let (at, value) = match &effect {
        Effect::Write { to, value } => (*to, Some(*value)),
        Effect::Atomic { at, .. } => (*at, None),
        _ => return None,
    };
    decided(Premise::LocationIsShared, false);
    let old = match (value, at.array) {
        (Some(_), _) if context.axes.merge == Merge::ByWrite => Value::Undef,
        (_, ArrayRef::Shared(id)) => match shared.get(&id) {
            Some(array) => array.get(at.offset),
            None => {
                Array::new(declared_info(context.program.array(id), Some(launch))).get(at.offset)
            }
        },
        _ => match memory.array(at.array) {
            Some(array) => array.get(at.offset),
            None => Value::Undef,
        },
    };
    let new = match value {
        Some(value)
            if context.axes.merge != Merge::ByWrite
                && !decided(Premise::ValueIsChanged, value != old) =>
        {
            return None;
        }
        _ => step_value(&effect, old),
    };
    match at.array {
        ArrayRef::Shared(id) => set_shared(context, launch, shared, (id, at.offset), new),
        _ => {
            if let Some(array) = memory.array_mut(at.array) {
                array.set(at.offset, new);
            }
        }
    }
    match effect {
        Effect::Atomic { atomic, .. } => Some((atomic.result?, old)),
        _ => None,
    }
}

fn outcomes(context: &Context, old: Value, members: &[usize], done: &[Done]) -> Vec<Outcome> {
    let effect = |member: usize| &done[member].effect;
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
    if order_is_unseen(members, done) {
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
            if let Effect::Atomic { atomic, .. } = effect(member)
                && let Some(var) = atomic.result
            {
                results.push((member, var, value));
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
        Effect::Atomic { atomic, .. } => atomic.apply(old),
        _ => old,
    }
}

/// Whether these atomic operations give the same in every order.
fn order_is_unseen(members: &[usize], done: &[Done]) -> bool {
    let mut functions: Vec<AtomicFn> = Vec::new();
    let unseen = members.iter().all(|&member| match &done[member].effect {
        Effect::Atomic { atomic: own, .. } => {
            functions.push(own.function);
            let elem = own.operands.first().and_then(|v| v.scalar_type());
            let is_seen = own.result.is_some();
            elem.is_some_and(|elem| atomic::order_is_unseen(own.function, elem, is_seen))
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
    done: &[Done],
) {
    let grid = &mut device.grid;
    if let Some(value) = outcome.value {
        match (location.array, location.block) {
            (ArrayRef::Shared(id), Some(block)) => {
                let launch = grid.launch;
                grid.change_block(block, |block| {
                    set_shared(
                        context,
                        &launch,
                        &mut block.shared,
                        (id, location.index),
                        value,
                    );
                });
            }
            _ => {
                if let Some(array) = device.memory.array_mut(location.array) {
                    array.set(location.index, value);
                }
            }
        }
    }
    for (member, var, value) in &outcome.results {
        let Done { block, thread, .. } = done[*member];
        grid.change_block(block, |block| {
            let mut assigned = (*block.threads[thread as usize]).clone();
            assigned.assign(*var, *value);
            block.set_thread(thread, assigned);
        });
    }
}

fn set_shared(
    context: &Context,
    launch: &Launch,
    shared: &mut Instances,
    (id, index): (ArrayId, i64),
    value: Value,
) {
    if let Some(array) = shared.get_mut(&id) {
        array.set(index, value);
        if array.is_untouched() {
            shared.remove(&id);
        }
        return;
    }
    let mut array = Array::new(declared_info(context.program.array(id), Some(launch)));
    array.set(index, value);
    if !array.is_untouched() {
        shared.insert(id, array);
    }
}
