"""SQL. A query stands for a loop: it goes over rows."""

from __future__ import annotations

from astgrep.languages.table import Rewrite, Row, Table

TABLE = Table(
    source="""
    -- SELECT name FROM users is said here
    CREATE TABLE users (
      id integer PRIMARY KEY,
      name varchar(80) NOT NULL,
      team_id integer REFERENCES teams (id)
    );

    /* coalesce(x, 0) is
       said here */
    SELECT u.name, count(*) AS n
    FROM users AS u
    JOIN teams t ON t.id = u.team_id
    WHERE u.active = true AND lower(u.name) LIKE 'a%'
    GROUP BY u.name
    HAVING COUNT( * ) > 1
    ORDER BY n DESC
    LIMIT 10;

    select name from Users;
    INSERT INTO users (id) VALUES (7);
    INSERT INTO users (id, name) VALUES (1, 'ann'), (2, 'SELECT name FROM users');
    UPDATE users SET name = 'bob', team_id = NULL WHERE id = 2;
    UPDATE users SET name = upper(name);
    DELETE FROM users WHERE id = 3;
    SELECT CASE WHEN a = 1 THEN 'x' ELSE 'y' END, a + a FROM t;
    SELECT id FROM teams WHERE lead IN (SELECT name FROM users) AND b BETWEEN 1 AND 2;
    WITH x AS (SELECT 1) SELECT * FROM x;
    ALTER TABLE users ADD COLUMN age int;
    CREATE VIEW v AS SELECT * FROM users;
    SELECT coalesce(a, b, 0), coalesce( /* why */ c, -- so
      0 ) FROM t WHERE a IS NULL;
    """,
    rows=[
        Row("call", "coalesce($X, 0)", [(30, "coalesce( /* why */ c, -- so")], {"X": "c"}, "expression"),
        Row("call", "coalesce($$$A, 0)", [(30, "coalesce(a, b, 0)"), (30, "coalesce( /* why */ c, -- so")], {"A": "a, b"}),
        Row("call", "count(*)", [(10, "count(*)"), (15, "COUNT( * )")]),
        Row("definition", "CREATE TABLE $T ($$$A, name $TYPE NOT NULL, $$$B)", [(2, "CREATE TABLE users (")], {"T": "users", "A": "id integer PRIMARY KEY", "TYPE": "varchar(80)"}),
        Row("definition", "CREATE VIEW $V AS $$$Q", [(29, "CREATE VIEW v AS SELECT * FROM users")], {"V": "v"}),
        Row("definition", "alter table $T add column $C int", [(28, "ALTER TABLE users ADD COLUMN age int")], {"C": "age"}),
        Row("definition", "WITH $N AS ($$$Q) SELECT $$$ FROM $N", [(27, "WITH x AS (SELECT 1) SELECT * FROM x")], {"N": "x", "Q": "SELECT 1"}),
        Row("member", "$C integer PRIMARY KEY", [(3, "id integer PRIMARY KEY")], {"C": "id"}, "class member"),
        Row("member", "$T.team_id", [(12, "u.team_id")], {"T": "u"}),
        Row("condition", "$X IS NULL", [(31, "a IS NULL")], {"X": "a"}),
        Row("condition", "WHERE id = $X", [(22, "WHERE id = 2"), (24, "WHERE id = 3")], {"X": "2"}, "clause"),
        Row("condition", "CASE WHEN $C THEN $V ELSE $_ END", [(25, "CASE WHEN a = 1 THEN 'x' ELSE 'y' END")], {"C": "a = 1", "V": "'x'"}),
        Row("condition", "DELETE FROM $T", []),
        Row("condition", "UPDATE users SET $$$A WHERE $C", [(22, "UPDATE users SET name = 'bob', team_id = NULL WHERE id = 2")], {"A": "name = 'bob', team_id = NULL", "C": "id = 2"}),
        Row("loop", "SELECT $X FROM users", [(19, "select name from Users"), (26, "SELECT name FROM users"), (29, "SELECT * FROM users")], {"X": "name"}),
        Row("loop", "JOIN $T $A ON $L = $R", [(12, "JOIN teams t ON t.id = u.team_id")], {"T": "teams", "A": "t", "R": "u.team_id"}),
        Row("loop", "LIMIT $N", [(17, "LIMIT 10")], {"N": "10"}),
        Row("string", "'ann'", [(21, "'ann'")]),
        Row("string", "INSERT INTO users ($$$C) VALUES ($A, 'ann'), $$$ROWS", [(21, "INSERT INTO users (id, name) VALUES (1, 'ann'), (2, 'SELECT name FROM users')")], {"C": "id, name", "A": "1"}),
        Row("comment", "SELECT name FROM users", [(19, "select name from Users"), (26, "SELECT name FROM users")]),
        Row("repeated", "$A + $A", [(25, "a + a")], {"A": "a"}),
        Row("repeated", "$A = upper($A)", [(23, "name = upper(name)")], {"A": "name"}, "assignment"),
    ],
    rewrites=[
        Rewrite("ifnull($X, $$$A)", "coalesce($X, $$$A)", "SELECT ifnull(a, 0), ifnull(b, c) FROM t;\n", "SELECT coalesce(a, 0), coalesce(b, c) FROM t;\n"),
        Rewrite("now($$$A)", "f($$$A, 1)", "SELECT now(), now(x) FROM t;\n", "SELECT f(1), f(x, 1) FROM t;\n"),
        Rewrite("double($X)", "$X * 2", "SELECT double(a + b) FROM t;\n", "SELECT (a + b) * 2 FROM t;\n"),
        Rewrite("both($A, $B)", "$A AND $B", "SELECT 1 FROM t WHERE both(a OR b, c);\n", "SELECT 1 FROM t WHERE (a OR b) AND c;\n"),
        Rewrite("CREATE TABLE $T ($$$C)", "CREATE TABLE IF NOT EXISTS $T ($$$C)", "CREATE TABLE t (\n    a int, -- kept\n    b int\n);\n", "CREATE TABLE IF NOT EXISTS t (\n    a int, -- kept\n    b int\n);\n"),
        Rewrite("DROP TABLE $T", "", "CREATE INDEX i ON a (b);\nDROP TABLE a;\nSELECT 1;\n", "CREATE INDEX i ON a (b);\nSELECT 1;\n"),
        Rewrite("SELECT $X FROM $T", "SELECT $X, id FROM $T", "SELECT a FROM t;\n", "SELECT a, id FROM t;\n"),
        Rewrite("lower($X)", "lower($X", "SELECT lower(a) FROM t;\n", None),
        Rewrite("$A = $B", "$A = $B OR", "SELECT 1 FROM t WHERE a = b;\n", None),
    ],
)  # fmt: skip
