//! How a file is read: whole; without what clang finds wrong in it; without headers found nearby.

use crate::clang::known::Known;
use crate::clang::refused_instances::refused;
use crate::clang::{self, Asked, Faulty, Substitutes, host_errors};
use crate::error::{ErrorKind, FrontendError};
use crate::header_comment::HeaderLine;
use crate::parsed::Parsed;
use crate::request::{Language, ParseOptions};
use crate::syntax::Node;
use crate::syntax::condition_declarations::unfold;
use crate::syntax::local_lambdas::name_apart;
use crate::syntax::local_types::settle;
use crate::syntax::place_in_source::Files;
use crate::translation::{LeftAside, launches_with_errors, program, syntax_error};
use crate::unit::instances::Template;
use gridlock_semantics::algebra::program::ProcKind;
use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;

/// A file to be read.
pub(super) struct File<'f> {
    pub path: &'f Path,
    pub text: &'f str,
    /// Its name in messages.
    pub shown: &'f str,
    pub language: Language,
    pub headers: &'f [HeaderLine],
    /// By readings of it so far.
    pub known: Rc<Known>,
}

/// What one reading of a file makes of it.
pub(super) struct Reading {
    pub parsed: Parsed,
    /// The kernel templates of which there is no instance.
    pub open: Vec<Template>,
    left_out: Option<LaunchesLeftOut>,
    known: Rc<Known>,
    substitutes: Substitutes,
}

/// A launch stands in what was left out of a file.
struct LaunchesLeftOut {
    files: Files,
    options: ParseOptions,
    known: Rc<Known>,
}

impl File<'_> {
    /// What is read of the file as far as it goes.
    pub fn read_as_far_as_it_goes(&self, options: &ParseOptions) -> Result<Reading, FrontendError> {
        let error = match self.read_with_its_headers(options) {
            Err(error) if error.kind == ErrorKind::Syntax => error,
            other => return other,
        };
        // An error in a header found nearby, which may use libraries that are not here: without it less is read.
        if !self.known.has_nearby() {
            return Err(error);
        }
        let mut given = options.clone();
        given.only_given_folders = true;
        let less = File {
            known: Rc::new(Known::new(self.text, &given)),
            ..*self
        };
        less.read_with_its_headers(&given).or(Err(error))
    }

    fn read_with_its_headers(&self, options: &ParseOptions) -> Result<Reading, FrontendError> {
        let error = match self.read(options, Faulty::Kept) {
            Err(error) if error.kind == ErrorKind::Syntax => error,
            other => return other,
        };
        // What is wrong may concern one kernel of many, or a library of which a header here knows too little.
        let is_of_device = matches!(self.language, Language::Cuda | Language::OpenCl);
        if is_of_device
            && !options.require_includes
            && let Ok(reading) = self.read(options, Faulty::LeftOut)
            && (!reading.open.is_empty() && options.choose_instances
                || kernels(&reading.parsed).next().is_some())
        {
            return Ok(reading);
        }
        Err(error)
    }

    fn asked<'a>(&'a self, options: &'a ParseOptions, known: &'a Known) -> Asked<'a> {
        Asked {
            path: self.path,
            text: self.text,
            shown: self.shown,
            language: self.language,
            options,
            known,
        }
    }

    fn read(&self, options: &ParseOptions, faulty: Faulty) -> Result<Reading, FrontendError> {
        let (shown, headers) = (self.shown, self.headers);
        let mut read = clang::syntax_tree(self.asked(options, &self.known), faulty)
            .map_err(|error| at_its_header(error, headers, shown))?;
        settle_all(&mut read.tree);
        let files = Files::new(&clang::name_of(self.path, options), shown);
        let errors = host_errors::sorted(&read.tree, read.complaints, &files)
            .map_err(|complaint| syntax_error(&complaint, &files))?;
        let left = LeftAside {
            errors,
            missing: read.missing,
            nearby: read.nearby,
        };
        let (text, language) = (self.text, self.language);
        let headers = headers.to_vec();
        let made = program(&read.tree, text, language, files, headers, &left, options)?;
        Ok(Reading {
            parsed: made.parsed,
            open: made.open,
            left_out: read.launches_are_left_out.then(|| LaunchesLeftOut {
                files: made.files,
                options: options.clone(),
                known: self.known.clone(),
            }),
            known: self.known.clone(),
            substitutes: read.substitutes,
        })
    }

    /// Which of the instances that the options ask for clang refuses in a file that was read so; `None` if it does not
    /// say.
    pub fn refused(&self, reading: &Reading, options: &ParseOptions) -> Option<HashSet<usize>> {
        refused(self.asked(options, &reading.known), &reading.substitutes)
    }

    /// The result of a reading, with the launches that stand in what it left out: once all readings are made, because
    /// they take another.
    pub fn finished(&self, reading: Reading) -> Parsed {
        let Reading {
            mut parsed,
            left_out,
            ..
        } = reading;
        // Only a kernel that is read has launches to be judged at.
        let Some(left_out) = left_out.filter(|_| kernels(&parsed).next().is_some()) else {
            return parsed;
        };
        let options = &left_out.options;
        let whole = clang::tree_with_errors(self.asked(options, &left_out.known));
        if let Some((mut tree, complaints)) = whole {
            settle_all(&mut tree);
            let (whole, files) = ((&tree, complaints), left_out.files);
            let in_sight = launches_with_errors(whole, self.language, files, options);
            parsed.launches = in_sight.launches;
            parsed.other_launches = in_sight.others;
        }
        parsed
    }
}

/// The names of the kernels that are read.
pub(super) fn kernels(parsed: &Parsed) -> impl Iterator<Item = &str> {
    let procs = parsed.program.procs_of_kind(ProcKind::Kernel);
    procs.map(|proc| &*parsed.program.procs[proc.0 as usize].name)
}

/// Gives a tree the form that the translation expects.
fn settle_all(tree: &mut Node) {
    settle(tree);
    name_apart(tree);
    unfold(tree);
}

/// An error of clang about an instance that the header comment requests has the place of that line.
fn at_its_header(error: FrontendError, headers: &[HeaderLine], shown: &str) -> FrontendError {
    let asked = headers.iter().filter(|h| h.key == "instantiate");
    let complaint = asked.filter_map(|header| {
        let said = clang::of_instance(&error, &header.value)?;
        let message = format!("`instantiate = {}`: {said}", header.value);
        Some(FrontendError::new(error.kind, message).at(shown, header.line, 1))
    });
    complaint.into_iter().next().unwrap_or(error)
}
