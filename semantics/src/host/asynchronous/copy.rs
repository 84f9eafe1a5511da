//! Copies in a program with streams: what the host waits for, and what is still in flight when it continues (the
//! table in docs/host.md). The effect of a copy on memory is in [`copy`](crate::thread::copy).

use super::super::happening::{Happening, Range, Toucher};
use super::super::state::State;
use super::super::streams::{StreamId, Work};
use super::calls::{Enabled, HostStep};
use crate::algebra::expr::Expr;
use crate::algebra::operator::CopyKind;
use crate::algebra::value::{ArrayRef, Pointer};
use crate::thread::copy::copy;
use crate::thread::view::View;
use crate::transition::AccessMode;
use crate::transition::fault::FaultKind;

impl HostStep<'_> {
    /// A copy in a stream is enqueued; any other copy is made at once, as soon as the host need not wait for earlier
    /// operations.
    pub fn copy(
        &mut self,
        kind: CopyKind,
        (dst, src): (&Expr, &Expr),
        bytes: &Expr,
        stream: Option<&Expr>,
    ) -> Result<Enabled, FaultKind> {
        let dst = self.reading.pointer(dst)?;
        let src = self.reading.pointer(src)?;
        let bytes = self.reading.byte_count(bytes)?;
        let id = match stream {
            Some(stream) => self.stream(stream)?,
            None => StreamId::Default(self.thread.device),
        };
        let kind = kind.resolved(dst.array, src.array);
        let (mut memory, mut thread) = (self.state.memory.clone(), self.thread.clone());
        let sides = (dst, src);
        copy(&self.reading, &mut memory, &mut thread, kind, sides, bytes)?;
        if stream.is_some() && kind != CopyKind::HostToHost {
            let work = Work::Copy {
                kind,
                dst,
                src,
                bytes,
            };
            self.enqueue(id, work);
            return Ok(Enabled::Yes);
        }
        let host = Toucher::Host(self.who);
        let [written, read] = self.state.ranges(self.reading.view, dst, src, bytes);
        // A copy between places of the host takes no part in streams (`memcpy` is the same).
        if kind != CopyKind::HostToHost {
            let before = self.state.queues.before(id);
            if self.wait_for(before.clone()) == Enabled::No {
                return Ok(Enabled::No);
            }
            let pinned = self
                .state
                .memory
                .array(src.array)
                .is_some_and(|a| a.info.pinned);
            let ticket = self.after.queues.ended(id);
            self.happenings.push(Happening::Enqueued {
                host: self.who,
                ticket,
                after: before,
            });
            let operation = Toucher::Operation(ticket);
            match kind {
                CopyKind::HostToDevice if !pinned => {
                    self.touched(host, read);
                    self.touched(operation, written);
                }
                CopyKind::DeviceToDevice => {
                    self.touched(operation, [read, written].into_iter().flatten())
                }
                _ => self.touched(host, [read, written].into_iter().flatten()),
            }
        } else {
            self.touched(host, [read, written].into_iter().flatten());
        }
        (self.after.memory, self.thread) = (memory, thread);
        Ok(Enabled::Yes)
    }
}

impl State {
    /// What a copy writes and reads; nothing when it copies nothing.
    pub fn ranges(
        &self,
        view: View<'_>,
        dst: Pointer,
        src: Pointer,
        bytes: u64,
    ) -> [Option<Range>; 2] {
        let range = |pointer: Pointer, mode| {
            let elem = match pointer.array {
                ArrayRef::Private(id) => view.context.program.array(id).elem,
                other => self.memory.array(other)?.info.elem,
            };
            (bytes > 0).then_some(Range {
                array: pointer.array,
                first: pointer.offset,
                len: bytes / elem.size(),
                mode,
            })
        };
        [range(dst, AccessMode::Write), range(src, AccessMode::Read)]
    }
}
