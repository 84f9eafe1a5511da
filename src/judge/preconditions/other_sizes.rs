//! Whether a defect hangs on sizes that the tool chose: at the same launch it does not show where those of 0 or less are
//! positive, or where all are small. Where nothing is to be done, hardly anybody launches a kernel; and the conditions that
//! are looked for need not find what excludes it, where other defects are in the way at all other launches that are tried.

use super::judge::{Judge, Outcome};
use super::space::{Dimension, Space};
use super::under;
use super::variable::Variable;
use crate::input::contents::ContentsSpec;
use crate::input::deadline::Deadline;
use crate::input::request::Request;
use crate::subject::places::places;
use crate::subject::prepared::Prepared;
use crate::subject::{self, EntryPoint};
use gridlock_checker::report::defect::Defect;
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use gridlock_semantics::setup::texture::shape_contents;

/// What is tried for all sizes of 0 or less together, and for all sizes.
const FOR_EMPTY: [i64; 2] = [1, 32];
const FOR_ALL: [i64; 3] = [4, 2, 1];
/// Seconds that all runs may take, and may take even where none are left.
const SECONDS: f64 = 10.0;
const LEAST_SECONDS: f64 = 0.5;

/// Whether a defect shows with integer arguments that nobody gave and that are no [places], and at the same launch not with
/// others.
pub(crate) fn hangs_on_sizes(
    prepared: &Prepared,
    entry: &EntryPoint,
    request: &Request,
    device: Option<&DeviceLimits>,
    defect: &Defect,
    deadline: Deadline,
) -> bool {
    let Some(witness) = defect.witness.as_ref() else {
        return false;
    };
    if !request.profile.admits_canonical_run() || !entry.nulls.is_empty() {
        return false;
    }
    let program = &prepared.surface;
    let space = Space::with_usual_shared(program, entry, device);
    let Some(here) = under::point_of(&space, &witness.setup) else {
        return false;
    };
    let places = places(program, entry.proc);
    let is_size = |dimension: &Dimension| match dimension.variable {
        Variable::Scalar(var) => {
            !dimension.is_fixed() && dimension.ty.is_integer() && !places.contains(&var)
        }
        _ => false,
    };
    let sizes: Vec<usize> = (0..here.len())
        .filter(|&d| is_size(&space.dimensions[d]))
        .collect();
    let empty: Vec<usize> = sizes.iter().copied().filter(|&d| here[d] <= 0).collect();
    let deadline = Deadline::after(deadline.left().clamp(LEAST_SECONDS, SECONDS));
    let judge = Judge::new(prepared, &space, request);
    let is_without = |at: &EntryPoint| {
        let setup = subject::sampled_setup(program, at, at.launch, request.sampling, 0);
        match setup.map(|setup| judge.run(&setup, deadline)) {
            Ok(Outcome::Safe { .. }) => true,
            Ok(Outcome::Fails { kinds }) => {
                !kinds.contains(&defect.kind) && !kinds.iter().any(|kind| kind.ends_run())
            }
            _ => false,
        }
    };
    let of_empty = FOR_EMPTY.iter().map(|&n| (&empty, n));
    let of_all = FOR_ALL.iter().map(|&n| (&sizes, n));
    let mut others = of_empty
        .chain(of_all)
        .filter(|(changed, _)| !changed.is_empty());
    others.any(|(changed, instead)| {
        let mut point = here.clone();
        for &d in changed {
            point[d] = instead;
        }
        let at = space.closed_at(&point);
        at.is_ok_and(|at| is_without(&at) || is_without(&with_zeros(prepared, &at)))
    })
}

/// The same launch with arrays of zeros, where nobody said what they hold.
pub(super) fn with_zeros(prepared: &Prepared, at: &EntryPoint) -> EntryPoint {
    let mut zero = at.clone();
    let procedure = prepared.surface.proc(at.proc);
    for var in &procedure.params {
        let decl = &procedure.vars[var.0 as usize];
        // A texture without extent would be none.
        let is_shape = shape_contents(&decl.name, 0).is_some();
        if matches!(decl.ty, Type::Pointer(_)) && !is_shape {
            zero.contents.entry(*var).or_insert(ContentsSpec::Zero);
        }
    }
    zero
}
