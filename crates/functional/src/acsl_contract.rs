//! What a contract and a loop annotation in ACSL need beside formulas: what callers see to (`requires`), what may be
//! written (`assigns`), and why a loop ends (`loop variant`).
//!
//! All of it is read off the code: a function whose writes cannot be told gets no `assigns`.

use idiolect_invariants::pointers;
use idiolect_invariants::proof::modified;
use idiolect_invariants::records;
use idiolect_invariants::signature::{Length, Parameter, ParameterKind, most_elements};
use idiolect_ir::ctype::{ArrayLength, CType};
use idiolect_ir::graph::{Cfg, Loop, Loops};
use idiolect_ir::{
    BinaryOp, BlockId, ExprId, ExprKind, FuncId, Function, GlobalId, LocalId, LocalKind,
    LocalStorage, Place, Program, StmtKind, TerminatorKind,
};
use idiolect_quantified::acsl;
use idiolect_quantified::point::Point;

/// A range of an array: `a + (0 .. n - 1)`.
struct Range {
    array: String,
    last: String,
}

/// The arrays; inside of loops, parameters that move or change are what they were.
fn ranges(code: &Function, parameters: &[Parameter], in_loop: bool) -> Vec<(usize, Range)> {
    let modified = modified(code);
    let name = |p: &Parameter| match (in_loop, p.local()) {
        (true, Some(l)) if modified[l.index()] => format!("\\at({}, Pre)", p.name),
        (true, _) => pointers::at_loop(code, &p.name),
        (false, _) => p.name.clone(),
    };
    let mut found = Vec::new();
    for (i, p) in parameters.iter().enumerate() {
        let last = match &p.kind {
            ParameterKind::Array { length, .. } => match length {
                Length::Parameter(n) => format!("{} - 1", name(&parameters[*n])),
                Length::Known(n) => n.saturating_sub(1).to_string(),
            },
            ParameterKind::Cell { .. } => "0".to_owned(),
            _ => continue,
        };
        let array = name(p);
        found.push((i, Range { array, last }));
    }
    found
}

fn is_size(name: &str) -> bool {
    name.starts_with("size(")
}

/// Whether all parameters are such that ACSL's own words are enough for them.
fn has_lists(parameters: &[Parameter]) -> bool {
    let is_list = |p: &Parameter| matches!(p.kind, ParameterKind::List(_) | ParameterKind::Head(_));
    parameters.iter().any(is_list)
}

/// The clauses about the shapes of inputs, as the runs and the proof have them.
pub fn requires(program: &Program, function: FuncId, parameters: &[Parameter]) -> Vec<String> {
    if has_lists(parameters) {
        return Vec::new();
    }
    let code = program.function(function);
    let written = written(code, code.block_ids());
    let records = records::opened_names(program, function);
    let mut clauses: Vec<String> = (records.iter())
        .map(|record| format!("requires \\valid({record});"))
        .collect();
    for p in parameters {
        if matches!(p.kind, ParameterKind::Length { .. }) && !is_size(&p.name) {
            clauses.push(format!("requires {} >= 0;", p.name));
        }
        if let Some((pointer, base)) = pointers::distance(&p.name) {
            clauses.push(format!(
                "requires \\base_addr({pointer}) == \\base_addr({base});"
            ));
        }
    }
    for (count, most) in parameters
        .iter()
        .filter_map(|p| most_elements(parameters, p))
    {
        let count = &parameters[count];
        let clause = format!("requires {} <= {most};", count.name);
        if count.local().is_some() && !is_size(&count.name) && !clauses.contains(&clause) {
            clauses.push(clause);
        }
    }
    let all = ranges(code, parameters, false);
    for (i, range) in &all {
        let is_written = match (&written, parameters[*i].local()) {
            (Some(written), Some(local)) => written.contains(&Home::Behind(local)),
            _ => true,
        };
        if range.last == format!("size({}) - 1", range.array) {
            let valid = if is_written {
                "valid_string"
            } else {
                "valid_read_string"
            };
            clauses.push(format!("requires {valid}({});", range.array));
            continue;
        }
        let valid = if is_written {
            "\\valid"
        } else {
            "\\valid_read"
        };
        clauses.push(format!(
            "requires {valid}({} + (0 .. {}));",
            range.array,
            acsl::words(&range.last)
        ));
    }
    // An array inside of a record is a part of it.
    let is_apart = |(i, _): &&(usize, Range)| parameters[*i].local().is_some();
    let ranges = (all.iter().filter(is_apart))
        .map(|(_, r)| format!("{} + (0 .. {})", r.array, acsl::words(&r.last)));
    let parts: Vec<String> = records.iter().cloned().chain(ranges).collect();
    if parts.len() > 1 {
        clauses.push(format!("requires \\separated({});", parts.join(", ")));
    }
    clauses
}

/// Pointers that move stay in their arrays: their distances mean nothing else.
pub fn bases(point: &Point) -> Vec<String> {
    let distances = (point.variables.iter()).filter_map(|v| pointers::distance(&v.name));
    distances
        .map(|(pointer, base)| {
            format!("loop invariant \\base_addr({pointer}) == \\base_addr({base});")
        })
        .collect()
}

/// What an array is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Home {
    /// What a parameter points to.
    Behind(LocalId),
    Global(GlobalId),
}

/// The arrays that these blocks write; nothing if that cannot be told.
fn written(code: &Function, blocks: impl Iterator<Item = BlockId>) -> Option<Vec<Home>> {
    let modified = modified(code);
    let mut found = Vec::new();
    for block in blocks {
        for stmt in &code.block(block).stmts {
            match &stmt.kind {
                StmtKind::Assign {
                    place: Place::Local(_),
                    ..
                }
                | StmtKind::Assume { .. }
                | StmtKind::Mark { .. } => {}
                StmtKind::Assign {
                    place: Place::Memory { address, .. },
                    ..
                } => {
                    let array = behind(code, &modified, *address)?;
                    if !found.contains(&array) {
                        found.push(array);
                    }
                }
                _ => return None,
            }
        }
    }
    Some(found)
}

fn behind(code: &Function, modified: &[bool], address: ExprId) -> Option<Home> {
    match code.expr(address).kind {
        ExprKind::PtrAdd { base, .. } => behind(code, modified, base),
        ExprKind::GlobalAddress(global) => Some(Home::Global(global)),
        ExprKind::Local(l) if code.params.contains(&l) && !modified[l.index()] => {
            Some(Home::Behind(l))
        }
        _ => None,
    }
}

/// What may be written, as a list of places.
fn places(
    program: &Program,
    function: FuncId,
    parameters: &[Parameter],
    blocks: impl Iterator<Item = BlockId>,
    in_loop: bool,
) -> Option<Vec<String>> {
    let code = program.function(function);
    let ranges = ranges(code, parameters, in_loop);
    let mut found = Vec::new();
    if !in_loop {
        let modified = modified(code);
        let members = (code.params.iter()).filter(|p| modified[p.index()]);
        let names = members.map(|&p| code.local(p).name.clone());
        found.extend(names.filter(|name| records::record_of(name).is_some()));
    }
    for array in written(code, blocks)? {
        let array = match array {
            Home::Behind(local) => local,
            Home::Global(global) => {
                found.push(of_global(program, global)?);
                continue;
            }
        };
        let of = |(i, _): &&(usize, Range)| parameters[*i].local() == Some(array);
        let (_, range) = ranges.iter().find(of)?;
        found.push(format!(
            "{}[0 .. {}]",
            range.array,
            acsl::words(&range.last)
        ));
    }
    Some(found)
}

/// All elements of an array that is a variable, or inside of a record.
fn of_global(program: &Program, global: GlobalId) -> Option<String> {
    let variable = program.global(global);
    match *program.types.get(variable.ty) {
        CType::Array {
            length: ArrayLength::Known(n),
            ..
        } if n > 0 => Some(format!("{}[0 .. {}]", variable.name, n - 1)),
        _ => None,
    }
}

/// `assigns a[0 .. n - 1];`
pub fn assigns(program: &Program, function: FuncId, parameters: &[Parameter]) -> Option<String> {
    let code = program.function(function);
    if has_lists(parameters) {
        return None;
    }
    let places = places(program, function, parameters, code.block_ids(), false)?;
    Some(if places.is_empty() {
        "assigns \\nothing;".to_owned()
    } else {
        format!("assigns {};", places.join(", "))
    })
}

/// `loop assigns` and `loop variant` of the loop with this head.
pub fn of_loop(
    program: &Program,
    function: FuncId,
    parameters: &[Parameter],
    head: BlockId,
) -> Vec<String> {
    let code = program.function(function);
    let loops = Loops::new(&Cfg::new(code));
    let Some(looping) = loops.headed_by(head).map(|l| loops.get(l)) else {
        return Vec::new();
    };
    if has_lists(parameters) {
        return Vec::new();
    }
    let mut clauses = Vec::new();
    let blocks = looping.blocks.iter().copied();
    if let Some(mut all) = places(program, function, parameters, blocks, true) {
        all.extend(registers(code, looping, head));
        clauses.push(if all.is_empty() {
            "loop assigns \\nothing;".to_owned()
        } else {
            format!("loop assigns {};", all.join(", "))
        });
    }
    clauses.extend(variant(code, looping, head).map(|v| format!("loop variant {v};")));
    clauses
}

/// Variables that the loop assigns and that are in scope around it.
fn registers(code: &Function, looping: &Loop, head: BlockId) -> Vec<String> {
    let head = code.block(head);
    let at = head.stmts.first().map_or(head.terminator.span, |s| s.span);
    let mut found: Vec<String> = Vec::new();
    for &block in &looping.blocks {
        for stmt in &code.block(block).stmts {
            if let StmtKind::Assign {
                place: Place::Local(l),
                ..
            } = stmt.kind
            {
                let local = code.local(l);
                let is_outside = local.kind == LocalKind::Parameter
                    || local.scope.source == at.source
                        && local.scope.start <= at.start
                        && at.end <= local.scope.end;
                // A distance is that of a pointer, which is what moves.
                let name = pointers::distance(&local.name).map_or(local.name.as_str(), |d| d.0);
                let is_known = found.iter().any(|n| n == name);
                if local.kind != LocalKind::Temporary && is_outside && !is_known {
                    found.push(name.to_owned());
                }
            }
        }
    }
    found
}

/// What grows smaller with each round: for a loop that runs while `i < n`, `n - i` if the end of each round adds to
/// `i` and nothing else assigns to the two.
fn variant(code: &Function, looping: &Loop, head: BlockId) -> Option<String> {
    let TerminatorKind::Branch { condition, .. } = code.block(head).terminator.kind else {
        return None;
    };
    let mut condition = condition;
    while let ExprKind::And(first, _) = code.expr(condition).kind {
        condition = first;
    }
    let ExprKind::Binary(BinaryOp::SLt | BinaryOp::ULt, small, large) = code.expr(condition).kind
    else {
        return None;
    };
    let [(latch, _)] = looping.back_edges[..] else {
        return None;
    };
    let name = |e: ExprId| match code.expr(e).kind {
        ExprKind::Local(l) if matches!(code.local(l).storage, LocalStorage::Register(_)) => {
            let name = pointers::at_loop(code, &code.local(l).name);
            Some(match pointers::distance(&name) {
                Some(_) => format!("({name})"),
                None => name,
            })
        }
        ExprKind::Const(bits) if bits < 1 << 20 => Some(bits.to_string()),
        _ => None,
    };
    // By how much each assignment in the loop changes it; nothing if that cannot be told.
    let steps = |e: ExprId| {
        let ExprKind::Local(l) = code.expr(e).kind else {
            return Some(Vec::new());
        };
        let mut found = Vec::new();
        for &block in &looping.blocks {
            for stmt in &code.block(block).stmts {
                let StmtKind::Assign {
                    place: Place::Local(to),
                    value,
                } = stmt.kind
                else {
                    continue;
                };
                if to != l {
                    continue;
                }
                let ExprKind::Binary(op, left, right) = code.expr(value).kind else {
                    return None;
                };
                let is_step = code.expr(left).kind == ExprKind::Local(l)
                    && matches!(code.expr(right).kind, ExprKind::Const(1..=64))
                    && block == latch;
                match (op, is_step) {
                    (BinaryOp::Add { .. }, true) => found.push(1),
                    (BinaryOp::Sub { .. }, true) => found.push(-1),
                    _ => return None,
                }
            }
        }
        Some(found)
    };
    let (low, high) = (steps(small)?, steps(large)?);
    let shrinks = low.iter().all(|&s| s > 0) && high.iter().all(|&s| s < 0);
    let moves = !low.is_empty() || !high.is_empty();
    let (small, large) = (name(small)?, name(large)?);
    (shrinks && moves).then(|| match small.as_str() {
        "0" => large,
        _ => format!("{large} - {small}"),
    })
}
