/** What of the sound is seldom needed: its offer; a list of all sounds, each a button that plays it; and their test. */

import { announce, query } from "../dom.js";
import { recall, remember } from "./settings.js";

/** @typedef {import("./voices.js").SoundName} SoundName */

const OFFERED = "readyroom-sound-offered";
const OFFER_TIME = 9000; // milliseconds

/** What is heard, with the numbers that it is played with. @type {Record<SoundName, [text: string, ...args: number[]]>} */
export const LEGEND = {
  dice: ["Dice", 6],
  engines: ["Aircraft pass", 2],
  land: ["Aircraft lands"],
  guns: ["Machine guns", 4],
  salvo: ["Ship's guns", 3],
  flak: ["Anti-aircraft fire", 10],
  dive: ["Dive"],
  fall: ["Bombs fall"],
  boom: ["Explosion", 0, 0.9],
  splash: ["Miss in water"],
  torpedo: ["Torpedo"],
  depth: ["Depth charges"],
  ping: ["Sonar"],
  fire: ["Fire", 1.5],
  rush: ["Flooding"],
  sink: ["Ship sinks"],
  thud: ["Loss, damage"],
  tick: ["Damage box", 2],
  blip: ["Radar"],
  phone: ["Telephone"],
  morse: ["Radio message"],
  alarm: ["Alarm"],
  card: ["Card"],
  seal: ["Sealed plan"],
  bell: ["Your turn", 2],
  victory: ["Victory"],
  defeat: ["Defeat"],
};
/** What a test plays, and when in milliseconds. @type {[name: SoundName, ms: number][]} */
const SAMPLES = [
  ["dice", 0],
  ["engines", 700],
  ["flak", 2500],
  ["fall", 3700],
  ["boom", 4600],
  ["bell", 5900],
];

/** Offer the sound at its button, once. */
export function offer() {
  const button = query("#sound");
  if (!button || recall(OFFERED)) return;
  remember(OFFERED, "yes");
  button.dataset.hint = "Battles have sound:";
  announce("Battles have sound: switch it on below the board.");
  setTimeout(() => delete button.dataset.hint, OFFER_TIME);
}

/**
 * Show the list in the settings of the sound, and play the samples.
 * @param {(name: SoundName, args: number[]) => void} play
 */
export function test(play) {
  query(".sound-legend")?.remove();
  const list = Object.assign(document.createElement("div"), { className: "sound-legend" });
  list.setAttribute("role", "group");
  list.setAttribute("aria-label", "Sounds");
  /** @type {Map<SoundName, () => void>} */
  const plays = new Map();
  for (const [name, [text, ...args]] of /** @type {[SoundName, [string, ...number[]]][]} */ (Object.entries(LEGEND))) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    const flash = () => {
      play(name, args);
      button.animate([{ background: "var(--choice)" }, {}], 900);
    };
    button.addEventListener("click", flash);
    plays.set(name, flash);
    list.append(button);
  }
  query(".sound-panel")?.append(list);
  for (const [name, ms] of SAMPLES) setTimeout(() => list.isConnected && plays.get(name)?.(), ms);
}
