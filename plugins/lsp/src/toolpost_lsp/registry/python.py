"""Python: six type checkers, of which a project uses one, two servers that only navigate, and ruff beside any of them."""

from __future__ import annotations

from toolpost_lsp.server.definition import ServerDefinition

LANGUAGES = {".py": "python", ".pyi": "python", ".pyw": "python"}
MARKERS = (
    "pyproject.toml",
    "setup.py",
    "setup.cfg",
    "requirements*.txt",
    "Pipfile",
    "pyrightconfig.json",
    "ty.toml",
    "pyrefly.toml",
    "ruff.toml",
    ".ruff.toml",
    "mypy.ini",
    ".mypy.ini",
    "tox.ini",
    ".git",
)
_JEDI = "30 files that name it at most"
_FOUND = r"Found \d+ source file|No source files found"

PYRIGHT = ServerDefinition(
    id="pyright",
    languages=LANGUAGES,
    command=("pyright-langserver", "--stdio"),
    root_markers=MARKERS,
    chosen_by=("pyrightconfig.json", "pyproject.toml#tool.pyright"),
    priority=10,  # of all of them it alone refuses to rename what is built in
    settings={"python.analysis": {"diagnosticMode": "openFilesOnly"}},
    interpreter_setting="python.pythonPath",
    version_probe=None,
    install="npm install -g pyright",
    checkers=("pyright",),
    ready_log=_FOUND,
    reconfigures=1.0,
)
BASEDPYRIGHT = ServerDefinition(
    id="basedpyright",
    languages=LANGUAGES,
    command=("basedpyright-langserver", "--stdio"),
    root_markers=MARKERS,
    chosen_by=("pyproject.toml#tool.basedpyright",),
    priority=11,
    settings={"basedpyright.analysis": {"diagnosticMode": "openFilesOnly"}},
    interpreter_setting="python.pythonPath",
    version_probe=None,
    install="uv tool install basedpyright",
    checkers=("basedpyright",),
    ready_log=_FOUND,
    reconfigures=1.0,
)
TY = ServerDefinition(
    id="ty",
    languages=LANGUAGES,
    command=("ty", "server"),
    root_markers=MARKERS,
    chosen_by=("ty.toml", "pyproject.toml#tool.ty"),
    priority=12,
    install="uv tool install ty",
    checkers=("ty",),
)
PYREFLY = ServerDefinition(
    id="pyrefly",
    languages=LANGUAGES,
    # It indexes once a file is open, and would answer meanwhile as if there were no other files.
    command=("pyrefly", "lsp", "--indexing-mode", "lazy-blocking", "--workspace-indexing-limit", "50000"),
    root_markers=MARKERS,
    chosen_by=("pyrefly.toml", "pyproject.toml#tool.pyrefly"),
    priority=13,
    install="uv tool install pyrefly",
    checkers=("pyrefly",),
    runs_project_code=True,  # it asks the project's own interpreter for its paths
)
ZUBAN = ServerDefinition(
    id="zuban",
    languages=LANGUAGES,
    command=("zuban", "server"),
    root_markers=MARKERS,
    chosen_by=("pyproject.toml#tool.zuban",),
    priority=14,
    install="uv tool install zuban",
    checkers=("zuban",),
)
PYLSP = ServerDefinition(
    id="python-lsp-server",
    languages=LANGUAGES,
    command=("pylsp",),
    root_markers=MARKERS,
    priority=15,
    interpreter_setting="pylsp.plugins.jedi.environment",
    settle=0.25,
    own_text=True,
    reach=_JEDI,
    finds="what its linters find (pyflakes, if installed beside it)",
    install="uv tool install 'python-lsp-server[pyflakes]'",
)
JEDI = ServerDefinition(
    id="jedi-language-server",
    languages=LANGUAGES,
    command=("jedi-language-server",),
    root_markers=MARKERS,
    priority=16,
    own_text=True,
    reach=_JEDI,
    finds="syntax errors only",
    install="uv tool install jedi-language-server",
)
RUFF = ServerDefinition(
    id="ruff",
    languages={**LANGUAGES, ".ipynb": "python"},
    command=("ruff", "server"),
    root_markers=MARKERS,
    role="lint",
    install="uv tool install ruff",
    checkers=("ruff",),
)

DEFINITIONS = (PYRIGHT, BASEDPYRIGHT, TY, PYREFLY, ZUBAN, PYLSP, JEDI, RUFF)
