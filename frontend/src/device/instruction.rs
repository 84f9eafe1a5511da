//! Instructions of PTX in inline assembly (PTX ISA, "Instruction Set"): arithmetic, logic, moves, votes, fences, loads,
//! stores and asynchronous copies, in straight-line code with guards. Registers and the operands of the statement become
//! variables; the results are written to their places behind the last instruction. What is not here is refused by name.

use crate::assumed::Assumed;
use crate::body::{Body, sequence};
use crate::constant;
use crate::device::groups::rank_in_block;
use crate::device::thread_copy::Begun;
use crate::refusal::Result;
use crate::storage::place::moved;
use crate::storage::pointers::same_bits;
use crate::syntax::Node;
use crate::types::ctype::CType;
use crate::types::layout::unsigned;
use crate::unit::ptx::{Code, Instruction, Operand, scalar};
use gridlock_semantics::algebra::expr::{Axis, BinaryOp, Builtin, Expr, ExprKind, MathFn, UnaryOp};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::operator::{AtomicFn, Basic, Op, Scope, ShuffleMode, WarpFn};
use gridlock_semantics::algebra::span::Span;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use gridlock_semantics::algebra::value::Value;
use std::collections::HashMap;

/// What a register or an operand of the statement holds.
#[derive(Clone)]
enum Held {
    Number(VarId, ScalarType),
    /// A constant: an immediate operand, say.
    Constant(Expr),
    Address(Expr),
}

/// A statement of assembly while it is read.
pub(super) struct Assembly<'n> {
    pub node: &'n Node,
    pub span: Span,
    operands: Vec<Held>,
    registers: HashMap<String, Held>,
    /// The register of the carry.
    pub carry: Option<VarId>,
}

fn word(n: u32) -> Expr {
    Expr::int(ScalarType::U32, i64::from(n))
}

pub(super) fn lane() -> Expr {
    constant::binary(BinaryOp::BitAnd, rank_in_block(Type::U32), word(31))
}

pub(super) fn math(function: MathFn, operands: Vec<Expr>) -> Expr {
    Expr::new(operands[0].ty, ExprKind::Math(function, operands))
}

/// A number as one of another type: the same bits, or the low ones, or with the sign of the first.
fn as_type(value: Expr, to: ScalarType) -> Option<Expr> {
    let from = value.ty.scalar()?;
    if from == to {
        return Some(value);
    }
    if from == ScalarType::Bool || to == ScalarType::Bool {
        return None;
    }
    if let Some(same) = same_bits(value.clone(), to) {
        return Some(same);
    }
    let whole = match from.is_float() {
        true => same_bits(value, unsigned(from.size()))?,
        false => value,
    };
    let narrow = match to.is_float() {
        true => unsigned(to.size()),
        false => to,
    };
    same_bits(constant::convert(whole, Type::Scalar(narrow)), to)
}

impl Body<'_, '_> {
    /// Inline assembly as instructions; `results`: for each operand that is a result, whether it is read as well.
    pub(super) fn instructions(
        &mut self,
        node: &Node,
        code: &Code,
        operands: &[Node],
        results: &[bool],
        clobbers_memory: bool,
    ) -> Result<()> {
        let span = self.span(node);
        let n_outputs = results.len();
        let mut held = Vec::new();
        for (index, operand) in operands.iter().enumerate() {
            held.push(self.assembly_operand(operand, results.get(index).copied())?);
        }
        let carries = |i: &Instruction| i.words[0] == "addc" || i.has("cc");
        let carry = code.instructions.iter().any(carries);
        let carry = carry.then(|| self.declare("carry", Type::U32, span));
        let mut assembly = Assembly {
            node,
            span,
            operands: held,
            registers: HashMap::new(),
            carry,
        };
        for (name, ty) in &code.registers {
            let var = self.declare(name, Type::Scalar(*ty), span);
            let held = Held::Number(var, *ty);
            assembly.registers.insert(name.clone(), held);
        }
        for instruction in &code.instructions {
            let (ops, ()) =
                self.apart(|b| b.instruction(&mut assembly, instruction, clobbers_memory))?;
            match &instruction.guard {
                None => self.ops.extend(ops),
                Some((holds, guard)) => {
                    let guard = self.number_of(&assembly, guard, ScalarType::Bool)?;
                    let cond = if *holds { guard } else { constant::not(guard) };
                    self.emit_if(cond, sequence(ops), Op::skip(), span);
                }
            }
        }
        for (index, operand) in operands.iter().enumerate().take(n_outputs) {
            let Held::Number(var, ty) = assembly.operands[index] else {
                return self.refuse(node, "assembly that gives an address");
            };
            let place = self.place(operand)?;
            let target = self.value_type(operand)?;
            let value = Expr::var(var, Type::Scalar(ty));
            let value = target.scalar().and_then(|target| as_type(value, target));
            let Some(value) = value else {
                return self.refuse(operand, "this operand of inline assembly");
            };
            self.write(&place, value, span, operand)?;
        }
        Ok(())
    }

    /// `result`: it is one, and whether it is read as well.
    fn assembly_operand(&mut self, operand: &Node, result: Option<bool>) -> Result<Held> {
        let span = self.span(operand);
        let Some(is_read) = result else {
            if self.is_address(operand) {
                let pointer = self.address_number(operand)?;
                return Ok(Held::Address(self.keep(pointer, span)));
            }
            if let CType::Pointer(_) = self.type_of(operand).decayed().ty {
                let mut found = self.pointers(operand)?;
                return match (found.pop(), found.is_empty()) {
                    (Some(pointer), true) => Ok(Held::Address(self.keep(pointer, span))),
                    _ => self.refuse(operand, "a pointer to several arrays in assembly"),
                };
            }
            let value = self.value(operand)?;
            if let Some(known) = constant::evaluate(&value) {
                return Ok(Held::Constant(Expr::constant(known)));
            }
            let Some(ty) = value.ty.scalar() else {
                return self.refuse(operand, "this operand of inline assembly");
            };
            let Expr {
                kind: ExprKind::Var(var),
                ..
            } = self.keep(value, span)
            else {
                return self.refuse(operand, "this operand of inline assembly");
            };
            return Ok(Held::Number(var, ty));
        };
        let Some(ty) = self.value_type(operand)?.scalar() else {
            return self.refuse(operand, "this operand of inline assembly");
        };
        let var = self.declare("result", Type::Scalar(ty), span);
        if is_read {
            let place = self.place(operand)?;
            let value = self.read(&place, operand)?;
            self.assign_var(var, value, span);
        }
        Ok(Held::Number(var, ty))
    }

    pub(super) fn unread<T>(
        &self,
        assembly: &Assembly<'_>,
        instruction: &Instruction,
    ) -> Result<T> {
        let name = instruction.words.join(".");
        self.refuse(
            assembly.node,
            format!("the instruction `{name}` in inline assembly"),
        )
    }

    /// An operand as a number of a type.
    pub(super) fn number_of(
        &mut self,
        assembly: &Assembly<'_>,
        operand: &Operand,
        ty: ScalarType,
    ) -> Result<Expr> {
        let found = match operand {
            Operand::Argument(index) => match assembly.operands.get(*index) {
                Some(Held::Number(var, own)) => as_type(Expr::var(*var, Type::Scalar(*own)), ty),
                Some(Held::Constant(value)) => as_type(value.clone(), ty),
                _ => None,
            },
            Operand::Register(name) => match assembly.registers.get(name) {
                Some(Held::Number(var, own)) => as_type(Expr::var(*var, Type::Scalar(*own)), ty),
                _ => None,
            },
            Operand::Integer(value) if !ty.is_float() && ty != ScalarType::Bool => {
                Some(Expr::constant(Value::int(ty, *value)))
            }
            Operand::Float(bits, 32) => {
                let bits = Expr::constant(Value::int(ScalarType::U32, i128::from(*bits)));
                as_type(bits, ty)
            }
            Operand::Float(bits, _) => {
                let bits = Expr::constant(Value::int(ScalarType::U64, i128::from(*bits)));
                as_type(bits, ty)
            }
            Operand::Not(inner) => {
                let inner = self.number_of(assembly, inner, ty)?;
                Some(constant::not(inner))
            }
            Operand::Special(name) => {
                let value = self.special(assembly, name)?;
                as_type(value, ty)
            }
            _ => None,
        };
        match found {
            Some(value) => Ok(value),
            None => self.refuse(
                assembly.node,
                "this operand of an instruction in inline assembly",
            ),
        }
    }

    fn special(&mut self, assembly: &Assembly<'_>, name: &str) -> Result<Expr> {
        let axis = |name: &str| match name {
            "x" => Some(Axis::X),
            "y" => Some(Axis::Y),
            "z" => Some(Axis::Z),
            _ => None,
        };
        if let Some((of, along)) = name.split_once('.')
            && let Some(axis) = axis(along)
        {
            let builtin = match of {
                "tid" => Builtin::ThreadIdx(axis),
                "ntid" => Builtin::BlockDim(axis),
                "ctaid" => Builtin::BlockIdx(axis),
                "nctaid" => Builtin::GridDim(axis),
                _ => return self.refuse(assembly.node, format!("the register `%{name}`")),
            };
            return Ok(self.coordinate(builtin));
        }
        let bit = || Expr::binary(BinaryOp::Shl, word(1), lane());
        let below = || Expr::binary(BinaryOp::Sub, bit(), word(1));
        let or_own = |lanes: Expr| Expr::binary(BinaryOp::BitOr, lanes, bit());
        let not = |lanes: Expr| Expr::unary(UnaryOp::BitNot, lanes);
        Ok(match name {
            "laneid" => lane(),
            "lanemask_eq" => bit(),
            "lanemask_lt" => below(),
            "lanemask_le" => or_own(below()),
            "lanemask_ge" => not(below()),
            "lanemask_gt" => not(or_own(below())),
            // What they say may change while the thread runs, and begins anywhere.
            "warpid" | "nwarpid" | "smid" | "nsmid" | "clock" | "gridid" => {
                self.clock(assembly.node, name, ScalarType::U32)?
            }
            "clock64" | "globaltimer" => self.clock(assembly.node, name, ScalarType::U64)?,
            _ => return self.refuse(assembly.node, format!("the register `%{name}`")),
        })
    }

    /// Gives an operand a value.
    pub(super) fn set_operand(
        &mut self,
        assembly: &Assembly<'_>,
        operand: &Operand,
        value: Expr,
    ) -> Result<()> {
        let held = match operand {
            Operand::Argument(index) => assembly.operands.get(*index),
            Operand::Register(name) => assembly.registers.get(name),
            Operand::Unused => return Ok(()),
            _ => None,
        };
        if let Some(Held::Number(var, ty)) = held
            && let Some(value) = as_type(value, *ty)
        {
            let var = *var;
            self.emit(Basic::Assign { var, value }, assembly.span);
            return Ok(());
        }
        self.refuse(
            assembly.node,
            "this result of an instruction in inline assembly",
        )
    }

    /// The address that an operand is.
    pub(super) fn address_of_operand(
        &mut self,
        assembly: &Assembly<'_>,
        operand: &Operand,
    ) -> Result<Expr> {
        let (base, offset) = match operand {
            Operand::Address(base, offset) => (&**base, *offset),
            other => (other, 0),
        };
        let held = match base {
            Operand::Argument(index) => assembly.operands.get(*index),
            Operand::Register(name) => assembly.registers.get(name),
            _ => None,
        };
        let Some(Held::Address(pointer)) = held else {
            return self.refuse(
                assembly.node,
                "an address in inline assembly that is no pointer and not made by `__cvta_generic_to_shared`",
            );
        };
        let pointer = pointer.clone();
        if offset == 0 {
            return Ok(pointer);
        }
        let cell = pointer.ty.pointer().map_or(1, |p| p.elem.size()) as i64;
        if offset % cell != 0 {
            return self.refuse(assembly.node, "an address in the middle of a cell");
        }
        Ok(moved(pointer, Expr::int(ScalarType::I64, offset / cell), 1))
    }

    fn stays_in_place(&mut self, clobbers_memory: bool) {
        if !clobbers_memory {
            self.assume(Assumed::AssemblyInPlace);
        }
    }

    fn instruction(
        &mut self,
        assembly: &mut Assembly<'_>,
        instruction: &Instruction,
        clobbers_memory: bool,
    ) -> Result<()> {
        let words: Vec<&str> = instruction.words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["cp", "async", ..] => {
                self.stays_in_place(clobbers_memory);
                return self.asynchronous(assembly, instruction);
            }
            ["ldmatrix", ..] | ["mma", ..] => {
                if words[0] == "ldmatrix" {
                    self.stays_in_place(clobbers_memory);
                }
                return match self.matrix_instruction(assembly, instruction)? {
                    true => Ok(()),
                    false => self.unread(assembly, instruction),
                };
            }
            ["membar", scope] => {
                self.stays_in_place(clobbers_memory);
                let scope = match *scope {
                    "cta" => Scope::Block,
                    "gl" => Scope::Device,
                    _ => Scope::System,
                };
                self.emit(Basic::Fence { scope }, assembly.span);
                return Ok(());
            }
            ["fence", "sc" | "acq_rel", scope @ ("cta" | "gpu" | "sys")] => {
                self.stays_in_place(clobbers_memory);
                let scope = match *scope {
                    "cta" => Scope::Block,
                    "gpu" => Scope::Device,
                    _ => Scope::System,
                };
                self.emit(Basic::Fence { scope }, assembly.span);
                return Ok(());
            }
            // A hint to the caches about an address, which may be any.
            ["prefetch", "global" | "local", level] | ["prefetch" | "prefetchu", level]
                if is_cache_level(level) =>
            {
                return Ok(());
            }
            ["ld" | "st", ..] => {
                self.stays_in_place(clobbers_memory);
                return self.plain_access(assembly, instruction);
            }
            ["atom" | "red", ..] => {
                self.stays_in_place(clobbers_memory);
                return self.atomic_instruction(assembly, instruction);
            }
            ["cvta", "to", "shared" | "global", "u64"] | ["cvta", "shared" | "global", "u64"]
                if instruction.guard.is_none() =>
            {
                return self.address_moved_on(assembly, instruction);
            }
            ["vote" | "shfl" | "activemask" | "match" | "redux", ..] => {
                return self.lanes_instruction(assembly, instruction);
            }
            _ => {}
        }
        if self.packs(assembly, instruction)? {
            return Ok(());
        }
        let value = self.instruction_value(assembly, instruction)?;
        match instruction.operands.first() {
            Some(target) => self.set_operand(assembly, target, value),
            None => self.unread(assembly, instruction),
        }
    }

    /// An address kept in another register.
    fn address_moved_on(
        &mut self,
        assembly: &mut Assembly<'_>,
        instruction: &Instruction,
    ) -> Result<()> {
        let [Operand::Register(to), from] = instruction.operands.as_slice() else {
            return self.unread(assembly, instruction);
        };
        let pointer = self.address_of_operand(assembly, from)?;
        assembly
            .registers
            .insert(to.clone(), Held::Address(pointer));
        Ok(())
    }

    fn asynchronous(&mut self, assembly: &Assembly<'_>, instruction: &Instruction) -> Result<()> {
        let node = assembly.node;
        match instruction.words.get(2).map(String::as_str) {
            Some("commit_group") => self.close_group(node),
            Some("wait_all") => {
                self.close_group(node)?;
                self.wait_for_groups(node, word(0))
            }
            Some("wait_group") => {
                let [prior] = instruction.operands.as_slice() else {
                    return self.unread(assembly, instruction);
                };
                let prior = self.number_of(assembly, prior, ScalarType::U32)?;
                self.wait_for_groups(node, prior)
            }
            Some("ca" | "cg") if instruction.has("shared") && instruction.has("global") => {
                let [to, from, bytes, rest @ ..] = instruction.operands.as_slice() else {
                    return self.unread(assembly, instruction);
                };
                if instruction.has("cache_hint") || rest.len() > 1 {
                    return self.unread(assembly, instruction);
                }
                let to = self.address_of_operand(assembly, to)?;
                let from = self.address_of_operand(assembly, from)?;
                let bytes = self.number_of(assembly, bytes, ScalarType::I64)?;
                let valid = match rest.first() {
                    Some(valid) => Some(self.number_of(assembly, valid, ScalarType::I64)?),
                    None => None,
                };
                let begun = Begun {
                    to,
                    from,
                    bytes,
                    valid,
                    tag: None,
                };
                self.begin_thread_copy(node, begun)
            }
            _ => self.unread(assembly, instruction),
        }
    }

    /// `ld`, `st`
    fn plain_access(&mut self, assembly: &Assembly<'_>, instruction: &Instruction) -> Result<()> {
        let allowed = |w: &str| {
            matches!(
                w,
                "ld" | "st"
                    | "global"
                    | "shared"
                    | "cta"
                    | "nc"
                    | "ca"
                    | "cg"
                    | "cs"
                    | "lu"
                    | "cv"
                    | "wb"
                    | "wt"
                    | "volatile"
                    | "weak"
                    | "v2"
                    | "v4"
                    | "L1::no_allocate"
                    | "L2::128B"
                    | "L2::64B"
                    | "L2::256B"
                    | "L1::evict_last"
            ) || w.starts_with("L1::")
                || w.starts_with("L2::")
                || scalar(w).is_some()
        };
        // Relaxed and stronger ones are atomic, which plain accesses here are not.
        if !instruction.words.iter().all(|w| allowed(w)) {
            return self.unread(assembly, instruction);
        }
        let Some(ty) = instruction.words.last().and_then(|w| scalar(w)) else {
            return self.unread(assembly, instruction);
        };
        let is_load = instruction.words[0] == "ld";
        let [first, second] = instruction.operands.as_slice() else {
            return self.unread(assembly, instruction);
        };
        let (address, values) = if is_load {
            (second, first)
        } else {
            (first, second)
        };
        let values = match values {
            Operand::Vector(values) => values.clone(),
            one => vec![one.clone()],
        };
        let pointer = self.address_of_operand(assembly, address)?;
        let cell = pointer.ty.pointer().map_or(1, |p| p.elem.size());
        if !ty.size().is_multiple_of(cell) {
            return self.refuse(assembly.node, "an access in assembly to a part of a cell");
        }
        let each = ty.size() / cell;
        for (index, value) in values.iter().enumerate() {
            let at = moved(
                pointer.clone(),
                Expr::int(ScalarType::I64, (index as u64 * each) as i64),
                1,
            );
            if is_load {
                let read = self.read_view(&at, ty, assembly.node)?;
                let read = self.keep(read, assembly.span);
                self.set_operand(assembly, value, read)?;
            } else {
                let value = self.number_of(assembly, value, ty)?;
                self.write_view(&at, ty, value, assembly.span, assembly.node)?;
            }
        }
        Ok(())
    }

    /// `atom`, `red`
    fn atomic_instruction(
        &mut self,
        assembly: &Assembly<'_>,
        instruction: &Instruction,
    ) -> Result<()> {
        let mut scope = Scope::Device;
        let mut function = None;
        let mut order = "relaxed";
        for w in &instruction.words {
            match w.as_str() {
                "cta" => scope = Scope::Block,
                "gpu" => scope = Scope::Device,
                "sys" => scope = Scope::System,
                "relaxed" | "acquire" | "release" | "acq_rel" => order = w,
                "add" => function = Some(AtomicFn::Add),
                "min" => function = Some(AtomicFn::Min),
                "max" => function = Some(AtomicFn::Max),
                "and" => function = Some(AtomicFn::And),
                "or" => function = Some(AtomicFn::Or),
                "xor" => function = Some(AtomicFn::Xor),
                "inc" => function = Some(AtomicFn::Inc),
                "dec" => function = Some(AtomicFn::Dec),
                "exch" => function = Some(AtomicFn::Exch),
                "cas" => function = Some(AtomicFn::Cas),
                "atom" | "red" | "global" | "shared" => {}
                w if scalar(w).is_some() => {}
                _ => return self.unread(assembly, instruction),
            }
        }
        let ty = instruction.words.last().and_then(|w| scalar(w));
        let (Some(function), Some(ty)) = (function, ty) else {
            return self.unread(assembly, instruction);
        };
        let is_red = instruction.words[0] == "red";
        let (target, rest) = match (is_red, instruction.operands.split_first()) {
            (true, _) => (None, instruction.operands.as_slice()),
            (false, Some((target, rest))) => (Some(target), rest),
            _ => return self.unread(assembly, instruction),
        };
        let Some((address, values)) = rest.split_first() else {
            return self.unread(assembly, instruction);
        };
        let pointer = self.address_of_operand(assembly, address)?;
        let Some(elem) = pointer.ty.pointer().map(|p| p.elem) else {
            return self.unread(assembly, instruction);
        };
        let sign_matters = matches!(function, AtomicFn::Min | AtomicFn::Max);
        let counts = matches!(function, AtomicFn::Inc | AtomicFn::Dec);
        let adds = function == AtomicFn::Add;
        let fits = elem.size() == ty.size()
            && ty.size() >= 4
            && (!(sign_matters || counts) || elem == ty)
            && (!adds || elem.is_float() == ty.is_float());
        if !fits {
            return self.refuse(
                assembly.node,
                "this atomic instruction on memory of another type",
            );
        }
        let mut operands = Vec::new();
        for value in values {
            let value = self.number_of(assembly, value, ty)?;
            operands.extend(same_bits(value, elem));
        }
        let wanted = if function == AtomicFn::Cas { 2 } else { 1 };
        if operands.len() != wanted {
            return self.unread(assembly, instruction);
        }
        let span = assembly.span;
        if matches!(order, "release" | "acq_rel") {
            self.emit(Basic::Fence { scope }, span);
        }
        let result = target.map(|_| self.temporary(Type::Scalar(elem), span));
        let basic = Basic::Atomic {
            function,
            scope,
            pointer,
            operands,
            result,
        };
        self.emit(basic, span);
        if matches!(order, "acquire" | "acq_rel") {
            self.emit(Basic::Fence { scope }, span);
        }
        match (target, result) {
            (Some(target), Some(var)) => {
                self.set_operand(assembly, target, Expr::var(var, Type::Scalar(elem)))
            }
            _ => Ok(()),
        }
    }

    /// Votes and exchanges.
    fn lanes_instruction(
        &mut self,
        assembly: &Assembly<'_>,
        instruction: &Instruction,
    ) -> Result<()> {
        let words: Vec<&str> = instruction.words.iter().map(String::as_str).collect();
        let span = assembly.span;
        let operands = instruction.operands.as_slice();
        let (function, ty, target, given, mask) = match (words.as_slice(), operands) {
            (["activemask", "b32"], [target]) => {
                let result = self.temporary(Type::U32, span);
                self.emit(Basic::ActiveMask { result }, span);
                return self.set_operand(assembly, target, Expr::var(result, Type::U32));
            }
            (["vote", "sync", how @ ("any" | "all" | "ballot"), _], [target, cond, mask]) => {
                let cond = self.number_of(assembly, cond, ScalarType::Bool)?;
                let (function, ty) = match *how {
                    "any" => (WarpFn::Any, Type::I32),
                    "all" => (WarpFn::All, Type::I32),
                    _ => (WarpFn::Ballot, Type::U32),
                };
                (function, ty, target, vec![cond], mask)
            }
            (["redux", "sync", how, ty @ ("u32" | "s32" | "b32")], [target, value, mask]) => {
                let function = match *how {
                    "add" => WarpFn::ReduceAdd,
                    "min" => WarpFn::ReduceMin,
                    "max" => WarpFn::ReduceMax,
                    "and" => WarpFn::ReduceAnd,
                    "or" => WarpFn::ReduceOr,
                    "xor" => WarpFn::ReduceXor,
                    _ => return self.unread(assembly, instruction),
                };
                let Some(ty) = scalar(ty) else {
                    return self.unread(assembly, instruction);
                };
                let value = self.number_of(assembly, value, ty)?;
                (function, Type::Scalar(ty), target, vec![value], mask)
            }
            (["shfl", "sync", how, "b32"], [target, value, by, Operand::Integer(clamp), mask]) => {
                // The segment mask 31, and the clamp that CUDA's functions of 32 lanes give.
                let (mode, wanted) = match *how {
                    "up" => (ShuffleMode::Up, 0),
                    "down" => (ShuffleMode::Down, 31),
                    "bfly" => (ShuffleMode::Xor, 31),
                    "idx" => (ShuffleMode::Index, 31),
                    _ => return self.unread(assembly, instruction),
                };
                if *clamp != wanted {
                    return self.unread(assembly, instruction);
                }
                let value = self.number_of(assembly, value, ScalarType::U32)?;
                let by = self.number_of(assembly, by, ScalarType::I32)?;
                let given = vec![value, by, Expr::i32(32)];
                (WarpFn::Shuffle(mode), Type::U32, target, given, mask)
            }
            _ => return self.unread(assembly, instruction),
        };
        let mask = self.number_of(assembly, mask, ScalarType::U32)?;
        let result = self.warp_result(function, mask, given, ty, span);
        let target_is_predicate = match target {
            Operand::Register(name) => {
                matches!(
                    assembly.registers.get(name),
                    Some(Held::Number(_, ScalarType::Bool))
                )
            }
            _ => false,
        };
        let result = match target_is_predicate {
            true => Expr::binary(BinaryOp::Ne, result, Expr::i32(0)),
            false => result,
        };
        self.set_operand(assembly, target, result)
    }

    pub(super) fn warp_result(
        &mut self,
        function: WarpFn,
        mask: Expr,
        operands: Vec<Expr>,
        ty: Type,
        span: Span,
    ) -> Expr {
        let result = self.temporary(ty, span);
        let basic = Basic::Warp {
            function,
            mask,
            operands,
            result: Some(result),
        };
        self.emit(basic, span);
        Expr::var(result, ty)
    }

    /// `mov.b64 a, {b, c}` and back.
    fn packs(&mut self, assembly: &Assembly<'_>, instruction: &Instruction) -> Result<bool> {
        let (Some("mov"), Some(ty)) = (
            instruction.words.first().map(String::as_str),
            instruction.words.last().and_then(|w| scalar(w)),
        ) else {
            return Ok(false);
        };
        let (wide, half) = match ty.size() {
            8 => (ScalarType::U64, ScalarType::U32),
            4 => (ScalarType::U32, ScalarType::U16),
            _ => return Ok(false),
        };
        let by = Expr::i32(ty.bits() as i32 / 2);
        match instruction.operands.as_slice() {
            [target, Operand::Vector(parts)] => {
                let [low, high] = parts.as_slice() else {
                    return self.unread(assembly, instruction);
                };
                let low = self.number_of(assembly, low, half)?;
                let high = self.number_of(assembly, high, half)?;
                let widened = |e: Expr| constant::convert(e, Type::Scalar(wide));
                let high = Expr::binary(BinaryOp::Shl, widened(high), by);
                let whole = Expr::binary(BinaryOp::BitOr, high, widened(low));
                self.set_operand(assembly, target, whole)?;
                Ok(true)
            }
            [Operand::Vector(parts), whole] => {
                let [low, high] = parts.as_slice() else {
                    return self.unread(assembly, instruction);
                };
                let whole = self.number_of(assembly, whole, wide)?;
                let whole = self.keep(whole, assembly.span);
                let narrow = |e: Expr| constant::convert(e, Type::Scalar(half));
                self.set_operand(assembly, low, narrow(whole.clone()))?;
                let upper = Expr::binary(BinaryOp::Shr, whole, by);
                self.set_operand(assembly, high, narrow(upper))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }
}

/// What `prefetch` names.
fn is_cache_level(word: &str) -> bool {
    matches!(word, "L1" | "L2" | "L2::evict_last" | "L2::evict_normal")
}
