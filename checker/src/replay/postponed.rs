//! What the host uses while a launch that uses it too may still run. A canonical run makes every launch when it is enqueued,
//! with all its threads, so that a schedule cut out of it has all their steps. The two uses are as little ordered where the
//! launch begins after the host's use, and then one thread of it is enough. Whether they are is for the reference to say.

use crate::finding::{DefectKind, Evidence, Finding, ScheduleStep};
use gridlock_semantics::transition::Actor;

/// Steps of schedules that are not worth another.
const FEW: u64 = 2_000;

/// A schedule in which the launch that the first use belongs to begins behind the second, if the finding's may be such.
pub fn postponed(finding: &Finding, schedule: &[ScheduleStep]) -> Option<Vec<ScheduleStep>> {
    let Evidence::Race { first, second } = &finding.evidence else {
        return None;
    };
    let (DefectKind::StaleData, Actor::Thread { block, .. }, Actor::Host) =
        (finding.kind, first.actor, second.actor)
    else {
        return None;
    };
    let n_steps: u64 = schedule.iter().map(|step| u64::from(step.steps)).sum();
    if n_steps <= FEW {
        return None;
    }
    // The last launch in which the thread takes a step: the stream begins it, and the device ends it.
    let one = [first.actor];
    let last = schedule.iter().rposition(|step| step.actors == one)?;
    let is_of_launch = |step: &ScheduleStep| {
        matches!(
            step.actors[..],
            [Actor::Thread { .. } | Actor::Block(_), ..]
        )
    };
    let begin = schedule[..last]
        .iter()
        .rposition(|step| !is_of_launch(step))?;
    let is_host = |step: &&ScheduleStep| step.actors == [Actor::Host];
    let mut made = schedule[..begin].to_vec();
    let begins = ScheduleStep {
        steps: 1,
        ..schedule[begin].clone()
    };
    if is_host(&&begins) {
        return None;
    }
    made.extend((schedule[begin].steps > 1).then(|| ScheduleStep {
        steps: schedule[begin].steps - 1,
        ..begins.clone()
    }));
    let behind = schedule[last..].iter().filter(is_host);
    made.extend(behind.cloned());
    made.push(begins);
    let of_block = |step: &&ScheduleStep| match step.actors[..] {
        [Actor::Thread { block: own, .. } | Actor::Block(own), ..] => own == block,
        _ => false,
    };
    let own: Vec<&ScheduleStep> = schedule[begin..=last].iter().filter(of_block).collect();
    // Where the block meets at a barrier, the thread may need the others.
    let meets = own
        .iter()
        .any(|step| step.actors != one && !is_of_one(step));
    let needed = own.into_iter().filter(|step| meets || step.actors == one);
    made.extend(needed.cloned());
    Some(made)
}

fn is_of_one(step: &ScheduleStep) -> bool {
    matches!(step.actors[..], [Actor::Thread { .. }])
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_semantics::algebra::operator::OpId;
    use gridlock_semantics::algebra::value::ArrayRef;
    use gridlock_semantics::transition::{Access, AccessMode};

    const STREAM: Actor = Actor::DefaultStream(0);

    fn thread(thread: u32) -> Actor {
        Actor::Thread { block: 0, thread }
    }

    fn schedule(steps: &[(Actor, u32)]) -> Vec<ScheduleStep> {
        let step = |&(actor, steps)| ScheduleStep {
            actors: vec![actor],
            steps,
            choice: 0,
        };
        steps.iter().map(step).collect()
    }

    #[test]
    fn a_launch_begins_behind_what_the_host_does() {
        let access = |actor, mode| Access {
            actor,
            array: ArrayRef::Global(0),
            index: 3,
            mode,
            op: OpId(0),
        };
        let whole = schedule(&[
            (Actor::Host, 5_000),
            (STREAM, 1),
            (thread(0), 3),
            (thread(1), 3),
            (thread(2), 3),
            (Actor::Device, 1),
            (Actor::Host, 7),
        ]);
        let finding = |kind| Finding {
            kind,
            schedule: whole.clone(),
            evidence: Evidence::Race {
                first: access(thread(1), AccessMode::Write),
                second: access(Actor::Host, AccessMode::Read),
            },
        };
        let made = postponed(&finding(DefectKind::StaleData), &whole);
        let expected = schedule(&[
            (Actor::Host, 5_000),
            (Actor::Host, 7),
            (STREAM, 1),
            (thread(1), 3),
        ]);
        assert_eq!(made, Some(expected));
        assert_eq!(postponed(&finding(DefectKind::DataRace), &whole), None);
        assert_eq!(
            postponed(&finding(DefectKind::StaleData), &whole[1..]),
            None
        );
    }
}
