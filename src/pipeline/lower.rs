//! The end of a pipeline: the last accepted program as text for its targets, compiled, run on
//! devices and compared with the interpreter.

use super::folder;
use super::format::{BEST, Lower, PipelineFile};
use super::options::PipelineOptions;
use super::report::{DeviceReport, LoweredReport, NotRun, PipelineReport};
use super::stage::{Stage, texts};
use super::step::{point, slug};
use crate::input::error::{ErrorKind, InputError};
use crate::input::request::parse_sampling;
use crate::pipeline::lifting;
use crate::subject;
use gridlock_lowering::cuda::CudaOptions;
use gridlock_lowering::device::DeviceKind;
use gridlock_lowering::diff::{self, DiffOptions};
use gridlock_lowering::nvcc::{self, Output};
use gridlock_lowering::{cuda, host, opencl};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::profile::Profile;
use std::time::Duration;

/// The option that has kernels run on devices of this machine.
const RUN_DEVICES: &str = "--run-devices";

pub(super) fn lower(
    file: &PipelineFile,
    lowering: &Lower,
    (stages, best): (&[Stage], Option<usize>),
    options: &PipelineOptions,
    report: &mut PipelineReport,
) -> Result<(), InputError> {
    let stage = match &lowering.step {
        Some(name) if name == BEST && file.search.is_some() => match best {
            Some(best) => &stages[best],
            // Nothing was found: the report says so.
            None => return Ok(()),
        },
        Some(name) => stages.iter().find(|s| s.name == *name).ok_or_else(|| {
            InputError::usage(format!("[[lower]]: no step `{name}`")).in_file(&report.file)
        })?,
        None => {
            let accepted = |s: &&Stage| s.from.is_none() || !s.accepted.is_empty();
            stages.iter().rev().find(accepted).unwrap_or(&stages[0])
        }
    };
    for target in &lowering.targets {
        let lowered = lower_target(target, file, lowering, stage, options, report);
        match lowered {
            // What was judged before stays told.
            Err(error) if error.kind == ErrorKind::Unsupported => {
                report.as_expected = false;
                report.runs.push(DeviceReport {
                    device: target.clone(),
                    case: String::new(),
                    cells: 0,
                    agree: false,
                    message: format!("it cannot be written: {}", error.message),
                });
            }
            lowered => lowered?,
        }
    }
    for device in &lowering.run {
        run_on(device, file, stage, options, report)?;
    }
    Ok(())
}

/// Writes what was lowered where `--write` says, if everything came out as expected.
pub(super) fn write(
    options: &PipelineOptions,
    report: &mut PipelineReport,
) -> Result<(), InputError> {
    if let Some(folder) = options.write.as_deref().filter(|_| report.as_expected) {
        let inputs = &options.inputs;
        let place = folder::Results { folder, inputs };
        for lowered in &mut report.lowered {
            lowered.file = Some(folder::write(place, &lowered.name, &lowered.text)?);
        }
    }
    Ok(())
}

fn lower_target(
    target: &str,
    file: &PipelineFile,
    lowering: &Lower,
    stage: &Stage,
    options: &PipelineOptions,
    report: &mut PipelineReport,
) -> Result<(), InputError> {
    let program = &stage.prepared.surface;
    subject::can_be_written(program).map_err(|error| error.in_file(&report.file))?;
    for (name, text) in texts_of(target, file, program, report)? {
        let mut entry = LoweredReport {
            target: target.to_owned(),
            step: stage.name.clone(),
            lines: text.lines().count(),
            text,
            name,
            file: None,
            compiled_for: Vec::new(),
        };
        if let Some(out) = options.results() {
            entry.file = Some(folder::write(out, &entry.name, &entry.text)?);
        }
        compile(&mut entry, lowering, report);
        report.lowered.push(entry);
    }
    Ok(())
}

/// The files of a target with their names: one, or host and kernels where the target keeps them apart.
fn texts_of(
    target: &str,
    file: &PipelineFile,
    program: &Program,
    report: &PipelineReport,
) -> Result<Vec<(String, String)>, InputError> {
    let stem = format!("{}-{target}", slug(&file.name));
    let lowered = match target {
        "cuda" => cuda::kernels(program, &CudaOptions::default()),
        "opencl" => opencl::kernels(program),
        "host" => host::program(program),
        "cuda-driver" | "opencl-host" | "csharp" => {
            let patterns = lifting::built_in(target)?;
            let files = host::for_target(program, &patterns, &stem).map_err(|error| {
                InputError::new(ErrorKind::Unsupported, error.to_string()).in_file(&report.file)
            })?;
            let host = (format!("{stem}.{}", patterns.extension), files.host.text);
            let kernels = files.kernels.map(|(name, kernels)| (name, kernels.text));
            return Ok([host].into_iter().chain(kernels).collect());
        }
        other => {
            return Err(InputError::usage(format!(
                "[[lower]]: unknown target `{other}` (cuda, opencl, host, cuda-driver, opencl-host, \
                 csharp)"
            ))
            .in_file(&report.file));
        }
    };
    let lowered = lowered.map_err(|error| {
        InputError::new(ErrorKind::Unsupported, error.to_string()).in_file(&report.file)
    })?;
    Ok(vec![(
        format!("{stem}.{}", lowered.extension),
        lowered.text,
    )])
}

/// Compiles what `nvcc` reads, for each architecture that is asked for.
fn compile(entry: &mut LoweredReport, lowering: &Lower, report: &mut PipelineReport) {
    let is_for_nvcc = matches!(
        entry.target.as_str(),
        "cuda" | "host" | "cuda-driver" | "csharp"
    );
    if is_for_nvcc && entry.name.ends_with(".cu") {
        for arch in &lowering.nvcc {
            let compiled = nvcc::find().map_err(|e| e.to_string()).and_then(|nvcc| {
                nvcc.compile(&entry.text, arch, Output::Cubin)
                    .map_err(|e| e.to_string())
            });
            match compiled {
                Ok(_) => entry.compiled_for.push(arch.clone()),
                Err(message) => {
                    report.as_expected = false;
                    report.runs.push(DeviceReport {
                        device: format!("nvcc {arch}"),
                        case: entry.target.clone(),
                        cells: 0,
                        agree: false,
                        message,
                    });
                }
            }
        }
    }
}

fn run_on(
    device: &str,
    file: &PipelineFile,
    stage: &Stage,
    options: &PipelineOptions,
    report: &mut PipelineReport,
) -> Result<(), InputError> {
    let kind = match device {
        "opencl" | "cuda" if !options.run_devices => {
            report.not_run.push(NotRun {
                device: device.to_owned(),
                reason: format!("a pipeline alone runs nothing natively; {RUN_DEVICES} does"),
            });
            return Ok(());
        }
        "opencl" => DeviceKind::OpenCl,
        "cuda" => DeviceKind::Cuda,
        "interpreter" => DeviceKind::Interpreter,
        other => {
            return Err(InputError::usage(format!(
                "[[lower]]: unknown device `{other}` (opencl, cuda, interpreter)"
            ))
            .in_file(&report.file));
        }
    };
    for case in &file.cases {
        let sampling = parse_sampling(&case.inputs)?;
        let point = point(
            stage,
            &texts(&case.args),
            &texts(&case.extents),
            &case.launch,
        )?;
        let setup =
            subject::sampled_setup(&stage.prepared.surface, &point, point.launch, sampling, 0)?;
        let diff_options = DiffOptions {
            device: kind,
            runs: sampling.count,
            seed: sampling.seed,
            repeat: 1,
            ulps: 0,
            profile: Profile::default(),
            limits: options.limits,
            child: options.child.clone(),
            time_limit: Duration::from_secs(60),
            until: None,
        };
        let entry = match diff::run(&stage.prepared.surface, &setup, &diff_options) {
            Ok(found) => DeviceReport {
                device: found.device.name.clone(),
                case: case.name.clone(),
                cells: found.cells,
                agree: found.agree,
                message: found.differences.first().map_or_else(
                    || format!("{} runs, every cell equal", found.runs),
                    |d| {
                        format!(
                            "run {}: {}[{}] is {}, the interpreter has {}",
                            d.run, d.array, d.index, d.seen, d.expected
                        )
                    },
                ),
            },
            Err(error) => DeviceReport {
                device: device.to_owned(),
                case: case.name.clone(),
                cells: 0,
                agree: false,
                message: error.to_string(),
            },
        };
        report.as_expected &= entry.agree;
        report.runs.push(entry);
    }
    Ok(())
}
