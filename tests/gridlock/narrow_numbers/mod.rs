//! Arithmetic of numbers of 16 and 8 bits: what the front end has in the place of `cuda_fp16.h`, `cuda_bf16.h` and
//! `cuda_fp8.h`, run by the semantics, against the vendor's own headers, compiled for this machine. What the vendor has
//! for devices only is compared with the same function written for `double`, or for more than that.

mod formats;
mod host;

use formats::{Format, Operation, Over};
use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::limits::Limits;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_generation::effort;
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::fmt::Write;
use std::sync::Arc;

const THREADS: u32 = 256;

/// What operations are given: element by element, numbers of 16 bits, and 64 bits for whatever is wider.
struct Inputs {
    narrow: [Vec<u16>; 3],
    wide: Vec<u64>,
}

/// Random numbers.
struct Source(u64);

impl Source {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// Half of them beside what is special: zeros, ones, the ends of the normal numbers, infinities.
    fn narrow(&mut self) -> u16 {
        let special = [
            0, 0x8000, 0x3c00, 0x3f80, 0x0400, 0x0080, 0x7c00, 0x7f80, 0xfc00, 0xff80, 0x7bff,
            0x7f7f, 0x7e00,
        ];
        let n = self.next();
        match n & 1 {
            0 => (n >> 16) as u16,
            _ => {
                let near = special[(n >> 8) as usize % special.len()] as u64;
                near.wrapping_add(n >> 32 & 3).wrapping_sub(1) as u16
            }
        }
    }

    /// As an integer, a `float` in the lower half, or a `double`: half of them at or beside the middle of two numbers of
    /// few bits, where rounding turns.
    fn wide(&mut self) -> u64 {
        let n = self.next();
        let digits = [3, 4, 8, 11][(n >> 2) as usize % 4];
        // One bit more than the significand has, and what is far below.
        let middle = |width: u32, n: u64| {
            let kept = u64::MAX << (width - 1 - digits).min(63);
            (n & kept) | (n & 1 << (width - 1 - digits)) | [0, 0, 1][(n >> 8) as usize % 3]
        };
        let exponent = self.next() % 60;
        match n % 4 {
            0 => self.next(),
            // Of exponents that a format of 16 bits has.
            1 => (self.next() & 0x800f_ffff_ffff_ffff) | (exponent + 1023 - 30) << 52,
            2 => {
                let double = middle(53, self.next() & 0x000f_ffff_ffff_ffff);
                double | (exponent + 1023 - 30) << 52 | self.next() & 1 << 63
            }
            _ => {
                let float = middle(24, self.next() & 0x007f_ffff);
                let integer = middle(40, self.next()) << (self.next() % 24);
                [float | (exponent + 127 - 30) << 23, integer][(n >> 40) as usize % 2]
            }
        }
    }
}

/// Inputs over which operations of one argument run: all of 16 bits, in short runs one in so many.
const SHARE: usize = 41;

fn every_number() -> Inputs {
    let all = (0..=u16::MAX).filter(|&n| effort::is_done(n as usize, SHARE) || n & 0x3ff < 2);
    let all: Vec<u16> = all.collect();
    Inputs {
        wide: vec![0; all.len()],
        narrow: [all.clone(), all.clone(), all],
    }
}

fn random_inputs(seed: u64) -> Inputs {
    let mut source = Source(seed);
    let n = effort::cases(2_000, 1_000_000) as usize;
    let mut narrow = || (0..n).map(|_| source.narrow()).collect();
    let narrow = [narrow(), narrow(), narrow()];
    let wide = (0..n).map(|_| source.wide()).collect();
    Inputs { narrow, wide }
}

/// The operations as kernels, which both sides read alike.
fn kernels(format: &Format, operations: &[Operation]) -> String {
    let mut text = String::new();
    for (index, operation) in operations.iter().enumerate() {
        let _ = writeln!(
            text,
            "__global__ void k{index}(const unsigned short *a, const unsigned short *b, const unsigned short *c, \
             const word *w, word *out) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; {} out[i] = bits({}); }}",
            operation.arguments(format),
            format.text(operation.expression)
        );
    }
    text
}

/// What each operation gives for each input, by the semantics. The arrays hold whole blocks.
fn by_the_semantics(
    format: &Format,
    operations: &[Operation],
    inputs_of: impl Fn(Over) -> Arc<Inputs>,
) -> Vec<Vec<u64>> {
    let text = format!("{}\n{}", format.device_head(), kernels(format, operations));
    let parsed = parse_source("k.cu", &text, Language::Cuda, &ParseOptions::default());
    let parsed = parsed.unwrap_or_else(|error| panic!("{error}"));
    // A function that returns a struct is read where it is called.
    let kernels = parsed
        .unsupported
        .iter()
        .filter(|u| u.kind == ProcKind::Kernel);
    let refused: Vec<String> = kernels.map(|u| format!("{u:?}")).collect();
    assert_eq!(refused, Vec::<String>::new());
    let compiled = compile(&parsed.program);
    let mut all = Vec::new();
    for (index, operation) in operations.iter().enumerate() {
        let inputs = inputs_of(operation.over);
        let n = inputs.wide.len() as u64;
        let extent = n.next_multiple_of(THREADS.into());
        let array = |name: &str, elem, contents| ArrayArg {
            name: name.into(),
            elem,
            extent: Some(extent),
            contents,
            observed: name == "out",
        };
        let narrow = |numbers: &[u16]| {
            let cells = numbers.iter();
            Contents::Values(
                cells
                    .map(|&n| Value::int(ScalarType::U16, n.into()))
                    .collect(),
            )
        };
        let wide = inputs
            .wide
            .iter()
            .map(|&n| Value::int(ScalarType::U64, n.into()));
        let [a, b, c] = &inputs.narrow;
        let setup = Setup {
            declared: Default::default(),
            observed: Default::default(),
            device: Default::default(),
            entry: parsed
                .program
                .find_proc(&format!("k{index}"))
                .unwrap_or_else(|| panic!("k{index}: {}", operation.expression)),
            launch: Some(Launch {
                grid: [(extent / u64::from(THREADS)) as u32, 1, 1],
                block: [THREADS, 1, 1],
                shared_bytes: 0,
            }),
            args: (0..5).map(Arg::Array).collect(),
            arrays: vec![
                array("a", ScalarType::U16, narrow(a)),
                array("b", ScalarType::U16, narrow(b)),
                array("c", ScalarType::U16, narrow(c)),
                array("w", ScalarType::U64, Contents::Values(wide.collect())),
                array("out", ScalarType::U64, Contents::Zero),
            ],
        };
        let limits = Limits {
            seconds: 3_000.0,
            ..Limits::default()
        };
        let run = canonical::run(&compiled, &setup, &Profile::default(), &limits);
        let what = operation.expression;
        assert_eq!(
            run.status,
            CanonicalStatus::Decides,
            "{what}: {:?}",
            run.findings
        );
        let cells = &run.observation.expect("it ended").arrays[0].cells;
        let cells = cells.iter().take(n as usize);
        all.push(cells.map(|cell| cell.integer() as u64).collect());
    }
    all
}

/// What comes out otherwise: a line an operation, with how often, and the first input.
fn differences(format: &Format, read: &[Operation], compiled: &[Operation]) -> Vec<String> {
    let (every, random) = (
        Arc::new(every_number()),
        Arc::new(random_inputs(effort::first(7) + 1)),
    );
    let inputs_of = |over| match over {
        Over::Every => every.clone(),
        Over::Random => random.clone(),
    };
    let found = by_the_semantics(format, read, inputs_of);
    let Some(wanted) = host::by_the_vendor(format, compiled, inputs_of) else {
        return vec![];
    };
    let mut all = Vec::new();
    for ((operation, found), wanted) in read.iter().zip(&found).zip(&wanted) {
        assert_eq!(found.len(), wanted.len());
        let mut wrong = (0..found.len()).filter(|&i| found[i] != wanted[i]);
        if let Some(i) = wrong.next() {
            let inputs = inputs_of(operation.over);
            let [a, b, c] = [0, 1, 2].map(|which| inputs.narrow[which][i]);
            all.push(format!(
                "{}: {} of {} differ; of a = {a:#06x}, b = {b:#06x}, c = {c:#06x}, w = {:#x} it is {:#x}, not {:#x}",
                format.text(operation.expression),
                wrong.count() + 1,
                found.len(),
                inputs.wide[i],
                found[i],
                wanted[i]
            ));
        }
    }
    all
}

fn agree(format: &Format) {
    let operations = format.operations();
    assert_eq!(
        differences(format, &operations, &operations),
        Vec::<String>::new()
    );
}

#[test]
fn numbers_of_16_bits() {
    agree(&formats::HALF);
}

#[test]
fn brain_floats() {
    agree(&formats::BFLOAT);
}

#[test]
fn numbers_of_8_bits() {
    agree(&formats::E4M3);
    agree(&formats::E5M2);
}

#[test]
fn powers_of_two_in_8_bits() {
    agree(&formats::E8M0);
}

/// One that is read otherwise than it is compiled is told from the others.
#[test]
fn a_difference_shows() {
    let operations = formats::HALF.operations();
    let of = |expression: &str| {
        let named = operations.iter().position(|o| o.expression == expression);
        operations[named.expect("there is such an operation")].clone()
    };
    let right = [
        of("__hmax(x, y)"),
        of("x + y"),
        of("__double2KIND(d)"),
        of("__hfma(x, y, z)"),
    ];
    let mut wrong = right.clone();
    wrong[0].expression = "__hmax_nan(x, y)";
    // What is rounded twice.
    wrong[2].expression = "__float2KIND((float)d)";
    wrong[3].expression = "x * y + z";
    let found = differences(&formats::HALF, &wrong, &right);
    let names: Vec<&str> = found
        .iter()
        .filter_map(|line| line.split(": ").next())
        .collect();
    assert_eq!(
        names,
        ["__hmax_nan(x, y)", "__float2half((float)d)", "x * y + z"],
        "{found:#?}"
    );
}
