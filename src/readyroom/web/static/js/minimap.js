/** The map of a zoomed board, with its pieces and the part that is seen. */

import { queryAll } from "./dom.js";

/** @type {{box: HTMLElement, view: HTMLElement} | null} */
let map = null;
/** @type {HTMLElement | undefined} */
let shown;

function makeMap() {
  const box = Object.assign(document.createElement("div"), { id: "minimap", className: "minimap", hidden: true });
  const view = box.appendChild(Object.assign(document.createElement("div"), { className: "minimap-view" }));
  box.setAttribute("aria-hidden", "true");
  document.body.append(box);
  const go = (/** @type {PointerEvent} */ event) => {
    if (!shown || !event.buttons) return;
    const { left, top, width, height } = box.getBoundingClientRect();
    shown.scrollLeft = ((event.clientX - left) / width) * shown.scrollWidth - shown.clientWidth / 2;
    shown.scrollTop = ((event.clientY - top) / height) * shown.scrollHeight - shown.clientHeight / 2;
  };
  box.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    box.setPointerCapture(event.pointerId);
    go(event);
  });
  box.addEventListener("pointermove", go);
  return { box, view };
}

/**
 * Show which part of the board is seen, and where its pieces are.
 * @param {HTMLElement[]} boards with several there is no map
 * @param {number} zoom
 * @param {boolean} isOld whether the board has changed since the map was drawn
 */
export function drawMap(boards, zoom, isOld) {
  const [board] = boards;
  map ??= makeMap();
  map.box.hidden = zoom === 1 || !board || boards.length > 1;
  if (map.box.hidden || !board) return;
  const isOther = board !== shown;
  shown = board;
  const frame = board.getBoundingClientRect();
  const [width, height] = [board.scrollWidth, board.scrollHeight];
  const scale = Math.min(130 / width, 150 / height);
  const { style } = map.box;
  [style.width, style.height] = [`${width * scale}px`, `${height * scale}px`];
  style.translate = `${frame.right + scrollX - width * scale - 8}px ${frame.top + scrollY + 8}px`;
  const seen = map.view.style;
  seen.translate = `${board.scrollLeft * scale}px ${board.scrollTop * scale}px`;
  [seen.width, seen.height] = [`${board.clientWidth * scale}px`, `${board.clientHeight * scale}px`];
  if (!isOld && !isOther) return;
  const dots = queryAll(":is([data-key], .can)", board).flatMap((piece) => {
    const box = piece.getBoundingClientRect();
    if (!box.width || box.width > 0.25 * width) return [];
    const dot = document.createElement("i");
    dot.className = piece.matches(".can") ? "is-option" : "";
    const [x, y] = [box.left + box.width / 2 - frame.left, box.top + box.height / 2 - frame.top];
    dot.style.translate = `${(x + board.scrollLeft) * scale}px ${(y + board.scrollTop) * scale}px`;
    return [dot];
  });
  map.box.replaceChildren(...dots, map.view);
}
