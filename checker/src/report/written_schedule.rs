//! A schedule as witnesses are written: in a long one, the steps of threads of a block that follow each other by number stand
//! in one entry, which says of how many it is the first (`each`).

use crate::finding::{ScheduleStep, is_zero};
use gridlock_semantics::transition::Actor;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Entries up to which a schedule is written entry by entry.
const SHORT: usize = 1_000;

/// Threads of a block at most, as launches have them.
const MOST_THREADS: u32 = 1_024;

/// Entries of a schedule at most, written or read: some gigabytes.
const MOST_ENTRIES: usize = 16 << 20;

/// A [`ScheduleStep`] and one field more. Its fields stand here once more because a flattened one is read from a copy, and an
/// error in it would have the place where the entry ends.
#[derive(Serialize, Deserialize)]
struct Entry {
    actors: Vec<Actor>,
    steps: u32,
    #[serde(skip_serializing_if = "is_zero", default)]
    choice: u32,
    /// This many threads, the actor being the first, make so many steps each, in order.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    each: Option<u32>,
}

impl Entry {
    fn new(step: &ScheduleStep) -> Entry {
        Entry {
            actors: step.actors.clone(),
            steps: step.steps,
            choice: step.choice,
            each: None,
        }
    }

    /// The step with these actors.
    fn with(&self, actors: Vec<Actor>) -> ScheduleStep {
        ScheduleStep {
            actors,
            steps: self.steps,
            choice: self.choice,
        }
    }
}

pub fn serialize<S: Serializer>(schedule: &[ScheduleStep], to: S) -> Result<S::Ok, S::Error> {
    if schedule.len() <= SHORT {
        return to.collect_seq(schedule);
    }
    let mut entries: Vec<Entry> = Vec::new();
    for step in schedule {
        let joined = entries.last_mut().filter(|last| is_next(last, step));
        match joined {
            Some(last) => last.each = Some(last.each.unwrap_or(1) + 1),
            None => entries.push(Entry::new(step)),
        }
    }
    to.collect_seq(entries)
}

/// Whether a step is the same of the next thread of the block.
fn is_next(last: &Entry, step: &ScheduleStep) -> bool {
    let n = last.each.unwrap_or(1);
    n < MOST_THREADS
        && (last.steps, last.choice) == (step.steps, step.choice)
        && nth(&last.actors, n).is_some_and(|next| next == step.actors)
}

/// Who is so many threads behind the only one of these.
fn nth(first: &[Actor], n: u32) -> Option<Vec<Actor>> {
    let [Actor::Thread { block, thread }] = *first else {
        return None;
    };
    let thread = thread.checked_add(n)?;
    Some(vec![Actor::Thread { block, thread }])
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<ScheduleStep>, D::Error> {
    let mut schedule = Vec::new();
    for mut entry in Vec::<Entry>::deserialize(from)? {
        let each = entry.each.unwrap_or(1);
        if each == 0 || each > MOST_THREADS {
            return Err(D::Error::custom(format!(
                "`each` is {each}, and a block has 1 to {MOST_THREADS} threads"
            )));
        }
        if schedule.len() + each as usize > MOST_ENTRIES {
            return Err(D::Error::custom("the schedule is too long"));
        }
        let first = std::mem::take(&mut entry.actors);
        let others = (1..each).map(|n| {
            let actors = nth(&first, n);
            actors.ok_or_else(|| D::Error::custom("`each` is of one thread"))
        });
        let others = others.collect::<Result<Vec<_>, _>>()?;
        let all = std::iter::once(first).chain(others);
        schedule.extend(all.map(|actors| entry.with(actors)));
    }
    Ok(schedule)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::of_steps;

    #[derive(Serialize, Deserialize)]
    struct Held(#[serde(with = "super")] Vec<ScheduleStep>);

    fn thread(block: u32, thread: u32) -> Actor {
        Actor::Thread { block, thread }
    }

    #[test]
    fn long_schedules_are_written_short_and_read_as_they_were() {
        let mut steps = vec![(Actor::Host, 7), (thread(0, 5), 2)];
        let threads = (0..3).flat_map(|block| (0..600).map(move |t| (thread(block, t), 3)));
        steps.extend(threads);
        steps.extend([(thread(2, 600), 4), (thread(2, 602), 4), (Actor::Device, 1)]);
        let schedule = of_steps(&steps);
        let text = serde_json::to_string(&Held(schedule.clone())).unwrap();
        assert_eq!(text.matches("\"each\":600").count(), 3, "{text}");
        assert_eq!(text.matches("actors").count(), 8, "{text}");
        let read: Held = serde_json::from_str(&text).unwrap();
        assert_eq!(read.0, schedule);
        // A short one is written as it always was.
        let short = serde_json::to_string(&Held(of_steps(&steps[..900]))).unwrap();
        assert!(!short.contains("each"));
        let read: Held = serde_json::from_str(&short).unwrap();
        assert_eq!(read.0, of_steps(&steps[..900]));
    }

    /// An error in a field has the place of that field.
    #[test]
    fn errors_have_their_place() {
        let text = "[{\n\"actors\":[\"host\"],\n\"steps\":1},\n{\"actors\":[\"host\"],\n\"steps\":\"x\",\n\"choice\":0}]";
        let error = serde_json::from_str::<Held>(text).err().expect("an error");
        assert_eq!((error.line(), error.column()), (5, 11), "{error}");
    }

    #[test]
    fn what_no_block_can_do_is_refused() {
        for (each, actor, expected) in [
            ("0", "{\"thread\":{\"block\":0,\"thread\":1}}", "1 to 1024"),
            (
                "5000000000",
                "{\"thread\":{\"block\":0,\"thread\":1}}",
                "u32",
            ),
            (
                "2000",
                "{\"thread\":{\"block\":0,\"thread\":1}}",
                "1 to 1024",
            ),
            ("2", "\"host\"", "of one thread"),
            (
                "2",
                "{\"thread\":{\"block\":0,\"thread\":4294967295}}",
                "of one thread",
            ),
        ] {
            let text = format!("[{{\"actors\":[{actor}],\"steps\":1,\"each\":{each}}}]");
            let error = serde_json::from_str::<Held>(&text)
                .err()
                .unwrap()
                .to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
