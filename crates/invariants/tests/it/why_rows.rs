//! Why rows of the paper's Table 1 are others here: `corpus/linear/differences.txt` says it for each row
//! whose states or elastification differ, and each line of it is an experiment that is done here.

use crate::support;

use idiolect_base::Budget;
use idiolect_invariants::assume::Assumption;
use idiolect_invariants::collect::Collector;
use idiolect_invariants::inputs::InputSpace;
use idiolect_invariants::points::{self, Wanted};
use idiolect_invariants::session::{LearnedLevel, learn};
use idiolect_invariants::{builder, signature};
use idiolect_learn::LearnerKind;
use idiolect_quantified::instrument::Instrumented;
use idiolect_quantified::point::{ArrayGroup, ArraySize, Point, PointKind, Role, Structure};
use idiolect_quantified::roles::Roles;
use support::Row;

struct Experiment {
    example: String,
    section: String,
    changes: Vec<String>,
    /// States, before and after; whether the automaton was made elastic.
    expected: (usize, usize, bool),
    why: String,
}

fn experiments() -> Vec<Experiment> {
    let text = support::corpus_text("differences.txt");
    let lines = text.lines().filter(|l| !l.starts_with('#'));
    let experiment = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [example, section, changes, states, before, elastified, why] = cells[..] else {
            panic!("{line}");
        };
        let number = |text: &str| text.parse().expect("a number");
        let changes = changes.split(';').map(str::trim).filter(|c| !c.is_empty());
        Experiment {
            example: example.to_owned(),
            section: section.to_owned(),
            changes: changes.map(str::to_owned).collect(),
            expected: (number(states), number(before), elastified == "yes"),
            why: why.to_owned(),
        }
    };
    lines.map(experiment).collect()
}

/// The point without variables of these names.
fn without(point: &mut Point, names: &[&str]) {
    let old = point.variables.clone();
    point
        .variables
        .retain(|v| !names.contains(&v.name.as_str()));
    assert_eq!(point.variables.len() + names.len(), old.len(), "{names:?}");
    for structure in &mut point.structures {
        if let Structure::Array(group) = structure
            && let ArraySize::Variable(v) = &mut group.size
        {
            let is_it = |w: &_| *w == old[*v];
            *v = point.variables.iter().position(is_it).expect("it is there");
        }
    }
}

/// Each array is a structure of its own.
fn in_sequence(point: &mut Point) {
    let Structure::Array(group) = point.structures[0].clone() else {
        panic!("arrays are read one after the other");
    };
    let alone = |field| {
        Structure::Array(ArrayGroup {
            fields: vec![field],
            size: group.size,
        })
    };
    point.structures = group.fields.into_iter().map(alone).collect();
    for v in &mut point.variables {
        if let Role::Base { structure, field } = &mut v.role {
            *structure = std::mem::take(field);
        }
    }
}

/// The point without its arrays, which come first.
fn lists_only(point: &mut Point) {
    let n_arrays = point.structures.iter().filter(|s| !s.is_list()).count();
    point.structures.drain(..n_arrays);
    point
        .variables
        .retain(|v| matches!(v.role, Role::Pointer { .. } | Role::Scalar));
    for v in &mut point.variables {
        if let Role::Pointer { structure } = &mut v.role {
            *structure -= n_arrays;
        }
    }
}

fn point_named(all: Vec<Point>, name: &str) -> Point {
    let (kind, n) = match name {
        "entry" => (PointKind::Entry, 0),
        "exit" => (PointKind::Exit, 0),
        "loop 2" => (PointKind::Loop, 1),
        _ => (PointKind::Loop, 0),
    };
    let mut of_kind = all.into_iter().filter(|p| p.kind == kind);
    of_kind.nth(n).expect("the point is there")
}

/// What is learned at the point of a row, with changes, for the row's quantified variables.
fn level(row: &Row, changes: &[String]) -> LearnedLevel {
    let value = |name: &str| {
        let of = |c: &'_ String| c.strip_prefix(name).map(str::to_owned);
        changes.iter().find_map(of)
    };
    let range = |name: &str, otherwise: (i64, i64)| match value(name) {
        Some(text) => {
            let (low, high) = text.split_once("..").expect("a range");
            (low.parse().expect("low"), high.parse().expect("high"))
        }
        None => otherwise,
    };
    let (low, high) = range("values=", (*row.values.start(), *row.values.end()));
    let (_, length) = range("lengths=", (0, *row.lengths.end() as i64));
    let quantified = value("quantified=").map_or(row.quantified, |k| k.parse().expect("k"));
    let text = match value("program=") {
        Some(file) => {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/why/");
            std::fs::read_to_string(format!("{folder}{file}")).expect("it is there")
        }
        None => row.text(),
    };
    let program = support::program(&text, &row.function);
    let function = program.function_named(&row.function).expect("it is there");
    let roles = Roles::new(&program);
    let parameters = signature::inputs(&program, &roles, function).expect("supported");
    let all = points::points(&program, &roles, function, Some(&parameters), Wanted::ALL);
    let name = value("point=").unwrap_or_else(|| row.point.clone());
    let mut point = point_named(all, &name);
    let dropped = changes.iter().filter_map(|c| c.strip_prefix("without="));
    without(&mut point, &dropped.collect::<Vec<_>>());
    if changes.iter().any(|c| c == "in sequence") {
        in_sequence(&mut point);
    }
    if changes.iter().any(|c| c == "lists only") {
        lists_only(&mut point);
    }
    let assumptions: Vec<Assumption> = (row.assume.iter())
        .map(|text| Assumption::parse(text, &parameters).expect("it parses"))
        .collect();
    // Constants of these programs lie among the values.
    let space = InputSpace::new(&parameters, 0..=length as u64, (low..=high).collect());
    let points = [point];
    let mut instrumented = Instrumented::new(&program, &points);
    let first = builder::start_with(&mut instrumented.program, function, &parameters);
    let collector = Collector::new(&points, &instrumented, roles.constants(), quantified);
    let budget = Budget::unlimited();
    let (samples, _) = (collector.all(&space, first, &assumptions, 2, &budget)).expect("it runs");
    let learned = learn(&points[0], &samples[0], length as usize, LearnerKind::LStar);
    learned
        .expect("it is learned")
        .levels
        .swap_remove(quantified)
}

#[test]
fn what_is_said_of_differences_is_what_experiments_show() {
    let rows = support::rows();
    let mut wrong = Vec::new();
    for e in experiments() {
        let is_it = |r: &&Row| r.example == e.example && r.section == e.section;
        let row = rows.iter().find(is_it).expect("a row");
        let level = level(row, &e.changes);
        let (states, before) = (level.elastic.n_states(), level.qda.n_states());
        let found = (states, before, level.elastified);
        if found != e.expected {
            wrong.push(format!("{} {:?}: {found:?}", e.example, e.changes));
        }
        if e.example == "list-init-complex" {
            let queries = (level.queries.equivalence, level.queries.membership);
            assert_eq!(queries, (1, 57));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn every_row_that_differs_has_a_reason_and_no_other() {
    let experiments = experiments();
    for row in support::rows() {
        let level = level(&row, &[]);
        let found = (level.elastic.n_states(), level.elastified);
        let differs = found != (row.paper_states, row.paper_elastified);
        let mut own = experiments
            .iter()
            .filter(|e| e.example == row.example && e.section == row.section);
        let has_reason = own.next().is_some_and(|e| !e.why.is_empty());
        assert_eq!(differs, has_reason, "{} {}", row.example, row.section);
    }
}
