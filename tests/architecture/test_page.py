"""What ARCHITECTURE.md says of packages and files is so: each package stands in its table, and each file is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| (`[^|]*) \| [^|]+ \| (`[^|]*) \|$", re.MULTILINE)
PACKAGES = ("app", "roles", "store", "knowledge", "kernels")
UNLISTED = {"kernels": "it has packages alone", "store/migrations/versions": "one file a step, made by alembic"}


def words(cell: str) -> list[str]:
    return [str(word) for word in re.findall(r"`([^`]+)`", cell)]


def test_every_package_stands_in_the_table_once() -> None:
    named = [name for found in ROW.finditer(PAGE) for name in words(found[1])]
    there = [path.parent for package in PACKAGES for path in (ROOT / package).rglob("__init__.py")]
    assert sorted(named) == sorted({path.relative_to(ROOT).as_posix() for path in there} - {*UNLISTED})


def test_the_first_files_of_packages_are_there() -> None:
    for found in ROW.finditer(PAGE):
        for file in words(found[2]):
            assert any((ROOT / package / file).is_file() for package in words(found[1])), found[0]


def test_files_that_pages_and_docstrings_name_are_there() -> None:
    """A name with a folder; of one alone, which may be a user's or another program's, nothing is said."""
    listed = [path for package in PACKAGES for path in (ROOT / package).rglob("*") if path.is_file()]
    texts = {"ARCHITECTURE.md": PAGE} | {
        str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in listed if path.suffix == ".py"
    }
    for name, text in texts.items():
        for named in re.findall(r"`(\w[\w/-]*/[\w-]+\.(?:py|c|h|sql|j2))`", text):
            assert any(str(one).endswith(f"/{named}") for one in listed), f"{name} names {named}"
