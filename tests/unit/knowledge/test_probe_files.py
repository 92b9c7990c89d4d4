"""Probe files: what ships, what a workspace brings, what is refused."""

from pathlib import Path

import pytest

from kernels.values.machine import Machine
from knowledge.probes.catalogue import definitions, lacking
from knowledge.probes.definition import ProbeError, read_definition
from knowledge.probes.lines import warm_count
from knowledge.probes.sizes import size_of

MACHINE = Machine("m", "x86_64", frozenset({"avx2"}), 2, l1_bytes=48 << 10, l2_bytes=1 << 20, llc_bytes=32 << 20)
FILE = 'title = "A fact of a test"\nunit = "ns"\nsource = "a.c"\n'


def written(folder: Path, text: str, *, source: bool = True) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    if source:
        (folder / "a.c").write_text("/* nothing */")
    path = folder / "mine.toml"
    path.write_text(text)
    return path


def test_at_least_twenty_facts_ship_for_cpu_c() -> None:
    shipped = definitions("cpu-c")
    assert len(shipped) >= 20
    assert len({one.title for one in shipped}) == len(shipped)
    assert all(one.unit and one.setup.source.is_file() and len(one.digest) == 16 for one in shipped)


def test_a_workspace_brings_facts_of_its_own_and_replaces_by_name(tmp_path: Path) -> None:
    written(tmp_path / "probes" / "cpu-c", FILE)
    (tmp_path / "probes" / "cpu-c" / "clock.toml").write_text(FILE.replace("test", "clock"))
    found = {one.name: one for one in definitions("cpu-c", tmp_path)}
    assert found["mine"].title == "A fact of a test"
    assert found["clock"].title == "A fact of a clock"


def test_another_target_has_its_own_folder(tmp_path: Path) -> None:
    written(tmp_path / "probes" / "toy", FILE)
    assert [one.name for one in definitions("toy", tmp_path)] == ["mine"]
    with pytest.raises(ProbeError, match="no probe files for this target"):
        definitions("other", tmp_path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("title = ", "not readable TOML"),
        (FILE.replace('unit = "ns"\n', ""), "unit"),
        (FILE + 'colour = "red"\n', "colour"),
        (FILE + 'fill = "water"\n', "fill"),
        (FILE + '[against]\nthread = "all"\n', "thread"),
        (FILE + '[sweep]\nkey = "bytes"\nvalues = ["1 l1"]\n', "values"),
    ],
)
def test_a_broken_file_is_named_with_its_fault(tmp_path: Path, text: str, words: str) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ProbeError, match=words) as caught:
        read_definition(path, "toy")
    assert str(path) in str(caught.value)


def test_a_source_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(ProbeError, match=r"a\.c"):
        read_definition(written(tmp_path, FILE, source=False), "toy")


def test_a_second_setup_and_a_sweep_change_only_what_they_name(tmp_path: Path) -> None:
    text = FILE + 'bytes = "2 l1"\nwork = "bytes"\n[defines]\nA = 1\n[against]\nthreads = "all"\n'
    found = read_definition(written(tmp_path, text + '[sweep]\nkey = "B"\nvalues = [3, 4]\n'), "toy")
    assert found.against is not None
    assert found.sweep is not None
    assert (found.setup.threads, found.against.threads) == ("one", "all")
    assert found.against.size == found.setup.size == "2 l1"
    assert found.setup.work is None
    assert [dict(s.defines) for _, s in found.sweep.points] == [{"A": "1", "B": "3"}, {"A": "1", "B": "4"}]


def test_the_digest_is_that_of_file_and_source(tmp_path: Path) -> None:
    before = read_definition(written(tmp_path, FILE), "toy").digest
    (tmp_path / "a.c").write_text("/* something else */")
    assert read_definition(tmp_path / "mine.toml", "toy").digest != before


@pytest.mark.parametrize(
    ("text", "size"),
    [("4096", 4096), ("64 KiB", 65536), ("0.5 l1", 24576), ("3 llc", 96 << 20), ("1", 4096), ("5000", 4096)],
)
def test_sizes(text: str, size: int) -> None:
    assert size_of(text, MACHINE) == size


def test_a_size_without_meaning_is_refused() -> None:
    with pytest.raises(ValueError, match="half a cache"):
        size_of("half a cache", MACHINE)


def test_what_a_processor_lacks_is_named() -> None:
    by_name = {one.name: one for one in definitions("cpu-c")}
    assert lacking(by_name["decode_vpermb"], MACHINE) == ("avx512vbmi",)
    assert lacking(by_name["clock"], MACHINE) == ()


def test_only_what_fits_into_the_caches_is_brought_there_first() -> None:
    by_name = {one.name: one.setup for one in definitions("cpu-c")}
    near, far = by_name["latency_l2"], by_name["latency_dram"]
    size = size_of(near.size, MACHINE)
    assert warm_count(near, size, MACHINE) == size // 64 // 8 + 1
    assert warm_count(far, size_of(far.size, MACHINE), MACHINE) == 0
    assert warm_count(by_name["read_l2"], size, MACHINE) == 0
