//! `kernel<<<grid, block, shared>>>(arguments)`.

use crate::body::Body;
use crate::body::operands::{Evaluated, Operand};
use crate::body::parameters::{Parameter, parameters};
use crate::constant;
use crate::refusal::Result;
use crate::storage::pointers::as_argument;
use crate::syntax::Node;
use crate::syntax::casts::callee;
use crate::syntax::expression::Launch;
use crate::unit::Side;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// Numbers in a launch's configuration: two extents of three, bytes of shared memory, the stream.
const CONFIGURATION: usize = 8;

impl Body<'_, '_> {
    pub(crate) fn launch(&mut self, node: &Node, launch: &Launch<'_>) -> Result<()> {
        if !self.on_host() {
            return self.refuse(node, "a launch from device code");
        }
        let span = self.span(node);
        let Some(callee) = callee(node) else {
            return self.refuse(node, "this launch");
        };
        let unit = self.unit;
        let index = callee.id.and_then(|id| unit.function_of.get(&id).copied());
        let Some(index) = index else {
            return self.refuse(node, format!("a launch of `{}`", callee.name));
        };
        let function = &unit.functions[index];
        let kernel = match self.builder.proc(index, false) {
            Some(kernel) if function.side == Side::Kernel => kernel,
            _ => {
                let what = format!("a launch of `{}`", callee.name);
                return self.refuse_for(node, what, index, false);
            }
        };
        let [grid, block, rest @ ..] = launch.configuration else {
            return self.refuse(node, "this launch");
        };
        // No language orders the parts of the configuration among themselves or with the arguments.
        let mut evaluated = vec![self.evaluation(grid, |b| b.extents(grid))?];
        evaluated.push(self.evaluation(block, |b| b.extents(block))?);
        match rest.first() {
            Some(bytes) => evaluated.push(self.evaluation(bytes, |b| {
                Ok(vec![constant::convert(b.value(bytes)?, Type::U32)])
            })?),
            None => evaluated.push(Evaluated::of(Expr::int(ScalarType::U32, 0))),
        }
        match rest.get(1) {
            Some(stream) => {
                evaluated.push(self.evaluation(stream, |b| Ok(vec![b.handle(stream)?]))?);
            }
            None => evaluated.push(Evaluated::of(Expr::int(ScalarType::U64, 0))),
        }
        let name = &callee.name;
        if let Some(asks) = &function.asks {
            let what = format!("a launch of `{name}`, which needs what `{asks}` gives");
            return self.refuse(node, what);
        }
        let wanted = parameters(unit, function, false)?;
        let arguments = launch.arguments;
        if wanted.len() != arguments.len() {
            return self.refuse(node, "this launch");
        }
        let mut operands = Vec::new();
        for (argument, parameter) in arguments.iter().zip(&wanted) {
            match parameter {
                Parameter::Var(_) => operands.push(Operand::Value(argument)),
                Parameter::Parts(_) => operands.push(Operand::Parts(argument)),
                _ => return self.refuse(argument, "an argument of this type for a kernel"),
            }
        }
        evaluated.extend(self.evaluated(&operands)?);
        self.in_any_order(&evaluated)?;
        let mut all = self.one_after_another(evaluated);
        let mut args = all.split_off(CONFIGURATION);
        let types: Vec<Type> = wanted.iter().flat_map(Parameter::types).collect();
        if types.len() != args.len() {
            return self.refuse(node, "an argument of this type for a kernel");
        }
        for (arg, ty) in args.iter_mut().zip(types) {
            if !arg.ty.same_shape(ty) {
                return self.refuse(node, "an argument of this type for a kernel");
            }
            *arg = as_argument(arg.clone());
        }
        let mut numbers = all.into_iter();
        let mut next = || {
            numbers
                .next()
                .unwrap_or_else(|| Expr::int(ScalarType::U32, 1))
        };
        let launch = Basic::CallGpu {
            kernel,
            grid: [next(), next(), next()],
            block: [next(), next(), next()],
            shared_bytes: next(),
            args,
            // The default stream by its name is the same as by default.
            stream: Some(next()).filter(|s| *s != Expr::int(ScalarType::U64, 0)),
            cooperative: false,
        };
        self.emit(launch, span);
        Ok(())
    }

    /// The three extents of a `dim3`, as `U32`.
    pub(crate) fn extents(&mut self, node: &Node) -> Result<Vec<Expr>> {
        let values = self.parts(node)?;
        if values.len() != 3 {
            return self.refuse(node, "extents of a launch that are no `dim3`");
        }
        Ok(values
            .into_iter()
            .map(|v| match v.kind {
                ExprKind::Const(_) => constant::convert(v, Type::U32),
                _ => v.cast(Type::U32),
            })
            .collect())
    }
}
