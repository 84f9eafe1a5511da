//! Terms handed to Z3, with the threads that read them told apart, within a budget of steps and a limit
//! of time.

use crate::machine::launch::SymbolicLaunch;
use crate::solver::budget::{Budget, Cut};
use crate::solver::integers::Integers;
use crate::solver::parts::Asked;
use crate::solver::small_model::all_are_small;
use crate::terms::function::Function;
use crate::terms::simplify::mask;
use crate::terms::term::{BitOp, Node, Order, Scope, Sort, SymId, TermId, Terms};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::{Duration, Instant};
use z3::ast::{Ast, BV, Bool, Dynamic};
use z3::{FuncDecl, Model, Params, SatResult, Solver, StatisticsValue, Tactic};

/// Which copy of the symbols of block, interval and thread scope a reader has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reader {
    pub block: u16,
    pub interval: u8,
    pub thread: u16,
}

impl Reader {
    pub const FIRST: Reader = Reader {
        block: 0,
        interval: 0,
        thread: 0,
    };
    /// Another thread of the block in the same barrier interval.
    pub const BESIDE: Reader = Reader {
        thread: 1,
        ..Reader::FIRST
    };
    /// Another thread of the block in any interval.
    pub const APART: Reader = Reader {
        interval: 1,
        thread: 1,
        ..Reader::FIRST
    };
    /// A thread of another block.
    pub const ELSEWHERE: Reader = Reader {
        block: 1,
        interval: 1,
        thread: 1,
    };

    /// The part of the reader a term of `scope` depends on.
    fn narrowed(self, scope: Scope) -> Reader {
        match scope {
            Scope::Grid => Reader::FIRST,
            Scope::Block => Reader {
                block: self.block,
                ..Reader::FIRST
            },
            Scope::Interval => Reader { thread: 0, ..self },
            Scope::Thread => self,
        }
    }
}

/// Whether a model meets all formulas.
fn holds_in(model: &Model, formulas: &[Bool]) -> bool {
    formulas.iter().all(|formula| {
        let holds = model.eval(formula, true);
        holds.and_then(|holds| holds.as_bool()) == Some(true)
    })
}

#[derive(Debug)]
pub enum Answer {
    Unsatisfiable,
    Satisfiable(Rc<Model>),
    /// The solver gave up, or what it may spend is spent.
    Open(Cut),
}

impl Answer {
    pub fn is_unsatisfiable(&self) -> bool {
        matches!(self, Answer::Unsatisfiable)
    }
}

/// How the solver goes about a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Procedure {
    /// Terms first, their bits where that decides nothing. It is ready in a sixth of the time that the other takes, which
    /// is longer than most questions do.
    Terms,
    /// Bits alone, after rewriting: what is hard is decided by far sooner.
    Bits,
    /// The same, each bit first taken to be 0: words that differ somewhere are found among small ones.
    Zeros,
    /// Whole numbers, by linear arithmetic.
    Numbers,
}

impl Procedure {
    fn solver(self) -> Solver {
        match self {
            Procedure::Terms => Tactic::new("smt").solver(),
            Procedure::Bits | Procedure::Zeros => {
                Solver::new_for_logic("QF_UFBV").unwrap_or_default()
            }
            Procedure::Numbers => Solver::new_for_logic("QF_LIA").unwrap_or_default(),
        }
    }
}

/// Steps spent on the terms of a question: nine of ten are decided by then.
const EASY_STEPS: u64 = 20_000;
/// A question of so many steps at most is over in a tenth of a second, and needs nobody who looks at the time.
const UNTIMED_STEPS: u64 = 100_000;

/// Part of a question's steps spent on bits before whole numbers are tried, and then on those.
const FIRST_SHARE: u64 = 16;
const INTEGERS_SHARE: u64 = 8;
/// Part of a question's steps spent on bits that are taken to be 0 first, before those of what is left.
const ZEROS_SHARE: u64 = 2;
/// Part of those first steps spent on a question with products before it is asked about small numbers, and then
/// on those.
const PRODUCTS_SHARE: u64 = 32;
const SMALL_SHARE: u64 = 4;

/// A formula and who reads it.
pub type Reading = (TermId, Reader);

pub struct Prover {
    asts: FxHashMap<(TermId, Reader), Dynamic>,
    /// What stands for functions that have names of the program's: what is proved hangs on none of these, nor on their
    /// order.
    named: FxHashMap<Function, usize>,
    /// For one question.
    pub query_steps: u64,
    steps_left: u64,
    /// Of these, what is kept for other properties.
    kept: u64,
    pub steps_taken: u64,
    deadline: Instant,
    pub queries: u64,
    /// Symbols with smaller numbers have one value for all readers, whatever their scope.
    pub shared_below: u32,
    /// What ended the first query that has no answer.
    pub cut: Option<Cut>,
    /// Whether words for which the conditions hold are worth looking for where nothing is decided soon.
    pub seeks_words: bool,
    /// Of paths.
    pub(super) asked: Asked,
    /// Of the last question that readers can meet.
    met: Option<Rc<Model>>,
}

impl Prover {
    /// `time` bounds what the budget allows where the machine is slow.
    pub fn new(budget: Budget, time: Duration) -> Prover {
        Prover {
            asts: FxHashMap::default(),
            named: FxHashMap::default(),
            query_steps: budget.query,
            steps_left: budget.total,
            kept: 0,
            steps_taken: 0,
            deadline: Instant::now() + time,
            queries: 0,
            shared_below: 0,
            cut: None,
            seeks_words: false,
            asked: Asked::default(),
            met: None,
        }
    }

    /// Whether nothing more can be asked.
    pub fn is_spent(&self) -> bool {
        self.available() == 0 || Instant::now() >= self.deadline
    }

    /// The steps that may be taken now.
    fn available(&self) -> u64 {
        self.steps_left.saturating_sub(self.kept)
    }

    /// Leaves all but an equal share of the steps to `others` more.
    pub fn share_with(&mut self, others: usize) {
        let share = self.steps_left.div_ceil(others as u64 + 1);
        self.kept = self.steps_left - share;
    }

    /// Whether all `readings` can hold together, for readers that differ as `distinct` says, in a
    /// valid launch.
    pub fn ask(
        &mut self,
        terms: &Terms,
        launch: &SymbolicLaunch,
        readings: &[Reading],
        extra: &[Bool],
    ) -> Answer {
        match self.formulas(terms, launch, readings, extra) {
            Some(formulas) => self.ask_formulas(&formulas),
            None => Answer::Unsatisfiable,
        }
    }

    /// [`Prover::ask`] where any model will do: what shows that one of many situations is possible often shows
    /// that the next one asked about is.
    pub fn ask_for_any(
        &mut self,
        terms: &Terms,
        launch: &SymbolicLaunch,
        readings: &[Reading],
        extra: &[Bool],
    ) -> Answer {
        let Some(formulas) = self.formulas(terms, launch, readings, extra) else {
            return Answer::Unsatisfiable;
        };
        match self.met.as_ref().filter(|met| holds_in(met, &formulas)) {
            Some(met) => Answer::Satisfiable(met.clone()),
            None => self.ask_formulas(&formulas),
        }
    }

    fn ask_formulas(&mut self, formulas: &[Bool]) -> Answer {
        self.count();
        let answer = self.decide(formulas);
        if let Answer::Satisfiable(model) = &answer {
            self.met = Some(model.clone());
        }
        answer
    }

    /// What a question says; `None` where a reading is false.
    fn formulas(
        &mut self,
        terms: &Terms,
        launch: &SymbolicLaunch,
        readings: &[Reading],
        extra: &[Bool],
    ) -> Option<Vec<Bool>> {
        let is_false = |&(term, _): &Reading| terms.as_bool(term) == Some(false);
        if readings.iter().any(is_false) {
            return None;
        }
        let mut readers: Vec<Reader> = vec![Reader::FIRST];
        for &(_, reader) in readings {
            if !readers.contains(&reader) {
                readers.push(reader);
            }
        }
        let mut formulas: Vec<Bool> = Vec::new();
        for &reader in &readers {
            for &fact in &launch.facts {
                formulas.push(self.formula(terms, fact, reader));
            }
        }
        for &(term, reader) in readings {
            formulas.push(self.formula(terms, term, reader));
        }
        formulas.extend_from_slice(extra);
        Some(formulas)
    }

    /// Another question.
    pub(super) fn count(&mut self) {
        self.queries += 1;
        tracing::debug!(target: "stage", "query {}", self.queries);
    }

    /// Whether all conditions can hold together; of no launch anything is known.
    pub fn decide_all(&mut self, terms: &Terms, conditions: &[TermId]) -> Answer {
        if conditions.iter().any(|&t| terms.as_bool(t) == Some(false)) {
            return Answer::Unsatisfiable;
        }
        let formulas: Vec<Bool> = conditions
            .iter()
            .map(|&term| self.formula(terms, term, Reader::FIRST))
            .collect();
        self.queries += 1;
        self.decide(&formulas)
    }

    /// Words for which all conditions hold together, if that is seen at once.
    pub fn at_once(&mut self, terms: &Terms, conditions: &[TermId]) -> Option<Rc<Model>> {
        let formulas: Vec<Bool> = conditions
            .iter()
            .map(|&term| self.formula(terms, term, Reader::FIRST))
            .collect();
        self.queries += 1;
        match self.attempt(&formulas, Procedure::Terms, EASY_STEPS) {
            Answer::Satisfiable(model) => Some(model),
            Answer::Unsatisfiable | Answer::Open(_) => None,
        }
    }

    /// What is easy on the terms; then bit by bit for a while, then as whole numbers, where linear arithmetic is easy, and
    /// then bit by bit for what is left, with small words first. What multiplies unknowns is first looked for among small numbers.
    pub(super) fn decide(&mut self, formulas: &[Bool]) -> Answer {
        let first = (self.query_steps / FIRST_SHARE).max(1);
        match self.attempt(formulas, Procedure::Terms, first.min(EASY_STEPS)) {
            Answer::Open(Cut::Query | Cut::Solver) => {}
            other => return self.settled(other),
        }
        if let Some(small) = all_are_small(formulas) {
            match self.attempt(formulas, Procedure::Bits, first / PRODUCTS_SHARE) {
                Answer::Open(Cut::Query) => {}
                other => return self.settled(other),
            }
            let small = [formulas, &small].concat();
            match self.attempt(&small, Procedure::Bits, first / SMALL_SHARE) {
                Answer::Satisfiable(model) => return Answer::Satisfiable(model),
                // Small numbers say nothing about others.
                Answer::Unsatisfiable | Answer::Open(Cut::Query | Cut::Solver) => {}
                other => return self.settled(other),
            }
        }
        match self.attempt(formulas, Procedure::Bits, first) {
            Answer::Open(Cut::Query) => {}
            other => return self.settled(other),
        }
        let (numbers, integers) = Integers::of(formulas);
        match self.attempt(
            &numbers,
            Procedure::Numbers,
            self.query_steps / INTEGERS_SHARE,
        ) {
            Answer::Unsatisfiable => return Answer::Unsatisfiable,
            // The numbers say less than the words; whether the words can be these is soon seen.
            Answer::Satisfiable(model) if self.seeks_words => {
                let these = [formulas, &integers.words_of(&model)].concat();
                match self.attempt(&these, Procedure::Bits, first / SMALL_SHARE) {
                    Answer::Satisfiable(model) => return Answer::Satisfiable(model),
                    Answer::Unsatisfiable | Answer::Open(Cut::Query | Cut::Solver) => {}
                    other => return self.settled(other),
                }
            }
            Answer::Satisfiable(_) | Answer::Open(Cut::Query | Cut::Solver) => {}
            other => return self.settled(other),
        }
        if self.seeks_words {
            match self.attempt(formulas, Procedure::Zeros, self.query_steps / ZEROS_SHARE) {
                Answer::Open(Cut::Query | Cut::Solver) => {}
                other => return self.settled(other),
            }
        }
        let last = self.attempt(formulas, Procedure::Bits, self.query_steps);
        self.settled(last)
    }

    /// Notes what ended a question without an answer.
    fn settled(&mut self, answer: Answer) -> Answer {
        if let Answer::Open(cut) = answer {
            self.cut.get_or_insert(cut);
        }
        answer
    }

    pub(super) fn attempt(
        &mut self,
        formulas: &[Bool],
        procedure: Procedure,
        steps: u64,
    ) -> Answer {
        if self.available() == 0 {
            return Answer::Open(Cut::Total);
        }
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Answer::Open(Cut::Time);
        }
        let solver = procedure.solver();
        let mut params = Params::new();
        let steps = steps.min(self.available()).max(1);
        if steps > UNTIMED_STEPS {
            let limit = left.as_millis().max(1);
            params.set_u32("timeout", u32::try_from(limit).unwrap_or(u32::MAX));
        }
        params.set_u32("rlimit", u32::try_from(steps).unwrap_or(u32::MAX));
        if procedure == Procedure::Zeros {
            params.set_symbol("sat.phase", "always_false");
        }
        solver.set_params(&params);
        for formula in formulas {
            solver.assert(formula);
        }
        let before = steps_taken(&solver);
        let answer = solver.check();
        let taken = steps_taken(&solver).saturating_sub(before);
        self.steps_left = self.steps_left.saturating_sub(taken.max(1));
        self.steps_taken += taken;
        tracing::debug!(taken, ?answer, ?procedure, "a question to the solver");
        match answer {
            SatResult::Unsat => Answer::Unsatisfiable,
            SatResult::Sat => match solver.get_model() {
                Some(model) => Answer::Satisfiable(Rc::new(model)),
                None => Answer::Open(Cut::Solver),
            },
            SatResult::Unknown => Answer::Open(match (taken >= steps, self.available()) {
                (true, 0) => Cut::Total,
                (true, _) => Cut::Query,
                _ if Instant::now() >= self.deadline => Cut::Time,
                _ => Cut::Solver,
            }),
        }
    }

    /// Two different threads of one block.
    pub fn different_threads(
        &mut self,
        terms: &Terms,
        launch: &SymbolicLaunch,
        other: Reader,
    ) -> Bool {
        let differ = launch.dimensions.map(|d| {
            let (a, b) = (
                self.word(terms, d.thread, Reader::FIRST),
                self.word(terms, d.thread, other),
            );
            a.eq(&b).not()
        });
        Bool::or(&differ.iter().collect::<Vec<_>>())
    }

    /// Two different blocks, and what is known about their bases.
    pub fn different_blocks(
        &mut self,
        terms: &Terms,
        launch: &SymbolicLaunch,
        other: Reader,
    ) -> Vec<Bool> {
        let mut facts = Vec::new();
        let mut differ = Vec::new();
        for d in launch.dimensions {
            let read =
                |p: &mut Prover, t| (p.word(terms, t, Reader::FIRST), p.word(terms, t, other));
            let (a, b) = read(self, d.block);
            differ.push(a.eq(&b).not());
            if let Some(base) = d.base {
                let (base_a, base_b) = read(self, base);
                let extent = self.word(terms, d.block_extent, Reader::FIRST);
                facts.push(a.eq(&b).implies(base_a.eq(&base_b)));
                let before = |x: &BV, y: &BV| x.bvadd(&extent).bvule(y);
                facts.push(a.bvult(&b).implies(before(&base_a, &base_b)));
                facts.push(b.bvult(&a).implies(before(&base_b, &base_a)));
            }
        }
        facts.push(Bool::or(&differ.iter().collect::<Vec<_>>()));
        facts
    }

    pub fn formula(&mut self, terms: &Terms, term: TermId, reader: Reader) -> Bool {
        let ast = self.ast(terms, term, reader);
        ast.as_bool().expect("a formula has Boolean sort")
    }

    pub fn word(&mut self, terms: &Terms, term: TermId, reader: Reader) -> BV {
        let ast = self.ast(terms, term, reader);
        ast.as_bv().expect("a word has a bit-vector sort")
    }

    /// The value of a word in a model, zero-extended.
    pub fn value(
        &mut self,
        terms: &Terms,
        model: &Model,
        term: TermId,
        reader: Reader,
    ) -> Option<u64> {
        let ast = self.ast(terms, term, reader);
        match terms.sort(term) {
            Sort::Bool => {
                let value = model.eval(&ast.as_bool()?, true)?.as_bool()?;
                Some(value as u64)
            }
            Sort::Bits(width) => {
                let value = model.eval(&ast.as_bv()?, true)?.as_u64()?;
                Some(value & mask(width))
            }
        }
    }

    fn ast(&mut self, terms: &Terms, term: TermId, reader: Reader) -> Dynamic {
        let key = (term, reader.narrowed(terms.scope(term)));
        if let Some(ast) = self.asts.get(&key) {
            return ast.clone();
        }
        // Operands first, on a stack of our own: path conditions nest deeply.
        let mut stack = vec![(term, false)];
        while let Some((t, ready)) = stack.pop() {
            let key = (t, reader.narrowed(terms.scope(t)));
            if self.asts.contains_key(&key) {
                continue;
            }
            if !ready {
                stack.push((t, true));
                stack.extend(terms.children(t).into_iter().map(|c| (c, false)));
                continue;
            }
            let ast = self.build(terms, t, reader);
            self.asts.insert(key, ast);
        }
        self.asts[&key].clone()
    }

    /// The term, whose operands have been built.
    fn build(&mut self, terms: &Terms, term: TermId, reader: Reader) -> Dynamic {
        let operand = |t: TermId| self.asts[&(t, reader.narrowed(terms.scope(t)))].clone();
        let word = |t| operand(t).as_bv().expect("a word");
        let truth = |t| operand(t).as_bool().expect("a formula");
        match terms.node(term) {
            Node::Bool(value) => Bool::from_bool(*value).into(),
            Node::Bits { width, value } => BV::from_u64(*value, *width).into(),
            Node::Symbol(symbol) if symbol.0 < self.shared_below => {
                constant(terms, *symbol, Reader::FIRST)
            }
            Node::Symbol(symbol) => constant(terms, *symbol, reader),
            Node::Bit(BitOp::SDiv, a, b) if by_power(terms, *b).is_some() => {
                halved(&word(*a), by_power(terms, *b).unwrap_or(0)).into()
            }
            Node::Bit(BitOp::SRem, a, b) if by_power(terms, *b).is_some() => {
                let (a, power) = (word(*a), by_power(terms, *b).unwrap_or(0));
                let width = a.get_size();
                let whole = halved(&a, power).bvshl(BV::from_u64(u64::from(power), width));
                a.bvsub(&whole).into()
            }
            Node::Bit(op, a, b) => {
                let (a, b) = (word(*a), word(*b));
                match op {
                    BitOp::Add => a.bvadd(&b),
                    BitOp::Sub => a.bvsub(&b),
                    BitOp::Mul => a.bvmul(&b),
                    BitOp::UDiv => a.bvudiv(&b),
                    BitOp::SDiv => a.bvsdiv(&b),
                    BitOp::URem => a.bvurem(&b),
                    BitOp::SRem => a.bvsrem(&b),
                    BitOp::Shl => a.bvshl(&b),
                    BitOp::LShr => a.bvlshr(&b),
                    BitOp::AShr => a.bvashr(&b),
                    BitOp::And => a.bvand(&b),
                    BitOp::Or => a.bvor(&b),
                    BitOp::Xor => a.bvxor(&b),
                }
                .into()
            }
            Node::ZeroExt(width, a) => word(*a).zero_ext(width - terms.width(*a)).into(),
            Node::SignExt(width, a) => word(*a).sign_ext(width - terms.width(*a)).into(),
            Node::Low(width, a) => word(*a).extract(width - 1, 0).into(),
            Node::Ite(cond, a, b) => match terms.sort(*a) {
                Sort::Bool => truth(*cond).ite(&truth(*a), &truth(*b)).into(),
                Sort::Bits(_) => truth(*cond).ite(&word(*a), &word(*b)).into(),
            },
            Node::Not(a) => truth(*a).not().into(),
            Node::And(a, b) => Bool::and(&[truth(*a), truth(*b)]).into(),
            Node::Or(a, b) => Bool::or(&[truth(*a), truth(*b)]).into(),
            Node::Eq(a, b) => operand(*a).eq(operand(*b)).into(),
            Node::Less(order, a, b) => {
                let (a, b) = (word(*a), word(*b));
                match order {
                    Order::UnsignedLess => a.bvult(&b),
                    Order::UnsignedLessEq => a.bvule(&b),
                    Order::SignedLess => a.bvslt(&b),
                    Order::SignedLessEq => a.bvsle(&b),
                }
                .into()
            }
            Node::Apply {
                function,
                result,
                args,
            } => {
                let sort = |s: Sort| match s {
                    Sort::Bool => z3::Sort::bool(),
                    Sort::Bits(width) => z3::Sort::bitvector(width),
                };
                let domain: Vec<z3::Sort> = args.iter().map(|&a| sort(terms.sort(a))).collect();
                let domain: Vec<&z3::Sort> = domain.iter().collect();
                let name = match function {
                    Function::Input(_) | Function::Argument(_) => {
                        let number = self.named.len();
                        let number = self.named.entry(function.clone()).or_insert(number);
                        format!("named: {number}")
                    }
                    own => own.to_string(),
                };
                let decl = FuncDecl::new(name, &domain, &sort(*result));
                let args: Vec<Dynamic> = args.iter().map(|&a| operand(a)).collect();
                let args: Vec<&dyn Ast> = args.iter().map(|a| a as &dyn Ast).collect();
                decl.apply(&args)
            }
        }
    }
}

/// The power of two that a divisor is, if it is one and positive.
fn by_power(terms: &Terms, divisor: TermId) -> Option<u32> {
    let value = terms.as_bits(divisor)?;
    let is_positive = value < 1 << (terms.width(divisor) - 1);
    (is_positive && value.is_power_of_two()).then(|| value.trailing_zeros())
}

/// Signed division by a power of two, towards zero, without a circuit for division: what is negative
/// gets `2^power - 1` added, and is then shifted.
pub fn halved(dividend: &BV, power: u32) -> BV {
    let width = dividend.get_size();
    if power == 0 {
        return dividend.clone();
    }
    let by = |n: u32| BV::from_u64(u64::from(n), width);
    let sign = dividend.bvashr(by(width - 1));
    let extra = sign.bvlshr(by(width - power));
    dividend.bvadd(&extra).bvashr(by(power))
}

/// What a solver's context has spent so far.
fn steps_taken(solver: &Solver) -> u64 {
    match solver.get_statistics().value("rlimit count") {
        Some(StatisticsValue::UInt(count)) => u64::from(count),
        Some(StatisticsValue::Double(count)) => count as u64,
        None => 0,
    }
}

fn constant(terms: &Terms, id: SymId, reader: Reader) -> Dynamic {
    let symbol = &terms.symbols[id.0 as usize];
    let r = reader.narrowed(symbol.scope);
    // Without the name that it has in the program, which is to decide nothing.
    let name = format!("{}@{}.{}.{}", id.0, r.block, r.interval, r.thread);
    match symbol.sort {
        Sort::Bool => Bool::new_const(name).into(),
        Sort::Bits(width) => BV::new_const(name, width).into(),
    }
}
