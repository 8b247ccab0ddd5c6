//! Dynamic reaching definitions: which interaction last defined the object that another one uses.
//!
//! Section 3 of *Mining Specifications* (Ammons, Bodík, Larus; POPL 2002). One pass, a table `M`
//! from values to the attribute of the interaction that defined them last. Within an interaction
//! uses come before definitions, so that `bind(so)`, which does both, depends on `socket` and not
//! on itself. Time is linear in the trace, memory in the values that were defined and not forgotten.

use crate::value::Value;
use crate::vocabulary::{ApiVocabulary, AttributeId, Interaction};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The table `M`, with whatever the caller wants to know about a definer.
#[derive(Debug)]
pub struct Definitions<D> {
    last: FxHashMap<Value, (D, AttributeId)>,
}

impl<D> Default for Definitions<D> {
    fn default() -> Self {
        Self {
            last: FxHashMap::default(),
        }
    }
}

impl<D> Definitions<D> {
    /// For each attribute that uses a defined object: its definer, the attribute that defined it,
    /// and the attribute that uses it.
    pub fn reaching(
        &self,
        vocabulary: &ApiVocabulary,
        interaction: &Interaction,
        mut found: impl FnMut(&D, AttributeId, AttributeId),
    ) {
        if !vocabulary.may_use(interaction.skeleton) {
            return;
        }
        let attributes = vocabulary.attributes(interaction.skeleton);
        for (attribute, value) in attributes.zip(&interaction.values) {
            if vocabulary.uses(attribute)
                && *value != Value::NOTHING
                && let Some((definer, from)) = self.last.get(value)
            {
                found(definer, *from, attribute);
            }
        }
    }

    /// Enters the objects that an interaction defines. Those that defined them before are returned,
    /// once for each value.
    pub fn define(
        &mut self,
        vocabulary: &ApiVocabulary,
        interaction: &Interaction,
        mut definer: impl FnMut() -> D,
    ) -> SmallVec<[D; 2]> {
        let mut replaced = SmallVec::new();
        let attributes = vocabulary.attributes(interaction.skeleton);
        for (attribute, value) in attributes.zip(&interaction.values) {
            if vocabulary.defines(attribute) && *value != Value::NOTHING {
                let before = self.last.insert(*value, (definer(), attribute));
                replaced.extend(before.map(|(definer, _)| definer));
            }
        }
        replaced
    }

    /// Who defined a value last.
    pub fn definer(&self, value: &Value) -> Option<&D> {
        self.last.get(value).map(|(definer, _)| definer)
    }

    /// Forgets a value if its definer is as wanted; the definer is returned.
    pub fn forget(&mut self, value: &Value, wanted: impl FnOnce(&D) -> bool) -> Option<D> {
        if !wanted(&self.last.get(value)?.0) {
            return None;
        }
        self.last.remove(value).map(|(definer, _)| definer)
    }

    /// Forgets everything, as at the end of a run.
    pub fn clear(&mut self) {
        // A long run leaves a large table; a short one after it should not pay for clearing that.
        self.last = FxHashMap::default();
    }

    /// How many values are defined.
    pub fn len(&self) -> usize {
        self.last.len()
    }

    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }
}
