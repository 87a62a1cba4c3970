/** Effects of Strategic War's bombing: bombers on their way, and raids over their targets. */

import { blast, bursts, tracers } from "readyroom/playback/effects.js";
import { plain } from "readyroom/playback/plain.js";
import { belowSheets, partOf } from "./effects.js";
import { formation, goDown, labelChanges, picture, rollsPanel, scattered, showAndCount } from "./strategic.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Box} Box
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 * @typedef {import("readyroom/playback/stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 * @typedef {import("./effects.js").Battle} Battle
 * @typedef {import("./strategic.js").Row} Row
 */

const APPROACH = 850; // milliseconds in which both sides come
const CAUSE = 350; // milliseconds from shots and bombs to what they do
const STEP = 1000; // milliseconds after each roll of a raid
const STEPS = 3600; // milliseconds after all rolls of raids that are shown together
const NARROW = 600; // the width of a chart that is a narrow one, in its lengths

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
 * Raids over their targets, roll by roll in one panel: interceptors climb, escorts fire, bombs fall and flak bursts.
 * @type {Effect}
 */
export async function raid(event, stage) {
  const targets = [...new Set(event.lines.map(({ target }) => target))];
  const battles = targets.map((target) => ({
    target,
    title: nameOf(stage, target),
    lines: event.lines.flatMap((line, at) => (line.target === target ? [{ line, at }] : [])),
  }));
  const cities = new Map(targets.map((target) => [target, cityOf(stage, target)]));
  const boxes = [...cities.values()].filter((box) => box !== null);
  const [first] = boxes;
  if (!first) return plain(event, stage);
  if (boxes.length === 1) stage.spot(first, 110);
  for (const battle of battles) comeOver(stage, battle, cities.get(battle.target) ?? null);
  const steps = battles.flatMap((battle) => stepsOf(battle, stage));
  const panel = rollsPanel(
    stage,
    steps.map(({ part }) => part),
    stage.size.width < NARROW ? belowCities(boxes) : besideMap(stage),
  );
  await stage.wait(APPROACH);
  const ms = Math.min(STEP, STEPS / steps.length);
  const acts = [];
  for (const [number, { target, line, at }] of steps.entries()) {
    await panel.roll(number);
    const city = cities.get(target);
    acts.push(city && fought(stage, line, at, city));
    await stage.wait(ms);
  }
  await Promise.all([...acts, stage.wait(500)]);
  await stage.show();
  await panel.leave();
}

/**
 * Return the rolls of a raid, each with its row of the panel; the first is below the name of the target.
 * @param {Battle} battle
 * @param {Stage} stage
 */
function stepsOf(battle, stage) {
  const { title, rows } = partOf(battle, stage);
  const rolled = battle.lines.filter(({ line }) => line.rolls.length);
  return rolled.map(({ line, at }, number) => {
    const row = /** @type {Row} */ (rows[number]);
    return { target: battle.target, line, at, part: { title: number ? "" : title, rows: [{ ...row, end: "" }] } };
  });
}

/**
 * Return the place of a panel that hides nothing on the map or below it.
 * @param {Stage} stage
 */
function besideMap(stage) {
  const { width, ...place } = belowSheets(stage);
  return { ...place, most: width / stage.unit };
}

/**
 * Return the place of a panel below some targets, on a map without sheets next to it.
 * @param {Box[]} boxes
 */
function belowCities(boxes) {
  const x = boxes.reduce((sum, box) => sum + box.x, 0) / boxes.length;
  return { near: { x, y: Math.max(...boxes.map(({ y }) => y)) + 24 }, below: true };
}

/**
 * Return the name of a target.
 * @param {Stage} stage
 * @param {string} target
 */
function nameOf(stage, target) {
  const title = stage.find(target)?.querySelector("title")?.textContent ?? "";
  return /^[^:]+/.exec(title)?.[0] ?? "";
}

/**
 * Let bombers, and those who meet them, come over a target.
 * @param {Stage} stage
 * @param {Battle} battle
 * @param {Box | null} city
 */
function comeOver(stage, { lines }, city) {
  if (!city) return;
  const keys = [...new Set(lines.flatMap(({ line }) => line.keys))];
  const bombers = keys.find((key) => key.startsWith("bombers-")) ?? "";
  const defenders = lines.some(({ line }) => line.rule === "SW.10.3")
    ? (keys.find((key) => key.startsWith("interceptors-")) ?? "")
    : "";
  const [from, base] = [stage.box(bombers), stage.box(defenders)];
  const above = { x: city.x + 4, y: city.y - 24 };
  const options = { ms: APPROACH - 250, spread: 10, vanish: false };
  const start = from ?? { x: city.x - 90, y: city.y + 20 };
  stage.sound.play("engines", 0.9);
  formation(stage, "pc-sw-bomber", stage.side(stage.find(bombers)), [start], [above], {
    ...options,
    count: 6,
    size: 0.42,
  });
  if (!base) return;
  const meeting = [{ x: above.x + 34, y: above.y - 4 }];
  formation(stage, "pc-sw-interceptor", stage.side(stage.find(defenders)), [base], meeting, {
    ...options,
    count: 4,
    size: 0.5,
  });
  const area = { ...above, w: 70, h: 34 };
  const guns = scattered({ ...area, x: area.x + 30 }, 4);
  tracers(stage, guns, scattered(area, 5), { delay: APPROACH - 250, ms: 800 });
}

/**
 * Show a roll of a raid: fighters fire, bombs explode or flak bursts; then what comes of it.
 * @param {Stage} stage
 * @param {PlayedEvent} line
 * @param {number} number of the line in its beat
 * @param {Box} city
 */
async function fought(stage, { rule, rolls, text, target, keys }, number, city) {
  const out = () => stage.find(target)?.querySelectorAll(".sw-outstep").length ?? 0;
  const before = out();
  const above = { x: city.x, y: city.y - 26, w: 80, h: 30 };
  const isAirBattle = rule === "SW.10.3";
  if (isAirBattle) stage.sound.play("guns", 4);
  const fire = isAirBattle
    ? [tracers(stage, scattered({ ...above, x: above.x + 30 }, 4), scattered(above, 5), { count: 16, ms: 500 })]
    : [];
  const names = rolls.map(({ name }) => name);
  const flak = names.some((name) => name.startsWith("flak")) ? [bursts(stage, [above], { count: 10, spread: 24 })] : [];
  if (flak.length) stage.sound.play("flak", 7);
  const damage = Number(/: (\d+) of its \d+ steps?/.exec(text)?.[1] ?? 0);
  const hits = names.some((name) => name.startsWith("bombers"))
    ? scattered({ ...city, w: 34, h: 26 }, 1 + Math.min(2, damage)).map((at, turn) => {
        stage.sound.play("boom", turn * 0.36, 0.6);
        stage.smoke(at, { count: 3, delay: 300 + turn * 220, height: 34 });
        return blast(stage, at, { delay: turn * 360, size: 0.8 });
      })
    : [];
  await stage.wait(CAUSE);
  const changes = await showAndCount(stage, keys, number);
  const steps = out() - before;
  const lost = [...changes].flatMap(([key, change]) =>
    Array.from({ length: Math.min(3, Math.max(0, -change)) }, () => key),
  );
  const spots = scattered(above, lost.length);
  const [, turned] = /turns? back (\d+) bomber/.exec(text) ?? [];
  const bombers = keys.find((key) => key.startsWith("bombers-")) ?? "";
  const home = stage.box(bombers);
  const back =
    turned && home ? turnBack(stage, Number(turned), above, home, stage.side(stage.find(bombers))) : undefined;
  const falls = lost.map((key, turn) => {
    const name = key.startsWith("bombers-") ? "pc-sw-bomber" : "pc-sw-interceptor";
    const plane = picture(stage, name, stage.side(stage.find(key)), { size: 0.5, turn: 120 });
    const at = spots[turn] ?? city;
    stage.smoke(at, { count: 4, delay: turn * 140, height: 14 });
    return goDown(stage, plane, at, { delay: turn * 140, drop: 30 });
  });
  if (falls.length) stage.sound.play("thud", 0.5);
  const words = steps ? [stage.label({ x: city.x, y: city.y - 16 }, `−${steps} ${steps > 1 ? "steps" : "step"}`)] : [];
  if (steps) words.push(stage.ring(stage.box(target)));
  await Promise.all([...fire, ...flak, ...hits, ...falls, ...words, back, labelChanges(stage, changes)]);
}

/**
 * Let bombers that were turned back fly home.
 * @param {Stage} stage
 * @param {number} factors
 * @param {Point} from
 * @param {Point} home
 * @param {string} side
 */
function turnBack(stage, factors, from, home, side) {
  const count = Math.min(3, factors);
  const flight = formation(stage, "pc-sw-bomber", side, [from], [home], { count, ms: 1200, size: 0.42 });
  return Promise.all([flight, stage.label({ x: from.x + 10, y: from.y - 26 }, `${factors} turn back`)]);
}
