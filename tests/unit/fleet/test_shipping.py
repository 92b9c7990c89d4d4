"""Files of a request travel once, arrive whole, and never leave the folder that they are put into."""

from pathlib import Path

import pytest

from kernels.fleet.shipping import MARK, Files, packed, packed_tree, put, unpacked


def test_a_request_holds_on_the_other_side(tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    (here / "candidate.so").write_bytes(b"code")
    (here / "probe.so").write_bytes(b"probe")
    told = {"artefact": str(here / "candidate.so"), "probes": {"wide": str(here / "probe.so")}, "key": "/no/such/file",
            "calls": 3, "order": ["head", "x"]}  # fmt: skip
    files: Files = {}
    sent = packed(told, files)
    put(files, there)
    got = unpacked(sent, lambda mark: str(there / mark.removeprefix(MARK)))
    assert Path(got["artefact"]).read_bytes() == b"code" and Path(got["artefact"]).name == "candidate.so"
    assert Path(got["probes"]["wide"]).read_bytes() == b"probe"
    assert (got["key"], got["calls"], got["order"]) == ("/no/such/file", 3, ["head", "x"])


def test_what_lies_beside_an_artefact_for_it_travels_along(tmp_path: Path) -> None:
    (tmp_path / "candidate.so").write_bytes(b"code")
    (tmp_path / "candidate.runner").write_bytes(b"runner")
    files: Files = {}
    mark = packed(str(tmp_path / "candidate.so"), files)
    put(files, tmp_path / "there")
    arrived = tmp_path / "there" / mark.removeprefix(MARK)
    assert arrived.with_suffix(".runner").read_bytes() == b"runner"


def test_the_same_content_has_the_same_mark_and_another_one_another(tmp_path: Path) -> None:
    marks = set[str]()
    for folder, content in (("a", b"1"), ("b", b"1"), ("c", b"2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "k.so").write_bytes(content)
        marks.add(packed(str(tmp_path / folder / "k.so"), {}))
    assert len(marks) == 2


@pytest.mark.parametrize("name", ["../out", "/etc/out", "a/../../out", ""])
def test_no_name_leads_out(name: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="leads out"):
        put({f"{MARK}{name}": b""}, tmp_path / "files")
    assert not (tmp_path / "out").exists()


def test_a_pack_travels_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "tiny" / "mv" / "__pycache__").mkdir(parents=True)
    (tmp_path / "tiny" / "pack.toml").write_text("name")
    (tmp_path / "tiny" / "mv" / "kernel.toml").write_text("k")
    (tmp_path / "tiny" / "mv" / "__pycache__" / "x.pyc").write_text("")
    assert packed_tree(tmp_path / "tiny") == {"tiny/pack.toml": b"name", "tiny/mv/kernel.toml": b"k"}
