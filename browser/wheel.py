"""Sees that no package is built without what the browser needs: a wheel must serve its pages where there is no npm."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MISSING = (
    "The browser's table is not whole: {} missing under src/readyroom/web/static/vendor. "
    "`make wheel` fetches these files from npm and builds the package."
)


class WithThePages(BuildHookInterface[Any]):
    """Lays the browser's parts again where npm has brought them, and refuses to build without them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before a package is built; what is installed for work on the server itself may lack its pages."""
        if version == "editable":
            return
        parts = runpy.run_path(str(Path(self.root) / "browser" / "copy.py"))
        if parts["FROM"].is_dir():
            parts["main"]()
        missing = [name for name in parts["laid"]() if not (parts["TO"] / name).is_file()]
        if missing:
            are = "is" if len(missing) == 1 else "are"
            self.app.abort(MISSING.format(f"{', '.join(missing)} {are}"))
