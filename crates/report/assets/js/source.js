// The source pane: every line with how often it ran, its marks, and the values it last gave.

const lineRows = new Map();

// Marks of a line: each has a sign, so that none is told by colour alone.
const lineMarks = new Map();
const addMark = (file, line, sign, cls, text) => {
  if (!file || !line) return;
  const at = key(file, line);
  if (!lineMarks.has(at)) lineMarks.set(at, []);
  if (!lineMarks.get(at).some((mark) => mark.sign === sign)) lineMarks.get(at).push({ sign, cls, text });
};
const collectMarks = () => {
  if (failure) addMark(failure.file, failure.line, "✖", "bad", "fails here");
  for (const scene of scenes) {
    const doomed = new Set((scene.automaton.states || []).filter((s) => s.doomed).map((s) => s.id));
    for (const edge of scene.automaton.transitions || []) {
      const place = letterPlaces.get(edge.letter);
      if (!place) continue;
      if (edge.dominating) addMark(place.file, place.line, "◆", "open", outcome.command === "diff" || outcome.verdict === "program-language"
        ? "in every one of the words" : "on every failing way");
      if (doomed.has(edge.to) && !doomed.has(edge.from)) {
        addMark(place.file, place.line, "⊘", "bad", "after this, failure is certain");
      }
    }
  }
  for (const found of (outcome.relevant || []).filter((part) => part.shown !== false)) {
    addMark(found.file, found.line, "●", "open", `relevant: changed alone, it can block ${isAllTraces ? "an error trace" : "this trace"}`);
  }
  for (const found of violationLines()) {
    if (found.sign === "−") addMark(found.file, found.line, "✖", "bad", "not allowed here");
    else addMark(found.file, found.line, "+", "good", "after this, something is missing");
  }
  for (const branch of has(outcome.coverage) ? outcome.coverage : []) {
    if (!(branch.seen[0] && branch.seen[1])) addMark(branch.file, branch.line, "◐", "open", "samples did not come out both ways");
  }
  for (const found of assumptions) addMark(found.file, found.line, "≈", "open", "something is assumed here");
};

// Notes under a line: invariants at their loop, blocking values at their statement.
const notesAt = (file, line) => {
  const notes = [];
  const isHere = (part) => part.line === line && (!part.file || part.file === file);
  for (const point of (outcome.points || []).filter((part) => isHere(part) && part.formula)) {
    notes.push(make("div", "note", make("span", "note-kind", `${point.kind} invariant`), " ",
      make("code", "", formulaText(point)), " ", proofBadge(point.proof)));
  }
  for (const found of proofInvariants().filter(isHere)) {
    notes.push(make("div", "note proved", make("span", "note-kind", found.acsl ? found.acsl.split(" ").slice(0, -1)
      .filter((word) => /^(loop|invariant|requires|ensures)$/.test(word)).join(" ") : "invariant"), " ",
    make("code", "", found.formula), " ", make("span", "tag good", "✔ proved")));
  }
  for (const found of assumptions.filter((part) => part.file && isHere(part))) {
    notes.push(make("div", "note", make("span", "note-kind", `≈ ${found.kind}`), " ", ...ticked(found.text)));
  }
  for (const found of violationLines().filter((part) => isHere(part) && part.sign === "+")) {
    notes.push(make("div", "note", make("span", "note-kind", "+ missing after this"), " ", make("code", "", found.name)));
  }
  const relevant = (outcome.relevant || []).filter((part) => isHere(part) && part.shown !== false);
  for (const found of relevant) {
    const value = found.blocking_value;
    notes.push(make("div", "note", make("span", "note-kind", "● relevant"), " ",
      relevant.length > 1 ? make("code", "", found.text || "") : "", relevant.length > 1 ? ": " : "",
      value === null || value === undefined ? "" : "with the value ",
      value === null || value === undefined ? "" : make("code", "", String(value)),
      value === null || value === undefined ? "changed alone, it can block this trace"
        : found.passes === true ? " here, this run passes" : " here, this trace is blocked"));
  }
  return notes;
};

const effect = (step) => {
  if (step.decision === 1 || step.decision === true) return "yes";
  if (step.decision === 0 || step.decision === false) return "no";
  return Object.entries(step.values || {}).map(([name, value]) => `${name} = ${value}`).join(", ");
};

const sourcePane = () => {
  collectMarks();
  const letterAt = new Map();
  for (const [name, place] of letterPlaces) {
    const at = key(place.file, place.line);
    letterAt.set(at, [...(letterAt.get(at) || []), name]);
  }
  const code = make("div", isComparing ? "beside" : "code scroll");
  if (!isComparing) code.tabIndex = 0;
  // Long sources get their colours when the page stands.
  const AT_ONCE = 300;
  const plain = [];
  const colour = () => {
    for (const [src, pieces] of plain.splice(0, 300)) src.replaceChildren(...inColour(pieces));
    if (plain.length) setTimeout(colour);
  };
  addEventListener("load", () => setTimeout(colour, 50));
  const placeOf = new Map();
  const placeUnder = (event) => placeOf.get(event.target.closest(".row"));
  code.addEventListener("click", (event) => {
    const place = placeUnder(event);
    if (place) goToLine(place.file, place.line);
  });
  let pointedAt = null;
  const pointTo = (place) => {
    if (place === pointedAt) return;
    pointedAt = place;
    highlightLetters(place ? place.letters : []);
  };
  code.addEventListener("mouseover", (event) => pointTo(placeUnder(event)));
  code.addEventListener("mouseleave", () => pointTo(null));
  const rowFor = (file, line, pieces, change) => {
    const at = key(file, line);
    const marks = [...(change ? [change] : []), ...(lineMarks.get(at) || [])];
    const letters = letterAt.get(at) || [];
    const sign = make("span", "sign", ...marks.map((mark) => make("span", mark.cls, mark.sign)));
    if (marks.length) sign.title = marks.map((mark) => `${mark.sign} ${mark.text}`).join("\n");
    const events = make("span", "events", ...letters.slice(0, 1).map((name) =>
      make("span", "letter " + colorOf(name), "▸")));
    if (letters.length) events.title = "event " + letters.join(", ");
    const src = make("span", "src", ...(line <= AT_ONCE ? inColour(pieces) : [pieces.map((p) => p[1]).join("")]));
    if (line > AT_ONCE) plain.push([src, pieces]);
    const row = make("div", (marks.length || letters.length ? "row marked" : "row") + (change ? " " + change.row : ""),
      make("span", "times"), make("span", "n", String(line)), sign, events, src, make("span", "values"));
    row.dataset.line = line;
    placeOf.set(row, { file, line, letters });
    lineRows.set(at, row);
    return [row, ...notesAt(file, line)];
  };
  if (isComparing) code.append(...besides(rowFor));
  else {
    for (const { file, text } of sources) {
      if (sources.length > 1) code.append(make("div", "file", file));
      linesOf(text).forEach((pieces, index) => code.append(...rowFor(file, index + 1, pieces)));
    }
  }
  const legend = make("p", "legend");
  const used = new Map([...lineMarks.values()].flat().map((mark) => [mark.sign, mark]));
  for (const mark of used.values()) {
    legend.append(make("span", "", make("b", mark.cls, mark.sign), " " + mark.text));
  }
  if (letterPlaces.size) legend.append(make("span", "", make("b", "", "▸"), " event"));
  if (isComparing) legend.append(...changeLegend());
  const only = button(isComparing ? "only changes" : "only what ran", isComparing
    ? "hide lines that are far from every change" : "hide lines that did not run and have no mark", () => {
    const on = code.classList.toggle("only");
    only.setAttribute("aria-pressed", String(on));
  });
  only.setAttribute("aria-pressed", "false");
  const name = sources.length === 1 ? basename(sources[0].file) : "Source";
  watchers.push((isOther) => markLines(isOther));
  return section(isComparing ? "Both versions" : name, "source", make("div", "tools", findInSource(code),
    runs.length || isComparing ? only : null), code, legend);
};

const linesOf = (text) => lexLines(text.replace(/\n$/, ""));

const shortCount = (n) => n < 1e5 ? String(n) : n < 1e6 ? `${Math.round(n / 1e3)}k` : `${(n / 1e6).toPrecision(3)}M`;

// How often lines ran in this run, the current line, and the values of the steps before it.
let shownRows = [];
const markLines = (isOther) => {
  const { run, step } = now;
  if (isOther) {
    const times = run.steps.lineCounts();
    if (run.partner && !run.isSameText) for (const [at, n] of run.partner.steps.lineCounts()) times.set(at, n);
    for (const [at, row] of lineRows) {
      const n = times.get(at);
      row.classList.toggle("ran", Boolean(n));
      row.firstChild.textContent = n && run.isReplayed && !run.isViolation ? shortCount(n) + "×" : "";
      row.firstChild.title = n >= 1e5 ? `${n.toLocaleString("en")} times` : "";
    }
  }
  for (const row of shownRows) {
    row.classList.remove("now", "aside");
    row.lastChild.textContent = "";
    row.lastChild.classList.remove("fresh");
  }
  shownRows = [];
  const seen = new Set();
  markRun(run, step, "now", seen);
  // The other version, as far as it is by now.
  if (run.partner && !run.isSameText && inStep(run).to[step] >= 0) markRun(run.partner, inStep(run).to[step], "aside", seen);
};
const markRun = (run, step, cls, seen) => {
  for (let i = step; i >= 0 && i > step - 400; i--) {
    const each = run.steps.at(i);
    const at = key(each.file, each.line);
    if (seen.has(at)) continue;
    const row = lineRows.get(at);
    const text = run.isReplayed ? effect(each) : "";
    if (!row || (!text && i !== step)) continue;
    seen.add(at);
    row.lastChild.textContent = text;
    row.lastChild.classList.toggle("fresh", i === step);
    if (i === step) { row.classList.add(cls); reveal(row); if (cls === "now") markText(row, each.text); }
    shownRows.push(row);
  }
};

// What of the line is done in this step: where its text is, as a word of its own. Lines change nothing for it.
const stepText = window.Highlight && CSS.highlights ? new Highlight() : null;
if (stepText) CSS.highlights.set("step", stepText);
const markText = (row, wanted) => {
  if (!stepText) return;
  stepText.clear();
  const src = row.querySelector(".src");
  const whole = src.textContent;
  const isWord = (c) => /[A-Za-z0-9_]/.test(c || "");
  let at = wanted ? whole.indexOf(wanted) : -1;
  while (at >= 0 && (isWord(whole[at - 1]) && isWord(wanted[0]) || isWord(whole[at + wanted.length]) && isWord(wanted.at(-1)))) {
    at = whole.indexOf(wanted, at + 1);
  }
  if (at < 0 || whole.trim() === wanted) return;
  const range = new Range();
  const walker = document.createTreeWalker(src, NodeFilter.SHOW_TEXT);
  for (let from = 0; walker.nextNode(); from += walker.currentNode.length) {
    const node = walker.currentNode;
    if (at >= from && at < from + node.length) range.setStart(node, at - from);
    if (at + wanted.length <= from + node.length) { range.setEnd(node, at + wanted.length - from); break; }
  }
  stepText.add(range);
};

// Scrolls the pane, never the page.
const reveal = (row) => {
  const box = row.closest(".scroll");
  if (!box || box.scrollHeight <= box.clientHeight) return;
  // The pane is positioned, so this counts from its own top.
  const top = row.offsetTop;
  if (top < box.scrollTop + 30 || top > box.scrollTop + box.clientHeight - 60) {
    box.scrollTop = top - box.clientHeight / 2;
  }
};

const pointAt = (file, line) => {
  const row = lineRows.get(key(file, line));
  if (!row) return;
  reveal(row);
  row.scrollIntoView({ block: "nearest" });
  row.classList.add("pointed");
  setTimeout(() => row.classList.remove("pointed"), 1200);
};

// The next step on this line after the current one, or else the first.
const goToLine = (file, line) => {
  if (!now.run) return;
  const { steps } = now.run;
  const isWanted = steps.lines.map((at) => at === key(file, line));
  const later = steps.next(isWanted, now.step + 1, 1);
  const to = later >= 0 ? later : steps.next(isWanted, 0, 1);
  if (to >= 0) show(now.run, to);
};
