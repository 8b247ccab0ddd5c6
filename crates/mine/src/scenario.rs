//! Scenarios: small sets of dependent interactions around a seed, with their values replaced by
//! numbers.
//!
//! What matters of the values is which are equal. So a scenario numbers them by first appearance,
//! and two scenarios that do the same to different objects in the same order are equal. That is
//! what is counted while traces stream by; types, which only the whole of all traces determines,
//! are applied to the distinct scenarios at the end, see [`Scenario::simplify`].

use crate::types::{AttributeTypes, ObjectOrders};
use crate::value::Value;
use crate::vocabulary::{ApiVocabulary, AttributeId, Interaction, Skeleton};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The number of a value, or [`NOTHING`].
pub type ValueNumber = u32;

/// In place of a value's number: the attribute names no object.
pub const NOTHING: ValueNumber = u32::MAX;

/// One interaction of a scenario.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Step {
    pub skeleton: Skeleton,
    /// One for each attribute.
    pub values: SmallVec<[ValueNumber; 2]>,
}

/// Interactions in the order of the trace, one of which is the seed.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Scenario {
    /// The position of the seed.
    pub seed: usize,
    pub steps: Vec<Step>,
}

/// A scenario in few bytes: the seed's position, then each skeleton with its values.
pub(crate) type Packed = SmallVec<[u32; 32]>;

impl Scenario {
    /// The scenario of these interactions, which are in the order of the trace.
    pub fn new<'a>(interactions: impl IntoIterator<Item = &'a Interaction>, seed: usize) -> Self {
        let mut number: FxHashMap<Value, u32> = FxHashMap::default();
        let mut number_of = |value: &Value| {
            if *value == Value::NOTHING {
                return NOTHING;
            }
            let next = number.len() as u32;
            *number.entry(*value).or_insert(next)
        };
        let steps = interactions.into_iter().map(|interaction| Step {
            skeleton: interaction.skeleton,
            values: interaction.values.iter().map(&mut number_of).collect(),
        });
        Self {
            steps: steps.collect(),
            seed,
        }
    }

    /// Drops the attributes without a type (Figure 11).
    #[must_use]
    pub fn simplify(&self, vocabulary: &ApiVocabulary, types: &AttributeTypes) -> Self {
        let typed = |a| types.of(a).is_some();
        let steps = self.steps.iter().map(|step| {
            let attributes = vocabulary.attributes(step.skeleton);
            let kept = attributes.zip(&step.values).filter(|(a, _)| typed(*a));
            Step {
                values: kept.map(|(_, value)| *value).collect(),
                skeleton: vocabulary.without(step.skeleton, typed),
            }
        });
        Self {
            steps: steps.collect(),
            seed: self.seed,
        }
    }

    /// For each step, the earlier steps that it must not overtake: those that define an object that
    /// it uses (flow), use one that it defines (anti) or define the same one (output). Steps that
    /// are ordered by way of others are left out.
    ///
    /// The paper takes these dependences from the trace. Here they are those among the steps: the
    /// same, but for steps that were ordered by way of an interaction outside the scenario. With
    /// types, equal values of different types are different objects. With `orders`, uses of one object
    /// keep theirs unless they were seen both ways.
    pub(crate) fn dependences(
        &self,
        vocabulary: &ApiVocabulary,
        types: Option<&AttributeTypes>,
        orders: Option<&ObjectOrders>,
    ) -> Vec<SmallVec<[u32; 4]>> {
        #[derive(Default)]
        struct Object {
            definer: Option<u32>,
            users: SmallVec<[(u32, AttributeId); 8]>,
        }
        let mut objects: FxHashMap<(Option<u32>, ValueNumber), Object> = FxHashMap::default();
        let mut before: Vec<SmallVec<[u32; 4]>> = Vec::with_capacity(self.steps.len());
        for (i, step) in self.steps.iter().enumerate() {
            let i = i as u32;
            let mut needs: SmallVec<[u32; 4]> = SmallVec::new();
            let pairs = || vocabulary.attributes(step.skeleton).zip(&step.values);
            for (attribute, &value) in pairs().filter(|(_, v)| **v != NOTHING) {
                let kind = types.and_then(|types| types.of(attribute));
                let object = objects.entry((kind, value)).or_default();
                needs.extend(object.definer.filter(|&d| d != i));
                if vocabulary.defines(attribute) {
                    needs.extend(object.users.drain(..).map(|(u, _)| u).filter(|&u| u != i));
                    object.definer = Some(i);
                } else {
                    if let Some(orders) = orders {
                        let kept = object
                            .users
                            .iter()
                            .filter(|(u, other)| *u != i && !orders.commute(*other, attribute));
                        needs.extend(kept.map(|(u, _)| *u));
                    }
                    object.users.push((i, attribute));
                }
            }
            needs.sort_unstable();
            needs.dedup();
            before.push(needs);
        }
        before
    }

    pub(crate) fn pack(&self) -> Packed {
        let mut packed = Packed::new();
        packed.push(self.seed as u32);
        for step in &self.steps {
            packed.push(step.skeleton.to_u32());
            packed.extend_from_slice(&step.values);
        }
        packed
    }

    /// The scenario that was packed; `None` if these numbers are none of this API.
    pub(crate) fn unpack(packed: &[u32], vocabulary: &ApiVocabulary) -> Option<Self> {
        let (&seed, mut rest) = packed.split_first()?;
        let mut steps = Vec::new();
        while let Some((&skeleton, after)) = rest.split_first() {
            let skeleton = Skeleton::from_u32(skeleton);
            if !vocabulary.is_skeleton(skeleton) || after.len() < skeleton.n_attributes() {
                return None;
            }
            let (values, after) = after.split_at(skeleton.n_attributes());
            // Numbers stay below the number of values, so that tables by number stay small.
            if values
                .iter()
                .any(|&v| v != NOTHING && v as usize >= packed.len())
            {
                return None;
            }
            steps.push(Step {
                skeleton,
                values: values.into(),
            });
            rest = after;
        }
        let seed = seed as usize;
        (seed < steps.len()).then_some(Self { seed, steps })
    }
}

/// Packs interactions without building a [`Scenario`]: this is done for every seed of a trace.
pub(crate) fn pack_interactions<'a>(
    interactions: impl Iterator<Item = &'a Interaction>,
    seed: usize,
    packed: &mut Packed,
    seen: &mut Vec<Value>,
) {
    packed.clear();
    seen.clear();
    packed.push(seed as u32);
    for interaction in interactions {
        packed.push(interaction.skeleton.to_u32());
        for value in &interaction.values {
            if *value == Value::NOTHING {
                packed.push(NOTHING);
                continue;
            }
            // A scenario speaks of few objects, so searching a list beats hashing.
            let at = seen.iter().position(|v| v == value).unwrap_or_else(|| {
                seen.push(*value);
                seen.len() - 1
            });
            packed.push(at as u32);
        }
    }
}
