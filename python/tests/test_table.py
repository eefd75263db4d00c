"""The facade, in a classic session or one of Spark Connect."""

from datetime import datetime, timedelta

import pytest
from pyspark.errors import PySparkException

from keylake import InvalidRequestError, KeylakeError, KeylakeTable, attach, keylake_errors


@pytest.fixture(scope="module")
def users(spark):
    """Versions: 1 = two rows, 2 = after an upsert."""
    spark.sql("CREATE TABLE lake.shop.users (id INT, name STRING, PRIMARY KEY (id) NOT ENFORCED)")
    spark.sql("INSERT INTO lake.shop.users VALUES (1, 'ada'), (2, 'bob')")
    table = KeylakeTable.forName(spark, "lake.shop.users")
    new = spark.createDataFrame([(2, "bea"), (3, "cyd")], "id INT, name STRING")
    table.merge(new, "target.id = source.id").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute()
    return table


def rows(frame):
    return sorted(tuple(row) for row in frame.collect())


def test_merge_is_one_snapshot_and_leaves_no_view(spark, users):
    assert rows(users.toDF()) == [(1, "ada"), (2, "bea"), (3, "cyd")]
    assert rows(users.atVersion(1)) == [(1, "ada"), (2, "bob")]
    assert users.metadata("snapshots").count() == 2
    assert not [table for table in spark.catalog.listTables("lake.shop") if table.isTemporary]


def test_changes_are_of_the_versions_asked_for(users):
    changes = users.changes(2, 2).select("_change_type", "id", "name")
    assert rows(changes) == [
        ("insert", 3, "cyd"),
        ("update_postimage", 2, "bea"),
        ("update_preimage", 2, "bob"),
    ]


def test_history_and_detail_describe_the_table(users):
    assert [row.version for row in users.history().collect()] == [2, 1]
    assert users.history(limit=1).count() == 1
    detail = users.detail().head()
    assert detail.primaryKeyColumns == ["id"]
    assert detail.snapshotId == 2


def test_page_of_a_notebook_shows_keys_and_levels(users):
    page = users._repr_html_()
    assert page.startswith('<div class="keylake cell">')
    for text in ("lake.shop.users", "primary key", "Levels of the buckets", "<svg"):
        assert text in page
    assert "What a compaction would do" in users.report()


def test_report_is_written_to_files_outside_of_tables_only(users, tmp_path):
    written = users.report(tmp_path / "users.html")
    assert written.endswith("/users.html")
    assert (tmp_path / "users.html").stat().st_size > 5000
    with pytest.raises(InvalidRequestError, match="does not end with .html"):
        users.report(tmp_path / "users.txt")


def test_statements_of_all_kinds_on_a_table_with_an_odd_name(spark):
    spark.sql("CREATE TABLE lake.shop.`odd ``na'me` (k INT, s STRUCT<a: INT>, PRIMARY KEY (k) NOT ENFORCED)")
    odd = KeylakeTable.forName(spark, "lake.shop.`odd ``na'me`")
    spark.sql("INSERT INTO lake.shop.`odd ``na'me` SELECT id, named_struct('a', id * 10) FROM range(5)")
    odd.createTag("full", retain="30 d")
    odd.delete("k = :k", args={"k": 0})
    odd.update({"s.a": "s.a + :more"}, "k >= 3", args={"more": 7})
    odd.merge("(SELECT 4 AS k)", "target.k = source.k").whenMatchedDelete().execute()
    assert rows(odd.toDF().selectExpr("k", "s.a")) == [(1, 10), (2, 20), (3, 37)]
    assert odd.atVersion("full").count() == 5
    odd.restoreToVersion("full")
    assert odd.toDF().count() == 5
    newest = odd.metadata("snapshots").selectExpr("max(commit_time)").head()[0]
    assert odd.atTimestamp(newest + timedelta(hours=1)).count() == 5
    with pytest.raises(InvalidRequestError):
        odd.restoreToTimestamp(datetime(2001, 1, 1))
    odd.createBranch("work", "full")
    assert spark.table("lake.shop.`odd ``na'me$branch_work`").count() == 5
    odd.deleteBranch("work")
    odd.deleteTag("full")
    assert odd.optimize().head() is not None
    assert odd.metadata("files").count() == odd.metadata("buckets").count()
    assert odd.vacuum(retentionHours=1, dryRun=True).count() == 1
    odd.delete()
    assert odd.toDF().count() == 0
    assert "odd `na&#39;me" in odd._repr_html_()


def test_failures_have_condition_and_sql_state(spark, users):
    with pytest.raises(InvalidRequestError) as failure:
        users.restoreToVersion(77)
    assert failure.value.condition == "KEYLAKE_VERSION_NOT_FOUND"
    assert failure.value.sql_state == "42704"
    assert "77" in failure.value.text
    assert isinstance(failure.value, PySparkException)
    with pytest.raises(KeylakeError):
        KeylakeTable.forName(spark, "lake.shop.nothing")
    with pytest.raises(PySparkException) as plain:
        spark.sql("CALL lake.sys.compact(table => 'nowhere')")
    assert plain.value.getCondition() == "KEYLAKE_REFERENCE_NOT_FOUND"
    assert plain.value.getSqlState() == "42704"
    with pytest.raises(InvalidRequestError), keylake_errors():
        spark.sql("CALL lake.sys.compact(table => 'nowhere')")
    with pytest.raises(PySparkException) as theirs, keylake_errors():
        spark.sql("SELECT nothing").collect()
    assert not isinstance(theirs.value, KeylakeError)


def test_failure_inside_a_task_is_found(spark):
    spark.sql("CREATE TABLE lake.shop.events (k INT, kind STRING, PRIMARY KEY (k) NOT ENFORCED)"
              " TBLPROPERTIES ('rowkind.field' = 'kind')")
    events = spark.createDataFrame([(1, "+I"), (2, "no kind")], "k INT, kind STRING")
    with pytest.raises(InvalidRequestError) as failure, keylake_errors():
        events.writeTo("lake.shop.events").append()
    assert failure.value.condition == "KEYLAKE_INVALID_VALUE"
    assert "no kind" in failure.value.text


def test_catalog_is_attached_to_a_running_session(spark, tmp_path):
    attach(spark, tmp_path / "more", catalog="more")
    spark.sql("CREATE NAMESPACE more.n")
    spark.sql("CREATE TABLE more.n.t AS SELECT 1 AS one")
    table = KeylakeTable.forName(spark, "more.n.t")
    assert rows(table.toDF()) == [(1,)]
    assert repr(table) == "KeylakeTable(more.n.t)"
