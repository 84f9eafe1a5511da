//! One small kernel: its syntax, how it prints, and the program it is.

use crate::random::Generated;
use gridlock_semantics::algebra::declaration::VarDecl;
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, OpKind, Orders, Scope};
use gridlock_semantics::algebra::program::{Form, ProcKind, Procedure, Program};
use gridlock_semantics::algebra::span::{FileId, SourceFile, Span};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::fmt;
use std::sync::Arc;

/// A cell of `g`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobalCell {
    /// `g[0]`
    Zero,
    /// `g[1]`
    One,
    /// `g[t]`
    Own,
    /// `g[1 - t]`
    Other,
}

/// An operator of size 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// `x = g[p]`
    Load(GlobalCell),
    /// `g[p] = t + 1`
    StoreThread(GlobalCell),
    /// `g[p] = x`
    StoreLoaded(GlobalCell),
    /// `g[p] = g[q]`, `q` the other cell
    Copy(GlobalCell),
    /// `g[p] = g[p] + 1`
    Increment(GlobalCell),
    /// `atomic…(&g[p], t + 1)`, result unused
    Atomic(AtomicFn, GlobalCell),
    /// `x = atomic…(&g[p], t + 1)`
    AtomicUsed(AtomicFn, GlobalCell),
    /// `__syncthreads()`
    Barrier,
    /// `__syncwarp(3)`: both threads of a block of two.
    SyncWarp,
    /// `return`
    Exit,
}

/// What a branch tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// `t`
    Thread,
    /// `x`
    Loaded,
}

/// How often a loop runs. All end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rounds {
    /// `i < 2`
    Two,
    /// `i < t + 1`
    ByThread,
    /// `i < 2 && x == 0`
    UntilLoaded,
}

/// A statement of a small kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// An operator of size 1.
    Leaf(Leaf),
    /// `if (test) { first list } else { second list }`
    If(Test, Vec<Statement>, Vec<Statement>),
    /// `for (i = 0; …; i = i + 1)`
    Loop(Rounds, Vec<Statement>),
}

/// A kernel of a [`super::Grammar`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Small {
    /// The kernel's body, in order.
    pub statements: Vec<Statement>,
}

impl Small {
    /// Whether the first place named is `g[0]` or `g[t]`, or none is.
    pub(super) fn is_representative(&self) -> bool {
        !matches!(
            self.statements.iter().find_map(first_place),
            Some(GlobalCell::One | GlobalCell::Other)
        )
    }

    /// Whether some leaf satisfies `is`.
    pub fn any(&self, is: &dyn Fn(Leaf) -> bool) -> bool {
        self.statements.iter().any(|s| any(s, is))
    }

    /// The kernel as a program with its setup; `number` becomes the seed.
    pub fn generated(&self, blocks: u32, threads: u32, number: u64) -> Generated {
        let mut writer = Writer { line: 0, loops: 0 };
        let body = writer.list(&self.statements);
        let int = |name: &str| VarDecl {
            name: name.into(),
            ty: Type::I32,
            span: Span::NONE,
        };
        let mut vars = vec![
            VarDecl {
                ty: Type::pointer_to(ScalarType::I32),
                ..int("g")
            },
            int("x"),
        ];
        vars.extend((0..writer.loops).map(|n| int(&format!("i{n}"))));
        let kernel = Procedure {
            name: "k".into(),
            kind: ProcKind::Kernel,
            params: vec![G, X],
            vars,
            result: None,
            body,
            most_threads: None,
            span: Span::NONE,
        };
        let mut program = Program {
            form: Form::Surface,
            files: vec![SourceFile {
                name: "small".into(),
                text: "".into(),
            }],
            arrays: vec![],
            procs: vec![kernel],
            cells: Default::default(),
        };
        program.number_operators();
        let launch = Launch {
            grid: [blocks, 1, 1],
            block: [threads, 1, 1],
            shared_bytes: 0,
        };
        Generated {
            program,
            kernel: ProcId(0),
            setup: Setup {
                declared: Default::default(),
                observed: Default::default(),
                device: Default::default(),
                entry: ProcId(0),
                launch: Some(launch),
                args: vec![Arg::Array(0), Arg::Scalar(Value::i32(0))],
                arrays: vec![ArrayArg {
                    name: "g".into(),
                    elem: ScalarType::I32,
                    extent: Some(2),
                    contents: Contents::Zero,
                    observed: true,
                }],
            },
            seed: number,
        }
    }
}

fn first_place(statement: &Statement) -> Option<GlobalCell> {
    match statement {
        Statement::Leaf(leaf) => leaf.place(),
        Statement::If(_, then, otherwise) => then.iter().chain(otherwise).find_map(first_place),
        Statement::Loop(_, body) => body.iter().find_map(first_place),
    }
}

fn any(statement: &Statement, is: &dyn Fn(Leaf) -> bool) -> bool {
    match statement {
        Statement::Leaf(leaf) => is(*leaf),
        Statement::If(_, then, otherwise) => then.iter().chain(otherwise).any(|s| any(s, is)),
        Statement::Loop(_, body) => body.iter().any(|s| any(s, is)),
    }
}

impl Leaf {
    /// The first place named.
    fn place(self) -> Option<GlobalCell> {
        match self {
            Leaf::Load(p)
            | Leaf::StoreThread(p)
            | Leaf::StoreLoaded(p)
            | Leaf::Copy(p)
            | Leaf::Increment(p)
            | Leaf::Atomic(_, p)
            | Leaf::AtomicUsed(_, p) => Some(p),
            Leaf::Barrier | Leaf::SyncWarp | Leaf::Exit => None,
        }
    }
}

impl GlobalCell {
    const fn other(self) -> GlobalCell {
        match self {
            GlobalCell::Zero => GlobalCell::One,
            GlobalCell::One => GlobalCell::Zero,
            GlobalCell::Own => GlobalCell::Other,
            GlobalCell::Other => GlobalCell::Own,
        }
    }

    fn pointer(self) -> Expr {
        let index = match self {
            GlobalCell::Zero => Expr::i32(0),
            GlobalCell::One => Expr::i32(1),
            GlobalCell::Own => t(),
            GlobalCell::Other => Expr::binary(BinaryOp::Sub, Expr::i32(1), t()),
        };
        let g = Expr::var(G, Type::pointer_to(ScalarType::I32));
        Expr::offset(g, index)
    }

    fn load(self) -> Expr {
        let pointer = self.pointer();
        Expr::new(
            Type::I32,
            gridlock_semantics::algebra::expr::ExprKind::Load(Arc::new(pointer)),
        )
    }
}

const G: VarId = VarId(0);
const X: VarId = VarId(1);

fn x() -> Expr {
    Expr::var(X, Type::I32)
}

fn t() -> Expr {
    let index = Expr::builtin(Builtin::ThreadIdx(Axis::X));
    let block = Expr::builtin(Builtin::BlockIdx(Axis::X));
    Expr::binary(BinaryOp::BitXor, index, block).cast(Type::I32)
}

fn t_and_one() -> Expr {
    Expr::binary(BinaryOp::Add, t(), Expr::i32(1))
}

/// Every operator stands on a line of its own.
struct Writer {
    line: u32,
    loops: u32,
}

impl Writer {
    fn op(&mut self, kind: OpKind) -> Arc<Op> {
        self.line += 1;
        let span = Span {
            file: FileId(0),
            line: self.line,
            column: 1,
            end_line: self.line,
            end_column: 2,
        };
        Op::new(kind, span)
    }

    fn basic(&mut self, basic: Basic) -> Arc<Op> {
        self.op(OpKind::Basic(basic))
    }

    fn list(&mut self, statements: &[Statement]) -> Arc<Op> {
        let ops: Vec<Arc<Op>> = statements.iter().map(|s| self.statement(s)).collect();
        match ops.as_slice() {
            [] => Op::skip(),
            [only] => only.clone(),
            _ => Op::new(OpKind::Seq(ops), Span::NONE),
        }
    }

    fn statement(&mut self, statement: &Statement) -> Arc<Op> {
        match statement {
            Statement::Leaf(leaf) => self.leaf(*leaf),
            Statement::If(test, then, otherwise) => {
                let value = match test {
                    Test::Thread => t(),
                    Test::Loaded => x(),
                };
                let cond = Expr::binary(BinaryOp::Ne, value, Expr::i32(0));
                let then = self.list(then);
                let otherwise = self.list(otherwise);
                self.op(OpKind::If {
                    cond,
                    then,
                    otherwise,
                })
            }
            Statement::Loop(rounds, body) => {
                let var = VarId(2 + self.loops);
                self.loops += 1;
                let i = || Expr::var(var, Type::I32);
                let below = |n| Expr::binary(BinaryOp::Lt, i(), n);
                let cond = match rounds {
                    Rounds::Two => below(Expr::i32(2)),
                    Rounds::ByThread => below(t_and_one()),
                    Rounds::UntilLoaded => Expr::binary(
                        BinaryOp::And,
                        below(Expr::i32(2)),
                        Expr::binary(BinaryOp::Eq, x(), Expr::i32(0)),
                    ),
                };
                let init = self.basic(Basic::Assign {
                    var,
                    value: Expr::i32(0),
                });
                let body = self.list(body);
                let value = Expr::binary(BinaryOp::Add, i(), Expr::i32(1));
                let step = self.basic(Basic::Assign { var, value });
                let body = Op::new(OpKind::Seq(vec![body, step]), Span::NONE);
                let repeat = self.op(OpKind::While { cond, body });
                Op::new(OpKind::Seq(vec![init, repeat]), Span::NONE)
            }
        }
    }

    fn leaf(&mut self, leaf: Leaf) -> Arc<Op> {
        let atomic = |function, place: GlobalCell, result| Basic::Atomic {
            function,
            scope: Scope::Device,
            pointer: place.pointer(),
            operands: vec![t_and_one()],
            result,
        };
        let store = |place: GlobalCell, value| Basic::Store {
            pointer: place.pointer(),
            value,
        };
        self.basic(match leaf {
            Leaf::Load(place) => Basic::Assign {
                var: X,
                value: place.load(),
            },
            Leaf::StoreThread(place) => store(place, t_and_one()),
            Leaf::StoreLoaded(place) => store(place, x()),
            Leaf::Copy(place) => store(place, place.other().load()),
            Leaf::Increment(place) => store(
                place,
                Expr::binary(BinaryOp::Add, place.load(), Expr::i32(1)),
            ),
            Leaf::Atomic(function, place) => atomic(function, place, None),
            Leaf::AtomicUsed(function, place) => atomic(function, place, Some(X)),
            Leaf::Barrier => Basic::barrier(Orders::All),
            Leaf::SyncWarp => Basic::SyncWarp {
                mask: Expr::int(ScalarType::U32, 3),
            },
            Leaf::Exit => Basic::Exit,
        })
    }
}

impl fmt::Display for GlobalCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            GlobalCell::Zero => "g[0]",
            GlobalCell::One => "g[1]",
            GlobalCell::Own => "g[t]",
            GlobalCell::Other => "g[1 - t]",
        })
    }
}

impl fmt::Display for Leaf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Leaf::Load(p) => write!(f, "x = {p};"),
            Leaf::StoreThread(p) => write!(f, "{p} = t + 1;"),
            Leaf::StoreLoaded(p) => write!(f, "{p} = x;"),
            Leaf::Copy(p) => write!(f, "{p} = {};", p.other()),
            Leaf::Increment(p) => write!(f, "{p} = {p} + 1;"),
            Leaf::Atomic(function, p) => write!(f, "atomic{function:?}(&{p}, t + 1);"),
            Leaf::AtomicUsed(function, p) => write!(f, "x = atomic{function:?}(&{p}, t + 1);"),
            Leaf::Barrier => f.write_str("__syncthreads();"),
            Leaf::SyncWarp => f.write_str("__syncwarp(3);"),
            Leaf::Exit => f.write_str("return;"),
        }
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, list: &[Statement]) -> fmt::Result {
    for (index, statement) in list.iter().enumerate() {
        let space = if index == 0 { "" } else { " " };
        write!(f, "{space}{statement}")?;
    }
    Ok(())
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Statement::Leaf(leaf) => write!(f, "{leaf}"),
            Statement::If(test, then, otherwise) => {
                let test = match test {
                    Test::Thread => "t",
                    Test::Loaded => "x",
                };
                write!(f, "if ({test}) {{ ")?;
                write_list(f, then)?;
                f.write_str(" }")?;
                if !otherwise.is_empty() {
                    f.write_str(" else { ")?;
                    write_list(f, otherwise)?;
                    f.write_str(" }")?;
                }
                Ok(())
            }
            Statement::Loop(rounds, body) => {
                let goes_on = match rounds {
                    Rounds::Two => "i < 2",
                    Rounds::ByThread => "i < t + 1",
                    Rounds::UntilLoaded => "i < 2 && x == 0",
                };
                write!(f, "for (i = 0; {goes_on}; i++) {{ ")?;
                write_list(f, body)?;
                f.write_str(" }")
            }
        }
    }
}

impl fmt::Display for Small {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_list(f, &self.statements)
    }
}
