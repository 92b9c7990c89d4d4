"""`knowledge claims | sheet | verify`: what documentation says of a target, with the passages that say it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.check import PackName, TargetName
from app.commands.options import Home, Json, print_json
from app.home import home_folder, workspace_folder
from app.settings import UsageError

if TYPE_CHECKING:
    from store.engine import Store

STATES = ("supported", "partly", "unaudited", "stale", "dropped")


def register(knowledge: typer.Typer) -> None:
    for command in (claims, sheet, verify):
        knowledge.command(command.__name__)(command)


def claims(
    target: TargetName = None,
    state: Annotated[str, typer.Option(help=f"only this state: {', '.join(STATES)}")] = "",
    find: Annotated[str, typer.Option(help="only claims with these words")] = "",
    all_: Annotated[bool, typer.Option("--all", help="dropped ones too")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Statements drawn from books, each with its citations, script check, auditors and state."""
    from app.onboarding.claims_text import claims_json, claims_text
    from store import reads

    if state not in ("", *STATES):
        raise UsageError(f"--state {state}: there is no such state; known are {', '.join(STATES)}")
    with _store(home) as store:
        found = store.read_sync(lambda s: reads.book_claims(s, target))
    views = [
        view
        for view in found
        if (view.state == state if state else all_ or view.state != "dropped") and find.lower() in view.text.lower()
    ]
    if as_json:
        print_json(claims_json(views))
    else:
        typer.echo(claims_text(views))


def sheet(
    target: TargetName = None,
    kernel: Annotated[str, typer.Option(help="kernel, or pack/kernel: what is near to it comes first")] = "",
    role: Annotated[str, typer.Option(help="who reads it: worker, architect, strategist, owner, ...")] = "worker",
    size: Annotated[int, typer.Option(help="characters at most")] = 6000,
    pack: PackName = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """What an agent is told of a target, within a number of characters."""
    from app.onboarding.claims_text import entries, sheet_json
    from knowledge.cheatsheet import sheet as make
    from store import reads

    with _store(home) as store:
        found = store.read_sync(lambda s: reads.book_claims(s, target))
    targets = sorted({view.target for view in found})
    if target is None and len(targets) > 1:
        raise UsageError(f"knowledge sheet: books on {', '.join(targets)} are known; say which with --target")
    try:
        made = make(
            target or next(iter(targets), "-"), entries(found), role=role, topic=_topic(kernel, pack), size=size
        )
    except ValueError as error:
        raise UsageError(str(error)) from error
    if as_json:
        print_json(sheet_json(made, size))
    else:
        typer.echo(made.text)


def verify(
    target: TargetName = None,
    book: Annotated[Path | None, typer.Option(help="look every citation up in this folder too; keeps nothing")] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Check spans, numbers and identifiers of every live claim again; exit 1 when one no longer holds."""
    from app.onboarding.claims_text import verified_json, verified_text
    from app.onboarding.verifying import newest, verify

    with _store(home) as store:
        found = [verify(store, release, book) for release in newest(store, target)]
    if as_json:
        print_json(verified_json(found))
    else:
        typer.echo(verified_text(found))
    raise typer.Exit(0 if all(one.holds for one in found) else 1)


def _topic(kernel: str, pack: str | None) -> str:
    """The kernel's name, title, roles and dtypes, as words. Raises: UsageError when the pack has no such kernel."""
    if not kernel:
        return ""
    from kernels.packs.loader import load_pack

    of, _, name = kernel.rpartition("/")
    wanted = pack or of
    if not wanted:
        return name
    try:
        spec = load_pack(wanted, workspace_folder()).kernel(name)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return " ".join((name, spec.title, *(str(argument.dtype) for argument in spec.arguments)))


def _store(home: Path | None) -> "Store":
    """Raises: UsageError when no book was ever onboarded here."""
    from store import books
    from store.engine import DATABASE, Store

    folder = home_folder(home)
    unknown = UsageError(f"no book is known in {folder}: read one with ./run.sh onboard --book DIR")
    if not (folder / DATABASE).is_file():
        raise unknown
    store = Store.open(folder)
    if not store.read_sync(books.releases):
        store.close()
        raise unknown
    return store
