//! Names of instances of templates, as far as clang writes one in several ways: with typedefs among the arguments, or
//! without those that are given by default.

/// A name with the meaning of the type that the scope around it is, or an instance with those of the types that are
/// its arguments; `None` if none of them is a typedef. `meaning` is what a typedef stands for.
pub(super) fn without_typedefs<'t>(
    name: &str,
    meaning: impl Fn(&str) -> Option<&'t str>,
) -> Option<String> {
    if let Some((scope, member)) = name.split_once("::")
        && let Some(meant) = meaning(scope)
    {
        return Some(format!("{meant}::{member}"));
    }
    if let Some((instance, member)) = name.rsplit_once(">::") {
        let meant = without_typedefs(&format!("{instance}>"), meaning)?;
        return Some(format!("{meant}::{member}"));
    }
    let (template, arguments) = name.strip_suffix('>')?.split_once('<')?;
    if arguments.contains(['<', '(']) {
        return None;
    }
    let mut is_another = false;
    let mut meant = |argument: &str| {
        let mut argument = argument.trim().to_owned();
        // A typedef of a typedef; clang rejects a cycle.
        for _ in 0..8 {
            match meaning(&argument) {
                Some(text) => argument = text.to_owned(),
                None => break,
            }
            is_another = true;
        }
        argument
    };
    let meanings: Vec<String> = arguments.split(',').map(&mut meant).collect();
    is_another.then(|| format!("{template}<{}>", meanings.join(", ")))
}

/// A template's name as it is looked up: how clang spaces the arguments does not matter.
pub(super) fn squeezed(name: &str) -> String {
    if !name.contains('<') {
        return name.to_string();
    }
    name.replace(", ", ",")
        .replace(" >", ">")
        .replace(" *", "*")
}

/// The name of an instance with the numbers by which clang's tree gives arguments that are `true` (one bit, -1),
/// `false` or an enumerator; `None` if it has none. `value` is that of an enumerator.
pub(super) fn with_numbers(name: &str, value: impl Fn(&str) -> Option<i128>) -> Option<String> {
    let (template, arguments) = name.split_once('<')?;
    let is_of_words = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let mut words = String::new();
    let mut rest = arguments;
    while let Some(start) = rest.find(is_of_words) {
        let length = rest[start..]
            .find(|c| !is_of_words(c))
            .unwrap_or(rest.len() - start);
        let word = &rest[start..start + length];
        words.push_str(&rest[..start]);
        match (word, value(word)) {
            ("true", _) => words.push_str("-1"),
            ("false", _) => words.push('0'),
            (_, Some(number)) => words.push_str(&number.to_string()),
            (_, None) => words.push_str(word),
        }
        rest = &rest[start + length..];
    }
    let found = format!("{template}<{words}{rest}");
    (found != name).then_some(found)
}

/// The beginning and the end of the whole name of `T<int>` or of a type inside it, `T<int>::member`, of which clang
/// leaves out the arguments by default.
pub(super) struct Abbreviated {
    start: String,
    end: String,
}

impl Abbreviated {
    /// `None` if the name is that of no instance.
    pub fn new(name: &str) -> Option<Abbreviated> {
        let (start, end) = match name.strip_suffix('>') {
            Some(start) => (start, ">".to_owned()),
            None => {
                let (start, member) = name.rsplit_once(">::")?;
                (start, format!(">::{member}"))
            }
        };
        let start = format!("{start},");
        Some(Abbreviated { start, end })
    }

    /// Whether it stands for a name.
    pub fn is(&self, name: &str) -> bool {
        let scopes = |text: &str| text.matches(">::").count();
        let rest = name.strip_prefix(self.start.as_str());
        rest.is_some_and(|rest| rest.ends_with(&self.end) && scopes(rest) == scopes(&self.end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typedefs_among_the_arguments_are_resolved() {
        let meaning = |name: &str| match name {
            "real" => Some("number"),
            "number" => Some("float"),
            _ => None,
        };
        let meant = |name| without_typedefs(name, meaning);
        assert_eq!(meant("Pack<real, 4>").as_deref(), Some("Pack<float, 4>"));
        assert_eq!(meant("Pack<int>"), None);
        assert_eq!(meant("Pack<Pack<real>>"), None);
        assert_eq!(meant("real"), None);
        assert_eq!(meant("number::S").as_deref(), Some("float::S"));
    }

    #[test]
    fn arguments_that_are_conditions_or_enumerators_are_numbers() {
        let value = |name: &str| (name == "e::TWO").then_some(2);
        let check =
            |name: &str, expected| assert_eq!(with_numbers(name, value).as_deref(), expected);
        check("A<e::TWO,e::THREE>", Some("A<2,e::THREE>"));
        check("A<true>", Some("A<-1>"));
        check("A<int,false>::B<true>", Some("A<int,0>::B<-1>"));
        check("A<is_true>", None);
        check("true", None);
    }

    #[test]
    fn arguments_by_default_may_be_missing() {
        let is = |short: &str, name: &str| Abbreviated::new(short).is_some_and(|s| s.is(name));
        assert!(is("T<int>", "T<int,2>") && is("T<int>::S", "T<int,2>::S"));
        assert!(!is("T<int>", "T<int,2>::S") && !is("T<int>::S", "T<int,2>"));
        assert!(!is("T<int>", "T<int,2>::U<3>") && !is("T<int>", "T<float,2>"));
        assert!(!is("T", "T<int>"));
    }
}
