/** Effects of Strategic War: tracks and the table. Battles, moves and cards load when played. */

import { LABEL, labelChanges, rollOnTable, rollsPanel, showAndCount } from "./strategic.js";

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

export const NOTED = 900; // milliseconds in which what dice need can be read
/** What is kept of the name of a modifier. */
const ADDED =
  /anti-sub|torpedo|air range|air defense|radar|carriers|Brest|La Coruna|Gibraltar|at war|first turns|Ireland|codebreaking|Colombo|Townsville|Manila|nationality|bomber|range/;
const CAPTION = 110; // letters that a caption holds
export const NARROW = 600; // the width of a chart that is a narrow one, in its lengths

// -- words --

/**
 * Return a line of the log as a few words for a panel: without its place, its result in the table and "factors".
 * @param {string} text
 */
export function shorten(text) {
  return text
    .replace(/^[\w\s',]+: (?=\d+ (submarine|escort)|no )/, "")
    .replace(/ \(result [^)]*\)/, "")
    .replace(/ back to port for a turn/g, " to port")
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

// -- battles --

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
      note: noteOf(line),
      text: sumOf(line) + resultOf(line.text),
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
 * Return what the dice of a line need, as far as a table or the log says so; for a table in two lines, the second with what is
 * added to the dice.
 * @param {PlayedEvent} line
 */
export function noteOf({ text, rolls: [roll] }) {
  const [dice = "", scale] = (roll?.need ?? "").split(": ");
  if (!scale?.startsWith("a sum")) return [shorten(scale ? `${scale}; ${dice}` : dice)];
  const who = /^(\d+ \w+|The raid|Flak)/.exec(shorten(text))?.[0].replace(/escorts?$/, "$& at once");
  const goal = / sink/.test(scale) ? "sinks" : / down/.test(scale) ? "shoots down" : "does";
  const added = Array.from(
    dice.matchAll(/([+−]) (\d+) ([^+−]+)/g),
    ([, sign, value, name = ""]) => `${sign}${value} ${(ADDED.exec(name)?.[0] ?? name).trim()}`,
  );
  return [`${who ? `${who}: ` : ""}a higher sum ${goal} more`, added.join(" ") || "nothing is added to the dice"];
}

/** What begins the result of a line on a table: "4+3 + 1 = 8 in row 11: ". @param {PlayedEvent} line */
export function sumOf({ rolls: [roll] }) {
  const [, total, row] = / = (−?-?\d+), (?:no )?row( \d+)?/.exec(roll?.result ?? "") ?? [];
  if (!roll || !total) return "";
  const faces = roll.rounds.flat().map(({ face }) => face);
  const added = faces.reduce((rest, face) => rest - face, Number(total.replace("−", "-")));
  const sum = `${faces.join("+")}${added ? ` ${added > 0 ? "+" : "−"} ${Math.abs(added)}` : ""} = ${total}`;
  return `${sum}${row ? ` in row${row}` : ""}: `;
}

/**
 * Return what a line of a round says that is sunk: "8 merchant ships and 3 escorts sunk", or that of a raid is shot down or
 * knocked out; of others, the line in few words.
 * @param {string} text
 */
export function resultOf(text) {
  const said = shorten(text);
  const [, bombed] = /^\d+ bombers? bombs? [^:]*: ([^(]*[^( ])/.exec(said) ?? [];
  const [, done] = /^(?:\d+ (?:submarine|escort|interceptor)s?|The raid) (?:\([^)]*\) )?(.*)/.exec(said) ?? [];
  if (!done) return bombed ?? said;
  const parts = done.split(/ and (?=costs?|sends?|turns?)/).map((part) =>
    part
      .replace(/^shoots? down (.*)/, "$1 shot down")
      .replace(/^turns? back (.*)/, "$1 turned back")
      .replace(/^sinks? (.*)/, "$1 sunk")
      .replace(/^sends? (.*) to port/, "$1 back to port")
      .replace(/^costs? (.*)/, "$1 lost")
      .replace(/^ha(s|ve) /, ""),
  );
  return parts.join(", ").replace(" ship", " merchant ship");
}

/** The points of both sides, as the board says them. @param {Stage} stage */
export const scoresOf = (stage) =>
  ["axis", "allies"].map((side) => parseInt(stage.find(`score-${side}`)?.textContent ?? "0", 10));

/**
 * Say at the points below the title whose have grown, and why, in the colour of the side.
 * @param {Stage} stage
 * @param {number[]} before the points of both sides
 * @param {string} text the line of the log that led to them
 */
export function labelScores(stage, before, text) {
  const points = (stage.chart.getAttribute("data-points") ?? "").split(" ").map(Number);
  const each = ["merchant", "escort", "submarine"].flatMap((kind, at) => {
    const count = / sinks? /.test(text) && new RegExp(`(?:sinks?|and) (\\d+) ${kind}`).exec(text)?.[1];
    return count && points[at] ? `${nameFactors([count, kind])} sunk, ${points[at]} each` : [];
  });
  const why = / bomb/.test(text) ? "bombs" : each.join("; ") || "ships sunk";
  const box = stage.box(stage.chart.querySelector(".sw-under"));
  const gains = scoresOf(stage).map((points, number) => points - (before[number] ?? 0));
  return Promise.all(
    gains.map((more, number) => {
      if (!box || more <= 0) return undefined;
      const [name, y] = [number ? "Allies" : "Axis", box.y + (number && gains[0] ? LABEL * stage.unit : 0)];
      const text = `${name} +${more} ${more > 1 ? "points" : "point"}: ${why}`;
      return stage.label({ ...box, y }, text, { side: stage.side(name.toLowerCase()) });
    }),
  );
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
 * Return the place of a panel that hides nothing of the battle, of the cards and of research: where the chart has maps of the
 * seas and of the air war, on those of the other; else at its lower end; on a map without sheets next to it, another.
 * @param {Stage} stage
 * @param {{near: Point, below: boolean}} otherwise
 * @param {boolean} [isInAir] whether the battle is
 */
export function besideMap(stage, otherwise, isInAir = false) {
  if (stage.size.width < NARROW) return otherwise;
  const [sea, ...lands] = [...stage.chart.querySelectorAll("[data-scene]")].flatMap((map) => stage.box(map) ?? []);
  const [first, last] = isInAir ? [sea, sea] : [lands[0], lands.at(-1)];
  if (sea && first && last && stage.chart.querySelector(".sw-lane") && stage.chart.querySelector(".sw-city")) {
    const [left, right, top] = [first.x - first.w / 2, last.x + last.w / 2, first.y - first.h / 2];
    const within = { left, right, top, bottom: isInAir ? sea.y + sea.h / 2 : stage.size.height };
    return { near: { x: (left + right) / 2, y: top }, below: true, most: (right - left) / stage.unit - 8, within };
  }
  const { near, width } = belowSheets(stage);
  return {
    near: { x: near.x, y: stage.size.height - 4 },
    below: false,
    most: width / stage.unit,
  };
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
 * Return whether a caption can hold a line of a ledger with those before it. Research is rolled together, without the rest.
 * @param {PlayedEvent[]} lines
 * @param {PlayedEvent} line
 */
export function isShort(lines, line) {
  const all = [...lines, line];
  if (all.some(({ rolls }) => rolls.length)) return all.every(({ rolls }) => rolls.length);
  return all.reduce((sum, { text }) => sum + text.length + 1, 0) <= CAPTION;
}

/**
 * What is built or received, and research: counters and points grow, dice are rolled for new levels.
 * @type {Effect}
 */
async function ledger(event, stage) {
  const rows = event.lines
    .filter(({ rolls }) => rolls.length)
    .map((line) => {
      const side = stage.side(stage.find(line.target));
      return { rolls: line.rolls, note: noteOf(line), text: shorten(line.text).replace(/; its.*/, ""), side };
    });
  const panel = rows.length
    ? rollsPanel(stage, [{ title: "Research", rows }], besideMap(stage, belowSheets(stage)))
    : null;
  if (panel) {
    await stage.wait(NOTED);
    await panel.roll(0);
  }
  const keys = [...new Set(event.lines.flatMap(({ keys: own }) => own))];
  const changes = await showAndCount(stage, keys);
  stage.sound.play("thud", 0.2);
  const grown = keys.map((key, at) => grow(stage, key, at * 90));
  const targets = [...new Set(event.lines.map(({ target }) => target))].filter((target) => !keys.includes(target));
  const income = event.lines.map(({ target, text }) => {
    const [box, points] = [stage.box(target), /receives? (\d+) resource/.exec(text)?.[1]];
    return box && points
      ? stage.label({ x: box.x, y: box.y + 40 * stage.unit }, `+${points} resources`, {
          side: stage.side(stage.find(target)),
        })
      : undefined;
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

// -- battles, moves and cards, which few events show --

const submarines = () => import("./submarines.js");
/** @type {Effect} */
const rounds = async (event, stage) => (await submarines()).rounds(event, stage);
const bombing = () => import("./bombing.js");
/** @type {Effect} */
const stream = async (event, stage) => (await bombing()).stream(event, stage);
/** @type {Effect} */
const raid = async (event, stage) => (await bombing()).raid(event, stage);

const rare = () => import("./rare.js");

/** @type {Effect} */
const convoy = async (event, stage) => (await rare()).convoy(event, stage);
/** A quarter begins, and cards are dealt. @type {Effect} */
const deal = async (event, stage) => (await rare()).deal(event, stage, besideMap(stage, belowSheets(stage)));

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
