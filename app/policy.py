"""From settings to the values that the roles of a campaign go by."""

from app.brains import specs_of
from app.knowing import retention_of, switches
from app.settings import Settings
from roles.policy import Policy

WITH_MODELS = 4  # workers of one kernel: they think for longer than the device judges


def policy_of(settings: Settings) -> Policy:
    used = switches(settings)
    return Policy(
        workers=settings.workers, rule=settings.rule, min_gain=settings.min_gain, flat_within=settings.flat_within,
        placebo_every=settings.placebo_every, plateau_draft=settings.plateau_draft, plateau_stop=settings.plateau_stop,
        ledger_every=settings.ledger_every, watchdog_s=settings.watchdog_s,
        audit_s=settings.audit_s, audit_sweep_s=settings.audit_sweep_s, static_gate=settings.static_gate,
        race_variants=settings.race_variants if settings.races else 0, trace_gate=settings.trace_gate,
        isolated=settings.isolated, at_limit=settings.at_limit, approve=settings.approve,
        refine_at=settings.refine_at, memory=retention_of(settings),
        shared=settings.memory_shared, siblings=settings.siblings, leaderboard=settings.leaderboard,
        rules=used["rules"], skills=used["skills"], priors=used["priors"], sheet=settings.knowledge,
        kernel_workers=settings.kernel_workers or (WITH_MODELS if "worker" in specs_of(settings) else 1),
        in_flight_s=60.0 * settings.in_flight_minutes,
        strategy_s=settings.strategy_s, design_s=settings.design_s, review_s=settings.review_s,
        reading_s=settings.reading_s, recheck_facts_s=settings.recheck_facts_s,
    )  # fmt: skip
