/** Effects of Strategic War that are seen seldom: cards that are dealt and played, and factors that move. */

import { NARROW, NOTED } from "./effects.js";
import { curve, formation, labelChanges, picture, rollsPanel, showAndCount, travel } from "./strategic.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Beat} Beat
 * @typedef {import("readyroom/playback/stage.js").Box} Box
 * @typedef {import("readyroom/playback/stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 */

/**
 * A quarter begins, and cards are dealt: the date, a die for each hand, and the cards.
 * @param {Beat} event
 * @param {Stage} stage
 * @param {{near: Point, below: boolean}} place of the dice
 */
export async function deal(event, stage, place) {
  const [season] = event.lines.filter(({ rule }) => rule === "SW.1");
  const dealt = event.lines.filter(({ rolls }) => rolls.length);
  if (season) await stage.show({ cuts: true }, event.lines.indexOf(season)); // the date is not later than its mark
  const date = season ? announceSeason(stage, season) : undefined;
  if (!dealt.length) {
    await Promise.all([stage.show(), date, stage.wait(400)]);
    return;
  }
  const parts = ["Ultra", "Magic"]
    .map((theater) => ({
      title: `${theater}: intelligence cards`,
      rows: dealt
        .filter(({ text }) => text.includes(theater))
        .map(({ rolls, target, text }) => ({
          rolls,
          note: [rolls[0]?.need ?? ""],
          text: text.replace(/ for (Ultra|Magic)\.$|\.$/, "").replace(/these (Ultra|Magic) cards: /, ""),
          end: "",
          side: stage.side(stage.find(target)),
        })),
    }))
    .filter(({ rows }) => rows.length);
  if (stage.size.width < NARROW) await date; // there is no room for both
  const panel = rollsPanel(stage, parts, place);
  await stage.wait(NOTED);
  await Promise.all(parts.map((_, at) => panel.roll(at)));
  await Promise.all([panel.leave(), date]);
  await Promise.all([stage.show(), stage.wait(500)]);
}

/**
 * Write the name of a quarter over the map; in winter it snows.
 * @param {Stage} stage
 * @param {PlayedEvent} line
 */
function announceSeason(stage, { text, target }) {
  const { width } = stage.size;
  stage.sound.play("card");
  const name = text.replace(/ begins\..*$/, "");
  const words = stage.make("text", { class: "pb-season", opacity: 0 });
  words.textContent = name;
  const marks = [".sw-lane", ".sw-city"]
    .flatMap((kind) => [...stage.chart.querySelectorAll(kind)])
    .map((mark) => stage.box(mark))
    .filter((box) => box !== null);
  const [left, right] = [
    Math.min(...marks.map(({ x, w }) => x - w / 2)),
    Math.max(...marks.map(({ x, w }) => x + w / 2)),
  ];
  const seas = [...stage.chart.querySelectorAll(".sw-zone")].map((sea) => stage.box(sea));
  const above = Math.min(...seas.map((box) => (box ? box.y - box.h / 2 - 8 : Infinity)));
  const y = width < NARROW && seas.length ? above : Math.max(width * 0.18, marks[0]?.y ?? 150);
  const at = { x: marks.length ? (left + right) / 2 : width / 3, y };
  const scale = Math.min(1, width / 700);
  const frames = [
    { transform: `translate(${at.x}px,${at.y + 10}px) scale(${scale})`, opacity: 0 },
    { transform: `translate(${at.x}px,${at.y}px) scale(${scale})`, opacity: 1, offset: 0.2 },
    { transform: `translate(${at.x}px,${at.y}px) scale(${scale})`, opacity: 1, offset: 0.75 },
    { transform: `translate(${at.x}px,${at.y - 6}px) scale(${scale})`, opacity: 0 },
  ];
  const flakes = /^Winter/.test(name) ? 26 : 0;
  for (let flake = 0; flake < flakes; flake += 1) {
    const snow = stage.make("circle", { class: "pb-snow", r: 2 + (flake % 3), opacity: 0 });
    const [x, y] = [((flake * 0.381) % 1) * width, 40 + ((flake * 0.273) % 1) * 120];
    const fallen = [
      { transform: `translate(${x}px,${y}px)`, opacity: 0 },
      { transform: `translate(${x + 10}px,${y + 60}px)`, opacity: 0.9, offset: 0.4 },
      { transform: `translate(${x - 6}px,${y + 170}px)`, opacity: 0 },
    ];
    stage.flash(snow, fallen, 1500, { delay: (flake % 7) * 60, easing: "linear" });
  }
  return Promise.all([stage.flash(words, frames, 1600), stage.ring(stage.box(target))]);
}

/**
 * Play cards: the envelope of each rises from its hand and opens.
 * @param {PlayedEvent[]} cards
 * @param {Stage} stage
 */
export async function play(cards, stage) {
  await Promise.all(
    cards.map((line, at) => {
      const hand = stage.box(line.target);
      return hand ? envelope(stage, hand, line.text, at) : undefined;
    }),
  );
}

/**
 * An envelope rises from a hand of cards, opens, and shows the card.
 * @param {Stage} stage
 * @param {Box} hand
 * @param {string} text the line that says which card it is
 * @param {number} number of the card, as several are played at once
 */
async function envelope(stage, hand, text, number) {
  const { unit, size } = stage;
  const aside = size.width < NARROW ? number * 92 * unit : 0; // there, all hands are below each other
  const [map, other] = [...stage.chart.querySelectorAll("[data-scene]")].map((scene) => stage.box(scene));
  const isFree = map && !other && size.width >= NARROW; // next to a large map, they hide nothing on its lower end
  const to = {
    x: isFree
      ? map.x + map.w / 2 - (150 - number * 100) * unit
      : Math.max(80, Math.min(size.width - 80, hand.x + aside)),
    y: isFree ? map.y + map.h * 0.3 : hand.y > size.height / 2 ? hand.y - 90 * unit : hand.y + 90 * unit,
  };
  const side = stage.side(/Axis/.test(text) ? "axis" : "allies");
  const group = stage.make("g", { class: `pb-envelope ${side}`, opacity: 0 });
  stage.make("path", { class: "pb-back", d: "M-42-26H42V28H-42Z" }, group);
  const flap = stage.make("path", { class: "pb-flap", d: "M-42-26L0 8 42-26Z" }, group);
  const card = stage.make("g", { opacity: 0 }, group);
  stage.make("rect", { class: "pb-letter", x: -36, y: -22, width: 72, height: 44, rx: 2 }, card);
  const kind = /(submarine|strategic) card/.exec(text)?.[1] ?? "";
  stage.make("text", { y: -5 }, card).textContent = kind === "submarine" ? "Submarines" : "Bombing";
  const places = (/\((.*)\)/.exec(text)?.[1] ?? "").split(", ");
  places.forEach((place, at) => {
    stage.make("text", { y: 6 + at * 10, class: "pb-where" }, card).textContent = place;
  });
  stage.make("path", { class: "pb-front", d: "M-42-26L0 12 42-26V28H-42Z" }, group);
  stage.sound.play("card");
  const rise = [
    { transform: `translate(${hand.x}px,${hand.y}px) scale(${0.3 * unit})`, opacity: 0 },
    { transform: `translate(${to.x}px,${to.y}px) scale(${unit})`, opacity: 1 },
  ];
  await stage.move(group, rise, 420, { delay: number * 200, fill: "both", easing: "ease-out" });
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
  stage.sound.play("bell");
  await stage.wait(700);
  await stage.flash(group, [{ opacity: 1 }, { opacity: 0 }], 250, { fill: "forwards" });
}

/**
 * Factors that move from one sea or base to another: ships and aircraft on their way.
 * @param {Beat} event
 * @param {Stage} stage
 */
export async function convoy(event, stage) {
  const moves = event.lines.map(({ keys: [from = "", to = ""] }) => {
    const [start, end, piece] = [stage.box(from), stage.box(to), stage.find(to)];
    if (!start || !end || !piece) return undefined;
    const name = /pc-[\w-]+$/.exec(piece.querySelector("use")?.getAttribute("href") ?? "")?.[0] ?? "pc-sw-merchant";
    const side = stage.side(piece);
    if (name === "pc-sw-bomber") return formation(stage, name, side, [start], [end], { count: 4, ms: 1300 });
    return Promise.all(
      [0, 1, 2].map((at) => {
        const ship = picture(stage, name, side, { size: 0.55 });
        return travel(stage, ship, curve(start, end, 0.12), 1100, { delay: at * 90, vanish: true });
      }),
    );
  });
  const changes = stage.wait(700).then(() => showAndCount(stage, event.keys));
  await Promise.all([...moves, changes.then((some) => labelChanges(stage, some))]);
}
