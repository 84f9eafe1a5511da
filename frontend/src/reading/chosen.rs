//! Kernel templates of which a file makes no instance: the file is read again with instances that are tried.

use super::attempts::{File, Reading, kernels};
use crate::assumed::{Assumed, Assumption};
use crate::parsed::Unsupported;
use crate::request::ParseOptions;
use crate::unit::instances::Template;
use gridlock_semantics::algebra::program::ProcKind;
use std::collections::HashSet;
use std::time::Instant;

/// How often a file is read again for the sake of its templates.
const MOST_READINGS: usize = 10;

/// For each template the first of its candidates that clang accepts; those without one are left out. `refused`: the
/// places of those among some instances that clang refuses, if it says. `None` if it does not, or has no time.
fn accepted(
    open: &[Template],
    refused: &dyn Fn(&[String]) -> Option<HashSet<usize>>,
    is_late: &dyn Fn() -> bool,
) -> Option<Vec<String>> {
    let mut left: Vec<Vec<String>> = open.iter().map(|t| t.candidates.clone()).collect();
    // All at once first, then those that are chosen: of instances that share an error one alone may be blamed.
    let mut asked: Vec<String> = left.concat();
    let mut is_chosen = false;
    loop {
        if asked.is_empty() {
            return Some(asked);
        }
        let refused = match is_late() {
            true => None,
            false => refused(&asked),
        }?;
        if refused.is_empty() && is_chosen {
            return Some(asked);
        }
        let refused = refused.into_iter().map(|at| asked.get(at));
        let refused = refused.collect::<Option<HashSet<&String>>>()?;
        for candidates in &mut left {
            candidates.retain(|candidate| !refused.contains(candidate));
        }
        asked = left.iter().filter_map(|c| c.first().cloned()).collect();
        is_chosen = true;
    }
}

/// A file with an instance of each of its templates for which one is found, and what says so.
pub(super) fn with_instances(file: &File, first: Reading, options: &ParseOptions) -> Reading {
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
    let read = |instances: &[String]| file.read_as_far_as_it_goes(&with(instances)).ok();
    let is_late = || begun.elapsed().as_secs_f64() > options.limits.seconds / 2.0;
    let n_given = options.instantiate.len();
    let refused = |instances: &[String]| {
        let refused = file.refused(&first, &with(instances))?;
        let of_chosen = refused.into_iter().map(|at| at.checked_sub(n_given));
        of_chosen.collect::<Option<HashSet<usize>>>()
    };
    let accepted = accepted(open, &refused, &is_late);
    if accepted.as_ref().is_some_and(Vec::is_empty) {
        return first;
    }
    let mut chosen = accepted.unwrap_or_default();
    let mut found = match chosen.is_empty() {
        true => None,
        false => read(&chosen),
    };
    let is_chosen = |t: &&Template| t.candidates.iter().any(|c| chosen.contains(c));
    let is_good = |found: &Reading| {
        is_whole(found) && open.iter().filter(is_chosen).all(|t| is_made(found, t))
    };
    if !found.as_ref().is_some_and(is_good) {
        chosen.clear();
        let mut n_readings = 0;
        for template in open {
            for candidate in &template.candidates {
                if n_readings == MOST_READINGS || is_late() {
                    break;
                }
                n_readings += 1;
                let one = read(std::slice::from_ref(candidate));
                if one.is_some_and(|one| is_whole(&one) && is_made(&one, template)) {
                    chosen.push(candidate.clone());
                    break;
                }
            }
        }
        found = match chosen.is_empty() {
            true => None,
            false => read(&chosen).filter(is_whole),
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;

    fn template(name: &str, candidates: &[&str]) -> Template {
        Template {
            name: name.to_owned(),
            candidates: candidates.iter().map(|&c| c.to_owned()).collect(),
        }
    }

    #[test]
    fn each_template_gets_the_first_candidate_that_is_not_refused() {
        let open = [
            template("a", &["a1", "a2", "a3", "a4"]),
            template("b", &["b1", "b2"]),
            template("c", &["c1"]),
            template("d", &[]),
        ];
        // Of two that share an error only the first is blamed.
        let n_asked = Cell::new(0);
        let refused = |asked: &[String]| {
            n_asked.set(n_asked.get() + 1);
            let first = asked.iter().position(|i| i == "a1" || i == "a2");
            let shared = asked.iter().position(|i| i == "b1" || i == "c1");
            Some(first.into_iter().chain(shared).collect())
        };
        let chosen = accepted(&open, &refused, &|| false);
        assert_eq!(chosen, Some(vec!["a3".into(), "b2".into()]));
        assert_eq!(n_asked.get(), 3);
        let none = |asked: &[String]| Some((0..asked.len()).collect());
        assert_eq!(accepted(&open, &none, &|| false), Some(vec![]));
        assert_eq!(accepted(&open, &|_| None, &|| false), None);
        assert_eq!(accepted(&open, &refused, &|| true), None);
    }
}
