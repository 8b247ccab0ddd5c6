//! C text to IR, and every complaint that a user may hear about their source.

pub mod ast;
pub mod ast_dump;
mod lexer;
pub mod parser;
pub mod preprocess;
pub mod symbols;
