//! Why a witness cannot be replayed.

/// The witness does not fit. That it fits and shows nothing is no error: see
/// [`crate::replay::Replay::reproduced`].
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    #[error("the witness cannot be read: {0}")]
    Unreadable(String),
    #[error("the witness has format {found}; this version reads {expected}")]
    Schema { found: u32, expected: u32 },
    #[error("{file} has changed since the witness was made")]
    ProgramChanged { file: String },
    #[error("the witness speaks of `{entry}`, which the program does not have")]
    NoEntry { entry: String },
    #[error("the witness names a device that is not known: `{name}`")]
    UnknownDevice { name: String },
    #[error("the inputs of the witness do not fit the program: {0}")]
    Setup(String),
}
