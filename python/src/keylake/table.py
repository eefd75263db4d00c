"""A table of Keylake, as an object whose methods emit SQL."""

from __future__ import annotations

import html
import os
import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Optional, Union

from pyspark.sql import DataFrame, SparkSession

from keylake.errors import keylake_errors
from keylake.merge import Assignments, MergeBuilder, assignments
from keylake.names import TableName, quoted

__all__ = ["KeylakeTable"]

Version = Union[int, str]


class KeylakeTable:
    """A table of a Keylake catalog; made by :meth:`forName`.

    Nothing is kept: each method emits a statement, which sees the newest version. Conditions and values are SQL;
    ``args`` gives values to its parameters, as in ``delete("id = :id", args={"id": 7})``. Failures of Keylake are
    raised as :class:`keylake.KeylakeError`. In a notebook the object shows itself as a small page.
    """

    def __init__(self, spark: SparkSession, name: TableName) -> None:
        self._spark = spark
        self._name = name

    @classmethod
    def forName(cls, spark: SparkSession, name: str) -> "KeylakeTable":
        """The table ``catalog.namespace.table``, or without what is current; it has to exist.

        :raises keylake.KeylakeError: when it is no table of Keylake
        """
        first = name.split(".")[0].strip("`")
        catalogs = {first} if spark.conf.get(f"spark.sql.catalog.{first}", None) else set()
        catalogs.add("spark_catalog")
        resolved = TableName.resolve(
            name, spark.catalog.currentCatalog(), spark.catalog.currentDatabase(), catalogs
        )
        table = cls(spark, resolved)
        table.detail()
        return table

    @property
    def name(self) -> str:
        """The name with catalog and namespace."""
        return str(self._name)

    def __repr__(self) -> str:
        return f"KeylakeTable({self.name})"

    # Reading

    def toDF(self) -> DataFrame:
        """The rows of the newest version when the frame is used."""
        return self._spark.table(self._name.sql)

    def atVersion(self, version: Version) -> DataFrame:
        """The rows of a version: the id of a snapshot, or a tag."""
        return self._sql(f"SELECT * FROM {self._name.sql} VERSION AS OF {_version(version)}")

    def atTimestamp(self, timestamp: Union[str, datetime]) -> DataFrame:
        """The rows as of a time: ``'2024-01-31 12:00:00'`` in the session's time zone, or a datetime."""
        return self._sql(f"SELECT * FROM {self._name.sql} TIMESTAMP AS OF {_timestamp(timestamp)}")

    def changes(self, fromVersion: int, toVersion: Optional[int] = None) -> DataFrame:
        """The changes of the versions ``fromVersion`` to ``toVersion``, both included; to the newest unless given.

        Beside the table's columns there are ``_change_type``, ``_commit_version`` and ``_commit_timestamp``.
        """
        end = "" if toVersion is None else f" TO VERSION {_number(toVersion)}"
        return self._sql(f"SELECT * FROM {self._name.sql} CHANGES FROM VERSION {_number(fromVersion)}{end}")

    def metadata(self, table: str) -> DataFrame:
        """A metadata table, such as ``files`` or ``snapshots``."""
        *above, last = (self._name.catalog, *self._name.parts)
        return self._spark.table(".".join(quoted(part) for part in (*above, f"{last}${table}")))

    # Writing

    def merge(
        self,
        source: Union[DataFrame, str],
        condition: str,
        *,
        source_alias: str = "source",
        target_alias: str = "target",
    ) -> MergeBuilder:
        """Begins a ``MERGE`` of a frame, or of a table by its name, into this table.

        >>> table.merge(df, "target.id = source.id").whenMatchedUpdateAll().whenNotMatchedInsertAll().execute()
        """
        target = f"MERGE INTO {self._name.sql} AS {quoted(target_alias)}"
        if isinstance(source, str):
            return MergeBuilder(
                lambda statement: self._sql(statement),
                f"{target}\nUSING {source} AS {quoted(source_alias)}\nON {condition}",
            )
        view = f"keylake_source_{uuid.uuid4().hex}"
        frame = source

        def run(statement: str) -> DataFrame:
            frame.createOrReplaceTempView(view)
            try:
                return self._sql(statement)
            finally:
                self._spark.catalog.dropTempView(view)

        return MergeBuilder(run, f"{target}\nUSING {quoted(view)} AS {quoted(source_alias)}\nON {condition}")

    def delete(self, condition: Optional[str] = None, args: Optional[Mapping[str, Any]] = None) -> None:
        """Deletes the rows for which ``condition`` is true; all unless given."""
        where = "" if condition is None else f" WHERE {condition}"
        self._sql(f"DELETE FROM {self._name.sql}{where}", args)

    def update(
        self,
        set: Assignments,
        condition: Optional[str] = None,
        args: Optional[Mapping[str, Any]] = None,
    ) -> None:
        """Sets columns of the rows for which ``condition`` is true, of all unless given."""
        where = "" if condition is None else f" WHERE {condition}"
        self._sql(f"UPDATE {self._name.sql} SET {assignments(set)}{where}", args)

    # History

    def history(self, limit: Optional[int] = None) -> DataFrame:
        """The versions, newest first: when, by whom and by what each was made."""
        return self._call("history", limit=limit)

    def detail(self) -> DataFrame:
        """One row: where the table is, how large it is, which properties it has."""
        return self._call("detail")

    def restoreToVersion(self, version: Version) -> DataFrame:
        """Makes a new version that holds what an older one, or a tag, held."""
        return self._call("restore", version=str(version))

    def restoreToTimestamp(self, timestamp: Union[str, datetime]) -> DataFrame:
        """Makes a new version that holds what the table held at a time."""
        text = timestamp if isinstance(timestamp, str) else timestamp.isoformat(sep=" ")
        return self._call("restore", timestamp=text)

    # Upkeep

    def optimize(
        self, where: Optional[str] = None, zorderBy: Union[str, list[str], None] = None
    ) -> DataFrame:
        """Compacts the table, or the partitions that ``where`` chooses; ``zorderBy`` sorts the rows of append
        tables."""
        columns = [zorderBy] if isinstance(zorderBy, str) else zorderBy
        zorder = None if not columns else ", ".join(quoted(column) for column in columns)
        return self._call("optimize", where=where, zorder_by=zorder)

    def vacuum(self, retentionHours: Optional[int] = None, dryRun: bool = False) -> DataFrame:
        """Removes snapshots that have had their time, and files that nothing names any more."""
        return self._call("vacuum", retain_hours=retentionHours, dry_run=dryRun or None)

    # Tags and branches

    def createTag(
        self, tag: str, version: Optional[int] = None, retain: Optional[str] = None
    ) -> DataFrame:
        """Names a version, the newest unless given; ``retain`` is how long the tag lives, such as ``'30 d'``."""
        return self._call("create_tag", tag=tag, snapshot=version, time_retained=retain)

    def deleteTag(self, tag: str) -> DataFrame:
        """Deletes a tag."""
        return self._call("delete_tag", tag=tag)

    def createBranch(self, branch: str, tag: Optional[str] = None) -> DataFrame:
        """Makes a branch, of a tag where one is given."""
        return self._call("create_branch", branch=branch, tag=tag)

    def deleteBranch(self, branch: str) -> DataFrame:
        """Deletes a branch."""
        return self._call("delete_branch", branch=branch)

    def fastForward(self, branch: str) -> DataFrame:
        """Makes the table what the branch is."""
        return self._call("fast_forward", branch=branch)

    # Showing

    def report(self, path: Union[str, "os.PathLike[str]", None] = None) -> str:
        """Draws the table as a page of HTML. With ``path``, a file ``*.html`` where Spark's driver runs, it is written
        there, and the full path is returned; without, the page itself is."""
        if path is None:
            return str(self._call("report").head().html)  # type: ignore[union-attr]
        return str(self._call("report", path=os.fspath(path)).head().path)  # type: ignore[union-attr]

    def _repr_html_(self) -> str:
        try:
            return str(self._call("report", form="cell").head().html)  # type: ignore[union-attr]
        except Exception as failure:
            return f"<pre>{html.escape(repr(self))}\n{html.escape(str(failure).splitlines()[0])}</pre>"

    def _call(self, procedure: str, **arguments: Any) -> DataFrame:
        given = {"table": self._name.argument}
        given.update({name: value for name, value in arguments.items() if value is not None})
        listed = ", ".join(f"{name} => :{name}" for name in given)
        return self._sql(f"CALL {quoted(self._name.catalog)}.sys.{procedure}({listed})", given)

    def _sql(self, statement: str, args: Optional[Mapping[str, Any]] = None) -> DataFrame:
        with keylake_errors():
            return self._spark.sql(statement, args=dict(args)) if args else self._spark.sql(statement)


def _number(value: int) -> str:
    return str(int(value))


def _version(version: Version) -> str:
    return _number(version) if isinstance(version, int) else _text(version)


def _timestamp(timestamp: Union[str, datetime]) -> str:
    return _text(timestamp if isinstance(timestamp, str) else timestamp.isoformat(sep=" "))


def _text(value: str) -> str:
    """A literal that means the same whether back slashes escape or not: they are written by their code."""
    plain = "''".join(value.split("'"))
    if "\\" not in plain:
        return f"'{plain}'"
    raise ValueError(f"The text {value!r} has a back slash; no version is called so")
