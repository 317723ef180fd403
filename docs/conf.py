"""How Sphinx builds the manual: `make docs`. Every warning is an error, and nothing is fetched from the network."""

import atexit
import logging
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

from docutils import nodes
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment
from sphinx.errors import ExtensionError

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import savanna  # noqa: E402
import stand_ins  # noqa: E402

HOMES = stand_ins.install()

project = "savanna-core"
author = "the savanna-core contributors"
version = release = savanna.__version__

extensions = ["myst_nb", "sphinx.ext.autodoc", "sphinx.ext.autosummary"]
exclude_patterns = ["_build"]
nitpicky = True
nitpick_ignore_regex = [
    # Other libraries are named, but not linked to: that would need their inventories from the network.
    (
        r"py:.*",
        r"(collections|fractions|gymnasium|matplotlib|numpy|os|pathlib|pd|pettingzoo|pyspiel|random|starlette|types)\..*",
    ),
    # Docstrings put code of any kind between backticks. What looks like the name of a class has to be one.
    (r"py:obj", "AutoresetMode"),  # Gymnasium's
    (r"py:obj", r"(?s)(?![A-Z][a-z]+[A-Za-z]*$).*"),
]

# Notebooks have no output in the repository; they are run for every build, and an error in one is an error.
nb_execution_mode = "force"
nb_execution_show_tb = True  # of an error, which is a warning to Sphinx
nb_execution_timeout = 120
nb_merge_streams = True

# Notebooks are run with settings of their own, not with those of whoever builds the manual. That the kernel listens on
# this machine without encryption is no warning that concerns a manual.
_ipython = Path(tempfile.mkdtemp(prefix="savanna-docs-"))
atexit.register(shutil.rmtree, _ipython, ignore_errors=True)
(_ipython / "profile_default").mkdir()
(_ipython / "profile_default" / "ipython_kernel_config.py").write_text("get_config().IPKernelApp.log_level = 40\n")
os.environ["IPYTHONDIR"] = str(_ipython)
logging.getLogger("traitlets").setLevel(logging.WARNING)  # else it reports every notebook that it runs

myst_heading_anchors = 3

# Docstrings are written for readers of code: what stands between single backticks becomes a link where it names
# something, and code where it does not.
default_role = "py:obj"
autoclass_content = "class"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_default_options = {"members": True, "undoc-members": False}
python_maximum_signature_line_length = 88
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
html_title = f"savanna-core {release}"
html_copy_source = False
html_show_sphinx = False
html_show_copyright = False

# Pages that include a file of the repository's root: links between those files become links between pages.
PAGES = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}


def link_pages(app: Sphinx, relative_path: Path, parent_docname: str, content: list[str]) -> None:
    """Let links in an included file lead to the pages made of their targets."""
    for old, new in PAGES.items():
        content[0] = content[0].replace(f"]({old})", f"]({new})")
    content[0] = re.sub(r"\]\(docs/(\w+\.md)", r"](../\1", content[0])


def find_public_name(
    app: Sphinx, env: BuildEnvironment, node: pending_xref, contnode: nodes.TextElement
) -> nodes.Element | None:
    """Resolve a name that is public elsewhere than where it is used or defined, such as `View` in `savanna.envs`."""
    target = node["reftarget"]
    home = HOMES.get(target) or next((to for to in HOMES.values() if to.rpartition(".")[2] == target), None)
    if node.get("refdomain") != "py" or home is None:
        return None
    python = env.domains.python_domain
    return python.resolve_xref(env, node["refdoc"], app.builder, "obj", home, node, contnode)


def stay_offline(app: Sphinx, exception: Exception | None) -> None:
    """Refuse pages that a browser would complete from elsewhere: scripts, styles, fonts, pictures."""
    pages = sorted(app.outdir.rglob("*.html"))
    fetched = re.compile(r"<(?:script|img|iframe)[^>]* src=\"(?:https?:)?//|<link[^>]* href=\"(?:https?:)?//")
    found = [page.name for page in pages if fetched.search(page.read_text(encoding="utf-8"))]
    if exception is None and (found or not pages):
        raise ExtensionError(f"pages that need the network: {found}, of {len(pages)}")


def setup(app: Sphinx) -> None:
    """Connect what is said above."""
    app.connect("include-read", link_pages)
    app.connect("missing-reference", find_public_name)
    app.connect("build-finished", stay_offline)
