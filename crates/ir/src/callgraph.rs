//! Who calls whom.
//!
//! A call through a pointer may reach every function whose address is taken somewhere in the
//! program, in code or in an initial value, and that takes and returns what the call passes and
//! expects; calls with other arguments are faults. Addresses that a program computes from integers
//! are not seen, so a call without candidates is not known to be impossible.

use crate::expr::{ExprKind, Ty};
use crate::graph::{Cfg, Loops};
use crate::program::{FuncId, Function, GlobalTarget, LocalStorage, Program};
use crate::scc::Components;
use crate::stmt::{BlockId, Callee, StmtKind, TerminatorKind};

/// One call statement that calls functions rather than a builtin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallSite {
    pub block: BlockId,
    /// The position of the statement in the block.
    pub index: usize,
    /// What may be called, ascending: exactly one for a direct call.
    pub callees: Vec<FuncId>,
    pub is_indirect: bool,
}

/// The calls of a well-formed program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallGraph {
    /// By function, in the order of blocks and statements.
    sites: Vec<Vec<CallSite>>,
    callees: Vec<Vec<usize>>,
    callers: Vec<Vec<FuncId>>,
    address_taken: Vec<FuncId>,
    /// Groups of mutually recursive functions; callees come before their callers.
    components: Vec<Vec<FuncId>>,
    is_recursive: Vec<bool>,
    reachable: Vec<bool>,
    can_return: Vec<bool>,
}

impl CallGraph {
    pub fn new(program: &Program) -> Self {
        let n = program.functions.len();
        let address_taken = address_taken(program);
        let sites: Vec<Vec<CallSite>> = program
            .functions
            .iter()
            .map(|f| call_sites(program, f, &address_taken))
            .collect();
        let mut callees: Vec<Vec<usize>> = Vec::with_capacity(n);
        let mut callers = vec![Vec::new(); n];
        for (caller, sites) in sites.iter().enumerate() {
            let mut all: Vec<usize> = sites
                .iter()
                .flat_map(|s| s.callees.iter().map(|f| f.index()))
                .collect();
            all.sort_unstable();
            all.dedup();
            for &callee in &all {
                callers[callee].push(FuncId::new(caller));
            }
            callees.push(all);
        }
        let components = Components::new(n).find(&callees, |_| true, 0..n);
        let mut is_recursive = vec![false; n];
        for component in &components {
            for &f in component {
                is_recursive[f] = component.len() > 1 || callees[f].binary_search(&f).is_ok();
            }
        }
        let reachable = reachable(&callees, program.start.index());
        let can_return = can_return(program, &sites, &callers);
        Self {
            sites,
            callees,
            callers,
            address_taken,
            components: components
                .into_iter()
                .map(|c| c.into_iter().map(FuncId::new).collect())
                .collect(),
            is_recursive,
            reachable,
            can_return,
        }
    }

    pub fn sites(&self, caller: FuncId) -> &[CallSite] {
        &self.sites[caller.index()]
    }

    pub fn callees(&self, caller: FuncId) -> impl Iterator<Item = FuncId> + '_ {
        self.callees[caller.index()].iter().map(|&f| FuncId::new(f))
    }

    pub fn callers(&self, callee: FuncId) -> &[FuncId] {
        &self.callers[callee.index()]
    }

    /// The functions that pointers may point to, ascending.
    pub fn address_taken(&self) -> &[FuncId] {
        &self.address_taken
    }

    /// Groups of functions that call each other, each after those that it calls.
    pub fn components(&self) -> &[Vec<FuncId>] {
        &self.components
    }

    /// Whether a function may call itself, at once or through others.
    pub fn is_recursive(&self, function: FuncId) -> bool {
        self.is_recursive[function.index()]
    }

    /// Whether calls lead from the start of the program to this function.
    pub fn is_reachable(&self, function: FuncId) -> bool {
        self.reachable[function.index()]
    }

    /// Whether a run may go on for ever, as far as the graphs tell: some function that is called has a loop or
    /// calls itself.
    pub fn has_cycles(&self, program: &Program) -> bool {
        let called = program.function_ids().filter(|&f| self.is_reachable(f));
        called.into_iter().any(|id| {
            let function = program.function(id);
            let has_loop = || !Loops::new(&Cfg::new(function)).all().is_empty();
            self.is_recursive(id) || !function.blocks.is_empty() && has_loop()
        })
    }

    /// Whether some path through the function ends in a return. Paths are those of the graph,
    /// with calls that return matched to returns; whether conditions allow them does not matter.
    pub fn can_return(&self, function: FuncId) -> bool {
        self.can_return[function.index()]
    }
}

fn address_taken(program: &Program) -> Vec<FuncId> {
    let mut taken = vec![false; program.functions.len()];
    let in_values = program.globals.iter().flat_map(|g| &g.relocations);
    for relocation in in_values {
        if let GlobalTarget::Function(f) = relocation.target {
            taken[f.index()] = true;
        }
    }
    for expr in program.functions.iter().flat_map(|f| &f.exprs) {
        if let ExprKind::FunctionAddress(f) = expr.kind {
            taken[f.index()] = true;
        }
    }
    program
        .function_ids()
        .filter(|f| taken[f.index()])
        .collect()
}

/// The register types of a function's parameters.
fn parameters(function: &Function) -> impl Iterator<Item = Option<Ty>> + '_ {
    function
        .params
        .iter()
        .map(|&p| match function.local(p).storage {
            LocalStorage::Register(ty) => Some(ty),
            _ => None,
        })
}

fn call_sites(program: &Program, function: &Function, taken: &[FuncId]) -> Vec<CallSite> {
    let mut sites = Vec::new();
    for (b, block) in function.blocks.iter().enumerate() {
        for (index, stmt) in block.stmts.iter().enumerate() {
            let StmtKind::Call { callee, args, dest } = &stmt.kind else {
                continue;
            };
            let (callees, is_indirect) = match callee {
                Callee::Builtin(_) => continue,
                Callee::Function(f) => (vec![*f], false),
                Callee::Pointer { .. } => {
                    let given = || args.iter().map(|&a| Some(function.expr(a).ty));
                    let fits = |f: &FuncId| {
                        let callee = program.function(*f);
                        let returns = dest.is_none() || callee.ret.is_some();
                        returns && parameters(callee).eq(given())
                    };
                    (taken.iter().copied().filter(fits).collect(), true)
                }
            };
            sites.push(CallSite {
                block: BlockId::new(b),
                index,
                callees,
                is_indirect,
            });
        }
    }
    sites
}

fn reachable(callees: &[Vec<usize>], start: usize) -> Vec<bool> {
    let mut seen = vec![false; callees.len()];
    let mut todo = vec![start];
    while let Some(f) = todo.pop() {
        if !std::mem::replace(&mut seen[f], true) {
            todo.extend(&callees[f]);
        }
    }
    seen
}

/// The least solution: a function returns if a return can be reached over calls that return.
/// Each function is looked at again only when a callee turned out to return.
fn can_return(program: &Program, sites: &[Vec<CallSite>], callers: &[Vec<FuncId>]) -> Vec<bool> {
    let n = program.functions.len();
    let cfgs: Vec<Cfg> = program.functions.iter().map(Cfg::new).collect();
    let mut returns = vec![false; n];
    let mut queued = vec![true; n];
    let mut todo: Vec<usize> = (0..n).rev().collect();
    while let Some(f) = todo.pop() {
        queued[f] = false;
        if returns[f] || !reaches_return(program, f, &cfgs[f], &sites[f], &returns) {
            continue;
        }
        returns[f] = true;
        for caller in &callers[f] {
            if !std::mem::replace(&mut queued[caller.index()], true) {
                todo.push(caller.index());
            }
        }
    }
    returns
}

fn reaches_return(
    program: &Program,
    function: usize,
    cfg: &Cfg,
    sites: &[CallSite],
    returns: &[bool],
) -> bool {
    let blocks = &program.functions[function].blocks;
    let mut passable = vec![true; blocks.len()];
    for site in sites {
        let comes_back = site.callees.is_empty() || site.callees.iter().any(|f| returns[f.index()]);
        if !comes_back {
            passable[site.block.index()] = false;
        }
    }
    let mut seen = vec![false; blocks.len()];
    let mut todo = vec![Function::ENTRY];
    while let Some(block) = todo.pop() {
        let i = block.index();
        if i >= blocks.len() || std::mem::replace(&mut seen[i], true) || !passable[i] {
            continue;
        }
        if matches!(blocks[i].terminator.kind, TerminatorKind::Return(_)) {
            return true;
        }
        todo.extend(cfg.successors(block));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::any_program;
    use crate::text::parse;
    use proptest::prelude::*;

    const PROGRAM: &str = r#"program lp64 start %start entry main
type t0 = int
type t1 = fn() -> t0
type t2 = fn(t0) -> t0
global table: t0 size 8 align 8 at 0 &even()
fn main() -> i32 : t1 user {
  temp r: t0 i32
b0:
  r := call (&odd(): t2)(1:i32)
  call stop()
  return r
}
fn even(n) -> i32 : t2 user {
  param n: t0 i32
  temp r: t0 i32
b0:
  branch eq(n, 0:i32) b1 b2
b1:
  return 1:i32
b2:
  r := call odd(sub(n, 1:i32))
  return r
}
fn odd(n) -> i32 : t2 user {
  param n: t0 i32
  temp r: t0 i32
b0:
  r := call even(sub(n, 1:i32))
  return r
}
fn stop() -> i32 : t1 user {
b0:
  exit 1:i32
}
fn unused() -> i32 : t1 user {
  temp r: t0 i32
b0:
  r := call unused()
  return r
}
fn %start() -> i32 : t1 synthetic {
  temp r: t0 i32
b0:
  r := call main()
  exit r
}
"#;

    #[test]
    fn calls_are_found_and_judged() {
        let program = parse(PROGRAM).unwrap();
        let graph = CallGraph::new(&program);
        let describe = |id: FuncId| {
            let mut words = vec![program.function(id).name.clone()];
            words.extend(graph.callees(id).map(|f| program.function(f).name.clone()));
            let flags = [
                (graph.is_recursive(id), "recursive"),
                (graph.is_reachable(id), "reachable"),
                (graph.can_return(id), "returns"),
            ];
            let on = flags.iter().filter(|f| f.0).map(|f| f.1);
            format!("{}: {}", words.join(" "), on.collect::<Vec<_>>().join(" "))
        };
        let lines: Vec<String> = program.function_ids().map(describe).collect();
        assert_eq!(
            lines,
            [
                "main even odd stop: reachable",
                "even odd: recursive reachable returns",
                "odd even: recursive reachable returns",
                "stop: reachable",
                "unused unused: recursive",
                "%start main: reachable",
            ]
        );
        let ids = |names: &[&str]| -> Vec<FuncId> {
            names
                .iter()
                .map(|n| program.function_named(n).unwrap())
                .collect()
        };
        assert_eq!(graph.address_taken(), ids(&["even", "odd"]));
        assert!(graph.components().contains(&ids(&["even", "odd"])));
        assert_eq!(graph.callers(FuncId(3)), ids(&["main"]));
    }

    proptest! {
        #[test]
        fn components_come_after_what_they_call(seed: u64) {
            let program = any_program(seed);
            let graph = CallGraph::new(&program);
            let mut place = vec![0; program.functions.len()];
            for (i, component) in graph.components().iter().enumerate() {
                for f in component {
                    place[f.index()] = i;
                }
            }
            for f in program.function_ids() {
                for callee in graph.callees(f) {
                    prop_assert!(place[callee.index()] <= place[f.index()]);
                    prop_assert!(graph.callers(callee).contains(&f));
                    prop_assert!(!graph.is_reachable(f) || graph.is_reachable(callee));
                }
            }
        }
    }
}
