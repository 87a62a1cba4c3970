/** The form that answers a decision: what is selected in it, and its totals, button and board in step with that. */

import { markSelected } from "./board.js";
import { announce, closest, focusInView, get, query, queryAll, splitKeys } from "./dom.js";
import * as selection from "./selection.js";

/**
 * @typedef {import("./selection.js").Option} Option
 * @typedef {Option & {row: HTMLElement, input: HTMLInputElement}} Row
 */

/** @returns {HTMLFormElement | null} */
export const answerForm = () => query("#answer");
/** @returns {HTMLButtonElement} */
export const confirmButton = () => get("#confirm");
/** Return whether nothing can be decided: one player who sits alone at the table is not kept by such a question. */
export const isEmpty = () => answerForm()?.dataset.empty !== undefined;
/** Return what identifies the open decision: its seat and revision. */
export const decisionId = () => answerForm()?.dataset.question;

/** The order in which options were selected; it counts where the board says so. */
const order = { decision: "", prefilled: "", keys: /** @type {string[]} */ ([]) };
const isOrdered = () => Boolean(query("#board .in-turn") && query("#turns"));

/**
 * Return the options of the form with what is selected of each.
 * @returns {Row[]}
 */
export function options() {
  const form = answerForm();
  return form ? queryAll("[data-key]", form).map(readRow) : [];
}

/**
 * @param {HTMLElement} row
 * @returns {Row}
 */
function readRow(row) {
  /** @type {HTMLInputElement} */
  const input = get("input:not([type=hidden])", row);
  const isNumber = input.type === "number";
  return {
    key: row.dataset.key ?? "",
    text: get(".text", row).textContent.trim(),
    count: isNumber ? Math.max(0, Number(input.value) || 0) : Number(input.checked),
    limit: isNumber ? Number(input.max) : 1,
    cost: Number(input.dataset.cost ?? 0),
    purse: input.dataset.purse ?? "",
    piece: input.dataset.piece ?? "",
    row,
    input,
  };
}

/**
 * Return the rules of the open decision and what is selected.
 * @param {Row[]} [rows]
 * @returns {import("./selection.js").Selection}
 */
export function currentSelection(rows = options()) {
  const { kind, least, most, budget, unit = "" } = /** @type {HTMLFormElement} */ (answerForm()).dataset;
  return {
    kind: /** @type {"one" | "some" | "allot"} */ (kind),
    least: Number(least),
    most: Number(most),
    budget: budget === undefined ? null : Number(budget),
    unit,
    options: rows,
    sheet: Boolean(query("#answer .sheet")),
    order: isOrdered() ? order.keys : undefined,
  };
}

/**
 * Return how often the board shows each option as selected: an answer of a puzzle stands for several options, and one that
 * is pointed at is shown in place of the selected one.
 * @param {Row[]} rows
 * @returns {Map<string, number>}
 */
export function shownCounts(rows) {
  const pointed = query("#answer .is-shown");
  const counts = new Map();
  for (const { key, count, row } of rows)
    for (const each of splitKeys(row.dataset.means ?? key))
      counts.set(each, (counts.get(each) ?? 0) + (pointed ? Number(row === pointed) : count));
  return counts;
}

/** Bring the totals, the button and the board in step with the form. */
export function update() {
  if (!answerForm()) {
    for (const listener of listeners) listener();
    return;
  }
  const rows = options();
  syncOrder(rows);
  const now = currentSelection(rows);
  const problem = selection.problemOf(now);
  const count = selection.countSelected(rows);
  get("#tally").textContent = selection.tally(now);
  get("#tally").classList.toggle("over", Boolean(problem) && count > 0);
  const button = confirmButton();
  button.textContent = selection.confirmLabel(now);
  button.classList.toggle("is-none", !count);
  button.setAttribute("aria-disabled", String(Boolean(problem)));
  showPurses(now);
  markSelected(shownCounts(rows));
  for (const option of rows) option.row.classList.toggle("is-chosen", option.count > 0);
  const isOther = rows.some(
    ({ input }) => input.value !== input.defaultValue || input.checked !== input.defaultChecked,
  );
  query("#hinted")?.toggleAttribute("hidden", isOther);
  /** @type {HTMLInputElement | null} */
  const none = query("#none");
  if (none) none.checked = !count;
  for (const listener of listeners) listener();
}

/**
 * Return whether an option is seen in the list, and not folded away because its piece is on the board.
 * @param {HTMLElement} row
 */
const isListed = (row) =>
  document.documentElement.classList.contains("lists-open") || !row.closest(".folds-all, .on-board");

/** @type {(() => void)[]} */
const listeners = [];

/**
 * Call a function after each change of what is selected.
 * @param {() => void} listener
 */
export function onUpdate(listener) {
  listeners.push(listener);
}

/**
 * Keep the order in step with the form, and show it next to the options.
 * @param {Row[]} rows
 */
function syncOrder(rows) {
  const { question = "", turns: prefilled = "" } = /** @type {HTMLFormElement} */ (answerForm()).dataset;
  const isSame = question === order.decision && prefilled === order.prefilled;
  order.keys = selection.updateOrder(isSame ? order.keys : splitKeys(prefilled), rows);
  Object.assign(order, { decision: question, prefilled });
  /** @type {HTMLInputElement | null} */
  const field = query("#turns");
  if (field) field.value = isOrdered() ? order.keys.join(" ") : "";
  const places = selection.placesInOrder(isOrdered() ? order.keys : []);
  for (const { key, row } of rows) {
    const at = places.get(key);
    if (at) row.dataset.turn = at.join(", ");
    else delete row.dataset.turn;
  }
}

/**
 * Show what is spent of each purse.
 * @param {import("./selection.js").Selection} now
 */
function showPurses(now) {
  const spent = selection.pointsSpent(now.options);
  for (const purse of queryAll(".purse")) {
    const points = spent.get(purse.dataset.purse ?? "") ?? 0;
    purse.textContent = `${points} of ${now.budget} ${now.unit}`;
    purse.classList.toggle("over", points > (now.budget ?? 0));
  }
}

/**
 * Set how often an option is selected; this alone updates nothing else.
 * @param {Row} option
 * @param {number} count
 */
function setCount({ input, limit }, count) {
  if (input.type === "number") input.value = String(Math.min(limit, Math.max(0, count)));
  else input.checked = count > 0;
}

/**
 * Set how often options are selected, by key; options without a count stay as they are.
 * @param {Map<string, number>} counts
 */
export function setCounts(counts) {
  for (const option of options()) {
    const count = counts.get(option.key);
    if (count !== undefined) setCount(option, count);
  }
  update();
}

/**
 * Select exactly these keys.
 * @param {string[]} keys
 */
export function selectOnly(keys) {
  setCounts(new Map(options().map(({ key }) => [key, keys.filter((other) => other === key).length])));
}

/**
 * Select or deselect an option; where points are allocated, one more or one fewer. Return whether there is one.
 * @param {string | undefined} key
 * @param {boolean} [fewer]
 */
export function toggle(key, fewer = false) {
  const option = options().find((other) => other.key === key);
  if (!option) return false;
  if (option.input.type === "number") setCount(option, option.count + (fewer ? -1 : 1));
  else {
    setCount(option, option.input.required ? 1 : 1 - option.count);
    keepSingle(option.input);
  }
  if (isListed(option.row)) option.row.scrollIntoView({ block: "nearest" });
  update();
  return true;
}

/**
 * Deselect the other options of a piece, and of a row in a table with one point for each.
 * @param {HTMLInputElement} input
 */
function keepSingle(input) {
  if (input.type !== "checkbox" || !input.checked) return;
  const { piece, purse } = input.dataset;
  if (!piece && !input.closest("[data-single]")) return;
  const isRival = (/** @type {HTMLInputElement} */ { dataset }) =>
    piece ? dataset.piece === piece : dataset.purse === purse;
  /** @type {HTMLInputElement[]} */
  const others = queryAll("input", answerForm() ?? document);
  for (const other of others) if (other !== input && isRival(other)) other.checked = false;
}

/**
 * Select the rest of a group as far as its budget goes, or none of it.
 * @param {HTMLElement} fieldset
 */
function fillGroup(fieldset) {
  const now = currentSelection();
  const group = options().filter(({ row }) => fieldset.contains(row));
  const spent = selection.pointsSpent(now.options).get(group[0]?.purse ?? "") ?? 0;
  setCounts(selection.fill(group, now.budget === null ? Number.POSITIVE_INFINITY : now.budget - spent));
}

/**
 * Allocate all points that are left to an option, as far as it can take them.
 * @param {string | undefined} key
 */
function allocateRest(key) {
  const { most, options: all } = currentSelection();
  const left = Math.max(0, most - selection.countSelected(all));
  const option = options().find((other) => other.key === key);
  if (option) setCounts(new Map([[option.key, option.count + left]]));
}

/** Submit the answer; if nothing is selected, focus the button first, so that it takes another Enter. */
export function submit() {
  if (confirmButton().disabled) return;
  const now = currentSelection();
  if (selection.problemOf(now) || selection.countSelected(now.options)) {
    answerForm()?.requestSubmit(confirmButton());
    return;
  }
  focusInView(confirmButton());
  announce('Nothing selected. Press "Confirm: none" to choose nothing.');
}

/**
 * Keep an invalid answer from being submitted, and say why.
 * @param {Event} event
 */
function checkBeforeSubmit(event) {
  if (event.target !== answerForm()) return;
  const problem = selection.problemOf(currentSelection());
  if (!problem) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  announce(problem);
  get("#tally").textContent = problem;
}

/**
 * Handle a click on a button or link of the form.
 * @param {MouseEvent} event
 */
function handleClick(event) {
  const step = closest(event, "[data-step]");
  if (step) {
    const row = /** @type {HTMLElement} */ (step.closest("[data-key]"));
    if (step.dataset.step === "all") allocateRest(row.dataset.key);
    else toggle(row.dataset.key, step.dataset.step === "-1");
    get("input[type=number]", row).dispatchEvent(new Event("change", { bubbles: true }));
    return;
  }
  const link = closest(event, "#take-all, #clear, [data-select]");
  if (link) {
    event.preventDefault();
    selectOnly(splitKeys(link.dataset.keys ?? link.dataset.select));
    if (link.dataset.select !== undefined) {
      focusInView(confirmButton());
      announce("Selected. Press Confirm to play.");
    }
  } else if (closest(event, "#even")) {
    setCounts(selection.allocateEvenly(options(), currentSelection().most));
  } else if (closest(event, "[data-group]")) {
    const fieldset = closest(event, "fieldset");
    if (fieldset) fillGroup(fieldset);
  }
}

export function initAnswer() {
  document.addEventListener("submit", checkBeforeSubmit, true);
  document.addEventListener("click", handleClick);
  document.addEventListener("input", (event) => {
    if (closest(event, "#answer")) update();
  });
  document.addEventListener("change", (event) => {
    if (!closest(event, "#answer")) return;
    if (event.target instanceof HTMLInputElement) keepSingle(event.target);
    update();
  });
}
