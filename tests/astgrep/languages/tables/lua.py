"""Lua."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source="""
    local json = require("json")
    local M = { count = 0, name = "store" }

    -- log("opened") is called later
    --[[ log("closed")
    ]]
    function M.open(path, mode)
      if path == nil then
        error("log('opened')")
      end
      if path == "" then
        return nil, "empty"
      elseif mode then
        log("opened", path)
      else
        log(path) -- why
      end
      for i = 1, 10 do
        log(i)
      end
      for key, item in pairs(M.items) do
        print(key, item)
      end
      while not M.ready do
        M.ready = check()
      end
      total = total + total
      local text = [[opened
      here]]
      M.list[path] = { path = path, [1] = "x", text }
      path:gsub("%s+", "")
      return M.list[path] or M
    end

    local function twice(x) return x + x end

    function M:close()
      self.path = nil
      table.sort(self.list, function(a, b)
        return a.path < b.path
      end)
      print "closed"
    end

    M.on = function(event) log( --[[ why ]]
      event)
    end

    return M
    """,
    rows=[
        Row("call", "log($X)", [(16, "log(path)"), (19, "log(i)"), (45, "log( --[[ why ]]")], {"X": "path"}),
        Row("call", "log($X, $$$R)", [(14, 'log("opened", path)'), (16, "log(path)"), (19, "log(i)"), (45, "log( --[[ why ]]")], {"X": '"opened"', "R": "path"}),
        Row("call", "$O:$M($$$A)", [(31, 'path:gsub("%s+", "")')], {"O": "path", "M": "gsub", "A": '"%s+", ""'}),
        Row("call", 'print "$X"', [(42, 'print "closed"')], {"X": "closed"}),
        Row("call", "table.sort($L, function($$$A) $$$B end)", [(39, "table.sort(self.list, function(a, b)")], {"A": "a, b", "B": "return a.path < b.path"}),
        Row("definition", "function $M.$F($$$A) $$$B end", [(7, "function M.open(path, mode)")], {"M": "M", "F": "open", "A": "path, mode"}),
        Row("definition", "function M:$F()\n  $$$B\nend", [(37, "function M:close()")], {"F": "close"}),
        Row("definition", "local function $F($$$A) $$$B end", [(35, "local function twice(x) return x + x end")], {"F": "twice"}),
        Row("definition", "local $X = require($Y)", [(1, 'local json = require("json")')], {"X": "json", "Y": '"json"'}),
        Row("definition", "$M.on = function($E) $$$B end", [(45, "M.on = function(event) log( --[[ why ]]")], {"E": "event"}),
        Row("member", "count = $V", [(2, "count = 0")], {"V": "0"}, "pair"),
        Row("member", "self.$N = $V", [(38, "self.path = nil")], {"N": "path"}),
        Row("member", "{ path = $V, $$$R }", [(30, '{ path = path, [1] = "x", text }')], {"V": "path", "R": '[1] = "x", text'}),
        Row("member", "[$K] = $V", [(30, '[1] = "x"')], {"K": "1"}),
        Row("condition", "if $X == nil then $$$B end", [(8, "if path == nil then")], {"X": "path"}),
        Row("condition", "if $C then $$$B end", [(8, "if path == nil then")]),
        Row("condition", "if $C then\n  $$$A\nelseif $D then\n  $$$B\nelse\n  $$$E\nend", [(11, 'if path == "" then')], {"D": "mode", "E": "log(path)"}),
        Row("condition", "return $X or $Y", [(32, "return M.list[path] or M")], {"X": "M.list[path]", "Y": "M"}),
        Row("condition", "return $X", [(32, "return M.list[path] or M"), (35, "return x + x"), (40, "return a.path < b.path"), (49, "return M")]),
        Row("loop", "for $I = 1, $N do $$$B end", [(18, "for i = 1, 10 do")], {"I": "i", "N": "10"}),
        Row("loop", "for $K, $V in pairs($X) do\n  $$$B\nend", [(21, "for key, item in pairs(M.items) do")], {"K": "key", "V": "item", "X": "M.items"}),
        Row("loop", "while not $C do $$$B end", [(24, "while not M.ready do")], {"C": "M.ready"}),
        Row("string", '"opened"', [(14, '"opened"')]),
        Row("string", "[[opened\n  here]]", [(28, "[[opened")]),
        Row("string", "[[opened here]]", []),
        Row("comment", "log(event)", [(45, "log( --[[ why ]]")]),
        Row("comment", 'log("closed")', []),
        Row("repeated", "$X = $X + $X", [(27, "total = total + total")], {"X": "total"}),
    ],
    rewrites=[
        Rewrite("log($$$A)", "trace($$$A, level)", "log()\nlog(a, b)\n", "trace(level)\ntrace(a, b, level)\n"),
        Rewrite("double($X)", "$X * 2", "x = double(a + b)\n", "x = (a + b) * 2\n"),
        Rewrite("table.insert($T, $V)", "$T[#$T + 1] = $V", "table.insert(a.b, c)\n", "a.b[#a.b + 1] = c\n"),
        Rewrite(
            "if $C then $$$B end",
            "while $C do\n  $$$B\nend",
            "function f()\n  if a then\n    g()\n\n    h([[x\n  y]])\n  end\nend\n",
            "function f()\n  while a do\n    g()\n\n    h([[x\n  y]])\n  end\nend\n",
        ),
        Rewrite("debug($$$)", "", "a()\ndebug(x)\nb()\n", "a()\nb()\n"),
        Rewrite("debug($X)", "", "x = debug(y)\n", None),
        Rewrite("f($X)", "g($X", "f(1)\n", None),
    ],
)  # fmt: skip
