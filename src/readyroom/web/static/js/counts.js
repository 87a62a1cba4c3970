/** The counts next to the targets and piles of what is selected, and what is spent of budgets. Loaded with the first selection. */

import { currentSelection } from "./answer.js";
import { OVER, boxOf } from "./layer.js";
import * as selection from "./selection.js";
import { roleOf } from "./targets.js";

/**
 * @typedef {import("./board.js").Piece} Piece
 * @typedef {import("./layer.js").Box} Box
 */

const BADGE = 20; // pixels of the height of a count

/**
 * Return how many are left in a pile of which some are sent somewhere, for its lower edge: its name and number stay
 * visible, and what is below it.
 * @param {Piece} pile
 * @param {string[]} keys
 * @param {Map<string, number>} counts
 * @returns {[Box, string][]}
 */
function leftIn(pile, keys, counts) {
  const sent = keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
  const left = Number(pile.dataset.size) - sent;
  const { left: x, top, height } = boxOf(pile);
  const low = { left: x + OVER, top: top + height - BADGE + OVER, width: 0, height: 0 };
  return sent && left > 0 ? [[low, `${left} left`]] : [];
}

/**
 * Return the counts next to targets.
 * @param {Map<string, number>} counts
 * @param {import("./answer.js").Row[]} rows
 * @param {Piece[]} elements
 * @returns {[Box, string][]}
 */
export function badgesOf(counts, rows, elements) {
  const rowOf = new Map(rows.map((row) => [row.key, row]));
  const purseOf = ownPurses(rows);
  const piled = new Set(elements.flatMap((element) => (element.dataset.stack ? roleOf(element).sweep : [])));
  return elements.flatMap((element) => {
    const { own, sweep, among } = roleOf(element);
    if (piled.has(own) && !rowOf.get(own)?.row.dataset.turn) return [];
    if (element.dataset.stack && among.length) return leftIn(element, among, counts);
    const row = rowOf.get(own);
    const total = [...new Set([...sweep, own])].reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
    const points = purseOf(sweep);
    const text = points || (row?.row.dataset.turn ?? (sweep.length || (row && row.limit > 1) ? String(total) : ""));
    return (total || points) && text ? [/** @type {[Box, string]} */ ([boxOf(element), text])] : [];
  });
}

/**
 * Return a function that says what is spent of the budget that a target has for itself ("5/20"), by the options of all
 * that goes there; it says nothing of a budget that several targets share.
 * @param {import("./answer.js").Row[]} rows
 * @returns {(keys: string[]) => string}
 */
function ownPurses(rows) {
  const { budget } = currentSelection(rows);
  if (budget === null) return () => "";
  const spent = selection.pointsSpent(rows);
  /** @type {Map<string, string[]>} */
  const keysOf = new Map();
  for (const { key, purse } of rows) keysOf.set(purse, [...(keysOf.get(purse) ?? []), key]);
  return (keys) => {
    const purse = keys.length ? (rows.find(({ key }) => keys.includes(key))?.purse ?? "") : "";
    const isOwn =
      purse && keysOf.get(purse)?.every((key) => keys.includes(key)) && keysOf.get(purse)?.length === keys.length;
    return isOwn ? `${spent.get(purse) ?? 0}/${budget}` : "";
  };
}
