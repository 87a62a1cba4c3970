/** The tooltip of a piece: its name, its options with their chances, and why it cannot be selected. */

import { answerForm, selectPiece } from "./answer.js";
import { highlight, labelOf, optionKeysOf } from "./board.js";
import { announce, closest, collapse, get, query, queryAll, textOf } from "./dom.js";

/** @typedef {import("./board.js").Piece} Piece */

const MARGIN = 8;

const tooltip = () => get("#tip");

/**
 * Return the reason why a piece cannot be selected; empty if none is known.
 * @param {Piece} piece
 */
function reasonOf(piece) {
  const entry = queryAll("#why-not [data-key]").find(({ dataset }) => dataset.key === piece.dataset.key);
  return entry ? textOf(query("dd", entry)) : "";
}

/**
 * Return the lines of a piece's tooltip.
 * @param {Piece} piece
 */
function linesOf(piece) {
  const notes = (/** @type {HTMLElement} */ row) => queryAll(".option-note, .share", row).map(textOf);
  const rows = queryAll("#answer [data-key]");
  const own = rows.find(({ dataset }) => dataset.key === piece.dataset.key);
  const keys = piece.dataset.among ? optionKeysOf(piece) : [];
  const targets = rows.filter(({ dataset }) => keys.includes(dataset.key ?? ""));
  const reason = reasonOf(piece);
  return [
    collapse(labelOf(piece)),
    ...(own ? notes(own) : []),
    ...targets.map((row) => [textOf(query(".text", row)).replace(/^.* at the /, ""), ...notes(row)].join(": ")),
    reason && `Unavailable: ${reason}`,
  ].filter(Boolean);
}

/**
 * Show the tooltip of a piece above it, or below it where there is no room.
 * @param {Piece} piece
 */
function showTooltip(piece) {
  const label = labelOf(piece);
  const title = query("title", piece);
  if (title) {
    // The browser would show the title in a second tooltip.
    piece.setAttribute("aria-label", label);
    title.remove();
  }
  const lines = linesOf(piece);
  const box = tooltip();
  box.replaceChildren(...lines.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
  box.hidden = !lines.length;
  const target = piece.getBoundingClientRect();
  const left = target.x + target.width / 2 - box.offsetWidth / 2;
  const above = target.top - box.offsetHeight - MARGIN;
  box.style.left = `${Math.min(Math.max(MARGIN, left), innerWidth - box.offsetWidth - MARGIN)}px`;
  box.style.top = `${above > MARGIN ? above : target.bottom + MARGIN}px`;
}

export function hideTooltip() {
  tooltip().hidden = true;
}

/**
 * Announce why a piece cannot be selected.
 * @param {Piece} piece
 */
function explain(piece) {
  const name = (labelOf(piece) || "This").split(/[,;:\n]/)[0];
  const reason = reasonOf(piece);
  if (reason) announce(`${name}: ${reason}`);
  else announce(answerForm() ? `${name} is not an option.` : `${name}: nothing to choose now.`);
}

/**
 * Select with a piece, or announce why that is not possible. Return whether it was.
 * @param {Piece} piece
 * @param {boolean} fewer
 */
export function selectOrExplain(piece, fewer) {
  const selected = selectPiece(piece, fewer);
  if (!selected) explain(piece);
  return selected;
}

/**
 * Highlight what the pointer or the focus is on, and show its tooltip.
 * @param {Event} event
 * @param {boolean} on
 */
function handleHover(event, on) {
  const element = closest(event, "[data-key]");
  if (!element) return;
  highlight(element.dataset.key, on);
  /** @type {Piece | null} */
  const piece = element.closest("#board [data-key]");
  if (!piece) return;
  // A touch screen sends the events of a mouse after those of the finger.
  const isEmulated =
    event instanceof PointerEvent && event.pointerType === "mouse" && matchMedia("(hover: none)").matches;
  if (isEmulated) return;
  if (on) showTooltip(piece);
  else hideTooltip();
}

export function initTooltip() {
  const box = Object.assign(document.createElement("div"), { id: "tip", className: "piece-tip", hidden: true });
  box.setAttribute("role", "tooltip");
  document.body.append(box);
  for (const name of ["pointerover", "focusin"]) document.addEventListener(name, (event) => handleHover(event, true));
  for (const name of ["pointerout", "focusout"]) document.addEventListener(name, (event) => handleHover(event, false));
  addEventListener("scroll", hideTooltip, { passive: true });
  document.addEventListener("click", (event) => {
    /** @type {Piece | null} */
    const piece = closest(event, "#board [data-key]");
    if (piece && !selectOrExplain(piece, event.shiftKey)) showTooltip(piece);
  });
}
