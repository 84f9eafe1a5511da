//! Schedules in which what a defect is about comes last, so that a replay has little to look at: what leads there is
//! gone through without keeping it ([`super::lead`]). Whether they show the same is for the reference to say.
//!
//! - What the host uses while an operation of a stream that uses it too may still run. A canonical run makes every operation
//!   when it is enqueued. The two uses are as little ordered where the operation is made after the host's use; of a
//!   launch, one thread is enough then.
//! - The two accesses of a race of threads: what the others do is made before both.

use super::lead::{KEPT, n_steps};
use crate::finding::{DefectKind, Evidence, Finding, ScheduleStep};
use gridlock_semantics::host::streams::StreamId;
use gridlock_semantics::transition::Actor;

/// Steps of schedules that are not worth another.
const FEW: u64 = 2_000;
/// The same of races of threads, of which smaller schedules are looked for as well.
const FEW_OF_RACES: u64 = 20_000;

/// A finding with such a schedule, if it may have one, and how many steps lead to what it is about.
pub fn postponed(finding: &Finding) -> Option<(Finding, u64)> {
    let Evidence::Race { first, second } = &finding.evidence else {
        return None;
    };
    let whole = finding.schedule.as_slice();
    let (schedule, n_led) = match (finding.kind, first.actor, second.actor) {
        (DefectKind::StaleData, thread @ Actor::Thread { .. }, Actor::Host) => {
            behind_use(launch_last(whole, thread)?)
        }
        (DefectKind::StaleData, stream, Actor::Host) => {
            StreamId::of_actor(stream)?;
            behind_use(operation_last(whole, stream)?)
        }
        (DefectKind::DataRace, one @ Actor::Thread { .. }, other @ Actor::Thread { .. }) => {
            accesses_last(whole, one, other)?
        }
        _ => return None,
    };
    let made = Finding {
        schedule,
        ..finding.clone()
    };
    Some((made, n_led))
}

/// What is looked at of a schedule in which an operation is made after the host's use: from shortly before that on.
fn behind_use(
    (before, operation): (Vec<ScheduleStep>, Vec<ScheduleStep>),
) -> (Vec<ScheduleStep>, u64) {
    let of_host = before.iter().rposition(is_host);
    let up_to = of_host.map_or(0, |at| n_steps(&before[..=at]));
    let kept = of_host.map_or(0, |at| KEPT.min(u64::from(before[at].steps)));
    let n_led = up_to - kept;
    ([before, operation].concat(), n_led)
}

fn is_host(step: &ScheduleStep) -> bool {
    step.actors == [Actor::Host]
}

fn is_of_launch(step: &ScheduleStep) -> bool {
    matches!(
        step.actors[..],
        [Actor::Thread { .. } | Actor::Block(_), ..]
    )
}

/// A step, as often as that.
fn so_often(step: &ScheduleStep, steps: u32) -> Option<ScheduleStep> {
    (steps > 0).then(|| ScheduleStep {
        steps,
        ..step.clone()
    })
}

/// What is done before the last operation of a stream, that operation being left out, and the operation.
fn operation_last(
    schedule: &[ScheduleStep],
    stream: Actor,
) -> Option<(Vec<ScheduleStep>, Vec<ScheduleStep>)> {
    if n_steps(schedule) <= FEW {
        return None;
    }
    let last = schedule.iter().rposition(|step| step.actors == [stream])?;
    let mut before = schedule[..last].to_vec();
    before.extend(so_often(&schedule[last], schedule[last].steps - 1));
    before.extend_from_slice(&schedule[last + 1..]);
    Some((before, Vec::from_iter(so_often(&schedule[last], 1))))
}

/// What is done before the last launch in which a thread takes a step, that launch being left out, and what is needed of it.
fn launch_last(
    schedule: &[ScheduleStep],
    thread: Actor,
) -> Option<(Vec<ScheduleStep>, Vec<ScheduleStep>)> {
    let Actor::Thread { block, .. } = thread else {
        return None;
    };
    if n_steps(schedule) <= FEW {
        return None;
    }
    // The stream begins it, and the device ends it.
    let one = [thread];
    let last = schedule.iter().rposition(|step| step.actors == one)?;
    let begin = schedule[..last]
        .iter()
        .rposition(|step| !is_of_launch(step))?;
    let begins = &schedule[begin];
    if is_host(begins) {
        return None;
    }
    let mut before = schedule[..begin].to_vec();
    before.extend(so_often(begins, begins.steps - 1));
    before.extend(
        schedule[last..]
            .iter()
            .filter(|step| is_host(step))
            .cloned(),
    );
    let of_block = |step: &&ScheduleStep| match step.actors[..] {
        [Actor::Thread { block: own, .. } | Actor::Block(own), ..] => own == block,
        _ => false,
    };
    let own: Vec<&ScheduleStep> = schedule[begin..=last].iter().filter(of_block).collect();
    // Where the block meets at a barrier, the thread may need the others.
    let is_of_one = |step: &ScheduleStep| matches!(step.actors[..], [Actor::Thread { .. }]);
    let meets = own.iter().any(|step| !is_of_one(step));
    let needed = own.into_iter().filter(|step| meets || step.actors == one);
    let launch = so_often(begins, 1).into_iter().chain(needed.cloned());
    Some((before, launch.collect()))
}

/// A schedule that ends with what two threads did last, and how many steps come before these.
fn accesses_last(
    schedule: &[ScheduleStep],
    one: Actor,
    other: Actor,
) -> Option<(Vec<ScheduleStep>, u64)> {
    if n_steps(schedule) <= FEW_OF_RACES {
        return None;
    }
    let last = |actor: Actor| schedule.iter().rposition(|step| step.actors == [actor]);
    let (first, second) = (last(one)?, last(other)?);
    if first >= second {
        return None;
    }
    let others = schedule.iter().enumerate();
    let others = others.filter(|(at, _)| *at != first && *at != second);
    let mut made: Vec<ScheduleStep> = others.map(|(_, step)| step.clone()).collect();
    let n_led = n_steps(&made);
    made.extend([schedule[first].clone(), schedule[second].clone()]);
    Some((made, n_led))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::of_steps;
    use gridlock_semantics::algebra::operator::OpId;
    use gridlock_semantics::algebra::value::ArrayRef;
    use gridlock_semantics::transition::{Access, AccessMode};

    const STREAM: Actor = Actor::DefaultStream(0);

    fn thread(thread: u32) -> Actor {
        Actor::Thread { block: 0, thread }
    }

    fn finding(kind: DefectKind, actors: [Actor; 2], schedule: &[(Actor, u32)]) -> Finding {
        let [first, second] = actors.map(|actor| Access {
            actor,
            array: ArrayRef::Global(0),
            index: 3,
            mode: AccessMode::Write,
            op: OpId(0),
        });
        Finding {
            kind,
            schedule: of_steps(schedule),
            evidence: Evidence::Race { first, second },
        }
    }

    fn made(finding: &Finding) -> Option<(Vec<ScheduleStep>, u64)> {
        postponed(finding).map(|(made, n_led)| (made.schedule, n_led))
    }

    #[test]
    fn a_launch_begins_behind_what_the_host_does() {
        let whole = [
            (Actor::Host, 5_000),
            (STREAM, 1),
            (thread(0), 3),
            (thread(1), 3),
            (thread(2), 3),
            (Actor::Device, 1),
            (Actor::Host, 7),
        ];
        let actors = [thread(1), Actor::Host];
        let expected = [
            (Actor::Host, 5_000),
            (Actor::Host, 7),
            (STREAM, 1),
            (thread(1), 3),
        ];
        let stale = finding(DefectKind::StaleData, actors, &whole);
        assert_eq!(made(&stale), Some((of_steps(&expected), 5_000)));
        let race = finding(DefectKind::DataRace, actors, &whole);
        assert_eq!(made(&race), None);
        let short = finding(DefectKind::StaleData, actors, &whole[1..]);
        assert_eq!(made(&short), None);
    }

    #[test]
    fn a_copy_is_made_behind_what_the_host_does() {
        let other = Actor::Stream(2);
        let whole = [
            (Actor::Host, 5_000),
            (STREAM, 2),
            (Actor::Host, 1),
            (other, 1),
            (Actor::Host, 4_000),
        ];
        let stale = finding(DefectKind::StaleData, [STREAM, Actor::Host], &whole);
        let expected = [
            (Actor::Host, 5_000),
            (STREAM, 1),
            (Actor::Host, 1),
            (other, 1),
            (Actor::Host, 4_000),
            (STREAM, 1),
        ];
        assert_eq!(made(&stale), Some((of_steps(&expected), 5_003 + 3_000)));
        let never = finding(
            DefectKind::StaleData,
            [Actor::Stream(7), Actor::Host],
            &whole,
        );
        assert_eq!(made(&never), None);
    }

    #[test]
    fn two_accesses_come_behind_what_others_do() {
        let whole = [
            (thread(0), 9_000),
            (thread(1), 8_000),
            (Actor::Block(0), 1),
            (thread(0), 2),
            (thread(2), 9_000),
            (thread(1), 3),
        ];
        let race = finding(DefectKind::DataRace, [thread(0), thread(1)], &whole);
        let expected = [
            (thread(0), 9_000),
            (thread(1), 8_000),
            (Actor::Block(0), 1),
            (thread(2), 9_000),
            (thread(0), 2),
            (thread(1), 3),
        ];
        assert_eq!(made(&race), Some((of_steps(&expected), 26_001)));
        let short = finding(DefectKind::DataRace, [thread(0), thread(1)], &whole[1..]);
        assert_eq!(made(&short), None);
    }
}
