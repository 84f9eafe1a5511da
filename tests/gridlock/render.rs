//! The text of reports, on made-up ones: every part a report can have.

use gridlock::report::render::replay::Columns;
use gridlock::report::render::sources::Sources;
use gridlock::report::render::suite;
use gridlock::report::render::text::{ReplayHint, judgement};
use gridlock::report::stepping::timeline::Timeline;
use gridlock::suite::agreement::{Outcome, Row};
use gridlock::words::style::Style;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::finding::Statistics;
use gridlock_checker::replay::{Replay, ReplayStep};
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::not_judged::{Gap, NotJudged};
use gridlock_checker::report::remark::Remark;
use gridlock_checker::report::site::Site;
use gridlock_checker::report::witness::Witness;
use gridlock_checker::report::*;
use gridlock_checker::verdict::*;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Launch, Setup};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Actor, Rule};
use std::path::Path;

const SOURCE: &str = "__global__ void k(int *a)\n{\n    if (threadIdx.x < 2)\n        __syncthreads();\n    a[0] = a[1];\n}\n";

fn site(line: u32, column: u32, thread: u32, mode: Option<AccessMode>, state: &str) -> Site {
    Site {
        file: "k.cu".to_owned(),
        line,
        column,
        thread: Some([thread, 0, 0]),
        block: Some([1, 0, 0]),
        mode,
        who: None,
        state: state.to_owned(),
    }
}

fn defect(kind: DefectKind, message: &str) -> Defect {
    Defect {
        subject: 0,
        kind,
        message: message.to_owned(),
        array: None,
        index: None,
        element: None,
        space: None,
        accesses: vec![],
        threads: vec![],
        explanation: None,
        grade: Default::default(),
        confirmed: true,
        witness: None,
        original: None,
    }
}

fn race() -> Defect {
    Defect {
        array: Some("a".to_owned()),
        index: Some(0),
        element: None,
        space: Some(Space::Global),
        accesses: vec![
            site(5, 5, 0, Some(AccessMode::Write), ""),
            site(5, 12, 1, Some(AccessMode::Read), ""),
        ],
        ..defect(
            DefectKind::DataRace,
            "`a[0]` is written and read, unordered",
        )
    }
}

fn divergence() -> Defect {
    let mut threads: Vec<Site> = (0..2).map(|t| site(4, 9, t, None, "waits here")).collect();
    threads.extend((2..8).map(|t| site(6, 1, t, None, "has ended here")));
    Defect {
        threads,
        ..defect(
            DefectKind::BarrierDivergence,
            "two threads wait at a barrier that six others never meet",
        )
    }
}

fn report() -> Judgement {
    let property = |kind, verdict, reason, assurance, engine, explanation: &str| PropertyResult {
        subject: 0,
        kind,
        verdict,
        reason,
        assurance,
        engine,
        explanation: explanation.to_owned(),
    };
    Judgement {
        profile: Profile::default(),
        subjects: vec![Subject {
            file: "k.cu".to_owned(),
            kernel: "k".to_owned(),
            launch: SubjectLaunch {
                grid: Some([2, 1, 1]),
                block: Some([8, 1, 1]),
                shared: Some(128),
                args: [("n".to_owned(), "100".to_owned())].into(),
            },
            inputs: "all".to_owned(),
            host_launches: Vec::new(),
            host_tried: None,
        }],
        verdict: Verdict::Refuted,
        reason: None,
        assurance: Some(Assurance::AllSchedules),
        modulo: None,
        tolerance: None,
        largest_difference: None,
        properties: vec![
            property(
                Property::Races,
                Verdict::Refuted,
                None,
                None,
                Some(Engine::CanonicalRun),
                "two threads touch one cell, unordered",
            ),
            property(
                Property::Divergence,
                Verdict::Refuted,
                None,
                None,
                Some(Engine::CanonicalRun),
                "",
            ),
            property(
                Property::Deadlock,
                Verdict::Unknown,
                Some(Reason::Limit),
                None,
                Some(Engine::Explorer),
                "60 s",
            ),
            property(
                Property::Arithmetic,
                Verdict::Passed,
                None,
                Some(Assurance::AllSchedules),
                Some(Engine::Explorer),
                "3 inputs",
            ),
            property(
                Property::Assertions,
                Verdict::Proved,
                None,
                Some(Assurance::AllInputsAllSizes),
                Some(Engine::Symbolic),
                "",
            ),
        ],
        defects: vec![race(), divergence()],
        assumptions: [Assumption::NoAliasing {
            kernel: "k".to_owned(),
        }]
        .into_iter()
        .collect(),
        conditions: vec![Condition {
            subject: 0,
            launch: "with block (48, 1, 1)".to_owned(),
            source: None,
            requires: None,
            status: None,
            defect: defect(DefectKind::OutOfBounds, "`a[48]` is beyond the end of `a`"),
        }],
        remarks: [Remark::Refines {}].into_iter().collect(),
        not_judged: [NotJudged {
            subject: 0,
            gap: Gap::BoundsWithoutExtent {
                arrays: vec!["a".to_owned()],
            },
            place: None,
        }]
        .into_iter()
        .collect(),
        limits_hit: vec!["60 seconds".to_owned()],
        statistics: Statistics {
            states: 1,
            transitions: 2_000,
            executions: 3,
            queries: 4,
            seconds: 1.5,
            peak_bytes: 3 << 20,
        },
    }
}

fn sources() -> Sources {
    let mut sources = Sources::new();
    sources.insert("k.cu", SOURCE);
    sources
}

#[test]
fn a_refuted_report_with_everything_in_it() {
    let hint = ReplayHint::Saved(vec![Some("w.json".to_owned()), None]);
    let text = judgement(&report(), &hint, &mut sources(), &Style::default());
    insta::assert_snapshot!(text);
}

#[test]
fn a_proved_report() {
    let mut proved = report();
    proved.verdict = Verdict::Proved;
    proved.assurance = Some(Assurance::AllInputs);
    proved.properties.retain(|p| p.verdict == Verdict::Proved);
    proved.defects.clear();
    proved.conditions.clear();
    proved.limits_hit.clear();
    let text = judgement(
        &proved,
        &ReplayHint::HowToSave,
        &mut sources(),
        &Style::default(),
    );
    insta::assert_snapshot!(text);
}

/// A wide report is wrapped at the width, a narrow terminal gets a narrow one.
#[test]
fn text_keeps_to_the_width() {
    let style = Style {
        colour: false,
        width: 60,
    };
    let text = judgement(&report(), &ReplayHint::HowToSave, &mut sources(), &style);
    let drawn_by_us = text.lines().filter(|l| !l.contains(['│', '╭', '╰', '─']));
    for line in drawn_by_us {
        assert!(line.chars().count() <= 76, "{line}");
    }
}

fn replayed(n_threads: u32) -> (Witness, Replay) {
    let step = |thread: u32, line: u32, text: &str| ReplayStep {
        actors: vec![Actor::Thread { block: 1, thread }],
        rule: Rule::R1,
        op: None,
        site: Some(site(line, 5, thread, None, "")),
        accesses: vec![],
        assigned: vec![],
        text: text.to_owned(),
        visible: true,
    };
    let mut steps: Vec<ReplayStep> = (0..n_threads)
        .map(|thread| step(thread, 5, &format!("reads a[1] = {thread}")))
        .collect();
    steps.push(ReplayStep {
        actors: (0..n_threads)
            .map(|thread| Actor::Thread { block: 1, thread })
            .collect(),
        rule: Rule::CollectiveBarrier,
        site: None,
        ..step(0, 4, "all leave the barrier")
    });
    steps.push(ReplayStep {
        visible: false,
        ..step(0, 3, "a private step")
    });
    let witness = Witness {
        schema: Witness::SCHEMA,
        file: "k.cu".to_owned(),
        source_hash: String::new(),
        entry: "k".to_owned(),
        profile: Profile::default(),
        setup: Setup {
            declared: Default::default(),
            observed: Default::default(),
            device: Default::default(),
            entry: ProcId(0),
            launch: Some(Launch {
                grid: [2, 1, 1],
                block: [8, 1, 1],
                shared_bytes: 0,
            }),
            args: vec![],
            arrays: vec![],
        },
        device: None,
        kind: DefectKind::DataRace,
        schedule: vec![],
        led: 0,
        program: None,
        cycle: Vec::new(),
        difference: None,
        reading: None,
    };
    let replay = Replay {
        steps,
        cycle_from: None,
        led: 0,
        reproduced: true,
        conclusion: "thread 0 writes what thread 1 reads".to_owned(),
        conflict: vec![],
        explanation: None,
    };
    (witness, replay)
}

#[test]
fn a_replay_has_a_column_for_each_thread() {
    let (witness, replay) = replayed(3);
    let timeline = Timeline::new(&witness, &replay, false);
    insta::assert_snapshot!(Columns::new(&timeline, Style::default()).listing());
}

#[test]
fn a_replay_of_many_threads_has_columns_for_some() {
    let (witness, mut replay) = replayed(8);
    replay.conflict = vec![2, 5];
    let timeline = Timeline::new(&witness, &replay, true);
    let columns = Columns::new(&timeline, Style::default());
    assert_eq!(columns.n_steps(), 10);
    insta::assert_snapshot!(columns.listing());
}

#[test]
fn an_agreement_table() {
    let row = |file: &str, agrees: bool| Row {
        file: format!("corpus/{file}"),
        profile: "cuda".to_owned(),
        expected: "refuted (data-race)".to_owned(),
        verdict: if agrees { "refuted" } else { "passed" }.to_owned(),
        kind: if agrees { "data-race" } else { "" }.to_owned(),
        states: 0,
        transitions: 25,
        cut: false,
        seconds: 0.25,
        agrees,
        disagreement: if agrees { "" } else { "it is passed" }.to_owned(),
        outcome: match agrees {
            true => Outcome::Agrees,
            false => Outcome::WrongProof,
        },
        construct: None,
        defines: Vec::new(),
    };
    let rows = [row("a.cu", true), row("deep/b.cu", false)];
    let text = suite::suite(
        &rows,
        (&[], None),
        Path::new("corpus"),
        "cuda",
        &Style::default(),
    );
    insta::assert_snapshot!(text);
}
