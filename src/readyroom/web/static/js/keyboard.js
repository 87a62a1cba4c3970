/** Keyboard shortcuts, and the keys that move on the board and select its pieces. */

import { answerForm, submit } from "./answer.js";
import { ARROWS, ELEMENTS, focusPiece, neighbor, visiblePieces } from "./board.js";
import { closest, focusInView, get, query } from "./dom.js";
import { divide, heldPieces, heldTargets, isCounted, lift, release, update } from "./play.js";
import { hideTooltip, selectOrExplain } from "./tooltip.js";
import { isZoomed, panBy, reveal, zoomBy } from "./zoom.js";

/** @typedef {(element: HTMLElement) => void} Action */

const SETTING = "readyroom-single-keys";

/** @type {Action} */
const click = (element) => element.click();
/** @type {Action} */
const openDialog = (element) => /** @type {HTMLDialogElement} */ (element).showModal();

/**
 * What each key does, and to which element.
 * @type {Record<string, [selector: string, action: Action]>}
 */
const SHORTCUTS = {
  u: ["#undo-button, #no-undo", click],
  a: ["#take-all", click],
  c: ["#clear", click],
  s: ["#hint", click],
  o: ["#ask-analysis", click],
  l: ["#log", focusInView],
  d: ["#question", focusInView],
  t: ["#tip-of-the-lesson > summary", focusInView],
  b: ["#board [tabindex='0'], #board:not(:has([tabindex='0']))", focusInView],
  "?": ["#keys", openDialog],
  "<": ["#step-back", click],
  ">": ["#step-on", click],
  "[": ["#turn-back", click],
  "]": ["#turn-on", click],
  p: ["#play", click],
  "+": ["#board .board", () => zoomBy(1)],
  "=": ["#board .board", () => zoomBy(1)],
  "-": ["#board .board", () => zoomBy(-1)],
  0: ["#board .board", () => zoomBy(0)],
};

const PAN = 80; // pixels a press of an arrow key

/** Where a letter is meant as text or as a choice of a menu; a tip of the tutorial has neither. */
const OPEN = "dialog, [popover], details[open]:not(.tip)";

/** The control that was clicked last, if it was with a pointer: Enter then confirms, and does not repeat the click. */
let clicked = /** @type {Element | null} */ (null);

const areShortcutsOn = () => localStorage.getItem(SETTING) !== "off";
/** @param {Element} target */
const isForShortcuts = (target) => !query("#dock[open]") && !target.closest(OPEN);

/**
 * Return whether text is typed into an element.
 * @param {Element} element
 */
export function isTextField(element) {
  return element.matches("input:not([type=checkbox],[type=radio],[type=number]), textarea, select");
}

/**
 * Handle a key on a piece of the board. Return whether it had a meaning there.
 * @param {import("./board.js").Piece} piece
 * @param {string} key
 */
function handlePieceKey(piece, key) {
  const direction = ARROWS[key];
  if (direction) {
    // With a piece in hand, the arrow keys go from target to target, else to what can be chosen.
    const held = heldPieces();
    const hasChoices = query("#board .can");
    const among = held.length
      ? [...heldTargets().keys(), ...held]
      : visiblePieces().filter((one) => !hasChoices || one.matches(".can"));
    const next = neighbor(piece, direction, among);
    if (next) focusPiece(next);
    if (next) reveal(next);
    return true;
  }
  if ("+=-".includes(key) && divide(key === "-" ? -1 : 1)) {
    update();
    return true;
  }
  const isNumber = "+=-".includes(key) && isCounted(piece);
  const isHolding = heldPieces().length > 0;
  if (key !== " " && !isNumber && !(key === "Enter" && isHolding)) return false;
  hideTooltip();
  if (key === " " && piece.dataset.stack && !isHolding && lift(piece)) return true;
  selectOrExplain(piece, key === "-");
  return true;
}

/**
 * Handle an arrow key with Shift: a zoomed board moves. Return whether it did.
 * @param {Element} target
 * @param {string} key
 */
function handlePan(target, key) {
  const direction = ARROWS[key];
  if (!direction || !isZoomed() || !(target === document.body || target.closest("#board"))) return false;
  panBy(direction[0] * PAN, direction[1] * PAN);
  return true;
}

/**
 * Handle a key anywhere. Return whether it had a meaning.
 * @param {Element} target
 * @param {string} key
 */
function handleKey(target, key) {
  // A planning chart hides the board and the decision.
  if (query(".on-chart") && !"l?".includes(key)) return false;
  /** @type {import("./board.js").Piece | null} */
  const piece = target.closest(`#board :is(${ELEMENTS})`);
  if (piece && handlePieceKey(piece, key)) return true;
  if (
    key === "Enter" &&
    answerForm() &&
    (piece ||
      target === document.body ||
      target.matches("#question, #answer input") ||
      (target === clicked && isForShortcuts(target)))
  ) {
    submit();
    return true;
  }
  if (key === "Escape") {
    hideTooltip();
    if (release()) update();
    return false;
  }
  const [selector, action] = (areShortcutsOn() && isForShortcuts(target) && SHORTCUTS[key]) || [];
  const element = selector && query(selector);
  if (!element || !action) return false;
  action(element);
  return true;
}

/** @param {KeyboardEvent} event */
function handleKeydown(event) {
  const { target, key } = event;
  if (!(target instanceof Element) || event.ctrlKey || event.altKey || event.metaKey) return;
  if (isTextField(target) || query("dialog[open], #help[open]")) return;
  if (key !== "Enter") clicked = null;
  const isHeld = key === "Enter" && event.repeat && (target.id === "confirm" || target === clicked);
  if (isHeld || (event.shiftKey && handlePan(target, key)) || handleKey(target, key)) event.preventDefault();
}

export function initKeyboard() {
  const { classList } = document.documentElement;
  // Escape ends something, and shows no ring around what has the focus.
  document.addEventListener("keydown", ({ key }) => key !== "Escape" && classList.add("by-keyboard"), true);
  document.addEventListener("pointerdown", () => classList.remove("by-keyboard"), true);
  document.addEventListener("keydown", handleKeydown);
  document.addEventListener("click", (event) => {
    clicked = event.detail ? closest(event, "button, summary, .button") : null;
    if (closest(event, "#show-keys")) openDialog(get("#keys"));
  });
  /** @type {HTMLInputElement | null} */
  const setting = query("#single-keys");
  if (!setting) return;
  setting.checked = areShortcutsOn();
  setting.addEventListener("change", () => localStorage.setItem(SETTING, setting.checked ? "on" : "off"));
}
