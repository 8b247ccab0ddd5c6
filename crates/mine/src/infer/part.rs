//! What is known of a part of the traces. Each of the two passes is a round of its own: where values come
//! from has to be known of all traces before it can be said what happens to objects.

use super::{Inferred, Lives, Origin, Origins, first_pass, second_pass};
use crate::trace::TraceFormat;
use idiolect_base::{Budget, StopReason};
use serde::{Deserialize, Serialize};
use std::io::{self, BufRead};

/// What one of the passes found in some traces. Merging is associative and commutative.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InferPart {
    /// Where values come from.
    Origins(OriginsPart),
    /// What happens to objects, if values come from there.
    Lives(OriginsPart, LivesPart),
}

/// Attributes are in the order of their names.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OriginsPart {
    /// The call, the name; how many values, new ones and large ones it had.
    attributes: Vec<(Vec<u8>, Vec<u8>, [u64; 3])>,
    /// How often an attribute had a value that these others had had before.
    sources: Vec<(u32, Vec<u32>, u64)>,
}

#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct LivesPart {
    /// Attributes that happened twice to one object.
    recurs: Vec<u32>,
    /// How often one followed the other directly.
    pairs: Vec<(u32, u32, u64)>,
    /// Objects by kind.
    objects: Vec<(u32, u64)>,
}

/// Parts of different rounds, or of the second round after different first ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("these parts are not of one round")]
pub struct MixedRounds;

impl InferPart {
    /// The first round over some traces, or the second if it is given what the first one found in all.
    pub fn of<'t>(
        n: usize,
        mut open: impl FnMut(usize) -> io::Result<Box<dyn BufRead + 't>>,
        format: TraceFormat,
        budget: &Budget,
        known: Option<&OriginsPart>,
    ) -> io::Result<(Self, Option<StopReason>)> {
        let Some(known) = known else {
            let (origins, stopped) = first_pass(n, &mut open, format, budget)?;
            return Ok((Self::Origins(OriginsPart::of(&origins)), stopped));
        };
        let mut lives = Lives::new(known.to_origins());
        let stopped = second_pass(&mut lives, n, &mut open, format, budget)?;
        let part = LivesPart::of(&lives);
        Ok((Self::Lives(known.clone(), part), stopped))
    }

    /// Adds what was found in other traces.
    pub fn merge(self, other: Self) -> Result<Self, MixedRounds> {
        match (self, other) {
            (Self::Origins(own), Self::Origins(other)) => Ok(Self::Origins(own.merge(&other))),
            (Self::Lives(known, own), Self::Lives(theirs, other)) if known == theirs => {
                let mut lives = Lives::new(known.to_origins());
                own.add_to(&mut lives);
                other.add_to(&mut lives);
                Ok(Self::Lives(known, LivesPart::of(&lives)))
            }
            _ => Err(MixedRounds),
        }
    }

    /// What follows from the second round; nothing from the first alone.
    pub fn propose(&self) -> Option<Inferred> {
        let Self::Lives(known, part) = self else {
            return None;
        };
        let mut lives = Lives::new(known.to_origins());
        part.add_to(&mut lives);
        Some(lives.propose())
    }

    /// What the first round found, if this is of the first.
    pub fn origins(&self) -> Option<&OriginsPart> {
        match self {
            Self::Origins(origins) => Some(origins),
            Self::Lives(..) => None,
        }
    }

    /// Whether all numbers are those of attributes; a file may say anything.
    pub fn is_sound(&self) -> bool {
        match self {
            Self::Origins(origins) => origins.is_sound(),
            Self::Lives(origins, lives) => {
                let n = origins.attributes.len() as u32;
                origins.is_sound()
                    && lives.recurs.iter().all(|a| *a < n)
                    && lives.pairs.iter().all(|(a, b, _)| a.max(b) < &n)
                    && lives.objects.iter().all(|(kind, _)| *kind < n)
            }
        }
    }
}

impl OriginsPart {
    fn of(origins: &Origins) -> Self {
        let names = &origins.names;
        let attribute = |((call, name), origin): (&(u32, Vec<u8>), &Origin)| {
            let call = names.call_names[*call as usize].clone();
            let counts = [origin.total, origin.fresh, origin.large];
            (call, name.clone(), counts)
        };
        let sources = origins.sources.iter();
        Self {
            attributes: (names.of.iter().zip(&origins.attributes))
                .map(attribute)
                .collect(),
            sources: sources
                .map(|((a, sources), n)| (*a, sources.clone(), *n))
                .collect(),
        }
    }

    fn is_sound(&self) -> bool {
        let n = self.attributes.len() as u32;
        let key = |i: usize| (&self.attributes[i].0, &self.attributes[i].1);
        (1..self.attributes.len()).all(|i| key(i - 1) < key(i))
            && (self.sources.iter()).all(|(a, sources, _)| *a < n && sources.iter().all(|s| *s < n))
    }

    fn to_origins(&self) -> Origins {
        let mut origins = Origins::default();
        self.add_to(&mut origins);
        origins
    }

    /// Adds to origins with numbers of their own.
    fn add_to(&self, origins: &mut Origins) {
        let mut number = Vec::with_capacity(self.attributes.len());
        for (call, name, [total, fresh, large]) in &self.attributes {
            let call = origins.names.call(call);
            let at = origins.names.attribute(call, name);
            number.push(at);
            if origins.attributes.len() <= at as usize {
                origins
                    .attributes
                    .resize(at as usize + 1, Origin::default());
            }
            let own = &mut origins.attributes[at as usize];
            own.total = own.total.saturating_add(*total);
            own.fresh = own.fresh.saturating_add(*fresh);
            own.large = own.large.saturating_add(*large);
        }
        let number = |a: u32| number.get(a as usize).copied().unwrap_or(0);
        for (attribute, sources, count) in &self.sources {
            let mut sources: Vec<u32> = sources.iter().copied().map(number).collect();
            sources.sort_unstable();
            let own = origins.sources.entry((number(*attribute), sources));
            let own = own.or_insert(0);
            *own = own.saturating_add(*count);
        }
    }

    fn merge(&self, other: &Self) -> Self {
        let mut origins = self.to_origins();
        other.add_to(&mut origins);
        Self::of(&origins.sorted())
    }
}

impl LivesPart {
    fn of(lives: &Lives) -> Self {
        let recurs = lives.recurs.iter().zip(0u32..).filter(|(r, _)| **r);
        let pairs = lives.pairs.iter();
        let objects = lives.n_objects.iter();
        Self {
            recurs: recurs.map(|(_, a)| a).collect(),
            pairs: pairs.map(|((a, b), n)| (*a, *b, *n)).collect(),
            objects: objects.map(|(kind, n)| (*kind, *n)).collect(),
        }
    }

    fn add_to(&self, lives: &mut Lives) {
        for attribute in &self.recurs {
            if let Some(recurs) = lives.recurs.get_mut(*attribute as usize) {
                *recurs = true;
            }
        }
        for (a, b, count) in &self.pairs {
            let own = lives.pairs.entry((*a, *b)).or_insert(0);
            *own = own.saturating_add(*count);
        }
        for (kind, count) in &self.objects {
            let own = lives.n_objects.entry(*kind).or_insert(0);
            *own = own.saturating_add(*count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{InferPart, MixedRounds, OriginsPart};
    use crate::infer::infer;
    use crate::testing::FIGURE_2;
    use crate::trace::TraceFormat;
    use idiolect_base::Budget;

    fn part(text: &str, known: Option<&OriginsPart>) -> InferPart {
        let open = |_| Ok(Box::new(text.as_bytes()) as Box<dyn std::io::BufRead>);
        let budget = Budget::unlimited();
        let part = InferPart::of(1, open, TraceFormat::Auto, &budget, known);
        let part = part.expect("memory can be read").0;
        let json = serde_json::to_string(&part).expect("JSON");
        let again: InferPart = serde_json::from_str(&json).expect("our own JSON");
        assert!(again.is_sound() && again == part);
        again
    }

    fn merge(parts: Vec<InferPart>) -> InferPart {
        let merged = parts.into_iter().map(Ok).reduce(|a, b| a?.merge(b?));
        merged.expect("there are some").expect("of one round")
    }

    #[test]
    fn parts_propose_what_the_whole_does() {
        let mut runs = vec![FIGURE_2.to_owned()];
        for i in 0..30 {
            let at = 0x5500 + 16 * i;
            runs.push(format!(
                "malloc(size = 16, return = {at:#x})\nfree(block = {at:#x})\n"
            ));
            runs.push(format!(
                "init(mutex = {at:#x})\n{}",
                format!("lock(mutex = {at:#x})\nunlock(mutex = {at:#x})\n").repeat(i % 4)
            ));
        }
        let text = runs.join("--\n");
        let open = |_| Ok(Box::new(text.as_bytes()) as Box<dyn std::io::BufRead>);
        let whole = infer(1, open, TraceFormat::Auto, &Budget::unlimited());
        let whole = whole.expect("memory can be read");
        assert!(!whole.reasons.is_empty());
        for step in [1, 7, 17] {
            runs.rotate_left(step);
            let parts: Vec<String> = runs.chunks(step).map(|c| c.join("--\n")).collect();
            let origins = merge(parts.iter().rev().map(|p| part(p, None)).collect());
            let known = origins.origins().expect("the first round");
            let lives = merge(parts.iter().map(|p| part(p, Some(known))).collect());
            assert_eq!(lives.propose(), Some(whole.clone()));
            assert_eq!(origins.clone().merge(lives), Err(MixedRounds));
            assert_eq!(origins.propose(), None);
        }
    }
}
