//! Host operators: each becomes a site of its own, its operands in registers.

use super::instruction::HostSite;
use super::operator::Builder;
use gridlock_semantics::algebra::operator::Basic;

impl Builder<'_> {
    pub(super) fn host_operator(&mut self, basic: &Basic) {
        match basic {
            Basic::InitGpu => self.emit_host(HostSite::Nothing),
            Basic::DeviceSync => self.emit_host(HostSite::DeviceSync),
            Basic::SetDevice { device } => {
                let device = self.scalar(device);
                self.emit_host(HostSite::SetDevice(device));
            }
            Basic::StreamCreate { var, non_blocking } => {
                let (dst, non_blocking) = (self.slot(*var).reg, *non_blocking);
                self.emit_host(HostSite::StreamCreate { dst, non_blocking });
                self.assigned(*var);
            }
            Basic::EventCreate { var } => {
                let dst = self.slot(*var).reg;
                self.emit_host(HostSite::EventCreate(dst));
                self.assigned(*var);
            }
            Basic::StreamDestroy { stream } => {
                let stream = self.scalar(stream);
                self.emit_host(HostSite::StreamDestroy(stream));
            }
            Basic::StreamSync { stream } => {
                let stream = self.scalar(stream);
                self.emit_host(HostSite::StreamSync(stream));
            }
            Basic::EventDestroy { event } => {
                let event = self.scalar(event);
                self.emit_host(HostSite::EventDestroy(event));
            }
            Basic::EventSync { event } => {
                let event = self.scalar(event);
                self.emit_host(HostSite::EventSync(event));
            }
            Basic::EventRecord { event, stream } => {
                let event = self.scalar(event);
                let stream = self.scalar(stream);
                self.emit_host(HostSite::EventRecord { event, stream });
            }
            Basic::StreamWait { stream, event } => {
                let stream = self.scalar(stream);
                let event = self.scalar(event);
                self.emit_host(HostSite::StreamWait { stream, event });
            }
            Basic::Wait { .. } => self.emit_host(HostSite::Wait),
            Basic::Alloc {
                var,
                elem,
                bytes,
                space,
            } => {
                let bytes = (self.scalar(bytes), bytes.scalar_type());
                let dst = self.slot(*var).reg;
                let proc = self.program.proc(self.frame.proc);
                let name = proc.allocation_name(*var, self.line);
                let (elem, space) = (*elem, *space);
                self.emit_host(HostSite::Alloc {
                    dst,
                    elem,
                    bytes,
                    space,
                    name,
                });
                self.assigned(*var);
            }
            Basic::Free {
                pointer,
                space,
                stream,
            } => {
                let ptr = self.pointer(pointer);
                let stream = stream.as_ref().map(|stream| self.scalar(stream));
                let space = *space;
                self.emit_host(HostSite::Free { ptr, space, stream });
            }
            Basic::Copy {
                kind,
                dst,
                src,
                bytes,
                stream,
            } => {
                let dst = self.pointer(dst);
                let src = self.pointer(src);
                let bytes = (self.scalar(bytes), bytes.scalar_type());
                let stream = stream.as_ref().map(|stream| self.scalar(stream));
                self.emit_host(HostSite::Copy {
                    kind: *kind,
                    dst,
                    src,
                    bytes,
                    stream,
                });
            }
            Basic::CallGpu {
                kernel,
                grid,
                block,
                shared_bytes,
                args,
                stream,
                cooperative: _,
            } => {
                let mut shape = [0; 7];
                let extents = grid
                    .iter()
                    .chain(block)
                    .chain(std::iter::once(shared_bytes));
                for (reg, extent) in shape.iter_mut().zip(extents) {
                    *reg = self.scalar(extent);
                }
                let args = args.iter().map(|arg| (self.value(arg), arg.ty)).collect();
                let stream = stream.as_ref().map(|stream| self.scalar(stream));
                self.emit_host(HostSite::CallGpu {
                    kernel: *kernel,
                    shape,
                    args,
                    stream,
                });
            }
            // Operators of the device are dealt with elsewhere.
            _ => {}
        }
    }
}
