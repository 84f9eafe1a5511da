//! Loops. A `for` becomes `init; WHILE cond DO (body THEN step)`, the shape that
//! `gridlock_semantics::analysis::loops` recognises.

use crate::body::binding::Binding;
use crate::body::code::Code;
use crate::body::flow::{Last, LoopFlags, Taken};
use crate::body::{Body, sequence};
use crate::constant;
use crate::order::disturbance::is_harmless;
use crate::refusal::Result;
use crate::spans::join;
use crate::syntax::expression::Expression;
use crate::syntax::kind::Kind;
use crate::syntax::statement::{For, Statement};
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::Type;
use std::sync::Arc;

/// The ways to end a loop besides its condition.
struct Stops {
    left: Option<VarId>,
    returned: Option<VarId>,
    /// Of labels outside.
    gone: Vec<VarId>,
}

impl Stops {
    fn any(&self) -> bool {
        self.flags().next().is_some()
    }

    fn flags(&self) -> impl Iterator<Item = VarId> {
        let own = [self.left, self.returned].into_iter().flatten();
        own.chain(self.gone.iter().copied())
    }

    /// No jump out of the loop was taken, and `cond`.
    fn guard(&self, cond: Expr) -> Expr {
        let not = self
            .flags()
            .map(|var| constant::not(Expr::var(var, Type::BOOL)));
        match not.reduce(|a, b| Expr::binary(BinaryOp::And, a, b)) {
            Some(goes_on) => constant::binary(BinaryOp::And, goes_on, cond),
            None => cond,
        }
    }
}

const BODY: Last = Last {
    of_function: false,
    of_loop_body: true,
    of_switch: false,
};

impl Code<'_, '_> {
    fn clear(&mut self, flag: Option<VarId>, span: Span) {
        if let Some(var) = flag {
            let value = Expr::bool(false);
            self.emit(Basic::Assign { var, value }, span);
        }
    }

    /// **Lemma (unseen step).** A step that only gives values to variables which the `for` itself declares, computed
    /// of variables that have one, without reading memory and without an operation that can be a fault, may run once
    /// more after a jump out of the loop: no code after the loop can name the variables that it changed. Any other
    /// step is guarded, so that it runs only after iterations that reach their end.
    ///
    /// `n_vars` variables were there before the step was read.
    fn step_is_unseen(
        &self,
        init: Option<&Node>,
        step: Option<&Node>,
        step_ops: &[Arc<Op>],
        n_vars: usize,
    ) -> bool {
        let declared = match init.map(|init| init.statement()) {
            Some(Statement::Declarations(declarations)) => declarations,
            _ => &[],
        };
        let own: Vec<VarId> = declared
            .iter()
            .filter_map(|node| match self.bindings.get(&node.id) {
                Some(Binding::Var(var, _)) => Some(*var),
                _ => None,
            })
            .collect();
        let assigns_own = |op: &Arc<Op>| match &op.kind {
            OpKind::Basic(Basic::Assign { var, value }) => {
                (own.contains(var) || var.0 as usize >= n_vars) && is_harmless(value)
            }
            _ => false,
        };
        step_ops.iter().all(assigns_own)
            && step.is_none_or(|step| self.reads_what_has_a_value(step, declared))
    }

    /// Whether every variable that an expression names had a value from its declaration on; some are `declared`
    /// by the loop.
    fn reads_what_has_a_value(&self, node: &Node, declared: &[Node]) -> bool {
        let has_one = match node.expression() {
            Expression::Name(decl) => {
                let mut declared = declared.iter();
                decl.kind == Kind::ParmVarDecl
                    || declared.any(|own| own.id == decl.id && own.kind.init.is_some())
                    || self.unit.initialised.contains_key(&decl.id)
                    || !self.bindings.contains_key(&decl.id)
            }
            Expression::Call(_) => false,
            _ => true,
        };
        has_one
            && node
                .inner
                .iter()
                .all(|n| self.reads_what_has_a_value(n, declared))
    }
}

impl Body<'_, '_> {
    /// The operators of a loop's body, and the jumps that end the loop from inside.
    fn loop_body(&mut self, body: &Node) -> Result<(Vec<Arc<Op>>, Stops, Taken)> {
        self.enter_loop();
        let made = self.apart(|b| b.statement(body, BODY));
        let LoopFlags {
            left, continued, ..
        } = self.leave_loop();
        let (mut ops, taken) = made?;
        let span = self.span(body);
        if let Some(var) = continued {
            let value = Expr::bool(false);
            ops.insert(0, Op::basic(Basic::Assign { var, value }, span));
        }
        let returned = self.returned_flag().filter(|_| taken.returned);
        let out = Taken {
            returned: taken.returned,
            gone: taken.gone,
            ..Taken::default()
        };
        let gone = self.gone_flags(taken.gone).collect();
        let stops = Stops {
            left,
            returned,
            gone,
        };
        Ok((ops, stops, out))
    }

    /// A `for`, of which `node` says where it stands.
    pub(crate) fn for_loop(&mut self, node: &Node, parts: &For<'_>) -> Result<Taken> {
        let For {
            init,
            condition: cond,
            step,
            body,
        } = *parts;
        let span = self.span(node);
        let init_ops = self.block(|b| match init {
            None => Ok(()),
            Some(init) => b.statement(init, Last::default()).map(|_| ()),
        })?;
        let (cond_ops, cond_value) = self.loop_condition(cond)?;
        let (body_ops, stops, taken) = self.loop_body(body)?;
        let n_vars = self.vars.len();
        let mut step_ops = self.block(|b| match step {
            None => Ok(()),
            Some(step) => b.effect(step),
        })?;
        // After a jump out of the loop the step must not run, unless its effect is invisible.
        let is_unseen = !stops.any() || self.step_is_unseen(init, step, &step_ops, n_vars);
        if let Some(step) = step.filter(|_| !is_unseen && !step_ops.is_empty()) {
            let cond = stops.guard(Expr::bool(true));
            let kind = OpKind::If {
                cond,
                then: sequence(step_ops),
                otherwise: Op::skip(),
            };
            step_ops = vec![Op::new(kind, self.span(step))];
        }
        self.clear(stops.left, span);
        let while_span = cond.map_or(span, |cond| self.span(cond));
        if cond_ops.is_empty() {
            let mut inside = vec![sequence(body_ops)];
            inside.extend(step_ops);
            let kind = OpKind::While {
                cond: stops.guard(cond_value),
                body: sequence(inside),
            };
            let mut whole = init_ops;
            whole.push(Op::new(kind, while_span));
            // A sequence of its own: the shape of a counted loop.
            self.ops.push(sequence(whole));
        } else {
            self.ops.extend(init_ops);
            let mut inside = body_ops;
            inside.extend(step_ops);
            let at = (while_span, while_span);
            self.loop_with_effects(at, cond_ops, cond_value, inside, &stops)?;
        }
        Ok(taken)
    }

    /// The condition of a loop and the operators in front of it.
    fn loop_condition(&mut self, cond: Option<&Node>) -> Result<(Vec<Arc<Op>>, Expr)> {
        match cond {
            None => Ok((vec![], Expr::bool(true))),
            Some(cond) => self.apart(|b| b.condition(cond)),
        }
    }

    pub(crate) fn while_loop(&mut self, node: &Node, cond: &Node, body: &Node) -> Result<Taken> {
        let span = self.head_span(node, cond);
        let (cond_ops, cond_value) = self.loop_condition(Some(cond))?;
        let (body_ops, stops, taken) = self.loop_body(body)?;
        self.clear(stops.left, span);
        if cond_ops.is_empty() {
            let kind = OpKind::While {
                cond: stops.guard(cond_value),
                body: sequence(body_ops),
            };
            self.ops.push(Op::new(kind, span));
        } else {
            let at = (span, self.span(cond));
            self.loop_with_effects(at, cond_ops, cond_value, body_ops, &stops)?;
        }
        Ok(taken)
    }

    /// `WHILE` whose condition has side effects: `again := true; WHILE again DO (effects;
    /// again := cond; IF again THEN body)`, so that each effect stands in the program once.
    ///
    /// **Lemma (loop with effects).** The condition and its effects are evaluated once before every iteration and
    /// once when the condition ends the loop, but not after a jump out of it.
    ///
    /// The spans are those of the loop and of its condition.
    fn loop_with_effects(
        &mut self,
        (span, cond_span): (Span, Span),
        mut cond_ops: Vec<Arc<Op>>,
        cond_value: Expr,
        body: Vec<Arc<Op>>,
        stops: &Stops,
    ) -> Result<()> {
        let again = self.declare("again", Type::BOOL, span);
        self.assign_var(again, Expr::bool(true), span);
        let rest = self.block(|b| {
            b.assign_var(again, cond_value, cond_span);
            if !body.is_empty() {
                let goes_on = Expr::var(again, Type::BOOL);
                b.emit_if(goes_on, sequence(body), Op::skip(), cond_span);
            }
            Ok(())
        })?;
        cond_ops.extend(rest);
        let kind = OpKind::While {
            cond: stops.guard(Expr::var(again, Type::BOOL)),
            body: sequence(cond_ops),
        };
        self.ops.push(Op::new(kind, span));
        Ok(())
    }

    pub(crate) fn do_loop(
        &mut self,
        node: &Node,
        body: &Node,
        cond: &Node,
        last: Last,
    ) -> Result<Taken> {
        let span = self.span(node);
        // `do { … } while (0)`, as macros have it, is no loop. Lemma (once): without a `break` or `continue` of its
        // own, the body runs once, and a condition without effects can be left out.
        let (cond_ops, cond_value) = self.apart(|b| b.condition(cond))?;
        let is_once = cond_ops.is_empty() && constant::truth(&cond_value) == Some(false);
        if is_once && !jumps_out_of_loop(body) {
            return self.statement(body, last);
        }
        let (mut body_ops, stops, taken) = self.loop_body(body)?;
        self.clear(stops.left, span);
        let cond_span = self.span(cond);
        let goes_on = self.declare("again", Type::BOOL, span);
        self.assign_var(goes_on, Expr::bool(true), span);
        let again = self.block(|b| {
            if cond_ops.is_empty() {
                b.assign_var(goes_on, stops.guard(cond_value), cond_span);
                return Ok(());
            }
            let evaluate = b.block(|b| {
                b.ops = cond_ops;
                b.assign_var(goes_on, cond_value, cond_span);
                Ok(())
            })?;
            if !stops.any() {
                b.ops.extend(evaluate);
                return Ok(());
            }
            b.assign_var(goes_on, Expr::bool(false), cond_span);
            let guard = stops.guard(Expr::bool(true));
            b.emit_if(guard, sequence(evaluate), Op::skip(), cond_span);
            Ok(())
        })?;
        body_ops.extend(again);
        let kind = OpKind::While {
            cond: Expr::var(goes_on, Type::BOOL),
            body: sequence(body_ops),
        };
        self.ops.push(Op::new(kind, join(span, cond_span)));
        Ok(taken)
    }
}

/// Whether a `break` or `continue` inside belongs to the loop around.
fn jumps_out_of_loop(node: &Node) -> bool {
    match node.kind() {
        Kind::BreakStmt | Kind::ContinueStmt | Kind::LabelStmt => true,
        Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt | Kind::CXXForRangeStmt => false,
        Kind::SwitchStmt => continues(node),
        _ => node.inner.iter().any(jumps_out_of_loop),
    }
}

/// Whether a `continue` inside belongs to the loop around.
fn continues(node: &Node) -> bool {
    match node.kind() {
        Kind::ContinueStmt => true,
        Kind::ForStmt | Kind::WhileStmt | Kind::DoStmt => false,
        _ => node.inner.iter().any(continues),
    }
}
