"""C, C++ and Zig."""

from __future__ import annotations

from toolpost_lsp.server.definition import ServerDefinition

_CPP = (".cc", ".cpp", ".cxx", ".c++", ".hh", ".hpp", ".hxx", ".h++", ".ipp", ".inl", ".ixx", ".cppm")

CLANGD = ServerDefinition(
    id="clangd",
    languages={
        ".c": "c",
        ".h": "cpp",
        **dict.fromkeys(_CPP, "cpp"),
        ".m": "objective-c",
        ".mm": "objective-cpp",
        ".cu": "cuda-cpp",
        ".cuh": "cuda-cpp",
    },
    # Renames of more than 50 files would be refused; the index goes into memory, not into the checkout.
    command=("clangd", "--background-index", "--rename-file-limit=0", "--log=error"),
    alternatives=tuple(
        (f"clangd-{version}", "--background-index", "--rename-file-limit=0", "--log=error")
        for version in range(22, 13, -1)
    ),
    root_markers=(
        "compile_commands.json",
        "compile_flags.txt",
        ".clangd",
        "build/compile_commands.json",
        "CMakeLists.txt",
        "meson.build",
        "configure.ac",
        "Makefile",
    ),
    workspace_markers=("compile_commands.json", "build/compile_commands.json"),
    install="uv tool install clangd",
    checkers=("clang-tidy",),
    rechecks_on_created=True,
    reads_disk=True,
    indexes=True,
)
ZLS = ServerDefinition(
    id="zls",
    languages={".zig": "zig", ".zon": "zig"},
    command=("zls",),
    root_markers=("build.zig", "zls.json"),
    install="the release of zigtools/zls for the zig that is installed",
    runs_project_code=True,  # build.zig is a program
)

DEFINITIONS = (CLANGD, ZLS)
