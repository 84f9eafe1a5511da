//! Expressions, lists and function calls of the rule language; C's precedence.

use super::lexer::TokenKind;
use super::parser::{Parsed, Parser, binary_operator};
use super::pattern::{Pattern, PatternKind, Replacement, TypeName};
use crate::terms::term::Functor;
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, MathFn, UnaryOp};
use gridlock_semantics::algebra::types::{ScalarType, Type};

fn strength(op: BinaryOp) -> u8 {
    use BinaryOp::*;
    match op {
        Or => 1,
        And => 2,
        BitOr => 3,
        BitXor => 4,
        BitAnd => 5,
        Eq | Ne => 6,
        Lt | Le | Gt | Ge => 7,
        Shl | Shr => 8,
        Add | Sub | PtrDiff => 9,
        Mul | Div | Rem => 10,
    }
}

impl Parser<'_> {
    /// An expression, with what replaces parts of it: `e with { p => q; … }`.
    pub(super) fn expression(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        let mut inside = self.conditional()?;
        let mut links = 0;
        while self.eat_word("with") {
            links += 1;
            self.chained(links)?;
            let replacements = self.replacements()?;
            let kind = PatternKind::With(Box::new(inside), replacements);
            inside = Pattern::new(kind, at);
        }
        Ok(inside)
    }

    pub(super) fn replacements(&mut self) -> Parsed<Vec<Replacement>> {
        self.expect("{")?;
        let mut replacements = Vec::new();
        while !self.is("}") {
            let mut from = self.conditional()?;
            self.expect("=>")?;
            let mut to = self.conditional()?;
            // Between two cells the pointers are what is replaced, so that loads and stores are.
            if let (PatternKind::App(Functor::Load, a), PatternKind::App(Functor::Load, b)) =
                (&from.kind, &to.kind)
            {
                (from, to) = (a[0].clone(), b[0].clone());
            }
            replacements.push(Replacement { from, to });
            if !self.eat(";") {
                break;
            }
        }
        self.expect("}")?;
        Ok(replacements)
    }

    fn conditional(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        let cond = self.binary(1)?;
        if !self.eat("?") {
            return Ok(cond);
        }
        let then = self.nested(Self::conditional)?;
        self.expect(":")?;
        let otherwise = self.nested(Self::conditional)?;
        let kind = PatternKind::App(Functor::Select, vec![cond, then, otherwise]);
        Ok(Pattern::new(kind, at))
    }

    fn binary(&mut self, weakest: u8) -> Parsed<Pattern> {
        let at = self.at();
        let mut left = self.prefix()?;
        let mut links = 0;
        loop {
            links += 1;
            self.chained(links)?;
            let TokenKind::Symbol(symbol) = self.peek().kind else {
                return Ok(left);
            };
            let Some(op) = binary_operator(symbol).filter(|&op| strength(op) >= weakest) else {
                return Ok(left);
            };
            self.advance();
            let right = self.binary(strength(op) + 1)?;
            let kind = PatternKind::App(Functor::Binary(op), vec![left, right]);
            left = Pattern::new(kind, at);
        }
    }

    fn prefix(&mut self) -> Parsed<Pattern> {
        self.nested(Self::prefix_or_postfix)
    }

    fn prefix_or_postfix(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        let unary =
            |op, operand| Pattern::new(PatternKind::App(Functor::Unary(op), vec![operand]), at);
        if self.eat("-") {
            return Ok(match self.prefix()? {
                Pattern {
                    kind: PatternKind::Int { value, unsigned },
                    ..
                } => {
                    let value = -value;
                    Pattern::new(PatternKind::Int { value, unsigned }, at)
                }
                operand => unary(UnaryOp::Neg, operand),
            });
        }
        if self.eat("!") {
            return Ok(unary(UnaryOp::Not, self.prefix()?));
        }
        if self.eat("~") {
            return Ok(unary(UnaryOp::BitNot, self.prefix()?));
        }
        if self.eat("*") {
            let pointer = self.prefix()?;
            let kind = PatternKind::App(Functor::Load, vec![pointer]);
            return Ok(Pattern::new(kind, at));
        }
        if self.eat("&") {
            let cell = self.prefix()?;
            let PatternKind::App(Functor::Load, mut pointer) = cell.kind else {
                return self.error("only the address of a cell can be taken: `&$a[$i]`");
            };
            return Ok(pointer.remove(0));
        }
        if self.is("(")
            && let Some(scalar) = self.type_ahead(1)
        {
            self.advance();
            let ty = self.type_name(scalar)?;
            self.expect(")")?;
            let operand = self.prefix()?;
            return Ok(Pattern::new(PatternKind::Cast(ty, Box::new(operand)), at));
        }
        self.postfix()
    }

    fn postfix(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        let mut inside = self.primary()?;
        let mut links = 0;
        while self.is("[") && !self.peek().starts_line {
            links += 1;
            self.chained(links)?;
            self.advance();
            let index = self.conditional()?;
            self.expect("]")?;
            let element = PatternKind::Element(Box::new(inside), Box::new(index));
            let element = Pattern::new(element, at);
            inside = Pattern::new(PatternKind::App(Functor::Load, vec![element]), at);
        }
        Ok(inside)
    }

    fn primary(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        let kind = match self.peek().kind.clone() {
            TokenKind::Int(value, unsigned) => {
                self.advance();
                PatternKind::Int { value, unsigned }
            }
            TokenKind::Text(text) => {
                self.advance();
                PatternKind::Text(text)
            }
            TokenKind::Meta(_) => PatternKind::Meta(self.metavariable()?),
            TokenKind::Run(name) => {
                self.advance();
                PatternKind::Run(self.meta(&name, true, at)?)
            }
            TokenKind::Symbol("(") => {
                self.advance();
                let inside = self.expression()?;
                self.expect(")")?;
                return Ok(inside);
            }
            TokenKind::Symbol("[") => return self.list(),
            TokenKind::Symbol("{") => return self.block(),
            TokenKind::Ident(word) => return self.word(&word),
            _ => {
                let found = self.found();
                return self.error(format!("expected an expression, found {found}"));
            }
        };
        Ok(Pattern::new(kind, at))
    }

    /// `$x` or `$x:Sort`.
    pub(super) fn metavariable(&mut self) -> Parsed<usize> {
        let at = self.at();
        let TokenKind::Meta(name) = self.peek().kind.clone() else {
            let found = self.found();
            return self.error(format!("expected a metavariable, found {found}"));
        };
        self.advance();
        let id = self.meta(&name, false, at)?;
        if self.is(":")
            && self.peek().adjacent
            && let TokenKind::Ident(word) = &self.peek_after(1).kind
        {
            let Some(sort) = super::sort::Sort::named(word) else {
                return self.error(format!("`{word}` is no sort"));
            };
            self.advance();
            self.advance();
            let Some(met) = self.metas[id].sort.meet(sort) else {
                return self.error(format!("`${name}` was {}", self.metas[id].sort));
            };
            self.metas[id].sort = met;
        }
        Ok(id)
    }

    /// `[a, b]`, `[a : $rest]`
    fn list(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        self.expect("[")?;
        let mut items = Vec::new();
        while !self.is("]") {
            items.push(self.expression()?);
            if self.eat(":") {
                let rest = Box::new(self.expression()?);
                self.expect("]")?;
                return Ok(Pattern::new(PatternKind::Cons(items, rest), at));
            }
            if !self.eat(",") {
                break;
            }
        }
        self.expect("]")?;
        Ok(Pattern::new(PatternKind::List(items), at))
    }

    fn word(&mut self, word: &str) -> Parsed<Pattern> {
        let at = self.at();
        let constant = match word {
            "_" => Some(PatternKind::Any),
            "NIL" => Some(PatternKind::List(vec![])),
            "true" => Some(PatternKind::Bool(true)),
            "false" => Some(PatternKind::Bool(false)),
            "warpSize" => Some(PatternKind::App(
                Functor::Builtin(Builtin::WarpSize),
                vec![],
            )),
            _ => None,
        };
        self.advance();
        if let Some(kind) = constant {
            return Ok(Pattern::new(kind, at));
        }
        let thread_builtin: Option<fn(Axis) -> Builtin> = match word {
            "threadIdx" => Some(Builtin::ThreadIdx),
            "blockIdx" => Some(Builtin::BlockIdx),
            "blockDim" => Some(Builtin::BlockDim),
            "gridDim" => Some(Builtin::GridDim),
            _ => None,
        };
        if let Some(make) = thread_builtin {
            self.expect(".")?;
            let axis = match self.ident()?.as_str() {
                "x" => Axis::X,
                "y" => Axis::Y,
                "z" => Axis::Z,
                other => return self.error(format!("no axis `{other}`")),
            };
            let functor = Functor::Builtin(make(axis));
            return Ok(Pattern::new(PatternKind::App(functor, vec![]), at));
        }
        if word == "sizeof" {
            return self.size_of();
        }
        if self.is("(") {
            let args = self.arguments()?;
            let kind = match word {
                "either" => PatternKind::Either(args),
                "min" if args.len() == 2 => PatternKind::App(Functor::Math(MathFn::Min), args),
                "max" if args.len() == 2 => PatternKind::App(Functor::Math(MathFn::Max), args),
                helper if helper.starts_with('_') => {
                    PatternKind::App(Functor::Helper(helper.into()), args)
                }
                function => PatternKind::Function(function.to_owned(), args),
            };
            return Ok(Pattern::new(kind, at));
        }
        if let Some(local) = self.locals.iter().position(|l| l.name == word) {
            return Ok(Pattern::new(PatternKind::Local(local), at));
        }
        if self.parameters.iter().any(|p| p == word) {
            return Ok(Pattern::new(PatternKind::Parameter(word.to_owned()), at));
        }
        let message = format!(
            "`{word}` is no parameter of this system, nothing the rule declares, and no built-in \
             variable"
        );
        Err(super::error::RuleError::new(self.file, at, message))
    }

    pub(super) fn arguments(&mut self) -> Parsed<Vec<Pattern>> {
        self.expect("(")?;
        let mut args = Vec::new();
        while !self.is(")") {
            args.push(self.expression()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")")?;
        Ok(args)
    }

    fn size_of(&mut self) -> Parsed<Pattern> {
        let at = self.at();
        self.expect("(")?;
        let ty = match self.type_ahead(0) {
            Some(scalar) => self.type_name(scalar)?,
            None => TypeName::Of(Box::new(self.expression()?)),
        };
        self.expect(")")?;
        Ok(Pattern::new(PatternKind::SizeOf(ty), at))
    }

    /// The type name that begins `ahead` tokens from here, if one does: its kind and its length in
    /// tokens.
    pub(super) fn type_ahead(&self, ahead: usize) -> Option<TypeAhead> {
        let word = |n: usize| match &self.peek_after(ahead + n).kind {
            TokenKind::Ident(word) => word.as_str(),
            _ => "",
        };
        use ScalarType::*;
        let (scalar, length) = match (word(0), word(1), word(2)) {
            ("bool", ..) => (Bool, 1),
            ("char", ..) | ("signed", "char", _) => (I8, if word(0) == "char" { 1 } else { 2 }),
            ("short", ..) => (I16, 1),
            ("int", ..) => (I32, 1),
            ("long", "long", _) => (I64, 2),
            ("long", ..) => (I64, 1),
            ("unsigned", "char", _) => (U8, 2),
            ("unsigned", "short", _) => (U16, 2),
            ("unsigned", "int", _) => (U32, 2),
            ("unsigned", "long", "long") => (U64, 3),
            ("unsigned", "long", _) => (U64, 2),
            ("unsigned", ..) => (U32, 1),
            ("size_t", ..) => (U64, 1),
            ("float", ..) => (F32, 1),
            ("double", ..) => (F64, 1),
            ("auto", ..) => return Some(TypeAhead::Auto),
            ("typeof", ..) => return Some(TypeAhead::Of),
            _ => return None,
        };
        Some(TypeAhead::Scalar(scalar, length))
    }

    pub(super) fn type_name(&mut self, ahead: TypeAhead) -> Parsed<TypeName> {
        match ahead {
            TypeAhead::Auto => {
                self.advance();
                Ok(TypeName::Auto)
            }
            TypeAhead::Of => {
                self.advance();
                self.expect("(")?;
                let inside = self.expression()?;
                self.expect(")")?;
                Ok(TypeName::Of(Box::new(inside)))
            }
            TypeAhead::Scalar(scalar, length) => {
                for _ in 0..length {
                    self.advance();
                }
                if self.eat("*") {
                    return Ok(TypeName::Plain(Type::pointer_to(scalar)));
                }
                Ok(TypeName::scalar(scalar))
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
pub(super) enum TypeAhead {
    Auto,
    Of,
    Scalar(ScalarType, usize),
}
