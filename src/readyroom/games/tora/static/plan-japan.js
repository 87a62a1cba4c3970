/** The Japanese plan: the day, the waves with their turns, units carried from the carriers to their sectors, and the message. */

import { ARROWS } from "readyroom/board.js";
import { announce, query, queryAll } from "readyroom/dom.js";
import { counter, counterParts, h, initCarry, refill, s } from "readyroom/plans/parts.js";
import { dayName, drawOahu, frameOf, nameOf } from "./plan-chart.js";

/**
 * @typedef {import("readyroom/plans/editor.js").Editor} Editor
 * @typedef {{sector: string, type: string, units: number, ordnance: string}} Group
 * @typedef {{turn: number, group: Group[]}} Wave
 * @typedef {{key: string, title: string, units: number, strength: number, loads: [string, string][]}} Type
 */

/** How much more sea there is in the west and in the east on a screen that is wider than high. */
const ASIDE = 100;
const SIZE = 2.1; // of counters on the chart
const ACROSS = 57; // from one to the next
const DOWN = 62;
const AMOUNTS = [1, 4, 99];

/**
 * Return how many more units of a type a wave may take. Waves 1 and 2 share all units; those of wave 1 may fly again in
 * wave 3, those of wave 2 may not.
 * @param {Wave[]} waves
 * @param {number} at the wave, from 0
 * @param {{key: string, units: number}} type
 * @param {number} most units in a wave
 */
export function unitsLeft(waves, at, type, most) {
  return Math.max(0, Math.min(unitsAboard(waves, at, type), most - unitsOf(waves[at])));
}

/**
 * Return how many units of a type are aboard for a wave, whatever else flies in it.
 * @param {Wave[]} waves
 * @param {number} at the wave, from 0
 * @param {{key: string, units: number}} type
 */
export function unitsAboard(waves, at, { key, units }) {
  const flown = waves.map(({ group }) =>
    group.filter(({ type }) => type === key).reduce((sum, each) => sum + each.units, 0),
  );
  const [first = 0, second = 0, third = 0] = flown;
  if (at === 2) return Math.max(0, units - second - third);
  const both = units - first - second;
  return Math.max(0, at === 1 ? Math.min(both, units - second - third) : both);
}

/** @param {Wave | undefined} wave */
export const unitsOf = (wave) => (wave?.group ?? []).reduce((sum, { units }) => sum + units, 0);

/**
 * Add units to a wave, or take some away; a group without units is left out.
 * @param {Wave} wave
 * @param {Group} change
 */
export function addUnits(wave, { sector, type, ordnance, units }) {
  const same = wave.group.find((each) => each.sector === sector && each.type === type && each.ordnance === ordnance);
  if (same) same.units += units;
  else wave.group.push({ sector, type, units, ordnance });
  wave.group = wave.group.filter((each) => each.units > 0);
}

/**
 * @param {HTMLElement} root
 * @param {Editor} editor
 * @returns {import("readyroom/plans/editor.js").Chart}
 */
export function draw(root, editor) {
  const { sheet } = editor;
  const { days, month, sectors, turns } = sheet;
  const types = /** @type {Type[]} */ (sheet.types);
  let at = 0;
  let amount = 4;

  const waves = () => /** @type {Wave[]} */ (editor.plan.wave);
  const begin = () => {
    if (!waves().length) editor.plan.wave.push({ turn: turns.first, group: [] });
    if (sheet.messages && !sheet.sent && editor.plan.day && !editor.plan.message) writeMessage(editor.plan);
  };
  const titleOf = (/** @type {string} */ key) => types.find((type) => type.key === key)?.title ?? key;
  const loadOf = (/** @type {string} */ type, /** @type {string} */ load) =>
    types.find(({ key }) => key === type)?.loads.find(([key]) => key === load)?.[1] ?? "";
  const describe = (/** @type {Group} */ { type, ordnance }) =>
    `${titleOf(type)}s${ordnance === "none" ? "" : ` with ${loadOf(type, ordnance)}`}`;

  // The day.
  const calendar = h("div", {
    class: "plan-dates",
    role: "radiogroup",
    "aria-label": "Day of the attack",
    "data-where": "day",
  });
  for (const each of days) {
    const pick = h(
      "button",
      { type: "button", class: "plan-date", role: "radio", "data-day": each[0] },
      ...dayName(each),
    );
    pick.setAttribute("aria-label", `${each[1]} ${each[0]} ${month}`);
    calendar.append(pick);
  }
  const chooseDay = (/** @type {number} */ day) =>
    editor.change((plan) => {
      plan.day = day;
      if (sheet.messages && !sheet.sent) writeMessage(plan);
    });
  calendar.addEventListener("click", (event) => {
    const pick = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-day]"));
    if (pick && !isClosed(pick)) chooseDay(Number(pick.dataset.day));
  });
  calendar.addEventListener("keydown", (event) => {
    const step = ARROWS[event.key]?.[0];
    const pick = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest("[data-day]"));
    const next = step && pick && query(`[data-day="${Number(pick.dataset.day) + step}"]`, calendar);
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    next.focus();
    if (!isClosed(next)) chooseDay(Number(next.dataset.day));
  });
  const isClosed = (/** @type {HTMLElement} */ pick) => pick.getAttribute("aria-disabled") === "true";

  // The turns on which the waves enter.
  const track = h("ol", { class: "plan-turns", "aria-label": "Turns on which the waves enter" });
  for (let turn = turns.first; turn <= turns.last; turn += 1) {
    const marks = [
      sheet.rises.includes(turn) && "alert levels rise",
      sheet.luck && turn >= sheet.luck && "a luck card at the end",
    ].filter(Boolean);
    const box = h(
      "button",
      { type: "button", class: "plan-turn", "data-drop": "flag", "data-turn": turn },
      String(turn),
    );
    box.title = [`Turn ${turn}`, ...marks].join(": ");
    box.setAttribute("aria-label", box.title);
    if (sheet.rises.includes(turn)) box.classList.add("is-rise");
    if (sheet.luck && turn >= sheet.luck) box.classList.add("is-risky");
    track.append(h("li", {}, h("span", { class: "plan-flags" }), box));
  }
  const setTurn = (/** @type {number} */ wave, /** @type {number} */ turn) => {
    if (wave === 0) {
      announce(`Wave 1 enters on turn ${turns.first}. Rule 8.1.`);
      return;
    }
    editor.change((plan) => {
      plan.wave[wave].turn = Math.min(turns.last, Math.max(turns.first, turn));
    });
    announce(`Wave ${wave + 1} enters on turn ${waves()[wave]?.turn}.`);
  };

  // The waves as tabs, the carriers with what is left, and the chart.
  const tabs = h("div", { class: "plan-tabs" });
  const deck = h("div", { class: "plan-deck", "data-drop": "group" });
  const amounts = h("p", { class: "plan-tools", role: "group", "aria-label": "Units at a time" }, "At a time: ");
  for (const each of AMOUNTS) {
    const text = each > 9 ? "all" : String(each);
    const button = h("button", { type: "button", class: "button button-small", "data-amount": each }, text);
    button.addEventListener("click", () => {
      amount = each;
      update();
    });
    amounts.append(button);
  }
  const supply = h("div", { class: "plan-supply" });
  deck.append(h("h3", {}, "On the carriers"), amounts, supply);
  const aside = matchMedia("(max-width: 43.99rem)").matches ? 0 : ASIDE;
  const drawing = drawOahu(sheet.oahu, "Sectors of approach", aside);
  const areas = s("g");
  const stacks = s("g", { class: "in-japan" });
  for (const sector of sectors) {
    const quadrant = sector.slice(-2);
    const [west, north] = [quadrant.endsWith("W"), quadrant.startsWith("N")];
    areas.append(
      s(
        "g",
        { class: "plan-sector", role: "button", tabindex: 0, "data-drop": "supply group", "data-sector": sector },
        s("rect", { class: "plan-quarter", ...frameOf(sheet.oahu, quadrant, aside) }),
        s(
          "text",
          {
            class: "bd-zonename",
            x: west ? 12 - aside : 458 + aside,
            y: north ? 24 : 632,
            "text-anchor": west ? null : "end",
          },
          sector,
        ),
        s("path", { class: "plan-arrow", d: arrowFor(sheet.oahu, quadrant, aside) }),
      ),
    );
  }
  drawing.append(areas, stacks);
  const list = h("table", { class: "plan-list" });
  const caption = h("p", { class: "plan-help" });
  const message = h("div", { class: "plan-message", "data-where": "message" });
  const map = h("div", { class: "plan-map" }, drawing);
  const loads = h("div", { class: "plan-loads" }, list, caption, message);
  const sky = h("div", { class: "plan-sheet plan-japan" }, deck, map, loads);
  const rises = sheet.rises.join(" and ");
  const risks = sheet.luck ? ` Red, from turn ${sheet.luck}: a luck card at its end.` : "";
  const when = h(
    "div",
    { class: "plan-when" },
    h("h3", {}, "Day of the attack"),
    calendar,
    h("h3", {}, "Turns on which the waves enter"),
    track,
    h("p", { class: "plan-help" }, `Blue, turns ${rises}: alert levels rise.${risks}`),
  );
  root.replaceChildren(when, tabs, sky);

  /**
   * Let units fly in the wave from a sector. Return whether there were any.
   * @param {string} sector
   * @param {string} type
   * @param {string} ordnance
   * @param {number} wanted
   */
  const load = (sector, type, ordnance, wanted) => {
    const known = /** @type {Type} */ (types.find(({ key }) => key === type));
    const units = Math.min(wanted, unitsLeft(waves(), at, known, sheet.most));
    if (units <= 0) {
      const isFull = unitsOf(waves()[at]) >= sheet.most;
      announce(
        isFull
          ? `Wave ${at + 1} has ${sheet.most} units, which is the limit. Rule 7.3.`
          : `No ${known.title} is left for wave ${at + 1}. Rule 7.3.`,
      );
      flash(isFull ? tabs : supply);
      return false;
    }
    editor.change((plan) => addUnits(plan.wave[at], { sector, type, ordnance, units }));
    announce(`${units} ${describe({ sector, type, ordnance, units })} from the ${nameOf(sector)}.`);
    return true;
  };
  const flash = (/** @type {HTMLElement} */ element) => {
    element.classList.add("is-full");
    setTimeout(() => element.classList.remove("is-full"), 700);
  };
  const groupAt = (/** @type {string} */ key) => {
    const [sector, type, ordnance] = key.split(":");
    return waves()[at]?.group.find(
      (each) => each.sector === sector && each.type === type && each.ordnance === ordnance,
    );
  };
  const step = (/** @type {Group} */ group, /** @type {number} */ by) => {
    if (by > 0) load(group.sector, group.type, group.ordnance, by);
    else editor.change((plan) => addUnits(plan.wave[at], { ...group, units: by }));
  };

  initCarry(root, {
    drop({ kind, key }, target) {
      const { sector, turn } = target.dataset;
      if (kind === "flag") setTurn(Number(key), Number(turn));
      else if (kind === "supply") {
        const [type = "", ordnance = ""] = key.split(":");
        return load(sector ?? "", type, ordnance, amount);
      } else {
        const known = groupAt(key);
        if (!known) return false;
        const group = { ...known };
        editor.change((plan) => {
          addUnits(plan.wave[at], { ...group, units: -group.units });
          if (sector) addUnits(plan.wave[at], { ...group, sector });
        });
        announce(
          `${group.units} ${describe(group)}: ${sector ? `from the ${nameOf(sector)}` : "back on the carriers"}.`,
        );
      }
      return false;
    },
    key({ kind, key: name }, key) {
      const by = key === "+" || key === "=" ? 1 : key === "-" ? -1 : 0;
      const group = kind === "group" ? groupAt(name) : undefined;
      const move = kind === "flag" ? ARROWS[key]?.[0] : undefined;
      if (group && (by || key === "Delete" || key === "Backspace")) step(group, by || -group.units);
      else if (move) setTurn(Number(name), (waves()[Number(name)]?.turn ?? 1) + move);
      else return false;
      return true;
    },
  });

  const update = () => {
    begin();
    at = Math.min(at, waves().length - 1);
    for (const pick of queryAll("[data-day]", calendar)) {
      const isChosen = Number(pick.dataset.day) === editor.plan.day;
      pick.setAttribute("aria-checked", String(isChosen));
      pick.setAttribute("aria-disabled", String(Boolean(sheet.sent) && !isChosen));
      pick.tabIndex = isChosen || (!editor.plan.day && pick.dataset.day === "1") ? 0 : -1;
    }
    showTrack();
    showTabs();
    showSupply();
    showStacks();
    showList();
    showMessage();
    for (const button of queryAll("[data-amount]", amounts)) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.amount) === amount));
    }
  };

  const showTrack = () => {
    for (const [place, box] of queryAll("li", track).entries()) {
      const turn = turns.first + place;
      const flags = waves().flatMap((wave, number) => {
        if (wave.turn !== turn) return [];
        const name = `Wave ${number + 1} enters on turn ${turn}`;
        const text = String(number + 1);
        if (number === 0) return [h("span", { class: "plan-flag is-fixed", title: `${name} (rule 8.1)` }, text)];
        return [
          h(
            "button",
            {
              type: "button",
              class: "plan-flag",
              "data-carry": `flag:${number}`,
              "data-id": `flag-${number}`,
              "data-where": `wave.${number}`,
              "aria-pressed": "false",
              "aria-label": `${name}; left and right arrows move it`,
              title: name,
            },
            text,
          ),
        ];
      });
      refill(/** @type {Element} */ (box.firstElementChild), ...flags);
    }
  };

  const showTabs = () => {
    const made = waves().map((wave, number) => {
      const tab = h(
        "button",
        {
          type: "button",
          class: "plan-tab",
          role: "tab",
          "aria-selected": String(number === at),
          "data-id": `wave-${number}`,
          "data-where": `wave.${number}`,
        },
        `Wave ${number + 1} `,
        h("span", { class: "plan-count" }, `turn ${wave.turn} · ${unitsOf(wave)} of ${sheet.most}`),
      );
      tab.addEventListener("click", () => {
        at = number;
        update();
      });
      return tab;
    });
    const more = h("button", { type: "button", class: "button button-small", "data-id": "more" }, "Add a wave");
    more.addEventListener("click", () => {
      const count = waves().length;
      at = count;
      editor.change((plan) => {
        const last = plan.wave.at(-1)?.turn ?? turns.first;
        plan.wave.push({
          turn: Math.min(turns.last, Math.max(last + 1, turns.later[count - 1] ?? last + 1)),
          group: [],
        });
      });
    });
    const fewer = h(
      "button",
      { type: "button", class: "button button-small", "data-id": "fewer" },
      `Remove wave ${at + 1}`,
    );
    fewer.addEventListener("click", () => {
      editor.change((plan) => {
        plan.wave.splice(at, 1);
        plan.wave[0].turn = turns.first;
      });
    });
    const list = h("div", { class: "plan-tablist", role: "tablist", "aria-label": "Waves" }, ...made);
    refill(tabs, list, waves().length < sheet.waves && more, waves().length > 1 && fewer);
  };

  const showSupply = () => {
    refill(
      supply,
      ...types.flatMap((type) => {
        const left = unitsAboard(waves(), at, type);
        const isClosed = !unitsLeft(waves(), at, type, sheet.most);
        return type.loads.map(([load, words]) => {
          const text = load === "none" ? `${type.title}s` : `${type.title}s, ${words}`;
          const whose = type.loads.length > 1 ? ` ${type.title}s left in all` : " left";
          return h(
            "button",
            {
              type: "button",
              class: `plan-load${isClosed ? " is-empty" : ""}`,
              "data-carry": `supply:${type.key}:${load}`,
              "data-id": `supply-${type.key}-${load}`,
              "data-name": text,
              "aria-pressed": "false",
            },
            counter(type.key, "japan", load),
            h("span", {}, `${text} `, h("small", {}, `${left}${whose}`)),
          );
        });
      }),
    );
  };

  const showStacks = () => {
    const focused = document.activeElement?.getAttribute("data-id");
    const wave = waves()[at];
    /** @type {SVGElement[]} */
    const drawn = [];
    for (const sector of sectors) {
      const here = (wave?.group ?? []).filter((group) => group.sector === sector);
      const [inner, top, room, height] = sheet.oahu.clouds[sector];
      const [left, width] = [sector.endsWith("W") ? inner - aside : inner, room + aside];
      const columns = Math.max(1, Math.round(width / ACROSS));
      const rows = Math.ceil(here.length / columns);
      here.forEach((group, place) => {
        const row = Math.floor(place / columns);
        const inRow = Math.min(columns, here.length - row * columns);
        const start = Math.max(-aside, left + (width - inRow * ACROSS) / 2);
        const x = start + (place % columns) * ACROSS + (ACROSS - 26 * SIZE) / 2;
        const first = Math.min(top + (height - rows * DOWN) / 2, sheet.oahu.size[1] - rows * DOWN);
        const y = first + row * DOWN;
        const key = `${sector}:${group.type}:${group.ordnance}`;
        const name = `${group.units} ${describe(group)} from the ${nameOf(sector)}`;
        drawn.push(
          s(
            "g",
            {
              class: "plan-stack",
              role: "button",
              tabindex: 0,
              transform: `translate(${x} ${y}) scale(${SIZE})`,
              "data-carry": `group:${key}`,
              "data-id": key,
              "data-name": name,
              "data-drop": "supply group",
              "data-sector": sector,
              "aria-pressed": "false",
            },
            s("title", {}, name),
            ...counterParts(group.type, "japan", group.ordnance, group.units),
          ),
        );
      });
      const area = query(`[data-sector="${sector}"]`, areas);
      const units = here.reduce((sum, group) => sum + group.units, 0);
      area?.setAttribute("aria-label", `Sector ${sector}: ${units} units of wave ${at + 1}`);
      area?.classList.toggle("is-used", units > 0);
    }
    stacks.replaceChildren(...drawn);
    if (focused) /** @type {any} */ (query(`[data-id="${focused}"]`, stacks))?.focus();
    caption.textContent =
      "Drag counters from the carriers to a sector, or click one and then the sector. Drag a stack to another sector, or " +
      "back to the carriers; + and − change its units.";
  };

  const showList = () => {
    const rows = (waves()[at]?.group ?? []).map((group, place) => {
      const name = `${describe(group)} from the ${nameOf(group.sector)}`;
      const button = (/** @type {number} */ by) => {
        const made = h(
          "button",
          { type: "button", class: "step", "data-id": `${group.sector}${group.type}${group.ordnance}${by}` },
          by > 0 ? "+" : "−",
        );
        made.setAttribute("aria-label", `${by > 0 ? "One more" : "One fewer"}: ${name}`);
        made.addEventListener("click", () => step(group, by));
        return made;
      };
      return h(
        "tr",
        { "data-where": `wave.${at}.group.${place}` },
        h("th", { scope: "row" }, describe(group)),
        h("td", {}, group.sector),
        h("td", {}, button(-1), h("b", {}, String(group.units)), button(1)),
      );
    });
    const none = h("tr", {}, h("td", {}, "No units yet. Bring some from the carriers."));
    refill(list, h("caption", {}, `Wave ${at + 1}`), h("tbody", {}, ...(rows.length ? rows : [none])));
  };

  const showMessage = () => {
    const { plan } = editor;
    message.hidden = !sheet.messages;
    if (!sheet.messages) return;
    if (sheet.sent) {
      refill(message, h("h3", {}, "The message"), h("p", {}, "It has been sent; the day is final."));
      return;
    }
    const texts = sheet.messages[plan.day] ?? [];
    const ciphers = /** @type {[string, string, string, string[]][]} */ (sheet.ciphers);
    const keys = ciphers.find(([key]) => key === plan.cipher)?.[3] ?? [];
    const select = (
      /** @type {string} */ label,
      /** @type {string} */ name,
      /** @type {[string, string][]} */ options,
    ) => {
      const chosen = h("select", { "data-id": `message-${name}` });
      for (const [value, text] of options) {
        const option = h("option", { value, selected: value === plan[name] }, text);
        chosen.append(option);
      }
      chosen.addEventListener("change", (event) =>
        editor.change((draft) => {
          draft[name] = /** @type {HTMLSelectElement} */ (event.target).value;
          if (name === "cipher") draft.key = ciphers.find(([key]) => key === draft.cipher)?.[3][0] ?? "";
        }),
      );
      return h("label", {}, label, chosen);
    };
    refill(
      message,
      h("h3", {}, "The message from Tokyo"),
      ...(texts.length
        ? [
            select(
              "Text",
              "message",
              texts.map((/** @type {string} */ text) => [text, text]),
            ),
            select(
              "Cipher",
              "cipher",
              ciphers.map(([key, title, about]) => [key, `${title}: ${about}`]),
            ),
            select(
              "Key",
              "key",
              keys.map((key) => [key, key || "without a key"]),
            ),
            h("p", { class: "plan-help" }, `The Americans will read: ${editor.checked.intercept || "…"}`),
          ]
        : [h("p", { class: "plan-help" }, "Choose the day first: the message names it.")]),
    );
  };
  /** @param {any} plan */
  const writeMessage = (plan) => {
    const [name, , , keys] = sheet.ciphers[0];
    const old = sheet.messages[plan.day] ?? [];
    Object.assign(plan, { message: old[0] ?? "", cipher: plan.cipher || name, key: plan.key || keys[0] });
  };

  update();
  return {
    update,
    mark: showMessage,
    tally() {
      const lines = waves().map((wave, number) => ({
        title: `Wave ${number + 1}`,
        text: `${unitsOf(wave)} of ${sheet.most} units`,
        spent: unitsOf(wave),
        of: sheet.most,
      }));
      const flown = types.map((type) => {
        const used = waves()
          .slice(0, 2)
          .flatMap(({ group }) => group)
          .filter((group) => group.type === type.key)
          .reduce((sum, { units }) => sum + units, 0);
        const left = type.units - used;
        const text = left < 0 ? `${-left} too many` : left ? `${left} of ${type.units} stay aboard` : "all fly";
        return { title: `${type.title}s`, text, spent: used, of: type.units };
      });
      const { day } = editor.plan;
      const chosen = { title: "Day", text: day ? `${month} ${day}` : "not chosen", spent: day ? 1 : 0, of: 1 };
      return [chosen, ...lines, ...flown];
    },
    show(where) {
      if (where[0] === "wave" && typeof where[1] === "number") at = Math.min(where[1], waves().length - 1);
      update();
      const path = where.join(".");
      const found =
        where[0] === "day" || where[0] === "message"
          ? query(where[0] === "day" ? '[data-day][tabindex="0"]' : "select", where[0] === "day" ? calendar : message)
          : (query(`[data-where="${path}"] button`, list) ?? query('[role="tab"][aria-selected="true"]', tabs));
      found?.focus();
      found?.scrollIntoView({ block: "nearest" });
    },
  };
}

/**
 * Return an arrow from the edge of a quarter of the chart towards the island.
 * @param {import("./plan-chart.js").Oahu} oahu
 * @param {string} quadrant
 * @param {number} aside
 */
function arrowFor({ size, at }, quadrant, aside) {
  const [x, y] = [
    quadrant.endsWith("W") ? 16 - aside : size[0] + aside - 16,
    quadrant.startsWith("N") ? 190 : size[1] - 110,
  ];
  const [dx, dy] = [at[0] - x, at[1] - y];
  const length = Math.hypot(dx, dy);
  const [u, v] = [dx / length, dy / length];
  const [ex, ey] = [x + u * 70, y + v * 70];
  return `M${x} ${y}L${ex} ${ey}M${ex - u * 12 - v * 7} ${ey - v * 12 + u * 7}L${ex} ${ey}L${ex - u * 12 + v * 7} ${ey - v * 12 - u * 7}`;
}
