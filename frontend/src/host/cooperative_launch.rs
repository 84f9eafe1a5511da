//! `cudaLaunchKernel` and `cudaLaunchCooperativeKernel(kernel, grid, block, arguments, shared, stream)`. The arguments are
//! pointers to variables of the host: an array `void *arguments[] = {&a, &b};`.

use crate::body::Body;
use crate::body::binding::Binding;
use crate::body::parameters::{Parameter, parameters};
use crate::body::source::Source;
use crate::constant;
use crate::refusal::Result;
use crate::storage::pointers::as_argument;
use crate::syntax::casts::behind_address;
use crate::syntax::expression::Expression;
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::unit::Side;
use gridlock_semantics::algebra::expr::Expr;
use gridlock_semantics::algebra::operator::Basic;
use gridlock_semantics::algebra::types::Type;

fn is_default_stream(node: &Node) -> bool {
    let node = node.without_casts();
    node.is(Kind::IntegerLiteral)
        || matches!(node.kind(), Kind::CXXNullPtrLiteralExpr | Kind::GNUNullExpr)
}

impl Source<'_, '_> {
    /// The variables an argument list points to, in its declaration.
    pub(crate) fn argument_list(&self, node: &Node, init: Option<&Node>) -> Result<Binding> {
        let list = init.map(|init| init.unwrapped().expression());
        let Some(Expression::List(items)) = list else {
            return self.refuse(node, "memory of a pointer type");
        };
        let mut variables = Vec::new();
        for item in items {
            let of = behind_address(item).map(|of| of.unwrapped());
            match of.and_then(|of| of.kind.referenced_decl.as_ref()) {
                Some(decl) => variables.push(decl.id),
                None => return self.refuse(item, "this pointer among the arguments of a launch"),
            }
        }
        Ok(Binding::Arguments(variables))
    }
}

impl Body<'_, '_> {
    pub(crate) fn launch_call(
        &mut self,
        node: &Node,
        arguments: &[&Node],
        cooperative: bool,
    ) -> Result<()> {
        let [kernel, grid, block, list, rest @ ..] = arguments else {
            return self.refuse(node, "this launch");
        };
        let unit = self.unit;
        let mut kernel = kernel.without_casts();
        if kernel.is(Kind::UnaryOperator)
            && let Some(of) = kernel.child(0)
        {
            kernel = of.without_casts();
        }
        let decl = kernel.kind.referenced_decl.as_ref();
        let name = decl.map_or("", |decl| decl.name.as_str());
        let index = decl.and_then(|decl| unit.function_of.get(&decl.id).copied());
        let Some(index) = index else {
            return self.refuse(node, format!("a launch of `{name}`"));
        };
        let function = &unit.functions[index];
        let kernel = match self.builder.proc(index, false) {
            Some(kernel) if function.side == Side::Kernel => kernel,
            _ => return self.refuse_for(node, format!("a launch of `{name}`"), index, false),
        };
        let list = list.without_casts().kind.referenced_decl.as_ref();
        let variables = match list.and_then(|decl| self.bindings.get(&decl.id)) {
            Some(Binding::Arguments(variables)) => variables.clone(),
            _ => return self.refuse(node, "the arguments of this launch"),
        };
        if let Some(asks) = &function.asks {
            let what = format!("a launch of `{name}`, which needs what `{asks}` gives");
            return self.refuse(node, what);
        }
        let wanted = parameters(unit, function, false)?;
        if wanted.len() != variables.len() {
            return self.refuse(node, "this launch");
        }
        let mut args = Vec::new();
        for (variable, parameter) in variables.iter().zip(&wanted) {
            let (Some(Binding::Var(var, own)), Parameter::Var(ty)) =
                (self.bindings.get(variable), parameter)
            else {
                return self.refuse(node, "an argument of this type for a kernel");
            };
            // The kernel reads the bytes as they are.
            if !own.same_shape(*ty) {
                return self.refuse(node, "an argument of another type than the kernel's");
            }
            let value = Expr::var(*var, *own);
            args.push(as_argument(value));
        }
        let mut all = self.extents(grid)?;
        let block = self.after(&mut all, |b| b.extents(block))?;
        all.extend(block);
        let shared = match rest.first() {
            Some(bytes) => constant::convert(self.value(bytes)?, Type::U32),
            None => Expr::int(gridlock_semantics::algebra::types::ScalarType::U32, 0),
        };
        let stream = match rest.get(1) {
            Some(stream) if !is_default_stream(stream) => Some(self.handle(stream)?),
            _ => None,
        };
        let Ok([gx, gy, gz, bx, by, bz]) = <[Expr; 6]>::try_from(all) else {
            return self.refuse(node, "extents of a launch that are no `dim3`");
        };
        let span = self.span(node);
        let launch = Basic::CallGpu {
            kernel,
            grid: [gx, gy, gz],
            block: [bx, by, bz],
            shared_bytes: shared,
            args,
            stream,
            cooperative,
        };
        self.emit(launch, span);
        Ok(())
    }
}
