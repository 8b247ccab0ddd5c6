//! Systems that speak in lines: a process, or a socket on this machine.
//!
//! An input is one line to the system, its output is one line back, and the line `RESET` begins anew
//! without an answer. Where there is no such line, the process is started or the connection made
//! again instead.

use super::Sul;
use idiolect_automata::{Alphabet, Letter};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream, ToSocketAddrs};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// What went wrong with a system that speaks in lines.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    #[error("cannot start `{command}`: {source}")]
    Start {
        command: String,
        source: std::io::Error,
    },
    #[error("the system ended when it got `{input}`{}", shown(complaint))]
    Ended { input: String, complaint: String },
    #[error("no output within {} s after `{input}`{}", wait.as_secs_f64(), shown(complaint))]
    Silent {
        input: String,
        wait: Duration,
        complaint: String,
    },
    #[error("the system wrote `{line}` without being asked, before it got `{input}`")]
    Unasked { line: String, input: String },
    #[error("cannot connect to {address}: {source}")]
    Connect {
        address: String,
        source: std::io::Error,
    },
    #[error("{address} is not an address of this machine")]
    NotLocal { address: String },
}

fn shown(complaint: &str) -> String {
    match complaint.trim() {
        "" => String::new(),
        text => format!("; it says: {text}"),
    }
}

/// What it means that a system says nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The system is broken.
    Error,
    /// That is its output.
    Output(String),
}

/// How long to wait for an output.
#[derive(Clone, Debug)]
struct Manners {
    wait: Duration,
    silence: Silence,
    /// Start again instead of sending `RESET`.
    restart: bool,
}

impl Default for Manners {
    fn default() -> Self {
        Self {
            wait: Duration::from_secs(5),
            silence: Silence::Error,
            restart: false,
        }
    }
}

/// One end of a conversation: lines out, and lines in as they come.
struct Talk {
    out: Box<dyn Write + Send>,
    lines: Receiver<String>,
    /// The last lines on standard error.
    complaint: Arc<Mutex<String>>,
    /// Ends when standard error does.
    listener: Option<JoinHandle<()>>,
    /// Whether an answer may still come for an input whose silence was taken as its output.
    late: bool,
}

impl Talk {
    fn new(out: Box<dyn Write + Send>, input: impl Read + Send + 'static) -> Self {
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            let mut reader = BufReader::new(input);
            let mut line = Vec::new();
            while reader.read_until(b'\n', &mut line).is_ok_and(|n| n > 0) {
                let text = String::from_utf8_lossy(&line);
                let text = text.trim_end_matches(['\n', '\r']).to_owned();
                if sender.send(text).is_err() {
                    return;
                }
                line.clear();
            }
        });
        Self {
            out,
            lines,
            complaint: Arc::default(),
            listener: None,
            late: false,
        }
    }

    fn listen_to_complaints(&mut self, errors: impl Read + Send + 'static) {
        let complaint = self.complaint.clone();
        let listener = std::thread::spawn(move || {
            for line in BufReader::new(errors).lines().map_while(Result::ok) {
                if let Ok(mut complaint) = complaint.lock() {
                    complaint.clone_from(&line);
                }
            }
        });
        self.listener = Some(listener);
    }

    fn say(&mut self, line: &str) -> std::io::Result<()> {
        self.out.write_all(format!("{line}\n").as_bytes())?;
        self.out.flush()
    }

    fn complaint(&self) -> String {
        self.complaint.lock().map_or(String::new(), |c| c.clone())
    }

    /// What a process that has ended said last, which may take a moment to arrive.
    fn last_complaint(&self) -> String {
        let mut waited = Duration::ZERO;
        while waited < TIDYING && self.listener.as_ref().is_some_and(|l| !l.is_finished()) {
            std::thread::sleep(STEP);
            waited += STEP;
        }
        self.complaint()
    }

    /// Sends an input and waits for its output. Late answers to inputs that were not waited for are dropped; any
    /// other line is one too many, and whatever comes after it would be the answer to another input.
    fn exchange(&mut self, input: &str, manners: &Manners) -> Result<String, LineError> {
        while let Ok(line) = self.lines.try_recv() {
            if !self.late {
                let input = input.to_owned();
                return Err(LineError::Unasked { line, input });
            }
        }
        let ended = |talk: &Self| LineError::Ended {
            input: input.to_owned(),
            complaint: talk.last_complaint(),
        };
        if self.say(input).is_err() {
            return Err(ended(self));
        }
        match self.lines.recv_timeout(manners.wait) {
            Ok(line) => Ok(line),
            Err(RecvTimeoutError::Disconnected) => Err(ended(self)),
            Err(RecvTimeoutError::Timeout) => match &manners.silence {
                Silence::Output(output) => {
                    self.late = true;
                    Ok(output.clone())
                }
                Silence::Error => Err(LineError::Silent {
                    input: input.to_owned(),
                    wait: manners.wait,
                    complaint: self.complaint(),
                }),
            },
        }
    }
}

/// A process that is given inputs on its standard input, run by `sh -c`.
pub struct LineProcess {
    command: String,
    alphabet: Alphabet,
    manners: Manners,
    running: Option<(Child, Talk)>,
    /// Whether the process goes on when its input has ended.
    lingers: bool,
}

impl LineProcess {
    pub fn new(command: impl Into<String>, alphabet: Alphabet) -> Self {
        Self {
            command: command.into(),
            alphabet,
            manners: Manners::default(),
            running: None,
            lingers: false,
        }
    }

    /// Starts the process again instead of sending `RESET`.
    #[must_use]
    pub fn restarting(mut self) -> Self {
        self.manners.restart = true;
        self
    }

    /// How long to wait for an output (5 s unless said otherwise), and what it means if none comes.
    #[must_use]
    pub fn waiting(mut self, wait: Duration, silence: Silence) -> Self {
        self.manners.wait = wait;
        self.manners.silence = silence;
        self
    }

    fn start(&self) -> Result<(Child, Talk), LineError> {
        let start = |source| LineError::Start {
            command: self.command.clone(),
            source,
        };
        let mut child = shell(&self.command)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(start)?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(start(std::io::ErrorKind::BrokenPipe.into()));
        };
        let stdin: ChildStdin = stdin;
        let mut talk = Talk::new(Box::new(stdin), stdout);
        if let Some(stderr) = child.stderr.take() {
            talk.listen_to_complaints(stderr);
        }
        Ok((child, talk))
    }

    fn stop(&mut self) {
        if let Some((mut child, talk)) = self.running.take() {
            drop(talk);
            // Whoever did not end once is not waited for again.
            self.lingers = self.lingers || !ends_by_itself(&mut child);
            end(child);
        }
    }
}

/// A shell that becomes the command where that is possible, so that ending it ends the command.
fn shell(command: &str) -> Command {
    let first = command.split_whitespace().next().unwrap_or_default();
    let plain = !command.contains(['&', ';', '|', '<', '>', '(', ')', '`', '$', '\n']);
    let becomes = plain && !first.contains('=') && first != "cd" && !first.is_empty();
    let command = if becomes {
        format!("exec {command}")
    } else {
        command.to_owned()
    };
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(command);
    shell
}

/// A process whose input has ended may have something to tidy up, such as a server that it started.
const TIDYING: Duration = Duration::from_millis(300);
const STEP: Duration = Duration::from_millis(2);

/// Waits until a process ends by itself, but not for long. Whether it did.
fn ends_by_itself(child: &mut Child) -> bool {
    let mut waited = Duration::ZERO;
    while waited < TIDYING {
        if !matches!(child.try_wait(), Ok(None)) {
            return true;
        }
        std::thread::sleep(STEP);
        waited += STEP;
    }
    false
}

fn end(mut child: Child) {
    // It may have ended by itself.
    let _ = child.kill();
    let _ = child.wait();
}

impl Drop for LineProcess {
    fn drop(&mut self) {
        self.stop();
    }
}

impl Sul for LineProcess {
    type Output = String;
    type Error = LineError;

    fn reset(&mut self) -> Result<(), LineError> {
        if let Some((_, talk)) = &mut self.running
            && !self.manners.restart
            && talk.say("RESET").is_ok()
        {
            return Ok(());
        }
        self.stop();
        self.running = Some(self.start()?);
        Ok(())
    }

    fn step(&mut self, input: Letter) -> Result<String, LineError> {
        let input = self.alphabet.name(input);
        match &mut self.running {
            Some((_, talk)) => talk.exchange(input, &self.manners),
            None => Err(LineError::Ended {
                input: input.to_owned(),
                complaint: String::new(),
            }),
        }
    }
}

/// A server on this machine that is given inputs over TCP.
pub struct LineSocket {
    address: SocketAddr,
    alphabet: Alphabet,
    manners: Manners,
    running: Option<(TcpStream, Talk)>,
    server: Option<Child>,
}

impl LineSocket {
    /// Only addresses of this machine are taken: learning asks for everything, in any order.
    pub fn new(address: &str, alphabet: Alphabet) -> Result<Self, LineError> {
        let found = address.to_socket_addrs();
        let mut found = found.map_err(|source| LineError::Connect {
            address: address.to_owned(),
            source,
        })?;
        let local = found.find(|found| found.ip().is_loopback());
        let address = local.ok_or_else(|| LineError::NotLocal {
            address: address.to_owned(),
        })?;
        Ok(Self {
            address,
            alphabet,
            manners: Manners::default(),
            running: None,
            server: None,
        })
    }

    /// Connects again instead of sending `RESET`.
    #[must_use]
    pub fn restarting(mut self) -> Self {
        self.manners.restart = true;
        self
    }

    /// How long to wait for an output (5 s unless said otherwise), and what it means if none comes.
    #[must_use]
    pub fn waiting(mut self, wait: Duration, silence: Silence) -> Self {
        self.manners.wait = wait;
        self.manners.silence = silence;
        self
    }

    /// Starts the server first, and ends it with this value.
    pub fn serving(mut self, command: &str) -> Result<Self, LineError> {
        let mut server = shell(command);
        server.stdin(Stdio::null()).stdout(Stdio::null());
        let server = server.spawn().map_err(|source| LineError::Start {
            command: command.to_owned(),
            source,
        })?;
        self.server = Some(server);
        Ok(self)
    }

    /// A server that was started just now may not listen yet.
    fn connect(&self) -> Result<(TcpStream, Talk), LineError> {
        let connect = |source| LineError::Connect {
            address: self.address.to_string(),
            source,
        };
        let tries = if self.server.is_some() { 100 } else { 1 };
        let mut attempt = 1;
        let stream = loop {
            match TcpStream::connect_timeout(&self.address, self.manners.wait) {
                Ok(stream) => break stream,
                Err(source) if attempt == tries => return Err(connect(source)),
                Err(_) => std::thread::sleep(Duration::from_millis(50)),
            }
            attempt += 1;
        };
        // A line is a packet; waiting for more letters would wait for ever.
        stream.set_nodelay(true).map_err(connect)?;
        let input = stream.try_clone().map_err(connect)?;
        let out = stream.try_clone().map_err(connect)?;
        Ok((stream, Talk::new(Box::new(out), input)))
    }

    fn disconnect(&mut self) {
        if let Some((stream, _)) = self.running.take() {
            // The other side may have done so already.
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
    }
}

impl Drop for LineSocket {
    fn drop(&mut self) {
        self.disconnect();
        if let Some(server) = self.server.take() {
            end(server);
        }
    }
}

impl Sul for LineSocket {
    type Output = String;
    type Error = LineError;

    fn reset(&mut self) -> Result<(), LineError> {
        if let Some((_, talk)) = &mut self.running
            && !self.manners.restart
            && talk.say("RESET").is_ok()
        {
            return Ok(());
        }
        self.disconnect();
        self.running = Some(self.connect()?);
        Ok(())
    }

    fn step(&mut self, input: Letter) -> Result<String, LineError> {
        let input = self.alphabet.name(input);
        match &mut self.running {
            Some((_, talk)) => talk.exchange(input, &self.manners),
            None => Err(LineError::Ended {
                input: input.to_owned(),
                complaint: String::new(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A conversation in which these lines have come already.
    fn talk(lines: &[&str], late: bool) -> Talk {
        let (sender, receiver) = channel();
        for line in lines {
            sender.send((*line).to_owned()).unwrap();
        }
        Talk {
            out: Box::new(std::io::sink()),
            lines: receiver,
            complaint: Arc::default(),
            listener: None,
            late,
        }
    }

    #[test]
    fn a_process_may_tidy_up_when_its_input_ends() {
        let file = std::env::temp_dir().join(format!("idiolect-tidied-{}", std::process::id()));
        let answer = "while read line; do echo x; done";
        let command = format!("{answer}; echo done > '{}'", file.display());
        let mut system = LineProcess::new(command, Alphabet::new(["a"]));
        system.reset().unwrap();
        assert_eq!(system.step(Letter(0)).unwrap(), "x");
        drop(system);
        let tidied = std::fs::remove_file(&file);
        assert!(tidied.is_ok(), "{tidied:?}");
    }

    #[test]
    fn what_a_process_said_before_it_ended_is_told() {
        for command in ["no-such-program-anywhere", "echo not found >&2; exit 1"] {
            let mut system = LineProcess::new(command, Alphabet::new(["a"]));
            system.reset().unwrap();
            let error = system.step(Letter(0)).unwrap_err().to_string();
            assert!(error.contains("not found"), "{error}");
        }
    }

    #[test]
    fn a_line_too_many_is_an_error_unless_it_may_be_late() {
        let manners = Manners::default();
        let error = talk(&["extra"], false).exchange("a", &manners).unwrap_err();
        let text = "the system wrote `extra` without being asked, before it got `a`";
        assert_eq!(error.to_string(), text);
        // The late line is dropped, and then nobody is there any more.
        let error = talk(&["extra"], true).exchange("a", &manners).unwrap_err();
        assert!(matches!(error, LineError::Ended { .. }), "{error}");
    }
}
