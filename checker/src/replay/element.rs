//! The element of an array as the source writes it: `s[1][0]`, `s[0].y`. The program that runs numbers
//! the cells of an array in a row, and keeps the members of structs that have one type together in an
//! array of their own.

use gridlock_semantics::program::{Extent, Program};

/// The element of a number, in the words of the source; `s[7]` where the array's name does not tell
/// its members.
pub fn element(program: &Program, array: &str, index: i64) -> String {
    let declared = program.arrays.iter().find(|decl| *decl.name == *array);
    let dims = declared.map_or(&[][..], |decl| &decl.dims);
    if let Some((base, members)) = members(array) {
        let n = members.len() as i64;
        let member = members[index.rem_euclid(n) as usize];
        let is_single = declared.is_some_and(|d| d.extent == Extent::Fixed(members.len() as u64));
        let inside = (0..n).contains(&index);
        // The last dimension counts the members.
        let structs = match dims.split_last() {
            Some((last, structs)) if n > 1 && *last == members.len() as u64 => structs,
            _ => dims,
        };
        return match is_single && inside {
            true => format!("{base}.{member}"),
            false => format!(
                "{base}{}.{member}",
                subscripts(structs, index.div_euclid(n))
            ),
        };
    }
    let is_scalar = declared.is_some_and(|d| d.dims.is_empty() && d.extent == Extent::Fixed(1));
    match is_scalar && index == 0 {
        true => array.to_owned(),
        false => format!("{array}{}", subscripts(dims, index)),
    }
}

/// The subscripts of a cell of an array of some dimensions.
fn subscripts(dims: &[u64], index: i64) -> String {
    let inner = dims.get(1..).unwrap_or(&[]);
    if inner.contains(&0) {
        return format!("[{index}]");
    }
    let (mut rest, mut subscripts) = (index, Vec::new());
    for &extent in inner.iter().rev() {
        let extent = i64::try_from(extent).unwrap_or(i64::MAX);
        subscripts.push(rest.rem_euclid(extent));
        rest = rest.div_euclid(extent);
    }
    subscripts.push(rest);
    let subscripts = subscripts.iter().rev().map(|n| format!("[{n}]"));
    subscripts.collect()
}

/// A struct's array and the members it holds, in their order: `s.{x,z}`, `s.y`. `None` for other
/// arrays, and where the name leaves members out.
fn members(array: &str) -> Option<(&str, Vec<&str>)> {
    let (base, members) = array.split_once('.')?;
    let listed = match members.strip_prefix('{') {
        Some(list) => list.strip_suffix('}')?,
        None => return Some((base, vec![members])),
    };
    (!listed.contains("..")).then(|| (base, listed.split(',').collect()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use gridlock_semantics::program::{ArrayDecl, Form, Space};
    use gridlock_semantics::span::Span;
    use gridlock_semantics::types::ScalarType;

    fn declared(name: &str, dims: &[u64], extent: u64) -> ArrayDecl {
        ArrayDecl {
            name: name.into(),
            elem: ScalarType::I32,
            extent: Extent::Fixed(extent),
            dims: dims.to_vec(),
            space: Space::Shared,
            is_volatile: false,
            is_managed: false,
            init: None,
            owner: None,
            span: Span::NONE,
        }
    }

    #[test]
    fn as_written() {
        let program = Program {
            files: vec![],
            arrays: vec![
                declared("s", &[4, 32], 128),
                declared("cube", &[2, 3, 4], 24),
                declared("row", &[8], 8),
                declared("count", &[], 1),
                declared("u.{x,z}", &[2, 4, 2], 16),
                declared("u.y", &[2, 4], 8),
                declared("v.m", &[3, 2], 6),
                declared("one.{x,z}", &[2], 2),
                declared("p.{x,z}", &[16], 16),
            ],
            procs: vec![],
            form: Form::Surface,
        };
        for (array, index, expected) in [
            ("s", 32, "s[1][0]"),
            ("s", 131, "s[4][3]"),
            ("s", -1, "s[-1][31]"),
            ("cube", 23, "cube[1][2][3]"),
            ("row", 5, "row[5]"),
            ("argument", 7, "argument[7]"),
            ("count", 0, "count"),
            ("count", 1, "count[1]"),
            ("u.{x,z}", 11, "u[1][1].z"),
            ("u.{x,z}", 16, "u[2][0].x"),
            ("u.y", 5, "u[1][1].y"),
            ("v.m", 3, "v[1][1].m"),
            ("p.{x,z}", 5, "p[2].z"),
            ("p.y", 3, "p[3].y"),
            ("a.pos.y", 0, "a[0].pos.y"),
            ("one.{x,z}", 1, "one.z"),
            ("one.{x,z}", 2, "one[1].x"),
            ("many.{a..f}", 9, "many.{a..f}[9]"),
        ] {
            assert_eq!(element(&program, array, index), expected);
        }
    }
}
