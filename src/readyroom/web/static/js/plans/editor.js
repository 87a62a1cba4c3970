/**
 * A plan that is made on a chart: its draft, which the server checks after each change, what is left to spend, what is not
 * legal yet and by which rule, and the envelope that seals it. The game's own script draws the chart.
 */

import { announce, get, query, queryAll, textOf } from "../dom.js";
import { recall, remember } from "../playback/settings.js";
import { h, refill } from "./parts.js";

/**
 * What is wrong with a draft: the path of the entry, the rule, and the reason.
 * @typedef {{where: (string | number)[], rule: string, reason: string}} Fault
 *
 * The answer to a check of a draft; further entries are the game's.
 * @typedef {{plan: any, faults: Fault[], [name: string]: any}} Check
 *
 * A line of what is spent: `text` in words, and how much of what is allowed.
 * @typedef {{title: string, text: string, spent: number, of: number}} Tally
 *
 * @typedef {object} Chart
 * @property {() => void} update brings the chart in step with the draft
 * @property {() => void} mark brings it in step with what the server says of the draft
 * @property {() => Tally[]} tally
 * @property {(where: (string | number)[]) => void} show shows and focuses what a fault is about
 *
 * @typedef {object} Editor
 * @property {any} sheet what the server says of the side and its charts
 * @property {any} plan the draft; change it with `change`
 * @property {Check} checked the last answer of the server
 * @property {(change: (plan: any) => void) => void} change
 * @property {(about: string) => Promise<Check | null>} ask checks the draft while a piece is placed
 *
 * @typedef {(root: HTMLElement, editor: Editor) => Chart} Draw
 */

const FORMS = "readyroom-plan"; // "forms": the questions are answered one by one
const DRAFT = "readyroom-draft:";
const MOST_DRAFTS = 12;
const PAUSE = 150; // milliseconds after a change until the draft is checked
const SEALING = 1250; // milliseconds of the seal

/** The chart of the planning that is on the page. @type {{id: string, isReady: boolean, again: Promise<() => void>} | null} */
let shown = null;

/**
 * Show the chart in its section of the page.
 * @param {HTMLElement} section
 * @param {boolean} isAsked whether the player has asked for it
 */
export async function openPlan(section, isAsked) {
  const table = get("#table");
  const { for: id = "", state = "" } = section.dataset;
  if (isAsked) remember(FORMS, "chart");
  if (!isAsked && section.hidden && (state !== "open" || recall(FORMS) === "forms")) {
    table.classList.remove("on-chart");
    return;
  }
  if (shown?.id !== id || (shown.isReady && !section.childElementCount)) {
    const made = { id, isReady: false, again: begin(section) };
    shown = made;
    made.again.then(
      () => (made.isReady = true),
      () => (shown = null),
    );
  }
  const again = await shown.again;
  again();
  if (!section.isConnected || section.dataset.for !== id) return;
  if (!section.hidden && !isAsked) return;
  section.hidden = false;
  table.classList.add("on-chart");
  query("#plan-title", section)?.focus({ preventScroll: true });
}

/**
 * Make the chart. Return a function that looks at it again after the rest of the page has changed.
 * @param {HTMLElement} section
 */
async function begin(section) {
  const { match = "", seat = "", game = "", script = "" } = section.dataset;
  const address = `/m/${match}/plan`;
  const [response, { draw }] = await Promise.all([
    fetch(`${address}?seat=${encodeURIComponent(seat)}`),
    /** @type {Promise<{draw: Draw}>} */ (import(script)),
  ]);
  if (!response.ok) throw new Error(`The planning chart cannot be loaded (${response.status}).`);
  const sheet = await response.json();
  const key = `${DRAFT}${match}:${seat}`;
  const kept = recall(key);
  const plan = kept ? JSON.parse(kept) : sheet.plan;
  const history = { past: /** @type {string[]} */ ([]), future: /** @type {string[]} */ ([]) };
  const root = h("div", { class: "plan-root board" });
  let timer = 0;
  let asked = 0;
  let isSealing = false; // from the press of the button until the server has answered

  /** @type {Editor} */
  const editor = {
    sheet,
    plan,
    checked: { plan: null, faults: [] },
    change(change) {
      if (isSealing) return;
      const before = JSON.stringify(editor.plan);
      change(editor.plan);
      const after = JSON.stringify(editor.plan);
      if (after === before) return;
      history.past.push(before);
      history.future = [];
      keep(after);
    },
    ask: (about) => check(about),
  };

  /** @param {string} text */
  const keep = (text) => {
    keepDraft(key, text);
    root.classList.add("is-checking");
    asked += 1; // what the server still has to say is of an older draft
    update();
    clearTimeout(timer);
    timer = setTimeout(settle, PAUSE);
  };
  const settle = async () => {
    const result = await check("");
    if (!result) return;
    editor.checked = result;
    root.classList.remove("is-checking");
    judge();
  };
  /**
   * @param {string} about
   * @returns {Promise<Check | null>} null if the draft has changed since, or the server is away
   */
  const check = async (about) => {
    if (!about) asked += 1;
    const turn = asked;
    const body = sealForm();
    body.set("plan", new Blob([draftText()]), "draft.json");
    body.set("about", about);
    try {
      const answer = await fetch(`${address}/check`, { method: "POST", body });
      if (!answer.ok) throw new Error(await answer.text());
      return turn === asked || about ? await answer.json() : null;
    } catch {
      say("The server does not answer. Your draft is kept on this device.");
      return null;
    }
  };
  const draftText = () => JSON.stringify({ side: sheet.side, ...editor.plan });
  /** @param {string} text */
  const say = (text) => {
    const box = get(".plan-error", root);
    box.textContent = text;
    box.hidden = !text;
  };
  /**
   * @param {string[]} from
   * @param {string[]} to
   */
  const step = (from, to) => {
    const text = isSealing ? undefined : from.pop();
    if (text === undefined) return;
    to.push(JSON.stringify(editor.plan));
    editor.plan = JSON.parse(text);
    release();
    keep(text);
  };
  /** Carry nothing any more: another plan was loaded. */
  const release = () => {
    for (const sheet of queryAll("[data-carrying]", root)) sheet.dispatchEvent(new Event("replaced"));
  };
  /**
   * @param {any} next
   * @param {string} news
   */
  const replace = (next, news) => {
    editor.change((old) => {
      for (const name of Object.keys(old)) delete old[name];
      Object.assign(old, structuredClone(next));
    });
    release();
    say("");
    announce(news);
  };

  root.append(...frame(sheet));
  section.replaceChildren(root);
  const chart = draw(get(".plan-chart", root), editor);
  const undo = /** @type {HTMLButtonElement} */ (get('[data-do="undo"]', root));
  const redo = /** @type {HTMLButtonElement} */ (get('[data-do="redo"]', root));
  const seal = get("#seal-button", root);

  const update = () => {
    chart.update();
    judge();
  };
  const judge = () => {
    chart.mark();
    markFaults(get(".plan-chart", root), editor.checked.faults);
    undo.disabled = !history.past.length;
    redo.disabled = !history.future.length;
    showTally(get(".plan-tally", root), chart.tally());
    const { faults } = editor.checked;
    showFaults(get(".plan-faults", root), faults, game);
    const isChecking = root.classList.contains("is-checking");
    const count = faults.length;
    get(".plan-state", root).textContent = isChecking
      ? "Checking the plan …"
      : count
        ? `Not legal yet: ${count} ${count === 1 ? "thing" : "things"} to settle.`
        : "The plan is legal. Seal it when you are content.";
    root.classList.toggle("is-legal", !count && !isChecking);
    if (isSealing) get(".plan-state", root).textContent = "Sealing the plan …";
    seal.setAttribute("aria-disabled", String(!isSealing && (Boolean(count) || isChecking)));
  };

  /**
   * Say at once that the plan is being sealed, and keep it as it is until the server has answered; or end that.
   * @param {boolean} isOn
   */
  const setSealing = (isOn) => {
    isSealing = isOn;
    for (const part of [".plan-head", ".plan-chart"]) get(part, root).inert = isOn;
    seal.setAttribute("aria-busy", String(isOn));
    get("span", seal).textContent = isOn ? "Sealing …" : "Seal the plan";
    if (!isOn) root.classList.remove("is-sealing");
    judge();
  };
  const close = async () => {
    if (isSealing) return;
    clearTimeout(timer);
    setSealing(true);
    const result = await check("");
    root.classList.remove("is-checking");
    if (result) editor.checked = result;
    const [fault] = editor.checked.faults;
    if (!result || fault) setSealing(false);
    if (!result) return;
    if (fault) {
      announce(`The plan is not legal yet. ${fault.reason}`);
      chart.show(fault.where);
      return;
    }
    say("");
    root.classList.add("is-sealing");
    judge();
    announce("The plan is sealed.");
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    await new Promise((resolve) => setTimeout(resolve, isStill ? 0 : SEALING));
    const form = /** @type {HTMLFormElement} */ (get("#seal"));
    const files = new DataTransfer();
    files.items.add(new File([draftText()], "plan.json"));
    /** @type {HTMLInputElement} */ (get("input[type=file]", form)).files = files.files;
    form.addEventListener("htmx:afterRequest", () => setSealing(false), { once: true });
    form.requestSubmit();
  };

  root.addEventListener("click", (event) => {
    const at = /** @type {Element} */ (event.target);
    for (const menu of queryAll(".plan-menu[open]", root)) if (!menu.contains(at)) menu.removeAttribute("open");
    const button = at.closest("button");
    if (!button) return;
    const { do: act, sample, fault, export: kind } = button.dataset;
    if (act === "undo") step(history.past, history.future);
    if (act === "redo") step(history.future, history.past);
    if (act === "hint") hint();
    if (act === "forms") leave();
    if (act === "import") /** @type {HTMLInputElement} */ (get("#plan-import", root)).click();
    if (kind) exportDraft(address, kind, draftText());
    const named = sheet.samples.find((/** @type {{key: string}} */ { key }) => key === sample);
    if (named) {
      replace(named.plan, `${named.title}: loaded. Undo brings your draft back.`);
      button.closest("details")?.removeAttribute("open");
    }
    const wrong = editor.checked.faults[Number(fault)];
    if (fault && wrong) chart.show(wrong.where);
    if (button === seal) close();
  });
  const hint = async () => {
    const answer = await fetch(`${address}/hint?seat=${encodeURIComponent(seat)}`);
    if (!answer.ok) return say(`There is no hint (${answer.status}).`);
    const { plan } = await answer.json();
    replace(plan, "Hint: a plan that a bot might make, for you to change. Undo brings your draft back.");
  };
  const leave = () => {
    remember(FORMS, "forms");
    section.hidden = true;
    get("#table").classList.remove("on-chart");
    query("#question")?.focus();
  };
  get("#plan-import", root).addEventListener("change", async (event) => {
    const input = /** @type {HTMLInputElement} */ (event.target);
    const [file] = input.files ?? [];
    if (!file) return;
    const body = sealForm();
    body.set("plan", file);
    const answer = await fetch(`${address}/check`, { method: "POST", body });
    input.value = "";
    const result = answer.ok ? await answer.json() : { plan: null, faults: [{ reason: await answer.text() }] };
    if (result.plan) replace(result.plan, `${file.name}: loaded. Undo brings your draft back.`);
    else
      say(`${file.name} cannot be read. ${result.faults.map((/** @type {Fault} */ { reason }) => reason).join(" ")}`);
  });
  root.addEventListener("keydown", (event) => {
    const menu = event.key === "Escape" && query(".plan-menu[open]", root);
    if (menu) {
      menu.removeAttribute("open");
      get("summary", menu).focus();
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const isRedo = event.key === "y" || (event.key === "Z" && event.shiftKey);
    if (event.key !== "z" && !isRedo) return;
    event.preventDefault();
    if (isRedo) step(history.future, history.past);
    else step(history.past, history.future);
  });
  root.classList.add("is-checking");
  update();
  timer = setTimeout(settle, PAUSE); // first the chart is painted
  return () => {
    const refused = textOf(query("#card .refused"));
    if (!refused) return;
    setSealing(false);
    say(refused);
    section.hidden = false;
    get("#table").classList.add("on-chart");
  };
}

/** Return the fields that every form of the seat has. */
function sealForm() {
  const form = /** @type {HTMLFormElement} */ (get("#seal"));
  const body = new FormData(form);
  body.delete("plan");
  return body;
}

/**
 * Keep a draft on the device, and forget the oldest ones.
 * @param {string} key
 * @param {string} text
 */
function keepDraft(key, text) {
  const order = (recall(DRAFT) ?? "").split(" ").filter((other) => other && other !== key);
  try {
    for (const old of order.splice(0, Math.max(0, order.length + 1 - MOST_DRAFTS))) localStorage.removeItem(old);
  } catch {
    return;
  }
  remember(DRAFT, [...order, key].join(" "));
  remember(key, text);
}

/**
 * Download a draft as a file.
 * @param {string} address
 * @param {string} kind
 * @param {string} draft
 */
function exportDraft(address, kind, draft) {
  const form = h("form", { method: "post", action: `${address}/file`, hidden: true });
  const fields = { ...Object.fromEntries(sealForm()), draft, as: kind };
  for (const [name, value] of Object.entries(fields)) form.append(h("input", { name, value: String(value) }));
  document.body.append(form);
  /** @type {HTMLFormElement} */ (form).submit();
  form.remove();
}

/**
 * Return what surrounds a game's chart.
 * @param {{samples: {key: string, title: string, summary: string}[], hints: boolean}} sheet
 */
function frame({ samples, hints }) {
  const tool = (/** @type {string} */ text, /** @type {Record<string, string>} */ data) =>
    h("button", { type: "button", class: "button button-small", ...data }, text);
  const named = samples.map(({ key, title, summary }) =>
    h(
      "li",
      {},
      h("button", { type: "button", class: "link", "data-sample": key }, title),
      h("span", {}, ` ${summary}`),
    ),
  );
  return [
    h(
      "header",
      { class: "plan-head" },
      h("h2", { id: "plan-title", tabindex: -1 }, "Your secret plan"),
      h(
        "p",
        { class: "plan-tools" },
        tool("Undo", { "data-do": "undo" }),
        tool("Redo", { "data-do": "redo" }),
        ...(hints ? [tool("Hint", { "data-do": "hint" })] : []),
        h(
          "details",
          { class: "plan-menu", id: "plan-samples" },
          h("summary", { class: "button button-small" }, "Start from a plan"),
          h("ul", {}, ...named),
        ),
        h(
          "details",
          { class: "plan-menu", id: "plan-files" },
          h("summary", { class: "button button-small" }, "File"),
          h(
            "div",
            {},
            tool("Import a file", { "data-do": "import" }),
            tool("Export TOML", { "data-export": "toml" }),
            tool("Export CSV", { "data-export": "csv" }),
          ),
        ),
        h("input", { id: "plan-import", type: "file", accept: ".toml,.csv", hidden: true, "aria-label": "Plan file" }),
        tool("Question by question", { "data-do": "forms" }),
      ),
      h("p", { class: "plan-error", role: "alert", hidden: true }),
    ),
    h("div", { class: "plan-chart" }),
    h(
      "aside",
      { class: "plan-orders", "aria-label": "Orders" },
      h("ul", { class: "plan-tally" }),
      h(
        "div",
        { class: "plan-sealing" },
        h("p", { class: "plan-state", role: "status" }),
        h("ol", { class: "plan-faults" }),
        h(
          "div",
          { class: "envelope" },
          h("span", { class: "envelope-paper", "aria-hidden": true }, "Top secret"),
          h("span", { class: "envelope-body", "aria-hidden": true }),
          h("span", { class: "envelope-flap", "aria-hidden": true }),
          h("button", { type: "button", id: "seal-button", class: "envelope-seal" }, h("span", {}, "Seal the plan")),
        ),
      ),
    ),
  ];
}

/**
 * @param {HTMLElement} list
 * @param {Tally[]} lines
 */
function showTally(list, lines) {
  refill(
    list,
    ...lines.map(({ title, text, spent, of }) =>
      h(
        "li",
        { class: spent > of ? "is-over" : spent === of ? "is-spent" : null },
        h("span", {}, title),
        h("span", { class: "plan-left" }, text),
        h("meter", { min: 0, max: of || 1, value: Math.min(spent, of), "aria-hidden": true }),
      ),
    ),
  );
}

/**
 * @param {HTMLElement} list
 * @param {Fault[]} faults
 * @param {string} game
 */
function showFaults(list, faults, game) {
  refill(
    list,
    ...faults.map(({ rule, reason }, at) =>
      h(
        "li",
        {},
        h("button", { type: "button", class: "link", "data-fault": at, "data-id": `fault-${at}` }, reason),
        " ",
        rule && h("a", { class: "rule", href: `/games/${game}/rules#${rule}`, title: `Rule ${rule}` }, rule),
      ),
    ),
  );
}

/**
 * Mark the elements that have faults, by `data-where`: the path of the entry with dots.
 * @param {HTMLElement} root
 * @param {Fault[]} faults
 */
function markFaults(root, faults) {
  const paths = faults.map(({ where }) => where.join("."));
  for (const element of queryAll("[data-where]", root)) {
    const own = element.dataset.where ?? "";
    element.classList.toggle(
      "is-wrong",
      paths.some((path) => path === own || path.startsWith(`${own}.`)),
    );
  }
}
