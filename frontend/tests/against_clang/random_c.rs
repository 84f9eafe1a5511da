//! Random C functions without anything C leaves open: every loop is bounded by a counter of its
//! own, subscripts are masked, divisors are odd, shifts are short, and in one expression no
//! variable is both changed and used.

/// The helper has a side effect, and returns early.
pub const PRELUDE: &str = "
static int helper(int *a, int x) {
  if (x < 0) { a[0]++; return 1; }
  for (int i = 0; i < 4; i++) { if (a[i] == x) return i; if (a[i] < 0) continue; a[i] ^= 1; }
  return x & 7;
}
";

struct Source {
    seed: u64,
    text: String,
    /// How many loops are around, and how many there were.
    depth: usize,
    n_loops: usize,
    /// How many statements may still come.
    budget: usize,
    /// The variable that this expression may change, until it has.
    step: Option<&'static str>,
}

/// The body of function number `seed`.
pub fn body(seed: u64) -> String {
    let mut source = Source {
        seed: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        text: String::from(
            "int x = 3, y = n, p = 1, q = 2; unsigned u = 9; unsigned char c = 200; short h = -5; long long w = 1; ",
        ),
        depth: 0,
        n_loops: 0,
        budget: 14,
        step: None,
    };
    source.statements(4);
    source.text += "return x + 3 * y + 5 * p + 7 * q + u + 11 * c + 13 * h + 17 * w;";
    source.text
}

impl Source {
    fn below(&mut self, n: usize) -> usize {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        (self.seed >> 11) as usize % n
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    fn statements(&mut self, at_most: usize) {
        for _ in 0..=self.below(at_most) {
            if self.budget > 0 {
                self.budget -= 1;
                self.statement();
            }
        }
    }

    fn block(&mut self) {
        self.text += "{ ";
        self.statements(3);
        self.text += "} ";
    }

    fn statement(&mut self) {
        match self.below(14) {
            0 | 1 => {
                self.condition_head("if");
                self.block();
                if self.below(2) == 0 {
                    self.text += "else ";
                    self.block();
                }
            }
            2 if self.depth < 3 => self.counted_loop(),
            3 if self.depth < 3 => self.guarded_loop(false),
            4 if self.depth < 3 => self.guarded_loop(true),
            5 if self.depth > 0 => self.jump("break; "),
            6 if self.depth > 0 => self.jump("continue; "),
            7 => {
                let value = self.expression(2);
                self.jump(&format!("return {value}; "));
            }
            8 => {
                let step = self.pick(&[
                    "p++; ",
                    "--q; ",
                    "c++; ",
                    "h--; ",
                    "a[u & 15]++; ",
                    "w += 3; ",
                ]);
                self.text += step;
            }
            9 => {
                let argument = self.expression(1);
                let call = format!("y = helper(a, {argument}); ");
                self.text += &call;
            }
            10 => {
                let index = self.expression(1);
                let value = self.expression(2);
                let op = self.pick(&["=", "+=", "^=", "-="]);
                let text = format!("a[({index}) & 15] {op} {value}; ");
                self.text += &text;
            }
            _ => {
                let target = self.pick(&["x", "y", "u", "c", "h", "w"]);
                let op = self.pick(&["=", "=", "+=", "*=", "|=", "-=", "&="]);
                self.step = Some(self.pick(&["p++", "++p", "q--", "--q", "(p += 2)"]));
                let value = self.expression(3);
                self.step = None;
                let text = format!("{target} {op} {value}; ");
                self.text += &text;
            }
        }
    }

    fn jump(&mut self, what: &str) {
        self.condition_head("if");
        self.text += what;
    }

    fn condition_head(&mut self, keyword: &str) {
        self.step = Some(self.pick(&["p++", "--q"]));
        let cond = self.condition(2);
        self.step = None;
        let text = format!("{keyword} ({cond}) ");
        self.text += &text;
    }

    fn counted_loop(&mut self) {
        let i = self.counter();
        let bound = self.pick(&["4", "n & 7", "3"]);
        let step = self.pick(&["++", " += 2"]);
        let text = format!("for (int {i} = 0; {i} < ({bound}); {i}{step}) ");
        self.text += &text;
        self.depth += 1;
        self.block();
        self.depth -= 1;
    }

    /// A `while` or `do` whose condition has side effects, and a counter that ends it.
    fn guarded_loop(&mut self, is_do: bool) {
        let i = self.counter();
        let text = format!("int {i} = 5; ");
        self.text += &text;
        let cond = self.condition(1);
        let head = match self.below(2) {
            0 => format!("{i}-- > 0 && {cond}"),
            _ => format!("--{i} > 0"),
        };
        if is_do {
            self.text += "do ";
        } else {
            let text = format!("while ({head}) ");
            self.text += &text;
        }
        self.depth += 1;
        self.block();
        self.depth -= 1;
        if is_do {
            let text = format!("while ({head}); ");
            self.text += &text;
        }
    }

    fn counter(&mut self) -> String {
        self.n_loops += 1;
        format!("i{}", self.n_loops)
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(3) == 0 {
            let left = self.expression(1);
            let right = self.expression(1);
            let op = self.pick(&["<", "<=", ">", "==", "!=", ">="]);
            return format!("({left} {op} {right})");
        }
        match self.below(4) {
            0 => format!("!{}", self.condition(depth - 1)),
            1 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({a} && {b})")
            }
            2 => {
                let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
                format!("({a} || {b})")
            }
            _ => format!("({})", self.expression(1)),
        }
    }

    fn expression(&mut self, depth: usize) -> String {
        if depth == 0 || self.below(4) == 0 {
            return self.leaf();
        }
        let d = depth - 1;
        match self.below(8) {
            0 => format!(
                "({} ? {} : {})",
                self.condition(d),
                self.expression(d),
                self.expression(d)
            ),
            1 => format!("({} << {})", self.expression(d), self.below(5)),
            2 => format!("({} >> {})", self.expression(d), self.below(5)),
            3 => format!(
                "({} / (({} & 6) | 1))",
                self.expression(d),
                self.expression(d)
            ),
            4 => format!(
                "({} % (({} & 6) | 1))",
                self.expression(d),
                self.expression(d)
            ),
            5 => format!("(- {})", self.expression(d)),
            6 => format!("(~{})", self.expression(d)),
            _ => {
                let (a, b) = (self.expression(d), self.expression(d));
                let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({a} {op} {b})")
            }
        }
    }

    fn leaf(&mut self) -> String {
        if self.step.is_some()
            && self.below(3) == 0
            && let Some(step) = self.step.take()
        {
            return step.to_string();
        }
        match self.below(9) {
            0 => self.below(100).to_string(),
            1 => format!("a[{}]", self.below(16)),
            2 => "a[u & 15]".to_string(),
            3 => "u".to_string(),
            4 => "c".to_string(),
            5 => "h".to_string(),
            6 => "w".to_string(),
            7 => "y".to_string(),
            _ => "x".to_string(),
        }
    }
}
