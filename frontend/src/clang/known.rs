//! What a reading of a file finds out that others of it need not: those with other instances of its templates, without
//! what is wrong in it, or with all of that.

use super::complaints::Complaint;
use super::missing::empty_headers::EmptyHeaders;
use super::nearby;
use super::own_types::OwnTypes;
use super::prelude::Named;
use super::texture_fetches;
use crate::request::ParseOptions;
use std::cell::{Cell, RefCell};
use std::io;

/// What is known of a file.
pub(crate) struct Known {
    /// It fetches from textures, uses the library, or names what the short prelude lacks: all of them without a header
    /// that says so.
    pub(super) with_fetches: Cell<bool>,
    /// Whether there is shared memory that is `extern` and has an extent.
    pub(super) with_linking: Cell<bool>,
    pub(super) with_library: Cell<bool>,
    pub(super) with_whole_prelude: Cell<bool>,
    /// What it names, once it was preprocessed.
    pub(super) named: RefCell<Option<Named>>,
    /// Whether parts of the prelude may be left out.
    pub(super) may_leave_out: Cell<bool>,
    pub(super) own_types: RefCell<OwnTypes>,
    pub(super) nearby: RefCell<nearby::Found>,
    /// The headers that are missing.
    pub(super) missing: RefCell<Vec<String>>,
    /// The errors for which declarations are left out of its text, once it was read without them.
    pub(super) faults: RefCell<Option<Vec<Complaint>>>,
    /// Trees that clang printed, which takes it longer than all else.
    pub(super) n_trees: Cell<usize>,
}

impl Known {
    /// Before a file with this text is read.
    pub fn new(text: &str, options: &ParseOptions) -> Known {
        Known {
            with_fetches: Cell::new(texture_fetches::are_named(text)),
            with_linking: Cell::new(false),
            with_library: Cell::new(false),
            with_whole_prelude: Cell::new(options.whole_prelude),
            named: RefCell::default(),
            may_leave_out: Cell::new(!options.whole_prelude),
            own_types: RefCell::default(),
            nearby: RefCell::new(nearby::Found::new(!options.only_given_folders)),
            missing: RefCell::default(),
            faults: RefCell::default(),
            n_trees: Cell::new(0),
        }
    }

    /// Whether a header was found in a folder nearby.
    pub fn has_nearby(&self) -> bool {
        !self.nearby.borrow().all.is_empty()
    }

    pub(super) fn lacks_headers(&self) -> bool {
        !self.missing.borrow().is_empty()
    }

    /// Empty files in the place of the headers that are missing.
    ///
    /// # Errors
    /// They cannot be written.
    pub(super) fn empty_headers(&self) -> io::Result<EmptyHeaders> {
        let mut headers = EmptyHeaders::new()?;
        for name in &*self.missing.borrow() {
            headers.add(name)?;
        }
        Ok(headers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clang::{Asked, Faulty, syntax_tree, tree_with_errors};
    use crate::request::Language;

    /// A tree that is not used is not printed.
    #[test]
    fn each_reading_takes_one_tree() {
        let kernel = "template <class T> __global__ void k(T *a) { a[threadIdx.x] = 1; }\n";
        let missing = "#include <is_not_here.h>\n";
        let host = "void f(is_not_known x) { k<float><<<1, 32>>>(x.a); }\n";
        let short_prelude = "#include <stdio.h>\n";
        for (text, n_first, lacks) in [
            (kernel.to_owned(), 1, false),
            (format!("{short_prelude}{kernel}"), 1, false),
            (format!("{missing}{kernel}"), 1, true),
            (format!("{missing}{missing}{kernel}{host}"), 1, true),
            // Its errors concern host code alone: that is seen in a tree that has them, and one without them is better.
            (format!("{kernel}{host}"), 1, false),
        ] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("k.cu");
            std::fs::write(&path, &text).expect("written");
            let options = ParseOptions::default();
            let instances = ParseOptions {
                instantiate: vec!["k<int>".to_owned()],
                ..ParseOptions::default()
            };
            let known = Known::new(&text, &options);
            let asked = |options| Asked {
                path: &path,
                text: &text,
                shown: "k.cu",
                language: Language::Cuda,
                options,
                known: &known,
            };
            let read = syntax_tree(asked(&options), Faulty::Kept);
            read.unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert_eq!(known.n_trees.get(), n_first, "{text}");
            assert_eq!(known.lacks_headers(), lacks, "{text}");
            let read = syntax_tree(asked(&instances), Faulty::Kept);
            let read = read.unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert_eq!(known.n_trees.get(), n_first + 1, "{text}");
            assert_eq!(read.launches_are_left_out, lacks && text.contains(host));
            if read.launches_are_left_out {
                let (_, complaints) = tree_with_errors(asked(&instances)).expect("a tree");
                assert_eq!((known.n_trees.get(), complaints.len()), (n_first + 2, 1));
            }
        }
    }
}
