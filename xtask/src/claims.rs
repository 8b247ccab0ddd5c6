//! Which answer about a program is true: `corpus/claims` as the system compiler builds it.
//!
//! ```toml
//! [[native]]
//! args = ["a"]                        # of `main`
//! env = { HOME = "x" }                # nothing else is in the environment
//! driver = "void unknown(int *p) { *p = 77; }"   # one more file
//! sanitize = true                     # indices of arrays are checked
//! outside = true                      # the run breaks what an assumption in the answer says
//! fails = true
//! ```

use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

type Fallible<T> = Result<T, Box<dyn std::error::Error>>;

/// The status by which a failed assertion is told from everything else.
const FAILED: i32 = 107;

/// What the programs expect from outside.
const CONVENTIONS: &str = "#include <stdlib.h>\n\
    __attribute__((weak)) void reach_error(void) { _Exit(107); }\n";

/// One run of a program.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Native {
    #[serde(default)]
    args: Vec<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    driver: Option<String>,
    #[serde(default)]
    sanitize: bool,
    #[serde(default)]
    pub outside: bool,
    pub fails: bool,
}

/// What is expected of idiolect beside it.
#[derive(Clone, Debug, Deserialize)]
pub struct Expected {
    pub run: String,
    #[serde(default)]
    pub exit: i32,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Claim {
    #[serde(default)]
    pub native: Vec<Native>,
    #[serde(default)]
    pub check: Vec<Expected>,
}

pub fn read(path: &Path) -> Fallible<Claim> {
    let text = std::fs::read_to_string(path)?;
    toml::from_str(&text).map_err(|error| format!("{}: {error}", path.display()).into())
}

impl Native {
    /// Builds the program in a folder of its own and runs it; whether it fails.
    pub fn run(&self, program: &Path) -> Fallible<bool> {
        let folder = tempfile::tempdir()?;
        let (driver, binary) = (
            folder.path().join("driver.c"),
            folder.path().join("program"),
        );
        let own = self.driver.as_deref().unwrap_or("");
        std::fs::write(&driver, format!("{CONVENTIONS}{own}"))?;
        let mut build = Command::new("cc");
        build.args(["-w", "-O0", "-o"]).arg(&binary);
        if self.sanitize {
            build.args(["-fsanitize=bounds", "-fsanitize-undefined-trap-on-error"]);
        }
        let output = build.arg(program).arg(&driver).arg("-lm").output()?;
        if !output.status.success() {
            let text = String::from_utf8_lossy(&output.stderr).into_owned();
            return Err(format!("{}: {text}", program.display()).into());
        }
        let status = Command::new(&binary)
            .args(&self.args)
            .env_clear()
            .envs(&self.env)
            .current_dir(folder.path())
            .status()?;
        // A trap of the sanitizer is a signal.
        Ok(status.code() == Some(FAILED) || self.sanitize && status.code().is_none())
    }
}
