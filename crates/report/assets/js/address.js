// The address names the run and the step that are shown, so that a step can be sent to somebody.

const goToAddress = () => {
  const wanted = new URLSearchParams(location.hash.slice(1));
  const run = runs[Number(wanted.get("run") || 1) - 1];
  const step = Number(wanted.get("step"));
  if (!run || !run.isPlayable || !Number.isInteger(step) || step < 1) return false;
  show(run, step - 1);
  return true;
};

let addressLater = 0;
watchers.push(() => {
  // Browsers refuse addresses that change too often.
  clearTimeout(addressLater);
  addressLater = setTimeout(() => {
    try { history.replaceState(null, "", `#run=${runs.indexOf(now.run) + 1}&step=${now.step + 1}`); } catch { /* No address. */ }
  }, 250);
});
