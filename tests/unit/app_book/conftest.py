"""A small book in all formats, and the program with a home of its own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli import run

FILES = {
    "SUMMARY.md": "# Summary\n\n- [Memory](memory.md)\n- [Ports](ports.rst)\n- [Later]()\n",
    "memory.md": (
        "# Memory\n\nA bank must not be read by more than 64 engines.\n\n![bank](bank.png)\n\n"
        "| Memory | Peak |\n|--|--|\n| HBM | 1.5 TB/s |\n| SPM | 2 TB/s |\n"
    ),
    "ports.rst": "Ports\n=====\n\nA port is a wire of the slice.\n\nEach port takes at most 32 bytes per cycle.\n",
    "reset.html": "<h1>Reset</h1><p>Software may not touch a bank during the 4,096 cycles of a reset.</p>",
    "notes.txt": "NOTES\n\nAll writes must be aligned to 8 bytes.\n",
    "bank.png": "not really",
}


@pytest.fixture
def book(tmp_path: Path) -> Path:
    folder = tmp_path / "chip" / "v1"
    folder.mkdir(parents=True)
    for name, text in FILES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KERNELWRIGHT_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def call(home: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, Any]]:
    """Runs a command with --json; gives its exit code and the object, or what was said on stderr."""

    def called(*arguments: object) -> tuple[int, Any]:
        capsys.readouterr()
        code = run([*map(str, arguments), "--json"])
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else said.err

    return called
