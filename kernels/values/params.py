"""Parameters of a lever as people and models read them."""

from collections.abc import Mapping


def params_text(params: Mapping[str, object]) -> str:
    """`rows=4 unroll=8`, in the order in which they stand; "" without any."""
    return " ".join(f"{name}={value}" for name, value in params.items())
