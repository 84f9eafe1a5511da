//! Signatures of basic operators: what the columns of the table in [`super::basic`] can hold.

use crate::algebra::expr::Expr;
use crate::algebra::ids::{ProcId, VarId};
use crate::algebra::types::Type;

/// Which procedures may have an operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Side {
    /// Host procedures only.
    Host,
    /// Kernels and device procedures only.
    Device,
    /// Both.
    Both,
}

/// What an operator does beyond the private variables and arrays of the thread that runs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Nothing, besides what its expressions read: no other thread can tell that it ran.
    Private,
    /// Reads a cell.
    Reads,
    /// Writes a cell.
    Writes,
    /// Reads and writes a cell in one step.
    Updates,
    /// Orders the thread's accesses before it and after it, and waits for nobody.
    Orders,
    /// Waits for threads of the block, of the grid or of the warp, or is counted by those who wait: barriers.
    Meets,
    /// Lanes of a warp learn something of each other; no memory is put in order.
    Exchanges,
    /// Ends the thread, or the run.
    Ends,
    /// Memory and work of devices, as the host's runtime manages them.
    Manages,
}

/// Of which type an operand, or the variable of a result, has to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Expects {
    /// This type.
    Is(Type),
    /// An integer type: a number of bytes.
    Bytes,
    /// A pointer.
    Pointer,
    /// Any: it has to be a variable.
    Variable,
    /// What the other operands, the operator's function or the called procedure ask for: written out in
    /// `well_formed::operators`.
    Own,
}

/// How many expressions an operand is, or what else stands in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// An expression.
    One,
    /// An expression, or none.
    Optional,
    /// Any number of expressions.
    List,
    /// Three expressions: extents along x, y, z.
    Three,
    /// The variable that is assigned.
    Result,
    /// The variable that is assigned, or none.
    OptionalResult,
    /// A procedure.
    Procedure,
}

/// An operand as the table declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Its name, which is the field's.
    pub name: &'static str,
    /// How many expressions it is.
    pub form: Form,
    /// Of which type each of them is.
    pub expects: Expects,
}

/// An operand as an operator has it: see [`super::Basic::parts`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// Of a slot of form [`Form::One`].
    One(Expr),
    /// [`Form::Optional`]
    Optional(Option<Expr>),
    /// [`Form::List`] or [`Form::Three`]
    List(Vec<Expr>),
    /// [`Form::Result`]
    Result(VarId),
    /// [`Form::OptionalResult`]
    OptionalResult(Option<VarId>),
    /// [`Form::Procedure`]
    Procedure(ProcId),
}

impl Part {
    /// Its expressions, in evaluation order.
    pub fn expressions(&self) -> &[Expr] {
        match self {
            Part::One(expr) => std::slice::from_ref(expr),
            Part::Optional(expr) => expr.as_slice(),
            Part::List(exprs) => exprs,
            Part::Result(_) | Part::OptionalResult(_) | Part::Procedure(_) => &[],
        }
    }
}

/// What the type of a field says of the operand in it.
pub(super) trait Field: Sized {
    const FORM: Form;

    /// The expressions, in evaluation order.
    fn expressions(&self) -> &[Expr] {
        &[]
    }

    /// The same, to be changed.
    fn expressions_mut(&mut self) -> &mut [Expr] {
        &mut []
    }

    /// The variable that is assigned.
    fn result(&self) -> Option<VarId> {
        None
    }

    fn to_part(&self) -> Part;

    /// `None` for a part of another form.
    fn from_part(part: Part) -> Option<Self>;
}

/// The expressions of all operands.
pub(super) fn joined<const N: usize>(operands: [&[Expr]; N]) -> Vec<&Expr> {
    operands.into_iter().flatten().collect()
}

/// The same, to be changed.
pub(super) fn joined_mut<const N: usize>(operands: [&mut [Expr]; N]) -> Vec<&mut Expr> {
    operands.into_iter().flatten().collect()
}

/// The variable that one of the operands is the result in.
pub(super) fn first<const N: usize>(operands: [Option<VarId>; N]) -> Option<VarId> {
    operands.into_iter().flatten().next()
}

impl Field for Expr {
    const FORM: Form = Form::One;

    fn expressions(&self) -> &[Expr] {
        std::slice::from_ref(self)
    }

    fn expressions_mut(&mut self) -> &mut [Expr] {
        std::slice::from_mut(self)
    }

    fn to_part(&self) -> Part {
        Part::One(self.clone())
    }

    fn from_part(part: Part) -> Option<Expr> {
        match part {
            Part::One(expr) => Some(expr),
            _ => None,
        }
    }
}

impl Field for Option<Expr> {
    const FORM: Form = Form::Optional;

    fn expressions(&self) -> &[Expr] {
        self.as_slice()
    }

    fn expressions_mut(&mut self) -> &mut [Expr] {
        self.as_mut_slice()
    }

    fn to_part(&self) -> Part {
        Part::Optional(self.clone())
    }

    fn from_part(part: Part) -> Option<Option<Expr>> {
        match part {
            Part::Optional(expr) => Some(expr),
            _ => None,
        }
    }
}

impl Field for Vec<Expr> {
    const FORM: Form = Form::List;

    fn expressions(&self) -> &[Expr] {
        self
    }

    fn expressions_mut(&mut self) -> &mut [Expr] {
        self
    }

    fn to_part(&self) -> Part {
        Part::List(self.clone())
    }

    fn from_part(part: Part) -> Option<Vec<Expr>> {
        match part {
            Part::List(exprs) => Some(exprs),
            _ => None,
        }
    }
}

impl Field for [Expr; 3] {
    const FORM: Form = Form::Three;

    fn expressions(&self) -> &[Expr] {
        self
    }

    fn expressions_mut(&mut self) -> &mut [Expr] {
        self
    }

    fn to_part(&self) -> Part {
        Part::List(self.to_vec())
    }

    fn from_part(part: Part) -> Option<[Expr; 3]> {
        match part {
            Part::List(exprs) => exprs.try_into().ok(),
            _ => None,
        }
    }
}

impl Field for VarId {
    const FORM: Form = Form::Result;

    fn result(&self) -> Option<VarId> {
        Some(*self)
    }

    fn to_part(&self) -> Part {
        Part::Result(*self)
    }

    fn from_part(part: Part) -> Option<VarId> {
        match part {
            Part::Result(var) => Some(var),
            _ => None,
        }
    }
}

impl Field for Option<VarId> {
    const FORM: Form = Form::OptionalResult;

    fn result(&self) -> Option<VarId> {
        *self
    }

    fn to_part(&self) -> Part {
        Part::OptionalResult(*self)
    }

    fn from_part(part: Part) -> Option<Option<VarId>> {
        match part {
            Part::OptionalResult(var) => Some(var),
            _ => None,
        }
    }
}

impl Field for ProcId {
    const FORM: Form = Form::Procedure;

    fn to_part(&self) -> Part {
        Part::Procedure(*self)
    }

    fn from_part(part: Part) -> Option<ProcId> {
        match part {
            Part::Procedure(proc) => Some(proc),
            _ => None,
        }
    }
}
