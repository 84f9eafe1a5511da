//! How much a test does. `make test` takes a few cases of each random test, always the same ones, and a share of the
//! rows of each large table; `make soak` sets [`VARIABLE`], and every test runs at full length.

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

/// Whether a short run does this item, where it does one in `one_in` and the items have no numbers: their texts choose.
pub fn is_drawn(text: &str, one_in: usize) -> bool {
    // Fowler, Noll and Vo's hash of 64 bits (1a): the same on every machine and in every version of the compiler.
    let mixed = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    is_done((mixed >> 32) as usize, one_in)
}

/// Whether stored tables are written anew rather than compared.
pub fn writes_tables() -> bool {
    std::env::var("INSTA_UPDATE").is_ok_and(|how| how == "always")
}
