"""What models are told, as templates. A name that a template wants and nobody gives is an error."""

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment

FOLDER = Path(__file__).parent


def render(name: str, **values: object) -> str:
    """The text of `name`.md with these values."""
    return _environment().get_template(f"{name}.md").render(**values)


@cache
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(FOLDER), undefined=StrictUndefined, autoescape=False, keep_trailing_newline=True
    )
