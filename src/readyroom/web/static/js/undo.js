/** The menu, short notes in the decision card, such as why nothing can be undone, the order of the log, and the field to find options. */

import { announce, closest, get, query, textOf } from "./dom.js";

const SHOWN_FOR = 8000; // milliseconds
/** The forms that take a decision back. */
export const UNDO = '#undo, [action$="/takeback"]';

/**
 * Show a note for a while, instead of the last one; the next version of the table has none.
 * @param {string} text
 * @param {string} [className]
 */
export function showNote(text, className = "noted") {
  query("#note")?.remove();
  const note = Object.assign(document.createElement("p"), { id: "note", className, textContent: text });
  const handle = query("#card > .handle");
  if (handle) handle.after(note);
  else get("#card").prepend(note);
  announce(`${text} ${textOf(query("#question"))}`);
  setTimeout(() => note.remove(), SHOWN_FOR);
}

/** @type {Promise<void> | null} */
let find = null;

export function initUndo() {
  document.addEventListener("focusin", (event) => {
    if (closest(event, "#find-option")) find ??= import("./find.js").then(({ initFind }) => initFind());
  });
  document.addEventListener("click", (event) => {
    if (closest(event, "#menu button:not([popovertarget])")) get("#menu").hidePopover();
    if (closest(event, "#no-undo")) showNote(textOf(query("#undo-obstacle")));
    if (closest(event, "#log-order")) import("./log-order.js").then(({ turnLog }) => turnLog());
  });
}
