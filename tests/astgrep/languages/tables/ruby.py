"""Ruby."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source="""
    require "json"

    module Shop
      # log("opened") is called later
      class Store < Base
        include Enumerable
        attr_reader :path, :items

        LIMIT = 10

        def initialize(path, limit: LIMIT, **options)
          @path = path
          @items = options.fetch(:items) { [] }
          super(path)
        end

        def self.open(path = nil)
          raise ArgumentError, "log('opened')" if path.nil?
          if path.empty?
            log "opened"
          end
          if path == "x"
            log("x", path)
          elsif path then log( # why
            path
          )
          else
            log(path) { |line| line * 2 }
          end
          Shop::Store.new(path)
        end

        def total
          total = total + total
          items.each do |key, item|
            puts "hello #{item} and #{key}"
          end
          items.select { |item| item.price > LIMIT }.map(&:price)
          for item in items do log(item) end
          case total
          when 0, 1 then :few
          when Integer
            @kind = { "kind" => :many, path: @path }
          end
          begin
            load
          rescue IOError => e
            log e, total
          ensure
            close
          end
          query = <<~SQL
            select #{path}
          SQL
          twice = ->(x) { x + x }
          $stdout.puts(query)
        end

        def empty? = items.none?
      end
    end
    """,
    rows=[
        Row("call", "log($X)", [(24, "log( # why"), (39, "log(item)")], {"X": "path"}),
        Row("call", "log($X, $$$R)", [(23, 'log("x", path)'), (24, "log( # why"), (39, "log(item)")], {"X": '"x"', "R": "path"}),
        Row("call", "log $$$A", [(20, 'log "opened"'), (48, "log e, total")], {"A": '"opened"'}),
        Row("call", "log $X", [(20, 'log "opened"')], {"X": '"opened"'}),
        Row("call", "$C.new($$$A)", [(30, "Shop::Store.new(path)")], {"C": "Shop::Store", "A": "path"}),
        Row("call", "$O.map(&$F)", [(38, "items.select { |item| item.price > LIMIT }.map(&:price)")], {"O": "items.select { |item| item.price > LIMIT }", "F": ":price"}),
        Row("call", "log($X) { |$Y| $Y * 2 }", [(28, "log(path) { |line| line * 2 }")], {"X": "path", "Y": "line"}),
        Row("call", "raise $E, $M", [(18, "raise ArgumentError, \"log('opened')\"")], {"E": "ArgumentError"}),
        Row("definition", "def $F($$$A)\n  $$$B\nend", [(11, "def initialize(path, limit: LIMIT, **options)")], {"F": "initialize", "A": "path, limit: LIMIT, **options"}),
        Row("definition", "def self.$F($X = nil)\n  $$$B\nend", [(17, "def self.open(path = nil)")], {"F": "open", "X": "path"}),
        Row("definition", "def $F\n  $$$B\nend", [(33, "def total")], {"F": "total"}),
        Row("definition", "def $F = $X", [(59, "def empty? = items.none?")], {"F": "empty?", "X": "items.none?"}),
        Row("definition", "class $C < $D\n  $$$B\nend", [(5, "class Store < Base")], {"C": "Store", "D": "Base"}),
        Row("definition", "class $C\n  $$$B\nend", []),
        Row("definition", "module $M\n  $$$B\nend", [(3, "module Shop")], {"M": "Shop"}),
        Row("definition", "require $X", [(1, 'require "json"')], {"X": '"json"'}),
        Row("member", "attr_reader :path, $$$N", [(7, "attr_reader :path, :items")], {"N": ":items"}),
        Row("member", "@path = $X", [(12, "@path = path")], {"X": "path"}),
        Row("member", "Shop::$C", [(30, "Shop::Store")], {"C": "Store"}),
        Row("member", "$stdout.$M($$$A)", [(56, "$stdout.puts(query)")], {"M": "puts"}),
        Row("condition", "if $X\n  $$$B\nend", [(19, "if path.empty?")], {"X": "path.empty?", "B": 'log "opened"'}),
        Row("condition", "$X if $Y", [(18, "raise ArgumentError, \"log('opened')\" if path.nil?")], {"Y": "path.nil?"}),
        Row("condition", "if $X\n  $$$A\nelsif $Y\n  $$$B\nelse\n  $$$C\nend", [(22, 'if path == "x"')], {"Y": "path", "C": "log(path) { |line| line * 2 }"}),
        Row("condition", "when $$$X then $Y", [(41, "when 0, 1 then :few"), (42, "when Integer")], {"X": "0, 1", "Y": ":few"}),
        Row("condition", "case $X\n  $$$W\nend", [(40, "case total")], {"X": "total"}),
        Row("condition", "rescue $E => $V\n  $$$B", [(47, "rescue IOError => e")], {"E": "IOError", "V": "e", "B": "log e, total"}),
        Row("loop", "$X.each do |$$$A|\n  $$$B\nend", [(35, "items.each do |key, item|")], {"A": "key, item"}),
        Row("loop", "for $I in $X\n  $$$B\nend", [(39, "for item in items do log(item) end")], {"I": "item", "B": "log(item)"}),
        Row("string", '"opened"', [(20, '"opened"')]),
        Row("string", '"hello #{$X} and #{$_}"', [(36, '"hello #{item} and #{key}"')], {"X": "item"}),
        Row("string", "$V = <<~SQL\n  select #{$X}\nSQL", []),
        Row("string", "$V = <<~SQL\n        select #{$X}\n      SQL", [(52, "query = <<~SQL")], {"V": "query", "X": "path"}),
        Row("string", '"kind" => $V', [(43, '"kind" => :many')], {"V": ":many"}),
        Row("comment", "log(path)", [(24, "log( # why")]),
        Row("comment", 'log("opened")', []),
        Row("repeated", "$X = $X + $X", [(34, "total = total + total")], {"X": "total"}),
        Row("repeated", "->($X) { $X + $X }", [(55, "->(x) { x + x }")], {"X": "x"}),
    ],
    rewrites=[
        Rewrite("log($$$A)", "trace($$$A, level)", "log()\nlog(a, b,)\n", "trace(level)\ntrace(a, b, level)\n"),
        Rewrite("log $$$A", "trace $$$A, level", "log a, b\n", "trace a, b, level\n"),
        Rewrite("double($X)", "$X * 2", "x = double(a + b)\n", "x = (a + b) * 2\n"),
        Rewrite("!$X.empty?", "$X.any?", "a if !b.c.empty?\n", "a if b.c.any?\n"),
        Rewrite(
            "if $X\n  $$$B\nend",
            "unless $X\n  $$$B\nend",
            "def f\n  if a\n    g\n\n    h(<<~T)\n      x\n    T\n  end\nend\n",
            "def f\n  unless a\n    g\n\n    h(<<~T)\n      x\n    T\n  end\nend\n",
        ),
        Rewrite("$X.map { |$Y| $$$B }.flatten", "$X.flat_map { |$Y| $$$B }", "a.map { |x| x.all }.flatten\n", "a.flat_map { |x| x.all }\n"),
        Rewrite("debug($$$)", "", "def f\n  a\n  debug(x)\n  b\nend\n", "def f\n  a\n  b\nend\n"),
        Rewrite("debug($X)", "", "y = debug(x)\n", None),
        Rewrite("f($X)", "g($X", "f(1)\n", None),
    ],
)  # fmt: skip
