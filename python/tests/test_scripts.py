"""Spark's scripts as their users call them: with the jar and three settings, on what the README shows."""

import re
from pathlib import Path

PYTHON = Path(__file__).resolve().parent.parent
README = (PYTHON.parent / "README.md").read_text(encoding="utf-8")
QUICK_START = README.split("## Quick start: a Spark 4.2 installation", 1)[1].split("\n## ", 1)[0]


def block(language: str) -> str:
    """The first example of the quick start in a language."""
    return re.search(rf"```{language}\n(.*?)```", QUICK_START, re.DOTALL).group(1)


def test_spark_sql_runs_the_quick_start(run, tmp_path):
    (tmp_path / "start.sql").write_text(block("sql"))
    lines = run("spark-sql", "-f", "start.sql").splitlines()
    assert [line for line in lines if "\t" in line] == ["1\tada", "2\tbea", "3\tcyd"]


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
