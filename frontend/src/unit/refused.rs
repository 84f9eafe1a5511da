//! Functions in which clang found errors.

use super::{Function, Side, Unit};
use crate::clang::complaints::Complaint;
use crate::clang::header_folder::is_stand_in;
use crate::clang::host_errors::HostErrors;
use crate::clang::missing::Missing;
use crate::refusal::Refusal;
use crate::syntax::NodeExt;
use crate::types::ctype::{CType, QualifiedType};
use gridlock_semantics::algebra::program::ProcKind;
use gridlock_semantics::algebra::span::Span;
use std::collections::HashSet;

impl Unit<'_> {
    /// Whether code that is left out has this name in it.
    pub fn is_named_in_what_is_left_out(&self, name: &str) -> bool {
        self.mentioned_elsewhere.contains(name)
    }

    /// Marks the functions with errors of clang. Returns an error if no kernel can be judged without them.
    pub fn note_errors(&mut self, errors: &HostErrors) -> Option<Complaint> {
        let mut first = None;
        let of_device =
            |f: &Function<'_>| !f.is_intrinsic && matches!(f.side, Side::Kernel | Side::Device);
        let is_of_use = self.functions.iter().any(of_device) || !self.uninstantiated.is_empty();
        for index in 0..self.functions.len() {
            let function = &self.functions[index];
            // An intrinsic of a stand-in header has no errors, and the header is not a file of the program.
            if function.is_intrinsic {
                continue;
            }
            let span = self.files.span(function.body);
            let inside = errors.inside(span, &self.files);
            let declared = errors.declared.as_ref();
            let Some(complaint) = inside.or(declared.filter(|_| function.side == Side::Host))
            else {
                continue;
            };
            first.get_or_insert_with(|| complaint.clone());
            let trouble = self.refusal(complaint, span);
            self.functions[index].trouble = Some(trouble);
        }
        first.filter(|_| !is_of_use)
    }

    /// Marks what is not judged because headers are missing, and what code that is not here may have changed.
    pub fn note_missing(&mut self, missing: &Missing) {
        if missing.headers.is_empty() && missing.first.is_none() {
            return;
        }
        self.mentioned_elsewhere = missing.mentioned.clone();
        for index in 0..self.functions.len() {
            let function = &self.functions[index];
            let span = self.files.span(function.node);
            let name = self.files.clang_name(span.file).unwrap_or_default();
            let Some(doubt) = missing.doubt(&name, span.line) else {
                continue;
            };
            if function.is_intrinsic {
                continue;
            }
            let line = Span {
                file: self.files.number(&doubt.file),
                line: doubt.line,
                column: 1,
                end_line: doubt.line,
                end_column: 1,
            };
            self.functions[index].trouble = Some(Refusal {
                span: line,
                message: doubt.message.clone(),
                cause: None,
            });
        }
        self.note_other_values(missing);
    }

    /// Variables and functions that code that is left out may have given other values.
    fn note_other_values(&mut self, missing: &Missing) {
        let named = |name: &str| missing.mentioned.contains(name);
        let globals: Vec<_> = self.globals.iter().map(|(id, node)| (*id, *node)).collect();
        let mut pointers = HashSet::new();
        for (id, node) in globals {
            // What CUDA itself declares has one value.
            let is_ours = self.files.path(node).is_some_and(|path| is_stand_in(&path));
            if named(node.name()) && !is_ours {
                self.changed.insert(id);
                if may_hold_pointers(&self.type_of(node), 0) {
                    pointers.insert(id);
                }
            }
        }
        let of_device = |kind| matches!(kind, ProcKind::Device);
        let lacks_function = missing.left_out.iter().any(|left| of_device(left.kind));
        for index in 0..self.functions.len() {
            let function = &self.functions[index];
            if function.trouble.is_some() || function.is_ours {
                continue;
            }
            let takes_function = || {
                let mut types = function.params.iter().map(|p| self.type_of(p));
                types.any(|ty| ty.is_function_pointer())
            };
            let why = missing.why_left_out();
            let message = if super::names(function.body, &|id| pointers.contains(&id)) {
                format!("memory at file scope that code may set which is left out {why}")
            } else if lacks_function && takes_function() {
                format!("a pointer to a function, where functions are left out {why}")
            } else {
                continue;
            };
            let span = self.files.span(function.node);
            self.functions[index].trouble = Some(Refusal {
                span,
                message,
                cause: None,
            });
        }
    }

    /// clang's message as the reason why a function is not supported.
    fn refusal(&self, complaint: &Complaint, around: Span) -> Refusal {
        let is_here = self.files.clang_name(around.file).as_deref() == Some(&*complaint.file);
        let (line, column) = (complaint.line, complaint.column);
        let span = match is_here {
            true => Span {
                file: around.file,
                line,
                column,
                end_line: line,
                end_column: column + 1,
            },
            false => around,
        };
        Refusal {
            span,
            message: format!("what clang does not accept: {}", complaint.message),
            cause: None,
        }
    }
}

/// Whether a value of a type may be or hold a pointer.
fn may_hold_pointers(ty: &QualifiedType, depth: usize) -> bool {
    match &ty.ty {
        CType::Scalar(_) | CType::Group(_) => false,
        CType::Array(of, _) => depth > 8 || may_hold_pointers(of, depth + 1),
        CType::Record(record) => {
            let mut fields = record.fields.iter();
            let is_told = !record.is_union && record.trouble.is_none() && !record.fields.is_empty();
            !is_told || depth > 8 || fields.any(|field| may_hold_pointers(&field.ty, depth + 1))
        }
        _ => true,
    }
}
