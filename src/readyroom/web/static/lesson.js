// A lesson at its table: a tip opens when it comes for the first time, points at what it tells of, and folds away.
"use strict";
(() => {
  const one = (query, within = document) => within.querySelector(query);
  const all = (query, within = document) => [...within.querySelectorAll(query)];
  const READ = "readyroom-tips-read";
  const MOST = 9;
  const ROOM = 4;

  const tips = () => all("#lesson > details");
  const called = (tip) => `${tip.id} ${tip.dataset.title}`;

  /** What was read at this table; another table begins anew. */
  function read() {
    const [where, ...titles] = (localStorage.getItem(READ) || "").split("\n");
    return where === location.pathname ? titles : [];
  }

  let last = new Set();

  /** What comes for the first time is open, one at a time; what is said again is folded. */
  function settle() {
    const known = read();
    let room = true;
    for (const tip of tips().filter((found) => !last.has(called(found)))) {
      tip.open = room && !known.includes(called(tip));
      if (!tip.open) continue;
      known.push(called(tip));
      room = false;
    }
    last = new Set(tips().map(called));
    if (tips().length) localStorage.setItem(READ, [location.pathname, ...known].join("\n"));
    point();
  }

  // -- pointing at the board ----------------------------------------------------------------------------------------

  let drawing = 0;
  const pointers = Object.assign(document.createElement("div"), { id: "pointers" });
  pointers.setAttribute("aria-hidden", "true");

  /** What a tip means: a piece by its key, or drawn things of a kind, if need be those with a word in them. */
  function meant(told) {
    const [kind, ...words] = told.split(" ");
    const found = told.startsWith(".") ? all(`#board ${kind}`) : all(`#board [data-key="${told}"]`);
    return found.filter((part) => part.getClientRects().length && part.textContent.includes(words.join(" ")));
  }

  function framed(part) {
    const box = part.getBoundingClientRect();
    const frame = Object.assign(document.createElement("div"), { className: "pointer" });
    frame.style.left = `${box.left + scrollX - ROOM}px`;
    frame.style.top = `${box.top + scrollY - ROOM}px`;
    frame.style.width = `${box.width + 2 * ROOM}px`;
    frame.style.height = `${box.height + 2 * ROOM}px`;
    return frame;
  }

  /** Frames around what the open tip tells of, drawn when the page is drawn next. */
  function point() {
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(draw);
  }

  function draw() {
    const tip = one("#tip-of-the-lesson[open]");
    const told = tip && tip.dataset.show ? tip.dataset.show.split("|") : [];
    pointers.replaceChildren(...told.flatMap(meant).slice(0, MOST).map(framed));
  }

  // -- what happens -------------------------------------------------------------------------------------------------

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target && event.detail.target.id === "table") settle();
  }, true);
  document.addEventListener("toggle", (event) => { if (event.target.closest("#lesson")) point(); }, true);
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-folds]");
    if (!button) return;
    button.closest("details").open = false;
    const question = one("#question");
    if (question) question.focus({ preventScroll: true });
  });
  addEventListener("resize", point);
  new ResizeObserver(point).observe(document.body);

  document.body.append(pointers);
  settle();
})();
