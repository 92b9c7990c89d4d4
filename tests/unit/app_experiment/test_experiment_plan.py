"""An experiment's file: arms in words become settings, mistakes are named, its plan is found again."""

from pathlib import Path
from typing import Any

import pytest

from app import cli
from app.experiment import differences, inert
from app.experiment.arms import settings_of
from app.experiment.order import Place, upcoming
from app.experiment.plan import read
from app.settings import UsageError
from kernels.packs.loader import SHIPPED, load_pack

HEAD = 'pack = "axpy_gemv"\ntrajectories = 3\n'
SHIPPED_FILE = SHIPPED / "axpy_gemv" / "ablation.toml"


def file(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path


@pytest.mark.parametrize(
    ("said", "settings"),
    [
        ({"agents": 2}, {"workers": 2}),
        ({"plateau": False}, {"plateau_draft": 0}),
        ({"plateau": True}, {"plateau_draft": 12}),
        ({"plateau": 5}, {"plateau_draft": 5}),
        ({"static_gate": False}, {"static_gate": "record"}),
        ({"static_gate": "gain"}, {"static_gate": "gain"}),
        ({"memory": "none"}, {"memory": False}),
        ({"memory": "private"}, {"memory": True, "memory_shared": False}),
        (
            {"memory": "bounded 4"},
            {"memory": True, "memory_shared": True, "memory_retention": "bounded", "memory_wins": 4, "memory_traps": 4},
        ),
        ({"memory": "unbounded"}, {"memory": True, "memory_shared": True, "memory_retention": "unbounded"}),
        (
            {"rule": "paper", "races": False, "trace_gate": False},
            {"rule": "paper", "races": False, "trace_gate": False},
        ),
    ],
)
def test_words_of_an_arm(said: dict[str, Any], settings: dict[str, Any]) -> None:
    assert settings_of(said) == settings


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (HEAD + '[[arm]]\nname = "a"\n', "budget"),
        (HEAD + "[budget]\npositions = 8\nminutes = 5\n[[arm]]\nname = 'a'\n", "exactly one of positions"),
        (HEAD + "[budget]\npositions = 0\n[[arm]]\nname = 'a'\n", "above 0"),
        (HEAD + "[budget]\npositions = 8\n[[arm]]\nname = 'a'\n[[arm]]\nname = 'a'\n", "a name of its own"),
        (HEAD + "[budget]\npositions = 8\n[[arm]]\nname = 'a'\nraces = 'perhaps'\n", "arm 'a': setting races"),
        (HEAD + "[budget]\npositions = 8\n[[arm]]\nname = 'a'\nspeed = 3\n", "speed is no setting"),
        (HEAD + "[budget]\npositions = 8\n[[arm]]\nname = 'a'\npack = 'other'\n", "pack is the same for all arms"),
        (HEAD + "[budget]\npositions = 8\n[[arm]]\nname = 'a'\nmemory = 'some'\n", "memory is none, private"),
        (HEAD + "[budget]\npositions = 8\n[[arm]]\nname = 'a'\nmemory = 'bounded many'\n", "found 'many'"),
        (HEAD + "[budget]\npositions = 0.5\n[[arm]]\nname = 'a'\n", "toml: budget: positions are whole; found 0.5"),
        (HEAD + "[budget]\npositions = inf\n[[arm]]\nname = 'a'\n", "budget.positions: must be a finite number"),
        (HEAD + "[budget]\nminutes = inf\n[[arm]]\nname = 'a'\n", "budget.minutes: must be a finite number"),
        (HEAD + "[budget]\nminutes = true\n[[arm]]\nname = 'a'\n", "budget.minutes: must be a valid number"),
        (HEAD + "[budget]\nusd = 5\n[[arm]]\nname = 'a'\n", "arm 'a' asks no model.*would never end"),
        (HEAD + "[budget]\nusd = 5\n[[arm]]\nname = 'a'\nbrain = 'anthropic'\nusd = 1\n", "usd is the same for all"),
        (HEAD + "[budget]\npositions = 8\n[arm]\nname = 'a'\n", r"arm: must be a list; .* \[\[arm\]\]"),
        (HEAD + "[budget]\npositions = 8\n", r"arm: it is missing; .* \[\[arm\]\]"),
        (HEAD + "colour = 1\n[budget]\npositions = 8\n[[arm]]\nname = 'a'\n", "colour"),
        ("arms = [", "not valid TOML"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(UsageError, match=why):
        read(file(tmp_path, text), tmp_path)


def test_a_file_that_is_not_there_names_an_example(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"No such file.*ablation\.toml"):
        read(tmp_path / "none.toml", tmp_path)


def test_the_example_that_ships_is_read_and_decides_nothing_of_its_pack(tmp_path: Path) -> None:
    plan = read(SHIPPED_FILE, tmp_path)
    assert [arm.name for arm in plan.arms] == ["Single", "Multi-bounded", "Multi-unbounded"]
    assert (plan.name, plan.trajectories, plan.budget.amount) == ("ablation", 5, 100)
    assert [len(k.name) > 0 for k in load_pack(plan.control.settings.pack).kernels] == [True, True]
    from kernels.packs.loader import deciding_files

    assert SHIPPED_FILE.name not in {f.name for f in deciding_files(SHIPPED / "axpy_gemv", ["axpy", "gemv"])}


def test_every_part_is_left_out_once(tmp_path: Path) -> None:
    plan = read(SHIPPED / "gemma_decode" / "leave_one_out.toml", tmp_path)
    left_out = [inert.changes(plan.control.settings, arm.settings) for arm in plan.arms[1:]]
    assert left_out == [
        {"knowledge": False}, {"static_gate": "record"}, {"races": False}, {"memory": False}, {"plateau_draft": 0},
        {"rule": "paper"},
    ]  # fmt: skip
    assert {arm.settings.minutes for arm in plan.arms} == {5.0}


def test_the_command_line_overrides_the_file(tmp_path: Path) -> None:
    plan = read(SHIPPED_FILE, tmp_path, positions=8, trajectories=2)
    assert (plan.budget.kind, plan.budget.amount, plan.trajectories) == ("positions", 8, 2)
    assert {arm.settings.candidates for arm in plan.arms} == {8}
    assert plan.digest != read(SHIPPED_FILE, tmp_path).digest
    assert plan.digest == read(SHIPPED_FILE, tmp_path, positions=8, trajectories=2).digest


def test_where_two_plans_differ(tmp_path: Path) -> None:
    was = read(SHIPPED_FILE, tmp_path).to_json()
    assert differences.told(was, was) == ""
    now = read(SHIPPED_FILE, tmp_path, positions=8).to_json()
    assert "budget.positions 100.0 is 8.0 now" in differences.told(was, now)
    assert "arms.Single.settings.candidates 100 is 8 now" in differences.told(was, now)
    now = {**was, "arms": was["arms"][:2]}
    assert differences.told(was, now) == "arms.Multi-unbounded something is nothing now"


def test_trajectories_are_alike_but_for_their_arm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERNELWRIGHT_MINUTES", "3")
    monkeypatch.setenv("KERNELWRIGHT_CANDIDATES", "7")
    arms = '[[arm]]\nname = "a"\n[[arm]]\nname = "b"\nagents = 1\n'
    text = f"{HEAD}[budget]\ndevice_seconds = 90\n[settings]\nworkers = 4\n{arms}"
    plan = read(file(tmp_path, text), tmp_path)
    a, b = (arm.settings for arm in plan.arms)
    assert (a.minutes, a.candidates, a.device_seconds, a.isolated, a.workers) == (0.0, 0, 90.0, True, 4)
    assert b == a.model_copy(update={"workers": 1})


def test_a_budget_of_dollars_ends_a_trajectory(tmp_path: Path) -> None:
    plan = read(file(tmp_path, HEAD + '[budget]\nusd = 2.5\n[[arm]]\nname = "a"\nbrain = "anthropic"\n'), tmp_path)
    assert (plan.control.settings.usd, plan.control.settings.at_limit) == (2.5, "stop")


def test_one_trajectory_of_every_arm_a_round() -> None:
    places = [Place(10 * a + n, arm, n, False, False) for a, arm in enumerate("xyz") for n in range(4)]
    taken: list[tuple[str, int]] = []
    while (one := upcoming(places, seed=3)) is not None:
        taken.append((one.arm, one.number))
        places[places.index(one)] = Place(one.id, one.arm, one.number, True, True)
    rounds = [taken[i : i + 3] for i in range(0, 12, 3)]
    assert [{number for _, number in r} for r in rounds] == [{0}, {1}, {2}, {3}]
    assert [sorted(arm for arm, _ in r) for r in rounds] == [["x", "y", "z"]] * 4
    assert len({tuple(arm for arm, _ in r) for r in rounds}) > 1


def test_what_was_cut_off_goes_on_first() -> None:
    places = [Place(1, "x", 0, True, True), Place(2, "x", 1, False, False), Place(3, "y", 0, True, False)]
    found = upcoming(places, seed=1)
    assert found is not None
    assert found.id == 3


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere.toml"], "No such file"),
        (["--replay"], "no campaign yet"),
        ([], "no campaign yet"),
        (["x.toml", "--replay"], "leave out the file"),
        (["x.toml", "--positions", "0"], "--positions"),
        (["--plan"], "--plan: only with the FILE"),
        (["--replay", "--positions", "8", "--new"], "--positions, --new: only with the FILE"),
        (["x.toml", "--campaign", "3"], "--campaign: only with --replay"),
    ],
)
def test_a_mistake_on_the_command_line_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    assert cli.run(["experiment", *words, "--home", str(tmp_path / "home")]) == 2
    assert said in capsys.readouterr().err
