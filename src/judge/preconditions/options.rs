//! How conditions are looked for.

use super::vary::Vary;

/// How conditions are looked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// Values to try, by variable; others are chosen from the program.
    pub vary: Vec<Vary>,
    /// Points judged at most, for each kernel.
    pub points: usize,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            vary: Vec::new(),
            points: 1_500,
        }
    }
}
