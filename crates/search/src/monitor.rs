//! Properties beyond assertions: small automata over decisions and labels (§12).
//!
//! One property a line; `#` begins a comment. `A` and `B` are `0` or `1` (a decision that comes out
//! like this) or a label of the program:
//!
//! | line | a run violates it when |
//! |---|---|
//! | `never 11 consecutive 1` | 11 decisions in a row come out 1 |
//! | `after A, B within 10` | A has happened, and 11 decisions later B has not |
//! | `never A` | A happens |
//! | `never A after B` | B has happened, and then A does |
//!
//! All of them are safety properties: a run that ends early violates none. With labels a violation
//! may come after the last decision, so a word of the model is checked by running it.

use idiolect_automata::{Dfa, Letter, Pda, StateId};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::paths::{Acceptance, Labels, PathAutomaton};
use idiolect_ir::{BlockId, FuncId, MarkId, MarkKind, Program};
use rustc_hash::FxHashMap;

/// The largest number in a property.
const MAX_COUNT: u32 = 100_000;

/// What a property speaks of.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Happening {
    Decision(bool),
    Label(String),
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Rule {
    Never(Happening),
    NeverAfter {
        what: Happening,
        after: Happening,
    },
    Consecutive {
        count: u32,
        outcome: bool,
    },
    Within {
        after: Happening,
        what: Happening,
        count: u32,
    },
}

/// A line that is no property.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MonitorError {
    #[error("not a property: `{text}`")]
    Syntax { line: usize, text: String },
    #[error("the program has no label `{name}`")]
    NoLabel { line: usize, name: String },
    #[error("the number has to be between 1 and {MAX_COUNT}")]
    Count { line: usize },
}

/// One property, as an automaton: letters 0 and 1 are decisions, the others labels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Monitor {
    /// As the user wrote it.
    pub text: String,
    /// Accepts what violates the property, and then everything.
    dfa: Dfa,
    letters: FxHashMap<MarkId, Letter>,
    n_letters: usize,
}

fn happening(word: &str) -> Option<Happening> {
    match word {
        "0" => Some(Happening::Decision(false)),
        "1" => Some(Happening::Decision(true)),
        _ => {
            let name = word.strip_prefix("label:").unwrap_or(word);
            let is_name = !name.is_empty()
                && !name.starts_with(|c: char| c.is_ascii_digit())
                && name.chars().all(|c| c.is_alphanumeric() || c == '_');
            is_name.then(|| Happening::Label(name.to_owned()))
        }
    }
}

fn parse_line(text: &str) -> Option<Rule> {
    let spaced = text.replace(',', " , ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    match words[..] {
        ["never", n, "consecutive", outcome] => Some(Rule::Consecutive {
            count: n.parse().ok()?,
            outcome: match happening(outcome)? {
                Happening::Decision(outcome) => outcome,
                Happening::Label(_) => return None,
            },
        }),
        ["never", what, "after", after] => Some(Rule::NeverAfter {
            what: happening(what)?,
            after: happening(after)?,
        }),
        ["never", what] => Some(Rule::Never(happening(what)?)),
        ["after", after, ",", what, "within", n]
        | ["after", after, ",", what, "within", n, "decisions"] => Some(Rule::Within {
            after: happening(after)?,
            what: happening(what)?,
            count: n.parse().ok()?,
        }),
        _ => None,
    }
}

/// The properties of a text.
pub fn parse(text: &str, program: &Program) -> Result<Vec<Monitor>, MonitorError> {
    let mut monitors = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line_number = i + 1;
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let rule = parse_line(line).ok_or_else(|| MonitorError::Syntax {
            line: line_number,
            text: line.to_owned(),
        })?;
        monitors.push(build(line, &rule, program, line_number)?);
    }
    Ok(monitors)
}

fn build(text: &str, rule: &Rule, program: &Program, line: usize) -> Result<Monitor, MonitorError> {
    let mut names: Vec<String> = Vec::new();
    let mut letter = |what: &Happening| match what {
        Happening::Decision(outcome) => Letter::new(usize::from(*outcome)),
        Happening::Label(name) => {
            let known = names.iter().position(|n| n == name);
            let at = known.unwrap_or_else(|| {
                names.push(name.clone());
                names.len() - 1
            });
            Letter::new(2 + at)
        }
    };
    let count = |n: u32| match n {
        1..=MAX_COUNT => Ok(n as usize),
        _ => Err(MonitorError::Count { line }),
    };
    // States and steps of each kind of property; the last state is the violation.
    let (n_states, step): (usize, Box<dyn Fn(usize, Letter) -> usize>) = match rule {
        Rule::Never(what) => {
            let what = letter(what);
            (2, Box::new(move |q, a| usize::from(q == 1 || a == what)))
        }
        Rule::NeverAfter { what, after } => {
            let (what, after) = (letter(what), letter(after));
            (
                3,
                Box::new(move |q, a| match q {
                    0 => usize::from(a == after),
                    1 if a != what => 1,
                    _ => 2,
                }),
            )
        }
        Rule::Consecutive { count: n, outcome } => {
            let (n, what) = (count(*n)?, Letter::new(usize::from(*outcome)));
            (
                n + 1,
                Box::new(move |q, a| match (q == n, a == what, a.index() < 2) {
                    (true, ..) => n,
                    (_, true, _) => q + 1,
                    (_, _, true) => 0,
                    _ => q,
                }),
            )
        }
        Rule::Within {
            after,
            what,
            count: n,
        } => {
            let (n, after, what) = (count(*n)?, letter(after), letter(what));
            // 0: nothing is due; 1 + d: d decisions ago A happened; n + 2: too late.
            (
                n + 3,
                Box::new(move |q, a| match q {
                    q if q == n + 2 => q,
                    0 => usize::from(a == after),
                    _ if a == what => usize::from(after == what),
                    _ if a.index() < 2 => q + 1,
                    _ => q,
                }),
            )
        }
    };
    let n_letters = 2 + names.len();
    let accepting: Vec<bool> = (0..n_states).map(|q| q + 1 == n_states).collect();
    let dfa = Dfa::from_fn(n_letters, &accepting, step);
    let mut letters = FxHashMap::default();
    for (at, name) in names.iter().enumerate() {
        let mut is_there = false;
        for (i, mark) in program.marks.iter().enumerate() {
            if mark.kind == MarkKind::Label && mark.name == *name {
                letters.insert(MarkId::new(i), Letter::new(2 + at));
                is_there = true;
            }
        }
        if !is_there {
            let name = name.clone();
            return Err(MonitorError::NoLabel { line, name });
        }
    }
    Ok(Monitor {
        text: text.to_owned(),
        dfa,
        letters,
        n_letters,
    })
}

impl Labels for Monitor {
    fn n_letters(&self) -> usize {
        self.n_letters
    }

    fn decision(&self, _: FuncId, _: BlockId, outcome: bool) -> Option<Letter> {
        Some(Letter::new(usize::from(outcome)))
    }

    fn mark(&self, mark: MarkId) -> Option<Letter> {
        self.letters.get(&mark).copied()
    }
}

impl Monitor {
    pub fn start(&self) -> StateId {
        self.dfa.initial()
    }

    pub fn after_decision(&self, state: StateId, outcome: bool) -> StateId {
        self.dfa.step(state, Letter::new(usize::from(outcome)))
    }

    pub fn after_mark(&self, state: StateId, mark: MarkId) -> StateId {
        match self.letters.get(&mark) {
            Some(&letter) => self.dfa.step(state, letter),
            None => state,
        }
    }

    pub fn is_violated(&self, state: StateId) -> bool {
        self.dfa.is_accepting(state)
    }

    /// Whether it listens to labels.
    pub fn has_labels(&self) -> bool {
        !self.letters.is_empty()
    }

    /// Decision vectors of paths that violate the property, as the error path automaton of §9.2
    /// for it: the paths of the program beside the monitor, which hears labels that are λ here.
    pub fn violations(&self, program: &Program, calls: &CallGraph) -> Pda {
        let paths = PathAutomaton::new(program, calls, program.start, self, Acceptance::Prefixes);
        let paths = paths.pda();
        let mut leaving = vec![Vec::new(); paths.n_states()];
        for t in paths.transitions() {
            leaving[t.from.index()].push(*t);
        }
        let mut product = Pda::new(2);
        let mut pairs = vec![(paths.initial(), self.start())];
        let mut number: FxHashMap<(StateId, StateId), StateId> = FxHashMap::default();
        let first = product.add_state(self.is_violated(self.start()));
        number.insert(pairs[0], first);
        product.set_initial(first);
        let violated = product.add_state(true);
        for letter in [Letter(0), Letter(1)] {
            product.add_transition(violated, Some(letter), None, None, violated);
        }
        let mut done = 0;
        while done < pairs.len() {
            let (p, m) = pairs[done];
            let from = number[&(p, m)];
            done += 1;
            for t in &leaving[p.index()] {
                let next = t.letter.map_or(m, |a| self.dfa.step(m, a));
                let letter = t.letter.filter(|a| a.index() < 2);
                let to = if self.is_violated(next) {
                    violated
                } else {
                    *number.entry((t.to, next)).or_insert_with(|| {
                        pairs.push((t.to, next));
                        product.add_state(false)
                    })
                };
                product.add_transition(from, letter, t.pop, t.push, to);
            }
        }
        product
    }
}
