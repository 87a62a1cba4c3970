/** Opens the planning chart of a game, whose scripts are loaded only where a seat may plan. */

import { closest, query, showError } from "./dom.js";
import { isForTable, onHtmx } from "./htmx.js";

/** Open the chart of the planning that is on the page, or close one whose planning is over. */
async function look(isAsked = false) {
  const section = query("#plan");
  if (!section) {
    query("#table")?.classList.remove("on-chart");
    return;
  }
  try {
    const { openPlan } = await import("./plans/editor.js");
    await openPlan(section, isAsked);
  } catch (error) {
    console.warn("The planning chart cannot be shown.", error);
    showError("The planning chart cannot be loaded. Answer the questions one by one, or reload the page.");
  }
}

/**
 * Return whether a swap would replace the chart of the planning that is still open.
 * @param {Element} element
 * @param {Element} next
 */
export function keepsPlan(element, next) {
  return element.id === "plan" && element.getAttribute("data-for") === next.getAttribute("data-for");
}

/** Show the board again when the answer to a sealed plan comes, for it may play at once. */
function showBoard() {
  const section = query("#plan:has(.is-sealing)");
  if (!section) return;
  section.hidden = true;
  query("#table")?.classList.remove("on-chart");
}

export function initPlan() {
  onHtmx(
    "beforeSwap",
    (detail) => {
      if (isForTable(detail) && detail.xhr.status === 200) showBoard();
    },
    true,
  );
  onHtmx("afterSettle", ({ target }) => {
    if (target?.id === "table") look();
  });
  document.addEventListener("click", (event) => {
    if (closest(event, '[data-plan="open"]')) look(true);
  });
  look();
}
