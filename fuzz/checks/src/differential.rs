//! Two parts of the tool asked the same.

#[path = "../../../crates/symex/tests/it/common/mod.rs"]
mod symex_tests;

use idiolect_automata::Dfa;
use idiolect_base::Budget;
use idiolect_interp::{
    CompileOptions, Compiled, Decisions, End, FixedInputs, Machine, NoInputs, RunOptions,
};
use idiolect_ir::ctype::DataModel;
use idiolect_ir::{Program, text};
use idiolect_learn::{DfaOracle, Exact, Learner as _, LearnerKind, learn};
use idiolect_symex::{Config, encode};
use symex_tests::generate::{Choices, generate_by};
use symex_tests::{Run, compare, program};

/// Each byte is a choice; after the last one all are 0.
struct Bytes<'a>(std::slice::Iter<'a, u8>);

impl Choices for Bytes<'_> {
    fn below(&mut self, bound: u64) -> u64 {
        u64::from(self.0.next().copied().unwrap_or(0)) % bound
    }
}

/// Bytes choose a program and its inputs. Its run is the same after the program was written and read
/// again, and the formulas say the same inputs, decisions and end as the run.
pub fn c_program(bytes: &[u8]) {
    let (inputs, choices) = bytes.split_at(bytes.len().min(4));
    let text = generate_by(&mut Bytes(choices.iter()));
    let own = program(&text, DataModel::Lp64);
    let inputs: Vec<u128> = inputs.iter().map(|&b| u128::from(b)).collect();
    let run = run(&own, &inputs);
    let printed = text::print(&own);
    let again = text::parse(&printed).expect("what we write can be read");
    let second = self::run(&again, &inputs);
    assert_eq!(run.end, second.end, "{text}");
    assert_eq!(run.inputs, second.inputs, "{text}");
    assert_eq!(run.decisions, second.decisions, "{text}");
    let is_whole = !matches!(run.end, End::Limit(_) | End::InputsEnded);
    if is_whole {
        let config = Config {
            unwind: 4,
            ..Config::default()
        };
        let encoding = encode(&own, &config, &Budget::unlimited()).expect("no limit");
        if let Err(why) = compare(&encoding, &run) {
            panic!("inputs {:?}: {why}\n{text}", run.inputs);
        }
    }
}

fn run(program: &Program, inputs: &[u128]) -> Run {
    let compiled = Compiled::new(program.clone().into(), &CompileOptions::default());
    let mut source = FixedInputs::new(inputs.to_vec(), NoInputs);
    let mut decisions = Decisions::default();
    let outcome = Machine::new(&compiled, RunOptions::default()).run(
        &mut source,
        &mut decisions,
        &Budget::steps(100_000),
    );
    Run::new(outcome, decisions.taken)
}

/// Bytes are an automaton. Every learner finds its minimal form.
pub fn learners(bytes: &[u8]) {
    let mut choices = Bytes(bytes.iter());
    let n_letters = 1 + choices.below(3) as usize;
    let n_states = 1 + choices.below(12) as usize;
    let accepting: Vec<bool> = (0..n_states).map(|_| choices.chance(1, 2)).collect();
    let target = Dfa::from_fn(n_letters, &accepting, |_, _| {
        choices.below(n_states as u64) as usize
    });
    let minimal = target.minimize();
    for kind in LearnerKind::ALL {
        let mut mq = DfaOracle::new(&target);
        let mut learner = kind
            .start_dfa(n_letters, &mut mq)
            .expect("this oracle always answers");
        learn(&mut learner, &mut mq, &mut Exact::new(&target)).expect("it always answers");
        let learned = learner.hypothesis();
        assert_eq!(learned.n_states(), minimal.n_states(), "{}", kind.name());
        assert_eq!(
            learned.distinguishing_word(&target),
            None,
            "{}",
            kind.name()
        );
    }
}
