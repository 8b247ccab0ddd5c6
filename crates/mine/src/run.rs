//! A whole run in memory, with its flow dependences: what checking looks at, and what streaming
//! extraction is compared with.

use crate::reaching::Definitions;
use crate::vocabulary::{ApiVocabulary, AttributeId, Interaction};

/// A flow dependence between attributes of interactions, which are given by position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Flow {
    pub from: usize,
    pub from_attribute: AttributeId,
    pub to: usize,
    pub to_attribute: AttributeId,
}

/// A run with its flow dependences in both directions.
#[derive(Clone, Default, Debug)]
pub struct Run {
    pub interactions: Vec<Interaction>,
    pub flows: Vec<Flow>,
    /// For each interaction, those it depends on, in order.
    pub definers: Vec<Vec<u32>>,
    /// For each interaction, those that depend on it, in order.
    pub users: Vec<Vec<u32>>,
}

impl Run {
    /// Annotates a run.
    pub fn new(vocabulary: &ApiVocabulary, interactions: Vec<Interaction>) -> Self {
        let mut definitions: Definitions<usize> = Definitions::default();
        let mut run = Self {
            definers: vec![Vec::new(); interactions.len()],
            users: vec![Vec::new(); interactions.len()],
            ..Self::default()
        };
        for (to, interaction) in interactions.iter().enumerate() {
            definitions.reaching(
                vocabulary,
                interaction,
                |&from, from_attribute, to_attribute| {
                    run.flows.push(Flow {
                        from,
                        from_attribute,
                        to,
                        to_attribute,
                    });
                    run.definers[to].push(from as u32);
                },
            );
            run.definers[to].sort_unstable();
            run.definers[to].dedup();
            for &from in &run.definers[to] {
                run.users[from as usize].push(to as u32);
            }
            definitions.define(vocabulary, interaction, || to);
        }
        run.interactions = interactions;
        run
    }

    /// The positions of the seeds.
    pub fn seeds(&self, vocabulary: &ApiVocabulary) -> Vec<usize> {
        let all = self.interactions.iter().enumerate();
        let seeds = all.filter(|(_, i)| vocabulary.is_seed(i.skeleton));
        seeds.map(|(at, _)| at).collect()
    }
}
