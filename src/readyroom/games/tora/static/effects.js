/** The effects of Tora! Tora! Tora!: waves over the coast, the radar, alerts, dogfights, bombs, torpedoes and the luck card. */

import { panelPlace, plain } from "readyroom/playback/plain.js";
import { blast, bursts, splash, tracers } from "readyroom/playback/effects.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Beat} Beat
 * @typedef {import("readyroom/playback/stage.js").Box} Box
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Roll} Roll
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 */

const SHAPES = /** @type {Record<string, string>} */ ({ p40: "sharp", zero: "zero", val: "val", kate: "kate" });
const FORMATION = 9; // the most aircraft drawn in a formation
const SORTIES = 8; // the most units that fly to a target
const FIGHTERS = 4; // the most aircraft of a unit
const BLASTS = 3; // the most explosions of one attack
const APART = 360; // milliseconds between explosions
const CLEAR = 44; // between a target and the dice
const RUN = 84; // the way of a torpedo
const SHORTEST = 0.45; // of that

const put = (/** @type {Point} */ { x, y }, turn = 0, scale = 1) =>
  `translate(${x}px,${y}px) rotate(${turn}deg) scale(${scale})`;
const mix = (/** @type {Point} */ a, /** @type {Point} */ b, /** @type {number} */ t) => ({
  x: a.x + (b.x - a.x) * t,
  y: a.y + (b.y - a.y) * t,
});
const heading = (/** @type {Point} */ a, /** @type {Point} */ b) =>
  (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI + 90;

/** How large small things are drawn: as on a wide board, larger where a pixel of the page is longer. */
const sizeOn = (/** @type {Stage} */ stage) => Math.max(1, Math.min(1.8, stage.unit));

/**
 * Return how many dice hit.
 * @param {Roll[]} rolls
 */
function hitsOf(rolls) {
  return rolls.flatMap(({ rounds }) => rounds.flat()).filter(({ hit }) => hit).length;
}

/**
 * Return the outer edge of a sector's quarter of the sea near its corner, from which aircraft come and to which they return.
 * @param {Stage} stage
 * @param {string} zone
 * @returns {Point | null}
 */
function horizon(stage, zone) {
  const quarter = zone.slice(-2);
  const sea = stage.box(`3${quarter}`);
  if (!sea) return null;
  const [north, west] = [quarter.startsWith("N"), quarter.endsWith("W")];
  return { x: sea.x + (west ? -1 : 1) * (sea.w / 2 - 12), y: sea.y + (north ? -1 : 1) * (sea.h / 2 + 14) };
}

/**
 * Return the middle of the island, where the four sectors meet.
 * @param {Stage} stage
 * @returns {Point | null}
 */
function middle(stage) {
  return stage.center(["3NW", "3NE", "3SE", "3SW"]);
}

/**
 * Return the middle of a zone: of its part of the sea, the island or the harbor.
 * @param {Stage} stage
 * @param {string} zone
 * @returns {Point | null}
 */
function over(stage, zone) {
  const box = stage.box(zone);
  const center = middle(stage);
  if (!box || !center || zone.startsWith("1")) return box;
  return mix(center, box, zone.startsWith("3") ? 1.25 : 0.8);
}

/**
 * Let a formation of aircraft pass over the board, in front of the pieces.
 * @param {Stage} stage
 * @param {string[]} types one for each aircraft, the first in front
 * @param {Point[]} way
 * @param {{side?: string, ms?: number, delay?: number, size?: number}} [options]
 */
function formation(stage, types, way, { side = "", ms = 1500, delay = 0, size = 1 } = {}) {
  if (stage.still || way.length < 2) return Promise.resolve();
  const scale = sizeOn(stage) * size;
  const group = stage.make("g", { class: `pb-formation ${side}`, opacity: 0 });
  types.slice(0, FORMATION).forEach((type, at) => {
    const row = Math.ceil(at / 2);
    const x = (at % 2 ? -1 : 1) * row * 17;
    for (const [name, dx, dy] of /** @type {[string, number, number][]} */ ([
      ["pb-shadow", 5, 9],
      ["pb-plane", 0, 0],
    ])) {
      stage.make(
        "path",
        { class: name, d: outline(stage, type), transform: `translate(${x + dx - 13} ${row * 13 + dy - 13})` },
        group,
      );
    }
  });
  const last = way.length - 1;
  const frames = way.map((point, at) => {
    const [from, to] = /** @type {[Point, Point]} */ (at === last ? [way[at - 1], point] : [point, way[at + 1]]);
    return {
      transform: put(point, heading(from, to), scale),
      opacity: at === 0 || at === last ? 0 : 1,
      offset: at / last,
    };
  });
  return stage.flash(group, frames, ms, { delay, easing: "linear" });
}

/**
 * Return the outline of a type of aircraft, as on its counters.
 * @param {Stage} stage
 * @param {string} type
 */
function outline(stage, type) {
  const symbol = stage.root.querySelector(`[id$="pc-${SHAPES[type] ?? "stub"}"]`);
  return symbol?.getAttribute("d") ?? "M13 3 17 12 24 15 17 16 15 23H11L9 16 2 15 9 12Z";
}

const JAPANESE = new Set(["kate", "val", "zero"]);

/** The type of an air unit, from its key. */
const typeOf = (/** @type {string} */ key) => key.split("-")[0] ?? "";

/**
 * Return the beat's units over Oahu or on its fields that are on the board, without what they attack.
 * @param {Beat} event
 * @param {Stage} stage
 */
function attackers(event, stage) {
  return stage.present(event.keys.filter((key) => key !== event.target)).slice(0, SORTIES);
}

/**
 * Let units fly to their target; return when they are there. `home` lets them return.
 * @param {Stage} stage
 * @param {string[]} keys
 * @param {(at: number, from: Box) => Point} spot where each of them flies
 * @param {number} [ms]
 */
async function sortie(stage, keys, spot, ms = 480) {
  const legs = keys.flatMap((key, at) => {
    const [piece, box] = [stage.find(key), stage.box(key)];
    return piece && box ? [{ piece, box, to: { ...spot(at, box), scale: 0.8 }, delay: at * 45 }] : [];
  });
  stage.sound.play("engines", ms / 1000);
  for (const { piece } of legs) piece.classList.add("is-out");
  await Promise.all(
    legs.map(({ piece, box, to, delay }) => {
      const path = /** @type {[Point, Point]} */ ([mix(box, to, 0.3), mix(box, to, 0.75)]);
      return stage.fly(piece, box, to, { path, delay, ms });
    }),
  );
  const home = () =>
    Promise.all(
      legs.map(async ({ piece, box, to, delay }) => {
        const away = { x: to.x + (to.x - box.x) * 0.2 + 18, y: to.y + (to.y - box.y) * 0.2 };
        const path = /** @type {[Point, Point]} */ ([away, mix(to, box, 0.5)]);
        await stage.fly(piece, to, box, { path, delay: delay / 2, ms: ms * 1.6 });
        piece.classList.remove("is-out");
      }),
    );
  return { spots: legs.map(({ to }) => /** @type {Point} */ (to)), home };
}

/**
 * Roll the dice of an attack next to its target; the panel leaves with the returned function.
 * @param {Beat} event
 * @param {Stage} stage
 * @param {{few?: number}} [options]
 */
async function rollDice(event, stage, options = {}) {
  if (!event.rolls.length) return () => Promise.resolve();
  const { near, below } = panelPlace(event, stage);
  const aside = below ? CLEAR : -CLEAR;
  const attacker = event.keys.find((key) => key !== event.target) ?? "";
  const place = { x: near.x, y: near.y + aside * sizeOn(stage) };
  const dice = stage.dice(event.rolls, place, { side: stage.side(stage.find(attacker)), below, ...options });
  await dice.roll();
  return () => dice.leave();
}

/**
 * Explosions on a target, one after the other.
 * @param {Stage} stage
 * @param {Box} box
 * @param {number} hits
 * @param {number} [size]
 */
async function explosions(stage, box, hits, size = 1) {
  const count = Math.min(BLASTS, hits);
  const scale = size * sizeOn(stage);
  await Promise.all(
    Array.from({ length: count }, (_, at) => {
      const along = (at - (count - 1) / 2) * 0.5;
      const point = {
        x: box.x + along * Math.min(box.w, 70),
        y: box.y + along * Math.min(box.h, 70) * (box.h > box.w ? 1 : 0.2),
      };
      if (at < 2) stage.sound.play("boom", (at * APART) / 1000, hits > 2 ? 1 : 0.7);
      return blast(stage, point, { delay: at * APART, size: scale });
    }),
  );
}

// -- flying ----------------------------------------------------------------------------------------------------------

/** The effects that are seen seldom: sealed plans, the day, the luck card. */
const rare = () => import("./rare.js");

/** A wave comes over the horizon of its sector; its formation ends where its counters are. @type {Effect} */
async function wave(event, stage) {
  const start = horizon(stage, event.target);
  const sea = over(stage, event.target);
  if (!event.target) return (await rare()).day(event, stage);
  const keys = event.keys.filter((key) => JAPANESE.has(typeOf(key))); // without the places of those before
  if (!start || !sea || !keys.length) return plain(event, stage);
  stage.spot(sea, 190);
  stage.sound.play("engines", 2.4);
  const types = keys.map(typeOf);
  const side = stage.side("japan");
  const arrivals = stage.show({ enter: () => start });
  const there = stage.center(stage.present(keys));
  if (!there) return arrivals;
  const { x, y, boxes } = there;
  const aside = mix(start, { x, y }, 0.5);
  const bend = { x: aside.x + (y - start.y) * 0.16, y: aside.y - (x - start.x) * 0.16 };
  const planes = [0, 1].map((at) => {
    const wing = types.slice(at * 5, at * 5 + 5);
    const apart = (/** @type {Point} */ point) => ({ x: point.x + at * 30, y: point.y + at * 18 });
    return formation(stage, wing, [start, bend, { x, y }].map(apart), { side, ms: 1700, delay: at * 260 });
  });
  await Promise.all([...planes, arrivals]);
  const isNorth = event.target.includes("N");
  const edges = boxes.map((box) => box.y + (isNorth ? box.h : -box.h) / 2);
  const clear = isNorth ? Math.max(...edges) + 34 : Math.min(...edges) + 4; // words rise by 20
  await stage.label({ x, y: clear }, `${keys.length} units`);
}

/** Aircraft fly from zone to zone; those that return to the carriers leave over the horizon. @type {Effect} */
async function fly(event, stage) {
  const moved = stage.present(event.keys);
  stage.sound.play("engines", 0.9);
  if (event.rule === "16.3") {
    const exits = moved.flatMap((key, at) => {
      const [piece, box] = [stage.find(key), stage.box(key)];
      const center = middle(stage);
      if (!piece || !box || !center) return [];
      const to = horizon(stage, `3${box.y < center.y ? "N" : "S"}${box.x < center.x ? "W" : "E"}`);
      if (!to) return [];
      const way = stage.fly(
        piece,
        box,
        { ...to, scale: 0.6 },
        { path: [mix(box, to, 0.3), mix(box, to, 0.7)], delay: at * 26 },
      );
      return [way.then(() => piece.style.setProperty("opacity", "0"))];
    });
    await Promise.all(exits);
    return stage.show({ gone: "fade" });
  }
  await stage.show({ path: arc });
}

/**
 * The way of aircraft from place to place: a curve that leans to one side.
 * @param {Point} from
 * @param {Point} to
 * @returns {[Point, Point]}
 */
function arc(from, to) {
  const lean = { x: (to.y - from.y) * 0.18, y: (from.x - to.x) * 0.18 };
  const [one, two] = [mix(from, to, 0.3), mix(from, to, 0.75)];
  return [
    { x: one.x + lean.x, y: one.y + lean.y },
    { x: two.x + lean.x, y: two.y + lean.y },
  ];
}

/** Fighters run along their field and climb, or land on it. @type {Effect} */
async function scramble(event, stage) {
  const field = stage.box(event.target);
  if (!field) return plain(event, stage);
  stage.spot(field, 150);
  stage.sound.play("alarm");
  const ring = stage.ring(field);
  const takesOff = event.keys.some((key) => {
    const box = stage.box(key);
    return box !== null && Math.abs(box.x - field.x) < field.w / 2 && Math.abs(box.y - field.y) < field.h / 2;
  });
  if (takesOff) {
    const dust = stage.center(stage.present(event.keys));
    for (const [at, box] of (dust?.boxes ?? []).entries())
      stage.smoke({ x: box.x, y: box.y + 4 }, { count: 3, height: 10, delay: at * 60 });
  }
  await stage.wait(260);
  stage.sound.play("engines", 1.2);
  const climb = (/** @type {Point} */ from, /** @type {Point} */ to) => {
    const run = { x: from.x + (to.x > from.x ? 46 : -46), y: from.y };
    return /** @type {[Point, Point]} */ ([run, { x: mix(run, to, 0.5).x, y: to.y }]);
  };
  await Promise.all([stage.show({ path: climb }), ring]);
}

// -- the alarm -------------------------------------------------------------------------------------------------------

/**
 * Return a new frame in front of the island's chart, which cuts off what is drawn beyond it.
 * @param {Stage} stage
 */
function islandFrame(stage) {
  const seas = ["3NW", "3SE"].map((zone) => stage.box(zone)).filter((box) => box !== null);
  const [x, y] = [Math.min(...seas.map((sea) => sea.x - sea.w / 2)), Math.min(...seas.map((sea) => sea.y - sea.h / 2))];
  const [right, bottom] = [Math.max(...seas.map((s) => s.x + s.w / 2)), Math.max(...seas.map((s) => s.y + s.h / 2))];
  const [width, height] = [right - x, bottom - y];
  return stage.make("svg", { x, y, width, height, viewBox: `${x} ${y} ${width} ${height}` });
}

/**
 * A patrol plane flies out and meets aircraft.
 * @param {Beat} event
 * @param {Stage} stage
 * @param {Point} base
 * @param {Point} sector
 */
async function patrol(event, stage, base, sector) {
  stage.spot(sector, 150);
  stage.sound.play("engines", 1.4);
  const far = mix(base, sector, 1.15);
  const way = [base, mix(base, sector, 0.35), mix(base, sector, 0.75), far];
  await formation(stage, [""], way, { side: stage.side("usa"), ms: 1500, size: 1.6 });
  await blips(stage, sector);
  await stage.show();
}

/** One sweep of the radar, with what it shows. @type {Effect} */
async function radar(event, stage) {
  const center = middle(stage);
  const sea = stage.box(event.target);
  if (!center || !sea) return plain(event, stage);
  const sector = over(stage, event.target) ?? sea;
  if (event.text.startsWith("Patrol planes")) return patrol(event, stage, center, sector);
  const reach = Math.hypot(sea.w, sea.h) * 0.92;
  stage.spot(center, reach * 0.8);
  const scope = stage.make(
    "g",
    { class: "pb-radar", transform: `translate(${center.x} ${center.y})` },
    islandFrame(stage),
  );
  for (const part of [1, 0.66, 0.33]) stage.make("circle", { class: "pb-range", r: reach * part }, scope);
  const beam = stage.make("g", {}, scope);
  const turns = [0, 12, 24, 36, 48];
  for (const at of turns) {
    const [a, b] = [at, at + 13].map((angle) => ((angle - 90) * Math.PI) / 180);
    const [x, y, u, v] = [Math.cos(a ?? 0), Math.sin(a ?? 0), Math.cos(b ?? 0), Math.sin(b ?? 0)].map(
      (part) => part * reach,
    );
    stage.make(
      "path",
      { class: "pb-beam", d: `M0 0L${x} ${y}A${reach} ${reach} 0 0 1 ${u} ${v}Z`, opacity: (at + 12) / 75 },
      beam,
    );
  }
  const aim = heading(center, sector) - 52;
  stage.sound.play("blip");
  const fade = stage.move(scope, [{ opacity: 0 }, { opacity: 1 }], 200);
  const sweep = stage.move(beam, [{ transform: `rotate(${aim - 360}deg)` }, { transform: `rotate(${aim}deg)` }], 1500, {
    easing: "linear",
    fill: "both",
  });
  const leave = event.rolls.length ? await rollDice(event, stage) : null;
  await Promise.all([fade, sweep]);
  if (event.kind === "reveal") await blips(stage, sector);
  await Promise.all([stage.show(), stage.wait(350), leave?.()]);
  await stage.flash(scope, [{ opacity: 1 }, { opacity: 0 }], 260, { fill: "forwards" });
}

/**
 * Echoes on the radar.
 * @param {Stage} stage
 * @param {Point} sector
 */
async function blips(stage, sector) {
  const scale = sizeOn(stage);
  stage.sound.play("blip");
  await Promise.all(
    Array.from({ length: 9 }, (_, at) => {
      const row = Math.ceil(at / 2);
      const point = { x: sector.x + (at % 2 ? -1 : 1) * row * 13 * scale, y: sector.y + row * 9 * scale };
      const blip = stage.make("circle", { class: "pb-blip", r: 4.2 * scale, opacity: 0 });
      const frames = [
        { transform: `${put(point)} scale(2.2)`, opacity: 0 },
        { transform: put(point), opacity: 1, offset: 0.3 },
        { transform: put(point), opacity: 0.85, offset: 0.8 },
        { transform: put(point), opacity: 0 },
      ];
      return stage.flash(blip, frames, 1300, { delay: at * 45 });
    }),
  );
}

/** The alert levels climb, step by step. @type {Effect} */
async function alert(event, stage) {
  const panel = stage.box(event.target);
  if (!panel) return plain(event, stage);
  const ring = stage.ring(panel);
  stage.sound.play("phone");
  await stage.show();
  const place = stage.find(event.target);
  const lit = [...(place?.querySelectorAll(".bd-lit") ?? [])];
  const steps = lit.map((step, at) => {
    const box = stage.box(step);
    if (!box) return null;
    const pose = stage.poser(/** @type {SVGGraphicsElement} */ (step));
    const frames = [
      { transform: pose({ scale: 0.2 }), opacity: 0 },
      { transform: pose({ scale: 1.35 }), opacity: 1, offset: 0.6 },
      { transform: pose(), opacity: 1 },
    ];
    return stage.move(step, frames, 330, { delay: at * 130 });
  });
  await Promise.all([...steps, ring, stage.wait(1100)]);
}

// -- combat ----------------------------------------------------------------------------------------------------------

/**
 * Return the dice of a beat with the sides of the units that roll them, which the lines name in their order.
 * @param {Beat} event
 * @returns {Roll[]}
 */
const sidedRolls = ({ lines }) =>
  lines.flatMap(({ rolls, keys }) =>
    rolls.map((roll, at) => ({ ...roll, side: JAPANESE.has(typeOf(keys[at] ?? "")) ? "japan" : "usa" })),
  );

/**
 * Return how many American aircraft are lost, as their panel says.
 * @param {Stage} stage
 */
const lostOn = ({ chart }) =>
  Number(/Aircraft\s*lost:\s*(\d+)/.exec(chart.querySelector("[data-with=usa-plan]")?.textContent ?? "")?.[1] ?? 0);

/**
 * Put the drawing on the board, and say how many aircraft that costs; those of a unit that is destroyed are in the next line.
 * @param {Stage} stage
 * @param {Point} at
 * @param {string} [otherwise]
 */
async function showLosses(stage, at, otherwise = "") {
  const before = lostOn(stage);
  const shown = stage.show({ gone: "fade" });
  const lost = lostOn(stage) - before;
  const text = lost > 0 ? `${lost} aircraft lost` : otherwise;
  await Promise.all([shown, text && stage.label(at, text)]);
}

/** The attack whose target was last named: its turn and field. */
let named = "";

/**
 * Say once which field is attacked.
 * @param {Beat} event
 * @param {Stage} stage
 * @param {Point} target
 */
function nameField({ turn, phase }, stage, target) {
  const fields = /** @type {SVGGraphicsElement[]} */ ([...stage.chart.querySelectorAll(".bd-field")]);
  const boxOf = (/** @type {Element} */ field) => stage.box(field.querySelector(".bd-apron"));
  const field = fields.find((each) => {
    const box = boxOf(each);
    return box && Math.abs(target.x - box.x) < box.w / 2 && Math.abs(target.y - box.y) < box.h / 2;
  });
  const box = field && boxOf(field);
  const name = `${turn} ${phase} ${field?.dataset.key}`;
  if (!box || name === named) return;
  named = name;
  const title = field.querySelector("title")?.textContent?.split(",")[0] ?? "";
  stage.label(box, `Zeros attack ${title} airfield`, { side: stage.side("japan") });
}

/** Units circle around each other in pairs and fire. @type {Effect} */
async function dogfight(event, stage) {
  const pairs = event.lines.map(({ keys }) => stage.present(keys).slice(0, 2)).filter(({ length }) => length === 2);
  const center = stage.center(pairs.flat());
  if (!center) return plain(event, stage);
  const scale = sizeOn(stage);
  stage.spot(center, 110 + 20 * pairs.length);
  const rows = Math.ceil(pairs.length / 2);
  const places = pairs.map((_, at) => ({
    x: center.x + (pairs.length > 1 ? (at % 2) - 0.5 : 0) * 96 * scale,
    y: center.y + (Math.floor(at / 2) - (rows - 1) / 2) * 84 * scale,
  }));
  const circle = (/** @type {string} */ key, /** @type {Point} */ around, /** @type {number} */ phase) => {
    const piece = stage.find(key);
    if (!piece) return Promise.resolve();
    const pose = stage.poser(piece);
    piece.parentNode?.append(piece);
    const frames = Array.from({ length: 13 }, (_, at) => {
      if (at === 0 || at === 12) return { transform: pose() };
      const angle = phase + (at / 12) * 4 * Math.PI;
      const spot = { x: around.x + Math.cos(angle) * 30 * scale, y: around.y + Math.sin(angle) * 21 * scale };
      return { transform: pose({ ...spot, scale: 0.8, turn: Math.sin(angle) * 24 }) };
    });
    return stage.move(piece, frames, 1700, { easing: "linear" });
  };
  stage.sound.play("engines", 1.7);
  stage.sound.play("guns", 4);
  const acts = pairs.flatMap(([one = "", other = ""], at) => {
    const around = /** @type {Point} */ (places[at]);
    const ring = [0, 1, 2, 3].map((step) => ({
      x: around.x + Math.cos(step * 1.6) * 26 * scale,
      y: around.y + Math.sin(step * 1.6) * 18 * scale,
    }));
    return [
      circle(one, around, 0),
      circle(other, around, Math.PI),
      tracers(stage, ring, [...ring].reverse(), { count: 16, ms: 1400, spread: 6 * scale }),
    ];
  });
  const leave = await rollDice({ ...event, rolls: sidedRolls(event) }, stage);
  await Promise.all(acts);
  await Promise.all([stage.show(), leave()]);
}

/** Fighters dive at what is parked and fire along the field. @type {Effect} */
async function strafe(event, stage) {
  const center = stage.center([...new Set(event.lines.map(({ target }) => target))]);
  const runs = event.lines.flatMap(({ target, keys, rolls }) => {
    const box = stage.box(target);
    const own = stage.present(keys.filter((key) => key !== target));
    return box && own.length ? [{ box, own, hits: hitsOf(rolls) }] : [];
  });
  if (!center || !runs.length) return plain(event, stage);
  stage.spot(center, 110 + 12 * runs.length);
  nameField(event, stage, center);
  const flown = await Promise.all(
    runs.map(({ box, own }, number) =>
      sortie(stage, own, (at, from) => {
        const short = mix(from, box, 0.82);
        return { x: short.x + at * 14 + number * 12, y: short.y - at * 6 - number * 8 };
      }),
    ),
  );
  stage.sound.play("guns", 5);
  const fire = runs.map(({ box }, at) => {
    const line = [-1, -0.3, 0.4, 1].map((part) => ({ x: box.x + part * 16, y: box.y + part * 7 }));
    const dust = line.map((point, place) => puff(stage, point, place * 180));
    const guns = tracers(stage, flown[at]?.spots ?? [], line, { count: 20, ms: 800, spread: 4 });
    return Promise.all([guns, ...dust]);
  });
  const back = flown.map(({ home }) => home());
  const rolls = sidedRolls(event).map((roll, at) => ({
    ...roll,
    name: (event.lines[at]?.text ?? roll.name).split(/: | and /)[0] ?? "",
  }));
  const leave = await rollDice({ ...event, rolls }, stage, { few: FIGHTERS });
  await Promise.all(fire);
  await Promise.all(
    runs.map(({ box, hits }) => explosions(stage, box, Math.min(hits, runs.length > 1 ? 1 : hits), 0.6)),
  );
  const isMiss = runs.every(({ hits }) => !hits);
  await Promise.all([showLosses(stage, center, isMiss ? "missed" : ""), leave(), ...back]);
}

/**
 * Dust where a bullet or a wheel hits the ground.
 * @param {Stage} stage
 * @param {Point} point
 * @param {number} delay
 */
function puff(stage, point, delay) {
  const dust = stage.make("circle", { class: "pb-puff pb-light", r: 3, opacity: 0 });
  const frames = [
    { transform: put(point, 0, 0.3), opacity: 0 },
    { transform: put(point, 0, 1), opacity: 0.9, offset: 0.3 },
    { transform: put({ x: point.x, y: point.y - 7 }, 0, 1.8), opacity: 0 },
  ];
  return stage.flash(dust, frames, 520, { delay });
}

/** Torpedoes are dropped into the shallow harbor, run at the ship, and columns of water rise. @type {Effect} */
async function torpedo(event, stage) {
  const ship = stage.box(event.target);
  const keys = attackers(event, stage);
  if (!ship || !keys.length) return plain(event, stage);
  const scale = sizeOn(stage);
  const lane = laneOf(stage, ship);
  stage.spot(ship, 130);
  const across = { x: -lane.y, y: lane.x };
  const spread = (/** @type {number} */ at) => (at - (keys.length - 1) / 2) * Math.min(16, 60 / keys.length) * scale;
  const far = clearRun(stage, ship, lane, spread(keys.length - 1) + 8 * scale, RUN * scale, keys);
  const drop = (/** @type {number} */ at) => ({
    x: ship.x + lane.x * far + across.x * spread(at),
    y: ship.y + lane.y * far + across.y * spread(at),
  });
  const { spots, home } = await sortie(stage, keys, (at) => drop(at), 620);
  const back = home();
  await Promise.all(
    spots.map((spot, at) => splash(stage, mix(spot, ship, 0.08), { size: 0.45 * scale, delay: at * 60 })).slice(0, 1),
  );
  stage.sound.play("torpedo");
  const runs = spots.map((spot, at) => {
    const end = {
      x: ship.x + across.x * spread(at) * 0.8 + lane.x * 6,
      y: ship.y + across.y * spread(at) * 0.8 + lane.y * 6,
    };
    return run(stage, spot, end, at * 90);
  });
  const leave = await rollDice(event, stage);
  const wakes = await Promise.all(runs);
  const hits = Math.min(BLASTS, hitsOf(event.rolls));
  const columns = Array.from({ length: hits }, (_, at) => {
    const aside = (at - (hits - 1) / 2) * Math.min(20, ship.w / 4 + ship.h / 4);
    const point = { x: ship.x + across.x * aside + lane.x * 5, y: ship.y + across.y * aside + lane.y * 5 };
    stage.sound.play("boom", (at * APART) / 1000, 1);
    blast(stage, point, { delay: at * APART + 80, size: 0.8 * scale });
    return splash(stage, point, { delay: at * APART, size: 1.3 * scale });
  });
  const rocks = hits
    ? stage.shake(event.target, { delay: 120, strength: Math.min(2, hits) })
    : stage.label(ship, "missed");
  await Promise.all([...columns, rocks, back]);
  await Promise.all([
    stage.show(),
    leave(),
    ...wakes.map((wake) => stage.flash(wake, [{ opacity: 0.8 }, { opacity: 0 }], 400)),
  ]);
}

/**
 * Return how far from a ship torpedoes are dropped: no farther than the nearest counter in their way.
 * @param {Stage} stage
 * @param {Box} ship
 * @param {Point} lane
 * @param {number} half the breadth of their tracks on each side
 * @param {number} most
 * @param {string[]} keys those who drop them
 */
function clearRun(stage, ship, lane, half, most, keys) {
  const ways = [...stage.chart.querySelectorAll(".bd-unit")].flatMap((unit) => {
    const box = keys.includes(unit.getAttribute("data-key") ?? "") ? null : stage.box(unit);
    if (!box) return [];
    const [dx, dy] = [box.x - ship.x, box.y - ship.y];
    const [ahead, aside] = lane.x ? [dx * lane.x, dy] : [dy * lane.y, dx];
    const [long, wide] = lane.x ? [box.w / 2, box.h / 2] : [box.h / 2, box.w / 2];
    return ahead > 0 && Math.abs(aside) < wide + half ? [ahead - long - 6] : [];
  });
  return Math.max(SHORTEST * most, Math.min(most, ...ways));
}

/**
 * Return the direction from a ship to the open water from which torpedoes run: that of the arrow drawn next to her.
 * @param {Stage} stage
 * @param {Box} ship
 * @returns {Point}
 */
function laneOf(stage, ship) {
  const lanes = [...stage.chart.querySelectorAll(".bd-run path")].map((path) => stage.box(path));
  const near = lanes.filter((lane) => lane !== null && Math.hypot(lane.x - ship.x, lane.y - ship.y) < 90);
  const [lane] = near.sort(
    (a, b) =>
      Math.hypot((a?.x ?? 0) - ship.x, (a?.y ?? 0) - ship.y) - Math.hypot((b?.x ?? 0) - ship.x, (b?.y ?? 0) - ship.y),
  );
  const upright = ship.h > ship.w;
  if (!lane) return upright ? { x: 1, y: 0 } : { x: 0, y: 1 };
  return upright ? { x: Math.sign(lane.x - ship.x) || 1, y: 0 } : { x: 0, y: Math.sign(lane.y - ship.y) || 1 };
}

/**
 * A torpedo and its wake; return the wake, which stays.
 * @param {Stage} stage
 * @param {Point} from
 * @param {Point} to
 * @param {number} delay
 */
async function run(stage, from, to, delay) {
  const scale = sizeOn(stage);
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const d = `M${from.x.toFixed(1)} ${from.y.toFixed(1)}L${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
  const wake = stage.make("path", { class: "pb-torpedo-wake", d, "stroke-dasharray": length });
  const body = stage.make("rect", {
    class: "pb-torpedo",
    x: -1.7 * scale,
    y: -6 * scale,
    width: 3.4 * scale,
    height: 12 * scale,
    rx: 1.7 * scale,
    opacity: 0,
  });
  const turn = heading(from, to);
  const grow = stage.move(wake, [{ strokeDashoffset: length }, { strokeDashoffset: 0 }], 950, {
    delay,
    easing: "linear",
  });
  const frames = [
    { transform: put(from, turn), opacity: 1 },
    { transform: put(to, turn), opacity: 1 },
  ];
  await Promise.all([grow, stage.flash(body, frames, 950, { delay, easing: "linear", fill: "none" })]);
  return wake;
}

/** Bombers pass over their target, and bombs fall. @type {Effect} */
async function bomb(event, stage) {
  const target = stage.box(event.target);
  const keys = attackers(event, stage);
  if (!target || !keys.length) return plain(event, stage);
  const scale = sizeOn(stage);
  stage.spot(target, 120);
  const { spots, home } = await sortie(stage, keys, (at) => ({
    x: target.x + (at - (keys.length - 1) / 2) * 15 * scale,
    y: target.y - (24 + (at % 2) * 7) * scale,
  }));
  stage.sound.play(keys[0]?.startsWith("val") ? "dive" : "fall");
  const bombs = spots.map((spot, at) => {
    const shell = stage.make("ellipse", { class: "pb-bomb", rx: 2.6 * scale, ry: 4.6 * scale, opacity: 0 });
    const end = { x: target.x + ((at * 37) % Math.max(12, target.w * 0.7)) - target.w * 0.3, y: target.y };
    const frames = [
      { transform: put(spot, 0, 1.6), opacity: 1 },
      { transform: put(end, 0, 0.5), opacity: 1 },
    ];
    return stage.flash(shell, frames, 520, { delay: at * 80, easing: "ease-in", fill: "none" });
  });
  const back = home();
  const leave = await rollDice(event, stage);
  await Promise.all(bombs);
  const hits = hitsOf(event.rolls);
  if (!hits) await Promise.all([miss(stage, target), stage.label(target, "missed")]);
  await explosions(stage, target, hits, event.rule === "11.5" ? 1.25 : 0.95);
  if (hits) stage.smoke(target, { count: 6, height: 34 });
  await Promise.all([stage.show(), leave(), back]);
}

/**
 * Bombs next to their target.
 * @param {Stage} stage
 * @param {Box} target
 */
function miss(stage, target) {
  const scale = sizeOn(stage);
  return Promise.all([
    splash(stage, { x: target.x - target.w / 2 - 9, y: target.y + 4 }, { size: 0.8 * scale }),
    splash(stage, { x: target.x + target.w / 2 + 9, y: target.y + 8 }, { size: 0.8 * scale, delay: 160 }),
  ]);
}

/** Guns of ships, batteries and the yard fire at aircraft. @type {Effect} */
async function flak(event, stage) {
  const volleys = event.lines.flatMap(({ target, keys, rolls }) => {
    const box = stage.box(target);
    const guns = keys.flatMap((key) => (key === target ? [] : (stage.box(key) ?? [])));
    return box ? [{ box, guns, hits: hitsOf(rolls) }] : [];
  });
  const center = stage.center(event.lines.map(({ target }) => target));
  if (!center || !volleys.length) return plain(event, stage);
  const scale = sizeOn(stage);
  stage.spot(center, 140 + 10 * volleys.length);
  stage.sound.play("flak", 7);
  const fire = volleys.flatMap(({ box, guns }) => [
    tracers(stage, guns, [box], { count: Math.min(40, 10 + guns.length * 6), ms: 900, spread: 12 }),
    bursts(stage, [box], { count: volleys.length > 1 ? 6 : 10, spread: 20 * scale }),
  ]);
  const leave = await rollDice(event, stage);
  await Promise.all(fire);
  const seen = /** @type {Map<string, number>} */ (new Map());
  await Promise.all(
    volleys.map(({ box, hits }) => {
      const place = `${Math.round(box.x / 30)} ${Math.round(box.y / 30)}`;
      const above = seen.get(place) ?? 0; // those of one pile, one above the other
      seen.set(place, above + 1);
      const delay = above * APART;
      return Promise.all([
        hits ? blast(stage, box, { size: 0.55 * scale, delay }) : null,
        stage.label({ x: box.x, y: box.y - above * 16 * scale }, hits ? `−${hits}` : "missed", { delay }),
      ]);
    }),
  );
  await Promise.all([stage.show(), leave()]);
}

// -- what comes of it ------------------------------------------------------------------------------------------------

/** Aircraft in the air fall; what is on the ground burns. @type {Effect} */
async function loss(event, stage) {
  const isOnGround = event.rule.startsWith("11.");
  const boxes = event.lines.map(({ target }) => stage.box(target)).filter((box) => box !== null);
  stage.sound.play(isOnGround ? "fire" : "thud");
  if (!isOnGround || !boxes.length) return stage.show({ gone: "fall" });
  const scale = sizeOn(stage);
  boxes.forEach((box, at) => stage.smoke(box, { count: 7, height: 40 * scale, delay: at * APART }));
  await Promise.all(boxes.map((box, at) => blast(stage, box, { delay: at * APART, size: 0.75 * scale })));
  await Promise.all([showLosses(stage, /** @type {Box} */ (boxes[0])), stage.wait(200)]);
}

/** A ship burns; or she lists, settles on the bottom of the harbor, and only her wreck is left. @type {Effect} */
async function sink(event, stage) {
  const ship = /** @type {SVGGraphicsElement | null} */ (stage.find(event.target));
  const box = stage.box(event.target);
  if (!ship || !box) return plain(event, stage);
  const scale = sizeOn(stage);
  stage.spot(box, 130);
  const isBlast = event.moment.includes(":");
  const ghost = /** @type {SVGGraphicsElement} */ (ship.cloneNode(true));
  for (const name of ["data-key", "tabindex", "role"]) ghost.removeAttribute(name);
  const hull = stage.make("g", { class: stage.side(ship) });
  hull.append(ghost);
  stage.sound.play("boom", 0, 1);
  await Promise.all([
    blast(stage, box, { size: (isBlast ? 2.6 : 1.1) * scale }),
    stage.shake(event.target, { strength: 2 }),
    isBlast ? explosions(stage, { ...box, w: 50, h: 20 }, 3, 1.6) : null,
  ]);
  await stage.show();
  const isSunk = stage.find(event.target)?.matches(".bd-sunk");
  if (!isSunk) {
    hull.remove();
    stage.sound.play("fire");
    stage.smoke(box, { count: 8, height: 44 * scale });
    await stage.wait(900);
    return;
  }
  stage.smoke(box, { count: 9, height: 46 * scale });
  stage.sound.play("sink");
  for (const at of [0, 1, 2]) {
    const ripple = stage.make("ellipse", { class: "pb-ripple", rx: box.w / 2 + 6, ry: box.h / 2 + 6, opacity: 0 });
    const frames = [
      { transform: `${put(box)} scale(.5)`, opacity: 0.9 },
      { transform: `${put(box)} scale(1.7)`, opacity: 0 },
    ];
    stage.flash(ripple, frames, 1100, { delay: 500 + at * 420 });
  }
  const pose = stage.poser(ghost, box);
  const frames = [
    { transform: pose(), opacity: 1 },
    { transform: pose({ turn: 9, y: box.y + 1 }), opacity: 1, offset: 0.35 },
    { transform: pose({ turn: 20, y: box.y + 4, scale: 0.92 }), opacity: 0.9, offset: 0.7 },
    { transform: pose({ turn: 20, y: box.y + 9, scale: 0.8 }), opacity: 0 },
  ];
  await stage.move(ghost, frames, 2000, { fill: "both", easing: "ease-in-out" });
  hull.remove();
}

/** Effects that show several events at once, and how many: battles have dozens of them. */
export const together = new Map([
  ["dogfight", 2],
  ["intercept", 4],
  ["strafe", 4],
  ["flak", 4],
]);

/** @type {Record<string, Effect>} */
export const effects = {
  seal: async (event, stage) => (await rare()).seal(event, stage),
  wave,
  fly,
  scramble,
  radar,
  alert,
  dogfight,
  intercept: dogfight,
  strafe,
  "shallow-torpedo": torpedo,
  bomb,
  flak,
  loss,
  sink,
  card: async (event, stage) => (await rare()).card(event, stage),
};
