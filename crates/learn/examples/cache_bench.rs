//! Fills the query cache with random words and prints its size: `cache_bench WORDS LENGTH LETTERS`.
#![allow(clippy::print_stdout)]

use idiolect_automata::{Letter, Word};
use idiolect_base::Rng;
use idiolect_learn::WordMap;
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<u64> = std::env::args()
        .skip(1)
        .map(|a| a.parse())
        .collect::<Result<_, _>>()?;
    let [n, length, k] = args
        .try_into()
        .map_err(|_| "usage: cache_bench WORDS LENGTH LETTERS")?;
    let mut rng = Rng::new(1, 0);
    let mut draw = || -> Word { (0..length).map(|_| Letter(rng.below(k) as u32)).collect() };
    let mut map = WordMap::new();
    let (mut filled, mut looked_up, mut hits) = (0.0, 0.0, 0);
    // Drawing words takes longer than storing them, so they are drawn in blocks and not timed.
    const BLOCK: u64 = 100_000;
    for first in (0..n).step_by(BLOCK as usize) {
        let block: Vec<Word> = (first..n.min(first + BLOCK)).map(|_| draw()).collect();
        let start = Instant::now();
        for (i, word) in block.iter().enumerate() {
            map.insert(word, &(i % 2 == 0))?;
        }
        filled += start.elapsed().as_secs_f64();
    }
    for _ in 0..10 {
        let block: Vec<Word> = (0..BLOCK).map(|_| draw()).collect();
        let start = Instant::now();
        hits += block.iter().filter(|w| map.get(w).is_some()).count();
        looked_up += start.elapsed().as_secs_f64();
    }
    println!(
        "{} words in {filled:.1} s, 1000000 lookups in {looked_up:.1} s ({hits} hits)",
        map.len()
    );
    println!("{} MiB reserved", map.reserved_bytes() >> 20);
    println!("peak memory {} MiB", peak_mib().unwrap_or(0));
    Ok(())
}

/// The largest memory that this process had, where the system says so.
fn peak_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib >> 10)
}
