//! The page that shows a schedule, opened in a headless browser and clicked through.

use crate::browser::Browser;
use crate::tool::run;
use std::path::{Path, PathBuf};

/// A race between two threads, in a file whose name, comments and strings would be markup, with
/// tabs, carriage returns and letters beyond ASCII.
const HOSTILE: &str = "// </script><script>document.title = 'owned'</script> \"'`${1}\r\n\
// <img src=x onerror=\"document.title='owned'\"> &lt; <!-- \u{2028}\r\n\
__global__ void mix(int *a) // größer\r\n\
{\r\n\
\tint i = threadIdx.x;\r\n\
\ta[i / 2] = i + 1; /* </script> <b id='owned'> */\r\n\
}\r\n";

fn saved(arguments: &[&str]) -> i32 {
    let run = run(arguments);
    assert!(
        (0..=1).contains(&run.status),
        "{}{}",
        run.stdout,
        run.stderr
    );
    run.status
}

fn hostile_page(dir: &Path) -> PathBuf {
    let kernel = dir.join("<img src=x onerror=alert(1)>&'\".cu");
    std::fs::write(&kernel, HOSTILE).unwrap();
    let (witness, page) = (dir.join("w.json"), dir.join("page.html"));
    let names = [&kernel, &witness, &page].map(|path| path.to_str().unwrap().to_owned());
    let [kernel, witness, shown] = &names;
    saved(&[
        "check",
        kernel,
        "--block",
        "2",
        "--property",
        "races",
        "--save-witness",
        witness,
    ]);
    saved(&["replay", witness, "--html", shown, "--all"]);
    page
}

/// One browser for all pages: starting it is what takes time.
#[test]
fn pages_are_opened_and_clicked_through() {
    let dir = tempfile::tempdir().unwrap();
    let page = hostile_page(dir.path());
    let mut browser = Browser::start();
    browser.open(&page);
    a_schedule_is_stepped_through(&mut browser);
    nothing_of_the_program_became_markup(&mut browser);

    let page = dir.path().join("explored.html");
    let kernel = "tests/corpus/synchronisation/pipeline-broken.cu";
    let arguments = [
        "explore",
        "tests/input/race.cu",
        "--block",
        "3",
        "--no-reduction",
    ];
    let shown = page.to_str().unwrap();
    saved(&[&arguments[..], &["--html", shown]].concat());
    browser.open(&page);
    states_are_drawn(&mut browser);

    let page = dir.path().join("many.html");
    let witness = dir.path().join("many.json");
    let (witness, shown) = (witness.to_str().unwrap(), page.to_str().unwrap());
    saved(&["check", kernel, "--save-witness", witness]);
    saved(&["replay", witness, "--html", shown]);
    browser.open(&page);
    many_lanes_are_bounded(&mut browser);

    a_judgement_is_shown(&mut browser, dir.path());

    assert_eq!(browser.exceptions, Vec::<String>::new());
    let others = browser
        .requests
        .iter()
        .filter(|url| !url.starts_with("file:"));
    assert_eq!(others.count(), 0, "{:?}", browser.requests);
    let files = browser
        .requests
        .iter()
        .filter(|url| !url.ends_with(".html"));
    assert_eq!(files.count(), 0, "{:?}", browser.requests);
}

/// The page of a judgement, at three widths, light and dark: verdicts, both sides of a conflict, a schedule for each
/// defect. Nothing is wider than the window.
fn a_judgement_is_shown(browser: &mut Browser, dir: &Path) {
    let page = dir.join("check.html");
    let shown = page.to_str().unwrap();
    let kernel = dir.join("sum.cu");
    let text = "__global__ void sum(int *a) {\n    __shared__ int s[64];\n    if (threadIdx.x < 3)\n        s[threadIdx.x] = a[threadIdx.x];\n    \
                a[threadIdx.x] = s[threadIdx.x / 2];\n}\n";
    std::fs::write(&kernel, text).unwrap();
    let launch = ["--grid", "1", "--block", "4"];
    saved(
        &[
            &["check", kernel.to_str().unwrap(), "--html", shown][..],
            &launch,
        ]
        .concat(),
    );
    browser.open(&page);
    let verdicts = browser.text("#tables tbody");
    for part in ["races", "refuted", "deadlock", "proved"] {
        assert!(verdicts.contains(part), "{verdicts}");
    }
    assert!(browser.count("#tables td.bad") >= 1);
    assert!(
        browser.text("#message").starts_with("data-race in sum: "),
        "{}",
        browser.text("#message")
    );
    assert_eq!(browser.count("#sides li"), 2, "both sides are named");
    assert_eq!(
        browser.count("#source div.side"),
        2,
        "and stand in the source"
    );
    assert_eq!(browser.count("#source div.note"), 2);
    browser.click("#sides li:last-child button");
    assert_eq!(
        browser.count("#lanes tr.now.conflict"),
        1,
        "a click on a side goes to its step"
    );
    assert!(browser.text("#lists").contains("What was judged"));
    for dark in [false, true] {
        browser.prefers_dark(dark);
        for width in [1280, 700, 390] {
            browser.resize(width, 900);
            let wide = browser.eval("document.documentElement.scrollWidth - window.innerWidth");
            assert!(wide.as_i64().unwrap() <= 0, "at {width}: {wide} too wide");
        }
        // Contrast of what is refuted with the page: at least 4.5 to 1 (WCAG 2, AA).
        let contrast = browser.eval(CONTRAST);
        assert!(contrast.as_f64().unwrap() >= 4.5, "dark {dark}: {contrast}");
        a_step_is_seen_with_its_source(browser, dark);
    }
    browser.prefers_dark(false);
    browser.resize(1200, 900);

    let equiv = dir.join("equiv.html");
    let [a, b] = ["2", "3"].map(|n| {
        let file = dir.join(format!("by{n}.cu"));
        let text = format!("__global__ void k(int *a) {{ a[threadIdx.x] *= {n}; }}\n");
        std::fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    });
    let arguments = [
        "equiv",
        &a,
        &b,
        "--block",
        "2",
        "--html",
        equiv.to_str().unwrap(),
    ];
    saved(&arguments);
    browser.open(&equiv);
    let tabs = browser.text("#runs");
    assert!(
        tabs.contains("new program") && tabs.contains("old program"),
        "{tabs}"
    );
    assert!(
        browser.text("#source").contains("by3.cu"),
        "the source of the new program"
    );
    browser.click("#runs button:last-child");
    browser.key("G");
    assert!(
        browser.text("#source").contains("by2.cu"),
        "the run of the old program"
    );

    let many = dir.join("several.html");
    saved(&[
        "check",
        kernel.to_str().unwrap(),
        &a,
        "--block",
        "4",
        "--grid",
        "1",
        "--html",
        many.to_str().unwrap(),
    ]);
    browser.open(&many);
    assert!(browser.text("#title").starts_with("refuted: 2 files"));
    assert!(
        browser.count("#tables table") == 3,
        "one of the files, one for each"
    );

    for (command, subject) in [
        ("verify", "examples/tree-sum/pipeline.toml"),
        ("suite", "tests/corpus/profiles"),
    ] {
        let page = dir.join(format!("{command}.html"));
        saved(&[command, subject, "--html", page.to_str().unwrap()]);
        browser.open(&page);
        assert!(browser.count("#tables tbody tr") > 3, "{command}");
        assert!(browser.text("#title").contains(if command == "suite" {
            subject
        } else {
            "as expected"
        }));
        let steps = browser.eval("document.querySelector('main').getBoundingClientRect().height");
        let has_runs = command == "verify";
        assert_eq!(
            steps.as_f64().unwrap() > 0.0,
            has_runs,
            "{command}: {steps}"
        );
    }
}

/// At the widths of a telephone and of a screen: the step of the conflict, and its line of source, are in the window, and
/// can be read.
fn a_step_is_seen_with_its_source(browser: &mut Browser, dark: bool) {
    for width in [390, 1280] {
        browser.resize(width, 900);
        browser.key("Home");
        browser.click("#conflict");
        for shown in ["#lanes tr.now", "#source div.now"] {
            let inside = browser.eval(&format!(
                "(() => {{ const at = document.querySelector('{shown}').getBoundingClientRect(); \
                 return at.top >= 0 && at.bottom <= window.innerHeight; }})()"
            ));
            assert_eq!(inside, true, "{shown} at {width}");
        }
        let contrast = browser.eval(NOW_CONTRAST).as_f64().unwrap();
        assert!(contrast >= 4.5, "dark {dark}: {contrast}");
    }
}

/// Between the colour of the text of the step shown, where it has a part in the conflict, and what is behind it.
const NOW_CONTRAST: &str = "(() => { const rgb = (c) => c.match(/[0-9.]+/g).slice(0, 3).map(Number); \
const light = (c) => { const [r, g, b] = rgb(c).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : \
((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }; \
const style = getComputedStyle(document.querySelector('#lanes tr.now.conflict td')); \
const [text, ground] = [light(style.color), light(style.backgroundColor)]; \
return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05); })()";

/// Between the colour of a refuted verdict and that of the page.
const CONTRAST: &str = "(() => { const rgb = (c) => c.match(/[0-9.]+/g).slice(0, 3).map(Number); \
const light = (c) => { const [r, g, b] = rgb(c).map((v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : \
((v + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }; \
const cell = document.querySelector('#tables td.bad'); const probe = document.createElement('div'); \
probe.style.color = 'Canvas'; document.body.append(probe); const ground = light(getComputedStyle(probe).color); \
probe.remove(); const text = light(getComputedStyle(cell).color); \
return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05); })()";

fn a_schedule_is_stepped_through(browser: &mut Browser) {
    let n_rows = browser.count("#lanes tr[data-n]");
    assert!(n_rows >= 4, "{n_rows}");
    assert_eq!(browser.text("#status"), format!("step 0 of {n_rows}"));
    assert_eq!(browser.count("#lanes th.bad"), 2, "both threads are guilty");
    assert_eq!(browser.count("#lanes tr.conflict"), 2);
    assert!(browser.text("#message").contains("nothing orders them"));
    assert!(
        browser.text("#why").contains("with i = 1"),
        "{}",
        browser.text("#why")
    );
    assert!(browser.text("#command").contains("gridlock replay "));

    browser.key("n");
    assert_eq!(browser.text("#status"), format!("step 1 of {n_rows}"));
    browser.key("ArrowDown");
    browser.key("p");
    assert_eq!(browser.text("#status"), format!("step 1 of {n_rows}"));
    browser.key("c");
    let first = browser.text("#lanes tr.now td.n");
    assert!(browser.text("#step").contains("writes a[0]"));
    assert_eq!(browser.text("#source div.now span"), "6");
    browser.key("c");
    assert_ne!(browser.text("#lanes tr.now td.n"), first);
    assert!(
        browser.text("#values").contains("a[0]"),
        "{}",
        browser.text("#values")
    );
    assert!(
        browser.text("#values").contains("i1"),
        "i = 1: {}",
        browser.text("#values")
    );
    browser.key("Home");
    assert_eq!(browser.text("#status"), format!("step 0 of {n_rows}"));
    browser.key("s");
    assert_eq!(browser.count("#lanes tr.now.switch"), 1);
    browser.key("G");
    assert_eq!(
        browser.text("#status"),
        format!("step {n_rows} of {n_rows}")
    );
    browser.key("g");

    browser.click("#lanes tr[data-n='2'] td");
    assert_eq!(browser.text("#status"), format!("step 2 of {n_rows}"));
    browser.click("#next");
    assert_eq!(browser.text("#status"), format!("step 3 of {n_rows}"));
    browser.click("#back");
    browser.click("#conflict");
    assert_eq!(browser.count("#lanes tr.now.conflict"), 1);
    let title = browser.eval("document.querySelector('#lanes tr.now').title");
    assert!(title.as_str().unwrap().contains("a[0] = "), "{title}");
}

fn nothing_of_the_program_became_markup(browser: &mut Browser) {
    let title = browser.eval("document.title");
    assert!(
        title.as_str().unwrap().starts_with("data-race of mix in "),
        "{title}"
    );
    assert_eq!(browser.count("#owned"), 0);
    assert_eq!(browser.count("img"), 0);
    assert_eq!(browser.count("script"), 2);
    let source = browser.text("#source");
    assert!(source.contains("</script><script>document.title = 'owned'</script> \"'`${1}"));
    assert!(source.contains("größer"));
    assert!(
        browser
            .text("#title")
            .contains("<img src=x onerror=alert(1)>&'\".cu")
    );
}

fn states_are_drawn(browser: &mut Browser) {
    let head = browser.text("#graph h2");
    assert!(head.contains("states"), "{head}");
    assert!(browser.count("#graph circle") > 4);
    assert!(browser.count("#graph circle.end") >= 1);
    browser.click("#graph circle");
    assert_eq!(browser.count("#graph .picked[data-state]"), 1);
    assert!(
        browser.text("#state").contains("left by "),
        "{}",
        browser.text("#state")
    );
    // A race: its schedule is there too.
    browser.key("G");
    assert!(browser.text("#step").contains("a[0]"));
}

fn many_lanes_are_bounded(browser: &mut Browser) {
    let n_heads = browser.count("#lanes th");
    assert_eq!(
        n_heads,
        1 + 32 + 1,
        "the number, 32 lanes, and how many more"
    );
    assert!(browser.text("#lanes thead").contains("and 32 more"));
    assert!(
        browser
            .text("#why")
            .contains("for 64 threads at barrier 2, of which 32 have come")
    );
}

/// A long run makes no long page.
#[test]
fn a_page_is_bounded() {
    let dir = tempfile::tempdir().unwrap();
    let kernel = dir.path().join("long.cu");
    let text = "__global__ void k(int *a) {\n    for (int i = 0; i < 2000; i++)\n        \
                a[1 + threadIdx.x] = i;\n    a[0] = threadIdx.x;\n}\n";
    std::fs::write(&kernel, text).unwrap();
    let (witness, page) = (dir.path().join("w.json"), dir.path().join("page.html"));
    let names = [&kernel, &witness, &page].map(|path| path.to_str().unwrap().to_owned());
    let [kernel, witness, shown] = &names;
    saved(&[
        "check",
        kernel,
        "--block",
        "2",
        "--property",
        "races",
        "--save-witness",
        witness,
    ]);
    saved(&["replay", witness, "--html", shown]);
    let html = std::fs::read_to_string(&page).unwrap();
    assert!(html.contains("\"gap\":"), "something is left out");
    assert!(html.len() < 2_000_000, "{} bytes", html.len());
    assert!(html.contains("\"conflict\":true"));
}

/// A page that cannot be written is an error, and leaves nothing behind.
#[test]
fn no_half_page_is_left() {
    let dir = tempfile::tempdir().unwrap();
    let witness = dir.path().join("w.json");
    let witness = witness.to_str().unwrap();
    saved(&[
        "check",
        "tests/input/race.cu",
        "--block",
        "2",
        "--save-witness",
        witness,
    ]);
    let nowhere = dir.path().join("no-such-folder/page.html");
    let nowhere = nowhere.to_str().unwrap();
    let failed = run(&["replay", witness, "--html", nowhere, "--format", "json"]);
    assert_eq!(failed.status, 2);
    let error = &failed.json()["error"];
    assert_eq!(error["kind"], "file");
    assert_eq!(error["file"], nowhere);
    let names = std::fs::read_dir(dir.path()).unwrap();
    assert_eq!(names.count(), 1, "only the witness");
}
