//! Learning by queries: the loop, the budget, and the ways to compare.

use super::earlier::Earlier;
use super::model::LearnedMachine;
use super::show::{LearningEffort, Learnt};
use super::{LearnArgs, Target};
use crate::failure::CommandFailure;
use crate::output::counted;
use crate::progress::ProgressLine;
use clap::ValueEnum;
use idiolect_automata::{Alphabet, Letter, Moore, Word};
use idiolect_base::{Budget, Bug, Rng, StopReason};
use idiolect_learn::{
    Counting, Counts, EqAnswer, EquivalenceOracle, Exact, Guarantee, Learner, LearnerKind, Machine,
    MealyOracle, MembershipOracle, MooreOracle, PacSampling, RandomWalks, RandomWords, RandomWp,
    RefineError, StartFrom, StateCover, Trace, WMethod, WpMethod,
};
use indicatif::HumanCount;
use std::cell::RefCell;

/// How a conjecture is compared with the system.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ComparisonMethod {
    /// With the target itself: shortest counterexamples, and a proof in the end
    Exact,
    /// The W-method: complete up to a number of extra states
    W,
    /// The Wp-method: the same promise with fewer words
    Wp,
    /// Random words of the Wp-method with rests of any length, which promise nothing
    RandomWp,
    /// Random words, which promise nothing
    Random,
    /// Random walks that are compared at every step, which promise nothing
    Walks,
    /// Random walks from every state of the hypothesis, which promise nothing
    StateCover,
    /// Random words, as many as the PAC guarantee needs
    Pac,
    /// C programs: `wp`, and then the solver for all words up to a length
    Solver,
}

/// A membership oracle that keeps to a budget and shows how far it is.
pub struct Watched<'a, M> {
    pub inner: M,
    pub budget: &'a Budget,
    pub progress: &'a ProgressLine,
    pub queries: u64,
}

impl<M: MembershipOracle> Watched<'_, M> {
    fn watch(&mut self, words: usize) -> Result<(), StopReason> {
        self.budget.spend(words as u64)?;
        self.queries += words as u64;
        self.progress.count(self.queries, None, "queries");
        Ok(())
    }
}

impl<M: MembershipOracle> MembershipOracle for Watched<'_, M> {
    type Answer = M::Answer;

    fn ask(&mut self, words: &[Word]) -> Result<Vec<Self::Answer>, StopReason> {
        self.watch(words.len())?;
        self.inner.ask(words)
    }

    fn ask_traces(&mut self, words: &[Word]) -> Result<Vec<Trace<Self::Answer>>, StopReason> {
        self.watch(words.len())?;
        self.inner.ask_traces(words)
    }

    fn tell_traces(
        &mut self,
        words: &[Word],
        known: &[usize],
        tell: &mut dyn FnMut(usize, usize, &Self::Answer),
    ) -> Result<(), StopReason> {
        self.watch(words.len())?;
        self.inner.tell_traces(words, known, tell)
    }

    fn ask_stepwise(
        &mut self,
        front: &[Letter],
        next: &mut dyn FnMut(&[Self::Answer]) -> Option<Letter>,
    ) -> Result<Option<(Word, Vec<Self::Answer>)>, StopReason> {
        self.watch(1)?;
        self.inner.ask_stepwise(front, next)
    }

    fn gives_prefixes(&self) -> bool {
        self.inner.gives_prefixes()
    }
}

/// How a run of the loop ended.
pub struct LearningEnd {
    pub rounds: u64,
    /// Or why it stopped.
    pub guarantee: Result<Guarantee, StopReason>,
    /// What the comparisons asked for.
    pub tests: Counts,
}

/// Learns until no difference is found or something stops it. `counts` says what was asked so far.
pub fn drive<O: Clone + Eq, H: Machine<O>>(
    learner: &mut dyn Learner<O, H>,
    mq: &mut dyn MembershipOracle<Answer = O>,
    eq: &mut dyn EquivalenceOracle<O, H>,
    counts: &dyn Fn() -> Counts,
    budget: &Budget,
    progress: &ProgressLine,
) -> LearningEnd {
    let mut tests = Counts::default();
    let mut rounds = 0;
    let guarantee = loop {
        // The library's `learn` does the same; here each round is shown.
        if let Err(reason) = learner.complete(mq) {
            break Err(reason);
        }
        if let Err(reason) = budget.look() {
            break Err(reason);
        }
        rounds += 1;
        let before = counts();
        let answer = eq.compare(learner.hypothesis());
        let after = counts();
        tests.queries += after.queries - before.queries;
        tests.empty_word += after.empty_word - before.empty_word;
        tests.symbols += after.symbols - before.symbols;
        let refined = match answer {
            Ok(EqAnswer::Agrees(guarantee)) => break Ok(guarantee),
            Ok(EqAnswer::Differs(cex)) => learner.refine(&cex, mq),
            Err(reason) => break Err(reason),
        };
        match refined {
            Ok(()) => {}
            Err(RefineError::Stopped(reason)) => break Err(reason),
            Err(error) => panic!("a counterexample from the target refines: {error}"),
        }
        let (counts, states) = (counts(), learner.hypothesis().n_states());
        progress.count_and_say(counts.queries, None, "queries", || {
            let states = counted(states as u64, "state");
            let (queries, letters) = (HumanCount(counts.queries), HumanCount(counts.symbols));
            format!("round {rounds}, {states}, {queries} queries, {letters} letters")
        });
    };
    LearningEnd {
        rounds,
        guarantee,
        tests,
    }
}

/// Learns a given automaton.
pub fn learn_target(
    args: &LearnArgs,
    kind: LearnerKind,
    target: Target,
    alphabet: Alphabet,
    earlier: Option<&Earlier>,
    budget: &Budget,
) -> Result<Learnt, CommandFailure> {
    let n_letters = alphabet.len();
    let mut warnings = Vec::new();
    let (model, asked) = match target {
        Target::Dfa(target) => {
            let accepts = target.states().any(|q| target.is_accepting(q));
            if target.n_states() > 1 && !accepts {
                // Drawings of other machines are written like this, without what they answer.
                warnings.push(
                    "no state of the target accepts, so its language is empty; if it is a machine with outputs, \
                     they are not in the file"
                        .to_owned(),
                );
            }
            let empty = Moore::new(n_letters, vec![*target.output_of(&[])]);
            let oracle = MooreOracle::new(&target);
            let old = earlier.map(Earlier::dfa).transpose()?;
            let given = (&target, old);
            let (dfa, asked) = learn_machine(args, given, empty, oracle, budget, |mq| {
                let learner = kind.start_dfa(n_letters, mq)?;
                Ok(Box::new(learner) as Box<dyn Learner<bool>>)
            })?;
            (LearnedMachine::Dfa(dfa), asked)
        }
        Target::Moore(target) => {
            only_dfa(kind)?;
            let empty = Moore::new(n_letters, vec![target.output_of(&[]).clone()]);
            let oracle = MooreOracle::new(&target);
            let old = earlier.map(Earlier::moore).transpose()?;
            let given = (&target, old);
            let (machine, asked) = learn_machine(args, given, empty, oracle, budget, |mq| {
                let learner = kind.start_moore(n_letters, mq)?;
                // The one learner without Moore machines was refused above.
                let learner = learner.ok_or(StopReason::Internal(Bug::RuledOut))?;
                Ok(Box::new(learner) as Box<dyn Learner<String>>)
            })?;
            (LearnedMachine::Moore(machine), asked)
        }
        Target::Mealy(target) => {
            only_dfa(kind)?;
            let old = earlier.map(Earlier::mealy).transpose()?;
            // Numbers are compared and copied faster than texts.
            let mut outputs = Alphabet::default();
            let target = target.map_outputs(|output| outputs.intern(output));
            let old = old.map(|old| old.map_outputs(|output| outputs.intern(output)));
            let empty = idiolect_automata::Mealy::from_fn(n_letters, 1, |_, a| {
                (0, *target.output(target.initial(), a))
            });
            let oracle = MealyOracle::new(&target);
            let given = (&target, old.as_ref());
            let (machine, asked) = learn_machine(args, given, empty, oracle, budget, |mq| {
                let learner = kind.start_mealy(n_letters, mq)?;
                let learner = learner.ok_or(StopReason::Internal(Bug::RuledOut))?;
                Ok(Box::new(learner) as Box<dyn Learner<Letter, _>>)
            })?;
            let machine = machine.map_outputs(|&output| outputs.name(output).to_owned());
            (LearnedMachine::Mealy(machine), asked)
        }
    };
    let mut learnt = Learnt::by_queries(kind, model, alphabet, asked, "target");
    learnt.warnings = warnings;
    if let Some(earlier) = earlier {
        earlier.compare(&mut learnt);
    }
    Ok(learnt)
}

/// Refuses the learner that has no form with outputs.
pub fn only_dfa(kind: LearnerKind) -> Result<(), CommandFailure> {
    if kind.learns_moore() {
        Ok(())
    } else {
        Err(CommandFailure::usage(
            format!("`{}` learns DFA alone", kind.name()),
            "choose another learner for a machine with outputs",
        ))
    }
}

fn learn_machine<'t, O: Clone + Eq, H: Machine<O>, M: MembershipOracle<Answer = O> + 't>(
    args: &LearnArgs,
    (target, old): (&'t H, Option<&'t H>),
    empty: H,
    oracle: M,
    budget: &Budget,
    start: impl FnOnce(
        &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Box<dyn Learner<O, H>>, StopReason>,
) -> Result<(H, LearningEffort), CommandFailure> {
    let progress = ProgressLine::start(&args.common, "learning");
    let mq = RefCell::new(Watched {
        inner: Counting::new(oracle),
        budget,
        progress: &progress,
        queries: 0,
    });
    let n_letters = target.n_letters();
    let mut eq = comparison(args, ComparisonMethod::Exact, Some(target), &mq, n_letters)?;
    if let Some(old) = old {
        eq = Box::new(StartFrom::new(old, &mq, eq));
    }
    let counts = || mq.borrow().inner.counts();
    let mut learner = match start(&mut &mq) {
        Ok(learner) => learner,
        Err(reason) => {
            let end = LearningEnd {
                rounds: 0,
                guarantee: Err(reason),
                tests: Counts::default(),
            };
            return Ok((empty, LearningEffort::new(end, counts(), Some(false))));
        }
    };
    let end = drive(
        learner.as_mut(),
        &mut &mq,
        eq.as_mut(),
        &counts,
        budget,
        &progress,
    );
    let machine = learner.hypothesis().clone();
    let is_target = target.difference(&machine).is_none();
    Ok((machine, LearningEffort::new(end, counts(), Some(is_target))))
}

/// The chosen way to compare.
pub fn comparison<'a, H, M>(
    args: &LearnArgs,
    default: ComparisonMethod,
    target: Option<&'a H>,
    mq: &'a RefCell<M>,
    n_letters: usize,
) -> Result<Box<dyn EquivalenceOracle<M::Answer, H> + 'a>, CommandFailure>
where
    M: MembershipOracle,
    H: Machine<M::Answer>,
{
    let rng = Rng::new(args.common.seed, 0);
    let length = |default| args.word_length.unwrap_or(default);
    let words = |default| args.test_words.unwrap_or(default);
    Ok(match args.equivalence.unwrap_or(default) {
        ComparisonMethod::Exact => match target {
            Some(target) => Box::new(Exact::new(target)),
            None => {
                return Err(CommandFailure::usage(
                    "only a given automaton can be compared exactly",
                    "choose `--equivalence wp`, or another way to test a system",
                ));
            }
        },
        ComparisonMethod::W => Box::new(WMethod::new(mq, args.extra_states)),
        ComparisonMethod::Wp => Box::new(WpMethod::new(mq, args.extra_states)),
        ComparisonMethod::RandomWp => {
            Box::new(RandomWp::new(mq, words(10_000), length(4) as u64, rng))
        }
        ComparisonMethod::Random => {
            Box::new(RandomWords::new(mq, words(10_000), 1, length(50), rng))
        }
        ComparisonMethod::Walks => {
            let mean = length(50) as u64;
            Box::new(RandomWalks::new(
                mq,
                words(10_000).saturating_mul(mean),
                mean,
                rng,
            ))
        }
        ComparisonMethod::StateCover => Box::new(StateCover::new(mq, words(20), length(20), rng)),
        ComparisonMethod::Solver => {
            return Err(CommandFailure::usage(
                "only a C program can be given to the solver",
                "learn it with `--c`, or choose another way to compare",
            ));
        }
        ComparisonMethod::Pac => {
            let longest = length(50);
            // A word without letters is a question only where states have answers.
            let shortest = usize::from(H::ANSWERS_STEPS).min(longest) as u64;
            let draw = move |rng: &mut Rng| -> Word {
                let length = shortest + rng.below(longest as u64 + 1 - shortest);
                let letters = (0..length).filter(|_| n_letters > 0);
                letters
                    .map(|_| Letter(rng.below(n_letters as u64) as u32))
                    .collect()
            };
            let sampling = PacSampling::new(mq, draw, args.epsilon, args.delta, rng);
            Box::new(sampling.ok_or_else(|| {
                CommandFailure::usage(
                    "epsilon and delta have to lie strictly between 0 and 1",
                    "for instance `--epsilon 0.1 --delta 0.9`",
                )
            })?)
        }
    })
}
