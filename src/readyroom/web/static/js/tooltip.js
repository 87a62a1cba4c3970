/** The tooltip of a piece: its name, its options with their chances, and why it cannot be selected. */

import { answerForm, currentSelection, onUpdate } from "./answer.js";
import { copyUnder, ELEMENTS, highlight, labelOf } from "./board.js";
import { announce, closest, collapse, query, queryAll, splitKeys, textOf } from "./dom.js";
import { boxOf, centerOf, layerBox, putNextTo } from "./layer.js";
import { covered, isAlike } from "./placing.js";
import {
  heldPieces,
  heldTargets,
  isOption,
  isSwept,
  nameOf,
  obstacles,
  oddsAt,
  pickUpCopy,
  selectPiece,
} from "./play.js";

/**
 * @typedef {import("./board.js").Piece} Piece
 * @typedef {import("./placing.js").Point} Point
 */

/** Everything on the board that has a name. */
const NAMED = `${ELEMENTS}, [data-place], g:has(> title)`;
const INSIDE = 0.9; // of a piece, to belong to what is around it
const FEW = 4; // targets that are named

/** @type {HTMLElement | null} */
let tooltip = null;
/** What the tooltip is about, and its title: the browser would show that in a second tooltip. */
let shown = { piece: /** @type {Piece | null} */ (null), title: "" };

/**
 * Return the reason why a piece cannot be selected, with its rule; empty if none is known.
 * @param {Piece} piece
 */
function reasonOf({ dataset: { key, place, stack } }) {
  const names = [key, place, ...splitKeys(stack)];
  const entry = queryAll("#why-not [data-key]").find(({ dataset }) => names.includes(dataset.key));
  return entry ? sentenceOf(query("dd", entry)) : "";
}

/**
 * Return what a piece belongs to: if it is no option itself, and nothing is said of it, the piece around it that is one or of
 * which that is said, such as a force around its ships.
 * @param {Piece} piece
 * @param {Point} [at]
 */
function wholeOf(piece, at = centerOf(boxOf(piece))) {
  const isKnown = (/** @type {Piece} */ one) => isOption(one) || reasonOf(one);
  if (isKnown(piece) || piece.matches(".about, .bd-help")) return piece;
  return piecesAt(at).find((one) => isKnown(one) && covered(boxOf(one), [boxOf(piece)]) > INSIDE) ?? piece;
}

/**
 * Return where else a piece that was picked up can go, if these are few: what does not take it has no reason of its own.
 * @param {Piece} piece
 * @param {Piece[]} targets
 */
function whereTo(piece, targets) {
  const names = [...new Set(targets.map(nameOf))];
  return names.length && names.length <= FEW ? `${nameOf(piece)} can only go to ${names.join(" or ")}.` : "";
}

/**
 * Return a text that ends with the link to a rule, as words.
 * @param {Element | null} element
 */
function sentenceOf(element) {
  const rule = textOf(element && query(".rule", element));
  const text = textOf(element);
  return rule && text.endsWith(rule) ? `${text.slice(0, -rule.length).replace(/\.?\s*$/, "")} (rule ${rule}).` : text;
}

/**
 * Return why a piece is no option: the reason that is known, or what the question accepts instead.
 * @param {Piece} piece
 */
function explanationOf(piece) {
  const reason = reasonOf(piece);
  if (piece.matches(".bd-help")) return "";
  if (reason) return `Unavailable: ${reason}`;
  const [held] = heldPieces();
  const goesTo = held && whereTo(held, [...heldTargets().keys()]);
  if (goesTo) return goesTo;
  if (!answerForm()) return `Nothing to choose now. ${textOf(query("#question"))}`;
  const wanted = sentenceOf(query("#answer .wanted"));
  if (piece.classList.contains("about")) return `The decision is about this. ${wanted}`;
  return `Not an option of “${textOf(query("#question"))}” ${wanted}`;
}

/**
 * Return what the number of times that a piece is chosen does, as the decision says it: a note is about one.
 * @param {HTMLElement} row
 * @param {Piece} piece
 */
function oddsOfCount(row, piece) {
  const count = /** @type {HTMLInputElement | null} */ (query("input[type=number]", row));
  return (Number(count?.value) && oddsAt(piece, currentSelection(), () => {})) || "";
}

/**
 * Return the lines of a piece's tooltip.
 * @param {Piece} piece
 */
function linesOf(piece) {
  const notes = (/** @type {HTMLElement} */ row) => queryAll(".option-note, .share", row).map(textOf);
  const rows = queryAll("#answer [data-key]");
  const own = rows.find(({ dataset }) => dataset.key === piece.dataset.key);
  const keys = splitKeys(piece.dataset.among);
  const targets = rows.filter(({ dataset }) => keys.includes(dataset.key ?? ""));
  const arriving = splitKeys(piece.dataset.sweep);
  const common = new Set(rows.filter(({ dataset }) => arriving.includes(dataset.key ?? "")).flatMap(notes));
  const reason = isOption(piece) ? "" : reasonOf(piece); // of a pile, only some may be unavailable
  const odds = own && oddsOfCount(own, piece);
  return [
    collapse(labelOf(piece)),
    ...(odds ? [odds] : own ? notes(own) : []),
    ...(common.size === 1 ? common : []),
    ...targets.map((row) => [textOf(query(".text", row)).replace(/^.* at the /, ""), ...notes(row)].join(": ")),
    reason && `Unavailable: ${reason}`,
  ].filter(Boolean);
}

/**
 * Show a tooltip next to a piece, over neither what can be clicked nor the decision.
 * @param {Piece} piece
 * @param {string[]} lines
 */
function showTooltip(piece, lines) {
  hideTooltip();
  tooltip ??= Object.assign(layerBox("piece-tip"), { id: "tip" });
  tooltip.replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
  tooltip.hidden = !lines.length;
  const title = query(":scope > title", piece);
  shown = { piece, title: title?.textContent ?? "" };
  if (title) title.textContent = "";
  if (!tooltip.hidden) putNextTo(tooltip, boxOf(piece), obstacles());
}

export function hideTooltip() {
  if (tooltip) tooltip.hidden = true;
  const title = shown.piece && query(":scope > title", shown.piece);
  if (title && !title.textContent) title.textContent = shown.title;
  shown = { piece: null, title: "" };
}

/**
 * Select with a piece, or say why that is not possible. Return whether it was.
 * @param {Piece} piece
 * @param {boolean} fewer
 */
export function selectOrExplain(piece, fewer) {
  hideTooltip();
  if (selectPiece(piece, fewer)) return true;
  explain(piece, explanationOf(piece));
  return false;
}

/**
 * Say something about a piece, in its tooltip.
 * @param {Piece} piece
 * @param {string} text
 */
function explain(piece, text) {
  announce(`${nameOf(piece)}: ${text}`);
  showTooltip(piece, [collapse(labelOf(piece)), text].filter(Boolean));
}

/**
 * Say why what was dropped at a point went back: what is there does not take it.
 * @param {Piece} dropped
 * @param {Point} at
 * @param {Piece[]} targets what would have taken it
 */
export function explainDrop(dropped, at, targets) {
  const [under] = piecesAt(at);
  if (!under || under === dropped) return;
  const reason = reasonOf(wholeOf(under, at)) || whereTo(dropped, targets) || sentenceOf(query("#answer .wanted"));
  explain(under, `${nameOf(dropped)} cannot go here. ${reason}`);
}

/**
 * Highlight what the pointer or the focus is on, and show its tooltip.
 * @param {Event} event
 * @param {boolean} on
 */
function handleHover(event, on) {
  const element = closest(event, NAMED);
  if (element?.dataset.key) highlight(element.dataset.key, on);
  const piece = /** @type {Piece | null} */ (element?.closest(`#board :is(${NAMED})`) ?? null);
  if (!piece) return;
  // A touch screen sends the events of a mouse after those of the finger.
  const isEmulated =
    event instanceof PointerEvent && event.pointerType === "mouse" && matchMedia("(hover: none)").matches;
  const isBusy = heldPieces().length > 0 || (event instanceof PointerEvent && event.buttons > 0);
  if (isEmulated) return;
  if (!on || isBusy) {
    hideTooltip();
    return;
  }
  const whole = wholeOf(piece);
  showTooltip(piece, [...(whole === piece ? [] : [collapse(labelOf(piece))]), ...linesOf(whole)]);
}

/** Where a finger touched the window last. @type {Point | null} */
let finger = null;

/**
 * Return where a click is in the window. For a finger it is the point of the touch: browsers round the point of the
 * click, and move it to the target that they guess.
 * @param {MouseEvent} event
 * @returns {Point}
 */
function pointOf(event) {
  const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
  return (isTouch && finger) || { x: event.clientX, y: event.clientY };
}

/**
 * Return the piece that a click is on. Of two that overlap, a finger selects the one that is drawn at the point of the touch.
 * @param {MouseEvent} event
 * @returns {Piece | null}
 */
function pieceUnder(event) {
  const piece = /** @type {Piece | null} */ (closest(event, `#board .board :is(${NAMED})`));
  if (!piece || pointOf(event) !== finger) return piece;
  const [drawn] = piecesAt(finger);
  return drawn && isOption(drawn) && isAlike(boxOf(drawn), boxOf(piece)) ? drawn : piece;
}

/**
 * Return the pieces of the board at a point, the uppermost first: a counter may lie on a ship that is a target.
 * @param {Point} point
 */
function piecesAt({ x, y }) {
  const elements = document.elementsFromPoint(x, y);
  const pieces = elements.map((element) => element.closest(`#board .board :is(${NAMED})`));
  return /** @type {Piece[]} */ ([...new Set(pieces)].filter(Boolean));
}

export function initTooltip() {
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, (event) => handleHover(event, true));
  for (const name of ["pointerout", "focusout"]) document.addEventListener(name, (event) => handleHover(event, false));
  addEventListener("scroll", hideTooltip, { passive: true });
  onUpdate(hideTooltip); // why nothing was selected is over
  const noteFinger = (/** @type {TouchEvent} */ { touches: [touch] }) => {
    finger = touch ? { x: touch.clientX, y: touch.clientY } : null;
  };
  document.addEventListener("touchstart", noteFinger, { passive: true });
  document.addEventListener("click", (event) => {
    if (!closest(event, "#board .board") || closest(event, "a[href]")) return;
    // What is held goes to a target even where a copy lies on it.
    if (heldPieces().length && piecesAt(pointOf(event)).some((target) => selectPiece(target, event.shiftKey))) return;
    const copy = answerForm() && copyUnder(event);
    const piece = copy ? copy.target : pieceUnder(event);
    if (copy && !isSwept(copy.target)) pickUpCopy(copy);
    else if (piece) selectOrExplain(wholeOf(piece, pointOf(event)), event.shiftKey);
  });
}
