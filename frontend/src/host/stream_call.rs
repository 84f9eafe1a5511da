//! The runtime's streams and events. A handle is a number; 0 is the default stream.

use crate::body::Body;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::Place;
use crate::syntax::casts::{behind_address, behind_void, is_null};
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind};
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use gridlock_semantics::host::streams::PER_THREAD;

/// `cudaStreamNonBlocking`.
const NON_BLOCKING: i128 = 1;

const HANDLE: Type = Type::Scalar(ScalarType::U64);

/// `cudaStreamPerThread`.
pub(crate) fn per_thread() -> Expr {
    Expr::constant(Value::int(ScalarType::U64, i128::from(PER_THREAD)))
}

impl Body<'_, '_> {
    /// Whether the call is one of these.
    pub(crate) fn stream_call(
        &mut self,
        node: &Node,
        name: &str,
        arguments: &[&Node],
    ) -> Result<bool> {
        let span = self.span(node);
        let operator = match (name, arguments) {
            ("cudaStreamCreate", [target]) => {
                self.make_handle(target, node, |var| Basic::StreamCreate {
                    var,
                    non_blocking: false,
                })?;
                return Ok(true);
            }
            ("cudaStreamCreateWithFlags", [target, flags])
            | ("cudaStreamCreateWithPriority", [target, flags, _]) => {
                let value = self.value(flags)?;
                let value = constant::evaluate(&value).and_then(Value::as_integer);
                let non_blocking = match value {
                    Some(flags) => flags & NON_BLOCKING != 0,
                    None => return self.refuse(flags, "flags of a stream that are not constant"),
                };
                self.make_handle(target, node, |var| Basic::StreamCreate {
                    var,
                    non_blocking,
                })?;
                return Ok(true);
            }
            ("cudaEventCreate", [target]) | ("cudaEventCreateWithFlags", [target, _]) => {
                self.make_handle(target, node, |var| Basic::EventCreate { var })?;
                return Ok(true);
            }
            ("cudaMallocAsync", [target, bytes, stream]) => {
                self.allocate_in_turn(node, target, bytes, stream)?;
                return Ok(true);
            }
            ("cudaFreeAsync", [pointer, stream]) => {
                self.free_in_turn(node, pointer, stream)?;
                return Ok(true);
            }
            ("cudaStreamDestroy", [stream]) => Basic::StreamDestroy {
                stream: self.handle(stream)?,
            },
            ("cudaStreamSynchronize", [stream]) => Basic::StreamSync {
                stream: self.handle(stream)?,
            },
            ("cudaEventDestroy", [event]) => Basic::EventDestroy {
                event: self.handle(event)?,
            },
            ("cudaEventSynchronize", [event]) => Basic::EventSync {
                event: self.handle(event)?,
            },
            ("cudaEventRecord", [event, rest @ ..]) => {
                let mut event = vec![self.handle(event)?];
                let stream = match rest.first() {
                    Some(stream) => self.after(&mut event, |body| body.handle(stream))?,
                    None => Expr::int(ScalarType::U64, 0),
                };
                let Some(event) = event.pop() else {
                    return self.refuse(node, "this record");
                };
                Basic::EventRecord { event, stream }
            }
            ("cudaStreamWaitEvent", [stream, event, ..]) => {
                let mut stream = vec![self.handle(stream)?];
                let event = self.after(&mut stream, |body| body.handle(event))?;
                let Some(stream) = stream.pop() else {
                    return self.refuse(node, "this wait");
                };
                Basic::StreamWait { stream, event }
            }
            _ => return Ok(false),
        };
        self.emit(operator, span);
        Ok(true)
    }

    /// Memory that exists from the allocation's turn in the stream on. An operation in the stream writes all of it,
    /// so that an access which is not ordered after the allocation conflicts with this write.
    fn allocate_in_turn(
        &mut self,
        node: &Node,
        target: &Node,
        bytes: &Node,
        stream: &Node,
    ) -> Result<()> {
        let span = self.span(node);
        let mut parts = vec![self.value(bytes)?];
        let stream = self.after(&mut parts, |body| body.handle(stream))?;
        let stream = self.keep(stream, span);
        let (Some(bytes), Some(variable)) = (parts.pop(), behind_address(target)) else {
            return self.refuse(target, "an allocation into anything but a variable");
        };
        let bytes = self.keep(bytes, span);
        self.allocate_bytes_into(target, bytes.clone(), AllocSpace::Global, node)?;
        let shares = match self.pointed_struct(variable) {
            Some(of) => {
                let shares = self.group_bytes(bytes, &of, node)?.into_iter();
                shares.map(|(_, bytes)| bytes).collect()
            }
            None => vec![bytes],
        };
        for (pointer, bytes) in self.pointers(variable)?.into_iter().zip(shares) {
            let uses = Basic::Copy {
                kind: CopyKind::DeviceToDevice,
                dst: pointer.clone(),
                src: pointer,
                bytes,
                stream: Some(stream.clone()),
            };
            self.emit(uses, span);
        }
        Ok(())
    }

    fn free_in_turn(&mut self, node: &Node, pointer: &Node, stream: &Node) -> Result<()> {
        if is_null(pointer) {
            return self.handle(stream).map(|_| ());
        }
        let span = self.span(node);
        let mut pointers = self.pointers(behind_void(pointer))?;
        let stream = self.after(&mut pointers, |body| body.handle(stream))?;
        for pointer in pointers {
            if pointer.ty.pointer().is_none() {
                return self.refuse(node, "freeing this");
            }
            let free = Basic::Free {
                pointer,
                space: AllocSpace::Global,
                stream: Some(stream.clone()),
            };
            self.emit(free, span);
        }
        Ok(())
    }

    /// The stream or event an expression names.
    pub(crate) fn handle(&mut self, node: &Node) -> Result<Expr> {
        if node.is(Kind::CXXDefaultArgExpr) || is_null(node) {
            return Ok(Expr::int(ScalarType::U64, 0));
        }
        let handle = self.value(node)?;
        if handle.ty != HANDLE {
            return self.refuse(node, "this stream or event");
        }
        Ok(handle)
    }

    /// `make(&target)`.
    fn make_handle(
        &mut self,
        target: &Node,
        node: &Node,
        operator: impl FnOnce(VarId) -> Basic,
    ) -> Result<()> {
        let span = self.span(node);
        let Some(target) = behind_address(target) else {
            return self.refuse(target, "a stream or event into anything but a variable");
        };
        let place = self.place(target)?;
        if let Place::Var(var, HANDLE) = place {
            self.emit(operator(var), span);
            return Ok(());
        }
        let var = self.temporary(HANDLE, span);
        self.emit(operator(var), span);
        self.write(&place, Expr::var(var, HANDLE), span, node)
    }
}
