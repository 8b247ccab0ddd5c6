//! Learning from a list of words.

use super::model::Model;
use super::show::Learnt;
use super::{LearnArgs, bad_file};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::output::{Timing, counted};
use idiolect_automata::formats::words as word_list;
use idiolect_automata::{Dfa, Pfsa, Word};
use idiolect_learn::passive::{Agreement, PrefixTree, SkStrings, alergia, edsm, k_tails, rpni};
use serde_json::json;
use std::path::Path;

/// The learners that learn from words.
pub const LEARNERS: [&str; 5] = ["rpni", "edsm", "alergia", "k-tails", "sk-strings"];

pub fn learn(args: &LearnArgs, path: &Path, timing: &mut Timing) -> Result<Learnt, Failure> {
    let bytes = crate::reading::bytes(path, crate::reading::LARGE)?;
    let (words, alphabet) = word_list::read(&bytes).map_err(|e| bad_file(path, &e))?;
    timing.phase("read");
    let is_negative = |label: Option<bool>| label == Some(false);
    let negative = words.iter().filter(|w| is_negative(w.label)).count();
    let default = if negative > 0 { "edsm" } else { "sk-strings" };
    let name = args.learner.as_deref().unwrap_or(default);
    let Some(&name) = LEARNERS.iter().find(|known| **known == name) else {
        return Err(Failure::usage(
            format!("`{name}` learns by queries, not from words"),
            format!("choose one of {}", LEARNERS.join(", ")),
        ));
    };
    let for_dfa = matches!(name, "rpni" | "edsm");
    if for_dfa && negative == 0 {
        return Err(Failure::usage(
            format!("`{name}` needs words that are not in the language, too"),
            "mark them with `-` (or 0 in Abbadingo's format), or learn a probabilistic automaton with sk-strings, k-tails or alergia",
        ));
    }
    let shares = [("--agree", args.agree), ("--alpha", args.alpha)];
    if let Some((option, _)) = shares
        .iter()
        .find(|(_, share)| !(0.0..=1.0).contains(share))
    {
        return Err(Failure::usage(
            format!("{option} is a share between 0 and 1"),
            "for instance 0.5",
        ));
    }
    let k = alphabet.len();
    let (model, text) = if for_dfa {
        let labeled: Vec<(Word, bool)> = (words.iter())
            .filter_map(|w| Some((w.word.clone(), w.label?)))
            .collect();
        let tree = PrefixTree::of_labeled(k, &labeled);
        let dfa: Dfa = match name {
            "rpni" => rpni(&tree),
            _ => edsm(&tree),
        }
        .map_err(|_| {
            Failure::usage(
                "a word is both in the language and not",
                "remove one of the two lines",
            )
        })?;
        let text = format!("It agrees with all {} words.", labeled.len());
        (Model::Dfa(dfa), text)
    } else {
        let positive = words.iter().filter(|w| !is_negative(w.label));
        let counted: Vec<(&Word, u64)> = positive.map(|w| (&w.word, 1)).collect();
        let counted: Vec<(&[_], u64)> = counted.iter().map(|(w, n)| (w.as_slice(), *n)).collect();
        let tree = PrefixTree::of_words(k, &counted);
        let pfsa: Pfsa = match name {
            "alergia" => alergia(&tree, args.alpha),
            "k-tails" => k_tails(&tree, args.k),
            _ => SkStrings {
                k: args.k,
                s: args.agree,
                agreement: Agreement::And,
            }
            .learn(&tree),
        };
        let text = format!("It generalizes {} words.", counted.len());
        (Model::Pfsa(pfsa), text)
    };
    timing.phase("learn");
    let statistics = json!({
        "words": words.len(),
        "negative_words": negative,
        "symbols": words.iter().map(|w| w.word.len() as u64).sum::<u64>(),
        "states": model.n_states(),
    });
    let mut warnings = Vec::new();
    if !for_dfa && negative > 0 {
        warnings.push(format!(
            "{} that are not in the language were left out",
            counted(negative as u64, "word")
        ));
    }
    Ok(Learnt {
        learner: name,
        effort: format!("{} states from {} words", model.n_states(), words.len()),
        model,
        alphabet,
        finished: true,
        exit: Exit::Clean,
        guarantee: ("learned", text),
        statistics: statistics.as_object().cloned().unwrap_or_default(),
        is_target: None,
        notes: Vec::new(),
        warnings,
        more: Vec::new(),
    })
}
