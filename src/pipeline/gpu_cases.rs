//! What `gridlock gpu-run` runs: the example programs, their transformed forms, and kernels of the
//! corpus, each closed by a launch, arguments and extents. They are prepared where clang is and may
//! be carried, as one JSON file, to a machine that has a GPU and nothing else.

use crate::input::error::{ErrorKind, InputError};
use crate::input::request::{EntryRequest, ExtentSpec, LaunchSpec, Request, Sampling};
use crate::pipeline::rewriting::{rewrite, rule_system};
use crate::subject;
use crate::subject::closed::closed;
use crate::subject::prepared::Prepared;
use gridlock_boundary::input;
use gridlock_frontend::ParseOptions;
use gridlock_lowering::gpu_run::Case;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::setup::{Dim3, Setup};
use gridlock_transforms::rewriting::record;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;

/// A case as the table below has it.
struct Planned {
    name: &'static str,
    file: &'static str,
    entry: &'static str,
    /// Grid and block; `None` for host code.
    launch: Option<(Dim3, Dim3)>,
    args: &'static [(&'static str, &'static str)],
    extents: &'static [(&'static str, &'static str)],
    /// Rule systems applied first, with their parameters.
    rules: &'static [(&'static str, &'static [(&'static str, &'static str)])],
}

const fn kernel(
    name: &'static str,
    file: &'static str,
    entry: &'static str,
    launch: (Dim3, Dim3),
    args: &'static [(&'static str, &'static str)],
    extents: &'static [(&'static str, &'static str)],
) -> Planned {
    Planned {
        name,
        file,
        entry,
        launch: Some(launch),
        args,
        extents,
        rules: &[],
    }
}

const TREE_SUM: Planned = Planned {
    name: "tree-sum",
    file: "examples/tree-sum/tree_sum.cu",
    entry: "tree_sum",
    launch: Some(([64, 1, 1], [256, 1, 1])),
    args: &[],
    extents: &[("in", "16384"), ("out", "16384")],
    rules: &[],
};

/// Relative to the root of the tree.
const PLAN: &[Planned] = &[
    kernel(
        "barriers-repaired",
        "examples/barriers/repaired.cu",
        "smooth",
        ([16, 1, 1], [256, 1, 1]),
        &[("n", "4000")],
        &[("in", "4096"), ("out", "4096")],
    ),
    TREE_SUM,
    Planned {
        name: "tree-sum-shared",
        rules: &[("shared-memory", &[])],
        ..TREE_SUM
    },
    Planned {
        name: "tree-sum-shrinking",
        rules: &[("shared-memory", &[]), ("shrinking-distance", &[])],
        ..TREE_SUM
    },
    Planned {
        name: "tree-sum-unrolled-sync",
        rules: &[
            ("shared-memory", &[]),
            ("shrinking-distance", &[]),
            ("unroll-last-warp-sync", &[]),
        ],
        ..TREE_SUM
    },
    Planned {
        name: "bitonic-sort",
        file: "examples/bitonic-sort/bitonic_sort.c",
        entry: "bitonic_sort",
        launch: None,
        args: &[("n", "4096")],
        extents: &[("a", "n")],
        rules: &[
            ("parallelise-loop", &[("block", "256")]),
            ("host-code-motion", &[]),
        ],
    },
    kernel(
        "histogram",
        "tests/corpus/races/histogram.cu",
        "histogram",
        ([8, 1, 1], [64, 1, 1]),
        &[],
        &[("in", "512"), ("bins", "4")],
    ),
    kernel(
        "tiled-product",
        "tests/corpus/races/tiled-product.cu",
        "matmul",
        ([4, 4, 1], [4, 4, 1]),
        &[("n", "16")],
        &[("a", "256"), ("b", "256"), ("c", "256")],
    ),
    kernel(
        "write-after-read",
        "tests/corpus/races/write-after-read.cu",
        "shift_left",
        ([1, 1, 1], [256, 1, 1]),
        &[],
        &[("a", "256")],
    ),
];

/// A case ready to run, as it is carried.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PreparedCase {
    /// See [`Case::name`].
    pub name: String,
    /// See [`Case::file`].
    pub file: String,
    /// See [`Case::source`].
    pub source: String,
    /// See [`Case::program`].
    pub program: Program,
    /// See [`Case::setup`].
    pub setup: Setup,
    /// One of many labelled kernels, not every one of which a device can run.
    #[serde(default)]
    pub is_labelled: bool,
}

impl From<PreparedCase> for Case {
    fn from(prepared: PreparedCase) -> Case {
        Case {
            name: prepared.name,
            file: prepared.file,
            source: prepared.source,
            program: prepared.program,
            setup: prepared.setup,
        }
    }
}

/// Reads, transforms and closes every case; `root` is the root of the tree.
///
/// # Errors
/// As [`crate::judge::check::check_file`], and those of the rules.
pub fn prepare(root: &Path) -> Result<Vec<PreparedCase>, InputError> {
    PLAN.iter()
        .map(|planned| prepare_one(planned, root))
        .collect()
}

fn prepare_one(planned: &Planned, root: &Path) -> Result<PreparedCase, InputError> {
    let owned = |pairs: &[(&str, &str)]| -> BTreeMap<String, String> {
        pairs
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect()
    };
    let mut extents = BTreeMap::new();
    for (name, text) in planned.extents {
        extents.insert((*name).to_owned(), ExtentSpec::parse(text)?);
    }
    let entry = EntryRequest {
        entry: Some(planned.entry.to_owned()),
        launch: LaunchSpec {
            grid: planned.launch.map(|(grid, _)| grid),
            block: planned.launch.map(|(_, block)| block),
            shared_bytes: None,
        },
        args: owned(planned.args),
        extents,
        ..EntryRequest::default()
    };
    let path = root.join(planned.file);
    let request = Request::default();
    let closed = closed(&path, &ParseOptions::default(), &entry, &request)?;
    let mut program = (*closed.prepared.surface).clone();
    for (rules, params) in planned.rules {
        let system = rule_system(rules, root)?;
        let request = record::Request {
            params: owned(params),
            ..record::Request::default()
        };
        let derivation = rewrite(&program, &system, &request)?;
        if derivation.applications.is_empty() {
            return Err(InputError::usage(format!(
                "`{}`: rules `{rules}` change nothing",
                planned.name
            )));
        }
        program = derivation.program;
    }
    let setup = match planned.rules.is_empty() {
        true => closed.setup,
        false => setup_of(&program, planned, &entry)?,
    };
    let source = input::read_text(&path).map_err(|e| {
        InputError::new(ErrorKind::File, format!("cannot read: {e}"))
            .in_file(path.display().to_string())
    })?;
    Ok(PreparedCase {
        name: planned.name.to_owned(),
        file: planned.file.to_owned(),
        source,
        program,
        setup,
        is_labelled: false,
    })
}

/// Rules may move procedures, so the entry of a transformed program is resolved anew.
fn setup_of(
    program: &Program,
    planned: &Planned,
    entry: &EntryRequest,
) -> Result<Setup, InputError> {
    let prepared = Prepared::new(program.clone());
    let proc = prepared.surface.find_proc(planned.entry).ok_or_else(|| {
        InputError::usage(format!("`{}` is gone from the new program", planned.entry))
    })?;
    let point = subject::resolve_entry(&prepared.surface, proc, entry, None)?;
    subject::sampled_setup(
        &prepared.surface,
        &point,
        point.launch,
        Sampling::default(),
        0,
    )
}
