//! The rules of the log: the kinds of defects.

use gridlock_checker::finding::DefectKind;
use serde_json::{Value, json};

/// Where a kind stands among the rules.
pub fn index(kind: DefectKind) -> Option<usize> {
    DefectKind::ALL.iter().position(|known| *known == kind)
}

/// Every kind, also those that a log has no result of: so logs can be put together.
pub fn all() -> Vec<Value> {
    let rules = DefectKind::ALL.iter().map(|kind| {
        json!({
            "id": kind.name(),
            "shortDescription": {"text": title(*kind)},
            "fullDescription": {"text": meaning(*kind)},
            "defaultConfiguration": {"level": "error"},
            "properties": {"tags": ["gpu", kind.property().name()]},
        })
    });
    rules.collect()
}

/// `Data race`.
fn title(kind: DefectKind) -> String {
    let words = kind.name().replace('-', " ");
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

fn meaning(kind: DefectKind) -> &'static str {
    use DefectKind::*;
    match kind {
        DataRace => "Two accesses conflict, and nothing orders them.",
        BarrierDivergence => "Threads wait at a barrier that others will never reach.",
        BadWarpMask => {
            "A warp operation names lanes that will not meet it, or not the caller's own."
        }
        BadWarpWidth => "The width of a shuffle is no power of two up to the size of a warp.",
        NoWarps => "An operation of warps where the profile knows none.",
        BadBarrier => "A named barrier with a number or a count of threads that no barrier has.",
        Deadlock => "Some thread has not finished, and none can move.",
        Livelock => "A run that the progress guarantee allows goes on for ever.",
        OutOfBounds => "An index outside of its array.",
        NullPointer => "An access through a null pointer.",
        ConstantWrite => "A write to constant memory.",
        Misaligned => "A byte count or offset that is no whole number of elements.",
        UninitialisedRead => "A read of memory or of a variable that was never written.",
        DivisionByZero => "An integer divided by zero.",
        UndefinedArithmetic => "Arithmetic that C leaves undefined.",
        Assertion => "An assertion whose condition is false.",
        MisalignedAccess => "An access of several elements at once where none may begin.",
        Beyond => "A run that leaves what is judged.",
        InvalidLaunch => "A launch that the device refuses.",
        NotEquivalent => "The new program does something the old one never does.",
        StaleData => "The host uses memory that an operation it has not waited for uses.",
        UnorderedStreams => "Operations of streams that nothing orders use one buffer.",
        WrongMemory => "The host reaches into device memory, or the device into host memory.",
        UseAfterFree => "An access to memory that was given back.",
        DoubleFree => "Memory that is given back twice.",
        Leak => "Memory, a stream or an event that a finished host program never gave back.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_rule() {
        let all = all();
        for kind in DefectKind::ALL {
            let rule = &all[index(kind).unwrap()];
            assert_eq!(rule["id"], kind.name());
        }
        assert_eq!(title(DefectKind::DataRace), "Data race");
    }
}
