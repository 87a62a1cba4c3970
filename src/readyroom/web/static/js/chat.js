/**
 * The docked chat: the number of unread messages and the chosen recipients, also after a reload, a note about a message that
 * arrives out of sight, and who is writing one.
 */

import { get, query, queryAll, textOf } from "./dom.js";
import { onHtmx } from "./htmx.js";
import { showUnread } from "./title.js";

const LONGEST = 120; // characters
const SHOWN_FOR = 12_000; // milliseconds
const TYPING_FOR = 7000; // milliseconds: longer than between two signals
const WIDE = "(min-width: 60rem)";

let hiding = 0;
let fading = 0;

/** @returns {HTMLDetailsElement | null} */
const dock = () => query("#dock");
const storageKey = () => `readyroom-read-${dock()?.dataset.match}`;
/** @param {HTMLElement} message */
const numberOf = (message) => Number(message.id.slice("message-".length));
const messages = () => queryAll("#said .message");
const isInSight = () => Boolean(dock()?.open) && !document.hidden;

/** Show the number of unread messages of others; none is unread once the player sees them. */
function count() {
  const newest = Math.max(0, ...messages().map(numberOf));
  if (isInSight()) localStorage.setItem(storageKey(), String(newest));
  const read = Number(localStorage.getItem(storageKey()));
  const unread = messages().filter((message) => numberOf(message) > read && !message.matches(".is-own")).length;
  const badge = get("#unread");
  badge.hidden = !unread;
  badge.textContent = unread ? String(unread) : "";
  if (unread) badge.insertAdjacentHTML("beforeend", '<span class="unseen"> unread</span>');
  else get("#new-message").hidden = true;
  showUnread(unread);
}

/** Show the newest message, which the player cannot see, for a while; the badge stays. */
function showNewest() {
  const message = messages().at(-1);
  if (!message) return;
  const note = get("#new-message");
  const text = textOf(query(".message-text", message));
  note.textContent = `${textOf(query("b", message))}: ${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}`;
  note.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (note.hidden = true), SHOWN_FOR);
}

/**
 * Show for a while that another player is writing; without a player, no longer.
 * @param {HTMLElement | null} [person] in the list of who is here
 */
function showTyping(person) {
  clearTimeout(fading);
  if (person) fading = setTimeout(showTyping, TYPING_FOR);
  get("#typing").textContent = person ? `${textOf(query(".side-name", person))} is typing …` : "";
}

/** Show the last messages of the open dock. */
function scrollToEnd() {
  const said = get("#said");
  said.scrollTop = said.scrollHeight;
}

/**
 * Open the dock and focus its message field; on a narrow screen the messages, which the keyboard there would cover.
 *
 * @param {HTMLDetailsElement} element
 */
function open(element) {
  element.open = true;
  /** @type {HTMLElement | null} */
  const field = matchMedia(WIDE).matches ? query("#say-text") : null;
  /** @type {HTMLElement} */ (field ?? get("#said")).focus({ preventScroll: true });
}

/** Keep the choice of recipients in this browser: a secret must not go to everyone because the page was loaded again. */
function keepRecipients() {
  /** @type {HTMLSelectElement | null} */
  const select = query("#say-to");
  if (!select) return;
  const key = `readyroom-to-${dock()?.dataset.match}`;
  select.value = localStorage.getItem(key) ?? select.value;
  select.addEventListener("change", () => localStorage.setItem(key, select.value));
}

export function initChat() {
  const element = dock();
  if (!element) return;
  keepRecipients();
  let newest = messages().at(-1)?.id;
  element.addEventListener("toggle", () => {
    if (element.open) scrollToEnd();
    count();
  });
  element.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !element.open) return;
    element.open = false;
    get("summary", element).focus();
  });
  document.addEventListener("visibilitychange", count);
  get("#typing").addEventListener("sse:typing", (event) => {
    const { data } = /** @type {CustomEvent<MessageEvent>} */ (event).detail;
    const person = queryAll("#presence li:not(.muted)")[Number(data)];
    if (person && !person.matches(".is-me")) showTyping(person);
  });
  onHtmx("afterSwap", ({ target }) => {
    const last = messages().at(-1)?.id;
    if (target?.id !== "said" || last === newest) return;
    newest = last;
    showTyping();
    if (element.open) scrollToEnd();
    if (!isInSight() && !messages().at(-1)?.matches(".is-own")) showNewest();
    count();
  });
  onHtmx("afterRequest", ({ elt, successful, requestConfig }) => {
    if (!successful || !(elt instanceof HTMLFormElement) || !elt.matches(".say")) return;
    const field = /** @type {HTMLInputElement} */ (get("#say-text"));
    if (field.value === requestConfig.parameters.text) field.value = ""; // else the next message has been begun
  });
  get("#new-message").addEventListener("click", (event) => {
    event.preventDefault();
    open(element);
  });
  // At once: the "toggle" event comes after keys that are typed quickly.
  get("summary", element).addEventListener("click", (event) => {
    if (element.open) return;
    event.preventDefault();
    open(element);
  });
  count();
}
