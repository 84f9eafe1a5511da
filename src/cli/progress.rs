//! A sign of life on standard error for whatever takes longer than two seconds, on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

const BEFORE_SHOWN: Duration = Duration::from_secs(2);

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
        if !std::io::stderr().is_terminal() {
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
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(waiter) = self.waiter.take() {
            let _ = waiter.join();
        }
        self.bar.finish_and_clear();
    }
}
