//! What samples cannot say: whether two kernels leave the same for all inputs, at the launches compared. What the
//! solver suspects is run like a sample, and only that refutes.

use super::Compared;
use super::comparing::{After, Comparing, How, Proof, Sample, constants, floats_decide};
use super::launches::{LaunchPair, launches};
use super::paired::partner;
use crate::input::error::InputError;
use crate::subject::of_model::with_inputs;
use crate::subject::premises::has_floats;
use crate::subject::{Floats, Wide};
use gridlock_checker::equiv::{Filled, Modulo, Side as SideOfMap, TermOp};
use gridlock_checker::report::assumption::Assumption;
use gridlock_proofs::Budget;
use gridlock_proofs::equivalence::{
    Equivalence, EquivalenceRequest, FloatLaws, Inputs, Observed, RETURNED, Related, Side,
    Unknowns, Which, equivalent,
};
use gridlock_semantics::algebra::expr::BinaryOp;
use gridlock_semantics::algebra::ids::{ArrayId, VarId};
use gridlock_semantics::algebra::program::{ProcKind, Procedure, Program};
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::setup::{Arg, Setup};
use std::collections::{BTreeMap, BTreeSet};

/// Threads of a launch, all blocks together, above which no proof is tried.
const MOST_THREADS: u64 = 16_384;
/// Operators by one thread each.
const MOST_STEPS: u64 = 8_000_000;
/// Of the solver, for the proof at one launch.
const MOST_SECONDS: f64 = 5.0;
/// The same where floats may lie apart: then only what is the same bit by bit is proved, and that is seen at once.
const SECONDS_UNDER_TOLERANCE: f64 = 0.5;
/// Samples of floats at which laws break, where the solver suspects something.
const MOST_ODD: usize = 8;
/// Part of the time that is left, for the proof at one launch.
const SHARE: f64 = 0.5;

/// What came of the proof at one launch.
enum AtLaunch {
    /// It went through, with these arguments fixed.
    Proved(Vec<String>),
    /// In words, what it stopped at.
    Stopped(String),
}

/// Which scalar arguments are unknown.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalars {
    All,
    Floats,
}

impl Comparing<'_> {
    /// Whether a proof goes through, whatever samples say. What it suspects is not run.
    pub(super) fn proof_goes_through(mut self) -> Result<bool, InputError> {
        self.suspects_are_run = false;
        self.prove()?;
        Ok(matches!(
            self.proof,
            Some(Proof::AllSizes(_) | Proof::Whole | Proof::Part(_))
        ))
    }

    /// Whether a proof is wanted, and one run speaks for all schedules.
    pub(super) fn is_asked_of_solver(&self) -> bool {
        self.request.symbolic
            && self.variables.lost.is_empty()
            && self.variables.added.is_empty()
            && self.request.profile.admits_canonical_run()
    }

    /// Tries the proof, after samples that are all alike.
    pub(super) fn prove(&mut self) -> Result<(), InputError> {
        if !self.is_asked_of_solver() {
            return Ok(());
        }
        let pairs = launches(self.old, self.new)?;
        let kind = |side: &Compared| side.prepared.surface.proc(side.point.proc).kind;
        let are_of_host = [self.old, self.new].map(|side| kind(side) == ProcKind::Host);
        let is_for_all_sizes = are_of_host == [false, false] && self.options.observe.is_empty();
        if is_for_all_sizes && self.prove_at_all_sizes(&pairs)? {
            return Ok(());
        }
        // Code of the host says itself what it launches.
        let is_given = self.old.point.launch.is_some()
            || self.new.point.launch.is_some()
            || are_of_host == [true, true];
        let mut fixed: BTreeSet<String> = BTreeSet::new();
        for pair in &pairs {
            match self.prove_at(*pair)? {
                AtLaunch::Proved(with) => fixed.extend(with),
                AtLaunch::Stopped(why) => {
                    self.proof = Some(Proof::Stopped(why));
                    return Ok(());
                }
            }
        }
        self.note_assumptions();
        let fixed: Vec<String> = fixed.into_iter().collect();
        self.proof = Some(match (is_given, fixed.as_slice()) {
            (true, []) => Proof::Whole,
            (true, fixed) => Proof::Part(format!("for all inputs with {}", fixed.join(", "))),
            (false, []) => Proof::Part("for all inputs at each launch tried".to_owned()),
            (false, fixed) => Proof::Part(format!(
                "for all inputs with {} at each launch tried",
                fixed.join(", ")
            )),
        });
        Ok(())
    }

    fn prove_at(&mut self, pair: LaunchPair) -> Result<AtLaunch, InputError> {
        let (old, new) = self.setups_of_proof(pair)?;
        for (setup, name) in [(&old, "old"), (&new, "new")] {
            let threads = setup
                .launch
                .map_or(0, |l| l.n_blocks().saturating_mul(l.n_threads()));
            if threads > MOST_THREADS {
                let why =
                    format!("the {name} program has {threads} threads: more than {MOST_THREADS}");
                return Ok(AtLaunch::Stopped(why));
            }
        }
        let Some(related) = self.related(&old, &new) else {
            let why = "an observation map whose indices have no ranges, or that speaks of results";
            return Ok(AtLaunch::Stopped(why.to_owned()));
        };
        // What names of the map stand for is that of the sample.
        let given = |side: &Compared| side.point.extents.is_empty() && related.is_empty();
        let ways: &[Scalars] = match given(self.old) && given(self.new) {
            true => &[Scalars::All, Scalars::Floats],
            // What arguments say of extents was evaluated for those of the sample.
            false => &[Scalars::Floats],
        };
        let mut first_why = None;
        for scalars in ways {
            let (of_old, of_new) = self.unknowns(&old, &new, *scalars);
            let fixed = self.fixed(&old, &of_old);
            if *scalars == Scalars::Floats && fixed.is_empty() && first_why.is_some() {
                break;
            }
            match self.ask(&old, &new, (&of_old, &of_new), &related) {
                Equivalence::Proved => return Ok(AtLaunch::Proved(fixed)),
                Equivalence::Suspected {
                    array,
                    cell,
                    inputs,
                    over_reals,
                } => {
                    let unknowns = (&of_old, &of_new);
                    let apart = over_reals.then(|| (array.clone(), cell));
                    if self.suspects_are_run
                        && self.options.tolerance.is_none()
                        && (self.try_out(&old, &new, unknowns, &inputs, apart)? == After::Stop
                            || self.try_odd_floats(pair)? == After::Stop)
                    {
                        return Ok(AtLaunch::Stopped(String::new()));
                    }
                    let what = match array == RETURNED {
                        true => array,
                        false => format!("`{array}[{cell}]`"),
                    };
                    let why = format!(
                        "the solver has inputs for which {what} would differ, which a run does not show"
                    );
                    first_why.get_or_insert(why);
                }
                Equivalence::Open {
                    why,
                    which,
                    cut,
                    tries,
                } => {
                    // Of a defect of the old program nothing follows.
                    let are_run = self.suspects_are_run
                        && self.options.tolerance.is_none()
                        && which != Some(Which::Old);
                    for inputs in tries.iter().filter(|_| are_run) {
                        if self.deadline.left() <= 0.0 {
                            break;
                        }
                        let unknowns = (&of_old, &of_new);
                        if self.try_out(&old, &new, unknowns, inputs, None)? == After::Stop {
                            return Ok(AtLaunch::Stopped(String::new()));
                        }
                    }
                    let why = match which {
                        Some(Which::Old) => format!("in the old program, {why}"),
                        Some(Which::New) => format!("in the new program, {why}"),
                        None => why,
                    };
                    let why = match cut {
                        Some(cut) => format!("{why} ({cut})"),
                        None => why,
                    };
                    first_why.get_or_insert(why);
                }
            }
        }
        Ok(AtLaunch::Stopped(first_why.unwrap_or_default()))
    }

    fn ask(
        &self,
        old: &Setup,
        new: &Setup,
        (of_old, of_new): (&Unknowns, &Unknowns),
        related: &[(Related, Related)],
    ) -> Equivalence {
        let most = match self.options.tolerance {
            Some(_) => SECONDS_UNDER_TOLERANCE,
            None => MOST_SECONDS,
        };
        let there_is = SHARE * self.deadline.left();
        let seconds = most.min(there_is);
        let request = EquivalenceRequest {
            profile: &self.request.profile,
            observed: self.observed(old, new),
            related: related.to_vec(),
            left_out: self.left_out(old, new),
            floats: laws(self.modulo),
            budget: Budget::of_seconds(seconds),
            timeout: Budget::patience(seconds, there_is),
            steps: MOST_STEPS,
        };
        let side = |program, setup, unknowns| Side {
            program,
            setup,
            unknowns,
        };
        equivalent(
            side(&self.old.prepared.surface, old, of_old),
            side(&self.new.prepared.surface, new, of_new),
            &request,
        )
    }

    /// What is unknown of both sides: what was not given. Names are those of the old side's parameters.
    pub(super) fn unknowns(
        &self,
        old: &Setup,
        new: &Setup,
        scalars: Scalars,
    ) -> (Unknowns, Unknowns) {
        let (old_program, new_program) = (&self.old.prepared.surface, &self.new.prepared.surface);
        let old_proc = old_program.proc(self.old.point.proc);
        let new_proc = new_program.proc(self.new.point.proc);
        let open = |position: usize| -> Option<String> {
            let var = *old_proc.params.get(position)?;
            let decl = &old_proc.vars[var.0 as usize];
            let is_open = match decl.ty {
                Type::Pointer(_) => !self.old.point.contents.contains_key(&var),
                Type::Scalar(ty) => {
                    let is_given = self.old.point.scalars.contains_key(&var);
                    !is_given && (ty.is_float() || scalars == Scalars::All)
                }
            };
            is_open.then(|| decl.name.to_string())
        };
        let of_old = of_side(old, &|position| open(position));
        let of_new = of_side(new, &|position| {
            let var = new_proc.params[position];
            let point = &self.new.point;
            if point.contents.contains_key(&var) || point.scalars.contains_key(&var) {
                return None;
            }
            match partner(old_proc, new_proc, position, var) {
                Some(partner) => open(partner),
                // Nothing of the old side's.
                None => Some(format!(
                    "{} of the new program",
                    new_proc.vars[var.0 as usize].name
                )),
            }
        });
        let declared =
            |program: &Program, side: &Compared, setup: &Setup| -> BTreeMap<ArrayId, String> {
                let given = &side.point.declared;
                let ids = setup.declared.keys().chain(&side.point.filled);
                let open = ids.filter(|id| !given.contains_key(id));
                let name = |id: &ArrayId| {
                    let decl = program.array(*id);
                    let name = decl.symbol.as_ref().unwrap_or(&decl.name);
                    (*id, format!("{name} of the file"))
                };
                open.map(name).collect()
            };
        let with = |unknowns: Unknowns, declared| Unknowns {
            declared,
            ..unknowns
        };
        (
            with(of_old, declared(old_program, self.old, old)),
            with(of_new, declared(new_program, self.new, new)),
        )
    }

    /// What the observation map relates, by the numbers of the setups. `None`: it cannot be said cell by cell.
    fn related(&self, old: &Setup, new: &Setup) -> Option<Vec<(Related, Related)>> {
        let filled = self.map.filled(&constants(self.old, old))?;
        let mut all = Vec::with_capacity(filled.len());
        for (left, right) in &filled {
            all.push((related(left, old, new)?, related(right, old, new)?));
        }
        Some(all)
    }

    /// The arrays that the new program is given, by their numbers in the setups: that of the old program it corresponds to, if
    /// there is one, its own, and the parameter.
    pub(super) fn given_arrays(
        &self,
        old: &Setup,
        new: &Setup,
    ) -> impl Iterator<Item = (Option<usize>, usize, VarId)> {
        let old_proc = self.old.prepared.surface.proc(self.old.point.proc);
        let new_proc = self.new.prepared.surface.proc(self.new.point.proc);
        let params = new_proc.params.iter().zip(&new.args).enumerate();
        params.filter_map(move |(position, (var, arg))| {
            let Arg::Array(own) = arg else {
                return None;
            };
            let partner = partner(old_proc, new_proc, position, *var);
            let of_old = match partner.map(|at| &old.args[at]) {
                Some(Arg::Array(array)) => Some(*array),
                _ => None,
            };
            Some((of_old, *own, *var))
        })
    }

    /// Memory that corresponds and that either side may write, where no map speaks of it.
    pub(super) fn observed(&self, old: &Setup, new: &Setup) -> Vec<(Observed, Observed)> {
        let mut pairs = Vec::new();
        for (i, j, _) in self.given_arrays(old, new) {
            if let Some(i) = i
                && (old.arrays[i].observed || new.arrays[j].observed)
                && !self.map.names(SideOfMap::Old, &old.arrays[i].name)
                && !self.map.names(SideOfMap::New, &new.arrays[j].name)
            {
                pairs.push((Observed::Argument(i), Observed::Argument(j)));
            }
        }
        let (of_old, of_new) = (&self.old.prepared.surface, &self.new.prepared.surface);
        let is_mapped = |(i, j): &&(ArrayId, ArrayId)| {
            self.map.names(SideOfMap::Old, &of_old.array(*i).name)
                || self.map.names(SideOfMap::New, &of_new.array(*j).name)
        };
        let of_files = self.variables.pairs.iter().filter(|pair| !is_mapped(pair));
        pairs.extend(of_files.map(|(i, j)| (Observed::OfFile(*i), Observed::OfFile(*j))));
        pairs
    }

    /// Memory that a map speaks of: nothing else of it is compared.
    fn left_out(&self, old: &Setup, new: &Setup) -> Vec<(Which, Observed)> {
        let sides = [
            (Which::Old, SideOfMap::Old, self.old, old),
            (Which::New, SideOfMap::New, self.new, new),
        ];
        let mut all = Vec::new();
        for (which, of_map, side, setup) in sides {
            let arguments = setup.arrays.iter().enumerate();
            let arguments = arguments.filter(|(_, array)| self.map.names(of_map, &array.name));
            all.extend(arguments.map(|(at, _)| (which, Observed::Argument(at))));
            let of_file = (0..).map(ArrayId).zip(&side.prepared.surface.arrays);
            let of_file = of_file
                .filter(|(_, decl)| decl.owner.is_none() && self.map.names(of_map, &decl.name));
            all.extend(of_file.map(|(id, _)| (which, Observed::OfFile(id))));
        }
        all
    }

    /// Arguments that nobody gave and that are those of the sample all the same: `n = 37`.
    fn fixed(&self, old: &Setup, of_old: &Unknowns) -> Vec<String> {
        let procedure = self.old.prepared.surface.proc(self.old.point.proc);
        let params = procedure.params.iter().zip(&old.args).zip(&of_old.scalars);
        params
            .filter_map(|((var, arg), unknown)| match (arg, unknown) {
                (Arg::Scalar(value), None) if !self.old.point.scalars.contains_key(var) => {
                    Some(format!("{} = {value}", procedure.vars[var.0 as usize].name))
                }
                _ => None,
            })
            .collect()
    }

    /// Runs both sides on the inputs of a model.
    fn try_out(
        &mut self,
        old: &Setup,
        new: &Setup,
        (of_old, of_new): (&Unknowns, &Unknowns),
        inputs: &Inputs,
        apart: Option<(String, i64)>,
    ) -> Result<After, InputError> {
        let types = |side: &Compared| -> Vec<Type> {
            let procedure: &Procedure = side.prepared.surface.proc(side.point.proc);
            let params = procedure.params.iter();
            params
                .map(|var| procedure.vars[var.0 as usize].ty)
                .collect()
        };
        let (of_old_side, of_new_side) = (types(self.old), types(self.new));
        // What the results hold at first seldom matters, and a result is easier to see in what was another value.
        for with_results in [false, true] {
            let old = with_inputs(old, of_old, &of_old_side, inputs, with_results);
            let new = with_inputs(new, of_new, &of_new_side, inputs, with_results);
            let how = How {
                is_wide: true,
                leaves_range: false,
                apart: apart.clone(),
            };
            if self.pair(old, new, how)? == After::Stop {
                return Ok(After::Stop);
            }
        }
        Ok(After::GoOn)
    }

    /// Runs both sides on floats at which laws break. To the solver operations on floats are unknown functions, so that
    /// its inputs seldom show where they are not: at zeros below zero, or at what is no number.
    fn try_odd_floats(&mut self, pair: LaunchPair) -> Result<After, InputError> {
        let has_floats = |side: &Compared| has_floats(&side.prepared.surface);
        if self.floats != Floats::Any || !(has_floats(self.old) || has_floats(self.new)) {
            return Ok(After::GoOn);
        }
        for number in Wide::numbers_of_odd_floats().skip(1).take(MOST_ODD) {
            let is_over = self.deadline.left() <= 0.0;
            if is_over || self.sample(pair.0, pair.1, Sample::Wide(number))? == After::Stop {
                return Ok(match is_over {
                    true => After::GoOn,
                    false => After::Stop,
                });
            }
        }
        Ok(After::GoOn)
    }

    pub(super) fn note_assumptions(&mut self) {
        if let Some(assumed) = assumed_of_floats(self.modulo) {
            self.judgement.assumptions.note(assumed);
        }
        // Of real numbers it does not matter, unless floats decide what is done.
        let matters = |program: &Program| match self.modulo {
            Modulo::Reals => floats_decide(program),
            _ => has_floats(program),
        };
        if [self.old, self.new]
            .iter()
            .any(|side| matters(&side.prepared.surface))
        {
            self.judgement
                .assumptions
                .note(Assumption::FloatsAsWritten {});
        }
    }
}

/// One side of a relation; `None`: of a result, of a variable of the file, or by division.
fn related(filled: &Filled, old: &Setup, new: &Setup) -> Option<Related> {
    Some(match filled {
        Filled::Number(number) => Related::Number(*number),
        Filled::Result(_) => return None,
        Filled::Cell { side, array, index } => {
            let (which, setup) = match side {
                SideOfMap::Old => (Which::Old, old),
                SideOfMap::New => (Which::New, new),
            };
            let mut arrays = setup.arrays.iter();
            let position = arrays.position(|other| other.observed && *other.name == **array)?;
            Related::Cell {
                which,
                of: Observed::Argument(position),
                cell: *index,
            }
        }
        Filled::Binary(op, a, b) => {
            let op = match op {
                TermOp::Add => BinaryOp::Add,
                TermOp::Sub => BinaryOp::Sub,
                TermOp::Mul => BinaryOp::Mul,
                TermOp::Div | TermOp::Rem => return None,
            };
            let of = |part| Some(Box::new(related(part, old, new)?));
            Related::Binary(op, of(a)?, of(b)?)
        }
    })
}

/// What a way of comparing floats takes for granted.
pub(crate) fn assumed_of_floats(modulo: Modulo) -> Option<Assumption> {
    match modulo {
        Modulo::Exact => None,
        Modulo::AssocComm => Some(Assumption::FloatsReassociated {}),
        Modulo::Reals => Some(Assumption::FloatsAreReals {}),
    }
}

/// What is the same of floats in a proof.
fn laws(modulo: Modulo) -> FloatLaws {
    match modulo {
        Modulo::Exact => FloatLaws::Exact,
        Modulo::AssocComm => FloatLaws::Reassociated,
        Modulo::Reals => FloatLaws::Reals,
    }
}

/// The unknowns of a side, by what is said of each parameter.
fn of_side(setup: &Setup, open: &dyn Fn(usize) -> Option<String>) -> Unknowns {
    let mut unknowns = Unknowns {
        arrays: vec![None; setup.arrays.len()],
        ..Unknowns::default()
    };
    for (position, arg) in setup.args.iter().enumerate() {
        let name = open(position);
        if let Arg::Array(index) = arg {
            unknowns.arrays[*index] = name.clone();
        }
        let is_scalar = matches!(arg, Arg::Scalar(_));
        unknowns.scalars.push(name.filter(|_| is_scalar));
    }
    unknowns
}
