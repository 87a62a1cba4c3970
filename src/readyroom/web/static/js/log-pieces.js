/** The piece that a line of the log is about: a ring on the board while the line is pointed at or has the focus; a click keeps it. */

import { closest, queryAll, splitKeys } from "./dom.js";

/** The line whose ring stays. @type {HTMLElement | null} */
let kept = null;

/**
 * Put a ring around what a line is about, and around nothing else.
 * @param {HTMLElement | null} line
 */
function showRing(line) {
  const about = line?.dataset.about ?? "";
  for (const piece of queryAll("#board :is([data-key], [data-place], [data-stack])")) {
    const { key, place, stack } = piece.dataset;
    piece.classList.toggle("ringed", about !== "" && [key, place, ...splitKeys(stack)].includes(about));
  }
}

/** @param {Event} event */
const lineOf = (event) => closest(event, "[data-about]");

/** @param {Event} event the first of those that it waits for */
export function initLogPieces(event) {
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, (on) => showRing(lineOf(on) ?? kept));
  document.addEventListener("click", (on) => {
    const line = lineOf(on);
    if (!line || closest(on, "a, button, summary")) return;
    kept = line === kept ? null : line;
    showRing(kept);
  });
  showRing(lineOf(event));
}
