/** Puzzles on the board: it shows the answer that is chosen or pointed at, and its pieces choose answers that use them. */

import { options, setCounts, update } from "./answer.js";
import { ELEMENTS, optionKeysOf, prepareBoard, visiblePieces } from "./board.js";
import { announce, closest, get, query, queryAll, splitKeys } from "./dom.js";
import { scrollToDecision } from "./swap.js";

/** @typedef {import("./board.js").Piece} Piece */

const PIECE = `#board :is(${ELEMENTS})`;

/**
 * Return the answers that use a piece or place.
 * @param {Piece} piece
 */
function answersWith(piece) {
  const keys = [...optionKeysOf(piece), ...splitKeys(piece.dataset.stack)];
  return options().filter(({ row }) => splitKeys(row.dataset.means).some((key) => keys.includes(key)));
}

/**
 * Choose the next of the answers that use a piece.
 * @param {Event} event
 */
function choose(event) {
  const piece = /** @type {Piece | null} */ (closest(event, PIECE));
  const found = piece ? answersWith(piece) : [];
  const next = found[(found.findIndex(({ count }) => count) + 1) % found.length];
  if (!next) return;
  event.preventDefault();
  setCounts(new Map(options().map(({ key }) => [key, Number(key === next.key)])));
  next.row.scrollIntoView({ block: "nearest" });
  announce(`${next.text}. ${found.indexOf(next) + 1} of ${found.length} answers with this piece.`);
}

/**
 * Show an answer on the board while the mouse is on it.
 * @param {PointerEvent} event
 */
function point(event) {
  const row = closest(event, "#answer [data-means]");
  const shown = query("#answer .is-shown");
  if (event.pointerType !== "mouse" || row === shown) return;
  shown?.classList.remove("is-shown");
  row?.classList.add("is-shown");
  update();
}

/** Scroll to the pieces of the chosen answer; the list of answers stays where it is. */
function showPieces() {
  const { scrollTop } = get("#card");
  scrollToDecision();
  get("#card").scrollTop = scrollTop;
}

// The solution has no decision: its answers can only be shown.
const solution = query("#solution");
if (solution) {
  solution.id = "answer";
  prepareBoard();
  update();
  showPieces();
}
if (queryAll("#answer [data-means]").length) {
  document.addEventListener("pointerover", point);
  document.addEventListener("click", choose);
  document.addEventListener("change", showPieces);
  document.addEventListener("keydown", (event) => event.key === " " && choose(event));
  for (const piece of visiblePieces()) if (answersWith(piece).length) piece.setAttribute("role", "button");
}
