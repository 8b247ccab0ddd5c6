//! A server on a socket: this program serves a small mailbox, and learns it over TCP.
#![allow(clippy::print_stdout)]

use idiolect_automata::Alphabet;
use idiolect_automata::formats::dot;
use idiolect_learn::sul::{LineSocket, RunCache, SulOracle};
use idiolect_learn::{Learner, Ttt, WpMethod, learn};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;

/// HELO, MAIL, DATA and QUIT have to come in this order.
fn serve(listener: &TcpListener) -> std::io::Result<()> {
    for stream in listener.incoming() {
        let mut stream = stream?;
        let mut state = 0;
        for line in BufReader::new(stream.try_clone()?).lines() {
            let answer = match (line?.as_str(), state) {
                ("RESET", _) => {
                    state = 0;
                    continue;
                }
                ("HELO", 0) => (1, "250 hello"),
                ("MAIL", 1) => (2, "250 ok"),
                ("DATA", 2) => (1, "354 send it"),
                ("QUIT", 1..) => (3, "221 bye"),
                (_, 3) => (3, "closed"),
                (_, other) => (other, "503 bad sequence"),
            };
            state = answer.0;
            writeln!(stream, "{}", answer.1)?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    std::thread::spawn(move || serve(&listener));
    let alphabet = Alphabet::new(["HELO", "MAIL", "DATA", "QUIT"]);
    let socket = LineSocket::new(&address, alphabet.clone())?;
    let system = RefCell::new(RunCache::new(SulOracle::new(socket), alphabet.len()));
    let mut learner = Ttt::for_mealy(alphabet.len(), &mut &system)?;
    learn(&mut learner, &mut &system, &mut WpMethod::new(&system, 1))?;
    print!("{}", dot::write_mealy(learner.hypothesis(), &alphabet));
    Ok(())
}
