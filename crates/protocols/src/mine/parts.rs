//! `mine --infer --write-part` and `--add-parts`: who defines and uses objects, from parts of traces.
//!
//! Two rounds, because what happens to objects can only be counted when it is known which attributes name
//! them: parts of the first round are put together, handed to the second, and those of the second are
//! put together to a proposal.

use super::MineArgs;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::looks;
use crate::output;
use crate::traces::{self, Piece, StoredTrace};
use idiolect_base::{Budget, Place};
use idiolect_mine::{InferPart, Inferred, read_part, write_part};
use idiolect_outcome::results::{InferResult, InferredApi, InferredAttribute, NoStatistics};
use idiolect_outcome::{Conclusion, GuaranteeKind, Ledger, Verdict};
use std::fmt::Write as _;
use std::path::PathBuf;

/// Counts a part of the traces.
pub fn run(
    args: &MineArgs,
    traces: &[StoredTrace],
    budget: &Budget,
) -> Result<Exit, CommandFailure> {
    let known = read(&args.add_parts)?;
    let (part, is_whole) = if traces.is_empty() {
        let none = || CommandFailure::usage("there are no traces and no parts", "name some");
        (known.ok_or_else(none)?, true)
    } else {
        of_traces(args, traces, known, budget)?
    };
    if !is_whole {
        output::print_error("warning: not read to the end, and so no part was written\n");
        return Ok(Exit::Undecided);
    }
    if let Some(path) = &args.write_part {
        let text = write_part("infer", "", &[part]);
        output::write_whole(path, text.as_bytes())?;
        return Ok(Exit::Clean);
    }
    let Some(inferred) = part.propose() else {
        return Err(CommandFailure::usage(
            "these parts are of the first round, which only says where values come from",
            "give them to a second round: `--infer TRACE --add-parts FIRST --write-part SECOND`",
        ));
    };
    show(args, &inferred)
}

fn of_traces(
    args: &MineArgs,
    traces: &[StoredTrace],
    known: Option<InferPart>,
    budget: &Budget,
) -> Result<(InferPart, bool), CommandFailure> {
    let known = match &known {
        None => None,
        Some(part) => Some(part.origins().ok_or_else(|| {
            CommandFailure::usage(
                "these parts are of the second round, after which nothing is counted",
                "leave out the traces",
            )
        })?),
    };
    let format = args.format.of_traces();
    let pieces = match (&args.range, traces) {
        (Some(range), [trace]) => vec![Piece::of_range(trace, range, format)?],
        _ => Piece::all(traces, format)?,
    };
    let mut failed = 0;
    let open = |i: usize| {
        failed = i;
        pieces[i].open()
    };
    let format = pieces.first().map_or(format, |piece| piece.format);
    let part = InferPart::of(pieces.len(), open, format, budget, known);
    let (part, stopped) = part.map_err(|source| pieces[failed].trace.cannot_read(source))?;
    Ok((part, stopped.is_none()))
}

/// These parts as one.
fn read(files: &[PathBuf]) -> Result<Option<InferPart>, CommandFailure> {
    let mut all: Option<InferPart> = None;
    for path in files {
        let bad = |message: String, line: u32| CommandFailure::BadFile {
            code: "mine::bad-part",
            message,
            place: Some(Place {
                file: path.display().to_string(),
                line,
                column: 1,
            }),
            help: "give whole files that `idiolect mine --infer --write-part` wrote in one round"
                .to_owned(),
        };
        let read = read_part(traces::opened(path)?, "infer", None);
        let (_, parts): (_, Vec<InferPart>) = read.map_err(|e| bad(e.to_string(), e.line()))?;
        for part in parts {
            if !part.is_sound() {
                return Err(bad("line 2 is damaged".to_owned(), 2));
            }
            all = Some(match all {
                None => part,
                Some(own) => own.merge(part).map_err(|e| bad(e.to_string(), 2))?,
            });
        }
    }
    Ok(all)
}

fn show(args: &MineArgs, inferred: &Inferred) -> Result<Exit, CommandFailure> {
    let api = inferred.api.to_toml();
    if let Some(path) = &args.write_api {
        output::write_whole(path, api.as_bytes())?;
    }
    let guarantee = "Proposed from what was counted in parts; for review.";
    let (verdict, ledger) = (Verdict::Mined, Ledger::default());
    let conclusion = Conclusion::new(verdict, GuaranteeKind::Learned, guarantee, &ledger);
    let reasons = inferred.reasons.iter();
    let result = InferResult {
        inferred: InferredApi {
            attributes: reasons
                .map(|(name, why)| InferredAttribute {
                    attribute: name.clone(),
                    reason: why.clone(),
                })
                .collect(),
            api,
        },
    };
    let value = output::answer_json("mine", &conclusion, NoStatistics {}, &[], None, result);
    let format = args.format.chosen(&args.common);
    looks::answer(&args.common, format, &value, || {
        let mut text = "inferred, for review:\n".to_owned();
        for (name, why) in &inferred.reasons {
            let _ = writeln!(text, "  {name} {why}");
        }
        text
    });
    Ok(Exit::Clean)
}
