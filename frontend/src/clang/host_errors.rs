//! clang's errors in host code. Host code often uses libraries for which there is no header here. A host function
//! whose body clang rejects is treated like one with an unsupported construct: it is left out, and the kernels are
//! judged without it.
//!
//! An error anywhere else makes the whole file fail. clang continues after an error, but silently drops statements
//! that use the faulty declaration, so a kernel could lose a statement. A host function is harmless in this respect,
//! because device code cannot call it. Device code that uses a variable of the host is refused only if host code uses
//! that variable too; otherwise there is only one variable it can mean (`statements/declaration.rs`). Host code may
//! use faulty parameters of host functions and faulty host variables, so after such an error no host code is read.

use crate::clang::complaints::Complaint;
use crate::syntax::kind::Kind;
use crate::syntax::place_in_source::Files;
use crate::syntax::{Node, NodeExt};
use gridlock_semantics::algebra::span::Span;

/// Deepest nesting of namespaces and classes that is searched.
const MAX_SCOPES: usize = 64;

/// The errors of a file whose kernels can still be judged.
#[derive(Debug, Default)]
pub(crate) struct HostErrors {
    in_bodies: Vec<Complaint>,
    /// An error in a declaration that all host code can use.
    pub declared: Option<Complaint>,
    /// Where device code names variables of the host, which clang then reads like any other.
    pub host_variables: Vec<Complaint>,
}

impl HostErrors {
    /// Errors of a tree of which nothing is judged: each counts against the function that it stands in.
    pub fn of_functions(complaints: Vec<Complaint>) -> HostErrors {
        HostErrors {
            in_bodies: complaints,
            ..HostErrors::default()
        }
    }

    /// The first error inside a span.
    pub fn inside(&self, span: Span, files: &Files) -> Option<&Complaint> {
        self.in_bodies
            .iter()
            .find(|complaint| holds(span, complaint, files))
    }
}

/// The text of a host function or variable.
struct Extent {
    whole: Span,
    body: Option<Span>,
}

/// Sorts a file's errors.
///
/// # Errors
/// The first one that concerns more than host code.
pub(crate) fn sorted(
    root: &Node,
    complaints: Vec<Complaint>,
    files: &Files,
) -> Result<HostErrors, Complaint> {
    let mut errors = HostErrors::default();
    if complaints.is_empty() {
        return Ok(errors);
    }
    let mut extents = Vec::new();
    collect(root, files, &mut extents, 0);
    let mut begun: Vec<Span> = Vec::new();
    for complaint in complaints {
        if names_host_variable(&complaint) {
            errors.host_variables.push(complaint);
            continue;
        }
        let around = extents
            .iter()
            .find(|extent| holds(extent.whole, &complaint, files));
        let Some(extent) = around.filter(|_| !breaks_structure(&complaint)) else {
            return Err(complaint);
        };
        // Unexpected punctuation is a mistake, unless an unknown name before it is the cause.
        if !begun.contains(&extent.whole) {
            if complaint.message.starts_with("expected") {
                return Err(complaint);
            }
            begun.push(extent.whole);
        }
        match extent.body {
            Some(body) if holds(body, &complaint, files) => errors.in_bodies.push(complaint),
            _ => {
                errors.declared.get_or_insert(complaint);
            }
        }
    }
    Ok(errors)
}

/// Whether device code names a variable of the host. The statement is read all the same.
fn names_host_variable(complaint: &Complaint) -> bool {
    let message = complaint.message.as_str();
    message.starts_with("reference to __host__ variable '")
        && (message.ends_with("' in __global__ function")
            || message.ends_with("' in __device__ function"))
}

/// Whether clang may have read the following text as part of another declaration.
fn breaks_structure(complaint: &Complaint) -> bool {
    let message = complaint.message.as_str();
    message.contains("function definition is not allowed here")
        || message.starts_with("extraneous closing brace")
        || message.starts_with("expected '}'")
}

fn holds(span: Span, complaint: &Complaint, files: &Files) -> bool {
    let at = (complaint.line, complaint.column);
    !span.is_none()
        && files.clang_name(span.file).as_deref() == Some(complaint.file.as_str())
        && (span.line, span.column) <= at
        && at <= (span.end_line, span.end_column)
}

/// Finds the host's functions and variables.
fn collect(scope: &Node, files: &Files, found: &mut Vec<Extent>, depth: usize) {
    if depth > MAX_SCOPES {
        return;
    }
    for node in &scope.inner {
        match node.kind() {
            Kind::FunctionDecl
            | Kind::CXXMethodDecl
            | Kind::CXXConstructorDecl
            | Kind::CXXDestructorDecl
            | Kind::CXXConversionDecl
                if is_of_host(node) =>
            {
                let body = node.inner.iter().find(|n| n.is(Kind::CompoundStmt));
                found.push(Extent {
                    whole: files.span(node),
                    body: body.map(|body| files.span(body)),
                });
            }
            Kind::VarDecl if is_of_host(node) && !node.type_text().contains("const") => {
                found.push(Extent {
                    whole: files.span(node),
                    body: None,
                });
            }
            Kind::NamespaceDecl
            | Kind::LinkageSpecDecl
            | Kind::CXXRecordDecl
            | Kind::ClassTemplateDecl
            | Kind::ClassTemplateSpecializationDecl
            | Kind::FunctionTemplateDecl => collect(node, files, found, depth + 1),
            _ => {}
        }
    }
}

/// Whether device code cannot use a function or variable.
fn is_of_host(node: &Node) -> bool {
    let of_device = [
        Kind::CUDAGlobalAttr,
        Kind::CUDADeviceAttr,
        Kind::CUDASharedAttr,
        Kind::CUDAConstantAttr,
        Kind::HIPManagedAttr,
    ];
    !node.kind.constexpr
        && !of_device
            .iter()
            .any(|kind| node.has_attribute(kind.clone()))
}
