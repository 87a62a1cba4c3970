/** What the server says happened: events in beats, and the drawing at each. */

/**
 * @typedef {import("./stage.js").Beat} Beat
 * @typedef {import("./stage.js").Change} Change
 * @typedef {import("./stage.js").PlayedEvent} PlayedEvent
 * @typedef {import("./stage.js").Roll} Roll
 * @typedef {import("./stage.js").Together} Together
 * @typedef {{before: string[], omitted: number, events: PlayedEvent[], colours: Record<string, string>}} Playback
 */

const TOGETHER = 4; // the most events of a beat
const MOST = 16; // where an effect shows several events with their dice at once
const PARTS = /(id="|#)(?=pc-)/g; // where a drawing names or uses one of its parts

const SIGHT = 1200; // milliseconds that a beat takes about, and one with dice
const ROLLING = 2400;
const USUAL = 6500; // milliseconds that an ordinary answer plays at most, about, and a whole strike
const LONG = 9500;
const FEW = 2; // beats with dice in an ordinary answer
const FASTEST = 2; // beyond it, one cannot follow what happens

/** Kinds of which consecutive events are one beat; at fast speed also of different kinds. */
const GROUPED = new Set(["move", "hit", "reveal", "draw"]);
/** Kinds that only say what was ordered. */
const ORDERS = new Set(["move", "note"]);
const LIST = 4; // items that make a list, not a sentence with commas
const CAPTION = 95; // letters of what is said before dice and of what they are for
const ASK = 150; // letters of what a roll needs
const ROLLED = "rolling the dice";
const QUESTION = 70; // letters of what several rolls are for

/**
 * Return the lines of a drawing after some of them have changed.
 * @param {string[]} lines
 * @param {Change[]} changes
 */
export function applyChanges(lines, changes) {
  /** @type {string[]} */
  const result = [];
  let at = 0;
  for (const [start, count, put] of changes) {
    result.push(...lines.slice(at, start), ...put);
    at = start + count;
  }
  return [...result, ...lines.slice(at)];
}

/**
 * Return the drawing before the first event and the one at each event, as HTML.
 * @param {Playback} playback
 * @param {string} [prefix] what the ids of the board's parts start with on the page
 */
export function unfold({ before, events }, prefix = "") {
  const frames = [before];
  for (const { frame } of events) frames.push(applyChanges(/** @type {string[]} */ (frames.at(-1)), frame));
  return frames.map((lines) => lines.join("\n").replace(PARTS, `$1${prefix}`));
}

/**
 * Return what a caption says of lines of the log: where they are too long, without longer notes in brackets, and the first of them
 * or the first items of a list, and how many more there are.
 * @param {string[]} lines
 * @param {number} most letters
 */
export function captionOf(lines, most) {
  const plain = lines.map((text) => text.replace(/ \(result [^)]*\)/, ""));
  const texts = plain.join(" ").length <= most ? plain : plain.map((text) => text.replace(/ \([^()]* [^()]*\)/g, ""));
  const [first = ""] = texts;
  let count = texts.length;
  const more = () => (count < texts.length ? ` And ${texts.length - count} more.` : "");
  const joined = () => texts.slice(0, count).join(" ") + more();
  while (count > 1 && joined().length > most) count -= 1;
  const items = first.split(/, | and (?=[^,]*$)/);
  if (joined().length <= most || items.length < LIST || !first.includes(": ")) return joined();
  let kept = items.length;
  const rest = () => ` and ${items.length - kept} more.${more()}`;
  while (kept > 1 && items.slice(0, kept).join(", ").length + rest().length > most) kept -= 1;
  return kept < items.length ? items.slice(0, kept).join(", ") + rest() : joined();
}

/**
 * Return whether an event can be shown together with those of a beat.
 * @param {Beat} beat
 * @param {PlayedEvent} event
 * @param {Together} together
 * @param {boolean} isFast
 */
function belongsTo(beat, event, together, isFast) {
  const isSame = (/** @type {string} */ name) => Reflect.get(beat, name) === Reflect.get(event, name);
  if (!["phase", "turn"].every(isSame) || beat.moment || event.moment) return false;
  if (!isSame("effect") && (!isFast || together.has(beat.effect) || together.has(event.effect))) return false;
  if (together.has(event.effect)) {
    const limit = (together instanceof Map && together.get(event.effect)) || MOST;
    return typeof limit === "function" ? limit(beat.lines, event) : beat.lines.length < limit;
  }
  const hasDice = beat.rolls.length > 0 || event.rolls.length > 0;
  const isAlike = isSame("kind") || (isFast && GROUPED.has(beat.kind));
  return GROUPED.has(event.kind) && isAlike && !hasDice && beat.lines.length < TOGETHER;
}

/**
 * Group events into beats: those that follow each other in a phase with the same effect and without dice are one, and
 * those of effects that show several at once. At fast speed, lesser events with different effects are one, with the plain effect.
 * @param {PlayedEvent[]} events
 * @param {Together} [together] the names of these effects
 * @param {boolean} [isFast]
 * @returns {Beat[]}
 */
export function groupEvents(events, together = new Set(), isFast = false) {
  /** @type {Beat[]} */
  const beats = [];
  for (const event of events) {
    const last = beats.at(-1);
    if (last && belongsTo(last, event, together, isFast)) {
      last.lines.push(event);
      if (last.effect !== event.effect) last.effect = "";
      last.rolls = [...last.rolls, ...event.rolls];
      last.keys = [...new Set([...last.keys, ...event.keys])];
      last.target ||= event.target;
      if (event.kind === "hit" || event.kind === "sink") last.kind = event.kind;
    } else beats.push({ ...event, lines: [event] });
  }
  return beats;
}

/**
 * Return how long a playback may take at normal speed, without its cards: longer with big moments or many dice.
 * @param {Beat[]} beats
 */
export function budgetOf(beats) {
  const isLong = beats.some(({ moment }) => moment) || beats.filter(({ rolls }) => rolls.length).length > FEW;
  return isLong ? LONG : USUAL;
}

/**
 * Return by how much beats must be faster than each alone would be, so that they take no longer than this; 1 if they are short.
 * @param {Beat[]} beats
 * @param {number} budget in milliseconds
 * @param {(beat: Beat) => number} readingTime of what is said of a beat, in milliseconds
 */
export function speedUpFor(beats, budget, readingTime) {
  const ms = beats.reduce((sum, beat) => sum + Math.max(beat.rolls.length ? ROLLING : SIGHT, readingTime(beat)), 0);
  return budget > 0 ? Math.max(1, Math.min(FASTEST, ms / budget)) : FASTEST;
}

/**
 * Return what a caption says of a beat while its dice roll: the lines before them, or what they are for; of many, the first.
 * What comes of them must not be said before the dice show it.
 * @param {Beat} beat
 */
export function questionOf(beat) {
  const before = beat.lines.slice(
    0,
    beat.lines.findIndex(({ rolls }) => rolls.length),
  );
  const all = [...new Set(beat.rolls.map(({ name }) => name))];
  const joined = all.join(" · ");
  const names = joined.length > QUESTION ? (all[0] ?? "") : joined;
  const [ask = "", ...others] = new Set(beat.rolls.map((roll) => roll.ask));
  const [need, ...differing] = new Set(
    beat.rolls.map((roll) => roll.need.replace(/^\d+ (dice|die) (hit|score)s? /, "$2 ")),
  );
  const isLong = ask.length > ASK; // the panel says what they need
  const end = `: ${!isLong && need && !differing.length ? need : ROLLED}.`;
  const what = others.length || isLong ? `${names}${end}`.replace(/\?: .*/, "?") : ask;
  const said = before.map(({ caption }) => caption).join(" ");
  return said && said.length + what.length > CAPTION ? said : `${said} ${what}`.trim();
}

/**
 * Return what a caption says when dice of a beat have landed: its lines, or those with these dice.
 * @param {Beat} beat
 * @param {Roll[]} landed
 */
export function textsOf({ lines, rolls: all }, landed) {
  const isDown = (/** @type {Roll} */ { rounds }) => landed.some((roll) => roll.rounds === rounds);
  return lines.filter(({ rolls }) => landed.length === all.length || rolls.some(isDown)).map(({ caption }) => caption);
}

/**
 * Return how many of these events, from the first on, only show what the player has just ordered.
 * @param {PlayedEvent[]} events
 */
export function countOrders(events) {
  const next = events.findIndex(
    ({ own, kind, rolls, moment }) => !own || rolls.length > 0 || moment !== "" || !ORDERS.has(kind),
  );
  return next < 0 ? events.length : next;
}
