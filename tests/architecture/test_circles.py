"""No module imports one that imports it, by however many steps; imports inside functions and for types count."""

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("app", "roles", "store", "knowledge", "kernels")


def modules(root: Path) -> dict[str, Path]:
    """Files by the names under which they are imported."""
    found = {}
    for path in (path for package in PACKAGES for path in (root / package).rglob("*.py")):
        parts = path.relative_to(root).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path, known: Mapping[str, Path]) -> Iterator[str]:
    """Modules of the tree; a name that a package's own file has counts as that file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None and not node.level, f"{path}: imports are written in full"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in known else node.module for name in inner if {name, node.module} & {*known})


def circle(root: Path) -> list[str]:
    """One of those that there are, each module before what it imports; [] when there is none."""
    known = modules(root)
    try:
        TopologicalSorter({name: set(imported(path, known)) for name, path in known.items()}).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def test_imports_of_modules_make_no_circle() -> None:
    assert circle(ROOT) == []


@pytest.mark.parametrize(
    "back", ["from app.one import a", "def f():\n    import app.one", "if T:\n    from app import one"]
)
def test_a_circle_is_found_wherever_its_imports_stand(back: str, tmp_path: Path) -> None:
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "__init__.py").touch()
    (folder / "one.py").write_text("from app.two import b\n")
    (folder / "two.py").write_text("from app.three import c\n")
    (folder / "three.py").write_text(f"{back}\n")
    found = circle(tmp_path)
    assert {*pairwise(found)} == {
        ("app.one", "app.two"),
        ("app.two", "app.three"),
        ("app.three", "app.one"),
    }
