//! Generated programs with few inputs: all runs, one after the other, against the learned language,
//! word by word up to the bounds.

use crate::common;

use common::{errors, program, session};
use idiolect_automata::{Letter, Word};
use idiolect_base::{Budget, Rng};
use idiolect_explain::{
    Choice, EventVocabulary, LanguageTarget, Laziness, LearnedLanguage, Options, Promise, Replayer,
    Session,
};
use idiolect_ir::Program;
use idiolect_ir::callgraph::CallGraph;
use idiolect_learn::LearnerKind;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

/// Inputs of two bits each.
const N_INPUTS: u32 = 3;
pub const MAX_LENGTH: usize = 6;
/// Loops go round at most three times.
pub const UNWIND: usize = 4;

struct Generator {
    rng: Rng,
    text: String,
    n_loops: u32,
}

impl Generator {
    fn pick<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.rng.below(list.len() as u64) as usize]
    }

    fn condition(&mut self) -> String {
        let (l, op, r) = (
            self.pick(&["x", "y", "i", "j", "k", "x + y", "i ^ j"]),
            self.pick(&["<", "==", "!=", ">="]),
            self.pick(&["0", "1", "2", "y", "k"]),
        );
        format!("{l} {op} {r}")
    }

    fn statement(&mut self, depth: u32, callable: &[&str]) {
        match self.rng.below(if depth == 0 { 4 } else { 8 }) {
            0 | 1 if !callable.is_empty() => {
                let f = self.pick(callable);
                let _ = writeln!(self.text, "{f}();");
            }
            0..=2 => {
                let v = self.pick(&["x", "y"]);
                let e = self.pick(&["x + 1", "y + i", "x * 2", "j", "x - y", "k & 1"]);
                let _ = writeln!(self.text, "{v} = {e};");
            }
            3 => {
                let c = self.condition();
                let what = self.pick(&["exit(0)", "assume(0)", "x = 0", "y = 3"]);
                let _ = writeln!(self.text, "if ({c} && y > 4) {what};");
            }
            4 | 5 => {
                let c = self.condition();
                let _ = writeln!(self.text, "if ({c}) {{");
                self.block(depth - 1, callable);
                self.text.push_str("} else {\n");
                self.block(depth - 1, callable);
                self.text.push_str("}\n");
            }
            _ => {
                self.n_loops += 1;
                let n = self.n_loops;
                let limit = self.pick(&["i", "j", "k", "(i & j)"]);
                let _ = writeln!(self.text, "for (int n{n} = 0; n{n} < {limit}; n{n}++) {{");
                self.block(depth - 1, callable);
                self.text.push_str("}\n");
            }
        }
    }

    fn block(&mut self, depth: u32, callable: &[&str]) {
        for _ in 0..1 + self.rng.below(2) {
            self.statement(depth, callable);
        }
    }

    fn program(seed: u64) -> String {
        let mut g = Generator {
            rng: Rng::new(seed, 0),
            text: String::from(
                "int nondet(void); void assert(int); void exit(int); void assume(int);\n\
                 int x, y, i, j, k;\n",
            ),
            n_loops: 0,
        };
        for (f, callable) in [("a", &[][..]), ("b", &["a"][..]), ("c", &["a", "b"][..])] {
            let _ = writeln!(g.text, "void {f}(void) {{");
            g.block(1, callable);
            g.text.push_str("}\n");
        }
        g.text
            .push_str("int main(void) {\ni = nondet() & 3; j = nondet() & 3; k = nondet() & 3;\n");
        for _ in 0..3 {
            g.statement(2, &["a", "b", "c"]);
        }
        let c = g.condition();
        let _ = writeln!(g.text, "assert({c});");
        g.statement(1, &["a", "b"]);
        g.text.push_str("return 0;\n}\n");
        g.text
    }
}

/// The text of a generated program.
pub fn text_of(seed: u64) -> String {
    Generator::program(seed)
}

/// The words of all runs: those that end as wanted, and the others.
pub fn all_runs(
    program: &Arc<Program>,
    target: &LanguageTarget,
) -> (BTreeSet<Word>, BTreeSet<Word>) {
    let calls = CallGraph::new(program);
    let vocabulary = EventVocabulary::new(program, &calls, target, &Choice::default()).unwrap();
    let replayer = Replayer::new(program.clone(), &vocabulary, target, false);
    let (mut wanted, mut others) = (BTreeSet::new(), BTreeSet::new());
    for n in 0..4u128.pow(N_INPUTS) {
        let inputs: Vec<u128> = (0..N_INPUTS).map(|i| (n >> (2 * i)) & 3).collect();
        let replay = replayer.run(&inputs);
        if replay.is_wanted {
            wanted.insert(replay.word)
        } else {
            others.insert(replay.word)
        };
    }
    (wanted, others)
}

fn accepted(language: &LearnedLanguage) -> BTreeSet<Word> {
    let words = language.dfa.accepted_words();
    words.take_while(|w| w.len() <= MAX_LENGTH).collect()
}

fn short(words: &BTreeSet<Word>) -> BTreeSet<Word> {
    let fits = |w: &&Word| w.len() <= MAX_LENGTH;
    words.iter().filter(fits).cloned().collect()
}

fn show(session: &Session<'_>, words: &BTreeSet<Word>) -> Vec<String> {
    let show = |w: &Word| session.vocabulary().alphabet().show(w as &[Letter]);
    words.iter().map(show).collect()
}

fn check(seed: u64) {
    let text = Generator::program(seed);
    let program = program(&text);
    let target = match seed % 4 {
        3 => LanguageTarget::Program,
        _ => errors(&program),
    };
    let (wanted, others) = all_runs(&program, &target);
    let kind = LearnerKind::ALL[seed as usize % LearnerKind::ALL.len()];
    let budget = Budget::unlimited();
    let learned = |promise, laziness, unwind| {
        let options = Options {
            learner: kind,
            promise,
            laziness,
            max_unwind: unwind,
            max_word_length: MAX_LENGTH,
            ..Options::default()
        };
        let mut session = session(&program, &target, &Choice::default(), options, &budget);
        let language = session.learn_at(unwind, MAX_LENGTH);
        assert_eq!(session.disagreement(), None, "seed {seed}\n{text}");
        assert_eq!(language.stopped, None, "seed {seed}\n{text}");
        (language, session)
    };
    let (exact, s) = learned(Promise::Exact, Laziness::Eager, UNWIND);
    assert_eq!(
        show(&s, &accepted(&exact)),
        show(&s, &short(&wanted)),
        "exact, {kind:?}, seed {seed}\n{text}"
    );
    // All words at once say the same as one word after the other.
    let options = Options {
        learner: kind,
        max_unwind: UNWIND,
        max_word_length: MAX_LENGTH,
        one_by_one: 0,
        ..Options::default()
    };
    let mut s = session(&program, &target, &Choice::default(), options, &budget);
    let by_sets = s.learn_at(UNWIND, MAX_LENGTH);
    assert_eq!(
        (s.disagreement(), by_sets.stopped),
        (None, None),
        "seed {seed}\n{text}"
    );
    assert!(
        by_sets.dfa.is_isomorphic(&exact.dfa),
        "by sets, seed {seed}\n{text}"
    );
    // With runs put together from others before a solver is asked, too.
    if seed.is_multiple_of(25) {
        let options = Options {
            learner: kind,
            max_unwind: UNWIND,
            max_word_length: MAX_LENGTH,
            large: 0,
            ..Options::default()
        };
        let mut s = session(&program, &target, &Choice::default(), options, &budget);
        let pieced = s.learn_at(UNWIND, MAX_LENGTH);
        assert_eq!(
            (s.disagreement(), pieced.stopped),
            (None, None),
            "seed {seed}\n{text}"
        );
        assert!(
            pieced.dfa.is_isomorphic(&exact.dfa),
            "with pieces, seed {seed}\n{text}"
        );
    }
    // The paper's property (5): of words of runs, exactly those of wanted ones.
    let (paper, _) = learned(Promise::Paper, Laziness::Eager, UNWIND);
    for word in short(&wanted) {
        assert!(paper.dfa.accepts(&word), "paper, seed {seed}\n{text}");
    }
    for word in others.difference(&wanted) {
        if word.len() <= MAX_LENGTH {
            assert!(!paper.dfa.accepts(word), "paper, seed {seed}\n{text}");
        }
    }
    // A-PV-10: lazily the same, and each solver call of FIX finds one wrong guess, but the last.
    let (lazy, s) = learned(Promise::Exact, Laziness::Lazy, UNWIND);
    assert!(lazy.dfa.is_isomorphic(&exact.dfa), "seed {seed}\n{text}");
    let statistics = s.statistics();
    if matches!(target, LanguageTarget::Error { .. }) {
        assert_eq!(
            statistics.fix_calls,
            statistics.wrong_guesses + statistics.fixes,
            "seed {seed}\n{text}"
        );
    }
    // A smaller bound says less, and nothing wrong.
    let (small, _) = learned(Promise::Exact, Laziness::Auto, 1);
    for word in accepted(&small) {
        assert!(wanted.contains(&word), "bound 1, seed {seed}\n{text}");
    }
}

#[test]
fn languages_are_those_of_all_runs() {
    for seed in 0..500 {
        check(seed);
    }
}
