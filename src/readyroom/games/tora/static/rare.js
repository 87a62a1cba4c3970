/** The effects of Tora! Tora! Tora! that are seen seldom: the plans are sealed, the day comes, a luck card is drawn. */

import { plain } from "readyroom/playback/plain.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 * @typedef {import("readyroom/playback/stage.js").Point} Point
 * @typedef {import("readyroom/playback/stage.js").Stage} Stage
 */

const SUITS = /** @type {Record<string, string>} */ ({ hearts: "♥", diamonds: "♦", spades: "♠", clubs: "♣" });

/** How large small things are drawn: as on a wide board, larger where a pixel of the page is longer. */
const sizeOn = (/** @type {Stage} */ stage) => Math.max(1, Math.min(1.8, stage.unit));

/** Each plan goes into an envelope, which is closed and sealed, and lies on its side's sheet. @type {Effect} */
export async function seal(event, stage) {
  const { width, height } = stage.size;
  const scale = Math.min(2.1, width / 330);
  const middle = { x: width / 2, y: Math.min(height / 2, 300) };
  stage.spot(middle, 300);
  await Promise.all(
    event.lines.map(async ({ target }, at) => {
      const side = target.split("-")[0] ?? "";
      const aside = (at - (event.lines.length - 1) / 2) * 118 * scale;
      const place = { x: middle.x + aside, y: middle.y };
      const envelope = stage.make("g", { class: `pb-envelope ${stage.side(side)}`, opacity: 0 });
      stage.make("path", { class: "pb-envelope-back", d: "M-50-32H50V34H-50Z" }, envelope);
      const paper = stage.make("g", {}, envelope);
      stage.make("path", { class: "pb-envelope-paper", d: "M-43-30H43V24H-43Z" }, paper);
      stage.make("text", { class: "pb-envelope-words", y: -13 }, paper).textContent = "TOP SECRET";
      stage.make("path", { class: "pb-envelope-front", d: "M-50-32 0 6 50-32V34H-50Z" }, envelope);
      const flap = stage.make("path", { class: "pb-envelope-flap", d: "M-50-32H50L0 10Z" }, envelope);
      const wax = stage.make("g", {}, envelope);
      stage.make("circle", { class: "pb-wax", r: 12, cy: 6 }, wax);
      stage.make("use", { href: `#pc-mark-${side}`, transform: "translate(0 6) scale(1.7)" }, wax);
      const delay = at * 350;
      const still = { fill: /** @type {FillMode} */ ("both") };
      const flat = (/** @type {Point} */ point, /** @type {number} */ size) =>
        `translate(${point.x}px,${point.y}px) scale(${size})`;
      const up = [{ transform: "translateY(-34px)" }, { transform: "translateY(0px)" }];
      const closing = [
        { transform: "translateY(-64px) scaleY(-1)" },
        { transform: "translateY(-32px) scaleY(0)" },
        { transform: "translateY(0px) scaleY(1)" },
      ];
      const stamp = [
        { transform: "scale(2.6)", opacity: 0 },
        { transform: "scale(1)", opacity: 1 },
      ];
      await Promise.all([
        stage.move(
          envelope,
          [
            { transform: flat(place, scale * 0.8), opacity: 0 },
            { transform: flat(place, scale), opacity: 1 },
          ],
          240,
          { ...still, delay },
        ),
        stage.move(paper, up, 400, { ...still, delay: delay + 200 }),
        stage.move(flap, closing, 320, { ...still, delay: delay + 540 }),
        stage.move(wax, stamp, 220, { ...still, delay: delay + 820, easing: "ease-in" }),
        stage.wait(delay + 730).then(() => stage.sound.play("seal")),
      ]);
      await stage.wait(450);
      const home = stage.box(target) ?? place;
      const away = [
        { transform: flat(place, scale), opacity: 1 },
        { transform: flat(home, 0.35), opacity: 0.2 },
      ];
      await stage.flash(envelope, away, 450, still);
    }),
  );
  await stage.show();
}

/** The leaves of the calendar turn up to the day of the attack. @type {Effect} */
export async function day(event, stage) {
  const [, month = "", number = ""] = /on (\w+) (\d+)/.exec(event.text) ?? [];
  if (!number || stage.still) return plain(event, stage);
  const { width, height } = stage.size;
  const scale = Math.min(2.4, width / 260);
  const place = { x: width / 2, y: Math.min(height / 2, 290) };
  stage.spot(place, 240);
  const calendar = stage.make("g", {
    class: "pb-calendar",
    transform: `translate(${place.x} ${place.y}) scale(${scale})`,
  });
  const leaf = (/** @type {number} */ on) => {
    const group = stage.make("g", {}, calendar);
    stage.make("rect", { class: "pb-leaf", x: -32, y: -36, width: 64, height: 72, rx: 3 }, group);
    stage.make("rect", { class: "pb-leaf-head", x: -32, y: -36, width: 64, height: 17, rx: 3 }, group);
    stage.make("text", { class: "pb-leaf-month", y: -24 }, group).textContent = month;
    stage.make("text", { class: "pb-leaf-day", y: 24 }, group).textContent = String(on);
    return group;
  };
  const last = Number(number);
  const leaves = Array.from({ length: last }, (_, at) => leaf(last - at)); // the first day lies on top
  const fade = stage.move(calendar, [{ opacity: 0 }, { opacity: 1 }], 240);
  const torn = leaves.slice(1).reverse();
  const turns = torn.map((group, at) => {
    const delay = 420 + at * 110;
    stage.wait(delay).then(() => stage.sound.play("card"));
    const frames = [
      { transform: "translateY(0px) rotate(0deg)", opacity: 1 },
      { transform: "translate(26px,58px) rotate(24deg)", opacity: 0 },
    ];
    return stage.move(group, frames, 300, { delay, fill: "both", easing: "ease-in" });
  });
  await Promise.all([fade, ...turns]);
  stage.sound.play("bell");
  await stage.wait(1100);
  await Promise.all([stage.show(), stage.flash(calendar, [{ opacity: 1 }, { opacity: 0 }], 300)]);
}

/** The top card of the luck deck turns over; a black one sends the task force home. @type {Effect} */
export async function card(event, stage) {
  const deck = stage.box(event.target);
  if (!deck) return stage.show({ gone: "fall" });
  const { width } = stage.size;
  const scale = sizeOn(stage);
  const up = { x: Math.max(70, Math.min(width - 70, deck.x - 40)), y: deck.y + 92 * scale };
  const from = { x: deck.x - 12, y: deck.y };
  stage.spot(up, 110);
  const back = stage.make("g", { class: "pb-luck" });
  stage.make("rect", { class: "pb-luck-back", x: -32, y: -45, width: 64, height: 90, rx: 6 }, back);
  stage.make("rect", { class: "pb-luck-frame", x: -26, y: -39, width: 52, height: 78, rx: 4 }, back);
  const flat = (/** @type {Point} */ point, /** @type {number} */ size, /** @type {number} */ wide = 1) =>
    `translate(${point.x}px,${point.y}px) scale(${size * wide},${size})`;
  stage.sound.play("tick", 0);
  await stage.move(back, [{ transform: flat(from, 0.35) }, { transform: flat(up, scale) }], 520, { fill: "both" });
  await stage.wait(450);
  await stage.move(back, [{ transform: flat(up, scale) }, { transform: flat(up, scale, 0.02) }], 220, {
    fill: "both",
    easing: "ease-in",
  });
  back.remove();
  const [, rank = "", suit = ""] = /the (\w+) of (\w+)/.exec(event.text) ?? [];
  const face = stage.make("g", { class: `pb-luck${suit === "hearts" || suit === "diamonds" ? " pb-red" : ""}` });
  stage.make("rect", { class: "pb-luck-face", x: -32, y: -45, width: 64, height: 90, rx: 6 }, face);
  stage.make("text", { class: "pb-luck-rank", y: 2 }, face).textContent = rank === "ace" ? "A" : rank;
  stage.make("text", { class: "pb-luck-suit", y: 34 }, face).textContent = SUITS[suit] ?? "";
  stage.sound.play("card");
  await stage.move(face, [{ transform: flat(up, scale, 0.02) }, { transform: flat(up, scale) }], 220, {
    fill: "both",
    easing: "ease-out",
  });
  if (suit === "spades" || suit === "clubs") stage.sound.play("bell");
  await stage.wait(1100);
  await stage.show();
  await stage.flash(
    face,
    [
      { transform: flat(up, scale), opacity: 1 },
      { transform: flat(from, 0.35), opacity: 0 },
    ],
    380,
    { fill: "both" },
  );
}
