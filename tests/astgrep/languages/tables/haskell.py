"""Haskell: application by juxtaposition, layout, operators without precedence, clauses and guards."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    {-# LANGUAGE OverloadedStrings #-}
    module Store (Store (..), open, close) where

    import qualified Data.Map as Map
    import Data.Maybe (fromMaybe, mapMaybe)
    import Control.Monad

    -- | open calls putStrLn "opened", later.
    data Store = Store
      { path :: FilePath
      , items :: Map.Map String Int
      }
      deriving (Show, Eq)

    data Shape = Circle Double | Square Double

    newtype Name = Name String

    type Items = [Item]

    class Monoid' a where
      empty :: a

    instance Show Shape where
      show (Circle r) = "Circle " ++ show r
      show (Square s) = "Square"

    limit :: Int
    limit = 10

    double :: Int -> Int
    double x = x + x

    area :: Shape -> Double
    area shape = case shape of
      Circle r -> pi * r * r
      Square s -> s * s

    classify :: Int -> String
    classify n
      | n < 0 = "negative"
      | otherwise = "opened"

    open :: FilePath -> Int -> IO (Maybe Store)
    open path max = do
      exists <- doesFileExist path
      if exists
        then putStrLn "opened"
        else error "log opened"
      forM_ [1 .. max] $ \i -> do
        print i
      let size = length (filter even xs)
      mapM_ (\x -> print {- why -} x) xs
      when (max > 0) $ putStrLn "opened"
      return (Just (Store path Map.empty))
      where
        xs = map (+ 1) [1, 2, 3]
    ''',
    rows=[
        Row("call", "putStrLn $X", [(48, 'putStrLn "opened"'), (54, 'putStrLn "opened"')], {"X": '"opened"'}),
        Row("call", "map $F $X", [(57, "map (+ 1) [1, 2, 3]")], {"F": "(+ 1)", "X": "[1, 2, 3]"}),
        Row("call", "length (filter $P $X)", [(52, "length (filter even xs)")], {"P": "even", "X": "xs"}),
        Row("call", "$A ++ $B", [(25, '"Circle " ++ show r')], {"A": '"Circle "', "B": "show r"}),
        Row("call", "when ($C) $ $B", [(54, 'when (max > 0) $ putStrLn "opened"')], {"C": "max > 0"}),
        Row("call", "Just ($X)", [(55, "Just (Store path Map.empty)")], {"X": "Store path Map.empty"}),
        Row("call", "$X <- $Y", [(46, "exists <- doesFileExist path")], {"X": "exists", "Y": "doesFileExist path"}),
        Row("definition", "module $M ($$$A, close) where", [(2, "module Store (Store (..), open, close) where")], {"M": "Store", "A": "Store (..), open"}),
        Row("definition", "import qualified $M as $A", [(4, "import qualified Data.Map as Map")], {"M": "Data.Map", "A": "Map"}),
        Row("definition", "import Data.Maybe ($$$N)", [(5, "import Data.Maybe (fromMaybe, mapMaybe)")], {"N": "fromMaybe, mapMaybe"}),
        Row("definition", "import $M", [(6, "import Control.Monad")], {"M": "Control.Monad"}),
        Row("definition", "data $T = Circle $A | $B", [(15, "data Shape = Circle Double | Square Double")], {"T": "Shape", "A": "Double"}),
        Row("definition", "data $T = $C { $$$F } deriving (Show, $D)", [(9, "data Store = Store")], {"T": "Store", "D": "Eq"}),
        Row("definition", "newtype $T = $C $A", [(17, "newtype Name = Name String")], {"A": "String"}),
        Row("definition", "type $N = [$T]", [(19, "type Items = [Item]")], {"N": "Items", "T": "Item"}),
        Row("definition", "area :: $A -> $B", [(34, "area :: Shape -> Double")], {"A": "Shape", "B": "Double"}),
        Row("definition", "$F $X = $X + $X", [(32, "double x = x + x")], {"F": "double", "X": "x"}),
        Row("definition", "open $$$P = $B\n  where\n    $$$W", [(45, "open path max = do")], {"P": "path max", "W": "xs = map (+ 1) [1, 2, 3]"}),
        Row("definition", "open $$$P = $B", []),
        Row("definition", "let $N = $V", [(52, "let size = length (filter even xs)")], {"N": "size"}),
        Row("definition", r"\ $X -> $B", [(50, r"\i -> do"), (53, r"\x -> print {- why -} x")], {"X": "i", "B": "do\n    print i"}),
        Row("member", "class $C $A where\n  $$$M", [(21, "class Monoid' a where")], {"C": "Monoid'", "M": "empty :: a"}),
        Row("member", "instance Show $T where\n  $$$M", [(24, "instance Show Shape where")], {"T": "Shape"}),
        Row("member", "show (Circle $R) = $B", [(25, 'show (Circle r) = "Circle " ++ show r')], {"R": "r"}),
        Row("member", "$N :: FilePath", [(10, "path :: FilePath")], {"N": "path"}, "field"),
        Row("condition", "if $C then $A else $B", [(47, "if exists")], {"C": "exists", "B": 'error "log opened"'}),
        Row("condition", "case $X of\n  Circle $R -> $B\n  $$$A", [(35, "case shape of")], {"X": "shape", "A": "Square s -> s * s"}),
        Row("condition", "Square $S -> $B", [(37, "Square s -> s * s")], {"S": "s", "B": "s * s"}),
        Row("condition", "| $C = $B", [(41, '| n < 0 = "negative"'), (42, '| otherwise = "opened"')], {"C": "n < 0"}),
        Row("loop", "forM_ $X $ $F", [(50, r"forM_ [1 .. max] $ \i -> do")], {"X": "[1 .. max]"}),
        Row("loop", "mapM_ ($F) $X", [(53, r"mapM_ (\x -> print {- why -} x) xs")], {"X": "xs"}),
        Row("loop", "[$A .. $B]", [(50, "[1 .. max]")], {"A": "1", "B": "max"}),
        Row("string", '"opened"', [(42, '"opened"'), (48, '"opened"'), (54, '"opened"')]),
        Row("comment", 'putStrLn "opened"', [(48, 'putStrLn "opened"'), (54, 'putStrLn "opened"')]),
        Row("comment", "print x", [(53, "print {- why -} x")]),
        Row("repeated", "$X * $X", [(36, "r * r"), (37, "s * s")], {"X": "r"}),
        Row("repeated", "$X + $X", [(32, "x + x")], {"X": "x"}),
    ],
    rewrites=[
        Rewrite("foo $X $Y", "bar $Y $X", "f = foo a (b c)\n", "f = bar (b c) a\n"),
        Rewrite("$A <> $B", "mappend $A $B", "f = g x <> y\n", "f = mappend (g x) y\n"),
        Rewrite("twice $X", "$X * 2", "f = twice a + 1\ng = h (twice b)\n", "f = (a * 2) + 1\ng = h (b * 2)\n"),
        Rewrite(
            "when ($C) $ do\n  $$$B",
            "unless (not ($C)) $ do\n  $$$B",
            "f = do\n  when (x > 0) $ do\n    print x -- one\n\n    case x of\n      1 -> g\n  h\n",
            "f = do\n  unless (not (x > 0)) $ do\n    print x -- one\n\n    case x of\n      1 -> g\n  h\n",
        ),
        Rewrite("trace $$$", "", "f = do\n  trace x\n  g\n", "f = do\n  g\n"),
        Rewrite("import $M", "import qualified $M", "import A.B\n\nx = 1\n", "import qualified A.B\n\nx = 1\n"),
        Rewrite("[$$$A]", "[0, $$$A]", "f = [1, 2]\ng = []\n", "f = [0, 1, 2]\ng = [0]\n"),
        Rewrite("foo $X", "$X +", "f = foo a\n", None),
    ],
)  # fmt: skip
