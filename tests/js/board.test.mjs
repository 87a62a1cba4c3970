import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrowPath,
  boxBetween,
  cornerPlaces,
  overlap,
  placeNextTo,
} from "../../src/readyroom/web/static/js/placing.js";
import * as selection from "../../src/readyroom/web/static/js/selection.js";
import { stackedWith } from "../../src/readyroom/web/static/js/stacks.js";
import { accepted, carried, common } from "../../src/readyroom/web/static/js/targets.js";
import { limitZoom, scrollAfter } from "../../src/readyroom/web/static/js/zoom.js";

/**
 * @typedef {import("../../src/readyroom/web/static/js/placing.js").Box} Box
 * @typedef {import("../../src/readyroom/web/static/js/targets.js").Role} Role
 */

/**
 * @param {Partial<Role>} role
 * @returns {Role}
 */
const role = (role) => ({ own: "", among: [], sweep: [], isAbout: false, ...role });

/**
 * @param {number} left
 * @param {number} top
 * @param {number} width
 * @param {number} height
 * @returns {Box}
 */
const box = (left, top, width, height) => ({ left, top, width, height });

// -- which options a drop selects --

const PAIRS = new Set(["gun-1-val", "gun-1-kate", "gun-2-val"]);
const GUN = role({ own: "gun-1", among: ["gun-1-val", "gun-1-kate", "gun-1-gone"] });
const VAL = role({ own: "val", sweep: ["gun-1-val", "gun-2-val"] });

test("a piece that is an option and sends itself somewhere is carried once", () => {
  const fighter = role({ own: "f-1", among: ["f-1"] });
  assert.deepEqual(carried(fighter, new Set(["f-1"])), ["f-1"]);
  assert.deepEqual(common(fighter, role({ own: "enterprise", sweep: ["f-1"] }), new Set(["f-1"])), ["f-1"]);
});

test("a drop selects what piece and target have in common", () => {
  assert.deepEqual(common(GUN, VAL, PAIRS), ["gun-1-val"]);
  assert.deepEqual(common(GUN, role({ own: "zero" }), PAIRS), []);
  assert.deepEqual(common(GUN, GUN, PAIRS), []);
});

test("only options of the decision count", () => {
  assert.deepEqual(carried(GUN, PAIRS), ["gun-1-val", "gun-1-kate"]);
  assert.deepEqual(accepted(VAL, new Set(["gun-2-val"])), ["gun-2-val"]);
});

test("a piece that lists places goes to them", () => {
  const known = new Set(["akagi", "kaga"]);
  assert.deepEqual(common(role({ own: "sq-1", among: ["akagi", "kaga"] }), role({ own: "kaga" }), known), ["kaga"]);
});

test("what the question is about goes to every option, and every option to it", () => {
  const known = new Set(["west", "east"]);
  const flight = role({ own: "flight-1", isAbout: true });
  const space = role({ own: "west" });
  assert.deepEqual(common(flight, space, known), ["west"]);
  assert.deepEqual(common(space, flight, known), ["west"]);
  assert.deepEqual(common(flight, role({ own: "flight-2", isAbout: true }), known), []);
  assert.deepEqual(common(flight, role({ own: "sea" }), known), []);
});

// -- counts --

/**
 * @param {Partial<selection.Selection>} changes
 * @param {Partial<selection.Option>[]} options
 * @returns {selection.Selection}
 */
function selectionOf(changes, options) {
  const defaults = { text: "", count: 0, limit: 1, cost: 0, purse: "" };
  const full = options.map((option) => ({ key: "", ...defaults, ...option }));
  return { kind: "some", least: 0, most: 9, budget: null, unit: "points", ...changes, options: full };
}

/** @param {Map<string, number>} counts */
const chosen = (counts) => Object.fromEntries([...counts].filter(([, count]) => count));

test("raise stays within limits, the most, and budgets", () => {
  const stack = [
    { key: "a", limit: 3 },
    { key: "b", limit: 2, count: 1 },
  ];
  assert.deepEqual(chosen(selection.raise(selectionOf({}, stack), ["a", "b"])), { a: 3, b: 2 });
  assert.deepEqual(chosen(selection.raise(selectionOf({ most: 3 }, stack), ["a"])), { a: 2 });
  assert.deepEqual(chosen(selection.raise(selectionOf({}, stack), ["a"], 1)), { a: 1 });
  const paid = [
    { key: "a", cost: 2, purse: "x", limit: 5 },
    { key: "b", cost: 2, purse: "x", limit: 5 },
    { key: "c", cost: 2, purse: "y", limit: 5 },
  ];
  assert.deepEqual(chosen(selection.raise(selectionOf({ budget: 5, most: 99 }, paid), ["a", "b", "c"])), {
    a: 2,
    c: 2,
  });
});

test("raise selects just one where one is asked for", () => {
  const now = selectionOf({ kind: "one", least: 1, most: 1 }, [{ key: "a", count: 1 }, { key: "b" }]);
  assert.deepEqual(
    [...selection.raise(now, ["b"])],
    [
      ["a", 0],
      ["b", 1],
    ],
  );
  assert.deepEqual([...selection.raise(now, [])], []);
});

test("lower takes the last ones first", () => {
  const now = selectionOf({}, [
    { key: "a", limit: 3, count: 2 },
    { key: "b", limit: 3, count: 1 },
  ]);
  assert.deepEqual(
    [...selection.lower(now, ["a", "b"], 2)],
    [
      ["b", 0],
      ["a", 1],
    ],
  );
  assert.deepEqual(chosen(selection.lower(now, ["a", "b"])), {});
});

test("assign sends a piece from one target to another", () => {
  const now = selectionOf({ most: 1 }, [{ key: "gun-1-val", count: 1 }, { key: "gun-1-kate" }]);
  assert.deepEqual(chosen(selection.assign(now, ["gun-1-val", "gun-1-kate"], ["gun-1-kate"])), { "gun-1-kate": 1 });
});

test("lasso selects each piece once, and deselects them if all are selected", () => {
  const now = selectionOf({ most: 3 }, [{ key: "a", limit: 4 }, { key: "b" }, { key: "c" }, { key: "d" }]);
  assert.deepEqual(chosen(selection.lasso(now, ["a", "b", "c", "d"])), { a: 1, b: 1, c: 1 });
  const all = selection.withCounts(
    now,
    new Map([
      ["a", 1],
      ["b", 1],
    ]),
  );
  assert.deepEqual(chosen(selection.lasso(all, ["a", "b"])), {});
  assert.deepEqual(chosen(selection.lasso(all, ["a", "c"])), { c: 1 });
});

test("a lasso around several selects none of them where one is asked for", () => {
  const now = selectionOf({ kind: "one", least: 1, most: 1 }, [{ key: "a" }, { key: "b" }]);
  assert.equal(selection.lasso(now, ["a", "b"]).size, 0);
  assert.deepEqual(chosen(selection.lasso(now, ["b"])), { b: 1 });
});

// -- where things go --

const WINDOW = box(0, 0, 1000, 600);

test("placeNextTo stays in the frame and off what is to be avoided", () => {
  const size = { width: 100, height: 40 };
  assert.deepEqual(placeNextTo(size, box(400, 300, 30, 30), WINDOW), { left: 440, top: 295 });
  for (const anchor of [box(0, 0, 30, 30), box(970, 570, 30, 30), box(970, 0, 30, 30), box(480, 0, 40, 600)]) {
    const place = { ...placeNextTo(size, anchor, WINDOW), ...size };
    assert.equal(overlap(place, WINDOW), 4000);
    assert.equal(overlap(place, anchor), 0);
  }
  const targets = [box(440, 200, 300, 200), box(250, 290, 140, 50)];
  const place = { ...placeNextTo(size, box(400, 300, 30, 30), WINDOW, targets), ...size };
  for (const target of targets) assert.equal(overlap(place, target), 0);
  const needed = { ...box(300, 150, 230, 330), weight: 1000 };
  const far = { ...placeNextTo(size, box(400, 300, 30, 30), WINDOW, [needed, ...targets], true), ...size };
  assert.equal(overlap(far, needed), 0);
});

test("boxBetween takes corners in any order", () => {
  assert.deepEqual(boxBetween(50, 10, 20, 40), box(20, 10, 30, 30));
});

test("arrowPath ends at its target", () => {
  assert.equal(arrowPath({ x: 0, y: 0 }, { x: 100, y: 0 }), "M0.0 0.0L100.0 0.0M89.0 5.5L100.0 0.0L89.0 -5.5");
  assert.doesNotMatch(arrowPath({ x: 5, y: 5 }, { x: 5, y: 5 }), /NaN/);
});

test("stackedWith finds what covers a piece, and no place below it", () => {
  const piece = box(0, 0, 30, 30);
  const others = [piece, box(8, 0, 30, 30), box(26, 0, 30, 30), box(-100, -100, 400, 400), box(300, 0, 30, 30)];
  assert.deepEqual(stackedWith(piece, others), [0, 1]);
});

// -- zoom --

test("zoom has limits, and a little is none", () => {
  assert.equal(limitZoom(0.3), 1);
  assert.equal(limitZoom(1.02), 1);
  assert.equal(limitZoom(1.5), 1.5);
  assert.equal(limitZoom(80), 5);
});

test("a zoom keeps the point under the pointer", () => {
  const [scroll, point, factor] = [120, 50, 2];
  const onBoard = scroll + point;
  assert.equal(scrollAfter(scroll, point, factor) + point, onBoard * factor);
  assert.equal(scrollAfter(0, 200, 1), 0);
});

test("counts are at the same corner of like pieces, and on the board", () => {
  const frame = { left: 0, top: 0, width: 200, height: 100 };
  const size = { width: 20, height: 20 };
  const pieces = [0, 45].map((left) => ({ left, top: 30, width: 44, height: 44 }));
  const text = { left: 40, top: 20, width: 10, height: 10 }; // where the first would have it, but for this text
  const [first, second] = cornerPlaces([size, size], pieces, 10, frame, [text], pieces);
  assert.deepEqual(second, { left: (first?.left ?? 0) + 45, top: first?.top });
  const [only] = cornerPlaces([size], [{ left: -8, top: 30, width: 0, height: 0 }], 10, frame, [], []);
  assert.equal(only?.left, 0);
});
