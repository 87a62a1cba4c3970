/** What a selection does to its targets, as the server says: the arrow of a drag and the panel next to a target show it. */

import { decisionId } from "./answer.js";
import { query } from "./dom.js";
import { keysText } from "./selection.js";

/** The answers of the server for this decision, by selection; null until they come. @type {Map<string, Record<string, string> | null>} */
let known = new Map();
let decision = decisionId();

/**
 * Return the odds for a target, empty if there are none; null if they are asked for.
 * @param {SVGElement} target
 * @param {import("./selection.js").Selection} selection
 * @param {() => void} onCome called when they come
 */
export function oddsOf(target, selection, onCome) {
  if (decision !== decisionId()) [decision, known] = [decisionId(), new Map()];
  const keys = keysText(selection);
  if (!known.has(keys)) {
    known.set(keys, null);
    ask(keys, known).then(onCome);
  }
  const words = known.get(keys);
  return words ? (words[target.dataset.key ?? target.dataset.place ?? ""] ?? "") : null;
}

/**
 * @param {string} keys
 * @param {Map<string, Record<string, string> | null>} answers
 */
async function ask(keys, answers) {
  const table = new URL(query("#table")?.getAttribute("hx-get") ?? "", location.href);
  table.pathname = table.pathname.replace(/table$/, "odds");
  table.searchParams.set("keys", keys);
  try {
    const response = await fetch(table);
    if (response.ok) answers.set(keys, (await response.json()).odds);
  } catch {
    // the arrow goes without
  }
}
