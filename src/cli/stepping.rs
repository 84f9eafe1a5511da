//! Stepping through a replay: on the whole terminal, or line by line with keys from a pipe.

use super::output::Output;
use super::screen::{Screen, end_by};
use gridlock::report::render::replay::Columns;
use gridlock::report::render::sources::Sources;
use gridlock::report::stepping::draw::draw;
use gridlock::report::stepping::stepper::{Flow, Key, Stepper};
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::io::BufRead;
use std::time::Duration;

const KEYS: &str = "n next, p previous, j N jump, q quit (then Enter)";

/// How long we wait for a key before we look whether a signal has come.
const LOOK: Duration = Duration::from_millis(100);

/// Takes the terminal over until the view is left, and gives it back whatever happens
/// ([`super::screen`]).
///
/// # Errors
/// The terminal cannot be taken over or read.
pub fn on_terminal(
    stepper: &mut Stepper<'_>,
    sources: &mut Sources,
    colour: bool,
) -> std::io::Result<()> {
    let mut screen = Screen::take()?;
    let result = until_left(&mut screen, stepper, sources, colour);
    let signal = screen.signal();
    drop(screen);
    if let Some(signal) = signal {
        end_by(signal);
    }
    result
}

/// Shows the view and obeys keys until it is left or a signal comes.
fn until_left(
    screen: &mut Screen,
    stepper: &mut Stepper<'_>,
    sources: &mut Sources,
    colour: bool,
) -> std::io::Result<()> {
    loop {
        screen
            .terminal
            .draw(|frame| draw(frame, stepper, sources, colour))?;
        while !event::poll(LOOK)? {
            if screen.signal().is_some() {
                return Ok(());
            }
        }
        if let Event::Key(pressed) = event::read()?
            && let Some(key) = key(pressed)
            && stepper.press(key) == Flow::Quit
        {
            return Ok(());
        }
    }
}

fn key(pressed: KeyEvent) -> Option<Key> {
    if pressed.kind == KeyEventKind::Release {
        return None;
    }
    let control = pressed.modifiers.contains(KeyModifiers::CONTROL);
    Some(match pressed.code {
        KeyCode::Char(c) if control => Key::Control(c),
        KeyCode::Char(c) => Key::Char(c),
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::Left => Key::Left,
        KeyCode::Right => Key::Right,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Escape,
        KeyCode::Backspace => Key::Backspace,
        _ => return None,
    })
}

/// Shows one step at a time; reads keys from standard input until `q` or its end. Works on a
/// terminal and with keys from a pipe.
pub fn line_by_line(columns: &Columns<'_>, output: &mut Output) {
    output.line(&columns.head());
    let n_steps = columns.n_steps();
    let mut at = 0;
    show(columns, at, output);
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else {
            break;
        };
        let line = line.trim();
        let next = match line.split_once(' ').unwrap_or((line, "")) {
            ("q", _) => break,
            ("n" | "", _) => Some((at + 1).min(n_steps)),
            ("p", _) => Some(at.saturating_sub(1)),
            ("j", number) => number.trim().parse().ok().filter(|&n: &usize| n <= n_steps),
            (jump, _) => jump
                .strip_prefix('j')
                .and_then(|n| n.parse().ok())
                .filter(|&n: &usize| n <= n_steps),
        };
        match next {
            Some(step) => {
                at = step;
                show(columns, at, output);
            }
            None => output.line(&format!("{KEYS}; steps are 0 to {n_steps}")),
        }
    }
}

fn show(columns: &Columns<'_>, at: usize, output: &mut Output) {
    if at > 0 {
        output.line(columns.row(at - 1).trim_end());
        if let Some(source) = columns.source_line(at - 1, &mut output.sources) {
            output.line(&source);
        }
    }
    let n_steps = columns.n_steps();
    if at == n_steps {
        if let Some(line) = columns.comes_back() {
            output.line(&line);
        }
        output.line(&columns.conclusion());
    }
    output.line(&format!("step {at} of {n_steps}  [{KEYS}]"));
}
