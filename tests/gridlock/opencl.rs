//! OpenCL C: what a barrier orders is what its flags name, whichever engine is asked.

use gridlock::input::request::{EntryRequest, LaunchSpec, Request};
use gridlock::judge::check::check_parsed;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::Judgement;
use gridlock_checker::verdict::{Engine, Property, Verdict};
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_generation::effort;
use gridlock_semantics::profile::Profile;

fn judge(text: &str, block: u32, request: &Request) -> Judgement {
    let parsed =
        parse_source("k.cl", text, Language::OpenCl, &ParseOptions::default()).expect("it is read");
    assert_eq!(parsed.unsupported, vec![], "{text}");
    let entry = EntryRequest {
        launch: LaunchSpec {
            grid: Some([1, 1, 1]),
            block: Some([block, 1, 1]),
            ..LaunchSpec::default()
        },
        ..EntryRequest::default()
    };
    check_parsed("k.cl", parsed, &entry, request).expect("it is judged")
}

/// Each engine on its own: the proof, the run that goes wide, the one thread after thread, and the
/// explorer.
fn engines() -> Vec<(&'static str, u32, Request)> {
    let asked = Request {
        profile: Profile::named("opencl").unwrap(),
        properties: Some(vec![Property::Races]),
        ..Request::default()
    };
    let tried = Request {
        symbolic: false,
        ..asked.clone()
    };
    let explored = Request {
        every_schedule: true,
        ..tried.clone()
    };
    vec![
        ("proof", 64, asked),
        ("wide", 256, tried.clone()),
        ("narrow", 3, tried),
        ("explorer", 3, explored),
    ]
}

fn is_positive(judgement: &Judgement) -> bool {
    matches!(judgement.verdict, Verdict::Proved | Verdict::Passed)
}

fn is_race_free(judgement: &Judgement) -> bool {
    let races = |d: &&gridlock_checker::report::defect::Defect| d.kind == DefectKind::DataRace;
    let n_races = judgement.defects.iter().filter(races).count();
    assert_eq!(n_races == 0, is_positive(judgement), "{judgement:?}");
    n_races == 0
}

#[test]
fn a_barrier_orders_the_memories_its_flags_name() {
    let flags = [
        ("CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE", true, true),
        ("CLK_LOCAL_MEM_FENCE", true, false),
        ("CLK_GLOBAL_MEM_FENCE", false, true),
        ("0", false, false),
    ];
    for (flags, local, global) in flags {
        for (memory, is_ordered) in [("l", local), ("g", global)] {
            let text = format!(
                "kernel void k(global int *g, global int *out) {{
                   local int l[256];
                   size_t i = get_local_id(0);
                   {memory}[i] = (int)i;
                   barrier({flags});
                   out[i] = {memory}[(i + 1) % get_local_size(0)];
                 }}"
            );
            for (engine, block, request) in engines() {
                if !effort::is_next_done(5) {
                    continue;
                }
                let judgement = judge(&text, block, &request);
                let found = is_race_free(&judgement);
                assert_eq!(found, is_ordered, "{engine}: {memory}, {flags}");
            }
        }
    }
}

/// A barrier for one memory between two for the other: intervals of each memory are its own.
#[test]
fn barriers_of_two_kinds_divide_two_kinds_of_intervals() {
    let text = |between: &str| {
        format!(
            "kernel void k(global int *g, global int *out) {{
               local int l[256];
               size_t i = get_local_id(0), next = (i + 1) % get_local_size(0);
               g[i] = 1;
               l[i] = 2;
               barrier(CLK_LOCAL_MEM_FENCE);
               int seen = l[next];
               barrier({between});
               out[i] = seen + g[next];
             }}"
        )
    };
    for (engine, block, request) in engines().into_iter().skip(1) {
        let ordered = judge(&text("CLK_GLOBAL_MEM_FENCE"), block, &request);
        assert!(is_race_free(&ordered), "{engine}");
        let unordered = judge(&text("CLK_LOCAL_MEM_FENCE"), block, &request);
        assert!(!is_race_free(&unordered), "{engine}");
    }
}

/// `__attribute__((reqd_work_group_size(…)))` is the shape that is tried, and others do not count.
#[test]
fn a_required_size_is_the_block() {
    let text = "__attribute__((reqd_work_group_size(4, 2, 1)))
                kernel void k(global int *out) {
                  if (get_local_size(0) != 4 || get_local_size(1) != 2)
                    out[0] = (int)get_local_id(0);
                }";
    let request = &engines()[1].2;
    let parsed = parse_source("k.cl", text, Language::OpenCl, &ParseOptions::default()).unwrap();
    let judgement = check_parsed("k.cl", parsed, &EntryRequest::default(), request).unwrap();
    assert!(is_race_free(&judgement));
    assert!(is_positive(&judgement));
}

/// A syntax error has its place.
#[test]
fn a_syntax_error_is_placed() {
    let text = "kernel void k(global int *a) {\n  a[0] = ;\n}\n";
    let error = parse_source("k.cl", text, Language::OpenCl, &ParseOptions::default());
    let error = error.expect_err("no program");
    assert_eq!(
        (error.file.as_str(), error.line, error.column),
        ("k.cl", 2, 10)
    );
}

/// Lanes of one warp that return together are one transition, which no schedule counts: what the canonical
/// run finds behind it replays, however many return.
#[test]
fn lanes_that_return_together_are_replayed() {
    let text = "kernel void shift(global int *out, int n)
{
    local int seen[4];
    int l = get_local_id(0);
    if (l >= n)
        return;
    seen[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = seen[(l + 1) % 4];
}
";
    let request = Request {
        profile: Profile::named("lockstep-warp").unwrap(),
        properties: Some(vec![Property::UninitialisedReads]),
        symbolic: false,
        ..Request::default()
    };
    for remaining in 1..4 {
        let text = text.replace("l >= n", &format!("l >= {remaining}"));
        let judgement = judge(&text, 4, &request);
        assert_eq!(judgement.verdict, Verdict::Refuted, "{remaining}");
        let found = &judgement.properties[0];
        assert_eq!(found.engine, Some(Engine::CanonicalRun), "{remaining}");
        assert_eq!(judgement.defects[0].kind, DefectKind::UninitialisedRead);
    }
}

/// Words that stand for another tool's are no names to show.
#[test]
fn what_is_not_read_is_named_in_the_words_of_its_file() {
    let text = "kernel void k(global int *a) { a[0] = __read_offset_bytes(a); }\n";
    let parsed =
        parse_source("k.cl", text, Language::OpenCl, &ParseOptions::default()).expect("it is C");
    let refused: Vec<String> = (parsed.unsupported.iter())
        .map(|refused| format!("{refused:?}"))
        .collect();
    assert_eq!(refused.len(), 1, "{refused:?}");
    assert!(refused[0].contains("another tool's proof"), "{refused:?}");
    assert!(!refused[0].contains("gridlock_"), "{refused:?}");
}
