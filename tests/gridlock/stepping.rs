//! Stepping through a replay: what keys do to the view, and what is drawn, without a terminal.

use gridlock::report::render::sources::Sources;
use gridlock::report::stepping::draw::draw;
use gridlock::report::stepping::stepper::{Flow, Key, Mode, Stepper};
use gridlock::report::stepping::timeline::Timeline;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::replay::{AccessSeen, Assigned, Replay, ReplayStep};
use gridlock_checker::report::explanation::{Explanation, Moment, Named};
use gridlock_checker::report::site::Site;
use gridlock_checker::report::witness::Witness;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::OpId;
use gridlock_semantics::algebra::value::{ArrayRef, Value};
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Launch, Setup};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Access, Actor, Rule};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

const SOURCE: &str = "__global__ void k(int *a)\r\n{\r\n\tint i = threadIdx.x; // größer\r\n\
                      \ta[0] = i;\r\n}\r\n";

fn actor(thread: u32) -> Actor {
    Actor::Thread { block: 0, thread }
}

fn site(line: u32, thread: u32) -> Site {
    Site {
        file: "k.cu".to_owned(),
        line,
        column: 5,
        thread: Some([thread, 0, 0]),
        block: Some([0, 0, 0]),
        mode: None,
        who: None,
        state: String::new(),
    }
}

fn assigns(thread: u32) -> ReplayStep {
    ReplayStep {
        actors: vec![actor(thread)],
        rule: Rule::R1,
        op: None,
        site: Some(site(3, thread)),
        accesses: vec![],
        assigned: vec![Assigned {
            actor: actor(thread),
            name: "i".to_owned(),
            value: thread.to_string(),
        }],
        text: "int i = threadIdx.x".to_owned(),
        visible: false,
    }
}

fn writes(thread: u32, old: i32) -> ReplayStep {
    let access = Access {
        actor: actor(thread),
        array: ArrayRef::Global(0),
        index: 0,
        mode: AccessMode::Write,
        op: OpId(1),
    };
    ReplayStep {
        site: Some(site(4, thread)),
        accesses: vec![AccessSeen {
            access,
            name: "a".to_owned(),
            element: "a[0]".to_owned(),
            old: Some(Value::i32(old)),
            new: Some(Value::i32(thread as i32)),
        }],
        assigned: vec![],
        visible: true,
        ..assigns(thread)
    }
}

fn meet(n: u32) -> ReplayStep {
    ReplayStep {
        actors: (0..n).map(actor).collect(),
        rule: Rule::CollectiveBarrier,
        site: None,
        assigned: vec![],
        text: "leave the barrier".to_owned(),
        visible: true,
        ..assigns(0)
    }
}

/// Each of `n` threads writes, all meet, then the first two write again.
fn replay(n: u32) -> Replay {
    let mut steps: Vec<ReplayStep> = (0..n).flat_map(|t| [assigns(t), writes(t, -1)]).collect();
    steps.push(meet(n));
    steps.extend([writes(0, 7), writes(1, 0)]);
    let last = steps.len() - 1;
    Replay {
        steps,
        cycle_from: None,
        led: 0,
        reproduced: true,
        conclusion: "both write `a[0]`, and nothing orders them".to_owned(),
        conflict: vec![last - 1, last],
        explanation: Some(Explanation {
            moments: vec![Moment {
                wrote: None,
                who: "thread (1,0,0)".to_owned(),
                site: site(4, 1),
                does: "writes `a[0]` := 1 (was 0)".to_owned(),
                cell: Some("a[0]".to_owned()),
                values: vec![Named {
                    name: "i".to_owned(),
                    value: "1".to_owned(),
                }],
                rounds: vec![],
                calls: vec![],
                interval: None,
            }],
            ..Explanation::default()
        }),
    }
}

fn witness(threads: u32) -> Witness {
    Witness {
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
                grid: [1, 1, 1],
                block: [threads, 1, 1],
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
    }
}

/// What is on the screen.
fn screen(stepper: &mut Stepper<'_>, width: u16, height: u16) -> String {
    let mut sources = Sources::new();
    sources.insert("k.cu", SOURCE);
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal
        .draw(|frame| draw(frame, stepper, &mut sources, false))
        .unwrap();
    let buffer = terminal.backend().buffer().clone();
    let mut out = String::new();
    for y in 0..height {
        let line: String = (0..width).map(|x| buffer[(x, y)].symbol()).collect();
        out.push_str(line.trim_end());
        out.push('\n');
    }
    out
}

fn press(stepper: &mut Stepper<'_>, keys: &str) {
    for key in keys.chars() {
        assert_eq!(stepper.press(Key::Char(key)), Flow::GoOn);
    }
}

#[test]
fn steps_are_taken_and_taken_back() {
    let (witness, replay) = (witness(2), replay(2));
    // Two writes, the barrier, two writes; private steps are not shown.
    let mut stepper = Stepper::new(Timeline::new(&witness, &replay, false));
    assert_eq!(stepper.n_rows(), 5);
    let check = |stepper: &mut Stepper<'_>, key: Key, at: usize| {
        assert_eq!(stepper.press(key), Flow::GoOn);
        assert_eq!(stepper.at, at, "after {key:?}");
    };
    for (key, at) in [
        (Key::Up, 0),
        (Key::Char('n'), 1),
        (Key::Char('p'), 0),
        (Key::Down, 1),
        (Key::Char('s'), 2),
        (Key::Char('s'), 3),
        (Key::Char('s'), 4),
        (Key::Char('S'), 3),
        (Key::Char('S'), 2),
        (Key::Char('S'), 0),
        (Key::Char('c'), 4),
        (Key::Char('c'), 5),
        (Key::Char('c'), 4),
        (Key::End, 5),
        (Key::Char('n'), 5),
        (Key::Home, 0),
        (Key::PageDown, 5),
        (Key::PageUp, 0),
        (Key::Char('x'), 0),
    ] {
        check(&mut stepper, key, at);
    }
    press(&mut stepper, "j3");
    assert_eq!(stepper.mode, Mode::AsksStep("3".to_owned()));
    check(&mut stepper, Key::Enter, 3);
    press(&mut stepper, "j99");
    check(&mut stepper, Key::Enter, 3);
    assert_eq!(stepper.message.as_deref(), Some("steps are 0 to 5"));
    assert_eq!(stepper.press(Key::Char('q')), Flow::Quit);
    assert_eq!(stepper.press(Key::Control('c')), Flow::Quit);
}

#[test]
fn private_steps_are_shown_when_asked_for() {
    let (witness, replay) = (witness(2), replay(2));
    let stepper = Stepper::new(Timeline::new(&witness, &replay, true));
    assert_eq!(stepper.n_rows(), 7);
}

#[test]
fn cells_and_variables_are_watched() {
    let (witness, replay) = (witness(2), replay(2));
    let mut stepper = Stepper::new(Timeline::new(&witness, &replay, false));
    press(&mut stepper, "wa[0]");
    stepper.press(Key::Enter);
    press(&mut stepper, "wi");
    stepper.press(Key::Enter);
    press(&mut stepper, "wb0.t0:i");
    stepper.press(Key::Enter);
    assert_eq!(stepper.watched.len(), 3);
    let mut at = |keys: &str| {
        press(&mut stepper, keys);
        screen(&mut stepper, 100, 24)
    };
    // What the first access finds is what the cell held before.
    assert!(at("").contains("watch a[0] = -1"), "{}", at(""));
    assert!(at("n").contains("watch a[0] = 0"));
    assert!(at("").contains("watch i of b0 t0 = 0"));
    assert!(at("n").contains("watch a[0] = 1"));
    assert!(at("").contains("watch i of b0 t1 = 1"));
    assert!(at("G").contains("watch a[0] = 1"));
    assert!(at("p").contains("watch a[0] = 0"));
    for (typed, said) in [
        ("wb[0]", "nothing in this run reads or writes `b[0]`"),
        ("w3", "`3` is neither a cell `a[3]` nor a variable `i`"),
    ] {
        press(&mut stepper, typed);
        stepper.press(Key::Enter);
        assert_eq!(stepper.message.as_deref(), Some(said));
    }
    press(&mut stepper, "wa");
    stepper.press(Key::Escape);
    press(&mut stepper, "u");
    assert!(stepper.watched.is_empty());
}

#[test]
fn the_view_is_drawn() {
    let (witness, replay) = (witness(2), replay(2));
    let mut stepper = Stepper::new(Timeline::new(&witness, &replay, false));
    insta::assert_snapshot!("start", screen(&mut stepper, 90, 20));
    press(&mut stepper, "c");
    insta::assert_snapshot!("conflict", screen(&mut stepper, 90, 20));
    press(&mut stepper, "Ge");
    insta::assert_snapshot!("explanation", screen(&mut stepper, 90, 20));
    press(&mut stepper, "xh");
    insta::assert_snapshot!("help", screen(&mut stepper, 90, 20));
}

/// Lanes that do not fit are scrolled to; who moves is always in sight.
#[test]
fn of_many_threads_some_are_in_sight() {
    let (witness, replay) = (witness(1024), replay(1024));
    let mut stepper = Stepper::new(Timeline::new(&witness, &replay, false));
    let first = screen(&mut stepper, 80, 12);
    assert!(first.contains("b0 t0") && first.contains('▸'), "{first}");
    press(&mut stepper, "j900");
    stepper.press(Key::Enter);
    let later = screen(&mut stepper, 80, 12);
    assert!(later.lines().nth(1).unwrap().contains("b0 t899"), "{later}");
    assert!(later.contains('◂'), "{later}");
    stepper.press(Key::Left);
    let moved = screen(&mut stepper, 80, 12);
    assert!(moved.contains("b0 t898"), "{moved}");
    for _ in 0..2_000 {
        stepper.press(Key::Right);
    }
    let last = screen(&mut stepper, 80, 12);
    assert!(last.contains("b0 t1023") && !last.contains('▸'), "{last}");
}

/// Whatever the size of the terminal, nothing panics, and what matters most stays.
#[test]
fn small_terminals_are_no_trouble() {
    let (witness, replay) = (witness(2), replay(2));
    for (width, height) in [
        (1, 1),
        (10, 3),
        (29, 40),
        (30, 6),
        (200, 5),
        (40, 8),
        (250, 80),
    ] {
        let mut stepper = Stepper::new(Timeline::new(&witness, &replay, false));
        stepper.watch("a[0]");
        for key in ["", "n", "c", "e", "x", "h", "x", "G", "w", "zzz"] {
            press(&mut stepper, key);
            let shown = screen(&mut stepper, width, height);
            if width >= 30 && height >= 6 && key == "n" {
                assert!(shown.contains("step 1 of 5"), "{width}×{height}: {shown}");
            }
        }
    }
}

/// A livelock shows where its cycle begins.
#[test]
fn a_round_is_marked() {
    let (witness, mut replay) = (witness(2), replay(2));
    replay.cycle_from = Some(4);
    replay.conflict = vec![];
    let mut stepper = Stepper::new(Timeline::new(&witness, &replay, false));
    let shown = screen(&mut stepper, 90, 20);
    assert_eq!(shown.matches('↻').count(), 1, "{shown}");
}

/// A run without steps (a deadlock from the start) is a view, too.
#[test]
fn a_run_without_steps() {
    let (witness, mut replay) = (witness(2), replay(2));
    replay.steps.clear();
    replay.conflict.clear();
    let mut stepper = Stepper::new(Timeline::new(&witness, &replay, false));
    for key in "npsSgGc".chars() {
        stepper.press(Key::Char(key));
        assert_eq!(stepper.at, 0);
    }
    assert!(screen(&mut stepper, 90, 20).contains("step 0 of 0"));
}
