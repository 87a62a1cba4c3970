/**
 * Zoom and pan of the board. A board that is larger than its frame scrolls in it, so a wheel, a finger, and the focus move it
 * as they do any page; a map shows which part is seen. The zoom is kept by a style sheet of its own, so new versions of the
 * board have it as well. A wheel alone scrolls the page: zooming takes Ctrl, two fingers, a key or a button.
 */

import { ELEMENTS } from "./board.js";
import { closest, query, queryAll } from "./dom.js";
import { onHtmx } from "./htmx.js";

/** @typedef {import("./placing.js").Point} Point */

const MOST = 5;
const STEP = 1.3;
const WHEEL = 0.0022; // of the logarithm, for each pixel of a wheel
const SNAP = 1.04; // less is no zoom
const SETTLES = 180; // milliseconds until a zoomed board is drawn sharply
const EDGE = 36; // pixels from an edge at which a drag scrolls
const SCROLL = 9; // pixels a frame

let zoom = 1;
let settling = 0;
/** @type {CSSStyleSheet | null} */
let sheet = null;

/** @returns {HTMLElement[]} */
const boards = () => queryAll("#board .board:not(.summary-image)");

/**
 * Return a zoom within its limits.
 * @param {number} value
 */
export function limitZoom(value) {
  return value < SNAP ? 1 : Math.min(MOST, value);
}

/**
 * Return how far a frame is scrolled after a zoom, so that a point of it stays where it is.
 * @param {number} scroll
 * @param {number} point from the edge of the frame
 * @param {number} factor by which the board grows
 */
export function scrollAfter(scroll, point, factor) {
  return (scroll + point) * factor - point;
}

/**
 * Zoom to a value about a point of the window; by default about the middle of the frame.
 * @param {number} value
 * @param {Point} [about]
 */
export function zoomTo(value, about) {
  const [before, next] = [zoom, limitZoom(value)];
  const frames = boards().map((board) => {
    const { left, top } = board.getBoundingClientRect();
    const { clientWidth, clientHeight, scrollLeft, scrollTop } = board;
    const [x, y] = about ? [about.x - left, about.y - top] : [clientWidth / 2, clientHeight / 2];
    return { board, scroll: [scrollAfter(scrollLeft, x, next / before), scrollAfter(scrollTop, y, next / before)] };
  });
  if (next !== before) setZoom(next);
  for (const { board, scroll } of frames)
    [board.scrollLeft, board.scrollTop] = /** @type {[number, number]} */ (scroll);
  changed();
}

/** @param {number} value */
function setZoom(value) {
  zoom = value;
  if (!sheet) {
    sheet = new CSSStyleSheet();
    document.adoptedStyleSheets.push(sheet);
  }
  writeRules(true);
  clearTimeout(settling);
  settling = setTimeout(() => writeRules(false), SETTLES);
}

/** @param {boolean} isMoving while it is, the board is scaled as a picture, which is fast */
function writeRules(isMoving) {
  const hint = isMoving ? "will-change: transform;" : "";
  sheet?.replaceSync(
    zoom === 1
      ? ""
      : `#board .board:not(.summary-image) { overflow: auto; }
         #board .board:not(.summary-image) > svg { transform: scale(${zoom}); ${hint} }`,
  );
}

let pending = 0;
/** What draws the map, once there is a zoom. @type {Promise<typeof import("./minimap.js")> | null} */
let map = null;
/** Whether the board has changed since the map was drawn. */
let isMapOld = true;

/** Bring buttons, map and marks in step with what is seen, once a frame. */
function changed() {
  isMapOld = true;
  moved();
}

/** Bring map and marks in step with the part that is seen, once a frame. */
function moved() {
  cancelAnimationFrame(pending);
  pending = requestAnimationFrame(() => {
    const label = query("#zoom-reset");
    if (label) label.textContent = `${Math.round(zoom * 100)} %`;
    if (map || zoom > 1) (map ??= import("./minimap.js")).then(({ drawMap }) => drawMap(boards(), zoom, isMapOld));
    isMapOld = false;
    document.dispatchEvent(new Event("boardview"));
  });
}

/**
 * Move what is seen of a zoomed board.
 * @param {number} x pixels to the right
 * @param {number} y pixels down
 */
export function panBy(x, y) {
  for (const board of boards()) board.scrollBy({ left: x, top: y, behavior: "instant" });
}

export const isZoomed = () => zoom > 1;

/**
 * Scroll the page and the board towards a point that is at the edge of what is seen.
 * @param {Point} point
 * @param {import("./placing.js").Box} frame
 */
export function scrollToward({ x, y }, { left, top, width, height }) {
  const way = (/** @type {number} */ at, /** @type {number} */ low, /** @type {number} */ high) =>
    at < low + EDGE ? -SCROLL : at > high - EDGE ? SCROLL : 0;
  const down = way(y, top, top + height);
  panBy(way(x, left, left + width), down);
  if (way(y, 0, innerHeight) === down) scrollBy({ top: down, behavior: "instant" });
}

/**
 * Scroll a zoomed board so that an element of it is seen; the page stays where it is.
 * @param {Element | null} element
 */
export function reveal(element) {
  const board = /** @type {HTMLElement | null} */ (element?.closest(".board"));
  if (!element || !board || !isZoomed()) return;
  const [frame, box] = [board.getBoundingClientRect(), element.getBoundingClientRect()];
  const isSeen =
    box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
  if (isSeen) return;
  const [x, y] = [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
  board.scrollBy({ left: x - frame.width / 2, top: y - frame.height / 2, behavior: "instant" });
}

// -- wheel, fingers and buttons --

/** @param {WheelEvent} event */
function handleWheel(event) {
  if (!(event.ctrlKey || event.metaKey) || !closest(event, ".board")) return;
  event.preventDefault();
  const pixels = event.deltaMode ? event.deltaY * 30 : event.deltaY;
  zoomTo(zoom * Math.exp(-pixels * WHEEL), { x: event.clientX, y: event.clientY });
}

/** The distance and the middle of two fingers. @type {{distance: number, middle: Point, zoom: number} | null} */
let pinch = null;

/** @param {TouchList} touches */
function measure([one, two]) {
  if (!one || !two) return null;
  return {
    distance: Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY) || 1,
    middle: { x: (one.clientX + two.clientX) / 2, y: (one.clientY + two.clientY) / 2 },
  };
}

/** @param {TouchEvent} event */
function handleTouchStart(event) {
  const two = event.touches.length === 2 && closest(event, ".board") ? measure(event.touches) : null;
  pinch = two && { ...two, zoom };
  if (!pinch) return;
  event.preventDefault();
}

/** @param {TouchEvent} event */
function handleTouchMove(event) {
  const now = pinch && measure(event.touches);
  if (!pinch || !now) return;
  event.preventDefault();
  panBy(pinch.middle.x - now.middle.x, pinch.middle.y - now.middle.y);
  zoomTo((pinch.zoom * now.distance) / pinch.distance, now.middle);
  pinch.middle = now.middle;
}

/**
 * Zoom by a step.
 * @param {number} steps negative to zoom out, 0 to show the whole board
 */
export function zoomBy(steps) {
  zoomTo(steps ? zoom * STEP ** steps : 1);
}

/** @param {MouseEvent} event */
function handleClick(event) {
  const button = closest(event, "#zoom-in, #zoom-out, #zoom-reset");
  if (button) zoomBy({ "zoom-in": 1, "zoom-out": -1 }[button.id] ?? 0);
}

/** @param {MouseEvent} event */
function handleDoubleClick(event) {
  if (!closest(event, "#board .board")) return;
  if (isZoomed() && !closest(event, `:is(${ELEMENTS}).can`)) zoomBy(0);
}

export function initZoom() {
  const page = query("#board");
  page?.addEventListener("wheel", handleWheel, { passive: false });
  page?.addEventListener("touchstart", handleTouchStart, { passive: false });
  page?.addEventListener("touchmove", handleTouchMove, { passive: false });
  document.addEventListener("touchend", () => {
    pinch = null;
  });
  document.addEventListener("click", handleClick);
  document.addEventListener("dblclick", handleDoubleClick);
  // Scrolling does not bubble.
  document.addEventListener(
    "scroll",
    ({ target }) => target instanceof Element && target.matches(".board") && moved(),
    {
      capture: true,
      passive: true,
    },
  );
  onHtmx("afterSettle", changed);
  addEventListener("resize", changed);
}
