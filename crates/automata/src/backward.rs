//! Edges followed backwards: who leads to a state, and to whom anything leads at all.

/// The sources of all edges, grouped by target in one array.
pub(crate) struct Backward {
    offsets: Vec<u32>,
    sources: Vec<u32>,
}

impl Backward {
    /// From the edges `(from, to)` of a graph with `n_states` states.
    pub(crate) fn new(
        n_states: usize,
        edges: impl Iterator<Item = (usize, usize)> + Clone,
    ) -> Self {
        let mut offsets = vec![0u32; n_states + 1];
        for (_, to) in edges.clone() {
            offsets[to + 1] += 1;
        }
        for q in 0..n_states {
            offsets[q + 1] += offsets[q];
        }
        let mut fill = offsets.clone();
        let mut sources = vec![0u32; offsets[n_states] as usize];
        for (from, to) in edges {
            sources[fill[to] as usize] = from as u32;
            fill[to] += 1;
        }
        Self { offsets, sources }
    }

    /// The sources of the edges to a state, once for each edge.
    pub(crate) fn sources(&self, to: usize) -> &[u32] {
        &self.sources[self.offsets[to] as usize..self.offsets[to + 1] as usize]
    }

    /// The states from which a state of the set can be reached, the set included.
    pub(crate) fn closure(&self, mut set: Vec<bool>) -> Vec<bool> {
        let mut stack: Vec<u32> = (0..set.len() as u32).filter(|&q| set[q as usize]).collect();
        while let Some(q) = stack.pop() {
            for &p in self.sources(q as usize) {
                if !std::mem::replace(&mut set[p as usize], true) {
                    stack.push(p);
                }
            }
        }
        set
    }
}
