/** Parts of planning charts: elements, counters, and how things are carried: dragged, clicked and clicked, or by keys. */

import { announce, query, queryAll } from "../dom.js";

/** @typedef {Record<string, string | number | boolean | null | undefined>} Attributes */

const THRESHOLD = 6; // pixels that make a click a drag
const SVG = "http://www.w3.org/2000/svg";

/**
 * Set attributes; false, null and undefined leave one out.
 * @param {Element} element
 * @param {Attributes} attributes
 */
function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) element.removeAttribute(name);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * Make an element of HTML.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null | false)} children
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

/**
 * Make an element of a drawing.
 * @param {string} tag
 * @param {Attributes} [attributes]
 * @param {...(Node | string | null | false)} children
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElement} */ (document.createElementNS(SVG, tag));
  setAttributes(element, attributes);
  element.append(...children.filter((child) => child !== null && child !== false));
  return element;
}

/**
 * Replace the children of an element, and focus again what was focused in it, by `data-id`.
 * @param {Element} parent
 * @param {...(Node | string | null | false)} children
 */
export function refill(parent, ...children) {
  const focused = document.activeElement;
  const id = focused && parent.contains(focused) ? focused.getAttribute("data-id") : null;
  parent.replaceChildren(...children.filter((child) => child !== null && child !== false));
  if (id) /** @type {HTMLElement | null} */ (query(`[data-id="${CSS.escape(id)}"]`, parent))?.focus();
}

// -- counters ---------------------------------------------------------------------------------------------------------

const SHAPES = /** @type {Record<string, string>} */ ({ p40: "sharp", zero: "zero", val: "val", kate: "kate" });
const TABS = /** @type {Record<string, [string, number]>} */ ({
  torpedo: ["T", 2],
  ap: ["AP", 6],
  gp: ["GP", 4],
  p40: ["P40", 0],
  p36: ["P36", 0],
  p26: ["P26", 0],
  f4f: ["F4F", 0],
  f2a: ["F2A", 0],
});

/**
 * Draw a counter of 26 by 28: type, side, what it carries, and how many there are.
 * @param {string} type
 * @param {string} side
 * @param {string} load
 * @param {number} [count] 0 to leave the number out
 */
export function counterParts(type, side, load, count = 0) {
  const [letters, tint] = TABS[load] ?? TABS[type] ?? ["", 0];
  const use = (/** @type {string} */ part, /** @type {Attributes} */ more = {}) =>
    s("use", { href: `#pc-${part}`, ...more });
  return [
    use("body"),
    use(SHAPES[type] ?? "stub"),
    use(`mark-${side}`, { transform: "translate(22.4 4.4) scale(.8)" }),
    letters && s("rect", { class: `pc-tab pc-tint-${tint}`, width: 4 + 5.1 * letters.length, height: 10.4, rx: 2.5 }),
    letters && s("text", { class: "pc-letters", x: 2 + 2.55 * letters.length, y: 9.1 }, letters),
    count > 0 && s("circle", { class: "plan-badge", cx: 20.5, cy: 22, r: 7.6 }),
    count > 0 && s("text", { class: "plan-many", x: 20.5, y: 25.6 }, String(count)),
  ].filter((part) => part !== "" && part !== false);
}

/**
 * A counter as a small drawing of its own.
 * @param {string} type
 * @param {string} side
 * @param {string} load
 * @param {number} [count]
 */
export function counter(type, side, load, count = 0) {
  return s(
    "svg",
    { class: `plan-counter in-${side}`, viewBox: "-1 -1 29 31", "aria-hidden": true },
    ...counterParts(type, side, load, count),
  );
}

// -- carrying ---------------------------------------------------------------------------------------------------------

/**
 * Something that is picked up: the element with `data-carry="kind:key"`, its kind and its key.
 * @typedef {{element: HTMLElement | SVGElement, kind: string, key: string, name: string}} Cargo
 *
 * @typedef {object} Handlers
 * @property {(cargo: Cargo, target: HTMLElement | SVGElement, event: MouseEvent | null) => boolean} drop puts it down on an
 *   element whose `data-drop` has its kind; returns whether more of it may follow
 * @property {(cargo: Cargo) => void} [pick] called when it is picked up
 * @property {(cargo: Cargo, event: PointerEvent) => void} [move] called as it is dragged
 * @property {() => void} [release] called when nothing is carried any more
 * @property {(cargo: Cargo, key: string) => boolean} [key] handles a key on a thing, carried or not
 */

/**
 * Let things in an element be carried to places in it. A thing has `data-carry="kind:key"`, a place lists the kinds that it
 * accepts in `data-drop`.
 * @param {HTMLElement} root
 * @param {Handlers} handlers
 */
export function initCarry(root, handlers) {
  /** @type {Cargo | null} */
  let held = null;
  /** @type {{cargo: Cargo, start: PointerEvent, ghost: HTMLElement | null} | null} */
  let drag = null;
  let wasDragged = false;

  const cargoAt = (/** @type {Element | null} */ element) => {
    const found = /** @type {HTMLElement | null} */ (element?.closest("[data-carry]"));
    if (!found || !root.contains(found)) return null;
    const [kind = "", ...key] = (found.dataset.carry ?? "").split(":");
    const name = found.dataset.name ?? found.getAttribute("aria-label") ?? found.textContent ?? "";
    return { element: found, kind, key: key.join(":"), name };
  };
  const placeFor = (/** @type {Element | null | undefined} */ element, /** @type {Cargo} */ cargo) => {
    const place = /** @type {HTMLElement | null} */ (element?.closest(`[data-drop~="${cargo.kind}"]`) ?? null);
    return place && root.contains(place) && place !== cargo.element ? place : null;
  };
  const mark = (/** @type {Cargo | null} */ cargo) => {
    root.dataset.carrying = cargo?.kind ?? "";
    for (const other of queryAll("[data-carry][aria-pressed]", root)) {
      other.setAttribute("aria-pressed", String(other.dataset.carry === `${cargo?.kind}:${cargo?.key}`));
    }
    for (const place of queryAll("[data-drop]", root)) {
      place.classList.toggle("open", Boolean(cargo && place.dataset.drop?.split(" ").includes(cargo.kind)));
    }
  };
  const release = () => {
    held = null;
    mark(null);
    handlers.release?.();
  };
  const pick = (/** @type {Cargo} */ cargo) => {
    held = cargo;
    mark(cargo);
    handlers.pick?.(cargo);
    announce(`${cargo.name}: picked up. Choose where it goes, or press Escape.`);
  };
  const put = (
    /** @type {Cargo} */ cargo,
    /** @type {HTMLElement} */ place,
    /** @type {MouseEvent | null} */ event,
  ) => {
    if (handlers.drop(cargo, place, event)) {
      held = cargo;
      mark(cargo);
    } else release();
  };
  const press = (/** @type {Element} */ element, /** @type {MouseEvent | null} */ event) => {
    const place = held && placeFor(element, held);
    if (held && place) {
      put(held, place, event);
      return true;
    }
    const cargo = cargoAt(element);
    if (!cargo) return false;
    if (held && held.kind === cargo.kind && held.key === cargo.key) release();
    else pick(cargo);
    return true;
  };

  root.addEventListener("pointerdown", (event) => {
    wasDragged = false;
    const cargo = event.button === 0 ? cargoAt(/** @type {Element} */ (event.target)) : null;
    if (!cargo) return;
    drag = { cargo, start: event, ghost: null };
    // A finger keeps its events at the element it began on, so that the place below it is looked up by position.
    cargo.element.setPointerCapture?.(event.pointerId);
  });
  root.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const { cargo, start } = drag;
    if (!drag.ghost) {
      if (Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) < THRESHOLD) return;
      wasDragged = true;
      held = cargo;
      mark(cargo);
      handlers.pick?.(cargo);
      drag.ghost = ghostOf(cargo.element);
      root.append(drag.ghost);
      root.classList.add("dragging");
    }
    drag.ghost.style.transform = `translate(${event.clientX - start.clientX}px, ${event.clientY - start.clientY}px)`;
    handlers.move?.(cargo, event);
    const under = placeFor(document.elementFromPoint(event.clientX, event.clientY), cargo);
    for (const place of queryAll(".under", root)) if (place !== under) place.classList.remove("under");
    under?.classList.add("under");
  });
  const end = (/** @type {PointerEvent} */ event) => {
    if (!drag) return;
    const { cargo, ghost } = drag;
    drag = null;
    if (!ghost) return;
    ghost.remove();
    root.classList.remove("dragging");
    for (const place of queryAll(".under", root)) place.classList.remove("under");
    const place =
      event.type === "pointerup" ? placeFor(document.elementFromPoint(event.clientX, event.clientY), cargo) : null;
    if (place) handlers.drop(cargo, place, event);
    release();
  };
  root.addEventListener("replaced", release);
  root.addEventListener("pointerup", end);
  root.addEventListener("pointercancel", end);
  root.addEventListener("click", (event) => {
    if (wasDragged) {
      wasDragged = false;
      event.stopPropagation();
      return;
    }
    press(/** @type {Element} */ (event.target), event);
  });
  root.addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || !(target instanceof Element)) return;
    if (key === "Escape" && held) release();
    else {
      const cargo = cargoAt(target);
      const isHandled = cargo && handlers.key?.(cargo, key);
      // A button sends a click of its own.
      const isPress = (key === "Enter" || key === " ") && target instanceof SVGElement;
      if (!isHandled && !(isPress && press(target, null))) return;
    }
    event.preventDefault();
    event.stopPropagation();
  });
  return {
    get held() {
      return held;
    },
    release,
  };
}

/**
 * Return a copy of what is dragged, to move with the pointer.
 * @param {HTMLElement | SVGElement} element
 */
function ghostOf(element) {
  const box = element.getBoundingClientRect();
  const ghost = h("div", { class: `plan-ghost ${element.closest("[class*='in-']")?.getAttribute("class") ?? ""}` });
  const copy = /** @type {Element} */ (element.cloneNode(true));
  for (const name of ["data-carry", "data-id", "id", "tabindex", "transform"]) copy.removeAttribute(name);
  if (element instanceof SVGGraphicsElement && !(element instanceof SVGSVGElement)) {
    const { x, y, width, height } = element.getBBox();
    ghost.append(s("svg", { viewBox: `${x} ${y} ${width} ${height}`, width: box.width, height: box.height }, copy));
  } else ghost.append(copy);
  Object.assign(ghost.style, {
    left: `${box.left}px`,
    top: `${box.top}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
  });
  return ghost;
}
