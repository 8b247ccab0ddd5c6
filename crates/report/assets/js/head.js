// The head of the page: what came out, how sure it is, and how to get it again.

// Verdict: how it is meant, and one sentence of plain English.
const VERDICTS = {
  "error-language": ["bad", "The assertion can fail. These are the ways."],
  "no-error": ["good", "No run fails."],
  "program-language": ["plain", "This is what the program does."],
  same: ["good", "Both versions do the same, in these events."],
  different: ["bad", outcome.in_neither ? "The merge and the versions that it comes from differ." : "The versions differ."],
  error: ["bad", "There is an error, and here is a run that reaches it."],
  proved: ["good", "No run reaches an error."],
  pac: ["open", "No error was found. The guarantee says how sure that is."],
  relevant: ["bad", "Each of these statements, changed alone, blocks this error trace."],
  "no-simple-fix": ["open", "No single assignment, changed alone, makes this error go away."],
  repaired: ["plain", "There was a fault, and this mends it."],
  learned: ["good", "Learned."],
  none: ["open", "Nothing was learned."],
  mined: ["plain", "This is the protocol that the runs keep."],
  satisfies: ["good", "Every run keeps to the specification."],
  violates: ["bad", "Some runs break the specification."],
  exit: ["good", "The program ended by itself."],
  fault: ["bad", "The program did something that C leaves undefined, or worse."],
  trap: ["open", "The run reached C that is not modelled."],
  limit: ["open", "The run was cut off."],
  "assume-ended": ["plain", "An assumption did not hold, and the run ended quietly."],
  undecided: ["open", "Undecided within the budget."],
};
const SIGN = { good: "✔", bad: "✖", open: "?", plain: "●", none: "?" };

// What a promise may rest on. The words are those of `--json` and of the book.
const ASSUMED = {
  bound: "a size was limited, so runs that exist were not looked at",
  unmodelled: "runs come to C that is not modelled; nothing is proved while this is assumed",
  "missing-body": "a function without a body is called",
  contract: "a precondition that the function relies on",
  convention: "C or the platform leaves it open, and a choice was made",
};
const assumptions = (outcome.guarantee || {}).assumptions || [];

const assumedItem = (found) => {
  const kind = make("span", "tag " + (found.kind === "bound" || found.kind === "unmodelled" ? "open" : ""), found.kind);
  kind.title = ASSUMED[found.kind] || "";
  return make("li", "", kind, " ", ...ticked(found.text),
    found.file && found.line ? make("span", "", ", at ", placeLink(found.file, found.line)) : null,
    found.option ? make("span", "soft", " · ", make("code", "", found.option)) : null);
};

// Under every guarantee: what it rests on. Where it rests on nothing, that is worth a line, too.
const assumptionsPart = () => {
  if (!assumptions.length) {
    const { kind, class: cls } = outcome.guarantee || {};
    const isPromise = ["proved", "exact", "paper", "pac"].includes(kind) && ["promise", "bet"].includes(cls);
    return isPromise ? make("p", "assumed soft", "This rests on no assumption.") : null;
  }
  const list = make("ul", "assumptions", ...assumptions.map(assumedItem));
  const MOST = 6;
  if (assumptions.length <= MOST) return make("div", "assumed", make("span", "soft", "assuming"), list);
  return make("details", "assumed", make("summary", "", `assuming ${count(assumptions.length, "thing")}`), list);
};

// Colours follow the class of the outcome, which the command computes: a bet is never green.
const CLASSES = { finding: "bad", promise: "good", bet: "open", nothing: "none" };
const kindOf = (verdict) => {
  const [usual] = VERDICTS[verdict] || ["none"];
  const said = CLASSES[(outcome.guarantee || {}).class];
  // A repair is a finding, and no bad news.
  if (verdict === "repaired") return usual;
  return said && !(usual === "plain" && said === "good") ? said : usual;
};

const headPane = () => {
  const [, sentence] = VERDICTS[outcome.verdict] || ["", ""];
  const kind = kindOf(outcome.verdict);
  const isBet = (outcome.guarantee || {}).kind === "pac";
  const error = outcome.error;
  let what = sentence;
  if (error && (error.message || error.kind)) {
    what = `${error.message || error.kind}, at ${basename(error.file) || "?"}:${error.line || "?"}`
      + (error.function ? `, in ${error.function}` : "");
  } else if (outcome.verdict === "program-language" && outcome.automaton && !(outcome.automaton.states || []).some((state) => state.accepting)) {
    what = "No run comes to a normal end.";
  } else if (outcome.verdict === "learned" && has(outcome.points)) {
    const proved = outcome.points.filter((point) => point.proof === "adequate" || point.proof === "inductive").length;
    what = proved === outcome.points.length ? "This holds at these points, learned from runs and then proved."
      : proved ? `This held in all runs; at ${proved} of ${count(outcome.points.length, "point")} it is proved.`
        : "This held in all runs. It is not proved.";
  } else if (outcome.exit_code !== null && outcome.exit_code !== undefined) {
    what = `The program ended with status ${outcome.exit_code}.`;
  }
  const meta = make("p", "meta");
  const add = (name, value) => meta.append(make("span", "", `${name} `, make("b", "", value)));
  const bounds = outcome.bounds || {};
  if (bounds.unwind !== undefined) add("loop iterations up to", factValue(bounds.unwind));
  if (bounds.word_length !== undefined) add("word length up to", factValue(bounds.word_length));
  if (bounds.converged !== undefined) add("converged", factValue(bounds.converged));
  const seed = outcome.seed !== undefined ? outcome.seed : (outcome.guarantee || {}).seed;
  if (seed !== undefined) add("seed", factValue(seed));
  if (outcome.version) add("idiolect", outcome.version);
  const repeat = make("p", "command", make("span", "soft", "again: "), make("code", "", command));
  return make("header", "head " + kind,
    make("div", "verdict", make("h1", "", title), make("span", "badge " + kind, `${outcome.verdict === "repaired" ? "✎" : SIGN[kind]} ${plain(outcome.verdict || "no verdict").replaceAll("-", " ")}`),
      isBet ? make("span", "badge open not-proof", "not a proof") : null,
      make("span", "what", ...ticked(what))),
    (outcome.guarantee || {}).text ? make("p", "guarantee", ...ticked(outcome.guarantee.text)) : null,
    assumptionsPart(),
    make("div", "foot", command ? repeat : null, meta));
};
