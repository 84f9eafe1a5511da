//! What the threads of a block did to global memory, in a wide run of the block alone ([`super::in_order`]).

use crate::compiled::instruction::Pc;
use crate::compiled::memory::Array;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::operator::Orders;

/// An access to a global array that the launch writes.
#[derive(Clone, Copy, Debug)]
pub struct Logged {
    /// Barriers of the block before it, and of these those that order global memory.
    pub interval: u32,
    pub global_interval: u32,
    pub thread: u32,
    pub pc: Pc,
    pub array: u32,
    pub index: usize,
    /// What the cell held before; `None`: nothing yet.
    pub before: Option<u64>,
    /// What was written; `None` of a read.
    pub written: Option<u64>,
}

/// Accesses, barriers and ends of threads of one block.
#[derive(Debug, Default)]
pub struct Log {
    pub accesses: Vec<Logged>,
    /// The barriers passed, in order.
    pub barriers: Vec<Orders>,
    /// By thread: the interval in which it ended.
    pub ended: Vec<Option<u32>>,
    /// Of the accesses to come.
    pub global_interval: u32,
}

impl Log {
    /// Forgets a block; the next has as many threads.
    pub fn begin(&mut self, n_threads: u32) {
        self.accesses.clear();
        self.barriers.clear();
        self.ended.clear();
        self.ended.resize(n_threads as usize, None);
        self.global_interval = 0;
    }

    /// The number of the present interval.
    pub fn interval(&self) -> u32 {
        self.barriers.len() as u32
    }

    /// Adds a read of a location, by array and index, of what it holds.
    pub fn read(&mut self, (array, index): (u32, usize), thread: u32, pc: Pc, bits: u64) {
        self.add((array, index), thread, pc, (Some(bits), None));
    }

    /// Adds a write; `bits` before and after it.
    pub fn write(
        &mut self,
        place: (u32, usize),
        thread: u32,
        pc: Pc,
        (before, bits): (Option<u64>, u64),
    ) {
        self.add(place, thread, pc, (before, Some(bits)));
    }

    fn add(
        &mut self,
        (array, index): (u32, usize),
        thread: u32,
        pc: Pc,
        (before, written): (Option<u64>, Option<u64>),
    ) {
        self.accesses.push(Logged {
            interval: self.interval(),
            global_interval: self.global_interval,
            thread,
            pc,
            array,
            index,
            before,
            written,
        });
    }

    /// These threads have ended by now; those that are known to have are left as they are.
    pub fn end(&mut self, threads: impl Iterator<Item = u32>) {
        let interval = self.interval();
        for thread in threads {
            if let Some(ended) = self.ended.get_mut(thread as usize) {
                ended.get_or_insert(interval);
            }
        }
    }

    /// A barrier is passed.
    pub fn pass(&mut self, orders: Orders) {
        self.barriers.push(orders);
        self.global_interval += orders.includes(Space::Global) as u32;
    }

    /// Whether two threads touched one location in one interval, and not both only read it.
    pub fn has_conflict(&self) -> bool {
        let place = |access: &Logged| (access.array, access.index, access.global_interval);
        let mut sorted: Vec<&Logged> = self.accesses.iter().collect();
        sorted.sort_unstable_by_key(|access| place(access));
        sorted
            .chunk_by(|a, b| place(a) == place(b))
            .any(|together| {
                let of_one = together
                    .iter()
                    .all(|access| access.thread == together[0].thread);
                !of_one && together.iter().any(|access| access.written.is_some())
            })
    }

    /// Lets global memory hold what it held before.
    pub fn undo(&self, global: &[Array]) {
        for access in self.accesses.iter().rev() {
            let (Some(_), Some(array)) = (access.written, global.get(access.array as usize)) else {
                continue;
            };
            match access.before {
                Some(bits) => array.write(access.index, bits),
                None => array.unset(access.index),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every sequence of three accesses by two threads to one of two cells, with a barrier before the last or not.
    #[test]
    fn a_conflict_is_two_threads_at_one_location_in_one_interval() {
        for n in 0..8usize.pow(3) * 2 {
            let mut log = Log::default();
            log.begin(2);
            let mut made = Vec::new();
            for k in 0..3 {
                if k == 2 && n % 2 == 1 {
                    log.pass(Orders::All);
                }
                let kind = n / 2 / 8usize.pow(k) % 8;
                let (thread, index, writes) = (kind as u32 & 1, kind >> 1 & 1, kind >> 2 == 1);
                match writes {
                    true => log.write((0, index), thread, 0, (Some(1), 2)),
                    false => log.read((0, index), thread, 0, 1),
                }
                made.push((log.interval(), thread, index, writes));
            }
            let conflict = |a: &(u32, u32, usize, bool), b: &(u32, u32, usize, bool)| {
                a.0 == b.0 && a.1 != b.1 && a.2 == b.2 && (a.3 || b.3)
            };
            let expected = made.iter().any(|a| made.iter().any(|b| conflict(a, b)));
            assert_eq!(log.has_conflict(), expected, "{made:?}");
        }
    }

    /// A barrier that orders shared memory alone parts nothing here.
    #[test]
    fn other_memory_is_not_parted() {
        let mut log = Log::default();
        log.begin(2);
        log.write((0, 0), 0, 0, (None, 1));
        log.pass(Orders::Shared);
        log.read((0, 0), 1, 0, 1);
        assert!(log.has_conflict());
        assert_eq!(log.interval(), 1);
    }

    #[test]
    fn what_was_written_is_taken_back() {
        use gridlock_semantics::algebra::types::ScalarType;
        use gridlock_semantics::setup::Contents;
        let array = Array::new(
            "a".into(),
            Space::Global,
            ScalarType::I32,
            Some(4),
            Contents::Undef,
        );
        array.write(1, 5);
        let mut log = Log::default();
        log.begin(1);
        for (index, bits) in [(1, 6), (1, 7), (2, 8)] {
            log.write((0, index), 0, 0, (array.read(index), bits));
            array.write(index, bits);
        }
        let global = [array];
        log.undo(&global);
        assert_eq!([1, 2].map(|index| global[0].read(index)), [Some(5), None]);
    }
}
