import assert from "node:assert/strict";
import { test } from "node:test";
import { attackSaid, effects, together } from "../../src/readyroom/games/picket/static/effects.js";

test("attackSaid says who attacks what, and not what comes of it", () => {
  assert.equal(attackSaid("5-inch mount 3 hits the Tony (180° high)."), "5-inch mount 3 at the Tony (180° high)");
  assert.equal(
    attackSaid("40mm mount D destroys the Willow (135° medium)."),
    "40mm mount D at the Willow (135° medium)",
  );
  assert.equal(attackSaid("Spray fire misses the Zero with a bomb."), "Spray fire at the Zero with a bomb");
  assert.equal(attackSaid("Ammunition falls to 9."), "");
});

/**
 * Return what the panel of dice of a beat gets, on a board with these planes.
 * @param {string} effect
 * @param {object} beat
 * @param {Record<string, object>} planes
 */
async function panelOf(effect, beat, planes) {
  const panels = /** @type {any[]} */ ([]);
  const known = /** @type {Record<string, any>} */ ({
    size: { width: 900, height: 500 },
    sound: { play: () => null },
    side: () => "",
    find: (/** @type {string} */ key) =>
      planes[key] && { matches: () => true, querySelector: () => null, classList: { contains: () => false } },
    box: (/** @type {string} */ key) => planes[key] ?? null,
    center: () => null,
    shake: () => null,
    dice: (/** @type {any[]} */ rolls, /** @type {unknown} */ _, /** @type {any} */ options) => {
      panels.push({ rolls, ...options });
      return { roll: async () => null, leave: async () => null };
    },
  });
  const stage = new Proxy(known, { get: (all, name) => all[String(name)] ?? (async () => null) });
  await effects[effect]?.(
    /** @type {any} */ ({ keys: [], target: "", moment: "", ...beat }),
    /** @type {any} */ (stage),
  );
  return panels[0];
}

const DIE = { rounds: [[{ face: 6, hit: true }]], outcome: "6", name: "Zero", need: "" };

test("the line of a panel leads to the plane that acts, not to what it attacks", async () => {
  const planes = { zero: { x: 40, y: 300, w: 30, h: 30 } };
  const beat = { keys: ["zero"], target: "deck-aft", text: "The Zero dives.", rolls: [DIE] };
  assert.deepEqual((await panelOf("turn-away", beat, planes)).about, planes.zero);
  assert.equal((await panelOf("turn-away", { ...beat, keys: [] }, planes)).about, undefined);
});

test("the dice of a near miss are added up before what they do", async () => {
  const rolls = [{ ...DIE, outcome: "6+6 = 12, hull-1" }];
  const text = "A near miss shakes the aft section: hull integrity −1.";
  const panel = await panelOf("near-miss", { text, rolls }, {});
  assert.equal(panel.rolls[0].outcome, "6+6 = 12, hull integrity −1");
});

test("a volley has no more shots than a caption holds", () => {
  const shots = ["5-inch mount 3 hits the Tony (180° high).", "40mm mount B misses the Willow (135° medium)."];
  const lines = [0, 1, 1].map((at) => /** @type {any} */ ({ text: shots[at] }));
  const isTogether = /** @type {any} */ (together.get("guns"));
  assert.ok(isTogether(lines.slice(0, 1), lines[1]));
  assert.ok(!isTogether(lines, lines[1]));
});
