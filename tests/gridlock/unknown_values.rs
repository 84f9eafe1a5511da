//! Values nobody knows, through the whole tool: how a report names them, that two programs are never
//! told apart by them, that host code and devices do not get such a kernel.

use crate::tool::run;
use std::path::Path;

/// A kernel that asks `rnd` for values.
fn write(dir: &Path, name: &str, body: &str) -> String {
    let text = format!("__device__ int rnd();\n__global__ void k(int *a)\n{{\n{body}\n}}\n");
    let path = dir.join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

const OWN: &str = "int i = blockIdx.x * blockDim.x + threadIdx.x;";

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn they_go_by_their_place() {
    let dir = tempfile::tempdir().unwrap();
    let body = "if (rnd() == 0)\na[0] = threadIdx.x;";
    let file = write(dir.path(), "k.cu", body);
    let said = run(&["check", &file, "--block", "16"]);
    assert_eq!(said.status, 1, "{}{}", said.stdout, said.stderr);
    let text = words(&said.stdout);
    for part in [
        "value of rnd() at line 4 = 0",
        "`rnd`, which has no body here, gives any value, touches no memory, waits for no other thread",
    ] {
        assert!(text.contains(part), "no `{part}` in {text}");
    }
    let report = run(&["check", &file, "--block", "16", "--format", "json"]).json();
    let assumed = report["assumptions"].as_array().unwrap();
    let named = |sentence: &serde_json::Value| sentence.as_str().unwrap().starts_with("`rnd`");
    assert!(assumed.iter().any(named), "{report:#}");
    // The parameter itself is nobody's business, and its extent is not asked for.
    assert!(!text.contains("rnd() at line 4["), "{text}");
    assert!(!text.contains("--extent rnd"), "{text}");
    // A value for all: nobody, or everybody, writes.
    let fixed = |contents: &str| {
        let contents = format!("rnd() at line 4={contents}");
        let arguments = ["check", &file, "--block", "16", "--contents", &contents];
        run(&arguments).stdout
    };
    assert!(fixed("fill:7").contains("proved"), "{}", fixed("fill:7"));
    assert!(fixed("zero").contains("refuted"), "{}", fixed("zero"));
}

#[test]
fn a_search_and_a_pipeline_say_what_they_take_for_granted() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "k.cu", "a[threadIdx.x] = rnd();");
    let sentence = "`rnd`, which has no body here, gives any value";
    let said = words(&run(&["explore", &file]).stdout);
    assert!(said.contains(sentence), "{said}");
    let report = run(&["explore", &file, "--format", "json"]).json();
    let assumed = report["assumptions"][0].as_str().unwrap();
    assert!(assumed.starts_with(sentence), "{assumed}");
    write(
        dir.path(),
        "twice.cu",
        "__syncthreads(); __syncthreads(); a[threadIdx.x] = rnd();",
    );
    let pipeline = "name = 'p'\nstory = 's'\nsource = 'twice.cu'\nentry = 'k'\n\
        [[case]]\nname = 'small'\nlaunch = { grid = [1, 1, 1], block = [2, 1, 1] }\n\
        [[step]]\nname = 'once'\nrules = 'redundant-barrier'\n\
        expect = [{ profile = 'cuda', at-least = 'passed' }]\n";
    let path = dir.path().join("p.toml");
    std::fs::write(&path, pipeline).unwrap();
    let said = words(&run(&["verify", &path.display().to_string()]).stdout);
    assert!(said.contains(&format!("assumes: {sentence}")), "{said}");
}

#[test]
fn programs_are_never_told_apart_by_them() {
    let dir = tempfile::tempdir().unwrap();
    let compare = |old: &str, new: &str| {
        let (old, new) = (
            write(dir.path(), "old.cu", old),
            write(dir.path(), "new.cu", new),
        );
        let launch = [
            "--a-grid",
            "2",
            "--a-block",
            "4",
            "--b-grid",
            "2",
            "--b-block",
            "4",
        ];
        words(&run(&[&["equiv", &*old, &*new], &launch[..]].concat()).stdout)
    };
    let sum = format!("{OWN} int x = rnd(); a[i] = x + rnd();");
    let cell = format!("{OWN}\n\na[i] = rnd(); a[i] += rnd();");
    let said = compare(&sum, &cell);
    assert!(said.contains("equivalence proved"), "{said}");
    assert!(said.contains("`rnd`, which has no body here"), "{said}");
    let first = format!("{OWN} int x = rnd(); a[i] = x + 2 * rnd();");
    let second = format!("{OWN} int x = rnd(); a[i] = 2 * x + rnd();");
    let said = compare(&first, &second);
    assert!(said.contains("equivalence unknown"), "{said}");
    let broken = format!("{OWN} int x = rnd(); if (rnd()) __syncthreads(); a[i] = x;");
    let said = compare(&sum, &broken);
    assert!(said.contains("equivalence unknown"), "{said}");
}

#[test]
fn nobody_else_gets_such_a_kernel() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "k.cu", "a[threadIdx.x] = rnd();");
    let said = run(&["lower", &file, "--target", "cuda"]);
    assert_eq!(said.status, 2, "{}", said.stdout);
    assert!(said.stderr.contains("rnd() at line 4"), "{}", said.stderr);
    let main = "}\nint main() {\nk<<<1, 4>>>(0);\nreturn 0;";
    let file = write(
        dir.path(),
        "m.cu",
        &format!("a[threadIdx.x] = rnd();\n{main}"),
    );
    let said = words(&run(&["check", &file]).stdout);
    let why = "not supported: a launch of `k`, which needs what `rnd` gives";
    assert!(said.contains(why), "{said}");
    // The notation says everything.
    let file = write(dir.path(), "k.cu", "a[threadIdx.x] = rnd();");
    let scheme = run(&["lower", &file, "--target", "scheme"]).stdout;
    let path = dir.path().join("k.scheme");
    std::fs::write(&path, scheme).unwrap();
    let path = path.display().to_string();
    let said = words(&run(&["check", &path, "--block", "8"]).stdout);
    assert!(said.contains("races proved"), "{said}");
}

/// Constant memory of a kernel judged alone is an input, unless the user says otherwise.
#[test]
fn what_a_host_may_have_filled_is_an_input() {
    let file = "tests/language/filled-constants-broken.cu";
    let check = |contents: &[&str]| {
        let mut arguments = vec!["check", file, "--block", "8"];
        arguments.extend(contents);
        let said = run(&arguments);
        (said.status, words(&said.stdout))
    };
    let (status, text) = check(&[]);
    assert_eq!(status, 1, "{text}");
    assert!(
        text.contains("a host may have filled `offsets` before `scatter` starts"),
        "{text}"
    );
    let (status, text) = check(&["--contents", "offsets=initial"]);
    assert_eq!(status, 0, "{text}");
    let assumed = "when `scatter` starts, `offsets` still has what the file declares";
    assert!(text.contains(assumed), "{text}");
    let (status, text) = check(&["--contents", "offsets=range:0:1"]);
    assert_eq!(status, 0, "{text}");
    assert!(!text.contains("still has"), "{text}");
    let (status, text) = check(&["--contents", "offsets=fill:7"]);
    assert_eq!(status, 1, "{text}");
    // An argument has no contents of its own.
    let (status, _) = check(&["--contents", "in=initial"]);
    assert_eq!(status, 2);
    let (status, _) = check(&["--contents", "offsets=fill:much"]);
    assert_eq!(status, 2);
}

/// A value that is none is moved through variables, exchanges, arrays, structs and shared memory, and thrown away; or
/// it is used.
const MOVED: &str = "
struct Pair { int a, b; };
__device__ Pair made(int x, bool all) { Pair p; p.a = x; if (all) p.b = x; return p; }
__global__ void exchanged(int *out, int n) {
    int v;
    if ((threadIdx.x & 31) == 0) v = n;
    v = __shfl_sync(0xffffffffu, v, 0);
    out[threadIdx.x] = v;
}
__global__ void through_array(int *out, int n) {
    int t[4], v;
    if (n > 3) v = n;
    t[0] = v;
    t[1] = n;
    out[threadIdx.x] = t[1];
}
__global__ void through_struct(int *out, int n) {
    Pair p = made(n, n > 5), q = p;
    out[threadIdx.x] = q.a;
}
__global__ void through_shared(int *out, int n) {
    __shared__ int s[32];
    int v;
    if (threadIdx.x == 0) v = n;
    s[threadIdx.x] = v;
    __syncthreads();
    out[threadIdx.x] = s[0];
}
__global__ void converted(int *out, int n) {
    int v;
    if (n > 3) v = n;
    int w = v;
    long long l = w;
    out[threadIdx.x] = n > 3 ? (int)l : 0;
}
__global__ void exchanged_and_used(int *out, int n) {
    int v;
    if ((threadIdx.x & 31) == 0) v = n;
    v = __shfl_sync(0xffffffffu, v, 1);
    out[threadIdx.x] = v;
}
__global__ void array_and_used(int *out, int n) {
    int t[4], v;
    if (n > 3) v = n;
    t[0] = v;
    out[threadIdx.x] = t[0];
}
__global__ void converted_and_used(int *out, int n) {
    int v;
    if (n > 3) v = n;
    int w = v;
    out[threadIdx.x] = w;
}
";

#[test]
fn a_value_that_is_none_may_be_moved_and_thrown_away() {
    use gridlock::input::request::{EntryRequest, LaunchSpec, Request};
    use gridlock_checker::finding::DefectKind;
    use gridlock_checker::verdict::{Property, Verdict};
    let options = gridlock_frontend::ParseOptions::default();
    let language = gridlock_frontend::Language::Cuda;
    let parsed = gridlock_frontend::parse_source("moved.cu", MOVED, language, &options);
    let parsed = parsed.expect("reads");
    let entry = EntryRequest {
        launch: LaunchSpec {
            grid: Some([1; 3]),
            block: Some([32, 1, 1]),
            shared_bytes: None,
        },
        args: [("n".to_owned(), "2".to_owned())].into(),
        ..EntryRequest::default()
    };
    let request = Request::default();
    let report = gridlock::judge::check::check_parsed("moved.cu", parsed, &entry, &request);
    let report = report.expect("good input");
    for (index, subject) in report.subjects.iter().enumerate() {
        let is_used = subject.kernel.ends_with("_and_used");
        let own = report.properties.iter().filter(|p| p.subject == index);
        let mut reads = own.filter(|p| p.kind == Property::UninitialisedReads);
        let refuted = reads.any(|p| p.verdict == Verdict::Refuted);
        assert_eq!(refuted, is_used, "{}", subject.kernel);
        let mut shown = report.defects.iter().filter(|d| d.subject == index);
        let all_are_reads = shown.all(|d| d.kind == DefectKind::UninitialisedRead);
        assert!(all_are_reads, "{}", subject.kernel);
    }
    assert_eq!(report.subjects.len(), 8);
}
