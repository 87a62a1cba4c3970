/** Effects of Picket Duty that are seen seldom: evasion, ammunition, and the weather. */

import { plain } from "readyroom/playback/plain.js";
import { roll } from "./effects.js";

/** @typedef {import("readyroom/playback/stage.js").Effect} Effect */

/** @type {Effect} */
export async function evade(event, stage) {
  const leave = await roll(event, stage);
  await Promise.all([leave(), stage.show()]);
  const [ship, box] = [stage.find("ship"), stage.box("ship")];
  if (!ship || !box || !/succeed/.test(event.text)) return;
  const pose = stage.poser(ship);
  stage.sound.play("engines", 1);
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
