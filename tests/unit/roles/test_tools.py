"""A worker's tools: what they take, how they cut, and how an edit that does not fit is refused."""

from typing import Any

import pytest

from roles.replies import Unusable, Whole, source_in
from roles.toolbox import WORKER
from roles.tools.arguments import Block
from roles.tools.clipping import clip, numbered
from roles.tools.workbench import ToolFailed
from roles.tools.writing import edited

TEXT = "int a;\nint b;\n\tint c;\nint b;\nint d = 1;\n"


def objects(schema: Any) -> list[dict[str, Any]]:
    """Every object in a schema."""
    if isinstance(schema, list):
        return [found for one in schema for found in objects(one)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "object" else []
    return own + [found for one in schema.values() for found in objects(one)]


@pytest.mark.parametrize("name", list(WORKER.entries))
def test_schemas_are_strict(name: str) -> None:
    (tool,) = [t for t in WORKER.tools() if t.name == name]
    found = objects(tool.schema)
    assert found
    for one in found:
        assert one["additionalProperties"] is False
        assert sorted(one["required"]) == sorted(one["properties"])
    assert not {"maxLength", "minimum", "title", "default"} & {key for one in found for key in one}
    assert len(tool.description) > 10


def test_there_is_no_shell_and_no_path() -> None:
    fields = {name for tool in WORKER.tools() for one in objects(tool.schema) for name in one["properties"]}
    assert not fields & {"command", "path", "file", "timeout", "url"}


def test_blocks_are_applied_in_order() -> None:
    blocks = [Block(search="int a;\r\n", replace="int a2;\n"), Block(search="int a2;", replace="long a;")]
    assert edited(TEXT, blocks).startswith("long a;\nint b;")


@pytest.mark.parametrize(
    ("search", "why"),
    [
        ("int b;", "stands there 2 times"),
        ("int e;", "is not there: read the file"),
        ("    int c;", "only when blanks do not count, at line 3"),
        ("int a;\nint c;", "its first line stands at 1, what follows differs"),
    ],
)
def test_a_block_that_does_not_fit_says_why_and_nothing_is_applied(search: str, why: str) -> None:
    blocks = [Block(search="int d = 1;", replace="int d = 2;"), Block(search=search, replace="x")]
    with pytest.raises(ToolFailed, match="block 2 does not match exactly once") as failed:
        edited(TEXT, blocks)
    assert why in str(failed.value)
    assert "no block was applied" in str(failed.value)


def test_a_block_that_changes_nothing_is_refused() -> None:
    with pytest.raises(ToolFailed, match="search and replace are the same"):
        edited(TEXT, [Block(search="int a;", replace="int a;")])


def test_long_texts_keep_head_and_tail_and_say_what_is_missing() -> None:
    text = "\n".join(f"line {n}" for n in range(5000))
    kept = clip(text, 1000)
    assert len(kept) < 1200
    assert kept.startswith("line 0\n")
    assert kept.endswith("line 4999")
    assert f"of {len(text):,} characters left out" in kept
    assert clip("short") == "short"
    assert "[... " in clip("x" * 10**6, 1000)


def test_lines_have_numbers() -> None:
    assert numbered("a\nb\nc", 2, 9) == "lines 2 to 3 of 3\n    2  b\n    3  c"
    assert "no such lines" in numbered("a", 5)


C = "void gemv(const float *W) {\n}\n"


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("Just use more threads.", "prose"),
        (f"```python\n{C}```", "language"),
        ("```c\nint half;\n```", "fragment"),
        (f"```c\n{C}```\nor\n```c\n{C}int more;\n```", "several"),
        (f"```c\n{C}", "cut_fence"),
    ],
)
def test_answers_in_words_are_classified(answer: str, kind: str) -> None:
    found = source_in(answer, "gemv")
    assert isinstance(found, Unusable)
    assert found.kind == kind
    assert found.reason


@pytest.mark.parametrize(
    "answer",
    [f"Here:\n```c\n{C}```", f"~~~C\n{C}~~~", f"```\r\n{C}```\r\nDone.", f"```sh\nmake\n```\n```c\n{C}```",
     f"````c\n{C}````"],
)  # fmt: skip
def test_one_whole_source_is_found(answer: str) -> None:
    assert source_in(answer, "gemv") == Whole(C)
