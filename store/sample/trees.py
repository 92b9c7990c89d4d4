"""Nodes and what the gates said of them."""

from sqlmodel import Session

from store import sql
from store.sample.size import Made, Size, kernel, lever, numbers, source


def nodes(s: Session, size: Size, made: Made) -> None:
    """Node n is in tree n % (3 * trees); its parent is the node seven, or one, rounds earlier in the same tree."""
    trees = size.ideas
    sql.run(
        s,
        f"{numbers(size.nodes)} INSERT INTO candidate (id, kernel, language, main, flags, launch, files, size,"
        f" machine_code, created_at) SELECT {source('i')}, base.kernel, language, main, flags, launch, files, size,"
        f" '', :at + i FROM n JOIN kernel_state AS k ON k.campaign_id = :campaign AND k.kernel ="
        f" {kernel(f'(i % {trees})')} CROSS JOIN candidate AS base ON base.id = k.baseline_id",
        campaign=made.campaign,
        at=made.at,
    )
    sql.run(
        s,
        f"{numbers(size.nodes)} INSERT INTO node (id, campaign_id, kernel, kind, parent_id, root_id, depth,"
        " candidate_id, lever, lever_params, title, reason, prediction, agent, state, outcome, verdict, refusal, gain,"
        " low, high, tainted, taint, fingerprint, created_at, finished_at) SELECT i + 1, :campaign, k, CASE WHEN i < t"
        " THEN 'idea'"
        " WHEN i < 2 * t THEN 'design' ELSE 'variant' END, CASE WHEN i < t THEN NULL ELSE i + 1 - t * CASE WHEN i / t"
        " % 8 = 0 THEN i / t ELSE 1 END END, CASE WHEN i < t THEN NULL ELSE i % t + 1 END, CASE WHEN i < t THEN 0"
        " WHEN i / t % 8 = 0 THEN 1 ELSE i / t % 8 END, CASE WHEN i < t THEN NULL ELSE"
        f" {source('i')} END, CASE WHEN i < t THEN 'idea' ELSE {lever('i')} END, '{{}}', 'made up ' || i,"
        " 'a made-up reason', '', 'worker-' || printf('%02d', i % 36 + 1), 'done', CASE WHEN i < t THEN '' WHEN"
        " i % 97 = 0 THEN 'KEEP' WHEN i % 3 = 0 THEN 'REJECT' WHEN i % 3 = 1 THEN 'REVERT' ELSE 'ACCEPT' END, CASE"
        " WHEN i < t THEN '' WHEN i % 97 = 0 THEN 'FASTER' WHEN i % 3 = 0 THEN '' WHEN i % 3 = 1 THEN 'SLOWER' ELSE"
        " 'UNCLEAR' END, CASE WHEN i >= t AND i % 97 <> 0 AND i % 3 = 0 THEN 'compile' ELSE '' END, 0.001 * (i % 40 -"
        " 20), -0.02, 0.02, 0, '', 'made-up', :at + i, :at + i + 1 FROM (SELECT i, t,"
        f" {kernel('(i % t)')} AS k FROM n, (SELECT {trees} AS t))",
        campaign=made.campaign,
        at=made.at,
    )
    sql.run(
        s,
        f"{numbers(7)} INSERT INTO gate_report (node_id, gate, state, kind, reason, seconds, facts, findings, at)"
        " SELECT node.id, CASE i WHEN 0 THEN 'source' WHEN 1 THEN 'legality' WHEN 2 THEN 'compile' WHEN 3 THEN"
        " 'estimate' WHEN 4 THEN 'correct' WHEN 5 THEN 'trace' ELSE 'batch' END, CASE WHEN i = 2 AND outcome = 'REJECT'"
        " THEN 'refused' ELSE 'passed' END, CASE WHEN i = 2 AND outcome = 'REJECT' THEN 'compile' ELSE '' END, '',"
        " 0.01, '{}', '[]', created_at FROM node, n WHERE kind <> 'idea' AND (i <= 2 OR outcome <> 'REJECT')",
    )
