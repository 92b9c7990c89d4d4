"""`onboard` and `knowledge claims | sheet | verify` on a small book: counts, resuming, the next release."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.cli import run
from app.onboarding import telling
from app.onboarding.steps import Asked, onboard
from app.store_source import StoreSource
from knowledge.book.values import fold
from store import chip_facts, reads
from store.engine import Store
from store.knowledge_views import ClaimView

Call = Callable[..., tuple[int, Any]]
ROOT = Path(__file__).parents[3]
TEXTS = [
    "A bank must not be read by more than 64 engines.",
    "Memory HBM: Peak 1.5 TB/s",
    "Memory SPM: Peak 2 TB/s",
    "All writes must be aligned to 8 bytes.",
    "A port is a wire of the slice.",
    "Each port takes at most 32 bytes per cycle.",
    "Software may not touch a bank during the 4,096 cycles of a reset.",
]


def next_release(book: Path, old: str, new: str) -> Path:
    """The book as a folder beside it, with one text of memory.md changed."""
    made = book.with_name("v2")
    shutil.copytree(book, made)
    text = (made / "memory.md").read_text()
    assert old in text
    (made / "memory.md").write_text(text.replace(old, new))
    return made


def test_every_file_is_accounted_for(book: Path, call: Call) -> None:
    code, found = call("onboard", "--book", book, "--target", "no-such-chip-yet")
    assert code == 0
    assert found["files"] == {"total": 6, "read": 5, "not_read": 1, "waiting": 0, "listed": 2, "unlisted": 2}
    assert (found["target"], found["book"], found["release"]) == ("no-such-chip-yet", "chip", "v1")
    assert (found["changes"], found["previous"], found["done"]) == (None, None, True)
    assert [(one["kind"], one["doc"]) for one in found["not_read"]] == [
        ("chapter", "SUMMARY.md"), ("file", "bank.png"), ("image", "memory.md"),
    ]  # fmt: skip
    assert found["claims"]["drafted"] == found["claims"]["supported_at_once"] == 7
    assert found["citations"] == 9
    documents = {one["path"]: (one["state"], one["listed"], one["claims"]) for one in found["documents"]}
    assert documents == {
        "SUMMARY.md": ("claimed", None, 0), "bank.png": ("not_read", None, 0), "memory.md": ("claimed", True, 3),
        "notes.txt": ("claimed", False, 1), "ports.rst": ("claimed", True, 2), "reset.html": ("claimed", False, 1),
    }  # fmt: skip


def test_claims_have_the_shape_that_others_script_against(book: Path, call: Call) -> None:
    call("onboard", "--book", book)
    code, found = call("knowledge", "claims")
    assert (code, [one["text"] for one in found["claims"]], found["counts"]) == (0, TEXTS, {"supported": 7})
    first = found["claims"][0]
    assert first["citations"][0] | {"doc": "memory.md", "section": "memory", "span": TEXTS[0]} == first["citations"][0]
    assert (first["script_check"], first["state"], first["target"]) == ("passed", "supported", "cpu-c")
    assert [(one["name"], one["verdict"], one["lexical_only"]) for one in first["auditors"]] == [
        ("auditor-1", "supported", True), ("auditor-2", "supported", True),
    ]  # fmt: skip
    for claim in found["claims"]:
        for citation in claim["citations"]:
            if not citation["doc"].endswith(".html"):
                assert fold(citation["span"]) in fold((book / citation["doc"]).read_text())


def test_the_sheet_has_the_ban_first_and_keeps_its_size(book: Path, call: Call) -> None:
    call("onboard", "--book", book)
    code, found = call("knowledge", "sheet", "--size", 900, "--kernel", "gemma_decode/qkv", "--role", "architect")
    assert (code, found["characters"] <= 900, found["sheet"].startswith("BANNED: folds.")) == (0, True, True)
    assert len(found["entries"]) + found["left_out"] == 7


def test_a_run_that_was_cut_short_goes_on_where_it_was(book: Path, home: Path, call: Call) -> None:
    said = list[str]()

    def stop_after(count: int) -> Callable[[str], None]:
        def say(line: str) -> None:
            said.append(line)
            if len(said) == count:
                raise KeyboardInterrupt

        return say

    for count in (2, 3, 3):  # while reading, at its end, and while drawing claims
        said.clear()
        with Store.open(home) as store, pytest.raises(KeyboardInterrupt):
            onboard(store, Asked(book, "cpu-c"), stop_after(count))
    assert said[0].startswith("claims 1 of 5")
    code, found = call("onboard", "--book", book)
    assert (code, found["done"], found["files"]["read"]) == (0, True, 5)
    assert [one["text"] for one in call("knowledge", "claims")[1]["claims"]] == TEXTS
    said.clear()
    with Store.open(home) as store:
        again = onboard(store, Asked(book, "cpu-c"), said.append)
    assert said == ["chip v1: all of its 6 files were onboarded before"]
    assert telling.as_json(again) == found


def test_a_killed_run_loses_nothing(book: Path, home: Path, call: Call) -> None:
    command = [sys.executable, "-m", "app", "onboard", "--book", str(book)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as child:
        assert child.stderr is not None
        assert next(child.stderr).startswith("reading 1 of 5")
        child.kill()
    code, found = call("onboard", "--book", book)
    assert (code, found["files"]["read"], found["done"]) == (0, 5, True)
    assert [one["text"] for one in call("knowledge", "claims")[1]["claims"]] == TEXTS
    assert call("knowledge", "verify")[1]["passed"] == 7


def claims_of(home: Path) -> dict[str, ClaimView]:
    with Store.open(home) as store:
        return {one.text: one for one in store.read_sync(reads.book_claims)}


def test_one_changed_number_makes_its_claim_stale_and_no_other(book: Path, home: Path, call: Call) -> None:
    call("onboard", "--book", book)
    planted = next_release(book, "1.5 TB/s", "1.6 TB/s")
    code, found = call("onboard", "--book", planted)
    assert code == 0
    assert found["changes"] == {"citations": 9, "unchanged": 8, "moved": 0, "changed": 1, "gone": 0}
    assert (found["book"], found["release"], found["previous"]) == ("chip", "v2", "v1")
    assert found["claims"]["drafted"] == 1
    claims = claims_of(home)
    stale = claims["Memory HBM: Peak 1.5 TB/s"]
    assert (stale.state, stale.script_check) == ("stale", "failed")
    assert stale.citations[0].found == "| HBM | 1.6 TB/s |"
    assert "numbers: 1.5 became 1.6" in stale.reason
    assert claims["Memory HBM: Peak 1.6 TB/s"].state == "supported"
    assert len(claims) == 8
    assert "1.5" not in call("knowledge", "sheet")[1]["sheet"]
    said = list[str]()
    with Store.open(home) as store:
        onboard(store, Asked(book, "cpu-c"), said.append)
    assert said == ["chip v1: all of its 6 files were onboarded before; the newest release is v2"]


def test_lines_above_and_another_heading_do_not_make_claims_stale(book: Path, call: Call) -> None:
    call("onboard", "--book", book)
    moved = next_release(book, "# Memory\n", "# Start\n\nSome lines.\n\n# Banks\n")
    _, found = call("onboard", "--book", moved)
    assert found["changes"] == {"citations": 9, "unchanged": 4, "moved": 5, "changed": 0, "gone": 0}
    assert call("knowledge", "claims")[1]["counts"] == {"supported": 7}


def test_verify_finds_a_planted_error_and_keeps_nothing(book: Path, call: Call) -> None:
    call("onboard", "--book", book)
    code, found = call("knowledge", "verify")
    assert (code, found["holds"], found["claims"], found["passed"]) == (0, True, 7, 7)
    planted = next_release(book, "64 engines", "63 engines")
    code, found = call("knowledge", "verify", "--book", planted)
    assert (code, found["holds"]) == (1, False)
    (lost,) = found["books"][0]["lost"]
    assert (lost["change"], lost["reason"], lost["doc"]) == ("changed", "numbers: 64 became 63", "memory.md")
    assert call("knowledge", "verify")[0] == 0


def test_verify_sees_a_section_that_was_edited_in_the_store(book: Path, home: Path, call: Call) -> None:
    call("onboard", "--book", book)
    with Store.open(home) as store:
        edit = "UPDATE book_section SET blocks = replace(blocks, '64 engines', '65 engines')"
        store.write_sync(lambda s: s.connection().exec_driver_sql(edit))
    code, found = call("knowledge", "verify")
    assert (code, found["passed"], found["books"][0]["damaged_sections"]) == (1, 6, ["memory.md#memory"])


def test_another_book_is_no_release_of_this_one(book: Path, tmp_path: Path, call: Call) -> None:
    call("onboard", "--book", book)
    other = tmp_path / "guide"
    other.mkdir()
    (other / "guide.md").write_text("# Guide\n\nA warp must not diverge.\n")
    _, found = call("onboard", "--book", other)
    assert (found["book"], found["previous"], found["changes"]) == ("guide", None, None)
    assert call("knowledge", "claims")[1]["counts"] == {"supported": 8}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["onboard", "--book", "/nothing/here"], "it is not there"),
        (["onboard", "--book", "BOOK", "--brain", "king"], "no brain"),
        (["knowledge", "claims"], "nothing is known"),
        (["knowledge", "sheet"], "nothing is known"),
        (["knowledge", "verify"], "nothing is known"),
    ],
)
def test_mistakes_are_told(arguments: list[str], said: str, book: Path, call: Call) -> None:
    code, text = call(*(str(book) if one == "BOOK" else one for one in arguments))
    assert (code, said in text, "Traceback" in text) == (2, True, False)


def test_without_a_book_the_target_has_to_be_one_that_is_here(call: Call) -> None:
    code, text = call("onboard", "--target", "no-such-chip")
    assert (code, "Known targets: cpu-c" in text) == (3, True)


def test_what_a_book_holds_moves_no_cursor(book: Path, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (book / "memory.md").write_text("# Memory\n\nA bank must \x1b[2Jnot hold 64 rows\x00.\n")
    assert run(["onboard", "--book", str(book)]) == 0
    assert run(["knowledge", "claims"]) == 0
    said = capsys.readouterr().out
    assert "\x1b" not in said
    assert "must ^[[2Jnot hold 64 rows" in said
    assert run(["knowledge", "verify"]) == 0


def test_measured_facts_stand_first_in_the_sheet(book: Path, home: Path, call: Call) -> None:
    call("onboard", "--book", book, "--target", "chip")
    with Store.open(home) as store:
        store.write_sync(
            lambda s: chip_facts.add(
                s, target="chip", name="read", fingerprint="f", title="read bandwidth", value=33.0, low=32.5, high=33.5,
                unit="GB/s", readings=[33.0], points=[], fit={}, probe="p", environment={},
            )
        )  # fmt: skip
    found = call("knowledge", "sheet")[1]
    assert found["entries"][0] == {
        "text": "read bandwidth: 33 GB/s (32.5 .. 33.5)", "state": "verified", "kind": "limit",
        "source": "measured: read",
    }  # fmt: skip


def test_unknown_words_are_told_with_the_known_ones(book: Path, call: Call) -> None:
    call("onboard", "--book", book)
    assert "known are supported" in call("knowledge", "claims", "--state", "x")[1]
    assert "known are worker" in call("knowledge", "sheet", "--role", "x")[1]
    assert "at least 400" in call("knowledge", "sheet", "--size", 3)[1]


def test_the_screen_gets_each_claim_with_its_passage(book: Path, home: Path, call: Call) -> None:
    call("onboard", "--book", book)
    source = StoreSource.opened(home)
    claims = source.book_claims()
    assert [one.text for one in claims] == TEXTS
    assert [(one.book, one.files, one.done) for one in source.book_releases()] == [("chip", 6, True)]
    row, header = source.passages(claims[1].id)
    assert (row.cited, row.before) == ("HBM | 1.5 TB/s", (TEXTS[0], "Memory | Peak"))
    assert (header.cited, header.after) == ("Memory | Peak", ("HBM | 1.5 TB/s", "SPM | 2 TB/s"))
    assert source.passages(999) == ()
    (book / "notes.txt").write_text("NOTES\n\nFirst words.\nAll writes must be aligned to 16 bytes. Last words.\n")
    call("onboard", "--book", book)
    aligned = next(one for one in source.book_claims() if "16 bytes" in one.text)
    (passage,) = source.passages(aligned.id)
    assert (passage.before, passage.cited, passage.after) == (("First words.",), aligned.text, ("Last words.",))
    source.close()
