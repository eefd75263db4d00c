"""Parts that need no session."""

import pytest
from pyspark.sql import SparkSession

from keylake import KeylakeError, configure, settings
from keylake.errors import ConflictError, CorruptTableError, InvalidRequestError, StreamStateError, UnsupportedError
from keylake.merge import MergeBuilder, assignments
from keylake.names import TableName


def resolved(text):
    return TableName.resolve(text, "spark_catalog", "default", {"lake", "spark_catalog"})


def test_names_are_resolved_as_spark_does():
    assert resolved("lake.shop.t") == TableName("lake", ("shop", "t"))
    assert resolved("shop.t") == TableName("spark_catalog", ("shop", "t"))
    assert resolved("t") == TableName("spark_catalog", ("default", "t"))
    assert resolved("lake.a.b.t") == TableName("lake", ("a", "b", "t"))
    assert resolved("lake.shop.`a.b``c`") == TableName("lake", ("shop", "a.b`c"))
    assert resolved("lake.shop.`a.b``c`").sql == "`lake`.`shop`.`a.b``c`"
    assert str(resolved("lake.shop.t")) == "lake.shop.t"


@pytest.mark.parametrize("text", ["", "a..b", "lake.t", "a.`b", "a.`b`c", "a.b`c`"])
def test_wrong_names_are_refused(text):
    with pytest.raises(ValueError):
        resolved(text)


def test_merge_puts_clauses_in_order():
    statements = []
    builder = MergeBuilder(statements.append, "MERGE INTO t AS target\nUSING s AS source\nON a = b")
    begun = builder.whenMatchedDelete("source.gone")
    (
        begun.whenMatchedUpdate({"v": "source.v", "s.f": "1"})
        .whenNotMatchedInsert({"k": "source.k", "v": "0"}, "source.k > 0")
        .whenNotMatchedBySourceUpdate({"v": "NULL"}, "target.k = 1")
        .whenNotMatchedBySourceDelete()
        .execute()
    )
    assert statements == [
        "MERGE INTO t AS target\nUSING s AS source\nON a = b\n"
        "WHEN MATCHED AND (source.gone) THEN DELETE\n"
        "WHEN MATCHED THEN UPDATE SET `v` = source.v, `s`.`f` = 1\n"
        "WHEN NOT MATCHED AND (source.k > 0) THEN INSERT (`k`, `v`) VALUES (source.k, 0)\n"
        "WHEN NOT MATCHED BY SOURCE AND (target.k = 1) THEN UPDATE SET `v` = NULL\n"
        "WHEN NOT MATCHED BY SOURCE THEN DELETE"
    ]
    assert begun.statement.endswith("THEN DELETE")
    with pytest.raises(ValueError):
        builder.execute()
    with pytest.raises(ValueError):
        assignments({})


def test_settings_are_the_three_of_the_manual(monkeypatch):
    monkeypatch.delenv("KEYLAKE_JAR", raising=False)
    assert settings("/data/lake") == {
        "spark.sql.extensions": "io.keylake.extensions.KeylakeExtensions",
        "spark.sql.catalog.lake": "io.keylake.catalog.KeylakeCatalog",
        "spark.sql.catalog.lake.warehouse": "/data/lake",
    }
    more = settings("w", catalog="l2", jars=["a.jar", "b.jar"], extensions=["x.Y"], current=True, conf={"k": "v"})
    assert more["spark.jars"] == "a.jar,b.jar"
    assert more["spark.sql.extensions"] == "x.Y,io.keylake.extensions.KeylakeExtensions"
    assert more["spark.sql.defaultCatalog"] == "l2"
    assert more["k"] == "v"
    monkeypatch.setenv("KEYLAKE_JAR", "e.jar")
    assert settings("w")["spark.jars"] == "e.jar"
    with pytest.raises(ValueError):
        settings("w", catalog="a.b")


def test_builder_is_returned():
    builder = SparkSession.Builder()
    assert configure(builder, "w", jars="k.jar") is builder


@pytest.mark.parametrize(
    ("sql_state", "kind"),
    [
        ("0A000", UnsupportedError),
        ("40001", ConflictError),
        ("55000", StreamStateError),
        ("XX001", CorruptTableError),
        ("42000", InvalidRequestError),
        ("22023", InvalidRequestError),
    ],
)
def test_kind_of_a_failure_is_that_of_its_sql_state(sql_state, kind):
    cause = RuntimeError(f"Job aborted\n[KEYLAKE_SOME_THING] What.\nWhere. SQLSTATE: {sql_state}\n\tat x")
    outer = RuntimeError("wrapped")
    outer.__cause__ = cause
    found = KeylakeError.of(outer)
    assert type(found) is kind
    assert found.condition == found.getCondition() == "KEYLAKE_SOME_THING"
    assert found.sql_state == found.getSqlState() == sql_state
    assert found.text == "What.\nWhere."
    assert str(found) == found.getMessage() == f"[KEYLAKE_SOME_THING] What.\nWhere. SQLSTATE: {sql_state}"


def test_other_failures_are_none_of_ours():
    assert KeylakeError.of(ValueError("[UNRESOLVED_COLUMN] x SQLSTATE: 42703")) is None
