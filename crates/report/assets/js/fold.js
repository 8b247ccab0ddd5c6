// Loops in a trace: the same lines again and again become one row with a count. The first and the
// last iteration stay, since these are the ones people look at.

// Rows are numbers of steps, or {from, to, times, period}: steps [from, to) are `times` iterations.
const foldLoops = (steps) => {
  const place = new Uint32Array(steps.length);
  for (let i = 0; i < place.length; i++) place[i] = steps.places[steps.ids[i]];
  const LONGEST = 60;
  const rows = [];
  let at = 0;
  while (at < steps.length) {
    let best = null;
    for (let period = 1; period <= LONGEST && at + 4 * period <= steps.length; period++) {
      let end = at + period;
      while (end < steps.length && place[end] === place[end - period]) end += 1;
      const times = Math.floor((end - at) / period);
      if (times >= 4 && (!best || times * period > best.times * best.period)) best = { period, times };
    }
    if (!best) { rows.push(at); at += 1; continue; }
    const { period, times } = best;
    for (let i = 0; i < period; i++) rows.push(at + i);
    rows.push({ from: at + period, to: at + (times - 1) * period, times: times - 2, period });
    for (let i = 0; i < period; i++) rows.push(at + (times - 1) * period + i);
    at += times * period;
  }
  return rows;
};

// The row of a step: rows are in order.
const rowOf = (rows, step) => {
  const start = (row) => typeof row === "number" ? row : row.from;
  let [low, high] = [0, rows.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (start(rows[middle]) <= step) low = middle + 1; else high = middle;
  }
  return low - 1;
};
