"""Import contracts, and what no package may know."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_import_contracts_hold() -> None:
    tool = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_version_imports_neither_screen_nor_store() -> None:
    code = (
        "import sys; sys.argv = ['app', '--version']\n"
        "from app.__main__ import main\n"
        "assert main() == 0\n"
        "heavy = {'textual', 'sqlmodel', 'scipy', 'numpy', 'anthropic', 'openai'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("kernelwright ")


def test_the_judge_the_store_and_the_screen_do_not_import_scipy_or_sdks_at_start() -> None:
    code = (
        "import sys, kernels.judge.collect, kernels.judge.ledger, store.engine, store.reads, app.tui\n"
        "heavy = {'scipy.stats', 'anthropic', 'openai'} & set(sys.modules)\n"
        "assert not heavy, heavy\n"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_no_name_of_a_pack_or_kernel_stands_in_levers_or_brains() -> None:
    packs = ROOT / "kernels" / "packs"
    names = {p.parent.name for p in packs.glob("*/pack.toml")} | {k.parent.name for k in packs.glob("*/*/kernel.toml")}
    assert names >= {"gemma_decode", "qkv", "attn_out", "ffn"}
    word = re.compile(rf"\b({'|'.join(sorted(names))})\b")
    for folder in (ROOT / "kernels" / "levers", ROOT / "roles" / "brains"):
        for path in folder.rglob("*"):
            if path.suffix in (".py", ".c", ".j2", ".md"):
                found = word.search(path.read_text())
                assert found is None, f"{path}: {found and found.group(0)}"


def test_no_two_files_of_tests_share_a_name() -> None:
    """Without packages around them pytest knows them by their base names alone, and one would hide the other."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []
