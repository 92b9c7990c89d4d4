"""What a start resumes, what it keeps of it, and what it refuses to resume."""

from dataclasses import replace
from pathlib import Path

import pytest

from app.launch import words
from app.screens import overview_text
from app.settings import UsageError
from app.text import summary_text
from app.views import plain
from kernels.packs.loader import PackError
from store import campaigns, commands, reads, toolchain
from tests.unit.app.starting import Place


def test_a_resume_takes_the_campaign_s_own_kernels(place: Place) -> None:
    first = place.begin(pack="axpy_gemv", kernels=("gemv",))
    again = place.begin()
    assert again.id == first.id
    assert [k.name for k in again.kernels] == ["gemv"]
    assert place.begin(pack="axpy_gemv", kernels=("gemv",)).id == first.id


def test_other_kernels_than_the_campaign_s_are_a_usage_error(place: Place) -> None:
    place.begin(pack="axpy_gemv", kernels=("gemv",))
    with pytest.raises(UsageError, match=r"asked for kernels axpy.*has gemv.*--new"):
        place.begin(pack="axpy_gemv", kernels=("axpy",))
    assert place.begin(pack="axpy_gemv", kernels=("axpy",), new=True).id == 2


def test_a_kernel_that_the_pack_lacks_leaves_no_campaign(place: Place) -> None:
    with pytest.raises(UsageError, match="gemm"):
        place.begin(pack="axpy_gemv", kernels=("gemm",))
    with pytest.raises(PackError):
        place.begin(pack="nowhere")
    assert place.write(campaigns.latest) is None


def test_a_resume_keeps_the_budgets(place: Place) -> None:
    number = place.begin(pack="axpy_gemv", minutes=600.0, candidates=90).id
    place.begin(first_minutes=30.0)
    assert (place.row(number).minutes, place.row(number).candidates_budget) == (600.0, 90)
    place.begin(minutes=700.0)
    assert (place.row(number).minutes, place.row(number).candidates_budget) == (700.0, 90)


def test_forever_is_no_minutes_and_lifts_the_limit(place: Place) -> None:
    number = place.begin(pack="axpy_gemv", first_minutes=30.0).id
    assert place.row(number).minutes == 30.0
    assert place.begin(minutes=0.0, first_minutes=30.0).id == number
    assert place.row(number).minutes == 0.0


def test_the_environment_s_budgets_are_for_new_campaigns(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    number = place.begin(pack="axpy_gemv", minutes=600.0, workers=5).id
    monkeypatch.setenv("KERNELWRIGHT_MINUTES", "3")
    assert place.begin().settings.workers == 5
    assert place.row(number).minutes == 600.0
    fresh = place.begin(pack="axpy_gemv", new=True, first_minutes=30.0)
    assert place.row(fresh.id).minutes == 3.0


def test_a_bare_start_resumes_whatever_pack(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    first = place.begin(pack=str(place.pack))
    monkeypatch.chdir(place.home)
    elsewhere = Place(place.home, place.home, place.target)
    again = elsewhere.begin()
    assert (again.id, again.pack.folder) == (first.id, place.pack.resolve())


def test_a_named_pack_or_seed_is_resumed_only_where_it_fits(place: Place) -> None:
    first = place.begin(pack="axpy_gemv", seed=5)
    other = place.begin(pack="gemma_decode")
    assert other.id != first.id
    assert place.begin().id == other.id
    assert place.begin(pack="axpy_gemv", seed=5).id == first.id
    assert place.begin(pack="axpy_gemv", seed=6).id == other.id + 1


def test_changed_pack_files_are_refused_by_name(place: Place) -> None:
    number = place.begin(pack="axpy_gemv").id
    place.judge_one(number)
    place.edit_pack()
    (place.pack / "gemv" / "notes.toml").write_text("")
    with pytest.raises(UsageError, match=r"pack files of axpy_gemv changed \(.*--pack axpy_gemv --new") as refused:
        place.begin()
    named = str(refused.value).partition("changed (")[2].partition(")")[0].split(", ")
    assert "gemv/notes.toml added" in named
    assert all(name.endswith((" added", " changed")) for name in named)
    assert len(named) == 2
    assert place.row(number).state == "interrupted"


def test_a_changed_toolchain_is_taken_up_paused_and_to_be_checked_again(place: Place) -> None:
    number = place.begin(pack="axpy_gemv").id
    place.judge_one(number)
    place.target.fingerprint = replace(place.target.fingerprint, compiler_version="cc 2")
    again = place.begin()
    assert (again.id, again.paused) == (number, False)
    row, change = place.row(number), place.write(lambda s: toolchain.open_change(s, number))
    assert (row.state, row.fingerprint, row.toolchain) == ("paused", place.target.fingerprint.id, "cc 2, 2 threads")
    assert change.text == "cpu, cc 1, 2 threads is cpu, cc 2, 2 threads now"


def test_a_crash_in_a_re_check_is_a_start_that_goes_on_with_it(place: Place) -> None:
    number = place.begin(pack="axpy_gemv").id
    place.write(lambda s: campaigns.set_state(s, number, "paused"))
    place.target.fingerprint = replace(place.target.fingerprint, compiler_version="cc 2")
    first = place.begin()
    before = place.write(lambda s: toolchain.open_change(s, number))
    again = place.begin()
    assert (first.paused, again.paused) == (True, True)
    assert place.write(lambda s: toolchain.open_change(s, number)) == before


def test_a_trajectory_of_an_experiment_keeps_its_toolchain(place: Place) -> None:
    number = place.begin(pack="axpy_gemv", isolated=True).id
    place.judge_one(number)
    place.target.fingerprint = replace(place.target.fingerprint, compiler_version="cc 2")
    with pytest.raises(UsageError, match=r"toolchain changed \(cpu, cc 1, 2 threads is cpu, cc 2, 2 threads now\)"):
        place.begin()


def test_another_compiler_by_flag_stays_the_campaign_s_and_is_a_path_from_anywhere(place: Place) -> None:
    number = place.begin(pack="axpy_gemv", compiler="./cc").id
    assert Path(place.begin().settings.compiler).is_absolute()
    place.begin(compiler="clang")
    assert place.row(number).options["compiler"] == "clang"


def test_where_nothing_was_judged_a_change_starts_afresh(place: Place) -> None:
    number = place.begin(pack="axpy_gemv", kernels=("gemv",)).id
    place.edit_pack()
    again = place.begin()
    assert again.id == number + 1
    assert [k.name for k in again.kernels] == ["gemv"]
    assert place.row(number).state == "finished"
    assert place.row(again.id).pack_digest == again.pack.digest != place.row(number).pack_digest


def test_a_new_campaign_ends_what_nothing_could_go_on_with(place: Place) -> None:
    number = place.begin(pack="axpy_gemv").id
    place.judge_one(number)
    kept = place.begin(pack="axpy_gemv", new=True).id
    assert place.row(number).state == "interrupted"
    place.judge_one(kept, "axpy")
    place.edit_pack()
    place.begin(pack="axpy_gemv", new=True)
    assert place.row(kept).state == "finished"
    assert "pack files" in place.row(kept).stopped_because


@pytest.mark.parametrize(("state", "paused"), [("paused", True), ("pausing", True), ("running", False)])
def test_a_pause_is_restored(place: Place, state: str, paused: bool) -> None:
    number = place.begin(pack="axpy_gemv").id
    place.write(lambda s: campaigns.set_state(s, number, state))
    assert place.begin().paused is paused
    assert place.row(number).state == ("paused" if paused else "running")


@pytest.mark.parametrize("new", [True, False])
def test_commands_of_a_former_engine_are_closed(place: Place, new: bool) -> None:
    place.begin(pack="axpy_gemv")
    stop = place.write(lambda s: commands.enqueue(s, "me", "stop", "all"))
    place.begin(pack="axpy_gemv", new=new)
    row = place.write(lambda s: commands.get(s, stop))
    assert (row.state, row.result) == ("interrupted", "queued before this engine started")
    assert place.write(commands.take_next) is None


def test_a_changed_setting_is_told(place: Place) -> None:
    number = place.begin(pack="axpy_gemv").id
    place.begin(workers=2)
    (told,) = [e.text for e in place.write(lambda s: reads.events(s, number)) if e.text.startswith("changed")]
    assert told == "changed: workers 2"
    assert place.begin().settings.workers == 2


def test_a_kernel_that_its_baseline_judges_says_so_wherever_it_shows(place: Place) -> None:
    contract = place.pack / "axpy" / "kernel.toml"
    contract.write_text(contract.read_text().replace('entry = "axpy"', 'entry = "axpy"\nreference = "baseline"', 1))
    number = place.begin(pack="axpy_gemv").id
    views = place.write(lambda s: reads.kernels(s, number))
    words = "reference: the baseline itself at -O0"
    assert [v.reference for v in views] == ["the baseline itself at -O0", ""]
    assert [plain(line) for line in overview_text.remark_lines(views, 100)] == [f"axpy {words}"]
    summary = place.write(lambda s: reads.summary(s, number))
    assert f"axpy: {words}" in summary_text(summary)
    assert "gemv: reference" not in summary_text(summary)


def test_the_engine_s_command_line_says_what_a_person_gave() -> None:
    flags = {"minutes": 2.0, "at_limit": "stop", "approve": True, "kernels": ("gemv", "axpy")}
    line = words(flags, new=True, first_minutes=0.0)
    assert line == [
        "--minutes", "2.0", "--at-limit", "stop", "--approve", "--kernel", "gemv", "--kernel", "axpy", "--new"
    ]  # fmt: skip
    assert words({"approve": False}, new=False, first_minutes=30.0) == ["--first-minutes", "30.0", "--no-approve"]
