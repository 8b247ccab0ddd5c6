//! What may count as an error: properties, faults, and the locations where they can be violated.

use crate::expr::{BinaryOp, ExprId, ExprKind, UnaryOp};
use crate::locations::Location;
use crate::program::{FuncId, Function, Program};
use crate::stmt::{Builtin, Callee, StmtKind, TerminatorKind};
use std::fmt;

/// A class of errors that a user may ask about.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Property {
    /// No assertion fails, no error function is called.
    Assert,
    /// No access outside of live objects: SV-COMP's `valid-deref`.
    Memory,
    /// Only blocks of the heap are freed, and once: `valid-free`.
    Free,
    /// No block of the heap is lost: `valid-memtrack`.
    Leak,
    /// No division by zero, nor of the smallest value by -1.
    Division,
    /// No signed overflow: `no-overflow`.
    Overflow,
    /// No shift by a negative number, or by as many bits as there are or more.
    Shift,
    /// No value is used that was never written.
    Uninitialised,
    /// No recursion that needs more stack than there is.
    Stack,
}

impl Property {
    pub const ALL: [Property; 9] = [
        Property::Assert,
        Property::Memory,
        Property::Free,
        Property::Leak,
        Property::Division,
        Property::Overflow,
        Property::Shift,
        Property::Uninitialised,
        Property::Stack,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Property::Assert => "assert",
            Property::Memory => "valid-deref",
            Property::Free => "valid-free",
            Property::Leak => "leak",
            Property::Division => "division",
            Property::Overflow => "overflow",
            Property::Shift => "shift",
            Property::Uninitialised => "uninitialised",
            Property::Stack => "stack",
        }
    }

    /// The name that SV-COMP has for it; our own where it has none.
    pub fn sv_comp_name(self) -> &'static str {
        match self {
            Property::Assert => "unreach-call",
            Property::Leak => "valid-memtrack",
            Property::Overflow => "no-overflow",
            _ => self.name(),
        }
    }

    /// What it says of all runs, as SV-COMP writes it; in our own words where it has none.
    pub fn sv_comp_formula(self) -> &'static str {
        match self {
            Property::Assert => "G ! call(reach_error())",
            Property::Memory => "G valid-deref",
            Property::Free => "G valid-free",
            Property::Leak => "G valid-memtrack",
            Property::Overflow => "G ! overflow",
            Property::Division => "G ! division-by-zero",
            Property::Shift => "G ! shift-too-far",
            Property::Uninitialised => "G ! uninitialised",
            Property::Stack => "G ! stack-exhausted",
        }
    }

    /// The properties that a name stands for: one by our name or by SV-COMP's, or several.
    pub fn named(name: &str) -> Option<Vec<Property>> {
        let of_users = PropertyName::ALL.iter();
        let mut found = of_users
            .filter(|n| n.name == name)
            .map(|n| n.properties.to_vec());
        let by_sv_comp = || Self::ALL.into_iter().find(|p| p.sv_comp_name() == name);
        found.next().or_else(|| by_sv_comp().map(|p| vec![p]))
    }

    /// The names of a set, as short as possible: `memory` for accesses and frees.
    pub fn names(properties: &[Property]) -> Vec<&'static str> {
        let has_memory = [Property::Memory, Property::Free]
            .iter()
            .all(|p| properties.contains(p));
        let mut names = Vec::new();
        for property in properties {
            let name = match property {
                Property::Memory | Property::Free if has_memory => "memory",
                other => other.name(),
            };
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// A name that users have for one property or several: the values of `--property`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PropertyName {
    pub name: &'static str,
    /// Another name for the same.
    pub alias: Option<&'static str>,
    pub about: &'static str,
    pub properties: &'static [Property],
}

impl PropertyName {
    /// In the order of help.
    pub const ALL: &'static [PropertyName] = &[
        Self::one(
            "assert",
            "Assertions and `reach_error`",
            &[Property::Assert],
        )
        .or("unreach-call"),
        Self::one(
            "memory",
            "Accesses and frees: `valid-deref` and `valid-free`",
            &[Property::Memory, Property::Free],
        ),
        Self::one("division", "Division by zero", &[Property::Division]),
        Self::one("overflow", "Signed overflow", &[Property::Overflow]).or("no-overflow"),
        Self::one(
            "leak",
            "Blocks of the heap that are lost",
            &[Property::Leak],
        )
        .or("valid-memtrack"),
        Self::one(
            "uninitialised",
            "Use of a value that was never written",
            &[Property::Uninitialised],
        )
        .or("uninitialized"),
        Self::one(
            "shift",
            "Shifts by a negative number or by as many bits as there are",
            &[Property::Shift],
        ),
        Self::one(
            "stack",
            "Recursion that needs more stack than there is",
            &[Property::Stack],
        ),
        Self::one(
            "valid-deref",
            "Null, out-of-bounds and freed accesses, as SV-COMP calls it",
            &[Property::Memory],
        ),
        Self::one(
            "valid-free",
            "Frees of something other than a block, or twice",
            &[Property::Free],
        ),
        Self::one(
            "valid-memsafety",
            "`memory` and `leak`",
            &[Property::Memory, Property::Free, Property::Leak],
        ),
        Self::one("all", "Everything above", &Property::ALL),
    ];

    const fn one(name: &'static str, about: &'static str, properties: &'static [Property]) -> Self {
        Self {
            name,
            alias: None,
            about,
            properties,
        }
    }

    const fn or(self, alias: &'static str) -> Self {
        Self {
            alias: Some(alias),
            ..self
        }
    }
}

impl fmt::Display for Property {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What a program does wrong when it stops for a reason other than a failing assertion.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum FaultKind {
    NullDereference,
    /// The pointer names no object, such as one made from an integer.
    InvalidPointer,
    OutOfBounds,
    UseAfterFree,
    /// Use of a local whose scope or function has been left.
    UseAfterReturn,
    DoubleFree,
    /// Not the start of a heap block.
    InvalidFree,
    WriteToReadOnly,
    DivisionByZero,
    /// The smallest value divided by -1.
    DivisionOverflow,
    SignedOverflow,
    /// A shift by the width or more, or one that loses bits of a signed value.
    ShiftOverflow,
    BadFunctionPointer,
    /// A call through a pointer with arguments that the function does not take.
    WrongArguments,
    /// The program promised never to be here.
    Unreachable,
    /// A heap block that nothing points to any more when the program exits.
    Leak,
    /// `memcpy` between ranges that overlap.
    Overlap,
    /// A shift by a negative number, or by as many bits as there are or more.
    ShiftTooFar,
    /// A value is used that was never written.
    Uninitialised,
    /// More open calls than the stack has room for.
    StackExhausted,
    /// All threads wait for each other.
    Deadlock,
}

impl FaultKind {
    /// The property that the fault violates. Reaching what `__builtin_unreachable()` promises
    /// away violates none that a user can choose: it is always a warning.
    pub fn property(self) -> Option<Property> {
        use FaultKind::*;
        Some(match self {
            NullDereference | InvalidPointer | OutOfBounds | UseAfterFree | UseAfterReturn
            | WriteToReadOnly | BadFunctionPointer | WrongArguments | Overlap => Property::Memory,
            DoubleFree | InvalidFree => Property::Free,
            Leak => Property::Leak,
            ShiftTooFar => Property::Shift,
            Uninitialised => Property::Uninitialised,
            StackExhausted => Property::Stack,
            DivisionByZero | DivisionOverflow => Property::Division,
            SignedOverflow | ShiftOverflow => Property::Overflow,
            Unreachable | Deadlock => return None,
        })
    }

    /// Whether one of these properties is violated. The smallest value divided by -1 has no result of its
    /// type, so it is an overflow as well as a division that faults.
    pub fn violates(self, properties: &[Property]) -> bool {
        let is_overflow = self == FaultKind::DivisionOverflow;
        self.property().is_some_and(|p| properties.contains(&p))
            || is_overflow && properties.contains(&Property::Overflow)
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use FaultKind::*;
        f.write_str(match self {
            NullDereference => "null pointer dereference",
            InvalidPointer => "access through an invalid pointer",
            OutOfBounds => "access out of bounds",
            UseAfterFree => "use after free",
            UseAfterReturn => "use of a local variable after its lifetime",
            DoubleFree => "double free",
            InvalidFree => "free of something other than a heap block",
            WriteToReadOnly => "write to a constant",
            DivisionByZero => "division by zero",
            DivisionOverflow => "division overflow",
            SignedOverflow => "signed overflow",
            ShiftOverflow => "shift overflow",
            BadFunctionPointer => "call through something other than a function",
            WrongArguments => "call with arguments that the function does not take",
            Unreachable => "unreachable code reached",
            Leak => "memory leak",
            Overlap => "copy between overlapping ranges",
            ShiftTooFar => "shift by a negative number or by the width or more",
            Uninitialised => "use of an uninitialised value",
            StackExhausted => "stack exhausted by recursion",
            Deadlock => "deadlock: every thread waits for another one",
        })
    }
}

/// The locations of reachable or unreachable code where the property can be violated, ascending.
///
/// For [`Property::Assert`] these are the error terminators: being there *is* the error. For the
/// others it is where an operation of the statement or terminator may fault, so that an error
/// needs the operation's values too; operations that no value makes fault, such as a division by
/// the constant 2, do not count. What the checks of [`checks`](crate::checks) look for is where they were put.
pub fn error_locations(program: &Program, property: Property) -> Vec<Location> {
    program
        .function_ids()
        .flat_map(|f| function_error_locations(program, f, property))
        .collect()
}

/// The ends of blocks at which being is an error under these properties, ascending.
pub fn error_ends(program: &Program, properties: &[Property]) -> Vec<Location> {
    let is_error = |kind: &TerminatorKind| match kind {
        TerminatorKind::Error(_) => properties.contains(&Property::Assert),
        TerminatorKind::Fault(kind) => kind.violates(properties),
        _ => false,
    };
    let mut ends = Vec::new();
    for function in program.function_ids() {
        let body = program.function(function);
        for (block, b) in body.block_ids().zip(&body.blocks) {
            if is_error(&b.terminator.kind) {
                ends.push(Location {
                    function,
                    block,
                    index: b.stmts.len(),
                });
            }
        }
    }
    ends
}

/// As [`error_locations`], for one function.
pub fn function_error_locations(
    program: &Program,
    function: FuncId,
    property: Property,
) -> Vec<Location> {
    let body = program.function(function);
    let risky = risky_exprs(body, property);
    let is_risky = |e: ExprId| risky[e.index()];
    let mut locations = Vec::new();
    for (block, b) in body.block_ids().zip(&body.blocks) {
        for (index, stmt) in b.stmts.iter().enumerate() {
            let mut found = touches(&stmt.kind, property);
            stmt.kind.for_each_expr(|e| found |= is_risky(e));
            if found {
                locations.push(Location {
                    function,
                    block,
                    index,
                });
            }
        }
        let is_error = match &b.terminator.kind {
            TerminatorKind::Error(_) => property == Property::Assert,
            TerminatorKind::Fault(kind) => kind.property() == Some(property),
            kind => kind.expr().is_some_and(is_risky),
        };
        if is_error {
            locations.push(Location {
                function,
                block,
                index: b.stmts.len(),
            });
        }
    }
    locations
}

/// For each expression, whether evaluating it can violate the property.
fn risky_exprs(function: &Function, property: Property) -> Vec<bool> {
    let mut risky = vec![false; function.exprs.len()];
    for i in 0..risky.len() {
        let mut found = match function.exprs[i].kind {
            ExprKind::Load { .. } => property == Property::Memory,
            ExprKind::Binary(op, _, right) => match property {
                Property::Division => divides(function, op, right),
                Property::Overflow => overflows(op) || quotient_overflows(function, op, right),
                _ => false,
            },
            ExprKind::Unary(UnaryOp::Neg { signed: true }, _) => property == Property::Overflow,
            _ => false,
        };
        function.exprs[i].kind.for_each_operand(|operand| {
            found |= operand.index() < i && risky[operand.index()];
        });
        risky[i] = found;
    }
    risky
}

fn overflows(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(
        op,
        Add { signed: true } | Sub { signed: true } | Mul { signed: true } | Shl { signed: true }
    )
}

/// The divisor if it is a constant, and what -1 is in its type.
fn divisor(function: &Function, divisor: ExprId) -> (Option<u128>, Option<u128>) {
    let divisor = function.expr(divisor);
    let constant = match divisor.kind {
        ExprKind::Const(bits) => Some(bits),
        _ => None,
    };
    let minus_one = divisor
        .ty
        .int_width()
        .map(|width| u128::MAX >> (128 - u32::from(width.clamp(1, 128))));
    (constant, minus_one)
}

fn quotient_overflows(function: &Function, op: BinaryOp, right: ExprId) -> bool {
    let (constant, minus_one) = divisor(function, right);
    matches!(op, BinaryOp::SDiv | BinaryOp::SRem) && constant.is_none_or(|c| Some(c) == minus_one)
}

fn divides(function: &Function, op: BinaryOp, right: ExprId) -> bool {
    let (constant, minus_one) = divisor(function, right);
    match op {
        BinaryOp::UDiv | BinaryOp::URem => constant.is_none_or(|c| c == 0),
        BinaryOp::SDiv | BinaryOp::SRem => constant.is_none_or(|c| c == 0 || Some(c) == minus_one),
        _ => false,
    }
}

/// Whether the statement itself can violate the property, whatever its expressions do.
fn touches(stmt: &StmtKind, property: Property) -> bool {
    let builtin = match stmt {
        StmtKind::Call {
            callee: Callee::Builtin(builtin),
            ..
        } => Some(*builtin),
        _ => None,
    };
    match property {
        Property::Memory => touches_memory(stmt),
        Property::Free => matches!(builtin, Some(Builtin::Free | Builtin::Realloc)),
        Property::Leak => builtin == Some(Builtin::CheckLeaks),
        Property::Uninitialised => builtin == Some(Builtin::CheckWritten),
        _ => false,
    }
}

fn touches_memory(stmt: &StmtKind) -> bool {
    match stmt {
        StmtKind::Assign { place, .. } | StmtKind::Havoc { place, .. } => place.address().is_some(),
        StmtKind::Copy { size, .. } | StmtKind::Zero { size, .. } => *size > 0,
        StmtKind::Call { dest, callee, .. } => {
            dest.is_some_and(|d| d.address().is_some())
                || match callee {
                    Callee::Function(_) => false,
                    Callee::Pointer { .. } => true,
                    Callee::Builtin(builtin) => !matches!(
                        builtin,
                        Builtin::Malloc
                            | Builtin::Calloc
                            | Builtin::Alloca
                            | Builtin::Putchar
                            | Builtin::Math(_)
                            | Builtin::Truncate(_)
                            | Builtin::Forget
                            | Builtin::CheckLeaks
                            | Builtin::CheckWritten
                            | Builtin::Setjmp
                    ),
                }
        }
        StmtKind::Assume { .. }
        | StmtKind::Declare { .. }
        | StmtKind::End { .. }
        | StmtKind::Mark { .. } => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    const PROGRAM: &str = r#"program lp64 start f entry f
type t0 = int
type t1 = void
type t2 = fn() -> t1
fn f() : t2 synthetic {
  local x: t0 i32
  local a: t0 memory size 4 align 4
b0:
  x := sdiv(x, 2:i32)
  x := sdiv(x, -1:i32)
  x := urem(x, -1:i32)
  x := add.s(x, 1:i32)
  x := load.i32(&a)
  mem.i32[&a] := neg.s(x)
  call builtin free(&a)
  x := call builtin putchar(x)
  branch slt(urem(x, x), 3:i32) b1 b2
b1:
  error reach
b2:
  unreachable
}
"#;

    #[test]
    fn each_property_has_its_locations() {
        let program = parse(PROGRAM).unwrap();
        let found = |property| -> Vec<(u32, usize)> {
            error_locations(&program, property)
                .iter()
                .map(|l| (l.block.0, l.index))
                .collect()
        };
        assert_eq!(found(Property::Assert), [(1, 0)]);
        assert_eq!(found(Property::Division), [(0, 1), (0, 8)]);
        assert_eq!(found(Property::Overflow), [(0, 1), (0, 3), (0, 5)]);
        assert_eq!(found(Property::Memory), [(0, 4), (0, 5), (0, 6)]);
        assert_eq!(found(Property::Free), [(0, 6)]);
    }

    #[test]
    fn names_are_read_back() {
        for property in Property::ALL {
            assert_eq!(Property::named(property.name()), Some(vec![property]));
            assert_eq!(
                Property::named(property.sv_comp_name()),
                Some(vec![property])
            );
        }
        assert_eq!(Property::named("safety"), None);
        let memory = Property::named("memory").unwrap();
        assert_eq!(Property::names(&memory), ["memory"]);
        assert_eq!(Property::names(&[Property::Free]), ["valid-free"]);
        assert_eq!(FaultKind::Unreachable.property(), None);
        assert_eq!(FaultKind::Leak.property(), Some(Property::Leak));
    }
}
