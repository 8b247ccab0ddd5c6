//! How many rounds of which loops a promise is about, in words and in JSON.

use idiolect_explain::Session;
use idiolect_ir::loop_places::loop_places;
use idiolect_ir::{Location, Program};
use idiolect_outcome::results::{LoopRow, SourceLine};
use idiolect_symex::UnwindSite;
use indicatif::HumanCount;

/// So many loops are named in a sentence.
const MOST_NAMED: usize = 3;

/// A number of rounds in words.
pub fn counted_rounds(n: usize) -> String {
    match n {
        1 => "1 round".to_owned(),
        n => format!("{} rounds", HumanCount(n as u64)),
    }
}

/// `4 rounds of each loop (1,000 of fill.c:7)`: what is looked at when the bound is `unwind`.
pub fn of_each_loop(session: &Session<'_>, unwind: usize) -> String {
    of_each_loop_in([session], unwind)
}

/// The same for several programs.
pub fn of_each_loop_in<'s, 'b: 's>(
    sessions: impl IntoIterator<Item = &'s Session<'b>>,
    unwind: usize,
) -> String {
    let mut text = format!("{} of each loop", counted_rounds(unwind));
    let mut named: Vec<(usize, String)> = Vec::new();
    for session in sessions {
        let own = session.loops_beyond(unwind).into_iter();
        named.extend(own.map(|own| (own.rounds, name(session.program(), own.site))));
    }
    named.dedup();
    let n_more = named.len().saturating_sub(MOST_NAMED);
    if n_more > 0 {
        // The longest ones say most.
        named.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        named.truncate(MOST_NAMED);
    }
    if !named.is_empty() {
        let mut list: Vec<String> = (named.iter())
            .map(|(rounds, name)| format!("{} of {name}", HumanCount(*rounds as u64)))
            .collect();
        if n_more > 0 {
            list.push(format!("and as many as they need of {n_more} more"));
        }
        text.push_str(&format!(" ({})", list.join(", ")));
    }
    text
}

/// Where the loop is, or which function calls itself.
fn name(program: &Program, site: UnwindSite) -> String {
    match place(program, site) {
        Some((file, line)) => format!("{file}:{line}"),
        None => {
            let (UnwindSite::Loop { function, .. } | UnwindSite::Recursion(function)) = site;
            format!("`{}`", program.function(function).name)
        }
    }
}

fn place(program: &Program, site: UnwindSite) -> Option<(String, u32)> {
    let UnwindSite::Loop { function, head } = site else {
        return None;
    };
    let loops = loop_places(program);
    let own = (loops.iter()).find(|l| l.function == function && l.heads.contains(&head));
    if let Some(own) = own {
        return Some((own.start.file.clone(), own.start.line));
    }
    let at = Location::start_of(function, head).place(program)?;
    Some((at.file, at.line))
}

/// The loops whose bound is another one.
pub fn rows(session: &Session<'_>, unwind: usize) -> Vec<LoopRow> {
    let program = session.program();
    (session.loops_beyond(unwind).into_iter())
        .map(|own| {
            let (UnwindSite::Loop { function, .. } | UnwindSite::Recursion(function)) = own.site;
            let (file, line) = place(program, own.site).unzip();
            LoopRow {
                function: program.function(function).name.clone(),
                at: SourceLine { file, line },
                rounds: own.rounds,
            }
        })
        .collect()
}

/// A fixed bound may be less than what every run needs, and then there is nothing to see.
pub fn cut_warning(session: &Session<'_>) -> Option<String> {
    let mut cut: Vec<String> = (session.loops_cut().into_iter())
        .map(|site| name(session.program(), site))
        .collect();
    cut.dedup();
    let first = cut.first()?;
    let more = match cut.len() {
        1 => String::new(),
        n => format!(" (and {} more)", n - 1),
    };
    Some(format!(
        "every run that comes to the loop at {first}{more} goes round more often than the bound allows \
         ({}), so nothing after it was looked at; without `--unwind`, such loops have the rounds they need",
        counted_rounds(session.options().max_unwind)
    ))
}
