//! The cells of an array that differ from its first contents, on a persistent map of pages: a copy shares all pages that it
//! does not change, and neighbours lie together.

use crate::algebra::value::Value;
use im::OrdMap;
use im::ordmap::DiffItem;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Cells of a page.
const PER_PAGE: i64 = 32;

/// Cells by index. Equal ones are equal values.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Cells {
    /// By the index of their first cells, as a multiple of [`PER_PAGE`]; none of them is empty.
    pages: OrdMap<i64, Arc<Page>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Page {
    /// Which cells are there, a bit each.
    there: u32,
    /// `Undef` where none is.
    values: [Value; PER_PAGE as usize],
}

/// The page a cell is in, and where in the page.
const fn place(index: i64) -> (i64, usize) {
    (
        index.div_euclid(PER_PAGE),
        index.rem_euclid(PER_PAGE) as usize,
    )
}

impl Page {
    const EMPTY: Page = Page {
        there: 0,
        values: [Value::Undef; PER_PAGE as usize],
    };

    fn get(&self, at: usize) -> Option<Value> {
        (self.there >> at & 1 == 1).then(|| self.values[at])
    }

    fn set(&mut self, at: usize, value: Option<Value>) {
        self.there = self.there & !(1 << at) | u32::from(value.is_some()) << at;
        self.values[at] = value.unwrap_or(Value::Undef);
    }

    fn cells(&self) -> impl Iterator<Item = (usize, Value)> + '_ {
        (0..PER_PAGE as usize).filter_map(|at| Some((at, self.get(at)?)))
    }
}

/// Reads cells one after the other.
pub(super) struct InOrder<'a> {
    cells: &'a Cells,
    /// The last that was read of, and its number.
    page: Option<(i64, Option<&'a Page>)>,
}

impl InOrder<'_> {
    pub fn get(&mut self, index: i64) -> Option<Value> {
        let (number, at) = place(index);
        let page = match self.page {
            Some((known, page)) if known == number => page,
            _ => {
                let page = self.cells.pages.get(&number).map(|page| &**page);
                self.page = Some((number, page));
                page
            }
        };
        page?.get(at)
    }
}

impl Hash for Cells {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for (number, page) in &self.pages {
            (number, page.there).hash(state);
            for (_, value) in page.cells() {
                value.hash(state);
            }
        }
    }
}

impl Cells {
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    pub fn get(&self, index: i64) -> Option<Value> {
        let (number, at) = place(index);
        self.pages.get(&number)?.get(at)
    }

    /// Makes a cell one of these, or none.
    pub fn set(&mut self, index: i64, value: Option<Value>) {
        let (number, at) = place(index);
        self.change(number, |page| page.set(at, value));
    }

    fn change(&mut self, number: i64, change: impl FnOnce(&mut Page)) {
        let is_empty = match self.pages.get_mut(&number) {
            Some(page) => {
                let page = Arc::make_mut(page);
                change(page);
                page.there == 0
            }
            None => {
                let mut page = Page::EMPTY;
                change(&mut page);
                if page.there != 0 {
                    self.pages.insert(number, Arc::new(page));
                }
                false
            }
        };
        if is_empty {
            self.pages.remove(&number);
        }
    }

    /// Makes the cells from `to` on those that `source` has from `from` on, `n` of them; one that it has none for is
    /// `otherwise(index in source)`, and one that is `absent(index, value)` is none. Where whole pages can be shared, they are.
    pub fn copy_from(
        &mut self,
        to: i64,
        (source, from, n): (&Cells, i64, i64),
        otherwise: impl Fn(i64) -> Value,
        absent: impl Fn(i64, Value) -> bool,
    ) {
        let mut cells = source.in_order();
        let mut next = to;
        while next < to + n {
            let (number, at) = place(next);
            let here = (PER_PAGE - at as i64).min(to + n - next);
            let (source_number, source_at) = place(from + (next - to));
            let shared = match here == PER_PAGE && source_at == 0 {
                true => source.pages.get(&source_number).filter(|page| {
                    let stays = |(at, value)| !absent(next + at as i64, value);
                    page.there == u32::MAX && page.cells().all(stays)
                }),
                false => None,
            };
            match shared {
                Some(page) => {
                    self.pages.insert(number, page.clone());
                }
                None => self.change(number, |page| {
                    for index in next..next + here {
                        let source_index = from + (index - to);
                        let value = cells.get(source_index);
                        let value = value.unwrap_or_else(|| otherwise(source_index));
                        let value = (!absent(index, value)).then_some(value);
                        page.set((index - number * PER_PAGE) as usize, value);
                    }
                }),
            }
            next += here;
        }
    }

    /// To be read in order: each page is looked up once.
    pub fn in_order(&self) -> InOrder<'_> {
        InOrder {
            cells: self,
            page: None,
        }
    }

    /// The greatest index of them.
    pub fn last(&self) -> Option<i64> {
        let (number, page) = self.pages.get_max()?;
        let at = page.there.checked_ilog2()?;
        Some(number * PER_PAGE + i64::from(at))
    }

    /// The cells in which they differ, ascending. Takes time proportional to the difference if one was made from the other.
    pub fn differing(&self, other: &Cells) -> Vec<i64> {
        let mut found = Vec::new();
        for item in self.pages.diff(&other.pages) {
            let (number, old, new) = match item {
                DiffItem::Add(number, new) => (number, &Page::EMPTY, &**new),
                DiffItem::Remove(number, old) => (number, &**old, &Page::EMPTY),
                DiffItem::Update {
                    old: (number, old),
                    new: (_, new),
                } => (number, &**old, &**new),
            };
            let differs = |at: &usize| old.get(*at) != new.get(*at);
            let cells = (0..PER_PAGE as usize).filter(differs);
            found.extend(cells.map(|at| number * PER_PAGE + at as i64));
        }
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;
    use std::collections::BTreeMap;
    use std::hash::DefaultHasher;

    type Model = BTreeMap<i64, Value>;

    /// What a change makes of some cells; the model is a map. A cell is set, or some are copied from cells of `source`, that are
    /// often some whole pages away.
    fn changed(
        (cells, model): &(Cells, Model),
        (source, source_model): &(Cells, Model),
        &(index, value, n): &(i8, Option<i8>, u8),
    ) -> (Cells, Model) {
        let (mut cells, mut model) = (cells.clone(), model.clone());
        let to = i64::from(index);
        let number = |k: i64| match k.rem_euclid(7) {
            0 => Value::Undef,
            k => Value::i32(k as i32),
        };
        if n == 0 {
            let value = value.map(|v| number(v.into()));
            cells.set(to, value);
            match value {
                Some(value) => model.insert(to, value),
                None => model.remove(&to),
            };
            return (cells, model);
        }
        let from = match value {
            Some(value) if value % 4 == 0 => value.into(),
            value => to + i64::from(value.unwrap_or(0) % 3) * PER_PAGE,
        };
        let absent = |k: i64, value| k % 41 == 0 && value == number(k);
        cells.copy_from(to, (source, from, n.into()), number, absent);
        for k in 0..i64::from(n) {
            let value = source_model.get(&(from + k)).copied();
            let value = value.unwrap_or_else(|| number(from + k));
            match absent(to + k, value) {
                false => model.insert(to + k, value),
                true => model.remove(&(to + k)),
            };
        }
        (cells, model)
    }

    fn hash(cells: &Cells) -> u64 {
        let mut hasher = DefaultHasher::new();
        cells.hash(&mut hasher);
        hasher.finish()
    }

    quickcheck! {
        /// As a map of cells, whatever was done to it, and to others that were made from it.
        fn as_a_map(changes: Vec<(i8, Option<i8>, u8)>, others: Vec<(i8, Option<i8>, u8)>) -> bool {
            let begin = (Cells::default(), Model::new());
            let one = changes.iter().fold(begin, |at, change| changed(&at, &at, change));
            let other = others.iter().fold(one.clone(), |at, change| changed(&at, &one, change));
            for (cells, model) in [&one, &other] {
                let same = (-200..500).all(|k| cells.get(k) == model.get(&k).copied());
                let last = model.last_key_value().map(|(k, _)| *k);
                if !same || cells.last() != last || cells.is_empty() != model.is_empty() {
                    return false;
                }
                let mut in_order = cells.in_order();
                if (-200..500).any(|k| in_order.get(k) != cells.get(k)) {
                    return false;
                }
                // In another order.
                let mut again = Cells::default();
                for (k, value) in model.iter().rev() {
                    again.set(*k, Some(*value));
                }
                if again != *cells || hash(&again) != hash(cells) {
                    return false;
                }
            }
            let differs = |k: &i64| one.1.get(k) != other.1.get(k);
            let differing: Vec<i64> = (-200..500).filter(differs).collect();
            one.0.differing(&other.0) == differing && (one.0 == other.0) == differing.is_empty()
        }
    }
}
