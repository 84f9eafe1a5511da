//! How much memory processes have.

use super::family::Family;
use std::fs;

/// Bytes that all processes of a family hold now, without the files they have mapped.
pub(super) fn bytes_of(family: &Family) -> u64 {
    family.members().into_iter().map(of).sum()
}

/// Of one process; 0 where the system does not tell.
fn of(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    ["RssAnon:", "RssShmem:"]
        .iter()
        .map(|field| kilobytes(&status, field) << 10)
        .sum()
}

fn kilobytes(status: &str, field: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(field));
    let number = line.and_then(|rest| rest.split_whitespace().next());
    number.and_then(|text| text.parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_boundary::program;
    use std::io::Write;
    use std::process::Stdio;

    const HELD: usize = 64 << 20;

    #[test]
    fn a_line_of_the_status() {
        let status = "VmRSS:\t   9000 kB\nRssAnon:\t    2048 kB\nRssFile:\t    6952 kB\n";
        assert_eq!(kilobytes(status, "RssAnon:"), 2048);
        assert_eq!(kilobytes(status, "RssShmem:"), 0);
    }

    /// A child of its own is measured: the other tests of this process give memory back meanwhile.
    #[test]
    fn memory_that_is_touched_counts() {
        let tail = program::find("tail".as_ref()).expect("there is a tail");
        let mut child = program::command(&tail)
            .args(["-c", &HELD.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("tail runs");
        let mut input = child.stdin.take().expect("it has an input");
        let before = of(child.id());
        // What is written has been read but for what a pipe holds, and tail keeps the end of it.
        input.write_all(&vec![1; HELD]).expect("it reads");
        let after = of(child.id());
        drop(input);
        child.wait().expect("it ends");
        assert!(
            after >= before + HELD as u64 - (4 << 20),
            "{before} {after}"
        );
    }
}
