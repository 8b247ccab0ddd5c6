// Puts the page together: a pane appears if the outcome has something to show in it.

const build = () => {
  const page = document.getElementById("page");
  const source = sources.length ? sourcePane() : null;
  const panes = scenes.map(scenePane);
  const playable = runs.some((run) => run.steps.length);
  const large = scenes.filter((scene) => scene.n_states > 60);
  const several = panes.length > 1;
  const run = playable || scenes.length ? runPane() : null;
  const words = scenes.length || runs.length > 1 ? wordsPane() : null;
  const tables = large.map(statesPane);
  // Automaton, words and run beside the source; without an automaton, the run beside the source.
  const left = make("div", "column", ...(scenes.length ? [several ? null : panes[0], words, run, ...tables] : [source]));
  const right = make("div", "column", ...(scenes.length ? [source] : [words, run]));
  // The shorter column takes what was found: the source's, if no run is played beside it.
  (scenes.length && source && playable ? left : right).append(...[guaranteePane(), ...findingPanes()].filter(Boolean));
  const rest = make("div", "rest", factsPane());
  page.append(headPane());
  if (several) page.append(make("div", "scenes several", ...panes));
  const columns = [left, right].filter((column) => column.childNodes.length);
  page.append(make("div", columns.length > 1 ? "panes" : "panes one", ...columns));
  page.append(rest, keysHelp());
  if (playable || scenes.length) document.body.append(player());
  for (const scene of scenes) if (scene.start) scene.start();
  document.getElementById("drawings").remove();
  // The shortest word that fails, at the place where it does.
  const first = runs.find((run) => run.steps.length);
  if (first) show(first, first.steps.length - 1);
  else for (const noted of document.querySelectorAll(".code .note, .code .sign:not(:empty)")) { reveal(noted); break; }
};

build();
addEventListener("resize", () => scenes.forEach((scene) => scene.fitAgain && scene.fitAgain()));
addEventListener("beforeprint", () => scenes.forEach((scene) => scene.camera && scene.camera().fit(0)));
