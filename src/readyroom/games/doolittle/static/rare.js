/** The effects of The Doolittle Raid that are seen seldom: the news, and an alert. */

import { plain } from "readyroom/playback/plain.js";

/**
 * @typedef {import("readyroom/playback/stage.js").Effect} Effect
 */

/** A newspaper with a headline flies in. @type {Effect} */
export async function frontPage(event, stage) {
  if (!event.moment || stage.still) return plain(event, stage);
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
