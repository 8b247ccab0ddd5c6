//! Learning what holds at the points of one function.
//!
//! **Question:** what holds of the cells of the lists and arrays that are visible at a loop, at
//! the entry and at the exit of a function? **Method:** QDA: run all small inputs, fold what
//! is seen into formula words, learn a quantified data automaton for 0, 1, … quantified variables,
//! make it elastic, write it as a formula. **Guarantee:** the formula holds of everything that was
//! seen; whether it holds of all runs is for `proof` to say. **Limits:** lists that share cells or
//! lead back into themselves are no words; the point is then refused with the reason.

use crate::assume::{AssumeError, Assumption};
use crate::builder;
use crate::calls::{self, Head};
use crate::collect::{Collector, Domain, Runs, Seen, Watch};
use crate::inputs::{self, Input, InputSpace};
use crate::points::{self, Wanted};
use crate::proof;
use crate::shapes;
use crate::signature::{self, SignatureError};
use idiolect_base::{Budget, StopReason};
use idiolect_ir::transform::scale::Scale;
use idiolect_ir::{BlockId, FuncId, FunctionOrigin, Program};
use idiolect_learn::{LearnerKind, RefineError};
use idiolect_quantified::affine::{self, Affine};
use idiolect_quantified::automaton::{Qda, Queries};
use idiolect_quantified::flags;
use idiolect_quantified::formula::{Conjunct, Formula};
use idiolect_quantified::instrument::Instrumented;
use idiolect_quantified::logic::{self, Level, TooManyPaths};
use idiolect_quantified::point::{ArrayGroup, ArraySize, Point, Snapshot, Structure};
use idiolect_quantified::ranges::{self, Ranges};
use idiolect_quantified::roles::Roles;
use idiolect_quantified::samples::Samples;
use idiolect_quantified::scale;
use idiolect_quantified::snapshot::{MAX_CELLS, NotAWord};
use idiolect_quantified::teacher::Teacher;
use std::ops::RangeInclusive;

/// Automata count the elements of arrays of known length before they are made elastic: larger ones
/// take seconds to learn.
const MAX_KNOWN: u64 = 12;
/// A program with large arrays is run at most so often for each of the small sizes that they get.
const MAX_SCALED_RUNS: u64 = 3_000;

#[derive(Clone, Debug)]
pub struct Config {
    pub wanted: Wanted,
    /// Lengths of lists and arrays.
    pub lengths: RangeInclusive<u64>,
    /// Data and scalars.
    pub values: RangeInclusive<i64>,
    /// At most so many quantified variables.
    pub max_quantified: usize,
    pub learner: LearnerKind,
    /// Such as `sorted(a, n)`.
    pub assumptions: Vec<String>,
    /// More inputs than this are refused.
    pub max_runs: u64,
    pub n_threads: usize,
    /// Learn at points that only a proof needs, too.
    pub for_proof: bool,
    /// Look for what helps a proof beside what automata say ([`idiolect_quantified::ranges`]).
    pub helpers: bool,
    /// Is told how many of the inputs were run, and how many there are.
    pub watch: Watch,
    /// Look at the cases of flags ([`idiolect_quantified::flags`]) and at computed places and values
    /// ([`idiolect_quantified::affine`]), when the program itself is run.
    pub flags: bool,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            wanted: Wanted::ALL,
            lengths: 0..=5,
            values: 0..=2,
            max_quantified: 2,
            learner: LearnerKind::LStar,
            assumptions: Vec::new(),
            max_runs: 2_000_000,
            n_threads: std::thread::available_parallelism().map_or(1, |n| n.get()),
            for_proof: false,
            helpers: false,
            watch: Watch::default(),
            flags: false,
        }
    }
}

/// Why nothing was learned.
#[derive(Clone, Debug, thiserror::Error)]
pub enum InvariantsError {
    #[error(transparent)]
    Signature(#[from] SignatureError),
    #[error(transparent)]
    Assumption(#[from] AssumeError),
    #[error("{} inputs would have to be run, and the limit is {limit}", inputs::estimate_text(*.count))]
    TooManyInputs { count: u128, limit: u64 },
    #[error("structures of {length} cells are not read; at most {MAX_CELLS} are")]
    TooLong { length: u64 },
    #[error("no point of `{function}` sees a list or an array of integers")]
    NoStructures { function: String },
    #[error("no run of `main` reaches a point of the function")]
    NoRuns,
    #[error(transparent)]
    Stopped(#[from] StopReason),
}

/// What was found for a function.
#[derive(Clone, Debug)]
pub struct Outcome {
    pub function: FuncId,
    pub runs: Runs,
    pub points: Vec<PointOutcome>,
    /// What was seen in the same runs at points that only a proof needs: those of functions that it
    /// calls, and before calls.
    pub for_proof: Vec<PointOutcome>,
    /// Constants that data is compared with.
    pub constants: Vec<i64>,
    /// The values that data and scalars had.
    pub values: Vec<i64>,
    /// The sizes of arrays that were made small for the runs ([`idiolect_quantified::scale`]).
    pub made_small: Vec<u64>,
}

#[derive(Clone, Debug)]
pub struct PointOutcome {
    pub point: Point,
    pub n_snapshots: u64,
    pub n_skeletons: usize,
    /// A few of what was seen.
    pub examples: Vec<Snapshot>,
    /// For each of these, the number of its run: the same run has a state before and one after.
    pub example_runs: Vec<u64>,
    /// What was seen of ranges of arrays, if it was looked for.
    pub helpers: Vec<Conjunct>,
    pub learned: Result<Learned, NotLearned>,
}

/// Why nothing is said of a point.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NotLearned {
    #[error("no run reaches it")]
    NotReached,
    #[error("{reason} ({n} of {n_snapshots} times)")]
    NotWords {
        reason: NotAWord,
        n: u64,
        n_snapshots: u64,
    },
    #[error(transparent)]
    TooManyPaths(#[from] TooManyPaths),
    #[error(transparent)]
    Learner(#[from] RefineError),
    #[error("no list or array of integers is visible")]
    NoStructures,
    #[error("{0}")]
    Stopped(StopReason),
}

#[derive(Clone, Debug)]
pub struct Learned {
    pub formula: Formula,
    /// For 0, 1, … quantified variables.
    pub levels: Vec<LearnedLevel>,
}

#[derive(Clone, Debug)]
pub struct LearnedLevel {
    /// As learned.
    pub qda: Qda,
    /// As translated.
    pub elastic: Qda,
    pub elastified: bool,
    pub queries: Queries,
    pub n_words: u64,
    pub vocabulary: idiolect_quantified::vocabulary::Vocabulary,
}

/// Learns what holds at the points of a function, on inputs built for its parameters.
pub fn run(
    program: &Program,
    function: FuncId,
    config: &Config,
    budget: &Budget,
) -> Result<Outcome, InvariantsError> {
    run_with(program, function, config, &[], budget)
}

/// Like [`run`], on these inputs as well, as far as they are assumed.
pub fn run_with(
    program: &Program,
    function: FuncId,
    config: &Config,
    more: &[Input],
    budget: &Budget,
) -> Result<Outcome, InvariantsError> {
    let n_blocks = program.function(function).blocks.len();
    let (program, heads) = &calls::split(program, function);
    let roles = Roles::new(program);
    let parameters = signature::inputs(program, &roles, function)?;
    let mut points = points::points(program, &roles, function, Some(&parameters), config.wanted);
    let n_own = written_out_last(&mut points, n_blocks);
    if points.iter().all(|p| p.structures.is_empty()) {
        return Err(InvariantsError::NoStructures {
            function: program.function(function).name.clone(),
        });
    }
    let assumptions = Assumption::all(&config.assumptions, &parameters)?;
    let values = values(config, roles.constants());
    if *config.lengths.end() > MAX_CELLS as u64 {
        return Err(InvariantsError::TooLong {
            length: *config.lengths.end(),
        });
    }
    // Before anything is made that grows with their number.
    let count = inputs::count(&parameters, config.lengths.clone(), values.len());
    if count > u128::from(config.max_runs) {
        return Err(InvariantsError::TooManyInputs {
            count,
            limit: config.max_runs,
        });
    }
    let space = InputSpace::new(&parameters, config.lengths.clone(), values.clone());
    points.extend(points_for_proof(program, &roles, function, heads, config));
    let mut instrumented = Instrumented::new(program, &points);
    let first = builder::start_with(&mut instrumented.program, function, &parameters);
    let constants = roles.constants();
    let mut collector = Collector::new(&points, &instrumented, constants, config.max_quantified);
    if config.helpers {
        collector.look_at_ranges(ranges::may_be_heaps(program, &points));
    }
    collector.watch = config.watch.clone();
    // Half of the time is for what is made of the runs, and half of that for learning.
    let time = budget.half_the_time();
    let mut seen = collector.all(&space, first, &assumptions, config.n_threads, &time)?;
    collector.more(&space, first, &assumptions, more, &mut seen, &time);
    let time = budget.half_the_time();
    let (samples, runs) = seen;
    let mut points: Vec<PointOutcome> = points
        .into_iter()
        .zip(samples)
        .map(|(point, samples)| learn_point(point, &samples, config, &time))
        .collect();
    for p in points.iter_mut().filter(|p| p.point.function == function) {
        if let Ok(learned) = &mut p.learned {
            (learned.formula.conjuncts).extend(shapes::definitions(program, &p.point));
        }
    }
    let for_proof = points.split_off(n_own);
    Ok(Outcome {
        function,
        runs,
        points,
        for_proof,
        constants: constants.to_vec(),
        values,
        made_small: Vec::new(),
    })
}

/// Learns what holds at the points of a function when the program itself is run: every number that
/// it draws takes all small values, lengths for what counts and data for what does not.
pub fn run_harness(
    program: &Program,
    function: FuncId,
    config: &Config,
    budget: &Budget,
) -> Result<Outcome, InvariantsError> {
    let n_blocks = program.function(function).blocks.len();
    let (program, heads) = &calls::split(program, function);
    let roles = Roles::new(program);
    let parameters = signature::signature(program, &roles, function).ok();
    let mut points = points::points(
        program,
        &roles,
        function,
        parameters.as_deref(),
        config.wanted,
    );
    let n_own = written_out_last(&mut points, n_blocks);
    points.extend(points_for_proof(program, &roles, function, heads, config));
    let constants = roles.constants();
    let values = values(config, constants);
    let harness = Harness {
        program,
        points: &points,
        roles: &roles,
        values: &values,
        config,
        budget: &budget.half_the_time(),
    };
    let (samples, runs) = harness.run()?;
    let time = budget.half_the_time();
    let made_small = scale::large_sizes(&points);
    if samples.iter().all(|s| s.n_snapshots == 0) {
        return Err(InvariantsError::NoRuns);
    }
    let mut points: Vec<PointOutcome> = points
        .into_iter()
        .zip(samples)
        .map(|(point, samples)| learn_point(point, &samples, config, &time))
        .collect();
    let for_proof = points.split_off(n_own);
    Ok(Outcome {
        function,
        runs,
        points,
        for_proof,
        constants: constants.to_vec(),
        values,
        made_small,
    })
}

/// Loops of functions that are written out come last, since only a proof needs them. Gives the number
/// of the others.
fn written_out_last(points: &mut [Point], n_blocks: usize) -> usize {
    points.sort_by_key(|p| p.block.index() >= n_blocks);
    points.partition_point(|p| p.block.index() < n_blocks)
}

/// A program that is run as it is.
struct Harness<'a> {
    program: &'a Program,
    points: &'a [Point],
    roles: &'a Roles,
    values: &'a [i64],
    config: &'a Config,
    budget: &'a Budget,
}

impl Harness<'_> {
    fn run(&self) -> Result<Seen, StopReason> {
        let sizes = scale::large_sizes(self.points);
        let constants = self.roles.constants();
        if sizes.is_empty() {
            return self.watch(self.program, self.points, constants, false);
        }
        let mut total: Option<Seen> = None;
        for small in 1..=*self.config.lengths.end() {
            let small_sizes = Scale::new(&sizes, small);
            let points: Vec<Point> = self
                .points
                .iter()
                .map(|p| scale::point(&small_sizes, p))
                .collect();
            let constants: Vec<i64> = constants.iter().map(|&c| small_sizes.number(c)).collect();
            let (samples, runs) = self.watch(
                &small_sizes.program(self.program),
                &points,
                &constants,
                true,
            )?;
            // The first of many runs have much in common, of which nothing should be learned.
            if runs.is_cut && total.is_some() {
                break;
            }
            let (all, sum) = total.get_or_insert_with(|| {
                let fresh = self.fresh(self.points, self.roles.constants());
                (fresh, Runs::default())
            });
            for (own, other) in all.iter_mut().zip(samples) {
                own.merge(other);
            }
            sum.merge(runs);
        }
        Ok(total.unwrap_or_default())
    }

    /// Samples of these points, before anything was seen.
    fn fresh(&self, points: &[Point], constants: &[i64]) -> Vec<Samples> {
        let config = self.config;
        let heaps = config.helpers && ranges::may_be_heaps(self.program, self.points);
        let sizes = scale::large_sizes(self.points);
        let fresh = |point: &Point| {
            let mut samples = Samples::new(point, constants, config.max_quantified);
            if config.flags {
                let one = |case| (case, samples.clone());
                let cases = flags::cases(self.program, point);
                samples.cases = cases.into_iter().map(one).collect();
                let maps = affine::maps(self.program, point.function, &sizes);
                samples.affine = Some(Affine::new(point, &maps));
            }
            if config.helpers {
                samples.ranges = Some(Ranges::new(point, heaps));
            }
            samples
        };
        points.iter().map(fresh).collect()
    }

    fn watch(
        &self,
        program: &Program,
        points: &[Point],
        constants: &[i64],
        is_scaled: bool,
    ) -> Result<Seen, StopReason> {
        let config = self.config;
        let max_runs = if is_scaled {
            config.max_runs.min(MAX_SCALED_RUNS)
        } else {
            config.max_runs
        };
        let instrumented = Instrumented::new(program, points);
        let mut collector = Collector::new(points, &instrumented, constants, config.max_quantified);
        collector.start_with(self.fresh(points, constants));
        collector.watch = config.watch.clone();
        let lengths: Vec<i64> = config.lengths.clone().map(|n| n as i64).collect();
        // There are few of them, and many elements.
        let mut scalars = self.values.to_vec();
        if is_scaled && scalars.iter().all(|&v| v >= 0) {
            scalars.push(-1);
        }
        let domain = Domain {
            lengths: &lengths,
            values: self.values,
            scalars: &scalars,
            counts: crate::collect::counting_inputs(program, self.roles),
        };
        collector.enumerate(&domain, max_runs, self.budget)
    }
}

/// Points that a proof needs beside those of the function: what is said of the functions that it
/// calls, and what holds before calls.
fn points_for_proof(
    program: &Program,
    roles: &Roles,
    function: FuncId,
    heads: &[Head],
    config: &Config,
) -> Vec<Point> {
    let mut found = Vec::new();
    if !config.for_proof {
        return found;
    }
    let mut all = vec![function];
    all.extend(proof::needed(program, function));
    for (i, &id) in all.iter().enumerate() {
        if all[..i].contains(&id) || program.function(id).origin != FunctionOrigin::User {
            continue;
        }
        let parameters = signature::signature(program, roles, id).ok();
        let parameters = parameters.as_deref();
        if id != function {
            found.extend(points::points(program, roles, id, parameters, Wanted::ALL));
        }
        let own = heads.iter().filter(|h| h.0 == id);
        let blocks: Vec<BlockId> = own.map(|h| h.1).collect();
        found.extend(points::at_blocks(program, roles, id, parameters, &blocks));
    }
    found
}

/// Runs all inputs again and gives the first snapshot of which a formula does not hold, with the
/// position of its point. There is none, unless idiolect has a bug.
pub fn recheck(
    program: &Program,
    outcome: &Outcome,
    config: &Config,
    budget: &Budget,
) -> Result<Option<(usize, Snapshot)>, InvariantsError> {
    let roles = Roles::new(program);
    let parameters = signature::inputs(program, &roles, outcome.function)?;
    let assumptions = Assumption::all(&config.assumptions, &parameters)?;
    let space = InputSpace::new(&parameters, config.lengths.clone(), outcome.values.clone());
    let points: Vec<Point> = outcome.points.iter().map(|p| p.point.clone()).collect();
    let formulas: Vec<Option<&Formula>> = (outcome.points.iter())
        .map(|p| p.learned.as_ref().ok().map(|l| &l.formula))
        .collect();
    let mut instrumented = Instrumented::new(program, &points);
    let first = builder::start_with(&mut instrumented.program, outcome.function, &parameters);
    let collector = Collector::new(&points, &instrumented, &[], 0);
    Ok(collector.violation(&space, first, &assumptions, &formulas, budget)?)
}

/// The configured values, and constants that data is compared with or set to, with something on
/// both sides of each: a range that ends at a constant would teach that nothing lies beyond it.
fn values(config: &Config, constants: &[i64]) -> Vec<i64> {
    let mut values: Vec<i64> = config.values.clone().collect();
    values.extend(constants);
    for &c in constants {
        if values.iter().all(|&v| v >= c) {
            values.extend(c.checked_sub(1));
        }
        if values.iter().all(|&v| v <= c) {
            values.extend(c.checked_add(1));
        }
    }
    values.sort_unstable();
    values.dedup();
    values
}

fn learn_point(point: Point, samples: &Samples, config: &Config, budget: &Budget) -> PointOutcome {
    // Arrays of known length are seen with all of their elements.
    let known = point.structures.iter().map(|s| match s {
        Structure::Array(ArrayGroup {
            size: ArraySize::Constant(n),
            ..
        }) if *n <= MAX_KNOWN => *n,
        _ => 0,
    });
    let n_cells = known.fold(*config.lengths.end(), u64::max);
    let n_cells = usize::try_from(n_cells).unwrap_or(usize::MAX);
    let mut learned = learn_within(&point, samples, n_cells, config.learner, budget);
    if let Ok(learned) = &mut learned {
        for (case, samples) in &samples.cases {
            // A case that never occurs, or that cannot be learned, says nothing.
            if let Ok(of_case) = learn(&point, samples, n_cells, config.learner) {
                flags::add(&mut learned.formula, *case, of_case.formula);
            }
        }
        let more = samples.affine.as_ref().map(Affine::conjuncts);
        learned.formula.conjuncts.extend(more.unwrap_or_default());
    }
    PointOutcome {
        n_snapshots: samples.n_snapshots,
        n_skeletons: samples.n_skeletons(),
        examples: samples.examples.iter().map(|(_, s)| s.clone()).collect(),
        example_runs: samples.examples.iter().map(|(run, _)| *run).collect(),
        helpers: samples
            .ranges
            .as_ref()
            .map_or_else(Vec::new, |r| r.conjuncts()),
        learned,
        point,
    }
}

/// Learns from samples, which have all words of at most `n_cells` cells that occur.
pub fn learn(
    point: &Point,
    samples: &Samples,
    n_cells: usize,
    learner: LearnerKind,
) -> Result<Learned, NotLearned> {
    learn_within(point, samples, n_cells, learner, &Budget::unlimited())
}

/// The same; when time is up, with as many quantified variables as were learned by then.
fn learn_within(
    point: &Point,
    samples: &Samples,
    n_cells: usize,
    learner: LearnerKind,
    budget: &Budget,
) -> Result<Learned, NotLearned> {
    if point.structures.is_empty() {
        return Err(NotLearned::NoStructures);
    }
    if samples.n_snapshots == 0 {
        return Err(NotLearned::NotReached);
    }
    if let Some((&reason, &n)) = samples.not_words.iter().next() {
        return Err(NotLearned::NotWords {
            reason,
            n,
            n_snapshots: samples.n_snapshots,
        });
    }
    let mut levels = Vec::new();
    for vocabulary in samples.vocabularies() {
        if let Err(reason) = budget.look() {
            if levels.is_empty() {
                return Err(NotLearned::Stopped(reason));
            } else {
                break;
            }
        }
        let mut teacher = Teacher::new(samples, vocabulary.n_quantified, n_cells);
        let n_words = teacher.n_words;
        let (qda, queries) = Qda::learn(&mut teacher, learner)?;
        let elastified = !qda.is_elastic();
        let elastic = if elastified {
            qda.elastic().minimize()
        } else {
            qda.clone()
        };
        levels.push(LearnedLevel {
            qda,
            elastic,
            elastified,
            queries,
            n_words,
            vocabulary: vocabulary.clone(),
        });
    }
    let views: Vec<Level<'_>> = levels
        .iter()
        .map(|l| Level {
            vocabulary: &l.vocabulary,
            qda: &l.elastic,
        })
        .collect();
    let formula = logic::translate(point, &views, n_cells)?;
    Ok(Learned { formula, levels })
}
