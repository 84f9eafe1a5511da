//! Parameters as they are declared, where the algebra has several arrays for one, or smaller cells than
//! its elements.

use crate::input::contents::ContentsSpec;
use crate::input::request::{EntryRequest, ExtentFactor, ExtentSpec};
use gridlock_frontend::Layout;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::Program;
use std::collections::BTreeMap;

/// How the memory of a declared parameter lies in arrays, where that shows.
fn layout_of<'r>(
    program: &Program,
    proc: ProcId,
    request: &'r EntryRequest,
    parameter: &str,
) -> Option<&'r Layout> {
    let name = &program.proc(proc).name;
    let mut own = request.layouts.iter().filter(|l| l.procedure == **name);
    own.find(|layout| layout.parameter == parameter)
}

/// The contents of the arrays: what is said of a declared parameter is said of each of its groups. What
/// names a group itself goes before.
pub fn contents_of_groups(
    program: &Program,
    proc: ProcId,
    request: &EntryRequest,
) -> BTreeMap<String, ContentsSpec> {
    let mut found = request.contents.clone();
    for (name, spec) in &request.contents {
        let Some(layout) = layout_of(program, proc, request, name) else {
            continue;
        };
        if layout.parts.iter().all(|(part, _)| part != name) {
            found.remove(name);
        }
        for (part, _) in &layout.parts {
            found.entry(part.clone()).or_insert_with(|| spec.clone());
        }
    }
    found
}

/// The extents in cells of the arrays: a number of a declared parameter's elements is one of each group's
/// cells. What names a group itself counts cells already, and goes before.
pub fn cells_of(
    program: &Program,
    proc: ProcId,
    request: &EntryRequest,
) -> BTreeMap<String, ExtentSpec> {
    let mut found = BTreeMap::new();
    for (name, spec) in &request.extents {
        let Some(layout) = layout_of(program, proc, request, name) else {
            found.insert(name.clone(), spec.clone());
            continue;
        };
        for (part, cells) in &layout.parts {
            if part == name || !request.extents.contains_key(part) {
                let mut spec = spec.clone();
                spec.0.push(ExtentFactor::Number(*cells));
                found.insert(part.clone(), spec);
            }
        }
    }
    found
}
