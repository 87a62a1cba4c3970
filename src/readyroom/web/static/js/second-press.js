/**
 * Keeps a press that was meant for the last decision from answering the next one: its confirm button has the same place.
 * The button stays disabled for a moment if the pointer was there already, or if Enter was pressed last. A player who
 * moves the pointer away, touches something else or presses another key has seen the new decision, and waits no longer. A
 * press that would choose nothing of a new question, though something can be chosen, must be repeated.
 */

import { answerForm, currentSelection, decisionId, onUpdate } from "./answer.js";
import { announce, get, query } from "./dom.js";
import { contains } from "./placing.js";
import { countSelected } from "./selection.js";

const MOMENT = 400; // milliseconds
const NEW = 2000; // milliseconds
const AGAIN = "Nothing selected. Press again to choose nothing.";

/** Where the pointer was last, or the last touch. */
const pointer = { x: -1, y: -1 };
let isEnterLast = false;
/** @type {HTMLButtonElement | null} */
let disabled = null;
let timer = 0;
/** When the question came, unless a press has been held since. */
let since = 0;

/** Return the confirm button, if there is one now. */
const button = () => /** @type {HTMLButtonElement | null} */ (query("#confirm"));

/** Return whether the pointer is over the confirm button. */
function isPointed() {
  const box = button()?.getBoundingClientRect();
  return box !== undefined && contains(box, pointer.x, pointer.y);
}

function enable() {
  clearTimeout(timer);
  if (disabled) disabled.disabled = false;
  disabled = null;
}

/** Disable the button of a new decision for a moment, if a press may still be meant for the last one. */
function disable() {
  enable();
  if (!isEnterLast && !isPointed()) return;
  disabled = button();
  if (!disabled) return;
  disabled.disabled = true;
  timer = setTimeout(enable, MOMENT);
}

/** @param {PointerEvent} event */
function follow({ clientX, clientY }) {
  Object.assign(pointer, { x: clientX, y: clientY });
  isEnterLast = false;
  if (disabled && !isPointed()) enable();
}

/**
 * Hold the first press that chooses nothing of a new question, unless that was suggested.
 * @param {SubmitEvent} event
 */
function holdNone(event) {
  const form = answerForm();
  if (!form || event.target !== form || isEnterLast || Date.now() - since > NEW || "filled" in form.dataset) return;
  const { options } = currentSelection();
  if (!options.length || countSelected(options)) return;
  since = 0;
  event.preventDefault();
  event.stopImmediatePropagation();
  get("#tally").textContent = AGAIN;
  announce(AGAIN);
}

export function initSecondPress() {
  let known = decisionId();
  onUpdate(() => {
    const id = decisionId();
    // Later, as htmx enables the button that it has disabled during the request.
    if (id && id !== known) {
      queueMicrotask(disable);
      since = Date.now();
    }
    known = id ?? known;
  });
  for (const name of /** @type {const} */ (["pointermove", "pointerdown"]))
    document.addEventListener(name, follow, true);
  document.addEventListener("submit", holdNone, true);
  document.addEventListener(
    "keydown",
    ({ key }) => {
      isEnterLast = key === "Enter";
      if (!isEnterLast) enable();
    },
    true,
  );
}
