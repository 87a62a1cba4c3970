"""Tests of the rules, charts, odds and search pages of every game."""

from __future__ import annotations

import re
import time
from collections import Counter
from functools import partial
from html.parser import HTMLParser
from urllib.parse import quote, urlencode, urlsplit

import pytest
from markupsafe import escape
from tests.web.server import Browser

from readyroom import bots, games
from readyroom.engine.rules.checks import percent
from readyroom.engine.text import en_dashes
from readyroom.web.pages.games.games import SOURCES
from readyroom.web.pages.games.reader import reader, slug
from readyroom.web.pages.games.rule_texts import chapters, found_in_rules, rule_help
from readyroom.web.pages.games.search import MOST_HITS, Words, index, search_all
from readyroom.web.pages.games.search_query import fold, parse_query

NAMES = games.game_names()
SHELVES = ["", "/rules", "/charts", "/odds"]
PAGES = [
    "/games",
    "/search",
    "/search?q=carrier",
    "/tutorial",
    "/credits",
    *(f"/tutorial/{n}" for n in NAMES if games.load(n).lesson),
    *(f"/games/{n}{s}" for n in NAMES for s in SHELVES),
    *(f"/games/{n}/tools" for n in NAMES if games.load(n).presentation.tools(games.load(n).data)),
]
FIRST = ["/", "/new", "/me", "/studies"]
"""Main pages that link to the game pages and are linked from them."""
JARGON = ("die-roll modifier", "DRM", "checkpoint", "revision", "resample", "coroutine", " AA ")
"""Jargon that the pages should avoid."""


class Read(HTMLParser):
    """A parsed page: its tags, ids, links and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.tags if name == tag]

    @property
    def ids(self) -> list[str]:
        return [attrs["id"] or "" for _, attrs in self.tags if "id" in attrs]

    @property
    def links(self) -> list[str]:
        return [attrs["href"] or "" for attrs in self.all("a")]


def read(browser: Browser, path: str, status: int = 200) -> Read:
    answer = browser.get(path)
    assert answer.status_code == status, path
    return Read(answer.text)


# -- all pages -------------------------------------------------------------------------------------------------------


@pytest.mark.sample(12)
@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_pages_have_one_heading_and_a_skip_link(browser: Browser, path: str) -> None:
    page = read(browser, path)
    assert len(page.all("h1")) == 1
    assert len(page.all("main")) == 1
    assert "#main" in page.links
    assert not [name for name, count in Counter(page.ids).items() if count > 1], "each id stands once"


@pytest.mark.sample(12)
@pytest.mark.parametrize("path", PAGES)
def test_pages_have_no_inline_code(browser: Browser, path: str) -> None:
    page = read(browser, path)
    assert not page.all("style")
    assert not [attrs for tag, attrs in page.tags if "style" in attrs or any(name.startswith("on") for name in attrs)]
    assert all(attrs.get("src") for attrs in page.all("script"))


@pytest.mark.slow(2)
def test_links_between_game_pages_work(browser: Browser) -> None:
    pages, others = {path: read(browser, path) for path in (*PAGES, *FIRST)}, set[str]()
    for path, page in pages.items():
        for link in page.links:
            parts = urlsplit(link)
            target = pages.get(parts.path or urlsplit(path).path)
            if target is None:
                assert parts.path in others or browser.get(link).status_code == 200, f"{path} leads to {link}"
                others.add(parts.path)
            else:
                assert not parts.fragment or parts.fragment in target.ids, f"{path} leads to {link}"


def test_credits_name_designers_and_count_sources(browser: Browser) -> None:
    text = " ".join(read(browser, "/credits").text.split())
    for name in NAMES:
        game = games.load(name)
        assert game.credits is not None
        assert f"{game.credits.attribution}." in text
        for tally in game.sources.values():
            assert f"{tally.tables:,}{tally.figures:,}" in text.replace(" ", "")


# -- rules -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_rules_page_has_every_rule_and_ruling(browser: Browser, name: str) -> None:
    page, book = read(browser, f"/games/{name}/rules"), games.load(name).rulebook
    text = " ".join(page.text.split())
    for rule in book.rule:
        assert rule.number in page.ids
        assert " ".join(rule.text.split()) in text
    for ruling in book.ruling:
        assert ruling.id in page.ids
        assert " ".join(ruling.reason.split()) in text


def test_ruling_follows_its_rule_and_names_its_option() -> None:
    sections = [part for chapter in chapters("midway") for part in (chapter.head, *chapter.parts) if part.notes]
    by_rule = {part.number: [note.number for note in part.notes] for part in sections}
    assert by_rule["11.3"] == ["M8", "M21"]
    rings = next(note for part in sections for note in part.notes if note.number == "M5")
    assert (rings.option, rings.option_key) == ("CAP rings", "cap_rings")


@pytest.mark.parametrize(("asked", "name"), [("12.4", "12.4"), ("m7", "M7"), ("%2012.4", "12.4")])
def test_rule_number_is_an_address(browser: Browser, asked: str, name: str) -> None:
    answer = browser.get(f"/games/midway/rules/{asked}")
    assert answer.status_code in (302, 303, 307)
    assert answer.headers["location"] == f"/games/midway/rules#{name}"


@pytest.mark.parametrize("number", ["12.9", "99", "M99", "<b>", "x" * 300])
def test_unknown_rule_lists_similar_numbers(browser: Browser, number: str) -> None:
    page = read(browser, f"/games/midway/rules/{quote(number, safe='')}", 404)
    assert "/games/midway/rules" in page.links
    assert not page.all("b") or number != "<b>"
    assert ("/games/midway/rules#12.4" in page.links) == (number == "12.9")


def test_rules_can_be_searched(browser: Browser) -> None:
    page = read(browser, "/games/midway/rules?q=Escorts")
    assert {"11.2", "M21", "word-escort"} <= set(page.ids)
    assert "15" not in page.ids
    assert page.all("mark")
    assert "No rule contains" in read(browser, "/games/midway/rules?q=submarines+galore").text


@pytest.mark.parametrize("name", NAMES)
def test_rules_use_plain_words(name: str) -> None:
    game = games.load(name)
    lesson = game.lesson
    texts = [rule.title + " " + rule.text for rule in game.rulebook.rule]
    texts += [ruling.title + " " + ruling.text + " " + ruling.reason for ruling in game.rulebook.ruling]
    texts += [text for term in game.glossary.term for text in (term.word, term.text)]
    texts += [phase.title for phase in game.rules.phases]
    texts += [
        f"{chart.title} {' '.join(chart.columns)} {chart.origin}" for chart in game.presentation.charts(game.data)
    ]
    if lesson is not None:
        texts += [lesson.intro, lesson.goal, lesson.closing, *(news.text for news in lesson.news)]
        texts += [f"{step.title} {step.text} {step.suggest}" for step in lesson.step]
    assert [(word, text) for text in texts for word in JARGON if word in text] == []


def test_abbreviations_are_explained() -> None:
    for name in NAMES:
        game, book = games.load(name), reader(name)
        texts = [*(rule.text for rule in game.rulebook.rule), *(phase.title for phase in game.rules.phases)]
        short = {word for text in texts for word in re.findall(r"\b[A-Z]{2,}\b", text)}
        assert [word for word in short if book.term(word) is None] == []


# -- texts -----------------------------------------------------------------------------------------------------------


def numbers(text: str, here: str = "") -> list[str]:
    return re.findall(r'href="/games/midway/rules#([\d.M]+)"', str(reader("midway").linkify(text, here=here)))


@pytest.mark.parametrize(
    ("text", "linked"),
    [
        ("see [12.2] and (M7)", ["12.2", "M7"]),
        ("rule 12, and section 9", ["12", "9"]),
        ("4, 5 or 6 takes a point off, 12 dice, 5.5 or 12.22, version 112.2", []),
        ("a 12.4.", ["12.4"]),
        ("[12.1, 12.6]", ["12.1", "12.6"]),
        ("M99, XM7", []),
    ],
)
def test_only_rule_numbers_are_linked(text: str, linked: list[str]) -> None:
    assert numbers(text) == linked


def test_rule_does_not_link_to_itself() -> None:
    assert numbers("[12.2] and [12.3]", here="12.2") == ["12.3"]


def test_term_is_explained_at_first_use() -> None:
    text = str(reader("midway").linkify("CAP, and the CAP again; <b>Dive bombers</b> in caps, capital"))
    assert text.count("#word-cap") == 1
    assert text.count("#word-dive-bomber") == 1
    assert "&lt;b&gt;" in text
    assert ">caps<" not in text


def test_search_ignores_case_and_accents() -> None:
    assert parse_query("  KIDO   butai ").words == ("kido", "butai")
    words = Words([fold("Kidō Butai"), "kidon"])
    assert [words.having(parse_query(text).words) for text in ("KIDO butai", "kido", "ido tai", "kido tais")] == [
        1,
        3,
        1,
        0,
    ]
    assert str(parse_query("kido").marked("<Kidō>")) == "&lt;<mark>Kidō</mark>&gt;"
    assert len(parse_query("abc " * 4000).words) == 1


def test_search_ignores_short_words_and_too_many() -> None:
    parsed = parse_query("a of 1 12 b2 the abc abd abe abf abg abh abi")
    assert parsed.words == ("12", "b2", "the", "abc", "abd", "abe", "abf", "abg")
    assert parsed.ignored == ("a", "of", "1", "abh", "abi")
    assert parse_query("the  Fleet").normal == parse_query("THE fleet").normal


def test_excerpt_shows_the_match() -> None:
    text = f"{'before ' * 60}the Kidō itself {'after ' * 60}"
    label = str(parse_query("kido").excerpt(text))
    assert "<mark>Kidō</mark>" in label
    assert len(label) < 300
    assert label.startswith("…")
    assert label.endswith("…")


# -- charts ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_every_chart_is_a_table_with_its_source(browser: Browser, name: str) -> None:
    game, page = games.load(name), read(browser, f"/games/{name}/charts")
    charts = game.presentation.charts(game.data)
    text = " ".join(page.text.split())
    for chart in charts:
        assert chart.id in page.ids
        assert " ".join(en_dashes(chart.origin).split()) in text
        assert SOURCES[chart.source][0] in text
    assert len(page.all("table")) == len(charts)
    scopes = Counter(attrs.get("scope") for attrs in page.all("th"))
    assert scopes["row"] == sum(len(chart.rows) for chart in charts)
    assert scopes["col"] == sum(len(chart.columns) + 1 for chart in charts)
    assert len(page.all("td")) == sum(len(chart.rows) * len(chart.columns) for chart in charts)


# -- odds ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_odds_forms_have_a_default_result(browser: Browser, name: str) -> None:
    game = games.load(name)
    for key, question in game.questions.items():
        page = read(browser, f"/games/{name}/odds?question={key}")
        assert page.ids.count("answer") == 1
        assert {f"/games/{name}/odds?question={other}" for other in game.questions} <= set(page.links)
        answer = question.evaluate({}, "the odds")
        for part in (answer, *answer.parts):
            for what, chance in part.rows:
                assert what in page.text
                assert percent(chance) in page.text


def test_odds_form_has_a_shareable_address(browser: Browser) -> None:
    page = read(browser, "/games/midway/odds?question=strike&carrier=kaga&dive=30&torpedo=5&damage=6")
    assert "30 dive and 5 torpedo points against Kaga with damage 6" in page.text
    values = {attrs["id"]: attrs.get("value") for attrs in page.all("input") if "id" in attrs}
    assert (values["blank-dive"], values["blank-damage"]) == ("30", "6")
    assert {"value": "kaga", "selected": None} in page.all("option")


def test_odds_of_a_position_can_be_restored(browser: Browser) -> None:
    now = urlencode({"now": "question=strike&carrier=kaga&dive=30&torpedo=5"})
    page = read(browser, f"/games/midway/odds?{now}")
    assert "Now: 30 dive and 5 torpedo points against Kaga." in page.text
    assert "Back to it" not in page.text
    values = {attrs["id"]: attrs.get("value") for attrs in page.all("input") if "id" in attrs}
    assert (values["blank-dive"], values["blank-torpedo"]) == ("30", "5")
    changed = read(browser, f"/games/midway/odds?question=strike&carrier=kaga&dive=10&{now}")
    assert "10 dive and 0 torpedo points against Kaga" in changed.text
    assert "Now: 30 dive and 5 torpedo points against Kaga." in changed.text
    assert f"/games/midway/odds?{now}" in changed.links
    other = read(browser, f"/games/midway/odds?question=dogfight&{now}")
    assert f"/games/midway/odds?{now}" in other.links


@pytest.mark.parametrize("now", ["question=tea", "question=strike&carrier=x", "question=strike&tea=1", "=", "<b>"])
def test_invalid_position_is_ignored(browser: Browser, now: str) -> None:
    page = read(browser, "/games/midway/odds?" + urlencode({"question": "dogfight", "now": now}))
    assert "Now:" not in page.text


def test_named_values_are_a_select(browser: Browser) -> None:
    page = read(browser, "/games/midway/odds")
    carriers = {attrs["value"] for attrs in page.all("option")}
    assert carriers == {"enterprise", "hornet", "yorktown", "hiryu", "soryu", "akagi", "kaga", "other"}


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("question=strike&carrier=kagaa", "Did you mean 'kaga'?"),
        ("question=strike&dive=lots", "dive must be a whole number"),
        ("question=strike&damage=10", "has sunk"),
        ("question=dogfight&dice=" + "9" * 5000, "dice must be a whole number from 0 to"),
        ("question=dogfight&dice=399", "not '399'"),
        ("question=dogfight&carrier=kaga", "No option named 'carrier'"),
    ],
)
def test_invalid_value_is_explained(browser: Browser, asked: str, sentence: str) -> None:
    page = read(browser, f"/games/midway/odds?{asked}", 422)
    assert sentence in page.text
    assert [attrs for _, attrs in page.tags if attrs.get("role") == "alert"]


def test_unknown_odds_form_returns_404(browser: Browser) -> None:
    assert "Known:" in read(browser, "/games/midway/odds?question=tea", 404).text


# -- search and navigation ---------------------------------------------------------------------------------------------


def test_search_finds_rules_rulings_charts_and_terms(browser: Browser) -> None:
    page = read(browser, "/search?q=torpedo")
    kinds = {kind for kind in ("Rule", "Ruling", "Chart", "Glossary") if re.search(rf"\b{kind}\b", page.text)}
    assert kinds == {"Rule", "Ruling", "Chart", "Glossary"}
    assert {"/games/midway/rules#12.5", "/games/midway/charts#ship-data"} <= set(page.links)


def test_search_ranks_rule_numbers_first() -> None:
    for number in ("12.4", "5"):
        _, _, first = index("midway").find(parse_query(number))[0]
        assert (first.kind, first.number) == ("Rule", number)


@pytest.mark.parametrize("text", ["carrier", "arrie", "torpedo bomb", "12", "b-25", "the ing"])
def test_search_finds_parts_of_words(text: str) -> None:
    wanted = parse_query(text)
    for name in NAMES:
        book = games.load(name).rulebook
        found = {place.number for _, _, place in index(name).find(wanted) if place.kind == "Rule"}
        texts = {rule.number: fold(f"{rule.number} {rule.title} {rule.text}") for rule in book.rule}
        assert found == {number for number, text in texts.items() if all(word in text for word in wanted.words)}


def test_search_names_ignored_words(browser: Browser) -> None:
    for path in ("/search", "/games/midway/rules"):
        assert "Ignored: “a”, “of”." in read(browser, f"{path}?q=a+of+carrier").text
        assert "Ignored: “e”." in read(browser, f"{path}?q=e").text
        assert "Ignored" not in read(browser, f"{path}?q=carrier").text


def test_search_shows_the_best_of_many_results(browser: Browser) -> None:
    page = read(browser, "/search?q=the")
    total, more = (int(re.search(rf"(\d+) {word}", page.text)[1]) for word in ("results", r"more\. Add a word"))  # type: ignore[index]
    assert total == more + MOST_HITS
    assert sum("hits" in (attrs.get("class") or "") for attrs in page.all("ol")) == len(NAMES), "of every game"
    assert "more. Add a word" in read(browser, "/games/doolittle/rules?q=the").text
    assert "more. Add a word" not in read(browser, "/games/midway/rules?q=kaga").text


HOSTILE = [
    *("e", "e t a o i n s r h", "s e a", "the", "ing", "ent", "ion", "12", "all", "one", "...", "a" * 100),
    *("the and for with one ing ent ter", "ing the and", "tion ation ing the and for with 10", "\u0130" * 90),
]


@pytest.mark.parametrize("path", ["/search", *(f"/games/{name}/rules" for name in NAMES)])
def test_hostile_searches_are_cheap(browser: Browser, path: str) -> None:
    search = search_all if path == "/search" else partial(found_in_rules, path.split("/")[2])
    for text in HOSTILE:
        assert len(browser.get(path, params={"q": text}).content) < 150_000, text
    search_all.cache_clear()
    found_in_rules.cache_clear()
    start = time.process_time()
    for text in HOSTILE:
        search(parse_query(text).normal)
    assert (time.process_time() - start) / len(HOSTILE) < 0.03, (
        "2 ms alone; generous for other threads and slow machines"
    )


def test_search_text_is_escaped(browser: Browser) -> None:
    for path in ("/search", "/games/midway/rules"):
        answer = browser.get(path, params={"q": '"><script>alert(1)</script>'})
        assert answer.status_code == 200
        assert "<script>alert" not in answer.text


def test_game_page_lists_scenarios_options_and_bots(browser: Browser) -> None:
    for name in NAMES:
        game, page = games.load(name), read(browser, f"/games/{name}")
        assert all(scenario.summary in page.text for scenario in game.rules.scenarios(game.data))
        assert all(meaning in page.text for option in game.options for meaning in option.choices.values())
        assert {f"option-{option.key}" for option in game.options} <= set(page.ids)
        assert all(bot in page.text for bot in bots.bot_names(game))
        assert f"/new?game={name}" in page.links


def test_unknown_game_lists_the_games(browser: Browser) -> None:
    for path in ("", "/rules", "/charts", "/odds", "/rules/1"):
        assert "midway" in read(browser, f"/games/nowhere{path}", 404).text


# -- help in pop-overs -----------------------------------------------------------------------------------------------


def test_help_has_the_rule_with_its_rulings_and_charts(browser: Browser) -> None:
    answer = browser.get("/games/midway/help/14.1")
    assert answer.headers["cache-control"] == "private, max-age=3600"
    text = answer.text
    assert "<html" not in text
    assert '<span class="number">14.1</span>' in text
    assert 'href="/games/midway/rules#14"' in text
    assert "M13" in text
    assert "<table>" in browser.get("/games/midway/help/17.2").text
    assert 'href="/games/midway/rules#12.4"' in browser.get("/games/midway/help/12").text


def test_help_of_a_ruling_a_term_and_a_chart(browser: Browser) -> None:
    assert 'class="help-ruling help-wanted"' in browser.get("/games/midway/help/M13").text
    term = games.load("midway").glossary.term[0]
    assert str(escape(term.text)) in browser.get(f"/games/midway/help/word-{slug(term.word)}").text
    assert "<table>" in browser.get("/games/midway/help/chart-search").text


@pytest.mark.parametrize("path", ["midway/help/99.9", "midway/help/word-none", "chess/help/1"])
def test_unknown_help_returns_404(browser: Browser, path: str) -> None:
    assert browser.get(f"/games/{path}").status_code == 404


@pytest.mark.parametrize("name", NAMES)
def test_every_rule_number_of_a_game_has_help(name: str) -> None:
    game = games.load(name)
    numbers = {rule.number for rule in game.rulebook.rule} | {ruling.id for ruling in game.rulebook.ruling}
    numbers |= {phase.rule for phase in game.rules.phases} | {option.rule for option in game.options}
    assert all(rule_help(name, number) is not None for number in numbers)
