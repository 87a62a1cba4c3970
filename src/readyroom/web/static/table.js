// The table: board and list in step, running totals, tips, keys, news in words, and a line that mends itself.
"use strict";
(() => {
  const one = (query, within = document) => within.querySelector(query);
  const all = (query, within = document) => [...within.querySelectorAll(query)];
  const NUMBERED = /^([^\d(]*\S)\s+\d.*$/;
  const MANY = 3;
  const ROOM = 12;
  const FRESH = 4000;
  const SINGLE_KEYS = "readyroom-single-keys";
  const FOLDED = ["why-not", "lately", "paper", "tip-of-the-lesson", "end-of-the-lesson", "my-task"];

  // -- the answer ---------------------------------------------------------------------------------------------------

  const answer = () => one("#answer");

  /** The options of the open question: their keys, how often each is chosen, and what they cost. */
  function options() {
    return all("[data-key]", answer() || document.createElement("i")).map((row) => {
      const input = one("input:not([type=hidden])", row);
      const points = input.type === "number";
      return {
        key: row.dataset.key, row, input, points,
        count: points ? Math.max(0, Number(input.value) || 0) : Number(input.checked),
        limit: points ? Number(input.max) : 1,
        text: one(".text", row).textContent.trim(),
        cost: Number(input.dataset.cost || 0), purse: input.dataset.purse || "",
      };
    });
  }

  // What is chosen one after the other, where a board says that the order counts: `turns` has the keys in that order.

  let turns = { question: "", filled: "", keys: [] };
  const inTurn = () => Boolean(one("#board .in-turn") && one("#turns"));

  /** Keys that were chosen since join the end of the order; of those that were left the last goes first. */
  function settleTurns(found) {
    const { question, turns: filled = "" } = answer().dataset;
    if (question !== turns.question || filled !== turns.filled) turns = { question, filled, keys: filled.split(" ").filter(Boolean) };
    for (const { key, count } of found) {
      let more = count - turns.keys.filter((known) => known === key).length;
      for (; more > 0; more -= 1) turns.keys.push(key);
      for (; more < 0; more += 1) turns.keys.splice(turns.keys.lastIndexOf(key), 1);
    }
    const known = new Set(found.map((option) => option.key));
    turns.keys = turns.keys.filter((key) => known.has(key));
    if (one("#turns")) one("#turns").value = inTurn() ? turns.keys.join(" ") : "";
    for (const { key, row } of found) {
      const places = turns.keys.flatMap((other, at) => (other === key ? [at + 1] : []));
      if (inTurn() && places.length) row.dataset.turn = places.join(", ");
      else delete row.dataset.turn;
    }
  }

  /** The texts of what is chosen, in its order, like ones that follow each other as one. */
  function inOrder(found) {
    const texts = new Map(found.map(({ key, text }) => [key, text]));
    const runs = [];
    for (const key of turns.keys) {
      const last = runs[runs.length - 1];
      if (last && last[0] === texts.get(key)) last[1] += 1;
      else runs.push([texts.get(key), 1]);
    }
    return runs.map(([text, count]) => (count > 1 ? `${count} × ${text}` : text));
  }

  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

  /** What stands in the card now: how much is chosen, what it costs, and what is still wrong with it. */
  function standing() {
    const { kind, least, most, budget } = answer().dataset;
    const found = options();
    const chosen = found.filter((option) => option.count);
    const count = sum(chosen.map((option) => option.count));
    const spent = new Map();
    for (const { purse, cost, count: times } of chosen) spent.set(purse, (spent.get(purse) || 0) + cost * times);
    const dear = budget !== undefined && [...spent].find(([, points]) => points > Number(budget));
    const full = found.some((option) => option.count > option.limit);
    let wrong = "";
    if (dear) wrong = `${dear[0] ? `${dear[0]}:` : "That is"} ${dear[1]} points, ${dear[1] - budget} more than ${budget}.`;
    else if (full) wrong = "One of them gets more than it can take.";
    else if (count > most) wrong = `That is ${count - most} too many.`;
    else if (count < least) wrong = kind === "one" ? "Choose one." : kind === "allot"
      ? `${least - count} still to share out.` : `Choose ${least - count} more.`;
    return { kind, least: Number(least), budget, found, chosen, count, spent, wrong };
  }

  function counted(words) {
    const counts = new Map();
    for (const [word, count] of words) counts.set(word, (counts.get(word) || 0) + count);
    return [...counts].map(([word, count]) => (count > 1 ? `${count} × ${word}` : word));
  }

  function named({ found, chosen, count }) {
    if (inTurn() && count) return inOrder(found).length > MANY ? `${count} in turn` : inOrder(found).join(", then ");
    let told = counted(chosen.map((option) => [option.text, option.count]));
    if (told.length >= MANY && !one("#answer .sheet")) {
      told = counted(chosen.map((option) => [(NUMBERED.exec(option.text) || [, option.text])[1], option.count]));
    }
    return told.length > MANY ? `${count} chosen` : told.join(", ") || "none";
  }

  function tallied({ kind, least, budget, found, count, spent, wrong }) {
    if (kind === "one") return "";
    if (kind === "allot") return wrong || `${count} of ${least} shared out`;
    const shared = budget !== undefined && !found.some((option) => option.purse);
    const points = shared ? `, ${spent.get("") || 0} of ${budget} points` : "";
    const order = inTurn() && count > 1 ? `, in turn: ${inOrder(found).map((text, at) => `${at + 1}. ${text}`).join(", ")}` : "";
    return `${count} chosen${points}${order}${wrong ? `. ${wrong}` : ""}`;
  }

  /** Bring totals, button and board in step with what is ticked. */
  function update() {
    if (!answer()) return;
    const now = standing();
    settleTurns(now.found);
    one("#tally").textContent = tallied(now);
    one("#tally").classList.toggle("over", Boolean(now.wrong) && now.count > 0);
    const confirm = one("#confirm");
    confirm.textContent = now.count || !now.least ? `Confirm: ${named(now)}` : "Confirm";
    confirm.classList.toggle("is-none", !now.count);
    confirm.setAttribute("aria-disabled", String(Boolean(now.wrong)));
    for (const purse of all(".purse")) {
      const spent = now.spent.get(purse.dataset.purse) || 0;
      purse.textContent = `${spent} of ${now.budget} points`;
      purse.classList.toggle("over", spent > Number(now.budget));
    }
    const keys = new Map(now.found.map((option) => [option.key, option.count]));
    for (const piece of pieces()) {
      piece.classList.toggle("chosen", [piece.dataset.key, ...(piece.dataset.among || "").split(" ")].some((key) => keys.get(key)));
      if (keys.has(piece.dataset.key)) piece.setAttribute("aria-pressed", String(Boolean(keys.get(piece.dataset.key))));
    }
    for (const { row, count } of now.found) row.classList.toggle("is-chosen", Boolean(count));
  }

  function set(option, count) {
    if (option.points) option.input.value = Math.min(option.limit, Math.max(0, count));
    else option.input.checked = Boolean(count);
  }

  /** Choose an option, or leave it again; a point more or fewer where points are shared out. */
  function toggle(key, fewer = false) {
    const option = options().find((known) => known.key === key);
    if (!option) return false;
    if (option.points) set(option, option.count + (fewer ? -1 : 1));
    else set(option, answer().dataset.kind === "one" || !option.count);
    if (!option.points) onlyThis(option.input);
    option.row.scrollIntoView({ block: "nearest" });
    update();
    return true;
  }

  /** The options of a piece that stands for several: what it says of itself in `data-among` and `data-sweep`. */
  const standsFor = (piece) => (piece.dataset.among || piece.dataset.sweep || "").split(" ").filter(Boolean);

  /** Of the options of a piece the next one after the one that is chosen, and after the last one none. */
  function turn(piece) {
    const found = options().filter(({ key }) => standsFor(piece).includes(key));
    if (!found.length) return false;
    const at = found.findIndex(({ count }) => count);
    for (const option of found) set(option, 0);
    if (at + 1 < found.length) set(found[at + 1], 1);
    update();
    say(at + 1 < found.length ? found[at + 1].text : "None.");
    return true;
  }

  /** All options of a piece whose purses nobody has used; with none of these left, those that are chosen go. */
  function sweep(piece) {
    const known = options();
    const spent = new Set(known.filter(({ count }) => count).map(({ purse }) => purse));
    const found = known.filter(({ key }) => standsFor(piece).includes(key));
    if (!found.length) return false;
    const free = found.filter(({ purse }) => !spent.has(purse));
    for (const option of free.length ? free : found) set(option, free.length ? 1 : 0);
    update();
    say(`${found.filter(({ input }) => input.checked).length} chosen.`);
    return true;
  }

  /** What happens to a piece of the board that is clicked, tapped, or chosen by a key; whether anything did. */
  function touch(piece, fewer) {
    if (toggle(piece.dataset.key, fewer)) return true;
    return piece.dataset.among ? turn(piece) : Boolean(piece.dataset.sweep) && sweep(piece);
  }

  function tick(keys) {
    for (const option of options()) set(option, keys.filter((key) => key === option.key).length);
    update();
  }

  /** On a sheet where each row has but one point to spend, the last tick is the one that is meant. */
  function onlyThis(input) {
    if (input.type !== "checkbox" || !input.checked || !input.closest("[data-single]")) return;
    for (const other of all("input", input.closest("table"))) {
      if (other !== input && other.dataset.purse === input.dataset.purse) other.checked = false;
    }
  }

  /** Tick the rest of a group, as far as its budget goes; if nothing more can be ticked, untick it. */
  function fill(inputs) {
    const { spent, budget } = standing();
    let left = budget === undefined ? Infinity : Number(budget) - (spent.get(inputs[0].dataset.purse || "") || 0);
    let more = false;
    for (const input of inputs) {
      const cost = Number(input.dataset.cost || 0);
      if (input.checked || cost > left) continue;
      input.checked = more = true;
      left -= cost;
    }
    if (!more) for (const input of inputs) input.checked = false;
  }

  const left = () => Number(answer().dataset.most) - standing().count;

  /** To this option all points that are left, as far as it can take them. */
  function pour(key) {
    const option = options().find((known) => known.key === key);
    set(option, option.count + Math.max(0, left()));
    update();
  }

  /** All points anew: one to each option in the order of the list, round after round, as far as each can take them. */
  function spread() {
    const found = options().map((option) => ({ ...option, gets: 0 }));
    let points = Number(answer().dataset.most);
    while (points > 0 && found.some(({ gets, limit }) => gets < limit)) {
      for (const option of found) if (points > 0 && option.gets < option.limit) { option.gets += 1; points -= 1; }
    }
    for (const option of found) set(option, option.gets);
    update();
  }

  /** Send the answer; with nothing ticked only go to the button, which is pressed with another Enter. */
  function submit() {
    const now = standing();
    if (now.wrong || now.count) return answer().requestSubmit(one("#confirm"));
    look(one("#confirm"));
    say("Nothing is ticked. To choose none, press the button.");
  }

  document.addEventListener("submit", (event) => {
    if (event.target !== answer()) return;
    const { wrong } = standing();
    if (!wrong) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    say(wrong);
    one("#tally").textContent = wrong;
  }, true);

  // -- the board ----------------------------------------------------------------------------------------------------

  const pieces = () => all("#board [data-key]");
  const visible = () => pieces().filter((piece) => piece.getClientRects().length);

  /** One stop for the Tab key on the whole board; the arrows go on from there. */
  function settleBoard() {
    const found = visible();
    const keys = new Set(all("#answer [data-key]").map((row) => row.dataset.key));
    const canBeChosen = (piece) => keys.has(piece.dataset.key) || standsFor(piece).some((key) => keys.has(key));
    const kept = found.find((piece) => piece === document.activeElement) || found.find(canBeChosen) || found[0];
    for (const piece of pieces()) {
      piece.setAttribute("tabindex", piece === kept ? "0" : "-1");
      piece.setAttribute("role", canBeChosen(piece) ? "button" : "img");
      if (!canBeChosen(piece)) piece.removeAttribute("aria-pressed");
      const title = one("title", piece);
      if (title) piece.setAttribute("aria-label", title.textContent.trim());
    }
  }

  /** The pieces as they came: what stayed the same is then seen to be the same, and left as it is. */
  function unsettleBoard() {
    for (const piece of pieces()) {
      if (piece === document.activeElement) continue;
      for (const name of ["tabindex", "role", "aria-pressed"]) piece.removeAttribute(name);
      if (one("title", piece)) piece.removeAttribute("aria-label");
      piece.classList.remove("chosen", "lit");
    }
  }

  function middle(element) {
    const box = element.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  }

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

  /** The nearest piece in a direction; what lies aside counts double. */
  function neighbour(piece, [right, down]) {
    const [x, y] = middle(piece);
    let best = null;
    let least = Infinity;
    for (const other of visible()) {
      const [ox, oy] = middle(other);
      const along = (ox - x) * right + (oy - y) * down;
      const aside = Math.abs((ox - x) * down) + Math.abs((oy - y) * right);
      if (other !== piece && along > 1 && along + 2 * aside < least) [best, least] = [other, along + 2 * aside];
    }
    return best;
  }

  /** Say why a piece cannot be chosen, if that is known. */
  function whyNot(piece) {
    const refused = all("#why-not [data-key]").find((found) => found.dataset.key === piece.dataset.key);
    const label = one("title", piece) ? one("title", piece).textContent : piece.getAttribute("aria-label") || "This";
    const name = label.trim().split(/[,;:\n]/)[0];
    if (refused) say(`${name}: ${one("dd", refused).textContent.replace(/\s+/g, " ").trim()}`);
    else say(answer() ? `${name} is not among the options.` : `${name}: nothing is to be chosen now.`);
  }

  function goTo(piece) {
    for (const other of pieces()) other.setAttribute("tabindex", other === piece ? "0" : "-1");
    piece.focus();
  }

  function light(key, on) {
    for (const found of all("[data-key]")) if (found.dataset.key === key) found.classList.toggle("lit", on);
  }

  // -- tips ---------------------------------------------------------------------------------------------------------

  const tip = Object.assign(document.createElement("div"), { id: "tip", className: "piece-tip", hidden: true });
  tip.setAttribute("role", "tooltip");

  function showTip(piece) {
    const title = one("title", piece);
    if (title) {
      piece.setAttribute("aria-label", title.textContent.trim());
      title.remove();
    }
    const lines = [piece.getAttribute("aria-label") || ""];
    const row = all("#answer [data-key]").find((found) => found.dataset.key === piece.dataset.key);
    if (row) lines.push(...all(".option-note, .share", row).map((note) => note.textContent));
    const aims = piece.dataset.among ? standsFor(piece) : [];
    for (const other of all("#answer [data-key]")) {
      if (!aims.includes(other.dataset.key)) continue;
      const target = one(".text", other).textContent.replace(/^.* at the /, "");
      lines.push([target, ...all(".option-note, .share", other).map((part) => part.textContent)].join(": "));
    }
    const refused = all("#why-not [data-key]").find((found) => found.dataset.key === piece.dataset.key);
    if (refused) lines.push(`Why not? ${one("dd", refused).textContent}`);
    const told = lines.map((line) => line.replace(/\s+/g, " ").trim()).filter(Boolean);
    tip.replaceChildren(...told.map((line) => Object.assign(document.createElement("p"), { textContent: line })));
    tip.hidden = !told.length;
    const box = piece.getBoundingClientRect();
    const left = Math.min(Math.max(8, box.x + box.width / 2 - tip.offsetWidth / 2), innerWidth - tip.offsetWidth - 8);
    const above = box.top - tip.offsetHeight - 8;
    tip.style.left = `${left}px`;
    tip.style.top = `${above > 8 ? above : box.bottom + 8}px`;
  }

  const hideTip = () => { tip.hidden = true; };

  function reached(event, on) {
    const found = event.target.closest && event.target.closest("[data-key]");
    if (!found) return;
    light(found.dataset.key, on);
    if (!found.closest("#board")) return;
    if (event.pointerType === "mouse" && matchMedia("(hover: none)").matches) return;  // a finger's shadow, not a mouse
    if (on) showTip(found);
    else hideTip();
  }

  for (const [name, on] of [["pointerover", true], ["pointerout", false], ["focusin", true], ["focusout", false]]) {
    document.addEventListener(name, (event) => reached(event, on));
  }
  addEventListener("scroll", hideTip, { passive: true });

  // -- pulling a piece to another -----------------------------------------------------------------------------------

  let pulled = null;

  /** Where a pointer is, in the lengths of a drawing. */
  const within = (svg, event) => new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());

  function letGo() {
    if (pulled && pulled.line) pulled.line.remove();
    pulled = null;
  }

  document.addEventListener("pointerdown", (event) => {
    const piece = event.target.closest && event.target.closest("#board [data-among]");
    pulled = piece ? { piece, from: event, line: null } : null;
  });
  document.addEventListener("pointermove", (event) => {
    if (!pulled || Math.hypot(event.clientX - pulled.from.clientX, event.clientY - pulled.from.clientY) < ROOM) return;
    const svg = pulled.piece.closest("svg");
    if (!pulled.line) {
      pulled.line = svg.appendChild(document.createElementNS(svg.namespaceURI, "path"));
      pulled.line.setAttribute("class", "bd-pull");
    }
    const [from, to] = [within(svg, pulled.from), within(svg, event)];
    pulled.line.setAttribute("d", `M${from.x} ${from.y}L${to.x} ${to.y}`);
    hideTip();
  });
  document.addEventListener("pointerup", (event) => {
    if (pulled && pulled.line && answer()) {
      const met = document.elementFromPoint(event.clientX, event.clientY);
      const goal = met && met.closest("#board [data-sweep]");
      const both = goal ? standsFor(pulled.piece).filter((key) => standsFor(goal).includes(key)) : [];
      for (const option of options()) if (standsFor(pulled.piece).includes(option.key)) set(option, both.includes(option.key) ? 1 : 0);
      update();
      const chosen = options().find(({ key }) => both.includes(key));
      say(chosen ? chosen.text : "None.");
    }
    letGo();
  });
  document.addEventListener("pointercancel", letGo);

  // -- clicks and changes -------------------------------------------------------------------------------------------

  document.addEventListener("click", (event) => {
    const target = event.target.closest ? event.target : event.target.parentElement;
    const found = (query) => target.closest(query);
    const step = found("[data-step]");
    if (step) {
      const { key } = step.closest("[data-key]").dataset;
      const input = one("input[type=number]", step.closest("[data-key]"));
      if (step.dataset.step === "all") pour(key);
      else toggle(key, step.dataset.step === "-1");
      input.dispatchEvent(new Event("change", { bubbles: true }));
    } else if (found("#take-all")) {
      event.preventDefault();
      tick(found("#take-all").dataset.keys.split(" "));
    } else if (found("[data-tick]")) {
      event.preventDefault();
      tick(found("[data-tick]").dataset.tick.split(" "));
      say(`Ticked: ${one("#confirm").textContent}. Nothing is decided yet.`);
      look(one("#confirm"));
    } else if (found("#clear")) {
      event.preventDefault();
      tick([]);
    } else if (found("#even")) spread();
    else if (found("[data-group]")) {
      fill(all("input[type=checkbox]", found("fieldset")));
      update();
    } else if (found("#board [data-key]")) {
      if (touch(found("[data-key]"), event.shiftKey)) return;
      whyNot(found("[data-key]"));
      showTip(found("[data-key]"));
    } else if (found("#show-keys")) one("#keys").showModal();
  });
  document.addEventListener("input", (event) => { if (event.target.closest("#answer")) update(); });
  document.addEventListener("change", (event) => {
    if (event.target.closest("#answer")) {
      onlyThis(event.target);
      update();
    }
    if (event.target.id === "single-keys") localStorage.setItem(SINGLE_KEYS, event.target.checked ? "on" : "off");
  });

  // -- keys ---------------------------------------------------------------------------------------------------------

  const press = (found) => found.click();
  const look = (found) => { found.focus(); found.scrollIntoView({ block: "nearest" }); };
  const KEYS = {
    u: ["#undo-button", press], a: ["#take-all", press], c: ["#clear", press], s: ["#staff", press], o: ["#ask-officer", press],
    l: ["#log", look], d: ["#question", look], b: ["#board [tabindex='0']", look],
    "?": ["#keys", (found) => found.showModal()],
    "<": ["#step-back", press], ">": ["#step-on", press], p: ["#play", press],
  };
  const types = (element) => element.matches("input:not([type=checkbox],[type=radio],[type=number]), textarea, select");

  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.ctrlKey || event.altKey || event.metaKey || types(target) || one("dialog[open]")) return;
    if (key === "Enter" && event.repeat && target.id === "confirm") return event.preventDefault();
    const piece = target.closest("#board [data-key]");
    if (piece && ARROWS[key]) {
      const next = neighbour(piece, ARROWS[key]);
      if (next) goTo(next);
      event.preventDefault();
    } else if (piece && (key === " " || key === "-")) {
      if (!touch(piece, key === "-")) whyNot(piece);
      event.preventDefault();
    } else if (key === "Enter" && answer() && (piece || target === document.body || target.matches("#question, #answer input"))) {
      event.preventDefault();
      submit();
    } else if (key === "Escape") hideTip();
    else if (KEYS[key] && localStorage.getItem(SINGLE_KEYS) !== "off") {
      const [query, does] = KEYS[key];
      if (!one(query)) return;
      event.preventDefault();
      does(one(query));
    }
  });

  // -- news ---------------------------------------------------------------------------------------------------------

  /** Words for those who hear the page; the same words twice are made to differ, or they would be told once. */
  function say(words) {
    const aloud = one("#aloud");
    if (aloud) aloud.textContent = words === aloud.textContent ? `${words}\u00a0` : words;
  }
  const strip = () => one("[data-revision]");
  const isOver = () => Boolean(one("#card .proof"));
  let before = null;

  /** What has to be remembered while a new table is put in place of the old one. */
  function remember() {
    hideTip();
    before = {
      question: answer() && answer().dataset.question,
      over: isOver(),
      counts: new Map(answer() ? options().map((option) => [option.key, option.count]) : []),
      heading: one("#question") ? one("#question").textContent.trim() : "",
      lines: strip() ? Number(strip().dataset.lines) : 0,
      pulled: one("#pulled") && one("#pulled").checked,
      open: new Map(all("details[id]").map((details) => [details.id, details.open])),
      busy: types(document.activeElement) || Boolean(document.activeElement.closest("#log, #talk, .track")),
      focus: whereabouts(document.activeElement),
    };
  }

  /** How to find again what has the focus, when another table is in the place of this one: a piece, an option, an id. */
  function whereabouts(element) {
    const piece = element.closest("#board [data-key]");
    if (piece) return () => visible().find((found) => found.dataset.key === piece.dataset.key);
    const row = element.closest("#table") && element.matches("input") && element.closest("#answer [data-key]");
    if (row) return () => (options().find((option) => option.key === row.dataset.key) || {}).input;
    const { id } = element;
    return () => (id ? document.getElementById(id) : null);
  }

  /** The focus goes where it was, if it was lost. */
  function refocus() {
    const found = document.activeElement === document.body && before.focus();
    if (!found) return;
    if (found.closest("#board")) goTo(found);
    else found.focus({ preventScroll: true });
  }

  const title = document.title;
  /** A tab that waits for its reader says so on its ear. */
  const settleTitle = () => { document.title = answer() ? `● Your decision · ${title}` : title; };

  /** Ticks stay where the question is the same; what is new is told in words; a question and the end get the focus. */
  function settle() {
    settleBoard();
    settleTitle();
    if (!before) return update();
    const form = answer();
    const same = form && form.dataset.question === before.question;
    if (same && form.dataset.filled === undefined) {
      for (const option of options()) set(option, before.counts.get(option.key) || 0);
    }
    if (one("#pulled") && before.pulled && (same || !form)) one("#pulled").checked = true;
    for (const details of all("#table details[id]")) {
      if (before.open.has(details.id) && (same || !FOLDED.includes(details.id))) details.open = before.open.get(details.id);
    }
    update();
    tellNews(same);
    if (same || !form) refocus();
    const heading = one("#question");
    const lost = before.question && document.activeElement === document.body;
    const ends = isOver() && !before.over;
    if (heading && !before.busy && (form ? !same : lost || ends)) heading.focus({ preventScroll: true });
    if (form && !same && !before.busy) bringIntoSight();
    before = null;
  }

  // What is asked about, and what is new, comes into sight.

  const narrow = matchMedia("(max-width: 60rem)");

  /** On a small screen: what can be chosen on the board into the part that the card leaves free. */
  function bringIntoSight() {
    one("#card").scrollTop = 0;
    const lesson = one("#tip-of-the-lesson");
    if (!narrow.matches || (lesson && lesson.open)) return;
    const wanted = visible().filter((piece) => piece.matches(".can, .about")).map((piece) => piece.getBoundingClientRect());
    if (!wanted.length) return;
    const top = Math.min(...wanted.map((box) => box.top)) + scrollY;
    const bottom = Math.max(...wanted.map((box) => box.bottom)) + scrollY;
    const card = one("#card").getBoundingClientRect();
    const below = getComputedStyle(one("#card")).position === "sticky" && card.left < 50;
    const free = innerHeight - (below ? card.height : 0);
    if (top - scrollY >= 0 && bottom - scrollY <= free) return;
    scrollTo({ top: Math.max(0, top - Math.max(ROOM, (free - (bottom - top)) / 2)) });
  }

  /** The first of the new lines to the top of the log, unless somebody reads there. */
  function turnLogTo(fresh) {
    const log = one("#log");
    if (!fresh.length || log.contains(document.activeElement)) return;
    const newest = fresh.find((line) => line.closest(".chapter") === one(".chapter", log));
    const head = one("h2", log).offsetHeight;
    log.scrollTop = newest && newest.previousElementSibling ? newest.offsetTop - head : 0;
  }

  document.addEventListener("toggle", ({ target }) => {
    if (target.id === "tip-of-the-lesson" && !target.open) bringIntoSight();
  }, true);

  function tellNews(same) {
    const fresh = all("[data-line]").filter((line) => Number(line.dataset.line) >= before.lines);
    for (const line of fresh) {
      line.classList.add("new");
      setTimeout(() => line.classList.remove("new"), FRESH);
    }
    turnLogTo(fresh);
    const words = fresh.sort((a, b) => a.dataset.line - b.dataset.line).map((line) => one(".told", line).textContent);
    const heading = one("#question") ? one("#question").textContent.replace(/\s+/g, " ").trim() : "";
    const told = words.slice(-MANY);
    if (words.length > MANY) told.unshift(`${words.length - MANY} other things happened.`);
    const refused = one("#card .refused, #card .noted");
    if (refused) told.push(refused.textContent.trim());
    else if (!same || heading !== before.heading) told.push(heading);
    if (told.length) say(told.join(" "));
  }

  function trouble(words) {
    const place = one("#trouble");
    if (!place) return;
    place.textContent = words;
    place.hidden = !words;
  }

  const onTable = (event) => event.detail.target && event.detail.target.id === "table";
  const revisionIn = (html) => Number((/data-revision="(\d+)"/.exec(html) || [, -1])[1]);

  const revision = () => (strip() ? Number(strip().dataset.revision) : -1);
  const byMove = ({ triggeringEvent }) => Boolean(triggeringEvent && triggeringEvent.type === "sse:moved");
  const isPost = (event) => onTable(event) && event.detail.requestConfig.verb === "post";

  // What one does oneself is told twice, by the answer and by the stream: what the stream tells waits for the answer.
  let posting = 0;
  let held = -1;

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (isPost(event)) posting += 1;
    const cause = event.detail.requestConfig;
    const told = byMove(cause) && cause.triggeringEvent.detail ? Number(cause.triggeringEvent.detail.data) : NaN;
    if (!told) return;
    if (posting) held = Math.max(held, told);
    if (posting || told <= revision()) event.preventDefault();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (!isPost(event)) return;
    posting = Math.max(0, posting - 1);
    if (!posting && held > revision()) refresh();
    if (!posting) held = -1;
  });
  // The officer's advice is for one question: it is kept while that is asked, and not shown at another.
  const isOfficer = ({ target }) => Boolean(target && target.id === "officer");
  const adviceFor = (html) => (/class="officer" data-for="([^"]*)"/.exec(html) || [])[1];
  document.addEventListener("htmx:beforeRequest", ({ detail }) => { if (isOfficer(detail)) say("The officer thinks."); });
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (isOfficer(detail) && !(answer() && adviceFor(detail.xhr.responseText) === answer().dataset.question)) detail.shouldSwap = false;
  });
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (!isOfficer(detail)) return;
    say(one(".officer-why").textContent);
    look(one("#officer-title"));
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr } = event.detail;
    if (onTable(event) && xhr.status === 409 && revisionIn(xhr.responseText) >= 0) {
      event.detail.shouldSwap = true;
      event.detail.isError = false;
    }
    if (!onTable(event) || !event.detail.shouldSwap) return;
    const comes = revisionIn(xhr.responseText);
    const known = byMove(event.detail.requestConfig) ? comes <= revision() : comes < revision();
    if (known) event.detail.shouldSwap = false;
    else {
      remember();
      unsettleBoard();
    }
  });
  document.addEventListener("htmx:afterSwap", (event) => {
    if (onTable(event)) settle();
    else if (one("#reel")) {
      settleBoard();
      settleReel();
    }
    localTimes();
  });
  document.addEventListener("htmx:afterSettle", () => {
    watchRoom();
    fit();
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    const { elt, successful, xhr } = event.detail;
    if (successful && elt.matches("[data-empties]")) elt.reset();
    if (successful) trouble("");
    else if (xhr.status && !(xhr.status === 409 && revisionIn(xhr.responseText) >= 0)) {
      const words = new DOMParser().parseFromString(xhr.responseText, "text/html").body.textContent;
      trouble(words.replace(/\s+/g, " ").trim() || `The house refused this (${xhr.status}).`);
    }
  });
  document.addEventListener("htmx:sendError", () => {
    trouble("The house cannot be reached just now. Nothing is lost, and your ticks stay; try again in a moment.");
  });

  // Lines that have just come stay marked as such when the table is put in place once more. What is the same on the
  // board and in the log is not gone through: that is most of it. Elsewhere ticks have to be undone, equal or not.
  if (window.Idiomorph) {
    const { callbacks } = window.Idiomorph.defaults;
    callbacks.beforeAttributeUpdated = (name, node) => !(name === "class" && node.matches("[data-line].new"));
    const isKept = (old, next) => old.id === "officer" && old.dataset.for === next.dataset.for && !next.firstElementChild;
    callbacks.beforeNodeMorphed = (old, next) => !isKept(old, next)
      && !((old instanceof SVGElement || (old.dataset && old.dataset.line)) && old.isEqualNode(next));
  }

  function refresh() {
    const part = one("#table, #reel");
    if (part && window.htmx) window.htmx.trigger(part, "again");
  }

  // A board has one chart for a wide place and one for a narrow one. Only the one that there is room for is asked for;
  // when the room changes, the other. What is narrow stays so a little longer, as a bar for scrolling comes and goes.
  const NARROW = 560;
  const BAR = 20;
  const drawn = () => one("#board .board");

  function room() {
    const width = drawn() ? drawn().clientWidth : 0;
    const narrowNow = drawn() && !one(".board-wide", drawn());
    return width ? (width <= NARROW + (narrowNow ? BAR : 0) ? "narrow" : "wide") : "";
  }

  document.addEventListener("htmx:configRequest", (event) => {
    if (room()) event.detail.headers["Board-Shape"] = room();
  });
  const fits = () => !room() || !drawn().matches(".board-alone") || Boolean(one(`.board-${room()}`, drawn()));

  /** While a step of a replay settles, its part would still ask for the step before: it is looked at once it has. */
  function fit() {
    if (!fits() && !one("#reel.htmx-settling")) refresh();
  }

  const watch = new ResizeObserver(fit);

  function watchRoom() {
    if (one("#board")) watch.observe(one("#board"));
  }

  // The stream of what happens: when it breaks that is said, and when it is back the table is looked at anew.
  let broken = false;
  document.addEventListener("htmx:sseError", () => {
    broken = true;
    trouble("The line to the table is broken; reconnecting …");
  });
  document.addEventListener("htmx:sseOpen", (event) => {
    event.detail.source.addEventListener("here", (note) => {
      if (broken || (strip() && Number(note.data) > Number(strip().dataset.revision))) refresh();
      if (broken) trouble("");
      broken = false;
    });
  });

  // -- a replay that goes on by itself -----------------------------------------------------------------------------------

  const SOON = 50;
  let playing = 0;
  let pace = "";

  let told = "";

  /** A step brings a new bar; its button and its pace stay what they were, and what was decided is said once. */
  function settleReel() {
    one("#play").textContent = playing ? "Pause" : "Play";
    if (pace) one("#pace").value = pace;
    const words = [".strip-turn", ".decided"].map((query) => one(query).textContent.replace(/\s+/g, " ").trim()).join(". ");
    if (words !== told) say(words);
    told = words;
  }

  function pause() {
    clearTimeout(playing);
    playing = 0;
    settleReel();
  }

  /** On to the next step, once the one that was asked for is there. */
  function playOn() {
    if (one(".htmx-request, .htmx-settling")) {
      playing = setTimeout(playOn, SOON);
      return;
    }
    const next = one("#step-on[href]");
    if (!next) return pause();
    next.click();
    playing = setTimeout(playOn, Number(one("#pace").value));
  }

  document.addEventListener("click", (event) => {
    if (event.target.id !== "play") return;
    if (playing) return pause();
    playing = setTimeout(playOn, 0);
    event.target.textContent = "Pause";
  });
  document.addEventListener("change", (event) => { if (event.target.id === "pace") pace = event.target.value; });

  // -- at the start -------------------------------------------------------------------------------------------------

  function localTimes() {
    for (const time of all("time[datetime]:not([data-local])")) {
      const at = new Date(time.dateTime);
      const today = at.toDateString() === new Date().toDateString();
      const clock = { hour: "2-digit", minute: "2-digit" };
      time.textContent = at.toLocaleString([], today ? clock : { day: "numeric", month: "short", ...clock });
      time.dataset.local = "";
    }
  }

  /** The sheet on a phone follows a finger on its handle. */
  function handle() {
    let from = null;
    document.addEventListener("pointerdown", (event) => { from = event.target.closest(".handle") ? event.clientY : null; });
    document.addEventListener("pointerup", (event) => {
      if (from === null || Math.abs(event.clientY - from) < 20) return;
      one("#pulled").checked = event.clientY < from;
    });
  }

  document.documentElement.classList.add("scripted");
  document.body.append(tip);
  if (one("#single-keys")) one("#single-keys").checked = localStorage.getItem(SINGLE_KEYS) !== "off";
  settleBoard();
  settleTitle();
  update();
  if (answer()) bringIntoSight();
  localTimes();
  watchRoom();
  handle();
})();
