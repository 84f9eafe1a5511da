//! The whole scheme, procedures, arrays, variables, types.

use super::super::problem::{Problem, Reading};
use super::super::tree::{ArrayTree, ProcTree, SchemeTree, VarTree};
use super::super::words;
use super::Parser;
use crate::scheme::token::Lexeme;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::program::{Form, ProcKind};
use gridlock_semantics::algebra::types::{PointerType, ScalarType, Type};

pub fn proc_kind(word: &str) -> Option<ProcKind> {
    match word {
        "HOST" => Some(ProcKind::Host),
        "DEVICE" => Some(ProcKind::Device),
        "KERNEL" => Some(ProcKind::Kernel),
        _ => None,
    }
}

fn space(word: &str) -> Option<Space> {
    match word {
        "HOST" => Some(Space::Host),
        "GLOBAL" | "MANAGED" => Some(Space::Global),
        "SHARED" => Some(Space::Shared),
        "CONSTANT" => Some(Space::Constant),
        "PRIVATE" => Some(Space::Private),
        _ => None,
    }
}

const STARTS: &[&str] = &[
    "HOST", "DEVICE", "KERNEL", "GLOBAL", "MANAGED", "SHARED", "CONSTANT", "PRIVATE",
];

impl Parser<'_> {
    /// `scheme = [ "FORM" "ATOMIC" ";" ] { array | procedure }`
    pub(super) fn scheme(&mut self) -> Reading<SchemeTree> {
        let mut scheme = SchemeTree {
            form: Form::Surface,
            arrays: Vec::new(),
            procs: Vec::new(),
        };
        if self.eat("FORM") {
            self.expect("ATOMIC")?;
            self.expect(";")?;
            scheme.form = Form::Atomic;
        }
        while *self.peek() != Lexeme::End {
            if self.starts_array() {
                if let Some(last) = scheme.procs.last() {
                    let message = format!(
                        "arrays of the file are declared before its procedures; \
                         the first is in line {}",
                        last.at.line
                    );
                    return Problem::at(self.at(), message);
                }
                let array = self.array()?;
                scheme.arrays.push(array);
            } else if let Lexeme::Word(word) = self.peek()
                && let Some(kind) = proc_kind(word)
            {
                let word = *word;
                let proc = self.procedure(word, kind)?;
                scheme.procs.push(proc);
            } else {
                let what = "`KERNEL`, `DEVICE`, `HOST` or the declaration of an array";
                return self.expected(what, STARTS);
            }
        }
        Ok(scheme)
    }

    fn starts_array(&self) -> bool {
        match self.peek() {
            Lexeme::Word("HOST") => *self.peek_second() == Lexeme::Word("ARRAY"),
            Lexeme::Word(word) => space(word).is_some(),
            _ => false,
        }
    }

    /// `array = space "ARRAY" name ":" [ "volatile" ] scalar { "[" extent "]" }
    ///          [ "EXTENT" number ] [ ":=" "{" … "}" ] ";"`
    fn array(&mut self) -> Reading<ArrayTree> {
        let start = self.at();
        let Lexeme::Word(word) = self.peek() else {
            return self.expected("an address space", STARTS);
        };
        let is_managed = &**word == "MANAGED";
        let space = match space(word) {
            Some(space) => space,
            None => return self.expected("an address space", STARTS),
        };
        self.advance();
        self.expect("ARRAY")?;
        let (name, _) = self.name()?;
        self.expect(":")?;
        let is_volatile = self.eat("volatile");
        let elem = self.scalar()?;
        let mut dims = Vec::new();
        let mut is_launch_shared = false;
        while self.eat("[") {
            if dims.is_empty() && !is_launch_shared && self.eat("LAUNCH") {
                is_launch_shared = true;
            } else {
                dims.push(self.count("a number of elements")?);
            }
            self.expect("]")?;
        }
        let extent = match self.eat("EXTENT") {
            true => Some(self.count("a number of elements")?),
            false => None,
        };
        let init = match self.eat(":=") {
            true => {
                self.expect("{")?;
                Some(self.list("}", |parser| parser.expression())?)
            }
            false => None,
        };
        let at = self.since(start);
        self.expect(";")?;
        Ok(ArrayTree {
            name,
            at,
            space,
            is_managed,
            elem,
            is_volatile,
            is_launch_shared,
            dims,
            extent,
            init,
        })
    }

    fn count(&mut self, what: &str) -> Reading<u64> {
        let Lexeme::Int(value, None) = *self.peek() else {
            return self.expected(what, &[]);
        };
        match u64::try_from(value) {
            Ok(value) => {
                self.advance();
                Ok(value)
            }
            Err(_) => Problem::at(self.at(), format!("{value} elements are too many")),
        }
    }

    /// `procedure = kind name "(" params ")" [ "RESULT" name ] "====" declarations body
    ///              "END" "OF" kind`
    fn procedure(&mut self, word: &'static str, kind: ProcKind) -> Reading<ProcTree> {
        let start = self.at();
        self.open.push((word, start.line));
        self.advance();
        let (name, name_at) = self.name()?;
        let params = self.in_parentheses(|parser| {
            let (name, at) = parser.name()?;
            parser.expect(":")?;
            let ty = parser.type_name()?;
            Ok(VarTree { name, at, ty })
        })?;
        let result = match self.eat("RESULT") {
            true => Some(self.name()?),
            false => None,
        };
        self.expect("====")?;
        let mut arrays = Vec::new();
        let mut vars = Vec::new();
        loop {
            if self.starts_array() {
                arrays.push(self.array()?);
            } else if self.eat("VAR") {
                self.variables(&mut vars)?;
            } else {
                break;
            }
        }
        let end = match kind {
            ProcKind::Host => "END OF HOST",
            ProcKind::Device => "END OF DEVICE",
            ProcKind::Kernel => "END OF KERNEL",
        };
        let body = self.body(&[end])?;
        self.close(&["OF", word])?;
        Ok(ProcTree {
            kind,
            name,
            name_at,
            at: self.since(start),
            params,
            result,
            arrays,
            vars,
            body,
        })
    }

    /// `END`, the words that follow it, and the end of what was opened last.
    pub(super) fn close(&mut self, after_end: &[&'static str]) -> Reading<()> {
        for word in std::iter::once(&"END").chain(after_end) {
            if !self.eat(word) {
                let all: Vec<&str> = std::iter::once(&"END").chain(after_end).copied().collect();
                let mut what = format!("`{}`", all.join(" "));
                if let Some((word, line)) = self.open.last()
                    && *self.peek() != Lexeme::End
                {
                    what.push_str(&format!(" to close the `{word}` of line {line}"));
                }
                return self.expected(&what, &[word]);
            }
        }
        self.open.pop();
        Ok(())
    }

    /// `a, b : i32;`
    fn variables(&mut self, vars: &mut Vec<VarTree>) -> Reading<()> {
        let mut names = vec![self.name()?];
        while self.eat(",") {
            names.push(self.name()?);
        }
        self.expect(":")?;
        let ty = self.type_name()?;
        self.expect(";")?;
        vars.extend(names.into_iter().map(|(name, at)| VarTree { name, at, ty }));
        Ok(())
    }

    fn scalar(&mut self) -> Reading<ScalarType> {
        if let Lexeme::Word(word) = self.peek()
            && let Some(ty) = words::scalar_type(word)
        {
            self.advance();
            return Ok(ty);
        }
        let all: Vec<&str> = words::type_words().collect();
        self.expected("a type", &all)
    }

    /// Whether a type starts here.
    pub(super) fn starts_type(&self) -> bool {
        match self.peek() {
            Lexeme::Word("const" | "volatile") => true,
            Lexeme::Word(word) => words::scalar_type(word).is_some(),
            _ => false,
        }
    }

    /// `type = [ "const" ] [ "volatile" ] scalar [ "*" ]`
    pub(super) fn type_name(&mut self) -> Reading<Type> {
        let start = self.at();
        let is_const = self.eat("const");
        let is_volatile = self.eat("volatile");
        let elem = self.scalar()?;
        if self.eat("*") {
            return Ok(Type::Pointer(PointerType {
                elem,
                is_const,
                is_volatile,
            }));
        }
        if is_const || is_volatile {
            let message = "`const` and `volatile` say what a pointer points to: `*` is missing";
            return Problem::at(self.since(start), message);
        }
        Ok(Type::Scalar(elem))
    }
}
