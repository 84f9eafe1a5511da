//! Functions in which clang found errors.

use super::{Function, Side, Unit};
use crate::clang::complaints::Complaint;
use crate::clang::host_errors::HostErrors;
use crate::refusal::Refusal;
use gridlock_semantics::algebra::span::Span;

impl Unit<'_> {
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
