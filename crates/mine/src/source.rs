//! Traces from several sources, counted in parallel and merged.

use crate::counts::CountedScenarios;
use crate::extract::Extractor;
use crate::lives::LifeCounter;
use crate::trace::{RunNotes, Skipped, TraceFormat, TraceItem, TraceReader, TraceRecord};
use crate::vocabulary::{ApiVocabulary, Interaction};
use idiolect_base::{Budget, StopReason};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What there is to say about a trace that was read.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// Lines of any kind.
    pub lines: u64,
    pub skipped: Skipped,
    /// Lines that are calls.
    pub calls: u64,
    /// Runs with at least one call.
    pub runs: u64,
    /// Calls that the API does not have.
    pub unknown_calls: u64,
    /// The first few of their names.
    pub unknown_names: Vec<String>,
    /// Why it was not read to its end. What was not is no part of anything.
    #[serde(skip)]
    pub stopped: Option<StopReason>,
}

/// So many names of unknown calls are kept.
const MOST_NAMES: usize = 5;

impl Summary {
    /// Adds what there is to say about the piece of the same trace that follows.
    pub fn append(&mut self, next: Self) {
        self.skipped.append(next.skipped, self.lines);
        self.lines = self.lines.saturating_add(next.lines);
        self.calls = self.calls.saturating_add(next.calls);
        self.runs = self.runs.saturating_add(next.runs);
        self.unknown_calls = self.unknown_calls.saturating_add(next.unknown_calls);
        for name in next.unknown_names {
            self.note_unknown(name);
        }
        self.stopped = self.stopped.or(next.stopped);
    }

    fn note_unknown(&mut self, name: String) {
        if self.unknown_names.len() < MOST_NAMES && !self.unknown_names.contains(&name) {
            self.unknown_names.push(name);
        }
    }
}

/// A call, or the end of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CallOrEnd {
    Interaction(Interaction),
    /// With what the trace says about the run that ends.
    EndOfRun(RunNotes),
}

/// Reads a trace in terms of a vocabulary, until its end or that of the budget. The last item is the
/// end of a run.
pub fn for_each_item(
    vocabulary: &ApiVocabulary,
    reader: impl BufRead,
    format: TraceFormat,
    budget: &Budget,
    mut with: impl FnMut(CallOrEnd),
) -> io::Result<Summary> {
    let mut trace = TraceReader::new(reader, format);
    let mut record = TraceRecord::default();
    let mut summary = Summary::default();
    let mut is_empty = true;
    loop {
        match trace.read(&mut record)? {
            TraceItem::EndOfTrace => break,
            TraceItem::EndOfRun => {
                summary.runs += u64::from(!is_empty);
                is_empty = true;
                with(CallOrEnd::EndOfRun(trace.notes().clone()));
            }
            TraceItem::Interaction => {
                is_empty = false;
                summary.calls += 1;
                match vocabulary.interaction(&record) {
                    Some(mut interaction) => {
                        interaction.is_inherited |= trace.notes().is_inherited;
                        with(CallOrEnd::Interaction(interaction));
                    }
                    None => {
                        summary.unknown_calls += 1;
                        if summary.unknown_names.len() < MOST_NAMES {
                            let name = String::from_utf8_lossy(record.call()).into_owned();
                            summary.note_unknown(name);
                        }
                    }
                }
                if summary.calls.is_multiple_of(4096)
                    && let Err(reason) = budget.spend(4096)
                {
                    summary.stopped = Some(reason);
                    break;
                }
            }
        }
    }
    summary.runs += u64::from(!is_empty);
    summary.skipped = trace.skipped().clone();
    summary.lines = trace.n_lines();
    let mut notes = trace.notes().clone();
    // What was not read would have said how objects end.
    notes.is_cut |= summary.stopped.is_some();
    with(CallOrEnd::EndOfRun(notes));
    Ok(summary)
}

/// Counts the scenarios and lives of one trace, which is read once and not kept. Runs that do not say
/// of which program they are, are of the one that is `named`.
pub fn count_trace(
    vocabulary: &ApiVocabulary,
    size: usize,
    reader: impl BufRead,
    format: TraceFormat,
    named: &str,
    budget: &Budget,
) -> io::Result<(CountedScenarios, Summary)> {
    let mut counts = CountedScenarios::new(vocabulary);
    let mut extractor = Extractor::new(vocabulary, size);
    let mut lives = LifeCounter::new(vocabulary);
    let summary = for_each_item(vocabulary, reader, format, budget, |item| match item {
        CallOrEnd::EndOfRun(notes) => {
            extractor.end_run(&mut counts);
            lives.end_run(notes.program.as_deref().unwrap_or(named), notes.is_cut);
        }
        CallOrEnd::Interaction(interaction) => {
            lives.add(&interaction);
            extractor.add(interaction, &mut counts);
        }
    })?;
    counts.runs += summary.runs;
    counts.calls += summary.calls;
    counts.skipped_lines += summary.skipped.count;
    counts.unknown_calls += summary.unknown_calls;
    counts.lives.merge(lives.finish());
    counts.settle(vocabulary);
    Ok((counts, summary))
}

/// Where in the source the calls of these lines are, as far as the trace says so.
pub fn places(
    reader: impl BufRead,
    format: TraceFormat,
    lines: &BTreeSet<u64>,
) -> io::Result<BTreeMap<u64, String>> {
    let mut trace = TraceReader::new(reader, format);
    let mut record = TraceRecord::default();
    let mut found = BTreeMap::new();
    let last = lines.last().copied().unwrap_or(0);
    loop {
        match trace.read(&mut record)? {
            TraceItem::EndOfTrace => break,
            TraceItem::EndOfRun => {}
            TraceItem::Interaction => {
                if lines.contains(&record.line)
                    && let Some(place) = record.value_of(b"at")
                {
                    let place = String::from_utf8_lossy(place);
                    found.insert(record.line, place.trim_matches('"').to_owned());
                }
            }
        }
        if trace.n_lines() > last {
            break;
        }
    }
    Ok(found)
}

/// The runs of a trace, one after the other, each as a whole.
pub fn for_each_run(
    vocabulary: &ApiVocabulary,
    reader: impl BufRead,
    format: TraceFormat,
    budget: &Budget,
    mut with: impl FnMut(Vec<Interaction>),
) -> io::Result<Summary> {
    let mut run = Vec::new();
    for_each_item(vocabulary, reader, format, budget, |item| match item {
        CallOrEnd::EndOfRun(_) => with(std::mem::take(&mut run)),
        CallOrEnd::Interaction(interaction) => run.push(interaction),
    })
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
    use crate::counts::CountedScenarios;
    use crate::testing::{FIGURE_2, count_all, socket};
    use crate::trace::TraceFormat;
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
                TraceFormat::Text,
                "test",
                &Budget::unlimited(),
            );
            counted.expect("reading memory does not fail").0
        };
        let mut merged = CountedScenarios::new(&vocabulary);
        for counts in in_parallel(&texts, 4, count) {
            merged.merge(counts, &vocabulary);
        }
        let mut one = count_all(&vocabulary, "test", &texts.join("--\n"), 10);
        assert_eq!(merged.write(&vocabulary, 10), one.write(&vocabulary, 10));
    }
}
