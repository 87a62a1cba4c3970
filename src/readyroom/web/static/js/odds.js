/** What a selection does to its targets, as the server says: the decision, the arrow of a drag and the panel next to a target show it. */

import { answerForm, currentSelection, decisionId } from "./answer.js";
import { boardElements } from "./board.js";
import { query } from "./dom.js";
import { nameOf } from "./play.js";
import { countSelected, keysText } from "./selection.js";

/** The answers of the server for this decision, by selection; null until they come. @type {Map<string, Record<string, string> | null>} */
let known = new Map();
let decision = decisionId();

/** @type {(target: SVGElement) => string} */
const keyOf = ({ dataset }) => dataset.key ?? dataset.place ?? "";

/**
 * Return the odds for a target, empty if there are none; null if they are asked for.
 * @param {SVGElement} target
 * @param {import("./selection.js").Selection} selection
 * @param {() => void} onCome called when they come
 */
export function oddsOf(target, selection, onCome) {
  const words = allOdds(selection, onCome);
  return words && (words[keyOf(target)] ?? "");
}

/** List in the decision what is selected does to each target; until it is known, the list stays. */
export function listOdds() {
  const list = query("#odds");
  if (!list || !answerForm()) return;
  const now = currentSelection();
  const words = countSelected(now.options) ? allOdds(now, listOdds) : {};
  if (!words) return;
  const elements = boardElements();
  const texts = Object.entries(words).flatMap(([key, text]) => {
    const target = elements.find((element) => keyOf(element) === key);
    return target && text ? [`${nameOf(target)}: ${text}`] : [];
  });
  const items = [...new Set(texts)].map((textContent) => Object.assign(document.createElement("li"), { textContent }));
  list.replaceChildren(...items);
}

/**
 * Return the odds of a selection by target; null if they are asked for.
 * @param {import("./selection.js").Selection} selection
 * @param {() => void} onCome
 */
function allOdds(selection, onCome) {
  if (decision !== decisionId()) [decision, known] = [decisionId(), new Map()];
  const keys = keysText(selection);
  if (!known.has(keys)) {
    known.set(keys, null);
    ask(keys, known).then(onCome).then(listOdds);
  }
  return known.get(keys) ?? null;
}

/**
 * @param {string} keys
 * @param {Map<string, Record<string, string> | null>} answers
 */
async function ask(keys, answers) {
  const table = new URL(query("#table")?.getAttribute("hx-get") ?? "", location.href);
  table.pathname = table.pathname.replace(/table$/, "odds");
  table.searchParams.set("keys", keys);
  /** @type {Record<string, string>} */
  let odds = {};
  try {
    const response = await fetch(table);
    if (response.ok) ({ odds } = await response.json());
  } catch {
    // the page goes without
  }
  answers.set(keys, odds);
}
