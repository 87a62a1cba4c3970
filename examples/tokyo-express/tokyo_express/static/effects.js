/** The named effects of Tokyo Express: gunfire, ships that burn, and torpedoes that hit. */

import { blast, splash, tracers } from "readyroom/playback/effects.js";
import { panelPlace } from "readyroom/playback/plain.js";

/** @typedef {import("readyroom/playback/stage.js").Effect} Effect */

const APART = 350; // milliseconds between explosions: under three a second

/** Cruisers and torpedo boats fire at destroyers; shots that follow each other are shown at once. @type {Effect} */
async function fire(event, stage) {
  const { near, below } = panelPlace(event, stage);
  const dice = stage.dice(event.rolls, near, { side: stage.side("usa"), below });
  stage.sound.play("guns", event.lines.length);
  const shots = event.lines.map(({ keys, target }, at) => {
    const ships = stage.center(keys.filter((key) => key !== target));
    const box = stage.box(target);
    return tracers(stage, ships?.boxes ?? [], box ? [box] : [], { count: 9, ms: 400, delay: at * APART });
  });
  await Promise.all([dice.roll(), ...shots]);
  await Promise.all([stage.show(), dice.leave()]);
}

/** Destroyers that are hit burn. @type {Effect} */
async function burn(event, stage) {
  const ships = stage.center(event.keys)?.boxes ?? [];
  stage.sound.play("boom");
  await Promise.all(ships.map((box, at) => blast(stage, box, { delay: at * APART })));
  await stage.show();
}

/** Torpedoes hit cruisers. @type {Effect} */
async function struck(event, stage) {
  const ships = stage.center(event.keys)?.boxes ?? [];
  stage.sound.play("thud");
  await Promise.all(ships.map((box, at) => splash(stage, box, { delay: at * APART })));
  await stage.show();
}

/** The effects that show several events with dice at once. */
export const together = new Set(["fire"]);

/** @type {Record<string, Effect>} */
export const effects = { burn, fire, struck };
