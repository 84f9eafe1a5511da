//! Rule files are checked when they are loaded: each fault is named with its place.

use gridlock_transforms::RuleSystem;

const HEADING: &str = "system s\nabout \"a\"\nsource \"paper 1\"\nstatus \"none\"\n";

/// The error of a rule file whose fifth line on is `text`.
fn error(text: &str) -> (u32, u32, String) {
    let whole = format!("{HEADING}{text}\nstrategy main = id\n");
    let error = RuleSystem::parse("s.rules", &whole).expect_err("it is wrong");
    assert_eq!(error.file, "s.rules");
    (error.line, error.column, error.message)
}

#[test]
fn faults_are_named_with_their_place() {
    // Rule, line and column, and words of the message.
    let cases = [
        (
            "rule r: $a[0] = 1; -> $a[0] = $b;",
            (5, 31),
            "`$b` is not bound",
        ),
        ("rule r: $p -> $q", (5, 15), "`$q` is not bound"),
        (
            "uses peel-lop",
            (5, 6),
            "the library has no system `peel-lop`, did you mean `peel-loop`?",
        ),
        (
            "uses peel-loop, strip-mine\nrule peel: $x = 1; -> ;",
            (5, 6),
            "there are two rules `peel`, one of `peel-loop`",
        ),
        (
            "rule r: if ($u) $p -> if ($p) $p",
            (5, 27),
            "`$p` is an operator, expected a predicate",
        ),
        (
            "rule r: if ($u) $p -> $u",
            (5, 23),
            "`$u` is a predicate, expected an operator",
        ),
        (
            "rule r: $x = $e; $e -> ;",
            (5, 18),
            "`$e` is an expression, expected an operator",
        ),
        (
            "rule r: $x = 1; -> $x = $x + ;",
            (5, 30),
            "expected an expression, found `;`",
        ),
        (
            "rule r: $x = 1; [ no_such($x) ] -> ;",
            (5, 19),
            "no analysis `no_such`",
        ),
        (
            "rule r: $x = 1; [ writes($x) ] -> ;",
            (5, 19),
            "`writes` takes 2 arguments, not 1",
        ),
        (
            "rule r: $x = 1; [ shard($x) ] -> ;",
            (5, 19),
            "no analysis `shard`, did you mean `shared`? (there are: additive",
        ),
        (
            "rule r: $x = 1; -> $x = reech($x, $x, $x, $x);",
            (5, 25),
            "no term function `reech`, did you mean `reach`? (there are: arrays",
        ),
        (
            "strategy other = onc(id)",
            (5, 18),
            "no rule and no strategy `onc`, did you mean `once`?",
        ),
        (
            "rule r: $x = 1;\n[ $y > 1 ] -> ;",
            (6, 3),
            "`$y` is not bound",
        ),
        (
            "rule r: $x = 1; -> _Keep(_)",
            (5, 26),
            "`_` matches anything",
        ),
        ("rule r: $x = size; -> ;", (5, 14), "`size` is no parameter"),
        (
            "rule r: $x = (int)1; -> ;",
            (5, 14),
            "conversions are left out",
        ),
        (
            "rule r: int x = 1; -> ;",
            (5, 13),
            "a source declares nothing",
        ),
        (
            "rule r: $x = 1; -> int y = 1; int y = 2;",
            (5, 35),
            "`y` is declared twice",
        ),
        (
            "rule r: $x = 1; where $x = 2 -> ;",
            (5, 23),
            "`$x` is bound already",
        ),
        (
            "rule r: $x = arrays($x); -> ;",
            (5, 14),
            "`arrays` is computed",
        ),
        (
            "rule r: $x = 1; -> $x = uniform($x);",
            (5, 25),
            "`uniform` is a condition",
        ),
        (
            "rule r: $x = 1; -> ;\n[ remove_procedure($x) ]",
            (6, 3),
            "no action `remove_procedure`",
        ),
        (
            "rule r: for ($i = 0; $i < $n; $j = 1) $p -> ;",
            (5, 37),
            "steps its own variable",
        ),
        ("rule r: $x:Color = 1; -> ;", (5, 11), "`Color` is no sort"),
        ("rule r: $x = 1; ; ", (6, 1), "expected `->`"),
        (
            "rule r: $x = 1; -> ;\nrule r: $x = 2; -> ;",
            (6, 1),
            "two rules `r`",
        ),
        (
            "strategy other = nothing",
            (5, 18),
            "no rule and no strategy `nothing`",
        ),
        (
            "strategy other = rule(nothing)",
            (5, 10),
            "no rule `nothing`",
        ),
        (
            "strategy other = try(id, id)",
            (5, 18),
            "`try` takes 1 arguments, not 2",
        ),
        (
            "strategy other = repeat()",
            (5, 18),
            "`repeat` takes 1 argument",
        ),
        ("param p = x", (5, 11), "a parameter's default"),
        ("commutative -", (5, 13), "`-` is not commutative"),
        (
            "rule r: $x = 99999999999999999999999999999999999999999; -> ;",
            (5, 14),
            "is not an integer",
        ),
        ("rule r: $x = \"open", (5, 14), "no closing"),
        ("rule r: $ = 1; -> ;", (5, 9), "a name must follow `$`"),
        ("rule r: $x = `1; -> ;", (5, 14), "has no meaning here"),
        ("lemma r", (5, 1), "found `lemma`"),
        ("associative -", (5, 13), "`-` is not associative"),
        (
            "commutative\nparam p = 1",
            (6, 1),
            "`commutative` is followed by operators",
        ),
        ("rule r: (-$r*) -> (1)", (5, 11), "a run cannot stand here"),
        (
            "rule r: ($x + $r*) -> (1)",
            (5, 15),
            "not declared `associative`",
        ),
        (
            "rule r: $x = 1; -> ;\n[ add_procedure($x) ]",
            (6, 17),
            "`add_procedure` adds a",
        ),
        (
            "rule r: alloc_gpu($x); -> ;",
            (5, 24),
            "`alloc_gpu` takes a variable",
        ),
        (
            "rule r: $x = 1; where x = 1 -> ;",
            (5, 23),
            "`where` binds metavariables",
        ),
        (
            "rule r: $x = 1 with { 1 => 2 }; -> ;",
            (5, 14),
            "`with` builds",
        ),
        (
            "rule r: __global__ void $k($ps*); -> ;",
            (5, 33),
            "expected `{`, found `;`",
        ),
        ("rule r: $x = threadIdx.w; -> ;", (5, 25), "no axis `w`"),
        ("rule r: 1 = 2; -> ;", (5, 16), "only a variable or a cell"),
        ("rule r: &$x -> ;", (5, 13), "only the address of a cell"),
        ("rule : $x = 1; -> ;", (5, 6), "expected a name, found `:`"),
        ("about 1", (5, 7), "expected a text in quotes"),
        (
            "rule r: $x = 1; where __shared__ cell[4] -> ;",
            (5, 34),
            "`__shared__` or `__host__` needs",
        ),
        (
            "rule r: $x* ; -> $x = 1;",
            (5, 18),
            "`$x` is an operator, expected a variable",
        ),
        ("rule r: $k<<<1, 1>>>(1 -> ;", (5, 24), "expected `)`"),
        ("rule r: $x = $e[; -> ;", (5, 17), "expected an expression"),
        ("param = 1", (5, 7), "expected a name"),
        (
            "pair p: ($x + 1) <=> ($y + 1)",
            (5, 10),
            "`$x` is not bound",
        ),
        (
            "rule r: $x = 1; -> ;\n[ set_launch($x, 1) ]",
            (6, 19),
            "expected `,`",
        ),
    ];
    for (text, place, words) in cases {
        let (line, column, message) = error(text);
        assert!(message.contains(words), "{text}: {message}");
        assert_eq!((line, column), place, "{text}: {message}");
    }
}

#[test]
fn a_heading_is_asked_for() {
    let without = "system s\nabout \"a\"\nstatus \"none\"\nstrategy main = id\n";
    let error = RuleSystem::parse("s.rules", without).expect_err("no source");
    assert!(error.message.contains("lacks `source"), "{error}");
    let error = RuleSystem::parse("s.rules", "rule r: $p -> $p").expect_err("no heading");
    assert_eq!(
        error.to_string(),
        "s.rules:1:1: a rule file begins with `system NAME`"
    );
    let error = RuleSystem::parse("s.rules", HEADING).expect_err("no main");
    assert!(error.message.contains("no `strategy main`"), "{error}");
}

#[test]
fn a_file_that_cannot_be_read_is_an_error() {
    let error = RuleSystem::load("/no/such/file.rules".as_ref()).expect_err("no file");
    assert_eq!(
        (error.file.as_str(), error.line),
        ("/no/such/file.rules", 0)
    );
}

#[test]
fn every_prefix_of_a_rule_file_is_refused_or_accepted_without_a_panic() {
    let text = include_str!("../../rules/parallelise-loop.rules");
    for end in (0..text.len()).filter(|&end| text.is_char_boundary(end)) {
        let _ = RuleSystem::parse("prefix", &text[..end]);
    }
}

#[test]
fn texts_nested_without_end_are_refused() {
    let deep = [
        format!("rule r: $x = {}", "(".repeat(100_000)),
        format!("rule r: $x = {}1; -> ;", "!".repeat(100_000)),
        format!("rule r: $x = {}1; -> ;", "1 ? 1 : ".repeat(100_000)),
        format!("rule r: $x = {}1; -> ;", "1 + ".repeat(100_000)),
        format!("rule r: $x = $a{}; -> ;", "[0]".repeat(100_000)),
        format!("rule r: $p -> $p {}", "with { $x => 1 }".repeat(100_000)),
        format!("rule r: {}", "{".repeat(100_000)),
        format!("rule r: {}", "if ($u) ".repeat(100_000)),
        format!("strategy s = {}", "(".repeat(100_000)),
        format!("strategy s = {}id", "id; ".repeat(100_000)),
        format!("strategy s = {}id", "id <+ ".repeat(100_000)),
    ];
    for text in deep {
        let (_, _, message) = error(&text);
        assert_eq!(message, "nested too deeply", "{}", &text[..20]);
    }
}
