//! Operators of a generic thread, in textual order: both ways of a branch are run and joined, so
//! there is one state at each point of the program.

use crate::machine::evaluate::Manner;
use crate::machine::state::{
    Asserted, Assumed, AtBarrier, Followed, Item, Leaving, MAX_STEPS, Machine, Rest, before,
    unfollowed,
};
use crate::machine::value::{Frame, Repeated, State, SymValue, select, sort_of};
use crate::terms::array_key::ArrayKey;
use crate::terms::term::TermId;
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::fault::FaultKind;
use std::sync::Arc;

impl<'p> Machine<'p> {
    /// Runs `op`; `rest` is what follows it, for those who stop at a barrier inside.
    pub fn execute(&mut self, op: &'p Arc<Op>, state: &mut State, rest: &Rest<'p>) -> Followed<()> {
        if state.ended {
            return Ok(());
        }
        self.steps += 1;
        if self.steps > MAX_STEPS {
            return unfollowed("a nest of loops too deep to follow", op.span);
        }
        match &op.kind {
            OpKind::Skip => Ok(()),
            OpKind::Seq(ops) => {
                let mut rests = vec![rest.clone()];
                for later in ops.iter().skip(1).rev() {
                    let next = rests.last().cloned().flatten();
                    rests.push(before(Item::Op(later), next));
                }
                for one in ops {
                    let rest = rests.pop().flatten();
                    self.execute(one, state, &rest)?;
                }
                Ok(())
            }
            OpKind::If {
                cond,
                then,
                otherwise,
            } => {
                let cond = self.scalar(cond, op, state)?;
                self.branch(cond, then, otherwise, state, rest)
            }
            OpKind::While { .. } => self.repeat(op, state, rest),
            OpKind::Call { proc, args, result } => {
                self.enter(*proc, args, op, state)?;
                let inside = before(Item::Return(*result), rest.clone());
                let program = self.program;
                let outside = state.rounds.len();
                self.begin_round(state, Repeated::Procedure(*proc));
                self.execute(&program.proc(*proc).body, state, &inside)?;
                state.rounds.truncate(outside);
                self.leave(*result, state);
                Ok(())
            }
            OpKind::Par(..) => unfollowed("host threads", op.span),
            OpKind::Basic(basic) => self.basic(basic, op, state, rest),
        }
    }

    fn branch(
        &mut self,
        cond: TermId,
        then: &'p Arc<Op>,
        otherwise: &'p Arc<Op>,
        state: &mut State,
        rest: &Rest<'p>,
    ) -> Followed<()> {
        match self.terms.as_bool(cond) {
            Some(true) => return self.execute(then, state, rest),
            Some(false) => return self.execute(otherwise, state, rest),
            None => {}
        }
        let not = self.terms.not(cond);
        let parent = state.path.len();
        let mut yes = state.clone();
        yes.path.push(cond);
        self.execute(then, &mut yes, rest)?;
        let mut no = state.clone();
        no.path.push(not);
        self.execute(otherwise, &mut no, rest)?;
        *state = match (yes.ended, no.ended) {
            (true, _) => no,
            (false, true) => yes,
            (false, false) => self.join(cond, parent, yes, no),
        };
        Ok(())
    }

    /// One state for two that parted on `cond` when the path condition had `parent` parts.
    fn join(&mut self, cond: TermId, parent: usize, yes: State, no: State) -> State {
        let mut joined = State {
            frames: yes.frames.clone(),
            path: yes.path[..parent].to_vec(),
            ended: false,
            rounds: yes.rounds.clone(),
        };
        let not = self.terms.not(cond);
        for (guard, side) in [(cond, &yes), (not, &no)] {
            let gained = self.terms.all(&side.path[parent + 1..]);
            let fact = self.terms.implies(guard, gained);
            self.assume(&mut joined, fact);
        }
        for (frame, (a, b)) in joined
            .frames
            .iter_mut()
            .zip(yes.frames.iter().zip(&no.frames))
        {
            for (slot, (a, b)) in frame.vars.iter_mut().zip(a.vars.iter().zip(&b.vars)) {
                *slot = match (a, b) {
                    (Some(a), Some(b)) => select(&mut self.terms, cond, a, b),
                    (Some(v), None) | (None, Some(v)) => match v {
                        SymValue::Scalar(term) => {
                            let sort = self.terms.sort(*term);
                            let unset = SymValue::Scalar(self.unknown("uninitialised", sort));
                            let (a, b) = (a.as_ref(), b.as_ref());
                            let (a, b) = (a.unwrap_or(&unset), b.unwrap_or(&unset));
                            select(&mut self.terms, cond, a, b)
                        }
                        // Using an uninitialised pointer ends the run.
                        SymValue::Pointer(_) => Some(v.clone()),
                    },
                    (None, None) => None,
                };
            }
        }
        joined
    }

    /// Opens an activation of `proc`.
    pub fn enter(
        &mut self,
        proc: ProcId,
        args: &[gridlock_semantics::algebra::expr::Expr],
        op: &Op,
        state: &mut State,
    ) -> Followed<()> {
        let procedure = self.program.proc(proc);
        let mut vars = vec![None; procedure.vars.len()];
        for (param, arg) in procedure.params.iter().zip(args) {
            vars[param.0 as usize] = Some(self.evaluate(arg, op, state)?);
        }
        state.frames.push(Frame { proc, vars });
        Ok(())
    }

    /// Closes the newest activation and hands its result to the caller.
    pub fn leave(&mut self, result: Option<VarId>, state: &mut State) {
        if let Some(frame) = state.frames.pop()
            && let Some(var) = result
        {
            let from = self.program.proc(frame.proc).result;
            let value = from.and_then(|var| frame.vars[var.0 as usize].clone());
            state.set(var, value);
        }
    }

    fn basic(
        &mut self,
        basic: &'p Basic,
        op: &'p Arc<Op>,
        state: &mut State,
        rest: &Rest<'p>,
    ) -> Followed<()> {
        match basic {
            Basic::Assign { var, value } if value.is_no_value() => state.set(*var, None),
            // To its next value: all of them are unknown.
            Basic::Assign { var, .. }
                if self.is_arbitrary(ArrayKey::Param(*var))
                    && state.frames.len() == 1
                    && self.program.proc(state.frame().proc).moves_arbitrary(op) => {}
            Basic::Assign { var, value } => {
                let value = self.evaluate(value, op, state)?;
                state.set(*var, Some(value));
            }
            Basic::Load { var, pointer } => {
                let targets = self.pointer(pointer, op, state)?;
                let frame = state.frame();
                let ty = self.program.proc(frame.proc).vars[var.0 as usize].ty;
                let value = self.load(&targets, ty, op, state)?;
                state.set(*var, Some(SymValue::Scalar(value)));
            }
            Basic::Store { pointer, value } => {
                let targets = self.pointer(pointer, op, state)?;
                let manner = Manner {
                    leaves: basic.writes_back(),
                    ..Manner::plain(AccessMode::Write)
                };
                if !manner.leaves {
                    self.scalar(value, op, state)?;
                }
                self.record(&targets, manner, op, state);
            }
            Basic::Atomic {
                function: _,
                scope,
                pointer,
                operands,
                result,
            } => {
                let targets = self.pointer(pointer, op, state)?;
                for operand in operands {
                    self.scalar(operand, op, state)?;
                }
                let manner = Manner {
                    mode: AccessMode::Atomic,
                    scope: Some(*scope),
                    result_used: result.is_some(),
                    leaves: false,
                };
                self.record(&targets, manner, op, state);
                if let Some(var) = result {
                    let frame = state.frame();
                    let ty = self.program.proc(frame.proc).vars[var.0 as usize].ty;
                    let Some(ty) = ty.scalar() else {
                        return unfollowed("an atomic operation on pointers", op.span);
                    };
                    let old = self.unknown_of_memory("old", sort_of(ty));
                    state.set(*var, Some(SymValue::Scalar(old)));
                }
            }
            Basic::Barrier { orders, .. } => {
                if self.trials == 0 {
                    self.log.barriers.push(AtBarrier {
                        orders: *orders,
                        state: state.clone(),
                        rest: rest.clone(),
                    });
                }
            }
            Basic::SyncWarp { mask } => {
                self.scalar(mask, op, state)?;
                if self.trials == 0 {
                    self.log.warp_barriers.push(op.span);
                }
            }
            Basic::Nanosleep { nanoseconds } => {
                self.scalar(nanoseconds, op, state)?;
            }
            // Ordering that is left out only adds behaviour.
            Basic::Fence { .. } => {}
            Basic::Exit => {
                if self.trials == 0 {
                    let path = self.path(state);
                    self.log.leavings.push(Leaving {
                        op: op.id,
                        path,
                        in_loop: self.summarised > 0,
                    });
                }
                state.ended = true;
            }
            Basic::Assert { cond } => {
                let aligned = FaultKind::of_assertion(cond) == FaultKind::MisalignedAccess;
                let cond = self.scalar(cond, op, state)?;
                if self.trials == 0 {
                    let path = self.path(state);
                    self.log.asserted.push(Asserted {
                        op: op.id,
                        path,
                        cond,
                        aligned,
                    });
                }
            }
            Basic::Assume { cond } => {
                let cond = self.scalar(cond, op, state)?;
                if self.trials == 0 {
                    let path = self.path(state);
                    self.log.assumed.push(Assumed { path, cond });
                }
                self.assume(state, cond);
            }
            Basic::Beyond => {
                return unfollowed("what the front end left out", op.span);
            }
            Basic::NamedBarrier { .. } => return unfollowed("a named barrier", op.span),
            Basic::GridBarrier => return unfollowed("a grid barrier", op.span),
            // Whatever the others bring: any value. Exchanges order nothing, and who takes part
            // is not followed.
            Basic::Warp { .. } | Basic::ActiveMask { .. } => {
                for expression in basic.expressions() {
                    self.evaluate(expression, op, state)?;
                }
                if let Some(var) = basic.assigned() {
                    let frame = state.frame();
                    let ty = self.program.proc(frame.proc).vars[var.0 as usize].ty;
                    let Some(ty) = ty.scalar() else {
                        return unfollowed("an exchange of pointers", op.span);
                    };
                    let given = self.unknown_of_memory("exchanged", sort_of(ty));
                    state.set(var, Some(SymValue::Scalar(given)));
                }
                if self.trials == 0 {
                    self.log.warp_barriers.push(op.span);
                }
            }
            Basic::InitGpu
            | Basic::Alloc { .. }
            | Basic::Free { .. }
            | Basic::Copy { .. }
            | Basic::CallGpu { .. }
            | Basic::DeviceSync
            | Basic::SetDevice { .. }
            | Basic::StreamCreate { .. }
            | Basic::StreamDestroy { .. }
            | Basic::StreamSync { .. }
            | Basic::EventCreate { .. }
            | Basic::EventDestroy { .. }
            | Basic::EventRecord { .. }
            | Basic::EventSync { .. }
            | Basic::StreamWait { .. }
            | Basic::Wait { .. } => return unfollowed("a host operator", op.span),
        }
        Ok(())
    }
}
