//! What device pointers without a type point to: read off their allocation (`n * sizeof(int)`), the
//! kernels they are passed to, and the pointers they are copied from.

use super::Term;
use super::lift::KernelSignature;
use super::token::tokens;
use std::collections::BTreeMap;

/// Types of the elements by the pointers' names, in one function.
#[derive(Default)]
pub(super) struct Pointees {
    known: BTreeMap<String, Term>,
    same: Vec<(String, String)>,
}

impl Pointees {
    /// Notes what an operator tells.
    pub(super) fn see(
        &mut self,
        term: &Term,
        kernels: &[KernelSignature],
        type_of: &dyn Fn(&str) -> Option<Term>,
    ) {
        let Term::App(name, parts) = term else {
            return;
        };
        match (name.as_str(), parts.as_slice()) {
            ("alloc_gpu", [Term::Text(pointer), Term::Text(bytes)])
            | ("alloc_gpu_declared", [_, Term::Text(pointer), Term::Text(bytes)]) => {
                if let Some(elem) = sized(bytes).and_then(|name| type_of(&name)) {
                    self.note(pointer, &elem, true);
                }
            }
            ("call_gpu" | "call_gpu_cooperative", [Term::Text(kernel), .., Term::List(args)]) => {
                let signature = kernels.iter().find(|k| k.name == *kernel);
                let elements = signature.map_or(&[][..], |k| k.pointees.as_slice());
                for (arg, elem) in args.iter().zip(elements) {
                    if let (Term::App(_, parts), Some(elem)) = (arg, elem)
                        && let Some(Term::Text(pointer)) = parts.get(1)
                    {
                        self.note(pointer, elem, false);
                    }
                }
            }
            _ => {}
        }
    }

    /// An allocation says more than a use.
    fn note(&mut self, pointer: &str, elem: &Term, is_allocation: bool) {
        if is_allocation || !self.known.contains_key(pointer) {
            self.known.insert(pointer.to_owned(), elem.clone());
        }
    }

    /// Both names are of pointers to the same elements.
    pub(super) fn equal(&mut self, a: &str, b: &str) {
        self.same.push((a.to_owned(), b.to_owned()));
    }

    pub(super) fn settle(&mut self) {
        loop {
            let before = self.known.len();
            for (a, b) in &self.same {
                for (from, to) in [(a, b), (b, a)] {
                    if let Some(elem) = self.known.get(from).cloned() {
                        self.known.entry(to.clone()).or_insert(elem);
                    }
                }
            }
            if self.known.len() == before {
                return;
            }
        }
    }

    pub(super) fn of(&self, pointer: &str) -> Option<&Term> {
        self.known.get(pointer)
    }
}

/// `T` in `… sizeof(T) …`.
fn sized(bytes: &str) -> Option<String> {
    let (found, _) = tokens(bytes);
    let at = found.iter().position(|token| token.text == "sizeof")?;
    let inside = found.get(at + 2..)?;
    let end = inside.iter().position(|token| token.text == ")")?;
    let names: Vec<&str> = inside[..end]
        .iter()
        .map(|token| token.text.as_str())
        .collect();
    Some(names.join(" "))
}
