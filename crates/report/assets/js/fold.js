// Loops in a trace: the same lines again and again become one row with a count. The first and the
// last iteration stay, since these are the ones people look at.

// Rows are {step} or {from, to, times, period}: steps [from, to) are `times` iterations.
const foldLoops = (steps) => {
  const name = steps.map((step) => `${step.file}:${step.line}:${step.function}:${step.depth || 0}`);
  const LONGEST = 60;
  const rows = [];
  let at = 0;
  while (at < steps.length) {
    let best = null;
    for (let period = 1; period <= LONGEST && at + 4 * period <= steps.length; period++) {
      let end = at + period;
      while (end < steps.length && name[end] === name[end - period]) end += 1;
      const times = Math.floor((end - at) / period);
      if (times >= 4 && (!best || times * period > best.times * best.period)) best = { period, times };
    }
    if (!best) { rows.push({ step: at }); at += 1; continue; }
    const { period, times } = best;
    for (let i = 0; i < period; i++) rows.push({ step: at + i });
    rows.push({ from: at + period, to: at + (times - 1) * period, times: times - 2, period });
    for (let i = 0; i < period; i++) rows.push({ step: at + (times - 1) * period + i });
    at += times * period;
  }
  return rows;
};
