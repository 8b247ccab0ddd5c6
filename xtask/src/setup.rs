//! Installs what the tests need beside Rust and a C compiler. On a machine that is not Debian, or
//! without the right to install, it says what is missing, and tests that need it say that they
//! are skipped.

use crate::process::is_installed;
use std::path::PathBuf;
use std::process::Command;

/// A program, and the Debian packages that bring it.
const TOOLS: &[(&str, &[&str])] = &[
    ("csmith", &["csmith", "libcsmith-dev"]),
    ("chromium", &["chromium", "fonts-dejavu-core"]),
    ("frama-c", &["frama-c-base"]),
    ("why3", &["why3"]),
    ("z3", &["z3"]),
    ("cvc4", &["cvc4"]),
    ("python3", &["python3", "python3-venv"]),
    ("ed", &["ed"]),
    ("sqlite3", &["sqlite3"]),
    ("java", &["openjdk-17-jre-headless"]),
    ("sbatch", &["slurm-wlm"]),
    ("npm", &["npm"]),
];

/// The engines that drivers are tested with. They are large, and only tests need them.
pub const CLUSTER: &[&str] = &["pyspark==4.3.0", "ray==2.60.0"];
/// What judges whether everybody can use a page.
pub const AXE: &str = "axe-core@4.14.0";
/// What else tests ask Python for.
pub const BENCHEXEC: &[&str] = &["benchexec"];

/// The Python environment for comparisons with other learners.
pub fn python_env() -> PathBuf {
    crate::root().join("target/python")
}

/// Installs missing tools. Returns the ones that are still missing.
#[allow(clippy::print_stderr)]
pub fn install_tools() -> Vec<&'static str> {
    let missing: Vec<_> = TOOLS
        .iter()
        .filter(|(tool, _)| !is_installed(tool))
        .collect();
    if missing.is_empty() {
        return Vec::new();
    }
    let packages: Vec<&str> = missing
        .iter()
        .flat_map(|(_, p)| p.iter().copied())
        .collect();
    eprintln!("installing {}", packages.join(" "));
    let apt = |args: &[&str]| {
        let status = Command::new("apt-get")
            .args(args)
            .env("DEBIAN_FRONTEND", "noninteractive")
            .status();
        status.is_ok_and(|s| s.success())
    };
    let mut install = vec!["install", "-y", "--no-install-recommends"];
    install.extend(&packages);
    let _ = apt(&["update", "-q"]) && apt(&install);
    missing
        .iter()
        .map(|(tool, _)| *tool)
        .filter(|tool| !is_installed(tool))
        .collect()
}

/// Python packages that tests need, one after the other: tests run at the same time.
#[allow(clippy::print_stderr)]
pub fn install_for_tests() -> bool {
    let mut all = true;
    for packages in [BENCHEXEC, CLUSTER] {
        if let Err(error) = install_python(packages) {
            eprintln!("missing: {}: {error}", packages.join(" "));
            all = false;
        }
    }
    if let Err(error) = install_axe() {
        eprintln!("missing: {AXE}: {error}");
        all = false;
    }
    all
}

/// One script, into `target/axe`.
#[allow(clippy::print_stderr)]
fn install_axe() -> std::io::Result<()> {
    let folder = crate::root().join("target/axe");
    if folder.join("node_modules/axe-core/axe.min.js").exists() {
        return Ok(());
    }
    std::fs::create_dir_all(&folder)?;
    eprintln!("installing {AXE} into {}", folder.display());
    let status = Command::new("npm")
        .args(["install", "--no-save", "--no-audit", "--no-fund"])
        .args(["--ignore-scripts", "--silent", "--prefix"])
        .arg(&folder)
        .arg(AXE)
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(std::io::Error::other("npm cannot install it"))
    }
}

/// Makes the Python environment with these packages, if it is not there yet.
#[allow(clippy::print_stderr)]
pub fn install_python(packages: &[&str]) -> std::io::Result<PathBuf> {
    let env = python_env();
    let python = env.join("bin/python");
    let stamp = env.join(format!("installed-{}", packages.join("-")));
    if stamp.exists() {
        return Ok(python);
    }
    eprintln!("installing {} into {}", packages.join(" "), env.display());
    let made = Command::new("python3")
        .args(["-m", "venv"])
        .arg(&env)
        .status()?;
    let installed = Command::new(&python)
        .args(["-m", "pip", "install", "--quiet"])
        .args(packages)
        .status()?;
    if made.success() && installed.success() {
        std::fs::write(&stamp, "").map(|()| python)
    } else {
        Err(std::io::Error::other("cannot install the Python packages"))
    }
}
