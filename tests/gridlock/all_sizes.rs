//! Two kernels compared at every launch and all sizes, end to end; and random pairs of kernels: what is proved of them
//! is what runs at random launches show.

use crate::labelled::request;
use crate::tool::run;
use gridlock::judge::equivalence::{self, Compared, EquivOptions};
use gridlock::subject::prepared::Prepared;
use gridlock::subject::{self};
use gridlock_checker::verdict::Verdict;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_generation::effort;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::Launch;
use serde_json::Value;

fn equiv(old: &str, new: &str, more: &[&str]) -> Value {
    let files = [old, new].map(|name| format!("tests/input/all_sizes/{name}.cu"));
    let mut arguments = vec!["equiv", &files[0], &files[1], "--format", "json"];
    arguments.extend(more);
    let ran = run(&arguments);
    serde_json::from_str(&ran.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", ran.stdout, ran.stderr))
}

/// Nobody said how many elements there are; before the first there is none. What the old program does there is not judged, the
/// new one does nothing more.
#[test]
fn before_the_beginning() {
    let launch = ["--grid", "1", "--block", "32"];
    for (old, new) in [
        ("kept", "kept"),
        ("kept-below", "kept-below"),
        ("kept-below", "kept"),
    ] {
        let report = equiv(old, new, &launch);
        assert_eq!(report["verdict"], "proved", "{old} {new}: {report:#}");
        assert_eq!(report["properties"][0]["assurance"], "all-inputs-all-sizes");
    }
    let report = equiv("kept", "kept-below", &launch);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    assert_eq!(report["defects"][0]["kind"], "out-of-bounds", "{report:#}");
    // What the old program may do itself the new one may, and nothing else of the same array.
    let report = equiv("gather", "gather-return", &launch);
    assert_eq!(report["verdict"], "proved", "{report:#}");
    assert_eq!(report["properties"][0]["assurance"], "all-inputs-all-sizes");
    let report = equiv("gather", "gather-below", &launch);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
    assert_eq!(report["defects"][0]["kind"], "out-of-bounds", "{report:#}");
    // The same element under more, and another under the same: neither is what the old program may do.
    for other in ["gather-wider", "gather-next"] {
        let report = equiv("gather-below", other, &launch);
        assert_ne!(
            report["properties"][0]["assurance"], "all-inputs-all-sizes",
            "{other}: {report:#}"
        );
    }
}

/// No launch is needed where every launch is proved; and where it is not, one is asked for.
#[test]
fn every_launch() {
    let report = equiv("sums", "sums-return", &[]);
    assert_eq!(report["verdict"], "proved", "{report:#}");
    let property = &report["properties"][0];
    assert_eq!(property["assurance"], "all-inputs-all-sizes");
    assert_eq!(property["engine"], "symbolic");
    for wrong in ["sums-but-one", "sums-last"] {
        let files = ["sums", wrong].map(|name| format!("tests/input/all_sizes/{name}.cu"));
        let ran = run(&["equiv", &files[0], &files[1]]);
        assert_eq!(ran.status, 2, "{}", ran.stderr);
        assert!(ran.stderr.contains("no launch is known"), "{}", ran.stderr);
        let report = equiv("sums", wrong, &["--grid", "2", "--block", "32"]);
        assert_eq!(report["verdict"], "refuted", "{report:#}");
    }
}

/// A tile in shared memory, padded or not, at every grid.
#[test]
fn blocks_of_one_shape() {
    let launch = ["--grid", "2", "--block", "64"];
    let report = equiv("reversed", "reversed-padded", &launch);
    assert_eq!(report["verdict"], "proved", "{report:#}");
    let property = &report["properties"][0];
    assert_eq!(property["assurance"], "all-inputs");
    let said = property["explanation"].as_str().unwrap();
    assert!(
        said.contains("at every other launch of blocks of 64 threads"),
        "{said}"
    );
    let report = equiv("reversed", "reversed-wrong", &launch);
    assert_eq!(report["verdict"], "refuted", "{report:#}");
}

/// The product of matrices by tiles is the plain one, bit by bit, at every grid.
#[test]
fn a_product_by_tiles() {
    let launch = ["--grid", "2,2", "--block", "16,16"];
    let report = equiv("product", "product-tiled", &launch);
    assert_eq!(report["verdict"], "proved", "{report:#}");
    let property = &report["properties"][0];
    let said = property["explanation"].as_str().unwrap();
    assert!(
        said.contains("at every other launch of blocks of 16 × 16 threads"),
        "{said}"
    );
}

/// SplitMix64.
struct Choices(u64);

impl Choices {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }

    fn of<'a>(&mut self, options: &[&'a str]) -> &'a str {
        options[self.below(options.len() as u64) as usize]
    }

    fn expression(&mut self, depth: u32, loops: usize) -> String {
        let counter = format!("k{}", self.below(loops.max(1) as u64));
        let leaves = ["i", "n", "s", "v", "1", "3", "t"];
        match self.below(if depth == 0 { 3 } else { 9 }) {
            0 if loops > 0 => counter,
            0 | 1 => self.of(&leaves).to_owned(),
            2 => format!("in[({}) & 31]", self.of(&["i", "n + t", "s", "v + 1", "3"])),
            3 => {
                let condition = self.expression(depth - 1, loops);
                let (a, b) = (self.expression(depth - 1, loops), self.of(&leaves));
                format!("({condition} > 2 ? {a} : {b})")
            }
            n => {
                let (a, b) = (
                    self.expression(depth - 1, loops),
                    self.expression(depth - 1, loops),
                );
                let operator = ["+", "-", "*", "+", "^", "&"][n as usize % 6];
                format!("({a} {operator} {b})")
            }
        }
    }

    fn statement(&mut self, depth: u32, loops: usize) -> String {
        let variable = self.of(&["s", "v"]);
        match self.below(if depth == 0 { 3 } else { 6 }) {
            0 | 1 => format!("{variable} = {};", self.expression(2, loops)),
            2 => format!("{variable} += {};", self.expression(1, loops)),
            3 => format!(
                "if ({} < {}) {{ {} }}",
                self.expression(1, loops),
                self.expression(0, loops),
                self.statement(depth - 1, loops)
            ),
            _ => {
                let from = self.of(&["0", "t", "1", "0"]);
                let to = self.of(&["n", "n - 1", "i", "n + 2"]);
                let step = self.of(&["1", "1", "2", "3"]);
                let body: Vec<String> = (0..1 + self.below(2))
                    .map(|_| self.statement(depth - 1, loops + 1))
                    .collect();
                format!(
                    "for (int k{loops} = {from}; k{loops} < {to}; k{loops} += {step}) {{ {} }}",
                    body.join(" ")
                )
            }
        }
    }

    fn kernel(&mut self) -> String {
        let statements: Vec<String> = (0..1 + self.below(3))
            .map(|_| self.statement(2, 0))
            .collect();
        let exchange = match self.below(3) {
            0 => {
                "sh[t] = s; __syncthreads(); v = sh[t < 7 ? t + 1 : t]; __syncthreads(); sh[t] = v;"
            }
            1 => "sh[2 * t] = v; sh[2 * t + 1] = s; __syncthreads(); s = sh[t] + sh[t + 8];",
            _ => "",
        };
        let first = statements.join("\n    ");
        let second = self.statement(1, 0);
        format!(
            "__global__ void k(int *out, const int *in, int n) {{
    __shared__ int sh[16];
    int t = threadIdx.x, i = blockIdx.x * 8 + t, s = 1, v = t;
    {first}
    {exchange}
    {second}
    if (i < n) out[i] = s + v;
}}"
        )
    }

    /// The kernel with one thing changed, which may or may not change what it does.
    fn changed(&mut self, kernel: &str) -> String {
        let edits = [
            ("+", "-"),
            ("< n", "<= n"),
            ("k0 = 0", "k0 = 1"),
            ("1", "2"),
            ("3", "4"),
            (" * ", " + "),
            ("> 2", "> 3"),
            ("(i + ", "(t + "),
            ("t + 1", "t"),
            ("s = 1", "s = 0 + 1"),
            ("v = t", "v = t * 1"),
            ("s + v", "v + s"),
            ("& 31", "% 32"),
            ("+= 2", "+= 1"),
            ("sh[t]", "sh[t + 0]"),
            ("n - 1", "n"),
            ("i < n", "n > i"),
            ("> 2 ?", ">= 3 ?"),
            ("^", "|"),
            ("s;", "s * 1;"),
        ];
        for _ in 0..20 {
            let (from, to) = edits[self.below(edits.len() as u64) as usize];
            let places: Vec<usize> = kernel.match_indices(from).map(|(at, _)| at).collect();
            if places.is_empty() {
                continue;
            }
            let at = places[self.below(places.len() as u64) as usize];
            let mut changed = kernel.to_owned();
            changed.replace_range(at..at + from.len(), to);
            return changed;
        }
        kernel.to_owned()
    }
}

fn prepared(source: &str) -> Option<Prepared> {
    let parsed = parse_source("k.cu", source, Language::Cuda, &ParseOptions::default()).ok()?;
    parsed
        .unsupported
        .is_empty()
        .then(|| Prepared::new(parsed.program))
}

/// Whatever is proved of two kernels shows in runs, at launches and sizes drawn anew. Most pairs differ; of the others
/// many are proved.
#[test]
fn what_is_proved_of_random_pairs_shows() {
    let (n_pairs, seed) = (effort::cases(4, 1_000), effort::first(1));
    let (mut n_proved, mut n_changed) = (0, 0);
    for pair in 0..n_pairs {
        let mut choices = Choices(seed.wrapping_mul(1_000_003).wrapping_add(pair));
        let old = choices.kernel();
        let new = choices.changed(&old);
        let (Some(a), Some(b)) = (prepared(&old), prepared(&new)) else {
            continue;
        };
        let side = |prepared: &'static Prepared, launch: Option<Launch>| {
            let kernel = prepared.surface.procs_of_kind(ProcKind::Kernel).next()?;
            let asked = gridlock::input::request::EntryRequest::default();
            let mut point = subject::resolve_entry(&prepared.surface, kernel, &asked, None).ok()?;
            point.launch = launch;
            Some(Compared {
                file: "k.cu".to_owned(),
                prepared,
                point,
            })
        };
        let (a, b): (&'static Prepared, &'static Prepared) =
            (Box::leak(Box::new(a)), Box::leak(Box::new(b)));
        let mut asked = request(Profile::default(), 1_000);
        asked.limits.seconds = 20.0;
        let options = EquivOptions::default();
        let launch = |grid: u32| Launch {
            grid: [grid, 1, 1],
            block: [8, 1, 1],
            shared_bytes: 0,
        };
        let (Some(x), Some(y)) = (side(a, Some(launch(1))), side(b, Some(launch(1)))) else {
            panic!("no kernel: {old}");
        };
        let proved = equivalence::is_proved_at_all_sizes(&x, &y, &asked, &options);
        if !proved.unwrap_or_else(|e| panic!("{e}\n{old}\n{new}")) {
            continue;
        }
        n_proved += 1;
        n_changed += u64::from(old != new);
        asked.symbolic = false;
        asked.sampling.count = 4;
        for grid in 1..=3 {
            let (Some(x), Some(y)) = (side(a, Some(launch(grid))), side(b, Some(launch(grid))))
            else {
                panic!("no kernel: {old}");
            };
            let judged = equivalence::compare(&x, &y, &asked, &options)
                .unwrap_or_else(|e| panic!("{e}\n{old}\n{new}"));
            assert_ne!(
                judged.verdict,
                Verdict::Refuted,
                "proved, and a run shows a difference at grid {grid}:\n{old}\n{new}\n{judged:#?}"
            );
        }
    }
    println!("{n_proved} of {n_pairs} pairs are proved, {n_changed} of them changed");
    assert!(
        4 * n_proved > n_pairs && n_changed > 0,
        "{n_proved}, {n_changed}"
    );
}
