//! The encoding of a program, its words, and the solver that knows both.

use crate::vocabulary::LanguageTarget;
use idiolect_automata::{Dfa, Letter, Trimmed};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::{Location, Program};
use idiolect_smt::{Evaluator, Model, Node, Outcome, Solver, SolverStatistics, TermId};
use idiolect_symex::bmc::is_error;
use idiolect_symex::events::Words;
use idiolect_symex::{Config, Encoding, EndKind, EndRecord, encode};
use std::sync::Arc;

pub(crate) struct Symbolic {
    program: Arc<Program>,
    target: LanguageTarget,
    pub(crate) config: Config,
    pub(crate) encoding: Encoding,
    /// Of the runs whose language is learned.
    words: Words,
    /// Of the runs that end by themselves.
    exits: Words,
    solver: Solver,
    /// No value that the encoding leaves open is passed.
    exact: TermId,
    /// Of solvers that were given up when longer words were asked for.
    before: SolverStatistics,
    pub(crate) encodings: u64,
}

impl Symbolic {
    pub(crate) fn new(
        program: Arc<Program>,
        target: &LanguageTarget,
        config: Config,
        budget: &Budget,
    ) -> Result<Self, StopReason> {
        let mut encoding = encode(&program, &config, budget)?;
        let words = Words::of_ends(&mut encoding, |end| is_wanted(target, end));
        let exits = Words::of_ends(&mut encoding, |end| {
            is_wanted(&LanguageTarget::Program, end)
        });
        keep_seen(&mut encoding);
        let open: Vec<TermId> = (encoding.approximations.iter().map(|&(guard, _)| guard)).collect();
        let any_open = encoding.terms.or_all(&open);
        let exact = encoding.terms.not(any_open);
        Ok(Self {
            exact,
            program,
            target: target.clone(),
            config,
            encoding,
            words,
            exits,
            // Hundreds of questions about one large encoding, most of them answered by few conflicts: making its clauses
            // smaller between two of them takes longer than the search (schedule of the paper's authors: 15 s, without 8.4 s).
            solver: Solver::for_refuting(),
            before: SolverStatistics::default(),
            encodings: 1,
        })
    }

    pub(crate) fn target(&self) -> &LanguageTarget {
        &self.target
    }

    /// Makes sure that words with so many events can be asked about.
    pub(crate) fn make_room(&mut self, n_events: usize, budget: &Budget) -> Result<(), StopReason> {
        if n_events <= self.words.max_length() {
            return Ok(());
        }
        let config = Config {
            max_word: (2 * self.words.max_length()).max(n_events),
            ..self.config.clone()
        };
        let larger = Self::new(self.program.clone(), &self.target, config, budget)?;
        let (before, encodings) = (self.statistics(), self.encodings + 1);
        *self = Self {
            before,
            encodings,
            ..larger
        };
        Ok(())
    }

    /// The longest words that there is room for.
    pub(crate) fn max_events(&self) -> usize {
        self.words.max_length()
    }

    /// Whether no unwound path has these events, as seen without a solver.
    pub(crate) fn excludes(&self, events: &[Letter]) -> bool {
        let terms = &self.encoding.terms;
        let literals = self.words.member(events);
        literals.is_some_and(|list| list.iter().any(|&l| terms.known_false(l)))
    }

    /// One literal for each event, and a last one for the word's length.
    pub(crate) fn word_literals(&self, events: &[Letter]) -> Vec<TermId> {
        // `make_room` came before.
        self.words.member(events).unwrap_or_default()
    }

    pub(crate) fn all_hold(&self, model: &Model, literals: &[TermId]) -> bool {
        let mut evaluator = Evaluator::new(&self.encoding.terms, model);
        literals.iter().all(|&literal| evaluator.eval_bool(literal))
    }

    /// Holds in runs with one of these words.
    pub(crate) fn any_of(&mut self, words: &[&[Letter]]) -> TermId {
        self.words.any_of(&mut self.encoding, words)
    }

    /// Holds in runs that begin with these events, however they go on.
    pub(crate) fn prefix_literals(&self, events: &[Letter]) -> Vec<TermId> {
        self.words.prefix(events).unwrap_or_default()
    }

    /// Holds in runs that end by themselves with some prefix of these events as their word.
    pub(crate) fn exits_on_the_way(&mut self, events: &[Letter]) -> TermId {
        let prefixes: Vec<&[Letter]> = (0..=events.len()).map(|n| &events[..n]).collect();
        self.exits.any_of(&mut self.encoding, &prefixes)
    }

    /// By number of events: holds in wanted runs with a word that the automaton rejects. `last` is
    /// the letter that all words end with and no run counts among its events.
    pub(crate) fn rejected(
        &mut self,
        dfa: &Dfa,
        last: Option<Letter>,
        max_events: usize,
    ) -> Vec<TermId> {
        let live = dfa.live_states();
        let terms = &mut self.encoding.terms;
        let falsity = terms.ff();
        let mut states = vec![falsity; dfa.n_states()];
        states[dfa.initial().index()] = terms.tt();
        let mut by_length = Vec::with_capacity(max_events + 1);
        for n in 0..=max_events {
            let Some(ends) = self.words.length(n) else {
                break;
            };
            let accepting: Vec<TermId> = dfa
                .states()
                .filter(|&q| dfa.is_accepting(last.map_or(q, |a| dfa.step(q, a))))
                .map(|q| states[q.index()])
                .collect();
            let accepted = terms.or_all(&accepting);
            let not_accepted = terms.not(accepted);
            by_length.push(terms.and(ends, not_accepted));
            let mut next = vec![Vec::new(); dfa.n_states()];
            for q in dfa.states().filter(|q| live[q.index()]) {
                if terms.known_false(states[q.index()]) {
                    continue;
                }
                for letter in dfa.letters().filter(|&a| Some(a) != last) {
                    let to = dfa.step(q, letter);
                    let Some(read) = self.words.letter(n, letter).filter(|_| live[to.index()])
                    else {
                        continue;
                    };
                    next[to.index()].push(terms.and(states[q.index()], read));
                }
            }
            states = next.iter().map(|list| terms.or_all(list)).collect();
        }
        by_length
    }

    /// The places of wanted ends other than these, and when runs end there.
    pub(crate) fn other_ends(&self, known: &[Location]) -> Vec<(Location, TermId)> {
        let ends = self.encoding.ends.iter();
        ends.filter(|end| is_wanted(&self.target, end) && !known.contains(&end.place))
            .map(|end| (end.place, end.guard))
            .collect()
    }

    pub(crate) fn any(&mut self, list: &[TermId]) -> TermId {
        self.encoding.terms.or_all(list)
    }

    /// By state: holds in runs that come there and do not fail: they end well, fault, or go beyond
    /// the bound, where nobody follows them.
    pub(crate) fn escapes_from(&mut self, shown: &Trimmed) -> Vec<TermId> {
        let ends: Vec<TermId> = (self.encoding.ends.iter())
            .filter(|end| end.kind != EndKind::AssumeEnded && !is_wanted(&self.target, end))
            .map(|end| end.guard)
            .collect();
        let escape = self.encoding.terms.or_all(&ends);
        let terms = &mut self.encoding.terms;
        let falsity = terms.ff();
        let mut states = vec![falsity; shown.n_states()];
        states[shown.initial().index()] = terms.tt();
        let mut visited = states.clone();
        for position in 0..self.words.max_length() {
            let mut next = vec![falsity; shown.n_states()];
            for (from, letter, to) in shown.edges() {
                let Some(read) = self.words.letter(position, letter) else {
                    continue;
                };
                let moves = terms.and(states[from.index()], read);
                next[to.index()] = terms.or(next[to.index()], moves);
            }
            states = next;
            for (seen, &now) in visited.iter_mut().zip(&states) {
                *seen = terms.or(*seen, now);
            }
        }
        visited
            .into_iter()
            .map(|seen| terms.and(escape, seen))
            .collect()
    }

    /// Holds in runs with this letter at this position.
    pub(crate) fn letter_literal(&self, position: usize, letter: Letter) -> Option<TermId> {
        self.words.letter(position, letter)
    }

    /// Holds in wanted runs with so many events.
    pub(crate) fn length_literal(&self, n_events: usize) -> Option<TermId> {
        self.words.length(n_events)
    }

    pub(crate) fn is_known_false(&self, term: TermId) -> bool {
        self.encoding.terms.known_false(term)
    }

    /// Holds in wanted runs with more events than this.
    pub(crate) fn longer_than(&mut self, n_events: usize) -> TermId {
        let wanted = |end: &&EndRecord| is_wanted(&self.target, end);
        let picked: Vec<(TermId, Vec<TermId>)> = self
            .encoding
            .ends
            .iter()
            .filter(wanted)
            .map(|end| {
                let tail = end.position.get(n_events + 1..).unwrap_or(&[]);
                (end.guard, tail.to_vec())
            })
            .collect();
        let terms = &mut self.encoding.terms;
        let list: Vec<TermId> = picked
            .into_iter()
            .map(|(guard, tail)| {
                let long = terms.or_all(&tail);
                terms.and(guard, long)
            })
            .collect();
        terms.or_all(&list)
    }

    pub(crate) fn ask(&mut self, question: &[TermId], budget: &Budget) -> Outcome {
        if let Some(&no) = question
            .iter()
            .find(|&&t| self.encoding.terms.known_false(t))
        {
            return Outcome::Unsat(vec![no]);
        }
        self.solver.check(&self.encoding.terms, question, budget)
    }

    /// The same for a question whose answer is a run: one that passes no value which the encoding leaves open comes
    /// first, as others may be none.
    pub(crate) fn ask_for_run(&mut self, question: &[TermId], budget: &Budget) -> Outcome {
        let exactly: Vec<TermId> = question.iter().copied().chain([self.exact]).collect();
        match self.ask(&exactly, budget) {
            Outcome::Unsat(core) if core.contains(&self.exact) => self.ask(question, budget),
            outcome => outcome,
        }
    }

    /// Tells the solver what it has found out: within the bound, none of these holds.
    pub(crate) fn keep_refuted(&mut self, bound: &[TermId], refuted: &[TermId]) {
        let terms = &mut self.encoding.terms;
        let mut clause: Vec<TermId> = bound.iter().map(|&b| terms.not(b)).collect();
        for &never in refuted {
            clause.push(terms.not(never));
            self.solver.add_clause(terms, &clause);
            clause.pop();
        }
    }

    pub(crate) fn inputs_of(&self, model: &Model) -> Vec<u128> {
        let inputs = self.encoding.inputs_of(model);
        inputs.iter().map(|input| input.bits).collect()
    }

    pub(crate) fn statistics(&self) -> SolverStatistics {
        let now = self.solver.statistics();
        SolverStatistics {
            solver_calls: self.before.solver_calls + now.solver_calls,
            conflicts: self.before.conflicts + now.conflicts,
            propagations: self.before.propagations + now.propagations,
            ..now
        }
    }
}

/// Forgets values that the encoding leaves open and nothing depends on, such as most results of `printf`: a run that
/// passes one is as good as any other.
fn keep_seen(encoding: &mut Encoding) {
    if encoding.approximations.is_empty() {
        return;
    }
    let mut seen: Vec<TermId> = encoding.letters.concat();
    for end in &encoding.ends {
        seen.push(end.guard);
        seen.extend(&end.position);
    }
    for input in &encoding.inputs {
        seen.extend([input.guard, input.value]);
    }
    seen.extend(encoding.input_positions.iter().flatten());
    let terms = &encoding.terms;
    let (variables, _) = terms.variables_of(&seen);
    (encoding.approximations).retain(|&(_, value)| match terms.node(value) {
        Node::Var(own) => variables.binary_search(&own).is_ok(),
        _ => true,
    });
}

pub(crate) fn is_wanted(target: &LanguageTarget, end: &EndRecord) -> bool {
    match target {
        LanguageTarget::Program => matches!(end.kind, EndKind::Exit(_) | EndKind::Abort),
        LanguageTarget::Error { places, properties } => {
            is_error(&end.kind, properties) && places.contains(&end.place)
        }
    }
}
