"""The folder of one build: what was in it is gone, and only plain names of a candidate's kind come into it."""

from pathlib import Path

import pytest

from kernels.targets.base import CompileFailed
from kernels.targets.work import emptied, lay


def test_a_folder_that_was_built_in_is_empty_again(tmp_path: Path) -> None:
    work = emptied(tmp_path / "home" / "build")
    lay({"kernel.c": "int a;\n", "part.h": ""}, work, (".c", ".h"), {"out.so"})
    assert sorted(path.name for path in work.iterdir()) == ["kernel.c", "part.h"]
    assert list(emptied(work).iterdir()) == []


@pytest.mark.parametrize("name", ["../kernel.c", "sub/kernel.c", "kernel.sh", "out.c"])
def test_other_names_are_refused_with_what_is_allowed(name: str, tmp_path: Path) -> None:
    with pytest.raises(CompileFailed, match=r"is not allowed: plain \*\.c, \*\.h or \*\.inc$"):
        lay({name: "int a;\n"}, tmp_path, (".c", ".h", ".inc"), {"out.c"})
    assert list(tmp_path.iterdir()) == []
