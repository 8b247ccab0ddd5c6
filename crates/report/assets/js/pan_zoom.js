// Looking at a drawing closely: drag to move, pinch or Ctrl-wheel or buttons to zoom.

// Smaller than this, nobody reads the letters.
const READABLE = 0.62;

// `frame` is the element around the SVG element; the drawing's own coordinates are in its viewBox.
const panZoom = (frame, svg) => {
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const view = { x: 0, y: 0, scale: 1 };
  const apply = () => {
    const w = frame.clientWidth / view.scale;
    const h = frame.clientHeight / view.scale;
    svg.setAttribute("viewBox", `${view.x} ${view.y} ${w} ${h}`);
    svg.setAttribute("width", frame.clientWidth);
    svg.setAttribute("height", frame.clientHeight);
  };
  // All of it, unless that would be too small to read: then from its beginning.
  const fit = (readable = READABLE) => {
    if (!frame.clientWidth) return;
    // A flat drawing does not need a high frame; a high one has more of the screen, if that shows all of it.
    const wanted = Math.min(1.5, Math.max(READABLE, frame.clientWidth / width)) * height + 16;
    const usual = Math.min(0.52 * innerHeight, 560);
    const high = Math.min(READABLE * height + 16, 0.78 * innerHeight);
    const isShown = Math.min(frame.clientWidth / width, (high - 16) / height) >= 0.8 * READABLE;
    const most = isShown ? Math.max(usual, high) : usual;
    frame.style.height = `${Math.max(200, Math.min(wanted, most))}px`;
    // What nearly fits is shown whole: half of it behind an edge is read no better.
    const whole = Math.min(frame.clientWidth / width, frame.clientHeight / height);
    const least = whole < readable && whole >= 0.8 * readable ? whole : readable;
    view.scale = Math.min(1.5, Math.max(least, whole));
    const [w, h] = [frame.clientWidth / view.scale, frame.clientHeight / view.scale];
    const start = svg.querySelector(".state.initial .outline");
    const box = start ? start.getBBox() : { x: 0, y: 0, width: 0, height: 0 };
    const clamp = (at, size, room) => size <= room ? (size - room) / 2
      : Math.max(0, Math.min(at - room / 2, size - room));
    view.x = clamp(box.x, width, w);
    view.y = clamp(box.y + box.height / 2, height, h);
    apply();
  };
  const zoom = (factor, x = frame.clientWidth / 2, y = frame.clientHeight / 2) => {
    const scale = Math.max(0.08, Math.min(5, view.scale * factor));
    view.x += x / view.scale - x / scale;
    view.y += y / view.scale - y / scale;
    view.scale = scale;
    apply();
  };
  // For paper: all of it, as wide as the page has room. A style sheet gives the size.
  const whole = () => {
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.style.setProperty("--own-width", `${Math.round(1.2 * width)}px`);
  };
  // Moves no further than it takes to have the part in sight, and then so far that no state is cut by the left edge.
  const bringIntoView = (element) => {
    const box = element.getBBox();
    const MARGIN = 16;
    const [w, h] = [frame.clientWidth / view.scale, frame.clientHeight / view.scale];
    const moved = (at, room, from, size) => Math.min(Math.max(at, from + size + MARGIN - room), from - MARGIN);
    view.x = moved(view.x, w, box.x, box.width);
    view.y = moved(view.y, h, box.y, box.height);
    if (width > w) view.x = uncut(box, w);
    apply();
  };
  const uncut = (box, room) => {
    const GAP = 4;
    const outlines = [...svg.querySelectorAll(".state .outline")].map((outline) => outline.getBBox());
    const cut = outlines.filter((b) => b.x < view.x && view.x < b.x + b.width && b.y < view.y + frame.clientHeight / view.scale && b.y + b.height > view.y);
    if (!cut.length) return view.x;
    const before = Math.min(...cut.map((b) => b.x)) - GAP;
    const behind = Math.max(...cut.map((b) => b.x + b.width)) + GAP;
    // Back, if what is wanted stays in sight; otherwise on.
    return box.x + box.width + GAP <= before + room ? before : Math.min(behind, box.x - GAP);
  };
  frame.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const box = frame.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  const fingers = new Map();
  frame.addEventListener("pointerdown", (event) => {
    fingers.set(event.pointerId, event);
    frame.dataset.moved = "";
  });
  frame.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId);
    if (!before) return;
    const [dx, dy] = [event.clientX - before.clientX, event.clientY - before.clientY];
    if (fingers.size === 1) {
      if (!frame.dataset.moved && Math.hypot(dx, dy) < 5) return;
      if (!frame.dataset.moved) frame.setPointerCapture(event.pointerId);
      frame.dataset.moved = "yes";
      view.x -= dx / view.scale;
      view.y -= dy / view.scale;
      apply();
    } else {
      const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId);
      const spread = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      const box = frame.getBoundingClientRect();
      frame.dataset.moved = "yes";
      zoom(spread(event) / Math.max(1, spread(before)),
        (event.clientX + other.clientX) / 2 - box.left, (event.clientY + other.clientY) / 2 - box.top);
    }
    fingers.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) {
    frame.addEventListener(end, (event) => fingers.delete(event.pointerId));
  }
  return { fit, zoom, apply, whole, bringIntoView };
};
