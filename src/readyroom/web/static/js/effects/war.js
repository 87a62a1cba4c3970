/** The effects of Strategic War: convoys and submarines on the map, bombers over cities, cards, tracks and the table. */

import { plain } from "../playback/plain.js";
import { blast, bursts, splash, tracers } from "./shared.js";
import {
  curve,
  formation,
  goDown,
  labelChanges,
  picture,
  rollOnTable,
  scattered,
  showAndCount,
  travel,
} from "./strategic.js";

/**
 * @typedef {import("../playback/stage.js").Beat} Beat
 * @typedef {import("../playback/stage.js").Box} Box
 * @typedef {import("../playback/stage.js").Effect} Effect
 * @typedef {import("../playback/stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("../playback/stage.js").Point} Point
 * @typedef {import("../playback/stage.js").Stage} Stage
 */

const CONVOY = 6; // ships that are drawn
const BOATS = 3;
const COUNTER = 50; // the width of a counter for which the pictures below have their sizes

/**
 * Return the map of a sea: points of its route, where the battle is, and how large its pictures are.
 * @param {Stage} stage
 * @param {string} sea
 */
function seaOf(stage, sea) {
  const lane = stage.find(`lane-${sea}`);
  if (!(lane instanceof SVGPathElement)) return null;
  const length = lane.getTotalLength();
  const at = (/** @type {number} */ part) => {
    const { x, y } = lane.getPointAtLength(Math.max(0, Math.min(1, part)) * length);
    return { x, y };
  };
  const scale = (stage.box(`merchants-${sea}`)?.w ?? COUNTER) / COUNTER;
  const [middle, zone] = [at(0.5), stage.box(sea) ?? { ...at(0.5), w: 0, h: 0 }];
  const below = zone.y > middle.y; // the dice do not hide the battle
  const near = { x: zone.x, y: zone.y + (below ? 1 : -1) * (zone.h / 2 + 6) };
  return { at, scale, middle, place: { near, below } };
}

/**
 * Let a convoy sail on its route; return its ships and where each ends.
 * @param {Stage} stage
 * @param {{at: (part: number) => Point, scale: number}} sea
 * @param {string} side
 */
function sail(stage, { at, scale }, side) {
  const ships = Array.from({ length: CONVOY }, (_, number) => {
    const ship = picture(stage, "pc-sw-merchant", side, { size: 0.5 * scale });
    const offset = (number % 3) * 0.07 - 0.07;
    const dy = (number < 3 ? -7 : 7) * scale;
    const way = Array.from({ length: 9 }, (_, step) => {
      const { x, y } = at(0.16 + (step / 8) * 0.34 + offset);
      return { x, y: y + dy };
    });
    return { ship, way, end: /** @type {Point} */ (way.at(-1)) };
  });
  const over = Promise.all(ships.map(({ ship, way }) => travel(stage, ship, way, 1250, { easing: "linear" })));
  return { ships, over };
}

/**
 * A round of submarines: a convoy on its route, boats that close in, the roll, and the ships that are lost.
 * @type {Effect}
 */
async function wolfpack(event, stage) {
  const sea = seaOf(stage, event.target);
  const [first = "", second = ""] = event.keys;
  if (!sea || !second) return plain(event, stage);
  if (first.startsWith("escorts-")) return depthCharge(event, stage);
  const [merchants, escorts] = [`merchants-${event.target}`, `escorts-${event.target}`];
  const [from, side] = [stage.box(first), stage.side(stage.find(first))];
  stage.spot(sea.middle, 120 * sea.scale);
  const convoy = sail(stage, sea, stage.side(stage.find(merchants)));
  const boats = Array.from({ length: BOATS }, (_, at) => {
    const boat = picture(stage, "pc-sw-submarine", side, { size: 0.52 * sea.scale });
    const end = { x: sea.middle.x + (at - 1) * 26 * sea.scale, y: sea.middle.y + (24 + (at % 2) * 8) * sea.scale };
    return { boat, end, over: travel(stage, boat, curve(from ?? end, end, 0.1), 1150, { delay: at * 90 }) };
  });
  await rollOnTable(event, stage, "strategic", Promise.all([convoy.over, ...boats.map(({ over }) => over)]), sea.place);
  const changes = await showAndCount(stage, [merchants, escorts]);
  const sunk = -(changes.get(merchants) ?? 0) - (changes.get(escorts) ?? 0);
  const hit = convoy.ships.slice(0, sunk ? Math.min(CONVOY - 1, Math.ceil(sunk / 2)) : 0);
  stage.sound.torpedo();
  const runs = boats.map(({ end }, at) => {
    const goal = (hit[at % Math.max(1, hit.length)] ?? convoy.ships[at])?.end ?? sea.middle;
    return torpedo(
      stage,
      end,
      hit.length ? goal : { x: goal.x + 30 * sea.scale, y: goal.y - 22 * sea.scale },
      at * 120,
    );
  });
  const losses = hit.map(({ ship, end }, at) => {
    stage.sound.boom(0.5 + at * 0.35, 0.5);
    const delay = 520 + Math.min(at, 2) * 360;
    return Promise.all([
      blast(stage, end, { delay, size: 0.75 * sea.scale }),
      goDown(stage, ship, end, { delay: delay + 150 }),
    ]);
  });
  await Promise.all([...runs, ...losses, labelChanges(stage, changes), stage.wait(400)]);
}

/**
 * The wake of a torpedo.
 * @param {Stage} stage
 * @param {Point} from
 * @param {Point} to
 * @param {number} delay
 */
function torpedo(stage, from, to, delay) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const line = { x1: from.x, y1: from.y, x2: to.x, y2: to.y, "stroke-dasharray": length, opacity: 0 };
  const wake = stage.make("line", { class: "pb-run", ...line });
  const frames = [
    { strokeDashoffset: length, opacity: 1 },
    { strokeDashoffset: 0, opacity: 0.9, offset: 0.75 },
    { strokeDashoffset: 0, opacity: 0 },
  ];
  return stage.flash(wake, frames, 760, { delay });
}

/**
 * The escorts' answer: they run over the boats and drop depth charges.
 * @param {Beat} event
 * @param {Stage} stage
 */
async function depthCharge(event, stage) {
  const sea = seaOf(stage, event.target);
  const [escorts = "", fleet = ""] = event.keys;
  if (!sea) return plain(event, stage);
  const [from, side] = [stage.box(escorts), stage.side(stage.find(escorts))];
  const { x, y } = sea.middle;
  stage.spot(sea.middle, 120 * sea.scale);
  const under = stage.side(stage.find(fleet));
  const boats = Array.from({ length: BOATS }, (_, at) => {
    const boat = picture(stage, "pc-sw-submarine", under, { size: 0.52 * sea.scale });
    const end = { x: x + (at - 1) * 32 * sea.scale, y: y + (12 + (at % 2) * 9) * sea.scale };
    travel(stage, boat, [end, end], 300);
    return { boat, end };
  });
  const hunters = Array.from({ length: 2 }, (_, at) => {
    const ship = picture(stage, "pc-sw-escort", side, { size: 0.52 * sea.scale });
    const end = { x: x + (at ? 44 : -40) * sea.scale, y: y - 8 * sea.scale };
    return travel(stage, ship, curve(from ?? end, end, 0.12), 1000, { delay: at * 90 });
  });
  await rollOnTable(event, stage, "strategic", Promise.all(hunters), sea.place);
  const changes = await showAndCount(stage, [fleet]);
  const gone = -(changes.get(fleet) ?? 0);
  const charges = boats.flatMap(({ end }, at) =>
    [0, 1].map((turn) => {
      const delay = at * 180 + turn * 240;
      const near = { x: end.x + (turn ? 9 : -9) * sea.scale, y: end.y - 3 };
      return splash(stage, near, { delay, size: 0.8 * sea.scale });
    }),
  );
  stage.sound.flak(5);
  const lost = boats.slice(0, Math.min(BOATS, gone)).map(({ boat, end }, at) => {
    stage.sound.boom(0.6 + at * 0.35, 0.4);
    return goDown(stage, boat, end, { delay: 600 + at * 200, drop: 22 });
  });
  await Promise.all([...charges, ...lost, labelChanges(stage, changes), stage.wait(400)]);
}

/**
 * Factors that move from one sea or base to another: ships and aircraft on their way.
 * @type {Effect}
 */
async function convoy(event, stage) {
  const moves = event.lines.map(({ keys: [from = "", to = ""] }) => {
    const [start, end, piece] = [stage.box(from), stage.box(to), stage.find(to)];
    if (!start || !end || !piece) return undefined;
    const name = /pc-[\w-]+$/.exec(piece.querySelector("use")?.getAttribute("href") ?? "")?.[0] ?? "pc-sw-merchant";
    const side = stage.side(piece);
    if (name === "pc-sw-bomber") return formation(stage, name, side, [start], [end], { count: 4, ms: 1300 });
    return Promise.all(
      [0, 1, 2].map((at) => {
        const ship = picture(stage, name, side, { size: 0.55 });
        return travel(stage, ship, curve(start, end, 0.12), 1400, { delay: at * 120, vanish: true });
      }),
    );
  });
  await Promise.all(moves);
  await labelChanges(stage, await showAndCount(stage, event.keys));
}

/**
 * What is built appears at its counter.
 * @type {Effect}
 */
async function build(event, stage) {
  const changes = await showAndCount(stage, event.keys);
  stage.sound.thud(0.2);
  const grown = event.keys.map((key) => {
    const [piece, box] = [stage.find(key), stage.box(key)];
    if (!piece || !box) return undefined;
    const pose = stage.poser(piece);
    return stage.move(
      piece,
      [{ transform: pose() }, { transform: pose({ scale: 1.14 }), offset: 0.4 }, { transform: pose() }],
      420,
    );
  });
  await Promise.all([...grown, labelChanges(stage, changes)]);
}

// -- the air war --

/**
 * Return where a target is: its city on the map, or its row in the panel.
 * @param {Stage} stage
 * @param {string} target
 * @returns {Box | null}
 */
function cityOf(stage, target) {
  return stage.box(`city-${target}`) ?? stage.box(target);
}

/**
 * Bombers on their way to the target, with escorts.
 * @type {Effect}
 */
async function stream(event, stage) {
  stage.sound.engines(1.2);
  const raids = event.lines.map(({ keys: [bombers = "", escorts = ""], target }, at) => {
    const [from, to, guard] = [stage.box(bombers), cityOf(stage, target), stage.box(escorts)];
    if (!from || !to) return undefined;
    const side = stage.side(stage.find(bombers));
    const [delay, bend] = [at * 260, at % 2 ? -0.14 : 0.2];
    const options = { count: 9, delay, bend, ms: 1500, size: 0.42, spread: 9 };
    const fighters = guard
      ? formation(stage, "pc-sw-interceptor", side, [guard], [to], { ...options, count: 4, delay: delay + 200 })
      : undefined;
    return Promise.all([formation(stage, "pc-sw-bomber", side, [from], [to], options), fighters, stage.ring(to)]);
  });
  await Promise.all(raids);
  await stage.show();
}

/**
 * Interceptors against the raid over its target: tracers, the roll, and those that fall.
 * @type {Effect}
 */
async function intercept(event, stage) {
  const city = cityOf(stage, event.target);
  const defenders = event.keys.find((key) => key.startsWith("interceptors-")) ?? "";
  const base = stage.box(defenders);
  if (!city || !base) return plain(event, stage);
  const bombers = event.keys.find((key) => key.startsWith("bombers-")) ?? "";
  const side = stage.side(stage.find(defenders));
  const above = { x: city.x + 4, y: city.y - 24, w: 70, h: 34 };
  stage.spot(city, 110);
  const raiders = stage.side(stage.find(bombers));
  const raid = formation(
    stage,
    "pc-sw-bomber",
    raiders,
    [{ x: above.x - 60, y: above.y + 16 }],
    [{ ...above, x: above.x - 8 }],
    {
      count: 5,
      ms: 700,
      size: 0.4,
      vanish: false,
    },
  );
  const climb = formation(stage, "pc-sw-interceptor", side, [base], [{ ...above, x: above.x + 30 }], {
    count: 4,
    ms: 800,
    size: 0.5,
    vanish: false,
  });
  stage.sound.guns(4);
  const shots = tracers(stage, scattered({ ...above, x: above.x + 26 }, 4), scattered(above, 5), {
    delay: 700,
    ms: 700,
  });
  await rollOnTable(event, stage, "air", Promise.all([raid, climb, shots]));
  const changes = await showAndCount(stage, event.keys);
  const lost = [...changes].flatMap(([key, change]) =>
    Array.from({ length: Math.min(3, Math.max(0, -change)) }, () => key),
  );
  const spots = scattered(above, lost.length);
  const falls = lost.map((key, number) => {
    const name = key === bombers ? "pc-sw-bomber" : "pc-sw-interceptor";
    const plane = picture(stage, name, stage.side(stage.find(key)), { size: 0.5, turn: 120 });
    const at = spots[number] ?? city;
    stage.smoke(at, { count: 4, delay: number * 160, height: 14 });
    return goDown(stage, plane, at, { delay: number * 160, drop: 30 });
  });
  if (falls.length) stage.sound.thud(0.5);
  await Promise.all([...falls, labelChanges(stage, changes), stage.wait(300)]);
}

/**
 * Bombs on a target, whose steps fall; or its flak at the bombers.
 * @type {Effect}
 */
async function factory(event, stage) {
  const city = cityOf(stage, event.target);
  if (!city) return plain(event, stage);
  if (event.rolls[0]?.name.startsWith("flak")) return flak(event, stage, city);
  const [bombers = ""] = event.keys;
  const side = stage.side(stage.find(bombers));
  stage.spot(city, 100);
  stage.sound.engines(0.8);
  const over = formation(
    stage,
    "pc-sw-bomber",
    side,
    [{ x: city.x - 90, y: city.y + 20 }],
    [{ x: city.x + 70, y: city.y - 40 }],
    {
      count: 7,
      ms: 1300,
      size: 0.42,
    },
  );
  await rollOnTable(event, stage, "strategic", over);
  const row = () => stage.find(event.target)?.querySelectorAll(".sw-outstep").length ?? 0;
  const before = row();
  await stage.show();
  const steps = row() - before;
  const hits = scattered({ ...city, w: 34, h: 26 }, 1 + Math.min(2, steps)).map((at, number) => {
    stage.sound.boom(number * 0.36, 0.6);
    return blast(stage, at, { delay: number * 360, size: 0.8 });
  });
  const smoke = scattered({ ...city, w: 30, h: 20 }, 3);
  smoke.forEach((at, number) => stage.smoke(at, { count: 3, delay: 300 + number * 220, height: 34 }));
  const words = steps
    ? stage.label({ x: city.x, y: city.y - 16 }, `−${steps} ${steps > 1 ? "steps" : "step"}`)
    : undefined;
  await Promise.all([...hits, words, steps ? stage.ring(stage.box(event.target)) : undefined, stage.wait(600)]);
}

/**
 * @param {Beat} event
 * @param {Stage} stage
 * @param {Box} city
 */
async function flak(event, stage, city) {
  const [bombers = ""] = event.keys;
  const above = { x: city.x, y: city.y - 26, w: 80, h: 30 };
  stage.sound.flak(9);
  await rollOnTable(event, stage, "strategic", bursts(stage, [above], { count: 12, spread: 24 }));
  const changes = await showAndCount(stage, [bombers]);
  const down = -(changes.get(bombers) ?? 0);
  const falls = scattered(above, Math.min(4, Math.max(0, down))).map((at, number) => {
    const plane = picture(stage, "pc-sw-bomber", stage.side(stage.find(bombers)), { size: 0.5, turn: 120 });
    stage.smoke(at, { count: 4, delay: number * 160, height: 14 });
    return goDown(stage, plane, at, { delay: number * 160, drop: 30 });
  });
  await Promise.all([...falls, labelChanges(stage, changes), stage.wait(300)]);
}

// -- cards and tracks --

/**
 * Cards are drawn for a theater, or one is played: its envelope opens.
 * @type {Effect}
 */
async function intelligence(event, stage) {
  const hand = stage.box(event.target);
  if (!hand) return plain(event, stage);
  if (event.rolls.length) {
    await rollOnTable(event, stage);
    await stage.show({ enter: () => ({ x: hand.x, y: hand.y - 30 }) });
    return;
  }
  const played = event.lines.map(async (line, at) => {
    const box = stage.box(line.target) ?? hand;
    await envelope(stage, box, line.text, at * 500);
  });
  await Promise.all([...played, stage.show({ gone: "fade" })]);
}

/**
 * An envelope rises from a hand of cards, opens, and shows the card.
 * @param {Stage} stage
 * @param {Box} hand
 * @param {string} text the line that says which card it is
 * @param {number} delay
 */
async function envelope(stage, hand, text, delay) {
  const { unit, size } = stage;
  const to = {
    x: Math.max(80, Math.min(size.width - 80, hand.x)),
    y: hand.y > size.height / 2 ? hand.y - 90 * unit : hand.y + 90 * unit,
  };
  const side = stage.side(/Axis/.test(text) ? "axis" : "allies");
  const group = stage.make("g", { class: `pb-envelope ${side}`, opacity: 0 });
  stage.make("path", { class: "pb-back", d: "M-42-26H42V28H-42Z" }, group);
  const flap = stage.make("path", { class: "pb-flap", d: "M-42-26L0 8 42-26Z" }, group);
  const card = stage.make("g", { opacity: 0 }, group);
  stage.make("rect", { class: "pb-letter", x: -36, y: -22, width: 72, height: 44, rx: 2 }, card);
  const kind = /(submarine|strategic) card/.exec(text)?.[1] ?? "";
  stage.make("text", { y: -5 }, card).textContent = kind === "submarine" ? "Submarines" : "Bombing";
  stage.make("text", { y: 8, class: "pb-where" }, card).textContent = /\((.*)\)/.exec(text)?.[1] ?? "";
  stage.make("path", { class: "pb-front", d: "M-42-26L0 12 42-26V28H-42Z" }, group);
  stage.sound.thud(0.2);
  const rise = [
    { transform: `translate(${hand.x}px,${hand.y}px) scale(${0.3 * unit})`, opacity: 0 },
    { transform: `translate(${to.x}px,${to.y}px) scale(${unit})`, opacity: 1 },
  ];
  await stage.move(group, rise, 420, { delay, fill: "both", easing: "ease-out" });
  await Promise.all([
    stage.move(flap, [{ transform: "scaleY(1)" }, { transform: "scaleY(-1)" }], 300, { fill: "both" }),
    stage.move(
      card,
      [
        { transform: "translateY(0)", opacity: 0 },
        { transform: "translateY(-6px)", opacity: 1, offset: 0.2 },
        { transform: "translateY(-32px)", opacity: 1 },
      ],
      460,
      { delay: 200, fill: "both" },
    ),
  ]);
  stage.sound.bell();
  await stage.wait(700);
}

/**
 * Research: points are spent, or the roll for a level.
 * @type {Effect}
 */
async function research(event, stage) {
  if (event.rolls.length) await rollOnTable(event, stage);
  await Promise.all([stage.show(), stage.ring(stage.box(event.target)), stage.wait(event.rolls.length ? 250 : 450)]);
}

/**
 * A quarter begins.
 * @type {Effect}
 */
async function season(event, stage) {
  stage.sound.tick(0);
  await Promise.all([stage.show(), stage.ring(stage.box(event.target)), stage.wait(500)]);
}

/**
 * Resource points arrive.
 * @type {Effect}
 */
async function income(event, stage) {
  const rings = event.lines.map(({ target, text }) => {
    const box = stage.box(target);
    const points = /(\d+) resource/.exec(text)?.[1];
    return box && points ? stage.label({ x: box.x, y: box.y }, `+${points}`) : undefined;
  });
  await Promise.all([stage.show(), ...rings, stage.wait(400)]);
}

/**
 * A roll on a table, by the calculator.
 * @type {Effect}
 */
async function chart(event, stage) {
  await rollOnTable(event, stage, "strategic");
  await stage.show();
}

/** @type {Record<string, Effect>} */
export const effects = {
  wolfpack,
  convoy,
  build,
  stream,
  intercept,
  factory,
  intelligence,
  research,
  season,
  income,
  chart,
};
