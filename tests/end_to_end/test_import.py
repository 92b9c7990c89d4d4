"""A foreign function becomes a kernel by the command line: real gcc, sandbox and referee."""

import ctypes.util
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.importing.linting import lint_pack
from app.importing.reading import Asked
from app.importing.steps import import_kernel
from app.settings import UsageError
from kernels.packs.loader import load_pack
from kernels.packs.toml import PackError

SOURCE = """#include <stdio.h>

/* Running totals of products, and the largest one. */
void totals(int n, const float *x, const int *weight, long *total, float *largest) {
    long sum = 0;
    largest[0] = 0;
    for (int i = 0; i < n; i++) {
        sum += weight[i] * 4000000000L;
        total[i] = sum;
        if (x[i] * weight[i] > largest[0]) largest[0] = x[i] * weight[i];
    }
}

int main(void) { printf("not a part of it"); return 0; }
"""
SHAPES = """[sizes]
n = 500
[arguments]
x = { shape = ["n"] }
weight = { shape = ["n"], range = [1, 9] }
total = { shape = ["n"], role = "out" }
largest = { shape = [1], role = "out" }
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One runner for all imports of this file."""
    return tmp_path_factory.mktemp("cache")


def written(folder: Path, source: str, shapes: str) -> Asked:
    (folder / "foreign.c").write_text(source)
    (folder / "shapes.toml").write_text(shapes)
    return Asked(folder / "foreign.c", "totals", folder / "shapes.toml", folder / "mine")


@pytest.mark.device
def test_an_imported_function_is_its_own_reference_and_judges_others(cli: Callable[..., Any], tmp_path: Path) -> None:
    asked = written(tmp_path, SOURCE, SHAPES)
    words = ("--function", "totals", "--shapes", str(asked.shapes), "--into", str(asked.into))
    made = cli("pack", "import", str(asked.file), *words, "--flags", "-fwrapv -DSPARE=1", "--json")
    assert made["reference"] == "the baseline itself at -O0"
    assert made["tolerances"]["total"] == "exact"
    assert "negative" in made["left_out_regimes"]  # nothing is above 0 there
    assert made["left_out"] == ["main", "#include <stdio.h>"]
    spec = load_pack(asked.into).kernel("totals")
    assert (spec.reference, spec.flags) == ("baseline", ("-fwrapv", "-DSPARE=1"))
    honest = (spec.folder / "baseline.c").read_text()
    (tmp_path / "off_by_one.c").write_text(honest.replace("total[i] = sum", "total[i] = sum + (i == n - 1)"))
    (tmp_path / "other.c").write_text(
        honest.replace("sum += weight[i] * 4000000000L", "sum += 4000000000L * weight[i]")
    )
    right = cli("check", "totals", str(tmp_path / "other.c"), "--pack", str(asked.into), "--json")
    assert (right["passed"], right["reference"]) == (True, "the baseline itself at -O0")
    wrong = cli("check", "totals", str(tmp_path / "off_by_one.c"), "--pack", str(asked.into), raw=True)
    assert wrong.returncode == 1
    assert "reference: the baseline itself at -O0" in wrong.stdout
    assert "refused by gate correct" in wrong.stdout


@pytest.mark.device
@pytest.mark.skipif(ctypes.util.find_library("z") is None, reason="zlib is not installed")
def test_a_library_is_linked_for_the_baseline_and_a_second_kernel_joins_the_pack(cache: Path, tmp_path: Path) -> None:
    source = (
        "typedef unsigned long length; length crc32(length, const unsigned char *, unsigned);\n"
        "void checksum(const unsigned char *bytes, unsigned *sum) { sum[0] = crc32(0, bytes, 700); }\n"
    )
    shapes = '[arguments]\nbytes = { shape = [700], range = [0, 256] }\nsum = { shape = [1], role = "out" }\n'
    asked = written(tmp_path, source, shapes)
    for function, libraries in (("checksum", ("z",)), ("nothing", ("not_a_library",))):
        one = Asked(asked.file, function, asked.shapes, asked.into, libraries=libraries)
        if function == "nothing":
            asked.file.write_text(source.replace("checksum", "nothing"))
            with pytest.raises(PackError, match="library 'not_a_library' is not here"):
                import_kernel(one, cache, print)
        else:
            assert import_kernel(one, cache, print)["libraries"] == ["z"]
    assert [k.name for k in load_pack(asked.into).kernels] == ["checksum"]
    linted = lint_pack(load_pack(asked.into), cache)
    assert (linted.findings, linted.baselines["checksum"].passed) == ([], True)
    with pytest.raises(UsageError, match="has a kernel checksum already"):
        import_kernel(Asked(asked.file, "checksum", asked.shapes, asked.into), cache, print)


@pytest.mark.device
def test_what_the_function_does_not_write_is_named_before_anything_is_kept(cache: Path, tmp_path: Path) -> None:
    half = SOURCE.replace("total[i] = sum", "if (i % 2) total[i] = sum")
    asked = written(tmp_path, half, SHAPES)
    with pytest.raises(PackError, match=r"250 of 500 elements of total.*they are not written"):
        import_kernel(asked, cache, print)
    assert not asked.into.exists()


@pytest.mark.device
def test_a_call_that_no_kernel_may_make_is_named(cache: Path, tmp_path: Path) -> None:
    asked = written(tmp_path, SOURCE.replace("long sum = 0;", 'long sum = 0; puts("");'), SHAPES)
    with pytest.raises(PackError, match=r"gate source of totals: .*puts is outside the allow-list"):
        import_kernel(asked, cache, print)
