//! `--vary NAME=VALUES`: which values a variable takes.

use crate::input::error::InputError;

/// Values of one variable, as the user gave them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vary {
    /// `block`, `block.x`, `grid.y`, or a parameter.
    pub name: String,
    /// In increasing order, each once.
    pub values: Vec<i64>,
}

/// Values one range may have.
const MOST: usize = 4096;

impl Vary {
    /// Reads `block=1..64`, `n=0..100:5` (both ends included, in steps of 5), `n=1,2,4..8`.
    ///
    /// # Errors
    /// Anything else, a range without a value, more than 4096 values.
    pub fn parse(text: &str) -> Result<Vary, InputError> {
        let wrong = |why: String| Err(InputError::usage(format!("--vary `{text}`: {why}")));
        let Some((name, list)) = text.split_once('=') else {
            return wrong("write NAME=FROM..TO, or NAME=1,2,4".to_owned());
        };
        let number = |part: &str| part.trim().parse::<i64>().ok();
        let mut values = Vec::new();
        for part in list.split(',') {
            let Some((from, rest)) = part.split_once("..") else {
                match number(part) {
                    Some(value) => values.push(value),
                    None => return wrong(format!("`{part}` is no whole number")),
                }
                continue;
            };
            let (to, step) = rest.split_once(':').unwrap_or((rest, "1"));
            let (Some(from), Some(to), Some(step)) = (number(from), number(to), number(step))
            else {
                return wrong(format!("`{part}`: write FROM..TO or FROM..TO:STEP"));
            };
            if step < 1 || from > to {
                return wrong(format!("`{part}` has no value"));
            }
            let n_steps = to.abs_diff(from) / step.unsigned_abs();
            if n_steps >= MOST as u64 {
                return wrong(format!("`{part}` has more than {MOST} values; give a step"));
            }
            let value = |i: i64| i64::try_from(from as i128 + i as i128 * step as i128).ok();
            values.extend((0..=n_steps as i64).filter_map(value));
        }
        values.sort_unstable();
        values.dedup();
        Ok(Vary {
            name: name.trim().to_owned(),
            values,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<(&str, &[i64]), &str>) {
        match (Vary::parse(text), expected) {
            (Ok(vary), Ok((name, values))) => {
                assert_eq!((&*vary.name, &*vary.values), (name, values));
            }
            (Err(error), Err(part)) => {
                assert!(error.message.contains(part), "{}", error.message);
            }
            (found, expected) => panic!("{text}: {found:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn ranges_and_lists() {
        check("n=3", Ok(("n", &[3])));
        check("block=1..4", Ok(("block", &[1, 2, 3, 4])));
        check(" n = 10..20:5", Ok(("n", &[10, 15, 20])));
        check("n=0..9:4", Ok(("n", &[0, 4, 8])));
        check("n=8,1..3,2,-1", Ok(("n", &[-1, 1, 2, 3, 8])));
        check("n", Err("write NAME=FROM..TO"));
        check("n=", Err("no whole number"));
        check("n=4..1", Err("has no value"));
        check("n=1..4:0", Err("has no value"));
        check("n=1..x", Err("FROM..TO:STEP"));
        check("n=0..1000000", Err("more than 4096"));
        check(
            "n=-9223372036854775808..9223372036854775807:9223372036854775807",
            Ok(("n", &[i64::MIN, -1, i64::MAX - 1])),
        );
        check(
            "n=-9223372036854775808..9223372036854775807",
            Err("more than 4096"),
        );
    }
}
