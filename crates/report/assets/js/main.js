// Puts the page together: a pane appears if the outcome has something to show in it.

const build = () => {
  const page = document.getElementById("page");
  const source = sources.length ? sourcePane() : null;
  const panes = scenes.map(scenePane);
  const playable = runs.some((run) => run.isPlayable);
  const large = scenes.filter((scene) => scene.n_states > LARGE || scene.views.some((view) => view.name.startsWith("word-")));
  const several = panes.length > 1;
  const run = playable || scenes.length ? runPane() : null;
  const words = scenes.length || runs.length > 1 ? wordsPane() : null;
  const tables = large.map(statesPane);
  // Automaton, words and run beside the source; without an automaton, the run beside the source. Where
  // formulas were found they go beside the source, and the automata that say the same come after.
  // Two versions stand beside each other, over the whole width.
  const sourceFirst = !isComparing && (!scenes.length || has(outcome.points));
  const beneath = isComparing ? null : source;
  // A repair is the answer: it comes before the runs that show it.
  const answer = has(outcome.repairs) ? repairsPane() : null;
  const left = make("div", "column", ...(sourceFirst ? [beneath] : [several ? null : panes[0], words, run, ...tables]));
  const right = make("div", "column", answer, ...(sourceFirst ? (scenes.length ? [] : [words, run]) : [beneath]));
  // The shorter column takes what was found: the source's, if no run is played beside it.
  const isTrace = has(outcome.violations);
  (!sourceFirst && beneath && playable && !isTrace ? left : right).append(...[guaranteePane(), ...findingPanes()].filter(Boolean));
  const rest = make("div", "rest", factsPane());
  page.append(headPane());
  const after = sourceFirst ? [words, run, ...tables] : [];
  const automata = panes.length && (several || sourceFirst)
    ? make("div", "scenes several", ...panes, ...after) : null;
  const columns = [left, right].filter((column) => column.childNodes.length);
  const beside = make("div", "panes", ...columns);
  // A column in which nothing is to be seen leaves its place to the other.
  const settle = () => beside.classList.toggle("one",
    columns.filter((column) => [...column.children].some((pane) => !pane.hidden)).length < 2);
  settle();
  watchers.push(settle);
  page.append(...(sourceFirst ? [beside, automata] : [automata, isComparing ? source : null, beside]).filter(Boolean));
  page.append(rest, keysHelp());
  if (playable || scenes.length) document.body.append(player());
  spread();
  for (const scene of scenes) if (scene.start) scene.start();
  document.getElementById("drawings").remove();
  // The shortest word that fails, at the place where it does.
  const first = runs.find((run) => run.isPlayable);
  if (goToAddress()) { /* The address names a step. */ }
  else if (first && first.partner) show(first.partner, Math.max(0, inStep(first.partner).parting));
  else if (first) show(first, first.steps.length - 1);
  else for (const noted of document.querySelectorAll(".code .note, .code .sign:not(:empty)")) { reveal(noted); break; }
};

build();
addEventListener("hashchange", goToAddress);
// Paper has another size than the screen; what is laid out for it stays until it is printed.
let isOnPaper = false;
const fitScenes = () => {
  if (isOnPaper) return;
  spread();
  scenes.forEach((scene) => scene.fitAgain && scene.fitAgain());
};
addEventListener("resize", fitScenes);
addEventListener("beforeprint", () => {
  isOnPaper = true;
  for (const folded of document.querySelectorAll("details:not([open], .keys)")) { folded.open = true; folded.dataset.folded = ""; }
  scenes.forEach((scene) => scene.camera && scene.camera().whole());
});
addEventListener("afterprint", () => {
  isOnPaper = false;
  for (const folded of document.querySelectorAll("[data-folded]")) { folded.open = false; delete folded.dataset.folded; }
  fitScenes();
});
