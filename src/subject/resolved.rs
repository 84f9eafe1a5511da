//! An entry with what a request says of it: names of parameters found, values and extents read.

use super::entry::{Elsewhere, EntryPoint};
use super::{declared_contents, launches, layouts};
use crate::input::contents::ContentsSpec;
use crate::input::error::InputError;
use crate::input::request::{EntryRequest, ExtentFactor, ExtentSpec};
use crate::input::value::parse_value;
use gridlock_frontend::HostLaunch;
use gridlock_semantics::algebra::declaration::Extent;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::program::{ProcKind, Program};
use gridlock_semantics::algebra::types::Type;
use gridlock_semantics::analysis::launch_axes::LaunchAxes;
use gridlock_semantics::setup::Contents;
use gridlock_semantics::setup::device_limits::DeviceLimits;
use std::collections::{BTreeMap, BTreeSet};

/// Resolves names of the request against the program.
pub fn resolve_entry(
    program: &Program,
    proc: ProcId,
    request: &EntryRequest,
    device: Option<&DeviceLimits>,
) -> Result<EntryPoint, InputError> {
    let procedure = program.proc(proc);
    let request = &*request.of(&procedure.name);
    let find = |name: &str, what: &str| {
        let found = procedure
            .params
            .iter()
            .find(|v| *procedure.vars[v.0 as usize].name == *name);
        found.copied().ok_or_else(|| {
            let known: Vec<&str> = procedure
                .params
                .iter()
                .map(|v| &*procedure.vars[v.0 as usize].name)
                .collect();
            InputError::usage(format!(
                "{what} `{name}`: `{}` has no such parameter (it has: {})",
                procedure.name,
                if known.is_empty() {
                    "none".to_owned()
                } else {
                    known.join(", ")
                }
            ))
        })
    };
    let mut scalars = BTreeMap::new();
    let mut nulls = BTreeSet::new();
    for (name, text) in &request.args {
        let var = find(name, "argument")?;
        match procedure.vars[var.0 as usize].ty {
            Type::Scalar(ty) => {
                scalars.insert(var, parse_value(text, ty, name)?);
            }
            Type::Pointer(_) if is_null(text) => {
                nulls.insert(var);
            }
            Type::Pointer(_) => {
                return Err(InputError::usage(format!(
                    "argument `{name}` is a pointer: say 0 for a null pointer, or give its extent with \
                     --extent {name}=…"
                )));
            }
        }
    }
    let mut extents = BTreeMap::new();
    for (name, spec) in &layouts::cells_of(program, proc, request) {
        let var = find(name, "extent")?;
        if procedure.vars[var.0 as usize].ty.pointer().is_none() {
            return Err(InputError::usage(format!(
                "extent `{name}`: it is no pointer"
            )));
        }
        for factor in &spec.0 {
            if let ExtentFactor::Parameter(parameter) = factor {
                let used = find(parameter, "extent")?;
                if !procedure.vars[used.0 as usize]
                    .ty
                    .scalar()
                    .is_some_and(|s| s.is_integer())
                {
                    return Err(InputError::usage(format!(
                        "extent `{name}`: `{parameter}` is no integer parameter"
                    )));
                }
            }
        }
        extents.insert(var, spec.clone());
    }
    let mut contents = BTreeMap::new();
    let mut declared = BTreeMap::new();
    for (name, spec) in &layouts::contents_of_groups(program, proc, request) {
        if procedure.kind == ProcKind::Kernel
            && let Some((id, decl)) = declared_contents::named(program, procedure, name)
        {
            if *spec != ContentsSpec::Initial {
                let held = spec.resolve(name, decl.elem)?;
                if let (Contents::Values(cells), Extent::Fixed(elements)) = (&held, decl.extent)
                    && elements < cells.len() as u64
                {
                    return Err(too_many(name, cells.len(), elements));
                }
            }
            declared.insert(id, spec.clone());
            continue;
        }
        let var = find(name, "contents")?;
        let Some(pointer) = procedure.vars[var.0 as usize].ty.pointer() else {
            return Err(InputError::usage(format!(
                "contents `{name}`: it is no pointer; give its value with --arg {name}=…"
            )));
        };
        // A proof does without them.
        let held = spec.resolve(name, pointer.elem)?;
        if let (ContentsSpec::File(_) | ContentsSpec::List(_), Contents::Values(cells)) =
            (spec, &held)
        {
            let elements = ExtentFactor::Number(cells.len() as u64);
            let given = extents.entry(var).or_insert(ExtentSpec(vec![elements]));
            if let [ExtentFactor::Number(fewer)] = given.0.as_slice()
                && *fewer < cells.len() as u64
            {
                return Err(too_many(name, cells.len(), *fewer));
            }
        }
        contents.insert(var, spec.clone());
    }
    let launch = match procedure.kind {
        ProcKind::Kernel => launches::given(program, proc, &request.launch, device)?,
        ProcKind::Host if request.launch.is_given() => {
            return Err(InputError::usage(format!(
                "`{}` is a host function: its own code fixes grid and block",
                procedure.name
            )));
        }
        ProcKind::Host => None,
        ProcKind::Device => {
            return Err(InputError::usage(format!(
                "`{}` is a device function; choose a kernel or a host function",
                procedure.name
            )));
        }
    };
    let is_own = |launch: &&HostLaunch| launch.kernel == *procedure.name;
    let is_open = procedure.kind == ProcKind::Kernel && launch.is_none();
    let of_host = request.launches.iter().filter(is_own).filter(|_| is_open);
    let of_host = of_host.cloned().collect();
    let dynamic = launches::dynamic_shared(program, proc);
    Ok(EntryPoint {
        proc,
        launch,
        host_launches: of_host,
        has_other_launches: request.other_launches.contains(&*procedure.name),
        device: DeviceLimits::default(),
        asked: match &request.asked {
            Some(of_sources) => LaunchAxes::asked(program, proc, of_sources),
            None => LaunchAxes::read(program, proc),
        },
        shared_is_open: !dynamic.is_empty() && request.launch.shared_bytes.is_none(),
        shared_bytes: request
            .launch
            .shared_bytes
            .filter(|_| procedure.kind == ProcKind::Kernel && !dynamic.is_empty()),
        scalars,
        extents,
        contents,
        declared,
        filled: BTreeSet::new(),
        nulls,
        tried: Vec::new(),
        elsewhere: Elsewhere::default(),
    })
}

fn too_many(name: &str, given: usize, elements: u64) -> InputError {
    InputError::usage(format!(
        "contents `{name}`: it gives {given} elements, and `{name}` has {elements}"
    ))
}

/// Whether a text stands for the null pointer.
fn is_null(text: &str) -> bool {
    matches!(text, "0" | "null" | "NULL" | "nullptr")
}
