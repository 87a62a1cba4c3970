import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arranged,
  curve,
  effectSaid,
  readTable,
  scattered,
  wrapText,
} from "../../src/readyroom/games/strategic/tables/static/strategic.js";
import { groupEvents } from "../../src/readyroom/web/static/js/playback/events.js";
import {
  besideMap,
  labelScores,
  lossWords,
  noteOf,
  sumOf,
  resultOf,
  shorten,
  together,
} from "../../src/readyroom/games/strategic/war/static/effects.js";
import { forceSaid } from "../../src/readyroom/games/strategic/war/static/bombing.js";
import { battlesIn, lossesIn } from "../../src/readyroom/games/strategic/war/static/submarines.js";

const TABLE = "2;0,0,0/1;0,0/1,0/2;0/1,0/2,1/1";

test("readTable finds the row and the column of a roll", () => {
  const read = readTable(TABLE, "2d6 + 1 air range = 3, row 2: 0/1");
  assert.deepEqual(read?.cells, ["2", "3", "4+"]);
  assert.deepEqual(read?.rows, [{ label: "2", results: ["0", "0/1", "0/2"] }]);
  assert.equal(read?.column, 1);
});

test("readTable keeps to the first and last column", () => {
  assert.equal(readTable(TABLE, "2d6 − 4 = −2, row 1: 0")?.column, 0);
  assert.equal(readTable(TABLE, "2d6 + 4 = 14, row 1: 0/1")?.column, 2);
});

test("readTable shows each row of a strength beyond the table", () => {
  const read = readTable(TABLE, "2d6 = 4, row 3, row 3, row 1: 2/3");
  assert.deepEqual(
    read?.rows.map(({ label }) => label),
    ["3", "1"],
  );
});

test("readTable has nothing for rolls without a row", () => {
  assert.equal(readTable(TABLE, "1d6 = 4: hit"), null);
  assert.equal(readTable(TABLE, "2d6 = 4, no row: 0"), null);
  assert.equal(readTable(TABLE, "2d6 = 4, row 9: 0"), null);
  assert.equal(readTable("", "2d6 = 4, row 1: 0"), null);
});

test("a curve starts and ends at its points", () => {
  const points = curve({ x: 0, y: 0 }, { x: 100, y: 50 });
  assert.deepEqual(points[0], { x: 0, y: 0 });
  assert.deepEqual(points.at(-1), { x: 100, y: 50 });
});

test("scattered points are inside their box", () => {
  for (const { x, y } of scattered({ x: 10, y: 20, w: 8, h: 6 }, 9)) {
    assert.ok(Math.abs(x - 10) <= 4 && Math.abs(y - 20) <= 3);
  }
});

test("wrapText breaks at spaces, and keeps long words whole", () => {
  assert.deepEqual(wrapText("12 submarines sink 8 ships", 14), ["12 submarines", "sink 8 ships"]);
  assert.deepEqual(wrapText("interceptors", 5), ["interceptors"]);
});

test("a long result of dice is part of the text of its row", () => {
  const row = { rolls: [], text: "Research fails", side: "" };
  assert.deepEqual(arranged(row, "3/8"), { ...row, end: "3/8" });
  assert.deepEqual(arranged(row, "2+2 = 4 (needs 7), failed"), {
    ...row,
    text: "Research fails: 2+2 = 4 (needs 7), failed",
    end: "",
  });
});

test("effectSaid says what a result does", () => {
  const fired = "Japanese patrol fighters shoot down 1 squadron and turn back 1 (result 1/1).";
  assert.equal(effectSaid(fired), "shoot down 1 squadron and turn back 1");
  assert.equal(effectSaid("The guns have no effect (result 0)."), "have no effect");
  assert.equal(effectSaid("Japan's surprise roll is 2."), "");
});

const SAID = [
  [
    "Atlantic: 12 submarine factors sink 8 merchant and 3 escort factors (result 3/8).",
    "12 submarines sink 8 ships and 3 escorts",
  ],
  [
    "Atlantic: 9 escort factors sink 1 submarine factor and send 2 back to port for a turn (result 1/5).",
    "9 escorts sink 1 submarine and send 2 to port",
  ],
  ["Pacific, American: 1 submarine factor has no effect (result 0).", "1 submarine has no effect"],
  ["Indian Ocean, German: no escorts oppose the submarines.", "no escorts oppose the submarines"],
  [
    "8 bomber factors bomb Berlin: 2 of its 5 steps knocked out (result 2/3).",
    "8 bombers bomb Berlin: 2 of its 5 steps knocked out",
  ],
  ["Flak shoots down 2 bomber factors and damages 1 (result 2/1).", "Flak shoots down 2 bombers and damages 1"],
  ["The Allies' research on torpedoes fails.", "The Allies' research on torpedoes fails"],
];
for (const [text = "", words = ""] of SAID) {
  test(`shorten says: ${words}`, () => assert.equal(shorten(text), words));
}

const line = (/** @type {string} */ target, /** @type {number} */ dice, text = "") => ({
  ...{ turn: 1, phase: "", title: "", rule: "", keys: [], kind: "", effect: "rounds", moment: "", frame: [] },
  ...{ target, text, rolls: dice ? [{ name: "", sides: 6, rounds: [], result: "", side: null }] : [] },
});

test("the rounds of an ocean are one beat, and oceans follow each other", () => {
  const rounds = [line("hand-axis-ultra", 0), line("hand-allies-ultra", 0), line("atlantic", 1), line("atlantic", 1)];
  const more = [
    line("indian", 1),
    line("indian", 1),
    line("indian", 1),
    line("hand-axis-magic", 0),
    line("pacific", 1),
  ];
  assert.deepEqual(
    groupEvents([...rounds, ...more], together).map(({ lines }) => lines.map(({ target }) => target)),
    [
      ["hand-axis-ultra", "hand-allies-ultra", "atlantic", "atlantic"],
      ["indian", "indian", "indian"],
      ["hand-axis-magic", "pacific"],
    ],
  );
});

test("battlesIn puts cards, attack and answer of a round together", () => {
  const battles = battlesIn([
    line("hand-axis-ultra", 0, "The Axis plays a submarine card (Atlantic)."),
    line("atlantic", 1, "Atlantic: 12 submarine factors have no effect."),
    line("atlantic", 1, "Atlantic: 3 escort factors have no effect."),
    line("indian", 1, "Indian Ocean, German: 1 submarine factor has no effect."),
    line("indian", 1, "Indian Ocean, German: 1 escort factor has no effect."),
    line("indian", 1, "Indian Ocean, Japanese: 1 submarine factor has no effect."),
  ]);
  assert.deepEqual(
    battles.map(({ target, title, lines }) => [target, title, lines.map(({ at }) => at)]),
    [
      ["atlantic", "Atlantic", [0, 1, 2]],
      ["indian", "Indian Ocean, German", [3, 4]],
      ["indian", "Indian Ocean, Japanese", [5]],
    ],
  );
});

test("lossesIn counts what the lines of a round sink", () => {
  const texts = [
    "Atlantic: 15 submarine factors sink 8 merchant and 3 escort factors (result 3/8).",
    "Atlantic: 22 escort factors sink 5 submarine factors and send 5 back to port for a turn (result 5/10).",
  ];
  assert.deepEqual(lossesIn(texts), { merchants: 8, escorts: 3, submarines: 5 });
  const few = ["Atlantic: 1 submarine factor sinks 1 escort factor (result 1/0).", "Atlantic: no effect."];
  assert.deepEqual(lossesIn(few), { merchants: 0, escorts: 1, submarines: 0 });
});

test("lossWords says what became of the factors that a counter has lost", () => {
  const fought =
    "Atlantic: 22 escort factors sink 5 submarine factors and send 5 back to port for a turn (result 5/10).";
  assert.equal(lossWords(fought)(-10), "5 sunk, 5 back to port");
  assert.equal(
    lossWords("Atlantic: 12 submarine factors sink 8 merchant and 3 escort factors (result 3/8).")(-8),
    "8 sunk",
  );
  assert.equal(lossWords("Flak shoots down 1 bomber factor and damages 2 (result 1/2).")(-3), "1 lost, 2 damaged");
  assert.equal(lossWords("The raid shoots down 4 interceptor factors (result 4/4).")(-4), "4 lost");
});

test("noteOf says in two lines what a high sum does and what is added to the dice", () => {
  const does = (/** @type {number} */ count) => `sinks ${count} merchant and 2 escort factors`;
  const added =
    "− 2 escort carriers in the Atlantic + 2 the Axis controls Brest … + 1 defender's anti-submarine research";
  const need = `2 dice ${added}: a sum of 3 ${does(4)}; 8 ${does(6)}`;
  const { rolls, ...rest } = line(
    "atlantic",
    1,
    "Atlantic: 12 submarine factors sink 8 merchant factors (result 0/8).",
  );
  const note = noteOf({ ...rest, rolls: rolls.map((roll) => ({ ...roll, need })) });
  assert.deepEqual(note, ["12 submarines: a higher sum sinks more", "−2 carriers +2 Brest +1 anti-sub"]);
});

test("resultOf says what is sunk, without who sinks it", () => {
  const sunk = "Atlantic: 12 submarine factors sink 8 merchant and 3 escort factors (result 3/8).";
  assert.equal(resultOf(sunk), "8 merchant ships and 3 escorts sunk");
  const both =
    "Atlantic: 22 escort factors (both sides fire at once) sink 5 submarine factors and send 5 back to port for a turn (result 5/10).";
  assert.equal(resultOf(both), "5 submarines sunk, 5 back to port");
  assert.equal(
    resultOf("Atlantic: 1 submarine factor sinks 1 merchant factor and costs 2 resources (result 0/3)."),
    "1 merchant ship sunk, 2 resources lost",
  );
  assert.equal(resultOf("Atlantic: 1 submarine factor has no effect (result 0)."), "no effect");
  assert.equal(resultOf("Flak shoots down 2 bomber factors (result 2/0)."), "Flak shoots down 2 bombers");
  const met =
    "11 interceptor factors shoot down 2 bomber and 2 escort factors and turn back 6 bomber factors (result 4/6).";
  assert.equal(resultOf(met), "2 bombers and 2 escorts shot down, 6 bombers turned back");
  assert.equal(resultOf("The raid shoots down 4 interceptor factors (result 4/4)."), "4 interceptors shot down");
  const bombed =
    "10 bomber factors bomb Hamburg: 1 of its 3 steps knocked out, 7 resources lost (6 and 1 for the step) (result 1/6).";
  assert.equal(resultOf(bombed), "1 of its 3 steps knocked out, 7 resources lost");
});

test("sumOf says the dice, what is added to them, and the row of the table", () => {
  const { rolls, ...rest } = line("hamburg", 1);
  const rounds = [[4, 3].map((face) => ({ face, hit: true }))];
  const said = (/** @type {string} */ result) =>
    sumOf({ ...rest, rolls: rolls.map((roll) => ({ ...roll, rounds, result })) });
  assert.equal(said("2d6 + 1 radar = 8, row 11, a sum of 3 …: 4/6"), "4+3 + 1 = 8 in row 11: ");
  assert.equal(said("2d6 − 9 radar = −2, no row: 0"), "4+3 − 9 = −2: ");
  assert.equal(said("2d6 = 7, row 10: 1/6"), "4+3 = 7 in row 10: ");
  assert.equal(said("needs 7"), "");
});

test("points of each side are said in its colour", async () => {
  /** @type {[string, string][]} */
  const said = [];
  const points = { "score-axis": "7 points", "score-allies": "4 points" };
  const stage = /** @type {any} */ ({
    ...{
      unit: 1,
      chart: { querySelector: () => "title", getAttribute: () => "1 0 2" },
      box: () => ({ x: 50, y: 40, w: 80, h: 12 }),
    },
    find: (/** @type {keyof typeof points} */ key) => ({ textContent: points[key] }),
    side: (/** @type {string} */ side) => `in-${side}`,
    label: (/** @type {any} */ _, /** @type {string} */ text, /** @type {any} */ { side }) => said.push([text, side]),
  });
  await labelScores(stage, [2, 3], "Atlantic: 12 submarine factors sink 5 merchant factors.");
  assert.deepEqual(said, [
    ["Axis +5 points: 5 ships sunk, 1 each", "in-axis"],
    ["Allies +1 point: 5 ships sunk, 1 each", "in-allies"],
  ]);
});

test("dice of a battle at sea lie on the maps of the air war, and those of a raid on the sea", () => {
  const maps = [
    { x: 400, y: 150, w: 780, h: 200 },
    { x: 150, y: 400, w: 280, h: 200 },
    { x: 370, y: 400, w: 140, h: 200 },
  ];
  const stage = /** @type {any} */ ({
    ...{ unit: 1, size: { width: 800, height: 640 }, box: (/** @type {any} */ one) => one },
    chart: { querySelectorAll: () => maps, querySelector: () => ({}) },
  });
  const otherwise = { near: { x: 0, y: 0 }, below: true };
  const [atSea, inAir] = [false, true].map((is) => /** @type {any} */ (besideMap(stage, otherwise, is)).within);
  assert.deepEqual(atSea, { left: 10, right: 440, top: 300, bottom: 640 });
  assert.deepEqual(inAir, { left: 10, right: 790, top: 50, bottom: 250 });
});

test("the lines of a ledger are one beat as long as a caption holds them", () => {
  const built = ["builds 6 submarine", "builds 5 escort", "builds 3 escort carrier"].map((text) => ({
    ...line("atlantic", 0, `Germany ${text} factors in the Atlantic.`),
    effect: "ledger",
  }));
  assert.deepEqual(
    groupEvents(built, together).map(({ lines }) => lines.length),
    [2, 1],
  );
});

test("a raid is headed by who raids and who meets them", () => {
  const about = "Hamburg: strength 8 (3 works), 9 hexes away, 3 steps; raid: 18 bombers with 2 interceptors";
  const met = "11 interceptor factors shoot down 2 bomber factors (result 4/6).";
  assert.equal(forceSaid(about, met), ": 18 bombers, 11 interceptors");
  assert.equal(forceSaid(about, "18 bomber factors bomb Hamburg: no effect (result 0)."), ": 18 bombers");
  assert.equal(forceSaid("Hamburg: strength 8", met), "");
});
