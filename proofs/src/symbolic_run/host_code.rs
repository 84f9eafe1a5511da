//! Code of the host: a block of one thread, which runs each launch to its end before it goes on (R8 and R9 without streams;
//! with them [`super::host_streams`] sees to it that this is no matter).

use super::accesses::Accesses;
use super::host::Allocated;
use super::host_streams::Made;
use super::run::{At, Block, Frame, Run};
use super::value::{Held, Known, Place, Target};
use crate::machine::state::{Followed, unfollowed};
use crate::terms::term::TermId;
use gridlock_checker::canonical::streams::Streams;
use gridlock_semantics::algebra::declaration::Space;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::ProcId;
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::analysis::stream_operator::is_asynchronous;
use gridlock_semantics::setup::Launch;

/// Threads of a launch, all blocks together.
const MOST_THREADS: u64 = 16_384;

impl Run<'_> {
    pub fn allocated(&self, number: u32) -> &Allocated {
        &self.host.allocated[number as usize]
    }

    /// Runs the procedure of the host that the setup enters.
    pub(super) fn run_host(&mut self) -> Followed<()> {
        let proc = self.setup.entry;
        let entry = self.program.proc(proc);
        if is_asynchronous(self.program) {
            self.host.streams = Some(Streams::default());
        }
        let mut vars = vec![vec![None; 1]; entry.vars.len()];
        for (var, arg) in entry.params.iter().zip(self.arguments()?) {
            vars[var.0 as usize] = vec![arg];
        }
        let zero = self.terms.bits(32, 0);
        let always = self.terms.bool(true);
        self.block = Block {
            threads: vec![[zero; 3]],
            alive: vec![always],
            frames: vec![Frame { proc, vars }],
            of_warps: vec![0],
            ..Block::without_threads(zero)
        };
        self.host.is_running = true;
        let body = entry.body.clone();
        self.execute(&body, &[always])?;
        let result = entry
            .result
            .map(|var| self.frame().vars[var.0 as usize][0].clone());
        self.host.returned = result;
        self.streams_have_ended(entry.span)?;
        let mut kept = self.host.allocated.iter();
        if let Some(kept) = kept.find(|array| !array.is_freed && !array.kind.is_owned()) {
            let why = format!("memory of `{}` that is not given back", kept.name);
            return unfollowed(why, entry.span);
        }
        Ok(())
    }

    /// An operator that only the host has.
    pub(super) fn of_host(&mut self, basic: &Basic, at: At) -> Followed<()> {
        if self.stream_operator(basic, at)? {
            return Ok(());
        }
        match basic {
            Basic::InitGpu | Basic::DeviceSync => Ok(()),
            Basic::SetDevice { device } => {
                let device = self.scalar(device, at)?;
                match self.terms.as_bits(device) {
                    Some(0) => Ok(()),
                    _ => unfollowed("another device", at.span),
                }
            }
            Basic::Alloc {
                elem,
                space,
                var,
                bytes,
            } => {
                let bytes = self.whole(bytes, at, "memory whose size hangs on inputs")?;
                self.is_certainly_there(at)?;
                if bytes % elem.size() != 0 {
                    return unfollowed("memory for a part of an element", at.span);
                }
                let proc = self.program.proc(self.frame().proc);
                let number = self.host.allocated.len() as u32;
                self.host.allocated.push(Allocated {
                    name: proc.allocation_name(*var, at.span.line),
                    elem: *elem,
                    extent: bytes / elem.size(),
                    kind: *space,
                    is_freed: false,
                });
                let pointer = self.points_to(Place::Allocated(number));
                let value = self.certain(pointer);
                self.assign(*var, &Some(value), at)
            }
            Basic::Free {
                space,
                pointer,
                stream: None,
            } => self.free(*space, pointer, at).map(drop),
            Basic::Copy {
                kind,
                dst,
                src,
                bytes,
                stream: None,
            } => self.copy(*kind, [dst, src], bytes, at).map(drop),
            Basic::CallGpu { stream: None, .. } => self.launched(basic, at),
            _ => unfollowed("an operator of the host", at.span),
        }
    }

    /// A launch, whatever its stream.
    pub(super) fn launched(&mut self, basic: &Basic, at: At) -> Followed<()> {
        let Basic::CallGpu {
            kernel,
            grid,
            block,
            shared_bytes,
            args,
            ..
        } = basic
        else {
            return unfollowed("an operator of the host", at.span);
        };
        let launch = Launch {
            grid: self.extents(grid, at)?,
            block: self.extents(block, at)?,
            shared_bytes: self.extent(shared_bytes, at)?,
        };
        self.call_gpu(*kernel, launch, args, at)
    }

    fn extents(&mut self, of: &[Expr; 3], at: At) -> Followed<[u32; 3]> {
        let [x, y, z] = of;
        Ok([
            self.extent(x, at)?,
            self.extent(y, at)?,
            self.extent(z, at)?,
        ])
    }

    fn extent(&mut self, expr: &Expr, at: At) -> Followed<u32> {
        let why = "a launch whose extents hang on inputs";
        Ok(self.whole(expr, at, why)? as u32)
    }

    /// A number that does not hang on inputs.
    pub(super) fn whole(&mut self, expr: &Expr, at: At, otherwise: &str) -> Followed<u64> {
        let term = self.scalar(expr, at)?;
        match self.terms.as_bits(term) {
            Some(number) => Ok(number),
            None => unfollowed(otherwise, at.span),
        }
    }

    fn is_certainly_there(&self, at: At) -> Followed<()> {
        match self.terms.as_bool(at.guard) {
            Some(true) => Ok(()),
            _ => unfollowed(
                "memory that is asked for or given back if inputs say so",
                at.span,
            ),
        }
    }

    /// The one thing a pointer points to.
    fn target(&mut self, pointer: &Expr, at: At) -> Followed<Target> {
        let mut targets = self.pointer(pointer, at)?;
        match (targets.pop(), targets.is_empty()) {
            (Some(target), true) => Ok(target),
            _ => unfollowed("a pointer to several arrays", at.span),
        }
    }

    /// What is given back; `None`: nothing.
    pub(super) fn free(
        &mut self,
        space: AllocSpace,
        pointer: &Expr,
        at: At,
    ) -> Followed<Option<Place>> {
        let target = self.target(pointer, at)?;
        if target.place == Place::Null {
            return Ok(None);
        }
        self.is_certainly_there(at)?;
        let is_start = self.terms.as_bits(target.offset) == Some(0);
        let Place::Allocated(number) = target.place else {
            return unfollowed("memory given back that was not asked for", at.span);
        };
        let array = &mut self.host.allocated[number as usize];
        let fits = match space {
            AllocSpace::Global | AllocSpace::OwnedGlobal => array.space() == Space::Global,
            AllocSpace::Host | AllocSpace::Owned => {
                matches!(array.kind, AllocSpace::Host | AllocSpace::Owned)
            }
            kind => array.kind == kind,
        };
        if !fits || !is_start || array.is_freed {
            return unfollowed("memory given back otherwise than it was asked for", at.span);
        }
        array.is_freed = true;
        Ok(Some(target.place))
    }

    /// Whose side a place is on: whether the host's.
    pub(super) fn is_on_host(&self, place: Place) -> bool {
        match place {
            Place::Private(_) => self.host.is_running,
            place => self.space(place) == Space::Host,
        }
    }

    /// Requires that whoever runs now reaches an array, and that it was not given back.
    pub(super) fn is_in_reach(&self, place: Place, span: Span) -> Followed<()> {
        if let Place::Allocated(number) = place
            && self.allocated(number).is_freed
        {
            return unfollowed("memory that was given back", span);
        }
        let is_reached = self.is_on_host(place) == self.host.is_running;
        match is_reached || self.is_managed(place) {
            true => Ok(()),
            false => unfollowed("memory of the other side", span),
        }
    }

    /// Whether both sides reach a place.
    fn is_managed(&self, place: Place) -> bool {
        match place {
            Place::Allocated(number) => self.allocated(number).kind == AllocSpace::Managed,
            Place::Global(id) => self.program.array(id).is_managed,
            _ => false,
        }
    }

    /// The copy that is made; `None`: of nothing.
    pub(super) fn copy(
        &mut self,
        kind: CopyKind,
        [to, from]: [&Expr; 2],
        bytes: &Expr,
        at: At,
    ) -> Followed<Option<Made>> {
        let (to, from) = (self.target(to, at)?, self.target(from, at)?);
        let bytes = self.whole(bytes, at, "a copy whose size hangs on inputs")?;
        if bytes == 0 {
            return Ok(None);
        }
        let span = at.span;
        let arrays = [to.place, from.place].map(|place| self.array_of(place));
        let kind = kind.resolved(arrays[0], arrays[1]);
        let sides = kind.on_host(arrays[0], arrays[1]);
        let is_there =
            |place, is_on_host| self.is_on_host(place) == is_on_host || self.is_managed(place);
        if !is_there(to.place, sides.0) || !is_there(from.place, sides.1) {
            return unfollowed("a copy in another direction than it says", span);
        }
        let (elem, _) = self.shape(to.place, span)?;
        let (of_source, _) = self.shape(from.place, span)?;
        if elem != of_source || bytes % elem.size() != 0 {
            return unfollowed("a copy between elements of several types", span);
        }
        let n = bytes / elem.size();
        let mut begins = [0, 0];
        for (begin, target) in begins.iter_mut().zip([&to, &from]) {
            let Some(offset) = self.terms.as_bits(target.offset) else {
                return unfollowed("a copy whose place hangs on inputs", span);
            };
            let is_freed = match target.place {
                Place::Allocated(number) => self.allocated(number).is_freed,
                Place::Shared(_) | Place::Null => true,
                _ => false,
            };
            let (_, extent) = self.shape(target.place, span)?;
            let end = (offset as i64).checked_add(n as i64);
            let is_inside = end.is_some_and(|end| {
                offset as i64 >= 0 && extent.is_none_or(|extent| end as u64 <= extent)
            });
            if is_freed || !is_inside {
                return unfollowed("a copy beyond an array", span);
            }
            *begin = offset as i64;
        }
        self.spend(n, span)?;
        let [to_cell, from_cell] = begins;
        let source = self.instance(from.place, at.thread);
        // What is copied is what was there before.
        let mut copied: Vec<Held> = Vec::new();
        for k in 0..n as i64 {
            copied.push(self.cell(source, from_cell + k, span)?);
        }
        let sink = self.instance(to.place, at.thread);
        for (k, held) in copied.into_iter().enumerate() {
            let cell = self.terms.bits(64, (to_cell + k as i64) as u64);
            self.write(sink, cell, at.guard, &held, span)?;
        }
        Ok(Some(Made {
            kind,
            to: (to.place, to_cell),
            from: (from.place, from_cell),
            n,
        }))
    }

    /// R8, what the grid does, and R9.
    fn call_gpu(&mut self, kernel: ProcId, launch: Launch, args: &[Expr], at: At) -> Followed<()> {
        let device = &self.setup.device;
        if device.accept(&launch, self.program, kernel).is_err() {
            return unfollowed("a launch that the device refuses", at.span);
        }
        if launch.n_blocks().saturating_mul(launch.n_threads()) > MOST_THREADS {
            return unfollowed("a launch of too many threads", at.span);
        }
        let mut values: Vec<Held> = Vec::with_capacity(args.len());
        for arg in args {
            let value = self.value(arg, at)?;
            if let Known::Pointer(targets) = &value.known {
                let is_own = |place| matches!(place, Place::Private(_) | Place::Shared(_));
                if targets.iter().any(|target| is_own(target.place)) {
                    return unfollowed("memory of the other side", at.span);
                }
            }
            values.push(Some(value));
        }
        let zero: TermId = self.terms.bits(32, 0);
        let of_host = std::mem::replace(&mut self.block, Block::without_threads(zero));
        let private = self.memory.take_private();
        self.accesses = Accesses::default();
        self.host.is_running = false;
        self.run_grid(kernel, launch, &values, at.guard)?;
        self.host.is_running = true;
        self.accesses = Accesses::default();
        self.memory.put_private(private);
        self.block = of_host;
        self.launch = None;
        Ok(())
    }
}
