// All states as a table, for automata that no drawing shows at once, and to search in.

const statesPane = (scene) => {
  const states = scene.automaton.states || [];
  const find = make("input", "find");
  Object.assign(find, { type: "search", placeholder: "state, letter or output" });
  find.setAttribute("aria-label", "search in the states");
  const body = make("tbody", "");
  const said = make("span", "");
  const MOST = 200;
  const signs = (state) => (state.initial ? "→" : "") + (state.accepting ? "◎" : "") + (state.doomed ? "⊘" : "");
  const draw = () => {
    const wanted = find.value.trim();
    const isWanted = (state) => !wanted || `q${state.id}` === wanted || (state.output || "").includes(wanted)
      || (scene.edges.get(state.id) || []).some((edge) => (edge.letter || "").includes(wanted));
    const found = states.filter(isWanted);
    said.textContent = `${count(found.length, "state")}${found.length > MOST ? `, the first ${MOST} shown` : ""}`;
    body.replaceChildren(...found.slice(0, MOST).map((state) => {
      const go = button(`q${state.id}`, "play a word to this state", () => playState(scene, state.id));
      go.className = "place";
      const ways = (scene.edges.get(state.id) || []).map((edge) => make("span", "way",
        make("span", "letter " + colorOf(edge.letter), edge.letter === null ? "λ" : edge.letter), ` → q${edge.to}`));
      return make("tr", "", make("td", "", go), make("td", "", signs(state)),
        make("td", "", state.output || ""), make("td", "", ...ways));
    }));
  };
  find.addEventListener("input", draw);
  draw();
  const table = make("table", "states", body);
  return section(`States${scenes.length > 1 ? " · " + scene.title : ""}`, "states-pane",
    make("div", "bar", find, said), make("div", "scroll", table));
};
