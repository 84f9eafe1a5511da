//! Kernel templates of which a file makes no instance: the file is read again with instances that are tried.

use crate::assumed::{Assumed, Assumption};
use crate::parsed::{Parsed, Unsupported};
use crate::request::ParseOptions;
use crate::unit::instances::Template;
use gridlock_semantics::algebra::program::ProcKind;
use std::collections::HashSet;
use std::time::Instant;

/// How often a file is read again for the sake of its templates.
const MOST_READINGS: usize = 10;

/// The names of the kernels that are read.
pub(super) fn kernels(parsed: &Parsed) -> impl Iterator<Item = &str> {
    let procs = parsed.program.procs_of_kind(ProcKind::Kernel);
    procs.map(|proc| &*parsed.program.procs[proc.0 as usize].name)
}

/// A file with an instance of each of its templates for which one is found, and what says so. `read` reads the file
/// with other options.
pub(super) fn with_instances(
    first: Parsed,
    open: &[Template],
    options: &ParseOptions,
    read: &dyn Fn(&ParseOptions) -> Option<Parsed>,
) -> Parsed {
    let begun = Instant::now();
    let with = |instances: &[String]| {
        let mut options = options.clone();
        options.instantiate.extend_from_slice(instances);
        options
    };
    // All that was read before is read still, and clang accepts an instance of the template.
    let is_made = |parsed: &Parsed, template: &Template| {
        let lost = |u: &Unsupported| template.is_of(&u.proc);
        kernels(parsed).any(|kernel| template.is_of(kernel))
            || parsed
                .unsupported
                .iter()
                .any(|u| lost(u) && u.proc != template.name)
    };
    let is_whole =
        |parsed: &Parsed| kernels(&first).all(|k| kernels(parsed).any(|other| other == k));
    let likeliest = open.iter().filter_map(|t| t.candidates.first().cloned());
    let mut chosen: Vec<String> = likeliest.collect();
    let mut found = read(&with(&chosen));
    let is_good = |parsed: &Parsed| is_whole(parsed) && open.iter().all(|t| is_made(parsed, t));
    if !found.as_ref().is_some_and(is_good) {
        chosen.clear();
        let mut n_readings = 1;
        for template in open {
            for candidate in &template.candidates {
                let is_late = begun.elapsed().as_secs_f64() > options.limits.seconds / 2.0;
                if n_readings == MOST_READINGS || is_late {
                    break;
                }
                n_readings += 1;
                let one = read(&with(std::slice::from_ref(candidate)));
                if one.is_some_and(|parsed| is_whole(&parsed) && is_made(&parsed, template)) {
                    chosen.push(candidate.clone());
                    break;
                }
            }
        }
        found = match chosen.is_empty() {
            true => None,
            false => read(&with(&chosen)).filter(is_whole),
        };
    }
    let Some(mut parsed) = found else {
        return first;
    };
    let before: HashSet<String> = kernels(&first).map(str::to_owned).collect();
    for proc in parsed.program.procs_of_kind(ProcKind::Kernel) {
        let name = &*parsed.program.procs[proc.0 as usize].name;
        let of = |instance: &&String| {
            let template = open.iter().find(|t| t.candidates.contains(instance));
            template.is_some_and(|template| template.is_of(name))
        };
        if let (false, Some(instance)) = (before.contains(name), chosen.iter().find(of)) {
            let assumed = Assumed::ChosenInstance(instance.clone());
            parsed.assumptions.push(Assumption { proc, assumed });
        }
    }
    parsed
}
