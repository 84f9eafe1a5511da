//! Copies and settings of planes: rows that lie a pitch apart (`cudaMemcpy2D`, `cudaMemset2D`,
//! `cudaMallocPitch`). A plane is copied row by row.

use crate::body::Body;
use crate::body::code::Code;
use crate::body::operands::Operand;
use crate::constant;
use crate::refusal::Result;
use crate::storage::place::moved;
use crate::syntax::Node;
use crate::syntax::casts::{behind_address, behind_void};
use gridlock_semantics::algebra::expr::{BinaryOp, Expr};
use gridlock_semantics::algebra::operator::{AllocSpace, Basic, CopyKind, Op, OpKind};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};

const SIZE: Type = Type::Scalar(ScalarType::U64);

/// The pitch is a multiple of this many bytes, as on real devices.
const PITCH: i64 = 512;

fn size(n: i64) -> Expr {
    Expr::int(ScalarType::U64, n)
}

impl Code<'_, '_> {
    /// How many cells a pitch in bytes is: a whole number of them.
    fn cells_of_pitch(&mut self, pitch: Expr, elem: ScalarType, span: Span) -> Expr {
        let pitch = constant::convert(pitch, SIZE);
        let pitch = match constant::evaluate(&pitch) {
            Some(value) => Expr::constant(value),
            None => self.keep(pitch, span),
        };
        let of_cell = size(elem.size() as i64);
        if elem.size() > 1 {
            let left = constant::binary(BinaryOp::Rem, pitch.clone(), of_cell.clone());
            let cond = constant::binary(BinaryOp::Eq, left, size(0));
            if constant::truth(&cond) != Some(true) {
                self.emit(Basic::Assert { cond }, span);
            }
        }
        let cells = constant::binary(BinaryOp::Div, pitch, of_cell);
        self.keep(cells, span)
    }

    /// A loop over the rows of a plane.
    fn for_rows(&mut self, height: Expr, span: Span, of_row: impl FnOnce(Expr) -> Vec<Basic>) {
        let var = self.declare("row", SIZE, span);
        let row = Expr::var(var, SIZE);
        let init = Basic::Assign {
            var,
            value: size(0),
        };
        let step = Basic::Assign {
            var,
            value: Expr::binary(BinaryOp::Add, row.clone(), size(1)),
        };
        let mut body: Vec<_> = of_row(row.clone())
            .into_iter()
            .map(|basic| Op::basic(basic, span))
            .collect();
        body.push(Op::basic(step, span));
        let round = OpKind::While {
            cond: Expr::binary(BinaryOp::Lt, row, height),
            body: Op::new(OpKind::Seq(body), span),
        };
        let whole = vec![Op::basic(init, span), Op::new(round, span)];
        self.ops.push(Op::new(OpKind::Seq(whole), span));
    }
}

impl Body<'_, '_> {
    /// `cudaMallocPitch(&p, &pitch, width, height)`.
    pub(crate) fn allocate_pitched(
        &mut self,
        node: &Node,
        target: &Node,
        pitch: &Node,
        [width, height]: [&Node; 2],
    ) -> Result<()> {
        let span = self.span(node);
        let Some(pitch) = behind_address(pitch) else {
            return self.refuse(pitch, "a result into anything but a variable");
        };
        let mut extents = self.operands(&[Operand::Value(width), Operand::Value(height)])?;
        let (Some(height), Some(width)) = (extents.pop(), extents.pop()) else {
            return self.refuse(node, "this allocation");
        };
        let (width, height) = (
            constant::convert(width, SIZE),
            constant::convert(height, SIZE),
        );
        let up = constant::binary(BinaryOp::Add, width, size(PITCH - 1));
        let rows = constant::binary(BinaryOp::Div, up, size(PITCH));
        let rounded = constant::binary(BinaryOp::Mul, rows, size(PITCH));
        let rounded = self.keep(rounded, span);
        let place = self.place(pitch)?;
        self.write(&place, rounded.clone(), span, node)?;
        let bytes = constant::binary(BinaryOp::Mul, rounded, height);
        self.allocate_bytes_into(target, bytes, AllocSpace::Global, node)
    }

    /// `cudaMemcpy2D(dst, dpitch, src, spitch, width, height, kind)`, and in a stream.
    pub(crate) fn copy_plane(
        &mut self,
        node: &Node,
        [dst, dst_pitch, src, src_pitch, width, height]: [&Node; 6],
        kind: CopyKind,
        stream: Option<&Node>,
    ) -> Result<()> {
        let span = self.span(node);
        let parts = [
            Operand::Value(behind_void(dst)),
            Operand::Value(dst_pitch),
            Operand::Value(behind_void(src)),
            Operand::Value(src_pitch),
            Operand::Value(width),
            Operand::Value(height),
        ];
        let mut parts = self.operands(&parts)?;
        let stream = match stream {
            Some(stream) => Some(self.after(&mut parts, |body| body.handle(stream))?),
            None => None,
        };
        let Ok([dst, dst_pitch, src, src_pitch, width, height]) = <[Expr; 6]>::try_from(parts)
        else {
            return self.refuse(node, "this copy");
        };
        let (Some(to), Some(from)) = (dst.ty.pointer(), src.ty.pointer()) else {
            return self.refuse(node, "a copy of this");
        };
        let [dst, src] = [dst, src].map(|pointer| self.keep(pointer, span));
        let [width, height] = [width, height].map(|n| constant::convert(n, SIZE));
        let [width, height] = [width, height].map(|n| self.keep(n, span));
        let dst_pitch = self.cells_of_pitch(dst_pitch, to.elem, span);
        let src_pitch = self.cells_of_pitch(src_pitch, from.elem, span);
        self.for_rows(height, span, |row| {
            let at = |pointer: &Expr, pitch: &Expr| {
                let cells = Expr::binary(BinaryOp::Mul, row.clone(), pitch.clone());
                moved(pointer.clone(), cells.cast(Type::I64), 1)
            };
            vec![Basic::Copy {
                kind,
                dst: at(&dst, &dst_pitch),
                src: at(&src, &src_pitch),
                bytes: width.clone(),
                stream: stream.clone(),
            }]
        });
        Ok(())
    }

    /// `cudaMemset2D(dst, pitch, byte, width, height)`: one row is laid out on the host and copied
    /// to each row.
    pub(crate) fn set_plane(
        &mut self,
        node: &Node,
        [dst, pitch, byte, width, height]: [&Node; 5],
    ) -> Result<()> {
        let span = self.span(node);
        let (to, value, width) = self.set_parts(dst, byte, width)?;
        let to = self.keep(to, span);
        let width = self.keep(width, span);
        let extents = self.operands(&[Operand::Value(pitch), Operand::Value(height)])?;
        let Ok([pitch, height]) = <[Expr; 2]>::try_from(extents) else {
            return self.refuse(node, "setting this");
        };
        let elem = Expr::constant(value).scalar_type();
        let height = self.keep(constant::convert(height, SIZE), span);
        let pitch = self.cells_of_pitch(pitch, elem, span);
        let staged = self.staged(value, width.clone(), AllocSpace::Owned, span);
        self.for_rows(height, span, |row| {
            let cells = Expr::binary(BinaryOp::Mul, row, pitch);
            vec![Basic::Copy {
                kind: CopyKind::HostToDevice,
                dst: moved(to, cells.cast(Type::I64), 1),
                src: staged,
                bytes: width,
                stream: None,
            }]
        });
        Ok(())
    }
}
