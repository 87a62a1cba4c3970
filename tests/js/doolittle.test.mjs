import assert from "node:assert/strict";
import { test } from "node:test";
import { nameIn, placeOf } from "../../src/readyroom/games/doolittle/static/effects.js";

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
