//! Bit-fields: a variable or a cell of its declared type each, truncated to its width; a store in memory writes the
//! others of its memory location back.

use crate::reading::support::{check_c, check_kernels, parse};
use gridlock_frontend::Language::{C, Cuda};

const TYPES: &str = "
struct bits { unsigned a : 3; int b : 5; int : 0; short c : 4; bool d : 1; unsigned e : 32; };
struct apart { unsigned a : 3; char between; unsigned b : 3; };
union word { float f; unsigned whole; struct { unsigned low : 8, : 8, high : 16; } in; };
";

#[test]
fn by_value() {
    check_kernels(
        TYPES,
        &[
            ("bits s; s.a = u; n = s.a;", "s.a = u & 7u; n = (int)s.a;"),
            ("bits s; s.b = 17;", "s.b = -15;"),
            (
                "bits s; s.b = n;",
                "s.b = (int)((unsigned int)n << 27) >> 27;",
            ),
            ("bits s; s.d = n; s.e = u;", "s.d = n != 0; s.e = u;"),
            // The value of an assignment is what the field holds then.
            (
                "bits s; n = s.a = 9;",
                "temporary = 1u; s.a = temporary & 7u; n = (int)temporary;",
            ),
            (
                "bits s = {7, -1}, t = s; t.a++;",
                "s.a = 7u; s.b = -1; s.c = (short)0; s.d = false; s.e = 0u; t.a = s.a; t.b = s.b; t.c = s.c; \
                 t.d = s.d; t.e = s.e; t.a = t.a + 1u & 7u;",
            ),
        ],
    );
}

/// A list may hold more than fits in C.
#[test]
fn lists() {
    check_c(
        "struct bits { unsigned a : 3; int b : 5; };",
        &[("struct bits s = {9, 31};", "s.a = 1u; s.b = -1;")],
    );
}

#[test]
fn in_memory() {
    check_kernels(
        TYPES,
        &[
            (
                "__shared__ bits s[4]; s[n].a = 1; s[n].b = n;",
                "s.{a,e}[(long long)n * 2ll] = 1u; write back s.b[n]; \
                 s.b[n] = (int)((unsigned int)n << 27) >> 27; write back s.{a,e}[(long long)n * 2ll];",
            ),
            // A width of 0 and a field of another kind begin another memory location.
            (
                "__shared__ bits s; s.d = n; s.a = 2;",
                "*s.d = n != 0; write back *s.c; write back s.{a,e}[1]; *s.{a,e} = 2u; write back *s.b;",
            ),
            (
                "__shared__ apart s; s.a = 2; s.b = 3;",
                "*s.{a,b} = 2u; s.{a,b}[1] = 3u;",
            ),
            // What another wrote may not fit.
            ("__shared__ apart s; u = s.a;", "u = *s.{a,b} & 7u;"),
            (
                "__shared__ apart s[4]; apart t = s[n]; s[0] = t;",
                "t.a = s.{a,b}[(long long)n * 2ll] & 7u; t.between = s.between[n]; \
                 t.b = s.{a,b}[(long long)n * 2ll + 1ll] & 7u; temporary = t.a; temporary_1 = t.between; \
                 temporary_2 = t.b; s.{a,b}[0] = temporary; s.between[0] = temporary_1; s.{a,b}[1] = temporary_2;",
            ),
            // The address is evaluated once.
            (
                "__shared__ bits s[4]; s[a[n]].b += n;",
                "temporary = a[n]; s.b[temporary] = (int)((unsigned int)(((int)((unsigned int)s.b[temporary] << 27) >> 27) \
                 + n) << 27) >> 27; write back s.{a,e}[(long long)temporary * 2ll];",
            ),
        ],
    );
}

/// The members of a union are put together from the bits that some other begins or ends at.
#[test]
fn unions() {
    check_kernels(
        TYPES,
        &[
            (
                "word w; w.whole = 0x12345678; u = w.in.low; n = w.in.high;",
                "w.bits0_7 = (unsigned char)120; w.bits8_15 = (unsigned char)86; w.bits16_31 = (unsigned short)4660; \
                 u = (unsigned int)w.bits0_7 & 255u; n = (int)((unsigned int)w.bits16_31 & 65535u);",
            ),
            (
                "word w; w.in.low = 3; w.in.high = 5; u = w.in.low;",
                "w.bits0_7 = (unsigned char)3; w.bits16_31 = (unsigned short)5; u = (unsigned int)w.bits0_7 & 255u;",
            ),
        ],
    );
}

/// Sizes and places of what follows, as clang itself lays structs out: the text asserts them.
#[test]
fn sizes() {
    let cases = [
        ("int a : 3, b : 30;", 8),
        ("char a : 3, b : 6;", 2),
        ("int a : 3; char b; short c : 9;", 4),
        ("char a; int b : 24;", 4),
        ("char a; int b : 25;", 8),
        ("char a; int : 0; char b;", 5),
        ("char a; int : 5; char b;", 3),
        ("char a; long long : 40; char b;", 7),
        ("long long a : 1; char b;", 8),
        ("bool a : 1, b : 1; unsigned c : 30;", 4),
        ("short a : 9, b : 9; int c : 14;", 8),
        ("int a : 31; long long b : 33;", 8),
        ("int a : 31; long long b : 34;", 16),
        ("char a : 8; char : 0; char b : 1; double d;", 16),
    ];
    for (at, language) in [(0, Cuda), (1, C)] {
        let mut text = String::from(["", "#include <stdbool.h>\n"][at]);
        let (mut asserted, mut body) = (String::new(), String::new());
        for (index, (fields, size)) in cases.iter().enumerate() {
            text += &format!("struct s{index} {{ {fields} }};\n");
            let word = ["static_assert", "_Static_assert"][at];
            asserted += &format!("{word}(sizeof(struct s{index}) == {size}, \"\");\n");
            body += &format!("a[{index}] = sizeof(struct s{index}); ");
        }
        // clang itself agrees, or the text is refused.
        let kernel = ["__global__ ", ""][at];
        let text = format!("{text}{asserted}{kernel}void k(int *a) {{ {body} }}");
        let parsed = parse(&text, language);
        let found =
            crate::reading::support::squeezed(&crate::reading::support::operators(&parsed, "k"));
        for (index, (fields, size)) in cases.iter().enumerate() {
            let stored = format!("a[{index}] = {size};");
            assert!(found.contains(&stored), "{fields}: {found}");
        }
    }
}

/// What a launch gives by value fits its fields.
#[test]
fn arguments() {
    let text = format!("{TYPES} __global__ void k(apart s, int *a) {{ a[0] = s.a; }}");
    let parsed = parse(&text, Cuda);
    let found =
        crate::reading::support::squeezed(&crate::reading::support::operators(&parsed, "k"));
    assert!(found.contains("assume(s.a == (s.a & 7u));"), "{found}");
}
