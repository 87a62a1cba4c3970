import assert from "node:assert/strict";
import { test } from "node:test";
import { flatten, shortResult } from "../../src/readyroom/web/static/js/playback/dice.js";
import { applyChanges, groupEvents, unfold } from "../../src/readyroom/web/static/js/playback/events.js";

/**
 * Return an event.
 * @param {Partial<import("../../src/readyroom/web/static/js/playback/stage.js").PlayedEvent>} [changes]
 */
function eventOf(changes) {
  const place = { turn: 1, phase: "launch", title: "Launch", rule: "1", target: "", moment: "" };
  return { ...place, text: "", rolls: [], keys: [], kind: "move", effect: "fly", frame: [], ...changes };
}

const ROLL = {
  name: "flak",
  sides: 6,
  rounds: [[{ face: 2, hit: false }]],
  result: "1d6, hit on 4+: 0 hits",
  side: null,
};

test("applyChanges replaces, removes and adds lines", () => {
  assert.deepEqual(applyChanges(["a", "b", "c"], []), ["a", "b", "c"]);
  const changes = [
    [0, 1, []],
    [1, 1, ["x", "y"]],
    [3, 0, ["d"]],
  ];
  assert.deepEqual(applyChanges(["a", "b", "c"], changes), ["x", "y", "c", "d"]);
});

test("unfold returns the drawing before and at each event", () => {
  const events = [eventOf({ frame: [[1, 1, ["B"]]] }), eventOf(), eventOf({ frame: [[0, 1, []]] })];
  const frames = unfold({ before: ["a", "b"], omitted: 0, events, colours: {} });
  assert.deepEqual(frames, ["a\nb", "a\nB", "a\nB", "B"]);
});

test("unfold makes the ids of the parts unique", () => {
  const before = ['<g id="pc-body"/><use href="#pc-body"/><use href="#other"/>'];
  const [frame] = unfold({ before, omitted: 0, events: [], colours: {} }, "usa-");
  assert.equal(frame, '<g id="usa-pc-body"/><use href="#usa-pc-body"/><use href="#other"/>');
});

test("groupEvents joins at most four events of one effect and phase", () => {
  const beats = groupEvents(Array.from({ length: 6 }, (_, at) => eventOf({ keys: [`piece-${at}`, "carrier"] })));
  assert.deepEqual(
    beats.map(({ lines }) => lines.length),
    [4, 2],
  );
  assert.deepEqual(beats[1]?.keys, ["piece-4", "carrier", "piece-5"]);
});

const APART = [
  ["another effect", { effect: "land" }],
  ["another phase", { phase: "combat" }],
  ["another turn", { turn: 2 }],
  ["dice", { rolls: [ROLL] }],
  ["a big moment", { moment: "Akagi sunk" }],
  ["another kind", { kind: "hit" }],
];
for (const [name, changes] of APART) {
  test(`groupEvents keeps ${name} apart`, () => {
    assert.equal(groupEvents([eventOf(), eventOf(changes)]).length, 2);
    assert.equal(groupEvents([eventOf(changes), eventOf()]).length, 2);
  });
}

test("groupEvents keeps rolls and phases apart from their like", () => {
  for (const kind of ["roll", "phase", "note", "sink", ""]) {
    assert.equal(groupEvents([eventOf({ kind }), eventOf({ kind })]).length, 2, kind);
  }
});

test("groupEvents joins rolls of an effect that shows several at once, up to a moment", () => {
  const roll = { kind: "roll", effect: "rounds", rolls: [ROLL] };
  const events = [roll, { ...roll, kind: "reveal", rolls: [] }, roll, { ...roll, moment: "Sunk" }, roll].map(eventOf);
  const beats = groupEvents(events, new Set(["rounds"]));
  assert.deepEqual(
    beats.map(({ lines, rolls }) => [lines.length, rolls.length]),
    [
      [3, 2],
      [1, 1],
      [1, 1],
    ],
  );
  assert.equal(groupEvents(events).length, 5);
});

test("the panel shows rounds apart and the result without the dice", () => {
  const [one, two] = [
    { face: 6, hit: true },
    { face: 1, hit: false },
  ];
  assert.deepEqual(flatten({ ...ROLL, rounds: [[one, two], [two]] }), [one, two, null, two]);
  assert.equal(shortResult(ROLL), "0 hits");
  assert.equal(shortResult({ ...ROLL, result: "7" }), "7");
});

test("groupEvents joins as many events of an effect as it can show", () => {
  const roll = eventOf({ kind: "roll", effect: "flak", rolls: [ROLL] });
  const beats = groupEvents(
    Array.from({ length: 5 }, () => roll),
    new Map([["flak", 2]]),
  );
  assert.deepEqual(
    beats.map(({ lines }) => lines.length),
    [2, 2, 1],
  );
});
