//! The hash by which a witness knows its program.

use gridlock_semantics::algebra::program::Program;

/// FNV-1a of 128 bits over the source texts, in order, as 32 hexadecimal digits. File names do
/// not count: a program may be moved.
pub fn source_hash(program: &Program) -> String {
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    let mut add = |byte: u8| {
        hash ^= byte as u128;
        hash = hash.wrapping_mul(PRIME);
    };
    for file in &program.files {
        file.text.bytes().for_each(&mut add);
        // No byte of a text: one text more is not a longer text.
        add(0xff);
    }
    format!("{hash:032x}")
}

#[cfg(test)]
mod tests {
    use super::source_hash;
    use gridlock_semantics::algebra::program::{Form, Program};
    use gridlock_semantics::algebra::span::SourceFile;

    fn program(texts: &[&str]) -> Program {
        let file = |text: &&str| SourceFile {
            name: "f".into(),
            text: (*text).into(),
        };
        Program {
            form: Form::Surface,
            files: texts.iter().map(file).collect(),
            arrays: vec![],
            procs: vec![],
            cells: Default::default(),
        }
    }

    /// The empty text has the hash's own first value, hashed with the separator once a file.
    #[test]
    fn texts_are_told_apart() {
        assert_eq!(
            source_hash(&program(&[])),
            "6c62272e07bb014262b821756295c58d"
        );
        let hashes: std::collections::BTreeSet<String> = [
            &["a"][..],
            &["b"],
            &["a", ""],
            &["", "a"],
            &["aa"],
            &["a", "a"],
        ]
        .iter()
        .map(|texts| source_hash(&program(texts)))
        .collect();
        assert_eq!(hashes.len(), 6);
    }
}
