//! Spans put together.

use gridlock_semantics::algebra::span::Span;

/// From the start of `first` to the end of `last`.
pub(crate) fn join(first: Span, last: Span) -> Span {
    if first.is_none() {
        return last;
    }
    if last.is_none() || last.file != first.file {
        return first;
    }
    Span {
        end_line: last.end_line,
        end_column: last.end_column,
        ..first
    }
}
