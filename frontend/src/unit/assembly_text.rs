//! The text of an `asm` statement, taken apart.

/// An `asm` statement taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Parts {
    pub template: String,
    pub has_outputs: bool,
    /// For each result whether it is read as well (`"+r"`).
    pub results: Vec<bool>,
    /// Whether the template is more than strings: a macro, say.
    pub is_open: bool,
    pub clobbers_memory: bool,
}

impl Parts {
    /// `asm volatile ("…" : outputs : inputs : clobbers)`
    pub fn of(text: &str) -> Option<Parts> {
        let inside = &text[text.find('(')? + 1..text.rfind(')')?];
        let mut sections = vec![(String::new(), String::new())];
        let mut chars = inside.chars();
        while let Some(c) = chars.next() {
            match c {
                '"' => {
                    while let Some(c) = chars.next() {
                        let strings = &mut sections.last_mut()?.1;
                        match c {
                            '"' => {
                                strings.push(' ');
                                break;
                            }
                            '\\' => match chars.next()? {
                                'n' | 't' => strings.push(' '),
                                other => strings.push(other),
                            },
                            other => strings.push(other),
                        }
                    }
                }
                ':' => sections.push((String::new(), String::new())),
                other => sections.last_mut()?.0.push(other),
            }
        }
        let strings = |n: usize| sections.get(n).map_or("", |section| section.1.as_str());
        Some(Parts {
            template: strings(0).to_owned(),
            is_open: sections.first().is_some_and(|s| !s.0.trim().is_empty()),
            results: strings(1)
                .split_whitespace()
                .map(|word| word.starts_with('+'))
                .collect(),
            has_outputs: !strings(1).trim().is_empty(),
            clobbers_memory: strings(3).split_whitespace().any(|word| word == "memory"),
        })
    }
}

/// The register of time that an `asm` statement reads into its one operand, and does nothing else.
pub(crate) fn clock_register(text: &str) -> Option<&'static str> {
    let parts = Parts::of(text)?;
    let instruction = parts.template.trim().trim_end_matches(';').trim();
    let (mnemonic, operands) = instruction.split_once(char::is_whitespace)?;
    let mut words = mnemonic.split('.').peekable();
    let is_move = words.next() == Some("mov");
    let _ = words.next_if_eq(&"volatile");
    let is_whole = matches!(words.next(), Some("u32" | "u64" | "s32" | "s64"));
    let (target, register) = operands.split_once(',')?;
    if !is_move || !is_whole || words.next().is_some() || target.trim() != "%0" {
        return None;
    }
    match register.trim() {
        "%%clock" => Some("clock"),
        "%%clock64" => Some("clock64"),
        "%%globaltimer" => Some("globaltimer"),
        _ => None,
    }
}

/// The register in a statement whose value may change while the thread runs.
pub(crate) fn register_of_time(text: &str) -> Option<&'static str> {
    const REGISTERS: [&str; 8] = [
        "clock64",
        "clock",
        "globaltimer",
        "warpid",
        "nwarpid",
        "smid",
        "nsmid",
        "gridid",
    ];
    let named = |name: &&&str| text.contains(&format!("%%{name}"));
    REGISTERS.iter().find(named).copied()
}
