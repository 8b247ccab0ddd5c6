//! Strongly connected components: Tarjan's algorithm with an explicit stack, because call chains
//! and control-flow graphs can be deeper than the machine's.

/// The components of the graph on `0..successors.len()`, restricted to nodes where `inside` is
/// true. A component comes after those that it leads to; nodes of one are in ascending order.
pub(crate) fn components<N: AsRef<[usize]>>(
    successors: &[N],
    inside: impl Fn(usize) -> bool,
    roots: impl IntoIterator<Item = usize>,
) -> Vec<Vec<usize>> {
    const UNSEEN: usize = usize::MAX;
    let n = successors.len();
    let mut order = vec![UNSEEN; n];
    let mut low = vec![0; n];
    let mut on_stack = vec![false; n];
    let mut stack = Vec::new();
    let mut components = Vec::new();
    let mut next = 0;
    // Nodes on the current path, each with the number of successors already looked at.
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in roots {
        if order[root] != UNSEEN || !inside(root) {
            continue;
        }
        path.push((root, 0));
        while let Some(&mut (node, ref mut looked_at)) = path.last_mut() {
            if order[node] == UNSEEN {
                order[node] = next;
                low[node] = next;
                next += 1;
                stack.push(node);
                on_stack[node] = true;
            }
            if let Some(&to) = successors[node].as_ref().get(*looked_at) {
                *looked_at += 1;
                if !inside(to) {
                    continue;
                }
                if order[to] == UNSEEN {
                    path.push((to, 0));
                } else if on_stack[to] {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            path.pop();
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
            if low[node] == order[node] {
                let from = stack.iter().rposition(|&m| m == node).unwrap_or(0);
                let mut component = stack.split_off(from);
                for &member in &component {
                    on_stack[member] = false;
                }
                component.sort_unstable();
                components.push(component);
            }
        }
    }
    components
}
