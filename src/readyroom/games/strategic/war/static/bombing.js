/** Effects of Strategic War's bombing: bombers on their way, raids over their targets, and the way home. */

import { blast, bursts, tracers } from "readyroom/playback/effects.js";
import { plain } from "readyroom/playback/plain.js";
import { NOTED, besideMap, labelScores, lossWords, scoresOf, stepsOf } from "./effects.js";
import {
  curve,
  formation,
  goDown,
  labelChanges,
  picture,
  rollsPanel,
  scattered,
  showAndCount,
  travel,
} from "./strategic.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Box} Box
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 * @typedef {import("readyroom/playback/stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 *
 * Planes over a target, where each is, and where they come from.
 * @typedef {{name: string, side: string, base: Point, planes: {plane: SVGGElement, at: Point}[]}} Flight
 * @typedef {{city: Box, size: number, bombers: Flight, fighters: Flight}} Sky
 */

const APPROACH = 1300; // milliseconds in which both sides come
const CAUSE = 450; // milliseconds from shots to what they do
const FALL = 620; // milliseconds of a bomb
const STEP = 1300; // milliseconds after each roll of a raid, at least
const HOME = 1500; // milliseconds of the way home
const HALFWAY = 0.5; // of the way to the target: there the raid is when the interceptors are ordered
const BOMBERS = 6; // planes that are drawn
const FIGHTERS = 4;
const FACTORS = 3; // for each of them
const WIDE = 900; // the width of a chart on which pictures are larger

/** The target over which the bombers of the last beat still are. */
let over = "";

const between = (/** @type {Point} */ a, /** @type {Point} */ b, /** @type {number} */ part) => ({
  x: a.x + (b.x - a.x) * part,
  y: a.y + (b.y - a.y) * part,
});

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
export async function stream(event, stage) {
  stage.sound.play("engines", 1.2);
  over = "";
  const raids = event.lines.map(({ keys: [bombers = "", escorts = ""], target }, at) => {
    const [from, city, guard] = [stage.box(bombers), cityOf(stage, target), stage.box(escorts)];
    if (!from || !city) return undefined;
    const side = stage.side(stage.find(bombers));
    const [delay, bend, to] = [at * 260, at % 2 ? -0.14 : 0.2, between(from, city, HALFWAY)];
    const options = { count: 9, delay, bend, ms: 1500, size: 0.6, spread: 16 };
    const fighters = guard
      ? formation(stage, "pc-sw-interceptor", side, [guard], [to], { ...options, count: 4, delay: delay + 200 })
      : undefined;
    const ring = stage.wait(delay + 700).then(() => stage.ring(city));
    return Promise.all([formation(stage, "pc-sw-bomber", side, [from], [to], options), fighters, ring]);
  });
  await Promise.all(raids);
  await stage.show();
}

/**
 * A raid over its target, roll by roll: interceptors climb and fire, escorts answer, bombs fall, flak bursts; then the
 * bombers fly home.
 * @type {Effect}
 */
export async function raid(event, stage) {
  const { target, lines } = event;
  const city = cityOf(stage, target);
  if (!city) return plain(event, stage);
  const sky = comeOver(stage, lines, city, over === target);
  stage.spot(city, 150 * sky.size);
  const about = stage.find(target)?.querySelector("title")?.textContent ?? "";
  const [name = target] = about.split(":");
  const force = forceSaid(about, lines[0]?.text ?? "");
  const battle = { target, title: `Raid on ${name}${force}`, lines: lines.map((line, at) => ({ line, at })) };
  const steps = stepsOf(battle, stage);
  const below = { near: { x: city.x, y: city.y + 40 * sky.size }, below: true };
  if (over !== target) await stage.wait(APPROACH);
  const panel = rollsPanel(
    stage,
    steps.map(({ part }) => part),
    besideMap(stage, below, true),
  );
  over = target;
  await stage.wait(NOTED);
  for (const [number, { line, at }] of steps.entries()) {
    await panel.roll(number);
    await Promise.all([fought(stage, line, at, sky), stage.wait(STEP)]);
  }
  if (lines.some(({ text }) => text.startsWith("Flak "))) {
    over = "";
    await flyHome(stage, sky.bombers, sky.bombers.planes.length, sky.size);
  }
  await stage.show();
  await panel.leave();
}

/**
 * Return who raids and who meets them, from the title of a target and the first line of its raid: ": 18 bombers, 11
 * interceptors"; empty if it says neither.
 * @param {string} about
 * @param {string} text
 */
export function forceSaid(about, text) {
  const [, raiders] = /; raid: (\d+ bombers?)/.exec(about) ?? [];
  const [, met] = /^(\d+) interceptor/.exec(text) ?? [];
  if (!raiders) return "";
  return `: ${raiders}${met ? `, ${met} interceptor${met === "1" ? "" : "s"}` : ""}`;
}

/**
 * Let bombers, and those who meet them, come over a target, if they are not there yet.
 * @param {Stage} stage
 * @param {PlayedEvent[]} lines
 * @param {Box} city
 * @param {boolean} isThere
 * @returns {Sky}
 */
function comeOver(stage, lines, city, isThere) {
  const size = stage.size.width < WIDE ? 1 : 1.5;
  const keys = [...new Set(lines.flatMap(({ keys: own }) => own))];
  const bombers = keys.find((key) => key.startsWith("bombers-")) ?? "";
  const isMet = lines.some(({ rule }) => rule === "SW.10.3");
  const defenders = (isMet && keys.find((key) => key.startsWith("interceptors-"))) || "";
  const from = stage.box(bombers) ?? { x: city.x - 90, y: city.y + 20 };
  const base = stage.box(defenders) ?? city;
  const ms = isThere ? 1 : APPROACH - 400;
  const left = { x: city.x - 22 * size, y: city.y - 44 * size };
  const right = { x: city.x + 62 * size, y: city.y - 56 * size };
  stage.sound.play("engines", 0.9);
  const [attack, meet] = [stage.side(stage.find(bombers)), stage.side(stage.find(defenders))];
  return {
    city,
    size,
    bombers: fly(stage, "bomber", attack, from, between(from, left, HALFWAY), left, { count: BOMBERS, size, ms }),
    fighters: fly(stage, "interceptor", meet, base, base, right, { count: defenders ? FIGHTERS : 0, size, ms }),
  };
}

/**
 * Let planes fly to a point in rows of three, and stay there.
 * @param {Stage} stage
 * @param {string} kind
 * @param {string} side
 * @param {Point} base
 * @param {Point} from
 * @param {Point} to
 * @param {{count: number, size: number, ms: number}} options
 * @returns {Flight}
 */
function fly(stage, kind, side, base, from, to, { count, size, ms }) {
  const name = `pc-sw-${kind}`;
  const planes = Array.from({ length: count }, (_, number) => {
    const [dx, dy] = [((number % 3) - 1) * 26 * size, Math.floor(number / 3) * 22 * size];
    const at = { x: to.x + dx, y: to.y + dy };
    const plane = picture(stage, name, side, { size: 0.6 * size });
    const way = curve({ x: from.x + dx, y: from.y + dy }, at, 0.12);
    travel(stage, plane, way, ms, { delay: ms > 1 ? number * 50 : 0, heading: true });
    return { plane, at };
  });
  return { name, side, base, planes };
}

/**
 * Show a roll of a raid: fighters fire, bombs fall and explode or flak bursts; then what comes of it.
 * @param {Stage} stage
 * @param {PlayedEvent} line
 * @param {number} number of the line in its beat
 * @param {Sky} sky
 */
async function fought(stage, { rule, text, target, keys }, number, { city, size, bombers, fighters }) {
  const out = () => stage.find(target)?.querySelectorAll(".sw-outstep").length ?? 0;
  const before = out();
  const spots = (/** @type {Flight} */ { planes }) => planes.map(({ at }) => at);
  const isDefence = keys[0]?.startsWith("interceptors-") || text.startsWith("Flak ");
  const victims = isDefence ? bombers : fighters;
  /** @type {unknown[]} */
  const acts = [];
  if (rule === "SW.10.3") {
    stage.sound.play("guns", 4);
    const shooters = isDefence ? fighters : bombers;
    acts.push(tracers(stage, spots(shooters), spots(victims), { count: 26, ms: 700 }));
    await stage.wait(CAUSE);
  } else if (isDefence) {
    stage.sound.play("flak", 7);
    acts.push(bursts(stage, spots(bombers), { count: 14, spread: 20 * size }));
    await stage.wait(CAUSE);
  } else {
    acts.push(dropBombs(stage, spots(bombers), city, size));
    await stage.wait(FALL + 600);
  }
  const scores = scoresOf(stage);
  const changes = await showAndCount(stage, keys, number);
  acts.push(labelScores(stage, scores, text));
  const steps = out() - before;
  const [, shot = 0] = (isDefence ? / down (\d+) bomber/ : / down (\d+) interceptor/).exec(text) ?? [];
  const [, turned = 0] = /(?:turns? back|damages) (\d+)/.exec(text) ?? [];
  const falls = taken(victims, Number(shot)).map(({ plane, at }, turn) => {
    stage.smoke(at, { count: 5, delay: turn * 140, height: 18 });
    return goDown(stage, plane, at, { delay: turn * 140, drop: 44 });
  });
  if (falls.length) stage.sound.play("thud", 0.5);
  if (Number(turned)) {
    const word = isDefence && rule === "SW.11" ? "damaged" : "turn back";
    const [from] = spots(bombers);
    if (from) acts.push(stage.label({ x: from.x, y: from.y - 8 }, `${turned} ${word}`));
    acts.push(flyHome(stage, bombers, Math.ceil(Number(turned) / FACTORS), size));
  }
  if (steps)
    acts.push(
      stage.label(city, /\d of its \d+ steps knocked out/.exec(text)?.[0] ?? ""),
      stage.ring(stage.box(target)),
    );
  await Promise.all([...acts, ...falls, labelChanges(stage, changes, lossWords(text))]);
}

/**
 * Take planes from a flight for some factors; one is left.
 * @param {Flight} flight
 * @param {number} factors
 */
function taken({ planes }, factors) {
  return planes.splice(0, Math.min(planes.length - 1, Math.ceil(factors / FACTORS)));
}

/**
 * Let bombs fall from bombers on a city.
 * @param {Stage} stage
 * @param {Point[]} from
 * @param {Box} city
 * @param {number} size
 */
function dropBombs(stage, from, city, size) {
  stage.sound.play("fall");
  const places = scattered({ ...city, w: 16 * size, h: 12 * size }, 2 * from.length);
  return Promise.all(
    places.map(async (to, number) => {
      const start = /** @type {Point} */ (from[number % from.length]);
      const bomb = stage.make("path", { class: "pb-bomb", d: "M0-7Q4-2 3 5L5 9H-5L-3 5Q-4-2 0-7Z", opacity: 0 });
      const fall = [
        { transform: `translate(${start.x}px,${start.y}px) rotate(160deg) scale(${0.9 * size})`, opacity: 1 },
        { transform: `translate(${to.x}px,${to.y}px) rotate(180deg) scale(${0.6 * size})`, opacity: 1 },
      ];
      await stage.flash(bomb, fall, FALL, { delay: number * 80, easing: "ease-in" });
      if (number % 4) return stage.smoke(to, { count: 3, height: 30 * size });
      stage.sound.play("boom", 0, 0.6); // at most three explosions
      return blast(stage, to, { size });
    }),
  );
}

/**
 * Let bombers fly home.
 * @param {Stage} stage
 * @param {Flight} flight
 * @param {number} count
 * @param {number} size
 */
async function flyHome(stage, { base, planes }, count, size) {
  const ways = planes.splice(0, count).map(({ plane, at }, number) => {
    const [dx, dy] = [((number % 3) - 1) * 12 * size, Math.floor(number / 3) * 10 * size];
    const way = curve(at, { x: base.x + dx, y: base.y + dy }, -0.2);
    return travel(stage, plane, way, HOME, { delay: number * 60, heading: true, vanish: true });
  });
  await Promise.all(ways);
}
