"""What models cost, as lines of text. Pure."""

from collections.abc import Mapping
from typing import Any


def spending_lines(whole: Mapping[str, Any]) -> list[str]:
    """One line a model, what is held against the limits, and which were reached; [] when no model was asked."""
    if not whole:
        return []
    limits = whole["limits"]
    usd = f" of ${limits['usd']:g}" if limits["usd"] else ""
    tokens = f" of {limits['tokens']:,}" if limits["tokens"] else ""
    held = (
        f"models: ${whole['committed_usd']:.2f}{usd} and {whole['committed_tokens']:,}{tokens} tokens spent or reserved"
    )
    return [held, *(f"  {_of_model(one)}" for one in whole["by_model"]), *(f"! {text}" for text in whole["reached"])]


def _of_model(one: Mapping[str, Any]) -> str:
    text = f"{one['name']}: {one['calls']} requests, {one['tokens_in']:,} tokens in, {one['tokens_out']:,} out, "
    text += "price unknown" if one["price_unknown"] else f"${one['usd']:.2f}"
    if one["accepted"]:
        text += f"; {one['accepted']} accepted"
        text += "" if one["usd_per_gain"] is None else f", ${one['usd_per_gain']:.4f} each"
    if one["cut"]:
        text += f"; {one['cut']} cut, may have been paid (up to ${one['cut_usd']:.2f}, {one['cut_tokens']:,} tokens)"
    return text
