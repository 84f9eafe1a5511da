//! Types of `<stdint.h>` and `<stddef.h>` that a file defines for itself, as code for NVRTC does, which has no headers.
//! The prelude has them too, and with other spellings: `unsigned long` is 64 bits as `unsigned long long` is. Where
//! clang complains of one, the prelude is read without it.

use crate::clang::complaints::complaints;
use crate::clang::output::Output;
use gridlock_boundary::input;
use std::ffi::OsString;
use std::path::Path;

/// The names, with what the prelude writes in their place where the file has its own.
const TYPES: [(&str, &str); 14] = [
    ("int8_t", "signed char"),
    ("int16_t", "short"),
    ("int32_t", "int"),
    ("int64_t", "long"),
    ("uint8_t", "unsigned char"),
    ("uint16_t", "unsigned short"),
    ("uint32_t", "unsigned int"),
    ("uint64_t", "unsigned long"),
    ("intptr_t", "long"),
    ("uintptr_t", "unsigned long"),
    ("size_t", "unsigned long"),
    ("ptrdiff_t", "long"),
    ("uint", "unsigned int"),
    ("ulong", "unsigned long"),
];

/// Those that the file defines.
#[derive(Debug, Default)]
pub(super) struct OwnTypes(Vec<(&'static str, &'static str)>);

impl OwnTypes {
    /// Takes over those of whose second definition clang complains; whether there is a new one.
    pub fn add(&mut self, output: &Output) -> bool {
        let before = self.0.len();
        for complaint in complaints(output).unwrap_or_default() {
            let again = ["typedef redefinition", "type alias redefinition"];
            if !again
                .iter()
                .any(|words| complaint.message.starts_with(words))
            {
                continue;
            }
            let name = word_at(&complaint.file, complaint.line, complaint.column);
            let known = TYPES
                .iter()
                .find(|(known, _)| Some(*known) == name.as_deref());
            self.0.extend(known.filter(|known| !self.0.contains(known)));
        }
        self.0.len() > before
    }

    /// The definitions of macros that keep them out of the prelude, which takes these back at its end.
    pub fn arguments(&self) -> Vec<OsString> {
        let own = self
            .0
            .iter()
            .map(|(name, written)| format!("-D{name}={written}").into());
        let mark = (!self.0.is_empty()).then(|| "-DGRIDLOCK_OWN_TYPES".into());
        mark.into_iter().chain(own).collect()
    }
}

/// The word that begins at a place.
fn word_at(file: &str, line: u32, column: u32) -> Option<String> {
    let text = input::read(Path::new(file)).ok()?;
    let line = text
        .split(|byte| *byte == b'\n')
        .nth(line.checked_sub(1)? as usize)?;
    let rest = line.get(column.checked_sub(1)? as usize..)?;
    let is_of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let word: Vec<u8> = rest.iter().take_while(is_of_word).copied().collect();
    String::from_utf8(word).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clang::stand_ins;

    #[test]
    fn the_prelude_takes_every_name_back() {
        let text = |name: &str| {
            let file = stand_ins::files().iter().find(|(known, _)| *known == name);
            file.map_or("", |(_, text)| text)
        };
        let prelude = text(stand_ins::CUDA_PRELUDE);
        let all = [prelude, text("stdint.h"), text("stddef.h")].concat();
        for (name, _) in TYPES {
            assert!(prelude.contains(&format!("#undef {name}\n")), "{name}");
            assert!(all.contains(&format!("#ifndef {name}\n")), "{name}");
        }
    }
}
