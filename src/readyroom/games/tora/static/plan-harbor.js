/** The American anchorage: ships are carried over the harbor, cell by cell; they settle at the nearest berth open to them. */

import { ARROWS, nearest } from "readyroom/board.js";
import { announce, get, query, queryAll } from "readyroom/dom.js";
import { h, s } from "readyroom/plans/parts.js";

/**
 * @typedef {{x: number, y: number, lie: "h" | "v", dock: boolean}} Berth
 * @typedef {{key: string, name: string, kind: string, length: number}} Ship
 *
 * The berths that are open to a ship: numbers of cells by how she lies, and whether the dry dock is.
 * @typedef {{h: number[], v: number[], dock: boolean}} Places
 */

const EDGE = 20;
const SNAP = 4; // cells to the nearest berth that is open
const BEAM = 9;
const HULLS = ["BB", "CV", "CL", "AG", "AO"];
const KINDS = /** @type {Record<string, string>} */ ({ CV: "carrier", BB: "battleship" });

/**
 * Return the open berth that is nearest to a cell, or null if none is near. A berth of the same lie is preferred.
 * @param {Places} places
 * @param {Berth} wanted
 * @param {{width: number, dock: Berth | null}} harbor
 * @param {number} [within] cells
 * @returns {Berth | null}
 */
export function nearestBerth(places, wanted, { width, dock }, within = SNAP) {
  let best = null;
  let least = within;
  for (const lie of /** @type {("h" | "v")[]} */ (["h", "v"])) {
    for (const cell of places[lie]) {
      const [x, y] = [cell % width, Math.floor(cell / width)];
      const far = Math.hypot(x - wanted.x, y - wanted.y) + (lie === wanted.lie ? 0 : within);
      if (far < least) [best, least] = [{ x, y, lie, dock: false }, far];
    }
  }
  if (places.dock && dock && Math.hypot(dock.x - wanted.x, dock.y - wanted.y) <= least) return { ...dock };
  return best;
}

/**
 * @param {import("readyroom/plans/editor.js").Editor} editor
 * @returns {import("./plan-usa.js").Sheet}
 */
export function drawHarbor(editor) {
  const { harbor, ships } = /** @type {{harbor: any, ships: Ship[]}} */ (editor.sheet);
  const { width, height, cell, island, middle, dock } = harbor;
  const byKey = new Map(ships.map((ship) => [ship.key, ship]));
  const berthOf = (/** @type {string} */ key) => /** @type {Berth | undefined} */ (editor.plan.berths[key]);

  const [left, right, top, bottom] = island;
  const drawing = s(
    "svg",
    {
      class: "plan-harbor in-usa",
      viewBox: `${-EDGE} ${-EDGE} ${width * cell + 2 * EDGE} ${height * cell + 2 * EDGE}`,
      role: "group",
      "aria-label": "Pearl Harbor",
    },
    s("rect", { class: "bd-land bd-shoreland", x: -EDGE, y: -EDGE, width: "100%", height: "100%" }),
    s("path", { class: "bd-basin", d: harbor.water }),
    s("path", { class: "bd-bank", d: harbor.water }),
    dock &&
      s("rect", {
        class: "bd-dock",
        x: dock.x * cell - 2,
        y: dock.y * cell - 3,
        width: cell + 4,
        height: 4 * cell + 6,
      }),
    s("rect", {
      class: "bd-land",
      x: left * cell + 1,
      y: top * cell + 1,
      width: (right - left + 1) * cell - 2,
      height: (bottom - top + 1) * cell - 2,
      rx: 26,
    }),
    s("path", {
      class: "bd-cross",
      d: `M${middle[0] * cell} 0V${height * cell}M0 ${middle[1] * cell}H${width * cell}`,
    }),
    s(
      "text",
      {
        class: "bd-isle",
        x: ((left + right + 1) / 2) * cell,
        y: ((top + bottom + 1) / 2) * cell + 4,
        "text-anchor": "middle",
      },
      "Ford Island",
    ),
    s("text", { class: "bd-place", x: 8, y: 12 }, "Pearl Harbor"),
    s("text", { class: "bd-small", x: width * cell - 34, y: 30 * cell, "text-anchor": "end" }, "Navy Yard"),
  );
  const water = s("rect", {
    class: "plan-water",
    x: -EDGE,
    y: -EDGE,
    width: "100%",
    height: "100%",
    "data-drop": "ship",
  });
  const open = s("path", { class: "plan-open" });
  const preview = s("g", { class: "plan-preview", hidden: true });
  const fleet = s("g");
  drawing.append(water, open, fleet, preview);
  const status = h("p", { class: "plan-help", "aria-live": "polite" });
  const turn = h("button", { type: "button", class: "button button-small" }, "Turn the ship (R)");
  const usual = h("button", { type: "button", class: "button button-small" }, "Battleship Row: the usual anchorage");
  const view = h("div", { class: "plan-scroll" }, drawing);
  const root = h("div", { class: "plan-sheet" }, view, h("p", { class: "plan-tools" }, turn, usual), status);
  const HELP =
    "Drag a ship to another berth, or click her and then the water; R turns her, arrow keys move the one that is focused. " +
    "Carriers lie north of Ford Island, battleships next to it or along the Navy Yard; two ships at most nest side by side.";

  /** The ship that is carried, how she lies, and where she is open to lie. */
  const carried = {
    ship: /** @type {Ship | null} */ (null),
    lie: /** @type {"h" | "v"} */ ("h"),
    grab: { x: 0, y: 0 },
    places: /** @type {Places | null} */ (null),
    at: /** @type {Berth | null} */ (null),
  };
  /** The berths open to a ship, for a draft. @type {{ship: string, draft: string, places: Promise<Places | null>}} */
  let known = { ship: "", draft: "", places: Promise.resolve(null) };
  const placesOf = (/** @type {string} */ ship) => {
    const draft = JSON.stringify(editor.plan.berths);
    if (known.ship !== ship || known.draft !== draft) {
      known = { ship, draft, places: editor.ask(ship).then((result) => result?.places ?? null) };
    }
    return known.places;
  };

  /**
   * Return the drawing of a ship.
   * @param {Ship} ship
   * @param {Berth} berth
   */
  const hull = ({ kind, length }, { x, y, lie }) => {
    const [wide, high] = lie === "h" ? [length, 1] : [1, length];
    const shape = HULLS.includes(kind) ? kind : "other";
    const scale = `scale(${(length * cell - 2) / 100} ${BEAM / 16})`;
    return s(
      "g",
      { transform: `translate(${(x + wide / 2) * cell} ${(y + high / 2) * cell})${lie === "v" ? " rotate(90)" : ""}` },
      s("rect", {
        class: "plan-hull",
        x: -length * cell * 0.5,
        y: -cell * 0.5,
        width: length * cell,
        height: cell,
        rx: 5,
      }),
      s("use", { href: `#pc-hull-${shape}`, transform: scale }),
    );
  };
  /**
   * Return where a ship's name stands: over land or open water, away from a ship in the same nest.
   * @param {Ship} ship
   * @param {Berth} berth
   * @param {Record<string, Berth>} berths
   */
  const label = ({ key, name, length }, { x, y, lie }, berths) => {
    const others = Object.entries(berths).filter(([other, each]) => other !== key && each.lie === lie);
    const has = (/** @type {number} */ dx, /** @type {number} */ dy) =>
      others.some(([, each]) =>
        lie === "h"
          ? each.y === y + dy && Math.abs(each.x - x) < length
          : each.x === x + dx && Math.abs(each.y - y) < length,
      );
    if (lie === "v") {
      const isRight = has(-1, 0) || x < middle[0] / 3;
      const at = { x: (isRight ? x + 1 : x) * cell + (isRight ? 4 : -4), y: (y + length / 2) * cell + 3 };
      return s("text", { class: "plan-ship-name", ...at, "text-anchor": isRight ? null : "end" }, name);
    }
    const isBelow = has(0, -1) || (y > bottom + 1 && !has(0, 1));
    const at = { x: (x + length / 2) * cell, y: isBelow ? (y + 1) * cell + 8 : y * cell - 2.5 };
    return s("text", { class: "plan-ship-name", ...at, "text-anchor": "middle" }, name);
  };

  const update = () => {
    const focused = document.activeElement?.getAttribute("data-id");
    const { berths } = editor.plan;
    const drawn = ships.flatMap((ship) => {
      const berth = berthOf(ship.key);
      if (!berth) return [];
      const kind = KINDS[ship.kind] ?? "auxiliary";
      const title = `${ship.name}, ${kind}: ${describe(berth)}`;
      return [
        s(
          "g",
          {
            class: "plan-ship",
            role: "button",
            tabindex: 0,
            "aria-pressed": String(carried.ship?.key === ship.key),
            "aria-label": title,
            "data-carry": `ship:${ship.key}`,
            "data-id": ship.key,
            "data-where": `berths.${ship.key}`,
          },
          s("title", {}, title),
          hull(ship, berth),
          label(ship, berth, berths),
        ),
      ];
    });
    fleet.replaceChildren(...drawn);
    if (focused && byKey.has(focused)) /** @type {any} */ (query(`[data-id="${focused}"]`, root))?.focus();
    showStatus();
  };
  const showStatus = () => {
    const { ship } = carried;
    turn.hidden = !ship;
    status.textContent = ship ? `${ship.name}: click where she is to lie, or press Escape.` : HELP;
  };
  const showOpen = () => {
    const { ship, lie, places } = carried;
    if (!ship || !places) {
      open.removeAttribute("d");
      return;
    }
    const cells = new Set();
    for (const first of places[lie]) {
      for (let at = 0; at < ship.length; at += 1) cells.add(first + at * (lie === "h" ? 1 : width));
    }
    const squares = [...cells].map((at) => `M${(at % width) * cell} ${Math.floor(at / width) * cell}h10v10h-10z`);
    open.setAttribute("d", squares.join(""));
  };
  const showPreview = () => {
    const { ship, at } = carried;
    preview.toggleAttribute("hidden", !ship || !at);
    if (ship && at) preview.replaceChildren(hull(ship, at));
  };
  /** @param {MouseEvent} event */
  const pointIn = ({ clientX, clientY }) => {
    const svg = /** @type {SVGSVGElement} */ (/** @type {unknown} */ (drawing));
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(svg.getScreenCTM()?.inverse());
    return { x: x / cell, y: y / cell };
  };
  /**
   * Return the berth for a ship at the pointer, or the nearest one that is open to her.
   * @param {MouseEvent} event
   */
  const aimed = (event) => {
    const { lie, grab, places } = carried;
    const point = pointIn(event);
    /** @type {Berth} */
    const raw = { x: Math.round(point.x - grab.x), y: Math.round(point.y - grab.y), lie, dock: false };
    return (places && nearestBerth(places, raw, harbor)) ?? raw;
  };
  /**
   * @param {Ship} ship
   * @param {Berth} berth
   */
  const settle = ({ key, name }, berth) => {
    editor.change((plan) => {
      plan.berths[key] = berth;
    });
    announce(`${name}: ${describe(berth)}.`);
  };
  /** @param {Ship} ship */
  const rotate = async (ship) => {
    const berth = berthOf(ship.key);
    if (!berth) return;
    if (carried.ship === ship) {
      carried.lie = carried.lie === "h" ? "v" : "h";
      carried.grab = centerOf(ship, carried.lie);
      showOpen();
      if (carried.at) carried.at = { ...carried.at, lie: carried.lie, dock: false };
      showPreview();
      announce(carried.lie === "h" ? "East to west." : "North to south.");
      return;
    }
    const places = await placesOf(ship.key);
    const lie = /** @type {"h" | "v"} */ (berth.lie === "h" ? "v" : "h");
    const raw = { ...berth, lie, dock: false };
    settle(ship, (places && nearestBerth({ ...places, [berth.lie]: [] }, raw, harbor, width)) ?? raw);
  };
  /**
   * Move a ship to the next open berth in a direction.
   * @param {Ship} ship
   * @param {[number, number]} direction
   */
  const shift = async (ship, direction) => {
    const berth = berthOf(ship.key);
    const places = berth && (await placesOf(ship.key));
    if (!berth || !places) return;
    const cells = places[berth.lie].map((at) => /** @type {[number, number]} */ ([at % width, Math.floor(at / width)]));
    const scaled = cells.map(([x, y]) => /** @type {[number, number]} */ ([x * 2, y * 2]));
    const found = cells[nearest([berth.x * 2, berth.y * 2], scaled, direction)];
    if (!found) {
      announce(`${ship.name} has no berth in this direction.`);
      return;
    }
    const next = { x: found[0], y: found[1], lie: berth.lie, dock: false };
    settle(ship, nearestBerth(places, next, harbor, 0.5) ?? next);
  };
  /**
   * @param {Ship} ship
   * @param {"h" | "v"} lie
   */
  const centerOf = ({ length }, lie) => (lie === "h" ? { x: length / 2, y: 0.5 } : { x: 0.5, y: length / 2 });

  turn.addEventListener("click", (event) => {
    event.stopPropagation();
    if (carried.ship) rotate(carried.ship);
  });
  usual.addEventListener("click", () =>
    editor.change((plan) => {
      plan.berths = structuredClone(harbor.usual);
    }),
  );
  root.addEventListener("pointerdown", (event) => {
    const element = /** @type {HTMLElement | null} */ (/** @type {Element} */ (event.target).closest(".plan-ship"));
    const ship = byKey.get(element?.dataset.id ?? "");
    const berth = ship && berthOf(ship.key);
    if (!ship || !berth) return;
    const point = pointIn(event);
    carried.grab = { x: point.x - berth.x, y: point.y - berth.y };
  });
  water.addEventListener("pointermove", (event) => {
    if (!carried.ship || root.classList.contains("dragging")) return;
    carried.at = aimed(event);
    showPreview();
  });
  update();
  return {
    root,
    update,
    carry: {
      pick({ key }) {
        const ship = byKey.get(key) ?? null;
        const berth = ship && berthOf(key);
        if (!ship || !berth) return;
        carried.ship = ship;
        carried.lie = berth.lie;
        carried.places = null;
        if (!root.classList.contains("dragging")) carried.grab = centerOf(ship, berth.lie);
        showStatus();
        for (const other of queryAll(".plan-ship", root))
          other.classList.toggle("is-carried", other.dataset.id === key);
        placesOf(key).then((places) => {
          if (carried.ship !== ship) return;
          carried.places = places;
          showOpen();
        });
      },
      move(_, event) {
        carried.at = aimed(event);
        showPreview();
      },
      release() {
        Object.assign(carried, { ship: null, places: null, at: null });
        for (const other of queryAll(".plan-ship", root)) other.classList.remove("is-carried");
        showOpen();
        showPreview();
        showStatus();
      },
      drop({ key }, _, event) {
        const ship = byKey.get(key);
        if (ship && event) settle(ship, aimed(event));
        return false;
      },
      key({ key: name }, key) {
        const ship = byKey.get(name);
        const direction = ARROWS[key];
        if (!ship || (!direction && key !== "r" && key !== "R")) return false;
        if (direction) shift(ship, direction);
        else rotate(ship);
        return true;
      },
    },
    open() {
      view.scrollTo((view.scrollWidth - view.clientWidth) / 2, (view.scrollHeight - view.clientHeight) / 2);
    },
    find: ([, key]) => query(`[data-where="berths.${key}"]`, root) ?? get(".plan-help", root),
  };
}

/**
 * Describe a berth.
 * @param {Berth} berth
 */
function describe({ x, y, lie, dock }) {
  if (dock) return "in dry dock";
  return `${x} inches from the west and ${y} from the north, ${lie === "h" ? "east to west" : "north to south"}`;
}
