/**
 * Every page: copy buttons, random texts for the dice, the seats of a new match that follow its options, and the service
 * worker with the badge of the installed app.
 */

import { closest, query, queryAll } from "./dom.js";
import { showWaiting } from "./title.js";

const COPIED_FOR = 2500; // milliseconds
const AGAIN = 2000; // milliseconds until a server that cannot be reached is tried again

/** Show the copy and share buttons that work here, and complete links whose server the page could not vouch for. */
export function showCopyButtons() {
  for (const button of queryAll("[data-copy]")) {
    button.hidden = false;
    const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
    if (field.value.startsWith("/")) field.value = location.origin + field.value;
  }
  for (const button of queryAll("[data-share][data-field]")) button.hidden = !("share" in navigator);
}

/** Replace the server's random texts for the dice by the browser's own, unless the player has changed them. */
export function drawWords() {
  for (const element of queryAll("[data-random]")) {
    const field = /** @type {HTMLInputElement} */ (element);
    if (field.value !== field.defaultValue) continue;
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    field.value = btoa(String.fromCharCode(...bytes))
      .replaceAll("+", "-")
      .replaceAll("/", "_");
  }
}

/**
 * Copy the text of a button's field; if the browser refuses, select it.
 * @param {HTMLElement} button
 */
async function copy(button) {
  const field = /** @type {HTMLInputElement} */ (document.getElementById(button.dataset.copy ?? ""));
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(field.value);
    button.textContent = "Copied";
  } catch {
    field.focus();
    field.select();
    button.textContent = "Press Ctrl+C";
  }
  setTimeout(() => {
    button.textContent = label;
  }, COPIED_FOR);
}

/**
 * Show an address in a text field after a button, selected, where the browser lets no script copy.
 * @param {HTMLElement} button
 * @param {string} url
 */
function showLink(button, url) {
  const known = /** @type {HTMLInputElement | null} */ (query(".shared-link"));
  const field = known ?? document.createElement("input");
  Object.assign(field, { type: "text", readOnly: true, className: "mono shared-link", ariaLabel: "Link", value: url });
  button.after(field);
  field.focus();
  field.select();
}

/**
 * Share a match by the browser, or copy its address.
 * @param {HTMLElement} button
 */
async function share(button) {
  const { share: path = "", title = "", text = "" } = button.dataset;
  const url = new URL(path, location.href).href;
  const label = button.textContent;
  try {
    if (navigator.share) await navigator.share({ title, text, url });
    else {
      await navigator.clipboard.writeText(url);
      button.textContent = "Link copied";
    }
  } catch (error) {
    if (/** @type {Error} */ (error).name === "AbortError") return; // the player has closed the browser's dialog
    button.textContent = "Press Ctrl+C";
    showLink(button, url);
  }
  setTimeout(() => {
    button.textContent = label;
  }, COPIED_FOR);
}

/** Links to a rule, a term or a chart, which open next to it; on the pages of the games themselves they are followed. */
const HELP_LINK = /^\/games\/[\w-]+\/(rules|charts)$/;

/**
 * Show the rule, term or chart of a link in a pop-over, unless the player wants another tab.
 * @param {MouseEvent} event
 */
async function showHelp(event) {
  const link = /** @type {HTMLAnchorElement | null} */ (closest(event, "a[href]"));
  const isPlain = !event.defaultPrevented && !(event.ctrlKey || event.metaKey || event.shiftKey || event.altKey);
  if (!link?.hash || !isPlain || link.id === "help-whole" || !("popover" in HTMLElement.prototype)) return;
  const isHelp = link.origin === location.origin && HELP_LINK.test(link.pathname);
  if (!isHelp || location.pathname.startsWith("/games/")) return;
  event.preventDefault();
  const help = await import("./help.js");
  help.showHelp(link);
}

/**
 * Replace a part of the page by that of a response; return whether the response has it.
 * @param {string} selector
 * @param {RequestInfo} request
 */
async function replacePart(selector, request) {
  const response = await fetch(request);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const part = query(selector, page);
  if (part) query(selector)?.replaceWith(document.adoptNode(part));
  return part !== null;
}

/**
 * Replace a part of the page by the one that the server has now, as soon as it can be reached; return whether it has the part.
 * @param {string} selector
 */
export async function refreshPart(selector) {
  for (;;) {
    const isThere = await replacePart(selector, location.pathname).catch(() => null);
    if (isThere !== null) return isThere;
    await new Promise((resolve) => setTimeout(resolve, AGAIN));
  }
}

/** The update of the seats that is under way. @type {AbortController | null} */
let updating = null;

/**
 * Update the seats of a new match after a change of its scenario or options, or of the seats while such an update is under way.
 * @param {HTMLFormElement} form
 */
async function updateSeats(form) {
  updating?.abort();
  const own = (updating = new AbortController());
  const body = new FormData(form);
  body.set("do", "look");
  body.delete("file");
  await replacePart("#seats", new Request(form.action, { method: "POST", body, signal: own.signal })).catch(() => {});
  if (updating === own) updating = null;
}

/**
 * Show what the bot chosen for a seat is like, and nothing of the others.
 * @param {HTMLSelectElement} seat
 */
function showBot(seat) {
  const texts = seat.parentElement?.querySelectorAll("[data-bot]") ?? [];
  for (const text of /** @type {Iterable<HTMLElement>} */ (texts)) text.hidden = text.dataset.bot !== seat.value;
}

/** Install the service worker once the page is complete, and reload the page that it shows without a connection. */
function initWorker() {
  if (query("[data-offline]")) addEventListener("online", () => location.reload());
  if (!("serviceWorker" in navigator)) return;
  addEventListener("load", () => navigator.serviceWorker.register("/service-worker.js").catch(() => {}));
}

showCopyButtons();
drawWords();
showWaiting();
initWorker();
document.addEventListener("click", (event) => {
  const button = closest(event, "[data-copy]");
  if (button) copy(button);
  const sharing = closest(event, "[data-share]");
  if (sharing) share(sharing);
  const picture = /** @type {HTMLAnchorElement | null} */ (closest(event, "[data-picture]"));
  if (picture) {
    event.preventDefault();
    import("./picture.js").then((module) => module.sharePicture(picture));
  }
  showHelp(event);
});
document.addEventListener("change", (event) => {
  const changed = updating ? "[data-look], #seats *" : "[data-look]";
  const form = /** @type {HTMLInputElement | null} */ (closest(event, changed))?.form;
  if (form) updateSeats(form);
  const seat = /** @type {HTMLSelectElement | null} */ (closest(event, ".seat-field select"));
  if (seat) showBot(seat);
  const applied = /** @type {HTMLInputElement | null} */ (closest(event, "[data-apply] :is(select, input)"))?.form;
  applied?.requestSubmit();
});
document.addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement | null} */ (closest(event, ".schemes"));
  const button = /** @type {HTMLButtonElement | null} */ (event.submitter);
  if (!form || !button) return;
  event.preventDefault();
  (await import("./theme.js")).switchTheme(form, button);
});
query("#wrong-form")?.focus();
