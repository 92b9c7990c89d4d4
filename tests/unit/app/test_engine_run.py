"""The summary is printed whenever there is a campaign; what it ended with decides the exit code."""

import json
from collections.abc import Callable

import pytest

from app.cli import run
from app.engine_run import run_here
from app.launch import words
from app.settings import MissingError
from kernels.device.client import DeviceUnhealthy
from store import campaigns
from store.engine import Store
from tests.unit.app.starting import Place


def use_run(monkeypatch: pytest.MonkeyPatch, place: Place, end: BaseException | None) -> None:
    def scripted(job: object, on_ready: Callable[[int], None]) -> int:
        number = place.begin(pack="axpy_gemv").id
        on_ready(number)
        if end is not None:
            raise end
        return number

    monkeypatch.setattr("app.engine_run.run_blocking", scripted)


@pytest.mark.parametrize(
    ("end", "raised"), [(DeviceUnhealthy("it is gone"), MissingError), (KeyboardInterrupt(), KeyboardInterrupt)]
)
def test_an_error_comes_after_the_summary(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], end: BaseException,
    raised: type[BaseException],
) -> None:  # fmt: skip
    use_run(monkeypatch, place, end)
    with pytest.raises(raised):
        run_here(place.job(), display="none", as_json=True)
    assert json.loads(capsys.readouterr().out)["pack"] == "axpy_gemv"


def test_a_clean_end_is_0_with_the_summary(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    use_run(monkeypatch, place, None)
    assert run_here(place.job(), display="none", as_json=True) == 0
    assert json.loads(capsys.readouterr().out)["campaign"] == 1


def test_the_display_json_is_an_object_a_line_the_summary_last(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def scripted(job: object, on_ready: Callable[[int], None]) -> int:
        number = place.begin(pack="axpy_gemv").id
        with Store.open(place.home) as store:
            store.write_sync(lambda s: campaigns.finish(s, number, "minutes"))
        on_ready(number)
        return number

    monkeypatch.setattr("app.engine_run.run_blocking", scripted)
    assert run_here(place.job(), display="json", as_json=False) == 0
    *events, summary = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert events and all({"id", "at", "kind", "subject", "text", "data"} == event.keys() for event in events)
    assert (summary["kind"], summary["stopped_because"]) == ("summary", "minutes")


def test_exit_codes_of_the_command(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked = ["run", "--headless", "--home", str(place.home)]
    monkeypatch.chdir(place.workspace)
    use_run(monkeypatch, place, DeviceUnhealthy("it is gone"))
    assert run([*asked, "--json"]) == 3
    printed = capsys.readouterr()
    assert json.loads(printed.out)["campaign"] == 1
    assert "it is gone" in printed.err
    monkeypatch.undo()
    assert run([*asked, "--forever", "--minutes", "3"]) == 2


def test_a_refused_resume_is_a_usage_error(
    place: Place, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place.judge_one(place.begin(pack="axpy_gemv").id)
    place.edit_pack()
    monkeypatch.chdir(place.workspace)
    assert run(["run", "--headless", "--home", str(place.home)]) == 2
    assert "pack files of axpy_gemv changed" in capsys.readouterr().err


def test_the_engine_is_asked_for_what_was_given_and_no_more() -> None:
    assert words({}, new=False, first_minutes=30.0) == ["--first-minutes", "30.0"]
    assert words({"pack": "p", "kernels": ("a", "b"), "minutes": 0.0}, new=True, first_minutes=0.0) == [
        "--pack", "p", "--kernel", "a", "--kernel", "b", "--minutes", "0.0", "--new",
    ]  # fmt: skip
