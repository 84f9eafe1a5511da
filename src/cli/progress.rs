//! A sign of life on standard error for whatever takes longer than two seconds, on a terminal.

use super::part::Part;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

const BEFORE_SHOWN: Duration = Duration::from_secs(2);

/// The sign of life that shows stages, and the stage it is at.
static SHOWN: Mutex<Option<(ProgressBar, String)>> = Mutex::new(None);

/// A stage of the work begins.
pub fn stage(what: &str) {
    let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((bar, stage)) = shown.as_mut() {
        what.clone_into(stage);
        bar.set_message(what.to_owned());
    }
}

/// A step of it.
pub fn step(what: &str) {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((bar, stage)) = shown.as_ref() {
        bar.set_message(format!("{stage}: {what}"));
    }
}

/// Shows what is being done, from two seconds on, until dropped.
pub struct Progress {
    bar: ProgressBar,
    stop: Option<Sender<()>>,
    waiter: Option<JoinHandle<()>>,
}

impl Progress {
    /// `total`: number of steps, where it is known.
    pub fn start(what: &str, total: Option<u64>) -> Progress {
        let bar = match total {
            Some(total) => ProgressBar::new(total),
            None => ProgressBar::new_spinner(),
        };
        bar.set_draw_target(ProgressDrawTarget::hidden());
        let template = match total {
            Some(_) => "{spinner} {pos}/{len} {wide_msg} {elapsed}",
            None => "{spinner} {wide_msg} {elapsed}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        if total.is_none() {
            let mut shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
            *shown = Some((bar.clone(), what.to_owned()));
        }
        // The terminal is that of the process that puts the parts together.
        if !std::io::stderr().is_terminal() || Part::asked().is_some() {
            return Progress {
                bar,
                stop: None,
                waiter: None,
            };
        }
        let (stop, stopped) = channel();
        let shown = bar.clone();
        let waiter = std::thread::spawn(move || {
            if stopped.recv_timeout(BEFORE_SHOWN) == Err(RecvTimeoutError::Timeout) {
                shown.set_draw_target(ProgressDrawTarget::stderr());
                shown.enable_steady_tick(Duration::from_millis(120));
            }
        });
        Progress {
            bar,
            stop: Some(stop),
            waiter: Some(waiter),
        }
    }

    /// Runs `print` while nothing of the progress is on the screen.
    pub fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// `what` is being done now.
    pub fn say(&self, what: &str) {
        self.bar.set_message(what.to_owned());
    }

    /// One more step done; `what` comes next.
    pub fn step(&self, what: &str) {
        self.bar.inc(1);
        self.bar.set_message(what.to_owned());
    }

    /// One more step done, while others are at work.
    pub fn done(&self) {
        self.bar.inc(1);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = None;
        drop(self.stop.take());
        if let Some(waiter) = self.waiter.take() {
            let _ = waiter.join();
        }
        self.bar.finish_and_clear();
    }
}
