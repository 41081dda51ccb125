"""Which other files a write may break: the names whose definitions it changed, and the files that hold one of them."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

import attrs
import pytest
from toolpost_lsp.writing.elsewhere import changed_names
from toolpost_lsp.writing.texts import MOST, SECONDS, Texts
from toolpost_lsp.writing.touched import Touched, moved

pytestmark = pytest.mark.requirement("write:elsewhere")

PYTHON = '''import os
from b import thing

LIMIT, least = 3, 1


class Shop:
    """A shop."""

    tax: float = 0.1

    @property
    def name(self):
        return self._name

    def total(self, values):
        found = 0
        for each in values:
            found += each
        return found


def free(a,
         b):
    local = a
    return local
'''
TYPESCRIPT = """import { a } from "./a";
export const limit: number = 3;
export interface Shape { width?: number; }
export type Id = string;
export class Shop<T> {
  private tax!: number;
  total(values: T[]): number {
    let found = 0;
    return found;
  }
  get name() { return ""; }
}
export const arrow = (x: number) => {
  const inner = x;
  return inner;
};
export default async function main() {}
"""
GO = """package main

import "fmt"

const Limit = 3

var kept, lost int

type Shop struct {
	Tax float64
	Name string `json:"name"`
}

type Adder interface {
	Add(a, b int) int
}

func (s *Shop) Total(values []int) int {
	found := 0
	return found
}

type Maker func(int) Shop

const (
	Red = iota
	Green
)
"""
C = """#include "core.h"
#define LIMIT 3
#define MAX(a, b) ((a) > (b) ? (a) : (b))

typedef struct shop {
    int tax;
    char label[10];
} shop_t;

enum color { RED, GREEN };

static int total(int value) {
    int found = 0;
    return found;
}

struct point *make(int x,
                   int y);

extern unsigned long kept;

class Basket : public Base {
public:
    virtual int count(int value) const;
    std::vector<int> values;
};
"""
RUST = """use std::fmt;
pub(crate) static KEPT: i32 = 0;
#[derive(Clone)]
pub struct Shop { pub tax: f64 }
pub enum Color {
    Red,
    Green(u8),
}
impl<T> Adder for Shop<T> {
    fn add(&self, a: u32) -> u32 {
        let found = 0;
        found
    }
}
pub async fn go<T: Clone>(x: T) -> T { x }
macro_rules! make {
    ($x:expr) => { $x };
}
"""
JAVA = """package shop;
import java.util.List;
public class Shop<T> extends Base {
    private static final int LIMIT = 3;
    protected List<T> values;
    public int total(List<T> values, int b) {
        int found = 0;
        return found;
    }
    @Override
    public String label() { return ""; }
    enum Color { RED, GREEN }
    interface Adder {
        int add(int a);
    }
}
"""
SOURCES: Mapping[str, str] = {
    "a.py": PYTHON,
    "a.ts": TYPESCRIPT,
    "a.go": GO,
    "a.cc": C,
    "a.rs": RUST,
    "Shop.java": JAVA,
}

CHANGES = [
    ("a.py", "LIMIT, least = 3", "LIMIT, least = 4", "LIMIT least"),
    ("a.py", "import thing", "import other", "b thing other"),
    ("a.py", "class Shop:", "class Shop(Base):", "Shop"),
    ("a.py", "tax: float", "tax: int", "tax Shop"),
    ("a.py", "@property", "@cached", "name Shop"),
    ("a.py", "self, values", "self", "total Shop"),
    ("a.py", "found = 0", "found = 0.5", "total Shop"),
    ("a.py", "         b):", "         b: int):", "free"),
    ("a.py", "def free", "def freed", "free freed"),
    ("a.py", '    """A shop."""\n', "", "Shop"),
    ("a.ts", "{ a }", "{ b }", "a b"),
    ("a.ts", "limit: number = 3", "limit: string = ''", "limit"),
    ("a.ts", "width?: number", "width?: string", "Shape width"),
    ("a.ts", "Id = string", "Id = number", "Id"),
    ("a.ts", "Shop<T>", "Shop<T, U>", "Shop"),
    ("a.ts", "tax!: number", "tax!: string", "tax Shop"),
    ("a.ts", "values: T[]", "values: T", "total Shop"),
    ("a.ts", "found = 0", "found = ''", "total Shop"),
    ("a.ts", "get name", "get title", "name title Shop"),
    ("a.ts", "x: number", "x: string", "arrow"),
    ("a.ts", "inner = x", "inner = ''", "arrow"),
    ("a.ts", "main()", "main(x)", "main"),
    ("a.go", "Limit = 3", "Limit = 4", "Limit"),
    ("a.go", "lost int", "lost string", "kept lost"),
    ("a.go", "Tax float64", "Tax int", "Tax Shop"),
    ("a.go", "Name string", "Name int", "Name Shop"),
    ("a.go", "Add(a, b int)", "Add(a int)", "Add Adder"),
    ("a.go", "found := 0", "found := 1", "Total"),
    ("a.go", "func(int)", "func(string)", "Maker"),
    ("a.go", "Red = iota", "Pink = iota", "Red Pink"),
    ("a.go", "	Green\n", "", "Green"),
    ("a.cc", "core.h", "base.h", "base core h"),
    ("a.cc", "LIMIT 3", "LIMIT 4", "LIMIT"),
    ("a.cc", "MAX(a, b)", "MAX(a, c)", "MAX"),
    ("a.cc", "int tax", "long tax", "tax shop"),
    ("a.cc", "label[10]", "label[20]", "label shop"),
    ("a.cc", "shop_t", "shop_type", "shop_t shop_type"),
    ("a.cc", "GREEN", "BLUE", "color RED GREEN BLUE"),
    ("a.cc", "int total", "long total", "total"),
    ("a.cc", "found = 0", "found = 1", "total"),
    ("a.cc", "int y", "long y", "make"),
    ("a.cc", "long kept", "int kept", "kept"),
    ("a.cc", "value) const", "value)", "count Basket"),
    ("a.cc", "vector<int>", "vector<long>", "values Basket"),
    ("a.rs", "KEPT: i32", "KEPT: i64", "KEPT"),
    ("a.rs", "#[derive(Clone)]\n", "", "Shop tax"),
    ("a.rs", "derive(Clone)", "derive(Copy)", "Shop tax"),
    ("a.rs", "tax: f64", "tax: f32", "Shop tax"),
    ("a.rs", "    Red,", "    Pink,", "Red Pink Color"),
    ("a.rs", "Green(u8)", "Green(u16)", "Green Color"),
    ("a.rs", "a: u32)", "a: u64)", "add Adder"),
    ("a.rs", "found = 0", "found = 1", "add Adder"),
    ("a.rs", "(x: T)", "(x: &T)", "go"),
    ("a.rs", "$x:expr", "$x:ident", "make"),
    ("Shop.java", "extends Base", "", "Shop"),
    ("Shop.java", "LIMIT = 3", "LIMIT = 4", "LIMIT Shop"),
    ("Shop.java", "List<T> values;", "List<Integer> values;", "values Shop"),
    ("Shop.java", "int b)", "long b)", "total Shop"),
    ("Shop.java", "found = 0", "found = 1", "total Shop"),
    ("Shop.java", "label()", "text()", "label text Shop"),
    ("Shop.java", "GREEN", "BLUE", "Color RED GREEN BLUE Shop"),
    ("Shop.java", "int add(int a)", "int add()", "add Adder Shop"),
]


def touched(path: str, before: str | None, after: str | None) -> Touched:
    return Touched(
        path=path,
        before=None if before is None else before.encode(),
        after=None if after is None else after.encode(),
    )


@pytest.mark.parametrize(("path", "old", "new", "names"), CHANGES)
def test_the_names_of_definitions_that_changed(path: str, old: str, new: str, names: str) -> None:
    text = SOURCES[path]
    assert old in text
    there = changed_names(touched(path, text, text.replace(old, new, 1)))
    back = changed_names(touched(path, text.replace(old, new, 1), text))
    assert set(there) == set(back) == set(names.split())


@pytest.mark.parametrize("path", SOURCES)
def test_nothing_changed_names_nothing_to_look_for(path: str) -> None:
    text = SOURCES[path]
    sign = "# " if path.endswith("py") else "// "
    assert changed_names(touched(path, text + f"{sign}type of it = 1\n", text + f"{sign}class of it(2)\n")) == ()
    assert changed_names(touched(path, text, text + "\n\n")) == ()


def test_a_file_that_comes_or_goes_is_named_by_its_module() -> None:
    assert changed_names(touched("pkg/core.py", None, "")) == ("core",)
    assert changed_names(touched("pkg/core.py", "", None)) == ("core",)
    assert changed_names(touched("pkg/__init__.py", None, "")) == ("pkg",)
    assert changed_names(touched("pkg/index.d.ts", "", None)) == ("pkg",)
    assert changed_names(touched("pkg/core.py", "", "")) == ()


def test_a_moved_file_is_named_by_its_old_name() -> None:
    new = moved([touched("pkg/core.py", "a = 1\n", None), touched("pkg/base.py", None, "a = 1\n")])[1]
    assert changed_names(new) == ("core",)


def test_names_are_bounded_and_a_great_change_is_looked_through_fast() -> None:
    text = "".join(f"def f{number}():\n    return {number}\n" for number in range(50_000))
    began = time.perf_counter()
    assert len(changed_names(touched("a.py", "", text))) == 40
    assert len(changed_names(touched("a.js", "", "var a=[f(1),g(2)];" * 50_000))) <= 40
    assert len(changed_names(touched("a.js", "", "a[" * 500_000))) <= 40
    assert changed_names(touched("a.txt", "", " " * 500_000)) == ()
    assert time.perf_counter() - began < 1.0


# ---- the search ----


def put(folder: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def naming(folder: Path, names: set[str], modules: set[str] | None = None) -> list[str]:
    texts = Texts(str(folder), lambda name: name.endswith(".py"))
    texts.look()
    return [os.path.relpath(path, folder) for path in texts.naming(names, modules or set())]


def test_files_are_found_that_hold_a_name_as_a_word(tmp_path: Path) -> None:
    put(
        tmp_path,
        {
            "a.py": "x = total(1)",
            "b.py": "subtotal = total_of = totals = étotal = 1",
            "c/d.py": "from core import (\n    total)",
            "e.txt": "total",
            "f.py": "größe = 1",
        },
    )
    assert naming(tmp_path, {"total"}) == ["a.py", "c/d.py"]
    assert naming(tmp_path, {"größe"}) == ["f.py"]
    assert naming(tmp_path, {"total", "größe"}) == ["a.py", "f.py", "c/d.py"]
    assert naming(tmp_path, {"nowhere"}) == naming(tmp_path, set()) == []


def test_those_that_name_the_module_too_come_first(tmp_path: Path) -> None:
    put(tmp_path, {"a.py": "total = 1", "z.py": "from core import total"})
    assert naming(tmp_path, {"total"}, {"core"}) == ["z.py", "a.py"]


def test_hidden_vendored_and_linked_files_are_left_out(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "outside"
    put(project, {f"{folder}/a.py": "total" for folder in (".git", "node_modules", "src")})
    put(outside, {"a.py": "total"})
    (project / "linked").symlink_to(outside)
    (project / "link.py").symlink_to(outside / "a.py")
    assert naming(project, {"total"}) == ["src/a.py"]


def test_twenty_files_at_most_are_found(tmp_path: Path) -> None:
    put(tmp_path, {f"{number:03}.py": "total" for number in range(100)})
    put(tmp_path, {"zzz.py": "core total"})
    found = naming(tmp_path, {"total"}, {"core"})
    assert MOST == len(found) == 20
    assert found[0] == "zzz.py"


def test_the_search_ends_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, {f"{number:03}.py": "total" for number in range(10)})

    @attrs.define
    class Slow:
        """Each look at the clock takes a fifth of what the search may."""

        now: float = 0.0

        def perf_counter(self) -> float:
            self.now += SECONDS / 5
            return self.now

    monkeypatch.setattr("toolpost_lsp.writing.texts.time", Slow())
    assert len(naming(tmp_path, {"total"})) in (4, 5)


def test_a_file_that_changes_is_read_again(tmp_path: Path) -> None:
    put(tmp_path, {"a.py": "one", "b.py": "two"})
    texts = Texts(str(tmp_path), lambda name: name.endswith(".py"))
    texts.look()
    assert [os.path.basename(each) for each in texts.naming({"two"}, ())] == ["b.py"]
    put(tmp_path, {"a.py": "two, and more"})
    (tmp_path / "b.py").unlink()
    texts.look()
    assert [os.path.basename(each) for each in texts.naming({"two"}, ())] == ["a.py"]
