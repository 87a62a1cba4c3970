"""Both sides at one screen, with a handover page between turns."""

from __future__ import annotations

import pytest
from tests.browser.conftest import Visit
from tests.browser.match_page import Table
from tests.browser.matches import public_keys, set_up, visible_keys
from tests.browser.visitors import Visitor
from tests.server.running import Server

pytestmark = pytest.mark.slow

HAS_MOVED = """(before) => {
  const strip = document.querySelector('.strip');
  return document.querySelector('.handover') || (strip && Number(strip.dataset.revision) > before);
}"""


class HotSeat:
    """Both sides at one screen; `secrets` are the pieces that only one side has seen, by seat."""

    def __init__(self, anna: Visitor, server: Server) -> None:
        self.anna, self.server, self.table = anna, server, Table(anna.page)
        self.secrets: dict[str, set[str]] = {}
        self.handovers = 0

    def check_handover(self) -> bool:
        """Return whether the handover page is shown; check that it hides both sides."""
        self.anna.page.locator(".handover, #answer").first.wait_for()
        if not self.anna.page.locator(".handover").count():
            return False
        self.handovers += 1
        assert not visible_keys(self.anna.page, set().union(*self.secrets.values()))
        assert not self.anna.page.locator("[data-key], #said").count()
        return True

    def answer(self) -> None:
        """Answer for the side at the screen; check that it sees no secrets of the other."""
        seen = self.table.look()
        public = public_keys(self.server, self.table.match)
        self.secrets[seen["seat"]] = self.table.pieces() - public
        others = [keys for seat, keys in self.secrets.items() if seat != seen["seat"]]
        assert not visible_keys(self.anna.page, set().union(*others))
        self.table.choose(self.table.hint_keys())
        self.table.confirmation.click()
        self.anna.page.wait_for_function(HAS_MOVED, arg=seen["revision"])


@pytest.mark.torture(6)
def test_handover_page_hides_each_side(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    set_up(anna, {"usa": "me", "japan": "me"})
    hot_seat = HotSeat(anna, server)
    while hot_seat.check_handover() or hot_seat.table.look()["turn"] == 1:
        if anna.page.locator(".handover").count():
            anna.press("show the board")
        else:
            hot_seat.answer()
    assert set(hot_seat.secrets) == {"usa", "japan"}
    assert all(len(pieces) > 20 for pieces in hot_seat.secrets.values())
    assert hot_seat.handovers >= 2


@pytest.mark.torture(6)
def test_undo_works_from_the_handover_page(visit: Visit, server: Server) -> None:
    anna = visit("Anna")
    set_up(anna, {"usa": "me", "japan": "me"})
    hot_seat = HotSeat(anna, server)
    hot_seat.check_handover()
    anna.press("show the board")
    decision = hot_seat.table.wait_for_decision()
    while not hot_seat.check_handover():
        decision = hot_seat.table.look()
        hot_seat.answer()
    anna.press("last decision")
    again = hot_seat.table.wait_for_decision()
    assert (again["seat"], again["question"]) == (decision["seat"], decision["question"])
