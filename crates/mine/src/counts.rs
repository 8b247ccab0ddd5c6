//! How often each scenario was seen, and what was learned about types: all that mining needs of a
//! trace, and so what is merged when traces are read in parallel or on several machines.
//!
//! [`Counts::merge`] is associative and commutative, and empty counts change nothing. The file
//! format has a version and holds the calls of the API, so that counts of different APIs are not
//! mixed up.

use crate::lives::LifeCounts;
use crate::scenario::{Packed, Scenario};
use crate::standardize::standardize;
use crate::types::Typing;
use crate::vocabulary::{AttributeId, Vocabulary};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Scenario counts and typing. All attributes that carry dependences are still there.
#[derive(Clone, Debug)]
pub struct Counts {
    /// Scenarios in standard order as far as that is known without types.
    standard: FxHashMap<Packed, u64>,
    /// Scenarios as they came. Emptied into `standard` when there are many, because the same
    /// scenario may come in many orders.
    recent: FxHashMap<Packed, u64>,
    typing: Typing,
    /// Interactions of calls that the API has.
    pub interactions: u64,
    /// Calls that the API does not have.
    pub unknown_calls: u64,
    /// Scenarios whose closure was cut because it reached too far back.
    pub cut_closures: u64,
    /// What programs do with objects from birth to end.
    pub lives: LifeCounts,
}

const MOST_RECENT: usize = 1 << 14;

impl Counts {
    pub fn new(vocabulary: &Vocabulary) -> Self {
        Self {
            standard: FxHashMap::default(),
            recent: FxHashMap::default(),
            typing: Typing::new(vocabulary.n_attributes()),
            interactions: 0,
            unknown_calls: 0,
            cut_closures: 0,
            lives: LifeCounts::default(),
        }
    }

    pub fn typing(&self) -> &Typing {
        &self.typing
    }

    pub(crate) fn typing_mut(&mut self) -> &mut Typing {
        &mut self.typing
    }

    /// Counts a scenario.
    pub(crate) fn add(&mut self, packed: &Packed, vocabulary: &Vocabulary) {
        if let Some(count) = self.recent.get_mut(packed) {
            *count += 1;
            return;
        }
        if self.recent.len() >= MOST_RECENT {
            self.settle(vocabulary);
        }
        self.recent.insert(packed.clone(), 1);
    }

    /// Brings recent scenarios into standard order. With all attributes and one name space this is
    /// finer than the order that types will decide, so nothing is lost.
    pub(crate) fn settle(&mut self, vocabulary: &Vocabulary) {
        let mut recent: Vec<(Packed, u64)> = self.recent.drain().collect();
        recent.sort_unstable();
        for (packed, count) in recent {
            if let Some(scenario) = Scenario::unpack(&packed, vocabulary) {
                let standard = standardize(vocabulary, None, &scenario).scenario.pack();
                *self.standard.entry(standard).or_insert(0) += count;
            }
        }
    }

    /// Adds what another part of the traces gave, with the same API.
    pub fn merge(&mut self, mut other: Self, vocabulary: &Vocabulary) {
        self.settle(vocabulary);
        other.settle(vocabulary);
        let mut items: Vec<(Packed, u64)> = other.standard.into_iter().collect();
        items.sort_unstable();
        for (packed, count) in items {
            *self.standard.entry(packed).or_insert(0) += count;
        }
        self.typing.join(&other.typing);
        self.interactions += other.interactions;
        self.unknown_calls += other.unknown_calls;
        self.cut_closures += other.cut_closures;
        self.lives.merge(other.lives);
    }

    /// The distinct scenarios, in a fixed order, with all attributes.
    pub fn scenarios(&mut self, vocabulary: &Vocabulary) -> Vec<(Scenario, u64)> {
        self.settle(vocabulary);
        let mut items: Vec<(&Packed, u64)> = self.standard.iter().map(|(p, c)| (p, *c)).collect();
        items.sort_unstable();
        let unpack =
            |(packed, count): (&Packed, u64)| Some((Scenario::unpack(packed, vocabulary)?, count));
        items.into_iter().filter_map(unpack).collect()
    }

    /// The number of scenarios seen.
    pub fn total(&self) -> u64 {
        self.standard.values().sum::<u64>() + self.recent.values().sum::<u64>()
    }

    /// As a file: see [`Counts::read`].
    pub fn write(&mut self, vocabulary: &Vocabulary) -> String {
        self.settle(vocabulary);
        let all = (0..vocabulary.n_attributes()).map(AttributeId::new);
        let mut scenarios: Vec<(Vec<u32>, u64)> = (self.standard.iter())
            .map(|(p, c)| (p.to_vec(), *c))
            .collect();
        scenarios.sort_unstable();
        let file = CountsFile {
            format: FORMAT.to_owned(),
            version: VERSION,
            attributes: all.map(|a| vocabulary.full_name(a)).collect(),
            typing: self.typing.pairs(),
            interactions: self.interactions,
            unknown_calls: self.unknown_calls,
            cut_closures: self.cut_closures,
            scenarios,
        };
        // Only maps with odd keys make this an error.
        serde_json::to_string(&file).unwrap_or_default()
    }

    /// Reads what [`Counts::write`] wrote with the same API.
    pub fn read(text: &str, vocabulary: &Vocabulary) -> Result<Self, CountsError> {
        let file: CountsFile = serde_json::from_str(text).map_err(|e| CountsError::NotCounts {
            line: e.line() as u32,
            reason: e.to_string(),
        })?;
        if file.format != FORMAT || file.version != VERSION {
            return Err(CountsError::Version {
                format: file.format,
                version: file.version,
            });
        }
        let all = (0..vocabulary.n_attributes()).map(AttributeId::new);
        if !all.map(|a| vocabulary.full_name(a)).eq(file.attributes) {
            return Err(CountsError::OtherApi);
        }
        let mut counts = Self::new(vocabulary);
        for (a, b) in file.typing {
            if a.max(b) as usize >= vocabulary.n_attributes() {
                return Err(CountsError::OtherApi);
            }
            counts.typing.unite(AttributeId(a), AttributeId(b));
        }
        for (packed, count) in file.scenarios {
            if Scenario::unpack(&packed, vocabulary).is_none() {
                return Err(CountsError::OtherApi);
            }
            *counts.standard.entry(packed.into()).or_insert(0) += count;
        }
        counts.interactions = file.interactions;
        counts.unknown_calls = file.unknown_calls;
        counts.cut_closures = file.cut_closures;
        Ok(counts)
    }
}

const FORMAT: &str = "idiolect-counts";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct CountsFile {
    format: String,
    version: u32,
    attributes: Vec<String>,
    typing: Vec<(u32, u32)>,
    interactions: u64,
    unknown_calls: u64,
    cut_closures: u64,
    scenarios: Vec<(Vec<u32>, u64)>,
}

/// Why a file of counts cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CountsError {
    #[error("this is not a file of counts: {reason}")]
    NotCounts { line: u32, reason: String },
    #[error("`{format}` version {version} is not `{FORMAT}` version {VERSION}")]
    Version { format: String, version: u32 },
    #[error("the counts are of another API")]
    OtherApi,
}

#[cfg(test)]
mod tests {
    use super::{Counts, CountsError};
    use crate::testing::{FIGURE_2, count_text, socket};

    #[test]
    fn counts_survive_a_file_and_merge_in_any_order() {
        let vocabulary = socket("accept(so, return)");
        let count = |text: &str| count_text(&vocabulary, text, 10);
        let parts = [
            FIGURE_2,
            "socket(return = 1)\naccept(so = 1, return = 2)\n",
            "read(fd = 9)\n",
        ];
        let mut forward = Counts::new(&vocabulary);
        let mut backward = Counts::new(&vocabulary);
        for part in parts {
            forward.merge(count(part), &vocabulary);
        }
        for part in parts.iter().rev() {
            let mut fresh = count(part);
            fresh.merge(backward, &vocabulary);
            backward = fresh;
        }
        let text = forward.write(&vocabulary);
        assert_eq!(text, backward.write(&vocabulary));
        let mut again = Counts::read(&text, &vocabulary).expect("our own file");
        assert_eq!(again.write(&vocabulary), text);
        assert_eq!(again.total(), 3);
    }

    #[test]
    fn files_of_others_are_refused() {
        let vocabulary = socket("accept(so, return)");
        let text = Counts::new(&vocabulary).write(&vocabulary);
        let read = |text: &str| Counts::read(text, &vocabulary).map(|_| ());
        assert!(matches!(
            read("{"),
            Err(CountsError::NotCounts { line: 1, .. })
        ));
        assert!(matches!(
            read(&text.replace("\"version\":1", "\"version\":9")),
            Err(CountsError::Version { version: 9, .. })
        ));
        assert_eq!(
            read(&text.replace("bind.so", "bind.os")),
            Err(CountsError::OtherApi)
        );
        let bad = text.replace("\"scenarios\":[]", "\"scenarios\":[[[0,4294967295],1]]");
        assert_eq!(read(&bad), Err(CountsError::OtherApi));
    }
}
