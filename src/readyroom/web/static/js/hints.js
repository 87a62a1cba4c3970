/** The analysis of a decision's answers, which is requested for one decision and shown at no other, and its progress. */

import { answerForm, currentSelection, decisionId } from "./answer.js";
import { announce, closest, focusInView, get, query, textOf } from "./dom.js";
import { isForTable, onHtmx } from "./htmx.js";
import { keysText, problemOf } from "./selection.js";

const EVERY = 700; // milliseconds between requests for the progress

/** The decision that is analyzed now. @type {string | undefined} */
let analyzed;
let timer = 0;
/** @type {XMLHttpRequest | null} */
let request = null;
/** What the page says about the progress, in percent; a new version of the table does not know it. */
const progress = { text: "", done: 0 };

/** @param {import("./htmx.js").Detail} detail */
const isAnalysis = ({ target }) => target?.id === "analysis";

/**
 * Return the decision that an analysis is for, if the text is one.
 * @param {string} html
 */
export function analyzedDecision(html) {
  return /class="analysis" data-for="([^"]*)"/.exec(html)?.[1];
}

/**
 * Return whether a swap would remove an analysis of the decision that is still open.
 * @param {Element} element
 * @param {Element} next
 */
export function keepsAnalysis(element, next) {
  return (
    element.id === "analysis" &&
    element.getAttribute("data-for") === next.getAttribute("data-for") &&
    !next.firstElementChild
  );
}

/** Remove the analysis, whose place the log takes, and the rule or chart that was read with it. */
export function closeAnalysis() {
  query("#analysis")?.replaceChildren();
  query("#help")?.hidePopover();
}

function showProgress() {
  const box = query("#analyzing");
  if (!box) return;
  box.hidden = !analyzed;
  get("label", box).textContent = progress.text;
  /** @type {HTMLProgressElement} */
  const bar = get("progress", box);
  if (progress.done) bar.value = progress.done;
  else bar.removeAttribute("value");
}

/** Request the progress until the analysis is over. */
async function followProgress() {
  const link = query("#ask-analysis");
  if (!link) return; // the decision is over
  const url = new URL(link.getAttribute("href") ?? "", location.href);
  url.pathname += "/progress";
  const response = await fetch(url).catch(() => null);
  if (!analyzed) return;
  if (response?.ok) {
    const { done, place } = await response.json();
    const text = place ? `Waiting: number ${place} in the queue` : "Analyzing …";
    Object.assign(progress, { done, text: done ? `${done} %` : text });
    showProgress();
  }
  timer = setTimeout(followProgress, EVERY);
}

/** @param {XMLHttpRequest} xhr */
function begin(xhr) {
  request = xhr;
  analyzed = decisionId();
  Object.assign(progress, { text: "Analyzing …", done: 0 });
  announce("Analyzing …");
  showProgress();
  clearTimeout(timer);
  timer = setTimeout(followProgress, EVERY);
}

function end() {
  analyzed = undefined;
  clearTimeout(timer);
  showProgress();
}

/** Stop the request: the server stops the analysis. For htmx it ends without an answer, as an abort would be an error. */
function cancel() {
  if (request) request.onabort = request.onload;
  request?.abort();
  end();
}

export function initHints() {
  onHtmx("configRequest", ({ elt, parameters }) => {
    const now = elt.id === "ask-analysis" && answerForm() && currentSelection();
    if (now && !problemOf(now)) parameters.keys = keysText(now);
  });
  onHtmx("beforeSend", (detail) => {
    if (isAnalysis(detail)) begin(detail.xhr);
  });
  onHtmx("beforeSwap", (detail) => {
    if (!isAnalysis(detail)) return;
    const decision = decisionId();
    if (!decision || analyzedDecision(detail.xhr.responseText) !== decision) detail.shouldSwap = false;
  });
  onHtmx("afterRequest", (detail) => {
    if (isAnalysis(detail)) end();
  });
  onHtmx("afterSwap", (detail) => {
    if (isForTable(detail) && analyzed) {
      if (analyzed === decisionId()) showProgress();
      else cancel();
    }
    if (!isAnalysis(detail)) return;
    announce(textOf(get(".analysis-why")));
    // An analysis that continues by itself takes no focus from what the player does.
    const continued = detail.requestConfig.triggeringEvent?.type === "load";
    if (!continued || document.activeElement === document.body) focusInView(get("#analysis-title"));
  });
  document.addEventListener("click", (event) => {
    if (closest(event, "#stop-analysis")) {
      cancel();
      query("#ask-analysis")?.focus();
    }
    if (closest(event, "#close-analysis")) {
      if (analyzed) cancel();
      closeAnalysis();
      query("#ask-analysis")?.focus();
    }
  });
}
