//! How files of any kind are damaged: bytes, lines, words, numbers turned extreme, ends cut off, two
//! files spliced, nesting without end.

use crate::words::{self, Rng};

/// Numbers at the edge of some type, or of sense.
pub const EXTREME: &[&str] = &[
    "0",
    "-1",
    "1",
    "31",
    "255",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "-2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e400",
    "-0.0",
    "nan",
    "1e-320",
    "0x7fffffffffffffffffff",
    "00000000000000000001",
];

/// What opens and closes in one language or another.
const BRACKETS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("{", "}"),
    ("-", ""),
    ("!", ""),
    ("* ", ""),
    ("a[", "]"),
    ("if (1) ", ""),
    ("{\"a\":", "}"),
    ("_f(", ")"),
    ("(int)", ""),
    ("1+(", ")"),
    ("/*", "*/"),
    ("#if 1\n", "\n#endif\n"),
];

/// Bytes that texts are not expected to have.
const STRANGE: &[&[u8]] = &[
    b"\0",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\r",
    b"\r\n",
    b"\x1b[31m",
    b"\xed\xa0\x80",
    "\u{202e}".as_bytes(),
    "\u{1f980}".as_bytes(),
    "\u{2028}".as_bytes(),
    b"\\\n",
    b"\"",
    b"'",
    b"`",
    b"$",
    b"%s%n",
];

/// One of these.
pub fn one_of<'a, T: ?Sized>(rng: &mut Rng, of: &[&'a T]) -> &'a T {
    of[rng.below(of.len())]
}

/// `text` with one to three things wrong; `other` is a file of the same kind to splice with.
pub fn damaged(text: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = text.to_vec();
    for _ in 0..=rng.below(3) {
        bytes = match rng.below(12) {
            0 => flipped(bytes, rng),
            1 => with_strange_bytes(bytes, rng),
            2 => cut_off(bytes, rng),
            3 => spliced(&bytes, other, rng),
            4 => with_extreme_number(&bytes, rng),
            5 => with_nesting(bytes, rng),
            6 => with_line_often(&bytes, rng),
            7 => with_long_word(bytes, rng),
            _ => match (String::from_utf8(bytes), std::str::from_utf8(other)) {
                (Ok(own), Ok(other)) => {
                    // The second is there for its lines; that it is damaged itself is well, too.
                    let both = [own.clone(), own, other.to_owned()];
                    words::damaged(&both, rng).into_bytes()
                }
                (Ok(own), Err(_)) => own.into_bytes(),
                (Err(error), _) => error.into_bytes(),
            },
        };
    }
    bytes
}

fn flipped(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    for _ in 0..=rng.below(4) {
        let at = rng.below(bytes.len());
        if let Some(byte) = bytes.get_mut(at) {
            *byte ^= 1 << rng.below(8);
        }
    }
    bytes
}

fn with_strange_bytes(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let at = rng.below(bytes.len() + 1);
    let strange = one_of(rng, STRANGE);
    bytes.splice(at..at, strange.iter().copied());
    bytes
}

fn cut_off(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let at = rng.below(bytes.len() + 1);
    match rng.below(4) {
        0 => drop(bytes.drain(..at)),
        1 => drop(bytes.drain(at..(at + 40).min(bytes.len()))),
        _ => bytes.truncate(at),
    }
    bytes
}

fn spliced(bytes: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let (to, from) = (rng.below(bytes.len() + 1), rng.below(other.len() + 1));
    let mut both = bytes[..to].to_vec();
    both.extend(&other[from..]);
    if rng.below(2) == 0 {
        both.extend(&bytes[to..]);
    }
    both
}

/// A number that stands in the text becomes another.
pub fn with_extreme_number(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let is_start = |i: &usize| {
        bytes[*i].is_ascii_digit()
            && !i.checked_sub(1).is_some_and(|before| {
                bytes[before].is_ascii_alphanumeric() || bytes[before] == b'_'
            })
    };
    let starts: Vec<usize> = (0..bytes.len()).filter(is_start).collect();
    if starts.is_empty() {
        return bytes.to_vec();
    }
    let start = starts[rng.below(starts.len())];
    let n_digits = bytes[start..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count();
    let mut changed = bytes.to_vec();
    let number = one_of(rng, EXTREME);
    changed.splice(start..start + n_digits, number.bytes());
    changed
}

fn with_nesting(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let (open, close) = BRACKETS[rng.below(BRACKETS.len())];
    let depth = [3, 50, 300, 2000, 20_000][rng.below(5)];
    let at = rng.below(bytes.len() + 1);
    let inside = one_of(rng, &["", "0", "x", "1", "\"\""]);
    let mut nest = open.repeat(depth);
    nest.push_str(inside);
    if rng.below(4) > 0 {
        nest.push_str(&close.repeat(depth));
    }
    bytes.splice(at..at, nest.into_bytes());
    bytes
}

fn with_line_often(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
    let at = rng.below(lines.len());
    let line = lines[at];
    let often = [2, 20, 500][rng.below(3)];
    lines.splice(at..at, std::iter::repeat_n(line, often));
    lines.join(&b'\n')
}

fn with_long_word(mut bytes: Vec<u8>, rng: &mut Rng) -> Vec<u8> {
    let at = rng.below(bytes.len() + 1);
    let length = [100, 5000, 100_000][rng.below(3)];
    let letter = b"a1 \"_("[rng.below(6)];
    bytes.splice(at..at, std::iter::repeat_n(letter, length));
    bytes
}

/// Each way to damage changes something, and all are the same again for the same seed.
#[test]
fn damage_is_reproducible_and_changes_something() {
    let text = b"int a = 12;\nint b = a + 3;\n";
    let other = b"float c = 1.5f;\nvoid f();\n";
    let changed = (0..200).filter(|&seed| {
        let once = damaged(text, other, &mut Rng::new(seed));
        assert_eq!(once, damaged(text, other, &mut Rng::new(seed)));
        once != text
    });
    assert!(changed.count() > 180);
}
