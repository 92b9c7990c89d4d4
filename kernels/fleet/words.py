"""Devices by words: `local`, `dask:ADDRESS` for every device that the workers of a cluster serve."""

from typing import Final

LOCAL: Final = "local"
DASK: Final = "dask:"


def known_device(words: str) -> str:
    """The words of one device as they are. Raises: ValueError that says what there is."""
    if words == LOCAL or (words.startswith(DASK) and "://" in words):
        return words
    raise ValueError(f"no device {words!r}: it is {LOCAL}, {DASK}tcp://HOST:8786, or {DASK}tls://HOST:8786")
