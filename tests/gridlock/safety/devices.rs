//! Kernels run natively on devices of this machine when the command line asks for it, and only then.

use super::support::{Folder, KERNEL, pipeline};
use serde_json::json;

#[test]
fn a_pipeline_alone_runs_nothing() {
    let run = "[[lower]]\ntargets = [\"opencl\"]\nrun = [\"opencl\", \"cuda\"]\n";
    let folder = Folder::new(&[("k.cu", KERNEL), ("p.toml", &pipeline("k.cu", run))]);
    let text = folder.run(&["verify", "p.toml"]);
    assert_eq!(text.status, Some(0), "{text:?}");
    let said = "opencl: a pipeline alone runs nothing natively; --run-devices does";
    assert!(text.stdout.contains(said), "{text:?}");
    let report = folder.run(&["verify", "p.toml", "--format", "json"]).json();
    assert_eq!(report["runs"], json!([]));
    assert_eq!(report["not_run"].as_array().map(Vec::len), Some(2));
    // Asked for, it is run, or said why not.
    let report = folder
        .run(&["verify", "p.toml", "--run-devices", "--format", "json"])
        .json();
    assert_eq!(report["not_run"], json!([]));
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(2), "{report}");
    // The interpreter is no device of the machine.
    folder.write(
        "p.toml",
        &pipeline("k.cu", "[[lower]]\ntargets = []\nrun = [\"interpreter\"]\n"),
    );
    let report = folder.run(&["verify", "p.toml", "--format", "json"]).json();
    assert_eq!(report["runs"].as_array().map(Vec::len), Some(1), "{report}");
}
