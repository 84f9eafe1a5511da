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
