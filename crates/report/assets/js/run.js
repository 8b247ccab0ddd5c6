// The run pane: the trace step by step, loops folded, and the values as they are now.

let rows = [];
const layRows = () => { rows = foldLoops(now.run.steps); };
// Opens a fold: all of it, or of a very long one what is around a step.
const openFold = (index, around) => {
  const { from, to, period } = rows[index];
  const MOST = 20_000;
  const cut = (step) => from + Math.floor((step - from) / period) * period;
  const start = to - from <= MOST ? from : Math.max(from, cut(around - MOST / 2));
  const end = to - from <= MOST ? to : Math.min(to, cut(around + MOST / 2));
  const fold = (a, b) => b > a ? [{ from: a, to: b, times: (b - a) / period, period }] : [];
  const opened = Array.from({ length: end - start }, (_, i) => start + i);
  rows = rows.slice(0, index).concat(fold(from, start), opened, fold(end, to), rows.slice(index + 1));
};

const runPane = () => {
  const list = make("ol", "steps scroll");
  list.tabIndex = 0;
  list.setAttribute("aria-label", "steps of the run");
  const values = make("dl", "values-now");
  const about = make("p", "about");
  const pane = section("Run, step by step", "run", make("div", "tools", findInRun()), about, list, values, watchPane());
  pane.hidden = true;
  watchers.push((isOther) => {
    pane.hidden = false;
    if (isOther) {
      layRows();
      refill(about, aboutRun(now.run));
    }
    // A jump into a folded loop unfolds it.
    const index = rowOf(rows, now.step);
    if (typeof rows[index] !== "number") openFold(index, now.step);
    drawRows(list);
    drawValues(values);
  });
  return pane;
};

const aboutRun = (run) => {
  const parts = [];
  if (run.name) parts.push(run.name + ": ");
  parts.push(run.isReplayed
    ? `${count(run.steps.length, "step")}${run.word.length ? `, ${count(run.word.length, run.unit)}` : ""}. `
    : make("b", "open", "This word was read off the automaton; it was not re-run. "));
  if (run.inputs && run.inputs.length) parts.push("Inputs ", make("code", "", inputsOf(run)), ".");
  else if (run.inputs) parts.push("It takes no inputs.");
  parts.push(...aboutPartner(run));
  return parts;
};

// Only rows near the current one are in the page: traces may have a hundred thousand steps.
const WINDOW = 80;
const drawRows = (list) => {
  const at = rowOf(rows, now.step);
  const from = Math.max(0, at - WINDOW);
  const to = Math.min(rows.length, at + WINDOW);
  const { events, word } = now.run;
  const lettersAt = (step) => word.slice(firstAfter(events, step - 1), firstAfter(events, step));
  const items = rows.slice(from, to).map((row, index) => typeof row === "number"
    ? stepItem(row, lettersAt(row)) : foldItem(row, from + index, list));
  if (from > 0) items.unshift(make("li", "more", `${count(from, "row")} before`));
  if (to < rows.length) items.push(make("li", "more", `${count(rows.length - to, "row")} after`));
  refill(list, items);
  const current = list.querySelector(".now");
  if (current) list.scrollTop = current.offsetTop - list.clientHeight / 2;
};

const stepItem = (index, letters) => {
  const step = now.run.steps.at(index);
  const said = effect(step);
  // What a decision was is said by "yes" and "no".
  const chips = now.run.isViolation || now.run.unit === "decision" ? [] : letters.map((name) => make("span", "chip letter " + colorOf(name), name));
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

const foldItem = (row, index, list) => {
  const lines = Array.from({ length: row.period }, (_, i) => now.run.steps.site(row.from + i).line);
  const open = button(`↻ ${count(row.times, "more iteration")} of lines ` +
    `${Math.min(...lines)}–${Math.max(...lines)}`, "show them", () => {
    openFold(index, row.from);
    drawRows(list);
  });
  return make("li", "fold", open);
};

// The last value of each name by now, the fresh ones first in line.
const drawValues = (list) => {
  const known = now.run.steps.known(now.step);
  const items = [...known].reverse().slice(0, 24).map(([name, { value, at }]) => {
    const watch = button(name, `watch ${name} over the whole run`, () => watchValue(name));
    return make("div", at === now.step ? "fresh" : "", make("dt", "", watch), make("dd", "", String(value)));
  });
  refill(list, items);
};
