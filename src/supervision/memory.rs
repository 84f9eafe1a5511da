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

    #[test]
    fn a_line_of_the_status() {
        let status = "VmRSS:\t   9000 kB\nRssAnon:\t    2048 kB\nRssFile:\t    6952 kB\n";
        assert_eq!(kilobytes(status, "RssAnon:"), 2048);
        assert_eq!(kilobytes(status, "RssShmem:"), 0);
    }

    #[test]
    fn memory_that_is_touched_counts() {
        let before = of(std::process::id());
        let held = vec![1u8; 64 << 20];
        assert!(
            of(std::process::id()) >= before + (60 << 20),
            "{}",
            held.len()
        );
    }
}
