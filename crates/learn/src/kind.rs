//! The learners by name, and one type for all of them.

use crate::{
    Counterexample, KearnsVazirani, LSharp, LStar, LStarColumns, Learner, MembershipOracle, Notes,
    RefineError, RivestSchapire, Ttt,
};
use idiolect_automata::Moore;
use idiolect_base::StopReason;

/// An active learning algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum LearnerKind {
    LStar,
    LStarColumns,
    RivestSchapire,
    KearnsVazirani,
    Ttt,
    LSharp,
}

impl LearnerKind {
    pub const ALL: [LearnerKind; 6] = [
        Self::LStar,
        Self::LStarColumns,
        Self::RivestSchapire,
        Self::KearnsVazirani,
        Self::Ttt,
        Self::LSharp,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::LStar => "lstar",
            Self::LStarColumns => "lstar-columns",
            Self::RivestSchapire => "rs",
            Self::KearnsVazirani => "kv",
            Self::Ttt => "ttt",
            Self::LSharp => "lsharp",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.name() == name)
    }

    /// A new learner of this kind for Moore machines, or `None` if it learns DFA alone. It has
    /// asked for the empty word, and nothing else yet.
    pub fn start_moore<O: Clone + Eq>(
        self,
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Option<MooreLearner<O>>, StopReason> {
        Ok(Some(match self {
            Self::LStar => MooreLearner::LStar(LStar::new(n_letters, mq)?),
            Self::LStarColumns => MooreLearner::LStarColumns(LStarColumns::new(n_letters, mq)?),
            Self::RivestSchapire => {
                MooreLearner::RivestSchapire(RivestSchapire::new(n_letters, mq)?)
            }
            Self::KearnsVazirani => {
                MooreLearner::KearnsVazirani(KearnsVazirani::new(n_letters, mq)?)
            }
            Self::Ttt => MooreLearner::Ttt(Ttt::new(n_letters, mq)?),
            Self::LSharp => MooreLearner::LSharp(LSharp::new(n_letters, mq)?),
        }))
    }
}

/// Any learner for Moore machines. A clone is a snapshot to roll back to.
#[derive(Clone, Debug)]
pub enum MooreLearner<O> {
    LStar(LStar<O>),
    LStarColumns(LStarColumns<O>),
    RivestSchapire(RivestSchapire<O>),
    KearnsVazirani(KearnsVazirani<O>),
    Ttt(Ttt<O>),
    LSharp(LSharp<O>),
}

impl<O: Clone + Eq> MooreLearner<O> {
    fn inner(&self) -> &dyn Learner<O> {
        match self {
            Self::LStar(l) => l,
            Self::LStarColumns(l) => l,
            Self::RivestSchapire(l) => l,
            Self::KearnsVazirani(l) => l,
            Self::Ttt(l) => l,
            Self::LSharp(l) => l,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Learner<O> {
        match self {
            Self::LStar(l) => l,
            Self::LStarColumns(l) => l,
            Self::RivestSchapire(l) => l,
            Self::KearnsVazirani(l) => l,
            Self::Ttt(l) => l,
            Self::LSharp(l) => l,
        }
    }
}

impl<O: Clone + Eq> Learner<O> for MooreLearner<O> {
    fn hypothesis(&self) -> &Moore<O> {
        self.inner().hypothesis()
    }

    fn complete(&mut self, mq: &mut dyn MembershipOracle<Answer = O>) -> Result<(), StopReason> {
        self.inner_mut().complete(mq)
    }

    fn refine(
        &mut self,
        cex: &Counterexample<O>,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<(), RefineError> {
        self.inner_mut().refine(cex, mq)
    }

    fn notes(&self) -> &Notes<O> {
        self.inner().notes()
    }
}
