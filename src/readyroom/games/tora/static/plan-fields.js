/** The American squadrons on their airfields: units are carried from field to field, and stacked where a field is full. */

import { announce, query } from "readyroom/dom.js";
import { counter, h, refill } from "readyroom/plans/parts.js";

/**
 * A place of a field: the types of its units, the lowest first.
 * @typedef {string[]} Stack
 *
 * @typedef {{field: string, top: string, under: string, places: number}} Parked
 */

const HEIGHT = 2; // units in a place

/**
 * Return the places of each field, one entry for each place that is used.
 * @param {Parked[]} parked
 * @param {string[]} fields
 * @returns {Record<string, Stack[]>}
 */
export function stacksOf(parked, fields) {
  /** @type {Record<string, Stack[]>} */
  const stacks = Object.fromEntries(fields.map((field) => [field, []]));
  for (const { field, top, under, places } of parked) {
    for (let at = 0; at < places; at += 1) stacks[field]?.push(under ? [under, top] : [top]);
  }
  return stacks;
}

/**
 * Return places as entries of a plan: equal ones together, in the order of the types, single units first.
 * @param {Record<string, Stack[]>} stacks
 * @param {string[]} types
 * @returns {Parked[]}
 */
export function parkedOf(stacks, types) {
  const rank = (/** @type {Parked} */ { top, under }) =>
    (under ? types.length * (1 + types.indexOf(under)) : 0) + types.indexOf(top);
  return Object.entries(stacks).flatMap(([field, places]) => {
    /** @type {Map<string, Parked>} */
    const entries = new Map();
    for (const stack of places) {
      const [top = "", under = ""] = [...stack].reverse();
      const entry = entries.get(`${top} ${under}`) ?? { field, top, under, places: 0 };
      entry.places += 1;
      entries.set(`${top} ${under}`, entry);
    }
    return [...entries.values()].sort((a, b) => rank(a) - rank(b));
  });
}

/**
 * Move the upper unit of a place to a field, onto one of its places if the field is full. Units are stacked only where a
 * field is full. Return whether there is room.
 * @param {Record<string, Stack[]>} stacks
 * @param {Record<string, number>} room the places of each field
 * @param {{from: string, at: number, to: string, onto?: number}} move
 */
export function moveUnit(stacks, room, { from, at, to, onto }) {
  const [source, target] = [stacks[from], stacks[to]];
  const stack = source?.[at];
  if (!source || !target || !stack) return false;
  const units = target.reduce((sum, each) => sum + each.length, 0);
  const places = room[to] ?? 0;
  if (from === to && (units <= places || onto === undefined || onto === at)) return false;
  if (from !== to && units >= places * HEIGHT) return false;
  const chosen = onto === undefined ? undefined : target[onto];
  const type = /** @type {string} */ (stack.pop());
  if (!stack.length) source.splice(at, 1);
  const below =
    chosen && chosen.length && chosen.length < HEIGHT
      ? chosen
      : [...target].reverse().find((each) => each.length < HEIGHT);
  const isFull = target.length >= places;
  if (below && (isFull || from === to)) below.push(type);
  else target.push([type]);
  for (const field of new Set([from, to])) spread(stacks[field] ?? [], room[field] ?? 0, below);
  return true;
}

/**
 * Unstack units as long as their field has free places.
 * @param {Stack[]} stacks
 * @param {number} places
 * @param {Stack} [last] the one to be unstacked last
 */
function spread(stacks, places, last) {
  while (stacks.length < places) {
    const double = stacks.find((each) => each.length > 1 && each !== last) ?? stacks.find((each) => each.length > 1);
    if (!double) return;
    stacks.push([/** @type {string} */ (double.pop())]);
  }
}

/**
 * @param {import("readyroom/plans/editor.js").Editor} editor
 * @returns {import("./plan-usa.js").Sheet}
 */
export function drawFields(editor) {
  const { sheet } = editor;
  const fields = /** @type {[string, string, string, number][]} */ (sheet.fields);
  const types = /** @type {[string, string, string, number, string[]][]} */ (sheet.types);
  const keys = fields.map(([key]) => key);
  const titles = new Map(types.map(([key, title]) => [key, title]));
  const room = Object.fromEntries(fields.map(([key, , , places]) => [key, places]));
  const kindOf = (/** @type {string} */ type) => `unit-${types.find(([key]) => key === type)?.[4].join("-")}`;
  const order = types.map(([key]) => key);
  const stacks = () => stacksOf(editor.plan.parked, keys);

  const help = h(
    "p",
    { class: "plan-help" },
    "Drag a unit to another field of its service, or click it and then the field. Where a field is full, units are stacked: " +
      "the lower one launches after the upper one, and bombs hit the upper one first.",
  );
  const grid = h("div", { class: "plan-fields" });
  const root = h("div", { class: "plan-sheet" }, help, grid);
  const boxes = fields.map(([key, name, zone]) => {
    const kinds = [...new Set(types.filter(([, , , , at]) => at.includes(key)).map(([type]) => kindOf(type)))];
    const places = h("div", { class: "plan-places" });
    const count = h("span", { class: "plan-count" });
    const title = h(
      "button",
      { type: "button", class: "plan-field-name", "data-where": `field.${key}` },
      `${name} `,
      h("span", { class: "plan-weekday" }, zone),
    );
    const layers = h("ul", { class: "plan-layers" });
    const box = h("section", { class: "plan-airfield", "data-drop": kinds.join(" "), "data-field": key }, title, count);
    box.append(places, layers);
    return { key, name, box, places, count, layers };
  });
  grid.append(...boxes.map(({ box }) => box));
  const services = new Set(types.map(([, , , , at]) => at.join(" ")));
  const names = [...services].map((service) => {
    const of = types.filter(([, , , , at]) => at.join(" ") === service).map(([, title]) => title);
    const at = service.split(" ").map((field) => fields.find(([key]) => key === field)?.[1]);
    return `${of.join(", ")} at ${at.join(" and ")}`;
  });
  help.append(` ${names.join("; ")}.`);

  const update = () => {
    const all = stacks();
    for (const { key, name, places, count, layers } of boxes) {
      const here = all[key] ?? [];
      const units = here.reduce((sum, each) => sum + each.length, 0);
      count.textContent = `${units} units in ${here.length} of ${room[key]} places`;
      const filled = here.map((stack, at) => {
        const top = stack.at(-1) ?? "";
        const words = stack.map((type) => titles.get(type)).reverse();
        return h(
          "button",
          {
            type: "button",
            class: `plan-place${stack.length > 1 ? " is-double" : ""}`,
            "data-carry": `${kindOf(top)}:${key}:${at}`,
            "data-id": `${key}-${at}`,
            "data-place": at,
            "aria-pressed": "false",
            "data-name": `${words.join(" on ")} at ${name}`,
            title: words.join(" on "),
          },
          ...stack.map((type) => counter(type, "usa", "")),
          h("span", { class: "unseen" }, `${words.join(" on ")} at ${name}`),
        );
      });
      const empty = Array.from({ length: Math.max(0, (room[key] ?? 0) - here.length) }, () =>
        h("span", { class: "plan-place is-empty", "aria-hidden": true }),
      );
      refill(places, ...filled, ...empty);
      refill(layers, ...layersOf(here).map(([under, top, times]) => layer(key, under, top, times)));
    }
  };
  /**
   * @param {string} field
   * @param {string} under
   * @param {string} top
   * @param {number} times
   */
  const layer = (field, under, top, times) => {
    const text = `${titles.get(top)} on ${titles.get(under)}${times > 1 ? ` (${times})` : ""} `;
    if (under === top) return h("li", {}, text);
    const swap = h("button", { type: "button", class: "link", "data-id": `swap-${field}-${under}-${top}` }, "swap");
    swap.setAttribute("aria-label", `Swap ${text.trim()}`);
    swap.addEventListener("click", () =>
      editor.change((plan) => {
        const all = stacks();
        for (const stack of all[field] ?? []) if (stack[0] === under && stack[1] === top) stack.reverse();
        plan.parked = parkedOf(all, order);
      }),
    );
    return h("li", {}, text, swap);
  };
  update();
  return {
    root,
    update,
    carry: {
      drop({ key }, target, event) {
        const [from = "", at = ""] = key.split(":");
        const to = target.dataset.field ?? "";
        const onto = /** @type {HTMLElement | null} */ (
          (event ? document.elementFromPoint(event.clientX, event.clientY) : null)?.closest("[data-place]") ?? null
        );
        const all = stacks();
        const under = onto?.closest("[data-field]") === target ? Number(onto?.dataset.place) : undefined;
        if (!moveUnit(all, room, { from, at: Number(at), to, onto: under })) {
          if (from !== to) announce(`There is no room at this field: it has ${room[to]} places. Rule 4.2.`);
          return false;
        }
        editor.change((plan) => {
          plan.parked = parkedOf(all, order);
        });
        return false;
      },
    },
    find([, at]) {
      const { field = "" } = editor.plan.parked[Number(at)] ?? {};
      return query(`[data-where="field.${field}"]`, root);
    },
  };
}

/**
 * Return the kinds of stacks among the places of a field, each with its number.
 * @param {Stack[]} places
 * @returns {[under: string, top: string, times: number][]}
 */
function layersOf(places) {
  /** @type {Map<string, [string, string, number]>} */
  const layers = new Map();
  for (const [under = "", top = ""] of places.filter((stack) => stack.length > 1)) {
    const old = layers.get(`${under} ${top}`);
    layers.set(`${under} ${top}`, [under, top, (old?.[2] ?? 0) + 1]);
  }
  return [...layers.values()];
}
