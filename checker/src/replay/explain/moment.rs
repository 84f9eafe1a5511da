//! What one actor did at one transition of a run, with the values that led there.

use crate::replay::explain::names::{Names, thread_of};
use crate::replay::explain::trail::{Track, Turn};
use crate::replay::words::{launch_of, verb, who};
use crate::report::explanation::{Interval, Mark, Moment, Round, SourcePlace};
use crate::report::site::Site;
use crate::system::ExploredProgram;
use gridlock_semantics::algebra::operator::{Basic, OpId, OpKind};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::host::State;
use gridlock_semantics::setup::Launch;
use gridlock_semantics::thread::view::Reading;
use gridlock_semantics::thread::{Head, ThreadState};
use gridlock_semantics::transition::AccessMode;
use gridlock_semantics::transition::{Access, Actor};

/// Transitions a thread is let go on to find the barrier it comes to next.
const MOST_AHEAD: usize = 2_000;

/// A transition of a run to be told.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its number in the run.
    pub index: usize,
    pub actor: Actor,
    pub op: OpId,
    /// The access it is about.
    pub access: Option<Access>,
    pub site: Site,
}

/// Tells of a transition, from the states around it.
pub fn moment(
    system: &ExploredProgram,
    names: &Names<'_>,
    point: &Point,
    (before, after): (&State, &State),
    track: &Track,
    launch: Option<&Launch>,
) -> Moment {
    let thread = thread_of(before, point.actor);
    // The launch it was in may be over by now.
    let then = launch_of(system, before);
    let launch = then.as_ref().or(launch);
    Moment {
        who: who(point.actor, launch),
        site: point.site.clone(),
        does: point.access.map_or(String::new(), |a| {
            does(system, names, point.op, &a, (before, after))
        }),
        wrote: point
            .access
            .and_then(|a| wrote(system, names, point.op, &a, after)),
        cell: names.cell(point.op),
        values: names.values_at(system, before, point.actor, point.op, track),
        rounds: rounds(names, &track.turns),
        calls: thread.map_or(Vec::new(), |thread| names.calls(thread)),
        interval: (matches!(point.actor, Actor::Thread { .. }) && !track.is_partial)
            .then(|| interval(system, names, point, before, track)),
    }
}

/// `reads s[4] = 7`, `writes s[4] := 5 (was 7)`.
fn does(
    system: &ExploredProgram,
    names: &Names<'_>,
    op: OpId,
    access: &Access,
    (before, after): (&State, &State),
) -> String {
    let array = names.words.array(before, access.array);
    // What frees an array stands for a write to all of it.
    if names.frees(op) {
        return format!("frees `{array}`");
    }
    let cell = names.words.element((&*array, access.array), access.index);
    if names.words.writes_back(op) {
        return format!("writes `{cell}` back");
    }
    let verb = verb(access.mode);
    let shown = |value: Option<Value>| match value {
        None => "nothing".to_owned(),
        Some(Value::Undef) => "never written".to_owned(),
        Some(value) => value.to_string(),
    };
    let (old, new) = (system.cell(before, access), system.cell(after, access));
    // What lies outside of the array has no value.
    match (access.mode, old) {
        (_, None) => format!("{verb} `{cell}`"),
        (AccessMode::Read | AccessMode::AtomicRead, old) => {
            format!("{verb} `{cell}` = {}", shown(old))
        }
        (_, old) => format!("{verb} `{cell}` := {} (was {})", shown(new), shown(old)),
    }
}

/// What a plain write of a whole cell left in it.
fn wrote(
    system: &ExploredProgram,
    names: &Names<'_>,
    op: OpId,
    access: &Access,
    after: &State,
) -> Option<String> {
    let is_whole =
        access.mode == AccessMode::Write && !names.frees(op) && !names.words.writes_back(op);
    let value = system.cell(after, access).filter(|_| is_whole)?;
    (value != Value::Undef).then(|| value.to_string())
}

pub fn rounds(names: &Names<'_>, turns: &[Turn]) -> Vec<Round> {
    let rounds = turns.iter().map(|turn| Round {
        of: names.place(turn.op),
        number: turn.number,
    });
    rounds.filter(|round| round.of.line > 0).collect()
}

fn interval(
    system: &ExploredProgram,
    names: &Names<'_>,
    point: &Point,
    before: &State,
    track: &Track,
) -> Interval {
    let from = track.last_left.as_ref().map(|left| Mark {
        at: names.place(left.op),
        rounds: rounds(names, &left.turns),
    });
    let next = next(system, before, point.actor);
    let to = match next {
        Next::Barrier(op) => Some(Mark {
            at: names.place(op),
            rounds: Vec::new(),
        }),
        Next::End | Next::Unknown => None,
    };
    let start = match &from {
        None => "from the start of the kernel".to_owned(),
        Some(mark) => format!("from the barrier at {}", mark_text(mark)),
    };
    let end = match (&to, next) {
        (Some(mark), _) if from.as_ref().is_some_and(|from| from.at == mark.at) => {
            " to the same barrier's next time".to_owned()
        }
        (Some(mark), _) => format!(" to the barrier at {}", place_text(&mark.at)),
        (None, Next::End) => " to its end".to_owned().replace(
            "its end",
            match from {
                None => "its end",
                Some(_) => "the end of the kernel",
            },
        ),
        (None, _) => " on".to_owned(),
    };
    Interval {
        number: track.n_left,
        from,
        to,
        text: start + &end,
    }
}

pub fn place_text(place: &SourcePlace) -> String {
    format!("{}:{}", place.file, place.line)
}

/// `k.cu:12 (round 2 of the loop at line 10)`.
fn mark_text(mark: &Mark) -> String {
    match rounds_text(&mark.rounds, &mark.at.file) {
        text if text.is_empty() => place_text(&mark.at),
        text => format!("{} ({text})", place_text(&mark.at)),
    }
}

/// `round 2 of the loop at line 10, round 1 of the one at line 11`; lines of another file than
/// `file` with their file.
pub fn rounds_text(rounds: &[Round], file: &str) -> String {
    let texts = rounds.iter().enumerate().map(|(at, round)| {
        let noun = if at == 0 { "the loop" } else { "the one" };
        let place = match round.of.file == file {
            true => format!("line {}", round.of.line),
            false => place_text(&round.of),
        };
        format!("round {} of {noun} at {place}", round.number)
    });
    texts.collect::<Vec<_>>().join(", ")
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    Barrier(OpId),
    End,
    Unknown,
}

/// The barrier a thread comes to, if it goes on alone. What others would write meanwhile, it does
/// not see.
fn next(system: &ExploredProgram, from: &State, actor: Actor) -> Next {
    let mut state = from.clone();
    for step in 0..MOST_AHEAD {
        let Some(thread) = thread_of(&state, actor) else {
            return Next::Unknown;
        };
        if !thread.is_running() {
            return Next::End;
        }
        // The point told may be a barrier's own.
        if let Some(op) = barrier_at(thread)
            && step > 0
        {
            return Next::Barrier(op);
        }
        let found = system.system().fire(&state, &[actor]);
        match found.into_iter().find(|(label, _)| label.fault.is_none()) {
            Some((_, next)) => state = next,
            None => return Next::Unknown,
        }
    }
    Next::Unknown
}

fn barrier_at(thread: &ThreadState) -> Option<OpId> {
    let Head::Op(op) = thread.head() else {
        return None;
    };
    let is_barrier = matches!(
        op.kind,
        OpKind::Basic(Basic::Barrier { .. } | Basic::GridBarrier | Basic::NamedBarrier { .. })
    );
    is_barrier.then_some(op.id)
}

/// The value of an expression for a thread, where it has one.
pub fn value(
    reading: &mut Reading<'_>,
    expr: &gridlock_semantics::algebra::expr::Expr,
) -> Option<Value> {
    gridlock_semantics::evaluation::eval::eval(expr, reading).ok()
}
