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


def keep_all() -> None:
    """What there is by now stays to the end of the process: the collector need not look at it again."""
    gc.collect()
    gc.freeze()


def give_back() -> None:
    """Returns to the system what nobody needs any more; holds the interpreter for some tens of milliseconds.

    What redrawn parts leave behind are circles, which the collector finds in its own time only, after many megabytes.
    """
    gc.collect()
    libc = ctypes.CDLL(None)
    if hasattr(libc, "malloc_trim"):
        libc.malloc_trim(0)
