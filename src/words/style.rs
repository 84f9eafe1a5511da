//! How text is drawn: colours or none, and how wide.

/// Style of a text report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether colours are used.
    pub colour: bool,
    /// In columns.
    pub width: usize,
}

impl Default for Style {
    fn default() -> Style {
        Style {
            colour: false,
            width: 100,
        }
    }
}

/// What a piece of text is, for its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// As it should be.
    Good,
    /// A defect, an error.
    Bad,
    /// Neither good nor bad: nothing is known.
    Unsure,
    /// Names and heads.
    Strong,
    /// What may be passed over.
    Faint,
}

impl Style {
    /// `text` in the colour of `ink`, unchanged without colours.
    pub fn paint(&self, ink: Ink, text: &str) -> String {
        if !self.colour {
            return text.to_owned();
        }
        let code = match ink {
            Ink::Good => "32",
            Ink::Bad => "1;31",
            Ink::Unsure => "33",
            Ink::Strong => "1",
            Ink::Faint => "2",
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}
