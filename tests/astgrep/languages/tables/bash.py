"""Bash."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source="""
    #!/usr/bin/env bash
    # log "opened" is called later
    set -euo pipefail
    source ./lib.sh

    readonly LIMIT=10
    export PATH="$PATH:/bin"
    items=(a b "c d")

    log() {
      local level="$1"
      echo "[$level] $2" >&2
    }

    function open_store {
      local path=${1:-default}
      if [[ -z "$path" ]]; then
        log "opened"
        return 1
      fi
      if [ "$path" = "x" ]; then
        echo 'log "opened"' "not opened"
      elif grep -q foo "$path"; then
        log info \\
          "$path" \\
          more # why
      else
        log "$(cat "$path" | wc -l)"
      fi
      for item in "${items[@]}"; do
        log info "$item"
      done
      while read -r line; do
        echo "$line"
      done < "$path"
      for ((i = 0; i < 3; i++)); do log "$i"; done
      case "$path" in
        a | b) log one ;;
        *)
          log two
          ;;
      esac
      total=$((total + total))
      mkdir -p "$path" && cd "$path" || exit 1
      cat <<EOF > "$path/log"
    hello $path
    EOF
    }

    open_store "$@"
    """,
    rows=[
        Row("call", "log $X", [(18, 'log "opened"'), (28, 'log "$(cat "$path" | wc -l)"'), (36, 'log "$i"'), (38, "log one"), (40, "log two")], {"X": '"opened"'}),
        Row("call", "log info $X", [(31, 'log info "$item"')], {"X": '"$item"'}),
        Row("call", "log $L $$$A", [(18, 'log "opened"'), (24, "log info \\"), (28, 'log "$(cat "$path" | wc -l)"'), (31, 'log info "$item"'), (36, 'log "$i"'), (38, "log one"), (40, "log two")], {"L": '"opened"', "A": ""}),
        Row("call", "set $$$O", [(3, "set -euo pipefail")], {"O": "-euo pipefail"}),
        Row("call", "mkdir -p $D && cd $D || exit 1", [(44, 'mkdir -p "$path" && cd "$path" || exit 1')], {"D": '"$path"'}),
        Row("call", "cat $F | $$$R", [(28, 'cat "$path" | wc -l')], {"F": '"$path"', "R": "wc -l"}),
        Row("call", "echo $$$A >&2", [(12, 'echo "[$level] $2" >&2')], {"A": '"[$level] $2"'}),
        Row("definition", "$F() { $$$B }", [(10, "log() {")], {"F": "log"}),
        Row("definition", "function $F {\n  $$$B\n}", [(15, "function open_store {")], {"F": "open_store"}),
        Row("member", "local $X=$V", [(11, 'local level="$1"'), (16, "local path=${1:-default}")], {"X": "level", "V": '"$1"'}),
        Row("member", "export PATH=$V", [(7, 'export PATH="$PATH:/bin"')], {"V": '"$PATH:/bin"'}),
        Row("member", "$X=($$$A)", [(8, 'items=(a b "c d")')], {"X": "items", "A": 'a b "c d"'}),
        Row("member", r"\$PATH", [(7, "$PATH")]),
        Row("member", "${1:-$D}", [(16, "${1:-default}")], {"D": "default"}),
        Row("condition", "if [[ -z $X ]]; then $$$B fi", [(17, 'if [[ -z "$path" ]]; then')], {"X": '"$path"', "B": 'log "opened"\n    return 1'}),
        Row("condition", "if $C; then $$$B; fi", [(17, 'if [[ -z "$path" ]]; then')]),
        Row("condition", "if $C; then\n  $$$A\nelif $D; then\n  $$$B\nelse\n  $$$E\nfi", [(21, 'if [ "$path" = "x" ]; then')], {"D": 'grep -q foo "$path"', "E": 'log "$(cat "$path" | wc -l)"'}),
        Row("condition", "case $X in\n  $$$A\nesac", [(37, 'case "$path" in')], {"X": '"$path"'}),
        Row("condition", "*) $$$A ;;", [(39, "*)")], {"A": "log two"}),
        Row("loop", "for $I in $X; do $$$B; done", [(30, 'for item in "${items[@]}"; do')], {"I": "item", "B": 'log info "$item"'}),
        Row("loop", "while read -r $L; do\n  $$$B\ndone < $F", [(33, "while read -r line; do")], {"L": "line", "F": '"$path"'}),
        Row("loop", "for ((i = 0; i < $N; i++)); do $$$B; done", [(36, 'for ((i = 0; i < 3; i++)); do log "$i"; done')], {"N": "3"}),
        Row("string", '"opened"', [(18, '"opened"')]),
        Row("string", 'cat "$X"', [(28, 'cat "$path"')], {"X": "$path"}),
        Row("string", "cat <<EOF > $F\nhello $path\nEOF", [(45, 'cat <<EOF > "$path/log"')], {"F": '"$path/log"'}),
        Row("string", "cat <<EOF > $F\nhello  $path\nEOF", []),
        Row("comment", "log info $X more", [(24, "log info \\")], {"X": '"$path"'}),
        Row("repeated", "$X=$(($X + $X))", [(43, "total=$((total + total))")], {"X": "total"}),
    ],
    rewrites=[
        Rewrite("log info $$$A", "trace $$$A", "log info a \"b c\"\n", "trace a \"b c\"\n"),
        Rewrite("`$C`", "$($C)", "x=`date -u`\n", "x=$(date -u)\n"),
        Rewrite("[ $A = $B ]", "[[ $A == $B ]]", "if [ \"$x\" = y ]; then\n  a\nfi\n", "if [[ \"$x\" == y ]]; then\n  a\nfi\n"),
        Rewrite(
            "if $C; then $$$B; fi",
            "while $C; do\n  $$$B\ndone",
            "f() {\n  if a; then\n    b\n\n    cat <<EOF\n  x\nEOF\n  fi\n}\n",
            "f() {\n  while a; do\n    b\n\n    cat <<EOF\n  x\nEOF\n  done\n}\n",
        ),
        Rewrite("$X=$V", "local $X=$V", "f() {\n  a=1\n}\n", "f() {\n  local a=1\n}\n"),
        Rewrite("debug $$$", "", "a\ndebug x\nb\n", "a\nb\n"),
        Rewrite("f $X", "g $(x $X", "f 1\n", None),
    ],
)  # fmt: skip
