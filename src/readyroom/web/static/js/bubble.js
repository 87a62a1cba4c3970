/** Where a bubble goes: next to what it is about, within the view, over as little of that as possible. */

import { overlap } from "./placing.js";

/**
 * @typedef {import("./placing.js").Box} Box
 * @typedef {import("./placing.js").Size} Size
 * @typedef {"right" | "left" | "below" | "above" | "none"} Side
 */

const GAP = 12; // pixels between a bubble and what it points at
const MARGIN = 8; // pixels to the edge of the view
const CORNER = 16; // pixels from a corner of the bubble to its arrow

const clamp = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) =>
  Math.max(least, Math.min(value, most));

/**
 * Return the box around boxes.
 * @param {Box[]} boxes
 * @returns {Box}
 */
function around(boxes) {
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const right = Math.max(...boxes.map((box) => box.left + box.width));
  const bottom = Math.max(...boxes.map((box) => box.top + box.height));
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * Return the position of a bubble, the side of the targets on which it is, and how far its arrow is from its left or top
 * edge. Without a target it is at the bottom of the view, without an arrow.
 * @param {object} place
 * @param {Size} place.size of the bubble
 * @param {Box[]} place.targets what it points at
 * @param {Box[]} place.avoided what it should not cover either
 * @param {Box} place.view
 * @returns {{left: number, top: number, side: Side, arrow: number}}
 */
export function placeBubble({ size: { width, height }, targets, avoided, view }) {
  const least = { left: view.left + MARGIN, top: view.top + MARGIN };
  const most = { left: view.left + view.width - width - MARGIN, top: view.top + view.height - height - MARGIN };
  const fit = (/** @type {number} */ left, /** @type {number} */ top) => ({
    left: Math.round(clamp(left, least.left, Math.max(least.left, most.left))),
    top: Math.round(clamp(top, least.top, Math.max(least.top, most.top))),
  });
  if (!targets.length) return { ...fit(view.left + (view.width - width) / 2, most.top), side: "none", arrow: 0 };
  const box = around(targets);
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  /** @type {[Side, number, number][]} */
  const places = [
    ["right", box.left + box.width + GAP, y - height / 2],
    ["left", box.left - GAP - width, y - height / 2],
    ["below", x - width / 2, box.top + box.height + GAP],
    ["above", x - width / 2, box.top - GAP - height],
  ];
  const tried = places.map(([side, wantedLeft, wantedTop]) => {
    const place = fit(wantedLeft, wantedTop);
    const own = { ...place, width, height };
    return { place, side, covered: [...targets, ...avoided].reduce((sum, other) => sum + overlap(own, other), 0) };
  });
  const fewest = Math.min(...tried.map(({ covered }) => covered));
  const { place, side } = /** @type {(typeof tried)[0]} */ (tried.find(({ covered }) => covered === fewest));
  const isBeside = side === "right" || side === "left";
  const arrow = isBeside
    ? clamp(y - place.top, CORNER, height - CORNER)
    : clamp(x - place.left, CORNER, width - CORNER);
  return { ...place, side: fewest > 0 ? "none" : side, arrow: Math.round(arrow) };
}
