//! Statements of host code: which way is taken, and what is known after it.

use super::Walk;
use super::value::{End, Known, Place, State};
use crate::constant;
use crate::syntax::casts::initialiser;
use crate::syntax::expression::Expression;
use crate::syntax::kind::{CastKind, Kind};
use crate::syntax::statement::{For, Jump, Statement};
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{CType, QualifiedType};
use clang_ast::Id;
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::types::Type;
use std::collections::HashSet;

/// Rounds of a loop that are walked one after another.
const MOST_ROUNDS: usize = 128;
/// Nodes that these rounds may take.
const MOST_STEPS_OF_ROUNDS: usize = 200_000;

impl Walk<'_, '_> {
    pub(super) fn statement(&mut self, node: &Node) -> End {
        if !self.step() {
            return End::Never;
        }
        match node.statement() {
            Statement::Block(statements) => self.block(statements),
            Statement::Declarations(declarations) => {
                for declaration in declarations {
                    self.declaration(declaration);
                }
                self.alive()
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                let condition = self.condition(condition);
                if self.alive() == End::Never {
                    return End::Never;
                }
                self.either(
                    condition,
                    &mut |walk| walk.statement(then),
                    &mut |walk| match otherwise {
                        Some(otherwise) => walk.statement(otherwise),
                        None => End::Next,
                    },
                )
            }
            Statement::For(For {
                init,
                condition,
                step,
                body,
            }) => {
                if let Some(init) = init
                    && self.statement(init) == End::Never
                {
                    return End::Never;
                }
                self.repeated(condition, body, step, false)
            }
            Statement::While { condition, body } => {
                self.repeated(Some(condition), body, None, false)
            }
            Statement::Do { body, condition } => self.repeated(Some(condition), body, None, true),
            Statement::Switch { value, body } => self.switch(value, body),
            Statement::Case { inner, .. } | Statement::Attributed(inner) => self.statement(inner),
            Statement::Jump(Jump::Break) => End::Break,
            Statement::Jump(Jump::Continue) => End::Continue,
            Statement::Jump(Jump::Return(value)) => {
                let value = value.map(|value| self.value(value));
                if self.alive() == End::Never {
                    return End::Never;
                }
                self.state.returned = value;
                End::Return
            }
            Statement::Jump(Jump::Goto(_)) | Statement::Label { .. } => {
                // Where it goes on is not followed.
                self.is_cut_short = true;
                self.forget_assigned(node);
                match node.statement() {
                    Statement::Label { inner, .. } => self.block(inner),
                    _ => End::Never,
                }
            }
            Statement::RangeFor => self.range_for(node),
            Statement::Empty => End::Next,
            Statement::Expression => {
                if let (Kind::CXXTryStmt, Some(tried)) = (node.kind(), node.child(0)) {
                    return self.statement(tried);
                }
                self.value(node);
                self.alive()
            }
        }
    }

    fn alive(&self) -> End {
        match self.state.path.contains(&Some(Expr::bool(false))) {
            true => End::Never,
            false => End::Next,
        }
    }

    /// No run goes on from here.
    pub(super) fn ends(&mut self) {
        self.state.path.push(Some(Expr::bool(false)));
    }

    fn block(&mut self, statements: &[Node]) -> End {
        for statement in statements {
            match self.statement(statement) {
                End::Next => {}
                end => return end,
            }
        }
        End::Next
    }

    fn declaration(&mut self, node: &Node) {
        if !node.is(Kind::VarDecl) {
            return;
        }
        self.meet(node.id, node.name());
        let ty = self.type_of(node);
        let Some(init) = initialiser(node) else {
            self.state.forget(node.id);
            return;
        };
        if let CType::Reference(to) = &ty.ty {
            match self.place(init) {
                Some(place) => {
                    self.aliases.insert(node.id, place);
                }
                None => {
                    let value = self.value(init);
                    self.aliases.remove(&node.id);
                    self.keep(node.id, value, to);
                }
            }
            return;
        }
        let value = self.initial(node, init);
        self.state.write(&Place::of(node.id), value);
    }

    /// The first value of a variable.
    pub(super) fn initial(&mut self, node: &Node, init: &Node) -> Known {
        let value = self.value(init);
        let value = self.converted(value, &self.type_of(node));
        self.named_input(value, node.name(), self.scalar_of(node))
    }

    fn keep(&mut self, variable: Id, value: Known, ty: &QualifiedType) {
        let value = self.converted(value, ty);
        self.state.write(&Place::of(variable), value);
    }

    /// A value as one of a type.
    pub(super) fn converted(&self, value: Known, ty: &QualifiedType) -> Known {
        match (value, ty.scalar()) {
            (Known::Number(number), Some(scalar)) => {
                Known::Number(constant::convert(number, Type::Scalar(scalar)))
            }
            (Known::Number(number), None) if ty.ty == CType::Status => Known::Number(number),
            (Known::Number(_), None) => Known::Nothing,
            (value, _) => value,
        }
    }

    /// Takes it for granted that a condition holds on the way from here.
    pub(super) fn assume(&mut self, condition: Option<Expr>) -> End {
        match condition.as_ref().and_then(constant::truth) {
            Some(true) => End::Next,
            Some(false) => End::Never,
            None => {
                if let Some(known) = &condition {
                    let contrary = negated(known.clone());
                    if self.state.path.contains(&Some(contrary)) {
                        return End::Never;
                    }
                }
                if condition.is_none() || !self.state.path.contains(&condition) {
                    self.state.path.push(condition);
                }
                End::Next
            }
        }
    }

    /// Both ways of a branch, or the one that is taken.
    pub(super) fn either(
        &mut self,
        condition: Option<Expr>,
        then: &mut dyn FnMut(&mut Self) -> End,
        otherwise: &mut dyn FnMut(&mut Self) -> End,
    ) -> End {
        match condition.as_ref().and_then(constant::truth) {
            Some(true) => return then(self),
            Some(false) => return otherwise(self),
            None => {}
        }
        let before = self.state.clone();
        let first = match self.assume(condition.clone()) {
            End::Next => then(self),
            end => end,
        };
        let one = std::mem::replace(&mut self.state, before);
        let second = match self.assume(condition.clone().map(negated)) {
            End::Next => otherwise(self),
            end => end,
        };
        match (first, second) {
            (first, End::Never) => {
                self.state = one;
                first
            }
            (End::Never, second) => second,
            (first, second) if first == second => {
                self.join(condition.as_ref(), one);
                first
            }
            (End::Next, second) => {
                let other = std::mem::replace(&mut self.state, one);
                self.parked.push((second, other));
                End::Next
            }
            (first, second) => {
                self.parked.push((first, one));
                second
            }
        }
    }

    /// Joins what holds on another way, taken where `condition` holds, into what holds here.
    fn join(&mut self, condition: Option<&Expr>, one: State) {
        let here = std::mem::take(&mut self.state);
        let condition = condition.cloned();
        let numbers = std::mem::take(&mut self.numbers);
        let mut choose =
            |condition: Option<&Expr>, a: &Expr, b: &Expr| self.chosen(condition, a, b);
        let joined = State::joined(&numbers, condition.as_ref(), one, here, &mut choose);
        self.state = joined;
        self.numbers = numbers;
    }

    /// One of two numbers.
    fn chosen(&mut self, condition: Option<&Expr>, a: &Expr, b: &Expr) -> Known {
        if let Some(condition) = condition {
            return self.folded(Expr::select(condition.clone(), a.clone(), b.clone()));
        }
        let number = |e: &Expr| constant::evaluate(e)?.as_integer().map(i64::try_from);
        match (number(a), number(b), a.ty.scalar()) {
            (Some(Ok(a)), Some(Ok(b)), Some(ty)) => {
                let name = format!("{a} or {b}");
                Known::Number(self.input(name, ty, true, vec![a, b]))
            }
            _ => Known::Nothing,
        }
    }

    /// Joins the ways that were parked since `mark` and that end in one of these ways. `path`: how many conditions
    /// the way had before they parted. True if there was one.
    pub(super) fn unpark(&mut self, mark: usize, path: usize, ends: &[End], is_here: bool) -> bool {
        let parked = self.parked.split_off(mark);
        let mut is_here = is_here;
        for (end, state) in parked {
            if !ends.contains(&end) {
                self.parked.push((end, state));
                continue;
            }
            if !is_here {
                self.state = state;
                is_here = true;
                continue;
            }
            let apart = state.path.get(path..).unwrap_or_default();
            let mut condition = Some(Expr::bool(true));
            for part in apart {
                condition = match (condition, part) {
                    (Some(all), Some(part)) => {
                        Some(constant::binary(BinaryOp::And, all, part.clone()))
                    }
                    _ => None,
                };
            }
            let condition = condition.filter(|c| constant::truth(c).is_none());
            self.join(condition.as_ref(), state);
        }
        is_here
    }

    /// A loop: round by round where it ends soon, else one round that stands for all.
    fn repeated(
        &mut self,
        condition: Option<&Node>,
        body: &Node,
        step: Option<&Node>,
        body_first: bool,
    ) -> End {
        let before = self.state.clone();
        let (mark, path) = (self.parked.len(), self.state.path.len());
        let steps = self.steps;
        for round in 0..MOST_ROUNDS {
            if !(round == 0 && body_first) {
                let holds = match condition {
                    Some(condition) => self.condition(condition),
                    None => Some(Expr::bool(true)),
                };
                match holds.as_ref().and_then(constant::truth) {
                    Some(true) => {}
                    Some(false) => {
                        let ends = [End::Break, End::Continue];
                        self.unpark(mark, path, &ends, true);
                        return End::Next;
                    }
                    None => break,
                }
            }
            if steps - self.steps > MOST_STEPS_OF_ROUNDS || self.steps == 0 {
                break;
            }
            let end = self.statement(body);
            let goes_on = matches!(end, End::Next | End::Continue);
            if !self.unpark(mark, path, &[End::Continue], goes_on) {
                self.park_return(end);
                return match self.unpark(mark, path, &[End::Break], end == End::Break) {
                    true => End::Next,
                    false => End::Never,
                };
            }
            if let Some(step) = step {
                self.value(step);
            }
        }
        // Launches of the rounds so far were met; what holds in any round follows.
        self.parked.truncate(mark);
        self.state = before;
        let mut assigned = HashSet::new();
        for part in condition.into_iter().chain([body]).chain(step) {
            assigned_in(part, false, &mut assigned);
        }
        let counter = step.and_then(|step| self.counter(step));
        let first = counter.and_then(|place| self.state.read(&Place::of(place)));
        self.forget_loop(&assigned);
        let mut holds = None;
        if !body_first {
            if let (Some(counter), Some(Known::Number(first))) = (counter, first) {
                // A counter that goes up begins with its least value.
                let now = self.read(&Place::of(counter), "", first.ty.scalar());
                if let Some(now) = now.number() {
                    let least = constant::binary(BinaryOp::Le, first, now.clone());
                    self.assume(Some(least));
                }
            }
            holds = match condition {
                Some(condition) => self.condition(condition),
                None => Some(Expr::bool(true)),
            };
            if self.assume(holds.clone()) == End::Never {
                self.state.path.truncate(path);
                return End::Next;
            }
        }
        let end = self.statement(body);
        let ends = [End::Break, End::Continue];
        let goes_on = matches!(end, End::Next | End::Break | End::Continue);
        let is_endless = holds.as_ref().and_then(constant::truth) == Some(true);
        if !self.unpark(mark, path, &ends, goes_on) {
            self.park_return(end);
            // Any other loop may have no round at all.
            if is_endless {
                return End::Never;
            }
            self.state.returned = None;
        }
        self.state.path.truncate(path);
        self.forget_loop(&assigned);
        End::Next
    }

    /// A way that leaves the function waits for the function's end.
    fn park_return(&mut self, end: End) {
        if end == End::Return {
            let here = self.state.clone();
            self.parked.push((end, here));
        }
    }

    /// The variable that a step counts up.
    fn counter(&self, step: &Node) -> Option<Id> {
        let (place, is_up) = match step.unwrapped().expression() {
            Expression::Step(step) => (step.operand, step.is_up),
            Expression::CompoundAssign { op, left, right } => {
                let by = self.unit.known_number(right);
                let is_up = match op {
                    BinaryOp::Add => by.is_some_and(|by| by > 0),
                    BinaryOp::Mul => by.is_some_and(|by| by > 1),
                    _ => false,
                };
                (left, is_up)
            }
            _ => return None,
        };
        match place.without_casts().expression() {
            Expression::Name(decl) if is_up => Some(decl.id),
            _ => None,
        }
    }

    /// `for (T x : range)`: one round for all.
    fn range_for(&mut self, node: &Node) -> End {
        let Some((body, declared)) = node.inner.split_last() else {
            return End::Next;
        };
        let (mark, path) = (self.parked.len(), self.state.path.len());
        let mut assigned = HashSet::new();
        assigned_in(node, false, &mut assigned);
        let range = declared.iter().find_map(|part| match part.statement() {
            Statement::Declarations([range]) => initialiser(range),
            _ => None,
        });
        let range = range.map(|range| match self.place(range) {
            Some(place) => self.state.read(&place).unwrap_or(Known::Nothing),
            None => self.value(range),
        });
        self.forget_loop(&assigned);
        if let Some(Statement::Declarations([variable])) = declared.last().map(Node::statement) {
            self.aliases.remove(&variable.id);
            let value = match range {
                Some(Known::Elements(elements)) => {
                    self.any_of(&elements, variable.name(), self.scalar_of(variable))
                }
                _ => Known::Nothing,
            };
            self.state.write(&Place::of(variable.id), value);
        }
        let end = self.statement(body);
        let goes_on = matches!(end, End::Next | End::Break | End::Continue);
        if !self.unpark(mark, path, &[End::Break, End::Continue], goes_on) {
            self.park_return(end);
            self.state.returned = None;
        }
        self.state.path.truncate(path);
        self.forget_loop(&assigned);
        End::Next
    }

    fn switch(&mut self, value: &Node, body: &Node) -> End {
        let value = self.number(value);
        let Statement::Block(statements) = body.statement() else {
            self.forget_assigned(body);
            return End::Next;
        };
        // Each label, and where it stands. The values of a range are not told apart.
        let mut labels: Vec<(Vec<Option<Expr>>, usize)> = Vec::new();
        let mut default = None;
        for (at, statement) in statements.iter().enumerate() {
            let mut node = statement;
            let mut own = Vec::new();
            while let Statement::Case { values, inner } = node.statement() {
                match values {
                    [] => default = Some(at),
                    [one] => own.push(self.number(one)),
                    _ => own.push(None),
                }
                node = inner;
            }
            if !own.is_empty() {
                labels.push((own, at));
            }
        }
        let is = |walk: &mut Self, label: &Option<Expr>| -> Option<Expr> {
            let (value, label) = (value.clone()?, label.clone()?);
            let label = constant::convert(label, value.ty);
            walk.folded(constant::binary(BinaryOp::Eq, value, label))
                .number()
                .cloned()
        };
        let (mark, path) = (self.parked.len(), self.state.path.len());
        let mut goes_on = None;
        let mut ways: Vec<(End, State)> = Vec::new();
        for (own, at) in labels {
            let mut any = Some(Expr::bool(false));
            for label in &own {
                any = match (any, is(self, label)) {
                    (Some(any), Some(one)) => Some(constant::binary(BinaryOp::Or, any, one)),
                    _ => None,
                };
            }
            let before = self.state.clone();
            if self.assume(any.clone()) == End::Next {
                let end = self.block(&statements[at..]);
                let state = std::mem::replace(&mut self.state, before);
                ways.push((end, state));
            } else {
                self.state = before;
            }
            if self.assume(any.map(negated)) == End::Never {
                goes_on = Some(End::Never);
                break;
            }
        }
        let end = match (goes_on, default) {
            (Some(end), _) => end,
            (None, Some(at)) => self.block(&statements[at..]),
            (None, None) => End::Next,
        };
        self.parked
            .extend(ways.into_iter().filter(|(end, _)| *end != End::Never));
        let is_here = matches!(end, End::Next | End::Break);
        if end == End::Continue {
            let here = self.state.clone();
            self.parked.push((end, here));
        }
        self.park_return(end);
        match self.unpark(mark, path, &[End::Break, End::Next], is_here) {
            true => End::Next,
            // Whatever left it otherwise is parked.
            false => End::Never,
        }
    }

    /// Forgets what a piece of code may assign.
    pub(super) fn forget_assigned(&mut self, node: &Node) {
        let mut assigned = HashSet::new();
        assigned_in(node, false, &mut assigned);
        self.forget_all(&assigned);
    }

    /// Forgets what a loop may assign in any of its rounds: what pointers point to, too.
    fn forget_loop(&mut self, assigned: &HashSet<Id>) {
        self.forget_all(assigned);
        let addressed: Vec<Id> = self.addressed.iter().copied().collect();
        for variable in addressed {
            self.state.forget(variable);
        }
    }

    fn forget_all(&mut self, assigned: &HashSet<Id>) {
        for variable in assigned {
            let id = self.unit.globals.get(variable).map_or(*variable, |n| n.id);
            match self.aliases.get(&id).cloned() {
                Some(place) => self.state.forget(place.variable),
                None => self.state.forget(id),
            }
        }
        // A function that is called may assign what is at file scope.
        let calls = !assigned.is_empty();
        let globals: Vec<Id> = self
            .state
            .variables()
            .filter(|id| calls && self.unit.globals.contains_key(id))
            .filter(|id| !self.unit.is_steady(*id))
            .collect();
        for global in globals {
            self.state.forget(global);
        }
    }
}

pub(super) fn negated(condition: Expr) -> Expr {
    use gridlock_semantics::algebra::expr::{ExprKind, UnaryOp};
    match &condition.kind {
        ExprKind::Unary(UnaryOp::Not, inner) => (**inner).clone(),
        _ => constant::not(condition),
    }
}

/// The variables that a piece of code does anything to but read them.
fn assigned_in(node: &Node, reads: bool, found: &mut HashSet<Id>) {
    if let (Expression::Name(decl), false) = (node.expression(), reads) {
        found.insert(decl.id);
    }
    let reads = match node.kind() {
        Kind::ImplicitCastExpr if *node.cast() == CastKind::LValueToRValue => true,
        Kind::ImplicitCastExpr if *node.cast() == CastKind::ArrayToPointerDecay => reads,
        // A copy of a struct, or a reference to what is not changed through it.
        Kind::ImplicitCastExpr if *node.cast() == CastKind::NoOp => {
            reads || node.type_text().starts_with("const ")
        }
        Kind::MemberExpr | Kind::ArraySubscriptExpr | Kind::ParenExpr => reads,
        _ => false,
    };
    for child in &node.inner {
        assigned_in(child, reads, found);
    }
}
