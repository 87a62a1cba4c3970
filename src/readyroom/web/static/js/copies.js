/**
 * Copies of pieces where the selected options send them. The originals are faded; a copy can be picked up like them. Nothing
 * is sent before the answer is confirmed.
 */

import { closest, queryAll, splitKeys } from "./dom.js";
import { copyOf, outermost, sideOf } from "./enlarge.js";
import { boxOf, centerOf } from "./layer.js";

/**
 * @typedef {import("./board.js").Piece} Piece
 * @typedef {import("./placing.js").Box} Box
 * @typedef {import("./placing.js").Point} Point
 *
 * Pieces that look the same and go to the same target; `count` is how many a stack sends.
 * @typedef {{pieces: Piece[], target: Piece, count: number}} Group
 */

const NS = "http://www.w3.org/2000/svg";
const SMALL = 2.2; // sizes of a piece: a target that is smaller is not covered
const SHRUNK = 0.72; // the scale of a copy next to a small target
const LEAST = 34; // pixels: smaller pieces keep their size
const BADGE = 0.27; // radius of the count, in widths of the copy
const PARTS = [4, 2, 6, 1, 7, 3, 5].map((part) => part / 8);

/** What each copy shows. @type {WeakMap<Element, Group>} */
const shown = new WeakMap();

/**
 * Return what the copy under the pointer shows; null if there is none.
 * @param {Event} event
 * @returns {Group | null}
 */
export function copyUnder(event) {
  const copy = closest(event, ".bd-copy");
  return (copy && shown.get(copy)) ?? null;
}

/** Remove all copies. */
export function clearCopies() {
  for (const copy of queryAll("#board .bd-copy")) copy.remove();
  for (const piece of queryAll("#board .sent")) piece.classList.remove("sent");
}

/**
 * Join what looks the same and goes to the same target.
 * @param {Group[]} links
 * @returns {Group[]}
 */
export function grouped(links) {
  /** @type {Map<Piece, Map<string, Group>>} */
  const byTarget = new Map();
  for (const { pieces, target, count } of links) {
    const groups = byTarget.get(target) ?? new Map();
    byTarget.set(target, groups);
    const [piece] = pieces;
    const look = piece ? lookOf(faceOf(piece)) : "";
    const group = groups.get(look);
    if (group) {
      group.pieces.push(...pieces);
      group.count += count;
    } else groups.set(look, { pieces: [...pieces], target, count });
  }
  return [...byTarget.values()].flatMap((groups) => [...groups.values()]);
}

/**
 * Return the drawing of a piece without what names it.
 * @param {Piece} piece
 */
function lookOf(piece) {
  const copy = copyOf(piece);
  for (const part of copy.querySelectorAll('[href="#pc-tick"], .bd-badge, .bd-many')) part.remove();
  return copy.innerHTML;
}

/**
 * Lay a copy of each group on its target, and fade the originals; there are no copies yet.
 * @param {Group[]} groups
 * @returns {[from: Point, to: Point][]} the way of each group, in the window
 */
export function showCopies(groups) {
  /** @type {Map<Piece, Group[]>} */
  const byTarget = new Map();
  for (const group of groups) byTarget.set(group.target, [...(byTarget.get(group.target) ?? []), group]);
  const placed = [...byTarget.values()].flatMap(placesOn); // all is measured before anything is drawn
  for (const { draw } of placed) draw();
  fade(groups);
  return placed.map(({ way }) => way);
}

/**
 * Fade pieces that are sent, and stacks of which nothing is left.
 * @param {Group[]} groups
 */
function fade(groups) {
  /** @type {Map<Piece, number>} */
  const sent = new Map();
  for (const { pieces, count } of groups) for (const piece of pieces) sent.set(piece, (sent.get(piece) ?? 0) + count);
  const gone = [...sent].filter(([{ dataset }, count]) => count >= Number(dataset.size ?? 1)).map(([piece]) => piece);
  const keys = new Set(gone.flatMap(({ dataset }) => [dataset.key, ...splitKeys(dataset.stack)]));
  for (const piece of /** @type {Piece[]} */ (queryAll("#board :is([data-key], [data-stack])"))) {
    const { key, stack } = piece.dataset;
    const isGone = stack
      ? splitKeys(stack).every((other) => keys.has(other))
      : piece.matches(".in-pile") && keys.has(key);
    if (isGone || gone.includes(piece)) piece.classList.add("sent");
  }
}

/**
 * Return what is drawn of a piece: of a pile, its uppermost counter.
 * @param {Piece} piece
 * @returns {Piece}
 */
function faceOf(piece) {
  const keys = splitKeys(piece.dataset.stack);
  const inside = /** @type {Piece[]} */ (queryAll(".in-pile", piece.ownerSVGElement ?? document));
  return inside.filter(({ dataset }) => keys.includes(dataset.key ?? "")).at(-1) ?? piece;
}

/**
 * Return how to lay groups side by side on the target that they share; of more than fit there, only the arrows are drawn.
 * @param {Group[]} groups
 * @returns {{way: [from: Point, to: Point], draw: () => void}[]}
 */
function placesOn(groups) {
  const [first] = groups;
  const source = first?.pieces[0] && faceOf(first.pieces[0]);
  if (!first || !source) return [];
  const [box, { width, height }] = [boxOf(first.target), boxOf(source)];
  const isSmall = box.width < width * SMALL && box.height < height * SMALL;
  const least = width < LEAST ? 1 : SHRUNK;
  const scale = isSmall ? least : Math.min(1, Math.max(least, box.height / height));
  const step = Math.min(width * scale * 1.06, (Math.max(box.width, width * 2) - width * scale) / groups.length);
  if (groups.length > 1 && step < (width * scale) / 2)
    return groups.map(({ pieces }) => ({ way: [centerOf(boundsOf(pieces)), centerOf(box)], draw: () => undefined }));
  const middle = isSmall ? { x: box.left + box.width, y: box.top + box.height } : spotOn(first.target, box);
  return groups.flatMap((group, at) => {
    const to = { x: middle.x + (at - (groups.length - 1) / 2) * step, y: middle.y };
    const [piece] = group.pieces;
    const draw = piece && drawingOf(group, faceOf(piece), to, scale);
    return draw ? [{ way: [centerOf(boundsOf(group.pieces)), to], draw }] : [];
  });
}

/**
 * Return a point of a target where nothing else lies, or else one where something does: the nearest to its middle.
 * @param {Piece} target
 * @param {Box} box
 * @returns {Point}
 */
function spotOn(target, box) {
  /** @type {Point | null} */
  let covered = null;
  for (const down of PARTS) {
    for (const right of PARTS) {
      const spot = { x: box.left + right * box.width, y: box.top + down * box.height };
      const [first, ...others] = document.elementsFromPoint(spot.x, spot.y);
      if (first && target.contains(first)) return spot;
      if (others.some((element) => target.contains(element))) covered ??= spot;
    }
  }
  return covered ?? centerOf(box);
}

/**
 * Return the box around several pieces.
 * @param {Piece[]} pieces
 * @returns {Box}
 */
function boundsOf(pieces) {
  const boxes = pieces.map(boxOf);
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * Measure a piece and return what draws a copy of it with its middle at a point of the window; null if nothing can.
 * @param {Group} group
 * @param {Piece} piece
 * @param {Point} to
 * @param {number} scale
 * @returns {(() => void) | null}
 */
function drawingOf(group, piece, to, scale) {
  const svg = piece.ownerSVGElement;
  const chart = svg && outermost(svg);
  const screen = chart?.getScreenCTM();
  const parent = /** @type {SVGGraphicsElement} */ (piece.parentNode).getScreenCTM();
  if (!chart || !screen || !parent) return null;
  const toChart = DOMMatrix.fromMatrix(screen).inverse();
  const box = boxOf(piece);
  const [from, goal] = [centerOf(box), to].map(({ x, y }) => new DOMPoint(x, y).matrixTransform(toChart));
  if (!from || !goal) return null;
  const place = new DOMMatrix().translate(goal.x, goal.y).scale(scale).translate(-from.x, -from.y);
  const { a, b, c, d, e, f } = place.multiply(toChart.multiply(DOMMatrix.fromMatrix(parent)));
  const copy = element("g", { class: `bd-copy ${sideOf(piece)}`, "aria-hidden": "true" });
  const drawing = element("g", { transform: `matrix(${[a, b, c, d, e, f].join(" ")})` });
  drawing.append(copyOf(piece));
  copy.append(drawing);
  const figure = [...drawing.querySelectorAll("text")].find(({ textContent }) => /^\d+$/.test(textContent ?? ""));
  if (figure && group.pieces[0]?.dataset.size) figure.textContent = String(group.count);
  else if (group.count > 1) {
    const radius = Math.max(box.width * BADGE * scale, 9) * toChart.a;
    const [cx, cy] = [goal.x + (box.width / 2) * scale * toChart.a, goal.y + (box.height / 2) * scale * toChart.d];
    const text = element("text", { class: "bd-copies", x: cx, y: cy + radius * 0.36, "font-size": radius * 1.15 });
    text.textContent = String(group.count);
    copy.append(element("circle", { class: "bd-badge", cx, cy, r: radius }), text);
  }
  return () => {
    chart.append(copy);
    shown.set(copy, group);
  };
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function element(name, attributes) {
  const made = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
