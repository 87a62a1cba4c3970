/**
 * Gestures of the pointer on the board: a piece is dragged to a target, a lasso holds pieces, a long press opens a stack, and
 * the wheel divides one.
 */

import { answerForm } from "./answer.js";
import { copyUnder, ELEMENTS, focusPiece } from "./board.js";
import { closest, query, queryAll } from "./dom.js";
import { boxOf, centerOf, showArrow, showLasso, visibleFrame } from "./layer.js";
import { boxBetween } from "./placing.js";
import {
  afterDrop,
  canLasso,
  divide,
  drop,
  heldAmount,
  heldPieces,
  heldTargets,
  hintOf,
  isHeld,
  nameOf,
  oddsAt,
  pickUp,
  release,
  selectInside,
  shortfall,
  update,
} from "./play.js";
import { explainDrop, hideTooltip } from "./tooltip.js";
import { panBy, scrollToward } from "./zoom.js";

/**
 * @typedef {import("./board.js").Piece} Piece
 * @typedef {import("./layer.js").Point} Point
 *
 * @typedef {object} Gesture
 * @property {"drag" | "lasso" | "pan"} kind
 * @property {Piece | null} piece
 * @property {Point} start
 * @property {Point} at
 * @property {boolean} isMoving
 * @property {boolean} isTouch
 * @property {import("./board.js").Group | null} copy the copy of pieces that is dragged
 */

const THRESHOLD = { mouse: 5, touch: 10 }; // pixels that make a click a drag
const LONG_PRESS = 450; // milliseconds
/** What a finger drags; on other pieces it scrolls, and a tap selects them. The style sheet says the same. */
const MOVES_BY_TOUCH = ".drags:is([data-among], .about)";
const REACH = 22; // pixels within which a target attracts what is dropped next to it

/** @type {Gesture | null} */
let gesture = null;
let timer = 0;

/** @param {PointerEvent} event */
function handleDown(event) {
  const wasOn = gesture !== null;
  cancel();
  if (wasOn || !event.isPrimary || query("#board.is-playing") || !closest(event, "#board .board")) return;
  const isTouch = event.pointerType === "touch";
  const copy = copyUnder(event);
  const piece = copy?.pieces[0] ?? /** @type {Piece | null} */ (closest(event, ELEMENTS));
  const kind = copy && event.button === 0 && answerForm() ? "drag" : kindOf(event, piece, isTouch);
  const at = { x: event.clientX, y: event.clientY };
  if (kind) gesture = { kind, piece, start: at, at, isMoving: false, isTouch, copy };
  if (isTouch) timer = setTimeout(handleLongPress, LONG_PRESS);
}

/**
 * Return what a gesture that begins here does; a finger scrolls the page unless it is on a piece that can be dragged.
 * @param {PointerEvent} event
 * @param {Piece | null} piece
 * @param {boolean} isTouch
 * @returns {Gesture["kind"] | null}
 */
function kindOf({ button, shiftKey }, piece, isTouch) {
  if (button === 1) return "pan";
  if (button !== 0) return null;
  if (piece?.matches(isTouch ? MOVES_BY_TOUCH : ".drags") && !shiftKey && answerForm()) return "drag";
  if (isTouch || (answerForm() && canLasso())) return "lasso";
  return "pan";
}

/** Open the stack under a finger that rests on it; over the sea, begin a lasso. */
function handleLongPress() {
  if (!gesture || gesture.isMoving) return;
  const { piece } = gesture;
  if (piece) {
    cancel();
    suppressClick(true);
    hideTooltip();
    import("./stacks.js").then(({ openStack }) => openStack(piece, true));
  } else if (answerForm() && canLasso()) {
    begin(gesture);
    navigator.vibrate?.(15);
  } else cancel();
}

/** @param {PointerEvent} event */
function handleMove({ clientX, clientY, pointerType, isPrimary }) {
  if (!isPrimary) return;
  const at = { x: clientX, y: clientY };
  if (!gesture) {
    if (heldPieces().length && pointerType === "mouse") aim(at);
    return;
  }
  if (gesture.kind === "pan" && gesture.isMoving) panBy(gesture.at.x - at.x, gesture.at.y - at.y);
  gesture.at = at;
  if (gesture.isMoving) return;
  const { start, isTouch, kind } = gesture;
  if (Math.hypot(at.x - start.x, at.y - start.y) < THRESHOLD[isTouch ? "touch" : "mouse"]) return;
  clearTimeout(timer);
  if (isTouch && kind !== "drag") cancel();
  else begin(gesture);
}

/** @param {Gesture} now */
function begin(now) {
  hideTooltip();
  if (now.kind === "drag" && now.piece) {
    if (now.copy) pickUp(now.copy.pieces, now.copy);
    else pickUp(isHeld(now.piece) ? heldPieces() : [now.piece]);
    update();
    if (!heldTargets().size) {
      cancel();
      return;
    }
  }
  if (now.kind === "lasso") release();
  now.isMoving = true;
  document.documentElement.classList.add("is-dragging");
  if (now.kind !== "pan") requestAnimationFrame(draw);
}

/** Draw the gesture, once a frame; near an edge, the page and the board scroll. */
function draw() {
  if (!gesture?.isMoving) return;
  const { kind, start, at } = gesture;
  if (kind === "lasso") showLasso(boxBetween(start.x, start.y, at.x, at.y));
  else {
    scrollToward(at, visibleFrame());
    aim(at);
  }
  requestAnimationFrame(draw);
}

/**
 * Point with an arrow from what is picked up, and say what a drop here means.
 * @param {Point} at
 */
function aim(at) {
  const pieces = heldPieces();
  const [first] = pieces;
  if (!first) return;
  const target = targetAt(at);
  for (const other of document.querySelectorAll("#board .aimed")) other.classList.toggle("aimed", other === target);
  target?.classList.add("aimed");
  const count = heldAmount().times;
  const again = () => void (gesture && aim(gesture.at));
  const after = target && afterDrop(target);
  const hint = target && after ? oddsAt(target, after.now, again) || hintOf(heldTargets().get(target) ?? []) : "";
  const number = (after && shortfall(after)) || (count > 1 ? count : "");
  const many = number ? `${number} → ` : "";
  showArrow(
    centerOf(boxOf(first)),
    at,
    target
      ? `${many}${nameOf(target)}${hint ? `: ${hint}` : ""}`
      : heldTargets().size || gesture?.copy
        ? many && `${many}…`
        : "No room",
  );
}

/**
 * Return the target under a point, or the nearest in reach.
 * @param {Point} point
 * @returns {Piece | null}
 */
function targetAt({ x, y }) {
  const targets = heldTargets();
  for (const element of document.elementsFromPoint(x, y)) {
    for (let at = /** @type {Element | null} */ (element); at && at.id !== "board"; at = at.parentElement) {
      if (targets.has(/** @type {Piece} */ (at))) return /** @type {Piece} */ (at);
    }
  }
  let [best, most, least] = [/** @type {Piece | null} */ (null), 0, REACH];
  for (const [target, { length }] of targets) {
    const { left, top, width, height } = boxOf(target);
    const away = Math.hypot(Math.max(left - x, 0, x - left - width), Math.max(top - y, 0, y - top - height));
    const isBetter = length > most || (length === most && away < least);
    if (away < REACH && isBetter) [best, most, least] = [target, length, away];
  }
  return best;
}

function handleUp() {
  const now = gesture;
  gesture = null;
  clearTimeout(timer);
  document.documentElement.classList.remove("is-dragging");
  if (!now?.isMoving) return;
  suppressClick();
  showLasso(null);
  if (now.kind === "lasso") selectInside(boxBetween(now.start.x, now.start.y, now.at.x, now.at.y));
  if (now.kind !== "drag" || !answerForm()) return;
  const pieces = heldPieces();
  const target = targetAt(now.at);
  const targets = [...heldTargets().keys()];
  clearAim();
  if (target || now.copy || pieces.some(({ dataset }) => dataset.among)) drop(target);
  else release();
  update();
  if (!target && now.piece) explainDrop(now.piece, now.at, targets);
  if (now.piece && !now.copy && document.activeElement === document.body) focusPiece(now.piece);
}

/** End the gesture without effect. */
export function cancel() {
  clearTimeout(timer);
  document.documentElement.classList.remove("is-dragging");
  if (gesture?.isMoving) {
    showLasso(null);
    clearAim();
    release();
    update();
  }
  gesture = null;
}

function clearAim() {
  for (const other of queryAll("#board .aimed")) other.classList.remove("aimed");
  showArrow(null);
}

/**
 * Keep the click that follows a gesture from selecting anything; a new press ends that.
 * @param {boolean} [isDown] whether the finger is still down
 */
function suppressClick(isDown = false) {
  const stop = (/** @type {Event} */ event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  const end = () => setTimeout(() => removeEventListener("click", stop, true), 80);
  addEventListener("click", stop, true);
  addEventListener("pointerdown", () => removeEventListener("click", stop, true), { once: true, capture: true });
  if (!isDown) end();
  else for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { once: true });
}

/** @param {WheelEvent} event */
function handleWheel(event) {
  if (!gesture?.isMoving || event.ctrlKey) return;
  event.preventDefault();
  if (event.deltaY) divide(event.deltaY < 0 ? 1 : -1);
}

/** @param {KeyboardEvent} event */
function handleKeydown(event) {
  if (!gesture?.isMoving) return;
  if (event.key === "Escape") {
    cancel();
    suppressClick(true);
  } else if (event.key === "+" || event.key === "=") divide(1);
  else if (event.key === "-") divide(-1);
  else return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

export function initDrag() {
  document.addEventListener("pointerdown", handleDown);
  document.addEventListener("pointermove", handleMove);
  document.addEventListener("pointerup", handleUp);
  document.addEventListener("pointercancel", cancel);
  document.addEventListener("keydown", handleKeydown, true);
  document.addEventListener("dragstart", (event) => {
    if (closest(event, "#board")) event.preventDefault();
  });
  document.addEventListener("contextmenu", (event) => {
    if (event instanceof PointerEvent && event.pointerType === "touch" && closest(event, "#board"))
      event.preventDefault();
  });
  const board = query("#board");
  board?.addEventListener("wheel", handleWheel, { passive: false });
  board?.addEventListener(
    "touchmove",
    (event) => {
      if (gesture?.isMoving && event.cancelable) event.preventDefault();
    },
    { passive: false },
  );
}
