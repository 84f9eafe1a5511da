//! The terminal taken over for a view of the whole screen, and given back on every way out.
//!
//! - Leaving the view, an error and unwinding: dropping [`Screen`].
//! - A panic: the hook that `ratatui` sets gives the terminal back before the message is printed.
//! - Control-c is a key while the terminal is raw.
//! - Signals that would end us are taken note of, so that the view ends first; then they do what
//!   they always do.

use ratatui::DefaultTerminal;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{LeaveAlternateScreen, disable_raw_mode};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Signals that end a program unless it says otherwise.
const ENDING: [i32; 3] = [SIGHUP, SIGINT, SIGTERM];

/// The terminal while it is ours: raw, on the alternate screen.
pub struct Screen {
    pub terminal: DefaultTerminal,
    /// The number of the signal that came; 0 when none has.
    signal: Arc<AtomicUsize>,
    given_back: Arc<AtomicBool>,
}

impl Screen {
    /// # Errors
    /// The terminal cannot be taken over; then it is as it was.
    pub fn take() -> std::io::Result<Screen> {
        let signal = Arc::new(AtomicUsize::new(0));
        let given_back = Arc::new(AtomicBool::new(false));
        for ending in ENDING {
            // Once the terminal is given back, a signal ends us at once again.
            flag::register_conditional_default(ending, Arc::clone(&given_back))?;
            flag::register_usize(ending, Arc::clone(&signal), ending as usize)?;
        }
        let terminal = ratatui::try_init().inspect_err(|_| {
            given_back.store(true, Ordering::SeqCst);
            give_back();
        })?;
        Ok(Screen {
            terminal,
            signal,
            given_back,
        })
    }

    /// The signal that came and wants us to end.
    pub fn signal(&self) -> Option<i32> {
        match self.signal.load(Ordering::SeqCst) {
            0 => None,
            signal => Some(signal as i32),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A panic's message is on the terminal by now, and must not be written over.
        match std::thread::panicking() {
            true => drop(execute!(std::io::stdout(), Show)),
            false => give_back(),
        }
        self.given_back.store(true, Ordering::SeqCst);
    }
}

/// Best effort: a terminal that is gone cannot be given back.
fn give_back() {
    let _ = disable_raw_mode();
    let _ = execute!(std::io::stdout(), LeaveAlternateScreen, Show);
}

/// Ends as a signal ends a program.
pub fn end_by(signal: i32) {
    let _ = signal_hook::low_level::emulate_default_handler(signal);
}

#[cfg(all(test, unix))]
#[path = "../../tests/processes/pty.rs"]
mod pty;

#[cfg(all(test, unix))]
mod tests {
    use super::Screen;
    use super::pty::InTerminal;
    use ratatui::crossterm::event;
    use std::io::{Error, Result};
    use std::process::Command;

    /// Says to a test that it is the program in the terminal.
    const INSIDE: &str = "GRIDLOCK_TEST_IN_TERMINAL";

    /// Takes the terminal and does not give it back.
    fn taken() -> Result<Screen> {
        let mut screen = Screen::take()?;
        screen.terminal.draw(|frame| {
            frame.render_widget("it is ours", frame.area());
        })?;
        event::read()?;
        Ok(screen)
    }

    /// Runs a test of this module again in a terminal until it has `said`; what the screen shows at its end.
    fn again(test: &str, said: &str) -> String {
        let mut command = Command::new(std::env::current_exe().unwrap());
        let name = format!("cli::screen::tests::{test}");
        command.args(["--exact", &name, "--nocapture"]);
        let mut view = InTerminal::start(command.env(INSIDE, "1"));
        view.until_shows("it is ours");
        view.is_taken();
        view.press("x", said);
        assert_eq!(view.ends().code(), Some(101), "{}", view.screen());
        view.screen()
    }

    #[test]
    fn a_panic_gives_the_terminal_back() {
        if std::env::var_os(INSIDE).is_some() {
            let _screen = taken().unwrap();
            panic!("a planted panic");
        }
        let shown = again("a_panic_gives_the_terminal_back", "a planted panic");
        assert!(!shown.contains("it is ours"), "{shown}");
    }

    #[test]
    fn an_error_gives_the_terminal_back() {
        if std::env::var_os(INSIDE).is_some() {
            let failing = || -> Result<()> {
                let _screen = taken()?;
                Err(Error::other("a planted error"))
            };
            failing().unwrap();
        }
        again("an_error_gives_the_terminal_back", "a planted error");
    }
}
