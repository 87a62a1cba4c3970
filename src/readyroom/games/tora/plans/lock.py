"""Locked plans (T27): a published fingerprint, the plan after the battle, and the verification."""

from __future__ import annotations

from hashlib import blake2b

import msgspec

from readyroom.games.tora.plans.data import AmericanPlan, JapanesePlan
from readyroom.games.tora.state import Sealed

Plan = AmericanPlan | JapanesePlan
SALT = 24
"""Dice rolled for the salt, which make it infeasible to guess."""


def canonical(plan: Plan) -> bytes:
    """Return a plan as bytes, deterministically."""
    return msgspec.json.encode(plan, order="deterministic")


def fingerprint(plan: Plan, salt: str) -> str:
    """Return the fingerprint of a plan under a salt: a hash that reveals neither."""
    mixed = blake2b(salt.encode(), digest_size=16, person=b"rr-tora-plan")
    mixed.update(b"|" + canonical(plan))
    return mixed.hexdigest()


def seal(plan: Plan, salt: str) -> Sealed:
    """Seal a plan."""
    return Sealed(fingerprint(plan, salt), salt)


def proved(plan: Plan, sealed: Sealed) -> bool:
    """Return whether this is the plan that was sealed."""
    return fingerprint(plan, sealed.salt) == sealed.fingerprint
