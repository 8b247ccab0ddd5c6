//! The calls and attributes of an API as numbers, and interactions in these terms.
//!
//! Only attributes that define or use objects are kept: no other can ever be typed, and
//! simplification would drop them.

use crate::api::{Api, Seed, Stay, Success};
use crate::trace::TraceRecord;
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
    pub outcome: CallOutcome,
    /// What tells the lives of one object apart ([`crate::api::Kind::each`]), if the call has it.
    pub owner: Value,
    /// What it makes is not the program's: a parent made the call, whose objects the run has, too, or a
    /// library did (`caller`).
    pub is_inherited: bool,
}

/// Whether a call succeeded, as far as the API and the trace say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum CallOutcome {
    #[default]
    Unknown,
    Succeeded,
    Failed,
}

/// The calls and attributes of an API, numbered in the order of the API.
#[derive(Clone, Debug)]
pub struct ApiVocabulary {
    calls: Vec<Call>,
    attributes: Vec<Attribute>,
    by_name: FxHashMap<Vec<u8>, u32>,
    seeds: Vec<Seed>,
    kinds: Vec<KindOf>,
}

#[derive(Clone, Debug)]
struct KindOf {
    name: String,
    validated: bool,
}

index_type!(
    /// A kind of objects; those without one are of a kind called `object`.
    KindId
);

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
    success: Option<Success>,
    /// The attribute that tells lives apart.
    owner: Option<String>,
}

#[derive(Clone, Debug)]
struct Attribute {
    call: u32,
    name: String,
    defines: bool,
    uses: bool,
    hands_over: bool,
    stays: Option<Stay>,
    kind: KindId,
    /// Values that name no object here.
    nothing: Vec<Value>,
    /// The attribute of the call that this one is like.
    like: AttributeId,
}

impl ApiVocabulary {
    /// The vocabulary of an API, with these seeds instead of the API's own if there are any.
    /// Seeds that are not of the API match nothing; see [`Api::check_seed`].
    pub fn new(api: &Api, seeds: &[Seed]) -> Self {
        let seeds = if seeds.is_empty() { &api.seeds } else { seeds };
        let mut vocabulary = Self {
            calls: Vec::new(),
            attributes: Vec::new(),
            by_name: FxHashMap::default(),
            seeds: seeds.to_vec(),
            kinds: (api.kinds.iter())
                .map(|kind| KindOf {
                    name: kind.name.clone(),
                    validated: kind.validated,
                })
                .chain([KindOf {
                    name: "object".to_owned(),
                    validated: false,
                }])
                .collect(),
        };
        let values = |texts: &[String]| -> Vec<Value> {
            texts.iter().map(|v| Value::new(v.as_bytes())).collect()
        };
        for (number, call) in api.calls.iter().enumerate() {
            let bit = |name: &String| call.attributes.iter().position(|a| a.name == *name);
            let mask = |keep: fn(&crate::api::ApiAttribute) -> bool| {
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
                success: call.success,
                owner: call.attributes.iter().find_map(|a| {
                    let kind = api
                        .kinds
                        .iter()
                        .find(|k| Some(&k.name) == a.kind.as_ref())?;
                    kind.each.clone()
                }),
            });
            let name = call.name.as_bytes().to_vec();
            vocabulary.by_name.insert(name, number as u32);
            let first = vocabulary.attributes.len();
            let attributes = call.attributes.iter().enumerate().map(|(at, a)| {
                let mut kinds = api.kinds.iter();
                let kind = kinds.position(|k| Some(&k.name) == a.kind.as_ref());
                let null = match kind.map(|kind| &api.kinds[kind].null) {
                    Some(null) if !null.is_empty() => null,
                    _ => &api.null,
                };
                Attribute {
                    call: number as u32,
                    name: a.name.clone(),
                    defines: a.defines,
                    uses: a.uses,
                    hands_over: a.hands_over,
                    stays: a.stays,
                    kind: KindId::new(kind.unwrap_or(api.kinds.len())),
                    nothing: values(null),
                    like: AttributeId::new(first + at),
                }
            });
            vocabulary.attributes.extend(attributes);
        }
        for (number, call) in api.calls.iter().enumerate() {
            let Some(model) = call
                .like
                .as_ref()
                .and_then(|n| vocabulary.by_name.get(n.as_bytes()))
            else {
                continue;
            };
            let (model, own) = (
                &vocabulary.calls[*model as usize],
                &vocabulary.calls[number],
            );
            for (at, name) in own.names.clone().iter().enumerate() {
                if let Some(other) = model.names.iter().position(|n| n == name) {
                    let like = AttributeId::new(model.first as usize + other);
                    vocabulary.attributes[own.first as usize + at].like = like;
                }
            }
        }
        vocabulary
    }

    /// The record in terms of this vocabulary; `None` if the API does not have the call.
    pub fn interaction(&self, record: &TraceRecord) -> Option<Interaction> {
        let number = *self.by_name.get(record.call())? as usize;
        let call = &self.calls[number];
        let mut mask = 0u16;
        let mut found: SmallVec<[(u8, Value); 4]> = SmallVec::new();
        let mut outcome = CallOutcome::Unknown;
        let mut owner = Value::NOTHING;
        let mut is_inherited = false;
        for i in 0..record.n_attributes() {
            if let Some(success) = call.success
                && record.is_return(i)
            {
                // A call that never returned has `?` here.
                let returned = Value::new(record.value(i)).as_integer();
                outcome = if returned.is_some_and(|n| success.holds(n)) {
                    CallOutcome::Succeeded
                } else {
                    CallOutcome::Failed
                };
            }
            is_inherited |= record.is_named(i, b"caller");
            if let Some(name) = &call.owner
                && record.name(i).as_ref() == name.as_bytes()
            {
                owner = Value::new(record.value(i));
            }
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
                let attribute = &self.attributes[call.first as usize + usize::from(bit)];
                let is_nothing = record.value(i) == b"?" || attribute.nothing.contains(&value);
                let value = if is_nothing { Value::NOTHING } else { value };
                found.push((bit, value));
            }
        }
        found.sort_unstable_by_key(|(bit, _)| *bit);
        Some(Interaction {
            skeleton: Skeleton::new(number, mask),
            values: found.iter().map(|(_, value)| *value).collect(),
            line: record.line,
            outcome,
            owner,
            is_inherited,
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

    /// Whether the call makes the object.
    pub fn creates(&self, attribute: AttributeId) -> bool {
        let own = &self.attributes[attribute.index()];
        own.defines && !own.uses
    }

    /// Whether the call changes the state of an object that is there before and after it.
    pub fn changes(&self, attribute: AttributeId) -> bool {
        let own = &self.attributes[attribute.index()];
        own.defines && own.uses && !own.hands_over && !self.ends(attribute)
    }

    /// Whether the object belongs to another one after the call.
    pub(crate) fn hands_over(&self, attribute: AttributeId) -> bool {
        self.attributes[attribute.index()].hands_over
    }

    pub fn kind(&self, attribute: AttributeId) -> KindId {
        self.attributes[attribute.index()].kind
    }

    /// Whether the API says of which kind the objects of an attribute are.
    pub fn has_kind(&self, attribute: AttributeId) -> bool {
        self.kind(attribute).index() + 1 < self.kinds.len()
    }

    /// The attribute that stands for this one and all that are like it.
    pub(crate) fn like(&self, attribute: AttributeId) -> AttributeId {
        self.attributes[attribute.index()].like
    }

    /// Declared kinds, then that of everything else.
    pub fn n_kinds(&self) -> usize {
        self.kinds.len()
    }

    pub fn kind_name(&self, kind: KindId) -> &str {
        &self.kinds[kind.index()].name
    }

    /// Whether a call on an object of this kind that is not there fails.
    pub fn is_validated(&self, kind: KindId) -> bool {
        self.kinds[kind.index()].validated
    }

    /// Which of the objects that this call makes may be there at the end of the run.
    pub(crate) fn stays(&self, attribute: AttributeId) -> Option<Stay> {
        self.attributes[attribute.index()].stays
    }

    /// Everything that decides how an attribute is read.
    pub(crate) fn describe(&self, attribute: AttributeId) -> String {
        let own = &self.attributes[attribute.index()];
        let call = &self.calls[own.call as usize];
        let success = call.success.map(|s| s.to_string()).unwrap_or_default();
        format!(
            "{} {} {} {} {} {:?} {} {:?} {} {success} {:?}",
            self.full_name(attribute),
            own.defines,
            own.uses,
            self.ends(attribute),
            own.hands_over,
            own.stays,
            self.kind_name(own.kind),
            own.nothing,
            self.full_name(own.like),
            call.owner,
        )
    }

    /// The calls, in the order of the API.
    pub(crate) fn call_names(&self) -> impl Iterator<Item = &str> {
        self.calls.iter().map(|call| call.name.as_str())
    }

    /// The attribute of this full name, such as `accept.so`.
    pub fn attribute(&self, full_name: &str) -> Option<AttributeId> {
        let mut all = (0..self.attributes.len()).map(AttributeId::new);
        all.find(|&a| self.full_name(a) == full_name)
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
