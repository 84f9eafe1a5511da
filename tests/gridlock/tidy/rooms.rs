//! The rooms of the crates that have floors: a module knows its own room and those on floors below. Rooms of one
//! floor do not know each other. ARCHITECTURE.md has the same tables, with what each room is for.

/// A crate and its rooms.
pub struct House {
    /// As ARCHITECTURE.md calls it: `The rooms of …`.
    pub name: &'static str,
    /// As paths call it.
    pub library: &'static str,
    pub folder: &'static str,
    /// From the lowest up.
    pub floors: &'static [&'static [&'static str]],
}

pub const HOUSES: [House; 7] = [
    House {
        name: "`frontend`",
        library: "gridlock_frontend",
        folder: "frontend/src",
        floors: &[
            &[
                "assumed",
                "constant",
                "error",
                "header_comment",
                "refusal",
                "request",
                "spans",
                "syntax",
            ],
            &["arithmetic", "clang", "parsed", "scheme", "types"],
            &["storage", "unit"],
            &["launches", "order"],
            &["body"],
            &[
                "calls",
                "device",
                "expressions",
                "host",
                "objects",
                "places",
                "statements",
            ],
            &["procedure"],
            &["translation"],
            &["reading"],
        ],
    },
    House {
        name: "the root package",
        library: "gridlock",
        folder: "src",
        floors: &[
            &["supervision", "words"],
            &["input"],
            &["subject"],
            &["run"],
            &["judge"],
            &["pipeline", "suite"],
            &["report"],
            &["cli"],
        ],
    },
    House {
        name: "`semantics`",
        library: "gridlock_semantics",
        folder: "semantics/src",
        floors: &[
            &["closed"],
            &["algebra", "profile"],
            &["analysis", "print", "transition"],
            &["atomic_form", "evaluation", "setup", "well_formed"],
            &["memory"],
            &["thread"],
            &["block"],
            &["grid"],
            &["host"],
            &["system"],
        ],
    },
    House {
        name: "`checker`",
        library: "gridlock_checker",
        folder: "checker/src",
        floors: &[
            &["limits", "verdict"],
            &["compiled", "finding"],
            &["system", "report"],
            &["order"],
            &["automaton"],
            &["canonical", "cost", "explore"],
            &["progress"],
            &["equiv"],
            &["replay"],
        ],
    },
    House {
        name: "`proofs`",
        library: "gridlock_proofs",
        folder: "proofs/src",
        floors: &[
            &["terms"],
            &["machine", "reals"],
            &["solver"],
            &["counters", "lemmas"],
            &["kernel", "independence", "symbolic_run"],
            &["summary"],
        ],
    },
    House {
        name: "`transforms`",
        library: "gridlock_transforms",
        folder: "transforms/src",
        floors: &[
            &["terms"],
            &["language"],
            &["matching", "rules"],
            &["analysis", "ground", "index"],
            &["building"],
            &["rewriting"],
        ],
    },
    House {
        name: "`lowering`",
        library: "gridlock_lowering",
        folder: "lowering/src",
        floors: &[
            &["error", "fingerprint", "lowered", "nvcc", "patterns"],
            &["print"],
            &["cuda"],
            &["opencl"],
            &["device", "host"],
            &["diff", "recordings"],
            &["gpu_run"],
        ],
    },
];
