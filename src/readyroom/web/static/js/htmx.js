/** Events of htmx, with their types, and requests for the newest version of the page. */

import { query } from "./dom.js";

/**
 * @typedef {object} Detail
 * @property {HTMLElement} elt
 * @property {HTMLElement | null} target
 * @property {XMLHttpRequest} xhr
 * @property {RequestConfig} requestConfig
 * @property {boolean} successful
 * @property {boolean} shouldSwap
 * @property {boolean} isError
 * @property {Record<string, string>} headers
 * @property {Record<string, string>} parameters
 *
 * @typedef {object} RequestConfig
 * @property {string} verb
 * @property {Record<string, string>} parameters
 * @property {Event} [triggeringEvent]
 *
 * @typedef {object} Htmx
 * @property {(element: Element, name: string, detail?: object) => void} trigger
 * @property {(target: Element, html: string, how: object, options: object) => void} swap
 */

/** Return htmx, if it has loaded. */
export const htmx = () => /** @type {{htmx?: Htmx}} */ (globalThis).htmx;

/**
 * Listen to an event of htmx.
 * @param {string} name without its "htmx:"
 * @param {(detail: Detail, event: Event) => void} handler
 * @param {boolean} [capture]
 */
export function onHtmx(name, handler, capture = false) {
  document.addEventListener(
    `htmx:${name}`,
    (event) => handler(/** @type {CustomEvent<Detail>} */ (event).detail, event),
    capture,
  );
}

/**
 * Return whether a request is for the table of a match.
 * @param {Detail} detail
 */
export function isForTable({ target }) {
  return target?.id === "table";
}

/**
 * Show the table of a response whose swap was prevented.
 * @param {Detail} detail
 */
export function swapTable(detail) {
  const table = query("#table");
  if (!table) return;
  const how = { swapStyle: "morph:innerHTML", settleDelay: 20 };
  htmx()?.swap(table, detail.xhr.responseText, how, { contextElement: table, eventInfo: detail });
}

/** Request the table or the step of the replay again. */
export function refresh() {
  const part = query("#table, #replay");
  if (part) htmx()?.trigger(part, "again");
}
