//! Values for options: such as somebody means, and such as nobody does.

use crate::damage::{EXTREME, damaged, one_of};
use crate::options::Choice;
use crate::words::Rng;

/// A value for an option, and whether it is the name of a file to be written.
pub fn value(
    choice: &Choice,
    first_file: Option<&str>,
    n_outputs: usize,
    rng: &mut Rng,
) -> (String, bool) {
    let is_limit = choice.name.contains("seconds") || choice.name == "--time-limit";
    if is_limit {
        // Small, or none at all: else a run would take what it is given.
        let seconds = ["0", "0.001", "0.1", "1", "-1", "nan", "", "1s"];
        return (one_of(rng, &seconds).to_owned(), false);
    }
    let mut pool: Vec<&str> = match &*choice.value {
        "X[,Y[,Z]]" => vec![
            "1",
            "2",
            "4",
            "32",
            "33",
            "64,1",
            "8,8",
            "2,2,2",
            "1024",
            "1,1,64",
            "0",
            "2147483647",
            "65535,65535",
            "65535,65535,65535",
            "1,2,3,4",
            "1025",
            "-1",
            "4294967296",
            ",",
            "1,",
            "0x10",
        ],
        "NAME|FILE" => vec![
            "cuda",
            "cuda-hw",
            "opencl",
            "paper",
            "paper-literal",
            "lockstep-warp",
            "portable",
            "none",
            "",
        ],
        "NAME=VALUE" | "NAME[=VALUE]" => vec![
            "n=0",
            "n=1",
            "n=100",
            "n=-1",
            "n=2147483648",
            "n=1.5",
            "n=x",
            "=1",
            "n=",
            "n",
            "a=0",
            "x=nan",
            "block=64",
            "int=float",
            "__global__=",
            "for=while",
            "n=1=2",
        ],
        "NAME=COUNT" => vec![
            "a=1",
            "a=n",
            "a=n*4",
            "a=0",
            "a=-1",
            "a=1000000000",
            "a=18446744073709551615",
            "a=n*n*n*n",
            "a=b",
            "b=",
            "out=64",
            "in=64",
            "a=4294967296*4294967296",
        ],
        "NAME=CONTENTS" => vec![
            "a=zero",
            "a=undef",
            "a=fill:-1",
            "a=range:0:1",
            "a=random:7",
            "a=range:9223372036854775807:1",
            "a=fill:nan",
            "a=",
            "a=fill:",
            "table=initial",
            "a=random:-1",
        ],
        "NAME=VALUES" => vec![
            "block=1..64",
            "n=0..100:5",
            "grid.y=1,2,4",
            "n=5..1",
            "block=0..0:0",
            "n=..",
            "n=0..18446744073709551615",
        ],
        "NAMES" => vec![
            "races",
            "races,divergence",
            "bounds",
            "races,races",
            "",
            "no-such",
            ",",
        ],
        "INPUTS" => vec![
            "all",
            "random:1:3",
            "random:1:0",
            "random:-1:1",
            "random:1:1000000",
            "random",
            "",
        ],
        "NAME" => vec![
            "main",
            "k",
            "kernel",
            "a",
            "a[0]",
            "",
            "no such",
            "__global__",
            "s[99999999999]",
        ],
        "DIALECT" => vec![
            "c++17", "c++20", "c++98", "gnu17", "c11", "cl2.0", "nonsense", "-o x", "",
        ],
        "DIR" if choice.name == "-I" => vec![".", "/", "/no/such", "-o"],
        "FILE" | "PATH" | "DIR" => {
            let out = format!("out-{n_outputs}");
            return match rng.below(10) {
                // A folder for results is made with those it is in.
                0 => ("no-such-folder/out".to_owned(), true),
                1 => (".".to_owned(), choice.value == "DIR"),
                2 if first_file.is_some() => (first_file.unwrap_or_default().to_owned(), false),
                _ => (out, true),
            };
        }
        "RELATION" => vec![
            "new.out[b] == old.out[b * 64]",
            "new.a[b] == old.a[b]",
            "new",
            "== ==",
            "new.a[b] == old.a[b] for b in 0..4",
        ],
        "STEPS" => vec![
            "b0.t0",
            "b0.t0+b0.t1, b0.t1 ×2",
            "b0.t0 x99999999999",
            "b9.t9",
            "(choice 3)",
            "+",
            "b0.t0 (choice 4294967296)",
        ],
        "ARGUMENTS" => vec!["1 2 3", "", "x", "-1", "4294967296"],
        "KERNEL<ARGUMENTS>" => vec!["k<int>", "k<float, 256>", "k<", "k<>>", "sum<-1>"],
        "DEPTH" | "N" | "BYTES" | "SEED" => EXTREME.to_vec(),
        _ => vec!["", "x", "1", "-"],
    };
    let possible = choice.possible.iter().map(String::as_str);
    pool.extend(possible.clone().chain(possible));
    let value = match rng.below(20) {
        0 => one_of(rng, EXTREME).to_owned(),
        1 => {
            let value = one_of(rng, &pool).to_owned();
            let changed = damaged(value.as_bytes(), b"n=3,4", rng);
            // What no command line can have, and no more than one takes.
            let text: String = String::from_utf8_lossy(&changed).replace('\0', "0");
            text.chars().take(20_000).collect()
        }
        _ => one_of(rng, &pool).to_owned(),
    };
    (value, false)
}
