"""One person, one screen, both sides: a curtain falls between them."""

from __future__ import annotations

import pytest
from tests.browser.conftest import Visit
from tests.browser.match_page import Table
from tests.browser.matches import known_to_all, set_up, visible_keys
from tests.browser.visitors import Visitor
from tests.server.running import Server

pytestmark = pytest.mark.slow

GONE_ON = """(before) => {
  const strip = document.querySelector('.strip');
  return document.querySelector('.handover') || (strip && Number(strip.dataset.revision) > before);
}"""


class HotSeat:
    """Both sides at one screen; `secrets` are the pieces that only one side has seen, by its seat."""

    def __init__(self, anna: Visitor, server: Server) -> None:
        self.anna, self.server, self.table = anna, server, Table(anna.page)
        self.secrets: dict[str, set[str]] = {}
        self.handovers = 0

    def meets(self) -> bool:
        """Whether it is the curtain, and not a question, that is met; it shows nothing of anybody."""
        self.anna.page.locator(".handover, #answer").first.wait_for()
        if not self.anna.page.locator(".handover").count():
            return False
        self.handovers += 1
        assert not visible_keys(self.anna.page, set().union(*self.secrets.values()))
        assert not self.anna.page.locator("[data-key], #said").count()
        return True

    def answer(self) -> None:
        """Answer for the side that sits there, which sees nothing of the other's."""
        seen = self.table.look()
        public = known_to_all(self.server, self.table.match)
        self.secrets[seen["seat"]] = self.table.pieces() - public
        others = [keys for seat, keys in self.secrets.items() if seat != seen["seat"]]
        assert not visible_keys(self.anna.page, set().union(*others))
        self.table.choose(self.table.advice())
        self.table.confirmation.click()
        self.anna.page.wait_for_function(GONE_ON, arg=seen["revision"])


def test_handover_page_hides_each_side(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    set_up(anna, {"usa": "me", "japan": "me"})
    hot = HotSeat(anna, server)
    while hot.meets() or hot.table.look()["turn"] == 1:
        if anna.page.locator(".handover").count():
            anna.press("show the board")
        else:
            hot.answer()
    assert set(hot.secrets) == {"usa", "japan"}
    assert all(len(pieces) > 20 for pieces in hot.secrets.values())
    assert hot.handovers >= 2


@pytest.mark.torture(6)
def test_undo_works_from_the_handover_page(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    set_up(anna, {"usa": "me", "japan": "me"})
    hot = HotSeat(anna, server)
    hot.meets()
    anna.press("show the board")
    asked = hot.table.waits_for_question()
    while not hot.meets():
        asked = hot.table.look()
        hot.answer()
    anna.press("last decision")
    again = hot.table.waits_for_question()
    assert (again["seat"], again["question"]) == (asked["seat"], asked["question"])
