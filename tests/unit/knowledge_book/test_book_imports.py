"""Who only reads what is kept loads no parser of documents."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]


def test_the_store_loads_no_parser() -> None:
    code = (
        "import sys, store.reads, store.books, store.claims, knowledge.cheatsheet, knowledge.release_change\n"
        "assert not {'docutils', 'bs4', 'markdown_it'} & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
