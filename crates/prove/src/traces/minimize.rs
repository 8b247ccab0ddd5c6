//! Merges states of the same future of a deterministic automaton with few letters a state: A. Valmari and
//! P. Lehtinen, *Efficient Minimization of DFAs with Partial Transition Functions*, STACS 2008. It takes
//! `m log m` steps for `m` edges, however long the words are.

use idiolect_base::{Budget, StopReason};

/// A partition of numbers into sets, each of them a slice of `elements`.
struct Partition {
    elements: Vec<u32>,
    /// By element: where it is, and its set.
    place: Vec<u32>,
    set_of: Vec<u32>,
    /// By set: where it starts, ends, and how many at its start are marked.
    first: Vec<u32>,
    past: Vec<u32>,
    n_marked: Vec<u32>,
    /// Sets with marked elements.
    touched: Vec<u32>,
}

impl Partition {
    /// One set for each run of equal keys.
    fn by_key(n: usize, key: impl Fn(u32) -> u32) -> Self {
        let mut elements: Vec<u32> = (0..n as u32).collect();
        elements.sort_by_key(|&e| (key(e), e));
        let mut own = Self {
            place: vec![0; n],
            set_of: vec![0; n],
            first: Vec::new(),
            past: Vec::new(),
            n_marked: Vec::new(),
            touched: Vec::new(),
            elements,
        };
        for i in 0..n {
            let element = own.elements[i];
            if i == 0 || key(own.elements[i - 1]) != key(element) {
                own.first.push(i as u32);
                own.past.push(i as u32);
                own.n_marked.push(0);
            }
            let set = own.first.len() - 1;
            own.past[set] = i as u32 + 1;
            own.place[element as usize] = i as u32;
            own.set_of[element as usize] = set as u32;
        }
        own
    }

    fn n_sets(&self) -> usize {
        self.first.len()
    }

    fn elements_of(&self, set: usize) -> std::ops::Range<usize> {
        self.first[set] as usize..self.past[set] as usize
    }

    /// Moves the element to the marked ones of its set.
    fn mark(&mut self, element: u32) {
        let set = self.set_of[element as usize] as usize;
        let from = self.place[element as usize];
        let to = self.first[set] + self.n_marked[set];
        if from < to {
            return;
        }
        let other = self.elements[to as usize];
        self.elements.swap(from as usize, to as usize);
        self.place[other as usize] = from;
        self.place[element as usize] = to;
        if self.n_marked[set] == 0 {
            self.touched.push(set as u32);
        }
        self.n_marked[set] += 1;
    }

    /// Marked and other elements of a set become two; the smaller part gets a new number.
    fn split(&mut self) {
        while let Some(set) = self.touched.pop() {
            let set = set as usize;
            let middle = self.first[set] + self.n_marked[set];
            self.n_marked[set] = 0;
            if middle == self.past[set] {
                continue;
            }
            let new = if middle - self.first[set] <= self.past[set] - middle {
                let part = (self.first[set], middle);
                self.first[set] = middle;
                part
            } else {
                let part = (middle, self.past[set]);
                self.past[set] = middle;
                part
            };
            let number = self.first.len() as u32;
            for i in new.0..new.1 {
                self.set_of[self.elements[i as usize] as usize] = number;
            }
            self.first.push(new.0);
            self.past.push(new.1);
            self.n_marked.push(0);
        }
    }
}

/// By state the number of its class, in the order of their first states, and how many there are. From every
/// state an accepting one can be reached; `edges` has letters and targets by state.
pub fn classes(
    edges: &[Vec<(u32, u32)>],
    accepting: &[bool],
    budget: &Budget,
) -> Result<(Vec<u32>, usize), StopReason> {
    let n = edges.len();
    let mut all: Vec<(u32, u32, u32)> = Vec::new();
    for (from, row) in edges.iter().enumerate() {
        all.extend(row.iter().map(|&(letter, to)| (from as u32, letter, to)));
    }
    // The edges into a state.
    let mut into: Vec<Vec<u32>> = vec![Vec::new(); n];
    for (number, &(_, _, to)) in all.iter().enumerate() {
        into[to as usize].push(number as u32);
    }
    let mut states = Partition::by_key(n, |q| u32::from(accepting[q as usize]));
    let mut cords = Partition::by_key(all.len(), |e| all[e as usize].1);
    // Both parts of the first partition of states split edges, but the complement of one does what it does.
    let (mut next_states, mut next_cords) = (1, 0);
    while next_cords < cords.n_sets() {
        budget.spend(0)?;
        for i in cords.elements_of(next_cords) {
            states.mark(all[cords.elements[i] as usize].0);
        }
        states.split();
        next_cords += 1;
        while next_states < states.n_sets() {
            budget.spend(0)?;
            for i in states.elements_of(next_states) {
                for &edge in &into[states.elements[i] as usize] {
                    cords.mark(edge);
                }
            }
            cords.split();
            next_states += 1;
        }
    }
    let mut number = vec![u32::MAX; states.n_sets()];
    let mut n_classes = 0;
    let class = (0..n)
        .map(|q| {
            let own = &mut number[states.set_of[q] as usize];
            if *own == u32::MAX {
                *own = n_classes;
                n_classes += 1;
            }
            *own
        })
        .collect();
    Ok((class, n_classes as usize))
}

#[cfg(test)]
mod tests {
    use super::*;
    use idiolect_base::Rng;
    use std::collections::HashMap;
    use std::time::Duration;

    /// Moore's refinement, which is easy to believe.
    fn refined(edges: &[Vec<(u32, u32)>], accepting: &[bool]) -> (Vec<u32>, usize) {
        let mut class: Vec<u32> = accepting.iter().map(|&a| u32::from(a)).collect();
        let mut n_classes = 0;
        loop {
            let mut number = HashMap::new();
            class = (0..edges.len())
                .map(|q| {
                    let row = edges[q].iter().map(|&(a, to)| (a, class[to as usize]));
                    let signature = (class[q], row.collect::<Vec<_>>());
                    let new = number.len() as u32;
                    *number.entry(signature).or_insert(new)
                })
                .collect();
            if number.len() == n_classes {
                return (class, n_classes);
            }
            n_classes = number.len();
        }
    }

    #[test]
    fn the_classes_are_those_of_moores_refinement() {
        let mut n_other = 0;
        for seed in 0..500 {
            let mut rng = Rng::new(seed, 0);
            let n = 1 + rng.below(8) as usize;
            // A chain to the last state, which accepts, so that every state is live; and every state twice.
            let mut single: Vec<Vec<(u32, u32)>> = Vec::new();
            for q in 0..n {
                let mut row = vec![(0, (q + 1).min(n - 1) as u32)];
                for letter in 1..4 {
                    if rng.chance(1, 2) {
                        row.push((letter, rng.below(n as u64) as u32));
                    }
                }
                single.push(row);
            }
            let accepts: Vec<bool> = (0..n).map(|q| q + 1 == n || rng.chance(1, 3)).collect();
            let mut twin = |to: u32| to + n as u32 * rng.below(2) as u32;
            let edges: Vec<Vec<(u32, u32)>> = (0..2 * n)
                .map(|q| {
                    let row = single[q % n].iter();
                    row.map(|&(letter, to)| (letter, twin(to))).collect()
                })
                .collect();
            let accepting: Vec<bool> = (0..2 * n).map(|q| accepts[q % n]).collect();
            let found = classes(&edges, &accepting, &Budget::unlimited()).unwrap();
            assert_eq!(found, refined(&edges, &accepting), "seed {seed}");
            assert!(found.1 <= n);
            n_other += usize::from(found.1 < n);
        }
        assert!(n_other > 0);
    }

    /// Moore's refinement takes as many rounds as the chain has states: 10^10 steps.
    #[test]
    fn a_long_chain_is_no_trouble_and_the_clock_is_looked_at() {
        let n = 100_000;
        let edges: Vec<Vec<(u32, u32)>> = (0..n)
            .map(|q| if q + 1 < n { vec![(0, q + 1)] } else { vec![] })
            .collect();
        let accepting: Vec<bool> = (0..n).map(|q| q + 1 == n).collect();
        let (_, n_classes) = classes(&edges, &accepting, &Budget::unlimited()).unwrap();
        assert_eq!(n_classes, n as usize);
        let over = Budget::unlimited().within(Duration::ZERO);
        assert_eq!(classes(&edges, &accepting, &over), Err(StopReason::Time));
    }
}
