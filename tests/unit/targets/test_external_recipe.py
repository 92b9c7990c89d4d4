"""Target files: what they may say, what is refused and how, how values are read and words filled."""

from pathlib import Path

import pytest
from pydantic import ValidationError

from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import TargetError
from kernels.targets.external.clock import device_ns
from kernels.targets.external.finder import in_folder
from kernels.targets.external.reader import Misread, Reader, Unreadable
from kernels.targets.external.recipe import read_recipe
from kernels.targets.external.tables import Launches, Time
from kernels.targets.external.words import UnknownField, check, filled
from kernels.targets.plugin import Plugin, Unusable
from kernels.targets.registry import get_target, plugin
from tests.unit.targets.external_kit import TOY, recipe


def test_a_word_is_filled_and_never_split() -> None:
    values = {"src": "/a b/c", "flags": ["-O2", "-DX=$(rm)"], "out": "/o"}
    assert filled(["{src}/k.c", "{flags}", "-o{out}", "{{x}}"], values) == [
        "/a b/c/k.c", "-O2", "-DX=$(rm)", "-o/o", "{x}",
    ]  # fmt: skip


@pytest.mark.parametrize(("word", "said"), [("{sorce}", "no field 'sorce'"), ("{src", "brace")])
def test_a_wrong_field_is_named(word: str, said: str) -> None:
    with pytest.raises(UnknownField, match=said):
        check([word], ["src"])


def test_a_value_is_read_by_json_path_or_by_a_named_group() -> None:
    assert Reader(json_path="$.runs[*].ns").numbers('{"runs": [{"ns": 3}, {"ns": 4}]}') == [3, 4]
    text = "==> qkv\n    cycles=91818\n    cycles=100557\n"
    assert Reader(regex=r"^\s+cycles=(?P<cycles>\d+)$").numbers(text) == [91818, 100557]
    with pytest.raises(Unreadable, match="nothing there matches"):
        Reader(regex=r"time=(?P<ns>\d+)").numbers(text)
    with pytest.raises(Unreadable, match="no JSON"):
        Reader(json_path="$.ns").numbers(text)


@pytest.mark.parametrize(
    "raw", [{}, {"json_path": "$.a", "regex": "(?P<a>.)"}, {"regex": "a("}, {"regex": "a"}, {"json_path": "$.a["}]
)
def test_a_reader_that_cannot_read_is_refused(raw: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        Reader.model_validate(raw)


def test_the_first_launches_never_count() -> None:
    how = Time(reader=Reader(json_path="$[*]"), unit="cycles", clock_ghz=2.0, of="median")
    assert device_ns(how, Launches(timed=3), "[999999, 10, 30, 20]") == 10
    assert device_ns(how.model_copy(update={"of": "maximum"}), Launches(timed=2), "[999999, 10, 30]") == 15


def test_a_launch_of_several_parts_takes_as_long_as_the_slowest() -> None:
    how = Time(reader=Reader(json_path="$[*]"), parts=2, of="minimum")
    assert device_ns(how, Launches(timed=2), "[900, 1, 20, 30, 50, 40]") == 30


@pytest.mark.parametrize("text", ["[10]", "[10, 10, 20]", "[10, 10, 20, 20]"])
def test_as_many_readings_as_launches_are_asked_for(text: str) -> None:
    """A second number of a launch, or one that is lost, would move the median."""
    with pytest.raises(RunnerFailed, match="readings in place of 2, for 2 launches"):
        device_ns(Time(reader=Reader(json_path="$[*]")), Launches(), text)


@pytest.mark.parametrize("found", ["NaN", "Infinity", "-Infinity", "-1", "0", '"1,5"', "1" + 400 * "0"])
def test_what_is_no_time_is_never_taken_for_one(found: str) -> None:
    how = Time(reader=Reader(json_path="$[*]"))
    with pytest.raises(Misread):
        device_ns(how, Launches(), f"[5, {found}]")
    assert device_ns(how, Launches(), "[0, 5]") == 5


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('title = "C by gcc at -O2, called by a command"', "", "title"),
        ("[run] ", "[rum] ", "rum"),
        ('trust = "device-timed"', 'trust = "referee-timed"', "goes without"),
        ('trust = "device-timed"', 'trust = "oracle"', "trust"),
        ('"{cc}", "--version"]\n\n[build]', '"{c}", "--version"]\n\n[build]', "no field 'c'"),
        ('unit = "ns"', 'unit = "cycles"', "clock_ghz"),
        ("title =", "titel =", "titel: no such key, perhaps title is meant; title: is missing"),
        ('command = ["{python}"', 'comand = ["{python}"', "run.comand: no such key, perhaps command is meant"),
        ('"{job}"', '"{jop}"', "run.command: word '{jop}': no field 'jop' here"),
        ('"{job}"', '"{job:d}"', "a field is a name alone"),
        ('"{flags}"', '"-D{flags}"', "must be a word by itself"),
        ('command = ["{cc}", "--version"]', 'command = "{cc} --version"', "must be a list"),
        ('command = ["{cc}", "--version"]', 'command = ["{cc}", "{job}"]', "versions.gcc.command: .*no field 'job'"),
        ('artefact = "kernel.so"', 'artefact = ""', "build.artefact: '' must be a relative path"),
        ("(?P<message>", "(?P<msg>", r"needs a named group \(\?P<message>"),
        ("errors = '^", "errors = '(", "build.errors: no regular expression"),
        ("calls = [3, 5]", "calls = [5, 3]", "calls = .5, 3.: the fewest"),
        ("timeout_s = 20", "timeout_s = inf", "run.timeout_s: "),
        ("timeout_s = 20", 'logs = ["/var/log/*"]', "run.logs.0: '/var/log/[*]' must be a relative path"),
        ('cc = "gcc"', 'cc = "gcc"\njob = "gcc"', "needs. job: this name stands for something else"),
        ('json_path = "$.ns[*]"', 'parser = "no.such:thing"', "time.reader: parser 'no.such:thing'"),
        ('json_path = "$.ns[*]"', 'regex = "(?P<ns>.)", file = "../times"', "stays in its folder"),
        ("[check] ", '[[signs]]\nregex = "x*"\nmeans = "busy"\n[check]', "signs.0.regex: .*empty output"),
        ("[check] ", '[[signs]]\nregex = "(("\nmeans = "busy"\n[check]', "signs.0.regex: no regular expression"),
        ("[check] ", '[profile]\ncommand = ["x"]\n[check]', "profile: give spans or parser"),
        ("title", "title = =", "Invalid|invalid"),
    ],
)
def test_a_mistake_in_a_file_is_named_and_hides_no_other_target(tmp_path: Path, old: str, new: str, said: str) -> None:
    folder = tmp_path / "targets"
    folder.mkdir()
    (folder / "good.toml").write_text(TOY.read_text())
    text = TOY.read_text()
    assert old in text
    (folder / "bad.toml").write_text(text.replace(old, new, 1))
    found = {one.name: one for one in in_folder(folder)}
    assert isinstance(found["good"], Plugin)
    bad = found["bad"]
    assert isinstance(bad, Unusable)
    assert "bad.toml" in bad.why
    with pytest.raises(TargetError, match=said):
        read_recipe(folder / "bad.toml")
    assert plugin("good", tmp_path).trust == "device-timed"


def test_a_file_of_the_workspace_is_a_target(tmp_path: Path) -> None:
    (tmp_path / "targets").mkdir()
    (tmp_path / "targets" / "mine.toml").write_text(TOY.read_text())
    found = get_target("mine", tmp_path / "cache", tmp_path)
    assert found.name == "mine"
    assert found.machine.model == "this host, one thread, device-timed"
    assert "12" in found.fingerprint.compiler_version or "gcc" in found.fingerprint.compiler_version


def test_another_way_to_run_is_another_toolchain_and_other_words_are_not(tmp_path: Path) -> None:
    (tmp_path / "targets").mkdir()
    file, text = tmp_path / "targets" / "mine.toml", TOY.read_text()

    def print_of(old: str, new: str) -> str:
        file.write_text(text.replace(old, new))
        return get_target("mine", tmp_path / "cache", tmp_path).fingerprint.id

    assert print_of("C by gcc", "Plain C by gcc") == print_of("", "")
    assert len({print_of("", ""), print_of('"-O2"', '"-O1"'), print_of("timed = 3", "timed = 5")}) == 3


def test_a_target_that_the_referee_times_needs_no_table_of_launches() -> None:
    found = recipe(trust="referee-timed", time=None, launches=None)
    assert found.launches == Launches(untimed=0, timed=1)


def test_a_program_that_is_not_here_is_named(tmp_path: Path) -> None:
    (tmp_path / "targets").mkdir()
    (tmp_path / "targets" / "mine.toml").write_text(TOY.read_text().replace('cc = "gcc"', 'cc = "furiosa-cc"'))
    with pytest.raises(TargetError, match="needs furiosa-cc: there is none on PATH"):
        get_target("mine", tmp_path / "cache", tmp_path)


def test_a_stand_in_says_so_in_the_name_of_its_device(tmp_path: Path) -> None:
    (tmp_path / "targets").mkdir()
    text = TOY.read_text().replace("[needs]", "stand_in = true\n[needs]", 1)
    (tmp_path / "targets" / "mine.toml").write_text(text)
    assert "(stand-in)" in get_target("mine", tmp_path / "cache", tmp_path).machine.model


def test_the_gaps_of_a_file_follow_from_what_it_leaves_out() -> None:
    assert recipe().schedule is None
    found = next(one for one in in_folder(TOY.parent) if one.name == "toy")
    assert isinstance(found, Plugin)
    assert {"schedule", "timeline", "sanitize"} <= set(found.gaps)
