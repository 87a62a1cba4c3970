/** Helpers to find elements and to announce text to screen readers. */

/**
 * Return the first element that matches a selector, or null.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {T | null}
 */
export function query(selector, root = document) {
  return root.querySelector(selector);
}

/**
 * Return the first element that matches a selector; throw if there is none.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {T}
 */
export function get(selector, root = document) {
  /** @type {T | null} */
  const found = root.querySelector(selector);
  if (!found) throw new Error(`No element matches ${selector}.`);
  return found;
}

/**
 * Return all elements that match a selector.
 * @template {Element} [T=HTMLElement]
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {T[]}
 */
export function queryAll(selector, root = document) {
  return [.../** @type {NodeListOf<T>} */ (root.querySelectorAll(selector))];
}

/**
 * Return the closest element around the target of an event that matches a selector, or null.
 * @template {Element} [T=HTMLElement]
 * @param {Event} event
 * @param {string} selector
 * @returns {T | null}
 */
export function closest({ target }, selector) {
  const element = target instanceof Element ? target : target instanceof Node ? target.parentElement : null;
  return element?.closest(selector) ?? null;
}

/**
 * Return the text of an element, with each run of white space as one space.
 * @param {Element | null} element
 */
export function textOf(element) {
  return collapse(element?.textContent ?? "");
}

/**
 * Replace each run of white space by one space.
 * @param {string} text
 */
export function collapse(text) {
  return text.replace(/\s+/g, " ").trim();
}

/**
 * Return a text with its first letter as a capital.
 * @param {string} text
 */
export function capitalize(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Split a list of keys, as in `data-among`.
 * @param {string | undefined} text
 */
export function splitKeys(text) {
  return (text ?? "").split(" ").filter(Boolean);
}

/**
 * Return whether an element is rendered.
 * @param {Element} element
 */
export function isVisible(element) {
  return element.getClientRects().length > 0;
}

/**
 * Focus an element and scroll it into view.
 * @param {HTMLElement | SVGElement} element
 */
export function focusInView(element) {
  element.focus();
  element.scrollIntoView({ block: "nearest" });
}

/**
 * Announce text to screen readers. A repeated text gets a trailing space, or it would not be read again.
 * @param {string} text
 */
export function announce(text) {
  const region = query("#announcer");
  if (region) region.textContent = text === region.textContent ? `${text}\u00a0` : text;
}

/**
 * Show an error above the table; an empty text hides it.
 * @param {string} text
 */
export function showError(text) {
  const box = query("#trouble");
  if (!box) return;
  box.textContent = text;
  box.hidden = !text;
}

/**
 * Return what to show of a time: hours and minutes today, the day as well at other times.
 * @param {Date} time
 * @param {Date} now
 * @returns {Intl.DateTimeFormatOptions}
 */
export function timeFormat(time, now) {
  const isToday = time.toDateString() === now.toDateString();
  return { hour: "2-digit", minute: "2-digit", ...(isToday ? {} : { day: "numeric", month: "short" }) };
}

/** Show all times of the page in local time. */
export function localizeTimes() {
  /** @type {HTMLTimeElement[]} */
  const elements = queryAll("time[datetime]:not([data-local])");
  for (const element of elements) {
    const time = new Date(element.dateTime);
    element.textContent = time.toLocaleString([], timeFormat(time, new Date()));
    element.dataset.local = "";
  }
}
