//! How an answer looks: with colour and room on a terminal, as plain lines in a pipe, and in one
//! line with `-q`.

use crate::args::{CommonArgs, OutputFormat};
use crate::output;
use clap::builder::styling::{AnsiColor, Style};
use idiolect_outcome::{Class, Conclusion, Verdict};
use serde_json::Value;
use std::fmt::Write as _;
use std::io::IsTerminal as _;

/// Prints an outcome in the chosen form. Only the form that is printed is made.
pub fn answer(
    common: &CommonArgs,
    format: OutputFormat,
    outcome: &Value,
    text: impl FnOnce() -> String,
) {
    match format {
        OutputFormat::Json => output::print_json(outcome),
        OutputFormat::Github => output::print(&idiolect_report::github(outcome)),
        OutputFormat::Text if common.quiet => output::print(&one_line(outcome)),
        OutputFormat::Text => output::print(&text()),
    }
}

/// The verdict, what it is about, and how much it rests on.
pub fn one_line(outcome: &Value) -> String {
    let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let error = &outcome["error"];
    // The error that was repaired is not the answer.
    let is_answer = outcome["command"] != "repair";
    let what = match (error["message"].as_str(), error["file"].as_str()) {
        (Some(message), Some(file)) if is_answer => {
            format!(
                "{message}, at {file}:{}",
                error["line"].as_u64().unwrap_or(0)
            )
        }
        _ => word(&outcome["guarantee"]["text"]),
    };
    let assumed = outcome["guarantee"]["assumptions"].as_array();
    let assumed = match assumed.map_or(0, Vec::len) {
        0 => String::new(),
        n => format!(" ({})", output::counted(n, "assumption")),
    };
    let verdict = word(&outcome["verdict"]);
    let class = match outcome["guarantee"]["class"].as_str() {
        Some("finding") => Class::Finding,
        Some("promise") => Class::Promise,
        Some("bet") => Class::Bet,
        _ => Class::Nothing,
    };
    let style = style(class, verdict == Verdict::Repaired.word());
    format!(
        "{style}{verdict}{style:#}: {}{assumed}\n",
        what.replace('\n', " ")
    )
}

/// The verdict, its guarantee, and a line for each assumption.
pub fn conclusion(said: &Conclusion) -> String {
    let style = style(said.class(), said.verdict == Verdict::Repaired);
    if std::io::stdout().is_terminal() {
        with_room(said, style, width())
    } else {
        let verdict = said.verdict.word();
        let rest = said.assumption_lines();
        format!("{style}{verdict}{style:#}: {}\n{rest}", said.text)
    }
}

/// For people: the verdict alone, the guarantee under it, what it rests on under that.
fn with_room(said: &Conclusion, style: Style, width: usize) -> String {
    let sign = match said.class() {
        // What is told is the way out, not the error.
        Class::Finding if said.verdict == Verdict::Repaired => "✎",
        Class::Finding => "✖",
        Class::Promise => "✔",
        Class::Bet => "≈",
        Class::Nothing => "?",
    };
    let mut text = format!("{style}{sign} {}{style:#}", said.verdict.word());
    if said.class() == Class::Bet {
        let _ = write!(text, " {style}(not a proof){style:#}");
    }
    text.push('\n');
    wrap(&said.text, 2, width, &mut text);
    let entries = said.assumptions.entries();
    let soft = Style::new().dimmed();
    if !entries.is_empty() {
        let _ = writeln!(text, "  {soft}assuming{soft:#}");
    }
    for assumption in entries {
        text.push_str("  - ");
        let mut lines = String::new();
        wrap(&assumption.line_text(), 4, width, &mut lines);
        text.push_str(lines.trim_start());
    }
    text
}

/// Breaks a text at spaces, indented by so many.
fn wrap(text: &str, indent: usize, width: usize, into: &mut String) {
    let room = width.saturating_sub(indent).max(20);
    let mut used = 0;
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if used == 0 {
            into.extend(std::iter::repeat_n(' ', indent));
        } else if used + 1 + length > room {
            into.push('\n');
            into.extend(std::iter::repeat_n(' ', indent));
            used = 0;
        } else {
            into.push(' ');
            used += 1;
        }
        into.push_str(word);
        used += length;
    }
    into.push('\n');
}

fn style(class: Class, is_repair: bool) -> Style {
    let colour = match class {
        Class::Finding if is_repair => AnsiColor::Cyan,
        Class::Finding => AnsiColor::Red,
        Class::Promise => AnsiColor::Green,
        Class::Bet => AnsiColor::Yellow,
        Class::Nothing => return Style::new().bold(),
    };
    Style::new().bold().fg_color(Some(colour.into()))
}

/// Columns of the terminal; nobody reads lines of more than a hundred with ease.
fn width() -> usize {
    let known = terminal_size::terminal_size();
    known
        .map_or(100, |(width, _)| usize::from(width.0))
        .min(100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use idiolect_outcome::{Assumption, AssumptionKind, GuaranteeKind, Ledger};
    use serde_json::json;

    fn bet() -> Conclusion {
        let mut ledger = Ledger::default();
        ledger.add(
            Assumption::new(
                AssumptionKind::Bound,
                "at most 3 arguments of main are looked at",
            )
            .at("a.c", 3)
            .with_option("--max-argc"),
        );
        Conclusion::new(
            Verdict::Pac,
            GuaranteeKind::Pac,
            "No error was found in any of a great many runs.",
            &ledger,
        )
    }

    #[test]
    fn on_a_terminal_there_is_room() {
        let text = with_room(&bet(), Style::new(), 30);
        assert_eq!(
            text.replace(&Style::new().dimmed().to_string(), "")
                .replace("\u{1b}[0m", ""),
            "≈ pac (not a proof)\n  No error was found in any of\n  a great many runs.\n  assuming\n  \
             - bound: at most 3 arguments\n    of main are looked at, at\n    a.c:3 [--max-argc]\n"
        );
    }

    #[test]
    fn a_repair_does_not_look_like_an_error() {
        let repaired = Conclusion::new(
            Verdict::Repaired,
            GuaranteeKind::Replayed,
            "The failing run passes.",
            &Ledger::default(),
        );
        let text = with_room(&repaired, Style::new(), 30);
        assert!(text.starts_with("✎ repaired"), "{text}");
        let red = style(Class::Finding, false);
        assert_ne!(style(repaired.class(), true), red);
    }

    #[test]
    fn a_quiet_answer_is_one_line() {
        let outcome = json!({
            "verdict": "error", "guarantee": {"class": "finding", "text": "It was run.", "assumptions": []},
            "error": {"message": "assertion `a\nb` failed", "file": "x.c", "line": 4},
        });
        let line = one_line(&outcome);
        assert_eq!(line.lines().count(), 1);
        assert!(line.contains("error"), "{line}");
        assert!(
            line.ends_with(": assertion `a b` failed, at x.c:4\n"),
            "{line}"
        );
        let outcome = json!({
            "verdict": "pac", "guarantee": {"class": "bet", "text": "Few.", "assumptions": [{}, {}]},
        });
        assert!(one_line(&outcome).ends_with(": Few. (2 assumptions)\n"));
    }
}
