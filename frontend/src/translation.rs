//! From the syntax tree to a program: every function becomes a procedure, or is left out with the
//! reason, and then its callers are left out too.

use crate::assumed::{Assumed, Assumption};
use crate::body::program_builder::{Builder, Version};
use crate::clang::complaints::Complaint;
use crate::clang::header_folder::is_stand_in;
use crate::clang::host_errors::HostErrors;
use crate::clang::missing::Missing;
use crate::clang::nearby::Nearby;
use crate::error::{ErrorKind, FrontendError};
use crate::header_comment::HeaderLine;
use crate::launches::{self, InSight};
use crate::order::disturbance::without_order;
use crate::order::footprint::Unordered;
use crate::order::memory_order::Whole;
use crate::parsed::{Layout, Note, Parsed, Unsupported};
use crate::procedure;
use crate::refusal::Refusal;
use crate::request::{Language, ParseOptions};
use crate::syntax::place_in_source::Files;
use crate::syntax::{Node, NodeExt};
use crate::unit::instances::Template;
use crate::unit::{Side, Unit};
use gridlock_semantics::algebra::cell_names::CellNames;
use gridlock_semantics::algebra::ids::{ProcId, VarId};
use gridlock_semantics::algebra::operator::OpKind;
use gridlock_semantics::algebra::program::{Form, ProcKind, Procedure, Program};
use gridlock_semantics::algebra::span::{FileId, Span};
use gridlock_semantics::well_formed::check_well_formed;
use std::collections::{BTreeMap, HashMap, HashSet};

/// What of a file is not read.
#[derive(Default)]
pub(crate) struct LeftAside {
    /// clang's errors in host code.
    pub errors: HostErrors,
    /// What depends on headers that are missing.
    pub missing: Missing,
    /// Headers found in folders that no option names.
    pub nearby: Vec<Nearby>,
}

/// What is made of a syntax tree.
pub(crate) struct Translated {
    pub parsed: Parsed,
    /// The kernel templates of which there is no instance.
    pub open: Vec<Template>,
    /// The files that the program's places speak of.
    pub files: Files,
}

pub(crate) fn program(
    tree: &Node,
    text: &str,
    language: Language,
    files: Files,
    headers: Vec<HeaderLine>,
    left: &LeftAside,
    options: &ParseOptions,
) -> Result<Translated, FrontendError> {
    let LeftAside {
        errors, missing, ..
    } = left;
    let mut unit = Unit::new(tree, language, files);
    unit.recursion_depth = options.recursion;
    unit.argv = options.argv.clone();
    unit.is_ordered = orders_operands(language, options.standard.as_deref());
    if let Some(complaint) = unit.note_errors(errors) {
        return Err(syntax_error(&complaint, &unit.files));
    }
    unit.note_missing(missing);
    // If host code uses the variable too, the device would have another one.
    if let Some(first) = errors.host_variables.first()
        && unit.shares_host_variable()
    {
        return Err(syntax_error(first, &unit.files));
    }
    if let Some(span) = unit.file_scope_assembly {
        let message = "inline assembly at file scope";
        let error = FrontendError::new(ErrorKind::Unsupported, message);
        return Err(error.at(&unit.files.name(span.file), span.line, span.column));
    }
    let versions = unit.versions();
    let mut refused: BTreeMap<usize, Refusal> = BTreeMap::new();
    // A refused procedure makes those that call it refused, so passes go on until none is new.
    let (builder, procs, told) = loop {
        let pass = Pass::new(&unit, &versions, &refused);
        match pass.run() {
            Ok(made) => break made,
            Err(new) => refused.extend(new),
        }
    };
    let asked = builder.asked.clone();
    let mut cells = builder.described_cells();
    for (proc, var, names) in told.pointed {
        let proc = &procs[proc.0 as usize];
        if let Some(var) = proc.vars.get(var.0 as usize) {
            cells.describe_variable(&proc.name, var, names);
        }
    }
    let (arrays, fillable) = builder.into_arrays();
    let mut program = Program {
        form: Form::Surface,
        files: unit.files.sources(text),
        arrays,
        procs,
        cells,
    };
    program.number_operators();
    if let Err(reasons) = check_well_formed(&program) {
        let Some(first) = reasons.first() else {
            let message = "an ill-formed program for no reason";
            return Err(FrontendError::new(ErrorKind::Internal, message));
        };
        let message = format!(
            "the front end made an ill-formed program, please report this: {}",
            first.message
        );
        return Err(FrontendError::new(ErrorKind::Internal, message).at(
            &unit.files.name(first.span.file),
            first.span.line,
            first.span.column,
        ));
    }
    let instances = unit.functions.iter();
    let templates = instances.filter_map(|f| Some((f.name.clone(), f.template.clone()?)));
    let templates = templates.collect();
    let functions = unit.functions.iter();
    let same_names = functions.filter_map(|f| Some((f.name.clone(), f.shares_name.clone()?)));
    let same_names = same_names.collect();
    let uninstantiated = unit.uninstantiated.iter().map(|(_, _, node)| {
        let span = unit.files.span(node);
        Unsupported {
            proc: node.name().to_string(),
            kind: ProcKind::Kernel,
            span,
            file: unit.files.name(span.file),
            line: span.line,
            column: span.column,
            message: format!(
                "a kernel template that nothing instantiates (--instantiate '{}<…>')",
                node.name()
            ),
        }
    });
    let not_of_header = |unsupported: &Unsupported| !is_stand_in(&unsupported.file);
    let others = uninstantiated.chain(left_out(missing, &unit.files));
    let unsupported = refused
        .into_iter()
        // What calls a function of a header of ours is refused for itself.
        .filter(|(index, _)| !unit.is_of_stand_in(&unit.functions[versions[*index].0]))
        .map(|(index, refusal)| {
            let (number, on_host) = versions[index];
            let function = &unit.functions[number];
            // A place in such a header, where a call was read in place, says nothing to who calls it.
            let span = match is_stand_in(&unit.files.name(refusal.span.file)) {
                true => unit.files.span(function.node),
                false => refusal.span,
            };
            Unsupported {
                proc: function.name.clone(),
                kind: kind(&unit, number, on_host),
                span,
                file: unit.files.name(span.file),
                line: span.line,
                column: span.column,
                message: refusal.message,
            }
        })
        .chain(others.filter(not_of_header))
        .collect();
    let mut assumptions = told.assumptions;
    for (proc, procedure) in program.procs.iter().enumerate() {
        if matches!(procedure.kind, ProcKind::Kernel | ProcKind::Host) {
            assumptions.extend(missing.headers.iter().map(|header| Assumption {
                proc: ProcId(proc as u32),
                assumed: Assumed::MissingHeader(header.clone()),
            }));
            assumptions.extend(left.nearby.iter().map(|nearby| Assumption {
                proc: ProcId(proc as u32),
                assumed: Assumed::HeaderNearby {
                    header: nearby.header.clone(),
                    folder: nearby.folder.clone(),
                },
            }));
            let first = missing.first.as_ref();
            let first = first.filter(|_| missing.headers.is_empty());
            assumptions.extend(first.map(|first| Assumption {
                proc: ProcId(proc as u32),
                assumed: Assumed::NotAccepted {
                    file: unit.files.name(unit.files.number(&first.file)),
                    line: first.line,
                    message: first.message.clone(),
                },
            }));
        }
    }
    let open = unit.uninstantiated.iter();
    let open = open.map(|(node, scope, _)| Template::new(node, scope, text));
    let open = open.collect();
    let in_sight = launches::in_sight(&unit, &left.errors);
    let parsed = Parsed {
        program,
        unsupported,
        notes: told.notes,
        assumptions,
        layouts: told.layouts,
        fillable,
        launches: in_sight.launches,
        other_launches: in_sight.others,
        templates,
        same_names,
        asked: Some(asked),
        headers,
    };
    Ok(Translated {
        parsed,
        open,
        files: unit.files,
    })
}

/// The launches in host code by a tree with errors in it.
pub(crate) fn launches_with_errors(
    (tree, complaints): (&Node, Vec<Complaint>),
    language: Language,
    files: Files,
    options: &ParseOptions,
) -> InSight {
    let mut whole = Unit::new(tree, language, files);
    whole.argv = options.argv.clone();
    launches::in_sight(&whole, &HostErrors::of_functions(complaints))
}

/// The functions that are not in the tree, for want of headers.
fn left_out(missing: &Missing, files: &Files) -> Vec<Unsupported> {
    let left_out = missing.left_out.iter().map(|function| {
        let complaint = &function.complaint;
        let (line, column) = (complaint.line, complaint.column);
        let file = files.number(&complaint.file);
        Unsupported {
            proc: function.name.clone(),
            kind: function.kind,
            span: Span {
                file,
                line,
                column,
                end_line: line,
                end_column: column + 1,
            },
            file: files.name(file),
            line,
            column,
            message: complaint.message.clone(),
        }
    });
    left_out.collect()
}

/// Whether a language puts the operands of assignments, shifts and subscripts in order: C++ from C++17 on.
fn orders_operands(language: Language, standard: Option<&str>) -> bool {
    let older = ["98", "03", "0x", "11", "1y", "14"];
    let is_older = |standard: &str| older.iter().any(|year| standard.ends_with(year));
    language == Language::Cuda && !standard.is_some_and(is_older)
}

/// An error of clang's as the file's.
pub(crate) fn syntax_error(complaint: &Complaint, files: &Files) -> FrontendError {
    let main = files.clang_name(FileId(0));
    let file = match main.as_deref() == Some(complaint.file.as_str()) {
        true => files.name(FileId(0)),
        false => complaint.file.clone(),
    };
    let message = complaint.message.as_str();
    FrontendError::new(ErrorKind::Syntax, message).at(&file, complaint.line, complaint.column)
}

fn kind(unit: &Unit<'_>, function: usize, on_host: bool) -> ProcKind {
    match unit.functions[function].side {
        Side::Kernel => ProcKind::Kernel,
        _ if on_host => ProcKind::Host,
        _ => ProcKind::Device,
    }
}

/// The results of a pass beside the procedures.
#[derive(Default)]
struct Told {
    notes: Vec<Note>,
    assumptions: Vec<Assumption>,
    layouts: Vec<Layout>,
    /// The names of the cells behind pointers of procedures.
    pointed: Vec<(ProcId, VarId, CellNames)>,
}

type Made = (Builder, Vec<Procedure>, Told);

/// One attempt at all procedures not yet refused.
struct Pass<'u, 'a> {
    unit: &'u Unit<'a>,
    versions: &'u [Version],
    /// Indices into `versions` of those that take part, by procedure.
    chosen: Vec<usize>,
    builder: Builder,
}

impl<'u, 'a> Pass<'u, 'a> {
    fn new(
        unit: &'u Unit<'a>,
        versions: &'u [Version],
        refused: &BTreeMap<usize, Refusal>,
    ) -> Pass<'u, 'a> {
        let chosen: Vec<usize> = (0..versions.len())
            .filter(|index| !refused.contains_key(index))
            .collect();
        let procs: HashMap<Version, ProcId> = chosen
            .iter()
            .enumerate()
            .map(|(proc, &index)| (versions[index], ProcId(proc as u32)))
            .collect();
        let is_main = |&(_, &index): &(usize, &usize)| {
            let (function, on_host) = versions[index];
            on_host && unit.functions[function].node.name() == "main"
        };
        let main = chosen
            .iter()
            .enumerate()
            .find(is_main)
            .map(|(proc, _)| ProcId(proc as u32));
        let reasons = refused
            .iter()
            .map(|(&index, refusal)| {
                let own = || format!("{} (line {})", refusal.message, refusal.span.line);
                let reason = refusal.cause.clone().unwrap_or_else(own);
                (versions[index], reason)
            })
            .collect();
        Pass {
            unit,
            versions,
            chosen,
            builder: Builder::new(procs, main, reasons),
        }
    }

    /// Refuses procedures for whose operands the order of evaluation could make a difference.
    fn check_order(
        &self,
        procs: &[Procedure],
        unordered: &[(ProcId, Unordered)],
        refused: &mut BTreeMap<usize, Refusal>,
    ) {
        if unordered.is_empty() {
            return;
        }
        let whole = Whole::new(procs, &self.builder.arrays);
        for (proc, operands) in unordered {
            if let Some(what) = whole.conflict(*proc, operands) {
                let index = self.chosen[proc.0 as usize];
                refused.entry(index).or_insert_with(|| Refusal {
                    span: operands.span,
                    message: without_order(&what),
                    cause: None,
                });
            }
        }
    }

    /// The procedures, or those newly refused.
    fn run(mut self) -> Result<Made, BTreeMap<usize, Refusal>> {
        let mut refused = BTreeMap::new();
        let mut procs = Vec::new();
        let mut told = Told::default();
        let mut unordered = Vec::new();
        for (proc, &index) in self.chosen.iter().enumerate() {
            let (function, on_host) = self.versions[index];
            let name = self.name(function, on_host);
            let kind = kind(self.unit, function, on_host);
            let proc = ProcId(proc as u32);
            match procedure::procedure(self.unit, &mut self.builder, function, &name, proc, kind) {
                Ok(made) => {
                    procs.push(made.procedure);
                    unordered.extend(made.unordered.into_iter().map(|operands| (proc, operands)));
                    told.notes.extend(made.notes);
                    let pointed = made.pointed.into_iter();
                    told.pointed
                        .extend(pointed.map(|(var, cells)| (proc, var, cells)));
                    let assumed = made.assumed.into_iter();
                    let assumed = assumed.map(|assumed| Assumption { proc, assumed });
                    told.assumptions.extend(assumed);
                    let layouts = made.layouts.into_iter();
                    told.layouts
                        .extend(layouts.map(|(parameter, parts)| Layout {
                            procedure: name.clone(),
                            parameter,
                            parts,
                        }));
                }
                Err(refusal) => {
                    refused.insert(index, refusal);
                }
            }
        }
        if refused.is_empty() {
            self.check_dynamic_shared_memory(&procs, &mut refused);
            self.check_order(&procs, &unordered, &mut refused);
        }
        if !refused.is_empty() {
            return Err(refused);
        }
        let place = |n: &Note| (n.span.file, n.span.line, n.span.column);
        told.notes.sort_by_key(place);
        told.notes.dedup();
        Ok((self.builder, procs, told))
    }

    /// The host's version of a function that the device has too gets another name.
    fn name(&self, function: usize, on_host: bool) -> String {
        let name = &self.unit.functions[function].name;
        if on_host && self.versions.contains(&(function, false)) {
            format!("{name}_host")
        } else {
            name.clone()
        }
    }

    /// All `extern __shared__` arrays of a launch are one memory; the algebra has one array.
    fn check_dynamic_shared_memory(
        &self,
        procs: &[Procedure],
        refused: &mut BTreeMap<usize, Refusal>,
    ) {
        for (index, proc) in procs.iter().enumerate() {
            if proc.kind != ProcKind::Kernel {
                continue;
            }
            let called = closure(procs, ProcId(index as u32));
            if let Some((_, span, name)) = self.builder.second_view(&called) {
                let message = format!(
                    "a second view of dynamic shared memory, `{name}`, in kernel `{}`",
                    proc.name
                );
                refused.insert(
                    self.chosen[index],
                    Refusal {
                        span,
                        message,
                        cause: None,
                    },
                );
            }
        }
    }
}

/// A procedure and all it calls.
fn closure(procs: &[Procedure], root: ProcId) -> Vec<ProcId> {
    let mut found = vec![root];
    let mut seen: HashSet<ProcId> = HashSet::from([root]);
    let mut next = 0;
    while let Some(&proc) = found.get(next) {
        next += 1;
        if let Some(proc) = procs.get(proc.0 as usize) {
            proc.body.walk(&mut |op| {
                if let OpKind::Call { proc, .. } = &op.kind
                    && seen.insert(*proc)
                {
                    found.push(*proc);
                }
            });
        }
    }
    found
}
