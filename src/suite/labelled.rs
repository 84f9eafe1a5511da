//! A file with its label.

use super::header::Header;
use std::path::PathBuf;

/// A file with its label.
#[derive(Clone, Debug)]
pub struct Labelled {
    pub path: PathBuf,
    pub header: Header,
}
