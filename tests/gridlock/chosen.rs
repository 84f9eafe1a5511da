//! A defect that hangs on what the tool chose (contents, a launch beside those of host code, an instance) refutes nothing.

use crate::conditional::{check, written};
use crate::tool::run;

/// Whether threads write one element of an array that is only written, or a loop comes to its end, may hang on numbers that
/// nobody gave, and refutes nothing then. Where the array is read, too, or the numbers do not decide it, it does.
#[test]
fn repeated_elements_that_the_tool_chose_refute_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
    let kernel = |name: &str, body: &str| {
        let head = "__global__ void k(const unsigned *to, int *all, int *counts, int n)";
        let body = format!("{head} {{ {at} if (i < n) {{ {body} }} }}\n");
        written(&folder, name, &body)
    };
    let scatter = kernel("scatter", "all[to[i]] = i;");
    let walk = "unsigned j = i; while (to[j] != j) j = to[j]; all[i] = j;";
    let walk = kernel("walk", walk);
    for (file, kind) in [(&scatter, "data-race"), (&walk, "livelock")] {
        let report = check(file, &[]).json();
        assert_eq!(report["verdict"], "unknown", "{report:#}");
        let kinds = report["conditions"].as_array().unwrap().iter();
        let kinds: Vec<&str> = kinds
            .filter_map(|condition| condition["defect"]["kind"].as_str())
            .collect();
        assert!(kinds.contains(&kind), "{kinds:?}");
        let said = run(&["check", file]).stdout;
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains("with others it does not"), "{said}");
    }
    let launch = &["--grid", "1", "--block", "32", "--arg", "n=32"][..];
    for (file, given, kind) in [
        (&scatter, &["--contents", "to=fill:3"][..], "data-race"),
        (&scatter, launch, "data-race"),
        (&kernel("bins", "counts[to[i]]++;"), &[][..], "data-race"),
        (
            &kernel("read", "all[to[i]] = i; counts[i] = all[i];"),
            &[],
            "data-race",
        ),
        (&kernel("half", "all[to[i] / 2] = i;"), &[], "data-race"),
        (
            &kernel("two", "all[to[i]] = i; all[i] = 1;"),
            &[],
            "data-race",
        ),
        (
            &kernel("endless", "while (to[i] == to[i]) all[i] = 1;"),
            &[],
            "livelock",
        ),
    ] {
        let report = check(file, given).json();
        assert_eq!(report["verdict"], "refuted", "{file} {given:?}: {report:#}");
        let mut kinds = report["defects"].as_array().unwrap().iter();
        assert!(kinds.any(|defect| defect["kind"] == kind), "{file}");
    }
}

/// Where neither the launch nor what arrays hold is certain, a run with other contents that comes past the place shows that
/// the defect hangs on them, also where it ends in another behind it. Otherwise a second defect would be left unsaid.
#[test]
fn contents_that_the_tool_chose_refute_nothing_before_another_defect() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = "__global__ void k(const float *f, unsigned char *c, int r) {\n  __shared__ unsigned char s[1024];\n  \
                  int t = threadIdx.x;\n  for (int j = 0; j < 16; j++) s[t] = (unsigned char)(f[16 * t + j] * 255.0f);\n  \
                  __syncthreads();\n  c[t] = s[(t + r) & 1023];\n}\n";
    let launch = |call: &str| {
        let head = "void launch(float *f, unsigned char *c, int block, int r)";
        format!("{kernel}{head} {{ {call} k<<<1, block>>>(f, c, r); }}\n")
    };
    for (name, text, verdict) in [
        ("in-part", launch("not_known(&f);"), "unknown"),
        ("certain", launch(""), "refuted"),
        ("alone", kernel.to_owned(), "refuted"),
    ] {
        let report = check(&written(&folder, name, &text), &[]).json();
        assert_eq!(report["verdict"], verdict, "{name}: {report:#}");
        let (defect, every_choice) = match verdict {
            "unknown" => (&report["conditions"][0]["defect"], false),
            _ => (&report["defects"][0], true),
        };
        assert_eq!(defect["kind"], "undefined-arithmetic", "{name}");
        assert_eq!(defect["every_choice"], every_choice, "{name}: {defect:#}");
    }
}

/// A kernel that is right for blocks of 32 threads, four columns a thread and elements below 16 alone: no condition says all
/// of that. What hangs on contents ends all runs; beside it, what other arguments do not show refutes nothing. A race that all
/// arguments show does.
#[test]
fn arguments_that_the_tool_chose_refute_nothing_beside_contents() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = |last: &str| {
        format!(
            "__global__ void k(const int *in, unsigned rows, unsigned width, const unsigned *order, unsigned n, \
             int *out) {{\n  __shared__ int s[32][32];\n  int *own = s[threadIdx.x];\n  int *to = own + 16;\n  \
             if (threadIdx.x < rows) {{\n    for (unsigned c = 0; c < 4 * width && c < 16; c++) own[c] = in[threadIdx.x * width + c];\n    \
             for (unsigned p = 0; p < n; p++) {{\n      for (unsigned c = 0; c < 4 * width && c < 16; c++) to[c] = own[order[c]];\n      \
             atomicAdd(&out[blockIdx.x * n + p], to[0]);\n    }}\n  }}\n  __syncthreads();\n  \
             if (threadIdx.x == 0) {{\n    {last}\n  }}\n}}\n"
        )
    };
    for (name, last, verdict) in [
        ("own", "out[blockIdx.x * n] -= 1;", "unknown"),
        ("shared", "out[0] -= 1;", "refuted"),
    ] {
        let report = check(&written(&folder, name, &kernel(last)), &[]).json();
        assert_eq!(report["verdict"], verdict, "{name}: {report:#}");
    }
}

/// A kernel for blocks of eight threads, which host code launches: what other blocks do refutes nothing. What its own do does.
#[test]
fn launches_beside_those_of_host_code_refute_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let kernel = "__global__ void sums(const int *a, int *b) {\n  __shared__ int part[8];\n  \
                  part[threadIdx.x] = a[blockIdx.x * 8 + threadIdx.x];\n  __syncthreads();\n  \
                  if (threadIdx.x == 0) {\n    int sum = 0;\n    for (int i = 0; i < 8; i++) sum += part[i];\n    \
                  b[blockIdx.x] = sum;\n  }\n}\n";
    for (name, n_threads) in [("eight", 8), ("four", 4), ("sixteen", 16)] {
        let host =
            format!("void all(int *a, int *b, int n) {{ sums<<<n, {n_threads}>>>(a, b); }}\n");
        let report = check(&written(&folder, name, &format!("{kernel}{host}")), &[]).json();
        let is_refuted = report["verdict"] == "refuted";
        assert_eq!(is_refuted, n_threads != 8, "{name}: {report:#}");
    }
}

/// An instance with numbers of the tool's choice is not refuted; one of types alone, or one that is asked for, is.
#[test]
fn numbers_that_the_tool_chose_refute_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let body = "a[blockIdx.x] = threadIdx.x; a[blockIdx.x] += 1; }\n";
    let number = written(
        &folder,
        "number",
        &format!("template <int N> __global__ void k(int *a) {{ {body}"),
    );
    let report = check(&number, &[]).json();
    assert_eq!(report["verdict"], "unknown", "{report:#}");
    let defect = &report["conditions"][0]["defect"];
    assert_eq!(defect["kind"], "data-race", "{report:#}");
    let said = run(&["check", &number]).stdout;
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        said.contains("an instance with numbers that the tool chose"),
        "{said}"
    );
    let asked = check(&number, &["--instantiate", "k<8>"]).json();
    assert_eq!(asked["verdict"], "refuted", "{asked:#}");
    let a_type = written(
        &folder,
        "type",
        &format!("template <typename T> __global__ void k(T *a) {{ {body}"),
    );
    let report = check(&a_type, &[]).json();
    assert_eq!(report["verdict"], "refuted", "{report:#}");
}

/// Conditions of several kernels are not joined: the first line says where all are right under the same, and else how many
/// have one of their own.
#[test]
fn kernels_with_conditions_of_their_own_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let first = "__global__ void one(int *a) { a[threadIdx.x] = 1; }\n";
    let same = "__global__ void two(int *a) { a[threadIdx.x] = 2; }\n";
    let other = "__global__ void two(int *a) { __shared__ int s[64]; s[threadIdx.x] = 1; a[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x]; }\n";
    for (name, second, line) in [
        ("same", same, "conditional, where gridDim.x == 1,"),
        (
            "other",
            other,
            "conditional, 2 kernels each under its own condition,",
        ),
    ] {
        let file = written(&folder, name, &format!("{first}{second}"));
        let said = run(&["check", &file]).stdout;
        let verdict = said.lines().find(|line| line.starts_with("Verdict:"));
        assert!(verdict.is_some_and(|v| v.contains(line)), "{said}");
    }
}
