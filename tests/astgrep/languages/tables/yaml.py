"""YAML. A pair stands for a call and a member, an item for a definition, a flow sequence for a loop."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source="""
    # runs-on: ubuntu-latest is what most use
    name: build
    on:
      push:
        branches: [main, dev, main]
      pull_request:
    env: {CI: 1, HOME: "/root"}
    base: &base
      timeout: 30
    jobs:
      test:
        runs-on: ubuntu-latest
        <<: *base
        python: ["3.11", "3.12"]
        steps:
          - uses: actions/checkout@v4
          - uses: actions/setup-python@v5  # pinned
            with:
              python-version: "3.12"
              cache: pip
          - name: Test
            run: |
              pip install -e .
              runs-on: ubuntu-latest
          - name: Lint
            if: success()
            run: ruff check
      lint:
        runs-on:   ubuntu-latest
        needs: test
        name: lint
        title: lint
        pair: [lint, lint]
        steps: []
    """,
    rows=[
        Row("call", "uses: $X", [(16, "uses: actions/checkout@v4"), (17, "uses: actions/setup-python@v5")], {"X": "actions/checkout@v4"}),
        Row("call", "- uses: $X", [(16, "- uses: actions/checkout@v4")], {"X": "actions/checkout@v4"}),
        Row("definition", "- name: $N\n  $$$A\n  run: $R", [(21, "- name: Test"), (25, "- name: Lint")], {"N": "Test", "A": "", "R": "|\n          pip install -e .\n          runs-on: ubuntu-latest"}),
        Row("definition", "- name: $N\n  run: $R", [(21, "- name: Test")], {"N": "Test"}),
        Row("definition", "lint:\n  runs-on: $_\n  $$$REST", [(28, "lint:")]),
        Row("member", "$K: {CI: $V, $$$}", [(7, 'env: {CI: 1, HOME: "/root"}')], {"K": "env", "V": "1"}),
        Row("member", "HOME: $V", [(7, 'HOME: "/root"')], {"V": '"/root"'}, "flow pair"),
        Row("member", "$K: *base", [(13, "<<: *base")], {"K": "<<"}),
        Row("member", "steps:\n  - $$$A\n  - uses: actions/setup-python@v5\n    with: $W\n  - $$$B", [(15, "steps:")], {"A": "- uses: actions/checkout@v4"}),
        Row("condition", "if: $C\nrun: $R", [(26, "if: success()")], {"C": "success()", "R": "ruff check"}),
        Row("condition", "with:\n  $$$A\n  cache: pip", [(18, "with:")], {"A": 'python-version: "3.12"'}),
        Row("loop", "branches: [$$$A, dev, $$$B]", [(5, "branches: [main, dev, main]")], {"A": "main", "B": "main"}),
        Row("loop", "$K: []", [(34, "steps: []")], {"K": "steps"}),
        Row("string", '"3.12"', [(14, '"3.12"'), (19, '"3.12"')]),
        Row("string", 'python-version: "3.12"', [(19, 'python-version: "3.12"')]),
        Row("comment", "runs-on: ubuntu-latest", [(12, "runs-on: ubuntu-latest"), (29, "runs-on:   ubuntu-latest")]),
        Row("comment", "- uses: $X\n  with: $_", [(17, "- uses: actions/setup-python@v5  # pinned")], {"X": "actions/setup-python@v5"}),
        Row("repeated", "$A: $X\n$B: $X", [(31, "name: lint")], {"A": "name", "B": "title", "X": "lint"}),
        Row("repeated", "[$X, $X]", [(33, "[lint, lint]")], {"X": "lint"}),
    ],
    rewrites=[
        Rewrite("tags: [$$$T]", "labels: [$$$T, new]", "a:\n  tags: [x, y]\nb:\n  tags: []\n", "a:\n  labels: [x, y, new]\nb:\n  labels: [new]\n"),
        Rewrite("image: $I", "image: $I\npull: always", "web:\n  image: nginx\n  ports: [80]\n", "web:\n  image: nginx\n  pull: always\n  ports: [80]\n"),
        Rewrite("env:\n  $$$E", "environment:\n  $$$E", "job:\n  env:\n    A: 1\n    # kept\n    B: |\n      two\n        lines\n", "job:\n  environment:\n    A: 1\n    # kept\n    B: |\n      two\n        lines\n"),
        Rewrite("run: $R", "shell:\n  run: $R", "- run: |\n    one\n      two\n  id: 3\n", "- shell:\n    run: |\n      one\n        two\n  id: 3\n"),
        Rewrite("- uses: $X", "", "steps:\n  - uses: a\n  - run: b\n", "steps:\n  - run: b\n"),
        Rewrite("debug: $_", "", "a: 1\ndebug: true\nb: 2\n", "a: 1\nb: 2\n"),
        Rewrite("a: $X", "a: b: $X", "a: 1\n", None),
        Rewrite("a: $X", "a: $X: c", "a: 1\n", None),
    ],
)  # fmt: skip
