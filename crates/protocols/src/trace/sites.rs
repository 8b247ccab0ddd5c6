//! Where calls were made: file and line, if the module has debug information, else the module and an
//! offset in it.

use addr2line::Loader;
use idiolect_mine::Sites;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Modules are opened when the first call from them is looked up.
#[derive(Default)]
pub struct DebugSites {
    modules: BTreeMap<String, Option<Loader>>,
    /// Places in it are written without it.
    folder: Option<PathBuf>,
}

impl DebugSites {
    /// Places are written relative to the folder that we are in.
    pub fn new() -> Self {
        Self {
            modules: BTreeMap::new(),
            folder: std::env::current_dir().ok(),
        }
    }
}

impl Sites for DebugSites {
    fn place(&mut self, module: &str, offset: u64) -> Option<String> {
        if module.is_empty() {
            return None;
        }
        let loader = self.modules.entry(module.to_owned());
        let loader = loader.or_insert_with(|| Loader::new(module).ok());
        // The call stands before the address it returns to.
        let call = offset.checked_sub(1)?;
        let found = loader
            .as_ref()
            .and_then(|loader| loader.find_location(call).ok().flatten());
        if let Some(found) = found
            && let (Some(file), Some(line)) = (found.file, found.line)
        {
            let folder = self.folder.as_deref();
            let short = folder.and_then(|folder| Path::new(file).strip_prefix(folder).ok());
            let file = short.map_or(file.into(), |short| short.to_string_lossy());
            return Some(format!("{file}:{line}"));
        }
        let name = Path::new(module).file_name()?.to_string_lossy();
        Some(format!("{name}+{call:#x}"))
    }
}
