/** The tips of a tutorial: each opens when it first appears, frames what it is about on the board, and can be closed. */

import { closest, isVisible, query, queryAll } from "./dom.js";
import { isForTable, onHtmx } from "./htmx.js";

const STORED = "readyroom-tips-read";
const MOST_FRAMES = 9;
const MARGIN = 4; // pixels around what is framed

const narrow = matchMedia("(max-width: 60rem)");
const frames = Object.assign(document.createElement("div"), { id: "pointers" });

/** Tips of the last version of the table, and whether each was open. */
let known = /** @type {Map<string, boolean>} */ (new Map());
let newest = "";
let drawing = 0;

/** @returns {HTMLDetailsElement[]} */
const tips = () => queryAll("#lesson > details");

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
    if (!known.has(name)) newest = tip.open ? name : "";
    if (!tip.open || read.includes(name)) continue;
    read.push(name);
    isFree = false;
  }
  known = new Map(tips().map((tip) => [nameOf(tip), tip.open]));
  if (tips().length) localStorage.setItem(STORED, [location.pathname, ...read].join("\n"));
  scheduleFrames();
}

/**
 * Return the parts of the board that a tip names: by key, or by class and a text in them.
 * @param {string} name
 * @returns {Element[]}
 */
function partsNamed(name) {
  const [first, ...text] = name.split(" ");
  const parts = queryAll(name.startsWith(".") ? `#board ${first}` : `#board [data-key="${name}"]`);
  return parts.filter((part) => isVisible(part) && part.textContent.includes(text.join(" ")));
}

/**
 * Return a frame around a part of the board.
 * @param {Element} part
 */
function frameAround(part) {
  const box = part.getBoundingClientRect();
  const left = Math.max(0, box.left - MARGIN);
  const right = Math.min(document.documentElement.clientWidth, box.right + MARGIN);
  const frame = Object.assign(document.createElement("div"), { className: "pointer" });
  frame.style.left = `${left + scrollX}px`;
  frame.style.top = `${box.top + scrollY - MARGIN}px`;
  frame.style.width = `${right - left}px`;
  frame.style.height = `${box.height + 2 * MARGIN}px`;
  return frame;
}

function scheduleFrames() {
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(drawFrames);
}

/** Frame what the open tip is about; on a small screen also after the tip was closed to see the board. */
function drawFrames() {
  const tip = /** @type {HTMLDetailsElement | null} */ (query("#tip-of-the-lesson"));
  const isShown = tip && (tip.open || (narrow.matches && nameOf(tip) === newest));
  const names = isShown && tip.dataset.show ? tip.dataset.show.split("|") : [];
  frames.replaceChildren(...names.flatMap(partsNamed).slice(0, MOST_FRAMES).map(frameAround));
}

/** @param {Event} event */
function handleToggle({ target }) {
  if (!(target instanceof HTMLDetailsElement) || !target.matches("#lesson > details")) return;
  known.set(nameOf(target), target.open);
  scheduleFrames();
}

/**
 * Close the tip of a button that was clicked.
 * @param {Event} event
 */
function handleClick(event) {
  const details = closest(event, "[data-folds]")?.closest("details");
  if (!details) return;
  details.open = false;
  query("#question")?.focus({ preventScroll: true });
}

function initTutorial() {
  frames.setAttribute("aria-hidden", "true");
  document.body.append(frames);
  // Captured, so that the tips are up to date before the table is.
  onHtmx("afterSwap", (detail) => isForTable(detail) && updateTips(), true);
  document.addEventListener("toggle", handleToggle, true);
  document.addEventListener("click", handleClick);
  addEventListener("resize", scheduleFrames);
  document.addEventListener("boardview", scheduleFrames);
  new ResizeObserver(scheduleFrames).observe(document.body);
  updateTips();
}

initTutorial();
