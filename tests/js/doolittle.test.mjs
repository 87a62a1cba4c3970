import assert from "node:assert/strict";
import { test } from "node:test";
import { groupEvents } from "../../src/readyroom/web/static/js/playback/events.js";
import { effects, nameIn, placeOf, together } from "../../src/readyroom/games/doolittle/static/effects.js";

test("nameIn names the pilot of a bomber and a flight", () => {
  assert.equal(nameIn("Bomber 4, Holstrom; bombs aboard; in the air"), "Holstrom");
  assert.equal(nameIn("Flight 1, high, 3 fuel"), "Flight 1");
  assert.equal(nameIn("Lone bomber of flight 2, low"), "Lone bomber of flight 2");
  assert.equal(nameIn("Chuchow: land on 5 or more"), "");
});

test("placeOf is at the bomber's own plane in its flight", () => {
  const flight = { getAttribute: () => "b01 b03 b04", querySelectorAll: () => ["first", "second", "third"] };
  const stage = /** @type {any} */ ({
    chart: { querySelector: (/** @type {string} */ key) => (key.includes("b03") ? flight : null) },
    box: (/** @type {unknown} */ one) => one,
  });
  Object.assign(globalThis, { CSS: { escape: String } });
  assert.equal(placeOf(stage, "b03"), "second");
  assert.equal(placeOf(stage, "b16"), "b16");
});

/**
 * Return the poses of the plane, and what is said, in the scene of a landing.
 * @param {string} rule
 * @param {string} text
 * @param {object[]} [lines]
 */
async function landing(rule, text, lines = [{ text, rolls: [], keys: [], target: "" }]) {
  const poses = /** @type {string[][]} */ ([]);
  const said = /** @type {{textContent: string}[]} */ ([]);
  const known = /** @type {Record<string, any>} */ ({
    size: { width: 900, height: 700 },
    chart: { querySelector: () => null },
    sound: { play: () => null },
    find: () => null,
    box: () => null,
    ring: () => null,
    make: (/** @type {string} */ name, /** @type {any} */ { class: className = "" }) => {
      const made = { name, className, textContent: "", remove: () => null, classList: { add: () => null } };
      if (className === "pb-scene-title") said.push(made);
      return made;
    },
    move: async (/** @type {any} */ { className }, /** @type {any[]} */ frames) => {
      if (className === "pb-bomber") poses.push(frames.map(({ transform }) => transform));
    },
  });
  const stage = new Proxy(known, { get: (all, name) => all[String(name)] ?? (async () => null) });
  await effects.landfall?.(/** @type {any} */ ({ rule, text, rolls: [], keys: [], target: "", lines }), stage);
  return { way: poses.flat(), said: said.map(({ textContent }) => textContent.trim()) };
}

test("a poor landing is one scene, after its second roll, and each ending differs", async () => {
  const badly = await landing("14.1.1", "Holstrom lands badly at Chuchow.");
  const safely = await landing("14.1.1", "York lands safely at Chuchow.");
  const endings = await Promise.all(
    ["no damage", "the bomber is damaged, and the crew is unhurt", "the bomber crashes, and the crew is killed"].map(
      (end) => landing("14.1.2", `Holstrom's poor landing: ${end}.`),
    ),
  );
  assert.match(safely.way.at(-1) ?? "", /rotate\(0deg\)/);
  assert.deepEqual(badly, { way: [], said: [] });
  for (const { way } of endings) assert.equal(way[0], safely.way[0]);
  assert.equal(new Set([safely, ...endings].map(({ way }) => way.at(-1))).size, 3); // no damage: level, as safely
});

test("bombers that land safely after each other land in one scene", async () => {
  const lines = ["York", "Greening"].map((who) => event(`${who} lands safely at Chuchow.`));
  assert.deepEqual(
    groupEvents([...lines, event("Bower lands badly at Chuchow.")], together).map((beat) => beat.lines.length),
    [2, 1],
  );
  const { said } = await landing("14.1.1", "York lands safely at Chuchow.", lines);
  assert.deepEqual(said, ["York, Greening · Chuchow", "all land safely"]);
});

/** @param {string} text */
const event = (text) => ({
  ...{ turn: 1, phase: "", title: "", rule: "14.1.1", keys: [], target: "", kind: "roll", effect: "landfall" },
  ...{ moment: "", frame: [], text, rolls: [] },
});

test("points say what they come from once they have changed", async () => {
  const { sayPoints } = await import("../../src/readyroom/games/doolittle/static/rare.js");
  const labels = /** @type {string[]} */ ([]);
  let [score, isDown] = ["Points come from: Targets hit +1, Crews in China +2", false];
  const known = /** @type {Record<string, any>} */ ({
    size: { width: 900, height: 700 },
    unit: 1,
    still: true,
    chart: {
      textContent: "",
      querySelector: (/** @type {string} */ name) => (name.includes("title") ? { textContent: score } : {}),
    },
    sound: { play: () => null },
    find: () => null,
    side: () => "",
    box: () => ({ x: 500, y: 22, w: 60, h: 14 }),
    label: async (/** @type {unknown} */ _, /** @type {string} */ text) => labels.push(text),
    make: () => ({ remove: () => null, classList: { add: () => null } }),
    ring: () => null,
    smoke: () => null,
    show: async () => {
      if (isDown) score = "Points come from: Targets hit +1, Crews in China +3";
    },
  });
  const stage = /** @type {any} */ (new Proxy(known, { get: (all, name) => all[String(name)] ?? (async () => null) }));
  const beat = { rule: "14.1.1", rolls: [], keys: [], target: "", lines: [], moment: "" };
  await effects.landfall?.(/** @type {any} */ ({ ...beat, text: "Bower lands badly at Chuchow." }), stage);
  assert.deepEqual(labels, ["bad landing: how bad is it?"]);
  isDown = true;
  await effects.landfall?.(
    /** @type {any} */ ({ ...beat, rule: "14.1.2", text: "Bower's poor landing: no damage." }),
    stage,
  );
  assert.deepEqual(labels.slice(1), ["+1: crews in China"]);
  const now = "Points come from: Targets hit +2, Bombers lost with their crews −3, Crews in China +3";
  await sayPoints(/** @type {any} */ ({ effect: "flak", target: "" }), stage, score, now);
  assert.deepEqual(labels.slice(2), ["−2 points", "+1: targets hit", "−3: bombers lost with their crews"]);
});
