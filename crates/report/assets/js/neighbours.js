// A state of a large automaton and what is next to it: where one comes from on the left, where one goes on the
// right. Drawn when somebody wants to go there, so that every state can be reached by clicks.

const SVG_MOST = 14;

const neighbourhood = (scene, id) => {
  const [RADIUS, STEP, SPAN] = [20, 52, 190];
  const all = scene.automaton.transitions || [];
  // Letters that go to or come from the same state share a line.
  const grouped = (edges, other) => {
    const groups = new Map();
    for (const edge of edges) groups.set(edge[other], [...(groups.get(edge[other]) || []), edge.letter]);
    return [...groups];
  };
  const into = grouped(all.filter((edge) => edge.to === id && edge.from !== id), "from");
  const out = grouped(all.filter((edge) => edge.from === id && edge.to !== id), "to");
  const loop = all.filter((edge) => edge.from === id && edge.to === id).map((edge) => edge.letter);
  const rows = Math.max(1, Math.min(SVG_MOST, Math.max(into.length, out.length)));
  const height = rows * STEP + 2 * RADIUS;
  const width = 2 * SPAN + 4 * RADIUS;
  const center = { x: width / 2, y: height / 2 };
  const svg = svgNode("svg", { class: "automaton", role: "img", "aria-label": `around q${id}`, width, height, viewBox: `0 0 ${width} ${height}` });
  svg.dataset.view = `around-${id}`;
  const world = svgNode("g", { class: "world" });
  svg.append(world);
  const place = (index, n, side) => ({ x: side < 0 ? 2 * RADIUS : width - 2 * RADIUS,
    y: height / 2 + (index - (Math.min(n, SVG_MOST) - 1) / 2) * STEP });
  const lines = [];
  const states = [neighbour(scene, id, center, RADIUS, false)];
  for (const [side, groups] of [[-1, into], [1, out]]) {
    groups.slice(0, SVG_MOST).forEach(([other, letters], index) => {
      const at = place(index, groups.length, side);
      const [from, to, pair] = side < 0 ? [at, center, [other, id]] : [center, at, [id, other]];
      lines.push(neighbourLine(scene, from, to, RADIUS, pair, letters, at));
      states.push(neighbour(scene, other, at, RADIUS, true));
    });
    if (groups.length > SVG_MOST) {
      const more = svgNode("text", { class: "output", x: side < 0 ? 2 * RADIUS : width - 2 * RADIUS, y: height - 2 });
      more.textContent = `${groups.length - SVG_MOST} more, in the table`;
      states.push(more);
    }
  }
  if (loop.length) {
    const top = center.y - RADIUS;
    const path = `M${center.x - 8} ${top + 2}c-14 -34 30 -34 16 0`;
    lines.push(neighbourPath(scene, path, [id, id], loop, { x: center.x, y: top - 30 }, `M${center.x + 8} ${top + 2}l6 -7 l-8 -3z`));
  }
  world.append(...lines, ...states);
  return svg;
};

const neighbour = (scene, id, at, radius, isOutside) => {
  const state = (scene.automaton.states || []).find((each) => each.id === id) || {};
  const flags = [[isOutside, "outside"], [state.initial, "initial"], [state.accepting, "accepting"], [state.doomed, "doomed"]];
  const node = svgNode("g", { class: "state" + flags.filter(([on]) => on).map(([, name]) => " " + name).join("") });
  node.dataset.ids = id;
  const title = svgNode("title", {});
  title.textContent = `q${id}${state.accepting ? ", accepting" : ""}${state.output === undefined ? "" : `: ${state.output}`}`;
  const name = svgNode("text", { class: "name", x: at.x, y: at.y + 4 });
  name.textContent = `q${id}`;
  const ring = (cls, r) => svgNode("circle", { class: cls, cx: at.x, cy: at.y, r });
  node.append(title, ring("outline", radius), ...(state.accepting ? [ring("ring", radius - 4)] : []), name);
  return node;
};

// From rim to rim, with the letters beside the state at the outside, where lines are apart.
const neighbourLine = (scene, from, to, radius, pair, letters, outer) => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const [a, b] = [{ x: from.x + ux * radius, y: from.y + uy * radius }, { x: to.x - ux * (radius + 7), y: to.y - uy * (radius + 7) }];
  const head = `M${b.x + ux * 7} ${b.y + uy * 7}L${b.x - uy * 4} ${b.y + ux * 4}L${b.x + uy * 4} ${b.y - ux * 4}z`;
  const inward = outer === to ? -1 : 1;
  const label = { x: outer.x + inward * ux * 72, y: outer.y + inward * uy * 72 };
  return neighbourPath(scene, `M${a.x} ${a.y}L${b.x} ${b.y}`, pair, letters, label, head);
};

const neighbourPath = (scene, path, pair, letters, label, head) => {
  const node = svgNode("g", { class: "edge" });
  node.dataset.pairs = pair.join("-");
  const title = svgNode("title", {});
  title.textContent = letters.map((name) => name ?? "λ").join(", ");
  const SHOWN = 3;
  const text = svgNode("text", { x: label.x, y: label.y + 4 });
  letters.slice(0, SHOWN).forEach((name, index) => {
    const number = scene.letters.get(name);
    const span = svgNode("tspan", number === undefined ? {} : { class: `letter c${number % 8}`, "data-letter": number });
    span.textContent = (index ? " " : "") + (name ?? "λ") + (index === SHOWN - 1 && letters.length > SHOWN ? " …" : "");
    text.append(span);
  });
  const width = 8 * text.textContent.length + 4;
  node.append(title, svgNode("path", { class: "reach", d: path }), svgNode("path", { class: "line", d: path }),
    svgNode("path", { class: "head", d: head }),
    svgNode("rect", { class: "behind", x: label.x - width / 2, y: label.y - 8, width, height: 16 }), text);
  return node;
};
