/** Keeps the table up to date: requests of htmx, the stream of events, and what to show when the server is away. */

import { closest, collapse, localizeTimes, query, showError } from "./dom.js";
import { isForTable, onHtmx, refresh } from "./htmx.js";
import { holdSwap, newestRevision } from "./playback/queue.js";
import { afterSwap, beforeSwap } from "./swap.js";

/** @typedef {import("./htmx.js").Detail} Detail */

/**
 * Return the revision of a table that the server has sent; -1 if the text is no table.
 * @param {string} html
 */
export function revisionIn(html) {
  return Number(/data-revision="(\d+)"/.exec(html)?.[1] ?? -1);
}

/** @param {Detail} detail */
const isFromStream = ({ requestConfig }) => requestConfig.triggeringEvent?.type === "sse:moved";
/** @param {Detail} detail */
const isPost = (detail) => isForTable(detail) && detail.requestConfig.verb === "post";
/** @param {Detail} detail */
const isConflict = ({ xhr }) => xhr.status === 409 && revisionIn(xhr.responseText) >= 0;

// A player's own move comes twice, as the response and from the stream. The stream waits for the response.
let posting = 0;
let held = -1;
let timer = 0;

/**
 * Skip the request for a revision that the table has, or that the response of a POST will bring.
 * @param {Detail} detail
 * @param {Event} event
 */
function handleBeforeRequest(detail, event) {
  if (isPost(detail)) posting += 1;
  if (!isFromStream(detail)) return;
  const trigger = /** @type {CustomEvent<MessageEvent | null>} */ (detail.requestConfig.triggeringEvent);
  const revision = Number(trigger.detail?.data);
  if (!revision) return;
  if (posting) held = Math.max(held, revision);
  if (posting || revision <= newestRevision()) event.preventDefault();
}

/** Request what the stream has announced while a POST was under way. */
function releaseHeld() {
  posting = Math.max(0, posting - 1);
  if (posting) return;
  if (held > newestRevision()) refresh();
  held = -1;
}

/** @param {Detail} detail */
function handleBeforeSwap(detail) {
  if (!isForTable(detail)) return;
  if (isConflict(detail)) {
    detail.shouldSwap = true;
    detail.isError = false;
  }
  if (!detail.shouldSwap) return;
  const revision = revisionIn(detail.xhr.responseText);
  const isOld = isFromStream(detail) ? revision <= newestRevision() : revision < newestRevision();
  if (isOld) detail.shouldSwap = false;
  else if (holdSwap(detail)) detail.shouldSwap = false;
  else beforeSwap();
}

/**
 * Show the error of a response that is one.
 * @param {Detail} detail
 */
function handleAfterRequest(detail) {
  const { successful, xhr } = detail;
  if (isPost(detail)) releaseHeld();
  if (successful) showError("");
  else if (xhr.status && !isConflict(detail)) {
    const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
    showError(collapse(page.body.textContent ?? "") || `The server rejected the request (${xhr.status}).`);
  }
}

/** On a phone, let a swipe on its handle expand or collapse the decision. */
function watchHandle() {
  /** @type {number | null} */
  let start = null;
  document.addEventListener("pointerdown", (event) => {
    start = closest(event, ".handle") ? event.clientY : null;
  });
  document.addEventListener("pointerup", ({ clientY }) => {
    const field = /** @type {HTMLInputElement | null} */ (query("#expanded"));
    if (field && start !== null && Math.abs(clientY - start) >= 20) field.checked = clientY < start;
  });
}

export function initLive() {
  onHtmx("beforeRequest", handleBeforeRequest);
  onHtmx("beforeSwap", handleBeforeSwap);
  onHtmx("afterSwap", (detail) => {
    if (isForTable(detail)) afterSwap();
    localizeTimes();
  });
  onHtmx("afterRequest", handleAfterRequest);
  onHtmx("sendError", () => {
    showError("Cannot reach the server. Your selection is kept. Try again in a moment.");
    clearTimeout(timer);
    timer = setTimeout(refresh, 3000); // once it can be reached, this hides the message
  });
  if (query("[sse-connect]")) import("./stream.js").then(({ initStream }) => initStream(newestRevision));
  watchHandle();
}
