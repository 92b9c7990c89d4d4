"""Files that others remove between two looks are left out, and are no fault."""

from pathlib import Path

from kernels.values.files import listed, still_there, text_of


def test_what_is_gone_is_left_out(tmp_path: Path) -> None:
    (tmp_path / "b.md").write_bytes(b"six \xff")
    (tmp_path / "folder").mkdir()
    (tmp_path / "a.md").symlink_to(tmp_path / "renamed by an editor")
    found = listed(tmp_path)
    assert [path.name for path in found] == ["a.md", "b.md", "folder"]
    assert {path.name: facts.st_size for path, facts in still_there(found).items()} == {"b.md": 5}
    assert [text_of(path) for path in found[:2]] == [None, "six \N{REPLACEMENT CHARACTER}"]


def test_a_folder_that_is_gone_is_empty(tmp_path: Path) -> None:
    assert listed(tmp_path / "gone") == []
    assert still_there(listed(tmp_path / "gone", "*/*")) == {}
