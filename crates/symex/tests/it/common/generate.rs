//! Programs with few input bits, written at random, and all their runs.

use super::Run;
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, Decisions, End, FixedInputs, Machine, NoInputs, RunOptions,
};
use idiolect_ir::Program;
use std::fmt::Write as _;

/// Where the choices come from.
pub trait Choices {
    /// A number in `0..bound`.
    fn below(&mut self, bound: u64) -> u64;

    fn chance(&mut self, numerator: u64, denominator: u64) -> bool {
        self.below(denominator) < numerator
    }
}

impl Choices for Rng {
    fn below(&mut self, bound: u64) -> u64 {
        self.below(bound)
    }
}

struct Generator<'a> {
    rng: &'a mut dyn Choices,
    text: String,
    depth: u32,
    n_loops: u32,
    /// Inputs so far; few, since all their values are tried.
    n_inputs: u32,
    in_helper: bool,
}

impl Generator<'_> {
    fn pick<'b>(&mut self, list: &[&'b str]) -> &'b str {
        list[self.rng.below(list.len() as u64) as usize]
    }

    fn variable(&mut self) -> &'static str {
        if self.in_helper {
            return self.pick(&["x", "y", "g"]);
        }
        self.pick(&["x", "y", "z", "g", "s.a", "s.b", "s.f", "u.i", "*p", "h[0]"])
    }

    fn index(&mut self) -> String {
        match self.rng.below(4) {
            0 => self.rng.below(4).to_string(),
            1 => format!("({} & 3)", self.variable()),
            2 => "(i & 3)".into(),
            // May be out of bounds.
            _ => self.variable().to_owned(),
        }
    }

    fn expr(&mut self, depth: u32) -> String {
        if depth == 0 || self.rng.chance(1, 4) {
            return match self.rng.below(6) {
                0 => (self.rng.below(8) as i64 - 3).to_string(),
                1 if !self.in_helper => {
                    let index = self.index();
                    format!("a[{index}]")
                }
                2 if self.n_inputs < 3 && !self.in_helper => {
                    self.n_inputs += 1;
                    "(nondet() & 3)".into()
                }
                3 if !self.in_helper => {
                    let name = self.pick(&["u.c[0]", "u.c[2]", "b.m", "b.n", "(in & 3)", "*q"]);
                    name.to_owned()
                }
                _ => self.variable().to_owned(),
            };
        }
        let (l, r) = (self.expr(depth - 1), self.expr(depth - 1));
        match self.rng.below(12) {
            0..4 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({l} {op} {r})")
            }
            4..7 => {
                let op = self.pick(&["<", "<=", "==", "!=", "&&", "||"]);
                format!("({l} {op} {r})")
            }
            7 => {
                let op = self.pick(&["/", "%"]);
                format!("({l} {op} {r})")
            }
            8 => {
                let op = self.pick(&["<<", ">>"]);
                format!("({l} {op} ({r} & 7))")
            }
            9 => {
                let op = self.pick(&["-", "~", "!"]);
                format!("({op} {l})")
            }
            10 => {
                let c = self.expr(depth - 1);
                format!("({c} ? {l} : {r})")
            }
            _ if self.in_helper => l,
            _ => format!("help({l}, {r})"),
        }
    }

    fn place(&mut self) -> String {
        if self.in_helper {
            return self.pick(&["x", "y", "g"]).to_owned();
        }
        match self.rng.below(4) {
            0 => {
                let index = self.index();
                format!("a[{index}]")
            }
            1 => self
                .pick(&["u.c[1]", "u.c[3]", "b.m", "b.n", "h[1]", "q[0]"])
                .to_owned(),
            _ => self.variable().to_owned(),
        }
    }

    fn stmts(&mut self, n: u64) {
        for _ in 0..n {
            self.stmt();
        }
    }

    fn stmt(&mut self) {
        let choice = self.rng.below(if self.depth > 2 { 7 } else { 13 });
        match choice {
            0..4 => {
                let (place, value) = (self.place(), self.expr(2));
                let _ = writeln!(self.text, "{place} = {value};");
            }
            4 if !self.in_helper => {
                let target = self.pick(&[
                    "p = &x",
                    "p = &y",
                    "p = &a[1]",
                    "p = h",
                    "p = (x & 1) ? &z : &a[3]",
                    "q = p",
                    "p = &s.a",
                    "q = &a[y & 3]",
                    "p = 0",
                    "t = s",
                    "s = t",
                    "u.i = 77",
                    "f = (x > 1) ? help : add",
                    "z = f(x, y)",
                    "p = q + (x & 1)",
                    "h[x & 1] = y",
                    "{ int w; p = &w; w = x; }",
                    "h = mk(x)",
                    "z = rec(y & 3)",
                    "swap(&x, &a[2])",
                ]);
                let _ = writeln!(self.text, "{target};");
            }
            5 => {
                let condition = self.expr(2);
                let _ = writeln!(self.text, "check({condition} || {});", self.rng.below(2));
            }
            6 => {
                let condition = self.expr(1);
                let _ = writeln!(self.text, "check({condition} != 5);");
            }
            7..11 => {
                let condition = self.expr(2);
                let _ = writeln!(self.text, "if ({condition}) {{");
                self.depth += 1;
                let n = 1 + self.rng.below(2);
                self.stmts(n);
                if self.rng.chance(1, 2) {
                    self.text.push_str("} else {\n");
                    self.stmts(1);
                }
                self.depth -= 1;
                self.text.push_str("}\n");
            }
            _ if self.n_loops < 2 => {
                self.n_loops += 1;
                let bound = self.pick(&["3", "(x & 3)", "(y & 1) + 1"]);
                let name = format!("l{}", self.n_loops);
                let _ = writeln!(
                    self.text,
                    "for (int {name} = 0; {name} < {bound}; {name}++) {{ i = {name};"
                );
                self.depth += 1;
                let n = 1 + self.rng.below(2);
                self.stmts(n);
                if self.rng.chance(1, 3) {
                    let condition = self.expr(1);
                    let jump = self.pick(&["break", "continue"]);
                    let _ = writeln!(self.text, "if ({condition}) {jump};");
                    self.stmts(1);
                }
                self.depth -= 1;
                self.text.push_str("}\n");
            }
            _ => {}
        }
    }
}

pub fn generate(seed: u64) -> String {
    generate_by(&mut Rng::new(seed, 1))
}

pub fn generate_by(choices: &mut dyn Choices) -> String {
    let mut g = Generator {
        rng: choices,
        text: String::from(
            "extern int nondet(void); extern void reach_error(void);
             void *malloc(unsigned long); void free(void *);
             static void check(int c) { if (!c) reach_error(); }
             struct st { int a; short b; int f; }; union un { int i; signed char c[4]; };
             struct bits { int m : 3; unsigned n : 5; };
             int g = 2;
             int add(int x, int y) { return x + y; }
             int rec(int n) { if (n <= 0) return g; return rec(n - 1) + n; }
             void swap(int *x, int *y) { int t = *x; *x = *y; *y = t; }
             int *mk(int x) { int *r = malloc(8); r[0] = x; r[1] = 1; return r; }
             int help(int x, int y) {\nint i = 0;\n",
        ),
        depth: 1,
        n_loops: 1,
        n_inputs: 3,
        in_helper: true,
    };
    let n = g.rng.below(3);
    g.stmts(n);
    g.text.push_str(
        "return x - y; }
         int main(void) { int x = nondet() & 3, y = 1, z = 0, i = 0; int a[4] = {1, 2, 3, 4};
         struct st s = {1, 2, 3}, t = s; union un u; u.i = 5; struct bits b = {1, 2};
         int *p = &x, *q = a; int *h = malloc(8); h[0] = 1; h[1] = y; int in; int *pin = &in;
         int (*f)(int, int) = add;\n",
    );
    (g.depth, g.n_loops, g.n_inputs, g.in_helper) = (0, 0, 1, false);
    let n = 3 + g.rng.below(5);
    g.stmts(n);
    g.text.push_str("return 0; }\n");
    g.text
}

/// All runs, or `None` if there are too many.
pub fn all_runs(program: &Program) -> Option<Vec<Run>> {
    let compiled = Compiled::new(program.clone().into(), &CompileOptions::default());
    let mut machine = Machine::new(&compiled, RunOptions::default());
    let mut runs = Vec::new();
    let mut todo = vec![Vec::new()];
    while let Some(inputs) = todo.pop() {
        let mut source = FixedInputs::new(inputs.clone(), NoInputs);
        let mut decisions = Decisions::default();
        let outcome = machine.run(&mut source, &mut decisions, &Budget::steps(100_000));
        if outcome.end == End::InputsEnded {
            for value in 0..4 {
                let mut longer = inputs.clone();
                longer.push(value);
                todo.push(longer);
            }
            continue;
        }
        runs.push(Run::new(outcome, decisions.taken));
        if runs.len() > 600 {
            return None;
        }
    }
    Some(runs)
}
