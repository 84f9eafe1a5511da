//! Proofs against runs: random kernels, most of them broken. What is proved must not be found by
//! canonical runs, which decide each of their inputs (metatheory M1).

mod at_a_launch;
mod filled;
mod host_code;
mod host_streams;
mod pairs;
mod summaries;
mod wrapping;

use crate::algebra::*;
use gridlock_checker::canonical;
use gridlock_checker::compiled::compile;
use gridlock_checker::finding::DefectKind;
use gridlock_checker::limits::Limits;
use gridlock_checker::verdict::Property;
use gridlock_generation::effort;
use gridlock_proofs::{Budget, ExtentTerm, ProofRequest, ProofStatus, prove_kernel};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use std::time::Duration;

/// SplitMix64.
struct Rng(u64);

impl Rng {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len() as u64) as usize]
    }
}

struct Names {
    arrays: Vec<Expr>,
    n: Expr,
    m: Expr,
    t: Expr,
    i: Expr,
    u: Expr,
    v: Expr,
    counters: Vec<Expr>,
    /// Blocks keep to slices of their own.
    sliced: bool,
    /// Where each array is written, mostly: an element a thread owns.
    owned: Option<Vec<Expr>>,
}

struct Maker {
    rng: Rng,
    names: Names,
    loops: usize,
}

impl Maker {
    fn leaf(&mut self) -> Expr {
        let n = &self.names;
        match self.rng.roll(12) {
            0..=3 => n.t.clone(),
            4 => n.i.clone(),
            5 => n.n.clone(),
            6 => n.u.clone(),
            7 => n.v.clone(),
            8 => bid(),
            9 => bdim(),
            10 if self.loops > 0 => n.counters[self.loops - 1].clone(),
            _ => c(self.rng.roll(4) as i32),
        }
    }

    fn counter(&mut self) -> Expr {
        if self.loops > 0 {
            self.names.counters[self.rng.roll(self.loops as u64) as usize].clone()
        } else {
            c(1 + self.rng.roll(3) as i32)
        }
    }

    fn number(&mut self) -> Expr {
        let (a, b, d) = (self.leaf(), self.leaf(), self.counter());
        let t = self.names.t.clone();
        match self.rng.roll(12) {
            0..=2 => t,
            3 => add(&t, &d),
            4 => sub(&t, &d),
            5 => xor(&t, &d),
            6 => add(&mul(&t, &c(2)), &d),
            7 => sub(&sub(&bdim(), &c(1)), &t),
            8 => add(&a, &b),
            9 => mul(&c(2), &mul(&d, &t)),
            10 => div(&a, &c(2)),
            _ => a,
        }
    }

    fn index(&mut self) -> Expr {
        let index = if self.rng.roll(4) == 0 {
            self.names.i.clone()
        } else {
            self.number()
        };
        self.place(index)
    }

    fn place(&self, index: Expr) -> Expr {
        if self.names.sliced {
            let low = Expr::binary(BinaryOp::BitAnd, index, c(63));
            add(&mul(&bid(), &c(64)), &low)
        } else {
            index
        }
    }

    fn written(&mut self, array: usize) -> Expr {
        match &self.names.owned {
            Some(owned) if self.rng.roll(12) > 0 => self.place(owned[array].clone()),
            _ => self.index(),
        }
    }

    fn read(&mut self) -> Expr {
        let array = self.rng.roll(self.names.arrays.len() as u64) as usize;
        let index = self.index();
        at(&self.names.arrays[array].clone(), &index)
    }

    fn cond(&mut self) -> Expr {
        let (t, d) = (self.names.t.clone(), self.counter());
        let (a, b) = (self.leaf(), self.leaf());
        match self.rng.roll(12) {
            0..=1 => lt(&t, &d),
            2 => lt(&self.names.i, &self.names.n),
            3 => eq(&t, &c(0)),
            4 => eq(&rem(&t, &mul(&c(2), &d)), &c(0)),
            5 => lt(&add(&t, &d), &bdim()),
            6 => gt(&self.names.n, &c(1)),
            7 => eq(&bid(), &c(0)),
            8 => gt(&self.read(), &c(0)),
            9 => ge(&t, &d),
            10 => and(&lt(&t, &d), &gt(&self.names.m, &a)),
            _ => lt(&a, &b),
        }
    }

    fn statements(&mut self, depth: u32) -> Vec<Stmt> {
        let count = 1 + self.rng.roll(4);
        (0..count).map(|_| self.statement(depth)).collect()
    }

    fn statement(&mut self, depth: u32) -> Stmt {
        let sides = if depth == 0 { 8 } else { 13 };
        match self.rng.roll(sides) {
            0..=2 => {
                let array = self.rng.roll(self.names.arrays.len() as u64 - 1) as usize;
                let (index, value) = (self.written(array), self.number());
                store(&self.names.arrays[array].clone(), &index, &value)
            }
            3 => {
                let value = self.read();
                let array = self.names.arrays[0].clone();
                let index = self.written(0);
                store(&array, &index, &value)
            }
            4 => {
                let value = if self.rng.roll(2) == 0 {
                    self.read()
                } else {
                    self.number()
                };
                let var = if self.rng.roll(2) == 0 {
                    self.names.u.clone()
                } else {
                    self.names.v.clone()
                };
                set(&var, &value)
            }
            5..=6 => barrier(),
            7 => match self.rng.roll(4) {
                0 => if_(&self.cond(), vec![exit()]),
                1 => {
                    let index = self.index();
                    atomic_add(&self.names.arrays[0].clone(), &index, &c(1), None)
                }
                _ => set(&self.names.u.clone(), &add(&self.names.u.clone(), &c(1))),
            },
            8..=9 => {
                let cond = self.cond();
                let then = self.statements(depth - 1);
                if self.rng.roll(3) == 0 {
                    let otherwise = self.statements(depth - 1);
                    if_else(&cond, then, otherwise)
                } else {
                    if_(&cond, then)
                }
            }
            _ => self.repeat(depth),
        }
    }

    fn repeat(&mut self, depth: u32) -> Stmt {
        let d = self.names.counters[self.loops].clone();
        let (t, n) = (self.names.t.clone(), self.names.n.clone());
        let outer = self.counter();
        let (init, cond, step) = match self.rng.roll(9) {
            0 => (c(1), lt(&d, &bdim()), mul(&d, &c(2))),
            1 => (div(&bdim(), &c(2)), gt(&d, &c(0)), shr(&d, &c(1))),
            2 => (outer.clone(), gt(&d, &c(0)), div(&d, &c(2))),
            3 => (c(0), lt(&d, &c(3)), add(&d, &c(1))),
            4 => (c(0), lt(&d, &n), add(&d, &c(2))),
            5 => (t, lt(&d, &n), add(&d, &bdim())),
            6 => (sub(&bdim(), &c(1)), ge(&d, &c(1)), sub(&d, &c(1))),
            7 => (self.names.i.clone(), lt(&d, &n), add(&d, &total())),
            _ => (c(2), le(&d, &bdim()), shl(&d, &c(1))),
        };
        self.loops += 1;
        let body = self.statements(depth - 1);
        self.loops -= 1;
        for_(&d, &init, &cond, &step, body)
    }
}

/// A random kernel over `int *a, int *b, const int *p, int n, int m`.
fn kernel(seed: u64) -> Program {
    let mut rng = Rng(seed);
    let mut draft = Draft::new();
    let arrays = vec![draft.ints("a"), draft.ints("b"), draft.ints("p")];
    let (n, m) = (draft.int("n"), draft.int("m"));
    let local = |draft: &mut Draft, name: &str| draft.local(name);
    let (t, i) = (local(&mut draft, "t"), local(&mut draft, "i"));
    let (u, v) = (local(&mut draft, "u"), local(&mut draft, "v"));
    let counters = vec![local(&mut draft, "d0"), local(&mut draft, "d1")];
    let mut body = vec![
        set(&t, &tid()),
        set(&i, &gid()),
        set(&u, &c(0)),
        set(&v, &n),
    ];
    let sliced = rng.roll(4) > 0;
    let owned = (rng.roll(3) > 0).then(|| {
        let places = [
            t.clone(),
            mul(&t, &c(2)),
            sub(&sub(&bdim(), &c(1)), &t),
            xor(&t, &c(1)),
        ];
        (0..2).map(|_| rng.pick(&places).clone()).collect()
    });
    let mut maker = Maker {
        rng,
        names: Names {
            arrays,
            n,
            m,
            t,
            i,
            u,
            v,
            counters,
            sliced,
            owned,
        },
        loops: 0,
    };
    for _ in 0..2 {
        body.extend(maker.statements(2));
    }
    draft.kernel(body)
}

/// Elements of `p`; nobody says how long `a` and `b` are.
const EXTENT: u64 = 4096;

fn setup(rng: &mut Rng, launch: Launch) -> Setup {
    let array = |name: &str, seed| ArrayArg {
        name: name.into(),
        elem: ScalarType::I32,
        extent: (name == "p").then_some(EXTENT),
        contents: Contents::Random { seed },
        observed: true,
    };
    let scalar = |rng: &mut Rng| {
        let value = *rng.pick(&[0, 1, 2, 3, 4, 5, 7, 8, 12, -1, -3]);
        Arg::Scalar(Value::i32(value))
    };
    Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry: ProcId(0),
        launch: Some(launch),
        args: vec![
            Arg::Array(0),
            Arg::Array(1),
            Arg::Array(2),
            scalar(rng),
            scalar(rng),
        ],
        arrays: vec![
            array("a", rng.roll(1000)),
            array("b", rng.roll(1000)),
            array("p", rng.roll(1000)),
        ],
    }
}

#[derive(Default, Debug)]
struct Tally {
    races_proved: u32,
    divergence_proved: u32,
    barriers_proved: u32,
    bounds_proved: u32,
    deadlock_proved: u32,
    suspected: u32,
    replayed: u32,
    open: u32,
    runs: u32,
}

fn one(seed: u64, tally: &mut Tally) {
    let program = kernel(seed);
    let mut rng = Rng(seed ^ 0xabcd);
    let profile = *rng.pick(&["cuda", "cuda", "cuda-hw", "portable", "lockstep-warp"]);
    let profile = Profile::named(profile).expect("a profile");
    let mut request = ProofRequest::all_sizes(profile.clone());
    request.properties.truncate(3);
    request.properties.push(Property::Bounds);
    request.extents = [(VarId(2), ExtentTerm::Elements(EXTENT))].into();
    request.budget = Budget::of_seconds(3.2);
    request.total_timeout = Duration::from_secs(4);
    let line = |rng: &mut Rng| Launch {
        grid: [*rng.pick(&[1, 1, 2, 3]), 1, 1],
        block: [*rng.pick(&[1, 2, 3, 4, 5, 6, 8]), 1, 1],
        shared_bytes: 0,
    };
    if rng.roll(2) == 0 {
        request.launch = Some(line(&mut rng));
    }
    let outcome = prove_kernel(&program, ProcId(0), &request);
    let is_proved = |property| {
        let status = outcome.of(property).expect("asked for").status;
        matches!(status, ProofStatus::Proved { .. })
    };
    let (races, divergence) = (is_proved(Property::Races), is_proved(Property::Divergence));
    let deadlock = is_proved(Property::Deadlock);
    let bounds = is_proved(Property::Bounds);
    tally.bounds_proved += bounds as u32;
    tally.races_proved += races as u32;
    tally.divergence_proved += divergence as u32;
    tally.deadlock_proved += deadlock as u32;
    let has_barrier = program.operators().iter().any(|(_, op)| {
        use gridlock_semantics::algebra::operator::{Basic, OpKind};
        matches!(op.kind, OpKind::Basic(Basic::Barrier { .. }))
    });
    tally.barriers_proved += (races && has_barrier) as u32;
    let compiled = compile(&program);
    let limits = Limits {
        depth: 100_000,
        ..Limits::default()
    };
    for candidate in &outcome.candidates {
        let run = canonical::run(&compiled, &candidate.setup, &profile, &limits);
        tally.suspected += 1;
        tally.replayed += run.findings.iter().any(|f| f.kind == candidate.kind) as u32;
    }
    if !races && !divergence && !deadlock && !bounds {
        tally.open += 1;
        return;
    }
    for _ in 0..12 {
        let launch = request.launch.unwrap_or_else(|| line(&mut rng));
        let setup = setup(&mut rng, launch);
        let run = canonical::run(&compiled, &setup, &profile, &limits);
        tally.runs += 1;
        for finding in &run.findings {
            let wrong = match finding.kind {
                DefectKind::DataRace => races,
                DefectKind::BarrierDivergence => divergence,
                DefectKind::Deadlock => deadlock,
                // Above the extent of `p`, and below the beginning of each array.
                DefectKind::OutOfBounds => bounds,
                _ => false,
            };
            assert!(
                !wrong,
                "seed {seed}: {finding:#?}\n{setup:#?}\n{outcome:#?}\n{}",
                gridlock_semantics::print::program(&program, Default::default())
            );
        }
    }
}

#[test]
fn what_is_proved_is_not_found() {
    let (first, count) = (effort::first(1), effort::cases(5, 500));
    let mut tally = Tally::default();
    for seed in first..first + count {
        one(seed, &mut tally);
    }
    println!("{tally:?}");
    // The test would be empty if nothing, or everything, were proved.
    assert!(tally.races_proved as u64 * 30 > count, "{tally:?}");
    assert!(tally.bounds_proved as u64 * 30 > count, "{tally:?}");
    assert!(tally.suspected as u64 * 4 > count, "{tally:?}");
    assert!(tally.replayed * 3 > tally.suspected, "{tally:?}");
}
