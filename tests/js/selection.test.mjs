import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as selection from "../../src/readyroom/web/static/js/selection.js";

/** Selections as the server describes them; its tests read them as well. */
const shared = JSON.parse(readFileSync(new URL("../web/selections.json", import.meta.url), "utf8"));

/**
 * Return options from short forms.
 * @param {...Partial<selection.Option>} options
 * @returns {selection.Option[]}
 */
function optionsOf(...options) {
  return options.map((option) => ({ key: "", text: "", count: 0, limit: 1, cost: 0, purse: "", ...option }));
}

/**
 * Return a selection of any number of options without prices.
 * @param {Partial<selection.Selection>} [changes]
 * @returns {selection.Selection}
 */
function selectionOf(changes) {
  return { kind: "some", least: 0, most: 9, budget: null, unit: "points", options: [], ...changes };
}

/**
 * Return the selection of some keys of a shared decision.
 * @param {string} name
 * @param {string[]} keys
 */
function sharedSelection(name, keys) {
  const { at_least: least, at_most: most, options, ...decision } = shared.decisions[name];
  return selectionOf({
    ...decision,
    least,
    most,
    sheet: options.every(({ cell }) => cell),
    options: optionsOf(...options).map((option) => ({
      ...option,
      count: keys.filter((key) => key === option.key).length,
    })),
  });
}

for (const { decision, keys, tally, confirm } of shared.selections) {
  test(`${decision}: ${keys.join(" ") || "nothing"} reads as on the server`, () => {
    const now = sharedSelection(decision, keys);
    assert.equal(selection.problemOf(now), "");
    assert.equal(selection.tally(now), tally);
    assert.equal(selection.confirmLabel(now), confirm);
  });
}

const A = { key: "a", text: "Akagi" };
const B = { key: "b", text: "Kaga" };

const PROBLEMS = [
  ["Choose one.", { kind: "one", least: 1, most: 1, options: optionsOf(A) }],
  ["Choose 2 more.", { least: 2, options: optionsOf(A, B) }],
  ["Allocate 2 more.", { kind: "allot", least: 5, most: 5, options: optionsOf({ ...A, count: 3, limit: 5 }) }],
  ["Deselect 1.", { most: 1, options: optionsOf({ ...A, count: 1 }, { ...B, count: 1 }) }],
  ["One option exceeds its limit.", { options: optionsOf({ ...A, count: 2 }) }],
  ["7 resources, 1 more than 6.", { budget: 6, unit: "resources", options: optionsOf({ ...A, count: 1, cost: 7 }) }],
  ["7 points, 1 more than 6.", { budget: 6, options: optionsOf({ ...A, count: 1, cost: 7 }) }],
  ["Deck: 8 points, 2 more than 6.", { budget: 6, options: optionsOf({ ...A, count: 1, cost: 8, purse: "Deck" }) }],
];
for (const [problem, changes] of PROBLEMS) {
  test(`problemOf: ${problem}`, () => assert.equal(selection.problemOf(selectionOf(changes)), problem));
}

test("tally adds the problem of an invalid selection", () => {
  const now = selectionOf({ most: 1, options: optionsOf({ ...A, count: 1 }, { ...B, count: 1 }) });
  assert.equal(selection.tally(now), "2 selected. Deselect 1.");
});

test("confirmLabel of an empty selection that must not be empty names nothing", () => {
  assert.equal(selection.confirmLabel(selectionOf({ least: 1, options: optionsOf(A) })), "Confirm");
});

test("confirmLabel names what is short, and leaves a long name to the list", () => {
  const label = (/** @type {string} */ text) =>
    selection.confirmLabel(selectionOf({ options: optionsOf({ ...A, text, count: 1 }) }));
  assert.equal(label("Akagi"), "Confirm: Akagi");
  assert.equal(label("Bombers that attack neither Hiryu nor Kaga"), "Confirm: 1 selected");
});

test("confirmLabel leaves the places of a long name out, or counts", () => {
  const ships = { key: "a", text: "1 merchant factor from the Atlantic", count: 2, limit: 9 };
  const boats = { key: "b", text: "1 escort factor from the Indian Ocean", count: 2, limit: 9 };
  const label = (/** @type {object[]} */ ...options) =>
    selection.confirmLabel(selectionOf({ options: optionsOf(...options) }));
  assert.equal(label(ships), "Confirm: 2 merchant factors");
  assert.equal(label(ships, boats), "Confirm: 4 selected");
  const one = { kind: "one", options: optionsOf({ ...ships, count: 1 }) };
  assert.equal(selection.confirmLabel(selectionOf(one)), "Confirm: 1 merchant factor");
});

test("an ordered selection lists its steps in order", () => {
  const options = optionsOf({ ...A, count: 2, limit: 2 }, { ...B, count: 1 });
  const now = selectionOf({ options, order: ["a", "a", "b"] });
  assert.equal(selection.tally(now), "3 selected, in order: 1. 2 × Akagi, 2. Kaga");
  assert.equal(selection.confirmLabel(now), "Confirm: 2 × Akagi, then Kaga");
});

test("several of one thing are counted with its plural", () => {
  const label = (/** @type {string} */ text) =>
    selection.nameSelected(selectionOf({ options: optionsOf({ ...A, text, count: 2, limit: 2 }) }));
  assert.equal(label("1 submarine factor, Pacific"), "2 submarine factors, Pacific");
  assert.equal(label("1 escort factor from the Atlantic"), "2 escort factors from the Atlantic");
  assert.equal(label("1 unit of Zeros"), "2 units of Zeros");
});

test("updateOrder appends new keys and removes the last of the deselected", () => {
  const both = optionsOf({ ...A, count: 1 }, { ...B, count: 1 });
  assert.deepEqual(selection.updateOrder(["b"], both), ["b", "a"]);
  assert.deepEqual(selection.updateOrder(["b", "a", "b"], both), ["b", "a"]);
  assert.deepEqual(selection.updateOrder(["gone", "a"], optionsOf({ ...A, count: 1 })), ["a"]);
});

test("placesInOrder counts from one", () => {
  assert.deepEqual(Object.fromEntries(selection.placesInOrder(["a", "b", "a"])), { a: [1, 3], b: [2] });
});

const selected = (counts) => Object.fromEntries(counts);

test("cycle selects one option after the other and then none", () => {
  assert.deepEqual(selected(selection.cycle(optionsOf(A, B))), { a: 1, b: 0 });
  assert.deepEqual(selected(selection.cycle(optionsOf({ ...A, count: 1 }, B))), { a: 0, b: 1 });
  assert.deepEqual(selected(selection.cycle(optionsOf(A, { ...B, count: 1 }))), { a: 0, b: 0 });
});

test("sweep selects options with unspent purses, then deselects", () => {
  const options = optionsOf({ ...A, purse: "1" }, { ...B, purse: "2" }, { key: "c", purse: "2", count: 1 });
  const keys = new Set(["a", "b"]);
  assert.deepEqual(selected(selection.sweep(selectionOf({ options }), keys)), { a: 1 });
  const spent = options.map((option) => ({ ...option, count: option.key === "b" ? 0 : 1 }));
  assert.deepEqual(selected(selection.sweep(selectionOf({ options: spent }), keys)), { a: 0, b: 0 });
});

test("sweep assigns pieces that have no place yet, as far as the budget goes", () => {
  const options = optionsOf(
    { key: "a@x", piece: "a", purse: "X", cost: 5 },
    { key: "b@x", piece: "b", purse: "X", cost: 5 },
    { key: "b@y", piece: "b", purse: "Y", cost: 5, count: 1 },
    { key: "c@x", piece: "c", purse: "X", cost: 5 },
  );
  const keys = new Set(["a@x", "b@x", "c@x"]);
  assert.deepEqual(selected(selection.sweep(selectionOf({ budget: 20, options }), keys)), { "a@x": 1, "c@x": 1 });
  assert.deepEqual(selected(selection.sweep(selectionOf({ budget: 5, options }), keys)), { "a@x": 1 });
});

test("a piece with two places is a problem", () => {
  const options = optionsOf({ key: "a@x", piece: "a", count: 1 }, { key: "a@y", piece: "a", count: 1 });
  assert.equal(selection.problemOf(selectionOf({ most: 2, options })), "One piece has two places.");
});

test("affordable leaves out places without room for a piece, but not where it is already", () => {
  const options = optionsOf(
    { key: "a@x", piece: "a", purse: "x", cost: 5, count: 1 },
    { key: "b@x", piece: "b", purse: "x", cost: 5 },
    { key: "b@y", piece: "b", purse: "y", cost: 5, count: 1 },
    { key: "c@y", piece: "c", purse: "y", cost: 4 },
    { key: "d", cost: 9 },
  );
  const keysFor = (/** @type {number} */ budget) =>
    selection.affordable(selectionOf({ budget, options })).map(({ key }) => key);
  assert.deepEqual(keysFor(5), ["a@x", "b@y", "d"]);
  assert.deepEqual(keysFor(9), ["a@x", "b@y", "c@y", "d"]);
  assert.deepEqual(keysFor(10), ["a@x", "b@x", "b@y", "c@y", "d"]);
});

test("fill keeps to the budget and deselects a full group", () => {
  const group = optionsOf({ ...A, cost: 5, count: 1 }, { ...B, cost: 5 }, { key: "c", cost: 2 });
  assert.deepEqual(selected(selection.fill(group, 4)), { c: 1 });
  assert.deepEqual(selected(selection.fill(group, 0)), { a: 0, b: 0, c: 0 });
});

test("allocateEvenly respects the limit of each option", () => {
  const options = optionsOf({ ...A, limit: 1 }, { ...B, limit: 5 }, { key: "c", limit: 2 });
  assert.deepEqual(selected(selection.allocateEvenly(options, 5)), { a: 1, b: 2, c: 2 });
  assert.deepEqual(selected(selection.allocateEvenly(options, 2)), { a: 1, b: 1, c: 0 });
  assert.deepEqual(selected(selection.allocateEvenly(options, 99)), { a: 1, b: 5, c: 2 });
});

test("fewestFirst takes the options of a pile in turn", () => {
  const options = [2, 0, 1, 0].map((count, at) => ({
    key: `kate-${at}`,
    text: "Kate",
    count,
    limit: 3,
    cost: 0,
    purse: "",
  }));
  assert.deepEqual(
    selection.fewestFirst(
      options,
      options.map(({ key }) => key),
    ),
    ["kate-1", "kate-3", "kate-2", "kate-0"],
  );
});
