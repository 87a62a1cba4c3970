"""Visitors: browser contexts whose console messages and failures are collected."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import APIResponse, Browser, ConsoleMessage, Locator, Page, Request, Response

PATIENCE = 15_000
"""The time limit of page actions, in milliseconds."""
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}
DESK = {"viewport": {"width": 1280, "height": 800}}
LARGE = {"viewport": {"width": 1440, "height": 900}}
SMALL = {"viewport": {"width": 1024, "height": 700}}
STILL = {"reduced_motion": "reduce"}
"""Animations take most of the time, so only a few tests have them on."""
NO_WORKER = {"service_workers": "block"}
"""Without a service worker all requests come from the pages themselves."""
BLOCKED = "Service Worker registration blocked by Playwright"
"""What the browser says then."""
MOVING = {"reduced_motion": "no-preference"}
SETTINGS = """
  const settings = {'readyroom-speed': '%s', 'readyroom-continue': '%s', 'readyroom-cards': 'kept'};
  for (const [name, value] of Object.entries(location.protocol === 'about:' ? {} : settings))
    if (!localStorage.getItem(name)) localStorage.setItem(name, value);
"""
"""Settings of a new visitor. The cards of big moments wait for a click, so that a busy machine misses none."""
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'"
TOKEN = re.compile(r'name="_csrf_token" value="([^"]+)"')
UNWANTED = "unsafe"
"""A word that a strict Content-Security-Policy does not contain."""


class Visitor:
    """A visitor with their own cookies and a first page.

    `problems` are errors and warnings of the console, including Content-Security-Policy violations, errors of scripts,
    requests that failed or went to other hosts, and pages without a strict policy. `speed` is that of the playback;
    `continues` is "on" if pages answer by themselves where there is nothing to decide.
    """

    def __init__(
        self, browser: Browser, url: str, name: str = "", *, speed: str = "off", continues: str = "off", **how: Any
    ) -> None:
        self.name, self.url = name, url
        self.context = browser.new_context(base_url=url, **{**DESK, **STILL, **NO_WORKER, **how})
        self.context.set_default_timeout(PATIENCE)
        self.context.add_init_script(SETTINGS % (speed, continues))
        self.problems: list[str] = []
        self._expected: list[str] = [BLOCKED]
        self.context.on("console", self._on_console)
        self.context.on("weberror", lambda error: self._note(f"script error: {error.error}"))
        self.context.on("request", self._check_host)
        self.context.on("requestfailed", self._on_request_failed)
        self.context.on("response", self._on_response)
        self.page = self.context.new_page()
        if name:
            self._take_name(name)

    def _take_name(self, name: str) -> None:
        """Set the display name without opening the profile page."""
        answer = self.send_form("/me/name", name=name)
        assert answer.ok, answer.text()

    def send_form(self, path: str, **fields: str) -> APIResponse:
        """Send a form with a token and this visitor's cookies."""
        match = TOKEN.search(self.context.request.get("/me").text())
        assert match is not None
        return self.context.request.post(path, form={"_csrf_token": match[1], **fields})

    def go(self, path: str) -> Page:
        """Open a page of the server."""
        self.page.goto(path)
        return self.page

    def press(self, name: str | re.Pattern[str]) -> None:
        """Press a button or a link that looks like one."""
        self.button(name).first.click()

    def button(self, name: str | re.Pattern[str]) -> Locator:
        """Return the buttons, and links that look like one, with this name."""
        return self.page.get_by_role("button", name=name).or_(self.page.get_by_role("link", name=name))

    # -- problems --------------------------------------------------------------------------------------------------

    def ignore_problems(self, pattern: str) -> None:
        """Ignore problems that match a pattern, past and future ones."""
        self._expected.append(pattern)
        self.problems = [text for text in self.problems if not re.search(pattern, text)]

    def _note(self, text: str) -> None:
        if not any(re.search(pattern, text) for pattern in self._expected):
            self.problems.append(text)

    def _on_console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._note(f"console, {message.type}: {message.text} ({message.location.get('url', '')})")

    def _check_host(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.scheme in ("http", "https", "ws", "wss") and not request.url.startswith(self.url):
            self._note(f"request to another host: {request.url}")

    def _on_request_failed(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # pending requests end when a page is left
            self._note(f"request failed: {request.method} {request.url}: {request.failure}")

    def _on_response(self, response: Response) -> None:
        if response.status >= 500:
            self._note(f"answered {response.status}: {response.url}")
        policy = response.headers.get("content-security-policy", "")
        if response.request.resource_type == "document" and (not policy.startswith(POLICY) or UNWANTED in policy):
            self._note(f"no strict Content-Security-Policy: {response.url}: {policy!r}")

    # -- after a failure ------------------------------------------------------------------------

    def save_pages(self, place: Path, number: int) -> None:
        """Save screenshots, pages and problems of the visitor."""
        stem = f"{number}-{self.name or 'visitor'}"
        for at, page in enumerate(self.context.pages):
            page.screenshot(path=place / f"{stem}-{at}.png", full_page=True)
            (place / f"{stem}-{at}.html").write_text(f"<!-- {page.url} -->\n{page.content()}", encoding="utf-8")
        (place / f"{stem}-problems.txt").write_text("\n".join(self.problems), encoding="utf-8")
