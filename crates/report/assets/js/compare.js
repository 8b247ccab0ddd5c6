// Two versions beside each other: their lines aligned, and two runs on the same inputs in step.

const isComparing = outcome.command === "diff" && sources.length === 2 && sources[0].file !== sources[1].file;

// For each element of one list, where it is in the other, in order; -1 if nowhere. The longest common
// subsequence where that can be afforded; between very long lists, elements that both have once are fixed first.
const alignment = (a, b) => {
  const to = new Int32Array(a.length).fill(-1);
  const spans = [[0, a.length, 0, b.length]];
  while (spans.length) {
    let [aFrom, aTo, bFrom, bTo] = spans.pop();
    while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) to[aFrom++] = bFrom++;
    while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) to[--aTo] = --bTo;
    if (aFrom === aTo || bFrom === bTo) continue;
    if ((aTo - aFrom) * (bTo - bFrom) <= 4e6) longestCommon(a, b, aFrom, aTo, bFrom, bTo, to);
    else spans.push(...fixedPoints(a, b, aFrom, aTo, bFrom, bTo, to));
  }
  return to;
};
const longestCommon = (a, b, aFrom, aTo, bFrom, bTo, to) => {
  const [n, m] = [aTo - aFrom, bTo - bFrom];
  const best = new Uint16Array((n + 1) * (m + 1));
  const at = (i, j) => i * (m + 1) + j;
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      best[at(i, j)] = a[aFrom + i] === b[bFrom + j] ? best[at(i + 1, j + 1)] + 1
        : Math.max(best[at(i + 1, j)], best[at(i, j + 1)]);
    }
  }
  for (let i = 0, j = 0; i < n && j < m;) {
    if (a[aFrom + i] === b[bFrom + j]) { to[aFrom + i] = bFrom + j; i += 1; j += 1; }
    else if (best[at(i + 1, j)] >= best[at(i, j + 1)]) i += 1; else j += 1;
  }
};
// What both have exactly once, as far as the order is the same, and the spans between.
const fixedPoints = (a, b, aFrom, aTo, bFrom, bTo, to) => {
  const once = (list, from, end) => {
    const places = new Map();
    for (let i = from; i < end; i++) places.set(list[i], places.has(list[i]) ? -1 : i);
    return places;
  };
  const [inA, inB] = [once(a, aFrom, aTo), once(b, bFrom, bTo)];
  const spans = [];
  let [i, j] = [aFrom, bFrom];
  for (const [element, place] of inA) {
    const other = inB.get(element);
    // Greedy: one that would leave much of the other list out is not a point.
    if (place < 0 || other === undefined || other < j || other - j > 4 * (place - i) + 1000) continue;
    to[place] = other;
    spans.push([i, place, j, other]);
    [i, j] = [place + 1, other + 1];
  }
  // Without any point there is nothing to hold on to.
  if (spans.length) spans.push([i, aTo, j, bTo]);
  return spans;
};

// How alike two lines are, from 0 to 1: the pairs of neighbouring characters that they share.
const likeness = (one, other) => {
  const bigrams = (text) => {
    const bare = text.replace(/\s+/g, " ").trim();
    return Array.from({ length: Math.max(0, bare.length - 1) }, (_, i) => bare.slice(i, i + 2));
  };
  const [a, b] = [bigrams(one), bigrams(other)];
  const left = new Map();
  for (const pair of a) left.set(pair, (left.get(pair) || 0) + 1);
  let shared = 0;
  for (const pair of b) if (left.get(pair)) { left.set(pair, left.get(pair) - 1); shared += 1; }
  return a.length + b.length ? 2 * shared / (a.length + b.length) : 0;
};

// The rows of both versions: a line and its counterpart, where there is one. Between two lines that are the same,
// a changed line stands beside the one that it is like.
const pairedLines = (old, fresh) => {
  const to = alignment(old, fresh);
  const pairs = [];
  let [i, j] = [0, 0];
  const between = (iEnd, jEnd) => {
    const [n, m] = [iEnd - i, jEnd - j];
    if (n && m && n * m <= 2500) {
      const best = Array.from({ length: n + 1 }, () => new Float64Array(m + 1));
      const alike = (a, b) => { const l = likeness(old[i + a], fresh[j + b]); return l > 0.4 ? l : 0; };
      const likes = Array.from({ length: n }, (_, a) => Array.from({ length: m }, (_, b) => alike(a, b)));
      for (let a = n - 1; a >= 0; a--) {
        for (let b = m - 1; b >= 0; b--) {
          best[a][b] = Math.max(best[a + 1][b], best[a][b + 1], likes[a][b] && likes[a][b] + best[a + 1][b + 1]);
        }
      }
      const [iFrom, jFrom] = [i, j];
      for (let a = 0, b = 0; a < n && b < m;) {
        if (likes[a][b] && best[a][b] === likes[a][b] + best[a + 1][b + 1]) {
          while (i < iFrom + a) pairs.push([i++, -1, false]);
          while (j < jFrom + b) pairs.push([-1, j++, false]);
          pairs.push([i++, j++, false]);
          a += 1; b += 1;
        } else if (best[a + 1][b] >= best[a][b + 1]) a += 1; else b += 1;
      }
    }
    while (i < iEnd) pairs.push([i++, -1, false]);
    while (j < jEnd) pairs.push([-1, j++, false]);
  };
  for (let at = 0; at < old.length; at++) {
    if (to[at] < 0) continue;
    between(at, to[at]);
    pairs.push([i++, j++, true]);
  }
  between(old.length, fresh.length);
  return pairs;
};

const GONE = { sign: "−", cls: "bad", text: "only in the old version", row: "gone" };
const ADDED = { sign: "+", cls: "good", text: "only in the new version", row: "added" };
const changeLegend = () => [GONE, ADDED].map((mark) => make("span", "", make("b", mark.cls, mark.sign), " " + mark.text));

// Line numbers of both versions by the row that they share.
const sharedRow = new Map();

const besides = (rowFor) => {
  const texts = sources.map(({ text }) => text.replace(/\n$/, "").split("\n"));
  const lexed = sources.map(({ text }) => linesOf(text));
  // A change of layout at the ends of lines is none.
  const pairs = pairedLines(...texts.map((lines) => lines.map((line) => line.trimEnd())));
  const NEAR = 3;
  const far = pairs.map(() => true);
  pairs.forEach(([, , isSame], at) => {
    if (!isSame) for (let i = Math.max(0, at - NEAR); i <= Math.min(pairs.length - 1, at + NEAR); i++) far[i] = false;
  });
  const columns = sources.map(({ file }, side) => {
    const column = make("div", "code scroll", make("div", "file", `${side ? "new" : "old"}: ${file}`));
    column.tabIndex = 0;
    column.setAttribute("role", "region");
    column.setAttribute("aria-label", `${side ? "new" : "old"} version`);
    pairs.forEach((pair, at) => {
      const index = pair[side];
      const nodes = index < 0 ? [make("div", "row gap", make("span", "src", " "))]
        : rowFor(file, index + 1, lexed[side][index] || [], pair[2] ? null : side ? ADDED : GONE);
      if (index >= 0) sharedRow.set(key(file, index + 1), at);
      if (far[at]) for (const node of nodes) node.classList.add("far");
      column.append(...nodes);
    });
    return column;
  });
  // Rows have one height, so what is beside each other stays so.
  let leader = null;
  columns.forEach((column, side) => {
    for (const kind of ["pointerenter", "focusin", "touchstart"]) column.addEventListener(kind, () => { leader = column; }, { passive: true });
    column.addEventListener("scroll", () => {
      if (leader && leader !== column) return;
      const other = columns[1 - side];
      if (other.scrollTop !== column.scrollTop) other.scrollTop = column.scrollTop;
    });
  });
  return columns;
};

// How far the other run is at each step of a run, and the first step at which they part.
const inStep = (run) => {
  if (run.inStep) return run.inStep;
  const tokens = (steps) => {
    const bySite = steps.sites.map((site) => `${sharedRow.get(key(site.file, site.line)) ?? `${site.file}:${site.line}`} ${site.depth || 0}`);
    return Array.from({ length: steps.length }, (_, i) => bySite[steps.ids[i]]);
  };
  const exact = alignment(tokens(run.steps), tokens(run.partner.steps));
  const to = new Int32Array(exact.length);
  let parting = -1;
  let last = -1;
  const LOOKED_AT = 20_000;
  exact.forEach((other, at) => {
    if (other >= 0) last = other;
    to[at] = last;
    if (parting >= 0 || at >= LOOKED_AT) return;
    if (other < 0 || effect(run.steps.at(at)) !== effect(run.partner.steps.at(other))) parting = at;
  });
  if (parting < 0 && run.steps.length !== run.partner.steps.length) parting = run.steps.length - 1;
  run.inStep = { to, parting };
  return run.inStep;
};

// What is said of two runs, above the steps of one of them.
const aboutPartner = (run) => {
  if (!run.partner) return [];
  const { parting } = inStep(run);
  const other = button(run.isSameText ? `the run ${run.partner.name}` : "the other version", "the same moment of the other run", () =>
    show(run.partner, Math.max(0, inStep(run).to[now.step])));
  return [" ", parting < 0 ? "Both go the same way." : button("where they part", "the first step that is not the same in both",
    () => show(run, parting)), " ", other];
};
