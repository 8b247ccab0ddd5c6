//! Reads violation witnesses of any verifier and follows them. A waypoint says that a call at a place
//! returned a value; the run takes these values in their order, and 0 for what the witness leaves open.
//! Whether the run then fails is for the interpreter to say: a witness is believed in nothing.

use super::FormatError;
use idiolect_interp::{InputOrigin, InputRequest, InputSource};
use idiolect_ir::{InputKind, Program};
use serde::Deserialize;

const SHAPE: &str = "a violation witness is a list with one entry of type `violation_sequence`, as \
                     `idiolect verify --witness` writes it";

#[derive(Deserialize)]
struct Entry {
    entry_type: String,
    metadata: Metadata,
    #[serde(default)]
    content: Vec<SegmentHolder>,
}

#[derive(Deserialize)]
struct Metadata {
    format_version: String,
}

#[derive(Deserialize)]
struct SegmentHolder {
    segment: Vec<WaypointHolder>,
}

#[derive(Deserialize)]
struct WaypointHolder {
    waypoint: Waypoint,
}

#[derive(Deserialize)]
struct Waypoint {
    r#type: String,
    action: String,
    constraint: Option<Constraint>,
    location: Location,
}

#[derive(Deserialize)]
struct Constraint {
    value: Scalar,
}

/// Constraints of branches are `true` and `false`, which YAML takes for more than text.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Text(String),
    Truth(#[expect(dead_code, reason = "only its shape counts")] bool),
    Number(#[expect(dead_code, reason = "only its shape counts")] i64),
}

#[derive(Deserialize)]
struct Location {
    #[serde(default)]
    file_name: String,
    line: u32,
}

/// What a violation witness says of the inputs.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Violation {
    returned: Vec<Returned>,
    /// Waypoints about something else than what a call returns, or in terms that we do not read.
    pub n_unused: usize,
}

/// A call at this place returned this value.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Returned {
    file: String,
    line: u32,
    value: i128,
}

impl Violation {
    pub fn parse(text: &str) -> Result<Self, FormatError> {
        let bad = |message: String| Err(FormatError::new(message, None, SHAPE));
        let entries: Vec<Entry> =
            serde_saphyr::from_str(text).map_err(|error| FormatError::of_yaml(&error, SHAPE))?;
        let mut violations = (entries.into_iter()).filter(|e| e.entry_type == "violation_sequence");
        let Some(entry) = violations.next() else {
            return bad("it is no witness of a violation".to_owned());
        };
        if violations.next().is_some() {
            return bad("it has several violations".to_owned());
        }
        let version = &entry.metadata.format_version;
        if !version.starts_with("2.") {
            return bad(format!("format version `{version}` is not known"));
        }
        let mut violation = Self::default();
        let waypoints = (entry.content.into_iter()).flat_map(|holder| holder.segment);
        for WaypointHolder { waypoint } in waypoints {
            if waypoint.r#type == "target" {
                continue;
            }
            match waypoint.returned() {
                Some(returned) => violation.returned.push(returned),
                None => violation.n_unused += 1,
            }
        }
        Ok(violation)
    }

    pub fn n_values(&self) -> usize {
        self.returned.len()
    }
}

impl Waypoint {
    fn returned(self) -> Option<Returned> {
        if self.r#type != "function_return" || self.action != "follow" {
            return None;
        }
        let Scalar::Text(constraint) = self.constraint?.value else {
            return None;
        };
        let value = constraint.trim().strip_prefix("\\result")?.trim_start();
        let value = constant(value.strip_prefix("==")?)?;
        Some(Returned {
            file: self.location.file_name,
            line: self.location.line,
            value,
        })
    }
}

/// The value of an integer constant of C, of one in parentheses, and of a difference of two, which is
/// how the least `int` is written.
fn constant(text: &str) -> Option<i128> {
    let text = text.trim();
    if let Some(inner) = text.strip_prefix('(').and_then(|t| t.strip_suffix(')')) {
        return constant(inner);
    }
    // Not the sign in front.
    let minus = text.char_indices().skip(1).find(|&(_, c)| c == '-');
    if let Some((at, _)) = minus {
        return literal(&text[..at])?.checked_sub(literal(&text[at + 1..])?);
    }
    literal(text)
}

fn literal(text: &str) -> Option<i128> {
    let text = text.trim();
    let (sign, digits) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest.trim_start()),
        None => (1, text),
    };
    let digits = digits.trim_end_matches(['u', 'U', 'l', 'L']);
    let (radix, digits) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => (16, hex),
        None => (10, digits),
    };
    // `from_str_radix` takes a sign of its own.
    if !digits.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    Some(sign * i128::from_str_radix(digits, radix).ok()?)
}

/// Gives calls the values of a witness as the run comes by its waypoints.
pub struct WitnessInputs<'a, S> {
    program: &'a Program,
    returned: std::slice::Iter<'a, Returned>,
    rest: S,
}

impl<'a, S: InputSource> WitnessInputs<'a, S> {
    /// `rest` has what the witness leaves open.
    pub fn new(program: &'a Program, violation: &'a Violation, rest: S) -> Self {
        Self {
            program,
            returned: violation.returned.iter(),
            rest,
        }
    }

    /// Waypoints that the run did not come by.
    pub fn n_missed(&self) -> usize {
        self.returned.len()
    }

    fn is_next(&self, request: &InputRequest<'_>) -> bool {
        let (Some(next), InputOrigin::Site(id)) =
            (self.returned.as_slice().first(), request.origin)
        else {
            return false;
        };
        let site = &self.program.inputs[id.index()];
        let is_call = matches!(site.kind, InputKind::Nondet(_) | InputKind::External(_));
        let place = self.program.sources.place(site.span);
        // Witnesses travel: the folders of a file's name are those of another machine.
        let name = |path: &str| path.rsplit('/').next().unwrap_or(path).to_owned();
        is_call
            && place.is_some_and(|at| {
                let is_file = next.file.is_empty() || name(&at.file) == name(&next.file);
                at.line == next.line && is_file
            })
    }
}

impl<S: InputSource> InputSource for WitnessInputs<'_, S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        if !self.is_next(request) {
            return self.rest.next(request);
        }
        let value = self.returned.next().map_or(0, |r| r.value);
        Some(value as u128)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<i128>) {
        assert_eq!(constant(text), expected, "{text}");
    }

    #[test]
    fn constants_of_c_are_read() {
        check(" 5", Some(5));
        check("-3", Some(-3));
        check("(-2147483647-1)", Some(i128::from(i32::MIN)));
        check("( -9223372036854775807 - 1 )", Some(i128::from(i64::MIN)));
        check("4294967295U", Some(4_294_967_295));
        check("0xffUL", Some(255));
        for text in [
            "",
            "x",
            "+5",
            "--5",
            "1.5",
            "(",
            "-",
            "0x",
            "5 + 1",
            "99999999999999999999999999999999999999999",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn a_witness_that_is_none_is_refused() {
        #[track_caller]
        fn check(text: &str, message: &str) {
            let error = Violation::parse(text).unwrap_err();
            assert!(error.message.contains(message), "{}", error.message);
            assert_eq!(error.help, SHAPE);
        }
        check("", "no witness of a violation");
        check("- entry_type: 3\n  metadata: 4\n", "");
        let entry = |kind: &str, version: &str| {
            format!("- entry_type: {kind}\n  metadata:\n    format_version: '{version}'\n")
        };
        check(&entry("invariant_set", "2.0"), "no witness of a violation");
        check(&entry("violation_sequence", "0.1"), "`0.1` is not known");
        check(&entry("violation_sequence", "2.0").repeat(2), "several");
        let read = Violation::parse(&entry("violation_sequence", "2.1"));
        assert_eq!(read, Ok(Violation::default()));
    }
}
