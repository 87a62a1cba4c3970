"""Devices in plain words, from what a browser says about itself."""

from __future__ import annotations

BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Vivaldi": "Vivaldi",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
    "curl": "curl",
    "python": "A program",
}
"""Browsers by a word of their user agent; most name others too, so the first found counts."""
SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "CrOS": "ChromeOS",
    "Windows": "Windows",
    "Macintosh": "Mac",
    "Linux": "Linux",
}


def describe_device(user_agent: str) -> str:
    """Return browser and system in plain words.

    >>> describe_device("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0")
    'Firefox on Linux'
    >>> describe_device("")
    'Unknown browser'
    """
    browser = next((name for word, name in BROWSERS.items() if word in user_agent), "Unknown browser")
    system = next((name for word, name in SYSTEMS.items() if word in user_agent), "")
    return f"{browser} on {system}" if system else browser
