"""From settings to models: which role asks which, what they may cost, and the words in which that is confirmed."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.brain_tables import ROLES
from app.settings import Settings, UsageError, load
from roles.brains.registry import DEFAULT_MODELS, OFFLINE, Spec, parse

if TYPE_CHECKING:
    from roles.brains.pool import Models
    from roles.brains.prices import Prices
    from store.engine import Store

DEFAULT_USD = 10.0


def brains_of(words: Sequence[str]) -> dict[str, tuple[str, ...]] | None:
    """`ROLE=BRAIN` by role, in order; None when there are none. Raises: UsageError for other words."""
    found: dict[str, tuple[str, ...]] = {}
    for one in words:
        role, equals, brain = one.partition("=")
        if not equals:
            raise UsageError(f"--role-brain {one}: it is ROLE=BRAIN; roles: {', '.join(ROLES)}")
        found[role] = (*found.get(role, ()), brain)
    return found or None


def specs_of(settings: Settings) -> Mapping[str, list[Spec]]:
    """The models of each role; {} when all of it is offline."""
    named = {**settings.brains, **settings.role_brains}
    tables = {role: [table.spec() for table in many] for role, many in named.items() if many}
    if settings.brain.partition(":")[0] != OFFLINE and "worker" not in tables:
        tables["worker"] = [parse(settings.brain)]
    return {role: tables[role] for role in ROLES if role in tables}


def usd_limit(settings: Settings) -> float:
    """Dollars, 0 = none: a campaign with models that cost something has a limit unless one was given."""
    if settings.usd is not None:
        return settings.usd
    return DEFAULT_USD if _paid(settings) else 0.0


def title(settings: Settings) -> str:
    """How the campaign's brain is called."""
    specs = specs_of(settings)
    return ", ".join(dict.fromkeys(s.words for many in specs.values() for s in many)) or settings.brain


def _paid(settings: Settings) -> bool:
    return any(spec.kind != "scripted" for many in specs_of(settings).values() for spec in many)


def unpriced(settings: Settings, specs: Sequence[Spec]) -> list[str]:
    """Those whose price nobody knows."""
    from roles.brains.talk import Usage

    prices = prices_of(settings)
    return [s.words for s in specs if prices.cost(s.provider, s.model, Usage(input=1)).usd is None]


def forecast(settings: Settings) -> str:
    """What a start may spend, "" when it costs nothing. Raises: UsageError for a model without price and limit."""
    if not _paid(settings):
        return ""
    unknown = unpriced(settings, [spec for many in specs_of(settings).values() for spec in many])
    if unknown and not settings.tokens:
        raise UsageError(
            f"the price of {', '.join(unknown)} is unknown, so that dollars cannot limit it; give --tokens N, or its "
            "price in kernelwright.toml, e.g. [prices.MODEL] input = 1.0, output = 5.0 (dollars per million tokens)"
        )
    limits = [f"${usd_limit(settings):g}"] if usd_limit(settings) else []
    limits += [f"{settings.tokens:,} tokens"] if settings.tokens else []
    bound = f"at most {' and '.join(limits)}" if limits else "WITHOUT any limit"
    then = "the campaign ends" if settings.at_limit == "stop" else "the offline policy goes on"
    at_limit = f"; at the limit {then} (--at-limit)" if limits else ""
    roles = ", ".join(specs_of(settings))
    return f"{title(settings)} is asked by {roles}: this may cost {bound}{at_limit}; --usd and --tokens change that"


def prices_of(settings: Settings) -> "Prices":
    """The user's own before listed ones."""
    from roles.brains.prices import Price, Prices

    return Prices({name: Price(**table.model_dump()) for name, table in settings.prices.items()})


def open_models(settings: Settings, store: "Store", campaign_id: int) -> "Models | None":
    """None when no role has a model. Raises: UsageError for a script that cannot be read."""
    from roles.brains.failure import Final
    from roles.brains.metered import Meter
    from roles.brains.pool import Models
    from roles.brains.secrets import Secrets
    from store.llm_calls import Account, Cap

    specs = specs_of(settings)
    if not specs:
        return None
    caps = [Cap("campaign", "", usd_limit(settings), settings.tokens)]
    caps += [Cap("role", name, limit.usd, limit.tokens) for name, limit in settings.role_limits.items()]
    caps += [Cap("kernel", name, limit.usd, limit.tokens) for name, limit in settings.kernel_limits.items()]
    names = tuple({spec.key_env for many in specs.values() for spec in many if spec.key_env})
    meter = Meter(store, Account(campaign_id), caps, prices_of(settings), Secrets(names))
    try:
        return Models.opened(meter, specs)
    except Final as error:
        raise UsageError(str(error)) from error


def brains_here(home: Path) -> list[dict[str, Any]]:
    """Each brain with what it needs and whether that answers; asking costs nothing. Those of the settings, and one of
    each provider that these do not name."""
    import asyncio

    from roles.brains.reach import reach

    settings = load(home, {})
    specs = [spec for many in specs_of(settings).values() for spec in many]
    specs += [parse(kind) for kind in DEFAULT_MODELS if kind not in {spec.kind for spec in specs}]
    offline = {
        "name": OFFLINE,
        "available": True,
        "needs": [],
        "missing": [],
        "found": "needs nothing",
        "price": "free",
    }
    unknown = unpriced(settings, specs)
    price = {spec.words: "unknown" if spec.words in unknown else "known" for spec in specs}
    return [offline, *({**asdict(one), "price": price[one.name]} for one in asyncio.run(reach(specs)))]
