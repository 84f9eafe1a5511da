//! A search that a limit cut, kept to be gone on with.
//!
//! A checkpoint holds everything the search has found and what the numbers in its states stand
//! for, besides a fingerprint of the question asked: the program, its setup and profile, and how it
//! was searched. It is of use to the same version of the tool only.

use super::search::{Saved, Search};
use crate::automaton::{Automaton, Tables};
use crate::explore::options::ExploreOptions;
use crate::system::ExploredProgram;
use crate::system::fingerprint::fingerprint;
use serde::Serialize;
use thiserror::Error;

const HEADER: &[u8] = b"gridlock checkpoint 1\n";
/// A fingerprint of the question, and how long arrays without extent were made.
type Asked = (u128, Vec<u64>);

const PRINT_BYTES: usize = size_of::<u128>();

/// A search to go on with, as bytes.
#[derive(Clone, Debug)]
pub struct Checkpoint(Vec<u8>);

/// Why a checkpoint is of no use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum CheckpointError {
    /// The bytes do not begin as a checkpoint of this version does.
    #[error("not a checkpoint of this version of gridlock")]
    NotOne,
    /// The bytes do not have the fingerprint they end with, or cannot be read.
    #[error("the checkpoint is damaged")]
    Damaged,
    #[error(
        "the checkpoint is of another search: the program, its launch, the profile or the options \
         have changed"
    )]
    /// It answers another question than the one asked.
    OtherSearch,
    /// Searches of this kind keep none; names the option or the construct that stands in the way.
    #[error("searches of this program keep no checkpoints: {0}")]
    NotKept(&'static str),
}

impl Checkpoint {
    /// What a file holds.
    ///
    /// # Errors
    /// It is no checkpoint, or damaged.
    pub fn of_bytes(bytes: Vec<u8>) -> Result<Checkpoint, CheckpointError> {
        let rest = bytes.strip_prefix(HEADER).ok_or(CheckpointError::NotOne)?;
        let (body, print) = rest
            .split_last_chunk::<PRINT_BYTES>()
            .ok_or(CheckpointError::Damaged)?;
        if u128::from_le_bytes(*print) != fingerprint(&body) {
            return Err(CheckpointError::Damaged);
        }
        Ok(Checkpoint(bytes))
    }

    /// What a file is to hold.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn body(&self) -> &[u8] {
        &self.0[HEADER.len()..self.0.len() - PRINT_BYTES]
    }

    /// What a search has found so far. `None` when it cannot be written down.
    pub(super) fn of(search: &Search<'_>, asked: (u128, &[u64])) -> Option<Checkpoint> {
        let mut bytes = HEADER.to_vec();
        let saving = (asked, search.scene.automaton.tables(), search.saving());
        bytes = postcard::to_extend(&saving, bytes).ok()?;
        let print = fingerprint(&&bytes[HEADER.len()..]);
        bytes.extend(print.to_le_bytes());
        Some(Checkpoint(bytes))
    }

    fn asked(&self) -> Result<(Asked, &[u8]), CheckpointError> {
        postcard::take_from_bytes(self.body()).map_err(|_| CheckpointError::Damaged)
    }

    /// How long arrays without extent were made.
    pub(in crate::explore) fn lengths(&self) -> Result<Vec<u64>, CheckpointError> {
        self.asked().map(|((_, lengths), _)| lengths)
    }

    /// What a search had found; the automaton, new, learns what its numbers stood for.
    pub(super) fn open(
        &self,
        automaton: &Automaton,
        question: u128,
    ) -> Result<Saved, CheckpointError> {
        let ((asked, _), rest) = self.asked()?;
        if asked != question {
            return Err(CheckpointError::OtherSearch);
        }
        let (tables, saved): (Tables, Saved) =
            postcard::from_bytes(rest).map_err(|_| CheckpointError::Damaged)?;
        match automaton.recall(tables) {
            true => Ok(saved),
            false => Err(CheckpointError::Damaged),
        }
    }
}

/// A fingerprint of what is asked.
pub fn question(system: &ExploredProgram, options: &ExploreOptions) -> u128 {
    #[derive(Serialize)]
    struct Question<'a> {
        version: &'static str,
        program: &'a gridlock_semantics::algebra::program::Program,
        setup: &'a gridlock_semantics::setup::Setup,
        profile: &'a gridlock_semantics::profile::Profile,
        options: ExploreOptions,
    }
    let asked = Question {
        version: env!("CARGO_PKG_VERSION"),
        program: system.program(),
        setup: &system.system().context().setup,
        profile: system.profile(),
        options: *options,
    };
    // As JSON: postcard leaves out names.
    let text = serde_json::to_vec(&asked).unwrap_or_default();
    fingerprint(&text)
}
