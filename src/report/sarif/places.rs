//! Places in sources as SARIF has them: URIs, lines, columns in units of UTF-16.

use crate::report::render::sources::Sources;
use gridlock_checker::report::defect::Defect;
use gridlock_checker::report::site::Site;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// What relative URIs are relative to: the working directory.
pub const BASE: &str = "SRCROOT";

/// A message of plain text.
pub fn message(text: &str) -> Value {
    json!({"text": text})
}

/// Makes places.
pub struct Places<'s> {
    sources: &'s mut Sources,
    files: BTreeSet<String>,
}

impl<'s> Places<'s> {
    pub fn new(sources: &'s mut Sources) -> Places<'s> {
        Places {
            sources,
            files: BTreeSet::new(),
        }
    }

    /// Where a thread was.
    pub fn of(&mut self, site: &Site) -> Value {
        self.at(&site.file, site.line, site.column)
    }

    /// A line, and from column 1 on a column counted in bytes.
    pub fn at(&mut self, file: &str, line: u32, column: u32) -> Value {
        let mut region = json!({"startLine": line.max(1)});
        if column > 0 {
            let text = self.sources.line(file, line).unwrap_or_default();
            region["startColumn"] = json!(utf16_column(text, column));
        }
        let mut place = self.file(file);
        place["physicalLocation"]["region"] = region;
        place
    }

    /// A file as a whole.
    pub fn file(&mut self, file: &str) -> Value {
        self.files.insert(file.to_owned());
        json!({"physicalLocation": {"artifactLocation": location(file)}})
    }

    /// The files spoken of, and these.
    pub fn artifacts<'f>(&self, more: impl Iterator<Item = &'f str>) -> Vec<Value> {
        let mut files = self.files.clone();
        files.extend(more.map(str::to_owned));
        let artifact = |file: &String| {
            let mut artifact = json!({"location": location(file)});
            // The names that code scanners know.
            match Path::new(file).extension().and_then(|e| e.to_str()) {
                Some("c") => artifact["sourceLanguage"] = json!("c"),
                Some("cu" | "cuh" | "cpp" | "cc") => {
                    artifact["sourceLanguage"] = json!("cplusplus")
                }
                _ => {}
            }
            artifact
        };
        files.iter().map(artifact).collect()
    }

    /// Stays the same when the lines of a defect move, and when other lines change: the kind, the kernel, the array
    /// and the text of the lines.
    pub fn fingerprint(&mut self, defect: &Defect, kernel: &str) -> String {
        let mut parts = vec![defect.kind.name().to_owned(), kernel.to_owned()];
        parts.extend(defect.array.clone());
        let sites = defect.accesses.iter().chain(&defect.threads);
        let mut lines: Vec<String> = Vec::new();
        for site in sites.filter(|site| site.line > 0) {
            let text = self.sources.line(&site.file, site.line).unwrap_or_default();
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
            if !lines.contains(&text) {
                lines.push(text);
            }
        }
        // Which side of a race comes first is chance.
        lines.sort();
        parts.extend(lines);
        format!("{:016x}", fnv(&parts.join("\n")))
    }
}

fn location(file: &str) -> Value {
    match file.starts_with('/') {
        true => json!({"uri": format!("file://{}", encoded(file))}),
        false => {
            let file = file.strip_prefix("./").unwrap_or(file);
            // A colon in the first part would be read as a scheme.
            json!({"uri": encoded(file), "uriBaseId": BASE})
        }
    }
}

/// A path as part of a URI (RFC 3986).
pub fn encoded(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(byte as char);
            }
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// A column counted in bytes, from 1, as one counted in units of UTF-16.
fn utf16_column(line: &str, column: u32) -> u32 {
    let bytes = (column as usize).saturating_sub(1);
    let mut end = bytes.min(line.len());
    while !line.is_char_boundary(end) {
        end -= 1;
    }
    let units: usize = line[..end].chars().map(char::len_utf16).sum();
    (units + bytes.saturating_sub(line.len())) as u32 + 1
}

/// Fowler, Noll and Vo's hash with 64 bits (FNV-1a): the same on every machine and in every version.
fn fnv(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_units_of_utf16() {
        let check = |line: &str, column: u32, expected: u32| {
            assert_eq!(utf16_column(line, column), expected, "{line} {column}");
        };
        check("abc", 3, 3);
        check("é = 1", 3, 2);
        check("😀 = 1", 5, 3);
        check("é", 2, 1);
        check("ab", 9, 9);
        check("", 1, 1);
    }

    #[test]
    fn paths_as_uris() {
        assert_eq!(encoded("a b/é<>.cu"), "a%20b/%C3%A9%3C%3E.cu");
        assert_eq!(location("./a:b.cu")["uri"], "a%3Ab.cu");
        assert_eq!(location("/tmp/k.cu")["uri"], "file:///tmp/k.cu");
    }

    /// Test vectors of the authors (<http://www.isthe.com/chongo/tech/comp/fnv/>).
    #[test]
    fn the_hash_is_what_it_says() {
        assert_eq!(fnv(""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv("a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv("foobar"), 0x8594_4171_f739_67e8);
    }
}
