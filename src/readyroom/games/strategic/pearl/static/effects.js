/** The effects of Air Raid Pearl Harbor: the strike flies to the harbor, guns fire, ships are hit, carriers search. */

import { plain } from "readyroom/playback/plain.js";
import { blast, bursts, splash, tracers } from "readyroom/playback/effects.js";
import {
  curve,
  formation,
  goDown,
  labelChanges,
  picture,
  rollOnTable,
  rollsPanel,
  scattered,
  showAndCount,
  travel,
} from "./strategic.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Beat} Beat
 * @typedef {import("readyroom/playback/stage.js").Box} Box
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 * @typedef {import("readyroom/playback/stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 */

const APART = 700; // milliseconds between attacks
const BLAST = 420; // milliseconds from the first explosion to what it has done
const PLANE = 1.1; // the size of a plane, of the board's picture of one
const FIGHTER = "pc-F";
const BOMBER = "pc-DB";

/**
 * Return the middles of the ships in a place of the board.
 * @param {Stage} stage
 * @param {Box | null} place
 * @returns {Box[]}
 */
function shipsIn(stage, place) {
  if (!place) return [];
  const ships = [...stage.chart.querySelectorAll(".bd-vessel[data-key]")].map((ship) => stage.box(ship));
  const isInside = (/** @type {Box} */ { x, y }) =>
    Math.abs(x - place.x) < place.w / 2 && Math.abs(y - place.y) < place.h / 2;
  return ships.filter((box) => box !== null).filter(isInside);
}

/**
 * The strike takes off from its carriers, flies over the sea to Oahu and comes in over the harbor.
 * @type {Effect}
 */
async function wave(event, stage) {
  const [fleet, oahu, sky] = [stage.box("fleet"), stage.box("oahu"), stage.box(event.target)];
  const carriers = shipsIn(stage, fleet);
  if (!fleet || !oahu || !sky || !event.keys.length) return plain(event, stage);
  const side = stage.side(stage.find("fleet")?.nextElementSibling ?? null) || stage.side("japan");
  stage.sound.play("engines", 2);
  await formation(stage, BOMBER, side, carriers, [oahu], {
    count: 12,
    ms: 900,
    size: PLANE * 0.6,
    bend: 0.08,
    spread: 8,
  });
  const edge = { x: sky.x - sky.w / 2, y: sky.y + sky.h };
  const over = { x: sky.x + sky.w / 4, y: sky.y + sky.h / 2 };
  await Promise.all([
    formation(stage, BOMBER, side, [edge], [over], { count: 9, ms: 800, size: PLANE * 0.8, bend: 0.1, spread: 16 }),
    stage.wait(500).then(() => stage.show({ enter: () => edge })),
  ]);
}

/**
 * Fighters against the strike or a patrol against raiders: tracers, the roll, and what falls.
 * @type {Effect}
 */
async function dogfight(event, stage) {
  const place = stage.box(event.target);
  const counters = event.keys.map((key) => stage.box(key)).filter((box) => box !== null);
  if (!place || !counters.length) return plain(event, stage);
  const middle = {
    x: counters.reduce((sum, { x }) => sum + x, 0) / counters.length,
    y: place.y,
    w: place.w / 2,
    h: place.h,
  };
  const { width } = stage.size;
  const others = scattered(middle, 5, 0.45).map(({ x, y }) => ({ x: Math.max(20, Math.min(width - 20, x)), y }));
  stage.sound.play("guns", 5);
  const shots = tracers(stage, counters, others, { count: 36, ms: 1100, spread: 14 });
  await rollOnTable(event, stage, "air", shots, placeBeside(stage, [place]));
  const changes = await showAndCount(stage, event.keys);
  await fallen(stage, changes);
}

/**
 * Let a few planes of each counter that has fewer than before fall, and say how many there are fewer.
 * @param {Stage} stage
 * @param {Map<string, number>} changes
 */
async function fallen(stage, changes) {
  const falls = [...changes].flatMap(([key, change]) => {
    const box = stage.box(key);
    if (!box || change >= 0) return [];
    return scattered(box, Math.min(3, -change), 0.5).map((at, number) => {
      const name = /up|escorts|patrol/.test(key) ? FIGHTER : BOMBER;
      stage.smoke(at, { count: 4, delay: number * 180, height: 16 });
      return goDown(stage, picture(stage, name, stage.side(stage.find(key)), { size: PLANE, turn: 130 }), at, {
        delay: number * 180,
        drop: 40,
      });
    });
  });
  if (falls.length) stage.sound.play("thud", 0.5);
  await Promise.all([...falls, labelChanges(stage, changes), stage.wait(350)]);
}

/**
 * The guns fire at the attackers, or are silent.
 * @type {Effect}
 */
async function flak(event, stage) {
  if (!event.rolls.length) return plain(event, stage);
  const attackers = stage.box(event.keys[0] ?? "");
  const [sky, harbor] = [stage.box(event.target), stage.box("harbor")];
  const over = attackers ?? sky;
  if (!over) return plain(event, stage);
  stage.sound.play("flak", 12);
  const smoke = bursts(stage, [over, ...(harbor ? scattered({ ...harbor, h: harbor.h / 3 }, 3) : [])], {
    count: 20,
    spread: 38,
  });
  await rollOnTable(event, stage, "strategic", smoke, { ...placeBeside(stage, [over]), side: stage.side("usa") });
  await fallen(stage, await showAndCount(stage, event.keys));
}

/**
 * Attacks on ships, light ships and parked aircraft: planes come in, torpedoes run or bombs fall, all dice are in one
 * panel, and attack by attack what comes of them is shown; a critical hit is rolled with its attack.
 * @type {Effect}
 */
async function strike(event, stage) {
  const targets = [...new Set(event.lines.map(({ target }) => target))].filter((target) => stage.box(target));
  if (!targets.length || !event.rolls.length) return plain(event, stage);
  const attacks = targets.map((target) => ({
    target,
    lines: event.lines.flatMap((line, at) => (line.target === target ? [{ line, at }] : [])),
    box: /** @type {Box} */ (stage.box(target)),
  }));
  const [{ box: first } = { box: null }] = attacks;
  if (attacks.length === 1 && first) stage.spot(first, 130);
  stage.sound.play("engines", 1);
  const parts = attacks.map(({ lines }, number) => ({
    title: number ? "" : "Attacks",
    rows: lines.map(({ line }) => ({
      rolls: line.rolls,
      text: line.text.replace(/ squadrons? attacks? (the )?/, " on ").replace(/\.$/, ""),
      side: attackerOf(stage, line),
      end: "",
    })),
  }));
  const boxes = attacks.map(({ box }) => box);
  const panel = rollsPanel(stage, parts, placeBeside(stage, boxes));
  const over = attacks.map(async (attack, number) => {
    await stage.wait(number * APART);
    await comeIn(stage, attack);
    await panel.roll(number);
    await struck(stage, attack);
  });
  await Promise.all(over);
  await Promise.all([stage.show(), stage.wait(300)]);
  await panel.leave();
}

/**
 * Return the class of the side that attacks: that of the squadrons which the line names, or the enemy of what it hits.
 * @param {Stage} stage
 * @param {PlayedEvent} [line]
 */
function attackerOf(stage, { keys: [by = ""], target } = /** @type {PlayedEvent} */ ({ keys: [""], target: "" })) {
  const named = by === target ? "" : stage.side(stage.find(by));
  return named || stage.side(stage.side(stage.find(target)) === stage.side("japan") ? "usa" : "japan");
}

/**
 * Return the place of a panel above or below the targets.
 * @param {Stage} stage
 * @param {Box[]} boxes
 */
function placeBeside(stage, boxes) {
  const x = boxes.reduce((sum, box) => sum + box.x, 0) / boxes.length;
  const top = Math.min(...boxes.map(({ y, h }) => y - h / 2));
  const bottom = Math.max(...boxes.map(({ y, h }) => y + h / 2));
  const below = stage.size.height - bottom > top;
  return { near: { x, y: below ? bottom + 10 : top - 10 }, below };
}

/**
 * Let planes come in on a target: low over the water with torpedoes on a ship, in a dive on others.
 * @param {Stage} stage
 * @param {{target: string, lines: {line: PlayedEvent}[], box: Box}} attack
 */
async function comeIn(stage, { target, lines, box }) {
  if (lines.every(({ line }) => line.rule === "PH.9")) return;
  const from = stage.box(lines[0]?.line.keys[0] ?? "");
  const isShip = stage.find(target)?.matches(".bd-vessel") && target !== "light";
  const side = attackerOf(stage, lines[0]?.line);
  if (!isShip) {
    stage.sound.play("dive");
    const start = from ?? { x: box.x, y: box.y - 160 };
    await formation(stage, BOMBER, side, [start], scattered(box, 4), { count: 4, ms: 850, size: PLANE, bend: 0.1 });
    return;
  }
  const left = box.x < stage.size.width / 2 ? 1 : -1;
  const isFar = from && Math.hypot(from.x - box.x, from.y - box.y) > 40;
  const start = isFar ? from : { x: box.x + left * 150, y: box.y - 110 };
  const drop = { x: box.x + left * 78, y: box.y + 26 };
  const planes = [0, 1, 2].map((at) => {
    const plane = picture(stage, BOMBER, side, { size: PLANE });
    const end = { x: drop.x + left * at * 16, y: drop.y - at * 16 };
    const away = { x: within(stage.box("harbor"), box, box.x - left * 130), y: box.y - 60 - at * 14 };
    const way = [...curve(start, end, 0.2), ...curve(end, away, -0.1).slice(1)];
    return travel(stage, plane, way, 1150, { delay: at * 80, heading: true, vanish: true });
  });
  stage.wait(500).then(() => stage.sound.play("torpedo"));
  const wakes = [0, 1, 2].map((at) => {
    const begin = { x: drop.x + left * at * 16, y: drop.y - at * 8 };
    return wake(stage, begin, { x: box.x + (at - 1) * box.w * 0.25, y: box.y + box.h * 0.2 }, 450 + at * 80);
  });
  Promise.all(planes);
  await Promise.race([Promise.all(wakes), stage.wait(950)]);
}

/**
 * Return an x within the harbor, for what happens there.
 * @param {Box | null} harbor
 * @param {Box} box of what it happens to
 * @param {number} x
 */
function within(harbor, box, x) {
  if (!harbor || Math.abs(box.x - harbor.x) > harbor.w / 2) return x;
  return Math.max(harbor.x - harbor.w / 2 + 16, Math.min(harbor.x + harbor.w / 2 - 16, x));
}

/**
 * Columns of water for misses, explosions for hits; then what they have done: a ship burns or sinks, aircraft are lost.
 * @param {Stage} stage
 * @param {{target: string, lines: {line: PlayedEvent, at: number}[], box: Box}} attack
 */
async function struck(stage, { target, lines, box }) {
  const before = stateOf(stage, target);
  const key = `${target}-down`;
  const hits = Number(/: (\d+)$/.exec(lines[0]?.line.rolls[0]?.result ?? "")?.[1] ?? 0);
  const isShip = Boolean(stage.find(target)?.matches(".bd-vessel"));
  const isGone = lines.some(({ line }) => / is sunk\.$/.test(line.text));
  const size = isGone ? 1.4 : 1.05;
  const shown = scattered(box, 3, 0.3).map((at, number) => {
    if (number < hits || isGone) {
      stage.sound.play("boom", number * 0.36, isGone ? 1 : 0.7);
      return blast(stage, at, { delay: number * 360, size });
    }
    return isShip ? splash(stage, { x: at.x, y: box.y + box.h * 0.4 }, { delay: number * 120, size: 1.1 }) : undefined;
  });
  if (hits && isShip) stage.shake(target, { strength: Math.min(2, hits / 2) });
  await stage.wait(BLAST);
  if (isGone && isShip) stage.sound.play("sink");
  const changes = await showAndCount(stage, stage.find(key) ? [key] : [], lines.at(-1)?.at);
  const after = stateOf(stage, target);
  /** @type {Promise<unknown>[]} */
  const words = [labelChanges(stage, changes)];
  if (after !== before) {
    if (!isGone) stage.sound.play("fire");
    for (const at of scattered(box, isGone ? 8 : 5))
      stage.smoke(at, { count: 4, delay: 300, height: isGone ? 90 : 60 });
    words.push(stage.label(box, isGone ? "Sunk" : "Damaged"));
  } else if (isShip && hits) {
    words.push(stage.label(box, hits > 1 ? `${hits} hits` : "1 hit"));
  }
  await Promise.all([...shown, ...words]);
}

/**
 * @param {Stage} stage
 * @param {string} key of a ship
 */
function stateOf(stage, key) {
  return /bd-(sunk|damaged)/.exec(stage.find(key)?.getAttribute("class") ?? "")?.[1] ?? "";
}

/**
 * The wake of a torpedo.
 * @param {Stage} stage
 * @param {Point} from
 * @param {Point} to
 * @param {number} delay
 */
function wake(stage, from, to, delay) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const line = { x1: from.x, y1: from.y, x2: to.x, y2: to.y, "stroke-dasharray": length, opacity: 0 };
  const frames = [
    { strokeDashoffset: length, opacity: 1 },
    { strokeDashoffset: 0, opacity: 0.9, offset: 0.8 },
    { strokeDashoffset: 0, opacity: 0 },
  ];
  return stage.flash(stage.make("line", { class: "pb-run", ...line }), frames, 650, { delay });
}

// -- the carriers --

/**
 * American carriers look for the striking force: a search plane flies out, the roll, and what it finds.
 * @type {Effect}
 */
async function search(event, stage) {
  const [fleet, berth] = [stage.box("fleet"), stage.box(event.target)];
  if (!fleet || !berth || event.target === "fleet") return plain(event, stage);
  const side = stage.side(stage.find(event.target));
  const carriers = shipsIn(stage, fleet);
  const goal = carriers[carriers.length - 1] ?? fleet;
  const out = event.rolls.length ? 0.7 : 1;
  const end = { x: berth.x + (goal.x - berth.x) * out, y: berth.y + (goal.y - berth.y) * out };
  stage.sound.play("engines", 1);
  const scouts = [-0.16, 0, 0.16].map((bend, at) =>
    travel(
      stage,
      picture(stage, FIGHTER, side, { size: PLANE }),
      curve(berth, { x: end.x + (at - 1) * 40, y: end.y }, bend),
      1300,
      {
        delay: at * 140,
        heading: true,
        vanish: true,
      },
    ),
  );
  await rollOnTable(event, stage, "", Promise.all(scouts));
  await Promise.all([stage.show(), stage.ring(event.rolls.length ? berth : fleet), stage.wait(400)]);
}

/**
 * Strikes between the carrier forces, and what is lost with a carrier's deck.
 * @type {Effect}
 */
async function approach(event, stage) {
  const target = stage.box(event.target);
  if (!target) return plain(event, stage);
  const isShip = stage.find(event.target)?.hasAttribute("data-key") ?? false;
  if (isShip) {
    stage.smoke(target, { count: 6, height: 50 });
    await Promise.all([stage.show(), stage.ring(target), stage.wait(600)]);
    return;
  }
  const fleet = stage.box("fleet");
  const isOut = event.target !== "fleet"; // a Japanese strike on its way to the American carriers
  const from = isOut ? shipsIn(stage, fleet) : [stage.box(event.keys[0] ?? "") ?? target];
  const to = isOut ? [target] : shipsIn(stage, fleet);
  const side = isOut ? stage.side("japan") : stage.side("usa");
  stage.sound.play("engines", 1.4);
  await formation(stage, BOMBER, side, from, to, { count: 8, ms: 1300, size: PLANE * 0.7, spread: 10 });
  await stage.show();
}

/**
 * Japan withdraws: the carriers turn away. Or it stays, with a patrol over them.
 * @type {Effect}
 */
async function withdraw(event, stage) {
  const fleet = stage.box(event.target);
  await stage.show();
  const leaving = event.keys.map((key) => [stage.find(key), stage.box(key)]);
  const ships = leaving.filter(([piece]) => piece instanceof Element && piece.matches(".bd-vessel"));
  if (!ships.length) {
    await Promise.all([stage.ring(fleet), stage.wait(700)]);
    return;
  }
  stage.sound.play("engines", 1);
  const frames = (/** @type {SVGGraphicsElement} */ piece, /** @type {Box} */ { x, y }) => {
    const pose = stage.poser(piece);
    const away = { transform: pose({ x: x - 14, y: y - 12 }), opacity: 0.55 };
    return [
      { transform: pose(), opacity: 1 },
      { ...away, offset: 0.6 },
      { ...away, offset: 0.8 },
      { transform: pose(), opacity: 1 },
    ];
  };
  await Promise.all(
    ships.map(([piece, box], at) =>
      piece instanceof SVGGraphicsElement && box && "w" in box
        ? stage.move(piece, frames(piece, box), 1500, { delay: at * 60 })
        : undefined,
    ),
  );
}

// -- before the strike --

/**
 * The place of a carrier force, rolled in a column of the table.
 * @type {Effect}
 */
async function chart(event, stage) {
  await rollOnTable(event, stage);
  await Promise.all([stage.show(), stage.ring(stage.box(event.target)), stage.wait(400)]);
}

/**
 * The surprise roll: the fields are caught, or fighters rise.
 * @type {Effect}
 */
async function surprise(event, stage) {
  await rollOnTable(event, stage);
  const fields = ["field-army", "field-naval"].map((key) => stage.box(key)).filter((box) => box !== null);
  await Promise.all([
    stage.show({ enter: (to) => fields[to.x > (fields[0]?.x ?? 0) + (fields[0]?.w ?? 0) / 2 ? 1 : 0] ?? null }),
    stage.ring(stage.box(event.target)),
    stage.wait(500),
  ]);
}

/**
 * What is revealed: a place of the board, a column, where a force was.
 * @type {Effect}
 */
async function reveal(event, stage) {
  const rings = event.lines.map(({ target }) => stage.ring(stage.box(target)));
  await Promise.all([stage.show(), ...rings, stage.wait(600)]);
}

/** The effects that show several events at once, with all their dice. */
export const together = new Set(["strike"]);

/** @type {Record<string, Effect>} */
export const effects = {
  wave,
  dogfight,
  flak,
  strike,
  search,
  approach,
  withdraw,
  chart,
  surprise,
  reveal,
};
