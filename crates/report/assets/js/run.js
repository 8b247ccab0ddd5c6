// The run pane: the trace step by step, loops folded, and the values as they are now.

let rows = [];
const openFolds = new Set();
const layRows = () => {
  rows = foldLoops(now.run.steps).flatMap((row) => {
    if (row.step !== undefined || !openFolds.has(row.from)) return [row];
    return Array.from({ length: row.to - row.from }, (_, index) => ({ step: row.from + index }));
  });
};

const runPane = () => {
  const list = make("ol", "steps scroll");
  list.tabIndex = 0;
  list.setAttribute("aria-label", "steps of the run");
  const values = make("dl", "values-now");
  const about = make("p", "about");
  const pane = section("Run, step by step", "run", about, list, values);
  pane.hidden = true;
  watchers.push((isOther) => {
    pane.hidden = false;
    if (isOther) {
      openFolds.clear();
      layRows();
      about.replaceChildren(...aboutRun(now.run));
    }
    // A jump into a folded loop unfolds it.
    const fold = rows.find((row) => row.from <= now.step && now.step < row.to);
    if (fold) { openFolds.add(fold.from); layRows(); }
    drawRows(list);
    drawValues(values);
  });
  return pane;
};

const aboutRun = (run) => {
  const parts = [];
  if (run.name) parts.push(run.name + ": ");
  parts.push(run.isReplayed
    ? `${count(run.steps.length, "step")}${run.word.length ? `, ${count(run.word.length, "event")}` : ""}. `
    : make("b", "open", "This word was read off the automaton; it was not re-run. "));
  if (run.inputs && run.inputs.length) parts.push("Inputs ", make("code", "", run.inputs.join(", ")), ".");
  else if (run.inputs) parts.push("It takes no inputs.");
  return parts;
};

// Only rows near the current one are in the page: traces may have a hundred thousand steps.
const WINDOW = 300;
const drawRows = (list) => {
  const at = rows.findIndex((row) => row.step === now.step);
  const from = Math.max(0, at - WINDOW);
  const to = Math.min(rows.length, at + WINDOW);
  const lettersAt = new Map();
  now.run.events.forEach((step, index) => {
    lettersAt.set(step, [...(lettersAt.get(step) || []), now.run.word[index]]);
  });
  const items = rows.slice(from, to).map((row) => row.step === undefined
    ? foldItem(row, list) : stepItem(row.step, lettersAt.get(row.step) || []));
  if (from > 0) items.unshift(make("li", "more", `${count(from, "row")} before`));
  if (to < rows.length) items.push(make("li", "more", `${count(rows.length - to, "row")} after`));
  list.replaceChildren(...items);
  const current = list.querySelector(".now");
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
};

const stepItem = (index, letters) => {
  const step = now.run.steps[index];
  const chips = letters.map((name) => make("span", "chip letter " + colorOf(name), name));
  const said = effect(step);
  const item = make("li", index === now.step ? "now" : "",
    make("span", "at", step.line ? String(step.line) : ""),
    make("span", "what", "\u2007".repeat(2 * Math.min(step.depth || 0, 10)) + (step.text || "")),
    make("span", "to", said), ...chips);
  if (step.relevant === true && step.assigning !== false) item.append(relevantChip(step));
  if (step.relevant === null && step.assigning) item.append(make("span", "chip", "? not known"));
  if (index === now.step) item.setAttribute("aria-current", "step");
  item.title = step.function ? `in ${step.function}` : "";
  item.addEventListener("click", () => show(now.run, index));
  return item;
};

const relevantChip = (step) => {
  const value = step.blocking_value;
  if (step.passes === false) return make("span", "chip", `blocked with ${value}`);
  return make("span", "chip relevant", value === null || value === undefined
    ? "● relevant" : `● ${step.passes === true ? "passes" : "blocked"} with ${value}`);
};

const foldItem = (row, list) => {
  const lines = now.run.steps.slice(row.from, row.from + row.period).map((s) => s.line);
  const open = button(`↻ ${count(row.times, "more iteration")} of lines ` +
    `${Math.min(...lines)}–${Math.max(...lines)}`, "show them", () => {
    openFolds.add(row.from);
    layRows();
    drawRows(list);
  });
  return make("li", "fold", open);
};

// The last value of each name by now, the fresh ones first in line.
const drawValues = (list) => {
  const known = new Map();
  for (let i = 0; i <= now.step; i++) {
    for (const [name, value] of Object.entries(now.run.steps[i].values || {})) {
      known.delete(name);
      known.set(name, { value, at: i });
    }
  }
  const items = [...known].reverse().slice(0, 24).map(([name, { value, at }]) => make("div",
    at === now.step ? "fresh" : "", make("dt", "", name), make("dd", "", String(value))));
  list.replaceChildren(...items);
};
