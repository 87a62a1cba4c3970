"""A table as someone sees it in his browser, and his hands on it: by mouse, by finger, or by keys alone."""

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
MOVED_ON = """(before) => {
  const strip = document.querySelector('.strip');
  if (!strip || Number(strip.dataset.revision) <= before) return false;
  if (!document.documentElement.classList.contains('scripted')) return false;
  return Boolean(document.querySelector('#answer') || document.querySelector('#card .proof'));
}"""
WHITHER = """(key) => {
  const middle = (piece) => {
    const box = piece.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const {activeElement: focused} = document;
  const pieces = [...document.querySelectorAll(`#board [data-key="${key}"]`)];
  const wanted = pieces.find((piece) => piece.getClientRects().length);
  const [x, y] = middle(focused), [thereX, thereY] = middle(wanted);
  return {at: focused.dataset.key || '', arrived: focused === wanted, right: thereX - x, down: thereY - y};
}"""
WITNESS = """
  addEventListener('pointerdown', (event) => noted(`a pointer: ${event.pointerType}`), true);
  addEventListener('htmx:afterSwap', () => setTimeout(() => {
    if (document.activeElement === document.body) noted('the focus is lost');
  }));
"""
SPOT = """async (key) => {
  const parts = [8, 4, 12, 2, 6, 10, 14, 1, 3, 5, 7, 9, 11, 13, 15].map((part) => part / 16);
  const met = (scrolled) => {
    const pieces = [...document.querySelectorAll(`#board [data-key="${key}"]`)];
    const piece = pieces.find((one) => one.getClientRects().length);
    if (!piece) return null;
    if (scrolled) piece.scrollIntoView({block: 'center', inline: 'center'});
    const {left, top, width, height} = piece.getBoundingClientRect();
    for (const down of parts) for (const right of parts) {
      const spot = [left + right * width, top + down * height];
      const found = document.elementFromPoint(...spot);
      if (found && found.closest('[data-key]') === piece) return spot;
    }
    return scrolled ? null : met(true);
  };
  for (let spot = met(), times = 0; ; times += 1) {
    await new Promise(requestAnimationFrame);
    const again = met();
    if (times === 20 || String(again) === String(spot)) return again;
    spot = again;
  }
}"""
"""Where a piece can be met once the page is at rest, though others may lie upon it; null if it lies nowhere."""
SOON = 20
"""Milliseconds between two looks whether a page has gone on; to look at each frame makes the browser draw it."""
TICKED = """(keys) => {
  for (const key of keys) {
    const row = document.querySelector(`#answer [data-key="${key}"]`);
    (row.querySelector("[data-step='1']") || row.querySelector('input:not([type=hidden])')).click();
  }
}"""
STEPS = 400
"""More presses of a key than any page needs."""


class Hand(Protocol):
    """How someone chooses and confirms."""

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Choose options, each as often as it stands there."""

    def confirm(self, table: Table) -> None:
        """Send the answer."""

    def open(self, page: Page, what: Locator) -> None:
        """Press a button, or follow a link."""


class Table:
    """Someone's page with a table on it.

    Args:
        page: his page; it shows a table, or will.
        hand: how he chooses; by mouse, if nothing else is said.
    """

    def __init__(self, page: Page, hand: Hand | None = None) -> None:
        self.page, self.hand = page, hand or Mouse()

    @property
    def match(self) -> str:
        """The match's id."""
        return urlsplit(self.page.url).path.split("/")[2]

    def look(self) -> dict[str, Any]:
        """What the page shows now: revision, turn, and what is asked."""
        data: dict[str, Any] = self.page.evaluate(LOOK)
        return data

    def chosen(self) -> list[str]:
        """What is selected, and shared out."""
        lines: list[str] = self.page.evaluate(CHOSEN)
        return lines

    def advice(self) -> list[str]:
        """What the staff would answer to the question on this page."""
        seat = self.look()["seat"]
        data = self.page.request.get(f"/m/{self.match}/advice?seat={seat}").json()
        keys: list[str] = data["keys"]
        return keys

    def waits_for_question(self) -> dict[str, Any]:
        """Come back when something is asked, or when the match is over."""
        self.page.wait_for_function(MOVED_ON, arg=-1, polling=SOON)
        return self.look()

    def choose(self, keys: Sequence[str]) -> None:
        """Choose these, and see that just these are chosen."""
        self.hand.choose(self, keys)
        assert Counter(self.chosen()) == Counter(keys), f"chosen otherwise than wanted at: {self.look()['question']}"

    def confirm(self) -> None:
        """Send the answer, and see that the match has gone on on this page."""
        before = self.look()["revision"]
        self.hand.confirm(self)
        self.wait_past(before)

    def wait_past(self, revision: int) -> None:
        """Wait until the page shows a later revision than this."""
        self.page.wait_for_function(
            "(before) => Number((document.querySelector('.strip') || {dataset: {}}).dataset.revision) > before",
            arg=revision,
            polling=SOON,
        )

    def answer(self, keys: Sequence[str] | None = None) -> None:
        """Answer the question on this page, by default with the bot's hint."""
        self.choose(self.advice() if keys is None else keys)
        self.confirm()

    def play(self, until: Callable[[dict[str, Any]], bool], most: int = 300) -> dict[str, Any]:
        """Answer question after question until a moment has come, or the match is over; how it stands then."""
        for _ in range(most):
            seen = self.waits_for_question()
            if seen["over"] or until(seen):
                return seen
            self.answer()
        raise AssertionError(f"after {most} answers that has not come: {self.look()}")

    def pieces(self) -> set[str]:
        """The keys of all that lies on the board."""
        return set(self.page.evaluate(PIECES))

    # -- where things lie --------------------------------------------------------------------------------------------

    def row(self, key: str) -> Locator:
        """An option in the card."""
        return self.page.locator(f'#answer [data-key="{key}"]')

    def piece(self, key: str) -> Locator:
        """A piece on the board that can be seen."""
        return self.page.locator(f'#board [data-key="{key}"]').locator("visible=true")

    @property
    def confirmation(self) -> Locator:
        """The button that sends the answer."""
        return self.page.locator("#confirm")


# -- hands -----------------------------------------------------------------------------------------------------------


class Mouse:
    """Chooses on the board what lies there, and in the card what does not; `on_board` and `in_card` count both."""

    def __init__(self) -> None:
        self.on_board = self.in_card = 0

    def press(self, what: Locator, **more: Any) -> None:
        """Press something; `Error` if that takes too long."""
        what.click(**more)

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Click each option where it lies."""
        for key in keys:
            if not self._on_board(table, key):
                self._in_card(table, key)

    def _on_board(self, table: Table, key: str) -> bool:
        piece = table.piece(key)
        if not piece.count():
            return False
        try:
            self.press(piece.first, timeout=5_000)
        except Error as error:
            raise AssertionError(f"the piece {key} cannot be clicked: {error.message}") from error
        self.on_board += 1
        return True

    def _in_card(self, table: Table, key: str) -> None:
        row = table.row(key)
        more = row.locator("[data-step='1']")
        self.press(more if more.count() else row)
        self.in_card += 1

    def confirm(self, table: Table) -> None:
        """Press the button."""
        self.press(table.confirmation)

    def open(self, page: Page, what: Locator) -> None:
        """Click it."""
        self.press(what)


class Advised(Mouse):
    """Clicks on the board where all of an answer lies there, wherever it may be met; else lets the staff fill the card.

    What the staff has filled in for a rule before is selected by a script: to ask draws the whole table once more.
    `staffed` counts the answers that the staff has filled in, and `clicked` has what was clicked on the board.
    """

    def __init__(self) -> None:
        super().__init__()
        self.bot_answers = 0
        self.clicked: list[str] = []
        self._asked: set[str] = set()

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """By mouse on the board, or as the staff would; nothing at all where nothing is wanted."""
        if all(table.piece(key).count() for key in keys):
            for key in keys:
                self._click(table, key)
        elif (rule := table.look()["rule"]) in self._asked:
            table.page.evaluate(TICKED, list(keys))
        else:
            self._asked.add(rule)
            self.press(table.page.locator("#hint"))
            table.page.locator("#answer[data-filled]").wait_for()
            self.bot_answers += 1

    def _click(self, table: Table, key: str) -> None:
        spot = table.page.evaluate(SPOT, key)
        assert spot is not None, f"the piece {key} cannot be met"
        table.page.mouse.click(*spot)
        self.clicked.append(key)
        self.on_board += 1


class Finger(Mouse):
    """Taps instead of clicking."""

    def press(self, what: Locator, **more: Any) -> None:
        """Tap something."""
        what.tap(**more)


class AdvisedFinger(Advised, Finger):
    """Taps instead of clicking, and follows the bot's hints."""


class Keys:
    """Never touches a mouse: Tab, arrows, Space, Enter, and the letters that the table knows."""

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Go through the card from its question on, and choose what is met."""
        keyboard, wanted = table.page.keyboard, Counter(keys)
        keyboard.press("d")
        for _ in range(STEPS):
            if not wanted:
                return
            keyboard.press("Tab")
            self._meet(table.page, wanted)
        raise AssertionError(f"{sorted(wanted)} cannot be reached by the Tab key")

    def _meet(self, page: Page, wanted: Counter[str]) -> None:
        """Choose what has the focus if it is wanted; of radio buttons one has it, and the arrows continue from it."""
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
        """Press Enter; where nothing is chosen that goes to the button, and another Enter presses it."""
        if not table.chosen():
            table.page.keyboard.press("Enter")
            expect(table.confirmation).to_be_focused()
        table.page.keyboard.press("Enter")

    def open(self, page: Page, what: Locator) -> None:
        """Go there with the Tab key, and press Enter."""
        self.go_to(page, what)
        page.keyboard.press("Enter")

    def go_to(self, page: Page, what: Locator) -> None:
        """Press Tab until something has the focus."""
        for _ in range(STEPS):
            if what.evaluate("(wanted) => wanted === document.activeElement"):
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"{what} cannot be reached by the Tab key")


class Arrows(Keys):
    """Chooses by the arrows on the board what lies there, and in the card what does not; counts as a mouse does."""

    def __init__(self) -> None:
        self.on_board = self.in_card = 0

    def choose(self, table: Table, keys: Sequence[str]) -> None:
        """Go to the board and from piece to piece, then through the card for the rest."""
        wanted = Counter(keys)
        lying = table.pieces() & wanted.keys()
        for key in (key for key in dict.fromkeys(keys) if key in lying and table.piece(key).count()):
            self._walk(table.page, key)
            for _ in range(wanted.pop(key)):
                table.page.keyboard.press("Space")
                self.on_board += 1
        self.in_card += wanted.total()
        if wanted:
            super().choose(table, list(wanted.elements()))

    def _walk(self, page: Page, key: str) -> None:
        """Press the arrow that points to the wanted piece, of those that were tried least often from here."""
        page.keyboard.press("b")
        tried = Counter[tuple[str, str]]()
        for _ in range(STEPS):
            seen = page.evaluate(WHITHER, key)
            if seen["arrived"]:
                return
            here = seen["at"]
            helps = {"ArrowRight": seen["right"], "ArrowDown": seen["down"]}
            helps |= {"ArrowLeft": -seen["right"], "ArrowUp": -seen["down"]}
            arrow = min(helps, key=lambda arrow: (tried[here, arrow], -helps[arrow]))
            tried[here, arrow] += 1
            page.keyboard.press(arrow)
        raise AssertionError(f"the piece {key} cannot be reached by the arrows")


class Witness:
    """Watches a page from its next opening on: with what people point there, and whether the focus is ever lost."""

    def __init__(self, page: Page) -> None:
        self.noted: list[str] = []
        page.expose_function("noted", self._note)
        page.add_init_script(WITNESS)

    def _note(self, text: str) -> None:
        self.noted.append(text)
