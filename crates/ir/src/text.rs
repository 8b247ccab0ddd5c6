//! The text form of programs: what `debug cfg` shows, what tests and fuzzers read and write.
//!
//! ```text
//! program lp64 start %start entry main
//! type t0 = int
//! type t1 = fn() -> t0
//!
//! fn main() -> i32 : t1 user {
//!   local x: t0 i32
//! b0:
//!   x := 0:i32
//!   goto b1
//! b1:
//!   branch slt(x, 10:i32) b2 b3
//! b2:
//!   x := add.s(x, 1:i32)
//!   goto b1
//! b3:
//!   return x
//! }
//! ```
//!
//! [`print()`] and [`parse()`] are inverse to each other up to spans, which are left out, and up to
//! the numbering of expressions, which are written where they are used. Spans may be shown as
//! comments, from `;` to the end of the line. Notation:
//!
//! * Variables go by their C names where these are unique; else `name#id`, or `#id "any name"`.
//! * `&x` is the address of a local, `@g` of a global, `&f()` of a function.
//! * Constants carry their type: `-1:i32`, `1.5:f64`, `0x7fc00000:f32` (bits), `true`, `null`.
//! * `add.s` is an addition whose overflow C calls undefined. `load.i32(p)` reads memory, and
//!   `mem.i32[p] := v` and `bits.i32[p, offset, width] := v` write it.
//! * `let !0 = …` names an expression that is used more than once and is not small, or that would
//!   make a term deeper than [`MAX_DEPTH`]. So the text is linear in the program, even if the
//!   expressions share so much that the tree of one of them is exponential.

mod lexer;
mod names;
mod parse;
mod print;
mod words;

pub use parse::{ParseError, parse};
pub use print::{FunctionText, PrintOptions, print, print_function, print_functions, print_with};

/// Terms are cut at this depth by `let`, so that no reader or writer needs a deep stack.
pub const MAX_DEPTH: u32 = 64;

#[cfg(test)]
mod tests;
