// Numbers: how much work it was, within which bounds, and how sure the answer is.

// What is short in the JSON, in words.
const WORDS = {
  cfg: "control flow", bmc: "model checking", learn: "learning", unwind: "rounds of a loop unrolled",
  samples_cut: "samples cut off", front_end: "reading C",
};
// What `localize` counts; other commands mean other things by these names.
const OF_A_TRACE = {
  unread: "assignments nothing reads", tried: "settled by trying values", asked: "left to the solver",
  slice: "in the slice", unknown: "left open",
};
const inWords = (name) => ("slice" in (outcome.statistics || {}) && OF_A_TRACE[name]) || WORDS[name] || plain(name);

const factValue = (value) => {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toPrecision(4)));
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(factValue).join(", ") || "none";
  if (typeof value === "object") return Object.entries(value).map(([name, inner]) => `${inWords(name)} ${factValue(inner)}`).join(" · ");
  return String(value);
};

const factList = (facts) => {
  const list = make("dl", "facts");
  for (const [name, value] of facts) {
    list.append(make("div", "", make("dt", "", inWords(name)), make("dd", "", factValue(value))));
  }
  return list;
};

// Who answered the questions: the fewer went to the solver, the better.
const sharesBar = (shares) => {
  const all = Object.values(shares).reduce((sum, n) => sum + n, 0);
  if (!all) return null;
  const bar = make("div", "shares");
  Object.entries(shares).forEach(([name, n], index) => {
    if (!n) return;
    const part = make("span", `s${index % 8}`, n / all > 0.12 ? `${inWords(name)} ${n.toLocaleString("en")}` : "");
    part.style.flexGrow = n;
    part.title = `${inWords(name)}: ${n} of ${all}`;
    bar.append(part);
  });
  return bar;
};

// The same numbers of several things: a row for each of them.
const factTable = (name, list) => {
  const columns = [...new Set(list.flatMap((row) => Object.keys(row)))];
  const node = make("table", "numbers", make("caption", "", plain(name)),
    make("thead", "", make("tr", "", ...columns.map((column) => make("th", "", plain(column))))),
    make("tbody", "", ...list.map((row) => make("tr", "", ...columns.map((column) => make("td", "", factValue(row[column])))))));
  const box = make("div", "scroll", node);
  box.tabIndex = 0;
  return box;
};

// What each engine did, a row for each that did something: `induction: 25 candidates, 5 facts`.
const ENGINES = { induction: "induction over loops and calls", states: "abstract states", traces: "trace abstraction" };
const COUNTED = { facts: ["fact kept", "facts kept"], points: ["cut point"] };
const enginesTable = (engines) => {
  const said = (value) => value && typeof value === "object"
    ? Object.entries(value).filter(([, n]) => n).map(([name, n]) => count(n, ...(COUNTED[name] || [plain(name).replace(/s$/, "")]))).join(", ")
    : value ? count(value, "state") : "";
  const rows = Object.entries(engines).map(([name, value]) => ({ name: ENGINES[name] || plain(name), did: said(value) }));
  const busy = rows.filter((row) => row.did);
  if (!busy.length) return null;
  const idle = rows.filter((row) => !row.did).map((row) => row.name);
  const table = make("table", "numbers engines", make("caption", "", "Engines that prove"), make("tbody", "", ...busy.map((row) =>
    make("tr", "", make("th", "", row.name), make("td", "", row.did)))));
  return [make("div", "scroll", table), idle.length ? make("p", "about small", `not needed: ${idle.join(", ")}`) : null];
};

// Nobody reads `9.1e-8`.
const seconds = (s) => s >= 0.001 ? `${Number(s.toPrecision(2))} s` : "under 1 ms";

const factsPane = () => {
  const statistics = { ...(outcome.statistics || {}) };
  const { answered_by: shares, engines, work } = statistics;
  for (const name of ["answered_by", "engines", "work"]) delete statistics[name];
  // Numbers one by one, and only those that say something.
  const flat = Object.entries(statistics).flatMap(([name, value]) => value && typeof value === "object" && !Array.isArray(value)
    ? Object.entries(value).map(([inner, n]) => [`${name} ${inner}`, n]) : [[name, value]]);
  const isTable = ([, value]) => has(value) && value.every((row) => row && typeof row === "object" && !Array.isArray(row));
  const told = flat.filter((fact) => fact[1] !== 0 && fact[1] !== null);
  const parts = [factList(told.filter((fact) => !isTable(fact))), ...told.filter(isTable).map(([name, list]) => factTable(name, list))];
  if (told.length < flat.length) {
    parts.push(make("p", "about small", `0 or unknown: ${flat.filter((fact) => !told.includes(fact)).map(([name]) => inWords(name)).join(", ")}`));
  }
  if (shares && typeof shares === "object" && Object.values(shares).some((n) => n > 0)) {
    parts.push(make("p", "about", "Membership queries were answered by"), sharesBar(shares),
      make("p", "about small", factValue(shares)));
  }
  if (engines && typeof engines === "object") parts.push(...[enginesTable(engines)].flat().filter(Boolean));
  if (work && typeof work === "object" && Object.values(work).filter((n) => n > 0).length > 1) {
    parts.push(make("p", "about", "Work of those that share the budget, in statements, terms and conflicts"), sharesBar(work),
      make("p", "about small", factValue(work)));
  }
  const timing = outcome.timing || {};
  if (timing.total !== undefined) {
    const phases = Object.entries(timing).filter(([name]) => !["total", "peak_memory_bytes"].includes(name));
    parts.push(make("p", "about small", `${Number(timing.total.toPrecision(3))} s`
      + (phases.length ? ` (${phases.map(([name, s]) => `${inWords(name)} ${seconds(s)}`).join(", ")})` : "")
      + (timing.peak_memory_bytes ? `, ${Math.round(timing.peak_memory_bytes / 1e6)} MB at most` : "")));
  }
  return section("Statistics", "facts-pane", ...parts);
};

// What a guarantee's numbers mean.
const MEANING = {
  epsilon: "ε: a fresh batch fails or goes beyond the model with at most this probability",
  delta: "δ: the confidence in that",
  batch: "k: runs in a batch; the tester begins anew with each batch",
  samples_last: "q: batches of the last comparison, all of which the model accepts",
  equivalence_queries: "how often a model was compared with runs; each time asks for more samples",
  strategy: "how runs were drawn; the guarantee is about this distribution",
  seed: "the same seed gives the same samples",
  cut: "runs are compared with the model up to so many decisions",
  max_steps: "runs are followed for at most so many statements",
  samples_unfinished: "sampled runs that went on behind that; the guarantee does not speak of what they did there",
  two_sided: "whether random words of the model were asked for as well, so that it has not too many",
  distribution: "what a batch is; the guarantee is about batches drawn like this",
};
const guaranteePane = () => {
  // Assumptions and the class are in the head of the page.
  const { kind, text, assumptions: _, class: __, ...numbers } = outcome.guarantee || {};
  const rows = Object.entries(numbers).map(([name, value]) => make("tr", "",
    make("th", "", plain(name)), make("td", "", factValue(value)), make("td", "soft", MEANING[name] || "")));
  if (!rows.length) return null;
  return section("What the guarantee says", "guarantee-pane", make("p", "about", text || ""),
    make("table", "numbers", make("tbody", "", ...rows)));
};
