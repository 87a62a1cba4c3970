/** Where a bubble goes: next to what it is about, within the view, over nothing of that and few of the choices. */

import { covered } from "./placing.js";

/**
 * @typedef {import("./placing.js").Box} Box
 * @typedef {import("./placing.js").Size} Size
 * @typedef {"right" | "left" | "below" | "above" | "none"} Side
 */

const GAP = 12; // pixels between a bubble and what it points at
const MARGIN = 8; // pixels to the edge of the view
const CORNER = 16; // pixels from a corner of the bubble to its arrow
const STEPS = 12; // columns and rows of places that are tried
const KEPT = 1e6; // pixels of distance that are better than to cover what must be seen
const SPARED = 240; // and one of the others

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
 * edge. Without a target it is at the bottom of the view, or where it covers less, without an arrow.
 * @param {object} place
 * @param {Size} place.size of the bubble
 * @param {Box[]} place.targets what it points at
 * @param {Box[]} place.avoided what it should not cover either
 * @param {Box[]} [place.spared] what it should cover as little of as possible
 * @param {Box} place.view
 * @returns {{left: number, top: number, side: Side, arrow: number}}
 */
export function placeBubble({ size: { width, height }, targets, avoided, spared = [], view }) {
  const least = { left: view.left + MARGIN, top: view.top + MARGIN };
  const most = { left: view.left + view.width - width - MARGIN, top: view.top + view.height - height - MARGIN };
  const fit = (/** @type {number} */ left, /** @type {number} */ top) => ({
    left: Math.round(clamp(left, least.left, Math.max(least.left, most.left))),
    top: Math.round(clamp(top, least.top, Math.max(least.top, most.top))),
  });
  const foot = fit(view.left + (view.width - width) / 2, most.top);
  const box = targets.length ? around(targets) : { ...foot, width, height };
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
  const places = [
    fit(box.left + box.width + GAP, y - height / 2),
    fit(box.left - GAP - width, y - height / 2),
    fit(x - width / 2, box.top + box.height + GAP),
    fit(x - width / 2, box.top - GAP - height),
  ];
  for (let at = 0; at < STEPS ** 2; at += 1) {
    const [right, down] = [(at % STEPS) / (STEPS - 1), Math.floor(at / STEPS) / (STEPS - 1)];
    places.push(fit(least.left + right * (most.left - least.left), least.top + down * (most.top - least.top)));
  }
  const kept = [...targets, ...avoided];
  const cost = (/** @type {{left: number, top: number}} */ place) => {
    const [across, down] = gapsTo(box, { ...place, width, height }).map((gap) => Math.max(0, gap));
    const far = Math.abs(Math.hypot(across ?? 0, down ?? 0) - GAP);
    return (
      KEPT * covered({ ...place, width, height }, kept) + SPARED * covered({ ...place, width, height }, spared) + far
    );
  };
  const place = (targets.length ? places : [foot, ...places]).reduce((best, one) =>
    cost(one) < cost(best) ? one : best,
  );
  return { ...place, ...pointerOf(place) };

  /** @param {{left: number, top: number}} place */
  function pointerOf({ left, top }) {
    const [across = 0, down = 0] = gapsTo(box, { left, top, width, height });
    const isFar = Math.max(across, down) > 2 * GAP || Math.min(across, down) > -CORNER;
    if (!targets.length || isFar || covered({ left, top, width, height }, kept) > 0)
      return { side: /** @type {Side} */ ("none"), arrow: 0 };
    const isBeside = across > down;
    const side = /** @type {Side} */ (isBeside ? (left > x ? "right" : "left") : top > y ? "below" : "above");
    const arrow = isBeside ? clamp(y - top, CORNER, height - CORNER) : clamp(x - left, CORNER, width - CORNER);
    return { side, arrow: Math.round(arrow) };
  }
}

/**
 * Return the gaps between two boxes across and down; negative where they overlap.
 * @param {Box} one
 * @param {Box} other
 */
function gapsTo(one, other) {
  return [
    Math.max(other.left - one.left - one.width, one.left - other.left - other.width),
    Math.max(other.top - one.top - one.height, one.top - other.top - other.height),
  ];
}
