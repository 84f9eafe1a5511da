//! What a region of a file may change that a missing header decides: the declarations around it and in it, and the
//! names that any of its branches may declare or define.

use super::chunks;
use super::conditions::Region;
use super::source::{File, Source};
use std::collections::BTreeSet;

/// What a region may change.
#[derive(Default)]
pub(super) struct Effect {
    pub pieces: BTreeSet<usize>,
    pub names: BTreeSet<String>,
    pub macros: BTreeSet<String>,
    pub headers: Vec<String>,
    pub on_anything: bool,
}

impl Effect {
    pub fn of(source: &Source, file: usize, region: &Region) -> Effect {
        let mut effect = Effect::default();
        let (first, last) = region.lines;
        let inside = |line: u32| (first..=last).contains(&line);
        let here = &source.files[file];
        let mut around = None;
        for (index, lines) in source.lines.iter().enumerate() {
            let Some(&(from, to)) = lines.get(&file) else {
                continue;
            };
            if from < first && to > last {
                around = Some(index);
                effect.pieces.insert(source.piece_of[index]);
            }
            let mut tokens = source.read.tokens[source.scope.chunks[index].tokens.clone()].iter();
            if tokens.any(|t| t.file == file && inside(t.line)) {
                effect.pieces.insert(source.piece_of[index]);
                // One that begins or ends in the region could be another declaration.
                effect.on_anything |= (from < first) != (to > last);
            }
        }
        effect.included(source, file, &inside);
        effect.directives(here, &inside);
        let code = Code::of(here, region.lines);
        let pragmas = ["_Pragma", "__pragma"];
        let mut tokens = code.parts.iter().flatten();
        effect.on_anything |= tokens.any(|t| pragmas.contains(t));
        let in_body = around.and_then(|index| source.depth_in_body(index, file, first));
        match (in_body, around) {
            (Some(depth), _) => effect.on_anything |= !code.keeps_within(depth),
            (None, Some(_)) => {
                effect.on_anything |= !code.is_balanced();
                effect.names.extend(code.names());
            }
            (None, None) => effect.declarations(&code),
        }
        effect.names.extend(effect.macros.iter().cloned());
        effect
    }

    /// What files that are included in the region hold.
    fn included(&mut self, source: &Source, file: usize, inside: &dyn Fn(u32) -> bool) {
        let mut files: BTreeSet<usize> = BTreeSet::new();
        loop {
            let n_files = files.len();
            for (&included, from) in &source.read.included_from {
                let is_inside =
                    |(by, line): &(usize, u32)| *by == file && inside(*line) || files.contains(by);
                if from.iter().any(is_inside) {
                    files.insert(included);
                }
            }
            if files.len() == n_files {
                break;
            }
        }
        for &included in &files {
            self.directives(&source.files[included], &|_| true);
            for (index, lines) in source.lines.iter().enumerate() {
                if lines.contains_key(&included) {
                    self.pieces.insert(source.piece_of[index]);
                }
            }
        }
        let active: BTreeSet<u32> = source
            .read
            .included_from
            .values()
            .flatten()
            .filter(|(by, _)| *by == file)
            .map(|(_, line)| *line)
            .collect();
        let here = &source.files[file];
        for directive in here
            .directives
            .iter()
            .filter(|d| d.word.starts_with("include"))
        {
            let (from, to) = directive.lines;
            if inside(from) && !(from..=to).any(|line| active.contains(&line)) {
                let text: String = here.lexed.tokens[directive.tokens.clone()]
                    .iter()
                    .map(|t| t.text.as_str())
                    .collect();
                let name = text.trim_matches(['<', '>', '"']).to_string();
                let is_ours = crate::clang::stand_ins::files()
                    .iter()
                    .any(|(ours, _)| **ours == *name);
                if !is_ours {
                    self.headers.push(name);
                }
            }
        }
    }

    fn directives(&mut self, file: &File, inside: &dyn Fn(u32) -> bool) {
        let harmless = [
            "unroll",
            "nounroll",
            "once",
            "omp",
            "acc",
            "message",
            "warning",
            "region",
            "endregion",
            "nv_diag_suppress",
        ];
        for directive in file.directives.iter().filter(|d| inside(d.lines.0)) {
            let first = file.lexed.tokens[directive.tokens.clone()].first();
            match (directive.word.as_str(), first) {
                ("define" | "undef", Some(name)) => drop(self.macros.insert(name.text.clone())),
                ("pragma", first) => {
                    let is_harmless =
                        first.is_none_or(|word| harmless.contains(&word.text.as_str()));
                    self.on_anything |= !is_harmless;
                }
                _ => {}
            }
        }
    }

    /// What the code of a region at file scope may declare.
    fn declarations(&mut self, code: &Code<'_>) {
        for part in &code.parts {
            let scope = chunks::scope(part);
            self.on_anything |= !scope.is_balanced;
            for chunk in scope.chunks {
                let opens_namespace =
                    part[chunk.tokens.clone()].starts_with(&["using", "namespace"]);
                self.on_anything |= chunk.declares_anything || opens_namespace;
                self.names.extend(chunk.declares);
            }
        }
    }
}

/// The code of a region, without directives.
struct Code<'s> {
    /// Between two directives each.
    parts: Vec<Vec<&'s str>>,
    /// What the directives between them are: of two parts with a condition between them, perhaps one counts.
    words: Vec<&'s str>,
}

impl<'s> Code<'s> {
    fn of(file: &'s File, (first, last): (u32, u32)) -> Code<'s> {
        let mut code = Code {
            parts: vec![Vec::new()],
            words: Vec::new(),
        };
        let mut directives = file
            .directives
            .iter()
            .filter(|d| d.lines.0 >= first && d.lines.1 <= last)
            .peekable();
        for token in file
            .lexed
            .tokens
            .iter()
            .filter(|t| (first..=last).contains(&t.line))
        {
            while let Some(directive) = directives.next_if(|d| d.lines.0 <= token.line) {
                code.words.push(&directive.word);
                code.parts.push(Vec::new());
            }
            let in_directive = file
                .directives
                .iter()
                .any(|d| (d.lines.0..=d.lines.1).contains(&token.line));
            if let (false, Some(part)) = (in_directive, code.parts.last_mut()) {
                part.push(&token.text);
            }
        }
        code
    }

    fn is_balanced(&self) -> bool {
        self.parts.iter().all(|part| change(part) == Some((0, 0)))
    }

    fn names(&self) -> impl Iterator<Item = String> {
        self.parts
            .iter()
            .flatten()
            .filter(|t| chunks::may_be_declared(t))
            .map(|t| t.to_string())
    }

    /// Whether the code, whichever of its branches count, neither leaves the braces around it, of which there are
    /// `depth`, nor ends in other ones than it began in.
    fn keeps_within(&self, depth: i64) -> bool {
        // By open condition: the depth before it, and at the end of its branches so far; whether it has an `#else`.
        let mut open: Vec<(i64, Option<i64>, bool)> = Vec::new();
        let mut now = depth;
        for (at, part) in self.parts.iter().enumerate() {
            let word = at.checked_sub(1).and_then(|at| self.words.get(at)).copied();
            match (word, open.last_mut()) {
                (Some("if" | "ifdef" | "ifndef"), _) => open.push((now, None, false)),
                (Some("elif" | "elifdef" | "elifndef" | "else"), Some((before, end, has_else))) => {
                    if end.is_some_and(|end| end != now) {
                        return false;
                    }
                    *end = Some(now);
                    *has_else |= word == Some("else");
                    now = *before;
                }
                (Some("endif"), Some(&mut (before, end, has_else))) => {
                    let other = end.unwrap_or(if has_else { now } else { before });
                    if other != now || !has_else && before != now {
                        return false;
                    }
                    open.pop();
                }
                _ => {}
            }
            let Some((net, least)) = change(part) else {
                return false;
            };
            if now + least < 1 {
                return false;
            }
            now += net;
        }
        // The last directive is the end of the region, and stands behind all code.
        let ends = self.words.len() + 1 == self.parts.len();
        let is_last_open = open.len() <= 1;
        ends && is_last_open
            && open.iter().all(|&(before, end, has_else)| {
                end.is_none_or(|end| end == now) && (has_else || before == now)
            })
    }
}

/// How braces change the depth over some code, and to what depth they lead at least; `None` if parentheses do not
/// close.
fn change(part: &[&str]) -> Option<(i64, i64)> {
    let (mut braces, mut least, mut others) = (0i64, 0i64, 0i64);
    for token in part {
        match *token {
            "{" => braces += 1,
            "}" => braces -= 1,
            "(" | "[" => others += 1,
            ")" | "]" => others -= 1,
            _ => {}
        }
        if others < 0 {
            return None;
        }
        least = least.min(braces);
    }
    (others == 0).then_some((braces, least))
}

impl Source {
    /// How many braces are open in the body of a function where a line begins; `None` outside of a body.
    fn depth_in_body(&self, chunk: usize, file: usize, line: u32) -> Option<i64> {
        let chunk = &self.scope.chunks[chunk];
        chunk.function.as_ref()?;
        let tokens = &self.read.tokens[chunk.tokens.clone()];
        let at = tokens
            .iter()
            .position(|t| t.file == file && t.line >= line)?;
        let before: Vec<&str> = self.read.tokens
            [chunk.body.min(chunk.tokens.start + at)..chunk.tokens.start + at]
            .iter()
            .map(|t| t.text.as_str())
            .collect();
        // Only within statements: where parentheses are open, code could be an argument.
        let (depth, _) = change(&before)?;
        (depth >= 1).then_some(depth)
    }
}
