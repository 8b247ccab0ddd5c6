//! The learners by name, and one type for all of them.

use crate::{
    Counterexample, KearnsVazirani, LSharp, LStar, LStarColumns, Learner, MembershipOracle, NlStar,
    Notes, RefineError, RivestSchapire, Ttt,
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
    NlStar,
    LSharp,
}

impl LearnerKind {
    pub const ALL: [LearnerKind; 7] = [
        Self::LStar,
        Self::LStarColumns,
        Self::RivestSchapire,
        Self::KearnsVazirani,
        Self::Ttt,
        Self::NlStar,
        Self::LSharp,
    ];

    /// The name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::LStar => "lstar",
            Self::LStarColumns => "lstar-columns",
            Self::RivestSchapire => "rs",
            Self::KearnsVazirani => "kv",
            Self::Ttt => "ttt",
            Self::NlStar => "nlstar",
            Self::LSharp => "lsharp",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|k| k.name() == name)
    }

    /// Whether it learns Moore machines with any outputs, and not DFA alone.
    pub fn learns_moore(self) -> bool {
        self != Self::NlStar
    }

    /// A new learner of this kind. It has asked for the empty word, and nothing else yet.
    pub fn start_dfa(
        self,
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = bool>,
    ) -> Result<DfaLearner, StopReason> {
        Ok(match self.start_moore(n_letters, mq)? {
            Some(learner) => DfaLearner::Moore(learner),
            None => DfaLearner::NlStar(NlStar::new(n_letters, mq)?),
        })
    }

    /// A new learner of this kind for Moore machines, or `None` if it learns DFA alone.
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
            Self::NlStar => return Ok(None),
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

/// Any learner for DFA. A clone is a snapshot to roll back to.
#[derive(Clone, Debug)]
pub enum DfaLearner {
    Moore(MooreLearner<bool>),
    NlStar(NlStar),
}

impl<O: Clone + Eq> MooreLearner<O> {
    pub fn kind(&self) -> LearnerKind {
        match self {
            Self::LStar(_) => LearnerKind::LStar,
            Self::LStarColumns(_) => LearnerKind::LStarColumns,
            Self::RivestSchapire(_) => LearnerKind::RivestSchapire,
            Self::KearnsVazirani(_) => LearnerKind::KearnsVazirani,
            Self::Ttt(_) => LearnerKind::Ttt,
            Self::LSharp(_) => LearnerKind::LSharp,
        }
    }

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

impl DfaLearner {
    pub fn kind(&self) -> LearnerKind {
        match self {
            Self::Moore(l) => l.kind(),
            Self::NlStar(_) => LearnerKind::NlStar,
        }
    }

    fn inner(&self) -> &dyn Learner<bool> {
        match self {
            Self::Moore(l) => l,
            Self::NlStar(l) => l,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Learner<bool> {
        match self {
            Self::Moore(l) => l,
            Self::NlStar(l) => l,
        }
    }
}

macro_rules! delegate {
    ($answer:ty) => {
        fn hypothesis(&self) -> &Moore<$answer> {
            self.inner().hypothesis()
        }

        fn complete(
            &mut self,
            mq: &mut dyn MembershipOracle<Answer = $answer>,
        ) -> Result<(), StopReason> {
            self.inner_mut().complete(mq)
        }

        fn refine(
            &mut self,
            cex: &Counterexample<$answer>,
            mq: &mut dyn MembershipOracle<Answer = $answer>,
        ) -> Result<(), RefineError> {
            self.inner_mut().refine(cex, mq)
        }

        fn notes(&self) -> &Notes<$answer> {
            self.inner().notes()
        }
    };
}

impl<O: Clone + Eq> Learner<O> for MooreLearner<O> {
    delegate!(O);
}

impl Learner<bool> for DfaLearner {
    delegate!(bool);
}
