//! Both versions on the same inputs: what is seen of them besides their words.

use crate::args::CArgs;
use crate::claim;
use crate::ends as run_show;
use crate::named::named_inputs;
use crate::returned;
use clap::ValueEnum;
use idiolect_base::Budget;
use idiolect_interp::{End, Outcome};
use idiolect_ir::Program;
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::product::{CALLED, Letters, Observed};
use idiolect_outcome::results::{DifferentInputs, DifferentValue, TraceStep, VersionRun};
use idiolect_outcome::{Assumption, AssumptionKind, Ledger};
use idiolect_verify::{Pair, Related, relate};
use std::fmt::Write as _;
use std::sync::Arc;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Observe {
    /// The words of events
    Words,
    /// How the program ends, and with which status
    Result,
    /// What it prints
    Stdout,
    /// The final values of global variables
    Globals,
}

/// What is observed besides words, if anything is.
pub fn observed(list: &[Observe]) -> Option<Observed> {
    let has = |what| list.contains(&what);
    let observed = Observed {
        result: has(Observe::Result),
        stdout: has(Observe::Stdout),
        globals: has(Observe::Globals),
        ..Observed::default()
    };
    (observed.result || observed.stdout || observed.globals).then_some(observed)
}

/// Words alone.
pub fn words(letters: [Letters; 2]) -> Observed {
    Observed {
        letters,
        ..Observed::default()
    }
}

/// What became of the comparison.
pub struct RelatedVersions {
    old: Arc<Program>,
    new: Arc<Program>,
    observed: Observed,
    related: Related,
    /// What *same* rests on, of each version.
    chosen: Vec<Assumption>,
}

impl RelatedVersions {
    /// Compares what both do on the same inputs.
    pub fn of(
        old: &Arc<Program>,
        new: &Arc<Program>,
        observed: Observed,
        seed: u64,
        budget: &Budget,
        say: &mut dyn FnMut(&str),
    ) -> Self {
        let related = relate(old, new, &observed, seed, budget, say);
        let chosen = match related {
            Related::Equivalent(_) | Related::Unknown { .. } => [old, new]
                .into_iter()
                .flat_map(|program| {
                    let large = claim::may_be_large(program, seed, budget);
                    large
                        .into_iter()
                        .chain(claim::may_not_fit(program, seed, budget))
                        .chain(claim::indexes_beyond(program))
                })
                .collect(),
            _ => Vec::new(),
        };
        Self {
            related,
            old: old.clone(),
            new: new.clone(),
            observed,
            chosen,
        }
    }

    /// Whether something tells them apart.
    pub fn is_different(&self) -> bool {
        matches!(
            self.related,
            Related::Different(_) | Related::OtherSignature(_)
        )
    }

    /// Whether there are runs of both that show a difference.
    pub fn is_replayed(&self) -> bool {
        self.pair().is_some()
    }

    /// Whether no input does, for sure.
    pub fn is_equivalent(&self) -> bool {
        matches!(self.related, Related::Equivalent(_) | Related::Identical)
    }

    /// Whether both are one text.
    pub fn is_identical(&self) -> bool {
        matches!(self.related, Related::Identical)
    }

    /// Whether it is the words that are compared.
    pub fn is_of_words(&self) -> bool {
        let Observed {
            result,
            stdout,
            globals,
            ..
        } = self.observed;
        // There may be no letters.
        self.observed.has_words() || !(result || stdout || globals)
    }

    /// What is compared, in words, and whether that is more than one thing.
    fn what(&self) -> (&'static str, bool) {
        if self.is_of_words() {
            return ("the words", true);
        }
        match (
            self.observed.result,
            self.observed.stdout,
            self.observed.globals,
        ) {
            (true, true, true) => ("result, output and global variables", true),
            (true, true, false) => ("result and output", true),
            (true, false, true) => ("result and global variables", true),
            (false, true, true) => ("output and global variables", true),
            (true, false, false) => ("the result", false),
            (false, true, false) => ("the output", false),
            (false, false, _) => ("global variables", true),
        }
    }

    /// That it differs, in words.
    fn where_different(&self) -> String {
        let seen = self.pair().and_then(|pair| pair.what.as_ref());
        if seen.is_some_and(|what| what.name == CALLED) {
            return format!("{CALLED} differ");
        }
        if let Some(pair) = self.pair().filter(|_| !self.is_of_words()) {
            let parts = self.parts(pair);
            if !parts.is_empty() {
                return parts.join(" and ");
            }
        }
        let list = self.what().0.replace(" and ", " or ");
        let verb = if list.ends_with('s') {
            "differ"
        } else {
            "differs"
        };
        format!("{list} {verb}")
    }

    /// What the two runs that were found do not have in common.
    fn parts(&self, pair: &Pair) -> Vec<String> {
        let mut parts = Vec::new();
        let is_exit = |run: &Outcome| matches!(run.end, End::Exit(_));
        if self.observed.result && !(is_exit(&pair.old) && is_exit(&pair.new)) {
            if pair.old.end != pair.new.end {
                parts.push("they end in different ways".to_owned());
            }
        } else if self.observed.result
            && returned::end(&self.old, &pair.old) != returned::end(&self.new, &pair.new)
        {
            parts.push("the result differs".to_owned());
        }
        if self.observed.stdout && pair.old.stdout != pair.new.stdout {
            parts.push("the output differs".to_owned());
        }
        let after = pair.what.as_ref();
        parts.extend(after.map(|what| format!("{} differs", what.name)));
        parts
    }

    /// A sentence, and what it rests on. Whether anything stands in the way of *same*.
    pub fn say(&self, ledger: &mut Ledger) -> (String, bool) {
        let (what, is_many) = self.what();
        let are = if is_many { "are" } else { "is" };
        let where_different = self.where_different();
        ledger.extend(self.chosen.iter().cloned());
        match &self.related {
            Related::Different(_) => (
                format!(
                    "There are inputs on which {where_different}; both versions were run on them."
                ),
                false,
            ),
            Related::OtherSignature(signature) => (
                format!(
                    "`{}` has another signature, so no call is one of both versions, and no runs were compared: \
                     `{}` was `{}`.",
                    signature.name, signature.new, signature.old
                ),
                false,
            ),
            Related::Identical => (
                "They are the same program but for layout and comments.".to_owned(),
                false,
            ),
            Related::Equivalent(proof) => {
                if !proof.shows_ends() && (may_go_on(&self.old) || may_go_on(&self.new)) {
                    let text = "both versions end on every input: a run that never ends has nothing to compare";
                    ledger.add(Assumption::new(AssumptionKind::Convention, text));
                }
                let text = format!(
                    "On every input, {what} {are} the same, which was proved for both together."
                );
                (text, false)
            }
            Related::Unknown {
                combined,
                unwind,
                doubt,
                unseen,
            } => {
                if let Some(doubt) = doubt {
                    claim::add_doubt(ledger, combined, doubt);
                    let why = claim::doubt_phrase(combined, doubt);
                    let text =
                        format!("No inputs were found on which {where_different}, but {why}.");
                    return (text, true);
                }
                if let Some(first) = unseen.first() {
                    for part in unseen {
                        let text = format!("compared in runs alone: {part}");
                        ledger.add(Assumption::new(AssumptionKind::Unmodelled, text));
                    }
                    let text = format!(
                        "No inputs were found on which {where_different}, but this was compared in runs alone: \
                         {first}."
                    );
                    return (text, true);
                }
                if *unwind > 0 {
                    let bound = format!(
                        "{what} {are} compared for at most {unwind} unwindings of each loop"
                    );
                    ledger.add(Assumption::new(AssumptionKind::Bound, bound));
                }
                let text = format!(
                    "No inputs were found on which {where_different}, with at most {unwind} unwindings of \
                     each loop."
                );
                (text, *unwind == 0)
            }
        }
    }

    fn pair(&self) -> Option<&Pair> {
        match &self.related {
            Related::Different(pair) => Some(pair),
            _ => None,
        }
    }

    /// The inputs, and what each version does on them, with its word; with commands, where the files stay.
    pub fn lines(&self, inputs: &[CArgs], words: &[String], has_commands: bool) -> String {
        let Some(pair) = self.pair() else {
            return String::new();
        };
        let mut text = String::from("\non these inputs they differ:\n");
        let given = run_show::inputs_text(&self.old, &pair.old.inputs);
        let given = if given.is_empty() {
            "none".to_owned()
        } else {
            given
        };
        let _ = writeln!(text, "  inputs: {given}");
        let sides = [("old", &self.old, &pair.old), ("new", &self.new, &pair.new)];
        for (i, ((name, program, run), input)) in sides.into_iter().zip(inputs).enumerate() {
            let _ = writeln!(text, "  {name}: {}", done(program, run));
            if let Some(word) = words.get(i).filter(|_| words.first() != words.get(1)) {
                let _ = writeln!(text, "      word: {word}");
            }
            if has_commands {
                let command = run_show::reproduce(input, &run.inputs);
                let _ = writeln!(text, "      {command} --trace");
            }
        }
        if let Some(what) = &pair.what {
            let _ = match &what.values {
                Some([old, new]) => {
                    writeln!(
                        text,
                        "  afterwards, {}: {old} in the old version, {new} in the new one",
                        what.name
                    )
                }
                None => writeln!(text, "  afterwards this differs: {}", what.name),
            };
        }
        text
    }

    /// The runs of both versions on the inputs on which they differ.
    pub fn runs(&self) -> Vec<&Outcome> {
        self.pair()
            .map_or_else(Vec::new, |pair| vec![&pair.old, &pair.new])
    }

    /// The inputs on which both differ, with the event words and the traces of the runs.
    pub fn to_result(&self, runs: Vec<(Vec<String>, Vec<TraceStep>)>) -> Option<DifferentInputs> {
        let pair = self.pair()?;
        let mut runs = runs.into_iter();
        let mut side = |program: &Program, run: &Outcome| {
            let (word, trace) = runs.next().unzip();
            VersionRun {
                word,
                trace,
                stdout: String::from_utf8_lossy(&run.stdout).into_owned(),
                result: returned::number(program, run),
                inputs: run_show::input_numbers(&run.inputs),
            }
        };
        let value = |values: &Option<[String; 2]>, i: usize| Some(values.as_ref()?[i].clone());
        Some(DifferentInputs {
            inputs: run_show::input_numbers(&pair.old.inputs),
            named_inputs: named_inputs(&self.old, &pair.old.inputs),
            what: pair.what.as_ref().map(|what| DifferentValue {
                name: what.name.clone(),
                old: value(&what.values, 0),
                new: value(&what.values, 1),
            }),
            old: side(&self.old, &pair.old),
            new: side(&self.new, &pair.new),
        })
    }
}

/// Whether nothing shows that each run ends.
fn may_go_on(program: &Program) -> bool {
    CallGraph::new(program).has_cycles(program)
}

/// What a run does, in a line.
fn done(program: &Program, run: &Outcome) -> String {
    const MOST: usize = 120;
    let end = returned::end(program, run);
    let printed = String::from_utf8_lossy(&run.stdout);
    if printed.is_empty() {
        return end;
    }
    let mut shown: String = printed.escape_debug().take(MOST).collect();
    if shown.len() < printed.len() {
        shown.push('…');
    }
    format!("{end}, prints \"{shown}\"")
}
