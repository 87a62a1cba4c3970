"""Tests of sections 13, 14 and 17: luck, losses and victory."""

from __future__ import annotations

import pytest
from tests.games.tora.battle import DATA, Battle
from tests.games.tora.helpers import ATTACK, wave

from readyroom.games.tora.battle.losses import american_losses, japanese_losses
from readyroom.games.tora.battle.outcome import FinalCounts, band, chart_result, epilogue, final_counts
from readyroom.games.tora.figures import Result
from readyroom.games.tora.plans.builtin import counts
from readyroom.games.tora.plans.data import JapanesePlan
from readyroom.games.tora.side_panels import capital_ships, describe_yard
from readyroom.games.tora.view import view

RED, BLACK = "7-of-hearts", "ace-of-spades"


def aloft(turn: int, **options: object) -> Battle:
    """Place a Zero over 3NW, so that the battle does not end."""
    return Battle(turn, **options).put("3NW", "zero-1")  # type: ignore[arg-type]


# -- luck --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "13", "13.1", "13.3")
def test_card_is_drawn_each_turn_from_end_of_turn_eleven() -> None:
    battle = aloft(10)
    battle.play("end")
    assert not battle.state.drawn
    for turn, card in ((11, RED), (12, "2-of-diamonds")):
        battle.turn = turn
        battle.play("end", draws=[card])
    assert [card.key for card in battle.state.drawn] == [RED, "2-of-diamonds"]
    assert battle.outcome is None
    assert battle.texts("13.3") == ["Japan draws the 2 of diamonds: the attack continues."]


@pytest.mark.rule("tora", "13.4", "16.5", "14.2")
def test_black_card_ends_battle_and_everything_on_map_is_lost() -> None:
    battle = aloft(11).put("2SE", "val-1", strength=2).put("2NW", "p40-1")
    battle.play("end", draws=[BLACK])
    assert battle.outcome is not None
    assert battle.outcome.text.startswith("The Japanese task force has withdrawn in haste")
    assert {battle.place(key) for key in ("zero-1", "val-1")} == {"lost"}
    assert battle.place("p40-1") == "2NW"
    assert final_counts(battle.state, DATA).japanese == 8, "the two that val-1 had lost before count as well"


@pytest.mark.rule("tora", "13.3", "16.6")
@pytest.mark.parametrize(
    ("option", "turn", "drawn"), [("7", 6, 0), ("7", 7, 1), ("13", 12, 0), ("13", 13, 1), ("0", 20, 0)]
)
def test_cards_may_begin_on_another_turn_or_never(option: str, turn: int, drawn: int) -> None:
    battle = aloft(turn, luck_from=option)
    battle.play("end", draws=[RED])
    assert len(battle.state.drawn) == drawn


@pytest.mark.rule("tora", "13.2", "13.4")
@pytest.mark.parametrize("in_port", [True, False])
def test_deck_ends_every_battle_by_turn_thirty_one(in_port: bool) -> None:
    battle = aloft(11, in_port=in_port)
    red = [card.key for card in battle.state.luck.contents if not card.black]
    for turn, card in zip(range(11, 31), red, strict=True):
        battle.turn = turn
        battle.play("end", draws=[card])
        assert battle.outcome is None
    assert all(card.black for card in battle.state.luck.contents)
    assert len(battle.state.luck.contents) == (1 if in_port else 2)
    battle.turn = 31
    battle.play("end")
    assert battle.outcome is not None


@pytest.mark.rule("tora", "T29", "16.6")
def test_night_without_cards_falls_on_turn_thirty_one() -> None:
    battle = aloft(30, luck_from=0)
    battle.play("end")
    assert battle.outcome is None
    battle.turn = 31
    battle.play("end")
    assert battle.outcome is not None
    assert battle.outcome.text.startswith("Night falls")
    assert battle.place("zero-1") == "lost"


# -- the end -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("tora", "14.2", "8")
def test_battle_ends_when_last_aircraft_left_and_no_wave_comes() -> None:
    battle = Battle(6)
    battle.play("end")
    assert battle.outcome is not None
    assert battle.outcome.text.startswith("The last Japanese aircraft have left.")


@pytest.mark.rule("tora", "14.2", "13.1", "T33")
def test_battle_continues_while_wave_is_still_to_come() -> None:
    battle = Battle(6, attack=JapanesePlan(7, (*ATTACK.wave, wave(7, ("3SE", "val", "gp", 11)))))
    battle.play("end")
    assert battle.outcome is None
    battle.state.japan.off = True
    battle.play("end")
    assert battle.outcome is not None


@pytest.mark.rule("tora", "14.5", "16.5")
def test_hits_on_returned_units_count_as_aircraft_lost() -> None:
    battle = Battle().put("3NW", "kate-1", strength=2).put("3NW", "zero-1", strength=1)
    assert japanese_losses(battle.state, DATA) == 2 + 3
    battle.play("japan-move-3", {"move:3NW": ["carriers"]})
    assert japanese_losses(battle.state, DATA) == 5
    assert american_losses(battle.state, DATA) == 0
    battle.unit("p40-1").strength = 1
    assert american_losses(battle.state, DATA) == 3


# -- the chart ---------------------------------------------------------------------------------------------------------


def judged(ok: int, damaged: int, sunk: int, yard: int, lost: int, row1_u: int = 3, row23_j: int = 1) -> Result:
    return chart_result(DATA, FinalCounts(ok, damaged, sunk, yard, lost, 0), row1_u, row23_j)


@pytest.mark.rule("tora", "17.1", "14.3", "14.4", "14.5", "17")
@pytest.mark.parametrize(
    ("ok", "damaged", "sunk", "verdicts"),
    [
        (10, 0, 0, "UUUUU"),
        (5, 0, 5, "UUUUU"),
        (4, 6, 0, "UUUTT"),
        (4, 4, 2, "UUUTT"),
        (4, 3, 3, "TTTTJ"),
        (3, 7, 0, "TTTTJ"),
        (3, 4, 3, "TTTJJ"),
        (2, 8, 0, "TTTJJ"),
        (2, 3, 5, "TTJJJ"),
        (1, 9, 0, "TJJJJ"),
        (1, 4, 5, "JJJJJ"),
        (0, 10, 0, "JJJJJ"),
        (0, 5, 5, "JJJJJ"),
    ],
)
def test_row_and_column_give_outcome(ok: int, damaged: int, sunk: int, verdicts: str) -> None:
    assert "".join(judged(ok, damaged, sunk, yard, 0) for yard in (0, 13, 36, 37, 60)) == verdicts


@pytest.mark.rule("tora", "17.1", "T7")
@pytest.mark.parametrize(("ok", "verdicts"), [(4, "TTTTJ"), (3, "TTTJJ"), (2, "TTJJJ"), (1, "JJJJJ"), (0, "JJJJJ")])
def test_more_than_five_sunk_uses_lower_row(ok: int, verdicts: str) -> None:
    for sunk in range(6, 11 - ok):
        assert "".join(judged(ok, 10 - ok - sunk, sunk, yard, 0) for yard in (0, 13, 36, 37, 60)) == verdicts


@pytest.mark.rule("tora", "17.1", "T23")
def test_open_steps_of_chart_are_two_options() -> None:
    assert [judged(4, 6, 0, yard, 0, row1_u=2) for yard in (24, 25)] == ["U", "T"]
    assert [judged(4, 6, 0, yard, 0, row1_u=3) for yard in (36, 37)] == ["U", "T"]
    assert [judged(4, 3, 3, 60, 0, row23_j=steps) for steps in (0, 1)] == ["T", "J"]
    assert [judged(3, 7, 0, 60, 0, row23_j=steps) for steps in (0, 1)] == ["T", "J"]


@pytest.mark.rule("tora", "17.2")
def test_yard_hits_move_one_column_per_twelve() -> None:
    assert [band(DATA, hits) for hits in (0, 12, 13, 24, 25, 36, 37, 48, 49, 60)] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]


@pytest.mark.rule("tora", "14.5", "14.1")
@pytest.mark.parametrize(("lost", "name"), [(150, "J"), (151, "T")])
def test_strategic_victory_with_150_aircraft_lost_becomes_tactical(lost: int, name: str) -> None:
    assert judged(0, 10, 0, 0, lost) == name
    assert judged(5, 5, 0, 60, lost) == "U"


@pytest.mark.rule("tora", "14", "14.2", "14.3", "T16", "T5")
def test_carriers_at_sea_and_scratched_ships_count_as_undamaged() -> None:
    battle = Battle(6)
    for key in ("nevada", "arizona", "oklahoma"):
        battle.ship(key).hits = 1
    battle.ship("tennessee").hits = 2
    battle.ship("maryland").hits = 6
    battle.ship("utah").hits = 9
    assert final_counts(battle.state, DATA)[:3] == (8, 1, 1)
    battle.play("end")
    assert battle.outcome is not None
    assert (battle.outcome.winner, battle.outcome.title) == ("usa", "American strategic victory")


@pytest.mark.rule("tora", "14.2")
def test_epilogue_lists_hit_ships() -> None:
    battle = Battle(6)
    assert epilogue(battle.state, DATA)[0] == "No ship was hit."
    for key, hits in (("nevada", 1), ("arizona", 6), ("tennessee", 2), ("utah", 1)):
        battle.ship(key).hits = hits
    assert epilogue(battle.state, DATA)[0] == (
        "Ships hit: Nevada 1 hit, Arizona sunk, Tennessee damaged, 2 hits, Utah 1 hit."
    )
    counted = counts(battle.state, DATA)
    assert [counted[f"Battleships {what}"] for what in ("hit", "damaged or sunk", "sunk")] == [3, 2, 1]


@pytest.mark.rule("tora", "14.4", "T34", "T27")
def test_tactical_victory_is_draw_and_plans_are_revealed() -> None:
    battle = Battle(6)
    for ship in battle.state.usa.ships:
        if ship.battleship:
            ship.hits = 3
    battle.play("end")
    assert battle.outcome is not None
    assert (battle.outcome.winner, battle.outcome.title) == (None, "Japanese tactical victory, strategic defeat")
    assert "2 undamaged, 8 damaged, 0 sunk" in battle.outcome.text


@pytest.mark.rule("tora", "14.5", "T34")
def test_strategic_victory_is_japans() -> None:
    battle = Battle(6)
    for ship in battle.state.usa.ships:
        if ship.capital:
            ship.hits = 3
    battle.play("end")
    assert battle.outcome is not None
    assert (battle.outcome.winner, battle.outcome.title) == ("japan", "Japanese strategic victory")


@pytest.mark.rule("tora", "17.1", "T23", "16.6")
@pytest.mark.parametrize(("option", "title"), [(2, "Japanese tactical victory"), (3, "American strategic victory")])
def test_outcome_follows_options_of_match(option: int, title: str) -> None:
    battle = Battle(6, row1_u=option)
    for ship in [ship for ship in battle.state.usa.ships if ship.battleship][:6]:
        ship.hits = 2
    for token in battle.state.usa.yard[:6]:
        token.hits = 5
    battle.play("end")
    assert battle.outcome is not None
    assert battle.outcome.title.startswith(title)


@pytest.mark.rule("tora", "17.2")
@pytest.mark.parametrize(
    ("hits", "share"),
    [
        (0, "0–20"),
        (12, "0–20"),
        (13, "21–40"),
        (24, "21–40"),
        (36, "41–60"),
        (37, "61–80"),
        (49, "81–100"),
        (60, "81–100"),
    ],
)
def test_board_shows_damage_band_of_yard(hits: int, share: str) -> None:
    battle = Battle()
    for at, token in enumerate(battle.state.usa.yard):
        token.hits = min(5, max(0, hits - 5 * at))
    assert describe_yard(view(battle.state, DATA, None).usa) == f"Navy Yard: {hits} of 60 hits ({share} %)"


@pytest.mark.rule("tora", "14.2", "T16")
def test_board_counts_each_capital_ship_once() -> None:
    battle = Battle()
    for key, hits in {"nevada": 2, "arizona": 6, "oklahoma": 9, "utah": 1, "vestal": 9}.items():
        battle.ship(key).hits = hits
    assert capital_ships(view(battle.state, DATA, None).usa) == (7, 1, 2)
