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
    query("#table")?.classList.remove("on-chart");
    console.warn("The planning chart cannot be shown.", error);
    showError("The planning chart cannot be loaded. Answer the questions one by one, or reload the page.");
  }
}

/** Keep the chart of the planning that is still open when a new version of the page comes. */
function keepChart() {
  const { Idiomorph } = /** @type {{Idiomorph?: {defaults: {callbacks: import("./swap.js").Callbacks}}}} */ (
    globalThis
  );
  if (!Idiomorph) return;
  const { callbacks } = Idiomorph.defaults;
  const { beforeNodeMorphed } = callbacks;
  callbacks.beforeNodeMorphed = (/** @type {Node} */ node, /** @type {Node} */ next) => {
    const planFor = (/** @type {Node} */ one) => one instanceof HTMLElement && one.id === "plan" && one.dataset.for;
    const id = planFor(node);
    return !(id && id === planFor(next)) && beforeNodeMorphed(node, next);
  };
}

/** Show the board again when the answer to a sealed plan comes, for it may play at once. */
function showBoard() {
  const section = query("#plan:has(.is-sealing)");
  if (!section) return;
  section.hidden = true;
  query("#table")?.classList.remove("on-chart");
  scrollTo({ top: 0, behavior: "instant" });
}

keepChart();
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
