/** Effects of Strategic War: convoys and submarines on the map, tracks and the table. Bombing, moves and cards load when played. */

import { plain } from "readyroom/playback/plain.js";
import { blast, splash } from "readyroom/playback/effects.js";
import { curve, goDown, labelChanges, picture, rollOnTable, rollsPanel, showAndCount, travel } from "./strategic.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Beat} Beat
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 * @typedef {import("readyroom/playback/stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 * @typedef {import("./strategic.js").Part} Part
 * @typedef {import("./strategic.js").Row} Row
 *
 * A round of submarines or a raid: its lines with their numbers in the beat, where it is, and its name.
 * @typedef {{target: string, title: string, lines: {line: PlayedEvent, at: number}[]}} Battle
 */

const CONVOY = 6; // ships that are drawn
const BOATS = 3;
const HUNTERS = 2;
const APPROACH = 850; // milliseconds in which both sides come
const CAPTION = 110; // letters that a caption holds
const NARROW = 600; // the width of a chart that is a narrow one, in its lengths
const CAUSE = 350; // milliseconds from shots and bombs to what they do
const RUN = 450; // milliseconds until torpedoes hit
const COUNTER = 50; // the width of a counter for which the pictures below have their sizes

// -- words --

/**
 * Return a line of the log as a few words for a panel: without its place, its result in the table and "factors".
 * @param {string} text
 */
export function shorten(text) {
  return text
    .replace(/^[\w\s',]+: (?=\d+ (submarine|escort)|no )/, "")
    .replace(/ \(result [^)]*\)/, "")
    .replace(/ back to port for a turn/, " to port")
    .replace(/(\d+) (\w+)((?: and \d+ \w+)?) factors?\b/g, (_, count, kind, more) => {
      const second = /(\d+) (\w+)/.exec(more);
      return [[count, kind], ...(second ? [[second[1], second[2]]] : [])].map(nameFactors).join(" and ");
    })
    .replace(/\.$/, "");
}

/** @param {string[]} factors */
function nameFactors([count, kind]) {
  return `${count} ${kind === "merchant" ? "ship" : kind}${count === "1" ? "" : "s"}`;
}

/**
 * Return what a counter says of its losses by a line of the log: "6 sunk, 5 back to port", "1 lost, 2 damaged".
 * @param {string} text
 * @returns {(change: number) => string}
 */
export function lossWords(text) {
  const [, back = 0] = / sends? (\d+) /.exec(text) ?? [];
  const [, damaged = 0] = / damages (\d+)/.exec(text) ?? [];
  return (change) => {
    const gone = -change - Number(back) - Number(damaged);
    const parts = [
      gone && `${gone} ${/ sinks? /.test(text) ? "sunk" : "lost"}`,
      back && `${back} back to port`,
      damaged && `${damaged} damaged`,
    ];
    return parts.filter(Boolean).join(", ");
  };
}

/**
 * Return what a log line reports before its colon, such as the sea of a round.
 * @param {string} text
 */
const placeNamed = (text) => /^([^:]+):/.exec(text)?.[1] ?? "";

// -- the war at sea --

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
  return { at, scale, middle: at(0.5), zone: stage.box(sea) ?? { ...at(0.5), w: 0, h: 0 } };
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
 * Return the part of a panel with the rolls of a battle.
 * @param {Battle} battle
 * @param {Stage} stage
 * @returns {Part}
 */
export function partOf({ title, lines }, stage) {
  const cards = lines
    .filter(({ line }) => !line.rolls.length)
    .map(({ line }) => (/Axis/.test(line.text) ? "the Axis plays a card" : "the Allies play a card"));
  const rows = lines
    .filter(({ line }) => line.rolls.length)
    .map(({ line }) => ({
      rolls: line.rolls,
      text: shorten(line.text),
      side: stage.side(stage.find((/^Flak /.test(line.text) ? line.target : line.keys[0]) ?? "")),
    }));
  const who = cards.length > 1 ? "both sides play a card" : cards[0];
  const value = lines
    .flatMap(({ line }) => line.rolls)
    .map(({ name, result }) => [name, /([+−]) (\d+) advantage in codebreaking/.exec(result)])
    .map(([name, found]) => (found ? `${found[1]}${found[2]} for ${/^\w+/.exec(String(name))?.[0].toLowerCase()}` : ""))
    .find((text) => text);
  const played = who && value ? `${who}: ${value}` : who;
  return { title: played ? `${title} · ${played}` : title, rows };
}

/**
 * Return the rolls of a battle, each with its row of a panel; the first is below the name of the battle.
 * @param {Battle} battle
 * @param {Stage} stage
 */
export function stepsOf(battle, stage) {
  const { title, rows } = partOf(battle, stage);
  const rolled = battle.lines.filter(({ line }) => line.rolls.length);
  return rolled.map((one, number) => ({
    ...one,
    part: { title: number ? "" : title, rows: [{ .../** @type {Row} */ (rows[number]), end: "" }] },
  }));
}

/**
 * Return the place of a panel that hides nothing on the map or of the sheets, at the lower end of the chart; on a map
 * without sheets next to it, another.
 * @param {Stage} stage
 * @param {{near: Point, below: boolean}} otherwise
 */
export function besideMap(stage, otherwise) {
  if (stage.size.width < NARROW) return otherwise;
  const { near, width } = belowSheets(stage);
  return { near: { x: near.x, y: stage.size.height - 4 }, below: false, most: width / stage.unit };
}

/**
 * Return whether a line belongs to the same ocean as those before it: oceans are shown one after another. The cards of a
 * round are before its rolls.
 * @param {PlayedEvent[]} lines
 * @param {PlayedEvent} line
 */
export function isSameSea(lines, line) {
  const sea = lines.find(({ rolls }) => rolls.length)?.target;
  return !sea || line.target === sea;
}

/**
 * Return whether a caption can hold a line of a ledger with those before it. Research is rolled together.
 * @param {PlayedEvent[]} lines
 * @param {PlayedEvent} line
 */
export function isShort(lines, line) {
  const all = [...lines, line];
  return all.some(({ rolls }) => rolls.length) || all.reduce((sum, { text }) => sum + text.length + 1, 0) <= CAPTION;
}

/**
 * Rounds of submarines in an ocean: convoys sail on its route, boats and escorts close in, all dice are in one panel, and
 * roll by roll ships and boats are lost.
 * @type {Effect}
 */
async function rounds(event, stage) {
  const battles = battlesIn(event.lines);
  const cards = event.lines.filter(({ rolls }) => !rolls.length);
  if (cards.length === event.lines.length) return (await rare()).play(cards, stage);
  const [first] = battles;
  const map = first && seaOf(stage, first.target);
  if (!map) return plain(event, stage);
  const sea = approach(stage, map, first.target, first.lines);
  stage.spot(sea.middle, 130 * sea.scale);
  const opened = cards.length ? rare().then(({ play }) => play(cards, stage)) : undefined;
  const steps = battles.flatMap((battle) => stepsOf(battle, stage));
  const panel = rollsPanel(
    stage,
    steps.map(({ part }) => part),
    besideMap(stage, { near: { x: sea.zone.x, y: sea.zone.y + sea.zone.h / 2 + 30 }, below: true }),
  );
  await Promise.all([stage.wait(APPROACH), opened]);
  for (const [number, { line, at }] of steps.entries()) {
    await panel.roll(number);
    await fight(stage, line, at, sea);
  }
  await Promise.all([stage.show(), stage.wait(300)]);
  await panel.leave();
}

/**
 * Let a convoy sail on its route, and boats and escorts come to it.
 * @param {Stage} stage
 * @param {NonNullable<ReturnType<typeof seaOf>>} sea
 * @param {string} target
 * @param {Battle["lines"]} lines
 */
function approach(stage, sea, target, lines) {
  const { at, scale, middle } = sea;
  const [attack] = lines.filter(({ line }) => line.rolls.length && !line.keys[0]?.startsWith("escorts-"));
  const fleet = attack?.line.keys[0] ?? lines.at(-1)?.line.keys[1] ?? "";
  const [merchants, escorts] = [`merchants-${target}`, `escorts-${target}`];
  const ships = Array.from({ length: CONVOY }, (_, number) => {
    const ship = picture(stage, "pc-sw-merchant", stage.side(stage.find(merchants)), { size: 0.5 * scale });
    const offset = (number % 3) * 0.07 - 0.07;
    const dy = (number < 3 ? -7 : 7) * scale;
    const way = Array.from({ length: 9 }, (_, step) => {
      const { x, y } = at(0.16 + (step / 8) * 0.34 + offset);
      return { x, y: y + dy };
    });
    travel(stage, ship, way, APPROACH, { easing: "linear" });
    return { ship, end: /** @type {Point} */ (way.at(-1)) };
  });
  const [home, guard] = [stage.box(fleet), stage.box(escorts)];
  const boats = Array.from({ length: BOATS }, (_, number) => {
    const boat = picture(stage, "pc-sw-submarine", stage.side(stage.find(fleet)), { size: 0.52 * scale });
    const end = { x: middle.x + (number - 1) * 30 * scale, y: middle.y + (26 + (number % 2) * 8) * scale };
    travel(stage, boat, curve(home ?? end, end, 0.1), APPROACH - 200, { delay: number * 80 });
    return { boat, end };
  });
  const hasEscorts = Number(stage.find(escorts)?.querySelector(".sw-count")?.textContent ?? 0) > 0;
  const hunters = Array.from({ length: hasEscorts ? HUNTERS : 0 }, (_, number) => {
    const ship = picture(stage, "pc-sw-escort", stage.side(stage.find(escorts)), { size: 0.52 * scale });
    const end = { x: middle.x + (number ? 56 : -56) * scale, y: middle.y + 6 * scale };
    travel(stage, ship, curve(guard ?? end, end, 0.12), APPROACH - 200, { delay: number * 80 });
    return { ship, end };
  });
  return { ...sea, home, merchants, escorts, ships, boats, hunters };
}

/**
 * Show what comes of a roll of a round: torpedoes run and ships sink, or depth charges burst and boats sink or go home.
 * @param {Stage} stage
 * @param {PlayedEvent} line
 * @param {number} number of the line in its beat
 * @param {ReturnType<typeof approach>} sea
 */
async function fight(stage, { keys, text }, number, sea) {
  const { merchants, escorts, ships, boats, hunters, scale, middle, home } = sea;
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
  if (charges.length) stage.sound.play("salvo", 4, 0.3);
  await stage.wait(RUN);
  const hit = [
    ...ships.splice(0, Math.min(3, Math.ceil(lost.merchants / 3))),
    ...hunters.splice(0, Math.min(hunters.length, Math.ceil(lost.escorts / 3))),
  ];
  const dead = boats.splice(0, Math.min(boats.length - 1, Math.ceil(lost.submarines / 2)));
  const losses = hit.map(({ ship, end }, at) => {
    const delay = at * 350;
    stage.sound.play("boom", delay / 1000, 0.5);
    const blown = blast(stage, end, { delay, size: 0.75 * scale });
    return Promise.all([blown, goDown(stage, ship, end, { delay: delay + 120 })]);
  });
  const down = dead.map(({ boat, end }, at) => goDown(stage, boat, end, { delay: 200 + at * 150, drop: 22 }));
  const back = boats.splice(0, / sends? \d/.test(text) ? boats.length - 1 : 0);
  const away = back.map(({ boat, end }) => travel(stage, boat, curve(end, home ?? end, -0.1), 1200, { vanish: true }));
  await stage.wait(CAUSE);
  const changes = showAndCount(stage, [...new Set([merchants, escorts, ...keys])], number);
  const words = changes.then((some) => labelChanges(stage, some, lossWords(text)));
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

/**
 * What is built or received, and research: counters and points grow, dice are rolled for new levels.
 * @type {Effect}
 */
async function ledger(event, stage) {
  const rows = event.lines
    .filter(({ rolls }) => rolls.length)
    .map((line) => ({ rolls: line.rolls, text: shorten(line.text), side: stage.side(stage.find(line.target)) }));
  const panel = rows.length ? rollsPanel(stage, [{ title: "Research", rows }], belowSheets(stage)) : null;
  if (panel) {
    await stage.wait(350);
    await panel.roll(0);
  }
  const keys = [...new Set(event.lines.flatMap(({ keys: own }) => own))];
  const changes = await showAndCount(stage, keys);
  stage.sound.play("thud", 0.2);
  const grown = keys.map((key, at) => grow(stage, key, at * 90));
  const targets = [...new Set(event.lines.map(({ target }) => target))].filter((target) => !keys.includes(target));
  const income = event.lines.map(({ target, text }) => {
    const [box, points] = [stage.box(target), /receives? (\d+) resource/.exec(text)?.[1]];
    return box && points ? stage.label({ x: box.x, y: box.y }, `+${points} points`) : undefined;
  });
  const rings = targets.map((target) => stage.ring(stage.box(target)));
  await Promise.all([...grown, ...income, ...rings, labelChanges(stage, changes), stage.wait(panel ? 1000 : 500)]);
  await panel?.leave();
}

/**
 * Let a counter grow for a moment.
 * @param {Stage} stage
 * @param {string} key
 * @param {number} delay
 */
function grow(stage, key, delay) {
  const [piece, box] = [stage.find(key), stage.box(key)];
  if (!piece || !box) return undefined;
  const pose = stage.poser(piece);
  const frames = [{ transform: pose() }, { transform: pose({ scale: 1.14 }), offset: 0.4 }, { transform: pose() }];
  return stage.move(piece, frames, 420, { delay });
}

/**
 * Return the place of a panel below the sheets of both sides.
 * @param {Stage} stage
 */
export function belowSheets(stage) {
  const sheets = ["sheet-axis", "sheet-allies"].map((key) => stage.box(key)).filter((box) => box !== null);
  const x = sheets.reduce((sum, box) => sum + box.x, 0) / sheets.length;
  const width = 2 * Math.max(...sheets.map((box) => Math.abs(box.x - x) + box.w / 2));
  return { near: { x, y: Math.max(...sheets.map(({ y, h }) => y + h / 2)) + 8 }, below: true, width };
}

// -- bombing, moves and cards, which few events show --

const bombing = () => import("./bombing.js");
/** @type {Effect} */
const stream = async (event, stage) => (await bombing()).stream(event, stage);
/** @type {Effect} */
const raid = async (event, stage) => (await bombing()).raid(event, stage);

const rare = () => import("./rare.js");

/** @type {Effect} */
const convoy = async (event, stage) => (await rare()).convoy(event, stage);
/** A quarter begins, and cards are dealt. @type {Effect} */
const deal = async (event, stage) => (await rare()).deal(event, stage, belowSheets(stage));

/**
 * A roll on a table, by the calculator.
 * @type {Effect}
 */
async function chart(event, stage) {
  await rollOnTable(event, stage, "strategic");
  await stage.show();
}

/** The effects that show several events at once, with all their dice, and how many or which. */
export const together = new Map(
  /** @type {[string, number | typeof isSameSea][]} */ ([
    ["rounds", isSameSea],
    ["ledger", isShort],
    ["raid", isSameSea],
    ["deal", 16],
  ]),
);

/** @type {Record<string, Effect>} */
export const effects = {
  rounds,
  convoy,
  ledger,
  stream,
  raid,
  deal,
  chart,
};
