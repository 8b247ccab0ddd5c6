//! Formatted output to memory and numbers read from texts: the same bytes as `interp`, and errors that are
//! replayed.

use crate::common;

use common::{Run, compare, program, verdict};
use idiolect_base::{Budget, Rng};
use idiolect_interp::{
    CompileOptions, Compiled, Decisions, FixedInputs, Machine, NoInputs, RunOptions,
};
use idiolect_ir::Property;
use idiolect_ir::ctype::DataModel;
use idiolect_symex::{Config, EndKind, encode};

const PRELUDE: &str = "
extern int nondet(void);
extern long nondet_long(void);
extern unsigned char uchar(void);
extern double nondet_double(void);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
int sprintf(char *, const char *, ...);
int snprintf(char *, unsigned long, const char *, ...);
int vsnprintf(char *, unsigned long, const char *, __builtin_va_list);
double strtod(const char *, char **);
long strtol(const char *, char **, int);
int sscanf(const char *, const char *, ...);
unsigned long strlen(const char *);
static void check(int c) { if (!c) reach_error(); }
";

/// The formulas have to say of every run what it does; whether some run was not modelled.
fn agree(text: &str, model: DataModel, inputs: &[Vec<u128>]) -> bool {
    let program = program(text, model);
    let config = Config {
        unwind: 80,
        ..Config::default()
    };
    let encoding = encode(&program, &config, &Budget::unlimited()).expect("no limit");
    let compiled = Compiled::new(program.into(), &CompileOptions::default());
    let mut has_trap = false;
    for list in inputs {
        let mut machine = Machine::new(&compiled, RunOptions::default());
        let mut decisions = Decisions::default();
        let mut source = FixedInputs::new(list.clone(), NoInputs);
        let outcome = machine.run(&mut source, &mut decisions, &Budget::unlimited());
        let run = Run::new(outcome, decisions.taken);
        if let Err(why) = compare(&encoding, &run) {
            panic!("inputs {:?}: {why}\n{text}", run.inputs);
        }
        let (model, _) = common::model_of(&encoding, &run.inputs).expect("compared");
        let end = encoding.end_of(&model).expect("compared");
        has_trap |= matches!(end.kind, EndKind::Trap(_));
    }
    has_trap
}

/// Integers of all sizes: small ones, the ends of ranges, anything.
fn values(n: usize, rng: &mut Rng) -> Vec<u128> {
    let mut list = Vec::new();
    for _ in 0..n {
        let bits = rng.below(64) as u32;
        let value = match rng.below(5) {
            0 => rng.below(20) as i128 - 10,
            1 => 1 << bits,
            2 => -(1 << bits),
            3 => 10i128.pow(rng.below(19) as u32) - rng.below(2) as i128,
            _ => i128::from(rng.next_u64() as i64),
        };
        list.push(value as u128);
    }
    list
}

/// `main` calls a printing function with `x` (int), `y` (long), a text of up to three bytes and a
/// character, and exits with a number that every byte of the result changes.
fn printing(call: &str) -> String {
    format!(
        "{PRELUDE}
         int main(void) {{ char b[80]; char s[4]; int x = nondet(); long y = nondet_long(); char c = uchar();
           s[0] = uchar(); s[1] = uchar(); s[2] = uchar(); s[3] = 0;
           for (int i = 0; i < 80; i++) b[i] = 35;
           int n = {call};
           unsigned sum = n; for (int i = 0; i < 80; i++) sum = sum * 31 + (unsigned char)b[i];
           return (int)sum; }}"
    )
}

#[test]
fn texts_and_integers_are_printed_to_memory_as_by_runs() {
    let calls = [
        r#"sprintf(b, "%d", x)"#,
        r#"sprintf(b, "<%5d|%-6d|%06d>", x, x, x)"#,
        r#"sprintf(b, "%+d % d %.3d %8.3d", x, x, x, x)"#,
        r#"sprintf(b, "%hhd %hd %hhu", x, x, x)"#,
        r#"sprintf(b, "%ld%lu", y, y)"#,
        r#"sprintf(b, "%x %X %#x %o", x, x, x, x)"#,
        r#"sprintf(b, "%lx|%016lx", y, y)"#,
        r#"sprintf(b, "[%s]", s)"#,
        r#"sprintf(b, "%5s|%-5s|%.2s", s, s, s)"#,
        r#"sprintf(b, "%s%s%d%c%%", s, s, x, c)"#,
        r#"sprintf(b, "%.*s", x & 3, s)"#,
        r#"sprintf(b, "%s", x > 0 ? s : (char *)0)"#,
        r#"snprintf(b, 4, "%d%s", x, s)"#,
        r#"snprintf(b, x & 7, "%s%ld", s, y)"#,
        r#"snprintf(0, 0, "%s%d", s, x)"#,
        r#"sprintf(b, x > 0 ? "%d" : "%s", x > 0 ? x : 0)"#,
        r#"sprintf(b, "%.0d|%3c|%-3c|%*d", x & 1, c, c, 7, x)"#,
    ];
    for (i, call) in calls.iter().enumerate() {
        let mut rng = Rng::new(20, i as u64);
        let mut inputs = Vec::new();
        for _ in 0..40 {
            let mut list = values(2, &mut rng);
            list.push(u128::from(rng.below(256)));
            list.extend((0..3).map(|_| u128::from(rng.below(4) * (60 + rng.below(60)))));
            inputs.push(list);
        }
        let model = if i % 3 == 2 {
            DataModel::Ilp32
        } else {
            DataModel::Lp64
        };
        // The last but one reads an integer as a text where `x` is not positive: a fault in both.
        let has_trap = agree(&printing(call), model, &inputs);
        assert!(!has_trap, "not modelled: {call}");
    }
}

#[track_caller]
fn check(body: &str, properties: &[Property], expected: &str) {
    let text = format!("{PRELUDE}int main(void) {{ {body} return 0; }}");
    let program = program(&text, DataModel::Lp64);
    assert_eq!(verdict(&program, properties, 16), expected, "{body}");
}

#[test]
fn how_long_a_text_becomes_is_known() {
    let memory = [Property::Memory, Property::Assert];
    check(
        r#"char b[5]; int x = nondet(); __VERIFIER_assume(x >= 0 && x < 10000); sprintf(b, "%d", x);"#,
        &memory,
        "proved",
    );
    check(
        r#"char b[5]; int x = nondet(); __VERIFIER_assume(x >= 0 && x <= 10000); sprintf(b, "%d", x);"#,
        &memory,
        "OutOfBounds",
    );
    check(
        r#"char b[12]; int n = sprintf(b, "%d", nondet()); check(n >= 1 && n <= 11 && strlen(b) == (unsigned)n);"#,
        &memory,
        "proved",
    );
    check(
        r#"char b[8]; int n = snprintf(b, sizeof b, "%d", nondet()); check(n < 8);"#,
        &memory,
        "error",
    );
    check(
        r#"char b[30]; int n = sprintf(b, "%1.15g", nondet_double()); check(n <= 23 && b[n] == 0);"#,
        &memory,
        "proved",
    );
}

#[test]
fn a_list_of_arguments_is_printed_too() {
    let text = format!(
        "{PRELUDE}
         static int put(char *b, const char *f, ...) {{ __builtin_va_list l; __builtin_va_start(l, f);
           int n = vsnprintf(b, 6, f, l); __builtin_va_end(l); return n; }}
         int main(void) {{ char b[6]; int x = nondet(); __VERIFIER_assume(x >= 0 && x < 100);
           int n = put(b, \"%d-%d\", x, 3); check(n <= 4 && b[n - 1] == '3' && b[n - 2] == '-'); return 0; }}"
    );
    let program = program(&text, DataModel::Lp64);
    let found = verdict(&program, &[Property::Assert, Property::Memory], 4);
    assert_eq!(found, "proved");
}

#[test]
fn numbers_in_texts_have_their_values() {
    let assert = [Property::Assert];
    check(
        "char s[3]; s[0] = uchar(); s[1] = uchar(); s[2] = 0; char *e; double x = strtod(s, &e); check(x != 2.5);
         check(e >= s && e <= s + 2);",
        &assert,
        "proved",
    );
    check(
        "char s[4]; s[0] = uchar(); s[1] = uchar(); s[2] = uchar(); s[3] = 0; check(strtod(s, 0) != 2.5);",
        &assert,
        "error",
    );
    check(
        r#"char s[3]; s[0] = uchar(); s[1] = uchar(); s[2] = 0; int x = 0; check(sscanf(s, "%d", &x) != 1 || x < 50);"#,
        &assert,
        "error",
    );
}

#[test]
fn texts_are_read_as_numbers_as_by_runs() {
    let text = format!(
        "{PRELUDE}
         union both {{ double d; unsigned u[2]; }};
         int main(void) {{ char s[6]; for (int i = 0; i < 5; i++) s[i] = \"0195.e-+x i\"[uchar() % 11]; s[5] = 0;
           char *e; union both v; v.d = strtod(s, &e);
           return (int)(v.u[0] * 31 + v.u[1] * 7 + (unsigned)(e - s)); }}"
    );
    let mut rng = Rng::new(3, 3);
    let inputs: Vec<Vec<u128>> = (0..150)
        .map(|_| (0..5).map(|_| u128::from(rng.below(11))).collect())
        .collect();
    let program = program(&text, DataModel::Lp64);
    let config = Config {
        unwind: 12,
        ..Config::default()
    };
    let encoding = encode(&program, &config, &Budget::unlimited()).expect("no limit");
    let compiled = Compiled::new(program.into(), &CompileOptions::default());
    let mut n_exact = 0;
    for list in inputs {
        let mut machine = Machine::new(&compiled, RunOptions::default());
        let mut decisions = Decisions::default();
        let mut source = FixedInputs::new(list, NoInputs);
        let outcome = machine.run(&mut source, &mut decisions, &Budget::unlimited());
        let run = Run::new(outcome, decisions.taken);
        let (model, _) = common::model_of(&encoding, &run.inputs).expect("the same inputs");
        // Values that are computed natively are open, and so is what the run does after them.
        if !encoding.is_approximate(&model) {
            n_exact += 1;
            if let Err(why) = compare(&encoding, &run) {
                panic!("inputs {:?}: {why}", run.inputs);
            }
        }
    }
    assert!(n_exact > 100, "{n_exact} of 150 are exact");
}
