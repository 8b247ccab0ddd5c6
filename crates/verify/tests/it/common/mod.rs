//! From C text to a verdict.
#![allow(dead_code, reason = "each test file uses a part of it")]

use idiolect_automata::{Dfa, Letter};
use idiolect_base::{Budget, Rng, SourceMap};
use idiolect_cfront::compile;
use idiolect_ir::Program;
use idiolect_verify::{Config, Outcome, Verdict};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

pub const HEAD: &str = "extern _Bool nondet_bool(void); extern unsigned char nondet_uchar(void); \
    extern int nondet_int(void); extern void reach_error(void); extern void abort(void);\n";

pub fn program(text: &str) -> Arc<Program> {
    let mut sources = SourceMap::new();
    let id = sources.add("test.c", format!("{HEAD}{text}"));
    let compiled = compile(sources, &[id], &Default::default());
    let errors: Vec<_> = compiled
        .diagnostics
        .iter()
        .filter(|d| d.is_error())
        .collect();
    assert!(errors.is_empty(), "{errors:?}\n{text}");
    Arc::new(compiled.program.expect("a program without errors"))
}

pub fn verify(text: &str, config: &Config) -> Outcome {
    let program = program(text);
    idiolect_verify::run(&program, config, &Budget::unlimited(), &mut |_| {})
}

pub fn name(verdict: &Verdict) -> &'static str {
    match verdict {
        Verdict::Error { .. } => "error",
        Verdict::Proved(_) => "proved",
        Verdict::Pac(_) => "pac",
        Verdict::Undecided(_) => "undecided",
    }
}

pub fn word(text: &str) -> Vec<Letter> {
    text.bytes().map(|b| Letter(u32::from(b == b'1'))).collect()
}

pub fn text(decisions: &[bool]) -> String {
    decisions
        .iter()
        .map(|&d| if d { '1' } else { '0' })
        .collect()
}

/// The accepted words, shortest first, up to a length, and not too many of them.
pub fn language(model: &Dfa, longest: usize) -> BTreeSet<String> {
    model
        .accepted_words()
        .take_while(|w| w.len() <= longest)
        .take(10_000)
        .map(|w| w.iter().map(|a| if a.0 == 0 { '0' } else { '1' }).collect())
        .collect()
}

/// All prefixes of these words.
pub fn prefixes<'a>(words: impl IntoIterator<Item = &'a String>) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for word in words {
        for n in 0..=word.len() {
            all.insert(word[..n].to_owned());
        }
    }
    all
}

/// A random program without loops, with two inputs of two bits each: text that reads `x` and `y`,
/// and a C-like evaluator of the same program.
pub struct Small {
    pub text: String,
    tree: Vec<Stmt>,
    inner: Vec<Stmt>,
}

enum Stmt {
    /// `if (a*x + b*y + c*z < d) … else …`
    If([i32; 4], Vec<Stmt>, Vec<Stmt>),
    /// `z = a*x + b*z + c`
    Set([i32; 3]),
    /// `z = f(z)`
    Call,
    /// `if (z == v) reach_error();`
    Check(i32),
}

fn stmts(rng: &mut Rng, depth: u32, may_call: bool, may_fail: bool) -> Vec<Stmt> {
    let mut small = |n: u64| rng.below(n) as i32;
    let mut list = Vec::new();
    for _ in 0..1 + small(3) {
        match small(6) {
            0 | 1 if depth > 0 => {
                let test = [small(3) - 1, small(3) - 1, small(3) - 1, small(4)];
                let (a, b) = (small(1000) as u64, small(1000) as u64);
                let part = |seed: u64| stmts(&mut Rng::new(seed, 7), depth - 1, may_call, may_fail);
                list.push(Stmt::If(test, part(a), part(b)));
            }
            2 | 3 => list.push(Stmt::Set([small(3) - 1, small(3) - 1, small(4)])),
            4 if may_call => list.push(Stmt::Call),
            _ if may_fail => list.push(Stmt::Check(small(9) - 1)),
            _ => {}
        }
    }
    list
}

fn write(list: &[Stmt], out: &mut String) {
    for stmt in list {
        let _ = match stmt {
            Stmt::If([a, b, c, d], then, other) => {
                let _ = write!(out, "if ({a}*x + {b}*y + {c}*z < {d}) {{");
                write(then, out);
                out.push_str("} else {");
                write(other, out);
                out.write_str("}\n")
            }
            Stmt::Set([a, b, c]) => writeln!(out, "z = {a}*x + {b}*z + {c};"),
            Stmt::Call => writeln!(out, "z = f(x, y, z);"),
            Stmt::Check(v) => writeln!(out, "if (z == {v}) reach_error();"),
        };
    }
}

struct Run<'a> {
    program: &'a Small,
    x: i32,
    y: i32,
    decisions: String,
}

impl Run<'_> {
    /// False at an error.
    fn go(&mut self, list: &[Stmt], z: &mut i32) -> bool {
        for stmt in list {
            match stmt {
                Stmt::If([a, b, c, d], then, other) => {
                    let taken = a * self.x + b * self.y + c * *z < *d;
                    self.decisions.push(if taken { '1' } else { '0' });
                    if !self.go(if taken { then } else { other }, z) {
                        return false;
                    }
                }
                Stmt::Set([a, b, c]) => *z = a * self.x + b * *z + c,
                Stmt::Call => {
                    let mut inner = *z;
                    let program = self.program;
                    if !self.go(&program.inner, &mut inner) {
                        return false;
                    }
                    *z = inner;
                }
                Stmt::Check(v) => {
                    let fails = *z == *v;
                    self.decisions.push(if fails { '1' } else { '0' });
                    if fails {
                        return false;
                    }
                }
            }
        }
        true
    }
}

impl Small {
    pub fn new(seed: u64, may_fail: bool) -> Self {
        let mut rng = Rng::new(seed, 99);
        let inner = stmts(&mut rng, 1, false, may_fail);
        let tree = stmts(&mut rng, 2, true, may_fail);
        let mut body = String::new();
        write(&inner, &mut body);
        let mut main = String::new();
        write(&tree, &mut main);
        let text = format!(
            "int f(int x, int y, int z) {{ {body} return z; }}\n\
             int main(void) {{ int x = nondet_uchar() & 3; int y = nondet_uchar() & 3; int z = 0;\n\
             {main} return 0; }}"
        );
        Self { text, tree, inner }
    }

    /// Decisions of all runs, and whether one has an error.
    pub fn all_runs(&self) -> (BTreeSet<String>, bool) {
        let mut words = BTreeSet::new();
        let mut has_error = false;
        for bits in 0..16 {
            let mut run = Run {
                program: self,
                x: bits & 3,
                y: bits >> 2,
                decisions: String::new(),
            };
            has_error |= !run.go(&self.tree, &mut 0);
            words.insert(run.decisions);
        }
        (words, has_error)
    }
}
