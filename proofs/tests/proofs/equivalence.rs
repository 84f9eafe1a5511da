//! Two kernels at a launch each, for all inputs: pairs that are proved, each beside a wrong twin that is not.

use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_proofs::equivalence::{
    Equivalence, EquivalenceRequest, FloatLaws, Inputs, Observed, Related, Side, Unknowns, Which,
    equivalent,
};
use gridlock_semantics::algebra::expr::BinaryOp;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::atomic_form::atomic_form;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};

pub fn parse(source: &str) -> Program {
    let parsed = parse_source("k.cu", source, Language::Cuda, &ParseOptions::default());
    let parsed = parsed.unwrap_or_else(|e| panic!("{e:?}\n{source}"));
    assert!(parsed.unsupported.is_empty(), "{:?}", parsed.unsupported);
    parsed.program
}

/// The first kernel at a launch, its parameters known by their positions.
pub fn side(program: &Program, launch: Launch) -> (Setup, Unknowns) {
    let entry = program
        .procs_of_kind(ProcKind::Kernel)
        .next()
        .expect("a kernel");
    let kernel = program.proc(entry);
    let (mut args, mut arrays) = (Vec::new(), Vec::new());
    let mut unknowns = Unknowns::default();
    for (position, var) in kernel.params.iter().enumerate() {
        let decl = &kernel.vars[var.0 as usize];
        match decl.ty {
            Type::Scalar(ty) => {
                args.push(Arg::Scalar(
                    gridlock_semantics::algebra::value::Value::zero(ty),
                ));
                unknowns.scalars.push(Some(format!("#{position}")));
            }
            Type::Pointer(pointer) => {
                args.push(Arg::Array(arrays.len()));
                unknowns.scalars.push(None);
                unknowns.arrays.push(Some(format!("#{position}")));
                arrays.push(ArrayArg {
                    name: decl.name.clone(),
                    elem: pointer.elem,
                    extent: None,
                    contents: Contents::Zero,
                    observed: !pointer.is_const,
                });
            }
        }
    }
    let setup = Setup {
        entry,
        launch: Some(launch),
        args,
        arrays,
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
    };
    (setup, unknowns)
}

fn launch(grid: u32, block: u32) -> Launch {
    Launch {
        grid: [grid, 1, 1],
        block: [block, 1, 1],
        shared_bytes: 0,
    }
}

struct Question<'a> {
    old: (&'a str, Launch),
    new: (&'a str, Launch),
    floats: FloatLaws,
}

impl Question<'_> {
    /// Both forms of the programs have the same answer.
    fn ask(&self) -> Equivalence {
        let (old, new) = (parse(self.old.0), parse(self.new.0));
        let surface = self.of(&old, &new);
        let atomic = self.of(&atomic_form(&old), &atomic_form(&new));
        assert_eq!(
            std::mem::discriminant(&surface),
            std::mem::discriminant(&atomic),
            "{surface:?}\n{atomic:?}"
        );
        surface
    }

    fn of(&self, old: &Program, new: &Program) -> Equivalence {
        let (old_setup, old_unknowns) = side(old, self.old.1);
        let (new_setup, new_unknowns) = side(new, self.new.1);
        let n = old_setup.arrays.len();
        let observed = (0..n).filter(|i| old_setup.arrays[*i].observed);
        let profile = Profile::default();
        let request = EquivalenceRequest {
            floats: self.floats,
            ..EquivalenceRequest::of_arrays(&profile, observed, 50.0, 10_000_000)
        };
        equivalent(
            Side {
                program: old,
                setup: &old_setup,
                unknowns: &old_unknowns,
            },
            Side {
                program: new,
                setup: &new_setup,
                unknowns: &new_unknowns,
            },
            &request,
        )
    }
}

fn at(old: &str, new: &str, grid: u32, block: u32) -> Equivalence {
    let launch = launch(grid, block);
    let question = Question {
        old: (old, launch),
        new: (new, launch),
        floats: FloatLaws::Exact,
    };
    question.ask()
}

#[track_caller]
fn is_proved(old: &str, new: &str, grid: u32, block: u32) {
    let found = at(old, new, grid, block);
    assert!(
        matches!(found, Equivalence::Proved),
        "{found:?}\n{old}\n{new}"
    );
}

#[track_caller]
fn is_suspected(old: &str, new: &str, grid: u32, block: u32) -> (i64, Inputs) {
    match at(old, new, grid, block) {
        Equivalence::Suspected { cell, inputs, .. } => (cell, inputs),
        found => panic!("{found:?}\n{old}\n{new}"),
    }
}

#[track_caller]
fn is_open(old: &str, new: &str, grid: u32, block: u32) -> String {
    match at(old, new, grid, block) {
        Equivalence::Open { why, .. } => why,
        found => panic!("{found:?}\n{old}\n{new}"),
    }
}

const COPY: &str = "__global__ void k(int *out, const int *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}";

#[test]
fn a_kernel_beside_itself() {
    is_proved(COPY, COPY, 2, 32);
}

/// The one value that tells them apart is found.
#[test]
fn a_difference_at_one_value() {
    let other = COPY.replace("in[i];", "in[i] == 12345 ? 0 : in[i];");
    let (cell, inputs) = is_suspected(COPY, &other, 1, 4);
    assert!(
        inputs.cells.contains(&("#1".to_owned(), cell, 12345)),
        "{inputs:?}"
    );
}

/// Inputs decide whether the loop is run, its counter how often; also where an earlier run of it left another counter.
#[test]
fn a_loop_that_inputs_decide_about() {
    let sum = "__global__ void k(int *out, const int *in) {
        int t = threadIdx.x, s = 0, i = 3;
        for (int k = 0; k < 2; k++)
            if (in[t + k] > 0) { for (i = 0; i < 100; i++) s += in[i]; }
        out[t] = s + i;
    }";
    let back = sum
        .replace("i = 0; i < 100; i++", "i = 99; i >= 0; i--")
        .replace("s += in[i]; }", "s += in[i]; i = 100; }");
    assert_ne!(sum, back);
    is_proved(sum, &back, 1, 4);
    let short = |text: &str| text.replace("100", "5").replace("99", "4");
    is_suspected(&short(sum), &short(&back.replace("i >= 0", "i > 0")), 1, 4);
    is_suspected(&short(sum), &short(&back.replace("i = 100", "i = 3")), 1, 4);
}

/// What was never written and is read for some inputs alone is a defect there; one that no input comes to is none.
#[test]
fn no_value_for_some_inputs() {
    let shared = |cond: &str| {
        format!(
            "__global__ void k(int *out, const int *in) {{
                __shared__ int s[8];
                int t = threadIdx.x, x = 0;
                if (t > 0) s[t] = in[t];
                __syncthreads();
                if ({cond}) x = s[0];
                out[t] = x;
            }}"
        )
    };
    let private = |cond: &str| {
        format!(
            "__global__ void k(int *out, const int *in) {{
                int t = threadIdx.x, x, v[2];
                if (in[t] != 777) {{ x = in[t]; v[1] = x; }}
                if ({cond}) out[t] = x + v[1];
            }}"
        )
    };
    for kernel in [shared("in[0] > 9 && in[0] < 5"), private("in[t] < 700")] {
        is_proved(&kernel, &kernel, 1, 8);
    }
    for (kernel, why, number) in [
        (
            shared("in[0] == 12345"),
            "a cell of `s` that was not written",
            12345,
        ),
        (private("in[t] > 700"), "`x` without a value", 777),
    ] {
        let found = at(&kernel, &kernel, 1, 8);
        let Equivalence::Open {
            why: said, tries, ..
        } = found
        else {
            panic!("{found:?}\n{kernel}");
        };
        assert!(said.contains(why), "{said}");
        let has_number = tries
            .iter()
            .any(|inputs| inputs.cells.iter().any(|cell| cell.2 == number));
        assert!(has_number, "{tries:?}");
    }
}

/// What a program writes at file scope is compared, or known not to be wanted.
#[test]
fn variables_that_nobody_compares() {
    let source = "__device__ int total;
        __global__ void k(int *out, const int *in) { out[0] = in[0]; total = in[1]; }";
    let program = parse(source);
    let (setup, unknowns) = side(&program, launch(1, 1));
    let profile = Profile::default();
    let of = || Side {
        program: &program,
        setup: &setup,
        unknowns: &unknowns,
    };
    let total = Observed::OfFile(gridlock_semantics::algebra::ids::ArrayId(0));
    assert_eq!(&*program.arrays[0].name, "total");
    let ask = |more: Option<(Observed, Observed)>, left_out: Vec<(Which, Observed)>| {
        let mut request = EquivalenceRequest::of_arrays(&profile, [0], 20.0, 100_000);
        request.observed.extend(more);
        request.left_out = left_out;
        equivalent(of(), of(), &request)
    };
    assert!(matches!(
        ask(Some((total, total)), Vec::new()),
        Equivalence::Proved
    ));
    let both = vec![(Which::Old, total), (Which::New, total)];
    assert!(matches!(ask(None, both.clone()), Equivalence::Proved));
    for one in [&both[..0], &both[..1], &both[1..]] {
        let found = ask(None, one.to_vec());
        let Equivalence::Open { why, .. } = &found else {
            panic!("{found:?}");
        };
        assert!(why.contains("`total` is written"), "{why}");
    }
}

#[test]
fn a_branch_is_a_choice() {
    let one = "__global__ void k(int *out, const int *in) {
        int i = threadIdx.x, v = in[i];
        if (v < 0) v = -v;
        out[i] = v;
    }";
    let other = "__global__ void k(int *out, const int *in) {
        int i = threadIdx.x;
        out[i] = in[i] < 0 ? -in[i] : in[i];
    }";
    is_proved(one, other, 1, 8);
    is_suspected(one, &other.replace("< 0", "<= 1"), 1, 8);
}

const SUM: &str = "__global__ void k(int *out, const int *in) {
    if (threadIdx.x == 0) {
        int sum = 0;
        for (int i = 0; i < 32; i++) sum += in[i];
        out[0] = sum;
    }
}";
const TREE: &str = "__global__ void k(int *out, const int *in) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = in[t];
    __syncthreads();
    for (int d = 16; d > 0; d >>= 1) {
        if (t < d) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[0] = s[0];
}";
const SHUFFLES: &str = "__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x];
    for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x == 0) out[0] = v;
}";
const ATOMICS: &str = "__global__ void k(int *out, const int *in) {
    __shared__ int s;
    if (threadIdx.x == 0) s = 0;
    __syncthreads();
    atomicAdd(&s, in[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) out[0] = s;
}";

#[test]
fn reductions_in_four_forms() {
    for other in [TREE, SHUFFLES, ATOMICS] {
        is_proved(SUM, other, 1, 32);
    }
    is_suspected(SUM, &SHUFFLES.replace("d = 16", "d = 8"), 1, 32);
    is_suspected(SUM, &SUM.replace("i < 32", "i < 31"), 1, 32);
}

/// Of floats the order of the sum counts, unless it is said not to.
#[test]
fn sums_of_floats() {
    let float = |source: &str| {
        source
            .replace("int *", "float *")
            .replace("int s", "float s")
            .replace("int v", "float v")
    };
    // Without the zero that the loop begins with.
    let sum = float(SUM)
        .replace("sum = 0", "sum = in[0]")
        .replace("i = 0", "i = 1");
    let launch = launch(1, 32);
    for other in [float(TREE), float(SHUFFLES)] {
        let question = |floats| Question {
            old: (&sum, launch),
            new: (&other, launch),
            floats,
        };
        let exact = question(FloatLaws::Exact).ask();
        assert!(!matches!(exact, Equivalence::Proved), "{exact:?}");
        let modulo = question(FloatLaws::Reassociated).ask();
        assert!(matches!(modulo, Equivalence::Proved), "{modulo:?}");
    }
}

/// What would be a race, a barrier that threads pass by, or a value that was never written is not proved, although
/// both programs are the same.
#[test]
fn nothing_is_proved_of_defects() {
    for (broken, why) in [
        (TREE.replacen("__syncthreads();", "", 1), "a data race"),
        (
            TREE.replace(
                "if (t < d) s[t] += s[t + d];\n        __syncthreads();",
                "if (t < d) { s[t] += s[t + d]; __syncthreads(); }",
            ),
            "barrier",
        ),
        (
            TREE.replace("s[t] = in[t];", "if (t < 31) s[t] = in[t];"),
            "not written",
        ),
        (TREE.replace("s[32]", "s[31]"), "outside"),
        (ATOMICS.replacen("__syncthreads();", "", 1), "a data race"),
        (COPY.replace("out[i] =", "out[i / in[0]] ="), "line 3"),
        (COPY.replace("in[i];", "in[i] / in[0];"), "division"),
        (COPY.replace("out[i] =", "out[0] ="), "a data race"),
        (
            COPY.replace(
                "out[i] = in[i];",
                "if (in[i] > 0) __syncthreads(); out[i] = 1;",
            ),
            "barrier",
        ),
    ] {
        let found = is_open(&broken, &broken, 1, 32);
        assert!(found.contains(why), "{found}\n{broken}");
    }
    let across = COPY.replace("blockIdx.x * blockDim.x + ", "");
    assert!(is_open(&across, &across, 2, 32).contains("a data race"));
}

/// A race of runs that an assumption leaves out is one where it comes before it, or where one thread alone assumes.
#[test]
fn assumptions_made_after_a_race() {
    let kernel = |first: &str, then: &str| {
        format!(
            "__global__ void k(int *out, const int *in) {{
                {first}
                if (in[0] != 7) out[0] = threadIdx.x;
                {then}
                out[1 + threadIdx.x] = in[1];
            }}"
        )
    };
    let assumes = "__assume(in[0] == 7);";
    let early = kernel(assumes, "");
    is_proved(&early, &early, 1, 32);
    for late in [
        kernel("", assumes),
        kernel("if (threadIdx.x == 3) __assume(in[0] == 7);", ""),
        kernel("", "__assume(in[0] == 7 || threadIdx.x != 3);"),
    ] {
        for (old, new) in [(&late, &late), (&late, &early)] {
            let why = is_open(old, new, 1, 32);
            assert!(why.contains("a data race"), "{why}");
        }
        // Where the old program stops before anything else, what the new one does is not asked.
        is_proved(&early, &late, 1, 32);
    }
}

/// A thread that returns before a barrier is in no order with what others do behind it.
#[test]
fn a_return_is_no_arrival() {
    let early = "__global__ void k(int *out, const int *in) {
        __shared__ int s[32];
        int t = threadIdx.x;
        s[t] = in[t];
        if (in[32] > 0 && t == 31) return;
        __syncthreads();
        out[t] = s[31 - t];
    }";
    assert!(is_open(early, early, 1, 32).contains("a data race"));
    let guarded = early
        .replace("s[t] = in[t];\n", "")
        .replace("__syncthreads();", "s[t] = in[t]; __syncthreads();")
        .replace("t == 31", "t > 31")
        .replace("s[31 - t]", "s[t]");
    is_proved(&guarded, &guarded, 1, 32);
    let outside = "__global__ void k(int *out, const int *in, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        out[i] = in[i];
    }";
    let inside = outside.replace(
        "if (i >= n) return;\n        out[i] = in[i];",
        "if (i < n) out[i] = in[i];",
    );
    is_proved(outside, &inside, 2, 32);
    is_suspected(outside, &inside.replace("i < n", "i + 1 < n"), 2, 32);
}

#[test]
fn different_launches() {
    let strided = "__global__ void k(int *out, const int *in) {
        for (int i = threadIdx.x; i < 64; i += blockDim.x) out[i] = in[i];
    }";
    let question = |new| Question {
        old: (COPY, launch(2, 32)),
        new: (new, launch(1, 16)),
        floats: FloatLaws::Exact,
    };
    let found = question(strided).ask();
    assert!(matches!(found, Equivalence::Proved), "{found:?}");
    let short = strided.replace("i < 64", "i < 63");
    let found = question(&short).ask();
    assert!(
        matches!(found, Equivalence::Suspected { cell: 63, .. }),
        "{found:?}"
    );
}

/// A table that a thread's input chooses the cell of.
#[test]
fn a_histogram_of_four() {
    let direct = "__global__ void k(int *out, const int *in) {
        __shared__ int h[4];
        int t = threadIdx.x;
        if (t < 4) h[t] = 0;
        __syncthreads();
        atomicAdd(&h[in[t] & 3], 1);
        __syncthreads();
        if (t < 4) out[t] = h[t];
    }";
    let counted = "__global__ void k(int *out, const int *in) {
        int t = threadIdx.x;
        if (t < 4) {
            int n = 0;
            for (int i = 0; i < 8; i++) n += (in[i] & 3) == t;
            out[t] = n;
        }
    }";
    is_proved(direct, counted, 1, 8);
    is_suspected(direct, &counted.replace("& 3", "& 7"), 1, 8);
}

/// A barrier that inputs may leave out orders nothing.
#[test]
fn barriers_that_may_not_be_met() {
    let kernel = |barrier: &str, under: &str| {
        format!(
            "__global__ void k(int *out, int q) {{
        __shared__ int x[32];
        int t = threadIdx.x, s = 0;
        x[t] = 1;
        __syncthreads();
        if (q) x[t] = 2;
        if ({under}) {barrier};
        if (q) s += x[31 - t];
        out[t] = s;
    }}"
        )
    };
    for barrier in ["__syncthreads()", "__syncwarp()"] {
        let right = kernel(barrier, "true");
        is_proved(&right, &right, 1, 32);
        let wrong = kernel(barrier, "!q");
        is_open(&right, &wrong, 1, 32);
        is_open(&wrong, &wrong, 1, 32);
    }
}

/// As real numbers constants are what they are, not what a device rounds them to.
#[test]
fn constants_of_real_numbers() {
    let summed = "__global__ void k(float *out, const float *in) {
        float s = 0.0f;
        for (int i = 0; i < 10; i++) s += 0.1f;
        out[threadIdx.x] = s * in[threadIdx.x];
    }";
    let product = "__global__ void k(float *out, const float *in) {
        out[threadIdx.x] = in[threadIdx.x] * (10.0f * 0.1f);
    }";
    let one = "__global__ void k(float *out, const float *in) {
        out[threadIdx.x] = in[threadIdx.x] * 1.0f;
    }";
    let asked = |old, new, floats| {
        let launch = launch(1, 4);
        let question = Question {
            old: (old, launch),
            new: (new, launch),
            floats,
        };
        matches!(question.ask(), Equivalence::Proved)
    };
    assert!(asked(summed, product, FloatLaws::Reals));
    assert!(!asked(summed, one, FloatLaws::Reals));
    assert!(!asked(product, one, FloatLaws::Reals));
    assert!(!asked(summed, product, FloatLaws::Exact));
    // As floats ten tenths are one.
    assert!(asked(product, one, FloatLaws::Exact));
}

/// What floats decide of integers is compared as floats are.
#[test]
fn integers_that_real_numbers_decide() {
    let kernel = |sum: &str| {
        format!(
            "__global__ void k(int *out, const float *in) {{
            out[threadIdx.x] = {sum} > in[3] ? 1 : 2;
        }}"
        )
    };
    let (one, other) = (
        kernel("(in[0] + in[1]) + in[2]"),
        kernel("in[0] + (in[1] + in[2])"),
    );
    let asked = |old: &str, new: &str| {
        let launch = launch(1, 4);
        let question = Question {
            old: (old, launch),
            new: (new, launch),
            floats: FloatLaws::Reals,
        };
        matches!(question.ask(), Equivalence::Proved)
    };
    assert!(asked(&one, &one));
    assert!(!asked(&one, &other));
}

/// Cells that a map relates, and no others.
#[test]
fn observation_maps() {
    let sums = |ty: &str| {
        format!(
            "__global__ void k({ty} *out, const {ty} *in) {{
                int i = threadIdx.x;
                if (i < 4) out[i] = in[2 * i] + in[2 * i + 1];
            }}"
        )
    };
    let copy = |ty: &str| COPY.replace("int *", &format!("{ty} *"));
    let cell = |which, cell| {
        Box::new(Related::Cell {
            which,
            of: Observed::Argument(0),
            cell,
        })
    };
    let relation = |i: i64, second: i64| {
        let of_old = [2 * i, 2 * i + second].map(|at| cell(Which::Old, at));
        let [a, b] = of_old;
        (*cell(Which::New, i), Related::Binary(BinaryOp::Add, a, b))
    };
    for ty in ["int", "float", "unsigned char"] {
        let (old, new) = (parse(&copy(ty)), parse(&sums(ty)));
        let asked = |floats, related: Vec<(Related, Related)>| {
            let (old_setup, of_old) = side(&old, launch(1, 8));
            let (new_setup, of_new) = side(&new, launch(1, 8));
            let profile = Profile::default();
            let request = EquivalenceRequest {
                related,
                floats,
                ..EquivalenceRequest::of_arrays(&profile, [], 20.0, 100_000)
            };
            let of = |program, setup, unknowns| Side {
                program,
                setup,
                unknowns,
            };
            equivalent(
                of(&old, &old_setup, &of_old),
                of(&new, &new_setup, &of_new),
                &request,
            )
        };
        let ask = |related| asked(FloatLaws::Exact, related);
        let found = ask((0..4).map(|i| relation(i, 1)).collect());
        assert!(matches!(found, Equivalence::Proved), "{ty}: {found:?}");
        let found = ask((0..4).map(|i| relation(i, i64::from(i < 3))).collect());
        let is_suspected = matches!(&found, Equivalence::Suspected { cell: 3, .. });
        assert!(is_suspected, "{ty}: {found:?}");
        let number = (*cell(Which::New, 0), Related::Number(7));
        let found = ask(vec![relation(1, 1), number]);
        let is_suspected = matches!(&found, Equivalence::Suspected { cell: 0, .. });
        assert!(is_suspected, "{ty}: {found:?}");
        // As real numbers: in the other order; of two sides each is the old program's, or none is.
        if ty == "float" {
            let (new, Related::Binary(op, a, b)) = relation(2, 1) else {
                panic!("a sum");
            };
            let turned = |second: Box<Related>| Related::Binary(op, second, a.clone());
            let one = *cell(Which::New, 3);
            let double =
                |of: &Related| Related::Binary(op, Box::new(of.clone()), Box::new(of.clone()));
            let proved = vec![
                (new.clone(), turned(b.clone())),
                (turned(b.clone()), new.clone()),
            ];
            let found = asked(FloatLaws::Reals, proved);
            assert!(matches!(found, Equivalence::Proved), "{found:?}");
            let found = asked(FloatLaws::Reals, vec![(turned(a.clone()), new.clone())]);
            let is_apart = matches!(
                &found,
                Equivalence::Suspected {
                    over_reals: true,
                    ..
                }
            );
            assert!(is_apart, "{found:?}");
            let found = asked(FloatLaws::Reals, vec![(double(&one), double(&one))]);
            assert!(matches!(found, Equivalence::Open { .. }), "{found:?}");
        }
        // What is written and in no relation.
        let found = ask(Vec::new());
        assert!(matches!(found, Equivalence::Open { .. }), "{ty}: {found:?}");
    }
}
