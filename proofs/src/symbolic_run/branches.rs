//! Branches of the generic thread: each is run by itself, where its condition holds, and what the two leave is chosen
//! from afterwards. So a term holds no condition that is known where it is used.

use super::run::{At, Run};
use super::value::Held;
use crate::machine::state::Followed;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::Op;
use gridlock_semantics::algebra::span::Span;
use std::sync::Arc;

impl Run<'_> {
    /// `if cond then a else b`, for the generic thread.
    pub fn branch_generic(
        &mut self,
        cond: &Expr,
        then: &Arc<Op>,
        otherwise: &Arc<Op>,
        span: Span,
    ) -> Followed<()> {
        let always = self.terms.bool(true);
        let at = At {
            thread: 0,
            guard: always,
            span,
        };
        let holds = self.scalar(cond, at)?;
        match self.terms.as_bool(holds) {
            Some(true) => return self.execute(then, &[always]),
            Some(false) => return self.execute(otherwise, &[always]),
            None => {}
        }
        let not = self.terms.not(holds);
        let context = self.context();
        let frames = self.block.frames.clone();
        let memory = self.memory.clone();
        let alive = self.block.alive[0];
        let mut left = Vec::new();
        for (cond, branch) in [(holds, then), (not, otherwise)] {
            self.block.frames.clone_from(&frames);
            self.memory.clone_from(&memory);
            self.block.alive[0] = alive;
            let inside = self.terms.and(context, cond);
            self.set_context(inside);
            self.execute(branch, &[always])?;
            let frames = std::mem::take(&mut self.block.frames);
            left.push((
                frames,
                std::mem::take(&mut self.memory),
                self.block.alive[0],
            ));
        }
        let (other_frames, other_memory, other_alive) = left.remove(1);
        let (own_frames, own_memory, own_alive) = left.remove(0);
        self.block.frames = own_frames;
        self.memory = own_memory;
        for (at, other) in other_frames.into_iter().enumerate() {
            for (var, other) in other.vars.into_iter().enumerate() {
                let own = self.block.frames[at].vars[var][0].clone();
                let held = self.chosen(holds, &own, &other[0], span)?;
                self.block.frames[at].vars[var][0] = held;
            }
        }
        let cells: Vec<_> = [&self.memory, &other_memory]
            .into_iter()
            .flat_map(|memory| memory.all().map(|(instance, cell, _)| (instance, cell)))
            .collect();
        for (instance, cell) in cells {
            // What a branch did not write is what there was at first.
            let of = |run: &mut Self, memory: Option<Held>| match memory {
                Some(held) => Ok(held),
                None => {
                    let number = run.terms.bits(64, cell as u64);
                    run.first(instance.0, number, span)
                }
            };
            let (own, other) = (
                self.memory.at(instance, cell).cloned(),
                other_memory.at(instance, cell).cloned(),
            );
            let (own, other) = (of(self, own)?, of(self, other)?);
            let held = self.chosen(holds, &own, &other, span)?;
            self.memory.set(instance, cell, held);
        }
        let alive = self.terms.ite(holds, own_alive, other_alive);
        self.block.alive[0] = alive;
        // Who has returned does nothing any more: from here on the thread is one that has not.
        let context = self.terms.and(context, alive);
        self.set_context(context);
        Ok(())
    }
}
