import assert from "node:assert/strict";
import { test } from "node:test";
import { curve, readTable, scattered } from "../../src/readyroom/web/static/js/effects/strategic.js";

const TABLE = "2;0,0,0/1;0,0/1,0/2;0/1,0/2,1/1";

test("readTable finds the row and the column of a roll", () => {
  const read = readTable(TABLE, "2d6 + 1 air range = 3, row 2: 0/1");
  assert.deepEqual(read?.cells, ["2", "3", "4+"]);
  assert.deepEqual(read?.rows, [{ label: "2", results: ["0", "0/1", "0/2"] }]);
  assert.equal(read?.column, 1);
});

test("readTable keeps to the first and last column", () => {
  assert.equal(readTable(TABLE, "2d6 − 4 = −2, row 1: 0")?.column, 0);
  assert.equal(readTable(TABLE, "2d6 + 4 = 14, row 1: 0/1")?.column, 2);
});

test("readTable shows each row of a strength beyond the table", () => {
  const read = readTable(TABLE, "2d6 = 4, row 3, row 3, row 1: 2/3");
  assert.deepEqual(
    read?.rows.map(({ label }) => label),
    ["3", "1"],
  );
});

test("readTable has nothing for rolls without a row", () => {
  assert.equal(readTable(TABLE, "1d6 = 4: hit"), null);
  assert.equal(readTable(TABLE, "2d6 = 4, no row: 0"), null);
  assert.equal(readTable(TABLE, "2d6 = 4, row 9: 0"), null);
  assert.equal(readTable("", "2d6 = 4, row 1: 0"), null);
});

test("a curve starts and ends at its points", () => {
  const points = curve({ x: 0, y: 0 }, { x: 100, y: 50 });
  assert.deepEqual(points[0], { x: 0, y: 0 });
  assert.deepEqual(points.at(-1), { x: 100, y: 50 });
});

test("scattered points are inside their box", () => {
  for (const { x, y } of scattered({ x: 10, y: 20, w: 8, h: 6 }, 9)) {
    assert.ok(Math.abs(x - 10) <= 4 && Math.abs(y - 20) <= 3);
  }
});
