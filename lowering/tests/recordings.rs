//! Recordings: what devices did is what today's semantics allows.

use crate::support::{kernel_setup, options, random};
use gridlock_checker::limits::Limits;
use gridlock_frontend::{Language, ParseOptions, parse_source};
use gridlock_lowering::device::{DeviceError, DeviceKind};
use gridlock_lowering::diff::DiffError;
use gridlock_lowering::fingerprint::fingerprint;
use gridlock_lowering::gpu_run::{self, Case, GpuRunError};
use gridlock_lowering::host;
use gridlock_lowering::recordings::{self, RecordedArray, Recording, ReplayError};
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::profile::Profile;
use std::path::Path;

fn parse(text: &str) -> Program {
    parse_source(
        "recorded.cu",
        text,
        Language::Cuda,
        &ParseOptions::default(),
    )
    .expect("a recording's program is read today as well")
    .program
}

fn replay(recording: &Recording) -> Result<u64, ReplayError> {
    let profile = Profile::named("cuda").expect("the default");
    let program = parse(&recording.program);
    recordings::replay_check(recording, &program, &profile, &Limits::default())
}

/// Those in the tree: made on GPUs by `make gpu`.
#[test]
fn recordings_in_the_tree_are_allowed_today() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/recordings");
    for (path, recording) in recordings::read_all(&folder).expect("readable recordings") {
        assert_eq!(
            recording.device.kind,
            DeviceKind::Cuda,
            "{}: only runs on GPUs are kept",
            path.display()
        );
        match replay(&recording) {
            Ok(cells) => assert!(cells > 0, "{}", path.display()),
            Err(error) => panic!("{}: {error}", path.display()),
        }
    }
}

fn case() -> Case {
    let program = crate::support::block_sum();
    let arrays = vec![
        random("in", ScalarType::I32, 128, 1),
        random("out", ScalarType::I32, 2, 2),
    ];
    Case {
        name: "block-sum".to_owned(),
        file: "made by hand".to_owned(),
        source: host::program(&program).expect("lowers").text,
        setup: kernel_setup(2, 64, 256, arrays, &[]),
        program,
    }
}

/// A recording of the OpenCL device, in a folder that is thrown away.
fn recorded(folder: &Path) -> Option<(Recording, std::path::PathBuf)> {
    let folder = folder.to_path_buf();
    let result = match gpu_run::run(&case(), &options(DeviceKind::OpenCl), Some(&folder)) {
        Err(GpuRunError::Diff(DiffError::Device(DeviceError::Missing { .. })))
            if std::env::var_os("GRIDLOCK_NO_OPENCL").is_some() =>
        {
            return None;
        }
        result => result.expect("runs"),
    };
    assert!(result.report.agree);
    let path = result.recording.expect("it was written");
    Some((recordings::read(&path).expect("it is read"), path))
}

#[test]
fn a_run_is_recorded_and_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((recording, path)) = recorded(folder.path()) else {
        return;
    };
    assert_eq!(recording.device.kind, DeviceKind::OpenCl);
    assert_eq!(recording.entry, "block_sum");
    assert_eq!(recording.outcomes.len(), 1);
    assert_eq!(recording.outcomes[0].count, 20);
    assert_eq!(recording.seconds.len(), 1);
    assert_eq!(recording.text_hash.len(), 16);
    assert_eq!(recording.source_hash, fingerprint(case().source.as_bytes()));
    assert_eq!(replay(&recording), Ok(130));
    let all = recordings::read_all(folder.path()).expect("the folder");
    assert_eq!(all, [(path, recording)]);
}

#[test]
fn an_outcome_the_semantics_excludes_is_caught() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((mut recording, _)) = recorded(folder.path()) else {
        return;
    };
    recording.outcomes[0].arrays[1].first[1] = Value::i32(123_456);
    match replay(&recording) {
        Err(ReplayError::NotAllowed {
            array, index, seen, ..
        }) => {
            assert_eq!(
                (array.as_str(), index, seen),
                ("out", 1, Value::i32(123_456))
            );
        }
        other => panic!("{other:?}"),
    }
}

/// The input array has more cells than are shown: the rest is held by the fingerprint.
#[test]
fn a_difference_behind_the_cells_shown_is_caught() {
    let folder = tempfile::tempdir().expect("a folder");
    let Some((mut recording, _)) = recorded(folder.path()) else {
        return;
    };
    let array = &mut recording.outcomes[0].arrays[0];
    assert_eq!(
        (array.extent, array.first.len()),
        (128, RecordedArray::SHOWN)
    );
    array.hash = fingerprint(b"something else");
    assert!(
        matches!(replay(&recording), Err(ReplayError::NotAllowedInside { array, .. }) if array == "in")
    );
}

#[test]
fn what_is_no_recording_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.json");
    std::fs::write(&path, "{\"schema\": 1}").expect("writes");
    assert!(recordings::read(&path).is_err());
    assert!(recordings::read_all(folder.path()).is_err());
    assert!(recordings::read(Path::new("/nowhere.json")).is_err());
    let nothing = recordings::read_all(Path::new("/nowhere"));
    assert!(nothing.expect("no folder, no recordings").is_empty());
    let Some((mut recording, _)) = recorded(folder.path()) else {
        return;
    };
    recording.schema = 99;
    let later = recordings::write(&folder.path().join("later"), &recording).expect("writes");
    assert!(recordings::read(&later).is_err());
    recording.entry = "nobody".to_owned();
    assert_eq!(
        replay(&recording),
        Err(ReplayError::NoEntry("nobody".to_owned()))
    );
}
