/** Which of a board's charts is requested: the wide one, the medium one or the narrow one, whichever there is room for. */

import { query } from "./dom.js";
import { onHtmx, refresh } from "./htmx.js";

const NARROW = 560;
const MEDIUM = 847;
const SCROLLBAR = 20; // a chart stays until there is this much more room, as a scrollbar comes and goes

const chart = () => query("#board .board");

/**
 * Return the chart for a width in pixels; empty if nothing is rendered.
 * @param {number} width
 * @param {string} [shown] the shape that is shown now
 * @returns {"" | "narrow" | "medium" | "wide"}
 */
export function shapeFor(width, shown = "") {
  if (!width) return "";
  const isWithin = (/** @type {number} */ most, /** @type {string} */ shape) =>
    width <= most + (shown === shape ? SCROLLBAR : 0);
  if (isWithin(NARROW, "narrow")) return "narrow";
  return isWithin(MEDIUM, "medium") ? "medium" : "wide";
}

/** Return the shape of the chart that there is room for; empty if nothing is rendered. */
export function currentShape() {
  const board = chart();
  if (!board) return "";
  // On a phone in landscape all of the board is in view.
  return getComputedStyle(board).getPropertyValue("--shape") || shapeFor(board.clientWidth, board.dataset.shape);
}

/** Request the other chart if the one that is shown does not fit. */
function fit() {
  const board = chart();
  const shape = currentShape();
  if (!board || !shape || board.dataset.shape === shape) return;
  if (!board.matches(".board-alone") && !(shape === "medium" && "medium" in board.dataset)) return;
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
