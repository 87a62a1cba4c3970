"""The campaigns that are shipped, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from readyroom.campaign.reading import read_campaign, read_file
from readyroom.campaign.schema import Campaign
from readyroom.engine.errors import Unknown

SUFFIX = ".toml"


class UnknownCampaign(Unknown):
    """No campaign has this name."""

    kind = "campaign"


def campaign_names() -> list[str]:
    """Return the names of the shipped campaigns."""
    folder = files(__package__).joinpath("data")
    return sorted(file.name.removesuffix(SUFFIX) for file in folder.iterdir() if file.name.endswith(SUFFIX))


def campaign_text(name: str) -> tuple[str, Mapping[str, str]]:
    """Return the text of a shipped campaign or of a file, and the scenario files next to it.

    Raises:
        UnknownCampaign: there is neither.
        InvalidData: the file is invalid.
    """
    if name in campaign_names():
        return files(__package__).joinpath("data", f"{name}{SUFFIX}").read_text(encoding="utf-8"), {}
    if name.endswith(SUFFIX) and Path(name).is_file():
        _, text, own_files = read_file(Path(name))
        return text, own_files
    raise UnknownCampaign(name, campaign_names(), where="the package or as a file")


def load_campaign(name: str, variants: Iterable[str] = ()) -> Campaign:
    """Return a shipped campaign or that of a file; raise as `campaign_text` does."""
    text, own_files = campaign_text(name)
    return read_campaign(text.encode(), Path(name).name, own_files, variants)


@lru_cache(maxsize=32)
def _shipped(name: str, variants: tuple[str, ...]) -> Campaign:
    return load_campaign(name, variants)


def shipped_campaign(name: str, variants: Iterable[str] = ()) -> Campaign:
    """Return a shipped campaign, and never one of a file; raise `UnknownCampaign` or `UnknownVariant`."""
    if name not in campaign_names():
        raise UnknownCampaign(name, campaign_names())
    return _shipped(name, tuple(variants))
