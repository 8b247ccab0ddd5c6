//! Interactions a second on one core, on a synthetic trace of a server.
//!
//! `cargo run --release -p idiolect-mine --example throughput -- 10000000`
//!
//! Prints for 10^5, 10^6, … interactions the time of annotating, extracting and standardizing alone,
//! and that of the whole way from text, in seconds of processor time.

#![allow(clippy::print_stdout)] // A benchmark's result is what it prints.

use idiolect_automata::Letter;
use idiolect_base::{Budget, Rng};
use idiolect_learn::passive::{Agreement, PrefixTree, SkStrings};
use idiolect_mine::trace::TraceFormat;
use idiolect_mine::{
    Api, ApiVocabulary, CountedScenarios, Extractor, Interaction, Strings, count_trace,
    for_each_run,
};
use std::collections::BTreeMap;
use std::io::{self, BufRead, Read};

/// A server with up to 50 connections at a time, as text that is made while it is read.
struct Server {
    rng: Rng,
    left: u64,
    started: bool,
    /// Descriptor and rounds to go; a round is a read and a write.
    connections: Vec<(u32, u32)>,
    free: Vec<u32>,
    buffer: Vec<u8>,
    at: usize,
}

impl Server {
    fn new(interactions: u64) -> Self {
        Self {
            rng: Rng::new(0, 0),
            left: interactions,
            started: false,
            connections: Vec::new(),
            free: (4..54).rev().collect(),
            buffer: Vec::new(),
            at: 0,
        }
    }

    fn refill(&mut self) {
        use std::io::Write as _;
        self.buffer.clear();
        self.at = 0;
        if !self.started {
            self.started = true;
            self.buffer.extend_from_slice(
                b"socket(domain = 2, type = 1, proto = 0, return = 3)\n\
                  bind(so = 3, addr = 0x400120, addr_len = 6, return = 0)\n\
                  listen(so = 3, backlog = 5, return = 0)\n",
            );
            self.left = self.left.saturating_sub(3);
        }
        while self.left > 0 && self.buffer.len() < 1 << 16 {
            self.left -= 1;
            let accept = self.connections.is_empty() || self.rng.chance(1, 6);
            if let (true, Some(fd)) = (accept && !self.free.is_empty(), self.free.last().copied()) {
                self.free.pop();
                let rounds = 2 * (1 + self.rng.below(4) as u32);
                self.connections.push((fd, rounds));
                let _ = writeln!(
                    self.buffer,
                    "accept(so = 3, addr = 0x400200, addr_len = 0x400240, return = {fd})"
                );
                continue;
            }
            let which = self.rng.below(self.connections.len() as u64) as usize;
            let (fd, rounds) = &mut self.connections[which];
            let fd = *fd;
            let line = match *rounds {
                0 => {
                    self.connections.swap_remove(which);
                    self.free.push(fd);
                    format!("close(fd = {fd}, return = 0)\n")
                }
                n => {
                    *rounds -= 1;
                    let call = if n % 2 == 0 { "read" } else { "write" };
                    format!("{call}(fd = {fd}, buf = 0x400320, len = 255, return = 12)\n")
                }
            };
            self.buffer.extend_from_slice(line.as_bytes());
        }
    }
}

impl Read for Server {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let n = available.len().min(out.len());
        out[..n].copy_from_slice(&available[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Server {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.buffer.len() {
            self.refill();
        }
        Ok(&self.buffer[self.at..])
    }

    fn consume(&mut self, n: usize) {
        self.at += n;
    }
}

/// A program that keeps a thousand blocks, each with an address of its own; all are one run.
struct Blocks {
    next: u64,
    left: u64,
    buffer: Vec<u8>,
    at: usize,
}

impl Blocks {
    fn new(interactions: u64) -> Self {
        Self {
            next: 1000,
            left: interactions / 2,
            buffer: Vec::new(),
            at: 0,
        }
    }
}

impl Read for Blocks {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let available = self.fill_buf()?;
        let n = available.len().min(out.len());
        out[..n].copy_from_slice(&available[..n]);
        self.consume(n);
        Ok(n)
    }
}

impl BufRead for Blocks {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        use std::io::Write as _;
        if self.at == self.buffer.len() {
            self.buffer.clear();
            self.at = 0;
            while self.left > 0 && self.buffer.len() < 1 << 16 {
                self.left -= 1;
                let (new, old) = (self.next * 16, (self.next - 1000) * 16);
                self.next += 1;
                let _ = write!(
                    self.buffer,
                    "malloc(size = 8, return = 0x{new:x})\nfree(block = 0x{old:x})\n"
                );
            }
        }
        Ok(&self.buffer[self.at..])
    }

    fn consume(&mut self, n: usize) {
        self.at += n;
    }
}

/// Seconds that this thread has been on a processor; other work on the machine does not count.
fn processor_time() -> f64 {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = text.split_whitespace().next().and_then(|n| n.parse().ok());
    let nanoseconds: f64 = nanoseconds.unwrap_or(f64::NAN);
    nanoseconds / 1e9
}

fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:"));
    let kib = line.and_then(|l| l.split_whitespace().nth(1)?.parse::<u64>().ok());
    kib.unwrap_or(0) / 1024
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let largest: u64 = std::env::args()
        .nth(1)
        .map_or(Ok(1_000_000), |n| n.parse())?;
    let api = Api::shipped("socket").ok_or("the API file is shipped")?;
    let vocabulary = ApiVocabulary::new(&api, &[]);
    println!("interactions  text to strings          peak MiB  scenarios  distinct");
    let mut missed = Vec::new();
    let mut n = 100_000;
    while n <= largest {
        let start = processor_time();
        let budget = Budget::unlimited();
        let (mut counts, summary) = count_trace(
            &vocabulary,
            10,
            Server::new(n),
            TraceFormat::Text,
            "server",
            &budget,
        )?;
        let types = counts.typing().types(&vocabulary);
        let strings = Strings::new(&vocabulary, &types, &mut counts);
        let seconds = processor_time() - start;
        println!(
            "{n:12}  {seconds:8.3} s  {:8.3} M/s  {:8}  {:9}  {:8}",
            n as f64 / seconds / 1e6,
            peak_memory(),
            strings.total(),
            strings.strings.len()
        );
        if (n as f64) < 1e6 * seconds {
            missed.push("a million interactions a second");
        }
        assert_eq!(summary.skipped.count, 0, "the generator writes good lines");
        n *= 10;
    }
    if peak_memory() > 500 {
        missed.push("memory under 500 MiB");
    }
    println!(
        "interactions  blocks that come and go, all with new addresses: peak MiB before, after"
    );
    let api = Api::shipped("malloc").ok_or("the API file is shipped")?;
    let blocks_vocabulary = ApiVocabulary::new(&api, &[]);
    let before = peak_memory();
    let start = processor_time();
    let blocks = Blocks::new(largest);
    let budget = Budget::unlimited();
    let (counts, _) = count_trace(
        &blocks_vocabulary,
        10,
        blocks,
        TraceFormat::Text,
        "server",
        &budget,
    )?;
    println!(
        "{largest:12}  {:8.3} s  {before} {}  {} scenarios",
        processor_time() - start,
        peak_memory(),
        counts.total()
    );
    if peak_memory() > 500 {
        missed.push("memory in proportion to live objects");
    }
    println!("interactions  annotate, extract, standardize (one core, interactions in memory)");
    let mut n = 100_000;
    while n <= largest.min(1_000_000) {
        let mut run: Vec<Interaction> = Vec::new();
        for_each_run(
            &vocabulary,
            Server::new(n),
            TraceFormat::Text,
            &Budget::unlimited(),
            |more| run.extend(more),
        )?;
        let start = processor_time();
        let mut counts = CountedScenarios::new(&vocabulary);
        let mut extractor = Extractor::new(&vocabulary, 10);
        for interaction in run {
            extractor.add(interaction, &mut counts);
        }
        extractor.end_run(&mut counts);
        let types = counts.typing().types(&vocabulary);
        let strings = Strings::new(&vocabulary, &types, &mut counts);
        let seconds = processor_time() - start;
        println!(
            "{n:12}  {seconds:8.3} s  {:8.3} M/s  {} strings",
            n as f64 / seconds / 1e6,
            strings.strings.len()
        );
        n *= 10;
    }
    if learn_from_many_strings() > 5.0 {
        missed.push("sk-strings in five seconds");
    }
    if missed.is_empty() {
        Ok(())
    } else {
        Err(format!("missed: {}", missed.join(", ")).into())
    }
}

/// sk-strings on 10^5 strings, 2000 of them distinct: connections with many kinds of rounds.
/// The seconds it took.
fn learn_from_many_strings() -> f64 {
    let mut rng = Rng::new(1, 0);
    let mut words: BTreeMap<Vec<Letter>, u64> = BTreeMap::new();
    while words.len() < 2000 {
        let mut word: Vec<Letter> = (0..4).map(Letter).collect();
        let rounds = rng.below(14);
        word.extend((0..rounds).map(|_| Letter(4 + rng.below(4) as u32)));
        word.push(Letter(8));
        words.entry(word).or_insert(50);
    }
    let words: Vec<(Vec<Letter>, u64)> = words.into_iter().collect();
    let total: u64 = words.iter().map(|(_, count)| count).sum();
    let start = processor_time();
    let tree = PrefixTree::of_words(9, &words);
    let learner = SkStrings {
        k: 2,
        s: 0.5,
        agreement: Agreement::And,
    };
    let pfsa = learner.learn(&tree);
    let seconds = processor_time() - start;
    println!(
        "sk-strings on {total} strings, {} distinct: {seconds:.3} s, {} states",
        words.len(),
        pfsa.n_states()
    );
    seconds
}
