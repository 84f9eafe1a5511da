//! Files that clang reads in the place of others, or of none.

use super::empty_headers::EmptyHeaders;
use super::overlay::Overlay;
use super::source::Source;
use crate::error::FrontendError;
use std::collections::HashMap;
use std::ffi::OsString;

/// Empty headers in the place of missing ones, and files without the declarations in which clang finds errors. They
/// exist as long as this value.
#[derive(Default)]
pub(crate) struct Substitutes {
    headers: Option<EmptyHeaders>,
    overlay: Option<Overlay>,
}

impl Substitutes {
    /// # Errors
    /// They cannot be written.
    pub(super) fn new<V>(
        headers: EmptyHeaders,
        source: &Source,
        left_out: &HashMap<usize, V>,
    ) -> Result<Substitutes, FrontendError> {
        let mut substitutes = Substitutes {
            headers: Some(headers),
            overlay: None,
        };
        if !left_out.is_empty() {
            substitutes.leave_out(source, left_out)?;
        }
        Ok(substitutes)
    }

    /// Leaves these pieces out, and no others.
    ///
    /// # Errors
    /// The files without them cannot be written.
    pub(super) fn leave_out<V>(
        &mut self,
        source: &Source,
        left_out: &HashMap<usize, V>,
    ) -> Result<(), FrontendError> {
        self.overlay = Some(Overlay::new(source, left_out)?);
        Ok(())
    }

    /// The names of the empty headers.
    pub(super) fn headers(&self) -> Vec<String> {
        let headers = self.headers.as_ref();
        headers.map_or(Vec::new(), |headers| headers.names.clone())
    }

    /// What makes clang read them.
    pub(in crate::clang) fn arguments(&self) -> Vec<OsString> {
        let headers = self.headers.iter().flat_map(EmptyHeaders::arguments);
        let overlay = self.overlay.iter().flat_map(Overlay::arguments);
        // What is missing in them is like nothing that is there, and looking for it takes clang a while.
        let is_lacking = self.headers.iter().any(|headers| !headers.names.is_empty());
        let unlike = is_lacking.then(|| "-fno-spell-checking".into());
        headers.chain(overlay).chain(unlike).collect()
    }
}
