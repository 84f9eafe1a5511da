//! A process of its own for each file: what one file does to it, nobody else feels.

use super::Labelled;
use super::agreement::{End, Row};
use gridlock_boundary::child;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Between two looks whether a process has ended.
const LOOK: Duration = Duration::from_millis(10);
/// Bytes of its last words that are shown.
const LAST_WORDS: usize = 400;

/// How a file is judged: a process that prints its rows as JSON.
pub struct Children<'a> {
    /// The command for a file.
    pub command: &'a (dyn Fn(&Labelled) -> Command + Sync),
    /// For one file, all its kernels and profiles together.
    pub seconds: f64,
}

impl Children<'_> {
    /// The rows of a file, or how its process ended without giving any.
    pub(super) fn judge(&self, labelled: &Labelled) -> Result<Vec<Row>, End> {
        let mut command = (self.command)(labelled);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        child::dies_with_us(&mut command);
        let child = command.spawn();
        let mut child = child.map_err(|e| End::Crashed(format!("cannot be started: {e}")))?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let (printed, said, ended) = std::thread::scope(|scope| {
            // Both are read while it runs: a pipe that is full would stop it.
            let printed = scope.spawn(|| all_of(out));
            let said = scope.spawn(|| all_of(err));
            let ended = self.wait(&mut child);
            let text = |reader: std::thread::ScopedJoinHandle<'_, String>| {
                reader.join().unwrap_or_default()
            };
            (text(printed), text(said), ended)
        });
        ended?;
        serde_json::from_str(&printed).map_err(|_| End::Crashed(last_words(&said)))
    }

    fn wait(&self, child: &mut Child) -> Result<(), End> {
        let started = Instant::now();
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.code().is_none() => {
                    return Err(End::Crashed(format!("its process was ended: {status}")));
                }
                Ok(Some(_)) => return Ok(()),
                Err(error) => return Err(End::Crashed(error.to_string())),
                Ok(None) => {}
            }
            if started.elapsed().as_secs_f64() > self.seconds {
                child::stop(child);
                return Err(End::Stopped(format!("stopped after {} s", self.seconds)));
            }
            std::thread::sleep(LOOK);
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
