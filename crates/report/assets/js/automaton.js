// The automaton pane: the drawings that were made with the page, and what happens on them.

const colorOf = (name) => {
  const scene = scenes.find((each) => each.letters.has(name));
  return scene ? "c" + (scene.letters.get(name) % 8) : "";
};

// From so many states on, not everything is drawn at once.
const LARGE = 60;

const scenePane = (scene, index) => {
  const box = document.querySelector(`.drawings[data-scene="${index}"]`);
  const svgs = box ? [...box.querySelectorAll("svg")] : [];
  const frame = make("div", "frame");
  const hint = make("p", "hint");
  const crumbs = make("span", "crumbs");
  const pane = section(scene.title, "scene");
  if (scene.problem) {
    pane.append(make("p", "note", `It cannot be drawn: ${scene.problem}.`));
    return pane;
  }
  scene.pane = pane;
  let current = null;
  const cameras = new Map();
  const open = (name) => {
    const svg = svgs.find((each) => each.dataset.view === name) || svgs[0];
    if (!svg) return;
    frame.replaceChildren(svg);
    reachable(svg);
    const isNew = !cameras.has(svg);
    if (isNew) cameras.set(svg, panZoom(frame, svg));
    current = svg;
    if (isNew) cameras.get(svg).fit(); else cameras.get(svg).apply();
    drawCrumbs();
    drawWay(scene, current, cameras.get(svg));
  };
  // From any state of a large automaton to its neighbours.
  const around = (id) => {
    const svg = neighbourhood(scene, id);
    const at = svgs.findIndex((each) => each.dataset.view === svg.dataset.view);
    if (at < 0) svgs.push(svg);
    if (!scene.views.some((view) => view.name === svg.dataset.view)) {
      scene.views.push({ name: svg.dataset.view, title: `around q${id}` });
    }
    open(svg.dataset.view);
  };
  scene.around = around;
  // Which drawing is shown, and the others.
  const drawCrumbs = () => {
    const parts = [];
    for (const view of scene.views) {
      const isBox = view.name.startsWith("part-") || view.name.startsWith("around-");
      const isNow = current && current.dataset.view === view.name;
      if (scene.views.length === 1 || (isBox && !isNow)) continue;
      const label = { boxes: "boxes", all: "all states" }[view.name]
        || (isBox ? view.title : `word ${Number(view.name.slice(5)) + 1}`);
      const choice = button(label, view.title, () => open(view.name));
      choice.setAttribute("aria-pressed", String(Boolean(isNow)));
      parts.push(choice);
    }
    refill(crumbs, parts);
    const view = scene.views.find((each) => current && each.name === current.dataset.view);
    pane.firstChild.textContent = view && view.name !== "all" ? `${scene.title} · ${view.title}` : scene.title;
  };
  const camera = () => cameras.get(current);
  const bar = make("div", "tools", crumbs,
    button("−", "zoom out", () => camera().zoom(1 / 1.3)),
    button("+", "zoom in", () => camera().zoom(1.3)),
    button("fit", "show all of it", () => camera().fit(0)),
    button("SVG", "save this drawing as an SVG file", () => saveSvg(current)),
    button("DOT", "save all of the automaton as a DOT file, for Graphviz", () => save("automaton.dot", "text/vnd.graphviz", dotOf(scene))));
  frame.tabIndex = 0;
  frame.setAttribute("aria-label", `${scene.title}: drag to move, plus and minus to zoom`);
  frame.addEventListener("click", (event) => {
    if (frame.dataset.moved) return;
    const edge = event.target.closest(".edge");
    const state = event.target.closest(".state");
    if (edge) playEdge(scene, edge);
    else if (state && state.classList.contains("many")) {
      const part = scene.views.find((view) => view.name === partName(scene, state, svgs));
      open(part ? part.name : "all");
    } else if (state && state.classList.contains("outside") && scene.n_states > LARGE) around(Number(state.dataset.ids));
    else if (state) playState(scene, Number(state.dataset.ids));
  });
  frame.addEventListener("keydown", (event) => {
    const part = event.target.closest(".edge, .state");
    if (event.key !== "Enter" || !part) return;
    frame.dataset.moved = "";
    part.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });
  frame.addEventListener("mouseover", (event) => {
    const letter = event.target.closest("[data-letter]");
    const edge = event.target.closest(".edge");
    const names = letter ? [scene.alphabet[letter.dataset.letter]]
      : edge ? [...edge.querySelectorAll("[data-letter]")].map((t) => scene.alphabet[t.dataset.letter]) : [];
    sayPlaces(hint, names);
  });
  frame.addEventListener("mouseleave", () => sayPlaces(hint, []));
  scene.camera = camera;
  // After the window changed its size.
  scene.fitAgain = () => {
    if (!current) return;
    camera().fit();
    drawWay(scene, current, camera());
  };
  scene.open = open;
  scene.frame = frame;
  pane.append(bar, frame, hint, legendOf(scene));
  const slider = cutSlider(scene, svgs);
  if (slider) bar.after(slider);
  watchers.push((isOther) => {
    // A word has its own drawing where not everything is drawn.
    if (isOther && now.run.scene === scene && !now.run.isReadOff) {
      const number = runs.filter((run) => run.scene === scene).indexOf(now.run);
      const own = scene.views.find((view) => view.name === `word-${number}`);
      if (own) { open(own.name); return; }
    }
    if (!current) return;
    const here = drawWay(scene, current, camera());
    // Where not everything is drawn, the drawing goes along.
    if (scene.n_states > LARGE && here !== null && now.run.scene === scene) around(here);
  });
  scene.width = svgs.length ? Number(svgs[0].getAttribute("viewBox").split(" ")[2]) : 0;
  scene.start = () => open(scene.views[0] && scene.views[0].name);
  return pane;
};

// Of several automata, those that half of the page cannot show readably have all of it; so has one that is left without a neighbour.
const spread = () => {
  const half = (document.getElementById("page").clientWidth - 44) / 2;
  const panes = scenes.filter((scene) => scene.pane);
  for (const { pane, width } of panes) pane.classList.toggle("wide", half > 0 && READABLE * width > half);
  const narrow = panes.filter(({ pane }) => !pane.classList.contains("wide"));
  if (panes.length > 2 && narrow.length % 2) narrow[narrow.length - 1].pane.classList.add("wide");
};

// Without a mouse: the Tab key goes from part to part, Enter clicks. Not in drawings of hundreds of
// parts, where it would never come to an end.
const reachable = (svg) => {
  const parts = svg.querySelectorAll(".edge, .state");
  if (parts.length <= 150) for (const part of parts) part.setAttribute("tabindex", "0");
};

// Which view shows the inside of a box: the one whose own states are these.
const partName = (scene, box, svgs) => {
  const ids = box.dataset.ids;
  const svg = svgs.find((each) => each.dataset.view.startsWith("part-")
    && [...each.querySelectorAll(".state:not(.outside)")].map((s) => s.dataset.ids).join(" ") === ids);
  return svg ? svg.dataset.view : "all";
};

// Marks the way of the current word, the edge of the current letter, and the state after it. Returns that state if
// it is not in this drawing.
const drawWay = (scene, svg, camera) => {
  for (const node of svg.querySelectorAll(".on, .here, .left")) node.classList.remove("on", "here", "left");
  // A violation is one of a single automaton.
  if (!now.run || (now.run.isViolation && now.run.scene !== scene)) return null;
  const way = wayOf(scene, now.run.word);
  const taken = lettersTaken();
  const pairs = new Map();
  for (const edge of svg.querySelectorAll(".edge")) {
    for (const pair of edge.dataset.pairs.split(" ")) pairs.set(pair, edge);
  }
  const states = new Map();
  for (const state of svg.querySelectorAll(".state")) {
    for (const id of state.dataset.ids.split(" ")) states.set(Number(id), state);
  }
  let here = way.start;
  let last = null;
  for (const { edge, taken: after } of way.edges) {
    const drawn = pairs.get(`${edge.from}-${edge.to}`);
    if (drawn) drawn.classList.add("on");
    if (after <= taken) { here = edge.to; last = drawn; }
  }
  if (last && taken > 0) last.classList.add("here");
  const state = states.get(here);
  if (!state) return here;
  state.classList.add("here");
  // Beyond this state the word has no way in this automaton, or it ends where it may not.
  const isOver = now.run.isViolation && taken === now.run.word.length && !way.isAccepted;
  if (taken > way.taken || isOver) state.classList.add("left");
  camera.bringIntoView(state);
  return null;
};

// An edge that is not on the current word picks the shortest stored word through it. Where no
// stored word goes, one is read off the automaton, and said to be just that.
const playThrough = (scene, isIt) => {
  const through = (run) => wayOf(scene, run.word).edges.findIndex(({ edge }) => isIt(edge));
  const candidates = runs.filter((run) => run.scene === scene || run.scene === null);
  const fitting = candidates.filter((run) => through(run) >= 0)
    .sort((a, b) => a.word.length - b.word.length);
  const run = fitting.includes(now.run) ? now.run : fitting[0] || readOff(scene, isIt);
  if (!run) return;
  const at = wayOf(scene, run.word).edges[through(run)];
  const event = run.events[Math.max(0, at.taken - 1)];
  show(run, event === undefined ? 0 : event);
};
const playEdge = (scene, edge) => {
  const pairs = new Set(edge.dataset.pairs.split(" "));
  playThrough(scene, (each) => pairs.has(`${each.from}-${each.to}`));
};
const playState = (scene, id) => {
  const states = scene.automaton.states || [];
  if (states.some((s) => s.id === id && s.initial) && now.run) { show(now.run, 0); return; }
  playThrough(scene, (edge) => edge.to === id);
};

// A shortest word over a wanted edge, to an accepting state if there is a way.
const readOff = (scene, isIt) => {
  const states = scene.automaton.states || [];
  const accepting = new Set(states.filter((s) => s.accepting).map((s) => s.id));
  const queue = states.filter((s) => s.initial).map((s) => ({ at: s.id, done: false, edge: null, back: null }));
  const seen = new Set(queue.map((n) => n.at + " false"));
  let found = null;
  for (let i = 0; i < queue.length && !(found && accepting.has(found.at)); i++) {
    const node = queue[i];
    if (node.done && (!found || accepting.has(node.at))) found = node;
    for (const edge of scene.edges.get(node.at) || []) {
      const next = { at: edge.to, done: node.done || isIt(edge), edge, back: node };
      const name = next.at + " " + next.done;
      if (!seen.has(name)) { seen.add(name); queue.push(next); }
    }
  }
  if (!found) return null;
  const word = [];
  for (let node = found; node.back; node = node.back) {
    if (typeof node.edge.letter === "string") word.unshift(node.edge.letter);
  }
  const run = makeRun("", word, null, { scene, isReadOff: true });
  runs.push(run);
  listWords();
  return run;
};

// Under the drawing: where in the source a letter is.
const sayPlaces = (hint, names) => {
  for (const row of document.querySelectorAll(".row.hinted")) row.classList.remove("hinted");
  const parts = [];
  for (const name of names.slice(0, 4)) {
    const place = letterPlaces.get(name);
    const row = place && lineRows.get(key(place.file, place.line));
    if (row) row.classList.add("hinted");
    parts.push(make("span", "", make("b", "letter " + colorOf(name), name), place
      ? ` is ${basename(place.file)}:${place.line}  ` : " ",
      row ? make("code", "", row.querySelector(".src").textContent.trim()) : ""));
  }
  hint.replaceChildren(...parts);
};

// From the source to the drawing: the edges of these letters.
const highlightLetters = (names) => {
  for (const scene of scenes) {
    if (!scene.frame) continue;
    const wanted = new Set(names.map((name) => scene.letters.get(name)).filter((l) => l !== undefined).map(String));
    for (const text of scene.frame.querySelectorAll("[data-letter]")) {
      text.closest(".edge").classList.toggle("hinted", wanted.has(text.dataset.letter));
    }
  }
};

const legendOf = (scene) => {
  const states = scene.automaton.states || [];
  const edges = scene.automaton.transitions || [];
  const legend = make("p", "legend");
  const add = (sign, text, on = "") => legend.append(make("span", on, make("b", "", sign), " " + text));
  if (states.some((s) => s.accepting)) add("◎", outcome.verdict === "error-language" ? "the failure" : "accepting");
  if (edges.some((e) => e.dominating)) add("◆", "on every way to the end");
  if (states.some((s) => s.doomed)) add("⊘", "doomed: the failure is certain");
  if (edges.some((e) => e.weight !== undefined)) add("·n", "how often; the thicker, the hotter");
  if (edges.some((e) => typeof e.relevance === "number")) add("━", "the redder and thicker, the more of its statements are relevant");
  if (scene.n_states > LARGE) add("◌", "click a dotted state to go there", "on-screen");
  if (scene.sinks.length) add("∅", `the rejecting state q${scene.sinks.join(", q")} is not drawn`);
  add("☞", "click an edge, a state or a word to play it", "on-screen");
  return legend;
};

// For weighted automata: edges below the cut-off go, and with them what cannot be reached then.
const cutSlider = (scene, svgs) => {
  const heatOf = (edge) => edge.heat !== undefined && edge.heat !== null ? edge.heat : edge.weight;
  const edges = scene.automaton.transitions || [];
  const heats = [...new Set(edges.map(heatOf).filter((h) => typeof h === "number"))].sort((a, b) => a - b);
  if (!heats.length) return null;
  const input = make("input", "");
  Object.assign(input, { type: "range", min: 0, max: heats.length, step: 1, value: 0 });
  input.setAttribute("aria-label", "cut-off");
  const said = make("output", "");
  const cut = () => {
    const least = Number(input.value) === 0 ? -Infinity : heats[Math.min(input.value, heats.length) - 1];
    const isKept = (heat) => !(heat < least) && !(Number(input.value) === heats.length && heat <= least);
    const kept = edges.filter((edge) => typeof heatOf(edge) !== "number" || isKept(heatOf(edge)));
    const reached = new Set((scene.automaton.states || []).filter((s) => s.initial).map((s) => s.id));
    for (let size = -1; size !== reached.size;) {
      size = reached.size;
      for (const edge of kept) if (reached.has(edge.from)) reached.add(edge.to);
    }
    const alive = new Set(kept.filter((e) => reached.has(e.from)).map((e) => `${e.from}-${e.to}`));
    for (const svg of svgs) {
      for (const edge of svg.querySelectorAll(".edge")) {
        edge.classList.toggle("cut", !edge.dataset.pairs.split(" ").some((pair) => alive.has(pair)));
        for (const text of edge.querySelectorAll("tspan[data-heat]")) {
          text.classList.toggle("cut", !isKept(Number(text.dataset.heat)));
        }
      }
      for (const state of svg.querySelectorAll(".state")) {
        state.classList.toggle("cut", !state.dataset.ids.split(" ").some((id) => reached.has(Number(id))));
      }
    }
    said.textContent = Number(input.value) === 0 ? "nothing cut"
      : `${count(edges.length - kept.length, "edge")} of ${edges.length} cut`
        + (isFinite(least) ? `, below ${Number(least.toPrecision(3))}` : "");
  };
  input.addEventListener("input", cut);
  cut();
  return make("label", "bar cut-off", "cut-off ", input, " ", said);
};

const save = (name, type, text) => {
  const link = make("a", "");
  link.href = `data:${type};charset=utf-8,` + encodeURIComponent(text);
  link.download = name;
  link.click();
};

const saveSvg = (svg) => {
  const copy = svg.cloneNode(true);
  copy.setAttribute("xmlns", "http:" + "//www.w3.org/2000/svg");
  const style = document.querySelector("style").cloneNode(true);
  copy.prepend(style);
  save("automaton.svg", "image/svg+xml", new XMLSerializer().serializeToString(copy));
};

// As the command's own --dot writes it.
const dotOf = (scene) => {
  const quoted = (text) => `"${String(text).replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")}"`;
  const weighted = (text, weight) => (weight === undefined || weight === null ? text : `${text} : ${weight}`);
  const states = scene.automaton.states || [];
  const lines = ["digraph g {"];
  for (const state of states) {
    const shape = state.accepting ? "doublecircle" : "circle";
    const output = state.output === undefined ? "" : `|${state.output}`;
    lines.push(`    s${state.id} [shape="${shape}" label=${quoted(weighted(`s${state.id}${output}`, state.final_weight))}];`);
  }
  for (const edge of scene.automaton.transitions || []) {
    lines.push(`    s${edge.from} -> s${edge.to} [label=${quoted(weighted(edge.letter ?? "", edge.weight))}];`);
  }
  states.filter((state) => state.initial).forEach((state, i) => {
    lines.push(`    __start${i} [label="" shape="none"];`, `    __start${i} -> s${state.id};`);
  });
  return lines.concat("}", "").join("\n");
};
