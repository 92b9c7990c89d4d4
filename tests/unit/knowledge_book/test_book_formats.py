"""Every format becomes the same sections: headings, anchors, blocks, tables; what is no text is listed."""

import json

import pytest

from knowledge.book.html import read_html
from knowledge.book.markdown import plain, read_markdown
from knowledge.book.notebook import read_notebook
from knowledge.book.plain_text import read_text
from knowledge.book.rst import read_rst
from knowledge.book.values import Document

MARKDOWN = """Before any heading.

# Memory

A bank holds `ROW` [rows](rows.md#at-64).

| Unit | Count |
|------|-------|
| Banks | 16 / slice |

> [!NOTE]
> Banks must not be shared.

## Memory

- at most 8 slices
  in a cluster

```rust
{{#include ../bank.rs}}
```

![picture of a bank](bank.png)
<!-- a comment -->
<table><tr><th>Port</th><th>Width</th></tr><tr><td>read</td><td>32 B</td></tr></table>

```mermaid
graph TD; A-->B
```
"""
RST = """
Memory
======

A bank holds ``ROW`` rows; see :ref:`the rows <rows>`.

.. note:: Banks must not be shared.

.. toctree::

   other

.. list-table::
   :header-rows: 1

   * - Unit
     - Count
   * - Banks
     - 16 / slice

Limits
------

.. image:: bank.png

.. autokernel:: bank
   :members: 64

.. include:: /etc/hostname

.. versionchanged:: 2.0
   At most 8 slices.

====  =====
Port  Width
====  =====
read  32 B
====  =====
"""
HTML = """<html><head><title>x</title><style>p {width: 64}</style></head><body><nav>Menu 7</nav><main>
<section id="mem"><h1>Memory<a class="headerlink" href="#mem">#</a></h1>
<p>A bank holds <code>ROW</code> rows.</p><script>alert(64)</script><!-- 99 -->
<table><tr><th>Unit</th><th>Count</th></tr><tr><td>Banks</td><td>16 / slice</td></tr></table>
<h2>Limits</h2>Loose text, <b>bold</b>.<ul><li>at most <i>8</i> slices</li></ul><img src="bank.png" alt="bank">
<pre>code</pre></section></main><footer>bottom 5</footer></body></html>"""
TEXT = """MEMORY

A bank holds 4 rows.
Banks must not
be shared.

1.2 Limits

- at most 8 slices
- up to 16
  rows

Ports
-----
A port is 32 bytes wide.
"""


def blocks(document: Document) -> list[tuple[str, str, str]]:
    return [(section.anchor, block.kind, block.plain) for section in document.sections for block in section.blocks]


def unread(document: Document) -> list[tuple[str, str]]:
    return [(one.anchor, one.kind) for one in document.unread]


def test_markdown() -> None:
    document = read_markdown(MARKDOWN)
    assert blocks(document) == [
        ("top", "paragraph", "Before any heading."),
        ("memory", "paragraph", "A bank holds `ROW` rows."),
        ("memory", "header", "Unit | Count"),
        ("memory", "row", "Banks | 16 / slice"),
        ("memory", "quote", "Banks must not be shared."),
        ("memory-1", "item", "at most 8 slices in a cluster"),
        ("memory-1", "code", "{{#include ../bank.rs}}\n"),
        ("memory-1", "paragraph", ""),
        ("memory-1", "header", "Port | Width"),
        ("memory-1", "row", "read | 32 B"),
        ("memory-1", "code", "graph TD; A-->B\n"),
    ]
    assert unread(document) == [("memory-1", "include"), ("memory-1", "image"), ("memory-1", "diagram")]
    section = document.sections[2]
    assert (section.title, section.headings) == ("Memory", ("Memory", "Memory"))
    assert "| Banks | 16 / slice |" in document.sections[1].text


def test_a_heading_may_name_its_anchor() -> None:
    (section,) = read_markdown("# Big `Memory` {#mem}\n").sections
    assert (section.anchor, section.title) == ("mem", "Big `Memory`")


def test_markdown_as_a_reader_sees_it() -> None:
    assert plain("The `a.b` of [the *Engine*](../x-64.md#y) is **wide**\n![p](p.png)<br>") == (
        "The `a.b` of the Engine is wide"
    )


def test_restructured_text() -> None:
    document = read_rst(RST)
    assert blocks(document) == [
        ("memory", "paragraph", "A bank holds `ROW` rows; see `the rows`."),
        ("memory", "quote", "Banks must not be shared."),
        ("memory", "header", "Unit | Count"),
        ("memory", "row", "Banks | 16 / slice"),
        ("limits", "paragraph", "At most 8 slices."),
        ("limits", "header", "Port | Width"),
        ("limits", "row", "read | 32 B"),
    ]
    assert unread(document) == [("limits", "image"), ("limits", "directive"), ("limits", "directive")]
    assert [one.reason for one in document.unread[1:]] == [
        'Unknown directive type "autokernel".', '"include" directive disabled.',
    ]  # fmt: skip
    assert document.sections[1].blocks[2].header == ("Port", "Width")


def test_html() -> None:
    document = read_html(HTML)
    assert blocks(document) == [
        ("mem", "paragraph", "A bank holds ROW rows."),
        ("mem", "header", "Unit | Count"),
        ("mem", "row", "Banks | 16 / slice"),
        ("limits", "paragraph", "Loose text, bold."),
        ("limits", "item", "at most 8 slices"),
        ("limits", "code", "code"),
    ]
    assert unread(document) == [("limits", "image")]
    text = " ".join(section.text for section in document.sections)
    assert not any(word in text for word in ("Menu", "alert", "99", "bottom", "width"))


def test_plain_text() -> None:
    assert blocks(read_text(TEXT)) == [
        ("memory", "paragraph", "A bank holds 4 rows. Banks must not be shared."),
        ("12-limits", "item", "at most 8 slices"),
        ("12-limits", "item", "up to 16 rows"),
        ("ports", "paragraph", "A port is 32 bytes wide."),
    ]


def test_notebook_outputs_are_no_documentation() -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Memory\n", "\n", "A bank must hold 4 rows."]},
        {"cell_type": "code", "source": "x = 64", "outputs": [{"text": ["The limit is 99 rows."]}]},
    ]
    document = read_notebook(json.dumps({"cells": cells}))
    assert blocks(document) == [("memory", "paragraph", "A bank must hold 4 rows.")]
    assert [one.kind for one in document.unread] == ["code", "output"]
    with pytest.raises(ValueError, match="no cells"):
        read_notebook("{}")


def test_hash_of_a_section_ignores_white_space_only() -> None:
    one, two, other = (read_markdown(text).sections[0] for text in ("# A\n\nb c\n", "# A\n\n\nb\nc\n", "# A\n\nb d\n"))
    assert one.sha256 == two.sha256 != other.sha256
