"""``MERGE INTO`` put together step by step."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Optional

from pyspark.sql import DataFrame

from keylake.names import quoted

__all__ = ["MergeBuilder"]

Assignments = Mapping[str, str]


class MergeBuilder:
    """A ``MERGE`` statement in the making; made by :meth:`keylake.KeylakeTable.merge`, run by :meth:`execute`.

    Conditions and values are SQL. Clauses are tried in the order in which they were added; the first that fits a row
    is taken. Immutable: each method returns a new builder.
    """

    def __init__(
        self, run: Callable[[str], DataFrame], head: str, clauses: tuple[str, ...] = ()
    ) -> None:
        self._run = run
        self._head = head
        self._clauses = clauses

    def _with(self, when: str, condition: Optional[str], then: str) -> "MergeBuilder":
        also = f" AND ({condition})" if condition else ""
        return MergeBuilder(self._run, self._head, (*self._clauses, f"WHEN {when}{also} THEN {then}"))

    def whenMatchedUpdate(self, set: Assignments, condition: Optional[str] = None) -> "MergeBuilder":
        """Updates columns of rows that match: ``set`` maps columns to values."""
        return self._with("MATCHED", condition, "UPDATE SET " + assignments(set))

    def whenMatchedUpdateAll(self, condition: Optional[str] = None) -> "MergeBuilder":
        """Updates all columns of rows that match, by name."""
        return self._with("MATCHED", condition, "UPDATE SET *")

    def whenMatchedDelete(self, condition: Optional[str] = None) -> "MergeBuilder":
        """Deletes rows that match."""
        return self._with("MATCHED", condition, "DELETE")

    def whenNotMatchedInsert(self, values: Assignments, condition: Optional[str] = None) -> "MergeBuilder":
        """Inserts rows of the source that match no row: ``values`` maps columns to values."""
        if not values:
            raise ValueError("An insert needs a column. Use whenNotMatchedInsertAll for all")
        columns = ", ".join(quoted(column) for column in values)
        return self._with("NOT MATCHED", condition, f"INSERT ({columns}) VALUES ({', '.join(values.values())})")

    def whenNotMatchedInsertAll(self, condition: Optional[str] = None) -> "MergeBuilder":
        """Inserts rows of the source that match no row, by the names of the columns."""
        return self._with("NOT MATCHED", condition, "INSERT *")

    def whenNotMatchedBySourceUpdate(self, set: Assignments, condition: Optional[str] = None) -> "MergeBuilder":
        """Updates rows of the table that no row of the source matches."""
        return self._with("NOT MATCHED BY SOURCE", condition, "UPDATE SET " + assignments(set))

    def whenNotMatchedBySourceDelete(self, condition: Optional[str] = None) -> "MergeBuilder":
        """Deletes rows of the table that no row of the source matches."""
        return self._with("NOT MATCHED BY SOURCE", condition, "DELETE")

    @property
    def statement(self) -> str:
        """The statement, whose source is ``{source}`` where it is a DataFrame."""
        return "\n".join([self._head, *self._clauses])

    def execute(self) -> None:
        """Runs the statement. One snapshot is made."""
        if not self._clauses:
            raise ValueError("A merge needs a clause, such as whenMatchedUpdateAll()")
        self._run(self.statement)


def assignments(columns: Mapping[str, Any]) -> str:
    """``column = value, ...``; a dot in a column's name leads into a struct."""
    if not columns:
        raise ValueError("An update needs a column")
    return ", ".join(f"{column_name(column)} = {value}" for column, value in columns.items())


def column_name(column: str) -> str:
    """A column's name with its parts in back quotes; one that has back quotes is left as it is."""
    return column if "`" in column else ".".join(quoted(part) for part in column.split("."))
