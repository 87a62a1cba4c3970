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
