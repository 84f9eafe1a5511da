//! Why a witness cannot be replayed.

/// The witness does not fit. That it fits and shows nothing is no error: see
/// [`crate::replay::Replay::reproduced`].
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The text is no witness; says why.
    #[error("the witness cannot be read: {0}")]
    Unreadable(String),
    /// The witness is of another version of the format.
    #[error("the witness has format {found}; this version reads {expected}")]
    Schema {
        /// The version the witness names.
        found: u32,
        /// The version that is read.
        expected: u32,
    },
    /// The source text has another hash than the witness names.
    #[error("{file} has changed since the witness was made")]
    ProgramChanged {
        /// The source file.
        file: String,
    },
    /// The program has no such kernel or host procedure.
    #[error("the witness speaks of `{entry}`, which the program does not have")]
    NoEntry {
        /// Its name in the witness.
        entry: String,
    },
    /// No device of this name is known.
    #[error("the witness names a device that is not known: `{name}`")]
    UnknownDevice {
        /// Its name in the witness.
        name: String,
    },
    /// More steps lead to what it shows than it has.
    #[error("the witness says that {led} steps lead to what it shows, and has {steps}")]
    Lead {
        /// How many lead there, as it says.
        led: u64,
        /// How many steps its schedule has.
        steps: u64,
    },
    /// Launch, arguments or arrays are not those of the entry; says which.
    #[error("the inputs of the witness do not fit the program: {0}")]
    Setup(String),
}
