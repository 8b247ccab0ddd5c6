use super::*;
use crate::events::events;
use crate::paths::reference::{accepts, words};
use crate::property::{Property, error_locations};
use crate::testing::{Shape, any_program_of};
use crate::text::parse;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn words_are_those_of_paths(seed: u64, skip in 0usize..6) {
        let shape = Shape { max_functions: 3, max_blocks: 4, max_stmts: 4, max_depth: 1 };
        let program = any_program_of(seed, shape);
        let calls = CallGraph::new(&program);
        let all = events(&program);
        let chosen: Vec<ListenedEvent> =
            all.iter().cycle().skip(skip).take(all.len().min(3)).cloned().collect();
        let n_letters = chosen.len() + 1;
        let mut letters = FxHashMap::default();
        for (i, event) in chosen.iter().enumerate() {
            letters.extend(event.sites.iter().map(|&s| (s, Letter::new(i))));
        }
        let labels = EventLabels { letters, n_letters };
        let errors = error_locations(&program, Property::Assert);
        let assertion = Letter::new(n_letters - 1);
        for acceptance in [
            Acceptance::Errors(&errors),
            Acceptance::ErrorsThen(&errors, assertion),
            Acceptance::Ends,
            Acceptance::Prefixes,
        ] {
            for start in [program.start, program.entry] {
                let structure =
                    WordStructure::new(&program, &calls, start, &chosen, n_letters, acceptance);
                let finite = structure.finite();
                let used = structure.letters_in_use();
                for word in words(n_letters, 3) {
                    let expected = accepts(&program, &calls, start, &labels, acceptance, &word);
                    prop_assert_eq!(
                        structure.pushdown().accepts(&word), expected,
                        "{:?} {:?} {:?}\n{}", acceptance, start, word, crate::text::print(&program)
                    );
                    if expected {
                        prop_assert!(finite.accepts(&word));
                        prop_assert!(word.iter().all(|a| used.contains(a)));
                    }
                }
            }
        }
    }
}

#[test]
fn words_of_calls_before_an_assertion() {
    let program = parse(
        r#"program lp64 start %start entry main
type t0 = void
type t1 = fn() -> t0
fn main() : t1 user {
b0:
  branch true b1 b2
b1:
  call g()
  call f()
  goto b0
b2:
  error assert "0"
}
fn f() : t1 user {
b0:
  return
}
fn g() : t1 user {
b0:
  call f()
  return
}
fn h() : t1 user {
b0:
  abort
}
fn %start() : t1 synthetic {
b0:
  call main()
  exit 0:i32
}
"#,
    )
    .unwrap();
    let calls: Vec<ListenedEvent> = events(&program)
        .into_iter()
        .filter(|e| e.kind == crate::events::EventKind::Call)
        .collect();
    let names: Vec<&str> = calls.iter().map(|e| e.name.as_str()).collect();
    assert_eq!(names, ["f", "g", "h"]);
    let errors = error_locations(&program, Property::Assert);
    let structure = WordStructure::new(
        &program,
        &CallGraph::new(&program),
        program.start,
        &calls,
        4,
        Acceptance::ErrorsThen(&errors, Letter(3)),
    );
    let is_word = |w: &str| {
        let word: Vec<Letter> = w
            .chars()
            .map(|c| Letter("fgh!".find(c).unwrap() as u32))
            .collect();
        structure.pushdown().accepts(&word)
    };
    for word in ["!", "gff!", "gffgff!"] {
        assert!(is_word(word), "{word}");
    }
    for word in ["", "g!", "gf!", "f!", "gff", "h!", "!g"] {
        assert!(!is_word(word), "{word}");
    }
    // No path to the assertion calls `h`.
    assert_eq!(structure.letters_in_use(), [0, 1, 3].map(Letter));
}
