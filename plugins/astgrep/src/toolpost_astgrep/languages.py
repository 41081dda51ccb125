"""The languages by name, and what their files are called."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

BLOCKED: Mapping[str, str] = MappingProxyType({"cobol": "its parser never returns on some input"})

ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "py": "python", "js": "javascript", "jsx": "javascript", "ts": "typescript", "rs": "rust", "golang": "go", "sh": "bash",
        "shell": "bash", "c++": "cpp", "c#": "csharp", "c-sharp": "csharp", "cs": "csharp", "rb": "ruby", "kt": "kotlin",
        "yml": "yaml", "hs": "haskell", "ml": "ocaml", "ex": "elixir", "pl": "perl", "jl": "julia", "ps1": "powershell",
        "objective-c": "objc", "protobuf": "proto", "makefile": "make", "f#": "fsharp", "tf": "terraform",
    }
)  # fmt: skip

ENDINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "bash": (".sh", ".bash"), "c": (".c", ".h"), "clojure": (".clj", ".cljs", ".cljc"), "cmake": (".cmake",),
        "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"), "csharp": (".cs",), "css": (".css",), "cuda": (".cu", ".cuh"),
        "d": (".d",), "dart": (".dart",), "dockerfile": (".dockerfile",), "elixir": (".ex", ".exs"), "elm": (".elm",),
        "erlang": (".erl", ".hrl"), "fortran": (".f90", ".f95", ".f03"), "fsharp": (".fs", ".fsx"), "gleam": (".gleam",),
        "glsl": (".glsl", ".vert", ".frag"), "go": (".go",), "graphql": (".graphql", ".gql"), "groovy": (".groovy", ".gradle"),
        "haskell": (".hs",), "hcl": (".hcl",), "html": (".html", ".htm"), "java": (".java",),
        "javascript": (".js", ".mjs", ".cjs", ".jsx"), "json": (".json",), "julia": (".jl",), "kotlin": (".kt", ".kts"),
        "lua": (".lua",), "make": (".mk",), "nim": (".nim",), "nix": (".nix",), "objc": (".m", ".mm"), "ocaml": (".ml",),
        "ocaml_interface": (".mli",), "odin": (".odin",), "pascal": (".pas",), "perl": (".pl", ".pm"), "php": (".php",),
        "powershell": (".ps1", ".psm1"), "proto": (".proto",), "python": (".py", ".pyi", ".pyw"), "r": (".r",),
        "racket": (".rkt",), "ruby": (".rb", ".rake"), "rust": (".rs",), "scala": (".scala", ".sc"), "scheme": (".scm",),
        "scss": (".scss",), "solidity": (".sol",), "sql": (".sql",), "starlark": (".bzl", ".star"), "svelte": (".svelte",),
        "swift": (".swift",), "tcl": (".tcl",), "terraform": (".tf",), "thrift": (".thrift",), "toml": (".toml",), "tsx": (".tsx",),
        "typescript": (".ts", ".mts", ".cts"), "v": (".v",), "vhdl": (".vhd", ".vhdl"), "vue": (".vue",), "wgsl": (".wgsl",),
        "yaml": (".yaml", ".yml"), "zig": (".zig",),
    }
)  # fmt: skip

FILE_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "BUILD": "starlark", "BUILD.bazel": "starlark", "CMakeLists.txt": "cmake", "Dockerfile": "dockerfile", "Gemfile": "ruby",
        "GNUmakefile": "make", "Makefile": "make", "Rakefile": "ruby", "WORKSPACE": "starlark", "makefile": "make",
    }
)  # fmt: skip

BY_ENDING: Mapping[str, str] = MappingProxyType(
    {ending: name for name, endings in ENDINGS.items() for ending in endings}
)
