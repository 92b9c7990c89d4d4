"""`export`: a head with its evidence, as a folder that stands alone."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from app.commands.options import CampaignId, Home, Json, campaign_of, open_store, print_json
from app.home import workspace_folder
from app.settings import UsageError


def register(app: typer.Typer) -> None:
    app.command("export")(export)


def export(
    kernel: Annotated[str, typer.Argument(help="kernel, or pack/kernel")],
    out: Annotated[Path | None, typer.Option(help="folder; else ./export/PACK-KERNEL")] = None,
    campaign: CampaignId = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Write the head of a kernel with flags, stand-alone header, measuring script and evidence."""
    from kernels.packs.loader import baseline, load_pack
    from kernels.targets.cpu_c.export import export_kernel
    from kernels.targets.cpu_c.target import BASE_FLAGS
    from store import campaigns, designs

    with open_store(home) as store:
        number = campaign_of(store, campaign)
        row = store.read_sync(lambda s: campaigns.get(s, number))
        pack = load_pack(str(row.options.get("pack", row.pack)), workspace_folder())
        name = kernel.rpartition("/")[2]
        try:
            spec = pack.kernel(name)
        except ValueError as error:
            raise UsageError(str(error)) from error
        head_id = store.read_sync(lambda s: designs.head(s, number, name))
        first = baseline(spec)
        head = store.read_sync(lambda s: designs.get_candidate(s, head_id)) if head_id is not None else first
        evidence = store.read_sync(lambda s: _evidence(s, number, name))
    folder = out or Path("export") / f"{pack.name}-{name}"
    try:
        files = export_kernel(spec, first, head, BASE_FLAGS, folder)
    except FileExistsError as error:
        raise UsageError(f"{folder} is there and not empty; name another folder with --out") from error
    proof = folder / "evidence.json"
    proof.write_text(json.dumps(evidence, indent=2, default=str), encoding="utf-8")
    if as_json:
        print_json({"folder": str(folder), "files": [f.name for f in (*files, proof)], "head_id": head.id})
    else:
        typer.echo(f"{folder}: {len(files) + 1} files; run {folder}/reproduce.sh to measure it again")


def _evidence(s: Any, number: int, kernel: str) -> dict[str, Any]:
    """Summary of the kernel, its filings, and the lineage of the head with gates and tests."""
    from dataclasses import asdict

    from store import reads

    view = next(k for k in reads.kernels(s, number) if k.name == kernel)
    tree = [n for n in reads.tree(s, number, kernel) if n.on_head_path]
    return {
        "campaign": asdict(reads.campaign_view(s, number)),
        "kernel": asdict(view),
        "filings": [asdict(f) for f in reads.filings(s, number) if f.kernel == kernel],
        "lineage": [asdict(reads.node_detail(s, n.id)) for n in tree],
    }
