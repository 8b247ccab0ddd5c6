//! Parses preprocessed files and prints those with errors, each with its first one, and the rate.
//!
//! `cargo run --release --example parse_files -- FILE…`, or names on standard input with `-`.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use idiolect_base::SourceMap;
use idiolect_cfront::parser::{parse, with_big_stack};
use idiolect_cfront::preprocess::decode;
use idiolect_cfront::symbols::Symbols;
use std::io::BufRead;
use std::time::{Duration, Instant};

fn main() {
    let mut files: Vec<String> = std::env::args().skip(1).collect();
    if files == ["-"] {
        files = std::io::stdin()
            .lock()
            .lines()
            .map_while(Result::ok)
            .collect();
    }
    let (mut n_failed, mut n_lines, mut n_bytes) = (0, 0usize, 0usize);
    let mut time = Duration::ZERO;
    for file in &files {
        let Ok(bytes) = std::fs::read(file) else {
            println!("{file}: cannot be read");
            continue;
        };
        let text = decode(bytes);
        n_lines += text.lines().count();
        n_bytes += text.len();
        let mut map = SourceMap::new();
        let id = map.add(file, text);
        let (diagnostics, elapsed) = with_big_stack(|| {
            let start = Instant::now();
            let parsed = parse(&map, id, &mut Symbols::new());
            let elapsed = start.elapsed();
            (parsed.diagnostics, elapsed)
        });
        time += elapsed;
        if let Some(first) = diagnostics.iter().find(|d| d.is_error()) {
            n_failed += 1;
            let place = map
                .place(first.span)
                .map_or_else(String::new, |p| p.to_string());
            println!("{file}: {place}: {}", first.message);
        }
    }
    println!(
        "{} files, {n_failed} with errors, {n_lines} lines, {:.1} MB, {:.2} s in the parser: \
         {:.0} lines/s, {:.1} MB/s",
        files.len(),
        n_bytes as f64 / 1e6,
        time.as_secs_f64(),
        n_lines as f64 / time.as_secs_f64(),
        n_bytes as f64 / 1e6 / time.as_secs_f64(),
    );
}
