//! Traces from several sources, counted in parallel and merged.

use crate::counts::Counts;
use crate::extract::Extractor;
use crate::trace::{Event, Format, Record, Skipped, TraceReader};
use crate::vocabulary::{Interaction, Vocabulary};
use idiolect_base::{Budget, StopReason};
use std::io::{self, BufRead};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Why a trace was not read to its end.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    #[error(transparent)]
    Read(#[from] io::Error),
    #[error("{0}")]
    Stopped(StopReason),
}

impl From<StopReason> for TraceError {
    fn from(reason: StopReason) -> Self {
        Self::Stopped(reason)
    }
}

/// Counts the scenarios of one trace, which is read once and not kept.
pub fn count_trace(
    vocabulary: &Vocabulary,
    size: usize,
    reader: impl BufRead,
    format: Format,
    budget: &Budget,
) -> Result<(Counts, Skipped), TraceError> {
    let mut trace = TraceReader::new(reader, format);
    let mut record = Record::default();
    let mut counts = Counts::new(vocabulary);
    let mut extractor = Extractor::new(vocabulary, size);
    let mut lines = 0u64;
    loop {
        match trace.read(&mut record)? {
            Event::EndOfTrace => break,
            Event::EndOfRun => extractor.end_run(&mut counts),
            Event::Interaction => match vocabulary.interaction(&record) {
                Some(interaction) => extractor.add(interaction, &mut counts),
                None => counts.unknown_calls += 1,
            },
        }
        lines += 1;
        if lines.is_multiple_of(4096) {
            budget.spend(4096)?;
        }
    }
    extractor.end_run(&mut counts);
    counts.settle(vocabulary);
    Ok((counts, trace.skipped().clone()))
}

/// The runs of a trace, one after the other, each as a whole.
pub fn for_each_run(
    vocabulary: &Vocabulary,
    reader: impl BufRead,
    format: Format,
    mut with: impl FnMut(Vec<Interaction>),
) -> io::Result<Skipped> {
    let mut trace = TraceReader::new(reader, format);
    let mut record = Record::default();
    let mut run = Vec::new();
    loop {
        match trace.read(&mut record)? {
            Event::EndOfTrace => break,
            Event::EndOfRun => with(std::mem::take(&mut run)),
            Event::Interaction => run.extend(vocabulary.interaction(&record)),
        }
    }
    with(run);
    Ok(trace.skipped().clone())
}

/// Does something with each item on several threads; the results are in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(
    items: &[T],
    threads: usize,
    work: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::with_capacity(items.len()));
    let labor = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(at) else {
                break;
            };
            let result = work(item);
            // A thread that panicked ends the scope with its panic anyway.
            let mut results = results.lock().unwrap_or_else(|e| e.into_inner());
            results.push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.min(items.len()).max(1) {
            scope.spawn(labor);
        }
        labor();
    });
    let mut results = results.into_inner().unwrap_or_else(|e| e.into_inner());
    results.sort_by_key(|(at, _)| *at);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::{count_trace, in_parallel};
    use crate::counts::Counts;
    use crate::testing::{FIGURE_2, count_text, socket};
    use crate::trace::Format;
    use idiolect_base::Budget;

    #[test]
    fn parallel_counts_are_those_of_one_thread() {
        let vocabulary = socket("accept(so, return)");
        let texts: Vec<String> = (0..20)
            .map(|i| FIGURE_2.lines().take(i).map(|l| format!("{l}\n")).collect())
            .collect();
        let count = |text: &String| {
            let counted = count_trace(
                &vocabulary,
                10,
                text.as_bytes(),
                Format::Text,
                &Budget::unlimited(),
            );
            counted.expect("reading memory does not fail").0
        };
        let mut merged = Counts::new(&vocabulary);
        for counts in in_parallel(&texts, 4, count) {
            merged.merge(counts, &vocabulary);
        }
        let mut one = count_text(&vocabulary, &texts.join("--\n"), 10);
        assert_eq!(merged.write(&vocabulary), one.write(&vocabulary));
    }
}
