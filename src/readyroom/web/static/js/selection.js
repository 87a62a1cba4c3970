/**
 * What is selected in answer to a decision: its limits, its cost and its descriptions. No function here uses the DOM.
 *
 * @typedef {object} Option
 * @property {string} key
 * @property {string} text
 * @property {number} count how often it is selected
 * @property {number} limit how often it may be selected
 * @property {number} cost in points
 * @property {string} purse what pays for it; empty if all options share one budget
 * @property {string} [piece] the piece that it assigns to a place; only one option of a piece may be selected
 *
 * @typedef {object} Selection
 * @property {"one" | "some" | "allot"} kind
 * @property {number} least
 * @property {number} most
 * @property {number | null} budget
 * @property {string} unit what the budget counts, in the plural
 * @property {Option[]} options
 * @property {boolean} [sheet] whether the options are the cells of a table
 * @property {string[]} [order] the selected keys in their order, if the order counts
 */

const NAMED = 3; // more names than this are counted instead
const SHORT = 24; // characters of names that fit on the confirm button
/** Where something goes or comes from, at the end of its name. */
const PLACE = /(?:[,:]| \(| against | for | from | on | to | with ).*$/;
const ONE = /^1 ((?:(?! of | from )[^,])+)((?:,| of | from ).*)?$/;
/** A name with its number; a place such as "to 2NW" is none. */
const NUMBERED = /^((?:[^\d(]*\s)?(?!(?:at|from|in|of|on|over|the|to|with)\s)[^\d(\s]*\S)\s+\d.*$/;

/**
 * Return how many options are selected, each as often as it is selected.
 * @param {Option[]} options
 */
export function countSelected(options) {
  return options.reduce((total, { count }) => total + count, 0);
}

/**
 * Return the points that are spent, by purse.
 * @param {Option[]} options
 * @returns {Map<string, number>}
 */
export function pointsSpent(options) {
  const spent = new Map();
  for (const { purse, cost, count } of options) {
    if (count) spent.set(purse, (spent.get(purse) ?? 0) + cost * count);
  }
  return spent;
}

/**
 * Return the options that can be selected, without those whose purse has too little left for their piece.
 * @param {Selection} selection
 */
export function affordable({ options, budget }) {
  const isPaid = (/** @type {Option} */ { piece, purse, cost, count }) =>
    !piece || !purse || count || sum(purse, piece) + cost <= (budget ?? 0);
  const sum = (/** @type {string} */ purse, /** @type {string} */ piece) =>
    pointsSpent(options.filter((other) => other.piece !== piece)).get(purse) ?? 0;
  return options.filter(isPaid);
}

/**
 * Return the keys of what is selected, as text.
 * @param {Selection} selection
 */
export const keysText = ({ options, order }) =>
  (order ?? options.flatMap(({ key, count }) => Array.from({ length: count }, () => key))).join(" ");

/**
 * Return what makes a selection invalid, in a sentence; empty if it is valid.
 * @param {Selection} selection
 */
export function problemOf({ kind, least, most, budget, unit, options }) {
  const count = countSelected(options);
  const overspent = budget !== null && [...pointsSpent(options)].find(([, points]) => points > budget);
  if (overspent) {
    const [purse, points] = overspent;
    return `${purse ? `${purse}: ` : ""}${points} ${unit}, ${points - budget} more than ${budget}.`;
  }
  if (options.some((option) => option.count > option.limit)) return "One option exceeds its limit.";
  const pieces = options.filter(({ piece, count: times }) => piece && times).map(({ piece }) => piece);
  if (new Set(pieces).size < pieces.length) return "One piece has two places.";
  if (count > most) return `Deselect ${count - most}.`;
  if (count >= least) return "";
  if (kind === "one") return "Choose one.";
  return `${kind === "allot" ? "Allocate" : "Choose"} ${least - count} more.`;
}

/**
 * Describe how much is selected and what it costs: "2 selected, 10 of 20 points".
 * @param {Selection} selection
 */
export function tally(selection) {
  const { kind, least, budget, unit, options, order } = selection;
  const count = countSelected(options);
  const problem = problemOf(selection);
  if (kind === "one") return "";
  if (kind === "allot") return problem || `${count} of ${least} allocated`;
  const shared = budget !== null && !options.some(({ purse }) => purse);
  const points = shared ? `, ${pointsSpent(options).get("") ?? 0} of ${budget} ${unit}` : "";
  const steps = order ? describeOrder(order, options).map((text, at) => `${at + 1}. ${text}`) : [];
  const listed = count > 1 && steps.length ? `, in order: ${steps.join(", ")}` : "";
  return `${count} selected${points}${listed}${problem ? `. ${problem}` : ""}`;
}

/**
 * Name what is selected: "Akagi", "4 × Hornet DB, 2 × Kaga", "6 selected", "none".
 * @param {Selection} selection
 */
export function nameSelected({ options, sheet, order }) {
  const count = countSelected(options);
  if (order && count) {
    const steps = describeOrder(order, options);
    return steps.length > NAMED ? `${count} in order` : steps.join(", then ");
  }
  let names = groupCounts(options.map((option) => [option.text, option.count]));
  if (names.length >= NAMED && !sheet) {
    names = groupCounts(options.map((option) => [withoutNumber(option.text), option.count]));
  }
  return names.length > NAMED
    ? `${count} selected`
    : names.join(names.some((name) => name.includes(",")) ? "; " : ", ") || "none";
}

/**
 * Return the label of the confirm button: what is selected, if its name is short, or else without its places, or counted;
 * the list marks it, too.
 * @param {Selection} selection
 */
export function confirmLabel(selection) {
  const { least, options } = selection;
  const [only, other] = options;
  if (only?.key === "continue" && !other) return only.text;
  const count = countSelected(options);
  if (!count && least) return "Confirm";
  const brief = options.map((option) => ({ ...option, text: option.text.replace(PLACE, "") }));
  const names = [nameSelected(selection), nameSelected({ ...selection, options: brief }), `${count} selected`];
  return `Confirm: ${names.find(({ length }) => length <= SHORT)}`;
}

/**
 * Return the words before an option's number: "Hornet DB" for "Hornet DB 1 (5)".
 * @param {string} text
 */
function withoutNumber(text) {
  return NUMBERED.exec(text)?.[1] ?? text;
}

/**
 * Add up the counts of equal names and describe each: ["Akagi", "2 × Kaga"].
 * @param {Iterable<[string, number]>} pairs
 */
export function groupCounts(pairs) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const [name, count] of pairs) if (count) counts.set(name, (counts.get(name) ?? 0) + count);
  return [...counts].map(([name, count]) => timesName(count, name));
}

/**
 * Describe several of the same: "2 × Kaga", or "2 escort factors, Pacific" of "1 escort factor, Pacific".
 * @param {number} count
 * @param {string} name
 */
function timesName(count, name) {
  if (count === 1) return name;
  const [, one = "", rest = ""] = ONE.exec(name) ?? [];
  return one ? `${count} ${one}s${rest}` : `${count} × ${name}`;
}

// -- the order of the selected options --

/**
 * Return the order after a change: new keys are appended; of a deselected option the last key is removed.
 * @param {string[]} order
 * @param {Option[]} options
 */
export function updateOrder(order, options) {
  const known = new Set(options.map(({ key }) => key));
  const result = order.filter((key) => known.has(key));
  for (const { key, count } of options) {
    let change = count - result.filter((other) => other === key).length;
    for (; change > 0; change -= 1) result.push(key);
    for (; change < 0; change += 1) result.splice(result.lastIndexOf(key), 1);
  }
  return result;
}

/**
 * Return the places of each key in an order, from 1: {a: [1, 3], b: [2]}.
 * @param {string[]} order
 * @returns {Map<string, number[]>}
 */
export function placesInOrder(order) {
  const places = new Map();
  for (const [at, key] of order.entries()) places.set(key, [...(places.get(key) ?? []), at + 1]);
  return places;
}

/**
 * Describe an order, equal neighbours as one: ["2 × Akagi", "Kaga"].
 * @param {string[]} order
 * @param {Option[]} options
 */
function describeOrder(order, options) {
  const texts = new Map(options.map(({ key, text }) => [key, text]));
  /** @type {[string, number][]} */
  const runs = [];
  for (const key of order) {
    const text = texts.get(key) ?? key;
    const last = runs.at(-1);
    if (last && last[0] === text) last[1] += 1;
    else runs.push([text, 1]);
  }
  return runs.map(([text, count]) => timesName(count, text));
}

// -- changes: each function returns the new counts by key --

/**
 * Select the next of several options instead of the one that is selected; after the last one select none.
 * @param {Option[]} options
 * @returns {Map<string, number>}
 */
export function cycle(options) {
  const at = options.findIndex(({ count }) => count);
  return new Map(options.map(({ key }, place) => [key, Number(place === at + 1)]));
}

/**
 * Select those of several options whose pieces or purses have none yet, or that have none, as far as the budget goes; if
 * there are none, deselect all of them.
 * @param {Selection} selection
 * @param {Set<string>} keys the keys of these several
 * @returns {Map<string, number>}
 */
export function sweep({ options, budget }, keys) {
  const holders = new Set(options.filter(({ count }) => count).map(({ piece, purse }) => piece || purse));
  const spent = pointsSpent(options);
  const some = options.filter(({ key }) => keys.has(key));
  const added = new Map();
  for (const { key, piece, purse, cost, count } of some) {
    const isFree = piece || purse ? !holders.has(piece || purse) : !count;
    const points = (spent.get(purse) ?? 0) + cost;
    if (!isFree || (budget !== null && points > budget)) continue;
    spent.set(purse, points);
    added.set(key, 1);
  }
  return added.size ? added : new Map(some.map(({ key }) => [key, 0]));
}

/**
 * Select the rest of a group as far as its budget goes; if nothing more can be selected, deselect the group.
 * @param {Option[]} group options that one purse pays for
 * @param {number} left points that are left in it
 * @returns {Map<string, number>}
 */
export function fill(group, left) {
  const added = new Map();
  for (const { key, cost, count } of group) {
    if (count || cost > left) continue;
    added.set(key, 1);
    left -= cost;
  }
  return added.size ? added : new Map(group.map(({ key }) => [key, 0]));
}

/**
 * Allocate points one by one to each option in turn, as far as each can take them.
 * @param {Option[]} options
 * @param {number} points
 * @returns {Map<string, number>}
 */
export function allocateEvenly(options, points) {
  /** @type {Map<string, number>} */
  const counts = new Map(options.map(({ key }) => [key, 0]));
  let open = options.filter(({ limit }) => limit > 0);
  while (points > 0 && open.length) {
    for (const { key } of open.slice(0, points)) counts.set(key, (counts.get(key) ?? 0) + 1);
    points -= open.length;
    open = open.filter(({ key, limit }) => (counts.get(key) ?? 0) < limit);
  }
  return counts;
}

/**
 * Select several options some more times, in their order, as far as limits, budgets and the most that may be chosen go,
 * and none for a piece that has another. Where only one can be chosen, it is the first of them.
 * @param {Selection} selection
 * @param {string[]} keys
 * @param {number} [times]
 * @returns {Map<string, number>}
 */
export function raise({ kind, most, budget, options }, keys, times = Number.POSITIVE_INFINITY) {
  if (kind === "one") return new Map(keys.length ? options.map(({ key }) => [key, Number(key === keys[0])]) : []);
  const spent = pointsSpent(options);
  const counts = new Map();
  let left = Math.min(times, most - countSelected(options));
  const places = new Map(options.filter(({ piece, count }) => piece && count).map(({ piece, key }) => [piece, key]));
  for (const { key, count, limit, cost, purse, piece } of inOrder(options, keys)) {
    if (piece && (places.get(piece) ?? key) !== key) continue;
    const free = budget === null || !cost ? left : Math.floor((budget - (spent.get(purse) ?? 0)) / cost);
    const more = Math.max(0, Math.min(left, limit - count, free));
    if (piece && more) places.set(piece, key);
    spent.set(purse, (spent.get(purse) ?? 0) + cost * more);
    counts.set(key, count + more);
    left -= more;
  }
  return counts;
}

/**
 * Return the keys of several options, those that are selected least often first.
 * @param {Option[]} options
 * @param {string[]} keys
 */
export function fewestFirst(options, keys) {
  const counts = new Map(options.map(({ key, count }) => [key, count]));
  return [...keys].sort((one, other) => (counts.get(one) ?? 0) - (counts.get(other) ?? 0));
}

/**
 * Select several options some fewer times, the last of them first.
 * @param {Selection} selection
 * @param {string[]} keys
 * @param {number} [times]
 * @returns {Map<string, number>}
 */
export function lower({ options }, keys, times = Number.POSITIVE_INFINITY) {
  const counts = new Map();
  for (const { key, count } of inOrder(options, keys).reverse()) {
    const fewer = Math.min(times, count);
    counts.set(key, count - fewer);
    times -= fewer;
  }
  return counts;
}

/**
 * Return a selection after a change.
 * @param {Selection} selection
 * @param {Map<string, number>} counts
 * @returns {Selection}
 */
export function withCounts(selection, counts) {
  const options = selection.options.map((option) => ({ ...option, count: counts.get(option.key) ?? option.count }));
  return { ...selection, options };
}

/**
 * Send a piece to a target; it leaves the others.
 * @param {Selection} selection
 * @param {string[]} own the options of the piece
 * @param {string[]} common those of them that send it to the target
 * @returns {Map<string, number>}
 */
export function assign(selection, own, common) {
  const empty = lower(selection, own);
  return new Map([...empty, ...raise(withCounts(selection, empty), common, 1)]);
}

/**
 * Select each of what a lasso holds once; if all of it is selected, deselect it. Where only one can be chosen, the lasso
 * must hold just one.
 * @param {Selection} selection
 * @param {string[]} keys
 * @returns {Map<string, number>}
 */
export function lasso(selection, keys) {
  const held = inOrder(selection.options, keys);
  if (selection.kind === "one" && held.length > 1) return new Map();
  const fresh = held.filter(({ count }) => !count).map(({ key }) => key);
  if (!fresh.length) return lower(selection, keys);
  const options = selection.options.map((option) => ({ ...option, limit: Math.min(option.limit, 1) }));
  return raise({ ...selection, options }, fresh);
}

/**
 * Return the options with these keys, in the order of the keys.
 * @param {Option[]} options
 * @param {string[]} keys
 */
function inOrder(options, keys) {
  const byKey = new Map(options.map((option) => [option.key, option]));
  return keys.flatMap((key) => byKey.get(key) ?? []);
}
