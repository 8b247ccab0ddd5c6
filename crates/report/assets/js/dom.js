// Elements, and words for people.

const make = (tag, cls, ...content) => {
  const node = document.createElement(tag);
  if (cls) node.className = cls;
  node.append(...content.filter((part) => part !== null && part !== undefined));
  return node;
};

const button = (label, title, action) => {
  const node = make("button", "", label);
  node.type = "button";
  node.title = title;
  // What is read aloud begins with what is seen, if that can be read.
  node.setAttribute("aria-label", /[\p{L}\p{N}]/u.test(label) ? `${label}: ${title}` : title);
  node.addEventListener("click", action);
  return node;
};

// New content for a part of the page. Who was at one of its buttons with the keyboard is there again: at the one of the same name, or
// else of the same place.
const refill = (box, content) => {
  const before = [...box.querySelectorAll("button")];
  const at = before.indexOf(document.activeElement);
  box.replaceChildren(...content);
  if (at < 0) return;
  const after = [...box.querySelectorAll("button")];
  const label = before[at].getAttribute("aria-label");
  const same = after[at]?.getAttribute("aria-label") === label ? after[at] : after.find((one) => one.getAttribute("aria-label") === label);
  (same || after[Math.min(at, after.length - 1)] || box).focus({ preventScroll: true });
};

const section = (name, cls, ...content) => {
  const node = make("section", cls, make("h2", "", name), ...content);
  node.setAttribute("aria-label", name);
  return node;
};

const count = (n, one, many = one + "s") => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

const key = (file, line) => file + "\n" + line;

const plain = (name) => name.replaceAll("_", " ");

// Names between backticks, as our messages have them, in the type of the source.
const ticked = (text) => text.split("`").map((part, index) => index % 2 ? make("code", "", part) : part);

const basename = (file) => (file || "").split("/").pop();

// A place that opens in the source pane.
const placeLink = (file, line) => {
  const text = `${basename(file)}:${line}`;
  if (!lineRows.has(key(file, line))) return make("code", "", text);
  const node = button(text, `show line ${line}`, () => pointAt(file, line));
  node.className = "place";
  return node;
};
