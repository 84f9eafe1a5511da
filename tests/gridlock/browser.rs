//! A headless browser, driven over a pipe with the Chrome DevTools Protocol
//! (<https://chromedevtools.github.io/devtools-protocol/>: messages are JSON objects, each ended by
//! a zero byte).

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Longest wait for an answer.
const TIME_LIMIT: Duration = Duration::from_secs(60);

pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: String,
    n_sent: u64,
    /// What went wrong in pages, and what they asked for.
    pub exceptions: Vec<String>,
    pub requests: Vec<String>,
    profile: TempDir,
}

/// The browser to use. There is no test without one.
fn program() -> String {
    if let Ok(named) = std::env::var("GRIDLOCK_BROWSER") {
        return named;
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
    ];
    let found = names
        .iter()
        .find(|name| std::env::split_paths(&path).any(|dir| dir.join(name).is_file()));
    found.map_or_else(
        || {
            panic!(
                "no browser: this test opens a page in one. Install the Debian package chromium \
                 (scripts/bootstrap.sh does), or name a browser in GRIDLOCK_BROWSER; looked on \
                 PATH for {}",
                names.join(", ")
            )
        },
        |name| (*name).to_owned(),
    )
}

impl Browser {
    pub fn start() -> Browser {
        let program = program();
        let profile = TempDir::new().unwrap();
        let said = std::fs::File::create(profile.path().join("said")).unwrap();
        // The browser reads descriptor 3 and writes descriptor 4.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 </dev/null >/dev/null"])
            .arg(&program)
            .args(["--headless", "--no-sandbox", "--disable-gpu"])
            .args(["--disable-dev-shm-usage", "--no-first-run", "--mute-audio"])
            .args(["--disable-extensions", "--disable-background-networking"])
            .args(["--remote-debugging-pipe", "--window-size=1200,900"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(said)
            .spawn()
            .unwrap();
        let (sender, from) = channel();
        let mut answers = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            while answers.read_until(0, &mut bytes).is_ok_and(|n| n > 0) {
                bytes.pop();
                let message = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
                if sender.send(message).is_err() {
                    return;
                }
                bytes.clear();
            }
        });
        let mut browser = Browser {
            to: child.stdin.take().unwrap(),
            child,
            from,
            session: String::new(),
            n_sent: 0,
            exceptions: Vec::new(),
            requests: Vec::new(),
            profile,
        };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.ask("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page.enable", "Runtime.enable", "Network.enable"] {
            browser.ask(domain, json!({}));
        }
        browser
    }

    /// Sends a command and waits for its result.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        self.n_sent += 1;
        let mut message = json!({ "id": self.n_sent, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.to
            .write_all(format!("{message}\0").as_bytes())
            .unwrap();
        self.to.flush().unwrap();
        let end = Instant::now() + TIME_LIMIT;
        loop {
            let rest = end.saturating_duration_since(Instant::now());
            let Ok(found) = self.from.recv_timeout(rest) else {
                let said = std::fs::read_to_string(self.profile.path().join("said"));
                panic!(
                    "the browser does not answer {method}: {}",
                    said.unwrap_or_default()
                );
            };
            if found["id"] == self.n_sent {
                assert!(found.get("error").is_none(), "{method}: {found}");
                return found["result"].clone();
            }
            self.note(&found);
        }
    }

    fn note(&mut self, event: &Value) {
        let params = &event["params"];
        match event["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                self.exceptions.push(params["exceptionDetails"].to_string());
            }
            Some("Network.requestWillBeSent") => {
                let url = params["request"]["url"].as_str().unwrap_or_default();
                self.requests.push(url.to_owned());
            }
            _ => {}
        }
    }

    /// Opens a page and waits until its script has run.
    pub fn open(&mut self, page: &Path) {
        let page = page.canonicalize().unwrap();
        self.ask(
            "Page.navigate",
            json!({ "url": format!("file://{}", page.display()) }),
        );
        let end = Instant::now() + TIME_LIMIT;
        let ready = "document.body ? document.body.dataset.ready || '' : ''";
        while self.eval(ready) != "yes" {
            assert!(
                Instant::now() < end,
                "the page is not ready: {:?}",
                self.exceptions
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// The value of an expression in the page.
    pub fn eval(&mut self, expression: &str) -> Value {
        let asked = json!({ "expression": expression, "returnByValue": true });
        let result = self.ask("Runtime.evaluate", asked);
        let wrong = result.get("exceptionDetails");
        assert!(wrong.is_none(), "{expression}: {result}");
        result["result"]["value"].clone()
    }

    /// The text of the first element a selector names.
    pub fn text(&mut self, selector: &str) -> String {
        let selector = json!(selector);
        let found = self.eval(&format!("document.querySelector({selector})?.textContent"));
        found
            .as_str()
            .unwrap_or_else(|| panic!("no {selector}"))
            .to_owned()
    }

    pub fn count(&mut self, selector: &str) -> u64 {
        let selector = json!(selector);
        let found = self.eval(&format!("document.querySelectorAll({selector}).length"));
        found.as_u64().unwrap()
    }

    /// Makes the window so large, in pixels.
    pub fn resize(&mut self, width: u32, height: u32) {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.ask("Emulation.setDeviceMetricsOverride", size);
    }

    /// Whether pages are asked to be dark.
    pub fn prefers_dark(&mut self, dark: bool) {
        let value = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": value }]);
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        );
    }

    /// Clicks with the mouse on the middle of an element.
    pub fn click(&mut self, selector: &str) {
        let quoted = json!(selector);
        let place = self.eval(&format!(
            "(() => {{ const e = document.querySelector({quoted}); \
             e.scrollIntoView({{block: 'center'}}); const r = e.getBoundingClientRect(); \
             return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({
                "type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1
            });
            self.ask("Input.dispatchMouseEvent", event);
        }
    }

    /// Presses a key: `n`, `ArrowDown`, `Home`.
    pub fn key(&mut self, key: &str) {
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key });
            if kind == "keyDown" && key.chars().count() == 1 {
                event["text"] = json!(key);
            }
            self.ask("Input.dispatchKeyEvent", event);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The tests are over; a browser that is gone already is as good.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
