//! The loop: candidates, runs, compilation, checks.

use crate::candidates::{Candidate, Edit, Walk};
use crate::check::{self, Checked, Kept};
use crate::definitions::{definition_line, macros, with_definition};
use crate::meta;
use crate::patch::{changed, replacement, unified};
use crate::scope::Scope;
use crate::tokens::Aligned;
use crate::{
    FrontEnd, KnownFault, Repair, RepairConfig, RepairHolds, RepairOutcome, RepairTask, Unit, part,
};
use idiolect_base::{Budget, SourceMap};
use idiolect_cfront::ast::Item;
use idiolect_cfront::parser;
use idiolect_cfront::symbols::Symbols;
use idiolect_interp::{
    CompileOptions, Compiled, End, InputOrigin, InputRequest, InputSource, Machine, NoObserver,
    ObjectKind,
};
use idiolect_ir::Property;
use idiolect_localize::{CaseInputs, JudgedCase, Places, RunCase, SuspectPlace, machine};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::Cell;
use std::cmp::Reverse;
use std::collections::hash_map::Entry;

/// Programs of many edits that are compiled, if some of the edits are not C.
const MAX_META: usize = 60;

/// An edit with what is known of it.
struct Ranked {
    unit: usize,
    candidate: Candidate,
    score: f64,
}

/// Looks for repairs.
pub fn repair(
    task: &RepairTask<'_>,
    front_end: &dyn FrontEnd,
    config: &RepairConfig,
    budget: &Budget,
) -> RepairOutcome {
    let mut outcome = RepairOutcome::default();
    let ranked = candidates(task, config);
    outcome.n_candidates = ranked.len();
    let mut engine = Engine {
        task,
        front_end,
        config,
        budget,
        failing: task.failing.clone(),
        max_steps: max_steps(task, config, LONGER, budget),
        steps_left: Cell::new(u64::MAX),
        outcome: &mut outcome,
    };
    let accepted = engine.accepted(ranked);
    let found = engine.checked(accepted);
    outcome.repairs = found;
    outcome.stopped = budget.look().err();
    outcome
}

/// What an edit does to the runs.
#[derive(Clone, Copy, Debug)]
struct Evidence {
    cost: u32,
    /// The part of the failing runs that pass with it.
    mended: f64,
    /// The part of the passing runs that fail with it; `None` if there are none.
    broken: Option<f64>,
}

impl Evidence {
    /// The largest weight that an edit of this size can come to.
    fn most(cost: u32, has_others: bool) -> f64 {
        let best = Self {
            cost,
            mended: 1.0,
            broken: has_others.then_some(0.0),
        };
        best.weight()
    }

    /// From 0 to 1.
    fn weight(self) -> f64 {
        let by_cost = |list: &[f64]| {
            let of = list.get(self.cost as usize - 1);
            of.or(list.last()).copied().unwrap_or(0.0)
        };
        match self.broken {
            // Few runs that no longer pass: the place is right, the edit is not.
            Some(broken) => {
                let kept = (1.0 - 5.0 * broken).max(0.2);
                self.mended * kept * by_cost(&[1.0, 0.9, 0.75, 0.6, 0.6, 0.5])
            }
            None => self.mended * by_cost(&[0.9, 0.5, 0.25, 0.0]),
        }
    }
}

/// Failing runs and passing runs that edits are tried on, to rank places by them.
const FAILING: usize = 6;
const PASSING: usize = 120;
/// Failing runs of which one has to pass, or the others are not run.
const FIRST: usize = 3;
/// Edits that count as small, and how many larger ones are tried if there are tests that say what is right.
const SMALL: u32 = 3;
const LARGE: usize = 400;

/// So many of them, from all over the list.
fn sample(cases: &[RunCase], most: usize) -> Vec<RunCase> {
    let step = cases.len().div_ceil(most).max(1);
    cases.iter().step_by(step).cloned().collect()
}

/// Small edits, and the most likely ones of the others.
fn to_rank_by(task: &RepairTask<'_>, config: &RepairConfig) -> Vec<Ranked> {
    let mut ranked = candidates(task, config);
    let mut large: Vec<usize> = (0..ranked.len())
        .filter(|&i| ranked[i].candidate.cost > SMALL)
        .collect();
    large.sort_by_key(|&i| (Reverse(worth(&ranked[i])), i));
    let is_known = task.has_tests && !task.passing.is_empty();
    let most = if is_known { LARGE } else { 0 };
    let left_out: FxHashSet<usize> = large.into_iter().skip(most).collect();
    let mut i = 0;
    ranked.retain(|_| {
        i += 1;
        !left_out.contains(&(i - 1))
    });
    ranked
}

/// Gives lines at which a small edit makes the failing runs pass a better score: who wrote the program
/// was near. Numbers behind macros get a place at the definition.
pub fn rank_by_edits(
    task: &RepairTask<'_>,
    front_end: &dyn FrontEnd,
    config: &RepairConfig,
    budget: &Budget,
) -> Places {
    let mut places = task.places.clone();
    let ranked = to_rank_by(task, config);
    let mut outcome = RepairOutcome::default();
    let mut engine = Engine {
        task,
        front_end,
        config,
        budget,
        failing: sample(&task.failing, FAILING),
        max_steps: max_steps(
            task,
            config,
            if task.has_tests {
                LONGER
            } else {
                LONGER_TO_RANK
            },
            budget,
        ),
        steps_left: Cell::new(if task.has_tests {
            STEPS_TO_RANK_BY_TESTS
        } else {
            STEPS_TO_RANK
        }),
        outcome: &mut outcome,
    };
    let others = sample(&task.passing, PASSING);
    let mut best: FxHashMap<(String, u32), Evidence> = FxHashMap::default();
    let mut definitions: Vec<(String, u32, String, u32)> = Vec::new();
    for (unit, own) in task.units.iter().enumerate() {
        for (i, evidence) in engine.evidence(unit, &ranked, &others) {
            let candidate = &ranked[i].candidate;
            let mut line = candidate.line;
            if let Some((name, _)) = &candidate.definition {
                let Some((at, text)) = definition_line(&own.original, name) else {
                    continue;
                };
                line = at;
                definitions.push((own.file.clone(), at, text, candidate.line));
            }
            let known = best.entry((own.file.clone(), line)).or_insert(evidence);
            if evidence.weight() > known.weight() {
                *known = evidence;
            }
        }
    }
    for (file, line, text, used) in definitions {
        if places.list.iter().any(|p| p.line == line && p.file == file) {
            continue;
        }
        // What is known of its best use is known of it.
        let name = text.split_whitespace().nth(1).unwrap_or("").to_owned();
        let uses = places
            .list
            .iter()
            .filter(|p| p.text.contains(&name) || p.kind == idiolect_localize::PlaceKind::Constant);
        let best = uses.max_by(|a, b| a.score.total_cmp(&b.score));
        // The size of an array is no place of its own.
        let is_there = |p: &&SuspectPlace| p.line == used && p.file == file;
        let Some(mut place) = best.or(places.list.iter().find(is_there)).cloned() else {
            continue;
        };
        place.file = file;
        place.line = line;
        place.column = 1;
        place.text = text;
        place.function = String::new();
        place.kind = idiolect_localize::PlaceKind::Constant;
        places.list.push(place);
    }
    for place in &mut places.list {
        let own = best.get(&(place.file.clone(), place.line));
        place.evidence.edits = own.map_or(0.0, |e| e.weight());
        place.score = place.evidence.score();
    }
    places.sort();
    places
}

/// The lines to edit, with their scores, and numbers with which failing runs pass there.
fn lines_of(
    places: &Places,
    file: &str,
    max_lines: usize,
) -> (FxHashMap<u32, f64>, FxHashMap<u32, Vec<i128>>) {
    let mut scores: FxHashMap<u32, f64> = FxHashMap::default();
    let mut solved: FxHashMap<u32, Vec<i128>> = FxHashMap::default();
    for place in places.list.iter().filter(|p| p.file == file) {
        if !scores.contains_key(&place.line) && scores.len() >= max_lines {
            continue;
        }
        let best = scores.entry(place.line).or_insert(0.0);
        *best = best.max(place.score);
        if place.kind == idiolect_localize::PlaceKind::Constant {
            let numbers = solved.entry(place.line).or_default();
            for &value in &place.numbers {
                if !numbers.contains(&value) {
                    numbers.push(value);
                }
            }
        }
    }
    (scores, solved)
}

/// All edits, best first.
fn candidates(task: &RepairTask<'_>, config: &RepairConfig) -> Vec<Ranked> {
    let mut list = Vec::new();
    for (number, unit) in task.units.iter().enumerate() {
        let (scores, solved) = lines_of(task.places, &unit.file, config.max_lines);
        if scores.is_empty() {
            continue;
        }
        let lines: FxHashSet<u32> = scores.keys().copied().collect();
        let own = parser::with_big_stack(|| in_unit(task, unit, &lines, &solved));
        for candidate in own {
            let score = scores.get(&candidate.line).copied().unwrap_or(0.0);
            list.push(Ranked {
                unit: number,
                candidate,
                score,
            });
        }
    }
    let mut list = each_once(list);
    if list.len() > config.max_candidates {
        // The numbers of those that stay keep their order.
        let mut order: Vec<usize> = (0..list.len()).collect();
        order.sort_by_key(|&i| (Reverse(worth(&list[i])), i));
        let kept: FxHashSet<usize> = order.into_iter().take(config.max_candidates).collect();
        let mut i = 0;
        list.retain(|_| {
            i += 1;
            kept.contains(&(i - 1))
        });
    }
    list
}

/// The same text is the smallest of the edits that lead to it.
fn each_once(list: Vec<Ranked>) -> Vec<Ranked> {
    let mut known: FxHashMap<(usize, Vec<Edit>), usize> = FxHashMap::default();
    let mut kept: Vec<Ranked> = Vec::with_capacity(list.len());
    for ranked in list {
        match known.entry((ranked.unit, ranked.candidate.edits.clone())) {
            Entry::Occupied(entry) => {
                let other = &mut kept[*entry.get()];
                if ranked.candidate.cost < other.candidate.cost {
                    *other = ranked;
                }
            }
            Entry::Vacant(entry) => {
                entry.insert(kept.len());
                kept.push(ranked);
            }
        }
    }
    kept
}

/// Likely places and small edits first.
fn worth(ranked: &Ranked) -> i64 {
    (ranked.score * 1800.0) as i64 - 60 * i64::from(ranked.candidate.cost)
}

fn in_unit(
    task: &RepairTask<'_>,
    unit: &Unit,
    lines: &FxHashSet<u32>,
    solved: &FxHashMap<u32, Vec<i128>>,
) -> Vec<Candidate> {
    let aligned = Aligned::new(&unit.preprocessed, &unit.original, &unit.file);
    let mut sources = SourceMap::new();
    let id = sources.add(&unit.file, unit.preprocessed.clone());
    let mut symbols = Symbols::new();
    let parsed = parser::parse(&sources, id, &mut symbols);
    let macros = macros(&unit.original);
    let scope = Scope {
        program: task.program,
    };
    let excluded = idiolect_localize::specification_functions(task.program);
    let given = given_numbers(task);
    let mut walk = Walk::new(
        &unit.preprocessed,
        &unit.original,
        &aligned,
        &symbols,
        scope,
        &macros,
        lines,
        solved,
    );
    walk.given = given;
    walk.initial_values(&parsed.unit.items);
    for item in &parsed.unit.items {
        if let Item::Function(f) = item
            && aligned.line_at(f.span.start as usize).is_some()
        {
            walk.function(f, &excluded);
        }
    }
    walk.list
}

/// Numbers that failing tests give to the program, and those beside them: bounds are near them.
fn given_numbers(task: &RepairTask<'_>) -> Vec<i128> {
    let mut list: Vec<i128> = Vec::new();
    for case in task.failing.iter().take(8) {
        let CaseInputs::Process { arguments, .. } = &case.inputs else {
            continue;
        };
        for argument in arguments.iter().take(12) {
            let number = std::str::from_utf8(argument)
                .ok()
                .and_then(|a| a.parse().ok());
            for near in number.into_iter().flat_map(|n: i64| [n - 1, n, n + 1]) {
                let near = i128::from(near);
                if !list.contains(&near) && list.len() < 24 {
                    list.push(near);
                }
            }
        }
    }
    list
}

/// The program's own inputs, and the number of the edit that is chosen.
struct Chosen<S> {
    choice: u128,
    rest: S,
}

impl<S: InputSource> InputSource for Chosen<S> {
    fn next(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        if let InputOrigin::Unwritten(unwritten) = request.origin
            && let ObjectKind::Global(id) = unwritten.object
            && request.program.global(id).name == meta::CHOICE
        {
            return Some(self.choice >> (8 * unwritten.offset));
        }
        self.rest.next(request)
    }
}

/// An edit that makes all given runs pass.
struct Accepted {
    ranked: Ranked,
    checked: Checked,
    text: String,
    holds: RepairHolds,
}

/// A program of many edits, and the one that is chosen.
struct With<'a, 'c> {
    checked: &'c Checked,
    machine: &'a mut Machine<'c>,
    choice: usize,
}

struct Engine<'a> {
    task: &'a RepairTask<'a>,
    front_end: &'a dyn FrontEnd,
    config: &'a RepairConfig,
    budget: &'a Budget,
    /// Those that were given, and those that refuted a candidate.
    failing: Vec<RunCase>,
    /// Steps of one run with an edit.
    max_steps: u64,
    /// Of all of them.
    steps_left: Cell<u64>,
    outcome: &'a mut RepairOutcome,
}

/// A run with an edit may take so many times more steps than the longest that is known to end; to rank places by edits,
/// fewer: edits with which a server never ends are tried in vain.
const LONGER: u64 = 40;
const LONGER_TO_RANK: u64 = 5;
/// Steps of all runs with edits, to rank places by them.
const STEPS_TO_RANK: u64 = 2_000_000;
const STEPS_TO_RANK_BY_TESTS: u64 = 400_000_000;

fn max_steps(task: &RepairTask<'_>, config: &RepairConfig, longer: u64, budget: &Budget) -> u64 {
    let check_overflow = config.properties.contains(&Property::Overflow);
    let old = Compiled::new(task.program.clone(), &CompileOptions { check_overflow });
    let mut machine = machine(&old, config.max_steps);
    let mut most = 500;
    for case in task.failing.iter().chain(task.passing.iter().take(50)) {
        let outcome = case.run_on(&mut machine, &mut NoObserver, budget);
        if !matches!(outcome.end, End::Limit(_)) {
            most = most.max(outcome.steps);
        }
    }
    (longer * most).min(config.max_steps)
}

impl Engine<'_> {
    fn texts<'t>(&'t self, unit: usize, text: &'t str) -> Vec<&'t str> {
        let units = self.task.units.iter().enumerate();
        units
            .map(|(i, u)| {
                if i == unit {
                    text
                } else {
                    u.preprocessed.as_str()
                }
            })
            .collect()
    }

    fn is_over(&self) -> bool {
        self.budget.look().is_err()
    }

    /// Edits with which all given runs pass, best first.
    fn accepted(&mut self, ranked: Vec<Ranked>) -> Vec<Accepted> {
        let mut is_open = vec![false; ranked.len()];
        for unit in 0..self.task.units.len() {
            for i in self.surviving(unit, &ranked) {
                is_open[i] = true;
            }
        }
        let mut open: Vec<(usize, Ranked)> = (ranked.into_iter().enumerate())
            .filter(|(i, _)| is_open[*i])
            .collect();
        open.sort_by_key(|(i, r)| (Reverse(worth(r)), *i));
        let mut accepted = Vec::new();
        for (_, ranked) in open.into_iter().take(self.config.max_compiled) {
            if self.is_over() {
                break;
            }
            accepted.extend(self.alone(ranked));
        }
        accepted
    }

    /// Programs with many of these edits each, and the numbers of those that are C; `left` of them are made.
    fn together(
        &mut self,
        unit: usize,
        ranked: &[Ranked],
        list: &[usize],
        left: &mut usize,
    ) -> Vec<(Checked, Vec<usize>)> {
        if list.is_empty() || *left == 0 || self.is_over() {
            return Vec::new();
        }
        *left -= 1;
        let pairs: Vec<(usize, &Candidate)> =
            list.iter().map(|&i| (i, &ranked[i].candidate)).collect();
        let text = meta::text(&self.task.units[unit].preprocessed, &pairs);
        let program = self.front_end.compile(&self.texts(unit, &text));
        if let Some(program) = program {
            let checked = check::compiled(program, &self.config.properties);
            return vec![(checked, list.to_vec())];
        }
        if list.len() == 1 {
            return Vec::new();
        }
        let (a, b) = list.split_at(list.len() / 2);
        let mut all = self.together(unit, ranked, a, left);
        all.extend(self.together(unit, ranked, b, left));
        all
    }

    /// The edits of a unit with which all failing runs pass.
    fn surviving(&mut self, unit: usize, ranked: &[Ranked]) -> Vec<usize> {
        let mut found = Vec::new();
        for (checked, list) in self.of_unit(unit, ranked) {
            let mut machine = self.machine(&checked);
            for i in list {
                if self.is_over() {
                    return found;
                }
                self.outcome.n_tried += 1;
                let mut with = With {
                    checked: &checked,
                    machine: &mut machine,
                    choice: i + 1,
                };
                if self.all_pass_with(&mut with, &self.failing) {
                    found.push(i);
                }
            }
        }
        found
    }

    fn of_unit(&mut self, unit: usize, ranked: &[Ranked]) -> Vec<(Checked, Vec<usize>)> {
        let list: Vec<usize> = (0..ranked.len())
            .filter(|&i| ranked[i].unit == unit)
            .collect();
        let mut left = MAX_META;
        self.together(unit, ranked, &list, &mut left)
    }

    /// What the edits of a unit do to failing runs and to others, if they do something to a failing one.
    fn evidence(
        &mut self,
        unit: usize,
        ranked: &[Ranked],
        others: &[RunCase],
    ) -> Vec<(usize, Evidence)> {
        let mut found = Vec::new();
        // Runs that were made are like the one that was found, which every edit has to mend.
        let first = if self.task.has_tests { FIRST } else { 1 };
        // By line, or by macro: an edit that cannot come to more says nothing new.
        let mut known: FxHashMap<(u32, Option<&str>), f64> = FxHashMap::default();
        for (checked, mut list) in self.of_unit(unit, ranked) {
            // The likeliest first: the steps may end before the last.
            list.sort_by_key(|&i| (Reverse(worth(&ranked[i])), i));
            let mut machine = self.machine(&checked);
            for i in list {
                if self.is_over() || self.steps_left.get() == 0 {
                    return found;
                }
                let Candidate {
                    line, definition, ..
                } = &ranked[i].candidate;
                let key = (*line, definition.as_ref().map(|d| d.0.as_str()));
                let cost = ranked[i].candidate.cost.max(1);
                let best = known.entry(key).or_insert(0.0);
                if Evidence::most(cost, !others.is_empty()) <= *best {
                    continue;
                }
                self.outcome.n_tried += 1;
                let n_first = self.failing.len().min(first);
                let (first, more) = self.failing.split_at(n_first);
                let mut choice = With {
                    checked: &checked,
                    machine: &mut machine,
                    choice: i + 1,
                };
                let mut mended = self.n_passing_with(&mut choice, first);
                if mended == 0 {
                    continue;
                }
                mended += self.n_passing_with(&mut choice, more);
                let n_others = others.len();
                let kept = self.n_kept_with(&mut choice, others);
                let evidence = Evidence {
                    cost,
                    mended: mended as f64 / self.failing.len() as f64,
                    broken: (n_others > 0).then(|| (n_others - kept) as f64 / n_others as f64),
                };
                *best = best.max(evidence.weight());
                found.push((i, evidence));
            }
        }
        found
    }

    fn machine<'c>(&self, checked: &'c Checked) -> Machine<'c> {
        machine(&checked.compiled, self.max_steps)
    }

    fn judged_with(&self, with: &mut With<'_, '_>, case: &RunCase) -> Kept {
        let mut source = Chosen {
            choice: with.choice as u128,
            rest: case.source(),
        };
        let own = part(self.budget, self.max_steps);
        let outcome = with.machine.run(&mut source, &mut NoObserver, &own);
        let left = self.steps_left.get().saturating_sub(outcome.steps);
        self.steps_left.set(left);
        if case.judge(&outcome, &self.config.properties) == JudgedCase::Passes {
            return Kept::Passes;
        }
        let fault = KnownFault::of(&with.checked.program, &outcome);
        if fault.is_some_and(|fault| self.task.known_faults.contains(&fault)) {
            Kept::AtKnownFault
        } else {
            Kept::Fails
        }
    }

    fn n_passing_with(&self, with: &mut With<'_, '_>, cases: &[RunCase]) -> usize {
        let judged = cases.iter().map(|case| self.judged_with(with, case));
        judged.filter(|j| matches!(j, Kept::Passes)).count()
    }

    /// How many do not fail. After many that do, the rest is not run.
    fn n_kept_with(&self, with: &mut With<'_, '_>, cases: &[RunCase]) -> usize {
        let mut n_failing = 0;
        for (i, case) in cases.iter().enumerate() {
            if matches!(self.judged_with(with, case), Kept::Fails) {
                n_failing += 1;
                if n_failing > cases.len() / 5 {
                    return i + 1 - n_failing;
                }
            }
        }
        cases.len() - n_failing
    }

    fn all_pass_with(&self, with: &mut With<'_, '_>, cases: &[RunCase]) -> bool {
        let mut is_any = false;
        let all = cases.iter().all(|case| {
            let judged = self.judged_with(with, case);
            is_any |= matches!(judged, Kept::Passes);
            !matches!(judged, Kept::Fails)
        });
        all && (is_any || cases.is_empty())
    }

    /// The user's text with the edit.
    fn edited(&self, ranked: &Ranked) -> Option<String> {
        let unit = &self.task.units[ranked.unit];
        let mut text = unit.original.clone();
        if let Some((name, value)) = &ranked.candidate.definition {
            return with_definition(&unit.original, name, value);
        }
        let aligned = Aligned::new(&unit.preprocessed, &unit.original, &unit.file);
        let mut edits = Vec::new();
        for edit in &ranked.candidate.edits {
            let (start, end) = aligned.original(edit.start, edit.end)?;
            edits.push((start, end, edit.shown.as_deref().unwrap_or(&edit.text)));
        }
        edits.sort_by_key(|e| Reverse(e.0));
        for (start, end, new) in edits {
            text.replace_range(start..end, new);
        }
        Some(text)
    }

    /// Compiles one edit, from the text that will be shown, and runs everything that was given.
    fn alone(&mut self, ranked: Ranked) -> Option<Accepted> {
        let text = self.edited(&ranked)?;
        let preprocessed = self.preprocessed(&ranked)?;
        self.outcome.n_compiled += 1;
        let program = self
            .front_end
            .compile(&self.texts(ranked.unit, &preprocessed))?;
        let checked = check::compiled(program, &self.config.properties);
        let holds = self.given(&checked)?;
        Some(Accepted {
            ranked,
            checked,
            text,
            holds,
        })
    }

    /// The edit in the preprocessed text, where it costs nothing.
    fn preprocessed(&self, ranked: &Ranked) -> Option<String> {
        let mut text = self.task.units[ranked.unit].preprocessed.clone();
        let mut edits: Vec<_> = ranked.candidate.edits.iter().collect();
        edits.sort_by_key(|e| Reverse(e.start));
        for edit in edits {
            text.get(edit.start..edit.end)?;
            text.replace_range(edit.start..edit.end, &edit.text);
        }
        Some(text)
    }

    /// All given runs: `None` if one of them fails.
    fn given(&mut self, checked: &Checked) -> Option<RepairHolds> {
        let failing = self.kept(checked, &self.failing)?;
        let given = self.task.failing.len();
        // Runs that come to another fault say nothing of the edit.
        if failing >= given {
            return None;
        }
        let Some(passing) = self.kept(checked, &self.task.passing) else {
            self.outcome.n_overfitted += 1;
            return None;
        };
        Some(RepairHolds {
            failing: given - failing,
            passing: self.task.passing.len() - passing,
            at_known_fault: failing + passing,
            refutations: self.failing.len() - given,
            ..RepairHolds::default()
        })
    }

    /// How many of these runs come to a fault that was known and none of theirs; `None` if one fails.
    fn kept(&self, checked: &Checked, cases: &[RunCase]) -> Option<usize> {
        let (properties, known) = (&self.config.properties, &self.task.known_faults);
        let mut at_known_fault = 0;
        for case in cases {
            match checked.keeps(case, properties, known, self.max_steps, self.budget) {
                Kept::Passes => {}
                Kept::AtKnownFault => at_known_fault += 1,
                Kept::Fails => return None,
            }
        }
        Some(at_known_fault)
    }

    /// Checks what was accepted beyond the given runs, from the text as a user will have it.
    fn checked(&mut self, accepted: Vec<Accepted>) -> Vec<Repair> {
        let properties = self.config.properties.clone();
        let mut repairs: Vec<(Repair, Checked)> = Vec::new();
        let mut texts = FxHashSet::default();
        for own in accepted {
            if repairs.len() >= self.config.max_repairs || self.is_over() {
                break;
            }
            if !texts.insert(own.text.clone()) {
                continue;
            }
            let n_known = self.failing.len() - self.task.failing.len();
            let mut holds = own.holds;
            // Runs that refuted others since it was accepted.
            let refuted = self.failing[self.task.failing.len()..].to_vec();
            let steps = self.max_steps;
            if !(refuted.iter()).all(|c| own.checked.passes(c, &properties, steps, self.budget)) {
                self.outcome.n_overfitted += 1;
                continue;
            }
            holds.refutations = n_known;
            // From here on it is the text as the user will have it.
            let Some(again) = self.again(&own) else {
                continue;
            };
            let seed = self.config.seed;
            // What the user's tests do not ask for is no reason to refuse, unless the program asserts it.
            let asked: &[Property] = if self.task.has_tests {
                &[Property::Assert]
            } else {
                &properties
            };
            if let Some(case) = again.all_runs(asked, seed, &mut holds, self.budget) {
                self.outcome.n_overfitted += 1;
                // With tests of the user this run says something, too: the program's own
                // assertions have to hold.
                self.failing.push(case);
                continue;
            }
            repairs.push((self.shown(&own, holds, &again), again));
        }
        self.ranked(repairs)
    }

    /// The user's text with the edit, preprocessed and compiled anew, if all given runs pass.
    fn again(&self, own: &Accepted) -> Option<Checked> {
        let preprocessed = self.front_end.preprocess(own.ranked.unit, &own.text)?;
        let program = (self.front_end).compile(&self.texts(own.ranked.unit, &preprocessed))?;
        let again = check::compiled(program, &self.config.properties);
        let is_kept = |cases: &[RunCase]| self.kept(&again, cases).is_some();
        (is_kept(&self.failing) && is_kept(&self.task.passing)).then_some(again)
    }

    fn shown(&self, own: &Accepted, holds: RepairHolds, again: &Checked) -> Repair {
        let unit = &self.task.units[own.ranked.unit];
        let (line, before, after) = changed(&unit.original, &own.text);
        Repair {
            unit: own.ranked.unit,
            file: unit.file.clone(),
            line: line as u32,
            kind: own.ranked.candidate.kind,
            before,
            after,
            patch: unified(&unit.file, &unit.original, &own.text),
            replacement: replacement(&unit.original, &own.text),
            text: own.text.clone(),
            holds,
            cost: own.ranked.candidate.cost,
            score: own.ranked.score,
            failing_run: None,
            difference: None,
            program: again.program.clone(),
        }
    }

    /// Proofs for the best, inputs that show the difference, and the order.
    fn ranked(&mut self, mut repairs: Vec<(Repair, Checked)>) -> Vec<Repair> {
        repairs.sort_by_key(|(r, _)| order(r));
        let mut n_proofs = 0;
        for (repair, checked) in &mut repairs {
            if repair.holds.is_proved || n_proofs >= self.config.max_proofs || self.is_over() {
                continue;
            }
            n_proofs += 1;
            let own = part(self.budget, 30_000_000);
            let asked: &[Property] = if self.task.has_tests {
                &[Property::Assert]
            } else {
                &self.config.properties
            };
            repair.holds.is_proved = checked.is_proved(asked, self.config.seed, &own);
        }
        let old = check::compiled((**self.task.program).clone(), &self.config.properties);
        let known: Vec<Vec<u128>> = (self.failing.iter())
            .map(|case| match &case.inputs {
                CaseInputs::List(list) => list.clone(),
                CaseInputs::Process { .. } => {
                    let outcome =
                        case.run(&old.compiled, self.max_steps, &mut NoObserver, self.budget);
                    outcome.inputs.iter().map(|i| i.bits).collect()
                }
            })
            .collect();
        for (repair, checked) in repairs.iter_mut().take(5) {
            repair.failing_run =
                self.task.failing.first().map(|case| {
                    check::failing_run(&old, checked, case, self.max_steps, self.budget)
                });
            repair.difference =
                check::difference(&old, checked, &known, self.config.seed, self.budget);
        }
        repairs.sort_by_key(|(r, _)| order(r));
        repairs.into_iter().map(|r| r.0).collect()
    }
}

/// What it holds for first, then the size of the edit, then the place.
fn order(r: &Repair) -> (Reverse<(bool, bool)>, usize, u32, Reverse<i64>, u32) {
    (
        Reverse((r.holds.is_proved, r.holds.all_runs_within.is_some())),
        r.holds.at_known_fault,
        r.cost,
        Reverse((r.score * 1e4) as i64),
        r.line,
    )
}
