//! Following every path to its end, where there are few: then nothing is left to doubt.
//!
//! Each path is run; the symbolic engine says whether other inputs on the same path come to an error
//! or a fault, and each of its decisions is turned round. When nothing is left, no run has an error.

use crate::effort;
use crate::flips::{Effort, Flip, Flips};
use crate::monitor::Monitor;
use crate::runs::{Runner, Sample, is_error};
use idiolect_base::{Budget, StopReason};
use idiolect_interp::{Compiled, End, FixedInputs, ZeroInputs};
use idiolect_ir::Property;
use idiolect_symex::EndKind;

/// Longer paths are not followed: there are too many like them.
const MAX_DECISIONS: usize = 400;
const MAX_STEPS: u64 = 200_000;
/// Questions for each path that may be followed.
const QUESTIONS_PER_PATH: u64 = 4;

/// Work to judge one path: statements, terms and conflicts.
const PATH_EFFORT: u64 = 500_000;

pub enum Explored {
    /// All of them, and none has an error.
    All { paths: u64 },
    /// This run has one.
    Error(Box<Sample>),
    /// There are more, or some that we cannot judge.
    More,
}

/// What is looked for, and how far.
pub struct Limits<'a> {
    pub properties: &'a [Property],
    pub monitors: &'a [Monitor],
    pub max_paths: u64,
}

pub fn explore(
    compiled: &Compiled,
    flips: &Flips<'_>,
    limits: &Limits<'_>,
    budget: &Budget,
) -> Result<Explored, StopReason> {
    let mut runner = Runner::new(compiled, MAX_DECISIONS, limits.monitors);
    // Beginnings to follow, with inputs that take them.
    let mut todo: Vec<(Vec<bool>, Vec<u128>)> = vec![(Vec::new(), Vec::new())];
    let mut paths = 0;
    let mut questions = 0;
    while let Some((beginning, inputs)) = todo.pop() {
        if paths >= limits.max_paths {
            return Ok(Explored::More);
        }
        paths += 1;
        let mut source = FixedInputs::new(inputs, ZeroInputs);
        let run = runner.run(&mut source, MAX_STEPS, budget)?;
        if is_error(&run, limits.properties) {
            return Ok(Explored::Error(Box::new(run)));
        }
        let is_plain = matches!(run.end, End::Exit(_) | End::Abort | End::AssumeEnded);
        let word = run.word();
        // An assumption may let other runs on to a label, which only a run can show.
        let is_hidden = run.end == End::AssumeEnded && !limits.monitors.is_empty();
        if run.is_cut || !is_plain || is_hidden || !word.starts_with(&beginning) {
            return Ok(Explored::More);
        }
        let is_bad = |kind: &EndKind| {
            !matches!(
                kind,
                EndKind::Exit(_) | EndKind::Abort | EndKind::AssumeEnded
            )
        };
        match flips.run_to(&word, is_bad, &effort::part(budget, PATH_EFFORT)) {
            Ok(None) => {}
            Ok(Some(inputs)) => {
                let mut source = FixedInputs::new(inputs, ZeroInputs);
                let run = runner.run(&mut source, MAX_STEPS, budget)?;
                return Ok(if is_error(&run, limits.properties) {
                    Explored::Error(Box::new(run))
                } else {
                    Explored::More
                });
            }
            Err(StopReason::Steps | StopReason::Memory) => return Ok(Explored::More),
            Err(reason) => return Err(reason),
        }
        // Runs with the same decisions may have more of them where this one ended.
        let mut others: Vec<Vec<bool>> = (beginning.len()..word.len())
            .map(|i| {
                let mut other = word[..=i].to_vec();
                other[i] = !other[i];
                other
            })
            .collect();
        for outcome in [false, true] {
            let mut longer = word.clone();
            longer.push(outcome);
            others.push(longer);
        }
        for other in others {
            questions += 1;
            if questions > limits.max_paths * QUESTIONS_PER_PATH {
                return Ok(Explored::More);
            }
            match flips.ask(&other, Effort::Question, budget)?.flip {
                Flip::Infeasible(_) => {}
                Flip::Inputs(inputs) => todo.push((other, inputs.to_vec())),
                Flip::Unknown => return Ok(Explored::More),
            }
        }
    }
    Ok(Explored::All { paths })
}
