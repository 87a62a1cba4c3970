/**
 * The pieces of the drawn board: which can be selected, how the arrow keys move between them, and highlights. With copies of
 * pieces where the selected options send them, which showing-copies.js draws; they can be picked up like them.
 */

import { closest, isVisible, query, queryAll, splitKeys } from "./dom.js";

/**
 * @typedef {SVGElement} Piece
 * @typedef {[x: number, y: number]} Point
 *
 * Pieces that look the same and go to the same target; `count` is how many a stack sends.
 * @typedef {{pieces: Piece[], target: Piece, count: number}} Group
 */

/**
 * Direction of each arrow key.
 * @type {Record<string, Point>}
 */
export const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** What can be selected with: pieces, and places that send or receive them. */
export const ELEMENTS = "[data-key], [data-among], [data-sweep], [data-stack], .about";

/** @returns {Piece[]} */
export const boardElements = () => queryAll(`#board .board:not(.summary-image) :is(${ELEMENTS})`);
/** The pieces that one points at: of several in a pile it is the pile. @returns {Piece[]} */
export const pieces = () => queryAll("#board :is([data-key], [data-among], [data-sweep], [data-stack]):not(.in-pile)");
export const visiblePieces = () => pieces().filter(isVisible);

/**
 * Return the keys of all options that a piece stands for.
 * @param {Piece} piece
 */
export function optionKeysOf({ dataset: { key = "", among, sweep } }) {
  return [key, ...splitKeys(among), ...splitKeys(sweep)].filter(Boolean);
}

/**
 * Return the name of a piece, with all that its tooltip adds.
 * @param {Piece} piece
 */
export function labelOf(piece) {
  return query("title", piece)?.textContent?.trim() || (piece.getAttribute("aria-label") ?? "");
}

/**
 * Return whether a piece can be selected or picked up, and is not only a target for others.
 * @param {Piece} piece
 * @param {Set<string>} keys of the options
 */
export function isChoice({ dataset: { key = "", among, stack } }, keys) {
  return keys.has(key) || splitKeys(among ?? stack).some((other) => keys.has(other));
}

/** Give the pieces their roles and labels. The whole board is one tab stop; the arrow keys move on from there. */
export function prepareBoard() {
  const keys = new Set(queryAll("#answer [data-key]").map(({ dataset }) => dataset.key ?? ""));
  const isOption = (/** @type {Piece} */ piece) => optionKeysOf(piece).some((key) => keys.has(key));
  const visible = visiblePieces();
  const stop =
    visible.find((piece) => piece === document.activeElement) ??
    visible.find((piece) => isChoice(piece, keys)) ??
    visible.find(isOption) ??
    visible[0];
  for (const piece of pieces()) {
    piece.setAttribute("tabindex", piece === stop ? "0" : "-1");
    if (query("title", piece)) piece.setAttribute("aria-label", labelOf(piece));
    if (!isOption(piece)) piece.removeAttribute("aria-pressed");
    if (isOption(piece)) piece.setAttribute("role", "button");
    else if (labelOf(piece)) piece.setAttribute("role", "img");
    piece.classList.toggle("drags", keys.size > 0 && isDraggable(piece, keys));
  }
  for (const element of queryAll("#board .about:not([data-key])")) element.classList.toggle("drags", keys.size > 1);
}

/**
 * Return whether a piece can be dragged to answer the decision.
 * @param {Piece} piece
 * @param {Set<string>} keys of the options
 */
function isDraggable(piece, keys) {
  const { among } = piece.dataset;
  if (piece.classList.contains("about") || splitKeys(among).some((key) => keys.has(key))) return true;
  return keys.has(piece.dataset.key ?? "") && query("#board :is(.about, [data-sweep])") !== null;
}

/** Remove from the pieces what `prepareBoard` added, so that a swap finds unchanged pieces unchanged. */
export function resetBoard() {
  clearCopies();
  for (const piece of boardElements()) {
    if (piece === document.activeElement) continue;
    for (const name of ["tabindex", "role", "aria-pressed"]) piece.removeAttribute(name);
    if (query("title", piece)) piece.removeAttribute("aria-label");
    piece.classList.remove("chosen", "lit", "drags", "held", "goal", "aimed");
  }
}

/**
 * Mark the pieces whose options are selected.
 * @param {Map<string, number>} counts how often each option is selected
 */
export function markSelected(counts) {
  for (const piece of boardElements()) {
    const { key = "", among, stack } = piece.dataset;
    piece.classList.toggle(
      "chosen",
      [key, ...splitKeys(among), ...splitKeys(stack)].some((other) => counts.get(other)),
    );
    if (counts.has(key)) piece.setAttribute("aria-pressed", String(Boolean(counts.get(key))));
  }
}

/**
 * Focus a piece and make it the tab stop of the board.
 * @param {Piece} piece
 */
export function focusPiece(piece) {
  for (const other of pieces()) other.setAttribute("tabindex", other === piece ? "0" : "-1");
  piece.focus();
}

/**
 * Highlight or stop to highlight all that has a key: the piece, the option, and the reason why it is unavailable.
 * @param {string | undefined} key
 * @param {boolean} on
 */
export function highlight(key, on) {
  if (on && query("#board.is-playing")) return;
  for (const element of queryAll("[data-key]")) if (element.dataset.key === key) element.classList.toggle("lit", on);
}

/**
 * Return the index of the nearest point in a direction, or -1. Distance to the side counts double.
 * @param {Point} from
 * @param {Point[]} points
 * @param {Point} direction
 */
export function nearest([x, y], points, [right, down]) {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  points.forEach(([px, py], at) => {
    const ahead = (px - x) * right + (py - y) * down;
    const sideways = Math.abs((px - x) * down) + Math.abs((py - y) * right);
    if (ahead > 1 && ahead + 2 * sideways < least) [best, least] = [at, ahead + 2 * sideways];
  });
  return best;
}

/**
 * Return the nearest of several pieces in a direction, if there is one.
 * @param {Piece} piece
 * @param {Point} direction
 * @param {Piece[]} among
 */
export function neighbor(piece, direction, among) {
  const others = among.filter((other) => other !== piece);
  return others[nearest(center(piece), others.map(center), direction)];
}

/**
 * @param {Element} element
 * @returns {Point}
 */
function center(element) {
  const box = element.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}

// -- copies --

/** What each copy shows. @type {WeakMap<Element, Group>} */
export const shown = new WeakMap();

/**
 * Return what the copy under the pointer shows; null if there is none.
 * @param {Event} event
 * @returns {Group | null}
 */
export function copyUnder(event) {
  const copy = closest(event, ".bd-copy");
  return (copy && shown.get(copy)) ?? null;
}

/** Remove all copies; the numbers on pieces are again those of all. */
export function clearCopies() {
  for (const copy of queryAll("#board .bd-copy")) copy.remove();
  for (const figure of queryAll("#board [data-all]")) {
    figure.textContent = figure.dataset.all ?? "";
    delete figure.dataset.all;
  }
  for (const piece of queryAll("#board :is(.sent, .filled)")) piece.classList.remove("sent", "filled");
}
