//! Random expressions over variables, the cells of `a`, those of a ring and calls, with what each of them reads and
//! changes. Pointers that walk through the ring are in `random_walks`.

use crate::against_clang::random_calls::Fault;
use crate::against_clang::random_walks::WALKS;

/// Which variables and arrays: a bit each.
pub type Names = u32;

pub const A: Names = 1;
pub const RING: Names = 2;
/// What a function is given by reference.
pub const R: Names = 4;
pub const P: Names = 8;
pub const Q: Names = 16;
const FIRST_VAR: usize = 5;

#[derive(Clone, Debug)]
pub struct Var {
    ty: &'static str,
    name: String,
    bit: Names,
}

/// A function that can be called, and which of `A`, `RING`, `R` and `P` it reads and changes.
#[derive(Clone, Debug)]
pub struct Callee {
    pub name: String,
    /// The type of what it is given by reference.
    pub referred: &'static str,
    pub by_reference: bool,
    pub uses_ring: bool,
    /// Whether the pointer it is given is the caller's own.
    pub walks_outside: bool,
    pub reads: Names,
    pub writes: Names,
}

/// An expression, or a place without the access to it.
#[derive(Clone, Debug)]
pub struct Expr {
    pub text: String,
    pub reads: Names,
    pub writes: Names,
    /// Of what it changes, what perhaps is changed only after its value is there.
    pub late: Names,
    calls: bool,
}

impl Expr {
    pub fn new(text: impl Into<String>, reads: Names) -> Expr {
        let text = text.into();
        Expr {
            text,
            reads,
            writes: 0,
            late: 0,
            calls: false,
        }
    }

    pub fn touches(&self) -> Names {
        self.reads | self.writes
    }

    /// Another text, around these.
    pub fn around(text: String, parts: &[&Expr]) -> Expr {
        let mut all = Expr::new(text, 0);
        for part in parts {
            all.reads |= part.reads;
            all.writes |= part.writes;
            all.late |= part.late;
            all.calls |= part.calls;
        }
        all
    }

    pub fn changing(mut self, names: Names) -> Expr {
        self.writes |= names;
        self.late |= names;
        self
    }
}

/// The names that an expression can use, and the source of chance.
pub struct Scope {
    seed: u64,
    pub is_cpp: bool,
    pub fault: Option<Fault>,
    /// Which of `A`, `RING` and `R` may be mentioned.
    uses: Names,
    /// The type of what is given by reference, and whether it is one.
    referred: Option<(&'static str, bool)>,
    vars: Vec<Var>,
    /// What is written for the pointers.
    pub pointers: [(Names, &'static str); 2],
    pub callees: Vec<Callee>,
    pub calls_left: usize,
    /// How many walks the present whole expression may still make.
    pub walks_left: usize,
    /// What whole expressions read and changed since the scope was entered.
    pub effects: (Names, Names),
}

impl Scope {
    pub fn new(seed: u64, is_cpp: bool, fault: Option<Fault>) -> Scope {
        let mut scope = Scope {
            seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            is_cpp,
            fault,
            uses: 0,
            referred: None,
            vars: Vec::new(),
            pointers: [(P, "p"), (Q, "q")],
            callees: Vec::new(),
            calls_left: 0,
            walks_left: WALKS,
            effects: (0, 0),
        };
        for _ in 0..20 {
            scope.below(2);
        }
        scope
    }

    pub fn enter(&mut self, uses: Names, referred: Option<(&'static str, bool)>, p: &'static str) {
        self.pointers = [(P, p), (Q, "q")];
        (self.uses, self.referred) = (uses, referred);
        self.vars.clear();
        self.effects = (0, 0);
    }

    pub fn add_var(&mut self, ty: &'static str, name: String) {
        let bit = 1 << (FIRST_VAR + self.vars.len());
        self.vars.push(Var { ty, name, bit });
    }

    pub fn remove_var(&mut self) {
        self.vars.pop();
    }

    pub fn n_vars(&self) -> usize {
        self.vars.len()
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as usize % n
    }

    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    /// A reference to an `int` can be to a cell.
    fn all_names(&self, names: Names) -> Names {
        let is_int = self.referred.is_some_and(|(ty, _)| ty == "int");
        match names & R != 0 && is_int {
            true => names | A | RING,
            false => names,
        }
    }

    pub fn hit(&self, writes: Names, touches: Names) -> bool {
        self.all_names(writes) & self.all_names(touches) != 0
    }

    pub fn meet(&self, a: &Expr, b: &Expr) -> bool {
        self.hit(a.writes, b.touches()) || self.hit(b.writes, a.touches())
    }

    pub fn number(&mut self) -> Expr {
        Expr::new(self.below(40).to_string(), 0)
    }

    /// A variable as a place.
    fn variable(&mut self) -> (Expr, Names) {
        let at = self.below(self.vars.len());
        let var = &self.vars[at];
        (Expr::new(var.name.clone(), 0), var.bit)
    }

    fn leaf(&mut self) -> Expr {
        match self.below(4) {
            0 => self.number(),
            _ => {
                let (place, target) = self.place(0, None);
                self.read(place, target)
            }
        }
    }

    /// What is written for one of the pointers.
    fn named(&self, pointer: Names) -> &'static str {
        let found = self.pointers.iter().find(|(bit, _)| *bit == pointer);
        found.map_or("ring", |(_, name)| name)
    }

    fn read(&self, mut place: Expr, target: Names) -> Expr {
        place.reads |= target;
        place
    }

    /// A place of the type, if one is given, and what it is; what its parts may change late is not the place.
    fn place(&mut self, depth: usize, ty: Option<&str>) -> (Expr, Names) {
        let d = depth.saturating_sub(1);
        let is_int = ty.is_none_or(|ty| ty == "int");
        let (place, target) = match self.below(8) {
            0 | 1 if is_int && self.uses & A != 0 => {
                let index = if depth == 0 {
                    self.number()
                } else {
                    self.value(d)
                };
                let text = format!("a[({}) & 15]", index.text);
                (Expr::around(text, &[&index]), A)
            }
            2..=4 if is_int && self.uses & RING != 0 => (self.cell(depth), RING),
            5 | 6
                if self.uses & R != 0
                    && self
                        .referred
                        .is_some_and(|(r, _)| ty.is_none_or(|ty| ty == r)) =>
            {
                let by_reference = self.referred.is_some_and(|(_, by)| by);
                (Expr::new(if by_reference { "r" } else { "(*r)" }, 0), R)
            }
            _ => self.variable(),
        };
        let fits = match ty {
            Some(ty) if target >= 1 << FIRST_VAR => {
                self.vars.iter().any(|v| v.bit == target && v.ty == ty)
            }
            _ => true,
        };
        if fits && !self.hit(place.late, target) {
            return (place, target);
        }
        let first = self.vars.iter().find(|v| ty.is_none_or(|ty| v.ty == ty));
        let first = first.expect("a variable of each type that is referred to");
        (Expr::new(first.name.clone(), 0), first.bit)
    }

    /// An expression that changes something.
    pub fn effect(&mut self, depth: usize) -> Expr {
        let d = depth.saturating_sub(1);
        match self.below(7) {
            0 => {
                let (place, target) = self.place(d, None);
                let text = self.pick(&["(@++)", "(@--)", "(++@)", "(--@)"]);
                let text = text.replace('@', &place.text);
                let all = Expr::around(text, &[&place]);
                self.read(all, target).changing(target)
            }
            1 | 2 => self.call(depth),
            _ => self.assignment(d),
        }
    }

    fn assignment(&mut self, depth: usize) -> Expr {
        let op = self.pick(&["=", "=", "=", "+=", "-=", "^=", "|="]);
        let (mut place, mut target) = self.place(depth, None);
        let mut value = self.value(depth);
        let is_plain = op == "=";
        // C gives the sides no order; the store comes after what a call on the right changed.
        let stored = if is_plain { value.late } else { value.writes };
        if !self.is_cpp && (self.meet(&place, &value) || self.hit(stored, target)) {
            (place, target) = self.variable();
            value = self.number();
        }
        let (left, right) = (&place.text, &value.text);
        let text = match self.fault {
            Some(Fault::LeftFirst) if self.is_cpp => {
                format!("({{ auto &left = {left}; left {op} ({right}); }})")
            }
            _ => format!("({left} {op} {right})"),
        };
        let all = Expr::around(text, &[&place, &value]);
        let read = if is_plain { 0 } else { target };
        self.read(all, read).changing(target)
    }

    /// A call of one of the functions, or a step of a variable where there is none.
    pub fn call(&mut self, depth: usize) -> Expr {
        let d = depth.saturating_sub(1);
        let fitting: Vec<usize> = (0..self.callees.len())
            .filter(|c| self.uses & RING != 0 || !self.callees[*c].walks_outside)
            .filter(|c| self.vars.iter().any(|v| v.ty == self.callees[*c].referred))
            .collect();
        if fitting.is_empty() || self.calls_left == 0 {
            let (place, target) = self.variable();
            return Expr::new(format!("({}++)", place.text), target).changing(target);
        }
        self.calls_left -= 1;
        let at = self.pick(&fitting);
        let callee = self.callees[at].clone();
        let mut walking = 0;
        let pointer = match (
            callee.uses_ring && self.uses & RING != 0,
            callee.walks_outside,
        ) {
            (true, true) => {
                let (bit, name) = self.pick(&self.pointers.clone());
                walking = bit;
                let sign = if self.is_cpp { "" } else { "&" };
                Expr::new(format!("{sign}{name}"), 0)
            }
            (true, false) => self.pointer(d),
            _ => Expr::new("ring", 0),
        };
        let mut args = vec![pointer];
        for _ in 0..2 {
            let arg = self.value(d);
            let arg = match args.iter().any(|other| self.meet(other, &arg)) {
                true => self.number(),
                false => arg,
            };
            args.push(arg);
        }
        let (mut place, mut target) = match walking != 0 && callee.referred == "int" {
            // The cell is named by the pointer that the call moves.
            true if self.below(2) == 0 => (
                Expr::new(format!("{}[1]", self.named(walking)), walking),
                RING,
            ),
            _ => self.place(d, Some(callee.referred)),
        };
        if args.iter().any(|other| self.meet(other, &place)) {
            let var = self.vars.iter().find(|v| v.ty == callee.referred);
            let var = var.expect("one fits");
            (place, target) = (Expr::new(var.name.clone(), 0), var.bit);
        }
        // What the call changes is given to it as a number, too.
        if self.below(3) == 0 && place.writes == 0 {
            args[1] = self.read(place.clone(), target);
            if args
                .iter()
                .any(|other| self.hit(other.writes, args[1].touches()))
            {
                args[1] = self.number();
            }
        }
        let first = match self.fault {
            Some(Fault::ArgumentTwice) if !args[1].calls => format!("({0}, {0})", args[1].text),
            _ => args[1].text.clone(),
        };
        let sign = if callee.by_reference { "" } else { "&" };
        let text = format!(
            "{}(a, ring, {}, {first}, {}, {sign}{})",
            callee.name, args[0].text, args[2].text, place.text
        );
        let mut all = Expr::around(text, &[&args[0], &args[1], &args[2], &place]);
        let outside = |names: Names| {
            let referred = if names & R != 0 { target } else { 0 };
            let walked = if names & P != 0 { walking } else { 0 };
            names & (A | RING) | referred | walked
        };
        all.reads |= outside(callee.reads);
        all.writes |= outside(callee.writes);
        (all.late, all.calls) = (0, true);
        all
    }

    pub fn value(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.below(6) == 0 {
            return self.leaf();
        }
        let d = depth - 1;
        match self.below(14) {
            0 | 1 => self.effect(depth),
            2 | 3 => self.call(depth),
            4 => {
                let (c, a, b) = (self.value(d), self.value(d), self.value(d));
                let text = format!("({} ? {} : {})", c.text, a.text, b.text);
                let late = a.late | b.late;
                Expr {
                    late,
                    ..Expr::around(text, &[&c, &a, &b])
                }
            }
            5 => {
                let op = self.pick(&["&&", "||", ","]);
                let (a, b) = (self.value(d), self.value(d));
                let text = format!("({} {op} {})", a.text, b.text);
                Expr {
                    late: b.late,
                    ..Expr::around(text, &[&a, &b])
                }
            }
            6 => {
                let ty = self.pick(&["short", "unsigned char", "long long", "unsigned"]);
                let a = self.value(d);
                Expr::around(format!("(({ty}){})", a.text), &[&a])
            }
            7 | 8 if self.uses & RING != 0 => self.between_pointers(d),
            9 | 10 => {
                let (place, target) = self.place(depth, None);
                self.read(place, target)
            }
            11 => {
                let op = self.pick(&["<<", ">>"]);
                let (a, b) = (self.value(d), self.value(d));
                let is_open = !self.is_cpp && self.meet(&a, &b);
                let b = if is_open { self.number() } else { b };
                let text = format!("({} {op} ({} & 7))", a.text, b.text);
                Expr::around(text, &[&a, &b])
            }
            _ => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^", "<", "<=", "==", "!="]);
                let (a, b) = (self.value(d), self.value(d));
                let b = if self.meet(&a, &b) { self.number() } else { b };
                Expr::around(format!("({} {op} {})", a.text, b.text), &[&a, &b])
            }
        }
    }
}
