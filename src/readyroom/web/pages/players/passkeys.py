"""Passkeys (WebAuthn): add, name and remove them, and sign in with one; only where the host wants accounts.

A challenge is signed by the server and names the browser that may answer it, so that any process can check it. Used
ones are stored until they expire, so that each is answered once.
"""

from __future__ import annotations

import hmac
import secrets
import time
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import msgspec
from litestar import Response, Router, post
from litestar.datastructures import FormMultiDict
from litestar.enums import MediaType
from litestar.exceptions import NotFoundException
from litestar.response import Redirect

from readyroom.store import Player, Store
from readyroom.store.errors import PasskeyRejected, UnknownPlayer
from readyroom.web.pages.players.profile import COOKIE, device_of, session_cookie
from readyroom.web.rendering import AppRequest, Reply
from readyroom.web.security import FORM
from readyroom.web.settings import Settings

CHALLENGE_SECONDS = 300
"""Seconds in which a challenge must be answered."""
RANDOM, TIME, MAC = 24, 8, 32
"""Bytes of the parts of a challenge."""
ADD, SIGN_IN = "add", "sign in"
REJECTED = "Your browser's answer was not accepted. Reload the page and try again."


@post("/me/passkeys/options", sync_to_thread=True)
def registration_options(request: AppRequest, store: Store, player: Player | None, settings: Settings) -> Reply:
    """Return what a browser needs to make a passkey for the player."""
    player = _signed_in(player, settings)
    from webauthn import base64url_to_bytes, generate_registration_options, options_to_json
    from webauthn.helpers import structs

    known = [base64url_to_bytes(passkey.id) for passkey in store.passkeys.of_player(player.id)]
    options = generate_registration_options(
        rp_id=_domain(settings),
        rp_name="Ready Room",
        user_id=player.id.encode(),
        user_name=player.name,
        challenge=_challenge(request, settings, ADD),
        timeout=CHALLENGE_SECONDS * 1000,
        exclude_credentials=[structs.PublicKeyCredentialDescriptor(id=one) for one in known],
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.REQUIRED,
            user_verification=structs.UserVerificationRequirement.REQUIRED,
        ),
    )
    return _json(options_to_json(options))


@post("/me/passkeys", sync_to_thread=True)
def add(request: AppRequest, store: Store, player: Player | None, settings: Settings, form: FormMultiDict) -> Redirect:
    """Add the passkey that the browser has made, named after the device."""
    player = _signed_in(player, settings)
    from webauthn import verify_registration_response
    from webauthn.helpers import bytes_to_base64url
    from webauthn.helpers.exceptions import WebAuthnException

    credential = _credential(form)
    challenge = _answered(request, store, settings, credential, ADD)
    try:
        made = verify_registration_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=_domain(settings),
            expected_origin=_origin(settings),
            require_user_verification=True,
        )
    except WebAuthnException as error:
        raise PasskeyRejected(REJECTED) from error
    key = bytes_to_base64url(made.credential_id)
    store.passkeys.add(player.id, key, made.credential_public_key, made.sign_count, device_of(request))
    return Redirect("/me?done=passkey#passkeys", status_code=303)


@post("/me/passkeys/{id:str}", sync_to_thread=True)
def change(store: Store, player: Player | None, settings: Settings, form: FormMultiDict, id: str) -> Redirect:
    """Rename or remove one of the player's passkeys."""
    player = _signed_in(player, settings)
    if form.get("do") == "remove":
        store.passkeys.remove(player.id, id)
    else:
        store.passkeys.rename(player.id, id, " ".join(str(form.get("name", "")).split()))
    return Redirect("/me?done=passkey#passkeys", status_code=303)


@post("/passkey/options", sync_to_thread=True)
def sign_in_options(request: AppRequest, settings: Settings) -> Reply:
    """Return what a browser needs to offer its passkeys of this server."""
    _check_enabled(settings)
    from webauthn import generate_authentication_options, options_to_json
    from webauthn.helpers import structs

    options = generate_authentication_options(
        rp_id=_domain(settings),
        challenge=_challenge(request, settings, SIGN_IN),
        timeout=CHALLENGE_SECONDS * 1000,
        user_verification=structs.UserVerificationRequirement.REQUIRED,
    )
    return _json(options_to_json(options))


@post("/passkey", sync_to_thread=True)
def sign_in(request: AppRequest, store: Store, settings: Settings, form: FormMultiDict) -> Redirect:
    """Sign in the player whose passkey the browser has proved to have; raise `PasskeyRejected`."""
    _check_enabled(settings)
    from webauthn import verify_authentication_response
    from webauthn.helpers.exceptions import WebAuthnException

    credential = _credential(form)
    challenge = _answered(request, store, settings, credential, SIGN_IN)
    passkey = store.passkeys.get(str(credential.get("id", "")))
    try:
        proof = verify_authentication_response(
            credential=credential,
            expected_challenge=challenge,
            expected_rp_id=_domain(settings),
            expected_origin=_origin(settings),
            credential_public_key=passkey.public_key,
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=True,
        )
    except WebAuthnException as error:
        raise PasskeyRejected(REJECTED) from error
    store.passkeys.used(passkey, proof.new_sign_count)
    response = Redirect("/me?done=recovered", status_code=303)
    response.set_cookie(session_cookie(request, store.players.new_session(passkey.player, device_of(request))))
    return response


# -- challenges ------------------------------------------------------------------------------------------------------


def _challenge(request: AppRequest, settings: Settings, purpose: str) -> bytes:
    """Return a new challenge that only this browser can answer."""
    text = secrets.token_bytes(RANDOM) + int(time.time() + CHALLENGE_SECONDS).to_bytes(TIME, "big")
    return text + _mac(request, settings, purpose, text)


def _answered(request: AppRequest, store: Store, settings: Settings, credential: dict[str, Any], purpose: str) -> bytes:
    """Return the challenge that a browser answers, and use it up.

    Raises `PasskeyRejected` if it is not this browser's, has expired, or was answered before.
    """
    from webauthn import base64url_to_bytes
    from webauthn.helpers import parse_client_data_json
    from webauthn.helpers.exceptions import WebAuthnException

    try:
        data = base64url_to_bytes(credential["response"]["clientDataJSON"])
        challenge = parse_client_data_json(data).challenge
    except (WebAuthnException, LookupError, TypeError, ValueError, AttributeError) as error:
        raise PasskeyRejected(REJECTED) from error
    text, mac = challenge[: RANDOM + TIME], challenge[RANDOM + TIME :]
    if len(challenge) != RANDOM + TIME + MAC or not hmac.compare_digest(mac, _mac(request, settings, purpose, text)):
        raise PasskeyRejected(REJECTED)
    expires = int.from_bytes(text[RANDOM:], "big")
    if expires < time.time() or not store.passkeys.use_challenge(challenge, expires):
        raise PasskeyRejected("This took too long, or was sent twice. Try again.")
    return challenge


def _mac(request: AppRequest, settings: Settings, purpose: str, text: bytes) -> bytes:
    """Return the server's signature of a challenge for this browser: its session, or before that its form token."""
    browser = request.cookies.get(COOKIE if purpose == ADD else FORM, "")
    return hmac.digest(settings.secret.encode(), f"passkey {purpose} {browser} ".encode() + text, sha256)


# -- requests --------------------------------------------------------------------------------------------------------


def _check_enabled(settings: Settings) -> None:
    if settings.accounts != "passkeys":
        raise NotFoundException


def _signed_in(player: Player | None, settings: Settings) -> Player:
    _check_enabled(settings)
    if player is None:
        raise UnknownPlayer
    return player


def _credential(form: FormMultiDict) -> dict[str, Any]:
    """Return the credential that the script has put into the form."""
    try:
        return msgspec.json.decode(str(form.get("credential", "")), type=dict[str, Any])
    except msgspec.MsgspecError as error:
        raise PasskeyRejected(REJECTED) from error


def _domain(settings: Settings) -> str:
    """Return the domain that passkeys belong to."""
    return urlsplit(settings.url).hostname or ""


def _origin(settings: Settings) -> str:
    parts = urlsplit(settings.url)
    return f"{parts.scheme}://{parts.netloc}"


def _json(text: str) -> Response[str]:
    return Response(text, status_code=200, media_type=MediaType.JSON, headers={"Cache-Control": "no-store"})


router = Router(
    "/",
    route_handlers=[registration_options, add, change, sign_in_options, sign_in],
    include_in_schema=False,
)
