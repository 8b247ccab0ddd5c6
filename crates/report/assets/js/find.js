// Search: in the run (a statement, a function, or `name = value`), and in the source.

const searchBox = (cls, label, placeholder, go) => {
  const box = make("input", "find " + cls);
  Object.assign(box, { type: "search", placeholder });
  box.setAttribute("aria-label", label);
  const said = make("span", "soft small");
  said.setAttribute("role", "status");
  box.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { said.textContent = go(box.value.trim(), event.shiftKey ? -1 : 1); event.preventDefault(); }
    if (event.key === "Escape") { box.value = ""; said.textContent = go("", 1); box.blur(); }
  });
  box.addEventListener("input", () => { if (!box.value.trim()) said.textContent = go("", 1); });
  return make("span", "searching", box, said);
};

// Round the end and on from the start.
const nextIn = (steps, isWanted, by) => {
  const found = steps.next(isWanted, now.step + by, by);
  return found >= 0 ? found : steps.next(isWanted, by > 0 ? 0 : steps.length - 1, by);
};

const findInRun = () => searchBox("find-run", "search in the run", "search, or x = 5", (wanted, by) => {
  if (!wanted || !now.run) return "";
  const { steps } = now.run;
  const equation = wanted.match(/^([^=<>!]*[^=<>!\s])\s*=\s*([^=].*)$/);
  if (equation) {
    const { steps: at, values } = steps.series(equation[1]);
    const all = at.filter((_, index) => String(values[index]) === equation[2].trim());
    if (all.length) {
      const to = by > 0 ? all[firstAfter(all, now.step)] ?? all[0] : all[firstAfter(all, now.step - 1) - 1] ?? all[all.length - 1];
      show(now.run, to);
      return `${firstAfter(all, to)} of ${all.length}`;
    }
  }
  const text = wanted.toLowerCase();
  const isWanted = steps.sites.map((site) => (site.text || "").toLowerCase().includes(text)
    || (site.function || "").toLowerCase() === text);
  const to = nextIn(steps, isWanted, by);
  if (to < 0) return "not found";
  show(now.run, to);
  return `${count(steps.ids.reduce((n, id) => n + (isWanted[id] ? 1 : 0), 0), "step")}`;
});

const findInSource = (code) => {
  let last = null;
  return searchBox("find-source", "search in the source", "search", (wanted, by) => {
    for (const row of code.querySelectorAll(".found")) row.classList.remove("found");
    if (!wanted) { last = null; return ""; }
    const text = wanted.toLowerCase();
    const found = [...code.querySelectorAll(".row")].filter((row) => row.querySelector(".src").textContent.toLowerCase().includes(text));
    for (const row of found) row.classList.add("found");
    if (!found.length) return "not found";
    const index = found.indexOf(last);
    const next = index < 0 ? (by > 0 ? 0 : found.length - 1) : (index + by + found.length) % found.length;
    last = found[next];
    reveal(last);
    return `${next + 1} of ${count(found.length, "line")}`;
  });
};
