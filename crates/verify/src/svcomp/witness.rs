//! Writes witnesses of verdicts in the exchange format 2.0 of SV-COMP (YAML). A violation witness names the
//! inputs of the run in the order of their use, so that a validator only has to follow them.

use idiolect_base::{Place, Span};
use idiolect_interp::{DrawnInput, InputOrigin};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{InputKind, Program, Property};
use idiolect_prove::induction::Certificate;
use idiolect_prove::induction::cut::PointKind;
use serde::Serialize;
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Serialize)]
struct Entry {
    entry_type: &'static str,
    metadata: Metadata,
    content: Vec<Content>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Content {
    Segment(SegmentHolder),
    Invariant(InvariantHolder),
}

#[derive(Serialize)]
struct InvariantHolder {
    invariant: Invariant,
}

#[derive(Serialize)]
struct Invariant {
    r#type: &'static str,
    location: Location,
    value: String,
    format: &'static str,
}

#[derive(Serialize)]
struct Metadata {
    format_version: &'static str,
    uuid: String,
    creation_time: String,
    producer: Producer,
    task: TaskData,
}

#[derive(Serialize)]
struct Producer {
    name: &'static str,
    version: &'static str,
}

#[derive(Serialize)]
struct TaskData {
    input_files: Vec<String>,
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    data_model: &'static str,
    language: &'static str,
}

#[derive(Serialize)]
struct SegmentHolder {
    segment: Vec<WaypointHolder>,
}

#[derive(Serialize)]
struct WaypointHolder {
    waypoint: Waypoint,
}

#[derive(Serialize)]
struct Waypoint {
    r#type: &'static str,
    action: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    constraint: Option<Constraint>,
    location: Location,
}

#[derive(Serialize)]
struct Constraint {
    value: String,
    format: &'static str,
}

#[derive(Serialize)]
struct Location {
    file_name: String,
    line: u32,
    /// Left out where we cannot be sure of it: the leftmost suitable place of the line is meant then.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function: Option<String>,
}

/// What a witness is about.
pub struct About<'a> {
    pub program: &'a Program,
    pub files: &'a [PathBuf],
    pub properties: &'a [Property],
    pub data_model: DataModel,
    pub entry: &'a str,
    /// Seconds since 1970.
    pub time: u64,
}

impl About<'_> {
    /// A run with these inputs violates the property at this place.
    pub fn violation(&self, inputs: &[DrawnInput], target: &Place, function: &str) -> String {
        let mut content: Vec<Content> = inputs
            .iter()
            .filter_map(|input| self.returned(input))
            .map(segment)
            .collect();
        content.push(segment(Waypoint {
            r#type: "target",
            action: "follow",
            constraint: None,
            location: Location {
                file_name: target.file.clone(),
                line: target.line,
                column: None,
                function: Some(function.to_owned()),
            },
        }));
        self.write("violation_sequence", content)
    }

    /// The property holds. Of a proof by induction, the invariants of loops that C can say are part of
    /// the witness; other proofs have none.
    pub fn correctness(&self, proof: Option<&Certificate>) -> String {
        let mut content = Vec::new();
        for claim in proof.iter().flat_map(|p| &p.claims) {
            let is_loop = matches!(claim.kind, PointKind::Loop(_));
            let Some(place) = claim.place(self.program).filter(|_| is_loop) else {
                continue;
            };
            for formula in &claim.formulas {
                let Some(value) = claim.c_text(formula) else {
                    continue;
                };
                content.push(Content::Invariant(InvariantHolder {
                    invariant: Invariant {
                        r#type: "loop_invariant",
                        location: Location {
                            file_name: place.file.clone(),
                            line: place.line,
                            column: None,
                            function: Some(self.program.function(claim.function).name.clone()),
                        },
                        value,
                        format: "c_expression",
                    },
                }));
            }
        }
        self.write("invariant_set", content)
    }

    /// A call of an input function gives this value. Inputs that no call returns have no waypoint.
    fn returned(&self, input: &DrawnInput) -> Option<Waypoint> {
        let InputOrigin::Site(id) = input.origin else {
            return None;
        };
        let site = &self.program.inputs[id.index()];
        let (InputKind::Nondet(name) | InputKind::External(name)) = &site.kind else {
            return None;
        };
        let place = self.program.sources.place(site.span)?;
        let column = self.closing_parenthesis(site.span, &place, name);
        Some(Waypoint {
            r#type: "function_return",
            action: "follow",
            constraint: Some(Constraint {
                value: format!("\\result == {}", c_constant(input)),
                format: "ext_c_expression",
            }),
            location: Location {
                file_name: place.file,
                line: place.line,
                column,
                function: None,
            },
        })
    }

    /// The format points at the parenthesis that closes the call. It is looked for in the line as it
    /// was written; a call that comes from a macro is not there.
    fn closing_parenthesis(&self, span: Span, place: &Place, name: &str) -> Option<u32> {
        let line = self.program.sources.line_text(span)?;
        let mut calls = line.match_indices(name).filter_map(|(start, _)| {
            let open = start + name.len();
            let rest = line[open..].trim_start();
            let is_whole = !line[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let skipped = line.len() - open - rest.len();
            let end = rest.strip_prefix('(').and_then(closing)?;
            is_whole.then_some((start, open + skipped + 1 + end))
        });
        let first = calls.next()?;
        let column = usize::try_from(place.column).ok()?;
        let wanted = std::iter::once(first)
            .chain(calls)
            .find(|call| call.0 + 1 >= column)
            .unwrap_or(first);
        u32::try_from(wanted.1 + 1).ok()
    }

    fn write(&self, entry_type: &'static str, content: Vec<Content>) -> String {
        let names: Vec<String> = self.files.iter().map(|f| f.display().to_string()).collect();
        let hash = |path: &PathBuf| hex(&Sha256::digest(std::fs::read(path).unwrap_or_default()));
        let hashes = names.iter().cloned().zip(self.files.iter().map(hash));
        let mut entry = Entry {
            entry_type,
            metadata: Metadata {
                format_version: "2.0",
                uuid: String::new(),
                creation_time: utc(self.time),
                producer: Producer {
                    name: "idiolect",
                    version: env!("CARGO_PKG_VERSION"),
                },
                task: TaskData {
                    input_file_hashes: hashes.collect(),
                    input_files: names,
                    specification: self.specification(),
                    data_model: match self.data_model {
                        DataModel::Lp64 => "LP64",
                        DataModel::Ilp32 => "ILP32",
                    },
                    language: "C",
                },
            },
            content,
        };
        // An identifier that the rest determines, so that the same run gives the same bytes.
        let without = serde_json::to_vec(&entry).unwrap_or_default();
        entry.metadata.uuid = uuid(&Sha256::digest(without));
        serde_saphyr::to_string(&[entry]).unwrap_or_default()
    }

    fn specification(&self) -> String {
        let lines: Vec<String> = self
            .properties
            .iter()
            .map(|p| {
                format!(
                    "CHECK( init({}()), LTL({}) )",
                    self.entry,
                    p.sv_comp_formula()
                )
            })
            .collect();
        lines.join("\n")
    }
}

fn segment(waypoint: Waypoint) -> Content {
    Content::Segment(SegmentHolder {
        segment: vec![WaypointHolder { waypoint }],
    })
}

/// Where the parenthesis is that closes one that is open before the text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at);
        }
    }
    None
}

/// The least `int` and `long` have no constant of their own in C.
fn c_constant(input: &DrawnInput) -> String {
    let value = input.as_integer();
    if value == i128::from(i32::MIN) || value == i128::from(i64::MIN) {
        return format!("({}-1)", value + 1);
    }
    value.to_string()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

/// Version 8 of RFC 9562: bits of our own choice.
fn uuid(hash: &[u8]) -> String {
    let mut bytes = [0u8; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let h = hex(&bytes);
    format!(
        "{}-{}-{}-{}-{}",
        &h[..8],
        &h[8..12],
        &h[12..16],
        &h[16..20],
        &h[20..]
    )
}

/// ISO 8601, by the days of the civil calendar (years start in March, so that leap days come last).
fn utc(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = (month_from_march + 2) % 12 + 1;
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        rest / 3600,
        rest % 3600 / 60,
        rest % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_794_787_199), "2026-11-15T23:59:59Z");
    }

    #[test]
    fn a_call_ends_at_its_own_parenthesis() {
        assert_eq!(closing(")"), Some(0));
        assert_eq!(closing("f(a), (b)) + g()"), Some(9));
        assert_eq!(closing("never"), None);
    }
}
