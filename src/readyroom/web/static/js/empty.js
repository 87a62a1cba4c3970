/**
 * Questions without a choice. They keep other players from noticing that there is none; where one person plays, the page
 * answers them by itself, unless that is switched off.
 */

import { answerForm, confirmButton, isEmpty, onUpdate } from "./answer.js";
import { query, textOf } from "./dom.js";
import { isForTable, onHtmx } from "./htmx.js";
import { recall, remember } from "./playback/settings.js";
import { showNote, UNDO } from "./undo.js";

const KEY = "readyroom-continue";
const DELAY = 350; // milliseconds in which the question is seen
const BUSY = "#board.is-playing, #away:not([hidden]), #card .refused, .request, dialog[open], #help[open]";

let timer = 0;
/** Whether the last request took a decision back: then an empty question is taken back, too. */
let isUndoing = false;
/** The phases whose questions the page has just answered. @type {Set<string>} */
const skipped = new Set();

const isOn = () => recall(KEY) !== "off";

function pass() {
  if (!isEmpty() || !isOn() || document.hidden || query(BUSY)) return;
  if (isUndoing) {
    if (query("#undo-button[form=undo]")) /** @type {HTMLFormElement | null} */ (query("#undo"))?.requestSubmit();
    return;
  }
  skipped.add(textOf(query(".track .now")));
  answerForm()?.requestSubmit(confirmButton());
}

function passSoon() {
  clearTimeout(timer);
  if (isEmpty() && isOn()) timer = setTimeout(pass, DELAY);
}

function showSetting() {
  /** @type {HTMLInputElement | null} */
  const field = query("#auto-continue");
  if (field) field.checked = isOn();
}

export function initEmpty() {
  onHtmx("beforeRequest", ({ elt }) => {
    if (elt.matches(UNDO)) isUndoing = true;
    if (elt === answerForm()) isUndoing = false;
  });
  onHtmx("afterSwap", (detail) => {
    if (!isForTable(detail)) return;
    showSetting();
    if (skipped.size && !query(".poster-over")) showNote(`Skipped: ${[...skipped].join(", ")}.`, "muted small");
    if (!isEmpty()) skipped.clear();
  });
  document.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLInputElement) || target.id !== "auto-continue") return;
    remember(KEY, target.checked ? "on" : "off");
    passSoon();
  });
  document.addEventListener("visibilitychange", passSoon);
  onUpdate(passSoon);
  showSetting();
  passSoon();
}
