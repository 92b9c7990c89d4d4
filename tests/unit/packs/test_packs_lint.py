"""What the linter refuses, each case on the skeleton that it accepts."""

from pathlib import Path

import pytest

from kernels.packs.lint import Finding, lint, lint_kernel
from kernels.packs.loader import find_kernel, load_pack
from kernels.packs.new import KERNEL, new_pack

TOML, REFERENCE, BASELINE = f"{KERNEL}/kernel.toml", f"{KERNEL}/reference.py", f"{KERNEL}/baseline.c"
RETURN = 'return {"y": a["M"].apply(a["x"])}'
LOOSE = ("atol = 5e-2\nrtol = 1e-4\nnrmse = 1e-5\nmax_over_rms = 1e-4", "atol = 1e9\nrtol = 1e-4")


def lint_edited(folder: Path, *edits: tuple[str, str, str]) -> list[Finding]:
    pack = new_pack("mine", folder)
    for file, old, new in edits:
        text = (pack / file).read_text()
        assert old in text
        (pack / file).write_text(text.replace(old, new, 1))
    return lint(load_pack(pack))


def has(findings: list[Finding], kind: str, subject: str, text: str) -> bool:
    return any(f.kind == kind and f.subject == subject and text in f.message for f in findings)


def test_the_skeleton_passes(tmp_path: Path) -> None:
    assert lint_edited(tmp_path) == []


@pytest.mark.parametrize("name", ["axpy", "gemv", "attn_out"])
def test_shipped_kernels_pass(name: str) -> None:
    assert lint_kernel(find_kernel(name)[1]) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["qkv", "ffn"])
def test_large_shipped_kernels_pass(name: str) -> None:
    assert lint_kernel(find_kernel(name)[1]) == []


def test_an_argument_without_effect_is_named(tmp_path: Path) -> None:
    extra = '\n[[argument]]\nname = "bias"\ndtype = "f32"\nshape = [1024]\nrole = "input"\n'
    found = lint_edited(
        tmp_path,
        (TOML, "# Every element", extra + "\n# Every element"),
        (BASELINE, "float *y)", "float *y, const float *bias)"),
    )
    assert has(found, "no_reaction", "bias", "no output reacts")
    assert len(found) == 1


def test_an_effect_below_the_tolerance_counts_as_none(tmp_path: Path) -> None:
    found = lint_edited(tmp_path, (REFERENCE, RETURN, 'return {"y": a["x"] * 10 + a["M"].apply(a["x"]) * 1e-9}'))
    assert {f.subject for f in found if f.kind == "no_reaction"} == {"W", "scale"}


def test_a_constant_argument_is_named(tmp_path: Path) -> None:
    found = lint_edited(tmp_path, (TOML, '["uniform", 0.001, 0.01]', '["constant", 0.01]'))
    assert has(found, "constant", "scale", "same values for every seed")


def test_a_tolerance_that_lets_zeros_pass(tmp_path: Path) -> None:
    found = lint_edited(tmp_path, (TOML, *LOOSE))
    assert has(found, "tolerance", "y", "lets zeros pass")
    assert has(found, "tolerance", "y", "its mean everywhere")


def test_weights_of_zeros(tmp_path: Path) -> None:
    found = lint_edited(tmp_path, (TOML, '["int", -127, 128]', '["int", 0, 1]'))
    assert has(found, "weights", "W", "all weights are zero")


def test_an_output_without_spread_over_positions(tmp_path: Path) -> None:
    flat = 'y = a["M"].apply(a["x"])\n    return {"y": y * 0 + y[:, :1]}'
    assert has(lint_edited(tmp_path, (REFERENCE, RETURN, flat)), "spread", "y", "over positions")


def test_an_output_without_spread_over_inputs(tmp_path: Path) -> None:
    same = 'return {"y": a["M"].apply(a["x"] * 0 + 1)}'
    assert has(lint_edited(tmp_path, (REFERENCE, RETURN, same)), "spread", "y", "over inputs")


def test_a_reference_that_is_not_finite_in_a_regime(tmp_path: Path) -> None:
    division = 'return {"y": a["M"].apply(1 / a["x"])}'
    assert has(lint_edited(tmp_path, (REFERENCE, RETURN, division)), "non_finite", "y", "regime one_hot")


@pytest.mark.parametrize(
    ("file", "old", "new", "kind", "subject", "text"),
    [
        (BASELINE, "const float *x", "float *x", "prototype", "x", "role input says `const float *x`"),
        (BASELINE, "float *y)", "const float *y)", "prototype", "y", "role output says `float *y`"),
        (
            BASELINE,
            "const float *scale, const float *x",
            "const float *x, const float *scale",
            "prototype",
            "x",
            "order",
        ),
        (BASELINE, ", float *y)", ")", "prototype", "", "takes 3 arguments"),
        (BASELINE, "void scaled_gemv", "void other", "prototype", "", "defines no void scaled_gemv"),
        (BASELINE, "float sum = 0.0f;", "float sum = = ;", "prototype", "", "does not parse: line"),
        (REFERENCE, RETURN, "return {}", "reference", "", "output y is NoneType"),
        (REFERENCE, RETURN, 'return {"y": a["x"][:, :5]}', "reference", "", "Return shape (6, 1024)"),
        (REFERENCE, RETURN, 'return {"y": a["z"]}', "reference", "", "asks for 'z'"),
        (REFERENCE, "def reference", "def reverence", "reference", "", "no function reference"),
        (REFERENCE, "from typing import Any", "import nowhere_at_all", "reference", "", "import failed"),
    ],
)
def test_contradictions_between_the_files(
    tmp_path: Path, file: str, old: str, new: str, kind: str, subject: str, text: str
) -> None:
    assert has(lint_edited(tmp_path, (file, old, new)), kind, subject, text)


def test_a_missing_baseline(tmp_path: Path) -> None:
    pack = new_pack("mine", tmp_path)
    (pack / BASELINE).unlink()
    assert has(lint(load_pack(pack)), "baseline", "", "cannot be read")
