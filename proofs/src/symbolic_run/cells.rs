//! What the cells of arrays hold in a run on unknown inputs: read, written, and inside of their arrays.

use super::memory::Instance;
use super::run::Run;
use super::value::{Held, Known, Place, Value, merged};
use crate::machine::state::{Followed, unfollowed};
use crate::machine::value::sort_of;
use crate::terms::function::Function;
use crate::terms::term::{Node, Order, TermId};
use gridlock_semantics::algebra::declaration::{Extent, Space};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::ScalarType;
use gridlock_semantics::setup::Contents;
use smallvec::smallvec;

/// A cell whose number is a term may be one of so many, and no more.
const MOST_CANDIDATES: usize = 4_096;

impl Run<'_> {
    pub fn space(&self, place: Place) -> Space {
        match place {
            Place::Argument(_) if self.host.is_entry => Space::Host,
            Place::Null | Place::Argument(_) => Space::Global,
            Place::Allocated(number) => self.allocated(number).space(),
            Place::Global(id) | Place::Shared(id) | Place::Private(id) => {
                self.program.array(id).space
            }
        }
    }

    /// The array's name, for messages.
    pub fn name(&self, place: Place) -> String {
        match place {
            Place::Null => "null".to_owned(),
            Place::Argument(index) => self.setup.arrays[index].name.to_string(),
            Place::Allocated(number) => self.allocated(number).name.to_string(),
            Place::Global(id) | Place::Shared(id) | Place::Private(id) => {
                self.program.array(id).name.to_string()
            }
        }
    }

    /// Type and number of elements; `None`: it extends as far as it is used.
    pub fn shape(&self, place: Place, span: Span) -> Followed<(ScalarType, Option<u64>)> {
        Ok(match place {
            Place::Null => return unfollowed("a null pointer", span),
            Place::Argument(index) => {
                let array = &self.setup.arrays[index];
                (array.elem, array.extent)
            }
            Place::Allocated(number) => {
                let array = self.allocated(number);
                (array.elem, Some(array.extent))
            }
            Place::Global(id) | Place::Shared(id) | Place::Private(id) => {
                let decl = self.program.array(id);
                let extent = match decl.extent {
                    Extent::Fixed(n) => n,
                    Extent::LaunchShared => {
                        let others = self.program.arrays.iter().filter(|other| {
                            other.extent == Extent::LaunchShared && other.owner == decl.owner
                        });
                        if others.count() > 1 {
                            return unfollowed("dynamic shared memory under several names", span);
                        }
                        let bytes = self.launch.map_or(0, |launch| launch.shared_bytes);
                        if bytes == 0 {
                            let why = "dynamic shared memory of which the launch does not say how much there is";
                            return unfollowed(why, span);
                        }
                        u64::from(bytes) / decl.elem.size()
                    }
                };
                (decl.elem, Some(extent))
            }
        })
    }

    /// What a cell holds before anything is written to it.
    pub fn first(&mut self, place: Place, cell: TermId, span: Span) -> Followed<Held> {
        let (elem, _) = self.shape(place, span)?;
        let unknown = match place {
            Place::Argument(index) => self.unknowns.arrays[index].as_ref(),
            Place::Global(id) => self.unknowns.declared.get(&id),
            Place::Null | Place::Shared(_) | Place::Private(_) | Place::Allocated(_) => None,
        };
        if let Some(name) = unknown {
            let number = self.terms.as_bits(cell);
            if let Some(term) = number.and_then(|number| self.names.cell(place, number)) {
                return Ok(Some(self.certain(Known::Scalar(term))));
            }
            let term = self.terms.intern(Node::Apply {
                function: Function::Input(self.names.of_input(place, name)),
                result: sort_of(elem),
                args: smallvec![cell],
            });
            if let Some(number) = number {
                self.names.keep_cell(place, number, term);
            }
            return Ok(Some(self.certain(Known::Scalar(term))));
        }
        let contents = match place {
            Place::Null => return unfollowed("a null pointer", span),
            Place::Argument(index) => self.setup.arrays[index].contents.clone(),
            Place::Allocated(_) => Contents::Undef,
            Place::Global(id) => self.setup.first_contents(id, self.program.array(id)),
            Place::Shared(id) | Place::Private(id) => match &self.program.array(id).init {
                None => Contents::Undef,
                Some(values) => Contents::Values(values.clone()),
            },
        };
        if contents == Contents::Undef {
            return Ok(None);
        }
        let Some(number) = self.terms.as_bits(cell) else {
            return unfollowed(
                "an index that depends on inputs, into contents that are given",
                span,
            );
        };
        self.of_value(contents.cell(elem, number), span)
    }

    /// What a cell of known number holds.
    pub fn cell(&mut self, (place, thread): Instance, cell: i64, span: Span) -> Followed<Held> {
        match self.memory.at((place, thread), cell) {
            Some(held) => Ok(held.clone()),
            None => {
                let number = self.terms.bits(64, cell as u64);
                self.first(place, number, span)
            }
        }
    }

    /// What the cell holds whose number is a term.
    pub fn read(
        &mut self,
        instance: Instance,
        cell: TermId,
        guard: TermId,
        span: Span,
    ) -> Followed<Held> {
        if self.is_common(instance.0) {
            return self.read_common(instance, cell, guard, span);
        }
        if let Some(number) = self.terms.as_bits(cell) {
            return self.cell(instance, number as i64, span);
        }
        let cells: Vec<(i64, Held)> = self
            .memory
            .written(instance)
            .map(|(cell, held)| (cell, held.clone()))
            .collect();
        if cells.len() > MOST_CANDIDATES {
            return unfollowed("an index that depends on inputs, into many cells", span);
        }
        let mut result = self.first(instance.0, cell, span)?;
        for (number, held) in cells {
            let number = self.terms.bits(64, number as u64);
            let here = self.terms.eq(cell, number);
            result = self.chosen(here, &held, &result, span)?;
        }
        Ok(result)
    }

    /// Writes where `guard` holds.
    pub fn write(
        &mut self,
        instance: Instance,
        cell: TermId,
        guard: TermId,
        value: &Held,
        span: Span,
    ) -> Followed<()> {
        if self.is_common(instance.0) {
            self.write_common(instance.0, cell, guard, value, span);
            return Ok(());
        }
        if let Some(number) = self.terms.as_bits(cell) {
            return self.write_cell(instance, number as i64, guard, value, span);
        }
        let (_, extent) = self.shape(instance.0, span)?;
        let Some(extent) = extent.filter(|n| *n <= MOST_CANDIDATES as u64) else {
            return unfollowed("a write to a cell that depends on inputs", span);
        };
        for number in 0..extent as i64 {
            let term = self.terms.bits(64, number as u64);
            let here = self.terms.eq(cell, term);
            let here = self.terms.and(guard, here);
            if self.terms.as_bool(here) != Some(false) {
                self.write_cell(instance, number, here, value, span)?;
            }
            self.spend(1, span)?;
        }
        Ok(())
    }

    fn write_cell(
        &mut self,
        instance: Instance,
        cell: i64,
        guard: TermId,
        value: &Held,
        span: Span,
    ) -> Followed<()> {
        let new = match self.terms.as_bool(guard) {
            Some(true) => value.clone(),
            _ => {
                let old = self.cell(instance, cell, span)?;
                self.chosen(guard, value, &old, span)?
            }
        };
        self.memory.set(instance, cell, new);
        Ok(())
    }

    pub fn chosen(&mut self, cond: TermId, a: &Held, b: &Held, span: Span) -> Followed<Held> {
        match merged(self.terms, cond, a, b) {
            Some(held) => Ok(held),
            None => unfollowed("a pointer beside a number", span),
        }
    }

    /// A value that is certainly there.
    pub fn certain(&mut self, known: Known) -> Value {
        let defined = self.terms.bool(true);
        Value { known, defined }
    }

    /// Requires that a cell is inside of its array.
    pub fn inside(
        &mut self,
        place: Place,
        cell: TermId,
        guard: TermId,
        span: Span,
    ) -> Followed<()> {
        // Whether it is, is asked of the kernel by itself ([`crate::kernel`]).
        if self.is_common(place) {
            return Ok(());
        }
        self.is_in_reach(place, span)?;
        let (_, extent) = self.shape(place, span)?;
        if let Some(number) = self.terms.as_bits(cell)
            && (number as i64) >= 0
            && extent.is_none_or(|extent| number < extent)
        {
            return Ok(());
        }
        let zero = self.terms.bits(64, 0);
        let mut cond = self.terms.less(Order::SignedLessEq, zero, cell);
        if let Some(extent) = extent {
            let extent = self.terms.bits(64, extent);
            let below = self.terms.less(Order::SignedLess, cell, extent);
            cond = self.terms.and(cond, below);
        }
        self.oblige(
            guard,
            cond,
            |run| format!("an index outside of `{}`", run.name(place)),
            span,
        )
    }
}
