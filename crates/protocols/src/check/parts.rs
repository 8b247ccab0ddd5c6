//! `check --write-part` and `check --add-parts`: what was found in parts of traces, as files.

use super::CheckArgs;
use crate::exit::Exit;
use crate::failure::CommandFailure;
use crate::output;
use idiolect_base::Place;
use idiolect_mine::{
    CheckPart, MinedSpecification, fingerprint_of, join_parts, read_part, write_part,
};
use std::path::{Path, PathBuf};

/// What a part was checked by: only parts that were checked by the same can be put together.
pub fn fingerprint(args: &CheckArgs, spec: &MinedSpecification, is_lives: bool) -> String {
    let how = if is_lives {
        "all".to_owned()
    } else {
        format!("paper {:?} {}", args.max_size, args.max_scenarios)
    };
    fingerprint_of(&format!("{how}\n{}", spec.write()))
}

/// Writes what was found, to be put together elsewhere.
pub fn write(path: &Path, fingerprint: &str, found: &[CheckPart]) -> Result<Exit, CommandFailure> {
    if found.iter().any(|part| part.summary.stopped.is_some()) {
        output::print_error("warning: not read to the end, and so no part was written\n");
        return Ok(Exit::Undecided);
    }
    let text = write_part("check", fingerprint, found);
    output::write_whole(path, text.as_bytes())?;
    Ok(Exit::Clean)
}

/// The traces that these files are about, as wholes.
pub fn read(files: &[PathBuf], fingerprint: &str) -> Result<Vec<CheckPart>, CommandFailure> {
    let mut parts: Vec<CheckPart> = Vec::new();
    for path in files {
        let reader = crate::traces::opened(path)?;
        let read = read_part(reader, "check", Some(fingerprint));
        let (_, more) = read.map_err(|error| CommandFailure::BadFile {
            code: "check::bad-part",
            message: error.to_string(),
            place: Some(Place {
                file: path.display().to_string(),
                line: error.line(),
                column: 1,
            }),
            help: "give whole files that `idiolect check --write-part` wrote with the same specification"
                .to_owned(),
        })?;
        parts.extend(more);
    }
    join_parts(parts).map_err(|error| CommandFailure::BadFile {
        code: "check::bad-part",
        message: error.to_string(),
        place: None,
        help: "give each part of each trace once".to_owned(),
    })
}
