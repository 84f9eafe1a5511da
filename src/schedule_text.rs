//! Schedules as people write them: `b0.t0+b0.t1, b0.t1 ×2`. Steps stand one after another with
//! commas between them; `+` joins those who move together; `×N` (or `xN`) repeats a step, and
//! `(choice K)` picks among several results of it. `b0` alone is the barrier of block 0, `device`
//! the start and the end of a launch, `host` the host.

use crate::input_error::InputError;
use gridlock_checker::explore::actor_text;
use gridlock_checker::witness::ScheduleStep;
use gridlock_semantics::transition::Actor;

/// The text of a schedule; `any schedule` when it has no steps.
pub fn text(schedule: &[ScheduleStep]) -> String {
    if schedule.is_empty() {
        return "any schedule".to_owned();
    }
    let step = |s: &ScheduleStep| {
        let who: Vec<String> = s.actors.iter().map(actor_text).collect();
        let mut text = who.join("+");
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
    let actors: Option<Vec<Actor>> = who.split('+').map(|a| parse_actor(a.trim())).collect();
    Some(ScheduleStep {
        actors: actors?,
        steps,
        choice,
    })
}

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
        ] {
            assert_eq!(text(&parse(written).unwrap()), written);
        }
        assert_eq!(
            parse("b0.t0x2").unwrap(),
            parse(" b0.t0 × 2 ").unwrap(),
            "as keyboards have it"
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
        ] {
            let error = parse(wrong).unwrap_err();
            assert!(error.message.contains(step), "{wrong}: {}", error.message);
        }
    }
}
