import assert from "node:assert/strict";
import { test } from "node:test";
import { addUnits, unitsAboard, unitsLeft } from "../../src/readyroom/games/tora/static/plan-japan.js";
import { moveUnit, parkedOf, stacksOf } from "../../src/readyroom/games/tora/static/plan-fields.js";
import { nearestBerth } from "../../src/readyroom/games/tora/static/plan-harbor.js";

const kate = { key: "kate", units: 30 };
const group = (units, type = "kate", sector = "3NW", ordnance = "ap") => ({ sector, type, units, ordnance });
const wave = (turn, ...groups) => ({ turn, group: groups });

test("units of waves 1 and 2 are shared, and those of wave 2 do not fly in wave 3", () => {
  const waves = [wave(1, group(10)), wave(7, group(15)), wave(13, group(12))];
  assert.equal(unitsAboard(waves, 0, kate), 5);
  assert.equal(unitsAboard(waves, 1, kate), 3, "wave 3 needs 12 that wave 2 does not take");
  assert.equal(unitsAboard(waves, 2, kate), 3);
});

test("a wave takes no more units than it has room for", () => {
  const waves = [wave(1, group(20), group(27, "val"))];
  assert.equal(unitsAboard(waves, 0, kate), 10);
  assert.equal(unitsLeft(waves, 0, kate, 48), 1);
});

test("equal units are one group, and an empty group is gone", () => {
  const one = wave(1);
  addUnits(one, group(4));
  addUnits(one, group(3));
  addUnits(one, group(2, "kate", "3NE"));
  assert.deepEqual(one.group, [group(7), group(2, "kate", "3NE")]);
  addUnits(one, group(-7));
  assert.deepEqual(one.group, [group(2, "kate", "3NE")]);
});

const TYPES = ["p40", "p36", "p26"];
const ROOM = { north: 3, south: 3 };

test("places and entries of a plan are the same", () => {
  const parked = [
    { field: "north", top: "p40", under: "", places: 2 },
    { field: "north", top: "p36", under: "p26", places: 1 },
    { field: "south", top: "p26", under: "", places: 1 },
  ];
  const stacks = stacksOf(parked, ["north", "south"]);
  assert.deepEqual(stacks.north, [["p40"], ["p40"], ["p26", "p36"]]);
  assert.deepEqual(parkedOf(stacks, TYPES), parked);
});

test("a unit that leaves a full field unstacks another", () => {
  const stacks = { north: [["p40"], ["p40"], ["p26", "p36"]], south: [] };
  assert.ok(moveUnit(stacks, ROOM, { from: "north", at: 0, to: "south" }));
  assert.deepEqual(stacks, { north: [["p40"], ["p26"], ["p36"]], south: [["p40"]] });
});

test("units are stacked only where a field is full, on the unit that they are dropped on", () => {
  const stacks = { north: [["p40"]], south: [["p36"], ["p36"]] };
  assert.ok(moveUnit(stacks, ROOM, { from: "north", at: 0, to: "south", onto: 0 }));
  assert.deepEqual(stacks.south, [["p36"], ["p36"], ["p40"]]);
  stacks.north = [["p26"]];
  assert.ok(moveUnit(stacks, ROOM, { from: "north", at: 0, to: "south", onto: 1 }));
  assert.deepEqual(stacks, { north: [], south: [["p36"], ["p36", "p26"], ["p40"]] });
});

test("a field whose places all hold two units takes no more", () => {
  const pair = () => ["p26", "p36"];
  const stacks = { north: [["p40"]], south: [pair(), pair(), pair()] };
  assert.equal(moveUnit(stacks, ROOM, { from: "north", at: 0, to: "south" }), false);
  assert.deepEqual(stacks.north, [["p40"]]);
});

test("a ship settles at the nearest open berth, and in the dock where that is", () => {
  const harbor = { width: 10, dock: { x: 9, y: 9, lie: "v", dock: true } };
  const places = { h: [12, 57], v: [33], dock: true };
  const at = (x, y, lie = "h") => nearestBerth(places, { x, y, lie, dock: false }, harbor);
  assert.deepEqual(at(2, 2), { x: 2, y: 1, lie: "h", dock: false });
  assert.deepEqual(at(3, 2, "v"), { x: 3, y: 3, lie: "v", dock: false });
  assert.deepEqual(at(9, 8), { x: 9, y: 9, lie: "v", dock: true });
  assert.equal(nearestBerth({ h: [], v: [], dock: false }, { x: 2, y: 2, lie: "h", dock: false }, harbor), null);
});
