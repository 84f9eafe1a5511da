//! Programs as terms and back. `from_program` and `to_program` are inverse: ids, spans,
//! provenances, declared but unused variables and all.

use crate::terms::term::{Functor, Mark, Origin, Term, TermKind, Variable};
use gridlock_semantics::algebra::declaration::{ArrayDecl, VarDecl};
use gridlock_semantics::algebra::described_cells::DescribedCells;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::{ArrayId, ProcId, VarId};
use gridlock_semantics::algebra::operator::{Basic, Op, OpKind};
use gridlock_semantics::algebra::program::{Form, Procedure, Program};
use gridlock_semantics::algebra::span::{SourceFile, Span};
use gridlock_semantics::analysis::loops::counted_loop;
use std::collections::HashMap;
use std::sync::Arc;

/// A program as a term (`Program(Procedure(…), …)`) with what a term does not say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TermProgram {
    /// Surface or atomic.
    pub form: Form,
    /// The source files that spans speak of.
    pub files: Vec<SourceFile>,
    /// The declared arrays, by number.
    pub arrays: Vec<ArrayDecl>,
    /// For reports only.
    pub cells: DescribedCells,
    /// Spans of the procedures, by number.
    pub proc_spans: Vec<Span>,
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
            procs.push(Writer::procedure(term, span)?);
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

    fn basic(&self, basic: &Basic) -> (Functor, Vec<Term>) {
        match basic {
            Basic::Assign { var, value } => {
                (Functor::Assign, vec![self.var(*var), self.expr(value)])
            }
            Basic::Load { var, pointer } => {
                (Functor::LoadInto, vec![self.var(*var), self.expr(pointer)])
            }
            Basic::Store { pointer, value } => {
                (Functor::Store, vec![self.expr(pointer), self.expr(value)])
            }
            Basic::Atomic {
                function,
                scope,
                pointer,
                operands,
                result,
            } => {
                let args = vec![
                    self.expr(pointer),
                    self.exprs(operands),
                    self.maybe_var(*result),
                ];
                (Functor::Atomic(*function, *scope), args)
            }
            Basic::Barrier { orders, agreed } => {
                let args = agreed.iter().map(|e| self.expr(e));
                (Functor::Barrier(*orders), args.collect())
            }
            Basic::NamedBarrier {
                id,
                threads,
                arrive_only,
            } => {
                let functor = Functor::NamedBarrier {
                    arrive_only: *arrive_only,
                    counts: threads.is_some(),
                };
                let args = std::iter::once(id).chain(threads);
                (functor, args.map(|e| self.expr(e)).collect())
            }
            Basic::GridBarrier => (Functor::GridBarrier, vec![]),
            Basic::SyncWarp { mask } => (Functor::SyncWarp, vec![self.expr(mask)]),
            Basic::Warp {
                function,
                mask,
                operands,
                result,
            } => {
                let args = vec![
                    self.expr(mask),
                    self.exprs(operands),
                    self.maybe_var(*result),
                ];
                (Functor::Warp(*function), args)
            }
            Basic::ActiveMask { result } => (Functor::ActiveMask, vec![self.var(*result)]),
            Basic::Fence { scope } => (Functor::Fence(*scope), vec![]),
            Basic::Exit => (Functor::Exit, vec![]),
            Basic::Assert { cond } => (Functor::Assert, vec![self.expr(cond)]),
            Basic::Assume { cond } => (Functor::Assume, vec![self.expr(cond)]),
            Basic::Beyond => (Functor::Beyond, vec![]),
            Basic::InitGpu => (Functor::InitGpu, vec![]),
            Basic::Alloc {
                var,
                elem,
                bytes,
                space,
            } => {
                let args = vec![self.var(*var), self.expr(bytes)];
                (Functor::Alloc(*elem, *space), args)
            }
            Basic::Free {
                pointer,
                space,
                stream,
            } => {
                let mut args = vec![self.expr(pointer)];
                args.extend(stream.iter().map(|stream| self.expr(stream)));
                (Functor::Free(*space), args)
            }
            Basic::Copy {
                kind,
                dst,
                src,
                bytes,
                stream,
            } => {
                let mut args = vec![self.expr(dst), self.expr(src), self.expr(bytes)];
                match stream {
                    None => (Functor::Copy(*kind), args),
                    Some(stream) => {
                        args.push(self.expr(stream));
                        (Functor::CopyInStream(*kind), args)
                    }
                }
            }
            Basic::CallGpu {
                kernel,
                grid,
                block,
                shared_bytes,
                args,
                stream,
                cooperative,
            } => {
                let mut args = vec![
                    self.proc_handle(*kernel),
                    self.exprs(grid),
                    self.exprs(block),
                    self.expr(shared_bytes),
                    self.exprs(args),
                ];
                if stream.is_none() && !cooperative {
                    return (Functor::CallGpu, args);
                }
                args.push(stream.as_ref().map_or_else(Term::nil, |s| self.expr(s)));
                let cooperative = *cooperative;
                (Functor::CallGpuInStream { cooperative }, args)
            }
            Basic::DeviceSync => (Functor::DeviceSync, vec![]),
            Basic::SetDevice { device } => (Functor::SetDevice, vec![self.expr(device)]),
            Basic::StreamCreate { var, non_blocking } => {
                let non_blocking = *non_blocking;
                (Functor::StreamCreate { non_blocking }, vec![self.var(*var)])
            }
            Basic::StreamDestroy { stream } => (Functor::StreamDestroy, vec![self.expr(stream)]),
            Basic::StreamSync { stream } => (Functor::StreamSync, vec![self.expr(stream)]),
            Basic::EventCreate { var } => (Functor::EventCreate, vec![self.var(*var)]),
            Basic::EventDestroy { event } => (Functor::EventDestroy, vec![self.expr(event)]),
            Basic::EventRecord { event, stream } => {
                let args = vec![self.expr(event), self.expr(stream)];
                (Functor::EventRecord, args)
            }
            Basic::EventSync { event } => (Functor::EventSync, vec![self.expr(event)]),
            Basic::StreamWait { stream, event } => {
                let args = vec![self.expr(stream), self.expr(event)];
                (Functor::StreamWait, args)
            }
            Basic::Wait { cond } => (Functor::Wait, vec![self.expr(cond)]),
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
        debug_assert_eq!(args.len(), 5);
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
            _ => OpKind::Basic(self.basic(term, functor, args)?),
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

    fn basic(
        &mut self,
        term: &Term,
        functor: &Functor,
        args: &[Term],
    ) -> Result<Basic, NotAProgram> {
        Ok(match (functor, args) {
            (Functor::Assign, [var, value]) => Basic::Assign {
                var: self.var(var)?,
                value: self.expr(value)?,
            },
            (Functor::LoadInto, [var, pointer]) => Basic::Load {
                var: self.var(var)?,
                pointer: self.expr(pointer)?,
            },
            (Functor::Store, [pointer, value]) => Basic::Store {
                pointer: self.expr(pointer)?,
                value: self.expr(value)?,
            },
            (Functor::Atomic(function, scope), [pointer, operands, result]) => Basic::Atomic {
                function: *function,
                scope: *scope,
                pointer: self.expr(pointer)?,
                operands: self.exprs(operands)?,
                result: self.maybe_var(result)?,
            },
            (Functor::Barrier(orders), agreed) => {
                let agreed = agreed.iter().map(|e| self.expr(e));
                Basic::Barrier {
                    orders: *orders,
                    agreed: agreed.collect::<Result<_, _>>()?,
                }
            }
            (Functor::NamedBarrier { arrive_only, .. }, [id, threads @ ..]) => {
                Basic::NamedBarrier {
                    id: self.expr(id)?,
                    threads: threads.first().map(|n| self.expr(n)).transpose()?,
                    arrive_only: *arrive_only,
                }
            }
            (Functor::GridBarrier, []) => Basic::GridBarrier,
            (Functor::SyncWarp, [mask]) => Basic::SyncWarp {
                mask: self.expr(mask)?,
            },
            (Functor::Warp(function), [mask, operands, result]) => Basic::Warp {
                function: *function,
                mask: self.expr(mask)?,
                operands: self.exprs(operands)?,
                result: self.maybe_var(result)?,
            },
            (Functor::ActiveMask, [result]) => Basic::ActiveMask {
                result: self.var(result)?,
            },
            (Functor::Fence(scope), []) => Basic::Fence { scope: *scope },
            (Functor::Exit, []) => Basic::Exit,
            (Functor::Assert, [cond]) => Basic::Assert {
                cond: self.expr(cond)?,
            },
            (Functor::Assume, [cond]) => Basic::Assume {
                cond: self.expr(cond)?,
            },
            (Functor::Beyond, []) => Basic::Beyond,
            (Functor::InitGpu, []) => Basic::InitGpu,
            (Functor::Alloc(elem, space), [var, bytes]) => Basic::Alloc {
                var: self.var(var)?,
                elem: *elem,
                bytes: self.expr(bytes)?,
                space: *space,
            },
            (Functor::Free(space), [pointer, stream @ ..]) => Basic::Free {
                pointer: self.expr(pointer)?,
                space: *space,
                stream: match stream {
                    [] => None,
                    [stream, ..] => Some(self.expr(stream)?),
                },
            },
            (Functor::Copy(kind), [dst, src, bytes]) => Basic::Copy {
                kind: *kind,
                dst: self.expr(dst)?,
                src: self.expr(src)?,
                bytes: self.expr(bytes)?,
                stream: None,
            },
            (Functor::CopyInStream(kind), [dst, src, bytes, stream]) => Basic::Copy {
                kind: *kind,
                dst: self.expr(dst)?,
                src: self.expr(src)?,
                bytes: self.expr(bytes)?,
                stream: Some(self.expr(stream)?),
            },
            (Functor::CallGpu, [kernel, grid, block, shared, args]) => Basic::CallGpu {
                kernel: self.proc_id(kernel)?,
                grid: self.extents(grid)?,
                block: self.extents(block)?,
                shared_bytes: self.expr(shared)?,
                args: self.exprs(args)?,
                stream: None,
                cooperative: false,
            },
            (
                Functor::CallGpuInStream { cooperative },
                [kernel, grid, block, shared, args, stream],
            ) => Basic::CallGpu {
                kernel: self.proc_id(kernel)?,
                grid: self.extents(grid)?,
                block: self.extents(block)?,
                shared_bytes: self.expr(shared)?,
                args: self.exprs(args)?,
                stream: match stream.as_list() {
                    Some([]) => None,
                    _ => Some(self.expr(stream)?),
                },
                cooperative: *cooperative,
            },
            (Functor::DeviceSync, []) => Basic::DeviceSync,
            (Functor::SetDevice, [device]) => Basic::SetDevice {
                device: self.expr(device)?,
            },
            (Functor::StreamCreate { non_blocking }, [var]) => Basic::StreamCreate {
                var: self.var(var)?,
                non_blocking: *non_blocking,
            },
            (Functor::StreamDestroy, [stream]) => Basic::StreamDestroy {
                stream: self.expr(stream)?,
            },
            (Functor::StreamSync, [stream]) => Basic::StreamSync {
                stream: self.expr(stream)?,
            },
            (Functor::EventCreate, [var]) => Basic::EventCreate {
                var: self.var(var)?,
            },
            (Functor::EventDestroy, [event]) => Basic::EventDestroy {
                event: self.expr(event)?,
            },
            (Functor::EventRecord, [event, stream]) => Basic::EventRecord {
                event: self.expr(event)?,
                stream: self.expr(stream)?,
            },
            (Functor::EventSync, [event]) => Basic::EventSync {
                event: self.expr(event)?,
            },
            (Functor::StreamWait, [stream, event]) => Basic::StreamWait {
                stream: self.expr(stream)?,
                event: self.expr(event)?,
            },
            (Functor::Wait, [cond]) => Basic::Wait {
                cond: self.expr(cond)?,
            },
            _ => return Err(self.ill_sorted("a basic operator", term)),
        })
    }

    fn extents(&mut self, list: &Term) -> Result<[Expr; 3], NotAProgram> {
        let extents = self.exprs(list)?;
        <[Expr; 3]>::try_from(extents).map_err(|_| self.ill_sorted("three extents", list))
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
