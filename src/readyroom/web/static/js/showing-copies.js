/**
 * Draws copies of pieces where the selected options send them, where they cover nothing that is read, and fades the
 * originals. Nothing is sent before the answer is confirmed.
 */

import { shown } from "./board.js";
import { isVisible, queryAll, splitKeys } from "./dom.js";
import { copyOf, outermost, sideOf } from "./enlarge.js";
import { boxOf, centerOf } from "./layer.js";
import { around, contains, freeSpots, gap, holds, intersection, isAlike } from "./placing.js";

/**
 * @typedef {import("./board.js").Piece} Piece
 * @typedef {import("./board.js").Group} Group
 * @typedef {import("./placing.js").Box} Box
 * @typedef {import("./placing.js").Point} Point
 */

const NS = "http://www.w3.org/2000/svg";
const SMALL = 2.2; // sizes of a piece: a target of which both are smaller is not covered
const COUNTER = '[href="#pc-body"]'; // what draws a counter: as a target, it is not covered
const NAMED = ".bd-vessel"; // targets that are full of their picture and name
const WITHIN = 3; // sizes of a piece: copies are no farther from a small target
const PARTS = [1, 2]; // of the copies, on different sides of a small target
const SHRUNK = 0.72; // the scale of a copy next to a small target
const LEAST = 34; // pixels: smaller pieces keep their size
const SCALES = [1, 0.9, 0.8, 0.7, 0.6]; // of copies, until they cover nothing
const ROWS = [1, 2, 3, 4];
const EDGE = 0.15; // of a copy's width: the space next to it for its count, which lies over its corner
const COUNT = { edge: 4, letter: 6.2, height: 14 }; // pixels

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
 * @param {Box[]} counts where counts are next to targets
 * @returns {[from: Point, to: Point][]} the way of each group, in the window
 */
export function showCopies(groups, counts) {
  /** @type {Map<Piece, Group[]>} */
  const byTarget = new Map();
  for (const group of groups) byTarget.set(group.target, [...(byTarget.get(group.target) ?? []), group]);
  // All is measured before anything is drawn.
  const taken = groups[0] ? [...counts, ...whatIsRead(groups[0].pieces)] : [];
  const placed = [...byTarget.values()].flatMap((own) => placesOn(own, taken));
  for (const { draw } of placed) draw?.();
  for (const target of byTarget.keys()) target.classList.add("filled");
  fade(groups);
  return placed.map(({ way }) => way);
}

/**
 * Fade pieces that are sent, and stacks of which nothing is left; a number on a piece is what is left.
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
  for (const [piece, count] of sent) {
    const figure = figureOf(piece);
    const all = figure?.textContent;
    if (!figure || !all || all !== piece.dataset.size) continue;
    figure.dataset.all = all;
    figure.textContent = String(Number(all) - count);
  }
}

/**
 * Return the number that is drawn on a piece.
 * @param {Element} piece
 */
const figureOf = (piece) => [...piece.querySelectorAll("text")].find((one) => /^\d+$/.test(one.textContent ?? ""));

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
 * Return the boxes of what copies must not cover: other counters, counts and texts.
 * @param {Piece[]} pieces some of those that are copied
 */
function whatIsRead([piece]) {
  const own = piece && boxOf(faceOf(piece));
  const counters = queryAll("#board .board :is([data-key], [data-stack])").filter(isVisible).map(boxOf);
  const texts = queryAll("#board .board :is(text:not(.bd-vacant), .bd-badge)").filter(isVisible).map(boxOf);
  return [...counters.filter((box) => own && isAlike(box, own)), ...texts];
}

/**
 * Return how to lay groups side by side on the target that they share.
 * @param {Group[]} groups
 * @param {Box[]} taken what they must not cover; what they cover is added
 * @returns {{way: [from: Point, to: Point], draw?: () => void}[]} without drawings if there is no room for them
 */
function placesOn(groups, taken) {
  const [first] = groups;
  const source = first?.pieces[0] && faceOf(first.pieces[0]);
  if (!first || !source) return [];
  const block = layOut(first.target, boxOf(source), groups.length, taken);
  return groups.flatMap((group, at) => {
    const [to, [piece], from] = [block?.middles[at], group.pieces, centerOf(boundsOf(group.pieces))];
    if (!block || !to) return [{ way: [from, edgeOf(boxOf(group.target), from)] }];
    const draw = piece && drawingOf(group, faceOf(piece), to, block.scale);
    return draw ? [{ way: [from, to], draw }] : [];
  });
}

/**
 * Return the middles and the scale of copies, as large as they can be where they cover nothing and are on the board; null
 * if there is no such place.
 * @param {Piece} target
 * @param {Box} piece
 * @param {number} count
 * @param {Box[]} taken
 */
function layOut(target, piece, count, taken) {
  const box = boxOf(target);
  const svg = target.ownerSVGElement;
  if (!svg || target.matches(NAMED)) return null;
  const board = boxOf(outermost(svg));
  const least = piece.width < LEAST ? 1 : SHRUNK;
  const isSmall = box.width < piece.width * SMALL && box.height < piece.height * SMALL;
  if ((isSmall && target.matches(".piece")) || target.querySelector(COUNTER))
    return layNextTo(box, piece, count, taken, least, board);
  const most = Math.min(1, Math.max(least, box.height / piece.height));
  const near = intersection(around(box, piece.width, piece.height), board);
  for (const frame of [box, near]) {
    for (const scale of SCALES) {
      const block = freeBlock(
        piece,
        count,
        scale * most,
        frame,
        taken,
        (spot) => frame === near || isOver(target, spot),
      );
      if (!block) continue;
      taken.push(block.box);
      return { middles: block.middles, scale: scale * most };
    }
  }
  return null;
}

/**
 * Return the middles and the scale of copies next to a small target, in its area of the board and farther from all else.
 * @param {Box} box the target's
 * @param {Box} piece
 * @param {number} count
 * @param {Box[]} taken
 * @param {number} most the largest scale
 * @param {Box} board
 */
function layNextTo(box, piece, count, taken, most, board) {
  const places = queryAll("#board .board [data-place]").filter(isVisible).map(boxOf);
  const { x, y } = centerOf(box);
  const [area = board] = places.filter((place) => bySize(box, place) < 0 && contains(place, x, y)).sort(bySize);
  const frame = intersection(around(box, piece.width * WITHIN, piece.height * WITHIN), intersection(area, board));
  const pieces = queryAll("#board .board [data-key]").filter(isVisible).map(boxOf);
  const others = pieces.filter((other) => bySize(other, area) < 0 && !holds(other, box) && !holds(box, other));
  const isOwn = (/** @type {Box} */ block) => others.every((other) => gap(block, box) <= gap(block, other));
  for (const scale of SCALES) {
    for (const parts of PARTS.slice(0, count)) {
      const covered = [...taken, box, ...others];
      const blocks = Array.from({ length: parts }, (_, at) => {
        const block = freeBlock(piece, Math.floor((count + at) / parts), scale * most, frame, covered, isOwn, box);
        if (block) covered.push(block.box);
        return block;
      });
      if (!blocks.every((block) => block !== null)) continue;
      taken.push(...blocks.map((block) => block.box));
      return { middles: blocks.flatMap(({ middles }) => middles), scale: scale * most };
    }
  }
  return null;
}

/** Compare by area. @type {(one: Box, other: Box) => number} */
const bySize = (one, other) => one.width * one.height - other.width * other.height;

/**
 * Return where in a frame there is room for copies in rows; null if nowhere.
 * @param {Box} piece
 * @param {number} count
 * @param {number} scale
 * @param {Box} frame
 * @param {Box[]} taken
 * @param {(block: Box & Point) => boolean} isGood
 * @param {Box} [near] what they are near to
 */
function freeBlock(piece, count, scale, frame, taken, isGood, near = frame) {
  for (const rows of ROWS.slice(0, count)) {
    const { width, height, middles } = blockOf(piece, count, rows, scale);
    for (const { x, y } of freeSpots({ width, height }, frame, taken, centerOf(near))) {
      const box = { left: x - width / 2, top: y - height / 2, width, height };
      if (isGood({ ...box, x, y })) return { box, middles: middles({ x, y }) };
    }
  }
  return null;
}

/**
 * Return where a line from a point to the middle of a box meets its edge.
 * @param {Box} box
 * @param {Point} from
 */
function edgeOf(box, from) {
  const { x, y } = centerOf(box);
  const [dx, dy] = [from.x - x, from.y - y];
  const part = Math.min(1, box.width / 2 / Math.abs(dx), box.height / 2 / Math.abs(dy));
  return { x: x + dx * part, y: y + dy * part };
}

/**
 * Return the size of copies in rows, and what gives the middle of each around a point.
 * @param {Box} piece
 * @param {number} count
 * @param {number} rows
 * @param {number} scale
 */
function blockOf(piece, count, rows, scale) {
  const columns = Math.ceil(count / rows);
  const edge = piece.width * scale * EDGE;
  const [wide, high] = [piece.width * scale + edge, piece.height * scale + edge];
  const middles = (/** @type {Point} */ { x, y }) =>
    Array.from({ length: count }, (_, at) => ({
      x: x + ((at % columns) - (columns - 1) / 2) * wide - edge / 4,
      y: y + (Math.floor(at / columns) - (rows - 1) / 2) * high + edge / 4,
    }));
  return { width: columns * wide, height: rows * high, middles };
}

/**
 * Return whether a point lies on a target; one that the window does not show is taken to.
 * @param {Piece} target
 * @param {Point} point
 */
function isOver(target, { x, y }) {
  const elements = document.elementsFromPoint(x, y);
  return !elements.length || elements.some((element) => target.contains(element));
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
  const figure = figureOf(drawing);
  if (figure && group.pieces[0]?.dataset.size) figure.textContent = String(group.count);
  else if (group.count > 1) {
    const edge = box.width * scale * EDGE;
    const [right, top] = [to.x + (box.width * scale + edge) / 2, to.y - (box.height * scale + edge) / 2];
    const corner = new DOMPoint(right, top).matrixTransform(toChart);
    const label = element("g", { transform: `translate(${corner.x} ${corner.y}) scale(${toChart.a})` });
    const text = element("text", { class: "bd-copies", y: 11.2 });
    text.textContent = `×${group.count}`;
    const width = COUNT.edge + COUNT.letter * text.textContent.length;
    text.setAttribute("x", String(-width / 2));
    label.append(element("rect", { class: "bd-badge", x: -width, width, rx: 4, height: COUNT.height }), text);
    copy.append(label);
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
