//! A run as a graph of definitions: who gives a variable its value, and who reads it.
//!
//! Asking what another value at one statement would have done means following the readers of that
//! value, and theirs. Along the list of all statements that would be quadratic for a loop of
//! many rounds even where nothing depends on anything; along the graph it costs what is affected.

use idiolect_smt::{Evaluator, Model, Node, Substitution, TermId, Terms};
use idiolect_symex::rerun::{RunTrace, Statement};
use idiolect_symex::trace::StatePlace;
use rustc_hash::FxHashMap;

/// The number of an [`Item`].
pub(crate) type ItemNo = u32;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ItemKind {
    /// A variable comes into being: an input, or the state before the first statement.
    Drawn,
    /// A variable gets a value.
    Defined,
    /// The run goes on only if a condition holds.
    Check { is_exact: bool },
}

#[derive(Clone, Debug)]
pub(crate) struct Item {
    pub(crate) kind: ItemKind,
    /// The drawn or defined variable; the condition of a check.
    pub(crate) subject: TermId,
    /// Over the variables as they are before; the subject itself for a drawn one and for a check.
    pub(crate) term: TermId,
    /// Whose values the term reads, by variable.
    pub(crate) reads: Vec<(TermId, ItemNo)>,
    pub(crate) users: Vec<ItemNo>,
    pub(crate) statement: usize,
    /// In the run.
    pub(crate) value: u128,
    /// The last drawn variable that the value depends on.
    pub(crate) latest: Option<ItemNo>,
    /// Whether it is a check, or some check depends on it.
    pub(crate) is_live: bool,
    /// The last live reader.
    pub(crate) last_user: Option<ItemNo>,
    /// Whether it is a piece of memory, or one depends on it.
    pub(crate) reaches_memory: bool,
}

pub(crate) struct Graph {
    pub(crate) items: Vec<Item>,
    /// By statement: its first item.
    pub(crate) first: Vec<ItemNo>,
    /// Some access was taken to be where it was, and other runs along the trace may have it elsewhere.
    pub(crate) has_open_places: bool,
}

impl Graph {
    pub(crate) fn new(trace: &RunTrace) -> Self {
        let mut builder = Builder {
            terms: &trace.terms,
            values: &trace.values,
            items: Vec::new(),
            now: FxHashMap::default(),
        };
        // What is read before anybody wrote it is the state in the beginning.
        builder.initial(&trace.statements);
        let mut first = Vec::with_capacity(trace.statements.len());
        for (number, statement) in trace.statements.iter().enumerate() {
            first.push(builder.items.len() as ItemNo);
            builder.statement(number, statement);
        }
        let mut items = builder.items;
        for number in (0..items.len()).rev() {
            let users = std::mem::take(&mut items[number].users);
            for &user in &users {
                let user_item = &items[user as usize];
                let (is_live, in_memory) = (user_item.is_live, user_item.reaches_memory);
                let own = &mut items[number];
                own.reaches_memory |= in_memory;
                if is_live {
                    own.is_live = true;
                    own.last_user = own.last_user.max(Some(user));
                }
            }
            items[number].users = users;
        }
        let is_open =
            |i: &Item| i.kind == ItemKind::Check { is_exact: false } && i.latest.is_some();
        Self {
            has_open_places: items.iter().any(is_open),
            items,
            first,
        }
    }

    /// The item of a statement that defines or draws this variable.
    pub(crate) fn definition(&self, statement: usize, variable: TermId) -> Option<ItemNo> {
        let from = self.first[statement] as usize;
        let own = self.items[from..].iter();
        let own = own.take_while(|i| i.statement == statement);
        own.enumerate()
            .filter(|(_, item)| item.subject == variable)
            .find(|(_, item)| !matches!(item.kind, ItemKind::Check { .. }))
            .map(|(i, _)| (from + i) as ItemNo)
    }

    /// By item: its value or condition over nothing but drawn variables.
    pub(crate) fn over_draws(&self, terms: &mut Terms) -> Vec<TermId> {
        let mut list: Vec<TermId> = Vec::with_capacity(self.items.len());
        for item in &self.items {
            let term = match item.kind {
                ItemKind::Drawn => item.subject,
                _ => rewritten(terms, item, |read| list[read as usize]),
            };
            list.push(term);
        }
        list
    }
}

/// The term of an item with the value of each item that it reads.
pub(crate) fn rewritten(
    terms: &mut Terms,
    item: &Item,
    value_of: impl Fn(ItemNo) -> TermId,
) -> TermId {
    let mut map = Substitution::default();
    for &(variable, read) in &item.reads {
        map.terms.insert(variable, value_of(read));
    }
    terms.substitute(item.term, &mut map)
}

struct Builder<'a> {
    terms: &'a Terms,
    values: &'a Model,
    items: Vec<Item>,
    /// By variable: who gave it its value last.
    now: FxHashMap<TermId, ItemNo>,
}

impl Builder<'_> {
    fn initial(&mut self, statements: &[Statement]) {
        let mut known: FxHashMap<TermId, ()> = FxHashMap::default();
        for statement in statements {
            let drawn = statement.drawn.iter().map(|d| d.variable);
            known.extend(drawn.map(|v| (v, ())));
            let mut read: Vec<TermId> = Vec::new();
            for &(variable, value) in &statement.definitions {
                read.extend(self.variables(value));
                read.retain(|v| !known.contains_key(v));
                known.insert(variable, ());
            }
            for term in statement.conditions.iter().map(|c| c.term) {
                read.extend(self.variables(term));
            }
            for term in statement.updates.iter().map(|u| u.value) {
                read.extend(self.variables(term));
            }
            for variable in read {
                if known.insert(variable, ()).is_none() {
                    let value = match self.terms.node(variable) {
                        Node::Var(v) => self.values.get(v).unwrap_or(0),
                        _ => 0,
                    };
                    self.add(ItemKind::Drawn, variable, variable, 0, Some(value));
                    self.now.insert(variable, self.items.len() as ItemNo - 1);
                }
            }
            known.extend(statement.updates.iter().map(|u| (u.variable, ())));
        }
    }

    fn variables(&self, term: TermId) -> Vec<TermId> {
        let (variables, _) = self.terms.variables_of(&[term]);
        let terms = variables.into_iter().map(|v| self.terms.variable_term(v));
        terms.collect()
    }

    fn statement(&mut self, number: usize, statement: &Statement) {
        for drawn in &statement.drawn {
            let value = match self.terms.node(drawn.variable) {
                Node::Var(v) => self.values.get(v).unwrap_or(0),
                _ => 0,
            };
            let variable = drawn.variable;
            self.add(ItemKind::Drawn, variable, variable, number, Some(value));
            self.now.insert(variable, self.items.len() as ItemNo - 1);
        }
        for &(variable, value) in &statement.definitions {
            self.add(ItemKind::Defined, variable, value, number, None);
            self.now.insert(variable, self.items.len() as ItemNo - 1);
        }
        for condition in &statement.conditions {
            let is_exact = condition.is_exact;
            let kind = ItemKind::Check { is_exact };
            self.add(kind, condition.term, condition.term, number, None);
        }
        let from = self.items.len();
        for update in &statement.updates {
            self.add(
                ItemKind::Defined,
                update.variable,
                update.value,
                number,
                None,
            );
        }
        // All at once: nobody reads what another update of the same statement wrote.
        for (i, update) in (from..self.items.len()).zip(&statement.updates) {
            self.items[i].reaches_memory = matches!(update.place, StatePlace::Memory { .. });
            self.now.insert(self.items[i].subject, i as ItemNo);
        }
    }

    fn add(
        &mut self,
        kind: ItemKind,
        subject: TermId,
        term: TermId,
        statement: usize,
        known: Option<u128>,
    ) {
        let number = self.items.len() as ItemNo;
        let mut item = Item {
            kind,
            subject,
            term,
            reads: Vec::new(),
            users: Vec::new(),
            statement,
            value: known.unwrap_or(0),
            latest: (kind == ItemKind::Drawn).then_some(number),
            is_live: matches!(kind, ItemKind::Check { .. }),
            last_user: None,
            reaches_memory: false,
        };
        if known.is_none() {
            let mut model = Model::new();
            for variable in self.variables(term) {
                let Some(&read) = self.now.get(&variable) else {
                    continue;
                };
                item.reads.push((variable, read));
                let source = &mut self.items[read as usize];
                source.users.push(number);
                item.latest = item.latest.max(source.latest);
                model.set_term(self.terms, variable, source.value);
            }
            item.value = Evaluator::new(self.terms, &model).eval(term);
        }
        self.items.push(item);
    }
}
