//! Which attributes define and use objects, proposed from traces alone.
//!
//! The future work of *Mining Specifications* (Ammons, Bodík, Larus; POPL 2002, section 3):
//! "interactions that change state also change the sorts of interactions that may follow". What is
//! found here is a proposal that a person reviews; the API file that it becomes can be edited.
//!
//! *First pass*: where do values come from? An attribute creates objects if it is a result, or if its
//! values were hardly ever seen before. Any other attribute names objects if nearly all its values
//! were created before, by as few creators as explain them. Attributes between which values go make
//! up one kind of object. Small numbers are met by chance, so a kind that has nothing else needs
//! three calls.
//!
//! *Second pass*: what happens to objects? Everything that names an object uses it. A call defines
//! its object, too, if it never happens to it again, for then the calls that may follow have become
//! fewer: `bind`, `listen`, `close`. If no call of a kind is like that, those define that turn one
//! set of calls that may follow directly into another one: `lock`, `unlock`.
//!
//! What each pass counts can be counted in parts and added ([`InferPart`]). So attributes are numbered in the
//! order of their names before anything is decided, and not as they were met.

mod part;

pub use part::{InferPart, MixedRounds};

use crate::api::{Api, ApiAttribute, Call, MOST_ATTRIBUTES, Seed};
use crate::trace::{TraceFormat, TraceItem, TraceReader, TraceRecord};
use crate::value::Value;
use idiolect_base::{Budget, StopReason};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};

/// A proposal.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Inferred {
    pub api: Api,
    /// For each attribute that has a part, why: in the order of the API.
    pub reasons: Vec<(String, String)>,
    pub stopped: Option<StopReason>,
}

/// The share of an attribute's values that have to be new, or to be known, before it counts.
const NEARLY_ALL: f64 = 0.9;
/// The least share of an attribute's values that a creator has to explain on its own.
const A_PART: f64 = 0.2;
/// Numbers below this are as likely to be counts, sizes or flags.
const SMALL: i64 = 4096;
/// Evidence that a call toggles: so many times, on so many objects.
const TOGGLES: u64 = 10;
const TOGGLED_OBJECTS: u64 = 2;
/// More creators of one value than this are not told apart.
const MOST_CREATORS: usize = 8;

type AttributeNumber = u32;
/// A call and an attribute.
type FullName = (Vec<u8>, Vec<u8>);

/// Reads every trace twice and proposes. `open` opens the trace of a number below `n`.
pub fn infer<'t>(
    n: usize,
    mut open: impl FnMut(usize) -> io::Result<Box<dyn BufRead + 't>>,
    format: TraceFormat,
    budget: &Budget,
) -> io::Result<Inferred> {
    let (origins, stopped) = first_pass(n, &mut open, format, budget)?;
    let mut lives = Lives::new(origins);
    let stopped = stopped.or(second_pass(&mut lives, n, &mut open, format, budget)?);
    let mut inferred = lives.propose();
    inferred.stopped = stopped;
    Ok(inferred)
}

type Open<'o, 't> = &'o mut dyn FnMut(usize) -> io::Result<Box<dyn BufRead + 't>>;

fn first_pass(
    n: usize,
    open: Open<'_, '_>,
    format: TraceFormat,
    budget: &Budget,
) -> io::Result<(Origins, Option<StopReason>)> {
    let mut origins = Origins::default();
    let stopped = each(n, open, format, budget, |record| match record {
        Some(record) => origins.add(record),
        None => origins.end_run(),
    })?;
    Ok((origins.sorted(), stopped))
}

fn second_pass(
    lives: &mut Lives,
    n: usize,
    open: Open<'_, '_>,
    format: TraceFormat,
    budget: &Budget,
) -> io::Result<Option<StopReason>> {
    each(n, open, format, budget, |record| match record {
        Some(record) => lives.add(record),
        None => lives.objects.clear(),
    })
}

/// Every call of every trace; nothing where a run ends.
fn each(
    n: usize,
    open: Open<'_, '_>,
    format: TraceFormat,
    budget: &Budget,
    mut with: impl FnMut(Option<&TraceRecord>),
) -> io::Result<Option<StopReason>> {
    let mut stopped = None;
    for i in 0..n {
        let mut reader = TraceReader::new(open(i)?, format);
        let mut record = TraceRecord::default();
        let mut calls = 0u64;
        loop {
            match reader.read(&mut record)? {
                TraceItem::Interaction => with(Some(&record)),
                TraceItem::EndOfRun => with(None),
                TraceItem::EndOfTrace => break,
            }
            calls += 1;
            if calls.is_multiple_of(4096)
                && let Err(reason) = budget.spend(4096)
            {
                stopped = Some(reason);
                break;
            }
        }
        with(None);
    }
    Ok(stopped)
}

/// Names of attributes as numbers.
#[derive(Default)]
struct Names {
    calls: FxHashMap<Vec<u8>, u32>,
    call_names: Vec<Vec<u8>>,
    of: Vec<(u32, Vec<u8>)>,
    by_name: FxHashMap<(u32, Vec<u8>), AttributeNumber>,
}

impl Names {
    fn call(&mut self, name: &[u8]) -> u32 {
        if let Some(&number) = self.calls.get(name) {
            return number;
        }
        let number = self.calls.len() as u32;
        self.calls.insert(name.to_vec(), number);
        self.call_names.push(name.to_vec());
        number
    }

    fn attribute(&mut self, call: u32, name: &[u8]) -> AttributeNumber {
        let next = self.of.len() as u32;
        let number = *self.by_name.entry((call, name.to_vec())).or_insert(next);
        if number == next {
            self.of.push((call, name.to_vec()));
        }
        number
    }

    /// The attributes of a call that may name objects, its result last.
    fn of_record(&mut self, record: &TraceRecord) -> Vec<(AttributeNumber, Value)> {
        let call = self.call(record.call());
        let mut found = Vec::with_capacity(record.n_attributes());
        for i in 0..record.n_attributes() {
            // Where a call was made is no object.
            if record.is_named(i, b"at") || record.is_named(i, b"caller") {
                continue;
            }
            let value = Value::new(record.value(i));
            let number = self.attribute(call, &record.name(i));
            if value != Value::integer(0) && value != Value::integer(-1) {
                found.push((number, value));
            }
        }
        found.sort_by_key(|(number, _)| self.is_result(*number));
        found
    }

    fn is_result(&self, attribute: AttributeNumber) -> bool {
        self.of[attribute as usize].1 == b"return"
    }
}

/// The first pass.
#[derive(Default)]
struct Origins {
    names: Names,
    /// For each value of this run, the attributes that have had it.
    seen: FxHashMap<Value, SmallVec<[AttributeNumber; 4]>>,
    attributes: Vec<Origin>,
    /// How often an attribute had a value that these others had had before.
    sources: BTreeMap<(AttributeNumber, Vec<AttributeNumber>), u64>,
}

#[derive(Clone, Default)]
struct Origin {
    total: u64,
    fresh: u64,
    large: u64,
}

impl Origins {
    fn add(&mut self, record: &TraceRecord) {
        let found = self.names.of_record(record);
        // Those that never name an object are counted, too.
        let n = self.names.of.len();
        self.attributes.resize(n, Origin::default());
        for (attribute, value) in found {
            let origin = &mut self.attributes[attribute as usize];
            origin.total += 1;
            origin.large += u64::from(is_large(value));
            let before = self.seen.entry(value).or_default();
            origin.fresh += u64::from(before.is_empty());
            let mut sources: Vec<AttributeNumber> = before.iter().copied().collect();
            sources.sort_unstable();
            *self.sources.entry((attribute, sources)).or_insert(0) += 1;
            if !before.contains(&attribute) && before.len() < MOST_CREATORS {
                before.push(attribute);
            }
        }
    }

    fn end_run(&mut self) {
        self.seen.clear();
    }

    /// With attributes numbered in the order of their names.
    fn sorted(self) -> Self {
        let full = |(call, name): &(u32, Vec<u8>)| {
            (self.names.call_names[*call as usize].clone(), name.clone())
        };
        let mut order: Vec<(FullName, AttributeNumber)> =
            (self.names.of.iter().map(full).zip(0..)).collect();
        order.sort();
        let mut sorted = Self::default();
        let mut number = vec![0; order.len()];
        for ((call, name), old) in order {
            let call = sorted.names.call(&call);
            let new = sorted.names.attribute(call, &name);
            number[old as usize] = new;
            let own = self.attributes.get(old as usize);
            sorted.attributes.push(own.cloned().unwrap_or_default());
        }
        for ((attribute, sources), count) in self.sources {
            let mut sources: Vec<u32> = sources.iter().map(|s| number[*s as usize]).collect();
            sources.sort_unstable();
            let own = sorted.sources.entry((number[attribute as usize], sources));
            *own.or_insert(0) += count;
        }
        sorted
    }

    fn is_creator(&self, attribute: AttributeNumber) -> bool {
        let origin = &self.attributes[attribute as usize];
        self.names.is_result(attribute)
            || origin.total > 0 && origin.fresh as f64 >= NEARLY_ALL * origin.total as f64
    }

    /// For each attribute that names objects, the creators that explain it.
    fn explained(&self) -> BTreeMap<AttributeNumber, Vec<AttributeNumber>> {
        // What each attribute's values may come from, as far as creators go.
        let mut tables: BTreeMap<AttributeNumber, Vec<(Vec<AttributeNumber>, u64)>> =
            BTreeMap::new();
        for ((attribute, sources), count) in &self.sources {
            if !self.is_creator(*attribute) {
                let creators = sources.iter().copied().filter(|s| self.is_creator(*s));
                let table = tables.entry(*attribute).or_default();
                table.push((creators.collect(), *count));
            }
        }
        // A creator that alone explains much elsewhere is the better guess in a tie.
        let mut alone: BTreeMap<AttributeNumber, u64> = BTreeMap::new();
        for (creators, count) in tables.values().flatten() {
            if let [only] = creators[..] {
                let own = alone.entry(only).or_insert(0);
                *own = own.saturating_add(*count);
            }
        }
        let strength = |creator: &AttributeNumber| alone.get(creator).copied().unwrap_or(0);
        let mut explained = BTreeMap::new();
        let mut established: BTreeSet<AttributeNumber> = BTreeSet::new();
        for least in [A_PART, 0.0] {
            for (&attribute, table) in &tables {
                let total = self.attributes[attribute as usize].total;
                let chosen: &mut Vec<AttributeNumber> = explained.entry(attribute).or_default();
                loop {
                    let mut left: BTreeMap<AttributeNumber, u64> = BTreeMap::new();
                    for (creators, count) in table {
                        if !creators.iter().any(|c| chosen.contains(c)) {
                            for &creator in creators {
                                let own = left.entry(creator).or_insert(0);
                                *own = own.saturating_add(*count);
                            }
                        }
                    }
                    left.retain(|creator, count| {
                        if least > 0.0 {
                            *count as f64 >= least * total as f64
                        } else {
                            established.contains(creator)
                        }
                    });
                    let best = left
                        .iter()
                        .max_by_key(|(c, n)| (**n, strength(c), std::cmp::Reverse(**c)));
                    match best {
                        Some((&best, _)) => chosen.push(best),
                        None => break,
                    }
                }
                if covered(table, chosen) as f64 >= NEARLY_ALL * total as f64 {
                    established.extend(chosen.iter());
                }
            }
        }
        explained.retain(|attribute, chosen| {
            let total = self.attributes[*attribute as usize].total;
            total > 0 && covered(&tables[attribute], chosen) as f64 >= NEARLY_ALL * total as f64
        });
        explained
    }
}

fn covered(table: &[(Vec<AttributeNumber>, u64)], chosen: &[AttributeNumber]) -> u64 {
    let rows = table.iter();
    rows.filter(|(creators, _)| creators.iter().any(|c| chosen.contains(c)))
        .fold(0, |sum: u64, (_, count)| sum.saturating_add(*count))
}

/// Texts and numbers that nobody counts with.
fn is_large(value: Value) -> bool {
    value
        .as_integer()
        .is_none_or(|n| !(-SMALL..SMALL).contains(&n))
}

/// The second pass.
struct Lives {
    names: Names,
    origins: Vec<Origin>,
    creators: Vec<bool>,
    /// The kind of object that each attribute names.
    kinds: Vec<Option<u32>>,
    sources: BTreeMap<AttributeNumber, Vec<AttributeNumber>>,
    objects: FxHashMap<(u32, Value), Life>,
    /// Happened twice to one object.
    recurs: Vec<bool>,
    /// For pairs of attributes that named an object one directly after the other: how often.
    pairs: BTreeMap<(AttributeNumber, AttributeNumber), u64>,
    /// Objects seen, by kind, as far as they are counted.
    n_objects: BTreeMap<u32, u64>,
}

#[derive(Default)]
struct Life {
    seen: SmallVec<[AttributeNumber; 6]>,
    last: Option<AttributeNumber>,
}

impl Lives {
    fn new(origins: Origins) -> Self {
        let n = origins.names.of.len();
        let sources = origins.explained();
        let mut parent: Vec<u32> = (0..n as u32).collect();
        let root = |parent: &[u32], mut at: u32| {
            while parent[at as usize] != at {
                at = parent[at as usize];
            }
            at
        };
        for (&attribute, creators) in &sources {
            for &creator in creators {
                let (a, b) = (root(&parent, attribute), root(&parent, creator));
                parent[a.max(b) as usize] = a.min(b);
            }
        }
        let mut members: BTreeMap<u32, Vec<AttributeNumber>> = BTreeMap::new();
        for attribute in 0..n as u32 {
            members
                .entry(root(&parent, attribute))
                .or_default()
                .push(attribute);
        }
        let mut kinds = vec![None; n];
        for (&kind, attributes) in &members {
            let calls: BTreeSet<u32> = attributes
                .iter()
                .map(|&a| origins.names.of[a as usize].0)
                .collect();
            let is_large = attributes.iter().any(|&a| {
                let origin = &origins.attributes[a as usize];
                origins.is_creator(a) && origin.large > origin.total / 2
            });
            if calls.len() >= if is_large { 2 } else { 3 } {
                for &attribute in attributes {
                    kinds[attribute as usize] = Some(kind);
                }
            }
        }
        Self {
            creators: (0..n as u32).map(|a| origins.is_creator(a)).collect(),
            names: origins.names,
            origins: origins.attributes,
            kinds,
            sources,
            objects: FxHashMap::default(),
            recurs: vec![false; n],
            pairs: BTreeMap::new(),
            n_objects: BTreeMap::new(),
        }
    }

    fn add(&mut self, record: &TraceRecord) {
        for (attribute, value) in self.names.of_record(record) {
            // A trace that grows while it is read may have new attributes.
            let Some(Some(kind)) = self.kinds.get(attribute as usize).copied() else {
                continue;
            };
            let is_new = !self.objects.contains_key(&(kind, value));
            if is_new {
                *self.n_objects.entry(kind).or_insert(0) += 1;
            }
            let life = self.objects.entry((kind, value)).or_default();
            if self.names.of[attribute as usize].1 == b"return" && self.creators[attribute as usize]
            {
                *life = Life::default();
            } else if life.seen.contains(&attribute) {
                self.recurs[attribute as usize] = true;
            } else {
                life.seen.push(attribute);
            }
            if let Some(last) = life.last.replace(attribute) {
                *self.pairs.entry((last, attribute)).or_insert(0) += 1;
            }
        }
    }

    /// What may follow an attribute directly.
    fn next(&self, attribute: AttributeNumber) -> BTreeSet<AttributeNumber> {
        let from = self
            .pairs
            .range((attribute, 0)..=(attribute, AttributeNumber::MAX));
        from.map(|((_, next), _)| *next).collect()
    }

    /// Whether it turns what may follow into something else altogether.
    fn toggles(&self, attribute: AttributeNumber) -> bool {
        let mine = self.next(attribute);
        let before: Vec<AttributeNumber> = (self.pairs.keys())
            .filter(|(_, next)| *next == attribute)
            .map(|(before, _)| *before)
            .collect();
        let times: u64 = (self.pairs.iter())
            .filter(|((_, next), _)| *next == attribute)
            .fold(0, |sum, (_, count)| sum.saturating_add(*count));
        times >= TOGGLES
            && !mine.is_empty()
            && before.iter().all(|b| self.next(*b).is_disjoint(&mine))
    }

    fn propose(self) -> Inferred {
        let mut inferred = self.proposal();
        // Attributes in the order in which a file has them: letters are written in that order, and the
        // proposal is used as it is and as a file.
        if let Ok(api) = Api::parse(&inferred.api.to_toml()) {
            inferred.api = api;
        }
        inferred
    }

    fn proposal(self) -> Inferred {
        let all = || (0..self.kinds.len() as u32).filter(|a| self.kinds[*a as usize].is_some());
        let creates = |a: u32| self.creators[a as usize];
        let ends = |a: u32| !creates(a) && !self.recurs[a as usize];
        let mut with_ends: BTreeSet<u32> = BTreeSet::new();
        for a in all().filter(|&a| ends(a)) {
            with_ends.extend(self.kinds[a as usize]);
        }
        let mut parts: BTreeMap<AttributeNumber, (bool, bool, String)> = BTreeMap::new();
        for a in all() {
            let Some(kind) = self.kinds[a as usize] else {
                continue;
            };
            let origin = &self.origins[a as usize];
            let objects = self.n_objects.get(&kind).copied().unwrap_or(0);
            let toggles =
                || !with_ends.contains(&kind) && objects >= TOGGLED_OBJECTS && self.toggles(a);
            let from = self.sources.get(&a).map(|creators| {
                let names: Vec<String> = creators.iter().map(|c| self.show(*c)).collect();
                names.join(", ")
            });
            let from = from.unwrap_or_default();
            let part = if creates(a) && self.names.is_result(a) {
                (true, false, "creates objects: it is a result".to_owned())
            } else if creates(a) {
                let share = format!("{} of {} values are new", origin.fresh, origin.total);
                (true, false, format!("creates objects: {share}"))
            } else if ends(a) {
                let why = "it never happens again to the same object";
                (true, true, format!("changes what {from} gives: {why}"))
            } else if toggles() {
                let why = "other calls follow it than came before";
                (true, true, format!("changes what {from} gives: {why}"))
            } else {
                (false, true, format!("uses what {from} gives"))
            };
            parts.insert(a, part);
        }
        // A kind that nothing defines, or nothing uses, carries no state.
        let kinds_where = |keep: fn(&(bool, bool, String)) -> bool| -> BTreeSet<Option<u32>> {
            let kept = parts.iter().filter(|(_, part)| keep(part));
            kept.map(|(a, _)| self.kinds[*a as usize]).collect()
        };
        let (defined, used) = (kinds_where(|p| p.0), kinds_where(|p| p.1));
        parts.retain(|a, _| {
            let kind = self.kinds[*a as usize];
            defined.contains(&kind) && used.contains(&kind)
        });
        self.to_api(&parts)
    }

    fn to_api(&self, parts: &BTreeMap<AttributeNumber, (bool, bool, String)>) -> Inferred {
        let mut calls: BTreeMap<String, Vec<(AttributeNumber, ApiAttribute)>> = BTreeMap::new();
        for (&a, (defines, uses, _)) in parts {
            let (call, name) = &self.names.of[a as usize];
            let attribute = ApiAttribute {
                name: String::from_utf8_lossy(name).into_owned(),
                defines: *defines,
                uses: *uses,
                ends: false,
                hands_over: false,
                stays: None,
                kind: None,
            };
            calls
                .entry(self.call_name(*call))
                .or_default()
                .push((a, attribute));
        }
        let mut inferred = Inferred::default();
        inferred.api.null = vec!["-1".to_owned(), "0".to_owned()];
        for (name, mut attributes) in calls {
            attributes.sort_by_key(|(_, a)| a.name == "return");
            attributes.truncate(MOST_ATTRIBUTES);
            let created: Vec<String> = (attributes.iter())
                .filter(|(a, _)| self.creators[*a as usize])
                .map(|(_, a)| a.name.clone())
                .collect();
            if !created.is_empty() {
                inferred.api.seeds.push(Seed {
                    call: name.clone(),
                    attributes: created,
                });
            }
            for (a, _) in &attributes {
                inferred.reasons.push((self.show(*a), parts[a].2.clone()));
            }
            inferred.api.calls.push(Call {
                name,
                attributes: attributes.into_iter().map(|(_, a)| a).collect(),
                ..Call::default()
            });
        }
        inferred
    }

    fn call_name(&self, call: u32) -> String {
        String::from_utf8_lossy(&self.names.call_names[call as usize]).into_owned()
    }

    fn show(&self, attribute: AttributeNumber) -> String {
        let (call, name) = &self.names.of[attribute as usize];
        format!(
            "{}.{}",
            self.call_name(*call),
            String::from_utf8_lossy(name)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::{Inferred, infer};
    use crate::testing::FIGURE_2;
    use crate::trace::TraceFormat;
    use idiolect_base::Budget;

    fn propose(text: &str) -> Inferred {
        let text = text.to_owned();
        let open = |_| -> std::io::Result<Box<dyn std::io::BufRead>> {
            Ok(Box::new(std::io::Cursor::new(text.clone().into_bytes())))
        };
        infer(1, open, TraceFormat::Auto, &Budget::unlimited())
            .expect("reading memory does not fail")
    }

    /// `defines` and `uses`, each as `call.attribute …`.
    fn parts(inferred: &Inferred) -> (String, String) {
        let list = |keep: fn(&crate::api::ApiAttribute) -> bool| {
            let calls = inferred.api.calls.iter();
            let names = calls.flat_map(|c| {
                let kept = c.attributes.iter().filter(|a| keep(a));
                kept.map(move |a| format!("{}.{}", c.name, a.name))
            });
            names.collect::<Vec<_>>().join(" ")
        };
        (list(|a| a.defines), list(|a| a.uses))
    }

    #[test]
    fn a_trace_without_objects_is_no_accident() {
        let text = "f(x = 0)\ng(x = 0, at = \"a.c:1\")\n";
        let inferred = propose(text);
        assert!(inferred.api.seeds.is_empty() && inferred.reasons.is_empty());
    }

    #[test]
    fn figure_7_is_inferred_from_figure_2() {
        let (defines, uses) = parts(&propose(FIGURE_2));
        assert_eq!(
            defines,
            "accept.return bind.so close.fd listen.so socket.return"
        );
        assert_eq!(
            uses,
            "accept.so bind.so close.fd listen.so read.fd write.fd"
        );
    }

    #[test]
    fn blocks_are_created_and_ended() {
        let mut text = String::new();
        for i in 0..20 {
            let at = 0x5500 + 16 * i;
            text += &format!("malloc(size = 16, return = {at:#x})\n");
            text += &format!(
                "realloc(block = {at:#x}, size = 32, return = {:#x})\n",
                at + 8
            );
            text += &format!("free(block = {:#x})\n", at + 8);
        }
        let inferred = propose(&text);
        let (defines, uses) = parts(&inferred);
        assert_eq!(
            defines,
            "free.block malloc.return realloc.block realloc.return"
        );
        assert_eq!(uses, "free.block realloc.block");
        assert_eq!(inferred.api.seeds.len(), 2);
        // What was inferred is an API file.
        assert!(crate::Api::parse(&inferred.api.to_toml()).is_ok());
    }

    #[test]
    fn locks_toggle() {
        let mut text = String::new();
        for at in ["0x7000", "0x8000"] {
            text += &format!("init(mutex = {at})\n");
        }
        for _ in 0..20 {
            for at in ["0x7000", "0x8000"] {
                text += &format!("lock(mutex = {at})\nunlock(mutex = {at})\n");
            }
        }
        let (defines, uses) = parts(&propose(&text));
        assert_eq!(defines, "init.mutex lock.mutex unlock.mutex");
        assert_eq!(uses, "lock.mutex unlock.mutex");
    }

    #[test]
    fn a_proposal_is_what_its_file_says() {
        // `size` is created here and `at` used; in a file uses come first.
        let text = (0..20)
            .map(|i| {
                format!(
                    "put(size = {0}, at = {1})\nget(at = {1})\ndrop(at = {1}, size = {0})\n",
                    9000 + i,
                    70000 + i / 4
                )
            })
            .collect::<String>();
        let api = propose(&format!("make(return = 70000)\n{text}")).api;
        assert!(!api.calls.is_empty());
        assert_eq!(crate::Api::parse(&api.to_toml()), Ok(api));
    }

    #[test]
    fn numbers_that_name_nothing_are_no_objects() {
        let text = "f(x = 3, return = 4)\ng(y = 4, return = 3)\nf(x = 3, return = 4)\n".repeat(5);
        assert_eq!(parts(&propose(&text)), (String::new(), String::new()));
        assert_eq!(propose("").api.calls.len(), 0);
    }
}
