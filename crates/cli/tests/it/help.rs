//! Every command, and every command inside one, says what it is for, with an example to copy.

use std::process::Command;

fn help_of(path: &[String]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_idiolect"))
        .args(path)
        .arg("--help")
        .env("NO_COLOR", "1")
        .output()
        .expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{path:?}");
    assert!(output.stderr.is_empty(), "{path:?}");
    String::from_utf8(output.stdout).expect("text")
}

/// The names under `Commands:`.
fn commands_in(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    lines
        .take_while(|line| !line.is_empty())
        .filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_command_has_help_with_examples() {
    let mut todo = vec![Vec::new()];
    let mut n_commands = 0;
    while let Some(path) = todo.pop() {
        let help = help_of(&path);
        let inner = commands_in(&help);
        let title = help.lines().next().unwrap_or_default();
        assert!(!title.is_empty(), "{path:?} says nothing");
        assert!(
            help.contains("\nExample") || !inner.is_empty(),
            "{path:?} has no example:\n{help}"
        );
        n_commands += 1;
        for name in inner {
            let mut longer = path.clone();
            longer.push(name);
            todo.push(longer);
        }
    }
    assert!(n_commands > 15, "{n_commands}");
}
