//! `--start-from`: an earlier model of the same thing, as a guide for learning and to say what changed.

use super::model::{LearnedMachine, names};
use super::show::Learnt;
use super::{LearnArgs, Target, read};
use crate::failure::CommandFailure;
use crate::output::counted;
use idiolect_automata::{Alphabet, Dfa, Letter, Mealy, Moore, Word};
use idiolect_learn::Machine;
use idiolect_outcome::results::{ChangedWord, ChangesSince};
use std::collections::HashSet;
use std::path::Path;

/// So many differences are shown.
const SHOWN: usize = 8;
/// Pairs of states that are looked at for them.
const MOST_PAIRS: usize = 1_000_000;

/// The earlier model, over the letters that it has in common with what is learned.
pub struct Earlier {
    model: Target,
    name: String,
    removed: Vec<String>,
    added: Vec<String>,
}

impl Earlier {
    /// Reads the model of `--start-from`, if there is one. The letters that it knows come first in the
    /// alphabet from then on; what order they had is the second value.
    pub fn read(
        args: &LearnArgs,
        alphabet: &mut Alphabet,
    ) -> Result<Option<(Self, Vec<usize>)>, CommandFailure> {
        let Some(path) = &args.start_from else {
            return Ok(None);
        };
        let (model, theirs) = read(path)?;
        let old_names = theirs.names();
        let is_known = |name: &str| old_names.iter().any(|old| old == name);
        let names: Vec<String> = alphabet.names().to_vec();
        let (common, added): (Vec<usize>, Vec<usize>) =
            (0..names.len()).partition(|&i| is_known(&names[i]));
        if common.is_empty() {
            return Err(CommandFailure::usage(
                format!("`{}` has none of these inputs", path.display()),
                "`--start-from` takes an earlier model of the same system",
            ));
        }
        let is_left = |name: &String| !names.contains(name);
        let removed = old_names.iter().filter(|name| is_left(name)).cloned();
        let place = |i: &usize| old_names.iter().position(|old| *old == names[*i]);
        let places: Vec<usize> = common.iter().filter_map(place).collect();
        let order: Vec<usize> = common.iter().chain(&added).copied().collect();
        *alphabet = Alphabet::new(order.iter().map(|&i| names[i].as_str()));
        let earlier = Self {
            model: reordered(&model, &places),
            name: name_of(path),
            removed: removed.collect(),
            added: added.iter().map(|&i| names[i].clone()).collect(),
        };
        Ok(Some((earlier, order)))
    }

    /// The earlier model, if it is of this kind.
    pub fn dfa(&self) -> Result<&Dfa, CommandFailure> {
        match &self.model {
            Target::Dfa(machine) => Ok(machine),
            _ => Err(self.other_kind("DFA")),
        }
    }

    /// The earlier model, if it is of this kind.
    pub fn moore(&self) -> Result<&Moore<String>, CommandFailure> {
        match &self.model {
            Target::Moore(machine) => Ok(machine),
            _ => Err(self.other_kind("Moore machine")),
        }
    }

    /// The earlier model, if it is of this kind.
    pub fn mealy(&self) -> Result<&Mealy<String>, CommandFailure> {
        match &self.model {
            Target::Mealy(machine) => Ok(machine),
            _ => Err(self.other_kind("Mealy machine")),
        }
    }

    fn other_kind(&self, wanted: &str) -> CommandFailure {
        CommandFailure::usage(
            format!("`{}` is not a {wanted}", self.name),
            "an earlier model is of the same kind as what is learned",
        )
    }

    /// Adds what has changed since to the outcome.
    pub fn compare(&self, learnt: &mut Learnt) {
        let alphabet = &learnt.alphabet;
        let (changes, old_states) = match (&self.model, &learnt.model) {
            (Target::Dfa(old), LearnedMachine::Dfa(new)) => {
                let say = |accepts: &bool| if *accepts { "accepts" } else { "rejects" }.to_owned();
                (changes(old, new, alphabet, say), old.n_states())
            }
            (Target::Moore(old), LearnedMachine::Moore(new)) => {
                (changes(old, new, alphabet, String::clone), old.n_states())
            }
            (Target::Mealy(old), LearnedMachine::Mealy(new)) => {
                (changes(old, new, alphabet, String::clone), old.n_states())
            }
            _ => return,
        };
        let states = counted(learnt.model.n_states() as u64, "state");
        let mut notes = Vec::new();
        for (what, letters) in [
            ("new inputs", &self.added),
            ("inputs left out", &self.removed),
        ] {
            if !letters.is_empty() {
                notes.push(format!("{what}: {}", letters.join(", ")));
            }
        }
        let on = if self.added.is_empty() && self.removed.is_empty() {
            ""
        } else {
            " on the inputs that both have"
        };
        if changes.is_empty() {
            notes.push(format!("Nothing has changed since {}{on}.", self.name));
        } else {
            notes.push(format!(
                "Changed since {} ({old_states} states then, {states} now){on}:",
                self.name
            ));
        }
        for change in &changes {
            notes.push(format!("  {}", change.inputs.join(" ")));
            notes.push(format!("    was: {}", change.old.join(" ")));
            notes.push(format!("    is:  {}", change.new.join(" ")));
        }
        learnt.notes.extend(notes);
        learnt.since = Some(ChangesSince {
            changes,
            added_inputs: self.added.clone(),
            removed_inputs: self.removed.clone(),
        });
    }
}

fn name_of(path: &Path) -> String {
    path.display().to_string()
}

/// A model over these of its letters, in this order.
pub fn reordered(model: &Target, letters: &[usize]) -> Target {
    let (k, at) = (letters.len(), |a: Letter| Letter::new(letters[a.index()]));
    match model {
        Target::Dfa(machine) => Target::Dfa(reordered_states(machine, k, at)),
        Target::Moore(machine) => Target::Moore(reordered_states(machine, k, at)),
        Target::Mealy(machine) => {
            let state = idiolect_automata::StateId::new;
            let mut new = Mealy::from_fn(k, machine.n_states(), |q, a| {
                let (q, a) = (state(q), at(a));
                (machine.step(q, a).index(), machine.output(q, a).clone())
            });
            new.set_initial(machine.initial());
            Target::Mealy(new)
        }
    }
}

fn reordered_states<O: Clone>(
    machine: &Moore<O>,
    k: usize,
    at: impl Fn(Letter) -> Letter,
) -> Moore<O> {
    let outputs: Vec<O> = machine
        .states()
        .map(|q| machine.output(q).clone())
        .collect();
    let state = idiolect_automata::StateId::new;
    let mut new = Moore::from_fn(k, &outputs, |q, a| machine.step(state(q), at(a)).index());
    new.set_initial(machine.initial());
    new
}

/// Shortest words up to whose last letter both machines answer alike: one for each kind of change, which is what was
/// answered and what is.
fn words_of_changes<O: Clone + Eq, H: Machine<O>>(old: &H, new: &H) -> Vec<Word> {
    let mut words: Vec<Word> = Vec::new();
    let mut kinds: Vec<(&O, &O)> = Vec::new();
    if old.empty_answer() != new.empty_answer() {
        words.push(Word::new());
    }
    let first = (old.initial(), new.initial());
    let mut seen = HashSet::from([first]);
    // The pair, the one before it, and the letter between them.
    let mut pairs = vec![(first, 0, Letter(0))];
    let mut next = 0;
    while let Some(&((p, q), _, _)) = pairs.get(next) {
        for a in (0..old.n_letters().min(new.n_letters())).map(Letter::new) {
            let kind = (old.step_answer(p, a), new.step_answer(q, a));
            if kind.0 == kind.1 {
                let to = (old.step(p, a), new.step(q, a));
                if pairs.len() < MOST_PAIRS && seen.insert(to) {
                    pairs.push((to, next, a));
                }
            } else if words.len() < SHOWN && !kinds.contains(&kind) {
                kinds.push(kind);
                let mut word = vec![a];
                let mut at = next;
                while at != 0 {
                    word.push(pairs[at].2);
                    at = pairs[at].1;
                }
                word.reverse();
                words.push(word);
            }
        }
        next += 1;
        if words.len() >= SHOWN {
            break;
        }
    }
    if words.is_empty() {
        // Beyond the pairs that were looked at there may be one.
        words.extend(old.difference(new));
    }
    words
}

fn changes<O: Clone + Eq, H: Machine<O>>(
    old: &H,
    new: &H,
    alphabet: &Alphabet,
    say: impl Fn(&O) -> String,
) -> Vec<ChangedWord> {
    let words = words_of_changes(old, new);
    let outputs = |machine: &H, word: &[Letter]| -> Vec<String> {
        if H::ANSWERS_STEPS {
            let answers = machine.answers_from(machine.initial(), word);
            answers.into_iter().map(&say).collect()
        } else {
            machine.answer(word).map(&say).into_iter().collect()
        }
    };
    let change = |word: &Vec<Letter>| ChangedWord {
        inputs: names(alphabet, word),
        old: outputs(old, word),
        new: outputs(new, word),
    };
    words.iter().map(change).collect()
}
