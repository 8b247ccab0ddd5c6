//! A small client of the DevTools protocol over Chromium's two pipes: enough to open a page, press
//! keys, click, look and take pictures. See `docs/decisions/browser-tests.md`.

use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

pub struct Browser {
    process: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    next_id: u64,
    session: String,
    /// What the page complained about, and what it tried to load.
    pub complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

/// What failed, in words; a test shows it and ends.
pub type Answer<T> = Result<T, String>;

/// Whether there is a Chromium to test with. In CI there has to be one.
#[allow(clippy::print_stderr)]
pub fn is_there() -> bool {
    let found = Command::new("chromium").arg("--version").output().is_ok();
    if !found {
        assert!(
            std::env::var_os("CI").is_none(),
            "CI has to have Chromium: run `cargo xtask setup`"
        );
        eprintln!("SKIPPED: no `chromium` on this machine; `cargo xtask setup` installs it");
    }
    found
}

impl Browser {
    pub fn start() -> Answer<Self> {
        let profile = tempfile::tempdir().map_err(|e| e.to_string())?;
        // The shell hands the pipes on as descriptors 3 and 4, where Chromium expects them.
        let mut process = Command::new("sh")
            .args([
                "-c",
                "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null",
                "sh",
                "chromium",
            ])
            .args([
                "--headless",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--force-color-profile=srgb",
            ])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|e| format!("cannot start Chromium: {e}"))?;
        let (to, from) = (process.stdin.take(), process.stdout.take());
        let (to, from) = to.zip(from).ok_or("Chromium has no pipes")?;
        let mut browser = Self {
            process,
            to,
            from: BufReader::new(from),
            next_id: 0,
            session: String::new(),
            complaints: Vec::new(),
            _profile: profile,
        };
        let target = browser.ask("Target.createTarget", json!({ "url": "about:blank" }))?;
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.ask("Target.attachToTarget", attach)?;
        browser.session = session["sessionId"].as_str().unwrap_or("").to_owned();
        for domain in [
            "Page.enable",
            "Runtime.enable",
            "Log.enable",
            "Network.enable",
        ] {
            browser.ask(domain, json!({}))?;
        }
        Ok(browser)
    }

    /// Sends a command and waits for its answer; events on the way are noted.
    pub fn ask(&mut self, method: &str, params: Value) -> Answer<Value> {
        self.next_id += 1;
        let id = self.next_id;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.to
            .write_all(format!("{message}\0").as_bytes())
            .and_then(|()| self.to.flush())
            .map_err(|e| format!("{method}: {e}"))?;
        loop {
            let message = self.receive()?;
            if message["id"] == json!(id) {
                return match message["error"]["message"].as_str() {
                    Some(error) => Err(format!("{method}: {error}")),
                    None => Ok(message["result"].clone()),
                };
            }
            self.note(&message);
        }
    }

    fn receive(&mut self) -> Answer<Value> {
        let mut bytes = Vec::new();
        self.from
            .read_until(0, &mut bytes)
            .map_err(|e| e.to_string())?;
        if bytes.pop() != Some(0) {
            return Err("Chromium ended".to_owned());
        }
        serde_json::from_slice(&bytes).map_err(|e| e.to_string())
    }

    fn note(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str().unwrap_or("") {
            "Runtime.exceptionThrown" => {
                self.complaints.push(params["exceptionDetails"].to_string())
            }
            "Runtime.consoleAPICalled" if params["type"] == "error" => {
                self.complaints.push(params["args"].to_string());
            }
            "Log.entryAdded" if params["entry"]["level"] == "error" => {
                self.complaints.push(params["entry"]["text"].to_string());
            }
            "Network.requestWillBeSent" => {
                let url = params["request"]["url"].as_str().unwrap_or("");
                if !url.starts_with("file:") && !url.starts_with("data:") {
                    self.complaints.push(format!("it loads {url}"));
                }
            }
            _ => {}
        }
    }

    /// Opens a file and waits until its script has run.
    pub fn open(&mut self, file: &Path) -> Answer<()> {
        let url = format!("file://{}", file.display());
        self.ask("Page.navigate", json!({ "url": url }))?;
        loop {
            let message = self.receive()?;
            self.note(&message);
            if message["method"] == "Page.loadEventFired" {
                return Ok(());
            }
        }
    }

    /// Width and height in CSS pixels, and the colour scheme.
    pub fn set_screen(&mut self, width: u32, height: u32, scheme: &str) -> Answer<()> {
        let screen = json!({ "width": width, "height": height, "deviceScaleFactor": 1,
                             "mobile": width < 600 });
        self.ask("Emulation.setDeviceMetricsOverride", screen)?;
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.ask(
            "Emulation.setEmulatedMedia",
            json!({ "features": features }),
        )?;
        Ok(())
    }

    /// The value of an expression.
    pub fn value(&mut self, expression: &str) -> Answer<Value> {
        let params =
            json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let result = self.ask("Runtime.evaluate", params)?;
        match result.get("exceptionDetails") {
            Some(details) => Err(format!("{expression}: {details}")),
            None => Ok(result["result"]["value"].clone()),
        }
    }

    pub fn text(&mut self, selector: &str) -> Answer<String> {
        let found = self.value(&format!(
            "document.querySelector({selector:?})?.textContent"
        ))?;
        let text = found.as_str().ok_or(format!("there is no {selector}"))?;
        Ok(text.to_owned())
    }

    pub fn count(&mut self, selector: &str) -> Answer<u64> {
        let found = self.value(&format!("document.querySelectorAll({selector:?}).length"))?;
        found.as_u64().ok_or("not a number".to_owned())
    }

    /// A key press as a keyboard makes it.
    pub fn press(&mut self, key: &str) -> Answer<()> {
        // What the browser itself does on a key goes by its number.
        let number = if key == "Tab" { 9 } else { 0 };
        for kind in ["keyDown", "keyUp"] {
            self.ask(
                "Input.dispatchKeyEvent",
                json!({ "type": kind, "key": key, "windowsVirtualKeyCode": number }),
            )?;
        }
        Ok(())
    }

    /// A click of the mouse at the middle of an element, which is scrolled into view first.
    pub fn click(&mut self, selector: &str) -> Answer<()> {
        let middle = self.value(&format!(
            "(() => {{ const node = document.querySelector({selector:?}); if (!node) return null;
               node.scrollIntoView({{ block: 'center' }});
               const box = node.getBoundingClientRect();
               return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ))?;
        let at = middle.as_array().ok_or(format!("there is no {selector}"))?;
        self.mouse("mouseMoved", at, 0)?;
        self.mouse("mousePressed", at, 1)?;
        self.mouse("mouseReleased", at, 1)
    }

    /// Moves the mouse over the middle of an element.
    pub fn hover(&mut self, selector: &str) -> Answer<()> {
        let middle = self.value(&format!(
            "(() => {{ const box = document.querySelector({selector:?}).getBoundingClientRect();
               return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        ))?;
        let at = middle.as_array().ok_or(format!("there is no {selector}"))?;
        self.mouse("mouseMoved", at, 0)
    }

    fn mouse(&mut self, kind: &str, at: &[Value], clicks: u32) -> Answer<()> {
        let button = if clicks > 0 { "left" } else { "none" };
        let params = json!({ "type": kind, "x": at[0], "y": at[1], "button": button,
                             "clickCount": clicks });
        self.ask("Input.dispatchMouseEvent", params).map(drop)
    }

    /// A picture of the screen, or of the whole page.
    pub fn picture(&mut self, file: &Path, is_whole: bool) -> Answer<()> {
        let params = json!({ "format": "png", "captureBeyondViewport": is_whole });
        let shot = self.ask("Page.captureScreenshot", params)?;
        let data = shot["data"].as_str().ok_or("no picture")?;
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        }
        std::fs::write(file, from_base64(data)).map_err(|e| e.to_string())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn from_base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut buffer, mut bits) = (0u32, 0);
    for digit in text.bytes() {
        let Some(value) = DIGITS.iter().position(|&d| d == digit) else {
            continue;
        };
        buffer = buffer << 6 | value as u32;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((buffer >> bits) as u8);
            buffer &= (1 << bits) - 1;
        }
    }
    bytes
}
