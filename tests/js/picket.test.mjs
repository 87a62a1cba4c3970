import assert from "node:assert/strict";
import { test } from "node:test";
import { attackSaid } from "../../src/readyroom/games/picket/static/effects.js";

test("attackSaid says who attacks what, and not what comes of it", () => {
  assert.equal(attackSaid("5-inch mount 3 hits the Tony (180° high)."), "5-inch mount 3 at the Tony (180° high)");
  assert.equal(
    attackSaid("40mm mount D destroys the Willow (135° medium)."),
    "40mm mount D at the Willow (135° medium)",
  );
  assert.equal(attackSaid("Spray fire misses the Zero with a bomb."), "Spray fire at the Zero with a bomb");
  assert.equal(attackSaid("Ammunition falls to 9."), "");
});
