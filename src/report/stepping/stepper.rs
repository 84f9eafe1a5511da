//! The state of a view that steps through a replay, and what keys do to it.

use crate::report::stepping::timeline::Timeline;
use crate::report::stepping::watch::Watch;
use gridlock_semantics::transition::Actor;

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// One row on.
    Next,
    /// One row back.
    Previous,
    /// To just after the next step by others than the last.
    NextSwitch,
    /// Back to just after the scheduling change before this one.
    PreviousSwitch,
    /// Before the first step.
    Start,
    /// Behind the last step.
    End,
    /// To the next step that has a part in the conflict; from the last one to the first.
    Conflict,
    /// A screenful forward or back.
    PageDown,
    /// A screenful back.
    PageUp,
    /// Other lanes.
    Left,
    /// To the lanes on the right.
    Right,
    /// Asks for something to watch.
    Watch,
    /// Forgets what is watched.
    Unwatch,
    /// Asks for the number of a step.
    Jump,
    /// Shows how the defect came about.
    Explain,
    /// Shows the keys.
    Help,
    /// Leaves the view.
    Quit,
}

/// A key as the terminal gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character without control.
    Char(char),
    /// Arrow up.
    Up,
    /// Arrow down.
    Down,
    /// Arrow left.
    Left,
    /// Arrow right.
    Right,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Home.
    Home,
    /// End.
    End,
    /// Enter.
    Enter,
    /// Escape.
    Escape,
    /// Backspace.
    Backspace,
    /// Control and a letter.
    Control(char),
}

/// Keys, what they do, for help and for the line at the bottom.
pub const KEYS: &[(&str, &str)] = &[
    ("n, space, ↓", "step"),
    ("p, ↑", "step back"),
    ("s / S", "next / previous scheduling change"),
    ("g, Home / G, End", "start / end"),
    ("c", "the conflict, side after side"),
    ("j", "jump to a step by its number"),
    ("PgDn / PgUp", "a screenful forward / back"),
    ("← / →", "other threads"),
    ("w", "watch a cell `a[3]` or a variable `i`, `b0.t1:i`"),
    ("u", "forget what is watched"),
    ("e", "how the defect came about"),
    ("h, ?", "this help"),
    ("q, Esc", "quit"),
];

/// What is in front.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mode {
    /// The steps.
    Steps,
    /// The keys.
    Help,
    /// How the defect came about.
    Explanation,
    /// The name of something to watch is being typed.
    AsksWatch(String),
    /// The number of a step is being typed.
    AsksStep(String),
}

/// Whether to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The view stays.
    GoOn,
    /// The user wants to leave.
    Quit,
}

/// A view of a replay: after how many rows it stands, which lanes it shows, what it watches.
#[derive(Debug)]
pub struct Stepper<'a> {
    /// The replay.
    pub timeline: Timeline<'a>,
    /// Rows taken: 0 is the start.
    pub at: usize,
    /// The first lane shown; changed by the view so that who moves is in sight.
    pub first_lane: usize,
    /// What is watched, in the order in which it was asked for.
    pub watched: Vec<Watch>,
    /// What is in front.
    pub mode: Mode,
    /// Something to say, until the next key.
    pub message: Option<String>,
    /// Rows a page has, as drawn last.
    pub page: usize,
    /// Lanes that fit, as drawn last.
    pub lanes_in_sight: usize,
    /// Lines scrolled in help or explanation.
    pub scrolled: u16,
}

impl<'a> Stepper<'a> {
    /// At the start, with nothing watched.
    pub fn new(timeline: Timeline<'a>) -> Stepper<'a> {
        Stepper {
            timeline,
            at: 0,
            first_lane: 0,
            watched: Vec::new(),
            mode: Mode::Steps,
            message: None,
            page: 10,
            lanes_in_sight: 1,
            scrolled: 0,
        }
    }

    /// Rows there are.
    pub fn n_rows(&self) -> usize {
        self.timeline.rows.len()
    }

    /// The row taken last.
    pub fn row(&self) -> Option<usize> {
        self.at.checked_sub(1)
    }

    /// Steps of the replay that have been taken, private ones too; all of them at the end.
    pub fn n_taken(&self) -> usize {
        match self.at {
            0 => 0,
            at if at == self.n_rows() => self.timeline.replay.steps.len(),
            at => self.timeline.rows[at - 1].index + 1,
        }
    }

    /// Who moved last, when it was one.
    pub fn moved(&self) -> Option<Actor> {
        match self.timeline.step(self.row()?).actors.as_slice() {
            [actor] => Some(*actor),
            _ => None,
        }
    }

    /// What a key does.
    pub fn press(&mut self, key: Key) -> Flow {
        self.message = None;
        if key == Key::Control('c') {
            return Flow::Quit;
        }
        match std::mem::replace(&mut self.mode, Mode::Steps) {
            Mode::Steps => match command(key) {
                Some(Command::Quit) => return Flow::Quit,
                Some(command) => self.obey(command),
                None => self.message = Some("h shows the keys".to_owned()),
            },
            Mode::Help => self.in_front(key, Mode::Help),
            Mode::Explanation => self.in_front(key, Mode::Explanation),
            Mode::AsksWatch(text) => match typed(text, key) {
                Typed::Still(text) => self.mode = Mode::AsksWatch(text),
                Typed::Given(text) => self.watch(&text),
                Typed::Left => {}
            },
            Mode::AsksStep(text) => match typed(text, key) {
                Typed::Still(text) => self.mode = Mode::AsksStep(text),
                Typed::Given(text) => match text.trim().parse() {
                    Ok(step) if step <= self.n_rows() => {
                        self.at = step;
                        self.follow_lane();
                    }
                    _ => self.message = Some(format!("steps are 0 to {}", self.n_rows())),
                },
                Typed::Left => {}
            },
        }
        Flow::GoOn
    }

    /// Help and explanation scroll; any other key leaves them.
    fn in_front(&mut self, key: Key, mode: Mode) {
        match key {
            Key::Down | Key::Char('n') => self.scrolled = self.scrolled.saturating_add(1),
            Key::Up | Key::Char('p') => self.scrolled = self.scrolled.saturating_sub(1),
            _ => return,
        }
        self.mode = mode;
    }

    /// Does what a key means.
    pub fn obey(&mut self, command: Command) {
        let n = self.n_rows();
        match command {
            Command::Next => self.at = (self.at + 1).min(n),
            Command::Previous => self.at = self.at.saturating_sub(1),
            Command::NextSwitch => {
                let next = (self.at..n).find(|&row| self.timeline.rows[row].is_switch);
                self.at = next.map_or(n, |row| row + 1);
            }
            Command::PreviousSwitch => {
                let before = self.at.saturating_sub(1);
                let previous = (0..before)
                    .rev()
                    .find(|&row| self.timeline.rows[row].is_switch);
                self.at = previous.map_or(0, |row| row + 1);
            }
            Command::Start => self.at = 0,
            Command::End => self.at = n,
            Command::Conflict => {
                let is_conflict = |row: &usize| self.timeline.rows[*row].is_conflict;
                let found = (self.at..n)
                    .find(is_conflict)
                    .or_else(|| (0..n).find(is_conflict));
                self.at = found.map_or(n, |row| row + 1);
            }
            Command::PageDown => self.at = (self.at + self.page.max(1)).min(n),
            Command::PageUp => self.at = self.at.saturating_sub(self.page.max(1)),
            Command::Left => self.first_lane = self.first_lane.saturating_sub(1),
            Command::Right => {
                let last = self
                    .timeline
                    .lanes
                    .len()
                    .saturating_sub(self.lanes_in_sight);
                self.first_lane = (self.first_lane + 1).min(last);
            }
            Command::Watch => self.mode = Mode::AsksWatch(String::new()),
            Command::Unwatch => self.watched.clear(),
            Command::Jump => self.mode = Mode::AsksStep(String::new()),
            Command::Help | Command::Explain => {
                self.scrolled = 0;
                self.mode = match command {
                    Command::Help => Mode::Help,
                    _ => Mode::Explanation,
                };
            }
            Command::Quit => {}
        }
        if !matches!(command, Command::Left | Command::Right) {
            self.follow_lane();
        }
    }

    /// Brings the lane that moved last into sight.
    pub fn follow_lane(&mut self) {
        let Some(lane) = self.row().and_then(|row| self.timeline.rows[row].lane) else {
            return;
        };
        if lane < self.first_lane {
            self.first_lane = lane;
        } else if lane >= self.first_lane + self.lanes_in_sight {
            self.first_lane = lane + 1 - self.lanes_in_sight.max(1);
        }
    }

    /// Watches what is named, or says why not.
    pub fn watch(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        match Watch::parse(text) {
            None => {
                let text = text.trim();
                self.message = Some(format!(
                    "`{text}` is neither a cell `a[3]` nor a variable `i`"
                ));
            }
            Some(watch) if !watch.is_in(self.timeline.replay) => {
                let text = text.trim();
                self.message = Some(format!("nothing in this run reads or writes `{text}`"));
            }
            Some(watch) if self.watched.contains(&watch) => {}
            Some(watch) => self.watched.push(watch),
        }
    }
}

/// What a key means while stepping.
fn command(key: Key) -> Option<Command> {
    Some(match key {
        Key::Char('n' | ' ') | Key::Down | Key::Enter => Command::Next,
        Key::Char('p') | Key::Up | Key::Backspace => Command::Previous,
        Key::Char('s') => Command::NextSwitch,
        Key::Char('S') => Command::PreviousSwitch,
        Key::Char('g') | Key::Home => Command::Start,
        Key::Char('G') | Key::End => Command::End,
        Key::Char('c') => Command::Conflict,
        Key::Char('j') => Command::Jump,
        Key::PageDown => Command::PageDown,
        Key::PageUp => Command::PageUp,
        Key::Left => Command::Left,
        Key::Right => Command::Right,
        Key::Char('w') => Command::Watch,
        Key::Char('u') => Command::Unwatch,
        Key::Char('e') => Command::Explain,
        Key::Char('h' | '?') => Command::Help,
        Key::Char('q') | Key::Escape => Command::Quit,
        _ => return None,
    })
}

enum Typed {
    Still(String),
    Given(String),
    Left,
}

/// A line being typed.
fn typed(mut text: String, key: Key) -> Typed {
    match key {
        Key::Enter => return Typed::Given(text),
        Key::Escape => return Typed::Left,
        Key::Backspace => {
            text.pop();
        }
        Key::Char(c) if text.chars().count() < 80 => text.push(c),
        _ => {}
    }
    Typed::Still(text)
}
