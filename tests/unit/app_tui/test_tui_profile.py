"""Tab 7: the last profile of every head as a chart and a table."""

from dataclasses import replace

import pytest

from app.screens import profile_tab_text
from app.views import plain, width_of
from kernels.profiling.against import Change
from kernels.profiling.record import Record
from store.profile_views import ProfileView
from tests.unit.app_tui import fake_profiles
from tests.unit.app_tui.fake_source import NOW, FakeSource, verbs
from tests.unit.app_tui.fake_values import kernel_views
from tests.unit.app_tui.harness import running

FFN = kernel_views(("qkv", "attn_out", "ffn"), "")[2]


def test_a_row_says_how_old_a_profile_is_and_of_which_head() -> None:
    view = fake_profiles.view("attn_out", NOW)
    said = plain(profile_tab_text.row(FFN, view, NOW, 110))
    assert said.split()[:8] == ["ffn", "3.31", "ms", "2.91", "ms", "1.50", "10", "min"]
    assert "imbalance 48.0 %, memory wall 44.0 %" in said
    earlier = plain(profile_tab_text.row(FFN, replace(view, present=False), NOW, 110))
    assert "! of an earlier head;" in earlier
    assert plain(profile_tab_text.row(FFN, None, NOW, 80)).rstrip().endswith("no profile yet")


@pytest.mark.parametrize("width", [78, 118, 198])
def test_every_line_fits_its_width(width: int) -> None:
    record = Record(fake_profiles.profile("ffn"), fake_profiles.profile("ffn", candidate="cafe"),
                    (Change(("nest_1",), ("nest_1",), 1.3e6, 1.1e6),))  # fmt: skip
    view = ProfileView("ffn", NOW - 60, record, present=False)
    lines = profile_tab_text.detail("p", FFN, view, NOW, width)
    assert max(map(width_of, lines)) <= width
    said = "\n".join(plain(line) for line in lines)
    assert said.startswith("! of an earlier head, f00dfeed; the head is a1b2c3d4 now")
    assert "-15.4 %" in said
    assert "candidate cafe" in said


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 50)])
async def test_the_tab_shows_the_selected_kernel(size: tuple[int, int]) -> None:
    async with running(size=size) as screen:
        await screen.press("5")
        await screen.until_shown("[5 Profile]", "2 profiles of 3 kernels", "no profile of qkv yet")
        await screen.press("j")
        await screen.until_shown("profile of attn_out", "0 |AAAA", "1 |AAAA", "bound by: imbalance 48.0 %")
        await screen.press("j")
        await screen.until_shown("! of an earlier head, f00dfeed")
        await screen.press("enter", "j")
        await screen.until(lambda: screen.panel("#profile-detail").has_focus)
        await screen.press("escape")
        await screen.until(lambda: screen.panel("#profile-rows").has_focus)


async def test_a_kernel_is_paused_and_profiled_from_here() -> None:
    source = FakeSource()
    async with running(source) as screen:
        await screen.press("5")
        await screen.until_shown("no profile of qkv yet")
        await screen.press("j", "p", "colon", *"profile ffn")
        await screen.until_shown("where its time goes")
        await screen.press("enter")
        await screen.until(lambda: ("profile", "ffn") in verbs(source))
        assert ("pause", "attn_out") in verbs(source)


async def test_a_home_without_kernels_says_so() -> None:
    async with running(FakeSource(no_campaign=True, kernels=(), filing_count=0)) as screen:
        await screen.press("5")
        await screen.until_shown("no kernel yet")
