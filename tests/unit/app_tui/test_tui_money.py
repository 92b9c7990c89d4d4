"""The Money tab: what was spent, and, where nothing was, that and the device time."""

from tests.unit.app_tui.fake_source import FakeSource, verbs
from tests.unit.app_tui.harness import running


async def test_offline_it_says_that_nothing_was_spent_and_shows_the_device() -> None:
    async with running(size=(120, 40)) as screen:
        await screen.press("8")
        await screen.until_shown("$0.00  nothing was spent: brain offline asked no model")
        await screen.until_shown("device: tests 16.9 min of 41.2 min, 1.13 min a gain")
        await screen.until_shown("machine: readings 16.9 min", "score against device time, nothing was spent: 21.9x")


async def test_models_stand_under_their_limits_with_what_a_gain_cost() -> None:
    async with running(FakeSource(paid=True), size=(160, 45)) as screen:
        await screen.press("8")
        await screen.until_shown("$6.13 spent of $10.00 (61.3 %), $0.40 reserved, $3.47 free")
        await screen.until_shown("41 requests, 1,204,551 tokens of 2,000,000", "! 2 answers without a known price")
        await screen.until_shown(
            "6 shares by group", "anthropic large", "$0.56", "score against dollars: 21.9x after $5.89"
        )


async def test_shares_are_sorted_filtered_and_steered() -> None:
    async with running(FakeSource(paid=True), size=(120, 40)) as screen:
        await screen.press("8")
        await screen.until_shown("6 shares by group")
        await screen.press("s")
        await screen.until_shown("6 shares by spent")
        await screen.press("slash", *"kernel ffn", "enter")
        await screen.until_shown("1 share by spent, filter: kernel ffn", "4 accepted and in force")
        await screen.press("p")
        await screen.until(lambda: ("pause", "ffn") in verbs(screen.source))
