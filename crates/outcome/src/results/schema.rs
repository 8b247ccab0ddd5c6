//! `docs/schema/outcome.schema.json`, made from the types: what a command prints is what its type says, and a key that
//! is renamed changes a file that others read.

use super::*;
use crate::{Assumption, Class, GuaranteeKind};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Value, json};

/// An automaton as `idiolect_automata` writes it.
pub fn automaton(_: &mut SchemaGenerator) -> Schema {
    let list = |item: Value| json!({ "type": "array", "items": item });
    let object = |properties: Value, required: &[&str]| json!({ "type": "object", "properties": properties, "required": required });
    let number = json!({ "type": "integer", "minimum": 0 });
    json_schema!({
        "type": "object",
        "properties": {
            "kind": { "enum": ["dfa", "nfa", "moore", "mealy", "pfsa"] },
            "alphabet": list(json!({ "type": "string" })),
            "states": list(object(json!({ "id": number }), &["id"])),
            "transitions": list(object(json!({ "from": number, "to": number }), &["from", "to"])),
        },
        "required": ["kind", "alphabet", "states", "transitions"],
    })
}

/// Where there need not be one.
pub fn automaton_or_null(generator: &mut SchemaGenerator) -> Schema {
    let automaton = automaton(generator);
    json_schema!({ "anyOf": [automaton, { "type": "null" }] })
}

struct SchemaWriter {
    types: SchemaGenerator,
    commands: Vec<Value>,
}

impl SchemaWriter {
    /// An outcome of this command: one of these verdicts, this result and these statistics.
    fn outcome<R: JsonSchema, S: JsonSchema>(&mut self, command: &str, verdicts: &[&str]) {
        let result = self.types.subschema_for::<R>();
        let statistics = self.types.subschema_for::<S>();
        self.commands.push(json!({
            "allOf": [{ "$ref": "#/$defs/Answer" }, result],
            "properties": {
                "command": { "const": command },
                "verdict": { "enum": verdicts },
                "statistics": statistics,
            },
            "unevaluatedProperties": false,
        }));
    }

    /// What every outcome has.
    fn answer(&mut self) -> Value {
        let assumption = self.types.subschema_for::<Assumption>();
        let numbers = self.types.subschema_for::<PacNumbers>();
        let classes = [Class::Finding, Class::Promise, Class::Bet, Class::Nothing];
        json!({
            "type": "object",
            "properties": {
                "command": { "type": "string" },
                "version": { "type": "string" },
                "verdict": { "type": "string" },
                "guarantee": {
                    "type": "object",
                    "properties": {
                        "kind": { "enum": GuaranteeKind::ALL.map(GuaranteeKind::word) },
                        "text": { "type": "string" },
                        "assumptions": { "type": "array", "items": assumption },
                        "class": { "enum": classes.map(Class::word) },
                    },
                    "required": ["kind", "text", "assumptions", "class"],
                    // A bet of `verify` has its numbers beside the words.
                    "anyOf": [numbers, true],
                    "unevaluatedProperties": false,
                },
                "statistics": { "type": "object" },
                "warnings": { "type": "array", "items": { "type": "string" } },
                "timing": { "type": "object", "additionalProperties": { "type": "number" } },
            },
            "required": ["command", "version", "verdict", "guarantee", "statistics", "warnings"],
        })
    }
}

/// The schema of everything that `--json` prints.
fn schema() -> Value {
    let mut writer = SchemaWriter {
        types: SchemaSettings::draft2020_12()
            .for_serialize()
            .into_generator(),
        commands: Vec::new(),
    };
    let runs = &["exit", "error", "fault", "assume-ended", "trap", "limit"];
    writer.outcome::<RunResult, RunStatistics>("run", runs);
    let verified = &["error", "proved", "pac", "undecided"];
    writer.outcome::<VerifyResult, LearningStatistics>("verify", verified);
    writer.outcome::<VerifyResult, BmcStatistics>("verify", verified);
    let languages = &[
        "error-language",
        "no-error",
        "program-language",
        "undecided",
    ];
    writer.outcome::<ExplainResult, ExplainStatistics>("explain", languages);
    let words = &["member", "not-member", "undecided"];
    writer.outcome::<WordResult, ExplainStatistics>("explain", words);
    writer.outcome::<DiffResult, DiffStatistics>("diff", &["same", "different", "undecided"]);
    let localized = &["relevant", "no-simple-fix", "no-error", "undecided"];
    writer.outcome::<LocalizeResult, LocalizeStatistics>("localize", localized);
    writer.outcome::<AllTracesResult, AllTracesStatistics>("localize", localized);
    writer.outcome::<RankedResult, RankedStatistics>("localize", localized);
    let repaired = &["repaired", "none", "no-error", "undecided"];
    writer.outcome::<RepairResult, RepairStatistics>("repair", repaired);
    let learned = &["learned", "none", "proved", "undecided"];
    writer.outcome::<InvariantsResult, InvariantsStatistics>("invariants", learned);
    writer.outcome::<MineResult, MineStatistics>("mine", &["mined", "undecided"]);
    writer.outcome::<InferResult, NoStatistics>("mine", &["mined"]);
    let checked = &["satisfies", "violates", "undecided"];
    writer.outcome::<CheckResult, CheckStatistics>("check", checked);
    writer.outcome::<LearnResult, LearnStatistics>("learn", &["learned", "undecided"]);
    writer.outcome::<TraceResult, TraceCounts>("trace", &["recorded", "undecided"]);
    let readable = &["readable", "partly-readable", "undecided"];
    writer.outcome::<DoctorResult, DoctorStatistics>("doctor", readable);
    writer.outcome::<MachineResult, NoStatistics>("doctor", &["ready", "undecided"]);
    let answer = writer.answer();
    let error = writer.types.subschema_for::<ErrorReport>();
    let mut definitions = writer.types.take_definitions(true);
    definitions.insert("Answer".to_owned(), answer);
    let stopped = json!({
        "title": "Stopped before there was anything to tell",
        "allOf": [{ "$ref": "#/$defs/Answer" }],
        "properties": {
            "verdict": { "enum": ["undecided", "limit"] },
            "statistics": { "maxProperties": 0 },
        },
        "unevaluatedProperties": false,
    });
    let mut all = writer.commands;
    all.extend([stopped, error.into()]);
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The outcome of a command of idiolect",
        "anyOf": all,
        "$defs": definitions,
    })
}

/// Set to write the file instead of comparing it.
const WRITE: &str = "IDIOLECT_WRITE_SCHEMA";

#[test]
fn the_schema_says_what_the_types_say() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/schema/outcome.schema.json"
    );
    let made = format!("{:#}\n", schema());
    if std::env::var_os(WRITE).is_some() {
        std::fs::write(path, made).expect("the schema is written");
        return;
    }
    let kept = std::fs::read_to_string(path).expect("the schema");
    assert!(
        kept == made,
        "docs/schema/outcome.schema.json is not what the types say. If scripts of others can live with the change: \
         {WRITE}=1 cargo test -p idiolect-outcome schema"
    );
}
