//! Inline assembly: the barriers of PTX, the clocks, and the instructions of [`crate::device::instruction`].
//!
//! Of barriers are read `bar.sync a`, `bar.sync a, b` and `bar.arrive a, b`, also as `barrier` and with `.cta`
//! and `.aligned`; operands are numbers or `%0`, `%1`. The text is the source's: clang's tree
//! gives only the operands.

use crate::body::Body;
use crate::body::code::Code as ProcedureCode;
use crate::constant;
use crate::refusal::Result;
use crate::syntax::Node;
use crate::unit::assembly_text::{Parts, clock_register};
use crate::unit::ptx::Code;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::operator::{Basic, Met, Orders};
use gridlock_semantics::algebra::types::{ScalarType, Type};

/// An operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Literal(u32),
    Operand(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct BarrierText {
    form: Form,
    id: Number,
    threads: Option<Number>,
}

/// What a thread does at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Wait(Met),
    /// It is counted, and goes on.
    Arrive,
}

/// The one instruction of a template, if it is a barrier.
fn barrier(template: &str) -> Option<BarrierText> {
    let instruction = template.trim().trim_end_matches(';').trim();
    let (mnemonic, operands) = instruction.split_once(char::is_whitespace)?;
    let mut words = mnemonic.split('.');
    // `bar` is short for `barrier` with `.aligned`.
    let met = match (words.next()?, mnemonic.contains(".aligned")) {
        ("barrier", false) => Met::Anywhere,
        ("bar" | "barrier", _) => Met::AtOnePlace,
        _ => return None,
    };
    let words: Vec<&str> = words.filter(|w| !matches!(*w, "cta" | "aligned")).collect();
    let form = match words.as_slice() {
        ["sync"] => Form::Wait(met),
        ["arrive"] => Form::Arrive,
        _ => return None,
    };
    let number = |text: &str| {
        let text = text.trim();
        match text.strip_prefix('%') {
            Some(operand) => operand.parse().ok().map(Number::Operand),
            None => text.parse().ok().map(Number::Literal),
        }
    };
    let operands: Vec<Number> = operands.split(',').map(number).collect::<Option<_>>()?;
    match operands.as_slice() {
        [id] if form != Form::Arrive => Some(BarrierText {
            form,
            id: *id,
            threads: None,
        }),
        [id, threads] => Some(BarrierText {
            form,
            id: *id,
            threads: Some(*threads),
        }),
        _ => None,
    }
}

impl ProcedureCode<'_, '_> {
    /// Barrier 0 of the whole block is `__syncthreads()`, but for where it is met.
    pub(crate) fn named_barrier(
        &mut self,
        id: Expr,
        threads: Option<Expr>,
        form: Form,
        node: &Node,
    ) {
        let span = self.span(node);
        let is_zero = matches!(id.kind, ExprKind::Const(v) if v.as_integer() == Some(0));
        let basic = match form {
            Form::Wait(met) if is_zero && threads.is_none() => Basic::Barrier {
                orders: Orders::All,
                met,
                agreed: Vec::new(),
            },
            _ => Basic::NamedBarrier {
                id,
                threads,
                arrive_only: form == Form::Arrive,
            },
        };
        self.emit(basic, span);
    }
}

impl Body<'_, '_> {
    pub(crate) fn assembly(&mut self, node: &Node, operands: &[Node]) -> Result<()> {
        let span = self.span(node);
        let text = self.unit.files.text(span).unwrap_or_default();
        if let (Some(register), [target], false) = (clock_register(&text), operands, self.on_host())
        {
            return self.read_clock(node, register, target);
        }
        let parts = Parts::of(&text);
        if let Some(parts) = parts
            .as_ref()
            .filter(|parts| !parts.is_open && !self.on_host())
            && barrier(&parts.template).is_none()
        {
            let code = Code::of(&parts.template).filter(|code| !code.instructions.is_empty());
            if let Some(code) = code.filter(|_| parts.results.len() <= operands.len()) {
                return self.instructions(
                    node,
                    &code,
                    operands,
                    &parts.results,
                    parts.clobbers_memory,
                );
            }
        }
        let parts = parts.filter(|parts| !parts.has_outputs);
        let found = parts
            .as_ref()
            .and_then(|parts| Some((parts, barrier(&parts.template)?)));
        let Some((parts, barrier)) = found.filter(|_| !self.on_host()) else {
            return self.refuse(node, node.kind.kind.in_words());
        };
        if !parts.clobbers_memory {
            // The compiler may move accesses across it.
            return self.refuse(
                node,
                "a barrier in assembly without `\"memory\"` among its clobbers",
            );
        }
        let mut number = |number: Number| match number {
            Number::Literal(value) => Ok(Expr::int(ScalarType::U32, value as i64)),
            Number::Operand(index) => match operands.get(index) {
                Some(operand) => Ok(constant::convert(self.value(operand)?, Type::U32)),
                None => self.refuse(node, "this operand of inline assembly"),
            },
        };
        let id = number(barrier.id)?;
        let threads = barrier.threads.map(number).transpose()?;
        self.named_barrier(id, threads, barrier.form, node);
        Ok(())
    }

    fn read_clock(&mut self, node: &Node, register: &str, target: &Node) -> Result<()> {
        let span = self.span(node);
        let Some(elem) = self.type_of(target).scalar().filter(|s| s.is_integer()) else {
            return self.refuse(node, "this operand of inline assembly");
        };
        let place = self.place(target)?;
        let time = self.clock(node, register, elem)?;
        self.write(&place, time, span, node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn barriers_are_read_and_nothing_else() {
        let read = |text: &str| barrier(&Parts::of(text).expect("an asm statement").template);
        let sync_where = |met, id, threads| {
            let form = Form::Wait(met);
            Some(BarrierText { form, id, threads })
        };
        let sync = |id, threads| sync_where(Met::AtOnePlace, id, threads);
        use Number::{Literal, Operand};
        assert_eq!(
            read(r#"asm volatile("bar.sync 1, 64;" ::: "memory")"#),
            sync(Literal(1), Some(Literal(64)))
        );
        assert_eq!(
            read(
                "asm volatile(\"barrier.cta.sync.aligned\"\n  \"%0, %1;\\n\" : : \"r\"(a), \"r\"(b) : \"memory\")"
            ),
            sync(Operand(0), Some(Operand(1)))
        );
        assert_eq!(read(r#"asm("bar.sync 0;")"#), sync(Literal(0), None));
        assert_eq!(
            read(r#"asm("barrier.sync 0;")"#),
            sync_where(Met::Anywhere, Literal(0), None)
        );
        let arrive = read(r#"asm volatile("bar.arrive %0, 96;" :: "r"(i) : "memory")"#);
        assert!(arrive.is_some_and(|b| b.form == Form::Arrive && b.threads == Some(Literal(96))));
        for other in [
            r#"asm("bar.arrive 1;")"#,
            r#"asm("bar.red.popc.u32 %0, 1, p;")"#,
            r#"asm("bar.sync 0; bar.sync 1;")"#,
            r#"asm("mov.u32 %0, %%laneid;" : "=r"(lane))"#,
            r#"asm("membar.gl;")"#,
        ] {
            assert_eq!(read(other), None, "{other}");
        }
    }

    #[test]
    fn clocks_are_read_into_one_operand() {
        let time = r#"asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t))"#;
        assert_eq!(clock_register(time), Some("globaltimer"));
        let time = r#"asm volatile("mov.u32 %0, %%clock;" : "=r"(t) :: "memory")"#;
        assert_eq!(clock_register(time), Some("clock"));
        for other in [
            r#"asm("mov.u32 %0, %%laneid;" : "=r"(lane))"#,
            r#"asm("mov.u32 %1, %%clock;" : "=r"(a), "=r"(b))"#,
            r#"asm("mov.b16 %0, %%clock;" : "=r"(a))"#,
            r#"asm("add.u32 %0, %%clock;" : "=r"(a))"#,
            "asm(",
        ] {
            assert_eq!(clock_register(other), None, "{other}");
        }
    }

    #[test]
    fn outputs_and_clobbers_are_told_apart() {
        let parts = Parts::of(r#"asm("mov.u32 %0, 1;" : "=r"(x) : : "memory", "cc")"#);
        let parts = parts.expect("an asm statement");
        assert!(parts.has_outputs && parts.clobbers_memory);
        let parts = Parts::of(r#"asm volatile("bar.sync 0;" :: "r"(memory))"#);
        assert!(parts.is_some_and(|p| !p.has_outputs && !p.clobbers_memory));
    }
}
