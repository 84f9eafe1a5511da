//! The pieces that schedules are made of, each kept once: many ways between states share one.

use crate::finding::ScheduleStep;
use rustc_hash::FxHashMap;

/// Number of a piece.
pub type PieceId = u32;

#[derive(Default)]
pub struct Pieces {
    all: Vec<Vec<ScheduleStep>>,
    numbers: FxHashMap<Vec<ScheduleStep>, PieceId>,
}

impl Pieces {
    pub fn number(&mut self, steps: &[ScheduleStep]) -> PieceId {
        if let Some(&number) = self.numbers.get(steps) {
            return number;
        }
        let number = self.all.len() as PieceId;
        self.all.push(steps.to_vec());
        self.numbers.insert(steps.to_vec(), number);
        number
    }

    pub fn get(&self, number: PieceId) -> &[ScheduleStep] {
        &self.all[number as usize]
    }
}
