"""The Design Tree's rows of one attempt, from opening to closing."""

from kernels.gates.base import Subject
from kernels.values.params import params_text
from kernels.values.verdict import GateReport, Outcome
from roles.attempt import Attempt, Result
from roles.campaign import Campaign
from roles.kernel_state import KernelState
from roles.shielding import Later
from store import designs, events, kernel_states, promotions
from store.engine import Session


def title_of(attempt: Attempt) -> str:
    """`prefetch bytes=2048`."""
    return f"{attempt.lever} {params_text(attempt.params)}".strip()


class Nodes:
    def __init__(self, campaign: Campaign) -> None:
        self._campaign = campaign
        self._later: dict[int, Later] = {}

    async def open(self, attempt: Attempt, state: KernelState) -> int:
        """The node's id; candidate and node in one transaction."""
        campaign = self._campaign

        def rows(s: Session) -> int:
            designs.add_candidate(s, attempt.candidate)
            node = designs.add_node(
                s, campaign.id, attempt.kernel, attempt.kind, parent=self._parent(s, attempt),
                candidate_id=attempt.candidate.id, lever=attempt.lever, params=attempt.params,
                title=title_of(attempt), reason=attempt.reason, prediction=attempt.prediction, agent=attempt.agent,
                brief_id=attempt.brief_id, state="gates",
            )  # fmt: skip
            designs.set_node(s, node, under_parent=state.head.candidate.id)
            return node

        return await campaign.store.write(rows)

    async def becomes(self, node_id: int, attempt: Attempt) -> None:
        """The node goes on with another candidate: the winner of its race."""

        def rows(s: Session) -> None:
            designs.add_candidate(s, attempt.candidate)
            designs.set_node(
                s, node_id, candidate_id=attempt.candidate.id, lever=attempt.lever, lever_params=dict(attempt.params),
                title=title_of(attempt), reason=attempt.reason,
            )  # fmt: skip

        await self._campaign.store.write(rows)

    def _parent(self, s: Session, attempt: Attempt) -> int:
        """The node it grows from: the head's, or that of the former head that it was made from; a design from the
        baseline roots a tree of its own in a new idea card."""
        if attempt.parent_node is not None:
            return attempt.parent_node
        former = promotions.node_of(s, self._campaign.id, attempt.kernel, attempt.base)
        if former is not None:
            return former
        return designs.add_node(
            s, self._campaign.id, attempt.kernel, "idea",
            lever=attempt.lever, title=attempt.lever, reason=attempt.reason, agent=attempt.agent,
        )  # fmt: skip

    async def keep_report(self, node_id: int, subject: Subject, report: GateReport) -> None:
        """The next gate does not wait for the disk; the retest rule, which reads what `compile` found, does."""
        later = self._later.setdefault(node_id, Later())

        def rows(s: Session) -> None:
            designs.add_gate_report(s, node_id, report)
            if report.gate == "compile" and subject.artefact is not None:
                designs.set_machine_code(s, subject.candidate.id, subject.artefact.machine_code_sha256)

        later.add(self._campaign.store.write(rows))
        if report.gate == "compile":
            await later.settled()

    async def settled(self, node_id: int) -> None:
        """Until all reports of the node are on the disk."""
        later = self._later.pop(node_id, None)
        if later is not None:
            await later.settled()

    async def status(self, attempt: Attempt, text: str) -> None:
        campaign = self._campaign
        await campaign.store.write(lambda s: kernel_states.update(s, campaign.id, attempt.kernel, status=text))

    async def close(self, attempt: Attempt, result: Result) -> None:
        campaign = self._campaign
        await self.settled(result.node_id)

        def rows(s: Session) -> None:
            if result.outcome is not Outcome.KEEP:
                designs.finish_node(
                    s, result.node_id, result.outcome, result.verdict or "", estimate=result.estimate,
                    text=f"{result.outcome} {title_of(attempt)}: {result.reason or result.verdict}",
                )  # fmt: skip
            kernel_states.update(s, campaign.id, attempt.kernel, status="idle")

        await campaign.store.write(rows)

    async def interrupted(self, attempt: Attempt, node_id: int) -> None:
        """A node that was promoted before the interruption stays what it is."""
        campaign = self._campaign
        await self.settled(node_id)

        def rows(s: Session) -> None:
            if not designs.get_node(s, node_id).outcome:
                designs.set_node(s, node_id, state="interrupted")
                events.append(s, campaign.id, "interrupted", attempt.kernel, f"node {node_id} ended in mid-attempt")
            kernel_states.update(s, campaign.id, attempt.kernel, status="idle")

        await campaign.store.write(rows)
