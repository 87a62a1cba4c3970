/** The American plan: the calendar with alerts, searches and carriers, the airfields, and the harbor. */

import { ARROWS } from "readyroom/board.js";
import { announce, get, query, queryAll } from "readyroom/dom.js";
import { h, initCarry, refill, s } from "readyroom/plans/parts.js";
import { dayName, drawOahu, frameOf, nameOf } from "./plan-chart.js";
import { drawFields } from "./plan-fields.js";
import { drawHarbor } from "./plan-harbor.js";

/**
 * @typedef {import("readyroom/plans/editor.js").Editor} Editor
 * @typedef {import("readyroom/plans/editor.js").Chart} Chart
 * @typedef {import("readyroom/plans/parts.js").Cargo} Cargo
 *
 * A part of the chart that is shown at a time.
 * @typedef {object} Sheet
 * @property {HTMLElement} root
 * @property {() => void} update
 * @property {import("readyroom/plans/parts.js").Handlers} carry
 * @property {(where: (string | number)[]) => Element | null} find the element for a fault
 * @property {() => void} [open] called when it is shown
 */

const SEARCHES = /** @type {[string, string, string, string][]} */ ([
  ["radar", "Radar", "One sector a day; on a roll of 1 or 2 it does not work that day.", "Radar"],
  ["patrol", "Patrol planes", "The PBYs search one sector a day.", "Patrol"],
]);
const ANGLES = /** @type {Record<string, number>} */ ({ NW: -45, NE: 45, SE: 135, SW: 225 });
const REACH = /** @type {Record<string, [number, number]>} */ ({ radar: [270, 150], patrol: [345, 215] });
const HALF = 38; // degrees of a cone to each side

/**
 * @param {HTMLElement} root
 * @param {Editor} editor
 * @returns {Chart}
 */
export function draw(root, editor) {
  const tabs = /** @type {[string, string, Sheet][]} */ ([
    ["days", "Calendar", drawDays(editor)],
    ["fields", "Airfields", drawFields(editor)],
    ["harbor", "Anchorage", drawHarbor(editor)],
  ]);
  let at = 0;
  const bar = h("div", { class: "plan-tabs", role: "tablist" });
  for (const [place, [key, title, sheet]] of tabs.entries()) {
    const tab = h(
      "button",
      { type: "button", role: "tab", id: `plan-tab-${key}`, "aria-controls": `plan-${key}`, class: "plan-tab" },
      title,
    );
    tab.addEventListener("click", () => open(place));
    bar.append(tab);
    sheet.root.id = `plan-${key}`;
    sheet.root.setAttribute("role", "tabpanel");
    sheet.root.setAttribute("aria-labelledby", tab.id);
    initCarry(sheet.root, sheet.carry);
  }
  bar.addEventListener("keydown", ({ key }) => {
    const step = ARROWS[key]?.[0];
    if (!step) return;
    open((at + step + tabs.length) % tabs.length);
    /** @type {HTMLElement} */ (bar.children[at]).focus();
  });
  root.replaceChildren(bar, ...tabs.map(([, , sheet]) => sheet.root));

  /** @param {number} place */
  const open = (place) => {
    at = place;
    for (const [other, [, , sheet]] of tabs.entries()) {
      sheet.root.hidden = other !== at;
      const tab = /** @type {HTMLElement} */ (bar.children[other]);
      tab.setAttribute("aria-selected", String(other === at));
      tab.tabIndex = other === at ? 0 : -1;
    }
    tabs[at]?.[2].open?.();
  };
  open(0);
  return {
    update() {
      for (const [, , sheet] of tabs) sheet.update();
    },
    mark() {
      const { faults } = editor.checked;
      for (const place of tabs.keys()) {
        const isWrong = faults.some(({ where }) => placeOf(where) === place);
        /** @type {HTMLElement} */ (bar.children[place]).classList.toggle("is-wrong", isWrong);
      }
    },
    tally: () => tally(editor),
    show(where) {
      const place = placeOf(where);
      open(place);
      const found = /** @type {HTMLElement | null | undefined} */ (tabs[place]?.[2].find(where));
      found?.focus();
      found?.scrollIntoView({ block: "nearest" });
    },
  };
}

/**
 * Return which sheet a fault is about.
 * @param {(string | number)[]} where
 */
function placeOf([first]) {
  return first === "parked" ? 1 : first === "berths" ? 2 : 0;
}

/**
 * @param {Editor} editor
 * @returns {import("readyroom/plans/editor.js").Tally[]}
 */
function tally({ sheet, plan }) {
  const { alert, categories, days, ships } = sheet;
  const spent = (/** @type {number[]} */ levels) => levels.reduce((sum, level) => sum + level - alert.base, 0);
  const points = categories.map((/** @type {[string, string]} */ [key, title]) => {
    const used = spent(plan[key]);
    const left = alert.points - used;
    const text = left < 0 ? `${-left} too many` : left ? `${left} of ${alert.points} left` : "all spent";
    return { title: `Alert: ${title}`, text, spent: used, of: alert.points };
  });
  const searches = SEARCHES.map(([key, title]) => {
    const used = plan[key].filter(Boolean).length;
    return { title, text: `${used} of ${days.length} days`, spent: used, of: days.length };
  });
  const ports = sheet.carriers.filter((/** @type {[string]} */ [key]) => plan.in_port[key]).length;
  const berthed = Object.keys(plan.berths).length;
  return [
    ...points,
    ...searches,
    {
      title: "Carriers' days in port",
      text: `${ports} of ${sheet.carriers.length}`,
      spent: ports,
      of: sheet.carriers.length,
    },
    { title: "Ships at anchor", text: `${berthed} of ${ships.length}`, spent: berthed, of: ships.length },
  ];
}

// -- alerts, searches and carriers --------------------------------------------------------------------------------------

/**
 * @param {Editor} editor
 * @returns {Sheet}
 */
function drawDays(editor) {
  const { sheet } = editor;
  const { alert, categories, carriers, days, quadrants, month } = sheet;
  let day = 1;
  let tool = "radar";
  /** The cells that are being painted, by their days. @type {{row: string, value: any, days: Set<number>} | null} */
  let stroke = null;

  const valueOf = (/** @type {string} */ row, /** @type {number} */ on) =>
    stroke?.row === row && stroke.days.has(on) ? stroke.value : editor.plan[row][on - 1];
  const isSearch = (/** @type {string} */ row) => row === "radar" || row === "patrol";
  const following = (/** @type {string} */ row, /** @type {any} */ value) => {
    if (!isSearch(row)) return value >= alert.top ? alert.base : value + 1;
    const circle = ["", ...quadrants];
    return circle[(circle.indexOf(value) + 1) % circle.length];
  };
  const set = (/** @type {string} */ row, /** @type {Iterable<number>} */ on, /** @type {any} */ value) =>
    editor.change((plan) => {
      for (const each of on) plan[row][each - 1] = value;
    });
  const choose = (/** @type {number} */ on) => {
    day = on;
    update();
  };

  // The calendar: a row for each alert, search and carrier, a column for each day.
  const table = h("table", { class: "plan-calendar", role: "grid", "aria-label": `The plan for ${month}` });
  const head = h("tr", {}, h("td", {}));
  for (const each of days) {
    const pick = h("button", { type: "button", class: "plan-day", "data-day": each[0] }, ...dayName(each));
    pick.setAttribute("aria-label", `${each[1]} ${each[0]} ${month}`);
    head.append(h("th", { scope: "col" }, pick));
  }
  table.append(h("thead", {}, head));
  const body = h("tbody");
  table.append(body);
  const rows = [
    ...categories.map((/** @type {[string, string]} */ [key, title]) => [key, title, "", "alert"]),
    ...SEARCHES.map(([key, title, about]) => [key, title, about, "search"]),
    ...carriers.map((/** @type {[string, string, string]} */ [key, title, mission]) => [
      key,
      title,
      `In port for one day before she leaves for ${mission}.`,
      "port",
    ]),
  ];
  for (const [key, title, about, kind] of rows) {
    const where = kind === "port" ? `in_port.${key}` : key;
    const token =
      kind === "port"
        ? h(
            "button",
            {
              type: "button",
              class: "plan-token",
              "data-carry": `port:${key}`,
              "aria-pressed": "false",
              "data-where": where,
            },
            h("span", { class: "plan-ship-icon", "aria-hidden": true }),
            title,
          )
        : h("span", { "data-where": where }, capital(title));
    const line = h("tr", { class: `plan-row-${kind}` }, h("th", { scope: "row", title: about || null }, token));
    for (const [number] of days) {
      const cell = h("button", {
        type: "button",
        class: "plan-cell",
        "data-row": key,
        "data-on": number,
        tabindex: -1,
      });
      if (kind === "port") cell.dataset.drop = "port";
      if (kind === "search") cell.dataset.drop = key;
      if (kind !== "port") cell.dataset.where = `${key}.${number - 1}`;
      line.append(h("td", {}, cell));
    }
    body.append(line);
  }
  const reacts = levelsOf(alert).map((level) => `${level} from turn ${sheet.reaction[0] - level}`);
  const legend = h(
    "div",
    { class: "plan-help" },
    h(
      "p",
      {},
      "Click a cell, or drag along a row to paint days. An alert level costs one point for each day and step; every row has " +
        `${alert.points} points. Alert ${reacts.join(", ")}: so soon may it react. If the radar or the patrol planes search ` +
        "the sector from which the enemy comes, all react a turn sooner.",
    ),
    h(
      "dl",
      { class: "plan-levels" },
      ...categories.flatMap((/** @type {[string, string, string[]]} */ [, title, names]) => [
        h("dt", {}, capital(title)),
        h("dd", {}, names.map((name, level) => `${level + 1} ${name}`).join(" · ")),
      ]),
    ),
  );

  // The chart: the sectors, and the cones of the day that is chosen.
  const drawing = drawOahu(sheet.oahu, `Searches on ${month} ${day}`);
  const [cx, cy] = sheet.oahu.at;
  const sectors = s("g");
  const names = s("g", { class: "plan-names", "aria-hidden": true });
  for (const quadrant of quadrants) {
    const frame = frameOf(sheet.oahu, quadrant);
    const [left, top] = [quadrant.endsWith("W") ? 12 : 458, quadrant.startsWith("N") ? 48 : 596];
    const anchor = quadrant.endsWith("W") ? null : "end";
    sectors.append(
      s(
        "g",
        { class: "plan-sector", role: "button", tabindex: 0, "data-drop": "radar patrol", "data-sector": quadrant },
        s("rect", { class: "plan-quarter", ...frame }),
      ),
    );
    names.append(
      s(
        "g",
        { "data-names": quadrant },
        s("text", { class: "bd-zonename", x: left, y: top, "text-anchor": anchor }, quadrant),
        s("text", { class: "plan-daylist", x: left, y: top + 17, "text-anchor": anchor }),
        s("text", { class: "plan-daylist", x: left, y: top + 33, "text-anchor": anchor }),
      ),
    );
  }
  const cones = s("g", { class: "plan-cones" });
  /** @type {Record<string, {cone: SVGElement, knob: SVGElement}>} */
  const search = {};
  for (const [key, , , title] of SEARCHES) {
    const [reach = 0] = REACH[key] ?? [];
    const [x, y] = [Math.sin((HALF * Math.PI) / 180) * reach, -Math.cos((HALF * Math.PI) / 180) * reach];
    const cone = s("path", { class: `plan-cone is-${key}`, d: `M0 0L${-x} ${y}A${reach} ${reach} 0 0 1 ${x} ${y}Z` });
    const width = title.length * 8 + 20;
    const knob = s(
      "g",
      {
        class: `plan-knob is-${key}`,
        role: "button",
        tabindex: 0,
        "aria-pressed": "false",
        "data-carry": `${key}:day`,
      },
      s("rect", { x: -width / 2, y: -17, width, height: 34, rx: 17 }),
      s("text", { y: 5, "text-anchor": "middle" }, title),
    );
    cones.append(cone);
    search[key] = { cone, knob };
  }
  drawing.append(cones, names, sectors, ...SEARCHES.map(([key]) => /** @type {any} */ (search[key]).knob));
  const tools = h("p", {
    class: "plan-tools plan-searches",
    role: "group",
    "aria-label": "What to place on the chart",
  });
  for (const [key, title] of SEARCHES) {
    const button = h("button", { type: "button", class: `button button-small is-${key}`, "data-tool": key }, title);
    button.addEventListener("click", () => {
      tool = key;
      update();
    });
    tools.append(button);
  }
  const every = h("button", { type: "button", class: "button button-small" }, "Same on all days");
  every.addEventListener("click", () => {
    const sector = editor.plan[tool][day - 1];
    set(
      tool,
      days.map((/** @type {[number]} */ [number]) => number),
      sector,
    );
  });
  tools.append(every);
  const caption = h("p", { class: "plan-help", "aria-live": "polite" });
  const side = h("div", { class: "plan-map" }, h("h3", { class: "plan-map-title" }), tools, drawing, caption);
  const root = h("div", { class: "plan-sheet plan-days" }, h("div", {}, table, legend), side);

  /**
   * @param {string} kind
   * @param {string} sector
   * @param {number} [on]
   */
  const place = (kind, sector, on = day) => {
    tool = kind;
    const title = SEARCHES.find(([key]) => key === kind)?.[1];
    set(kind, [on], sector);
    announce(`${month} ${on}: ${title} ${sector ? `to the ${nameOf(sector)}` : "at home"}.`);
    update();
  };

  // Painting: a press takes the next value, and a drag along the row spreads it.
  const cellAt = (/** @type {Element | null} */ element) =>
    /** @type {HTMLElement | null} */ (element?.closest(".plan-cell") ?? null);
  table.addEventListener("pointerdown", (event) => {
    const cell = cellAt(/** @type {Element} */ (event.target));
    if (!cell || event.button !== 0 || root.dataset.carrying) return;
    const { row = "", on = "" } = cell.dataset;
    if (cell.dataset.drop === "port") return;
    stroke = { row, value: following(row, editor.plan[row][Number(on) - 1]), days: new Set([Number(on)]) };
    day = Number(on);
    update();
  });
  table.addEventListener("pointermove", (event) => {
    if (!stroke) return;
    const cell = cellAt(document.elementFromPoint(event.clientX, event.clientY));
    if (!cell || cell.dataset.row !== stroke.row) return;
    stroke.days.add(Number(cell.dataset.on));
    update();
  });
  const finish = (/** @type {PointerEvent} */ event) => {
    if (!stroke) return;
    const { row, value, days: painted } = stroke;
    stroke = null;
    if (event.type === "pointerup") set(row, painted, value);
    update();
  };
  addEventListener("pointerup", finish);
  addEventListener("pointercancel", finish);
  table.addEventListener("click", (event) => {
    const pick = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-day]"));
    if (pick) choose(Number(pick.dataset.day));
    const cell = cellAt(/** @type {Element} */ (event.target));
    if (!cell || root.dataset.carrying) return;
    const { row = "", on = "" } = cell.dataset;
    if (cell.dataset.drop === "port") berthOn(row, Number(on));
    else if (event.detail === 0) set(row, [Number(on)], following(row, editor.plan[row][Number(on) - 1]));
  });
  table.addEventListener("keydown", (event) => {
    const cell = cellAt(/** @type {Element} */ (event.target));
    if (!cell) return;
    const { row = "", on = "" } = cell.dataset;
    const step = ARROWS[event.key];
    const level = Number(event.key);
    if (step) {
      const lines = queryAll("tbody tr", table);
      const line = lines.indexOf(/** @type {HTMLElement} */ (cell.closest("tr")));
      const next = query(`[data-on="${Number(on) + step[0]}"]`, lines[line + step[1]] ?? body);
      if (next) focusCell(next);
    } else if (level >= alert.base && level <= alert.top && !isSearch(row) && editor.plan[row]) {
      set(row, [Number(on)], level);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });
  const focusCell = (/** @type {HTMLElement} */ cell) => {
    for (const other of queryAll(".plan-cell", table)) other.tabIndex = -1;
    cell.tabIndex = 0;
    cell.focus();
    choose(Number(cell.dataset.on));
  };
  const berthOn = (/** @type {string} */ carrier, /** @type {number} */ on) => {
    editor.change((plan) => {
      plan.in_port[carrier] = on;
    });
    announce(`${capital(carrier)} is in port on ${month} ${on}.`);
  };
  sectors.addEventListener("click", (event) => {
    const sector = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-sector]"));
    if (!sector || root.dataset.carrying) return;
    const quadrant = sector.dataset.sector ?? "";
    place(tool, editor.plan[tool][day - 1] === quadrant ? "" : quadrant);
  });
  sectors.addEventListener("keydown", (event) => {
    const sector = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-sector]"));
    if (!sector || root.dataset.carrying || (event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    event.stopPropagation();
    const quadrant = sector.dataset.sector ?? "";
    place(tool, editor.plan[tool][day - 1] === quadrant ? "" : quadrant);
  });

  const aim = (/** @type {string} */ key, /** @type {number} */ angle) => {
    const { cone, knob } = /** @type {{cone: SVGElement, knob: SVGElement}} */ (search[key]);
    const [, reach = 0] = REACH[key] ?? [];
    const turn = (angle * Math.PI) / 180;
    cone.style.transform = `translate(${cx}px, ${cy}px) rotate(${angle}deg)`;
    knob.style.transform = `translate(${cx + Math.sin(turn) * reach}px, ${cy - Math.cos(turn) * reach}px)`;
  };

  const update = () => {
    const today = `${month} ${day}`;
    for (const cell of queryAll(".plan-cell", table)) showCell(cell);
    if (!query(".plan-cell[tabindex='0']", table)) query(".plan-cell", table)?.setAttribute("tabindex", "0");
    for (const pick of queryAll("[data-day]", table)) {
      pick.setAttribute("aria-pressed", String(Number(pick.dataset.day) === day));
    }
    for (const button of queryAll("[data-tool]", tools)) {
      button.setAttribute("aria-pressed", String(button.dataset.tool === tool));
    }
    get(".plan-map-title", side).textContent = `Searches on ${today}`;
    drawing.setAttribute("aria-label", `Searches on ${today}`);
    for (const [at, [key, title]] of SEARCHES.entries()) {
      const sector = valueOf(key, day);
      const { cone, knob } = /** @type {{cone: SVGElement, knob: SVGElement}} */ (search[key]);
      cone.classList.toggle("is-off", !sector);
      knob.classList.toggle("is-off", !sector);
      knob.setAttribute("aria-label", `${title} on ${today}: ${sector ? nameOf(sector) : "no sector"}`);
      if (sector) aim(key, ANGLES[sector] ?? 0);
      else knob.style.transform = `translate(${cx}px, ${cy - 19 + at * 38}px)`;
    }
    for (const group of queryAll("[data-sector]", drawing)) {
      const quadrant = group.dataset.sector ?? "";
      const texts = queryAll(`[data-names="${quadrant}"] .plan-daylist`, names);
      const lists = SEARCHES.map(([key, , , title], at) => {
        const on = days
          .map((/** @type {[number]} */ [number]) => number)
          .filter((/** @type {number} */ number) => valueOf(key, number) === quadrant);
        const text = texts[at];
        if (text) text.textContent = on.length ? `${title} ${on.join(" ")}` : "";
        return on.length ? `${title} on ${on.join(", ")}` : "";
      });
      const name = [`Sector ${quadrant}`, ...lists.filter(Boolean)].join("; ");
      group.setAttribute("aria-label", name);
    }
    const seen = SEARCHES.map(([key, title]) => {
      const sector = valueOf(key, day);
      return `${title}: ${sector ? nameOf(sector) : "none"}`;
    });
    caption.textContent = `${today}. ${seen.join("; ")}. Drag a label to a sector, or choose one above and click a sector.`;
  };

  /** @param {HTMLElement} cell */
  const showCell = (cell) => {
    const { row = "", on = "" } = cell.dataset;
    const today = `${month} ${on}`;
    cell.classList.toggle("is-today", Number(on) === day);
    if (cell.dataset.drop === "port") {
      const isHere = editor.plan.in_port[row] === Number(on);
      refill(cell, isHere && h("span", { class: "plan-ship-icon" }));
      cell.setAttribute("aria-label", `${capital(row)}, ${today}: ${isHere ? "in port" : "at sea"}`);
      cell.classList.toggle("is-set", isHere);
      return;
    }
    const value = valueOf(row, Number(on));
    if (isSearch(row)) {
      refill(cell, value);
      cell.classList.toggle("is-set", Boolean(value));
      const title = SEARCHES.find(([key]) => key === row)?.[1];
      cell.setAttribute("aria-label", `${title}, ${today}: ${value ? `${value}, ${nameOf(value)}` : "no sector"}`);
      cell.classList.toggle(`is-${row}`, Boolean(value));
      return;
    }
    const [, title, names] = categories.find((/** @type {[string]} */ [key]) => key === row);
    cell.textContent = String(value);
    cell.classList.remove("is-1", "is-2", "is-3");
    cell.classList.add(`is-${value}`);
    cell.setAttribute("aria-label", `${capital(title)}, ${today}: alert ${value}, ${names[value - 1]}`);
    cell.title = `Alert ${value}: ${names[value - 1]}`;
  };

  update();
  return {
    root,
    update,
    carry: {
      pick({ kind }) {
        if (isSearch(kind)) tool = kind;
      },
      move({ kind }, event) {
        const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (drawing));
        if (!isSearch(kind)) return;
        const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()?.inverse());
        const { cone, knob } = /** @type {{cone: SVGElement, knob: SVGElement}} */ (search[kind]);
        for (const each of [cone, knob]) each.classList.remove("is-off");
        cone.classList.add("is-swept");
        aim(kind, (Math.atan2(point.x - cx, cy - point.y) * 180) / Math.PI);
      },
      release() {
        for (const { cone } of Object.values(search)) cone.classList.remove("is-swept");
        update();
      },
      drop({ kind, key }, target) {
        const { sector, on } = target.dataset;
        if (kind === "port") berthOn(key, Number(on));
        else if (sector !== undefined) place(kind, sector);
        else if (on) {
          const copied = editor.plan[kind][day - 1];
          day = Number(on);
          place(kind, copied || "NW");
        }
        return false;
      },
    },
    find: (where) => query(`[data-where="${CSS.escape(where.join("."))}"]`, root) ?? query(".plan-cell", root),
  };
}

/** @param {{base: number, top: number}} alert */
const levelsOf = ({ base, top }) => Array.from({ length: top - base + 1 }, (_, at) => base + at);

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
