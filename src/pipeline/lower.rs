//! The end of a pipeline: the last accepted program as text for its targets, compiled, run on
//! devices and compared with the interpreter.

use super::format::{Lower, PipelineFile};
use super::report::{DeviceReport, LoweredReport, PipelineReport};
use super::step::{point, slug};
use super::{PipelineOptions, Stage, texts};
use crate::input_error::{ErrorKind, InputError};
use crate::request::parse_sampling;
use crate::subject;
use gridlock_lowering::cuda::CudaOptions;
use gridlock_lowering::device::DeviceKind;
use gridlock_lowering::diff::{self, DiffOptions};
use gridlock_lowering::nvcc::{self, Output};
use gridlock_lowering::{cuda, host, opencl};
use gridlock_semantics::profile::Profile;
use std::time::Duration;

pub(super) fn lower(
    file: &PipelineFile,
    lowering: &Lower,
    stages: &[Stage],
    options: &PipelineOptions,
    report: &mut PipelineReport,
) -> Result<(), InputError> {
    let stage = match &lowering.step {
        Some(name) => stages.iter().find(|s| s.name == *name).ok_or_else(|| {
            InputError::usage(format!("[[lower]]: no step `{name}`")).in_file(&report.file)
        })?,
        None => {
            let accepted = |s: &&Stage| s.from.is_none() || !s.accepted.is_empty();
            stages.iter().rev().find(accepted).unwrap_or(&stages[0])
        }
    };
    for target in &lowering.targets {
        lower_target(target, file, lowering, stage, options, report)?;
    }
    for device in &lowering.run {
        run_on(device, file, stage, options, report)?;
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
    let lowered = match target {
        "cuda" => cuda::kernels(program, &CudaOptions::default()),
        "opencl" => opencl::kernels(program),
        "host" => host::program(program),
        other => {
            return Err(InputError::usage(format!(
                "[[lower]]: unknown target `{other}` (cuda, opencl, host)"
            ))
            .in_file(&report.file));
        }
    };
    let lowered = lowered.map_err(|error| {
        InputError::new(ErrorKind::Unsupported, error.to_string()).in_file(&report.file)
    })?;
    let mut entry = LoweredReport {
        target: target.to_owned(),
        step: stage.name.clone(),
        lines: lowered.text.lines().count(),
        text: lowered.text.clone(),
        file: None,
        compiled_for: Vec::new(),
    };
    if let Some(out) = &options.out {
        let name = format!("{}-{target}.{}", slug(&file.name), lowered.extension);
        let path = out.join(name);
        let written =
            std::fs::create_dir_all(out).and_then(|()| std::fs::write(&path, &lowered.text));
        written.map_err(|error| {
            InputError::new(ErrorKind::File, format!("cannot write: {error}"))
                .in_file(path.display().to_string())
        })?;
        entry.file = Some(path);
    }
    if target == "cuda" || (target == "host" && lowered.extension == "cu") {
        for arch in &lowering.nvcc {
            let compiled = nvcc::find().map_err(|e| e.to_string()).and_then(|nvcc| {
                nvcc.compile(&lowered.text, arch, Output::Cubin)
                    .map_err(|e| e.to_string())
            });
            match compiled {
                Ok(_) => entry.compiled_for.push(arch.clone()),
                Err(message) => {
                    report.as_expected = false;
                    report.runs.push(DeviceReport {
                        device: format!("nvcc {arch}"),
                        case: target.to_owned(),
                        cells: 0,
                        agree: false,
                        message,
                    });
                }
            }
        }
    }
    report.lowered.push(entry);
    Ok(())
}

fn run_on(
    device: &str,
    file: &PipelineFile,
    stage: &Stage,
    options: &PipelineOptions,
    report: &mut PipelineReport,
) -> Result<(), InputError> {
    let kind = match device {
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
