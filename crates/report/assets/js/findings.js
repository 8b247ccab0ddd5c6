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

const relevantItem = (found) => make("li", "", placeLink(found.file, found.line), " ",
  make("code", "", found.text || ""), found.function ? ` in ${found.function}` : "",
  found.blocking_value === null || found.blocking_value === undefined ? null
    : make("span", "", found.passes === true ? " · passes with " : " · blocked with ",
      make("code", "", String(found.blocking_value)),
      found.in_this_run === false && found.passes !== true ? " in another run along this trace" : ""),
  found.occurrences > 1 ? make("span", "", ` · ${found.relevant_occurrences} of ${found.occurrences} times`) : null);

const relevantPane = () => {
  const first = outcome.relevant.filter((found) => found.shown !== false);
  const others = outcome.relevant.filter((found) => found.shown === false);
  return section("Relevant statements", "findings", make("p", "about",
    "Each of these assignments, changed alone, can block this trace; another trace to the error may remain, so no "
    + "single fix is promised. Those with which this run passes come first, then the nearest to the error."),
  make("ol", "list", ...first.map(relevantItem)),
  others.length === 0 ? null : make("details", "", make("summary", "",
    `${others.length} more block this trace, but then this run fails all the same`),
  make("ol", "list", ...others.map(relevantItem))));
};

// Cells of lists and arrays as boxes: `head: [0] → cur: [1] → nil`, `a = [0 | i: 1]`.
const structure = (text) => text.split(/(\[[^\]]*\])/).flatMap((part) => part.startsWith("[")
  ? part.slice(1, -1).split(" | ").map((cell) => make("span", "cell", cell)) : part);

const structures = (point) => make("details", "", make("summary", "", "Structures that fulfil it, and that do not"),
  ...(point.satisfying || []).map((text) => make("p", "small", "✓ ", ...structure(text))),
  ...(point.violating || []).map((found) => make("p", "small", "✗ ", ...structure(found.structure),
    make("span", "about", ` · not ${found.conjunct}`))));

const invariantsPane = () => section("Invariants", "findings", make("ol", "list", ...outcome.points.map((point) =>
  make("li", "", make("b", "", `${point.kind} in ${point.function} `), point.line
    ? placeLink(point.file || (sources[0] || {}).file, point.line) : "", " ", proofBadge(point.proof),
  make("pre", "formula", formulaText(point) || "none"),
  point.acsl ? make("details", "", make("summary", "", "ACSL"), make("pre", "", point.acsl)) : null,
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

const violationsPane = () => section("Violations", "findings", make("ol", "list", ...outcome.violations.map((found) =>
  make("li", "", make("code", "", `${found.file}:${found.line}`), found.seed ? ` from ${found.seed}` : "",
    make("div", "", ...(found.scenario || []).map((name) => make("span", "chip", name))),
    (found.nearest || []).length ? make("div", "about small", "the nearest that is allowed: ",
      ...found.nearest.map((name) => make("span", "chip", name))) : null))));

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
  if (has(outcome.relevant)) parts.push(relevantPane());
  if (has(outcome.points)) parts.push(invariantsPane());
  if (has(outcome.violations)) parts.push(violationsPane());
  if (outcome.scenarios) parts.push(scenariosPane());
  if (has(outcome.coverage)) parts.push(coveragePane());
  if (outcome.stdout) parts.push(section("Output", "", make("pre", "text", outcome.stdout)));
  if (has(outcome.warnings)) {
    parts.push(section("Warnings", "", make("ul", "list", ...outcome.warnings.map((w) => make("li", "", w)))));
  }
  return parts;
};
