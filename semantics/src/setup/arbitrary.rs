//! Arbitrary values: the results of functions without a body, of clocks and of generators of random numbers. They are
//! *inputs*. For each place that needs such values, a kernel has an additional parameter: an array without extent,
//! with arbitrary contents, which is never written and which only this place reads. The parameter points to the next
//! value of its thread: it starts at the thread's number in the grid, and each reading advances it by the number of
//! threads, so no two readings, by any threads, share a cell.
//!
//! A property that holds for all inputs therefore holds for all such values; a run chooses some of
//! them, and a witness names its choice. A value is chosen before the run. It may depend on the
//! place, the thread and the occurrence, but not on the schedule. No run is lost by this, because
//! every choice that a schedule could make is some input.

use super::contents::Contents;
use crate::algebra::declaration::VarDecl;
use crate::algebra::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind};
use crate::algebra::ids::VarId;
use crate::algebra::operator::{Basic, Op, OpKind};
use crate::algebra::program::Procedure;
use crate::algebra::types::{ScalarType, Type};
use crate::algebra::value::Value;

/// The name of such a parameter: `bar() at line 12`. No name of C has this form, so the name
/// identifies the parameter in every program made from this one.
pub fn name_of_place(function: &str, line: u32) -> String {
    format!("{function}() at line {line}")
}

/// Whether a parameter of this name holds arbitrary values.
pub fn is_arbitrary(name: &str) -> bool {
    name.contains("() at line ")
}

/// The name of the parameter that says which lane carries out what a warp does once, at the so-manieth such place of a
/// kernel. Any will do for what the kernel computes.
pub fn name_of_choice(number: usize) -> String {
    format!("{CHOICE}{number}")
}

/// Whether a parameter of this name is such a choice.
pub fn is_choice(name: &str) -> bool {
    name.starts_with(CHOICE)
}

const CHOICE: &str = "lane of store ";

/// Whether the values are the time; those that a run chooses then grow.
fn is_time(name: &str) -> bool {
    ["clock() ", "clock64() ", "globaltimer() "]
        .iter()
        .any(|clock| name.starts_with(clock))
}

impl Procedure {
    /// Whether a variable is a parameter that holds arbitrary values.
    pub fn is_arbitrary(&self, var: VarId) -> bool {
        let declared = self.vars.get(var.0 as usize);
        let reads = |decl: &VarDecl| decl.ty.pointer().is_some_and(|p| p.is_const);
        self.params.contains(&var)
            && declared.is_some_and(|decl| reads(decl) && is_arbitrary(&decl.name))
    }

    /// Whether an operator only advances such a parameter to its next value. The source has no such operator.
    pub fn moves_arbitrary(&self, op: &Op) -> bool {
        match &op.kind {
            OpKind::Basic(Basic::Assign { var, value }) => {
                let is_itself = |from: &Expr| from.kind == ExprKind::Var(*var);
                self.is_arbitrary(*var)
                    && matches!(&value.kind, ExprKind::Offset(from, _) if is_itself(from))
            }
            _ => false,
        }
    }

    /// Its parameters, except those that hold arbitrary values.
    pub fn own_params(&self) -> impl Iterator<Item = VarId> + '_ {
        let own = |var: &VarId| !self.is_arbitrary(*var);
        self.params.iter().copied().filter(own)
    }
}

fn wide(builtin: Builtin) -> Expr {
    Expr::builtin(builtin).cast(Type::I64)
}

const AXES: [Axis; 3] = [Axis::X, Axis::Y, Axis::Z];

/// How many threads a launch has, `I64`.
pub fn number_of_threads() -> Expr {
    let extents = AXES
        .into_iter()
        .flat_map(|axis| [Builtin::BlockDim(axis), Builtin::GridDim(axis)]);
    let product = extents
        .map(wide)
        .reduce(|a, b| Expr::binary(BinaryOp::Mul, a, b));
    product.unwrap_or_else(|| Expr::int(ScalarType::I64, 1))
}

/// The number of the thread among all of the grid, `I64`: below [`number_of_threads`], and no other
/// thread's.
pub fn number_of_thread() -> Expr {
    // From the slowest coordinate to the fastest: `((bz * gy + by) * gx + bx) * …`.
    let blocks = AXES
        .into_iter()
        .rev()
        .map(|axis| (Builtin::BlockIdx(axis), Builtin::GridDim(axis)));
    let threads = AXES
        .into_iter()
        .rev()
        .map(|axis| (Builtin::ThreadIdx(axis), Builtin::BlockDim(axis)));
    let mut number: Option<Expr> = None;
    for (at, of) in blocks.chain(threads) {
        number = Some(match number {
            None => wide(at),
            Some(before) => {
                let scaled = Expr::binary(BinaryOp::Mul, before, wide(of));
                Expr::binary(BinaryOp::Add, scaled, wide(at))
            }
        });
    }
    number.unwrap_or_else(|| Expr::int(ScalarType::I64, 0))
}

/// The values that a run chooses for a parameter of this name.
pub fn contents(name: &str, elem: ScalarType, seed: u64) -> Contents {
    if is_time(name) {
        let start = (seed % 97) as i128 * 1000;
        return Contents::Range {
            first: Value::int(elem, start),
            step: Value::int(elem, 997),
        };
    }
    Contents::Arbitrary { seed }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebra::ids::ArrayId;
    use crate::algebra::value::{ArrayRef, Pointer};
    use crate::evaluation::eval::{Env, eval};
    use crate::setup::Launch;
    use crate::setup::random::arbitrary_cell;
    use crate::transition::fault::FaultKind;
    use std::collections::BTreeSet;

    struct At {
        launch: Launch,
        block: u32,
        thread: u32,
    }

    impl Env for At {
        fn var(&self, _: VarId) -> Value {
            Value::Undef
        }

        fn builtin(&self, builtin: Builtin) -> Value {
            let Launch { grid, block, .. } = self.launch;
            let number = match builtin {
                Builtin::ThreadIdx(a) => Launch::coordinates(block, self.thread)[a as usize],
                Builtin::BlockIdx(a) => Launch::coordinates(grid, self.block)[a as usize],
                Builtin::BlockDim(a) => block[a as usize],
                Builtin::GridDim(a) => grid[a as usize],
                Builtin::WarpSize => 32,
            };
            Value::int(ScalarType::U32, i128::from(number))
        }

        fn array(&self, _: ArrayId) -> ArrayRef {
            ArrayRef::Null
        }

        fn load(&mut self, _: Pointer, _: ScalarType) -> Result<Value, FaultKind> {
            Ok(Value::Undef)
        }
    }

    #[test]
    fn no_two_threads_have_one_number() {
        for (grid, block) in [([3, 2, 2], [4, 3, 2]), ([5, 1, 1], [1, 7, 1])] {
            let launch = Launch {
                grid,
                block,
                shared_bytes: 0,
            };
            let mut seen = BTreeSet::new();
            let total = launch.n_blocks() * launch.n_threads();
            for b in 0..launch.n_blocks() as u32 {
                for t in 0..launch.n_threads() as u32 {
                    let mut at = At {
                        launch,
                        block: b,
                        thread: t,
                    };
                    let number = eval(&number_of_thread(), &mut at).ok();
                    let number = number.and_then(|n| n.as_integer()).unwrap_or(-1);
                    assert!((0..total as i128).contains(&number), "{number}");
                    assert!(seen.insert(number), "{number} twice");
                    let all = eval(&number_of_threads(), &mut at).ok();
                    assert_eq!(all.and_then(|n| n.as_integer()), Some(total as i128));
                }
            }
        }
    }

    #[test]
    fn two_threads_branch_alike_in_one_sample_and_apart_in_another() {
        let drawn = |seed, i| arbitrary_cell(seed, i, ScalarType::F32) != Value::f32(0.0);
        let (mut apart, mut together) = (0, 0);
        for seed in 300..360 {
            let (a, b) = (drawn(seed, 0), drawn(seed, 1));
            apart += usize::from(seed % 3 == 0 && a != b);
            together += usize::from(seed % 3 == 2 && a && b);
        }
        assert!(
            apart > 17 && together > 12,
            "{apart} of 20, {together} of 20"
        );
    }

    #[test]
    fn choices_are_told_from_arguments_and_values() {
        let name = name_of_choice(2);
        assert!(is_choice(&name) && !is_arbitrary(&name) && !is_choice("lane"));
    }

    #[test]
    fn time_goes_on() {
        let elem = ScalarType::I64;
        let name = name_of_place("clock64", 7);
        assert!(is_arbitrary(&name) && !is_arbitrary("clock64"));
        let time = contents(&name, elem, 5);
        let at = |index| time.cell(elem, index).as_integer();
        assert!(at(0) < at(1) && at(1) < at(1000));
    }
}
