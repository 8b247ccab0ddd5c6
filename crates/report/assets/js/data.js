// The outcome as `--json` prints it, and one shape for everything that can be played: a run has a
// word (its letters), steps (its trace) and, for each letter, the step at which it happened.

const { title, command, outcome, sources, scenes } =
  JSON.parse(document.getElementById("data").textContent);

const follow = (value, path) => path.reduce((inner, name) => (inner || {})[name], value);

for (const scene of scenes) {
  scene.automaton = follow(outcome, scene.path);
  scene.letters = new Map(scene.alphabet.map((name, index) => [name, index]));
  scene.edges = new Map();
  for (const edge of scene.automaton.transitions || []) {
    if (!scene.edges.has(edge.from)) scene.edges.set(edge.from, []);
    scene.edges.get(edge.from).push(edge);
  }
}

// The way of a word through an automaton: one transition per letter (and λ-move), ending in an
// accepting state if there is such a way. `taken` says how many letters it could follow.
const wayOf = (scene, word) => {
  const states = scene.automaton.states || [];
  const isAccepting = new Map(states.map((s) => [s.id, s.accepting !== false]));
  const start = states.filter((s) => s.initial).map((s) => ({ at: s.id, taken: 0, edge: null, back: null }));
  const queue = start.length ? start : states.slice(0, 1).map((s) => ({ at: s.id, taken: 0, edge: null, back: null }));
  const seen = new Set(queue.map((n) => n.taken + " " + n.at));
  let best = queue[0];
  for (let i = 0; i < queue.length; i++) {
    const node = queue[i];
    if (node.taken > best.taken) best = node;
    if (node.taken === word.length && isAccepting.get(node.at)) { best = node; break; }
    for (const edge of scene.edges.get(node.at) || []) {
      const isSilent = edge.letter === null || edge.letter === undefined;
      if (!isSilent && edge.letter !== word[node.taken]) continue;
      const next = { at: edge.to, taken: node.taken + (isSilent ? 0 : 1), edge, back: node };
      const name = next.taken + " " + next.at;
      if (!seen.has(name)) { seen.add(name); queue.push(next); }
    }
  }
  if (!best) return { edges: [], taken: 0, start: null, isAccepted: false };
  const edges = [];
  let node = best;
  for (; node.back; node = node.back) edges.push({ edge: node.edge, taken: node.taken });
  return { edges: edges.reverse(), taken: best.taken, start: node.at, at: best.at,
    isAccepted: best.taken === word.length && Boolean(isAccepting.get(best.at)) };
};

// Where letters are in the source: as the outcome says, or else where a function of that name is
// defined.
const letterPlaces = new Map();
for (const letter of outcome.letters || []) {
  if (letter.file && letter.line) letterPlaces.set(letter.name, letter);
}
const findDefinition = (name) => {
  if (!/^[A-Za-z_]\w*$/.test(name)) return null;
  const pattern = new RegExp(`^[A-Za-z_][\\w\\s*]*\\b${name}\\s*\\([^;]*$`);
  for (const { file, text } of sources) {
    const at = text.split("\n").findIndex((line) => pattern.test(line));
    if (at >= 0) return { name, kind: "call", file, line: at + 1 };
  }
  return null;
};
for (const scene of scenes) {
  for (const name of scene.alphabet) {
    if (letterPlaces.has(name)) continue;
    const found = findDefinition(name);
    if (found) letterPlaces.set(name, found);
  }
}

// The step of each letter. A step may say itself which event it is; otherwise the word is matched
// in order: at the letter's place, where its function is entered, and the last letter at the end.
const eventSteps = (word, steps) => {
  const found = [];
  let next = 0;
  for (let i = 0; i < steps.length && next < word.length; i++) {
    const step = steps.site(i);
    const letter = word[next];
    const place = letterPlaces.get(letter);
    const before = i > 0 ? steps.site(i - 1) : null;
    const isEntered = step.function === letter
      && (!before || before.function !== letter || (step.depth || 0) > (before.depth || 0));
    const isThere = place && place.kind !== "call" && place.line === step.line && place.file === step.file;
    const said = step.event === letter || (step.events || []).includes(letter);
    // Decision vectors: each condition is one letter.
    const isDecided = /^[01]$/.test(letter) && typeof step.decision === "number" && String(step.decision) === letter;
    if (said || isEntered || isThere || isDecided) { found.push(i); next += 1; }
  }
  while (next < word.length) { found.push(steps.length - 1); next += 1; }
  return found;
};

// The inputs of something that was found, in one line: with their names, if they are known, each once for values in a row.
const MOST_INPUTS = 40;
const inputsOf = (found) => {
  const named = found.named_inputs || [];
  const list = named.length ? named : found.inputs || [];
  const more = list.length > MOST_INPUTS ? `, … (${list.length} in all)` : "";
  if (!named.length) return list.slice(0, MOST_INPUTS).join(", ") + more;
  const groups = [];
  for (const { name, value } of named.slice(0, MOST_INPUTS)) {
    const last = groups[groups.length - 1];
    if (last && last.name === name) last.values.push(value);
    else groups.push({ name, values: [value] });
  }
  const isLong = groups.some((group) => group.values.length > 1);
  return groups.map((group) => `${group.name} = ${group.values.join(", ")}`).join(isLong ? "; " : ", ") + more;
};

const makeRun = (name, word, trace, more) => {
  const isReplayed = isThere(trace);
  const run = { name, word, isReplayed, inputs: null, scene: null, ...more };
  // Of many runs most are never looked at.
  const steps = () => stepsOf(isReplayed ? trace : word.map((letter) => {
    const place = letterPlaces.get(letter) || {};
    return { file: place.file, line: place.line, function: "", text: letter, values: {} };
  }));
  const once = (name, make) => Object.defineProperty(run, name, { configurable: true,
    get() { const value = make(); Object.defineProperty(run, name, { value }); return value; } });
  once("steps", steps);
  once("events", () => isReplayed ? eventSteps(word, run.steps) : word.map((_, index) => index));
  run.isPlayable = isReplayed || word.length > 0;
  // The letters of decision vectors are 0 and 1.
  run.unit = word.length && word.every((letter) => /^[01]$/.test(letter)) ? "decision" : "event";
  return run;
};

const runs = [];
const addWitnesses = (witnesses, scene) => {
  for (const witness of witnesses || []) {
    runs.push(makeRun(scene && (scenes.length > 1 || outcome.command === "diff") ? scene.title[0].toLowerCase() + scene.title.slice(1).split(":")[0] : "", witness.word || [], witness.trace,
      { inputs: witness.inputs, named_inputs: witness.named_inputs, scene }));
  }
};
// The names of the inputs that one version took: it may stop asking before the other does.
const namesFor = (found, own) => {
  const [all, names] = [found.inputs || [], found.named_inputs || []];
  if (!own || own.length === all.length) return names;
  const isStart = own.every((value, index) => value === all[index]);
  return isStart && names.length === all.length ? names.slice(0, own.length) : null;
};
// Two versions on the same inputs: their runs go in step.
for (const found of outcome.different_for || []) {
  const pair = ["old", "new"].filter((side) => isThere((found[side] || {}).trace)).map((side) =>
    makeRun(side, found[side].word || [], found[side].trace, { inputs: found[side].inputs || found.inputs, named_inputs: namesFor(found, found[side].inputs) }));
  if (pair.length === 2) { pair[0].partner = pair[1]; pair[1].partner = pair[0]; }
  runs.push(...pair);
}
for (const scene of scenes) addWitnesses(follow(outcome, scene.witnesses), scene);
if (isThere(outcome.trace)) {
  runs.push(makeRun("the run", outcome.events || [], outcome.trace, { inputs: outcome.inputs, named_inputs: outcome.named_inputs }));
}
if (outcome.error && isThere(outcome.error.trace)) {
  runs.push(makeRun("the failing run", (outcome.error.decisions || "").split(""), outcome.error.trace,
    { inputs: outcome.error.inputs, named_inputs: outcome.error.named_inputs, scene: scenes[0] || null }));
}
// The failing run as it is, and with each repair: they go in step, on one text.
const before = outcome.before && isThere(outcome.before.trace)
  ? makeRun("before", [], outcome.before.trace, { inputs: outcome.before.inputs, named_inputs: outcome.before.named_inputs, isSameText: true }) : null;
if (before) runs.push(before);
(outcome.repairs || []).forEach((repair, index) => {
  if (repair.run && isThere(repair.run.trace)) {
    const run = makeRun(`with repair ${index + 1}`, [], repair.run.trace,
      { inputs: repair.run.inputs, named_inputs: repair.run.named_inputs, isSameText: true, partner: before || undefined });
    if (before && !before.partner) before.partner = run;
    runs.push(run);
  }
});
// A run that breaks a protocol: its calls, and the automaton that it leaves. What a life's automaton does not name
// is its letter for all others.
const sceneOf = (found) => {
  const kind = (found.object || "").replace(/ \S+$/, "");
  return scenes.find((scene) => kind ? scene.title === `The life of a ${kind}` : scene.path[0] === "specification") || null;
};
const violated = (outcome.violations || []).map((found, index) => {
  const scene = sceneOf(found);
  const letters = scene ? scene.letters : new Map();
  const word = (found.scenario || []).map((name) => !letters.has(name) && letters.has("*") ? "*" : name);
  const calls = (found.scenario || []).map((name, i) => ({ file: found.file, line: (found.scenario_lines || [])[i],
    function: "", text: name, event: word[i], values: {} }));
  const run = makeRun(`violation ${index + 1}`, word, calls, { scene, isViolation: true, calls: found.scenario || [] });
  if (run.isPlayable) runs.push(run);
  return run;
});
(outcome.traces || []).forEach((trace, index) => {
  const named_inputs = (trace.error || outcome.error || {}).named_inputs;
  runs.push(makeRun(`error trace ${index + 1}`, [], trace.statements, { inputs: trace.inputs, named_inputs }));
});

// Where the failure is: said by the outcome, or the last step of a witness.
const lastStep = (witness) => Array.isArray((witness || {}).trace) ? witness.trace[witness.trace.length - 1] : null;
const failure = outcome.error && outcome.error.line ? outcome.error
  : letterPlaces.get("assert")
    || (outcome.verdict === "error-language" && lastStep((outcome.witnesses || [])[0])) || null;

// What is being looked at: one run, one of its steps. Panes register to be told.
const now = { run: null, step: -1 };
const watchers = [];
const show = (run, step) => {
  if (!run || !run.isPlayable) return;
  const last = run.steps.length - 1;
  const to = Math.max(0, Math.min(step, last));
  if (run === now.run && to === now.step) return;
  const isOther = run !== now.run;
  now.run = run;
  now.step = to;
  for (const watch of watchers) watch(isOther);
};
// How many letters have happened by the current step.
const lettersTaken = () => firstAfter(now.run.events, now.step);
// How many of these ascending numbers are at most this one.
const firstAfter = (numbers, limit) => {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= limit) low = middle + 1; else high = middle;
  }
  return low;
};
