//! Rule systems: loaded, checked, ready to apply.

use crate::language::check::check;
use crate::language::error::{RuleError, TextPosition};
use crate::language::library::library;
use crate::language::nearest::meant;
use crate::language::parser::{RuleFile, parse};
use crate::language::pattern::{Parameter, Rule};
use crate::language::strategy::Definition;
use gridlock_boundary::input;
use gridlock_semantics::algebra::expr::BinaryOp;
use std::path::Path;

/// A checked rule file.
#[derive(Clone, Debug)]
pub struct RuleSystem {
    file: RuleFile,
    definitions: Vec<Definition>,
}

impl RuleSystem {
    /// Reads and checks a rule file. An error names the place in it; a file that cannot be read is
    /// an error at line 0.
    pub fn load(path: &Path) -> Result<RuleSystem, RuleError> {
        let name = path.display().to_string();
        let text = input::read_text(path)
            .map_err(|error| RuleError::new(&name, TextPosition::default(), error.to_string()))?;
        RuleSystem::parse(&name, &text)
    }

    /// Checks the text of a rule file; `file` is its name in errors.
    pub fn parse(file: &str, text: &str) -> Result<RuleSystem, RuleError> {
        let mut parsed = parse(file, text)?;
        let mut taken: Vec<String> = Vec::new();
        while let Some((name, at)) = parsed.uses.pop() {
            if !taken.contains(&name) {
                take_over(file, &mut parsed, &name, at)?;
                taken.push(name);
            }
        }
        let library = library();
        check(file, &mut parsed, &library)?;
        // A file's own definition hides the library's.
        let mut definitions = std::mem::take(&mut parsed.strategies);
        definitions.extend(library);
        Ok(RuleSystem {
            file: parsed,
            definitions,
        })
    }

    /// A system of the library, by its name (`shared-memory`, `mutants/…`).
    pub fn built_in(name: &str) -> Option<RuleSystem> {
        let (_, text) = LIBRARY.iter().find(|(n, _)| *n == name)?;
        let file = format!("{name}.rules");
        Some(RuleSystem::parse(&file, text).expect("a test loads every system of the library"))
    }

    /// Names of the systems of the library.
    pub fn built_in_names() -> impl Iterator<Item = &'static str> {
        LIBRARY.iter().map(|(name, _)| *name)
    }

    /// The name in the file's first line.
    pub fn name(&self) -> &str {
        &self.file.name
    }

    /// What the system is for.
    pub fn about(&self) -> &str {
        &self.file.about
    }

    /// The paper and section it follows.
    pub fn source(&self) -> &str {
        &self.file.source
    }

    /// What is proved or tested of it.
    pub fn status(&self) -> &str {
        &self.file.status
    }

    /// The parameters a request may set.
    pub fn parameters(&self) -> &[Parameter] {
        &self.file.parameters
    }

    /// In the order of the file.
    pub fn rules(&self) -> &[Rule] {
        &self.file.rules
    }

    /// Strategies by name: the file's own first, then the library's.
    pub fn strategies(&self) -> &[Definition] {
        &self.definitions
    }

    /// Operators whose operands patterns match in either order.
    pub fn commutative(&self) -> &[BinaryOp] {
        &self.file.commutative
    }

    /// Operators whose operands patterns match however they are bracketed.
    pub fn associative(&self) -> &[BinaryOp] {
        &self.file.associative
    }
}

/// Adds the rules of another system, and its strategies where the file has none of the name: its `main` by the
/// system's name. What only one of the two says of operators counts for both.
fn take_over(
    file: &str,
    into: &mut RuleFile,
    name: &str,
    at: TextPosition,
) -> Result<(), RuleError> {
    let Some((_, text)) = LIBRARY.iter().find(|(known, _)| *known == name) else {
        let meant = meant(name, LIBRARY.iter().map(|(known, _)| *known));
        let message = format!("the library has no system `{name}`{meant}");
        return Err(RuleError::new(file, at, message));
    };
    let used = parse(name, text)?;
    let own = |rule: &&Rule| into.rules.iter().any(|own| own.name == rule.name);
    if let Some(rule) = used.rules.iter().find(own) {
        let message = format!("there are two rules `{}`, one of `{name}`", rule.name);
        return Err(RuleError::new(file, at, message));
    }
    for mut definition in used.strategies {
        if definition.name == "main" {
            definition.name = name.to_owned();
        }
        if into
            .strategies
            .iter()
            .all(|own| own.name != definition.name)
        {
            into.strategies.push(definition);
        }
    }
    // What that system uses is used, too.
    let further = used.uses.into_iter().map(|(name, _)| (name, at));
    into.uses.extend(further);
    into.rules.extend(used.rules);
    // A parameter of one name is one parameter, with the value that the file gives it.
    for parameter in used.parameters {
        if into.parameters.iter().all(|own| own.name != parameter.name) {
            into.parameters.push(parameter);
        }
    }
    for op in used.commutative {
        if !into.commutative.contains(&op) {
            into.commutative.push(op);
        }
    }
    for op in used.associative {
        if !into.associative.contains(&op) {
            into.associative.push(op);
        }
    }
    Ok(())
}

macro_rules! systems {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../rules/", $name, ".rules")))),*]
    };
}

/// The library: name and text.
const LIBRARY: &[(&str, &str)] = systems![
    "chunk-loop",
    "chunks-on-device",
    "contiguous-threads",
    "coordinates",
    "copy-elimination",
    "device-copies",
    "first-addition",
    "flatten-nest",
    "fuse-kernels",
    "fuse-loops",
    "grid-stride",
    "hoist-barrier",
    "host-code-motion",
    "insert-barrier",
    "interchange-loops",
    "normalise-loops",
    "own-barrier",
    "pack-chunks",
    "parallelise-loop",
    "parallelise-nest",
    "partial-barrier",
    "past-launches",
    "peel-loop",
    "promote-private",
    "redundant-barrier",
    "scans",
    "shared-memory",
    "shrinking-distance",
    "split-branch",
    "split-devices",
    "split-kernel",
    "split-loop",
    "strip-mine",
    "sums",
    "tiled-product",
    "unroll-last-warp",
    "unroll-last-warp-sync",
    "unroll-loop",
    "unswitch-loop",
    "warp-barrier",
    "whole-barrier",
    "mutants/chunk-loop-floor",
    "mutants/chunk-loop-unguarded",
    "mutants/chunks-on-device-early",
    "mutants/chunks-on-device-last",
    "mutants/chunks-on-device-leaking",
    "mutants/chunks-on-device-unwaited",
    "mutants/contiguous-threads-short",
    "mutants/copy-elimination-late",
    "mutants/copy-elimination-live",
    "mutants/copy-elimination-stale",
    "mutants/first-addition-any",
    "mutants/first-addition-overlapping",
    "mutants/flatten-nest-transposed",
    "mutants/fuse-kernels-exchanging",
    "mutants/fuse-loops-dependent",
    "mutants/grid-stride-short",
    "mutants/hoist-barrier-changing",
    "mutants/host-code-motion-too-far",
    "mutants/insert-barrier-anywhere",
    "mutants/interchange-loops-dependent",
    "mutants/normalise-loops-first",
    "mutants/normalise-loops-short",
    "mutants/pack-chunks-first",
    "mutants/parallelise-loop-short",
    "mutants/parallelise-loop-uncopied",
    "mutants/parallelise-loop-unfilled",
    "mutants/parallelise-loop-unguarded",
    "mutants/parallelise-nest-unguarded",
    "mutants/partial-barrier-short",
    "mutants/past-launches-any",
    "mutants/peel-loop-stuck",
    "mutants/promote-private-flat",
    "mutants/promote-private-shared",
    "mutants/redundant-barrier-unconditional",
    "mutants/scans-long",
    "mutants/scans-one-buffer",
    "mutants/shared-memory-no-barrier",
    "mutants/shrinking-distance-short",
    "mutants/split-devices-twice",
    "mutants/split-kernel-carrying",
    "mutants/split-loop-dependent",
    "mutants/split-loop-passing",
    "mutants/strip-mine-overrun",
    "mutants/sums-from-zero",
    "mutants/sums-plain",
    "mutants/threadsync-both-branches",
    "mutants/threadsync-bulk-store",
    "mutants/threadsync-dropped",
    "mutants/threadsync-hoisted",
    "mutants/threadsync-miscounted",
    "mutants/threadsync-offset",
    "mutants/threadsync-warp-dropped",
    "mutants/tiled-product-no-barrier",
    "mutants/unroll-last-warp-short",
    "mutants/unroll-last-warp-sync-open",
    "mutants/unroll-last-warp-sync-unseparated",
    "mutants/unroll-loop-late",
    "mutants/unswitch-loop-changing",
];
