// A value over the whole run, as a small chart: click a name to watch it, click the chart to go there.

const watchedNames = new Set();
const watchList = make("div", "watched");

const watchValue = (name) => {
  if (!watchedNames.delete(name)) watchedNames.add(name);
  drawWatched();
};

const watchPane = () => {
  watchers.push(() => drawWatched());
  return watchList;
};

const WIDTH = 600;
const HEIGHT = 44;
// The name of a language, not an address: nothing is loaded.
const svgNode = (tag, attributes) => {
  const node = document.createElementNS("http" + "://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
};

// For each column the least and the greatest value there; between changes a value stays.
const columnsOf = (series, length) => {
  const columns = new Array(WIDTH).fill(null);
  const columnAt = (step) => Math.min(WIDTH - 1, Math.floor(step * WIDTH / Math.max(1, length)));
  let last = null;
  let filled = 0;
  series.steps.forEach((step, index) => {
    const value = Number(series.values[index]);
    if (!Number.isFinite(value)) return;
    const column = columnAt(step);
    for (; filled < column; filled++) if (last !== null && !columns[filled]) columns[filled] = [last, last];
    columns[column] = columns[column] ? [Math.min(columns[column][0], value), Math.max(columns[column][1], value)]
      : [Math.min(last === null ? value : last, value), Math.max(last === null ? value : last, value)];
    last = value;
  });
  for (; filled < WIDTH; filled++) if (last !== null && !columns[filled]) columns[filled] = [last, last];
  return columns;
};

const chartOf = (series, length) => {
  const columns = columnsOf(series, length);
  const values = columns.filter(Boolean).flat();
  if (!values.length) return null;
  const [low, high] = values.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [Infinity, -Infinity]);
  const y = (value) => HEIGHT - 3 - (HEIGHT - 6) * (high === low ? 0.5 : (value - low) / (high - low));
  const path = columns.map((column, x) => column ? `M${x} ${(y(column[0]) + 0.6).toFixed(1)}V${(y(column[1]) - 0.6).toFixed(1)}` : "").join("");
  const chart = svgNode("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img" });
  chart.append(svgNode("path", { d: path, class: "curve" }));
  return { chart, low, high };
};

const drawWatched = () => {
  const { run, step } = now;
  refill(watchList, [...watchedNames].map((name) => {
    const series = run.steps.series(name);
    const made = series.made || (series.made = { of: chartOf(series, run.steps.length) });
    const drop = button("×", `do not watch ${name}`, () => watchValue(name));
    const index = firstAfter(series.steps, step);
    const current = index > 0 ? series.values[index - 1] : "–";
    const back = button("◀", `previous change of ${name}`, () => show(run, series.steps[firstAfter(series.steps, step - 1) - 1] ?? step));
    const on = button("▶", `next change of ${name}`, () => show(run, series.steps[index] ?? step));
    const head = make("div", "bar", drop, make("code", "", `${name} = ${current}`), make("span", "",
      `${count(series.steps.length, "change")}${made.of ? `, from ${factValue(made.of.low)} to ${factValue(made.of.high)}` : ""}`),
    make("span", "space"), back, on);
    if (!made.of) return make("div", "watch", head);
    const { chart } = made.of;
    chart.setAttribute("aria-label", `${name} over the run`);
    chart.querySelector(".hand")?.remove();
    const x = (step + 0.5) * WIDTH / run.steps.length;
    chart.append(svgNode("line", { x1: x, x2: x, y1: 0, y2: HEIGHT, class: "hand" }));
    chart.onclick = (event) => {
      const box = chart.getBoundingClientRect();
      show(run, Math.floor((event.clientX - box.left) / box.width * run.steps.length));
    };
    return make("div", "watch", head, chart);
  }));
};
