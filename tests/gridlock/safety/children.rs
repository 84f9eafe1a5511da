//! clang is a child with limits, and dies with the tool.

use super::support::{Folder, KERNEL, ran};
use std::path::Path;
use std::time::{Duration, Instant};

/// A clang that never ends. It tells its number, and that of a process it started, by the names of links: files it
/// may not write.
fn hanging(folder: &Folder) -> String {
    let script = folder.script(
        "bin/clang",
        &format!(
            "sleep 1000 & ln -s $$ \"{0}/clang.$$\"; ln -s $! \"{0}/child.$!\"; wait",
            folder.path("told").display()
        ),
    );
    std::fs::create_dir(folder.path("told")).unwrap();
    script.display().to_string()
}

/// Processes that were told of, once there are `n`.
fn told(folder: &Folder, n: usize) -> Vec<String> {
    let started = Instant::now();
    loop {
        let entries = std::fs::read_dir(folder.path("told")).unwrap();
        let found: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        if found.len() >= n || started.elapsed() > Duration::from_secs(60) {
            assert!(found.len() >= n, "{found:?}");
            return found;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Waits for a process to go.
fn goes(told: &str) {
    let pid = told.rsplit('.').next().unwrap();
    let stat = Path::new("/proc").join(pid).join("stat");
    let started = Instant::now();
    while started.elapsed() < Duration::from_secs(30) {
        match std::fs::read_to_string(&stat) {
            Ok(stat) if !stat.contains(") Z ") => std::thread::sleep(Duration::from_millis(20)),
            _ => return,
        }
    }
    panic!("{told} is still there");
}

#[test]
fn a_compiler_that_hangs_ends_at_the_limit() {
    let folder = Folder::new(&[("k.cu", KERNEL)]);
    let clang = hanging(&folder);
    for format in ["text", "json"] {
        let started = Instant::now();
        let mut tool = folder.tool(&["check", "k.cu", "--limit-seconds", "2", "--format", format]);
        let ran = ran(tool.env("GRIDLOCK_CLANG", &clang));
        assert!(started.elapsed() < Duration::from_secs(60));
        // Nothing is known of the file: neither refuted nor bad.
        assert_eq!(ran.status, Some(3), "{ran:?}");
        if format == "json" {
            // The limit of the compiler, or that of the whole command, which ends it too.
            let report = ran.json();
            let said = [&report["error"]["kind"], &report["reason"]];
            assert!(said.iter().any(|said| *said == "limit"), "{ran:?}");
        }
    }
    for process in told(&folder, 2) {
        goes(&process);
    }
}

#[test]
fn templates_that_double_end_at_the_limit() {
    let bomb = "template <int N, int M> struct A { A<N - 1, 2 * M> a; A<N - 1, 2 * M + 1> b; };\n\
                template <int M> struct A<0, M> { int x; };\nA<26, 1> bomb;\n";
    let folder = Folder::new(&[("k.cu", &format!("{bomb}{KERNEL}"))]);
    let started = Instant::now();
    let ran = folder.run(&["check", "k.cu", "--limit-seconds", "3", "--format", "json"]);
    assert!(started.elapsed() < Duration::from_secs(60));
    assert_eq!(ran.status, Some(3), "{ran:?}");
}

/// Whoever ends the tool ends its compiler.
#[test]
fn a_compiler_dies_with_the_tool() {
    let folder = Folder::new(&[("k.cu", KERNEL)]);
    let clang = hanging(&folder);
    let mut tool = folder.tool(&["check", "k.cu"]);
    let mut tool = tool.env("GRIDLOCK_CLANG", &clang).spawn().unwrap();
    let told = told(&folder, 2);
    tool.kill().unwrap();
    tool.wait().unwrap();
    let clang = told.iter().find(|name| name.starts_with("clang")).unwrap();
    goes(clang);
    // What a compiler itself started is not ours to end, once we are gone.
    let child = told.iter().find(|name| name.starts_with("child")).unwrap();
    let child = child.rsplit('.').next().unwrap().parse().unwrap();
    let child = rustix::process::Pid::from_raw(child).unwrap();
    let _ = rustix::process::kill_process(child, rustix::process::Signal::KILL);
}

#[test]
fn a_suite_leaves_no_compiler_behind() {
    let labelled = format!("//pass\n//--gridDim=1 --blockDim=4\n{KERNEL}");
    let folder = Folder::new(&[("suite/k.cu", &labelled)]);
    let clang = hanging(&folder);
    let mut tool = folder.tool(&["suite", "suite", "--file-seconds", "2", "--format", "json"]);
    let ran = ran(tool.env("GRIDLOCK_CLANG", &clang));
    assert_eq!(ran.status, Some(1), "{ran:?}");
    for process in told(&folder, 2) {
        goes(&process);
    }
}

#[test]
fn an_expression_too_deep_has_its_place() {
    let folder = Folder::new(&[]);
    for n in [400, 6_000] {
        let sum = "n + ".repeat(n);
        let text = format!("__global__ void k(int *a, int n)\n{{\n    a[0] = {sum}1;\n}}\n");
        folder.write("k.cu", &text);
        let started = Instant::now();
        let ran = folder.run(&["check", "k.cu"]);
        assert!(started.elapsed() < Duration::from_secs(60));
        ran.refuses("k.cu:3:5: not supported: an expression nested this deeply");
    }
}
