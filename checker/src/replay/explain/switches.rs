//! How often a run goes from one actor to another.

use crate::finding::ScheduleStep;

/// How often a schedule goes from one actor to another.
pub fn switches(schedule: &[ScheduleStep]) -> u64 {
    let pairs = schedule.windows(2);
    pairs
        .filter(|pair| pair[0].actors != pair[1].actors)
        .count() as u64
}
