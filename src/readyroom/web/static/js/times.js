/** Times in the reader's own time zone. */

import { queryAll } from "./dom.js";

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
