//! The run of one thread that stands for all, and what it finds in memory that others reach.

use super::closed::Closed;
use super::generic::{Access, Event, Generic, Write};
use super::memory::Instance;
use super::run::{At, Frame, Run, RunLimits, Subject};
use super::value::{Held, Known, Place, Value};
use crate::machine::launch::SymbolicLaunch;
use crate::machine::state::{Followed, unfollowed};
use crate::solver::budget::Budget;
use crate::solver::solve::Prover;
use crate::terms::term::{TermId, Terms};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use std::collections::{BTreeMap, BTreeSet};

impl<'r> Run<'r> {
    /// Runs the kernel that the setup enters for the generic thread of a launch.
    pub fn of_generic(
        terms: &'r mut Terms,
        subject: Subject<'r>,
        launch: SymbolicLaunch,
        limits: RunLimits,
    ) -> Followed<Run<'r>> {
        let proc = subject.setup.entry;
        let kernel = subject.program.proc(proc);
        if kernel.kind != ProcKind::Kernel {
            return unfollowed("a program of the host", kernel.span);
        }
        let mut run = Run::start(terms, subject, limits);
        let always = run.terms.bool(true);
        let args = run.arguments()?;
        let mut vars = vec![vec![None; 1]; kernel.vars.len()];
        for (var, arg) in kernel.params.iter().zip(args) {
            vars[var.0 as usize] = vec![arg];
        }
        let left = limits
            .deadline
            .saturating_duration_since(std::time::Instant::now());
        run.block.index = launch.dimensions.map(|d| d.block);
        run.block.block_extent = launch.dimensions.map(|d| d.block_extent);
        run.block.grid_extent = launch.dimensions.map(|d| d.grid_extent);
        run.block.threads = vec![launch.dimensions.map(|d| d.thread)];
        run.block.alive = vec![always];
        run.block.frames = vec![Frame { proc, vars }];
        run.block.of_warps = vec![0];
        run.generic = Some(Generic {
            launch,
            context: always,
            events: BTreeMap::new(),
            accesses: Vec::new(),
            prover: Prover::new(Budget::each(0.1, 40), left),
            own: Vec::new(),
            is_probe: false,
            n_loops: 0,
            n_returns: 0,
            counters_assumed: BTreeSet::new(),
        });
        let body = kernel.body.clone();
        run.execute(&body, &[always])?;
        Ok(run)
    }

    /// The condition, and what holds where the generic thread is.
    pub fn in_context(&mut self, guard: TermId) -> TermId {
        match &self.generic {
            Some(generic) => self.terms.and(generic.context, guard),
            None => guard,
        }
    }

    /// What holds where the generic thread is, in all.
    pub fn context(&mut self) -> TermId {
        match &self.generic {
            Some(generic) => generic.context,
            None => self.terms.bool(true),
        }
    }

    pub fn set_context(&mut self, context: TermId) {
        if let Some(generic) = &mut self.generic {
            generic.context = context;
        }
    }

    /// Whether `cond` holds in every launch where `guard` does.
    pub fn is_certain(&mut self, guard: TermId, cond: TermId) -> bool {
        if let Some(known) = self.terms.as_bool(cond) {
            return known;
        }
        let guard = self.in_context(guard);
        let not = self.terms.not(cond);
        let Some(generic) = &mut self.generic else {
            return false;
        };
        let mut asked = generic.launch.facts.clone();
        asked.extend(self.assumed.iter().copied());
        asked.extend([guard, not]);
        let mut closed = Closed::default();
        for one in &mut asked {
            *one = closed.of(self.terms, *one);
        }
        generic
            .prover
            .decide_all(self.terms, &asked)
            .is_unsatisfiable()
    }

    /// Memory that more than one thread reaches, in the run of a generic one.
    pub fn is_common(&self, place: Place) -> bool {
        self.generic.is_some() && !matches!(place, Place::Private(_))
    }

    fn interval_of(&self, place: Place) -> u32 {
        match place {
            Place::Shared(_) => self.block.intervals[0],
            _ => self.block.intervals[1],
        }
    }

    /// The generic thread writes to common memory.
    pub fn write_common(
        &mut self,
        place: Place,
        cell: TermId,
        guard: TermId,
        value: &Held,
        span: Span,
    ) {
        let guard = self.in_context(guard);
        let interval = self.interval_of(place);
        let event = Event::Written(Write {
            guard,
            cell,
            value: value.clone(),
            interval,
            repeats: Vec::new(),
            span,
        });
        if let Some(generic) = &mut self.generic {
            generic.events.entry(place).or_default().push(event);
        }
    }

    /// The generic thread comes to an access.
    pub fn note_generic(&mut self, place: Place, cell: TermId, guard: TermId) {
        let guard = self.in_context(guard);
        if let (Some(generic), Place::Argument(_)) = (&mut self.generic, place) {
            generic.accesses.push(Access {
                place,
                guard,
                cell,
                iterations: Vec::new(),
            });
        }
    }

    /// What the generic thread reads from common memory.
    pub fn read_common(
        &mut self,
        (place, _): Instance,
        cell: TermId,
        guard: TermId,
        span: Span,
    ) -> Followed<Held> {
        let interval = self.interval_of(place);
        let Some(generic) = &mut self.generic else {
            return unfollowed("no generic thread", span);
        };
        let is_probe = generic.is_probe;
        let events = generic.events.get(&place).cloned().unwrap_or_default();
        // The latest first: each may hide what was there before.
        let mut hiding: Vec<(TermId, Held)> = Vec::new();
        let mut under = None;
        for event in events.iter().rev() {
            let write = match event {
                Event::Written(write) => write,
                Event::Apart(apart) if apart.is(self.terms, cell) => continue,
                Event::Apart(_) | Event::Earlier | Event::Anything => {
                    under = Some(self.anything(place, span)?);
                    break;
                }
            };
            if !write.repeats.is_empty() {
                let name = self.name(place);
                return unfollowed(
                    format!("a cell of `{name}` that a loop may have written"),
                    span,
                );
            }
            let (there, value) = match write.interval == interval || place_is_global(place) {
                // Another thread's write is in no order with this.
                true => {
                    if write.interval != interval {
                        let name = self.name(place);
                        let why = format!("`{name}` read after a barrier, once it was written");
                        return unfollowed(why, span);
                    }
                    let same = self.terms.eq(write.cell, cell);
                    (self.terms.and(write.guard, same), write.value.clone())
                }
                false => match self.of_owner(write, cell, guard, span)? {
                    Some((there, value)) => (there, value),
                    None => continue,
                },
            };
            let guard_here = self.in_context(guard);
            let both = self.terms.and(guard_here, there);
            if self.terms.as_bool(both) == Some(false) {
                continue;
            }
            if self.is_certain(guard, there) {
                under = Some(value);
                break;
            }
            let not = self.terms.not(there);
            if self.is_certain(guard, not) {
                continue;
            }
            hiding.push((there, value));
        }
        let mut result = match under {
            Some(value) => value,
            None if matches!(place, Place::Shared(_)) => None,
            None => self.first(place, cell, span)?,
        };
        if is_probe && result.is_none() {
            result = self.anything(place, span)?;
        }
        for (there, value) in hiding.into_iter().rev() {
            result = self.chosen(there, &value, &result, span)?;
        }
        Ok(result)
    }

    /// A value of which nothing is known; only in a first look at a loop.
    fn anything(&mut self, place: Place, span: Span) -> Followed<Held> {
        let name = self.name(place);
        let is_probe = self.generic.as_ref().is_some_and(|g| g.is_probe);
        if !is_probe {
            let why = format!("a cell of `{name}` that an earlier iteration may have written");
            return unfollowed(why, span);
        }
        let (elem, _) = self.shape(place, span)?;
        let sort = crate::machine::value::sort_of(elem);
        let scope = crate::terms::term::Scope::Thread;
        let origin = crate::terms::term::Origin::EarlierRound;
        let term = self
            .terms
            .fresh_from(origin, format!("some {name}"), sort, scope);
        let defined = self.terms.bool(true);
        Ok(Some(Value {
            known: Known::Scalar(term),
            defined,
        }))
    }

    /// The generic thread, where it is for certain.
    pub fn here(&mut self, span: Span) -> At {
        At {
            thread: 0,
            guard: self.terms.bool(true),
            span,
        }
    }
}

fn place_is_global(place: Place) -> bool {
    !matches!(place, Place::Shared(_))
}
