//! Random kernels whose counters wrap around, against runs: loops over counters of all integer types,
//! that go up, down, by factors and by shifts, with bounds near the ends of their types. What is proved
//! at arguments and launches that are given must not be found by a canonical run, nor may a loop that is
//! proved to end go on for ever when its counter is followed by itself.

use super::Rng;
use crate::algebra::*;
use gridlock_checker::canonical;
use gridlock_checker::compiled::compile;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::verdict::Property;
use gridlock_generation::effort;
use gridlock_proofs::{Budget, ExtentTerm, ProofOutcome, ProofRequest, ProofStatus, prove_kernel};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::collections::BTreeSet;
use std::time::Duration;

const TYPES: [ScalarType; 8] = [
    ScalarType::I8,
    ScalarType::U8,
    ScalarType::I16,
    ScalarType::U16,
    ScalarType::I32,
    ScalarType::U32,
    ScalarType::I64,
    ScalarType::U64,
];
/// Elements of `p`.
const EXTENT: u64 = 96;
/// Iterations of one loop that are followed.
const FOLLOWED: usize = 70_000;

/// A number that a thread knows when its loop begins.
#[derive(Clone, Copy, Debug)]
enum Known {
    Constant(i128),
    /// `threadIdx.x` plus a constant.
    Thread(i128),
    /// The argument, whose type is the counter's, plus a constant.
    Argument(i128),
}

#[derive(Clone, Copy, Debug)]
enum Stride {
    Add(i128),
    AddArgument,
    AddBlock,
    Times(i128),
    Left(i128),
    Right(i128),
    Half,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Test {
    Less,
    LessEq,
    Greater,
    GreaterEq,
    Differs,
    /// The counter less its start is less than the limit.
    Distance,
}

/// `for (T v = start; v <test> limit; v = v <stride>)`.
#[derive(Clone, Copy, Debug)]
struct Loop {
    ty: ScalarType,
    start: Known,
    test: Test,
    limit: Known,
    stride: Stride,
}

/// What a thread is, and what it was given.
#[derive(Clone, Copy)]
struct Place {
    thread: i128,
    block: i128,
    argument: i128,
}

fn wrapped(ty: ScalarType, value: i128) -> i128 {
    let all = 1i128 << ty.bits();
    let low = value.rem_euclid(all);
    if ty.is_signed() && low >= all / 2 {
        low - all
    } else {
        low
    }
}

/// The type that C computes in.
fn promoted(ty: ScalarType) -> ScalarType {
    if ty.bits() < 32 { ScalarType::I32 } else { ty }
}

impl Known {
    fn roll(rng: &mut Rng, ty: ScalarType) -> Known {
        let small = rng.roll(7) as i128 - 2;
        let end = |rng: &mut Rng| {
            let (low, high) = ends(ty);
            let near = rng.roll(6) as i128;
            if rng.roll(3) == 0 {
                low + near
            } else {
                high - near
            }
        };
        match rng.roll(8) {
            0..=1 => Known::Constant(wrapped(ty, small)),
            2 => Known::Constant(rng.roll(40) as i128),
            3..=4 => Known::Constant(end(rng)),
            5 => Known::Thread(small),
            6 => Known::Thread(end(rng)),
            _ => Known::Argument(small),
        }
    }

    fn expr(self, ty: ScalarType, argument: &Expr) -> Expr {
        let wide = Type::Scalar(promoted(ty));
        let number = |value| Expr::constant(Value::int(promoted(ty), value));
        match self {
            Known::Constant(value) => number(value),
            Known::Thread(by) => add(&tid().cast(wide), &number(by)),
            Known::Argument(by) => add(&argument.clone().cast(wide), &number(by)),
        }
    }

    fn value(self, ty: ScalarType, place: Place) -> i128 {
        let value = match self {
            Known::Constant(value) => value,
            Known::Thread(by) => place.thread + by,
            Known::Argument(by) => place.argument + by,
        };
        wrapped(promoted(ty), value)
    }
}

fn ends(ty: ScalarType) -> (i128, i128) {
    let all = 1i128 << ty.bits();
    if ty.is_signed() {
        (-all / 2, all / 2 - 1)
    } else {
        (0, all - 1)
    }
}

/// More iterations than are followed.
struct TooMany;

impl Loop {
    fn roll(rng: &mut Rng) -> Loop {
        let ty = *rng.pick(&TYPES);
        let stride = match rng.roll(12) {
            0..=2 => Stride::Add(1),
            3 => Stride::Add(1 + rng.roll(9) as i128),
            4 => Stride::Add(-1),
            5 => Stride::Add(-1 - rng.roll(5) as i128),
            6 => Stride::AddArgument,
            7 => Stride::AddBlock,
            8 => Stride::Times(2),
            9 => Stride::Left(1 + rng.roll(2) as i128),
            10 => Stride::Right(1 + rng.roll(2) as i128),
            _ => Stride::Half,
        };
        let up = [
            Test::Less,
            Test::Less,
            Test::LessEq,
            Test::Differs,
            Test::Distance,
        ];
        let down = [Test::Greater, Test::GreaterEq, Test::Differs];
        let falls = match stride {
            Stride::Add(by) => by < 0,
            Stride::Right(_) | Stride::Half => true,
            _ => false,
        };
        let test = match (falls, rng.roll(8)) {
            (_, 0) => *rng.pick(&[Test::Less, Test::Greater, Test::LessEq]),
            (true, _) => *rng.pick(&down),
            (false, _) => *rng.pick(&up),
        };
        let limit = if falls && rng.roll(2) == 0 {
            Known::Constant(0)
        } else {
            Known::roll(rng, ty)
        };
        Loop {
            ty,
            start: Known::roll(rng, ty),
            test,
            limit,
            stride,
        }
    }

    fn statement(self, v: &Expr, argument: &Expr, body: Vec<Stmt>) -> Stmt {
        let wide = promoted(self.ty);
        let narrow = |e: Expr| e.cast(Type::Scalar(self.ty));
        let number = |value| Expr::constant(Value::int(wide, value));
        let read = v.clone().cast(Type::Scalar(wide));
        let start = self.start.expr(self.ty, argument);
        let limit = self.limit.expr(self.ty, argument);
        let compare = |op, a: Expr| Expr::binary(op, a, limit.clone());
        let cond = match self.test {
            Test::Less => compare(BinaryOp::Lt, read.clone()),
            Test::LessEq => compare(BinaryOp::Le, read.clone()),
            Test::Greater => compare(BinaryOp::Gt, read.clone()),
            Test::GreaterEq => compare(BinaryOp::Ge, read.clone()),
            Test::Differs => compare(BinaryOp::Ne, read.clone()),
            Test::Distance => compare(BinaryOp::Lt, sub(&read, &start)),
        };
        let step = match self.stride {
            Stride::Add(by) if by < 0 => sub(&read, &number(-by)),
            Stride::Add(by) => add(&read, &number(by)),
            Stride::AddArgument => add(&read, &argument.clone().cast(Type::Scalar(wide))),
            Stride::AddBlock => add(&read, &bdim().cast(Type::Scalar(wide))),
            Stride::Times(by) => mul(&read, &number(by)),
            Stride::Left(by) => shl(&read, &number(by)),
            Stride::Right(by) => shr(&read, &number(by)),
            Stride::Half => div(&read, &number(2)),
        };
        for_(v, &narrow(start), &cond, &narrow(step), body)
    }

    fn goes_on(self, value: i128, place: Place) -> bool {
        let wide = promoted(self.ty);
        let limit = self.limit.value(self.ty, place);
        match self.test {
            Test::Less => value < limit,
            Test::LessEq => value <= limit,
            Test::Greater => value > limit,
            Test::GreaterEq => value >= limit,
            Test::Differs => value != limit,
            Test::Distance => wrapped(wide, value - self.start.value(self.ty, place)) < limit,
        }
    }

    fn next(self, value: i128, place: Place) -> i128 {
        let wide = promoted(self.ty);
        let next = match self.stride {
            Stride::Add(by) => value + by,
            Stride::AddArgument => value + place.argument,
            Stride::AddBlock => value + place.block,
            Stride::Times(by) => value * by,
            Stride::Left(by) => value << by,
            Stride::Right(by) => value >> by,
            Stride::Half => value / 2,
        };
        wrapped(self.ty, wrapped(wide, next))
    }

    /// How many iterations a thread makes; `None`: it comes back to a value, so it never ends.
    fn iterations(self, place: Place) -> Result<Option<usize>, TooMany> {
        let mut value = wrapped(self.ty, self.start.value(self.ty, place));
        let mut seen = BTreeSet::new();
        for count in 0..FOLLOWED {
            if !self.goes_on(value, place) {
                return Ok(Some(count));
            }
            if !seen.insert(value) {
                return Ok(None);
            }
            value = self.next(value, place);
        }
        Err(TooMany)
    }
}

struct Kernel {
    program: Program,
    loops: Vec<Loop>,
    argument: ScalarType,
}

/// `void f(int *a, const int *p, T n)`, with one loop or two.
fn kernel(rng: &mut Rng) -> Kernel {
    let mut draft = Draft::new();
    let (a, p) = (draft.ints("a"), draft.ints("p"));
    let mut loops = vec![Loop::roll(rng)];
    if rng.roll(3) == 0 {
        let mut second = Loop::roll(rng);
        second.ty = loops[0].ty;
        loops.push(second);
    }
    let argument = loops[0].ty;
    let n = draft.argument("n", Type::Scalar(argument));
    let t = draft.local("t");
    let mut body = vec![set(&t, &tid())];
    for (number, one) in loops.iter().enumerate() {
        let v = draft.local_of(&format!("v{number}"), Type::Scalar(one.ty));
        let low = Expr::binary(
            BinaryOp::BitAnd,
            v.clone().cast(Type::I32),
            c([7, 31, 63][rng.roll(3) as usize]),
        );
        let wide = v.clone().cast(Type::Scalar(promoted(one.ty)));
        let mut inside = Vec::new();
        for _ in 0..1 + rng.roll(2) {
            inside.push(match rng.roll(6) {
                0 => store(&a, &add(&mul(&t, &c(64)), &low), &c(1)),
                1 => store(&a, &low, &t),
                2 => store(&a, &c(number as i32), &at(&p, &wide)),
                3 => store(&a, &add(&mul(&low, &bdim()), &t), &c(2)),
                4 => barrier(),
                _ => store(&a, &add(&c(128), &t), &at(&p, &low)),
            });
        }
        if rng.roll(4) == 0 {
            inside = vec![if_(&eq(&t, &c(1)), inside)];
        }
        body.push(one.statement(&v, &n, inside));
    }
    if rng.roll(3) == 0 {
        body.push(if_(&eq(&t, &c(1)), vec![store(&a, &c(0), &c(5))]));
    }
    Kernel {
        program: draft.kernel(body),
        loops,
        argument,
    }
}

fn setup(launch: Launch, argument: Value) -> Setup {
    let array = |name: &str| ArrayArg {
        name: name.into(),
        elem: ScalarType::I32,
        extent: (name == "p").then_some(EXTENT),
        contents: Contents::Random { seed: 1 },
        observed: true,
    };
    Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry: ProcId(0),
        launch: Some(launch),
        args: vec![Arg::Array(0), Arg::Array(1), Arg::Scalar(argument)],
        arrays: vec![array("a"), array("p")],
    }
}

#[derive(Debug, Default)]
struct Tally {
    races: u32,
    bounds: u32,
    deadlock: u32,
    deadlock_at_large: u32,
    ran: u32,
    endless: u32,
}

/// Whether the outcome says `property` proved.
fn proves(outcome: &ProofOutcome, property: Property) -> bool {
    let status = outcome.of(property).expect("asked for").status;
    matches!(status, ProofStatus::Proved { .. })
}

fn one(seed: u64, tally: &mut Tally) {
    let mut rng = Rng(seed.wrapping_mul(0x9e37_79b9).wrapping_add(17));
    let kernel = kernel(&mut rng);
    let profile = Profile::named("cuda").expect("a profile");
    let launch = Launch {
        grid: [1, 1, 1],
        block: [*rng.pick(&[1, 2, 3, 4]), 1, 1],
        shared_bytes: 0,
    };
    let (low, high) = ends(kernel.argument);
    let number = match rng.roll(5) {
        0 => high - rng.roll(8) as i128,
        1 => low + rng.roll(8) as i128,
        _ => rng.roll(20) as i128,
    };
    let argument = Value::int(kernel.argument, number);
    let mut request = ProofRequest::all_sizes(profile.clone());
    request.properties = vec![
        Property::Races,
        Property::Divergence,
        Property::Bounds,
        Property::Deadlock,
    ];
    request.extents = [(VarId(1), ExtentTerm::Elements(EXTENT))].into();
    request.budget = Budget::of_seconds(3.2);
    request.total_timeout = Duration::from_secs(4);
    // For all inputs and launches, counters may be assumed to keep within 32 bits and more.
    let at_large = rng.roll(3) == 0;
    if !at_large {
        request.launch = Some(launch);
        request.scalars = [(VarId(2), argument)].into();
    }
    let outcome = prove_kernel(&kernel.program, ProcId(0), &request);
    let races = proves(&outcome, Property::Races);
    let divergence = proves(&outcome, Property::Divergence);
    let bounds = proves(&outcome, Property::Bounds);
    let deadlock = proves(&outcome, Property::Deadlock);
    tally.races += races as u32;
    tally.bounds += bounds as u32;
    tally.deadlock += deadlock as u32;
    tally.deadlock_at_large += (deadlock && at_large) as u32;
    if !races && !divergence && !bounds && !deadlock {
        return;
    }
    let words = outcome.assumptions.texts().join("\n");
    let assumed = outcome.assumptions.iter().any(|a| {
        matches!(
            a,
            Assumption::CounterHasRoom { .. } | Assumption::CountersDoNotOverflow { .. }
        )
    });
    assert!(at_large || !assumed, "seed {seed}: {words}");
    let narrow = kernel.loops.iter().all(|one| one.ty.bits() < 32);
    assert!(!narrow || !assumed, "seed {seed}: {words}");
    if assumed {
        return;
    }
    let show = || {
        format!(
            "seed {seed}, n = {number}, {launch:?}: {:?}\n{outcome:#?}\n{}",
            kernel.loops,
            gridlock_semantics::print::program(&kernel.program, Default::default())
        )
    };
    for one in &kernel.loops {
        for thread in 0..launch.block[0] {
            let place = Place {
                thread: thread as i128,
                block: launch.block[0] as i128,
                argument: number,
            };
            if let Ok(None) = one.iterations(place) {
                tally.endless += 1;
                assert!(!deadlock, "a loop that never ends\n{}", show());
                break;
            }
        }
    }
    let limits = Limits {
        depth: 20_000,
        ..Limits::default()
    };
    let compiled = compile(&kernel.program);
    let run = canonical::run(&compiled, &setup(launch, argument), &profile, &limits);
    tally.ran += 1;
    for finding in &run.findings {
        let wrong = match finding.kind {
            DefectKind::DataRace => races,
            DefectKind::BarrierDivergence => divergence,
            DefectKind::OutOfBounds => bounds,
            DefectKind::Deadlock => deadlock,
            _ => false,
        };
        assert!(!wrong, "{finding:#?}\n{}", show());
    }
}

#[test]
fn counters_that_wrap_around() {
    let (first, count) = (effort::first(1), effort::cases(15, 3_000));
    let mut tally = Tally::default();
    for seed in first..first + count {
        one(seed, &mut tally);
    }
    println!("{tally:?}");
    // The test would be empty if nothing were proved, or no loop went on for ever.
    assert!(tally.races as u64 * 10 > count, "{tally:?}");
    assert!(tally.deadlock as u64 * 10 > count, "{tally:?}");
    assert!(tally.bounds as u64 * 20 > count, "{tally:?}");
    assert!(tally.endless as u64 * 40 > count, "{tally:?}");
}
