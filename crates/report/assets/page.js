"use strict";
// The data is the outcome as `--json` prints it, with the sources beside it.
const { title, command, outcome, sources } = JSON.parse(document.getElementById("data").textContent);

const make = (tag, cls, ...content) => {
  const node = document.createElement(tag);
  if (cls) node.className = cls;
  node.append(...content.filter((part) => part !== null && part !== undefined));
  return node;
};

const section = (name, ...content) => make("section", "", make("h2", "", name), ...content);

const KEYWORDS = new Set(("auto break case char const continue default do double else enum extern " +
  "float for goto if inline int long register restrict return short signed sizeof static struct " +
  "switch typedef union unsigned void volatile while _Bool").split(" "));

// One line of C as coloured pieces. A comment over several lines is coloured on its first line only.
const highlight = (text) => {
  const pieces = text.match(
    /\/\/.*|\/\*.*?(?:\*\/|$)|"(?:\\.|[^"\\])*"?|'(?:\\.|[^'\\])*'?|^\s*#\s*\w+|[A-Za-z_]\w*|\d[\w.]*|\s+|[^\w\s]/g) || [];
  return pieces.map((piece) => {
    if (piece.startsWith("//") || piece.startsWith("/*")) return make("span", "o", piece);
    if (piece[0] === '"' || piece[0] === "'") return make("span", "s", piece);
    if (/^\s*#/.test(piece) || KEYWORDS.has(piece)) return make("span", "k", piece);
    if (/^\d/.test(piece)) return make("span", "d", piece);
    return document.createTextNode(piece);
  });
};

const steps = outcome.trace || [];
const key = (file, line) => file + "\n" + line;
const counts = new Map();
for (const step of steps) {
  const at = key(step.file, step.line);
  counts.set(at, (counts.get(at) || 0) + 1);
}

// What a step did, in a few characters: new values, or which way a condition went.
const effect = (step) => {
  if (step.decision === 1) return "yes";
  if (step.decision === 0) return "no";
  return Object.entries(step.values).map(([name, value]) => `${name} = ${value}`).join(", ");
};

const KIND = { exit: "good", proved: "good", learned: "good", error: "bad", fault: "bad" };
const head = () => {
  const error = outcome.error;
  const what = error
    ? `${error.message || error.kind} (${error.file || "?"}:${error.line || "?"}, in ${error.function})`
    : outcome.exit_code === null || outcome.exit_code === undefined ? "" : `status ${outcome.exit_code}`;
  return make("header", "",
    make("h1", "", title),
    make("span", "badge " + (KIND[outcome.verdict] || "open"), outcome.verdict || ""),
    make("span", "what", what),
    make("p", "guarantee", (outcome.guarantee || {}).text || ""),
    make("p", "command", "Reproduce with ", make("code", "", command)));
};

const lines = new Map();
const source = () => {
  const code = make("div", "code scroll");
  for (const { file, text } of sources) {
    if (sources.length > 1) code.append(make("div", "", make("span", "n"), make("b", "", file)));
    text.replace(/\n$/, "").split("\n").forEach((line, index) => {
      const at = key(file, index + 1);
      const fails = outcome.error && outcome.error.file === file && outcome.error.line === index + 1;
      const count = counts.get(at);
      const row = make("div", count ? "ran" : "",
        make("span", "c", count ? count + "×" : ""),
        make("span", "n", String(index + 1)),
        make("span", "m", fails ? "✖" : ""),
        make("span", "", ...highlight(line)),
        make("span", "v"));
      row.addEventListener("click", () => goToLine(at));
      lines.set(at, row);
      code.append(row);
    });
  }
  return section("Source · how often each line ran · ✖ fails here", code);
};

let now = -1;
let items = [];
const show = (index) => {
  if (index < 0 || index >= steps.length) return;
  if (now >= 0) {
    items[now].classList.remove("now");
    const old = lines.get(key(steps[now].file, steps[now].line));
    if (old) { old.classList.remove("now"); old.lastChild.textContent = ""; }
  }
  now = index;
  const step = steps[index];
  items[index].classList.add("now");
  items[index].scrollIntoView({ block: "nearest" });
  const row = lines.get(key(step.file, step.line));
  if (row) {
    row.classList.add("now");
    row.lastChild.textContent = effect(step) ? "// " + effect(step) : "";
    row.scrollIntoView({ block: "nearest" });
  }
  document.getElementById("where").textContent = `step ${index + 1} of ${steps.length}`;
};

// The next step on this line after the current one, or else the first.
const goToLine = (at) => {
  const onLine = (step) => key(step.file, step.line) === at;
  const later = steps.findIndex((step, index) => index > now && onLine(step));
  show(later >= 0 ? later : steps.findIndex(onLine));
};

const run = () => {
  const list = make("ol", "steps scroll");
  list.tabIndex = 0;
  items = steps.map((step, index) => {
    const item = make("li", "", make("span", "at", String(step.line)),
      make("span", "", "\u2007".repeat(2 * Math.min(step.depth || 0, 12)) + step.text),
      make("span", "to", effect(step)));
    item.addEventListener("click", () => show(index));
    return item;
  });
  list.append(...items);
  const button = (label, move) => {
    const node = make("button", "", label);
    node.addEventListener("click", move);
    return node;
  };
  const bar = make("div", "bar",
    button("← back", () => show(now - 1)), button("next →", () => show(now + 1)),
    button("end", () => show(steps.length - 1)));
  const where = make("span", "");
  where.id = "where";
  bar.append(where);
  return section("Run · ← → or j k step through it", bar, list);
};

const facts = () => {
  const list = make("dl", "");
  const add = (name, value) => list.append(make("dt", "", name), make("dd", "", value));
  if (outcome.inputs) add("inputs", outcome.inputs.join(", ") || "none");
  for (const [name, value] of Object.entries(outcome.statistics || {})) {
    add(name.replaceAll("_", " "), String(value));
  }
  add("version", outcome.version || "");
  const parts = [section("Facts", list)];
  if ((outcome.events || []).length) {
    const words = outcome.events.slice(0, 500).map((event) => make("code", "word", event));
    parts.push(section("Events", make("div", "text", ...words)));
  }
  if (outcome.stdout) parts.push(section("Output", make("pre", "text", outcome.stdout)));
  if ((outcome.warnings || []).length) {
    parts.push(section("Warnings", make("div", "text", outcome.warnings.join("\n"))));
  }
  return parts;
};

const page = document.getElementById("page");
page.append(head(), make("div", "panes", make("div", "", source()),
  make("div", "", ...(steps.length ? [run()] : []), ...facts())));
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "ArrowRight" || event.key === "j") { show(now + 1); event.preventDefault(); }
  if (event.key === "ArrowLeft" || event.key === "k") { show(now - 1); event.preventDefault(); }
});
if (steps.length) show(steps.length - 1);
