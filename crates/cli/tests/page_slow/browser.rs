//! Chromium without a window, driven over its pipe with messages of its DevTools protocol.

use serde_json::{Value, json};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// How long a page may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// A page after the driver has clicked through it.
pub(crate) struct VisitedPage {
    pub(crate) dom: String,
    /// Messages of the console, and exceptions.
    pub(crate) messages: Vec<String>,
    /// The addresses that were requested.
    pub(crate) requests: Vec<String>,
}

struct Browser {
    process: Child,
    to: File,
    from: BufReader<File>,
    next: u64,
    seen: VisitedPage,
}

/// Opens a page in real time, until it has `data-seen`.
pub(crate) fn visit(page: &Path) -> VisitedPage {
    let folder = tempfile::tempdir().unwrap();
    let mut browser = Browser::start(folder.path());
    let target = browser.call("", "Target.createTarget", json!({ "url": "about:blank" }));
    let attach = json!({ "targetId": target["targetId"], "flatten": true });
    let session = browser.call("", "Target.attachToTarget", attach);
    let session = session["sessionId"].as_str().unwrap().to_owned();
    for domain in ["Runtime", "Log", "Network", "Page"] {
        browser.call(&session, &format!("{domain}.enable"), json!({}));
    }
    browser.call(&session, "Page.navigate", json!({ "url": format!("file://{}", page.display()) }));
    let since = Instant::now();
    loop {
        let dom = "document.body && document.body.dataset.seen ? document.documentElement.outerHTML : ''";
        let answer = browser.call(&session, "Runtime.evaluate", json!({ "expression": dom }));
        if let Some(dom) = answer["result"]["value"].as_str().filter(|dom| !dom.is_empty()) {
            browser.seen.dom = dom.to_owned();
            break;
        }
        assert!(since.elapsed() < PATIENCE, "the page did not get ready: {:?}", browser.seen.messages);
        std::thread::sleep(Duration::from_millis(50));
    }
    drop(browser.process.kill());
    drop(browser.process.wait());
    browser.seen
}

impl Browser {
    fn start(folder: &Path) -> Browser {
        let program = std::env::var("TAMIS_CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        let found = Command::new(&program).arg("--version").stderr(Stdio::null()).output();
        assert!(
            found.is_ok_and(|output| output.status.success()),
            "{program} does not start: apt-get install chromium"
        );
        let (to, from) = (folder.join("to"), folder.join("from"));
        assert!(Command::new("mkfifo").args([&to, &from]).status().unwrap().success());
        let arguments = "--headless=new --no-sandbox --disable-gpu --remote-debugging-pipe --no-first-run";
        let script = format!(
            "exec \"$0\" {arguments} --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir=\"$1/profile\" 3<\"$1/to\" 4>\"$1/from\""
        );
        let process = Command::new("sh")
            .args(["-c", &script, &program])
            .arg(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = OpenOptions::new().write(true).open(to).unwrap();
        let from = BufReader::new(File::open(from).unwrap());
        let seen = VisitedPage { dom: String::new(), messages: Vec::new(), requests: Vec::new() };
        Browser { process, to, from, next: 0, seen }
    }

    /// Calls a method, and keeps the events that come before its answer.
    fn call(&mut self, session: &str, method: &str, parameters: Value) -> Value {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": parameters });
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut bytes = Vec::new();
            let read = self.from.read_until(0, &mut bytes).unwrap();
            assert!(read > 0, "the browser ended");
            bytes.pop();
            let message: Value = serde_json::from_slice(&bytes).unwrap();
            if message["id"] == self.next {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.event(&message);
        }
    }

    fn event(&mut self, message: &Value) {
        let parameters = &message["params"];
        match message["method"].as_str().unwrap_or_default() {
            "Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded" => {
                self.seen.messages.push(parameters.to_string());
            }
            "Network.requestWillBeSent" => {
                self.seen.requests.extend(parameters["request"]["url"].as_str().map(str::to_owned));
            }
            _ => {}
        }
    }
}
