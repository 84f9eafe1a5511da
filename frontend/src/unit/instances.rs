//! Instances of kernel templates that nothing instantiates: which arguments to try. What the text of the file writes
//! between `<` and `>` comes first, since host code that is not read may launch it; then plain values by the kinds of
//! the parameters. clang decides whether an instance is one.

use crate::syntax::kind::Kind;
use crate::syntax::{Node, NodeExt};

/// A kernel template without any instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// Its name without the scopes around it, with which the names of its instances begin.
    pub name: String,
    /// Instances to try, the likeliest first.
    pub candidates: Vec<String>,
}

/// Most candidates that the text of the file gives.
const MOST_WRITTEN: usize = 3;

/// What stands for a type, and for a whole number, where nothing says more.
const PLAIN: [(&str, &str); 4] = [
    ("float", "32"),
    ("int", "32"),
    ("float", "4"),
    ("double", "1"),
];

impl Template {
    /// `scope`: the namespaces around the template, each with `::` behind it.
    pub fn new(node: &Node, scope: &str, text: &str) -> Template {
        let name = node.name().to_owned();
        let mut candidates: Vec<String> = Vec::new();
        let written = written(&name, text);
        let lists = written.into_iter().take(MOST_WRITTEN).chain(plain(node));
        for arguments in lists {
            let instance = format!("{scope}{name}<{arguments}>");
            if !candidates.contains(&instance) {
                candidates.push(instance);
            }
        }
        Template { name, candidates }
    }

    /// Whether a kernel is an instance of it, by its name.
    pub fn is_of(&self, kernel: &str) -> bool {
        let rest = kernel.strip_prefix(self.name.as_str());
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    }
}

/// The lists of arguments that a text writes behind the name of a template.
fn written(name: &str, text: &str) -> Vec<String> {
    let of_names = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for (at, _) in text.match_indices(name) {
        let rest = text[at + name.len()..].trim_start();
        let is_part = text[..at].ends_with(of_names);
        if is_part || !rest.starts_with('<') || rest.starts_with("<<") {
            continue;
        }
        if let Some(arguments) = arguments(&rest[1..])
            && !found.contains(&arguments)
        {
            found.push(arguments);
        }
    }
    found
}

/// The text up to the `>` that closes a list, if it reads as one.
fn arguments(text: &str) -> Option<String> {
    let mut depth = 0;
    for (at, c) in text.char_indices().take(200) {
        match c {
            '<' | '(' => depth += 1,
            '>' if depth == 0 => return Some(text[..at].trim().to_owned()),
            '>' | ')' => depth -= 1,
            ';' | '{' | '}' | '"' | '#' | '\\' => return None,
            _ => {}
        }
    }
    None
}

/// Plain arguments for the parameters of a template up to the first that has one by default.
fn plain(node: &Node) -> Vec<String> {
    let is_parameter = |n: &&Node| {
        matches!(
            n.kind(),
            Kind::TemplateTypeParmDecl
                | Kind::NonTypeTemplateParmDecl
                | Kind::TemplateTemplateParmDecl
        )
    };
    let has_default = |n: &Node| n.inner.iter().any(|n| n.is(Kind::TemplateArgument));
    let parameters = node.inner.iter().filter(is_parameter);
    let open: Vec<&Node> = parameters.take_while(|n| !has_default(n)).collect();
    let list = |(ty, number): (&str, &str)| {
        let argument = |parameter: &&Node| match parameter.kind() {
            Kind::TemplateTypeParmDecl => Some(ty.to_owned()),
            Kind::NonTypeTemplateParmDecl if parameter.type_text() == "bool" => {
                Some("true".to_owned())
            }
            Kind::NonTypeTemplateParmDecl => Some(number.to_owned()),
            _ => None,
        };
        let all: Option<Vec<String>> = open.iter().map(argument).collect();
        all.map(|all| all.join(", "))
    };
    PLAIN.into_iter().filter_map(list).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_read_where_a_launch_or_a_pointer_writes_them() {
        let text = "my_k<7>(x); k<float, 256><<<g, b>>>(x); f(k<std::pair<int, 2>>, k < int >); k<<<1, 1>>>(x); k<256>";
        assert_eq!(
            written("k", text),
            ["float, 256", "std::pair<int, 2>", "int", "256"]
        );
        assert_eq!(written("k", "if (k < 3) { x > 2; }"), Vec::<String>::new());
    }

    #[test]
    fn instances_are_told_by_their_names() {
        let template = Template {
            name: "k".into(),
            candidates: vec![],
        };
        assert!(template.is_of("k_float_32") && template.is_of("k"));
        assert!(!template.is_of("kernel"));
    }
}
