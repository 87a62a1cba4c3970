/** Effects of Picket Duty: planes close in on radar, guns fire, a kamikaze crashes, water rises, men walk to the damage. */

import { panelPlace, plain } from "readyroom/playback/plain.js";
import { blast, bursts, splash, tracers } from "readyroom/playback/effects.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Beat} Beat
 * @typedef {import("readyroom/playback/stage.js").Box} Box
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 * @typedef {import("readyroom/playback/stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 */

export const PULSE = 350; // milliseconds between explosions
const RINGS = [0.32, 0.62, 0.95]; // of the sea around the ship
const DIVE = 800; // milliseconds of the last dive
const WATER = 30; // between the side of the ship and what hits the water
/** Where in the water the last plane or weapon exploded. @type {Point | null} */
let alongside = null;
/**
 * Special attackers that are out at the sea, by their keys, until they dive or turn away.
 * @type {WeakMap<Stage, Map<string, {at: Point, transform: string, isEmpty: boolean}>>}
 */
const OUT = new WeakMap();
/** Keeps them there whenever the board is drawn. @type {CSSStyleSheet | undefined} */
let sheet;

export const at = (/** @type {Point} */ { x, y }) => `translate(${x}px,${y}px)`;
const between = (/** @type {Point} */ a, /** @type {Point} */ b, /** @type {number} */ part) => ({
  x: a.x + (b.x - a.x) * part,
  y: a.y + (b.y - a.y) * part,
});

/**
 * Let the dice of a beat fall in the free part of the sea, or at a place. Return what removes them.
 * @param {Beat} event
 * @param {Stage} stage
 * @param {{near: Point, below: boolean, isSaid?: boolean}} [place] and whether the panel says all that the log does; its line
 *   leads to the plane that acts or is fired at, if it is one
 * @param {() => unknown} [during] what happens as soon as they have landed
 * @returns {Promise<() => Promise<void>>}
 */
export async function roll(event, stage, place = onSea(event, stage), during = undefined) {
  if (!event.rolls.length) return () => Promise.resolve();
  const { near, ...how } = place;
  const [plane, another] = planesOf(event, stage);
  const about = another ? null : plane ? boxAt(stage, plane) : undefined;
  const dice = stage.dice(event.rolls, near, { side: stage.side("usa"), about, ...how });
  await dice.roll(during);
  return () => dice.leave();
}

/** The planes that a beat is about. @param {Beat} event @param {Stage} stage */
const planesOf = ({ keys, target }, stage) =>
  [...new Set([...keys, target])].filter((key) => stage.find(key)?.matches(".pk-plane"));

/**
 * The place of the dice of a beat: where neither its planes nor the ship are.
 * @param {Beat} event
 * @param {Stage} stage
 */
function onSea(event, stage) {
  const planes = stage.center(planesOf(event, stage));
  const ship = stage.box("ship");
  return planes || ship ? awayFrom(stage, planes ?? /** @type {Point} */ (ship)) : panelPlace(event, stage);
}

/**
 * The place of the dice of several guns: at the end of the sea that is away from their targets.
 * @param {Stage} stage
 * @param {Point} targets
 */
function awayFrom(stage, targets) {
  const [ship, sea] = [stage.box("ship"), stage.box("sea")];
  if (!ship || !sea) return { near: { x: stage.size.width / 2, y: stage.size.height / 3 }, below: true };
  if (ship.h > ship.w) {
    const below = targets.y > sea.y;
    return { near: { x: sea.x, y: sea.y + (below ? -1 : 1) * (sea.h / 2 - 6) }, below };
  }
  const aside = (targets.x > ship.x ? -1 : 1) * sea.w * 0.2;
  return { near: { x: sea.x + aside, y: sea.y - sea.h / 2 + 6 }, below: true };
}

/**
 * Return who attacks what, from the line that says what comes of it: "5-inch mount 3 at the Tony (180° high)"; empty if it says neither.
 * @param {string} text
 */
export function attackSaid(text) {
  const [, who = "", target = ""] = /^(.+?) (?:hits|misses|destroys) the ([^;.]+)/.exec(text) ?? [];
  return who && `${who} at the ${target}`;
}

// -- radar --

/**
 * The rings of the radar around the ship, and its beam, which goes round once.
 * @param {Stage} stage
 * @param {number} ms
 */
function sweep(stage, ms) {
  const [sea, ship] = [stage.box("sea"), stage.box("ship")];
  if (!sea || !ship) return Promise.resolve();
  const group = stage.make("g", { opacity: 0, transform: `translate(${ship.x} ${ship.y})` });
  const reach = Math.min(sea.w, sea.h) / 2;
  for (const part of RINGS) stage.make("circle", { class: "pb-radar", r: reach * part }, group);
  const tip = { x: reach * Math.cos(0.5), y: reach * Math.sin(0.5) };
  const fan = stage.make(
    "path",
    { class: "pb-beam", d: `M0 0L${reach} 0A${reach} ${reach} 0 0 1 ${tip.x} ${tip.y}Z` },
    group,
  );
  stage.sound.play("blip");
  stage.move(fan, [{ transform: "rotate(-90deg)" }, { transform: "rotate(270deg)" }], ms, { easing: "linear" });
  return stage.flash(
    group,
    [{ opacity: 0 }, { opacity: 1, offset: 0.15 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }],
    ms,
  );
}

/**
 * A blip that comes closer to the ship, ring by ring.
 * @param {Stage} stage
 * @param {Point} from
 * @param {number} delay
 */
function blip(stage, from, delay) {
  const ship = stage.box("ship");
  if (!ship) return Promise.resolve();
  const far = between(ship, from, 1.25);
  return Promise.all(
    [0, 1, 2].map((step) => {
      const dot = stage.make("g", { opacity: 0 });
      stage.make("circle", { class: "pb-blip-halo", r: 9 * Math.max(1, stage.unit) }, dot);
      stage.make("circle", { class: "pb-blip", r: 4 * Math.max(1, stage.unit) }, dot);
      const here = at(between(far, ship, step * 0.17));
      const frames = [
        { transform: `${here} scale(.4)`, opacity: 0 },
        { transform: `${here} scale(1.1)`, opacity: 1, offset: 0.3 },
        { transform: `${here} scale(.9)`, opacity: 0 },
      ];
      return stage.flash(dot, frames, 620, { delay: delay + step * 330 });
    }),
  );
}

/** @type {Effect} */
async function radar(event, stage) {
  await Promise.all([sweep(stage, 1000), plain(event, stage)]);
}

/** @type {Effect} */
async function bogey(event, stage) {
  const ship = stage.box("ship");
  const places = stage.present([...event.keys, event.target]).filter((key) => key.startsWith("bearing-"));
  const blips = places.map((key, number) => blip(stage, /** @type {Box} */ (stage.box(key)), 120 + number * 90));
  stage.sound.play("engines", 0.9);
  const [leave] = await Promise.all([roll(event, stage), sweep(stage, event.rolls.length ? 900 : 1200), ...blips]);
  await Promise.all([
    leave(),
    stage.show({
      // planes that come into sight come from the edge of the chart, along their bearing
      enter: (to) => (ship ? between(ship, to, 1.9) : null),
      path: (from, to) => [between(from, to, 0.3), between(from, to, 0.8)],
    }),
  ]);
  if (event.rule === "6.9.B") await aimAt(stage, event.keys[0] ?? "");
}

// -- guns --

/**
 * Let a plane that was shot down fall into the sea, as far as the drawing says so.
 * @param {Stage} stage
 * @param {string} key
 */
async function down(stage, key) {
  const [plane, box, ship] = [stage.find(key), boxAt(stage, key), stage.box("ship")];
  if (!plane || !box || !ship) return;
  if (plane.classList.contains("pk-flamed")) {
    stage.smoke(box, { count: 7, height: 34 });
    await stage.wait(300);
  }
  if (!plane.classList.contains("pk-destroyed")) return;
  const pose = stage.poser(plane);
  const water = /** @type {Box} */ (stage.box("sea"));
  const sea = { x: box.x, y: Math.min(box.y + box.h, water.y + water.h / 2 - 8) }; // below it, not on the ship
  blast(stage, box, { size: 0.8 });
  stage.sound.play("boom", 0, 0.4);
  await stage.move(
    plane,
    [
      { transform: pose(box), opacity: 1 },
      {
        transform: pose({ x: (box.x + sea.x) / 2, y: (box.y + sea.y) / 2 + 4, turn: 60, scale: 0.8 }),
        opacity: 1,
        offset: 0.5,
      },
      { transform: pose({ ...sea, turn: 200, scale: 0.3 }), opacity: 0.2 },
    ],
    620,
    { delay: 140, easing: "ease-in" },
  );
  keepOut(stage, key, null);
  stage.sound.play("thud", 0.4);
  await splash(stage, sea, { size: 1.2 });
}

/**
 * Let a gun fire at a plane; spray fire comes from all over the ship. Return whether it did.
 * @param {Stage} stage
 * @param {PlayedEvent} line
 * @param {number} delay
 * @param {Point | null} [near] where the plane is, if it has come nearer
 */
function shoot(stage, { keys, target: key }, delay, near = null) {
  const target = near ?? stage.box(key);
  const turret = stage.find(keys[0] ?? "");
  const gun = keys.length > 1 && stage.box(keys[0] ?? "");
  const from = gun || stage.box("ship");
  if (!target || !from) return false;
  const heavy = Boolean(turret?.querySelector('[href$="pk-5-inch"]'));
  const sources = gun ? [gun] : [-0.3, -0.1, 0.1, 0.3].map((part) => ({ x: from.x + from.w * part, y: from.y }));
  if (gun) {
    const flash = stage.make("circle", { class: "pb-flash", r: heavy ? 7 : 4, opacity: 0 });
    const muzzle = at(between(gun, target, 0.12));
    const frames = [
      { transform: `${muzzle} scale(.3)`, opacity: 0 },
      { transform: `${muzzle} scale(1.2)`, opacity: 1 },
      { transform: `${muzzle} scale(1.4)`, opacity: 0 },
    ];
    stage.flash(flash, frames, 420, { delay });
  }
  tracers(stage, sources, [target], { count: heavy ? 6 : 22, ms: 520, delay, spread: 16 });
  if (heavy) bursts(stage, [target], { count: 6, delay, spread: 22 });
  stage.wait(delay).then(() => (heavy ? stage.sound.play("salvo", 1) : stage.sound.play("guns", 2)));
  return true;
}

/** Guns fire, up to four at once; each roll says which gun fires at which plane. @type {Effect} */
async function guns(event, stage) {
  const targets = [...new Set(event.lines.map(({ target }) => target))];
  const planes = stage.center(targets);
  const [special] = targets.filter((key) => sectionOf(stage, key));
  const come = special ? await approach(stage, special, sectionOf(stage, special)) : null;
  const shots = event.lines.filter((line, number) => shoot(stage, line, number * 130, come));
  if (!planes || !shots.length) return plain(event, stage);
  const rolls = event.lines.flatMap((line) =>
    line.rolls.map((one) => ({
      ...one,
      name: attackSaid(line.text) || one.name,
      need: one.need.replace(/^hit on (.*) with /, "$1: "),
    })),
  );
  const isSaid = rolls.every(({ name }, number) => name !== event.rolls[number]?.name);
  const place = { ...awayFrom(stage, come ?? planes), isSaid };
  const leave = await roll({ ...event, rolls }, stage, place, async () => {
    await stage.show();
    const words = targets.map((target) => {
      const isHit = event.lines.some((line) => line.target === target && !/ misses the /.test(line.text));
      return isHit && sayOnSea(stage, target, fateOf(stage, target));
    });
    await Promise.all(words);
  });
  await leave();
  await Promise.all(targets.map((target) => down(stage, target)));
}

/**
 * Say what has become of a plane next to it: on the sea, where neither the ship nor another plane or its name is.
 * @param {Stage} stage
 * @param {string} key
 * @param {string} text
 */
function sayOnSea(stage, key, text) {
  const [plane, ship, sea] = [boxAt(stage, key), stage.box("ship"), stage.box("sea")];
  if (!plane || !ship || !sea) return undefined;
  const scale = 1.2 * Math.max(1, stage.unit);
  const [w, h] = [(text.length * 7.6 + 12) * scale, 18 * scale];
  const [aside, down] = [(plane.w + w) / 2 + 6, (plane.h + h) / 2 + 4];
  const planes = stage.pieces.filter((one) => one.matches(".pk-plane")).map((one) => stage.box(one));
  const others = [ship, ...planes, ...stage.names.map((one) => stage.box(one))];
  /** How much of the label is off the sea or on something. */
  const cost = (/** @type {Point} */ { x, y }) =>
    Math.max(0, Math.abs(x - sea.x) + w / 2 - sea.w / 2) * h +
    Math.max(0, Math.abs(y - sea.y) + h / 2 - sea.h / 2) * w +
    others.reduce((sum, box) => {
      if (!box) return sum;
      const across = Math.min(w, box.w, (w + box.w) / 2 - Math.abs(x - box.x));
      return sum + Math.max(0, across) * Math.max(0, Math.min(h, (h + box.h) / 2 - Math.abs(y - box.y)));
    }, 0);
  const { x, y } = [
    { x: plane.x, y: plane.y + down },
    { x: plane.x, y: plane.y - down },
    { x: plane.x + aside, y: plane.y },
    { x: plane.x - aside, y: plane.y },
    { x: plane.x + aside, y: plane.y + down },
    { x: plane.x + aside, y: plane.y - down },
  ].reduce((best, place) => (cost(place) < cost(best) ? place : best));
  return stage.label({ x, y: y + 12 + 5 * scale }, text);
}

/**
 * Return what has become of a plane that was hit, as far as the drawing says so.
 * @param {Stage} stage
 * @param {string} key
 */
function fateOf(stage, key) {
  const plane = stage.find(key);
  const name = plane?.querySelector(".pk-name")?.textContent ?? "";
  if (plane?.matches(".pk-destroyed")) return `${name} shot down`;
  if (plane?.matches(".pk-flamed")) return `${name} in flames: it still dives`;
  return `${name}: ${plane?.querySelectorAll(".pk-hit").length} of ${stage.chart.dataset.hits} hits, flies on`;
}

/**
 * Let a special attacker come out to the sea, and a line show which section of the ship it attacks.
 * @param {Stage} stage
 * @param {string} key
 */
async function aimAt(stage, key) {
  const deck = sectionOf(stage, key);
  const from = await approach(stage, key, deck);
  if (!deck || !from) return stage.ring(stage.box(key));
  const line = stage.make("path", { class: "pb-leader", d: `M${from.x} ${from.y}L${deck.x} ${deck.y}`, opacity: 0 });
  const frames = [{ opacity: 0 }, { opacity: 1, offset: 0.2 }, { opacity: 1, offset: 0.8 }, { opacity: 0 }];
  await Promise.all([stage.ring(deck), stage.flash(line, frames, 1500)]);
}

/**
 * Return the section of the ship that a special attacker approaches; null for other planes.
 * @param {Stage} stage
 * @param {string} key
 */
function sectionOf(stage, key) {
  const name = stage.find(key)?.querySelector(".pk-small")?.textContent;
  return name ? stage.box(`deck-${name}`) : null;
}

/** @type {Effect} */
async function support(event, stage) {
  const [target, sea] = [stage.box(event.target), stage.box("sea")];
  if (!target || !sea) return plain(event, stage);
  const from = { x: sea.x - sea.w / 2, y: target.y < sea.y ? sea.y - sea.h / 2 : sea.y + sea.h / 2 };
  stage.sound.play("engines", 0.6);
  tracers(stage, [between(from, target, 0.5)], [target], { count: 24, ms: 600, spread: 12 });
  const leave = await roll(event, stage);
  await Promise.all([leave(), stage.show()]);
  await down(stage, event.target);
}

// -- strikes --

/**
 * Where on the ship, or next to her, a strike ends.
 * @param {Stage} stage
 * @param {Beat} event
 */
function aim(stage, event) {
  const [deck, ship] = [stage.box(event.target), stage.box("ship")];
  const hits = Boolean(event.moment);
  const near = !hits && /alongside/.test(event.text);
  const end = deck ?? ship;
  if (!end || !ship) return null;
  const plane = boxAt(stage, event.keys[0] ?? "") ?? { x: end.x, y: end.y - 120, w: 0, h: 0 };
  return { hits, near, end: hits ? end : onWater(ship, end, fromSide(stage, event, plane), { isPast: !near }), plane };
}

/**
 * Return where a plane comes from; a special attacker to starboard, where the board marks its near misses.
 * @param {Stage} stage
 * @param {Beat} event
 * @param {Point} from
 */
function fromSide(stage, { keys: [key = ""] }, from) {
  const ship = sectionOf(stage, key) && stage.box("ship");
  return ship ? { x: ship.x + ship.w, y: ship.y + ship.h } : from;
}

/**
 * Return a point of the water next to a section of the ship, on the side that a plane comes from, or past the ship.
 * @param {Box} ship
 * @param {Point} deck
 * @param {Point} from
 * @param {{isPast: boolean}} side
 */
function onWater(ship, deck, from, { isPast }) {
  const gap = WATER * (isPast ? 2 : 1);
  const off = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ size) =>
    b + (a < b ? -1 : 1) * (isPast ? -1 : 1) * (size / 2 + gap);
  return ship.h > ship.w
    ? { x: off(from.x, ship.x, ship.w), y: deck.y + (deck.y - from.y) * (isPast ? 0.1 : 0) }
    : { x: deck.x + (deck.x - from.x) * (isPast ? 0.1 : 0), y: off(from.y, ship.y, ship.h) };
}

/**
 * Say where a plane or a weapon hit the water, at that side of the ship.
 * @param {Stage} stage
 * @param {Point} end
 * @param {string} text
 */
function sayOnWater(stage, end, text) {
  const ship = stage.box("ship");
  return stage.label({ x: end.x, y: end.y + (ship && end.y > ship.y ? 34 : -10) }, text);
}

/**
 * Where a torpedo that misses ends: beyond the nearer end of the ship.
 * @param {Stage} stage
 * @param {Point} from
 */
function pastShip(stage, from) {
  const ship = /** @type {Box} */ (stage.box("ship"));
  const isUpright = ship.h > ship.w;
  const off = (/** @type {number} */ a, /** @type {number} */ b, /** @type {number} */ size) =>
    b + Math.sign(a - b || 1) * (size / 2 + 26);
  return isUpright
    ? { x: ship.x - (from.x - ship.x) * 0.5, y: off(from.y, ship.y, ship.h) }
    : { x: off(from.x, ship.x, ship.w), y: ship.y - (from.y - ship.y) * 0.5 };
}

/**
 * Return the box of a plane: where it is at the sea, if it is out.
 * @param {Stage} stage
 * @param {string} key
 * @returns {Box | null}
 */
function boxAt(stage, key) {
  const box = stage.box(key);
  return box && { ...box, ...OUT.get(stage)?.get(key)?.at };
}

/**
 * Keep a special attacker out at the sea, however often the board is drawn; or no longer.
 * @param {Stage} stage
 * @param {string} key
 * @param {{at: Point, transform: string, isEmpty: boolean} | null} place `isEmpty`: its weapon is dropped
 */
function keepOut(stage, key, place) {
  const planes = OUT.get(stage) ?? new Map();
  OUT.set(stage, planes);
  if (!planes.delete(key) && !place) return;
  if (place) planes.set(key, place);
  if (!sheet) document.adoptedStyleSheets.push((sheet = new CSSStyleSheet()));
  stage.root.querySelector(".pb-overlay")?.setAttribute("data-out", ""); // it ends with the playback
  const rules = [...planes].map(([name, { transform, isEmpty }]) => {
    const plane = `.board:has(> [data-out]) [data-key="${CSS.escape(name)}"]`;
    return `${plane} { transform: ${transform} } ${isEmpty ? `${plane} .pk-load { visibility: hidden }` : ""}`;
  });
  sheet.replaceSync(rules.join(" "));
}

/**
 * Let a special attacker come from its card to where it drops its weapon, once: it stays there. Return the point.
 * @param {Stage} stage
 * @param {string} key
 * @param {Point | null} deck
 */
async function approach(stage, key, deck) {
  const [piece, box, sea] = [stage.find(key), stage.box(key), stage.box("sea")];
  const old = OUT.get(stage)?.get(key);
  if (!piece || !box || !sea || !deck || old) return old?.at ?? deck;
  const low = box.y > sea.y + sea.h / 2 ? sea.y + sea.h / 2 : box.y;
  const others = stage.pieces.filter((one) => one !== piece && one.matches(".pk-plane")).map((one) => stage.box(one));
  const places = [0.35, 0.1, -0.1, -0.35, -0.6].map((part) => ({
    x: between(deck, box, part).x,
    y: between(deck, { x: 0, y: low }, 0.72).y,
  }));
  const isFree = (/** @type {Point} */ { x, y }) =>
    others.every((one) => !one || Math.hypot(one.x - x, one.y - y) > 1.6 * Math.max(one.w, box.w));
  const from = /** @type {Point} */ (places.find(isFree) ?? places[0]);
  const turn = (Math.atan2(deck.y - from.y, deck.x - from.x) * 180) / Math.PI + 90;
  const pose = stage.poser(piece);
  const transform = pose({ ...from, turn: turn > 180 ? turn - 360 : turn, scale: 0.9 });
  stage.sound.play("engines", 0.8);
  await stage.move(piece, [{ transform: pose() }, { transform }], 620, { fill: "both" });
  if (!stage.still) keepOut(stage, key, { at: from, transform, isEmpty: false });
  return from;
}

/**
 * Three explosions on the ship, with fire and smoke.
 * @param {Stage} stage
 * @param {Point} deck
 * @param {number} size
 */
async function explode(stage, deck, size) {
  for (const [number, [dx, dy]] of [
    [0, 0],
    [-7, 3],
    [6, -2],
  ].entries()) {
    blast(
      stage,
      { x: deck.x + (dx ?? 0) * size, y: deck.y + (dy ?? 0) * size },
      { delay: number * PULSE, size: size * (number ? 0.85 : 1.3) },
    );
    stage.sound.play("boom", (number * PULSE) / 1000, number ? 0.5 : 0.95);
  }
  stage.smoke(deck, { count: 14, delay: 150, height: 74 });
  stage.shake("ship", { strength: Math.min(2, size) });
  await stage.wait(3 * PULSE + 250);
}

/** @type {Effect} */
async function crash(event, stage) {
  const target = aim(stage, event);
  const piece = stage.find(event.keys[0] ?? "");
  if (!target || !piece) return plain(event, stage);
  const { hits, near, end, plane } = target;
  stage.spot(between(plane, end, 0.5), Math.max(90, Math.hypot(plane.x - end.x, plane.y - end.y) * 0.7));
  const pose = stage.poser(piece);
  piece.parentNode?.append(piece);
  const turn = (Math.atan2(end.y - plane.y, end.x - plane.x) * 180) / Math.PI + 90;
  const toward = turn > 180 ? turn - 360 : turn;
  const start = OUT.get(stage)?.get(event.keys[0] ?? "")?.transform ?? pose();
  const ready = pose({ ...plane, scale: 1.25, turn: toward });
  stage.sound.play("engines", 1);
  const [, name] = /^The (.+?) (?:misses|hits|strikes) /.exec(event.text) ?? [];
  const rolls = event.rolls.map((one) => ({ ...one, name: name ? `${name} dives at the ship` : one.name }));
  const leave = await roll({ ...event, rolls }, stage, awayFrom(stage, plane));
  await Promise.all([leave(), stage.move(piece, [{ transform: start }, { transform: ready }], 300, { fill: "both" })]);
  stage.sound.play("dive");
  await stage.move(
    piece,
    [
      { transform: ready, opacity: 1 },
      { transform: pose({ ...between(plane, end, 0.55), scale: 1.5, turn: toward }), opacity: 1, offset: 0.55 },
      { transform: pose({ ...end, scale: hits ? 0.8 : 0.5, turn: toward }), opacity: 1 },
    ],
    DIVE,
    { easing: "cubic-bezier(.5,0,.9,.6)", fill: "both" },
  );
  keepOut(stage, event.keys[0] ?? "", null);
  piece.remove();
  if (hits) {
    await stage.show();
    await explode(stage, struck(stage, event.target.replace("deck-", "")) ?? end, 2);
  } else {
    stage.sound.play("boom", 0, near ? 0.6 : 0.25);
    if (near) {
      alongside = end;
      blast(stage, end, { size: 0.7 });
      stage.shake("ship", { strength: 1 });
    }
    await Promise.all([
      splash(stage, end, { size: 2.2 }),
      sayOnWater(stage, end, near ? "alongside" : `${(name ?? "").replace(/ \(.*/, "")} missed: in the sea`),
    ]);
  }
  stage.brighten();
  await stage.show();
}

/** @type {Effect} */
async function weapon(event, stage) {
  const target = aim(stage, event);
  if (!target) return plain(event, stage);
  const torpedo = /^The torpedo/.test(event.text);
  const ohka = /^The Ohka/.test(event.text);
  const deck = stage.box(event.target) ?? target.end;
  const [key = ""] = event.keys;
  const from = await approach(stage, key, deck);
  const { hits, near } = target;
  const leave = await roll(event, stage, awayFrom(stage, from ?? deck));
  await leave();
  if (!from) return;
  const place = OUT.get(stage)?.get(key);
  if (place) keepOut(stage, key, { ...place, isEmpty: true });
  const ship = stage.box("ship") ?? { ...deck, w: 0, h: 0 };
  const end = hits
    ? deck
    : torpedo && !near
      ? pastShip(stage, from)
      : onWater(ship, deck, fromSide(stage, event, from), { isPast: !near });
  if (torpedo) {
    stage.sound.play("torpedo");
    const d = `M${from.x} ${from.y}L${end.x} ${end.y}`;
    const wake = stage.make("path", { class: "pb-wake", d, pathLength: 100, "stroke-dasharray": "100 100" });
    const fish = stage.make("path", { class: "pb-torpedo", d: "M-9-2.4H5Q9-2.4 9 0 9 2.4 5 2.4H-9Z", opacity: 0 });
    const turn = `rotate(${(Math.atan2(end.y - from.y, end.x - from.x) * 180) / Math.PI}deg)`;
    const run = [
      { transform: `${at(from)} ${turn}`, opacity: 1 },
      { transform: `${at(end)} ${turn}`, opacity: 1 },
    ];
    stage.flash(fish, run, 1000, { easing: "linear" });
    await stage.move(wake, [{ strokeDashoffset: 100 }, { strokeDashoffset: 0 }], 1000, {
      fill: "both",
      easing: "linear",
    });
    stage.flash(wake, [{ opacity: 1 }, { opacity: 0 }], 500, { fill: "both" });
  } else {
    stage.sound.play("dive");
    const bomb = stage.make("path", {
      class: "pb-bomb",
      d: ohka ? "M0-14L4 2 12 8H3L0 13-3 8H-12L-4 2Z" : "M0-8Q5-2 3 6L5 11H-5L-3 6Q-5-2 0-8Z",
      opacity: 0,
    });
    const turn = `rotate(${(Math.atan2(end.y - from.y, end.x - from.x) * 180) / Math.PI + 90}deg)`;
    const fall = [
      { transform: `${at(from)} ${turn} scale(1.7)`, opacity: 1 },
      { transform: `${at(end)} ${turn} scale(.9)`, opacity: 1 },
    ];
    await stage.flash(bomb, fall, ohka ? 480 : 720, { easing: "ease-in" });
  }
  if (hits) {
    if (torpedo) splash(stage, end, { size: 2.4 });
    await explode(stage, end, 1.2);
  } else {
    if (near) alongside = end;
    const word = sayOnWater(stage, end, near ? "alongside" : "missed");
    await Promise.all([splash(stage, end, { size: near ? 2.2 : 1.4 }), word]);
  }
  await stage.show();
}

/** @type {Effect} */
async function turnAway(event, stage) {
  const [piece, box, ship] = [stage.find(event.keys[0] ?? ""), boxAt(stage, event.keys[0] ?? ""), stage.box("ship")];
  const leave = await roll(event, stage);
  await leave();
  if (piece && box && ship && /does not/.test(event.text)) {
    const pose = stage.poser(piece);
    const away = { x: box.x - 160, y: box.y + 40, scale: 0.6, turn: -30 };
    await stage.move(
      piece,
      [
        { transform: pose(box), opacity: 1 },
        { transform: pose(away), opacity: 0 },
      ],
      620,
      { fill: "both", easing: "ease-in" },
    );
    piece.remove();
  }
  await stage.show();
}

// -- damage --

/**
 * Show the event's drawing, and let the gauges of list and trim swing to their new places.
 * @param {Stage} stage
 */
export async function showGauges(stage) {
  const hand = (/** @type {string} */ key) => stage.find(key)?.querySelector(":scope > g") ?? null;
  const before = new Map(["list", "trim"].map((key) => [key, hand(key)?.getAttribute("transform") ?? ""]));
  const shown = stage.show();
  const css = (/** @type {string} */ text) =>
    text
      .replace(/translate\(([-\d.]+) ([-\d.]+)\)/, "translate($1px,$2px)")
      .replace(/rotate\(([-\d.]+)\)/, "rotate($1deg)");
  await Promise.all([
    shown,
    ...[...before].map(([key, old]) => {
      const [element, now] = [hand(key), hand(key)?.getAttribute("transform") ?? ""];
      if (!element || !old || old === now) return Promise.resolve();
      stage.ring(stage.box(key));
      const [from, to] = [css(old), css(now)];
      const past = to.replace(/rotate\(([-\d.]+)deg\)/, (_, angle) => `rotate(${Number(angle) * 1.35}deg)`);
      return stage.move(element, [{ transform: from }, { transform: past, offset: 0.6 }, { transform: to }], 1100);
    }),
  ]);
}

/** @type {Effect} */
async function hit(event, stage) {
  const box = stage.box(event.target);
  const [, section, which = "", place] = /^The (\w+) section is hit(?: \((.*?)\))?: ([^.]+)\.$/.exec(event.text) ?? [];
  const [row, column] = event.rolls;
  if (row && column && place) {
    // both are one look-up
    const outcome = `${row.outcome} and ${column.outcome}: ${place}`;
    const rounds = [[...row.rounds.flat(), ...column.rounds.flat()]];
    const name = `${row.name}${which && ` (${which})`}`;
    const count = which.slice(-1);
    const need = `${count > "1" ? `${count} rolls for this hit; ` : ""}first die: row, second die: column of the table`;
    event.rolls = [{ ...row, name, need, outcome, rounds }];
  }
  const leave = await roll(event, stage);
  const mark = section && struck(stage, section);
  if (mark) blast(stage, mark, { size: 0.8 });
  const word = mark && place ? stage.label(mark, place.split(", which")[0] ?? "") : undefined;
  if (box) {
    stage.ring(box);
    blast(stage, box, { size: Math.min(1, Math.max(0.45, box.h / 45)) });
  }
  stage.sound.play("thud", 0.5);
  await Promise.all([leave(), showGauges(stage), stage.wait(560), word]);
}

/**
 * Return where the ship was struck last, or the middle of a section if the drawing has no mark yet.
 * @param {Stage} stage
 * @param {string} section
 */
function struck(stage, section) {
  const marks = [...stage.chart.querySelectorAll(`[data-struck="${section}"]`)];
  return stage.box(marks.at(-1) ?? `deck-${section}`);
}

/** A track falls: how many of its boxes are lost. @type {Effect} */
async function track(event, stage) {
  const boxes = () => stage.find(event.target)?.querySelectorAll(".pk-full").length ?? 0;
  const before = boxes();
  await plain(event, stage);
  const gap = stage.box(stage.find(event.target)?.querySelector(".pk-gap") ?? null);
  const lost = before - boxes();
  if (gap && lost > 0) await stage.label(gap, `−${lost}`);
}

/** @type {Effect} */
async function destroyed(event, stage) {
  const box = stage.box(event.target);
  stage.ring(box);
  stage.sound.play("boom", 0, 0.6);
  if (box) {
    blast(stage, box, { size: 1.1 });
    stage.smoke(box, { count: 8, height: 40 });
  }
  await Promise.all([showGauges(stage), stage.wait(900)]);
}

/** @type {Effect} */
async function nearMiss(event, stage) {
  const [deck, ship] = [stage.box(event.target), stage.box("ship")];
  const [, effect] = /: ([^:]+)\.$/.exec(event.text) ?? [];
  const rolls = event.rolls.map((one) => ({
    ...one,
    outcome: effect ? one.outcome.replace(/[^,]*$/, ` ${effect}`) : one.outcome,
  }));
  const leave = await roll({ ...event, rolls }, stage);
  if (deck && ship) {
    const { x, y } = alongside ?? onWater(ship, deck, { x: ship.x + ship.w, y: ship.y + ship.h }, { isPast: false });
    const [dx, dy] = ship.h > ship.w ? [0, 16] : [16, 0]; // along the ship
    for (const way of [-1, 1])
      splash(stage, { x: x + way * dx, y: y + way * dy }, { size: 1.2, delay: way > 0 ? 160 : 0 });
    stage.shake("ship", { strength: 1 });
    stage.sound.play("boom", 0, 0.5);
  }
  await Promise.all([leave(), showGauges(stage), stage.wait(700)]);
}

/** @type {Effect} */
async function explosion(event, stage) {
  const deck = stage.box(event.target);
  const leave = await roll(event, stage);
  await leave();
  if (deck) {
    stage.spot(deck, 150);
    await explode(stage, deck, /contained/.test(event.text) ? 0.9 : 2);
  }
  stage.brighten();
  await showGauges(stage);
}

/** @type {Effect} */
async function flooding(event, stage) {
  const leave = await roll(event, stage);
  const box = stage.box(event.target);
  const isWet = /floods?\.$|floods the|flooded|torn open/.test(event.text) && !/not flood/.test(event.text);
  if (box && isWet) {
    const water = stage.make("g", { opacity: 0 });
    const [left, low] = [box.x - box.w / 2, box.y + box.h / 2];
    stage.make(
      "path",
      {
        class: "pb-water",
        d: `M0 0V${-box.h * 0.62}q${box.w / 8} -5 ${box.w / 4} 0t${box.w / 4} 0 ${box.w / 4} 0 ${box.w / 4} 0V0Z`,
      },
      water,
    );
    const place = `translate(${left}px,${low}px)`;
    stage.sound.play("rush");
    stage.ring(box);
    const frames = [
      { transform: `${place} scale(1,.05)`, opacity: 0.9 },
      { transform: `${place} scale(1,1.08)`, opacity: 0.9, offset: 0.75 },
      { transform: `${place} scale(1,1)`, opacity: 0.9 },
    ];
    await Promise.all([leave(), stage.move(water, frames, 1000, { fill: "both" })]);
    await showGauges(stage);
    await stage.flash(
      water,
      [
        { opacity: 0.9, transform: place },
        { opacity: 0, transform: place },
      ],
      250,
      { fill: "both" },
    );
    return;
  }
  stage.ring(box);
  await Promise.all([leave(), showGauges(stage)]);
}

/** @type {Effect} */
async function fire(event, stage) {
  const leave = await roll(event, stage);
  await Promise.all([leave(), stage.show()]);
  const [flames, box] = [stage.find(event.target), stage.box(event.target)];
  if (!box) {
    // it is out: only steam is left where it burned
    const deck = stage.box(event.target.replace("fire", "deck"));
    if (deck) stage.smoke(deck, { count: 8, height: 40 });
    await stage.wait(600);
    return;
  }
  stage.smoke(box, { count: 10, height: 60 });
  if (flames) {
    const pose = stage.poser(flames);
    await stage.move(
      flames,
      [
        { transform: pose({ scale: 0.5 }), opacity: 0 },
        { transform: pose({ scale: 1.35 }), opacity: 1, offset: 0.6 },
        { transform: pose() },
      ],
      800,
    );
  }
}

/** @type {Effect} */
async function casualty(event, stage) {
  const leave = await roll(event, stage);
  const box = stage.box(event.target);
  stage.ring(box);
  stage.sound.play("thud", 0.3);
  if (box && /killed/.test(event.text)) stage.label(box, "†");
  await Promise.all([leave(), stage.show(), stage.wait(650)]);
}

// -- damage control --

/**
 * Where a party starts: the section of the ship that something is in.
 * @param {Stage} stage
 * @param {Box} box
 */
function partyOf(stage, box) {
  const sections = ["section-forward", "section-midship", "section-aft"]
    .map((key) => stage.box(key))
    .filter((one) => one !== null);
  const own = sections.find((one) => Math.abs(one.x - box.x) <= one.w / 2 && Math.abs(one.y - box.y) <= one.h / 2 + 90);
  return own && { x: own.x - own.w / 2 + 24, y: own.y + own.h / 2 - 12 };
}

/** @type {Effect} */
async function repairParty(event, stage) {
  const box = stage.box(event.target);
  const officer = event.keys[0] ? stage.box(event.keys[0]) : null;
  const start = officer ?? (box && partyOf(stage, box));
  /** @type {SVGElement[]} */
  const men = [];
  let walking = /** @type {Promise<unknown>} */ (Promise.resolve());
  if (box && start && !stage.still) {
    const size = Math.max(1.5, 1.2 * stage.unit);
    walking = Promise.all(
      Array.from({ length: officer ? 1 : 3 }, (_, number) => {
        const man = stage.make("g", { class: "pb-man", opacity: 0 });
        stage.make("circle", { cy: -2.6, r: 2.1 }, man);
        stage.make("path", { d: "M-3 4.2Q-3 0 0 0T3 4.2Z" }, man);
        men.push(man);
        const end = { x: box.x + (number - 1) * 9, y: box.y + Math.min(8, box.h / 5) };
        const frames = Array.from({ length: 9 }, (_, step) => {
          const here = between(start, end, step / 8);
          return {
            transform: `translate(${here.x}px,${here.y + (step % 2 ? -2.5 : 0)}px) scale(${size})`,
            opacity: step ? 1 : 0,
          };
        });
        return stage.move(man, frames, 900, { delay: number * 130, fill: "both", easing: "linear" });
      }),
    );
  }
  stage.ring(box);
  const [leave] = await Promise.all([roll(event, stage), walking]);
  const rest = men.map((man) => stage.flash(man, [{ opacity: 1 }, { opacity: 0 }], 260, { composite: "replace" }));
  await Promise.all([leave(), showGauges(stage), ...rest]);
}

// -- what few events show --

const rare = () => import("./rare.js");
/** @type {Effect} */
const evade = async (event, stage) => (await rare()).evade(event, stage);
/** @type {Effect} */
const list = async (event, stage) => (await rare()).list(event, stage);
/** @type {Effect} */
const ammunition = async (event, stage) => (await rare()).ammunition(event, stage);
/** @type {Effect} */
const weather = async (event, stage) => (await rare()).weather(event, stage);

/**
 * Return whether a caption can hold a shot with those before it.
 * @param {PlayedEvent[]} lines
 * @param {PlayedEvent} line
 */
const areShort = (lines, line) => {
  const texts = [...lines, line].map(({ text }) => text.replace(/ \(.*?\)/, ""));
  return texts.length < 5 && texts.join(" ").length < 90;
};

/** The effects that show several events at once. */
export const together = new Map([["guns", areShort]]);

/** @type {Record<string, Effect>} */
export const effects = {
  radar,
  bogey,
  guns,
  splash: support,
  crash,
  weapon,
  "turn-away": turnAway,
  hit,
  destroyed,
  "near-miss": nearMiss,
  explosion,
  flooding,
  fire,
  casualty,
  "repair-party": repairParty,
  list,
  evade,
  ammunition,
  track,
  weather,
};
