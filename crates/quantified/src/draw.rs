//! Snapshots as text: cells in brackets, arrows between them, variables at their cells.

use crate::formula::Formula;
use crate::point::{Datum, Point, Role, Snapshot, Structure};

/// `head: [0] → cur: [1] → nil; prev = nil; k = 1`.
pub fn snapshot(point: &Point, snapshot: &Snapshot) -> String {
    let mut parts = Vec::new();
    for (c, chain) in snapshot.chains.iter().enumerate() {
        let names = |cell: usize| {
            let here =
                (snapshot.values.iter().zip(&point.variables)).filter(|(value, variable)| {
                    match (**value, variable.role) {
                        (Datum::Cell { chain, cell: at }, _) => (chain, at) == (c, cell),
                        (Datum::Number(n), Role::Index { structure }) => {
                            structure == chain.structure && usize::try_from(n) == Ok(cell)
                        }
                        _ => false,
                    }
                });
            let names: Vec<&str> = here.map(|(_, v)| v.name.as_str()).collect();
            if names.is_empty() {
                String::new()
            } else {
                format!("{}: ", names.join(", "))
            }
        };
        let datum = |cell: usize, field: usize| {
            let value = chain.datum(cell, field);
            value.map_or_else(|| "?".to_owned(), |v| v.to_string())
        };
        match &point.structures[chain.structure] {
            Structure::List(list) => {
                let cells: Vec<String> = (0..chain.n_cells)
                    .map(|cell| {
                        let data: Vec<String> =
                            (0..list.fields.len()).map(|f| datum(cell, f)).collect();
                        format!("{}[{}]", names(cell), data.join(", "))
                    })
                    .collect();
                parts.push(format!("{} → nil", cells.join(" → ")));
            }
            Structure::Array(array) => {
                for (field, info) in array.fields.iter().enumerate() {
                    let cells: Vec<String> = (0..chain.n_cells)
                        .map(|cell| format!("{}{}", names(cell), datum(cell, field)))
                        .collect();
                    let name = match &info.member {
                        Some(_) => info.element(&info.name, "…"),
                        None => info.name.clone(),
                    };
                    parts.push(format!("{name} = [{}]", cells.join(" | ")));
                }
            }
        }
    }
    for (value, variable) in snapshot.values.iter().zip(&point.variables) {
        match (*value, variable.role) {
            (Datum::Nil, _) => parts.push(format!("{} = nil", variable.name)),
            (Datum::Number(n), Role::Scalar | Role::Index { .. }) => {
                parts.push(format!("{} = {n}", variable.name));
            }
            _ => {}
        }
    }
    parts.join("; ")
}

/// A structure like one of these, with one datum changed so that the formula does not hold, and
/// the conjunct that fails. One for each conjunct that can be made to fail so.
pub fn violations(
    point: &Point,
    formula: &Formula,
    examples: &[Snapshot],
) -> Vec<(usize, Snapshot)> {
    let mut found: Vec<(usize, Snapshot)> = Vec::new();
    for example in examples {
        for c in 0..example.chains.len() {
            for d in 0..example.chains[c].data.len() {
                for delta in [-1, 1, -2, 2] {
                    let mut changed = example.clone();
                    changed.chains[c].data[d] = changed.chains[c].data[d].saturating_add(delta);
                    let Some((conjunct, _)) = formula.violation(point, &changed) else {
                        continue;
                    };
                    if !found.iter().any(|(known, _)| *known == conjunct) {
                        found.push((conjunct, changed));
                    }
                }
            }
        }
    }
    found.sort_by_key(|(conjunct, _)| *conjunct);
    found
}
