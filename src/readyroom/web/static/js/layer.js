/**
 * What lies over the board and belongs to the page: arrows, a lasso, counts next to targets, and a panel next to what was
 * selected last. It repeats what the card says, so it is hidden from screen readers and from the Tab key.
 */

import { isVisible, query, queryAll } from "./dom.js";
import { around, arrowPath, cornerPlaces, placeNextTo } from "./placing.js";

/**
 * @typedef {import("./placing.js").Box} Box
 * @typedef {import("./placing.js").Point} Point
 */

export const OVER = 10; // pixels of a count that are over its piece
const EDGE = 1; // pixels next to a text that may be covered
const LEADING = 0.2; // of a text's height, above and below it, that may be covered
const NS = "http://www.w3.org/2000/svg";

/** @type {ReturnType<typeof makeLayer> | null} */
let made = null;
/** Return the parts of the layer; the first call puts it over the page. */
const parts = () => (made ??= makeLayer());

function makeLayer() {
  const layer = Object.assign(document.createElement("div"), { id: "board-layer", className: "board-layer" });
  layer.setAttribute("aria-hidden", "true");
  const drawing = layer.appendChild(svg("svg", "layer-drawing"));
  const found = {
    links: drawing.appendChild(svg("g")),
    arrow: drawing.appendChild(svg("path", "layer-arrow")),
    frame: drawing.appendChild(svg("rect", "layer-lasso")),
    label: layer.appendChild(box("layer-label")),
    badges: layer.appendChild(box("layer-badges")),
    panel: layer.appendChild(box("layer-panel")),
  };
  document.body.append(layer);
  return { ...found, layer };
}

/**
 * @param {string} name
 * @param {string} [className]
 */
function svg(name, className = "") {
  const element = document.createElementNS(NS, name);
  if (className) element.setAttribute("class", className);
  return element;
}

/** @param {string} className */
function box(className) {
  return Object.assign(document.createElement("div"), { className, hidden: true });
}

/**
 * Return where the part of the window ends that a decision which lies over the board leaves free.
 * @param {DOMRect | undefined} board
 */
function freeBottom(board) {
  const card = query("#card")?.getBoundingClientRect();
  return card && board && card.top > board.top && card.left < board.left + 50 ? card.top : innerHeight;
}

/** Return the height of the header that stays at the top of a narrow window; 0 if there is none. */
export const headerHeight = () => Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;

/** Return the frame in which a board is seen, as far as it is on the screen. @returns {Box} */
export function visibleFrame() {
  const board = query("#board .board")?.getBoundingClientRect();
  const bottom = freeBottom(board);
  const [left, top] = [Math.max(0, board?.left ?? 0), Math.max(headerHeight(), board?.top ?? 0)];
  const width = Math.min(document.documentElement.clientWidth, board?.right ?? innerWidth) - left;
  return { left, top, width, height: Math.min(bottom, board?.bottom ?? bottom) - top };
}

/**
 * Return where an element is in the window.
 * @param {Element} element
 * @returns {Box}
 */
export function boxOf(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { left, top, width, height };
}

/**
 * @param {Box} box
 * @returns {Point}
 */
export function centerOf({ left, top, width, height }) {
  return { x: left + width / 2, y: top + height / 2 };
}

/**
 * Move an element to a place in the window; from then on it moves with the page.
 * @param {HTMLElement} element
 * @param {{left: number, top: number}} place
 * @param {number} [width] the element's
 */
function put(element, { left, top }, width = element.offsetWidth) {
  left = Math.max(0, Math.min(left, document.documentElement.clientWidth - width));
  element.style.translate = `${Math.round(left + scrollX)}px ${Math.round(top + scrollY)}px`;
}

/**
 * Show an arrow with a text at its end; without points, hide it.
 * @param {Point | null} from
 * @param {Point} [to]
 * @param {string} [text]
 */
export function showArrow(from, to, text = "") {
  const { arrow, label } = parts();
  arrow.setAttribute("d", from && to ? arrowPath(onPage(from), onPage(to)) : "");
  label.hidden = !text || !to;
  if (!to || !text) return;
  if (label.textContent !== text) label.textContent = text;
  putNextTo(label, { left: to.x - 18, top: to.y - 18, width: 36, height: 36 });
}

/** @param {Point} point */
const onPage = ({ x, y }) => ({ x: x + scrollX, y: y + scrollY });

/**
 * Show a lasso; null hides it.
 * @param {Box | null} lasso
 */
export function showLasso(lasso) {
  const { frame } = parts();
  const { left, top, width, height } = lasso ?? { left: 0, top: 0, width: 0, height: 0 };
  const values = { x: left + scrollX, y: top + scrollY, width, height };
  for (const [name, value] of Object.entries(values)) frame.setAttribute(name, String(value));
  frame.classList.toggle("is-on", lasso !== null);
}

/**
 * Show the arrows of what is selected.
 * @param {[from: Point, to: Point][]} arrows
 */
export function showLinks(arrows) {
  parts().links.replaceChildren(
    ...arrows.map(([from, to]) => {
      const link = svg("path", "layer-link");
      link.setAttribute("d", arrowPath(onPage(from), onPage(to)));
      return link;
    }),
  );
}

/**
 * Show the counts next to targets.
 * @param {[target: Box, text: string][]} counts
 * @returns {Box[]} where they are
 */
export function showCounts(counts) {
  const { badges } = parts();
  badges.hidden = !counts.length;
  badges.replaceChildren(
    ...counts.map(([, text]) => Object.assign(document.createElement("b"), { textContent: text })),
  );
  if (!counts.length) return [];
  const board = query("#board .board");
  const [texts = [], pieces = []] = ["text, #board .piece circle", "[data-key]"].map((name) =>
    queryAll(`#board .board ${name}`).filter(isVisible).map(boxOf),
  );
  const lines = texts.map((box) => around(box, -EDGE, -box.height * LEADING));
  const targets = counts.map(([target]) => target);
  const boxes = /** @type {HTMLElement[]} */ ([...badges.children]);
  const sizes = boxes.map(({ offsetWidth: width, offsetHeight: height }) => ({ width, height })); // before any is moved
  const places = cornerPlaces(sizes, targets, OVER, board ? boxOf(board) : visibleFrame(), lines, pieces);
  return boxes.map((badge, at) => {
    const [place = { left: 0, top: 0 }, size = { width: 0, height: 0 }] = [places[at], sizes[at]];
    put(badge, place, size.width);
    return { ...place, ...size };
  });
}

/**
 * Show a panel next to a piece; null hides it.
 * @param {Box | null} anchor
 * @param {(Node | string)[]} [content]
 * @param {Box[]} [avoid] nothing: a panel that is shown stays where it is
 * @param {boolean} [isFree] whether it may be far from the piece
 */
export function showPanel(anchor, content = [], avoid, isFree = false) {
  const { panel } = parts();
  panel.hidden = !anchor || !content.length;
  if (!anchor || panel.hidden) return;
  panel.replaceChildren(...content);
  if (!avoid) return;
  const size = { width: panel.offsetWidth, height: panel.offsetHeight };
  put(panel, placeNextTo(size, anchor, visibleFrame(), avoid, isFree));
}

/**
 * Return a new box of the layer, which is hidden.
 * @param {string} className
 */
export function layerBox(className) {
  return parts().layer.appendChild(box(className));
}

/**
 * Place a box of the layer next to something on the board, within what is seen of it.
 * @param {HTMLElement} element
 * @param {Box} anchor
 * @param {Box[]} [avoid]
 * @param {boolean} [isFree] whether it may be far from it
 */
export function putNextTo(element, anchor, avoid = [], isFree = false) {
  const { panel } = parts();
  const size = { width: element.offsetWidth, height: element.offsetHeight };
  put(element, placeNextTo(size, anchor, visibleFrame(), panel.hidden ? avoid : [...avoid, boxOf(panel)], isFree));
}

/**
 * Return a button of the panel. It leaves the focus where it is.
 * @param {string} text
 * @param {string} action what it does, as `data-act`
 * @param {string} [className]
 */
export function panelButton(text, action, className = "button button-small") {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: text, className });
  button.tabIndex = -1;
  button.dataset.act = action;
  return button;
}

/**
 * Let the buttons of the panel act.
 * @param {(action: string) => void} onAction called with the `data-act` of a button
 */
export function initLayer(onAction) {
  const { panel } = parts();
  panel.addEventListener("mousedown", (event) => event.preventDefault());
  panel.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button?.dataset.act) onAction(button.dataset.act);
  });
}
