//! Schedules as people write them: `b0.t0+b0.t1, b0.t1 ×2`. Steps stand one after another with
//! commas between them; `+` joins those who move together, `b0.t0+…+b0.t31` (or `+...+`) a run of threads; `×N` (or `xN`) repeats a step, and
//! `(choice K)` picks among several results of it. `b0` alone is the barrier of block 0, `device`
//! the start and the end of a launch, `host` the host.

use crate::input::error::InputError;
use gridlock_checker::finding::ScheduleStep;
use gridlock_checker::system::actor_text;
use gridlock_semantics::transition::Actor;

/// The text of a schedule; `any schedule` when it has no steps.
pub fn text(schedule: &[ScheduleStep]) -> String {
    if schedule.is_empty() {
        return "any schedule".to_owned();
    }
    let step = |s: &ScheduleStep| {
        let mut text = together(&s.actors);
        if s.steps != 1 {
            text.push_str(&format!(" ×{}", s.steps));
        }
        if s.choice != 0 {
            text.push_str(&format!(" (choice {})", s.choice));
        }
        text
    };
    schedule.iter().map(step).collect::<Vec<_>>().join(", ")
}

/// Threads in a row from which on only the first and the last are written.
const LONG_ROW: usize = 4;

/// Those who move together.
fn together(actors: &[Actor]) -> String {
    let mut parts = Vec::new();
    for row in actors.chunk_by(|a, b| next_of(*a) == Some(*b)) {
        match row {
            [first, .., last] if row.len() >= LONG_ROW => {
                parts.extend([actor_text(first), "…".to_owned(), actor_text(last)]);
            }
            _ => parts.extend(row.iter().map(actor_text)),
        }
    }
    parts.join("+")
}

/// The thread after it in its block.
fn next_of(actor: Actor) -> Option<Actor> {
    match actor {
        Actor::Thread { block, thread } => Some(Actor::Thread {
            block,
            thread: thread.checked_add(1)?,
        }),
        _ => None,
    }
}

/// Reads what [`text`] writes.
///
/// # Errors
/// What is no schedule, with the step that is not understood.
pub fn parse(text: &str) -> Result<Vec<ScheduleStep>, InputError> {
    let text = text.trim();
    if text.is_empty() || text == "any schedule" {
        return Ok(Vec::new());
    }
    text.split(',')
        .map(|step| {
            parse_step(step.trim()).ok_or_else(|| {
                InputError::usage(format!(
                    "schedule: `{}` is no step (write b0.t0, b0.t0+b0.t1, b0, device or host, \
                     then ×N for several and (choice K) for another result)",
                    step.trim()
                ))
            })
        })
        .collect()
}

fn parse_step(text: &str) -> Option<ScheduleStep> {
    let (text, choice) = match text.split_once('(') {
        None => (text, 0),
        Some((before, choice)) => {
            let number = choice.strip_suffix(')')?.strip_prefix("choice")?;
            (before.trim_end(), number.trim().parse().ok()?)
        }
    };
    let (who, steps) = match text.split_once(['×', 'x']) {
        None => (text, 1),
        Some((who, steps)) => (who.trim_end(), steps.trim().parse().ok()?),
    };
    Some(ScheduleStep {
        actors: parse_together(who)?,
        steps,
        choice,
    })
}

fn parse_together(text: &str) -> Option<Vec<Actor>> {
    let mut actors: Vec<Actor> = Vec::new();
    let mut parts = text.split('+').map(str::trim);
    while let Some(part) = parts.next() {
        if part != "…" && part != "..." {
            actors.push(parse_actor(part)?);
            continue;
        }
        let (first, last) = (*actors.last()?, parse_actor(parts.next()?)?);
        match (first, last) {
            (
                Actor::Thread { block, thread },
                Actor::Thread {
                    block: b,
                    thread: t,
                },
            ) if block == b && thread < t && t - thread <= MOST_IN_A_ROW => {
                let threads = thread + 1..=t;
                actors.extend(threads.map(|thread| Actor::Thread { block, thread }));
            }
            _ => return None,
        }
    }
    Some(actors)
}

/// Threads of one block, at most.
const MOST_IN_A_ROW: u32 = 1 << 12;

fn parse_actor(text: &str) -> Option<Actor> {
    match text {
        "host" => return Some(Actor::Host),
        "device" => return Some(Actor::Device),
        _ => {}
    }
    let block = text.strip_prefix('b')?;
    match block.split_once('.') {
        None => Some(Actor::Block(block.parse().ok()?)),
        Some((block, thread)) => Some(Actor::Thread {
            block: block.parse().ok()?,
            thread: thread.strip_prefix('t')?.parse().ok()?,
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        for written in [
            "any schedule",
            "b0.t0",
            "b0.t0+b0.t1, b0.t1 ×2",
            "device, b1.t3 (choice 2), b1, host, device",
            "b0.t0+b1.t0 ×12 (choice 1)",
            "b0.t0+b0.t1+b0.t2, b0.t4+…+b0.t7+b1.t8 ×3",
        ] {
            assert_eq!(text(&parse(written).unwrap()), written);
        }
        assert_eq!(
            parse("b0.t0x2").unwrap(),
            parse(" b0.t0 × 2 ").unwrap(),
            "as keyboards have it"
        );
        assert_eq!(
            parse("b0.t0+...+b0.t3").unwrap(),
            parse("b0.t0+b0.t1+b0.t2+b0.t3").unwrap()
        );
    }

    #[test]
    fn what_is_no_schedule_is_refused() {
        for (wrong, step) in [
            ("b0.t0,", "``"),
            ("b0.t0, t1", "`t1`"),
            ("b0.t", "`b0.t`"),
            ("b0.t0 ×", "`b0.t0 ×`"),
            ("b0.t0 (choice)", "`b0.t0 (choice)`"),
            ("everybody", "`everybody`"),
            ("…+b0.t1", "`…+b0.t1`"),
            ("b0.t0+…", "`b0.t0+…`"),
            ("b0.t3+…+b0.t1", "`b0.t3+…+b0.t1`"),
            ("b0.t0+…+b0.t4000000000", "`b0.t0+…+b0.t4000000000`"),
        ] {
            let error = parse(wrong).unwrap_err();
            assert!(error.message.contains(step), "{wrong}: {}", error.message);
        }
    }
}
