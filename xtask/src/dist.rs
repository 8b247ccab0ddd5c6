//! `cargo xtask dist`: what is shipped. A stripped binary with the C++ library inside, packed with manual
//! pages and completions; a Debian package; a Python wheel; an image. `--check` tries each in a fresh folder,
//! without Rust on the path, and the Debian package also by `apt` in a fresh Debian.

use crate::{fresh, process, root, setup};
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(crate) type Done<T> = Result<T, Box<dyn Error>>;

/// A larger binary is a mistake.
const MOST_BYTES: u64 = 20_000_000;

/// What is made beside the archive.
#[derive(Clone, Copy, Default, Debug)]
pub struct Wanted {
    pub deb: bool,
    pub wheel: bool,
    pub docker: bool,
    pub check: bool,
}

/// Makes the packages; their paths.
#[allow(clippy::print_stdout)]
pub fn run(wanted: Wanted) -> Done<Vec<PathBuf>> {
    let binary = build()?;
    let size = std::fs::metadata(&binary)?.len();
    println!("{}: {:.1} MB", binary.display(), size as f64 / 1e6);
    if size > MOST_BYTES {
        return Err(format!("the binary has {size} bytes, more than {MOST_BYTES}").into());
    }
    let packages = root().join("target/package");
    std::fs::create_dir_all(&packages)?;
    let stage = stage(&binary, &packages)?;
    let mut made = vec![archive(&stage, &packages)?];
    if wanted.deb {
        made.push(deb(&packages)?);
    }
    if wanted.wheel {
        made.push(wheel(&packages)?);
    }
    for package in &made {
        let size = std::fs::metadata(package)?.len();
        println!("{}: {:.1} MB", package.display(), size as f64 / 1e6);
        if wanted.check {
            try_package(package)?;
        }
        if wanted.check && package.extension().is_some_and(|e| e == "deb") {
            println!("{}", fresh::apt_install(package)?);
        }
    }
    if wanted.docker {
        println!("{}", fresh::image()?);
    }
    Ok(made)
}

fn cargo() -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .current_dir(root())
        // The C++ library is linked in: the binary then needs libc and nothing else.
        .env("CXXSTDLIB_STATIC", "1");
    command
}

pub(crate) fn succeed(command: &mut Command) -> Done<()> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{command:?}: {status}").into()),
        Err(error) => Err(format!("{command:?}: {error}").into()),
    }
}

pub(crate) fn output(command: &mut Command) -> Done<String> {
    let output = command.output()?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    } else {
        let said = String::from_utf8_lossy(&output.stderr);
        Err(format!("{command:?}: {}\n{said}", output.status).into())
    }
}

fn build() -> Done<PathBuf> {
    succeed(cargo().args([
        "build",
        "--quiet",
        "--profile",
        "dist",
        "--package",
        "idiolect",
    ]))?;
    Ok(root().join("target/dist/idiolect"))
}

/// The folder as it is installed below a prefix.
fn stage(binary: &Path, packages: &Path) -> Done<PathBuf> {
    let version = output(Command::new(binary).arg("--version"))?;
    let version = version.split_whitespace().last().unwrap_or("0").to_owned();
    let name = format!("idiolect-{version}-{}-linux", std::env::consts::ARCH);
    let stage = packages.join(name);
    if stage.exists() {
        std::fs::remove_dir_all(&stage)?;
    }
    let folder = |path: &str| -> Done<PathBuf> {
        let folder = stage.join(path);
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    };
    std::fs::copy(binary, folder("bin")?.join("idiolect"))?;
    let pages = folder("share/man/man1")?;
    succeed(Command::new(binary).args(["man", "--dir"]).arg(&pages))?;
    for (shell, place, file) in [
        ("bash", "share/bash-completion/completions", "idiolect"),
        ("zsh", "share/zsh/site-functions", "_idiolect"),
        ("fish", "share/fish/vendor_completions.d", "idiolect.fish"),
    ] {
        let script = output(Command::new(binary).args(["completions", shell]))?;
        std::fs::write(folder(place)?.join(file), script)?;
    }
    let documents = folder("share/doc/idiolect")?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        std::fs::copy(root().join(file), documents.join(file))?;
    }
    // The Debian package is made of this folder under a name that has no version.
    let link = packages.join("stage");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink(&stage, &link)?;
    Ok(stage)
}

/// The same files give the same bytes.
fn archive(stage: &Path, packages: &Path) -> Done<PathBuf> {
    let name = stage
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let file = packages.join(format!("{name}.tar.gz"));
    succeed(
        Command::new("tar")
            .args([
                "--sort=name",
                "--mtime=@0",
                "--owner=0",
                "--group=0",
                "--numeric-owner",
            ])
            .arg("-C")
            .arg(packages)
            .args(["--use-compress-program", "gzip -n", "-cf"])
            .arg(&file)
            .arg(&name),
    )?;
    Ok(file)
}

/// By `cargo-deb`, from what `crates/cli/Cargo.toml` says.
fn deb(packages: &Path) -> Done<PathBuf> {
    if !process::is_installed("cargo-deb") {
        return Err("`cargo-deb` is missing: cargo install --locked cargo-deb".into());
    }
    let printed = output(
        cargo()
            .args([
                "deb",
                "--package",
                "idiolect",
                "--profile",
                "dist",
                "--no-build",
            ])
            .args(["--no-strip", "--output"])
            .arg(packages),
    )?;
    let path = printed.lines().rev().find(|line| line.ends_with(".deb"));
    Ok(PathBuf::from(
        path.ok_or("cargo-deb has made no package")?.trim(),
    ))
}

/// By maturin, in an environment of its own.
fn wheel(packages: &Path) -> Done<PathBuf> {
    let python = setup::install_python(&["maturin"])?;
    let maturin = python.with_file_name("maturin");
    for old in wheels(packages)? {
        std::fs::remove_file(old)?;
    }
    succeed(
        Command::new(maturin)
            .current_dir(root().join("contrib/python"))
            .env("CXXSTDLIB_STATIC", "1")
            .args(["build", "--quiet", "--profile", "dist", "--out"])
            .arg(packages),
    )?;
    let made = wheels(packages)?.pop();
    Ok(made.ok_or("maturin has made no wheel")?)
}

fn wheels(packages: &Path) -> Done<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(packages)? {
        let path = entry?.path();
        if path.extension().is_some_and(|e| e == "whl") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Installs a package into a fresh folder and lets it do README's first command there.
#[allow(clippy::print_stdout)]
fn try_package(package: &Path) -> Done<()> {
    let fresh = tempfile::tempdir()?;
    let name = package.to_string_lossy().into_owned();
    let binary = if name.ends_with(".tar.gz") {
        let options = ["--strip-components=1", "-C"];
        succeed(
            Command::new("tar")
                .args(options)
                .arg(fresh.path())
                .arg("-xzf")
                .arg(package),
        )?;
        fresh.path().join("bin/idiolect")
    } else if name.ends_with(".deb") {
        succeed(
            Command::new("dpkg-deb")
                .arg("-x")
                .arg(package)
                .arg(fresh.path()),
        )?;
        let needs = output(
            Command::new("dpkg-deb")
                .arg("-f")
                .arg(package)
                .arg("Depends"),
        )?;
        if !needs.contains("libc6") || !needs.contains("gcc") {
            return Err(format!("{name}: depends on `{}`", needs.trim()).into());
        }
        fresh.path().join("usr/bin/idiolect")
    } else {
        succeed(
            Command::new("python3")
                .args(["-m", "venv"])
                .arg(fresh.path().join("venv")),
        )?;
        let pip = fresh.path().join("venv/bin/pip");
        let options = [
            "install",
            "--quiet",
            "--no-index",
            "--disable-pip-version-check",
        ];
        succeed(Command::new(pip).args(options).arg(package))?;
        fresh.path().join("venv/bin/idiolect")
    };
    if !name.ends_with(".whl") {
        let share = if name.ends_with(".deb") {
            fresh.path().join("usr/share")
        } else {
            fresh.path().join("share")
        };
        for file in ["man/man1/idiolect.1", "man/man1/idiolect-verify.1"] {
            let is_there = ["", ".gz"]
                .iter()
                .any(|end| share.join(format!("{file}{end}")).exists());
            if !is_there {
                return Err(format!("{name}: there is no {file}").into());
            }
        }
    }
    first_command(&binary, fresh.path())?;
    println!("{name}: fine in a fresh folder");
    Ok(())
}

/// README's first command with an installed binary: a finding, and a page. Rust is not on the path.
fn first_command(binary: &Path, folder: &Path) -> Done<()> {
    std::fs::copy(root().join("examples/sort.c"), folder.join("sort.c"))?;
    let mut command = Command::new(binary);
    command
        .current_dir(folder)
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .args([
            "explain",
            "sort.c",
            "--report",
            "report.html",
            "--exit-zero",
        ]);
    let said = output(&mut command)?;
    if !said.starts_with("error-language: ") {
        return Err(format!("{command:?} says\n{said}").into());
    }
    let page = std::fs::read_to_string(folder.join("report.html"))?;
    if page.contains("is_sorted") {
        Ok(())
    } else {
        Err("the report does not show the program".into())
    }
}
