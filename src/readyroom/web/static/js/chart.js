/** Which of a board's two charts is requested: the wide one or the narrow one, whichever there is room for. */

import { query } from "./dom.js";
import { onHtmx, refresh } from "./htmx.js";

const NARROW = 560;
const SCROLLBAR = 20; // a narrow chart stays until there is this much more room, as a scrollbar comes and goes

const chart = () => query("#board .board");

/**
 * Return the chart for a width in pixels; empty if nothing is rendered.
 * @param {number} width
 * @param {boolean} isNarrow whether the narrow chart is shown now
 * @returns {"" | "narrow" | "wide"}
 */
export function shapeFor(width, isNarrow) {
  if (!width) return "";
  return width <= NARROW + (isNarrow ? SCROLLBAR : 0) ? "narrow" : "wide";
}

/** Return the shape of the chart that there is room for; empty if nothing is rendered. */
export function currentShape() {
  const board = chart();
  return board ? shapeFor(board.clientWidth, !query(".board-wide", board)) : "";
}

/** Request the other chart if the one that is shown does not fit. */
function fit() {
  const board = chart();
  const shape = currentShape();
  if (!board || !shape || !board.matches(".board-alone") || query(`.board-${shape}`, board)) return;
  // Until a step of a replay has settled, a request would be for the step before it.
  if (!query("#replay.htmx-settling")) refresh();
}

export function initChart() {
  const observer = new ResizeObserver(fit);
  const observe = () => {
    const board = query("#board");
    if (board) observer.observe(board);
  };
  onHtmx("configRequest", ({ headers }) => {
    const shape = currentShape();
    if (shape) headers["Board-Shape"] = shape;
  });
  onHtmx("afterSettle", () => {
    observe();
    fit();
  });
  observe();
}
