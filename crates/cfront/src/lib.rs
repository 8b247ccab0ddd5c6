//! C text to IR, and every complaint that a user may hear about their source.

pub mod ast;
mod lexer;
pub mod parser;
pub mod symbols;
