//! How texts are damaged: by tokens and by lines, so that much of what comes out still parses.

/// A reproducible sequence (SplitMix64: Steele, Lea, Flood, OOPSLA 2014).
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng(seed)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n.max(1) as u64) as usize
    }

    fn one_of<'a>(&mut self, texts: &[&'a str]) -> &'a str {
        texts[self.below(texts.len())]
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Name,
    Number,
    Sign,
    Space,
}

fn sort(c: char) -> Sort {
    match c {
        c if c.is_whitespace() => Sort::Space,
        c if c.is_ascii_digit() => Sort::Number,
        c if c.is_alphabetic() || c == '_' => Sort::Name,
        _ => Sort::Sign,
    }
}

/// The text cut into names, numbers, signs and spaces, nothing left out.
fn tokens(text: &str) -> Vec<String> {
    let mut found: Vec<(Sort, String)> = Vec::new();
    for c in text.chars() {
        let mut own = sort(c);
        if let Some((last, token)) = found.last_mut() {
            let goes_on = match (*last, own) {
                (Sort::Name, Sort::Name | Sort::Number) => true,
                (Sort::Number, Sort::Number | Sort::Name) => true,
                (Sort::Space, Sort::Space) => true,
                // Operators of two characters.
                (Sort::Sign, Sort::Sign) => {
                    let two = format!("{token}{c}");
                    SIGNS.contains(&two.as_str())
                }
                _ => false,
            };
            if goes_on {
                token.push(c);
                continue;
            }
            if *last == Sort::Number && c == '.' {
                own = Sort::Number;
                token.push(c);
                *last = own;
                continue;
            }
        }
        found.push((own, c.to_string()));
    }
    found.into_iter().map(|(_, token)| token).collect()
}

const SIGNS: &[&str] = &[
    "+", "-", "*", "/", "%", "<", ">", "=", "!", "&", "|", "^", "~", "?", ":", ";", ",", ".", "(",
    ")", "[", "]", "{", "}", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>", "+=", "-=", "*=",
    "/=", "++", "--", "->", "::",
];

const NUMBERS: &[&str] = &[
    "0",
    "1",
    "2",
    "-1",
    "31",
    "32",
    "33",
    "255",
    "65536",
    "2147483647",
    "2147483648",
    "0xffffffff",
    "4294967296",
    "9223372036854775807",
    "18446744073709551615",
    "1.5f",
    "1e308",
    "0.0",
    "'a'",
    "1ull",
    "true",
];

const WORDS: &[&str] = &[
    "int",
    "unsigned",
    "float",
    "double",
    "char",
    "bool",
    "long long",
    "void",
    "const",
    "volatile",
    "static",
    "auto",
    "struct",
    "return",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "break",
    "continue",
    "goto",
    "sizeof",
    "__shared__",
    "__device__",
    "__global__",
    "__constant__",
    "extern",
    "threadIdx",
    "blockDim",
    "__syncthreads()",
    "nullptr",
    "template",
    "this",
    "dim3",
    "float4",
    "clock64()",
];

fn is_of(token: &str, wanted: Sort) -> bool {
    token.chars().next().is_some_and(|c| sort(c) == wanted)
}

fn place(tokens: &[String], wanted: Option<Sort>, rng: &mut Rng) -> Option<usize> {
    let fits = |token: &String| match wanted {
        Some(wanted) => is_of(token, wanted),
        None => !is_of(token, Sort::Space),
    };
    let places: Vec<usize> = (0..tokens.len()).filter(|&i| fits(&tokens[i])).collect();
    (!places.is_empty()).then(|| places[rng.below(places.len())])
}

/// Some kernel with one to three things wrong.
pub fn damaged(kernels: &[String], rng: &mut Rng) -> String {
    let mut text = kernels[rng.below(kernels.len())].clone();
    for _ in 0..=rng.below(3) {
        text = match rng.below(3) {
            0 => by_lines(&text, kernels, rng),
            _ => by_tokens(&text, rng),
        };
    }
    text
}

fn by_lines(text: &str, kernels: &[String], rng: &mut Rng) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    let (a, b) = (rng.below(lines.len()), rng.below(lines.len()));
    let other: Vec<&str> = kernels[rng.below(kernels.len())].lines().collect();
    match rng.below(5) {
        _ if lines.is_empty() => {}
        0 => drop(lines.remove(a)),
        1 => lines.insert(b, lines[a]),
        2 => lines.swap(a, b),
        3 => {
            let from = rng.below(other.len());
            let to = (from + 1 + rng.below(4)).min(other.len());
            lines.splice(a..a, other[from..to].iter().copied());
        }
        // The beginning of one and the end of another.
        _ => {
            lines.truncate(a);
            lines.extend(&other[rng.below(other.len())..]);
        }
    }
    let mut text = lines.join("\n");
    text.push('\n');
    text
}

fn by_tokens(text: &str, rng: &mut Rng) -> String {
    let mut tokens = tokens(text);
    let wanted = match rng.below(4) {
        0 => Some(Sort::Number),
        1 => Some(Sort::Sign),
        2 => Some(Sort::Name),
        _ => None,
    };
    let (a, b) = (place(&tokens, wanted, rng), place(&tokens, wanted, rng));
    if let (Some(a), Some(b)) = (a, b) {
        let other = tokens[b].clone();
        match rng.below(6) {
            0 => drop(tokens.remove(a)),
            1 => tokens.insert(b, tokens[a].clone()),
            2 => tokens.swap(a, b),
            3 => tokens[a] = other,
            _ if wanted == Some(Sort::Number) => tokens[a] = rng.one_of(NUMBERS).to_owned(),
            _ if wanted == Some(Sort::Sign) => tokens[a] = rng.one_of(SIGNS).to_owned(),
            _ => tokens[a] = rng.one_of(WORDS).to_owned(),
        }
    }
    tokens.concat()
}
