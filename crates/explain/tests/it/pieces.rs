//! Runs put together from pieces of known runs: the same language, with fewer questions to the solver.

use crate::common::{program, session};
use idiolect_base::Budget;
use idiolect_explain::{Choice, LanguageTarget, Options};

const COMMANDS: &str = "int nondet_int(void);
void open(void) {} void put(void) {} void get(void) {} void drop(void) {}
int main(void) {
  int level = 0;
  for (int c = nondet_int(); c != 0; c = nondet_int()) {
    switch (c) {
    case 71: open(); break;
    case 1009: put(); level++; break;
    case -33: if (level) { get(); level--; } break;
    case 6: drop(); level = 0; break;
    }
  }
  return 0;
}";

#[test]
fn commands_are_read_anywhere_as_they_were_elsewhere() {
    let program = program(COMMANDS);
    let budget = Budget::unlimited();
    let learned = |large| {
        let options = Options {
            max_unwind: 5,
            max_word_length: 5,
            large,
            ..Options::default()
        };
        let mut s = session(
            &program,
            &LanguageTarget::Program,
            &Choice::default(),
            options,
            &budget,
        );
        let language = s.learn_at(5, 5);
        assert_eq!((s.disagreement(), language.stopped), (None, None));
        (language, s.statistics().solver_calls)
    };
    let (plain, plain_calls) = learned(usize::MAX);
    let (pieced, pieced_calls) = learned(0);
    assert!(pieced.dfa.is_isomorphic(&plain.dfa));
    assert!(
        pieced_calls * 4 < plain_calls,
        "{pieced_calls} calls, without pieces {plain_calls}"
    );
}
