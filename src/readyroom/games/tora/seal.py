"""Locked plans (T27): a fingerprint for everybody at once, the plan itself after the battle, and the proof."""

from __future__ import annotations

from hashlib import blake2b

import msgspec

from readyroom.games.tora.plan import AmericanPlan, JapanesePlan
from readyroom.games.tora.state import Sealed

Plan = AmericanPlan | JapanesePlan
SALT = 24
"""So many dice are thrown for the salt: with some 4.7 million million million ways nobody can try them all."""


def canonical(plan: Plan) -> bytes:
    """A plan as bytes: the same plan always gives the same."""
    return msgspec.json.encode(plan, order="deterministic")


def fingerprint(plan: Plan, salt: str) -> str:
    """The fingerprint of a plan under a salt: a hash from which neither can be found."""
    mixed = blake2b(salt.encode(), digest_size=16, person=b"rr-tora-plan")
    mixed.update(b"|" + canonical(plan))
    return mixed.hexdigest()


def seal(plan: Plan, salt: str) -> Sealed:
    """A plan's seal."""
    return Sealed(fingerprint(plan, salt), salt)


def proved(plan: Plan, sealed: Sealed) -> bool:
    """Whether this is the plan that was sealed."""
    return fingerprint(plan, sealed.salt) == sealed.fingerprint
