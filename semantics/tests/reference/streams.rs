//! Streams, events, devices and `PAR`: every order they leave open, and no other.

use crate::building::*;
use crate::exploring::{Outcome, explore};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::{AllocSpace, AtomicFn, Basic, CopyKind, Op, OpKind};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::collections::BTreeSet;

const HANDLE: Type = Type::Scalar(ScalarType::U64);

fn unsigned(n: u32) -> Expr {
    Expr::int(ScalarType::U32, n as i64)
}

/// Host code with `int a[1]`, which is 5, a device cell `d` that starts as a copy of it, two
/// kernels (`*d *= 2` and `*d += 1`) and two streams.
struct Host {
    build: Build,
    a: Expr,
    d: Expr,
    streams: [Expr; 2],
    event: Expr,
    twice: ProcId,
    plus: ProcId,
    ops: Vec<Y>,
}

impl Host {
    fn new(non_blocking: [bool; 2]) -> Host {
        let mut build = Build::host();
        let a = build.array("a", &[5]);
        let pointer = Type::pointer_to(ScalarType::I32);
        let d = build.var("d", pointer);
        let names = ["s", "t", "e"];
        let [s, t, e] = names.map(|name| build.var(name, HANDLE));
        let mut kernel = |name: &str, function: BinaryOp, by: i32| {
            let kernel = build.procedure(name, ProcKind::Kernel);
            let p = build.param_of(kernel, "p", pointer);
            let p = Expr::var(p, pointer);
            let value = op(function, at(&p, int(0)), int(by));
            build.body_of(kernel, store(&p, int(0), value));
            kernel
        };
        let twice = kernel("twice", BinaryOp::Mul, 2);
        let plus = kernel("plus", BinaryOp::Add, 1);
        let mut host = Host {
            build,
            a,
            d: Expr::var(d, pointer),
            streams: [s, t].map(|var| Expr::var(var, HANDLE)),
            event: Expr::var(e, HANDLE),
            twice,
            plus,
            ops: vec![],
        };
        host.add(Basic::Alloc {
            var: d,
            elem: ScalarType::I32,
            bytes: unsigned(4),
            space: AllocSpace::Global,
        });
        host.copy(CopyKind::HostToDevice, None);
        for (var, non_blocking) in [s, t].into_iter().zip(non_blocking) {
            host.add(Basic::StreamCreate { var, non_blocking });
        }
        host.add(Basic::EventCreate { var: e });
        host
    }

    fn add(&mut self, operator: Basic) -> &mut Host {
        self.ops.push(basic(operator));
        self
    }

    fn copy(&mut self, kind: CopyKind, stream: Option<usize>) -> &mut Host {
        let (a, d) = (self.a.clone(), self.d.clone());
        let (dst, src) = match kind {
            CopyKind::HostToDevice => (d, a),
            _ => (a, d),
        };
        let stream = stream.map(|n| self.streams[n].clone());
        self.add(Basic::Copy {
            kind,
            dst,
            src,
            bytes: unsigned(4),
            stream,
        })
    }

    fn launch(&mut self, kernel: ProcId, stream: Option<usize>) -> &mut Host {
        let stream = stream.map(|n| self.streams[n].clone());
        let args = vec![self.d.clone()];
        self.add(Basic::CallGpu {
            kernel,
            grid: [1; 3].map(unsigned),
            block: [1; 3].map(unsigned),
            shared_bytes: unsigned(0),
            args,
            stream,
            cooperative: false,
        })
    }

    /// The final values of `a[0]`, or what goes wrong.
    fn results(&mut self, profile: &str) -> BTreeSet<String> {
        let ops = self.ops.clone();
        self.build.body(seq(ops));
        outcomes(&self.build, profile)
    }
}

fn outcomes(build: &Build, profile: &str) -> BTreeSet<String> {
    let found = explore(&build.system(profile), 100_000);
    assert!(found.complete);
    let text = |outcome: Outcome| match outcome {
        Outcome::Final(seen) => seen.arrays[0].cells[0].to_string(),
        Outcome::Fault(kind) => kind.split([' ', '{']).next().unwrap_or("").to_owned(),
        Outcome::Deadlock => "deadlock".to_owned(),
    };
    found.outcomes.into_iter().map(text).collect()
}

fn set(values: &[&str]) -> BTreeSet<String> {
    values.iter().map(|v| (*v).to_owned()).collect()
}

#[test]
fn a_stream_runs_in_order_and_two_streams_in_any() {
    for profile in ["cuda", "paper"] {
        for (stream, expected) in [(0, set(&["11"])), (1, set(&["11", "12"]))] {
            let mut host = Host::new([false, false]);
            let (twice, plus) = (host.twice, host.plus);
            host.launch(twice, Some(0)).launch(plus, Some(stream));
            host.add(Basic::DeviceSync);
            host.copy(CopyKind::DeviceToHost, None);
            assert_eq!(host.results(profile), expected, "{profile}");
        }
    }
}

#[test]
fn an_event_orders_what_follows_it_in_another_stream() {
    for (waits, expected) in [(true, set(&["11"])), (false, set(&["11", "12"]))] {
        let mut host = Host::new([true, true]);
        let (twice, plus) = (host.twice, host.plus);
        let ([s, t], event) = (host.streams.clone(), host.event.clone());
        host.launch(twice, Some(0));
        host.add(Basic::EventRecord {
            event: event.clone(),
            stream: s,
        });
        if waits {
            host.add(Basic::StreamWait { stream: t, event });
        }
        host.launch(plus, Some(1));
        host.add(Basic::DeviceSync);
        host.copy(CopyKind::DeviceToHost, None);
        assert_eq!(host.results("cuda"), expected);
    }
}

#[test]
fn the_default_stream_waits_for_blocking_streams_and_they_for_it() {
    for (non_blocking, expected) in [(false, set(&["11"])), (true, set(&["11", "12"]))] {
        for default_first in [false, true] {
            let mut host = Host::new([non_blocking, true]);
            let (twice, plus) = (host.twice, host.plus);
            let (first, second) = if default_first {
                (None, Some(0))
            } else {
                (Some(0), None)
            };
            host.launch(twice, first).launch(plus, second);
            host.add(Basic::DeviceSync);
            host.copy(CopyKind::DeviceToHost, None);
            assert_eq!(host.results("cuda"), expected);
        }
    }
}

#[test]
fn the_host_sees_a_result_only_after_waiting_for_it() {
    for (waits, expected) in [(true, set(&["10"])), (false, set(&["10", "5"]))] {
        let mut host = Host::new([true, true]);
        let twice = host.twice;
        let stream = host.streams[0].clone();
        host.launch(twice, Some(0));
        host.copy(CopyKind::DeviceToHost, Some(0));
        if waits {
            host.add(Basic::StreamSync { stream });
        }
        // What `a[0]` is now, kept where nothing else writes.
        let seen = host.build.int("seen");
        host.ops.push(assign(seen, at(&host.a, int(0))));
        host.add(Basic::DeviceSync);
        host.ops.push(store(&host.a, int(0), v(seen)));
        assert_eq!(host.results("cuda"), expected);
    }
}

#[test]
fn an_event_never_recorded_and_a_stream_with_nothing_in_it_wait_for_nothing() {
    let mut host = Host::new([true, true]);
    let ([s, t], event) = (host.streams.clone(), host.event.clone());
    host.add(Basic::EventSync {
        event: event.clone(),
    });
    host.add(Basic::StreamSync { stream: s });
    host.add(Basic::StreamWait { stream: t, event });
    host.copy(CopyKind::DeviceToHost, Some(1));
    assert_eq!(host.results("cuda"), set(&["5"]));
}

#[test]
fn memory_freed_before_its_use_has_ended_is_missed_by_the_operation() {
    let mut host = Host::new([true, true]);
    let (twice, d) = (host.twice, host.d.clone());
    host.launch(twice, Some(0));
    host.add(Basic::Free {
        pointer: d,
        space: AllocSpace::Global,
        stream: None,
    });
    assert_eq!(host.results("cuda"), set(&["5", "UseAfterFree"]));
}

#[test]
fn handles_are_used_between_their_making_and_their_destruction() {
    let destroy = |stream: &Expr| Basic::StreamDestroy {
        stream: stream.clone(),
    };
    let mut host = Host::new([true, true]);
    let [s, _] = host.streams.clone();
    host.add(destroy(&s)).add(destroy(&s));
    assert_eq!(host.results("cuda"), set(&["DeadHandle"]));
    let mut host = Host::new([true, true]);
    host.add(destroy(&s));
    host.copy(CopyKind::HostToDevice, Some(0));
    assert_eq!(host.results("cuda"), set(&["DeadHandle"]));
    let mut host = Host::new([true, true]);
    host.add(destroy(&Expr::int(ScalarType::U64, 9)));
    assert_eq!(host.results("cuda"), set(&["NullPointer"]));
    let host = Host::new([true, true]);
    let system = host.build.system("cuda");
    let initial = &gridlock_semantics::transition::TransitionSystem::initial(&system)[0];
    assert!(system.leaks(initial).is_empty());
}

#[test]
fn a_device_reaches_its_own_memory_and_runs_its_own_streams() {
    let select = |n: i32| Basic::SetDevice { device: int(n) };
    let mut host = Host::new([true, true]);
    let plus = host.plus;
    host.add(select(1)).launch(plus, None);
    assert_eq!(host.results("cuda"), set(&["WrongMemory"]));
    let mut host = Host::new([true, true]);
    host.add(select(1)).launch(plus, Some(0));
    assert_eq!(host.results("cuda"), set(&["InvalidLaunch"]));
    let mut host = Host::new([true, true]);
    host.add(select(2));
    assert_eq!(host.results("cuda"), set(&["NoSuchDevice"]));
    let mut host = Host::new([true, true]);
    host.add(select(1)).add(select(0)).launch(plus, None);
    host.copy(CopyKind::DeviceToHost, None);
    assert_eq!(host.results("cuda"), set(&["6"]));
}

/// `int a[2]`, which is 0, and two branches over it.
fn parallel(branches: impl FnOnce(&Expr, VarId, VarId) -> [Y; 2]) -> Build {
    let mut build = Build::host();
    let a = build.array("a", &[0, 0]);
    let (x, y) = (build.int("x"), build.int("y"));
    let [left, right] = branches(&a, x, y);
    let par = Op::new(OpKind::Par(left, right), Span::NONE);
    let sum = add(op(BinaryOp::Mul, v(x), int(10)), v(y));
    build.body(seq([
        assign(x, int(0)),
        assign(y, int(0)),
        par,
        when(eq(at(&a, int(0)), int(0)), store(&a, int(0), sum)),
    ]));
    build
}

#[test]
fn branches_interleave_and_keep_their_variables() {
    let build = parallel(|a, x, y| {
        [
            seq([store(a, int(1), int(1)), assign(x, at(a, int(1)))]),
            seq([store(a, int(1), int(2)), assign(y, at(a, int(1)))]),
        ]
    });
    assert_eq!(outcomes(&build, "cuda"), set(&["11", "12", "22"]));
}

#[test]
fn wait_waits_until_its_condition_holds() {
    let consumer = |a: &Expr, y: VarId| {
        let cond = eq(at(a, int(1)), int(1));
        seq([basic(Basic::Wait { cond }), assign(y, at(a, int(0)))])
    };
    let build = parallel(|a, _, y| {
        let point = atomic(AtomicFn::Exch, a, int(1), &[1], None);
        [seq([store(a, int(0), int(7)), point]), consumer(a, y)]
    });
    assert_eq!(outcomes(&build, "cuda"), set(&["7"]));
    let build = parallel(|a, _, y| [Op::skip(), consumer(a, y)]);
    assert_eq!(outcomes(&build, "cuda"), set(&["deadlock"]));
}

#[test]
fn branches_of_branches_have_numbers_of_their_own() {
    let build = parallel(|a, x, y| {
        let one = |cell: i32| atomic(AtomicFn::Add, a, int(cell), &[1], None);
        let inner = Op::new(OpKind::Par(one(1), one(1)), Span::NONE);
        let read = |var: VarId| assign(var, at(a, int(1)));
        [seq([inner, read(x)]), seq([one(1), read(y)])]
    });
    assert_eq!(outcomes(&build, "cuda"), set(&["23", "31", "32", "33"]));
}
