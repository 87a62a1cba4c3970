/** The named effects of Midway: launches, flights, dogfights, flak, torpedoes, dive bombers, damage, and ships that sink. */

import { panelPlace } from "readyroom/playback/plain.js";
import { blast, bursts, splash, tracers } from "readyroom/playback/effects.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Beat} Beat
 * @typedef {import("readyroom/playback/stage.js").Box} Box
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 * @typedef {import("readyroom/playback/stage.js").Manner} Manner
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 * @typedef {import("readyroom/playback/sound.js").Sound} Sound
 */

const PULSE = 350; // milliseconds between explosions: under three a second
const GAP = 2; // between boxes of the damage track
const SINKS_AT = 10;
const EDGE = 20; // between aircraft and the edge of the chart

// -- what is where --

/**
 * The body of a ship without its wake, or the box of any other piece.
 * @param {Stage} stage
 * @param {string} key
 * @returns {Box}
 */
function hull(stage, key) {
  const around = stage.find(key)?.querySelector("[href$='pc-around']");
  const { width, height } = stage.size;
  return stage.box(around ?? key) ?? { x: width / 2, y: height / 2, w: 0, h: 0 };
}

/**
 * The wave that attacks a ship: its middle and counters; if it is not drawn, a place in front of her.
 * @param {Beat} event
 * @param {Stage} stage
 * @param {Box} ship
 */
function waveOf(event, stage, ship) {
  const keys = event.keys.filter((key) => key !== event.target);
  const away = ship.y < stage.size.height / 2 ? 60 : -60;
  const place = { x: ship.x, y: ship.y + away, w: 26, h: 28 };
  return stage.center(keys) ?? { ...place, boxes: [place] };
}

/**
 * The number of hits that a beat's dice have scored.
 * @param {Beat} event
 */
export function hitsOf({ rolls }) {
  return rolls.reduce((sum, { rounds }) => sum + rounds.flat().filter(({ hit }) => hit).length, 0);
}

/**
 * Return whether a point is in a box.
 * @param {Point} point
 * @param {Box} box
 */
const isIn = (point, box) => Math.abs(point.x - box.x) < box.w / 2 && Math.abs(point.y - box.y) < box.h / 2;

/**
 * How aircraft fly: along their side's track where they go up or down the sea, and into the board from their own fleet.
 * @param {Stage} stage
 * @returns {Manner}
 */
function alongTracks(stage) {
  const { width, height } = stage.size;
  /** @type {Map<string, number[]>} */
  const lanes = new Map();
  for (const arrow of stage.chart.querySelectorAll(".bd-lane .bd-arrow")) {
    const side = stage.side(arrow);
    lanes.set(side, [...(lanes.get(side) ?? []), stage.box(arrow)?.x ?? 0]);
  }
  return {
    path(from, to, piece) {
      const [middle, dx, dy] = [(from.x + to.x) / 2, to.x - from.x, to.y - from.y];
      const tracks = lanes.get(stage.side(piece)) ?? [];
      const lane = tracks.reduce((best, x) => (Math.abs(x - middle) < Math.abs(best - middle) ? x : best), Infinity);
      if (Math.abs(dy) > height * 0.08 && Math.abs(lane - middle) < width * 0.2) {
        return [
          { x: lane, y: from.y + dy * 0.25 },
          { x: lane, y: from.y + dy * 0.75 },
        ];
      }
      return [
        { x: from.x + dx * 0.25, y: from.y + dy * 0.45 },
        { x: to.x, y: from.y + dy * 0.7 },
      ];
    },
    enter(to, piece) {
      const ship = stage.box(stage.chart.querySelector(`.bd-ship.${stage.side(piece)}`));
      const y = to.y + Math.sign((ship?.y ?? height) - to.y) * height * 0.2;
      return { x: to.x + width * 0.06, y: Math.max(EDGE, Math.min(height - EDGE, y)) };
    },
  };
}

// -- moves --

/** @type {Effect} */
async function fly(event, stage) {
  stage.sound.play("engines", 0.9);
  const before = hiddenPlaces(stage);
  const shown = stage.show(alongTracks(stage));
  const now = hiddenPlaces(stage);
  const isEmpty = stage.chart.querySelector(".bd-vacant");
  const changed = (
    /** @type {Map<string, Box>} */ boxes,
    /** @type {Map<string, Box>} */ others,
    /** @type {string} */ said,
  ) => [...boxes].map(([title, box]) => title.includes("CAP") && !others.has(title) && stage.label(box, said));
  await Promise.all([
    ...changed(before, now, isEmpty ? "no fighters on guard" : "fighters on guard"),
    ...changed(now, before, "CAP is hidden again"),
    shown.then(() => stage.wait(160)),
  ]);
}

/** @type {Effect} */
async function land(event, stage) {
  stage.sound.play("land");
  await stage.show(alongTracks(stage));
  await stage.wait(160);
}

/**
 * Return the titles and boxes of the counters that lie face down.
 * @param {Stage} stage
 * @returns {Map<string, Box>}
 */
function hiddenPlaces(stage) {
  const found = /** @type {Map<string, Box>} */ (new Map());
  for (const use of stage.chart.querySelectorAll('use[href$="pc-hidden"]')) {
    const box = stage.box(use.parentElement);
    if (box) found.set(use.parentElement?.querySelector("title")?.textContent ?? "", box);
  }
  return found;
}

/** Aircraft roll along the deck, dip behind the bow, and climb. @type {Effect} */
async function launch(event, stage) {
  const decks = [...stage.chart.querySelectorAll(".bd-ship")].map((ship) => stage.box(ship));
  stage.sound.play("engines", 1);
  const manner = alongTracks(stage);
  await stage.show({
    ...manner,
    path: (from, to, piece) =>
      decks.some((deck) => deck && isIn(from, { ...deck, h: deck.h + 30 }))
        ? [
            { x: from.x + (to.x > from.x ? 50 : -50), y: from.y + Math.sign(to.y - from.y) * 4 },
            { x: to.x, y: from.y + (to.y - from.y) * 0.6 },
          ]
        : (manner.path?.(from, to, piece) ?? null),
  });
  await stage.wait(160);
}

/** @type {Effect} */
async function spot(event, stage) {
  stage.ring(stage.box(event.target));
  await stage.show();
  await stage.wait(350);
}

// -- battle --

/**
 * Fighters leave their places for a point, swirl there, and come back.
 * @param {Stage} stage
 * @param {string[]} keys
 * @param {Point} around
 * @param {{x: number, y: number}} spread
 * @param {number} ms
 */
function swirl(stage, keys, around, spread, ms) {
  const turns = 10;
  const pieces = keys.map((key) => stage.find(key)).filter((piece) => piece !== null);
  const posers = pieces.map((piece) => stage.poser(piece));
  return Promise.all(
    pieces.map((piece, number) => {
      const pose = /** @type {ReturnType<Stage["poser"]>} */ (posers[number]);
      const frames = [{ transform: pose() }];
      for (let step = 1; step < turns; step += 1) {
        const angle = number * 2.4 + (step / turns) * Math.PI * 2.6;
        const [x, y] = [around.x + Math.cos(angle) * spread.x, around.y + Math.sin(angle) * spread.y];
        frames.push({ transform: pose({ x, y, scale: 1.12, turn: Math.sin(angle) * 16 }) });
      }
      frames.push({ transform: pose() });
      piece.parentNode?.append(piece);
      return stage.move(piece, frames, ms, { delay: number * 22 });
    }),
  );
}

/** @type {Effect} */
async function dogfight(event, stage) {
  const place = stage.box(event.target);
  const side = stage.side(stage.find(event.keys[0] ?? ""));
  const mine = event.keys.filter((key) => stage.side(stage.find(key)) === side);
  let theirs = event.keys.filter((key) => stage.find(key) && !mine.includes(key));
  if (!theirs.length && place) {
    const there = /** @type {NodeListOf<SVGGraphicsElement>} */ (stage.chart.querySelectorAll("[data-key]"));
    const foes = [...there].filter((piece) => stage.side(piece) !== side && isIn(stage.box(piece) ?? place, place));
    theirs = foes.map((piece) => piece.dataset.key ?? "").filter((key) => stage.box(key));
  }
  const { width, height } = stage.size;
  const own = stage.center(mine);
  const other = stage.center(theirs) ?? place ?? own ?? { x: width / 2, y: height / 2 };
  const middle = own ? { x: other.x + (own.x - other.x) * 0.12, y: other.y } : other;
  stage.spot(middle, Math.min(width, height) * 0.22);
  stage.sound.play("engines", 1.1);
  stage.sound.play("guns", Math.min(9, 3 + mine.length));
  const below = other.y < height / 2;
  const away = place ? place.h / 2 + 8 : 60;
  const near = { x: middle.x, y: (place ?? other).y + (below ? away : -away) };
  const dice = stage.dice(event.rolls, near, { side, below });
  const chart = stage.chart;
  const group = stage.find(mine[0] ?? "")?.parentElement;
  if (group && group !== /** @type {Element} */ (chart)) chart.append(group); // those who attack fly above
  const spread = width * 0.08;
  const swarm = { x: spread, y: spread * 0.45 };
  const targets = [0, 1, 2, 3].map((at) => ({
    x: middle.x + Math.cos(at * 2) * spread,
    y: middle.y + Math.sin(at * 3) * 20,
  }));
  await Promise.all([
    swirl(stage, mine, middle, swarm, 1250),
    swirl(
      stage,
      event.keys.includes(theirs[0] ?? "") ? theirs : [],
      middle,
      { x: spread * 0.7, y: spread * 0.3 },
      1150,
    ),
    tracers(stage, targets, [...targets].reverse(), { count: 30, delay: 300 }),
    dice.roll(),
  ]);
  await Promise.all([stage.show(alongTracks(stage)), dice.leave()]);
}

/**
 * The strength that a counter shows, by its pips.
 * @param {SVGGraphicsElement | null} piece
 */
const strengthOf = (piece) => Number(/-(\d+)$/.exec(piece?.querySelector("use")?.getAttribute("href") ?? "")?.[1] ?? 0);

/** Counters that lose strength shake, those that are destroyed fall. @type {Effect} */
async function loss(event, stage) {
  const struck = stage.present(event.keys).map((key) => {
    const piece = stage.find(key);
    return { key, box: /** @type {Box} */ (stage.box(key)), before: strengthOf(piece) };
  });
  stage.sound.play("thud", 0.4);
  const shown = stage.show({ ...alongTracks(stage), gone: "fall" });
  const flashes = struck.map(({ key, box, before }, at) => {
    const piece = stage.find(key);
    const lost = before - strengthOf(piece);
    if (piece && lost) {
      const pose = stage.poser(piece);
      const turns = [0, -9, 7, 0].map((turn) => ({ transform: pose({ turn, scale: turn ? 1.12 : 1 }) }));
      stage.move(piece, turns, 420, { delay: at * 60 });
      stage.smoke(box, { count: 2, delay: at * 60, height: 14 });
    }
    const on = { x: box.x, y: box.y + box.h / 2 }; // on the counter: above it may be a ship, which loses nothing
    return lost > 0 ? stage.label(on, `−${lost} strength`, { delay: at * 60 }) : null;
  });
  await Promise.all([shown, ...flashes]);
}

/** Her guns fire at the wave, and puffs of flak stand among it. @type {Effect} */
async function flak(event, stage) {
  await stage.show(alongTracks(stage));
  const ship = hull(stage, event.target);
  const wave = waveOf(event, stage, ship);
  const up = wave.y < ship.y;
  stage.spot({ x: (ship.x + wave.x) / 2, y: (ship.y + wave.y) / 2 }, stage.size.width * 0.19);
  stage.ring(ship);
  const side = stage.side(stage.find(event.target));
  const rolls = event.rolls.map((roll) => ({ ...roll, need: `${roll.need}; each takes 1 strength off the planes` }));
  const dice = stage.dice(rolls, { x: ship.x, y: up ? wave.y - 44 : wave.y + 50 }, { side, below: !up });
  const guns = [-0.35, -0.15, 0.12, 0.32].map((part) => ({ x: ship.x + part * ship.w, y: ship.y }));
  stage.sound.play("flak");
  await Promise.all([tracers(stage, guns, wave.boxes, { count: 28 }), bursts(stage, wave.boxes), dice.roll()]);
  await dice.leave();
}

/** Aircraft drop their torpedoes; wakes run to the ship, and columns of water rise. @type {Effect} */
async function torpedo(event, stage) {
  const ship = hull(stage, event.target);
  const wave = waveOf(event, stage, ship);
  const up = wave.y < ship.y;
  const side = stage.side(stage.find(event.keys.find((key) => key !== event.target) ?? ""));
  const hits = hitsOf(event);
  stage.spot({ x: (ship.x + wave.x) / 2, y: (ship.y + wave.y) / 2 }, stage.size.width * 0.19);
  const dice = stage.dice(event.rolls, { x: ship.x, y: up ? wave.y - 48 : wave.y + 54 }, { side, below: !up });
  stage.sound.play("engines", 0.8);
  await Promise.all([dice.roll(), ...attackRuns(event, stage, up ? 9 : -9)]);
  const edge = ship.y + (up ? -0.28 : 0.28) * ship.h;
  const runs = wave.boxes
    .slice(0, 12)
    .flatMap((from, at) => [0, 1].map((twin) => wake(stage, from, ship, edge, at, twin)));
  const columns = Math.min(hits, 6);
  stage.sound.play("torpedo");
  for (let at = 0; at < columns; at += 1) {
    const x = ship.x + ship.w * ((at + 0.5) / columns - 0.5) * 0.72;
    splash(stage, { x, y: edge }, { delay: 480 + at * 110, size: 1.5 });
    if (at % 2 === 0) blast(stage, { x, y: ship.y }, { delay: 560 + (at / 2) * PULSE, size: 0.9 });
    stage.sound.play("boom", 0.48 + at * 0.11, 0.5);
  }
  if (!hits) splash(stage, { x: ship.x, y: edge }, { delay: 560 });
  if (hits) stage.shake(event.target, { delay: 560, strength: 0.6 + hits / 5 });
  await Promise.all([...runs, stage.wait(hits ? 700 + columns * 110 : 500)]);
  await Promise.all([showHits(event, stage), dice.leave()]);
}

/**
 * Let the aircraft of a wave go a little way towards their target and back.
 * @param {Beat} event
 * @param {Stage} stage
 * @param {number} dip
 */
function attackRuns(event, stage, dip) {
  const pieces = event.keys.filter((key) => key !== event.target).map((key) => stage.find(key));
  return pieces.flatMap((piece, at) => {
    const box = stage.box(piece);
    if (!piece || !box) return [];
    const pose = stage.poser(piece);
    const frames = [
      { transform: pose() },
      { transform: pose({ y: box.y + dip, scale: 0.9 }), offset: 0.5 },
      { transform: pose() },
    ];
    return [stage.move(piece, frames, 820, { delay: at * 50 })];
  });
}

/**
 * @param {Stage} stage
 * @param {Point} from
 * @param {Box} ship
 * @param {number} edge
 * @param {number} at
 * @param {number} twin 0 or 1
 */
function wake(stage, from, ship, edge, at, twin) {
  const x = ship.x + (from.x - ship.x) * 0.55 + (twin - 0.5) * 18;
  const d = `M${from.x} ${from.y + Math.sign(edge - from.y) * 14}L${x} ${edge}`;
  const group = stage.make("g", { opacity: 0 });
  stage.make("path", { class: "pb-wake-edge", d }, group);
  const line = stage.make("path", { class: "pb-wake", d, pathLength: 100, "stroke-dasharray": "100 100" }, group);
  const delay = at * 60 + twin * 90;
  stage.move(line, [{ strokeDashoffset: 100 }, { strokeDashoffset: 0 }], 520, { delay, fill: "both" });
  const frames = [{ opacity: 0 }, { opacity: 1, offset: 0.1 }, { opacity: 1, offset: 0.75 }, { opacity: 0 }];
  return stage.flash(group, frames, 900, { delay });
}

/** Dive bombers push over above the ship and pull out. @type {Effect} */
async function dive(event, stage) {
  const ship = hull(stage, event.target);
  const wave = waveOf(event, stage, ship);
  const up = wave.y < ship.y;
  const keys = stage.present(event.keys.filter((key) => key !== event.target));
  const side = stage.side(stage.find(keys[0] ?? ""));
  const dice = stage.dice(event.rolls, { x: ship.x, y: up ? wave.y - 48 : wave.y + 54 }, { side, below: !up });
  stage.sound.play("dive");
  stage.spot({ x: (ship.x + wave.x) / 2, y: (ship.y + wave.y) / 2 }, stage.size.width * 0.19);
  const posers = keys.map((key) => stage.poser(/** @type {SVGGraphicsElement} */ (stage.find(key))));
  const flown = keys.map((key, at) => {
    const piece = /** @type {SVGGraphicsElement} */ (stage.find(key));
    const pose = /** @type {ReturnType<Stage["poser"]>} */ (posers[at]);
    const x = ship.x + ship.w * ((at + 0.5) / keys.length - 0.5) * 0.46;
    piece.parentNode?.append(piece);
    const frames = [
      { transform: pose() },
      { transform: pose({ x, y: ship.y + (up ? 34 : -34), scale: 1.7, turn: -14 }), offset: 0.42 },
      { transform: pose({ x, y: ship.y, scale: 0.62, turn: 8 }), offset: 0.66 },
      { transform: pose() },
    ];
    return stage.move(piece, frames, 1150, { delay: at * Math.min(90, 700 / keys.length) });
  });
  const hits = hitsOf(event);
  const count = Math.min(7, Math.max(2, event.rolls[0]?.rounds[0]?.length ?? 2));
  const rolled = dice.roll().then(() => {
    for (let at = 0; at < count; at += 1) {
      const isHit = at < hits;
      const x = ship.x + ship.w * ((at + 0.5) / count - 0.5) * 0.64;
      const y = isHit ? ship.y + Math.sin(at * 4) * 6 : ship.y + (at % 2 ? 27 : -27);
      const delay = Math.floor((at * 3) / count) * PULSE; // in three pulses
      if (isHit) blast(stage, { x, y }, { delay, size: 1.1 });
      else splash(stage, { x, y }, { delay });
      stage.sound.play("boom", delay / 1000, isHit ? 0.6 : 0.2);
    }
    if (hits) stage.shake(event.target, { delay: 40, strength: 0.6 + hits / 5 });
    return stage.wait(3 * PULSE + 300);
  });
  await Promise.all([...flown, rolled]);
  await Promise.all([showHits(event, stage), dice.leave()]);
}

// -- damage --

/**
 * Return the drawn damage track of a ship: the damage that it shows, with boxes already filled, and the one that sinks her.
 * @param {Stage} stage
 * @param {string} key
 */
function damageOf(stage, key) {
  const ship = stage.find(key);
  const track = /** @type {SVGGraphicsElement | null} */ (ship?.querySelector("[href$='pc-track']") ?? null);
  const drawn = ship?.querySelector("[href*='pc-hits-']")?.getAttribute("href") ?? "";
  const filled = ship?.querySelectorAll(".pb-box").length ?? 0;
  const sinksAt = Number(/sunk at (\d+)/.exec(ship?.querySelector("title")?.textContent ?? "")?.[1] ?? SINKS_AT);
  return { track, damage: Number(/(\d+)$/.exec(drawn)?.[1] ?? 0) + filled, filled, sinksAt };
}

/**
 * Fill the next boxes of a ship's damage track, which stay filled until the board is drawn again.
 * @param {Stage} stage
 * @param {string} key
 * @param {number} count
 * @returns {Element[]} the new boxes
 */
function fill(stage, key, count) {
  const { track, damage, sinksAt } = damageOf(stage, key);
  const at = track?.getBBox();
  if (!track || !at) return [];
  const cell = (at.width + GAP) / sinksAt;
  const size = { width: cell - GAP, height: at.height };
  return Array.from({ length: Math.min(count, sinksAt - damage) }, (_, more) => {
    const place = { x: at.x + cell * (damage + more), y: at.y };
    const mark = stage.make("rect", { class: "pb-box", ...place, ...size }, track.parentElement ?? undefined);
    /** @type {SVGElement} */ (mark).style.transformOrigin = `${place.x + size.width / 2}px ${at.y + at.height / 2}px`;
    return mark;
  });
}

/**
 * Fill boxes of a ship's damage track one by one.
 * @param {Stage} stage
 * @param {string} key
 * @param {number} count
 */
async function fillOneByOne(stage, key, count) {
  const track = stage.box(damageOf(stage, key).track);
  if (!track || count < 1) return;
  stage.ring({ ...track, w: track.w + 4, h: track.h + 6 });
  const frames = [
    { transform: "scale(2.6)", opacity: 0 },
    { transform: "scale(1)", opacity: 1 },
  ];
  for (let more = 0; more < count; more += 1) {
    const [mark] = fill(stage, key, 1);
    if (!mark) return;
    stage.sound.play("tick", more);
    await stage.move(mark, frames, 130, { easing: "ease-out" });
  }
}

/**
 * Show what follows an attack, with a box filled for each hit that its log line reports: her damage itself comes later.
 * @param {Beat} event
 * @param {Stage} stage
 */
async function showHits(event, stage) {
  const { filled } = damageOf(stage, event.target);
  const shown = stage.show(alongTracks(stage));
  fill(stage, event.target, filled);
  await Promise.all([shown, fillOneByOne(stage, event.target, Number(/: (\d+) hit/.exec(event.text)?.[1] ?? 0))]);
}

/**
 * Fill the boxes of a ship's damage track one by one, up to the damage that the log reports.
 * @type {Effect}
 */
async function boxes(event, stage) {
  const { damage, sinksAt } = damageOf(stage, event.target);
  const after = Number(/damage (\d+)/.exec(event.text)?.[1] ?? (event.kind === "sink" ? sinksAt : 0));
  await fillOneByOne(stage, event.target, after - damage);
  await stage.show();
  if (after > damage) await stage.wait(260);
}

/** Fire and smoke along a ship. @param {Stage} stage @param {string} key */
function burn(stage, key) {
  const ship = hull(stage, key);
  for (let at = 0; at < 4; at += 1) {
    const x = ship.x + ship.w * (at / 6 - 0.25);
    blast(stage, { x, y: ship.y + Math.sin(at * 3) * 6 }, { delay: Math.floor(at / 2) * PULSE, size: 1.2 });
  }
  for (let at = 0; at < 12; at += 1) {
    stage.smoke({ x: ship.x + ship.w * (at / 22 - 0.25), y: ship.y }, { count: 2, delay: 150 + at * 70, height: 70 });
  }
  stage.shake(key, { strength: 1.6 });
  stage.sound.play("boom", 0, 0.9);
  stage.sound.play("boom", PULSE / 1000, 0.7);
}

/** @type {Effect} */
async function cripple(event, stage) {
  const before = scores(stage);
  await boxes(event, stage);
  burn(stage, event.target);
  await Promise.all([stage.wait(1100), sayScores(event, stage, before)]);
}

/**
 * Return the points of each side, with their places.
 * @param {Stage} stage
 */
const scores = (stage) =>
  [...stage.chart.querySelectorAll(".bd-score")].map((text) => ({
    box: stage.box(text),
    points: parseInt(text.textContent ?? ""),
  }));

/**
 * Say next to the points of a side why they have changed.
 * @param {Beat} event
 * @param {Stage} stage
 * @param {ReturnType<typeof scores>} before
 */
const sayScores = ({ moment, text }, stage, before) =>
  Promise.all(
    scores(stage).map(({ box, points }, at) => {
      const more = points - (before[at]?.points ?? points);
      if (!box || !more) return null;
      return stage.label(box, `${more > 0 ? "+" : "−"}${Math.abs(more)}: ${moment || text.split(" (")[0]}`);
    }),
  );

/** She burns, lists, settles, and leaves ripples. @type {Effect} */
async function sink(event, stage) {
  const piece = stage.find(event.target);
  const body = /** @type {SVGGraphicsElement | null | undefined} */ (piece?.querySelector(":scope > g"));
  const isLost = event.rolls.length || !body || !/sinks/.test(event.text);
  const before = scores(stage);
  if (isLost) {
    await loss(event, stage);
    return;
  }
  const ship = hull(stage, event.target);
  burn(stage, event.target);
  await stage.wait(700);
  const pose = stage.poser(body);
  const { x, y } = /** @type {Box} */ (stage.box(body));
  stage.sound.play("sink");
  const frames = [
    { transform: pose(), opacity: 1 },
    { transform: pose({ x, y: y + 2, turn: 14, scale: 0.99 }), opacity: 1, offset: 0.45 },
    { transform: pose({ x, y: y + 5, turn: 20, scale: 0.95 }), opacity: 0.85, offset: 0.7 },
    { transform: pose({ x, y: y + 9, turn: 20, scale: 0.86 }), opacity: 0 },
  ];
  await stage.move(body, frames, 1700, { fill: "both", easing: "ease-in" });
  await stage.show();
  await Promise.all([...ripples(stage, ship), sayScores(event, stage, before)]);
}

/**
 * @param {Stage} stage
 * @param {Box} around
 */
function ripples(stage, { x, y, w, h }) {
  return [0, 1, 2].map((at) => {
    const ring = stage.make("ellipse", { class: "pb-ripple", rx: w * 0.36, ry: h * 0.36, opacity: 0 });
    const frames = [
      { transform: `translate(${x}px,${y}px) scale(.35)`, opacity: 0 },
      { opacity: 0.9, offset: 0.25 },
      { transform: `translate(${x}px,${y}px) scale(1.35)`, opacity: 0 },
    ];
    return stage.flash(ring, frames, 900, { delay: at * 220 });
  });
}

/** @type {Effect} */
async function repair(event, stage) {
  stage.ring(hull(stage, event.target));
  const before = scores(stage);
  await panelOnly(event, stage);
  const ship = stage.box(event.target);
  if (ship && /repairs \d/.test(event.text))
    await Promise.all([stage.label(ship, "repaired"), sayScores(event, stage, before)]);
}

/**
 * Search planes spread over the sea in four groups.
 * @param {Beat} event
 * @param {Stage} stage
 */
function spread(event, stage) {
  const from = stage.box(event.target);
  const { width } = stage.size;
  const side = stage.side(stage.find(event.target));
  const ships = [...stage.chart.querySelectorAll(`.bd-ship:not(.${side || "in-none"})`)];
  const enemy = stage.box(ships[0] ?? null);
  if (!from || !enemy) return { ships, side, fans: [], shown: [] };
  const groups = [0.2, 0.4, 0.6, 0.8].map((part) => ({ x: width * part, y: enemy.y + (from.y - enemy.y) * 0.55 }));
  stage.sound.play("engines", 1);
  const fans = groups.map((to, at) => {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const d = `M${from.x} ${from.y}Q${from.x + dx * 0.2} ${from.y + dy * 0.8} ${to.x} ${to.y}`;
    const path = { class: `pb-trail ${side}`, d, opacity: 0 };
    const label = stage.make("g", { class: side, opacity: 0 });
    const plate = { class: "pb-plate", x: to.x - 36, y: to.y - 24, width: 72, height: 20, rx: 4 };
    stage.make("rect", plate, label);
    stage.make("text", { class: "pb-words", x: to.x, y: to.y - 9 }, label).textContent = `Group ${at + 1}`;
    return { line: stage.make("path", path), label };
  });
  const appear = [{ opacity: 0 }, { opacity: 0.9 }];
  const shown = fans.flatMap(({ line, label }, at) =>
    [line, label].map((part) => stage.move(part, appear, 450, { delay: at * 90, fill: "both" })),
  );
  return { ships, side, fans, shown };
}

/** The groups spread over the sea, and a card lists their squadrons. @type {Effect} */
async function groups(event, stage) {
  const { shown, ships } = spread(event, stage);
  const rows = event.lines.map(({ caption }) => caption.replace("Search g", "G").replace(/ looks [^:]*/, ""));
  const { width } = stage.size;
  const [wide, high] = [Math.max(...rows.map(({ length }) => length)) * 6.6 + 16, rows.length * 17 + 10];
  const scale = Math.min(Math.max(1, stage.unit), (width - 8) / wide);
  const [from, enemy] = [stage.box(event.target), stage.box(ships[0] ?? null)];
  const [y, half] = [from?.y ?? stage.size.height / 2, (from?.h ?? 0) / 2 + 8];
  const top = enemy && enemy.y > y ? y - half - high * scale : y + half; // not where they go
  const at = `translate(${(width - wide * scale) / 2} ${top}) scale(${scale})`;
  const card = stage.make("g", { class: "pb-panel", transform: at });
  stage.make("rect", { class: "pb-card", width: wide, height: high, rx: 4 }, card);
  for (const [row, text] of rows.entries())
    stage.make("text", { class: "pb-sum", x: 8, y: 17 * (row + 1) }, card).textContent = text;
  await Promise.all([...shown, stage.wait(2400), stage.show()]);
}

/** The die says which search group finds the enemy. @type {Effect} */
async function search(event, stage) {
  if (stage.still) return panelOnly(event, stage);
  const number = Number(/group (\d+)/.exec(event.text)?.[1] ?? 0);
  const { ships, side, fans, shown } = spread(event, stage);
  const rolls = event.rolls.map((roll) => {
    const [name = "", need = ""] = roll.name.split(/(?<=\?) /);
    return { ...roll, name, need };
  });
  const [from, [foe]] = [stage.box(event.target), ships];
  const below = (from?.y ?? 0) > (stage.box(foe ?? null)?.y ?? 0); // not where they search
  const near = { x: stage.size.width / 2, y: (from?.y ?? 0) + (below ? 1 : -1) * ((from?.h ?? 0) / 2 + 8) };
  const dice = stage.dice(rolls, near, { side, below });
  await Promise.all([...shown, stage.wait(500).then(() => dice.roll())]);
  const found = event.keys.length ? fans[number - 1] : undefined;
  const others = fans.filter((fan) => fan !== found).flatMap(({ line, label }) => [line, label]);
  const fade = others.map((part) => stage.move(part, [{ opacity: 0.9 }, { opacity: 0 }], 300, { fill: "both" }));
  if (found) for (const ship of ships) stage.ring(stage.box(ship)); // the fleet, and not one of its carriers
  await Promise.all([...fade, stage.wait(found ? 900 : 500)]);
  await Promise.all([stage.show(), dice.leave()]);
}

/** @type {Effect} */
async function panelOnly(event, stage) {
  const { near, below } = panelPlace(event, stage);
  const dice = stage.dice(event.rolls, near, { side: stage.side(stage.find(event.target)), below });
  await dice.roll();
  await Promise.all([stage.show(), dice.leave()]);
}

/** @type {Record<string, Effect>} */
export const effects = {
  boxes,
  cripple,
  dive,
  dogfight,
  flak,
  fly,
  groups,
  land,
  launch,
  loss,
  repair,
  search,
  sink,
  spot,
  torpedo,
};

/** What is heard of the player's own orders, which are not played. @type {Record<string, (sound: Sound) => void>} */
export const sounds = { land: (sound) => sound.play("land"), launch: (sound) => sound.play("engines", 1) };
