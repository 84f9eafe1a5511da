//! Out of bounds, by one thread; and what ends a run otherwise that one thread can be asked about.

use crate::counters::hangs_on_memory;
use crate::kernel::analysis::{Analysis, Attempt, Doubts, Obstacle};
use crate::kernel::candidate::Suspicion;
use crate::machine::state::Access;
use crate::solver::possible::Possible;
use crate::solver::solve::{Answer, Reader};
use crate::terms::array_key::ArrayKey;
use crate::terms::term::{Order, TermId};
use gridlock_checker::finding::DefectKind;
use gridlock_checker::report::assumption::Assumption;
use gridlock_checker::report::remark::Remark;
use gridlock_checker::verdict::Reason;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::transition::AccessMode;
use std::collections::BTreeSet;

/// Overflows named in remarks at most.
const MOST_OVERFLOWS: usize = 8;
/// Arguments larger than this are out of the ordinary.
const LARGEST: u64 = 4096;
/// The least value that is nothing out of the ordinary for an argument that says where.
const LEAST_PLACE: i64 = -4;
/// Part of the steps for a question that one about an index below 0 is given where no extent is known.
const SHARE_OF_BEGINNINGS: u64 = 8;
/// Most blocks in a dimension of a small launch.
const SMALL_GRID: u64 = 64;

impl Analysis<'_> {
    pub fn bounds(&mut self) -> Attempt {
        let mut doubts = Doubts::default();
        let mut judged = false;
        let mut possible = false;
        let mut without_extent = BTreeSet::new();
        let mut outside = Vec::new();
        let mut below = Vec::new();
        let mut far = Vec::new();
        for access in self.whole.accesses.clone() {
            let name = self.array_name(access.array);
            let line = access.span.line;
            let writes = access.mode != AccessMode::Read;
            if access.array == ArrayKey::Null {
                if !matches!(self.is_possible(access.path), Possible::No) {
                    let why = format!("line {line}: the pointer may be null");
                    doubts
                        .open
                        .get_or_insert(Obstacle::new(Reason::Inconclusive, why));
                }
                continue;
            }
            if writes && self.machine.space(access.array) == Space::Constant {
                let why = format!("line {line}: a write to constant memory, {name}");
                doubts
                    .open
                    .get_or_insert(Obstacle::new(Reason::Inconclusive, why));
                continue;
            }
            let path = access.path;
            let known = self.extents.get(&access.array).copied();
            let terms = &mut self.machine.terms;
            let (inside, message) = match known {
                Some(extent) => (
                    terms.less(Order::UnsignedLess, access.index, extent),
                    format!("line {line}: the index into {name} may lie outside its extent"),
                ),
                None => {
                    let first = terms.bits(64, 0);
                    (
                        terms.less(Order::SignedLessEq, first, access.index),
                        format!("line {line}: the index into {name} may be below 0"),
                    )
                }
            };
            let beyond = terms.not(inside);
            let suspicion = Suspicion {
                kind: DefectKind::OutOfBounds,
                readings: vec![(path, Reader::FIRST), (beyond, Reader::FIRST)],
                message,
                accesses: vec![(access, Reader::FIRST)],
                places: vec![],
                together: vec![],
            };
            if let Some(extent) = known {
                judged = true;
                possible = possible || matches!(self.is_possible(path), Possible::Yes);
                if !self.is_in_a_row(&suspicion.accesses[0].0, extent) {
                    outside.push(suspicion);
                }
            } else {
                if !hangs_on_memory(&self.machine.terms, suspicion.accesses[0].0.index) {
                    far.push((suspicion.accesses[0].0.clone(), name.clone()));
                }
                without_extent.insert(name);
                // The index of a cell in a row is none below 0.
                if self.row(&suspicion.accesses[0].0).is_none() {
                    below.push(suspicion);
                }
            }
        }
        self.decide_all(outside, &mut doubts);
        // How far these reach is not given, but all begin at 0. Where no extent is known at all,
        // nothing is claimed, so that what stays open of them takes nothing away.
        // A pointer may also point into an array; and that an index is below 0 for a size of -5 is
        // no news. So an alarm needs arguments that are none of that kind.
        let mut beginnings = Doubts::default();
        let ordinary = self.ordinary_arguments();
        let of_argument = |s: &Suspicion| matches!(s.accesses[0].0.array, ArrayKey::Param(_));
        let arguments = below.iter().any(of_argument);
        // What stays open then takes nothing away, and is not worth as much.
        let steps = match judged {
            true => self.prover.query_steps,
            false => self.prover.query_steps / SHARE_OF_BEGINNINGS,
        };
        let steps = std::mem::replace(&mut self.prover.query_steps, steps);
        self.decide_all_given(below, ordinary, &mut beginnings);
        self.prover.query_steps = steps;
        if arguments && beginnings.models > 0 {
            self.assumptions.note(Assumption::FirstElements {});
        }
        if judged && beginnings.models == 0 {
            let wrapped = self.far_beyond(far, ordinary);
            doubts.open = doubts.open.or(wrapped);
        }
        doubts.suspected = doubts.suspected.or(beginnings.suspected);
        if judged {
            doubts.open = doubts.open.or(beginnings.open);
        }
        doubts.or(|| self.bounds_hold(judged, possible, without_extent.is_empty()))
    }

    /// An index into an array of unknown extent that is 2^31 or more for ordinary arguments in a
    /// small launch: an unsigned number that was taken below 0, as in `a[threadIdx.x - 1]`. Only an
    /// extent can say that it lies outside.
    fn far_beyond(
        &mut self,
        accesses: Vec<(Access, String)>,
        ordinary: TermId,
    ) -> Option<Obstacle> {
        let mut small = ordinary;
        for d in self.machine.launch.dimensions {
            let terms = &mut self.machine.terms;
            let most = terms.bits(32, SMALL_GRID);
            let fits = match terms.as_bits(d.grid_extent) {
                Some(_) => terms.bool(true),
                None => terms.less(Order::UnsignedLessEq, d.grid_extent, most),
            };
            small = terms.and(small, fits);
        }
        let mut questions = Vec::new();
        let mut any = self.machine.terms.bool(false);
        for (access, name) in accesses {
            let terms = &mut self.machine.terms;
            let limit = terms.bits(64, 1 << 31);
            let near = terms.less(Order::UnsignedLess, access.index, limit);
            let far = terms.not(near);
            let far = terms.and(access.path, far);
            any = terms.or(any, far);
            questions.push((far, access, name));
        }
        let definitions = self.machine.launch.definitions.clone();
        let mut ask = |far: TermId| {
            let mut readings = vec![(far, Reader::FIRST), (small, Reader::FIRST)];
            readings.extend(definitions.iter().map(|&d| (d, Reader::FIRST)));
            self.ask(&readings, &[])
        };
        if ask(any).is_unsatisfiable() {
            return None;
        }
        let (_, access, name) = questions
            .into_iter()
            .find(|(far, ..)| matches!(ask(*far), Answer::Satisfiable(_)))?;
        let why = format!(
            "line {}: the index into {name} may be a number below 0 taken as an unsigned one, which \
             only an extent (--extent {name}=…) can judge",
            access.span.line
        );
        Some(Obstacle::new(Reason::Inconclusive, why))
    }

    /// No integer argument that is no place is negative, or larger than sizes of small examples are.
    fn ordinary_arguments(&mut self) -> TermId {
        let procedure = self.program.proc(self.kernel);
        let mut all = self.machine.terms.bool(true);
        for &var in &procedure.params {
            let ty = procedure.vars[var.0 as usize].ty.scalar();
            let (Some(ty), Some(value)) = (ty, self.scalar_param(var)) else {
                continue;
            };
            // What is given is what is asked about, however odd.
            if !ty.is_integer() || self.request.scalars.contains_key(&var) {
                continue;
            }
            let terms = &mut self.machine.terms;
            let largest = LARGEST.min((1 << (ty.bits() - 1)) - 1);
            let least = match self.request.places.contains(&var) {
                true => LEAST_PLACE,
                false => 0,
            };
            let first = terms.bits(ty.bits(), least as u64);
            let last = terms.bits(ty.bits(), largest);
            let not_negative = terms.less(Order::SignedLessEq, first, value);
            let not_large = terms.less(Order::SignedLessEq, value, last);
            all = terms.and(all, not_negative);
            all = terms.and(all, not_large);
        }
        all
    }

    fn bounds_hold(&self, judged: bool, possible: bool, all_known: bool) -> Attempt {
        if !judged {
            return if all_known {
                Attempt::Holds("no array is accessed".to_owned())
            } else {
                Attempt::NotJudged("no extent is known of any array accessed".to_owned())
            };
        }
        if !possible {
            let why = "no access can happen in any launch considered";
            return Attempt::Open(Obstacle::new(Reason::Vacuous, why));
        }
        Attempt::Holds(if all_known {
            "every index lies inside the extent of its array".to_owned()
        } else {
            "every index into an array of known extent lies inside it, and none into another is \
             below 0"
                .to_owned()
        })
    }

    pub fn assertions(&mut self) -> Attempt {
        let mut doubts = Doubts::default();
        let mut possible = self.whole.asserted.is_empty();
        let mut suspicions = Vec::new();
        for asserted in self.whole.asserted.clone() {
            possible = possible || matches!(self.is_possible(asserted.path), Possible::Yes);
            let fails = self.machine.terms.not(asserted.cond);
            let suspicion = Suspicion {
                kind: match asserted.aligned {
                    true => DefectKind::MisalignedAccess,
                    false => DefectKind::Assertion,
                },
                readings: vec![(asserted.path, Reader::FIRST), (fails, Reader::FIRST)],
                message: match asserted.aligned {
                    true => "an access may be misaligned".to_owned(),
                    false => "an assertion may fail".to_owned(),
                },
                accesses: vec![],
                places: vec![(asserted.op, Reader::FIRST)],
                together: vec![],
            };
            suspicions.push(suspicion);
        }
        self.decide_all(suspicions, &mut doubts);
        doubts.or(|| {
            if possible {
                Attempt::Holds("no assertion can fail".to_owned())
            } else {
                let why = "no assertion is ever reached";
                Attempt::Open(Obstacle::new(Reason::Vacuous, why))
            }
        })
    }

    pub fn arithmetic(&mut self) -> Attempt {
        let mut doubts = Doubts::default();
        let mut suspicions = Vec::new();
        for arithmetic in self.whole.arithmetic.clone() {
            let line = arithmetic.span.line;
            let Some(cond) = arithmetic.cond else {
                let why =
                    format!("line {line}: whether this conversion is defined is not followed");
                doubts
                    .open
                    .get_or_insert(Obstacle::new(Reason::Inconclusive, why));
                continue;
            };
            let fails = self.machine.terms.not(cond);
            let what = if arithmetic.kind == DefectKind::DivisionByZero {
                "division by zero"
            } else {
                "a shift by the width or more, or a quotient out of range,"
            };
            let suspicion = Suspicion {
                kind: arithmetic.kind,
                readings: vec![(arithmetic.path, Reader::FIRST), (fails, Reader::FIRST)],
                message: format!("line {line}: {what} is possible"),
                accesses: vec![],
                places: vec![(arithmetic.op, Reader::FIRST)],
                together: vec![],
            };
            suspicions.push(suspicion);
        }
        self.decide_all(suspicions, &mut doubts);
        doubts.or(|| Attempt::Holds("all integer arithmetic is defined".to_owned()))
    }

    /// Notes signed arithmetic that certainly overflows: at every launch considered, in a thread that there is.
    pub fn note_overflows(&mut self) {
        let mut told = BTreeSet::new();
        for overflow in self.whole.overflows.clone() {
            let line = overflow.span.line;
            if !told.insert((line, overflow.text.clone())) || told.len() > MOST_OVERFLOWS {
                continue;
            }
            if matches!(self.is_possible(overflow.path), Possible::Yes) {
                self.remarks.note(Remark::SignedOverflow {
                    program: None,
                    line,
                    expression: overflow.text,
                    value_type: overflow.ty.c_name().to_owned(),
                    wraps_to: overflow.wraps_to.to_string(),
                });
            }
        }
    }

    /// No thread waits forever: barriers are met together, and every loop ends by itself.
    /// `aligned`: the former has been proved.
    pub fn deadlock(&mut self, aligned: bool) -> Attempt {
        if !aligned {
            let why = "it is not established that barriers are met together";
            return Attempt::Open(Obstacle::new(Reason::Inconclusive, why));
        }
        if let Some(span) = self.whole.warp_barriers.first() {
            let why = format!(
                "line {}: who takes part in a warp operation is not judged symbolically",
                span.line
            );
            return Attempt::Open(Obstacle::new(Reason::Unsupported, why));
        }
        for end in self.whole.loops.clone() {
            let line = end.span.line;
            let Some(conditions) = end.endless_if else {
                let why = format!("line {line}: it is not recognised that this loop ends");
                return Attempt::Open(Obstacle::new(Reason::Inconclusive, why));
            };
            for condition in conditions {
                match self.is_possible(condition) {
                    Possible::No => {}
                    Possible::Yes => {
                        let why = format!("line {line}: this loop may not end");
                        return Attempt::Open(Obstacle::new(Reason::Inconclusive, why));
                    }
                    Possible::Open(why) => {
                        return Attempt::Open(self.gave_up("whether a loop ends", &why));
                    }
                }
            }
        }
        Attempt::Holds(
            "threads meet their barriers together, and every loop runs over a finite range"
                .to_owned(),
        )
    }
}
