//! The comment lines at the head of a file that say what is expected of it: `// gridlock:
//! key = value` (ours) and `//pass`, `//xfail:KIND`, `//--gridDim=2 --blockDim=[8,8]`
//! (GPUVerify's test suite), where `-DNAME=VALUE` is `define = NAME=VALUE`.

use crate::HeaderLine;

/// The statements in the comments before the first line of code.
pub(crate) fn header_lines(text: &str) -> Vec<HeaderLine> {
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index as u32 + 1;
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() {
            continue;
        }
        let Some(comment) = line.strip_prefix("//") else {
            break;
        };
        statement(comment.trim(), number, &mut found);
    }
    found
}

fn statement(comment: &str, line: u32, found: &mut Vec<HeaderLine>) {
    let mut add = |key: &str, value: &str| {
        found.push(HeaderLine {
            key: key.trim().to_string(),
            value: value.trim().to_string(),
            line,
        });
    };
    if let Some(rest) = comment.strip_prefix("gridlock:") {
        match rest.split_once('=') {
            Some((key, value)) => add(key, value),
            None => add(rest, ""),
        }
    } else if comment == "pass" {
        add("pass", "");
    } else if let Some(kind) = comment.strip_prefix("xfail:") {
        add("xfail", kind);
    } else if comment.starts_with("--") {
        for option in comment.split_whitespace() {
            if let Some(definition) = option.strip_prefix("-D") {
                add("define", definition);
                continue;
            }
            let option = option.trim_start_matches('-');
            match option.split_once('=') {
                Some((key, value)) => add(key, value),
                None => add(option, ""),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(&str, &str, u32)]) {
        let found = header_lines(text);
        let found: Vec<_> = found
            .iter()
            .map(|h| (h.key.as_str(), h.value.as_str(), h.line))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn both_styles() {
        check("//pass\nint x;\n//pass\n", &[("pass", "", 1)]);
        check(
            "// xfail:DATA_RACE \n//--gridDim=2 --blockDim=[8,8] -DW=4 --no-inline\n",
            &[
                ("xfail", "DATA_RACE", 1),
                ("gridDim", "2", 2),
                ("blockDim", "[8,8]", 2),
                ("define", "W=4", 2),
                ("no-inline", "", 2),
            ],
        );
        check(
            "\n// A story.\n// gridlock: verdict = refuted\n// gridlock: arg = n = 3\n",
            &[("verdict", "refuted", 3), ("arg", "n = 3", 4)],
        );
        check("int x; // gridlock: a = b\n", &[]);
    }
}
