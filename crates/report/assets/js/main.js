// Puts the page together: a pane appears if the outcome has something to show in it.

const build = () => {
  const page = document.getElementById("page");
  const source = sources.length ? sourcePane() : null;
  const panes = scenes.map(scenePane);
  const playable = runs.some((run) => run.steps.length);
  const large = scenes.filter((scene) => scene.n_states > 60);
  const left = make("div", "column", make("div", panes.length > 1 ? "scenes several" : "scenes", ...panes),
    runs.some((run) => run.word.length) || runs.length > 1 ? wordsPane() : null,
    ...large.map(statesPane));
  const right = make("div", "column", source, playable ? runPane() : null);
  const rest = make("div", "rest", guaranteePane(), ...findingPanes(), factsPane());
  const hasLeft = left.childNodes.length > 1 || panes.length > 0;
  page.append(headPane());
  if (hasLeft && right.childNodes.length) page.append(make("div", "panes", left, right));
  else if (right.childNodes.length) page.append(make("div", source && playable ? "panes even" : "panes one", ...right.childNodes));
  else page.append(make("div", "panes one", left));
  page.append(rest, keysHelp());
  if (playable) document.body.append(player());
  for (const scene of scenes) if (scene.start) scene.start();
  document.getElementById("drawings").remove();
  // The shortest word that fails, at the place where it does.
  const first = runs.find((run) => run.steps.length);
  if (first) show(first, first.steps.length - 1);
};

build();
addEventListener("resize", () => scenes.forEach((scene) => scene.camera && scene.camera().fit()));
addEventListener("beforeprint", () => scenes.forEach((scene) => scene.camera && scene.camera().fit(0)));
