//! What a round is: one execution of a loop's back edge in one visit of the loop, or one activation of
//! a function inside its own, whether or not it depends on input.
//!
//! A bound says how many rounds each loop may have. One that the user fixes holds for every loop as it
//! is, so the language at a bound depends on runs alone. Bounds that grow by themselves start with
//! what every run needs: a loop over a constant array has its own number of rounds, and what is
//! promised names it ([`Session::loops_beyond`]).

use crate::session::Session;
use crate::symbolic::Symbolic;
use crate::vocabulary::LanguageTarget;
use idiolect_base::{Budget, StopReason};
use idiolect_ir::{FuncId, FunctionOrigin, Program};
use idiolect_symex::{Config, UnwindSite};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A loop or recursion, and how many rounds of it are looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopRounds {
    pub site: UnwindSite,
    pub rounds: usize,
}

/// Encodings in which one more loop turned out to have rounds of both kinds; after so many, certain
/// rounds count for every loop.
const MAX_ATTEMPTS: usize = 4;

/// Encodes the program so that each loop has one bound.
///
/// The encoder leaves certain rounds uncounted, visit by visit. Where all visits of a loop are
/// certain, nothing is cut, and its bound is the longest visit. Where some visits are not, the loop
/// gets a bound of its own that holds for all of them: the certain rounds and the bound asked for.
pub(crate) fn encode(
    program: &Arc<Program>,
    target: &LanguageTarget,
    mut config: Config,
    budget: &Budget,
) -> Result<Symbolic, StopReason> {
    let mut symbolic = Symbolic::new(program.clone(), target, config.clone(), budget)?;
    if config.count_certain {
        return Ok(symbolic);
    }
    for attempt in 0..=MAX_ATTEMPTS {
        let mut is_settled = true;
        for (&site, rounds) in &symbolic.encoding.rounds {
            let is_mixed = rounds.certain > 0 && rounds.is_counted;
            let is_wanted = (is_mixed || attempt == MAX_ATTEMPTS) && is_users(program, site);
            if is_wanted && !config.own_bounds.contains_key(&site) {
                let most = config.unwind + rounds.certain as usize;
                config.own_bounds.insert(site, most);
                is_settled = false;
            }
        }
        if is_settled {
            break;
        }
        // Nobody asks the earlier one any more.
        drop(symbolic);
        symbolic = Symbolic::new(program.clone(), target, config.clone(), budget)?;
    }
    Ok(symbolic)
}

impl Session<'_> {
    /// The loops of the program's own functions that are not bounded by `unwind` rounds, in the order
    /// of the program: they have a bound of their own, or more rounds that every run needs.
    pub fn loops_beyond(&self, unwind: usize) -> Vec<LoopRounds> {
        let symbolic = &self.teacher.symbolic;
        let mut list: Vec<LoopRounds> = (symbolic.config.own_bounds.iter())
            .map(|(&site, &rounds)| LoopRounds { site, rounds })
            .filter(|own| own.rounds != unwind)
            .collect();
        for (&site, rounds) in &symbolic.encoding.rounds {
            let rounds = rounds.certain as usize;
            let has_own = symbolic.config.own_bounds.contains_key(&site);
            if rounds > unwind && !has_own && is_users(self.program(), site) {
                list.push(LoopRounds { site, rounds });
            }
        }
        list.sort_by_key(|l| l.site);
        list
    }

    /// Whether some loop of a library function has rounds that depend on no input beside others: only the others
    /// count there.
    pub fn has_uncounted_rounds(&self) -> bool {
        let symbolic = &self.teacher.symbolic;
        if symbolic.config.count_certain {
            return false;
        }
        let mut rounds = symbolic.encoding.rounds.iter();
        rounds.any(|(&site, r)| r.certain > 0 && r.is_counted && !is_users(self.program(), site))
    }

    /// The most rounds that the run on these inputs has of each loop of the program's own functions.
    pub fn rounds_of(&self, inputs: &[u128]) -> BTreeMap<UnwindSite, usize> {
        self.teacher.replayer.rounds(self.program(), inputs)
    }

    /// Whether the loop or recursion is one of the program's own functions.
    pub fn is_users(&self, site: UnwindSite) -> bool {
        is_users(self.program(), site)
    }

    /// Loops that the bound cuts although every run that comes to some visit of them goes round more
    /// often: nothing beyond them was looked at.
    pub fn loops_cut(&self) -> Vec<UnwindSite> {
        let rounds = self.teacher.symbolic.encoding.rounds.iter();
        let cut = rounds.filter(|(site, r)| r.is_cut && is_users(self.program(), **site));
        cut.map(|(&site, _)| site).collect()
    }
}

fn is_users(program: &Program, site: UnwindSite) -> bool {
    program.function(function_of(site)).origin == FunctionOrigin::User
}

fn function_of(site: UnwindSite) -> FuncId {
    match site {
        UnwindSite::Loop { function, .. } | UnwindSite::Recursion(function) => function,
    }
}
