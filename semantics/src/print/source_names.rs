//! Names as the source has them. Variables of a procedure have different names, also where the source declares
//! several of one name, in different blocks or in functions read in place: the later ones have a number behind
//! theirs.

use crate::algebra::program::Program;

impl Program {
    /// What the source calls a variable or an array: its name, without a number that the source does not have.
    pub fn source_name<'n>(&self, name: &'n str) -> &'n str {
        let Some((base, number)) = name.rsplit_once('_') else {
            return name;
        };
        let is_number = !number.is_empty() && number.bytes().all(|c| c.is_ascii_digit());
        match is_number && !self.mentions(name) && self.mentions(base) {
            true => base,
            false => name,
        }
    }

    /// An expression that was printed, with its names as the source has them.
    pub fn in_source_names(&self, text: &str) -> String {
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(start) = rest.find(is_of_name) {
            let end = rest[start..]
                .find(|c| !is_of_name(c))
                .map_or(rest.len(), |n| start + n);
            out.push_str(&rest[..start]);
            out.push_str(self.source_name(&rest[start..end]));
            rest = &rest[end..];
        }
        out + rest
    }

    /// Whether a word stands in the source.
    fn mentions(&self, word: &str) -> bool {
        let stands = |text: &str| {
            text.match_indices(word).any(|(at, _)| {
                let after = text[at + word.len()..].chars().next();
                let before = text[..at].chars().next_back();
                !before.is_some_and(is_of_name) && !after.is_some_and(is_of_name)
            })
        };
        !word.is_empty() && self.files.iter().any(|file| stands(&file.text))
    }
}

fn is_of_name(c: char) -> bool {
    c == '_' || c.is_ascii_alphanumeric()
}

#[cfg(test)]
mod tests {
    use crate::algebra::program::{Form, Program};
    use crate::algebra::span::SourceFile;

    #[test]
    fn numbers_that_the_source_does_not_have_are_left_out() {
        let program = Program {
            form: Form::Surface,
            files: vec![SourceFile {
                name: "k.cu".into(),
                text: "int bi, row_2, i; xbi_1".into(),
            }],
            arrays: Vec::new(),
            procs: Vec::new(),
            cells: Default::default(),
        };
        let cases = [
            ("bins[bi_1 + 2] < i_12", "bins[bi + 2] < i"),
            ("row_2[1_0]", "row_2[1_0]"),
            ("temporary_3 + row_1", "temporary_3 + row_1"),
            ("bi_x + _1 + bi_", "bi_x + _1 + bi_"),
        ];
        for (text, expected) in cases {
            assert_eq!(program.in_source_names(text), expected);
        }
    }
}
