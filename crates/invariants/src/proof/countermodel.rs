//! Counter-models as data structures, and as runs.

use super::question::Question;
use super::segment::Meaning;
use idiolect_base::{Budget, Span};
use idiolect_interp::{
    CompileOptions, Compiled, End, FixedInputs, Machine, NoInputs, NoObserver, RunOptions,
};
use idiolect_ir::{Location, Program};
use idiolect_quantified::point::{Chain, Datum, Point, Role, Snapshot, Structure};
use idiolect_smt::Model;
use idiolect_symex::InputOrigin;
use std::sync::Arc;

/// Arrays with more elements are not shown.
const MAX_ELEMENTS: i64 = 64;
/// A segment has no loop, so its runs are short.
const MAX_STEPS: u64 = 10_000_000;

/// The state that a model starts with.
pub(super) fn snapshot(question: &Question, point: &Point, model: &Model) -> Option<Snapshot> {
    let values = Values::new(question, model);
    let mut snapshot = Snapshot {
        chains: Vec::new(),
        values: vec![Datum::Base; point.variables.len()],
    };
    for (v, variable) in point.variables.iter().enumerate() {
        let meaning = Meaning::Number { variable: v };
        if let Some(value) = values.integer(meaning, variable.signed) {
            snapshot.values[v] = Datum::Number(value);
        }
    }
    for (structure, shape) in point.structures.iter().enumerate() {
        match shape {
            Structure::List(_) => lists(question, point, structure, &values, &mut snapshot)?,
            Structure::Array(group) => {
                let n = match group.size {
                    idiolect_quantified::point::ArraySize::Constant(n) => n as i64,
                    idiolect_quantified::point::ArraySize::Variable(v) => {
                        match snapshot.values[v] {
                            Datum::Number(n) => n,
                            _ => return None,
                        }
                    }
                };
                if !(0..=MAX_ELEMENTS).contains(&n) {
                    return None;
                }
                let mut chain = Chain {
                    structure,
                    n_cells: n as usize,
                    data: vec![0; n as usize * group.fields.len()],
                    unwritten: Vec::new(),
                };
                for number in 0.. {
                    let Some(index) = values.integer(Meaning::Index { number }, true) else {
                        break;
                    };
                    if !(0..n).contains(&index) {
                        continue;
                    }
                    for (field, info) in group.fields.iter().enumerate() {
                        let meaning = Meaning::Element {
                            structure,
                            field,
                            number,
                        };
                        if let Some(value) = values.integer(meaning, info.signed) {
                            let at = index as usize * group.fields.len() + field;
                            chain.data[at] = value;
                        }
                    }
                }
                snapshot.chains.push(chain);
            }
        }
    }
    Some(snapshot)
}

/// Reads the lists of one structure off their cells, without cells that nothing reaches.
fn lists(
    question: &Question,
    point: &Point,
    structure: usize,
    values: &Values<'_>,
    snapshot: &mut Snapshot,
) -> Option<()> {
    let n = question.derived.n_cells[structure];
    let fields = point.structures[structure].fields();
    let goes_on = |cell: usize| {
        values
            .of(Meaning::Next { structure, cell })
            .is_some_and(|bits| bits != 0)
    };
    let mut pointers: Vec<(usize, usize)> = Vec::new();
    for (v, variable) in point.variables.iter().enumerate() {
        if variable.role == (Role::Pointer { structure }) {
            let cell = values.of(Meaning::Pointer { variable: v })? as usize;
            snapshot.values[v] = Datum::Nil;
            if cell < n {
                pointers.push((v, cell));
            }
        }
    }
    let mut from = 0;
    while from < n {
        let mut to = from;
        while to + 1 < n && goes_on(to) {
            to += 1;
        }
        let first = pointers
            .iter()
            .map(|p| p.1)
            .filter(|c| (from..=to).contains(c))
            .min();
        if let Some(first) = first {
            let mut chain = Chain {
                structure,
                n_cells: to + 1 - first,
                data: Vec::new(),
                unwritten: Vec::new(),
            };
            for cell in first..=to {
                for (field, info) in fields.iter().enumerate() {
                    let meaning = Meaning::Datum {
                        structure,
                        cell,
                        field,
                    };
                    let value = values.integer(meaning, info.signed);
                    chain.data.push(value.unwrap_or(0));
                }
            }
            let number = snapshot.chains.len();
            snapshot.chains.push(chain);
            for &(v, cell) in &pointers {
                if (first..=to).contains(&cell) {
                    snapshot.values[v] = Datum::Cell {
                        chain: number,
                        cell: cell - first,
                    };
                }
            }
        }
        from = to + 1;
    }
    Some(())
}

struct Values<'a> {
    question: &'a Question,
    model: &'a Model,
}

impl<'a> Values<'a> {
    fn new(question: &'a Question, model: &'a Model) -> Self {
        Values { question, model }
    }

    fn record(&self, meaning: Meaning) -> Option<&'a idiolect_symex::InputRecord> {
        let meanings = &self.question.derived.meanings;
        let (input, _) = meanings.iter().find(|m| m.1 == meaning)?;
        let inputs = &self.question.encoding.inputs;
        inputs
            .iter()
            .find(|i| i.origin == InputOrigin::Site(*input))
    }

    fn of(&self, meaning: Meaning) -> Option<u128> {
        let record = self.record(meaning)?;
        Some(self.model.eval(&self.question.encoding.terms, record.value))
    }

    fn integer(&self, meaning: Meaning, is_signed: bool) -> Option<i64> {
        let bits = self.of(meaning)? as u64;
        let width = self.record(meaning)?.ty.int_width()?.min(64);
        let shift = 64 - u32::from(width);
        Some(if is_signed {
            (bits << shift) as i64 >> shift
        } else {
            bits as i64
        })
    }
}

/// Whether the interpreter, too, comes to an error with these inputs.
pub(super) fn replays(question: &Question, model: &Model) -> bool {
    let inputs = question.encoding.inputs_of(model);
    let bits = inputs.iter().map(|i| i.bits).collect();
    let program = Arc::new(question.derived.program.clone());
    let compiled = Compiled::new(program, &CompileOptions::default());
    let options = RunOptions {
        max_memory: 1 << 24,
        ..RunOptions::default()
    };
    let mut machine = Machine::new(&compiled, options);
    let mut source = FixedInputs::new(bits, NoInputs);
    let budget = Budget::steps(MAX_STEPS);
    let outcome = machine.run(&mut source, &mut NoObserver, &budget);
    matches!(outcome.end, End::Error { .. } | End::Fault(_))
}

/// The text at a place.
pub(super) fn span_of(program: &Program, place: Location) -> Option<Span> {
    let block = program
        .functions
        .get(place.function.index())?
        .blocks
        .get(place.block.index())?;
    Some(
        block
            .stmts
            .get(place.index)
            .map_or(block.terminator.span, |s| s.span),
    )
}
