/** The effects of The Doolittle Raid that are seen seldom: the news, an alert, a crew that bails out, and landings. */

import { plain } from "readyroom/playback/plain.js";
import { blastIn, bomber, curve, nameIn, openScene, placeOf, roll, titleOf } from "./effects.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Beat} Beat
 * @typedef {import("readyroom/playback/stage.js").Box} Box
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 */

/** @param {string} text */
const uncapitalize = (text) => text.charAt(0).toLowerCase() + text.slice(1);

/** A newspaper with a headline flies in. @type {Effect} */
export async function frontPage(event, stage) {
  if (!event.moment) {
    const rows = event.lines.flatMap(({ text }) => {
      const [, what, count, points] = /^(.+): (\d+), ([+−]\d+) points?\.$/.exec(text) ?? [];
      return what ? `${points?.replace("+", "")}: ${uncapitalize(what)} (${count})` : [];
    });
    const total = stage.chart.querySelector(".dl-points")?.textContent ?? "";
    await Promise.all([plain(event, stage), rows.length && sayRows(stage, [`${total} come from`, ...rows])]);
    return;
  }
  if (stage.still) return plain(event, stage);
  const { width, height } = stage.size;
  const scale = Math.min(1.4, (width - 30) / 300);
  const page = stage.make("g", { class: "pb-paper", opacity: 0 });
  stage.make("rect", { x: -150, y: -95, width: 300, height: 190 }, page);
  stage.make("text", { class: "pb-masthead", y: -66 }, page).textContent = "EXTRA";
  stage.make("path", { class: "pb-rules", d: "M-138-58H138M-138-54H138" }, page);
  const words = event.moment.toUpperCase().split(" ");
  const lines = /** @type {string[]} */ ([]);
  for (const word of words) {
    const last = lines.at(-1);
    if (last && `${last} ${word}`.length <= 18) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  for (const [number, line] of lines.slice(0, 3).entries())
    stage.make("text", { class: "pb-headline", y: -26 + number * 28 }, page).textContent = line;
  const top = -20 + Math.min(3, lines.length) * 28;
  for (let column = 0; column < 3; column += 1) {
    for (let y = top; y < 84; y += 7)
      stage.make("path", { class: "pb-print", d: `M${-138 + column * 95} ${y}h${y + 7 > 84 ? 50 : 84}` }, page);
  }
  const here = `translate(${width / 2}px,${Math.min(height * 0.4, 320)}px)`;
  stage.sound.play("card");
  await stage.move(
    page,
    [
      { transform: `${here} rotate(-760deg) scale(.05)`, opacity: 0.4 },
      { transform: `${here} rotate(-3deg) scale(${scale})`, opacity: 1 },
    ],
    950,
    { fill: "both", easing: "cubic-bezier(.2,.8,.3,1)" },
  );
  await Promise.all([stage.wait(1900), stage.show()]);
  await stage.flash(
    page,
    [
      { transform: `${here} rotate(-3deg) scale(${scale})`, opacity: 1 },
      { transform: `${here} rotate(-3deg) scale(${scale})`, opacity: 0 },
    ],
    300,
    { fill: "both" },
  );
}

/** Searchlights look for the bombers. @type {Effect} */
export async function alert(event, stage) {
  const { width } = stage.size;
  const box = stage.box(event.target);
  stage.sound.play("alarm");
  if (!stage.still) {
    for (const [number, x] of [width * 0.3, width * 0.7].entries()) {
      const beam = stage.make("path", { class: "pb-light-beam", d: "M0 0L-46-560H46Z", opacity: 0 });
      const place = `translate(${x}px,640px)`;
      const swing = number ? 1 : -1;
      stage.flash(
        beam,
        [
          { transform: `${place} rotate(${-26 * swing}deg)`, opacity: 0 },
          { transform: `${place} rotate(0deg)`, opacity: 0.7, offset: 0.5 },
          { transform: `${place} rotate(${26 * swing}deg)`, opacity: 0 },
        ],
        1500,
      );
    }
  }
  stage.ring(box);
  await Promise.all([stage.show(), stage.wait(1200)]);
}

const FALL = 2400; // milliseconds that a bomber takes to come down

/**
 * A bomber comes down, and its crew jumps: five canopies open behind it.
 * @param {Beat} event
 * @param {Stage} stage
 */
export async function bailOut(event, stage) {
  const dice = await roll(event, stage);
  await dice();
  const box = placeOf(stage, event.target || (event.keys[0] ?? ""));
  const isDown = Boolean(event.moment) || (!event.rolls.length && /ditched|comes down/.test(event.text));
  stage.ring(box);
  if (!isDown || stage.still) return stage.show();
  const [, who = "", what = "", why = ""] = /^(.*?) (comes down.*): (.*)\.$/.exec(event.text) ?? [];
  const { inner, say, close } = openScene(stage, `fall${isDark(stage)}`, who ? `${who}: ${why}` : event.text);
  stage.make("path", { class: "pb-near-hills", d: "M0 132L60 122 130 134 210 124 300 134 430 122V150H0Z" }, inner);
  const plane = bomber(stage, inner);
  stage.sound.play("engines", 1);
  const way = (/** @type {number} */ part) => ({ x: 440 - 400 * part, y: 48 + 96 * part ** 2 });
  const flight = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const { x, y } = way(part);
    return { transform: `translate(${x}px,${y}px) rotate(${-26 * part}deg)`, opacity: 1 };
  });
  const jumps = [0, 1, 2, 3, 4].map((number) => {
    const part = 0.15 + number * 0.12;
    const from = way(part);
    const man = stage.make("g", { class: "pb-canopy", opacity: 0 }, inner);
    stage.make("path", { class: "pb-lines", d: "M-9-8L0 6 9-8M-3-9L0 6 3-9" }, man);
    stage.make("path", { class: "pb-silk", d: "M-10-8Q-9-18 0-18 9-18 10-8 6-11 3.4-8 0-11-3.4-8-6-11-10-8Z" }, man);
    stage.make("circle", { class: "pb-jumper", cy: 8, r: 2.4 }, man);
    const frames = [0, 1, 2, 3, 4].map((step) => ({
      transform: `translate(${from.x + step * 3}px,${from.y + 8 + step * 13}px) rotate(${Math.sin(step * 1.6 + number) * 10}deg) scale(${Math.min(1, 0.2 + step * 0.4)})`,
      opacity: step ? 1 : 0,
    }));
    return stage.move(man, frames, FALL - 300, { delay: FALL * part, fill: "both", easing: "linear" });
  });
  await Promise.all([stage.move(plane, flight, FALL, { fill: "both", easing: "linear" }), ...jumps]);
  stage.sound.play("thud", 0.3);
  await say(what);
  await close();
  await stage.show();
}

// -- landings --

/** The class of a scene at night, by the clock in China. @param {Stage} stage */
function isDark(stage) {
  const hour = Number(/(\d\d)00 in China/.exec(stage.chart.textContent ?? "")?.[1] ?? 12);
  return hour < 6 || hour > 17 ? " pb-night" : "";
}

/** The field and the light of the last landing: a poor one is a second roll, which does not say them. */
let last = { where: "", dark: "" };

/**
 * Return who lands, and where.
 * @param {Beat} event
 * @param {Stage} stage
 */
function whoLands(event, stage) {
  const who = (event.lines.length ? event.lines : [event])
    .map(({ text }) => /^(.*?)(?:'s poor landing| lands| has landed| comes in| come in)/.exec(text)?.[1] ?? "")
    .join(", ");
  const where = / at ([^.]+)\./.exec(event.text)?.[1] ?? (event.rule === "14.1.2" ? last.where : "");
  const title = titleOf(stage, event.target);
  const light =
    event.lines.length < 2 && event.rule.startsWith("14.1.") && (last.dark ? "arrived by night" : "arrived by day");
  return [who, where || (nameIn(title) ? "" : title.replace(/[,;:].*$/, "")), light].filter(Boolean).join(" · ");
}

/**
 * Draw hills and a field with its strip and lamps.
 * @param {Stage} stage
 * @param {Element} parent
 */
function drawField(stage, parent) {
  stage.make(
    "path",
    { class: "pb-hills", d: "M0 96L36 60 70 84 112 38 150 78 190 52 236 90 280 62 330 88 380 56 430 90V150H0Z" },
    parent,
  );
  stage.make("path", { class: "pb-near-hills", d: "M0 110L60 92 130 108 210 96 300 108 430 94V150H0Z" }, parent);
  stage.make("path", { class: "pb-ground", d: "M0 116H430V150H0Z" }, parent);
  stage.make("path", { class: "pb-strip", d: "M40 126H330L352 138H18Z" }, parent);
  for (let lamp = 0; lamp < 6; lamp += 1)
    stage.make("circle", { class: "pb-lamp", cx: 52 + lamp * 56, cy: 124, r: 2.2 }, parent);
}

/** A flight has found its field: its bombers come in over the hills. @type {Effect} */
export async function comeIn(event, stage) {
  const flight = stage.find(event.keys.find((key) => key.startsWith("flight-")) ?? "");
  const members = (flight?.dataset.members ?? "").split(" ").filter(Boolean);
  const names = members.map((key) => nameIn(titleOf(stage, key))).filter(Boolean);
  const where = / at ([^.]+)\./.exec(event.text)?.[1] ?? "";
  const title = [names.join(", "), where].filter(Boolean).join(" · ");
  const { inner, say, close } = openScene(stage, `field${isDark(stage)}`, title);
  drawField(stage, inner);
  stage.sound.play("engines", 1.6);
  await Promise.all(
    Array.from({ length: Math.max(1, members.length) }, (_, number) => {
      const plane = bomber(stage, inner);
      const down = [
        { transform: "translate(470px,18px) rotate(-8deg)", opacity: 1 },
        { transform: "translate(320px,56px) rotate(-10deg)", opacity: 1, offset: 0.5 },
        { transform: `translate(${150 + number * 70}px,${90 - number * 18}px) rotate(0deg)`, opacity: 1, offset: 0.75 },
        { transform: `translate(-60px,${40 - number * 18}px) rotate(8deg)`, opacity: 1 },
      ];
      return stage.move(plane, down, 2300, { delay: number * 350, fill: "both", easing: "linear" });
    }),
  );
  await say("The field is found: the landing comes later, once every flight is down");
  await close();
  stage.ring(stage.box(event.target));
  await stage.show({ path: curve });
}

/** A bomber lands, or several land safely. @type {Effect} */
export async function landfall(event, stage) {
  const site = stage.box(event.target);
  const leave = await roll(event, stage);
  const crash = /crashes/.test(event.text);
  const hard = event.rule === "14.1.2"; // it touches down badly
  await leave();
  if (event.rule === "14.1.1") {
    const dark = event.rolls.some(({ need }) => /at night/.test(need)) ? " pb-night" : "";
    last = { where: / at ([^.]+)\./.exec(event.text)?.[1] ?? "", dark };
  }
  if (/lands badly/.test(event.text)) {
    await Promise.all([stage.show({ path: curve }), site && stage.label(site, "bad landing: how bad is it?")]);
    return;
  }
  const { inner, say, close } = openScene(stage, `field${last.dark}`, whoLands(event, stage));
  drawField(stage, inner);
  stage.sound.play("engines", 1.5);
  const planes = Array.from({ length: Math.max(1, event.lines.length) }, () => bomber(stage, inner));
  const landed = planes.map((plane, number) => {
    const end = crash ? [140, 131, 14] : /is damaged/.test(event.text) ? [96, 128, -9] : [96 + 54 * number, 125, 0];
    const bounce = [
      [240, 96, 20],
      [210, 128, -9],
    ];
    const way = [[470, 20, -10], [330, 66, -12], [256, 122, 0], ...(hard ? bounce : []), end];
    const frames = way.map(([x, y, turn]) => ({
      transform: `translate(${x}px,${y}px) rotate(${turn}deg)`,
      opacity: 1,
    }));
    return stage.move(plane, frames, 1600, { delay: number * 350, fill: "both", easing: "linear" });
  });
  await Promise.all(landed);
  stage.sound.play("thud", 0.3);
  if (crash) {
    await blastIn(stage, inner, { x: 150, y: 124 });
    for (const plane of planes) plane.classList.add("pb-burnt");
  }
  const safe = planes.length > 1 ? "all land safely" : "lands safely";
  await say(/ lands safely/.test(event.text) ? safe : event.text.replace(/^[^:]+: |\.$/g, ""));
  await close();
  stage.ring(site);
  await stage.show({ path: curve });
}

/**
 * Show words below each other, which rise next to the points.
 * @param {Stage} stage
 * @param {string[]} rows
 * @param {Box | null} [box] or next to this
 */
function sayRows(stage, rows, box = stage.box(stage.chart.querySelector(".dl-points"))) {
  const scale = Math.max(1, stage.unit);
  if (!box) return undefined;
  const top = Math.max(box.y, 60 * scale);
  return Promise.all(
    rows.map((text, row) => {
      const side = text.startsWith("−") ? "" : "pb-gain";
      return stage.label({ x: box.x, y: top + row * 25 * scale }, text, { side });
    }),
  );
}

/**
 * Say why the points have changed: next to what was bombed, else at the points.
 * @param {Beat} event
 * @param {Stage} stage
 * @param {string} before what the points came from
 * @param {string} now
 */
export function sayPoints(event, stage, before, now) {
  const read = (/** @type {string} */ text) =>
    new Map(
      [...text.matchAll(/(?:: |, )([^,:]+) ([+−]\d+)/g)].map(([, name, value]) => [
        name,
        Number(value?.replace("−", "-")),
      ]),
    );
  const [old, all] = [read(before), read(now)];
  const changes = [...new Set([...old.keys(), ...all.keys()])].flatMap((name) => {
    const change = (all.get(name) ?? 0) - (old.get(name) ?? 0);
    return change ? [{ name: uncapitalize(name ?? ""), change }] : [];
  });
  const signed = (/** @type {number} */ value) => `${value < 0 ? "−" : "+"}${Math.abs(value)}`;
  const sum = changes.reduce((total, { change }) => total + change, 0);
  const rows = changes.map(({ name, change }) => `${signed(change)}: ${name}`);
  if (rows.length > 1) rows.unshift(`${signed(sum)} ${Math.abs(sum) === 1 ? "point" : "points"}`);
  return sayRows(stage, rows, event.effect === "bombs" ? stage.box(event.target) : undefined);
}
