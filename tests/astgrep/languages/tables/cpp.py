"""C++: templates, constructors, lambdas, casts, and types that look like expressions."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source=r'''
    #include <vector>
    #include "store.hpp"

    namespace app {

    // open calls log("opened"), later.
    template <typename T>
    class Store : public Base {
    public:
        explicit Store(std::string path) : path_(path), max_(10) {}
        virtual ~Store() = default;

        int size() const { return items_.size(); }

        void close() override {
            items_.clear();
            delete cache_;
        }

        static Store* open(const std::string& path);
        virtual void save(int how) = 0;

    private:
        std::string path_;
        std::vector<T> items_{};
        int max_ = 0;
    };

    template <typename T>
    Store<T>* Store<T>::open(const std::string& path) {
        if (path.empty()) {
            throw std::runtime_error("log(opened)");
        }
        if (path == "none") {
            return nullptr;
        } else {
            log("else");
        }
        for (const auto& item : items) {
            log(item, "opened");
        }
        for (int i = 0; i < max; ++i) {
            log( /* why */ i );
        }
        auto each = [&](int x) { return x + x; };
        auto made = std::make_unique<Store>(path);
        auto n = static_cast<int>(size);
        total = total + total;
        try {
            made->close();
        } catch (const std::exception& e) {
            std::cout << e.what() << std::endl;
        }
        switch (n) {
        case 1:
            log("one");
            break;
        default:
            break;
        }
        return new Store<T>(path);
    }

    enum class Color { Red, Green };
    using Names = std::vector<std::string>;

    }  // namespace app
    ''',
    rows=[
        Row(
            "call",
            "log($$$A)",
            [(37, 'log("else")'), (40, 'log(item, "opened")'), (43, "log( /* why */ i )"), (56, 'log("one")')],
            {"A": '"else"'},
        ),
        Row("call", "$X->$M()", [(50, "made->close()")], {"X": "made", "M": "close"}),
        Row("call", "std::make_unique<$T>($$$A)", [(46, "std::make_unique<Store>(path)")], {"T": "Store", "A": "path"}),
        Row("call", "static_cast<$T>($X)", [(47, "static_cast<int>(size)")], {"T": "int", "X": "size"}),
        Row("call", "new $T($$$A)", [(61, "new Store<T>(path)")], {"T": "Store<T>", "A": "path"}),
        Row("call", "std::cout << $X << std::endl", [(52, "std::cout << e.what() << std::endl")], {"X": "e.what()"}),
        Row("definition", "namespace app { $$$B }", [(4, "namespace app {")]),
        Row("definition", "class $C : public $B { $$$M };", [(8, "class Store : public Base {")], {"C": "Store", "B": "Base"}),
        Row("definition", "class $C : $$$B { $$$M }", [(8, "class Store : public Base {")], {"B": "public Base"}),
        Row("definition", "class $C { $$$M };", []),
        Row("definition", "template <typename $T> $D", [(7, "template <typename T>"), (29, "template <typename T>")], {"T": "T"}),
        Row(
            "definition",
            "$T* $C::$F($$$A) { $$$B }",
            [(30, "Store<T>* Store<T>::open(const std::string& path) {")],
            {"T": "Store<T>", "C": "Store<T>", "F": "open"},
        ),
        Row("definition", "[$$$C]($$$A) { $$$B }", [(45, "[&](int x) { return x + x; }")], {"C": "&", "A": "int x"}),
        Row("definition", "auto $N = $X;", [
            (45, "auto each = [&](int x) { return x + x; }"),
            (46, "auto made = std::make_unique<Store>(path)"),
            (47, "auto n = static_cast<int>(size)"),
        ], {"N": "each"}),
        Row("definition", "enum class $E { $$$V };", [(64, "enum class Color { Red, Green }")], {"V": "Red, Green"}),
        Row("definition", "using $N = $T;", [(65, "using Names = std::vector<std::string>")], {"N": "Names"}),
        Row("definition", "std::vector<$T>", [(25, "std::vector<T>"), (65, "std::vector<std::string>")], {"T": "T"}),
        Row(
            "member",
            "explicit $C($$$A) : $$$I { $$$B }",
            [(10, "explicit Store(std::string path) : path_(path), max_(10) {}")],
            {"C": "Store", "I": "path_(path), max_(10)", "B": ""},
        ),
        Row("member", "virtual ~$C() = default;", [(11, "virtual ~Store() = default")], {"C": "Store"}),
        Row("member", "$R $F() const { $$$B }", [(13, "int size() const { return items_.size(); }")], {"R": "int", "F": "size"}),
        Row("member", "void $F() { $$$B }", []),
        Row("member", "void $F() override { $$$B }", [(15, "void close() override {")], {"F": "close"}),
        Row("member", "virtual $T $F($$$A) = 0;", [(21, "virtual void save(int how) = 0")], {"F": "save", "A": "int how"}),
        Row("member", "static $T* $F($$$A);", [(20, "static Store* open(const std::string& path)")], {"F": "open"}, "class member"),
        Row("member", "std::vector<$T> $N{};", [(25, "std::vector<T> items_{}")], {"N": "items_"}, "class member"),
        Row("member", "private: $$$M", [(23, "private:")]),
        Row("condition", "if ($C) { $$$B }", [(31, "if (path.empty()) {")], {"C": "path.empty()"}),
        Row("condition", 'if ($X == "none") $A else $B', [(34, 'if (path == "none") {')], {"X": "path"}),
        Row("condition", "case $X: $$$B break;", [(55, "case 1:")], {"B": 'log("one");'}),
        Row("condition", "catch (const $T& $E) { $$$B }", [(51, "catch (const std::exception& e) {")], {"T": "std::exception", "E": "e"}),
        Row("condition", "try { $$$B } catch ($E) { $$$ }", [(49, "try {")], {"E": "const std::exception& e"}),
        Row("loop", "for (const auto& $I : $X) { $$$B }", [(39, "for (const auto& item : items) {")], {"I": "item", "X": "items"}),
        Row("loop", "for ($$$A; $C; $S) { $$$B }", [(42, "for (int i = 0; i < max; ++i) {")], {"S": "++i"}),
        Row("string", '"opened"', [(40, '"opened"')]),
        Row("string", 'throw $E("$M");', [(32, 'throw std::runtime_error("log(opened)")')], {"M": "log(opened)"}),
        Row("comment", "log($X)", [(37, 'log("else")'), (43, "log( /* why */ i )"), (56, 'log("one")')]),
        Row("comment", 'log("opened")', []),
        Row("repeated", "$X = $X + $X;", [(48, "total = total + total")], {"X": "total"}),
        Row("repeated", "$X + $X", [(45, "x + x"), (48, "total + total")], {"X": "x"}),
    ],
    rewrites=[
        Rewrite("foo($X, $$$A)", "bar($$$A, $X)", "void f() {\n    foo(a);\n    foo(b, c, d);\n}\n", "void f() {\n    bar(a);\n    bar(c, d, b);\n}\n"),
        Rewrite("twice($X)", "$X * 2", "int x = twice(a + b);\n", "int x = (a + b) * 2;\n"),
        Rewrite("std::vector<$T>", "absl::InlinedVector<$T, 4>", "std::vector<int> a;\nvoid f(const std::vector<A<B>>& b);\n", "absl::InlinedVector<int, 4> a;\nvoid f(const absl::InlinedVector<A<B>, 4>& b);\n"),
        Rewrite("$T* $N = new $T($$$A);", "auto $N = std::make_unique<$T>($$$A);", "void f() {\n    Foo* p = new Foo(1, 2);\n    Foo* q = new Bar();\n}\n", "void f() {\n    auto p = std::make_unique<Foo>(1, 2);\n    Foo* q = new Bar();\n}\n"),
        Rewrite(
            "[&]($$$A) { $$$B }",
            "[this]($$$A) { $$$B }",
            "void f() {\n    run([&](int x) {\n        if (x) {\n            g(x);\n        }\n    });\n}\n",
            "void f() {\n    run([this](int x) {\n        if (x) {\n            g(x);\n        }\n    });\n}\n",
        ),
        Rewrite("delete $X;", "", "void f() {\n    delete a;\n    g();\n}\n", "void f() {\n    g();\n}\n"),
        Rewrite("f($X)", "$X +", "int x = f(1);\n", None),
    ],
)  # fmt: skip
