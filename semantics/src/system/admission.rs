//! Whether a run may start: a well-formed program, a setup that fits it, a profile that has a
//! meaning.

use crate::algebra::declaration::{ArrayDecl, Extent, Space};
use crate::algebra::program::{ProcKind, Program};
use crate::algebra::types::{ScalarType, Type};
use crate::algebra::value::Value;
use crate::profile::{BarrierRule, Firing, Profile, Warps};
use crate::setup::device_limits::{DeviceLimits, InvalidLaunch};
use crate::setup::{Arg, Contents, Setup};
use crate::well_formed::{IllFormed, check_well_formed};
use thiserror::Error;

/// Why a run cannot start.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetupError {
    /// With every reason that was found.
    #[error("the program is not well-formed: {}", .0.first().map_or("", |r| &r.message))]
    IllFormed(Vec<IllFormed>),
    /// The setup names a procedure that does not exist.
    #[error("there is no such procedure")]
    NoSuchEntry,
    /// Only other device code calls it.
    #[error("`{entry}` is a device function: neither a kernel nor host code")]
    DeviceEntry {
        /// Name of the entry.
        entry: String,
    },
    /// A kernel is run with a launch.
    #[error("the kernel `{entry}` needs a launch")]
    NoLaunch {
        /// Name of the entry.
        entry: String,
    },
    /// Host code is run without one.
    #[error("`{entry}` runs on the host and takes no launch")]
    UnneededLaunch {
        /// Name of the entry.
        entry: String,
    },
    /// There are more arguments or fewer than parameters.
    #[error("`{entry}` takes {expected} arguments, {given} are given")]
    ArgumentCount {
        /// Name of the entry.
        entry: String,
        /// How many parameters it has.
        expected: usize,
        /// How many arguments the setup has.
        given: usize,
    },
    /// A scalar of another type, or no pointer, or one to other elements.
    #[error("argument `{param}` of `{entry}` has another type")]
    ArgumentType {
        /// Name of the entry.
        entry: String,
        /// Name of the parameter.
        param: String,
    },
    /// An argument is an array that the setup does not have.
    #[error("argument `{param}` of `{entry}` is array number {array}, which is not there")]
    NoSuchArray {
        /// Name of the entry.
        entry: String,
        /// Name of the parameter.
        param: String,
        /// The number that the setup has no array of.
        array: usize,
    },
    /// What an array is to hold is more than its elements, or not of their type.
    #[error("array `{array}` has more contents than elements, or contents of another type")]
    Contents {
        /// Name of the array; `?` where no declaration is meant.
        array: String,
    },
    /// The launch has no threads, or more than can be numbered.
    #[error(transparent)]
    Launch(#[from] InvalidLaunch),
    /// A value on one axis has no meaning beside that on another.
    #[error("the profile has no meaning: {why}")]
    Profile {
        /// A clause without a full stop.
        why: &'static str,
    },
}

/// Whether a run may start.
pub(crate) fn check(program: &Program, setup: &Setup, profile: &Profile) -> Result<(), SetupError> {
    check_well_formed(program).map_err(SetupError::IllFormed)?;
    check_profile(profile)?;
    check_setup(program, setup)
}

/// Lockstep warps fire by path and leave barriers collectively; nothing else is defined for them.
///
/// # Errors
/// [`SetupError::Profile`], with the reason.
pub fn check_profile(profile: &Profile) -> Result<(), SetupError> {
    let why = match profile.axes.warps {
        Warps::Independent(0 | 33..) | Warps::Lockstep(0 | 33..) => {
            "a warp has 1 to 32 threads, one for each bit of a mask"
        }
        Warps::Lockstep(_) if profile.axes.firing == Firing::Set => {
            "warps in lockstep fire one path at a time, not any set"
        }
        Warps::Lockstep(_) if profile.axes.barrier == BarrierRule::Literal => {
            "warps in lockstep leave barriers collectively, not by R6 and R7"
        }
        _ => return Ok(()),
    };
    Err(SetupError::Profile { why })
}

fn check_setup(program: &Program, setup: &Setup) -> Result<(), SetupError> {
    let Some(proc) = program.procs.get(setup.entry.0 as usize) else {
        return Err(SetupError::NoSuchEntry);
    };
    let entry = proc.name.to_string();
    match (proc.kind, &setup.launch) {
        (ProcKind::Device, _) => return Err(SetupError::DeviceEntry { entry }),
        (ProcKind::Kernel, None) => return Err(SetupError::NoLaunch { entry }),
        (ProcKind::Host, Some(_)) => return Err(SetupError::UnneededLaunch { entry }),
        (ProcKind::Kernel, Some(launch)) => {
            DeviceLimits::NONE.accept(launch, program, setup.entry)?;
        }
        (ProcKind::Host, None) => {}
    }
    if setup.args.len() != proc.params.len() {
        return Err(SetupError::ArgumentCount {
            entry,
            expected: proc.params.len(),
            given: setup.args.len(),
        });
    }
    for (arg, param) in setup.args.iter().zip(&proc.params) {
        let decl = &proc.vars[param.0 as usize];
        let param = decl.name.to_string();
        let fits = match (arg, decl.ty) {
            (Arg::Scalar(value), Type::Scalar(scalar)) => value.scalar_type() == Some(scalar),
            (Arg::Null, Type::Pointer(_)) => true,
            (Arg::Array(array), Type::Pointer(pointer)) => match setup.arrays.get(*array) {
                Some(found) => found.elem == pointer.elem,
                None => {
                    return Err(SetupError::NoSuchArray {
                        entry,
                        param,
                        array: *array,
                    });
                }
            },
            _ => false,
        };
        if !fits {
            return Err(SetupError::ArgumentType { entry, param });
        }
    }
    for array in &setup.arrays {
        if !holds(&array.contents, array.elem, array.extent) {
            return Err(SetupError::Contents {
                array: array.name.to_string(),
            });
        }
    }
    for (id, contents) in &setup.declared {
        let decl = program.arrays.get(id.0 as usize);
        let is_outside = |decl: &&ArrayDecl| {
            setup.launch.is_some() && matches!(decl.space, Space::Global | Space::Constant)
        };
        let fits = decl.filter(is_outside).is_some_and(|decl| {
            let extent = match decl.extent {
                Extent::Fixed(extent) => Some(extent),
                Extent::LaunchShared => None,
            };
            holds(contents, decl.elem, extent)
        });
        if !fits {
            let name = decl.map_or("?".to_owned(), |decl| decl.name.to_string());
            return Err(SetupError::Contents { array: name });
        }
    }
    Ok(())
}

/// Whether an array of such elements may begin like this.
fn holds(contents: &Contents, elem: ScalarType, extent: Option<u64>) -> bool {
    let alien = |value: &Value| value.scalar_type() != Some(elem);
    match contents {
        Contents::Undef
        | Contents::Zero
        | Contents::Random { .. }
        | Contents::WholeRange { .. }
        | Contents::Ordinary { .. }
        | Contents::Below { .. }
        | Contents::Arbitrary { .. } => true,
        Contents::Values(values) => {
            let too_many = |extent| values.len() as u64 > extent;
            !extent.is_some_and(too_many) && !values.iter().any(|v| *v != Value::Undef && alien(v))
        }
        Contents::Cells(cells) => {
            let is_outside = |index: &u64| extent.is_some_and(|extent| *index >= extent);
            let fits = |value: &Value| *value == Value::Undef || !alien(value);
            !cells.keys().any(is_outside) && cells.values().all(fits)
        }
        Contents::Fill(value) => !alien(value),
        Contents::Range { first, step } => !alien(first) && !alien(step),
        Contents::Sprinkled { values, rest, .. } => {
            !values.iter().any(alien) && holds(rest, elem, extent)
        }
    }
}
