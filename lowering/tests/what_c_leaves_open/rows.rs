//! The rows, and functions that show each.

/// How a row is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// All values agree with clang and PoCL.
    Compared,
    /// The undefined inputs are a defect, on which clang's checks trap; the others agree.
    Trap,
    /// The undefined inputs are a defect; nothing in clang sees it, or no result could be compared.
    Fault,
    /// The front end refuses what the language leaves open.
    Refused,
}

impl Held {
    pub const fn text(self) -> &'static str {
        match self {
            Held::Compared => "clang, PoCL",
            Held::Trap => "a defect where clang traps; clang, PoCL",
            Held::Fault => "a defect",
            Held::Refused => "refused",
        }
    }
}

/// `result f(first a, second b) { body }`; without a second type `b` is an `int`, always 0.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    pub result: &'static str,
    pub first: &'static str,
    pub second: &'static str,
    pub body: &'static str,
}

#[derive(Debug)]
pub struct Row {
    pub what: &'static str,
    pub held: Held,
    /// The fault that undefined inputs have, by the name of its kind.
    pub fault: Option<&'static str>,
    pub cases: &'static [Case],
}

const fn case(
    result: &'static str,
    first: &'static str,
    second: &'static str,
    body: &'static str,
) -> Case {
    Case {
        result,
        first,
        second,
        body,
    }
}

const fn compared(what: &'static str, cases: &'static [Case]) -> Row {
    Row {
        what,
        held: Held::Compared,
        fault: None,
        cases,
    }
}

const fn trap(what: &'static str, fault: &'static str, cases: &'static [Case]) -> Row {
    Row {
        what,
        held: Held::Trap,
        fault: Some(fault),
        cases,
    }
}

const fn fault(what: &'static str, fault: &'static str, cases: &'static [Case]) -> Row {
    Row {
        what,
        held: Held::Fault,
        fault: Some(fault),
        cases,
    }
}

const fn refused(what: &'static str, cases: &'static [Case]) -> Row {
    Row {
        what,
        held: Held::Refused,
        fault: None,
        cases,
    }
}

pub const ROWS: &[Row] = &[
    compared(
        "order in which operands are evaluated",
        &[
            case(
                "int",
                "int",
                "int",
                "int s = a & 7; return (s *= 3, step(&s, b & 3));",
            ),
            case(
                "int",
                "int",
                "int",
                "int s = a & 7; int r = step(&s, 2), q = step(&s, b & 3); return two(r, q);",
            ),
            case(
                "int",
                "int",
                "int",
                "int s = a & 7; s = step(&s, 1) & b; return s;",
            ),
        ],
    ),
    refused(
        "operands without an order of which one changes what another uses",
        &[
            case(
                "int",
                "int",
                "int",
                "int s = a & 7; return step(&s, 2) * 10 + step(&s, b & 3);",
            ),
            case(
                "int",
                "int",
                "",
                "int s = a & 7; return two(step(&s, 1), step(&s, 2));",
            ),
            case("int", "int", "", "return a + a++;"),
            case("int", "int", "", "int q[4]; q[a & 3] = a++; return a;"),
        ],
    ),
    compared(
        "`&&`, `||`, `?:`",
        &[
            case("int", "int", "int", "return b > 0 && a / b > 1;"),
            case("int", "int", "int", "return b <= 0 || a % b == 1;"),
            case("int", "int", "int", "return b > 0 ? a / b : 7;"),
            case(
                "int",
                "int",
                "int",
                "int s = 1; int r = a > b || step(&s, 1); return r + 10 * s;",
            ),
        ],
    ),
    compared(
        "signed overflow",
        &[
            case("int", "int", "int", "return a + b;"),
            case("int", "int", "int", "return a - b;"),
            case("int", "int", "int", "return a * b;"),
            case("int", "int", "", "return -a;"),
            case("int", "int", "", "a++; return a;"),
            case("long long", "long long", "long long", "return a + b;"),
            case("long long", "long long", "long long", "return a - b;"),
            case("long long", "long long", "long long", "return a * b;"),
            case("long long", "long long", "", "return -a;"),
        ],
    ),
    compared(
        "unsigned overflow",
        &[
            case("unsigned", "unsigned", "unsigned", "return a + b;"),
            case("unsigned", "unsigned", "unsigned", "return a - b;"),
            case("unsigned", "unsigned", "unsigned", "return a * b;"),
            case("unsigned", "unsigned", "", "return -a;"),
            case(
                "unsigned long long",
                "unsigned long long",
                "unsigned long long",
                "return a * b - b;",
            ),
        ],
    ),
    compared(
        "small integers in arithmetic",
        &[
            case("int", "unsigned char", "unsigned char", "return a + b;"),
            case("int", "signed char", "unsigned char", "return a * b - b;"),
            case("int", "short", "signed char", "return a - b;"),
            case("int", "unsigned short", "unsigned short", "return a * b;"),
            case("int", "unsigned char", "", "return ~a;"),
            case("int", "unsigned short", "", "return -a;"),
        ],
    ),
    compared(
        "compound assignment to a small integer",
        &[
            case("unsigned char", "unsigned char", "int", "a += b; return a;"),
            case("signed char", "signed char", "", "a++; return a;"),
            case("short", "short", "int", "a *= b; return a;"),
        ],
    ),
    compared(
        "signed with unsigned operands",
        &[
            case("int", "int", "unsigned", "return a < b;"),
            case("unsigned", "int", "unsigned", "return a + b;"),
            case("int", "int", "unsigned", "return a == b;"),
            case("int", "int", "long long", "return a < b;"),
            case("int", "unsigned", "long long", "return a <= b;"),
            case("int", "long long", "unsigned long long", "return a < b;"),
        ],
    ),
    compared(
        "integer to narrower or other-signed integer",
        &[
            case("signed char", "int", "", "return a;"),
            case("unsigned char", "int", "", "return a;"),
            case("short", "long long", "", "return a;"),
            case("int", "long long", "", "return a;"),
            case("int", "unsigned", "", "return a;"),
            case("unsigned", "long long", "", "return a;"),
            case("unsigned long long", "int", "", "return a;"),
            case("long long", "unsigned long long", "", "return a;"),
        ],
    ),
    compared(
        "`char`",
        &[
            case("int", "char", "", "return a < 0;"),
            case("int", "int", "", "char c = a; return c;"),
        ],
    ),
    compared(
        "widths",
        &[
            case(
                "int",
                "int",
                "",
                "return sizeof(char) + 10 * sizeof(short) + 100 * sizeof(int);",
            ),
            case(
                "int",
                "int",
                "",
                "return sizeof(long long) + 10 * sizeof(float);",
            ),
            case("long long", "unsigned", "", "return (long long)a << 8;"),
        ],
    ),
    compared(
        "`/` and `%` of negative integers",
        &[
            case(
                "int",
                "int",
                "int",
                "if (b == 0 || b == -1) return 0; return a / b;",
            ),
            case(
                "int",
                "int",
                "int",
                "if (b == 0 || b == -1) return 0; return a % b;",
            ),
            case(
                "long long",
                "long long",
                "int",
                "if (b == 0 || b == -1) return 0; return a / b;",
            ),
            case(
                "long long",
                "long long",
                "int",
                "if (b == 0 || b == -1) return 0; return a % b;",
            ),
        ],
    ),
    trap(
        "integer `x / 0`, `x % 0`",
        "DivisionByZero",
        &[
            case("int", "int", "int", "if (b == -1) return 0; return a / b;"),
            case("int", "int", "int", "if (b == -1) return 0; return a % b;"),
            case("unsigned", "unsigned", "unsigned", "return a / b;"),
            case("unsigned", "unsigned", "unsigned", "return a % b;"),
            case("int", "signed char", "signed char", "return a / b;"),
            case(
                "unsigned long long",
                "unsigned long long",
                "unsigned",
                "return a / b;",
            ),
        ],
    ),
    trap(
        "`MIN / -1`, `MIN % -1`",
        "UndefinedArithmetic",
        &[
            case("int", "int", "int", "if (b == 0) return 0; return a / b;"),
            case("int", "int", "int", "if (b == 0) return 0; return a % b;"),
            case(
                "long long",
                "long long",
                "long long",
                "if (b == 0) return 0; return a / b;",
            ),
            case(
                "long long",
                "long long",
                "long long",
                "if (b == 0) return 0; return a % b;",
            ),
        ],
    ),
    trap(
        "shift by a negative amount, or by the width or more",
        "UndefinedArithmetic",
        &[
            case("int", "int", "int", "return a << b;"),
            case("int", "int", "int", "return a >> b;"),
            case("unsigned", "unsigned", "int", "return a << b;"),
            case("unsigned", "unsigned", "unsigned", "return a >> b;"),
            case("long long", "long long", "int", "return a << b;"),
            case(
                "unsigned long long",
                "unsigned long long",
                "int",
                "return a >> b;",
            ),
            case("int", "signed char", "int", "return a << b;"),
        ],
    ),
    compared(
        "`<<` of a negative integer, or out of the top",
        &[
            case("int", "int", "int", "return a << (b & 31);"),
            case("long long", "long long", "int", "return a << (b & 63);"),
            case("int", "signed char", "int", "return a << (b & 31);"),
        ],
    ),
    compared(
        "`>>` of a negative integer",
        &[
            case("int", "int", "int", "return a >> (b & 31);"),
            case("long long", "long long", "int", "return a >> (b & 63);"),
            case("int", "short", "int", "return a >> (b & 31);"),
        ],
    ),
    compared(
        "integer to float",
        &[
            case("float", "int", "", "return a;"),
            case("float", "unsigned", "", "return a;"),
            case("float", "long long", "", "return a;"),
            case("double", "long long", "", "return a;"),
            case("double", "unsigned long long", "", "return a;"),
            case("float", "unsigned long long", "", "return a;"),
        ],
    ),
    compared(
        "`double` to `float`",
        &[
            case("float", "double", "", "return a;"),
            case("double", "float", "", "return a;"),
        ],
    ),
    trap(
        "float to integer",
        "UndefinedArithmetic",
        &[
            case("int", "float", "", "return a;"),
            case("unsigned", "float", "", "return a;"),
            case("long long", "float", "", "return a;"),
            case("int", "double", "", "return a;"),
            case("unsigned long long", "double", "", "return a;"),
            case("signed char", "double", "", "return a;"),
        ],
    ),
    compared(
        "anything to `bool`",
        &[
            case("int", "int", "", "bool x = a; return x;"),
            case("int", "long long", "", "bool x = a; return x;"),
            case("int", "float", "", "bool x = a; return x;"),
            case("int", "double", "", "return !a;"),
            case("int", "float", "", "return a ? 3 : 4;"),
        ],
    ),
    compared(
        "float arithmetic",
        &[
            case("float", "float", "float", "return a + b;"),
            case("float", "float", "float", "return a - b;"),
            case("float", "float", "float", "return a * b;"),
            case("float", "float", "float", "return a / b;"),
            case("double", "double", "double", "return a + b;"),
            case("double", "double", "double", "return a * b;"),
            case("double", "double", "double", "return a / b;"),
            case("double", "float", "double", "return a - b;"),
        ],
    ),
    compared(
        "contraction to fused multiply-add",
        &[
            case("float", "float", "float", "return a * b + a;"),
            case("double", "double", "double", "return a * b - b;"),
            case("float", "float", "float", "float p = a * b; return p + b;"),
            case("float", "float", "float", "return fmaf(a, b, a);"),
            case("double", "double", "double", "return fma(a, b, b);"),
        ],
    ),
    compared(
        "comparison with NaN",
        &[
            case("int", "float", "float", "return a < b;"),
            case("int", "float", "float", "return a == b;"),
            case("int", "float", "float", "return a != b;"),
            case("int", "double", "double", "return !(a >= b);"),
        ],
    ),
    compared(
        "`fmin`, `fmax` with NaN",
        &[
            case(
                "float",
                "float",
                "float",
                "if (a == b) return 0; return fminf(a, b);",
            ),
            case(
                "float",
                "float",
                "float",
                "if (a == b) return 0; return fmaxf(a, b);",
            ),
            case(
                "double",
                "double",
                "double",
                "if (a == b) return 0; return fmin(a, b);",
            ),
        ],
    ),
    compared(
        "rounding functions",
        &[
            case("float", "float", "", "return floorf(a);"),
            case("double", "double", "", "return ceil(a);"),
            case("double", "double", "", "return trunc(a);"),
            case("double", "double", "", "return sqrt(a);"),
            case("float", "float", "", "return fabsf(a);"),
        ],
    ),
    compared(
        "pointers into one array",
        &[
            case(
                "int",
                "int",
                "int",
                "int s[8]; return (int)(&s[a & 7] - &s[b & 7]);",
            ),
            case(
                "int",
                "int",
                "int",
                "int s[8]; return &s[a & 7] < &s[b & 7];",
            ),
            case(
                "int",
                "int",
                "int",
                "int s[8]; return &s[a & 7] == &s[b & 7];",
            ),
        ],
    ),
    fault(
        "difference or order of pointers into different arrays",
        "UndefinedArithmetic",
        &[
            case(
                "int",
                "int",
                "int",
                "int s[8]; int r[8]; return (int)(&s[a & 7] - &r[b & 7]);",
            ),
            case(
                "int",
                "int",
                "int",
                "int s[8]; int r[8]; return &s[a & 7] < &r[b & 7];",
            ),
        ],
    ),
    fault(
        "a variable without a value",
        "UnsetVariable",
        &[
            case("int", "int", "", "int x; if (a > 0) x = 1; return x;"),
            case(
                "int",
                "int",
                "",
                "int s = 0; for (int i = 0; i < 2; i++) { int x; if (i == 0) x = 1; s += x; } return s;",
            ),
        ],
    ),
    fault(
        "the result of a function that gave none",
        "UnsetVariable",
        &[case("int", "int", "", "return 1 + maybe(a);")],
    ),
    fault(
        "an element that was never written",
        "UninitialisedRead",
        &[case(
            "int",
            "int",
            "",
            "int s[4]; s[0] = 1; return s[a & 3];",
        )],
    ),
    fault(
        "an element outside its array",
        "OutOfBounds",
        &[case(
            "int",
            "int",
            "",
            "int s[4] = {1, 2, 3, 4}; return s[a & 7];",
        )],
    ),
];
