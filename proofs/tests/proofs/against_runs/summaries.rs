//! Summaries against runs: what a formula says of a cell is what a run leaves there.

use super::{Rng, kernel, setup};
use crate::cuda::support::parse;
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::limits::Limits;
use gridlock_generation::effort;
use gridlock_proofs::Budget;
use gridlock_proofs::defects::Safety;
use gridlock_proofs::equivalence::{Side, Unknowns};
use gridlock_proofs::summary::{
    Affine, ArraySummary, Formula, Many, Operator, Part, Range, SummaryRequest, Variable, summary,
};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, Launch, Setup};
use std::collections::BTreeMap;
use std::time::Duration;

/// Runs of a kernel, each on inputs of its own.
const RUNS: u32 = 4;

/// What a formula is evaluated on: integers of 32 bits.
struct Inputs<'s> {
    setup: &'s Setup,
    at: BTreeMap<Variable, i64>,
}

impl Inputs<'_> {
    fn affine(&self, affine: &Affine) -> i64 {
        let factors = affine.factors.iter();
        affine.constant + factors.map(|(v, by)| self.at[v] * by).sum::<i64>()
    }

    fn array(&self, name: &str, cell: i64) -> i64 {
        let array = self.setup.arrays.iter().find(|array| *array.name == *name);
        let array = array.expect("an array");
        let index = u64::try_from(cell).expect("from 0 on");
        let Value::Int(_, bits) = array.contents.cell(array.elem, index) else {
            panic!("an integer")
        };
        i64::from(bits as i32)
    }

    /// Calls for each value of the ranges.
    fn each(&mut self, ranges: &[Range], act: &mut dyn FnMut(&mut Self)) {
        let [range, inner @ ..] = ranges else {
            return act(self);
        };
        let count = self.affine(&range.count);
        assert!(count > 0 || !ranges.is_empty());
        for value in range.first..range.first + count {
            self.at.insert(range.variable, value);
            self.each(inner, act);
        }
        self.at.remove(&range.variable);
    }

    fn operands(&mut self, parts: &[Part]) -> Vec<i64> {
        let mut values = Vec::new();
        for part in parts {
            self.each(&part.ranges, &mut |inputs| {
                values.push(inputs.value(&part.of));
            });
        }
        values
    }

    /// In 64 bits, of which the low ones count.
    fn value(&mut self, formula: &Formula) -> i64 {
        match formula {
            Formula::Number(number) => self.affine(number),
            Formula::Constant(text) => i64::from(text == "true"),
            Formula::Argument(name) => {
                let number = ["a", "b", "p", "n", "m"].iter().position(|n| n == name);
                let Arg::Scalar(Value::Int(_, bits)) = self.setup.args[number.expect("a name")]
                else {
                    panic!("a number")
                };
                i64::from(bits as i32)
            }
            Formula::Cell { array, index } => {
                let index = self.value(index);
                self.array(array, index)
            }
            Formula::Sum { how, parts, .. } => {
                let values = self.operands(parts);
                let all = values.into_iter();
                let folded = match how {
                    Many::Sum => all.reduce(i64::wrapping_add),
                    Many::Product => all.reduce(i64::wrapping_mul),
                    Many::Max => all.map(word).max(),
                    Many::Min => all.map(word).min(),
                    Many::BitAnd => all.reduce(|a, b| a & b),
                    Many::BitOr => all.reduce(|a, b| a | b),
                    Many::BitXor => all.reduce(|a, b| a ^ b),
                    Many::All => all.map(|a| i64::from(a != 0)).min(),
                    Many::Any => all.map(|a| i64::from(a != 0)).max(),
                    Many::FusedSum => panic!("of floats"),
                };
                folded.expect("an operand")
            }
            Formula::Applied { operator, operands } => {
                if *operator == Operator::Choice {
                    let chosen = if self.value(&operands[0]) != 0 { 1 } else { 2 };
                    return self.value(&operands[chosen]);
                }
                let values: Vec<i64> = operands.iter().map(|of| self.value(of)).collect();
                // As in C: an unsigned operand makes both unsigned.
                let is_unsigned = |of: &Formula| matches!(of, Formula::Applied { operator: Operator::Cast(ty), .. } if ty.starts_with('u'));
                let word = match operands.iter().any(|of| is_unsigned(of)) {
                    true => |value: i64| i64::from(value as u32),
                    false => word,
                };
                applied(operator, &values, word)
            }
            other => panic!("{other:?}"),
        }
    }
}

fn word(value: i64) -> i64 {
    i64::from(value as i32)
}

fn applied(operator: &Operator, values: &[i64], word: fn(i64) -> i64) -> i64 {
    match (operator, values) {
        (Operator::Infix(text, _), &[a, b]) => {
            let (x, y) = (word(a), word(b));
            match *text {
                "-" => a.wrapping_sub(b),
                "/" => x / y,
                "%" => x % y,
                "<<" => a << y,
                ">>" => x >> y,
                "<" => i64::from(x < y),
                "<=" => i64::from(x <= y),
                "==" => i64::from(x == y),
                "!=" => i64::from(x != y),
                other => panic!("{other}"),
            }
        }
        (Operator::Prefix("-"), &[a]) => a.wrapping_neg(),
        (Operator::Prefix("!"), &[a]) => i64::from(a == 0),
        (Operator::Cast(ty), &[a]) => match ty.as_str() {
            "int" | "int32_t" | "int64_t" => i64::from(a as i32),
            "uint64_t" | "unsigned" | "uint32_t" => i64::from(a as u32),
            other => panic!("{other}"),
        },
        _ => panic!("{operator:?}"),
    }
}

/// What the formulas say of each cell that they speak of.
fn said(arrays: &[ArraySummary], setup: &Setup) -> BTreeMap<(String, i64), i64> {
    let mut said = BTreeMap::new();
    for array in arrays {
        for group in &array.groups {
            let mut inputs = Inputs {
                setup,
                at: BTreeMap::new(),
            };
            let mut n = 0;
            inputs.each(&group.ranges, &mut |inputs| {
                let cell = inputs.affine(&group.cell);
                let value = word(inputs.value(&group.formula));
                let before = said.insert((array.array.clone(), cell), value);
                assert_eq!(before, None, "a cell said twice: {cell} of {group:?}");
                n += 1;
            });
            assert_eq!(n, group.cells, "{group:?}");
        }
    }
    said
}

/// How many cells differ from what a run leaves, and how many it compared.
fn differing(
    said: &BTreeMap<(String, i64), i64>,
    left: &gridlock_semantics::system::observation::Observation,
    setup: &Setup,
) -> (u64, u64) {
    let (mut differ, mut compared) = (0, 0);
    for array in &left.arrays {
        for (cell, value) in (0..).zip(&array.cells) {
            let inputs = Inputs {
                setup,
                at: BTreeMap::new(),
            };
            let at_first = || inputs.array(&array.name, cell);
            let expected = said.get(&(array.name.to_string(), cell)).copied();
            let expected = expected.unwrap_or_else(at_first);
            differ += u64::from(*value != Value::int(ScalarType::I32, i128::from(expected)));
            compared += 1;
        }
    }
    (differ, compared)
}

/// What came of kernels.
#[derive(Default, Debug)]
struct Tally {
    said: u64,
    /// With ranges of cells.
    grouped: u64,
    /// With ranges of operands.
    sums: u64,
    /// With arguments that are unknown.
    open: u64,
    cells: u64,
    /// Planted faults.
    seen: u64,
}

impl Tally {
    /// Summarises the kernel that a setup enters, and compares with runs on inputs that `draw` gives.
    fn one(
        &mut self,
        program: &Program,
        setup: &Setup,
        is_open: [bool; 2],
        draw: &mut dyn FnMut() -> Setup,
    ) {
        let profile = Profile::named("cuda").expect("a profile");
        let name = |is_open: bool, name: &str| is_open.then(|| name.to_owned());
        let unknowns = Unknowns {
            arrays: ["a", "b", "p"].map(|array| Some(array.to_owned())).to_vec(),
            scalars: vec![
                None,
                None,
                None,
                name(is_open[0], "n"),
                name(is_open[1], "m"),
            ],
            ..Unknowns::default()
        };
        let side = Side {
            program,
            setup,
            unknowns: &unknowns,
        };
        let question = SummaryRequest {
            profile: &profile,
            budget: Budget::of_seconds(1.0),
            timeout: Duration::from_secs(20),
            steps: 100_000,
        };
        let Ok(summary) = summary(side, &question) else {
            return;
        };
        if !matches!(summary.safety, Safety::Safe) || summary.arrays.is_empty() {
            return;
        }
        self.said += 1;
        self.open += u64::from(is_open.contains(&true));
        let groups = || summary.arrays.iter().flat_map(|array| &array.groups);
        self.grouped += u64::from(groups().any(|group| !group.ranges.is_empty()));
        let text = format!("{:?}", summary.arrays);
        self.sums += u64::from(text.contains("Part { ranges: [Range"));
        if text.contains("Large") {
            return;
        }
        let limits = Limits {
            depth: 100_000,
            ..Limits::default()
        };
        let compiled = compile(program);
        for _ in 0..RUNS {
            let mut drawn = draw();
            for (number, is_open) in (3..).zip(is_open) {
                if !is_open {
                    drawn.args[number] = setup.args[number].clone();
                }
            }
            let shown = || {
                format!(
                    "{:#?}\n{}",
                    summary.arrays,
                    gridlock_semantics::print::program(program, Default::default())
                )
            };
            let run = canonical::run(&compiled, &drawn, &profile, &limits);
            assert_eq!(run.status, CanonicalStatus::Decides, "{}", shown());
            let left = run.observation.expect("a run that ends");
            let said = said(&summary.arrays, &drawn);
            let (differ, compared) = differing(&said, &left, &drawn);
            assert_eq!(differ, 0, "{}", shown());
            // A number that is one more somewhere is seen.
            let mut wrong = said;
            let is_there = |(name, cell): &(String, i64)| {
                let arrays = left.arrays.iter();
                let mut of_name = arrays.filter(|array| *array.name == **name);
                of_name.any(|array| (*cell as usize) < array.cells.len())
            };
            let of_run = wrong.iter_mut().find(|(key, _)| is_there(key));
            if let Some((_, value)) = of_run {
                *value += 1;
                assert_eq!(differing(&wrong, &left, &drawn).0, 1, "{}", shown());
                self.seen += 1;
            }
            self.cells += compared;
        }
    }
}

#[test]
fn formulas_say_what_runs_leave() {
    let (first, count) = (effort::first(1), effort::cases(200, 20_000));
    let mut tally = Tally::default();
    for seed in first..first + count {
        let program = kernel(seed);
        let mut rng = Rng(seed ^ 0x5a1d);
        let launch = Launch {
            grid: [*rng.pick(&[1, 1, 2, 3]), 1, 1],
            block: [*rng.pick(&[1, 2, 3, 4, 5, 6, 8]), 1, 1],
            shared_bytes: 0,
        };
        let at = setup(&mut rng, launch);
        let is_open = [rng.roll(3) == 0, rng.roll(3) == 0];
        tally.one(&program, &at, is_open, &mut || setup(&mut rng, launch));
    }
    println!("{tally:?} of {count}");
    assert!(
        tally.said * 20 > count && tally.seen > 0 && tally.open > 0 && tally.grouped > 0,
        "{tally:?}"
    );
}

/// A kernel `k` for blocks of 8 threads in which something is folded.
fn folding(rng: &mut Rng, number: u64) -> String {
    let mut some = |from: &[&'static str]| *rng.pick(from);
    let op = some(&[
        "X + Y",
        "X * Y",
        "max(X, Y)",
        "min(X, Y)",
        "X ^ Y",
        "X & Y",
        "X | Y",
        "X + 3 * Y",
        "Y - X",
    ]);
    let joined = |x: &str, y: &str| op.replace('X', x).replace('Y', y);
    let from = some(&[
        "t",
        "7 - t",
        "2 * t + 1",
        "blockIdx.x * 8 + t",
        "8 * t + blockIdx.x",
        "(t ^ 1)",
        "t * n",
        "(t + 1) % 8",
        "63 - 3 * t",
    ]);
    let to = some(&["g", "g + 5", "2 * g", "15 - g + 8 * gridDim.x"]);
    let step = some(&["k + 1", "k * n", "8 * k + t", "t - k + 20", "g + 2 * k"]);
    let first = some(&["0", "a[g]", "b[3]", "t"]);
    let body = match some(&["map", "tree", "scan", "loop", "nest", "guard", "swap"]) {
        "map" => format!("p[{to}] = {};", joined(&format!("a[{from}]"), "b[g]")),
        "tree" => format!(
            "s[t] = a[{from}] + b[t]; __syncthreads(); for (int k = 4; k > 0; k /= 2) {{ if (t < k) s[t] = {}; __syncthreads(); }} if (t == 0) p[blockIdx.x] = s[0]; p[{to} + 64] = s[t];",
            joined("s[t]", "s[t + k]")
        ),
        "scan" => format!(
            "s[t] = a[{from}]; __syncthreads(); for (int k = 1; k < 8; k *= 2) {{ int v = t >= k ? s[t - k] : {first}; __syncthreads(); s[t] = {}; __syncthreads(); }} p[{to}] = s[t];",
            joined("s[t]", "v")
        ),
        "loop" => format!(
            "int x = {first}; for (int k = 0; k < 7; k++) x = {}; p[{to}] = x;",
            joined("x", &format!("a[{step}]"))
        ),
        "nest" => format!(
            "int x = {first}; for (int j = 0; j < 3; j++) for (int k = 0; k < 4; k++) x += a[16 * j + {step}] * b[k * 4 + j]; p[{to}] = x;"
        ),
        "guard" => format!(
            "int k = 3; if ({from} < n) p[{to}] = a[{step}]; else if (g > m) p[{to}] = {};",
            joined("b[g]", "t")
        ),
        _ => format!(
            "s[t] = a[g]; __syncthreads(); int v = s[7 - t]; p[{to}] = v < b[t] ? {} : v;",
            joined("v", "t")
        ),
    };
    format!(
        "__global__ void k{number}(int *a, int *b, int *p, int n, int m) {{
            __shared__ int s[8]; int t = threadIdx.x, g = blockIdx.x * 8 + threadIdx.x; {body}
        }}\n"
    )
}

#[test]
fn folded_operands_are_those_of_the_run() {
    let (first, count) = (effort::first(1), effort::cases(2, 60));
    let mut tally = Tally::default();
    for seed in first..first + count {
        let mut rng = Rng(seed ^ 0xf01d);
        let text: String = (0..32).map(|number| folding(&mut rng, number)).collect();
        let program = parse(&text);
        for kernel in program.procs_of_kind(ProcKind::Kernel) {
            let launch = Launch {
                grid: [*rng.pick(&[1, 2, 3]), 1, 1],
                block: [8, 1, 1],
                shared_bytes: 0,
            };
            let draw = |rng: &mut Rng| Setup {
                entry: kernel,
                ..setup(rng, launch)
            };
            let at = draw(&mut rng);
            let is_open = [rng.roll(3) == 0, rng.roll(3) == 0];
            tally.one(&program, &at, is_open, &mut || draw(&mut rng));
        }
    }
    println!("{tally:?} of {}", 32 * count);
    assert!(
        tally.said * 2 > 32 * count
            && 4 * tally.sums > tally.said
            && tally.grouped * 2 > tally.said,
        "{tally:?}"
    );
}
