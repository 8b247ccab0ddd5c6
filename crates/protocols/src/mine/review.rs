//! `mine --interactive`: the expert's loop of section 6 of the paper, on a terminal.

use super::show::short;
use super::{MineArgs, Read, StoredTrace, config, write_files};
use crate::check::violation_text;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::output;
use idiolect_base::Budget;
use idiolect_mine::{
    Api, ApiVocabulary, CheckConfig, Interaction, Question, ReviewConfig, ReviewDecision,
    for_each_run, mine, review,
};
use std::fmt::Write as _;
use std::io::BufRead;

/// What `--review` does.
pub fn run(
    args: &MineArgs,
    api: &Api,
    vocabulary: &ApiVocabulary,
    traces: &[StoredTrace],
    budget: &Budget,
) -> Result<Exit, CommandFailure> {
    let mut read = Read::default();
    let mut all: Vec<(String, Vec<Vec<Interaction>>)> = Vec::new();
    for trace in traces {
        let mut runs = Vec::new();
        let summary = (trace.open())
            .and_then(|reader| {
                for_each_run(vocabulary, reader, args.format.of_traces(), budget, |run| {
                    runs.push(run);
                })
            })
            .map_err(|source| trace.cannot_read(source))?;
        read.add(&trace.name(), &summary)?;
        all.push((trace.name(), runs));
    }
    for warning in &read.warnings {
        output::print_error(&format!("warning: {warning}\n"));
    }
    let settings = ReviewConfig {
        size: args.size,
        mining: config(args),
        check: CheckConfig::default(),
    };
    let mut answers = std::io::stdin().lock();
    let reviewed = review(api, vocabulary, &settings, all, |name, question| {
        ask(name, question, &mut answers)
    });
    let mut text = String::new();
    for entry in &reviewed.log {
        let verifies = match entry.verifies {
            None => "first",
            Some(true) => "verifies",
            Some(false) => "does not verify",
        };
        let action = if entry.accepted {
            "accepted"
        } else {
            "rejected"
        };
        let reason = if entry.reason.is_empty() {
            String::new()
        } else {
            format!(" ({})", entry.reason)
        };
        let _ = writeln!(text, "{}: {verifies}, {action}{reason}", entry.name);
    }
    let _ = writeln!(
        text,
        "{} of {} traces were not looked at",
        reviewed.not_inspected(),
        reviewed.log.len()
    );
    output::print(&text);
    if let Some(path) = &args.log {
        output::write_whole(path, reviewed.write_log().as_bytes())?;
    }
    let rejected = reviewed.log.iter().any(|entry| !entry.accepted);
    let mut counts = reviewed.counts;
    if reviewed.specification.is_some() {
        let mined = mine(vocabulary, &mut counts, &settings.mining);
        write_files(args, api, vocabulary, &mined)?;
    }
    Ok(if rejected {
        Exit::Finding.forgiving(args.common.exit_zero)
    } else {
        Exit::Clean
    })
}

/// Shows the question on standard output and reads the answer from standard input. Without an
/// answer the loop ends: nobody accepted anything.
fn ask(name: &str, question: &Question<'_>, answers: &mut impl BufRead) -> ReviewDecision {
    let mut text = String::new();
    match question {
        Question::First { mined } => {
            let _ = writeln!(
                text,
                "{name}: the first trace, {} scenarios",
                mined.strings.total()
            );
            for (number, letter) in mined.strings.alphabet.names().iter().enumerate() {
                let _ = writeln!(text, "  {} = {letter}", short_number(number));
            }
            for (word, count) in &mined.strings.strings {
                let letters: Vec<String> = word.iter().map(|&a| short(a)).collect();
                let _ = writeln!(text, "  {count} × {}", letters.join(" "));
            }
        }
        Question::Failing { violations, .. } => {
            let _ = writeln!(text, "{name}: {} seeds do not fit", violations.len());
            for violation in violations.iter().take(5) {
                text.push_str(&violation_text(name, violation));
            }
            if violations.len() > 5 {
                let _ = writeln!(text, "  … and {} more", violations.len() - 5);
            }
        }
    }
    text.push_str("[a]ccept, [r]eject REASON, [s]top? ");
    output::print(&text);
    loop {
        let mut line = String::new();
        match answers.read_line(&mut line) {
            Ok(0) | Err(_) => {
                output::print("\n");
                return ReviewDecision::Stop;
            }
            Ok(_) => {}
        }
        let line = line.trim();
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "a" | "accept" => return ReviewDecision::Accept,
            "s" | "stop" => return ReviewDecision::Stop,
            "r" | "reject" => {
                let reason = match rest.trim() {
                    "" => "bug".to_owned(),
                    reason => reason.to_owned(),
                };
                return ReviewDecision::Reject { reason };
            }
            _ => output::print("a, r or s? "),
        }
    }
}

fn short_number(number: usize) -> String {
    short(idiolect_automata::Letter::new(number))
}
