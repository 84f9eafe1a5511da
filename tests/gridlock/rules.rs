//! Every rule of the library wherever it matches in the corpus: what each application makes is
//! compared with the original at the header's launch, and none whose conditions held is refuted.

use crate::labelled::{Kernel, assert_table, corpus, corpus_in, language, request};
use gridlock::input::request::Request;
use gridlock::judge::equivalence::{self, Compared, EquivOptions};
use gridlock::pipeline::oracle::SolverOracle;
use gridlock::subject::EntryPoint;
use gridlock::subject::prepared::Prepared;
use gridlock::suite::expected::Expected;
use gridlock::words::plain_words;
use gridlock_checker::verdict::Verdict;
use gridlock_generation::effort;
use gridlock_semantics::algebra::expr::Builtin;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::analysis::reached::reached;
use gridlock_semantics::profile::{Firing, Profile, Warps};
use gridlock_semantics::setup::Launch;
use gridlock_semantics::well_formed::check_well_formed;
use gridlock_transforms::rewriting::everywhere::{about_helpers, singles};
use gridlock_transforms::terms::term::{Functor, Term, TermKind};
use gridlock_transforms::{Answer, Application, Assumption, Derivation, RuleSystem};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fmt::Write;

/// States a search may keep.
const MOST_STATES: u64 = 2_000;
/// Of a program; recursion that is unfolded makes larger ones, with the same places over and over.
const MOST_OPERATORS: usize = 1_000;
/// Threads of a block, where what a rule assumes is false at the header's launch.
const TWO_WARPS: u32 = 64;

/// Kernels that consist of what headers of ours compose: what matches there matches elsewhere, and each comparison
/// takes seconds.
const COMPOSED: [&str; 2] = ["warp-matrix.cu", "texture-function.cu"];

/// A short run judges one pair of a kernel and a system in so many; coprime to the number of systems, so that each has its
/// turn. The table is of all pairs, and compared in long runs.
const SHARE: usize = 61;

/// For one question of a condition to the solver.
const SOLVER: f64 = 2.0;

/// What became of one application.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Passed,
    /// The original is not right itself, so nothing need be kept.
    SourceDefective,
    /// What it took for granted is false at this launch.
    AssumptionFalse,
    /// The two differ, and what was taken for granted could not be computed: it is false.
    AssumptionRefuted,
    /// It is in a procedure that the entry does not call.
    Elsewhere,
    Unknown(String),
    /// A bug of the rule or of an analysis.
    Refuted(String),
}

/// Rules that are tried alone.
fn heads(system: &RuleSystem) -> Vec<String> {
    let rules = system.rules().iter().filter(|rule| !about_helpers(rule));
    rules.map(|rule| rule.name.to_string()).collect()
}

/// The library, but for a system whose rules make sense together only: half the blocks, and each does
/// twice as much (`transforms/tests/transforms/tree_sum.rs`).
fn systems() -> Vec<RuleSystem> {
    let names = RuleSystem::built_in_names();
    let own = names.filter(|name| !name.starts_with("mutants/") && *name != "first-addition");
    own.filter_map(RuleSystem::built_in).collect()
}

/// Small enough for the launches of the corpus.
fn params(system: &str) -> gridlock_transforms::Request {
    let params: &[(&str, &str)] = match system {
        "parallelise-loop" | "parallelise-nest" => &[("block", "4")],
        "chunk-loop" => &[("threads", "4")],
        "chunks-on-device" => &[("block", "4")],
        "shared-memory" => &[("tile", "64")],
        "tiled-product" => &[("tile", "4")],
        "strip-mine" => &[("size", "3")],
        _ => &[],
    };
    gridlock_transforms::Request {
        params: params
            .iter()
            .map(|(k, v)| (k.to_string(), v.to_string()))
            .collect(),
        ..Default::default()
    }
}

/// Where outputs change their shape, how they correspond.
fn observed(application: &Application) -> Vec<String> {
    match (&*application.rule, application.bindings.get("$out")) {
        ("tile-result", Some(out)) => {
            vec![format!(
                "new.{out}[b] == old.{out}[b * blockDim] for b in 0..gridDim"
            )]
        }
        _ => vec![],
    }
}

/// Under which profile a system promises something, if not under the header's: of warps nothing where there are
/// none.
fn profile(system: &str, kernel: &Kernel) -> Option<Profile> {
    let profile = match system {
        "unroll-last-warp" => kernel.launched("lockstep-warp"),
        _ => kernel.profiles().into_iter().next()?,
    };
    let has_warps = profile.axes.warps != Warps::None || system != "warp-barrier";
    (profile.axes.firing != Firing::Set && has_warps).then_some(profile)
}

fn judge(
    system: &str,
    kernel: &Kernel,
    profile: &Profile,
    block: Option<u32>,
    derivation: &Derivation,
) -> Fate {
    let Some(application) = derivation.applications.first() else {
        return Fate::Refuted("nothing was applied".to_owned());
    };
    if let Err(error) = check_well_formed(&derivation.program) {
        return Fate::Refuted(format!("not well-formed: {error:?}"));
    }
    let mut point = kernel.point(profile);
    if let (Some(block), Some(launch)) = (block, &mut point.launch) {
        launch.block = [block, 1, 1];
    }
    let before = &kernel.prepared.surface;
    let changed = |n: &ProcId| {
        let after = derivation.program.procs.get(n.0 as usize);
        after.is_none_or(|after| *after != before.procs[n.0 as usize])
    };
    if derivation.program.procs == before.procs {
        return Fate::Passed;
    }
    if !reached(before, point.proc).iter().any(changed) {
        return Fate::Elsewhere;
    }
    let assumed: Vec<Answer> = derivation
        .assumptions
        .iter()
        .map(|a| discharged(a, application, kernel, &point))
        .collect();
    if assumed.contains(&Answer::No) {
        return Fate::AssumptionFalse;
    }
    let prepared = Prepared::new(derivation.program.clone());
    let side = |prepared, name: &str| Compared {
        file: name.to_owned(),
        prepared,
        point: point.clone(),
    };
    let options = EquivOptions {
        observe: observed(application),
        modulo: reordered(derivation).then(|| "assoc-comm".to_owned()),
        ..EquivOptions::default()
    };
    let (old, new) = (
        side(&kernel.prepared, "original"),
        side(&prepared, "rewritten"),
    );
    // Proofs of what samples show to be alike would take most of the time.
    let request = Request {
        symbolic: false,
        ..request(profile.clone(), MOST_STATES)
    };
    let judged = match equivalence::compare(&old, &new, &request, &options) {
        Ok(judged) => judged,
        Err(error) => return Fate::Unknown(format!("{system}: {}", error.message)),
    };
    match judged.verdict {
        Verdict::Passed | Verdict::Proved => Fate::Passed,
        Verdict::Refuted if assumed.contains(&Answer::Unknown) => Fate::AssumptionRefuted,
        Verdict::Refuted => Fate::Refuted(judged.properties[0].explanation.clone()),
        Verdict::Unknown | Verdict::Conditional => {
            let reason = judged.reason.map_or("", plain_words::reason_name);
            match reason {
                "source-defective" => Fate::SourceDefective,
                other => Fate::Unknown(other.to_owned()),
            }
        }
    }
}

/// Whether floats are added in another order, which was assumed to make no difference.
fn reordered(derivation: &Derivation) -> bool {
    derivation.assumptions.iter().any(|a| {
        let head = a.formula.as_ref().and_then(Term::as_app);
        matches!(head, Some((Functor::Helper(name), _)) if &**name == "reorderable")
    })
}

/// Whether an assumption holds at the header's launch: arithmetic is computed; parameters of the
/// entry point into different arrays; sums are compared as if their order did not matter.
fn discharged(
    assumption: &Assumption,
    application: &Application,
    kernel: &Kernel,
    point: &EntryPoint,
) -> Answer {
    let program = &kernel.prepared.surface;
    let entry = program.proc(point.proc);
    let in_entry = application.procedure == *entry.name;
    if let Some((Functor::Helper(name), args)) = assumption.formula.as_ref().and_then(Term::as_app)
    {
        match (&**name, args) {
            ("reorderable", _) => return Answer::Yes,
            ("no_alias", [list]) if in_entry => {
                let own = |t: &Term| match t.kind() {
                    TermKind::Var(v) => entry.params.iter().any(|p| p.0 == v.id),
                    TermKind::Array { .. } => true,
                    _ => false,
                };
                return Answer::known(list.children().iter().all(own));
            }
            _ => {}
        }
    }
    assumption.at(&|term| value(term, in_entry, point))
}

fn value(term: &Term, in_entry: bool, point: &EntryPoint) -> Option<i128> {
    match term.kind() {
        TermKind::Var(v) if in_entry => {
            let scalars = point.scalars.iter();
            let mut own = scalars.filter(|(var, _)| var.0 == v.id);
            own.next().and_then(|(_, value)| value.as_integer())
        }
        TermKind::App(Functor::Builtin(what), _) if in_entry => {
            let launch: Launch = point.launch?;
            match what {
                Builtin::BlockDim(axis) => Some(launch.block[*axis as usize].into()),
                Builtin::GridDim(axis) => Some(launch.grid[*axis as usize].into()),
                _ => None,
            }
        }
        _ => None,
    }
}

const HEAD: &str = "\
# Every rule of the library at every place where it matches in the correct programs of tests/corpus,
# tests/language and tests/rules, each application alone, compared with the original at the header's launch:
#   refused    a condition does not hold, or no analysis can tell, the solver included (2 s a question)
#   passed     the same outcomes in every schedule of the inputs tried
#   not here   what it assumes is false at this launch, by computing it
#   false      the two differ, so what it assumes, which cannot be computed, is false
#   elsewhere  in a procedure that the entry does not call
#   unknown    no verdict within the limits, and why
# Refuted where all it assumes holds: none, or the test fails.
# Written by: INSTA_UPDATE=always cargo test --test gridlock rules::
";

/// What became of a rule's applications.
#[derive(Default)]
struct Row {
    refused: usize,
    fates: BTreeMap<Fate, usize>,
    /// Applications refuted, with what they assume.
    noted: Vec<String>,
}

impl Row {
    fn count(&self, of: impl Fn(&Fate) -> bool) -> usize {
        let fates = self.fates.iter();
        fates.filter(|(fate, _)| of(fate)).map(|(_, n)| n).sum()
    }

    fn line(&self, rule: &str) -> String {
        let unknown: Vec<String> = self
            .fates
            .iter()
            .filter_map(|(fate, n)| match fate {
                Fate::Unknown(why) => Some(format!("{n} {why}")),
                _ => None,
            })
            .collect();
        let line = format!(
            "{rule:38} {:7} {:6} {:8} {:5} {:9}  {}",
            self.refused,
            self.count(|f| *f == Fate::Passed),
            self.count(|f| *f == Fate::AssumptionFalse),
            self.count(|f| *f == Fate::AssumptionRefuted),
            self.count(|f| *f == Fate::Elsewhere),
            unknown.join(", ")
        );
        line.trim_end().to_owned()
    }
}

/// Whether a rule made a program wrong that it should have left alone.
fn is_wrong(rule: &str, fate: &Fate) -> bool {
    match fate {
        // Known, and said in the rule's status: what is no value may be copied from a variable, not read back from memory.
        Fate::Refuted(why) if rule == "promote-private: promote" => {
            !why.ends_with("uninitialised-read")
        }
        fate => matches!(fate, Fate::Refuted(_) | Fate::SourceDefective),
    }
}

#[test]
fn every_rule_wherever_it_matches() {
    let of_rules = corpus_in("tests/rules");
    let of_language = language();
    let others = of_language.iter().chain(&of_rules);
    let mut kernels: Vec<&Kernel> = corpus().iter().chain(others).collect();
    kernels.retain(|kernel| matches!(kernel.header.expected, Expected::AtLeast(_)));
    kernels.retain(|kernel| kernel.prepared.surface.operators().len() <= MOST_OPERATORS);
    kernels.retain(|kernel| !COMPOSED.contains(&kernel.name.as_str()));
    let systems = systems();
    let pairs: Vec<(&Kernel, &RuleSystem)> = kernels
        .iter()
        .flat_map(|kernel| systems.iter().map(move |system| (*kernel, system)))
        .collect();
    let judged: Vec<Vec<Judged>> = pairs
        .into_par_iter()
        .enumerate()
        .filter(|(number, _)| effort::is_done(*number, SHARE))
        .map(|(_, pair)| pair)
        .map(|(kernel, system)| everywhere(kernel, system))
        .collect();
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for system in &systems {
        for rule in heads(system) {
            rows.entry(format!("{}: {rule}", system.name()))
                .or_default();
        }
    }
    for judged in judged.into_iter().flatten() {
        let row = rows.entry(judged.rule).or_default();
        match judged.fate {
            None => row.refused += 1,
            Some(fate) => {
                if matches!(fate, Fate::Refuted(_) | Fate::AssumptionRefuted) {
                    row.noted.push(judged.place);
                }
                *row.fates.entry(fate).or_default() += 1;
            }
        }
    }
    let refuted: Vec<String> = rows
        .iter()
        .filter(|(rule, row)| row.count(|f| is_wrong(rule, f)) > 0)
        .map(|(rule, row)| format!("{rule}: {:?}\n{}", row.fates, row.noted.join("\n")))
        .collect();
    assert!(refuted.is_empty(), "{}", refuted.join("\n"));
    let mut text = HEAD.to_owned();
    let _ = writeln!(
        text,
        "\n{:38} refused passed not here false elsewhere  unknown",
        "rule"
    );
    for (rule, row) in &rows {
        let _ = writeln!(text, "{}", row.line(rule));
    }
    text.push_str("\n# Those whose assumption is false:\n");
    for (rule, row) in &rows {
        for place in &row.noted {
            let _ = writeln!(text, "{rule}: {place}");
        }
    }
    if !effort::is_done(1, SHARE) {
        return;
    }
    assert_table("tests/rules.txt", &text);
    let idle: Vec<&String> = rows
        .iter()
        .filter(|(_, row)| row.count(|f| *f == Fate::Passed) == 0)
        .map(|(rule, _)| rule)
        .collect();
    assert!(idle.is_empty(), "no application passed of {idle:?}");
}

struct Judged {
    /// `system: rule`
    rule: String,
    /// `None` where its conditions refuse it.
    fate: Option<Fate>,
    /// File, line and what is assumed there.
    place: String,
}

fn everywhere(kernel: &Kernel, system: &RuleSystem) -> Vec<Judged> {
    let Some(profile) = profile(system.name(), kernel) else {
        return vec![];
    };
    let before = &kernel.prepared.surface;
    let oracle = SolverOracle { seconds: SOLVER };
    let found = singles(before, system, &params(system.name()), &oracle).unwrap();
    let label = |rule: &str| format!("{}: {rule}", system.name());
    let mut all: Vec<Judged> = Vec::new();
    for (rule, _) in &found.refused {
        all.push(Judged {
            rule: label(rule),
            fate: None,
            place: String::new(),
        });
    }
    for single in found.applied {
        let name = &kernel.name;
        let derivation = single
            .outcome
            .unwrap_or_else(|error| panic!("{}: {name}: {error}", single.rule));
        let mut fate = judge(system.name(), kernel, &profile, None, &derivation);
        if fate == Fate::AssumptionFalse {
            let other = judge(
                system.name(),
                kernel,
                &profile,
                Some(TWO_WARPS),
                &derivation,
            );
            if other == Fate::Passed || matches!(other, Fate::Refuted(_)) {
                fate = other;
            }
        }
        let line = derivation.applications.first().map_or(0, |a| a.span.line);
        let assumed = derivation.assumptions.iter().map(|a| &*a.text);
        let assumed: Vec<&str> = assumed.collect();
        all.push(Judged {
            rule: label(&single.rule),
            place: format!("{name}:{line}: {}", assumed.join("; ")),
            fate: Some(fate),
        });
    }
    all
}
