"""PHP."""

from __future__ import annotations

from toolpost_astgrep.profiles.profile import Profile, Rung
from toolpost_astgrep.profiles.words import RESERVED

# No context is the file itself: whatever is no code would be text there, between tags.
_PHP = Profile(
    rungs=(
        Rung("statement", "<?php\n", "\n"),
        Rung("statement", "<?php\n", ";\n"),
        Rung("expression", "<?php\n$x = ", ";\n"),
        Rung("class member", "<?php\nclass C {", "\n}\n"),
        Rung("class member", "<?php\nclass C {", ";\n}\n"),
        Rung("enum case", "<?php\nenum E {", "\n}\n"),
        Rung("enum case", "<?php\nenum E {", ";\n}\n"),
        Rung("catch", "<?php\ntry {} ", "\n"),
        Rung("else", "<?php\nif ($x) {} ", "\n"),
        Rung("case", "<?php\nswitch ($x) {", "\n}\n"),
        Rung("case", "<?php\nswitch ($x) {", ";\n}\n"),
        Rung("match arm", "<?php\n$x = match ($x) {", "};\n"),
        Rung("pair", "<?php\n$x = [", "];\n"),
        Rung("argument", "<?php\nf(", ");\n"),
        Rung("parameter", "<?php\nfunction f(", ") {}\n"),
        Rung("attribute", "<?php\n", "\nclass C {}\n"),
        Rung("type", "<?php\nfunction f(): ", " {}\n"),
    ),
    spellings=("$NAME", "NAME"),
    mixed=True,
    stand_ins={
        "{": ("NAME;", "use NAME;", "case NAME:", "0 => NAME,", "case NAME;"),
        "(": ("$NAME",),
        "()": ("$NAME",),
        "": ("NAME;",),
    },
    line_comment=("//", "#"),
    unclear=(b"#[", b"?>"),  # an attribute, and what ends a line's comment too
    closing=frozenset({"else", "elseif", "endif", "endfor", "endforeach", "endwhile", "endswitch"}),
    reserved=RESERVED
    | {"class", "interface", "trait", "function", "fn", "use", "namespace", "const", "global", "echo", "print"}
    | {"include", "include_once", "require", "require_once", "clone", "yield", "match", "foreach", "elseif", "abstract"}
    | {"final", "public", "protected", "private", "readonly"},
    containers=frozenset({"program"}),
    strings=frozenset({"string", "encapsed_string", "heredoc", "nowdoc", "shell_command_expression"}),
)

PROFILES = {"php": _PHP}
