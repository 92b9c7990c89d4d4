"""A seeded profile: a head of two loops with serial work between them, on two threads."""

from kernels.profiling.join import Line
from kernels.profiling.lanes import Piece
from kernels.profiling.profile import Profile
from kernels.profiling.record import Record
from store.profile_views import ProfileView

LOOPS = (("nest_1", 0.0, 1.3e6), ("nest_2", 1.5e6, 2.9e6))


def profile(kernel: str, text: str = "", candidate: str = "f00dfeed0123") -> Profile:
    """text: in place of every name."""
    names = [text or "nest_1", text or "before nest_2", text or "nest_2"]
    lines = (
        Line(names[0], "parallel", 1, 1.3e6, (1.3e6, 1.25e6), 0.44, 25e3, 0.02, "memory wall",
             (text or "up_codes", "up_scales"), 66_355_200, 1.29e6),
        Line(names[1], "serial", 1, 0.2e6, (0.2e6, 0.0), 0.07, 0.0, None, "serial", (), 0, 0.0),
        Line(names[2], "parallel", 1, 1.4e6, (1.1e6, 1.4e6), 0.48, 150e3, 0.12, "imbalance",
             (text or "down_codes",), 33_177_600, 0.65e6, parts=((text or "load", 1e6), ("add", 1.5e6))),
    )  # fmt: skip
    pieces = tuple(
        Piece(t, names[i], a, b - 5e4 * t) for i, a, b in ((0, 0.0, 1.3e6), (2, 1.5e6, 2.9e6)) for t in (0, 1)
    )
    pieces += (Piece(0, names[1], 1.3e6, 1.5e6),)
    return Profile(
        "gemma_decode", kernel, candidate, 2, 10, 2.91e6, 2.85e6, 3.2e6, 2.9e6, 51.2, text or "slow 51 GB/s", lines,
        pieces, 99_532_800, 1.94e6, 3, (text,) if text else (),
    )  # fmt: skip


def view(kernel: str, now: float, text: str = "") -> ProfileView:
    return ProfileView(kernel, now - 600.0, Record(profile(kernel, text)), kernel != "ffn")
