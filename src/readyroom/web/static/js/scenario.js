/**
 * The page on which a scenario is made: checks the draft as one types, keeps form and text in step, and redraws the board.
 */

import { get, query, queryAll } from "./dom.js";

/** The milliseconds after the last key until the draft is checked, and until a busy server is asked again. */
const PAUSE = 350;
const AGAIN = 2500;

/**
 * What the server returns for a draft.
 * @typedef {{ text: string, valid: boolean, message: string, errors: Record<string, string>, form: string | null,
 *   board: string | null }} Checked
 */

const form = /** @type {HTMLFormElement} */ (get(".scenario-form"));
const text = /** @type {HTMLTextAreaElement} */ (get("#text"));
const mode = /** @type {HTMLInputElement} */ (get("[name=mode]", form));
const message = get("#message");
const opening = get("#opening");
const panel = get("#panel-form");
const tabs = queryAll("[role=tab]");

let changed = false;
let timer = 0;
/** @type {AbortController | null} */
let asking = null;

/**
 * Send the draft to be checked, and show what is returned; a later call replaces this one.
 * @param {string} action the value of the button that was pressed, if any
 */
async function check(action = "") {
  window.clearTimeout(timer);
  asking?.abort();
  const own = (asking = new AbortController());
  // Without files, the fields are sent as in the address of a page: that has no limit of parts.
  const data = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  if (action) data.set("do", action);
  opening.classList.add("is-old");
  try {
    const response = await fetch(get("[data-check]").dataset.check ?? "", {
      method: "POST",
      body: data,
      signal: own.signal,
      headers: { Accept: "application/json" },
    });
    if (!response.ok) throw new Error(String(response.status));
    show(await response.json(), action);
  } catch {
    if (own.signal.aborted) return;
    message.className = "refused";
    message.textContent = "The server did not answer. What you have typed is still here.";
    timer = window.setTimeout(() => void check(), AGAIN);
  }
}

/**
 * Show a checked draft: its text or its form, whichever one does not type in, its errors, and its board.
 * @param {Checked} checked
 * @param {string} action
 */
function show(checked, action) {
  if (mode.value === "form" && text.value !== checked.text) text.value = checked.text;
  if (checked.form !== null) redraw(checked.form, action);
  for (const old of queryAll(".wrong", panel)) {
    old.hidden = true;
    old.textContent = "";
  }
  for (const field of queryAll("[aria-invalid]", panel)) field.removeAttribute("aria-invalid");
  for (const [name, reason] of Object.entries(checked.errors)) mark(name, reason);
  message.className = checked.message || !checked.valid ? "refused" : "noted";
  message.textContent =
    checked.message || (checked.valid ? "This scenario can be played." : "Please fix the highlighted fields.");
  if (checked.board !== null) {
    opening.innerHTML = checked.board;
    opening.classList.remove("is-old");
  }
}

/**
 * Show what is wrong at a field or a group, and open the groups around it.
 * @param {string} name
 * @param {string} reason
 */
function mark(name, reason) {
  const wrong = document.getElementById(`wrong-${name}`);
  if (!wrong) return;
  wrong.textContent = reason;
  wrong.hidden = false;
  const field = document.getElementById(`f:${name}`);
  if (field) {
    field.setAttribute("aria-invalid", "true");
    const described = (field.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean);
    if (!described.includes(wrong.id)) field.setAttribute("aria-describedby", [...described, wrong.id].join(" "));
  }
  for (let around = wrong.closest("details"); around; around = around.parentElement?.closest("details") ?? null) {
    around.open = true;
  }
}

/**
 * Replace the fields, keep which groups are open, and focus what was added or where something was removed.
 * @param {string} html
 * @param {string} action
 */
function redraw(html, action) {
  const open = new Map(queryAll("details[id]", panel).map((one) => [one.id, /** @type {any} */ (one).open]));
  const before = new Set(queryAll("[id]", panel).map((one) => one.id));
  const inside = panel.contains(document.activeElement);
  panel.innerHTML = html;
  for (const [id, isOpen] of open) {
    const group = /** @type {HTMLDetailsElement | null} */ (document.getElementById(id));
    if (group) group.open = isOpen;
  }
  if (!action || !inside) return;
  const [verb, name] = [action.slice(0, action.indexOf(":")), action.slice(action.indexOf(":") + 1)];
  const added = queryAll("details[id], input[id], select[id], textarea[id]", panel).find((one) => !before.has(one.id));
  if (verb === "add" && added) {
    for (let around = added.closest("details"); around; around = around.parentElement?.closest("details") ?? null) {
      around.open = true;
    }
    focusOn(added);
  } else {
    const around = name.slice(0, name.lastIndexOf("/"));
    const group = document.getElementById(`group-${around}`) ?? document.getElementById(`group-${name}`);
    if (group) focusOn(group);
  }
}

/**
 * Focus a field, or the summary of a group.
 * @param {HTMLElement} element
 */
function focusOn(element) {
  const target = element.tagName === "DETAILS" ? query("summary", element) : element;
  target?.focus();
  target?.scrollIntoView({ block: "nearest" });
}

/**
 * Note which part is typed in, and check the draft after a pause.
 * @param {Event} event
 */
function typed(event) {
  if (!(event.target instanceof HTMLElement)) return;
  if (event.target.id !== "side") {
    if (event.target.id.startsWith("key:")) return;
    mode.value = event.target === text ? "text" : "form";
    changed = true;
    get("#state").textContent = "Not saved";
  }
  window.clearTimeout(timer);
  timer = window.setTimeout(() => void check(), event.type === "change" ? 0 : PAUSE);
}

/**
 * Show the form or the text.
 * @param {HTMLElement} chosen
 */
function choose(chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute("aria-selected", String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    get(`#${tab.getAttribute("aria-controls")}`).hidden = !isChosen;
  }
}

form.addEventListener("input", typed);
form.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest("button") : null;
  if (!button) return;
  if (/^(add|remove):/.test(button.value)) {
    event.preventDefault();
    mode.value = "form";
    changed = true;
    get("#state").textContent = "Not saved";
    void check(button.value);
  }
});
form.addEventListener("keydown", (event) => {
  const isField = event.target instanceof HTMLInputElement;
  if (event.key !== "Enter" || !isField) return;
  event.preventDefault(); // Enter in a field checks the draft and does not leave the page
  const adding = event.target instanceof HTMLElement && event.target.id.startsWith("key:");
  if (adding) {
    const button = event.target.closest(".add")?.querySelector("button");
    if (button) button.click();
  } else void check();
});
form.addEventListener("submit", () => (changed = false));
window.addEventListener("beforeunload", (event) => {
  if (changed) event.preventDefault();
});

get(".scenario-tabs").hidden = false;
for (const part of ["panel-form", "panel-text"]) get(`#${part}`).setAttribute("role", "tabpanel");
for (const [at, tab] of tabs.entries()) {
  tab.addEventListener("click", () => choose(tab));
  tab.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = tabs[(at + 1) % tabs.length];
    if (!other) return;
    choose(other);
    other.focus();
  });
}
choose(get("#tab-form"));
if (!query(".board", opening)) void check(); // the page did not wait for a slow board
