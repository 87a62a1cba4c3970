import assert from "node:assert/strict";
import { test } from "node:test";
import { effects, nameIn, placeOf } from "../../src/readyroom/games/doolittle/static/effects.js";

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
 */
async function landing(rule, text) {
  const poses = /** @type {string[][]} */ ([]);
  const said = /** @type {{textContent: string}[]} */ ([]);
  const known = /** @type {Record<string, any>} */ ({
    size: { width: 900, height: 700 },
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
  await effects.landfall?.(/** @type {any} */ ({ rule, text, rolls: [], keys: [], target: "", lines: [] }), stage);
  return { way: poses.flat(), said: said.at(-1)?.textContent.trim() };
}

test("a poor landing continues from where the plane has touched down badly, and each ending differs", async () => {
  const badly = await landing("14.1.1", "Holstrom lands badly at Chuchow.");
  const safely = await landing("14.1.1", "York lands safely at Chuchow.");
  const endings = await Promise.all(
    ["no damage", "the bomber is damaged, and the crew is unhurt", "the bomber crashes, and the crew is killed"].map(
      (end) => landing("14.1.2", `Holstrom's poor landing: ${end}.`),
    ),
  );
  assert.match(safely.way.at(-1) ?? "", /rotate\(0deg\)/);
  assert.equal(badly.said, "lands badly: how bad is it?");
  for (const { way } of endings) assert.equal(way[0], badly.way.at(-1));
  assert.equal(new Set([safely, ...endings].map(({ way }) => way.at(-1))).size, 3); // no damage: level, as safely
});
