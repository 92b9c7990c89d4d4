"""What the linter refuses, each case on the skeleton that it accepts."""

from pathlib import Path

import pytest

from kernels.packs.lint import Finding, lint, lint_kernel, notes
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


@pytest.mark.parametrize("name", ["axpy", "gemv", "attn_out", "correlation", "mvt"])
def test_shipped_kernels_pass(name: str) -> None:
    assert lint_kernel(find_kernel(name)[1]) == []


@pytest.mark.long
@pytest.mark.parametrize("name", ["qkv", "ffn", "atax", "bicg", "gemver", "gesummv", "jacobi_2d", "nussinov"])
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


def test_weights_that_are_all_the_same(tmp_path: Path) -> None:
    found = lint_edited(tmp_path, (TOML, '["int", -127, 128]', '["int", 3, 4]'))
    assert has(found, "weights", "W", "all weights are 3, so a kernel need not read them")


def test_a_tolerance_that_lets_the_answer_to_other_inputs_pass(tmp_path: Path) -> None:
    near = 'return {"y": a["M"].apply(a["x"]) * 0.02 + 9}'
    wide = ("atol = 5e-2\nrtol = 1e-4\nnrmse = 1e-5\nmax_over_rms = 1e-4", "atol = 0.2\nrtol = 0.1")
    found = lint_edited(tmp_path, (REFERENCE, RETURN, near), (TOML, *wide))
    assert has(found, "tolerance", "y", "lets the answer to other inputs pass")


def test_elements_that_no_input_changes(tmp_path: Path) -> None:
    few = 'y = a["M"].apply(a["x"])\n    y[:, 20:] = 7\n    return {"y": y}'
    found = lint_edited(tmp_path, (REFERENCE, RETURN, few))
    assert has(found, "spread", "y", "98% of its elements stay the same for every input")


def test_a_reference_that_says_something_else_the_second_time(tmp_path: Path) -> None:
    counted = 'y = a["M"].apply(a["x"])\n    SEEN.append(1)\n    return {"y": y + len(SEEN)}'
    found = lint_edited(
        tmp_path, (REFERENCE, RETURN, counted), (REFERENCE, "def reference", "SEEN: list[int] = []\n\n\ndef reference")
    )
    assert has(found, "reference", "y", "for the same inputs a second time")


def test_a_reference_that_mixes_the_calls_of_a_batch(tmp_path: Path) -> None:
    mixed = 'y = a["M"].apply(a["x"])\n    return {"y": y + y.mean(axis=0)}'
    assert has(lint_edited(tmp_path, (REFERENCE, RETURN, mixed)), "reference", "y", "the other calls of its batch")


SLOW = {
    "waits": ("    for (int i = 0; i < 9; i++) usleep(i);", "", "usleep waits"),
    "again": ("    for (int r = 0; r < 9; r++) { y[0] = 1; }", "", "the loop over r does not use r"),
    "burns": ("    for (int i = 0; i < 9; i++) {}", "", "a loop without a body"),
    "drops": ("    (void)expf(x[0]);", "", "the result of expf is dropped"),
    "stalls": ("    _mm_pause();", "", "_mm_pause stalls"),
    "pragma": ('#pragma GCC optimize ("O0")', "", "changes the optimisation of the baseline alone"),
    "attribute": ('static int f(int) __attribute__((optimize("O0")));', "", "keeps the compiler from optimising"),
    "volatile": ("    volatile const float *x2 = x;", "", "volatile 'x2'"),
    "assembly": ('    asm volatile("nop");', "", "inline assembly"),
}


@pytest.mark.parametrize("name", SLOW)
def test_what_slows_a_baseline_down_is_noted_and_no_reason_to_refuse(tmp_path: Path, name: str) -> None:
    line, subject, text = SLOW[name]
    pack = new_pack("mine", tmp_path)
    source = (pack / BASELINE).read_text()
    at = source.index("{", source.index("scaled_gemv(")) + 1 if line[0] == " " else 0
    (pack / BASELINE).write_text(f"{source[:at]}\n{line}\n{source[at:]}")
    loaded = load_pack(pack)
    assert has(notes(loaded), "baseline", subject, text)
    assert lint_kernel(loaded.kernels[0]) == []


def test_notes_name_the_argument(tmp_path: Path) -> None:
    pack = new_pack("mine", tmp_path)
    source = (pack / BASELINE).read_text()
    (pack / BASELINE).write_text(source.replace("const float *x", "const volatile float *x", 1))
    assert has(notes(load_pack(pack)), "baseline", "x", "volatile 'x'")


def test_what_no_audit_can_look_at_is_noted(tmp_path: Path) -> None:
    pack = new_pack("mine", tmp_path)
    extra = '\n[[argument]]\nname = "pos"\ndtype = "i32"\nshape = []\nrole = "input"\ngenerate = ["int", 0, 500]\n'
    text = (pack / TOML).read_text()
    (pack / TOML).write_text(text.replace("# Every element", extra + "\n# Every element", 1))
    own = (
        "def inputs(rng, regime):\n    if regime == 'zeros':\n        raise ValueError(regime)\n"
        "    return {'x': rng.random(1024).astype('f'), 'pos': np.asarray(rng.integers(500), dtype='i4')}\n"
    )
    (pack / REFERENCE).write_text(f"import numpy as np\n{(pack / REFERENCE).read_text()}\n\n{own}")
    found = notes(load_pack(pack))
    assert has(found, "audit", "pos", "no audit goes through its 500 values")
    assert has(found, "audit", "", "does not know the regime zeros")


def test_notes_on_shipped_kernels() -> None:
    assert notes(load_pack("axpy_gemv")) == []


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
