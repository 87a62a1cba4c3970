import assert from "node:assert/strict";
import { test } from "node:test";

const GAMES = ["midway", "tora", "picket", "doolittle", "strategic/pearl", "strategic/war"];
const FILES = [
  ...GAMES.map((game) => `src/readyroom/games/${game}/static/effects.js`),
  "examples/tokyo-express/tokyo_express/static/effects.js",
];

for (const file of FILES) {
  test(`${file} exports its effects by name, and those that show several events`, async () => {
    const { effects, together = new Set(), sounds = {} } = await import(new URL(`../../${file}`, import.meta.url).href);
    for (const [name, effect] of Object.entries(effects)) assert.equal(typeof effect, "function", name);
    for (const name of [...together.keys(), ...Object.keys(sounds)]) assert.ok(name in effects, name);
  });
}

test("a label next to a score says why it changes", async () => {
  const { effects } = await import(new URL("../../src/readyroom/games/midway/static/effects.js", import.meta.url).href);
  const labels = /** @type {string[]} */ ([]);
  const scores = [{ textContent: "0 points" }, { textContent: "4 points" }];
  const known = /** @type {Record<string, any>} */ ({
    size: { width: 1000, height: 700 },
    chart: { querySelectorAll: (/** @type {string} */ selector) => (selector === ".bd-score" ? scores : []) },
    sound: { play: () => null },
    find: () => null,
    box: () => ({ x: 500, y: 100, w: 90, h: 30 }),
    label: async (/** @type {unknown} */ _, /** @type {string} */ text) => labels.push(text),
    show: async () => {
      scores[1] = { textContent: "8 points" };
    },
  });
  const stage = new Proxy(known, { get: (all, name) => all[String(name)] ?? (async () => null) });
  const beat = { target: "akagi", keys: [], kind: "hit", rolls: [], text: "Akagi is crippled (damage 7)." };
  await effects.cripple({ ...beat, moment: "Akagi crippled" }, stage);
  assert.deepEqual(labels, ["+4: Akagi crippled"]);
});

test("hits fill a carrier's damage boxes before her damage is reported", async () => {
  const { effects } = await import(new URL("../../src/readyroom/games/midway/static/effects.js", import.meta.url).href);
  const filled = /** @type {any[]} */ ([]);
  const track = { getBBox: () => ({ x: 0, y: 0, width: 86, height: 6 }), parentElement: {} };
  const ship = {
    querySelector: (/** @type {string} */ selector) => (selector.includes("pc-track") ? track : null),
    querySelectorAll: () => filled,
  };
  const known = /** @type {Record<string, any>} */ ({
    size: { width: 1000, height: 700 },
    chart: { querySelectorAll: () => [], querySelector: () => null },
    sound: { play: () => null },
    find: (/** @type {string} */ key) => (key === "akagi" ? ship : null),
    present: () => [],
    box: () => ({ x: 500, y: 100, w: 90, h: 30, boxes: [] }),
    center: () => ({ x: 500, y: 200, boxes: [] }),
    dice: () => ({ roll: async () => null, leave: async () => null }),
    make: (/** @type {string} */ name, /** @type {any} */ _, /** @type {any} */ parent) => {
      const made = { style: {} };
      if (name === "rect" && parent === track.parentElement) filled.push(made);
      return made;
    },
    show: async () => {
      filled.length = 0;
    },
  });
  const stage = new Proxy(known, { get: (all, name) => all[String(name)] ?? (async () => null) });
  const beat = { target: "akagi", keys: ["hornet-db-1", "akagi"], kind: "roll", rolls: [], moment: "" };
  await effects.dive({ ...beat, text: "20 dive-bomber points attack Akagi: 3 hits." }, stage);
  assert.equal(filled.length, 3);
  await effects.torpedo({ ...beat, text: "5 torpedo-bomber points miss Akagi." }, stage);
  assert.equal(filled.length, 3);
  await effects.torpedo({ ...beat, text: "15 torpedo-bomber points attack Akagi: 9 hits." }, stage);
  assert.equal(filled.length, 10);
});
