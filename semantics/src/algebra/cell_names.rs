//! The names of an array's cells in the source: `s[1][0]`, `s[2].pos.x`. In a program the cells are numbered in a
//! row, and the members of structs with one scalar type have an array of their own. The names do not change the
//! meaning of a program: states, schemes and comparisons of programs ignore them.

use crate::algebra::declaration::{ArrayDecl, Extent};
use std::sync::Arc;

/// The cells of one scalar type in a type, as they are numbered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Of one scalar.
    Cell,
    /// Elements side by side, and how many.
    Array(Arc<Shape>, u64),
    /// The members that have such cells, in order.
    Struct(Arc<[Member]>),
}

/// A member of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Empty for an unnamed part of the struct: a base class, an anonymous struct.
    pub name: Arc<str>,
    /// The cells it has of that scalar type.
    pub shape: Shape,
}

impl Shape {
    /// How many cells it has; `None` where they cannot be numbered.
    pub fn n_cells(&self) -> Option<u64> {
        match self {
            Shape::Cell => Some(1),
            Shape::Array(of, len) => of.n_cells()?.checked_mul(*len),
            Shape::Struct(members) => members
                .iter()
                .try_fold(0u64, |sum, member| sum.checked_add(member.shape.n_cells()?)),
        }
    }

    /// The text behind the name of the whole that names a cell of it (`.pos.x`, `[1][0]`), or the largest struct that
    /// starts at that cell.
    fn path(&self, cell: u64, largest: bool, into: &mut String) {
        match self {
            Shape::Cell => {}
            Shape::Struct(_) if largest && cell == 0 => {}
            Shape::Array(of, _) => {
                let each = of.n_cells().unwrap_or(1).max(1);
                into.push_str(&format!("[{}]", cell / each));
                of.path(cell % each, largest, into);
            }
            Shape::Struct(members) => {
                let mut rest = cell;
                for Member { name, shape } in members.iter() {
                    let own = shape.n_cells().unwrap_or(0);
                    if rest < own {
                        if !name.is_empty() {
                            into.push('.');
                            into.push_str(name);
                        }
                        return shape.path(rest, largest, into);
                    }
                    rest -= own;
                }
            }
        }
    }

    /// The element type of arrays of arrays of it.
    fn element(&self) -> &Shape {
        match self {
            Shape::Array(of, _) => of.element(),
            other => other,
        }
    }
}

/// The names of the cells of one array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CellNames {
    /// The variable or parameter whose memory it is, or is part of.
    pub base: Arc<str>,
    /// Whether a subscript follows that name.
    pub is_array: bool,
    /// The cells of one element, or of the variable itself.
    pub of: Shape,
}

impl CellNames {
    /// The name of a cell, also of one before the first or behind the last.
    pub fn name(&self, cell: i64) -> String {
        self.text(cell, false)
    }

    /// The name of the object that a pointer to a cell points to: the struct, if one starts there.
    pub fn object(&self, cell: i64) -> String {
        self.text(cell, true)
    }

    fn text(&self, cell: i64, largest: bool) -> String {
        let each = self.of.n_cells().and_then(|n| i64::try_from(n).ok());
        let each = each.unwrap_or(1).max(1);
        let (element, inside) = (cell.div_euclid(each), cell.rem_euclid(each));
        let mut name = self.base.to_string();
        if self.is_array || element != 0 {
            name.push_str(&format!("[{element}]"));
        }
        self.of.path(inside as u64, largest, &mut name);
        name
    }

    /// How many elements (structs or scalars) this number of cells is.
    pub fn elements(&self, cells: u64) -> u64 {
        cells / self.of.element().n_cells().unwrap_or(1).max(1)
    }

    /// The names that follow from the array's own name and its dimensions, if nothing else is known.
    pub fn of_declaration(decl: &ArrayDecl) -> CellNames {
        let (base, members) = match members(&decl.name) {
            Some((base, members)) => (base, members),
            None => (&*decl.name, Vec::new()),
        };
        let n = members.len() as u64;
        // The last dimension counts the members.
        let dims = match decl.dims.split_last() {
            Some((last, structs)) if n > 1 && *last == n => structs,
            _ => &decl.dims,
        };
        let is_single = match members.is_empty() {
            true => dims.is_empty() && decl.extent == Extent::Fixed(1),
            false => decl.extent == Extent::Fixed(n),
        };
        let inner = dims.get(1..).unwrap_or(&[]);
        // One dimension only where another is empty.
        let inner = if inner.contains(&0) { &[] } else { inner };
        let of = inner.iter().rev().fold(struct_of(&members), |of, dim| {
            Shape::Array(Arc::new(of), *dim)
        });
        CellNames {
            base: base.into(),
            is_array: !is_single,
            of,
        }
    }

    /// The names that follow from the name of an argument or an allocation, if that is the name of a group of
    /// members: `p.{x,z}`.
    pub fn of_name(name: &str) -> CellNames {
        let (base, members) = match members(name) {
            Some((base, members)) if members.len() > 1 => (base, members),
            _ => (name, Vec::new()),
        };
        CellNames {
            base: base.into(),
            is_array: true,
            of: struct_of(&members),
        }
    }
}

fn struct_of(members: &[&str]) -> Shape {
    let member = |name: &&str| Member {
        name: (*name).into(),
        shape: Shape::Cell,
    };
    match members {
        [] => Shape::Cell,
        members => Shape::Struct(members.iter().map(member).collect()),
    }
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
    use crate::algebra::declaration::Space;
    use crate::algebra::span::Span;
    use crate::algebra::types::ScalarType;
    use quickcheck::{Arbitrary, Gen, quickcheck};
    use std::collections::HashSet;

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
            symbol: None,
            span: Span::NONE,
        }
    }

    #[test]
    fn told_by_declarations() {
        let cases: [(&str, &[u64], u64, i64, &str); 16] = [
            ("s", &[4, 32], 128, 32, "s[1][0]"),
            ("s", &[4, 32], 128, 131, "s[4][3]"),
            ("s", &[4, 32], 128, -1, "s[-1][31]"),
            ("cube", &[2, 3, 4], 24, 23, "cube[1][2][3]"),
            ("row", &[8], 8, 5, "row[5]"),
            ("empty", &[8, 0], 0, 5, "empty[5]"),
            ("count", &[], 1, 0, "count"),
            ("count", &[], 1, 1, "count[1]"),
            ("u.{x,z}", &[2, 4, 2], 16, 11, "u[1][1].z"),
            ("u.{x,z}", &[2, 4, 2], 16, 16, "u[2][0].x"),
            ("u.y", &[2, 4], 8, 5, "u[1][1].y"),
            ("v.m", &[3, 2], 6, 3, "v[1][1].m"),
            ("p.{x,z}", &[16], 16, 5, "p[2].z"),
            ("one.{x,z}", &[2], 2, 1, "one.z"),
            ("one.{x,z}", &[2], 2, 2, "one[1].x"),
            ("many.{a..f}", &[12], 12, 9, "many.{a..f}[9]"),
        ];
        for (name, dims, extent, cell, expected) in cases {
            let names = CellNames::of_declaration(&declared(name, dims, extent));
            assert_eq!(names.name(cell), expected);
        }
    }

    /// A pointer in a struct has a name like that of a member's array, so that is not taken for one.
    #[test]
    fn told_by_names() {
        for (name, cell, expected) in [
            ("argument", 7, "argument[7]"),
            ("p.{x,z}", 5, "p[2].z"),
            ("args.out", 7, "args.out[7]"),
            ("many.{a..f}", 9, "many.{a..f}[9]"),
        ] {
            assert_eq!(CellNames::of_name(name).name(cell), expected);
        }
    }

    impl Arbitrary for Shape {
        fn arbitrary(g: &mut Gen) -> Shape {
            fn any(g: &mut Gen, depth: usize) -> Shape {
                match u8::arbitrary(g) % 3 {
                    1 if depth > 0 => {
                        let len = 1 + u64::arbitrary(g) % 3;
                        Shape::Array(Arc::new(any(g, depth - 1)), len)
                    }
                    2 if depth > 0 => {
                        let n = 1 + usize::arbitrary(g) % 3;
                        let member = |at: usize| Member {
                            name: format!("m{at}").into(),
                            shape: any(g, depth - 1),
                        };
                        Shape::Struct((0..n).map(member).collect())
                    }
                    _ => Shape::Cell,
                }
            }
            any(g, 3)
        }
    }

    /// All cells as a reader of the declaration would list them.
    fn listed(shape: &Shape, before: &str) -> Vec<String> {
        match shape {
            Shape::Cell => vec![before.to_owned()],
            Shape::Array(of, len) => (0..*len)
                .flat_map(|at| listed(of, &format!("{before}[{at}]")))
                .collect(),
            Shape::Struct(members) => members
                .iter()
                .flat_map(|member| listed(&member.shape, &format!("{before}.{}", member.name)))
                .collect(),
        }
    }

    quickcheck! {
        /// The names of the cells of `T a[3]` are those that the declaration lists, each once, and before and behind
        /// them the subscript goes on.
        fn one_name_a_cell(of: Shape) -> bool {
            let each = of.n_cells().unwrap_or(0) as i64;
            let names = CellNames { base: "a".into(), is_array: true, of: of.clone() };
            let found: Vec<String> = (-each..4 * each).map(|cell| names.name(cell)).collect();
            let expected: Vec<String> =
                (-1..4).flat_map(|at| listed(&of, &format!("a[{at}]"))).collect();
            let distinct: HashSet<&String> = found.iter().collect();
            found == expected && distinct.len() == found.len()
        }

        fn a_variable_has_no_subscript(of: Shape) -> bool {
            let each = of.n_cells().unwrap_or(0) as i64;
            let names = CellNames { base: "a".into(), is_array: false, of: of.clone() };
            let found: Vec<String> = (0..each).map(|cell| names.name(cell)).collect();
            found == listed(&of, "a") && names.name(each).starts_with("a[1]")
        }
    }

    #[test]
    fn what_has_no_name_is_passed_over() {
        let member = |name: &str, shape: Shape| Member {
            name: name.into(),
            shape,
        };
        let base = Shape::Struct([member("x", Shape::Cell), member("y", Shape::Cell)].into());
        let row = Shape::Array(Arc::new(Shape::Cell), 2);
        let names = CellNames {
            base: "p".into(),
            is_array: true,
            of: Shape::Struct([member("", base), member("row", row)].into()),
        };
        let found: Vec<String> = (3..8).map(|cell| names.name(cell)).collect();
        let expected = [
            "p[0].row[1]",
            "p[1].x",
            "p[1].y",
            "p[1].row[0]",
            "p[1].row[1]",
        ];
        assert_eq!(found, expected);
        let found: Vec<String> = (3..7).map(|cell| names.object(cell)).collect();
        assert_eq!(found, ["p[0].row[1]", "p[1]", "p[1].y", "p[1].row[0]"]);
        assert_eq!(names.elements(128), 32);
    }
}
