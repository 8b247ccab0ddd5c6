// The steps of a run. Short traces are in the page's data as they are; long ones are packed: each
// different statement once, which of them each step is as one array of numbers, and the values in pieces
// of 1,024 steps, each with what was known before it. A piece is decoded when somebody looks at it.

const PIECE = 1024;

class Steps {
  constructor(sites, ids) {
    this.sites = sites;
    this.ids = ids;
    this.length = ids.length;
    // Where a statement is, for folding loops and counting lines.
    const names = new Map();
    this.places = new Uint32Array(sites.length);
    this.lines = sites.map((site) => key(site.file, site.line));
    sites.forEach((site, index) => {
      const name = `${this.lines[index]}:${site.function}:${site.depth || 0}`;
      if (!names.has(name)) names.set(name, names.size);
      this.places[index] = names.get(name);
    });
    this.lastKnown = null;
    this.watched = new Map();
  }

  site(index) { return this.sites[this.ids[index]]; }

  at(index) { return { ...this.site(index), values: this.values(index) }; }

  // The last value of each name by a step; what changed last is last.
  known(index) {
    const from = this.checkpoint(index);
    const known = new Map(from.known);
    for (let i = from.at; i <= index; i++) {
      for (const [name, value] of Object.entries(this.values(i))) {
        known.delete(name);
        known.set(name, { value, at: i });
      }
    }
    return known;
  }

  // All values of a name: the steps that gave them, and what they were.
  series(name) {
    if (!this.watched.has(name)) {
      const found = { steps: [], values: [] };
      this.eachValue((at, values) => {
        if (!Object.hasOwn(values, name)) return;
        found.steps.push(at);
        found.values.push(values[name]);
      });
      this.watched.set(name, found);
    }
    return this.watched.get(name);
  }

  // How often each line ran.
  lineCounts() {
    const bySite = new Uint32Array(this.sites.length);
    for (const id of this.ids) bySite[id] += 1;
    const counts = new Map();
    bySite.forEach((n, id) => counts.set(this.lines[id], (counts.get(this.lines[id]) || 0) + n));
    return counts;
  }

  // The next step, forward or back, of one of these statements; -1 if there is none.
  next(isWanted, from, by) {
    for (let i = from; i >= 0 && i < this.length; i += by) if (isWanted[this.ids[i]]) return i;
    return -1;
  }
}

class PlainSteps extends Steps {
  constructor(trace) {
    super(trace, Uint32Array.from(trace, (_, index) => index));
    this.trace = trace;
  }
  values(index) { return this.trace[index].values || {}; }
  checkpoint() { return { at: 0, known: [] }; }
  eachValue(tell) { this.trace.forEach((step, index) => step.values && tell(index, step.values)); }
}

let nDecoded = 0;
class PackedSteps extends Steps {
  constructor({ sites, ids, wide }, text) {
    const raw = atob(ids);
    const bytes = new Uint8Array(raw.length);
    for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
    super(sites, wide ? new Uint32Array(bytes.buffer) : new Uint16Array(bytes.buffer));
    this.text = text;
    this.starts = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) this.starts.push(at + 1);
    this.pieces = new Map();
  }
  piece(number) {
    if (!this.pieces.has(number)) {
      nDecoded += 1;
      const [start, end] = [this.starts[number], this.starts[number + 1]];
      const { v, k } = JSON.parse(this.text.slice(start, end === undefined ? undefined : end - 1));
      // Near each other, pieces are looked at again and again; of the others only some are kept.
      if (this.pieces.size > 256) this.pieces.clear();
      this.pieces.set(number, { values: new Map(v), known: k.map(([name, value, at]) => [name, { value, at }]) });
    }
    return this.pieces.get(number);
  }
  values(index) { return this.piece(Math.floor(index / PIECE)).values.get(index % PIECE) || {}; }
  checkpoint(index) {
    const number = Math.floor(index / PIECE);
    return { at: number * PIECE, known: this.piece(number).known };
  }
  eachValue(tell) {
    for (let number = 0; number * PIECE < this.length; number++) {
      for (const [offset, values] of this.piece(number).values) tell(number * PIECE + offset, values);
    }
  }
}

// A trace of the outcome, as an array or packed.
const stepsOf = (trace) => {
  if (!trace || trace.packed === undefined) return new PlainSteps(trace || []);
  const text = document.getElementById(`trace-${trace.packed}`).textContent;
  return new PackedSteps(trace, text);
};
const isThere = (trace) => Boolean(trace) && (trace.packed !== undefined || trace.length > 0);
