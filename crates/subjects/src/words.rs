//! Learning from a list of words.

use super::model::LearnedMachine;
use super::show::Learnt;
use super::{LearnArgs, bad_file};
use crate::failure::CommandFailure;
use crate::output::{Timing, counted};
use idiolect_automata::formats::abbadingo::LabeledWord;
use idiolect_automata::formats::words as word_list;
use idiolect_automata::{Dfa, Pfsa, Word};
use idiolect_learn::passive::{
    Agreement, Contradictory, Order, PrefixTree, SkStrings, Tolerant, alergia, edsm, k_tails,
    rpni_by_frequency,
};
use idiolect_outcome::results::{LearnStatistics, WordStatistics};
use idiolect_outcome::{Conclusion, GuaranteeKind, Ledger, Verdict};
use std::path::Path;

/// The learners that learn from words.
pub const LEARNERS: [&str; 5] = ["rpni", "edsm", "alergia", "k-tails", "sk-strings"];

/// Learns from a list of words.
pub fn learn(args: &LearnArgs, path: &Path, timing: &mut Timing) -> Result<Learnt, CommandFailure> {
    let bytes = crate::reading::bytes(path, crate::reading::LARGE)?;
    let is_for_mealy = matches!(args.learner.as_deref(), None | Some("rpni" | "edsm"));
    if is_for_mealy && word_list::has_outputs(&bytes) {
        return learn_mealy(args, path, &bytes, timing);
    }
    let (words, alphabet) = word_list::read(&bytes).map_err(|e| bad_file(path, &e))?;
    timing.phase("read");
    let is_negative = |label: Option<bool>| label == Some(false);
    let negative = words.iter().filter(|w| is_negative(w.label)).count();
    let default = if negative > 0 { "edsm" } else { "sk-strings" };
    let name = args.learner.as_deref().unwrap_or(default);
    let Some(&name) = LEARNERS.iter().find(|known| **known == name) else {
        return Err(CommandFailure::usage(
            format!("`{name}` learns by queries, not from words"),
            format!("choose one of {}", LEARNERS.join(", ")),
        ));
    };
    let for_dfa = matches!(name, "rpni" | "edsm");
    if for_dfa && negative == 0 {
        return Err(CommandFailure::usage(
            format!("`{name}` needs words that are not in the language, too"),
            "mark them with `-` (or 0 in Abbadingo's format), or learn a probabilistic automaton with sk-strings, k-tails or alergia",
        ));
    }
    check_shares(args, for_dfa)?;
    let k = alphabet.len();
    let (model, text) = if for_dfa {
        let labeled: Vec<(Word, bool)> = (words.iter())
            .filter_map(|w| Some((w.word.clone(), w.label?)))
            .collect();
        let dfa: Result<Dfa, Contradictory> = match name {
            _ if args.noise > 0.0 => tolerant(args, name).dfa(k, &labeled),
            "rpni" => rpni_by_frequency(k, &labeled),
            _ => edsm(&PrefixTree::of_labeled(k, &labeled)),
        };
        let dfa = dfa.map_err(|_| {
            CommandFailure::usage(
                "a word is both in the language and not",
                "remove one of the two lines, or tolerate noise with `--noise 0.05`",
            )
        })?;
        let wrong = labeled
            .iter()
            .filter(|(word, label)| dfa.accepts(word) != *label);
        let text = agreement(labeled.len(), wrong.count(), "word");
        (LearnedMachine::Dfa(dfa), text)
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
        (LearnedMachine::Pfsa(pfsa), text)
    };
    timing.phase("learn");
    let statistics = WordStatistics {
        words: words.len(),
        negative_words: negative,
        symbols: words.iter().map(|w| w.word.len() as u64).sum(),
        wrong_outputs: None,
        states: model.n_states(),
    };
    let mut warnings: Vec<String> = no_words(path, &words, k).into_iter().collect();
    if !for_dfa && negative > 0 {
        warnings.push(format!(
            "{} that are not in the language were left out",
            counted(negative as u64, "word")
        ));
    }
    Ok(Learnt {
        warnings,
        ..of_words(name, (model, alphabet), text, statistics)
    })
}

/// Letters that are each used once say nothing about one another: most likely this is another kind of text.
fn no_words(path: &Path, words: &[LabeledWord], n_letters: usize) -> Option<String> {
    const FEW: usize = 10;
    let mut times = vec![0_u64; n_letters];
    for letter in words.iter().flat_map(|w| &w.word) {
        times[letter.index()] += 1;
    }
    let once = times.iter().filter(|&&n| n == 1).count();
    (n_letters >= FEW && 2 * once > n_letters).then(|| {
        format!(
            "{once} of {n_letters} letters occur only once: is `{}` a list of words, one a line with spaces between \
             letters?",
            path.display()
        )
    })
}

/// What every model of a list of words has to tell.
fn of_words(
    learner: &'static str,
    (model, alphabet): (LearnedMachine, idiolect_automata::Alphabet),
    text: String,
    statistics: WordStatistics,
) -> Learnt {
    let ledger = Ledger::default();
    Learnt {
        learner,
        effort: format!(
            "{} from {}",
            counted(model.n_states(), "state"),
            counted(statistics.words, "word")
        ),
        model,
        alphabet,
        conclusion: Conclusion::new(Verdict::Learned, GuaranteeKind::Learned, text, &ledger),
        statistics: LearnStatistics::Words(statistics),
        is_target: None,
        notes: Vec::new(),
        warnings: Vec::new(),
        contradiction: None,
        since: None,
    }
}

fn check_shares(args: &LearnArgs, for_dfa: bool) -> Result<(), CommandFailure> {
    let shares = [("--agree", args.agree), ("--alpha", args.alpha)];
    let outside = |(_, share): &&(&str, f64)| !(0.0..=1.0).contains(share);
    if let Some((option, _)) = shares.iter().find(outside) {
        return Err(CommandFailure::usage(
            format!("{option} is a share between 0 and 1"),
            "for instance 0.5",
        ));
    }
    if !(0.0..0.5).contains(&args.noise) {
        return Err(CommandFailure::usage(
            "--noise is a share below one half",
            "for instance 0.05, if one label of twenty may be wrong",
        ));
    }
    if args.noise > 0.0 && !for_dfa {
        return Err(CommandFailure::usage(
            "only rpni and edsm take --noise",
            "the others count words, and rare ones weigh little",
        ));
    }
    Ok(())
}

fn tolerant(args: &LearnArgs, name: &str) -> Tolerant {
    Tolerant {
        order: if name == "rpni" {
            Order::First
        } else {
            Order::Best
        },
        noise: args.noise,
    }
}

/// How many of the words, or outputs, the model gets right.
fn agreement(n: usize, wrong: usize, what: &str) -> String {
    let all = counted(n as u64, what);
    match wrong {
        0 if n == 1 => format!("It agrees with {all}."),
        0 => format!("It agrees with all {all}."),
        _ => format!(
            "It agrees with {} of {all}; the others are taken for noise.",
            n - wrong
        ),
    }
}

/// A Mealy machine from input/output words.
fn learn_mealy(
    args: &LearnArgs,
    path: &Path,
    bytes: &[u8],
    timing: &mut Timing,
) -> Result<Learnt, CommandFailure> {
    let (words, alphabet) = word_list::read_outputs(bytes).map_err(|e| bad_file(path, &e))?;
    timing.phase("read");
    check_shares(args, true)?;
    let name = match args.learner.as_deref() {
        Some("rpni") => "rpni",
        _ => "edsm",
    };
    let unknown = "?".to_owned();
    let machine = tolerant(args, name).mealy(alphabet.len(), &words, &unknown);
    let machine = machine.map_err(|_| {
        CommandFailure::usage(
            "the same inputs have different outputs in two words",
            "a Mealy machine is deterministic; tolerate noise with `--noise 0.05`",
        )
    })?;
    let wrong = words.iter().map(|(word, outputs)| {
        let said = machine.outputs_of(word);
        said.iter().zip(outputs).filter(|(x, y)| **x != *y).count()
    });
    let wrong: usize = wrong.sum();
    let symbols: usize = words.iter().map(|(word, _)| word.len()).sum();
    let text = agreement(symbols, wrong, "output");
    let model = LearnedMachine::Mealy(machine);
    timing.phase("learn");
    let statistics = WordStatistics {
        words: words.len(),
        negative_words: 0,
        symbols: symbols as u64,
        wrong_outputs: Some(wrong as u64),
        states: model.n_states(),
    };
    Ok(of_words(name, (model, alphabet), text, statistics))
}
