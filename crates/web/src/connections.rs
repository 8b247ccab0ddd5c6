//! The connections of a small server: one thread holds them all and waits for none. A request is
//! answered by a worker when it is complete; until then, and while its answer is taken, a connection
//! costs a place in a table, has a deadline, and is the first to go when the table is full.

use crate::http::{self, Request, Response};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::resource::{Resource, getrlimit, setrlimit};
use nix::sys::socket::{Backlog, listen};
use std::collections::VecDeque;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// From the first byte of a connection to the last of its request.
const TO_ASK: Duration = Duration::from_secs(15);
/// For taking the answer, however large.
const TO_TAKE: Duration = Duration::from_secs(30);
/// For bytes that nobody wants, after the answer.
const TO_END: Duration = Duration::from_secs(1);
/// One that is younger is not thrown out for a newer one.
const GRACE: Duration = Duration::from_millis(500);
/// Files that we open ourselves.
const OWN_FILES: u64 = 64;
const MOST_OPEN: u64 = 4096;
const WORKERS: usize = 8;
/// Connections that the system keeps for us until we accept them.
const BACKLOG: i32 = 2048;

/// Answers a request; called by several threads.
pub type Answerer = dyn Fn(&Request) -> Response + Send + Sync;

enum State {
    /// What has come so far.
    Asking(Vec<u8>),
    /// A worker has it.
    Waiting,
    /// What is sent, and how far we are.
    Taking(Vec<u8>, usize),
    /// Whatever is still coming is taken and forgotten: closing a connection with unread bytes would
    /// reset it before the client has our answer.
    Ending,
}

struct Connection {
    number: u64,
    stream: TcpStream,
    state: State,
    since: Instant,
    deadline: Instant,
}

/// Requests for the workers, and their answers.
struct Workers {
    requests: Sender<(u64, Request)>,
    answers: Receiver<(u64, Vec<u8>)>,
    /// Readable when there is an answer.
    bell: UnixStream,
}

impl Workers {
    fn start(answer: &Arc<Answerer>) -> std::io::Result<Self> {
        let (requests, receiver) = channel::<(u64, Request)>();
        let (sender, answers) = channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let (bell, ringer) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        for _ in 0..WORKERS {
            let (receiver, sender) = (Arc::clone(&receiver), sender.clone());
            let (answer, mut ringer) = (Arc::clone(answer), ringer.try_clone()?);
            std::thread::spawn(move || {
                loop {
                    let next = receiver
                        .lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .recv();
                    let Ok((number, request)) = next else { return };
                    let bytes = http::to_bytes(&answer(&request), request.is_head);
                    if sender.send((number, bytes)).is_err() || ringer.write_all(&[0]).is_err() {
                        return;
                    }
                }
            });
        }
        Ok(Self {
            requests,
            answers,
            bell,
        })
    }
}

/// Serves until it is over.
pub fn serve(
    listener: &TcpListener,
    answer: &Arc<Answerer>,
    is_over: impl Fn() -> bool,
) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    // The standard library lets 128 wait; past that, clients try again after seconds.
    let waiting = Backlog::new(BACKLOG).unwrap_or(Backlog::MAXCONN);
    listen(listener, waiting)?;
    let workers = Workers::start(answer)?;
    let mut table = Table {
        connections: VecDeque::new(),
        next: 0,
        most: places(),
    };
    while !is_over() {
        table.wait(listener, &workers);
        let mut bells = [0; 512];
        while matches!((&workers.bell).read(&mut bells), Ok(n) if n > 0) {}
        while let Ok((number, bytes)) = workers.answers.try_recv() {
            table.take(number, bytes);
        }
        table.accept(listener);
        table.step(&workers);
    }
    Ok(())
}

/// How many connections may be open: as many as the system lets us, within reason.
fn places() -> usize {
    let (soft, hard) = getrlimit(Resource::RLIMIT_NOFILE).unwrap_or((256, 256));
    let wanted = hard.min(MOST_OPEN + OWN_FILES).max(soft);
    let soft = match setrlimit(Resource::RLIMIT_NOFILE, wanted, hard) {
        Ok(()) => wanted,
        Err(_) => soft,
    };
    soft.saturating_sub(OWN_FILES).clamp(16, MOST_OPEN) as usize
}

struct Table {
    /// The oldest first.
    connections: VecDeque<Connection>,
    next: u64,
    most: usize,
}

impl Table {
    /// Until something can be done, or a little while.
    fn wait(&self, listener: &TcpListener, workers: &Workers) {
        let mut watched = vec![PollFd::new(workers.bell.as_fd(), PollFlags::POLLIN)];
        if self.connections.len() < self.most || self.oldest_asking().is_some() {
            watched.push(PollFd::new(listener.as_fd(), PollFlags::POLLIN));
        }
        for connection in &self.connections {
            let wanted = match connection.state {
                State::Asking(_) | State::Ending => PollFlags::POLLIN,
                State::Taking(..) => PollFlags::POLLOUT,
                State::Waiting => continue,
            };
            watched.push(PollFd::new(connection.stream.as_fd(), wanted));
        }
        let _ = poll(&mut watched, PollTimeout::from(50u8));
    }

    /// One that has had its time and has not asked anything yet.
    fn oldest_asking(&self) -> Option<usize> {
        self.connections
            .iter()
            .position(|c| matches!(c.state, State::Asking(_)) && c.since.elapsed() >= GRACE)
    }

    fn accept(&mut self, listener: &TcpListener) {
        loop {
            if self.connections.len() >= self.most {
                match self.oldest_asking() {
                    Some(index) => drop(self.connections.remove(index)),
                    None => return,
                }
            }
            // Nobody is there, or the system has no file for us just now.
            let Ok((stream, _)) = listener.accept() else {
                return;
            };
            if stream.set_nonblocking(true).is_err() {
                continue;
            }
            let now = Instant::now();
            self.connections.push_back(Connection {
                number: self.next,
                stream,
                state: State::Asking(Vec::new()),
                since: now,
                deadline: now + TO_ASK,
            });
            self.next += 1;
        }
    }

    /// An answer is there.
    fn take(&mut self, number: u64, bytes: Vec<u8>) {
        let found = self.connections.binary_search_by_key(&number, |c| c.number);
        if let Ok(index) = found
            && let Some(connection) = self.connections.get_mut(index)
        {
            connection.state = State::Taking(bytes, 0);
            connection.deadline = Instant::now() + TO_TAKE;
        }
    }

    /// Lets every connection do what it can; those that are done or late go.
    fn step(&mut self, workers: &Workers) {
        let now = Instant::now();
        self.connections.retain_mut(|connection| {
            // What has come already is looked at first: that we were slow is not the client's fault.
            let goes_on = connection.step(workers);
            let is_late = now >= connection.deadline && !matches!(connection.state, State::Waiting);
            goes_on && !is_late
        });
    }
}

impl Connection {
    /// Whether it goes on.
    fn step(&mut self, workers: &Workers) -> bool {
        let mut buffer = [0; 4096];
        // One that sends without end does not keep the others waiting.
        for _ in 0..64 {
            match &mut self.state {
                State::Waiting => return true,
                State::Asking(bytes) => {
                    let n = match self.stream.read(&mut buffer) {
                        Ok(n) => n,
                        Err(error) => return is_only_not_now(&error),
                    };
                    bytes.extend_from_slice(&buffer[..n]);
                    match http::read_so_far(bytes, n == 0) {
                        None => {}
                        Some(Ok(request)) => {
                            self.state = State::Waiting;
                            return workers.requests.send((self.number, request)).is_ok();
                        }
                        Some(Err(status)) => {
                            let refusal = http::to_bytes(&Response::refusal(status), false);
                            self.state = State::Taking(refusal, 0);
                            self.deadline = Instant::now() + TO_END;
                        }
                    }
                }
                State::Taking(bytes, at) => {
                    match self.stream.write(&bytes[*at..]) {
                        Ok(n) => *at += n,
                        Err(error) => return is_only_not_now(&error),
                    }
                    if *at >= bytes.len() {
                        if self.stream.shutdown(Shutdown::Write).is_err() {
                            return false;
                        }
                        self.state = State::Ending;
                        self.deadline = Instant::now() + TO_END;
                    }
                }
                State::Ending => match self.stream.read(&mut buffer) {
                    Ok(0) => return false,
                    Ok(_) => {}
                    Err(error) => return is_only_not_now(&error),
                },
            }
        }
        true
    }
}

fn is_only_not_now(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
