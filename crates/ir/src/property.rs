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
    /// No access outside of live objects, no bad `free`, no leak.
    Memory,
    /// No division by zero, nor of the smallest value by -1.
    Division,
    /// No signed overflow.
    Overflow,
}

impl Property {
    pub const ALL: [Property; 4] = [
        Property::Assert,
        Property::Memory,
        Property::Division,
        Property::Overflow,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Property::Assert => "assert",
            Property::Memory => "memory",
            Property::Division => "division",
            Property::Overflow => "overflow",
        }
    }

    pub fn named(name: &str) -> Option<Property> {
        Self::ALL.into_iter().find(|p| p.name() == name)
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
            | DoubleFree | InvalidFree | WriteToReadOnly | BadFunctionPointer | WrongArguments
            | Leak => Property::Memory,
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
            Deadlock => "deadlock: every thread waits for another one",
        })
    }
}

/// The locations of reachable or unreachable code where the property can be violated, ascending.
///
/// For [`Property::Assert`] these are the error terminators: being there *is* the error. For the
/// others it is where an operation of the statement or terminator may fault, so that an error
/// needs the operation's values too; operations that no value makes fault, such as a division by
/// the constant 2, do not count. Leaks belong to no location.
pub fn error_locations(program: &Program, property: Property) -> Vec<Location> {
    program
        .function_ids()
        .flat_map(|f| function_error_locations(program, f, property))
        .collect()
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
            let mut found = property == Property::Memory && touches_memory(&stmt.kind);
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
                            | Builtin::Setjmp
                    ),
                }
        }
        StmtKind::Assume { .. } | StmtKind::Declare { .. } | StmtKind::Mark { .. } => false,
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
    }

    #[test]
    fn names_are_read_back() {
        for property in Property::ALL {
            assert_eq!(Property::named(property.name()), Some(property));
        }
        assert_eq!(Property::named("safety"), None);
        assert_eq!(FaultKind::Unreachable.property(), None);
        assert_eq!(FaultKind::Leak.property(), Some(Property::Memory));
    }
}
