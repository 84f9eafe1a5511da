//! Analyses of subscripts and variables against runs, as in `analyses.rs`: which cells statements touch, and
//! where a variable occurs.

use crate::judging::probing::{Case, probe};
use crate::judging::sequential::{Choices, one_by_one, sequential};
use crate::judging::*;
use gridlock_frontend::Language;
use gridlock_semantics::setup::{Contents, Setup};

/// Functions of loops over two arrays, each run with every `n` and number of cells.
fn loops(sizes: &[(u64, u64)]) -> Vec<Case> {
    let programs = sequential().into_iter().take(200);
    let case = |program| {
        let setup =
            |&(n, cells): &(u64, u64)| host_setup_of(&program, &name_of(&program), n, cells, 5);
        let setups = sizes.iter().map(setup).collect();
        Case { program, setups }
    };
    programs.map(case).collect()
}

fn name_of(program: &gridlock_semantics::algebra::program::Program) -> String {
    program.procs[0].name.to_string()
}

/// A loop that writes `$a`, with its body once more for the conditions.
const LOOP: &str = "for ($i = 0; $i < $n; $i = $i + 1) { $one* $a[$j] = $e; $two* }";
const BODY: &str = "{ $one* $a[$j] = $e; $two* }";

#[test]
fn what_touches_its_own_cell_leaves_the_others_alone() {
    for distance in [1, 5, 15] {
        let other = format!("$a[($i + {distance}) % 16]");
        let rule = format!(
            "{LOOP}\n[ CONDITION, !assigns({BODY}, $i) ]\n\
             -> for ($i = 0; $i < $n; $i = $i + 1) {{\n\
             auto other = {other}; {other} = other + 5;\n\
             $one* $a[$j] = $e; $two*\n\
             int same = 1 / ({other} == other + 5 ? 1 : 0); {other} = other; }}"
        );
        let condition = format!("own_cell({BODY}, $a, $i)");
        probe(&loops(&[(1, 16), (6, 16)]), &rule, &condition, "1 == 1", 20);
    }
}

#[test]
fn a_loop_within_its_count_touches_the_last_cell_and_none_beyond() {
    let condition = format!("within({BODY}, $i, $n)");
    let where_it_ends = format!("where $cells = reach($a, $n, {BODY}, $i)");
    let last = format!(
        "{LOOP}\n[ CONDITION ]\n{where_it_ends}\n\
         -> if ($n > 0) {{ auto last = $a[$cells - 1]; }} {LOOP}"
    );
    // Where an array is shorter than the loop is long, the source is not right.
    let short = loops(&[
        (3, 2),
        (3, 3),
        (3, 4),
        (3, 6),
        (0, 1),
        (5, 4),
        (5, 5),
        (5, 6),
    ]);
    probe(&short, &last, &condition, "1 == 1", 20);
    let beyond = format!(
        "{LOOP}\n[ CONDITION ]\n{where_it_ends}\n\
         -> auto beyond = $a[$cells]; $a[$cells] = beyond + 5; {LOOP}\n\
         int same = 1 / ($a[$cells] == beyond + 5 ? 1 : 0); $a[$cells] = beyond;"
    );
    probe(
        &loops(&[(0, 16), (1, 16), (6, 16)]),
        &beyond,
        &condition,
        "1 == 1",
        20,
    );
}

/// Loops over matrices, and over what looks like them.
fn nests(sizes: &[(u64, u64)]) -> Vec<Case> {
    let mut choices = Choices(19);
    let index = |choices: &mut Choices, places: &[&str]| choices.of(places).to_owned();
    let places = [
        "i * n + j",
        "i * n + j",
        "j * n + i",
        "n * i + j",
        "j + i * n",
        "i * n + j + 1",
        "i * (n + 1) + j",
        "i * n",
        "j",
        "i * 3 + j",
    ];
    let inner = ["i * n + k", "k * n + j", "k * n + k", "k", "n * k + i"];
    let mut text = String::new();
    for number in 0..150 {
        let array = choices.of(&["a", "b"]);
        let [to, from, far] = [
            index(&mut choices, &places),
            index(&mut choices, &places),
            index(&mut choices, &inner),
        ];
        let bound = choices.of(&["n", "n", "n", "n - 1"]);
        let first = match choices.below(4) {
            0 => format!("t = b[{from}];"),
            1 => format!("if (t > 3) {{ t = a[{from}]; }}"),
            2 => format!("for (int k = 0; k < {bound}; k++) {{ t = t + {array}[{far}]; }}"),
            _ => "t = t + i;".to_owned(),
        };
        let guard = choices.of(&["", "", "", "if (t > j) "]);
        let start = choices.of(&["0", "0", "0", "1"]);
        text += &format!(
            "void f{number}(int *a, int *b, int n) {{ int t = 1;\n\
             \x20 for (int i = 0; i < n; i++) {{ for (int j = {start}; j < n; j++) {{\n\
             \x20   {first} {guard}{array}[{to}] = t; a[{from}] = j;\n\
             }} }} }}\n"
        );
    }
    let all = one_by_one(&source(Language::C, &text));
    let case = |program| {
        let setup =
            |&(n, cells): &(u64, u64)| host_setup_of(&program, &name_of(&program), n, cells, 5);
        let setups = sizes.iter().map(setup).collect();
        Case { program, setups }
    };
    all.into_iter().map(case).collect()
}

const INSIDE: &str = "{ $one* $a[$k] = $e; $two* }";

/// The loop over `$j`, and the one over `$i` around it.
fn row_and_nest() -> (String, String) {
    let row = format!("for ($j = $start; $j < $n; $j = $j + 1) {INSIDE}");
    let nest = format!("for ($i = 0; $i < $n; $i = $i + 1) {{ {row} }}");
    (format!("{{ {row} }}"), nest)
}

#[test]
fn a_nest_that_is_counted_touches_nothing_beyond() {
    let (row, nest) = row_and_nest();
    let condition = format!("$start == 0, counted({row}, $i, $n)");
    let beyond = format!(
        "{nest}\n[ CONDITION ]\nwhere $cells = reach($a, $n, {row}, $i)\n\
         -> auto beyond = $a[$cells]; $a[$cells] = beyond + 50; {nest}\n\
         int same = 1 / ($a[$cells] == beyond + 50 ? 1 : 0); $a[$cells] = beyond;"
    );
    let long = nests(&[(2, 16), (3, 16)]);
    probe(&long, &beyond, &condition, "1 == 1", 10);
}

/// What stood in an array makes no difference where a nest overwrites it.
#[test]
fn what_is_overwritten_is_not_looked_at() {
    let (row, nest) = row_and_nest();
    let condition = format!("overwritten($a, {row}, $i, $n)");
    let changed = "$a[0] = $a[0] + 50; $a[$cells / 2] = $a[$cells / 2] * 3 + 1; \
                   $a[$cells - 1] = $a[$cells - 1] + 7;";
    let rule = format!(
        "{nest}\n[ CONDITION ]\nwhere $cells = reach($a, $n, {row}, $i)\n\
         -> if (runs($n, {row}, $i)) {{ {changed} }} {nest}"
    );
    let cases = nests(&[(0, 16), (1, 16), (2, 16), (3, 16)]);
    probe(&cases, &rule, &condition, "1 == 1", 10);
}

/// The arrays as they are, short, and each with no values.
fn with_and_without_values() -> Vec<Case> {
    let mut cases = loops(&[(6, 16), (4, 4), (4, 3), (6, 5)]);
    for case in &mut cases {
        let without = |array: usize| {
            let mut setup: Setup = host_setup_of(&case.program, &name_of(&case.program), 4, 16, 5);
            setup.arrays[array].contents = Contents::Undef;
            setup
        };
        let more = [without(0), without(1)];
        case.setups.extend(more);
    }
    cases
}

#[test]
fn what_is_read_first_has_a_value() {
    let condition = format!("reads_first({BODY}, $a, $i)");
    let rule = format!(
        "{LOOP}\n[ CONDITION ]\n\
         -> for ($i = 0; $i < $n; $i = $i + 1) {{ auto first = $a[$i]; $one* $a[$j] = $e; $two* }}"
    );
    probe(&with_and_without_values(), &rule, &condition, "1 == 1", 10);
}

#[test]
fn what_occurs_only_here_is_not_missed() {
    let cases = loops(&[(1, 16), (6, 16)]);
    probe(
        &cases,
        "$x = $e;\n[ CONDITION ]\n-> ;",
        "only_here($x)",
        "1 == 1",
        20,
    );
}
