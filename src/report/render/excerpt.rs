//! Lines too long to be shown whole, cut to what stands around the places in them.

use std::ops::Range;

/// Bytes of a line that is shown whole.
const WHOLE: usize = 400;
/// Bytes shown before and after a place of a longer line.
const AROUND: usize = 60;
/// Bytes of a place that are shown of a longer line.
const MOST_OF_PLACE: usize = 120;
/// Stands for what is left out.
const LEFT_OUT: &str = "…";

/// `text` with its long lines cut to what stands around `places` (bytes of `text`, none across lines), and where the
/// places are then. Lines keep their numbers.
pub fn excerpt(text: &str, places: &[Range<usize>]) -> (String, Vec<Range<usize>>) {
    let mut shown = String::new();
    let mut moved = places.to_vec();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let end = start + line.len();
        let is_inside = |place: &&Range<usize>| start <= place.start && place.start < end;
        if line.len() <= WHOLE || !places.iter().any(|place| is_inside(&place)) {
            for (place, moved) in places.iter().zip(&mut moved) {
                if is_inside(&place) {
                    let at = shown.len() + place.start - start;
                    *moved = at..at + place.len();
                }
            }
            shown.push_str(line);
        } else {
            let inside = places.iter().filter(is_inside).map(capped);
            let kept = joined(inside.map(|place| around(text, &place, start..end)));
            let mut before = start;
            for piece in kept {
                if before < piece.start {
                    shown.push_str(LEFT_OUT);
                }
                for (place, moved) in places.iter().zip(&mut moved) {
                    if piece.contains(&place.start) {
                        let at = shown.len() + place.start - piece.start;
                        *moved = at..at + capped(place).end.min(piece.end) - place.start;
                    }
                }
                shown.push_str(&text[piece.clone()]);
                before = piece.end;
            }
            let rest = &text[before..end];
            if !rest.trim_end_matches(['\r', '\n']).is_empty() {
                shown.push_str(LEFT_OUT);
            }
            if rest.ends_with('\n') {
                shown.push('\n');
            }
        }
        start = end;
    }
    // A place behind the last line.
    for (place, moved) in places.iter().zip(&mut moved) {
        if place.start >= text.len() {
            *moved = shown.len()..shown.len();
        }
    }
    (shown, moved)
}

fn capped(place: &Range<usize>) -> Range<usize> {
    place.start..place.end.min(place.start + MOST_OF_PLACE)
}

/// What is shown around a place, within its line and between characters.
fn around(text: &str, place: &Range<usize>, line: Range<usize>) -> Range<usize> {
    let start = place.start.saturating_sub(AROUND).max(line.start);
    let end = (place.end + AROUND).min(line.end);
    let is_boundary = |at: &usize| text.is_char_boundary(*at);
    // The beginning and the end of a text are boundaries.
    let start = (0..=start).rev().find(is_boundary).unwrap_or(0);
    let end = (end..text.len()).find(is_boundary);
    start..end.unwrap_or(text.len())
}

/// The pieces in order, those that touch made one; nothing of the line's end alone is left out.
fn joined(pieces: impl Iterator<Item = Range<usize>>) -> Vec<Range<usize>> {
    let mut pieces: Vec<Range<usize>> = pieces.collect();
    pieces.sort_by_key(|piece| piece.start);
    let mut kept: Vec<Range<usize>> = Vec::new();
    for piece in pieces {
        match kept.last_mut() {
            Some(last) if piece.start <= last.end => last.end = last.end.max(piece.end),
            _ => kept.push(piece),
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lines_stay_as_they_are() {
        let text = "one\ntwo words\n";
        let places = [Range { start: 4, end: 7 }];
        assert_eq!(excerpt(text, &places), (text.to_owned(), places.to_vec()));
    }

    /// Wherever places stand, each is found again with its word, on its line.
    #[test]
    fn places_keep_their_words_and_lines() {
        let filler = "é".repeat(700);
        let text = format!("a\n{filler}<here>{filler}<there>\r\n{filler}\n<last>");
        let words = ["<here>", "<there>", "<last>"];
        let places: Vec<_> = words
            .map(|w| text.find(w).map(|at| at..at + w.len()).unwrap())
            .to_vec();
        let (shown, moved) = excerpt(&text, &places);
        for (word, place) in words.iter().zip(&moved) {
            assert_eq!(&shown[place.clone()], *word, "{shown}");
        }
        let line = |text: &str, at: usize| text[..at].matches('\n').count();
        for (old, new) in places.iter().zip(&moved) {
            assert_eq!(line(&text, old.start), line(&shown, new.start));
        }
        let cut = shown.lines().nth(1).unwrap();
        assert!(cut.chars().count() < 220, "{cut}");
        assert!(
            cut.starts_with('…') && cut.contains("é…é") && !cut.ends_with('…'),
            "{cut}"
        );
    }

    #[test]
    fn a_long_word_is_cut() {
        let text = "x".repeat(1_000_000);
        let (shown, moved) = excerpt(&text, std::slice::from_ref(&(0..text.len())));
        assert!(shown.len() < 300, "{}", shown.len());
        assert!(moved[0].end <= shown.len() && moved[0].start == 0);
    }
}
