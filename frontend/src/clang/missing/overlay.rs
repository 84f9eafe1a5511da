//! A file without some of its declarations, which clang reads in its place. Every other character stands where it
//! stood, and directives stay, so that no macro and no place changes.

use super::source::{File, Source};
use crate::error::{FrontendError, file_error};
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;
use tempfile::TempDir;

/// Pragmas that mean something to the code behind them alone, and nothing without it.
const OF_CODE: [&str; 6] = ["unroll", "nounroll", "omp", "acc", "clang", "GCC"];

/// The name of the list of files in the folder.
const LIST: &str = "overlay.json";

/// Files that clang reads in the place of others, which exist as long as this value.
pub(super) struct Overlay {
    folder: TempDir,
}

impl Overlay {
    /// The files of `source` without the pieces in `left_out`.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn new<V>(source: &Source, left_out: &HashMap<usize, V>) -> Result<Overlay, FrontendError> {
        let failed = |e| file_error("cannot write files without what clang does not accept", &e);
        let folder = tempfile::tempdir().map_err(failed)?;
        let mut roots = Vec::new();
        for (number, file) in source.files.iter().enumerate() {
            let text = without(file, |line| {
                source
                    .owner(number, line)
                    .is_some_and(|piece| left_out.contains_key(&piece))
            });
            if text == file.text {
                continue;
            }
            let place = folder.path().join(number.to_string());
            std::fs::write(&place, text).map_err(failed)?;
            let name =
                std::path::absolute(Path::new(&source.read.files[number])).map_err(failed)?;
            roots.push(serde_json::json!({
                "type": "file",
                "name": name.to_string_lossy(),
                "external-contents": place.to_string_lossy(),
            }));
        }
        let list = serde_json::json!({
            "version": 0,
            "case-sensitive": "true",
            "use-external-names": "false",
            "roots": roots,
        });
        std::fs::write(folder.path().join(LIST), list.to_string()).map_err(failed)?;
        Ok(Overlay { folder })
    }

    pub fn arguments(&self) -> Vec<OsString> {
        vec!["-ivfsoverlay".into(), self.folder.path().join(LIST).into()]
    }
}

/// A file's text without the lines that `is_left_out` names, but with their directives.
fn without(file: &File, is_left_out: impl Fn(u32) -> bool) -> String {
    let mut kept: Vec<(u32, u32)> = Vec::new();
    for directive in &file.directives {
        let first = file.lexed.tokens[directive.tokens.clone()].first();
        let is_of_code =
            directive.word == "pragma" && first.is_some_and(|t| OF_CODE.contains(&t.text.as_str()));
        if !is_of_code {
            kept.push(directive.lines);
        }
    }
    let mut text = String::with_capacity(file.text.len());
    let mut kept = kept.into_iter().peekable();
    for (number, line) in file.text.split_inclusive('\n').enumerate() {
        let number = number as u32 + 1;
        while kept.next_if(|(_, last)| *last < number).is_some() {}
        let stays = kept.peek().is_some_and(|(first, _)| *first <= number);
        match stays || !is_left_out(number) {
            true => text += line,
            false => {
                let blank = |byte: u8| {
                    if matches!(byte, b'\n' | b'\r') {
                        byte as char
                    } else {
                        ' '
                    }
                };
                text.extend(line.bytes().map(blank));
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::conditions::directives;
    use super::super::lexer::lex;
    use super::*;

    fn check(text: &str, lines: std::ops::RangeInclusive<u32>, expected: &str) {
        let lexed = lex(text);
        let directives = directives(&lexed);
        let text = text.to_string();
        let file = File {
            text,
            lexed,
            directives,
        };
        assert_eq!(without(&file, |line| lines.contains(&line)), expected);
    }

    #[test]
    fn directives_stay_and_all_else_keeps_its_place() {
        check("int a;\r\nint b;\n", 1..=1, "      \r\nint b;\n");
        check(
            "void f() {\n#define A \\\n 1 /* x\n y */\n#pragma unroll\n#pragma once\n é}\nint b;",
            1..=7,
            "          \n#define A \\\n 1 /* x\n y */\n              \n#pragma once\n    \nint b;",
        );
        check(
            "/* x\n#define A\n*/ int a;\n",
            1..=3,
            "    \n         \n         \n",
        );
    }
}
