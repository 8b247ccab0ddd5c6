//! The page in a real browser: what it shows, what clicks and keys do, that it loads nothing and
//! complains about nothing. Pictures are left in `target/report-pictures/`.

mod chromium;
use crate::common;
mod looks;
mod samples;

use chromium::{Answer, Browser};
use idiolect_report::{Page, SourceText};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn pictures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/report-pictures")
}

/// Writes the page of an outcome and opens it on a desktop screen.
fn open(browser: &mut Browser, name: &str, outcome: &Value) -> Answer<()> {
    let sources = [SourceText {
        file: "log.c".to_owned(),
        text: samples::LOG_C.to_owned(),
    }];
    let sources = if outcome["command"] == "mine" || outcome["command"] == "learn" {
        &[]
    } else {
        &sources[..]
    };
    open_with(browser, name, outcome, sources)
}

fn open_with(
    browser: &mut Browser,
    name: &str,
    outcome: &Value,
    sources: &[SourceText],
) -> Answer<()> {
    let command = outcome["command"].as_str().unwrap_or("");
    let html = Page {
        title: &format!("{command} log.c"),
        command: &format!("idiolect {command} log.c"),
        outcome,
        sources,
    }
    .to_html();
    std::fs::create_dir_all(pictures()).map_err(|e| e.to_string())?;
    let file = pictures().join(format!("{name}.html"));
    std::fs::write(&file, html).map_err(|e| e.to_string())?;
    browser.set_screen(1280, 860, "light")?;
    browser.open(&file.canonicalize().map_err(|e| e.to_string())?)
}

/// Runs a check in one browser, and holds it to silence.
fn in_browser(check: impl FnOnce(&mut Browser) -> Answer<()>) {
    if !chromium::is_there() {
        return;
    }
    let mut browser = Browser::start().unwrap();
    let result = check(&mut browser);
    assert_eq!(browser.complaints, Vec::<String>::new());
    result.unwrap();
}

#[test]
fn a_page_of_every_kind_opens_and_is_photographed() {
    let learn = |n| {
        let automaton = common::layered_automaton(n, 1);
        json!({"command": "learn", "verdict": "learned", "version": "0.1.0",
               "guarantee": {"kind": "proved", "text": "The learned automaton is the target."},
               "statistics": {"membership_queries": 40_211}, "automaton": automaton})
    };
    let kinds = [
        ("explain", samples::explain()),
        ("diff", samples::diff()),
        ("mine", samples::mine()),
        ("verify", samples::verify()),
        ("pac", samples::pac()),
        ("localize", samples::localize()),
        ("all-traces", samples::all_traces()),
        ("invariants", samples::invariants()),
        ("learn-30", learn(30)),
        ("learn-200", learn(200)),
        ("learn-500", learn(500)),
        ("nothing", json!({"command": "run"})),
    ];
    in_browser(|browser| {
        for (name, outcome) in &kinds {
            open(browser, name, outcome)?;
            browser.picture(&pictures().join(format!("{name}-light.png")), false)?;
            browser.set_screen(1280, 860, "dark")?;
            browser.picture(&pictures().join(format!("{name}-dark.png")), false)?;
            browser.set_screen(390, 844, "light")?;
            browser.picture(&pictures().join(format!("{name}-phone.png")), true)?;
            if *name == "explain" {
                browser.ask("Emulation.setEmulatedMedia", json!({ "media": "print" }))?;
                browser.picture(&pictures().join("explain-print.png"), true)?;
                browser.ask("Emulation.setEmulatedMedia", json!({ "media": "" }))?;
            }
            // Nothing sticks out to the right of a phone's screen.
            let width = browser.value("document.documentElement.scrollWidth")?;
            assert!(width.as_u64() <= Some(390), "{name} is {width} wide");
        }
        Ok(())
    });
}

/// The text of a file that the set-up installs. In CI it has to be there.
#[allow(clippy::print_stderr)]
fn installed(file: &std::path::Path) -> Option<String> {
    let text = std::fs::read_to_string(file).ok();
    if text.is_none() {
        assert!(
            std::env::var_os("CI").is_none(),
            "CI has to have {}: run `cargo xtask setup`",
            file.display()
        );
        eprintln!(
            "SKIPPED: there is no {}; `cargo xtask setup` installs it",
            file.display()
        );
    }
    text
}

/// The checks of axe-core, in both colour schemes, on every kind of page.
#[test]
fn pages_can_be_used_by_everybody() {
    let axe = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../target/axe/node_modules/axe-core/axe.min.js");
    let Some(axe) = installed(&axe) else {
        return;
    };
    let kinds = [
        ("explain", samples::explain()),
        ("diff", samples::diff()),
        ("mine", samples::mine()),
        ("verify", samples::verify()),
        ("pac", samples::pac()),
        ("proved", samples::proved()),
        ("violated", samples::violated()),
        ("localize", samples::localize()),
        ("all-traces", samples::all_traces()),
        ("invariants", samples::invariants()),
        ("ranked", ranked()),
        ("voted", voted()),
        ("changed", changed()),
        ("dense", dense()),
        (
            "learn",
            json!({"command": "learn", "automaton": common::layered_automaton(30, 1)}),
        ),
        ("nothing", json!({"command": "run"})),
    ];
    let troubles = "axe.run(document, {resultTypes: ['violations']}).then((found) => found.violations.map((rule) =>
        `${rule.id} (${rule.impact}): ${rule.nodes.map((node) => node.html).slice(0, 3).join(' ')}`))";
    in_browser(|browser| {
        let mut all = Vec::new();
        let (versions, violation) = (versions(), violation());
        let opened: Vec<(&str, &Value, Option<&[SourceText]>)> = (kinds.iter())
            .map(|(name, outcome)| (*name, outcome, None))
            .chain([("versions", &versions.0, Some(&versions.1[..]))])
            .chain([("violation", &violation.0, Some(&violation.1[..]))])
            .collect();
        for (name, outcome, sources) in opened {
            for scheme in ["light", "dark"] {
                match sources {
                    Some(sources) => open_with(browser, name, outcome, sources)?,
                    None => open(browser, name, outcome)?,
                }
                browser.set_screen(1280, 860, scheme)?;
                browser.value(&axe)?;
                let found = browser.value(troubles)?;
                for trouble in found.as_array().into_iter().flatten() {
                    all.push(format!("{name}, {scheme}: {trouble}"));
                }
            }
        }
        assert_eq!(all, Vec::<String>::new());
        Ok(())
    });
}

/// Two versions of a few lines, and what they do on the same input.
fn versions() -> (Value, [SourceText; 2]) {
    let old = "int main(void) {\n  int n = input();\n  n = n + 1;\n  show(n);\n  return 0;\n}\n";
    let new = "int main(void) {\n  int n = input();\n  check(n);\n  n = n - 1;\n  show(n);\n  return 0;\n}\n";
    let source = |file: &str, text: &str| SourceText {
        file: file.to_owned(),
        text: text.to_owned(),
    };
    let step = |file: &str, line: u64, text: &str, values: Value| {
        json!({"file": file, "line": line,
        "function": "main", "depth": 0, "text": text, "values": values})
    };
    let outcome = json!({
        "command": "diff", "verdict": "different",
        "guarantee": {"kind": "replayed", "class": "finding", "text": "There are inputs on which the result differs.",
                      "assumptions": []},
        "different_for": [{
            "inputs": [4], "named_inputs": [{"name": "input()", "value": "4"}],
            "old": {"word": ["show"], "stdout": "5\n", "result": 0, "trace": [
                step("old.c", 2, "n = input()", json!({"n": "4"})), step("old.c", 3, "n = n + 1", json!({"n": "5"})),
                step("old.c", 4, "show(n)", json!({})), step("old.c", 5, "return 0;", json!({"return": "0"}))]},
            "new": {"word": ["show"], "stdout": "3\n", "result": 0, "trace": [
                step("new.c", 2, "n = input()", json!({"n": "4"})), step("new.c", 3, "check(n)", json!({})),
                step("new.c", 4, "n = n - 1", json!({"n": "3"})), step("new.c", 5, "show(n)", json!({})),
                step("new.c", 6, "return 0;", json!({"return": "0"}))]},
        }],
        "statistics": {"sides": [{"file": "old.c", "states": 2}, {"file": "new.c", "states": 2}]}, "warnings": [],
    });
    (outcome, [source("old.c", old), source("new.c", new)])
}

#[test]
fn two_versions_stand_beside_each_other_and_their_runs_go_in_step() {
    let (outcome, sources) = versions();
    in_browser(|browser| {
        open_with(browser, "versions", &outcome, &sources)?;
        browser.picture(&pictures().join("versions-light.png"), true)?;
        // Each column has as many rows, and what was changed is marked by a sign.
        let lines =
            |column: u32, class: &str| format!(".beside .code:nth-child({column}) .row{class}");
        assert_eq!(browser.count(&lines(1, ""))?, browser.count(&lines(2, ""))?);
        assert_eq!(browser.count(&lines(1, ".gap"))?, 1);
        assert_eq!(browser.count(&lines(1, ".gone"))?, 1);
        assert_eq!(browser.count(&lines(2, ".added"))?, 2);
        assert_eq!(browser.text(&format!("{} .sign", lines(1, ".gone")))?, "−");
        assert!(browser.text(".run .about")?.contains("Inputs input() = 4."));
        // The page opens where the runs part: the new version checks what the old one did not.
        assert_eq!(browser.text("#where")?, "step 2 of 5, event 0 of 1");
        assert!(browser.text(".code .now .src")?.contains("check(n)"));
        assert!(
            browser
                .text(".code .aside .src")?
                .contains("int n = input()")
        );
        // Two steps later both have changed n.
        browser.press("ArrowRight")?;
        browser.press("ArrowRight")?;
        assert!(browser.text(".code .now .src")?.contains("show(n)"));
        assert!(browser.text(".code .aside .src")?.contains("show(n)"));
        let values = browser.value("[...document.querySelectorAll('.code .values')].map((v) => v.textContent).filter(Boolean)")?;
        assert_eq!(values, json!(["n = 4", "n = 5", "n = 4", "n = 3"]));
        // The other run, at the same moment.
        browser.click(".run .about button:last-child")?;
        assert_eq!(browser.text("#where")?, "step 3 of 4, event 0 of 1");
        assert_eq!(browser.count(".parting .differs")?, 2);
        browser.click(".source .tools button")?;
        assert_eq!(browser.count(".beside.only")?, 1);
        Ok(())
    });
}

#[test]
fn a_click_on_an_edge_a_state_or_a_letter_plays_a_run() {
    in_browser(|browser| {
        open(browser, "play", &samples::explain())?;
        assert!(browser.text("header")?.contains("The assertion can fail"));
        assert_eq!(browser.text("#where")?, "step 19 of 19, event 5 of 5");
        assert_eq!(browser.text(".state.here .name")?, "q5");
        // The edge from q2 to q3: the shortest word goes through it at its third letter.
        browser.click(".edge[data-pairs='2-3'] text")?;
        assert_eq!(browser.text(".state.here .name")?, "q3");
        assert_eq!(browser.text(".words .here")?, "log_close");
        assert!(browser.text(".code .now .src")?.contains("is_open = 0;"));
        // Only longer words take the loop: the next shortest is played.
        browser.click(".edge[data-pairs='2-2'] text")?;
        assert!(browser.text("#where")?.ends_with("event 3 of 6"));
        // No stored word flushes before it closes: the word is read off, and says so.
        browser.click(".edge[data-pairs='2-1'] text")?;
        assert!(browser.text(".run .about")?.contains("it was not re-run"));
        browser.click(".state[data-ids='1'] circle")?;
        assert_eq!(browser.text(".state.here .name")?, "q1");
        browser.click(".words li:nth-child(2) .chip:nth-of-type(4)")?;
        assert_eq!(browser.text(".words .here")?, "log_write");
        Ok(())
    });
}

#[test]
fn keys_step_through_a_run_and_loops_are_folded() {
    in_browser(|browser| {
        open(browser, "keys", &samples::explain())?;
        browser.press("w")?;
        browser.press("w")?;
        assert_eq!(browser.text("#where")?, "step 1 of 67, event 0 of 13");
        assert!(
            browser
                .text(".steps .fold")?
                .contains("7 more iterations of lines 17–38")
        );
        browser.press("ArrowRight")?;
        assert_eq!(browser.text("#where")?, "step 2 of 67, event 0 of 13");
        browser.press("n")?;
        assert_eq!(browser.text("#where")?, "step 3 of 67, event 1 of 13");
        assert!(browser.text(".code .now .values")?.contains("buf = &heap1"));
        assert!(browser.text(".values-now .fresh")?.contains("&heap1"));
        // An event inside of the fold opens it.
        for _ in 0..3 {
            browser.press("n")?;
        }
        assert_eq!(browser.count(".steps .fold")?, 0);
        assert!(browser.text(".steps .now")?.contains("n < 64"));
        browser.press("p")?;
        browser.press("k")?;
        assert_eq!(browser.text("#where")?, "step 13 of 67, event 2 of 13");
        browser.press("End")?;
        assert!(browser.text("#where")?.starts_with("step 67 of 67"));
        // The same, without a keyboard.
        browser.click(".player button:nth-of-type(2)")?;
        assert!(browser.text("#where")?.starts_with("step 66 of 67"));
        Ok(())
    });
}

#[test]
fn source_is_highlighted_and_marked() {
    in_browser(|browser| {
        open(browser, "source", &samples::explain())?;
        // The text is the file again, comments over lines included.
        let text = browser.value(
            "[...document.querySelectorAll('.code .src')].map((t) => t.textContent).join('\\n') + '\\n'",
        )?;
        assert_eq!(text, json!(samples::LOG_C));
        let row = |line: u64, part: &str| format!(".code .row[data-line='{line}'] {part}");
        assert!(browser.text(&row(6, ".t-comment"))?.starts_with("/* A log"));
        assert!(browser.text(&row(7, ".t-comment"))?.ends_with("*/"));
        assert_eq!(browser.text(&row(43, ".t-number"))?, "0");
        assert_eq!(browser.text(&row(43, ".t-string"))?, "\"done\"");
        assert_eq!(browser.text(&row(30, ".sign"))?, "✖◆");
        assert_eq!(browser.text(&row(23, ".sign"))?, "◆⊘");
        assert_eq!(browser.text(&row(23, ".events"))?, "▸");
        assert_eq!(browser.text(&row(18, ".times"))?, "1×");
        // A letter's place is said when a pointer is at it.
        browser.hover(".edge[data-pairs='2-3'] text")?;
        assert!(browser.text(".hint")?.contains("log_close is log.c:23"));
        assert_eq!(browser.count(".code .row.hinted")?, 1);
        browser.click(".source .tools button")?;
        assert_eq!(
            browser.value("getComputedStyle(document.querySelector('.code .row')).display")?,
            "none"
        );
        Ok(())
    });
}

#[test]
fn the_cut_off_hides_cold_edges() {
    in_browser(|browser| {
        open(browser, "cut", &samples::mine())?;
        assert_eq!(browser.count(".edge.cut")?, 0);
        let move_to = |n: u32| {
            format!(
                "(() => {{ const s = document.querySelector('.cut-off input'); s.value = {n};
                   s.dispatchEvent(new Event('input')); }})()"
            )
        };
        browser.value(&move_to(3))?;
        assert_eq!(
            browser.text(".cut-off output")?,
            "2 edges of 10 cut, below 0.6"
        );
        assert_eq!(browser.count(".edge.cut")?, 2);
        browser.value(&move_to(5))?;
        // Two letters share the loop: one of them goes, the edge stays.
        assert_eq!(browser.count(".edge.cut")?, 3);
        assert_eq!(browser.count("tspan.cut")?, 4);
        browser.value(&move_to(0))?;
        assert_eq!(browser.count(".edge.cut, .state.cut, tspan.cut")?, 0);
        Ok(())
    });
}

#[test]
fn both_sides_of_a_difference_follow_one_word() {
    in_browser(|browser| {
        open(browser, "sides", &samples::diff())?;
        assert_eq!(browser.count(".scenes.several .scene")?, 2);
        browser.click(".scene:nth-child(1) .edge[data-pairs='2-3'] text")?;
        assert_eq!(browser.text(".scene:nth-child(1) .state.here .name")?, "q3");
        assert_eq!(browser.text(".scene:nth-child(2) .state.here .name")?, "q3");
        browser.press("n")?;
        // The other side cannot follow any further, and shows where it stopped.
        assert_eq!(browser.text(".scene:nth-child(1) .state.here .name")?, "q4");
        assert_eq!(browser.text(".scene:nth-child(2) .state.left .name")?, "q3");
        Ok(())
    });
}

#[test]
fn boxes_open_and_large_automata_have_a_table() {
    let outcome = |n| json!({"command": "learn", "automaton": common::layered_automaton(n, 1)});
    in_browser(|browser| {
        open(browser, "boxes", &outcome(200))?;
        let boxes = browser.count("svg .state.many")?;
        assert!(boxes > 2, "{boxes} boxes");
        browser.click("svg .state.many rect")?;
        assert_eq!(browser.count("svg .state.many:not(.outside)")?, 0);
        assert!(
            browser
                .text(".crumbs [aria-pressed='true']")?
                .starts_with("inside of a box")
        );
        browser.click(".crumbs button:last-child")?;
        assert_eq!(browser.count("svg .state")?, 200);
        open(browser, "table", &outcome(500))?;
        assert!(browser.count("svg .state")? <= 60);
        assert_eq!(browser.count(".states tr")?, 200);
        browser.value(
            "(() => { const f = document.querySelector('.states-pane .find'); f.value = 'q77';
               f.dispatchEvent(new Event('input')); })()",
        )?;
        assert_eq!(browser.count(".states tr")?, 1);
        browser.click(".states tr button")?;
        assert!(browser.text(".run .about")?.contains("not re-run"));
        Ok(())
    });
}

#[test]
fn findings_of_the_other_commands_are_shown() {
    in_browser(|browser| {
        open(browser, "relevant", &samples::localize())?;
        assert!(
            browser
                .text(".code .note")?
                .contains("with the value 0 here")
        );
        assert_eq!(browser.count(".findings .list li")?, 2);
        assert_eq!(browser.text(".code .row[data-line='24'] .sign")?, "●");
        let steps = browser.text(".steps")?;
        assert!(steps.contains("● blocked with 0"), "{steps}");
        assert!(steps.contains("? not known"), "{steps}");
        open(browser, "formulas", &samples::invariants())?;
        assert!(
            browser
                .text(".code .note")?
                .contains("buf[y] = 3·y ✔ adequate")
        );
        assert_eq!(browser.text(".state[data-ids='1'] .output")?, "d(y) = 3·y");
        open(browser, "numbers", &samples::pac())?;
        assert!(
            browser
                .text(".guarantee-pane")?
                .contains("ε: a fresh batch fails or goes beyond the model")
        );
        assert_eq!(browser.count("svg .state")?, 2);
        assert!(browser.text(".scene .legend")?.contains("q2 is not drawn"));
        open(browser, "error", &samples::verify())?;
        browser.press("Home")?;
        browser.press("n")?;
        assert_eq!(browser.text("#where")?, "step 6 of 19, decision 1 of 6");
        // "yes" and "no" say what 1 and 0 would.
        assert_eq!(browser.count(".steps .chip")?, 0);
        assert!(
            browser
                .text(".verdict")?
                .contains("assertion is_open failed, at log.c:30")
        );
        Ok(())
    });
}

#[test]
fn assumptions_stand_under_the_guarantee_and_at_their_lines() {
    in_browser(|browser| {
        open(browser, "proved", &samples::proved())?;
        assert_eq!(browser.text(".badge")?, "✔ proved");
        assert_eq!(browser.count(".assumptions li")?, 2);
        let first = browser.text(".assumptions li")?;
        assert_eq!(
            first,
            "missing-body clock has no body, at log.c:12 · --pure clock"
        );
        assert_eq!(browser.text(".code .row[data-line='12'] .sign")?, "≈");
        let notes = browser
            .value("[...document.querySelectorAll('.code .note')].map((n) => n.textContent)")?;
        assert_eq!(
            notes,
            json!([
                "≈ missing-body clock has no body",
                "loop invariant i <= count ✔ proved"
            ])
        );
        assert!(browser.text(".proof")?.contains("By induction"));
        let facts = browser.text(".facts-pane")?;
        assert!(facts.contains("0 or unknown: samples"), "{facts}");
        // A promise in numbers is amber, and says that it is no proof.
        open(browser, "bet", &samples::pac())?;
        assert_eq!(browser.count(".badge.open.not-proof")?, 1);
        assert_eq!(browser.count(".badge.good")?, 0);
        assert!(!browser.text(".guarantee-pane")?.contains("assumptions"));
        // A merge shows what nobody wrote first.
        let mut merge = samples::diff();
        merge["in_neither"] = merge["gained"].clone();
        open(browser, "merge", &merge)?;
        assert!(browser.text(".scene h2")?.contains("nobody wrote this"));
        open(browser, "violated", &samples::violated())?;
        assert_eq!(browser.text(".aligned")?, "openread+ close− read");
        Ok(())
    });
}

/// A run that reads too late, its trace, and the program that made it.
fn violation() -> (Value, [SourceText; 2]) {
    let edge = |from: u64, to: u64, letter: &str| json!({"from": from, "to": to, "letter": letter});
    let outcome = json!({
        "command": "check", "verdict": "violates",
        "guarantee": {"kind": "checked", "class": "finding", "text": "1 violation.", "assumptions": []},
        "specification": {"kind": "nfa", "alphabet": ["open", "read", "close"],
            "states": [{"id": 0, "initial": true}, {"id": 1}, {"id": 2}, {"id": 3, "accepting": true}],
            "transitions": [edge(0, 1, "open"), edge(1, 2, "read"), edge(2, 3, "close")]},
        "violations": [{"file": "a.trace", "line": 1, "seed": "open(return = 3)",
            "scenario": ["open", "close", "read"], "scenario_lines": [1, 2, 3],
            "nearest": ["open", "read", "close"], "scenario_at": [null, null, "a.c:2"]}],
        "statistics": {}, "warnings": [],
    });
    let source = |file: &str, text: &str| SourceText {
        file: file.to_owned(),
        text: text.to_owned(),
    };
    let sources = [
        source("a.trace", "open(return = 3)\nclose(fd = 3)\nread(fd = 3)\n"),
        source("a.c", "int main(void) {\n  read(3, b, 1);\n}\n"),
    ];
    (outcome, sources)
}

/// A run that breaks a protocol: the automaton as far as it follows, the lines of the trace, what is missing where.
#[test]
fn a_violation_is_played_on_the_trace_and_leaves_the_automaton() {
    let (outcome, sources) = violation();
    in_browser(|browser| {
        open_with(browser, "violation", &outcome, &sources)?;
        browser.picture(&pictures().join("violation-light.png"), true)?;
        assert_eq!(browser.text(".aligned")?, "open+ readclose− read");
        assert_eq!(browser.text("#where")?, "step 3 of 3, event 3 of 3");
        assert_eq!(browser.text(".state.left .name")?, "q1");
        assert!(
            browser
                .text(".findings")?
                .contains("it comes to q1, where there is no way on with close")
        );
        let row = |line: u64| format!(".code .row[data-line='{line}'] .sign");
        assert_eq!(browser.text(&row(1))?, "+");
        assert_eq!(browser.text(&row(3))?, "✖");
        assert_eq!(browser.text(".code .note")?, "+ missing after this read");
        // The line of the program, where the trace names one.
        assert_eq!(browser.count(".code .sign .bad")?, 2);
        // A call that is clicked is the step that is shown.
        browser.click(".aligned .chip:nth-of-type(1)")?;
        assert_eq!(browser.text("#where")?, "step 1 of 3, event 1 of 3");
        assert_eq!(browser.text(".state.here .name")?, "q1");
        assert_eq!(browser.count(".state.left")?, 0);
        Ok(())
    });
}

/// 300 states, each with four ways to anywhere.
fn dense() -> Value {
    let letters = ["a", "b", "c", "d"];
    let transitions: Vec<Value> = (0..1200_u64)
        .map(|n| json!({"from": n / 4, "to": (n * n * 7 + n * 31 + 1) % 300, "letter": letters[n as usize % 4]}))
        .collect();
    let states: Vec<Value> = (0..300)
        .map(|id| json!({"id": id, "initial": id == 0, "accepting": id % 3 == 0}))
        .collect();
    json!({"command": "learn", "automaton": {"kind": "dfa", "alphabet": letters,
                         "states": states, "transitions": transitions}})
}

/// Of a large and dense automaton, any state can be reached by clicks, and the drawing goes along with a word.
#[test]
fn large_automata_are_walked_through() {
    let outcome = dense();
    in_browser(|browser| {
        open(browser, "dense", &outcome)?;
        let states = browser.count("svg .state")?;
        assert!(states < 60, "{states} of 300");
        let outside = browser.value("document.querySelector('svg .state.outside').dataset.ids")?;
        browser.click("svg .state.outside circle, svg .state.outside rect")?;
        let title = browser.text(".scene h2")?;
        assert!(
            title.ends_with(&format!("around q{}", outside.as_str().unwrap_or("?"))),
            "{title}"
        );
        let inside =
            browser.value("document.querySelector('svg .state:not(.outside)').dataset.ids")?;
        assert_eq!(inside, outside);
        // On the right is where one goes from here, with all letters.
        let ways = browser.value(
            "(() => { const id = Number(document.querySelector('svg .state:not(.outside)').dataset.ids);
               const drawn = new Set([...document.querySelectorAll('svg .edge')].map((e) => e.dataset.pairs));
               return scenes[0].edges.get(id).every((edge) => drawn.has(`${edge.from}-${edge.to}`)); })()",
        )?;
        assert_eq!(ways, json!(true));
        // A word to a state far away takes the drawing there.
        let far = browser.value(
            "(() => { const ways = wayOf(scenes[0], ['a', 'b', 'c', 'd', 'a', 'b']).edges;
               const far = ways[ways.length - 1].edge.to; playState(scenes[0], far); return `q${far}`; })()",
        )?;
        assert_eq!(json!(browser.text(".state.here .name")?), far);
        Ok(())
    });
}

/// Places to look at, two of them on one line.
fn ranked() -> Value {
    let mut localize = samples::localize();
    let place = |line: u64, kind: &str, text: &str, score: f64| {
        json!({"file": "log.c", "line": line, "kind": kind,
        "text": text, "score": score, "passes": true, "passing_value": 1})
    };
    localize["places"] = json!([
        place(24, "assign", "is_open = 0", 0.83),
        place(24, "constant", "0", 0.8),
        place(30, "condition", "is_open", 0.5)
    ]);
    localize
}

/// A rule that one of two programs breaks.
fn voted() -> Value {
    let mut mine = samples::mine();
    mine["lives"] = json!({"voters": "programs", "n_voters": 2, "objects": 5, "rules": [{"text": "a file ends",
        "confidence": 0.83, "kept": 4, "objects": 5, "support": 2, "votes": [
            {"program": "bad", "kept": 2, "objects": 3}, {"program": "good", "kept": 2, "objects": 2}]}]});
    mine
}

/// What a run began with, and what it came to.
fn changed() -> Value {
    let mut invariants = samples::invariants();
    invariants["points"][0]["changes"] =
        json!([{"before": "a = [1 | 0]", "after": "a = [0 | 1]; \\result = 2"}]);
    invariants
}

/// Places in their order, votes by program, and what of a line is done in a step.
#[test]
fn rankings_votes_and_columns_are_shown() {
    let (localize, mine) = (ranked(), voted());
    in_browser(|browser| {
        open(browser, "ranked", &localize)?;
        // A line is named once.
        let ranked = browser.value(
            "[...document.querySelectorAll('.findings .bars li')].map((li) => li.textContent)",
        )?;
        assert_eq!(
            ranked,
            json!([
                "0.83log.c:24 assign is_open = 0 · passes with 1",
                "0.50log.c:30 condition is_open · passes with true"
            ])
        );
        let marked = "[...CSS.highlights.get('step')].map(String)";
        browser.value("show(runs[0], 2)")?;
        let line = browser.text(".code .now .src")?;
        let marked = browser.value(marked)?;
        let marked = marked[0].as_str().unwrap_or("").to_owned();
        assert!(
            !marked.is_empty() && line.contains(&marked) && marked.len() < line.trim().len(),
            "{marked} in {line}"
        );
        open(browser, "changes", &changed())?;
        assert_eq!(
            browser.text(".before-after")?,
            "before a = 10after a = 01; \\result = 2"
        );
        assert_eq!(browser.count(".before-after .cell")?, 4);
        open(browser, "votes", &mine)?;
        let votes = browser.value(
            "[...document.querySelectorAll('.findings details li')].map((li) => li.textContent)",
        )?;
        assert_eq!(votes, json!(["bad ✖ 2 of 3", "good 2 of 2"]));
        Ok(())
    });
}

/// Long runs are decoded where somebody looks, and what is shown is what a short run would show.
#[test]
fn a_long_run_is_decoded_piece_by_piece() {
    in_browser(|browser| {
        open(browser, "long", &samples::long_run(20_000))?;
        assert_eq!(browser.text("#where")?, "step 60021 of 60021");
        assert!(browser.text(".values-now")?.contains("i20000"));
        let decoded = browser.value("nDecoded")?.as_u64().unwrap_or(u64::MAX);
        assert!(decoded <= 20, "{decoded} pieces for one look");
        // In the middle of a fold, with the values as they are there.
        browser.value("show(runs[0], 30_000)")?;
        assert_eq!(browser.text("#where")?, "step 30001 of 60021");
        let known =
            browser.value("[...now.run.steps.known(30_000)].map(([n, k]) => [n, k.value])")?;
        assert_eq!(
            known,
            json!([["odd", 9007], ["buf[0]", 9996], ["n", 12], ["i", 9997]])
        );
        assert!(browser.text(".steps .now")?.contains("i++"));
        assert!(browser.count(".steps li")? < 400);
        let decoded = browser.value("nDecoded")?.as_u64().unwrap_or(u64::MAX);
        assert!(decoded <= 30, "{decoded} pieces for two looks");
        browser.press("ArrowLeft")?;
        assert!(browser.text(".steps .now")?.contains("buf[n++] = value;"));
        assert_eq!(browser.text(".code .row[data-line='18'] .times")?, "20000×");
        Ok(())
    });
}

#[test]
fn steps_have_addresses_and_runs_and_sources_are_searched() {
    in_browser(|browser| {
        let find = |selector: &str, text: &str| {
            format!(
                "(() => {{ const box = document.querySelector('{selector}'); box.value = '{text}';
                   box.dispatchEvent(new KeyboardEvent('keydown', {{ key: 'Enter' }}));
                   return box.nextSibling.textContent; }})()"
            )
        };
        open(browser, "address", &samples::long_run(3_000))?;
        browser.value("(() => { location.hash = '#run=1&step=1203'; goToAddress(); })()")?;
        assert_eq!(browser.text("#where")?, "step 1203 of 9004");
        assert_eq!(browser.value(&find(".find-run", "odd = i"))?, "3 steps");
        assert!(browser.text(".steps .now")?.contains("odd = i;"));
        assert_eq!(browser.value(&find(".find-run", "i = 2500"))?, "1 of 1");
        assert!(browser.text(".values-now .fresh")?.contains("2500"));
        assert_eq!(browser.value(&find(".find-run", "nowhere"))?, "not found");
        assert_eq!(
            browser.value(&find(".find-source", "MALLOC"))?,
            "1 of 1 line"
        );
        assert_eq!(browser.count(".code .found")?, 1);
        // A value over the whole run; the chart is also a way to go there.
        browser.value("watchValue('i')")?;
        let watched = browser.text(".watch")?;
        assert!(
            watched.contains("3,000 changes, from 1 to 3,000"),
            "{watched}"
        );
        assert_eq!(browser.count(".watch svg .hand")?, 1);
        browser.click(".watch svg")?;
        let at = browser.value("now.step")?.as_u64().unwrap_or(0);
        assert!((4_400..4_600).contains(&at), "{at}");
        browser.value("new Promise((done) => setTimeout(done, 400))")?;
        Ok(())
    });
}

/// What our estimate of text widths promised holds for the fonts of a real machine.
#[test]
fn nothing_overlaps_as_the_browser_measures_it() {
    let overlaps = "(() => {
        const boxes = [...document.querySelectorAll('svg .outline, svg .edge text')]
          .map((node) => ({ box: node.getBBox(), name: node.parentNode.textContent }));
        const found = [];
        boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => {
          const [p, q] = [a.box, b.box];
          // A pixel of line spacing may be shared between the lines of one label.
          if (a.name !== b.name && p.x + 1 < q.x + q.width && q.x + 1 < p.x + p.width
            && p.y + 1 < q.y + q.height && q.y + 1 < p.y + p.height) found.push(a.name + ' / ' + b.name);
        }));
        return found; })()";
    in_browser(|browser| {
        for seed in 0..3 {
            let automaton = common::random_automaton(30, seed);
            open(
                browser,
                "measured",
                &json!({"command": "learn", "automaton": automaton}),
            )?;
            assert_eq!(browser.value(overlaps)?, json!([]));
        }
        let automaton = common::random_automaton(200, 1);
        open(
            browser,
            "measured",
            &json!({"command": "learn", "automaton": automaton}),
        )?;
        browser.value("document.querySelector('.crumbs button:last-child')?.click()")?;
        assert_eq!(browser.value(overlaps)?, json!([]));
        Ok(())
    });
}

/// What the page saves as DOT is the automaton that the outcome has, by our own reader.
#[test]
fn the_automaton_can_be_saved_as_dot() {
    use idiolect_automata::formats::{dot, json::JsonAutomaton};
    in_browser(|browser| {
        let outcome = samples::explain();
        open(browser, "dot", &outcome)?;
        let text = browser.value("dotOf(scenes[0])")?;
        let (nfa, alphabet) = dot::read_nfa(text.as_str().unwrap_or("").as_bytes())
            .map_err(|e| format!("{e}: {text}"))?;
        let own: JsonAutomaton =
            serde_json::from_value(outcome["automaton"].clone()).map_err(|e| e.to_string())?;
        assert_eq!(nfa.n_states(), own.states.len());
        let words = outcome["witnesses"].as_array().ok_or("no witnesses")?;
        assert!(!words.is_empty());
        for witness in words {
            let names = witness["word"].as_array().ok_or("no word")?;
            let names = names.iter().filter_map(Value::as_str);
            let word = alphabet.word(names).map_err(|n| format!("no letter {n}"))?;
            assert!(nfa.accepts(&word), "{text}");
            assert!(!nfa.accepts(&word[1..]), "{text}");
        }
        Ok(())
    });
}
