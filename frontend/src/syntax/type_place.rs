//! Names for unnamed types: the place of their declaration, as in clang's own names.

/// A struct without name.
pub(crate) fn unnamed(line: usize, column: usize) -> String {
    format!("unnamed_at_{line}_{column}")
}

pub(crate) fn is_unnamed(name: &str) -> bool {
    name.contains("unnamed_at_")
}

/// The type of a lambda.
pub(crate) fn lambda(line: usize, column: usize) -> String {
    format!("lambda_at_{line}_{column}")
}

pub(crate) fn is_lambda(name: &str) -> bool {
    name.contains("lambda_at_")
}

/// `(unnamed struct at file:3:4)` as a name.
pub(crate) fn with_names(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('(') {
        out.push_str(&rest[..start]);
        let tail = &rest[start..];
        let heads = ["(unnamed ", "(anonymous ", "(lambda at "];
        let place = tail
            .find(')')
            .filter(|_| heads.iter().any(|head| tail.starts_with(head)))
            .and_then(|end| {
                let mut numbers = tail[..end].rsplit(':');
                let column = numbers.next()?.parse().ok()?;
                let line = numbers.next()?.parse().ok()?;
                Some((end, line, column))
            });
        match place {
            Some((end, line, column)) => {
                let is_lambda = tail.starts_with("(lambda");
                let name = if is_lambda { lambda } else { unnamed };
                out.push_str(&name(line, column));
                rest = &tail[end + 1..];
            }
            None => {
                out.push('(');
                rest = &tail[1..];
            }
        }
    }
    out.push_str(rest);
    out
}
