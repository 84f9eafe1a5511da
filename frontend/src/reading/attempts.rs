//! How a file is read: whole; without what clang finds wrong in it; without headers found nearby.

use super::chosen::kernels;
use crate::clang::{self, Faulty, host_errors};
use crate::error::{ErrorKind, FrontendError};
use crate::header_comment::HeaderLine;
use crate::parsed::Parsed;
use crate::request::{Language, ParseOptions};
use crate::syntax::condition_declarations::unfold;
use crate::syntax::local_lambdas::name_apart;
use crate::syntax::local_types::settle;
use crate::syntax::place_in_source::Files;
use crate::translation::{LeftAside, program, syntax_error};
use crate::unit::instances::Template;
use std::cell::Cell;
use std::path::Path;

/// A file to be read.
pub(super) struct File<'f> {
    pub path: &'f Path,
    pub text: &'f str,
    /// Its name in messages.
    pub shown: &'f str,
    pub language: Language,
    pub options: &'f ParseOptions,
    /// Whether a header was found in a folder nearby.
    pub has_nearby: &'f Cell<bool>,
}

impl File<'_> {
    /// What is read of the file, and the kernel templates of which there is no instance.
    pub fn read_as_far_as_it_goes(
        &self,
        headers: &[HeaderLine],
    ) -> Result<(Parsed, Vec<Template>), FrontendError> {
        let error = match self.read_with_its_headers(headers) {
            Err(error) if error.kind == ErrorKind::Syntax => error,
            other => return other,
        };
        // An error in a header found nearby, which may use libraries that are not here: without it less is read.
        if !self.has_nearby.get() {
            return Err(error);
        }
        let mut given = self.options.clone();
        given.only_given_folders = true;
        let less = File {
            options: &given,
            ..*self
        };
        less.read_with_its_headers(headers).or(Err(error))
    }

    fn read_with_its_headers(
        &self,
        headers: &[HeaderLine],
    ) -> Result<(Parsed, Vec<Template>), FrontendError> {
        let error = match self.read(Faulty::Kept, headers.to_vec()) {
            Err(error) if error.kind == ErrorKind::Syntax => error,
            other => return other,
        };
        // What is wrong may concern one kernel of many, or a library of which a header here knows too little.
        let is_of_device = matches!(self.language, Language::Cuda | Language::OpenCl);
        if is_of_device
            && !self.options.require_includes
            && let Ok((parsed, open)) = self.read(Faulty::LeftOut, headers.to_vec())
            && (!open.is_empty() && self.options.choose_instances
                || kernels(&parsed).next().is_some())
        {
            return Ok((parsed, open));
        }
        Err(error)
    }

    fn read(
        &self,
        faulty: Faulty,
        headers: Vec<HeaderLine>,
    ) -> Result<(Parsed, Vec<Template>), FrontendError> {
        let Self {
            path,
            text,
            shown,
            language,
            options,
            has_nearby,
        } = *self;
        let asked = (options, faulty, has_nearby);
        let mut read = clang::syntax_tree(path, text, shown, language, asked)
            .map_err(|error| at_its_header(error, &headers, shown))?;
        settle(&mut read.tree);
        name_apart(&mut read.tree);
        unfold(&mut read.tree);
        let files = Files::new(&clang::name_of(path, options), shown);
        let errors = host_errors::sorted(&read.tree, read.complaints, &files)
            .map_err(|complaint| syntax_error(&complaint, &files))?;
        if let Some((tree, _)) = &mut read.with_errors {
            settle(tree);
            name_apart(tree);
            unfold(tree);
        }
        let left = LeftAside {
            errors,
            missing: read.missing,
            nearby: read.nearby,
            with_errors: read.with_errors,
        };
        program(&read.tree, text, language, files, headers, &left, options)
    }
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
