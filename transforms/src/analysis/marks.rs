//! Loops that the source marks, in the line before: `#pragma gridlock parallel NAME`, or a comment of these words
//! (`_MARK_CUDA` of paper 1, section 2.4).

use gridlock_semantics::algebra::span::{SourceFile, Span};

/// Whether a statement has the mark `name`.
pub fn is_marked(files: &[SourceFile], statement: Span, name: &str) -> bool {
    let Some(file) = files.get(statement.file.0 as usize) else {
        return false;
    };
    let n_before = (statement.line as usize).saturating_sub(1);
    let before: Vec<&str> = file.text.lines().take(n_before).collect();
    // Other marks, comments and pragmas may stand between.
    let upwards = before.iter().rev().map(|line| line.trim());
    let mut marks = upwards.take_while(|line| {
        line.is_empty() || line.starts_with("#pragma") || line.starts_with("//")
    });
    marks.any(|line| mark(line) == Some(name))
}

/// The name that a line gives the loop behind it.
fn mark(line: &str) -> Option<&str> {
    let words = line.strip_prefix("#pragma").or(line.strip_prefix("//"))?;
    let mut words = words.split_whitespace();
    let is_mark = words.next() == Some("gridlock") && words.next() == Some("parallel");
    let name = words.next().filter(|_| is_mark);
    name.filter(|_| words.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_semantics::algebra::span::FileId;

    const TEXT: &str = "void f(int *a, int n) {\n\
        \x20 #pragma gridlock parallel first\n\
        \x20 #pragma unroll\n\
        \n\
        \x20 for (int i = 0; i < n; i++)\n\
        \x20   // gridlock parallel second\n\
        \x20   for (int j = 0; j < n; j++) {\n\
        \x20   // gridlock parallel third of all\n\
        \x20   for (int k = 0; k < n; k++) ;\n\
        }}\n";

    #[test]
    fn a_mark_is_that_of_the_loop_behind_it() {
        let files = [SourceFile {
            name: "f.c".into(),
            text: TEXT.into(),
        }];
        for (line, expected) in [(5, "first"), (7, "second"), (9, "")] {
            let span = Span {
                file: FileId(0),
                line,
                column: 1,
                end_line: line,
                end_column: 2,
            };
            let names = ["first", "second", "third", "all", "unroll"];
            let found: Vec<&str> = names
                .into_iter()
                .filter(|name| is_marked(&files, span, name))
                .collect();
            assert_eq!(found.join(" "), expected, "line {line}");
        }
    }
}
