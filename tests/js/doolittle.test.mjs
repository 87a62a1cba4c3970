import assert from "node:assert/strict";
import { test } from "node:test";
import { nameIn } from "../../src/readyroom/games/doolittle/static/effects.js";

test("nameIn names the pilot of a bomber and a flight", () => {
  assert.equal(nameIn("Bomber 4, Holstrom; bombs aboard; in the air"), "Holstrom");
  assert.equal(nameIn("Flight 1, high, 3 fuel"), "Flight 1");
  assert.equal(nameIn("Lone bomber of flight 2, low"), "Lone bomber of flight 2");
  assert.equal(nameIn("Chuchow: land on 5 or more"), "");
});
