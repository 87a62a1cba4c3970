/**
 * The tips of a tutorial as bubbles: each opens when it first appears, next to what it is about on the board, and shows
 * one part after the other. Closed, it is a line above the board; without a script it is a box there.
 */

import { closest, isVisible, query, queryAll, textOf } from "./dom.js";
import { isForTable, onHtmx } from "./htmx.js";
import { placeBubble } from "./bubble.js";
import { scrollToDecision } from "./swap.js";

const STORED = "readyroom-tips-read";
const MOST_FRAMES = 9;
const MARGIN = 4; // pixels around what is framed

const narrow = matchMedia("(max-width: 60rem)");
const frames = Object.assign(document.createElement("div"), { id: "pointers" });
const reader = Object.assign(document.createElement("p"), { className: "unseen" });

/** Tips of the last version of the table, and whether each was open. */
let known = /** @type {Map<string, boolean>} */ (new Map());
/** The part that the bubble shows. */
let part = 0;
let newest = "";
/** The tip whose pieces were scrolled into view. */
let scrolledTo = "";
let spoken = "";
let drawing = 0;

/** @returns {HTMLDetailsElement[]} */
const tips = () => queryAll("#lesson > details");
/** @returns {HTMLDetailsElement | null} */
const bubble = () => query("#tip-of-the-lesson");
/** @param {HTMLElement} tip */
const partsOf = (tip) => queryAll(".tip-page", tip);

/** @param {HTMLElement} tip */
const nameOf = (tip) => `${tip.id} ${tip.dataset.title}`;

/** Return the tips that were read in this match; another match starts again. */
function readTips() {
  const [path, ...names] = (localStorage.getItem(STORED) ?? "").split("\n");
  return path === location.pathname ? names : [];
}

/** Open the first unread tip, close those that were read, and leave the others as they were. */
function updateTips() {
  const read = readTips();
  let isFree = true;
  for (const tip of tips()) {
    const name = nameOf(tip);
    tip.open = known.get(name) ?? (isFree && !read.includes(name));
    if (!known.has(name)) {
      newest = tip.open ? name : "";
      part = 0;
    }
    if (!tip.open || read.includes(name)) continue;
    read.push(name);
    isFree = false;
  }
  known = new Map(tips().map((tip) => [nameOf(tip), tip.open]));
  if (tips().length) localStorage.setItem(STORED, [location.pathname, ...read].join("\n"));
  showPart();
}

/** Whether something plays on the board, or is about to (see opening.js): the tip is hidden until that is over. */
const isPlaying = () => query(".opening, #board.is-playing") !== null;

/** Show one part of the bubble. */
function showPart() {
  const tip = bubble();
  if (!tip) {
    scheduleDrawing();
    return;
  }
  const parts = partsOf(tip);
  part = Math.min(Math.max(0, part), parts.length - 1);
  parts.forEach((one, at) => {
    one.hidden = at !== part;
  });
  const [back, next, count] = ["#tip-back", "#tip-next", "#tip-part"].map((selector) => query(selector, tip));
  if (back) back.hidden = part === 0;
  if (next) next.textContent = part < parts.length - 1 ? "Next" : "Got it";
  if (count) count.textContent = parts.length > 1 ? `${part + 1} of ${parts.length}` : "";
  scheduleDrawing();
}

/**
 * Read the part that is shown to screen readers.
 * @param {HTMLDetailsElement} tip
 */
function speak(tip) {
  const text = `${tip.dataset.title}. ${textOf(partsOf(tip)[part] ?? null)}`;
  if (tip.open && text !== spoken) reader.textContent = text;
  spoken = tip.open ? text : "";
}

/**
 * Show the next part or the one before; after the last the bubble closes.
 * @param {number} steps
 */
function turn(steps) {
  const tip = bubble();
  if (!tip) return;
  if (part + steps >= partsOf(tip).length) {
    close(tip);
    return;
  }
  part += steps;
  showPart();
  if (query("#tip-back:focus")?.hidden) query("#tip-next")?.focus();
}

/** @param {HTMLDetailsElement} tip */
function close(tip) {
  const top = () => query("#board")?.getBoundingClientRect().top ?? 0;
  const before = top();
  tip.open = false;
  scrollBy({ top: top() - before, behavior: "instant" }); // the line that is left moves the board down
  query("#question")?.focus({ preventScroll: true });
}

/**
 * Return the parts of the board that a tip names: by key, or by class and a text in them.
 * @param {string} name
 * @returns {Element[]}
 */
function partsNamed(name) {
  const [first, ...text] = name.split(" ");
  const found = queryAll(name.startsWith(".") ? `#board ${first}` : `#board [data-key="${name}"]`);
  return found.filter((element) => isVisible(element) && element.textContent.includes(text.join(" ")));
}

/**
 * Return a frame around a part of the board.
 * @param {Element} element
 */
function frameAround(element) {
  const box = element.getBoundingClientRect();
  const left = Math.max(0, box.left - MARGIN);
  const right = Math.min(document.documentElement.clientWidth, box.right + MARGIN);
  const frame = Object.assign(document.createElement("div"), { className: "pointer" });
  frame.style.left = `${left + scrollX}px`;
  frame.style.top = `${box.top + scrollY - MARGIN}px`;
  frame.style.width = `${right - left}px`;
  frame.style.height = `${box.height + 2 * MARGIN}px`;
  return frame;
}

function scheduleDrawing() {
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(draw);
}

/**
 * Frame what the open tip is about, also after it was closed on a small screen to see the board, and put the bubble
 * next to it.
 */
function draw() {
  const tip = isPlaying() ? null : bubble();
  const isShown = tip && (tip.open || (narrow.matches && nameOf(tip) === newest));
  const names = isShown && tip.dataset.show ? tip.dataset.show.split("|") : [];
  const shown = names.flatMap(partsNamed);
  frames.replaceChildren(...shown.slice(0, MOST_FRAMES).map(frameAround));
  if (tip) speak(tip);
  if (tip?.open) place(tip, shown);
  else if (tip) tip.style.translate = "";
}

/**
 * Put the bubble next to what it is about: pieces, or else the decision. On a small screen these are scrolled into view.
 * @param {HTMLElement} tip
 * @param {Element[]} shown
 */
function place(tip, shown) {
  const card = query("#card");
  const cardBox = card?.getBoundingClientRect();
  const isSheet = Boolean(card && cardBox && getComputedStyle(card).position === "sticky" && cardBox.left < 50);
  const bottom = isSheet && cardBox ? Math.min(innerHeight, cardBox.top) : innerHeight;
  const targets = shown.map((element) => element.getBoundingClientRect());
  if (scrolledTo !== newest && targets.length && narrow.matches) {
    scrolledTo = newest;
    const top = Math.min(...targets.map((box) => box.top));
    const height = Math.max(...targets.map((box) => box.bottom)) - top;
    // Above what it is about, if there is room for both.
    const wanted = height + tip.offsetHeight + 4 * MARGIN < bottom ? bottom - height - 2 * MARGIN : 12 * MARGIN;
    scrollBy({ top: top - wanted, behavior: "instant" });
    scheduleDrawing();
    return;
  }
  const spared = queryAll("#board :is(.can, .about, .zoom), header, .strip").filter(isVisible);
  const { left, top, side, arrow } = placeBubble({
    size: { width: tip.offsetWidth, height: tip.offsetHeight },
    targets: targets.length ? targets : cardBox && !isSheet ? [cardBox] : [],
    avoided: cardBox && !isSheet && targets.length ? [cardBox] : [],
    spared: spared.map((one) => one.getBoundingClientRect()),
    view: { left: 0, top: 0, width: document.documentElement.clientWidth, height: bottom },
  });
  const parent = (tip.offsetParent ?? document.body).getBoundingClientRect();
  tip.style.translate = `${left - parent.left}px ${top - parent.top}px`;
  tip.dataset.side = side;
  tip.style.setProperty("--arrow", `${arrow}px`);
}

/** @param {Event} event */
function handleToggle({ target }) {
  if (!(target instanceof HTMLDetailsElement) || !target.matches("#lesson > details")) return;
  known.set(nameOf(target), target.open);
  if (target !== bubble()) return;
  showPart();
  if (!target.open) scrollToDecision();
}

/** @param {Event} event */
function handleClick(event) {
  if (closest(event, "#tip-next")) turn(1);
  if (closest(event, "#tip-back")) turn(-1);
  const details = /** @type {HTMLDetailsElement | null} */ (closest(event, "[data-folds]")?.closest("details"));
  if (details) close(details);
}

/**
 * Handle the arrow keys and Escape in the bubble.
 * @param {KeyboardEvent} event
 */
function handleKeydown(event) {
  const tip = bubble();
  if (!tip?.open || !closest(event, "#tip-of-the-lesson") || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "ArrowRight") turn(1);
  else if (event.key === "ArrowLeft") turn(-1);
  else if (event.key === "Escape") close(tip);
  else return;
  event.preventDefault();
}

function initTutorial() {
  frames.setAttribute("aria-hidden", "true");
  reader.setAttribute("role", "status");
  document.body.append(frames, reader);
  document.documentElement.classList.add("bubbles");
  // The decision that a tip is about has been answered.
  onHtmx("beforeRequest", ({ elt }) => {
    const tip = bubble();
    if (tip && elt.id === "answer") tip.open = false;
  });
  // Captured, so that the tips are up to date before the table is.
  onHtmx("afterSwap", (detail) => isForTable(detail) && updateTips(), true);
  document.addEventListener("toggle", handleToggle, true);
  document.addEventListener("click", handleClick);
  document.addEventListener("keydown", handleKeydown, true);
  addEventListener("resize", scheduleDrawing);
  document.addEventListener("boardview", scheduleDrawing);
  addEventListener("scroll", scheduleDrawing, { passive: true });
  new ResizeObserver(scheduleDrawing).observe(document.body);
  new MutationObserver(scheduleDrawing).observe(document.documentElement, { attributeFilter: ["class"] });
  updateTips();
}

initTutorial();
