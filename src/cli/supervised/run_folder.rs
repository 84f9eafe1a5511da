//! The folder of one run: what the worker leaves for the supervisor, and all temporary files of the run. The
//! supervisor removes it, whatever became of the worker.

use super::established::Established;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The number of the process that supervises a worker.
pub(super) const SUPERVISOR: &str = "GRIDLOCK_SUPERVISOR";

/// A worker is known by this variable; it holds the folder of the run, or nothing.
pub(super) const VARIABLE: &str = "GRIDLOCK_RUN_FOLDER";

const ESTABLISHED: &str = "established.json";
const PRINTING: &str = "printing";
const REFUSED: &str = "allocation-refused";

/// The names of what lies in the folder.
#[derive(Clone, Debug)]
pub(super) struct RunFolder(PathBuf);

impl RunFolder {
    pub fn new(path: impl Into<PathBuf>) -> RunFolder {
        RunFolder(path.into())
    }

    /// Made for a run.
    pub fn make() -> std::io::Result<TempDir> {
        tempfile::Builder::new().prefix("gridlock-run-").tempdir()
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// What was established so far takes the place of what stood there before, at one stroke. A folder that
    /// cannot be written to costs the report of a worker that is stopped, and nothing else.
    pub fn establish(&self, established: &Established) {
        let aside = self.0.join("established.new");
        let written = serde_json::to_vec(established)
            .map_err(std::io::Error::from)
            .and_then(|bytes| std::fs::write(&aside, bytes))
            .and_then(|()| std::fs::rename(&aside, self.0.join(ESTABLISHED)));
        if let Err(error) = written {
            tracing::warn!("cannot keep what is established: {error}");
        }
    }

    pub fn established(&self) -> Established {
        std::fs::read(self.0.join(ESTABLISHED))
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default()
    }

    /// The result is on its way: from now on the reader's pace counts, not ours.
    pub fn begin_to_print(&self) {
        let _ = std::fs::write(self.0.join(PRINTING), "");
    }

    pub fn is_printing(&self) -> bool {
        self.0.join(PRINTING).exists()
    }

    /// Where the worker says that the system refused it memory.
    pub fn refused(&self) -> PathBuf {
        self.0.join(REFUSED)
    }

    pub fn was_refused_memory(&self) -> bool {
        std::fs::metadata(self.refused()).is_ok_and(|file| file.len() > 0)
    }
}
