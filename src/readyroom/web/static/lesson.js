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

  const narrow = matchMedia("(max-width: 60rem)");
  let seen = new Map();
  let fresh = "";

  /** What comes for the first time is open, one at a time; what was read before is folded; what is still there stays. */
  function settle() {
    const known = read();
    let room = true;
    for (const tip of tips()) {
      const name = called(tip);
      tip.open = seen.has(name) ? seen.get(name) : room && !known.includes(name);
      if (!seen.has(name)) fresh = tip.open ? name : "";
      if (!tip.open || known.includes(name)) continue;
      known.push(name);
      room = false;
    }
    seen = new Map(tips().map((tip) => [called(tip), tip.open]));
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
    const left = Math.max(0, box.left - ROOM);
    const right = Math.min(document.documentElement.clientWidth, box.right + ROOM);
    const frame = Object.assign(document.createElement("div"), { className: "pointer" });
    frame.style.left = `${left + scrollX}px`;
    frame.style.top = `${box.top + scrollY - ROOM}px`;
    frame.style.width = `${right - left}px`;
    frame.style.height = `${box.height + 2 * ROOM}px`;
    return frame;
  }

  /** Frames around what the open tip tells of; on a small screen around what was just read of as well. */
  function point() {
    cancelAnimationFrame(drawing);
    drawing = requestAnimationFrame(draw);
  }

  function draw() {
    const tip = one("#tip-of-the-lesson");
    const meets = tip && (tip.open || (narrow.matches && called(tip) === fresh));
    const told = meets && tip.dataset.show ? tip.dataset.show.split("|") : [];
    pointers.replaceChildren(...told.flatMap(meant).slice(0, MOST).map(framed));
  }

  // -- what happens -------------------------------------------------------------------------------------------------

  document.addEventListener("htmx:afterSwap", (event) => {
    if (event.detail.target && event.detail.target.id === "table") settle();
  }, true);
  document.addEventListener("toggle", ({ target }) => {
    if (!target.matches("#lesson > details")) return;
    seen.set(called(target), target.open);
    point();
  }, true);
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
