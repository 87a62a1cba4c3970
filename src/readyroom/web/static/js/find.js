/** The field above a long list of options: it shows those whose text has all words that are typed. */

import { options, toggle } from "./answer.js";
import { announce, query, queryAll, textOf } from "./dom.js";
import { isForTable, onHtmx } from "./htmx.js";

/** @returns {HTMLInputElement | null} */
const field = () => query("#find-option");

/**
 * Return whether a text has all words of a search; case and accents do not count.
 * @param {string} text
 * @param {string} search
 */
export function matches(text, search) {
  const fold = (/** @type {string} */ some) => some.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const folded = fold(text);
  return fold(search)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}

/** Show the options that match, and those that are selected. */
function filter() {
  const search = field()?.value ?? "";
  const rows = options();
  let found = 0;
  for (const { row, count } of rows) {
    const isFound = matches(textOf(query(".text", row)), search);
    row.hidden = !isFound && !count;
    found += Number(isFound);
  }
  for (const part of queryAll("#answer .row, #answer .group")) {
    part.hidden = queryAll("[data-key]", part).every(({ hidden }) => hidden);
  }
  const output = query("#found");
  if (output) output.textContent = search.trim() ? `${found} of ${rows.length}` : "";
}

/** @param {string} search */
function setSearch(search) {
  const input = field();
  if (input) input.value = search;
  filter();
}

/** Select the first option that matches and is not selected, and begin a new search. */
function pickFirst() {
  const search = field()?.value ?? "";
  const first = options().find(({ row, count }) => !count && matches(textOf(query(".text", row)), search));
  if (!search.trim() || !first || !toggle(first.key)) return;
  announce(`${first.text} selected.`);
  setSearch("");
}

/** @param {KeyboardEvent} event */
function handleKeydown(event) {
  if (event.target !== field()) return;
  const { key } = event;
  if (key === "Enter") pickFirst();
  else if (key === "Escape") setSearch("");
  else if (key === "ArrowDown")
    options()
      .find(({ row }) => !row.hidden)
      ?.input.focus();
  else return;
  event.preventDefault();
}

export function initFind() {
  document.addEventListener("input", ({ target }) => {
    if (target === field()) filter();
  });
  document.addEventListener("change", () => {
    if (field()?.value) filter();
  });
  document.addEventListener("keydown", handleKeydown);
  onHtmx("afterSwap", (detail) => {
    if (isForTable(detail) && field()) filter();
  });
  filter();
}
