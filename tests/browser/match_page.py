"""A match page in a browser, and ways to use it: mouse, touch or keyboard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Protocol
from urllib.parse import urlsplit

from playwright.sync_api import Error, Locator, Page, expect

LOOK = """() => {
  const strip = document.querySelector('.strip'), form = document.querySelector('#answer');
  const turn = document.querySelector('.track-turn');
  return {
    revision: strip ? Number(strip.dataset.revision) : -1,
    turn: turn ? Number(turn.textContent.replace(/\\D/g, '')) : 0,
    over: Boolean(document.querySelector('#card .proof')),
    asks: Boolean(form),
    seat: form ? form.elements.seat.value : '',
    kind: form ? form.dataset.kind : '',
    rule: form ? (form.querySelector('.wanted .rule') || {textContent: ''}).textContent.trim() : '',
    question: form ? document.querySelector('#question').textContent.trim() : '',
    options: form ? [...form.querySelectorAll('[data-key]')].map((row) => row.dataset.key) : [],
    texts: form ? [...form.querySelectorAll('[data-key] .text')].map((row) => row.textContent.trim()) : [],
  };
}"""
CHOSEN = """() => [...document.querySelectorAll('#answer [data-key]')].flatMap((row) => {
  const input = row.querySelector('input:not([type=hidden])');
  const times = input.type === 'number' ? Number(input.value) : Number(input.checked);
  return Array(times).fill(row.dataset.key);
})"""
PIECES = "() => [...document.querySelectorAll('#board [data-key]')].map((piece) => piece.dataset.key)"
HAS_DECISION = """(before) => {
  const strip = document.querySelector('.strip');
  if (!strip || Number(strip.dataset.revision) <= before) return false;
  const {classList} = document.documentElement;
  if (!classList.contains('scripted') || classList.contains('opening')) return false;
  return Boolean(document.querySelector('#answer') || document.querySelector('#card .proof'));
}"""
DIRECTION = """(key) => {
  const middle = (piece) => {
    const box = piece.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const {activeElement: focused} = document;
  const own = `[data-key="${key}"]:not(.in-pile), [data-stack~="${key}"]`;
  const pieces = [...document.querySelectorAll(`#board :is(${own})`)];
  const wanted = pieces.find((piece) => piece.getClientRects().length);
  const [x, y] = middle(focused), [thereX, thereY] = middle(wanted);
  const at = focused.dataset.key || focused.dataset.stack || '';
  return {at, arrived: focused === wanted, right: thereX - x, down: thereY - y};
}"""
WITNESS = """
  addEventListener('pointerdown', (event) => noteUsage(`pointer: ${event.pointerType}`), true);
  addEventListener('htmx:afterSwap', () => setTimeout(() => {
    if (document.activeElement === document.body) noteUsage('focus lost');
  }));
"""
SPOT = """async (selector) => {
  const parts = [8, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15].map((part) => part / 16);
  const met = (scrolled) => {
    for (const piece of document.querySelectorAll(`#board ${selector}`)) {
      if (!piece.getClientRects().length) continue;
      if (scrolled) piece.scrollIntoView({block: 'center', inline: 'center'});
      const {left, top, width, height} = piece.getBoundingClientRect();
      for (const down of parts) for (const right of parts) {
        const spot = [left + right * width, top + down * height];
        const found = document.elementFromPoint(...spot);
        if (found && found.closest('[data-key], [data-place], [data-stack]') === piece) return spot;
      }
    }
    return scrolled ? null : met(true);
  };
  for (let spot = met(), times = 0; ; times += 1) {
    await new Promise(requestAnimationFrame);
    const again = met();
    if (times === 20 || (again && String(again) === String(spot))) return again;
    spot = again;
  }
}"""
"""The point where one of these pieces can be clicked once the page is at rest; null if there is none."""
PILES = """(keys) => {
  const piles = [...document.querySelectorAll('#board [data-stack]')].filter((pile) => pile.getClientRects().length);
  const names = piles.map((pile) => pile.dataset.stack);
  return keys.map((key) => {
    const [piece, place] = key.split('@');
    const pile = names.find((stack) => stack.split(' ').includes(piece));
    return pile ? (place ? `${pile}@${place}` : pile) : key;
  });
}"""
"""The names of the piles in which keys are, with the place to which they send; the key itself if it is in none."""
POLLING = 20
"""The polling interval in milliseconds; polling at each frame makes the browser draw it."""
SELECT_SCRIPT = """(keys) => {
  for (const key of keys) {
    const row = document.querySelector(`#answer [data-key="${key}"]`);
    (row.querySelector("[data-step='1']") || row.querySelector('input:not([type=hidden])')).click();
  }
}"""
STEPS = 400
"""The limit of key presses on a page."""


def spot_of(page: Page, key: str) -> list[float] | None:
    """Return where the piece of a key, or the pile that it is in, can be met on the board; None if there is none."""
    spot: list[float] | None = page.evaluate(SPOT, f':is([data-key="{key}"]:not(.in-pile), [data-stack~="{key}"])')
    return spot


class InputMethod(Protocol):
    """A way to choose and confirm."""

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Choose options; a key may be repeated."""

    def confirm(self, table: Table) -> None:
        """Send the answer."""

    def open(self, page: Page, what: Locator) -> None:
        """Press a button or follow a link."""


class Table:
    """A visitor's match page.

    Args:
        page: the browser page, which shows the match or will.
        hand: how options are chosen; by default with the mouse.
    """

    def __init__(self, page: Page, hand: InputMethod | None = None) -> None:
        self.page, self.hand = page, hand or Mouse()

    @property
    def match(self) -> str:
        """The match's id."""
        return urlsplit(self.page.url).path.split("/")[2]

    def look(self) -> dict[str, Any]:
        """Return what the page shows: revision, turn and decision."""
        data: dict[str, Any] = self.page.evaluate(LOOK)
        return data

    def chosen(self) -> list[str]:
        """Return the keys selected or allocated."""
        lines: list[str] = self.page.evaluate(CHOSEN)
        return lines

    def count_by_piece(self, keys: Sequence[str]) -> Counter[str]:
        """Count keys by the piece or pile of the board that stands for each."""
        return Counter(self.page.evaluate(PILES, list(keys)))

    def hint_keys(self) -> list[str]:
        """Return the bot's answer to the decision on this page."""
        seat = self.look()["seat"]
        data = self.page.request.get(f"/m/{self.match}/advice?seat={seat}").json()
        keys: list[str] = data["keys"]
        return keys

    def wait_for_decision(self) -> dict[str, Any]:
        """Wait until a decision is pending or the match is over."""
        self.page.wait_for_function(HAS_DECISION, arg=-1, polling=POLLING)
        return self.look()

    def choose(self, keys: Sequence[str]) -> None:
        """Choose these options, and check that exactly these are selected."""
        if list(keys) != ["continue"]:  # a question without a choice has only a button
            self.hand.choose(self, keys)
        assert self.count_by_piece(self.chosen()) == self.count_by_piece(keys), (
            f"wrong selection at: {self.look()['question']}"
        )

    def send(self) -> None:
        """Send the answer, again if a new question holds it because it is empty."""
        self.hand.confirm(self)
        if self.page.locator("#tally", has_text="Press again").count():
            self.hand.confirm(self)

    def confirm(self) -> None:
        """Send the answer and wait for the next revision."""
        before = self.look()["revision"]
        self.send()
        self.wait_past(before)

    def wait_past(self, revision: int) -> None:
        """Wait until the page shows a later revision."""
        self.page.wait_for_function(
            "(before) => Number((document.querySelector('.strip') || {dataset: {}}).dataset.revision) > before",
            arg=revision,
            polling=POLLING,
        )

    def answer(self, keys: Sequence[str] | None = None) -> None:
        """Answer the decision on this page, by default with the bot's hint."""
        self.choose(self.hint_keys() if keys is None else keys)
        self.confirm()

    def play(self, until: Callable[[dict[str, Any]], bool], most: int = 300) -> dict[str, Any]:
        """Answer decisions until a condition holds or the match is over; return what the page shows then."""
        for _ in range(most):
            seen = self.wait_for_decision()
            if seen["over"] or until(seen):
                return seen
            self.answer()
        raise AssertionError(f"condition not met after {most} answers: {self.look()}")

    def pieces(self) -> set[str]:
        """Return the keys of all pieces on the board."""
        return set(self.page.evaluate(PIECES))

    # -- elements --------------------------------------------------------------------------------------------

    def row(self, key: str) -> Locator:
        """Return an option in the decision card."""
        return self.page.locator(f'#answer [data-key="{key}"]')

    def piece(self, key: str) -> Locator:
        """Return a visible piece on the board, or the pile that it is in."""
        own = f'[data-key="{key}"]:not(.in-pile)'
        return self.page.locator(f'#board :is({own}, [data-stack~="{key}"])').locator("visible=true")

    @property
    def confirmation(self) -> Locator:
        """The confirm button."""
        return self.page.locator("#confirm")


# -- mouse, touch and keyboard -----------------------------------------------------------------------------------------


class Mouse:
    """Clicks options on the board if they are there, else in the card; `on_board` and `in_card` count both."""

    def __init__(self) -> None:
        self.on_board = self.in_card = 0

    def press(self, what: Locator, **more: Any) -> None:
        """Click an element; raise `Error` if that takes too long."""
        what.click(**more)

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        for key in keys:
            if not self._on_board(table, key):
                self._in_card(table, key)

    def _on_board(self, table: Table, key: str) -> bool:
        piece = table.piece(key)
        if not piece.count():
            sent = self._send(table, key)
            self.on_board += sent
            return sent
        try:
            self.press(piece.first, timeout=5_000)
        except Error as error:
            raise AssertionError(f"the piece {key} cannot be clicked: {error.message}") from error
        self.on_board += 1
        return True

    def _send(self, table: Table, key: str) -> bool:
        """Click a piece and then its place, if the option sends one to the other; return whether it does.

        Of a pile, one piece is taken.
        """
        (name,) = table.count_by_piece([key])
        before = table.count_by_piece(table.chosen())[name]
        for role in ("among", "sweep"):
            spot = self.spot(table.page, f'[data-{role}~="{key}"]:not(.in-pile)')
            if spot is None:
                return False
            self.click_at(table.page, spot)
            if table.count_by_piece(table.chosen())[name] > before:
                return True
            panel = table.page.locator(".layer-panel")
            if role == "among" and panel.locator("b").count():
                for _ in range(int(panel.locator("b").inner_text()) - 1):
                    self.press(panel.get_by_text("−"))
        return table.count_by_piece(table.chosen())[name] > before

    def spot(self, page: Page, selector: str) -> list[float] | None:
        """Return where a piece or place can be met on the board; None if there is none."""
        spot: list[float] | None = page.evaluate(SPOT, selector)
        return spot

    def click_at(self, page: Page, spot: Sequence[float]) -> None:
        """Click a point of the window."""
        page.mouse.click(*spot)

    def _in_card(self, table: Table, key: str) -> None:
        row = table.row(key)
        if row.is_hidden():
            self.press(table.page.locator("#fold"))
        more = row.locator("[data-step='1']")
        self.press(more if more.count() else row)
        self.in_card += 1

    def confirm(self, table: Table) -> None:
        self.press(table.confirmation)

    def open(self, page: Page, what: Locator) -> None:
        """Click an element."""
        self.press(what)


class OnBoard(Mouse):
    """Plays on the board alone, and drags pieces to their places."""

    def _send(self, table: Table, key: str) -> bool:
        page = table.page
        start, end = (self.spot(page, f'[data-{role}~="{key}"]:not(.in-pile)') for role in ("among", "sweep"))
        if start is None or end is None:
            return False
        size = page.locator(f'#board [data-among~="{key}"]:not(.in-pile)').first.get_attribute("data-size")
        page.mouse.move(*start)
        page.mouse.down()
        page.mouse.move(*[(one + other) / 2 for one, other in zip(start, end, strict=True)])
        for _ in range(int(size or 1) - 1):  # one of a pile
            page.mouse.wheel(0, 100)
        page.mouse.move(*end)
        page.mouse.up()
        return True

    def _in_card(self, table: Table, key: str) -> None:
        raise AssertionError(f"{key} cannot be chosen on the board: {table.look()['question']}")


class HintedMouse(Mouse):
    """Clicks on the board if the whole answer is there, else presses the hint button.

    After the first hint for a rule a script selects the answer, because each hint redraws the page.
    `bot_answers` counts the hints; `clicked` has the keys clicked on the board.
    """

    def __init__(self) -> None:
        super().__init__()
        self.bot_answers = 0
        self.clicked: list[str] = []
        self._hinted_rules: set[str] = set()

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Click on the board or use the bot's hint; do nothing for an empty answer."""
        if all(table.piece(key).count() for key in keys):
            for key in keys:
                self._click(table, key)
        elif (rule := table.look()["rule"]) in self._hinted_rules:
            table.page.evaluate(SELECT_SCRIPT, list(keys))
        else:
            self._hinted_rules.add(rule)
            self.press(table.page.locator("#hint"))
            table.page.locator("#answer[data-filled]").wait_for()
            self.bot_answers += 1

    def _click(self, table: Table, key: str) -> None:
        spot = spot_of(table.page, key)
        assert spot is not None, f"the piece {key} cannot be met"
        table.page.mouse.click(*spot)
        self.clicked.append(key)
        self.on_board += 1


class Touch(Mouse):
    """Taps instead of clicking."""

    def press(self, what: Locator, **more: Any) -> None:
        """Tap an element."""
        what.tap(**more)

    def click_at(self, page: Page, spot: Sequence[float]) -> None:
        """Tap a point of the window."""
        page.touchscreen.tap(*spot)


class HintedTouch(HintedMouse, Touch):
    """Taps instead of clicking, and uses the bot's hints."""


class Keyboard:
    """Uses only the keyboard: Tab, arrows, Space, Enter and the page's shortcuts."""

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Tab through the card from its question and choose wanted options."""
        keyboard, wanted = table.page.keyboard, Counter(keys)
        keyboard.press("d")
        for _ in range(STEPS):
            if not wanted:
                return
            keyboard.press("Tab")
            self._meet(table.page, wanted)
        raise AssertionError(f"{sorted(wanted)} cannot be reached with the Tab key")

    def _meet(self, page: Page, wanted: Counter[str]) -> None:
        """Choose the focused option if it is wanted; move through radio buttons with the arrow keys."""
        kind = page.evaluate("document.activeElement.type || ''")
        if kind == "radio":
            for _ in range(STEPS):
                if self._focused(page) in wanted:
                    break
                page.keyboard.press("ArrowDown")
            page.keyboard.press("Space")
        key = self._focused(page)
        if key not in wanted:
            return
        if kind == "number":
            page.keyboard.press("Control+a")
            page.keyboard.type(str(wanted[key]))
        elif kind == "checkbox":
            page.keyboard.press("Space")
        del wanted[key]

    def _focused(self, page: Page) -> str:
        text: str = page.evaluate(
            """() => {
              const {activeElement: focused} = document, row = focused.closest('#answer [data-key]');
              return row && focused.matches('input') ? row.dataset.key : '';
            }"""
        )
        return text

    def confirm(self, table: Table) -> None:
        """Press Enter; with an empty selection the first Enter focuses the button and the second presses it."""
        expect(table.confirmation).to_be_enabled()  # a new decision takes no Enter that follows another at once
        if not table.chosen():
            table.page.keyboard.press("Enter")
            expect(table.confirmation).to_be_focused()
        table.page.keyboard.press("Enter")

    def open(self, page: Page, what: Locator) -> None:
        """Focus an element with the Tab key and press Enter."""
        self.go_to(page, what)
        page.keyboard.press("Enter")

    def go_to(self, page: Page, what: Locator) -> None:
        """Press Tab until an element has the focus."""
        for _ in range(STEPS):
            if what.evaluate("(wanted) => wanted === document.activeElement"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{what} cannot be reached with the Tab key")


class ArrowKeys(Keyboard):
    """Chooses with the arrow keys on the board if possible, else in the card; counts both."""

    def __init__(self) -> None:
        self.on_board = self.in_card = 0

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Choose on the board first, then the rest in the card."""
        wanted = Counter(keys)
        lying = table.pieces() & wanted.keys()
        for key in (key for key in dict.fromkeys(keys) if key in lying and table.piece(key).count()):
            self._walk(table.page, key)
            for _ in range(wanted.pop(key)):
                table.page.keyboard.press("Space")
                if table.page.locator("#board .held").count():  # a pile, of which a second press chooses one
                    table.page.keyboard.press("Space")
                self.on_board += 1
        self.in_card += wanted.total()
        if wanted:
            super().choose(table, list(wanted.elements()))

    def _walk(self, page: Page, key: str) -> None:
        """Press the least-tried arrow that points most towards the piece until it has the focus."""
        page.keyboard.press("b")
        tried = Counter[tuple[str, str]]()
        for _ in range(STEPS):
            seen = page.evaluate(DIRECTION, key)
            if seen["arrived"]:
                return
            here = seen["at"]
            helps = {"ArrowRight": seen["right"], "ArrowDown": seen["down"]}
            helps |= {"ArrowLeft": -seen["right"], "ArrowUp": -seen["down"]}
            arrow = min(helps, key=lambda arrow: (tried[here, arrow], -helps[arrow]))
            tried[here, arrow] += 1
            page.keyboard.press(arrow)
        raise AssertionError(f"the piece {key} cannot be reached with the arrow keys")


class UsageMonitor:
    """Records how a page is used from its next load on, and whether the focus is lost."""

    def __init__(self, page: Page) -> None:
        self.usage: list[str] = []
        page.expose_function("noteUsage", self._note)
        page.add_init_script(WITNESS)

    def _note(self, text: str) -> None:
        self.usage.append(text)
