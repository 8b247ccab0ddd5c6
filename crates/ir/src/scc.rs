//! Strongly connected components: Tarjan's algorithm with an explicit stack, because call chains
//! and control-flow graphs can be deeper than the machine's.

const UNSEEN: usize = usize::MAX;

/// Working memory for one graph. Each use costs time for the nodes that it visits only, so that
/// regions of a graph can be searched one after the other.
pub(crate) struct Components {
    order: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
}

impl Components {
    pub fn new(n_nodes: usize) -> Self {
        Self {
            order: vec![UNSEEN; n_nodes],
            low: vec![0; n_nodes],
            on_stack: vec![false; n_nodes],
        }
    }

    /// The components of what `roots` reach over nodes where `inside` holds. A component comes
    /// after those that it leads to; nodes of one are in ascending order.
    pub fn find(
        &mut self,
        successors: &[Vec<usize>],
        inside: impl Fn(usize) -> bool,
        roots: impl IntoIterator<Item = usize>,
    ) -> Vec<Vec<usize>> {
        let mut stack = Vec::new();
        let mut components = Vec::new();
        let mut next = 0;
        // Nodes on the current path, each with the number of successors already looked at.
        let mut path: Vec<(usize, usize)> = Vec::new();
        for root in roots {
            if self.order[root] != UNSEEN || !inside(root) {
                continue;
            }
            path.push((root, 0));
            while let Some(&mut (node, ref mut looked_at)) = path.last_mut() {
                if self.order[node] == UNSEEN {
                    self.order[node] = next;
                    self.low[node] = next;
                    next += 1;
                    stack.push(node);
                    self.on_stack[node] = true;
                }
                if let Some(&to) = successors[node].get(*looked_at) {
                    *looked_at += 1;
                    if !inside(to) {
                        continue;
                    }
                    if self.order[to] == UNSEEN {
                        path.push((to, 0));
                    } else if self.on_stack[to] {
                        self.low[node] = self.low[node].min(self.order[to]);
                    }
                    continue;
                }
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    self.low[parent] = self.low[parent].min(self.low[node]);
                }
                if self.low[node] == self.order[node] {
                    let from = stack.iter().rposition(|&m| m == node).unwrap_or(0);
                    let mut component = stack.split_off(from);
                    for &member in &component {
                        self.on_stack[member] = false;
                    }
                    component.sort_unstable();
                    components.push(component);
                }
            }
        }
        for &node in components.iter().flatten() {
            self.order[node] = UNSEEN;
        }
        components
    }
}
