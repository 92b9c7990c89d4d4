"""From what gcc writes to the class of a failure and its place in the source."""

import json
from pathlib import Path

import pytest

from kernels.targets.cpu_c.diagnose import read_json
from kernels.targets.cpu_c.diagnose_sarif import read_sarif
from kernels.targets.cpu_c.target import CpuC
from kernels.targets.diagnosis import Edit, Place
from knowledge.rules.normal import normalised, slug


@pytest.mark.parametrize(
    ("message", "words"),
    [
        ("unknown type name 'uint32'; did you mean 'uint32_t'?", "unknown type name '_'"),
        ("unknown type name ‘half’", "unknown type name '_'"),
        ("invalid operands to binary % (have 'float' and 'int')", "invalid operands to binary % (have '_' and '_')"),
        ("(have 'a4' {aka '__vector(4) float'})", "(have '_')"),
        ("number of vector components 3 not a power of two", "number of vector components N not a power of two"),
        ("invalid use of 'restrict'", "invalid use of 'restrict'"),
        ("too few arguments to function '__builtin_prefetch'", "too few arguments to function '__builtin_prefetch'"),
        ('invalid suffix "f" on integer constant', 'invalid suffix "_" on integer constant'),
        ("#error this kernel needs AVX-512", "#error _"),
        ("'x' undeclared (first use in this function)", "'_' undeclared (first use in this function)"),
    ],
)
def test_equal_faults_have_equal_words(message: str, words: str) -> None:
    assert normalised(message) == words
    assert normalised(words) == words


def test_a_class_has_a_name_for_files() -> None:
    assert slug("invalid operands to binary % (have '_' and '_')") == "invalid_operands_to_binary_percent_have_and"
    assert slug("???") == "unnamed"


def entry(kind: str, message: str, file: str, line: int) -> dict[str, object]:
    return {"kind": kind, "message": message, "children": [], "locations": [{"caret": {"file": file, "line": line}}]}


def test_the_root_stands_before_what_follows_and_its_place_under_the_notes() -> None:
    notes = [entry("note", "called from here", "own.c", 7), *(entry("note", f"n{i}", "a.h", i) for i in range(60))]
    array = [
        entry("warning", "changes the ABI", "own.c", 2),
        entry("error", "inlining failed", "/usr/include/a.h", 900),
        *notes,
        entry("error", "then this", "own.c", 9),
    ]
    found = read_json(1, f"cc1: some words\n{json.dumps(array)}\n[]\nmore words")
    assert found.root is not None
    assert found.root.message == "inlining failed"
    assert found.root.place_in(["own.c"]) == Place("own.c", 7, 1)
    assert len(found.root.notes) == 61
    assert [d.message for d in found.errors] == ["inlining failed", "then this"]
    assert found.broken == ""


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[{"kind": "error", "message": "internal compiler error: Segmentation fault"}]', "internal compiler error"),
        ("cc1: out of memory allocating 65536 bytes", "out of memory"),
        ("gcc: cannot execute 'cc1'", "cannot execute"),
        ("", "failed without a diagnostic"),
    ],
)
def test_a_compiler_that_breaks_says_nothing_of_the_source(text: str, why: str) -> None:
    found = read_json(1, text)
    assert not found.ok
    assert found.broken == why


def test_the_real_compiler_is_asked(target: CpuC) -> None:
    found = target.diagnose({"k.c": '#include "kernelwright.h"\nvoid f(uint32 n) { (void)n; }'}, "k.c", ())
    assert found.root is not None
    assert found.root.place_in(["k.c"]) == Place("k.c", 2, 8)
    assert found.root.edits == (Edit("k.c", 2, 8, 14, "uint32_t"),)
    assert target.diagnose({"k.c": "void f(void) {}"}, "k.c", ()).ok


def test_a_name_that_leads_out_of_the_folder_is_not_written(target: CpuC, tmp_path: Path) -> None:
    place = tmp_path / "out.c"
    assert target.diagnose({str(place): "void f(void) {}"}, str(place), ()).broken != ""
    assert not place.exists()


def at(file: str, line: int, column: int, **more: object) -> dict[str, object]:
    region = {"startLine": line, "startColumn": column}
    return {"physicalLocation": {"artifactLocation": {"uri": file}, "region": region}, **more}


def test_sarif_says_the_same() -> None:
    """The form of gcc 13, shortened."""
    replacement = {
        "deletedRegion": {"startLine": 2, "startColumn": 8, "endColumn": 14},
        "insertedContent": {"text": "u"},
    }
    fix = {"artifactChanges": [{"artifactLocation": {"uri": "own.c"}, "replacements": [replacement]}]}
    results = [
        {"ruleId": "-Wpsabi", "level": "warning", "message": {"text": "the ABI"}, "locations": [at("own.c", 1, 1)]},
        {
            "ruleId": "error", "level": "error", "message": {"text": "unknown type name 'v'"}, "fixes": [fix],
            "locations": [at("file:///usr/include/a%20b.h", 9, 3)],
            "relatedLocations": [at("own.c", 2, 8, message={"text": "called from here"})],
        },
    ]  # fmt: skip
    log = {"$schema": "sarif-schema-2.1.0.json", "version": "2.1.0", "runs": [{"tool": {}, "results": results}]}
    found = read_sarif(1, f"{json.dumps(log)}\ncompilation terminated.\n")
    assert found.root is not None
    assert found.root.message == "unknown type name 'v'"
    assert found.root.places == (Place("/usr/include/a b.h", 9, 3), Place("own.c", 2, 8))
    assert found.root.notes == ("called from here",)
    assert found.root.edits == (Edit("own.c", 2, 8, 14, "u"),)
    assert [d.severity for d in found.diagnostics] == ["warning", "error"]
    assert read_sarif(1, "gcc: fatal: no such option").broken == "failed without a diagnostic"
    assert read_sarif(0, "").ok
