//! The text of inline assembly as instructions of PTX (PTX ISA, "Instruction Statements"): straight-line code with
//! registers of its own and guards, without labels.

use gridlock_semantics::algebra::types::ScalarType;

/// What stands behind an instruction's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Operand {
    /// `%0`: an operand of the statement.
    Argument(usize),
    /// `%%laneid`
    Special(String),
    Register(String),
    Integer(i128),
    /// `0f3f800000`, `0d3ff0000000000000`: bits, and how many.
    Float(u64, u32),
    /// `[a+4]`
    Address(Box<Operand>, i64),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `!p`
    Not(Box<Operand>),
    /// `_`
    Unused,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Instruction {
    /// `@p`, `@!p`: whether the register has to hold, and its name.
    pub guard: Option<(bool, Operand)>,
    /// The name, split at its dots.
    pub words: Vec<String>,
    pub operands: Vec<Operand>,
}

impl Instruction {
    /// Whether it has a modifier.
    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|own| own == word)
    }
}

/// A statement taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Code {
    /// Declared registers. Predicates are `Bool`.
    pub registers: Vec<(String, ScalarType)>,
    pub instructions: Vec<Instruction>,
}

/// The type that `.u32` and its like name; of plain bits that of an unsigned integer.
pub(crate) fn scalar(word: &str) -> Option<ScalarType> {
    Some(match word {
        "pred" => ScalarType::Bool,
        "s8" => ScalarType::I8,
        "u8" | "b8" => ScalarType::U8,
        "s16" => ScalarType::I16,
        "u16" | "b16" => ScalarType::U16,
        "s32" => ScalarType::I32,
        "u32" | "b32" => ScalarType::U32,
        "s64" => ScalarType::I64,
        "u64" | "b64" => ScalarType::U64,
        "f32" => ScalarType::F32,
        "f64" => ScalarType::F64,
        _ => return None,
    })
}

fn integer(text: &str) -> Option<i128> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest.trim()),
        None => (false, text),
    };
    let digits = digits.trim_end_matches('U');
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i128::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

fn operand(text: &str) -> Option<Operand> {
    let text = text.trim();
    if let Some(inside) = text.strip_prefix('[') {
        let inside = inside.strip_suffix(']')?.trim();
        let (base, offset) = match inside.split_once('+') {
            Some((base, offset)) => (base, i64::try_from(integer(offset.trim())?).ok()?),
            None => (inside, 0),
        };
        return Some(Operand::Address(Box::new(operand(base)?), offset));
    }
    if let Some(inside) = text.strip_prefix('{') {
        let parts = split(inside.strip_suffix('}')?);
        return parts
            .into_iter()
            .map(operand)
            .collect::<Option<_>>()
            .map(Operand::Vector);
    }
    if let Some(inside) = text.strip_prefix('!') {
        return operand(inside).map(|of| Operand::Not(Box::new(of)));
    }
    if let Some(special) = text.strip_prefix("%%") {
        return Some(Operand::Special(special.to_owned()));
    }
    if let Some(argument) = text.strip_prefix('%') {
        return argument.parse().ok().map(Operand::Argument);
    }
    for (prefix, bits) in [("0f", 32), ("0F", 32), ("0d", 64), ("0D", 64)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let is_whole = digits.len() * 4 == bits as usize;
            return u64::from_str_radix(digits, 16)
                .ok()
                .filter(|_| is_whole)
                .map(|value| Operand::Float(value, bits));
        }
    }
    if text == "_" {
        return Some(Operand::Unused);
    }
    if let Some(value) = integer(text) {
        return Some(Operand::Integer(value));
    }
    let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$');
    let starts = text.starts_with(|c: char| !c.is_ascii_digit());
    (starts && !text.is_empty() && text.chars().all(is_name))
        .then(|| Operand::Register(text.to_owned()))
}

/// Splits at the commas outside of brackets.
fn split(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0i32, 0);
    for (at, c) in text.char_indices() {
        match c {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        parts.push(&text[start..]);
    }
    parts
}

impl Code {
    /// `None`: other text than that.
    pub fn of(template: &str) -> Option<Code> {
        let mut code = Code::default();
        for statement in template.split(';') {
            let mut statement = statement.trim();
            while let Some(rest) = statement.strip_prefix(['{', '}']) {
                statement = rest.trim();
            }
            if statement.is_empty() {
                continue;
            }
            if let Some(declared) = statement.strip_prefix(".reg") {
                let (ty, names) = declared.trim().split_once(char::is_whitespace)?;
                let ty = scalar(ty.strip_prefix('.')?)?;
                for name in split(names) {
                    match operand(name)? {
                        Operand::Register(name) => code.registers.push((name, ty)),
                        _ => return None,
                    }
                }
                continue;
            }
            let (guard, rest) = match statement.strip_prefix('@') {
                Some(guarded) => {
                    let (guard, rest) = guarded.split_once(char::is_whitespace)?;
                    let guard = match guard.strip_prefix('!') {
                        Some(guard) => (false, operand(guard)?),
                        None => (true, operand(guard)?),
                    };
                    (Some(guard), rest.trim())
                }
                None => (None, statement),
            };
            let (name, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            let operands = split(operands)
                .into_iter()
                .map(split_pair)
                .collect::<Option<Vec<_>>>()?;
            code.instructions.push(Instruction {
                guard,
                words: name.split('.').map(str::to_owned).collect(),
                operands: operands.concat(),
            });
        }
        Some(code)
    }
}

/// `p|q`, two results, as two operands.
fn split_pair(text: &str) -> Option<Vec<Operand>> {
    text.split('|').map(operand).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registers_guards_vectors_and_addresses() {
        let code = Code::of(
            "{ .reg .pred p; setp.ne.b32 p, %0, 0; @!p cp.async.cg.shared.global [%1+16], [%2], 16; }",
        );
        let code = code.expect("straight-line code");
        assert_eq!(code.registers, [("p".to_owned(), ScalarType::Bool)]);
        let [set, copy] = code.instructions.as_slice() else {
            panic!("two instructions");
        };
        assert_eq!(set.words, ["setp", "ne", "b32"]);
        assert_eq!(copy.guard, Some((false, Operand::Register("p".to_owned()))));
        let target = Operand::Address(Box::new(Operand::Argument(1)), 16);
        assert_eq!(copy.operands[0], target);
        let code = Code::of("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];");
        let two = vec![Operand::Argument(0), Operand::Argument(1)];
        assert_eq!(
            code.expect("one").instructions[0].operands[0],
            Operand::Vector(two)
        );
        assert_eq!(Code::of("L: bra L;"), None);
    }

    #[test]
    fn literals() {
        assert_eq!(operand("0x1F"), Some(Operand::Integer(31)));
        assert_eq!(operand("-3"), Some(Operand::Integer(-3)));
        assert_eq!(operand("0f3f800000"), Some(Operand::Float(0x3f80_0000, 32)));
        assert_eq!(
            operand("%%laneid"),
            Some(Operand::Special("laneid".to_owned()))
        );
        assert_eq!(operand("_"), Some(Operand::Unused));
    }
}
