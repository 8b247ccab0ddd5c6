//! Fresh environments in which packages are tried: a Debian that was made a minute ago, and an image.

use crate::dist::{Done, output, succeed};
use crate::process::is_installed;
use crate::root;
use std::path::Path;
use std::process::{Command, Stdio};

/// README's first command, with what is installed there.
const FIRST: &str = "idiolect explain sort.c --report report.html --exit-zero";

/// The Debian that this machine has, or else the one that the Dockerfile has.
fn release() -> String {
    let text = std::fs::read_to_string("/etc/os-release").unwrap_or_default();
    let name = |line: &str| line.strip_prefix("VERSION_CODENAME=").map(str::to_owned);
    let is_debian = text.lines().any(|line| line == "ID=debian");
    let own = text.lines().find_map(name).filter(|_| is_debian);
    own.unwrap_or_else(|| "bookworm".to_owned())
}

/// `apt install ./idiolect.deb` in a Debian that has nothing but apt, then README's first command. Without
/// `mmdebstrap` it is not tried, which is said.
pub fn apt_install(package: &Path) -> Done<String> {
    let name = package.display();
    if !is_installed("mmdebstrap") {
        return Ok(format!(
            "{name}: NOT tried with apt: `mmdebstrap` is not installed"
        ));
    }
    let folder = tempfile::tempdir()?;
    let here = folder.path().display();
    std::fs::copy(package, folder.path().join("idiolect.deb"))?;
    std::fs::copy(root().join("examples/sort.c"), folder.path().join("sort.c"))?;
    let hooks = [
        format!("copy-in {here}/idiolect.deb {here}/sort.c /root"),
        "chroot \"$1\" apt-get install --quiet --yes /root/idiolect.deb".to_owned(),
        format!("chroot \"$1\" sh -c 'cd /root && ! command -v cargo && {FIRST}' > {here}/printed"),
        format!("copy-out /root/report.html {here}"),
        "chroot \"$1\" apt-get remove --quiet --yes idiolect".to_owned(),
        "test ! -e \"$1/usr/bin/idiolect\"".to_owned(),
    ];
    let mut command = Command::new("mmdebstrap");
    command
        .args(["--quiet", "--variant=apt"])
        .env("DEBIAN_FRONTEND", "noninteractive");
    for hook in hooks {
        command.arg(format!("--customize-hook={hook}"));
    }
    succeed(
        command
            .arg(release())
            .arg("/dev/null")
            .stdout(Stdio::null()),
    )?;
    let printed = std::fs::read_to_string(folder.path().join("printed"))?;
    let page = std::fs::read_to_string(folder.path().join("report.html"))?;
    if !printed.starts_with("error-language: ") || !page.contains("is_sorted") {
        return Err(format!("{name}: after apt, {FIRST} says\n{printed}").into());
    }
    Ok(format!(
        "{name}: fine by apt in a fresh Debian {}",
        release()
    ))
}

/// Who builds images here. Docker and podman may be installed and not work.
fn engine() -> Option<&'static str> {
    ["docker", "podman", "buildah"].into_iter().find(|engine| {
        let answers = Command::new(engine)
            .arg("info")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        answers.is_ok_and(|status| status.success())
    })
}

/// Builds the image of `contrib/docker` and lets it do README's first command. Without an engine nothing is built,
/// which is said; a test reads the file all the same.
pub fn image() -> Done<String> {
    let Some(engine) = engine() else {
        return Ok("no image: neither docker, podman nor buildah works here".to_owned());
    };
    let is_buildah = engine == "buildah";
    let mut build = Command::new(engine);
    build.current_dir(root());
    if is_buildah {
        // Works also inside of a container.
        build.args(["bud", "--isolation", "chroot"]);
    } else {
        build.arg("build");
    }
    succeed(build.args(["-t", "idiolect", "-f", "contrib/docker/Dockerfile", "."]))?;
    let printed = if is_buildah {
        run_with_buildah()?
    } else {
        output(
            Command::new(engine)
                .args(["run", "--rm", "-v"])
                .arg(format!("{}:/work:ro", root().display()))
                .args(["idiolect", "explain", "examples/sort.c", "--exit-zero"]),
        )?
    };
    if !printed.starts_with("error-language: ") {
        return Err(format!("the image says\n{printed}").into());
    }
    Ok(format!("the image is fine, by {engine}"))
}

fn run_with_buildah() -> Done<String> {
    let container = output(Command::new("buildah").args(["from", "localhost/idiolect"]))?;
    let container = container.trim();
    let printed = output(
        Command::new("buildah")
            .args(["run", "--isolation", "chroot", "-v"])
            .arg(format!("{}:/work:ro", root().display()))
            .args([container, "--", "idiolect", "explain"])
            .args(["examples/sort.c", "--exit-zero"]),
    );
    let _ = Command::new("buildah").args(["rm", container]).output();
    printed
}
