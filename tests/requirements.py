"""What toolpost must do, one requirement a row: the ids and sentences of the contracts.

A test that would fail without a row names it with `@pytest.mark.requirement("core:gate")`; `test_requirements.py` holds both
directions. `PENDING` names what waits for a family to be built, and only shrinks.
"""

from __future__ import annotations

REQUIREMENTS: dict[str, str] = {
    "core:live-handle": (
        "A plugin's tools exist in a run only if its resource hook returned a live handle. `None`, or a "
        "refusal with a reason, means: none of its tools, in any listing or call."
    ),
    "core:resources": (
        "`lsp`, `lsp_rename`, `lsp_fix`, `lsp_move`: language-server supervisor and working directory. "
        "`ast_grep`, `ast_edit`: tree-sitter parser. `debug`: debug-session supervisor, working directory and "
        "conversation id. `eval`: kernel factory. `ask_user`: question port and target space. `vibe_*`: vibe "
        "mode and roster. Each condition missing alone removes exactly its tools."
    ),
    "core:open-starts-nothing": (
        "Opening a run starts no process and opens no port. Servers, adapters and interpreters start at the "
        "first call that needs them."
    ),
    "core:detect-at-call": (
        "Whether a server or adapter can serve *this checkout* is decided at call time (`lsp status`, `debug "
        "adapters`). The tools stay on the surface, so an agent can ask why nothing is usable."
    ),
    "core:run-bound": (
        "Handles belong to one run, and one run is one conversation: two runs share none; a second run with a "
        "live run's conversation id in one host is refused; closing a run ends every process it started."
    ),
    "core:no-shared-registry": (
        "No tool is ever published to a registry wider or longer-lived than one run. An outside client never "
        "sees or calls a tool of a run that it did not open."
    ),
    "core:third-party": (
        "A package outside this repository adds tools with one entry point and one module of about 30 lines, "
        "and a harness composes only the plugins it names."
    ),
    "core:alone": "Each plugin installs and passes its tests with core alone beside it; core passes with no plugin.",
    "core:matrix": (
        "One command runs core alone, each plugin alone and all together on each supported Python, highest "
        "and lowest versions, and prints the table."
    ),
    "core:isolation": (
        "A plugin that fails to import, calls `sys.exit`, implements an unknown or malformed hook, raises in "
        "a hook, or hands over a bad tool is reported (plugin, distribution, version, phase, error) and costs "
        "nobody else anything. Strict mode raises instead."
    ),
    "core:conflict": (
        "Two distributions with one plugin name: both refused unless the harness names `distribution:plugin`. "
        "One tool name twice: the later plugin of the composition is refused whole. The report names both "
        "owners and the remedy. Composition order is the harness's list, else alphabetic."
    ),
    "core:explain": (
        "For every tool of every installed plugin, `explain` says whether it is on the surface and, if not, "
        "which layer removed it and the remedy: install, load, conflict, composition, configuration, resource "
        "(with its reason), mode, ceiling, filter."
    ),
    "core:tier-declared": (
        "Each tool declares exactly one tier; there is no default. `read`: cannot change the workspace nor "
        "run what the model or the checkout chose. `write`: changes files. `exec`: starts or drives a process "
        "of the model's or checkout's choice."
    ),
    "core:tier-table": (
        "read: lsp, ast_grep, ask_user, vibe_spawn, vibe_send, vibe_wait, vibe_kill, vibe_list. write: "
        "lsp_rename, lsp_fix, lsp_move, ast_edit, resolve. exec: debug, eval."
    ),
    "core:tier-visibility": (
        "The tier decides *visibility*: a surface limited to `read` (plan mode, read-only subagents) holds no "
        "schema of a write or exec tool."
    ),
    "core:tier-call-time": (
        "Calling a tool that the caller's surface does not show gives, word for word, the same answer as "
        "calling one that does not exist; its suggestions come from the visible tools only. The ceiling is "
        "inherited by calls from kernel cells, by workers, by inner calls of handlers, and by pending "
        "actions: an action staged by a tool above a caller's ceiling does not exist for that caller."
    ),
    "core:tier-raise": (
        "A harness or plugin may raise a tool's tier for its run (`vibe_spawn` to `exec`, say), and a single "
        "call may raise its own; nothing can lower it."
    ),
    "core:args-strict": (
        "Arguments are checked before the handler runs: unknown, missing, mistyped and out-of-range ones give "
        "one error that names each field, says what was expected and suggests the nearest valid name. "
        '`"false"` is never true; `1.7` is never 1.'
    ),
    "core:approval": (
        "A write or exec call asks the run's approver; without an approver it is refused at once with the "
        "reason. A read call is never asked about. A refusal is an answer to the model, never an exception in "
        "the harness."
    ),
    "core:approval-pinned": (
        "What the approver was shown is what is done: paths, command, pending action are fixed before the question."
    ),
    "core:gate": (
        "Gates only tighten: anything but a clean pass refuses, so does one that raises; a required policy "
        "plugin that does not load stops the run from opening."
    ),
    "core:parallel": (
        "Tools that are not parallel-safe (debug, eval, ask_user) run one call at a time per handle, save for "
        "operations that must pass a waiting one (debug: pause, status, output, terminate). A call that would "
        "wait for itself (eval inside eval) is refused, not deadlocked."
    ),
    "core:bounded": (
        "Every result is bounded; what was left out is counted. Control and bidirectional characters from "
        "files, servers and models are escaped visibly in `text` and exact in `data`."
    ),
    "core:cancel": (
        "Cancelling a call leaves the run usable: locks free, processes either healthy or gone, files either "
        "old or new, inner calls cancelled."
    ),
    "core:confined": (
        "Paths given as arguments, and edits, never leave the workspace by `..`, absolute paths, symbolic "
        "links or a race between check and use, unless the harness names further roots. Sources that a server "
        "or debugger names outside are shown read-only. (What approved exec code does is held by approval and "
        "sandbox, not by this row.)"
    ),
    "core:atomic": (
        "A file is replaced whole (same directory, flushed, renamed), keeping mode, extended attributes, line "
        "ends, byte-order mark and in-tree links. Several files change all together or not at all; after a "
        "kill half way, recovery, which the next run on that workspace does before its first call, makes it "
        "so and never overwrites what a person changed since."
    ),
    "core:processes": (
        "Everything a run starts is dead within 1 s of its close or of the harness's death by SIGKILL, "
        "whatever sessions or process groups it opened; after the death of either of its two supervisors "
        "likewise within 1 s; after both at once, by the next sweep. Attached programs and tasks on a "
        "distributed engine are not killed."
    ),
    "core:trust": (
        "Code of the checkout (its virtual environment, its `node_modules/.bin`, build scripts, checker "
        "plugins) runs without a call's approval only at the trust that the harness gave: `none`, "
        "`interpreter`, `full`. An approved exec call is trust for that call."
    ),
    "core:data": (
        "Every result carries `data`, the same facts as structure for a harness, a UI or a test, in the "
        "protocol's own terms. `text` is what the model reads."
    ),
    "files:opt-in": "A harness with its own file tools leaves `files` out and wraps its own with `run.wrap_write`.",
    "files:patch": (
        "Hunks, additions, deletions, moves, end-of-file markers and a missing last newline mean what the two "
        "formats say. A hunk that does not apply, or applies in two places, is named with what stands there "
        "instead; adding over an existing file and moving onto one are refused; nothing is written."
    ),
    "files:literal": (
        "Replacement text is literal: no `$&`, no `\\1`, no escape is interpreted, in `edit`, `apply_patch` "
        "and `ast_edit` alike."
    ),
    "pending:stack": (
        "One store a run, a stack: `push(action) -> id`, `peek()`, `pop()`, `take(id)`, `has_pending`. Ids "
        "are `edit_1`, `edit_2`, … and never reused; `peek` and `pop` of an empty store give `None`. A push "
        "lands in the pushing call's own run."
    ),
    "pending:action": (
        "An action has `label` (required, a short human-readable summary), `apply(reason)` (required), "
        "optional `reject(reason)`, both coroutines, optional `details`, and `source_tool` (default "
        '`"custom_tool"`; toolpost\'s own tools set their names).'
    ),
    "pending:custom": (
        "A tool of any plugin that declares `stages=True` (tier write or exec) may push one and takes part in "
        "`resolve` like the built-in ones. Where `resolve` is not on the caller's surface, pushing raises "
        "`Pending action store unavailable for custom tools in this runtime.`"
    ),
    "pending:guide": (
        "`PendingAction`'s docstring and the plugin guide say: only for destructive or high-impact work; a "
        "brief label, since resolve shows it; `apply` is deterministic and fit to run once; `reason` informs "
        "and must not change behaviour; `reject` when discarding needs cleaning up; with several, the last "
        "pushed is resolved first. The guide's example, a batch rename preview, runs as a test."
    ),
    "resolve:tier": (
        "`resolve` is of tier `write`, comes by itself when some tool of the run stages actions, stands in "
        "every schema list of its tier given to a model, and is left out of lists for people (`toolpost "
        "tools` shows it with `--all`)."
    ),
    "resolve:args": (
        "`action`: `accept`, `apply` (the same), `discard`, `undo`; `edit_id` optional (required for `undo`); "
        '`reason` optional, handed to the callback, `""` when absent.'
    ),
    "resolve:top": (
        "Without `edit_id` the newest action that the caller can see is taken (last in, first out). With it, "
        "that one; the others stay."
    ),
    "resolve:none": (
        "Nothing pending: error `No pending action to resolve. Nothing to apply or discard.` An unknown id, "
        "while others are pending, says which are."
    ),
    "resolve:apply": "Accept runs `apply(reason)`; its result, text, images and data, is resolve's.",
    "resolve:discard": (
        "Discard calls `reject(reason)` if there is one; a result that it returns replaces the default "
        "message that the action was discarded. The action is gone even if `reject` raises; the error is "
        "told."
    ),
    "resolve:label": (
        "Every answer of resolve, and its approval card, shows the action's id, label and source tool, and "
        "what is still pending."
    ),
    "resolve:stale": (
        "Each file of a staged edit is compared with the content captured when it was staged; one mismatch, "
        "one that is missing, one that exists where a new file was to be created: the whole change is "
        "refused, the files are named, nothing is written. Staging over a file that another pending edit "
        "touches says so."
    ),
    "resolve:exact-bytes": "Accepting a staged edit writes the staged bytes; nothing is recomputed.",
    "resolve:once": (
        "An action is claimed before its callback runs, so it never runs twice. A staged edit that was "
        "refused or rolled back stays pending, so does a custom one that raises with `retry=True`; any other "
        "failure ends it and the answer says so."
    ),
    "resolve:diagnostics": (
        "Accepting passes through write wrapping: the newly introduced diagnostics of every touched file are "
        "in the answer."
    ),
    "resolve:undo": (
        "Every wrapped multi-file change (an accepted edit, `apply_patch`, a direct rename) ends its answer "
        'with its undo id, `undo_1`; `resolve(action="undo", edit_id="undo_1")` restores every byte within '
        "the run; undoing is itself content-checked and all or nothing, and is never what a bare `resolve` "
        "takes."
    ),
    "pending:preference": (
        "While something is pending the runtime biases the choice of tool towards `resolve`: "
        "`surface.advice`, which each integration maps to its provider's tool choice where there is one, and "
        "one closing line with id and label on other tools' results. A surface without resolve gives no "
        "advice. Staging and settling never change the tool list."
    ),
    "pending:bounded": (
        "The store is bounded in count and bytes; what is evicted is told on the next call. Closing a run "
        "rejects what is left, newest first, and writes nothing."
    ),
    "write:wraps": (
        "`write`, `edit`, `apply_patch`, and every other write-tier tool (`resolve`, `lsp_rename`, …), are "
        "wrapped by one mechanism; harnesses wrap their own file tools with one call."
    ),
    "write:sync": "After the write each file is synchronised and saved through its language servers.",
    "write:new-only": (
        "Only newly introduced diagnostics are added to the tool's result: a counted comparison with what was "
        "there *before* the write. A second, identical error is new; one that only moved is not."
    ),
    "write:ledger": (
        "Diagnostics already reported in this run are suppressed by a ledger, kept for the run and each file, "
        "that counts (severity, code, message); position is left out on purpose, and positions inside "
        "messages are normalised. New = now − max(ledger, before). A fresh verdict replaces the file's entry, "
        "so an error that was fixed and made again is new again; `lsp diagnostics` also marks as reported; an "
        "unknown verdict changes nothing."
    ),
    "write:first-line": (
        "The tool's own success stays the first line; then `2 new` with one line each, `path:line:col: "
        "error[code] message (server)`, or `no new problems`, or `diagnostics not known yet (waited 1.5 s)`; "
        'Server trouble goes to `lsp status`; the note says only "not available (see lsp status)".'
    ),
    "write:three-answers": (
        "Clean, not known yet (with how long was waited) and not available are three different answers. "
        "Nothing unknown is shown as clean."
    ),
    "write:bounded": (
        "The wait is bounded for the whole call: 1.5 s with warm servers, 5 s in any case, whatever the "
        "number of files and servers. A hung server never blocks a write. Late results are delivered with the "
        "next result, labelled with their file's version."
    ),
    "write:no-server-no-cost": "A file that no configured server handles gets no note and costs under 1 ms.",
    "write:modes": "`off`, `errors`, `warnings` (default), `end_of_turn`.",
    "write:flood": "More than 20 new diagnostics are summed up by code, with the first of each.",
    "write:fixed": "What the write repaired is one line: `fixed: 3`.",
    "write:elsewhere": (
        "Errors that this write newly causes in other files of the same root are listed, capped; also in "
        "closed ones: files that name the module or a changed symbol (a bytes search, at most 20) are opened "
        "for the baseline before the write, within the deadline."
    ),
    "lsp:intersection": (
        "A server is used only when a root marker exists and its binary resolves (and is no stub: it answers "
        "a version probe). Either alone starts nothing, and `status` says which half is missing."
    ),
    "lsp:line-symbol": (
        "Positions are given by `line` and a `symbol` substring on it, never by column. Whole identifiers "
        "count first, then substrings."
    ),
    "lsp:symbol-required": (
        "A navigation action (code_actions, rename and fix too) without `symbol` is an error that shows the "
        "line; it never guesses the first column."
    ),
    "lsp:symbol-ambiguous": (
        "`symbol` found several times on the line with different meanings: refused with each occurrence "
        "shown; `symbol#2` picks one; out of range is an error. Not found: the nearest line that has it is "
        "named."
    ),
    "lsp:encoding": (
        "Columns are converted to the position encoding negotiated with the server; emoji and combining "
        "characters before the symbol are tested."
    ),
    "lsp:fresh": (
        "Files changed behind the server's back (by the harness, a shell, a cell or a person) are "
        "synchronised before each answer."
    ),
    "lsp:readiness": (
        'An answer given while the server is still indexing says so; "0 references" is never said before the '
        "server is ready."
    ),
    "lsp:caps": "50 references, 100 workspace symbols, 200 document symbols; the rest is counted.",
    "lsp:project-check": (
        '`"*"` runs the checker of each project that it finds (pyright, basedpyright, ty, pyrefly, mypy, '
        "ruff; tsc; cargo check; go vet; dart analyze; clang-tidy over compile_commands), bounded to 3 "
        "minutes, and says which and why. Caches and output go outside the workspace; a checker that runs the "
        'project\'s code needs its trust; a checker that failed is never "clean".'
    ),
    "lsp:multi-server": "Several servers may serve one file (type checker and linter); their answers are merged and named.",
    "lsp:crash": (
        "A crashed or hung server is restarted once per call at most, its stderr tail is in `status`, and no "
        "answer is lost silently."
    ),
    "lsp:untrusted": (
        "A server's edit that leaves the workspace, or a request to apply edits on its own initiative, is refused."
    ),
    "rename:separate": "Renaming is its own write-tier tool, because the tier decides visibility.",
    "rename:project-wide": (
        "It applies the whole workspace edit (text edits, created, renamed and deleted files), all or "
        "nothing, after checking that every edited document is byte for byte what the server was shown. A "
        "range that reads neither the old name nor a known companion (an import, an alias, `{a}` to `{a: b}`) "
        "is shown and refused. References that the edit leaves out refuse it, named."
    ),
    "rename:zero-is-error": "No edits is an error. Leftover textual mentions of the old name are listed after it.",
    "rename:preview": "`preview: true` stages it as a pending action instead.",
    "lsp:fix": (
        "`lsp_fix` stages the quick fix whose title is given (an unknown title lists them); a fix that is "
        "only a server command is refused."
    ),
    "lsp:move": (
        "`lsp_move` stages a rename or move of a file or folder together with the edits that the servers ask "
        "for; an existing target is refused."
    ),
    "rename:valid-name": (
        "A new name that is not an identifier of the language, and a symbol defined outside the workspace or "
        "in a vendored folder, are refused before the server is asked."
    ),
    "ast:metavariables": (
        "`$NAME` (`[A-Z_][A-Z0-9_]*`) is one node, `$$$NAME` zero or more siblings, `$_` one node and `$$$` "
        "zero or more, both binding nothing. In every language; a literal one is written `\\$NAME`."
    ),
    "ast:same-capture": (
        "A metavariable used more than once in a pattern must capture the same text: `if ($X != null) "
        "$X.dispose()` matches the guard that frees what it tested and no other."
    ),
    "ast:same-grammar": (
        "The pattern is parsed by the file's own grammar: `dispose(x)` matches however it is spaced, wrapped "
        "or commented, and never inside a string or a comment."
    ),
    "ast:ladder": (
        "A fragment is parsed inside a skeleton. The compiler tries contexts in order (statement, expression, "
        "class member, declaration, the file itself, then the language's clauses: except, case and match arm, "
        "pair, argument, attribute) and the first that accepts the fragment whole is its meaning, for both "
        "tools. `dispose(x)` in Dart is a call, not a function signature."
    ),
    "ast:unparsable": (
        "A fragment that no context accepts is reported as unparsable, with the contexts tried and where each "
        "broke, instead of being searched for and silently not found."
    ),
    "ast:run": (
        "A pattern is a run of one or more sibling nodes that covers the fragment exactly (a Dart call is "
        "two). Separators and a final `;` are not part of its meaning."
    ),
    "ast:readings": (
        "If the meaning finds nothing in the whole search, the answer says what each further context that "
        "accepts the fragment would match (count, first place); `context` picks one."
    ),
    "ast:no-leftovers": (
        "A named node of the code that the pattern does not mention never goes along (comments excepted): a "
        "pattern of an `if` without `else` does not match one with it; `import $X` does not match `import a, "
        "b`; optional parts (return type, decorators) must be in the pattern, and a hint says so."
    ),
    "ast:backtrack": (
        "`$$$` backtracks: `f($A, $$$B)` matches `f(1)`; `f($$$A, 2, 3, $$$B)` matches `f(2, 2, 3)`. A step "
        "limit ends in an error, never in a hang."
    ),
    "ast:lost-variable": (
        "A pattern whose tree does not hold every metavariable that its text names is refused; a rewrite that "
        "names an unbound one is refused."
    ),
    "ast:killable": (
        "Parsing runs in worker processes with a deadline a file: a grammar that hangs or crashes costs that "
        "file, named in the answer, and nothing else. The harness's event loop never parses."
    ),
    "ast:speed": (
        "Against `ast-grep run --json=stream` on the same trees of 10 MB and more, in one open run, exact "
        "totals on both sides, wall time, interleaved, median of 5 (a miss counts if it repeats). Cold "
        "(workers running, no tree cached): no hit 20 times faster; a rare literal (under 5 % of the bytes "
        "lie in files that hold it) 8 times; a common literal 1.8 times; a pure shape at least as fast (0.95; "
        "aim at 1.2); an operator everywhere 0.85 (aim at 1). Warm (trees cached by an earlier call): 15 "
        "times, and 3 times for the last two. The first call, worker start included, is not slower than the "
        "peer."
    ),
    "ast:memory": (
        "The tree cache of all workers together is capped (1 GB by default, honoured, shown by `doctor`); a "
        "scan larger than the cap keeps the trees that it has instead of evicting in a circle."
    ),
    "ast:languages": (
        "At least these work with no network: bash, c, c-sharp, cpp, css, dart, elixir, go, haskell, html, "
        "java, javascript, json, kotlin, lua, ocaml, php, python, ruby, rust, scala, sql, swift, toml, tsx, "
        "typescript, yaml, zig. An unknown one lists what there is; a directory without `language` lists the "
        "languages found in it."
    ),
    "ast:walk": (
        "Directories are walked honouring `.gitignore` (nested ones too, also outside a git checkout), "
        "skipping binary and over-large files; what could not be read or parsed is counted. A file or folder "
        "named as `path` is searched even if ignored."
    ),
    "ast:zero-explained": (
        "No match says how the pattern was read (context and node kind), how many files of which language "
        "were searched, near misses (same shape, one literal different, among files that hold the other "
        "literals, in a bounded time) and which of the parsed files have syntax errors. A pattern that looks "
        "like a regular expression is told so, with the right form."
    ),
    "ast:captures": "Each match gives `path:line`, its text (12 lines at most) and what each metavariable captured.",
    "ast:data": (
        "`data` has `total` (all matches, also beyond `max_results`), `files`, `searched`, `skipped`, "
        "`context`, and `matches` with `path`, `range`, `text`, `captures`."
    ),
    "edit:staged": (
        "`ast_edit` writes nothing. It stages the change and answers `(proposed) 12 replacements in 4 files … "
        'call resolve with edit_id "edit_1"`, with a bounded diff.'
    ),
    "edit:none": (
        "No replacement, or one that changes nothing, stages nothing and names no edit_id; it answers as "
        "ast:zero-explained."
    ),
    "edit:substitute": (
        "Metavariables are substituted into `rewrite` with the captured text; a multi-line capture keeps its "
        "relative indentation; an empty `rewrite` deletes."
    ),
    "edit:separators": (
        "A `$$$` capture brings no dangling separator: `foo($$$A)` to `bar($$$A, c)` gives `bar(c)` for "
        "`foo()` and `bar(a, b, c)` for `foo(a, b,)`."
    ),
    "edit:one-node": (
        "A capture that would fall apart in its new place (`double($X)` to `$X * 2` on `a + b`) is "
        "parenthesised or refused; nothing inside a string literal is re-indented; a comment in a replaced "
        "range that no capture holds is counted and told."
    ),
    "edit:overlap": "Overlapping matches: the outermost is taken, the rest counted and told.",
    "edit:reparse": (
        "If a file's tree would gain syntax errors the whole edit is not staged; the answer shows the first. "
        "Tree-sitter forgives what a compiler does not (an emptied Python block, a positional argument after "
        "a keyword): where the language's own compiler is at hand (Python's `compile`), it is asked too."
    ),
    "edit:encoding": (
        "Files keep their encoding, byte-order mark and line ends; offsets are bytes, so nothing around non- "
        "ASCII text moves."
    ),
    "debug:adapters": (
        "dart `dart debug_adapter` (pubspec.yaml); debugpy `python3 -m debugpy.adapter` (pyproject.toml, "
        "setup.py, requirements.txt); lldb `lldb-dap` (Cargo.toml, CMakeLists.txt); delve `dlv dap` (go.mod). "
        "gdb 14 or newer (as lldb, after it), js-debug (package.json). Usable only when marker and binary are "
        "there (for debugpy: an interpreter that imports it). Several usable: the program's type decides, "
        "then this order; `adapter` wins. Further ones come by entry point."
    ),
    "debug:venv": (
        "Before any `python` on `$PATH`: the adapter runs in the project's `.venv/bin` or `venv/bin` "
        "interpreter if that imports debugpy, else in toolpost's own; the program runs in the project's "
        "interpreter, which need not have debugpy. Attaching makes the same choice and names a version "
        "mismatch."
    ),
    "debug:one-session": (
        "One session per conversation. A second launch or attach is refused with the live one's id, age and "
        "place; it never replaces it. A program that has ended is no session; breakpoints stay."
    ),
    "debug:ttl": (
        "The session ends 30 minutes after it began, strictly, also when the harness is busy; the next call says so."
    ),
    "debug:before-launch": (
        "Breakpoints set before launch are bound before the program runs; each answers verified, pending or "
        "rejected, with the line it really landed on."
    ),
    "debug:stop-report": (
        "Every op that ends in a stop answers in one result: reason, thread, top user frame, exception, "
        "source around it, locals with what changed since the last stop, and output since the last answer."
    ),
    "debug:exit-report": (
        "A program that ends says its exit code, its last output, and which breakpoints were never hit. It is "
        "never reported as stopped; Python's `SystemExit` is an exit, never a stop."
    ),
    "debug:wait": (
        "A wait that runs out answers `running`; nothing is cancelled, and the stop is reported by the next op."
    ),
    "debug:stale-frame": "Frame ids and references carry the stop they belong to; one from an earlier stop is refused.",
    "debug:evaluate-guard": (
        "Without `effects: true`, `evaluate` refuses, for Python by its syntax tree, calls outside a printed "
        "allow-list, await, walrus and statements, for other languages by tokens assignments, `++` and calls; "
        "the text promises no purity."
    ),
    "debug:condition": (
        "A condition, hit count or log expression that fails when it is evaluated is told once, with its "
        "error; it is never silently skipped."
    ),
    "debug:children": "A program that starts subprocesses runs to its end under the debugger.",
    "debug:clean": (
        "After terminate, TTL, run close or SIGKILL of the harness, no adapter and no launched program is "
        "alive; an attached program lives on."
    ),
    "debug:latency": (
        "On Linux a step under debugpy with stack, scopes and locals takes under a quarter of what the "
        "unmodified adapter takes."
    ),
    "eval:persists": "Variables, imports and loaded data survive between calls, for both languages.",
    "eval:last-expression": "The last expression is shown as a notebook shows it.",
    "eval:display": (
        "`display()` works in both; a pandas DataFrame comes as a table; a matplotlib figure comes back as an "
        "image block that each integration delivers and the transcript shows."
    ),
    "eval:magics": (
        "In Python cells `%pip`, `%cd`, `!cmd`, `%%bash`, `%%timeit` are rewritten at token level into plain "
        "code: `%%` at the start of a cell, `%` and `!` on any line, never inside strings. A failing command "
        "shows its exit code and stderr. An unknown one is an error that lists the known."
    ),
    "eval:pip-fresh": (
        "`%pip` also evicts what changed from `sys.modules`, so the next import sees what was just installed; "
        "a module that cannot be reloaded safely (a loaded C extension) stays and is named, with `reset` as "
        "the remedy."
    ),
    "eval:bridge": (
        '`tool("read", {"path": "lib/auth.dart"})` inside a cell (in JavaScript `await tool(…)`; in Python '
        "also `await tool.aio(…)`) re-enters the harness's tool path: every tool that the harness gave the "
        "run, its own too, with every guard rail, approval, ceiling and wrapper, exactly as for a call by the "
        "model."
    ),
    "eval:bridge-result": (
        "`tool()` returns the result's text as a string that also has `.data` and `.images`; an error raises "
        "`ToolError` with the message."
    ),
    "eval:bridge-conduit": "It travels on the kernel's own conduit: no listening port, no secret, no network rule.",
    "eval:bridge-many": (
        "Calls from threads and from `asyncio.gather` / `Promise.all` are matched by id and may overlap; each "
        "result lists the calls that the cell made."
    ),
    "eval:idle-budget": (
        "The cell's time limit is a budget of inactivity (5 minutes by default; output and finished bridged "
        "calls are activity, silent computing is not), suspended while a bridged call is in flight; an "
        "optional ceiling on the cell's own running time, bridged calls not counted, off by default."
    ),
    "eval:busy": (
        "On timeout the cell is interrupted first and variables survive; a cell that will not stop leaves the "
        "kernel *busy*, and the next call says so. How it ended is typed: done, error, interrupted, timed "
        "out, died."
    ),
    "eval:sandbox": (
        "The kernel runs in the conversation's sandbox when there is one, otherwise on the host. It never "
        "starts a sandbox to get there."
    ),
    "eval:interpreter": (
        "The Python kernel runs the project's own `.venv`/`venv` interpreter, also when that has nothing installed."
    ),
    "eval:bare": (
        "Python 3.8 to 3.13 and Node 20 or newer serve as kernels with nothing installed in them. Any "
        "installed Jupyter kernelspec can be configured instead; it has the bridge where a bridge for its "
        "language is registered, and says so where not."
    ),
    "eval:fast": (
        "With toolpost's own kernels: start to ready under a third of ipykernel's over the same client, a "
        "cell's round trip under half, and no listening TCP socket anywhere in the process tree."
    ),
    "eval:exit": (
        "`sys.exit()`, `exit()` or `process.exit()` in a cell ends the cell, not the kernel: state survives "
        "and the code is told."
    ),
    "eval:death": (
        "A kernel that died says with what code; the next call starts a fresh one and says that state was "
        "lost. No cell is ever run twice."
    ),
    "eval:clean": "Kernels and all they started end with the run, and with the harness.",
    "ask:card": (
        "It shows one numbered card (from 1) in the conversation and blocks until it is answered, skipped or "
        "expired. It never writes the question as a chat message; its description tells the model to ask "
        "through it and never in prose, since that ends the turn."
    ),
    "ask:only-way": (
        "Nothing in a run but `ask_user` and the permission gate asks the human: no plugin, kernel "
        "(`input()`), adapter or worker reads the terminal."
    ),
    "ask:skip": (
        "A skip is success, and its text says: go on with a stated assumption and do not ask again. Asking "
        "the same again in this run is answered from memory."
    ),
    "ask:expiry": (
        "Expiry (30 minutes by default, 0 = never) is an error whose text gives the same instruction. It "
        "counts from when the card is shown; typing restarts it."
    ),
    "ask:no-human": (
        "Without a human attached the call fails at once. A closed stdin, a headless client or a dropped "
        'viewer is "no human", never a skip.'
    ),
    "ask:validation": "Neither options nor free text is an error before anything is shown.",
    "ask:permission": (
        'Permission questions ("may I do this?") are a separate gate shown as the same card; free text, '
        "Enter, expiry and absence never grant."
    ),
    "vibe:mode": (
        "Registered only while vibe mode is on and a roster is connected (`--vibe` on the command line). "
        "Leaving the mode stops the workers."
    ),
    "vibe:tiers": (
        "`tier` is `fast` (mechanical work with a clear specification; the default) or `good` (design, "
        "judgement, reviewing a fast worker's result)."
    ),
    "vibe:gate": (
        "The gate belongs to the worker's own tools, where the editing happens; a worker's ceiling is never "
        "above its director's, and a back end that cannot hold a read-only ceiling is refused under one."
    ),
    "vibe:backends": (
        "Workers are: any ACP agent over stdio, any command line (`claude -p`, `codex exec`, `opencode run`, "
        "…), a coroutine given by the harness, any `concurrent.futures.Executor`, or Temporal workflows."
    ),
    "vibe:queue": (
        "One turn at a time a worker; what is sent meanwhile is queued, joined into the next turn, and never "
        "lost. Caps: 4 fast, 2 good, 8 live, 64 spawned a run, no nesting. A spawn returns within 10 ms."
    ),
    "vibe:wait": (
        "It blocks until the worker settles; with a timeout (default 5 minutes) that runs out it answers "
        '"still running" and forgets nothing; each settled turn is delivered exactly once and stays readable.'
    ),
    "vibe:kill": (
        "Kill ends the whole tree, whatever sessions it opened, within 1 s, and the record says so "
        "(coroutines and executor tasks: cancelled and recorded)."
    ),
    "vibe:bounded": "Output, live workers, queue, spawns per run, turn time and silence are all bounded and told.",
    "vibe:evidence": (
        "A result lists the files that the worker really changed and what they newly break; its text is a "
        "claim. An empty result is not a success."
    ),
    "vibe:restart": (
        "A restarted harness finds its workers in the journal: resumable ones idle, the rest marked "
        "interrupted; leftovers are swept."
    ),
    "vibe:durable": (
        "On Temporal a turn survives the engine server's restart, never runs twice, and a dead engine worker "
        "fails the turn within seconds."
    ),
    "adapt:formats": (
        "Surfaces export to Anthropic, OpenAI (chat and responses), MCP (in process), pydantic-ai, LangChain, "
        "openai-agents, claude-agent-sdk and ACP in under 10 lines of the harness's code, each tested against "
        "the real library; images, errors, approvals and the resolve advice arrive."
    ),
    "adapt:mcp": (
        "`toolpost mcp` opens its own run for the one client on its stdio: one process, one connection, one "
        "run. It never listens on a socket."
    ),
    "cli:call": (
        "`toolpost call TOOL key=value …` (or `--json '{…}'`) opens a run, calls one tool and prints its "
        "result; exit 0 success, 1 tool error, 2 usage. A call that staged says that the edit ends with this "
        "run and names `toolpost run`; `--accept` resolves it at once."
    ),
    "cli:run": (
        '`toolpost run` reads a JSON call a line (`{"id": 1, "tool": "ast_grep", "args": {…}}`) and answers a '
        'line each (`{"id": 1, "is_error": false, "text": "…", "images": [{"mime": "image/png", "base64": '
        '"…"}], "data": …}`), in one run, so that staged edits, debug sessions and kernels live between '
        "calls. Calls start as lines arrive and answers come as they end (exclusive ones queue). Lines that "
        "are no call get an error line with the same id, or null. End of input waits for running calls and "
        "closes the run. The command line provides every port but a human, and a conversation id."
    ),
    "cli:options": (
        "Shared by `call`, `run`, `tools`, `explain` and `mcp`: `--workspace DIR` (default: here), `--plugins "
        "a,b` (entry-point names; default: all installed; `files`, `resolve` and `ask` come along), `--allow "
        "TIER` (read, write or exec, each including the lower): shows the tools up to that tier and approves "
        "their calls. On a terminal the tools above it are shown too and each of their calls asks; elsewhere "
        "they do not exist, and the default is read. `--trust`, `--vibe`."
    ),
    "cli:explain": "`toolpost tools`, `explain`, `doctor`, `plugins` show what is there, what is not and why.",
    "cli:tour": (
        "`toolpost tour` plays the families' scripts on the sample project that ships with it; `--html FILE` "
        "writes the session as one page."
    ),
    "cli:new": "`toolpost new NAME` scaffolds a plugin that passes the conformance suite.",
}

PENDING: dict[str, str] = {
    "debug:adapters": "debug",
    "debug:venv": "debug",
    "debug:one-session": "debug",
    "debug:ttl": "debug",
    "debug:before-launch": "debug",
    "debug:stop-report": "debug",
    "debug:exit-report": "debug",
    "debug:wait": "debug",
    "debug:stale-frame": "debug",
    "debug:evaluate-guard": "debug",
    "debug:condition": "debug",
    "debug:children": "debug",
    "debug:clean": "debug",
    "debug:latency": "debug",
    "eval:persists": "eval",
    "eval:last-expression": "eval",
    "eval:display": "eval",
    "eval:magics": "eval",
    "eval:pip-fresh": "eval",
    "eval:bridge": "eval",
    "eval:bridge-result": "eval",
    "eval:bridge-conduit": "eval",
    "eval:bridge-many": "eval",
    "eval:idle-budget": "eval",
    "eval:busy": "eval",
    "eval:sandbox": "eval",
    "eval:interpreter": "eval",
    "eval:bare": "eval",
    "eval:fast": "eval",
    "eval:exit": "eval",
    "eval:death": "eval",
    "eval:clean": "eval",
    "ask:card": "ask",
    "ask:only-way": "ask",
    "ask:skip": "ask",
    "ask:expiry": "ask",
    "ask:no-human": "ask",
    "ask:validation": "ask",
    "ask:permission": "ask",
    "vibe:mode": "vibe",
    "vibe:tiers": "vibe",
    "vibe:gate": "vibe",
    "vibe:backends": "vibe",
    "vibe:queue": "vibe",
    "vibe:wait": "vibe",
    "vibe:kill": "vibe",
    "vibe:bounded": "vibe",
    "vibe:evidence": "vibe",
    "vibe:restart": "vibe",
    "vibe:durable": "vibe",
    "adapt:formats": "integrations",
    "adapt:mcp": "integrations",
}
