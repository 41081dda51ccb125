"""Elixir."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source='''
    defmodule Shop.Store do
      @moduledoc """
      Calls log("opened") now and then.
      """
      use GenServer
      alias Shop.{Item, Order}

      @limit 10
      defstruct path: nil, items: [], limit: @limit

      # log("opened") is called later
      @spec open(String.t()) :: {:ok, t} | {:error, term}
      def open(""), do: {:error, :empty}

      def open(path) when is_binary(path) do
        if path == "x" do
          log("opened", path)
        end

        if ready?(path) do
          log(path)
        else
          log path
        end

        case File.read(path) do
          {:ok, body} -> parse(body)
          {:error, reason} when reason != :enoent ->
            Logger.error("not opened: #{inspect(reason)}")
            raise ArgumentError, message: "log('opened')"
          _ -> nil
        end

        for item <- items, do: log( # why
          item)
        for {key, item} <- map do
          Enum.map(item, fn each -> each.price end)
        end

        total = total + total
        path |> String.trim() |> String.split(",")
        Enum.map(items, &(&1 * 2))
        %{"kind" => :many, path: path}
        %Order{path: path, limit: 3}
      end

      defp twice(x), do: x + x

      @impl true
      def handle_call({:get, key}, _from, state) do
        {:reply, Map.get(state, key), state}
      end
    end
    ''',
    rows=[
        Row("call", "log($X)", [(21, "log(path)"), (34, "log( # why")], {"X": "path"}),
        Row("call", "log($X, $$$R)", [(17, 'log("opened", path)'), (21, "log(path)"), (34, "log( # why")], {"X": '"opened"', "R": "path"}),
        Row("call", "log $X", [(23, "log path")], {"X": "path"}),
        Row("call", "Enum.map($X, fn $Y -> $Z end)", [(37, "Enum.map(item, fn each -> each.price end)")], {"X": "item", "Y": "each", "Z": "each.price"}),
        Row("call", "Enum.map($X, &($$$B))", [(42, "Enum.map(items, &(&1 * 2))")], {"B": "&1 * 2"}),
        Row("call", "$X |> String.split($S)", [(41, 'path |> String.trim() |> String.split(",")')], {"X": "path |> String.trim()", "S": '","'}),
        Row("call", "|> String.split($S)", [(41, '|> String.split(",")')], {"S": '","'}),
        Row("call", "raise $E, $$$A", [(30, "raise ArgumentError, message: \"log('opened')\"")], {"E": "ArgumentError"}),
        Row("definition", "defmodule $M do\n  $$$B\nend", [(1, "defmodule Shop.Store do")], {"M": "Shop.Store"}),
        Row("definition", "def $F($$$A) when $G do\n  $$$B\nend", [(15, "def open(path) when is_binary(path) do")], {"F": "open", "A": "path", "G": "is_binary(path)"}),
        Row("definition", "def $F($$$A) do\n  $$$B\nend", [(50, "def handle_call({:get, key}, _from, state) do")], {"F": "handle_call", "B": "{:reply, Map.get(state, key), state}"}),
        Row("definition", "@impl true\ndef $F($$$A) do\n  $$$B\nend", [(49, "@impl true")], {"F": "handle_call"}),
        Row("definition", "def $F($$$A), do: $B", [(13, 'def open(""), do: {:error, :empty}')], {"F": "open", "B": "{:error, :empty}"}),
        Row("definition", "alias Shop.{$$$A}", [(6, "alias Shop.{Item, Order}")], {"A": "Item, Order"}),
        Row("member", "@limit $X", [(8, "@limit 10")], {"X": "10"}),
        Row("member", "@spec $F($$$A) :: $R", [(12, "@spec open(String.t()) :: {:ok, t} | {:error, term}")], {"F": "open"}),
        Row("member", "defstruct path: $X, $$$R", [(9, "defstruct path: nil, items: [], limit: @limit")], {"X": "nil", "R": "items: [], limit: @limit"}),
        Row("member", "%Order{path: $P, $$$R}", [(44, "%Order{path: path, limit: 3}")], {"P": "path", "R": "limit: 3"}),
        Row("member", '%{"kind" => $V, $$$R}', [(43, '%{"kind" => :many, path: path}')], {"V": ":many"}),
        Row("member", "limit: $X", [(9, "limit: @limit"), (44, "limit: 3")], {"X": "@limit"}),
        Row("condition", "if $C do\n  $$$B\nend", [(16, 'if path == "x" do')], {"C": 'path == "x"', "B": 'log("opened", path)'}),
        Row("condition", "if $C do $$$A else $$$B end", [(20, "if ready?(path) do")], {"A": "log(path)", "B": "log path"}),
        Row("condition", "case $X do\n  $$$A\nend", [(26, "case File.read(path) do")], {"X": "File.read(path)"}),
        Row("condition", "{:ok, $X} -> $Y", [(27, "{:ok, body} -> parse(body)")], {"X": "body", "Y": "parse(body)"}),
        Row("condition", "{:error, $R} when $G -> $$$B", [(28, "{:error, reason} when reason != :enoent ->")], {"R": "reason"}),
        Row("loop", "for $P <- $X do\n  $$$B\nend", [(36, "for {key, item} <- map do")], {"P": "{key, item}", "X": "map"}),
        Row("loop", "for $P <- $X, do: $Y", [(34, "for item <- items, do: log( # why")], {"P": "item"}),
        Row("string", '"opened"', [(17, '"opened"')]),
        Row("string", '"not opened: #{$X}"', [(29, '"not opened: #{inspect(reason)}"')], {"X": "inspect(reason)"}),
        Row("comment", "log(item)", [(34, "log( # why")]),
        Row("comment", 'log("opened")', []),
        Row("repeated", "$X = $X + $X", [(40, "total = total + total")], {"X": "total"}),
        Row("repeated", "defp $F($X), do: $X + $X", [(47, "defp twice(x), do: x + x")], {"X": "x"}),
    ],
    rewrites=[
        Rewrite("log($$$A)", "trace($$$A, level)", "log()\nlog(a, b)\n", "trace(level)\ntrace(a, b, level)\n"),
        Rewrite("double($X)", "$X * 2", "x = double(a + b)\n", "x = (a + b) * 2\n"),
        Rewrite("Enum.map($X, $F) |> Enum.filter($G)", "$X |> Enum.map($F) |> Enum.filter($G)", "Enum.map(a, f) |> Enum.filter(g)\n", "a |> Enum.map(f) |> Enum.filter(g)\n"),
        Rewrite(
            "if $C do\n  $$$B\nend",
            "unless $C do\n  $$$B\nend",
            'def f do\n  if a do\n    g()\n\n    h("""\n    x\n    """)\n  end\nend\n',
            'def f do\n  unless a do\n    g()\n\n    h("""\n    x\n    """)\n  end\nend\n',
        ),
        Rewrite("def $F($$$A), do: $B", "def $F($$$A) do\n  $B\nend", "defmodule M do\n  def f(a), do: a + 1\nend\n", "defmodule M do\n  def f(a) do\n    a + 1\n  end\nend\n"),
        Rewrite("IO.inspect($$$)", "", "def f do\n  a()\n  IO.inspect(x)\n  b()\nend\n", "def f do\n  a()\n  b()\nend\n"),
        Rewrite("IO.inspect($X)", "", "x = IO.inspect(y)\n", None),
        Rewrite("f($X)", "g($X", "f(1)\n", None),
    ],
)  # fmt: skip
