"""`./run.sh`, `./run.sh run`, `./run.sh attach`: start or resume a campaign, with a screen or without."""

from pathlib import Path
from typing import Annotated, Any

import typer

from app.brains import brains_of
from app.commands.look import (
    ATTACH_DISPLAYS,
    RUN_DISPLAYS,
    Ascii,
    Color,
    Look,
    NoMouse,
    ReadOnly,
    Theme,
    Tmux,
    check,
    data_of,
    display_of,
    show,
)  # fmt: skip
from app.commands.options import Home, Json, confirm
from app.home import home_folder, workspace_folder
from app.launch import engine_is_alive
from app.settings import UsageError, load

FIRST_MINUTES = 30.0  # of a new campaign on the screen that nobody gave a limit; `+` extends it, --forever lifts it


def register(app: typer.Typer) -> None:
    app.callback(invoke_without_command=True)(bare)
    app.command("run")(run)
    app.command("attach")(attach)


def bare(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="print the version")] = False
) -> None:
    """Without a command: resume the last campaign or start one on the default pack, and open the screen."""
    if version:
        from app.version import VERSION

        typer.echo(f"kernelwright {VERSION}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        start({}, home=None, headless=False, display="", as_json=False, forever=False)


def run(
    pack: Annotated[str | None, typer.Option(help="pack by name or folder")] = None,
    target: Annotated[str | None, typer.Option(help="target, e.g. cpu-c")] = None,
    compiler: Annotated[
        str | None, typer.Option(help="name or path of the target's compiler; on a resume everything is re-checked")
    ] = None,
    brain: Annotated[
        str | None, typer.Option(help="offline, anthropic, openai, or with a model: anthropic:MODEL, openai:MODEL@URL")
    ] = None,
    role_brain: Annotated[
        list[str] | None,
        typer.Option(help="the model of one role, ROLE=BRAIN, e.g. strategist=anthropic; several times"),
    ] = None,
    kernel: Annotated[list[str] | None, typer.Option(help="only this kernel; may be given several times")] = None,
    minutes: Annotated[
        float | None, typer.Option(help="end after this wall time of the campaign, final ledger included")
    ] = None,
    candidates: Annotated[int | None, typer.Option(help="end after so many judged candidates")] = None,
    seed: Annotated[int | None, typer.Option(help="seed of every drawn decision")] = None,
    device: Annotated[
        list[str] | None, typer.Option(help="where kernels run: local, dask:tcp://HOST:8786; several times")
    ] = None,
    workers: Annotated[int | None, typer.Option(help="workers at once")] = None,
    usd: Annotated[float | None, typer.Option(help="dollars for models, what is open counted; 0 = no limit")] = None,
    tokens: Annotated[int | None, typer.Option(help="tokens of models, what is open counted; 0 = no limit")] = None,
    at_limit: Annotated[
        str | None,
        typer.Option(help="at that limit: offline (go on without a model) or stop (final ledger, then the end)"),
    ] = None,
    approve: Annotated[
        bool | None, typer.Option("--approve/--no-approve", help="ask a person before each promotion")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="spend that without asking")] = False,
    headless: Annotated[bool, typer.Option("--headless", help="no screen; the engine in the foreground")] = False,
    forever: Annotated[bool, typer.Option("--forever", help="no time limit")] = False,
    new: Annotated[bool, typer.Option("--new", help="a new campaign even when one can be resumed")] = False,
    display: Annotated[str, typer.Option(help="full, plain, json or none")] = "",
    theme: Theme = "",
    color: Color = "auto",
    ascii_only: Ascii = False,
    no_mouse: NoMouse = False,
    read_only: ReadOnly = False,
    tmux: Tmux = False,
    first_minutes: Annotated[float, typer.Option(hidden=True, help="limit of a new campaign without one")] = 0.0,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Start a campaign, or go on with the unfinished one; with --headless print its summary at the end."""
    flags: dict[str, Any] = {
        "pack": pack, "target": target, "compiler": compiler, "brain": brain, "kernels": tuple(kernel or ()) or None,
        "minutes": minutes, "candidates": candidates, "seed": seed, "workers": workers, "usd": usd,
        "devices": tuple(device or ()) or None,
        "tokens": tokens, "at_limit": at_limit, "approve": approve, "role_brains": brains_of(role_brain or ()),
    }  # fmt: skip
    given = {name: value for name, value in flags.items() if value is not None}
    look = Look(theme, color, ascii_only, not no_mouse, read_only, tmux)
    start(
        given, home=home, headless=headless, display=display, as_json=as_json, forever=forever, new=new, look=look,
        first_minutes=first_minutes, yes=yes,
    )  # fmt: skip


def start(
    flags: dict[str, Any],
    *,
    home: Path | None,
    headless: bool,
    display: str,
    as_json: bool,
    forever: bool,
    new: bool = False,
    look: "Look | None" = None,
    first_minutes: float = 0.0,
    yes: bool = False,
) -> None:
    if forever and "minutes" in flags:
        raise UsageError("--forever and --minutes contradict each other; give one of them")
    asked, display = display, display_of(display, RUN_DISPLAYS, headless=headless)
    _needs_screen(look or Look(), display)
    folder = home_folder(home)
    check(look or Look(), folder)
    flags = {**flags, "minutes": 0.0} if forever else flags
    settings = load(folder, flags)
    from app.brains import forecast

    confirm(forecast(settings), yes=yes or engine_is_alive(folder))
    if not asked and display == "plain" and engine_is_alive(folder):
        typer.echo(f"kernelwright: a campaign runs in {folder} already: this follows it, nothing was started", err=True)
        return _follow(folder, display, look or Look())
    if display != "full":
        from app.begin import Job
        from app.engine_run import run_here

        job = Job(settings, folder, workspace_folder(), flags, new, first_minutes)
        raise typer.Exit(run_here(job, display=display, as_json=as_json))
    from app.launch import ensure_engine

    launch = ensure_engine(folder, workspace_folder(), flags, new=new, first_minutes=FIRST_MINUTES, yes=True)
    raise typer.Exit(show(folder, launch, look or Look()))


def _follow(folder: Path, display: str, look: Look) -> None:
    from app.plain import follow

    with data_of(folder, None, look) as data:
        follow(data, as_json=display == "json", following=data == folder, read_only=look.read_only)


def _needs_screen(look: Look, display: str) -> None:
    if look.tmux and display != "full":
        raise UsageError(f"--tmux keeps a screen, and there is none with display {display}; leave one of them out")


def attach(
    home: Home = None,
    read_only: ReadOnly = False,
    display: Annotated[str, typer.Option(help="full, plain or json")] = "",
    theme: Theme = "",
    color: Color = "auto",
    ascii_only: Ascii = False,
    no_mouse: NoMouse = False,
    tmux: Tmux = False,
) -> None:
    """Open the screen of the campaign that runs in this home."""
    from store.engine import DATABASE

    look = Look(theme, color, ascii_only, not no_mouse, read_only, tmux)
    display = display_of(display, ATTACH_DISPLAYS)
    _needs_screen(look, display)
    folder = home_folder(home)
    check(look, folder)
    if not (folder / DATABASE).is_file():
        raise UsageError(f"nothing to attach to in {folder}; start a campaign with ./run.sh")
    if display == "full":
        raise typer.Exit(show(folder, None, look))
    _follow(folder, display, look)
