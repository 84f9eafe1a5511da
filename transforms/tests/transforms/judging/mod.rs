//! Reads programs, applies systems of the library and judges the result by the canonical run.
#![allow(dead_code, reason = "each test crate uses its part")]

pub mod probing;
pub mod sequential;

use gridlock_checker::canonical::{self, CanonicalStatus};
use gridlock_checker::compiled::compile;
use gridlock_checker::finding::{DefectKind, Evidence, Finding};
use gridlock_frontend::{Language, ParseOptions, parse_file};
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use gridlock_semantics::setup::{Arg, ArrayArg, Contents, Launch, Setup};
use gridlock_semantics::well_formed::check_well_formed;
use gridlock_transforms::{Derivation, NoOracle, Request, RuleSystem, apply};
use std::io::Write;
use std::path::Path;

pub fn example(name: &str) -> Program {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../examples")
        .join(name);
    parse_file(&path, &ParseOptions::default())
        .expect("the example is supported")
        .program
}

pub fn source(language: Language, text: &str) -> Program {
    let extension = match language {
        Language::C => ".c",
        Language::Cuda => ".cu",
        Language::OpenCl => ".cl",
        Language::Scheme => ".scheme",
    };
    let mut file = tempfile::Builder::new()
        .suffix(extension)
        .tempfile()
        .expect("a file");
    file.write_all(text.as_bytes()).expect("written");
    let parsed = parse_file(file.path(), &ParseOptions::default()).expect("supported");
    assert!(parsed.unsupported.is_empty(), "{:?}", parsed.unsupported);
    parsed.program
}

pub fn request(params: &[(&str, &str)]) -> Request {
    let params = params
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect();
    Request {
        params,
        ..Request::default()
    }
}

/// Applies a system that must apply; the result is well-formed.
pub fn transformed(program: &Program, system: &str, params: &[(&str, &str)]) -> Derivation {
    derived(program, system, &request(params))
}

pub fn derived(program: &Program, system: &str, request: &Request) -> Derivation {
    let rules = RuleSystem::built_in(system).expect("a system of the library");
    let derivation = apply(program, &rules, request, &NoOracle).expect("it can be applied");
    assert!(derivation.normal, "{system} ran out of fuel");
    let refusals = &derivation.refusals;
    assert!(
        !derivation.applications.is_empty(),
        "{system} did not apply: {refusals:?}"
    );
    check_well_formed(&derivation.program).expect("well-formed");
    derivation
}

/// What a run showed: final contents of the observed arrays, or the kinds of defects found.
#[derive(Clone, Debug, PartialEq)]
pub enum Shown {
    Contents(Vec<Vec<i64>>),
    Defects(Vec<DefectKind>),
}

fn integers(value: &Value) -> i64 {
    value.as_integer().unwrap_or(i64::MIN as i128) as i64
}

pub fn run(program: &Program, setup: &Setup, profile: &str) -> (Shown, Vec<Finding>) {
    let profile = Profile::named(profile).expect("a profile");
    let result = canonical::run(&compile(program), setup, &profile, &Default::default());
    if result.findings.is_empty() {
        assert_eq!(result.status, CanonicalStatus::Decides);
        let observation = result.observation.expect("it ended");
        let arrays = observation.arrays.iter();
        let cells = arrays.map(|a| a.cells.iter().map(integers).collect());
        return (Shown::Contents(cells.collect()), vec![]);
    }
    let mut kinds: Vec<DefectKind> = result.findings.iter().map(|f| f.kind).collect();
    kinds.sort_by_key(|kind| format!("{kind:?}"));
    kinds.dedup();
    (Shown::Defects(kinds), result.findings)
}

fn array(name: &str, extent: u64, contents: Contents) -> ArrayArg {
    ArrayArg {
        name: name.into(),
        elem: ScalarType::I32,
        extent: Some(extent),
        contents,
        observed: true,
    }
}

/// A host procedure `f(int *a, …, int n)` on random arrays of `n` cells each.
pub fn host_setup(program: &Program, entry: &str, n: u64, seed: u64) -> Setup {
    host_setup_of(program, entry, n, n, seed)
}

/// The same on arrays of `cells` cells.
pub fn host_setup_of(program: &Program, entry: &str, n: u64, cells: u64, seed: u64) -> Setup {
    let entry = program.find_proc(entry).expect("the entry");
    let proc = program.proc(entry);
    let mut arrays = Vec::new();
    let mut args = Vec::new();
    for &param in &proc.params {
        let decl = &proc.vars[param.0 as usize];
        if decl.ty.pointer().is_some() {
            let seed = seed + arrays.len() as u64;
            args.push(Arg::Array(arrays.len()));
            arrays.push(array(&decl.name, cells, Contents::Random { seed }));
        } else {
            args.push(Arg::Scalar(Value::i32(n as i32)));
        }
    }
    Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry,
        launch: None,
        args,
        arrays,
    }
}

/// A procedure `h(int *a, int *b, int m, int n)` on random arrays of `cells` cells each.
pub fn nest_setup(program: &Program, m: i32, n: i32, cells: u64) -> Setup {
    let mut setup = host_setup_of(program, &program.procs[0].name, 0, cells, 5);
    setup.args[2] = Arg::Scalar(Value::i32(m));
    setup.args[3] = Arg::Scalar(Value::i32(n));
    setup
}

/// The only kernel `k(const int *in, int *out)` on random `in`, zero `out`, of `cells` cells.
pub fn kernel_setup(program: &Program, grid: u32, block: u32, cells: u64, seed: u64) -> Setup {
    let entry = program
        .procs_of_kind(ProcKind::Kernel)
        .next()
        .expect("a kernel");
    Setup {
        declared: Default::default(),
        observed: Default::default(),
        device: Default::default(),
        entry,
        launch: Some(Launch {
            grid: [grid, 1, 1],
            block: [block, 1, 1],
            shared_bytes: 0,
        }),
        args: vec![Arg::Array(0), Arg::Array(1)],
        arrays: vec![
            array("in", cells, Contents::Random { seed }),
            array("out", cells, Contents::Zero),
        ],
    }
}

/// Lines, in the source, of the two accesses of the first race found.
pub fn race_lines(program: &Program, findings: &[Finding]) -> Option<(u32, u32)> {
    let atomic = gridlock_semantics::atomic_form::atomic_form(program);
    let operators = atomic.operators();
    let line = |id| {
        operators
            .iter()
            .find(|(_, op)| op.id == id)
            .map_or(0, |(_, op)| op.span.line)
    };
    findings.iter().find_map(|finding| match &finding.evidence {
        Evidence::Race { first, second } => Some((line(first.op), line(second.op))),
        _ => None,
    })
}
