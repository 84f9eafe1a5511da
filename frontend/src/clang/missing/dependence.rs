//! What depends on what: on declarations that are left out, on regions that a missing header may decide, and on all
//! that names what stands in them. A declaration is taken to depend on more than it does.

use super::conditions::{Region, includes_by, regions};
use super::effects::Effect;
use super::source::Source;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// Why a piece of the text may mean something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    pub message: String,
    pub file: usize,
    pub line: u32,
}

/// What depends on missing headers.
#[derive(Debug, Default)]
pub(super) struct Doubts {
    /// By piece.
    pub of: BTreeMap<usize, Doubt>,
    /// Headers whose inclusion a missing header may decide.
    pub headers: Vec<String>,
}

impl Source {
    /// What depends on what missing headers may decide, and on the pieces that are left out.
    pub fn doubts(&self, left_out: &BTreeMap<usize, Doubt>) -> Doubts {
        let mut doubts = Doubts::default();
        let mut names: BTreeMap<String, Doubt> = BTreeMap::new();
        let mut all: Option<Doubt> = None;
        for (&piece, why) in left_out {
            for chunk in self.chunks_of(piece) {
                let chunk = &self.scope.chunks[chunk];
                if chunk.declares_anything {
                    all.get_or_insert_with(|| why.clone());
                }
                for name in &chunk.declares {
                    names.entry(name.clone()).or_insert_with(|| Doubt {
                        message: format!("`{name}`, {}", why.message),
                        ..why.clone()
                    });
                }
            }
        }
        let mut open = BTreeSet::new();
        for (file, region) in self.regions() {
            let effect = Effect::of(self, file, &region);
            let doubt = Doubt {
                message: format!("a condition on `{}`", region.name),
                file,
                line: region.line,
            };
            for piece in effect.pieces {
                doubts.of.entry(piece).or_insert_with(|| doubt.clone());
            }
            open.extend(effect.macros);
            for name in effect.names {
                names.entry(name).or_insert_with(|| doubt.clone());
            }
            for header in effect.headers {
                if !doubts.headers.contains(&header) {
                    doubts.headers.push(header);
                }
            }
            if effect.on_anything {
                all.get_or_insert(doubt);
            }
        }
        for (number, file) in self.files.iter().enumerate() {
            let mut includes = file
                .directives
                .iter()
                .filter(|d| d.word.starts_with("include"));
            let found = includes.find(|d| includes_by(&file.lexed, d, &self.macros, &open));
            if let Some(directive) = found {
                all.get_or_insert(Doubt {
                    message: "which file is included here".into(),
                    file: number,
                    line: directive.lines.0,
                });
            }
        }
        self.spread(&mut doubts.of, names, all);
        doubts
    }

    /// The regions that missing headers may decide, by file.
    fn regions(&self) -> Vec<(usize, Region)> {
        let mut open = BTreeSet::new();
        loop {
            let mut found = Vec::new();
            for (number, file) in self.files.iter().enumerate() {
                let of_file = regions(
                    &self.read,
                    number,
                    &file.lexed,
                    &file.directives,
                    &self.macros,
                    &open,
                );
                found.extend(of_file.into_iter().map(|region| (number, region)));
            }
            let n_open = open.len();
            for (file, region) in &found {
                open.extend(Effect::of(self, *file, region).macros);
            }
            if open.len() == n_open {
                return found;
            }
        }
    }

    /// Adds all pieces that name what is in doubt.
    fn spread(
        &self,
        of: &mut BTreeMap<usize, Doubt>,
        mut names: BTreeMap<String, Doubt>,
        all: Option<Doubt>,
    ) {
        if let Some(doubt) = all {
            for &piece in &self.piece_of {
                of.entry(piece).or_insert_with(|| doubt.clone());
            }
            return;
        }
        // A macro is in doubt with what it may expand to, and one that makes names of parts with any other macro.
        let mentions = self.mentions();
        let mut added: HashSet<usize> = HashSet::new();
        loop {
            let before = (of.len(), names.len());
            for (name, definitions) in &self.macros {
                if names.contains_key(name) {
                    continue;
                }
                let mut tokens = definitions.iter().flat_map(|(_, body)| body);
                let pastes = definitions
                    .iter()
                    .any(|(_, body)| body.iter().any(|t| t == "##"));
                let found = tokens.find_map(|token| names.get(token));
                let of_macro = || {
                    names
                        .iter()
                        .find(|(name, _)| self.macros.contains_key(*name))
                        .map(|(_, doubt)| doubt)
                };
                let doubt = found.or_else(|| of_macro().filter(|_| pastes)).cloned();
                if let Some(doubt) = doubt {
                    names.insert(name.clone(), doubt);
                }
            }
            for (piece, mentioned) in &mentions {
                if !of.contains_key(piece)
                    && let Some(name) = mentioned
                        .iter()
                        .filter(|name| names.contains_key(**name))
                        .min()
                {
                    let doubt = names[*name].clone();
                    of.insert(*piece, doubt);
                }
            }
            for (piece, doubt) in of.iter() {
                if added.insert(*piece) {
                    for chunk in self.chunks_of(*piece) {
                        for name in &self.scope.chunks[chunk].declares {
                            names.entry(name.clone()).or_insert_with(|| doubt.clone());
                        }
                    }
                }
            }
            if (of.len(), names.len()) == before {
                return;
            }
        }
    }
}
