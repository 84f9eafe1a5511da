//! Kernel templates of which a file makes no instance: the file is read again with instances that are tried.

use super::attempts::{Reading, kernels};
use crate::assumed::{Assumed, Assumption};
use crate::parsed::Unsupported;
use crate::request::ParseOptions;
use crate::unit::instances::Template;
use gridlock_semantics::algebra::program::ProcKind;
use std::collections::HashSet;
use std::time::Instant;

/// How often a file is read again for the sake of its templates.
const MOST_READINGS: usize = 10;

/// A file with an instance of each of its templates for which one is found, and what says so. `read` reads the file
/// with other options.
pub(super) fn with_instances(
    first: Reading,
    options: &ParseOptions,
    read: &dyn Fn(&ParseOptions) -> Option<Reading>,
) -> Reading {
    let open = &first.open;
    let begun = Instant::now();
    let with = |instances: &[String]| {
        let mut options = options.clone();
        options.instantiate.extend_from_slice(instances);
        options
    };
    // All that was read before is read still, and clang accepts an instance of the template.
    let is_made = |reading: &Reading, template: &Template| {
        let parsed = &reading.parsed;
        let lost = |u: &Unsupported| template.is_of(&u.proc);
        kernels(parsed).any(|kernel| template.is_of(kernel))
            || parsed
                .unsupported
                .iter()
                .any(|u| lost(u) && u.proc != template.name)
    };
    let is_whole = |reading: &Reading| {
        kernels(&first.parsed).all(|k| kernels(&reading.parsed).any(|other| other == k))
    };
    let likeliest = open.iter().filter_map(|t| t.candidates.first().cloned());
    let mut chosen: Vec<String> = likeliest.collect();
    let mut found = read(&with(&chosen));
    let is_good = |found: &Reading| is_whole(found) && open.iter().all(|t| is_made(found, t));
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
                if one.is_some_and(|one| is_whole(&one) && is_made(&one, template)) {
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
    let Some(mut reading) = found else {
        return first;
    };
    let parsed = &mut reading.parsed;
    let before: HashSet<String> = kernels(&first.parsed).map(str::to_owned).collect();
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
    reading
}
