//! What is no scheme is refused with the place and the reason.

use crate::scheme::roughened::Rng;
use gridlock_frontend::scheme::{print, read, same};
use gridlock_frontend::{ErrorKind, FrontendError};

fn refused(text: &[u8]) -> FrontendError {
    match read("k.scheme", text) {
        Ok(_) => panic!("accepted:\n{}", String::from_utf8_lossy(text)),
        Err(error) => error,
    }
}

/// `expected` is `line:column: message`.
fn check(text: &str, expected: &str) {
    let error = refused(text.as_bytes());
    let found = format!("{}:{}: {}", error.line, error.column, error.message);
    assert_eq!(found, expected, "\n{text}");
    assert_eq!(error.kind, ErrorKind::Syntax);
    assert_eq!(error.file, "k.scheme");
}

/// The text as the body of a kernel whose first line is line 1, the body's line 3.
fn check_body(body: &str, expected: &str) {
    let text = format!(
        "KERNEL k(p : f32*, q : const i32*, n : i32, u : u32) ====\n\
         VAR x : f32; VAR i, j : i32; VAR t : bool;\n{body}\nEND OF KERNEL\n\
         DEVICE f(a : i32) RESULT a ==== a := a + 1 END OF DEVICE\n"
    );
    check(&text, expected);
}

#[test]
fn words_and_signs() {
    for (body, expected) in [
        ("i := 1 +;", "3:9: expected an expression, found `;`"),
        (
            "i = 1",
            "3:3: `=` is not used in schemes: write `:=` to assign and `==` to compare",
        ),
        (
            "i += 1",
            "3:3: `+=` is not used in schemes: write `x := x + …`",
        ),
        (
            "t := i < 1 && j < 1",
            "3:12: `&&` is not used in schemes: write `AND`",
        ),
        ("t := !t", "3:6: `!` is not used in schemes: write `NOT`"),
        ("i := @", "3:6: `@` has no meaning here"),
        (
            "i := 5z",
            "3:6: a number is followed by the name of its type (`7u32`) or by nothing",
        ),
        ("i := 0x", "3:6: hexadecimal digits must follow `0x`"),
        (
            "x := 1.5i32",
            "3:6: the type of a number with a point or an exponent is f32 or f64",
        ),
        (
            "i := 99999999999999999999999999999999999999999999",
            "3:6: this number is too large for every type",
        ),
        (
            "i := 2147483648",
            "3:6: 2147483648 does not fit in `i32` (-2147483648 to 2147483647)",
        ),
        ("u := -1", "3:6: -1 does not fit in `u32` (0 to 4294967295)"),
        ("/* no end", "3:1: this comment is not closed by `*/`"),
        ("`no end", "3:1: this name has no closing backquote"),
        (
            "i#0 := 1",
            "3:1: after `#` in a name comes a number from 1 up",
        ),
        ("`` := 1", "3:1: a name of no characters"),
        (
            "IF i < 1 THEN i := 2",
            "4:5: expected `END IF` to close the `IF` of line 3, found `OF`",
        ),
        (
            "IF i < 1 then i := 2 END IF",
            "3:10: expected `THEN`, found `then` (did you mean `THEN`?)",
        ),
        (
            "IF i < 1 THEN i := 2 END LOOP",
            "3:26: expected `END IF` to close the `IF` of line 3, found `LOOP`",
        ),
        (
            "WHILE i < 1 DO i := 2 END OF LOOP",
            "3:13: expected `LOOP`, found `DO`",
        ),
        (
            "WHILE i < 1 LOOP i := 2 END LOOP",
            "3:29: expected `END OF LOOP` to close the `WHILE` of line 3, found `LOOP`",
        ),
        (
            "FOR (i FROM 0 UPTO 3) LOOP SKIP END OF LOOP",
            "3:15: expected `TO`, `BELOW`, `DOWN` or `WHILE`, found `UPTO`",
        ),
        (
            "FOR (i FROM 0 DOWN 3) LOOP SKIP END OF LOOP",
            "3:20: expected `TO` or `ABOVE`, found the number 3",
        ),
        (
            "FOR i FROM 0 TO 3 LOOP SKIP END OF LOOP",
            "3:5: expected `(`, found `i`",
        ),
        (
            "i := 1 j := 2",
            "3:8: expected `;` or `END OF KERNEL`, found `j`",
        ),
        ("i := 1;; j := 2", "3:8: expected an operator, found `;`"),
        (
            "BEGIN i := 1; j := 2",
            "4:5: expected `;` or `END OF KERNEL`, found `OF`",
        ),
        (
            "barier",
            "3:1: `barier` is no operator (did you mean `barrier`?)",
        ),
        (
            "Barrier",
            "3:1: `Barrier` is no operator (did you mean `barrier`?)",
        ),
        ("f(i)", "3:1: a procedure is called by `CALL f(…)`"),
        ("i := f(i)", "3:6: a procedure is called by `CALL f(…)`"),
        (
            "i := f",
            "3:6: `f` is a procedure: a call is an operator, `x := CALL f(…)`",
        ),
        ("i := barrier", "3:1: `barrier` has no result"),
        (
            "i := 1 + atomic_add(p[0], 1.0)",
            "3:10: `atomic_add` is an operator, no expression: it stands alone or right of `:=`",
        ),
        ("i := (1 + 2", "4:1: expected `)`, found `END`"),
        (
            "i := max(1 2)",
            "3:12: expected `,` or `)`, found the number 2",
        ),
        (
            "t := 0 < i < 3",
            "3:12: comparisons do not chain: join them by `AND`",
        ),
        (
            "i := threadIdx.w",
            "3:16: expected `x`, `y` or `z`, found `w`",
        ),
        (
            "i := &p[1]",
            "3:6: there is no address-of: `a + i` points to `a[i]`",
        ),
        (
            "i := float(1)",
            "3:6: a procedure is called by `CALL float(…)`",
        ),
        (
            "i := f32 + 1",
            "3:10: expected `(`, as in a conversion `f32(x)`, found `+`",
        ),
        (
            "PARALLEL BRANCH SKIP END PARALLEL",
            "3:1: `PARALLEL` needs two branches at least",
        ),
        (
            "i := 1; VAR m : i32",
            "3:9: expected an operator, found `VAR`",
        ),
        (
            "i := j k",
            "3:8: expected `;` or `END OF KERNEL`, found `k`",
        ),
        ("i := IF", "3:6: expected an expression, found `IF`"),
        (
            "atomic_add(p[0], 1.0) SCOPE block",
            "3:29: expected `BLOCK`, `DEVICE` or `SYSTEM`, found `block` (did you mean `BLOCK`?)",
        ),
    ] {
        check_body(body, expected);
    }
}

#[test]
fn names() {
    for (body, expected) in [
        ("indx := 1", "3:1: `indx` is not declared"),
        ("i := m", "3:6: `m` is not declared"),
        ("x := N", "3:6: `N` is not declared (did you mean `n`?)"),
        ("p := 1", "3:6: `f32*` is needed here, this is `i32`"),
        ("i := CALL g(i)", "3:11: there is no device procedure `g`"),
        (
            "i := CALL k(i)",
            "3:11: there is no device procedure `k`: `k` is a kernel",
        ),
        (
            "call_gpu f(i) GRID (1) BLOCK (1)",
            "3:10: there is no kernel `f`: `f` is a device procedure",
        ),
        ("i#2 := 1", "3:1: `i#2` is not declared"),
        ("i := ::a", "3:6: the file declares no array `a`"),
        ("i := *(KERNEL k::b)", "3:8: `k` declares no array `b`"),
        ("i := *(KERNEL z::b)", "3:8: there is no kernel `z`"),
    ] {
        check_body(body, expected);
    }
    check(
        "KERNEL k(a : i32, a : f32*) ==== SKIP END OF KERNEL",
        "1:19: `a` is declared twice, first in line 1; to keep both, call one `a#2`",
    );
    check(
        "KERNEL k() ==== END OF KERNEL KERNEL k() ==== END OF KERNEL",
        "1:38: `k` is declared twice, first in line 1; to keep both, call one `k#2`",
    );
    check(
        "DEVICE f() RESULT r ==== END OF DEVICE",
        "1:19: the result `r` is neither a parameter nor a variable of the procedure",
    );
    check(
        "KERNEL k(IF : i32) ==== SKIP END OF KERNEL",
        "1:10: expected a name, found `IF`, which is reserved; a name spelled so is written `` `IF` ``",
    );
    check(
        "GLOBAL ARRAY a : i32[2];\nGLOBAL ARRAY a : i32[2];",
        "2:1: `a` is declared twice, first in line 1; to keep both, call one `a#2`",
    );
}

#[test]
fn types() {
    for (body, expected) in [
        (
            "x := 1",
            "3:6: `f32` is needed here, this is `i32`: write the number with a point",
        ),
        (
            "x := i",
            "3:6: `f32` is needed here, this is `i32`: conversions are written, `f32(…)`",
        ),
        (
            "i := x + 1.0",
            "3:6: `i32` is needed here, this is `f32`: conversions are written, `i32(…)`",
        ),
        (
            "i := n + u",
            "3:6: `+` between `i32` and `u32`: conversions are written, `i32(…)`",
        ),
        (
            "i := i + 1.5",
            "3:6: `+` between `i32` and `f64`: conversions are written, `i32(…)`",
        ),
        ("t := i", "3:6: `bool` is needed here, this is `i32`"),
        (
            "IF i THEN SKIP END IF",
            "3:4: a condition is needed here, this is `i32`",
        ),
        (
            "t := NOT i",
            "3:10: a condition is needed here, this is `i32`",
        ),
        ("i := -t", "3:7: `-` is not defined on `bool`"),
        ("i := ~x", "3:7: `~` is not defined on `f32`"),
        ("x := x % 2.0", "3:6: `%` is not defined on `f32`"),
        (
            "x := x << 1",
            "3:6: `<<` between `f32` and `i32`: conversions are written, `f32(…)`",
        ),
        ("i := sqrt(i)", "3:6: `sqrt` is not defined on `i32`"),
        (
            "i := min(i, u)",
            "3:6: `min` is not defined on `i32`, `u32`",
        ),
        ("i := abs(i, j)", "3:6: `abs` takes 1 operand, not 2"),
        ("x := p", "3:6: `f32` is needed here, this is `f32*`"),
        ("x := i[0]", "3:6: a pointer is needed here, this is `i32`"),
        ("x := *x", "3:7: a pointer is needed here, this is `f32`"),
        (
            "x := p[x]",
            "3:8: a number of elements is needed here, this is `f32`",
        ),
        (
            "p := p - 1",
            "3:6: to go back, add a negative number of elements: `p + -i`",
        ),
        ("p := 1 + p", "3:6: the pointer stands in front: `p + i`"),
        ("p := q", "3:6: `f32*` is needed here, this is `const i32*`"),
        (
            "p := f32*(q)",
            "3:6: there is no conversion from `const i32*` to `f32*`",
        ),
        ("t := p == q", "3:6: `==` between `f32*` and `const i32*`"),
        (
            "t := null == null",
            "3:6: the type of this `null` is not known: write `(null : f32*)`",
        ),
        (
            "p := null; x := t ? 1.0 : i",
            "3:17: one branch is `f64`, the other `i32`",
        ),
        (
            "x := f32(p)",
            "3:6: there is no conversion from `f32*` to `f32`",
        ),
        (
            "i := (x : i32)",
            "3:7: `i32` is needed here, this is `f32`: conversions are written, `i32(…)`",
        ),
        (
            "atomic_add(i, 1)",
            "3:12: a cell is needed here: `p[i]` or `*p`",
        ),
        (
            "atomic_add(p[0], i)",
            "3:18: `f32` is needed here, this is `i32`: conversions are written, `f32(…)`",
        ),
        (
            "i := atomic_add(p[0], 1.0)",
            "3:1: the variable is `i32`, what it would get is `f32`",
        ),
        (
            "atomic_cas(p[0], 1.0)",
            "3:1: `atomic_cas(cell, compare, value)` takes 3 operands, not 2",
        ),
        (
            "sync_warp(i)",
            "3:11: `u32` is needed here, this is `i32`: conversions are written, `u32(…)`",
        ),
        ("sync_warp", "3:1: `sync_warp(mask)` takes 1 operand, not 0"),
        ("barrier(1)", "3:9: a variable is needed here"),
        ("grid_barrier(i)", "3:1: `grid_barrier` takes no operands"),
        ("i := exit", "3:1: `exit` has no result"),
        (
            "active_mask",
            "3:1: the result of `active_mask` must be kept: `x := active_mask…`",
        ),
        (
            "i := CALL f(x)",
            "3:13: `i32` is needed here, this is `f32`: conversions are written, `i32(…)`",
        ),
        ("i := CALL f(1, 2)", "3:11: `f` takes 1 argument, not 2"),
        (
            "CALL f(1) ; x := CALL f(1)",
            "3:13: the variable is `f32`, what it would get is `i32`",
        ),
        ("barrier SCOPE BLOCK", "3:1: `barrier` has no `SCOPE`"),
        (
            "copy_gpu(p, p, 4)",
            "3:1: an operator that the device does not have",
        ),
        (
            "FOR (x FROM 0.0 TO 1.0) LOOP SKIP END OF LOOP",
            "3:6: the counter `x` is no integer but `f32`",
        ),
        (
            "FOR (i FROM 0 TO 3) LOOP i := 2 END OF LOOP",
            "3:6: the body assigns the counter `i`: write a `WHILE` loop",
        ),
        (
            "FOR (i FROM 0 WHILE j < 3 NEXT i + 1) LOOP SKIP END OF LOOP",
            "3:21: the condition does not depend on the counter `i`",
        ),
        (
            "atomic_and(p[0], 1.0)",
            "3:1: an atomic operation its element type does not have",
        ),
        ("5 := i", "3:1: expected an operator, found the number 5"),
        ("p + 1 := x", "3:3: expected `:=`, found `+`"),
    ] {
        check_body(body, expected);
    }
}

#[test]
fn declarations() {
    for (text, expected) in [
        (
            "kernel k() ==== END OF KERNEL",
            "1:1: expected `KERNEL`, `DEVICE`, `HOST` or the declaration of an array, found `kernel` (did you mean `KERNEL`?)",
        ),
        (
            "x := 1",
            "1:1: expected `KERNEL`, `DEVICE`, `HOST` or the declaration of an array, found `x`",
        ),
        (
            "KERNEL k(a i32) ==== END OF KERNEL",
            "1:12: expected `:`, found `i32`",
        ),
        (
            "KERNEL k(a : int) ==== END OF KERNEL",
            "1:14: expected a type, found `int`",
        ),
        (
            "KERNEL k(a : const i32) ==== END OF KERNEL",
            "1:14: `const` and `volatile` say what a pointer points to: `*` is missing",
        ),
        (
            "KERNEL k(a : i32) END OF KERNEL",
            "1:19: expected `====`, found `END`",
        ),
        (
            "KERNEL k() ==== END OF DEVICE",
            "1:24: expected `END OF KERNEL` to close the `KERNEL` of line 1, found `DEVICE`",
        ),
        (
            "KERNEL k() ====\nSKIP",
            "2:5: expected `;` or `END OF KERNEL`, found the end of the file; the `KERNEL` of line 1 is not closed",
        ),
        (
            "KERNEL k() RESULT r ==== VAR r : i32; END OF KERNEL",
            "1:1: the kernel `k` has a result",
        ),
        ("GLOBAL a : i32[2];", "1:8: expected `ARRAY`, found `a`"),
        (
            "GLOBAL ARRAY a : i32[n];",
            "1:22: expected a number of elements, found `n`",
        ),
        (
            "GLOBAL ARRAY a : i32[2]",
            "1:24: expected `;`, found the end of the file",
        ),
        (
            "GLOBAL ARRAY a : i32[2] := { 1, 2, 3 };",
            "1:1: `a` has 3 initial values for 2 elements",
        ),
        (
            "GLOBAL ARRAY a : i32[2] := { 1.0 };",
            "1:30: a constant of type `i32` is needed here",
        ),
        (
            "GLOBAL ARRAY a : i32[2] := { n };",
            "1:30: a constant of type `i32` is needed here",
        ),
        (
            "GLOBAL ARRAY a : i8[2] := { 200 };",
            "1:29: 200 does not fit in `i8` (-128 to 127)",
        ),
        (
            "GLOBAL ARRAY a : i32[LAUNCH];",
            "1:1: `a` has the launch's extent but is not in shared memory",
        ),
        (
            "SHARED ARRAY a : i32[LAUNCH] EXTENT 3;",
            "1:1: `LAUNCH` says the extent: `EXTENT` cannot say another",
        ),
        (
            "SHARED ARRAY a : i32[2] := { 1, 2 };",
            "1:1: `a` is in shared memory and has an initial value",
        ),
        (
            "PRIVATE ARRAY a : i32[2];",
            "1:1: `a` is private but belongs to no procedure",
        ),
        (
            "GLOBAL ARRAY a : i32[4294967296][4294967296];",
            "1:1: `a` has too many elements",
        ),
        (
            "GLOBAL ARRAY a : i32[99999999999999999999];",
            "1:22: 99999999999999999999 elements are too many",
        ),
        (
            "KERNEL k() ==== END OF KERNEL GLOBAL ARRAY a : i32[2];",
            "1:31: arrays of the file are declared before its procedures; the first is in line 1",
        ),
        (
            "FORM Atomic;",
            "1:6: expected `ATOMIC`, found `Atomic` (did you mean `ATOMIC`?)",
        ),
        (
            "HOST h() ==== barrier END OF HOST",
            "1:15: an operator that the host does not have",
        ),
        (
            "HOST h() ==== VAR i : u32; i := threadIdx.x END OF HOST",
            "1:33: the host has no threads and blocks of its own",
        ),
        (
            "SHARED ARRAY s : i32[2]; HOST h() ==== s[0] := 1 END OF HOST",
            "1:40: `s` is shared memory, which the host has not",
        ),
        (
            "HOST ARRAY s : i32[2]; KERNEL h() ==== s[0] := 1 END OF KERNEL",
            "1:40: `s` is memory of the host",
        ),
        (
            "HOST h() ==== call_gpu k() GRID (1, 1, 1, 1) BLOCK (1) END OF HOST",
            "1:33: one to three extents (x, y, z) are needed here, not 4",
        ),
        (
            "HOST h() ==== call_gpu k() BLOCK (1) END OF HOST",
            "1:28: expected `GRID`, found `BLOCK`",
        ),
        (
            "HOST h(d : f32*) ==== d := alloc_global(4.0) END OF HOST",
            "1:41: a number of bytes is needed here, this is `f64`",
        ),
        (
            "HOST h(d : f32*) ==== alloc_global(4) END OF HOST",
            "1:23: the result of `alloc_global` must be kept: `x := alloc_global…`",
        ),
        (
            "HOST h(d : f32) ==== d := alloc_global(4) END OF HOST",
            "1:22: an allocation gives a pointer, the variable is `f32`",
        ),
        (
            "DEVICE f() ==== exit END OF DEVICE",
            "1:17: only a kernel ends its thread",
        ),
        (
            "DEVICE f() ==== CALL g() END OF DEVICE\nDEVICE g() ==== CALL f() END OF DEVICE",
            "1:1: `f` is recursive",
        ),
        (
            "FORM ATOMIC;\nKERNEL k(p : i32*) ====\n p[0] := p[1] END OF KERNEL",
            "3:2: an expression of the atomic form reads memory",
        ),
    ] {
        check(text, expected);
    }
}

/// A scheme cut anywhere is refused or is a shorter scheme, and never makes the reader panic.
#[test]
fn cut_and_damaged_texts() {
    let text = include_str!("whole.scheme");
    assert!(read("whole.scheme", text.as_bytes()).is_ok());
    for end in 0..text.len() {
        let _ = read("cut.scheme", &text.as_bytes()[..end]);
        let _ = read("cut.scheme", &text.as_bytes()[end..]);
        let mut changed = text.as_bytes().to_vec();
        changed[end] = b"(;}9:`*\xff"[end % 8];
        let _ = read("changed.scheme", &changed);
    }
}

/// Words and signs taken out, doubled, put elsewhere: refused, or another scheme, which then comes
/// back from its print.
#[test]
fn words_out_of_place() {
    let texts = [
        include_str!("whole.scheme"),
        include_str!("../../src/scheme/everything.scheme"),
    ];
    let mut rng = Rng(1);
    let mut n_accepted = 0;
    for round in 0..2000 {
        let mut parts: Vec<&str> = texts[round % 2]
            .split_inclusive(|c: char| !c.is_alphanumeric() && c != '_')
            .collect();
        for _ in 0..=rng.roll(3) {
            let n = parts.len() as u64;
            let (here, there) = (rng.roll(n) as usize, rng.roll(n) as usize);
            match rng.roll(4) {
                0 => drop(parts.remove(here)),
                1 => parts.swap(here, there),
                2 => parts[here] = parts[there],
                _ => parts.insert(here, parts[there]),
            }
        }
        let text = parts.concat();
        if let Ok(program) = read("changed.scheme", text.as_bytes()) {
            n_accepted += 1;
            let printed = print(&program);
            let again = read("printed.scheme", printed.as_bytes());
            let again = again.unwrap_or_else(|error| panic!("{error}\n{printed}\nof\n{text}"));
            assert!(same(&again, &program), "{printed}\nof\n{text}");
        }
    }
    assert!(n_accepted > 20, "{n_accepted} accepted");
}

#[test]
fn text_that_is_no_text() {
    let error = refused(b"KERNEL k() ====\n  // caf\xe9\nEND OF KERNEL");
    assert_eq!((error.line, error.column), (2, 9));
    assert_eq!(error.message, "not UTF-8: the byte 0xe9");
    assert_eq!(error.kind, ErrorKind::File);
}

#[test]
fn texts_nested_too_deeply() {
    let deep = 20_000;
    let open = |part: &str| part.repeat(deep);
    for body in [
        format!("i := {}1", open("(")),
        format!("i := {}1", open("-")),
        format!("t := {}t", open("NOT ")),
        format!("i := 1{}", open(" + 1")),
        format!("i := {}1", open("1 - (")),
        format!("t := {}", open("t ? t : ")),
        format!("x := p{}", open("[0]")),
        open("BEGIN "),
        open("IF t THEN "),
        format!("IF t THEN {}", open("SKIP ELSIF t THEN ")),
        open("WHILE t LOOP "),
        format!("PARALLEL {}", open("BRANCH SKIP ")),
        format!("i := {}i", open("i32(")),
        format!("x := {}p", open("*")),
        format!(
            "i := {}1{}",
            "(".repeat(400),
            format!("{})", " + 1".repeat(400)).repeat(400)
        ),
        format!("IF t THEN {}", "SKIP ELSIF t THEN ".repeat(400).repeat(400)),
    ] {
        let text =
            format!("KERNEL k(p : f32*) ====\nVAR x : f32; VAR i : i32; VAR t : bool;\n{body}");
        let error = refused(text.as_bytes());
        assert_eq!(error.line, 3);
        assert_eq!(error.message, "nested more than 500 deep");
    }
    // A long sequence is not deep.
    let text = format!(
        "KERNEL k() ==== VAR i : i32; {} END OF KERNEL",
        open("i := 1; ")
    );
    assert!(read("long.scheme", text.as_bytes()).is_ok());
}
