/** Dragging a piece that has targets (`data-among`) to a piece that is one (`data-sweep`). */

import { answerForm, options, setCounts } from "./answer.js";
import { optionKeysOf } from "./board.js";
import { announce, closest } from "./dom.js";
import { hideTooltip } from "./tooltip.js";

/** @typedef {import("./board.js").Piece} Piece */

const THRESHOLD = 12; // pixels that make a click a drag

/** @type {{piece: Piece, start: PointerEvent, line: SVGElement | null} | null} */
let drag = null;

/**
 * Return the position of a pointer in the units of a drawing.
 * @param {SVGSVGElement} svg
 * @param {PointerEvent} event
 */
function positionIn(svg, { clientX, clientY }) {
  return new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM()?.inverse());
}

/** @param {PointerEvent} event */
function startDrag(event) {
  /** @type {Piece | null} */
  const piece = closest(event, "#board [data-among]");
  drag = piece && { piece, start: event, line: null };
}

/** @param {PointerEvent} event */
function moveDrag(event) {
  if (!drag) return;
  const { piece, start } = drag;
  if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < THRESHOLD) return;
  const svg = /** @type {SVGSVGElement} */ (piece.closest("svg"));
  if (!drag.line) {
    drag.line = svg.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "path"));
    drag.line.setAttribute("class", "bd-pull");
  }
  const [from, to] = [positionIn(svg, start), positionIn(svg, event)];
  drag.line.setAttribute("d", `M${from.x} ${from.y}L${to.x} ${to.y}`);
  hideTooltip();
}

/** @param {PointerEvent} event */
function drop(event) {
  if (drag?.line && answerForm()) {
    /** @type {Piece | null | undefined} */
    const target = document.elementFromPoint(event.clientX, event.clientY)?.closest("#board [data-sweep]");
    const common = target ? optionKeysOf(target) : [];
    setCounts(new Map(optionKeysOf(drag.piece).map((key) => [key, Number(common.includes(key))])));
    const keys = optionKeysOf(drag.piece);
    const selected = options().find(({ key }) => keys.includes(key) && common.includes(key));
    announce(selected ? selected.text : "None selected.");
  }
  endDrag();
}

function endDrag() {
  drag?.line?.remove();
  drag = null;
}

export function initDrag() {
  document.addEventListener("pointerdown", startDrag);
  document.addEventListener("pointermove", moveDrag);
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", endDrag);
}
