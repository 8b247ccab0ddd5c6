//! A specification with all that checking a trace against it needs, and its file.

use crate::api::{Api, ApiError, Seed};
use crate::lives::{LifeRules, RulesInFile};
use crate::mining::Mined;
use crate::types::{AttributeTypes, ObjectOrders};
use crate::vocabulary::{ApiVocabulary, AttributeId};
use idiolect_automata::formats::json::{Automaton, JsonAutomaton};
use idiolect_automata::{Alphabet, Nfa};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A mined protocol.
#[derive(Clone, Debug)]
pub struct MinedSpecification {
    /// With the seeds that were used.
    pub api: Api,
    pub types: AttributeTypes,
    pub automaton: Nfa,
    pub alphabet: Alphabet,
    /// N, the most ancestors and the most descendants of a scenario.
    pub size: usize,
    /// How many scenarios it was mined from.
    pub scenarios: u64,
    pub cut: f64,
    /// Rules about the lives of objects.
    pub lives: LifeRules,
}

const FORMAT: &str = "idiolect-specification";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct SpecificationFile {
    format: String,
    version: u32,
    size: usize,
    cut: f64,
    scenarios: u64,
    types: BTreeMap<String, String>,
    /// The API file, with the seeds that were used.
    api: String,
    specification: JsonAutomaton,
    /// Attributes that used one object in this order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    orders: Option<Vec<(String, String)>>,
    #[serde(default)]
    lives: RulesInFile,
}

/// Why a file is not a specification.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SpecificationError {
    #[error("this is not a specification: {reason}")]
    NotASpecification { line: u32, reason: String },
    #[error("`{format}` version {version} is not `{FORMAT}` version {VERSION}")]
    Version { format: String, version: u32 },
    #[error("the API inside cannot be used: {0}")]
    Api(#[from] ApiError),
    #[error("`{attribute}` cannot be of type `{kind}` here")]
    Type { attribute: String, kind: String },
    #[error("a rule is about `{0}`, which the API does not have")]
    Rule(String),
    #[error("the automaton inside cannot be used: {0}")]
    Automaton(String),
}

impl MinedSpecification {
    pub fn new(
        api: &Api,
        vocabulary: &ApiVocabulary,
        mined: &Mined,
        size: usize,
        cut: f64,
    ) -> Self {
        let api = Api {
            seeds: vocabulary.seeds().to_vec(),
            ..api.clone()
        };
        Self {
            api,
            types: mined.types.clone(),
            automaton: mined.specification.clone(),
            alphabet: mined.strings.alphabet.clone(),
            size,
            scenarios: mined.strings.total(),
            cut,
            lives: mined.lives.clone(),
        }
    }

    /// The vocabulary of its API.
    pub fn vocabulary(&self) -> ApiVocabulary {
        ApiVocabulary::new(&self.api, &[] as &[Seed])
    }

    pub fn write(&self) -> String {
        let types = self.types.list(&self.vocabulary());
        let file = SpecificationFile {
            format: FORMAT.to_owned(),
            version: VERSION,
            size: self.size,
            cut: self.cut,
            scenarios: self.scenarios,
            types: types
                .into_iter()
                .map(|(name, kind)| (name, format!("T{kind}")))
                .collect(),
            api: self.api.to_toml(),
            specification: JsonAutomaton::from_nfa(&self.automaton, &self.alphabet),
            orders: self.types.orders().map(|orders| {
                let vocabulary = self.vocabulary();
                let name = |a: u32| vocabulary.full_name(AttributeId(a));
                orders.pairs().map(|(a, b)| (name(a), name(b))).collect()
            }),
            lives: self.lives.to_file(&self.vocabulary()),
        };
        // Only maps with odd keys make this an error.
        let mut text = serde_json::to_string_pretty(&file).unwrap_or_default();
        text.push('\n');
        text
    }

    pub fn read(text: &str) -> Result<Self, SpecificationError> {
        let file: SpecificationFile =
            serde_json::from_str(text).map_err(|e| SpecificationError::NotASpecification {
                line: e.line() as u32,
                reason: e.to_string(),
            })?;
        if file.format != FORMAT || file.version != VERSION {
            return Err(SpecificationError::Version {
                format: file.format,
                version: file.version,
            });
        }
        let api = Api::parse(&file.api)?;
        let vocabulary = ApiVocabulary::new(&api, &[] as &[Seed]);
        let mut of = vec![None; vocabulary.n_attributes()];
        for (attribute, kind) in file.types {
            let mut all = (0..of.len()).map(AttributeId::new);
            let at = all.find(|a| vocabulary.full_name(*a) == attribute);
            let number = kind.strip_prefix('T').and_then(|n| n.parse::<u32>().ok());
            match (at, number) {
                (Some(at), Some(number)) => of[at.index()] = Some(number),
                _ => return Err(SpecificationError::Type { attribute, kind }),
            }
        }
        let orders = match file.orders {
            None => None,
            Some(pairs) => {
                let number = |name: String| match vocabulary.attribute(&name) {
                    Some(attribute) => Ok(attribute.0),
                    None => Err(SpecificationError::Rule(name)),
                };
                let numbers: Result<Vec<(u32, u32)>, SpecificationError> = (pairs.into_iter())
                    .map(|(a, b)| Ok((number(a)?, number(b)?)))
                    .collect();
                Some(ObjectOrders::new(numbers?))
            }
        };
        let automaton = file.specification.build();
        let (automaton, alphabet) =
            automaton.map_err(|e| SpecificationError::Automaton(e.to_string()))?;
        let automaton = match automaton {
            Automaton::Nfa(nfa) => nfa,
            Automaton::Dfa(dfa) => Nfa::from(&dfa),
            _ => {
                let reason = "it has to be an NFA or a DFA".to_owned();
                return Err(SpecificationError::Automaton(reason));
            }
        };
        Ok(Self {
            types: AttributeTypes::new(of, orders),
            api,
            automaton,
            alphabet,
            size: file.size,
            scenarios: file.scenarios,
            cut: file.cut,
            lives: LifeRules::from_file(file.lives, &vocabulary)
                .map_err(SpecificationError::Rule)?,
        })
    }
}
