"""The plug-in of target `rngd`: the external target of `rngd.toml`."""

from pathlib import Path
from typing import Final

from kernels.targets.external.finder import plugin_of
from kernels.targets.external.recipe import read_recipe

NAME: Final = "rngd"
RECIPE: Final = Path(__file__).with_name("rngd.toml")


PLUGIN: Final = plugin_of(NAME, read_recipe(RECIPE), RECIPE, "built in")
