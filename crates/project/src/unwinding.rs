//! `--unwind-loop`: loops and recursions with a bound of their own.

use crate::failure::CommandFailure;
use clap::Args;
use idiolect_base::nearest;
use idiolect_ir::Program;
use idiolect_ir::callgraph::CallGraph;
use idiolect_ir::loop_places::{LoopPlace, loop_places};
use idiolect_symex::UnwindSite;
use std::collections::BTreeMap;

#[derive(Args, Clone, Debug, Default)]
pub struct UnwindArgs {
    /// This loop, or this recursive function, has a bound of its own: `FILE:LINE=N`, `LINE=N` or
    /// `FUNCTION=N`; may be given several times
    #[arg(long, value_name = "WHERE=N")]
    unwind_loop: Vec<String>,
}

/// More rounds than this cannot be encoded.
const MOST: usize = 10_000;

impl UnwindArgs {
    /// For a sentence about runs "of at most N unwindings of each loop".
    pub fn remark(&self) -> String {
        if self.unwind_loop.is_empty() {
            String::new()
        } else {
            format!(" ({} where given)", self.unwind_loop.join(", "))
        }
    }

    /// What is bound, with its bound.
    pub fn own_bounds(
        &self,
        program: &Program,
    ) -> Result<BTreeMap<UnwindSite, usize>, CommandFailure> {
        let mut bounds = BTreeMap::new();
        if self.unwind_loop.is_empty() {
            return Ok(bounds);
        }
        let loops = loop_places(program);
        for spec in &self.unwind_loop {
            let parsed = spec.rsplit_once('=').and_then(|(place, n)| {
                let n: usize = n.trim().parse().ok()?;
                Some((place.trim(), n))
            });
            let Some((place, n)) = parsed else {
                return Err(CommandFailure::usage(
                    format!("`--unwind-loop {spec}` is not of the form WHERE=N"),
                    "for example `--unwind-loop sort.c:12=5`",
                ));
            };
            if n > MOST {
                return Err(CommandFailure::usage(
                    format!("a bound of more than {MOST} rounds cannot be encoded"),
                    "give a smaller number in `--unwind-loop`",
                ));
            }
            let is_line = place
                .rsplit(':')
                .next()
                .is_some_and(|l| l.parse::<u32>().is_ok());
            let sites = if is_line {
                loops_at(&loops, place)?
            } else {
                vec![recursion(program, place)?]
            };
            bounds.extend(sites.into_iter().map(|site| (site, n)));
        }
        Ok(bounds)
    }
}

/// Refuses a line at which no loop is, with those that there are.
pub fn require_loop(program: &Program, line: u32) -> Result<(), CommandFailure> {
    loops_at(&loop_places(program), &line.to_string()).map(drop)
}

/// `dir/file.c:12` is meant by `file.c:12` and by `12`.
fn loops_at(loops: &[LoopPlace], place: &str) -> Result<Vec<UnwindSite>, CommandFailure> {
    let (file, line) = place.rsplit_once(':').unwrap_or(("", place));
    let line: u32 = line.parse().unwrap_or(0);
    let is_file = |own: &str| match own.strip_suffix(file) {
        Some(rest) => file.is_empty() || rest.is_empty() || rest.ends_with('/'),
        None => false,
    };
    let here: Vec<&LoopPlace> = (loops.iter())
        .filter(|l| is_file(&l.start.file) && l.lines.contains(&line))
        .collect();
    if here.is_empty() {
        let mut known: Vec<(&str, u32)> = (loops.iter())
            .map(|l| (l.start.file.as_str(), l.start.line))
            .collect();
        // The nearest ones help most, and a program may have hundreds.
        known.sort_by_key(|&(file, at)| (!is_file(file), at.abs_diff(line)));
        known.dedup();
        known.truncate(8);
        known.sort_unstable();
        let known: Vec<String> = known.iter().map(|(f, l)| format!("{f}:{l}")).collect();
        return Err(CommandFailure::usage(
            format!("there is no loop at `{place}`"),
            if known.is_empty() {
                "the program has no loops".to_owned()
            } else {
                format!("there are loops at {}", known.join(", "))
            },
        ));
    }
    let sites = here.iter().flat_map(|l| {
        let function = l.function;
        (l.heads.iter()).map(move |&head| UnwindSite::Loop { function, head })
    });
    Ok(sites.collect())
}

fn recursion(program: &Program, name: &str) -> Result<UnwindSite, CommandFailure> {
    let calls = CallGraph::new(program);
    let recursive: Vec<_> = (program.function_ids())
        .filter(|&f| calls.is_recursive(f))
        .collect();
    let named = recursive
        .iter()
        .find(|&&f| program.function(f).name == name);
    if let Some(&function) = named {
        return Ok(UnwindSite::Recursion(function));
    }
    let names = || recursive.iter().map(|&f| program.function(f).name.as_str());
    Err(CommandFailure::usage(
        format!("`{name}` is neither the line of a loop nor a recursive function"),
        match nearest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None if recursive.is_empty() => {
                "the program has no recursive functions; a loop is named by `FILE:LINE`".to_owned()
            }
            None => format!(
                "recursive functions are {}",
                names().take(8).collect::<Vec<_>>().join(", ")
            ),
        },
    ))
}
