"""Build hook: the wheel must include the browser files, so that it works without npm."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

MISSING = (
    "Browser files are incomplete: {} missing in src/readyroom/web/static/vendor. "
    "`make wheel` fetches these files from npm and builds the package."
)


class BrowserFilesHook(BuildHookInterface[Any]):
    """Copies the browser files if npm has installed them; the build fails without them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Prepare a build; an editable install may lack the browser files."""
        if version == "editable":
            return
        parts = runpy.run_path(str(Path(self.root) / "browser" / "copy.py"))
        if parts["FROM"].is_dir():
            parts["main"]()
        missing = [name for name in parts["expected_files"]() if not (parts["TO"] / name).is_file()]
        if missing:
            are = "is" if len(missing) == 1 else "are"
            self.app.abort(MISSING.format(f"{', '.join(missing)} {are}"))
