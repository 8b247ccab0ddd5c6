//! What a page looks like where there is little room: on a phone, and on paper. And what it says of inputs, of
//! recorded runs and of work.

use super::chromium::{Answer, Browser};
use super::{common, in_browser, open, open_with, samples, versions, violation};
use serde_json::{Value, json};

/// The states whose outline is partly behind the left or the right edge of its frame.
const CUT: &str = "(() => [...document.querySelectorAll('.frame .state')].filter((state) => {
    const [box, frame] = [state.querySelector('.outline'), state.closest('.frame')].map((node) => node.getBoundingClientRect());
    return (box.left < frame.left && box.right > frame.left) || (box.left < frame.right && box.right > frame.right);
  }).map((state) => state.dataset.ids))()";

/// A word over a chain of states: its last state is shown first.
fn chain(n_states: u64) -> Value {
    let letters: Vec<String> = (1..n_states).map(|n| format!("letter{n}")).collect();
    let transitions: Vec<Value> = (letters.iter().zip(0u64..))
        .map(|(letter, from)| json!({"from": from, "to": from + 1, "letter": letter}))
        .collect();
    let states: Vec<Value> = (0..n_states)
        .map(|id| json!({"id": id, "initial": id == 0, "accepting": id + 1 == n_states}))
        .collect();
    json!({"command": "explain", "verdict": "error-language", "witnesses": [{"word": letters}],
        "automaton": {"kind": "dfa", "alphabet": letters, "states": states, "transitions": transitions}})
}

/// The first state was cut in half by the edge of a phone's screen.
#[test]
fn no_state_is_cut_in_half_on_a_phone() {
    in_browser(|browser| {
        for n_states in [4, 5, 6, 9, 14] {
            open(browser, "phone", &chain(n_states))?;
            browser.set_screen(390, 844, "light")?;
            browser.value("dispatchEvent(new Event('resize'))")?;
            assert_eq!(
                browser.text(".state.here .name")?,
                format!("q{}", n_states - 1)
            );
            let cut = browser.value(CUT)?;
            assert_eq!(cut.as_array().map(Vec::len), Some(0), "{n_states}: {cut}");
            // At every step of the word.
            for _ in 1..n_states {
                browser.press("ArrowLeft")?;
                let cut = browser.value(
                    &CUT.replace("|| (box.left < frame.right && box.right > frame.right)", ""),
                )?;
                assert_eq!(cut.as_array().map(Vec::len), Some(0), "{n_states}: {cut}");
            }
        }
        // Headings keep their words: tools have a row of their own.
        let (outcome, sources) = violation();
        open_with(browser, "narrow", &outcome, &sources)?;
        browser.set_screen(390, 844, "light")?;
        let squeezed = browser.value(
            "[...document.querySelectorAll('section > h2')].filter((h) => h.scrollWidth > h.clientWidth).map((h) => h.textContent)",
        )?;
        assert_eq!(squeezed, json!([]));
        Ok(())
    });
}

/// As a printer sees it: the medium, the paper's width, and what the page does before it is printed.
fn on_paper(browser: &mut Browser, scheme: &str) -> Answer<()> {
    browser.set_screen(1280, 860, scheme)?;
    let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
    browser.ask(
        "Emulation.setEmulatedMedia",
        json!({ "media": "print", "features": features }),
    )?;
    browser.value("dispatchEvent(new Event('beforeprint'))")?;
    let screen = json!({ "width": 720, "height": 1000, "deviceScaleFactor": 1, "mobile": false });
    browser.ask("Emulation.setDeviceMetricsOverride", screen)?;
    Ok(())
}

#[test]
fn nothing_is_cropped_or_covered_on_paper() {
    let outside = "(() => { const width = document.documentElement.clientWidth;
        return [...document.querySelectorAll('svg .state, svg .edge text, .code .src, .steps .what')]
          .filter((node) => { const box = node.getBoundingClientRect(); return box.left < -1 || box.right > width + 1; })
          .map((node) => node.textContent); })()";
    in_browser(|browser| {
        let wide = json!({"command": "learn", "automaton": common::layered_automaton(30, 1)});
        for (name, outcome) in [
            ("paper-explain", samples::explain()),
            ("paper-wide", wide),
            ("paper-chain", chain(14)),
        ] {
            open(browser, name, &outcome)?;
            on_paper(browser, "light")?;
            assert_eq!(browser.value(outside)?, json!([]), "{name}");
            // No more than what is drawn is in the drawing's frame, and all of it.
            let states = browser.value(
                "[...document.querySelectorAll('.frame svg')].every((svg) => {
                   const frame = svg.getBoundingClientRect();
                   return [...svg.querySelectorAll('.state')].every((state) => {
                     const box = state.getBoundingClientRect();
                     return box.left >= frame.left - 1 && box.right <= frame.right + 1 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
                   }); })",
            )?;
            assert_eq!(states, json!(true), "{name}");
        }
        // What stands on a colour is dark where the colour is not printed.
        open(browser, "paper-words", &samples::explain())?;
        on_paper(browser, "dark")?;
        let colors = browser.value(
            "['.words .here', 'body'].map((part) => getComputedStyle(document.querySelector(part)).color)",
        )?;
        assert_eq!(colors[0], colors[1]);
        let shares =
            browser.value("getComputedStyle(document.querySelector('.shares')).display")?;
        assert_eq!(shares, json!("none"));
        // What is folded is laid out, and folded again afterwards.
        open(browser, "paper-folded", &samples::invariants())?;
        on_paper(browser, "light")?;
        assert_eq!(browser.count(".findings details:not([open])")?, 0);
        browser.value("dispatchEvent(new Event('afterprint'))")?;
        assert_eq!(browser.count(".findings details[open]")?, 0);
        // Names of files stay above their own text, and dark colours stay on the screen.
        let (outcome, sources) = versions();
        let mut colors = Vec::new();
        for scheme in ["light", "dark"] {
            open_with(browser, "paper", &outcome, &sources)?;
            on_paper(browser, scheme)?;
            assert_eq!(
                browser
                    .value("getComputedStyle(document.querySelector('.code .file')).position")?,
                "static"
            );
            colors.push(browser.value(
                "['.t-keyword', '.t-type', '.badge', '.head'].map((part) => getComputedStyle(document.querySelector(part)).color)",
            )?);
        }
        assert_eq!(colors[0], colors[1]);
        // Back on the screen, the drawing has its size again.
        open(browser, "again", &samples::explain())?;
        let before =
            browser.value("document.querySelector('.frame svg').getAttribute('viewBox')")?;
        browser.value("dispatchEvent(new Event('beforeprint'))")?;
        browser.value("dispatchEvent(new Event('afterprint'))")?;
        let after =
            browser.value("document.querySelector('.frame svg').getAttribute('viewBox')")?;
        assert_eq!(before, after);
        Ok(())
    });
}

#[test]
fn inputs_have_names_wherever_they_are_shown() {
    in_browser(|browser| {
        let mut explain = samples::explain();
        explain["witnesses"][0]["named_inputs"] = json!([{"name": "argv[1]", "value": "\"x\""}]);
        explain["witnesses"][0]["inputs"] = json!([2, 120, 0]);
        open(browser, "named", &explain)?;
        let about = browser.text(".run .about")?;
        assert!(about.contains("Inputs argv[1] = \"x\"."), "{about}");
        // A name stands once before values in a row.
        let drawn = |name: &str, value: &str| json!({"name": name, "value": value});
        explain["witnesses"][0]["named_inputs"] =
            json!([drawn("f()", "0"), drawn("f()", "1"), drawn("n", "3")]);
        open(browser, "in-a-row", &explain)?;
        let about = browser.text(".run .about")?;
        assert!(about.contains("Inputs f() = 0, 1; n = 3."), "{about}");
        // A version that asks for fewer inputs than the other.
        let (mut outcome, sources) = versions();
        let found = &mut outcome["different_for"][0];
        found["inputs"] = json!([4, 7]);
        found["named_inputs"] =
            json!([{"name": "n", "value": "4"}, {"name": "a[0]", "value": "7"}]);
        found["new"]["inputs"] = json!([4]);
        open_with(browser, "fewer", &outcome, &sources)?;
        let about = browser.text(".run .about")?;
        assert!(about.contains("Inputs n = 4."), "{about}");
        let mut localize = samples::localize();
        localize["traces"][0]["inputs"] = json!([3]);
        localize["error"]["named_inputs"] = json!([{"name": "input()", "value": "3"}]);
        open(browser, "localized", &localize)?;
        let about = browser.text(".run .about")?;
        assert!(about.contains("Inputs input() = 3."), "{about}");
        Ok(())
    });
}

/// What was recorded is shown by its calls; the letter that stands for any other call is the automaton's.
#[test]
fn recorded_runs_are_shown_by_their_calls() {
    let (mut outcome, sources) = violation();
    outcome["specification"]["alphabet"] = json!(["open", "*", "close"]);
    outcome["specification"]["transitions"][1]["letter"] = json!("*");
    in_browser(|browser| {
        open_with(browser, "recorded", &outcome, &sources)?;
        assert_eq!(
            browser.text(".words-pane h2")?,
            "Runs as they were recorded"
        );
        let calls = browser.value(
            "[...document.querySelectorAll('.words .chip')].map((chip) => chip.textContent)",
        )?;
        assert_eq!(calls, json!(["open", "close", "read"]));
        assert_eq!(browser.count(".steps .chip")?, 0);
        Ok(())
    });
}

#[test]
fn work_of_engines_is_said_in_words() {
    let mut proved = samples::proved();
    proved["statistics"] = json!({"solver_calls": 14, "samples": 0, "work": {"bmc": 7000, "learn": 3000},
        "unwind": 2, "samples_cut": 0,
        "engines": {"states": 0, "traces": {"traces": 0, "solver_calls": 0},
            "induction": {"points": 1, "states": 40, "candidates": 25, "solver_calls": 21, "facts": 2}}});
    proved["timing"] = json!({"total": 0.25, "front_end": 0.014, "replay": 9.1e-8});
    in_browser(|browser| {
        open(browser, "work", &proved)?;
        assert_eq!(
            browser.text(".engines")?,
            "Engines that proveinduction over loops and calls25 candidates, 2 facts kept, 1 cut point, 21 solver calls, 40 states"
        );
        let facts = browser.text(".facts-pane")?;
        assert!(
            facts.contains("not needed: abstract states, trace abstraction"),
            "{facts}"
        );
        assert!(
            facts.contains("model checking 7,000 · learning 3,000"),
            "{facts}"
        );
        assert!(
            facts.contains("0 or unknown: samples, samples cut off") && !facts.contains("bmc"),
            "{facts}"
        );
        assert!(facts.contains("rounds of a loop unrolled2"), "{facts}");
        assert!(
            facts.contains("reading C 0.014 s, replay under 1 ms"),
            "{facts}"
        );
        Ok(())
    });
}

/// Half of the page stayed empty beside an automaton without a neighbour, and a wide one was cropped in its half.
#[test]
fn automata_share_the_width_of_the_page() {
    let point = |kind: &str, n_states| {
        json!({"function": "f", "kind": kind, "line": 2, "formula": "true", "proof": "adequate",
               "automaton": chain(n_states)["automaton"]})
    };
    let page = |sizes: [u64; 3]| {
        let points: Vec<Value> = ["entry", "loop", "exit"]
            .iter()
            .zip(sizes)
            .map(|(kind, n_states)| point(kind, n_states))
            .collect();
        json!({"command": "invariants", "verdict": "learned", "points": points})
    };
    let wide = "(() => { const page = document.querySelector('.scenes').clientWidth;
        return [...document.querySelectorAll('.scene')].map((pane) => pane.getBoundingClientRect().width > 0.9 * page); })()";
    in_browser(|browser| {
        for (sizes, expected) in [
            ([3, 3, 3], [false, false, true]),
            ([3, 12, 3], [false, true, false]),
            ([3, 12, 12], [true, true, true]),
        ] {
            open(browser, "shared", &page(sizes))?;
            browser.set_screen(1280, 860, "light")?;
            browser.value("dispatchEvent(new Event('resize'))")?;
            assert_eq!(browser.value(wide)?, json!(expected), "{sizes:?}");
            // As soon as there is room, nothing of them is outside of its frame.
            let cut = browser.value(CUT)?;
            assert_eq!(cut.as_array().map(Vec::len), Some(0), "{sizes:?}: {cut}");
        }
        Ok(())
    });
}

/// A high drawing lost its last states behind the lower edge, although there was room.
#[test]
fn high_automata_have_the_height_that_they_need() {
    let call = |n: u64| format!("send_to(socket = x{n}:T0, return = x{n}:T{n})");
    let letters: Vec<String> = (0..9).map(call).collect();
    let transitions: Vec<Value> = (letters.iter().zip(0u64..))
        .map(|(letter, from)| json!({"from": from, "to": from + 1, "letter": letter}))
        .collect();
    let states: Vec<Value> = (0..10)
        .map(|id| json!({"id": id, "initial": id == 0, "accepting": id == 9}))
        .collect();
    let automaton =
        json!({"kind": "nfa", "alphabet": letters, "states": states, "transitions": transitions});
    let mut mined = samples::mine();
    mined["specification"] = automaton.clone();
    mined["pfsa"] = automaton;
    in_browser(|browser| {
        open(browser, "high", &mined)?;
        let high = browser.value("document.querySelector('.frame').clientHeight")?;
        assert!(high.as_u64() > Some(460), "{high}");
        let outside = browser.value(
            "[...document.querySelectorAll('.frame .state')].filter((state) => {
                const [box, frame] = [state.querySelector('.outline'), state.closest('.frame')].map((node) => node.getBoundingClientRect());
                return box.top < frame.top || box.bottom > frame.bottom;
            }).map((state) => state.dataset.ids)",
        )?;
        assert_eq!(outside, json!([]));
        // Without words and runs, what was found has the width of the page.
        let share = browser.value(
            "document.querySelector('.findings').clientWidth / document.getElementById('page').clientWidth",
        )?;
        assert!(share.as_f64() > Some(0.9), "{share}");
        Ok(())
    });
}

/// The page of `localize --all-traces` stayed empty: what it covers is one word there, and a list in `verify`.
#[test]
fn what_all_traces_have_in_common_is_shown() {
    in_browser(|browser| {
        open(browser, "all-traces", &samples::all_traces())?;
        let found = browser.text(".findings")?;
        assert!(found.contains("can block an error trace."), "{found}");
        assert!(
            found.contains("blocked with 1 · in every error trace"),
            "{found}"
        );
        assert!(
            found.contains("blocked with 0 · in 1 error trace"),
            "{found}"
        );
        assert!(!found.contains("another trace"), "{found}");
        Ok(())
    });
}

#[test]
fn a_repair_stands_before_the_runs_that_show_it() {
    in_browser(|browser| {
        open(browser, "repaired", &samples::repair())?;
        let headings = browser.value(
            "[...document.querySelectorAll('.column:last-child > section > h2')].map((h) => h.textContent)",
        )?;
        assert_eq!(headings, json!(["Repairs", "Runs", "Run, step by step"]));
        Ok(())
    });
}

/// Of two versions only one may ask for inputs.
#[test]
fn inputs_of_one_version_alone_are_said() {
    let (mut outcome, sources) = versions();
    let found = &mut outcome["different_for"][0];
    found["inputs"] = json!([]);
    found["named_inputs"] = json!([]);
    found["old"]["inputs"] = json!([]);
    found["new"]["inputs"] = json!([7]);
    in_browser(|browser| {
        open_with(browser, "one-sided", &outcome, &sources)?;
        let parting = browser.text(".parting .about")?;
        assert_eq!(parting, "On inputs 7, which only the new version takes");
        Ok(())
    });
}

/// Without a mouse: what was drawn anew took the focus with it, the slider swallowed all keys, and the player covered what the
/// Tab key came to.
#[test]
fn the_keyboard_alone_is_enough() {
    in_browser(|browser| {
        open(browser, "keyboard", &samples::explain())?;
        for part in [
            ".words li:nth-child(2) .chip:nth-of-type(2)",
            ".values-now button",
            ".player button:nth-of-type(2)",
        ] {
            browser.value(&format!("document.querySelector(`{part}`).focus()"))?;
            let label = "document.activeElement.getAttribute('aria-label')";
            let before = browser.value(label)?;
            browser.value("document.activeElement.click()")?;
            assert_eq!(browser.value(label)?, before, "{part}");
        }
        browser.value("document.querySelector('.player input').focus()")?;
        browser.press("/")?;
        assert_eq!(
            browser.value("document.activeElement.className")?,
            json!("find find-run")
        );
        // Every stop is seen above the player.
        open(browser, "tab", &samples::explain())?;
        let mut stops = 0;
        loop {
            browser.press("Tab")?;
            let at = browser.value(
                "(() => { const [at, player] = [document.activeElement, document.querySelector('.player')];
                   if (at === document.body || player.contains(at)) return null;
                   return [at.getBoundingClientRect().top < player.getBoundingClientRect().top, at.outerHTML.slice(0, 80)]; })()",
            )?;
            if at.is_null() {
                break;
            }
            assert_eq!(at[0], json!(true), "{at}");
            stops += 1;
        }
        assert!(stops > 20, "{stops}");
        Ok(())
    });
}
