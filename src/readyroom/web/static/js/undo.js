/** Short notes over the table; after an undo, one that says so, with a button that gives the same answer again. */

import { answerForm, confirmButton, isEmpty, options, setCounts } from "./answer.js";
import { announce, closest, get, query, textOf } from "./dom.js";
import { isForTable, onHtmx } from "./htmx.js";

const SHOWN_FOR = 8000; // milliseconds
/** The forms that take a decision back. */
export const UNDO = '#undo, [action$="/takeback"]';

/** The last answer of this page: its question, and how often each option was selected. */
let last = { question: "", counts: /** @type {Map<string, number>} */ (new Map()) };
/** @type {HTMLElement | null} */
let note = null;

/** Note the answer that is sent. */
function remember() {
  const counts = new Map(options().map(({ key, count }) => [key, count]));
  last = { question: textOf(query("#question")), counts };
}

/** Return whether the question on the page is the one that was answered last. */
function canRestore() {
  const keys = options().map(({ key }) => key);
  return textOf(query("#question")) === last.question && [...last.counts.keys()].every((key) => keys.includes(key));
}

function restore() {
  hide();
  setCounts(last.counts);
  answerForm()?.requestSubmit(confirmButton());
}

function hide() {
  note?.remove();
  note = null;
}

/**
 * Show a note for a while, instead of the last one.
 * @param {string} text
 * @returns {HTMLElement}
 */
export function showNote(text) {
  hide();
  const shown = Object.assign(document.createElement("p"), { className: "trouble undone", textContent: text });
  get("#live").append(shown);
  note = shown;
  announce(`${text} ${textOf(query("#question"))}`);
  setTimeout(() => note === shown && hide(), SHOWN_FOR);
  return shown;
}

function show() {
  const shown = showNote("Decision taken back.");
  if (!last.counts.size || !answerForm() || !canRestore()) return;
  const button = Object.assign(document.createElement("button"), {
    type: "button",
    className: "button button-small",
    textContent: "Restore",
  });
  button.addEventListener("click", restore);
  shown.append(" ", button);
}

export function initUndo() {
  /** The form that takes a decision back; an update of the table may turn it into another one before the answer comes. */
  let form = /** @type {HTMLElement | null} */ (null);
  onHtmx("beforeRequest", ({ elt }) => {
    if (elt.matches(UNDO)) form = elt;
    if (elt === answerForm() && !isEmpty()) remember();
  });
  document.addEventListener("click", (event) => {
    if (closest(event, "#no-undo")) showNote(textOf(query("#undo-obstacle")));
  });
  onHtmx("afterSwap", (detail) => isForTable(detail) && hide());
  onHtmx("afterRequest", ({ elt, successful }) => {
    if (elt !== form) return;
    form = null;
    if (successful && !query("#takeback, #card .refused")) show();
  });
}
