// The words that can be played, each as its letters; the current letter stands out.

const wordList = make("ol", "words scroll");

const listWords = () => {
  refill(wordList, runs.filter((run) => run.word.length || run.name).map((run) => {
    const isNow = run === now.run;
    const taken = isNow ? lettersTaken() : 0;
    const LONGEST = 60;
    const letters = run.word.slice(0, LONGEST).map((name, index) => {
      const chip = button(run.calls ? run.calls[index] : name, `play up to here: letter ${index + 1}`, () => show(run, run.events[index] || 0));
      chip.className = "chip letter " + colorOf(name) + (isNow && index === taken - 1 ? " here" : "")
        + (isNow && index < taken ? " past" : "");
      return chip;
    });
    if (run.word.length > LONGEST) letters.push(make("span", "", `… ${run.word.length} letters`));
    const play = button("▶", "play this word from its start", () => show(run, 0));
    const note = !run.isReplayed ? make("span", "open", " not re-run") : null;
    const item = make("li", isNow ? "now" : "", play,
      run.name ? make("span", "run-name", run.name) : null, ...letters, note);
    return item;
  }));
};

const wordsPane = () => {
  const replayed = runs.filter((run) => run.isReplayed).length;
  // What a trace says was recorded, not run by us.
  const name = runs.every((run) => run.isViolation) ? "Runs as they were recorded" : runs.some((run) => run.word.length)
    ? `Words · ${replayed === runs.length ? "each was run" : `${replayed} of ${runs.length} were run`}` : "Runs";
  const pane = section(name, "words-pane", wordList);
  const draw = () => { listWords(); pane.hidden = !wordList.childNodes.length; };
  watchers.push(draw);
  draw();
  return pane;
};
