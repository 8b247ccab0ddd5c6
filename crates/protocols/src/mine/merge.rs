//! `mine --add-counts … --counts-only`: files of counts become one, whatever their size.

use super::{MineArgs, bad_counts};
use crate::failure::CommandFailure;
use crate::sink;
use crate::traces;
use idiolect_mine::{ApiVocabulary, CountedScenarios, MergeError, Scratch, merge_counts};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};

/// So many files are open at a time; of more, some are merged first.
const MOST_OPEN: usize = 128;

type Source = Box<dyn BufRead>;

/// Writes the sum of these counts and those of the files that were named.
pub fn run(
    args: &MineArgs,
    vocabulary: &ApiVocabulary,
    mut counts: CountedScenarios,
    out: &Path,
) -> Result<(), CommandFailure> {
    let mut own = Vec::new();
    if !args.traces.is_empty() || args.traces_from.is_some() {
        // Memory takes what it is given.
        let _ = counts.write_to(&mut own, vocabulary, args.size);
    }
    drop(counts);
    let mut level: Vec<(PathBuf, Option<File>)> =
        (args.add_counts.iter().map(|path| (path.clone(), None))).collect();
    while level.len() > MOST_OPEN {
        let mut next = Vec::new();
        while !level.is_empty() {
            let group: Vec<_> = level.drain(..MOST_OPEN.min(level.len())).collect();
            let name = group[0].0.clone();
            let mut file = aside(out)?;
            merge(args, vocabulary, group, &[], &mut file, out)?;
            let rewound = io::Seek::rewind(&mut file);
            rewound.map_err(|source| cannot_keep(out, source))?;
            next.push((name, Some(file)));
        }
        level = next;
    }
    let mut file = sink::open(out)?;
    merge(args, vocabulary, level, &own, &mut file, out)?;
    file.finish(out)
}

/// A file that has no name and is gone with the process, where the output will be.
fn aside(out: &Path) -> Result<File, CommandFailure> {
    let folder = out.parent().filter(|f| !f.as_os_str().is_empty());
    let made = match folder {
        Some(folder) if sink::is_file(out) => tempfile::tempfile_in(folder),
        _ => tempfile::tempfile(),
    };
    made.map_err(|source| cannot_keep(out, source))
}

fn cannot_keep(out: &Path, source: io::Error) -> CommandFailure {
    CommandFailure::CannotWrite {
        path: out.to_owned(),
        source,
    }
}

fn merge(
    args: &MineArgs,
    vocabulary: &ApiVocabulary,
    files: Vec<(PathBuf, Option<File>)>,
    own: &[u8],
    to: &mut impl Write,
    out: &Path,
) -> Result<(), CommandFailure> {
    let mut names: Vec<PathBuf> = Vec::with_capacity(files.len());
    let mut sources: Vec<Source> = Vec::with_capacity(files.len() + 1);
    for (path, kept) in files {
        sources.push(match kept {
            Some(file) => Box::new(BufReader::new(file)),
            None => traces::opened(&path)?,
        });
        names.push(path);
    }
    if !own.is_empty() {
        sources.push(Box::new(io::Cursor::new(own.to_vec())));
    }
    let scratch = || {
        let file = tempfile::tempfile()?;
        Ok(Box::new(file) as Box<dyn Scratch>)
    };
    let merged = merge_counts(sources, vocabulary, args.size, to, scratch);
    merged.map_err(|error| match error {
        MergeError::File { file, error } => {
            let path = names
                .get(file)
                .map_or(Path::new("<traces>"), PathBuf::as_path);
            bad_counts(path, &error)
        }
        MergeError::Write(source) | MergeError::Scratch(source) => cannot_keep(out, source),
    })
}
