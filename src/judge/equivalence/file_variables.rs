//! Variables of the two files: they are observed like arrays that are arguments, and correspond by name.

use super::sides::Compared;
use gridlock_checker::equiv::{ObservationMap, Side};
use gridlock_semantics::algebra::declaration::{ArrayDecl, Extent, Space};
use gridlock_semantics::algebra::ids::ArrayId;
use gridlock_semantics::algebra::program::Program;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::analysis::may_write::may_write;
use std::collections::{BTreeMap, BTreeSet};

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
        let (of_old, of_new) = (&old.prepared.surface, &new.prepared.surface);
        let pairs = same_variables(of_old, of_new);
        let mut found = FileVariables::default();
        for (id, decl) in at_file_scope(of_old) {
            match pairs.get(&id) {
                Some(other) if written[0].contains(&id) || written[1].contains(other) => {
                    found.pairs.push((id, *other));
                }
                Some(_) => {}
                None if map.names(Side::Old, &decl.name) => found.named[0].push(id),
                None if written[0].contains(&id) => found.lost.push(decl.name.to_string()),
                None => {}
            }
        }
        let paired: BTreeSet<ArrayId> = pairs.into_values().collect();
        for (id, decl) in at_file_scope(of_new).filter(|(id, _)| !paired.contains(id)) {
            if map.names(Side::New, &decl.name) {
                found.named[1].push(id);
            } else if written[1].contains(&id) {
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

/// The variable of the new file that each of the old one corresponds to, if any: alike in type, length and memory, and of
/// one name for the linker; several of one name, of which no more is known, in their order, if there are as many of them
/// on either side. A static variable of a function has another name for the linker once its function has, or once it
/// stands outside: of those left over it corresponds to its namesake, where each file has one alone.
pub(super) fn same_variables(old: &Program, new: &Program) -> BTreeMap<ArrayId, ArrayId> {
    let (mut of_old, mut of_new) = (at_file_scope(old).collect(), at_file_scope(new).collect());
    let mut pairs = BTreeMap::new();
    pair_up(&mut of_old, &mut of_new, &mut pairs, is_one, usize::MAX);
    pair_up(&mut of_old, &mut of_new, &mut pairs, is_namesake, 1);
    pairs
}

type Declared<'a> = Vec<(ArrayId, &'a ArrayDecl)>;

/// Pairs those that are `alike`, at most so many at a time, in their order; as many on either side, or none of them.
fn pair_up(
    old: &mut Declared<'_>,
    new: &mut Declared<'_>,
    pairs: &mut BTreeMap<ArrayId, ArrayId>,
    alike: fn(&ArrayDecl, &ArrayDecl) -> bool,
    most: usize,
) {
    let mut paired = BTreeSet::new();
    for (id, decl) in &*old {
        let of = |side: &Declared<'_>| -> Vec<ArrayId> {
            let alike = side.iter().filter(|(_, other)| alike(decl, other));
            alike.map(|(id, _)| *id).collect()
        };
        let (of_old, of_new) = (of(old), of(new));
        if of_old.len() == of_new.len()
            && of_old.len() <= most
            && let Some(at) = of_old.iter().position(|other| other == id)
        {
            pairs.insert(*id, of_new[at]);
            paired.insert(of_new[at]);
        }
    }
    old.retain(|(id, _)| !pairs.contains_key(id));
    new.retain(|(id, _)| !paired.contains(id));
}

/// Whether two declarations are of one variable: of one name for the linker, else of one name, and alike in type, length
/// and memory.
fn is_one(old: &ArrayDecl, new: &ArrayDecl) -> bool {
    let is_named = match (&old.symbol, &new.symbol) {
        (Some(old), Some(new)) => old == new,
        _ => old.name == new.name,
    };
    is_named && shape(old) == shape(new)
}

/// Whether two declarations, one of them of a static variable of a function, have one name in the source; lowered text
/// numbers those of one name.
fn is_namesake(a: &ArrayDecl, b: &ArrayDecl) -> bool {
    fn plain(name: &str) -> &str {
        let digits = |c: char| c.is_ascii_digit();
        match name.rsplit_once('_') {
            Some((plain, number)) if number.chars().all(digits) => plain,
            _ => name,
        }
    }
    let is_of_function = |decl: &ArrayDecl| {
        let symbol = decl.symbol.as_deref();
        symbol.is_some_and(|symbol| symbol.starts_with("_ZZ"))
    };
    plain(&a.name) == plain(&b.name)
        && shape(a) == shape(b)
        && (is_of_function(a) || is_of_function(b))
}

fn shape(decl: &ArrayDecl) -> (ScalarType, Extent, Space) {
    (decl.elem, decl.extent, decl.space)
}

fn at_file_scope(program: &Program) -> impl Iterator<Item = (ArrayId, &ArrayDecl)> {
    let declared = (0..).map(ArrayId).zip(&program.arrays);
    declared.filter(|(_, decl)| {
        decl.owner.is_none() && !matches!(decl.space, Space::Shared | Space::Private)
    })
}
