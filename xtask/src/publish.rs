//! The crates that others may depend on: would the registry take them, and do they keep their promises?

use std::process::Command;

/// In the order in which they depend on each other.
pub const CRATES: [&str; 3] = ["idiolect-base", "idiolect-automata", "idiolect-learn"];

/// What `idiolect-automata` and `idiolect-learn` are built with on their own.
const FEATURES: [(&str, &[&str]); 2] = [
    ("idiolect-automata", &["", "dot", "serde"]),
    ("idiolect-learn", &["", "dot", "parallel", "serde"]),
];

/// One command, and what it is good for.
pub struct Step {
    pub name: String,
    pub command: Command,
}

/// Every feature alone and none, a dry run of publishing, and, with a git revision to compare with, the
/// promise of semantic versioning (by `cargo-semver-checks`, if it is installed).
pub fn steps(quick: bool, baseline: Option<&str>) -> Vec<Step> {
    let mut steps = Vec::new();
    for (package, features) in FEATURES {
        for feature in features {
            let mut command = cargo();
            command.args(["check", "--quiet", "-p", package, "--no-default-features"]);
            command.args(["--features", feature]);
            let with = if feature.is_empty() {
                "no feature"
            } else {
                feature
            };
            steps.push(Step {
                name: format!("{package} with {with}"),
                command,
            });
        }
    }
    let mut command = cargo();
    command.args(["publish", "--dry-run", "--allow-dirty"]);
    if quick {
        command.arg("--no-verify");
    }
    for package in CRATES {
        command.args(["-p", package]);
    }
    steps.push(Step {
        name: "a dry run of publishing".to_owned(),
        command,
    });
    if let Some(revision) = baseline {
        let mut command = cargo();
        command.args(["semver-checks", "--baseline-rev", revision]);
        for package in CRATES {
            command.args(["-p", package]);
        }
        steps.push(Step {
            name: format!("semantic versioning since {revision}"),
            command,
        });
    }
    steps
}

/// Whether `cargo semver-checks` can be called.
pub fn has_semver_checks() -> bool {
    let output = cargo().args(["semver-checks", "--version"]).output();
    output.is_ok_and(|output| output.status.success())
}

fn cargo() -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(crate::root());
    command
}
