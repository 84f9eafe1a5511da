//! The comment lines at the head of a file that say what is expected of it: `// gridlock: key = value` (ours),
//! launches (`//--gridDim=2 --blockDim=[8,8]`), and headers of GPUVerify's test suite, which that tool's tester
//! reads from fixed lines: `//pass` or `//xfail:KIND` on line 1, options on line 2. There `-DNAME=VALUE` is
//! `define = NAME=VALUE`, and `-IFOLDER` is `include = FOLDER`.

/// The statements in the comments before the first line of code.
pub(crate) fn header_lines(text: &str) -> Vec<HeaderLine> {
    let text = text.trim_start_matches('\u{feff}');
    let is_labelled = is_label(text.lines().next().unwrap_or_default());
    let mut found = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index as u32 + 1;
        let line = line.trim();
        if line.is_empty() {
            continue;
        }
        let Some(comment) = line.strip_prefix("//") else {
            break;
        };
        let comment = comment.trim();
        let mut add = |key: &str, value: &str| {
            found.push(HeaderLine {
                key: key.trim().to_string(),
                value: value.trim().to_string(),
                line: number,
            });
        };
        if let Some(rest) = comment.strip_prefix("gridlock:") {
            let (key, value) = rest.split_once('=').unwrap_or((rest, ""));
            add(key, value);
        } else if is_labelled && number == 1 {
            match comment.split_once(':') {
                Some((label, kind)) if label.eq_ignore_ascii_case("xfail") => add("xfail", kind),
                _ => add("pass", ""),
            }
        } else if (is_labelled && number == 2) || (!is_labelled && comment.starts_with("--")) {
            options(comment, &mut add);
        }
    }
    found
}

/// Whether line 1 begins with a label of GPUVerify's suite.
fn is_label(line: &str) -> bool {
    let line = line.to_ascii_lowercase();
    line.starts_with("//pass") || line.starts_with("//xfail:")
}

fn options(text: &str, add: &mut impl FnMut(&str, &str)) {
    let mut words = text.split_whitespace();
    while let Some(option) = words.next() {
        let of = |letter: &str| option.strip_prefix(letter).map(str::to_owned);
        let named = of("-D").map(|value| ("define", value));
        match named.or_else(|| of("-I").map(|value| ("include", value))) {
            Some((key, value)) if value.is_empty() => add(key, words.next().unwrap_or_default()),
            Some((key, value)) => add(key, &value),
            None => {
                let option = option.trim_start_matches('-');
                let (key, value) = option.split_once('=').unwrap_or((option, ""));
                add(key, value);
            }
        }
    }
}

/// One statement of a header comment: `// gridlock: key = value`, or a GPUVerify-style line
/// (`//pass`, `//xfail:KIND`, `//--gridDim=2 -DN=4`): key `pass`, `xfail`, `gridDim`, `define`.
/// The front end itself acts on `define`, which it passes to clang as `-D`; the other keys are for its callers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeaderLine {
    /// The word before the first `=`, without the dashes of an option.
    pub key: String,
    /// The text behind the first `=`; empty when there is none.
    pub value: String,
    /// The line of the file, from 1.
    pub line: u32,
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
            "//xfail:DATA_RACE \n//--gridDim=2 --blockDim=[8,8] -DW=4 --no-inline\n",
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
        check("//--blockDim=4\n", &[("blockDim", "4", 1)]);
    }

    #[test]
    fn of_a_label_the_lines_are_fixed() {
        check(
            "//PASS\n//-D W=4 -I. --x\n",
            &[
                ("pass", "", 1),
                ("define", "W=4", 2),
                ("include", ".", 2),
                ("x", "", 2),
            ],
        );
        check("//pass\n//\n//--blockDim=4\n", &[("pass", "", 1)]);
        check("// a story\n//pass\n", &[]);
    }
}
