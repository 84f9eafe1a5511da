//! Random functions of loops over two arrays.

use super::source;
use gridlock_frontend::Language;
use gridlock_semantics::algebra::program::{Procedure, Program};

/// Pseudo-random choices (SplitMix64).
pub struct Choices(pub u64);

impl Choices {
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    pub fn of<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[self.below(options.len() as u64) as usize]
    }

    fn index(&mut self, i: &str) -> String {
        let form = self.of(&[
            "I",
            "I",
            "I",
            "I + 1",
            "2 * I",
            "2 * I + 1",
            "I ^ 1",
            "I ^ 2",
            "t",
            "3",
        ]);
        form.replace('I', i)
    }

    fn value(&mut self, i: &str) -> String {
        let array = self.of(&["a", "b"]);
        let cell = format!("{array}[{}]", self.index(i));
        match self.below(4) {
            0 => format!("{cell} + 1"),
            1 => format!("{cell} + t"),
            2 => i.to_owned(),
            _ => cell,
        }
    }

    fn statement(&mut self, i: &str, depth: u32) -> String {
        match self.below(if depth == 0 { 5 } else { 7 }) {
            0 => format!("t = {} & 7;", self.value(i)),
            1 => format!("t = {i} ^ 1;"),
            5 => {
                let cond = self.of(&["(I ^ 1) > I", "I < (I ^ 2)", "I > 1", "t > I", "a[I] > 3"]);
                let inner = self.statement(i, depth - 1);
                format!("if ({}) {{ {inner} }}", cond.replace('I', i))
            }
            6 => {
                let swap = "if ((I ^ 1) > I) { t = a[I]; a[I] = a[I ^ 1]; a[I ^ 1] = t; }";
                swap.replace('I', i)
            }
            _ => {
                let array = self.of(&["a", "b"]);
                let index = self.index(i);
                format!("{array}[{index}] = {};", self.value(i))
            }
        }
    }

    fn count_loop(&mut self, i: &str) -> String {
        self.loop_headed("for (int I = 0; I < n; I++)", i)
    }

    /// A loop of any form; those that step over the end of their type go to it for no `n` that is tried.
    fn loop_of_some_form(&mut self, i: &str) -> String {
        let head = self.of(&[
            "for (int I = 0; I <= n - 1; I++)",
            "for (int I = 0; I <= n; I++)",
            "for (int I = 1; I < n; I++)",
            "for (int I = 2; n >= I; I++)",
            "for (int I = n / 2; I < n; I++)",
            "for (int I = 0; I < n; I += 2)",
            "for (int I = 1; I <= n; I += 3)",
            "for (int I = 0; I != n; I++)",
            "for (int I = n - 1; I >= 0; I--)",
            "for (int I = n; I > 0; I--)",
            "for (long I = 1; I < n; I++)",
            "for (unsigned I = 1; I < n; I++)",
        ]);
        self.loop_headed(head, i)
    }

    fn loop_headed(&mut self, head: &str, i: &str) -> String {
        let n = self.below(2) + 1;
        let body: Vec<String> = (0..n).map(|_| self.statement(i, 2)).collect();
        let t = self
            .of(&["int t = 0;", "int t = I ^ 1;", ""])
            .replace('I', i);
        let head = head.replace('I', i);
        format!("{head} {{ {t} {} }}", body.join(" "))
    }

    fn gathering_nest(&mut self) -> String {
        let read = |choices: &mut Choices| {
            let array = choices.of(&["a", "a", "a", "a", "a", "a", "a", "b"]);
            let place = choices.of(&["x", "x + 1", "2 * x", "i", "j", "m * n - 1 - x", "t & 3"]);
            format!("{array}[{place}]")
        };
        let is_flat = self.below(3) == 0;
        let mut body = String::new();
        if is_flat {
            body += self.of(&[
                "int x = i, j = n - i;",
                "int x = i, j = i;",
                "int x = i + 2, j = 0;",
            ]);
        } else {
            let x = [
                "int x = i * n + j;",
                "int x = i * n + j;",
                "int x = j * m + i;",
                "int x = i + j;",
            ];
            body += self.of(&x);
        }
        body += self.of(&["", "", "", "int y = x ^ 1;", "t = i;"]);
        for _ in 0..=self.below(2) {
            body += &match self.below(9) {
                0 => format!("t = {}; b[x + 1] = t + {};", read(self), read(self)),
                1 => format!("u = {} * 3; b[x] = u - {};", read(self), read(self)),
                2 => format!("if ({} > 0) b[x] = 7;", read(self)),
                3 => format!("b[x] = j > 0 ? {} : 1;", read(self)),
                4 => format!("t = t + 1; b[x] = {};", read(self)),
                5 => format!(
                    "b[2 * x] = {}; b[2 * x + 1] = {} + i;",
                    read(self),
                    read(self)
                ),
                6 => format!("b[x] = b[x] * 3 + {};", read(self)),
                _ => format!("b[x] = {} + {};", read(self), read(self)),
            };
        }
        if is_flat {
            return format!("for (int i = 0; i < m * n; i++) {{ {body} }}");
        }
        format!("for (int i = 0; i < m; i++) for (int j = 0; j < n; j++) {{ {body} }}")
    }

    /// A place in a matrix, or something like it.
    fn place(&mut self) -> &'static str {
        let places = [
            "i * n + j",
            "i * n + j",
            "n * i + j",
            "x",
            "j * m + i",
            "i * n",
            "i",
            "j",
            "i * n + j + 1",
            "(i + 1) * n + j",
            "(i * n + j) * 2 + k",
            "i * (n + 1) + j",
            "i * n - j + n - 1",
            "i * 3 + j",
            "2 * i",
            "i + j",
        ];
        places[self.below(places.len() as u64) as usize]
    }

    /// Statements inside of loops over `i`, `j` and `k`.
    fn inside_a_nest(&mut self) -> String {
        let (to, from) = (self.place(), self.place());
        let [to_array, from_array] = [self.of(&["a", "a", "b"]), self.of(&["a", "b", "b"])];
        let guard = self.of(&[
            "",
            "",
            "",
            "",
            "if (j > 0) ",
            "if (i < m - 1 && j > 0) ",
            "if (i * n + j < 5) ",
            "if (3 >= i * n + j + 1) ",
            "if (t > 3) ",
        ]);
        match self.below(3) {
            0 => format!("{guard}{to_array}[{to}] = {from_array}[{from}] + i + j;"),
            1 => format!("{guard}{to_array}[{to}] = t + j;"),
            _ => format!("{guard}t = t + {from_array}[{from}];"),
        }
    }

    /// A loop over `i` below `m` with a loop over `j` in it, and perhaps one over `k` in that.
    fn nest(&mut self) -> String {
        let from = self.of(&["0", "0", "0", "0", "0", "1", "i", "i + 1"]);
        let below = self.of(&[
            "j < n",
            "j < n",
            "j < n",
            "j <= n - 1",
            "n > j",
            "j < n - 1",
            "j < i",
            "j < m",
            "j < 3",
        ]);
        let step = self.of(&["j++", "j++", "j++", "j += 2"]);
        let row = match self.below(3) {
            0 => format!("b[i] = {};", self.of(&["t", "i", "a[i * n]"])),
            _ => String::new(),
        };
        let (one, two) = (self.inside_a_nest(), self.inside_a_nest());
        let inside = match self.below(3) {
            0 => format!("{one} {two}"),
            _ => one,
        };
        let inside = match inside.contains('k') || self.below(8) == 0 {
            true => format!("for (int k = 0; k < 2; k++) {{ {inside} }}"),
            false => inside,
        };
        let [first, last] = match self.below(2) {
            0 => [row, String::new()],
            _ => [String::new(), row],
        };
        format!(
            "for (int i = 0; i < m; i++) {{ {first} \
             for (int j = {from}; {below}; {step}) {{ int x = n * i + j; {inside} }} {last} }}"
        )
    }

    /// What iterations add up, or take the least or greatest of, beside what they do not.
    fn sum(&mut self) -> String {
        let statement = |choices: &mut Choices| {
            choices.of(&[
                "t += a[i];",
                "t = a[i] * i + t;",
                "t -= i;",
                "t ^= a[i];",
                "u |= b[i];",
                "u &= a[i];",
                "if (a[i] > t) t = a[i];",
                "if (t >= a[i]) t = a[i];",
                "u = a[i] < u ? a[i] : u;",
                "u = u < i ? i : u;",
                "if (a[i] > 1) t += 2;",
                "b[a[i] & 3] += i;",
                "b[i % 4] += a[i];",
                "b[0]++;",
                "b[i] += t;",
                "b[i + 8] += 1;",
                "b[i] = a[i];",
                "a[i] = t;",
                "t = i;",
                "t += t;",
                "u += t;",
                "b[1] = b[1] + b[2];",
                "{ int k = a[i]; if (k >= 0 && k < m) b[k] += 3; }",
                "for (int j = 0; j < m; j++) t += a[j] * j;",
                "for (int j = 0; j < m; j++) b[j] += a[i];",
            ])
        };
        let n = 1 + self.below(3);
        let body: Vec<&str> = (0..n).map(|_| statement(self)).collect();
        let body = body.join(" ");
        let head = self.of(&[
            "int i = 0; i < n; i++",
            "int i = 0; i < n; i++",
            "int i = 1; i <= n; i++",
            "int i = 0; i < n; i += 2",
        ]);
        format!("for ({head}) {{ {body} }} b[6] = t; b[7] = u;")
    }

    /// Sums up to each cell, and what looks like them.
    fn running_sum(&mut self) -> String {
        let added = self.of(&[
            "a[i]",
            "a[i]",
            "a[i] * i",
            "2 * a[i + 1]",
            "i",
            "a[i] + a[m]",
            "b[i]",
            "b[i + 1]",
            "a[i] + t",
            "u",
        ]);
        let body = self.of(&[
            "t += ADDED; b[i] = t;",
            "t = ADDED + t; b[i] = t;",
            "b[i] = t; t += ADDED;",
            "b[i] = b[i - 1] + ADDED;",
            "b[i] += b[i - 1];",
            "t += ADDED; b[i + 1] = t;",
            "t += ADDED; b[i] = t; u = t;",
            "b[i] = b[i - 1] - ADDED;",
        ]);
        let from_one = [
            "int i = 1; i < n; i++",
            "int i = 1; n > i; ++i",
            "int i = 2; i < n; i++",
        ];
        let from_zero = [
            "int i = 0; i < n; i++",
            "int i = 0; i <= n - 1; i++",
            "int i = 0; i < n; i += 2",
        ];
        let head = match body.contains("- 1]") {
            true => self.of(&from_one),
            false => self.of(&from_zero),
        };
        format!(
            "for ({head}) {{ {} }} b[6] += t;",
            body.replace("ADDED", added)
        )
    }

    fn function(&mut self, name: &str) -> String {
        let loops = match self.below(3) {
            0 => self.count_loop("i"),
            1 => format!("{} {}", self.count_loop("i"), self.count_loop("j")),
            _ => {
                let host = self.of(&["", "a[0] = a[0] + 1;", "b[1] = a[1];"]);
                let inner = self.count_loop("i");
                format!("for (int r = 0; r < 2; r++) {{ {inner} {host} }}")
            }
        };
        format!("void {name}(int *a, int *b, int n) {{ int t = 1; {loops} }}\n")
    }
}

const FUNCTIONS: u64 = 300;

/// Each a program of its own.
pub fn sequential() -> Vec<Program> {
    let mut choices = Choices(2026);
    let functions = (0..FUNCTIONS).map(|k| choices.function(&format!("f{k}")));
    one_by_one(&source(Language::C, &functions.collect::<String>()))
}

/// The same with one loop each, of any form.
pub fn of_some_form() -> Vec<Program> {
    let mut choices = Choices(35);
    let mut function = |k| {
        let body = choices.loop_of_some_form("i");
        format!("void g{k}(int *a, int *b, int n) {{ int t = 1; {body} }}\n")
    };
    let functions: String = (0..FUNCTIONS).map(&mut function).collect();
    one_by_one(&source(Language::C, &functions))
}

/// Nests of loops over rows and columns.
pub fn nests() -> Vec<Program> {
    let mut choices = Choices(41);
    let mut function = |k| {
        let nest = choices.nest();
        format!("void h{k}(int *a, int *b, int m, int n) {{ int t = 1; {nest} }}\n")
    };
    let functions: String = (0..2 * FUNCTIONS).map(&mut function).collect();
    one_by_one(&source(Language::C, &functions))
}

/// Loops that add up.
pub fn sums() -> Vec<Program> {
    let mut choices = Choices(47);
    let mut function = |k| {
        let sum = choices.sum();
        format!("void s{k}(int *a, int *b, int m, int n) {{ int t = 1, u = 5; {sum} }}\n")
    };
    let functions: String = (0..FUNCTIONS).map(&mut function).collect();
    one_by_one(&source(Language::C, &functions))
}

/// Loops that add up, and keep each sum.
pub fn running_sums() -> Vec<Program> {
    let mut choices = Choices(53);
    let mut function = |k| {
        let sum = choices.running_sum();
        format!("void r{k}(int *a, int *b, int m, int n) {{ int t = 1, u = 5; {sum} }}\n")
    };
    let functions: String = (0..FUNCTIONS).map(&mut function).collect();
    one_by_one(&source(Language::C, &functions))
}

/// Nests that mostly read one array and write another, one assignment behind the other.
pub fn gathering() -> Vec<Program> {
    let mut choices = Choices(59);
    let mut function = |k| {
        let nest = choices.gathering_nest();
        format!(
            "void g{k}(int *a, int *b, int m, int n) {{ int t = 1, u = 5; {nest} b[0] += {}; }}\n",
            choices.of(&["1", "t", "u"])
        )
    };
    let functions: String = (0..2 * FUNCTIONS).map(&mut function).collect();
    one_by_one(&source(Language::C, &functions))
}

/// Each function of a program, which call nothing, as a program of its own.
pub fn one_by_one(all: &Program) -> Vec<Program> {
    let alone = |proc: &Procedure| {
        let mut program = Program {
            procs: vec![proc.clone()],
            ..all.clone()
        };
        program.number_operators();
        program
    };
    all.procs.iter().map(alone).collect()
}
