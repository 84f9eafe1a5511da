//! The verdict *conditional*: a kernel whose launch nobody gave, wrong at some and right where a condition holds.

use crate::tool::{Run, run};
use gridlock_generation::effort;
use serde_json::Value;

/// `check`, with time enough for a slow machine.
pub fn check(file: &str, more: &[&str]) -> Run {
    let asked = ["check", file, "--format", "json", "--limit-seconds", "600"];
    run(&[&asked[..], more].concat())
}

/// A kernel in a file of its own.
pub fn written(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(format!("{name}.cu"));
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

/// A short run takes a kernel in so many.
const SHARE: usize = 4;

const TILE: &str = "tests/conditions/tree-sum-tile.cu";

#[test]
fn what_excludes_the_defects_is_the_condition() {
    let ran = check(TILE, &[]);
    let report = ran.json();
    assert_eq!(ran.status, 3, "{report:#}");
    assert_eq!(report["verdict"], "conditional", "{report:#}");
    assert_eq!(report["assurance"], "all-inputs-all-sizes", "{report:#}");
    assert_eq!(report["defects"].as_array().map(Vec::len), Some(0));
    let conditions = report["conditions"].as_array().unwrap();
    let of = |kind: &str| -> &Value {
        let found = conditions.iter().find(|c| c["defect"]["kind"] == kind);
        found.unwrap_or_else(|| panic!("no {kind}: {report:#}"))
    };
    let bounds = of("out-of-bounds");
    assert_eq!(bounds["source"], "blockDim.x <= 64");
    assert_eq!(bounds["requires"], "__requires(blockDim.x <= 64);");
    assert_eq!(bounds["status"], "proved");
    // Behind the first defect there is another, which a further condition excludes.
    let unset = of("uninitialised-read");
    assert_eq!(
        unset["source"],
        "blockDim.x <= 64 and blockDim.x is a power of two"
    );
    let properties = report["properties"].as_array().unwrap();
    let verdicts: Vec<&str> = properties
        .iter()
        .map(|p| p["verdict"].as_str().unwrap())
        .collect();
    assert!(
        verdicts
            .iter()
            .all(|v| ["proved", "conditional"].contains(v)),
        "{verdicts:?}"
    );

    let said = run(&["check", TILE]).stdout;
    let parts = [
        "__requires(blockDim.x <= 64);",
        "otherwise, with grid",
        "Verdict: conditional, where blockDim.x <= 64 and blockDim.x is a power of two",
    ];
    for part in parts {
        assert!(said.contains(part), "{part}: {said}");
    }
}

/// Where the first run that shows a race shows another defect too, what excludes the race is only found where that one is
/// excluded: all conditions together exclude it. The twin without a barrier stays refuted.
#[test]
fn what_hides_behind_another_defect_is_asked_for_there() {
    let folder = tempfile::tempdir().unwrap();
    let text = "__global__ void reverse(int *d, int n) {
        __shared__ int s[64];
        int t = threadIdx.x;
        s[t] = d[t];
        __syncthreads();
        d[t] = s[n - t - 1];
    }";
    let right = check(&written(&folder, "right", text), &[]).json();
    assert_eq!(right["verdict"], "conditional", "{right:#}");
    let conditions = right["conditions"].as_array().unwrap();
    let all = "n <= 64 and n == blockDim.x and gridDim.x == 1";
    let of_races = conditions
        .iter()
        .filter(|c| c["defect"]["kind"] == "data-race");
    let mut sources = of_races.map(|c| c["source"].as_str().unwrap());
    assert!(sources.all(|source| source == all), "{right:#}");
    let properties = right["properties"].as_array().unwrap();
    let races = properties.iter().find(|p| p["kind"] == "races").unwrap();
    assert!(
        races["explanation"]
            .as_str()
            .unwrap()
            .starts_with(&format!("where {all}:")),
        "{right:#}"
    );

    let wrong = text.replace("__syncthreads();", "");
    let wrong = check(&written(&folder, "wrong", &wrong), &[]).json();
    assert_eq!(wrong["verdict"], "refuted", "{wrong:#}");
}

#[test]
fn the_exit_status_is_that_of_what_is_accepted() {
    let accepted = ["--accept-conditions", "--require", "sizes"];
    assert_eq!(check(TILE, &accepted).status, 0);
    let refuted = check(TILE, &["--no-conditions"]);
    assert_eq!(refuted.status, 1);
    assert_eq!(refuted.json()["verdict"], "refuted");
    let both = check(TILE, &["--no-conditions", "--accept-conditions"]);
    assert_eq!(both.status, 2, "{}", both.stdout);
}

/// A launch that is given, by an option or by host code, has no condition.
#[test]
fn a_launch_that_is_given_is_refuted() {
    let given = check(TILE, &["--grid", "1", "--block", "128"]);
    assert_eq!(given.status, 1);
    assert_eq!(given.json()["verdict"], "refuted");
    let folder = tempfile::tempdir().unwrap();
    let kernel = std::fs::read_to_string(TILE).unwrap();
    let host = "
int main()
{
    int *in, *out;
    cudaMalloc(&in, 256 * sizeof(int));
    cudaMalloc(&out, 256 * sizeof(int));
    cudaMemset(in, 0, 256 * sizeof(int));
    tree_sum<<<2, 128>>>(in, out);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
";
    let whole = written(&folder, "whole", &format!("{kernel}{host}"));
    let report = check(&whole, &[]).json();
    assert_eq!(report["verdict"], "refuted", "{report:#}");
}

/// Of hardly any kernel there is a defect where a block is one thread, or where nobody does anything.
#[test]
fn a_condition_under_which_the_kernel_is_of_no_use_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let texts = [
        (
            "one-thread",
            "__global__ void k(int *a) { a[0] = threadIdx.x; }",
        ),
        (
            "nothing-to-do",
            "__global__ void k(int *a, int n) { if (n > 0) a[0] = threadIdx.x; }",
        ),
        (
            "one-of-them-works",
            "__global__ void k(int *a, int n) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i + 1 < n) a[i] = a[i + 1];
            }",
        ),
    ];
    for (name, text) in texts {
        if !effort::is_next_done(SHARE) {
            continue;
        }
        let ran = check(&written(&folder, name, text), &[]);
        let report = ran.json();
        assert_eq!(ran.status, 1, "{name}: {report:#}");
        assert_eq!(report["verdict"], "refuted", "{name}: {report:#}");
    }
}

/// Who tests `i <= n` reckons with threads for which that fails: launches without such threads are no condition. Without a
/// test they are one.
#[test]
fn a_condition_that_makes_a_test_pointless_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let line = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
    let plane =
        "int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;";
    let kernels = [
        (
            "one-too-many",
            format!("int n) {{ {line} if (i <= n) a[i] = 1; }}"),
            "a=n",
            "refuted",
        ),
        (
            "no-test",
            format!("int n) {{ {line} a[i] = 1; }}"),
            "a=n",
            "conditional",
        ),
        (
            "a-row-too-many",
            format!("int w, int h) {{ {plane} if (x < w && y <= h) a[y * w + x] = 1; }}"),
            "a=w*h",
            "refuted",
        ),
        (
            "one-leaves-late",
            format!("int w, int h) {{ {plane} if (x >= w || y > h) return; a[y * w + x] = 1; }}"),
            "a=w*h",
            "refuted",
        ),
    ];
    for (name, rest, extent, expected) in kernels {
        if !effort::is_next_done(SHARE) {
            continue;
        }
        let file = written(&folder, name, &format!("__global__ void k(int *a, {rest}"));
        let report = check(&file, &["--extent", extent, "--property", "bounds"]).json();
        assert_eq!(report["verdict"], expected, "{name}: {report:#}");
    }
}

/// What is told, written into the source, makes the kernel right there.
#[test]
fn the_statements_make_it_right() {
    let folder = tempfile::tempdir().unwrap();
    let mut conditional = 0;
    let names = [
        "guard",
        "index",
        "small-block",
        "transpose-own",
        "tree-sum",
        "warps",
    ];
    for (number, name) in names.iter().enumerate() {
        if !effort::is_done(number, SHARE) {
            continue;
        }
        let file = format!("tests/conditions/{name}.cu");
        let report = check(&file, &[]).json();
        if report["verdict"] != "conditional" {
            continue;
        }
        conditional += 1;
        let conditions = report["conditions"].as_array().unwrap();
        let statements = conditions.iter().map(|c| c["requires"].as_str().unwrap());
        let statements: String = statements.collect();
        let text = std::fs::read_to_string(&file).unwrap();
        let brace = text.find("\n{").expect("a body") + 2;
        let text = format!("{}{statements}{}", &text[..brace], &text[brace..]);
        let ran = check(&written(&folder, name, &text), &["--require", "schedules"]);
        assert_eq!(ran.status, 0, "{name}: {statements}: {}", ran.stdout);
    }
    assert!(SHARE * conditional >= 3, "{conditional}");
}

/// A product of matrices by tiles: one launch in thousands is right.
const TILED: &str = r"
#define T 8
__global__ void tiled(int M, int N, int K, const float *A, const float *B, float *C)
{
    __shared__ float a[T * T], b[T * T];
    int x = threadIdx.x % T, y = threadIdx.x / T;
    A += blockIdx.x * T * K;
    B += blockIdx.y * T;
    C += blockIdx.x * T * N + blockIdx.y * T;
    float sum = 0;
    for (int k = 0; k < K; k += T) {
        a[y * T + x] = A[y * K + x];
        b[y * T + x] = B[y * N + x];
        __syncthreads();
        A += T;
        B += T * N;
        for (int i = 0; i < T; i++) sum += a[y * T + i] * b[i * T + x];
        __syncthreads();
    }
    C[y * N + x] = sum;
}
";

#[test]
fn launches_as_one_makes_them() {
    // Hundreds of launches are judged for it.
    if !effort::is_done(1, SHARE) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let ran = check(&written(&folder, "tiled", TILED), &[]);
    let report = ran.json();
    assert_eq!(report["verdict"], "conditional", "{report:#}");
    let source = report["conditions"][0]["source"].as_str().unwrap();
    assert!(source.contains("blockDim.x == 64"), "{source}");
    // A barrier too few is wrong at each of them.
    let last = TILED.rfind("        __syncthreads();\n").unwrap();
    let racy = format!(
        "{}{}",
        &TILED[..last],
        &TILED[last..].replacen("__syncthreads();", "", 1)
    );
    let report = check(&written(&folder, "racy", &racy), &[]).json();
    assert_eq!(report["verdict"], "refuted", "{report:#}");
}

/// What a function of the host leaves to its callers is a choice of the tool's, unlike what it says itself.
#[test]
fn what_callers_of_host_code_choose_is_a_condition() {
    let folder = tempfile::tempdir().unwrap();
    let verdict = |name: &str, text: &str| {
        let asked = ["--property", "races,bounds"];
        let report = check(&written(&folder, name, text), &asked).json();
        let source = report["conditions"][0]["source"].as_str();
        let said = source.unwrap_or_default().to_owned();
        (report["verdict"].as_str().unwrap().to_owned(), said)
    };
    let fill = "__global__ void fill(int *a, unsigned stride) { a[threadIdx.x * stride] = threadIdx.x; }\n";
    let open = "void go(int *a, unsigned stride) { fill<<<1, 64>>>(a, stride); }";
    if effort::is_done(1, SHARE) {
        let (judged, said) = verdict("open", &format!("{fill}{open}"));
        assert_eq!(judged, "conditional");
        assert!(said.contains("stride >= 1"), "{said}");
    }
    let made = "void go(int *a) { fill<<<1, 64>>>(a, 0); }";
    assert_eq!(verdict("made", &format!("{fill}{made}")).0, "refuted");
    // A condition does not leave out the blocks that host code launches.
    let turn = "__global__ void turn(int *a) { __shared__ int s[32]; s[threadIdx.x] = a[threadIdx.x]; __syncthreads();
                    a[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; }\n";
    let block = |launch: &str| format!("{turn}void go(int *a, int n) {{ turn<<<{launch}>>>(a); }}");
    assert_eq!(verdict("too-large", &block("n, 64")).0, "refuted");
    let (judged, said) = verdict("any", &block("1, n"));
    assert_eq!(judged, "conditional");
    assert!(
        said.contains("gridDim.x == 1") || said.contains("blockDim.x <= 32"),
        "{said}"
    );
}

#[test]
fn whole_warps_and_sizes_that_are_positive() {
    let folder = tempfile::tempdir().unwrap();
    let sum = "
__global__ void sum(const float *a, float *out, int n)
{
    __shared__ float of_warp[8];
    float x = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) x += a[blockIdx.x * n + i];
    for (int d = 16; d > 0; d /= 2) x += __shfl_xor_sync(0xffffffff, x, d);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < blockDim.x / 32; w++) x += of_warp[w];
        out[blockIdx.x] = x;
    }
}
";
    if effort::is_done(1, SHARE) {
        let report = check(&written(&folder, "sum", sum), &[]).json();
        assert_eq!(report["verdict"], "conditional", "{report:#}");
        let said = report.to_string();
        assert!(
            said.contains("blockDim.x is a multiple of 32"),
            "{report:#}"
        );
    }
    // It is refuted no sooner than it is known what the defect hangs on.
    for seconds in ["0.8", "0.3", "2"] {
        if !effort::is_next_done(SHARE) {
            continue;
        }
        let file = written(&folder, "sum", sum);
        let limit = ["--format", "json", "--limit-seconds", seconds];
        let report = run(&[&["check", &file], &limit[..]].concat()).json();
        assert_ne!(report["verdict"], "refuted", "{report:#}");
        assert_eq!(report["defects"].as_array().map(Vec::len), Some(0));
    }
    // Without its barrier it is right in blocks of one warp, where one thread alone touches the array of the block.
    let racy = sum.replace("    __syncthreads();\n", "");
    let asked = ["--property", "races"];
    let report = check(&written(&folder, "racy-sum", &racy), &asked).json();
    assert_eq!(report["verdict"], "refuted", "{report:#}");
}

#[test]
fn a_row_is_as_long_as_it_is_wide() {
    let folder = tempfile::tempdir().unwrap();
    let scale = "
__global__ void scale(const float *in, float *out, int width, int height, int pitch)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[y * pitch + x] = 2 * in[y * pitch + x];
}
";
    let asked = ["--property", "races,bounds"];
    let report = check(&written(&folder, "scale", scale), &asked).json();
    assert_eq!(report["verdict"], "conditional", "{report:#}");
    // What is tried with less is not told instead of what is proved.
    let told = &report["conditions"][0];
    let source = told["source"].as_str().unwrap();
    for part in ["pitch >= width", "height * pitch < 2147483648"] {
        assert!(source.contains(part), "{report:#}");
    }
    assert_eq!(told["status"], "proved", "{report:#}");
}

/// Of arrays that hold places in others it is asked that these are places, as long as nobody gives what they hold.
#[test]
fn contents_that_are_places() {
    let folder = tempfile::tempdir().unwrap();
    let rows = "
__global__ void rows(float *out, const float *table, const int *row, int n, int width)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        const float *from = table + row[i] * 64;
        for (int j = 0; j < 64; j++) out[i * 64 + j] = from[j];
    }
}
";
    let bins = "
__global__ void bins(int *total, const int *key, int n)
{
    __shared__ int bin[64];
    for (int b = threadIdx.x; b < 64; b += blockDim.x) bin[b] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x) atomicAdd(&bin[key[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < 64; b += blockDim.x) atomicAdd(&total[b], bin[b]);
}
";
    let guard = |test: &str| bins.replace("atomicAdd(&bin", &format!("if ({test}) atomicAdd(&bin"));
    let in_bins = "every element read of key is in 0..64";
    for (name, text, said) in [
        ("bins", bins.to_owned(), Ok(in_bins)),
        ("rows", rows.to_owned(), Ok("every element read of row is in 0..16777216")),
        ("of-some", guard("key[i] != 7"), Ok(in_bins)),
        // The test says what it is for, and no more is needed.
        ("half", guard("key[i] < 64"), Ok("every element read of key is at least 0")),
        // One bin too many, whatever the keys are.
        ("one-more", bins.replace("bin[key[i]]", "bin[key[i] + 1]"), Err("refuted")),
        // Who asks for it reckons with others, and asks too little: only large ones show that.
        ("other-half", guard("key[i] >= 0"), Err("unknown")),
        // Its own numbers.
        (
            "own",
            bins.replace("const int *key", "int *key")
                .replace("    __syncthreads();\n    for (int i", "    for (int i = threadIdx.x; i < n; i += blockDim.x) key[i] = i - 9;\n    __syncthreads();\n    for (int i"),
            Err("refuted"),
        ),
    ] {
        if !effort::is_next_done(SHARE) {
            continue;
        }
        let asked: &[&str] = match effort::is_done(1, SHARE) {
            true => &[],
            false => &["--property", "bounds"],
        };
        let report = check(&written(&folder, name, &text), asked).json();
        let verdict = said.err().unwrap_or("conditional");
        assert_eq!(report["verdict"], verdict, "{name}: {report:#}");
        if let Ok(said) = said {
            let conditions = report["conditions"].as_array().unwrap();
            let sources = conditions.iter().filter_map(|c| c["source"].as_str());
            assert!(sources.clone().count() > 0, "{name}: {report:#}");
            assert!(sources.clone().all(|s| s == said), "{name}: {report:#}");
            assert!(conditions.iter().all(|c| c["requires"].is_null()));
        }
        let refuted = check(&written(&folder, name, &text), &["--no-conditions"]);
        assert_eq!(refuted.json()["verdict"], "refuted", "{name}");
    }
}

/// What was found for one kernel of a file is tried for the next, which may need less.
#[test]
fn what_holds_for_one_kernel_may_hold_for_the_next() {
    let folder = tempfile::tempdir().unwrap();
    let tile = |name: &str, read: &str| {
        format!(
            "
__global__ void {name}(float *out, const float *in)
{{
    __shared__ float tile[64];
    tile[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = {read};
}}
"
        )
    };
    let all = [
        tile("turned", "tile[63 - threadIdx.x]"),
        tile("again", "tile[63 - threadIdx.x] + 1"),
        tile("same", "tile[threadIdx.x]"),
    ];
    let report = check(&written(&folder, "tiles", &all.concat()), &[]).json();
    assert_eq!(report["verdict"], "conditional", "{report:#}");
    let conditions = report["conditions"].as_array().unwrap();
    for (subject, is_whole) in [(0, true), (1, true), (2, false)] {
        let own = conditions.iter().filter(|c| c["subject"] == subject);
        let sources: Vec<&str> = own.filter_map(|c| c["source"].as_str()).collect();
        let parts = sources.join(" and ");
        let has = |relation: &str| parts.contains(&format!("blockDim.x {relation} 64"));
        assert!(has("<=") || has("=="), "{subject}: {parts}: {report:#}");
        assert_eq!(has(">=") || has("=="), is_whole, "{subject}: {parts}");
    }
}

/// A kernel for blocks of one thread, as host code launches it: that is the condition. Where host code launches blocks of many,
/// or somewhere does not say of how many, one thread alone is an excuse.
#[test]
fn one_thread_is_a_condition_where_host_code_launches_one() {
    let folder = tempfile::tempdir().unwrap();
    let kernel =
        "__global__ void count(int *a, int step) { int i = blockIdx.x; a[i] = a[i] + i * step; }\n";
    let with = |name: &str, host: &str| {
        let report = check(&written(&folder, name, &format!("{kernel}{host}")), &[]).json();
        let conditions = report["conditions"].as_array().unwrap().clone();
        let sources = conditions
            .into_iter()
            .filter_map(|c| c["source"].as_str().map(str::to_owned));
        (
            report["verdict"].as_str().unwrap().to_owned(),
            sources.collect::<Vec<String>>(),
        )
    };
    let one = "void all(int *a, int n, int step) { count<<<n, 1>>>(a, step); }\n";
    let (verdict, sources) = with("one", one);
    assert_eq!(
        (verdict.as_str(), &sources[..]),
        ("conditional", &["blockDim.x == 1".to_owned()][..])
    );
    let many = "void some(int *a, int n, int step) { count<<<n, 32>>>(a, step); }\n";
    assert_eq!(with("many", many).0, "refuted");
    assert_eq!(with("both", &format!("{one}{many}")).0, "refuted");
    let open = "void open(int *a, int n, int t, int step) { count<<<n, t>>>(a, step); }\n";
    assert_eq!(with("open", &format!("{one}{open}")).0, "refuted");
    assert_eq!(with("none", "").0, "refuted");
}

/// A kernel that has nothing to tell its threads apart by is written for one, where no launch says otherwise.
#[test]
fn one_thread_is_a_condition_where_no_thread_asks_which_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let with = |name: &str, body: &str, host: &str| {
        let kernel = format!("__global__ void tick(int *n, int most) {{ {body} }}\n{host}\n");
        let report = check(&written(&folder, name, &kernel), &[]).json();
        (
            report["verdict"].as_str().unwrap().to_owned(),
            report["conditions"][0]["source"]
                .as_str()
                .map(str::to_owned),
        )
    };
    let tick = "if (*n > most) *n = 0; else *n = *n + 1;";
    let (verdict, source) = with("none", tick, "");
    assert_eq!(
        (verdict.as_str(), source.as_deref()),
        ("conditional", Some("gridDim.x * blockDim.x == 1"))
    );
    for (name, body, host) in [
        ("index", "if (threadIdx.x < most) *n = *n + 1;", ""),
        ("block", "n[1] = blockIdx.x; *n = *n + 1;", ""),
        ("atomic", "if (atomicAdd(n, 1) < most) n[1] = n[1] + 1;", ""),
        (
            "launched",
            tick,
            "void f(int *a) { tick<<<1, 64>>>(a, 9); }",
        ),
    ] {
        assert_eq!(with(name, body, host).0, "refuted", "{name}");
    }
}

/// What shows with some contents of arrays by the tool's choice, and not with others, refutes nothing; with contents that are
/// given, at a launch that is given, or with all contents, it does.
#[test]
fn contents_that_the_tool_chose_refute_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
    let kernel = |name: &str, body: &str| {
        let head = "__global__ void k(unsigned char *d, const float *s, float c)";
        written(&folder, name, &format!("{head} {{ {at} {body} }}\n"))
    };
    let narrow = kernel("narrow", "d[i] = (unsigned char)s[i];");
    let report = check(&narrow, &[]).json();
    assert_eq!(report["verdict"], "unknown", "{report:#}");
    let condition = &report["conditions"][0]["defect"];
    assert_eq!(condition["kind"], "undefined-arithmetic", "{report:#}");
    let said = run(&["check", &narrow]).stdout;
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(said.contains("with others it does not"), "{said}");
    // A race of the runs with other contents is not in the way.
    let racing = kernel("racing", "d[i / 2] = (unsigned char)s[i];");
    let report = check(&racing, &[]).json();
    let of = |list: &str, of: fn(&serde_json::Value) -> &serde_json::Value| {
        let mut all = report[list].as_array().unwrap().iter();
        all.any(|one| of(one)["kind"] == "undefined-arithmetic")
    };
    assert!(!of("defects", |d| d), "{report:#}");
    assert!(of("conditions", |c| &c["defect"]), "{report:#}");
    // Nor does it refute at a launch of host code that is given the arrays.
    let launched = |name: &str, body: &str| {
        let head = "__global__ void k(unsigned char *d, const float *s, float c)";
        let host = "void all(unsigned char *d, const float *s) { k<<<2, 32>>>(d, s, 1.0f); }";
        let text = format!("{head} {{ {at} {body} }}\n{host}\n");
        let report = check(&written(&folder, name, &text), &[]).json();
        report["verdict"].as_str().unwrap().to_owned()
    };
    let body = "d[i] = (unsigned char)s[i];";
    assert_eq!(launched("launched", body), "unknown");
    let always = "d[i] = (unsigned char)(s[i] - s[i] + 400 + i);";
    assert_eq!(launched("launched-always", always), "refuted");
    assert_eq!(launched("launched-race", "d[i / 2] = 1;"), "refuted");
    let argument = kernel("argument", "d[i] = (unsigned char)(c * 200);");
    assert_eq!(check(&argument, &[]).json()["verdict"], "unknown");
    for (file, given) in [
        (&narrow, &["--contents", "s=fill:300"][..]),
        (&narrow, &["--grid", "1", "--block", "32"][..]),
        (&kernel("never", "int x; d[i] = x; s[i];"), &[][..]),
        (
            &kernel("always", "d[i] = (unsigned char)(s[i] - s[i] + 400 + i);"),
            &[],
        ),
        // A race may hang on contents, too.
        (&kernel("race", "if (s[i] > 0) d[0] = i;"), &[]),
    ] {
        let report = check(file, given).json();
        assert_eq!(report["verdict"], "refuted", "{file} {given:?}: {report:#}");
    }
}

/// A kernel that accesses a number of elements before its argument, which the code names, is right where there are so many.
/// That excuses nothing where the number is another for each launch, the length is given, or another defect is there.
#[test]
fn elements_before_an_argument_are_a_condition() {
    let folder = tempfile::tempdir().unwrap();
    let at = "int i = blockIdx.x * blockDim.x + threadIdx.x;";
    let kernel = |name: &str, body: &str| {
        let head = "__global__ void k(const float *s, float *d, int n)";
        written(&folder, name, &format!("{head} {{ {at} {body} }}\n"))
    };
    let border = kernel("border", "d[i] = s[i] - s[i - 1];");
    let moved = kernel("moved", "float left = *(s + i - 3); d[i] = left;");
    for (file, text, other) in [
        (
            &border,
            "there is an element before what s points to",
            "s[-1]",
        ),
        (
            &moved,
            "there are 3 elements before what s points to",
            "s[-3]",
        ),
    ] {
        let report = check(file, &[]).json();
        assert_eq!(report["verdict"], "conditional", "{report:#}");
        let condition = &report["conditions"][0];
        assert_eq!(condition["source"], text, "{report:#}");
        assert_eq!(condition["status"], "tried", "{report:#}");
        assert_eq!(condition["requires"], serde_json::Value::Null);
        let message = condition["defect"]["message"].as_str().unwrap();
        assert!(message.contains(other), "{message}");
        assert!(condition["defect"]["witness"].is_object(), "{report:#}");
    }
    let host = "__global__ void k(const float *s, float *d) { int i = threadIdx.x; d[i] = s[i - 1]; }\n\
                void all(const float *s, float *d) { k<<<1, 32>>>(s, d); }\n";
    let launched = written(&folder, "launched", host);
    for (file, given, kind) in [
        (&border, &["--extent", "s=n"][..], "out-of-bounds"),
        (&launched, &[], "out-of-bounds"),
        (&border, &["--grid", "1", "--block", "32"], "out-of-bounds"),
        (&border, &["--no-conditions"], "out-of-bounds"),
        (&kernel("far", "d[i] = s[i - 100];"), &[], "out-of-bounds"),
        (&kernel("open", "d[i] = s[-1 - i];"), &[], "out-of-bounds"),
        (
            &kernel(
                "shared",
                "__shared__ float t[1024]; t[i & 1023] = 1; d[i] = t[int(threadIdx.x) - 1];",
            ),
            &[],
            "out-of-bounds",
        ),
        (&kernel("race", "d[i / 2] = s[i - 1];"), &[], "data-race"),
    ] {
        let report = check(file, given).json();
        assert_eq!(report["verdict"], "refuted", "{file} {given:?}: {report:#}");
        let mut kinds = report["defects"].as_array().unwrap().iter();
        assert!(
            kinds.any(|defect| defect["kind"] == kind),
            "{file}: {report:#}"
        );
    }
}
