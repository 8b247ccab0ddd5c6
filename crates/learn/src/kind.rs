//! The learners by name, and one type for all of them.

use crate::{
    Counterexample, KearnsVazirani, LSharp, LStar, LStarColumns, Learner, Machine,
    MembershipOracle, NlStar, Notes, RefineError, RivestSchapire, Ttt,
};
use idiolect_automata::{Mealy, Moore};
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

    /// Whether it learns Moore and Mealy machines with any outputs, and not DFA alone.
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
        let traces = mq.gives_prefixes();
        self.start(n_letters, traces, mq)
    }

    /// A new learner of this kind for Mealy machines, or `None` if it learns DFA alone. The oracle has
    /// to answer prefixes.
    pub fn start_mealy<O: Clone + Eq>(
        self,
        n_letters: usize,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Option<MealyLearner<O>>, StopReason> {
        self.start(n_letters, true, mq)
    }

    fn start<O: Clone + Eq, H: Machine<O>>(
        self,
        n_letters: usize,
        traces: bool,
        mq: &mut dyn MembershipOracle<Answer = O>,
    ) -> Result<Option<MachineLearner<O, H>>, StopReason> {
        Ok(Some(match self {
            Self::LStar => MachineLearner::LStar(LStar::start(n_letters, mq)?),
            Self::LStarColumns => MachineLearner::LStarColumns(LStarColumns::start(n_letters, mq)?),
            Self::RivestSchapire => {
                MachineLearner::RivestSchapire(RivestSchapire::start(n_letters, mq)?)
            }
            Self::KearnsVazirani => {
                MachineLearner::KearnsVazirani(KearnsVazirani::start(n_letters, mq)?)
            }
            Self::Ttt => MachineLearner::Ttt(Ttt::start(n_letters, mq)?),
            Self::LSharp => MachineLearner::LSharp(LSharp::start(n_letters, traces, mq)?),
            Self::NlStar => return Ok(None),
        }))
    }
}

/// Any learner for machines with outputs. A clone is a snapshot to roll back to.
#[derive(Clone, Debug)]
pub enum MachineLearner<O, H> {
    LStar(LStar<O, H>),
    LStarColumns(LStarColumns<O, H>),
    RivestSchapire(RivestSchapire<O, H>),
    KearnsVazirani(KearnsVazirani<O, H>),
    Ttt(Ttt<O, H>),
    LSharp(LSharp<O, H>),
}

/// Any learner for Moore machines.
pub type MooreLearner<O> = MachineLearner<O, Moore<O>>;

/// Any learner for Mealy machines.
pub type MealyLearner<O> = MachineLearner<O, Mealy<O>>;

/// Any learner for DFA. A clone is a snapshot to roll back to.
#[derive(Clone, Debug)]
pub enum DfaLearner {
    Moore(MooreLearner<bool>),
    NlStar(NlStar),
}

impl<O: Clone + Eq, H: Machine<O>> MachineLearner<O, H> {
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

    fn inner(&self) -> &dyn Learner<O, H> {
        match self {
            Self::LStar(l) => l,
            Self::LStarColumns(l) => l,
            Self::RivestSchapire(l) => l,
            Self::KearnsVazirani(l) => l,
            Self::Ttt(l) => l,
            Self::LSharp(l) => l,
        }
    }

    fn inner_mut(&mut self) -> &mut dyn Learner<O, H> {
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
    ($answer:ty, $machine:ty) => {
        fn hypothesis(&self) -> &$machine {
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

impl<O: Clone + Eq, H: Machine<O>> Learner<O, H> for MachineLearner<O, H> {
    delegate!(O, H);
}

impl Learner<bool> for DfaLearner {
    delegate!(bool, Moore<bool>);
}
