//! Statements and procedures of the rule language.

use super::error::{RuleError, TextPosition};
use super::lexer::TokenKind;
use super::parser::{Parsed, Parser};
use super::pattern::{Local, Pattern, PatternKind, TypeName};
use crate::terms::term::{BinaryOp, Functor};
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::{
    AllocSpace, AtomicFn, CopyKind, Head, Met, Orders, Scope,
};
use gridlock_semantics::algebra::program::ProcKind;

impl Parser<'_> {
    pub(super) fn block(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        self.expect("{")?;
        let mut statements = Vec::new();
        while !self.is("}") {
            statements.push(self.statement()?);
        }
        self.expect("}")?;
        Ok(Pattern::new(PatternKind::Block(statements), at))
    }

    pub(super) fn procedure_kind(&self) -> Option<ProcKind> {
        match &self.peek().kind {
            TokenKind::Ident(word) => match word.as_str() {
                "__global__" => Some(ProcKind::Kernel),
                "__device__" => Some(ProcKind::Device),
                "__host__" => Some(ProcKind::Host),
                _ => None,
            },
            _ => None,
        }
    }

    /// `__global__ void $k($ps*) { … }`; the cursor is on the kind.
    pub(super) fn procedure(&mut self, kind: ProcKind) -> Parsed<Pattern> {
        let at = self.at();
        self.advance();
        self.eat_word("void");
        let name_at = self.at();
        let name = PatternKind::Meta(self.metavariable()?);
        let name = Box::new(Pattern::new(name, name_at));
        let params = self.arguments()?;
        let PatternKind::Block(body) = self.block()?.kind else {
            return self.error("a procedure has a body in braces");
        };
        let kind = PatternKind::Procedure {
            kind,
            name,
            params,
            body,
        };
        Ok(Pattern::new(kind, at))
    }

    pub(super) fn statement(&mut self) -> Parsed<Pattern> {
        self.nested(Self::any_statement)
    }

    fn any_statement(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        match self.peek().kind.clone() {
            TokenKind::Symbol(";") => {
                self.advance();
                Ok(Pattern::new(PatternKind::Block(vec![]), at))
            }
            TokenKind::Symbol("{") => self.block(),
            TokenKind::Run(name) => {
                self.advance();
                self.eat(";");
                Ok(Pattern::new(
                    PatternKind::Run(self.meta(&name, true, at)?),
                    at,
                ))
            }
            TokenKind::Meta(_) => self.statement_of_metavariable(),
            TokenKind::Ident(word) => match self.keyword_statement(&word)? {
                Some(statement) => Ok(statement),
                None => self.expression_statement(),
            },
            _ => self.expression_statement(),
        }
    }

    /// `$body`, `$body with {…}`, `$x = e;`, `$a[i] += e;`, `$k<<<g, b>>>(…);`, `$p(…);`
    fn statement_of_metavariable(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        let mut after = 1;
        if matches!(self.peek_after(1).kind, TokenKind::Symbol(":")) && self.peek_after(1).adjacent
        {
            after = 3;
        }
        let next = self.peek_after(after);
        let is_operator = match &next.kind {
            TokenKind::Symbol(symbol) => match *symbol {
                "[" => next.starts_line,
                "=" | "++" | "--" | "(" | "<<<" => false,
                symbol => compound(symbol).is_none(),
            },
            _ => true,
        };
        if !is_operator {
            return self.expression_statement();
        }
        let id = self.metavariable()?;
        let mut statement = Pattern::new(PatternKind::Meta(id), at);
        let mut links = 0;
        while self.eat_word("with") {
            links += 1;
            self.chained(links)?;
            let replacements = self.replacements()?;
            let kind = PatternKind::With(Box::new(statement), replacements);
            statement = Pattern::new(kind, at);
        }
        self.eat(";");
        Ok(statement)
    }

    fn keyword_statement(&mut self, word: &str) -> Parsed<Option<Pattern>> {
        let at = self.at();
        if word == "__shared__" {
            let local = self.array_declaration(Space::Shared)?;
            self.expect(";")?;
            return Ok(Some(Pattern::new(PatternKind::Local(local), at)));
        }
        if let Some(ahead) = self.type_ahead(0) {
            let ty = self.type_name(ahead)?;
            let (var, value) = self.declared_assignment(&ty)?;
            self.expect(";")?;
            let kind = PatternKind::Assign {
                ty: Some(ty),
                var: Box::new(var),
                value: Box::new(value),
            };
            return Ok(Some(Pattern::new(kind, at)));
        }
        let functor = match word {
            "if" => return self.branch().map(Some),
            "while" => {
                self.advance();
                self.expect("(")?;
                let cond = self.expression()?;
                self.expect(")")?;
                let body = self.statement()?;
                let kind = PatternKind::App(Functor::While, vec![cond, body]);
                return Ok(Some(Pattern::new(kind, at)));
            }
            "for" => return self.counted_loop().map(Some),
            "par" => {
                self.advance();
                let branches = vec![self.statement()?, self.statement()?];
                let kind = PatternKind::App(Functor::Par, branches);
                return Ok(Some(Pattern::new(kind, at)));
            }
            "return" => {
                self.advance();
                self.expect(";")?;
                let kind = PatternKind::App(Functor::Basic(Head::Exit), vec![]);
                return Ok(Some(Pattern::new(kind, at)));
            }
            "alloc_gpu" => {
                self.advance();
                let mut args = self.arguments()?;
                self.expect(";")?;
                let (Some(bytes), Some(var), true) = (args.pop(), args.pop(), args.is_empty())
                else {
                    return self.error("`alloc_gpu` takes a variable and a number of bytes");
                };
                let kind = PatternKind::Alloc(Box::new(var), Box::new(bytes));
                return Ok(Some(Pattern::new(kind, at)));
            }
            "__syncthreads" => Functor::Basic(Head::Barrier(Orders::All, Met::AtOnePlace)),
            "__syncwarp" => Functor::Basic(Head::SyncWarp),
            "__barrier_sync" | "__barrier_sync_count" => Functor::Basic(Head::NamedBarrier(false)),
            "__threadfence" => Functor::Basic(Head::Fence(Scope::Device)),
            "assert" => Functor::Basic(Head::Assert),
            "init_gpu" => Functor::Basic(Head::InitGpu),
            word if atomic(word).is_some() => return self.atomic_update().map(Some),
            "device_sync" => Functor::Basic(Head::DeviceSync),
            "set_device" => Functor::Basic(Head::SetDevice),
            "stream_create" => Functor::Basic(Head::StreamCreate(true)),
            "stream_sync" => Functor::Basic(Head::StreamSync),
            "stream_destroy" => Functor::Basic(Head::StreamDestroy),
            "free_gpu" => Functor::Basic(Head::Free(AllocSpace::Global)),
            "copy_gpu" => Functor::Basic(Head::Copy(CopyKind::HostToDevice)),
            "copy_back" => Functor::Basic(Head::Copy(CopyKind::DeviceToHost)),
            "copy_device" => Functor::Basic(Head::Copy(CopyKind::DeviceToDevice)),
            helper if helper.starts_with('_') && helper != "_" => Functor::Helper(helper.into()),
            _ => return Ok(None),
        };
        self.advance();
        let mut args = self.arguments()?;
        let is_helper = matches!(functor, Functor::Helper(_));
        if functor == Functor::Basic(Head::SyncWarp) && args.is_empty() {
            let (value, unsigned) = (u32::MAX.into(), true);
            args.push(Pattern::new(PatternKind::Int { value, unsigned }, at));
        }
        // Barrier 0 of the whole block is the block's own.
        let is_zero = |arg: &Pattern| matches!(arg.kind, PatternKind::Int { value: 0, .. });
        let functor = match (functor, &args[..]) {
            (Functor::Basic(Head::NamedBarrier(false)), [id])
                if is_zero(id) && !word.ends_with("count") =>
            {
                args.clear();
                Functor::Basic(Head::Barrier(Orders::All, Met::Anywhere))
            }
            (functor, _) => functor,
        };
        let expected = match functor {
            Functor::Basic(Head::Copy(_)) => 3,
            Functor::Basic(
                Head::SyncWarp
                | Head::Assert
                | Head::Free(_)
                | Head::SetDevice
                | Head::StreamCreate(_)
                | Head::StreamSync
                | Head::StreamDestroy,
            ) => 1,
            Functor::Basic(Head::NamedBarrier(_)) => 1 + usize::from(word.ends_with("count")),
            _ => 0,
        };
        if !is_helper && args.len() != expected {
            return self.error(format!("`{word}` takes {expected} arguments"));
        }
        if is_helper {
            self.eat(";");
        } else {
            self.expect(";")?;
        }
        Ok(Some(Pattern::new(PatternKind::App(functor, args), at)))
    }

    /// `atomicAdd(&$a[$e], $v);`: the cell, and what it is updated by; nobody takes what was there before.
    fn atomic_update(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        let TokenKind::Ident(word) = self.advance().kind else {
            return self.error("expected the name of an atomic");
        };
        let args = self.arguments()?;
        self.expect(";")?;
        let (Some(function), [_, operand]) = (atomic(&word), &args[..]) else {
            return self.error(format!("`{word}` takes a cell, `&$a[$i]`, and a value"));
        };
        let list = |items| Pattern::new(PatternKind::List(items), at);
        let parts = vec![args[0].clone(), list(vec![operand.clone()]), list(vec![])];
        let functor = Functor::Basic(Head::Atomic(function, Scope::Device));
        Ok(Pattern::new(PatternKind::App(functor, parts), at))
    }

    fn branch(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        self.advance();
        self.expect("(")?;
        let cond = self.expression()?;
        self.expect(")")?;
        let then = self.statement()?;
        let otherwise = if self.eat_word("else") {
            self.statement()?
        } else {
            Pattern::new(PatternKind::Block(vec![]), at)
        };
        let kind = PatternKind::App(Functor::If, vec![cond, then, otherwise]);
        Ok(Pattern::new(kind, at))
    }

    /// `for (int $s = e; c; step) body`
    fn counted_loop(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        self.advance();
        self.expect("(")?;
        let ty = match self.type_ahead(0) {
            Some(ahead) => Some(self.type_name(ahead)?),
            None => None,
        };
        let (var, init) = match &ty {
            Some(ty) => self.declared_assignment(ty)?,
            None => self.assignment()?,
        };
        self.expect(";")?;
        let cond = self.expression()?;
        self.expect(";")?;
        let (stepped, step) = self.assignment()?;
        if stepped.kind != var.kind {
            return self.error("a counted loop steps its own variable");
        }
        self.expect(")")?;
        let body = self.statement()?;
        let kind = PatternKind::For {
            ty,
            var: Box::new(var),
            init: Box::new(init),
            cond: Box::new(cond),
            step: Box::new(step),
            body: Box::new(body),
        };
        Ok(Pattern::new(kind, at))
    }

    /// `$x = e` or `name = e` behind a type; a plain name is a variable the rule declares.
    fn declared_assignment(&mut self, ty: &TypeName) -> Parsed<(Pattern, Pattern)> {
        let at = self.at();
        let TokenKind::Ident(name) = self.peek().kind.clone() else {
            return self.assignment();
        };
        self.advance();
        self.expect("=")?;
        let value = self.expression()?;
        let id = self.declare(name, ty.clone(), None, at)?;
        Ok((Pattern::new(PatternKind::Local(id), at), value))
    }

    /// `__shared__ T name[extent]`, or `__host__`; the cursor is on that word.
    pub(super) fn array_declaration(&mut self, space: Space) -> Parsed<usize> {
        let at = self.at();
        self.advance();
        let Some(ahead) = self.type_ahead(0) else {
            return self.error("`__shared__` or `__host__` needs an element type");
        };
        let ty = self.type_name(ahead)?;
        let name = self.ident()?;
        self.expect("[")?;
        let extent = self.expression()?;
        self.expect("]")?;
        self.declare(name, ty, Some((space, extent)), at)
    }

    fn declare(
        &mut self,
        name: String,
        ty: TypeName,
        array: Option<(Space, Pattern)>,
        at: TextPosition,
    ) -> Parsed<usize> {
        if self.locals.iter().any(|l| l.name == name) {
            let message = format!("`{name}` is declared twice");
            return Err(RuleError::new(self.file, at, message));
        }
        self.locals.push(Local {
            name,
            ty,
            array,
            at,
        });
        Ok(self.locals.len() - 1)
    }

    /// `lvalue = e`, `lvalue op= e`, `lvalue++`: the lvalue and its new value.
    fn assignment(&mut self) -> Parsed<(Pattern, Pattern)> {
        let target = self.expression()?;
        let at = self.at();
        let combine = |op, left: &Pattern, right| {
            let kind = PatternKind::App(Functor::Binary(op), vec![left.clone(), right]);
            Pattern::new(kind, at)
        };
        let one = Pattern::new(
            PatternKind::Int {
                value: 1,
                unsigned: false,
            },
            at,
        );
        let value = if self.eat("=") {
            self.expression()?
        } else if self.eat("++") {
            combine(BinaryOp::Add, &target, one)
        } else if self.eat("--") {
            combine(BinaryOp::Sub, &target, one)
        } else if let TokenKind::Symbol(symbol) = self.peek().kind
            && let Some(op) = compound(symbol)
        {
            self.advance();
            combine(op, &target, self.expression()?)
        } else {
            let found = self.found();
            return self.error(format!("expected an assignment, found {found}"));
        };
        Ok((target, value))
    }

    /// An assignment, a store, a launch or a call, with its `;`.
    fn expression_statement(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        if let TokenKind::Meta(_) = self.peek().kind
            && let TokenKind::Symbol(symbol @ ("<<<" | "(")) = self.peek_after(1).kind
        {
            let kernel = Box::new(Pattern::new(PatternKind::Meta(self.metavariable()?), at));
            let mut extents = [vec![], vec![]];
            if symbol == "<<<" {
                self.expect("<<<")?;
                extents[0] = self.extent()?;
                self.expect(",")?;
                extents[1] = self.extent()?;
                self.expect(">>>")?;
            }
            let args = self.arguments()?;
            self.expect(";")?;
            let [grid, block] = extents;
            let kind = PatternKind::Launch {
                kernel,
                grid,
                block,
                args,
            };
            return Ok(Pattern::new(kind, at));
        }
        let (target, value) = self.assignment()?;
        self.expect(";")?;
        let kind = match target.kind {
            PatternKind::App(Functor::Load, mut pointer) => {
                PatternKind::App(Functor::Basic(Head::Store), vec![pointer.remove(0), value])
            }
            PatternKind::Meta(_) | PatternKind::Local(_) => PatternKind::Assign {
                ty: None,
                var: Box::new(target),
                value: Box::new(value),
            },
            _ => return self.error("only a variable or a cell can be assigned"),
        };
        Ok(Pattern::new(kind, at))
    }

    /// One extent, or three in brackets.
    fn extent(&mut self) -> Parsed<Vec<Pattern>> {
        let extent = self.expression()?;
        match extent.kind {
            PatternKind::List(items) if items.len() == 3 => Ok(items),
            PatternKind::List(_) => self.error("a grid or block has one extent, or three"),
            _ => Ok(vec![extent]),
        }
    }
}

/// What an atomic of that name does, of those in which the order makes no difference.
fn atomic(word: &str) -> Option<AtomicFn> {
    Some(match word {
        "atomicAdd" => AtomicFn::Add,
        "atomicSub" => AtomicFn::Sub,
        "atomicMin" => AtomicFn::Min,
        "atomicMax" => AtomicFn::Max,
        "atomicAnd" => AtomicFn::And,
        "atomicOr" => AtomicFn::Or,
        "atomicXor" => AtomicFn::Xor,
        _ => return None,
    })
}

/// The operator of a compound assignment.
fn compound(symbol: &str) -> Option<BinaryOp> {
    Some(match symbol {
        "+=" => BinaryOp::Add,
        "-=" => BinaryOp::Sub,
        "*=" => BinaryOp::Mul,
        "/=" => BinaryOp::Div,
        "%=" => BinaryOp::Rem,
        "<<=" => BinaryOp::Shl,
        ">>=" => BinaryOp::Shr,
        "&=" => BinaryOp::BitAnd,
        "|=" => BinaryOp::BitOr,
        "^=" => BinaryOp::BitXor,
        _ => return None,
    })
}
