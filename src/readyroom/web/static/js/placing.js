/** Where a bubble goes: next to what it is about, within the view, over as little of that as possible. */

/**
 * @typedef {{left: number, top: number, right: number, bottom: number}} Box
 * @typedef {{width: number, height: number}} Size
 * @typedef {"right" | "left" | "below" | "above" | "none"} Side
 */

const GAP = 12; // pixels between a bubble and what it points at
const MARGIN = 8; // pixels to the edge of the view
const CORNER = 16; // pixels from a corner of the bubble to its arrow

const clamp = (/** @type {number} */ value, /** @type {number} */ least, /** @type {number} */ most) =>
  Math.max(least, Math.min(value, most));

/**
 * Return the area that two boxes share.
 * @param {Box} one
 * @param {Box} two
 */
export function overlap(one, two) {
  const width = Math.min(one.right, two.right) - Math.max(one.left, two.left);
  const height = Math.min(one.bottom, two.bottom) - Math.max(one.top, two.top);
  return Math.max(0, width) * Math.max(0, height);
}

/**
 * Return the box around boxes.
 * @param {Box[]} boxes
 * @returns {Box}
 */
function around(boxes) {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
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
  const most = { left: view.right - width - MARGIN, top: view.bottom - height - MARGIN };
  const fit = (/** @type {number} */ left, /** @type {number} */ top) => ({
    left: Math.round(clamp(left, view.left + MARGIN, Math.max(view.left + MARGIN, most.left))),
    top: Math.round(clamp(top, view.top + MARGIN, Math.max(view.top + MARGIN, most.top))),
  });
  if (!targets.length) return { ...fit((view.left + view.right - width) / 2, most.top), side: "none", arrow: 0 };
  const box = around(targets);
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
  /** @type {[Side, number, number][]} */
  const places = [
    ["right", box.right + GAP, y - height / 2],
    ["left", box.left - GAP - width, y - height / 2],
    ["below", x - width / 2, box.bottom + GAP],
    ["above", x - width / 2, box.top - GAP - height],
  ];
  let best = /** @type {{left: number, top: number, side: Side} | null} */ (null);
  let least = Number.POSITIVE_INFINITY;
  for (const [side, wantedLeft, wantedTop] of places) {
    const { left, top } = fit(wantedLeft, wantedTop);
    const own = { left, top, right: left + width, bottom: top + height };
    const covered = [...targets, ...avoided].reduce((sum, other) => sum + overlap(own, other), 0);
    if (covered < least) [best, least] = [{ left, top, side }, covered];
  }
  const { left, top, side } = best ?? { ...fit(x, y), side: /** @type {Side} */ ("none") };
  const isBeside = side === "right" || side === "left";
  const arrow = isBeside ? clamp(y - top, CORNER, height - CORNER) : clamp(x - left, CORNER, width - CORNER);
  return { left, top, side: least > 0 ? "none" : side, arrow: Math.round(arrow) };
}
