//! The paper's running example, and short cuts for tests.

use crate::api::{Api, Seed};
use crate::counts::CountedScenarios;
use crate::extract::Extractor;
use crate::run::Run;
use crate::trace::{TraceFormat, TraceItem, TraceReader, TraceRecord};
use crate::vocabulary::{ApiVocabulary, Interaction};

/// Figure 2 of *Mining Specifications*.
pub(crate) const FIGURE_2: &str = "\
socket(domain = 2, type = 1, proto = 0, return = 7)
bind(so = 7, addr = 0x400120, addr_len = 6, return = 0)
listen(so = 7, backlog = 5, return = 0)
accept(so = 7, addr = 0x400200, addr_len = 0x400240, return = 8)
read(fd = 8, buf = 0x400320, len = 255, return = 12)
write(fd = 8, buf = 0x400320, len = 12, return = 12)
read(fd = 8, buf = 0x400320, len = 255, return = 7)
write(fd = 8, buf = 0x400320, len = 7, return = 7)
close(fd = 8, return = 0)
accept(so = 7, addr = 0x400200, addr_len = 0x400240, return = 10)
read(fd = 10, buf = 0x400320, len = 255, return = 13)
write(fd = 10, buf = 0x400320, len = 13, return = 13)
close(fd = 10, return = 0)
close(fd = 7, return = 0)
";

/// The vocabulary of an API file with these seeds, separated by `;`.
pub(crate) fn vocabulary(api: &Api, seeds: &str) -> ApiVocabulary {
    let seeds: Vec<Seed> = (seeds.split(';'))
        .map(|seed| Seed::parse(seed).expect("a seed"))
        .collect();
    for seed in &seeds {
        assert_eq!(api.check_seed(seed), Ok(()));
    }
    ApiVocabulary::new(api, &seeds)
}

pub(crate) fn socket(seeds: &str) -> ApiVocabulary {
    vocabulary(&Api::shipped("socket").expect("it is shipped"), seeds)
}

/// The runs of a trace.
pub(crate) fn runs(vocabulary: &ApiVocabulary, text: &str) -> Vec<Vec<Interaction>> {
    let mut reader = TraceReader::new(text.as_bytes(), TraceFormat::Text);
    let mut record = TraceRecord::default();
    let mut runs = vec![Vec::new()];
    loop {
        match reader
            .read(&mut record)
            .expect("reading memory does not fail")
        {
            TraceItem::EndOfTrace => break,
            TraceItem::EndOfRun => runs.push(Vec::new()),
            TraceItem::Interaction => {
                let last = runs.len() - 1;
                runs[last].extend(vocabulary.interaction(&record));
            }
        }
    }
    assert_eq!(reader.skipped().first, []);
    runs
}

pub(crate) fn run(vocabulary: &ApiVocabulary, text: &str) -> Run {
    let mut runs = runs(vocabulary, text);
    assert_eq!(runs.len(), 1);
    Run::new(vocabulary, runs.remove(0))
}

pub(crate) fn count_text(vocabulary: &ApiVocabulary, text: &str, size: usize) -> CountedScenarios {
    let mut counts = CountedScenarios::new(vocabulary);
    let mut extractor = Extractor::new(vocabulary, size);
    for run in runs(vocabulary, text) {
        for interaction in run {
            extractor.add(interaction, &mut counts);
        }
        extractor.end_run(&mut counts);
    }
    counts.settle(vocabulary);
    counts
}

/// Scenarios and lives of a program.
pub(crate) fn count_all(
    vocabulary: &ApiVocabulary,
    name: &str,
    text: &str,
    size: usize,
) -> CountedScenarios {
    let budget = idiolect_base::Budget::unlimited();
    let format = TraceFormat::Text;
    crate::source::count_trace(vocabulary, size, text.as_bytes(), format, name, &budget)
        .expect("reading memory does not fail")
        .0
}
