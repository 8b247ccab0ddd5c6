//! The calls and attributes of an API as numbers, and interactions in these terms.
//!
//! Only attributes that define or use objects are kept: no other can ever be typed, and
//! simplification would drop them.

use crate::api::{Api, Seed};
use crate::trace::Record;
use crate::value::Value;
use idiolect_base::index_type;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::cmp::Ordering;

index_type!(
    /// An attribute of a call, such as `accept.so`: what the paper calls a skeleton attribute.
    AttributeId
);

/// A call with those of its attributes that are there: the call's number and a set of attributes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Skeleton(u32);

impl Skeleton {
    fn new(call: usize, mask: u16) -> Self {
        Self((call as u32) << 16 | u32::from(mask))
    }

    fn call(self) -> usize {
        (self.0 >> 16) as usize
    }

    fn mask(self) -> u16 {
        self.0 as u16
    }

    pub(crate) fn to_u32(self) -> u32 {
        self.0
    }

    pub(crate) fn from_u32(number: u32) -> Self {
        Self(number)
    }

    /// How many attributes it has.
    pub fn n_attributes(self) -> usize {
        self.mask().count_ones() as usize
    }
}

pub type Values = SmallVec<[Value; 2]>;

/// One interaction: a skeleton, and a value for each of its attributes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Interaction {
    pub skeleton: Skeleton,
    pub values: Values,
    /// The line of the trace, from 1.
    pub line: u64,
}

/// The calls and attributes of an API, numbered in the order of the API.
#[derive(Clone, Debug)]
pub struct Vocabulary {
    calls: Vec<Call>,
    attributes: Vec<Attribute>,
    by_name: FxHashMap<Vec<u8>, u32>,
    nothing: Vec<Value>,
    seeds: Vec<Seed>,
}

#[derive(Clone, Debug)]
struct Call {
    name: String,
    first: u32,
    names: Vec<String>,
    /// For each argument by position, its bit among the attributes.
    positions: Vec<Option<u8>>,
    /// It is a seed with any of these sets of attributes.
    seeds: Vec<u16>,
    defining: u16,
    using: u16,
    ending: u16,
}

#[derive(Clone, Debug)]
struct Attribute {
    call: u32,
    name: String,
    defines: bool,
    uses: bool,
}

impl Vocabulary {
    /// The vocabulary of an API, with these seeds instead of the API's own if there are any.
    /// Seeds that are not of the API match nothing; see [`Api::check_seed`].
    pub fn new(api: &Api, seeds: &[Seed]) -> Self {
        let seeds = if seeds.is_empty() { &api.seeds } else { seeds };
        let mut vocabulary = Self {
            calls: Vec::new(),
            attributes: Vec::new(),
            by_name: FxHashMap::default(),
            nothing: api.null.iter().map(|v| Value::new(v.as_bytes())).collect(),
            seeds: seeds.to_vec(),
        };
        for (number, call) in api.calls.iter().enumerate() {
            let bit = |name: &String| call.attributes.iter().position(|a| a.name == *name);
            let mask = |keep: fn(&crate::api::Attribute) -> bool| {
                let bits = call.attributes.iter().enumerate();
                bits.filter(|(_, a)| keep(a))
                    .fold(0, |m, (i, _)| m | 1 << i)
            };
            let own_seeds = seeds.iter().filter(|s| s.call == call.name);
            let masks = own_seeds.filter_map(|seed| {
                let mut bits = seed.attributes.iter().map(bit);
                bits.try_fold(0u16, |mask, bit| Some(mask | 1 << bit?))
            });
            vocabulary.calls.push(Call {
                name: call.name.clone(),
                first: vocabulary.attributes.len() as u32,
                names: call.attributes.iter().map(|a| a.name.clone()).collect(),
                positions: (call.parameters.iter())
                    .map(|name| bit(name).map(|bit| bit as u8))
                    .collect(),
                seeds: masks.collect(),
                defining: mask(|a| a.defines),
                using: mask(|a| a.uses),
                ending: mask(|a| a.ends),
            });
            let name = call.name.as_bytes().to_vec();
            vocabulary.by_name.insert(name, number as u32);
            let attributes = call.attributes.iter().map(|a| Attribute {
                call: number as u32,
                name: a.name.clone(),
                defines: a.defines,
                uses: a.uses,
            });
            vocabulary.attributes.extend(attributes);
        }
        vocabulary
    }

    /// The record in terms of this vocabulary; `None` if the API does not have the call.
    pub fn interaction(&self, record: &Record) -> Option<Interaction> {
        let number = *self.by_name.get(record.call())? as usize;
        let call = &self.calls[number];
        let mut mask = 0u16;
        let mut found: SmallVec<[(u8, Value); 4]> = SmallVec::new();
        for i in 0..record.n_attributes() {
            let bit = match record.position(i) {
                // An API without declarations calls arguments by their position, too.
                Some(position) if !call.positions.is_empty() => {
                    call.positions.get(position).copied().flatten()
                }
                _ => {
                    let name = record.name(i);
                    let names = &call.names;
                    let at = names.iter().position(|n| n.as_bytes() == name.as_ref());
                    at.map(|at| at as u8)
                }
            };
            if let Some(bit) = bit.filter(|bit| mask & 1 << bit == 0) {
                mask |= 1 << bit;
                let value = Value::new(record.value(i));
                let value = match self.nothing.contains(&value) {
                    true => Value::NOTHING,
                    false => value,
                };
                found.push((bit, value));
            }
        }
        found.sort_unstable_by_key(|(bit, _)| *bit);
        Some(Interaction {
            skeleton: Skeleton::new(number, mask),
            values: found.iter().map(|(_, value)| *value).collect(),
            line: record.line,
        })
    }

    /// The skeleton of a call with these attributes, if the API has it.
    pub fn skeleton(&self, call: &str, attributes: &[&str]) -> Option<Skeleton> {
        let number = *self.by_name.get(call.as_bytes())? as usize;
        let names = &self.calls[number].names;
        let mut bits = (attributes.iter()).map(|a| names.iter().position(|n| n == a));
        let mask = bits.try_fold(0, |mask, bit| Some(mask | 1 << bit?))?;
        Some(Skeleton::new(number, mask))
    }

    /// Whether a number is that of a skeleton of this API.
    pub(crate) fn is_skeleton(&self, skeleton: Skeleton) -> bool {
        let call = self.calls.get(skeleton.call());
        call.is_some_and(|c| u32::from(skeleton.mask()) < 1 << c.names.len())
    }

    pub fn seeds(&self) -> &[Seed] {
        &self.seeds
    }

    pub fn n_attributes(&self) -> usize {
        self.attributes.len()
    }

    pub fn is_seed(&self, skeleton: Skeleton) -> bool {
        let mut seeds = self.calls[skeleton.call()].seeds.iter();
        seeds.any(|&wanted| skeleton.mask() & wanted == wanted)
    }

    pub fn call_name(&self, skeleton: Skeleton) -> &str {
        &self.calls[skeleton.call()].name
    }

    /// Whether any attribute of the skeleton defines an object.
    pub(crate) fn may_define(&self, skeleton: Skeleton) -> bool {
        self.calls[skeleton.call()].defining & skeleton.mask() != 0
    }

    /// Whether any attribute of the skeleton ends an object.
    pub(crate) fn may_end(&self, skeleton: Skeleton) -> bool {
        self.calls[skeleton.call()].ending & skeleton.mask() != 0
    }

    pub(crate) fn ends(&self, attribute: AttributeId) -> bool {
        let own = &self.attributes[attribute.index()];
        let call = &self.calls[own.call as usize];
        call.ending & 1 << (attribute.0 - call.first) != 0
    }

    /// Whether any attribute of the skeleton uses an object.
    pub(crate) fn may_use(&self, skeleton: Skeleton) -> bool {
        self.calls[skeleton.call()].using & skeleton.mask() != 0
    }

    /// The attributes of a skeleton, in the order of its values.
    pub fn attributes(&self, skeleton: Skeleton) -> impl Iterator<Item = AttributeId> + use<> {
        let first = self.calls[skeleton.call()].first;
        let mask = skeleton.mask();
        (0..16)
            .filter(move |bit| mask & 1 << bit != 0)
            .map(move |bit| AttributeId(first + bit))
    }

    /// The skeleton without some attributes.
    pub(crate) fn without(
        &self,
        skeleton: Skeleton,
        keep: impl Fn(AttributeId) -> bool,
    ) -> Skeleton {
        let first = self.calls[skeleton.call()].first;
        let kept = self.attributes(skeleton).filter(|&a| keep(a));
        let mask = kept.fold(0, |mask, a| mask | 1 << (a.0 - first));
        Skeleton::new(skeleton.call(), mask)
    }

    pub fn defines(&self, attribute: AttributeId) -> bool {
        self.attributes[attribute.index()].defines
    }

    pub fn uses(&self, attribute: AttributeId) -> bool {
        self.attributes[attribute.index()].uses
    }

    /// An attribute's own name, such as `so`.
    pub fn attribute_name(&self, attribute: AttributeId) -> &str {
        &self.attributes[attribute.index()].name
    }

    /// An attribute with its call, such as `accept.so`.
    pub fn full_name(&self, attribute: AttributeId) -> String {
        let attribute = &self.attributes[attribute.index()];
        format!(
            "{}.{}",
            self.calls[attribute.call as usize].name, attribute.name
        )
    }

    /// The lexicographic order of skeletons: by the call's name, then by attributes.
    pub(crate) fn compare(&self, left: Skeleton, right: Skeleton) -> Ordering {
        let names = |s: Skeleton| self.attributes(s).map(|a| self.attribute_name(a));
        (self.call_name(left).cmp(self.call_name(right)))
            .then_with(|| names(left).cmp(names(right)))
    }

    /// An interaction as text, with something for each value.
    pub(crate) fn show<T: std::fmt::Display>(&self, skeleton: Skeleton, values: &[T]) -> String {
        let attributes = self.attributes(skeleton).zip(values);
        let parts: Vec<String> = attributes
            .map(|(a, value)| format!("{} = {value}", self.attribute_name(a)))
            .collect();
        format!("{}({})", self.call_name(skeleton), parts.join(", "))
    }

    /// An interaction as text, as in Figure 11.
    pub fn show_interaction(&self, interaction: &Interaction) -> String {
        self.show(interaction.skeleton, &interaction.values)
    }
}
