/** Effects of Picket Duty that are seen seldom: evasion, ammunition, the weather, and a ship that sinks. */

import { plain } from "readyroom/playback/plain.js";
import { blast } from "readyroom/playback/effects.js";
import { at, PULSE, roll, showGauges } from "./effects.js";

/** @typedef {import("readyroom/playback/stage.js").Effect} Effect */

/** @type {Effect} */
export async function evade(event, stage) {
  const leave = await roll(event, stage);
  await Promise.all([leave(), stage.show()]);
  const [ship, box] = [stage.find("ship"), stage.box("ship")];
  if (!ship || !box || !/succeed/.test(event.text)) return;
  const pose = stage.poser(ship);
  stage.sound.play("rush");
  const frames = [0, 9, 12, -8, -10, 0].map((turn, step) => ({
    transform: pose({ turn, x: box.x + Math.sin(step) * 10, y: box.y + turn }),
  }));
  await stage.move(ship, frames, 1500);
}

/** @type {Effect} */
export async function ammunition(event, stage) {
  const leave = await roll(event, stage);
  const box = stage.box(event.target);
  if (box) {
    stage.ring(box);
    for (let shell = 0; shell < 5; shell += 1) {
      const round = stage.make("path", { class: "pb-shell", d: "M-2 6V-2Q-2-6 0-8 2-6 2-2V6Z", opacity: 0 });
      const x = box.x - 20 + shell * 12;
      const frames = [
        { transform: `translate(${x}px,${box.y}px)`, opacity: 1 },
        { transform: `translate(${x + 8}px,${box.y + 34}px) rotate(${90 + shell * 40}deg)`, opacity: 0 },
      ];
      stage.flash(round, frames, 620, { delay: shell * 90, easing: "ease-in" });
    }
  }
  await Promise.all([leave(), stage.show(), stage.wait(700)]);
}

/** @type {Effect} */
export async function weather(event, stage) {
  await plain(event, stage);
  const [sea, name] = [stage.box("sea"), stage.find("weather")?.querySelector("title")?.textContent ?? ""];
  if (!sea || stage.still || !/rain|storm/.test(name)) return;
  const count = /storm/.test(name) ? 46 : 28;
  await Promise.all(
    Array.from({ length: count }, (_, drop) => {
      const x = sea.x - sea.w / 2 + ((drop * 73) % 100) * 0.01 * sea.w;
      const y = sea.y - sea.h / 2 + ((drop * 37) % 70) * 0.01 * sea.h;
      const rain = stage.make("path", { class: "pb-rain", d: "M0 0L-7 18", opacity: 0 });
      const frames = [
        { transform: `translate(${x}px,${y}px)`, opacity: 0.9 },
        { transform: `translate(${x - 34}px,${y + 86}px)`, opacity: 0 },
      ];
      return stage.flash(rain, frames, 520, { delay: (drop % 12) * 70, easing: "linear" });
    }),
  );
}

/** @type {Effect} */
export async function list(event, stage) {
  const leave = await roll(event, stage);
  const ship = stage.find("ship");
  const wasLost = ship?.classList.contains("pk-lost");
  const pose = ship && stage.poser(ship);
  await Promise.all([leave(), showGauges(stage)]);
  const [now, box] = [stage.find("ship"), stage.box("ship")];
  if (now && box && pose && !wasLost && now.classList.contains("pk-lost")) {
    stage.spot(box, 260);
    stage.sound.play("boom", 0, 0.8);
    stage.sound.play("sink");
    for (const [number, dx] of [-90, 60, -10].entries())
      blast(stage, { x: box.x + dx, y: box.y }, { delay: number * PULSE, size: 1.3 });
    stage.smoke(box, { count: 16, delay: 200, height: 90 });
    for (let ring = 0; ring < 3; ring += 1) {
      const ripple = stage.make("ellipse", { class: "pb-ripple", rx: 120, ry: 34, opacity: 0 });
      const here = at(box);
      stage.flash(
        ripple,
        [
          { transform: `${here} scale(.4)`, opacity: 0.9 },
          { transform: `${here} scale(1.7)`, opacity: 0 },
        ],
        1500,
        { delay: 700 + ring * 420 },
      );
    }
    const [up, down_] = [pose({ turn: 0 }), pose({ turn: 14, y: box.y + 16, scale: 0.94 })];
    await stage.move(
      now,
      [
        { transform: up, opacity: 1 },
        { transform: down_, opacity: 0.75, offset: 0.7 },
        { transform: pose(), opacity: 0.4 },
      ],
      2600,
    );
    stage.brighten();
  } else stage.ring(box);
}
