import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.location = { href: "http://here/m/1", origin: "http://here" };
const { helpAddress } = await import("../../src/readyroom/web/static/js/help.js");
const { placeBubble } = await import("../../src/readyroom/web/static/js/bubble.js");
const { overlap } = await import("../../src/readyroom/web/static/js/placing.js");

const box = (left, top, width, height) => ({ left, top, width, height });
const view = box(0, 0, 1000, 700);
const size = { width: 300, height: 200 };

test("helpAddress knows rules, terms and charts of games here", () => {
  assert.equal(helpAddress("/games/midway/rules#12.4"), "/games/midway/help/12.4");
  assert.equal(helpAddress("/games/pearl/rules#word-magic"), "/games/pearl/help/word-magic");
  assert.equal(helpAddress("http://here/games/midway/charts#search"), "/games/midway/help/chart-search");
  assert.equal(helpAddress("/games/midway/rules"), null);
  assert.equal(helpAddress("/games/midway/odds#search"), null);
  assert.equal(helpAddress("http://elsewhere/games/midway/rules#12.4"), null);
});

test("a bubble is next to what it points at, and its arrow points there", () => {
  const piece = box(100, 300, 40, 40);
  const { left, top, side, arrow } = placeBubble({ size, targets: [piece], avoided: [], view });
  assert.equal(side, "right");
  assert.equal(left, 152);
  assert.equal(top + arrow, 320);
});

test("a bubble covers neither its pieces nor the decision", () => {
  const targets = [box(600, 100, 60, 60), box(600, 560, 60, 60)];
  const avoided = [box(680, 0, 320, 700)];
  const { left, top, side } = placeBubble({ size, targets, avoided, view });
  assert.equal(side, "left");
  const own = box(left, top, size.width, size.height);
  assert.equal(
    [...targets, ...avoided].reduce((sum, one) => sum + overlap(own, one), 0),
    0,
  );
});

test("a bubble stays in view, without an arrow where it has to cover something", () => {
  const { left, top, side } = placeBubble({ size, targets: [view], avoided: [], view });
  assert.equal(side, "none");
  assert.ok(left >= 0 && top >= 0 && left + size.width <= 1000 && top + size.height <= 700);
  assert.equal(placeBubble({ size, targets: [], avoided: [], view }).side, "none");
});

test("a bubble covers as few choices as possible, and never the decision", () => {
  const choices = [0, 1, 2, 3, 4].flatMap((row) =>
    [0, 1, 2, 3].map((column) => box(column * 170, 80 + row * 100, 160, 90)),
  );
  const card = box(700, 0, 300, 400);
  const covers = (/** @type {any} */ { left, top }, /** @type {any[]} */ boxes) =>
    boxes.reduce((sum, one) => sum + overlap(box(left, top, size.width, size.height), one), 0);
  const next = placeBubble({ size, targets: [card], avoided: [], spared: choices, view });
  assert.equal(covers(next, [...choices, card]), 0);
  assert.equal(next.side, "below");
  const sheet = box(0, 0, 1000, 420);
  const low = placeBubble({ size, targets: [], avoided: [], spared: choices.slice(8), view: sheet });
  assert.equal(covers(low, choices.slice(8)), 0);
});
