//! A model in a file, with the program that it belongs to and what was promised of it.

use super::learn::{numbers, read};
use crate::failure::CommandFailure;
use crate::output;
use idiolect_learn::{DfaLearner, Saved};
use idiolect_verify::{Guarantee, Strategy};
use serde_json::{Value, json};
use std::path::Path;

const FORMAT: &str = "idiolect-model";
const VERSION: u64 = 1;

/// Writes a model that `--reuse` reads.
pub fn write_model(
    path: &Path,
    fingerprint: &str,
    guarantee: &Guarantee,
    automaton: Value,
    learner: &DfaLearner,
) -> Result<(), CommandFailure> {
    let value = json!({
        "format": FORMAT,
        "version": VERSION,
        "fingerprint": fingerprint,
        "guarantee": numbers(guarantee),
        "model": automaton,
        "learner": serde_json::to_value(Saved::of_dfa(learner)).unwrap_or(Value::Null),
    });
    let mut text = serde_json::to_string(&value).unwrap_or_default();
    text.push('\n');
    output::write_whole(path, text.as_bytes())
}

fn bad(path: &Path, problem: &str) -> CommandFailure {
    CommandFailure::BadFile {
        code: "verify::model",
        message: format!("{}: {problem}", path.display()),
        place: None,
        help: "`--reuse` takes a file that `--model` wrote".to_owned(),
    }
}

/// The model of a file, if it is one of the program with this fingerprint.
pub fn read_model(
    path: &Path,
    fingerprint: &str,
) -> Result<(DfaLearner, Guarantee), CommandFailure> {
    let text = read(path)?;
    let value: Value =
        serde_json::from_str(&text).map_err(|error| bad(path, &format!("not a model: {error}")))?;
    if value["format"] != FORMAT || value["version"] != VERSION {
        return Err(bad(path, "not a model of this version"));
    }
    if value["fingerprint"] != fingerprint {
        return Err(CommandFailure::BadFile {
            code: "verify::model",
            message: format!("{}: a model of another program", path.display()),
            place: None,
            help: "a model belongs to the program it was learned from, with the same data model, \
                   entry and overflow property; learn one with `--model`"
                .to_owned(),
        });
    }
    let guarantee = guarantee(&value["guarantee"]).ok_or_else(|| bad(path, "no guarantee"))?;
    let saved: Saved<bool> = serde_json::from_value(value["learner"].clone())
        .map_err(|error| bad(path, &format!("not a model: {error}")))?;
    if saved.n_letters() != 2 {
        return Err(bad(path, "decisions have two letters"));
    }
    let learner = saved
        .restore_dfa()
        .map_err(|error| bad(path, &error.to_string()))?;
    Ok((learner, guarantee))
}

fn guarantee(value: &Value) -> Option<Guarantee> {
    let whole = |name: &str| value[name].as_u64();
    Some(Guarantee {
        epsilon: value["epsilon"].as_f64()?,
        delta: value["delta"].as_f64()?,
        batch: usize::try_from(whole("batch")?).ok()?,
        question: u32::try_from(whole("equivalence_queries")?).ok()?,
        batches: whole("samples_last")?,
        strategy: Strategy::named(value["strategy"].as_str()?)?,
        seed: whole("seed")?,
        max_decisions: usize::try_from(whole("cut")?).ok()?,
        max_steps: whole("max_steps")?,
        distribution: value["distribution"].as_str()?.to_owned(),
        is_two_sided: value["two_sided"].as_bool()?,
    })
}
