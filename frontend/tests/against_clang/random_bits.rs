//! Random functions over bit-fields and unions: structs of all widths and types, in variables, in an array and
//! behind a pointer; unions that see the same bits as numbers, bytes and fields. Nothing in them is left open:
//! every object is set before it is read, and an expression changes at most one thing.

use std::fmt::Write;

/// A change of the types that the compilers alone are given: what they come to must differ then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A field keeps a bit less of what it is given.
    Narrower,
    /// A signed field has no sign.
    NoSign,
    /// A field of a union begins a bit later.
    Later,
}

/// A function's statements, each whole by itself; the first declares the types, the second the variables.
pub type Body = Vec<String>;

struct Field {
    name: String,
    /// What values are compared and computed with.
    is_bool: bool,
}

struct Source {
    seed: u64,
    /// Its types have names of their own.
    number: u64,
    is_cpp: bool,
    fault: Option<Fault>,
}

/// The types that bit-fields have.
const TYPES: &[(&str, u64)] = &[
    ("int", 32),
    ("unsigned", 32),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("long long", 64),
    ("unsigned long long", 64),
    ("bool", 1),
    ("sign", 32),
];

/// The body of function number `seed`. The same draws are made with a fault as without.
pub fn body(seed: u64, is_cpp: bool, fault: Option<Fault>) -> Body {
    let mut source = Source {
        seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        number: seed,
        is_cpp,
        fault,
    };
    source.body()
}

/// The text of a body.
pub fn text(body: &[String]) -> String {
    body.join(" ")
}

impl Source {
    fn below(&mut self, n: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as usize % n
    }

    fn pick<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len())]
    }

    fn body(&mut self) -> Body {
        let number = self.number;
        let (declared, fields) = self.structure();
        let (union, members) = self.union();
        // Of a type that is said an enumeration has all values of it.
        let sign = match self.is_cpp {
            true => "enum sign : int { MINUS = -1, NONE, PLUS };",
            false => "typedef enum { MINUS = -1, NONE, PLUS } sign;",
        };
        let mut body = vec![
            format!("{sign} {declared} {union}"),
            format!(
                "struct S{number} s = {{}}, t[3] = {{}}; struct S{number} *p = &t[n % 3]; union U{number} u; \
                 u.whole = 0; long long x = n, y = 3;"
            ),
        ];
        for field in &fields {
            let value = self.constant();
            body.push(format!("s.{} = {};", field.name, self.given(field, &value)));
        }
        for _ in 0..4 + self.below(8) {
            let statement = self.statement(&fields, &members, 2);
            body.push(statement);
        }
        let mut all = String::from("x = x * 31 + y; ");
        for field in &fields {
            for object in ["s", "t[0]", "t[1]", "t[2]"] {
                let _ = write!(all, "x = x * 7 + {object}.{}; ", field.name);
            }
        }
        for member in &members {
            let _ = write!(all, "x = x * 5 + u.{}; ", member.name);
        }
        body.push(format!(
            "{all} return x + 1000003 * (long long)sizeof(struct S{number}) + sizeof(union U{number});"
        ));
        body
    }

    /// A struct of bit-fields and others.
    fn structure(&mut self) -> (String, Vec<Field>) {
        let (mut text, mut fields) = (format!("struct S{} {{ ", self.number), Vec::new());
        for number in 0..2 + self.below(6) {
            let (ty, bits) = TYPES[self.below(TYPES.len())];
            let ty = match ty {
                "bool" if !self.is_cpp => "_Bool",
                ty => ty,
            };
            let name = format!("f{number}");
            let width = 1 + self.below(bits as usize);
            let width = match ty {
                // All enumerators fit.
                "sign" => width.max(2),
                _ if self.fault == Some(Fault::Narrower) && width > 1 => width - 1,
                _ => width,
            };
            let ty = match (ty, self.fault) {
                ("int", Some(Fault::NoSign)) => "unsigned",
                (ty, _) => ty,
            };
            let _ = match self.below(8) {
                0 => write!(text, "{ty} {name}; "),
                1 if bits > 1 => write!(text, "{ty} : {width}; {ty} {name} : {width}; "),
                2 => write!(text, "{ty} {name} : {width}; {ty} : 0; "),
                _ => write!(text, "{ty} {name} : {width}; "),
            };
            fields.push(Field {
                name,
                is_bool: bits == 1,
            });
        }
        text += "};";
        (text, fields)
    }

    /// A union of a number, its bytes and fields of its bits.
    fn union(&mut self) -> (String, Vec<Field>) {
        let is_wide = self.below(3) == 0;
        let (whole, bits, count) = match is_wide {
            true => ("unsigned long long", 64, 8),
            false => ("unsigned", 32, 4),
        };
        let mut text = format!(
            "union U{} {{ {whole} whole; unsigned char bytes[{count}]; struct {{ ",
            self.number
        );
        let mut members = vec!["whole".to_owned()];
        members.push(format!("bytes[{}]", self.below(count)));
        let (mut taken, mut number) = (0, 0);
        if self.fault == Some(Fault::Later) {
            let _ = write!(text, "{whole} : 1; ");
            taken = 1;
        }
        while taken < bits {
            let width = (1 + self.below(20)).min(bits - taken);
            let ty = match (is_wide, self.below(2)) {
                (true, 0) => "long long",
                (true, _) => "unsigned long long",
                (false, 0) => "int",
                (false, _) => "unsigned",
            };
            let _ = write!(text, "{ty} g{number} : {width}; ");
            members.push(format!("in.g{number}"));
            (taken, number) = (taken + width, number + 1);
        }
        text += "} in; ";
        if self.below(2) == 0 {
            let width = 1 + self.below(31);
            let ty = self.pick(&["int", "unsigned"]);
            let _ = write!(text, "{ty} low : {width}; ");
            members.push("low".to_owned());
        }
        if self.below(3) == 0 {
            text += "short half; ";
            members.push("half".to_owned());
        }
        text += "};";
        let named = |name: String| Field {
            name,
            is_bool: false,
        };
        (text, members.into_iter().map(named).collect())
    }

    fn constant(&mut self) -> String {
        match self.below(4) {
            0 => self.below(4).to_string(),
            1 => format!("(-{})", self.below(300)),
            2 => format!("{}LL", self.below(usize::MAX >> 2)),
            _ => self.below(70_000).to_string(),
        }
    }

    /// A value that may be assigned to a field: in C++ an enumeration takes no number.
    fn given(&mut self, field: &Field, value: &str) -> String {
        match field.is_bool {
            true => format!("(({value}) != 0)"),
            false if self.is_cpp => {
                format!("(decltype(S{}::{}))({value})", self.number, field.name)
            }
            false => value.to_owned(),
        }
    }

    /// A field of some object.
    fn place<'f>(&mut self, fields: &'f [Field]) -> (String, &'f Field) {
        let field = &fields[self.below(fields.len())];
        let object = match self.below(4) {
            0 => "p->".to_owned(),
            1 => format!("t[{}].", self.below(3)),
            2 => "t[(n + 1) % 3].".to_owned(),
            _ => "s.".to_owned(),
        };
        (format!("{object}{}", field.name), field)
    }

    fn statement(&mut self, fields: &[Field], members: &[Field], depth: usize) -> String {
        match self.below(13) {
            0..=2 => {
                let (place, field) = self.place(fields);
                let value = self.expression(fields, members, 2);
                let value = self.given(field, &value);
                format!("{place} = {value};")
            }
            3 => {
                let (place, field) = self.place(fields);
                let value = self.expression(fields, members, 1);
                let value = self.given(field, &value);
                format!("y = ({place} = {value});")
            }
            4 => {
                let member = &members[self.below(members.len())].name;
                let value = self.expression(fields, members, 2);
                format!("u.{member} = {value};")
            }
            5 => {
                let member = &members[self.below(members.len())].name;
                let op = self.pick(&["+=", "-=", "^=", "*=", "|=", "<<="]);
                let value = match op {
                    "<<=" => self.below(5).to_string(),
                    _ => self.expression(fields, members, 1),
                };
                format!("x = (u.{member} {op} {value});")
            }
            6 => {
                let member = &members[self.below(members.len())].name;
                let step = self.pick(&["++", "--"]);
                match self.below(2) {
                    0 => format!("y = u.{member}{step};"),
                    _ => format!("y = {step}u.{member};"),
                }
            }
            7 => self.step(fields, members),
            8 => {
                let (to, from) = (self.object(), self.object());
                format!("{to} = {from};")
            }
            9 if depth > 0 => {
                let cond = self.expression(fields, members, 2);
                let inner = self.statement(fields, members, depth - 1);
                format!("if ({cond}) {{ {inner} }}")
            }
            10 if depth > 0 => {
                let inner = self.statement(fields, members, depth - 1);
                format!("for (int i{depth} = 0; i{depth} < 3; i{depth}++) {{ {inner} }}")
            }
            11 => {
                let value = self.expression(fields, members, 2);
                format!("a[{}] = {value};", self.below(16))
            }
            _ => {
                let value = self.expression(fields, members, 3);
                format!("x += {value};")
            }
        }
    }

    fn object(&mut self) -> &'static str {
        ["s", "*p", "t[0]", "t[1]", "t[(n + 2) % 3]"][self.below(5)]
    }

    /// A compound assignment or a step of a field that is a number.
    fn step(&mut self, fields: &[Field], members: &[Field]) -> String {
        let (place, field) = self.place(fields);
        if field.is_bool {
            let value = self.expression(fields, members, 1);
            return format!("{place} = {value} > 3;");
        }
        // An enumeration of C++ has no arithmetic of its own.
        if self.is_cpp {
            let value = self.expression(fields, members, 1);
            let value = self.given(field, &format!("{place} + {value}"));
            return format!("x = ({place} = {value});");
        }
        match self.below(4) {
            0 => format!("y = {place}++;"),
            1 => format!("y = --{place};"),
            2 => format!("{place} <<= {};", self.below(4)),
            _ => {
                let op = self.pick(&["+=", "-=", "*=", "^=", "&=", "|="]);
                let value = self.expression(fields, members, 1);
                format!("x = ({place} {op} {value});")
            }
        }
    }

    fn expression(&mut self, fields: &[Field], members: &[Field], depth: usize) -> String {
        if depth == 0 || self.below(4) == 0 {
            return match self.below(6) {
                0 => self.constant(),
                1 => format!("a[{}]", self.below(16)),
                2 => self.pick(&["x", "y", "n"]).to_owned(),
                3 => format!("u.{}", members[self.below(members.len())].name),
                _ => self.place(fields).0,
            };
        }
        let a = self.expression(fields, members, depth - 1);
        match self.below(8) {
            0 => format!("(-{a})"),
            1 => format!("(~{a})"),
            2 => format!("({a} << {})", self.below(6)),
            3 => format!("({a} >> {})", self.below(6)),
            4 => {
                let b = self.expression(fields, members, depth - 1);
                let op = self.pick(&["<", "<=", "==", "!=", ">"]);
                format!("({a} {op} {b})")
            }
            5 => {
                let b = self.expression(fields, members, depth - 1);
                format!("({a} > 1 ? {b} : {a} + 1)")
            }
            _ => {
                let b = self.expression(fields, members, depth - 1);
                let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({a} {op} {b})")
            }
        }
    }
}

/// Bodies with a statement less.
pub fn smaller(body: &[String]) -> Vec<Body> {
    let last = body.len().saturating_sub(1);
    (2..last)
        .map(|gone| {
            let mut rest = body.to_vec();
            rest.remove(gone);
            rest
        })
        .collect()
}
