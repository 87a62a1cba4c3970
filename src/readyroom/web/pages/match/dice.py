"""What proves the dice: the server's public keys, and the signed text of a match."""

from __future__ import annotations

from typing import Any

from litestar import Response, Router, get
from litestar.enums import MediaType

from readyroom import __version__
from readyroom.engine.record.signature import Signer, signed_text
from readyroom.store import Store
from readyroom.web.settings import Settings

KEYS = "/.well-known/readyroom.json"


def public_key(settings: Settings) -> str:
    """Return the public key of this server."""
    return Signer(settings.signing_key).key


@get(KEYS, sync_to_thread=True)
def published_keys(settings: Settings, store: Store) -> Response[Any]:
    """Return the public key that signs matches, those that did earlier, and the anchor of the days' dice."""
    keys = {"algorithm": "Ed25519", "key": public_key(settings), "former_keys": list(settings.former_keys)}
    facts = {"readyroom": __version__, **keys, "challenge_anchor": store.daily.keys.anchor}
    return Response(facts, media_type=MediaType.JSON)


@get("/m/{id:str}/dice.json", sync_to_thread=True)
def signed_dice(store: Store, id: str) -> Response[Any]:
    """Return the text that was signed before the first decision, its signature, and the label; raise `NotStarted`."""
    summary = store.listings.summary(id)
    with store.matches.open(id, summary.revision) as match:
        text = signed_text(match.header)
    facts = {"label": summary.dice_label, "text": text, "signer": summary.signer, "signature": summary.signature}
    return Response(facts, media_type=MediaType.JSON, headers={"Cache-Control": "no-store"})


router = Router("/", route_handlers=[published_keys, signed_dice], include_in_schema=False)
