//! Which object each call of a run is about.
//!
//! Only objects of declared kinds have lives: without a kind, two values that are equal need not be one
//! object. A value names an object from the call that makes it to the one that ends it; made again, it is
//! another object. An ended object is remembered for [`GRACE`] calls, so that a use after the end is
//! seen. A use of a value that nobody is known to have made is no event: it may point into an object.
//! A call that changes or ends such an object shows that it is there, such as the unlock of a mutex
//! that was never initialized by a call.

use crate::value::Value;
use crate::vocabulary::{ApiVocabulary, AttributeId, CallOutcome, Interaction, KindId};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// How many calls an ended object is remembered.
const GRACE: u64 = 1 << 16;

/// Events of a life that are kept to be shown: the first and the last of them.
const SHOWN: usize = 6;

/// A call in the life of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LifeEvent {
    pub letter: AttributeId,
    /// The attribute as it is in the trace; the letter is the one that it is like.
    pub attribute: AttributeId,
    pub line: u64,
    pub outcome: CallOutcome,
}

/// The call that made an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Birth {
    pub event: LifeEvent,
    pub is_inherited: bool,
}

/// What is known of one letter in a life. Events are numbered within the life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    pub letter: AttributeId,
    pub first: u32,
    pub last: u32,
    pub count: u32,
    pub last_line: u64,
}

/// Everything that the rules ask about a life.
#[derive(Clone, Debug)]
pub(crate) struct Life {
    pub kind: KindId,
    pub value: Value,
    /// `None` if it was there before it was seen.
    pub birth: Option<Birth>,
    pub seen: SmallVec<[Seen; 4]>,
    /// Pairs of changing letters: the first came twice without the second in between.
    pub doubles: SmallVec<[(AttributeId, AttributeId); 2]>,
    pub ended: Option<LifeEvent>,
    pub was_used_after_end: bool,
    is_handed_over: bool,
    n_events: u32,
    /// The first and the last events, if they are kept.
    first_events: Vec<LifeEvent>,
    last_events: VecDeque<LifeEvent>,
    serial: u64,
}

impl Life {
    fn new(kind: KindId, value: Value, birth: Option<Birth>, serial: u64) -> Self {
        Self {
            kind,
            value,
            birth,
            seen: SmallVec::new(),
            doubles: SmallVec::new(),
            ended: None,
            was_used_after_end: false,
            is_handed_over: false,
            n_events: 0,
            first_events: Vec::new(),
            last_events: VecDeque::new(),
            serial,
        }
    }

    pub(crate) fn find(&self, letter: AttributeId) -> Option<&Seen> {
        self.seen.iter().find(|seen| seen.letter == letter)
    }

    /// The events that are kept, in order; `None` stands for those that are not.
    pub(crate) fn events(&self) -> Vec<Option<LifeEvent>> {
        let kept = self.first_events.len() + self.last_events.len();
        let mut events: Vec<Option<LifeEvent>> = Vec::with_capacity(kept + 1);
        events.extend(self.first_events.iter().copied().map(Some));
        if kept < self.n_events as usize {
            events.push(None);
        }
        events.extend(self.last_events.iter().copied().map(Some));
        events
    }

    fn add(&mut self, event: LifeEvent, vocabulary: &ApiVocabulary, keep: bool) {
        let position = self.n_events;
        self.n_events = self.n_events.saturating_add(1);
        if keep {
            if self.first_events.len() < SHOWN {
                self.first_events.push(event);
            } else {
                if self.last_events.len() == SHOWN {
                    self.last_events.pop_front();
                }
                self.last_events.push_back(event);
            }
        }
        let letter = event.letter;
        let changes = vocabulary.changes(letter);
        let mut doubled: SmallVec<[(AttributeId, AttributeId); 4]> = SmallVec::new();
        match self.seen.iter().position(|seen| seen.letter == letter) {
            Some(at) => {
                if changes {
                    let last = self.seen[at].last;
                    let others = self.seen.iter().filter(|s| s.letter != letter);
                    let others = others.filter(|s| vocabulary.changes(s.letter) && s.last < last);
                    doubled.extend(others.map(|s| (letter, s.letter)));
                }
                let own = &mut self.seen[at];
                own.last = position;
                own.count = own.count.saturating_add(1);
                own.last_line = event.line;
            }
            None => {
                if changes {
                    let others = self.seen.iter().filter(|s| s.count > 1);
                    let others = others.filter(|s| vocabulary.changes(s.letter));
                    doubled.extend(others.map(|s| (s.letter, letter)));
                }
                self.seen.push(Seen {
                    letter,
                    first: position,
                    last: position,
                    count: 1,
                    last_line: event.line,
                });
            }
        }
        for pair in doubled {
            if !self.doubles.contains(&pair) {
                self.doubles.push(pair);
            }
        }
    }
}

/// How a life is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Over {
    Ended,
    /// It belongs to another object now, or its end was not seen.
    Lost,
    /// It was there when the run ended.
    Open,
    /// It was there when the run was cut off: nothing is known of how it would have ended.
    Cut,
}

/// Hears of all that happens.
pub(crate) trait Observer {
    /// An event of a live object, before it takes effect.
    fn event(&mut self, life: &Life, event: LifeEvent);
    /// An event of an object that has ended.
    fn after_end(&mut self, life: &Life, event: LifeEvent);
    fn over(&mut self, life: &Life, how: Over);
}

/// Follows the objects of one run after the other.
#[derive(Debug)]
pub(crate) struct Tracker<'v> {
    vocabulary: &'v ApiVocabulary,
    objects: FxHashMap<(KindId, Value, Value), Life>,
    graves: VecDeque<(u64, (KindId, Value, Value), u64)>,
    position: u64,
    serial: u64,
    keeps_events: bool,
}

impl<'v> Tracker<'v> {
    pub(crate) fn new(vocabulary: &'v ApiVocabulary, keeps_events: bool) -> Self {
        Self {
            vocabulary,
            objects: FxHashMap::default(),
            graves: VecDeque::new(),
            position: 0,
            serial: 0,
            keeps_events,
        }
    }

    pub(crate) fn add(&mut self, interaction: &Interaction, observer: &mut impl Observer) {
        let vocabulary = self.vocabulary;
        self.position += 1;
        self.forget();
        let pairs = || {
            (vocabulary.attributes(interaction.skeleton))
                .zip(&interaction.values)
                .filter(|(a, value)| vocabulary.has_kind(*a) && **value != Value::NOTHING)
        };
        // What a call makes, it makes last: `realloc` may give the same block again.
        for (attribute, &value) in pairs().filter(|(a, _)| !vocabulary.creates(*a)) {
            self.happen(attribute, value, interaction, observer);
        }
        for (attribute, &value) in pairs().filter(|(a, _)| vocabulary.creates(*a)) {
            if interaction.outcome != CallOutcome::Failed {
                self.create(attribute, value, interaction, observer);
            }
        }
    }

    /// The run is over; `is_cut` if it was stopped rather than ended.
    pub(crate) fn end_run(&mut self, is_cut: bool, observer: &mut impl Observer) {
        let objects = std::mem::take(&mut self.objects);
        let mut open: Vec<Life> = objects.into_values().collect();
        open.retain(|life| life.ended.is_none() && !life.is_handed_over);
        open.sort_by_key(|life| life.serial);
        for life in &open {
            observer.over(life, if is_cut { Over::Cut } else { Over::Open });
        }
        self.graves.clear();
        self.position = 0;
    }

    fn key(
        &self,
        attribute: AttributeId,
        value: Value,
        interaction: &Interaction,
    ) -> (KindId, Value, Value) {
        (self.vocabulary.kind(attribute), value, interaction.owner)
    }

    fn event(&self, attribute: AttributeId, interaction: &Interaction) -> LifeEvent {
        LifeEvent {
            letter: self.vocabulary.like(attribute),
            attribute,
            line: interaction.line,
            outcome: interaction.outcome,
        }
    }

    fn create(
        &mut self,
        attribute: AttributeId,
        value: Value,
        interaction: &Interaction,
        observer: &mut impl Observer,
    ) {
        let key = self.key(attribute, value, interaction);
        let event = self.event(attribute, interaction);
        // What stays is not born: nothing is known of how it would have to end.
        let stays = self.vocabulary.stays(attribute);
        let stays = stays.is_some_and(|stay| stay.holds(value.as_integer()));
        let birth = (!stays).then_some(Birth {
            event,
            is_inherited: interaction.is_inherited,
        });
        self.serial += 1;
        let mut life = Life::new(key.0, value, birth, self.serial);
        life.add(event, self.vocabulary, self.keeps_events);
        if let Some(old) = self.objects.insert(key, life)
            && old.ended.is_none()
            && !old.is_handed_over
        {
            observer.over(&old, Over::Lost);
        }
    }

    fn happen(
        &mut self,
        attribute: AttributeId,
        value: Value,
        interaction: &Interaction,
        observer: &mut impl Observer,
    ) {
        let vocabulary = self.vocabulary;
        let key = self.key(attribute, value, interaction);
        let event = self.event(attribute, interaction);
        let failed = interaction.outcome == CallOutcome::Failed;
        let succeeded = interaction.outcome == CallOutcome::Succeeded;
        let shows = vocabulary.changes(attribute) || vocabulary.ends(attribute);
        let ends = vocabulary.ends(attribute) && !failed;
        let keep = self.keeps_events;
        if let Some(life) = self.objects.get_mut(&key) {
            if life.ended.is_some() {
                let is_back = vocabulary.is_validated(key.0) && succeeded;
                if !is_back {
                    observer.after_end(life, event);
                    life.was_used_after_end = true;
                    return;
                }
                // It was made again by a call that is not in the trace.
                self.serial += 1;
                *life = Life::new(key.0, value, None, self.serial);
            }
            if life.is_handed_over {
                return;
            }
            observer.event(life, event);
            if failed {
                return;
            }
            life.add(event, vocabulary, keep);
            if vocabulary.hands_over(attribute) {
                life.is_handed_over = true;
                observer.over(life, Over::Lost);
            } else if ends {
                life.ended = Some(event);
                self.graves.push_back((self.position, key, life.serial));
                observer.over(life, Over::Ended);
            }
            return;
        }
        if !shows || failed && !vocabulary.is_validated(key.0) {
            return;
        }
        self.serial += 1;
        let mut life = Life::new(key.0, value, None, self.serial);
        observer.event(&life, event);
        if failed {
            return;
        }
        life.add(event, vocabulary, keep);
        if ends {
            life.ended = Some(event);
            self.graves.push_back((self.position, key, life.serial));
            observer.over(&life, Over::Ended);
        }
        self.objects.insert(key, life);
    }

    fn forget(&mut self) {
        while let Some(&(when, key, serial)) = self.graves.front() {
            if when + GRACE >= self.position {
                return;
            }
            self.graves.pop_front();
            if self.objects.get(&key).is_some_and(|l| l.serial == serial) {
                self.objects.remove(&key);
            }
        }
    }
}
