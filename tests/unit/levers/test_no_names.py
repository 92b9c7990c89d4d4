"""Levers know loop nests, not kernels: no pack's, kernel's or argument's name stands in their source."""

import re
from pathlib import Path

from kernels.packs.loader import load_pack

LEVERS = Path(__file__).parents[3] / "kernels" / "levers"


def test_no_pack_kernel_or_matrix_is_named() -> None:
    names = set()
    for pack in ("gemma_decode", "axpy_gemv"):
        loaded = load_pack(pack)
        names |= {pack, *pack.split("_")} | {k.name for k in loaded.kernels} | {k.entry for k in loaded.kernels}
        names |= {a.name for k in loaded.kernels for a in k.weights if len(a.name) > 6}
    files = [p for p in LEVERS.rglob("*") if p.is_file() and "__pycache__" not in p.parts]
    words = {w.lower() for p in files for w in re.findall(r"[A-Za-z]\w+", p.read_text(errors="replace"))}
    assert not names & words - {"decode"}
