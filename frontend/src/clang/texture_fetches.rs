//! Whether a text may name a function of textures or surfaces, all of which `gridlock_texture.h` composes. clang needs
//! time for them, so only files that name one include the header; where a name is found only in what a file includes,
//! clang complains of it, and is asked again.

/// What the names of these functions begin with.
const BEGINNINGS: [&str; 7] = [
    "tex1D",
    "tex2D",
    "tex3D",
    "texCubemap",
    "surf1D",
    "surf2D",
    "surf3D",
];

/// Whether one of them stands in a text: a file, or clang's complaints about one.
pub(crate) fn are_named(text: &str) -> bool {
    BEGINNINGS.iter().any(|name| text.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clang::stand_ins;

    #[test]
    fn every_function_of_the_header_is_among_them() {
        let header = stand_ins::files()
            .iter()
            .find(|(name, _)| name == stand_ins::TEXTURE_FETCHES);
        let text = header.map_or("", |(_, text)| text);
        let made = ["GRIDLOCK_TEXTURE(", "GRIDLOCK_SURFACE("];
        let calls = text
            .lines()
            .filter_map(|line| made.iter().find_map(|made| line.strip_prefix(made)));
        let names: Vec<&str> = calls.filter_map(|rest| rest.split(',').next()).collect();
        assert!(names.len() > 12, "{names:?}");
        assert!(names.iter().all(|name| are_named(name)), "{names:?}");
    }

    #[test]
    fn other_files_are_told_apart() {
        assert!(!are_named("texture<float> t; float context; int surface;"));
        assert!(are_named("use of undeclared identifier 'tex2DLod'"));
    }
}
