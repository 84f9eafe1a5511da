//! Programs as terms and back. `from_program` and `to_program` are inverse: ids, spans,
//! provenances, declared but unused variables and all.

use crate::terms::term::{Functor, Mark, Origin, Term, TermKind, Variable};
use gridlock_semantics::algebra::declaration::{ArrayDecl, VarDecl};
use gridlock_semantics::algebra::described_cells::DescribedCells;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Form, Head, Op, OpKind, Part};
use gridlock_semantics::algebra::program::{self, Procedure, Program};
use gridlock_semantics::algebra::span::{SourceFile, Span};
use gridlock_semantics::analysis::loops::counted_loop;
use std::collections::HashMap;
use std::sync::Arc;

/// A program as a term (`Program(Procedure(…), …)`) with what a term does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermProgram {
    /// Surface or atomic.
    pub form: program::Form,
    /// The source files that spans speak of.
    pub files: Vec<SourceFile>,
    /// The declared arrays, by number.
    pub arrays: Vec<ArrayDecl>,
    /// For reports only.
    pub cells: DescribedCells,
    /// Spans of the procedures, by number.
    pub proc_spans: Vec<Span>,
    /// What they say of the size of blocks ([`Procedure::most_threads`]), by number.
    pub proc_bounds: Vec<Option<u32>>,
    /// `Program(Procedure(…), …)`; a procedure's number is its place in it.
    pub root: Term,
    /// The next unused variable id.
    pub next_variable: u32,
}

/// A term that is no program: a helper term no rule removed, or a subterm of the wrong sort.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAProgram {
    /// No rule took this helper term away.
    #[error("the helper term `{name}` is left in procedure `{procedure}`")]
    Leftover {
        /// Of the helper, with its underscore.
        name: String,
        /// Name of the procedure.
        procedure: String,
    },
    /// A subterm is not of the sort that its place asks for.
    #[error("in procedure `{procedure}`: expected {expected}, found `{found}`")]
    IllSorted {
        /// Name of the procedure.
        procedure: String,
        /// The sort, with its article.
        expected: &'static str,
        /// The subterm, printed.
        found: String,
    },
}

impl TermProgram {
    /// The term of a program; variables are numbered through all procedures.
    pub fn from_program(program: &Program) -> TermProgram {
        let mut first_variable = 0;
        let mut procedures = Vec::new();
        for (index, proc) in program.procs.iter().enumerate() {
            let reader = Reader {
                program,
                proc,
                first_variable,
            };
            procedures.push(reader.procedure(index as u32));
            first_variable += proc.vars.len() as u32;
        }
        TermProgram {
            form: program.form,
            files: program.files.clone(),
            arrays: program.arrays.clone(),
            cells: program.cells.clone(),
            proc_spans: program.procs.iter().map(|p| p.span).collect(),
            proc_bounds: program.procs.iter().map(|p| p.most_threads).collect(),
            root: Term::app(Functor::Program, procedures),
            next_variable: first_variable,
        }
    }

    /// The program the term stands for. Operators made by rules have no id yet (`u32::MAX`):
    /// see `Program::number_operators`. Variables that occur undeclared are declared.
    pub fn to_program(&self) -> Result<Program, NotAProgram> {
        let mut procs = Vec::new();
        for (index, term) in self.root.children().iter().enumerate() {
            let span = self.proc_spans.get(index).copied().unwrap_or(Span::NONE);
            let most_threads = self.proc_bounds.get(index).copied().flatten();
            procs.push(Procedure {
                most_threads,
                ..Writer::procedure(term, span)?
            });
        }
        Ok(Program {
            form: self.form,
            files: self.files.clone(),
            arrays: self.arrays.clone(),
            procs,
            cells: self.cells.clone(),
        })
    }

    /// Names of the procedures, by number.
    pub fn procedure_names(&self) -> Vec<Arc<str>> {
        let name = |p: &Term| Some(p.children().first()?.as_proc()?.1.clone());
        self.root.children().iter().filter_map(name).collect()
    }
}

struct Reader<'a> {
    program: &'a Program,
    proc: &'a Procedure,
    first_variable: u32,
}

impl Reader<'_> {
    fn procedure(&self, index: u32) -> Term {
        let proc = self.proc;
        let params: Vec<Term> = proc.params.iter().map(|&v| self.var(v)).collect();
        let declared = (0..proc.vars.len() as u32).map(VarId);
        let locals = declared.map(|v| self.var(v)).collect();
        let args = vec![
            Term::proc(index, proc.name.clone()),
            Term::list(params),
            Term::list(locals),
            self.maybe_var(proc.result),
            self.op(&proc.body),
        ];
        Term::app(Functor::Procedure(proc.kind), args)
    }

    fn var(&self, var: VarId) -> Term {
        let decl = &self.proc.vars[var.0 as usize];
        Term::variable(Variable {
            id: self.first_variable + var.0,
            name: decl.name.clone(),
            ty: decl.ty,
            span: decl.span,
        })
    }

    fn maybe_var(&self, var: Option<VarId>) -> Term {
        var.map_or_else(Term::nil, |v| self.var(v))
    }

    fn proc_handle(&self, proc: ProcId) -> Term {
        Term::proc(proc.0, self.program.proc(proc).name.clone())
    }

    fn op(&self, op: &Arc<Op>) -> Term {
        if let Some(parts) = counted_loop(op)
            && let OpKind::While { body: inner, .. } = &parts.while_op.kind
        {
            let operators = [op, parts.init_op, parts.while_op, inner, parts.step_op];
            let marks = operators.iter().map(|o| mark(o)).collect();
            let args = vec![
                self.var(parts.var),
                self.expr(parts.init),
                self.expr(parts.cond),
                self.expr(parts.step),
                self.op(parts.body),
            ];
            return Term::operator(Functor::For, args, Some(Arc::new(Origin { marks })));
        }
        let (functor, args) = match &op.kind {
            OpKind::Skip => (Functor::Skip, vec![]),
            OpKind::Seq(ops) => (Functor::Seq, ops.iter().map(|o| self.op(o)).collect()),
            OpKind::If {
                cond,
                then,
                otherwise,
            } => {
                let args = vec![self.expr(cond), self.op(then), self.op(otherwise)];
                (Functor::If, args)
            }
            OpKind::While { cond, body } => (Functor::While, vec![self.expr(cond), self.op(body)]),
            OpKind::Call { proc, args, result } => {
                let args = vec![
                    self.proc_handle(*proc),
                    self.exprs(args),
                    self.maybe_var(*result),
                ];
                (Functor::Call, args)
            }
            OpKind::Par(a, b) => (Functor::Par, vec![self.op(a), self.op(b)]),
            OpKind::Basic(basic) => self.basic(basic),
        };
        let marks = vec![mark(op)];
        Term::operator(functor, args, Some(Arc::new(Origin { marks })))
    }

    /// The head of a basic operator with its parts as arguments: [`Functor::Basic`] says in which form.
    fn basic(&self, basic: &Basic) -> (Functor, Vec<Term>) {
        let parts = basic.parts();
        let args = match parts.as_slice() {
            [Part::List(only)] => only.iter().map(|e| self.expr(e)).collect(),
            parts => parts.iter().filter_map(|part| self.part(part)).collect(),
        };
        (Functor::Basic(basic.head()), args)
    }

    /// `None` for what is not given.
    fn part(&self, part: &Part) -> Option<Term> {
        match part {
            Part::One(expr) => Some(self.expr(expr)),
            Part::Optional(expr) => expr.as_ref().map(|e| self.expr(e)),
            Part::List(exprs) => Some(self.exprs(exprs)),
            Part::Result(var) => Some(self.var(*var)),
            Part::OptionalResult(var) => Some(self.maybe_var(*var)),
            Part::Procedure(proc) => Some(self.proc_handle(*proc)),
        }
    }

    fn exprs(&self, exprs: &[Expr]) -> Term {
        Term::list(exprs.iter().map(|e| self.expr(e)).collect())
    }

    fn expr(&self, expr: &Expr) -> Term {
        let operands = || {
            expr.operands()
                .into_iter()
                .map(|e| self.expr(e))
                .collect::<Vec<_>>()
        };
        let functor = match &expr.kind {
            ExprKind::Const(value) => return Term::literal(*value, expr.ty),
            ExprKind::Var(var) => return self.var(*var),
            ExprKind::ArrayBase(id) => {
                let name = self.program.array(*id).name.clone();
                let pointer = expr.ty.pointer();
                let elem = self.program.array(*id).elem;
                let pointer =
                    pointer.unwrap_or(gridlock_semantics::algebra::types::PointerType::to(elem));
                return Term::array(id.0, name, pointer);
            }
            ExprKind::Builtin(builtin) => Functor::Builtin(*builtin),
            ExprKind::Unary(op, _) => Functor::Unary(*op),
            ExprKind::Binary(op, ..) => Functor::Binary(*op),
            ExprKind::Cast(_) => Functor::Cast,
            ExprKind::Select(..) => Functor::Select,
            ExprKind::Math(function, _) => Functor::Math(*function),
            ExprKind::Offset(..) => Functor::Offset,
            ExprKind::Load(_) => Functor::Load,
        };
        Term::expression(functor, operands(), expr.ty)
    }
}

fn mark(op: &Op) -> Mark {
    Mark {
        id: op.id,
        span: op.span,
        provenance: op.provenance.clone(),
    }
}

struct Writer<'a> {
    name: &'a str,
    vars: Vec<VarDecl>,
    numbers: HashMap<u32, VarId>,
}

impl Writer<'_> {
    fn procedure(term: &Term, span: Span) -> Result<Procedure, NotAProgram> {
        let mut writer = Writer {
            name: "",
            vars: vec![],
            numbers: HashMap::new(),
        };
        let (Some((Functor::Procedure(kind), args)), [handle, params, locals, result, body]) =
            (term.as_app(), term.children())
        else {
            return Err(writer.ill_sorted("a procedure", term));
        };
        assert_eq!(args.len(), 5);
        let (_, name) = handle
            .as_proc()
            .ok_or_else(|| writer.ill_sorted("a procedure name", handle))?;
        writer.name = name;
        let params = params.children().iter().map(|p| writer.var(p));
        let params = params.collect::<Result<Vec<_>, _>>()?;
        for local in locals.children() {
            writer.var(local)?;
        }
        let result = writer.maybe_var(result)?;
        let body = writer.op(body)?;
        Ok(Procedure {
            name: name.clone(),
            kind: *kind,
            params,
            vars: writer.vars,
            result,
            body,
            most_threads: None,
            span,
        })
    }

    fn ill_sorted(&self, expected: &'static str, found: &Term) -> NotAProgram {
        if let Some((Functor::Helper(name), _)) = found.as_app() {
            return NotAProgram::Leftover {
                name: name.to_string(),
                procedure: self.name.to_owned(),
            };
        }
        NotAProgram::IllSorted {
            procedure: self.name.to_owned(),
            expected,
            found: found.to_string(),
        }
    }

    fn var(&mut self, term: &Term) -> Result<VarId, NotAProgram> {
        let Some(variable) = term.as_variable() else {
            return Err(self.ill_sorted("a variable", term));
        };
        if let Some(&known) = self.numbers.get(&variable.id) {
            return Ok(known);
        }
        let var = VarId(self.vars.len() as u32);
        self.vars.push(VarDecl {
            name: variable.name.clone(),
            ty: variable.ty,
            span: variable.span,
        });
        self.numbers.insert(variable.id, var);
        Ok(var)
    }

    fn maybe_var(&mut self, term: &Term) -> Result<Option<VarId>, NotAProgram> {
        if term.as_list().is_some_and(<[Term]>::is_empty) {
            return Ok(None);
        }
        self.var(term).map(Some)
    }

    fn proc_id(&self, term: &Term) -> Result<ProcId, NotAProgram> {
        let handle = term.as_proc();
        handle
            .map(|(id, _)| ProcId(id))
            .ok_or_else(|| self.ill_sorted("a procedure name", term))
    }

    fn op(&mut self, term: &Term) -> Result<Arc<Op>, NotAProgram> {
        let Some((functor, args)) = term.as_app().filter(|(f, _)| f.is_operator()) else {
            return Err(self.ill_sorted("an operator", term));
        };
        if let (Functor::For, [var, init, cond, step, body]) = (functor, args) {
            return self.counted_loop(term, [var, init, cond, step, body]);
        }
        let kind = match (functor, args) {
            (Functor::Skip, []) => OpKind::Skip,
            (Functor::Seq, ops) => {
                OpKind::Seq(ops.iter().map(|o| self.op(o)).collect::<Result<_, _>>()?)
            }
            (Functor::If, [cond, then, otherwise]) => OpKind::If {
                cond: self.expr(cond)?,
                then: self.op(then)?,
                otherwise: self.op(otherwise)?,
            },
            (Functor::While, [cond, body]) => OpKind::While {
                cond: self.expr(cond)?,
                body: self.op(body)?,
            },
            (Functor::Call, [proc, args, result]) => OpKind::Call {
                proc: self.proc_id(proc)?,
                args: self.exprs(args)?,
                result: self.maybe_var(result)?,
            },
            (Functor::Par, [a, b]) => OpKind::Par(self.op(a)?, self.op(b)?),
            (Functor::Basic(head), args) => OpKind::Basic(self.basic(term, *head, args)?),
            _ => return Err(self.ill_sorted("a basic operator", term)),
        };
        Ok(made(term, 0, kind))
    }

    fn counted_loop(&mut self, term: &Term, parts: [&Term; 5]) -> Result<Arc<Op>, NotAProgram> {
        let [var, init, cond, step, body] = parts;
        let var = self.var(var)?;
        let value = self.expr(init)?;
        let init = made(term, 1, OpKind::Basic(Basic::Assign { var, value }));
        let cond = self.expr(cond)?;
        let value = self.expr(step)?;
        let step = made(term, 4, OpKind::Basic(Basic::Assign { var, value }));
        let body = self.op(body)?;
        let body = made(term, 3, OpKind::Seq(vec![body, step]));
        let repeat = made(term, 2, OpKind::While { cond, body });
        Ok(made(term, 0, OpKind::Seq(vec![init, repeat])))
    }

    fn basic(&mut self, term: &Term, head: Head, args: &[Term]) -> Result<Basic, NotAProgram> {
        let parts = match head.slots() {
            [only] if only.form == Form::List => {
                let members = args.iter().map(|arg| self.expr(arg));
                vec![Part::List(members.collect::<Result<_, _>>()?)]
            }
            slots if args.len() <= slots.len() => {
                let given = args.iter().map(Some).chain(std::iter::repeat(None));
                let parts = slots.iter().zip(given);
                let parts = parts.map(|(slot, arg)| self.part(term, slot.form, arg));
                parts.collect::<Result<_, _>>()?
            }
            _ => return Err(self.ill_sorted("a basic operator", term)),
        };
        Basic::from_parts(head, parts).ok_or_else(|| self.ill_sorted("a basic operator", term))
    }

    /// What stands at an operand of `operator`; no argument is one that is not given.
    fn part(
        &mut self,
        operator: &Term,
        form: Form,
        arg: Option<&Term>,
    ) -> Result<Part, NotAProgram> {
        Ok(match (form, arg) {
            (Form::Optional, given) => Part::Optional(given.map(|arg| self.expr(arg)).transpose()?),
            (_, None) => return Err(self.ill_sorted("a basic operator", operator)),
            (Form::One, Some(arg)) => Part::One(self.expr(arg)?),
            (Form::List, Some(arg)) => Part::List(self.exprs(arg)?),
            (Form::Three, Some(arg)) => {
                let three = self.exprs(arg)?;
                if three.len() != 3 {
                    return Err(self.ill_sorted("three extents", arg));
                }
                Part::List(three)
            }
            (Form::Result, Some(arg)) => Part::Result(self.var(arg)?),
            (Form::OptionalResult, Some(arg)) => Part::OptionalResult(self.maybe_var(arg)?),
            (Form::Procedure, Some(arg)) => Part::Procedure(self.proc_id(arg)?),
        })
    }

    fn exprs(&mut self, list: &Term) -> Result<Vec<Expr>, NotAProgram> {
        let Some(items) = list.as_list() else {
            return Err(self.ill_sorted("a list of expressions", list));
        };
        items.iter().map(|item| self.expr(item)).collect()
    }

    fn expr(&mut self, term: &Term) -> Result<Expr, NotAProgram> {
        let Some(ty) = term.ty() else {
            return Err(self.ill_sorted("an expression", term));
        };
        let kind = match term.kind() {
            TermKind::Literal(value) => ExprKind::Const(*value),
            TermKind::Var(_) => ExprKind::Var(self.var(term)?),
            TermKind::Array { id, .. } => ExprKind::ArrayBase(ArrayId(*id)),
            TermKind::App(Functor::Math(function), args) => {
                let args = args.iter().map(|a| self.expr(a));
                ExprKind::Math(*function, args.collect::<Result<_, _>>()?)
            }
            TermKind::App(functor, args) => match (functor, args.as_slice()) {
                (Functor::Builtin(builtin), []) => ExprKind::Builtin(*builtin),
                (Functor::Unary(op), [a]) => ExprKind::Unary(*op, self.shared(a)?),
                (Functor::Binary(op), [a, b]) => {
                    ExprKind::Binary(*op, self.shared(a)?, self.shared(b)?)
                }
                (Functor::Cast, [a]) => ExprKind::Cast(self.shared(a)?),
                (Functor::Select, [c, a, b]) => {
                    ExprKind::Select(self.shared(c)?, self.shared(a)?, self.shared(b)?)
                }
                (Functor::Offset, [a, b]) => ExprKind::Offset(self.shared(a)?, self.shared(b)?),
                (Functor::Load, [a]) => ExprKind::Load(self.shared(a)?),
                _ => return Err(self.ill_sorted("an expression", term)),
            },
            TermKind::List(_) | TermKind::Proc { .. } | TermKind::Text(_) => {
                return Err(self.ill_sorted("an expression", term));
            }
        };
        Ok(Expr { ty, kind })
    }

    fn shared(&mut self, term: &Term) -> Result<Arc<Expr>, NotAProgram> {
        self.expr(term).map(Arc::new)
    }
}

/// The operator `kind` with mark number `index` of the term it is made from.
fn made(term: &Term, index: usize, kind: OpKind) -> Arc<Op> {
    let marks = term.origin().map_or(&[][..], |o| &o.marks);
    match marks.get(index).or(marks.first()) {
        Some(mark) => Arc::new(Op {
            id: mark.id,
            span: mark.span,
            provenance: mark.provenance.clone(),
            kind,
        }),
        None => Op::new(kind, Span::NONE),
    }
}
