//! A process of its own for each file: what one file does to it touches no other.

use super::agreement::{End, Row};
use super::labelled::Labelled;
use crate::supervision::{self, Watched};
use std::io::Read;
use std::process::{Command, Stdio};

/// Bytes of its last words that are shown.
const LAST_WORDS: usize = 400;

/// How a file is judged: a process that prints its rows as JSON.
pub struct Children<'a> {
    /// The command for a file.
    pub command: &'a (dyn Fn(&Labelled) -> Command + Sync),
    /// For one file, all its kernels and profiles together.
    pub seconds: f64,
    /// Of memory, for the process and all it starts.
    pub bytes: u64,
    /// Whether all is to end now.
    pub is_stopped: &'a (dyn Fn() -> bool + Sync),
}

/// Why a process was stopped.
enum Stopped {
    Seconds,
    Bytes,
    Everything,
}

impl Children<'_> {
    /// The rows of a file, or how its process ended without giving any.
    pub(super) fn judge(&self, labelled: &Labelled) -> Result<Vec<Row>, End> {
        // What it leaves behind goes with the folder.
        let temporary = tempfile::Builder::new().prefix("gridlock-suite-").tempdir();
        let temporary = temporary.map_err(|e| End::Crashed(format!("no temporary folder: {e}")))?;
        let mut command = (self.command)(labelled);
        command
            .env("TMPDIR", temporary.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let watched = Watched::start(&mut command);
        let mut watched = watched.map_err(|e| End::Crashed(format!("cannot be started: {e}")))?;
        let (out, err) = (watched.child.stdout.take(), watched.child.stderr.take());
        let (printed, said, ended) = std::thread::scope(|scope| {
            // Both are read while it runs: a pipe that is full would stop it.
            let printed = scope.spawn(|| all_of(out));
            let said = scope.spawn(|| all_of(err));
            let ended = self.wait(watched);
            let text = |reader: std::thread::ScopedJoinHandle<'_, String>| {
                reader.join().unwrap_or_default()
            };
            (text(printed), text(said), ended)
        });
        ended?;
        serde_json::from_str(&printed).map_err(|_| End::Crashed(last_words(&said)))
    }

    fn wait(&self, watched: Watched) -> Result<(), End> {
        let ended = watched.watch(&mut |taken, _| {
            if (self.is_stopped)() {
                Some(Stopped::Everything)
            } else if taken.time.as_secs_f64() > self.seconds {
                Some(Stopped::Seconds)
            } else if taken.bytes > self.bytes.max(supervision::LEAST_BYTES) {
                Some(Stopped::Bytes)
            } else {
                None
            }
        });
        match ended {
            Err(error) => Err(End::Crashed(error.to_string())),
            Ok(supervision::End::Ended(status)) if status.code().is_none() => {
                Err(End::Crashed(format!("its process was ended: {status}")))
            }
            Ok(supervision::End::Ended(_)) => Ok(()),
            Ok(supervision::End::Stopped(Stopped::Everything)) => Err(End::Interrupted),
            Ok(supervision::End::Stopped(Stopped::Seconds)) => {
                Err(End::Stopped(format!("stopped after {} s", self.seconds)))
            }
            Ok(supervision::End::Stopped(Stopped::Bytes)) => {
                let bytes = self.bytes.max(supervision::LEAST_BYTES);
                Err(End::Stopped(format!("stopped at {bytes} bytes")))
            }
        }
    }
}

fn all_of(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    // What was read before an error is what there is.
    if let Some(mut stream) = stream {
        let _ = stream.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn last_words(said: &str) -> String {
    let said = said.trim();
    let mut from = said.len().saturating_sub(LAST_WORDS);
    while !said.is_char_boundary(from) {
        from += 1;
    }
    match &said[from..] {
        "" => "it ended without a result".to_owned(),
        words => format!("it ended without a result: {words}"),
    }
}
