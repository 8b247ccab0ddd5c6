// The bar at the bottom: where we are in the run, and keys for people without a mouse.

const stepBy = (by) => { if (now.run) show(now.run, now.step + by); };
const eventBy = (by) => {
  if (!now.run) return;
  const { events } = now.run;
  const to = by > 0 ? events[firstAfter(events, now.step)] : events[firstAfter(events, now.step - 1) - 1];
  if (to !== undefined) show(now.run, to);
};
const runBy = (by) => {
  const playable = runs.filter((run) => run.isPlayable);
  const next = playable[playable.indexOf(now.run) + by];
  if (next) show(next, by > 0 ? 0 : next.steps.length - 1);
};

const KEYS = [
  [["ArrowRight", "j"], "next step", () => stepBy(1)],
  [["ArrowLeft", "k"], "previous step", () => stepBy(-1)],
  [["n"], "next event", () => eventBy(1)],
  [["p"], "previous event", () => eventBy(-1)],
  [["w"], "next word", () => runBy(1)],
  [["W"], "previous word", () => runBy(-1)],
  [["Home"], "first step", () => now.run && show(now.run, 0)],
  [["End"], "last step", () => now.run && show(now.run, now.run.steps.length - 1)],
  [["+", "="], "zoom in", () => zoomAll(1.3)],
  [["-"], "zoom out", () => zoomAll(1 / 1.3)],
  [["0"], "fit the drawing", () => scenes.forEach((s) => s.camera && s.camera().fit(0))],
  [["/"], "search in the run", () => document.querySelector(".find-run")?.focus()],
  [["?"], "these keys", () => { const help = document.getElementById("keys"); help.open = !help.open; }],
];
const zoomAll = (factor) => scenes.forEach((scene) => scene.camera && scene.camera().zoom(factor));

const player = () => {
  const slider = make("input", "");
  Object.assign(slider, { type: "range", min: 0, step: 1 });
  slider.setAttribute("aria-label", "step");
  slider.addEventListener("input", () => show(now.run, Number(slider.value)));
  const where = make("span", "where");
  where.id = "where";
  const what = make("code", "what");
  // Screen readers say both after each step.
  const said = make("span", "said", where, what);
  said.setAttribute("role", "status");
  watchers.push(() => {
    const { run, step } = now;
    slider.max = run.steps.length - 1;
    slider.value = step;
    where.textContent = `step ${step + 1} of ${run.steps.length}`
      + (run.word.length ? `, ${run.unit} ${lettersTaken()} of ${run.word.length}` : "");
    const current = run.steps.at(step);
    const gives = effect(current);
    what.textContent = (current.text || "") + (gives ? `  →  ${gives}` : "");
  });
  const node = make("nav", "player",
    button("|◀", "previous event (p)", () => eventBy(-1)), button("◀", "previous step (←)", () => stepBy(-1)),
    button("▶", "next step (→)", () => stepBy(1)), button("▶|", "next event (n)", () => eventBy(1)),
    slider, said);
  node.setAttribute("aria-label", "player");
  node.hidden = true;
  watchers.push(() => { node.hidden = false; });
  return node;
};

const keysHelp = () => {
  const help = make("details", "keys", make("summary", "", "keys"),
    make("dl", "facts", ...KEYS.map(([keys, name]) => make("div", "", make("dt", "", name), make("dd", "",
      ...keys.map((k) => make("kbd", "", { ArrowRight: "→", ArrowLeft: "←" }[k] || k)))))));
  help.id = "keys";
  return help;
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  // A slider has arrows of its own, and no letters.
  const field = event.target.closest("input, textarea, select");
  if (field && (field.type !== "range" || /^(Arrow|Home|End|Page)/.test(event.key))) return;
  const found = KEYS.find(([keys]) => keys.includes(event.key));
  if (!found) return;
  found[2]();
  event.preventDefault();
});
