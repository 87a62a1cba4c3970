import assert from "node:assert/strict";
import { test } from "node:test";
import { ARROWS, nearest } from "../../src/readyroom/web/static/js/board.js";
import { shapeFor } from "../../src/readyroom/web/static/js/chart.js";
import { collapse, splitKeys } from "../../src/readyroom/web/static/js/dom.js";
import { matches } from "../../src/readyroom/web/static/js/find.js";
import { analyzedDecision } from "../../src/readyroom/web/static/js/hints.js";
import { revisionIn } from "../../src/readyroom/web/static/js/live.js";
import { describeError, supportsPasskeys } from "../../src/readyroom/web/static/js/passkeys.js";
import { mostWithin, summarizeNews, topFor } from "../../src/readyroom/web/static/js/swap.js";
import { timeFormat } from "../../src/readyroom/web/static/js/dom.js";

test("nearest prefers what is straight ahead", () => {
  const points = [
    [-5, 0],
    [30, 0],
    [10, 15],
    [0, 9],
  ];
  assert.equal(nearest([0, 0], points, ARROWS.ArrowRight), 1);
  assert.equal(nearest([0, 0], points, ARROWS.ArrowDown), 3);
  assert.equal(nearest([0, 0], points, ARROWS.ArrowUp), -1);
});

test("shapeFor keeps a chart a little longer", () => {
  assert.equal(shapeFor(0), "");
  assert.equal(shapeFor(560), "narrow");
  assert.equal(shapeFor(570), "medium");
  assert.equal(shapeFor(570, "narrow"), "narrow");
  assert.equal(shapeFor(581, "narrow"), "medium");
  assert.equal(shapeFor(847), "medium");
  assert.equal(shapeFor(848), "wide");
  assert.equal(shapeFor(860, "medium"), "medium");
});

test("collapse and splitKeys ignore extra white space", () => {
  assert.equal(collapse("  one\n  two "), "one two");
  assert.deepEqual(splitKeys(" a  b "), ["a", "b"]);
  assert.deepEqual(splitKeys(undefined), []);
});

test("revisionIn reads the revision of a table", () => {
  assert.equal(revisionIn('<header data-revision="12" data-lines="3">'), 12);
  assert.equal(revisionIn("<p>Bad request</p>"), -1);
});

test("analyzedDecision reads the decision of an analysis", () => {
  assert.equal(analyzedDecision('<section class="analysis" data-for="usa 12">'), "usa 12");
  assert.equal(analyzedDecision("<p>Too many requests</p>"), undefined);
});

test("summarizeNews counts all but the newest lines", () => {
  assert.deepEqual(summarizeNews(["a", "b"]), ["a", "b"]);
  assert.deepEqual(summarizeNews(["a", "b", "c", "d"]), ["1 more log line.", "b", "c", "d"]);
  assert.deepEqual(summarizeNews(["a", "b", "c", "d", "e"]), ["2 more log lines.", "c", "d", "e"]);
});

test("timeFormat adds the day to times of other days", () => {
  const noon = new Date(2026, 5, 4, 12);
  assert.equal(timeFormat(new Date(2026, 5, 4, 9), noon).day, undefined);
  assert.equal(timeFormat(new Date(2026, 5, 3, 9), noon).day, "numeric");
});

test("describeError is silent about what the user has cancelled", () => {
  assert.equal(supportsPasskeys(), false);
  assert.equal(describeError(new DOMException("", "NotAllowedError")), "");
  assert.match(describeError(new DOMException("", "InvalidStateError")), /has a passkey/);
  for (const error of [new Error("403"), new DOMException("", "SecurityError"), null]) {
    assert.match(describeError(error), /could not be used/);
  }
});

test("the search of a list ignores case and accents, and takes words in any order", () => {
  assert.ok(matches("Sōryū (carrier, size 4)", "SORYU"));
  assert.ok(matches("Destroyer 2 at berth 5", "5 destr"));
  assert.ok(!matches("Destroyer 2 at berth 5", "destroyer 7"));
  assert.ok(matches("Phelps", "  "));
});

test("the page scrolls to what can be chosen, and to its targets as far as there is room", () => {
  assert.equal(topFor([100, 200], [0, 400], 500), 0);
  assert.equal(topFor([700, 800], [500, 900], 500), 450, "all of it, in the middle");
  assert.equal(topFor([700, 800], [-200, 800], 500), 300, "the choices at the lower end, targets above them");
  assert.equal(topFor([700, 800], [700, 1500], 500), 700, "the choices at the upper end, targets below them");
});

test("of choices that do not fit together, the most are shown", () => {
  const piece = (top, bottom) => ({ getBoundingClientRect: () => ({ top, bottom }) });
  const [button, target, bomber, large] = [piece(0, 40), piece(520, 560), piece(530, 650), piece(0, 900)];
  assert.deepEqual(mostWithin([button, target, bomber], 400), [target, bomber]);
  assert.deepEqual(mostWithin([button, target], 400), [button]);
  assert.deepEqual(mostWithin([large], 400), [large]);
});
