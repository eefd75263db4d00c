"""Spark's scripts as their users call them: with the jar and three settings, on what the README shows."""

import re
from pathlib import Path

PYTHON = Path(__file__).resolve().parent.parent
README = (PYTHON.parent / "README.md").read_text(encoding="utf-8")
QUICK_START = README.split("## Quick start: a Spark 4.2 installation", 1)[1].split("\n## ", 1)[0]


def block(language: str) -> str:
    """The first example of the quick start in a language."""
    return re.search(rf"```{language}\n(.*?)```", QUICK_START, re.DOTALL).group(1)


def normal(row: str) -> str:
    """A row in one form: times with a blank, without seconds where these are zero."""
    return re.sub(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(:00)?(?=\t|$|:)", r"\1 \2", row).replace("null", "NULL")


def test_spark_sql_runs_the_quick_start_and_statements_of_flink(run, tmp_path):
    flink = (PYTHON.parent / "extensions/src/test/resources/flink-dialect.sql").read_text(encoding="utf-8")
    expected = [line[4:].replace(",", "\t") for line in flink.splitlines() if line.startswith("--> ")]
    assert len(expected) > 20
    (tmp_path / "all.sql").write_text(block("sql") + "\nCREATE NAMESPACE lake.db;\nUSE lake.db;\n" + flink)
    rows = [row for row in run("spark-sql", "-f", "all.sql").splitlines() if row]
    assert [normal(row) for row in rows] == ["1\tada", "2\tbea", "3\tcyd", *map(normal, expected)]


def test_pyspark_runs_the_quick_start(run):
    shown = run("pyspark", stdin=block("python"))
    assert "|  2| bea|" in shown and "|  3| cyd|" in shown


def test_spark_shell_runs_the_quick_start_and_the_tour(run, tmp_path):
    tour = PYTHON / "examples" / "tour.scala"
    script = tmp_path / "all.scala"
    script.write_text(block("scala") + "\n" + tour.read_text())
    shown = run("spark-shell", "-I", str(script))
    assert "|  2| bea|" in shown and "|  3| cyd|" in shown
    assert "tour: done" in shown, shown
