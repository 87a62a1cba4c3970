/** Copies of pieces where the selected options send them, which showing-copies.js draws; they can be picked up like them. */

import { closest, queryAll } from "./dom.js";

/**
 * @typedef {import("./board.js").Piece} Piece
 *
 * Pieces that look the same and go to the same target; `count` is how many a stack sends.
 * @typedef {{pieces: Piece[], target: Piece, count: number}} Group
 */

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
