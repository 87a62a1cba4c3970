/** The stack viewer: the pieces of a stack side by side, enlarged, with their state; those that are options can be clicked. */

import { ELEMENTS, boardElements, labelOf, visiblePieces } from "./board.js";
import { closest, collapse, isVisible, query, splitKeys } from "./dom.js";
import { enlarged } from "./enlarge.js";
import { boxOf, layerBox, putNextTo } from "./layer.js";
import { isAlike, overlap } from "./placing.js";
import { heldPieces, isOption, obstacles, selectPiece } from "./play.js";
import { hideTooltip } from "./tooltip.js";

/** @typedef {import("./board.js").Piece} Piece */

const SHARED = 0.3; // of the smaller piece, so that two are in one stack
const MOST = 24;
const OPENS = 550; // milliseconds of rest on a stack
const CLOSES = 400; // milliseconds to get from the stack to its viewer

/** @type {HTMLElement | null} */
let viewer = null;
let timer = 0;

/**
 * Return the indices of boxes that are in one stack with a box.
 * @param {import("./placing.js").Box} box
 * @param {import("./placing.js").Box[]} others
 */
export function stackedWith(box, others) {
  const area = box.width * box.height;
  return others.flatMap((other, at) => {
    const size = other.width * other.height;
    return isAlike(box, other) && overlap(box, other) > SHARED * Math.min(area, size) ? [at] : [];
  });
}

/**
 * Return the pieces of a stack: those that a pile stands for, or those that cover each other.
 * @param {Piece} piece
 */
function stackOf(piece) {
  const named = splitKeys(piece.dataset.stack);
  if (named.length)
    return boardElements().filter((other) => isVisible(other) && named.includes(other.dataset.key ?? ""));
  const others = visiblePieces().filter((other) => other.closest("svg") === piece.closest("svg"));
  const found = stackedWith(boxOf(piece), others.map(boxOf));
  return found.flatMap((at) => others[at] ?? []);
}

/**
 * Show the stack of a piece.
 * @param {Piece} piece
 * @param {boolean} isAlone whether a piece without a stack is shown, too
 */
export function openStack(piece, isAlone) {
  const pieces = stackOf(piece).slice(0, MOST);
  if (!pieces.length) pieces.push(piece);
  if (pieces.length < 2 && !isAlone) return;
  hideTooltip();
  viewer ??= makeViewer();
  viewer.replaceChildren(...pieces.map(itemFor));
  viewer.hidden = false;
  putNextTo(viewer, boxOf(piece), obstacles(), true);
}

export function closeStack() {
  clearTimeout(timer);
  if (viewer) viewer.hidden = true;
}

/** @param {Piece} piece */
function itemFor(piece) {
  const item = Object.assign(document.createElement("button"), { type: "button", className: "board stack-item" });
  item.tabIndex = -1;
  const drawing = enlarged([/** @type {SVGGraphicsElement} */ (piece)]);
  const text = Object.assign(document.createElement("span"), { textContent: collapse(labelOf(piece)) });
  item.append(...(drawing ? [drawing] : []), text);
  item.disabled = !isOption(piece);
  item.classList.toggle("chosen", piece.classList.contains("chosen"));
  item.addEventListener("click", () => {
    selectPiece(piece, false);
    for (const other of viewer?.children ?? []) other.classList.remove("chosen");
    if (heldPieces().length) closeStack();
    else openStack(piece, true);
  });
  return item;
}

function makeViewer() {
  const box = layerBox("stack-viewer");
  box.addEventListener("mousedown", (event) => event.preventDefault());
  box.addEventListener("pointerenter", () => clearTimeout(timer));
  box.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && closeSoon());
  return box;
}

function closeSoon() {
  clearTimeout(timer);
  timer = setTimeout(closeStack, CLOSES);
}

/** @param {PointerEvent} event */
function handleOver(event) {
  if (event.pointerType !== "mouse" || event.buttons || heldPieces().length || query("#board.is-playing")) return;
  const piece = /** @type {Piece | null} */ (closest(event, `#board :is(${ELEMENTS}, [data-stack])`));
  if (!piece || matchMedia("(hover: none)").matches) return;
  clearTimeout(timer);
  timer = setTimeout(() => openStack(piece, false), OPENS);
}

/**
 * Show the pile that the Tab or an arrow key has reached.
 * @param {FocusEvent} event
 */
function handleFocus(event) {
  closeStack();
  const piece = /** @type {Piece | null} */ (closest(event, "#board [data-stack]"));
  if (!piece || heldPieces().length || !query(".by-keyboard")) return;
  timer = setTimeout(() => heldPieces().length || openStack(piece, false), OPENS);
}

/** @param {PointerEvent} event */
function handleDown(event) {
  if (viewer && !viewer.hidden && !closest(event, ".stack-viewer")) closeStack();
  clearTimeout(timer);
}

export function initStacks() {
  document.addEventListener("pointerover", handleOver);
  document.addEventListener("pointerout", (event) => {
    if (event.pointerType === "mouse" && closest(event, "#board .board")) closeSoon();
  });
  document.addEventListener("pointerdown", handleDown);
  document.addEventListener("focusin", handleFocus);
  document.addEventListener("boardview", closeStack);
  document.addEventListener("keydown", ({ key }) => (key === "Escape" || key === " ") && closeStack());
}
