/** The analysis of a decision's answers, which is requested for one decision and shown at no other. */

import { decisionId } from "./answer.js";
import { announce, focusInView, get, textOf } from "./dom.js";
import { onHtmx } from "./htmx.js";

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

export function initHints() {
  onHtmx("beforeRequest", (detail) => {
    if (isAnalysis(detail)) announce("Analyzing …");
  });
  onHtmx("beforeSwap", (detail) => {
    if (!isAnalysis(detail)) return;
    const decision = decisionId();
    if (!decision || analyzedDecision(detail.xhr.responseText) !== decision) detail.shouldSwap = false;
  });
  onHtmx("afterSwap", (detail) => {
    if (!isAnalysis(detail)) return;
    announce(textOf(get(".analysis-why")));
    focusInView(get("#analysis-title"));
  });
}
