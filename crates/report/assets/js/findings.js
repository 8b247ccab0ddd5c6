// What a command found beside automata: relevant statements, invariants, scenarios, violations.

const has = (list) => Array.isArray(list) && list.length > 0;

const proofBadge = (proof) => {
  const known = { adequate: ["✔ adequate", "good"], inductive: ["✔ inductive", "good"],
    "not-proved": ["? not proved", "open"], refuted: ["✖ refuted", "bad"] };
  const [text, cls] = known[proof] || [proof || "", "open"];
  return text ? make("span", "tag " + cls, text) : null;
};

// The conjuncts of a point, a line each. What a badge does not vouch for is marked.
const formulaText = (point) => {
  const isProved = point.proof === "adequate" || point.proof === "inductive";
  if (!isProved || !has(point.conjuncts) || point.conjuncts.every((part) => part.proved)) return point.formula || "";
  const lines = point.conjuncts.map((part) => part.text + (part.proved ? "" : "    (seen, not proved)"));
  return lines.join(" ∧\n");
};

// What a proof rests on. Only a verdict that is a proof has any.
const proofInvariants = () => ((outcome.proof || {}).invariants || []).filter((found) => found.formula);

const METHODS = {
  "all-paths": "Every path was followed to its end.",
  unwound: "Every run ends within the unwinding that was looked at.",
  induction: "By induction: what holds at each loop holds again after another round, and excludes the error.",
  "trace-abstraction": "By trace abstraction: every way to the error was shown to be infeasible.",
  "abstract-states": "Abstract states that together describe every run were followed; none is at an error.",
  invariants: "By learned invariants that are inductive and exclude the error.",
  contracts: "By contracts of functions that exclude the error.",
};
const proofPane = () => {
  const { method, checked_by: checker } = outcome.proof;
  const found = proofInvariants();
  return section("Proof", "findings proof", make("p", "about", METHODS[method] || plain(method || "")),
    checker ? make("p", "about", `Checked again by ${checker}.`) : null,
    found.length ? make("ol", "list", ...found.map((part) => make("li", "",
      part.line ? placeLink(part.file, part.line) : null, part.function ? ` in ${part.function} ` : " ",
      make("pre", "formula", part.formula)))) : null);
};

// Changes that make the error go away: the line before and after, and how far that holds.
const repairsPane = () => section("Repairs", "findings", make("ol", "list", ...outcome.repairs.map((repair) =>
  make("li", "", placeLink(repair.file, repair.line), repair.kind ? ` ${plain(repair.kind)} ` : " ",
    make("pre", "change", make("del", "", "- " + (repair.before || "")), "\n", make("ins", "", "+ " + (repair.after || ""))),
    repair.holds ? make("div", repair.overfitting ? "about" : "about sure", `It ${repair.holds}.`) : null,
    repair.failing_run ? make("div", "about small", `the failing run, before: ${repair.failing_run.old}; after: ${repair.failing_run.new}`) : null,
    repair.differs_on ? make("div", "about small", `other inputs on which it matters: ${inputsOf(repair.differs_on) || "none"} `
      + `(before: ${repair.differs_on.old}; after: ${repair.differs_on.new})`) : null))));

// Inputs on which two versions part, replayed on both. What differs stands out.
const partingPane = () => {
  const parts = [["result", (side) => factValue(side.result)], ["output", (side) => side.stdout || ""],
    ["events", (side) => (side.word || []).join(" ")]];
  const table = (found) => {
    const { what } = found;
    const after = (side) => what ? what[side === found.new ? "new" : "old"] || "differs" : "";
    const [old, fresh] = [found.old || {}, found.new || {}];
    const all = what ? [...parts, [what.name.replaceAll("`", ""), after]] : parts;
    const told = all.filter(([, say]) => say(old) || say(fresh));
    const row = (name, side) => make("tr", "", make("th", "", name), ...told.map(([, say]) =>
      make("td", say(old) === say(fresh) ? "" : "differs", make("code", "text", say(side) || "none"))));
    return make("table", "numbers", make("thead", "", make("tr", "", make("td", ""), ...told.map(([name]) => make("th", "", name)))),
      make("tbody", "", row("old", old), row("new", fresh)));
  };
  // A version may take inputs where the other asks for none.
  const taken = (found) => {
    if (inputsOf(found)) return ["On inputs ", make("code", "", inputsOf(found))];
    const side = ["old", "new"].find((name) => inputsOf(found[name] || {}));
    return side ? ["On inputs ", make("code", "", inputsOf(found[side])), `, which only the ${side} version takes`] : ["Without inputs"];
  };
  return section("Where they part", "findings parting", ...outcome.different_for.flatMap((found) => [
    make("p", "about", ...taken(found)), table(found)]));
};

// What to look at first, a line once: a value with which the failing run passes, in place of what is there.
const placesPane = () => {
  const seen = new Set();
  const first = outcome.places.filter((place) => {
    const at = key(place.file, place.line);
    return seen.has(at) ? false : seen.add(at);
  });
  const value = (place) => place.kind === "condition" ? (place.passing_value ? "true" : "false") : String(place.passing_value);
  return section("Where to look, best first", "findings", make("ol", "list bars", ...first.slice(0, 20).map((place) => {
    const bar = make("span", "meter");
    bar.style.width = `${Math.max(1, 100 * Math.min(1, place.score || 0))}%`;
    const isKnown = place.passing_value !== null && place.passing_value !== undefined;
    return make("li", "", make("span", "tally", (place.score || 0).toFixed(2), bar), make("span", "",
      placeLink(place.file, place.line), ` ${plain(place.kind || "")} `, make("code", "", place.text || ""),
      isKnown ? make("span", "", place.passes ? " · passes with " : " · blocked with ", make("code", "", value(place))) : null));
  })));
};

// `localize --all-traces` says in one word what it covered; `verify` has a row for each branch.
const isAllTraces = typeof outcome.coverage === "string";

const relevantItem = (found) => make("li", "", placeLink(found.file, found.line), " ",
  make("code", "", found.text || ""), found.function ? ` in ${found.function}` : "",
  found.blocking_value === null || found.blocking_value === undefined ? null
    : make("span", "", found.passes === true ? " · passes with " : " · blocked with ",
      make("code", "", String(found.blocking_value)),
      found.in_this_run === false && found.passes !== true ? " in another run along this trace" : ""),
  found.relevant_in === undefined ? null
    : make("span", "soft", ` · in ${found.in_every_trace ? "every error trace" : count(found.relevant_in, "error trace")}`),
  found.occurrences > 1 ? make("span", "", ` · ${found.relevant_occurrences} of ${found.occurrences} times`) : null,
  typeof found.score === "number" && found.score > 0 ? make("span", "soft", ` · score ${found.score.toFixed(2)}`) : null);

const relevantPane = () => {
  const first = outcome.relevant.filter((found) => found.shown !== false);
  const others = outcome.relevant.filter((found) => found.shown === false);
  return section("Relevant statements", "findings", make("p", "about", isAllTraces
    ? "Each of these assignments, changed alone, can block an error trace. Those that are in the most traces come first."
    : "Each of these assignments, changed alone, can block this trace; another trace to the error may remain, so no "
    + "single fix is promised. Those with which this run passes come first, then the nearest to the error."),
  make("ol", "list", ...first.map(relevantItem)),
  others.length === 0 ? null : make("details", "", make("summary", "",
    `${others.length} more block this trace, but then this run fails all the same`),
  make("ol", "list", ...others.map(relevantItem))));
};

// Cells of lists and arrays as boxes: `head: [0] → cur: [1] → nil`, `a = [0 | i: 1]`.
const structure = (text) => text.split(/(\[[^\]]*\])/).flatMap((part) => part.startsWith("[")
  ? part.slice(1, -1).split(" | ").map((cell) => make("span", "cell", cell)) : part);

// The same runs at the beginning and at the end of the function.
const changesOf = (point) => {
  const all = make("details", "", make("summary", "", "Before and after"), ...point.changes.map((change) => make("div", "before-after small",
    make("span", "soft", "before "), make("span", "", ...structure(change.before)),
    make("span", "soft", "after "), make("span", "", ...structure(change.after)))));
  all.open = true;
  return all;
};

const structures = (point) => make("details", "", make("summary", "", "Structures that fulfil it, and that do not"),
  ...(point.satisfying || []).map((text) => make("p", "small", "✓ ", ...structure(text))),
  ...(point.violating || []).map((found) => make("p", "small", "✗ ", ...structure(found.structure),
    make("span", "about", ` · not ${found.conjunct}`))));

const invariantsPane = () => section("Invariants", "findings", make("ol", "list", ...outcome.points.map((point) =>
  make("li", "", make("b", "", `${point.kind} in ${point.function} `), point.line
    ? placeLink(point.file || (sources[0] || {}).file, point.line) : "", " ", proofBadge(point.proof),
  make("pre", "formula", formulaText(point) || "none"),
  point.acsl ? make("details", "", make("summary", "", "ACSL"), make("pre", "", point.acsl)) : null,
  has(point.changes) ? changesOf(point) : null,
  has(point.satisfying) ? structures(point) : null,
  point.obligation ? make("p", "about small", `Open: ${point.obligation}`) : null))),
has(outcome.assertions) ? make("ul", "list", ...outcome.assertions.map((found) => make("li", "", "assertion ",
  placeLink(found.file, found.line), " ", found.proved ? make("span", "tag good", "✔ proved") : proofBadge("not-proved"))))
  : null);

const scenariosPane = () => {
  const { count: all, distinct, strings } = outcome.scenarios;
  const most = Math.max(1, ...(strings || []).map((s) => s.count));
  return section("Scenarios", "findings", make("p", "about", `${count(all || 0, "scenario")}, ${distinct || 0} distinct.`),
    make("ol", "list bars scroll", ...(strings || []).slice(0, 200).map((scenario) => {
      const bar = make("span", "meter");
      bar.style.width = `${Math.max(1, 100 * scenario.count / most)}%`;
      return make("li", "", make("span", "tally", String(scenario.count), bar),
        make("span", "", ...scenario.letters.map((name) => make("span", "chip letter " + colorOf(name), name))));
    })));
};

// What objects keep to, and how many votes that has: one a program, or one an object where there is one program.
const rulesPane = () => {
  const { rules, voters, n_voters: n, objects } = outcome.lives;
  return section("Rules about the lives of objects", "findings", make("p", "about",
    `${count(objects || 0, "object")}; ${count(n || 0, "vote")}, one ${voters === "programs" ? "a program" : voters === "runs" ? "a run" : "an object"}.`),
  make("ol", "list bars scroll", ...rules.map((rule) => {
    const bar = make("span", "meter");
    bar.style.width = `${Math.max(1, 100 * rule.confidence)}%`;
    const tally = make("span", "tally", `${Math.round(100 * rule.confidence)} %`, bar);
    const votes = (rule.votes || []).map((vote) => make("li", "", make("code", "", vote.program), " ",
      make("span", vote.kept < vote.objects ? "bad" : "soft", `${vote.kept < vote.objects ? "✖ " : ""}${vote.kept} of ${vote.objects}`)));
    return make("li", "", tally, make("span", "", ...ticked(rule.text),
      make("span", "soft", ` · ${rule.kept} of ${count(rule.objects, "object")}, ${count(rule.support, "vote")}`),
      votes.length ? make("details", "", make("summary", "", "by program"), make("ul", "list small", ...votes)) : null));
  })));
};

const violationsPane = () => section("Violations", "findings", make("ol", "list", ...outcome.violations.map((found, index) =>
  make("li", "", placeLink(found.file, found.line), " ", found.kind ? make("span", "tag bad", found.kind) : null,
    found.what ? ` ${found.what}` : found.seed ? ` from ${found.seed}` : "",
    found.at ? make("span", "soft", ` · ${found.at}`) : null,
    found.rule ? make("div", "about small", `rule: ${found.rule}`) : null,
    make("div", "aligned", ...alignedChips(found, violated[index])),
    leftAt(violated[index])))),
make("p", "legend", make("span", "", make("b", "bad", "−"), " not allowed here"),
  make("span", "", make("b", "good", "+"), " missing"), make("span", "", "beside the nearest behaviour that is allowed")));

// Where the automaton could not follow.
const leftAt = (run) => {
  if (!run.scene) return null;
  const way = wayOf(run.scene, run.word);
  if (way.at === undefined || way.isAccepted) return null;
  const next = run.calls[way.taken];
  return make("div", "about small", `${run.scene.title}: it comes to q${way.at}, `,
    next === undefined ? "where it may not end" : "where there is no way on with ", next === undefined ? "" : make("code", "", next));
};

// Calls that can be clicked, and what is missing between them.
const alignedChips = (found, run) => {
  const own = found.scenario || [];
  return aligned(own, has(found.nearest) ? found.nearest : own).map(({ sign, name, at }) => {
    const cls = { "−": "bad", "+": "good" }[sign] || "";
    const text = (sign ? sign + " " : "") + name;
    const chip = at === undefined ? make("span", "", text)
      : button(text, `line ${(found.scenario_lines || [])[at] || "?"} of the trace`, () => show(run, at));
    chip.className = "chip " + cls;
    return chip;
  });
};

// A run beside the nearest correct behaviour: what both have, what is too much, what is missing. Where either would
// do, what is missing comes first, as on a terminal.
const aligned = (own, nearest) => {
  const MOST = 400;
  const [a, b] = [own.slice(0, MOST), nearest.slice(0, MOST)];
  const best = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      best[i][j] = a[i] === b[j] ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    }
  }
  const parts = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) { parts.push({ sign: "", name: a[i], at: i }); i += 1; j += 1; }
    else if (i < a.length && (j === b.length || best[i + 1][j] > best[i][j + 1])) { parts.push({ sign: "−", name: a[i], at: i }); i += 1; }
    else { parts.push({ sign: "+", name: b[j] }); j += 1; }
  }
  return parts;
};

// Lines of a trace, and of the program where the trace names it, that are too much, and after which something is
// missing.
const violationLines = () => (outcome.violations || []).flatMap((found) => {
  let last = 0;
  return aligned(found.scenario || [], has(found.nearest) ? found.nearest : found.scenario || []).flatMap(({ sign, name, at }) => {
    if (at !== undefined) last = at;
    if (!sign) return [];
    const [, file, line] = /^(.*):(\d+)$/.exec((found.scenario_at || [])[last] || "") || [];
    const places = [{ file: found.file, line: (found.scenario_lines || [])[last] }, { file, line: Number(line) }];
    return places.filter((place) => place.file && place.line).map((place) => ({ ...place, sign, name }));
  });
});

// How often samples took each outcome of a branch; one that was never taken is worth a look.
const coveragePane = () => {
  const rows = outcome.coverage.filter((branch) => branch.file);
  const both = rows.filter((branch) => branch.seen[0] && branch.seen[1]).length;
  const cell = (n) => make("td", n ? "" : "bad", String(n));
  return section("Branches that samples came to", "findings", make("p", "about",
    `Of ${count(rows.length, "branch", "branches")}, ${both} came out both ways.`),
  make("table", "numbers", make("thead", "", make("tr", "", ...["branch", "0", "1"].map((name) => make("th", "", name)))),
    make("tbody", "", ...rows.map((branch) => make("tr", "", make("th", "", placeLink(branch.file, branch.line),
      ` in ${branch.function}`), cell(branch.seen[0]), cell(branch.seen[1]))))));
};

const findingPanes = () => {
  const parts = [];
  if (outcome.proof && outcome.proof.method) parts.push(proofPane());
  if (has(outcome.places)) parts.push(placesPane());
  if (has(outcome.relevant)) parts.push(relevantPane());
  if (has(outcome.different_for)) parts.push(partingPane());
  if (has(outcome.points)) parts.push(invariantsPane());
  if (has(outcome.violations)) parts.push(violationsPane());
  if (has((outcome.lives || {}).rules)) parts.push(rulesPane());
  if (outcome.scenarios) parts.push(scenariosPane());
  if (has(outcome.coverage)) parts.push(coveragePane());
  if (outcome.stdout) parts.push(section("Output", "", make("pre", "text", outcome.stdout)));
  if (has(outcome.warnings)) {
    parts.push(section("Warnings", "", make("ul", "list", ...outcome.warnings.map((w) => make("li", "", ...ticked(w))))));
  }
  return parts;
};
