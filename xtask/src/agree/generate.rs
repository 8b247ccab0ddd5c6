//! Small C programs at random: inputs, loops short and long, arrays, calls, pointers, and assertions that
//! hold, fail always, fail for one value, or fail in a late round.

use idiolect_base::Rng;
use std::fmt::Write as _;

/// The `index`-th program of a seed.
pub fn program(seed: u64, index: u64) -> String {
    let mut generator = Generator {
        rng: Rng::new(seed, index),
        text: String::new(),
        n_vars: 2,
    };
    generator.write();
    generator.text
}

struct Generator {
    rng: Rng,
    text: String,
    n_vars: u64,
}

impl Generator {
    fn write(&mut self) {
        self.text.push_str(
            "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
             #define assert(c) do { if (!(c)) reach_error(); } while (0)\n",
        );
        let has_helper = self.rng.below(2) == 0;
        if has_helper {
            let op = self.pick(&["+", "-", "*", "^"]);
            let k = self.rng.below(7) + 1;
            let _ = writeln!(
                self.text,
                "int helper(int x) {{ if (x > {k}) return x - {k}; return x {op} {k}; }}"
            );
        }
        self.text.push_str("int main(void) {\n");
        let _ = writeln!(self.text, "    int v0 = __VERIFIER_nondet_int();");
        let _ = writeln!(self.text, "    int v1 = {};", self.rng.below(5));
        let _ = writeln!(self.text, "    int a[4] = {{0, 1, 2, 3}};");
        let n = 2 + self.rng.below(4);
        for _ in 0..n {
            self.statement(has_helper);
        }
        self.assertion();
        self.text.push_str("    return 0;\n}\n");
    }

    fn pick<'b>(&mut self, list: &[&'b str]) -> &'b str {
        list[self.rng.below(list.len() as u64) as usize]
    }

    fn var(&mut self) -> String {
        format!("v{}", self.rng.below(self.n_vars))
    }

    fn statement(&mut self, has_helper: bool) {
        let (x, y) = (self.var(), self.var());
        let k = self.rng.below(9);
        match self.rng.below(9) {
            0 => {
                let name = self.n_vars;
                self.n_vars += 1;
                let _ = writeln!(self.text, "    int v{name} = __VERIFIER_nondet_int();");
                if self.rng.below(2) == 0 {
                    let _ = writeln!(self.text, "    if (v{name} < 0 || v{name} > 20) return 0;");
                }
            }
            1 => {
                let _ = writeln!(
                    self.text,
                    "    if ({x} > {k}) {x} = {y} + {k}; else {y} = {k};"
                );
            }
            2 => {
                let rounds = [3, 10, 60, 200, 5000][self.rng.below(5) as usize];
                let _ = writeln!(
                    self.text,
                    "    for (int i = 0; i < {rounds}; i++) {{ v1 = i; if (v1 == {}) a[i & 3]++; }}",
                    self.rng.below(rounds + 2)
                );
            }
            3 => {
                let _ = writeln!(
                    self.text,
                    "    while ({x} > 0 && {x} < 1000) {{ {x} = {x} - {}; v1++; }}",
                    k + 1
                );
            }
            4 => {
                let _ = writeln!(self.text, "    a[{x} & 3] = {y};");
            }
            5 if has_helper => {
                let _ = writeln!(self.text, "    {x} = helper({y});");
            }
            6 => {
                let _ = writeln!(
                    self.text,
                    "    {{ int *p = {x} > {k} ? &{x} : &a[1]; *p = {k}; }}"
                );
            }
            7 => {
                let _ = writeln!(self.text, "    {x} = a[{y} & 3] * {};", k % 4);
            }
            _ => {
                let op = self.pick(&["+", "-", "&", "|"]);
                let _ = writeln!(self.text, "    {x} = {x} {op} {k};");
            }
        }
    }

    fn assertion(&mut self) {
        let (x, y) = (self.var(), self.var());
        let k = self.rng.below(300);
        let condition = match self.rng.below(7) {
            0 => format!("{x} != {k}"),
            1 => format!("{x} == {x}"),
            2 => format!("{x} <= {y} || {x} > {y}"),
            3 => format!("a[0] < {k}"),
            4 => format!("v1 <= {k}"),
            5 => format!("{x} != {} || {y} != {}", k, self.rng.below(4)),
            _ => format!("({x} & 1) != 2"),
        };
        let _ = writeln!(self.text, "    assert({condition});");
    }
}
