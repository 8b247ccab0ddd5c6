// C in colour: a small lexer that goes through a whole file, so that a comment over several lines
// is one. Anything it does not know is left as it is.

const KEYWORDS = new Set(("auto break case const continue default do else enum extern for goto if " +
  "inline register restrict return sizeof static struct switch typedef union volatile while " +
  "_Alignof _Atomic _Generic _Noreturn _Static_assert").split(" "));
const TYPES = new Set(("char double float int long short signed unsigned void _Bool bool size_t " +
  "ssize_t FILE int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t intptr_t " +
  "uintptr_t ptrdiff_t").split(" "));
const TOKEN = new RegExp([
  String.raw`(?<comment>\/\/(?:\\\n|[^\n])*|\/\*[\s\S]*?(?:\*\/|(?![\s\S])))`,
  String.raw`(?<string>"(?:\\[\s\S]|[^"\\\n])*"?|'(?:\\[\s\S]|[^'\\\n])*'?)`,
  String.raw`(?<directive>^[ \t]*#[ \t]*\w+(?:[ \t]*<[^>\n]*>)?)`,
  String.raw`(?<word>[A-Za-z_]\w*)`,
  String.raw`(?<number>\.?\d(?:[eEpP][+-]|[\w.])*)`,
].join("|"), "gm");

// Pieces of text with their class, in order; together they are the text again.
const lexC = (text) => {
  const pieces = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) pieces.push(["", text.slice(end, match.index)]);
    end = match.index + match[0].length;
    const { comment, string, directive, word, number } = match.groups;
    let kind = "";
    if (comment !== undefined) kind = "comment";
    else if (string !== undefined) kind = "string";
    else if (directive !== undefined) kind = "keyword";
    else if (number !== undefined) kind = "number";
    else if (KEYWORDS.has(word)) kind = "keyword";
    else if (TYPES.has(word)) kind = "type";
    else if (/^\s*\(/.test(text.slice(end, end + 9))) kind = "call";
    pieces.push([kind, match[0]]);
  }
  if (end < text.length) pieces.push(["", text.slice(end)]);
  return pieces;
};

// The same, as one list of pieces per line.
const lexLines = (text) => {
  const lines = [[]];
  for (const [kind, piece] of lexC(text)) {
    piece.split("\n").forEach((part, index) => {
      if (index > 0) lines.push([]);
      if (part) lines[lines.length - 1].push([kind, part]);
    });
  }
  return lines;
};
const inColour = (pieces) => pieces.map(([kind, part]) => (kind ? make("span", "t-" + kind, part) : part));
