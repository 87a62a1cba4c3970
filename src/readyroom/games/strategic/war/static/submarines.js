/** Effects of Strategic War's rounds of submarines: convoys sail, boats and escorts close in and fight. */

import { blast, splash } from "readyroom/playback/effects.js";
import { plain } from "readyroom/playback/plain.js";
import { NARROW, NOTED, besideMap, labelScores, lossWords, scoresOf, stepsOf } from "./effects.js";
import { curve, goDown, labelChanges, picture, rollsPanel, showAndCount, travel } from "./strategic.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 * @typedef {import("readyroom/playback/stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 * @typedef {import("./effects.js").Battle} Battle
 */

const EACH = 4; // factors of which a picture is drawn
const APPROACH = 850; // milliseconds in which both sides come
const CAUSE = 350; // milliseconds from shots and bombs to what they do
const RUN = 450; // milliseconds until torpedoes hit
const COUNTER = 50; // the width of a counter for which the pictures below have their sizes

const rare = () => import("./rare.js");

/**
 * Return what a log line reports before its colon, such as the sea of a round.
 * @param {string} text
 */
const placeNamed = (text) => /^([^:]+):/.exec(text)?.[1] ?? "";

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
  /** Where a picture is in a row of them, along the route. @type {(number: number, count: number, down: number) => Point} */
  const spot = (number, count, down) => {
    const { x, y } = at(0.5 + ((number - (count - 1) / 2) * 28 * scale) / length);
    return { x, y: y + down * scale };
  };
  return { at, spot, scale, middle: at(0.5), zone: stage.box(sea) ?? { ...at(0.5), w: 0, h: 0 } };
}

/**
 * Group the lines of a beat by battle. A card is played before the rolls of its round.
 * @param {PlayedEvent[]} lines
 * @returns {Battle[]}
 */
export function battlesIn(lines) {
  /** @type {Battle[]} */
  const battles = [];
  for (const [at, line] of lines.entries()) {
    const last = battles.at(-1);
    const rolls = last?.lines.filter((one) => one.line.rolls.length) ?? [];
    const isAnswer = line.rolls.length > 0 && last?.target === line.target && rolls.length === 1;
    const isFirst = line.rolls.length > 0 && rolls.length === 0;
    if (last && (isAnswer || isFirst || (!line.rolls.length && !rolls.length))) {
      last.lines.push({ line, at });
      if (isFirst) [last.target, last.title] = [line.target, placeNamed(line.text)];
    } else battles.push({ target: line.target, title: placeNamed(line.text), lines: [{ line, at }] });
  }
  return battles;
}

/**
 * Rounds of submarines in an ocean: convoys sail on its route, boats and escorts close in, all dice are in one panel, and
 * roll by roll ships and boats are lost.
 * @type {Effect}
 */
export async function rounds(event, stage) {
  const battles = battlesIn(event.lines);
  const cards = event.lines.filter(({ rolls }) => !rolls.length);
  if (cards.length === event.lines.length) return (await rare()).play(cards, stage);
  const [first] = battles;
  const map = first && seaOf(stage, first.target);
  if (!map) return plain(event, stage);
  const sea = approach(stage, map, first.target, first.lines);
  stage.sound.play("ping");
  stage.spot(sea.middle, 130 * sea.scale);
  const opened = cards.length ? rare().then(({ play }) => play(cards, stage)) : undefined;
  const steps = battles.flatMap((battle) => stepsOf(battle, stage));
  await Promise.all([stage.wait(APPROACH), opened]);
  const panel = rollsPanel(
    stage,
    steps.map(({ part }) => part),
    besideMap(stage, { near: { x: sea.zone.x, y: sea.zone.y + sea.zone.h / 2 + 30 }, below: true }),
  );
  await stage.wait(NOTED);
  for (const [number, { line, at }] of steps.entries()) {
    await panel.roll(number);
    await fight(stage, line, at, sea);
  }
  await Promise.all([stage.show(), stage.wait(300)]);
  await panel.leave();
}

/** The number on a counter. @param {Stage} stage @param {string} key */
const numberOf = (stage, key) => Number(stage.find(key)?.querySelector(".sw-count")?.textContent ?? 0);

/** How many pictures some factors have. */
const pictures = (/** @type {number} */ count) => Math.ceil(count / EACH);

/**
 * Let a convoy sail on its route, and boats and escorts come to it.
 * @param {Stage} stage
 * @param {NonNullable<ReturnType<typeof seaOf>>} sea
 * @param {string} target
 * @param {Battle["lines"]} lines
 */
function approach(stage, sea, target, lines) {
  const { at, spot, scale, middle } = sea;
  const [attack] = lines.filter(({ line }) => line.rolls.length && !line.keys[0]?.startsWith("escorts-"));
  const fleet = attack?.line.keys[0] ?? lines.at(-1)?.line.keys[1] ?? "";
  const [merchants, escorts] = [`merchants-${target}`, `escorts-${target}`];
  const count = {
    ships: numberOf(stage, merchants),
    boats: numberOf(stage, fleet),
    hunters: numberOf(stage, escorts),
  };
  const columns = Math.ceil(pictures(count.ships) / 2);
  const ships = Array.from({ length: pictures(count.ships) }, (_, number) => {
    const ship = picture(stage, "pc-sw-merchant", stage.side(stage.find(merchants)), { size: 0.5 * scale });
    const end = spot(number % columns, columns, number < columns ? -7 : 7);
    const way = Array.from({ length: 9 }, (_, step) => {
      const { x, y } = at(0.16 + (step / 8) * 0.34);
      return { x: x + ((end.x - middle.x) * step) / 8, y: y + ((end.y - middle.y) * step) / 8 };
    });
    travel(stage, ship, way, APPROACH, { easing: "linear" });
    return { ship, end };
  });
  const row = (/** @type {number} */ length, /** @type {string} */ name, /** @type {string} */ key, down = 0) =>
    Array.from({ length }, (_, number) => {
      const ship = picture(stage, name, stage.side(stage.find(key)), { size: 0.52 * scale });
      const end = spot(number, length, down);
      travel(stage, ship, curve(stage.box(key) ?? end, end, 0.1), APPROACH - 200, { delay: number * 60 });
      return { ship, end };
    });
  const boats = row(pictures(count.boats), "pc-sw-submarine", fleet, 28);
  const hunters = row(pictures(count.hunters), "pc-sw-escort", escorts, -30);
  const all = { ...sea, count, home: stage.box(fleet), merchants, escorts, ships, boats, hunters };
  if (stage.size.width < NARROW) return all; // there, counters are below
  const key = stage.make("text", { class: "pb-key", x: middle.x, y: middle.y + 66 * scale });
  key.textContent = `a ship is drawn for every ${EACH}`;
  return all;
}

/**
 * Show what comes of a roll of a round: torpedoes run and ships sink, or depth charges burst and boats sink or go home.
 * @param {Stage} stage
 * @param {PlayedEvent} line
 * @param {number} number of the line in its beat
 * @param {ReturnType<typeof approach>} sea
 */
async function fight(stage, { keys, text }, number, sea) {
  const { count, merchants, escorts, ships, boats, scale, middle, home } = sea;
  const answers = keys[0]?.startsWith("escorts-");
  const attackers = keys.length && !answers ? boats : [];
  const lost = lossesIn([text]);
  const isHit = lost.merchants + lost.escorts > 0;
  if (attackers.length) stage.sound.play("torpedo");
  const runs = attackers.map(({ end }, at) => {
    const aim = ships[at % ships.length]?.end ?? middle;
    const past = { x: aim.x + 30 * scale, y: aim.y - 22 * scale };
    return torpedo(stage, end, isHit ? aim : past, at * 90);
  });
  const charges = (answers ? boats : []).flatMap(({ end }, at) =>
    [0, 1].map((turn) => {
      const near = { x: end.x + (turn ? 9 : -9) * scale, y: end.y - 3 };
      return splash(stage, near, { delay: 250 + at * 120 + turn * 200, size: 0.8 * scale });
    }),
  );
  if (charges.length) stage.sound.play("depth");
  await stage.wait(RUN);
  const take = (/** @type {"ships" | "boats" | "hunters"} */ kind, /** @type {number} */ gone) => {
    count[kind] = Math.max(0, count[kind] - gone);
    return sea[kind].splice(0, Math.max(0, sea[kind].length - pictures(count[kind])));
  };
  const hit = [...take("ships", lost.merchants), ...take("hunters", lost.escorts)];
  const sent = Number(/ sends? (\d+)/.exec(text)?.[1] ?? 0);
  const back = take("boats", lost.submarines + sent);
  const dead = back.splice(0, Math.ceil((back.length * lost.submarines) / (lost.submarines + sent)));
  if (isHit && !hit.length) blast(stage, ships[0]?.end ?? middle, { size: 0.75 * scale });
  const losses = hit.map(({ ship, end }, at) => {
    const delay = at * 350;
    stage.sound.play("boom", delay / 1000, 0.5);
    const blown = blast(stage, end, { delay, size: 0.75 * scale });
    return Promise.all([blown, goDown(stage, ship, end, { delay: delay + 120 })]);
  });
  const down = dead.map(({ ship, end }, at) => goDown(stage, ship, end, { delay: 200 + at * 150, drop: 22 }));
  const away = back.map(({ ship, end }) => travel(stage, ship, curve(end, home ?? end, -0.1), 1200, { vanish: true }));
  await stage.wait(CAUSE);
  const scores = scoresOf(stage);
  const changes = showAndCount(stage, [...new Set([merchants, escorts, ...keys])], number);
  const words = changes.then((some) =>
    Promise.all([labelChanges(stage, some, lossWords(text)), labelScores(stage, scores, text)]),
  );
  await Promise.all([...runs, ...losses, ...charges, ...down, ...away, words]);
}

/**
 * Return how many factors the lines of a round sink.
 * @param {string[]} texts
 */
export function lossesIn(texts) {
  const count = (/** @type {RegExp} */ what) => texts.reduce((sum, text) => sum + Number(what.exec(text)?.[1] ?? 0), 0);
  return {
    merchants: count(/ sinks? (\d+) merchant/),
    escorts: count(/ sinks? (?:\d+ merchant and )?(\d+) escort/),
    submarines: count(/ sinks? (\d+) submarine/),
  };
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
  return stage.flash(wake, frames, 620, { delay });
}
