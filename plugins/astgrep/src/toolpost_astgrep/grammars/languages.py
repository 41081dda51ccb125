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
        "docker": "dockerfile", "emacs-lisp": "elisp", "lisp": "commonlisp", "md": "markdown", "systemverilog": "verilog", "tex": "latex",
        "vimscript": "vim",
    }
)  # fmt: skip

ENDINGS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "actionscript": (".as",), "ada": (".adb", ".ads"), "agda": (".agda",), "arduino": (".ino",), "asm": (".asm", ".s"),
        "astro": (".astro",), "bash": (".sh", ".bash"), "beancount": (".beancount",), "bibtex": (".bib",), "bicep": (".bicep",),
        "bitbake": (".bb", ".bbappend", ".bbclass"), "c": (".c", ".h"), "cairo": (".cairo",), "capnp": (".capnp",),
        "clojure": (".clj", ".cljs", ".cljc"), "cmake": (".cmake",), "commonlisp": (".lisp", ".lsp"),
        "cpp": (".cpp", ".cc", ".cxx", ".hpp", ".hh", ".hxx"), "csharp": (".cs",), "css": (".css",), "cuda": (".cu", ".cuh"),
        "d": (".d",), "dart": (".dart",), "dockerfile": (".dockerfile",), "elisp": (".el",), "elixir": (".ex", ".exs"),
        "elm": (".elm",), "embeddedtemplate": (".ejs", ".erb"), "erlang": (".erl", ".hrl"), "fennel": (".fnl",),
        "fish": (".fish",), "fortran": (".f90", ".f95", ".f03"), "fsharp": (".fs", ".fsx"), "fsharp_signature": (".fsi",),
        "gdscript": (".gd",), "gleam": (".gleam",), "glsl": (".glsl", ".vert", ".frag"), "gn": (".gn", ".gni"), "go": (".go",),
        "graphql": (".graphql", ".gql"), "groovy": (".groovy", ".gradle"), "haskell": (".hs",), "haxe": (".hx",),
        "hcl": (".hcl",), "heex": (".heex",), "hlsl": (".hlsl",), "html": (".html", ".htm"), "ini": (".ini",),
        "ispc": (".ispc",), "janet": (".janet",), "java": (".java",), "javascript": (".js", ".mjs", ".cjs", ".jsx"),
        "json": (".json",), "jsonnet": (".jsonnet", ".libsonnet"), "julia": (".jl",), "kdl": (".kdl",),
        "kotlin": (".kt", ".kts"), "latex": (".tex", ".sty"), "linkerscript": (".ld",), "llvm": (".ll",), "lua": (".lua",),
        "luau": (".luau",), "make": (".mk",), "markdown": (".md", ".markdown"), "mermaid": (".mmd",), "nim": (".nim",),
        "ninja": (".ninja",), "nix": (".nix",), "objc": (".m", ".mm"), "ocaml": (".ml",), "ocaml_interface": (".mli",),
        "odin": (".odin",), "org": (".org",), "pascal": (".pas",), "perl": (".pl", ".pm"), "php": (".php",),
        "po": (".po", ".pot"), "pony": (".pony",), "powershell": (".ps1", ".psm1"), "prisma": (".prisma",),
        "properties": (".properties",), "proto": (".proto",), "puppet": (".pp",), "purescript": (".purs",),
        "python": (".py", ".pyi", ".pyw"), "qmljs": (".qml",), "r": (".r",), "racket": (".rkt",), "rego": (".rego",),
        "ron": (".ron",), "rst": (".rst",), "ruby": (".rb", ".rake"), "rust": (".rs",), "scala": (".scala", ".sc"),
        "scheme": (".scm",), "scss": (".scss",), "smali": (".smali",), "smithy": (".smithy",), "solidity": (".sol",),
        "sparql": (".rq", ".sparql"), "sql": (".sql",), "squirrel": (".nut",), "starlark": (".bzl", ".star"),
        "svelte": (".svelte",), "swift": (".swift",), "tablegen": (".td",), "tcl": (".tcl",), "terraform": (".tf",),
        "thrift": (".thrift",), "toml": (".toml",), "tsx": (".tsx",), "twig": (".twig",), "typescript": (".ts", ".mts", ".cts"),
        "typst": (".typ",), "v": (".v",), "verilog": (".sv", ".svh", ".vh"), "vhdl": (".vhd", ".vhdl"), "vim": (".vim",),
        "vue": (".vue",), "wast": (".wast",), "wat": (".wat",), "wgsl": (".wgsl",), "xml": (".xml", ".xsd", ".xsl", ".xslt"),
        "yaml": (".yaml", ".yml"), "yuck": (".yuck",), "zig": (".zig",),
    }
)  # fmt: skip

FILE_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "BUILD": "starlark", "BUILD.bazel": "starlark", "CMakeLists.txt": "cmake", "Dockerfile": "dockerfile",
        "GNUmakefile": "make", "Gemfile": "ruby", "Kconfig": "kconfig", "Makefile": "make", "Rakefile": "ruby",
        "WORKSPACE": "starlark", "go.mod": "gomod", "go.sum": "gosum", "makefile": "make", "meson.build": "meson",
        "meson_options.txt": "meson", "requirements.txt": "requirements",
    }
)  # fmt: skip

BY_ENDING: Mapping[str, str] = MappingProxyType(
    {ending: name for name, endings in ENDINGS.items() for ending in endings}
)
