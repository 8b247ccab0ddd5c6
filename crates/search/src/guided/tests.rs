//! Errors that random runs do not come to.

use super::*;
use crate::runs::compile;
use idiolect_base::SourceMap;
use idiolect_ir::ctype::DataModel;
use std::sync::Arc;

const PRELUDE: &str = "
extern unsigned char uchar(void); extern int nondet(void); extern void reach_error(void);
unsigned long strlen(const char *); int strncmp(const char *, const char *, unsigned long);
";

fn program(body: &str) -> Arc<Program> {
    let mut sources = SourceMap::new();
    let id = sources.add("test.c", format!("{PRELUDE}{body}"));
    let options = idiolect_cfront::Options {
        data_model: DataModel::Lp64,
        ..idiolect_cfront::Options::default()
    };
    let compiled = idiolect_cfront::compile(sources, &[id], &options);
    Arc::new(compiled.program.expect("a program without errors"))
}

/// The inputs of a failing run, and what it took.
fn search(body: &str, questions: u64, runs: u64) -> (Option<Vec<u128>>, GuidedStatistics) {
    let program = program(body);
    let properties = [Property::Assert, Property::Memory];
    let compiled = compile(&program, &properties);
    let flips = Flips::new(&program, false);
    let mut guided = Guided::new(&program, &compiled, &flips, &properties, 1);
    let limits = Limits {
        runs,
        steps: 200_000_000,
        run_steps: 100_000,
        questions,
    };
    let found = guided
        .search(&limits, &Budget::unlimited())
        .expect("no limit");
    (found, guided.statistics())
}

const BYTES: &str = "int main(void) { char s[6]; for (int i = 0; i < 6; i++) s[i] = uchar();
  if (s[0] == 'q') if (s[1] == 'x') if (s[2] == '7') if (s[3] == '#') if (s[4] == 'Z') if (s[5] == '!') reach_error();
  return 0; }";

#[test]
fn a_word_is_found_letter_by_letter() {
    let (found, statistics) = search(BYTES, 0, 50_000);
    let word: Vec<u8> = found.expect("found").iter().map(|&b| b as u8).collect();
    assert_eq!(word, b"qx7#Z!");
    assert!(statistics.corpus >= 6, "{statistics:?}");
}

/// Each character more is one round more of the loop, and that counts as new.
const ROUNDS: &str = "int main(void) { char s[8]; for (int i = 0; i < 8; i++) s[i] = uchar();
  int n = 0; while (n < 8 && s[n] == (n & 1 ? 'x' : 'Q')) n++; if (n == 8) reach_error(); return 0; }";

#[test]
fn a_round_more_is_something_new() {
    let (found, _) = search(ROUNDS, 0, 50_000);
    let found: Vec<u8> = found.expect("found").iter().map(|&b| b as u8).collect();
    assert_eq!(found, b"QxQxQxQx");
}

#[test]
fn what_is_done_depends_on_the_seed_alone() {
    assert_eq!(search(BYTES, 5, 3_000), search(BYTES, 5, 3_000));
}

const EQUATION: &str = "int main(void) { int x = nondet(), y = nondet();
  if (x * 3 == y + 50000 && y > 1000) { if (y - x == 10000) reach_error(); } return 0; }";

#[test]
fn an_equation_is_left_to_the_solver() {
    let (found, _) = search(EQUATION, 0, 5_000);
    assert_eq!(found, None);
    let (found, statistics) = search(EQUATION, 20, 5_000);
    assert!(found.is_some() && statistics.solved > 0, "{statistics:?}");
}

/// A reader of `{"a":1,"b":2}` that looks behind a comma without looking for the end.
const OBJECTS: &str = "
static const char *s; static unsigned at, end;
static int peek(void) { return at < end ? s[at] : -1; }
static int key(void) { if (s[at] != '\"') return 0; at++;
  while (peek() != '\"') { if (at >= end) return 0; at++; } at++; return 1; }
static int object(void) { if (peek() != '{') return 0;
  do { at++; if (!key()) return 0; if (peek() != ':') return 0; at++;
       if (peek() < '0' || peek() > '9') return 0; at++; } while (peek() == ',');
  return peek() == '}'; }
int main(void) { char text[12]; for (int i = 0; i < 12; i++) text[i] = uchar();
  s = text; end = 12; return object(); }";

#[test]
fn an_over_read_of_a_parser_is_found() {
    let (found, _) = search(OBJECTS, 0, 200_000);
    let text: Vec<u8> = found.expect("found").iter().map(|&b| b as u8).collect();
    assert_eq!((text[0], text[11]), (b'{', b','));
}

#[test]
fn nothing_is_found_where_nothing_is() {
    let fixed = OBJECTS.replace("if (s[at] != ", "if (peek() != ");
    assert_eq!(search(&fixed, 20, 20_000).0, None);
}
