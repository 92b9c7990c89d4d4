"""Tests with their pairs."""

from sqlmodel import Session

from store import sql
from store.sample.size import PAIRS_A_TEST, Made, Size, numbers


def pairs(s: Session, size: Size, made: Made) -> None:
    """Tests of nodes in turn, each with twelve pairs; one in fifteen is a placebo."""
    first = size.ideas
    sql.run(
        s,
        f"{numbers(size.tests)} INSERT INTO test (id, campaign_id, kernel, kind, node_id, candidate_id, head_id, lever,"
        " agent, rule, seed, pairs_budget, state, verdict, no_sign, score, estimate, low, high, device_seconds, mode,"
        " reason, fingerprint, started_at, finished_at) SELECT i + 1, :campaign, node.kernel, CASE WHEN i % 15 = 0"
        " THEN 'placebo'"
        " WHEN i % 4 = 1 THEN 'confirmation' ELSE 'acceptance' END, node.id, node.candidate_id, node.candidate_id,"
        " node.lever, node.agent, 'paired', '1', 24, 'done', CASE i % 5 WHEN 0 THEN 'UNCLEAR' WHEN 1 THEN 'SLOWER'"
        " WHEN 2 THEN 'FLAT' WHEN 3 THEN 'UNCLEAR' ELSE 'FASTER' END, 0, 0.5, 0.001, -0.01, 0.01, 2.5, 'slow 33 GB/s',"
        f" '', 'made-up', :at + i * 0.3, :at + i * 0.3 + 1 FROM n JOIN node ON node.id = {first} + 1 +"
        f" i % max({size.nodes - first}, 1)",
        campaign=made.campaign,
        at=made.at,
    )
    reading = "json_object('ns', 1e6 + i % 1000, 'calls', 8, 'minimum_ns', 9.9e5, 'maximum_ns', 1.1e6)"
    sql.run(
        s,
        f"{numbers(size.tests * PAIRS_A_TEST)} INSERT INTO pair (test_id, seq, first, head_ns, candidate_ns,"
        " log_ratio, head_reading, candidate_reading, probe_before_gbs, probe_after_gbs, mode, redo_reason,"
        " environment, score, at)"
        f" SELECT i / {PAIRS_A_TEST} + 1, i % {PAIRS_A_TEST}, CASE i % 2 WHEN 0 THEN 'head' ELSE 'candidate' END,"
        " 1e6 + i % 1000, 1e6 - i % 900, 0.0001 * (i % 200 - 100), "
        f"{reading}, {reading}, 33.0, 33.1, 'slow 33 GB/s', '', json_object('load', '0.1'), 0.1 * (i % 20),"
        " :at + i * 0.02 FROM n",
        at=made.at,
    )
