//! How much a test does. `make test` takes a few cases of each random test, always the same ones, and a share of the
//! rows of each large table; `make soak` sets [`VARIABLE`], and every test runs at full length.

use std::cell::Cell;

/// Set for long runs. Its value is the number of the first random case.
pub const VARIABLE: &str = "GRIDLOCK_SOAK";

/// The first case of a long run; `None` in a short one.
///
/// # Panics
/// Where the variable is set to what is no number.
pub fn seed() -> Option<u64> {
    let text = std::env::var(VARIABLE).ok()?;
    let number = text.parse();
    Some(number.unwrap_or_else(|_| panic!("{VARIABLE}={text}: a number, the first random case")))
}

/// Number of the first case: `first` in a short run.
pub fn first(first: u64) -> u64 {
    seed().unwrap_or(first)
}

/// How many cases: `few` in a short run, `many` in a long one.
pub fn cases(few: u64, many: u64) -> u64 {
    match seed() {
        None => few,
        Some(_) => many,
    }
}

/// Whether a short run does the item of this number, where it does one in `one_in`. A long run does all, and so does one
/// that writes tables anew (`INSTA_UPDATE=always`).
pub fn is_done(item: usize, one_in: usize) -> bool {
    item.is_multiple_of(one_in) || seed().is_some() || writes_tables()
}

thread_local! {
    static TURN: Cell<usize> = const { Cell::new(0) };
}

/// Whether a short run does the next item of a test that does not number them: the first, and then one in `one_in`. Each
/// test has a thread of its own.
pub fn is_next_done(one_in: usize) -> bool {
    let turn = TURN.get();
    TURN.set(turn + 1);
    is_done(turn, one_in)
}

/// Whether stored tables are written anew rather than compared.
pub fn writes_tables() -> bool {
    std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always")
}
