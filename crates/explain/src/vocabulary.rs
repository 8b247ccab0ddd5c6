//! Which events are letters.

use idiolect_automata::{Alphabet, Letter, Word};
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::events::{EventKind, EventSite, ListenedEvent, events};
use idiolect_ir::locations::Location;
use idiolect_ir::paths::Acceptance;
use idiolect_ir::product::Letters;
use idiolect_ir::property::error_locations;
use idiolect_ir::structure::WordStructure;
use idiolect_ir::{Program, Property};
use std::collections::BTreeMap;

/// The letter of the failing assertion.
pub const ASSERT: &str = "assert";

/// Whose language it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LanguageTarget {
    /// Runs that violate one of the properties at one of these places; their words end with
    /// [`ASSERT`].
    Error {
        places: Vec<Location>,
        properties: Vec<Property>,
    },
    /// Runs that end by themselves.
    Program,
}

impl LanguageTarget {
    /// Wherever the program can violate one of the properties.
    pub fn errors(program: &Program, properties: &[Property]) -> Self {
        let mut places: Vec<Location> = properties
            .iter()
            .flat_map(|&property| error_locations(program, property))
            .collect();
        places.sort_unstable();
        places.dedup();
        LanguageTarget::Error {
            places,
            properties: properties.to_vec(),
        }
    }

    pub(crate) fn acceptance(&self, assert: Letter) -> Acceptance<'_> {
        match self {
            LanguageTarget::Error { places, .. } => Acceptance::ErrorsThen(places, assert),
            LanguageTarget::Program => Acceptance::Ends,
        }
    }
}

/// What a user wants to listen to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Choice {
    /// All events of these kinds.
    pub kinds: Vec<EventKind>,
    /// And these, as in [`Event::is_meant_by`].
    pub specs: Vec<String>,
    /// But none of these.
    pub ignore: Vec<String>,
    pub branches: BranchNames,
    /// What some events are to be called, each by its name in the program.
    pub names: Vec<(String, String)>,
}

/// What the letters of branches are called.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum BranchNames {
    /// `branch:main.c:12=1`
    #[default]
    Place,
    /// `n > 0` and `!(n > 0)`, with the function before it where two have the same.
    Condition,
    /// Always with the function, never with file and line, so that the letters of two versions are the same.
    Function,
}

impl Default for Choice {
    fn default() -> Self {
        Self {
            kinds: vec![EventKind::Call],
            specs: Vec::new(),
            ignore: Vec::new(),
            branches: BranchNames::default(),
            names: Vec::new(),
        }
    }
}

/// A name on the command line that no event of the program has.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the program has no event `{spec}`")]
pub struct UnknownEvent {
    pub spec: String,
    /// All that there are.
    pub known: Vec<String>,
}

/// By event, for branches: `f: n > 0`, and `f: !(n > 0)` for the other outcome. Conditions that a function has
/// several times are counted in the order of its text.
fn structural_names(
    program: &Program,
    events: &[ListenedEvent],
    with_function: bool,
) -> Vec<Option<String>> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut order: Vec<(u32, usize)> = Vec::new();
    let mut names: Vec<Option<String>> = vec![None; events.len()];
    let site_of = |event: &ListenedEvent| match event.sites.first() {
        Some(&EventSite::Decision {
            function,
            block,
            outcome,
        }) => Some((function, block, outcome)),
        _ => None,
    };
    for (i, event) in events.iter().enumerate() {
        if let Some((function, block, _)) = site_of(event) {
            let span = program.function(function).block(block).terminator.span;
            order.push((span.start, i));
        }
    }
    order.sort_unstable();
    for (_, i) in order {
        let Some((function, block, outcome)) = site_of(&events[i]) else {
            continue;
        };
        let function = program.function(function);
        let text = program
            .sources
            .statement_text(function.block(block).terminator.span);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let condition = if outcome { text } else { format!("!({text})") };
        let base = format!("{}: {condition}", function.name);
        let n = counts.entry(base.clone()).or_default();
        *n += 1;
        names[i] = Some(match *n {
            1 => base,
            n => format!("{base} #{n}"),
        });
    }
    if !with_function {
        without_functions(&mut names);
    }
    names
}

/// Leaves the function away where the condition alone says which branch it is.
fn without_functions(names: &mut [Option<String>]) {
    let condition = |name: &str| name.split_once(": ").map(|n| n.1.to_owned());
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for short in names.iter().flatten().filter_map(|n| condition(n)) {
        *counts.entry(short).or_default() += 1;
    }
    for name in names.iter_mut().flatten() {
        if let Some(short) = condition(name)
            && counts[&short] == 1
            && short != ASSERT
        {
            *name = short;
        }
    }
}

/// Names that the user chose. The other outcome of a named branch is its negation.
fn give_names(events: &[ListenedEvent], chosen: &[(String, String)], names: &mut [Option<String>]) {
    for (name, spec) in chosen {
        let meant: Vec<usize> = (0..events.len())
            .filter(|&i| is_meant(&events[i], spec))
            .collect();
        for (n, &i) in meant.iter().enumerate() {
            let is_other = matches!(
                events[i].sites.first(),
                Some(EventSite::Decision { outcome: false, .. })
            );
            let base = if is_other && meant.len() > 1 {
                format!("!{name}")
            } else {
                name.clone()
            };
            let is_taken = names.iter().flatten().any(|known| *known == base);
            names[i] = Some(if is_taken {
                format!("{base}#{}", n + 1)
            } else {
                base
            });
        }
    }
}

/// The letters of words, in the order of the program; the failing assertion comes last.
#[derive(Clone, Debug)]
pub struct EventVocabulary {
    events: Vec<ListenedEvent>,
    alphabet: Alphabet,
    assert: Option<Letter>,
}

impl EventVocabulary {
    /// The chosen events, without those that are on no path of the control-flow graph to where
    /// words of the target end.
    pub fn new(
        program: &Program,
        calls: &CallGraph,
        target: &LanguageTarget,
        choice: &Choice,
    ) -> Result<Self, UnknownEvent> {
        let all = events(program);
        for spec in choice.specs.iter().chain(&choice.ignore) {
            if !all.iter().any(|e| is_meant(e, spec)) {
                let known = all.iter().map(|e| e.name.clone()).collect();
                let spec = spec.clone();
                return Err(UnknownEvent { spec, known });
            }
        }
        let meant = |list: &[String], e: &ListenedEvent| list.iter().any(|spec| is_meant(e, spec));
        let chosen: Vec<ListenedEvent> = all
            .into_iter()
            .filter(|e| choice.kinds.contains(&e.kind) || meant(&choice.specs, e))
            .filter(|e| !meant(&choice.ignore, e))
            .collect();
        let assert = Letter::new(chosen.len());
        let structure = WordStructure::new(
            program,
            calls,
            program.start,
            &chosen,
            chosen.len() + 1,
            target.acceptance(assert),
        );
        let used = structure.letters_in_use();
        let events: Vec<ListenedEvent> = chosen
            .into_iter()
            .enumerate()
            .filter(|(i, _)| used.contains(&Letter::new(*i)))
            .map(|(_, event)| event)
            .collect();
        let mut own_names = match choice.branches {
            BranchNames::Place => vec![None; events.len()],
            BranchNames::Condition => structural_names(program, &events, false),
            BranchNames::Function => structural_names(program, &events, true),
        };
        give_names(&events, &choice.names, &mut own_names);
        Ok(Self::of(events, &own_names, target))
    }

    fn of(
        events: Vec<ListenedEvent>,
        own_names: &[Option<String>],
        target: &LanguageTarget,
    ) -> Self {
        let mut alphabet = Alphabet::default();
        for (event, own_name) in events.iter().zip(own_names) {
            if let Some(name) = own_name {
                alphabet.intern(name);
                continue;
            }
            let short = short_name(event);
            let is_taken = alphabet.letter(short).is_some() || short == ASSERT;
            let name = if !is_taken {
                short.to_owned()
            } else if event.kind == EventKind::Call {
                format!("call:{}", event.name)
            } else {
                event.name.clone()
            };
            alphabet.intern(&name);
        }
        let assert = match target {
            LanguageTarget::Error { .. } => Some(alphabet.intern(ASSERT)),
            LanguageTarget::Program => None,
        };
        Self {
            events,
            alphabet,
            assert,
        }
    }

    /// Letter `i` is event `i`.
    pub fn events(&self) -> &[ListenedEvent] {
        &self.events
    }

    pub fn alphabet(&self) -> &Alphabet {
        &self.alphabet
    }

    /// The letter of the failing assertion, if words end with it.
    pub fn assert(&self) -> Option<Letter> {
        self.assert
    }

    /// The places of all events, with the numbers of their letters in an alphabet of more programs than this.
    pub fn letters_in(&self, alphabet: &Alphabet) -> Letters {
        let mut letters = Letters::default();
        for (i, event) in self.events.iter().enumerate() {
            let name = self.alphabet.name(Letter::new(i));
            if let Some(letter) = alphabet.letter(name) {
                let number = letter.index() as u32;
                letters.extend(event.sites.iter().map(|&site| (site, number)));
            }
        }
        letters
    }

    pub(crate) fn sites(&self) -> Vec<Vec<EventSite>> {
        self.events.iter().map(|e| e.sites.clone()).collect()
    }

    /// Where to look for a letter in the source.
    pub fn place(&self, program: &Program, letter: Letter) -> Option<idiolect_base::Place> {
        let event = self.events.get(letter.index())?;
        let span = match *event.sites.first()? {
            EventSite::Entry(function) => program.function(function).span,
            EventSite::Decision {
                function, block, ..
            } => program.function(function).block(block).terminator.span,
            EventSite::Mark(mark) => program.marks[mark.index()].span,
        };
        program.sources.place(span)
    }

    /// A word as a user writes it: names of letters with spaces between them. Names may have
    /// spaces themselves, so the longest name that fits is taken.
    pub fn read_word(&self, text: &str) -> Result<Word, UnknownEvent> {
        let mut word = Word::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let fits = |name: &str| {
                rest.strip_prefix(name)
                    .is_some_and(|more| more.is_empty() || more.starts_with(char::is_whitespace))
            };
            let longest = self.alphabet.letters().filter_map(|letter| {
                let short = self.alphabet.name(letter);
                let long = self.events.get(letter.index()).map_or(short, |e| &e.name);
                let fitting = [short, long].into_iter().filter(|n| fits(n));
                fitting.map(|n| (n.len(), letter)).max()
            });
            let Some((length, letter)) = longest.max_by_key(|found| found.0) else {
                let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
                return Err(UnknownEvent {
                    spec: rest[..end].to_owned(),
                    known: self.alphabet.names().to_vec(),
                });
            };
            word.push(letter);
            rest = rest[length..].trim_start();
        }
        Ok(word)
    }
}

fn is_meant(event: &ListenedEvent, spec: &str) -> bool {
    event.is_meant_by(spec) || (event.kind == EventKind::Mark && short_name(event) == spec)
}

/// Marks go by what the user wrote in the source.
fn short_name(event: &ListenedEvent) -> &str {
    match event.kind {
        EventKind::Mark => event.name.strip_prefix("mark:").unwrap_or(&event.name),
        // Calls of the library are letters like calls of the program.
        EventKind::Predicate => event.name.strip_prefix("call:").unwrap_or(&event.name),
        _ => &event.name,
    }
}
