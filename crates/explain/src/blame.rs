//! Which bounds stand between an automaton and all runs.
//!
//! A run that goes beyond a bound is cut there, with some word so far. If the automaton accepts every word that the
//! control-flow graph lets follow, nothing is missed, however long the run gets. So a bound is to blame only if it cuts
//! a run where a word may follow that the automaton rejects; and if no bound is to blame, the automaton has the words
//! of *all* runs. (Cores do not say more: the assumptions of a core would be that no run is cut here or there, and each
//! of these is asked about by itself.)

use crate::flow::Flow;
use crate::session::Session;
use idiolect_automata::Dfa;
use idiolect_base::StopReason;
use idiolect_smt::{Outcome, TermId};
use idiolect_symex::events::Words;
use idiolect_symex::{EndKind, EndRecord, UnwindSite};
use std::collections::BTreeSet;

/// The bounds beyond which some run may have a word that the automaton lacks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Blame {
    /// Loops and recursions, by their bound on rounds.
    pub loops: Vec<UnwindSite>,
    /// The bound on the length of words.
    pub is_length: bool,
    /// Another one, such as the length of arguments, or C that is not modelled.
    pub is_other: bool,
}

impl Blame {
    /// Whether the automaton has the words of all runs.
    pub fn is_none(&self) -> bool {
        *self == Self::default()
    }
}

/// What cuts a run.
fn site_of(end: &EndRecord) -> Option<UnwindSite> {
    match end.kind {
        EndKind::Bound(_, site) | EndKind::OwnBound(site) => Some(site),
        _ => None,
    }
}

/// Runs end here that nobody follows any further.
fn is_other(end: &EndRecord) -> bool {
    matches!(end.kind, EndKind::Trap(_) | EndKind::OutOfMemory)
}

impl Session<'_> {
    /// The bounds that may hide a word of a run from this automaton, which is right within the largest of them.
    pub fn blame(&mut self, dfa: &Dfa) -> Result<Blame, StopReason> {
        let mut blame = Blame::default();
        let open = may_reject(&self.teacher.flow, dfa);
        let ends = &self.teacher.symbolic.encoding.ends;
        let sites: BTreeSet<UnwindSite> = ends.iter().filter_map(site_of).collect();
        for site in sites {
            if self.may_miss(&open, |end| site_of(end) == Some(site))? {
                blame.loops.push(site);
            }
        }
        blame.is_other = self.may_miss(&open, is_other)?;
        blame.is_length = self.has_longer(dfa)?;
        Ok(blame)
    }

    /// Whether a run comes to one of these ends with a word so far that the automaton accepts.
    fn may_miss(
        &mut self,
        open: &Dfa,
        wanted: impl Fn(&EndRecord) -> bool,
    ) -> Result<bool, StopReason> {
        let encoding = &mut self.teacher.symbolic.encoding;
        let words = Words::of_ends(encoding, &wanted);
        let (met, _) = words.run_of(encoding, open);
        let beyond = self.beyond_room(&wanted);
        let any = self.teacher.symbolic.any(&[met, beyond]);
        self.is_possible(any)
    }

    /// Whether a run of the language is longer than the words that were looked at and has one that is rejected, or
    /// longer than there is room for.
    fn has_longer(&mut self, dfa: &Dfa) -> Result<bool, StopReason> {
        let last = self.teacher.vocabulary.assert();
        let mut events = dfa.clone();
        for q in dfa.states() {
            events.set_output(q, dfa.is_accepting(last.map_or(q, |a| dfa.step(q, a))));
        }
        let target = self.teacher.symbolic.target().clone();
        let wanted = |end: &EndRecord| crate::symbolic::is_wanted(&target, end);
        let encoding = &mut self.teacher.symbolic.encoding;
        let (_, rejected) = Words::of_ends(encoding, wanted).run_of(encoding, &events);
        let beyond = self.beyond_room(&wanted);
        let any = self.teacher.symbolic.any(&[rejected, beyond]);
        self.is_possible(any)
    }

    /// Holds in runs that come to one of these ends with more events than words can be asked about.
    fn beyond_room(&mut self, wanted: &impl Fn(&EndRecord) -> bool) -> TermId {
        let encoding = &mut self.teacher.symbolic.encoding;
        let room = encoding.letters.len() + 1;
        let mut list = Vec::new();
        for end in encoding.ends.iter().filter(|end| wanted(end)) {
            let known = &end.position[..room.min(end.position.len())];
            let is_known = encoding.terms.or_all(known);
            let is_beyond = encoding.terms.not(is_known);
            list.push(encoding.terms.and(end.guard, is_beyond));
        }
        encoding.terms.or_all(&list)
    }

    fn is_possible(&mut self, term: TermId) -> Result<bool, StopReason> {
        let unwind = self.options().max_unwind;
        let symbolic = &mut self.teacher.symbolic;
        let mut question = symbolic.encoding.bound(unwind);
        question.push(term);
        match symbolic.ask(&question, self.teacher.budget) {
            Outcome::Sat(_) => Ok(true),
            Outcome::Unsat(_) => Ok(false),
            Outcome::Unknown(reason) => Err(reason),
        }
    }
}

/// Accepts the words after which the control-flow graph has a way to a word that the automaton rejects.
fn may_reject(flow: &Flow, dfa: &Dfa) -> Dfa {
    const MOST_PAIRS: usize = 200_000;
    let n_letters = dfa.n_letters();
    let any = Dfa::from_fn(n_letters, &[true], |_, _| 0);
    let flow = match flow.dfa() {
        Some(flow) if flow.n_states() * dfa.n_states() <= MOST_PAIRS => flow,
        _ => &any,
    };
    let missed = flow.difference(dfa);
    let live = missed.live_states();
    let mut open = missed.clone();
    for q in missed.states() {
        open.set_output(q, live[q.index()]);
    }
    open
}
