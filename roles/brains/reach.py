"""Whether a model can be asked: its key is there, its server answers, the server knows it. Costs nothing."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from roles.brains.failure import Final, Retryable
from roles.brains.registry import KEYS, Spec, make
from roles.brains.secrets import Secrets

WAIT_S = 10.0


@dataclass(frozen=True, slots=True)
class Reached:
    """needs, missing: what it takes, and what of it is not there. found: what was seen, in words."""

    name: str
    available: bool
    needs: tuple[str, ...]
    missing: tuple[str, ...]
    found: str


async def reach(specs: Sequence[Spec]) -> list[Reached]:
    """All at once; none takes longer than ten seconds."""
    return list(await asyncio.gather(*(_one(spec) for spec in specs)))


async def _one(spec: Spec) -> Reached:
    needs = _needs(spec)
    try:
        wire = make(replace(spec, stall_s=WAIT_S, total_s=WAIT_S))
        try:
            names = await wire.models()
        finally:
            await wire.close()
    except (Final, Retryable) as failure:
        why = Secrets((spec.key_env,) if spec.key_env else ()).without(str(failure))
        return Reached(spec.words, False, needs, (_missing(spec, failure),), why)
    known = spec.model in names
    found = f"{spec.provider} answers, {len(names)} models, {spec.model} {'is' if known else 'is NOT'} among them"
    return Reached(spec.words, True, needs, (), found)


def _needs(spec: Spec) -> tuple[str, ...]:
    if spec.kind == "scripted":
        return (spec.model,)
    if not spec.base_url:
        return (spec.key_env or KEYS[spec.kind],)
    server = f"server {spec.base_url}"
    return (server, spec.key_env) if spec.key_env else (server,)


def _missing(spec: Spec, failure: Exception) -> str:
    if isinstance(failure, Final) and failure.kind == "key":
        return spec.key_env or KEYS.get(spec.kind, spec.model)
    if spec.kind == "scripted":
        return spec.model
    return f"server {spec.base_url or spec.kind}"
