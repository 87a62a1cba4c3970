"""How Sphinx builds these pages."""

import sys
from pathlib import Path

import readyroom

sys.path.insert(0, str(Path(__file__).parent))

project = "Ready Room"
author = "Ready Room contributors"
project_copyright = "2026, Ready Room contributors"
version = release = readyroom.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "payoffs",
    "provenance",
    "rulebook",
]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build", "claims", "example", "own-figures"]
default_role = "literal"
napoleon_use_ivar = True
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_use_type_comments = False
pygments_style = "friendly"

html_extra_path = ["planning"]
html_theme = "furo"
html_title = "Ready Room"
html_show_sphinx = False
html_copy_source = False
