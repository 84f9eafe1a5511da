//! A file with its label.

use super::header::Header;
use std::path::PathBuf;

/// A file with its label.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// Of the file.
    pub path: PathBuf,
    /// Its label.
    pub header: Header,
}
