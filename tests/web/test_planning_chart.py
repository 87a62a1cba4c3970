"""Tests of the planning chart's requests: the sheet, the check of drafts, files, and plans that are sealed again."""

from __future__ import annotations

import re

import msgspec
import pytest
from tests.games.tora.helpers import ATTACK, DATA, DEFENCE
from tests.web.clients import FRIEND, ME, Guest, Site, site

from readyroom.games.tora.plans.lock import Plan
from readyroom.games.tora.plans.reading import read, write_toml
from readyroom.games.tora.plans.validation import completed

__all__ = ["site"]

SECTION = '<section id="plan"'


def draft(side: str, plan: Plan, **changes: object) -> bytes:
    return msgspec.json.encode({"side": side, **msgspec.to_builtins(plan), **changes})


def opened(site: Site) -> tuple[str, Guest, Guest]:
    """Return a match of two players who both plan."""
    usa, japan = site.guest("Kimmel"), site.guest("Yamamoto")
    who = {"usa": ME, "japan": FRIEND}
    made = site.store.lobby.create(usa.player, "tora", "december", {}, who, seed="chart", help_agreed=True)
    site.store.seats.join_by_link(made.links["japan"], japan.player.id)
    return f"/m/{made.id}", usa, japan


def sealed(guest: Guest, here: str, side: str, plan: Plan, again: str = "yes") -> int:
    """Send a plan as the chart does, and return the status."""
    form = {"seat": side, "again": again}
    return guest.upload(f"{here}/plan", draft(side, plan), "plan.json", form, **{"HX-Request": "true"}).status_code


def test_page_of_a_planner_has_the_chart_and_the_forms(site: Site) -> None:
    here, usa, _ = opened(site)
    page = usa.page(here)
    assert SECTION in page
    assert 'id="answer"' in page
    assert "plan.css" in page
    assert SECTION not in site.guest().page(here)


def test_page_of_a_planner_preloads_the_chart(site: Site) -> None:
    here, usa, _ = opened(site)
    page = usa.page(here)
    assert f'<link rel="preload" href="{here}/plan?seat=usa" as="fetch" crossorigin>' in page
    preloaded = re.findall(r'<link rel="modulepreload" href="/static/([^"]+)"', page)
    names = [re.sub(r"(?<=/)[0-9a-f]{12}/", "", address) for address in preloaded]
    assert {"js/plans/editor.js", "games/tora/plan-usa.js", "games/tora/plan-harbor.js"} <= set(names)
    assert "games/tora/plan-usa.js" not in site.guest().page(here), "a visitor does not plan"


def test_sheet_is_for_the_seat_alone(site: Site) -> None:
    here, usa, japan = opened(site)
    assert usa.get(f"{here}/plan").json()["side"] == "usa"
    assert japan.get(f"{here}/plan?seat=japan").json()["side"] == "japan"
    assert japan.get(f"{here}/plan?seat=usa").status_code == 403
    assert site.guest().get(f"{here}/plan").status_code == 403
    for path in ("plan/check", "plan/file"):
        form = {"seat": "usa", "draft": draft("usa", DEFENCE).decode()}
        assert japan.upload(f"{here}/{path}", draft("usa", DEFENCE), "draft.json", form).status_code == 403


@pytest.mark.parametrize("side", ["usa", "japan"])
def test_hint_is_a_legal_plan_for_the_seat_alone(site: Site, side: str) -> None:
    here, usa, japan = opened(site)
    own, other = (usa, japan) if side == "usa" else (japan, usa)
    plans = [own.get(f"{here}/plan/hint?seat={side}").json()["plan"] for _ in range(3)]
    for plan in plans:
        text = msgspec.json.encode({"side": side, **plan})
        assert not own.upload(f"{here}/plan/check", text, "draft.json", {"seat": side}).json()["faults"]
    assert any(plan != plans[0] for plan in plans), "each time a new one"
    assert other.get(f"{here}/plan/hint?seat={side}").status_code == 403
    assert site.guest().get(f"{here}/plan/hint").status_code == 403


def test_check_stores_nothing(site: Site) -> None:
    here, usa, _ = opened(site)
    before = site.revision(here[3:])
    answer = usa.upload(f"{here}/plan/check", draft("usa", DEFENCE, radar=["N"] * 10), "draft.json", {"seat": "usa"})
    assert answer.status_code == 200
    assert {fault["rule"] for fault in answer.json()["faults"]} == {"5.8"}
    assert site.revision(here[3:]) == before


def test_draft_is_downloaded_as_a_plan_file(site: Site) -> None:
    here, usa, _ = opened(site)
    form = {"seat": "usa", "as": "toml", "draft": draft("usa", DEFENCE).decode()}
    answer = usa.post(f"{here}/plan/file", form)
    assert answer.headers["content-disposition"] == 'attachment; filename="plan.toml"'
    assert answer.text == write_toml(DEFENCE)


def test_sealed_plan_is_replaced_until_both_are_sealed(site: Site) -> None:
    here, usa, japan = opened(site)
    assert sealed(usa, here, "usa", DEFENCE) == 200
    page = usa.page(here)
    assert 'data-state="sealed"' in page
    assert "Change the plan on the chart" in page
    assert usa.get(f"{here}/plan").json()["plan"]["radar"] == list(DEFENCE.radar)
    assert sealed(usa, here, "usa", msgspec.structs.replace(DEFENCE, radar=("SE",) * 10), "no") == 409
    assert sealed(usa, here, "usa", msgspec.structs.replace(DEFENCE, radar=("SE",) * 10)) == 200
    assert sealed(japan, here, "japan", ATTACK) == 200
    with site.store.matches.open(here[3:]) as match:
        assert match.state.usa.plan.radar == ("SE",) * 10
        assert match.state.japan.plan == ATTACK
    assert SECTION not in usa.page(here)
    assert usa.get(f"{here}/plan").status_code == 409


def test_chart_replaces_answers_of_the_forms(site: Site) -> None:
    here, usa, _ = opened(site)
    revision = str(site.asked(here[3:], "usa")["revision"])
    levels = {"key": ["aaa-9"], "count": ["2"], "seat": "usa", "revision": revision}
    assert usa.part(f"{here}/answer", levels).status_code == 200
    assert usa.get(f"{here}/plan").json()["plan"]["aaa"][8] == 3
    assert sealed(usa, here, "usa", DEFENCE) == 200
    assert usa.get(f"{here}/plan").json()["plan"]["aaa"] == list(DEFENCE.aaa)


def test_illegal_plan_is_not_sealed(site: Site) -> None:
    here, usa, _ = opened(site)
    before = site.revision(here[3:])
    assert sealed(usa, here, "usa", msgspec.structs.replace(DEFENCE, ship=(3,) * 10)) == 409
    assert site.revision(here[3:]) == before


def test_exported_file_is_imported_as_a_draft(site: Site) -> None:
    here, usa, _ = opened(site)
    answer = usa.upload(f"{here}/plan/check", write_toml(DEFENCE).encode(), "mine.toml", {"seat": "usa"})
    assert answer.json()["faults"] == []
    text = msgspec.json.encode({"side": "usa", **answer.json()["plan"]})
    assert completed(read(text, "a.json", DATA), DATA) == completed(DEFENCE, DATA)  # type: ignore[arg-type]
