//! Contents of an array from a file: plain bytes, or the format of NumPy (`.npy`, versions 1 to 3).

use crate::input::error::{ErrorKind, InputError};
use gridlock_boundary::input;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::algebra::value::Value;
use std::path::Path;
use std::sync::Arc;

/// What stands in the file, before the type of the array is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContents {
    path: String,
    bytes: Arc<Vec<u8>>,
    /// Where the elements begin.
    start: usize,
    /// Of an `.npy` file.
    element: Option<Element>,
}

/// The type of the elements, as NumPy writes it: `<f4`.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Element {
    text: String,
    /// `f`, `i`, `u` or `b`.
    kind: char,
    /// In bytes.
    size: usize,
    is_big_endian: bool,
    /// The product of the shape.
    count: usize,
}

/// Why a file does not hold the elements of an array: `a file of 3 bytes, which …`.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct NoElements(String);

const MAGIC: &[u8] = b"\x93NUMPY";

impl FileContents {
    /// Reads a file; one that begins as `.npy` files do is taken for one.
    ///
    /// # Errors
    /// It cannot be read, or is an `.npy` file that is cut off, in Fortran's order, or of other elements than
    /// numbers.
    pub fn read(path: &str) -> Result<FileContents, InputError> {
        let wrong = |kind, why: String| InputError::new(kind, why).in_file(path);
        let bytes = input::read(Path::new(path)).map_err(|e| {
            wrong(
                ErrorKind::File,
                format!("cannot read the contents of an array: {e}"),
            )
        })?;
        let (start, element) = match bytes.starts_with(MAGIC) {
            true => {
                let (start, element) =
                    header(&bytes).map_err(|why| wrong(ErrorKind::Syntax, why.to_string()))?;
                (start, Some(element))
            }
            false => (0, None),
        };
        Ok(FileContents {
            path: path.to_owned(),
            bytes: Arc::new(bytes),
            start,
            element,
        })
    }

    /// As the command line names it.
    pub fn text(&self) -> String {
        format!("@{}", self.path)
    }

    /// The elements, as an array of this type.
    ///
    /// # Errors
    /// The file's elements are of another type, or the bytes do not come out even.
    pub fn cells(&self, elem: ScalarType) -> Result<Vec<Value>, NoElements> {
        let size = elem.size() as usize;
        let name = elem.usual_name();
        let body = &self.bytes[self.start..];
        let mut is_big_endian = false;
        if let Some(element) = &self.element {
            if (element.kind, element.size) != (kind(elem), size) {
                return Err(NoElements(format!(
                    "a file of elements `{}`, and the array's are of type {name}",
                    element.text
                )));
            }
            is_big_endian = element.is_big_endian;
            if body.len() != element.count * size {
                return Err(NoElements(format!(
                    "a file of {} bytes of elements, where its shape needs {}",
                    body.len(),
                    element.count * size
                )));
            }
        } else if !body.len().is_multiple_of(size) {
            return Err(NoElements(format!(
                "a file of {} bytes, which elements of type {name} do not divide",
                body.len()
            )));
        }
        let cells = body.chunks_exact(size).map(|chunk| {
            let byte = |(at, byte): (usize, &u8)| u64::from(*byte) << (8 * at);
            let bits = match is_big_endian {
                false => chunk.iter().enumerate().map(byte).sum::<u64>(),
                true => chunk.iter().rev().enumerate().map(byte).sum::<u64>(),
            };
            match elem {
                ScalarType::Bool => Value::Bool(bits != 0),
                ScalarType::F32 => Value::f32(f32::from_bits(bits as u32)),
                ScalarType::F64 => Value::f64(f64::from_bits(bits)),
                integer => Value::int(integer, i128::from(bits)),
            }
        });
        Ok(cells.collect())
    }
}

/// The letter of a type in NumPy.
fn kind(elem: ScalarType) -> char {
    match elem {
        ScalarType::Bool => 'b',
        elem if elem.is_float() => 'f',
        elem if elem.is_signed() => 'i',
        _ => 'u',
    }
}

/// Where the elements of an `.npy` file begin, and what they are.
fn header(bytes: &[u8]) -> Result<(usize, Element), NoElements> {
    let cut = || NoElements("an .npy file whose header is cut off".to_owned());
    let version = *bytes.get(MAGIC.len()).ok_or_else(cut)?;
    let n_bytes = match version {
        1 => 2,
        2 | 3 => 4,
        _ => {
            return Err(NoElements(format!(
                "an .npy file of version {version}; 1 to 3 are read"
            )));
        }
    };
    let at = MAGIC.len() + 2;
    let length = bytes.get(at..at + n_bytes).ok_or_else(cut)?;
    let length = length
        .iter()
        .rev()
        .fold(0usize, |n, byte| n << 8 | usize::from(*byte));
    let start = (at + n_bytes).checked_add(length).ok_or_else(cut)?;
    let text = bytes.get(at + n_bytes..start).ok_or_else(cut)?;
    let text = String::from_utf8_lossy(text);
    let after = |key: &str| {
        let quoted = [format!("'{key}':"), format!("\"{key}\":")];
        let found = quoted.iter().find_map(|key| text.split_once(key.as_str()));
        found
            .map(|(_, rest)| rest.trim_start())
            .ok_or_else(|| NoElements(format!("an .npy file without `{key}` in its header")))
    };
    let descr = after("descr")?;
    let quote = descr.chars().next().filter(|c| matches!(c, '\'' | '"'));
    let descr = quote.and_then(|quote| descr[1..].split_once(quote).map(|(text, _)| text));
    let shape = after("shape")?;
    let shape = shape
        .strip_prefix('(')
        .and_then(|rest| rest.split_once(')'));
    let shape = shape
        .ok_or_else(|| NoElements("an .npy file whose shape is no tuple".to_owned()))?
        .0;
    let extents = shape
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    let extents: Option<Vec<usize>> = extents.map(|part| part.parse().ok()).collect();
    let extents = extents.ok_or_else(|| NoElements(format!("an .npy file of shape ({shape})")))?;
    let count = extents
        .iter()
        .try_fold(1usize, |n, extent| n.checked_mul(*extent));
    if after("fortran_order")?.starts_with("True") && extents.len() > 1 {
        return Err(NoElements(
            "an .npy file in Fortran's order: store it in C's".to_owned(),
        ));
    }
    let descr =
        descr.ok_or_else(|| NoElements("an .npy file of structured elements".to_owned()))?;
    let element = element(descr, count.unwrap_or(usize::MAX / 16)).ok_or_else(|| {
        NoElements(format!(
            "an .npy file of elements `{descr}`, which are no numbers that are read"
        ))
    })?;
    Ok((start, element))
}

fn element(descr: &str, count: usize) -> Option<Element> {
    let mut letters = descr.chars();
    let order = letters.next()?;
    let kind = letters.next().filter(|kind| "fiub".contains(*kind))?;
    let size: usize = letters.as_str().parse().ok()?;
    (matches!(order, '<' | '>' | '|' | '=') && matches!(size, 1 | 2 | 4 | 8)).then(|| Element {
        text: descr.to_owned(),
        kind,
        size,
        is_big_endian: order == '>',
        count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn npy(header: &str, body: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        bytes.extend(body);
        bytes
    }

    fn check(bytes: &[u8], elem: ScalarType, expected: Result<&[Value], &str>) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let read = FileContents::read(&file.path().display().to_string());
        let cells = match read {
            Ok(read) => read.cells(elem).map_err(|why| why.to_string()),
            Err(error) => Err(error.message),
        };
        match (cells, expected) {
            (Ok(cells), Ok(expected)) => assert_eq!(cells, expected),
            (Err(why), Err(part)) => assert!(why.contains(part), "{why}"),
            (cells, expected) => panic!("{cells:?}, expected {expected:?}"),
        }
    }

    #[test]
    fn plain_bytes() {
        check(
            &[1, 0, 0, 0, 255, 255, 255, 255],
            ScalarType::I32,
            Ok(&[1, -1].map(Value::i32)),
        );
        check(
            &1.5f32.to_le_bytes(),
            ScalarType::F32,
            Ok(&[Value::f32(1.5)]),
        );
        check(
            &[0, 7],
            ScalarType::Bool,
            Ok(&[Value::Bool(false), Value::Bool(true)]),
        );
        check(
            &[1, 2, 3],
            ScalarType::I32,
            Err("3 bytes, which elements of type int do not divide"),
        );
        check(&[], ScalarType::I32, Ok(&[]));
    }

    #[test]
    fn files_of_numpy() {
        let head = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }";
        let body: Vec<u8> = [1.5f32, -2.0]
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        check(
            &npy(head, &body),
            ScalarType::F32,
            Ok(&[1.5, -2.0].map(Value::f32)),
        );
        check(
            &npy(head, &body),
            ScalarType::I32,
            Err("`<f4`, and the array's are of type int"),
        );
        check(
            &npy(head, &body[..4]),
            ScalarType::F32,
            Err("its shape needs 8"),
        );
        let big = "{'descr': '>i2', 'fortran_order': False, 'shape': (1, 2)}";
        let two = [1, 2].map(|n| Value::int(ScalarType::I16, n));
        check(&npy(big, &[0, 1, 0, 2]), ScalarType::I16, Ok(&two));
        let fortran = "{'descr': '<i2', 'fortran_order': True, 'shape': (1, 2)}";
        check(
            &npy(fortran, &[0, 1, 0, 2]),
            ScalarType::I16,
            Err("Fortran's order"),
        );
        let text = "{'descr': '<U3', 'fortran_order': False, 'shape': (1,)}";
        check(&npy(text, &[0; 12]), ScalarType::I32, Err("no numbers"));
        check(&npy(head, &body)[..20], ScalarType::F32, Err("cut off"));
        check(b"\x93NUMPY", ScalarType::F32, Err("cut off"));
    }
}
