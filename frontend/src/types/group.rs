//! Groups of threads of `cooperative_groups`, by their types.

/// Groups of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Block,
    Grid,
    Tile(Tile),
}

/// A number of neighbouring threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tile {
    pub threads: u32,
    /// The threads of the tile that this one is a part of; `None`: it is a part of the block.
    pub parent: Option<u32>,
}

/// A `thread_block_tile<N, …>`, or what tiles of one size have in common; the threads of a tile of lanes that were found
/// at run time are not known.
pub(crate) fn tile(name: &str) -> Option<Tile> {
    let inside = ["thread_block_tile<", "gridlock_tile<"]
        .iter()
        .find_map(|template| arguments(name, template))?;
    if inside.contains("coalesced_group") {
        return None;
    }
    let parent = inside.split_once(", ").map(|(_, parent)| parent);
    let of_parent = parent.and_then(|parent| arguments(parent, "thread_block_tile<"));
    Some(Tile {
        threads: number(inside)?,
        parent: of_parent.and_then(number),
    })
}

/// What stands behind the name of a template, in whichever namespace.
fn arguments<'a>(name: &'a str, template: &str) -> Option<&'a str> {
    let (before, inside) = name.split_once(template)?;
    (before.is_empty() || before.ends_with("::")).then_some(inside)
}

fn number(text: &str) -> Option<u32> {
    let digits = text.find(|c: char| !c.is_ascii_digit())?;
    text[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_know_what_they_are_parts_of() {
        let of = |threads, parent| Some(Tile { threads, parent });
        for (name, expected) in [
            ("thread_block_tile<32>", of(32, None)),
            ("cg::thread_block_tile<8, thread_block>", of(8, None)),
            (
                "thread_block_tile<4, cooperative_groups::thread_block_tile<16, cg::thread_block>>",
                of(4, Some(16)),
            ),
            ("gridlock_tile<4>", of(4, None)),
            ("thread_block_tile<4, coalesced_group>", None),
            ("my_thread_block_tile<4>", None),
            ("vector<thread_block_tile<4>>", None),
        ] {
            assert_eq!(tile(name), expected, "{name}");
        }
    }
}
