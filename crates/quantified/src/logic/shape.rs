//! How the program's own pointers are arranged: the part of a formula without quantifiers.
//!
//! The automaton for no quantified variable has one path for each arrangement that occurs. All
//! conceivable arrangements of a few pointers can be listed, so the facts that are written down
//! are chosen to exclude as many arrangements that do not occur as possible, and a disjunction is
//! added only if no conjunction of facts suffices. Numbers are left to comparisons (`0 ≤ i ≤ n`).

use super::cover::{Bits, Table};
use super::path::PlacementPath;
use crate::formula::{Arrangement, Conjunct, Constraint, Relation, Term};
use crate::point::{Point, Role};
use crate::samples::Letter;
use crate::teacher::Valued;

/// Arrangements of more pointers than this are not listed; then all facts in common are written.
const MAX_POINTERS: usize = 4;

/// What holds of the arrangement of list pointers on all paths.
pub fn arrangements(point: &Point, paths: &[PlacementPath]) -> Vec<Conjunct> {
    let pointers: Vec<usize> = point
        .pointers()
        .filter(|&v| v < Letter::MAX_VARIABLES)
        .collect();
    if pointers.is_empty() || paths.is_empty() {
        return Vec::new();
    }
    let atoms = atoms(point, &pointers);
    let is_small = pointers.len() <= MAX_POINTERS
        && pointers
            .iter()
            .all(|&v| point.structure_of(v) == point.structure_of(pointers[0]))
        && point.structures.iter().all(|s| s.is_list());
    if !is_small {
        let table = Table::new(atoms, paths);
        let common = common(&table, paths.len());
        let facts = without_consequences(&table.constraints(&common));
        return facts.into_iter().map(|c| one_of(vec![vec![c]])).collect();
    }
    let mut all = paths.to_vec();
    for (letters, gaps) in conceivable(&pointers) {
        let occurs = |p: &PlacementPath| {
            p.letters == letters && gaps.iter().zip(&p.gaps).all(|(&gap, &may)| !gap || may)
        };
        if !paths.iter().any(occurs) {
            all.push(PlacementPath::new(point, letters, gaps, None).exactly());
        }
    }
    let table = Table::new(atoms, &all);
    let common = common(&table, paths.len());
    let mut excluded_by_none: Vec<usize> = (paths.len()..all.len()).collect();
    let mut facts = Bits::none(table.atoms.len());
    loop {
        let best = common
            .iter()
            .map(|a| {
                let n = (excluded_by_none.iter())
                    .filter(|&&u| !table.must[u].get(a))
                    .count();
                (n, a)
            })
            .max_by_key(|&(n, a)| (n, a));
        let Some((n, fact)) = best.filter(|(n, _)| *n > 0) else {
            break;
        };
        let _ = n;
        facts.set(fact);
        excluded_by_none.retain(|&u| table.must[u].get(fact));
    }
    let facts = table.constraints(&facts);
    let mut conjuncts: Vec<Conjunct> = facts.into_iter().map(|c| one_of(vec![vec![c]])).collect();
    if !excluded_by_none.is_empty() {
        let present: Vec<usize> = (0..paths.len()).collect();
        let nothing = Bits::none(table.atoms.len());
        let guards = table.cover(&present, &[], &excluded_by_none, |_| vec![nothing.clone()]);
        let covered: usize = (present.iter())
            .filter(|p| guards.iter().any(|g| g.covered.contains(p)))
            .count();
        // If constraints cannot tell some arrangement from one that does not occur, no disjunction
        // of them is true of all that do.
        if covered == present.len() && guards.len() <= 6 {
            let parts = guards.iter().map(|g| table.constraints(&g.bits)).collect();
            conjuncts.push(one_of(parts));
        }
    }
    conjuncts
}

fn one_of(parts: Vec<Vec<Constraint>>) -> Conjunct {
    let arrangement = |constraints| Arrangement {
        constraints,
        comparisons: Vec::new(),
    };
    Conjunct::OneOf(parts.into_iter().map(arrangement).collect())
}

/// The atoms that must hold on the first `n` paths.
fn common(table: &Table, n: usize) -> Bits {
    let mut bits = Bits::none(table.atoms.len());
    for i in 0..table.atoms.len() {
        if table.must[..n].iter().all(|m| m.get(i)) {
            bits.set(i);
        }
    }
    bits
}

/// Constraints between pointers; among equals, the last is preferred.
fn atoms(point: &Point, pointers: &[usize]) -> Vec<Constraint> {
    use Relation::*;
    let mut atoms = Vec::new();
    let mut add = |left, relation, right| {
        atoms.push(Constraint {
            left,
            relation,
            right,
        });
    };
    for relation in [Apart, ReachesStrictly, Next, Reaches, Same] {
        for (i, &v) in pointers.iter().enumerate() {
            let left = Term::Variable(v);
            if matches!(relation, Next | Same | ReachesStrictly) {
                add(left, relation, Term::Nil);
            }
            for (j, &w) in pointers.iter().enumerate() {
                let is_symmetric = matches!(relation, Apart | Same);
                let same_structure = matches!(
                    (point.variables[v].role, point.variables[w].role),
                    (Role::Pointer { structure: s }, Role::Pointer { structure: t }) if s == t
                );
                if i != j && same_structure && (!is_symmetric || i < j) {
                    add(left, relation, Term::Variable(w));
                }
            }
        }
    }
    atoms
}

/// All arrangements of these pointers in lists of one type, with and without cells between them.
fn conceivable(pointers: &[usize]) -> Vec<(Vec<Valued>, Vec<bool>)> {
    let mut found = Vec::new();
    // A chain is a sequence of sets of pointers.
    let mut chains: Vec<Vec<Vec<usize>>> = Vec::new();
    arrange(pointers, &mut Vec::new(), &mut chains, &mut found);
    found
}

fn arrange(
    left: &[usize],
    null: &mut Vec<usize>,
    chains: &mut Vec<Vec<Vec<usize>>>,
    found: &mut Vec<(Vec<Valued>, Vec<bool>)>,
) {
    let Some((&v, rest)) = left.split_first() else {
        write(null, chains, found);
        return;
    };
    null.push(v);
    arrange(rest, null, chains, found);
    null.pop();
    for c in 0..chains.len() {
        for p in 0..chains[c].len() {
            chains[c][p].push(v);
            arrange(rest, null, chains, found);
            chains[c][p].pop();
        }
        for p in 0..=chains[c].len() {
            chains[c].insert(p, vec![v]);
            arrange(rest, null, chains, found);
            chains[c].remove(p);
        }
    }
    chains.push(vec![vec![v]]);
    arrange(rest, null, chains, found);
    chains.pop();
}

/// The words of an arrangement: a gap or none behind each position.
fn write(null: &[usize], chains: &[Vec<Vec<usize>>], found: &mut Vec<(Vec<Valued>, Vec<bool>)>) {
    let letter = |set: &[usize], mark: Letter| Valued {
        letter: set.iter().fold(mark, |l, &v| l.and(Letter::of_variable(v))),
        quantified: None,
    };
    let mut letters = vec![letter(null, Letter::NIL)];
    let mut open = vec![false];
    // Lists in the order of their first variable, as snapshots are read.
    let mut order: Vec<&Vec<Vec<usize>>> = chains.iter().collect();
    order.sort_by_key(|chain| chain.iter().flatten().min().copied());
    for (c, chain) in order.iter().enumerate() {
        for (p, set) in chain.iter().enumerate() {
            let mark = if c > 0 && p == 0 {
                Letter::START
            } else {
                Letter::BLANK
            };
            letters.push(letter(set, mark));
            open.push(true);
        }
    }
    let n = letters.len() - 1;
    for choice in 0..1u32 << n {
        // Gap `i` is before letter `i`; none before the letter for null or a list's first cell
        // when nothing precedes it.
        let mut gaps = vec![false, false];
        gaps.extend((0..n).map(|i| choice >> i & 1 == 1));
        gaps.truncate(letters.len() + 1);
        while gaps.len() < letters.len() + 1 {
            gaps.push(false);
        }
        found.push((letters.clone(), gaps));
    }
}

/// Drops facts that follow from two others, for a reader's sake.
fn without_consequences(facts: &[Constraint]) -> Vec<Constraint> {
    let has = |left, relation, right| {
        facts.contains(&Constraint {
            left,
            relation,
            right,
        })
    };
    let reaches = |a: Term, b: Term| {
        has(a, Relation::Reaches, b) && a != b && !(has(b, Relation::Reaches, a) && a > b)
    };
    (facts.iter().copied())
        .filter(|c| match c.relation {
            Relation::Reaches => {
                !has(c.left, Relation::Next, c.right)
                    && !has(c.left, Relation::Same, c.right)
                    && !has(c.left, Relation::ReachesStrictly, c.right)
                    && !has(c.right, Relation::Same, c.left)
                    && !facts.iter().any(|d| {
                        d.left == c.left
                            && d.right != c.right
                            && reaches(d.left, d.right)
                            && reaches(d.right, c.right)
                    })
            }
            Relation::ReachesStrictly => !has(c.left, Relation::Next, c.right),
            _ => true,
        })
        .collect()
}
