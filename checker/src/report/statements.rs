//! What a report says beside its verdicts, each thing once.

use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::Display;

/// A value that a report says as a sentence: an assumption, a remark, something not judged. Its `Display` is the one
/// rendering, a sentence without a full stop. In JSON it is `kind` (stable), `arguments` (an object) and `text`.
pub trait Statement: PartialEq + Display {
    /// Whether a reader of `self` learns nothing new from `other`.
    fn says(&self, other: &Self) -> bool {
        self == other
    }
}

/// Statements of which none says what another says: a list of distinct values, where a stronger one takes the place
/// of those it says already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statements<T>(Vec<T>);

impl<T> Default for Statements<T> {
    fn default() -> Statements<T> {
        Statements(Vec::new())
    }
}

impl<T> Statements<T> {
    /// In the order in which they were noted.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.0.iter()
    }

    /// Whether nothing was noted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many statements there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl<T: Statement> Statements<T> {
    /// Adds a statement, unless one that is there says it. Where it says what others say, it stands in the place of
    /// the first of them.
    pub fn note(&mut self, statement: T) {
        if self.0.iter().any(|known| known.says(&statement)) {
            return;
        }
        let place = self.0.iter().position(|known| statement.says(known));
        self.0.retain(|known| !statement.says(known));
        self.0.insert(place.unwrap_or(self.0.len()), statement);
    }

    /// The sentences, in order.
    pub fn texts(&self) -> Vec<String> {
        self.0.iter().map(T::to_string).collect()
    }
}

/// The first two statements of which one says what the other says, or that have one sentence between them. Nothing
/// that [`Statements::note`] has made holds such a pair.
pub fn said_twice<T: Statement>(statements: &[T]) -> Option<(&T, &T)> {
    let pairs = statements.iter().enumerate();
    let mut pairs = pairs.flat_map(|(i, a)| statements[i + 1..].iter().map(move |b| (a, b)));
    pairs.find(|(a, b)| a.says(b) || b.says(a) || a.to_string() == b.to_string())
}

impl<T: Statement> Extend<T> for Statements<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, statements: I) {
        statements.into_iter().for_each(|one| self.note(one));
    }
}

impl<T: Statement> FromIterator<T> for Statements<T> {
    fn from_iter<I: IntoIterator<Item = T>>(statements: I) -> Statements<T> {
        let mut noted = Statements::default();
        noted.extend(statements);
        noted
    }
}

impl<T> IntoIterator for Statements<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a Statements<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

/// A statement as reports hold it.
#[derive(Serialize)]
struct Object<'a, T> {
    #[serde(flatten)]
    statement: &'a T,
    text: String,
}

/// A list of objects.
impl<T: Statement + Serialize> Serialize for Statements<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|statement| Object {
            statement,
            text: statement.to_string(),
        }))
    }
}

/// The list of objects; `text` follows from the rest.
impl<'de, T: Statement + Deserialize<'de>> Deserialize<'de> for Statements<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Statements<T>, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}

/// Two fields of a report that say the same: a list of sentences and one of objects.
pub(super) fn as_fields<T, S>(
    statements: &Statements<T>,
    (sentences, objects): (&'static str, &'static str),
    serializer: S,
) -> Result<S::Ok, S::Error>
where
    T: Statement + Serialize,
    S: Serializer,
{
    let mut fields = serializer.serialize_map(Some(2))?;
    fields.serialize_entry(sentences, &statements.texts())?;
    fields.serialize_entry(objects, statements)?;
    fields.end()
}

/// `` `a`, `b` ``
pub fn quoted(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}
