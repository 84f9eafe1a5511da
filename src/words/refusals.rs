//! Why a rule does not apply where its pattern matches.

use gridlock_transforms::rewriting::record::Refusal;

/// In words, what of the program stands against it.
pub fn why(refusal: &Refusal) -> String {
    let condition = &refusal.condition;
    let reason = refusal.reason.as_ref();
    let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
    match (&refusal.asks, refusal.unknown) {
        (Some(asks), true) => format!("it is not known that {asks}{reason} (`{condition}`)"),
        (Some(asks), false) => format!("it is not so that {asks}{reason} (`{condition}`)"),
        (None, true) => format!("`{condition}` could not be decided{reason}"),
        (None, false) => format!("`{condition}` does not hold{reason}"),
    }
}
