//! Patches as files, and a repair in place.

use crate::c_input::Units;
use crate::failure::CommandFailure;
use idiolect_repair::Repair;
use std::io::Write as _;
use std::path::Path;

/// Writes each repair as `N.patch`.
pub fn write_patches(folder: &Path, repairs: &[Repair]) -> Result<(), CommandFailure> {
    let cannot = |path: &Path, source| CommandFailure::CannotWrite {
        path: path.to_path_buf(),
        source,
    };
    std::fs::create_dir_all(folder).map_err(|e| cannot(folder, e))?;
    for (i, repair) in repairs.iter().enumerate() {
        let path = folder.join(format!("{}.patch", i + 1));
        std::fs::write(&path, &repair.patch).map_err(|e| cannot(&path, e))?;
    }
    Ok(())
}

/// Changes the file, if it is still the one that was looked at: a new file is put in its place at once.
pub fn apply(number: usize, repairs: &[Repair], units: &Units) -> Result<String, CommandFailure> {
    let Some(repair) = number.checked_sub(1).and_then(|i| repairs.get(i)) else {
        return Err(CommandFailure::usage(
            format!("there is no repair {number}, so no file was changed"),
            match repairs.len() {
                0 => "no repair was found".to_owned(),
                n => format!("give `--apply` a number from 1 to {n}"),
            },
        ));
    };
    let path = Path::new(&repair.file);
    let cannot_read = |source| CommandFailure::CannotRead {
        path: path.to_path_buf(),
        source,
    };
    let now = std::fs::read(path).map_err(cannot_read)?;
    let looked_at = units
        .units()
        .get(repair.unit)
        .map(|u| u.original.as_bytes());
    if looked_at != Some(now.as_slice()) {
        return Err(CommandFailure::usage(
            format!(
                "`{}` has changed since it was read, so it is left alone",
                repair.file
            ),
            "run `idiolect repair` again",
        ));
    }
    let cannot_write = |source| CommandFailure::CannotWrite {
        path: path.to_path_buf(),
        source,
    };
    // Through links to the file itself, so that these stay.
    let real = path.canonicalize().map_err(cannot_read)?;
    let folder = real.parent().unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(folder).map_err(cannot_write)?;
    file.write_all(repair.text.as_bytes())
        .map_err(cannot_write)?;
    let permissions = std::fs::metadata(&real).map_err(cannot_read)?.permissions();
    file.as_file()
        .set_permissions(permissions)
        .map_err(cannot_write)?;
    file.as_file().sync_all().map_err(cannot_write)?;
    file.persist(&real).map_err(|e| cannot_write(e.error))?;
    Ok(repair.file.clone())
}
