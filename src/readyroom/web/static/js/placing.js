/**
 * Where something goes next to a piece, so that it covers as little as possible of what one aims at.
 *
 * @typedef {{width: number, height: number}} Size
 * @typedef {Size & {left: number, top: number, weight?: number}} Box how often it counts where it is covered: once
 * @typedef {{left: number, top: number}} Place
 * @typedef {{x: number, y: number}} Point
 */

const STEP = 4; // pixels between spots that are tried
const HEAD = 11; // pixels of an arrow's head
const GAP = 10; // pixels from the piece
const FINE = 16; // pixels between places farther away
const RINGS = [1, 2]; // distances that are tried, in gaps
const ALIKE = 4; // times the area of another box: more is another kind of thing
const SAME = 0.25; // of the size of a piece: the difference of another of its kind
const TINY = 1e-6;
const FAR = 0.02; // what a pixel of distance costs
const MIDDLE = 0.57; // of the height of a counter, between its name and its strength
const OUTSIDE = 50; // what is outside the frame costs this many times what is covered

/**
 * Return the area that two boxes have in common.
 * @param {Box} one
 * @param {Box} other
 */
export function overlap(one, other) {
  const { width, height } = intersection(one, other);
  return Math.max(0, width) * Math.max(0, height);
}

/**
 * Return how many boxes a box covers, with parts of them: of a small one it covers more than of a large one.
 * @param {Box} box
 * @param {Box[]} others
 * @param {Size} [whole] what they are parts of, by default themselves
 */
export const covered = (box, others, whole) =>
  others.reduce((sum, other) => {
    const { width, height } = whole ?? other;
    return sum + ((other.weight ?? 1) * overlap(box, other)) / (width * height || 1);
  }, 0);

/**
 * Return whether two boxes are of like size, as those of two pieces, but not those of a piece and a place.
 * @param {Size} one
 * @param {Size} other
 */
export function isAlike(one, other) {
  const [area, size] = [one.width * one.height, other.width * other.height];
  return size < area * ALIKE && area < size * ALIKE;
}

/** @type {(one: Size, other: Size) => boolean} */
const isSameSize = (one, other) =>
  Math.abs(one.width - other.width) <= SAME * one.width && Math.abs(one.height - other.height) <= SAME * one.height;

/**
 * Return whether a point is in a box.
 * @param {Box} box
 * @param {number} x
 * @param {number} y
 */
export function contains({ left, top, width, height }, x, y) {
  return x >= left && x <= left + width && y >= top && y <= top + height;
}

/**
 * Return a box with an edge around it.
 * @param {Box} box
 * @param {number} wide
 * @param {number} high
 * @returns {Box}
 */
export function around({ left, top, width, height }, wide, high) {
  return { left: left - wide, top: top - high, width: width + 2 * wide, height: height + 2 * high };
}

/**
 * Return whether a box holds all of another.
 * @param {Box} box
 * @param {Box} other
 */
export const holds = (box, { left, top, width, height }) =>
  contains(box, left, top) && contains(box, left + width, top + height);

/**
 * Return the intersection of two boxes; a side is negative where they are apart.
 * @param {Box} one
 * @param {Box} other
 * @returns {Box}
 */
export function intersection(one, other) {
  const [left, top] = [Math.max(one.left, other.left), Math.max(one.top, other.top)];
  const right = Math.min(one.left + one.width, other.left + other.width);
  const bottom = Math.min(one.top + one.height, other.top + other.height);
  return { left, top, width: right - left, height: bottom - top };
}

/**
 * Return how far apart two boxes are.
 * @param {Box} one
 * @param {Box} other
 */
export function gap(one, other) {
  const { width, height } = intersection(one, other);
  return Math.hypot(Math.min(0, width), Math.min(0, height));
}

/**
 * Return where in a frame the middle of something can be that covers nothing that is taken, the nearest to a point first.
 * @param {Size} size
 * @param {Box} frame
 * @param {Box[]} taken
 * @param {Point} near
 * @returns {Point[]}
 */
export function freeSpots({ width, height }, frame, taken, near) {
  const inside = taken.filter((box) => overlap(box, frame));
  /** @type {Point[]} */
  const spots = [];
  for (let top = frame.top; top <= frame.top + frame.height - height; top += STEP)
    for (let left = frame.left; left <= frame.left + frame.width - width; left += STEP)
      if (!inside.some((box) => overlap(box, { left, top, width, height })))
        spots.push({ x: left + width / 2, y: top + height / 2 });
  const far = (/** @type {Point} */ spot) => Math.hypot(spot.x - near.x, spot.y - near.y);
  return spots.sort((one, other) => far(one) - far(other));
}

/**
 * Return the box around a path from one corner to another.
 * @param {number} x
 * @param {number} y
 * @param {number} toX
 * @param {number} toY
 * @returns {Box}
 */
export function boxBetween(x, y, toX, toY) {
  return { left: Math.min(x, toX), top: Math.min(y, toY), width: Math.abs(toX - x), height: Math.abs(toY - y) };
}

/**
 * Return where a box goes next to an anchor: within the frame, over as little as possible of what is to be avoided, and
 * near. To the right is preferred, then to the left, above and below.
 * @param {Size} size
 * @param {Box} anchor
 * @param {Box} frame
 * @param {Box[]} [avoid]
 * @param {boolean} [isFree] whether it may be far from the anchor
 * @returns {Place}
 */
export function placeNextTo(size, anchor, frame, avoid = [], isFree = false) {
  const taken = [anchor, ...avoid];
  let best = { left: anchor.left, top: anchor.top };
  let least = Number.POSITIVE_INFINITY;
  for (const place of candidates(size, anchor, frame, isFree)) {
    const box = { ...place, ...size };
    const far = FAR * gap(box, anchor);
    const cost = OUTSIDE * (1 - covered(box, [frame], box)) + covered(box, taken) + far;
    if (cost < least - TINY) [best, least] = [place, cost];
    if (least < FAR * GAP + TINY) break;
  }
  return best;
}

/**
 * Return where counts go at a corner of their pieces, partly over them and within the frame: where they cover the least of what
 * is read and of other pieces; like pieces have their own at the same corner, if they cover no more there.
 * @param {Size[]} sizes
 * @param {Box[]} pieces
 * @param {number} over how many pixels of a count's height are over its piece, and half as many of its width
 * @param {Box} frame
 * @param {Box[]} read texts and strengths
 * @param {Box[]} all the pieces of the board
 * @returns {Place[]}
 */
export function cornerPlaces(sizes, pieces, over, frame, read, all) {
  const choices = pieces.map((piece, at) => {
    const size = sizes[at] ?? { width: 0, height: 0 };
    const isOwn = (/** @type {Box} */ box) =>
      isAlike(box, piece) && contains(piece, box.left + box.width / 2, box.top + box.height / 2);
    const others = all.filter((box) => !holds(box, piece) && !isOwn(box));
    const taken = [...read, ...others];
    return cornersOf(size, piece, over, frame).map((place) => ({ place, cost: covered({ ...place, ...size }, taken) }));
  });
  return pieces.map((piece, at) => {
    const own = choices[at] ?? [];
    const alike = choices.filter((_, other) => isSameSize(piece, pieces[other] ?? piece));
    const total = (/** @type {number} */ corner) => alike.reduce((sum, each) => sum + (each[corner]?.cost ?? 0), 0);
    const least = Math.min(...own.map(({ cost }) => cost)) + TINY;
    const corners = own.map((_, corner) => corner).filter((corner) => (own[corner]?.cost ?? 0) <= least);
    const best = corners.reduce((one, other) => (total(other) < total(one) - TINY ? other : one));
    return own[best]?.place ?? { left: 0, top: 0 };
  });
}

/**
 * Return the places of a count at the corners of its piece, the best first.
 * @param {Size} size
 * @param {Box} piece
 * @param {number} over
 * @param {Box} frame
 * @returns {Place[]}
 */
function cornersOf(size, { left, top, width, height }, over, frame) {
  const [after, before, below] = [left + width - over / 2, left + over / 2 - size.width, top + height - over];
  const inside = [left - over, top - over]; // of a point: at the lower edge of its pile
  const corners = !width
    ? [inside]
    : [
        [after, top - over],
        [left, top + height - size.height],
        [left + width - size.width, top],
        [left - over / 2, top + height * MIDDLE - size.height / 2],
        [after, below],
        [before, below],
        [before, top - over],
      ];
  const clamp = (/** @type {number} */ x) => Math.max(frame.left, Math.min(x, frame.left + frame.width - size.width));
  return corners.map(([x = 0, y = 0]) => ({ left: clamp(x), top: y }));
}

/**
 * @param {Size} size
 * @param {Box} anchor
 * @param {Box} frame
 * @param {boolean} isFree
 * @returns {Generator<Place>}
 */
function* candidates({ width, height }, anchor, frame, isFree) {
  const clamp = (/** @type {number} */ value, /** @type {number} */ low, /** @type {number} */ high) =>
    Math.max(low, Math.min(value, high));
  const left = clamp(anchor.left + anchor.width / 2 - width / 2, frame.left, frame.left + frame.width - width);
  const top = clamp(anchor.top + anchor.height / 2 - height / 2, frame.top, frame.top + frame.height - height);
  for (const ring of RINGS) {
    const [right, bottom] = [anchor.left + anchor.width + GAP * ring, anchor.top + anchor.height + GAP * ring];
    const [before, above] = [anchor.left - width - GAP * ring, anchor.top - height - GAP * ring];
    yield { left: right, top };
    yield { left: before, top };
    yield { left, top: above };
    yield { left, top: bottom };
    for (const edge of [anchor.left, anchor.left + anchor.width - width]) {
      yield { left: edge, top: above };
      yield { left: edge, top: bottom };
    }
    yield { left: right, top: bottom };
    yield { left: before, top: bottom };
    yield { left: right, top: above };
    yield { left: before, top: above };
  }
  yield { left, top };
  for (let y = frame.top; isFree && y <= frame.top + frame.height - height; y += FINE)
    for (let x = frame.left; x <= frame.left + frame.width - width; x += FINE) yield { left: x, top: y };
}

/**
 * Return the path of an arrow, with its head, from one point of the window to another.
 * @param {Point} from
 * @param {Point} to
 */
export function arrowPath(from, to) {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [(dx / length) * HEAD, (dy / length) * HEAD];
  const spot = (/** @type {number} */ x, /** @type {number} */ y) => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const wing = (/** @type {number} */ side) => spot(to.x - ux - (side * uy) / 2, to.y - uy + (side * ux) / 2);
  return `M${spot(from.x, from.y)}L${spot(to.x, to.y)}M${wing(1)}L${spot(to.x, to.y)}L${wing(-1)}`;
}
