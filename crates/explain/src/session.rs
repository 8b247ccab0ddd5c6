//! Learning with one teacher: at given bounds, or with bounds that grow until nothing changes.

use crate::conjecture::{Comparison, Promise};
use crate::flow::Flow;
use crate::replay::Replay;
use crate::rounds;
use crate::teacher::{AnsweredBy, Disagreement, Teacher};
use crate::undecided::Least;
use crate::vocabulary::{EventVocabulary, LanguageTarget};
use idiolect_automata::{Dfa, Letter, Trimmed};
use idiolect_base::{Budget, Bug, Rng, StopReason};
use idiolect_interp::{RandomInputs, Recorder, Spread};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::structure::WordStructure;
use idiolect_ir::{AssumptionKind, Program, Property};
use idiolect_learn::{Counterexample, DfaLearner, Learner, LearnerKind, RefineError};
use idiolect_smt::{Evaluator, Outcome};
use idiolect_symex::{Config, Gap, UnwindSite};
use std::collections::BTreeMap;
use std::sync::Arc;

/// How the language is learned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    pub learner: LearnerKind,
    pub promise: Promise,
    pub laziness: Laziness,
    /// The bound on loops and recursion with which growing bounds begin.
    pub first_unwind: usize,
    /// The length of words with which growing bounds begin; at least that of the shortest word.
    pub first_word_length: usize,
    /// The largest bound on loops and recursion that will be asked about.
    pub max_unwind: usize,
    /// The longest words that conjectures will be compared on.
    pub max_word_length: usize,
    /// The bound on loops is the user's, and holds for every loop as it is. Otherwise a loop whose
    /// rounds depend on no input goes round as often as it does, see
    /// [`Session::loops_beyond`].
    pub has_fixed_unwind: bool,
    /// Words that the bounds do not decide may be accepted or not: the automaton is a smallest one.
    pub is_free_beyond: bool,
    /// So many accepted words are asked about one by one before the others are asked about at once.
    pub one_by_one: usize,
    /// From so many terms of the encoding on, runs are put together from known ones before a solver is asked for one.
    pub large: usize,
    /// Loops and recursions with a bound of their own, whatever bound is asked about.
    pub own_bounds: BTreeMap<UnwindSite, usize>,
    pub properties: Vec<Property>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            learner: LearnerKind::LStar,
            promise: Promise::Exact,
            laziness: Laziness::Auto,
            first_unwind: 1,
            first_word_length: 0,
            max_unwind: 4,
            max_word_length: 12,
            has_fixed_unwind: false,
            is_free_beyond: false,
            one_by_one: 256,
            large: 50_000,
            own_bounds: BTreeMap::new(),
            properties: vec![Property::Assert],
        }
    }
}

/// Whether membership queries are guessed first and confirmed together (§6 of the paper).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Laziness {
    Eager,
    Lazy,
    /// Lazy if a question costs the solver much.
    #[default]
    Auto,
}

/// Conflicts per question from which on guessing pays: below, a question costs less than the larger
/// formula of a batch.
const EXPENSIVE: u64 = 500;

/// Random runs that try to refute a language: their length, and where their inputs come from.
const ATTACK_STEPS: u64 = 20_000;
const ATTACK_STREAM: u64 = 0xa77a_0000_0000;

/// Random runs that try to go beyond the bounds, where a solver would take long to find one.
const RUNS_BEYOND: u64 = 200;
const BEYOND_STREAM: u64 = 0xbe70_0000_0000;

/// How far a session has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LanguageStatistics {
    pub membership_queries: u64,
    pub answered_by: AnsweredBy,
    pub empty_word: u64,
    pub wrong_guesses: u64,
    /// How often guesses were confirmed or put right.
    pub fixes: u64,
    /// Solver calls for that.
    pub fix_calls: u64,
    pub conjectures: u64,
    pub solver_calls: u64,
    pub conflicts: u64,
    pub terms: u64,
    /// More than one if longer words had to be asked about than was planned for.
    pub encodings: u64,
}

/// Said whenever there is something new.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LearningProgress {
    pub unwind: usize,
    pub word_length: usize,
    pub states: usize,
    pub statistics: LanguageStatistics,
}

/// Where learning ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    pub unwind: usize,
    pub word_length: usize,
    pub converged: bool,
}

/// A learned language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LearnedLanguage {
    /// Complete, as the learner has it.
    pub dfa: Dfa,
    /// How many states it is shown with if words that are not decided are rejected; `None` if they are.
    pub strict_states: Option<usize>,
    /// As it is shown: without what no path of the control-flow graph has.
    pub shown: Trimmed,
    /// By shown state: whether failure is certain there. The seed says that the accepting state is
    /// inevitable in the automaton; since that has only failing runs, we ask in addition that every
    /// run that comes there, with the largest bound, does fail.
    pub doomed: Vec<bool>,
    pub bounds: Bounds,
    /// All accepted words up to this length were looked at.
    pub checked_length: usize,
    /// No run goes beyond the bounds: what is said of runs within them is said of all.
    pub is_complete: bool,
    /// Up to the largest bounds, no word is accepted that no run can have.
    pub is_tight: bool,
    /// The reason why it is not finished, if it is not.
    pub stopped: Option<StopReason>,
}

/// Things a user must know about what was not modelled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModelDoubt {
    /// Runs within the bounds come to C that is not modelled.
    Trap(String, idiolect_ir::Location),
    /// Runs go beyond a bound of another kind, such as the length of arguments, and were not followed there.
    Bound(String, idiolect_ir::Location),
    /// Runs with some word depend on a value that is not modelled exactly.
    Approximate,
    /// The symbolic engine ends runs here with a fault that the run itself does not have.
    UnconfirmedFault(idiolect_ir::Location),
    /// Nobody knows whether runs come to C that is not modelled, or to a fault.
    Unsettled(StopReason),
}

/// One program, one vocabulary, one incremental solver.
pub struct Session<'a> {
    program: Arc<Program>,
    options: Options,
    pub(crate) teacher: Teacher<'a>,
    conjectures: u64,
    progress: Box<dyn FnMut(&LearningProgress) + 'a>,
}

impl<'a> Session<'a> {
    /// Encodes the program for the largest bounds.
    pub fn new(
        program: Arc<Program>,
        calls: &CallGraph,
        vocabulary: EventVocabulary,
        target: &LanguageTarget,
        options: Options,
        budget: &'a Budget,
    ) -> Result<Self, StopReason> {
        let n_events = vocabulary.events().len();
        let structure = WordStructure::new(
            &program,
            calls,
            program.start,
            vocabulary.events(),
            vocabulary.alphabet().len(),
            target.acceptance(Letter::new(n_events)),
        );
        let flow = Flow::new(structure.finite());
        let config = Config {
            unwind: options.max_unwind,
            own_bounds: options.own_bounds.clone(),
            count_certain: options.has_fixed_unwind,
            check_overflow: options.properties.contains(&Property::Overflow),
            letters: vocabulary.sites(),
            // A learner asks for words that are put together from two.
            max_word: 2 * options.max_word_length + 1,
            ..Config::default()
        };
        let symbolic = rounds::encode(&program, target, config, budget)?;
        let mut teacher = Teacher::new(program.clone(), vocabulary, target, flow, symbolic, budget);
        teacher.one_by_one = options.one_by_one;
        teacher.large = options.large;
        Ok(Self {
            teacher,
            program,
            options,
            conjectures: 0,
            progress: Box::new(|_| {}),
        })
    }

    /// Calls this at every conjecture.
    pub fn on_progress(&mut self, progress: impl FnMut(&LearningProgress) + 'a) {
        self.progress = Box::new(progress);
    }

    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    pub fn vocabulary(&self) -> &EventVocabulary {
        &self.teacher.vocabulary
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Growing bounds begin with so many rounds and letters.
    pub fn begin_at(&mut self, rounds: usize, letters: usize) {
        let options = &mut self.options;
        options.first_unwind = rounds.clamp(1, options.max_unwind.max(1));
        options.first_word_length = letters.min(options.max_word_length);
    }

    /// Set if a run that the solver promised did not happen. Nothing else counts then.
    pub fn disagreement(&self) -> Option<&Disagreement> {
        self.teacher.disagreement.as_ref()
    }

    pub fn statistics(&self) -> LanguageStatistics {
        let teacher = &self.teacher;
        let solver = teacher.symbolic.statistics();
        LanguageStatistics {
            membership_queries: teacher.answered_by.total(),
            answered_by: teacher.answered_by,
            empty_word: teacher.empty_word,
            wrong_guesses: teacher.wrong_guesses,
            fixes: teacher.fixes,
            fix_calls: teacher.fix_calls,
            conjectures: self.conjectures,
            solver_calls: solver.solver_calls,
            conflicts: solver.conflicts,
            terms: teacher.symbolic.encoding.terms.len() as u64,
            encodings: teacher.symbolic.encodings,
        }
    }

    /// Runs go round loops at most so often from now on, for questions about single words.
    pub fn set_unwind(&mut self, unwind: usize) {
        self.teacher.set_unwind(unwind);
    }

    /// Whether some run has the word.
    pub fn is_member(&mut self, word: &[Letter]) -> Result<bool, StopReason> {
        self.teacher.is_member(word)
    }

    /// Learns the language at these bounds.
    pub fn learn_at(&mut self, unwind: usize, word_length: usize) -> LearnedLanguage {
        let mut run = Run::new(&mut self.teacher, self.options.learner, unwind, word_length);
        let stopped = match &mut run {
            Ok(run) => self.learn_more(run, word_length).err(),
            Err(reason) => Some(*reason),
        };
        let bounds = Bounds {
            unwind,
            word_length,
            converged: false,
        };
        let mut language = self.language(run.ok().as_ref(), bounds, stopped);
        language.bounds.converged = language.is_complete;
        language
    }

    /// As `LearnUpToBound`, Figure 17 of the paper, with bounds that grow by what is missing: after each step the
    /// automaton is compared with all runs within the *largest* bounds. A run whose word it lacks says how many
    /// rounds and letters it takes, and so does a word that it accepts although no run has it. Where there is
    /// neither, larger bounds would show nothing new.
    pub fn learn_up_to(&mut self) -> LearnedLanguage {
        let max_length = self.options.max_word_length;
        let mut bounds = Bounds {
            unwind: (self.options.first_unwind).clamp(1, self.options.max_unwind.max(1)),
            word_length: self.first_length(),
            converged: false,
        };
        let mut last: Option<(Run, Bounds)> = None;
        loop {
            let started = match &last {
                Some((run, _)) if run.unwind == bounds.unwind => Ok(run.clone()),
                _ => {
                    let (unwind, length) = (bounds.unwind, bounds.word_length);
                    Run::new(&mut self.teacher, self.options.learner, unwind, length)
                }
            };
            let mut run = match started {
                Ok(run) => run,
                Err(reason) => {
                    let (run, before) = last.unzip();
                    return self.language(run.as_ref(), before.unwrap_or(bounds), Some(reason));
                }
            };
            let now = bounds;
            let learned = self.learn_more(&mut run, bounds.word_length);
            match learned.and_then(|()| self.lacking(&mut run, bounds)) {
                Err(reason) => return self.language(Some(&run), bounds, Some(reason)),
                Ok(Some(larger)) => bounds = larger,
                Ok(None) => {
                    if self.teacher.flow.trim(run.dfa()).is_empty() {
                        // Nothing up to the largest bounds.
                        bounds.unwind = self.options.max_unwind.max(1);
                        bounds.word_length = max_length;
                        run.checked_length = max_length;
                    } else {
                        bounds.converged = true;
                    }
                    return self.language(Some(&run), bounds, None);
                }
            }
            last = Some((run, now));
        }
    }

    /// The length of words that growing bounds begin with.
    fn first_length(&self) -> usize {
        let max_length = self.options.max_word_length;
        let shortest = self.teacher.flow.shortest().unwrap_or(max_length);
        (shortest.max(self.options.first_word_length).max(1)).min(max_length)
    }

    /// The bounds that show what the automaton lacks, within the largest ones; `None` if it lacks nothing.
    fn lacking(&mut self, run: &mut Run, bounds: Bounds) -> Result<Option<Bounds>, StopReason> {
        let dfa = &run.dfa().clone();
        let (max_unwind, max_length) =
            (self.options.max_unwind.max(1), self.options.max_word_length);
        self.teacher.set_unwind(max_unwind);
        if let Some(word) = self.teacher.rejected_run(dfa, max_length)? {
            let mut unwind = bounds.unwind;
            self.teacher.set_unwind(unwind);
            while unwind < max_unwind && !self.teacher.is_member(&word)? {
                unwind += 1;
                self.teacher.set_unwind(unwind);
            }
            if unwind > bounds.unwind {
                // Short words may be enough, as before.
                let word_length = self.first_length();
                return Ok(Some(Bounds {
                    unwind,
                    word_length,
                    ..bounds
                }));
            }
            // Up to the bounds it has all words, so this one is beyond them.
            if word.len() <= bounds.word_length {
                return Err(StopReason::Internal(Bug::Contradiction));
            }
            let word_length = word.len();
            return Ok(Some(Bounds {
                word_length,
                ..bounds
            }));
        }
        let word_length = match self.options.promise {
            Promise::Exact => {
                let least = self.accepted_for_nothing(dfa)?;
                run.is_tight = matches!(least, Least::None);
                match least {
                    Least::Decided(word) => Some(word.len()),
                    Least::None | Least::NotLookedAt(_) => None,
                }
            }
            // The paper's sign of bounds that are too small: something follows a failing assertion.
            Promise::Paper => {
                let shown = self.teacher.flow.trim(dfa);
                let may_end_early = self.teacher.vocabulary.assert().is_some();
                (may_end_early && has_back_edges(&shown)).then_some(bounds.word_length + 1)
            }
        };
        self.teacher.set_unwind(bounds.unwind);
        let longer = word_length.filter(|&n| n > bounds.word_length && n <= max_length);
        Ok(longer.map(|word_length| Bounds {
            word_length,
            ..bounds
        }))
    }

    /// Brings the learner to agree with the program up to this word length. What it has learned for
    /// shorter words stays.
    fn learn_more(&mut self, run: &mut Run, word_length: usize) -> Result<(), StopReason> {
        self.teacher.set_unwind(run.unwind);
        let mut pending: Option<Counterexample> = None;
        loop {
            let is_lazy = self.is_lazy();
            let guess = is_lazy.then_some(self.teacher.vocabulary.assert().is_none());
            self.teacher.set_guess(guess);
            let told = match &pending {
                Some(cex) => refine(&mut run.learner, cex, &mut self.teacher),
                None => run.learner.complete(&mut self.teacher),
            };
            let fixed = match told {
                Ok(()) if self.teacher.has_guesses() => self.teacher.fix(),
                Ok(()) => Ok(false),
                Err(reason) => Err(reason),
            };
            self.teacher.set_guess(None);
            match fixed {
                Ok(false) => {}
                // Some guess was wrong: back to the last conjecture, with better answers.
                Ok(true) => {
                    run.learner = run.checkpoint.clone();
                    continue;
                }
                Err(reason) => {
                    self.teacher.forget_guesses();
                    run.learner = run.checkpoint.clone();
                    return Err(reason);
                }
            }
            run.checkpoint = run.learner.clone();
            self.conjectures += 1;
            let progress = LearningProgress {
                unwind: run.unwind,
                word_length,
                states: run.dfa().n_states(),
                statistics: self.statistics(),
            };
            (self.progress)(&progress);
            let dfa = run.dfa().clone();
            match self
                .teacher
                .compare(&dfa, word_length, self.options.promise)?
            {
                Comparison::Agrees { checked_length } => {
                    run.checked_length = checked_length;
                    return Ok(());
                }
                Comparison::Differs(cex) => pending = Some(cex),
            }
        }
    }

    fn is_lazy(&self) -> bool {
        match self.options.laziness {
            Laziness::Eager => false,
            Laziness::Lazy => true,
            // Where runs are tried before the solver is asked, what is left has no run, which it sees quickly; and its
            // cores refute more words than a batch does.
            Laziness::Auto if self.teacher.is_expensive() => false,
            Laziness::Auto => {
                let statistics = self.teacher.symbolic.statistics();
                statistics.conflicts > EXPENSIVE * statistics.solver_calls.max(10)
            }
        }
    }

    fn language(
        &mut self,
        run: Option<&Run>,
        bounds: Bounds,
        stopped: Option<StopReason>,
    ) -> LearnedLanguage {
        let n_letters = self.teacher.vocabulary.alphabet().len();
        let dfa = match run {
            Some(run) => run.checkpoint.hypothesis().minimize(),
            None => Dfa::none(n_letters),
        };
        let mut dfa = dfa;
        let mut shown = self.teacher.flow.trim(&dfa);
        let is_complete = stopped.is_none() && self.is_complete(&bounds).unwrap_or(false);
        let may_shrink = self.options.is_free_beyond && self.options.promise == Promise::Exact;
        let mut strict_states = None;
        let is_tight = bounds.converged && run.is_some_and(|r| r.is_tight);
        if may_shrink && stopped.is_none() && !is_complete {
            // A stop here costs nothing but states.
            let n_states = shown.n_states();
            // Where nothing new comes up to the largest bound, that one decides most.
            let unwind = if bounds.converged {
                self.options.max_unwind
            } else {
                bounds.unwind
            };
            let word_length = if is_tight {
                self.options.max_word_length
            } else {
                bounds.word_length
            };
            let deciding = Bounds {
                unwind,
                word_length,
                ..bounds
            };
            if let Ok(Some(smaller)) = self.smallest(&dfa, n_states, &deciding) {
                strict_states = Some(n_states);
                dfa = smaller;
                shown = self.teacher.flow.trim(&dfa);
            }
            self.teacher.set_unwind(bounds.unwind);
        }
        let doomed = match stopped {
            None => self.doomed(&shown),
            Some(_) => vec![false; shown.n_states()],
        };
        LearnedLanguage {
            shown,
            strict_states,
            doomed,
            dfa,
            bounds,
            checked_length: run.map_or(0, |r| r.checked_length),
            is_complete,
            is_tight,
            stopped,
        }
    }

    /// The states where failure is certain. A stop leaves states unmarked.
    fn doomed(&mut self, shown: &Trimmed) -> Vec<bool> {
        let unwind = self.options.max_unwind;
        let mut doomed = vec![false; shown.n_states()];
        if self.teacher.vocabulary.assert().is_none() {
            return doomed;
        }
        let symbolic = &mut self.teacher.symbolic;
        let escapes = symbolic.escapes_from(shown);
        let mut candidates: Vec<usize> = (shown.doomed_states().iter().enumerate())
            .filter(|&(_, &is_doomed)| is_doomed)
            .map(|(state, _)| state)
            .collect();
        while !candidates.is_empty() {
            let list: Vec<_> = candidates.iter().map(|&q| escapes[q]).collect();
            let any = symbolic.any(&list);
            let mut question = symbolic.encoding.bound(unwind);
            question.push(any);
            match symbolic.ask(&question, self.teacher.budget) {
                Outcome::Unsat(_) => break,
                Outcome::Unknown(_) => return doomed,
                Outcome::Sat(model) => {
                    let mut evaluator = Evaluator::new(&symbolic.encoding.terms, &model);
                    let before = candidates.len();
                    candidates.retain(|&q| !evaluator.eval_bool(escapes[q]));
                    if candidates.len() == before {
                        return doomed;
                    }
                }
            }
        }
        for state in candidates {
            doomed[state] = true;
        }
        doomed
    }

    /// Whether no run goes beyond the bounds.
    fn is_complete(&mut self, bounds: &Bounds) -> Result<bool, StopReason> {
        let Some(events) = (bounds.word_length)
            .checked_sub(usize::from(self.teacher.vocabulary.assert().is_some()))
        else {
            return Ok(false);
        };
        // A model of a large encoding is dear, and where there is one, a few runs may show it, too.
        if self.teacher.is_expensive() && self.some_run_goes_beyond(bounds) {
            return Ok(false);
        }
        let beyond = self.teacher.symbolic.encoding.exceeds(bounds.unwind);
        let longer = self.teacher.symbolic.longer_than(events);
        for question in [beyond, longer] {
            let mut all = self.teacher.symbolic.encoding.bound(bounds.unwind);
            all.push(question);
            match self.teacher.symbolic.ask(&all, self.teacher.budget) {
                Outcome::Unsat(_) => {}
                Outcome::Sat(_) => return Ok(false),
                Outcome::Unknown(reason) => return Err(reason),
            }
        }
        Ok(true)
    }

    /// The places where runs fail within the largest bound, in the order of the program.
    pub fn failing_places(&mut self) -> Result<Vec<idiolect_ir::Location>, StopReason> {
        let mut found = Vec::new();
        let unwind = self.options.max_unwind;
        loop {
            let symbolic = &mut self.teacher.symbolic;
            let rest = symbolic.other_ends(&found);
            let guards: Vec<_> = rest.iter().map(|r| r.1).collect();
            let any = symbolic.any(&guards);
            let mut question = symbolic.encoding.bound(unwind);
            question.push(any);
            match symbolic.ask(&question, self.teacher.budget) {
                Outcome::Unsat(_) => break,
                Outcome::Unknown(reason) => return Err(reason),
                Outcome::Sat(model) => match symbolic.encoding.end_of(&model) {
                    Some(end) if !found.contains(&end.place) => found.push(end.place),
                    _ => break,
                },
            }
        }
        found.sort_unstable();
        Ok(found)
    }

    /// The word of the run on these inputs, and how the run ends.
    pub fn replay(&self, inputs: &[u128]) -> Replay {
        self.teacher.replayer.run(inputs)
    }

    /// The same with every step.
    pub fn record(&self, inputs: &[u128]) -> (Replay, Recorder<true>) {
        self.teacher.replayer.record(inputs)
    }

    /// A run whose word the language lacks, if random runs show one: of several, the one with the shortest word.
    /// The answer says in addition whether it lies within the bounds of the language, which would be a
    /// contradiction.
    pub fn attack(
        &mut self,
        language: &LearnedLanguage,
        seed: u64,
        n_runs: u64,
    ) -> Option<(Replay, bool)> {
        let mut best: Option<Replay> = None;
        // Where bounds have settled, the promise goes up to the largest ones.
        let (unwind, word_length) = if language.bounds.converged {
            (self.options.max_unwind, self.options.max_word_length)
        } else {
            (language.bounds.unwind, language.bounds.word_length)
        };
        for number in 0..n_runs {
            if self.teacher.budget.look().is_err() {
                break;
            }
            let rng = Rng::new(seed, ATTACK_STREAM + number);
            let mut source = RandomInputs::new(rng, Spread::Mixed);
            let own = Budget::steps(ATTACK_STEPS).cancelled_by(self.teacher.budget.canceller());
            let replay = self.teacher.replayer.run_on(&mut source, &own);
            let is_better = (best.as_ref()).is_none_or(|b| replay.word.len() < b.word.len());
            if !is_better || !replay.is_wanted || language.dfa.accepts(&replay.word) {
                continue;
            }
            let mut is_within = language.is_complete;
            if replay.word.len() <= word_length && !self.goes_beyond(&replay, unwind) {
                self.teacher.set_unwind(unwind);
                is_within |= self.teacher.is_member(&replay.word).unwrap_or(false);
            }
            if is_within {
                return Some((replay, true));
            }
            best = Some(replay);
        }
        best.map(|replay| (replay, false))
    }

    /// Whether a run has more rounds of a loop of the program's own than the bound allows: then nobody needs to
    /// ask a solver about its word.
    fn goes_beyond(&self, replay: &Replay, unwind: usize) -> bool {
        let bits: Vec<u128> = replay.inputs().iter().map(|input| input.bits).collect();
        let own = self.loops_beyond(unwind);
        let limit = |site| (own.iter().find(|l| l.site == site)).map_or(unwind, |l| l.rounds);
        (self.rounds_of(&bits).into_iter()).any(|(site, rounds)| rounds > limit(site))
    }

    /// Whether one of a few random runs has more rounds or letters than these.
    fn some_run_goes_beyond(&self, bounds: &Bounds) -> bool {
        for number in 0..RUNS_BEYOND {
            if self.teacher.budget.look().is_err() {
                return false;
            }
            let mut source = RandomInputs::new(Rng::new(number, BEYOND_STREAM), Spread::Mixed);
            let own = Budget::steps(ATTACK_STEPS).cancelled_by(self.teacher.budget.canceller());
            let replay = self.teacher.replayer.run_on(&mut source, &own);
            let is_longer = replay.is_wanted && replay.word.len() > bounds.word_length;
            if is_longer || self.goes_beyond(&replay, bounds.unwind) {
                return true;
            }
        }
        false
    }
}

/// Whether runs are followed no further because of a bound, and not because of what they do.
pub(crate) fn is_bound(gap: &Gap) -> bool {
    gap.kind == AssumptionKind::Bound
}

/// A learner at one bound on loops.
#[derive(Clone, Debug)]
struct Run {
    learner: DfaLearner,
    /// As it was at the last conjecture, when all answers were certain.
    checkpoint: DfaLearner,
    unwind: usize,
    checked_length: usize,
    /// As [`LearnedLanguage::is_tight`].
    is_tight: bool,
}

impl Run {
    fn new(
        teacher: &mut Teacher<'_>,
        kind: LearnerKind,
        unwind: usize,
        word_length: usize,
    ) -> Result<Self, StopReason> {
        teacher.set_unwind(unwind);
        teacher.longest = word_length;
        teacher.look_for_words(word_length)?;
        let n_letters = teacher.vocabulary.alphabet().len();
        let learner = kind.start_dfa(n_letters, teacher)?;
        Ok(Self {
            checkpoint: learner.clone(),
            learner,
            unwind,
            checked_length: 0,
            is_tight: false,
        })
    }

    fn dfa(&self) -> &Dfa {
        self.learner.hypothesis()
    }
}

/// Nothing follows a failing assertion: a transition that leaves an accepting state says that the
/// bounds are too small to know better.
fn has_back_edges(shown: &Trimmed) -> bool {
    shown.edges().any(|(from, _, _)| shown.is_accepting(from))
}

fn refine(
    learner: &mut DfaLearner,
    cex: &Counterexample,
    teacher: &mut Teacher<'_>,
) -> Result<(), StopReason> {
    match learner.refine(cex, teacher) {
        Ok(()) => Ok(()),
        Err(RefineError::Stopped(reason)) => Err(reason),
        // Answers come from one program and one cache, so they do not contradict each other.
        Err(_) => Err(StopReason::Internal(Bug::Contradiction)),
    }
}

#[cfg(test)]
mod tests {
    use super::has_back_edges;
    use idiolect_automata::{Dfa, Letter};

    /// A-PV-12: a transition that leaves an accepting state says that the bounds are too small.
    #[test]
    fn back_edges_leave_accepting_states() {
        let word = Dfa::of_word(2, &[Letter(0), Letter(1)]);
        assert!(!has_back_edges(&word.trim()));
        // (0 1)*, where the accepting state is left again.
        let again = Dfa::from_fn(2, &[true, false, false], |q, a| match (q, a.index()) {
            (0, 0) => 1,
            (1, 1) => 0,
            _ => 2,
        });
        assert!(has_back_edges(&again.trim()));
    }
}
