import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrange,
  dicePanel,
  flatten,
  howTheyCount,
  panelCorner,
  shortResult,
} from "../../src/readyroom/web/static/js/playback/dice.js";
import {
  applyChanges,
  budgetOf,
  captionOf,
  countOrders,
  groupEvents,
  speedUpFor,
  questionOf,
  textsOf,
  unfold,
} from "../../src/readyroom/web/static/js/playback/events.js";
import { diceOf } from "../../src/readyroom/web/static/js/playback/moments.js";
import { readingTime } from "../../src/readyroom/web/static/js/playback/stage.js";

/**
 * Return an event.
 * @param {Partial<import("../../src/readyroom/web/static/js/playback/stage.js").PlayedEvent>} [changes]
 */
function eventOf(changes) {
  const place = { turn: 1, phase: "launch", title: "Launch", rule: "1", target: "", moment: "" };
  const text = { text: "", caption: changes?.text ?? "" };
  return { ...place, ...text, rolls: [], keys: [], kind: "move", effect: "fly", frame: [], ...changes };
}

const ROLL = {
  name: "flak",
  sides: 6,
  rounds: [[{ face: 2, hit: false }]],
  result: "1d6, hit on 4+: 0 hits",
  need: "",
  ask: "",
  outcome: "0 hits",
  side: null,
};

test("applyChanges replaces, removes and adds lines", () => {
  assert.deepEqual(applyChanges(["a", "b", "c"], []), ["a", "b", "c"]);
  const changes = [
    [0, 1, []],
    [1, 1, ["x", "y"]],
    [3, 0, ["d"]],
  ];
  assert.deepEqual(applyChanges(["a", "b", "c"], changes), ["x", "y", "c", "d"]);
});

test("unfold returns the drawing before and at each event", () => {
  const events = [eventOf({ frame: [[1, 1, ["B"]]] }), eventOf(), eventOf({ frame: [[0, 1, []]] })];
  const frames = unfold({ before: ["a", "b"], omitted: 0, events, colours: {} });
  assert.deepEqual(frames, ["a\nb", "a\nB", "a\nB", "B"]);
});

test("unfold makes the ids of the parts unique", () => {
  const before = ['<g id="pc-body"/><use href="#pc-body"/><use href="#other"/>'];
  const [frame] = unfold({ before, omitted: 0, events: [], colours: {} }, "usa-");
  assert.equal(frame, '<g id="usa-pc-body"/><use href="#usa-pc-body"/><use href="#other"/>');
});

test("groupEvents joins at most four events of one effect and phase", () => {
  const beats = groupEvents(Array.from({ length: 6 }, (_, at) => eventOf({ keys: [`piece-${at}`, "carrier"] })));
  assert.deepEqual(
    beats.map(({ lines }) => lines.length),
    [4, 2],
  );
  assert.deepEqual(beats[1]?.keys, ["piece-4", "carrier", "piece-5"]);
});

const APART = [
  ["another effect", { effect: "land" }],
  ["another phase", { phase: "combat" }],
  ["another turn", { turn: 2 }],
  ["dice", { rolls: [ROLL] }],
  ["a big moment", { moment: "Akagi sunk" }],
  ["another kind", { kind: "hit" }],
];
for (const [name, changes] of APART) {
  test(`groupEvents keeps ${name} apart`, () => {
    assert.equal(groupEvents([eventOf(), eventOf(changes)]).length, 2);
    assert.equal(groupEvents([eventOf(changes), eventOf()]).length, 2);
  });
}

test("groupEvents joins lesser events of any effect at fast speed, which plays them plainly", () => {
  const events = [{}, { effect: "loss", kind: "hit" }, { effect: "flak", kind: "roll", rolls: [ROLL] }, {}].map(
    eventOf,
  );
  const beats = groupEvents(events, new Set(), true);
  assert.deepEqual(
    beats.map(({ lines, effect, kind }) => [lines.length, effect, kind]),
    [
      [2, "", "hit"],
      [1, "flak", "roll"],
      [1, "fly", "move"],
    ],
  );
  assert.equal(groupEvents(events.slice(0, 2), new Set(["loss"]), true).length, 2);
  assert.equal(groupEvents([eventOf(), eventOf({ effect: "loss", moment: "Soryu sunk" })], new Set(), true).length, 2);
});

test("groupEvents keeps rolls and phases apart from their like", () => {
  for (const kind of ["roll", "phase", "note", "sink", ""]) {
    assert.equal(groupEvents([eventOf({ kind }), eventOf({ kind })]).length, 2, kind);
  }
});

test("groupEvents joins rolls of an effect that shows several at once, up to a moment", () => {
  const roll = { kind: "roll", effect: "rounds", rolls: [ROLL] };
  const events = [roll, { ...roll, kind: "reveal", rolls: [] }, roll, { ...roll, moment: "Sunk" }, roll].map(eventOf);
  const beats = groupEvents(events, new Set(["rounds"]));
  assert.deepEqual(
    beats.map(({ lines, rolls }) => [lines.length, rolls.length]),
    [
      [3, 2],
      [1, 1],
      [1, 1],
    ],
  );
  assert.equal(groupEvents(events).length, 5);
});

test("the panel shows rounds apart and the result without the dice", () => {
  const [one, two] = [
    { face: 6, hit: true },
    { face: 1, hit: false },
  ];
  assert.deepEqual(flatten({ ...ROLL, rounds: [[one, two], [two]] }), [one, two, null, two]);
  assert.equal(shortResult(ROLL), "0 hits");
});

/**
 * Return a roll of these dice.
 * @param {string} name
 * @param {number[]} faces
 * @param {string} result
 * @param {string} outcome
 */
const rollOf = (name, faces, result, outcome) => ({
  ...ROLL,
  name,
  rounds: [faces.map((face) => ({ face, hit: true }))],
  result,
  outcome,
});
const STRIKES = "A plane strikes";
const ZERO = rollOf(STRIKES, [4, 1], "2d6 = 5, column undamaged: miss", "miss");
const WILLOW = rollOf(STRIKES, [6, 5], "2d6 = 11, column undamaged: hit", "hit");
const FUEL = rollOf("Fumes", [6, 6, 4], "the 2 lowest of 3d6 ≥ 7: 10, passed", "4+6 = 10 (needs 7), passed");
const TORPEDOES = rollOf("Torpedo attack", [6, 6, 3], "3d6, 2 hits on 6, 6 rolled again for 1 hit: 5 hits", "5 hits");

test("the card of a moment shows its own dice, each roll with its own result", () => {
  const zero = eventOf({ target: "deck", rolls: [ZERO] });
  const [beat] = groupEvents([eventOf({ target: "deck", rolls: [WILLOW], moment: "A Willow gets through" })]);
  assert.deepEqual(diceOf(beat, [zero]), [{ name: STRIKES, text: "rolled 6+5: hit" }]);
});

test("a moment without dice shows those of the last line about the same piece", () => {
  const [crippled] = groupEvents([eventOf({ target: "soryu", moment: "Soryu crippled" })]);
  const flak = eventOf({ target: "soryu", rolls: [ROLL] });
  const attack = eventOf({ target: "soryu", rolls: [TORPEDOES] });
  const boxes = eventOf({ target: "soryu" });
  assert.deepEqual(diceOf(crippled, [flak, attack, boxes]), [{ name: "Torpedo attack", text: "3 dice: 5 hits" }]);
  const bombs = eventOf({ target: "soryu", rolls: [{ ...TORPEDOES, name: "Dive bombing" }] });
  const missed = eventOf({ target: "soryu", rolls: [ROLL] });
  assert.deepEqual(
    diceOf(crippled, [attack, eventOf({ target: "kate" }), flak, bombs, attack, missed]).map(({ name }) => name),
    ["Dive bombing", "Torpedo attack"],
  );
  assert.deepEqual(diceOf(crippled, [missed]), [{ name: "flak", text: "1 die: 0 hits" }]);
  const fuel = eventOf({ target: "b04", rolls: [FUEL] });
  assert.deepEqual(diceOf(crippled, [fuel]), []);
  const [landfall] = groupEvents([eventOf({ target: "", moment: "Magic revealed" })]);
  assert.deepEqual(diceOf(landfall, [eventOf({ rolls: [WILLOW] })]), []);
});

test("the card of a moment says which dice count", () => {
  const [beat] = groupEvents([eventOf({ rolls: [FUEL], moment: "Holstrom lands" })]);
  assert.deepEqual(diceOf(beat, []), [
    { name: "Fumes", text: "rolled 6+6+4, the 2 lowest: 4+6 = 10 (needs 7), passed" },
  ]);
  const [surprise] = groupEvents([eventOf({ rolls: [rollOf("Surprise", [2], "1d6 = 2", "2")], moment: "Surprise" })]);
  assert.deepEqual(diceOf(surprise, []), [{ name: "Surprise", text: "rolled 2" }]);
  const [critical] = groupEvents([
    eventOf({ rolls: [rollOf("Critical", [5], "1d6 ≥ 5: 5, passed", "5 (needs 5), passed")] }),
  ]);
  assert.deepEqual(diceOf(critical, []), [{ name: "Critical", text: "rolled 5 (needs 5), passed" }]);
});

test("the panel says what dice need, or that not all are drawn", () => {
  assert.equal(howTheyCount({ ...ROLL, need: "hit on 4 or more" }), "hit on 4 or more");
  const [die] = ROLL.rounds[0];
  assert.equal(howTheyCount({ ...ROLL, rounds: [Array(75).fill(die), Array(5).fill(die)] }), "60 of 80 dice are drawn");
});

test("the panel does not hide what the beat is about", () => {
  const visible = { left: 0, top: 0, right: 400, bottom: 300 };
  const event = eventOf({ target: "ship", keys: ["plane"] });
  /** @type {Record<string, object>} */
  const boxes = { ship: { x: 200, y: 280, w: 40, h: 20 }, plane: { x: 200, y: 220, w: 20, h: 20 } };
  const size = { width: 400, height: 300 };
  const stage = /** @type {any} */ ({
    ...{ event, visible, size, pieces: [], names: [] },
    box: (/** @type {string} */ key) => boxes[key] ?? null,
  });
  const panel = { width: 150, height: 60 };
  const { x, y } = panelCorner(stage, panel, { near: { x: 200, y: 292 }, below: true });
  for (const box of /** @type {any[]} */ (Object.values(boxes))) {
    const isApart =
      x + panel.width <= box.x - box.w / 2 ||
      x >= box.x + box.w / 2 ||
      y + panel.height <= box.y - box.h / 2 ||
      y >= box.y + box.h / 2;
    assert.ok(isApart, `${x}, ${y} hides ${box.x}, ${box.y}`);
  }
  assert.ok(x >= 4 && y >= 4 && x + panel.width <= 396 && y + panel.height <= 296);
  assert.deepEqual(panelCorner(stage, panel, { near: { x: 200, y: 100 }, below: true }), { x: 125, y: 100 });
});

test("the panel hides counters rather than what the beat is about", () => {
  const visible = { left: 0, top: 0, right: 308, bottom: 68 };
  const ships = [128, 138, 148].map((x) => ({ x, y: 34, w: 8, h: 8 }));
  const counter = { x: 240, y: 34, w: 20, h: 20, hasAttribute: () => false };
  const stage = /** @type {any} */ ({
    ...{ event: eventOf({ keys: ["0", "1", "2"] }), visible, size: { width: 308, height: 68 } },
    ...{ pieces: [counter], names: [] },
    box: (/** @type {any} */ one) => (typeof one === "string" ? (ships[Number(one || 9)] ?? null) : one),
    isLarge: () => false,
  });
  const { x } = panelCorner(stage, { width: 150, height: 60 }, { near: { x: 80, y: 0 }, below: true });
  assert.ok(x > 151, `${x}`);
});

test("the panel is next to what it is about, where its line crosses no other piece", () => {
  const visible = { left: 0, top: 0, right: 400, bottom: 300 };
  const [about, other] = [200, 170].map((y) => ({ x: 60, y, w: 30, h: 30, hasAttribute: () => false }));
  const stage = /** @type {any} */ ({
    ...{ event: eventOf({ target: "about" }), visible, size: { width: 400, height: 300 }, unit: 1 },
    ...{ pieces: [about, other], names: [] },
    box: (/** @type {any} */ one) => (one === "about" ? about : typeof one === "string" ? null : one),
    isLarge: () => false,
  });
  const size = { width: 150, height: 60 };
  const { x, y } = panelCorner(stage, size, {
    near: { x: 300, y: 40 },
    below: true,
    about: /** @type {any} */ (about),
  });
  const [aside, down] = [Math.max(0, x - 75, 45 - x - 150), Math.max(0, y - 215, 185 - y - 60)];
  assert.ok(Math.hypot(aside, down) < 10 && y > 185, `${x}, ${y}`);
});

test("dice that are rolled again show only after those before them have settled", async () => {
  /** @type {any} */ (globalThis).document ??= { createElementNS: () => ({ setAttribute() {} }) };
  /** @type {any[]} */
  const later = [];
  const make = (/** @type {string} */ _, /** @type {any} */ attributes, /** @type {any} */ parent) => {
    const made = element(attributes, parent);
    if (made.class === "pb-round") later.push(made);
    return made;
  };
  const element = (/** @type {any} */ attributes, /** @type {any} */ parent) => ({
    ...attributes,
    parent,
    setAttribute() {},
    removeAttribute(/** @type {string} */ key) {
      delete this[key];
    },
    closest() {
      for (let one = this; one; one = one.parent) if (one.class === "pb-round") return one;
    },
    replaceChildren() {},
    classList: { add: (/** @type {string} */ shown) => log.push(shown) },
  });
  /** @type {string[]} */
  const log = [];
  const stage = /** @type {any} */ ({
    ...{ event: null, visible: { left: 0, top: 0, right: 400, bottom: 300 }, size: { width: 400, height: 300 } },
    ...{
      pieces: [],
      names: [],
      unit: 1,
      still: true,
      sound: { play() {} },
      box: () => null,
      make,
      read() {},
      wait() {},
    },
    move: async (/** @type {any} */ element) => {
      if (element.class === "pb-die") log.push(element.closest()?.visibility ?? "seen");
    },
  });
  const rounds = [
    [
      { face: 6, hit: true },
      { face: 2, hit: false },
    ],
    [{ face: 5, hit: false }],
  ];
  const { roll } = dicePanel(stage, [{ ...ROLL, rounds }], { x: 200, y: 100 }, { isSaid: true });
  assert.deepEqual(
    later.map(({ visibility }) => visibility),
    ["hidden"],
  );
  await roll();
  assert.deepEqual(log, ["seen", "seen", "pb-hit", "seen", "pb-miss", "seen", "pb-miss"]);
});

test("the panel covers no name, where there is room", () => {
  const visible = { left: 0, top: 0, right: 400, bottom: 300 };
  const name = { x: 260, y: 150, w: 10, h: 6 };
  const stage = /** @type {any} */ ({
    ...{ event: eventOf({}), visible, size: { width: 400, height: 300 }, pieces: [], names: [name] },
    box: (/** @type {any} */ one) => (typeof one === "string" ? null : one),
    isLarge: () => false,
  });
  const { x, y } = panelCorner(stage, { width: 150, height: 60 }, { near: { x: 200, y: 100 }, below: true });
  const [left, right, top, bottom] = [name.x - 5, name.x + 5, name.y - 3, name.y + 3];
  assert.ok(x + 150 <= left || x >= right || y + 60 <= top || y >= bottom, `${x}, ${y}`);
});

test("the panel goes to the nearest gap between counters", () => {
  const visible = { left: 0, top: 0, right: 400, bottom: 300 };
  const counters = Array.from({ length: 80 }, (_, at) => ({ x: 20 + (at % 10) * 40, y: 20 + Math.floor(at / 10) * 38 }))
    .filter(({ x, y }) => x > 180 || y < 150 || y > 250)
    .map((spot) => ({ ...spot, w: 36, h: 36, hasAttribute: () => false }));
  const stage = /** @type {any} */ ({
    ...{ event: eventOf({}), visible, size: { width: 400, height: 300 }, pieces: counters, names: [] },
    box: (/** @type {any} */ one) => (typeof one === "string" ? null : one),
    isLarge: () => false,
  });
  const { x, y } = panelCorner(stage, { width: 150, height: 60 }, { near: { x: 220, y: 130 }, below: true });
  for (const box of counters) {
    const isApart = x + 150 <= box.x - 17 || x >= box.x + 17 || y + 60 <= box.y - 17 || y >= box.y + 17;
    assert.ok(isApart, `${x}, ${y} hides ${box.x}, ${box.y}`);
  }
});

test("a result can be read for at least 0.9 seconds", () => {
  assert.equal(readingTime(10), 900);
  assert.ok(readingTime(120) > 2000);
  assert.equal(readingTime(1000), 4500);
});

test("a long playback is faster, so that it takes no longer than its budget", () => {
  const beat = { ...eventOf({ rolls: [ROLL] }), lines: [] };
  const beats = Array.from({ length: 8 }, () => beat);
  assert.ok(budgetOf(beats) > budgetOf([beat]));
  assert.equal(budgetOf([{ ...beat, rolls: [], moment: "Soryu sunk" }]), budgetOf(beats));
  assert.equal(
    speedUpFor([beat], 7000, () => 1000),
    1,
  );
  assert.equal(
    speedUpFor(beats, 20000, () => 5000),
    2,
  );
  assert.equal(
    speedUpFor(beats, 0, () => 5000),
    speedUpFor(beats, 1, () => 5000),
  );
});

test("groupEvents joins as many events of an effect as it can show", () => {
  const roll = eventOf({ kind: "roll", effect: "flak", rolls: [ROLL] });
  const beats = groupEvents(
    Array.from({ length: 5 }, () => roll),
    new Map([["flak", 2]]),
  );
  assert.deepEqual(
    beats.map(({ lines }) => lines.length),
    [2, 2, 1],
  );
});

test("a round of dice that are rolled again is not broken after its arrow", () => {
  const die = { face: 6, hit: true };
  const eight = Array.from({ length: 8 }, () => die);
  const places = arrange([...eight, null, die, die, null, die], 10).map(({ column, row }) => [column, row]);
  assert.deepEqual(places.slice(7), [
    [7, 0],
    [0, 1],
    [1, 1],
    [2, 1],
    [3, 1],
    [4, 1],
  ]);
  assert.deepEqual(
    arrange(
      Array.from({ length: 12 }, () => die),
      10,
    ).at(-1),
    { column: 1, row: 1 },
  );
});

test("captionOf counts what does not fit", () => {
  assert.equal(captionOf(["Akagi turns.", "Kaga turns."], 40), "Akagi turns. Kaga turns.");
  assert.equal(captionOf(["Akagi turns.", "Kaga turns.", "Soryu turns."], 30), "Akagi turns. And 2 more.");
  const list = "Back over the fleet: F4F 1 (4), F4F 2 (2), SBD 3 (4), SBD 4 (4), SBD 5 (1) and TBD 6 (3).";
  assert.equal(captionOf([list], 60), "Back over the fleet: F4F 1 (4), F4F 2 (2) and 4 more.");
  assert.equal(captionOf([list, "Kaga turns."], 60), "Back over the fleet: F4F 1 (4) and 5 more. And 1 more.");
  assert.equal(captionOf(["A long sentence without any list."], 10), "A long sentence without any list.");
  assert.equal(
    captionOf(["A long sentence, with a comma, but no list."], 10),
    "A long sentence, with a comma, but no list.",
  );
  const goal = "To win, stay afloat and on station, with a hull of at least 7 and 1 of every 2 planes shot down.";
  assert.equal(captionOf([goal], 60), goal);
  assert.equal(captionOf(["Flak hits the Tony (180° high).", "It falls."], 30), "Flak hits the Tony. It falls.");
  assert.equal(captionOf(["Akagi turns.", "Kaga turns.", "Soryu turns."], 36), "Akagi turns. Kaga turns. And 1 more.");
});

test("questionOf says what dice are for and need, and ends as what has no result yet", () => {
  const beat = (/** @type {string[]} */ ...names) => {
    const event = eventOf({
      rolls: names.map((name) => ({
        ...ROLL,
        name,
        ask: `${name}: rolling the dice.`.replace("?: rolling the dice.", "?"),
      })),
    });
    return { ...event, lines: [event] };
  };
  assert.equal(questionOf(beat("Flak", "Flak")), "Flak: rolling the dice.");
  assert.equal(questionOf(beat("Fighters over Hamburg", "Flak")), "Fighters over Hamburg · Flak: rolling the dice.");
  assert.equal(questionOf(beat("Where is the ship hit?")), "Where is the ship hit?");
  const long = "A name that is so long that no other has room next to it";
  assert.equal(questionOf(beat(`${long}: is it hit?`, "flak: what is hit?")), `${long}: is it hit?`);
  const card = eventOf({ text: "The Axis plays a card." });
  assert.equal(
    questionOf({ ...beat("Flak"), lines: [card, ...beat("Flak").lines] }),
    "The Axis plays a card. Flak: rolling the dice.",
  );
  const asks = (/** @type {string[]} */ ...all) => {
    const rolls = all.map((ask) => ({ ...ROLL, name: "Flak", ask }));
    return questionOf({ ...beat("Flak"), rolls });
  };
  assert.equal(asks("Flak: needs 7 or more.", "Flak: needs 7 or more."), "Flak: needs 7 or more.");
  assert.equal(asks("Flak: needs 7 or more.", "Flak: needs 8 or more."), "Flak: rolling the dice."); // the panel has both numbers
  const needed = (/** @type {string[]} */ ...needs) => {
    const rolls = needs.map((need) => ({ ...ROLL, name: "Strafing", need, ask: need }));
    return questionOf({ ...beat("Flak"), rolls });
  };
  assert.equal(needed("4 dice hit on 3 or more", "1 die hits on 3 or more"), "Strafing: hit on 3 or more.");
  assert.equal(needed("4 dice hit on 3 or more", "1 die hits on 4 or more"), "Strafing: rolling the dice.");
  assert.equal(asks(`Flak: ${"needs 7 or more, ".repeat(9)}`), "Flak: rolling the dice."); // the panel says what they need
  const full = {
    ...beat("Flak"),
    lines: [eventOf({ text: "The Axis plays a card. ".repeat(5).trim() }), ...beat("Flak").lines],
  };
  assert.equal(questionOf(full), full.lines[0]?.text);
});

test("a caption says the lines whose dice have landed, and all lines with the last", () => {
  const [one, two] = [ROLL, { ...ROLL, rounds: [[{ face: 5, hit: true }]] }];
  const lines = [
    eventOf({ text: "Both attack." }),
    eventOf({ text: "Flak misses.", rolls: [one] }),
    eventOf({ text: "Bombs hit.", rolls: [two] }),
  ];
  const beat = { ...eventOf({ rolls: [one, two] }), lines };
  assert.deepEqual(textsOf(beat, [{ ...two, name: "bombs" }]), ["Bombs hit."]);
  assert.deepEqual(textsOf(beat, [one, two]), ["Both attack.", "Flak misses.", "Bombs hit."]);
});

test("only the player's own orders are not played again, up to the first event that is more", () => {
  const order = eventOf({ own: true });
  const others = [
    { own: false },
    { own: true, kind: "hit" },
    { own: true, rolls: [ROLL] },
    { own: true, moment: "Sunk" },
  ];
  assert.equal(countOrders([order, eventOf({ own: true, kind: "note" })]), 2);
  for (const other of others) assert.equal(countOrders([order, eventOf(other), order]), 1);
});
