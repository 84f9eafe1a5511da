//! Every kind of defect is explained: a planted fault shows the right lines, threads, interval and
//! values, in text and in JSON.

use crate::tool::run;
use gridlock_generation::effort;
use serde_json::Value;

/// A short run looks at one of these in so many.
const SHARE: usize = 8;

/// The report of a kernel of the corpus, as text with single blanks and as JSON.
fn reports(arguments: &[&str]) -> (String, Value) {
    let save = tempfile::NamedTempFile::new().unwrap();
    let file = save.path().to_str().unwrap();
    let text = run(&[arguments, &["--save-witness", file]].concat());
    assert_eq!(text.status, 1, "{}{}", text.stdout, text.stderr);
    let words: Vec<&str> = text.stdout.split_whitespace().collect();
    let json = run(&[arguments, &["--format", "json"]].concat()).json();
    let again = run(&["replay", file]);
    assert_eq!(again.status, 0, "{}", again.stdout);
    (words.join(" "), json)
}

/// The first defect of `kind` and whether the text has each of `said`.
fn check(arguments: &[&str], kind: &str, said: &[&str]) -> Value {
    let (text, json) = reports(arguments);
    for said in said {
        assert!(text.contains(said), "no `{said}` in {text}");
    }
    assert!(
        text.contains("to step through it: gridlock replay "),
        "{text}"
    );
    assert!(text.contains("schedule, "), "{text}");
    let defects = json["defects"].as_array().unwrap();
    let found = defects.iter().find(|defect| defect["kind"] == kind);
    let found = found.unwrap_or_else(|| panic!("no {kind} in {json:#}"));
    found["explanation"].clone()
}

/// `name = value` of a moment.
fn values(moment: &Value) -> Vec<(String, String)> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let values = moment["values"].as_array().into_iter().flatten();
    values
        .map(|value| (text(&value["name"]), text(&value["value"])))
        .collect()
}

fn has(moment: &Value, name: &str, value: &str) {
    let found = values(moment);
    let wanted = (name.to_owned(), value.to_owned());
    assert!(found.contains(&wanted), "{name} = {value}: {found:?}");
}

/// Both sides of a race with the values of their indices, and the barrier interval they share.
#[test]
fn a_race_shows_both_sides() {
    let told = check(
        &["check", "tests/corpus/races/tree-sum-broken.cu"],
        "data-race",
        &[
            "reads `cell[1]` = 19 as `cell[t + s]`, with t = 0, s = 1, in round 4 of the loop at line 13",
            "writes `cell[1]` := 69 (was 19) as `cell[t]`, with t = 1",
            "barrier interval, of both: from the barrier at line 12 to the end of the kernel",
        ],
    );
    let [reads, writes] = told["moments"].as_array().unwrap().as_slice() else {
        panic!("{told:#}");
    };
    assert_eq!(reads["site"]["line"], 15);
    assert_eq!(reads["site"]["thread"], serde_json::json!([0, 0, 0]));
    assert_eq!(writes["site"]["thread"], serde_json::json!([1, 0, 0]));
    has(reads, "s", "1");
    has(writes, "cell[9]", "50");
    assert_eq!(reads["rounds"][0]["number"], 4);
    assert_eq!(writes["rounds"][0]["number"], 1);
    assert_eq!(reads["interval"]["number"], 1);
    assert_eq!(reads["interval"]["from"]["at"]["line"], 12);
    assert!(told["steps"].as_u64().unwrap() > told["switches"].as_u64().unwrap());
}

#[test]
fn a_race_between_blocks_says_that_no_barrier_helps() {
    let told = check(
        &[
            "check",
            "tests/corpus/races/across-blocks-broken.cu",
            "--grid",
            "2",
            "--block",
            "4",
        ],
        "data-race",
        &[
            "of block (0,0,0) writes `out[0]` := ",
            "the threads are in different blocks, which no barrier of a block orders",
            "from the start of the kernel to its end",
        ],
    );
    let moments = told["moments"].as_array().unwrap();
    assert_ne!(moments[0]["site"]["block"], moments[1]["site"]["block"]);
}

/// Who waits, who never comes, and the condition that parted them.
#[test]
fn divergence_shows_where_the_ways_part() {
    let told = check(
        &["check", "tests/corpus/barriers/in-a-branch-broken.cu"],
        "barrier-divergence",
        &[
            "threads (0,0,0) to (7,0,0) wait at line 13 (`__syncthreads()`) for all threads of \
             the block at this barrier: threads (8,0,0) to (15,0,0) have reached the end",
            "their ways part at line 11: `t < blockDim.x / 2` holds for thread (0,0,0) (t = 0, \
             blockDim.x = 16), does not hold for thread (8,0,0) (t = 8, blockDim.x = 16)",
        ],
    );
    assert_eq!(told["waits"][0]["number"], 8);
    assert_eq!(told["waits"][0]["for_whom"][0]["number"], 8);
    assert_eq!(told["parting"]["at"]["line"], 11);
    assert_eq!(told["parting"]["sides"][0]["holds"], true);
    assert_eq!(told["parting"]["sides"][1]["holds"], false);
}

#[test]
fn divergence_in_a_loop_shows_the_round() {
    check(
        &[
            "check",
            "tests/corpus/barriers/loop-count-broken.cu",
            "--arg",
            "n=3",
        ],
        "barrier-divergence",
        &[
            "their ways part at line 12: `k < n + t % 2` holds for thread (1,0,0) (k = 3, n = 3, t = 1)",
        ],
    );
}

#[test]
fn the_barrier_of_the_grid_names_the_blocks() {
    check(
        &[
            "check",
            "tests/corpus/synchronisation/grid-divergence-broken.cu",
        ],
        "barrier-divergence",
        &[
            "of block (0,0,0) wait at line 13",
            "for all threads of the launch at this barrier: threads (0,0,0) to (1,0,0) of block \
             (1,0,0) have reached the end",
            "`blockIdx.x == 0` holds for thread (0,0,0) of block (0,0,0) (blockIdx.x = 0)",
        ],
    );
}

/// Named barriers that wait for one another.
#[test]
fn a_deadlock_says_who_waits_for_whom() {
    let told = check(
        &["check", "tests/corpus/synchronisation/pipeline-broken.cu"],
        "deadlock",
        &[
            "threads (0,0,0) to (31,0,0) wait at line 9",
            "called at line 23, for 64 threads at barrier 2, of which 32 have come: threads \
             (32,0,0) to (63,0,0) wait at line 9 (called at line 31)",
            "for 64 threads at barrier 1, of which 32 have come",
        ],
    );
    assert_eq!(told["waits"].as_array().unwrap().len(), 2);
}

#[test]
fn a_deadlock_of_the_literal_barrier() {
    check(
        &[
            "check",
            "tests/corpus/barriers/paper-deadlock-broken.cu",
            "--profile",
            "paper",
            "--block",
            "2",
            "--arg",
            "n=1",
        ],
        "deadlock",
        &[
            "thread (0,0,0) waits at line 14 (`__syncthreads()`)",
            "thread (1,0,0) has returned",
            "their ways part at line 11: `t >= n` does not hold for thread (0,0,0) (t = 0, n = 1)",
        ],
    );
}

/// On which location threads spin, who left the value there, and who would have to change it.
#[test]
fn a_livelock_says_what_is_looked_at_and_who_left_it_so() {
    let told = check(
        &["check", "tests/corpus/progress/lock-broken.cu"],
        "livelock",
        &[
            "for a change of `lock` (it is 1), as line 17 may make: thread (0,0,0) of block \
             (0,0,0) has ended",
            "`lock` = 1 was left there by thread (0,0,0) of block (0,0,0) at line 12, which has \
             returned",
        ],
    );
    assert_eq!(told["waits"][0]["site"]["line"], 12);
    check(
        &["check", "tests/corpus/progress/handing-over-broken.cu"],
        "livelock",
        &[
            "thread (0,0,0) of block (1,0,0) has not started, for the block gets no place",
            "nothing has changed `ready` since the start",
        ],
    );
}

#[test]
fn faults_show_their_values() {
    let bounds = check(
        &["check", "tests/corpus/bounds/shared-tile-broken.cu"],
        "out-of-bounds",
        &[
            "thread (15,0,0) at `tile[t + 1]`, with t = 15",
            "barrier interval: from the barrier at line 11 on",
        ],
    );
    has(&bounds["moments"][0], "t", "15");
    let read = check(
        &[
            "check",
            "tests/corpus/initialisation/shared-memory-broken.cu",
        ],
        "uninitialised-read",
        &[
            "at `cell[blockDim.x - 1 - t]`, with blockDim.x = 32, t = 0",
            "`cell` is written at line 12, but not this cell on the way here",
        ],
    );
    assert_eq!(read["moments"][0]["interval"]["from"]["at"]["line"], 13);
    let assertion = ["check", "tests/corpus/assertions/guard-broken.cu"];
    let launch = ["--grid", "2", "--block", "4", "--arg", "n=6"];
    let assertion = check(
        &[&assertion[..], &launch].concat(),
        "assertion",
        &["with i = 6, n = 6"],
    );
    assert_eq!(assertion["moments"][0]["site"]["line"], 16);
    let division = ["check", "tests/corpus/arithmetic/division-broken.cu"];
    let division = check(
        &[&division[..], &["--block", "4", "--arg", "n=0"]].concat(),
        "division-by-zero",
        &["n = 0"],
    );
    has(&division["moments"][0], "n", "0");
}

#[test]
fn defects_of_the_host_show_theirs() {
    let arguments = ["-k", "run", "--arg", "n=6", "--extent", "numbers=n"];
    let leak = ["check", "tests/corpus/streams/leak-broken.cu"];
    check(
        &[&leak[..], &arguments].concat(),
        "leak",
        &["the host with n = 6"],
    );
    let freed = ["check", "tests/corpus/host/use-after-free-broken.cu"];
    let freed = check(
        &[&freed[..], &arguments].concat(),
        "use-after-free",
        &["at `a[i]`, with i = 0, n = 6", "`a` was made at line "],
    );
    assert_eq!(freed["moments"][0]["site"]["line"], 15);
    let twice = ["check", "tests/corpus/host/double-free-broken.cu"];
    check(
        &[&twice[..], &arguments].concat(),
        "double-free",
        &["and freed at line 25"],
    );
    let in_use = ["check", "tests/corpus/streams/freed-in-use-broken.cu"];
    check(
        &[&in_use[..], &arguments].concat(),
        "use-after-free",
        &[
            "thread (0,0,0) of block (0,0,0) reads `a[0]` = -96 as `a[i]`, with i = 0, n = 6",
            "the host frees `a`",
        ],
    );
}

const TOTALS: &str = "tests/input/totals.cu";
const SHORT: &str = "tests/input/totals_short.cu";

/// What two programs leave differently; both sides are replayed.
fn compared(old: &str, new: &str, arguments: &[&str], said: &[&str]) -> Value {
    let dir = tempfile::tempdir().unwrap();
    let [file, beside] = ["w.json", "w-old.json"].map(|name| dir.path().join(name));
    let [file, beside] = [&file, &beside].map(|path| path.to_str().unwrap());
    let all = [&["equiv", old, new, "--arg", "n=3"], arguments].concat();
    let text = run(&[&all[..], &["--save-witness", file]].concat());
    assert_eq!(text.status, 1, "{}{}", text.stdout, text.stderr);
    let words: Vec<&str> = text.stdout.split_whitespace().collect();
    let words = words.join(" ");
    let commands = [
        format!("to step through the new program: gridlock replay {file}"),
        format!("to step through the old program: gridlock replay {beside}"),
    ];
    for said in said
        .iter()
        .copied()
        .chain(commands.iter().map(String::as_str))
    {
        assert!(words.contains(said), "no `{said}` in {words}");
    }
    for witness in [file, beside] {
        let again = run(&["replay", witness]);
        assert_eq!(again.status, 0, "{}", again.stdout);
        assert!(again.stdout.contains("reproduced: "), "{}", again.stdout);
    }
    let json = run(&[&all[..], &["--format", "json"]].concat()).json();
    assert_eq!(json["defects"][0]["kind"], "not-equivalent");
    json["defects"][0].clone()
}

const KERNEL: &[&str] = &[
    "--kernel", "totals", "--grid", "2", "--block", "2", "--extent", "rows=12", "--extent",
    "total=4",
];

/// The first cell that differs, both values, and which line and thread wrote each.
#[test]
fn programs_that_differ_show_who_wrote_each_side() {
    let defect = compared(
        TOTALS,
        SHORT,
        KERNEL,
        &[
            "`new.total[3] == old.total[3]` does not hold: the new program leaves 107, the old one \
             170",
            "old program: `total[3]` = 170 at the end, written last at tests/input/totals.cu:8: \
             thread (1,0,0) of block (1,0,0) writes `total[3]` := 170 (was 95) as `total[row]`, \
             with row = 3, sum = 170",
            "new program: `total[3]` = 107 at the end, written last at \
             tests/input/totals_short.cu:9: thread (1,0,0) of block (1,0,0) writes `total[3]` := 107",
            "both programs: grid 2, block 2; rows = [-96, -99, 30, -52, 91, 76, -72, -60, …] of 12 \
             elements, total = [-65, -83, -97, 95], n = 3",
            "thread (1,0,0) of block (1,0,0) writes here last, in the old program",
        ],
    );
    let sides = defect["explanation"]["compared"].as_array().unwrap();
    let expected = [("old", TOTALS, 8, "170"), ("new", SHORT, 9, "107")];
    assert_eq!(sides.len(), expected.len());
    for (side, (whose, file, line, value)) in sides.iter().zip(expected) {
        assert_eq!(side["side"], whose);
        assert_eq!(side["file"], file);
        assert_eq!(side["launch"]["grid"], serde_json::json!([2, 1, 1]));
        let cell = &side["cells"][0];
        assert_eq!(cell["cell"], "total[3]");
        assert_eq!(cell["value"], value);
        let wrote = &cell["wrote"][0];
        assert_eq!(wrote["site"]["line"], line);
        assert_eq!(wrote["site"]["thread"], serde_json::json!([1, 0, 0]));
        assert_eq!(wrote["site"]["block"], serde_json::json!([1, 0, 0]));
        has(wrote, "sum", value);
    }
    assert_eq!(defect["accesses"][1]["line"], 9);
    assert_eq!(defect["original"]["file"], TOTALS);
}

/// What a host function leaves is followed back through its copies to the thread that wrote it.
#[test]
fn a_copy_is_followed_back_to_the_thread_that_wrote_it() {
    let function = [
        "--kernel", "sum_rows", "--extent", "rows=12", "--extent", "total=4",
    ];
    let defect = compared(
        TOTALS,
        SHORT,
        &function,
        &[
            "written last at tests/input/totals.cu:18: the host copies `d_total[3]` to `total[3]` \
             := 170",
            "new program: what was copied was written at tests/input/totals_short.cu:9: thread \
             (1,0,0) of block (1,0,0) writes `d_total[3]` := 107",
        ],
    );
    let cell = &defect["explanation"]["compared"][1]["cells"][0];
    let lines = cell["wrote"].as_array().unwrap().iter();
    let lines: Vec<&Value> = lines.map(|moment| &moment["site"]["line"]).collect();
    assert_eq!(lines, [19, 9]);
}

/// A cell that one side leaves as it was.
#[test]
fn a_side_that_writes_nothing_says_so() {
    let text = std::fs::read_to_string(TOTALS).unwrap();
    let text = text.replace("total[row] = sum;", "if (row < 3) total[row] = sum;");
    let file = tempfile::Builder::new().suffix(".cu").tempfile().unwrap();
    std::fs::write(file.path(), text).unwrap();
    let new = file.path().to_str().unwrap();
    let said = "new program: `total[3]` = 95 at the end; nothing has written it";
    let defect = compared(TOTALS, new, KERNEL, &[said]);
    let side = &defect["explanation"]["compared"][1];
    assert_eq!(side["cells"][0]["wrote"], serde_json::json!([]));
}

/// The sides of a relation need not be cells: each cell of it is told of with its own value.
#[test]
fn a_relation_of_sums_shows_each_cell() {
    let relation = [
        KERNEL,
        &[
            "--observe",
            "new.total[k] + 1 == old.total[k] for k in 0..1",
        ],
    ];
    let defect = compared(
        TOTALS,
        SHORT,
        &relation.concat(),
        &[
            "`new.total[0] + 1 == old.total[0]` does not hold: the new program leaves -164, the \
             old one -165",
            "old program: `total[0]` = -165 at the end",
            "new program: `total[0]` = -165 at the end",
        ],
    );
    assert_eq!(
        defect["explanation"]["compared"][1]["cells"][0]["value"],
        "-165"
    );
}

/// The words of a text that look like names the tool makes: a number behind a name, or a place for what has no
/// name in the source. Those that the source has are none.
fn made_names(said: &str, source: &str) -> Vec<String> {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| c != '_' && !c.is_ascii_alphanumeric());
        words.map(str::to_owned).collect()
    };
    let of_source = words(source);
    let is_made = |word: &String| {
        let (base, number) = word.rsplit_once('_').unwrap_or((word, "1"));
        let numbered = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
        numbered && (base == "temporary" || base == "unnamed" || base.len() < word.len())
    };
    let mut found = words(said);
    found.retain(|word| is_made(word) && !of_source.contains(word));
    found
}

/// All texts of a report.
fn texts(value: &Value, found: &mut String) {
    match value {
        Value::String(text) => {
            found.push_str(text);
            found.push('\n');
        }
        Value::Array(values) => values.iter().for_each(|value| texts(value, found)),
        Value::Object(fields) => fields.values().for_each(|value| texts(value, found)),
        _ => {}
    }
}

#[test]
fn names_that_the_tool_made_are_told_apart() {
    let source = "int bi, row_2; f(bi)";
    let said = "`bins[bi_1]` with row_2 = 1 and `bins[temporary]`, temporary_3; d_";
    assert_eq!(
        made_names(said, source),
        ["bi_1", "temporary", "temporary_3"]
    );
}

/// Variables of one name in several blocks, in functions read in place, and operands that are kept: what is
/// said of them has the words of the source, in every command.
#[test]
fn names_are_those_of_the_source() {
    let file = "tests/input/names_twice.cu";
    let source = std::fs::read_to_string(file).unwrap();
    let witness = tempfile::NamedTempFile::new().unwrap();
    let witness = witness.path().to_str().unwrap();
    let launch = ["--block", "4", "--extent", "bins=8", "--extent", "key=8"];
    let commands: &[&[&str]] = &[
        &["check", file, "--save-witness", witness],
        &["check", file, "--explain-conditions"],
        &["prove", file],
        &["explore", file],
    ];
    for command in commands {
        // What the first saves is replayed below.
        if !effort::is_next_done(3) {
            continue;
        }
        let said = run(&[command, &launch[..]].concat());
        assert_eq!(said.status, 1, "{}", said.stderr);
        assert_eq!(
            made_names(&said.stdout, &source),
            [""; 0],
            "{}",
            said.stdout
        );
        let json = run(&[command, &launch[..], &["--format", "json"]].concat()).json();
        let mut said = String::new();
        texts(&json["defects"], &mut said);
        texts(&json["assumptions"], &mut said);
        assert_eq!(made_names(&said, &source), [""; 0], "{said}");
    }
    let said = run(&["check", file, "--block", "4", "--extent", "bins=8"]).stdout;
    for part in ["`bins[bi]`", "with bi = ", "d = "] {
        assert!(said.contains(part), "no {part} in {said}");
    }
    let again = run(&["replay", witness]);
    assert_eq!(
        made_names(&again.stdout, &source),
        [""; 0],
        "{}",
        again.stdout
    );
}

/// The same of all that is said of the corpus.
#[test]
fn names_of_the_corpus_are_those_of_the_source() {
    let folders = std::fs::read_dir("tests/corpus").unwrap();
    let files = folders.filter_map(|folder| std::fs::read_dir(folder.ok()?.path()).ok());
    let files = files.flatten().map(|file| file.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|file| file.to_str().is_some_and(|name| name.contains("-broken.c")))
        .collect();
    files.sort();
    assert!(files.len() > 100);
    for file in files {
        let source = std::fs::read_to_string(&file).unwrap();
        let shown = file.to_str().unwrap();
        let said = run(&["check", shown, "--seconds", "5", "--format", "json"]);
        let mut text = String::new();
        texts(&said.json()["defects"], &mut text);
        texts(&said.json()["assumptions"], &mut text);
        assert_eq!(made_names(&text, &source), [""; 0], "{shown}: {text}");
    }
}

/// Cells of structs and vectors are named as the source writes them, wherever one is shown: file, options, kind of the
/// defect, its element, what the text says besides.
#[test]
fn cells_are_named_as_the_source_writes_them() {
    type Case<'c> = (&'c str, &'c [&'c str], &'c str, &'c str, &'c [&'c str]);
    let cases: [Case<'_>; 13] = [
        (
            "point_race.cu",
            &["--block", "8"],
            "data-race",
            "s[0].y",
            &[
                "thread (0,0,0) and thread (1,0,0) both write `s[0].y` at",
                "thread (1,0,0) writes `s[0].y` := 1.0 (was 0.0) as `s[t / 2].y`, with t = 1",
            ],
        ),
        (
            "nested.cu",
            &["--block", "4"],
            "data-race",
            "b[0].vel.z",
            &["thread (1,0,0) writes `b[0].vel.z` := 1 (was 0) as `b[t & 2].vel.z`"],
        ),
        (
            "nested.cu",
            &["--block", "8"],
            "out-of-bounds",
            "b[4].pos.x",
            &["writes `b[4].pos.x` at tests/input/members/nested.cu:8, but `b` has 4 elements"],
        ),
        (
            "grid_of_structs.cu",
            &["--block", "8"],
            "data-race",
            "m[1][0].a[1][2]",
            &[
                "thread (0,0,0) writes `m[1][0].a[1][2]` := 0 (was never written) as `m[1][t / 4].a[1][2]`",
            ],
        ),
        (
            "vectors.cu",
            &["--block", "8", "--extent", "in=8"],
            "out-of-bounds",
            "in[8].y",
            &["reads `in[8].y` at tests/input/members/vectors.cu:7, but `in` has 8 elements"],
        ),
        (
            "vectors.cu",
            &["--block", "16", "--extent", "in=32"],
            "data-race",
            "v[0].w",
            &[
                "thread (8,0,0) writes `v[0].w`",
                "as `v[t % 8].w`, with t = 8",
            ],
        ),
        (
            "global_pointer.cu",
            &["--block", "8", "--extent", "p=8"],
            "out-of-bounds",
            "p[-1].x",
            &["reads `p[-1].x` at tests/input/members/global_pointer.cu:6, but `p` has 8 elements"],
        ),
        (
            "past_the_end.cu",
            &["--block", "32", "--extent", "p=32"],
            "out-of-bounds",
            "s[32].x",
            &["reads `s[32].x` at tests/input/members/past_the_end.cu:9, but `s` has 32 elements"],
        ),
        (
            "private_array.cu",
            &["--block", "4", "--extent", "out=4"],
            "uninitialised-read",
            "mine[0].second",
            &[
                "reads `mine[0].second` at tests/input/members/private_array.cu:9, which has no value",
            ],
        ),
        (
            "template_parameter.cu",
            &["--block", "8"],
            "data-race",
            "s[0].g",
            &["thread (1,0,0) writes `s[0].g` := 1 (was 0) as `s[t / 2].g`"],
        ),
        (
            "members_apart.cu",
            &["--block", "16"],
            "out-of-bounds",
            "s[2][0].next",
            &[
                "writes `s[2][0].next` at tests/input/members/members_apart.cu:7, but `s` has 8 elements",
            ],
        ),
        (
            "pointer_in_struct.cu",
            &["--block", "8"],
            "data-race",
            "args.p[0].y",
            &["both write `args.out[0]` at tests/input/members/pointer_in_struct.cu:8"],
        ),
        (
            "vector_cells.cl",
            &["--block", "8"],
            "data-race",
            "pair[0].y",
            &["work-item (1,0,0) writes `pair[0].y` := 1 (was 0) as `pair[t / 2].y`"],
        ),
    ];
    let numbered = cases.into_iter().enumerate();
    let chosen = numbered.filter(|(number, _)| effort::is_done(*number, SHARE));
    for (_, (file, options, kind, element, said)) in chosen {
        let path = format!("tests/input/members/{file}");
        let (text, json) = reports(&[&["check", &*path], options].concat());
        for said in said {
            assert!(text.contains(said), "no `{said}` in {text}");
        }
        let defects = json["defects"].as_array().unwrap();
        let found = defects.iter().find(|defect| defect["kind"] == kind);
        let found = found.unwrap_or_else(|| panic!("no {kind} in {json:#}"));
        assert_eq!(found["element"], element, "{file}");
    }
}

/// A variable that is no array is its only cell: nobody writes `*sum`.
#[test]
fn single_cells_are_named_as_the_source_writes_them() {
    for (kernel, said) in [
        (
            "shared_cell",
            "both write `sum` at tests/input/members/single_cells.cu:6, and",
        ),
        (
            "global_cell",
            "writes `count` at tests/input/members/single_cells.cu:12, thread (1,0,0)",
        ),
        (
            "never_written",
            "reads `first` at tests/input/members/single_cells.cu:17, which was never written",
        ),
        (
            "read_as_index",
            "as `out[count]`, with count = 0, threadIdx.x = 0",
        ),
        ("array_of_one", "as `*one`, with threadIdx.x = 0"),
    ] {
        let file = "tests/input/members/single_cells.cu";
        let (text, _) = reports(&["check", file, "--kernel", kernel, "--block", "2"]);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(said), "no `{said}` in {text}");
        let of_cell = ["`*sum`", "`*count`", "`*first`", "[*count]"];
        assert!(!of_cell.iter().any(|cell| text.contains(cell)), "{text}");
    }
}

/// Memory that host code allocates goes by the name of its pointer, and so do its cells; a pointer to a struct is
/// shown as one.
#[test]
fn cells_of_allocations_are_named_as_the_source_writes_them() {
    let (text, json) = reports(&["check", "tests/input/members/launched.cu"]);
    for said in [
        "reads `d[32].x` at tests/input/members/launched.cu:9, but `d` has 32 elements",
        "with q = &d[0], t = 32, n = 32",
    ] {
        assert!(text.contains(said), "no `{said}` in {text}");
    }
    assert_eq!(json["defects"][0]["element"], "d[32].x");
}

/// Where it is not certain which member a cell is, cells are numbered; which of two arrays of one name is meant is
/// told by who accesses it.
#[test]
fn cells_of_unknown_members_are_numbered() {
    for (file, element) in [("seen_as_bytes.cu", "s[0]"), ("one_name.cu", "s[0].y")] {
        let path = format!("tests/input/members/{file}");
        let (text, json) = reports(&["check", &path, "--block", "8"]);
        assert!(
            text.contains(&format!("both write `{element}` at")),
            "{text}"
        );
        assert_eq!(json["defects"][0]["element"], element, "{file}");
    }
    let (text, json) = reports(&["check", "tests/input/members/one_name.cu", "--block", "8"]);
    assert!(text.contains("both write `s[0]` at"), "{text}");
    assert_eq!(json["defects"][1]["element"], "s[0]");
    let file = "tests/input/members/one_name_outside.cu";
    let (text, json) = reports(&["check", file, "--block", "16"]);
    assert!(
        text.contains(
            "writes `s[8].y` at tests/input/members/one_name_outside.cu:6, but `s` has 8"
        ),
        "{text}"
    );
    assert_eq!(json["defects"][0]["element"], "s[8].y");
}

/// What two programs leave otherwise is named as their sources have it; a relation that was given stays as it is.
#[test]
fn differences_name_cells_as_the_source_writes_them() {
    let left = |file: &str| format!("tests/input/members/{file}.cu");
    let equiv = |new: &str, more: &[&str]| {
        let (old, new) = (left("left"), left(new));
        reports(&[&["equiv", &old, &new, "--block", "2"], more].concat())
    };
    for (new, said) in [
        ("left_otherwise", "`new.p[0].y == old.p[0].y` does not hold"),
        ("left_row", "`new.m[0][2] == old.m[0][2]` does not hold"),
    ] {
        let (text, _) = equiv(new, &[]);
        assert!(text.contains(said), "{text}");
    }
    let (text, _) = equiv("left_otherwise", &["--observe", "new.p[i] == old.p[i]"]);
    assert!(
        text.contains("`new.p[1] == old.p[1]` does not hold"),
        "{text}"
    );
}

/// A witness is followed in the same words, and its cells are watched by them.
#[test]
fn a_replay_names_cells_as_the_source_writes_them() {
    let save = tempfile::NamedTempFile::new().unwrap();
    let file = save.path().to_str().unwrap();
    let source = "tests/input/members/point_race.cu";
    let check = ["check", source, "--block", "8", "--save-witness", file];
    assert_eq!(run(&check).status, 1);
    let steps = run(&["replay", file, "--print", "--watch", "s[0].y"]).stdout;
    for said in ["writes s[0].y := 1.0 (was 0.0)", "watch s[0].y = 1.0"] {
        assert!(steps.contains(said), "no `{said}` in {steps}");
    }
    let trace = run(&["trace", source, "--block", "2"]).stdout;
    assert!(trace.contains("s[0].y := 1.0"), "{trace}");
    assert!(!trace.contains("s[1] :="), "{trace}");
    for operator in [
        "  s[t].x = (float)t;",
        "  s[t / 2].y = (float)t;",
        "t2 = load s[t].x;",
    ] {
        assert!(trace.contains(operator), "{trace}");
    }
}
