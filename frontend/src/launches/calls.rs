//! Calls in host code: functions that are here are followed, some of the libraries are known by name, of all others
//! nothing is known but what they could assign. And launches.

use super::Walk;
use super::expressions::extents;
use super::value::{End, Known, Place};
use crate::constant;
use crate::parsed::HostLaunch;
use crate::syntax::casts::{callee, initialiser};
use crate::syntax::expression::{Call, CallForm, Launch};
use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::CType;
use crate::unit::Side;
use gridlock_semantics::algebra::elementary::Elementary;
use gridlock_semantics::algebra::expr::{Expr, ExprKind, MathFn};
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// Calls within calls that are followed.
const MOST_CALLS: usize = 16;

/// What a function of the libraries does.
enum ByName {
    /// It does not come back.
    Ends,
    /// Its argument holds from there on.
    Asserts,
    /// It computes.
    Computes(MathFn),
}

fn by_name(name: &str, n_arguments: usize) -> Option<ByName> {
    let of_double = |name: &str, is: &str| name == is || name.strip_suffix('f') == Some(is);
    Some(match (name, n_arguments) {
        ("exit" | "_exit" | "abort" | "quick_exit" | "terminate", _) => ByName::Ends,
        ("gridlock_assert__", 1) => ByName::Asserts,
        ("min" | "fmin" | "fminf", 2) => ByName::Computes(MathFn::Min),
        ("max" | "fmax" | "fmaxf", 2) => ByName::Computes(MathFn::Max),
        ("abs" | "labs" | "llabs" | "fabs" | "fabsf", 1) => ByName::Computes(MathFn::Abs),
        (_, 1) if of_double(name, "ceil") => ByName::Computes(MathFn::Ceil),
        (_, 1) if of_double(name, "floor") => ByName::Computes(MathFn::Floor),
        (_, 1) if of_double(name, "trunc") => ByName::Computes(MathFn::Trunc),
        (_, 1) if of_double(name, "sqrt") => ByName::Computes(MathFn::Sqrt),
        (_, n) => {
            let is_it = |f: &&Elementary| f.arity() == n && of_double(name, f.name());
            ByName::Computes(MathFn::Elementary(*Elementary::ALL.iter().find(is_it)?))
        }
    })
}

impl Walk<'_, '_> {
    pub(super) fn call(&mut self, node: &Node, call: &Call<'_>) -> Known {
        let name = call.name();
        if name == "operator="
            && let [left, right] = call.arguments
        {
            let value = self.value(right);
            match self.place(left) {
                Some(place) => self.state.write(&place, value.clone()),
                None => self.forget_assigned(left),
            }
            return value;
        }
        let index = call
            .declaration()
            .and_then(|id| self.unit.function_of.get(&id).copied());
        if let Some(known) = by_name(name, call.arguments.len())
            && index.is_none_or(|index| self.unit.functions[index].is_ours)
        {
            return self.known_call(node, call, known);
        }
        match index {
            Some(index) if self.is_followed(index, call) => self.followed(node, index, call),
            _ => self.unknown_call(node, call),
        }
    }

    fn is_followed(&self, index: usize, call: &Call<'_>) -> bool {
        let function = &self.unit.functions[index];
        matches!(function.side, Side::Host | Side::Both)
            && call.form == CallForm::Function
            && function.record.is_none()
            && function.params.len() == call.arguments.len()
            && self.stack.len() < MOST_CALLS
            && !self.stack.contains(&index)
    }

    fn known_call(&mut self, node: &Node, call: &Call<'_>, known: ByName) -> Known {
        match known {
            ByName::Ends => {
                for argument in call.arguments {
                    self.value(argument);
                }
                self.ends();
                Known::Nothing
            }
            ByName::Asserts => {
                let condition = self.condition(&call.arguments[0]);
                if self.assume(condition) == End::Never {
                    self.ends();
                }
                Known::Nothing
            }
            ByName::Computes(function) => {
                let mut args = Vec::new();
                for argument in call.arguments {
                    args.extend(self.number(argument));
                }
                let ty = args.first().map(|first| first.ty);
                let is_one_type = args.iter().all(|arg| Some(arg.ty) == ty);
                let is_exact = matches!(function, MathFn::Min | MathFn::Max | MathFn::Abs);
                let is_float = ty
                    .and_then(|ty| ty.scalar())
                    .is_some_and(ScalarType::is_float);
                match ty.filter(|_| args.len() == call.arguments.len() && is_one_type) {
                    Some(ty) if is_exact || is_float => {
                        let number = Expr::new(ty, ExprKind::Math(function, args));
                        match self.folded(number) {
                            Known::Number(number) => {
                                let ty = self.scalar_of(node).map(Type::Scalar);
                                let ty = ty.unwrap_or(number.ty);
                                self.folded(constant::convert(number, ty))
                            }
                            other => other,
                        }
                    }
                    _ => Known::Nothing,
                }
            }
        }
    }

    /// A call of a function that is here.
    fn followed(&mut self, node: &Node, index: usize, call: &Call<'_>) -> Known {
        let unit = self.unit;
        let function = &unit.functions[index];
        let mut values = Vec::new();
        for (param, argument) in function.params.iter().zip(call.arguments) {
            self.meet(param.id, param.name());
            // One that is not written has the value that the declaration says.
            let default = initialiser(param).filter(|_| argument.is(Kind::CXXDefaultArgExpr));
            let argument = default.unwrap_or(argument);
            let ty = unit.type_of(param);
            match &ty.ty {
                CType::Reference(to) => {
                    let place = self.place(argument);
                    if place.is_none() && !to.is_const {
                        self.forget_assigned(argument);
                    }
                    let value = match &place {
                        Some(_) => Known::Nothing,
                        None => self.value(argument),
                    };
                    values.push((param.id, place, value));
                }
                _ => {
                    let value = match ty.scalar() {
                        Some(_) => self.number(argument).map_or(Known::Nothing, Known::Number),
                        None => self.value(argument),
                    };
                    let value = self.converted(value, &ty);
                    // A pointer to something, which the function may change.
                    if matches!(value, Known::Nothing | Known::Open) && ty.scalar().is_none() {
                        self.forget_assigned(argument);
                    }
                    values.push((param.id, None, value));
                }
            }
        }
        for (id, place, value) in values {
            match place {
                Some(place) => {
                    self.aliases.insert(id, place);
                }
                None => {
                    self.aliases.remove(&id);
                    self.state.write(&Place::of(id), value);
                }
            }
        }
        self.stack.push(index);
        let (mark, path) = (self.parked.len(), self.state.path.len());
        let outer = self.state.returned.take();
        let end = self.statement(function.body);
        let is_here = matches!(end, End::Next | End::Return);
        let comes_back = self.unpark(mark, path, &[End::Return], is_here);
        self.stack.pop();
        let value = std::mem::replace(&mut self.state.returned, outer);
        if !comes_back {
            self.ends();
            return Known::Nothing;
        }
        match value {
            Some(value) => self.converted(value, &self.type_of(node)),
            None => Known::Nothing,
        }
    }

    /// A call of which nothing is known: it may assign whatever it is given to assign.
    fn unknown_call(&mut self, node: &Node, call: &Call<'_>) -> Known {
        if call.form == CallForm::Member {
            self.forget_assigned(call.callee);
        }
        let only_reads = only_read(call);
        let called = call.declaration();
        let is_here = called.is_some_and(|id| self.unit.function_of.contains_key(&id));
        let is_library = !is_here && call.form == CallForm::Function;
        for (at, argument) in call.arguments.iter().enumerate() {
            let value = self.value(argument);
            if only_reads.get(at) == Some(&true) {
                continue;
            }
            self.forget_assigned(argument);
            // What a library writes may be anything; a function that is here would have to be read.
            // A pointer to anything of this type may have been given.
            if let CType::Pointer(to) = &self.type_of(argument.without_casts()).ty
                && let (Some(scalar), Known::Nothing | Known::Open) = (to.scalar(), &value)
                && !to.is_const
            {
                self.forget_behind_pointers(Some(scalar));
            }
            if let Known::Address(place) = value {
                let known = if is_library {
                    Known::Open
                } else {
                    Known::Nothing
                };
                self.state.write(&Place::of(place.variable), known);
            }
        }
        // Every call of the runtime succeeds.
        match self.type_of(node).ty {
            CType::Status => Known::Number(Expr::int(ScalarType::U32, 0)),
            _ if is_library => Known::Open,
            _ => Known::Nothing,
        }
    }

    pub(super) fn launch(&mut self, node: &Node, launch: &Launch<'_>) {
        let unit = self.unit;
        let [grid, block, rest @ ..] = launch.configuration else {
            return self.forget_assigned(node);
        };
        let Some(grid) = self.extents(grid) else {
            return self.forget_assigned(node);
        };
        let Some(block) = self.extents(block) else {
            return self.forget_assigned(node);
        };
        let mut shared = Expr::int(ScalarType::U32, 0);
        if let Some(bytes) = rest.first()
            && let Some(number) = self.number(bytes)
        {
            shared = constant::convert(number, Type::U32);
        }
        let kernel = callee(node).and_then(|callee| callee.id);
        let kernel = kernel.and_then(|id| unit.function_of.get(&id).copied());
        let kernel = kernel.map(|index| &unit.functions[index]);
        let mut args = Vec::new();
        let params = kernel.map(|kernel| kernel.params.as_slice());
        for (at, argument) in launch.arguments.iter().enumerate() {
            let param = params.and_then(|params| params.get(at));
            let scalar = param.and_then(|param| unit.type_of(param).scalar());
            match (param, scalar) {
                (Some(param), Some(scalar)) => {
                    if let Some(number) = self.number(argument) {
                        let number = constant::convert(number, Type::Scalar(scalar));
                        args.push((param.name().to_owned(), number));
                    }
                }
                _ => {
                    self.value(argument);
                }
            }
        }
        let Some(kernel) = kernel.filter(|kernel| kernel.side == Side::Kernel) else {
            return;
        };
        self.visited.insert(node.id);
        let in_part = self.stack.iter().any(|index| self.faulty.contains(index));
        let is_of_main = self.stack.first().is_some_and(|root| self.is_main(*root));
        let span = unit.files.span(node);
        let here = self.stack.last().map(|index| unit.functions[*index].node);
        let conditions = self.state.path.iter().flatten().cloned().collect();
        let launch = HostLaunch {
            kernel: kernel.name.clone(),
            function: here.map_or(String::new(), |node| node.name().to_owned()),
            file: unit.files.name(span.file),
            line: span.line,
            column: span.column,
            in_part,
            is_of_main,
            inputs: Vec::new(),
            grid,
            block,
            shared_bytes: shared,
            args,
            conditions,
        };
        self.note(launch);
    }

    /// The three extents of a grid or a block.
    fn extents(&mut self, node: &Node) -> Option<[Expr; 3]> {
        let members = match self.value(node) {
            Known::Members(members) => members,
            Known::Number(x) => match extents(vec![x]) {
                Known::Members(members) => members,
                _ => return None,
            },
            // Extents of which nothing is known.
            _ => Default::default(),
        };
        let mut found = Vec::new();
        for axis in ["x", "y", "z"] {
            let known = members.get(axis).and_then(Known::number).cloned();
            let number = match known {
                Some(number) => number,
                None => {
                    let text = self.unit.files.text(self.unit.files.span(node));
                    let name = format!("({}).{axis}", text.unwrap_or_default());
                    self.input(name, ScalarType::U32, false, Vec::new())
                }
            };
            found.push(match number.ty == Type::U32 {
                true => number,
                false => constant::convert(number, Type::U32),
            });
        }
        found.try_into().ok()
    }
}

/// Which arguments of a call are passed by a reference to what is const, by their position.
fn only_read(call: &Call<'_>) -> Vec<bool> {
    let text = call.callee.without_casts().type_text();
    let Some((_, inside)) = text.rsplit_once('(') else {
        return Vec::new();
    };
    let inside = inside.split(')').next().unwrap_or_default();
    let types = inside.split(',').map(str::trim);
    types
        .map(|ty| ty.starts_with("const ") && ty.ends_with('&'))
        .collect()
}
