"""Keeps the screen's process small. Without glibc nothing happens."""

import ctypes
import gc
from typing import Final

M_ARENA_MAX: Final = -8
"""From malloc.h: how many arenas malloc may make. Each thread has one of its own otherwise, and keeps what it freed."""


def one_arena() -> None:
    """Called before there are threads."""
    libc = ctypes.CDLL(None)
    if hasattr(libc, "mallopt"):
        libc.mallopt(M_ARENA_MAX, 1)


def give_back(*, own: bool) -> None:
    """Returns to the system what imports left behind; holds the interpreter for some tens of milliseconds.

    own: the process does nothing but show the screen, so that what there is by now stays to its end, and the collector
    may look often at what comes after it: what redrawn parts leave behind does not pile up.
    """
    gc.collect()
    if own:
        gc.freeze()
    libc = ctypes.CDLL(None)
    if hasattr(libc, "malloc_trim"):
        libc.malloc_trim(0)
