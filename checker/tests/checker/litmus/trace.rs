//! What one thread may do, whatever it reads: its events for each guess of the values read.

use super::{Litmus, REGISTERS, Stmt};
use gridlock_semantics::algebra::operator::{AtomicFn, Scope};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Read,
    Write,
    /// Reads and writes at once.
    Rmw,
    /// A compare-and-swap that failed: an atomic read.
    AtomicRead,
    Fence,
    Barrier,
}

#[derive(Clone, Debug)]
pub struct Event {
    pub thread: usize,
    pub kind: Kind,
    pub place: usize,
    pub scope: Scope,
    /// The value read, guessed, and the one written.
    pub reads: i32,
    pub writes: i32,
    /// What is written depends on what is read here.
    pub passes_on: bool,
    /// Events of the thread, by number in its trace, that decide whether this one happens.
    pub controlled_by: Vec<usize>,
}

impl Event {
    pub fn is_atomic(&self) -> bool {
        matches!(self.kind, Kind::Rmw | Kind::AtomicRead)
    }

    pub fn does_read(&self) -> bool {
        matches!(self.kind, Kind::Read | Kind::Rmw | Kind::AtomicRead)
    }

    pub fn does_write(&self) -> bool {
        matches!(self.kind, Kind::Write | Kind::Rmw)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Trace {
    pub events: Vec<Event>,
    pub registers: [i32; REGISTERS],
    /// The event each register was read by.
    from: [Option<usize>; REGISTERS],
}

/// Every trace of a thread, with values read out of `0..=most`.
pub fn traces(litmus: &Litmus, thread: usize, most: i32) -> Vec<Trace> {
    let mut found = vec![Trace::default()];
    for (phase, stmts) in litmus.threads[thread].iter().enumerate() {
        if phase > 0 {
            for trace in &mut found {
                trace.push(thread, Kind::Barrier, 0, Scope::Block, &[]);
            }
        }
        found = run(found, thread, stmts, most, &[]);
    }
    found
}

fn run(
    from: Vec<Trace>,
    thread: usize,
    stmts: &[Stmt],
    most: i32,
    controlled_by: &[usize],
) -> Vec<Trace> {
    let mut traces = from;
    for stmt in stmts {
        traces = traces
            .into_iter()
            .flat_map(|trace| step(trace, thread, stmt, most, controlled_by))
            .collect();
    }
    traces
}

impl Trace {
    fn push(
        &mut self,
        thread: usize,
        kind: Kind,
        place: usize,
        scope: Scope,
        controlled_by: &[usize],
    ) -> &mut Event {
        let at = self.events.len();
        self.events.push(Event {
            thread,
            kind,
            place,
            scope,
            reads: 0,
            writes: 0,
            passes_on: false,
            controlled_by: controlled_by.to_vec(),
        });
        &mut self.events[at]
    }

    fn set(&mut self, register: usize, value: i32) {
        self.registers[register] = value;
        self.from[register] = Some(self.events.len() - 1);
    }
}

fn step(
    trace: Trace,
    thread: usize,
    stmt: &Stmt,
    most: i32,
    controlled_by: &[usize],
) -> Vec<Trace> {
    let mut found = Vec::new();
    match stmt {
        Stmt::Write(place, value) => {
            let mut trace = trace;
            trace
                .push(thread, Kind::Write, *place, Scope::Device, controlled_by)
                .writes = *value;
            found.push(trace);
        }
        Stmt::Fence(scope) => {
            let mut trace = trace;
            trace.push(thread, Kind::Fence, 0, *scope, controlled_by);
            found.push(trace);
        }
        Stmt::Read(register, place) => {
            for value in 0..=most {
                let mut trace = trace.clone();
                trace
                    .push(thread, Kind::Read, *place, Scope::Device, controlled_by)
                    .reads = value;
                trace.set(*register, value);
                found.push(trace);
            }
        }
        Stmt::Spin {
            register,
            place,
            scope,
        } => {
            for value in 1..=most {
                let mut trace = trace.clone();
                let event = trace.push(thread, Kind::Rmw, *place, *scope, controlled_by);
                (event.reads, event.writes, event.passes_on) = (value, value, true);
                trace.set(*register, value);
                found.push(trace);
            }
        }
        Stmt::Rmw {
            function,
            place,
            operands,
            register,
            scope,
        } => {
            for value in 0..=most {
                let mut trace = trace.clone();
                let fails = *function == AtomicFn::Cas && value != operands[0];
                let kind = if fails { Kind::AtomicRead } else { Kind::Rmw };
                let event = trace.push(thread, kind, *place, *scope, controlled_by);
                event.reads = value;
                (event.writes, event.passes_on) = match function {
                    AtomicFn::Exch => (operands[0], false),
                    AtomicFn::Cas => (*operands.last().unwrap_or(&0), true),
                    _ => (value + operands[0], true),
                };
                if let Some(register) = register {
                    trace.set(*register, value);
                }
                found.push(trace);
            }
        }
        Stmt::When(register, value, inside) => {
            if trace.registers[*register] == *value {
                let mut controlled_by = controlled_by.to_vec();
                controlled_by.extend(trace.from[*register]);
                found.extend(run(vec![trace], thread, inside, most, &controlled_by));
            } else {
                found.push(trace);
            }
        }
    }
    found
}
