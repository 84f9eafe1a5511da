//! The launches that host code makes, read off the tree without a meaning for all of that code.
//!
//! Host code of others rarely is supported whole: it prints, measures, calls libraries. What is needed of it here is
//! little: which numbers go into `kernel<<<grid, block, shared>>>(…)`. So its functions are walked with what is known
//! of each variable, in terms of *inputs*: numbers that host code does not say. Calls are followed, branches whose
//! condition is known are taken, others are taken both ways and joined, loops that end soon are done round by round
//! and others once, with all that they assign forgotten. Whatever is not understood is forgotten.
//!
//! The walk begins at `main` with the command line that is given, or none; then at `main` with any command line; then
//! at functions that no other calls; then at the functions with launches that were not met yet. Where there is a `main`, a
//! kernel with a launch that was met is not looked for in others.
//!
//! What comes out over-approximates what the code that is here does where all is in terms of inputs, but says nothing
//! of code that is not here (a macro of a missing header, a function behind a pointer). It chooses launches to try and
//! names who makes them, and is never a premise of a proof.

mod calls;
mod expressions;
mod statements;
mod value;

use crate::clang::host_errors::HostErrors;
use crate::parsed::{HostLaunch, LaunchInput};
use crate::syntax::casts::{callee, initialiser};
use crate::syntax::expression::Expression;
use crate::syntax::{Node, NodeExt};
use crate::types::ctype::{CType, QualifiedType};
use crate::unit::{Side, Unit};
use clang_ast::Id;
use gridlock_semantics::algebra::expr::{Expr, ExprKind};
use gridlock_semantics::algebra::ids::VarId;
use gridlock_semantics::algebra::types::{ScalarType, Type};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ops::Range;
use value::{End, Known, Place, State};

/// Nodes looked at in all.
const STEPS: usize = 1_000_000;
/// Launches of one kernel that are told apart.
const MOST_OF_A_KERNEL: usize = 8;
/// Nodes of an expression, at most; a larger one becomes an input.
const MOST_NODES: usize = 200;
/// Characters of a text that names an input.
const MOST_CHARACTERS: usize = 48;

/// What host code launches.
#[derive(Debug, Default)]
pub(crate) struct InSight {
    /// By kernel in the order in which they are found.
    pub launches: Vec<HostLaunch>,
    /// The kernels that may be launched in other ways.
    pub others: BTreeSet<String>,
}

/// The launches in the functions of a unit. `errors`: those that clang found in it.
pub(crate) fn in_sight(unit: &Unit<'_>, errors: &HostErrors) -> InSight {
    let is_host = |index: &usize| {
        let function = &unit.functions[*index];
        matches!(function.side, Side::Host | Side::Both) && !function.is_ours
    };
    let hosts: Vec<usize> = (0..unit.functions.len()).filter(is_host).collect();
    let mut sites = Sites::default();
    // The functions with launches, and those.
    let mut launching: BTreeMap<usize, Range<usize>> = BTreeMap::new();
    for &index in &hosts {
        let before = sites.launches.len();
        sites.collect(unit, unit.functions[index].body);
        if sites.launches.len() > before {
            launching.insert(index, before..sites.launches.len());
        }
    }
    for &global in unit.globals.values() {
        sites.collect(unit, global);
    }
    let has_error = |index: &usize| {
        let span = unit.files.span(unit.functions[*index].body);
        errors.declared.is_some() || errors.inside(span, &unit.files).is_some()
    };
    let faulty: HashSet<usize> = hosts.iter().copied().filter(has_error).collect();
    let mut walk = Walk::new(unit, faulty);
    let is_main = |index: &&usize| unit.functions[**index].node.name() == "main";
    let main = hosts.iter().find(is_main).copied();
    // In a program what `main` comes to counts, and beside it one launch of each kernel is enough; elsewhere any may be made.
    let own_sites = |index: usize| {
        let own = launching.get(&index).filter(|_| main.is_none());
        own.map_or(&[][..], |own| &sites.launches[own.clone()])
    };
    if let Some(main) = main.filter(|main| walk.leads_to_unknown(*main, &own_sites)) {
        walk.from(main, CommandLine::AsGiven);
        walk.from(main, CommandLine::Any);
    }
    let mut called: HashSet<usize> = HashSet::new();
    for &index in &hosts {
        called.extend(unit.functions[index].mentions.iter().map(|(to, _)| *to));
    }
    let roots = hosts.iter().filter(|index| !called.contains(index));
    for &root in roots.filter(|index| Some(**index) != main) {
        if walk.leads_to_unknown(root, &own_sites) {
            walk.from(root, CommandLine::Any);
        }
    }
    for &index in launching.keys() {
        if walk.leads_to_unknown(index, &own_sites) {
            walk.from(index, CommandLine::Any);
        }
    }
    let is_whole = !walk.is_cut_short && walk.faulty.is_empty();
    let kernels = unit.functions.iter().enumerate();
    let kernels = kernels.filter(|(_, function)| function.side == Side::Kernel);
    let others = kernels.filter(|(index, function)| {
        let mut own = sites.launches.iter().filter(|(_, kernel)| kernel == index);
        !is_whole
            || sites.named.contains(index)
            || unit.is_named_in_what_is_left_out(function.node.name())
            || walk.n_known(*index) >= MOST_OF_A_KERNEL
            || own.any(|(site, _)| !walk.visited.contains(site))
    });
    let others = others.map(|(_, function)| function.name.clone()).collect();
    InSight {
        launches: walk.found,
        others,
    }
}

/// Where host code launches kernels, and which it names otherwise.
#[derive(Default)]
struct Sites {
    launches: Vec<(Id, usize)>,
    named: HashSet<usize>,
}

impl Sites {
    fn collect(&mut self, unit: &Unit<'_>, node: &Node) {
        let is_kernel = |index: &usize| unit.functions[*index].side == Side::Kernel;
        let kernel_of = |id: Id| unit.function_of.get(&id).copied().filter(is_kernel);
        if let Expression::Launch(launch) = node.expression() {
            let kernel = callee(node).and_then(|callee| kernel_of(callee.id?));
            if let Some(kernel) = kernel {
                self.launches.push((node.id, kernel));
                for part in launch.configuration.iter().chain(launch.arguments) {
                    self.collect(unit, part);
                }
                return;
            }
        }
        // It sets attributes of a kernel, or asks for them.
        if let Expression::Call(call) = node.expression()
            && (call.name().starts_with("cudaFunc") || call.name().starts_with("cudaOccupancy"))
        {
            return;
        }
        if let Expression::Name(decl) = node.expression() {
            self.named.extend(kernel_of(decl.id));
        }
        for child in &node.inner {
            self.collect(unit, child);
        }
    }
}

/// What is known of `main`'s arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CommandLine {
    /// How many there are.
    AsGiven,
    Any,
}

/// The walk over host code.
struct Walk<'u, 'a> {
    unit: &'u Unit<'a>,
    /// The functions in which clang found an error: statements may be missing there.
    faulty: HashSet<usize>,
    /// The inputs met, by number.
    inputs: Vec<LaunchInput>,
    state: State,
    /// The variables that pointers may point to.
    addressed: HashSet<Id>,
    /// What a reference stands for.
    aliases: HashMap<Id, Place>,
    /// The names of the variables met.
    names: HashMap<Id, String>,
    /// Their order: in that of clang's numbers for them, which are addresses, two runs could differ.
    numbers: HashMap<Id, u32>,
    /// Functions that are being walked, outermost first.
    stack: Vec<usize>,
    /// Ways that left a loop, a `switch` or a function early.
    parked: Vec<(End, State)>,
    steps: usize,
    /// Something was not walked to its end.
    is_cut_short: bool,
    /// The launches that were met, as nodes.
    visited: HashSet<Id>,
    found: Vec<HostLaunch>,
}

impl<'u, 'a> Walk<'u, 'a> {
    fn new(unit: &'u Unit<'a>, faulty: HashSet<usize>) -> Walk<'u, 'a> {
        Walk {
            unit,
            faulty,
            inputs: Vec::new(),
            state: State::default(),
            addressed: HashSet::new(),
            aliases: HashMap::new(),
            names: HashMap::new(),
            numbers: HashMap::new(),
            stack: Vec::new(),
            parked: Vec::new(),
            steps: STEPS,
            is_cut_short: false,
            visited: HashSet::new(),
            found: Vec::new(),
        }
    }

    /// How many launches of a kernel were met.
    fn n_known(&self, kernel: usize) -> usize {
        let name = &self.unit.functions[kernel].name;
        let of_kernel = self.found.iter().filter(|launch| launch.kernel == *name);
        of_kernel.count()
    }

    /// Whether a function, or one that it calls, launches a kernel of which no launch was met, or is one whose own launches
    /// (`sites`) were not.
    fn leads_to_unknown<'s>(
        &self,
        root: usize,
        sites: &impl Fn(usize) -> &'s [(Id, usize)],
    ) -> bool {
        let is_open = |(site, kernel): &(Id, usize)| {
            !self.visited.contains(site) && self.n_known(*kernel) < MOST_OF_A_KERNEL
        };
        let mut open = vec![root];
        let mut seen = HashSet::from([root]);
        while let Some(next) = open.pop() {
            if sites(next).iter().any(is_open) {
                return true;
            }
            for &(to, _) in &self.unit.functions[next].mentions {
                if self.unit.functions[to].side == Side::Kernel && self.n_known(to) == 0 {
                    return true;
                }
                if seen.insert(to) {
                    open.push(to);
                }
            }
        }
        false
    }

    /// Walks a function of which no caller is walked.
    fn from(&mut self, root: usize, command_line: CommandLine) {
        self.inputs.clear();
        self.state = State::default();
        self.addressed.clear();
        self.aliases.clear();
        self.stack = vec![root];
        self.parked.clear();
        // One walk may use up what another needs.
        self.steps = STEPS;
        let unit = self.unit;
        let function = &unit.functions[root];
        let is_main = self.is_main(root);
        let mut globals: Vec<&Node> = unit.globals.values().copied().collect();
        globals.sort_by_cached_key(|node| {
            let span = unit.files.span(node);
            (unit.files.name(span.file), span.line, span.column)
        });
        globals.dedup_by_key(|node| node.id);
        for node in globals {
            self.meet(node.id, node.name());
            // Only `main` begins with what the file says of variables that change.
            let is_first = is_main || unit.is_steady(node.id);
            let value = match initialiser(node).filter(|_| is_first) {
                Some(init) => self.initial(node, init),
                None => Known::Nothing,
            };
            self.state.write(&Place::of(node.id), value);
        }
        for (position, param) in function.params.iter().enumerate() {
            let given = unit.argv.len() as i64 + 1;
            let scalar = unit.type_of(param).scalar();
            let value = match (is_main && position == 0, command_line, scalar) {
                (true, CommandLine::AsGiven, Some(scalar)) if scalar.is_integer() => {
                    Known::Number(Expr::int(scalar, given))
                }
                _ => Known::Open,
            };
            self.meet(param.id, param.name());
            self.state.write(&Place::of(param.id), value);
        }
        self.statement(function.body);
    }

    fn is_main(&self, function: usize) -> bool {
        self.unit.functions[function].node.name() == "main"
    }

    /// Notes a variable by its name.
    fn meet(&mut self, variable: Id, name: &str) {
        let next = self.numbers.len() as u32;
        self.numbers.entry(variable).or_insert(next);
        self.names
            .entry(variable)
            .or_insert_with(|| name.to_owned());
    }

    /// Takes a step; false when there are none left.
    fn step(&mut self) -> bool {
        self.steps = self.steps.saturating_sub(1);
        self.is_cut_short |= self.steps == 0;
        self.steps > 0
    }

    /// A number of which nothing is known.
    fn input(&mut self, name: String, ty: ScalarType, is_free: bool, choices: Vec<i64>) -> Expr {
        let var = VarId(self.inputs.len() as u32);
        self.inputs.push(LaunchInput {
            name,
            ty,
            is_free,
            choices,
        });
        Expr::var(var, Type::Scalar(ty))
    }

    /// What a variable gets: a number that may be anything is an input from there on, also where ways join.
    fn named_input(&mut self, value: Known, name: &str, scalar: Option<ScalarType>) -> Known {
        match (value, scalar) {
            (Known::Open, Some(scalar)) => {
                Known::Number(self.input(name.to_owned(), scalar, true, Vec::new()))
            }
            (value, _) => value,
        }
    }

    /// An input that the text of a node names.
    fn input_of(&mut self, node: &Node, ty: ScalarType, is_free: bool) -> Expr {
        let text = self.unit.files.text(self.unit.files.span(node));
        let mut text = text.unwrap_or_default();
        if text.contains(['\n', '\r']) || text.chars().count() > MOST_CHARACTERS {
            text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if text.chars().count() > MOST_CHARACTERS {
                text = text.chars().take(MOST_CHARACTERS).chain(['…']).collect();
            }
        }
        self.input(text, ty, is_free, Vec::new())
    }

    fn type_of(&self, node: &Node) -> QualifiedType {
        self.unit.type_of(node)
    }

    /// The scalar type of a node; a status of the runtime is a number.
    fn scalar_of(&self, node: &Node) -> Option<ScalarType> {
        let ty = self.type_of(node);
        match &ty.ty {
            CType::Status => Some(ScalarType::U32),
            CType::Reference(to) => to.scalar(),
            _ => ty.scalar(),
        }
    }

    /// Notes a launch.
    fn note(&mut self, launch: HostLaunch) {
        let launch = in_its_inputs(launch, &self.inputs);
        let of_kernel = self.found.iter().filter(|l| l.kernel == launch.kernel);
        if of_kernel.count() < MOST_OF_A_KERNEL && !self.found.contains(&launch) {
            self.found.push(launch);
        }
    }
}

/// The launch in terms of those inputs alone that its numbers, or conditions on these, depend on.
fn in_its_inputs(mut launch: HostLaunch, inputs: &[LaunchInput]) -> HostLaunch {
    let mut used: BTreeSet<u32> = BTreeSet::new();
    for number in numbers(&launch) {
        used.extend(named(number));
    }
    // A condition may relate an input of the launch to others.
    let mut kept: Vec<Expr> = Vec::new();
    let mut left = std::mem::take(&mut launch.conditions);
    loop {
        let (of_launch, others): (Vec<Expr>, Vec<Expr>) = left
            .into_iter()
            .partition(|condition| named(condition).iter().any(|n| used.contains(n)));
        left = others;
        if of_launch.is_empty() {
            break;
        }
        for condition in of_launch {
            used.extend(named(&condition));
            if !kept.contains(&condition) {
                kept.push(condition);
            }
        }
    }
    let renamed: BTreeMap<u32, u32> = used.iter().copied().zip(0..).collect();
    let mut rename = |e: Expr| match e.kind {
        ExprKind::Var(var) => Expr::var(VarId(renamed[&var.0]), e.ty),
        _ => e,
    };
    let mut put = |number: &mut Expr| *number = number.map(&mut rename);
    launch.grid.iter_mut().for_each(&mut put);
    launch.block.iter_mut().for_each(&mut put);
    put(&mut launch.shared_bytes);
    launch.args.iter_mut().for_each(|(_, number)| put(number));
    kept.iter_mut().for_each(&mut put);
    launch.conditions = kept;
    launch.inputs = used.iter().map(|n| inputs[*n as usize].clone()).collect();
    launch
}

/// All numbers of a launch.
fn numbers(launch: &HostLaunch) -> impl Iterator<Item = &Expr> {
    let configuration = launch.grid.iter().chain(&launch.block);
    let args = launch.args.iter().map(|(_, number)| number);
    configuration.chain([&launch.shared_bytes]).chain(args)
}

/// The inputs that an expression names.
fn named(expr: &Expr) -> BTreeSet<u32> {
    let mut found = BTreeSet::new();
    expr.walk(&mut |e| {
        if let ExprKind::Var(var) = e.kind {
            found.insert(var.0);
        }
    });
    found
}
