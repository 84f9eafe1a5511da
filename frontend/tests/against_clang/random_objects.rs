//! Random functions of C++17 with objects whose constructors and destructors change the array that all of them see, so
//! that the order in which objects begin and end shows: in nested blocks, under all jumps, as members, bases and
//! elements of arrays, and in functions that compute what they give from what a destructor changes.

use crate::against_clang::compared::Where;
use crate::against_clang::random_calls::{Piece, Program};

/// A change of the text that the compilers alone are given: what they come to must differ then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Objects end with their declarations.
    AtOnce,
    /// The destructors of members are left out.
    NoMembers,
    /// What a function gives is computed after its objects have ended.
    LateResult,
    /// A kernel goes on where it should return.
    NoReturn,
}

/// `Mark` writes its number where it begins and where it ends; the others have it in them.
const CLASSES: &str = "
struct Mark@ {
  int *p; int v;
  Mark@(int *p, int v) : p(p), v(v) { p[v & 15] = p[v & 15] * 3 + v; }
  ~Mark@() { if (v & 4) { p[2] ^= v; return; } p[v & 15] = p[v & 15] * 5 - v; }
};
struct Plain@ {
  int *p; int v;
  Plain@(int *p, int v) : p(p), v(v) { p[v & 15] = p[v & 15] * 3 + v; }
};
struct Member@ { HELD first; int x; HELD last; Member@(int *p, int v) : first(p, v), x(v), last(p, v + 1) {} };
struct Sub@ : Mark@ {
  Mark@ other;
  Sub@(int *p, int v) : Mark@(p, v + 2), other(p, v) { p[1] += v; }
  ~Sub@() { for (int i = 0; i < 3; i++) { Mark@ m(p, i); if (i == (v & 1)) continue; if (v & 8) return; p[i] += other.v; } }
};
static void change@(Mark@ &m, int by) { m.v += by; }
static int &cell@(int *a, int k) { Mark@ m(a, k); k++; return a[k & 15]; }
";

/// Of the host alone: what begins and ends with a number, by a variable of the file.
const SLOT: &str = "
static int trail@[16];
struct Slot@ {
  int v;
  Slot@(int v) : v(v) { trail@[v & 15] = trail@[v & 15] * 3 + v; }
  ~Slot@() { trail@[v & 15] = trail@[v & 15] * 5 - v; }
};
";

/// Functions between these are of the device, too.
const FOR_BOTH: [&str; 2] = [
    "#pragma clang force_cuda_host_device begin",
    "#pragma clang force_cuda_host_device end",
];

/// The body that is run.
const RUN: &str = "for (int i = 0; i < 16; i++) trail@[i] = 0; long long given = body@(a, n); \
     for (int i = 0; i < 16; i++) a[i] = a[i] * 7 + trail@[i]; return given;";

struct Maker {
    seed: u64,
    place: Where,
    fault: Option<Fault>,
    n_names: usize,
    depth: usize,
    budget: usize,
    in_loop: bool,
    in_function: bool,
}

/// Program number `seed`. The same draws are made with a fault as without.
pub fn program(seed: u64, place: Where, fault: Option<Fault>) -> Program {
    let mut maker = Maker {
        seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        place,
        fault,
        n_names: 0,
        depth: 0,
        budget: 7,
        in_loop: false,
        in_function: true,
    };
    for _ in 0..20 {
        maker.below(2);
    }
    let held = match fault {
        Some(Fault::NoMembers) => "Plain@",
        _ => "Mark@",
    };
    let classes = CLASSES.replace("HELD", held);
    let inside = maker.list(4);
    let given = maker.value();
    let closing = match fault {
        Some(Fault::LateResult) => format!("return a[x & 15] + {given}; }}\n"),
        _ => format!("Mark@ m(a, x); return a[x & 15] + {given}; }}\n"),
    };
    let late = match fault {
        Some(Fault::LateResult) => "{ Mark@ m(a, x); } ",
        _ => "",
    };
    let function = Piece::Block(
        "static int g@(int *a, int n) { int x = n + 1, s = 3; ".to_owned(),
        inside,
        format!("{late}{closing}"),
    );
    maker.in_function = false;
    maker.budget = 12;
    let body = maker.list(6);
    match place {
        Where::Host => vec![
            Piece::Line(classes),
            Piece::Line(SLOT.to_owned()),
            function,
            Piece::Block(
                "static long long body@(int *a, int n) { int x = n * 3, s = n; ".to_owned(),
                body,
                "return x * 31LL + s; }\n".to_owned(),
            ),
            Piece::Line(RUN.to_owned()),
        ],
        Where::Kernel => vec![
            Piece::Line(FOR_BOTH[0].to_owned()),
            Piece::Line(classes),
            function,
            Piece::Line(FOR_BOTH[1].to_owned()),
            Piece::Block(
                "int x = n * 3, s = n; ".to_owned(),
                body,
                "a[x & 15] += s; a[s & 15] ^= x; ".to_owned(),
            ),
        ],
    }
}

impl Maker {
    fn below(&mut self, n: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as usize % n
    }

    fn list(&mut self, at_most: usize) -> Vec<Piece> {
        let mut list = Vec::new();
        for _ in 0..=self.below(at_most) {
            if self.budget > 0 {
                self.budget -= 1;
                list.push(self.piece());
            }
        }
        list
    }

    fn inside(&mut self, opening: String, is_loop: bool, closing: &str) -> Piece {
        let before = self.in_loop;
        self.in_loop |= is_loop;
        self.depth += 1;
        let list = self.list(3);
        self.depth -= 1;
        self.in_loop = before;
        Piece::Block(opening, list, closing.to_owned())
    }

    fn piece(&mut self) -> Piece {
        let nests = self.depth < 3;
        match self.below(14) {
            0..=4 => self.object(),
            5 if nests => self.inside("{ ".to_owned(), false, "} "),
            6 if nests => {
                let cond = self.value();
                let opening = format!("if (({cond}) & 1) {{ ");
                match self.below(2) {
                    0 => self.inside(opening, false, "} "),
                    _ => {
                        let then = self.inside(String::new(), false, "} else { ");
                        let otherwise = self.inside(String::new(), false, "");
                        Piece::Block(opening, vec![then, otherwise], "} ".to_owned())
                    }
                }
            }
            7 if nests => {
                let name = self.name("i");
                let opening = format!("for (int {name} = 0; {name} < 3; {name}++) {{ ");
                self.inside(opening, true, "} ")
            }
            8 if nests => {
                let name = self.name("i");
                let opening = format!("int {name} = 3; do {{ {name}--; ");
                self.inside(opening, true, &format!("}} while ({name} > 0); "))
            }
            9 if nests => {
                let value = self.value();
                let first = self.inside("case 0: { ".to_owned(), false, "} ");
                let second = self.inside("case 1: { ".to_owned(), false, "break; } ");
                let last = self.inside("default: { ".to_owned(), false, "} ");
                let opening = format!("switch (({value}) & 3) {{ ");
                Piece::Block(opening, vec![first, second, last], "} ".to_owned())
            }
            10 => Piece::Line(self.jump()),
            11 if !self.in_function => {
                let value = self.value();
                Piece::Line(format!("s = s * 7 + g@(a, ({value}) & 7); "))
            }
            12 => {
                let value = self.value();
                Piece::Line(format!("{{ int y = cell@(a, {value}); x += y; }} "))
            }
            _ => {
                let (at, value) = (self.value(), self.value());
                Piece::Line(format!("a[({at}) & 15] += {value}; x = x * 5 + s; "))
            }
        }
    }

    fn object(&mut self) -> Piece {
        let (name, value) = (self.name("o"), self.value());
        let declared = match self.below(7) {
            0 => format!("Mark@ {name} = Mark@(a, {value}); "),
            1 => format!("Member@ {name}(a, {value}); "),
            2 => format!("Sub@ {name}(a, {value}); "),
            3 if self.place == Where::Kernel => format!(
                "Mark@ {name}[3] = {{Mark@(a, {value}), {{a, x}}, {{a, s}}}}; {name}[1].v += s; "
            ),
            3 => format!("Slot@ {name}[3] = {{Slot@({value}), {{x}}, s}}; {name}[1].v += s; "),
            4 => format!("Mark@ {name}(a, {value}), {name}c = {name}; change@({name}c, s); "),
            5 => format!("Mark@ {name}{{a, {value}}}; {name}.v += x; "),
            _ => format!("Mark@ {name}(a, {value}); "),
        };
        Piece::Line(match self.fault {
            Some(Fault::AtOnce) => format!("{{ {declared}}} "),
            _ => declared,
        })
    }

    fn jump(&mut self) -> String {
        let (cond, value) = (self.value(), self.value());
        let taken = match self.below(4) {
            0 | 1 if self.in_loop => "break".to_owned(),
            2 if self.in_loop => "continue".to_owned(),
            _ if self.in_function || self.place == Where::Host => format!("return {value}"),
            // As if it were the result.
            _ if self.fault == Some(Fault::NoReturn) => format!("a[({value}) & 15] += 5"),
            _ => format!("{{ a[({value}) & 15] += 5; return; }}"),
        };
        match self.below(4) {
            0 if self.depth > 0 => format!("{taken}; "),
            _ => format!("if ((({cond}) & 3) == 1) {taken}; "),
        }
    }

    fn name(&mut self, stem: &str) -> String {
        self.n_names += 1;
        format!("{stem}{}", self.n_names)
    }

    fn value(&mut self) -> String {
        match self.below(6) {
            0 => format!("{}", self.below(20)),
            1 => "x".to_owned(),
            2 => "s".to_owned(),
            3 => format!("a[{}]", self.below(16)),
            4 => format!("a[(x + {}) & 15]", self.below(5)),
            _ => format!("n * {}", self.below(5)),
        }
    }
}
