//! Variables of the two files: they are observed like arrays that are arguments, and correspond by name.

use super::sides::Compared;
use gridlock_checker::equiv::{ObservationMap, Side};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Space};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::analysis::may_write::may_write;
use std::collections::BTreeSet;

/// The variables at file scope that either program may write.
#[derive(Clone, Debug, Default)]
pub(super) struct FileVariables {
    /// Those of one name, type and memory, of the old file and of the new one.
    pub pairs: Vec<(ArrayId, ArrayId)>,
    /// By name: those that the old program may write, that the new one does not use, and that no observation map speaks of.
    pub lost: Vec<String>,
    /// By name: those that the new program may write, that the old one does not use, and that no observation map speaks of.
    pub added: Vec<String>,
    /// Those without a counterpart that an observation map names: of the old file, of the new one.
    named: [Vec<ArrayId>; 2],
}

impl FileVariables {
    pub fn of(old: &Compared, new: &Compared, map: &ObservationMap) -> FileVariables {
        let written = [old, new].map(|side| may_write(&side.prepared.surface, side.point.proc));
        let at_file_scope = |side: &Compared| -> Vec<(ArrayId, ArrayDecl)> {
            let declared = (0..).map(ArrayId).zip(&side.prepared.surface.arrays);
            let own = declared.filter(|(_, decl)| is_at_file_scope(decl));
            own.map(|(id, decl)| (id, decl.clone())).collect()
        };
        let (of_old, of_new) = (at_file_scope(old), at_file_scope(new));
        let mut found = FileVariables::default();
        let mut paired: BTreeSet<ArrayId> = BTreeSet::new();
        for (id, decl) in &of_old {
            // Those of one name of which no more is known correspond in their order.
            let same =
                |(id, other): &&(ArrayId, ArrayDecl)| !paired.contains(id) && is_one(decl, other);
            match of_new.iter().find(same) {
                Some((other, _)) => {
                    paired.insert(*other);
                    if written[0].contains(id) || written[1].contains(other) {
                        found.pairs.push((*id, *other));
                    }
                }
                None if map.names(Side::Old, &decl.name) => found.named[0].push(*id),
                None if written[0].contains(id) => found.lost.push(decl.name.to_string()),
                None => {}
            }
        }
        for (id, decl) in of_new.iter().filter(|(id, _)| !paired.contains(id)) {
            if map.names(Side::New, &decl.name) {
                found.named[1].push(*id);
            } else if written[1].contains(id) {
                found.added.push(decl.name.to_string());
            }
        }
        found
    }

    /// What is observed of either side.
    pub fn observed(&self) -> [Vec<ArrayId>; 2] {
        let of_pairs = [
            self.pairs.iter().map(|pair| pair.0).collect::<Vec<_>>(),
            self.pairs.iter().map(|pair| pair.1).collect(),
        ];
        let [old, new] = of_pairs;
        [
            [old, self.named[0].clone()].concat(),
            [new, self.named[1].clone()].concat(),
        ]
    }
}

/// Whether two declarations are of one variable: of one name for the linker, else of one name, and alike in type, length
/// and memory.
pub(super) fn is_one(old: &ArrayDecl, new: &ArrayDecl) -> bool {
    let is_named = match (&old.symbol, &new.symbol) {
        (Some(old), Some(new)) => old == new,
        _ => old.name == new.name,
    };
    let shape = |decl: &ArrayDecl| (decl.elem, decl.extent, decl.space);
    is_named && shape(old) == shape(new)
}

fn is_at_file_scope(decl: &ArrayDecl) -> bool {
    decl.owner.is_none() && !matches!(decl.space, Space::Shared | Space::Private)
}
